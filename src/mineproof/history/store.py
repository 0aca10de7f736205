"""What is kept of finished games and of answers to puzzles: all SQL of the history.

It runs on SQLite, by default one file, and on PostgreSQL; `mineproof.history.database` says what they have in common.
A game is added in one transaction. Every failure is a HistoryError with the name of the file, or of the database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from mineproof.board.geometry import Topology
from mineproof.errors import HistoryError
from mineproof.game.rules import Fairness
from mineproof.history.database import Connection, Cursor, Database, Purpose, SQLite
from mineproof.history.kept import FIELDS, KeptGame
from mineproof.history.postgresql import Address

FILE = "history.sqlite"
APPLICATION = 0x6D706869  # "mphi"
PATIENCE = 30.0  # seconds to wait for other programs
CONNECTIONS = 2  # to PostgreSQL at a time; the others wait
LARGEST = 2**63 - 1  # number of a game, and of games
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            fingerprint TEXT NOT NULL UNIQUE,
            added TEXT NOT NULL,
            played TEXT,
            source TEXT NOT NULL,
            player TEXT,
            level TEXT NOT NULL,
            rows INTEGER NOT NULL,
            columns INTEGER NOT NULL,
            mines INTEGER NOT NULL,
            absent INTEGER NOT NULL,
            topology TEXT NOT NULL,
            first_click TEXT NOT NULL,
            fairness TEXT NOT NULL,
            chord_rule TEXT NOT NULL,
            no_guess INTEGER NOT NULL,
            seed TEXT,
            won INTEGER NOT NULL,
            ms INTEGER,
            bbbv INTEGER NOT NULL,
            solved_bbbv INTEGER NOT NULL,
            openings INTEGER NOT NULL,
            islands INTEGER NOT NULL,
            zini INTEGER NOT NULL,
            human_zini INTEGER NOT NULL,
            moves INTEGER NOT NULL,
            clicks INTEGER NOT NULL,
            left_clicks INTEGER NOT NULL,
            right_clicks INTEGER NOT NULL,
            chords INTEGER NOT NULL,
            effective_clicks INTEGER NOT NULL,
            undos INTEGER NOT NULL,
            redraws INTEGER NOT NULL,
            guesses INTEGER,
            forced_guesses INTEGER,
            needless_guesses INTEGER,
            luck REAL,
            with_help INTEGER,
            help_used TEXT,
            given INTEGER,
            again INTEGER,
            revived INTEGER NOT NULL
        )""",
        "CREATE INDEX games_by_date ON games (coalesce(played, added), id)",
        "CREATE INDEX games_by_level ON games (level, topology, fairness, no_guess)",
        "CREATE TABLE records (id INTEGER PRIMARY KEY REFERENCES games, record TEXT NOT NULL)",
    ),
    (
        """CREATE TABLE puzzle_answers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            answered TEXT NOT NULL,
            player TEXT NOT NULL,
            technique TEXT NOT NULL,
            level TEXT NOT NULL,
            seed TEXT NOT NULL,
            day TEXT,
            answer_row INTEGER NOT NULL,
            answer_column INTEGER NOT NULL,
            was_right INTEGER NOT NULL,
            UNIQUE (player, technique, level, seed)
        )""",
        """CREATE TABLE ratings (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            rating REAL NOT NULL,
            deviation REAL NOT NULL,
            volatility REAL NOT NULL,
            PRIMARY KEY (kind, name)
        )""",
    ),
)
UNFILLED = "guesses IS NULL"  # of a game some numbers of which are still to be worked out

_COUNTS = "absent = 0 AND coalesce(given, 0) <> 1 AND coalesce(again, 0) <> 1 AND revived = 0"
_SPEED = "solved_bbbv * CAST(1000 AS DOUBLE PRECISION) / nullif(ms, 0)"  # none of a game without a clock, or at once
_NEWEST = "coalesce(played, added) DESC, id DESC"
_EARLIEST = "coalesce(played, added), id"
ORDERS = {
    "date": _NEWEST,
    "time": f"ms IS NULL, ms, {_EARLIEST}",
    "3bv": f"bbbv DESC, {_NEWEST}",
    "speed": f"ms IS NULL, {_SPEED} IS NULL, {_SPEED} DESC, {_EARLIEST}",
    "clicks": f"clicks, {_EARLIEST}",
    "guesses": f"guesses IS NULL, guesses DESC, {_NEWEST}",
    "luck": f"luck IS NULL, luck, {_NEWEST}",
}

Values = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which games are meant; None leaves open. Times are as `mineproof.history.kept.timestamp` writes them."""

    level: str | None = None
    topology: Topology | None = None
    fairness: Fairness | None = None
    no_guess: bool | None = None
    won: bool | None = None
    with_help: bool | None = None
    since: str | None = None
    before: str | None = None
    counts: bool = False
    timed: bool = False
    unfilled: bool = False

    def where(self) -> tuple[str, list[object]]:
        """A condition, and what to put into it."""
        equal = ("level", "topology", "fairness", "no_guess", "won", "with_help")
        asked = [(f"{name} = ?", getattr(self, name)) for name in equal]
        asked += [("played >= ?", self.since), ("played < ?", self.before)]
        told = [(condition, value) for condition, value in asked if value is not None]
        flags = [(_COUNTS, self.counts), ("ms IS NOT NULL", self.timed), (UNFILLED, self.unfilled)]
        conditions = [condition for condition, _ in told] + [condition for condition, wanted in flags if wanted]
        return " AND ".join(f"({each})" for each in conditions) or "1 = 1", [value for _, value in told]


class Result(NamedTuple):
    """What statistics need of a game."""

    won: bool
    dated: bool
    bbbv_per_second: float | None


class Group(NamedTuple):
    """Games of one level by the same rules."""

    level: str
    topology: Topology
    fairness: Fairness
    no_guess: bool


class Rated(NamedTuple):
    """A rating as it is kept; `mineproof.practice.rating` says what the numbers mean."""

    rating: float
    deviation: float
    volatility: float


Change = Callable[[Rated, Rated], tuple[Rated, Rated]]  # of the ratings of a player and of a puzzle


class Store:
    """A history. Its file is made when something is first written; until then reading finds nothing."""

    def __init__(self, place: Path | Address) -> None:
        purpose = Purpose("the history", "a history of mineproof", APPLICATION, "mineproof_history", MIGRATIONS)
        self._database: Database
        if isinstance(place, Path):
            self._database = SQLite(place, purpose, PATIENCE)
        else:
            self._database = place.database(purpose, CONNECTIONS)

    @property
    def name(self) -> str:
        """The file, or the address without its password."""
        return self._database.name

    @property
    def path(self) -> Path:
        """The file; HistoryError where there is none."""
        if isinstance(self._database, SQLite):
            return self._database.path
        raise HistoryError(f"the history {self.name} is in a database of its own, expected one in a file")

    def close(self) -> None:
        self._database.close()

    def check(self) -> None:
        """Open the database if there is one; HistoryError unless it is a history that can be used."""
        self._database.check()

    # writing

    def insert(self, values: Values, record: str) -> tuple[int, bool]:
        """Keep a game; its number, and whether it is new. One that is kept already learns when it was played."""
        with self._database.writing() as database:
            asked = ("SELECT id FROM games WHERE fingerprint = ?", [values["fingerprint"]])
            found = database.execute(*asked).fetchone()
            if found is not None:
                database.execute(
                    "UPDATE games SET played = ? WHERE id = ? AND played IS NULL", [values["played"], *found]
                )
                return int(found[0]), False
            _insert(database, "games", values)
            (number,) = database.execute(*asked).fetchone()
            database.execute("INSERT INTO records (id, record) VALUES (?, ?)", [number, record])
            return int(number), True

    def update(self, game_id: int, values: Values) -> bool:
        """Put other values into a row; False if there is none."""
        changes = ", ".join(f"{name} = ?" for name in values)
        with self._database.writing() as database:
            stored = [_stored(value) for value in values.values()]
            return database.execute(f"UPDATE games SET {changes} WHERE id = ?", [*stored, game_id]).rowcount > 0

    def delete(self, game_ids: Iterable[int] | None) -> list[int]:
        """Take games out, all of them if None; the numbers of those that were there."""
        if not self._database.exists():
            return []
        with self._database.writing() as database:
            known = {number for (number,) in database.execute("SELECT id FROM games").fetchall()}
            gone = sorted(known if game_ids is None else known.intersection(game_ids))
            for number in gone:
                for table in ("records", "games"):
                    database.execute(f"DELETE FROM {table} WHERE id = ?", [number])
        return gone

    def rate(self, values: Values, player: Rated, puzzle: Rated, change: Change) -> bool:
        """Keep an answer to a puzzle, and change the ratings of both; False if this player has answered it before.

        ``player`` and ``puzzle`` are their ratings if they have none yet.
        """
        with self._database.writing() as database:
            if not _insert(database, "puzzle_answers", values).rowcount:
                return False
            sides = (("player", values["player"], player), ("puzzle", values["technique"], puzzle))
            before = [_rating(database, kind, name) or first for kind, name, first in sides]
            for (kind, name, _), after in zip(sides, change(*before), strict=True):
                database.execute(
                    "INSERT INTO ratings (kind, name, rating, deviation, volatility) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (kind, name) DO UPDATE SET rating = excluded.rating, "
                    "deviation = excluded.deviation, volatility = excluded.volatility",
                    [kind, name, *after],
                )
            return True

    # reading

    def ratings(self, kind: str) -> dict[str, Rated]:
        """The ratings of players, or of puzzles, by name."""
        rows = self._rows("SELECT name, rating, deviation, volatility FROM ratings WHERE kind = ?", [kind])
        return {name: Rated(*numbers) for name, *numbers in rows}

    def puzzle_results(self, player: str) -> list[bool]:
        """Whether a player was right, answer by answer."""
        rows = self._rows("SELECT was_right FROM puzzle_answers WHERE player = ? ORDER BY id", [player])
        return [bool(right) for (right,) in rows]

    def puzzle_days(self, player: str) -> list[str]:
        """The days whose daily puzzle a player answered rightly."""
        query = "SELECT DISTINCT day FROM puzzle_answers WHERE player = ? AND was_right = 1 AND day IS NOT NULL"
        return [day for (day,) in self._rows(query, [player])]

    def select(self, wanted: Wanted, order: str, limit: int | None = None) -> list[KeptGame]:
        where, values = wanted.where()
        names = ", ".join(FIELDS)
        query = f"SELECT {names} FROM games WHERE {where} ORDER BY {ORDERS[order]} LIMIT ?"
        return self._games(query, [*values, LARGEST if limit is None else limit])

    def game(self, game_id: int) -> KeptGame | None:
        games = self._games(f"SELECT {', '.join(FIELDS)} FROM games WHERE id = ?", [game_id])
        return games[0] if games else None

    def record(self, game_id: int) -> str | None:
        rows = self._rows("SELECT record FROM records WHERE id = ?", [game_id])
        return str(rows[0][0]) if rows else None

    def numbers(self, fingerprints: Iterable[str]) -> set[int]:
        """The numbers of the games with these fingerprints that are kept."""
        query = "SELECT id FROM games WHERE fingerprint = ?"
        return {int(number) for each in fingerprints for (number,) in self._rows(query, [each])}

    def count(self, wanted: Wanted) -> int:
        where, values = wanted.where()
        rows = self._rows(f"SELECT count(*) FROM games WHERE {where}", values)
        return int(rows[0][0]) if rows else 0

    def results(self, wanted: Wanted) -> list[Result]:
        """In the order in which games were played."""
        where, values = wanted.where()
        speed = f"CASE WHEN won = 1 THEN {_SPEED} END"
        query = f"SELECT won, played IS NOT NULL, {speed} FROM games WHERE {where} ORDER BY {_EARLIEST}"
        return [Result(bool(won), bool(dated), speed) for won, dated, speed in self._rows(query, values)]

    def groups(self, wanted: Wanted) -> list[Group]:
        where, values = wanted.where()
        names = ", ".join(Group._fields)
        rows = self._rows(f"SELECT {names} FROM games WHERE {where} GROUP BY {names} ORDER BY min(id)", values)
        return [Group(level, topology, fairness, bool(no_guess)) for level, topology, fairness, no_guess in rows]

    def unfilled(self) -> list[tuple[int, str]]:
        """Games some numbers of which are still to be worked out, with their records."""
        return self._rows(f"SELECT id, record FROM games JOIN records USING (id) WHERE {UNFILLED} ORDER BY id", [])

    def _games(self, query: str, values: Sequence[object]) -> list[KeptGame]:
        with self._database.telling("read"):  # a row that somebody has changed by hand may be none of ours
            return [_kept(row) for row in self._rows(query, values)]

    def _rows(self, query: str, values: Sequence[object]) -> list[Any]:
        return self._database.rows(query, values)


def _rating(database: Connection, kind: str, name: object) -> Rated | None:
    row = database.execute(
        "SELECT rating, deviation, volatility FROM ratings WHERE kind = ? AND name = ?", [kind, name]
    ).fetchone()
    return None if row is None else Rated(*row)


# values


_TRUTHS = ("no_guess", "won", "with_help", "given", "again", "revived")
_TIMES = ("added", "played")


def _insert(database: Connection, table: str, values: Values) -> Cursor:
    """Put a row in, unless one that it may not stand beside is there."""
    names, places = ", ".join(values), ", ".join("?" * len(values))
    stored = [_stored(value) for value in values.values()]
    return database.execute(f"INSERT INTO {table} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING", stored)


def _stored(value: object) -> object:
    """As databases have it; a seed may be larger than their integers, and goes in as text."""
    if isinstance(value, Mapping):
        return json.dumps(dict(value))
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        return str(value)
    return value


def _kept(row: Sequence[Any]) -> KeptGame:
    found = dict(zip(FIELDS, row, strict=True))
    for name in _TRUTHS:
        found[name] = None if found[name] is None else bool(found[name])
    for name in _TIMES:
        found[name] = None if found[name] is None else datetime.fromisoformat(found[name])
    found["seed"] = None if found["seed"] is None else int(found["seed"])
    found["help_used"] = None if found["help_used"] is None else json.loads(found["help_used"])
    return KeptGame(**found)
