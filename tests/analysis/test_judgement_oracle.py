"""Verdicts on reveals equal brute force, and every layout drawn instead is one of those it may be.

MINEPROOF_BOARDS sets how many boards are tried.
"""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from mineproof.analysis.judgement import Judgement, judge, redraw_free, redraw_mined
from mineproof.board.board import Board
from mineproof.errors import ContradictionError
from support.effort import examples
from support.oracle import COVERED, Cell, Truth, brute_force
from support.positions import small

pytestmark = pytest.mark.oracle

BOARDS = min(int(os.environ.get("MINEPROOF_BOARDS", examples(3_000))), 30_000)
BATCH = 500
Cells = frozenset[Cell]


def reveal(rng: random.Random) -> tuple[Board, Truth, Cells]:
    """A board that some layout fits once its flags are ignored, all those layouts, and some of its covered cells."""
    while True:
        board = small(rng, most_covered=11).board
        truth = brute_force(board.without_flags()) if 0 < hidden(board) <= 14 else None
        if truth is not None and truth.consistent:
            chosen = rng.sample(truth.covered, min(len(truth.covered), rng.choice([1, 1, 2, 3, 5])))
            return board, truth, frozenset(chosen)


def hidden(board: Board) -> int:
    return sum(1 for _ in board.without_flags().cells(COVERED))


def expected(truth: Truth, cells: Cells) -> Judgement:
    layouts = list(truth.layouts())
    hits = [bool(cells & mines) for mines in layouts]
    return Judgement(forced=not truth.safe, may_be_free=not all(hits), may_be_mine=any(hits))


def check(board: Board, truth: Truth, cells: Cells, number: int) -> Judgement:
    verdict = judge(board, cells)
    assert verdict == expected(truth, cells)
    fitting = set(truth.layouts())
    for redraw, possible, hit in ((redraw_free, verdict.may_be_free, False), (redraw_mined, verdict.may_be_mine, True)):
        if possible:
            mines = redraw(board, cells, 17, number)
            assert mines in fitting
            assert bool(cells & mines) == hit
        else:
            with pytest.raises(ContradictionError):
                redraw(board, cells, 17, number)
    return verdict


@pytest.mark.parametrize("batch", range(-(-BOARDS // BATCH)))
def test_small_boards(batch: int) -> None:
    rng = random.Random(f"fair, batch {batch}")
    seen = Counter[Judgement]()
    for number in range(BATCH):
        board, truth, cells = reveal(rng)
        try:
            seen[check(board, truth, cells, number)] += 1
        except Exception as error:
            error.add_note(f"{board!r}, cells {sorted(cells)}, number {number}")
            raise
    assert len(seen) == 5, seen  # every verdict there can be: a forced reveal that is certain is a contradiction
