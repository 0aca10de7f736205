"""Files: one reader with a limit, one writer that leaves them whole, a lock, and where mineproof keeps its own.

Nothing is read without limit: a device and an endless pipe have no end, and memory has. A board has at most a million
cells. The widest ways to write one are our JSON with an indent (some 40 bytes a mine) and the Go simulator's rows in
UTF-16 (26 bytes a cell), so `LARGEST` is 64 MiB; saved games and replays of a few hundred thousand moves are shorter,
too. Results of simulations have a bit for each game, and certificates some hundred bytes a step: `LARGEST_RESULT`.

A file is replaced, never written into: the new content goes to a file next to it, which is forced to disk and then
takes the name in one step. Whoever looks finds the old content or the new, and nothing between. (The package index has
had libraries for this; the one in common use is no longer kept.)

A lock ends with its process, however that ends; `filelock` knows how on every system.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from mineproof.errors import BoardSyntaxError

LARGEST = 64 << 20  # bytes of a board or a game
LARGEST_RESULT = 1 << 30  # bytes of what only our own programs write


def read(path: Path, most: int = LARGEST) -> bytes:
    """What is in a file or a pipe.

    OSError where it cannot be opened, is a folder or a device; BoardSyntaxError where there are more bytes than `most`.
    """
    require_file(path)
    with path.open("rb") as file:
        return read_stream(file, str(path), most)


def read_stream(stream: BinaryIO, name: str, most: int = LARGEST) -> bytes:
    """The same of what is open already, such as standard input; ``name`` is what an error calls it."""
    data = stream.read(most + 1)
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >> 20 else f"{most} bytes"
        message = f"found more than {size}, expected less: no board of a million cells takes as much"
        raise BoardSyntaxError(message, source=name)
    return data


def require_file(path: Path) -> None:
    """Refuse a folder and a device by an OSError that names it; what is not there, or cannot be asked, too."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "found a folder, expected a file", str(path))
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "found a device, expected a file", str(path))


def write(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Replace a file in one step, and return once it is on disk; OSError if that fails, and then it is as it was.

    A device or a pipe is written into instead. Missing folders are made, for nobody else to look into if ``private``.
    Text is written in UTF-8. Only one process at a time may write a file: see `claim`.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    target = path.resolve()  # through a link, to what it stands for
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        with naming(path):
            target.write_bytes(data)
        return
    with replacing(path, private=private) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """The new content of a file, to be written piece by piece: it takes the name at the end, unless there is an error.

    It is on disk then. What `write` says of folders and of other processes holds.
    """
    target = path.resolve()
    fresh = target.with_name(f"{target.name}.new")
    with naming(path):
        target.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
        try:
            with fresh.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(target)
        except BaseException:
            with suppress(OSError):
                fresh.unlink()
            raise
        sync_folder(target.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of writing name the file that was asked for: not the one beside it, and not none at all."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def reason(error: OSError) -> str:
    """What the system did not do, and to which file, in words: without its number."""
    words = error.strerror or str(error)
    if error.filename is None:
        return words
    return f"{shown(error.filename)}: {words}"


def shown(path: str | bytes | os.PathLike[str]) -> str:
    """The name of a file in a message; it may hold what would move the cursor of a terminal."""
    name = os.fsdecode(path)
    return name if name.isprintable() else repr(name)


@contextmanager
def claim(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Keep a file to oneself; BlockingIOError if another process has it, OSError for a folder or a device.

    Another process may be about to end: it is waited for, for ``patience`` seconds.
    """
    from filelock import FileLock, Timeout

    target = path.resolve()
    if target.exists():
        require_file(path)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file itself is replaced all the time, and a lock would go with the old one.
    lock = FileLock(f"{target}.lock", timeout=patience)
    try:
        lock.acquire()
    except Timeout:
        raise BlockingIOError(f"{path} is in use by another process") from None
    try:
        yield
    finally:
        lock.release()


def state_folder() -> Path:
    """Where mineproof keeps what it must remember.

    ``$XDG_STATE_HOME/mineproof``, by default in ``~/.local/state``; on Windows in ``%LOCALAPPDATA%``.
    """
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    if named.is_absolute():  # the XDG specification has relative paths ignored; so is the empty one
        return named / "mineproof"
    local = os.environ.get("LOCALAPPDATA") if os.name == "nt" else None
    return (Path(local) if local else Path.home() / ".local" / "state") / "mineproof"


def sync_folder(path: Path) -> None:
    """Force the names in a folder to disk, where a folder can be opened."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
