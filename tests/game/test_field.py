"""Mines under a board: cascades of every shape, and how to take them back."""

from __future__ import annotations

import random

import pytest

from mineproof.board.cells import COVERED, FLAGGED
from mineproof.board.geometry import Topology
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from support.positions import CLASSIC, ground


@pytest.mark.parametrize("kind", CLASSIC)
def test_a_click_opens_what_the_rules_say(kind: Topology) -> None:
    rng = random.Random(str(kind))
    for _ in range(60):
        truth = ground(rng, rng.randint(1, 8), rng.randint(1, 8), rng.randint(0, 9), kind, rng.choice([0.0, 0.2]))
        if not truth.safe:
            continue
        places = frozenset((row, column) for row in range(truth.rows) for column in range(truth.columns))
        field = MineField(Layout(truth.rows, truth.columns, truth.mines, None, kind, places - truth.cells))
        before = field.board
        start = rng.choice(sorted(truth.safe))
        opened = field.open([start])
        expected = truth.cascade(start)
        assert field.visible_codes(opened) == {cell: truth.number(cell) for cell in expected}
        assert field.board == truth.board(expected)
        assert field.is_cleared == (expected == truth.safe)
        field.cover(opened)
        assert (field.board, field.opened) == (before, 0)


def test_flags_stop_a_cascade() -> None:
    field = MineField(Layout(1, 5, frozenset()))
    field.mark((0, 2), FLAGGED)
    assert field.visible_codes(field.open([(0, 0)])) == {(0, 0): 0, (0, 1): 0}
    assert str(field.board).endswith("00F##")
    field.mark((0, 2), COVERED)
    assert field.flags == 0
    assert set(field.visible_codes(field.open([(0, 4)]))) == {(0, 2), (0, 3), (0, 4)}
    assert field.is_cleared


def test_several_cells_at_once() -> None:
    field = MineField(Layout(1, 7, frozenset([(0, 3)])))
    assert field.visible_codes(field.open([(0, 4), (0, 2)])) == {(0, 2): 1, (0, 4): 1}
    assert field.visible_codes(field.open([])) == {}
    assert field.opened == 2


def test_which_mines_could_lie_under_what_is_seen() -> None:
    layout = Layout(1, 4, frozenset([(0, 0), (0, 3)]))
    field = MineField(layout)
    field.open([(0, 1)])
    fits = {cells: field.fits(layout.with_mines(frozenset((0, column) for column in cells))) for cells in FITS}
    assert fits == FITS


FITS = {(0, 3): True, (2, 3): True, (0, 2): False, (1, 3): False, (0,): False, (0, 1): False, (): False}


@pytest.mark.slow
def test_a_large_sea() -> None:
    """A million cells, opened in waves as long as the board is wide."""
    layout = Layout(1000, 1000, frozenset([(0, 0)]))
    field = MineField(layout)
    assert field.open([(999, 999)]).size == 999_999
    assert field.is_cleared
