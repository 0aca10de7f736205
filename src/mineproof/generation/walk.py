"""A layout played as a careful person would play it, by deduction alone.

After every deduction that frees a cell, the cell is opened (a zero opens its surroundings) and the climb starts again
at the bottom of the ladder, because what it shows may make the next step easy. So a technique is named only where
nothing simpler went on, and the hardest one named is really needed. Single-number steps are taken together: they are
most of a game, and opening one cell earlier makes none of them harder.

Cost    One climb of the ladder for each opening.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.deduction.ladder import LADDER, steps
from mineproof.engine.answers import Engine
from mineproof.game.field import Field
from mineproof.game.layout import Layout
from mineproof.generation.careful import flag_mines, open_safe, start_cell
from mineproof.generation.certificate import ProofStep

EASY = "single-flag"  # up to here deductions are taken together
RUNGS: list[str] = list(LADDER)


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a careful player comes: ``opened`` by the first click, then by steps; ``board`` is where it ended.

    Mines that were proved are flagged on the board. Steps after the last one that led to a cell are left out.
    """

    start: Cell
    opened: tuple[Cell, ...]
    steps: tuple[ProofStep, ...]
    board: Board
    solved: bool


def walk(
    layout: Layout,
    start: Cell | None = None,
    *,
    upto: str = RUNGS[-1],
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Walk:
    """Play a layout by deduction from a first click, by default its own, with no harder technique than one.

    The budget is for each climb of the ladder. Raises IllegalMoveError when the first click hits a mine.
    """
    limit, cell = Budget.of(budget), start_cell(layout, start)
    field = Field(layout)
    opened = open_safe(field, [cell])
    taken: list[ProofStep] = []
    while not field.is_cleared and (more := _go_on(field, upto, limit, engine)):
        taken += more
    return Walk(cell, opened, tuple(taken), field.board, field.is_cleared)


def _go_on(field: Field, upto: str, budget: Budget, engine: Engine | None) -> list[ProofStep]:
    """Take deductions until a cell is opened; those taken, none if none leads to a cell."""
    taken = list(steps(field.board, upto=min(upto, EASY, key=RUNGS.index), budget=budget, engine=engine))
    flag_mines(field, (cell for step in taken for cell in step.mines))
    if not any(step.safe for step in taken):
        for step in steps(field.board, upto=upto, by_rung=True, budget=budget, engine=engine):
            taken.append(step)
            flag_mines(field, step.mines)
            if step.safe:
                break
    acted = [ProofStep(step, open_safe(field, step.safe)) for step in taken]
    return acted if any(step.opened for step in acted) else []
