"""The text of a RAWVF replay in its parts: keys, board, events. What they mean is said in `rawvf`."""

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
MOST_LINES = 1_000_000
_EVENT = re.compile(rf"{TIME}\s+[A-Za-z]")
_MOVES = re.compile(r"(?<![^\n])[ \t]*-?[0-9]{1,9}(?:[.,][0-9]{1,9})?[ \t]+[mM][vV]\b[^\n]*")
_NO_GUESS = re.compile(r"\bng\b|no.?guess", re.IGNORECASE)


class Line(NamedTuple):
    """A line without blanks around it, and its number from 1."""

    number: int
    text: str

    def error(self, message: str, column: int | None = None) -> BoardSyntaxError:
        return BoardSyntaxError(message, line=self.number, column=column)


class Value(NamedTuple):
    """What a key says, and where."""

    line: Line
    text: str


@dataclass
class Sheet:
    """A replay in its parts; keys are in lower case, and of a repeated one the last counts."""

    keys: dict[str, Value] = field(default_factory=dict)
    rows: list[Line] = field(default_factory=list)
    event_lines: list[Line] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Sheet:
        sheet = cls()
        section = "description"
        for number, written in _lines(text):
            line = Line(number, written)
            title = written.lower().removesuffix(":") if written[-1] == ":" else ""
            if title in ("description", "board", "events"):
                section = sheet._next_section(line, title, section)
                continue
            if section == "board" and sheet.rows and _EVENT.match(written):
                section = "events"  # FreeSweeper writes no line that says so
            sheet._take(line, section)
        if not sheet.rows:
            raise BoardSyntaxError("found no board, expected 'Board:' and rows of * and 0")
        return sheet

    def _next_section(self, line: Line, title: str, section: str) -> str:
        repeated = bool(self.keys) if title == "description" else bool(self.rows) if title == "board" else False
        if section == "events" or repeated:
            raise line.error(f"found a second {line.text!r}, expected one game, with mines that stay where they are")
        return title

    def _take(self, line: Line, section: str) -> None:
        if section == "events":
            self.event_lines.append(line)
        elif section == "board" and ":" not in line.text:
            self._take_row(line)
        else:
            key, colon, value = line.text.partition(":")
            if not colon:
                raise line.error(f"found {quote(line.text)}, expected 'Key: value', 'Board:' or 'Events:'")
            self.keys[key.strip().lower()] = Value(line, value.strip())

    def _take_row(self, line: Line) -> None:
        wrong = re.search("[^*0]", line.text)
        if wrong is not None:
            raise line.error(f"found {quote(wrong[0])}, expected * or 0", wrong.start() + 1)
        columns = len(self.rows[0].text) if self.rows else len(line.text)
        if len(line.text) != columns:
            raise line.error(f"found {plural(len(line.text), 'cell')}, expected {columns} as in the rows above")
        self.rows.append(line)

    # what the keys say

    def written(self, key: str) -> str:
        """As it is written, without what cannot be printed; empty where the key is missing."""
        found = self.keys.get(key.lower())
        return "" if found is None else "".join(sign for sign in found.text if sign.isprintable()).strip()

    def value(self, key: str) -> str:
        """In lower case; empty where the key is missing."""
        found = self.keys.get(key.lower())
        return "" if found is None else found.text.lower()

    def error(self, key: str, message: str) -> BoardSyntaxError:
        """About a key that is there."""
        return self.keys[key.lower()].line.error(message)

    def is_on(self, key: str) -> bool:
        return self.value(key) == "on"

    def choice(self, key: str, known: dict[str, T]) -> T | None:
        value = self.value(key)
        if value and value not in known:
            raise self.error(key, f"found {quote(value)}, expected one of {', '.join(known)} as {key}")
        return known.get(value)

    def whole(self, key: str) -> int | None:
        value = self.value(key)
        if value and not re.fullmatch("[0-9]{1,9}", value):
            raise self.error(key, f"found {quote(value)}, expected a whole number as {key}")
        return int(value) if value else None

    def ms(self, key: str) -> int:
        value = self.value(key)
        time = re.fullmatch(TIME, value)
        if value and time is None:
            raise self.error(key, f"found {quote(value)}, expected seconds such as 12.345 as {key}")
        return 0 if time is None else milliseconds(time)

    # the board

    def layout(self) -> Layout:
        rows = [line.text for line in self.rows]
        mines = frozenset((r, c) for r, signs in enumerate(rows) for c, sign in enumerate(signs) if sign == "*")
        layout = Layout(len(rows), len(rows[0]), mines, no_guess=_NO_GUESS.search(self.value("Mode")) is not None)
        for key, found in (("Width", layout.columns), ("Height", layout.rows), ("Mines", layout.total_mines)):
            expected = self.whole(key)
            if expected not in (None, found):
                raise self.error(key, f"found {found} on the board, expected {expected} as {key} says")
        return layout


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, each with its number from 1; those of a mouse that moves, most of all, do not."""
    if max(text.count("\n"), text.count("\r")) > MOST_LINES:
        raise BoardSyntaxError(f"found more than {MOST_LINES:,} lines, expected a replay of at most as many")
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, written in enumerate(_MOVES.sub("", plain).split("\n"), start=1):
        if written and (shown := written.strip()):
            yield number, shown


def milliseconds(time: re.Match[str]) -> int:
    """A time as the game has it, whose clock does not begin before the first opening."""
    if time["before"]:
        return 0
    return 1000 * int(time["seconds"]) + int(f"{time['parts'] or ''}000"[:3])
