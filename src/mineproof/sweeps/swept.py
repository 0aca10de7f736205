"""Sweeps from beginning to end: `sweep` plays one, `resume_sweep` goes on with it, `read_sweep` looks at it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import plural
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.engine.records import BINS, add_calibration, new_calibration
from mineproof.errors import SweepError
from mineproof.simulation.arrow import Frame, Table, frame
from mineproof.simulation.comparison import Comparison, compared, require_same_games
from mineproof.simulation.results import UNIT, Simulation, Totals
from mineproof.simulation.series import PARTS, StartCell
from mineproof.simulation.spreading import Stop
from mineproof.sweeps import arrow as tabled
from mineproof.sweeps.arrow import BatchReader
from mineproof.sweeps.plan import Plan, make_plan, require_same
from mineproof.sweeps.store import PLAN, Store
from mineproof.sweeps.units import Array, Played
from mineproof.sweeps.working import SweepProgress, Workers, hired, read_courses, resumed_courses, run

SCHEMA = "mineproof/sweep/1"
ATTEMPTS = 5  # at reading a folder that somebody writes to meanwhile


class Calibration(NamedTuple):
    """Guesses, the first click left out, by the mine probability that the strategy stated.

    ``edges`` are the 101 bounds of 100 bins. The other arrays have an entry for each bin: how many guesses, how many of
    them were mines, and the sum of the stated probabilities (each to 2⁻³²): the mines that were to be expected.
    """

    edges: npt.NDArray[np.float64]
    guesses: npt.NDArray[np.int64]
    mines: npt.NDArray[np.int64]
    stated: npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Sweep:
    """What became of a sweep: a `Totals` for each configuration, in the order of the plan.

    It is a sequence of them. Sums are in memory; what became of single games stays in the folder, and is read a unit at
    a time. Two sweeps are equal when their plans and their results are, wherever they are kept.
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
        games = sum(each.games for each in self.results)
        asked = sum(each.asked for each in self.results)
        played = plural(games, "game") if games == asked else f"{games:,} of {plural(asked, 'game')}"
        return f"<Sweep of {plural(len(self), 'configuration')}: {played}>"

    @property
    def is_complete(self) -> bool:
        return all(each.is_complete for each in self.results)

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/sweep/1`` shape."""
        return {"schema": SCHEMA, "configurations": [each.as_json() for each in self.results]}

    # single games

    def records(self, index: int) -> Iterator[dict[str, Array]]:
        """The games of a configuration, a unit at a time: arrays by name, with an entry for each game.

        ``game`` is its number and ``won`` whether it was won; the rest is there if ``per_game`` was asked for.
        SweepError names a file that is damaged.
        """
        for played in self._units(index):
            yield {"game": np.arange(played.numbers.start, played.numbers.stop), "won": played.won, **played.columns}

    def calibration(self, index: int) -> Calibration:
        """Stated odds of all guesses of a configuration, and how many were mines; only with ``per_game``."""
        if not self.plan.configurations[index].columns:
            raise SweepError("found a sweep without records of games, expected one that was played with per_game=True")
        table = new_calibration()
        for played in self._units(index):
            assert played.calibration is not None
            add_calibration(table, played.calibration)
        return Calibration(np.arange(BINS + 1) / BINS, table["guesses"], table["mines"], table["stated"] * UNIT)

    def simulation(self, index: int) -> Simulation:
        """One configuration as `simulate` gives it, with a byte in memory for each game."""
        found = self[index]
        outcomes = b"".join(played.won.tobytes() for played in self._units(index))
        parts = {name: getattr(found, name) for name in PARTS}
        return Simulation(
            **parts, first_game=0, asked=found.asked, tally=found.tally, weighed=found.weighed, outcomes=outcomes
        )

    def compare(self, first: int, second: int) -> Comparison:
        """Two configurations that differ in the strategy alone, on the games that both have played."""
        one, other = self[first], self[second]
        require_same_games(one, other)
        outcomes = [(played.won for played in self._units(index)) for index in (first, second)]
        return compared([one.strategy, other.strategy], outcomes)[0, 1]

    # tables

    def to_arrow(self, *, games: bool = False) -> Table:
        """A ``pyarrow.Table``: a row for each configuration, or with ``games`` for each game, all of them in memory.

        Games have the number of their configuration, ``game``, ``won``, and the columns of `records` if ``per_game``
        was asked for; what is not known is null. ImportError says how to install pyarrow.
        """
        checks.flag("games", games)
        return self.arrow_games().read_all() if games else tabled.configurations(self)

    def to_pandas(self, *, games: bool = False) -> Frame:
        """The same as a ``pandas.DataFrame``."""
        return frame(self.to_arrow(games=games))

    def arrow_games(self) -> BatchReader:
        """The games of all configurations as a ``pyarrow.RecordBatchReader``, which reads a unit at a time."""
        return tabled.games_reader(self)

    def to_parquet(self, path: str | Path) -> list[Path]:
        """Write ``configurations.parquet`` and, of a sweep with a folder, ``games.parquet`` into a folder; the files.

        Each takes its name once it is whole, in place of what had it. The same run gives the same bytes with the same
        version of pyarrow. Memory does not grow with the number of games.
        """
        return tabled.write_parquet(self, _as_path(path))

    def _units(self, index: int) -> Iterator[Played]:
        """The units that the sums of a configuration are of; SweepError where the folder has fewer."""
        number = range(len(self))[index]
        if self.folder is None:
            raise SweepError("found a sweep without a folder, expected one that was played with path= for single games")
        store = Store(self.folder, self.plan)
        left = self.results[number].games
        for played in store.units_of(number):
            if left <= 0:
                return
            yield played
            left -= len(played.numbers)
        if left > 0:
            games = self.results[number].games
            found = f"found {games - left:,} games of configuration {number}"
            raise SweepError(f"{self.folder}: {found}, expected {games:,} as its sums say")


def sweep(
    sizes: str | Size | Sequence[str | Size] = "expert",
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
    """Play the same games with every combination of the values given; each of the first five may be a list.

    ``sizes`` are levels or ``"WxHxM"``; with ``mines`` also ``"WxH"``. A number of ``mines`` below 1 is a share of all
    cells. A ``strategy`` is one of `strategies`, or one that an installed package offers. Of each configuration
    ``games`` are played (10,000); with ``until`` only as many as it takes until half of the 95 % interval of the win
    rate is so many percentage points or less.

    What is finished is kept in the folder ``path``, ``unit`` games at a time, and nothing of it is lost whatever
    happens; ``resume`` goes on from there. ``per_game`` keeps what became of each game. ``executor`` is anything with
    the interface of ``concurrent.futures.Executor``, with ``threads`` workers; ``cluster`` is the address of a Dask
    scheduler, such as ``"tcp://host:8786"``, or its scheduler file; without either ``threads`` play here. The result,
    and every byte in the folder, is the same whoever plays. ``progress`` is called about twenty times a second,
    ``cancelled`` at least as often.

    >>> found = sweep("beginner", mines=[10, 12], strategy=["fast", "go"], games=128)
    >>> found
    <Sweep of 4 configurations: 512 games>
    >>> [(each.mines, each.strategy) for each in found]
    [(10, 'fast'), (10, 'go'), (12, 'fast'), (12, 'go')]
    """
    plan = make_plan(sizes, mines, strategy, first_click, topology, start, games, until, seed, unit, per_game)
    checks.flag("resume", resume)
    _check(threads, executor, cluster, progress, cancelled)
    if path is None and (resume or per_game):
        raise ValueError(f"found {'resume' if resume else 'per_game'}=True without path, expected a folder")
    with hired(executor, cluster, threads, cancelled) as workers, _folder(path) as folder:
        store = Store(folder, plan)
        if folder.is_dir() and not (folder / PLAN).is_file():
            _require_empty(folder)  # before anything is written there
        with store.claimed():
            if resume and (folder / PLAN).is_file():
                require_same(Store.read(folder).plan, plan, str(folder))
            else:
                _require_empty(folder)
                store.begin()
            found = _play(store, workers, progress, cancelled, repair=False)
    return Sweep(plan, found, None if path is None else folder)


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
    """Go on with the sweep in a folder, as its plan says.

    Every unit that is there is checked; with ``repair`` those that are damaged are played again, and a file that had
    some is put aside as ``.damaged``. SweepError says what is damaged, or that another version of mineproof began it.
    """
    checks.flag("repair", repair)
    _check(threads, executor, cluster, progress, cancelled)
    store = Store.read(_as_path(path))
    require_same(store.plan, store.plan.by_this_program(), str(store.folder))
    with hired(executor, cluster, threads, cancelled) as workers, store.claimed():
        found = _play(store, workers, progress, cancelled, repair=repair)
    return Sweep(store.plan, found, store.folder)


def read_sweep(path: str | Path) -> Sweep:
    """What a folder holds, also while a sweep is being played there; nothing is written.

    Sums come from the heads of the files, so that it takes no longer for many games than for few.
    """
    folder = _as_path(path)
    for _ in range(ATTEMPTS - 1):
        try:
            return _read(folder)
        except FileNotFoundError:  # a part has become a whole file in between
            continue
    return _read(folder)


def _read(folder: Path) -> Sweep:
    store = Store.read(folder)
    return Sweep(store.plan, tuple(course.totals() for course in read_courses(store)), folder)


def _play(
    store: Store,
    workers: Workers,
    progress: Callable[[SweepProgress], None] | None,
    cancelled: Stop | None,
    *,
    repair: bool,
) -> tuple[Totals, ...]:
    store.prepare()
    courses = resumed_courses(store, repair=repair)
    run(store, courses, workers, progress, cancelled)
    return tuple(course.totals() for course in courses)


@contextmanager
def _folder(path: str | Path | None) -> Iterator[Path]:
    """The folder that was asked for, or one for as long as it takes."""
    if path is not None:
        yield _as_path(path)
        return
    with tempfile.TemporaryDirectory(prefix="mineproof-sweep-") as name:
        yield Path(name)


def _as_path(path: object) -> Path:
    if isinstance(path, Path):
        return path
    if not checks.instance("path", path, str, "the name of a folder"):
        raise ValueError("found path='', expected the name of a folder")
    return Path(str(path))


def _require_empty(folder: Path) -> None:
    """A new run goes into a new or an empty folder: nothing is written over."""
    if (folder / PLAN).is_file():
        shown = read_sweep(folder)
        raise SweepError(f"{folder} holds a sweep already, {shown!r}: resume it, or name another folder")
    names = sorted(each.name for each in folder.iterdir() if each.suffix not in (".lock", ".new"))
    if names:
        raise SweepError(f"found {names[0]!r} in {folder}, expected an empty folder, or that of a sweep")


def _check(threads: object, executor: object, cluster: object, progress: object, cancelled: object) -> None:
    if threads is not None:
        checks.whole("threads", threads, 1)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"found executor of type {type(executor).__name__}, expected one of concurrent.futures")
    if cluster is not None:
        from mineproof.sweeps.cluster import require_address

        require_address(cluster)
        for name, value in (("executor", executor), ("threads", threads)):
            if value is not None:
                raise ValueError(f"found both cluster and {name}, expected one of them")
    checks.called("progress", progress)
    checks.called("cancelled", cancelled)
