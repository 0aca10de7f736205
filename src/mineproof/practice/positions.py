"""The positions of real games: a careful player opens a layout, and every position on the way is yielded.

The player takes the easiest step there is. Steps that single numbers decide are taken one round at a time, by counting
the neighbours of all numbers at once; a harder step is taken if there is none. Proved mines are flagged. If nothing is
certain, the player opens the safest cell, and the game ends if that cell is a mine.

Cost    A round of single numbers takes 0.1 ms on an expert board, a harder step a few milliseconds: the technique is
        only found here, not proved. No step is trusted: the player opens and flags only what the engine calls certain.
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
from mineproof.deduction.ladder import LADDER, easiest
from mineproof.deduction.state import State, union
from mineproof.deduction.techniques import single
from mineproof.engine.answers import Engine
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import flag_mines, open_safe, start_cell
from mineproof.practice.puzzles import GUESS

SINGLE_OPEN, SINGLE_FLAG = single.OPEN.name, single.FLAG.name


class GamePosition(NamedTuple):
    """A position with the technique of its easiest step: ``"guess"``, or None if it is harder than the usable ones."""

    board: Board
    technique: str | None


def play_positions(layout: Layout, usable: Sequence[str], deadline: Deadline, engine: Engine) -> Iterator[GamePosition]:
    """Yield the positions of a game, from the first click until it is won or lost."""
    field = MineField(layout)
    open_safe(field, [start_cell(layout, None)])
    while not field.is_cleared:
        deadline.check()
        safe, mines = decide_singles(field.board)
        if safe:
            yield GamePosition(field.board, SINGLE_OPEN)
            open_safe(field, safe)
            continue
        if mines:
            yield GamePosition(field.board, SINGLE_FLAG)
            flag_mines(field, mines)
            continue
        analysis = analyze(field.board, budget=deadline.rest(), engine=engine)
        if not analysis.safe and not analysis.mines:
            yield GamePosition(field.board, GUESS)
            cell = safest_cell(analysis, field.board).cell
            if cell in layout.mines:
                return
            open_safe(field, [cell])
            continue
        state = State(field.board, deadline.rest(), engine)
        name, _ = next(easiest(state, usable, by_rung=True), (None, None))
        yield GamePosition(field.board, name)
        cells = analysis.safe | analysis.mines
        if name is not None:
            decided = union(finding.safe | finding.mines for finding in LADDER[name].find(state))
            cells &= frozenset(state.cells(decided))
        flag_mines(field, analysis.mines & cells)
        open_safe(field, analysis.safe & cells)


def decide_singles(board: Board) -> tuple[list[Cell], list[Cell]]:
    """Return the cells that single numbers decide: the safe ones around numbers that have their flags, else the mines.

    >>> decide_singles(Board.parse("F1#/11#/##1"))
    ([(0, 2), (1, 2), (2, 0), (2, 1)], [])
    >>> decide_singles(Board.parse("#1/11"))
    ([], [(0, 0)])
    """
    codes = np.frombuffer(board.codes, dtype=np.int8)
    table = board.geometry.table
    around = np.append(codes, np.int8(0))[table]  # unused places of the table point past the last cell
    covered, flagged = (around == COVERED).sum(axis=1), (around == FLAGGED).sum(axis=1)
    active = (codes >= 0) & (covered > 0)

    def cells_around(numbers: npt.NDArray[np.bool_]) -> list[Cell]:
        places = table[numbers]
        return list(map(board.cell, np.unique(places[around[numbers] == COVERED]).tolist()))

    safe = cells_around(active & (codes == flagged))
    return (safe, []) if safe else ([], cells_around(active & (codes == flagged + covered)))
