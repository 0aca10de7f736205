"""What a picture shows, before it has a size or a colour: the look of each cell, marks on some, and words.

Nothing is told by colour alone: a safe cell has a tick, a mine a cross, odds are written in per cent, the numbers of a
proof have a thick ring, and the best move has a star.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from mineproof.base.words import size
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.board.geometry import Topology

Sign = Literal["number", "covered", "flag", "wrong", "mine", "exploded", "question"]
Ring = Literal["because", "near", "safe", "mine", "best", "safest", "wrong", "forced", "needless", "start"]
Told = Literal["safe", "mine"]

CLOSE = (6, 10)  # rows and columns of a close-up, at least

MEANINGS: dict[str, str] = {
    "flag": "flag",
    "wrong": "wrong flag",
    "exploded": "mine that was opened",
    "told-safe": "certainly safe",
    "told-mine": "certainly a mine",
    "ring-because": "number used",
    "ring-near": "look here",
    "ring-best": "best move",
    "ring-safest": "safest cell",
    "ring-wrong": "this flag is wrong",
    "ring-forced": "forced guess",
    "ring-needless": "needless guess",
    "ring-start": "first click",
}


@dataclass(slots=True)
class Look:
    """How one cell is drawn; ``chance`` colours it, ``words`` stand in it, ``told`` is what is certain of it."""

    sign: Sign
    number: int = 0
    chance: float | None = None
    words: str = ""
    told: Told | None = None
    ring: Ring | None = None
    badge: str = ""  # in a corner


class Row(NamedTuple):
    """A line of a small table below the board: words, and a bar of so much of the width."""

    label: str
    share: float
    text: str


@dataclass(slots=True)
class Scene:
    """A picture as data: ``looks`` by cell, those that are not part of the board left out."""

    rows: int
    columns: int
    topology: Topology
    title: str
    looks: dict[Cell, Look]
    text: str = ""
    scale: str = ""  # what the per cent in cells are, where there are any
    bars_title: str = ""
    bars: list[Row] = field(default_factory=list)
    first: Cell = (0, 0)  # what is called so at the top left: of a close-up, not (0, 0)

    @property
    def meanings(self) -> list[tuple[str, str]]:
        """What the signs of this picture mean, in the order of `MEANINGS`."""
        seen: set[str] = set()
        for look in self.looks.values():
            seen.add(look.sign)
            if look.told:
                seen.add(f"told-{look.told}")
            if look.ring:
                seen.add(f"ring-{look.ring}")
        return [(name, meaning) for name, meaning in MEANINGS.items() if name in seen]


def bare(board: Board) -> Scene:
    """A board as it is seen."""
    looks = {}
    for index, byte in enumerate(board.codes):
        code = byte - 256 if byte > 127 else byte
        if code == ABSENT:
            continue
        sign: Sign = "covered" if code == COVERED else "flag" if code == FLAGGED else "number"
        looks[board.cell(index)] = Look(sign, max(code, 0))
    return Scene(board.rows, board.columns, board.topology, named(board), looks)


def close_up(scene: Scene, cells: Iterable[Cell], margin: int = 2) -> Scene:
    """The part of a scene around some cells, not smaller than `CLOSE`; a torus is shown whole, for it has no edges."""
    if scene.topology == "torus":
        return scene
    wanted = list(cells)
    top, tall = _span([row for row, _ in wanted], scene.rows, margin, CLOSE[0])
    left, wide = _span([column for _, column in wanted], scene.columns, margin, CLOSE[1])
    if scene.topology == "hex" and top % 2:  # every other row of hexagons stands half a cell to the right
        top, tall = top - 1, tall + 1
    looks = {
        (row - top, column - left): look
        for (row, column), look in scene.looks.items()
        if top <= row < top + tall and left <= column < left + wide
    }
    return replace(scene, rows=tall, columns=wide, looks=looks, first=(top, left))


def _span(places: list[int], size: int, margin: int, least: int) -> tuple[int, int]:
    """Where a part of a side begins, and how long it is."""
    low, high = min(places) - margin, max(places) + margin + 1
    missing = max(0, least - (high - low))
    low, high = low - missing // 2, high + missing - missing // 2
    if low < 0:
        low, high = 0, high - low
    elif high > size:
        low, high = low - (high - size), size
    low, high = max(low, 0), min(high, size)
    return low, high - low


def named(board: Board) -> str:
    """What the picture is of, for its title."""
    kind = {"grid": "", "torus": ", opposite edges joined", "hex": ", hexagons"}[board.topology]
    return f"Minesweeper, {size(board.rows, board.columns, board.total_mines)}{kind}"


def in_percent(chance: float) -> str:
    """Odds that are not certain, in two or three characters: never 0 and never 100."""
    rounded = round(100 * chance)
    return "<1" if rounded < 1 else ">99" if rounded > 99 else str(rounded)
