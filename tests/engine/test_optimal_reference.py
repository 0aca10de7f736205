"""The kernel plays as well as the reference, to the last layout of every cell, in positions of real games."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.engine.question import Question
from support.engines import KERNEL, REFERENCE
from support.oracle import FLAGGED, Cell
from support.positions import CLASSIC, Position, stuck

pytestmark = pytest.mark.parity

MOST = 150  # layouts


def certainly_safe(board: Board) -> Iterable[Cell]:
    return analyze(board).safe


def endgames(kind: Topology) -> list[Position]:
    games = (stuck(random.Random(seed), 6, 6, 12, certainly_safe, seed % 6, kind) for seed in range(200))
    return [game for game in games if 2 < analyze(game.board).layouts <= MOST]


@pytest.mark.parametrize("kind", CLASSIC)
def test_endgames(kind: Topology) -> None:
    games = endgames(kind)
    assert len(games) >= 5
    for game in games:
        check_same(game.board)
        flagged = [cell for cell in sorted(game.ground.mines) if cell[0] % 2]
        check_same(game.board.replace(dict.fromkeys(flagged, FLAGGED)))


def check_same(board: Board) -> None:
    assert board.total_mines is not None
    question, budget = Question.of(board), Budget()
    native = KERNEL.optimal(question, budget, every=True, most=MOST)
    plain = REFERENCE.optimal(question, budget, every=True, most=MOST)
    assert (native.won, native.layouts, native.values) == (plain.won, plain.layouts, plain.values)
    assert (native.best is None) == (plain.best is None)
    if native.best is not None:
        assert native.values[native.best] == native.won
    assert KERNEL.optimal(question, budget, every=False, most=MOST).won == native.won
