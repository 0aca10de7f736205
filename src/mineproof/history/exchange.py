"""Import and export of games: tables as CSV, whole games as JSON lines, and game files.

A JSON line has everything about a game, including its record, so that another history can import it. An import reads
the record and what the record does not contain (when, by whom, with which help); all numbers are computed again.
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
from mineproof.formats.replays.reader import read_game
from mineproof.formats.replays.recording import CHEAT, UPK
from mineproof.formats.replays.recording_games import Replay
from mineproof.formats.table import SAVED
from mineproof.game import record as saving
from mineproof.game.record import Record
from mineproof.history import facts
from mineproof.history.facts import Help
from mineproof.history.game_row import IMPORTED, SCHEMA, KeptGame
from mineproof.history.mouse_paths import MousePath, check_path, replay_path

Export = Literal["csv", "jsonl"]
EXPORTS: tuple[Export, ...] = get_args(Export)
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
NAME_MAX_LENGTH = 40  # of a player's name, or of a source


@dataclass(frozen=True, slots=True)
class GameOrigin:
    """What a record does not contain; None if unknown.

    ``seeded``: the seed in the record is that of the game. ``path`` is the path of the mouse.
    """

    help_used: Help | None = None
    when: datetime | None = None
    source: str = IMPORTED
    player: str | None = None
    given: bool | None = None
    again: bool | None = None
    seeded: bool = True
    path: MousePath | None = None

    def __post_init__(self) -> None:
        check_name("source", self.source)
        if self.player is not None:
            check_name("player", self.player)
        if self.when is not None:
            checks.instance("when", self.when, datetime)
        if self.path is not None:
            check_path(self.path)
        for name, count in (self.help_used or {}).items():
            facts.check_help_count(check_name("help_used", name), count)

    def completed_by(self, options: GameOrigin) -> GameOrigin:
        """A copy with unknown values filled in from ``options``; ``options.player`` wins."""
        return replace(
            self,
            help_used=options.help_used if self.help_used is None else self.help_used,
            when=self.when or options.when,
            player=options.player or self.player,
            source=options.source if self.source == IMPORTED else self.source,
        )


def check_name(argument: str, value: object) -> str:
    """Check a short name: not empty, and without characters that could move a cursor."""
    name = checks.instance(argument, value, str)
    if not (name.isprintable() and name.strip() and len(name) <= NAME_MAX_LENGTH):
        raise ValueError(
            f"{argument}: expected 1 to {NAME_MAX_LENGTH} printable characters, got {name[: NAME_MAX_LENGTH + 1]!r}"
        )
    return name


# writing


def csv_lines(games: Iterable[KeptGame]) -> Iterator[str]:
    """A line of names, then a line per game. Booleans are 1 and 0, unknown values are empty.

    A text that a spreadsheet would read as a formula gets a ``'`` in front.
    """
    names: list[str] | None = None
    for game in games:
        row = {name: value for name, value in game.as_json().items() if name != "schema"}
        if names is None:
            names = list(row)
            yield _csv_line(names)
        yield _csv_line([_csv_value(value) for value in row.values()])


def _csv_value(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return msgspec.json.encode(value).decode("utf-8") if isinstance(value, dict) else value


def _csv_line(values: list[object] | list[str]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet, lineterminator="").writerow(values)
    return sheet.getvalue()


def json_lines(
    games: Iterable[KeptGame], record_of: Callable[[int], str], path_of: Callable[[int], str | None]
) -> Iterator[str]:
    """A JSON object per game, with its record, and with the path of the mouse if it is known."""
    for game in games:
        document = game.as_json() | {"record": msgspec.Raw(record_of(game.id).encode("utf-8"))}
        path = path_of(game.id)
        if path is not None:
            document["mouse_path"] = msgspec.Raw(path.encode("utf-8"))
        yield msgspec.json.encode(document).decode("utf-8")


# reading


class _GameLine(msgspec.Struct, tag_field="schema", tag=SCHEMA):
    """The keys that an import reads from a line; all others are computed from the record."""

    record: msgspec.Raw
    played: datetime | None = None
    source: str = IMPORTED
    player: str | None = None
    help_used: dict[str, int | list[int]] | None = None
    given: bool | None = None
    again: bool | None = None
    seed: int | None = None
    mouse_path: list[tuple[int, float, float]] | None = None


def read_games(data: bytes, file: str = "") -> Iterator[tuple[Record, GameOrigin]]:
    """Read the games of a file with their origins. Raises BoardSyntaxError if the file cannot be read.

    ``file`` is the name of the file.
    """
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"{") or _first_schema(start) != SCHEMA:
        replay = read_game(data, file)
        yield replay.record, _saved_origin(data) if replay.format == SAVED else _replay_origin(replay)
        return
    for number, line in enumerate(decode(data).splitlines(), 1):
        if line.strip():
            try:
                yield _read_game_line(_decode_line(line))
            except (msgspec.MsgspecError, ValueError, TypeError, RecursionError) as error:
                raise BoardSyntaxError(str(error), line=number) from None


def _replay_origin(replay: Replay) -> GameOrigin:
    """The origin of a replay. Programs that write replays give no help, except in cheat mode. Times are local.

    UPK mode repeats the same board. Replays do not say where layouts come from.
    """
    when = None if replay.played is None else replay.played.astimezone()
    again = True if replay.mode == UPK else None
    return GameOrigin(
        None if replay.mode == CHEAT else {},
        when,
        player=replay.player[:NAME_MAX_LENGTH].strip() or None,
        again=again,
        seeded=False,
        path=replay_path(replay),
    )


def _saved_origin(data: bytes) -> GameOrigin:
    """The origin of a saved game: the help used, and whether its layout was chosen."""
    saved = saving.read_extras(decode(data))
    return GameOrigin() if saved is None else GameOrigin(saved.help.as_json(), given=saved.fixed)


class _SchemaOnly(msgspec.Struct):
    schema: str = ""


# Built at import, because msgspec crashes if two threads build a decoder at once.
_decode_line = msgspec.json.Decoder(_GameLine).decode
_decode_schema = msgspec.json.Decoder(_SchemaOnly).decode


def _first_schema(data: bytes) -> str:
    """The schema of the first line."""
    try:
        return _decode_schema(data.split(b"\n", 1)[0]).schema
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""


def _read_game_line(line: _GameLine) -> tuple[Record, GameOrigin]:
    when = line.played
    if when is not None and when.tzinfo is None:
        raise ValueError(f"`played`: expected a time zone such as Z at the end, got {when.isoformat()}")
    path = None if line.mouse_path is None else tuple(line.mouse_path)
    origin = GameOrigin(
        line.help_used, when, line.source, line.player, line.given, line.again, line.seed is not None, path
    )
    return saving.from_json(bytes(line.record).decode("utf-8")), origin
