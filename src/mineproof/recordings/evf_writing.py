"""EVF written: version 4, without a checksum. Its rule is not told to everybody, and readers do without."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np

from mineproof.base.words import size
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import LONGEST_TEXT
from mineproof.recordings.evf import COMPLETED, END, FARTHEST, LONGEST, NEWEST, PAUSE, TRANSCODED
from mineproof.recordings.recording import KINDS, MOST_SIDE, Row

NO_FLAGS = 0x10  # of the summary
MADE_WITHOUT_GUESSES = 5  # the mode


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is written beside the events; ``ms`` is the time of the game, ``played`` when it began, with a zone.

    ``transcoder`` is who makes this of what ``program`` recorded, if that is another.
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


def write(sheet: Sheet, rows: list[Row], square: int) -> bytes:
    """Version 4; a BoardSyntaxError says what it has no room for."""
    layout = sheet.layout
    _require_room(layout, sheet.ms, square)
    unflagged = not any(KINDS[code] in ("rc", "pf") for code, *_ in rows)
    transcoded = [sheet.transcoder, "UTF-8"] if sheet.transcoder else []
    flags = COMPLETED * sheet.won | NO_FLAGS * (sheet.won and unflagged) | TRANSCODED * bool(transcoded)
    numbers = ((layout.total_mines, 2), (square, 1), (sheet.mode, 2), (sheet.bbbv, 2), (sheet.ms, 4))
    start = 0 if sheet.played is None else int(sheet.played.timestamp() * 1_000_000)
    end = start + 1000 * sheet.ms if start else 0
    head = bytes([NEWEST, flags, 0, layout.rows, layout.columns]) + _numbers(*numbers)
    moments = b"XX" + _numbers((start, 8), (end, 8))
    texts = b"".join(_ended(text) for text in (sheet.program, *transcoded, sheet.player, "", ""))
    bits = np.zeros(layout.rows * layout.columns, dtype=np.bool_)
    bits[[row * layout.columns + column for row, column in layout.mines]] = True
    no_device = no_metrics = no_checksum = _numbers((0, 2))
    board = np.packbits(bits).tobytes()
    events = _written(rows) + bytes([END])
    return head + moments + texts + no_device + board + no_metrics + events + no_checksum


def _require_room(layout: Layout, ms: int, square: int) -> None:
    if max(layout.rows, layout.columns) >= MOST_SIDE:
        most, found = size(MOST_SIDE - 1, MOST_SIDE - 1), size(layout.rows, layout.columns)
        raise BoardSyntaxError(f"evf holds boards up to {most}, and this is {found}")
    if layout.total_mines >= layout.rows * layout.columns:
        raise BoardSyntaxError("evf holds boards with a cell that is no mine, and this has none")
    if max(layout.rows, layout.columns) * square > FARTHEST:
        raise BoardSyntaxError(f"evf holds boards up to {FARTHEST} pixels, and cells of this have {square}")
    if ms >= LONGEST:
        raise BoardSyntaxError(f"evf holds games up to 2**32 ms, and this took {ms} ms")


def _ended(text: str) -> bytes:
    """A text that has room, of whole characters."""
    room = text.replace("\0", " ").encode()[: LONGEST_TEXT - 1]
    return room.decode(errors="ignore").encode() + b"\0"


def _numbers(*pairs: tuple[int, int]) -> bytes:
    return b"".join(value.to_bytes(length, "big") for value, length in pairs)


def _written(rows: list[Row]) -> bytes:
    """Each event as what changed, with pauses of up to 65,535 ms before it where it came late."""
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
