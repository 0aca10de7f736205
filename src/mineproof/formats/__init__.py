"""Boards and layouts in the formats players already have: one call to read, one to write, one table of what there is.

    >>> from mineproof import formats
    >>> formats.read("ajajaaakZS").format
    'jsminesweeper'
    >>> formats.write(formats.read("b=32&m=60").value, "mbf-hex")
    '03 02 00 02 02 00 00 01'

`read` takes text, links, the bytes of a file, and the file at a ``Path``. Text that no format reads strictly is read as
pasted text, and `FormatReading.notes` list the assumptions. Writing drops nothing: `write` raises `BoardSyntaxError` if
a format cannot hold a value. Only a layout's first click is lost if the format has no place for it.

Each format has one module, or one package if it is large, with everything that reads and writes it: positions, layouts
and, for replays, games. `table` lists them. Text that `Board.parse` and `Layout.parse` read is defined in `board` and
`game`, and `screens` reads pictures.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mineproof.base import checks, files, words
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.formats import detection, paste, positions
from mineproof.formats.exchange import Format, ParsedValue, decode
from mineproof.formats.table import FORMATS as FORMATS
from mineproof.formats.table import WRITABLE
from mineproof.game.layout import Layout

if TYPE_CHECKING:
    from mineproof.formats.wire import FormatReadingJson, FormatsJson


@dataclasses.dataclass(frozen=True, slots=True)
class FormatReading:
    """A board or a layout that was read, the name of its format, and a note on how it was read.

    The value of a saved game is the board its player sees; ``layout`` holds its mines. ``notes`` list the assumptions
    about an ambiguous text, one sentence each.
    """

    format: str
    value: Board | Layout
    note: str
    layout: Layout | None = dataclasses.field(default=None, repr=False)
    notes: tuple[str, ...] = ()

    def as_json(self) -> FormatReadingJson:
        """Return `format`, `note`, `notes`, and whether it `holds` a position, a layout or both."""
        return {"format": self.format, "holds": self._holds, "note": self.note, "notes": list(self.notes)}

    @property
    def _holds(self) -> Literal["layout", "position", "both"]:
        if isinstance(self.value, Layout):
            return "layout"
        return "position" if self.layout is None else "both"


def __getattr__(name: str) -> object:
    if name == "Reading":
        warnings.warn("formats.Reading is called formats.FormatReading now", DeprecationWarning, stacklevel=2)
        return FormatReading
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def formats_json() -> FormatsJson:
    """Return ``mineproof/formats/1``: every format, what it holds, and whether it can be read and written."""
    return {
        "schema": "mineproof/formats/1",
        "formats": [
            {
                "name": entry.name,
                "holds": entry.holds,
                "reads": entry.reads,
                "writes": entry.writes,
                "description": entry.description,
            }
            for entry in FORMATS.values()
        ],
    }


def read(
    data: bytes | str | PathLike[str],
    name: str | None = None,
    *,
    size: tuple[int, int] | None = None,
    total_mines: int | None = None,
    topology: Topology | None = None,
    file: str = "",
    check_size: Callable[[int, int], object] | None = None,
) -> FormatReading:
    """Read a board or a layout: text, a link, the bytes of a file, or the file at a ``Path``.

    ``name`` is the name of a format; without it, the content decides. A string is never a file name: pass a ``Path``.
    ``file`` is the file name of bytes and matters only if they fit several formats.

    ``size`` is (rows, columns), and the input must have that size. Minedetector text is then a stream of cells
    without rows, as that program reads it. ``total_mines`` and ``topology`` add facts that the input lacks, and must
    agree with what it says. ``check_size(rows, columns)`` may raise; for formats in which a short text can be a large
    board it is called before the board is built.

    Raises BoardSyntaxError if the input cannot be read.
    """
    if isinstance(data, PathLike):
        read_data = partial(
            read, name=name, size=size, total_mines=total_mines, topology=topology, file=Path(data).name,
            check_size=check_size,
        )  # fmt: skip
        return _read_file(Path(data), read_data)
    if not isinstance(data, bytes | str):
        raise TypeError(f"data must be text, the bytes of a file or a Path, got {type(data).__name__}")
    checks.require_callable("check_size", check_size)
    if size is not None:
        size = checks.cell("size", size)
    chosen = detection.sniff(data, file) if name is None else name
    try:
        if chosen == "minedetector" and size is not None:
            parsed = positions.read_stream(_text(data), *size)
        else:
            parsed = _parse(data, _format_named(chosen), check_size)
            if name is None and chosen in notation.ALPHABETS:
                parsed = paste.reconsider(_text(data), parsed, chosen, total_mines, topology)
    except OutsideError as error:  # a mine outside the board is an error in the text
        raise BoardSyntaxError(str(error)) from None
    except BoardSyntaxError as error:
        if name is not None or not detection.may_be_pasted(data, chosen):
            raise
        chosen, parsed = paste.NAME, paste.read(_text(data), total_mines, topology, error)
    rows, columns = parsed.value.rows, parsed.value.columns
    if check_size is not None:
        check_size(rows, columns)
    if size is not None and size != (rows, columns):
        raise BoardSyntaxError(f"expected a board of {words.size(*size)}, got {words.size(rows, columns)}")
    return FormatReading(chosen, _complete(parsed, total_mines, topology), parsed.note, parsed.layout, parsed.notes)


def _read_file(path: Path, read_data: Callable[[bytes], FormatReading]) -> FormatReading:
    try:
        return read_data(files.read(path))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def write(value: Board | Layout, name: str) -> str | bytes:
    """Return a board or layout in the format ``name``: bytes for a binary format, else text without a final line end.

    Raises BoardSyntaxError if the format cannot be written or cannot hold this value.
    """
    if not isinstance(value, Board | Layout):
        raise TypeError(f"value must be a Board or a Layout, got {type(value).__name__}")
    entry = _format_named(name)
    if entry.write is None:
        raise BoardSyntaxError(f"mineproof cannot write {name}. Choose one of {', '.join(WRITABLE)}.")
    kind = "position" if isinstance(value, Board) else "layout"
    if entry.holds not in (kind, "either"):
        raise BoardSyntaxError(f"expected a {entry.holds} for the format {name}, got a {kind}")
    return entry.write(value)


def _format_named(name: str) -> Format:
    if checks.instance("name", name, str, "the name of a format") not in FORMATS:
        raise BoardSyntaxError(f"format must be one of {', '.join(FORMATS)}, got {name!r}")
    return FORMATS[name]


def _parse(data: bytes | str, entry: Format, check_size: Callable[[int, int], object] | None) -> ParsedValue:
    if entry.read_bytes is not None and isinstance(data, bytes):
        return entry.read_bytes(data)
    if entry.read_text is None:
        raise BoardSyntaxError(f"expected the bytes of a file for {entry.name}, got text")
    if check_size is not None and entry.size_of is not None:
        check_size(*entry.size_of(_text(data)))
    return entry.read_text(_text(data))


def _text(data: bytes | str) -> str:
    return data if isinstance(data, str) else decode(data)


def _complete(parsed: ParsedValue, total_mines: int | None, topology: Topology | None) -> Board | Layout:
    """Return the value with the total and topology of the caller."""
    value = parsed.value
    total = notation.agree("total of mines", value.total_mines, total_mines)
    named: Topology | None = notation.agree("topology", parsed.topology, topology)
    kind: Topology = "grid" if named is None else named
    if isinstance(value, Layout):
        return dataclasses.replace(value, topology=kind)
    if (total, kind) == (value.total_mines, value.topology) and parsed.topology is not None:
        return value
    return Board(value.rows, value.columns, value.codes, total, kind)
