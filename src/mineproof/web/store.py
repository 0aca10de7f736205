"""The running games: all SQL of the server, for one SQLite file or for PostgreSQL.

A row is a game as `Game.save` writes it, always sealed, with the help used. A move is written and forced to disk before
it is answered, in one transaction, so neither ``kill -9`` nor a power cut loses one. The row has the last moves only:
each time there are `BLOCK_MOVES`, they become a row of ``blocks``. So a move costs the same however many there were.

If there is no room for a new game, another one is deleted: first a finished game that is in the history, then a game
without a move, then the game that was unused for the longest time, if that is long enough. Otherwise the new game is
rejected.

Wall clocks jump. So the age of a game is also counted in `Uptime`: seconds that servers have run, by their monotonic
clocks, over all restarts. A game is deleted for its age only if it is old by both, and the longest unused game is the
one that is oldest by uptime.

Several processes may have the same games in memory. Each change increments the ``version`` of a row, and is made only
if the row still has the expected version. Otherwise `Stale` is raised, and nothing is changed.

Each server that shares the games has a row with the time it was last known to run, so that a new server knows whether
others ran before it. A killed server counts as running for `ALIVE` seconds.

A game has an owner: a player, or none (NULL). A finished game is added to the history of its owner.

Transactions that change rows of several tables do so in the order games, blocks, to avoid deadlocks. The tables
``ended`` and ``ending`` are unused: they are those of earlier versions, which let a finished game continue.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mineproof.errors import BoardSyntaxError, HistoryError
from mineproof.game import record
from mineproof.history.database import Connection, Database, Purpose, SQLite
from mineproof.history.postgresql import Address
from mineproof.history.store import LOCAL
from mineproof.web.errors import Refused
from mineproof.web.limits import FORGOTTEN, GAMES, GAMES_PER_CLIENT, GIVEN_UP, PLAYERS

FILE = "games.sqlite"
LOCKED = 2.0  # seconds to wait for another program that has the file, for all requests that wait
LOCKED_BY_WORKERS = 5.0  # the same where other workers of this server write, too
BLOCK_MOVES = 64  # moves of a row of ``blocks``
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
        "ALTER TABLE games ADD COLUMN odds_at INTEGER NOT NULL DEFAULT -1",  # moves when odds were last requested
    ),
    (
        "CREATE TABLE servers (id TEXT PRIMARY KEY, since REAL NOT NULL, until REAL NOT NULL)",
        "CREATE TABLE ending (fingerprint TEXT PRIMARY KEY, id TEXT NOT NULL)",  # ends that may be in the history
    ),
    (
        "ALTER TABLE games ADD COLUMN owner TEXT DEFAULT ''",  # a player; '' is the one at this machine, NULL is none
        "ALTER TABLE games ADD COLUMN touched_uptime REAL NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN changed_uptime REAL NOT NULL DEFAULT 0",
        "CREATE TABLE uptime (id INTEGER PRIMARY KEY, seconds REAL NOT NULL)",  # one row
        "ALTER TABLE games ADD COLUMN blocks INTEGER NOT NULL DEFAULT 0",  # how many the game has
        "CREATE TABLE blocks "
        "(id TEXT NOT NULL, number INTEGER NOT NULL, moves TEXT NOT NULL, PRIMARY KEY (id, number))",
    ),
)
_log = logging.getLogger("mineproof.web")


def no_game() -> Refused:
    return Refused("not-found", "There is no such game. It may have been deleted to make room for others.")


class Stale(Exception):
    """Another process has changed the game since it was read. Read it again."""


class GameRow(NamedTuple):
    """A stored game; the record itself does not say whether its clock is paused."""

    version: int
    changed: float  # seconds since 1970
    unchanged: float  # seconds that servers have run since then
    is_paused: bool
    odds_at: int
    owner: str | None
    blocks: int
    saved: str  # all of it


class Ended(NamedTuple):
    """The end of a game, for the history of its owner."""

    game_id: str
    version: int
    owner: str
    saved: str


class Uptime:
    """Seconds that servers have run on some games, counted by monotonic clocks, over all restarts and servers.

    Each server adds its own running time to the largest value it has seen. Servers that run at the same time see each
    other's values in the store, so the same second is not counted twice.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._seen = 0.0, monotonic()  # seconds, and when they were counted

    def seconds(self) -> float:
        seconds, at = self._seen
        return seconds + self._monotonic() - at

    def see(self, seconds: float | None) -> None:
        """Adopt the value of another server, or of this one before a restart."""
        if seconds is not None and seconds > self.seconds():
            self._seen = seconds, self._monotonic()

    def share(self, database: Connection) -> float:
        """In a transaction: bring this server and the store up to date."""
        (stored,) = database.execute("SELECT max(seconds) FROM uptime").fetchone()
        self.see(stored)
        seconds = self.seconds()
        database.execute(
            "INSERT INTO uptime (id, seconds) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET seconds = excluded.seconds",
            [seconds],
        )
        return seconds


class GameStore:
    """The games of a server, or of several. HistoryError, with the name of the database, if it cannot be used."""

    def __init__(
        self,
        place: Path | Address,
        *,
        workers: int = 1,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        purpose = Purpose("the games in", "the games of a server", APPLICATION, "mineproof_games", MIGRATIONS)
        self._database: Database
        if isinstance(place, Path):
            _set_empty_file_aside(place)
            patience = LOCKED if workers == 1 else LOCKED_BY_WORKERS
            self._database = SQLite(place, purpose, patience, has_workers=workers > 1)
        else:
            self._database = place.database(purpose, PLAYERS)
        self.is_shared = workers > 1 or not isinstance(place, Path)  # with other processes
        self._server = secrets.token_hex(8)
        self._clock, self._uptime = clock, Uptime(monotonic)
        try:
            self._database.check(create=True)
            latest = "SELECT max(seconds) FROM uptime UNION ALL SELECT max(touched_uptime) FROM games"
            for (seconds,) in self._database.rows(latest):  # a server that was killed has not stored its uptime
                self._uptime.see(seconds)
        except BaseException:
            self._database.close()
            raise

    def close(self) -> None:
        self._database.close()

    # servers

    def runs(self, since: float) -> float:
        """Store that this server is running; return since when at least one server has been running without a gap."""
        now = self._clock()
        with self._database.writing() as database:
            self._uptime.share(database)
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
        """Store that this server has ended; if that fails, others notice after `ALIVE` seconds."""
        with suppress(HistoryError), self._database.writing() as database:
            self._uptime.share(database)
            database.execute("DELETE FROM servers WHERE id = ?", [self._server])

    # games

    def add(
        self,
        game_id: str,
        client: str,
        saved: str,
        *,
        owner: str | None = LOCAL,
        is_untouched: bool = True,
        instead_of: tuple[str, int] | None = None,
        beside: tuple[str, int] | None = None,
    ) -> list[str]:
        """Store a new game, instead of or next to another one (id and version); return the ids of deleted games.

        Raises Refused if there are too many games, Stale if the other game has changed.
        """
        now = self._clock()
        with self._database.writing() as database:
            uptime = self._uptime.share(database)
            gone: list[str] = []
            if instead_of is not None:
                if not database.execute("DELETE FROM games WHERE id = ? AND version = ?", instead_of).rowcount:
                    raise Stale
                gone.append(instead_of[0])
            if beside is not None:  # which no other server changes until this is committed
                looked = "UPDATE games SET touched = ?, touched_uptime = ? WHERE id = ? AND version = ?"
                if not database.execute(looked, [now, uptime, *beside]).rowcount:
                    raise Stale
            gone += _delete_old(database, now, uptime)
            (of_client,) = database.execute("SELECT count(*) FROM games WHERE client = ?", [client]).fetchone()
            if of_client >= GAMES_PER_CLIENT:
                gone.append(_make_room(database, "client = ?", [client], uptime, of_client))
            (in_all,) = database.execute("SELECT count(*) FROM games").fetchone()
            if in_all >= GAMES:
                gone.append(_make_room(database, "1 = 1", [], uptime, in_all))
            database.execute(
                "INSERT INTO games (id, client, owner, touched, changed, touched_uptime, changed_uptime, is_over, "
                "in_history, saved, is_untouched) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
                [game_id, client, owner, now, now, uptime, uptime, saved, is_untouched],
            )
            for old_id in gone:
                database.execute("DELETE FROM blocks WHERE id = ?", [old_id])
        return gone

    def load(self, game_id: str) -> GameRow | None:
        """Return a stored game, or None if there is none; HistoryError if its row is damaged."""
        columns = "version, changed, changed_uptime, is_paused, odds_at, owner, blocks, saved"
        rows = self._database.rows(f"SELECT {columns} FROM games WHERE id = ?", [game_id])
        if not rows:
            return None
        version, changed, changed_uptime, is_paused, odds_at, owner, blocks, saved = rows[0]
        unchanged = self._uptime.seconds() - changed_uptime
        whole = self._whole(game_id, blocks, saved)
        return GameRow(version, changed, unchanged, bool(is_paused), odds_at, owner, blocks, whole)

    def _whole(self, game_id: str, blocks: int, saved: str) -> str:
        """Return a game with all its moves. Blocks never change, so they fit the row that was read before them."""
        query = "SELECT moves FROM blocks WHERE id = ? AND number < ? ORDER BY number"
        stored_blocks = [moves for (moves,) in self._database.rows(query, [game_id, blocks])] if blocks else []
        if len(stored_blocks) != blocks:
            raise self.damage_error(game_id, f"expected {blocks} blocks of moves, got {len(stored_blocks)}")
        try:
            return record.join_blocks(stored_blocks, saved)
        except (BoardSyntaxError, TypeError) as error:
            raise self.damage_error(game_id, error) from None

    def damage_error(self, game_id: str, reason: object) -> HistoryError:
        """Return the error for a damaged row."""
        return HistoryError(f"The game {game_id} in {self._database.name} is damaged: {reason}")

    def version(self, game_id: str) -> int | None:
        """Return the version of a game; None if there is no such game."""
        rows = self._database.rows("SELECT version FROM games WHERE id = ?", [game_id])
        return int(rows[0][0]) if rows else None

    def save(
        self,
        game_id: str,
        version: int,
        saved: str,
        *,
        first_block: int = 0,
        blocks: Sequence[str] = (),
        is_over: bool,
        is_paused: bool = False,
        odds_at: int = -1,
    ) -> None:
        """Save a game after a move, help or a pause; a finished game is not in the history yet.

        ``saved`` lacks the moves that earlier blocks have, and those of the new ones, the first of which has the number
        ``first_block``. The version is one more then. Stale where it was another one before, Refused where the game is
        not stored any more.
        """
        now, uptime = self._clock(), self._uptime.seconds()
        stored = first_block + len(blocks)
        values = [now, uptime, now, uptime, is_over, is_over, saved, stored, is_paused, odds_at, game_id, version]
        with self._database.writing(alone=False) as database:
            done = database.execute(
                "UPDATE games SET version = version + 1, touched = ?, touched_uptime = ?, changed = ?, "
                "changed_uptime = ?, is_over = ?, in_history = CASE WHEN owner IS NULL THEN ? ELSE 0 END, saved = ?, "
                "blocks = ?, is_paused = ?, odds_at = ?, is_untouched = 0 WHERE id = ? AND version = ?", values,
            )  # fmt: skip
            if not done.rowcount:
                there = database.execute("SELECT 1 FROM games WHERE id = ?", [game_id]).fetchone()
                raise no_game() if there is None else Stale
            for number, moves in enumerate(blocks, first_block):
                database.execute(
                    "INSERT INTO blocks (id, number, moves) VALUES (?, ?, ?) "
                    "ON CONFLICT (id, number) DO UPDATE SET moves = excluded.moves",
                    [game_id, number, moves],
                )

    def touch(self, game_id: str) -> None:
        """Store that a client looked at a game."""
        values = [self._clock(), self._uptime.seconds(), game_id]
        with self._database.writing(alone=False) as database:
            database.execute("UPDATE games SET touched = ?, touched_uptime = ? WHERE id = ?", values)

    def put_into_history(self, game_id: str, version: int) -> None:
        """Store that a finished game is in the history."""
        with self._database.writing(alone=False) as database:
            database.execute("UPDATE games SET in_history = 1 WHERE id = ? AND version = ?", [game_id, version])

    def not_in_history(self, seconds: float = 0.0) -> list[Ended]:
        """Return games that ended at least some seconds ago and are not in the history yet."""
        query = (
            "SELECT id, version, owner, blocks, saved FROM games "
            "WHERE is_over = 1 AND in_history = 0 AND owner IS NOT NULL AND changed <= ?"
        )
        ends: list[Ended] = []
        for game_id, version, owner, blocks, saved in self._database.rows(query, [self._clock() - seconds]):
            try:
                ends.append(Ended(game_id, version, owner, self._whole(game_id, blocks, saved)))
            except HistoryError as error:
                _log.warning("%s", error)
        return ends


def _delete_old(database: Connection, now: float, uptime: float) -> list[str]:
    """Delete games that were not used for long, by the wall clock and by the uptime of servers; return their ids."""
    old = "FROM games WHERE touched < ? AND touched_uptime < ?"
    values = [now - FORGOTTEN, uptime - FORGOTTEN]
    gone = [game_id for (game_id,) in database.execute(f"SELECT id {old}", values).fetchall()]
    if gone:
        database.execute(f"DELETE {old}", values)
        _log.warning("Deleted %d games that were not used for %d days.", len(gone), FORGOTTEN // 86400)
    return gone


def _make_room(database: Connection, whose: str, values: list[object], uptime: float, count: int) -> str:
    """Delete the least important game and return its id."""
    while True:
        row = database.execute(
            f"SELECT id, version FROM games WHERE {whose} AND (touched_uptime < ? OR is_untouched = 1 OR "
            "is_over * in_history = 1) ORDER BY is_over * in_history DESC, is_untouched DESC, touched_uptime LIMIT 1",
            [*values, uptime - GIVEN_UP],
        ).fetchone()
        if row is None:
            raise Refused("too-many", f"{count} games are in progress. Finish one, or try again later.")
        if database.execute("DELETE FROM games WHERE id = ? AND version = ?", row).rowcount:
            return str(row[0])  # otherwise it has just changed: try again


def _set_empty_file_aside(path: Path) -> None:
    """Rename an existing database of 0 bytes, with the files beside it, so that nothing in them is overwritten.

    A server that is killed while it creates the file leaves such a file, but so does a full or a failing disk.
    """
    with suppress(OSError):
        if path.is_file() and path.stat().st_size == 0:
            aside = f"{path.name}.empty-{secrets.token_hex(4)}"
            for suffix in ("", "-wal", "-shm"):
                beside = path.with_name(path.name + suffix)
                if beside.exists():
                    beside.rename(path.with_name(aside + suffix))
            _log.warning(
                "%s has 0 bytes: its games are lost, or there were none yet. It is now called %s, and a new file takes "
                "its place. If there was a backup, stop the server and restore it.", path, aside,
            )  # fmt: skip
