"""Which cell to open: the safest, the one that wins most, and the exact chance to win.

It is the last room of knowledge: handed a board, it chooses a move. It never makes one, and knows no mines.
"""
