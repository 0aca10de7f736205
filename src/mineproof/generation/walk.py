"""A layout played as a careful person would play it, by deduction alone.

After every deduction that frees a cell, the cell is opened (a zero opens its surroundings) and the climb starts again
at the bottom of the ladder, because the new number may make the next step easy. So a technique is listed only if
nothing simpler helped, and the hardest technique listed is really needed. Single-number steps are taken together:
they are most of a game, and opening one cell earlier makes none of them harder.

Cost    One climb of the ladder for each opening. Where only the harder techniques matter, `hard_techniques` takes all
        single-number steps at once, without arguments and proofs, in about a third of the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, single_techniques, steps
from mineproof.engine.answers import Engine
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import new_cells, open_safe, start_cell, take, take_singles
from mineproof.generation.certificate import ProofStep

RUNGS = list(LADDER)
EASY = single_techniques()[-1]  # up to here deductions are taken together
EASY_RUNG = RUNGS.index(EASY)


@dataclass(frozen=True, slots=True)
class Walk:
    """A game of a careful player: cells ``opened`` by the first click, then steps; ``board`` is the last position.

    Proved mines are flagged on the board. Steps after the last opened cell are left out.
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
    """Play a layout by deduction from ``start`` (by default its own), with techniques up to ``upto``.

    The budget is for each climb of the ladder. Raises IllegalMoveError if the first click is a mine.
    """
    limit, cell = Budget.of(budget), start_cell(layout, start)
    field = MineField(layout)
    opened = open_safe(field, [cell])
    taken: list[ProofStep] = []
    while not field.is_cleared and (more := _next_steps(field, upto, limit, engine)):
        taken += more
    return Walk(cell, opened, tuple(taken), field.board, field.is_cleared)


def _next_steps(field: MineField, upto: str, budget: Budget, engine: Engine | None) -> list[ProofStep]:
    """Take deductions until a cell opens; return them, or an empty list if no deduction leads to a cell."""
    easiest = min(upto, EASY, key=RUNGS.index)
    taken = list(_act(field, steps(field.board, upto=easiest, budget=budget, engine=engine)))
    if any(step.opened for step in taken):
        return taken
    harder = _next_steps_by_rung(field, upto, budget, engine)
    return taken + harder if harder else []


def _next_steps_by_rung(field: MineField, upto: str, budget: Budget, engine: Engine | None) -> list[ProofStep]:
    """Take steps, each by the easiest technique, until a cell opens; return them, or an empty list."""
    taken = []
    for step in _act(field, steps(field.board, upto=upto, by_rung=True, budget=budget, engine=engine)):
        taken.append(step)
        if step.opened:
            return taken
    return []


def hard_techniques(
    layout: Layout, *, upto: str, budget: Budget | float | None = None, engine: Engine | None = None
) -> tuple[list[str], bool]:
    """Return the techniques of a walk beyond single numbers, in order, and whether the walk solves the layout.

    ``upto`` must be at least `EASY`.
    """
    limit, field = Budget.of(budget), MineField(layout)
    open_safe(field, [start_cell(layout, None)])
    used: list[str] = []
    while True:
        take_singles(field)
        if field.is_cleared:
            return used, True
        more = _next_steps_by_rung(field, upto, limit, engine)
        if not more:
            return used, False
        used += [step.deduction.technique for step in more if RUNGS.index(step.deduction.technique) > EASY_RUNG]


def difficulty_of(techniques: Iterable[str]) -> int:
    """Return the sum of the difficulties of techniques: 0 for a single number, partition 1, bounds 2, and so on."""
    return sum(max(0, RUNGS.index(technique) - EASY_RUNG) for technique in techniques)


def _act(field: MineField, deductions: Iterable[Deduction]) -> Iterator[ProofStep]:
    """Act on deductions about the same board, as long as they name only new cells.

    An opened zero may open cells that a later deduction would have proved. A deduction with no other cells is left
    out. One that also names new cells ends the round: the next climb argues without the open cells.
    """
    for deduction in deductions:
        news = new_cells(field, deduction)
        if 0 < len(news) < len(deduction.safe | deduction.mines):
            return
        if news:
            yield ProofStep(deduction, take(field, deduction))
