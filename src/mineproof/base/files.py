"""Files: a reader with a size limit, a writer that replaces files atomically, a lock, and the state folder.

Reading has a limit because devices and endless pipes would fill the memory. A board has at most a million cells. The
widest ways to write one are our JSON with an indent (about 40 bytes a mine) and the Go simulator's rows in UTF-16 (26
bytes a cell), so `MAX_BOARD_BYTES` is 64 MiB. Saved games and replays of a few hundred thousand moves are shorter.
Results of simulations have a bit for each game, and certificates a few hundred bytes a step: `MAX_RESULT_BYTES`.

Writing replaces a file. The new content goes to a temporary file in the same folder, which is synced to disk and then
renamed. Readers see the old content or the new, never a mixture. The temporary file has a random name and is created
exclusively, so a link that another user put there is never followed. (The common package for this is no longer
maintained.)

Folders: a file that an option or argument names goes into a folder that exists. A folder that is named is created if
its parent exists. A typing mistake then creates nothing. Only the state folder is created with its parents.

A lock ends with its process, however the process ends; `filelock` implements this for every system.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from mineproof.errors import BoardSyntaxError

MAX_BOARD_BYTES = 64 << 20  # a board or a game
MAX_RESULT_BYTES = 1 << 30  # files that only our own programs write

_RANDOM_BYTES = 8  # of a temporary name
_LONGEST_PREFIX = 150  # bytes of a file's name that its temporary name begins with: a name has at most 255
_TEMPORARY = re.compile(r"(.*)\.[0-9a-f]{16}\.new", re.DOTALL)


def read(path: Path, most: int = MAX_BOARD_BYTES) -> bytes:
    """Return the content of a file or a pipe.

    Raises OSError if it cannot be opened, is a folder or a device, and BoardSyntaxError if it has more than ``most``
    bytes.
    """
    require_file(path)
    with path.open("rb") as file:
        return read_stream(file, str(path), most)


def read_stream(stream: BinaryIO, name: str, most: int = MAX_BOARD_BYTES) -> bytes:
    """Return the content of an open stream, such as standard input; errors call it ``name``."""
    data = stream.read(most + 1)
    if len(data) > most:
        size = f"{most >> 20} MiB" if most >> 20 else f"{most} bytes"
        raise BoardSyntaxError(f"expected at most {size}, got more: no board is that large", source=name)
    return data


def not_found(path: str) -> FileNotFoundError:
    """The error of opening a file that does not exist."""
    return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)


def require_file(path: Path) -> None:
    """Raise an OSError that names the path if it is missing, a folder or a device."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "expected a file, got a folder", str(path))
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.EINVAL, "expected a file, got a device", str(path))


def require_folder_of(path: Path) -> None:
    """Raise an OSError that names the folder unless a new file can be put there: the folder must exist."""
    folder = path.resolve().parent
    if folder.is_dir():
        return
    if folder.exists():
        raise NotADirectoryError(errno.ENOTDIR, "expected a folder, got a file", str(path.parent))
    raise FileNotFoundError(errno.ENOENT, "folder not found; create it first", str(path.parent))


def make_folder(path: Path) -> None:
    """Create the folder that an option or argument names, unless it exists; its parent must exist."""
    if path.is_dir():
        return
    require_folder_of(path)
    path.mkdir(exist_ok=True)


def write(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Replace a file atomically, and return once it is on disk; after an OSError the file is unchanged.

    A device or a pipe is written to instead. The folder must exist, but with ``private`` it is created, and only the
    user can read it and the file. Text is encoded as UTF-8.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    target = path.resolve()  # follow a link to the file that it names
    if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
        with naming(path):
            target.write_bytes(data)
        return
    with replacing(path, private=private) as file:
        file.write(data)


@contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Yield a file for the new content, written piece by piece; without an error it replaces ``path`` at the end.

    The content is on disk then. An existing file keeps its permissions. Folders are treated as in `write`.
    """
    target = path.resolve()
    if not private:
        require_folder_of(path)
    import secrets  # loads hashes, which only writing needs

    fresh = target.with_name(f"{_prefix(target.name)}.{secrets.token_hex(_RANDOM_BYTES)}.new")
    with naming(path):
        if private:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept_mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        mode = (0o600 if private else 0o666) if kept_mode is None else kept_mode
        try:
            with open(fresh, "xb", opener=_opener(mode)) as file:
                if kept_mode is not None and os.chmod in os.supports_fd:
                    os.chmod(file.fileno(), mode)  # noqa: PTH101 (a descriptor): the umask may have cut it
                yield file
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(target)
        except BaseException:
            with suppress(OSError):
                fresh.unlink()
            raise
        sync_folder(target.parent)


def _opener(mode: int) -> Callable[[str, int], int]:
    """An opener that creates a file with these permissions and never follows a link."""

    def create(path: str, flags: int) -> int:
        return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), mode)

    return create


def _prefix(name: str) -> str:
    """The part of a file's name that its temporary name begins with."""
    return os.fsencode(name)[:_LONGEST_PREFIX].decode("utf-8", "ignore")


def is_temporary(name: str) -> bool:
    """Is this the name of a temporary file of `replacing`?"""
    return _TEMPORARY.fullmatch(name) is not None


def remove_leftovers(folder: Path, name: str | None = None) -> None:
    """Remove the temporary files of processes that were killed: all in a folder, or those of the file ``name``.

    Only the process that has claimed these files may do so (see `claim`): another one may be writing.
    """
    with suppress(OSError):  # they cost space, nothing else
        for path in list(folder.iterdir()):
            match = _TEMPORARY.fullmatch(path.name)
            if match is not None and (name is None or match[1] == _prefix(name)):
                path.unlink()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Make an OSError of writing name the requested file instead of a temporary one or none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def reason(error: OSError) -> str:
    """Describe an OSError in words: the file and what is wrong, without the system's error number."""
    return cause(error) if error.filename is None else f"{printable_name(error.filename)}: {cause(error)}"


def cause(error: OSError) -> str:
    """Describe an OSError in words without the file."""
    words = error.strerror or str(error)
    return "file not found" if words == os.strerror(errno.ENOENT) else words


def printable_name(path: str | bytes | os.PathLike[str]) -> str:
    """Return a file's name for a message, escaped if it could move the cursor of a terminal."""
    name = os.fsdecode(path)
    return name if name.isprintable() else repr(name)


@contextmanager
def claim(path: Path, patience: float = 0.0) -> Iterator[None]:
    """Reserve a file for this process; its folder is created.

    Raises BlockingIOError if another process still has it after ``patience`` seconds, OSError for a folder or a device.
    """
    from filelock import FileLock, Timeout

    target = path.resolve()
    if target.exists():
        require_file(path)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file itself is replaced by every write, and a lock on it would go with the old file.
    lock = FileLock(f"{target}.lock", timeout=patience)
    try:
        lock.acquire()
    except Timeout:
        raise BlockingIOError(f"{path} is in use by another process") from None
    try:
        remove_leftovers(target.parent, target.name)
        yield
    finally:
        lock.release()


@contextmanager
def claim_folder(folder: Path, name: str) -> Iterator[None]:
    """Create a folder and reserve it for this process by its file ``name``, as `claim` does.

    A folder that was created here and is left without that file is removed again.
    """
    is_new = not folder.is_dir()
    make_folder(folder)
    try:
        with claim(folder / name):
            try:
                yield
            finally:
                if is_new and not (folder / name).exists():
                    with suppress(OSError):  # Windows removes the lock itself
                        (folder / f"{name}.lock").unlink()
    finally:
        if is_new:
            with suppress(OSError):  # it is not empty
                folder.rmdir()


def state_folder() -> Path:
    """Return the folder for mineproof's own files.

    It is ``$XDG_STATE_HOME/mineproof``, by default in ``~/.local/state``; on Windows in ``%LOCALAPPDATA%``.
    """
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    if named.is_absolute():  # the XDG specification ignores relative paths, and so the empty one
        return named / "mineproof"
    local = os.environ.get("LOCALAPPDATA") if os.name == "nt" else None
    return (Path(local) if local else Path.home() / ".local" / "state") / "mineproof"


def sync_folder(path: Path) -> None:
    """Sync the names in a folder to disk, on systems that can open a folder."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
