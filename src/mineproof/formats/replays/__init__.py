"""What replay formats share: recordings of mouse events, the games that they play, and files of any replay format.

`recording` and `cursor` parse bytes into a `Recording`: the board, mouse events, player and date. `mouse` turns the
events into moves of a `mineproof.game.game.Game`, so the rules are those of the game. `reader` and `writer` read and
write any replay.
"""
