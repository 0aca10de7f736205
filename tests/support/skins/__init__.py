"""Pictures of boards in looks of our own making, for the tests of `mineproof.screens` and for what it learns from.

`positions` makes boards as players see them, `looks` draws what one cell looks like in a random style, `scenes` puts a
board into a window or on a page and spoils the picture as screens, cameras of screens and file formats do.
Everything is drawn by a seeded generator: the same seed, the same pixels, with the same fonts.
"""
