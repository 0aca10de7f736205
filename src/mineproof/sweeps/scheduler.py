"""Distribute the units of a sweep, store the results, and decide when a configuration has enough games.

Words    A unit is a number of consecutive games of one configuration; a worker plays it as one task. A file holds
         consecutive units. Its place is the number of the configuration and its own number there. A part is a file that
         still lacks units.
Order    Units are submitted in order, configuration by configuration, a few more than there are workers. They may come
         back in any order. Sums are added in the order of the units.
Enough   With ``until`` a configuration ends with the first unit after which its interval is narrow enough, counting all
         games up to there. That depends on the games alone, not on the speed of workers. Later units that were already
         played are dropped. To keep these few, units of a configuration are submitted up to twice what it has, or up to
         its estimated need, while other configurations wait.
Workers  Threads of this process, a Dask cluster, or anything with the interface of ``concurrent.futures.Executor``. A
         task is a function of this package with plain data, and its result is bytes.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple, Protocol

from mineproof.base.memory import is_out_of_memory
from mineproof.base.processors import processors
from mineproof.base.work import POLL, Crew, Stop
from mineproof.errors import MineproofError, SweepError
from mineproof.simulation.intervals import Z, wilson
from mineproof.simulation.results import Tally, Totals
from mineproof.simulation.simulator import SIMULATION_MAX_THREADS
from mineproof.sweeps.plan import Configuration, Plan
from mineproof.sweeps.store import DamageError, FileSums, Finished, SweepStore
from mineproof.sweeps.units import AHEAD, GAMES_STORED, Unit, play, require_whole

FIRST_UNITS = 4  # of a configuration that may end early: submitted before any has come back


class SweepProgress(NamedTuple):
    """Progress of a sweep: ``games`` of ``asked``, ``finished`` configurations of ``configurations``.

    With ``until``, ``asked`` is an estimate from the rates so far. ``waiting`` says what the workers of a cluster wait
    for, or is empty.
    """

    games: int
    asked: int
    finished: int
    configurations: int
    waiting: str = ""


class ConfigurationRun:
    """Progress of one configuration: sums so far, units that wait for an earlier one, and the next unit to submit."""

    def __init__(self, number: int, configuration: Configuration, plan: Plan) -> None:
        self.number, self.configuration, self._plan = number, configuration, plan
        self.units_added, self.games, self.tally = 0, 0, Tally()
        self.waiting: dict[int, Tally] = {}  # units that are played before an earlier one, by number
        self.files: dict[int, Finished] = {}  # complete files, by number
        self.end = configuration.units  # fewer, once the interval is narrow enough
        self._next = 0
        self._in_file = FileSums(0, Tally())

    @property
    def is_finished(self) -> bool:
        return self.units_added == self.end

    @property
    def played(self) -> int:
        """Number of finished games, including those that wait for earlier ones."""
        return self.games + sum(len(self.configuration.numbers(index)) for index in self.waiting)

    @property
    def expected(self) -> int:
        """Estimated number of games in the end."""
        units = self.end if self.is_finished else max(self.units_added, min(self.end, self._estimated_units()))
        return min(self.configuration.games, units * self.configuration.unit)

    def totals(self) -> Totals:
        return self.configuration.totals(self.games, self.tally, ended=self.is_finished)

    # submit units

    def next_unit(self) -> int | None:
        """Return the first unit that is neither finished nor submitted."""
        size = self.configuration.units_of_a_file
        while self._next < self.end:
            if self._next // size in self.files:
                self._next = (self._next // size + 1) * size
            elif self._next < self.units_added or self._next in self.waiting:
                self._next += 1
            else:
                return self._next
        return None

    def mark_submitted(self) -> None:
        """Note that the next unit was submitted."""
        self._next += 1

    @property
    def needs_next_unit(self) -> bool:
        """Will the next unit probably be needed?"""
        return self._plan.until is None or self._next < max(
            FIRST_UNITS, min(2 * self.units_added, self._estimated_units())
        )

    def _estimated_units(self) -> int:
        """Return the number of units needed if the win rate stays the same."""
        if not self.games or self._plan.until is None:
            return self.end
        rate = (self.tally.wins + 2) / (self.games + 4)  # as Agresti and Coull: never 0 or 1, even after few games
        return int(rate * (1 - rate) * (100 * Z / self._plan.until) ** 2 / self.configuration.unit) + 1

    # add units

    def take(self, store: SweepStore | None) -> None:
        """Add all units that are next in order. If there is a store, write the files that are complete."""
        size = self.configuration.units_of_a_file
        while not self.is_finished:
            place = (self.number, self.units_added // size)
            if self.units_added % size == 0 and (whole := self.files.get(place[1])) is not None:
                self._add_units(whole.units, whole.sums)
            elif (tally := self.waiting.pop(self.units_added, None)) is not None:
                one = FileSums(len(self.configuration.numbers(self.units_added)), tally)
                self._in_file = FileSums(self._in_file.games + one.games, self._in_file.tally + one.tally)
                self._add_units(1, one)
            else:
                return
            if self._is_narrow():
                self.end = self.units_added
                self.waiting.clear()
            if (self.units_added % size == 0 or self.is_finished) and self._in_file.games:
                whole = Finished(self.units_added - place[1] * size, self._in_file)
                self._in_file = FileSums(0, Tally())
                if store is not None:
                    store.finish(place, *whole)
                self.files[place[1]] = whole
        if store is not None:
            for left in store.parts(self.number):
                store.drop(left)

    def _add_units(self, units: int, sums: FileSums) -> None:
        self.units_added += units
        self.games += sums.games
        self.tally += sums.tally

    def _is_narrow(self) -> bool:
        low, high = wilson(self.tally.wins, self.games)
        return self._plan.is_narrow((high - low) / 2)


def read_runs(store: SweepStore) -> list[ConfigurationRun]:
    """Return the progress of each configuration from the folder; nothing is written."""
    runs = [ConfigurationRun(number, one, store.plan) for number, one in enumerate(store.plan.configurations)]
    for place in store.places("part"):
        configuration_run = runs[place[0]]
        for index, _, record in store.part(place):
            numbers = configuration_run.configuration.numbers(index)
            configuration_run.waiting[index] = require_whole(record, numbers, configuration_run.configuration.columns)
    for place in store.places("units"):
        runs[place[0]].files[place[1]] = store.read_finished(place)
    for configuration_run in runs:
        configuration_run.take(None)
    return runs


def resume_runs(store: SweepStore, *, repair: bool) -> list[ConfigurationRun]:
    """Return the progress of each configuration of a claimed folder. Every unit is checked, and parts are reopened."""
    runs = [ConfigurationRun(number, one, store.plan) for number, one in enumerate(store.plan.configurations)]
    for place in store.places("units"):
        try:
            finished = store.read_finished(place)
            for _ in store.units(place, finished.units):
                pass
            runs[place[0]].files[place[1]] = finished
        except DamageError:
            if not repair:
                raise
            store.repair(place, part=False)
    for place in store.places("part"):
        if place[1] in runs[place[0]].files:  # the process ended before it removed the part of a complete file
            store.drop(place)
            continue
        try:
            units = store.open_part(place)
        except DamageError:
            if not repair:
                raise
            store.repair(place, part=True)
            units = store.open_part(place) if store.path(place, part=True).is_file() else {}
        runs[place[0]].waiting.update(units)
    for configuration_run in runs:
        configuration_run.take(store)
    return runs


# spreading the work


def run(
    store: SweepStore,
    runs: list[ConfigurationRun],
    workers: UnitWorkers,
    progress: Callable[[SweepProgress], None] | None,
    cancelled: Stop | None,
) -> None:
    """Play the missing units; return when all are finished, or when ``cancelled`` returns True."""
    units, reported = _UnitQueue(store, runs, workers), time.monotonic()
    try:
        while units.submit():
            units.receive()
            if progress is not None and time.monotonic() - reported >= POLL:
                progress(_progress(runs, workers.waiting))
                reported = time.monotonic()
            if cancelled is not None and cancelled():
                break
    finally:
        units.stop()
    if progress is not None:
        progress(_progress(runs, ""))


def _progress(runs: list[ConfigurationRun], waiting: str) -> SweepProgress:
    played = sum(configuration_run.played for configuration_run in runs)
    finished = sum(configuration_run.is_finished for configuration_run in runs)
    expected = max(played, sum(configuration_run.expected for configuration_run in runs))
    return SweepProgress(played, expected, finished, len(runs), waiting)


class UnitWorkers(Protocol):
    """Plays units: ``room`` is the number that may be in flight, ``waiting`` what the workers wait for."""

    @property
    def room(self) -> int: ...

    @property
    def waiting(self) -> str: ...

    def play(self, unit: Unit) -> Future[bytes | None]: ...


class _Threads(NamedTuple):
    """Threads of this process."""

    crew: Crew
    room: int
    waiting: str = ""

    def play(self, unit: Unit) -> Future[bytes | None]:
        return self.crew.submit(partial(play, unit))


class _ExecutorWorkers(NamedTuple):
    """The workers of an executor that the caller has made."""

    executor: Executor
    room: int
    waiting: str = ""

    def play(self, unit: Unit) -> Future[bytes | None]:
        return self.executor.submit(play, unit)


@contextmanager
def open_workers(
    executor: Executor | None, cluster: str | None, threads: int | None, cancelled: Stop | None
) -> Iterator[UnitWorkers]:
    """Context manager for the workers: a cluster, an executor, or threads of this process."""
    if cluster is not None:
        from mineproof.sweeps.cluster import Cluster

        with Cluster(cluster, cancelled or (lambda: False)) as connected:
            yield connected
        return
    if executor is not None:
        workers = threads or getattr(executor, "_max_workers", None) or processors()
        yield _ExecutorWorkers(executor, AHEAD * workers)
        return
    workers = min(threads or processors(), SIMULATION_MAX_THREADS)
    with Crew(workers) as crew:
        yield _Threads(crew, AHEAD * workers)


class _UnitQueue:
    """The units that are being played."""

    def __init__(self, store: SweepStore, runs: list[ConfigurationRun], workers: UnitWorkers) -> None:
        self._store, self._runs, self._workers = store, runs, workers
        self._running: dict[Future[bytes | None], tuple[ConfigurationRun, int]] = {}
        self._finished: queue.SimpleQueue[Future[bytes | None]] = queue.SimpleQueue()
        self._begun = 0  # all configurations before are finished
        self._is_stopping = False

    def submit(self) -> bool:
        """Submit as many units as may be in flight, and return whether any is in flight."""
        while len(self._running) < self._workers.room and (configuration_run := self._choose()) is not None:
            index = configuration_run.next_unit()
            assert index is not None
            configuration_run.mark_submitted()
            try:
                future = self._workers.play(configuration_run.configuration.task(index))
            except RuntimeError as error:  # the executor is shut down, or broken
                raise _unit_error(error, configuration_run, index) from error
            self._running[future] = (configuration_run, index)
            future.add_done_callback(self._finished.put)
        return bool(self._running)

    def _choose(self) -> ConfigurationRun | None:
        """Return the first configuration that needs a unit; if none certainly does, the first that may."""
        while self._begun < len(self._runs) and self._runs[self._begun].next_unit() is None:
            self._begun += 1
        possible = None
        for configuration_run in self._runs[self._begun :]:
            if configuration_run.next_unit() is None:
                continue
            if configuration_run.needs_next_unit:
                return configuration_run
            possible = possible or configuration_run
        return possible

    def receive(self) -> None:
        """Wait for up to `POLL` seconds, and store all units that are finished."""
        with suppress(queue.Empty):
            self._store_units([self._finished.get(timeout=POLL), *self._finished_units()])

    def _finished_units(self) -> Iterator[Future[bytes | None]]:
        """Yield the finished units without waiting."""
        while not self._finished.empty():
            yield self._finished.get_nowait()

    def _store_units(self, finished: list[Future[bytes | None]]) -> None:
        """Store units. If one failed, store the others first, then raise its error."""
        failure: BaseException | None = None
        records: dict[ConfigurationRun, dict[int, tuple[bytes, Tally]]] = {}
        for future in finished:
            configuration_run, index = self._running.pop(future)
            configuration = configuration_run.configuration
            try:
                record = future.result()
                if record is None or index >= configuration_run.end:  # stopped, or not needed any more
                    continue
                tally = require_whole(record, configuration.numbers(index), configuration.columns)
            except CancelledError as error:
                if not self._is_stopping:  # not cancelled by the sweep: its games are missing
                    failure = failure or _unit_error(error, configuration_run, index)
                continue
            except BaseException as error:  # raised after the other units are stored
                failure = failure or _unit_error(error, configuration_run, index)
                continue
            records.setdefault(configuration_run, {})[index] = (record, tally)
        for configuration_run, units in records.items():
            self._store.append(configuration_run.number, {index: record for index, (record, _) in units.items()})
            configuration_run.waiting.update({index: tally for index, (_, tally) in units.items()})
            configuration_run.take(self._store)
        if failure is not None:
            raise failure

    def stop(self) -> None:
        """Cancel pending units and store finished ones."""
        self._is_stopping = True
        for future in self._running:
            future.cancel()
        self._store_units(list(self._finished_units()))


def _unit_error(error: BaseException, configuration_run: ConfigurationRun, index: int) -> BaseException:
    if is_out_of_memory(error):
        return MemoryError(str(error))
    if isinstance(error, MineproofError) or not isinstance(error, Exception):
        return error
    numbers = configuration_run.configuration.numbers(index)
    games = f"games {numbers.start:,} to {numbers.stop - 1:,} of configuration {configuration_run.number}"
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    failure = SweepError(f"A worker failed on {games}: {reason}. {GAMES_STORED}")
    failure.__cause__ = error
    return failure
