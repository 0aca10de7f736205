"""The games that are on, in one SQLite file: all SQL of the server.

A row is a game as `Game.save` writes it, sealed while it is on, with the help used. A move is written and forced to
disk before it is answered, in one transaction, so neither ``kill -9`` nor a power cut loses one. Where there is no room
for another game, one that is over and in the history goes first, then one without a move, then the one that nobody has
moved in or looked at for the longest, if that is long enough; else there is none.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from mineproof.errors import HistoryError
from mineproof.web.failure import Refused
from mineproof.web.limits import FORGOTTEN, GAMES, GAMES_PER_CLIENT, GIVEN_UP

FILE = "games.sqlite"
LOCKED = 0.5  # seconds to wait for another program that has the file; others wait for whoever waits
APPLICATION = 0x6D707765  # "mpwe"
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            id TEXT PRIMARY KEY,
            client TEXT NOT NULL,
            touched REAL NOT NULL,
            is_over INTEGER NOT NULL,
            in_history INTEGER NOT NULL,
            saved TEXT NOT NULL
        )""",
        "CREATE INDEX games_by_client ON games (client, is_over, touched)",
        "CREATE INDEX games_by_age ON games (is_over, touched)",
    ),
    ("ALTER TABLE games ADD COLUMN is_paused INTEGER NOT NULL DEFAULT 0",),
    ("ALTER TABLE games ADD COLUMN is_untouched INTEGER NOT NULL DEFAULT 0",),  # no move was made
    (
        "CREATE TABLE IF NOT EXISTS ended (number INTEGER PRIMARY KEY, id TEXT NOT NULL)",
    ),  # ends, by number in the history
)


def no_game() -> Refused:
    return Refused("not-found", "found no such game; it may have been given up long ago")


class Row(NamedTuple):
    """A game as it is kept; a record does not tell whether its clock stands."""

    saved: str
    is_paused: bool


class Store:
    """One connection for all threads, one at a time. HistoryError, with the name of the file, if it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        with self._telling():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._database = sqlite3.connect(path, timeout=LOCKED, isolation_level=None, check_same_thread=False)
            self._prepare()

    def close(self) -> None:
        with self._lock, suppress(sqlite3.Error):
            self._database.close()

    # games

    def add(
        self, game_id: str, client: str, saved: str, *, is_untouched: bool = True, instead_of: str | None = None
    ) -> list[str]:
        """Keep a new game, in place of another one if that is named; the games that made room for it.

        Refused where there are too many.
        """
        now = time.time()
        with self._writing() as database:
            past = "FROM games WHERE id = ? OR touched < ?"
            gone = database.execute(f"SELECT id {past}", [instead_of, now - FORGOTTEN]).fetchall()
            database.execute(f"DELETE {past}", [instead_of, now - FORGOTTEN])
            (of_client,) = database.execute("SELECT count(*) FROM games WHERE client = ?", [client]).fetchone()
            if of_client >= GAMES_PER_CLIENT:
                gone.append(self._make_room("client = ?", [client], now, of_client))
            (in_all,) = database.execute("SELECT count(*) FROM games").fetchone()
            if in_all >= GAMES:
                gone.append(self._make_room("1", [], now, in_all))
            values = [game_id, client, now, saved, is_untouched]
            database.execute("INSERT INTO games VALUES (?, ?, ?, 0, 0, ?, 0, ?)", values)
            if gone:
                database.execute("DELETE FROM ended WHERE id NOT IN (SELECT id FROM games)")
        return [each for (each,) in gone]

    def load(self, game_id: str) -> Row | None:
        """The game as it was saved; None if there is none."""
        rows = self._run("SELECT saved, is_paused FROM games WHERE id = ?", [game_id])
        return Row(str(rows[0][0]), bool(rows[0][1])) if rows else None

    def save(self, game_id: str, saved: str, *, is_over: bool, is_paused: bool = False) -> None:
        """Put a game on disk after a move, help or a pause; one that is over is not in the history yet.

        Refused where it is kept no more.
        """
        values = [time.time(), is_over, saved, is_paused, game_id]
        with self._writing() as database:
            done = database.execute(
                "UPDATE games SET touched = ?, is_over = ?, in_history = 0, saved = ?, is_paused = ?, is_untouched = 0 "
                "WHERE id = ?", values,
            )  # fmt: skip
            if not done.rowcount:
                raise no_game()

    def touch(self, game_id: str) -> None:
        """Somebody has looked at a game."""
        self._run("UPDATE games SET touched = ? WHERE id = ?", [time.time(), game_id])

    def put_into_history(self, game_id: str, saved: str, number: int) -> None:
        """The end of a game is in the history; a game that went on since has its next end to come."""
        with self._writing() as database:
            database.execute("INSERT OR REPLACE INTO ended VALUES (?, ?)", [number, game_id])
            database.execute("UPDATE games SET in_history = 1 WHERE id = ? AND saved = ?", [game_id, saved])

    def went_on(self) -> set[int]:
        """The numbers in the history of ends that were taken back: their games are on."""
        rows = self._run("SELECT number FROM ended JOIN games USING (id) WHERE NOT is_over", [])
        return {number for (number,) in rows}

    def not_in_history(self) -> list[tuple[str, str]]:
        """Finished games that the history does not have yet."""
        return self._run("SELECT id, saved FROM games WHERE is_over AND NOT in_history", [])

    def _make_room(self, whose: str, values: list[object], now: float, found: int) -> tuple[str]:
        """Delete the game that is missed the least; its id."""
        row = self._database.execute(
            f"SELECT id FROM games WHERE {whose} AND (touched < ? OR is_untouched OR is_over AND in_history) "
            "ORDER BY is_over AND in_history DESC, is_untouched DESC, touched LIMIT 1", [*values, now - GIVEN_UP],
        ).fetchone()  # fmt: skip
        if row is None:
            raise Refused("too-many", f"found {found} games under way, expected fewer; finish one, or try again later")
        self._database.execute("DELETE FROM games WHERE id = ?", row)
        return (str(row[0]),)

    # the file

    def _prepare(self) -> None:
        (application,) = self._database.execute("PRAGMA application_id").fetchone()
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        (tables,) = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != APPLICATION:
            raise HistoryError(f"{self.path}: found another database, expected the games of a server")
        if version > len(MIGRATIONS):
            expected = f"expected at most {len(MIGRATIONS)}: a later mineproof wrote it"
            raise HistoryError(f"{self.path}: found version {version}, {expected}")
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        if version < len(MIGRATIONS):
            with self._writing() as database:
                for step in MIGRATIONS[version:]:
                    for statement in step:
                        database.execute(statement)
                database.execute(f"PRAGMA application_id = {APPLICATION}")
                database.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")

    def _run(self, statement: str, values: Sequence[object]) -> list[Any]:
        """One statement, which is a transaction of its own, on disk when it returns."""
        with self._lock, self._telling():
            return self._database.execute(statement, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction; all of it or nothing."""
        with self._lock, self._telling():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise HistoryError(f"the games in {self.path} cannot be used: {error}") from None
        except OSError as error:
            raise HistoryError(f"the games in {self.path} cannot be used: {error.strerror}") from None
