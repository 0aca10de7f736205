"""The games that are on: all SQL of the server, for one SQLite file or for PostgreSQL.

A row is a game as `Game.save` writes it, sealed while it is on, with the help used. A move is written and forced to
disk before it is answered, in one transaction, so neither ``kill -9`` nor a power cut loses one. Where there is no room
for another game, one that is over and in the history goes first, then one without a move, then the one that nobody has
moved in or looked at for the longest, if that is long enough; else there is none.

Several processes may have the same games in memory. Each change counts a row's ``version`` up, and is made only where
the row still has the version that it was worked out from; else it is `Stale`, and nothing is changed.

Each server that shares the games has a row that says until when it ran at least, so that one that starts knows whether
others ran before it. That of a server which was killed is taken for a running one for `ALIVE` seconds.

Whoever changes rows of several tables does so in one order, games, ended, ending, so that nobody waits in a circle.
"""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mineproof.errors import HistoryError
from mineproof.history.database import Connection, Database, Purpose, SQLite
from mineproof.history.postgresql import Address
from mineproof.web.failure import Refused
from mineproof.web.limits import FORGOTTEN, GAMES, GAMES_PER_CLIENT, GIVEN_UP, PLAYERS

FILE = "games.sqlite"
LOCKED = 0.5  # seconds to wait for another program that has the file; others wait for whoever waits
LOCKED_BY_WORKERS = 5.0  # the same where other workers of this server write, too
BEAT = 3.0  # seconds between two times that a server says that it runs
ALIVE = 10.0  # seconds after the last of them for which it is taken to run; databases may keep one waiting
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
    (
        "ALTER TABLE games ADD COLUMN version INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN changed REAL NOT NULL DEFAULT 0",  # when it was last saved
        "ALTER TABLE games ADD COLUMN odds_at INTEGER NOT NULL DEFAULT -1",  # moves made when odds were last asked for
    ),
    (
        "CREATE TABLE servers (id TEXT PRIMARY KEY, since REAL NOT NULL, until REAL NOT NULL)",
        "CREATE TABLE ending (fingerprint TEXT PRIMARY KEY, id TEXT NOT NULL)",  # ends that may be in the history
    ),
)


def no_game() -> Refused:
    return Refused("not-found", "found no such game; it may have been given up long ago")


class Stale(Exception):
    """Somebody else has changed the game since it was read: it is to be read again."""


class Row(NamedTuple):
    """A game as it is kept; a record does not tell whether its clock stands."""

    version: int
    changed: float  # seconds since 1970
    is_paused: bool
    odds_at: int
    saved: str


class Store:
    """The games of a server, or of several. HistoryError, with the name of the database, if it cannot be used."""

    def __init__(self, place: Path | Address, *, workers: int = 1) -> None:
        purpose = Purpose("the games in", "the games of a server", APPLICATION, "mineproof_games", MIGRATIONS)
        self._database: Database
        if isinstance(place, Path):
            self._database = SQLite(place, purpose, LOCKED if workers == 1 else LOCKED_BY_WORKERS)
        else:
            self._database = place.database(purpose, PLAYERS)
        self.is_shared = workers > 1 or not isinstance(place, Path)  # with other processes
        self._server = secrets.token_hex(8)
        try:
            self._database.check(create=True)
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        self._database.close()

    # servers

    def runs(self, since: float) -> float:
        """Say that this server runs, and has since then; since when there was one all the time, as far as is known."""
        now = time.time()
        with self._database.writing() as database:
            database.execute("DELETE FROM servers WHERE until < ?", [now - ALIVE])
            (earliest,) = database.execute("SELECT min(since) FROM servers").fetchone()
            since = since if earliest is None else min(since, earliest)
            database.execute(
                "INSERT INTO servers (id, since, until) VALUES (?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET since = excluded.since, until = excluded.until",
                [self._server, since, now],
            )
        return since

    def ends(self) -> None:
        """Say that this server does not run any more; where that cannot be said, it is known after `ALIVE` seconds."""
        with suppress(HistoryError), self._database.writing() as database:
            database.execute("DELETE FROM servers WHERE id = ?", [self._server])

    # games

    def add(
        self,
        game_id: str,
        client: str,
        saved: str,
        *,
        is_untouched: bool = True,
        instead_of: tuple[str, int] | None = None,
        beside: tuple[str, int] | None = None,
    ) -> list[str]:
        """Keep a new game, in place of or beside another one of an id and a version; the games that made room for it.

        Refused where there are too many, Stale where the other one has changed.
        """
        now = time.time()
        with self._database.writing() as database:
            gone: list[str] = []
            if instead_of is not None:
                if not database.execute("DELETE FROM games WHERE id = ? AND version = ?", instead_of).rowcount:
                    raise Stale
                gone.append(instead_of[0])
            if beside is not None:  # which nobody changes until this is committed
                looked = "UPDATE games SET touched = ? WHERE id = ? AND version = ?"
                if not database.execute(looked, [now, *beside]).rowcount:
                    raise Stale
            past = "FROM games WHERE touched < ?"
            gone += [each for (each,) in database.execute(f"SELECT id {past}", [now - FORGOTTEN]).fetchall()]
            database.execute(f"DELETE {past}", [now - FORGOTTEN])
            (of_client,) = database.execute("SELECT count(*) FROM games WHERE client = ?", [client]).fetchone()
            if of_client >= GAMES_PER_CLIENT:
                gone.append(_make_room(database, "client = ?", [client], now, of_client))
            (in_all,) = database.execute("SELECT count(*) FROM games").fetchone()
            if in_all >= GAMES:
                gone.append(_make_room(database, "1 = 1", [], now, in_all))
            database.execute(
                "INSERT INTO games (id, client, touched, changed, is_over, in_history, saved, is_untouched) "
                "VALUES (?, ?, ?, ?, 0, 0, ?, ?)", [game_id, client, now, now, saved, is_untouched],
            )  # fmt: skip
            if gone:
                for table in ("ended", "ending"):
                    database.execute(f"DELETE FROM {table} WHERE id NOT IN (SELECT id FROM games)")
        return gone

    def load(self, game_id: str) -> Row | None:
        """The game as it was saved; None if there is none."""
        query = "SELECT version, changed, is_paused, odds_at, saved FROM games WHERE id = ?"
        rows = self._database.rows(query, [game_id])
        return Row._make(rows[0])._replace(is_paused=bool(rows[0][2])) if rows else None

    def version(self, game_id: str) -> int | None:
        """How often a game was changed; None if there is none."""
        rows = self._database.rows("SELECT version FROM games WHERE id = ?", [game_id])
        return int(rows[0][0]) if rows else None

    def save(
        self, game_id: str, version: int, saved: str, *, is_over: bool, is_paused: bool = False, odds_at: int = -1
    ) -> None:
        """Put a game on disk after a move, help or a pause; one that is over is not in the history yet.

        Its version is one more then. Stale where it had another one before, Refused where it is kept no more.
        """
        now = time.time()
        values = [now, now, is_over, saved, is_paused, odds_at, game_id, version]
        with self._database.writing(alone=False) as database:
            done = database.execute(
                "UPDATE games SET version = version + 1, touched = ?, changed = ?, is_over = ?, in_history = 0, "
                "saved = ?, is_paused = ?, odds_at = ?, is_untouched = 0 WHERE id = ? AND version = ?", values,
            )  # fmt: skip
            if not done.rowcount:
                there = database.execute("SELECT 1 FROM games WHERE id = ?", [game_id]).fetchone()
                raise no_game() if there is None else Stale

    def touch(self, game_id: str) -> None:
        """Somebody has looked at a game."""
        with self._database.writing(alone=False) as database:
            database.execute("UPDATE games SET touched = ? WHERE id = ?", [time.time(), game_id])

    def put_later(self, game_id: str, fingerprint: str) -> None:
        """The end of a game, of this fingerprint, is about to be put into the history."""
        with self._database.writing(alone=False) as database:
            database.execute(
                "INSERT INTO ending (fingerprint, id) VALUES (?, ?) "
                "ON CONFLICT (fingerprint) DO UPDATE SET id = excluded.id",
                [fingerprint, game_id],
            )

    def put_into_history(self, game_id: str, saved: str, number: int, fingerprint: str) -> None:
        """The end of a game is in the history; a game that went on since has its next end to come."""
        with self._database.writing(alone=False) as database:
            database.execute("UPDATE games SET in_history = 1 WHERE id = ? AND saved = ?", [game_id, saved])
            database.execute(
                "INSERT INTO ended (number, id) VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET id = excluded.id",
                [number, game_id],
            )
            database.execute("DELETE FROM ending WHERE fingerprint = ?", [fingerprint])

    def went_on(self) -> tuple[set[int], list[str]]:
        """The ends that were taken back, so that their games are on: numbers in the history, and fingerprints of those
        whose number is not known, as a server was killed before it told, or is about to.
        """
        rows = self._database.rows(  # in one statement: an end is in one of the tables at any moment
            "SELECT number, NULL FROM ended JOIN games USING (id) WHERE is_over = 0 "
            "UNION ALL SELECT NULL, fingerprint FROM ending JOIN games USING (id) WHERE is_over = 0"
        )
        numbers = {number for number, _ in rows if number is not None}
        return numbers, [fingerprint for _, fingerprint in rows if fingerprint is not None]

    def not_in_history(self, seconds: float = 0.0) -> list[tuple[str, str]]:
        """Games that have been over for some seconds, and that the history does not have yet."""
        query = "SELECT id, saved FROM games WHERE is_over = 1 AND in_history = 0 AND changed <= ?"
        return [(game_id, saved) for game_id, saved in self._database.rows(query, [time.time() - seconds])]


def _make_room(database: Connection, whose: str, values: list[object], now: float, found: int) -> str:
    """Delete the game that is missed the least; its id."""
    while True:
        row = database.execute(
            f"SELECT id, version FROM games WHERE {whose} AND (touched < ? OR is_untouched = 1 OR "
            "is_over * in_history = 1) ORDER BY is_over * in_history DESC, is_untouched DESC, touched LIMIT 1",
            [*values, now - GIVEN_UP],
        ).fetchone()
        if row is None:
            raise Refused("too-many", f"found {found} games under way, expected fewer; finish one, or try again later")
        if database.execute("DELETE FROM games WHERE id = ? AND version = ?", row).rowcount:
            return str(row[0])  # else somebody has just made a move in it
