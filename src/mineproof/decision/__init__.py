"""Choose the cell to open: the safest one, the one that wins most, and the exact chance to win.

This room sees a board as a player does. It chooses moves but never makes them, and it does not know the mines.
"""
