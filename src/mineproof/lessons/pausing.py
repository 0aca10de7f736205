"""Pauses: long waits while a cell lay there that was certainly safe.

A wait is *long* if it takes `LEAST` seconds and `TIMES` as long as the player's median, so that it stands out whoever
plays. The longest `MOST_WAITS` of a game are looked at, and no other: those before which no safe cell was certain are
thinking, and not lost. What told the cell is the easiest step of the ladder. Since when it was certain is found by
halving, for what is certain stays so until a move is taken back.

Cost    A hint and at most ten analyses for each wait that is looked at: 3 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from mineproof.analysis.analysis import analyze
from mineproof.board.cells import Cell
from mineproof.game.risks import Step
from mineproof.lessons import views
from mineproof.lessons.asking import Asking
from mineproof.lessons.results import Pace, Pause

LEAST = 1.0
TIMES = 3.0
MOST_WAITS = 12


class _Wait(NamedTuple):
    """Milliseconds before the move at this place."""

    ms: int
    place: int


def find_pauses(steps: Sequence[Step], asking: Asking) -> tuple[Pace | None, list[Pause]]:
    """How long the player takes, and the pauses in the order of the game; no pace where there are no times."""
    waits = list(_waits(steps))
    usual = median(wait.ms for wait in waits) / 1000 if waits else 0.0
    if not any(wait.ms for wait in waits):
        return None, []
    long = max(LEAST, TIMES * usual)
    candidates = sorted((wait for wait in waits if wait.ms >= 1000 * long), key=lambda wait: (-wait.ms, wait.place))
    looked_at = candidates[:MOST_WAITS]
    found = [pause for wait in looked_at if (pause := _pause(wait, steps, usual, asking)) is not None]
    found.sort(key=lambda pause: pause.index)
    return Pace(usual, long, len(candidates), len(looked_at)), found


def _waits(steps: Sequence[Step]) -> Iterator[_Wait]:
    """Before every move but the first opening, those before it, and undos."""
    for index in range(1, len(steps)):
        move, before = steps[index].move, steps[index - 1].move
        if move.kind != "undo" and steps[index].seen.open_cells:
            yield _Wait(move.ms - before.ms, index)


def _pause(wait: _Wait, steps: Sequence[Step], usual: float, asking: Asking) -> Pause | None:
    seen = steps[wait.place].seen
    told = asking.hint(seen)
    if told is None:
        return None
    began, seconds = steps[wait.place - 1].move.ms, wait.ms / 1000
    since = steps[_known_since(min(told.safe), wait.place, steps, asking)].move.ms
    return Pause(wait.place, began, seconds, seconds - usual, since, told, views.pause(seen, told))


def _known_since(cell: Cell, index: int, steps: Sequence[Step], asking: Asking) -> int:
    """The move after which a cell was certainly safe, of those since the last one that was taken back."""
    low = max((place for place in range(index) if steps[place].move.kind == "undo"), default=0)
    high = index - 1  # after it, the cell is known to be
    while low < high:
        middle = (low + high) // 2
        seen = steps[middle + 1].seen.without_flags()
        if cell in analyze(seen, budget=asking.rest, engine=asking.engine).safe:
            high = middle
        else:
            low = middle + 1
    return low
