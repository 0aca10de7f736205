"""Rules on the mines: which layouts are allowed at all.

`LocalRule` objects become constraints, so layouts are counted. `ShapeRule` objects judge whole layouts, because what
is connected cannot be said cell by cell: layouts are listed and judged one by one, on small boards within a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from mineproof.base import checks
from mineproof.board.cells import Cell
from mineproof.problems.problem import Constraint
from mineproof.variants.clues import RING

_SIDES = RING[1::2]
_SEGMENT = 10  # cells of a line in one pattern; patterns of longer lines overlap
_BIG = 10  # more than the mines beside a cell can count for


@dataclass(frozen=True, slots=True)
class Area:
    """The board of a rule on the mines: its size, its cells, and the mines on it if their number is known."""

    rows: int
    columns: int
    cells: frozenset[Cell]
    total: int | None

    def index(self, cell: Cell) -> int:
        """Return the number of a cell, which is that of its variable."""
        return cell[0] * self.columns + cell[1]

    def near(self, cell: Cell, offsets: Iterable[Cell]) -> list[Cell]:
        """Return the cells of the board at some offsets."""
        row, column = cell
        places = ((row + down, column + right) for down, right in offsets)
        return [place for place in places if place in self.cells]

    def constraint(self, cells: Iterable[Cell], sums: Iterable[int], name: str) -> Constraint:
        """Return a constraint on the number of mines in some cells."""
        return Constraint([self.index(cell) for cell in cells], sums, name=name)


@dataclass(frozen=True, slots=True)
class LocalRule:
    """A rule that is a list of constraints: ``constraints(area)``. Needs ``cell_max`` 1 unless it says otherwise."""

    name: str
    constraints: Callable[[Area], Iterable[Constraint]]


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """A rule that judges a whole layout: ``allows(area, mines)``."""

    name: str
    allows: Callable[[Area, frozenset[Cell]], bool]


MineRule: TypeAlias = LocalRule | ShapeRule


def _at(name: str, cell: Cell) -> str:
    return f"{name} at ({cell[0]},{cell[1]})"


def _blocks(area: Area) -> Iterator[tuple[Cell, list[Cell]]]:
    """Yield the 2×2 blocks that lie wholly on the board, by their top left cell."""
    for cell in sorted(area.cells):
        block = [cell, *area.near(cell, ((0, 1), (1, 0), (1, 1)))]
        if len(block) == 4:
            yield cell, block


def _quad(area: Area) -> Iterator[Constraint]:
    for cell, block in _blocks(area):
        yield area.constraint(block, range(1, 5), _at("quad", cell))


def _no_three(area: Area) -> Iterator[Constraint]:
    """Yield whole lines as patterns: far fewer constraints are half-finished at once than with one for each triple."""
    for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for cell in sorted(area.cells):
            if area.near(cell, [(-step[0], -step[1])]):
                continue  # not the first of its line
            line = [cell]
            while following := area.near(line[-1], [step]):
                line += following
            for first in range(0, len(line) - 2, _SEGMENT - 2):
                part = line[first : first + _SEGMENT]
                if len(part) > 2:
                    places, factors = [area.index(place) for place in part], [1 << bit for bit in range(len(part))]
                    yield Constraint(places, _without_three(len(part)), factors, _at("no three", part[0]))


@cache
def _without_three(length: int) -> tuple[int, ...]:
    """Return the patterns of a line, as bits, without three in a row."""
    return tuple(bits for bits in range(1 << length) if not bits & bits >> 1 & bits >> 2)


def _balance(area: Area) -> Iterator[Constraint]:
    for lines, kind in ((area.rows, "row"), (area.columns, "column")):
        cells: list[list[Cell]] = [[] for _ in range(lines)]
        for cell in sorted(area.cells):
            cells[cell[kind == "column"]].append(cell)
        for number, line in enumerate(cells):
            name = f"balance of {kind} {number}"
            if area.total is not None:
                exact = [area.total // lines] if area.total % lines == 0 else []
                yield area.constraint(line, exact, name)
            elif number:
                both = [area.index(cell) for cell in [*line, *cells[0]]]
                yield Constraint(both, 0, [1] * len(line) + [-1] * len(cells[0]), name)


def _dual(area: Area) -> Iterator[Constraint]:
    for cell in sorted(area.cells):
        beside = [area.index(other) for other in area.near(cell, _SIDES)]
        sums = [*range(5), _BIG + 1]
        yield Constraint([area.index(cell), *beside], sums, [_BIG] + [1] * len(beside), _at("dual", cell))


def _no_touching(area: Area) -> Iterator[Constraint]:
    for row in range(max(1, area.rows - 1)):
        for column in range(max(1, area.columns - 1)):
            block = area.near((row, column), ((0, 0), (0, 1), (1, 0), (1, 1)))
            if len(block) > 1:
                yield area.constraint(block, range(2), _at("no touching", block[0]))


def _reach(cells: frozenset[Cell], starts: Iterable[Cell], offsets: Sequence[Cell]) -> set[Cell]:
    """Return the cells that can be reached from some of them."""
    pending = [cell for cell in starts if cell in cells]
    reached = set(pending)
    while pending:
        row, column = pending.pop()
        for down, right in offsets:
            cell = row + down, column + right
            if cell in cells and cell not in reached:
                reached.add(cell)
                pending.append(cell)
    return reached


def _is_connected(area: Area, mines: frozenset[Cell]) -> bool:
    return len(_reach(mines, list(mines)[:1], RING)) == len(mines)


def _is_outside(area: Area, mines: frozenset[Cell]) -> bool:
    free = area.cells - mines
    if len(_reach(free, list(free)[:1], _SIDES)) < len(free):
        return False
    border = [cell for cell in mines if len(area.near(cell, _SIDES)) < 4]
    return len(_reach(mines, border, _SIDES)) == len(mines)


def _is_snake(area: Area, mines: frozenset[Cell]) -> bool:
    degrees = sorted(sum(other in mines for other in area.near(cell, _SIDES)) for cell in mines)
    if len(mines) < 2:
        return True
    is_path = degrees[:2] == [1, 1] and set(degrees[2:]) <= {2}
    return is_path and len(_reach(mines, list(mines)[:1], _SIDES)) == len(mines)


BUILT_IN: dict[str, MineRule] = {
    rule.name: rule
    for rule in (
        LocalRule("quad", _quad),
        LocalRule("no-three", _no_three),
        LocalRule("balance", _balance),
        LocalRule("dual", _dual),
        LocalRule("no-touching", _no_touching),
        ShapeRule("connected", _is_connected),
        ShapeRule("outside", _is_outside),
        ShapeRule("snake", _is_snake),
    )
}


def mine_rule(rule: str | MineRule) -> MineRule:
    """Return a rule by name; rules are returned as they are."""
    if isinstance(rule, LocalRule | ShapeRule):
        return rule
    if checks.instance("mine_rules", rule, str, "or a LocalRule or ShapeRule") not in BUILT_IN:
        raise ValueError(f"mine_rules must be some of {', '.join(BUILT_IN)}, got {rule!r}")
    return BUILT_IN[rule]
