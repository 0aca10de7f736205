"""Layouts: what they refuse, what they count, and how mines make room for a first click."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from mineproof.base.rng import Random
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.game.layout import Layout
from support.oracle import neighbours
from support.positions import CLASSIC, Ground, ground


def as_layout(truth: Ground) -> Layout:
    places = frozenset((row, column) for row in range(truth.rows) for column in range(truth.columns))
    return Layout(truth.rows, truth.columns, truth.mines, None, truth.kind, places - truth.cells)


def some_layouts(count: int) -> Iterable[tuple[Ground, Layout]]:
    rng = random.Random(4)
    while count:
        rows, columns, kind = rng.randint(1, 5), rng.randint(1, 5), rng.choice(CLASSIC)
        truth = ground(rng, rows, columns, rng.randint(0, 25), kind, rng.choice([0.0, 0.3]))
        if truth.cells:
            count -= 1
            yield truth, as_layout(truth)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rows": 0}, "expected a board of at least one cell, got 3 × 0"),
        ({"rows": 1001, "columns": 1000}, "expected at most 1000000 cells, got 1000 × 1001 = 1001000"),
        ({"topology": "ring"}, "topology must be one of grid, torus, hex, .*, got 'ring'"),
        (
            {"absent": {(0, 1), (1, 1)}, "mines": {(1, 1)}},
            r"expected mines on the board, got one at \(1,1\), which is not part of it",
        ),
        ({"absent": {(0, 1)}, "start": (0, 1)}, r"expected a start on the board, got \(0,1\), which is not part of it"),
        (
            {"rows": 1, "columns": 1, "absent": {(0, 0)}},
            "expected at least one cell that is part of the board, got none",
        ),
    ],
)
def test_what_is_no_layout(fields: dict[str, object], said: str) -> None:
    given: dict[str, object] = {"rows": 2, "columns": 3, "mines": frozenset(), **fields}
    with pytest.raises(BoardSyntaxError, match=said):
        Layout(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "cell"),
    [
        ({"mines": {(2, 0)}}, "(2,0)"),
        ({"mines": {(0, -1)}}, "(0,-1)"),
        ({"start": (0, 3)}, "(0,3)"),
        ({"absent": {(0, 3)}}, "(0,3)"),
    ],
)
def test_no_cell_of_a_layout_is_outside(fields: dict[str, object], cell: str) -> None:
    given: dict[str, object] = {"rows": 2, "columns": 3, "mines": frozenset(), **fields}
    with pytest.raises(OutsideError) as caught:
        Layout(**given)  # type: ignore[arg-type]
    assert str(caught.value) == f"expected a cell on the 3 × 2 board, got {cell}"


def test_as_text() -> None:
    layout = Layout(2, 3, frozenset([(0, 2), (1, 0)]), absent=frozenset([(0, 0)]))
    assert str(layout) == "~.*\n*.."
    assert layout.board() == Board.parse("~##/###", total_mines=2)
    assert layout.cells() == [(0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_numbers_and_neighbours_are_those_of_the_shape() -> None:
    for truth, layout in some_layouts(200):
        numbers = layout.numbers().reshape(truth.rows, truth.columns)
        for cell in layout.cells():
            assert layout.neighbours(cell) == sorted(truth.around(cell))
            assert numbers[cell] == truth.number(cell)


def test_other_mines_are_not_what_was_made() -> None:
    layout = Layout(2, 2, frozenset([(0, 0)]), (1, 1), "torus", frozenset([(0, 1)]), no_guess=True)
    assert layout.with_mines(frozenset([(1, 0)])) == Layout(
        2, 2, frozenset([(1, 0)]), (1, 1), "torus", frozenset([(0, 1)])
    )
    with pytest.raises(BoardSyntaxError, match=r"got one at \(0,1\), which is not part of it"):
        layout.with_mines(frozenset([(0, 1)]))


# room for a first click


def crowding(layout: Layout, cell: Cell, around: bool) -> tuple[int, int]:
    """Mines under a cell and, where that matters, around it."""
    near = neighbours(layout.topology, layout.rows, layout.columns, cell) if around else set()
    return int(cell in layout.mines), len(near & layout.mines)


@pytest.mark.parametrize("around", [False, True])
def test_mines_make_as_much_room_as_there_is(around: bool) -> None:
    for number, (truth, layout) in enumerate(some_layouts(400)):
        for cell in sorted(truth.cells)[:5]:
            moved = layout.cleared(cell, Random(1, number), neighbours=around)
            near = truth.around(cell) if around else set()
            elsewhere = len(truth.cells) - len(near) - 1
            beside = min(max(0, len(truth.mines) - elsewhere), len(near))
            assert moved.total_mines == layout.total_mines
            assert moved.absent == layout.absent
            assert crowding(moved, cell, around) == (int(len(truth.mines) > elsewhere + len(near)), beside)


def test_no_more_mines_move_than_must() -> None:
    layout = Layout(3, 3, frozenset([(0, 0), (0, 1), (2, 2)]))
    assert layout.cleared((2, 0), Random(0, 0), neighbours=False) is layout
    assert layout.cleared((2, 0), Random(0, 0), neighbours=True) is layout
    moved = layout.cleared((0, 0), Random(0, 0), neighbours=False)
    assert layout.mines - moved.mines == {(0, 0)}
    opened = layout.cleared((0, 0), Random(0, 0), neighbours=True)
    assert layout.mines - opened.mines == {(0, 0), (0, 1)}
    full = Layout(1, 3, frozenset([(0, 0), (0, 1), (0, 2)]))
    assert full.cleared((0, 1), Random(0, 0), neighbours=True) is full


def test_the_same_stream_moves_the_same_mines() -> None:
    layout = Layout(9, 9, frozenset((0, column) for column in range(9)))
    first, again, other = (layout.cleared((0, 0), Random(5, number), neighbours=True) for number in (2, 2, 3))
    assert first == again
    assert first != other
