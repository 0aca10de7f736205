"""Optimal play of small boards and worked examples, with values known from outside."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from mineproof.board.board import Board
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.decision.best_moves import best_move
from mineproof.decision.optimal import optimal_first_moves, optimal_moves, win_probability, win_probability_from_start
from mineproof.errors import BoardSyntaxError

HERE = Path(__file__).parents[1] / "golden"
Case = dict[str, Any]

BOARDS: list[Case] = json.loads((HERE / "optimal_small_boards.json").read_text("utf-8"))["values"]
POSITIONS: list[Case] = [
    case for case in json.loads((HERE / "seed_cases.json").read_text("utf-8")) if "best_win_probability" in case
]
QUICK = 20_000  # layouts; the three boards with more take some seconds each unless the first click opens


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "rule"),
    [
        pytest.param(case, rule, id=f"{case['columns']}x{case['rows']}x{case['mines']}-{rule}")
        for case in BOARDS
        for rule in FIRST_CLICKS
        if rule == "open" or case["layouts"] <= QUICK
    ],
)
def test_a_whole_board(case: Case, rule: FirstClick) -> None:
    board = case["rows"], case["columns"], case["mines"], rule
    if case[rule] is None:
        with pytest.raises(BoardSyntaxError):
            win_probability_from_start(*board)
    else:
        assert win_probability_from_start(*board) == Fraction(case[rule])


def test_the_best_first_cell_is_not_always_a_corner() -> None:
    values = optimal_first_moves(4, 4, 4, "safe")
    best = {cell for cell, value in values.items() if value == Fraction(961, 1365)}
    assert best == {(0, 1), (0, 2), (1, 0), (1, 3), (2, 0), (2, 3), (3, 1), (3, 2)}


@pytest.mark.parametrize("case", POSITIONS, ids=lambda case: str(case["id"]))
def test_a_worked_example(case: Case) -> None:
    board = Board.parse("/".join(case["rows"]), total_mines=case["mines"])
    best = Fraction(case["best_win_probability"])
    assert win_probability(board) == best
    move = best_move(board)
    assert (move.win_fraction, move.exact, move.reason) == (best, True, "optimal")
    if "best_cells" in case:
        assert [list(option.cell) for option in move.moves if option.win_fraction == best] == case["best_cells"]
    if "win_probability_if_uncovered_first" in case:
        told = {f"{row},{column}": str(value) for (row, column), value in optimal_moves(board).items()}
        assert told == case["win_probability_if_uncovered_first"]
