"""Puzzles over HTTP: requests, answers, runs and ratings.

The server does not store puzzles. An answer brings its board along, and the position is proved anew
(`puzzle_at`), so that no solution is ever taken from outside. Only the puzzles of some days are kept once they are
found; an answer to one must be about its board.

A request without a seed gets a puzzle whose shape the player has not seen lately: from the book, from those that were
found ahead of time (`mineproof.web.ready_puzzles`), or by a search.

Ratings belong to the player of a request. Where there is one player, they are those of ``mineproof puzzle``, in the
same history. Without a player key there are no ratings: answers are judged only if they are not to be counted.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.levels import read_size
from mineproof.history.connection import Owned
from mineproof.history.game_row import level_name
from mineproof.practice.answers import answer
from mineproof.practice.next_puzzle import book_puzzle, search_varied, unused_entries
from mineproof.practice.progress import Training
from mineproof.practice.puzzles import Puzzle
from mineproof.practice.runs import Run
from mineproof.practice.search import LEVEL, puzzle, puzzle_at
from mineproof.web import requests
from mineproof.web.answers import position_of
from mineproof.web.budgets import question_budget
from mineproof.web.daily_puzzles import DailyPuzzles, today
from mineproof.web.errors import Refused
from mineproof.web.players import require_key
from mineproof.web.pool import Cancelled
from mineproof.web.ready_puzzles import ReadyPuzzles

if TYPE_CHECKING:
    from mineproof.practice.wire import DailyJson, DashboardJson, PuzzleJson
    from mineproof.web.wire import CountedAnswerJson, CountedRunJson, TrainingJson

DAYS = 2  # accepted daily puzzles: of today, and of yesterday for answers after midnight
FIRST_DAY = date(2020, 1, 1)  # of daily puzzles


def puzzle_answer(
    history: Owned, ready: ReadyPuzzles, request: requests.PuzzleRequest, cancelled: Cancelled
) -> PuzzleJson:
    budget = question_budget(request.budget, cancelled)
    if request.daily or request.date is not None:
        name = "daily" if request.daily else "date"
        keys = ("technique", "level", "seed", "run", *(["date"] if request.daily else []))
        others = [key for key in keys if getattr(request, key) is not None]
        if others:
            raise ValueError(f"`{name}` cannot be combined with `{others[0]}`: the date determines the puzzle")
        day = today() if request.date is None else request.date
        if not FIRST_DAY <= day <= today():
            raise ValueError(f"expected a date up to {today().isoformat()} (UTC), got {day.isoformat()}")
        return ready.daily.of_day(day, budget).as_json(solution=request.solution)
    with Training.lent(history) as training:
        if request.run is not None:
            return _puzzle_of_run(training, history.owner, ready, request, budget).as_json(solution=request.solution)
        level = request.level or LEVEL
        seed = secrets.randbits(32) if request.seed is None else request.seed
        technique: str | None = request.technique
        if technique is None:
            technique = training.next_technique(seed)
        if request.seed is None:
            chosen = _varied_puzzle(training, history.owner, ready, technique, level, seed, budget)
        else:
            chosen = _answered_before(training, technique, level, seed, budget) or puzzle(
                technique, level=level, seed=seed, budget=budget
            )
    return chosen.as_json(solution=request.solution)


def _puzzle_of_run(
    training: Training, owner: str, ready: ReadyPuzzles, request: requests.PuzzleRequest, budget: Budget
) -> Puzzle:
    others = [key for key in ("technique", "level", "seed") if getattr(request, key) is not None]
    if others:
        raise ValueError(f"`run` cannot be combined with `{others[0]}`: the run chooses the puzzle")
    run = _run_of(training, request.run or 0)
    seed = secrets.randbits(32)
    return _varied_puzzle(training, owner, ready, run.technique(seed), run.level, seed, budget)


def _varied_puzzle(
    training: Training, owner: str, ready: ReadyPuzzles, technique: str, level: str, seed: int, budget: Budget
) -> Puzzle:
    """Return a puzzle that is not like the last ones of a player."""
    level = level_name(read_size(level))
    recent = ready.recent_shapes(owner, training.recent_shapes())
    answered = training.answered_seeds(technique, level)
    chosen = (
        book_puzzle(technique, level=level, seed=seed, recent=recent, answered=answered, budget=budget)
        or ready.take(technique, level, recent)
        or search_varied(technique, level=level, seed=seed, recent=recent, budget=budget)
    )
    ready.note_served(owner, chosen)
    ready.want(technique, level, left=len(unused_entries(technique, level, recent, answered)))
    return chosen


def _answered_before(training: Training, technique: str, level: str, seed: int, budget: Budget) -> Puzzle | None:
    """Return a puzzle that the player has answered, without searching for it again."""
    level = level_name(read_size(level))
    position = training.answered_board(technique, level, seed)
    task = None if position is None else puzzle_at(Board.parse(position), technique, budget=budget)
    return None if task is None else replace(task, level=level, seed=seed)


def judge_answer(
    history: Owned, daily: DailyPuzzles, request: requests.PuzzleAnswerRequest, cancelled: Cancelled
) -> CountedAnswerJson:
    """Judge an answer; return the judgement, the new standing and the change of the rating (null if not counted)."""
    if request.counted or request.run is not None or request.retry:
        require_key(history.owner)
    budget = question_budget(request.budget, cancelled)
    judgement = answer(_answered_puzzle(daily, request, budget), request.cell, budget=budget)
    with Training.lent(history) as training:
        before = training.standing().rating.rating
        run = None if request.run is None else _run_of(training, request.run)
        counted = request.counted and training.add(judgement, ms=request.ms, run=run)
        if request.retry:
            training.solve_later(judgement)
        standing = training.standing()
        run_json = None if run is None else _run_json(training, _run_of(training, run.id))
    change = standing.rating.rating - before if counted and run is None else None
    return {
        **judgement.as_json(),
        "standing": standing.as_json(),
        "change": change,
        "counted": counted,
        "run": run_json,
    }


def standing_answer(history: Owned, _: None, __: Cancelled) -> TrainingJson:
    with Training.lent(history) as training:
        return {**training.standing().as_json(), "techniques": training.techniques_json()}


def dashboard_answer(history: Owned, _: None, __: Cancelled) -> DashboardJson:
    with Training.lent(history) as training:
        return training.dashboard_json()


def daily_answer(history: Owned, query: requests.DailyQuery, _: Cancelled) -> DailyJson:
    month = today() if query.month is None else date.fromisoformat(f"{query.month}-01")
    with Training.lent(history) as training:
        return training.daily_json(month)


def start_run(history: Owned, request: requests.RunRequest, _: Cancelled) -> CountedRunJson:
    require_key(history.owner)
    level = level_name(read_size(request.level))
    with Training.lent(history) as training:
        return _run_json(training, training.start_run(request.mode, level))


def _run_of(training: Training, run_id: int) -> Run:
    try:
        return training.run(run_id)
    except LookupError as error:
        raise Refused("not-found", str(error)) from None


def _run_json(training: Training, run: Run) -> CountedRunJson:
    return {**run.as_json(datetime.now(UTC)), "best": training.best_scores()[run.mode]}


def _answered_puzzle(daily: DailyPuzzles, request: requests.PuzzleAnswerRequest, budget: Budget) -> Puzzle:
    """Return the answered puzzle; ValueError if the position is not a puzzle of the technique or of the day."""
    board = position_of(request.board if isinstance(request.board, str) else json.dumps(request.board))
    if request.date is not None:
        if (request.level or LEVEL) != LEVEL:
            raise ValueError(f"With `date`, level must be {LEVEL!r} or missing, got {request.level!r}")
        latest = today()
        if not latest - timedelta(days=DAYS) < request.date <= latest:
            raise ValueError(f"expected {latest.isoformat()} (UTC) or the day before, got {request.date.isoformat()}")
        puzzle_of_day = daily.of_day(request.date, budget)
        if (puzzle_of_day.board, puzzle_of_day.technique) != (board, request.technique):
            raise ValueError(f"expected the position of the puzzle of {request.date.isoformat()}, got another one")
        return puzzle_of_day
    if request.seed is None:
        raise ValueError("expected `seed` or `date`, which identify the puzzle, got neither")
    level = level_name(read_size(request.level or LEVEL))
    proved = puzzle_at(board, request.technique, budget=budget)
    if proved is None:
        raise ValueError(f"expected the position of a puzzle for {request.technique}, got another one")
    return replace(proved, level=level, seed=request.seed)
