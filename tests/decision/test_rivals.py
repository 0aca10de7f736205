"""Thinking about a guess: results, their wording, and the end."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.decision.best_moves import best_move
from mineproof.decision.rivals import Thought
from mineproof.engine import _kernel
from mineproof.engine.answers import ThinkResult
from mineproof.engine.kernel import _limits, _native_question
from mineproof.engine.question import Question
from mineproof.errors import EngineMissing
from support.engines import REFERENCE
from support.patience import PATIENCE

EXPERT = Board.parse("/".join(["1" + 29 * "#"] + 15 * [30 * "#"]), total_mines=99)
CORNER = Board.parse("/".join(["1" + 8 * "#"] + 6 * [9 * "#"]), total_mines=12)


@pytest.mark.slow
def test_what_comes_out() -> None:
    told: list[Thought] = []
    move = best_move(CORNER, seconds=0.5, progress=told.append)
    assert move.thought is not None
    assert len(move.thought.rivals) > 1
    assert move.thought.rivals[0].cell == move.cell == move.moves[0].cell
    by_cell = {rival.cell: rival for rival in move.thought.rivals}
    for option in move.moves:
        rival = by_cell.get(option.cell)
        if rival is not None:
            assert (option.win_probability, option.standard_error) == (rival.win_probability, rival.standard_error)
            assert not option.exact
            assert 0 < rival.win_probability < 1 - option.mine_probability
            assert 0 < rival.standard_error < 0.1
    assert told[-1].rivals[0].layouts <= move.thought.rivals[0].layouts
    # The chance to win is that of games played out, within their errors.
    plain = best_move(CORNER, "best", playouts=2000)
    wins = {option.cell: option for option in plain.moves if option.win_probability is not None}
    compared = 0
    for cell, rival in by_cell.items():
        if cell in wins:
            option = wins[cell]
            apart = abs((option.win_probability or 0) - rival.win_probability)
            assert apart < 5 * ((option.standard_error or 0) ** 2 + rival.standard_error**2) ** 0.5 + 0.01
            compared += 1
    assert compared > 1


@pytest.mark.slow
def test_errors_narrow_and_who_is_dropped_stays_so() -> None:
    told: list[Thought] = []
    best_move(EXPERT, seconds=1, progress=told.append)
    assert len(told) > 1
    for before, after in itertools.pairwise(told):
        assert before.seconds <= after.seconds
        assert {rival.cell for rival in before.rivals} == {rival.cell for rival in after.rivals}
        gone = {rival.cell for rival in before.rivals if rival.dropped}
        assert gone <= {rival.cell for rival in after.rivals if rival.dropped}
    for cell in {rival.cell for rival in told[0].rivals}:
        course = [rival for thought in told for rival in thought.rivals if rival.cell == cell]
        for earlier, later in itertools.pairwise(course):
            assert earlier.played_by in ("fast", later.played_by)
            if earlier.played_by == later.played_by:
                assert earlier.layouts <= later.layouts
        quick = [rival for rival in course if rival.played_by == "fast"]
        if quick[-1].layouts > 4 * quick[0].layouts:
            assert quick[-1].standard_error < quick[0].standard_error


def test_it_ends_in_time_and_when_it_is_clear() -> None:
    begun = time.monotonic()
    move = best_move(EXPERT, seconds=0.3)
    assert move.cell is not None
    assert time.monotonic() - begun < PATIENCE
    begun = time.monotonic()
    patient = best_move(CORNER, seconds=600)
    assert patient.thought is not None
    assert patient.thought.clear
    assert patient.thought.seconds < 300


def test_the_best_so_far_when_it_is_cancelled() -> None:
    told: list[Thought] = []
    budget = Budget(seconds=600, cancelled=lambda: bool(told))
    move = best_move(EXPERT, seconds=600, budget=budget, progress=told.append)
    assert move.thought is not None
    assert not move.thought.clear
    assert move.cell == move.thought.rivals[0].cell == told[-1].rivals[0].cell


@pytest.mark.slow
def test_seconds_to_think_come_on_top_of_the_budget() -> None:
    move = best_move(EXPERT, seconds=1.5, budget=1.0)
    assert move.thought is not None
    assert not move.thought.clear
    assert move.thought.seconds > 1.4


def test_what_progress_raises_is_raised() -> None:
    def complain(_: Thought) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        best_move(EXPERT, seconds=600, progress=complain)


def test_the_same_layouts_on_any_number_of_threads() -> None:
    def think(threads: int) -> tuple[object, ...]:
        found = _kernel.think(_native_question(Question.of(EXPERT)), 16, threads, _limits(Budget(), _kernel), None)
        assert found.limit == _kernel.Limit.none
        result = found.answer
        assert isinstance(result, ThinkResult)
        return result.decision.best, result.estimates

    assert think(1) == think(2) == think(3) == think(1)


def test_nothing_to_think_over() -> None:
    for text, mines in (("###/121", 2), ("#####/123##/###3#", 6), ("1F", 1)):
        assert best_move(Board.parse(text, total_mines=mines), seconds=5).thought is None


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"seconds": 1, "strategy": "strong"}, "seconds needs strategy best or deep, got 'strong'"),
        ({"seconds": 1, "exact": True}, "cannot be combined with exact"),
        ({"progress": print}, "progress and threads need seconds"),
        ({"threads": 2}, "progress and threads need seconds"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": 1, "threads": 0}, "threads"),
    ],
)
def test_refused(wish: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        best_move(CORNER, **wish)


def test_it_needs_the_kernel() -> None:
    with pytest.raises(EngineMissing):
        best_move(CORNER, seconds=1, engine=REFERENCE)
