"""A database, as the stores see it: statements with ``?`` for values, transactions, errors with a name.

There are two: SQLite, here, one file that several programs may use at once; and PostgreSQL, in
`mineproof.history.postgresql`. The stores write SQL once, in the part that both understand: booleans are 0 and 1 and
are compared with these, and existing rows are replaced by ON CONFLICT.

Durability
    Write-ahead logging: readers do not wait for writers, and committed data survives a crash.
Locked files
    A writer waits up to ``lock_seconds`` for another process that locks the file, then raises `DatabaseLocked`. All
    threads of a process share one wait: once it has failed, writers queued behind it try once and fail, too. SQLite's
    own busy handler is not used, because it sleeps up to 100 ms between two attempts.
Identity
    ``application_id`` says what a database is for, ``user_version`` how many migrations it has. An older one is
    migrated in one transaction. A newer one, a damaged one and a file of another kind are refused and left unchanged.
Privacy
    The file is readable by its owner only, as are folders that are created for it. SQLite gives the files beside it
    (``-wal``, ``-shm``) the same permissions.

Every failure is a HistoryError with the name of the file.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote_from_bytes

from mineproof.errors import HistoryError

Migrations = tuple[tuple[str, ...], ...]

FIRST_RETRY_SECONDS = 0.0002  # before the first retry on a locked file; doubled each time up to the maximum
MAX_RETRY_SECONDS = 0.002
FAIRNESS_SECONDS = 0.01  # how long one process may write repeatedly while another waits
WAIT_RESET_SECONDS = 1.0  # without an attempt, after which the wait for a locked file starts again


class DatabaseLocked(HistoryError):
    """Another process locked the database for too long. Nothing was written; a retry may succeed."""


class Purpose(NamedTuple):
    """What a database is for, with its migrations and its error messages."""

    label: str  # "the history"
    expected: str  # "a history of mineproof"
    application: int  # application_id of an SQLite file; advisory lock of migrations in PostgreSQL
    schema: str  # of the tables in PostgreSQL
    migrations: Migrations

    def newer_version_error(self, name: str, version: int) -> HistoryError:
        """The error for a database of a newer mineproof."""
        return HistoryError(
            f"Cannot open {self.label} {name}: it has version {version}, and this mineproof supports versions up to "
            f"{len(self.migrations)}. Update mineproof. The database was not changed."
        )

    def other_program_error(self, name: str) -> HistoryError:
        """The error for a database of another program."""
        return HistoryError(
            f"expected {self.expected}, got another program's database in {name}. The database was not changed."
        )

    def access_error(self, name: str, verb: str, reason: object) -> HistoryError:
        """The error for a database that cannot be read or written."""
        return HistoryError(f"Cannot {verb} {self.label} {name}: {reason}")

    def locked_error(self, name: str, verb: str) -> DatabaseLocked:
        """The error for a database that another process locks."""
        return DatabaseLocked(f"Cannot {verb} {self.label} {name}: the database is locked by another process")


class StatementResult(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """A connection that runs statements."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> StatementResult: ...


class Database(Protocol):
    """The database of a store."""

    name: str  # for messages: a file, or an address without its password

    def check(self, *, create: bool = False) -> None:
        """Raise HistoryError unless the database can be used; ``create`` creates a missing one."""

    def exists(self) -> bool:
        """Has anything been written?"""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the rows of a query; none if the database does not exist yet."""

    def writing(self, *, alone: bool = True) -> AbstractContextManager[Connection]:
        """Open a transaction that writes. Keep it short: compute everything before.

        ``alone``: no other transaction of this kind runs at the same time. SQLite has no others.
        """

    def naming_errors(self, verb: str) -> AbstractContextManager[None]:
        """Turn errors into a HistoryError with the name of the database; ``verb`` is ``read`` or ``write``."""

    def close(self) -> None: ...


class SQLite:
    """An SQLite file. Threads share one connection for writing; reads use a second one while a thread writes."""

    def __init__(self, path: Path, purpose: Purpose, lock_seconds: float, *, has_workers: bool = False) -> None:
        """``has_workers``: other processes write all the time, so they take turns (`Turnstile`)."""
        self.path, self.name = path, str(path)
        self._purpose = purpose
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.RLock()  # of the connection
        self._reader: sqlite3.Connection | None = None
        self._reader_lock = threading.Lock()
        self._turnstile = Turnstile(path.with_name(f"{path.name}-turn")) if has_workers else None
        self._write_wait, self._read_wait = _LockWait(lock_seconds), _LockWait(lock_seconds)

    def close(self) -> None:
        with self._lock, self._reader_lock, suppress(sqlite3.Error):
            for connection in (self._reader, self._connection):
                if connection is not None:
                    connection.close()
            self._connection = self._reader = None
            if self._turnstile is not None:
                self._turnstile.close()

    def check(self, *, create: bool = False) -> None:
        with self.naming_errors("read"), self._lock:
            self._connect_writer(create=create)

    def exists(self) -> bool:
        return self.path.exists()

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        with self.naming_errors("read"), ExitStack() as held:
            if self._lock.acquire(blocking=False):
                held.callback(self._lock.release)
                database = self._connect_writer(create=False)
            else:
                held.enter_context(self._reader_lock)
                database = self._connect_reader()
            rows: list[Any] = []
            if database is not None:
                self._read_wait.retry(lambda: rows.extend(database.execute(query, values).fetchall()))
            return rows

    @contextmanager
    def writing(self, *, alone: bool = True) -> Iterator[Connection]:
        with self.naming_errors("write"), self._lock:
            database = self._connect_writer(create=True)
            assert database is not None
            with self._begin(database):
                yield database

    @contextmanager
    def naming_errors(self, verb: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if _is_busy(error):
                raise self._purpose.locked_error(self.name, verb) from None
            raise self._purpose.access_error(self.name, verb, error) from None
        except sqlite3.DatabaseError as error:
            raise HistoryError(
                f"expected {self._purpose.expected}, got a damaged file or one of another kind: {self.path} ({error}). "
                "The file was not changed."
            ) from None
        except BlockingIOError:  # the turnstile
            raise self._purpose.locked_error(self.name, verb) from None
        except OSError as error:
            raise self._purpose.access_error(self.name, verb, error.strerror or error) from None
        except (sqlite3.Error, ValueError) as error:  # such as a zero byte in a name
            raise self._purpose.access_error(repr(self.name), verb, error) from None

    @contextmanager
    def _begin(self, database: sqlite3.Connection) -> Iterator[None]:
        """Open a transaction that writes, once no other process has one."""
        with ExitStack() as turn:
            fair_until = time.monotonic() + FAIRNESS_SECONDS

            def begin() -> None:
                if self._turnstile is not None and not self._turnstile.is_held:
                    turn.enter_context(self._turnstile)
                try:
                    database.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    if time.monotonic() < fair_until:
                        turn.close()
                    raise

            self._write_wait.retry(begin)
        with _commit_or_roll_back(database):
            yield

    def _connect_writer(self, *, create: bool) -> sqlite3.Connection | None:
        if self._connection is None:
            if not create and not self.path.exists():
                return None
            self._connection = self._open_file()
        return self._connection

    def _connect_reader(self) -> sqlite3.Connection | None:
        """The connection for reads while another thread writes."""
        if self._reader is None and self.path.exists():
            self._reader = self._connect(self.path.resolve())
        return self._reader

    def _open_file(self) -> sqlite3.Connection:
        target = self.path.resolve()
        if target.exists() and not target.is_file():
            raise HistoryError(f"expected {self._purpose.expected}, got {self.path}, which is not a file")
        if not target.exists():
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(target, os.O_CREAT | os.O_RDWR, 0o600))
        database = self._connect(target)
        try:
            self._write_wait.retry(lambda: self._prepare(database))
        except BaseException:
            database.close()
            raise
        return database

    def _connect(self, target: Path) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{_uri(target)}?{_mode(target)}",
            timeout=0.0,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )

    def _prepare(self, database: sqlite3.Connection) -> None:
        """Check that the database is of the right kind and migrate it. Nothing is written before the check."""
        purpose = self._purpose
        if self._version(database) < len(purpose.migrations):
            if database.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise HistoryError(
                    f"Cannot store {purpose.label} in {self.name}: write-ahead logging does not work there."
                )
            with _transaction(database):
                # Another program may have migrated it meanwhile.
                for step in purpose.migrations[self._version(database) :]:
                    for statement in step:
                        database.execute(statement)
                database.execute(f"PRAGMA application_id = {purpose.application}")
                database.execute(f"PRAGMA user_version = {len(purpose.migrations)}")
        database.execute("PRAGMA synchronous = FULL")  # committed data survives a power failure

    def _version(self, database: sqlite3.Connection) -> int:
        """Return the number of migrations. Raises HistoryError for another program or a newer mineproof."""
        # In a transaction, because the three values must be of the same state of the file.
        with nullcontext() if database.in_transaction else _transaction(database, "BEGIN"):
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
            (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application != self._purpose.application and (application or version or tables):
            raise self._purpose.other_program_error(self.name)
        if version > len(self._purpose.migrations):
            raise self._purpose.newer_version_error(self.name, version)
        return int(version)


class _LockWait:
    """The wait of one process for a locked file, shared by its threads."""

    def __init__(self, lock_seconds: float) -> None:
        self._lock_seconds = lock_seconds
        self._locked_since: float | None = None  # first attempt that failed, on the monotonic clock
        self._last_attempt = 0.0  # last attempt that failed

    def retry(self, act: Callable[[], object]) -> None:
        """Call a function until the file is not locked any more. Raises the last error after the wait."""
        pause = FIRST_RETRY_SECONDS
        while True:
            try:
                act()
            except (sqlite3.OperationalError, BlockingIOError) as error:
                if isinstance(error, sqlite3.OperationalError) and not _is_busy(error):
                    raise
                if self._is_over():
                    raise
            else:
                self._locked_since = None
                return
            time.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_SECONDS)

    def _is_over(self) -> bool:
        now = time.monotonic()
        if self._locked_since is None or now - self._last_attempt > WAIT_RESET_SECONDS:
            self._locked_since = now
        self._last_attempt = now
        return now - self._locked_since >= self._lock_seconds


class Turnstile:
    """A file lock that every writer of several processes passes, and that a writer holds after a long wait.

    Without it, a process that has just committed begins again before a process that sleeps between two attempts
    notices, which then waits too long. Always holding it would make processes alternate after each write, which costs
    more. The lock ends with its process, even if the process crashes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self.is_held = False

    def __enter__(self) -> None:
        """Take the lock. Raises BlockingIOError if another process is next."""
        if sys.platform != "win32":
            import fcntl

            if self._file is None:
                self._file = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.is_held = True

    def __exit__(self, *_: object) -> None:
        self.is_held = False
        if sys.platform != "win32" and self._file is not None:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def _transaction(database: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    database.execute(begin)
    with _commit_or_roll_back(database):
        yield


@contextmanager
def _commit_or_roll_back(database: sqlite3.Connection) -> Iterator[None]:
    """Commit a transaction; roll it back after an error."""
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # a full disk may have ended it already
            with suppress(sqlite3.Error):
                database.execute("ROLLBACK")
        raise


def _uri(target: Path) -> str:
    """The address of a file. From Python 3.14 on, `Path.as_uri` imports a client of HTTP."""
    return target.as_uri() if os.name == "nt" else f"file://{quote_from_bytes(bytes(target))}"


def _mode(target: Path) -> str:
    """How to open a file. A read-only file is opened without the files beside it."""
    if os.access(target, os.W_OK) and os.access(target.parent, os.W_OK):
        return "mode=rw"
    in_use = target.with_name(f"{target.name}-wal").exists()
    return "mode=ro" if in_use else "mode=ro&immutable=1"
