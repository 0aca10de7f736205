"""The file that stores the finished games of a long run, which can be resumed."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import click

from mineproof.base import files
from mineproof.cli import output, output_files
from mineproof.errors import BoardSyntaxError

SAVE_SECONDS = 5.0  # between two writes


class PartialResult(Protocol):
    """The result of the games played so far."""

    @property
    def games(self) -> int: ...

    @property
    def asked(self) -> int: ...

    @property
    def is_complete(self) -> bool: ...

    def to_json(self) -> str: ...


R = TypeVar("R", bound=PartialResult)


class RunFile(Generic[R]):
    """The file of the finished games. If it cannot be written, a warning is printed once and the run continues."""

    def __init__(self, path: Path | None, resume: bool, force: bool, parse: Callable[[bytes], R]) -> None:
        if (resume or force) and path is None:
            raise click.UsageError(f"{'--resume' if resume else '--force'} needs -o FILE")
        if resume and force:
            raise click.UsageError("--resume continues FILE and --force replaces it. Use one of them.")
        if path is not None and path.exists() and not path.is_file():  # it would be replaced, not written to
            raise click.UsageError(f"-o must name a regular file, got {str(path)!r}")
        self._path = path
        self._parse = parse
        self._resume = resume
        self._force = force
        self._written = time.monotonic()
        self._warned = False

    def start(self) -> R | None:
        """Return the result to continue, if any; raise an error now if the file cannot be written later."""
        if self._path is None:
            return None
        files.require_folder_of(self._path)
        if not os.access(self._path.resolve().parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._path))
        if not output_files.has_content(self._path) or self._force:
            return None
        if self._resume:
            return read(self._path, self._parse)
        raise click.UsageError(self._conflict(self._path))

    def update(self, result: R) -> None:
        """Write the result if the last time is long enough ago."""
        if time.monotonic() - self._written >= SAVE_SECONDS:
            self.write(result)

    def write(self, result: R) -> None:
        """Write the result now."""
        if self._path is None:
            return
        self._written = time.monotonic()
        try:
            files.write(self._path, result.to_json() + "\n")
        except OSError as error:
            if not self._warned:
                output.note(f"{self._path}: {error.strerror or error}. The result is printed but not saved.")
            self._warned = True

    def _conflict(self, path: Path) -> str:
        """Why a file is not replaced, and the options that help."""
        try:
            stored = read(path, self._parse)
        except BoardSyntaxError:
            return f"{path} already exists and is not a result. Use --force to replace it, or choose another name."
        games = f"{stored.games:,} games" if stored.is_complete else f"{stored.games:,} of {stored.asked:,} games"
        return f"{path} already has {games}. Use --resume to continue, --force to replace them, or choose another name."


def read(path: Path, parse: Callable[[bytes], R]) -> R:
    """Return the result in a file; a BoardSyntaxError names the file."""
    try:
        return parse(files.read(path, files.MAX_RESULT_BYTES))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise
