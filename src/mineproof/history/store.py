"""The database: all SQL there is. One SQLite file, which several programs may use at once.

Kept safe
    Write-ahead logging: whoever reads does not wait for whoever writes, and what was committed survives a crash. A
    game is added in one transaction, and one that finds the file locked waits up to `PATIENCE` seconds.
Told apart
    ``application_id`` says that a database is a history, ``user_version`` which `MIGRATIONS` it has had. An older one
    is brought up to date in one transaction; a newer one, a damaged one and a file that is something else are refused
    and left as they are.
Private
    The file is made for its owner alone, as are folders that have to be made; SQLite gives the files beside it
    (``-wal``, ``-shm``) the same rights.

Every failure is a HistoryError with the name of the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from mineproof.board.geometry import Topology
from mineproof.errors import HistoryError
from mineproof.game.rules import Fairness
from mineproof.history.kept import FIELDS, KeptGame

FILE = "history.sqlite"
APPLICATION = 0x6D706869  # "mphi"
PATIENCE = 30.0  # seconds to wait for other programs
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

_COUNTS = "absent = 0 AND given IS NOT 1 AND again IS NOT 1 AND revived = 0"
_SPEED = "solved_bbbv * 1000.0 / ms"
_NEWEST = "coalesce(played, added) DESC, id DESC"
_EARLIEST = "coalesce(played, added), id"
ORDERS = {
    "date": _NEWEST,
    "time": f"ms IS NULL, ms, {_EARLIEST}",
    "3bv": f"bbbv DESC, {_NEWEST}",
    "speed": f"ms IS NULL, {_SPEED} DESC, {_EARLIEST}",
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
        return " AND ".join(f"({each})" for each in conditions) or "1", [value for _, value in told]


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
    """A history's file. It is made when something is first written; until then reading finds nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()  # one connection for all threads, one at a time

    def close(self) -> None:
        with self._lock, suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def check(self) -> None:
        """Open the file if there is one; HistoryError unless it is a history that can be used."""
        with self._telling("read"):
            self._connected(create=False)

    # writing

    def insert(self, values: Values, record: str) -> tuple[int, bool]:
        """Keep a game; its number, and whether it is new. One that is kept already learns when it was played."""
        with self._writing() as database:
            done = _insert(database, "games", values)
            if done.rowcount:
                assert done.lastrowid is not None
                database.execute("INSERT INTO records (id, record) VALUES (?, ?)", [done.lastrowid, record])
                return done.lastrowid, True
            mark = values["fingerprint"]
            database.execute(
                "UPDATE games SET played = ? WHERE fingerprint = ? AND played IS NULL", [values["played"], mark]
            )
            (number,) = database.execute("SELECT id FROM games WHERE fingerprint = ?", [mark]).fetchone()
            return number, False

    def update(self, game_id: int, values: Values) -> bool:
        """Put other values into a row; False if there is none."""
        changes = ", ".join(f"{name} = ?" for name in values)
        with self._writing() as database:
            stored = [_stored(value) for value in values.values()]
            return database.execute(f"UPDATE games SET {changes} WHERE id = ?", [*stored, game_id]).rowcount > 0

    def delete(self, game_ids: Iterable[int] | None) -> list[int]:
        """Take games out, all of them if None; the numbers of those that were there."""
        if not self.path.exists():
            return []
        with self._writing() as database:
            known = {number for (number,) in database.execute("SELECT id FROM games")}
            gone = sorted(known if game_ids is None else known.intersection(game_ids))
            for table in ("records", "games"):
                database.executemany(f"DELETE FROM {table} WHERE id = ?", [(number,) for number in gone])
        return gone

    def rate(self, values: Values, player: Rated, puzzle: Rated, change: Change) -> bool:
        """Keep an answer to a puzzle, and change the ratings of both; False if this player has answered it before.

        ``player`` and ``puzzle`` are their ratings if they have none yet.
        """
        with self._writing() as database:
            if not _insert(database, "puzzle_answers", values).rowcount:
                return False
            sides = (("player", values["player"], player), ("puzzle", values["technique"], puzzle))
            before = [_rating(database, kind, name) or first for kind, name, first in sides]
            for (kind, name, _), after in zip(sides, change(*before), strict=True):
                database.execute(
                    "INSERT OR REPLACE INTO ratings (kind, name, rating, deviation, volatility) VALUES (?, ?, ?, ?, ?)",
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
        query = "SELECT DISTINCT day FROM puzzle_answers WHERE player = ? AND was_right AND day IS NOT NULL"
        return [day for (day,) in self._rows(query, [player])]

    def select(self, wanted: Wanted, order: str, limit: int | None = None) -> list[KeptGame]:
        where, values = wanted.where()
        names = ", ".join(FIELDS)
        query = f"SELECT {names} FROM games WHERE {where} ORDER BY {ORDERS[order]} LIMIT ?"
        return self._games(query, [*values, -1 if limit is None else limit])

    def game(self, game_id: int) -> KeptGame | None:
        games = self._games(f"SELECT {', '.join(FIELDS)} FROM games WHERE id = ?", [game_id])
        return games[0] if games else None

    def record(self, game_id: int) -> str | None:
        rows = self._rows("SELECT record FROM records WHERE id = ?", [game_id])
        return str(rows[0][0]) if rows else None

    def count(self, wanted: Wanted) -> int:
        where, values = wanted.where()
        rows = self._rows(f"SELECT count(*) FROM games WHERE {where}", values)
        return int(rows[0][0]) if rows else 0

    def results(self, wanted: Wanted) -> list[Result]:
        """In the order in which games were played."""
        where, values = wanted.where()
        speed = f"CASE WHEN won THEN {_SPEED} END"
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
        with self._telling("read"):  # a row that somebody has changed by hand may be none of ours
            return [_kept(row) for row in self._rows(query, values)]

    def _rows(self, query: str, values: Sequence[object]) -> list[Any]:
        with self._telling("read"):
            database = self._connected(create=False)
            return [] if database is None else database.execute(query, values).fetchall()

    # the connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, which is short: whatever takes time is worked out before."""
        with self._telling("written"):
            database = self._connected(create=True)
            assert database is not None
            with _transaction(database):
                yield database

    def _connected(self, *, create: bool) -> sqlite3.Connection | None:
        if self._connection is None:
            if not create and not self.path.exists():
                return None
            self._connection = self._opened()
        return self._connection

    def _opened(self) -> sqlite3.Connection:
        target = self.path.resolve()
        if target.exists() and not target.is_file():
            raise HistoryError(f"found {self.path}, which is no file, expected a history of mineproof")
        if not target.exists():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(target, os.O_CREAT | os.O_RDWR, 0o600))
        database = sqlite3.connect(
            f"{target.as_uri()}?{_mode(target)}",
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            _patiently(lambda: self._prepare(database))
        except BaseException:
            database.close()
            raise
        return database

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Make sure that this is a history, and an up-to-date one. Nothing is written before that is known."""
        if self._version(database) < len(MIGRATIONS):
            if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise HistoryError(f"the history {self.path} cannot be kept where write-ahead logging does not work")
            with _transaction(database):
                # Another program may have been here meanwhile.
                for step in MIGRATIONS[self._version(database) :]:
                    for statement in step:
                        database.execute(statement)
                database.execute(f"PRAGMA application_id = {APPLICATION}")
                database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        database.execute("PRAGMA synchronous = FULL")  # what is kept is kept, also when the power fails

    def _version(self, database: sqlite3.Connection) -> int:
        """How many migrations the database has had; HistoryError if it is not ours, or of a later mineproof."""
        with nullcontext() if database.in_transaction else _transaction(database, "BEGIN"):  # one state of the file
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application != APPLICATION and (application or version or tables):
            raise HistoryError(
                f"found another program's database in {self.path}, expected a history of mineproof; it is left as it is"
            )
        if version > len(MIGRATIONS):
            raise HistoryError(
                f"found version {version} of the history {self.path}, expected at most {len(MIGRATIONS)}: "
                "a later mineproof made it; it is left as it is"
            )
        return int(version)

    @contextmanager
    def _telling(self, verb: str) -> Iterator[None]:
        """Whatever fails is told in one sentence with the name of the file."""
        with self._lock:
            try:
                yield
            except sqlite3.OperationalError as error:
                raise HistoryError(f"the history {self.path} cannot be {verb}: {error}") from None
            except sqlite3.DatabaseError as error:
                raise HistoryError(
                    f"found {self.path} damaged or no database ({error}), expected a history of mineproof; "
                    "it is left as it is"
                ) from None
            except OSError as error:
                raise HistoryError(f"the history {self.path} cannot be {verb}: {error.strerror or error}") from None
            except (sqlite3.Error, ValueError) as error:  # such as a zero byte in a name
                raise HistoryError(f"the history {str(self.path)!r} cannot be {verb}: {error}") from None


def _patiently(act: Callable[[], None]) -> None:
    """Do something that SQLite does not wait for by itself, such as the change to write-ahead logging."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return act()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                raise
            time.sleep(0.01)


@contextmanager
def _transaction(database: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    database.execute(begin)
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # a full disk may have ended it already
            with suppress(sqlite3.Error):
                database.execute("ROLLBACK")
        raise


def _rating(database: sqlite3.Connection, kind: str, name: object) -> Rated | None:
    row = database.execute(
        "SELECT rating, deviation, volatility FROM ratings WHERE kind = ? AND name = ?", [kind, name]
    ).fetchone()
    return None if row is None else Rated(*row)


def _mode(target: Path) -> str:
    """How to open a file. Where nothing may be written it is only read, and without the files beside it."""
    if os.access(target, os.W_OK) and os.access(target.parent, os.W_OK):
        return "mode=rw"
    in_use = target.with_name(f"{target.name}-wal").exists()
    return "mode=ro" if in_use else "mode=ro&immutable=1"


# values


_TRUTHS = ("no_guess", "won", "with_help", "given", "again", "revived")
_TIMES = ("added", "played")


def _insert(database: sqlite3.Connection, table: str, values: Values) -> sqlite3.Cursor:
    """Put a row in, unless one that it may not stand beside is there."""
    names, places = ", ".join(values), ", ".join("?" * len(values))
    stored = [_stored(value) for value in values.values()]
    return database.execute(f"INSERT INTO {table} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING", stored)


def _stored(value: object) -> object:
    """As SQLite has it; a seed may be larger than its integers, and goes in as text."""
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
