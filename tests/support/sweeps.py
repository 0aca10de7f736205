"""Sweeps as tests play them: small ones, their files, and executors and processes that misbehave."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mineproof.base import files

SMALL: dict[str, Any] = {"sizes": "5x5", "mines": [4, 6], "games": 300, "unit": 64, "seed": 3}


def sums(folder: Path) -> dict[str, str]:
    """A checksum of every file of a result, by name; a lock is no part of it."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


class Shuffled(Executor):
    """Plays units in a thread, in an order of its own; ``played`` is how many."""

    def __init__(self, seed: int) -> None:
        self._random, self._pool = Random(seed), ThreadPoolExecutor(1)
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.played = 0

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: function(*arguments, **options)))
        self._pool.submit(self._play)
        return future

    def _play(self) -> None:
        future, work = self._waiting.pop(self._random.randrange(len(self._waiting)))
        if future.set_running_or_notify_cancel():
            self.played += 1
            future.set_result(work())


class Killed(BaseException):
    """What stands for SIGKILL."""


class Death:
    """After so many things done to files nothing more is done, as if the process were gone: no tidying up either."""

    def __init__(self, after: int) -> None:
        self.left = after

    @property
    def is_dead(self) -> bool:
        return self.left < 0

    def strike(self) -> None:
        self.left -= 1
        if self.is_dead:
            raise Killed

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for owner, name in ((os, "fsync"), (Path, "replace"), (Path, "unlink"), (Path, "mkdir")):
            patch.setattr(owner, name, self._mortal(getattr(owner, name)))
        patch.setattr(Path, "open", self._opened(Path.open))
        patch.setattr(files, "open", self._opened(open), raising=False)

    def _mortal(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def mortal(*arguments: Any, **options: Any) -> Any:
            self.strike()
            return function(*arguments, **options)

        return mortal

    def _opened(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Path, mode: str = "r", **options: Any) -> Any:
            if mode == "rb":
                return function(path, mode, **options)
            self.strike()
            return _Torn(function(path, mode, **options | {"buffering": 0}), self)

        return opened


class _Torn:
    """A file of which the last write, when death comes, is cut in the middle."""

    def __init__(self, file: Any, death: Death) -> None:
        self._file, self._death = file, death

    def __enter__(self) -> _Torn:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def truncate(self, size: int) -> None:
        self._death.strike()
        self._file.truncate(size)

    def write(self, data: bytes) -> int:
        if self._death.left == 0:
            self._file.write(data[: len(data) // 2])
        self._death.strike()
        done: int = self._file.write(data)
        return done
