"""The positions of real games: a careful player opens a layout, and every position on the way is handed out.

The player takes the easiest step there is. Steps that one number decides are taken a round at a time, by counting the
neighbours of all numbers at once; a harder step is taken when there is none. Mines that were proved are flagged. Where
nothing is certain the player opens the safest cell, and the game ends if that is a mine.

Cost    A round of single numbers takes 0.1 ms on an expert board, a harder step a few milliseconds: the technique is
        only found here, not proved. No step is trusted: only what the engine calls certain is opened or flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Deadline
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.decision.safest import safest_cell
from mineproof.deduction.ladder import LADDER, Technique, easiest
from mineproof.deduction.state import State, bits
from mineproof.engine.answers import Engine
from mineproof.game.field import Field
from mineproof.game.layout import Layout
from mineproof.generation.careful import flag_mines, open_safe, start_cell
from mineproof.practice.puzzles import GUESS

SINGLE_OPEN, SINGLE_FLAG = list(LADDER)[:2]


class Stop(NamedTuple):
    """A position, and what the easiest step takes: a technique, ``"guess"``, or None for one harder than was asked."""

    board: Board
    technique: str | None


def stops(layout: Layout, usable: Sequence[Technique], deadline: Deadline, engine: Engine) -> Iterator[Stop]:
    """The positions of a game, from the first click on, until it is won or lost."""
    field = Field(layout)
    open_safe(field, [start_cell(layout, None)])
    while not field.is_cleared:
        deadline.check()
        safe, mines = _singles(field.board)
        if safe:
            yield Stop(field.board, SINGLE_OPEN)
            open_safe(field, safe)
            continue
        if mines:
            yield Stop(field.board, SINGLE_FLAG)
            flag_mines(field, mines)
            continue
        found = analyze(field.board, budget=deadline.rest(), engine=engine)
        if not found.safe and not found.mines:
            yield Stop(field.board, GUESS)
            cell = safest_cell(found, field.board).cell
            if cell in layout.mines:
                return
            open_safe(field, [cell])
            continue
        state = State(field.board, deadline.rest(), engine)
        name, _ = next(easiest(state, usable, by_rung=True), (None, None))
        yield Stop(field.board, name)
        cells = found.safe | found.mines
        if name is not None:
            cells &= {field.board.cell(index) for step in LADDER[name](state) for index in bits(step.safe | step.mines)}
        flag_mines(field, found.mines & cells)
        open_safe(field, found.safe & cells)


def _singles(board: Board) -> tuple[list[Cell], list[Cell]]:
    """What single numbers decide at once: the cells around those that have their flags; if none, those to be flagged.

    >>> _singles(Board.parse("F1#/11#/##1"))
    ([(0, 2), (1, 2), (2, 0), (2, 1)], [])
    >>> _singles(Board.parse("#1/11"))
    ([], [(0, 0)])
    """
    codes = np.frombuffer(board.codes, dtype=np.int8)
    table = board.geometry.table
    around = np.append(codes, np.int8(0))[table]  # unused places of the table point behind the last cell
    covered, flagged = (around == COVERED).sum(axis=1), (around == FLAGGED).sum(axis=1)
    open_ones = (codes >= 0) & (covered > 0)

    def cells_around(numbers: npt.NDArray[np.bool_]) -> list[Cell]:
        places = table[numbers]
        return list(map(board.cell, np.unique(places[around[numbers] == COVERED]).tolist()))

    safe = cells_around(open_ones & (codes == flagged))
    return (safe, []) if safe else ([], cells_around(open_ones & (codes == flagged + covered)))
