"""New layouts, each a function of (seed, number): drawn uniformly, or made to need no guess.

Drawn      Every layout that the first click allows is equally likely. Layout ``number`` of a seed is dealt by that
           stream of the seed (see `mineproof.base.rng`), so it can be made again alone, on any machine.
No guess   ``rejection`` draws until certainty opens the layout from its start: uniform over the layouts that need no
           guess, and hopeless where those are rare. ``repair`` changes a layout where the solver got stuck (see
           native/src/no_guess.cpp): fast at any density, and not uniform: it prefers clumps of mines and clearings.
Filtered   With ``needs`` or ``hardest``, layouts without a guess are made until one suits: candidate a of (seed,
           number) is number a of a seed derived from the two. A candidate is walked with no harder technique than it
           takes to refuse it, which is what filtering costs.
Many       Each layout depends on its number alone, so they can be made in any order; they are handed out in order.
           Threads do where only the kernel works, which releases the GIL; walking is Python and takes processes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Generator, Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Literal, Unpack

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import CANDIDATES, Random, derive
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import as_size
from mineproof.board.start import FirstClick
from mineproof.engine.answers import Engine, NoGuessOrder
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BudgetExceeded
from mineproof.game.layout import Layout
from mineproof.generation.certificate import Certificate
from mineproof.generation.certifying import certify
from mineproof.generation.walk import RUNGS, walk
from mineproof.generation.wishes import Method, Wish, Wishes
from mineproof.generation.workers import Task, in_order

SCHEMA = "mineproof/generated/1"


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

    def generated_json(self, *, certificate: bool = False) -> dict[str, object]:
        """The ``mineproof/generated/1`` shape; ``as_json`` is that of the layout alone."""
        made = {"seed": self.seed, "number": self.number, "method": self.method, "attempts": self.attempts}
        proof = self.certificate if certificate else None
        shown: dict[str, object] = {"schema": SCHEMA, **made, "layout": self.as_json()}
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
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Generated:
    """Layout ``number`` of a seed; its size is ``rows``, ``columns`` and ``mines``, or a level or ``"WxHxM"`` alone.

    With a ``start`` the layout suits a first click there: ``any`` promises nothing, ``safe``, the default, a free cell,
    ``open`` free neighbours too, as far as there is room for the mines elsewhere.

    ``no_guess`` makes it open by certainty alone from its start, which is free in any case and by default in the
    middle; ``first_click`` is then ``open`` unless it is given, for hardly any layout opens from a lone number. Then
    ``needs`` names a technique such that it or a harder one is needed, ``hardest`` one such that no harder one is.

    Raises BoardSyntaxError for a board that cannot be, and BudgetExceeded, which says how far the best try came, when
    none was found in time.

    >>> sorted(generate(3, 4, 2, seed=7).mines)
    [(0, 2), (2, 3)]
    >>> found = generate("expert", seed=7, no_guess=True, start=(4, 4))
    >>> found.certificate.solved
    True
    """
    size = as_size(rows, columns, mines)
    wish = Wish(*size, no_guess, start, first_click, topology, absent, method, needs, hardest)
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
    if threads == 1 or count == 1 or not wish.no_guess:
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


# of a wished difficulty


def _suitable(wish: Wish, seed: int, number: int, budget: Budget, engine: Engine) -> Generated:
    """The first candidate that is as hard as it should be."""
    started, deadline = time.monotonic(), Deadline(budget)
    source = Random(derive(seed, CANDIDATES), number).next()
    refused: Counter[str] = Counter()
    attempts = 0
    while True:
        try:
            made = engine.no_guess(_order(wish), source, refused.total(), deadline.rest())
            attempts += made.deals + made.repairs
            layout = _layout(wish, made.mines, seed, number, attempts)
            fault = _fault(wish, layout, deadline.rest(), engine)
            if fault is None:
                return layout
            refused[fault] += 1
            budget.stop_if_asked()
            deadline.check()
        except BudgetExceeded as error:
            if not refused:
                raise
            raise _unsuitable(wish, refused, error.limit, time.monotonic() - started) from None


def _fault(wish: Wish, layout: Layout, budget: Budget, engine: Engine) -> str | None:
    """Why a layout without a guess does not suit, asked of no harder techniques than it takes to tell."""
    upto = max(0, wish.least - 1) if wish.hardest is None else wish.most
    found = walk(layout, upto=RUNGS[upto], budget=budget, engine=engine)
    if not found.solved:
        return None if wish.hardest is None else "too hard"
    hardest = max((RUNGS.index(step.deduction.technique) for step in found.steps), default=-1)
    return "too easy" if hardest < wish.least else None


def _unsuitable(wish: Wish, refused: Counter[str], limit: str, seconds: float) -> BudgetExceeded:
    asked = [f"{name}={rung}" for name, rung in (("needs", wish.needs), ("hardest", wish.hardest)) if rung]
    faults = " and ".join(f"{times:,} {fault}" for fault, times in sorted(refused.items()))
    made = f"{refused.total():,} without a guess were made: {faults}"
    message = f"found no layout with {' and '.join(asked)} in {seconds:.2f} s; {made}"
    return BudgetExceeded(message, limit=limit, seconds=seconds)
