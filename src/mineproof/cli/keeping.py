"""The file that a long run keeps what is finished in, and goes on from."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import click

from mineproof.base import files
from mineproof.cli import output, writing
from mineproof.errors import BoardSyntaxError

SAVE_EVERY = 5.0  # seconds


class Result(Protocol):
    """What came of games so far."""

    @property
    def games(self) -> int: ...

    @property
    def asked(self) -> int: ...

    @property
    def is_complete(self) -> bool: ...

    def to_json(self) -> str: ...


R = TypeVar("R", bound=Result)


class Keeper(Generic[R]):
    """The file that holds what is finished. A disk that is full costs no answer: it is told, once, and not fatal."""

    def __init__(self, path: Path | None, resume: bool, force: bool, parse: Callable[[bytes], R]) -> None:
        if (resume or force) and path is None:
            raise click.UsageError(f"{'--resume' if resume else '--force'} goes with -o FILE")
        if resume and force:
            raise click.UsageError("--resume goes on from FILE, and --force writes over it: one of them")
        if path is not None and path.exists() and not path.is_file():  # it would be replaced, not written to
            raise click.UsageError(f"{str(path)!r} is not a file that can be kept")
        self._path = path
        self._parse = parse
        self._resume = resume
        self._force = force
        self._written = time.monotonic()
        self._warned = False

    def start(self) -> R | None:
        """What there is to go on from; an error, before anything is played, where nothing can be kept."""
        if self._path is None:
            return None
        folder = self._path.resolve().parent
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._path))
        if not writing.holds_something(self._path) or self._force:
            return None
        if self._resume:
            return read(self._path, self._parse)
        raise click.UsageError(self._taken(self._path))

    def watch(self, found: R) -> None:
        if time.monotonic() - self._written >= SAVE_EVERY:
            self.write(found)

    def write(self, found: R) -> None:
        if self._path is None:
            return
        self._written = time.monotonic()
        try:
            files.write(self._path, found.to_json() + "\n")
        except OSError as error:
            if not self._warned:
                output.note(f"{self._path}: {error.strerror or error}; what is finished is told, and not kept")
            self._warned = True

    def _taken(self, path: Path) -> str:
        """Why a file is not written over, and the ways out."""
        try:
            found = read(path, self._parse)
        except BoardSyntaxError:
            return f"{path} is there already, and no result: --force writes over it, or name another file"
        games = f"{found.games:,} games" if found.is_complete else f"{found.games:,} of {found.asked:,} games"
        return (
            f"{path} holds {games} already: --resume goes on from there, --force writes over it, or name another file"
        )


def read(path: Path, parse: Callable[[bytes], R]) -> R:
    """What a file holds; an error in it names the file."""
    try:
        return parse(files.read(path, files.LARGEST_RESULT))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise
