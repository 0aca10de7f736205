"""Which guesses the rules `safest` and `local` protect, by listing every layout of small boards."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import mineproof as mp
from mineproof.analysis.judgement import is_safest, region_of
from mineproof.board.geometry import Topology
from support.effort import examples
from support.oracle import Cell, brute_force
from support.positions import CLASSIC

pytestmark = pytest.mark.oracle

Mines = frozenset[Cell]


def random_position(topology: Topology, number: int) -> mp.Board:
    """A board of up to 15 cells with some cells open, as a game may show it."""
    chance = random.Random(f"{topology} {number}")
    rows, columns = chance.choice([(3, 4), (2, 6), (3, 5), (1, 12)])
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    mines = frozenset(chance.sample(cells, chance.randint(1, 5)))
    game = mp.Game(mp.Layout(rows, columns, mines, None, topology), first_click="any")
    for cell in chance.sample(cells, chance.randint(1, 4)):
        if cell not in mines and game.board[cell] == mp.COVERED and not game.is_over:
            game.open(*cell)
    return game.board


def linked(board: mp.Board, one: Cell, other: Cell) -> bool:
    """Do two cells touch a common open number, or no number at all?"""
    numbers = [{near for near in board.neighbours(cell) if board[near] >= 0} for cell in (one, other)]
    return bool(numbers[0] & numbers[1]) or not (numbers[0] or numbers[1])


def region_by_steps(board: mp.Board, cells: set[Cell], possible: set[Cell]) -> set[Cell]:
    """Add linked cells one by one until none is left to add."""
    region = cells & possible
    while more := {cell for cell in possible - region if any(linked(board, cell, other) for other in region)}:
        region |= more
    return region


@pytest.mark.parametrize("topology", CLASSIC)
def test_protected_guesses_are_those_of_brute_force(topology: Topology) -> None:
    answers: Counter[tuple[bool, bool]] = Counter()
    for number in range(examples(250)):
        board = random_position(topology, number)
        layouts: list[Mines] = list(brute_force(board).layouts())
        covered = set(board.cells(mp.COVERED))
        possible = {cell for cell in covered if not all(cell in mines for mines in layouts)}
        reveals = [{cell} for cell in covered]
        reveals += [set(board.neighbours(cell)) & covered for cell in board.cells(1)]  # as chords open them
        for cells in filter(None, reveals):
            hit = sum(bool(cells & mines) for mines in layouts)
            region = region_by_steps(board, cells, possible)
            assert region_of(board, cells, covered - possible) == region
            expected = tuple(
                all(sum(cell in mines for mines in layouts) >= hit for cell in rivals) for rivals in (possible, region)
            )
            actual = is_safest(board, cells), is_safest(board, cells, local=True)
            assert actual == expected, (str(board), cells)
            answers[actual] += 1
    assert min(answers[True, True], answers[False, True], answers[False, False]) > 5
    assert answers[True, False] == 0  # the safest of the board is the safest of its region


def test_the_total_must_be_known() -> None:
    with pytest.raises(ValueError, match="must have a total"):
        is_safest(mp.Board.parse("1#/##"), [(0, 1)])
