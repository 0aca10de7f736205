"""Sharing out the units of a sweep, writing down what comes back, and deciding when a configuration has enough.

Order    Units are handed out in order, configuration after configuration, a few more than there are workers, and may
         come back in any order. Sums are added up in the order of the units.
Enough   Where an interval is to be narrow enough, the first units decide: a configuration ends with the first unit
         after which its interval, of all games up to there, is. That depends on the games alone, not on who was
         quicker. Units beyond it that were played already are dropped; so that these are few, a configuration is
         handed out no further than twice what it has, or what its rate so far lets expect, while others wait.
Workers  Threads of this process, a Dask cluster, or anything with the interface of ``concurrent.futures.Executor``: a
         task is a function of this package with plain data, and its answer is bytes.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import NamedTuple, Protocol

from mineproof.base.processors import processors
from mineproof.errors import MineproofError, SweepError
from mineproof.simulation.intervals import Z, wilson
from mineproof.simulation.results import Tally, Totals
from mineproof.simulation.running import MOST_THREADS
from mineproof.simulation.spreading import POLL, Stop
from mineproof.sweeps.plan import Configuration, Plan
from mineproof.sweeps.store import DamageError, Finished, Store, Sums
from mineproof.sweeps.units import AHEAD, KEPT, Unit, play, require_whole

FIRST = 4  # units of a configuration that are handed out before any has come back, if it may end early


class SweepProgress(NamedTuple):
    """How far a sweep is: ``games`` of ``asked``, ``finished`` configurations of ``configurations``.

    Where intervals are to be narrow enough, ``asked`` is what the rates so far let expect. ``waiting`` says what keeps
    the workers of a cluster from playing, if anything does.
    """

    games: int
    asked: int
    finished: int
    configurations: int
    waiting: str = ""


class Course:
    """One configuration on its way: what is added up, what waits for an earlier unit, what is handed out next."""

    def __init__(self, number: int, configuration: Configuration, plan: Plan) -> None:
        self.number, self.configuration, self._plan = number, configuration, plan
        self.units, self.games, self.tally = 0, 0, Tally()  # added up
        self.waiting: dict[int, Tally] = {}
        self.files: dict[int, Finished] = {}  # whole ones
        self.end = configuration.units  # fewer, once the interval is narrow enough
        self._next = 0
        self._in_file = Sums(0, Tally())

    @property
    def is_finished(self) -> bool:
        return self.units == self.end

    @property
    def played(self) -> int:
        """Games that are finished, those that wait for earlier ones included."""
        return self.games + sum(len(self.configuration.numbers(index)) for index in self.waiting)

    @property
    def expected(self) -> int:
        """How many games there will be, as far as can be told."""
        units = self.end if self.is_finished else max(self.units, min(self.end, self._expected()))
        return min(self.configuration.games, units * self.configuration.unit)

    def totals(self) -> Totals:
        return self.configuration.totals(self.games, self.tally, ended=self.is_finished)

    # handing out

    def next_unit(self) -> int | None:
        """The first unit that is neither finished nor handed out."""
        size = self.configuration.units_of_a_file
        while self._next < self.end:
            if self._next // size in self.files:
                self._next = (self._next // size + 1) * size
            elif self._next < self.units or self._next in self.waiting:
                self._next += 1
            else:
                return self._next
        return None

    def hand_out(self) -> None:
        self._next += 1

    @property
    def is_wanted(self) -> bool:
        """Will the next unit be needed, as far as can be told?"""
        return self._plan.until is None or self._next < max(FIRST, min(2 * self.units, self._expected()))

    def _expected(self) -> int:
        """How many units it will take, if the rate stays as it is."""
        if not self.games or self._plan.until is None:
            return self.end
        rate = (self.tally.wins + 2) / (self.games + 4)
        return int(rate * (1 - rate) * (100 * Z / self._plan.until) ** 2 / self.configuration.unit) + 1

    # adding up

    def take(self, store: Store | None) -> None:
        """Add up what can be; write the files that have become whole, where there is a store to write to."""
        size = self.configuration.units_of_a_file
        while not self.is_finished:
            place = (self.number, self.units // size)
            if self.units % size == 0 and (whole := self.files.get(place[1])) is not None:
                self._add(whole.units, whole.sums)
            elif (tally := self.waiting.pop(self.units, None)) is not None:
                one = Sums(len(self.configuration.numbers(self.units)), tally)
                self._in_file = Sums(self._in_file.games + one.games, self._in_file.tally + one.tally)
                self._add(1, one)
            else:
                return
            if self._is_narrow():
                self.end = self.units
                self.waiting.clear()
            if (self.units % size == 0 or self.is_finished) and self._in_file.games:
                whole = Finished(self.units - place[1] * size, self._in_file)
                self._in_file = Sums(0, Tally())
                if store is not None:
                    store.finish(place, *whole)
                self.files[place[1]] = whole
        if store is not None:
            for left in store.parts(self.number):
                store.drop(left)

    def _add(self, units: int, sums: Sums) -> None:
        self.units += units
        self.games += sums.games
        self.tally += sums.tally

    def _is_narrow(self) -> bool:
        low, high = wilson(self.tally.wins, self.games)
        return self._plan.is_narrow((high - low) / 2)


def read_courses(store: Store) -> list[Course]:
    """How far each configuration is, as its folder says; nothing is written."""
    courses = [Course(number, each, store.plan) for number, each in enumerate(store.plan.configurations)]
    for place in store.places("part"):
        course = courses[place[0]]
        for index, _, record in store.part(place):
            numbers = course.configuration.numbers(index)
            course.waiting[index] = require_whole(record, numbers, course.configuration.columns)
    for place in store.places("units"):
        courses[place[0]].files[place[1]] = store.finished(place)
    for course in courses:
        course.take(None)
    return courses


def resumed_courses(store: Store, *, repair: bool) -> list[Course]:
    """The same of a folder that is claimed, to go on from: every unit is checked, and parts are gone on with."""
    courses = [Course(number, each, store.plan) for number, each in enumerate(store.plan.configurations)]
    for place in store.places("units"):
        try:
            found = store.finished(place)
            for _ in store.units(place, found.units):
                pass
            courses[place[0]].files[place[1]] = found
        except DamageError:
            if not repair:
                raise
            store.repair(place, part=False)
    for place in store.places("part"):
        if place[1] in courses[place[0]].files:  # the file was whole when the process ended, and the part still there
            store.drop(place)
            continue
        try:
            units = store.open_part(place)
        except DamageError:
            if not repair:
                raise
            store.repair(place, part=True)
            units = store.open_part(place) if store.path(place, part=True).is_file() else {}
        courses[place[0]].waiting.update(units)
    for course in courses:
        course.take(store)
    return courses


# spreading the work


def run(
    store: Store,
    courses: list[Course],
    workers: Workers,
    progress: Callable[[SweepProgress], None] | None,
    cancelled: Stop | None,
) -> None:
    """Play what is missing; return when nothing is, or when ``cancelled`` says so."""
    flight, told = _Flight(store, courses, workers), time.monotonic()
    try:
        while flight.send():
            flight.receive()
            if progress is not None and time.monotonic() - told >= POLL:
                progress(_progress(courses, workers.waiting))
                told = time.monotonic()
            if cancelled is not None and cancelled():
                break
    finally:
        flight.land()
    if progress is not None:
        progress(_progress(courses, ""))


def _progress(courses: list[Course], waiting: str) -> SweepProgress:
    played = sum(course.played for course in courses)
    finished = sum(course.is_finished for course in courses)
    asked = max(played, sum(course.expected for course in courses))
    return SweepProgress(played, asked, finished, len(courses), waiting)


class Workers(Protocol):
    """Somebody to play units: ``room`` is how many may be in flight, ``waiting`` what keeps them from playing."""

    @property
    def room(self) -> int: ...

    @property
    def waiting(self) -> str: ...

    def play(self, unit: Unit) -> Future[bytes | None]: ...


class _Hired(NamedTuple):
    """An executor, and what it is handed."""

    executor: Executor
    work: Callable[[Unit], bytes | None]
    room: int
    waiting: str = ""

    def play(self, unit: Unit) -> Future[bytes | None]:
        return self.executor.submit(self.work, unit)


@contextmanager
def hired(
    executor: Executor | None, cluster: str | None, threads: int | None, cancelled: Stop | None
) -> Iterator[Workers]:
    """Whoever was asked for, for as long as it takes."""
    if cluster is not None:
        from mineproof.sweeps.cluster import Cluster

        with Cluster(cluster, cancelled or bool) as found:
            yield found
        return
    if executor is not None:
        workers = threads or getattr(executor, "_max_workers", None) or processors()
        yield _Hired(executor, play, AHEAD * workers)
        return
    stop = threading.Event()
    workers = min(threads or processors(), MOST_THREADS)
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield _Hired(pool, partial(play, stopped=stop.is_set), AHEAD * workers)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


class _Flight:
    """The units that are being played."""

    def __init__(self, store: Store, courses: list[Course], workers: Workers) -> None:
        self._store, self._courses, self._workers = store, courses, workers
        self._flying: dict[Future[bytes | None], tuple[Course, int]] = {}
        self._landed: queue.SimpleQueue[Future[bytes | None]] = queue.SimpleQueue()
        self._begun = 0  # all before are finished
        self._is_landing = False

    def send(self) -> bool:
        """Hand out units, as many as may be in flight; is any?"""
        while len(self._flying) < self._workers.room and (course := self._choose()) is not None:
            index = course.next_unit()
            assert index is not None
            course.hand_out()
            try:
                future = self._workers.play(course.configuration.task(index))
            except RuntimeError as error:  # the executor is shut down, or broken
                raise _failed(error, course, index) from error
            self._flying[future] = (course, index)
            future.add_done_callback(self._landed.put)
        return bool(self._flying)

    def _choose(self) -> Course | None:
        """The first configuration that needs a unit; if none surely does, the first that may."""
        while self._begun < len(self._courses) and self._courses[self._begun].next_unit() is None:
            self._begun += 1
        possible = None
        for course in self._courses[self._begun :]:
            if course.next_unit() is None:
                continue
            if course.is_wanted:
                return course
            possible = possible or course
        return possible

    def receive(self) -> None:
        """Wait a little for units, and write down all that have come."""
        with suppress(queue.Empty):
            self._keep([self._landed.get(timeout=POLL), *self._come()])

    def _come(self) -> Iterator[Future[bytes | None]]:
        """The units that have come already."""
        while not self._landed.empty():
            yield self._landed.get_nowait()

    def _keep(self, landed: list[Future[bytes | None]]) -> None:
        """Write down units, also where another one failed; then raise what that raised."""
        failure: BaseException | None = None
        come: dict[Course, dict[int, tuple[bytes, Tally]]] = {}
        for future in landed:
            course, index = self._flying.pop(future)
            configuration = course.configuration
            try:
                record = future.result()
                if record is None or index >= course.end:  # stopped, or not needed any more
                    continue
                tally = require_whole(record, configuration.numbers(index), configuration.columns)
            except CancelledError as error:
                if not self._is_landing:  # whoever did, its games are missing
                    failure = failure or _failed(error, course, index)
                continue
            except BaseException as error:  # told once the others are safe
                failure = failure or _failed(error, course, index)
                continue
            come.setdefault(course, {})[index] = (record, tally)
        for course, units in come.items():
            self._store.append(course.number, {index: record for index, (record, _) in units.items()})
            course.waiting.update({index: tally for index, (_, tally) in units.items()})
            course.take(self._store)
        if failure is not None:
            raise failure

    def land(self) -> None:
        """Call back what has not begun, and write down what has come."""
        self._is_landing = True
        for future in self._flying:
            future.cancel()
        self._keep(list(self._come()))


def _failed(error: BaseException, course: Course, index: int) -> BaseException:
    if isinstance(error, MineproofError) or not isinstance(error, Exception):
        return error
    numbers = course.configuration.numbers(index)
    words = f"games {numbers.start:,} to {numbers.stop - 1:,} of configuration {course.number}"
    reason = f"{type(error).__name__}: {error}".removesuffix(": ")
    told = SweepError(f"a worker failed on {words}: {reason}; {KEPT}")
    told.__cause__ = error
    return told
