"""Lessons: what a player can learn from finished games, in pictures, numbers and five sentences, as data and as a page.

Nothing is counted or proved here: rooms before this one are asked about the moments that matter.
"""
