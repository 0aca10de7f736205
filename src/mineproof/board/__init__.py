"""What a player sees: cells and their codes, which cells touch which, positions as text, the board, sizes with names.

Nothing here reasons about a position, and nothing knows where the mines are.
"""
