"""Variants of the game as data: what a clue says, which mine layouts are allowed, positions and their analysis.

A variant compiles a position to a `mineproof.problems.problem.Problem`. Nothing here counts.
"""
