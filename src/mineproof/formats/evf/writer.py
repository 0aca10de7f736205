"""Write EVF version 4: the header of a layout, and the bytes of a file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from mineproof.base.words import size
from mineproof.errors import BoardSyntaxError
from mineproof.formats.evf.reader import COMPLETED, END, MAX_BOARD_PIXELS, MAX_MILLISECONDS, NEWEST, PAUSE, TRANSCODED
from mineproof.formats.exchange import require_grid
from mineproof.formats.replays.cursor import MAX_TEXT_BYTES
from mineproof.formats.replays.recording import KINDS, MAX_SIDE, SQUARE, Row
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.version import VERSION

NO_FLAGS = 0x10  # of the summary
MADE_WITHOUT_GUESSES = 5  # the mode
PROGRAM = f"mineproof {VERSION}"


@dataclass(frozen=True, slots=True)
class EvfHeader:
    """Everything except the events. ``ms`` is the time of the game, ``played`` its start, with a time zone.

    ``transcoder`` is the program that converts a recording of another ``program``.
    """

    layout: Layout
    program: str
    bbbv: int
    ms: int = 0
    won: bool = False
    mode: int = 0
    player: str = ""
    played: datetime | None = None
    transcoder: str = ""


def header_of(layout: Layout) -> EvfHeader:
    """Return the header of a recording of a layout."""
    mode = MADE_WITHOUT_GUESSES * layout.no_guess
    return EvfHeader(layout, PROGRAM, measure(layout, zini=False).bbbv, mode=mode)


def write_layout(layout: Layout) -> bytes:
    """Return a recording without events."""
    require_grid(layout, "evf")
    return write(header_of(layout), [], SQUARE)


def write(header: EvfHeader, rows: list[Row], square: int) -> bytes:
    """Return the bytes of an EVF file; BoardSyntaxError if the format cannot hold the game."""
    layout = header.layout
    _require_room(layout, header.ms, square)
    unflagged = not any(KINDS[code] in ("rc", "pf") for code, *_ in rows)
    transcoded = [header.transcoder, "UTF-8"] if header.transcoder else []
    flags = COMPLETED * header.won | NO_FLAGS * (header.won and unflagged) | TRANSCODED * bool(transcoded)
    numbers = ((layout.total_mines, 2), (square, 1), (header.mode, 2), (header.bbbv, 2), (header.ms, 4))
    start = 0 if header.played is None else int(header.played.timestamp() * 1_000_000)
    end = start + 1000 * header.ms if start else 0
    head = bytes([NEWEST, flags, 0, layout.rows, layout.columns]) + _numbers(*numbers)
    moments = b"XX" + _numbers((start, 8), (end, 8))
    texts = b"".join(_zero_ended(text) for text in (header.program, *transcoded, header.player, "", ""))
    bits = np.zeros(layout.rows * layout.columns, dtype=np.bool_)
    bits[[row * layout.columns + column for row, column in layout.mines]] = True
    no_device = no_metrics = no_checksum = _numbers((0, 2))
    board = np.packbits(bits).tobytes()
    events = _encode_events(rows) + bytes([END])
    return head + moments + texts + no_device + board + no_metrics + events + no_checksum


def _require_room(layout: Layout, ms: int, square: int) -> None:
    if max(layout.rows, layout.columns) >= MAX_SIDE:
        most, actual = size(MAX_SIDE - 1, MAX_SIDE - 1), size(layout.rows, layout.columns)
        raise BoardSyntaxError(f"evf: expected a board of at most {most}, got {actual}")
    if layout.total_mines >= layout.rows * layout.columns:
        raise BoardSyntaxError("evf: expected at least one cell without a mine, got none")
    if max(layout.rows, layout.columns) * square > MAX_BOARD_PIXELS:
        raise BoardSyntaxError(f"evf: expected a board of at most {MAX_BOARD_PIXELS} pixels, got {square} per cell")
    if ms >= MAX_MILLISECONDS:
        raise BoardSyntaxError(f"evf: expected a game of less than 2**32 ms, got {ms} ms")


def _zero_ended(text: str) -> bytes:
    """Encode a text with its zero byte, cut to whole characters if it is too long."""
    start = text.replace("\0", " ").encode()[: MAX_TEXT_BYTES - 1]
    return start.decode(errors="ignore").encode() + b"\0"


def _numbers(*pairs: tuple[int, int]) -> bytes:
    return b"".join(value.to_bytes(length, "big") for value, length in pairs)


def _encode_events(rows: list[Row]) -> bytes:
    """Encode each event as a change, after pauses of up to 65,535 ms if it is more than 255 ms later."""
    parts = []
    last_ms = last_x = last_y = 0
    for code, ms, x, y in rows:
        step = ms - last_ms
        while step > 255:
            pause = min(step, 0xFFFF)
            parts.append(bytes([PAUSE]) + _numbers((pause, 2)))
            step -= pause
        change = (x - last_x).to_bytes(2, "big", signed=True) + (y - last_y).to_bytes(2, "big", signed=True)
        parts.append(bytes([code + 1, step]) + change)
        last_ms, last_x, last_y = ms, x, y
    return b"".join(parts)
