"""The result type of format readers, the entry type of the table of formats, and checks that formats share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, LARGEST_DIGIT, LARGEST_NUMBER
from mineproof.board.geometry import Topology
from mineproof.board.notation import Grid
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from mineproof.formats.replays.recording import Recording
    from mineproof.formats.replays.recording_games import Replay
    from mineproof.game.record import Record

Holds = Literal["position", "layout", "either"]


class ParsedValue(NamedTuple):
    """The result of a reader; ``topology`` is None unless the input names one.

    ``layout`` holds the mines if the value is a board and the input contains them too. ``notes`` list the assumptions,
    one sentence each.
    """

    value: Board | Layout
    topology: Topology | None = None
    note: str = ""
    layout: Layout | None = None
    notes: tuple[str, ...] = ()


def board_of_grid(grid: Grid) -> Board:
    """Return the board of a parsed position.

    If the input names no shape, the caller may: numbers above 8 are then not checked before `complete`.
    """
    if grid.topology is not None:
        return Board(grid.rows, grid.columns, grid.codes, grid.total_mines, grid.topology)
    board = Board(grid.rows, grid.columns, grid.codes.translate(_WITHOUT_LARGE_NUMBERS), grid.total_mines)
    return board if board.codes == grid.codes else board.with_codes(grid.codes)


_WITHOUT_LARGE_NUMBERS = bytes.maketrans(
    bytes(range(LARGEST_DIGIT + 1, LARGEST_NUMBER + 1)), bytes(LARGEST_NUMBER - LARGEST_DIGIT)
)


class GameWriter(NamedTuple):
    """Functions of a format that write the moves of a record, or all events of a recording."""

    moves: Callable[[Record], str | bytes]
    events: Callable[[Replay, Recording], str | bytes]


@dataclass(frozen=True, slots=True)
class Format:
    """An entry of the table of formats.

    A text format has ``read_text``, a binary one ``read_bytes``, and text that may be in any encoding has both.
    ``write`` takes the kind of value that ``holds`` names, and raises BoardSyntaxError if the format cannot hold it.
    ``size_of`` returns (rows, columns) of a text before its cells are built, for formats in which a short text can be a
    large board.

    ``read_game`` returns the game in the bytes of a file, and ``game_writer`` the functions that write games. Both load
    the modules that play games, so call them only for a game. ``fits`` is for binary replays: it is quick, and True for
    every file that can be read. ``suffixes`` of file names have the usual one first.
    """

    name: str
    holds: Holds
    read_text: Callable[[str], ParsedValue] | None = None
    read_bytes: Callable[[bytes], ParsedValue] | None = None
    write: Callable[[Any], str | bytes] | None = None
    size_of: Callable[[str], tuple[int, int]] | None = None
    read_game: Callable[[bytes], Replay] | None = None
    game_writer: Callable[[], GameWriter] | None = None
    fits: Callable[[bytes], bool] | None = None
    suffixes: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        """What the format is, in the current language."""
        return message(f"format-{self.name}")

    @property
    def reads(self) -> bool:
        """Can this format be read?"""
        return self.read_text is not None or self.read_bytes is not None

    @property
    def writes(self) -> bool:
        """Can this format be written?"""
        return self.write is not None


def require_grid(value: Board | Layout, name: str) -> None:
    """Raise BoardSyntaxError for a board that a format for plain rectangles cannot hold."""
    if value.topology != "grid":
        raise BoardSyntaxError(f"{name} holds plain grids only, got topology {value.topology}")
    if ABSENT & 0xFF in value.codes if isinstance(value, Board) else value.absent:
        raise BoardSyntaxError(f"{name} has no symbol for cells that are not part of the board")


def encoding_of(data: bytes) -> str:
    """Return UTF-16 for data with its byte order mark (as PowerShell writes) or every second byte 0, else UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if len(data) > 1 and len(data) % 2 == 0:
        for name, zeros, others in (("utf-16-le", data[1::2], data[::2]), ("utf-16-be", data[::2], data[1::2])):
            if not any(zeros) and not others.translate(None, _PRINTABLE):
                return name
    return "utf-8-sig"


_PRINTABLE = bytes([9, 10, 13, *range(32, 127)])


def decode(data: bytes) -> str:
    """Decode the bytes of a text file. Raises BoardSyntaxError for invalid bytes."""
    encoding = encoding_of(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        byte = data[error.start : error.start + 1].hex()
        raise BoardSyntaxError(f"expected {encoding} text, got byte {byte} at offset {error.start}") from None
