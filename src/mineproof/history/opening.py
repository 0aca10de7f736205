"""What is kept in the one database, opened and closed: shared by the history and by the answers to puzzles."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

from mineproof.base import files
from mineproof.errors import HistoryError
from mineproof.history.postgresql import Address, is_address
from mineproof.history.store import FILE, Store

Place = Path | Store  # a file that is opened when it is needed, or what is open


class InStore:
    """Something that a store keeps; it is closed at the end of a ``with``."""

    def __init__(self, store: Store, *, is_lent: bool = False) -> None:
        self._store, self._is_lent = store, is_lent

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None) -> Self:
        """What is in a file or folder, by default the usual one, or at the address of a PostgreSQL.

        HistoryError if there is one that cannot be used.
        """
        return cls(_store_at(path))

    @classmethod
    def lent(cls, place: Place) -> Self:
        """The same of a store that others use, too, and that stays open; of a file, one of its own."""
        return cls.open(place) if isinstance(place, Path) else cls(place, is_lent=True)

    def close(self) -> None:
        if not self._is_lent:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def kept_numbers(place: Place, fingerprints: Iterable[str]) -> set[int]:
    """The numbers in a history of the games with these fingerprints, as far as they are kept."""
    with InStore.lent(place) as found:
        return found._store.numbers(fingerprints)


def _store_at(path: str | PathLike[str] | None) -> Store:
    """The store in a file or folder, by default the usual one; HistoryError if there is one that cannot be used."""
    if isinstance(path, str) and is_address(path):
        store = Store(Address(path))
        try:
            store.check()
        except BaseException:
            store.close()
            raise
        return store
    target = files.state_folder() / FILE if path is None else Path(path)
    try:
        store = Store(target / FILE if target.is_dir() else target)
    except OSError as error:
        raise HistoryError(f"the history {target} cannot be read: {error.strerror}") from None
    store.check()
    return store
