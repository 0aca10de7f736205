"""Layouts are drawn evenly: each that is allowed as often as any other.

All layouts of a small board are listed by other means, many are drawn, and the chi-squared statistic of the counts must
lie within 4 deviations of its mean, which chance leaves about once in ten thousand. The seed is fixed, so a test that
passes keeps passing until the layouts change.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.generation.generator import generate_many
from mineproof.generation.guess_check import check
from support.oracle import Cell, neighbours
from support.positions import CLASSIC

pytestmark = pytest.mark.statistical

DRAWS_EACH = 150
Mines = frozenset[Cell]


def cells_of(rows: int, columns: int) -> list[Cell]:
    return [(row, column) for row in range(rows) for column in range(columns)]


def choices(cells: Collection[Cell], mines: int) -> set[Mines]:
    return set(map(frozenset, combinations(sorted(cells), mines)))


def deviations(drawn: Iterable[Mines], expected: Collection[Mines]) -> float:
    """How far the chi-squared statistic is from its mean, in deviations."""
    counts = Counter(drawn)
    assert counts.keys() <= set(expected), "only what is allowed"
    each = counts.total() / len(expected)
    statistic = sum((counts[mines] - each) ** 2 / each for mines in expected)
    degrees = len(expected) - 1
    return (statistic - degrees) / math.sqrt(2 * degrees)


def draw(expected: Collection[Mines], *size: int, **wishes: Any) -> list[Mines]:
    return [layout.mines for layout in generate_many(DRAWS_EACH * len(expected), *size, seed=9, **wishes)]


@pytest.mark.parametrize("kind", CLASSIC)
def test_uniform(kind: Any) -> None:
    expected = choices(cells_of(3, 3), 3)
    assert abs(deviations(draw(expected, 3, 3, 3, topology=kind), expected)) < 4


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize("rule", ["any", "safe", "open"])
def test_uniform_over_what_the_first_click_allows(rule: Any, kind: Any) -> None:
    start = (1, 0)
    around = neighbours(kind, 4, 5, start) if rule == "open" else set()
    kept_free = set() if rule == "any" else {start, *around}
    expected = choices(set(cells_of(4, 5)) - kept_free, 2)
    assert abs(deviations(draw(expected, 4, 5, 2, start=start, first_click=rule, topology=kind), expected)) < 4


def test_uniform_where_some_must_be_next_to_the_first_click() -> None:
    """Of 3 × 4 cells 6 are far from the start and 5 around it; the rest of 9 mines is spread evenly over those."""
    start = (1, 0)
    around = neighbours("grid", 3, 4, start)
    far = frozenset(cells_of(3, 4)) - around - {start}
    expected = {far | some for some in choices(around, 9 - len(far))}
    assert len(expected) == math.comb(5, 3)
    assert abs(deviations(draw(expected, 3, 4, 9, start=start, first_click="open"), expected)) < 4


def test_every_cell_of_a_large_board_is_as_likely() -> None:
    layouts = 3000
    counts = np.zeros((16, 30))
    for layout in generate_many(layouts, 16, 30, 99, seed=2):
        rows, columns = zip(*layout.mines, strict=True)
        counts[rows, columns] += 1
    chance = 99 / 480
    scores = (counts - layouts * chance) / math.sqrt(layouts * chance * (1 - chance))
    assert np.abs(scores).max() < 5
    assert 0.8 < float(np.mean(np.square(scores))) < 1.25


# without a guess


START = (0, 0)
SIZES = {"grid": (3, 5, 3), "torus": (4, 5, 3), "hex": (3, 5, 3)}  # a torus of three rows is all one neighbourhood


def guess_free(kind: Any) -> set[Mines]:
    """Every layout of a small board that needs no guess."""
    rows, columns, count = SIZES[kind]
    found = choices(set(cells_of(rows, columns)) - {START}, count)
    return {mines for mines in found if check(mp.Layout(rows, columns, mines, START, kind)).no_guess}


def draw_guess_free(expected: Collection[Mines], kind: Any, method: Any) -> list[Mines]:
    return draw(expected, *SIZES[kind], start=START, first_click="safe", no_guess=True, topology=kind, method=method)


@pytest.mark.parametrize("kind", CLASSIC)
def test_rejection_is_uniform_over_the_layouts_without_a_guess(kind: Any) -> None:
    expected = guess_free(kind)
    assert len(expected) > 20
    assert abs(deviations(draw_guess_free(expected, kind, "rejection"), expected)) < 4


@pytest.mark.parametrize("kind", CLASSIC)
def test_repair_reaches_every_layout_without_a_guess_and_prefers_some(kind: Any) -> None:
    """What the documents say of it: complete, and not uniform."""
    expected = guess_free(kind)
    drawn = draw_guess_free(expected, kind, "repair")
    assert set(drawn) == expected
    assert deviations(drawn, expected) > 10
