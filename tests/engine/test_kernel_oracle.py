"""The kernel equals brute force on small boards of every kind, and its floats are what its fractions round to.

MINEPROOF_BOARDS sets how many boards are tried: a million take about a quarter of an hour.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from fractions import Fraction

import pytest

from mineproof.board.board import Board
from support.checks import check_against_oracle
from support.effort import examples
from support.engines import KERNEL
from support.oracle import ABSENT, FLAGGED, brute_force
from support.positions import small

pytestmark = pytest.mark.oracle

BOARDS = int(os.environ.get("MINEPROOF_BOARDS", examples(15_000)))
BATCH = 500
DENSITIES = [None, Fraction(1, 2), Fraction(1, 5), Fraction(2, 7), Fraction(99, 100), Fraction(1, 10**6)]
ROUNDING = 1e-12


def check(board: Board, density: Fraction | None) -> None:
    try:
        check_against_oracle(KERNEL.solve, board, density, tolerance=ROUNDING)
    except Exception as error:
        error.add_note(f"{board!r}, density {density}")
        raise


@pytest.mark.parametrize("batch", range(-(-BOARDS // BATCH)))
def test_small_boards(batch: int) -> None:
    rng = random.Random(f"kernel, batch {batch}")
    for _ in range(min(BATCH, BOARDS - batch * BATCH)):
        check(small(rng).board, rng.choice(DENSITIES))


def test_larger_boards() -> None:
    rng = random.Random(3)
    for _ in range(60):
        check(small(rng, most_covered=18).board, rng.choice(DENSITIES))


def test_the_sample_has_every_oddity() -> None:
    seen = Counter(oddity for board in map(_first_board, range(400)) for oddity in _oddities(board))
    assert min(seen.values()) >= 10, seen
    assert len(seen) == 10, seen


def _first_board(seed: int) -> Board:
    return small(random.Random(seed)).board


def _oddities(board: Board) -> list[str]:
    unbounded = board.replace({}, total_mines=None)
    possible, satisfiable = brute_force(board).consistent, brute_force(unbounded).consistent
    told = {
        "numbers conflict": not satisfiable,
        "total conflicts": satisfiable and not possible,
        "one layout": brute_force(board).count == 1,
        "no total": board.total_mines is None,
        "flags": any(board.cells(FLAGGED)),
        "impossible with flags": any(board.cells(FLAGGED)) and not possible,
        "holes": any(board.cells(ABSENT)),
        board.topology: True,
    }
    return [oddity for oddity, present in told.items() if present]
