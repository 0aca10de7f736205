"""Rules on the mines: which layouts are allowed at all.

`LocalRule` objects become constraints, so layouts are counted. `ShapeRule` objects judge whole layouts, because what
is connected cannot be said cell by cell: layouts are listed and judged one by one, on small boards within a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TypeAlias

from mineproof.base import checks
from mineproof.board.cells import Cell
from mineproof.problems.problem import Constraint
from mineproof.variants.area import SQUARES, WITH_BORDER, WITH_ROWS, Area

_SEGMENT = 10  # cells of a line in one pattern; patterns of longer lines overlap


@dataclass(frozen=True, slots=True)
class LocalRule:
    """A rule that is a list of constraints: ``constraints(area)``. It is for one mine in a cell.

    ``shapes`` are the board shapes that it is for; None stands for all of them.
    """

    name: str
    constraints: Callable[[Area], Iterable[Constraint]]
    shapes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """A rule that judges a whole layout: ``allows(area, mines)``; ``shapes`` as for a `LocalRule`."""

    name: str
    allows: Callable[[Area, frozenset[Cell]], bool]
    shapes: tuple[str, ...] | None = None


MineRule: TypeAlias = LocalRule | ShapeRule


def _at(name: str, cell: Cell) -> str:
    return f"the rule {name} at ({cell[0]},{cell[1]})"


_JOINED = ("torus", "cylinder", "moebius")


def _blocks(area: Area) -> Iterator[tuple[Cell, list[Cell]]]:
    """Yield the 2×2 blocks that lie wholly on the board, by their top left cell."""
    seen = set()
    for cell in sorted(area.cells):
        block = [cell, *area.near(cell, ((0, 1), (1, 0), (1, 1)))]
        if len(block) == 4 and frozenset(block) not in seen:
            seen.add(frozenset(block))
            yield cell, block


def _quad(area: Area) -> Iterator[Constraint]:
    for cell, block in _blocks(area):
        yield area.constraint(block, range(1, 5), _at("quad", cell))


_LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


def _no_three(area: Area) -> Iterator[Constraint]:
    """Yield whole lines as patterns: far fewer constraints are half-finished at once than with one for each triple."""
    if area.topology in _JOINED:  # lines have no end
        yield from _triples(area)
        return
    for step in _LINES:
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
                    yield Constraint(places, _without_three(len(part)), factors, _at("no-three", part[0]))


def _triples(area: Area) -> Iterator[Constraint]:
    seen = set()
    for step in _LINES:
        for cell in sorted(area.cells):
            line = frozenset([cell, *area.near(cell, [step, (2 * step[0], 2 * step[1])])])
            if len(line) == 3 and line not in seen:
                seen.add(line)
                yield area.constraint(sorted(line), range(3), _at("no-three", cell))


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
            name = f"the rule balance for {kind} {number}"
            if area.total is not None:
                exact = [area.total // lines] if area.total % lines == 0 else []
                yield area.constraint(line, exact, name)
            elif number:
                both = [area.index(cell) for cell in [*line, *cells[0]]]
                yield Constraint(both, 0, [1] * len(line) + [-1] * len(cells[0]), name)


def _dual(area: Area) -> Iterator[Constraint]:
    for cell in sorted(area.cells):
        beside = [area.index(other) for other in area.sides(cell)]
        big = len(beside) + 1  # more than the mines beside the cell can count for
        yield Constraint(
            [area.index(cell), *beside], [*range(big), big + 1], [big] + [1] * (big - 1), _at("dual", cell)
        )


def _touching_groups(area: Area) -> Iterator[list[Cell]]:
    """Yield groups of cells that all touch each other, so that every two cells that touch are in one of them.

    They are far fewer than the pairs, and far fewer constraints are half-finished at once.
    """
    near = {cell: set(area.neighbours(cell)) for cell in sorted(area.cells)}
    seen: set[tuple[Cell, Cell]] = set()
    for cell, around in near.items():
        for other in sorted(around):
            if cell < other and (cell, other) not in seen:
                group, common = [cell, other], around & near[other]
                while common:
                    group.append(min(common))
                    common &= near[group[-1]]
                group.sort()
                seen.update(combinations(group, 2))
                yield group


def _no_touching(area: Area) -> Iterator[Constraint]:
    if area.topology != "grid":
        for group in _touching_groups(area):
            yield area.constraint(group, range(2), _at("no-touching", group[0]))
        return
    for row in range(max(1, area.rows - 1)):
        for column in range(max(1, area.columns - 1)):
            block = area.near((row, column), ((0, 1), (1, 0), (1, 1)))
            block = [cell for cell in ((row, column), *block) if cell in area.cells]
            if len(block) > 1:
                yield area.constraint(block, range(2), _at("no-touching", block[0]))


def _reach(cells: frozenset[Cell], starts: Iterable[Cell], beside: Callable[[Cell], Iterable[Cell]]) -> set[Cell]:
    """Return the cells that can be reached from some of them."""
    pending = [cell for cell in starts if cell in cells]
    reached = set(pending)
    while pending:
        for cell in beside(pending.pop()):
            if cell in cells and cell not in reached:
                reached.add(cell)
                pending.append(cell)
    return reached


def _is_connected(area: Area, mines: frozenset[Cell]) -> bool:
    return len(_reach(mines, list(mines)[:1], area.neighbours)) == len(mines)


def _is_outside(area: Area, mines: frozenset[Cell]) -> bool:
    free = area.cells - mines
    if len(_reach(free, list(free)[:1], area.sides)) < len(free):
        return False
    border = [cell for cell in mines if area.at_border(cell)]
    return len(_reach(mines, border, area.sides)) == len(mines)


def _is_snake(area: Area, mines: frozenset[Cell]) -> bool:
    degrees = sorted(sum(other in mines for other in area.sides(cell)) for cell in mines)
    if len(mines) < 2:
        return True
    is_path = degrees[:2] == [1, 1] and set(degrees[2:]) <= {2}
    return is_path and len(_reach(mines, list(mines)[:1], area.sides)) == len(mines)


BUILT_IN: dict[str, MineRule] = {
    rule.name: rule
    for rule in (
        LocalRule("quad", _quad, SQUARES),
        LocalRule("no-three", _no_three, SQUARES),
        LocalRule("balance", _balance, WITH_ROWS),
        LocalRule("dual", _dual),
        LocalRule("no-touching", _no_touching),
        ShapeRule("connected", _is_connected),
        ShapeRule("outside", _is_outside, WITH_BORDER),
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
