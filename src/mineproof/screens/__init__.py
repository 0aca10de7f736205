"""Read boards from screenshots of other programs: the cells, their marks, and the confidence in each.

From pixels to a `mineproof.screens.reader.Reading`, for any program and theme. `periods` finds distances that repeat,
`lattice_fit` fits a lattice to them, `network` recognizes marks, and `cell_names` decides by groups of similar cells
and by the rules. This room knows the look of no particular program. A reading may be wrong, and its confidence says how
likely that is. `pictures` draws boards.
"""
