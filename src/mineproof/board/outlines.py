"""The outlines of cells in pictures: a name, and corners around the middle of the cell.

Lengths are in widths of a cell: a square has the side 1, and so has the distance of two hexagons of a row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outline:
    """The border of a cell: its corners around the middle, in the order in which they are drawn.

    The middle lies ``lower`` than the middle of its row: that of a triangle is nearer to its base than to its tip.
    """

    name: str
    corners: tuple[tuple[float, float], ...]
    lower: float = 0.0

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The smallest and the largest x and y: left, top, right, bottom."""
        across, down = zip(*self.corners, strict=True)
        return min(across), min(down), max(across), max(down)

    @property
    def depth(self) -> float:
        """Diameter of the circle around the middle that fits inside."""
        sides = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return 2 * min(abs(ax * by - ay * bx) / math.hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in sides)

    @property
    def room(self) -> float:
        """How large a sign can be, compared with one in a square: at most 1."""
        return min(1.0, round(self.depth, 9))


def regular(name: str, corners: int, inside: float, first: float, lower: float = 0.0) -> Outline:
    """Return a regular polygon: the radius of the circle inside it, and the angle of its first corner in degrees."""
    radius = inside / math.cos(math.pi / corners)
    angles = (math.radians(first) + 2 * math.pi * corner / corners for corner in range(corners))
    return Outline(name, tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles), lower)


TRIANGLE_SIDE = 1.5
TRIANGLE_HEIGHT = TRIANGLE_SIDE * math.sqrt(3) / 2
OCTAGON_STEP = 1.25  # from the middle of an octagon to that of a square beside it

SQUARE = Outline("square", ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))
HEXAGON = regular("hexagon", 6, 0.5, 30)
PENTAGON = regular("pentagon", 5, 0.42, -90)
TRIANGLE_UP = regular("triangle-up", 3, TRIANGLE_HEIGHT / 3, -90, TRIANGLE_HEIGHT / 6)
TRIANGLE_DOWN = regular("triangle-down", 3, TRIANGLE_HEIGHT / 3, 90, -TRIANGLE_HEIGHT / 6)
OCTAGON = regular("octagon", 8, OCTAGON_STEP * math.sqrt(0.5), 22.5)
SMALL_SQUARE = regular("small-square", 4, OCTAGON_STEP * (1 - math.sqrt(0.5)), 45)
DISC = regular("disc", 16, 0.5, 0)
