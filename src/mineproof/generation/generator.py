"""New layouts, each a function of (seed, number): drawn uniformly, or generated to need no guess.

Drawn      Every layout that the first click allows is equally likely. Layout ``number`` of a seed is dealt by that
           stream of the seed (see `mineproof.base.rng`), so it can be generated again on any machine.
No guess   ``rejection`` draws until certainty opens the layout from its start: uniform over the layouts that need no
           guess, and hopeless if those are rare. ``repair`` changes a layout where the solver got stuck (see
           native/src/no_guess.cpp): fast at any density, and not uniform: it prefers clumps of mines and clearings.
Filtered   With ``needs``, ``hardest`` or ``difficulty``, or with a required 3BV, ZiNi and so on, layouts are generated
           until one matches: candidate a of (seed, number) is number a of a seed derived from the two. Measures come
           first, which takes microseconds; then a candidate is walked with no harder technique than needed to reject
           it.
Many       Each layout depends on its number alone, so they can be generated in any order; they are returned in order.
           Threads suffice while only the kernel works, which releases the GIL; walking is Python and needs processes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, Unpack, overload

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.cached import cached_property
from mineproof.base.rng import CANDIDATES, Random, derive, fresh_seed
from mineproof.base.words import duration
from mineproof.base.work import Stop, in_order
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, FLAGGED, Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.engine.answers import Engine, NoGuessOrder
from mineproof.engine.default import chosen_engine
from mineproof.engine.reference_measures import COLUMNS, MINE
from mineproof.errors import BudgetExceeded
from mineproof.game.layout import Layout
from mineproof.game.measures import measure, truths_of
from mineproof.generation.certificate import Certificate
from mineproof.generation.certificate_builder import certify
from mineproof.generation.requirements import (
    NUMBERS,
    GenerateOptions,
    LayoutRequirements,
    Method,
    NumberTarget,
    OtherGenerateOptions,
)
from mineproof.generation.walk import EASY_RUNG, RUNGS, difficulty_of, hard_techniques, walk

if TYPE_CHECKING:
    from mineproof.generation.wire import GeneratedJson

SCHEMA: Final = "mineproof/generated/1"
OTHER_NUMBERS = "outside the requested range"
CANDIDATE_BATCH_MAX_CELLS = 120_000  # 250 expert layouts


@dataclass(frozen=True, eq=False)
class Generated(Layout):
    """A generated layout, with the ``seed`` and ``number`` that reproduce it.

    It equals any `Layout` with the same mines.
    ``attempts`` counts the layouts that were tried: dealt, repaired and rejected ones.
    """

    _: KW_ONLY
    seed: int = 0
    number: int = 0
    method: Literal["uniform", "repair", "rejection"] = "uniform"
    attempts: int = 1

    @property
    def certificate(self) -> Certificate | None:
        """The proof that no guess is needed; None unless it was generated with ``no_guess``: see `NoGuessLayout`."""
        return None

    def opened(self) -> Board:
        """Return the solved board: every safe cell open, every mine flagged."""
        codes = self.numbers()
        codes[self._indices(self.mines)] = FLAGGED
        codes[self._indices(self.absent)] = ABSENT
        return Board(self.rows, self.columns, codes.tobytes(), self.total_mines, self.topology)

    def generated_json(self, *, certificate: bool = False, measures: bool = False) -> GeneratedJson:
        """Return ``mineproof/generated/1``; ``as_json`` returns the layout alone."""
        shown: GeneratedJson = {
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
        return isinstance(other, Layout) and _plain_layout(self) == _plain_layout(other)

    def __hash__(self) -> int:
        return hash(_plain_layout(self))


@dataclass(frozen=True, eq=False)
class NoGuessLayout(Generated):
    """A generated layout that needs no guess, with its proof."""

    @cached_property
    def certificate(self) -> Certificate:
        """The proof that no guess is needed, computed on first use."""
        return certify(self)


def _plain_layout(layout: Layout) -> Layout:
    if type(layout) is Layout:
        return layout
    rows, columns, mines, start = layout.rows, layout.columns, layout.mines, layout.start
    return Layout(rows, columns, mines, start, layout.topology, layout.absent, layout.no_guess)


@overload
def generate(
    rows: int | str | Setup,
    columns: int | None = None,
    mines: int | None = None,
    *,
    no_guess: Literal[True],
    seed: int | None = None,
    number: int = 0,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
    **options: Unpack[OtherGenerateOptions],
) -> NoGuessLayout: ...


@overload
def generate(
    rows: int | str | Setup,
    columns: int | None = None,
    mines: int | None = None,
    *,
    no_guess: bool = False,
    seed: int | None = None,
    number: int = 0,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
    **options: Unpack[OtherGenerateOptions],
) -> Generated: ...


@accepts_setup
def generate(
    rows: int | str | Setup,
    columns: int | None = None,
    mines: int | None = None,
    *,
    seed: int | None = None,
    number: int = 0,
    no_guess: bool = False,
    start: Cell | None = None,
    first_click: FirstClick | None = None,
    topology: Topology = "grid",
    absent: Collection[Cell] = (),
    method: Method = "repair",
    needs: str | None = None,
    hardest: str | None = None,
    difficulty: NumberTarget | None = None,
    bbbv: NumberTarget | None = None,
    openings: NumberTarget | None = None,
    islands: NumberTarget | None = None,
    zini: NumberTarget | None = None,
    human_zini: NumberTarget | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Generated:
    """Generate layout ``number`` of a seed.

    The size is ``rows``, ``columns`` and ``mines``, or in place of the rows a level or ``"WxHxM"`` alone, or a `Setup`.
    Without a ``seed``, a random one is drawn; the ``seed`` of the result reproduces the layout.

    With a ``start``, ``first_click`` says what is free of mines: ``any`` nothing, ``safe`` (the default) the start
    cell, ``open`` also its neighbours, as far as there is room for the mines elsewhere.

    With ``no_guess``, the layout can be solved from its start without a guess. The start is always free, by default in
    the middle, and ``first_click`` is by default ``open``, because hardly any layout can be solved from a single
    number. The result is a `NoGuessLayout` with a ``certificate``.

    Three options choose how hard a no-guess layout is. ``needs="bounds"``: it cannot be solved with techniques
    easier than ``bounds``. ``hardest="bounds"``: it can be solved with techniques up to ``bounds``. ``difficulty``: its
    `Grade.difficulty`, a number, or the least and the most.

    ``bbbv``, ``openings``, ``islands``, ``zini`` and ``human_zini`` (see `measure`) require a number, or a range from
    the least to the most with None for no bound: ``bbbv=(100, 140)``, ``zini=(None, 90)``.

    Raises BoardSyntaxError for an invalid size or number of mines, and BudgetExceeded if no layout was found in time.

    >>> sorted(generate(3, 4, 2, seed=7).mines)
    [(0, 2), (2, 3)]
    >>> layout = generate("expert", seed=7, no_guess=True, start=(4, 4))
    >>> layout.certificate.solved
    True
    """
    size = as_size(rows, columns, mines, topology)
    required = LayoutRequirements(
        *size, no_guess, start, first_click, topology, absent, method, needs, hardest,
        bbbv, openings, islands, zini, human_zini, difficulty,
    )  # fmt: skip
    return _generate_one(required, _seed_or_random(seed), checks.seed("number", number), Budget.of(budget), engine)


def _seed_or_random(seed: int | None) -> int:
    return fresh_seed() if seed is None else checks.seed("seed", seed)


@overload
def generate_many(
    count: int,
    rows: int | str | Setup,
    columns: int | None = None,
    mines: int | None = None,
    *,
    no_guess: Literal[True],
    seed: int | None = None,
    number: int = 0,
    threads: int = 1,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
    **options: Unpack[OtherGenerateOptions],
) -> Generator[NoGuessLayout, None, None]: ...


@overload
def generate_many(
    count: int,
    rows: int | str | Setup,
    columns: int | None = None,
    mines: int | None = None,
    *,
    seed: int | None = None,
    number: int = 0,
    threads: int = 1,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
    **options: Unpack[GenerateOptions],
) -> Generator[Generated, None, None]: ...


@accepts_setup
def generate_many(
    count: int,
    rows: int | str | Setup,
    columns: int | None = None,
    mines: int | None = None,
    *,
    seed: int | None = None,
    number: int = 0,
    threads: int = 1,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
    **options: Unpack[GenerateOptions],
) -> Generator[Generated, None, None]:
    """Yield layouts ``number``, ``number + 1``, … of a seed in order; see `generate`.

    The number of threads does not change the result. Without a ``seed``, a random one is drawn for all layouts. The
    budget is for each layout. Closing the iterator stops the work. Required measures and difficulties use processes
    instead of threads: a script with more than one thread must then have its work under
    ``if __name__ == "__main__"``.
    """
    count, threads = checks.whole("count", count, 0), checks.whole("threads", threads, 1)
    required = LayoutRequirements(*as_size(rows, columns, mines, options.get("topology", "grid")), **options)
    chosen, number = _seed_or_random(seed), checks.seed("number", number)
    checks.seed("number", number + max(0, count - 1))
    limit = Budget.of(budget)
    tasks = (_Task(required, chosen, number + place, engine) for place in range(count))
    if threads == 1 or count == 1 or not (required.no_guess or required.is_filtered):
        return (task(limit) for task in tasks)
    alike = limit.without_callable()  # workers have a stop of their own; the caller's is called here
    jobs = (partial(task.run, alike) for task in tasks)
    return in_order(jobs, threads, processes=required.is_filtered, cancelled=limit.raise_if_cancelled)


@dataclass(frozen=True)
class _Task:
    """A layout to generate."""

    required: LayoutRequirements
    seed: int
    number: int
    engine: Engine | None

    def __call__(self, budget: Budget) -> Generated:
        return _generate_one(self.required, self.seed, self.number, budget, self.engine)

    def run(self, budget: Budget, stop: Stop) -> Generated:
        """Generate the layout in a worker."""
        return self(replace(budget, cancelled=stop))


# one layout


def _generate_one(
    required: LayoutRequirements, seed: int, number: int, budget: Budget, engine: Engine | None
) -> Generated:
    using = chosen_engine(engine)
    if required.is_filtered:
        return _find_match(required, seed, number, budget, using)
    if required.no_guess:
        deadline = Deadline(budget)  # preparing a board of a million cells takes time too
        order = _order(required)
        solved = using.no_guess(order, seed, number, deadline.rest())
        return _build_layout(required, solved.mines, seed, number, solved.deals + solved.repairs)
    full, allowed, left = required.shares
    return _build_layout(
        required, full + using.deal(required.board.geometry, allowed, left, seed, number), seed, number, 1
    )


def _build_layout(
    required: LayoutRequirements, mines: Iterable[int], seed: int, number: int, attempts: int
) -> Generated:
    board = required.board
    cells = frozenset(map(board.geometry.cell, mines))
    kind = NoGuessLayout if required.no_guess else Generated
    return kind(
        required.rows, required.columns, cells, required.start_cell, required.topology, board.absent, required.no_guess,
        seed=seed, number=number, method=required.method if required.no_guess else "uniform", attempts=attempts,
    )  # fmt: skip


def _order(required: LayoutRequirements) -> NoGuessOrder:
    assert required.start_cell is not None, "a layout without a guess has a start"
    board, repair = required.board, required.method == "repair"
    start = board.geometry.index(required.start_cell)
    return NoGuessOrder(board.geometry, board.board().codes, required.allowed, required.mines, start, repair)


# layouts with required measures or difficulty


def _find_match(required: LayoutRequirements, seed: int, number: int, budget: Budget, engine: Engine) -> Generated:
    """Return the first candidate with the required measures and difficulty."""
    started, deadline = time.monotonic(), Deadline(budget)
    search = _LayoutSearch(required, Random(derive(seed, CANDIDATES), number).next(), engine)
    try:
        while True:
            for mines in search.candidates(deadline):
                layout = _build_layout(required, mines, seed, number, search.attempts)
                fault = _mismatch(required, layout, deadline.rest(), engine) if required.is_graded else None
                if fault is None:
                    return layout
                search.rejected[fault] += 1
                budget.raise_if_cancelled()
                deadline.check()
            budget.raise_if_cancelled()
            deadline.check()
    except BudgetExceeded as error:
        if not search.rejected:
            raise
        raise search.failure(error.limit, time.monotonic() - started) from None


class _LayoutSearch:
    """Candidates in order, and statistics of the rejected ones.

    Candidates are generated and measured in growing batches, because a call of the engine costs as much as measuring
    ten. The results depend on the order of candidates alone.
    """

    def __init__(self, required: LayoutRequirements, source: int, engine: Engine) -> None:
        self._required, self._source, self._engine = required, source, engine
        self._next = 0
        self._batch = 1
        self.attempts = 0
        self.rejected: Counter[str] = Counter()
        self._seen_ranges: dict[str, tuple[int, int]] = {}

    def candidates(self, deadline: Deadline) -> Iterator[list[int]]:
        """Yield the mines of the candidates of the next batch that have the required measures."""
        if self._required.no_guess:
            batch = [self._next_no_guess(deadline)]
        else:
            batch = [(self._next_dealt(), 1) for _ in range(self._batch)]
            self._batch = min(2 * self._batch, max(1, CANDIDATE_BATCH_MAX_CELLS // len(self._required.cells)))
        matches = self._matches([mines for mines, _ in batch])
        for (mines, attempts), fits in zip(batch, matches, strict=True):
            self.attempts += attempts
            if fits:
                yield mines
            else:
                self.rejected[OTHER_NUMBERS] += 1

    def _next_no_guess(self, deadline: Deadline) -> tuple[list[int], int]:
        solved = self._engine.no_guess(_order(self._required), self._source, self._next, deadline.rest())
        self._next += 1
        return solved.mines, solved.deals + solved.repairs

    def _next_dealt(self) -> list[int]:
        full, allowed, left = self._required.shares
        geometry = self._required.board.geometry
        mines = full + self._engine.deal(geometry, allowed, left, self._source, self._next)
        self._next += 1
        return mines

    def _matches(self, candidates: list[list[int]]) -> npt.NDArray[np.bool_]:
        """Return which candidates have the required measures; ZiNi is computed only if the others match."""
        ranges, board = self._required.ranges, self._required.board
        matches = np.ones(len(candidates), dtype=np.bool_)
        if not ranges:
            return matches
        truths = np.tile(truths_of(board), (len(candidates), 1))
        for place, mines in enumerate(candidates):
            truths[place, mines] = MINE
        for zini in (False, True):
            names = [name for name in ranges if name.endswith("zini") == zini]
            rest = np.flatnonzero(matches)
            if names and len(rest):
                counts = self._engine.measure(board.geometry, truths[rest], zini=zini)
                for name in names:
                    self._filter(name, counts[:, COLUMNS.index(name)], rest, matches)
        return matches

    def _filter(
        self, name: str, values: npt.NDArray[np.int32], places: npt.NDArray[np.int64], matches: npt.NDArray[np.bool_]
    ) -> None:
        """Remove the candidates whose values are out of range."""
        least, most = self._seen_ranges.get(name, (int(values[0]), int(values[0])))
        self._seen_ranges[name] = min(least, int(values.min())), max(most, int(values.max()))
        matches[places] &= [self._required.ranges[name].contains(value) for value in values.tolist()]

    def failure(self, limit: str, seconds: float) -> BudgetExceeded:
        """Return the error of a search without a result: what was tried, and which values occurred."""
        required = self._required
        hard = [f"{name}={rung}" for name, rung in (("needs", required.needs), ("hardest", required.hardest)) if rung]
        hard += [] if required.difficulty_range is None else [f"difficulty {required.difficulty_range}"]
        targets = [*hard, *(f"{NUMBERS[name]} {bounds}" for name, bounds in required.ranges.items())]
        faults = " and ".join(f"{times:,} {fault}" for fault, times in sorted(self.rejected.items()))
        kind = "no-guess layouts" if required.no_guess else "layouts"
        tried = f"{self.rejected.total():,} {kind} tried: {faults}"
        seen = [f"{NUMBERS[name]} ranged from {least} to {most}" for name, (least, most) in self._seen_ranges.items()]
        message = f"No layout with {' and '.join(targets)} after {duration(seconds)}. {'. '.join([tried, *seen])}."
        return BudgetExceeded(message, limit=limit, seconds=seconds)


def _mismatch(required: LayoutRequirements, layout: Layout, budget: Budget, engine: Engine) -> str | None:
    """Return why a no-guess layout is too easy or too hard, or None; walks with no harder technique than needed."""
    limits = required.difficulty_range
    rung = max(0, required.least - 1) if required.hardest is None and limits is None else required.most
    techniques, solved = _walk_techniques(required, layout, rung, budget, engine)
    if not solved:
        return None if required.hardest is None else "too hard"
    if max(map(RUNGS.index, techniques), default=-1) < required.least:
        return "too easy"
    difficulty = 0 if limits is None else difficulty_of(techniques)
    if limits is None or limits.contains(difficulty):
        return None
    return "too easy" if limits.least is not None and difficulty < limits.least else "too hard"


def _walk_techniques(
    required: LayoutRequirements, layout: Layout, rung: int, budget: Budget, engine: Engine
) -> tuple[Sequence[str], bool]:
    """Return the techniques of a walk up to a rung (single numbers only if they matter), and whether it solves."""
    if rung >= EASY_RUNG and not 0 <= required.least <= EASY_RUNG:
        return hard_techniques(layout, upto=RUNGS[rung], budget=budget, engine=engine)
    game = walk(layout, upto=RUNGS[rung], budget=budget, engine=engine)
    return [step.deduction.technique for step in game.steps], game.solved
