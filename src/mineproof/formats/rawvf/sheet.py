"""The text of a RAWVF replay in its parts: keys, board, events. `games` and `events` interpret them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

T = TypeVar("T")

TIME = r"(?P<before>-?)(?P<seconds>[0-9]{1,9})(?:[.,](?P<parts>[0-9]{1,9}))?"
RAWVF_MAX_LINES = 1_000_000
_EVENT = re.compile(rf"{TIME}\s+[A-Za-z]")
_MOVES = re.compile(r"(?<![^\n])[ \t]*-?[0-9]{1,9}(?:[.,][0-9]{1,9})?[ \t]+[mM][vV]\b[^\n]*")
_NO_GUESS = re.compile(r"\bng\b|no.?guess", re.IGNORECASE)


class RawvfLine(NamedTuple):
    """A line without blanks around it, and its number from 1."""

    number: int
    text: str

    def error(self, message: str, column: int | None = None) -> BoardSyntaxError:
        """Return an error at this line."""
        return BoardSyntaxError(message, line=self.number, column=column)


class Value(NamedTuple):
    """The value of a key, and its line."""

    line: RawvfLine
    text: str


@dataclass
class RawvfSheet:
    """A replay in its parts; keys are in lower case, and the last of repeated keys counts."""

    keys: dict[str, Value] = field(default_factory=dict)
    rows: list[RawvfLine] = field(default_factory=list)
    event_lines: list[RawvfLine] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> RawvfSheet:
        """Split a text. Raises BoardSyntaxError if it has no board."""
        sheet = cls()
        section = "description"
        for number, written in _lines(text):
            line = RawvfLine(number, written)
            title = written.lower().removesuffix(":") if written[-1] == ":" else ""
            if title in ("description", "board", "events"):
                section = sheet._next_section(line, title, section)
                continue
            if section == "board" and sheet.rows and _EVENT.match(written):
                section = "events"  # FreeSweeper writes no line that says so
            sheet._add_line(line, section)
        if not sheet.rows:
            raise BoardSyntaxError("expected 'Board:' and rows of * and 0, got no board")
        return sheet

    def _next_section(self, line: RawvfLine, title: str, section: str) -> str:
        repeated = bool(self.keys) if title == "description" else bool(self.rows) if title == "board" else False
        if section == "events" or repeated:
            raise line.error(f"expected one game with one board, got a second {line.text!r}")
        return title

    def _add_line(self, line: RawvfLine, section: str) -> None:
        if section == "events":
            self.event_lines.append(line)
        elif section == "board" and ":" not in line.text:
            self._add_row(line)
        else:
            key, colon, value = line.text.partition(":")
            if not colon:
                raise line.error(f"expected 'Key: value', 'Board:' or 'Events:', got {quote(line.text)}")
            self.keys[key.strip().lower()] = Value(line, value.strip())

    def _add_row(self, line: RawvfLine) -> None:
        wrong = re.search("[^*0]", line.text)
        if wrong is not None:
            raise line.error(f"expected * or 0, got {quote(wrong[0])}", wrong.start() + 1)
        columns = len(self.rows[0].text) if self.rows else len(line.text)
        if len(line.text) != columns:
            raise line.error(f"expected {plural(columns, 'cell')} as in the rows above, got {len(line.text)}")
        self.rows.append(line)

    # values of keys

    def printable_value(self, key: str) -> str:
        """Return a value without unprintable characters; empty if the key is missing."""
        value = self.keys.get(key.lower())
        return "" if value is None else "".join(sign for sign in value.text if sign.isprintable()).strip()

    def value(self, key: str) -> str:
        """Return a value in lower case; empty if the key is missing."""
        value = self.keys.get(key.lower())
        return "" if value is None else value.text.lower()

    def error(self, key: str, message: str) -> BoardSyntaxError:
        """Return an error at the line of a key."""
        return self.keys[key.lower()].line.error(message)

    def is_on(self, key: str) -> bool:
        """Is the value "on"?"""
        return self.value(key) == "on"

    def choice(self, key: str, known: dict[str, T]) -> T | None:
        """Return the meaning of a value, or None if the key is missing. Raises BoardSyntaxError for other values."""
        value = self.value(key)
        if value and value not in known:
            raise self.error(key, f"{key} must be one of {', '.join(known)}, got {quote(value)}")
        return known.get(value)

    def whole(self, key: str) -> int | None:
        """Return a whole number, or None if the key is missing."""
        value = self.value(key)
        if value and not re.fullmatch("[0-9]{1,9}", value):
            raise self.error(key, f"{key} must be a whole number, got {quote(value)}")
        return int(value) if value else None

    def ms(self, key: str) -> int:
        """Return a time in milliseconds, 0 if the key is missing."""
        value = self.value(key)
        time = re.fullmatch(TIME, value)
        if value and time is None:
            raise self.error(key, f"{key} must be seconds such as 12.345, got {quote(value)}")
        return 0 if time is None else milliseconds(time)

    # the board

    def layout(self) -> Layout:
        """Return the layout. Raises BoardSyntaxError if it disagrees with the keys."""
        rows = [line.text for line in self.rows]
        mines = frozenset((r, c) for r, signs in enumerate(rows) for c, sign in enumerate(signs) if sign == "*")
        layout = Layout(len(rows), len(rows[0]), mines, no_guess=_NO_GUESS.search(self.value("Mode")) is not None)
        for key, count in (("Width", layout.columns), ("Height", layout.rows), ("Mines", layout.total_mines)):
            expected = self.whole(key)
            if expected not in (None, count):
                raise self.error(key, f"expected {expected} on the board as {key} says, got {count}")
        return layout


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and their numbers from 1, without empty lines and mouse movements."""
    if max(text.count("\n"), text.count("\r")) > RAWVF_MAX_LINES:
        raise BoardSyntaxError(f"expected at most {RAWVF_MAX_LINES:,} lines in a replay, got more")
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, written in enumerate(_MOVES.sub("", plain).split("\n"), start=1):
        if written and (shown := written.strip()):
            yield number, shown


def milliseconds(time: re.Match[str]) -> int:
    """Return a time of the game clock, which starts with the first opening: times before it are 0."""
    if time["before"]:
        return 0
    return 1000 * int(time["seconds"]) + int(f"{time['parts'] or ''}000"[:3])
