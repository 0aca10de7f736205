"""A pasted text, the same text without its packaging, and the rows of cells found in it.

Packaging is overwritten, never cut out: both texts have the same length, so a place in one is the same place in the
other, and an error can name the line and column of the original.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError

VOID = "\ufdd0"  # stands for a character that is not there; Unicode keeps it free for such use
MAX_CHARACTERS = 4_000_000  # a board of a million cells with a comma and a blank after each has three million


ADVICE = "Write # for covered, F for a mine, 0-8 for open, one row per line."


class Sheet(NamedTuple):
    """``source`` as it was pasted, ``text`` of the same length with `VOID` in place of packaging."""

    source: str
    text: str

    def error(self, offset: int, message: str) -> BoardSyntaxError:
        """An error at a place of the source."""
        before = self.source[:offset].replace("\r\n", "\n").replace("\r", "\n")
        return BoardSyntaxError(message, line=before.count("\n") + 1, column=len(before) - before.rfind("\n"))


class PasteNote(NamedTuple):
    """An assumption about the text: the key of a message, and fields, which may be notes or tuples of notes."""

    key: str
    number: int | None = None  # chooses the plural form
    fields: tuple[tuple[str, object], ...] = ()


def paste_note(key: str, number: int | None = None, /, **fields: object) -> PasteNote:
    """A note; its sentence is made in another room."""
    return PasteNote(key, number, tuple(fields.items()))


@dataclass(frozen=True, slots=True)
class Facts:
    """What the text says about the board besides its cells."""

    total_mines: int | None = None
    topology: Topology | None = None
    size: tuple[int, int] | None = None  # (rows, columns)
    total_at: int = 0
    stated: bool = False  # by a WxHxM line, as the documented alphabets have it


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of symbols, see `symbols`; ``other`` is the second way to read the same text, where there are two."""

    sheet: Sheet
    rows: Sequence[Sequence[str]]
    place: Callable[[int, int], int]  # offset of a cell in the source
    facts: Facts = Facts()
    notes: tuple[PasteNote, ...] = ()
    fixed: dict[str, int] = field(default_factory=dict)  # meanings that the text itself states
    other: Table | None = None
    advice: str = ""  # how to write it so that there is one reading only

    @property
    def columns(self) -> int:
        return len(self.rows[0])
