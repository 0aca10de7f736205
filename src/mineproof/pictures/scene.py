"""The content of a picture, before it has a size or a colour: the look of each cell, marks and captions.

Colour is never the only sign: a safe cell has a tick, a mine a cross, odds are written in per cent, the numbers of a
proof have a thick ring, and the best move has a star.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.board.geometry import Topology
from mineproof.board.topology import topology_named
from mineproof.pictures.captions import board_title
from mineproof.wording.catalogue import message

Sign = Literal["number", "covered", "flag", "wrong", "mine", "exploded", "question"]
Ring = Literal["because", "near", "safe", "mine", "best", "safest", "wrong", "forced", "needless", "start"]
Certainty = Literal["safe", "mine"]

CLOSE_UP_MIN_SIZE = (6, 10)  # rows and columns

# Signs of the legend, in the order of their entries; the message of a sign is "picture-" and its name.
LEGEND_SIGNS = (
    "flag", "wrong", "exploded", "certain-safe", "certain-mine", "ring-because", "ring-near", "ring-best",
    "ring-safest", "ring-wrong", "ring-forced", "ring-needless", "ring-start",
)  # fmt: skip


@dataclass(slots=True)
class Look:
    """How one cell is drawn: ``chance`` is its colour, ``label`` its text, ``certainty`` what is certain about it."""

    sign: Sign
    number: int = 0
    chance: float | None = None
    label: str = ""
    certainty: Certainty | None = None
    ring: Ring | None = None
    badge: str = ""  # in a corner
    clue: str = ""  # of a variant, in place of the number


class Bar(NamedTuple):
    """A line of a small table below the board: a label, a bar for a share, and a text."""

    label: str
    share: float
    text: str


@dataclass(slots=True)
class Scene:
    """A picture as data: ``looks`` by cell, without cells that are not part of the board."""

    rows: int
    columns: int
    topology: Topology
    title: str
    looks: dict[Cell, Look]
    text: str = ""
    scale: str = ""  # meaning of the percentages in cells, if there are any
    bars_title: str = ""
    bars: list[Bar] = field(default_factory=list)
    first: Cell = (0, 0)  # the cell at the top left; a close-up starts elsewhere

    @property
    def legend(self) -> list[tuple[str, str]]:
        """The signs of this picture with their meanings, in the order of `LEGEND_SIGNS`."""
        signs: set[str] = set()
        for look in self.looks.values():
            signs.add(look.sign)
            if look.certainty:
                signs.add(f"certain-{look.certainty}")
            if look.ring:
                signs.add(f"ring-{look.ring}")
        return [(sign, message(f"picture-{sign}")) for sign in LEGEND_SIGNS if sign in signs]


def board_scene(board: Board) -> Scene:
    """Return the scene of a board without any additions."""
    looks = {}
    for index, byte in enumerate(board.codes):
        code = byte - 256 if byte > 127 else byte
        if code == ABSENT:
            continue
        sign: Sign = "covered" if code == COVERED else "flag" if code == FLAGGED else "number"
        looks[board.cell(index)] = Look(sign, max(code, 0))
    return Scene(board.rows, board.columns, board.topology, board_title(board), looks)


def close_up(scene: Scene, cells: Iterable[Cell], margin: int = 2) -> Scene:
    """Return the part of a scene around some cells, at least `CLOSE_UP_MIN_SIZE`.

    A board whose borders are joined is shown whole, and so is one whose cells do not repeat.
    """
    topology = topology_named(scene.topology)
    if topology.is_joined or topology.kind != "pattern":
        return scene
    centre = list(cells)
    top, tall = _span([row for row, _ in centre], scene.rows, margin, CLOSE_UP_MIN_SIZE[0])
    left, wide = _span([column for _, column in centre], scene.columns, margin, CLOSE_UP_MIN_SIZE[1])
    if (topology.has_shifted_rows or not topology.has_one_outline) and top % 2:  # every second row is different
        top, tall = top - 1, tall + 1
    if not topology.has_one_outline and left % 2:
        left, wide = left - 1, wide + 1
    looks = {
        (row - top, column - left): look
        for (row, column), look in scene.looks.items()
        if top <= row < top + tall and left <= column < left + wide
    }
    return replace(scene, rows=tall, columns=wide, looks=looks, first=(top, left))


def _span(places: list[int], size: int, margin: int, least: int) -> tuple[int, int]:
    """Return where a part of a side begins, and its length."""
    low, high = min(places) - margin, max(places) + margin + 1
    missing = max(0, least - (high - low))
    low, high = low - missing // 2, high + missing - missing // 2
    if low < 0:
        low, high = 0, high - low
    elif high > size:
        low, high = low - (high - size), size
    low, high = max(low, 0), min(high, size)
    return low, high - low


def percent_label(chance: float) -> str:
    """Return odds that are not certain in two or three characters: never 0 and never 100."""
    rounded = round(100 * chance)
    return "<1" if rounded < 1 else ">99" if rounded > 99 else str(rounded)
