"""Finished games and answers to puzzles: all SQL of the history.

The store runs on SQLite, by default one file, and on PostgreSQL; see `mineproof.history.database`. A game is added in
one transaction. Every failure is a HistoryError with the name of the file or the database.

Every game and every answer belongs to an owner. `LOCAL` is the player at this machine, who owns everything that was
stored before there were owners. A server for many players has one owner per player key. A `HistoryStore` reads and
writes only what its owner has. Two owners may have the same game, so a fingerprint depends on the record and the owner.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from mineproof.board.geometry import Topology
from mineproof.errors import HistoryError
from mineproof.game.rules import Fairness
from mineproof.history.database import Connection, Database, Purpose, SQLite, StatementResult
from mineproof.history.game_row import FIELDS, IMPORTED, KeptGame
from mineproof.history.postgresql import Address

FILE = "history.sqlite"
APPLICATION = 0x6D706869  # "mphi"
LOCK_SECONDS = 30.0  # how long to wait for other programs that lock the file
MAX_CONNECTIONS = 2  # to PostgreSQL at a time
MAX_INTEGER = 2**63 - 1  # of the database: largest id, largest limit
LOCAL = ""  # the owner at this machine
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
    (
        "ALTER TABLE games ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX games_by_owner ON games (owner, coalesce(played, added), id)",
    ),
    (
        "ALTER TABLE puzzle_answers ADD COLUMN ms INTEGER",
        "ALTER TABLE puzzle_answers ADD COLUMN shape TEXT",
        "ALTER TABLE puzzle_answers ADD COLUMN board TEXT",
        "ALTER TABLE puzzle_answers ADD COLUMN run INTEGER",
        "ALTER TABLE puzzle_answers ADD COLUMN solved_later TEXT",
        """CREATE TABLE puzzle_runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            player TEXT NOT NULL,
            mode TEXT NOT NULL,
            level TEXT NOT NULL,
            started TEXT NOT NULL,
            score INTEGER NOT NULL,
            mistakes INTEGER NOT NULL
        )""",
        "CREATE INDEX puzzle_runs_by_player ON puzzle_runs (player, mode, score)",
    ),
    (
        "ALTER TABLE games ADD COLUMN accuracy REAL",
        "CREATE TABLE mouse_paths (id INTEGER PRIMARY KEY REFERENCES games, path TEXT NOT NULL)",
    ),
)
UNFILLED = "guesses IS NULL OR accuracy IS NULL"  # games without guesses, luck and accuracy

_COUNTS = "absent = 0 AND coalesce(given, 0) <> 1 AND coalesce(again, 0) <> 1 AND revived = 0"
_IMPORTED = f"source = '{IMPORTED}'"
_SPEED = "solved_bbbv * CAST(1000 AS DOUBLE PRECISION) / nullif(ms, 0)"  # NULL for a game without a time, or with 0 ms
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
class GameFilter:
    """A filter on games; None means no restriction. Times are texts of `mineproof.history.game_row.timestamp`."""

    level: str | None = None
    topology: Topology | None = None
    fairness: Fairness | None = None
    no_guess: bool | None = None
    won: bool | None = None
    with_help: bool | None = None
    since: str | None = None
    before: str | None = None
    imported: bool | None = None
    counts: bool = False
    timed: bool = False
    unfilled: bool = False

    def where(self) -> tuple[str, list[object]]:
        """The SQL condition and its values."""
        equal = ("level", "topology", "fairness", "no_guess", "won", "with_help")
        comparisons = [(f"{name} = ?", getattr(self, name)) for name in equal]
        comparisons += [("played >= ?", self.since), ("played < ?", self.before)]
        comparisons = [(condition, value) for condition, value in comparisons if value is not None]
        flags = [(_COUNTS, self.counts), ("ms IS NOT NULL", self.timed), (UNFILLED, self.unfilled)]
        flags += [(_IMPORTED, self.imported is True), (f"NOT ({_IMPORTED})", self.imported is False)]
        conditions = [condition for condition, _ in comparisons] + [condition for condition, is_set in flags if is_set]
        where = " AND ".join(f"({condition})" for condition in conditions) or "1 = 1"
        return where, [value for _, value in comparisons]


class GameResult(NamedTuple):
    """The part of a game that statistics need."""

    won: bool
    dated: bool
    bbbv_per_second: float | None


class LevelGroup(NamedTuple):
    """Games of one level with the same rules."""

    level: str
    topology: Topology
    fairness: Fairness
    no_guess: bool


class StoredRating(NamedTuple):
    """A rating as it is stored; see `mineproof.practice.rating`."""

    rating: float
    deviation: float
    volatility: float


class StoredAnswer(NamedTuple):
    """An answer to a puzzle as it is stored. ``solved_later`` is when a wrong one was put right."""

    answered: str
    technique: str
    level: str
    seed: str
    day: str | None
    was_right: bool
    ms: int | None
    shape: str | None
    run: int | None
    solved_later: str | None


class StoredRun(NamedTuple):
    """A streak or storm as it is stored; see `mineproof.practice.runs`."""

    id: int
    mode: str
    level: str
    started: str
    score: int
    mistakes: int


# From the ratings of a player and a puzzle before an answer to those after it.
RatingChange = Callable[[StoredRating, StoredRating], tuple[StoredRating, StoredRating]]


def owned_fingerprint(fingerprint: str, owner: str) -> str:
    """The fingerprint of a game in the history of an owner."""
    return fingerprint if owner == LOCAL else hashlib.sha256(f"{owner}/{fingerprint}".encode()).hexdigest()


class HistoryStore:
    """The history of one owner. The first write creates the file; until then the history is empty."""

    def __init__(self, place: Path | Address, *, lock_seconds: float | None = None) -> None:
        """``lock_seconds``: how long to wait for other programs that lock a file, by default `LOCK_SECONDS`."""
        purpose = Purpose("the history", "a history of mineproof", APPLICATION, "mineproof_history", MIGRATIONS)
        self._owner = LOCAL
        self._database: Database
        if isinstance(place, Path):
            self._database = SQLite(place, purpose, LOCK_SECONDS if lock_seconds is None else lock_seconds)
        else:
            self._database = place.database(purpose, MAX_CONNECTIONS)

    def owned_by(self, owner: str) -> Self:
        """The history of another owner in the same database; closing either store closes both."""
        other = copy(self)
        other._owner = owner
        return other

    @property
    def name(self) -> str:
        """The file, or the address without its password."""
        return self._database.name

    @property
    def path(self) -> Path:
        """The file. Raises HistoryError if the history is in PostgreSQL."""
        if isinstance(self._database, SQLite):
            return self._database.path
        raise HistoryError(f"The history {self.name} is in PostgreSQL and has no file.")

    def close(self) -> None:
        self._database.close()

    def check(self) -> None:
        """Open the database if it exists. Raises HistoryError if it is not a usable history."""
        self._database.check()

    # writing

    def insert(self, values: Values, record: str, path: str | None = None) -> tuple[int, bool]:
        """Store a game; return its id, and whether it is new. A game that is already stored gets a missing date.

        ``path`` is the path of the mouse as JSON; a game that is already stored gets it, too.
        """
        fingerprint = owned_fingerprint(str(values["fingerprint"]), self._owner)
        values = {**values, "fingerprint": fingerprint, "owner": self._owner}
        with self._database.writing() as database:
            query = ("SELECT id FROM games WHERE fingerprint = ?", [fingerprint])
            row = database.execute(*query).fetchone()
            if row is not None:
                database.execute(
                    "UPDATE games SET played = ? WHERE id = ? AND played IS NULL", [values["played"], *row]
                )
                _insert_path(database, int(row[0]), path)
                return int(row[0]), False
            _insert(database, "games", values)
            (game_id,) = database.execute(*query).fetchone()
            database.execute("INSERT INTO records (id, record) VALUES (?, ?)", [game_id, record])
            _insert_path(database, int(game_id), path)
            return int(game_id), True

    def update(self, game_id: int, values: Values) -> bool:
        """Change values of a game. Returns False if there is no such game."""
        changes = ", ".join(f"{name} = ?" for name in values)
        with self._database.writing() as database:
            stored = [_to_column(value) for value in values.values()]
            update = f"UPDATE games SET {changes} WHERE id = ? AND owner = ?"
            return database.execute(update, [*stored, game_id, self._owner]).rowcount > 0

    def delete(self, game_ids: Iterable[int] | None) -> list[int]:
        """Delete games, all of them if None; return the ids of deleted games."""
        if not self._database.exists():
            return []
        with self._database.writing() as database:
            rows = database.execute("SELECT id FROM games WHERE owner = ?", [self._owner]).fetchall()
            stored_ids = {game_id for (game_id,) in rows}
            deleted = sorted(stored_ids if game_ids is None else stored_ids.intersection(game_ids))
            for game_id in deleted:
                for table in ("records", "mouse_paths", "games"):
                    database.execute(f"DELETE FROM {table} WHERE id = ?", [game_id])
        return deleted

    def rate(self, values: Values, player: StoredRating, puzzle: StoredRating, change: RatingChange | None) -> bool:
        """Store an answer and change both ratings. Returns False if this player has answered the puzzle before.

        ``player`` and ``puzzle`` are the start ratings. Without ``change`` the ratings stay. An answer of a run changes
        the score of the run.
        """
        values = {**values, "player": self._owned_player(str(values["player"]))}
        with self._database.writing() as database:
            if not _insert(database, "puzzle_answers", values).rowcount:
                return False
            if values.get("run") is not None:
                column = "score" if values["was_right"] else "mistakes"
                update = f"UPDATE puzzle_runs SET {column} = {column} + 1 WHERE id = ? AND player = ?"
                database.execute(update, [values["run"], values["player"]])
            if change is None:
                return True
            sides = (("player", values["player"], player), (self._puzzle_kind, values["technique"], puzzle))
            before = [_select_rating(database, kind, name) or start for kind, name, start in sides]
            for (kind, name, _), after in zip(sides, change(*before), strict=True):
                database.execute(
                    "INSERT INTO ratings (kind, name, rating, deviation, volatility) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (kind, name) DO UPDATE SET rating = excluded.rating, "
                    "deviation = excluded.deviation, volatility = excluded.volatility",
                    [kind, name, *after],
                )
            return True

    def solve_later(self, player: str, technique: str, level: str, seed: str, when: str) -> bool:
        """Note that a puzzle with a wrong answer is solved now. Returns False if there is no such puzzle."""
        if not self._database.exists():
            return False
        with self._database.writing() as database:
            update = (
                "UPDATE puzzle_answers SET solved_later = ? WHERE player = ? AND technique = ? AND level = ? "
                "AND seed = ? AND was_right = 0 AND solved_later IS NULL"
            )
            names = [self._owned_player(player), technique, level, seed]
            return database.execute(update, [when, *names]).rowcount > 0

    def start_run(self, player: str, mode: str, level: str, started: str) -> int:
        """Store a new run and return its id."""
        with self._database.writing() as database:
            insert = (
                "INSERT INTO puzzle_runs (player, mode, level, started, score, mistakes) VALUES (?, ?, ?, ?, 0, 0) "
                "RETURNING id"
            )
            (run_id,) = database.execute(insert, [self._owned_player(player), mode, level, started]).fetchone()
            return int(run_id)

    # reading

    def player_rating(self, player: str) -> StoredRating | None:
        """The rating of a player; None before the first answer."""
        return self._select_ratings("player", self._owned_player(player)).get(self._owned_player(player))

    def puzzle_ratings(self) -> dict[str, StoredRating]:
        """The ratings of techniques by name, as far as this owner has answered puzzles."""
        return self._select_ratings(self._puzzle_kind)

    def _select_ratings(self, kind: str, name: str | None = None) -> dict[str, StoredRating]:
        condition, values = ("", [kind]) if name is None else (" AND name = ?", [kind, name])
        query = f"SELECT name, rating, deviation, volatility FROM ratings WHERE kind = ?{condition}"
        return {row_name: StoredRating(*numbers) for row_name, *numbers in self._rows(query, values)}

    @property
    def _puzzle_kind(self) -> str:
        """The kind of technique ratings, separate per owner: no owner changes the ratings of others."""
        return "puzzle" if self._owner == LOCAL else f"puzzle/{self._owner}"

    def _owned_player(self, player: str) -> str:
        """The name of a player of this owner in the tables of answers and ratings."""
        return player if self._owner == LOCAL else f"{self._owner}/{player}"

    def puzzle_results(self, player: str) -> list[bool]:
        """The answers of a player in order, without those of runs: right or wrong."""
        query = "SELECT was_right FROM puzzle_answers WHERE player = ? AND run IS NULL ORDER BY id"
        return [bool(right) for (right,) in self._rows(query, [self._owned_player(player)])]

    def answers(self, player: str, limit: int | None = None) -> list[StoredAnswer]:
        """The latest answers of a player, by default all, the newest first."""
        names = ", ".join(StoredAnswer._fields)
        query = f"SELECT {names} FROM puzzle_answers WHERE player = ? ORDER BY id DESC LIMIT ?"
        rows = self._rows(query, [self._owned_player(player), MAX_INTEGER if limit is None else limit])
        return [StoredAnswer(*row)._replace(was_right=bool(row[5])) for row in rows]

    def answered_board(self, player: str, technique: str, level: str, seed: str) -> str | None:
        """The position of a puzzle that a player has answered; None if it is not stored."""
        query = "SELECT board FROM puzzle_answers WHERE player = ? AND technique = ? AND level = ? AND seed = ?"
        rows = self._rows(query, [self._owned_player(player), technique, level, seed])
        return rows[0][0] if rows else None

    def run(self, player: str, run_id: int) -> StoredRun | None:
        """A run of a player."""
        query = f"SELECT {', '.join(StoredRun._fields)} FROM puzzle_runs WHERE player = ? AND id = ?"
        rows = self._rows(query, [self._owned_player(player), run_id])
        return StoredRun(*rows[0]) if rows else None

    def runs(self, player: str) -> list[StoredRun]:
        """All runs of a player, the newest first."""
        query = f"SELECT {', '.join(StoredRun._fields)} FROM puzzle_runs WHERE player = ? ORDER BY id DESC"
        return [StoredRun(*row) for row in self._rows(query, [self._owned_player(player)])]

    def right_answers(self, player: str) -> dict[str, int]:
        """The number of right answers of a player by technique, without those of techniques that have none."""
        query = "SELECT technique, COUNT(*) FROM puzzle_answers WHERE player = ? AND was_right = 1 GROUP BY technique"
        return {technique: int(count) for technique, count in self._rows(query, [self._owned_player(player)])}

    def puzzle_days(self, player: str) -> list[str]:
        """The days whose daily puzzle a player solved."""
        query = "SELECT DISTINCT day FROM puzzle_answers WHERE player = ? AND was_right = 1 AND day IS NOT NULL"
        return [day for (day,) in self._rows(query, [self._owned_player(player)])]

    def select(self, game_filter: GameFilter, order: str, limit: int | None = None) -> list[KeptGame]:
        where, values = self._where(game_filter)
        names = ", ".join(FIELDS)
        query = f"SELECT {names} FROM games WHERE {where} ORDER BY {ORDERS[order]} LIMIT ?"
        return self._games(query, [*values, MAX_INTEGER if limit is None else limit])

    def game(self, game_id: int) -> KeptGame | None:
        query = f"SELECT {', '.join(FIELDS)} FROM games WHERE id = ? AND owner = ?"
        games = self._games(query, [game_id, self._owner])
        return games[0] if games else None

    def record(self, game_id: int) -> str | None:
        query = "SELECT record FROM records JOIN games USING (id) WHERE id = ? AND owner = ?"
        rows = self._rows(query, [game_id, self._owner])
        return str(rows[0][0]) if rows else None

    def mouse_path(self, game_id: int) -> str | None:
        """The path of the mouse in a game as JSON, or None if it is unknown."""
        query = "SELECT path FROM mouse_paths JOIN games USING (id) WHERE id = ? AND owner = ?"
        rows = self._rows(query, [game_id, self._owner])
        return str(rows[0][0]) if rows else None

    def game_ids(self, fingerprints: Iterable[str]) -> set[int]:
        """The ids of the stored games with these fingerprints (`owned_fingerprint`), of any owner."""
        query = "SELECT id FROM games WHERE fingerprint = ?"
        return {int(game_id) for fingerprint in fingerprints for (game_id,) in self._rows(query, [fingerprint])}

    def count(self, game_filter: GameFilter) -> int:
        where, values = self._where(game_filter)
        rows = self._rows(f"SELECT count(*) FROM games WHERE {where}", values)
        return int(rows[0][0]) if rows else 0

    def results(self, game_filter: GameFilter) -> list[GameResult]:
        """Results in the order in which games were played."""
        where, values = self._where(game_filter)
        speed = f"CASE WHEN won = 1 THEN {_SPEED} END"
        query = f"SELECT won, played IS NOT NULL, {speed} FROM games WHERE {where} ORDER BY {_EARLIEST}"
        return [GameResult(bool(won), bool(dated), speed) for won, dated, speed in self._rows(query, values)]

    def groups(self, game_filter: GameFilter) -> list[LevelGroup]:
        where, values = self._where(game_filter)
        names = ", ".join(LevelGroup._fields)
        rows = self._rows(f"SELECT {names} FROM games WHERE {where} GROUP BY {names} ORDER BY min(id)", values)
        return [LevelGroup(level, topology, fairness, bool(no_guess)) for level, topology, fairness, no_guess in rows]

    def games_without_luck(self) -> list[tuple[int, str]]:
        """Games without guesses, luck or accuracy, with their records."""
        query = f"SELECT id, record FROM games JOIN records USING (id) WHERE ({UNFILLED}) AND owner = ? ORDER BY id"
        return self._rows(query, [self._owner])

    def _where(self, game_filter: GameFilter) -> tuple[str, list[object]]:
        """The SQL condition for games of the owner, and its values."""
        where, values = game_filter.where()
        return f"owner = ? AND {where}", [self._owner, *values]

    def _games(self, query: str, values: Sequence[object]) -> list[KeptGame]:
        with self._database.naming_errors("read"):  # a row may have been changed by hand
            return [_to_game(row) for row in self._rows(query, values)]

    def _rows(self, query: str, values: Sequence[object]) -> list[Any]:
        return self._database.rows(query, values)


def _select_rating(database: Connection, kind: str, name: object) -> StoredRating | None:
    row = database.execute(
        "SELECT rating, deviation, volatility FROM ratings WHERE kind = ? AND name = ?", [kind, name]
    ).fetchone()
    return None if row is None else StoredRating(*row)


# values


_BOOLEAN_COLUMNS = ("no_guess", "won", "with_help", "given", "again", "revived")
_TIME_COLUMNS = ("added", "played")


def _insert(database: Connection, table: str, values: Values) -> StatementResult:
    """Insert a row, unless it conflicts with an existing one."""
    names, places = ", ".join(values), ", ".join("?" * len(values))
    stored = [_to_column(value) for value in values.values()]
    return database.execute(f"INSERT INTO {table} ({names}) VALUES ({places}) ON CONFLICT DO NOTHING", stored)


def _insert_path(database: Connection, game_id: int, path: str | None) -> None:
    if path is not None:
        _insert(database, "mouse_paths", {"id": game_id, "path": path})


def _to_column(value: object) -> object:
    """A value for the database. Integers that are too large for it, such as seeds, become text."""
    if isinstance(value, Mapping):
        return json.dumps(dict(value))
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**63:
        return str(value)
    return value


def _to_game(row: Sequence[Any]) -> KeptGame:
    columns = dict(zip(FIELDS, row, strict=True))
    for name in _BOOLEAN_COLUMNS:
        columns[name] = None if columns[name] is None else bool(columns[name])
    for name in _TIME_COLUMNS:
        columns[name] = None if columns[name] is None else datetime.fromisoformat(columns[name])
    columns["seed"] = None if columns["seed"] is None else int(columns["seed"])
    columns["help_used"] = None if columns["help_used"] is None else json.loads(columns["help_used"])
    return KeptGame(**columns)
