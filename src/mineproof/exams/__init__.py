"""Tasks about Minesweeper as text, verdicts on answers by counting, and audits of labels that other programs made.

A task is a position, or a game, with a question. It says nothing about the mines of a position, so a verdict counts
layouts and looks at no mines. No search for certain cells, no drawing and no server belong here. Adapters to
other packages are in `mineproof.adapters`. Of the packages that extras install, this room imports pyarrow alone.
"""
