"""Datasets from beginning to end: `dataset` makes one, `resume_dataset` goes on with it, `read_dataset` opens it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mineproof.base import checks, files
from mineproof.base.words import plural
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.start import FirstClick
from mineproof.datasets.parts import Parts, folder_of
from mineproof.datasets.plan import DatasetPlan, Only, make_plan, read_plan, require_same
from mineproof.datasets.schema import COLUMNS, Columns, numpy_columns, require_pyarrow
from mineproof.datasets.working import DatasetProgress, Interrupted, Sums, run
from mineproof.errors import DatasetError
from mineproof.simulation.series import StartCell
from mineproof.simulation.spreading import Stop

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SCHEMA = "mineproof/dataset/1"


@dataclass(frozen=True, repr=False)
class Dataset:
    """A file of positions. Sums are in memory; positions stay in the file.

    ``positions`` out of the first ``games`` of the seed; ``stuck`` of them have no cell that is certainly safe,
    ``unanswered`` were too wide to count. Where a run was cancelled, ``positions`` are those that are finished, and
    there is no file yet.
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
        count, asked = plural(self.positions, "position"), self.plan.positions
        found = count if self.is_complete else f"{self.positions:,} of {plural(asked, 'position')}"
        return f"<Dataset of {found}: {self.path.name}>"

    @property
    def is_complete(self) -> bool:
        return self.positions == self.plan.positions

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/dataset/1`` shape, which is in the file too."""
        sums = {"positions": self.positions, "games": self.games, "stuck": self.stuck, "unanswered": self.unanswered}
        return {"schema": SCHEMA, "plan": self.plan.as_json(), **sums}

    # positions

    def batches(self, size: int | None = None, columns: list[str] | None = None) -> Iterator[Columns]:
        """All positions in order, ``size`` at a time: NumPy arrays by name, boards as (n, rows, columns).

        By default a batch is a row group of the file. ``columns`` are those that are wanted, by default all.
        """
        if size is not None:
            checks.whole("size", size, 1)
        names = [column.name for column in COLUMNS]
        for name in columns or ():
            checks.one_of("columns", name, names)
        series = self.plan.series
        with self._opened() as file:
            for batch in file.iter_batches(size or self.plan.slice, columns=columns):
                yield numpy_columns(batch, series.rows, series.columns)

    def to_arrow(self, columns: list[str] | None = None) -> pa.Table:
        """All of it in memory, or some columns, with the schema of the file."""
        with self._opened() as file:
            return file.read(columns=columns)

    def to_pandas(self, columns: list[str] | None = None) -> pd.DataFrame:
        """The same as pandas has it: boards are arrays of one dimension."""
        return self.to_arrow(columns).to_pandas()

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        """The file; DatasetError where what is read is damaged."""
        import pyarrow as pa
        from pyarrow import parquet

        if not self.is_complete:
            raise DatasetError(f"{self.path}: found {self!r}, expected a finished dataset: resume it first")
        with parquet.ParquetFile(self.path, page_checksum_verification=True) as file:
            try:
                yield file
            except (pa.ArrowInvalid, OSError) as error:
                raise DatasetError(f"{self.path} is damaged: {error}") from None


def dataset(
    path: str | Path,
    rows: int | str = "expert",
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

    Games 0, 1, 2, … of a seed are those of `simulate`. Positions are those before each move of the strategy, in order:
    all of them, or with ``only="guesses"`` those in which nothing is certainly safe; with ``per_game`` so many of each
    game, drawn at random. The file has exactly ``positions``. It is the same, byte for byte, for any number of
    ``threads``; what is finished is kept beside it, in the folder ``….parts``, until it is whole, and ``resume`` goes
    on from there. ``progress`` is called about twenty times a second, ``cancelled`` as often.

    Raises DatasetError where the file is there already, or was begun otherwise. Needs pyarrow: ``mineproof[results]``.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = dataset(pathlib.Path(folder) / "positions.parquet", "beginner", positions=500, seed=1)
    ...     [batch] = found.batches()
    >>> found, found.games, found.stuck
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
    require_pyarrow()
    return _made(target, plan, resume, threads, progress, cancelled)


def resume_dataset(
    path: str | Path,
    *,
    threads: int | None = None,
    progress: Callable[[DatasetProgress], None] | None = None,
    cancelled: Stop | None = None,
) -> Dataset:
    """Go on with an unfinished dataset, as its plan says; a finished one is opened.

    Every part that is there is checked. DatasetError says what is damaged, or that another version of mineproof began
    it.
    """
    _check(threads, progress, cancelled)
    target = _as_path(path)
    require_pyarrow()
    begun = Parts.read(target)
    if begun is not None:
        return _made(target, begun.plan.by_this_program(), True, threads, progress, cancelled)
    if target.is_file():
        return read_dataset(target)
    raise DatasetError(f"found neither {target} nor {folder_of(target)}, expected a dataset that was begun")


def read_dataset(path: str | Path) -> Dataset:
    """A finished file, opened by what it says about itself; DatasetError for a file that no dataset is in."""
    target = _as_path(path)
    require_pyarrow()
    import pyarrow as pa
    from pyarrow import parquet

    try:
        files.require_file(target)
        metadata = parquet.read_metadata(target)
    except FileNotFoundError:
        raise
    except (pa.ArrowInvalid, OSError) as error:
        reason = files.reason(error) if isinstance(error, OSError) else f"{target}: {error}"
        raise DatasetError(f"{reason}; expected a file that dataset wrote") from None
    text = (metadata.metadata or {}).get(b"mineproof")
    if text is None:
        raise DatasetError(f"{target}: found a Parquet file without the key 'mineproof', expected one of dataset")
    found = _described(text, target)
    if metadata.num_rows != found.positions:
        raise DatasetError(f"{target}: found {metadata.num_rows:,} rows, expected {found.positions:,}")
    return found


# making


def _made(
    path: Path,
    plan: DatasetPlan,
    resume: bool,
    threads: int | None,
    progress: Callable[[DatasetProgress], None] | None,
    cancelled: Stop | None,
) -> Dataset:
    parts = Parts(path, plan)
    if (finished := _finished(path, plan, resume)) is not None and not parts.folder.is_dir():
        return finished
    if not resume and Parts.read(path) is not None:
        raise DatasetError(f"found {parts.folder}, an unfinished dataset: resume it, remove it, or name another file")
    with parts.claimed():
        if (finished := _finished(path, plan, resume)) is not None:  # another process has made it meanwhile
            parts.remove()
            return finished
        begun = Parts.read(path)
        if begun is None:
            parts.begin()
        else:
            require_same(begun.plan, plan, str(parts.folder))

        def describe(sums: Sums) -> bytes:
            return json.dumps(Dataset(path, plan, *sums).as_json()).encode()

        try:
            sums = run(parts, path, describe, threads, progress, cancelled)
        except Interrupted as interrupted:
            have = interrupted.have
            count = min(sum(have.values()), plan.positions - 1)  # without a file the last one is not finished
            return Dataset(path, plan, count, len(have) * plan.games, 0, 0)
        parts.remove()
    return Dataset(path, plan, *sums)


def _finished(path: Path, plan: DatasetPlan, resume: bool) -> Dataset | None:
    """What there is already under this name, if it is what is asked for; DatasetError if it is something else."""
    if not path.exists():
        return None
    if not resume:
        raise DatasetError(f"found {path}, expected a name that is not taken: nothing is written over")
    found = read_dataset(path)
    require_same(found.plan, plan, str(path))
    return found


# reading


class _Document(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    plan: msgspec.Raw
    positions: int
    games: int
    stuck: int
    unanswered: int


def _described(text: bytes, path: Path) -> Dataset:
    try:
        found = msgspec.json.decode(text, type=_Document)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise DatasetError(f"{path}: {error}; expected what dataset says about a file") from None
    plan = read_plan(bytes(found.plan), str(path))
    return Dataset(path, plan, found.positions, found.games, found.stuck, found.unanswered)


def _as_path(path: object) -> Path:
    if isinstance(path, Path):
        return path
    if not checks.instance("path", path, str, "the name of a file"):
        raise ValueError("found path='', expected the name of a file")
    return Path(str(path))


def _check(threads: object, progress: object, cancelled: object) -> None:
    if threads is not None:
        checks.whole("threads", threads, 1)
    checks.called("progress", progress)
    checks.called("cancelled", cancelled)
