"""What every counting engine must pass; it is handed in by its method `solve`."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError
from support.oracle import COVERED, FLAGGED, Cell, Truth, brute_force, neighbours

NOT_IN_QUESTION, UNDECIDED, SAFE, MINE = range(4)


class Counted(Protocol):
    """The answer of an engine."""

    @property
    def question(self) -> Question: ...
    @property
    def states(self) -> int: ...
    def layouts(self, budget: Budget | None = None) -> int: ...
    def log10_layouts(self) -> float: ...
    def verdicts(self) -> bytes: ...
    def mine_probability(self) -> npt.NDArray[np.float64]: ...
    def exact(self, index: int) -> Fraction: ...


Solve = Callable[[Question, Budget], Counted]


def run(solve: Solve, board: Board, density: Fraction | None = None) -> Counted:
    return solve(Question.of(board, density), Budget())


def layouts_or_zero(solve: Solve, board: Board) -> int:
    """How many layouts fit, 0 for a contradiction."""
    try:
        return run(solve, board).layouts()
    except ContradictionError:
        return 0


def with_verdict(board: Board, counted: Counted, verdict: int) -> set[Cell]:
    return {board.cell(index) for index, found in enumerate(counted.verdicts()) if found == verdict}


# against brute force


def check_against_oracle(solve: Solve, board: Board, density: Fraction | None, tolerance: float = 0.0) -> None:
    """Every answer about a small board equals brute force; ``tolerance`` is for `mine_probability` alone."""
    truth = brute_force(board)
    try:
        counted = run(solve, board, density)
    except ContradictionError as error:
        assert not truth.consistent, f"a contradiction was found in a board that {truth.count} layouts fit"
        _check_blame(board, error)
        return
    assert truth.consistent, "no contradiction was found in a board that no layout fits"
    assert counted.layouts() == truth.count
    assert math.isclose(counted.log10_layouts(), math.log10(truth.count), rel_tol=1e-12, abs_tol=1e-12)
    assert with_verdict(board, counted, SAFE) == truth.safe
    assert with_verdict(board, counted, MINE) == truth.mines
    assert with_verdict(board, counted, UNDECIDED) == set(truth.covered) - truth.safe - truth.mines
    _check_probabilities(counted, truth, density, tolerance)


def _check_blame(board: Board, error: ContradictionError) -> None:
    """The named numbers cannot hold by themselves, or all of them can and the total is at fault."""
    unbounded = board.replace({}, total_mines=None)
    if error.uses_total:
        assert brute_force(unbounded).consistent
    else:
        assert all(board[cell] >= 0 for cell in error.cells)
        assert not brute_force(unbounded, numbers=error.cells).consistent


def _check_probabilities(counted: Counted, truth: Truth, density: Fraction | None, tolerance: float) -> None:
    board = truth.board
    odds = density if board.total_mines is None else None
    silent = board.total_mines is None and density is None
    for index, value in enumerate(counted.mine_probability().tolist()):
        cell = board.cell(index)
        if board[cell] == COVERED and not (silent and cell not in truth.safe | truth.mines):
            expected = truth.mine_probability(cell, odds)
        elif board[cell] == FLAGGED:
            expected = Fraction(1)
        else:
            assert math.isnan(value)
            with pytest.raises(ValueError, match=r"[Cc]ell"):
                counted.exact(index)
            continue
        assert counted.exact(index) == expected
        assert abs(value - float(expected)) <= tolerance


# against the worked examples of golden/seed_cases.json

Case = dict[str, Any]


def seed_board(case: Case, total_mines: int | None) -> Board:
    codes = {"#": COVERED, "F": FLAGGED}
    cells = [codes[sign] if sign in codes else int(sign) for row in case["rows"] for sign in row]
    return Board(case["height"], case["width"], bytes(code & 0xFF for code in cells), total_mines)


def check_seed_case(solve: Solve, case: Case) -> None:
    """Everything a worked example says about counting."""
    board = seed_board(case, case["mines"])
    if not case["consistent"]:
        with pytest.raises(ContradictionError):
            run(solve, board)
        return
    counted = run(solve, board)
    assert with_verdict(board, counted, MINE) == set(map(tuple, case["expected_mines"]))
    assert with_verdict(board, counted, SAFE) == set(map(tuple, case["expected_safe"]))
    if "solutions" in case:
        assert counted.layouts() == case["solutions"]
    if "frontier_solutions" in case:
        assert counted.layouts() == case["frontier_solutions"] << _sea(board)
    for place, chance in case.get("probabilities", {}).items():
        row, column = map(int, place.split(","))
        assert counted.exact(board.index((row, column))) == Fraction(chance)
    if "total_mines_range" in case:
        _check_range(solve, case, *case["total_mines_range"])


def _sea(board: Board) -> int:
    """Covered cells next to no number."""
    around = (neighbours(board.topology, board.rows, board.columns, cell) for cell in board.cells(COVERED))
    return sum(all(board[other] < 0 for other in cells) for cells in around)


def _check_range(solve: Solve, case: Case, fewest: int, most: int) -> None:
    for total in (fewest, most):
        assert run(solve, seed_board(case, total)).layouts() > 0
    board = seed_board(case, None)
    for total in (fewest - 1, most + 1):
        with pytest.raises(ContradictionError) as caught:
            solve(Question.of(board)._replace(total_mines=total), Budget())
        assert caught.value.uses_total
