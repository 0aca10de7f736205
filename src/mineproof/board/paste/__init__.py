"""Boards as people paste them.

`wrappers` removes the packaging; `nestings`, `pictures` and `tables` find the rows of cells; `symbols` says what each
sign can mean, and `meanings` chooses; `reading` puts the steps together. This package is the last resort: the strict
alphabets of `mineproof.board.notation` come first. Nothing here knows about layouts, links or files.
"""
