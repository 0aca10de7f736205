"""A scene as SVG: text is text, every class of shape is one path, and colours are rules for a class.

Size     A picture of an expert board takes 40 to 55 kB. Cells that look alike share one path; a number is a text
         element of its own, so that it can be selected, searched and read aloud.
Themes   The root's class names the theme, and every rule begins with it: pictures of several themes may stand in one
         page. ``auto`` follows the reader's system.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable
from typing import NamedTuple
from xml.sax.saxutils import escape

from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.pictures.palette import Theme, heat
from mineproof.pictures.scene import Look, Scene
from mineproof.pictures.shapes import FIGURES, SIGNS, STAR, TOLD, number, polygon, scaled
from mineproof.pictures.style import rules

CELL = 32.0  # units
MARGIN = 8.0
LINE = 19.0  # height of a line of words
LETTER = 7.6  # about the width of a letter of words
LEAST = 360.0  # width of the words below a small board

_HEX_ROW, _HEX_SIDE = math.sqrt(3) / 2, 1 / math.sqrt(3)
_HEXAGON = [
    (_HEX_SIDE * math.cos(math.pi / 6 + k * math.pi / 3), _HEX_SIDE * math.sin(math.pi / 6 + k * math.pi / 3))
    for k in range(6)
]
ON_NUMBERS = ("because", "near", "forced", "needless", "start")  # rings that stand around open cells


def svg(scene: Scene, theme: Theme, *, legend: bool, coordinates: bool) -> str:
    """The whole picture."""
    return _Sheet(scene, theme, legend, coordinates).text()


class Places(NamedTuple):
    """Where things stand in a picture of a board: its size, the middle of each cell, and what is around the board."""

    width: float
    height: float
    middles: dict[Cell, tuple[float, float]]
    frame: str


def places(scene: Scene) -> Places:
    """For pages that put a board together themselves, of a `piece` for each cell."""
    sheet = _Sheet(scene, "auto", legend=False, coordinates=True)
    return sheet.places()


def piece(look: Look, topology: Topology) -> str:
    """One cell with its middle at 0, 0; it wants the `rules` of a theme."""
    sheet = _Sheet(Scene(1, 1, topology, "", {(0, 0): look}), "auto", legend=False, coordinates=False)
    return sheet.piece()


def written_size(text: str) -> tuple[float, float]:
    """Width and height that an SVG of ours says it has."""
    found = re.search(r'width="([0-9.]+)" height="([0-9.]+)"', text)
    assert found is not None
    return float(found[1]), float(found[2])


class _Sheet:
    """A picture being drawn: paths by class, and everything else in order."""

    def __init__(self, scene: Scene, theme: Theme, legend: bool, coordinates: bool) -> None:
        self._scene, self._theme, self._legend = scene, theme, legend
        self._hex = scene.topology == "hex"
        self._paths: dict[str, list[str]] = {}
        self._over: list[str] = []
        digits = max(len(str(scene.first[0] + scene.rows - 1)), 2)
        self._left = MARGIN + (digits * 8.0 + 4 if coordinates else 0)
        self._top = MARGIN + (18.0 if coordinates else 0)
        self._coordinates = coordinates
        wide = (scene.columns + (0.5 if self._hex and scene.rows > 1 else 0)) * CELL
        tall = ((scene.rows - 1) * _HEX_ROW + 2 * _HEX_SIDE if self._hex else scene.rows) * CELL
        self._board = (wide, tall)
        self._width = max(self._left + wide + MARGIN, LEAST if legend else 0)
        self._height = self._top + tall + MARGIN

    def places(self) -> Places:
        middles = {cell: self._middle(cell) for cell in self._scene.looks}
        return Places(self._width, self._height, middles, "".join(self._surroundings()))

    def piece(self) -> str:
        x, y = self._middle((0, 0))
        self._left, self._top = self._left - x, self._top - y
        return "".join(self._drawn())

    def _drawn(self) -> list[str]:
        """All cells: paths by class, then words."""
        for cell, look in self._scene.looks.items():
            self._cell(cell, look)
        order = sorted(self._paths, key=_layer)
        paths = [f'<path class="{name}"{_fill(name)} d="{"".join(self._paths[name])}"/>' for name in order]
        return paths + self._over

    def _surroundings(self) -> list[str]:
        """Numbers of rows and columns, and the frame of a torus."""
        rulers = self._rulers() if self._coordinates else []
        return [*rulers, self._frame()] if self._scene.topology == "torus" else rulers

    def text(self) -> str:
        cells = self._drawn()
        numbers = self._surroundings()
        below = self._below() if self._legend else []
        title = escape(self._scene.title)
        described = f"<desc>{escape(self._scene.text)}</desc>" if self._scene.text else ""
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" class="mp-{self._theme}" role="img" '
            f'width="{number(self._width)}" height="{number(self._height)}" '
            f'viewBox="0 0 {number(self._width)} {number(self._height)}">',
            f"<title>{title}</title>{described}",
            f"<style>{rules(self._theme)}</style>",
            f'<rect class="paper" width="{number(self._width)}" height="{number(self._height)}"/>',
            *numbers, *cells, *below, "</svg>", "",
        ])  # fmt: skip

    # cells

    def _middle(self, cell: Cell) -> tuple[float, float]:
        row, column = cell
        if not self._hex:
            return self._left + (column + 0.5) * CELL, self._top + (row + 0.5) * CELL
        return self._left + (column + 0.5 + row % 2 / 2) * CELL, self._top + (row * _HEX_ROW + _HEX_SIDE) * CELL

    def _cell(self, cell: Cell, look: Look) -> None:
        x, y = self._middle(cell)
        self._tile(x, y, look)
        self._sign(x, y, look)
        if look.ring:
            self._path(f"ring {look.ring}{_on(look)}", self._outline(x, y, 2.5))
            if look.ring == "best" and not look.words:
                self._path(f"star{_on(look)}", polygon(x, y, [(px * 9, py * 9) for px, py in STAR]))
        if look.badge:
            self._over.append(_words(f"badge{_on(look)}", x + CELL * 0.34, y - CELL * 0.2, 10, look.badge))

    def _tile(self, x: float, y: float, look: Look) -> None:
        is_open = look.sign in ("number", "mine")
        kind = "tile exploded" if look.sign == "exploded" else "tile open" if is_open else "tile covered"
        if look.chance is not None and look.sign != "exploded":
            kind = f"tile heat {heat(look.chance)}"
        self._path(kind, self._outline(x, y, 0.75))

    def _sign(self, x: float, y: float, look: Look) -> None:
        """What is in the middle of a cell; to the left and below, and smaller, where a corner is taken."""
        on = _on(look)
        shift, size = ((-4.0, 4.0), 0.7) if look.badge else ((0.0, 0.0), 1.0)
        x, y = x + shift[0], y + shift[1]
        if look.sign == "number" and look.number:
            self._over.append(_words(f"n n{look.number}", x, y, 20 if size == 1 else 17, str(look.number)))
        elif look.sign in FIGURES:
            self._figure(x, y, size, look.sign, on)
        elif look.sign == "question":
            self._over.append(_words(f"ink{on}", x, y, 18, "?"))
        if look.told is not None and look.sign in ("covered", "question"):
            self._path(f"line {TOLD[look.told]}{on}", SIGNS[look.told](x, y))
        elif look.words:
            self._over.append(_words(f"odds ink{on}", x, y, 12.5, look.words))

    def _figure(self, x: float, y: float, size: float, sign: str, on: str) -> None:
        """A flag or a mine: as it is in the paths that are shared, or smaller in a group of its own."""
        if size != 1:
            self._over.append(scaled(x, y, size, sign, on))
            return
        for name, piece in FIGURES[sign]:
            self._path(name + on, piece(x, y))

    def _outline(self, x: float, y: float, inset: float) -> str:
        if self._hex:
            size = CELL - 2 * inset
            return polygon(x, y, [(px * size, py * size) for px, py in _HEXAGON])
        half = CELL / 2 - inset
        return f"M{number(x - half)} {number(y - half)}h{number(2 * half)}v{number(2 * half)}h{number(-2 * half)}z"

    def _path(self, name: str, piece: str) -> None:
        self._paths.setdefault(name, []).append(piece)

    # around the board

    def _rulers(self) -> list[str]:
        """Numbers of rows and columns."""
        found = []
        scene = self._scene
        top, left = scene.first
        for row in range(scene.rows):
            _, y = self._middle((row, 0))
            found.append(_words("ruler end", self._left - 6, y, 11, str(row + top)))
        for column in range(scene.columns):
            x, _ = self._middle((0, column))
            found.append(_words("ruler", x, self._top - 9, 11, str(column + left)))
        return found

    def _frame(self) -> str:
        """Around a torus: its edges are joined."""
        wide, tall = self._board
        return (
            f'<rect class="frame" x="{number(self._left - 2)}" y="{number(self._top - 2)}" '
            f'width="{number(wide + 4)}" height="{number(tall + 4)}"/>'
        )

    def _below(self) -> list[str]:
        """What signs mean, a scale of odds, what a move may show, and the words."""
        found: list[str] = []
        y = self._height + 6
        y = self._entries(found, y)
        if self._scene.scale and any(look.chance is not None for look in self._scene.looks.values()):
            y = self._scale(found, y)
        elif self._scene.scale:
            found.append(_words("words", self._left, y, 13, f"In cells: {self._scene.scale}"))
            y += LINE
        y = self._bars(found, y)
        room = int((self._width - self._left - MARGIN) / LETTER)
        for paragraph in self._scene.text.split("\n") if self._scene.text else []:
            for line in _folded(paragraph, max(room, 20)):
                found.append(_words("words", self._left, y, 13, line))
                y += LINE
        self._height = y + MARGIN - 6
        return found

    def _entries(self, found: list[str], y: float) -> float:
        x = self._left
        entries = self._scene.meanings
        for name, meaning in entries:
            need = 30 + len(meaning) * LETTER
            if x > self._left and x + need > self._width - MARGIN:
                x, y = self._left, y + LINE + 4
            found.extend(self._sample(name, x + 9, y))
            found.append(_words("words", x + 24, y, 13, meaning))
            x += need + 6
        return y + LINE + 6 if entries else y

    def _sample(self, name: str, x: float, y: float) -> Iterable[str]:
        """A small cell with a sign, in the colours that cells with it have here."""
        kind, _, rest = name.partition("-")
        covered = "open" if kind == "ring" and rest in ON_NUMBERS else "covered"
        box = f"M{number(x - 9)} {number(y - 9)}h18v18h-18z"
        chance = self._chance(kind, rest)
        if chance is not None:
            yield f'<path class="tile heat" fill="{heat(chance)}" d="{box}"/>'
        else:
            yield f'<path class="tile {"exploded" if name == "exploded" else covered}" d="{box}"/>'
        hot = "" if chance is None else " on-heat"
        if name in FIGURES:
            yield scaled(x, y, 0.6, name, " on-exploded" if name == "exploded" else "")
        elif kind == "told":
            place = f'transform="translate({number(x)} {number(y)}) scale(.6)"'
            yield f'<path class="line {TOLD[rest]}{hot}" {place} d="{SIGNS[rest](0, 0)}"/>'
        else:
            yield f'<path class="ring {rest}{hot}" d="M{number(x - 7)} {number(y - 7)}h14v14h-14z"/>'

    def _chance(self, kind: str, name: str) -> float | None:
        """The odds that colour a cell which is told so, or has such a ring; None where none has odds."""
        looks = (look for look in self._scene.looks.values() if getattr(look, kind, None) == name)
        return next((look.chance for look in looks if look.chance is not None), None)

    def _scale(self, found: list[str], y: float) -> float:
        """The colours of odds, from 0 to 100 %."""
        step = 12.0
        for part in range(11):
            x = self._left + part * step
            found.append(
                f'<rect x="{number(x)}" y="{number(y - 8)}" width="{number(step)}" height="16" '
                f'fill="{heat(part / 10)}"/>'
            )
        found.append(_words("words", self._left + 11 * step + 8, y, 13, self._scene.scale))
        return y + LINE + 6

    def _bars(self, found: list[str], y: float) -> float:
        if not self._scene.bars:
            return y
        found.append(_words("words strong", self._left, y, 13, self._scene.bars_title))
        y += LINE
        longest = max(bar.share for bar in self._scene.bars)
        for bar in self._scene.bars:
            found.append(_words(f"n n{bar.label}", self._left + 4, y, 13, bar.label))
            width = max(1.0, 70 * bar.share / longest)
            found.append(
                f'<rect class="bar" x="{number(self._left + 16)}" y="{number(y - 5)}" '
                f'width="{number(width)}" height="10"/>'
            )
            found.append(_words("words", self._left + 94, y, 13, bar.text))
            y += LINE
        return y + 4


def _on(look: Look) -> str:
    """The class of what stands on a cell that has the colours of neither theme."""
    return " on-exploded" if look.sign == "exploded" else " on-heat" if look.chance is not None else ""


def _folded(words: str, room: int) -> list[str]:
    """Lines of prose; a number and its per cent sign stay together."""
    return textwrap.wrap(words.replace(" %", "\N{NO-BREAK SPACE}%"), room, break_on_hyphens=False)


def _words(name: str, x: float, y: float, size: float, content: str) -> str:
    """Text whose middle is at this height."""
    place = f'x="{number(x)}" y="{number(y + size * 0.36)}"'
    return f'<text class="{name}" {place} font-size="{number(size)}">{escape(content)}</text>'


def _layer(name: str) -> int:
    return ("tile", "pole", "cloth", "body", "line", "ring", "star").index(name.split(maxsplit=1)[0])


def _fill(name: str) -> str:
    """Heat is too many colours for rules: they stand where they are used."""
    return f' fill="{name.split()[2]}"' if name.startswith("tile heat") else ""
