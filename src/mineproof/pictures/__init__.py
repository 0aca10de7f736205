"""Pictures of what is known: boards, odds, steps of reasoning, moves, games and reviews, as SVG and PNG.

Whatever is drawn becomes a `Scene` first, plain data about cells and words; one module writes scenes as SVG. No rule of
the game and no counting lives here.
"""
