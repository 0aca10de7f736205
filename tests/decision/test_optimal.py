"""Optimal play: results, refused input, and the symmetries of untouched boards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.geometry import Geometry, Topology
from mineproof.board.start import FirstClick
from mineproof.decision.optimal import (
    OPTIMAL_PLAY_MAX_UNDECIDED,
    optimal_first_moves,
    optimal_moves,
    orbits,
    win_probability,
    win_probability_from_start,
)
from mineproof.errors import BoardSyntaxError, BudgetExceeded, ContradictionError
from support.positions import CLASSIC

NOT_THE_SAFEST = Board.parse("#####/123##/###3#", total_mines=6)


def untouched(rows: int, columns: int, mines: int) -> Board:
    return Board.parse("/".join(["#" * columns] * rows), total_mines=mines)


# positions


def test_the_safest_cell_is_not_always_best() -> None:
    assert win_probability(NOT_THE_SAFEST) == Fraction(3, 5)
    values = optimal_moves(NOT_THE_SAFEST)
    assert list(values.items())[:2] == [((0, 0), Fraction(3, 5)), ((0, 1), Fraction(1, 2))]
    assert list(values.values()) == sorted(values.values(), reverse=True)
    assert set(values) == set(NOT_THE_SAFEST.cells(-1))


def test_safe_cells_cost_nothing_and_mines_lose() -> None:
    board = Board.parse("#1#1#", total_mines=2)
    assert optimal_moves(board) == {(0, 2): Fraction(1), (0, 0): Fraction(0), (0, 4): Fraction(0)}
    assert win_probability(board) == 1


@pytest.mark.parametrize(("text", "mines"), [("000", 0), ("1F", 1), ("1#", 1), ("##", 2), ("F", 1)])
def test_nothing_left_to_open_is_won(text: str, mines: int) -> None:
    board = Board.parse(text, total_mines=mines)
    assert win_probability(board) == 1
    assert set(optimal_moves(board).values()) <= {Fraction(0)}


def test_flags_are_trusted_unless_ignored() -> None:
    board = Board.parse("#2F/###", total_mines=2)
    assert win_probability(board) == Fraction(3, 4)
    assert win_probability(board, flags="ignore") == win_probability(board.without_flags())
    assert (0, 2) in optimal_moves(board, flags="ignore")
    assert (0, 2) not in optimal_moves(board)
    with pytest.raises(ValueError, match="flags must be one of trust, ignore, got 'believe'"):
        win_probability(board, flags="believe")  # type: ignore[arg-type]


def test_the_total_is_needed() -> None:
    with pytest.raises(ValueError, match="number of mines is unknown"):
        win_probability(Board.parse("1#/##"))


def test_a_contradiction_is_explained() -> None:
    with pytest.raises(ContradictionError, match="The 3 at"):
        win_probability(Board.parse("3#/##", total_mines=2))


# limits


def test_too_many_layouts_are_counted_and_refused() -> None:
    with pytest.raises(BudgetExceeded, match=r"^≈ 5.60 × 10\^104 layouts fit\. .* limited to [\d,]+\.$") as caught:
        win_probability(untouched(16, 30, 99))
    assert caught.value.limit == "size"
    with pytest.raises(BudgetExceeded, match=r"^120 layouts fit\. Optimal play is limited to 119\.$"):
        win_probability(untouched(4, 4, 2), most=119)
    assert win_probability(untouched(4, 4, 2), most=120) == Fraction(17, 20)


def test_too_many_cells_are_refused() -> None:
    """A chain of cells with two layouts: few, but too long for the kernel to list."""
    links = 4 * OPTIMAL_PLAY_MAX_UNDECIDED
    chain = Board.parse("#1" * (links - 1) + "#", total_mines=links // 2)
    with pytest.raises(BudgetExceeded, match=r"3,600 cells are undecided\. .* limited to 900"):
        win_probability(chain)
    short = Board.parse("#1" * 99 + "#", total_mines=50)
    assert win_probability(short) == Fraction(1, 2)


def test_no_layout_at_all_cannot_be_asked_for() -> None:
    with pytest.raises(ValueError, match="most must be at least 1, got 0"):
        win_probability(NOT_THE_SAFEST, most=0)


@pytest.mark.slow
def test_a_large_board_without_a_choice_is_won() -> None:
    """More free cells than the search can number, and no need to search."""
    board = untouched(300, 300, 0)
    assert win_probability(board) == 1
    assert set(optimal_moves(board).values()) == {Fraction(1)}


def test_too_many_free_cells_are_refused() -> None:
    """Two layouts in a corner of a board that is otherwise free."""
    board = untouched(300, 300, 1).replace({(0, 0): 1, (0, 2): 1, (1, 2): 1})
    with pytest.raises(BudgetExceeded, match=r"[\d,]+ cells may be safe\. .* limited to 65,535"):
        win_probability(board)


def test_flags_that_are_ignored_count_as_undecided() -> None:
    chain = Board.parse("F1" * (4 * OPTIMAL_PLAY_MAX_UNDECIDED - 1) + "F", total_mines=2 * OPTIMAL_PLAY_MAX_UNDECIDED)
    with pytest.raises(BudgetExceeded, match="3,600 cells are undecided"):
        win_probability(chain, flags="ignore")


def test_an_exhausted_search_says_how_many_layouts_there_are() -> None:
    with pytest.raises(
        BudgetExceeded, match=r"^11,440 layouts fit\. No result after .*limit of [\d,]+ states?"
    ) as caught:
        win_probability(untouched(4, 4, 7), budget=Budget(states=50))
    assert caught.value.limit == "states"
    with pytest.raises(BudgetExceeded) as cancelled:
        win_probability(untouched(5, 5, 5), budget=Budget(cancelled=lambda: True))
    assert cancelled.value.limit == "cancelled"


# from the start


@pytest.mark.parametrize(
    ("rule", "expected"), [("any", Fraction(2, 3)), ("safe", Fraction(6, 7)), ("open", Fraction(1))]
)
def test_rules_of_the_first_click(rule: FirstClick, expected: Fraction) -> None:
    assert win_probability_from_start(3, 3, 2, rule) == expected
    values = optimal_first_moves(3, 3, 2, rule)
    assert list(values) == [(row, column) for row in range(3) for column in range(3)]
    assert values[0, 0] == values[2, 0] == values[2, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mines", "rule", "worth"), [(0, "safe", Fraction(1)), (10**6, "any", Fraction(0)), (10**6, "safe", None)]
)
def test_boards_without_a_choice_may_be_large(mines: int, rule: FirstClick, worth: Fraction | None) -> None:
    assert set(optimal_first_moves(1000, 1000, mines, rule).values()) == {worth}


def test_a_rule_may_leave_no_layout() -> None:
    with pytest.raises(BoardSyntaxError, match="No layout of 2 × 2, 1 mine allows a first click of 'open'"):
        win_probability_from_start(2, 2, 1, "open")
    assert optimal_first_moves(3, 3, 5, "open")[1, 1] is None
    assert optimal_first_moves(3, 3, 5, "open")[0, 0] == 1
    with pytest.raises(BoardSyntaxError, match="allows a first click of 'safe'"):
        win_probability_from_start(2, 2, 4, "safe")
    assert win_probability_from_start(2, 2, 4, "any") == 1


def test_no_mine_at_all() -> None:
    assert win_probability_from_start(3, 4, 0, "any") == 1


def test_from_the_start_it_is_the_untouched_board() -> None:
    board = untouched(3, 4, 3)
    assert optimal_first_moves(3, 4, 3, "any") == optimal_moves(board)
    assert win_probability_from_start(3, 4, 3, "any") == win_probability(board)


def test_wrong_questions() -> None:
    with pytest.raises(ValueError, match="first_click must be one of any, safe, open"):
        win_probability_from_start(3, 3, 1, "sure")  # type: ignore[arg-type]
    with pytest.raises(BoardSyntaxError, match="got 10"):
        win_probability_from_start(3, 3, 10)
    with pytest.raises(BoardSyntaxError, match="got -1"):
        win_probability_from_start(3, 3, -1)
    with pytest.raises(BudgetExceeded, match=r"10\^104 layouts fit"):
        win_probability_from_start(16, 30, 99, "safe")
    with pytest.raises(BudgetExceeded):
        win_probability_from_start(5, 5, 5, "safe", budget=0.0)


@pytest.mark.parametrize(
    ("kind", "rows", "columns", "sizes"),
    [
        ("grid", 3, 3, [4, 4, 1]),
        ("grid", 3, 4, [4, 4, 2, 2]),
        ("grid", 1, 5, [2, 2, 1]),
        ("torus", 4, 5, [20]),
        ("torus", 2, 3, [6]),
        ("hex", 3, 3, [2, 2, 2, 1, 1, 1]),  # upside down
        ("hex", 2, 3, [2, 2, 2]),  # turned half round
    ],
)
def test_cells_that_are_alike(kind: Topology, rows: int, columns: int, sizes: list[int]) -> None:
    assert [len(group) for group in orbits(Geometry(kind, rows, columns))] == sizes


@pytest.mark.parametrize("kind", CLASSIC)
def test_cells_that_are_alike_are_worth_the_same(kind: Topology) -> None:
    for rows, columns in ((3, 4), (4, 3), (2, 5), (3, 3)):
        board = Board(rows, columns, b"\xff" * (rows * columns), 2, kind)
        values = optimal_moves(board)
        for group in orbits(board.geometry):
            assert len({values[board.cell(index)] for index in group}) == 1
