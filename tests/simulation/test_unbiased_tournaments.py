"""Survival-weighted games are unbiased: they give the exact chance to win where it is known, and what plain games give.

Deviations are in standard errors. One may be 4.5; of many together the mean and the spread are held to what chance
leaves, which shows a bias far smaller than the error of one. Seeds are fixed.
"""

import json
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.optimal import optimal_first_moves
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.simulation.comparison import compare
from mineproof.simulation.simulator import default_start, simulate
from mineproof.simulation.tournaments import tournament
from support.engines import needs_kernel

pytestmark = [pytest.mark.statistical, needs_kernel]

GOLDEN = Path(__file__).parent.parent / "golden" / "optimal_small_boards.json"


def require_unbiased(deviations: Sequence[float]) -> None:
    values = np.array(deviations)
    assert np.abs(values).max() < 4.5
    assert abs(values.mean()) < 3.5 / math.sqrt(len(values))
    assert 0.6 < values.std() < 1.4


def deviation(found: float | None, error: float | None, exact: Fraction | float) -> float:
    assert found is not None
    assert error is not None
    assert error > 0
    return (found - float(exact)) / error


def known_boards(first_click: str) -> Iterator[tuple[int, int, int, Fraction]]:
    """Boards whose optimal play wins some games and loses others, and how many."""
    for case in json.loads(GOLDEN.read_text("utf-8"))["values"]:
        exact = Fraction(case[first_click] or 0)
        if 0 < exact < 1 and case["layouts"] <= 5_000:
            yield case["rows"], case["columns"], case["mines"], exact


@pytest.mark.parametrize("first_click", ["any", "safe", "open"])
def test_optimal_play_of_small_boards(first_click: Any) -> None:
    """`best` plays optimally where 30,000 layouts fit or fewer: here from the first click on."""
    results = []
    for rows, columns, mines, exact in known_boards(first_click):
        values = optimal_first_moves(rows, columns, mines, first_click)
        start = min(cell for cell, value in values.items() if value == exact)
        played = tournament(
            rows, columns, mines, strategies=["best"], games=400, first_click=first_click, start=start, seed=3
        ).players[0]
        if played.standard_error:
            results.append(deviation(played.win_rate, played.standard_error, exact))
        else:
            assert played.win_rate == pytest.approx(float(exact))
    assert len(results) >= 10
    require_unbiased(results)


def safest(board: Board, analysis: Analysis) -> Cell:
    """The lowest odds, certain or not; the first of equals."""
    return min(board.cells(COVERED), key=lambda cell: (analysis.mine_probability[cell], cell))


def reckless(board: Board) -> Cell:
    """The last covered cell, even where it is certainly a mine."""
    return max(board.cells(COVERED))


def wins(choose: Any, layout: Layout, start: Cell) -> bool:
    game = Game(layout, first_click="any")
    game.open(*start)
    while not game.is_over:
        game.open(*(choose(game.board) if choose is reckless else choose(game.board, analyze(game.board))))
    return game.status == "won"


def exact_rate(choose: Any, rows: int, columns: int, mines: int, first_click: Any) -> tuple[Cell, Fraction]:
    """The first click, and the share of all layouts that a function wins, played one by one."""
    board = Layout(rows, columns, frozenset(), None)
    start = default_start(board, first_click)
    near = {start, *board.neighbours(start)} if first_click == "open" else {start} if first_click == "safe" else set()
    cells = [cell for cell in board.cells() if cell not in near]
    layouts = [Layout(rows, columns, frozenset(mined), start) for mined in combinations(cells, mines)]
    return start, Fraction(sum(wins(choose, layout, start) for layout in layouts), len(layouts))


@pytest.mark.parametrize("choose", [safest, reckless])
def test_functions_win_as_many_as_all_layouts_played_one_by_one(choose: Any) -> None:
    results = []
    for first_click in ("any", "safe", "open"):
        for rows, columns, mines in ((3, 4, 2), (3, 4, 4), (4, 3, 3), (2, 6, 3), (4, 4, 3)):
            start, exact = exact_rate(choose, rows, columns, mines, first_click)
            played = tournament(
                rows, columns, mines, strategies=[choose], games=250, first_click=first_click, start=start, seed=5
            ).players[0]
            if played.standard_error:
                results.append(deviation(played.win_rate, played.standard_error, exact))
            else:
                assert played.win_rate == pytest.approx(float(exact))
    assert len(results) > 5
    require_unbiased(results)


@pytest.mark.parametrize(("level", "games"), [("beginner", 4000), ("intermediate", 4000), ("expert", 2000)])
def test_differences_are_those_of_plain_games(level: str, games: int) -> None:
    """Plain and weighted games have layouts of their own here, so that their errors are independent."""
    names = ("strong", "fast")
    weighted = tournament(level, strategies=names, games=games, seed=11)
    plain = [simulate(level, strategy=name, games=2 * games, seed=12) for name in names]
    for player, other in zip(weighted.players, plain, strict=True):
        assert player.win_rate is not None
        assert player.standard_error is not None
        assert other.win_rate is not None
        error = math.sqrt(other.win_rate * (1 - other.win_rate) / other.games)
        assert abs(player.win_rate - other.win_rate) < 4 * math.hypot(player.standard_error, error)
        assert player.standard_error < error  # with half as many games
    pair, result = compare(*plain), weighted.difference()
    assert result.value is not None
    assert result.standard_error is not None
    assert pair.difference is not None
    error = math.sqrt((pair.only_first + pair.only_second) / pair.games**2)
    assert abs(result.value - pair.difference) < 4 * math.hypot(result.standard_error, error)
    assert result.standard_error < error / 2


def test_a_strategy_that_plays_worse_is_known_to_do_so() -> None:
    """On the same games, `minesolver` breaks ties at random: fewer games show it than plain ones need."""
    result = tournament("beginner", strategies=["fast", "minesolver"], games=600, seed=1).difference()
    assert result.interval.low > 0
