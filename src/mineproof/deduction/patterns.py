"""Patterns that players have names for: 1-1, 1-2, 1-2-1, 1-2-2-1, and the mine count.

Idea    Numbers stand side by side in a row or a column, and all their unknown cells lie on one side, along a wall. What
        counts is how many mines each number needs beyond the known ones, so 2-3 next to known mines may be a 1-2.
        A step has the name of the longest pattern that contains its numbers and decides all its cells the same way:
        the 1 and the 2 of a 1-2-1 prove a mine on their own, and players see a 1-2-1.
Cost    A few lookups for each step with two to four numbers.
Limits  Square boards that do not wrap around. The wall is straight: no number of the pattern has an unknown cell on
        its other side or beyond the end of the wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof.board.cells import Cell
from mineproof.deduction.state import Cells, Finding, State
from mineproof.wording.clauses import PATTERN_PREFIX, Clause

MINE_COUNT = "mine-count"
COUNTING_KINDS = frozenset(["board-has", "count-left", "cells-left", "leaves-mines"])


class _Pattern(NamedTuple):
    """Needs of numbers in a row, the wall cells each has, and what follows; place 0 is beside the first number.

    ``optional`` cells, past the ends of the pattern, may be unknown or not; if they are, they are safe.
    """

    needs: tuple[int, ...]
    seen: tuple[frozenset[int], ...]
    mines: frozenset[int]
    safe: frozenset[int]
    optional: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        return "-".join(map(str, self.needs))


def _places(*places: int) -> frozenset[int]:
    return frozenset(places)


# The longest first. A number with a place less than 0, or beyond the last number, has a longer wall.
PATTERNS = (
    _Pattern(
        (1, 2, 2, 1),
        (_places(0, 1), _places(0, 1, 2), _places(1, 2, 3), _places(2, 3)),
        mines=_places(1, 2), safe=_places(0, 3), optional=_places(-1, 4),
    ),
    _Pattern(
        (1, 2, 1), (_places(0, 1), _places(0, 1, 2), _places(1, 2)),
        mines=_places(0, 2), safe=_places(1), optional=_places(-1, 3),
    ),
    _Pattern((1, 2), (_places(0, 1), _places(0, 1, 2)), mines=_places(2), safe=_places(), optional=_places(-1)),
    _Pattern((1, 1), (_places(0, 1), _places(0, 1, 2)), mines=_places(), safe=_places(2)),
)  # fmt: skip
_DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def name_pattern(argument: Clause, pattern: Clause | None) -> Clause:
    """Return an argument with a first clause that names its pattern, if it has one."""
    return argument if pattern is None else Clause.join([pattern, argument])


def find_pattern(finding: Finding, state: State | None) -> Clause | None:
    """Return a clause that names the pattern of a finding, or None.

    ``state`` is the state before the finding is learned. Without it only a mine count has a name. The clause has a
    count if the pattern appears only once that many known mines are subtracted.
    """
    if any(clause.kind in COUNTING_KINDS for clause in finding.argument.walk()):
        return Clause(f"{PATTERN_PREFIX}{MINE_COUNT}")
    if state is None or not 2 <= len(finding.numbers) <= 4 or finding.uses_total or state.board.topology != "grid":
        return None
    cells = [state.board.cell(number) for number in finding.numbers]
    for pattern in PATTERNS:
        for line in _pattern_lines(cells, pattern):
            for side in (1, -1):
                if _matches(state, finding, pattern, line, side):
                    known = _known_mines(state, pattern, line)
                    return Clause(f"{PATTERN_PREFIX}{pattern.name}", count=known or None)
    return None


def _known_mines(state: State, pattern: _Pattern, line: tuple[Cell, Cell]) -> int:
    """Return how many known mines the numbers of a pattern touch."""
    (row, column), (down, right) = line
    cells = [(row + step * down, column + step * right) for step in range(len(pattern.needs))]
    return len({mine for cell in cells for mine in state.known_mines_around(state.board.index(cell))})


def _pattern_lines(cells: list[Cell], pattern: _Pattern) -> Iterator[tuple[Cell, Cell]]:
    """Yield first cells and directions of lines as long as a pattern that contain all these cells."""
    row, column = cells[0]
    length = len(pattern.needs)
    for down, right in _DIRECTIONS:
        for back in range(length):
            start = row - back * down, column - back * right
            places = {(start[0] + step * down, start[1] + step * right) for step in range(length)}
            if places.issuperset(cells):
                yield start, (down, right)


def _matches(state: State, finding: Finding, pattern: _Pattern, line: tuple[Cell, Cell], side: int) -> bool:
    (row, column), (down, right) = line
    board = state.board

    def index(place: int, off: int) -> int | None:
        """Return the cell beside the number at a place (``off`` is the side), or the number itself (0)."""
        cell = row + place * down + off * right, column + place * right + off * down
        inside = 0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns
        return board.index(cell) if inside else None

    def wall(places: frozenset[int]) -> Cells | None:
        """Return the set of the cells of the wall at some places; None if the board ends before."""
        cells = 0
        for place in places:
            cell = index(place, side)
            if cell is None:
                return None
            cells |= 1 << cell
        return cells

    past = 0
    for place in pattern.optional:
        cell = index(place, side)
        past |= 1 << cell if cell is not None else 0
    for place, (need, seen) in enumerate(zip(pattern.needs, pattern.seen, strict=True)):
        number, required = index(place, 0), wall(seen)
        if number is None or required is None:
            return False
        restriction = state.restriction(number)
        if restriction.need != need or restriction.cells & ~past != required:
            return False
    mines, safe = wall(pattern.mines), wall(pattern.safe)
    assert mines is not None
    assert safe is not None
    return finding.mines & ~mines == 0 == finding.safe & ~(safe | past)
