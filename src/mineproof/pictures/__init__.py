"""Pictures of boards, odds, deductions, moves, games and reviews, as SVG, PNG and text.

Everything becomes a `Scene` first: plain data about cells and captions. One module writes scenes as SVG. This room has
no rules of the game and computes no odds.
"""
