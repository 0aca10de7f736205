"""Pictures of other programs' boards ↔ what is on them: where the cells are, what each shows, and how sure that is.

From pixels to a `mineproof.screens.reading.Reading`, for any program and theme: `periods` finds distances that repeat,
`placing` puts a lattice on them, `network` tells marks from looks, `naming` lets groups of cells and the rules decide.
No program's look is known here, and no mine: what was seen may be wrong, and says so. What is drawn by us is drawn in
`pictures`.
"""
