"""Sweeps: `sweep` plays one, `resume_sweep` continues one, `read_sweep` opens one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base import checks, files
from mineproof.base.arrays import all_equal
from mineproof.base.words import plural
from mineproof.base.work import Stop
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.engine.records import BINS, add_calibration, new_calibration
from mineproof.errors import SweepError
from mineproof.simulation.arrow import Frame, Table, frame
from mineproof.simulation.comparison import Comparison, compare_all, require_same_games
from mineproof.simulation.results import LOG_UNIT, Simulation, Totals
from mineproof.simulation.series import PARTS, StartCell
from mineproof.sweeps import arrow as tabled
from mineproof.sweeps.arrow import BatchReader
from mineproof.sweeps.plan import Plan, make_plan, require_same
from mineproof.sweeps.scheduler import SweepProgress, UnitWorkers, open_workers, read_runs, resume_runs, run
from mineproof.sweeps.store import PLAN, SweepStore
from mineproof.sweeps.units import Array, Played

if TYPE_CHECKING:
    from mineproof.sweeps.wire import SweepJson

SCHEMA: Final = "mineproof/sweep/1"
READ_ATTEMPTS = 5  # for a folder that another process writes to


class Calibration(NamedTuple):  # noqa: PLW1641 (arrays have no hash)
    """Guesses without the first click, by the mine probability that the strategy stated.

    ``edges`` are the 101 bounds of 100 bins. The other arrays have one entry per bin: the number of guesses, the number
    of them that were mines, and the sum of the stated probabilities (to 2⁻³² each), which is the expected number of
    mines.
    """

    edges: npt.NDArray[np.float64]
    guesses: npt.NDArray[np.int64]
    mines: npt.NDArray[np.int64]
    stated: npt.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and all_equal(self, other)


@dataclass(frozen=True, repr=False)
class Sweep:
    """Result of a sweep: a sequence with one `Totals` per configuration, in the order of the plan.

    Sums are in memory. Single games stay in the folder and are read one unit at a time. Two sweeps are equal if their
    plans and results are equal, whatever their folders.
    """

    plan: Plan
    results: tuple[Totals, ...]
    folder: Path | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Totals]:
        return iter(self.results)

    def __getitem__(self, index: int) -> Totals:
        return self.results[index]

    def __repr__(self) -> str:
        games = sum(totals.games for totals in self.results)
        goal = sum(totals.asked for totals in self.results)
        played = plural(games, "game") if games == goal else f"{games:,} of {plural(goal, 'game')}"
        return f"<Sweep of {plural(len(self), 'configuration')}: {played}>"

    @property
    def is_complete(self) -> bool:
        """Were all games of the plan played?"""
        return all(totals.is_complete for totals in self.results)

    def as_json(self) -> SweepJson:
        """Return the ``mineproof/sweep/1`` object."""
        return {"schema": SCHEMA, "configurations": [totals.as_json() for totals in self.results]}

    # single games

    def records(self, index: int) -> Iterator[dict[str, Array]]:
        """Yield the games of a configuration, one unit at a time: arrays by name, with one entry per game.

        ``game`` is the number and ``won`` whether it was won. The other columns exist if the sweep was run with
        ``per_game``. SweepError names a damaged file.
        """
        for played in self._units(index):
            yield {"game": np.arange(played.numbers.start, played.numbers.stop), "won": played.won, **played.columns}

    def calibration(self, index: int) -> Calibration:
        """Return the stated odds of all guesses of a configuration and how many were mines; needs ``per_game``."""
        if not self.plan.configurations[index].columns:
            raise SweepError("The sweep has no records of games. Run it with per_game=True.")
        table = new_calibration()
        for played in self._units(index):
            assert played.calibration is not None
            add_calibration(table, played.calibration)
        return Calibration(np.arange(BINS + 1) / BINS, table["guesses"], table["mines"], table["stated"] * LOG_UNIT)

    def simulation(self, index: int) -> Simulation:
        """Return one configuration as the `Simulation` that `simulate` returns; one byte of memory per game."""
        totals = self[index]
        outcomes = b"".join(played.won.tobytes() for played in self._units(index))
        parts = {name: getattr(totals, name) for name in PARTS}
        return Simulation(
            **parts, first_game=0, asked=totals.asked, tally=totals.tally, weighed=totals.weighed, outcomes=outcomes
        )

    def compare(self, first: int, second: int) -> Comparison:
        """Compare two configurations that differ only in the strategy, on the games that both have played."""
        one, other = self[first], self[second]
        require_same_games(one, other)
        outcomes = [(played.won for played in self._units(index)) for index in (first, second)]
        return compare_all([one.strategy, other.strategy], outcomes)[0, 1]

    # tables

    def to_arrow(self, *, games: bool = False) -> Table:
        """Return a ``pyarrow.Table``: one row per configuration, or with ``games`` one row per game, all in memory.

        Games have the number of their configuration, ``game``, ``won``, and the columns of `records` if the sweep was
        run with ``per_game``. Unknown values are null. Needs pyarrow.
        """
        checks.flag("games", games)
        return self.arrow_games().read_all() if games else tabled.configurations(self)

    def to_pandas(self, *, games: bool = False) -> Frame:
        """Return the table of `to_arrow` as a ``pandas.DataFrame``."""
        return frame(self.to_arrow(games=games))

    def arrow_games(self) -> BatchReader:
        """Return the games of all configurations as a ``pyarrow.RecordBatchReader``, which reads one unit at a time."""
        return tabled.games_reader(self)

    def to_parquet(self, path: str | Path) -> list[Path]:
        """Write ``configurations.parquet`` and, if the sweep has a folder, ``games.parquet``; return the paths.

        Existing files are replaced once the new ones are complete. The same run gives the same bytes with the same
        version of pyarrow. Memory does not grow with the number of games.
        """
        return tabled.write_parquet(self, _as_path(path))

    def _units(self, index: int) -> Iterator[Played]:
        """Yield the units of a configuration; SweepError if the folder has fewer games than the sums."""
        number = range(len(self))[index]
        if self.folder is None:
            raise SweepError("The sweep has no folder. Run it with path= to store single games.")
        store = SweepStore(self.folder, self.plan)
        left = self.results[number].games
        for played in store.units_of(number):
            if left <= 0:
                return
            yield played
            left -= len(played.numbers)
        if left > 0:
            games = self.results[number].games
            where = f"{self.folder}: configuration {number}"
            raise SweepError(f"{where}: expected {games:,} games as in its sums, got {games - left:,}")


@partial(accepts_setup, one_argument="sizes")
def sweep(
    sizes: str | Size | Setup | Sequence[str | Size] = "expert",
    *,
    mines: int | float | Fraction | Sequence[int | float | Fraction] | None = None,
    strategy: str | Sequence[str] = "fast",
    first_click: FirstClick | Sequence[FirstClick] = "safe",
    topology: Topology | Sequence[Topology] = "grid",
    start: StartCell | None = None,
    games: int | None = None,
    until: float | None = None,
    seed: int = 0,
    unit: int | None = None,
    per_game: bool = False,
    path: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    cluster: str | None = None,
    progress: Callable[[SweepProgress], None] | None = None,
    cancelled: Stop | None = None,
) -> Sweep:
    """Simulate every combination of the given values; each of the first five arguments may be a list.

    ``sizes`` are levels or ``"WxHxM"``; with ``mines`` also ``"WxH"``. A `Setup` stands for one size, shape, first
    click and seed. A value of ``mines`` below 1 is a share of all cells. A ``strategy`` is one of `strategies`, or one
    of an installed package. Each configuration plays ``games`` games, by default 10,000. With ``until`` it ends when
    half of the 95 % interval of the win rate is at most that many percentage points.

    Finished games are stored in the folder ``path``, ``unit`` games at a time, and survive a crash. ``resume``
    continues the run in that folder. ``per_game`` also stores the details of each game.

    ``executor`` is anything with the interface of ``concurrent.futures.Executor``, with ``threads`` workers.
    ``cluster`` is the address of a Dask scheduler, such as ``"tcp://host:8786"``, or its scheduler file. Without
    either, ``threads`` threads of this process play. The result and every byte in the folder are the same in all cases.
    ``progress`` is called about twenty times a second, ``cancelled`` at least as often.

    >>> result = sweep("beginner", mines=[10, 12], strategy=["fast", "go"], games=128)
    >>> result
    <Sweep of 4 configurations: 512 games>
    >>> [(totals.mines, totals.strategy) for totals in result]
    [(10, 'fast'), (10, 'go'), (12, 'fast'), (12, 'go')]
    """
    plan = make_plan(sizes, mines, strategy, first_click, topology, start, games, until, seed, unit, per_game)
    checks.flag("resume", resume)
    _check(threads, executor, cluster, progress, cancelled)
    if path is None and (resume or per_game):
        raise ValueError(f"{'resume' if resume else 'per_game'}=True needs path, the name of a folder")
    with open_workers(executor, cluster, threads, cancelled) as workers, _folder(path) as folder:
        store = SweepStore(folder, plan)
        if folder.is_dir() and not (folder / PLAN).is_file():
            _require_empty(folder)  # before anything is written there
        with store.claim():
            if resume and (folder / PLAN).is_file():
                require_same(SweepStore.read(folder).plan, plan, str(folder))
            else:
                _require_empty(folder)
                store.begin()
            results = _play_sweep(store, workers, progress, cancelled, repair=False)
    return Sweep(plan, results, None if path is None else folder)


def resume_sweep(
    path: str | Path,
    *,
    repair: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    cluster: str | None = None,
    progress: Callable[[SweepProgress], None] | None = None,
    cancelled: Stop | None = None,
) -> Sweep:
    """Continue the sweep in a folder with its plan.

    Every stored unit is checked. With ``repair`` damaged units are played again, and their files are renamed to
    ``….damaged``. SweepError names the damage, or the version of mineproof that started the run if it is another one.
    """
    checks.flag("repair", repair)
    _check(threads, executor, cluster, progress, cancelled)
    store = SweepStore.read(_as_path(path))
    require_same(store.plan, store.plan.by_this_program(), str(store.folder))
    with open_workers(executor, cluster, threads, cancelled) as workers, store.claim():
        results = _play_sweep(store, workers, progress, cancelled, repair=repair)
    return Sweep(store.plan, results, store.folder)


def read_sweep(path: str | Path) -> Sweep:
    """Open the sweep in a folder, even while it is running; nothing is written.

    Sums come from the headers of the files, so the time does not depend on the number of games.
    """
    folder = _as_path(path)
    for _ in range(READ_ATTEMPTS - 1):
        try:
            return _read_folder(folder)
        except FileNotFoundError:  # a part has become a complete file in the meantime
            continue
    return _read_folder(folder)


def _read_folder(folder: Path) -> Sweep:
    store = SweepStore.read(folder)
    return Sweep(store.plan, tuple(configuration_run.totals() for configuration_run in read_runs(store)), folder)


def _play_sweep(
    store: SweepStore,
    workers: UnitWorkers,
    progress: Callable[[SweepProgress], None] | None,
    cancelled: Stop | None,
    *,
    repair: bool,
) -> tuple[Totals, ...]:
    store.prepare()
    runs = resume_runs(store, repair=repair)
    run(store, runs, workers, progress, cancelled)
    return tuple(configuration_run.totals() for configuration_run in runs)


@contextmanager
def _folder(path: str | Path | None) -> Iterator[Path]:
    """Context manager for the folder; a temporary one if there is no path."""
    if path is not None:
        yield _as_path(path)
        return
    with tempfile.TemporaryDirectory(prefix="mineproof-sweep-") as name:
        yield Path(name)


def _as_path(path: object) -> Path:
    if isinstance(path, Path):
        return path
    if not checks.instance("path", path, str, "the name of a folder"):
        raise ValueError("path must be the name of a folder, got ''")
    return Path(str(path))


def _require_empty(folder: Path) -> None:
    """Raise SweepError unless the folder is empty: a new run never overwrites anything."""
    if (folder / PLAN).is_file():
        existing = repr(read_sweep(folder)).strip("<>").removeprefix("Sweep ")
        raise SweepError(f"{folder} already has a sweep {existing}. Resume it, or choose another folder.")
    names = sorted(
        file.name for file in folder.iterdir() if file.suffix != ".lock" and not files.is_temporary(file.name)
    )
    if names:
        raise SweepError(f"{folder} is not empty: it has {names[0]!r}. Choose an empty folder, or that of a sweep.")


def _check(threads: object, executor: object, cluster: object, progress: object, cancelled: object) -> None:
    if threads is not None:
        checks.whole("threads", threads, 1)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor must be one of concurrent.futures, got {type(executor).__name__}")
    if cluster is not None:
        from mineproof.sweeps.cluster import require_address

        require_address(cluster)
        for name, value in (("executor", executor), ("threads", threads)):
            if value is not None:
                raise ValueError(f"cluster and {name} exclude each other")
    checks.require_callable("progress", progress)
    checks.require_callable("cancelled", cancelled)
