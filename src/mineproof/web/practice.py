"""Puzzles over HTTP: asked for, answered, and what the answers come to.

Nothing is remembered of a puzzle that was asked for. An answer brings its board along, and the position is proved anew
(`puzzle_at`), so that no solution is ever taken from outside. Only the puzzle of a day is kept once it is found, as
everybody asks for that one; an answer to it must be about its board.

Ratings are those of ``mineproof puzzle``, in the same history: there is one player, whoever uses this machine.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from mineproof.base.budget import Budget
from mineproof.board.levels import read_size
from mineproof.history.kept import level_name
from mineproof.history.opening import Place
from mineproof.practice.finding import LEVEL, daily_puzzle, puzzle, puzzle_at
from mineproof.practice.judging import answer
from mineproof.practice.puzzles import Puzzle
from mineproof.practice.training import Training
from mineproof.web import asked
from mineproof.web.answers import Document, position_of
from mineproof.web.limits import STATES
from mineproof.web.pool import Cancelled

DAYS = 2  # whose puzzles are taken: today, and yesterday for whoever began before midnight

_days: dict[date, Puzzle] = {}


def puzzle_answer(history: Place, wanted: asked.Puzzle, cancelled: Cancelled) -> Document:
    budget = Budget(wanted.budget, STATES, cancelled)
    if wanted.daily:
        others = [name for name in ("technique", "level", "seed") if getattr(wanted, name) is not None]
        if others:
            raise ValueError(f"found `daily` and `{others[0]}`, expected `daily` alone: the date decides")
        return _of_day(_today(), budget).as_json(solution=wanted.solution)
    seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
    technique: str | None = wanted.technique
    if technique is None:
        with Training.lent(history) as training:
            technique = training.next_technique(seed)
    found = puzzle(technique, level=wanted.level or LEVEL, seed=seed, budget=budget)
    return found.as_json(solution=wanted.solution)


def answer_answer(history: Place, given: asked.Answer, cancelled: Cancelled) -> Document:
    """What the cell was, how the player stands now, and by how much the rating changed; null if it did not count."""
    budget = Budget(given.budget, STATES, cancelled)
    found = answer(_proved(given, budget), given.cell, budget=budget)
    with Training.lent(history) as training:
        before = training.standing().rating.rating
        counted = given.counted and training.add(found)
        standing = training.standing()
    change = standing.rating.rating - before if counted else None
    return found.as_json() | {"standing": standing.as_json(), "change": change}


def standing_answer(history: Place, _: None, __: Cancelled) -> Document:
    with Training.lent(history) as training:
        return training.standing().as_json() | {"techniques": training.techniques_json()}


def _proved(given: asked.Answer, budget: Budget) -> Puzzle:
    """The puzzle that is answered; ValueError where the position is none of the technique, or not that of the day."""
    board = position_of(given.board if isinstance(given.board, str) else json.dumps(given.board))
    if given.date is not None:
        if (given.level or LEVEL) != LEVEL:
            raise ValueError(f"found `date` and level={given.level!r}, expected {LEVEL!r} or none: the date decides")
        found = _of_day(given.date, budget)
        if (found.board, found.technique) != (board, given.technique):
            raise ValueError(f"found another position, expected that of the puzzle of {given.date.isoformat()}")
        return found
    if given.seed is None:
        raise ValueError("found neither `seed` nor `date`, expected one: they name the puzzle that is answered")
    level = level_name(read_size(given.level or LEVEL))
    proved = puzzle_at(board, given.technique, budget=budget)
    if proved is None:
        raise ValueError(f"found a position that is no puzzle for {given.technique}, expected one that was asked for")
    return replace(proved, level=level, seed=given.seed)


def _today() -> date:
    return datetime.now(UTC).date()


def _of_day(day: date, budget: Budget) -> Puzzle:
    """The puzzle of today or of the day before, searched for once."""
    today = _today()
    if not today - timedelta(days=DAYS) < day <= today:
        raise ValueError(f"found the day {day.isoformat()}, expected {today.isoformat()} (UTC) or the day before")
    if day not in _days:
        found = daily_puzzle(day, budget=budget)
        for other in [each for each in _days if each <= today - timedelta(days=DAYS)]:
            _days.pop(other, None)
        _days[day] = found
    return _days[day]
