"""A scene as SVG: text is text, every class of shape is one path, and colours are rules for a class.

Size     A picture of an expert board takes about 25 kB. Cells that look alike share one path; a number is a text
         element of its own, so that it can be selected, searched and read aloud.
Themes   The root's class names the theme, and every rule begins with it: pictures of several themes may stand in one
         page. ``auto`` follows the reader's system.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Iterable
from xml.sax.saxutils import escape

from mineproof.board.cells import Cell
from mineproof.pictures.palette import COLOURS, ON_HEAT, Theme, heat
from mineproof.pictures.scene import Look, Scene

CELL = 32.0  # units
MARGIN = 8.0
LINE = 19.0  # height of a line of words
LETTER = 7.6  # about the width of a letter of words
LEAST = 360.0  # width of the words below a small board
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

_HEX_ROW, _HEX_SIDE = math.sqrt(3) / 2, 1 / math.sqrt(3)
_HEXAGON = [
    (_HEX_SIDE * math.cos(math.pi / 6 + k * math.pi / 3), _HEX_SIDE * math.sin(math.pi / 6 + k * math.pi / 3))
    for k in range(6)
]
_STAR = [
    ((0.45 if k % 2 else 1) * math.cos(k * math.pi / 5 - math.pi / 2),
     (0.45 if k % 2 else 1) * math.sin(k * math.pi / 5 - math.pi / 2))
    for k in range(10)
]  # fmt: skip
ON_NUMBERS = ("because", "near", "forced", "needless", "start")  # rings that stand around open cells
_DASHED = ("near", "safest", "needless")
_RING_COLOUR = {
    "because": "because", "near": "because", "safe": "safe", "mine": "wrong", "best": "best", "safest": "best",
    "wrong": "wrong", "forced": "guess", "needless": "guess", "start": "because",
}  # fmt: skip


def svg(scene: Scene, theme: Theme, *, legend: bool, coordinates: bool) -> str:
    """The whole picture."""
    return _Sheet(scene, theme, legend, coordinates).text()


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
        digits = max(len(str(scene.rows - 1)), 2)
        self._left = MARGIN + (digits * 8.0 + 4 if coordinates else 0)
        self._top = MARGIN + (18.0 if coordinates else 0)
        self._coordinates = coordinates
        wide = (scene.columns + (0.5 if self._hex and scene.rows > 1 else 0)) * CELL
        tall = ((scene.rows - 1) * _HEX_ROW + 2 * _HEX_SIDE if self._hex else scene.rows) * CELL
        self._board = (wide, tall)
        self._width = max(self._left + wide + MARGIN, LEAST if legend else 0)
        self._height = self._top + tall + MARGIN

    def text(self) -> str:
        for cell, look in self._scene.looks.items():
            self._cell(cell, look)
        numbers = self._rulers() if self._coordinates else []
        if self._scene.topology == "torus":
            numbers.append(self._frame())
        below = self._below() if self._legend else []
        title = escape(self._scene.title)
        described = f"<desc>{escape(self._scene.text)}</desc>" if self._scene.text else ""
        order = sorted(self._paths, key=_layer)
        paths = [f'<path class="{name}"{_fill(name)} d="{"".join(self._paths[name])}"/>' for name in order]
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" class="mp-{self._theme}" role="img" '
            f'width="{_number(self._width)}" height="{_number(self._height)}" '
            f'viewBox="0 0 {_number(self._width)} {_number(self._height)}">',
            f"<title>{title}</title>{described}",
            f"<style>{_rules(self._theme)}</style>",
            f'<rect class="paper" width="{_number(self._width)}" height="{_number(self._height)}"/>',
            *numbers, *paths, *self._over, *below, "</svg>", "",
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
            self._path(f"ring {look.ring}", self._outline(x, y, 2.5))
            if look.ring == "best" and not look.words:
                self._path("star", _polygon(x, y, [(px * 9, py * 9) for px, py in _STAR]))
        if look.badge:
            name = "badge white" if look.sign == "exploded" else "badge on-heat" if look.chance is not None else "badge"
            self._over.append(_words(name, x + CELL * 0.22, y - CELL * 0.19, 10, look.badge))

    def _tile(self, x: float, y: float, look: Look) -> None:
        is_open = look.sign in ("number", "mine")
        kind = "tile exploded" if look.sign == "exploded" else "tile open" if is_open else "tile covered"
        if look.chance is not None and look.sign != "exploded":
            kind = f"tile heat {heat(look.chance)}"
        self._path(kind, self._outline(x, y, 0.75))

    def _sign(self, x: float, y: float, look: Look) -> None:
        on = "on-heat" if look.chance is not None else "ink"
        if look.sign == "number" and look.number:
            self._over.append(_words(f"n n{look.number}", x, y, 20, str(look.number)))
        elif look.sign in ("flag", "wrong"):
            self._path("pole", _flag_pole(x, y))
            self._path("cloth", _flag_cloth(x, y))
            if look.sign == "wrong":
                self._path("line cross", _cross(x, y, 10))
        elif look.sign in ("mine", "exploded"):
            name = "white" if look.sign == "exploded" else "mine"
            self._path(f"body {name}", _disc(x, y, 7))
            self._path(f"line spikes {name}", _spikes(x, y))
        elif look.sign == "question":
            self._over.append(_words(on, x, y, 18, "?"))
        if look.told == "safe" and look.sign in ("covered", "question"):
            self._path("line tick" + (" on-heat" if look.chance is not None else ""), _tick(x, y))
        elif look.told == "mine" and look.sign in ("covered", "question"):
            self._path("line cross" + (" on-heat" if look.chance is not None else ""), _cross(x, y, 5.5))
        elif look.words:
            self._over.append(_words(f"odds {on}", x, y, 12.5, look.words))

    def _outline(self, x: float, y: float, inset: float) -> str:
        if self._hex:
            size = CELL - 2 * inset
            return _polygon(x, y, [(px * size, py * size) for px, py in _HEXAGON])
        half = CELL / 2 - inset
        return f"M{_number(x - half)} {_number(y - half)}h{_number(2 * half)}v{_number(2 * half)}h{_number(-2 * half)}z"

    def _path(self, name: str, piece: str) -> None:
        self._paths.setdefault(name, []).append(piece)

    # around the board

    def _rulers(self) -> list[str]:
        """Numbers of rows and columns; where there are many, every fifth."""
        found = []
        scene = self._scene
        for row in range(scene.rows):
            _, y = self._middle((row, 0))
            found.append(_words("ruler end", self._left - 6, y, 11, str(row)))
        for column in range(scene.columns):
            x, _ = self._middle((0, column))
            found.append(_words("ruler", x, self._top - 9, 11, str(column)))
        return found

    def _frame(self) -> str:
        """Around a torus: its edges are joined."""
        wide, tall = self._board
        return (
            f'<rect class="frame" x="{_number(self._left - 2)}" y="{_number(self._top - 2)}" '
            f'width="{_number(wide + 4)}" height="{_number(tall + 4)}"/>'
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
        """A small cell with a sign."""
        kind, _, rest = name.partition("-")
        covered = "open" if kind == "ring" and rest in ON_NUMBERS else "covered"
        box = f"M{_number(x - 9)} {_number(y - 9)}h18v18h-18z"
        if kind == "told" and self._is_hot(rest):
            yield f'<path class="tile heat" fill="{heat(1.0 if rest == "mine" else 0.0)}" d="{box}"/>'
        else:
            yield f'<path class="tile {"exploded" if name == "exploded" else covered}" d="{box}"/>'
        inner = f'<g transform="translate({_number(x)} {_number(y)}) scale(.6)">'
        if kind in ("flag", "wrong"):
            yield f'{inner}<path class="pole" d="{_flag_pole(0, 0)}"/><path class="cloth" d="{_flag_cloth(0, 0)}"/>'
            yield (f'<path class="line cross" d="{_cross(0, 0, 10)}"/>' if kind == "wrong" else "") + "</g>"
        elif kind == "exploded":
            yield f'{inner}<path class="body white" d="{_disc(0, 0, 7)}"/>'
            yield f'<path class="line spikes white" d="{_spikes(0, 0)}"/></g>'
        elif kind == "told":
            yield f'{inner}<path class="line {self._told_class(rest)}" d="{_SIGNS[rest](0, 0)}"/></g>'
        else:
            yield f'<path class="ring {rest}" d="M{_number(x - 7)} {_number(y - 7)}h14v14h-14z"/>'

    def _is_hot(self, told: str) -> bool:
        """Do cells of which this is certain have a colour of odds here?"""
        return any(look.told == told and look.chance is not None for look in self._scene.looks.values())

    def _told_class(self, told: str) -> str:
        return f"{'tick' if told == 'safe' else 'cross'}{' on-heat' if self._is_hot(told) else ''}"

    def _scale(self, found: list[str], y: float) -> float:
        """The colours of odds, from 0 to 100 %."""
        step = 12.0
        for part in range(11):
            x = self._left + part * step
            found.append(
                f'<rect x="{_number(x)}" y="{_number(y - 8)}" width="{_number(step)}" height="16" '
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
            found.append(
                _words(f"n n{bar.label} small" if bar.label != "0" else "words", self._left + 4, y, 13, bar.label)
            )
            width = max(1.0, 70 * bar.share / longest)
            found.append(
                f'<rect class="bar" x="{_number(self._left + 16)}" y="{_number(y - 5)}" '
                f'width="{_number(width)}" height="10"/>'
            )
            found.append(_words("words", self._left + 94, y, 13, bar.text))
            y += LINE
        return y + 4


# shapes


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _polygon(x: float, y: float, corners: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{_number(x + px)} {_number(y + py)}" for px, py in corners) + "z"


def _flag_pole(x: float, y: float) -> str:
    return f"M{_number(x - 4.5)} {_number(y - 9)}h2.3v18h-2.3zM{_number(x - 8)} {_number(y + 8)}h9.6v2.3h-9.6z"


def _flag_cloth(x: float, y: float) -> str:
    return f"M{_number(x - 3)} {_number(y - 9.6)}l11.5 5.8l-11.5 5.8z"


def _disc(x: float, y: float, radius: float) -> str:
    half = f"a{radius} {radius} 0 1 0"
    return f"M{_number(x - radius)} {_number(y)}{half} {2 * radius} 0{half} {-2 * radius} 0z"


def _spikes(x: float, y: float) -> str:
    return (
        f"M{_number(x - 10.5)} {_number(y)}h21M{_number(x)} {_number(y - 10.5)}v21"
        f"M{_number(x - 7.4)} {_number(y - 7.4)}l14.8 14.8M{_number(x + 7.4)} {_number(y - 7.4)}l-14.8 14.8"
    )


def _cross(x: float, y: float, reach: float) -> str:
    return (
        f"M{_number(x - reach)} {_number(y - reach)}l{2 * reach} {2 * reach}"
        f"M{_number(x + reach)} {_number(y - reach)}l{-2 * reach} {2 * reach}"
    )


def _tick(x: float, y: float) -> str:
    return f"M{_number(x - 6.5)} {_number(y)}l4.9 4.9l8.1 -9.8"


_SIGNS: dict[str, Callable[[float, float], str]] = {"safe": _tick, "mine": lambda x, y: _cross(x, y, 5.5)}


def _folded(words: str, room: int) -> list[str]:
    """Lines of prose; a number and its per cent sign stay together."""
    return textwrap.wrap(words.replace(" %", "\N{NO-BREAK SPACE}%"), room, break_on_hyphens=False)


def _words(name: str, x: float, y: float, size: float, content: str) -> str:
    """Text whose middle is at this height."""
    place = f'x="{_number(x)}" y="{_number(y + size * 0.36)}"'
    return f'<text class="{name}" {place} font-size="{_number(size)}">{escape(content)}</text>'


def _layer(name: str) -> int:
    return ("tile", "pole", "cloth", "body", "line", "ring", "star").index(name.split(maxsplit=1)[0])


def _fill(name: str) -> str:
    """Heat is too many colours for rules: they stand where they are used."""
    return f' fill="{name.split()[2]}"' if name.startswith("tile heat") else ""


# rules


def _rules(theme: Theme) -> str:
    """The style sheet: with ``auto``, the light rules, and the dark ones for whoever prefers them."""
    if theme != "auto":
        return _sheet(f".mp-{theme} ", theme == "dark")
    return f"{_sheet('.mp-auto ', False)}@media (prefers-color-scheme: dark){{{_sheet('.mp-auto ', True)}}}"


def _sheet(root: str, dark: bool) -> str:
    colour = {name: pair[dark] for name, pair in COLOURS.items()}
    rules = {
        ".paper": f"fill:{colour['paper']}",
        "text": f"font-family:{FONT};fill:{colour['ink']}",
        ".n,.odds,.badge,.ruler,.ink,.on-heat": "text-anchor:middle",
        ".n,.odds,.badge,.strong": "font-weight:700",
        ".ruler": f"fill:{colour['quiet']}",
        ".end": "text-anchor:end",
        ".open": f"fill:{colour['open']};stroke:{colour['open-edge']}",
        ".covered": f"fill:{colour['covered']};stroke:{colour['covered-edge']}",
        ".heat": f"stroke:{colour['covered-edge']}",
        "path.exploded": f"fill:{colour['exploded']}",
        ".pole": f"fill:{colour['pole']}",
        ".cloth": f"fill:{colour['flag']}",
        ".body.mine": f"fill:{colour['mine']}",
        ".body.white": "fill:#fff",
        ".line": "fill:none;stroke-width:3.4;stroke-linecap:round;stroke-linejoin:round",
        ".spikes": "stroke-width:2.6",
        ".spikes.mine": f"stroke:{colour['mine']}",
        ".spikes.white": "stroke:#fff",
        ".tick": f"stroke:{colour['safe']}",
        ".cross": f"stroke:{colour['wrong']}",
        ".line.on-heat": f"stroke:{ON_HEAT}",
        "text.on-heat": f"fill:{ON_HEAT}",
        ".ring": "fill:none;stroke-width:3.4",
        **{f".ring.{name}": f"stroke:{colour[_RING_COLOUR[name]]}" for name in _RING_COLOUR},
        ",".join(f".ring.{name}" for name in _DASHED): "stroke-dasharray:5 3.4",
        ".star": f"fill:{colour['best']}",
        ".bar": f"fill:{colour['because']}",
        ".frame": f"fill:none;stroke:{colour['quiet']};stroke-dasharray:2 4",
        ".badge": f"fill:{colour['guess']}",
        ".badge.white": "fill:#fff",
        **{f".n{number}": f"fill:{colour[f'n{number}']}" for number in range(1, 9)},
    }
    return "".join(f"{_scoped(root, names)}{{{body}}}" for names, body in rules.items())


def _scoped(root: str, names: str) -> str:
    return ",".join(root + name for name in names.split(","))
