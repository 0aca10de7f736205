"""Opening and closing the database that the history and the answers to puzzles share."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from mineproof.base import files
from mineproof.errors import HistoryError
from mineproof.history.postgresql import Address, is_address
from mineproof.history.store import FILE, LOCAL, HistoryStore

Place = Path | HistoryStore  # a file that is opened on demand, or an open store
SERVER_LOCK_SECONDS = 2.0  # how long a server waits for another program that locks the file


class Owned(NamedTuple):
    """The part of a place that belongs to one owner; see `mineproof.history.store`."""

    place: Place
    owner: str = LOCAL


class StoreClient:
    """An object whose data is in a store. A ``with`` block closes it."""

    def __init__(self, store: HistoryStore, *, is_lent: bool = False) -> None:
        self._store, self._is_lent = store, is_lent

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None) -> Self:
        """Open a file or folder, by default the usual one, or the address of a PostgreSQL database.

        Raises HistoryError if the database cannot be used.
        """
        return cls(_open_store(path))

    @classmethod
    def lent(cls, place: Place | Owned) -> Self:
        """Open for one request of a server: an open store stays open, a file is opened and closed."""
        place, owner = place if isinstance(place, Owned) else Owned(place)
        is_lent = isinstance(place, HistoryStore)
        store = place if isinstance(place, HistoryStore) else _open_store(place, SERVER_LOCK_SECONDS)
        return cls(store.owned_by(owner), is_lent=is_lent)

    def close(self) -> None:
        """Close the database, unless it belongs to a server."""
        if not self._is_lent:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def stored_game_ids(place: Place, fingerprints: Iterable[str]) -> set[int]:
    """The ids of the stored games with these fingerprints."""
    with StoreClient.lent(place) as client:
        return client._store.game_ids(fingerprints)


def _open_store(path: str | PathLike[str] | None, lock_seconds: float | None = None) -> HistoryStore:
    """Open the store in a file or folder, by default the usual one. Raises HistoryError if it cannot be used."""
    if isinstance(path, str) and is_address(path):
        store = HistoryStore(Address(path))
        try:
            store.check()
        except BaseException:
            store.close()
            raise
        return store
    target = files.state_folder() / FILE if path is None else Path(path)
    try:
        store = HistoryStore(target / FILE if target.is_dir() else target, lock_seconds=lock_seconds)
    except OSError as error:
        raise HistoryError(f"Cannot read the history {target}: {error.strerror}") from None
    store.check()
    return store
