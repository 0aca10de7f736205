"""What must hold of `mp.analyze`, whatever the board: symmetry, sums, and that knowing more unsettles nothing."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.board.geometry import Topology
from support.effort import examples
from support.oracle import COVERED, FLAGGED, Cell
from support.pieces import glued
from support.positions import CLASSIC, Position, flood, random_reveal

pytestmark = pytest.mark.property

ROUNDING = 1e-12
thorough = settings(max_examples=examples(400))
every_total = settings(max_examples=examples(40))  # each example is analyzed once for every total there may be


def position_of(seed: int, kind: Topology | None = None, most: int = 14) -> Position:
    """Drawn from a seed in one go, so that nothing drifts to boards with nothing in question."""
    rng = random.Random(seed)
    rows, columns = rng.randint(3, most), rng.randint(3, most)
    mines = int(rows * columns * rng.uniform(0.1, 0.35))
    make = rng.choice([random_reveal, random_reveal, flood])
    return make(rng, rows, columns, mines, rng.uniform(0.1, 0.7), rng.choice(CLASSIC if kind is None else [kind]))


def positions(kind: Topology | None = None, most: int = 14) -> st.SearchStrategy[Position]:
    return st.builds(position_of, st.integers(0, 2**32), st.just(kind), st.just(most))


def forgetful(board: mp.Board) -> mp.Board:
    return board.replace({}, total_mines=None)


# symmetry

Move = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]


def check_moved(board: mp.Board, move: Move) -> None:
    """Moving the cells of a board moves the answer with them, with the total, without and with a density."""
    again = mp.Board.from_array(move(board.to_array()), board.total_mines, board.topology)
    for before, after, density in [
        (board, again, None),
        (forgetful(board), forgetful(again), None),
        (forgetful(board), forgetful(again), Fraction(1, 4)),
    ]:
        analysis, moved = mp.analyze(before, density=density), mp.analyze(after, density=density)
        assert moved.layouts == analysis.layouts
        assert moved.safe == carried(board, move, analysis.safe)
        assert moved.mines == carried(board, move, analysis.mines)
        expected = move(analysis.mine_probability)
        np.testing.assert_allclose(moved.mine_probability, expected, rtol=0, atol=ROUNDING)


def carried(board: mp.Board, move: Move, cells: frozenset[Cell]) -> frozenset[Cell]:
    marks = np.zeros((board.rows, board.columns), dtype=bool)
    for cell in cells:
        marks[cell] = True
    return frozenset(zip(*(axis.tolist() for axis in np.nonzero(move(marks))), strict=True))


def turned(quarters: int, mirrored: bool) -> Move:
    return lambda cells: np.rot90(np.fliplr(cells) if mirrored else cells, quarters)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("kind", ["grid", "torus"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(80))
def test_the_eight_symmetries_of_a_rectangle(kind: Topology, quarters: int, mirrored: bool, seed: int) -> None:
    check_moved(position_of(seed, kind).board, turned(quarters, mirrored))


@given(positions("torus"), st.integers(0, 13), st.integers(0, 13))
@thorough
def test_shifting_a_torus(position: Position, down: int, right: int) -> None:
    check_moved(position.board, lambda cells: np.roll(cells, (down, right), axis=(0, 1)))


@given(positions("hex"))
@thorough
def test_the_symmetries_of_hexagons(position: Position) -> None:
    """Upside down where the last row is shifted as the first is; else half a turn, which changes left and right."""
    check_moved(position.board, np.flipud if position.board.rows % 2 else turned(2, mirrored=False))


@given(st.lists(st.integers(0, 2**32), min_size=2, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=examples(150))
def test_the_order_of_pieces_does_not_matter(seeds: list[int], rng: random.Random) -> None:
    """Pieces of a board that share only the total, laid out in another order, have the same chances."""
    texts = ["/".join(str(position_of(seed, "grid", 7).board).split("\n")[1:]) for seed in seeds]
    total = sum(len(position_of(seed, "grid", 7).ground.mines) for seed in seeds)
    order = rng.sample(range(len(texts)), len(texts))
    analysis = mp.analyze(glued(texts, sea=5, total_mines=total))
    moved = mp.analyze(glued([texts[place] for place in order], sea=5, total_mines=total))
    assert moved.layouts == analysis.layouts
    assert (len(moved.safe), len(moved.mines)) == (len(analysis.safe), len(analysis.mines))
    heights = [text.count("/") + 2 for text in texts]
    tops = np.cumsum([0, *heights])
    rows = [row for place in order for row in range(tops[place], tops[place + 1])]
    rows += range(tops[-1], analysis.board.rows)
    np.testing.assert_allclose(moved.mine_probability, analysis.mine_probability[rows], rtol=0, atol=ROUNDING)


# sums


@given(positions())
@thorough
def test_expected_mines_add_up_to_the_total(position: Position) -> None:
    board = position.board
    analysis = mp.analyze(board)
    assert sum(analysis.exact(*cell) for cell in board.cells(COVERED)) == board.total_mines
    assert np.nansum(analysis.mine_probability) == pytest.approx(board.total_mines, abs=1e-9)


@given(positions(), st.fractions(min_value="1/50", max_value="49/50", max_denominator=50))
@thorough
def test_expected_mines_around_a_number_add_up_to_it(position: Position, density: Fraction) -> None:
    analysis = mp.analyze(forgetful(position.board), density=density)
    board = analysis.board
    for cell in position.ground.safe:
        if board[cell] >= 0:
            around = [other for other in board.neighbours(cell) if board[other] == COVERED]
            assert sum(analysis.exact(*other) for other in around) == board[cell]


@given(positions())
@thorough
def test_floats_are_the_fractions_rounded(position: Position) -> None:
    analysis = mp.analyze(position.board)
    for cell in position.board.cells(COVERED):
        exact = analysis.exact(*cell)
        assert abs(analysis.mine_probability[cell] - float(exact)) <= ROUNDING
        assert (exact == 0, exact == 1) == (cell in analysis.safe, cell in analysis.mines)


# knowing more


@given(positions(), st.booleans(), st.data())
@thorough
def test_a_true_fact_keeps_certainties(position: Position, known: bool, data: st.DataObject) -> None:
    board = position.board if known else forgetful(position.board)
    covered = list(board.cells(COVERED))
    if not covered:
        return
    cell = data.draw(st.sampled_from(covered))
    analysis = mp.analyze(board)
    fact = FLAGGED if cell in position.ground.mines else position.ground.number(cell)
    wiser = mp.analyze(board.replace({cell: fact}))
    assert analysis.safe - {cell} <= wiser.safe <= position.ground.safe
    assert analysis.mines - {cell} <= wiser.mines <= position.ground.mines
    assert wiser.layouts <= analysis.layouts


@given(positions())
@thorough
def test_opening_what_is_safe_only_settles_more(position: Position) -> None:
    analysis = mp.analyze(position.board)
    opened = position.board.replace({cell: position.ground.number(cell) for cell in analysis.safe})
    wiser = mp.analyze(opened)
    assert analysis.mines <= wiser.mines
    assert wiser.layouts <= analysis.layouts


@given(positions(), st.booleans(), st.randoms(use_true_random=False))
@thorough
def test_flags_on_certain_mines_change_nothing(position: Position, known: bool, rng: random.Random) -> None:
    board = position.board if known else forgetful(position.board)
    density = None if known else Fraction(1, 6)
    analysis = mp.analyze(board, density=density)
    flags = [cell for cell in sorted(analysis.mines) if rng.random() < 0.6]
    flagged = mp.analyze(board.replace(dict.fromkeys(flags, FLAGGED)), density=density)
    assert flagged.layouts == analysis.layouts
    assert flagged.safe == analysis.safe
    assert flagged.mines == analysis.mines.difference(flags)
    np.testing.assert_allclose(flagged.mine_probability, analysis.mine_probability, rtol=0, atol=ROUNDING)


@given(positions(), st.randoms(use_true_random=False))
@thorough
def test_ignored_flags_are_covered_cells(position: Position, rng: random.Random) -> None:
    board = position.board
    flags = [cell for cell in board.cells(COVERED) if rng.random() < 0.3]
    ignoring = mp.analyze(board.replace(dict.fromkeys(flags, FLAGGED)), flags="ignore")
    analysis = mp.analyze(board)
    assert (ignoring.layouts, ignoring.safe, ignoring.mines) == (analysis.layouts, analysis.safe, analysis.mines)
    np.testing.assert_array_equal(ignoring.mine_probability, analysis.mine_probability)


@given(positions(most=8))
@every_total
def test_what_is_certain_without_a_total_is_certain_with_each(position: Position) -> None:
    """And nothing else is: what no total leaves open is certain without one."""
    board = forgetful(position.board)
    analysis = mp.analyze(board)
    bounded = list(filter(None, (possible(board, total) for total in range(board.geometry.cells + 1))))
    assert analysis.safe == frozenset.intersection(*(one.safe for one in bounded))
    assert analysis.mines == frozenset.intersection(*(one.mines for one in bounded))
    assert analysis.layouts == sum(one.layouts for one in bounded)


def possible(board: mp.Board, total: int) -> mp.Analysis | None:
    try:
        return mp.analyze(board.replace({}, total_mines=total))
    except mp.ContradictionError:
        return None


@thorough
@given(positions())
def test_what_a_server_encodes_is_the_same_json(position: Position) -> None:
    for board in (position.board, forgetful(position.board)):
        analysis = mp.analyze(board)
        assert msgspec.json.encode(analysis.for_encoder()) == msgspec.json.encode(analysis.as_json())
