"""Advice for a player: one step at a time, at the level of detail that the player chooses.

This room chooses which deduction or guess to show. It computes no odds itself, and contains no sentences: the data of a
hint becomes text in `mineproof.wording`.
"""
