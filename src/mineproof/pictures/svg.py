"""A scene as SVG: text is text, every class of shapes is one path, and colours are rules for classes.

Size     A picture of an expert board takes 40 to 55 kB. Cells that look alike share one path. Every number is a text
         element, so that it can be selected, searched and read aloud.
Themes   The root's class names the theme, and every rule begins with it: one page can hold pictures of several themes.
         ``auto`` follows the reader's system.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from mineproof.base.words import keep_units
from mineproof.board.cells import Cell
from mineproof.board.outlines import SQUARE, Outline
from mineproof.board.topology import topology_named
from mineproof.pictures.palette import Theme, heat
from mineproof.pictures.scene import Look, Scene
from mineproof.pictures.shapes import CERTAINTY_LINES, FIGURES, SIGNS, STAR, coordinate, polygon, scaled_figure
from mineproof.pictures.style import rules
from mineproof.wording.catalogue import message
from mineproof.wording.cells import cell_labels, column_label

CELL = 32.0  # units
MARGIN = 8.0
LINE_HEIGHT = 19.0  # of the text below the board
LETTER_WIDTH = 7.6  # on average
MIN_WIDTH = 360.0  # of the text below a small board

OPEN_CELL_RINGS = ("because", "near", "forced", "needless", "start")


def svg(scene: Scene, theme: Theme, *, legend: bool, coordinates: bool) -> str:
    """Return the whole picture."""
    return _SvgSheet(scene, theme, legend, coordinates).text()


class CellPlaces(NamedTuple):
    """The geometry of a picture of a board: its size, the middle of each cell, and the SVG around the board."""

    width: float
    height: float
    middles: dict[Cell, tuple[float, float]]
    frame: str


def places(scene: Scene) -> CellPlaces:
    """Return the geometry for pages that build a board themselves, from one `piece` for each cell."""
    sheet = _SvgSheet(scene, "auto", legend=False, coordinates=True)
    return sheet.places()


def piece(look: Look, outline: Outline) -> str:
    """Return one cell with its middle at 0, 0; it needs the `rules` of a theme."""
    sheet = _SvgSheet(Scene(1, 1, "grid", "", {(0, 0): look}), "auto", legend=False, coordinates=False)
    return sheet.cell_shapes(outline)


def written_size(text: str) -> tuple[float, float]:
    """Return the width and height in the root element of one of our SVGs."""
    match = re.search(r'width="([0-9.]+)" height="([0-9.]+)"', text)
    assert match is not None
    return float(match[1]), float(match[2])


class _SvgSheet:
    """A picture being drawn: paths by class, and everything else in order."""

    def __init__(self, scene: Scene, theme: Theme, legend: bool, coordinates: bool) -> None:
        self._scene, self._theme, self._legend = scene, theme, legend
        self._topology = topology_named(scene.topology)
        self._paths: dict[str, list[str]] = {}
        self._texts: list[str] = []
        digits = max(len(str(scene.first[0] + scene.rows - 1)), 2)
        self._left = MARGIN + (digits * 8.0 + 4 if coordinates else 0)
        self._top = MARGIN + (18.0 if coordinates else 0)
        self._coordinates = coordinates
        wide, tall = (side * CELL for side in self._topology.extent(scene.rows, scene.columns))
        self._board = (wide, tall)
        self._width = max(self._left + wide + MARGIN, MIN_WIDTH if legend else 0)
        self._height = self._top + tall + MARGIN

    def places(self) -> CellPlaces:
        middles = {cell: self._middle(cell) for cell in self._scene.looks}
        return CellPlaces(self._width, self._height, middles, "".join(self._surroundings()))

    def cell_shapes(self, outline: Outline) -> str:
        for look in self._scene.looks.values():
            self._cell(0, 0, outline, look)
        return "".join(self._elements())

    def _cell_elements(self) -> list[str]:
        """Return all cells: paths by class, then texts."""
        rows, columns = self._scene.rows, self._scene.columns
        for cell, look in self._scene.looks.items():
            self._cell(*self._middle(cell), self._topology.outline(*cell, rows, columns), look)
        return self._elements()

    def _elements(self) -> list[str]:
        order = sorted(self._paths, key=_layer)
        paths = [f'<path class="{name}"{_fill(name)} d="{"".join(self._paths[name])}"/>' for name in order]
        return paths + self._texts

    def _surroundings(self) -> list[str]:
        """Return the rulers, and the frame of a torus or another board with joined borders."""
        rulers = self._rulers() if self._coordinates else []
        return [*rulers, self._frame()] if self._topology.is_framed else rulers

    def text(self) -> str:
        cells = self._cell_elements()
        numbers = self._surroundings()
        below = self._below() if self._legend else []
        title = escape(self._scene.title, quote=False)
        description = f"<desc>{escape(self._scene.text, quote=False)}</desc>" if self._scene.text else ""
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" class="mp-{self._theme}" role="img" '
            f'width="{coordinate(self._width)}" height="{coordinate(self._height)}" '
            f'viewBox="0 0 {coordinate(self._width)} {coordinate(self._height)}">',
            f"<title>{title}</title>{description}",
            f"<style>{rules(self._theme)}</style>",
            f'<rect class="paper" width="{coordinate(self._width)}" height="{coordinate(self._height)}"/>',
            *numbers, *cells, *below, "</svg>", "",
        ])  # fmt: skip

    # cells

    def _middle(self, cell: Cell) -> tuple[float, float]:
        x, y = self._topology.middle(*cell, self._scene.rows, self._scene.columns)
        return self._left + x * CELL, self._top + y * CELL

    def _cell(self, x: float, y: float, outline: Outline, look: Look) -> None:
        self._tile(x, y, outline, look)
        self._sign(x, y, look, outline.room)
        if look.ring:
            self._path(f"ring {look.ring}{_on(look)}", _border(x, y, outline, 2.5))
            if look.ring == "best" and not look.label:
                self._path(f"star{_on(look)}", polygon(x, y, [(px * 9, py * 9) for px, py in STAR]))
        if look.badge:
            self._texts.append(_text_element(f"badge{_on(look)}", x + CELL * 0.34, y - CELL * 0.2, 10, look.badge))

    def _tile(self, x: float, y: float, outline: Outline, look: Look) -> None:
        is_open = look.sign in ("number", "mine")
        kind = "tile exploded" if look.sign == "exploded" else "tile open" if is_open else "tile covered"
        if look.chance is not None and look.sign != "exploded":
            kind = f"tile heat {heat(look.chance)}"
        self._path(kind, _border(x, y, outline, 0.75))

    def _sign(self, x: float, y: float, look: Look, room: float) -> None:
        """Draw the sign in the middle of a cell; smaller and further down if there is a badge in the corner."""
        on = _on(look)
        shift, size = ((-4.0, 4.0), 0.7) if look.badge else ((0.0, 0.0), 1.0)
        x, y, size = x + shift[0], y + shift[1], size * room
        if look.sign == "number" and look.number:
            letters = (17 if look.badge else 20) * room
            self._texts.append(_text_element(f"n n{(look.number - 1) % 8 + 1}", x, y, letters, str(look.number)))
        elif look.clue:
            self._texts.append(_clue_element(x, y, look.clue, room))
        elif look.sign in FIGURES:
            self._figure(x, y, size, look.sign, on)
        elif look.sign == "question":
            self._texts.append(_text_element(f"ink{on}", x, y, 18 * room, "?"))
        if look.certainty is not None and look.sign in ("covered", "question"):
            self._path(f"line {CERTAINTY_LINES[look.certainty]}{on}", SIGNS[look.certainty](x, y))
        elif look.label:
            self._texts.append(_text_element(f"odds ink{on}", x, y, 12.5 * room, look.label))

    def _figure(self, x: float, y: float, size: float, sign: str, on: str) -> None:
        """Draw a flag or a mine: in the shared paths, or smaller in a separate group."""
        if size != 1:
            self._texts.append(scaled_figure(x, y, size, sign, on))
            return
        for name, piece in FIGURES[sign]:
            self._path(name + on, piece(x, y))

    def _path(self, name: str, piece: str) -> None:
        self._paths.setdefault(name, []).append(piece)

    # around the board

    def _rulers(self) -> list[str]:
        """Return the labels of rows and columns, in the current style of cell labels."""
        elements = []
        scene = self._scene
        top, left = scene.first
        if not self._topology.has_ruled_cells:
            return []  # places of cells do not form rows and columns
        is_lettered = cell_labels() == "ruler"
        for row in range(scene.rows):
            lower = self._topology.outline(row, 0, scene.rows, scene.columns).lower
            y = self._middle((row, 0))[1] - lower * CELL
            label = str(row + top + is_lettered)
            elements.append(_text_element("ruler end", self._left - 6, y, 11, label))
        for column in range(scene.columns):
            x, _ = self._middle((0, column))
            label = column_label(column + left) if is_lettered else str(column + left)
            elements.append(_text_element("ruler", x, self._top - 9, 11, label))
        return elements

    def _frame(self) -> str:
        """Return a dashed frame: edges are joined."""
        wide, tall = self._board
        return (
            f'<rect class="frame" x="{coordinate(self._left - 2)}" y="{coordinate(self._top - 2)}" '
            f'width="{coordinate(wide + 4)}" height="{coordinate(tall + 4)}"/>'
        )

    def _below(self) -> list[str]:
        """Return the legend, the scale of odds, the outlook of a move, and the text."""
        elements: list[str] = []
        y = self._height + 6
        y = self._legend_entries(elements, y)
        if self._scene.scale and any(look.chance is not None for look in self._scene.looks.values()):
            y = self._heat_scale(elements, y)
        elif self._scene.scale:
            caption = message("picture-in-cells", scale=self._scene.scale)
            elements.append(_text_element("words", self._left, y, 13, caption))
            y += LINE_HEIGHT
        y = self._bars(elements, y)
        room = int((self._width - self._left - MARGIN) / LETTER_WIDTH)
        for paragraph in self._scene.text.split("\n") if self._scene.text else []:
            for line in _wrap_text(paragraph, max(room, 20)):
                elements.append(_text_element("words", self._left, y, 13, line))
                y += LINE_HEIGHT
        self._height = y + MARGIN - 6
        return elements

    def _legend_entries(self, elements: list[str], y: float) -> float:
        x = self._left
        entries = self._scene.legend
        for name, meaning in entries:
            need = 30 + len(meaning) * LETTER_WIDTH
            if x > self._left and x + need > self._width - MARGIN:
                x, y = self._left, y + LINE_HEIGHT + 4
            elements.extend(self._sample(name, x + 9, y))
            elements.append(_text_element("words", x + 24, y, 13, meaning))
            x += need + 6
        return y + LINE_HEIGHT + 6 if entries else y

    def _sample(self, name: str, x: float, y: float) -> Iterable[str]:
        """Return a small cell with a sign, in the colours that such cells have in this picture."""
        kind, _, rest = name.partition("-")
        covered = "open" if kind == "ring" and rest in OPEN_CELL_RINGS else "covered"
        box = f"M{coordinate(x - 9)} {coordinate(y - 9)}h18v18h-18z"
        chance = self._chance(kind, rest)
        if chance is not None:
            yield f'<path class="tile heat" fill="{heat(chance)}" d="{box}"/>'
        else:
            yield f'<path class="tile {"exploded" if name == "exploded" else covered}" d="{box}"/>'
        hot = "" if chance is None else " on-heat"
        if name in FIGURES:
            yield scaled_figure(x, y, 0.6, name, " on-exploded" if name == "exploded" else "")
        elif kind == "certain":
            place = f'transform="translate({coordinate(x)} {coordinate(y)}) scale(.6)"'
            yield f'<path class="line {CERTAINTY_LINES[rest]}{hot}" {place} d="{SIGNS[rest](0, 0)}"/>'
        else:
            yield f'<path class="ring {rest}{hot}" d="M{coordinate(x - 7)} {coordinate(y - 7)}h14v14h-14z"/>'

    def _chance(self, kind: str, name: str) -> float | None:
        """Return the odds of a cell with this certainty or ring, or None if no such cell has odds."""
        attribute = "certainty" if kind == "certain" else kind
        looks = (look for look in self._scene.looks.values() if getattr(look, attribute, None) == name)
        return next((look.chance for look in looks if look.chance is not None), None)

    def _heat_scale(self, elements: list[str], y: float) -> float:
        """The colours of odds, from 0 to 100 %."""
        step = 12.0
        for part in range(11):
            x = self._left + part * step
            elements.append(
                f'<rect x="{coordinate(x)}" y="{coordinate(y - 8)}" width="{coordinate(step)}" height="16" '
                f'fill="{heat(part / 10)}"/>'
            )
        elements.append(_text_element("words", self._left + 11 * step + 8, y, 13, self._scene.scale))
        return y + LINE_HEIGHT + 6

    def _bars(self, elements: list[str], y: float) -> float:
        if not self._scene.bars:
            return y
        elements.append(_text_element("words strong", self._left, y, 13, self._scene.bars_title))
        y += LINE_HEIGHT
        longest = max(bar.share for bar in self._scene.bars)
        for bar in self._scene.bars:
            elements.append(_text_element(f"n n{bar.label}", self._left + 4, y, 13, bar.label))
            width = max(1.0, 70 * bar.share / longest)
            elements.append(
                f'<rect class="bar" x="{coordinate(self._left + 16)}" y="{coordinate(y - 5)}" '
                f'width="{coordinate(width)}" height="10"/>'
            )
            elements.append(_text_element("words", self._left + 94, y, 13, bar.text))
            y += LINE_HEIGHT
        return y + 4


def _border(x: float, y: float, outline: Outline, inset: float) -> str:
    """Return the border of a cell as a path, moved inwards by ``inset``."""
    if outline is not SQUARE:
        size = CELL - 2 * inset / outline.depth
        return polygon(x, y, [(px * size, py * size) for px, py in outline.corners])
    half = CELL / 2 - inset
    side = coordinate(2 * half)
    return f"M{coordinate(x - half)} {coordinate(y - half)}h{side}v{side}h-{side}z"


def _on(look: Look) -> str:
    """Return the class of signs on a cell whose colours are the same in both themes."""
    return " on-exploded" if look.sign == "exploded" else " on-heat" if look.chance is not None else ""


def _wrap_text(text: str, room: int) -> list[str]:
    """Wrap a text; a number and its per cent sign stay together."""
    lines = text.split("\n")
    return [piece for line in lines for piece in textwrap.wrap(keep_units(line), room, break_on_hyphens=False)]


def _text_element(name: str, x: float, y: float, size: float, content: str) -> str:
    """Return a text element that is vertically centred at ``y``."""
    place = f'x="{coordinate(x)}" y="{coordinate(y + size * 0.36)}"'
    return f'<text class="{name}" {place} font-size="{coordinate(size)}">{escape(content, quote=False)}</text>'


def _clue_element(x: float, y: float, clue: str, room: float) -> str:
    """Return a clue of a variant: smaller the more characters it has, and in the colour of its first number."""
    first = re.match(r"[0-9]+", clue)
    name = f"n n{(int(first[0]) - 1) % 8 + 1}" if first and int(first[0]) else "ink"
    size = {1: 20.0, 2: 18.0, 3: 14.5, 4: 11.5, 5: 9.5}.get(len(clue), 8.0)
    return _text_element(name, x, y, size * room, clue)


def _layer(name: str) -> int:
    return ("tile", "pole", "cloth", "body", "line", "ring", "star").index(name.split(maxsplit=1)[0])


def _fill(name: str) -> str:
    """Return the fill of heat; it has too many colours for rules."""
    return f' fill="{name.split()[2]}"' if name.startswith("tile heat") else ""
