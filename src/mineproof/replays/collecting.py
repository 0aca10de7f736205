"""The numbers of every layout and game in a file: one of them, or many, one a line or in blocks.

A file is read as a whole where that can be: a saved game, a replay, a layout in any format. Else it is one layout or
game a line; rows of stars and dots may also stand in blocks with a blank line between two, as ``mineproof generate``
prints them. A replay whose game is not over counts as a layout. What cannot be read is a `Fault`, and the rest goes on.

Cost    Layouts of one size are measured together: about 10 µs for an expert layout written as a line, of which the
        kernel takes half; ZiNi takes 75 µs more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import msgspec
import numpy as np

from mineproof import formats
from mineproof.base.words import size
from mineproof.board.cells import MAX_CELLS
from mineproof.board.geometry import Geometry, Topology
from mineproof.engine.choice import default_engine
from mineproof.engine.reference_measures import ABSENT, COLUMNS, MINE, NOT_ASKED, Truths
from mineproof.errors import BoardSyntaxError, EngineMissing, MineproofError
from mineproof.formats import rawvf as rawvf_layout
from mineproof.formats import sniffing
from mineproof.formats.exchange import decode
from mineproof.game import record as games
from mineproof.game.game_measures import GameMeasures, measure_game
from mineproof.game.layout import Layout
from mineproof.game.measures import truths_of
from mineproof.game.record import Record
from mineproof.game.rules import GameStatus
from mineproof.generation import making
from mineproof.replays.reading import read_game

TOGETHER = 2000  # layouts of a file that are measured at a time: a fifth of a second with ZiNi, if they are expert
OF_LAYOUTS = COLUMNS[:5]
OF_GAMES = ("seconds", "solved_bbbv", "clicks", "effective_clicks", "flags", "bbbv_per_second", "estimated_seconds",
            "clicks_per_second", "effective_clicks_per_second", "efficiency", "correctness", "throughput",
            "zini_efficiency", "rqp", "qg", "stnb")  # fmt: skip

_STARS = re.compile(r"[*.~/\s]*[*.][*.~/\s]*")
_SIGNS = bytes.maketrans(b".*~", bytes([0, MINE, ABSENT]))


@dataclass(frozen=True, slots=True)
class Entry:
    """A layout or a game, its numbers by name; ``line`` is where it began, if it was not the whole file."""

    line: int | None
    rows: int
    columns: int
    mines: int
    topology: Topology
    status: GameStatus | None
    numbers: dict[str, float | None]

    def as_json(self) -> dict[str, object]:
        keys = ("line", "rows", "columns", "mines", "topology", "status")
        return {key: getattr(self, key) for key in keys} | self.numbers


@dataclass(frozen=True, slots=True)
class Fault:
    """What could not be read, and why."""

    line: int | None
    error: MineproofError


def entries(data: bytes, *, zini: bool = True, file: str = "") -> Iterator[Entry | Fault]:
    """Whatever a file holds, in order; layouts are measured some at a time. ``file`` is what it is called."""
    rest = _pieces(data, file)
    while pieces := list(islice(rest, TOGETHER)):
        measured = dict(_measured(enumerate(pieces), zini))
        for place, (line, what) in enumerate(pieces):
            if isinstance(what, MineproofError):
                yield Fault(line, what)
            elif isinstance(what, GameMeasures):
                yield _of_game(line, what)
            else:
                mines = int(np.count_nonzero(what.truths == MINE))
                yield Entry(line, *what.size, mines, what.topology, None, measured[place])


@dataclass(frozen=True, slots=True)
class _Plain:
    """A layout as engines are told of it."""

    size: tuple[int, int]
    topology: Topology
    truths: Truths


_What = _Plain | GameMeasures | MineproofError


def _pieces(data: bytes, file: str) -> Iterator[tuple[int | None, _What]]:
    try:
        text = decode(data)
    except BoardSyntaxError:
        text = None
    if text is not None and _STARS.fullmatch(text):
        yield from _rows_of_stars(text)
        return
    whole = _read(data, file)
    lines = [] if text is None else [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not isinstance(whole, MineproofError) or len(lines) < 2:
        yield None, whole
        return
    first = _read(lines[0][1].encode())
    if isinstance(first, MineproofError):
        yield None, whole
        return
    yield lines[0][0], first
    yield from ((number, _read(line.encode())) for number, line in lines[1:])


def _read(data: bytes, file: str = "") -> _What:
    """One layout or game."""
    try:
        text = rawvf_layout.decoded(data)
        if sniffing.recording(data, file) is not None or rawvf_layout.fits(text):
            replay = read_game(data, file).record
            return measure_game(replay) if replay.over else _plain(replay.layout)
        if games.fits(text):
            return _read_json(data)
        return _layout(formats.read(data).value)
    except EngineMissing:
        raise
    except MineproofError as error:
        return error


class _Tagged(msgspec.Struct):
    schema: str = ""
    layout: msgspec.Raw = msgspec.Raw()


# Made at import: msgspec crashes where two threads make one at once.
_read_tagged = msgspec.json.Decoder(_Tagged).decode


def _read_json(data: bytes) -> _What:
    try:
        document = _read_tagged(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    if document.schema == games.SCHEMA:
        return _game(games.from_json(decode(data)))
    return _layout(formats.read(bytes(document.layout) if document.schema == making.SCHEMA else data).value)


def _game(record: Record) -> GameMeasures:
    if not record.over:
        raise BoardSyntaxError(
            "found a game that is still on, expected one that is over: numbers would tell of the mines"
        )
    return measure_game(record)


def _layout(value: object) -> _Plain:
    if not isinstance(value, Layout):
        raise BoardSyntaxError("found a position, which hides its mines; expected a layout or a game")
    return _plain(value)


def _plain(layout: Layout) -> _Plain:
    return _Plain((layout.rows, layout.columns), layout.topology, truths_of(layout))


# rows of stars and dots


def _rows_of_stars(text: str) -> Iterator[tuple[int | None, _What]]:
    lines = [line.strip() for line in text.split("\n")]
    blocks = list(_blocks(lines, one_a_line="/" in text))
    for number, rows in blocks:
        yield (number if len(blocks) > 1 else None), _stars(rows)


def _blocks(lines: list[str], *, one_a_line: bool) -> Iterator[tuple[int, list[str]]]:
    """Each layout as its rows, with the line on which it begins, from 1."""
    rows: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if one_a_line and line:
            yield number, line.split("/")
        elif line:
            rows.append(line)
        elif rows:
            yield number - len(rows), rows
            rows = []


def _stars(rows: list[str]) -> _What:
    height, width = len(rows), len(rows[0])
    signs = "".join(rows)
    if len(signs) != height * width or any(len(row) != width for row in rows):
        wrong = next(row for row in rows if len(row) != width)
        return BoardSyntaxError(f"found {len(wrong)} cells in a row, expected {width} as in the first row")
    if len(signs) > MAX_CELLS or not signs or " " in signs:
        return BoardSyntaxError(f"found a layout of {size(height, width)}, expected rows of up to {MAX_CELLS} * and .")
    return _Plain((height, width), "grid", np.frombuffer(signs.encode().translate(_SIGNS), dtype=np.uint8))


# numbers


def _measured(
    pieces: Iterable[tuple[int, tuple[int | None, _What]]], zini: bool
) -> Iterator[tuple[int, dict[str, float | None]]]:
    """The numbers of layouts by their places, those of one size together."""
    sizes: defaultdict[tuple[Topology, int, int], list[tuple[int, Truths]]] = defaultdict(list)
    for place, (_, what) in pieces:
        if isinstance(what, _Plain):
            sizes[what.topology, *what.size].append((place, what.truths))
    for shape, layouts in sizes.items():
        found = default_engine().measure(Geometry(*shape), np.stack([truths for _, truths in layouts]), zini=zini)
        for (place, _), row in zip(layouts, found[:, : len(OF_LAYOUTS)].tolist(), strict=True):
            yield (
                place,
                {name: None if value == NOT_ASKED else value for name, value in zip(OF_LAYOUTS, row, strict=True)},
            )


def _of_game(line: int | None, game: GameMeasures) -> Entry:
    told = game.as_json()
    numbers: dict[str, float | None] = {name: told[name] for name in (*OF_LAYOUTS, *OF_GAMES)}  # type: ignore[misc]
    layout = game.layout
    return Entry(line, layout.rows, layout.columns, layout.total_mines, layout.topology, game.status, numbers)
