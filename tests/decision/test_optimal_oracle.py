"""Optimal play equals a search of every way to play on small positions of every kind.

`support.every_game` has the search.

MINEPROOF_BOARDS sets how many boards are tried, at a thirtieth of the number.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.decision.best_moves import best_move
from mineproof.decision.optimal import optimal_first_moves, optimal_moves, win_probability
from mineproof.engine.answers import Engine
from mineproof.engine.question import Question
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.every_game import EveryGame
from support.oracle import COVERED, FLAGGED, Truth, brute_force
from support.positions import CLASSIC, small

pytestmark = pytest.mark.oracle

BOARDS = int(os.environ.get("MINEPROOF_BOARDS", examples(15_000))) // 30
BATCH = 50
MOST_COVERED = 9
MOST_LAYOUTS = 60

both_engines = pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])


def playable(rng: random.Random) -> Truth:
    """A position that can be, with few layouts and a total."""
    while True:
        board = small(rng, MOST_COVERED).board
        truth = brute_force(board)
        if board.total_mines is not None and 0 < truth.count <= MOST_LAYOUTS and truth.covered:
            return truth


def positions(batch: int) -> Iterator[Truth]:
    rng = random.Random(f"optimal, batch {batch}")
    return (playable(rng) for _ in range(min(BATCH, BOARDS - batch * BATCH)))


every_batch = pytest.mark.parametrize("batch", range(-(-BOARDS // BATCH)))


@every_batch
def test_every_cell(batch: int) -> None:
    for truth in positions(batch):
        game = EveryGame(truth)
        expected = {cell: game.value(cell) for cell in truth.covered}
        assert optimal_moves(truth.board) == expected, repr(truth.board)
        assert win_probability(truth.board) == game.best(), repr(truth.board)
        move = best_move(truth.board, playouts=0)
        assert (move.win_fraction, move.exact) == (game.best(), True), repr(truth.board)
        assert move.cell is None or expected[move.cell] == game.best(), repr(truth.board)


@both_engines
def test_both_engines(engine: Engine) -> None:
    for truth in positions(0):
        board, game = truth.board, EveryGame(truth)
        assert board.total_mines is not None
        result = engine.optimal(Question.of(board), Budget(), every=True, most=MOST_LAYOUTS)
        assert Fraction(result.won, result.layouts) == game.best()
        assert result.layouts == truth.count
        worth = {board.cell(index): Fraction(won, result.layouts) for index, won in result.values.items()}
        assert worth == {cell: game.value(cell) for cell in truth.covered if cell not in truth.mines}
        if result.best is None:
            assert truth.mines == set(truth.covered)
        else:
            assert game.value(board.cell(result.best)) == game.best()


def test_the_sample_has_every_sort() -> None:
    seen: Counter[str] = Counter()
    for truth in positions(0):
        game = EveryGame(truth)
        worth = {cell: game.value(cell) for cell in truth.covered}
        safest = min(truth.mine_probability(cell) for cell in truth.covered)
        among_safest = [worth[cell] for cell in truth.covered if truth.mine_probability(cell) == safest]
        seen[truth.board.topology] += 1
        seen["safe cells"] += bool(truth.safe)
        seen["a guess"] += not truth.safe and truth.count > 1
        seen["it matters which"] += len(set(worth.values()) - {0}) > 1
        seen["not all of the safest are best"] += min(among_safest) < max(worth.values())
        seen["flags"] += any(truth.board.cells(FLAGGED))
    assert min(seen.values()) >= 3, seen
    assert len(seen) == 8, seen


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize(("rows", "columns", "mines"), [(2, 3, 2), (3, 3, 2), (2, 4, 3), (3, 3, 6), (1, 6, 2)])
def test_whole_boards(kind: Topology, rows: int, columns: int, mines: int) -> None:
    board = Board(rows, columns, bytes([COVERED & 0xFF]) * (rows * columns), mines, kind)
    truth = brute_force(board)
    game = EveryGame(truth)
    any_click = optimal_first_moves(rows, columns, mines, "any", topology=kind)
    assert any_click == {cell: game.value(cell) for cell in truth.covered}
    free = {cell: 1 - truth.mine_probability(cell) for cell in truth.covered}
    safe_click = optimal_first_moves(rows, columns, mines, "safe", topology=kind)
    assert safe_click == {cell: game.value(cell) / free[cell] for cell in truth.covered}
    open_click = optimal_first_moves(rows, columns, mines, "open", topology=kind)
    for cell in truth.covered:
        shows_zero = brute_force(board.replace({cell: 0}))
        assert open_click[cell] == (EveryGame(shows_zero).best() if shows_zero.consistent else None)
