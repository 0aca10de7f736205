"""Files that are whole or not there: one writer for all of them, a lock, and where mineproof keeps its own.

A file is replaced, never written into: the new content goes to a file next to it, which is forced to disk and then
takes the name in one step. Whoever looks finds the old content or the new, and nothing between. (The package index has
had libraries for this; the one in common use is no longer kept.)

A lock ends with its process, however that ends; `filelock` knows how on every system.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def write(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Replace a file in one step, and return once it is on disk; OSError if that fails, and then it is as it was.

    A device or a pipe is written into instead. Missing folders are made, for nobody else to look into if ``private``.
    Text is written in UTF-8. Only one process at a time may write a file: see `claim`.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    target = path.resolve()  # through a link, to what it stands for
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        target.write_bytes(data)
        return
    target.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.new")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(target)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    _sync_folder(target.parent)


@contextmanager
def claim(path: Path) -> Iterator[None]:
    """Keep a file to oneself; BlockingIOError while another process has it."""
    from filelock import FileLock, Timeout

    target = path.resolve()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file itself is replaced all the time, and a lock would go with the old one.
    lock = FileLock(f"{target}.lock", blocking=False)
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


def _sync_folder(path: Path) -> None:
    """Force the names in a folder to disk, where a folder can be opened."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
