"""What passes between a format and the table of formats, and the refusals that formats share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from mineproof.board.board import Board
from mineproof.board.cells import ABSENT
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

Holds = Literal["position", "layout", "either"]


class Found(NamedTuple):
    """What a reader made of its input; ``topology`` only where the input itself names one.

    ``layout`` is where the mines are, where the value is a board and the input tells them too.
    """

    value: Board | Layout
    topology: Topology | None = None
    note: str = ""
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Format:
    """One row of the table of formats.

    A text format has ``read_text``, a binary one ``read_bytes``, and text that may be in any encoding has both.
    ``write`` is called with the kind of value that ``holds`` names, and raises where the format cannot carry this one.
    """

    name: str
    holds: Holds
    description: str
    read_text: Callable[[str], Found] | None = None
    read_bytes: Callable[[bytes], Found] | None = None
    write: Callable[[Any], str | bytes] | None = None

    @property
    def reads(self) -> bool:
        return self.read_text is not None or self.read_bytes is not None

    @property
    def writes(self) -> bool:
        return self.write is not None


def require_grid(value: Board | Layout, name: str) -> None:
    """Refuse what a format made for plain rectangles would lose."""
    if value.topology != "grid":
        raise BoardSyntaxError(f"{name} holds plain grids only, and this is a {value.topology}")
    if ABSENT & 0xFF in value.codes if isinstance(value, Board) else value.absent:
        raise BoardSyntaxError(f"{name} has no sign for cells that are not part of the board")


def decode(data: bytes) -> str:
    """Text from a file: UTF-8, or UTF-16 where a byte order mark says so (what PowerShell writes)."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        found = data[error.start : error.start + 1].hex()
        raise BoardSyntaxError(f"found byte {found} at offset {error.start}, expected {encoding} text") from None
