"""Boards as players see them: cells and their codes, topologies, positions as text, `Board`, levels.

Nothing here reasons about a position, and nothing knows where the mines are.
"""
