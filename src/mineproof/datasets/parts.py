"""The folder of an unfinished dataset: what is finished is on disk, whole, whatever happens to the process.

* ``positions.parquet.parts/plan.json``      what the dataset is, see `mineproof.datasets.plan`
* ``positions.parquet.parts/000012.part``    the positions of the thirteenth lot of games

A part is a stream of Arrow (IPC, Zstandard), then, little-endian: ``mpparts1``; 16 bytes that stand for the plan; the
number of the part, u32, and zero; its positions, u64; the bytes of the stream, u64; a checksum of 16 bytes, BLAKE2b of
all before. It takes its name in one step once it is on disk, so one that is not whole is damage: an error that names
the file and says what was found. Nothing is removed; to remove a damaged part is to have it made again.
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
from mineproof.base.words import plural
from mineproof.datasets.plan import DatasetPlan, read_plan
from mineproof.datasets.positions import positions_of
from mineproof.datasets.schema import arrow_batch, arrow_schema
from mineproof.errors import BudgetExceeded, DatasetError
from mineproof.simulation.spreading import Stop

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC = b"mpparts1"
TAIL = struct.Struct("<8s16s2I2Q")
CHECKSUM = 16  # bytes
BLOCK = 1 << 20  # bytes that are read at a time

PLAN = "plan.json"
_NAME = re.compile(r"([0-9]{6,})\.part")


class Parts:
    """The folder beside the file of a dataset. Who writes has claimed it."""

    def __init__(self, path: Path, plan: DatasetPlan) -> None:
        self.folder, self.plan = folder_of(path), plan

    @staticmethod
    def read(path: Path) -> Parts | None:
        """What is there of an unfinished dataset, None if nothing is."""
        plan = folder_of(path) / PLAN
        try:
            return Parts(path, read_plan(files.read(plan), str(plan)))
        except FileNotFoundError:
            return None

    def path(self, index: int) -> Path:
        return self.folder / f"{index:06}.part"

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep the folder to oneself; DatasetError if another process has it. An empty one is removed in the end."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with files.claim(self.folder / PLAN):
                yield
        except BlockingIOError:
            message = f"{self.folder} is in use: found another process that writes there, expected one at a time"
            raise DatasetError(message) from None
        finally:
            with suppress(OSError):  # there is something in it
                self.folder.rmdir()

    def begin(self) -> None:
        files.write(self.folder / PLAN, self.plan.text)

    def finished(self) -> dict[int, int]:
        """The positions of every part that is there, as its end says: in some microseconds each, nothing is summed."""
        names = [_NAME.fullmatch(path.name) for path in self.folder.iterdir()]
        numbers = sorted(int(name[1]) for name in names if name is not None)
        return {index: self.count(index) for index in numbers}

    def remove(self) -> None:
        """The dataset is finished: nothing of this is needed any more. The folder goes when the claim ends."""
        for path in list(self.folder.iterdir()):
            name = path.name.removesuffix(".new").removesuffix(".lock")
            if name == PLAN or _NAME.fullmatch(name):
                with suppress(PermissionError):  # Windows removes the lock by itself, when the claim ends
                    path.unlink(missing_ok=True)

    # one part

    def make(self, index: int, stopped: Stop) -> int | None:
        """Play the games of a part and write their positions; how many, None where it was stopped."""
        import pyarrow as pa

        schema, count = arrow_schema(self.plan.cells), 0
        try:
            with files.replacing(self.path(index)) as file:
                summed = _Summed(file)
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
        except BudgetExceeded:  # cancelled: a position that is too wide has a status instead
            return None
        return count

    def count(self, index: int) -> int:
        """How many positions a part has, by its end; DatasetError that says found and expected if that is damaged."""
        path = self.path(index)
        with path.open("rb") as file:
            length = os.fstat(file.fileno()).st_size
            if length < TAIL.size + CHECKSUM:
                raise damaged(path, f"found {plural(length, 'byte')}, expected {TAIL.size + CHECKSUM} or more")
            file.seek(-TAIL.size - CHECKSUM, os.SEEK_END)
            magic, plan, number, _, count, size = TAIL.unpack(file.read(TAIL.size))
        if magic != MAGIC:
            raise damaged(path, f"found {magic!r} where its end begins, expected {MAGIC!r}")
        if plan != self.plan.digest:
            raise DatasetError(f"{path}: found a part of another dataset, expected one of {self.folder / PLAN}")
        if (number, size) != (index, length - TAIL.size - CHECKSUM):
            words = f"found part {number} of {size:,} bytes, expected {index} of {length - TAIL.size - CHECKSUM:,}"
            raise damaged(path, words)
        return int(count)

    def check(self, index: int) -> int:
        """The same of a part whose every byte is checked."""
        path, count = self.path(index), self.count(index)
        with path.open("rb") as file:
            digest, left = hashlib.blake2b(digest_size=CHECKSUM), os.fstat(file.fileno()).st_size - CHECKSUM
            while left:
                block = file.read(min(BLOCK, left))
                digest.update(block)
                left -= len(block)
            found, should = file.read(), digest.digest()
        if found != should:
            raise damaged(path, f"found checksum {found.hex()[:8]}, expected {should.hex()[:8]}")
        return count

    def batches(self, index: int) -> Iterator[pa.RecordBatch]:
        """The positions of a part that is whole."""
        import pyarrow as pa

        with self.path(index).open("rb") as file, pa.ipc.open_stream(file) as stream:
            yield from stream


class _Summed:
    """A file that is written to, with its length and checksum so far."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._digest = file, hashlib.blake2b(digest_size=CHECKSUM)
        self.length = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self.length += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Done at the end, once."""

    def close(self) -> None:
        """The file is closed by whoever opened it."""

    @property
    def checksum(self) -> bytes:
        return self._digest.digest()


def folder_of(path: Path) -> Path:
    return path.with_name(path.name + ".parts")


def damaged(path: Path, words: str) -> DatasetError:
    return DatasetError(f"{path} is damaged: {words}; remove it, and --resume (resume=True) makes it again")
