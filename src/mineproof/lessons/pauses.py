"""Pauses: long waits while a cell could be proved safe.

A wait is *long* if it takes at least `LONG_WAIT_MIN_SECONDS` and `LONG_WAIT_MEDIANS` times the player's median, so that
it stands out for fast and slow players alike. Only the longest `MAX_ANALYZED_WAITS` of a game are analysed. Waits
without a certainly safe cell are thinking time and not lost. The technique of a pause is that of the easiest step. The
time since when the cell was certain is found by bisection, because a certain cell stays certain until a move is taken
back.

Cost    A hint and at most ten analyses per wait: 3 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from mineproof.analysis.analysis import analyze
from mineproof.board.cells import Cell
from mineproof.game.risks import MoveRisk
from mineproof.lessons import views
from mineproof.lessons.analyst import Analyst
from mineproof.lessons.results import Pace, Pause

LONG_WAIT_MIN_SECONDS = 1.0
LONG_WAIT_MEDIANS = 3.0
MAX_ANALYZED_WAITS = 12


class _MoveWait(NamedTuple):
    """Milliseconds before the move at an index."""

    ms: int
    move_index: int


def find_pauses(steps: Sequence[MoveRisk], analyst: Analyst) -> tuple[Pace | None, list[Pause]]:
    """Return the player's pace and the pauses in the order of the game; no pace if there are no times."""
    waits = list(_list_waits(steps))
    usual = median(wait.ms for wait in waits) / 1000 if waits else 0.0
    if not any(wait.ms for wait in waits):
        return None, []
    long = max(LONG_WAIT_MIN_SECONDS, LONG_WAIT_MEDIANS * usual)
    long_waits = sorted(
        (wait for wait in waits if wait.ms >= 1000 * long), key=lambda wait: (-wait.ms, wait.move_index)
    )
    analyzed = long_waits[:MAX_ANALYZED_WAITS]
    pauses = [pause for wait in analyzed if (pause := _analyze_wait(wait, steps, usual, analyst)) is not None]
    pauses.sort(key=lambda pause: pause.index)
    return Pace(usual, long, len(long_waits), len(analyzed)), pauses


def _list_waits(steps: Sequence[MoveRisk]) -> Iterator[_MoveWait]:
    """Waits before every move, except undos and moves before the first cell is open."""
    for index in range(1, len(steps)):
        move, previous = steps[index].move, steps[index - 1].move
        if move.kind != "undo" and steps[index].board.open_cells:
            yield _MoveWait(move.ms - previous.ms, index)


def _analyze_wait(wait: _MoveWait, steps: Sequence[MoveRisk], usual: float, analyst: Analyst) -> Pause | None:
    board = steps[wait.move_index].board
    step = analyst.find_safe_step(board)
    if step is None:
        return None
    start_ms, seconds = steps[wait.move_index - 1].move.ms, wait.ms / 1000
    since = steps[_find_certain_since(min(step.safe), wait.move_index, steps, analyst)].move.ms
    return Pause(wait.move_index, start_ms, seconds, seconds - usual, since, step, views.draw_pause(board, step))


def _find_certain_since(cell: Cell, index: int, steps: Sequence[MoveRisk], analyst: Analyst) -> int:
    """Index of the move after which a cell was certainly safe, not before the last undo."""
    low = max((place for place in range(index) if steps[place].move.kind == "undo"), default=0)
    high = index - 1  # after this move the cell is certain
    while low < high:
        middle = (low + high) // 2
        board = steps[middle + 1].board.without_flags()
        if cell in analyze(board, budget=analyst.remaining_budget, engine=analyst.engine).safe:
            high = middle
        else:
            low = middle + 1
    return low
