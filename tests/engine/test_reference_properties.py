"""What must hold on boards too large for brute force, whatever the numbers say.

Another engine joins by being added to `ENGINES`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.geometry import Geometry
from mineproof.engine.question import Question
from support.checks import MINE, SAFE, Solve, layouts_or_zero, run, with_verdict
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.oracle import COVERED, FLAGGED, Cell
from support.positions import CLASSIC, Position, flood, random_reveal

pytestmark = pytest.mark.property

ENGINES = [REFERENCE.solve, KERNEL.solve]
every_engine = pytest.mark.parametrize("solve", ENGINES, ids=["reference", "kernel"])
thorough = settings(max_examples=examples(150))
every_total = settings(max_examples=examples(50))  # each example is counted once for every total there may be


def position_of(seed: int) -> Position:
    """Drawn from a seed in one go: left to hypothesis, sizes and shares drift to boards with nothing in question."""
    rng = random.Random(seed)
    rows, columns = rng.randint(4, 9), rng.randint(4, 9)
    mines = int(rows * columns * rng.uniform(0.1, 0.35))
    make = rng.choice([random_reveal, random_reveal, flood])
    return make(rng, rows, columns, mines, rng.uniform(0.1, 0.7), rng.choice(CLASSIC))


def positions() -> st.SearchStrategy[Position]:
    return st.builds(position_of, st.integers(0, 2**32))


def forgetful(position: Position) -> Board:
    return position.board.replace({}, total_mines=None)


# symmetry

Turn = Callable[[npt.NDArray[Any]], npt.NDArray[Any]]


def symmetries(board: Board) -> list[Turn]:
    """Ways to turn a board over that keep who touches whom."""
    if board.topology == "hex":  # odd rows are shifted: a flip that keeps odd rows odd, or a half turn that swaps
        return [np.flipud] if board.rows % 2 else [lambda cells: np.rot90(cells, 2)]
    turns: list[Turn] = [np.rot90, np.fliplr, np.transpose]
    if board.topology == "torus":
        turns.append(lambda cells: np.roll(cells, (2, 3), axis=(0, 1)))
    return turns


@every_engine
@given(positions())
@thorough
def test_turning_the_board_turns_the_answer(solve: Solve, position: Position) -> None:
    board = position.board
    counted = run(solve, board)
    places = np.arange(board.geometry.cells).reshape(board.rows, board.columns)
    for turn in symmetries(board):
        turned = Board.from_array(turn(board.to_array()), board.total_mines, board.topology)
        again = run(solve, turned)
        assert again.layouts() == counted.layouts()
        for index, origin in enumerate(turn(places).ravel().tolist()):
            assert again.verdicts()[index] == counted.verdicts()[origin]
            if board[board.cell(origin)] == COVERED:
                assert again.exact(index) == counted.exact(origin)


@dataclass(frozen=True, slots=True)
class Relabelled(Geometry):
    """The same shape under other indices: cell i of the original is cell ``label[i]`` here."""

    label: tuple[int, ...]

    @property
    def table(self) -> npt.NDArray[np.int32]:
        label = np.array([*self.label, self.cells], dtype=np.int32)
        table = np.empty_like(original := Geometry(self.topology, self.rows, self.columns).table)
        table[label[:-1]] = np.sort(label[original], axis=1)
        return table


@every_engine
@given(positions(), st.randoms(use_true_random=False))
@thorough
def test_names_of_cells_do_not_matter(solve: Solve, position: Position, rng: random.Random) -> None:
    board = position.board
    label = rng.sample(range(board.geometry.cells), board.geometry.cells)
    codes = bytearray(board.codes)
    for index, code in enumerate(board.codes):
        codes[label[index]] = code
    geometry = Relabelled(board.topology, board.rows, board.columns, tuple(label))
    counted = run(solve, board)
    again = solve(Question(geometry, bytes(codes), board.total_mines), Budget())
    assert again.layouts() == counted.layouts()
    assert bytes(again.verdicts()[place] for place in label) == counted.verdicts()
    np.testing.assert_allclose(again.mine_probability()[label], counted.mine_probability(), rtol=1e-12)


# sums


@every_engine
@given(positions())
@thorough
def test_expected_mines_add_up_to_the_total(solve: Solve, position: Position) -> None:
    board = position.board
    counted = run(solve, board)
    expected = sum(counted.exact(board.index(cell)) for cell in board.cells(COVERED))
    assert expected == board.total_mines


@every_engine
@given(positions())
@every_total
def test_layouts_of_all_totals_add_up(solve: Solve, position: Position) -> None:
    board = forgetful(position)
    totals = range(len(list(board.cells(COVERED))) + 1)
    each = [layouts_or_zero(solve, board.replace({}, total_mines=total)) for total in totals]
    assert sum(each) == run(solve, board).layouts()


@every_engine
@given(positions(), st.booleans(), st.data())
@thorough
def test_what_a_cell_may_show_splits_the_layouts(
    solve: Solve, position: Position, known: bool, data: st.DataObject
) -> None:
    board = position.board if known else forgetful(position)
    counted = run(solve, board)
    covered = list(board.cells(COVERED))
    if not covered:
        return
    cell = data.draw(st.sampled_from(covered))
    free = sum(layouts_or_zero(solve, board.replace({cell: number})) for number in range(9))
    mined = layouts_or_zero(solve, board.replace({cell: FLAGGED}))
    assert free + mined == counted.layouts()
    if known:
        assert counted.exact(board.index(cell)) == Fraction(mined, counted.layouts())


@every_engine
@given(positions(), st.fractions(min_value="1/20", max_value="19/20", max_denominator=20), st.data())
@every_total
def test_a_density_mixes_the_totals(solve: Solve, position: Position, density: Fraction, data: st.DataObject) -> None:
    board = forgetful(position)
    covered = list(board.cells(COVERED))
    if not covered:
        return
    index = board.index(data.draw(st.sampled_from(covered)))
    odds = density / (1 - density)
    whole = mined = Fraction(0)
    for total in range(len(covered) + 1):
        bounded = board.replace({}, total_mines=total)
        if layouts := layouts_or_zero(solve, bounded):
            whole += layouts * odds**total
            mined += layouts * odds**total * run(solve, bounded).exact(index)
    assert run(solve, board, density).exact(index) == mined / whole


# knowing more


def certainties(solve: Solve, board: Board) -> tuple[set[Cell], set[Cell]]:
    counted = run(solve, board)
    return with_verdict(board, counted, SAFE), with_verdict(board, counted, MINE)


@every_engine
@given(positions(), st.booleans(), st.data())
@thorough
def test_a_true_fact_keeps_certainties(solve: Solve, position: Position, known: bool, data: st.DataObject) -> None:
    board = position.board if known else forgetful(position)
    covered = list(board.cells(COVERED))
    if not covered:
        return
    cell = data.draw(st.sampled_from(covered))
    fact = FLAGGED if cell in position.ground.mines else position.ground.number(cell)
    safe, mines = certainties(solve, board)
    still_safe, still_mines = certainties(solve, board.replace({cell: fact}))
    assert safe - {cell} <= still_safe
    assert mines - {cell} <= still_mines


@every_engine
@given(positions())
@thorough
def test_the_total_keeps_certainties(solve: Solve, position: Position) -> None:
    safe, mines = certainties(solve, forgetful(position))
    still_safe, still_mines = certainties(solve, position.board)
    assert safe <= still_safe <= position.ground.safe
    assert mines <= still_mines <= position.ground.mines
