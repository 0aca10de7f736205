"""Layouts themselves: listed each once in a stable order, drawn uniformly and again the same for a seed."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice

import pytest

import mineproof as mp
from mineproof.analysis import layouts
from mineproof.board.geometry import Topology
from mineproof.engine.answers import Engine
from mineproof.engine.question import Question
from support.engines import KERNEL, REFERENCE
from support.oracle import FLAGGED, Cell, brute_force, neighbours
from support.patience import PATIENCE
from support.pieces import ONE_OR_TWO, glued, two_faced
from support.positions import CLASSIC, random_reveal, small

Mines = frozenset[Cell]


def fits(board: mp.Board, mines: Mines) -> bool:
    """Whether mines agree with everything a board shows."""
    if board.total_mines not in (None, len(mines)) or not mines.issuperset(board.cells(FLAGGED)):
        return False
    if not all(board[cell] in (-1, -2) for cell in mines):
        return False
    kind, rows, columns = board.topology, board.rows, board.columns
    numbers = ((cell, number) for number in range(9) for cell in board.cells(number))
    return all(len(neighbours(kind, rows, columns, cell) & mines) == number for cell, number in numbers)


# listing


def in_order(board: mp.Board, mines: Mines) -> list[bool]:
    """Sorts layouts by the first cell in which they differ, free before mined."""
    return [(row, column) in mines for row in range(board.rows) for column in range(board.columns)]


def test_every_layout_once_and_in_order() -> None:
    rng = random.Random(20)
    listed = 0
    for _ in range(250):
        board = small(rng, most_covered=9).board
        expected = sorted(brute_force(board).layouts(), key=lambda mines: in_order(board, mines))
        if not expected:
            with pytest.raises(mp.ContradictionError):
                mp.enumerate_layouts(board)
            continue
        assert list(mp.enumerate_layouts(board)) == expected
        listed += len(expected)
    assert listed > 2000


def test_listing_with_flags_ignored() -> None:
    board = mp.Board.parse("F1#", total_mines=1)
    assert [set(mines) for mines in mp.enumerate_layouts(board)] == [{(0, 0)}]
    assert [set(mines) for mines in mp.enumerate_layouts(board, flags="ignore")] == [{(0, 2)}, {(0, 0)}]


def test_one_layout_without_mines() -> None:
    assert list(mp.enumerate_layouts(mp.Board.parse("0#/##"))) == [frozenset()]


def test_the_first_of_very_many() -> None:
    board = mp.Board(16, 30, bytes([255]) * 480, 99)
    assert mp.analyze(board).log10_layouts > 100
    started = time.perf_counter()
    results = list(islice(mp.enumerate_layouts(board), 5))
    assert time.perf_counter() - started < PATIENCE
    assert len(set(results)) == 5
    assert results == sorted(results, key=lambda mines: in_order(board, mines))
    assert set(results[0]) == {board.cell(index) for index in range(480 - 99, 480)}


def test_the_first_of_a_real_position() -> None:
    board = random_reveal(random.Random(3), 16, 30, 99, 0.4).board
    results = list(islice(mp.enumerate_layouts(board), 20))
    assert len(set(results)) == 20
    assert all(fits(board, mines) for mines in results)
    assert results == list(islice(mp.enumerate_layouts(board), 20))


def test_a_contradiction_is_found_before_the_first_is_asked_for() -> None:
    with pytest.raises(mp.ContradictionError, match="cannot both be right"):
        mp.enumerate_layouts(mp.Board.parse("12/##"))
    with pytest.raises(mp.ContradictionError, match="cannot both be right"):
        mp.sample_layouts(mp.Board.parse("12/##"), 1)


# drawing: the same again

DEEP = random_reveal(random.Random(3), 16, 30, 99, 0.4).board


def drawn(board: mp.Board, count: int, seed: int = 0, density: Fraction | None = None) -> list[Mines]:
    return list(mp.sample_layouts(board, count, seed=seed, density=density))


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(DEEP, 20, seed=7) == drawn(DEEP, 20, seed=7) != drawn(DEEP, 20, seed=8)


def test_fewer_are_the_first_of_more() -> None:
    many = drawn(DEEP, 3 * layouts.SAMPLE_BATCH + 5)
    assert len(many) == 3 * layouts.SAMPLE_BATCH + 5
    for count in (
        0,
        1,
        layouts.SAMPLE_BATCH - 1,
        layouts.SAMPLE_BATCH,
        layouts.SAMPLE_BATCH + 1,
        2 * layouts.SAMPLE_BATCH,
    ):
        assert drawn(DEEP, count) == many[:count]
    assert len(set(many)) == len(many)


@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
def test_a_layout_depends_on_its_number_alone(engine: Engine) -> None:
    board = mp.Board.parse("#1#1##/######", total_mines=4)

    def numbered(numbers: range) -> list[list[int]]:
        return engine.sample(Question.of(board), 5, numbers, mp.Budget())

    assert numbered(range(3, 7)) == numbered(range(10))[3:7]
    assert numbered(range(10)) != numbered(range(10, 20))


def test_seeds_of_all_64_bits() -> None:
    seeds = [0, 1, 2**32, 2**63, 2**64 - 1]
    assert len({tuple(drawn(DEEP, 3, seed=seed)) for seed in seeds}) == len(seeds)


def test_lazily() -> None:
    board = mp.Board(100, 100, bytes([255]) * 10_000, 2000)
    started = time.perf_counter()
    first = next(mp.sample_layouts(board, 10**9))
    assert len(first) == 2000
    assert time.perf_counter() - started < PATIENCE


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize("known", [True, False])
def test_what_is_drawn_fits(kind: Topology, known: bool) -> None:
    for seed, size in enumerate((9, 16, 30, 50)):
        board = random_reveal(random.Random(seed), size, size, size * size // 5, 0.4, kind).board
        board = board if known else board.replace({}, total_mines=None)
        result = drawn(board, 10, seed=seed)
        assert all(fits(board, mines) for mines in result)
        assert len(set(result)) == len(result) or mp.analyze(board).layouts < 1000


def test_small_boards_of_every_kind() -> None:
    rng = random.Random(21)
    for _ in range(400):
        board = small(rng).board
        if brute_force(board).consistent:
            assert all(fits(board, mines) for mines in drawn(board, 5, density=rng.choice([None, Fraction(1, 5)])))


@pytest.mark.parametrize(
    ("text", "total"), [("0#", 0), ("F1", 1), ("F1#", 1), ("000", 0), ("##", 0), ("##", 2), ("3#/##", 3)]
)
def test_the_only_layout_there_is(text: str, total: int) -> None:
    board = mp.Board.parse(text, total_mines=total)
    assert drawn(board, 3) == 3 * list(brute_force(board).layouts())


def test_flags_are_among_the_mines_or_ignored() -> None:
    board = mp.Board.parse("F1#", total_mines=1)
    assert set(drawn(board, 20)) == {frozenset({(0, 0)})}
    ignoring = mp.sample_layouts(board, 40, flags="ignore")
    assert set(ignoring) == {frozenset({(0, 0)}), frozenset({(0, 2)})}


@pytest.mark.parametrize("total", [50, 59, 60, 81])
def test_a_total_that_boxes_alone_would_seldom_meet(total: int) -> None:
    """The large piece holds 20 or 60 mines, the small ones 20 to 40 together: 60 mines are one layout of 2^20."""
    board = glued([two_faced(20)] + [ONE_OR_TWO] * 20, total_mines=total)
    results = list(mp.sample_layouts(board, 10, budget=2.0))
    assert all(fits(board, mines) for mines in results)


@pytest.mark.parametrize(
    ("count", "seed", "words"),
    [
        (-1, 0, "count must be at least 0, got -1"),
        (1, -1, "seed must be from 0 to 2\\*\\*64 - 1, got -1"),
        (1, 2**64, "seed must be from 0 to 2\\*\\*64 - 1"),
    ],
)
def test_what_cannot_be_drawn(count: int, seed: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        mp.sample_layouts(DEEP, count, seed=seed)


# drawing: uniformly

UNIFORM = [
    ("1##/###", 2, None),
    ("#1#1##", 2, None),
    ("#2##1##/##~~~~#", 4, None),
    ("#1~1#/~~#~~/~~1~~/~~#~~/~~~~~/##~~~", 3, None),
    ("1##/###", None, None),
    ("#1#1##", None, None),
    ("1##/#F#", None, None),
    ("1##/###", None, Fraction(1, 5)),
    ("#1#1##", None, Fraction(3, 4)),
    ("#2##1#/##~~~#", None, Fraction(1, 3)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "total", "density"), UNIFORM)
@pytest.mark.parametrize(("engine", "count"), [(KERNEL, 20_000), (REFERENCE, 1200)], ids=["kernel", "reference"])
def test_each_layout_comes_as_often_as_it_should(
    engine: Engine, count: int, text: str, total: int | None, density: Fraction | None
) -> None:
    board = mp.Board.parse(text, total_mines=total)
    answer = engine.sample(Question.of(board, density), 1, range(count), mp.Budget())
    seen = Counter(frozenset(map(board.cell, mines)) for mines in answer)
    expected = weights(brute_force(board).layouts(), density)
    assert set(seen) <= set(expected)
    assert surprise(seen, {mines: count * float(share) for mines, share in expected.items()}) < 4


def weights(every: Iterator[Mines], density: Fraction | None) -> dict[Mines, Fraction]:
    """The chance of each layout: all alike, or by the odds of its mines."""
    odds = Fraction(1) if density is None else density / (1 - density)
    raw = {mines: odds ** len(mines) for mines in every}
    return {mines: weight / sum(raw.values()) for mines, weight in raw.items()}


def surprise(seen: Counter[Mines], expected: dict[Mines, float]) -> float:
    """Pearson's chi-square as deviations of a normal variable (Wilson and Hilferty); layouts too rare are pooled."""
    cells = list(_pooled((seen[mines], often) for mines, often in expected.items()))
    freedom = len(cells) - 1
    if not freedom:
        return 0.0
    chi_square = sum((found - often) ** 2 / often for found, often in cells)
    spread = 2 / (9 * freedom)
    return (math.cbrt(chi_square / freedom) - (1 - spread)) / math.sqrt(spread)


def _pooled(cells: Iterable[tuple[int, float]]) -> Iterator[tuple[int, float]]:
    rare_found, rare_often = 0, 0.0
    for found, often in cells:
        if often >= 8:
            yield found, often
        else:
            rare_found, rare_often = rare_found + found, rare_often + often
    if rare_often >= 8:
        yield rare_found, rare_often
