"""New layouts, each a function of (seed, number): drawn uniformly, or made to need no guess.

Drawn      Every layout that the first click allows is equally likely. Layout ``number`` of a seed is dealt by that
           stream of the seed (see `mineproof.rng`), so it can be made again alone, on any machine.
No guess   ``rejection`` draws until certainty opens the layout from its start: uniform over the layouts that need no
           guess, and hopeless where those are rare. ``repair`` changes a layout where the solver got stuck (see
           native/src/no_guess.cpp): fast at any density, and not uniform: it prefers clumps of mines and clearings.
Filtered   With ``needs`` or ``hardest``, layouts without a guess are made until one suits: candidate a of (seed,
           number) is number a of a seed derived from the two. A candidate is walked with no harder technique than it
           takes to refuse it, which is what filtering costs.
Many       Each layout depends on its number alone, so they can be made in any order; they are handed out in order.
           Threads do where only the kernel works, which gives the lock away; walking is Python and takes processes.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from typing import Literal, NamedTuple, Protocol, TypedDict, Unpack, get_args

from mineproof import engine
from mineproof.budget import Budget, Deadline, exceeded
from mineproof.certificate import RUNGS, Certificate, certify, walk
from mineproof.errors import BoardSyntaxError, BudgetExceeded, Cell
from mineproof.layout import Layout
from mineproof.record import FirstClick
from mineproof.rng import CANDIDATES, Random, derive
from mineproof.topology import Kind

Method = Literal["repair", "rejection"]

AHEAD = 4  # layouts a job may be ahead of the one handed out next
POLL = 0.05  # seconds between two looks whether to stop


@dataclass(frozen=True, eq=False)
class Generated(Layout):
    """A layout that was made here: equal to any other `Layout` with the same mines, and it knows where it is from.

    ``attempts`` counts the layouts it took: those dealt, those repaired, and those that did not suit.
    """

    _: KW_ONLY
    seed: int = 0
    number: int = 0
    method: Literal["uniform", "repair", "rejection"] = "uniform"
    attempts: int = 1

    @cached_property
    def certificate(self) -> Certificate | None:
        """The proof that no guess is needed, worked out when it is first asked for; None where nobody claims that."""
        return certify(self) if self.no_guess else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and _plain(self) == _plain(other)

    def __hash__(self) -> int:
        return hash(_plain(self))


def _plain(layout: Layout) -> Layout:
    if type(layout) is Layout:
        return layout
    rows, columns, mines, start = layout.rows, layout.columns, layout.mines, layout.start
    return Layout(rows, columns, mines, start, layout.topology, layout.absent, layout.no_guess)


_Made = Generator[Generated, None, None]


class Wishes(TypedDict, total=False):
    """What `generate` can be asked for besides size, seed and number."""

    no_guess: bool
    start: Cell | None
    first_click: FirstClick
    topology: Kind
    absent: Collection[Cell]
    method: Method
    needs: str | None
    hardest: str | None


def generate(
    rows: int,
    columns: int,
    mines: int,
    *,
    seed: int = 0,
    number: int = 0,
    no_guess: bool = False,
    start: Cell | None = None,
    first_click: FirstClick = "open",
    topology: Kind = "grid",
    absent: Collection[Cell] = (),
    method: Method = "repair",
    needs: str | None = None,
    hardest: str | None = None,
    budget: Budget | float | None = None,
) -> Generated:
    """Layout ``number`` of a seed.

    With a ``start`` the layout suits a first click there: ``any`` promises nothing, ``safe`` a free cell, ``open`` free
    neighbours too, as far as there is room for the mines elsewhere.

    ``no_guess`` makes it open by certainty alone from its start, which is free in any case and by default in the
    middle. Then ``needs`` names a technique such that it or a harder one is needed, ``hardest`` one such that no harder
    one is.

    Raises BoardSyntaxError for a board that cannot be, and BudgetExceeded, which says how far the best try came, when
    none was found in time.

    >>> sorted(generate(3, 4, 2, seed=7).mines)
    [(0, 2), (2, 3)]
    >>> found = generate(16, 30, 99, seed=7, no_guess=True, start=(4, 4))
    >>> found.certificate.solved
    True
    """
    wish = _Wish(
        rows, columns, mines, no_guess, start, first_click, topology, frozenset(absent), method, needs, hardest
    )
    _check_stream(seed, number)
    return _make(wish, seed, number, Budget.of(budget))


def generate_many(
    count: int,
    rows: int,
    columns: int,
    mines: int,
    *,
    seed: int = 0,
    number: int = 0,
    jobs: int = 1,
    budget: Budget | float | None = None,
    **wishes: Unpack[Wishes],
) -> _Made:
    """Layouts ``number``, ``number + 1``, … of a seed, in order and whatever the jobs; see `generate`.

    The budget is for each of them. Closing the iterator stops the work under way. Filtering with more than one job
    starts processes: a script that asks for that must be importable, with its work under ``if __name__ ==
    "__main__"``.
    """
    if count < 0 or jobs < 1:
        raise ValueError(f"found count={count} and jobs={jobs}, expected 0 or more and 1 or more")
    wish = _Wish(rows, columns, mines, **wishes)
    _check_stream(seed, number, number + max(0, count - 1))
    limit, numbers = Budget.of(budget), range(number, number + count)
    if jobs == 1 or count == 1 or not wish.no_guess:
        return (_make(wish, seed, each, limit) for each in numbers)
    return _side_by_side(wish, seed, numbers, limit, jobs)


# what is asked


@dataclass(frozen=True)
class _Wish:
    """What is asked of a layout, checked, and which cells that leaves for the mines."""

    rows: int
    columns: int
    mines: int
    no_guess: bool = False
    start: Cell | None = None
    first_click: FirstClick = "open"
    topology: Kind = "grid"
    absent: Collection[Cell] = ()
    method: Method = "repair"
    needs: str | None = None
    hardest: str | None = None

    def __post_init__(self) -> None:
        _check_choice("first_click", self.first_click, get_args(FirstClick))
        _check_choice("method", self.method, get_args(Method))
        _check_choice("needs", self.needs, (None, *RUNGS))
        _check_choice("hardest", self.hardest, (None, *RUNGS))
        if self.is_filtered and not self.no_guess:
            raise ValueError("needs and hardest speak of layouts that need no guess: they go with no_guess=True")
        if self.least > self.most:
            raise ValueError(f"found needs={self.needs!r}, which is harder than hardest={self.hardest!r}")
        room = len(self.cells) - self.no_guess
        if not 0 <= self.mines <= room:
            where = "besides the first click" if self.no_guess else "on this board"
            raise BoardSyntaxError(f"found {self.mines} mines, expected 0 to {room} {where}")

    @property
    def is_filtered(self) -> bool:
        return self.needs is not None or self.hardest is not None

    @property
    def least(self) -> int:
        """The easiest rung of the ladder that is hard enough; -1 if a first click may be all it takes."""
        return -1 if self.needs is None else RUNGS.index(self.needs)

    @property
    def most(self) -> int:
        """The hardest rung that may be needed."""
        return len(RUNGS) - 1 if self.hardest is None else RUNGS.index(self.hardest)

    @cached_property
    def board(self) -> Layout:
        """The board without a mine; BoardSyntaxError where there can be none."""
        return Layout(self.rows, self.columns, frozenset(), self.start, self.topology, frozenset(self.absent))

    @cached_property
    def cells(self) -> list[Cell]:
        return self.board.cells()

    @cached_property
    def first(self) -> Cell | None:
        """The first click: the one asked for or, where there must be one, the cell nearest to the middle."""
        if self.start is not None or not self.no_guess:
            return self.start
        row, column = self.rows // 2, self.columns // 2
        return min(self.cells, key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - column), cell))

    @cached_property
    def groups(self) -> list[frozenset[Cell]]:
        """The cells in the order in which mines are put there: far from the first click, around it, under it."""
        everywhere = frozenset(self.cells)
        if self.first is None or (self.first_click == "any" and not self.no_guess):
            return [everywhere]
        around = frozenset(self.board.around(self.first)) if self.first_click == "open" else frozenset()
        return [everywhere - around - {self.first}, around, frozenset([self.first])]

    @cached_property
    def shares(self) -> tuple[list[int], bytes, int]:
        """Cells that must hold a mine, the cells that share the rest, and how many that is."""
        full: list[int] = []
        left = self.mines
        for group in self.groups:
            if left <= len(group):
                return full, self.mask(group), left
            full += map(self.index, group)
            left -= len(group)
        raise AssertionError("there is room for all mines")

    @cached_property
    def allowed(self) -> bytes:
        """Where a layout without a guess may have mines: far from the start or, if they do not fit, around it too."""
        far, around, _ = self.groups
        return self.mask(far if self.mines <= len(far) else far | around)

    def mask(self, cells: Iterable[Cell]) -> bytes:
        mask = bytearray(self.rows * self.columns)
        for cell in cells:
            mask[self.index(cell)] = 1
        return bytes(mask)

    def index(self, cell: Cell) -> int:
        return cell[0] * self.columns + cell[1]


def _check_stream(seed: int, *numbers: int) -> None:
    for name, value in (("seed", seed), *(("number", number) for number in numbers)):
        if not 0 <= value < 2**64:
            raise ValueError(f"found a {name} of {value}, expected 0 to 2**64 - 1")


def _check_choice(name: str, value: object, known: Sequence[object]) -> None:
    if value not in known:
        expected = ", ".join(str(each) for each in known if each is not None)
        raise ValueError(f"found {name}={value!r}, expected one of {expected}")


# one layout


def _make(wish: _Wish, seed: int, number: int, budget: Budget) -> Generated:
    if wish.is_filtered:
        return _suitable(wish, seed, number, budget)
    if wish.no_guess:
        made = _without_guess(wish, seed, number, budget)
        return _layout(wish, made.mines, seed, number, made.deals + made.repairs)
    return _layout(wish, _dealt(wish, seed, number), seed, number, 1)


def _layout(wish: _Wish, mines: Iterable[int], seed: int, number: int, attempts: int) -> Generated:
    cells = frozenset(divmod(index, wish.columns) for index in mines)
    return Generated(
        wish.rows, wish.columns, cells, wish.first, wish.topology, wish.board.absent, wish.no_guess,
        seed=seed, number=number, method=wish.method if wish.no_guess else "uniform", attempts=attempts,
    )  # fmt: skip


def _dealt(wish: _Wish, seed: int, number: int) -> list[int]:
    full, allowed, left = wish.shares
    return full + engine.deal(wish.board.shape, allowed, left, seed, number)


def _without_guess(wish: _Wish, seed: int, number: int, budget: Budget) -> engine.MadeLayout:
    assert wish.first is not None, "a layout without a guess has a first click"
    shape, codes, start = wish.board.shape, wish.board.board().codes, wish.index(wish.first)
    repair = wish.method == "repair"
    return engine.no_guess(shape, codes, wish.allowed, wish.mines, start, seed, number, budget, repair=repair)


# of a wished difficulty


def _suitable(wish: _Wish, seed: int, number: int, budget: Budget) -> Generated:
    """The first candidate that is as hard as it should be."""
    started, deadline = time.monotonic(), Deadline(budget)
    source = Random(derive(seed, CANDIDATES), number).next()
    refused: Counter[str] = Counter()
    attempts = 0
    while True:
        try:
            made = _without_guess(wish, source, refused.total(), deadline.rest())
            attempts += made.deals + made.repairs
            layout = _layout(wish, made.mines, seed, number, attempts)
            fault = _fault(wish, layout, deadline.rest())
            if fault is None:
                return layout
            refused[fault] += 1
            _stop_if_asked(budget)
            deadline.check()
        except BudgetExceeded as error:
            if not refused:
                raise
            raise _unsuitable(wish, refused, error.limit, time.monotonic() - started) from None


def _fault(wish: _Wish, layout: Layout, budget: Budget) -> str | None:
    """Why a layout without a guess does not suit, asked of no harder techniques than it takes to tell."""
    upto = max(0, wish.least - 1) if wish.hardest is None else wish.most
    found = walk(layout, upto=RUNGS[upto], budget=budget)
    if not found.solved:
        return None if wish.hardest is None else "too hard"
    hardest = max((RUNGS.index(step.deduction.technique) for step in found.steps), default=-1)
    return "too easy" if hardest < wish.least else None


def _unsuitable(wish: _Wish, refused: Counter[str], limit: str, seconds: float) -> BudgetExceeded:
    asked = [f"{name}={rung}" for name, rung in (("needs", wish.needs), ("hardest", wish.hardest)) if rung]
    told = " and ".join(f"{times:,} {fault}" for fault, times in sorted(refused.items()))
    made = f"{refused.total():,} without a guess were made: {told}"
    message = f"found no layout with {' and '.join(asked)} in {seconds:.2f} s; {made}"
    return BudgetExceeded(message, limit=limit, seconds=seconds)


def _stop_if_asked(budget: Budget) -> None:
    if budget.cancelled is not None and budget.cancelled():
        raise exceeded("cancelled", 0.0, 0, None)


# many


def _side_by_side(wish: _Wish, seed: int, numbers: range, budget: Budget, jobs: int) -> _Made:
    """Layouts made by several workers, handed out in order."""
    limits = replace(budget, cancelled=None)  # workers look at their own flag; the caller's is asked here
    waiting: deque[Future[Generated | _Refusal]] = deque()
    with _workers(wish, jobs) as submit:
        for number in numbers:
            waiting.append(submit(_Task(wish, seed, number, limits)))
            if len(waiting) > jobs * AHEAD:
                yield _result(waiting.popleft(), budget)
        while waiting:
            yield _result(waiting.popleft(), budget)


class _Task(NamedTuple):
    wish: _Wish
    seed: int
    number: int
    budget: Budget


class _Flag(Protocol):
    """An event, of threads or of processes."""

    def is_set(self) -> bool: ...
    def set(self) -> None: ...


class _Refusal(NamedTuple):
    """A BudgetExceeded on its way from another process: exceptions with keywords do not travel."""

    message: str
    limit: str
    seconds: float
    states: int


@contextmanager
def _workers(wish: _Wish, jobs: int) -> Iterator[Callable[[_Task], Future[Generated | _Refusal]]]:
    """Workers to give work to; when this ends, what is under way is stopped and what waits is dropped."""
    pool: Executor
    stop: _Flag
    if wish.is_filtered:
        processes = multiprocessing.get_context("spawn")
        stop = processes.Event()
        pool = ProcessPoolExecutor(jobs, processes, _begin_process, (stop,))
        work: Callable[[_Task], Generated | _Refusal] = _work_in_process
    else:
        stop = threading.Event()
        pool = ThreadPoolExecutor(jobs)
        work = partial(_work, stop)

    def submit(task: _Task) -> Future[Generated | _Refusal]:
        with _ctrl_c_held_back():
            return pool.submit(work, task)

    try:
        yield submit
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _work(stop: _Flag, task: _Task) -> Generated | _Refusal:
    wish, seed, number, budget = task
    try:
        return _make(wish, seed, number, replace(budget, cancelled=stop.is_set))
    except BudgetExceeded as error:
        return _Refusal(str(error), error.limit, error.seconds, error.states)


_flags: list[_Flag] = []  # of a process that works for another


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Start processes in here: Ctrl-C neither ends them half-way, with a traceback, nor is it lost."""
    heard: list[int] = []
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # which they inherit
    # Another thread may take the signal all the same; then Python would interrupt the main thread in here.
    listens = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not None
    handler = signal.signal(signal.SIGINT, lambda number, _: heard.append(number)) if listens else None
    try:
        yield
    finally:
        if listens:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _begin_process(stop: _Flag) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that waits, which then sets the flag
    _flags.append(stop)


def _work_in_process(task: _Task) -> Generated | _Refusal:
    return _work(_flags[0], task)


def _result(future: Future[Generated | _Refusal], budget: Budget) -> Generated:
    while not future.done():
        wait([future], POLL)
        _stop_if_asked(budget)
    found = future.result()
    if isinstance(found, _Refusal):
        raise BudgetExceeded(found.message, limit=found.limit, seconds=found.seconds, states=found.states)
    return found
