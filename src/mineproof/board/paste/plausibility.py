"""Can a position be, judged by each number alone? A necessary check that costs one pass over the board.

A number needs no fewer flags around it than it says, and no more than its flags and covered cells together; the total
needs room, too. A position that passes may still be impossible: only `mineproof.analysis` can tell. Choosing between
two readings of a text needs no more, for the wrong one nearly always fails next to its first number.
"""

from __future__ import annotations

import numpy as np

from mineproof.board.cells import ABSENT, COVERED, FLAGGED
from mineproof.board.geometry import Geometry, Topology


def is_possible(rows: int, columns: int, codes: bytes, total_mines: int | None, topology: Topology | None) -> bool:
    """Does every number, taken alone, have a way to be right, and the total?"""
    cells = np.frombuffer(codes, dtype=np.int8)
    flagged, covered = cells == FLAGGED, cells == COVERED
    if total_mines is not None:
        flags = int(np.count_nonzero(flagged))
        if not flags <= total_mines <= flags + int(np.count_nonzero(covered)):
            return False
    numbers = np.flatnonzero(cells >= 0)
    if len(numbers) == 0:
        return not np.all(cells == ABSENT)
    near = Geometry(topology or "grid", rows, columns).table[numbers]
    least = np.append(flagged, False)[near].sum(axis=1)
    most = least + np.append(covered, False)[near].sum(axis=1)
    return bool(np.all((least <= cells[numbers]) & (cells[numbers] <= most)))
