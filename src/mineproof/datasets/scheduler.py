"""Distribute the parts of a dataset over threads, and write the file in order.

Threads create parts, each from some games, in any order. The content of a part depends on its games alone. This thread
writes the parts to the file in order, in row groups of one size, until the file has all positions of the plan. So the
bytes do not depend on the number of threads or on interruptions.

Cost     Writing takes 23 to 30 µs of CPU per position of expert, in one thread; playing it with `fast` takes 12 µs. So
         one other thread keeps this one busy; slower strategies use all threads. Boards as binary values would take
         6 µs to write, but readers could not interpret them. Memory holds a few parts and a row group, whatever the
         number of positions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from mineproof.base import files
from mineproof.base.processors import processors
from mineproof.base.work import POLL, Crew, Stop
from mineproof.datasets.parts import Parts
from mineproof.datasets.plan import DatasetPlan
from mineproof.datasets.schema import COLUMNS, arrow_schema
from mineproof.engine.batches import PositionStatus
from mineproof.errors import DatasetError
from mineproof.simulation.simulator import SIMULATION_MAX_THREADS

if TYPE_CHECKING:
    import pyarrow as pa

AHEAD = 2  # parts in flight per thread: one in work, one waiting
MAX_EMPTY_GAMES = 100_000  # in a row without a position: give up


class DatasetProgress(NamedTuple):
    """Progress of a dataset: ``positions`` of ``asked``, from ``games`` games."""

    positions: int
    asked: int
    games: int


class DatasetSums(NamedTuple):
    """Content of a file: positions, games started, positions without a safe cell, and without an answer."""

    positions: int = 0
    games: int = 0
    stuck: int = 0
    unanswered: int = 0


class Interrupted(Exception):
    """The caller cancelled. Finished parts are stored; ``part_counts`` has the number of positions of each."""

    def __init__(self, part_counts: dict[int, int]) -> None:
        super().__init__(part_counts)
        self.part_counts = part_counts


Progress = Callable[[DatasetProgress], None]
Describe = Callable[[DatasetSums], bytes]  # returns the metadata of the file


def run(
    parts: Parts,
    path: Path,
    describe: Describe,
    threads: int | None,
    progress: Progress | None,
    cancelled: Stop | None,
) -> DatasetSums:
    """Create the missing parts and the file; raise `Interrupted` if ``cancelled`` returns True before the end.

    Existing parts are counted first, and each is checked when its positions are written.
    """
    counts, reported = parts.finished_parts(), 0.0
    busy = min(threads or processors(), SIMULATION_MAX_THREADS)
    with Crew(busy) as crew, files.replacing(path) as sink:
        queue = _PartQueue(parts.plan, counts, lambda part: crew.submit(partial(parts.make, part)), AHEAD * busy)
        with _FileWriter(sink, parts.plan) as file:
            while not file.is_full:
                queue.submit(file.parts)
                if file.parts in counts:
                    parts.check(file.parts)
                    file.add(parts.batches(file.parts))
                else:
                    queue.receive(POLL)
                queue.receive(0)
                if progress is not None and time.monotonic() - reported >= POLL:
                    progress(_progress(parts.plan, counts))
                    reported = time.monotonic()
                if cancelled is not None and cancelled() and not file.is_full:
                    raise Interrupted(counts)
            file.describe(describe)
        if path.exists():
            raise DatasetError(
                f"{path} was created by another process in the meantime and is not replaced. "
                f"Move the file away, and resume: {parts.folder} still has all parts."
            )
    if progress is not None:
        progress(_progress(parts.plan, counts))
    return file.sums


def _progress(plan: DatasetPlan, counts: dict[int, int]) -> DatasetProgress:
    games = sum(len(plan.numbers(part)) for part in counts)
    return DatasetProgress(min(sum(counts.values()), plan.positions), plan.positions, games)


# create parts

Submit = Callable[[int], "Future[int | None]"]


class _PartQueue:
    """The parts that are being created."""

    def __init__(self, plan: DatasetPlan, counts: dict[int, int], submit: Submit, most: int) -> None:
        self._plan, self._counts, self._submit, self._most = plan, counts, submit, most
        self._running: dict[Future[int | None], int] = {}
        self._next = 0

    def submit(self, needed: int) -> None:
        """Submit as many parts as may be in flight: part ``needed``, and those that will probably be needed."""
        while len(self._running) < self._most:
            while self._next in self._counts:
                self._next += 1
            if self._next > needed and self._next >= self._estimated_parts():
                return
            self._running[self._submit(self._next)] = self._next
            self._next += 1

    def _estimated_parts(self) -> int:
        """Return the estimated number of parts."""
        positions = sum(self._counts.values())
        if not positions:
            return self._most
        return -(-self._plan.positions * len(self._counts) // positions)

    def receive(self, seconds: float) -> None:
        """Wait for a part and count the finished ones; re-raises the exception of a thread."""
        done, _ = wait(self._running, seconds, FIRST_COMPLETED)
        for future in done:
            index = self._running.pop(future)
            count = future.result()
            if count is not None:
                self._counts[index] = count


# write the file


class _FileWriter:
    """The Parquet file, to which parts are added in order; ``parts`` is their number."""

    def __init__(self, sink: BinaryIO, plan: DatasetPlan) -> None:
        from pyarrow import parquet

        self._plan, self._schema = plan, arrow_schema(plan.cells)
        self._writer = parquet.ParquetWriter(
            sink, self._schema, compression="zstd", compression_level=1, use_dictionary=_dictionary_columns(),
            write_statistics=_scalar_columns(), write_page_checksum=True,
        )  # fmt: skip
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0  # of the waiting batches
        self._empty = 0  # games since the last position
        self.parts = 0
        self.sums = DatasetSums()

    def __enter__(self) -> _FileWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._writer.close()

    @property
    def is_full(self) -> bool:
        return self.sums.positions >= self._plan.positions

    def add(self, batches: Iterator[pa.RecordBatch]) -> None:
        """Add the next part; positions beyond the number of the plan are left out."""
        before = self.sums.positions
        for batch in batches:
            needed = batch.slice(0, self._plan.positions - self.sums.positions)
            if len(needed):
                self._count_batch(needed)
                self._waiting.append(needed)
                self._rows += len(needed)
            while self._rows >= self._plan.slice:
                self._write_rows(self._plan.slice)
        self._empty = 0 if self.sums.positions > before else self._empty + len(self._plan.numbers(self.parts))
        self.parts += 1
        if self.is_full:
            self._write_rows(self._rows)
        if self._empty >= MAX_EMPTY_GAMES and not self.is_full:
            raise DatasetError(self._too_rare())

    def _too_rare(self) -> str:
        """Say that the games of the plan do not have its positions, and what to do."""
        positions, games = self.sums.positions, self._plan.games_before(self.parts)
        kind = "positions" if self._plan.only == "all" else "positions with a forced guess"
        if not positions:
            return f"{games:,} games have no {kind}. Choose another size."
        return (
            f"{games:,} games have only {positions:,} of {self._plan.positions:,} {kind}, "
            f"the last {self._empty:,} games have none. Request fewer positions."
        )

    def _count_batch(self, batch: pa.RecordBatch) -> None:
        from pyarrow import compute

        answered = compute.equal(batch.column("status"), PositionStatus.OK)
        stuck = compute.and_(answered, compute.equal(batch.column("safe_cells"), 0))
        self.sums = DatasetSums(
            self.sums.positions + len(batch),
            batch.column("game")[-1].as_py() + 1,
            self.sums.stuck + compute.sum(stuck).as_py(),
            self.sums.unanswered + len(batch) - compute.sum(answered).as_py(),
        )

    def _write_rows(self, rows: int) -> None:
        """Write the first waiting rows as a row group."""
        import pyarrow as pa

        if not rows:
            return
        table = pa.Table.from_batches(self._waiting, self._schema)
        self._writer.write_table(table.slice(0, rows).combine_chunks(), row_group_size=rows)
        self._waiting = table.slice(rows).combine_chunks().to_batches()
        self._rows -= rows

    def describe(self, describe: Describe) -> None:
        self._writer.add_key_value_metadata({"mineproof": describe(self.sums)})


def _dictionary_columns() -> list[str]:
    return [_leaf(column.name, column.is_board) for column in COLUMNS if column.coded]


def _scalar_columns() -> list[str]:
    """Return the columns for which the minimum and maximum of a row group are worth storing."""
    return [column.name for column in COLUMNS if not column.is_board]


def _leaf(name: str, is_board: bool) -> str:
    return f"{name}.list.element" if is_board else name
