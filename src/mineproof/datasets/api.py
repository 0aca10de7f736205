"""Datasets: `dataset` creates one, `resume_dataset` continues one, `read_dataset` opens one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from mineproof.base import checks, files
from mineproof.base.words import plural
from mineproof.base.work import Stop
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.datasets.parts import Parts, folder_of
from mineproof.datasets.plan import DatasetPlan, Only, make_plan, read_plan, require_same
from mineproof.datasets.scheduler import DatasetProgress, DatasetSums, Interrupted, run
from mineproof.datasets.schema import COLUMNS, Columns, arrow_schema, numpy_columns, require_pyarrow
from mineproof.errors import DatasetError
from mineproof.simulation.series import StartCell

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from mineproof.datasets.wire import DatasetJson

SCHEMA: Final = "mineproof/dataset/1"
SUFFIXES = ("", ".parquet", ".pq")


@dataclass(frozen=True, repr=False)
class Dataset:
    """A file of positions. Sums are in memory; positions stay in the file.

    The ``positions`` come from the first ``games`` games of the seed. ``stuck`` of them have no certainly safe cell,
    and ``unanswered`` were too large to count. If a run was cancelled, ``positions`` is the number of finished ones,
    and there is no file yet.
    """

    path: Path
    plan: DatasetPlan
    positions: int
    games: int
    stuck: int
    unanswered: int

    def __len__(self) -> int:
        return self.positions

    def __repr__(self) -> str:
        count = plural(self.plan.positions, "position")
        finished = count if self.is_complete else f"{self.positions:,} of {count}"
        return f"<Dataset of {finished}: {self.path.name}>"

    @property
    def is_complete(self) -> bool:
        """Does the dataset have all positions of its plan?"""
        return self.positions == self.plan.positions

    def as_json(self) -> DatasetJson:
        """Return the ``mineproof/dataset/1`` object, which the file contains too."""
        return {
            "schema": SCHEMA,
            "plan": self.plan.as_json(),
            "positions": self.positions,
            "games": self.games,
            "stuck": self.stuck,
            "unanswered": self.unanswered,
        }

    # positions

    def batches(self, size: int | None = None, columns: list[str] | None = None) -> Iterator[Columns]:
        """Yield all positions in order, ``size`` at a time: NumPy arrays by name, boards as (n, rows, columns).

        The default size is a row group of the file. ``columns`` selects columns, by default all.
        """
        if size is not None:
            checks.whole("size", size, 1)
        names = [column.name for column in COLUMNS]
        for name in columns or ():
            checks.one_of("columns", name, names)
        series = self.plan.series
        with self._open_file() as file:
            for batch in file.iter_batches(size or self.plan.slice, columns=columns):
                yield numpy_columns(batch, series.rows, series.columns)

    def to_arrow(self, columns: list[str] | None = None) -> pa.Table:
        """Return all positions in memory, or only some columns, with the schema of the file."""
        with self._open_file() as file:
            return file.read(columns=columns)

    def to_pandas(self, columns: list[str] | None = None) -> pd.DataFrame:
        """Return the table of `to_arrow` as a ``pandas.DataFrame``; boards are arrays of one dimension."""
        return self.to_arrow(columns).to_pandas()

    @contextmanager
    def _open_file(self) -> Iterator[Any]:
        """Context manager for the file; DatasetError if it is damaged."""
        from pyarrow import parquet

        if not self.is_complete:
            raise DatasetError(f"{self.path} is not finished: {self!r}. Resume it first.")
        with (
            _as_damage(self.path, "is damaged"),
            parquet.ParquetFile(self.path, page_checksum_verification=True) as file,
        ):
            yield file


@accepts_setup
def dataset(
    path: str | Path,
    rows: int | str | Setup = "expert",
    columns: int | None = None,
    mines: int | None = None,
    *,
    positions: int = 10_000,
    strategy: str = "fast",
    first_click: FirstClick = "safe",
    start: StartCell | None = None,
    seed: int = 0,
    topology: Topology = "grid",
    only: Only = "all",
    per_game: int | None = None,
    resume: bool = False,
    threads: int | None = None,
    progress: Callable[[DatasetProgress], None] | None = None,
    cancelled: Stop | None = None,
) -> Dataset:
    """Write a Parquet file of positions of real games, with exact odds, certain cells, the move and the outcome.

    The games are games 0, 1, 2, … of a seed, as in `simulate`. The file has the positions before each move of the
    strategy, in order: all of them, or with ``only="guesses"`` those without a certainly safe cell. With ``per_game``
    at most that many positions of each game are drawn at random. The file has exactly ``positions`` positions, and its
    bytes do not depend on the number of ``threads``.

    Finished parts are stored in the folder ``….parts`` next to the file until it is complete; ``resume`` continues
    them. ``progress`` is called about twenty times a second, ``cancelled`` as often.

    Raises DatasetError if the file exists, or was started with other options. Needs pyarrow: ``mineproof[results]``.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = dataset(pathlib.Path(folder) / "positions.parquet", "beginner", positions=500, seed=1)
    ...     [batch] = result.batches()
    >>> result, result.games, result.stuck
    (<Dataset of 500 positions: positions.parquet>, 28, 16)
    >>> batch["cells"].shape, batch["mine_probability"].dtype
    ((500, 9, 9), dtype('float64'))
    """
    plan = make_plan(
        as_size(rows, columns, mines), strategy, first_click, topology, start, seed, positions, only, per_game
    )
    checks.flag("resume", resume)
    _check(threads, progress, cancelled)
    target = _as_path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise ValueError(f"The name of a dataset must end with .parquet, got {target.name!r}")
    require_pyarrow()
    return _make(target, plan, resume, threads, progress, cancelled)


def resume_dataset(
    path: str | Path,
    *,
    threads: int | None = None,
    progress: Callable[[DatasetProgress], None] | None = None,
    cancelled: Stop | None = None,
) -> Dataset:
    """Continue an unfinished dataset with its plan; a finished one is opened.

    Every stored part is checked. DatasetError names the damage, or the version of mineproof that started it if it is
    another one.
    """
    _check(threads, progress, cancelled)
    target = _as_path(path)
    require_pyarrow()
    begun = Parts.read(target)
    if begun is not None:
        return _make(target, begun.plan.by_this_program(), True, threads, progress, cancelled)
    if target.is_file():
        return read_dataset(target)
    raise DatasetError(f"No dataset to resume: neither {target} nor {folder_of(target)} exists.")


def read_dataset(path: str | Path) -> Dataset:
    """Open a finished dataset; DatasetError if the file is not a dataset."""
    target = _as_path(path)
    require_pyarrow()
    from pyarrow import parquet

    with _as_damage(target, "is not a dataset"):
        files.require_file(target)
        metadata = parquet.read_metadata(target)
        text = (metadata.metadata or {}).get(b"mineproof")
        schema = metadata.schema.to_arrow_schema()
    if text is None:
        raise DatasetError(f"{target} is not a dataset: it is a Parquet file without the key 'mineproof'")
    opened = _read_description(text, target)
    if metadata.num_rows != opened.positions:
        raise DatasetError(f"{target} is damaged: expected {opened.positions:,} rows, got {metadata.num_rows:,}")
    if not schema.equals(arrow_schema(opened.plan.cells)):
        raise DatasetError(f"{target} is damaged: its columns are not those of a dataset")
    return opened


@contextmanager
def _as_damage(path: Path, what: str) -> Iterator[None]:
    """Turn errors of pyarrow into DatasetError; damaged bytes can cause nearly any exception."""
    import pyarrow as pa

    try:
        yield
    except (FileNotFoundError, MemoryError):
        raise
    except OSError as error:
        raise DatasetError(f"{path} {what}: {error.strerror or error}") from None
    except (pa.ArrowException, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise DatasetError(f"{path} {what}: {error}") from None


# create


def _make(
    path: Path,
    plan: DatasetPlan,
    resume: bool,
    threads: int | None,
    progress: Callable[[DatasetProgress], None] | None,
    cancelled: Stop | None,
) -> Dataset:
    parts = Parts(path, plan)
    if (finished := _existing_dataset(path, plan, resume)) is not None and not parts.folder.is_dir():
        return finished
    if not resume and Parts.read(path) is not None:
        raise DatasetError(f"{parts.folder} is an unfinished dataset. Resume it, remove it, or choose another name.")
    with parts.claim():
        if (finished := _existing_dataset(path, plan, resume)) is not None:  # another process has finished it meanwhile
            parts.remove()
            return finished
        files.remove_leftovers(path.resolve().parent, path.resolve().name)
        begun = Parts.read(path)
        if begun is None:
            parts.begin()
        else:
            require_same(begun.plan, plan, str(parts.folder))

        def describe(sums: DatasetSums) -> bytes:
            return json.dumps(Dataset(path, plan, *sums).as_json()).encode()

        try:
            sums = run(parts, path, describe, threads, progress, cancelled)
        except Interrupted as interrupted:
            counts = interrupted.part_counts
            count = min(sum(counts.values()), plan.positions - 1)  # without a file the last one is not finished
            return Dataset(path, plan, count, sum(len(plan.numbers(part)) for part in counts), 0, 0)
        parts.remove()
    return Dataset(path, plan, *sums)


def _existing_dataset(path: Path, plan: DatasetPlan, resume: bool) -> Dataset | None:
    """Return the existing dataset if it has this plan, None if there is no file; otherwise raise DatasetError."""
    if not path.exists():
        return None
    if not resume:
        raise DatasetError(f"{path} already exists. Remove it, or choose another name.")
    existing = read_dataset(path)
    require_same(existing.plan, plan, str(path))
    return existing


# reading


class _DatasetDocument(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    plan: msgspec.Raw
    positions: int
    games: int
    stuck: int
    unanswered: int


def _read_description(text: bytes, path: Path) -> Dataset:
    try:
        document = msgspec.json.decode(text, type=_DatasetDocument)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise DatasetError(f"{path} is not a dataset: its description is invalid: {error}") from None
    plan = read_plan(bytes(document.plan), str(path))
    return Dataset(path, plan, document.positions, document.games, document.stuck, document.unanswered)


def _as_path(path: object) -> Path:
    if isinstance(path, Path):
        return path
    if not checks.instance("path", path, str, "the name of a file"):
        raise ValueError("path must be the name of a file, got ''")
    return Path(str(path))


def _check(threads: object, progress: object, cancelled: object) -> None:
    if threads is not None:
        checks.whole("threads", threads, 1)
    checks.require_callable("progress", progress)
    checks.require_callable("cancelled", cancelled)
