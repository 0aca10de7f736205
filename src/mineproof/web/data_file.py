"""All data of a folder as one file: games in progress, history and ratings, to keep or to move to another browser."""

from __future__ import annotations

import io
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

from mineproof.errors import BoardSyntaxError
from mineproof.history.store import FILE as HISTORY
from mineproof.web.store import FILE as GAMES

NAMES = (GAMES, HISTORY)
MAX_BYTES = 1 << 30  # of one database
SQLITE = b"SQLite format 3\0"
MOMENT = (1980, 1, 1, 0, 0, 0)  # of each entry, so that the same data are the same file


def save_data(folder: Path) -> bytes:
    """Return the databases of a folder as a ZIP file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in NAMES:
            if (folder / name).exists():
                archive.writestr(zipfile.ZipInfo(name, MOMENT), _copy(folder / name), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def restore_data(folder: Path, data: bytes) -> None:
    """Replace the databases of a folder by those of a file; BoardSyntaxError changes nothing.

    A server over the folder has to be started again.
    """
    databases = _databases(data)
    folder.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        for part in folder.glob(f"{name}*"):  # with its journal
            part.unlink()
    for name, content in databases.items():
        (folder / name).write_bytes(content)


def _copy(path: Path) -> bytes:
    """Return a database with all that is committed, whether or not it is still in a journal."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "copy"
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        return copy.read_bytes()


def _databases(data: bytes) -> dict[str, bytes]:
    expected = "expected a file with all data of mineproof"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            for entry in entries:
                if entry.filename not in NAMES:
                    raise BoardSyntaxError(f"{expected}, got a ZIP file with {entry.filename!r}")
                if entry.file_size > MAX_BYTES:
                    raise BoardSyntaxError(f"{entry.filename}: expected at most {MAX_BYTES:,} bytes, got more")
            databases = {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise BoardSyntaxError(f"{expected}, got another file ({error})") from None
    if not databases:
        raise BoardSyntaxError(f"{expected}, got an empty ZIP file")
    for name, content in databases.items():
        if not content.startswith(SQLITE):
            raise BoardSyntaxError(f"{name}: expected a database, got other bytes")
    return databases
