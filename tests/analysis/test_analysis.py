"""What `analyze` promises in the contract: which questions it answers, with what, and what it refuses."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

import mineproof as mp
from mineproof.analysis.analysis import as_fraction
from mineproof.analysis.layout_count import layouts_fit
from mineproof.base.budget import Budget
from mineproof.engine import kernel
from mineproof.engine.answers import PositionCount
from mineproof.engine.question import Question
from support.checks import run
from support.engines import KERNEL, REFERENCE
from support.oracle import COVERED
from support.positions import random_reveal

CORNER = mp.Board.parse("1#/##", total_mines=1)

# examples everybody can check by hand


def test_the_example_of_the_contract() -> None:
    analysis = mp.analyze(mp.Board.parse("1#/##", total_mines=1))
    third = 1 / 3
    assert analysis.layouts == 3
    assert analysis.exact(0, 1) == analysis.exact(1, 0) == analysis.exact(1, 1) == Fraction(1, 3)
    np.testing.assert_array_equal(analysis.mine_probability, [[math.nan, third], [third, third]])
    assert analysis.safe == analysis.mines == frozenset()
    assert analysis.log10_layouts == pytest.approx(math.log10(3))


def test_the_total_decides_without_a_sea() -> None:
    analysis = mp.analyze(mp.Board.parse("#1#1#", total_mines=2))
    assert analysis.mines == {(0, 0), (0, 4)}
    assert analysis.safe == {(0, 2)}
    assert analysis.layouts == 1
    assert mp.analyze(mp.Board.parse("#1#1#", total_mines=1)).mines == {(0, 2)}
    assert not mp.analyze(mp.Board.parse("#1#1#")).mines


def test_the_total_decides_the_sea() -> None:
    analysis = mp.analyze(mp.Board.parse("#1###", total_mines=1))
    assert analysis.safe == {(0, 3), (0, 4)}
    analysis = mp.analyze(mp.Board.parse("#1###", total_mines=3))
    assert analysis.mines == {(0, 3), (0, 4)}
    assert not analysis.safe


@pytest.mark.parametrize(
    ("text", "safe", "mines"),
    [
        ("#####/12221", "", "0,2"),
        ("####/1221", "0,0 0,3", "0,1 0,2"),
        ("###/121/000", "0,1", "0,0 0,2"),
        ("##/11", "", ""),
        ("0#/##", "0,1 1,0 1,1", ""),
        ("3#/##", "", "0,1 1,0 1,1"),
    ],
)
def test_patterns(text: str, safe: str, mines: str) -> None:
    analysis = mp.analyze(mp.Board.parse(text))
    cells = [{tuple(map(int, cell.split(","))) for cell in told.split()} for told in (safe, mines)]
    assert [analysis.safe, analysis.mines] == cells


def test_nothing_covered() -> None:
    analysis = mp.analyze(mp.Board.parse("00/00", total_mines=0))
    assert analysis.layouts == 1
    assert np.isnan(analysis.mine_probability).all()
    assert analysis.log10_layouts == 0


@pytest.mark.parametrize(("total", "verdict"), [(0, "safe"), (480, "mines")])
def test_an_untouched_board_that_is_decided(total: int, verdict: str) -> None:
    analysis = mp.analyze(mp.Board(16, 30, bytes([255]) * 480, total))
    assert len(getattr(analysis, verdict)) == 480
    assert analysis.layouts == 1


@pytest.mark.parametrize("cells", [480, 2500, 20_000])
def test_an_untouched_board(cells: int) -> None:
    analysis = mp.analyze(mp.Board(cells // 10, 10, bytes([255]) * cells, cells // 5))
    assert analysis.exact(3, 3) == Fraction(1, 5)
    assert np.ptp(analysis.mine_probability) == 0
    assert analysis.mine_probability[0, 0] == pytest.approx(0.2, abs=1e-15)
    expected = math.lgamma(cells + 1) - math.lgamma(cells // 5 + 1) - math.lgamma(cells - cells // 5 + 1)
    assert analysis.log10_layouts == pytest.approx(expected / math.log(10))


def test_a_hundred_digits_of_layouts() -> None:
    assert mp.analyze(mp.Board(16, 30, bytes([255]) * 480, 99)).layouts == math.comb(480, 99)


# certainty by cell

NAN_RULES = mp.Board.parse("F2##~\n#F##1\n####0")


def test_nan_without_odds() -> None:
    """Open and absent cells have none; covered ones only where it is certain."""
    analysis = mp.analyze(NAN_RULES)
    mine_probability = analysis.mine_probability
    assert mine_probability.shape == (3, 5)
    assert {(0, 1), (0, 4), (1, 4), (2, 4)} <= set(zip(*np.nonzero(np.isnan(mine_probability)), strict=True))
    assert mine_probability[0, 0] == mine_probability[1, 1] == 1.0
    for cell in NAN_RULES.cells(COVERED):
        expected = 0.0 if cell in analysis.safe else 1.0 if cell in analysis.mines else math.nan
        np.testing.assert_equal(mine_probability[cell], expected)
    assert analysis.safe == {(0, 2), (1, 2), (1, 0), (1, 3), (2, 3)}
    assert analysis.mines == {(0, 3)}
    assert np.isnan(mine_probability[2, :3]).all()


def test_exact_refuses_where_there_is_nothing_to_tell() -> None:
    analysis = mp.analyze(NAN_RULES)
    assert analysis.exact(0, 0) == 1
    assert analysis.exact(0, 2) == 0
    with pytest.raises(ValueError, match=r"Cell \(0,1\) is not covered, so it has no mine probability"):
        analysis.exact(0, 1)
    with pytest.raises(ValueError, match=r"Cell \(0,4\) is not covered"):
        analysis.exact(0, 4)
    with pytest.raises(ValueError, match=r"Cell \(2,0\) is undecided\. Pass the total number of mines or a density"):
        analysis.exact(2, 0)
    with pytest.raises(IndexError, match=r"expected a cell on the 5 × 3 board, got \(3,0\)"):
        analysis.exact(3, 0)
    with pytest.raises(IndexError):
        analysis.exact(0, -1)


def test_answers_are_read_only_and_found_once() -> None:
    analysis = mp.analyze(NAN_RULES, density=0.2)
    with pytest.raises(ValueError, match="read-only"):
        analysis.mine_probability[0, 0] = 0
    assert analysis.mine_probability is analysis.mine_probability
    assert analysis.board is NAN_RULES
    assert repr(analysis).startswith("<Analysis of 5 × 3: 5 safe, 1 mine, 8 layouts>")


@pytest.mark.slow
def test_probability_is_inside_the_open_interval_unless_certain() -> None:
    """A sea of a million cells that nearly always holds no mine, or nearly always all of them, stays undecided."""
    cells = bytes([1, 255, 255]) + bytes([255]) * 999_997
    for total in (1, 2, 999_996):
        analysis = mp.analyze(mp.Board(1000, 1000, cells, total))
        value = analysis.mine_probability[~np.isnan(analysis.mine_probability)]
        assert ((value == 0).sum(), (value == 1).sum()) == (len(analysis.safe), len(analysis.mines))


def test_effort_is_told_and_repeats_itself() -> None:
    board = random_reveal(random.Random(4), 16, 30, 99, 0.4).board
    assert mp.analyze(board).states == mp.analyze(board).states > 0


# flags

FLAGGED = mp.Board.parse("F1#/110", total_mines=1)


def test_flags_are_trusted() -> None:
    analysis = mp.analyze(FLAGGED)
    assert analysis.layouts == 1
    assert analysis.safe == {(0, 2)}
    assert analysis.mines == frozenset()
    assert analysis.mine_probability[0, 0] == 1.0
    assert analysis.exact(0, 0) == 1


def test_flags_may_be_ignored() -> None:
    board = mp.Board.parse("F1#", total_mines=1)
    analysis = mp.analyze(board, flags="ignore")
    assert analysis.layouts == 2
    assert analysis.exact(0, 0) == analysis.exact(0, 2) == Fraction(1, 2)
    analysis = mp.analyze(mp.Board.parse("F1", total_mines=1), flags="ignore")
    assert analysis.mines == {(0, 0)}
    with pytest.raises(mp.ContradictionError):
        mp.analyze(mp.Board.parse("F0"))
    assert mp.analyze(mp.Board.parse("F0"), flags="ignore").safe == {(0, 0)}


def test_flags_count_against_the_total() -> None:
    analysis = mp.analyze(mp.Board.parse("F###", total_mines=2))
    assert analysis.exact(0, 1) == Fraction(1, 3)


def test_no_other_way_with_flags() -> None:
    with pytest.raises(ValueError, match="flags must be one of trust, ignore, got 'maybe'"):
        mp.analyze(FLAGGED, flags="maybe")  # type: ignore[call-overload]


# density


def test_density() -> None:
    analysis = mp.analyze(mp.Board.parse("#1#1##"), density=Fraction(1, 5))
    one, two = Fraction(1, 5) * Fraction(4, 5) ** 2, Fraction(1, 5) ** 2 * Fraction(4, 5)  # the middle, or both others
    assert analysis.exact(0, 2) == one / (one + two)
    assert analysis.exact(0, 0) == two / (one + two)
    assert analysis.exact(0, 5) == Fraction(1, 5)
    assert analysis.mine_probability[0, 5] == pytest.approx(0.2, abs=1e-15)
    assert analysis.layouts == 4


def test_a_float_is_the_decimal_it_prints_as() -> None:
    board = mp.Board.parse("1##/###")
    assert mp.analyze(board, density=0.2).exact(0, 2) == Fraction(1, 5) != Fraction(0.2)
    assert mp.analyze(board, density=1e-3).exact(0, 2) == Fraction(1, 1000)
    assert mp.analyze(board, density=float(np.float64(0.3))).exact(0, 2) == Fraction(3, 10)
    assert as_fraction(Fraction(2, 3)) == Fraction(2, 3)


def test_a_known_total_makes_the_density_irrelevant() -> None:
    board = mp.Board.parse("1##/###", total_mines=2)
    np.testing.assert_array_equal(mp.analyze(board, density=0.9).mine_probability, mp.analyze(board).mine_probability)


@pytest.mark.parametrize("density", [0, 1, 0.0, 1.0, -0.2, 1.5, Fraction(0), Fraction(7, 6)])
def test_a_density_that_is_none(density: float | Fraction) -> None:
    with pytest.raises(ValueError, match="density must be more than 0 and less than 1"):
        mp.analyze(mp.Board.parse("1#"), density=density)


@pytest.mark.parametrize("density", [float("nan"), float("inf")])
def test_a_density_that_is_no_number(density: float) -> None:
    with pytest.raises(ValueError, match=r"density|literal"):
        mp.analyze(mp.Board.parse("1#"), density=density)


@pytest.mark.parametrize("density", [1e-15, Fraction(1, 10**200), Fraction(1, 10**400), 1 - Fraction(1, 10**30)])
def test_densities_at_the_edge(density: float | Fraction) -> None:
    """The coast does not care, and the sea stays undecided: neither 0 nor 1."""
    analysis = mp.analyze(mp.Board.parse("1##/###"), density=density)
    assert analysis.mine_probability[0, 1] == pytest.approx(1 / 3)
    assert 0 < analysis.mine_probability[0, 2] < 1
    assert analysis.exact(0, 2) == as_fraction(density)
    assert not analysis.safe
    assert not analysis.mines


def test_no_density_is_not_even_chances() -> None:
    board = mp.Board.parse("1##/###")
    assert math.isnan(mp.analyze(board).mine_probability[0, 1])
    assert mp.analyze(board).layouts == mp.analyze(board, density=0.01).layouts == 3 * 2**2


# exact numbers on boards of real size


def test_exact_is_the_share_of_layouts_with_a_mine_there() -> None:
    board = random_reveal(random.Random(2), 16, 30, 99, 0.4).board
    analysis = mp.analyze(board)
    undecided = [cell for cell in board.cells(COVERED) if cell not in analysis.safe | analysis.mines]
    for cell in random.Random(0).sample(undecided, 20):
        mined = mp.analyze(board.replace({cell: -2}))
        assert analysis.exact(*cell) == Fraction(mined.layouts, analysis.layouts)


def test_engines_answer_through_the_same_class() -> None:

    board = random_reveal(random.Random(3), 9, 9, 15, 0.3).board
    plain = mp.Analysis(board, run(REFERENCE.solve, board))
    analysis = mp.analyze(board)
    assert (plain.layouts, plain.safe, plain.mines) == (analysis.layouts, analysis.safe, analysis.mines)
    np.testing.assert_allclose(plain.mine_probability, analysis.mine_probability, rtol=0, atol=1e-12)


# counting has a budget


class CountedWithin:
    """Facts of a real answer; counting them costs ``seconds``, and is refused within less."""

    def __init__(self, counted: PositionCount, seconds: float) -> None:
        self._counted, self._seconds = counted, seconds
        self.budgets: list[Budget | None] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._counted, name)

    def layouts(self, budget: Budget | None = None) -> int:
        self.budgets.append(budget)
        if budget is None or budget.seconds < self._seconds:
            raise mp.BudgetExceeded("no result", limit="seconds")
        return self._counted.layouts()


def slow_to_count(seconds: float = 5.0) -> tuple[mp.Analysis, CountedWithin]:
    counted = CountedWithin(KERNEL.solve(Question.of(CORNER), Budget()), seconds)
    return mp.Analysis(CORNER, cast(PositionCount, counted)), counted


def test_layouts_are_counted_within_a_budget_of_their_own() -> None:
    analysis, counted = slow_to_count()
    with pytest.raises(mp.BudgetExceeded):
        analysis.count_layouts(1)
    with pytest.raises(mp.BudgetExceeded):
        assert analysis.layouts
    assert analysis.count_layouts(Budget(seconds=9, states=7)) == 3
    assert counted.budgets == [Budget(seconds=1), None, Budget(seconds=9, states=7)]
    assert analysis.layouts == analysis.count_layouts(0) == 3, "what is known takes no budget"


def test_json_has_no_layouts_where_they_are_not_counted_in_time() -> None:
    analysis, _ = slow_to_count()
    document = analysis.as_json(budget=1)
    assert document["layouts"] is None
    assert document["mine_probability"] == mp.analyze(CORNER).as_json()["mine_probability"]
    assert analysis.as_json()["layouts"] is None
    with pytest.raises(mp.BudgetExceeded):
        analysis.as_json(exact=True, budget=1)
    with pytest.raises(mp.BudgetExceeded):
        analysis.for_encoder(budget=1)
    assert analysis.as_json(budget=9)["layouts"] == "3"


def test_json_is_not_made_once_it_is_cancelled() -> None:
    analysis, counted = slow_to_count()
    counted.layouts = raising(mp.BudgetExceeded("cancelled", limit="cancelled"))  # type: ignore[method-assign]
    with pytest.raises(mp.BudgetExceeded):
        analysis.as_json()


def raising(error: Exception) -> Callable[..., int]:
    def raise_it(*_: object) -> int:
        raise error

    return raise_it


def test_words_do_not_wait_for_a_count() -> None:
    analysis, counted = slow_to_count()
    assert repr(analysis) == "<Analysis of 2 × 2: 0 safe, 0 mines, 3 layouts>"
    assert not counted.budgets
    assert layouts_fit(analysis) == "≈ 3.00 × 10^0 layouts fit"


def test_a_repr_writes_large_numbers_for_people() -> None:
    analysis = mp.analyze(mp.Board(40, 50, b"\xff" * 2000, 0))
    assert repr(analysis) == "<Analysis of 50 × 40: 2,000 safe, 0 mines, 1 layout>"


def test_a_count_has_what_the_question_left_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solving and counting share one deadline: a clock that runs 7 s while the kernel solves leaves 3 of 10."""
    now = iter([100.0, 107.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(now))
    analysis = mp.analyze(CORNER, budget=Budget(seconds=10), engine=KERNEL)
    budgets: list[Budget] = []
    count = kernel._count

    def noted(question: Question, budget: Budget, *rest: Any) -> Any:
        budgets.append(budget)
        return count(question, budget, *rest)

    monkeypatch.setattr(kernel, "_count", noted)
    assert (analysis.layouts, analysis.exact(1, 1)) == (3, Fraction(1, 3))
    assert budgets == [Budget(seconds=3.0)]
