"""The kernel plays as well as the reference, to the last layout of every cell, in positions of real games."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from mineproof import kernel, reference_optimal
from mineproof.analysis import analyze
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.topology import KINDS, Kind
from support.oracle import FLAGGED, Cell
from support.positions import Position, stuck

MOST = 150  # layouts


def certainly_safe(board: Board) -> Iterable[Cell]:
    return analyze(board).safe


def endgames(kind: Kind) -> list[Position]:
    games = (stuck(random.Random(seed), 6, 6, 12, certainly_safe, seed % 6, kind) for seed in range(200))
    return [game for game in games if 2 < analyze(game.board).layouts <= MOST]


@pytest.mark.parametrize("kind", KINDS)
def test_endgames(kind: Kind) -> None:
    games = endgames(kind)
    assert len(games) >= 5
    for game in games:
        check_same(game.board)
        flagged = [cell for cell in sorted(game.ground.mines) if cell[0] % 2]
        check_same(game.board.replace(dict.fromkeys(flagged, FLAGGED)))


def check_same(board: Board) -> None:
    assert board.total_mines is not None
    question = board.topology, board.codes, board.total_mines, Budget()
    native, plain = (
        optimal(*question, every=True, most=MOST) for optimal in (kernel.optimal, reference_optimal.optimal)
    )
    assert (native.won, native.layouts, native.values) == (plain.won, plain.layouts, plain.values)
    assert (native.best is None) == (plain.best is None)
    if native.best is not None:
        assert native.values[native.best] == native.won
    assert kernel.optimal(*question, every=False, most=MOST).won == native.won
