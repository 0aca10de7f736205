"""A database, as the stores see it: statements with ``?`` for values, transactions, errors in one sentence.

There are two: SQLite, here, one file that several programs may use at once; and PostgreSQL, which is all of
`mineproof.history.postgresql`. SQL is written once, in the stores, and in words that both have: truths are 0 and 1, and
are compared with them; what is there already is replaced by ON CONFLICT.

Kept safe
    Write-ahead logging: whoever reads does not wait for whoever writes, and what was committed survives a crash. One
    that finds the file locked waits, for ``patience`` seconds.
Told apart
    ``application_id`` says what a database is for, ``user_version`` which migrations it has had. An older one is
    brought up to date in one transaction; a newer one, a damaged one and a file that is something else are refused and
    left as they are.
Private
    The file is made for its owner alone, as are folders that have to be made; SQLite gives the files beside it
    (``-wal``, ``-shm``) the same rights.

Every failure is a HistoryError with the name of the file.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from mineproof.errors import HistoryError

Migrations = tuple[tuple[str, ...], ...]


class Purpose(NamedTuple):
    """What a database is for, in the words of messages; and how it comes to be."""

    what: str  # "the history"
    expected: str  # "a history of mineproof"
    application: int  # in the head of an SQLite file; the lock of those who change the tables in PostgreSQL
    schema: str  # of the tables in PostgreSQL
    migrations: Migrations

    def refusal(self, name: str, version: int) -> HistoryError:
        """Of a database that a later mineproof made."""
        return HistoryError(
            f"found version {version} of {self.what} {name}, expected at most {len(self.migrations)}: "
            "a later mineproof made it; it is left as it is"
        )

    def other(self, name: str) -> HistoryError:
        """Of a database that is none of ours."""
        return HistoryError(
            f"found another program's database in {name}, expected {self.expected}; it is left as it is"
        )

    def failure(self, name: str, verb: str, reason: object) -> HistoryError:
        return HistoryError(f"{self.what} {name} cannot be {verb}: {reason}")


class Cursor(Protocol):
    """What a statement did."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """Where statements are run."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Cursor: ...


class Database(Protocol):
    """Where a store keeps what it keeps."""

    name: str  # for messages: a file, or an address without its password

    def check(self, *, create: bool = False) -> None:
        """HistoryError unless it can be used; one that is not there yet is made if that is asked for."""

    def exists(self) -> bool:
        """Has anything been written?"""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """What a query finds: nothing, where nothing has been written yet."""

    def writing(self, *, alone: bool = True) -> AbstractContextManager[Connection]:
        """One transaction, which is short: whatever takes time is worked out before.

        ``alone``: nobody else has one of these at the same time. SQLite knows no others.
        """

    def telling(self, verb: str) -> AbstractContextManager[None]:
        """Whatever fails is told in one sentence with the name of the database."""

    def close(self) -> None: ...


class SQLite:
    """A file, with one connection for all threads, one at a time."""

    def __init__(self, path: Path, purpose: Purpose, patience: float) -> None:
        self.path, self.name = path, str(path)
        self._purpose, self._patience = purpose, patience
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()

    def close(self) -> None:
        with self._lock, suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def check(self, *, create: bool = False) -> None:
        with self.telling("read"):
            self._connected(create=create)

    def exists(self) -> bool:
        return self.path.exists()

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        with self.telling("read"):
            database = self._connected(create=False)
            return [] if database is None else database.execute(query, values).fetchall()

    @contextmanager
    def writing(self, *, alone: bool = True) -> Iterator[Connection]:
        with self.telling("written"):
            database = self._connected(create=True)
            assert database is not None
            with _transaction(database):
                yield database

    @contextmanager
    def telling(self, verb: str) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.OperationalError as error:
                raise self._purpose.failure(self.name, verb, error) from None
            except sqlite3.DatabaseError as error:
                raise HistoryError(
                    f"found {self.path} damaged or no database ({error}), expected {self._purpose.expected}; "
                    "it is left as it is"
                ) from None
            except OSError as error:
                raise self._purpose.failure(self.name, verb, error.strerror or error) from None
            except (sqlite3.Error, ValueError) as error:  # such as a zero byte in a name
                raise self._purpose.failure(repr(self.name), verb, error) from None

    def _connected(self, *, create: bool) -> sqlite3.Connection | None:
        if self._connection is None:
            if not create and not self.path.exists():
                return None
            self._connection = self._opened()
        return self._connection

    def _opened(self) -> sqlite3.Connection:
        target = self.path.resolve()
        if target.exists() and not target.is_file():
            raise HistoryError(f"found {self.path}, which is no file, expected {self._purpose.expected}")
        if not target.exists():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(target, os.O_CREAT | os.O_RDWR, 0o600))
        database = sqlite3.connect(
            f"{target.as_uri()}?{_mode(target)}",
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            self._patiently(lambda: self._prepare(database))
        except BaseException:
            database.close()
            raise
        return database

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Make sure that this is what is expected, and up to date. Nothing is written before that is known."""
        purpose = self._purpose
        if self._version(database) < len(purpose.migrations):
            if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise HistoryError(f"{purpose.what} {self.name} cannot be kept where write-ahead logging does not work")
            with _transaction(database):
                # Another program may have been here meanwhile.
                for step in purpose.migrations[self._version(database) :]:
                    for statement in step:
                        database.execute(statement)
                database.execute(f"PRAGMA application_id = {purpose.application}")
                database.execute(f"PRAGMA user_version = {len(purpose.migrations)}")
        database.execute("PRAGMA synchronous = FULL")  # what is kept is kept, also when the power fails

    def _version(self, database: sqlite3.Connection) -> int:
        """How many migrations the database has had; HistoryError if it is not ours, or of a later mineproof."""
        with nullcontext() if database.in_transaction else _transaction(database, "BEGIN"):  # one state of the file
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application != self._purpose.application and (application or version or tables):
            raise self._purpose.other(self.name)
        if version > len(self._purpose.migrations):
            raise self._purpose.refusal(self.name, version)
        return int(version)

    def _patiently(self, act: Callable[[], None]) -> None:
        """Do something that SQLite does not wait for by itself, such as the change to write-ahead logging."""
        end = time.monotonic() + self._patience
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


def _mode(target: Path) -> str:
    """How to open a file. Where nothing may be written it is only read, and without the files beside it."""
    if os.access(target, os.W_OK) and os.access(target.parent, os.W_OK):
        return "mode=rw"
    in_use = target.with_name(f"{target.name}-wal").exists()
    return "mode=ro" if in_use else "mode=ro&immutable=1"
