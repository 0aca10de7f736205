"""What a reveal was: forced or needless, hopeless or certain; and the layouts that stand in for the one that lost."""

from __future__ import annotations

import pytest

from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.errors import BudgetExceeded, Cell, ContradictionError
from mineproof.fair import Judgement, judge, redraw_free, redraw_mined
from support.pieces import too_wide


def verdict(text: str, total: int | None, *cells: Cell) -> Judgement:
    return judge(Board.parse(text, total, alphabet="mineproof"), frozenset(cells))


FORCED = Judgement(forced=True, may_be_free=True, may_be_mine=True)
NEEDLESS = Judgement(forced=False, may_be_free=True, may_be_mine=True)
CERTAIN = Judgement(forced=False, may_be_free=True, may_be_mine=False)
FORCED_MINE = Judgement(forced=True, may_be_free=False, may_be_mine=True)
NEEDLESS_MINE = Judgement(forced=False, may_be_free=False, may_be_mine=True)


@pytest.mark.parametrize(
    ("text", "total", "cell", "expected"),
    [
        ("11/##", 1, (1, 0), FORCED),
        ("##/##", 1, (0, 0), FORCED),  # the first click
        ("##/##", 0, (0, 0), CERTAIN),
        ("##/##", 4, (0, 0), FORCED_MINE),
        ("1#/11", 1, (0, 1), FORCED_MINE),
        ("#1##", 1, (0, 0), NEEDLESS),
        ("#1##", 1, (0, 2), NEEDLESS),
        ("#1##", 1, (0, 3), CERTAIN),
        ("#1##", 2, (0, 3), FORCED_MINE),  # the other mine must be there, and nothing else is known
        ("F1##", 1, (0, 0), NEEDLESS),  # a flag is a mark: it decides nothing
        ("F1##", 1, (0, 2), NEEDLESS),
        ("#1#F", 1, (0, 2), NEEDLESS),  # (0,3) is safe, though flagged
        ("#1##", None, (0, 3), FORCED),
    ],
)
def test_opening_one_cell(text: str, total: int | None, cell: Cell, expected: Judgement) -> None:
    assert verdict(text, total, cell) == expected


def test_opening_several_cells_at_once() -> None:
    """Each cell beside the 1 may be free, both together may not; a chord is judged as a whole."""
    assert verdict("#1##", 1, (0, 0), (0, 2)) == NEEDLESS_MINE
    assert verdict("#1#", 1, (0, 0), (0, 2)) == FORCED_MINE
    assert verdict("#1##", 1, (0, 2), (0, 3)) == NEEDLESS
    assert verdict("###/#2#/###", 2, (0, 0), (0, 1), (0, 2)) == FORCED
    assert verdict("###/#2#/###", 2, *[(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0)]) == FORCED
    assert verdict("###/#2#/###", 2, *[(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]) == FORCED_MINE


def test_what_fits_nothing() -> None:
    board = Board.parse("3#", total_mines=1)
    with pytest.raises(ContradictionError):
        judge(board, frozenset([(0, 1)]))
    certain = Board.parse("1#/11", total_mines=1)
    with pytest.raises(ContradictionError):
        redraw_free(certain, frozenset([(0, 1)]), 0, 0)
    with pytest.raises(ContradictionError):
        redraw_mined(Board.parse("#1##", total_mines=1), frozenset([(0, 3)]), 0, 0)


def test_drawn_layouts_are_those_of_seed_and_number() -> None:
    board, cells = Board.parse("####/#2##/####", total_mines=4), frozenset([(0, 0), (0, 1)])
    for redraw in (redraw_free, redraw_mined):
        layouts = [redraw(board, cells, seed, number) for seed in (1, 2) for number in range(20)]
        assert layouts == [redraw(board, cells, seed, number) for seed in (1, 2) for number in range(20)]
        assert len(set(layouts)) > 20
        assert {len(mines) for mines in layouts} == {4}


def test_flags_decide_nothing() -> None:
    plain, marked = Board.parse("#1##", total_mines=2), Board.parse("F1F#", total_mines=2)
    for number in range(10):
        cells = frozenset([(0, 2)])
        assert redraw_free(marked, cells, 5, number) == redraw_free(plain, cells, 5, number) == {(0, 0), (0, 3)}
        assert redraw_mined(marked, cells, 5, number) == {(0, 2), (0, 3)}


def test_the_first_of_several_cells_may_be_certain() -> None:
    """(0,1) is a mine in every layout, so the others are as free as they are elsewhere."""
    board = Board.parse("1###/11##", total_mines=2)
    drawn = {redraw_mined(board, frozenset([(0, 1), (0, 3)]), 0, number) for number in range(40)}
    assert drawn == {frozenset([(0, 1), other]) for other in [(0, 3), (1, 3)]}


def test_a_board_too_hard_is_said_to_be() -> None:
    board = too_wide()
    covered = frozenset([next(board.cells(-1))])
    with pytest.raises(BudgetExceeded):
        judge(board, covered, Budget(states=10_000))
