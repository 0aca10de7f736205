"""What the reference promises beside its counts: whom it blames, when it gives up, what it refuses."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, ContradictionError
from support.checks import run
from support.engines import REFERENCE
from support.positions import random_reveal


def board(text: str, total_mines: int | None = None) -> Board:
    """``#`` covered, ``F`` flagged, ``x`` absent, digits; ``/`` between rows."""
    signs = {"#": 255, "F": 254, "x": 247}
    rows = text.split("/")
    codes = bytes(signs[sign] if sign in signs else int(sign) for row in rows for sign in row)
    return Board(len(rows), len(rows[0]), codes, total_mines)


def blame(position: Board) -> ContradictionError:
    with pytest.raises(ContradictionError) as caught:
        run(REFERENCE.solve, position)
    return caught.value


def test_one_impossible_number_is_named() -> None:
    error = blame(board("1###/####/F1F#"))
    assert error.cells == ((2, 1),)
    assert not error.uses_total
    assert "the 1 at (2,1) has 2 flags around it, which is too many." in str(error)


def test_numbers_that_cannot_hold_together_are_named_without_bystanders() -> None:
    error = blame(board("0x2x1/###x#"))
    assert error.cells == ((0, 0), (0, 2))
    assert not error.uses_total


def test_two_numbers_with_the_same_cells() -> None:
    assert blame(board("12/##")).cells == ((0, 0), (0, 1))


def test_a_contradiction_only_counting_finds() -> None:
    # Three 1s in a ring, each pair sharing one of three cells: twice the mines would be 3.
    assert blame(board("1#1/#x#/x1x")).cells == ((0, 0), (0, 2), (2, 1))


@pytest.mark.parametrize(
    ("text", "total", "fewest", "most"),
    [
        ("1##/###", 0, 1, 3),
        ("1##/###", 4, 1, 3),
        ("#1#1#", 5, 1, 2),
        ("F#", 0, 1, 2),
        ("0#/##", 1, 0, 0),
        ("0", 1, 0, 0),
        ("#1x1#/xx#xx/xx1xx/xx#xx", 2, 1, 3),  # the middle cell alone, or the three outer ones
    ],
)
def test_a_total_out_of_reach_tells_what_is_in_reach(text: str, total: int, fewest: int, most: int) -> None:
    error = blame(board(text, total))
    assert error.uses_total
    assert error.cells == ()
    assert error.totals == (fewest, most)


def test_no_odds_no_probability() -> None:
    counted = run(REFERENCE.solve, board("1##0/##10"))
    with pytest.raises(ValueError, match=r"Cell \(0,0\) is not covered, so it has no mine probability\."):
        counted.exact(0)
    with pytest.raises(ValueError, match=r"Cell \(0,1\) is undecided\. Pass the total number of mines or a density\."):
        counted.exact(1)


@pytest.mark.parametrize("density", [Fraction(0), Fraction(1), Fraction(3, 2)])
def test_a_density_that_is_none(density: Fraction) -> None:
    with pytest.raises(ValueError, match="density must be more than 0 and less than 1"):
        run(REFERENCE.solve, board("1#"), density)


def test_the_empty_expert_board() -> None:
    counted = run(REFERENCE.solve, board("/".join(["#" * 30] * 16), 99))
    assert counted.layouts() == math.comb(480, 99)
    assert counted.exact(7) == Fraction(99, 480)


def test_more_layouts_than_a_float_can_hold() -> None:
    counted = run(REFERENCE.solve, board("/".join(["#" * 50] * 50)))
    assert counted.layouts() == 2**2500
    assert counted.log10_layouts() == pytest.approx(2500 * math.log10(2))


WIDE = random_reveal(random.Random(0), 16, 30, 99, 0.35).board


@pytest.mark.parametrize(
    ("budget", "limit"),
    [(Budget(states=50), "states"), (Budget(seconds=0.0), "seconds"), (Budget(cancelled=lambda: True), "cancelled")],
)
def test_a_spent_budget_gives_no_answer(budget: Budget, limit: str) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        REFERENCE.solve(Question.of(WIDE), budget)
    assert caught.value.limit == limit
    assert caught.value.width is not None
