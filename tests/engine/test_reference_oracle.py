"""The reference equals brute force, to the last layout, on thousands of small boards of every kind."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from support.checks import check_against_oracle
from support.engines import REFERENCE
from support.positions import small

pytestmark = pytest.mark.oracle

BATCHES, BOARDS_PER_BATCH = 50, 200
DENSITIES = [None, Fraction(1, 2), Fraction(1, 5), Fraction(2, 7), Fraction(99, 100)]


@pytest.mark.parametrize("batch", range(BATCHES))
def test_small_boards(batch: int) -> None:
    rng = random.Random(batch)
    for _ in range(BOARDS_PER_BATCH):
        check_against_oracle(REFERENCE.solve, small(rng).board, rng.choice(DENSITIES))


def test_larger_boards() -> None:
    rng = random.Random(1)
    for _ in range(20):
        check_against_oracle(REFERENCE.solve, small(rng, most_covered=18).board, rng.choice(DENSITIES))
