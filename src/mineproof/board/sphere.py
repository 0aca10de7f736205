"""The sphere of hexagons and twelve pentagons: which cells it has, which touch, and where they are on its map.

A sphere of frequency n is an icosahedron whose edges are cut into n parts. Its 10n² + 2 points are the cells: the
twelve corners are pentagons, all others hexagons. The map is the icosahedron cut open: five triangles above, a band of
ten around the middle, five below. So it has 3n + 1 rows and 5n columns, n for each of five strips (gores). Rows 0 and
3n are the poles, one cell each. Row k above the band has k cells in each strip; the rest of its places are holes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

GORES = 5
Point = frozenset[tuple[str, int]]  # corners of the icosahedron with their weights, which add up to the frequency
_POLE_GORE = 2  # the strip in which the poles are drawn


def frequency_of(rows: int, columns: int) -> int | None:
    """Return the frequency of a sphere of this size, or None if no sphere has it."""
    frequency = columns // GORES
    return frequency if columns == GORES * frequency and rows == 3 * frequency + 1 else None


def cells_in_strip(frequency: int, row: int) -> int:
    """Return how many cells of a row lie in each strip; a pole is in one strip only."""
    return min(row, frequency, 3 * frequency - row)


def places(frequency: int) -> Iterator[tuple[int, int, int]]:
    """Yield row, strip and place in the strip of every cell, in row order."""
    for row in range(3 * frequency + 1):
        if row in (0, 3 * frequency):
            yield row, _POLE_GORE, 0
            continue
        for gore in range(GORES):
            yield from ((row, gore, place) for place in range(cells_in_strip(frequency, row)))


def offset(frequency: int, row: int) -> float:
    """Return how far the first cell of a strip lies right of the strip's left end on the map."""
    if row <= frequency:
        return (frequency - row) / 2
    return (row - frequency) / 2


def point(frequency: int, row: int, gore: int, place: int) -> Point:
    """Return the point of the icosahedron that a cell is: its corners with their weights."""
    here, following = gore, (gore + 1) % GORES
    if row <= frequency:
        weights = {"T": frequency - row, f"U{here}": row - place, f"U{following}": place}
    elif row < 2 * frequency:
        down, over = row - frequency, place - (2 * frequency - row)
        if over <= 0:
            weights = {f"L{here}": down, f"U{following}": place, f"U{here}": -over}
        else:
            weights = {f"U{following}": frequency - down, f"L{following}": over, f"L{here}": frequency - place}
    else:
        down = row - 2 * frequency
        weights = {"B": down, f"L{here}": frequency - down - place, f"L{following}": place}
    return _point(weights)


def is_corner(frequency: int, row: int, place: int) -> bool:
    """Is a cell a corner of the icosahedron, so that it has five neighbours?"""
    return place == 0 and row % frequency == 0


@lru_cache(maxsize=16)
def neighbours(frequency: int) -> dict[int, list[int]]:
    """Return the neighbours of each cell, by index in a board of 5n columns."""
    columns = GORES * frequency
    index = {
        point(frequency, row, gore, place): row * columns + gore * frequency + place
        for row, gore, place in places(frequency)
    }
    touching: dict[int, set[int]] = {cell: set() for cell in index.values()}
    for corners in _faces():
        for weights in _weights(frequency):
            here = index[_point(dict(zip(corners, weights, strict=True)))]
            for more, less in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)):
                if weights[less]:
                    moved = list(weights)
                    moved[more] += 1
                    moved[less] -= 1
                    touching[here].add(index[_point(dict(zip(corners, moved, strict=True)))])
    return {cell: sorted(others) for cell, others in touching.items()}


def _point(weights: dict[str, int]) -> Point:
    return frozenset((corner, weight) for corner, weight in weights.items() if weight)


def _faces() -> Iterator[tuple[str, str, str]]:
    for gore in range(GORES):
        up, next_up, low, next_low = f"U{gore}", f"U{(gore + 1) % GORES}", f"L{gore}", f"L{(gore + 1) % GORES}"
        yield "T", up, next_up
        yield up, low, next_up
        yield low, next_low, next_up
        yield "B", low, next_low


def _weights(frequency: int) -> Iterator[tuple[int, int, int]]:
    for first in range(frequency + 1):
        for second in range(frequency + 1 - first):
            yield first, second, frequency - first - second
