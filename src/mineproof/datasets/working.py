"""Sharing out the parts of a dataset, and writing the file as they come.

Threads make parts, each of some games, in any order; what a part holds depends on its games alone. This thread writes
the parts to the file in order, in row groups of one size, until the file has as many positions as were asked for. So
the bytes are the same for any number of threads, and after any interruption.

Cost     Writing takes 23 to 30 µs of CPU a position of expert, in one thread, and making it with `fast` 12 µs, so that
         one other thread keeps this one busy; slower strategies use as many as there are. Boards as binary values would
         take 6 µs to write, and tell no reader what they are. In memory are a few parts and a row group, however many
         positions there are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from mineproof.base import files
from mineproof.base.processors import processors
from mineproof.datasets.parts import Parts
from mineproof.datasets.plan import DatasetPlan
from mineproof.datasets.schema import COLUMNS, arrow_schema
from mineproof.engine.batches import PositionStatus
from mineproof.errors import DatasetError
from mineproof.simulation.running import MOST_THREADS
from mineproof.simulation.spreading import POLL, Stop

if TYPE_CHECKING:
    import pyarrow as pa

AHEAD = 2  # parts in flight for each thread: one to make, one to begin with at once
EMPTY = 100_000  # games in a row without a position: there will hardly be enough


class DatasetProgress(NamedTuple):
    """How far a dataset is: ``positions`` of ``asked``, out of so many ``games``."""

    positions: int
    asked: int
    games: int


class Sums(NamedTuple):
    """What a file holds: positions, games begun, positions without a safe cell, and without an answer."""

    positions: int = 0
    games: int = 0
    stuck: int = 0
    unanswered: int = 0


class Interrupted(Exception):
    """The caller has cancelled; what was finished is kept: ``have`` is the positions of each part that is there."""

    def __init__(self, have: dict[int, int]) -> None:
        super().__init__(have)
        self.have = have


Progress = Callable[[DatasetProgress], None]
Describe = Callable[[Sums], bytes]  # what the file says about itself


def run(
    parts: Parts,
    path: Path,
    describe: Describe,
    threads: int | None,
    progress: Progress | None,
    cancelled: Stop | None,
) -> Sums:
    """Make the parts that are missing and the file of all; `Interrupted` if ``cancelled`` says so before the end.

    Parts that are there are counted first, and each is checked when its positions are written.
    """
    have, told = parts.finished(), 0.0
    busy = min(threads or processors(), MOST_THREADS)
    with _making(parts, busy) as submit, files.replacing(path) as sink:
        flight = _Flight(parts.plan, have, submit, AHEAD * busy)
        with _FileWriter(sink, parts.plan) as file:
            while not file.is_full:
                flight.send(file.parts)
                if file.parts in have:
                    parts.check(file.parts)
                    file.add(parts.batches(file.parts))
                else:
                    flight.receive(POLL)
                flight.receive(0)
                if progress is not None and time.monotonic() - told >= POLL:
                    progress(_progress(parts.plan, have))
                    told = time.monotonic()
                if cancelled is not None and cancelled() and not file.is_full:
                    raise Interrupted(have)
            file.describe(describe)
        if path.exists():
            raise DatasetError(
                f"found {path}, which was not there before, expected a name that is not taken: nothing is written "
                f"over, and {parts.folder} is kept; move the file away, and resume"
            )
    if progress is not None:
        progress(_progress(parts.plan, have))
    return file.sums


def _progress(plan: DatasetPlan, have: dict[int, int]) -> DatasetProgress:
    return DatasetProgress(min(sum(have.values()), plan.positions), plan.positions, len(have) * plan.games)


# making parts

Submit = Callable[[int], "Future[int | None]"]


@contextmanager
def _making(parts: Parts, threads: int) -> Iterator[Submit]:
    """Threads that make parts; those that are at work when it ends are stopped."""
    stop = threading.Event()
    with ThreadPoolExecutor(threads) as pool:
        try:
            yield lambda index: pool.submit(parts.make, index, stop.is_set)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


class _Flight:
    """The parts that are being made."""

    def __init__(self, plan: DatasetPlan, have: dict[int, int], submit: Submit, most: int) -> None:
        self._plan, self._have, self._submit, self._most = plan, have, submit, most
        self._flying: dict[Future[int | None], int] = {}
        self._next = 0

    def send(self, needed: int) -> None:
        """Hand out parts, as many as may be in flight: ``needed``, and those that will be as far as can be told."""
        while len(self._flying) < self._most:
            while self._next in self._have:
                self._next += 1
            if self._next > needed and self._next >= self._expected():
                return
            self._flying[self._submit(self._next)] = self._next
            self._next += 1

    def _expected(self) -> int:
        """How many parts it will take, if they go on as they are."""
        found = sum(self._have.values())
        if not found:
            return self._most
        return -(-self._plan.positions * len(self._have) // found)

    def receive(self, seconds: float) -> None:
        """Wait for a part, and note those that have come; raises what making one raised."""
        done, _ = wait(self._flying, seconds, FIRST_COMPLETED)
        for future in done:
            index = self._flying.pop(future)
            count = future.result()
            if count is not None:
                self._have[index] = count


# writing the file


class _FileWriter:
    """The Parquet file, to which parts are added in order; ``parts`` are how many."""

    def __init__(self, sink: BinaryIO, plan: DatasetPlan) -> None:
        from pyarrow import parquet

        self._plan, self._schema = plan, arrow_schema(plan.cells)
        self._writer = parquet.ParquetWriter(
            sink, self._schema, compression="zstd", compression_level=1, use_dictionary=_coded(),
            write_statistics=_plain(), write_page_checksum=True,
        )  # fmt: skip
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0  # that wait
        self._empty = 0  # games since the last position
        self.parts = 0
        self.sums = Sums()

    def __enter__(self) -> _FileWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    @property
    def is_full(self) -> bool:
        return self.sums.positions >= self._plan.positions

    def add(self, batches: Iterator[pa.RecordBatch]) -> None:
        """The next part; what is beyond the number of positions is left out."""
        before = self.sums.positions
        for batch in batches:
            kept = batch.slice(0, self._plan.positions - self.sums.positions)
            if len(kept):
                self._count(kept)
                self._waiting.append(kept)
                self._rows += len(kept)
            while self._rows >= self._plan.slice:
                self._write(self._plan.slice)
        self.parts += 1
        if self.is_full:
            self._write(self._rows)
        self._empty = 0 if self.sums.positions > before else self._empty + self._plan.games
        if self._empty >= EMPTY and not self.is_full:
            wanted = "positions" if self._plan.only == "all" else "positions in which a guess is forced"
            raise DatasetError(
                f"found {before:,} {wanted} in {self.parts * self._plan.games:,} games, and none in the last "
                f"{self._empty:,}; expected {self._plan.positions:,}"
            )

    def _count(self, batch: pa.RecordBatch) -> None:
        from pyarrow import compute

        answered = compute.equal(batch.column("status"), PositionStatus.OK)
        stuck = compute.and_(answered, compute.equal(batch.column("safe_cells"), 0))
        self.sums = Sums(
            self.sums.positions + len(batch),
            batch.column("game")[-1].as_py() + 1,
            self.sums.stuck + compute.sum(stuck).as_py(),
            self.sums.unanswered + len(batch) - compute.sum(answered).as_py(),
        )

    def _write(self, rows: int) -> None:
        """A row group of the first of those that wait."""
        import pyarrow as pa

        if not rows:
            return
        table = pa.Table.from_batches(self._waiting, self._schema)
        self._writer.write_table(table.slice(0, rows).combine_chunks(), row_group_size=rows)
        self._waiting = table.slice(rows).combine_chunks().to_batches()
        self._rows -= rows

    def describe(self, describe: Describe) -> None:
        self._writer.add_key_value_metadata({"mineproof": describe(self.sums)})


def _coded() -> list[str]:
    return [_leaf(column.name, column.is_board) for column in COLUMNS if column.coded]


def _plain() -> list[str]:
    """Columns whose least and greatest value of a row group are worth writing down."""
    return [column.name for column in COLUMNS if not column.is_board]


def _leaf(name: str, is_board: bool) -> str:
    return f"{name}.list.element" if is_board else name
