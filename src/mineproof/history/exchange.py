"""Games out of a history and into one: tables as CSV, whole games as JSON lines, and files of games.

A line of JSON has all of a game, its record too, so that another history can take it in. What is read back is the
record and what it does not tell (when, by whom, with which help); numbers are worked out again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

import msgspec

from mineproof.base import checks
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import decode
from mineproof.game import record as saving
from mineproof.game.record import Record
from mineproof.history import facts
from mineproof.history.facts import Help
from mineproof.history.kept import SCHEMA, KeptGame
from mineproof.recordings.recording import CHEAT, UPK
from mineproof.replays.reading import SAVED, read_game
from mineproof.replays.recorded import Replay

Export = Literal["csv", "jsonl"]
EXPORTS: tuple[Export, ...] = get_args(Export)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what one begins with
LONGEST_NAME = 40  # characters of a player's name, or of a source


@dataclass(frozen=True, slots=True)
class About:
    """What a record does not tell of a game; None where nobody knows. ``seeded``: the seed in the record is its own."""

    help_used: Help | None = None
    when: datetime | None = None
    source: str = "import"
    player: str | None = None
    given: bool | None = None
    again: bool | None = None
    seeded: bool = True

    def __post_init__(self) -> None:
        label("source", self.source)
        if self.player is not None:
            label("player", self.player)
        if self.when is not None:
            checks.instance("when", self.when, datetime)
        for name, count in (self.help_used or {}).items():
            facts.counted(label("help_used", name), count)

    def with_told(self, told: About) -> About:
        """The same, with what is told besides where it was open; who played is whoever is told."""
        return replace(
            self,
            help_used=told.help_used if self.help_used is None else self.help_used,
            when=self.when or told.when,
            player=told.player or self.player,
        )


def label(name: str, text: object) -> str:
    """A short name as people write it: not empty, and nothing in it that could move a cursor."""
    words = checks.instance(name, text, str)
    if not (words.isprintable() and words.strip() and len(words) <= LONGEST_NAME):
        raise ValueError(
            f"found {name}={words[: LONGEST_NAME + 1]!r}, expected 1 to {LONGEST_NAME} printable characters"
        )
    return words


# writing


def csv_lines(games: Iterable[KeptGame]) -> Iterator[str]:
    """A line of names, then one for each game; truths are 1 and 0, what is not known is empty.

    A text that a spreadsheet would take for a formula has ``'`` before it.
    """
    head: list[str] | None = None
    for game in games:
        shown = {name: value for name, value in game.as_json().items() if name != "schema"}
        if head is None:
            head = list(shown)
            yield _csv_line(head)
        yield _csv_line([_csv_value(value) for value in shown.values()])


def _csv_value(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return msgspec.json.encode(value).decode("utf-8") if isinstance(value, dict) else value


def _csv_line(values: list[object] | list[str]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="").writerow(values)
    return sheet.getvalue()


def json_lines(games: Iterable[KeptGame], record_of: Callable[[int], str]) -> Iterator[str]:
    """Each game with its record."""
    for game in games:
        whole = game.as_json() | {"record": msgspec.Raw(record_of(game.id).encode("utf-8"))}
        yield msgspec.json.encode(whole).decode("utf-8")


# reading


class _Line(msgspec.Struct, tag_field="schema", tag=SCHEMA):
    """What is taken from a line; its other keys are worked out of the record."""

    record: msgspec.Raw
    played: datetime | None = None
    source: str = "import"
    player: str | None = None
    help_used: dict[str, int | list[int]] | None = None
    given: bool | None = None
    again: bool | None = None
    seed: int | None = None


def read(data: bytes, file: str = "") -> Iterator[tuple[Record, About]]:
    """The games of a file, with what it tells of them besides; BoardSyntaxError where it cannot be read.

    ``file`` is what it is called.
    """
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"{") or _head(start) != SCHEMA:
        replay = read_game(data, file)
        yield replay.record, _beside(data) if replay.format == SAVED else _about(replay)
        return
    for number, line in enumerate(decode(data).splitlines(), 1):
        if line.strip():
            try:
                yield _game(_read_line(line))
            except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
                raise BoardSyntaxError(str(error), line=number) from None


def _about(replay: Replay) -> About:
    """What a replay tells: programs that write them give no help unless one cheats, and local time is ours.

    UPK is the same board again. Where layouts come from is not told.
    """
    when = None if replay.played is None else replay.played.astimezone()
    again = True if replay.mode == UPK else None
    return About(
        None if replay.mode == CHEAT else {},
        when,
        player=replay.player[:LONGEST_NAME].strip() or None,
        again=again,
        seeded=False,
    )


def _beside(data: bytes) -> About:
    """What a saved game tells besides its record: the help used, and whether its layout was chosen."""
    kept = saving.kept_in(decode(data))
    return About() if kept is None else About(kept.help.as_json(), given=kept.fixed)


class _Head(msgspec.Struct):
    schema: str = ""


# Made at import: msgspec crashes where two threads make one at once.
_read_line = msgspec.json.Decoder(_Line).decode
_read_head = msgspec.json.Decoder(_Head).decode


def _head(data: bytes) -> str:
    """The schema of the first line."""
    try:
        return _read_head(data.split(b"\n", 1)[0]).schema
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""


def _game(line: _Line) -> tuple[Record, About]:
    when = line.played
    if when is not None and when.tzinfo is None:
        raise ValueError(f"found {when.isoformat()} in `played`, expected a time zone, such as Z at the end")
    about = About(line.help_used, when, line.source, line.player, line.given, line.again, line.seed is not None)
    return saving.from_json(bytes(line.record).decode("utf-8")), about
