"""A choice costs what a choice costs: the table is computed when it is read, and has what the budget allows."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget, budget_error
from mineproof.board.board import Board
from mineproof.decision.best_moves import best_move
from mineproof.decision.safest import safest_cell
from mineproof.engine.answers import Candidate, Decision, Optimum, PlayedOn
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded
from support.engines import KERNEL
from support.positions import stuck
from support.texts import text

GUESS = stuck(random.Random(1), 16, 30, 99, lambda board: analyze(board).safe, 2).board
SAFE = Board.parse("11#/###/###", total_mines=2)


class CountingEngine:
    """The kernel, with a count of the calls for more than a choice. ``limits`` are replies that end early."""

    def __init__(self, **limits: Callable[..., Any]) -> None:
        self.calls: Counter[str] = Counter()
        self._limits = limits

    def __getattr__(self, name: str) -> Any:
        method = getattr(KERNEL, name)
        if name not in ("play_on", "look_ahead", "optimal", "decide"):
            return method

        def counted(*arguments: Any, **options: Any) -> Any:
            self.calls[name] += 1
            limited = self._limits.get(name)
            return method(*arguments, **options) if limited is None else limited(*arguments, **options)

        return counted


@pytest.mark.parametrize("strategy", ["best", "fast", "minesolver"])
@pytest.mark.parametrize("board", [GUESS, SAFE])
def test_a_choice_plays_no_games(board: Board, strategy: str) -> None:
    engine = CountingEngine()
    move = best_move(board, strategy, playouts=20, engine=engine)
    assert move.cell is not None
    assert move.reason
    assert move.mine_probability is not None
    assert engine.calls.keys() <= {"decide"}
    assert move.win_probability is not None
    before = engine.calls.copy()
    assert engine.calls["play_on"] == 1 or move.exact
    assert move.moves
    assert move.safest in move.moves
    assert move.text
    assert move.as_json()
    assert repr(move)
    assert engine.calls == before


def test_a_solved_choice_needs_no_table() -> None:
    engine = CountingEngine()
    move = best_move(Board.parse("#####/123##/###3#", total_mines=6), engine=engine)
    assert (move.exact, str(move.win_fraction)) == (True, "3/5")
    assert engine.calls.keys() == {"decide"}


def test_unread_moves_travel_and_compare() -> None:
    move, same, other = (best_move(board, playouts=20) for board in (GUESS, GUESS, SAFE))
    assert pickle.loads(pickle.dumps(move)) == move
    assert copy.deepcopy(same) == same == move
    assert len({move, same, other}) == 2
    assert move != other
    assert move != move.cell


# budgets


def play_some(layouts: int) -> Callable[..., PlayedOn]:
    def play_on(
        question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> PlayedOn:
        return KERNEL.play_on(question, starts, strategy, seed, min(count, layouts), budget)

    return play_on


def limited_move(**limits: Callable[..., Any]) -> Any:
    return best_move(GUESS, playouts=20, engine=CountingEngine(**limits))


def raiser(limit: str) -> Callable[..., Any]:
    def spend(*_: object, **__: object) -> Any:
        raise budget_error(limit, 1.0, 5, None)

    return spend


def test_fewer_playouts_are_a_rougher_estimate() -> None:
    whole, part = limited_move(), limited_move(play_on=play_some(5))
    assert (whole.complete, whole.playouts) == (True, 20)
    assert (part.complete, part.playouts) == (False, 5)
    assert part.cell == whole.cell
    assert part.moves[0].standard_error > whole.moves[0].standard_error > 0
    assert part.text.endswith("a rough estimate: the budget allowed only 5 playouts.")
    assert "budget" not in whole.text
    assert {key: part.as_json()[key] for key in ("complete", "playouts")} == {"complete": False, "playouts": 5}


def test_no_playout_in_time_leaves_the_look_ahead() -> None:
    move = limited_move(play_on=play_some(0))
    assert (move.complete, move.playouts, move.win_probability) == (False, 0, None)
    assert move.moves[0].outlook
    assert move.text.endswith(text("best-budget-no-estimate"))


def test_a_look_ahead_out_of_time_leaves_the_rest() -> None:
    def look_at_one(question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        return KERNEL.look_ahead(question, cells[:1], budget)

    engine = CountingEngine(look_ahead=look_at_one)
    move = best_move(GUESS, "minesolver", playouts=20, engine=engine)
    assert (move.complete, move.playouts) == (False, 20)
    assert [bool(option.outlook) for option in move.moves[:3]] == [True, False, False]
    assert move.text.endswith("a rough estimate: the budget allowed only 20 playouts.")


@pytest.mark.parametrize("limit", ["seconds", "states", "memory", "width"])
def test_a_choice_out_of_budget_is_the_safest_cell(limit: str) -> None:
    move = limited_move(decide=raiser(limit))
    assert move.cell == safest_cell(analyze(GUESS), GUESS).cell
    assert (move.reason, move.complete) == ("safest", False)
    assert move.win_probability is not None


def test_an_unfinished_choice_is_the_best_so_far() -> None:
    def decide_some(question: Question, strategy: str, budget: Budget) -> Decision:
        whole = KERNEL.decide(question, strategy, budget)
        rest = [each._replace(outlook=(), score=0.0, progress=0.0) for each in whole.candidates[2:]]
        return whole._replace(candidates=(*whole.candidates[:2], *rest), complete=False)

    move = limited_move(decide=decide_some, look_ahead=raiser("seconds"))
    assert not move.complete
    assert [option.score is None for option in move.moves[:4]] == [False, False, True, True]


def test_time_that_is_over_leaves_a_move_once_the_odds_are_counted() -> None:
    """The clock is read after a fixed amount of work, so that this is the same on every machine."""
    move = best_move(GUESS, budget=0.0)
    assert move.cell is not None
    assert not move.complete
    assert "budget" in move.text


@pytest.mark.parametrize(("name", "strategy"), [("decide", "best"), ("look_ahead", "minesolver"), ("play_on", "best")])
def test_cancelling_raises_at_any_time(name: str, strategy: str) -> None:
    engine = CountingEngine(**{name: raiser("cancelled")})
    with pytest.raises(BudgetExceeded) as caught:
        assert best_move(GUESS, strategy, engine=engine).moves
    assert caught.value.limit == "cancelled"


def test_odds_that_cannot_be_counted_are_an_error() -> None:
    with pytest.raises(BudgetExceeded):
        best_move(Board.parse("#####/123##/###3#", total_mines=6), budget=Budget(states=1))


def test_exact_play_is_whole_or_an_error() -> None:
    def spend(*_: object, **__: object) -> Optimum:
        raise budget_error("seconds", 1.0, 5, None)

    with pytest.raises(BudgetExceeded):
        best_move(Board.parse("#####/123##/###3#", total_mines=6), exact=True, engine=CountingEngine(optimal=spend))
