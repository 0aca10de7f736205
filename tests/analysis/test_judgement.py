"""What a reveal was: forced or needless, hopeless or certain; and the layouts that stand in for the one that lost."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from mineproof.analysis.judgement import Judgement, judge, redraw_free, redraw_mined, risk
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded, ContradictionError
from support.engines import KERNEL, REFERENCE
from support.oracle import MOST_COVERED, brute_force
from support.pieces import too_wide
from support.positions import small


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


@pytest.mark.parametrize(
    ("text", "total", "cells", "expected"),
    [
        ("11/##", 1, [(1, 0)], Fraction(1, 2)),
        ("11/##", 1, [(1, 0), (1, 1)], Fraction(1)),
        ("#1##", 1, [(0, 3)], Fraction(0)),
        ("#1##", 1, [], Fraction(0)),
        ("#1##", 1, [(0, 2), (0, 3)], Fraction(1, 2)),
        ("1#/11", 1, [(0, 1)], Fraction(1)),
        ("F1##", 1, [(0, 0)], Fraction(1, 2)),  # a flag is a mark: it decides nothing
        ("###/###", 2, [(0, 0), (0, 1)], 1 - Fraction(6, 15)),
    ],
)
@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=lambda engine: str(engine.name))
def test_risk_by_hand(text: str, total: int, cells: list[Cell], expected: Fraction, engine: Engine) -> None:
    assert risk(Board.parse(text, total), cells, engine=engine) == expected


@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=lambda engine: str(engine.name))
def test_risk_is_what_brute_force_counts(engine: Engine) -> None:
    """The share of the layouts with a mine in any of the cells, flags taken for covered cells."""
    rng = random.Random(5)
    boards = certain = between = several = 0
    while boards < 60:
        board = small(rng).board
        seen = board.without_flags()
        if board.total_mines is None or not 0 < seen.count(COVERED) <= MOST_COVERED:
            continue
        layouts = list(brute_force(seen).layouts())
        if not layouts:
            with pytest.raises(ContradictionError):
                risk(board, [next(seen.cells(COVERED))], engine=engine)
            continue
        boards += 1
        covered = list(seen.cells(COVERED))
        for count in (1, 2, min(4, len(covered)), len(covered)):
            cells = frozenset(rng.sample(covered, min(count, len(covered))))
            expected = Fraction(sum(not cells.isdisjoint(mines) for mines in layouts), len(layouts))
            assert risk(board, cells, engine=engine) == expected, (board, cells)
            assert risk(board, sorted(cells), engine=engine) == expected
            certain += expected in (0, 1)
            between += 0 < expected < 1
            several += 0 < expected < 1 < len(cells)
    assert min(certain, between, several) > 20


def test_a_risk_too_hard_to_work_out_is_said_to_be() -> None:
    board = too_wide()
    with pytest.raises(BudgetExceeded):
        risk(board, [next(board.cells(COVERED))], Budget(states=10_000))


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
