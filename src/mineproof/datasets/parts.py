"""The folder of an unfinished dataset. Finished parts are on disk and survive a crash.

* ``positions.parquet.parts/plan.json``      the plan, see `mineproof.datasets.plan`
* ``positions.parquet.parts/000012.part``    the positions of the thirteenth batch of games

A part is an Arrow stream (IPC, Zstandard), then, little-endian: ``mpparts1``; 16 bytes that identify the plan; the
number of the part, u32, and zero; its positions, u64; the bytes of the stream, u64; a checksum of 16 bytes, BLAKE2b of
everything before. A part is renamed in one step when it is on disk, so an incomplete part is damage: an error names the
file and the problem. Nothing is removed automatically; if a damaged part is deleted, it is created again.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from mineproof.base import files
from mineproof.base.work import Stop
from mineproof.datasets.plan import DatasetPlan, read_plan
from mineproof.datasets.positions import positions_of
from mineproof.datasets.schema import arrow_batch, arrow_schema
from mineproof.errors import BudgetExceeded, DatasetError

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC = b"mpparts1"
TAIL = struct.Struct("<8s16s2I2Q")
CHECKSUM = 16  # bytes
BLOCK = 1 << 20  # bytes that are read at a time

PLAN = "plan.json"
_NAME = re.compile(r"([0-9]{6,})\.part")


class Parts:
    """The folder next to the file of a dataset. A writer must claim it."""

    def __init__(self, path: Path, plan: DatasetPlan) -> None:
        self.folder, self.plan = folder_of(path), plan

    @staticmethod
    def read(path: Path) -> Parts | None:
        """Open the folder of an unfinished dataset; None if there is none."""
        plan = folder_of(path) / PLAN
        try:
            return Parts(path, read_plan(files.read(plan), str(plan)))
        except FileNotFoundError:
            return None

    def path(self, index: int) -> Path:
        return self.folder / f"{index:06}.part"

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Reserve the folder; DatasetError if another process has it. An empty folder is removed at the end."""
        try:
            with files.claim_folder(self.folder, PLAN):
                files.remove_leftovers(self.folder)
                yield
        except BlockingIOError:
            raise DatasetError(f"{self.folder} is in use by another process. Wait until it has finished.") from None
        finally:
            with suppress(OSError):  # the folder is not empty
                self.folder.rmdir()

    def begin(self) -> None:
        files.write(self.folder / PLAN, self.plan.text)

    def finished_parts(self) -> dict[int, int]:
        """Return the number of positions of every finished part. Reads only their ends, in microseconds each."""
        names = [_NAME.fullmatch(path.name) for path in self.folder.iterdir()]
        numbers = sorted(int(name[1]) for name in names if name is not None)
        return {index: self.count(index) for index in numbers}

    def remove(self) -> None:
        """Remove all parts of a finished dataset. The folder is removed when the claim ends."""
        for path in list(self.folder.iterdir()):
            name = path.name.removesuffix(".lock")
            if name == PLAN or _NAME.fullmatch(name):
                with suppress(PermissionError):  # Windows removes the lock by itself, when the claim ends
                    path.unlink(missing_ok=True)

    # one part

    def make(self, index: int, stopped: Stop) -> int | None:
        """Play the games of a part, write their positions, and return their number; None if it was stopped."""
        import pyarrow as pa

        schema, count = arrow_schema(self.plan.cells), 0
        try:
            with files.replacing(self.path(index)) as file:
                summed = _ChecksumFile(file)
                options = pa.ipc.IpcWriteOptions(compression="zstd")
                with (
                    pa.PythonFile(summed, mode="w") as sink,
                    pa.ipc.new_stream(sink, schema, options=options) as stream,
                ):
                    for columns in positions_of(self.plan, self.plan.numbers(index), stopped):
                        stream.write_batch(arrow_batch(columns, schema))
                        count += len(columns["game"])
                summed.write(TAIL.pack(MAGIC, self.plan.digest, index, 0, count, summed.length))
                file.write(summed.checksum)
        except BudgetExceeded:  # cancelled: a position that is too large has a status instead
            return None
        return count

    def count(self, index: int) -> int:
        """Return the number of positions of a part from its end; DatasetError if the end is damaged."""
        path = self.path(index)
        with path.open("rb") as file:
            length = os.fstat(file.fileno()).st_size
            if length < TAIL.size + CHECKSUM:
                raise damage_error(path, f"expected at least {TAIL.size + CHECKSUM} bytes, got {length:,}")
            file.seek(-TAIL.size - CHECKSUM, os.SEEK_END)
            magic, plan, number, _, count, size = TAIL.unpack(file.read(TAIL.size))
        if magic != MAGIC:
            raise damage_error(path, f"expected {MAGIC!r} where its end begins, got {magic!r}")
        if plan != self.plan.digest:
            raise DatasetError(f"{path} belongs to another dataset than {self.folder / PLAN}")
        if (number, size) != (index, length - TAIL.size - CHECKSUM):
            expected = f"expected part {index} of {length - TAIL.size - CHECKSUM:,} bytes"
            raise damage_error(path, f"{expected}, got {number} of {size:,}")
        return int(count)

    def check(self, index: int) -> int:
        """Check every byte of a part and return its number of positions."""
        path, count = self.path(index), self.count(index)
        with path.open("rb") as file:
            digest, left = hashlib.blake2b(digest_size=CHECKSUM), os.fstat(file.fileno()).st_size - CHECKSUM
            while left:
                block = file.read(min(BLOCK, left))
                digest.update(block)
                left -= len(block)
            stored, computed = file.read(), digest.digest()
        if stored != computed:
            raise damage_error(path, f"expected checksum {computed.hex()[:8]}, got {stored.hex()[:8]}")
        return count

    def batches(self, index: int) -> Iterator[pa.RecordBatch]:
        """Yield the positions of an intact part."""
        import pyarrow as pa

        with self.path(index).open("rb") as file, pa.ipc.open_stream(file) as stream:
            yield from stream


class _ChecksumFile:
    """A file opened for writing that counts its bytes and computes their checksum."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._digest = file, hashlib.blake2b(digest_size=CHECKSUM)
        self.length = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self.length += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Do nothing: the file is flushed once, at the end."""

    def close(self) -> None:
        """Do nothing: the caller closes the file."""

    @property
    def checksum(self) -> bytes:
        return self._digest.digest()


def folder_of(path: Path) -> Path:
    """Return the folder of the parts of a dataset."""
    return path.with_name(path.name + ".parts")


def is_begun(path: Path) -> bool:
    """Is there an unfinished dataset that can be resumed?"""
    return (folder_of(path) / PLAN).is_file()


def damage_error(path: Path, problem: str) -> DatasetError:
    """Return an error that names the file, the problem and what to do."""
    return DatasetError(f"{path} is damaged: {problem}. Remove it; --resume (resume=True) creates it again.")
