"""Games that others recorded, as records of ours and back.

A reader turns what a mouse did into moves of a `mineproof.game.game.Game`, so the rules are those of the game. Layouts
and positions without a game belong to `formats`.
"""
