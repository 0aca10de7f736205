"""Boards and layouts in the formats players already have: one call to read, one to write, one table of what there is.

    >>> from mineproof import formats
    >>> formats.read("ajajaaakZS").format
    'jsminesweeper'
    >>> formats.write(formats.read("b=32&m=60").value, "mbf-hex")
    '03 02 00 02 02 00 00 01'

`read` takes text, links, the bytes of a file, and the file at a ``Path``. Reading never guesses past a fault, and
writing drops none: what a format cannot hold is refused with `BoardSyntaxError`. The one thing left behind is a
layout's first click, where a format has no place for it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path

from mineproof.base import checks, files, words
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.formats import (
    documents,
    enclosed,
    images,
    jsminesweeper,
    mbf,
    mine_rows,
    positions,
    ptta,
    rawvf,
    recorded,
    sniffing,
    tatham,
)
from mineproof.formats.exchange import Format, Found, decode
from mineproof.game.layout import Layout


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """What was read, the name of the format it was in, and a note on how that was taken.

    A saved game is a board here: what its player sees. ``layout`` is where its mines are, for those who ask.
    """

    format: str
    value: Board | Layout
    note: str
    layout: Layout | None = dataclasses.field(default=None, repr=False)

    def as_json(self) -> dict[str, object]:
        """How it was read: `format`, `note`, and whether it `holds` a position, a layout or both."""
        kind = "layout" if isinstance(self.value, Layout) else "position" if self.layout is None else "both"
        return {"format": self.format, "holds": kind, "note": self.note}


def _alphabet(name: str, description: str, write: Callable[[Board], str] | None = None) -> Format:
    return Format(name, "position", description, partial(positions.read, alphabet=name), write=write)


def _recording(name: str, description: str, write: Callable[[Layout], bytes] | None = None) -> Format:
    return Format(name, "layout", description, read_bytes=partial(recorded.read, name=name), write=write)


FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        _alphabet("mineproof", "our text: # covered, F mine, digits, ~ not on the board", str),
        _alphabet("mine", "JSMinesweeper .mine text: WxHxM line, H covered, F M ? mine", positions.write_mine),
        _alphabet("minedetector", "Minedetector problem: - covered, + mine"),
        _alphabet("minedetector-output", "what Minedetector prints: # covered, X mine, a blank after each cell"),
        _alphabet("truffle", "Truffle-Swine Keeper: # C _ covered, * B mine"),
        _alphabet("fair", "FairMinesweeper: ? covered, F mine"),
        _alphabet("go", "Go simulator rows such as |   | 1 | - |, * mine"),
        Format(
            "jsminesweeper",
            "position",
            "JSMinesweeper link ?analysis=…, or its code",
            read_text=jsminesweeper.read,
            write=jsminesweeper.write,
        ),
        Format(
            "json",
            "either",
            "our JSON: boards, layouts, saved games, answers that hold one",
            read_text=enclosed.read,
            write=documents.write,
        ),
        Format(
            "layout",
            "layout",
            "rows of * mine and . free",
            read_text=mine_rows.read,
            write=mine_rows.write,
        ),
        Format("mbf", "layout", "Minesweeper X .mbf or .abf file", read_bytes=mbf.read, write=mbf.write),
        Format(
            "mbf-hex",
            "layout",
            "the bytes of an .mbf file in hexadecimal",
            read_text=mbf.read_hex,
            write=mbf.write_hex,
        ),
        Format(
            "ptta",
            "layout",
            "minesweeper.online or PTTA link ?b=…&m=…",
            read_text=ptta.read,
            write=ptta.write,
        ),
        Format(
            "tatham",
            "layout",
            "game ID of Simon Tatham's Mines, with the first click",
            read_text=tatham.read,
            write=tatham.write,
        ),
        Format(
            "rawvf",
            "layout",
            "RAWVF replay; 'mineproof review' reads its game, too",
            read_text=rawvf.read,
            read_bytes=rawvf.read_bytes,
            write=rawvf.write,
        ),
        _recording("evf", "EVF replay of Metasweeper", recorded.write_evf),
        _recording("avf", "AVF replay of Minesweeper Arbiter"),
        _recording("mvf", "MVF replay of Minesweeper Clone"),
        _recording("rmv", "RMV replay of Viennasweeper"),
        Format(
            "image",
            "position",
            "a screenshot: PNG, JPEG, WebP, GIF, BMP; 'mineproof read' tells how sure",
            read_bytes=images.read,
        ),
    )
}


def formats_json() -> dict[str, object]:
    """The ``mineproof/formats/1`` shape: every format, what it holds and which way it goes."""
    keys = ("name", "holds", "reads", "writes", "description")
    return {
        "schema": "mineproof/formats/1",
        "formats": [{key: getattr(row, key) for key in keys} for row in FORMATS.values()],
    }


def read(
    data: bytes | str | PathLike[str],
    name: str | None = None,
    *,
    size: tuple[int, int] | None = None,
    total_mines: int | None = None,
    topology: Topology | None = None,
    file: str = "",
) -> Reading:
    """Read a board or a layout: text, a link, the bytes of a file, or the file at a ``Path``.

    ``name`` forces a format, else the content decides. A string is never taken for the name of a file; ``file`` is what
    the bytes were called, which matters only where they could be several things.

    ``size`` is (rows, columns). Minedetector text is then read as a stream of cells, as that program does; anything
    else must have that size. A total or topology given here fills in what the input leaves open and must agree with
    what it says.
    """
    if isinstance(data, PathLike):
        given = partial(read, name=name, size=size, total_mines=total_mines, topology=topology, file=Path(data).name)
        return _read_file(Path(data), given)
    if not isinstance(data, bytes | str):
        raise TypeError(f"found data of type {type(data).__name__}, expected text, the bytes of a file or a Path")
    if size is not None:
        size = checks.cell("size", size)
    chosen = sniffing.sniff(data, file) if name is None else name
    try:
        if chosen == "minedetector" and size is not None:
            found = positions.read_stream(data if isinstance(data, str) else decode(data), *size)
        else:
            found = _found(data, _row(chosen))
    except OutsideError as error:  # of a layout that is read, a cell outside is a fault of the text
        raise BoardSyntaxError(str(error)) from None
    rows, columns = found.value.rows, found.value.columns
    if size is not None and size != (rows, columns):
        raise BoardSyntaxError(f"found {words.size(rows, columns)} cells, expected {words.size(*size)} as asked for")
    return Reading(chosen, _settle(found, total_mines, topology), found.note, found.layout)


def _read_file(path: Path, read_data: Callable[[bytes], Reading]) -> Reading:
    try:
        return read_data(files.read(path))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def write(value: Board | Layout, name: str) -> str | bytes:
    """A board or layout in a format; bytes for a binary one, text without a final line end for the others."""
    if not isinstance(value, Board | Layout):
        raise TypeError(f"found value of type {type(value).__name__}, expected a Board or a Layout")
    row = _row(name)
    if row.write is None:
        able = ", ".join(other.name for other in FORMATS.values() if other.writes)
        raise BoardSyntaxError(f"{name} can be read but not written, expected one of {able}")
    kind = "position" if isinstance(value, Board) else "layout"
    if row.holds not in (kind, "either"):
        raise BoardSyntaxError(f"{name} holds a {row.holds}, and this is a {kind}")
    return row.write(value)


def _row(name: str) -> Format:
    if checks.instance("name", name, str, "that of a format") not in FORMATS:
        raise BoardSyntaxError(f"unknown format {name!r}, expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def _found(data: bytes | str, row: Format) -> Found:
    if row.read_bytes is not None and isinstance(data, bytes):
        return row.read_bytes(data)
    if row.read_text is None:
        raise BoardSyntaxError(f"found text, expected the bytes of a file for {row.name}")
    return row.read_text(data if isinstance(data, str) else decode(data))


def _settle(found: Found, total_mines: int | None, topology: Topology | None) -> Board | Layout:
    """The value with what the caller knows besides."""
    value = found.value
    total = notation.agree("total of mines", value.total_mines, total_mines)
    named: Topology | None = notation.agree("topology", found.topology, topology)
    kind: Topology = "grid" if named is None else named
    if isinstance(value, Layout):
        return dataclasses.replace(value, topology=kind)
    if (total, kind) == (value.total_mines, value.topology):
        return value
    return Board(value.rows, value.columns, value.codes, total, kind)
