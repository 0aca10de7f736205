"""Measure every layout and game in a file: a single one, or many, one per line or in blocks.

A file is parsed as a whole if possible: a saved game, a replay, a layout in any format. Otherwise every line is a
layout or a game. Rows of stars and dots may also be blocks with blank lines between them, as ``mineproof generate``
prints them. A replay of an unfinished game counts as a layout. An unreadable entry becomes a `Fault`, and reading
continues.

Cost    Layouts of one size are measured together: about 10 µs for an expert layout on one line, half of it in the
        kernel. ZiNi takes 75 µs more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from mineproof import formats
from mineproof.base.words import size
from mineproof.board.cells import MAX_CELLS
from mineproof.board.geometry import Geometry, Topology
from mineproof.engine.default import default_engine
from mineproof.engine.reference_measures import ABSENT, COLUMNS, MINE, NOT_ASKED, Truths
from mineproof.errors import BoardSyntaxError, EngineMissing, MineproofError
from mineproof.formats import detection
from mineproof.formats.exchange import decode
from mineproof.formats.replays.reader import read_game
from mineproof.formats.table import REPLAYS, SAVED
from mineproof.game import record as games
from mineproof.game.game_measures import GameMeasures, measure_game
from mineproof.game.layout import Layout
from mineproof.game.measures import truths_of
from mineproof.game.record import Record
from mineproof.game.rules import GameStatus
from mineproof.generation import generator

BATCH_LAYOUTS = 2000  # measured at a time: a fifth of a second for expert layouts with ZiNi
LAYOUT_MEASURES = COLUMNS
GAME_MEASURES = (
    "seconds", "solved_bbbv", "clicks", "effective_clicks", "flags", "bbbv_per_second", "estimated_seconds",
    "clicks_per_second", "effective_clicks_per_second", "efficiency", "correctness", "throughput", "zini_efficiency",
    "rqp", "qg", "stnb",
)  # fmt: skip

_STARS = re.compile(r"[*.~/\s]*[*.][*.~/\s]*")
_SIGNS = bytes.maketrans(b".*~", bytes([0, MINE, ABSENT]))


@dataclass(frozen=True, slots=True)
class Entry:
    """A layout or a game with its measures by name; ``line`` is its first line, None if it is the whole file."""

    line: int | None
    rows: int
    columns: int
    mines: int
    topology: Topology
    status: GameStatus | None
    numbers: dict[str, float | None]

    def as_json(self) -> dict[str, Any]:
        keys = ("line", "rows", "columns", "mines", "topology", "status")
        return {key: getattr(self, key) for key in keys} | self.numbers


@dataclass(frozen=True, slots=True)
class Fault:
    """An entry that could not be read, and the reason."""

    line: int | None
    error: MineproofError


def entries(data: bytes, *, zini: bool = True, file: str = "") -> Iterator[Entry | Fault]:
    """Yield the entries of a file in order. Layouts are measured in batches. ``file`` is the name of the file."""
    rest = _pieces(data, file)
    while pieces := list(islice(rest, BATCH_LAYOUTS)):
        measures = dict(_measure_layouts(enumerate(pieces), zini))
        for place, (line, piece) in enumerate(pieces):
            if isinstance(piece, MineproofError):
                yield Fault(line, piece)
            elif isinstance(piece, GameMeasures):
                yield _game_entry(line, piece)
            else:
                mines = int(np.count_nonzero(piece.truths == MINE))
                yield Entry(line, *piece.size, mines, piece.topology, None, measures[place])


@dataclass(frozen=True, slots=True)
class _LayoutCodes:
    """A layout in the form engines take."""

    size: tuple[int, int]
    topology: Topology
    truths: Truths


_Piece = _LayoutCodes | GameMeasures | MineproofError


def _pieces(data: bytes, file: str) -> Iterator[tuple[int | None, _Piece]]:
    try:
        text = decode(data)
    except BoardSyntaxError:
        text = None
    if text is not None and _STARS.fullmatch(text):
        yield from _rows_of_stars(text)
        return
    whole = _read_piece(data, file)
    lines = [] if text is None else [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not isinstance(whole, MineproofError) or len(lines) < 2:
        yield None, whole
        return
    first = _read_piece(lines[0][1].encode())
    if isinstance(first, MineproofError):
        yield None, whole
        return
    yield lines[0][0], first
    yield from ((number, _read_piece(line.encode())) for number, line in lines[1:])


def _read_piece(data: bytes, file: str = "") -> _Piece:
    """Parse one layout or game; an error is returned, not raised."""
    try:
        format_name = detection.game(data, file)
        if format_name in REPLAYS:
            replay = read_game(data, file).record
            return measure_game(replay) if replay.over else _layout_codes(replay.layout)
        if format_name == SAVED:
            return _read_json(data)
        return _layout(formats.read(data).value)
    except EngineMissing:
        raise
    except MineproofError as error:
        return error


class _Tagged(msgspec.Struct):
    schema: str = ""
    layout: msgspec.Raw = msgspec.Raw()


# Created at import: msgspec crashes if two threads create a decoder at once.
_read_tagged = msgspec.json.Decoder(_Tagged).decode


def _read_json(data: bytes) -> _Piece:
    try:
        document = _read_tagged(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    if document.schema == games.SCHEMA:
        return _game(games.from_json(decode(data)))
    return _layout(formats.read(bytes(document.layout) if document.schema == generator.SCHEMA else data).value)


def _game(record: Record) -> GameMeasures:
    if not record.over:
        raise BoardSyntaxError("expected a finished game, got one in progress: its measures would reveal the mines")
    return measure_game(record)


def _layout(value: object) -> _LayoutCodes:
    if not isinstance(value, Layout):
        raise BoardSyntaxError("expected a layout or a game, got a position, which does not show the mines")
    return _layout_codes(value)


def _layout_codes(layout: Layout) -> _LayoutCodes:
    return _LayoutCodes((layout.rows, layout.columns), layout.topology, truths_of(layout))


# rows of stars and dots


def _rows_of_stars(text: str) -> Iterator[tuple[int | None, _Piece]]:
    lines = [line.strip() for line in text.split("\n")]
    blocks = list(_blocks(lines, one_a_line="/" in text))
    for number, rows in blocks:
        yield (number if len(blocks) > 1 else None), _stars(rows)


def _blocks(lines: list[str], *, one_a_line: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield each layout as its rows, with its first line, from 1."""
    rows: list[str] = []
    for number, line in enumerate([*lines, ""], 1):
        if one_a_line and line:
            yield number, line.split("/")
        elif line:
            rows.append(line)
        elif rows:
            yield number - len(rows), rows
            rows = []


def _stars(rows: list[str]) -> _Piece:
    height, width = len(rows), len(rows[0])
    signs = "".join(rows)
    if len(signs) != height * width or any(len(row) != width for row in rows):
        wrong = next(row for row in rows if len(row) != width)
        return BoardSyntaxError(f"expected {width} cells in every row, as in the first, got {len(wrong)}")
    if len(signs) > MAX_CELLS or not signs or " " in signs:
        return BoardSyntaxError(f"expected rows of * and . with at most {MAX_CELLS} cells, got {size(height, width)}")
    return _LayoutCodes((height, width), "grid", np.frombuffer(signs.encode().translate(_SIGNS), dtype=np.uint8))


# numbers


def _measure_layouts(
    pieces: Iterable[tuple[int, tuple[int | None, _Piece]]], zini: bool
) -> Iterator[tuple[int, dict[str, float | None]]]:
    """Yield the measures of layouts with their positions; layouts of one size are measured together."""
    sizes: defaultdict[tuple[Topology, int, int], list[tuple[int, Truths]]] = defaultdict(list)
    for place, (_, piece) in pieces:
        if isinstance(piece, _LayoutCodes):
            sizes[piece.topology, *piece.size].append((place, piece.truths))
    for shape, layouts in sizes.items():
        table = default_engine().measure(Geometry(*shape), np.stack([truths for _, truths in layouts]), zini=zini)
        for (place, _), row in zip(layouts, table[:, : len(LAYOUT_MEASURES)].tolist(), strict=True):
            named = zip(LAYOUT_MEASURES, row, strict=True)
            yield place, {name: None if value == NOT_ASKED else value for name, value in named}


def _game_entry(line: int | None, game: GameMeasures) -> Entry:
    measures: dict[str, Any] = dict(game.as_json())
    numbers: dict[str, float | None] = {name: measures[name] for name in (*LAYOUT_MEASURES, *GAME_MEASURES)}
    layout = game.layout
    return Entry(line, layout.rows, layout.columns, layout.total_mines, layout.topology, game.status, numbers)
