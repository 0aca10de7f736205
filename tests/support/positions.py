"""Random positions, each a pure function of the random generator it is given.

`small` positions fit the brute force and have every oddity a board may have; the others are what games look like.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from support.oracle import ABSENT, COVERED, FLAGGED, Cell, neighbours, touching

CLASSIC: tuple[Topology, ...] = ("grid", "torus", "hex")  # most tests are about these
OTHERS: tuple[Topology, ...] = (
    "cylinder", "moebius", "triangles", "knight", "orthogonal", "cross", "radius2", "octagons", "cube", "sphere",
)  # fmt: skip


@dataclass(frozen=True)
class Ground:
    """The truth a position is cut out of: a shape, the cells that exist, and the mines."""

    kind: Topology
    rows: int
    columns: int
    cells: frozenset[Cell]
    mines: frozenset[Cell]

    @property
    def safe(self) -> frozenset[Cell]:
        return self.cells - self.mines

    def around(self, cell: Cell) -> set[Cell]:
        return neighbours(self.kind, self.rows, self.columns, cell) & self.cells

    def number(self, cell: Cell) -> int:
        return len(self.around(cell) & self.mines)

    def cascade(self, start: Cell) -> set[Cell]:
        """What one click on a safe cell opens."""
        opened, waiting = {start}, [start]
        while waiting:
            cell = waiting.pop()
            if self.number(cell) == 0:
                found = self.around(cell) - opened
                opened |= found
                waiting += found
        return opened

    def board(self, opened: Iterable[Cell], flagged: Iterable[Cell] = ()) -> Board:
        """What a player sees who knows the total."""
        shown = dict.fromkeys(self.cells, COVERED)
        shown |= dict.fromkeys(flagged, FLAGGED)
        shown |= {cell: self.number(cell) for cell in opened}
        places = ((row, column) for row in range(self.rows) for column in range(self.columns))
        codes = bytes(shown.get(cell, ABSENT) & 0xFF for cell in places)
        return Board(self.rows, self.columns, codes, len(self.mines), self.kind)


@dataclass(frozen=True)
class Position:
    board: Board
    ground: Ground


def ground(
    rng: random.Random, rows: int, columns: int, mines: int, kind: Topology = "grid", absent: float = 0.0
) -> Ground:
    """A board of one shape with mines anywhere; each cell is missing with the chance ``absent``."""
    places = [(row, column) for row in range(rows) for column in range(columns)]
    cells = [cell for cell in places if rng.random() >= absent]
    return Ground(kind, rows, columns, frozenset(cells), frozenset(rng.sample(cells, min(mines, len(cells)))))


def random_reveal(
    rng: random.Random, rows: int, columns: int, mines: int, share: float, kind: Topology = "grid"
) -> Position:
    """Each safe cell opened or not by the toss of a coin: wider than any game gets."""
    truth = ground(rng, rows, columns, mines, kind)
    return Position(truth.board(cell for cell in sorted(truth.safe) if rng.random() < share), truth)


def flood(rng: random.Random, rows: int, columns: int, mines: int, share: float, kind: Topology = "grid") -> Position:
    """Clicks on random safe cells, with their cascades, until a share of the safe cells is open."""
    truth = ground(rng, rows, columns, mines, kind)
    opened: set[Cell] = set()
    for cell in rng.sample(sorted(truth.safe), len(truth.safe)):
        if len(opened) >= share * len(truth.safe):
            break
        opened |= truth.cascade(cell)
    return Position(truth.board(opened), truth)


def stuck(
    rng: random.Random,
    rows: int,
    columns: int,
    mines: int,
    certainly_safe: Callable[[Board], Iterable[Cell]],
    guesses: int = 0,
    kind: Topology = "grid",
) -> Position:
    """A game in which all that is certain has been opened, after some lucky guesses; solved if none was needed."""
    truth = ground(rng, rows, columns, mines, kind)
    opened: set[Cell] = set()
    for guess in rng.sample(sorted(truth.safe), len(truth.safe))[: guesses + 1]:
        opened |= truth.cascade(guess)
        while sure := set(certainly_safe(truth.board(opened))):
            opened.update(*map(truth.cascade, sure))
    return Position(truth.board(opened), truth)


def small(rng: random.Random, most_covered: int = 13) -> Position:
    """Any shape, holes, flags on mines and sometimes not, a total that is true, unknown or wrong, numbers that may lie.

    The ground is the truth only where nothing was tampered with.
    """
    rows, columns = rng.choice([1, 2, 3, 3, 4, 4, 5]), rng.choice([1, 2, 3, 4, 5, 5, 6])
    truth = ground(rng, rows, columns, rng.randint(0, 9), rng.choice(CLASSIC), rng.choice([0.0, 0.0, 0.15]))
    return _cut_out(rng, truth, most_covered)


def small_of(rng: random.Random, kind: Topology, most_covered: int = 13) -> Position:
    """The same on a board of one of the other shapes."""
    if kind == "cube":
        side = rng.choice([2, 2, 3])
        rows, columns = side, side * rng.choice([2, 3] if side == 2 else [2])
    elif kind == "sphere":
        rows, columns = rng.choice([(4, 5), (4, 5), (7, 10)])
    else:
        rows, columns = rng.choice([1, 2, 3, 4, 4, 5]), rng.choice([2, 3, 4, 5, 6])
    present = touching(kind, rows, columns)
    cells = [cell for cell in sorted(present) if rng.random() >= rng.choice([0.0, 0.0, 0.1])]
    mines = rng.sample(cells, min(rng.randint(0, max(9, len(cells) // 2)), len(cells)))
    return _cut_out(rng, Ground(kind, rows, columns, frozenset(cells), frozenset(mines)), most_covered)


def _cut_out(rng: random.Random, truth: Ground, most_covered: int) -> Position:
    """What a player sees of a board, with at most so many covered cells, and sometimes with something wrong in it."""
    safe, mined = sorted(truth.safe), sorted(truth.mines)
    flagged = [cell for cell in mined if rng.random() < rng.choice([0.0, 0.0, 0.4])]
    opened = rng.sample(safe, int(len(safe) * rng.choice([0.1, 0.3, 0.5, 0.7, 1.0])))
    covered = sorted(truth.cells.difference(opened, flagged))
    surplus = rng.sample(covered, max(0, len(covered) - most_covered))
    flagged += [cell for cell in surplus if cell in truth.mines]
    opened += [cell for cell in surplus if cell not in truth.mines]
    board = truth.board(opened, flagged)
    if rng.random() < 0.35:
        board = board.replace({}, total_mines=None)
    if rng.random() < 0.3:
        board = _tampered(rng, board)
    return Position(board, truth)


def _tampered(rng: random.Random, board: Board) -> Board:
    """The same board with one thing changed: a number, a flag too many, or the total."""
    places = [(row, column) for row in range(board.rows) for column in range(board.columns)]
    numbers = [cell for cell in places if board[cell] >= 0]
    covered = [cell for cell in places if board[cell] == COVERED]
    what = rng.choice(["number", "number", "flag", "total"])
    if what == "number" and numbers:
        cell = rng.choice(numbers)
        largest = board.geometry.largest_number
        return board.replace({cell: min(largest, max(0, board[cell] + rng.choice([-1, 1])))})
    if what == "flag" and covered:
        return board.replace({rng.choice(covered): FLAGGED})
    present = sum(board[cell] != ABSENT for cell in places)
    return board.replace({}, total_mines=rng.randint(0, present))
