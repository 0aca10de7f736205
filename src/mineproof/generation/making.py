"""New layouts, each a function of (seed, number): drawn uniformly, or made to need no guess.

Drawn      Every layout that the first click allows is equally likely. Layout ``number`` of a seed is dealt by that
           stream of the seed (see `mineproof.base.rng`), so it can be made again alone, on any machine.
No guess   ``rejection`` draws until certainty opens the layout from its start: uniform over the layouts that need no
           guess, and hopeless where those are rare. ``repair`` changes a layout where the solver got stuck (see
           native/src/no_guess.cpp): fast at any density, and not uniform: it prefers clumps of mines and clearings.
Filtered   With ``needs`` or ``hardest``, or with bounds on its 3BV, ZiNi and the like, layouts are made until one
           suits: candidate a of (seed, number) is number a of a seed derived from the two. Numbers are looked at first,
           which takes microseconds; then a candidate is walked with no harder technique than it takes to refuse it.
Many       Each layout depends on its number alone, so they can be made in any order; they are handed out in order.
           Threads do where only the kernel works, which releases the GIL; walking is Python and takes processes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Literal, Unpack

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import CANDIDATES, Random, derive
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, FLAGGED, Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.start import FirstClick
from mineproof.engine.answers import Engine, NoGuessOrder
from mineproof.engine.choice import chosen_engine
from mineproof.engine.reference_measures import COLUMNS, MINE
from mineproof.errors import BudgetExceeded
from mineproof.game.layout import Layout
from mineproof.game.measures import measure, truths_of
from mineproof.generation.certificate import Certificate
from mineproof.generation.certifying import certify
from mineproof.generation.walk import RUNGS, walk
from mineproof.generation.wishes import NUMBERS, Method, Wanted, Wish, Wishes
from mineproof.generation.workers import Task, in_order

SCHEMA = "mineproof/generated/1"
OTHER_NUMBERS = "with other numbers"
MOST_CELLS = 120_000  # of a batch of candidates: 250 expert layouts


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

    def opened(self) -> Board:
        """The board at its end: every safe cell open, every mine flagged. What a step opens can be looked up in it."""
        codes = self.numbers()
        codes[self._indices(self.mines)] = FLAGGED
        codes[self._indices(self.absent)] = ABSENT
        return Board(self.rows, self.columns, codes.tobytes(), self.total_mines, self.topology)

    def generated_json(self, *, certificate: bool = False, measures: bool = False) -> dict[str, object]:
        """The ``mineproof/generated/1`` shape; ``as_json`` is that of the layout alone."""
        shown: dict[str, object] = {
            "schema": SCHEMA,
            "seed": self.seed,
            "number": self.number,
            "method": self.method,
            "attempts": self.attempts,
            "layout": self.as_json(),
        }
        if measures:
            shown |= {"measures": measure(self).as_json(), "board": self.opened().as_json()}
        proof = self.certificate if certificate else None
        return shown if proof is None else {**shown, "certificate": proof.as_json()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and _plain(self) == _plain(other)

    def __hash__(self) -> int:
        return hash(_plain(self))


def _plain(layout: Layout) -> Layout:
    if type(layout) is Layout:
        return layout
    rows, columns, mines, start = layout.rows, layout.columns, layout.mines, layout.start
    return Layout(rows, columns, mines, start, layout.topology, layout.absent, layout.no_guess)


def generate(
    rows: int | str,
    columns: int | None = None,
    mines: int | None = None,
    *,
    seed: int = 0,
    number: int = 0,
    no_guess: bool = False,
    start: Cell | None = None,
    first_click: FirstClick | None = None,
    topology: Topology = "grid",
    absent: Collection[Cell] = (),
    method: Method = "repair",
    needs: str | None = None,
    hardest: str | None = None,
    bbbv: Wanted | None = None,
    openings: Wanted | None = None,
    islands: Wanted | None = None,
    zini: Wanted | None = None,
    human_zini: Wanted | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Generated:
    """Layout ``number`` of a seed; its size is ``rows``, ``columns`` and ``mines``, or a level or ``"WxHxM"`` alone.

    With a ``start`` the layout suits a first click there: ``any`` promises nothing, ``safe``, the default, a free cell,
    ``open`` free neighbours too, as far as there is room for the mines elsewhere.

    ``no_guess`` makes it open by certainty alone from its start, which is free in any case and by default in the
    middle; ``first_click`` is then ``open`` unless it is given, for hardly any layout opens from a lone number. Then
    ``needs`` names a technique such that it or a harder one is needed, ``hardest`` one such that no harder one is.

    ``bbbv``, ``openings``, ``islands``, ``zini`` and ``human_zini`` (see `measure`) are a number, or the least and the
    most that will do, None for no bound: ``bbbv=(100, 140)``, ``zini=(None, 90)``.

    Raises BoardSyntaxError for a board that cannot be, and BudgetExceeded, which says how far the best try came, when
    none was found in time.

    >>> sorted(generate(3, 4, 2, seed=7).mines)
    [(0, 2), (2, 3)]
    >>> found = generate("expert", seed=7, no_guess=True, start=(4, 4))
    >>> found.certificate.solved
    True
    """
    size = as_size(rows, columns, mines)
    wish = Wish(
        *size, no_guess, start, first_click, topology, absent, method, needs, hardest,
        bbbv, openings, islands, zini, human_zini,
    )  # fmt: skip
    return _make(wish, checks.seed("seed", seed), checks.seed("number", number), Budget.of(budget), engine)


def generate_many(
    count: int,
    rows: int | str,
    columns: int | None = None,
    mines: int | None = None,
    *,
    seed: int = 0,
    number: int = 0,
    threads: int = 1,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
    **wishes: Unpack[Wishes],
) -> Generator[Generated, None, None]:
    """Layouts ``number``, ``number + 1``, … of a seed, in order, the same for any number of threads; see `generate`.

    The budget is for each of them. Closing the iterator stops the work under way. Filtering is Python and takes
    processes instead of threads: a script that asks for more than one must be importable, with its work under ``if
    __name__ == "__main__"``.
    """
    count, threads = checks.whole("count", count, 0), checks.whole("threads", threads, 1)
    wish = Wish(*as_size(rows, columns, mines), **wishes)
    seed, number = checks.seed("seed", seed), checks.seed("number", number)
    checks.seed("number", number + max(0, count - 1))
    limit = Budget.of(budget)
    tasks: Iterable[Task[Generated]] = (_Task(wish, seed, number + each, engine) for each in range(count))
    if threads == 1 or count == 1 or not (wish.no_guess or wish.is_filtered):
        return (task(limit) for task in tasks)
    return in_order(tasks, threads, limit, processes=wish.is_filtered)


@dataclass(frozen=True)
class _Task:
    """One layout to be made."""

    wish: Wish
    seed: int
    number: int
    engine: Engine | None

    def __call__(self, budget: Budget) -> Generated:
        return _make(self.wish, self.seed, self.number, budget, self.engine)


# one layout


def _make(wish: Wish, seed: int, number: int, budget: Budget, engine: Engine | None) -> Generated:
    using = chosen_engine(engine)
    if wish.is_filtered:
        return _suitable(wish, seed, number, budget, using)
    if wish.no_guess:
        made = using.no_guess(_order(wish), seed, number, budget)
        return _layout(wish, made.mines, seed, number, made.deals + made.repairs)
    full, allowed, left = wish.shares
    return _layout(wish, full + using.deal(wish.board.geometry, allowed, left, seed, number), seed, number, 1)


def _layout(wish: Wish, mines: Iterable[int], seed: int, number: int, attempts: int) -> Generated:
    board = wish.board
    cells = frozenset(map(board.geometry.cell, mines))
    return Generated(
        wish.rows, wish.columns, cells, wish.start_cell, wish.topology, board.absent, wish.no_guess,
        seed=seed, number=number, method=wish.method if wish.no_guess else "uniform", attempts=attempts,
    )  # fmt: skip


def _order(wish: Wish) -> NoGuessOrder:
    assert wish.start_cell is not None, "a layout without a guess has a start"
    board, repair = wish.board, wish.method == "repair"
    start = board.geometry.index(wish.start_cell)
    return NoGuessOrder(board.geometry, board.board().codes, wish.allowed, wish.mines, start, repair)


# those that suit


def _suitable(wish: Wish, seed: int, number: int, budget: Budget, engine: Engine) -> Generated:
    """The first candidate with the numbers, and as hard, as asked for."""
    started, deadline = time.monotonic(), Deadline(budget)
    search = _Search(wish, Random(derive(seed, CANDIDATES), number).next(), engine)
    try:
        while True:
            for mines in search.candidates(deadline):
                layout = _layout(wish, mines, seed, number, search.attempts)
                fault = _fault(wish, layout, deadline.rest(), engine) if wish.is_graded else None
                if fault is None:
                    return layout
                search.refused[fault] += 1
                budget.stop_if_asked()
                deadline.check()
            budget.stop_if_asked()
            deadline.check()
    except BudgetExceeded as error:
        if not search.refused:
            raise
        raise search.unsuitable(error.limit, time.monotonic() - started) from None


class _Search:
    """Candidates in order, and what became of them.

    They are made and measured in batches, first one, then more and more, for a call of the engine costs as much as
    measuring ten. What is handed out depends on their order alone.
    """

    def __init__(self, wish: Wish, source: int, engine: Engine) -> None:
        self._wish, self._source, self._engine = wish, source, engine
        self._next = 0
        self._batch = 1
        self.attempts = 0
        self.refused: Counter[str] = Counter()
        self._met: dict[str, tuple[int, int]] = {}

    def candidates(self, deadline: Deadline) -> Iterator[list[int]]:
        """The mines of those of the next batch whose numbers suit."""
        if self._wish.no_guess:
            made = [self._unguessed(deadline)]
        else:
            made = [(self._dealt(), 1) for _ in range(self._batch)]
            self._batch = min(2 * self._batch, max(1, MOST_CELLS // len(self._wish.cells)))
        suits = self._suits([mines for mines, _ in made])
        for (mines, attempts), fits in zip(made, suits, strict=True):
            self.attempts += attempts
            if fits:
                yield mines
            else:
                self.refused[OTHER_NUMBERS] += 1

    def _unguessed(self, deadline: Deadline) -> tuple[list[int], int]:
        made = self._engine.no_guess(_order(self._wish), self._source, self._next, deadline.rest())
        self._next += 1
        return made.mines, made.deals + made.repairs

    def _dealt(self) -> list[int]:
        full, allowed, left = self._wish.shares
        geometry = self._wish.board.geometry
        mines = full + self._engine.deal(geometry, allowed, left, self._source, self._next)
        self._next += 1
        return mines

    def _suits(self, candidates: list[list[int]]) -> npt.NDArray[np.bool_]:
        """Which of them have the numbers that are asked for; ZiNi is worked out only where the others suit."""
        bounds, board = self._wish.bounds, self._wish.board
        suits = np.ones(len(candidates), dtype=np.bool_)
        if not bounds:
            return suits
        truths = np.tile(truths_of(board), (len(candidates), 1))
        for place, mines in enumerate(candidates):
            truths[place, mines] = MINE
        for zini in (False, True):
            names = [name for name in bounds if name.endswith("zini") == zini]
            rest = np.flatnonzero(suits)
            if names and len(rest):
                found = self._engine.measure(board.geometry, truths[rest], zini=zini)
                for name in names:
                    self._look_at(name, found[:, COLUMNS.index(name)], rest, suits)
        return suits

    def _look_at(
        self, name: str, values: npt.NDArray[np.int32], places: npt.NDArray[np.int64], suits: npt.NDArray[np.bool_]
    ) -> None:
        """Take away from those that suit whatever is out of bounds."""
        least, most = self._met.get(name, (int(values[0]), int(values[0])))
        self._met[name] = min(least, int(values.min())), max(most, int(values.max()))
        suits[places] &= [self._wish.bounds[name].hold(value) for value in values.tolist()]

    def unsuitable(self, limit: str, seconds: float) -> BudgetExceeded:
        """Nothing was found: what was tried, and what was met."""
        wish = self._wish
        hard = [f"{name}={rung}" for name, rung in (("needs", wish.needs), ("hardest", wish.hardest)) if rung]
        asked = [*hard, *(f"{NUMBERS[name]} {bounds}" for name, bounds in wish.bounds.items())]
        faults = " and ".join(f"{times:,} {fault}" for fault, times in sorted(self.refused.items()))
        tried = f"{self.refused.total():,} {'without a guess' if wish.no_guess else 'layouts'} were made: {faults}"
        met = [f"{NUMBERS[name]} was {least} to {most}" for name, (least, most) in self._met.items()]
        words = f"found no layout with {' and '.join(asked)} in {seconds:.2f} s; {'; '.join([tried, *met])}"
        return BudgetExceeded(words, limit=limit, seconds=seconds)


def _fault(wish: Wish, layout: Layout, budget: Budget, engine: Engine) -> str | None:
    """Why a layout without a guess does not suit, asked of no harder techniques than it takes to tell."""
    upto = max(0, wish.least - 1) if wish.hardest is None else wish.most
    found = walk(layout, upto=RUNGS[upto], budget=budget, engine=engine)
    if not found.solved:
        return None if wish.hardest is None else "too hard"
    hardest = max((RUNGS.index(step.deduction.technique) for step in found.steps), default=-1)
    return "too easy" if hardest < wish.least else None
