"""Lessons: what a player can learn from finished games, in pictures, numbers and advice, as data and as pages.

Earlier rooms do all counting and proving; this room chooses the moments that matter.
"""
