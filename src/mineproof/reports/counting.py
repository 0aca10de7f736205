"""What a report counts over single games: who won which of them, and how they were lost.

Pairs      Configurations that differ in the strategy alone have the same layouts. They are read side by side, a unit
           of each at a time, so that the outcomes of a game stand next to each other and memory stays flat. Units may
           differ in size from one strategy to another.
Losses     Of lost games: after how many moves, at which guess, on which cell. With these sums the share of games that
           are not lost yet is known after any number of moves, with its interval: a game won is never lost. (The
           estimator of Kaplan and Meier would take a game won for one that left, which might have been lost later.)
Cost       The files of a run are read once for pairs and losses, and once more for the calibration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.simulation.comparison import Comparison, Outcomes, compared
from mineproof.simulation.intervals import Interval, wilson
from mineproof.simulation.results import Totals
from mineproof.simulation.series import PARTS
from mineproof.sweeps.swept import Sweep

Counts = npt.NDArray[np.int64]

MOST_CELLS = 10_000  # of a board whose cells are counted one by one
BINS = 20  # of the calibration in a report, 5 percentage points each
NEEDED = ("lost_cell", "moves", "guesses")  # columns without which losses are not known


class Pair(NamedTuple):
    """Two configurations that differ in the strategy alone, by number, and what came of their games."""

    first: int
    second: int
    comparison: Comparison


class Step(NamedTuple):
    """After so many moves, or guesses: how many games were not lost yet, as a share with its interval."""

    after: int
    share: float
    interval: Interval


class Bin(NamedTuple):
    """Guesses whose stated mine probability is within bounds: how many, how many mines, and the mean of what was said.

    ``interval`` is that of the share of mines.
    """

    low: float
    high: float
    guesses: int
    mines: int
    stated: float

    @property
    def share(self) -> float:
        return self.mines / self.guesses

    @property
    def interval(self) -> Interval:
        return wilson(self.mines, self.guesses)


@dataclass(eq=False)
class Losses:
    """How the games of one configuration were lost; entry *k* of an array counts games lost at move, or guess, *k*."""

    games: int = 0
    lost: int = 0
    moves: Counts = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    guesses: Counts = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    cells: Counts | None = None  # rows × columns
    bins: tuple[Bin, ...] = ()

    def add(self, unit: dict[str, Any]) -> None:
        """Count the games of a unit too."""
        lost = ~unit["won"]
        self.games += len(lost)
        self.lost += int(np.count_nonzero(lost))
        self.moves = _plus(self.moves, unit["moves"][lost])
        self.guesses = _plus(self.guesses, unit["guesses"][lost])
        if self.cells is not None:
            counts = np.bincount(unit["lost_cell"][lost], minlength=self.cells.size)
            self.cells += counts.reshape(self.cells.shape)

    def survival(self, by: str) -> list[Step]:
        """The share of games not lost after each number of ``moves`` or ``guesses`` at which some were."""
        counts: Counts = getattr(self, by)
        left = self.games - np.cumsum(counts)
        places = np.flatnonzero(counts)
        return [Step(int(at), int(left[at]) / self.games, wilson(int(left[at]), self.games)) for at in places]


def _plus(counts: Counts, values: npt.NDArray[np.integer[Any]]) -> Counts:
    """The counts with those of more values."""
    more = np.bincount(values, minlength=len(counts)).astype(np.int64)
    more[: len(counts)] += counts
    return more


def has_losses(found: Sweep) -> bool:
    """Does the sweep keep how each game was lost?"""
    kept = [{column.name for column in each.columns} for each in found.plan.configurations]
    return found.folder is not None and bool(kept) and all(names.issuperset(NEEDED) for names in kept)


def count(found: Sweep) -> tuple[tuple[Pair, ...], tuple[Losses, ...]]:
    """All pairs, and the losses of all configurations; of a sweep that does not keep these, none.

    SweepError names a file that is damaged.
    """
    if found.folder is None:
        return (), ()
    losses = [_losses(each) for each in found] if has_losses(found) else []
    pairs: list[Pair] = []
    for group in _groups(found):
        if losses or len(group) > 1:
            pairs += _read(found, group, losses)
    for number, each in enumerate(losses):
        each.bins = _bins(found, number)
    return tuple(pairs), tuple(losses)


def _groups(found: Sweep) -> list[list[int]]:
    """Configurations with the same games, whoever plays them."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, each in enumerate(found):
        key = tuple(getattr(each, name) for name in PARTS if name != "strategy")
        groups.setdefault(key, []).append(number)
    return list(groups.values())


def _losses(found: Totals) -> Losses:
    cells = found.rows * found.columns
    return Losses(
        cells=np.zeros((found.rows, found.columns), dtype=np.int64) if cells <= MOST_CELLS else None,
    )


def _read(found: Sweep, group: Sequence[int], losses: Sequence[Losses]) -> Iterator[Pair]:
    """Read the games of a group once."""
    outcomes = [_outcomes(found, number, losses) for number in group]
    pairs = compared([found[number].strategy for number in group], outcomes)
    for each in outcomes if losses else ():
        for _ in each:  # games that no other configuration has
            pass
    for (first, second), comparison in pairs.items():
        yield Pair(group[first], group[second], comparison)


def _outcomes(found: Sweep, number: int, losses: Sequence[Losses]) -> Iterator[Outcomes]:
    """Which games were won, a unit at a time; their losses are counted on the way."""
    for unit in found.records(number):
        if losses:
            losses[number].add(unit)
        yield np.asarray(unit["won"], dtype=np.bool_)


def _bins(found: Sweep, number: int) -> tuple[Bin, ...]:
    """The calibration of one configuration, in bins that hold a guess."""
    edges, guesses, mines, stated = found.calibration(number)
    step = len(guesses) // BINS
    made = []
    for begin in range(0, len(guesses), step):
        part = slice(begin, begin + step)
        if asked := int(guesses[part].sum()):
            bounds = (float(edges[begin]), float(edges[begin + step]))
            made.append(Bin(*bounds, asked, int(mines[part].sum()), float(stated[part].sum()) / asked))
    return tuple(made)


def together(bins: Sequence[Sequence[Bin]]) -> list[Bin]:
    """The calibration of several configurations in one."""
    by: dict[float, list[Bin]] = {}
    for each in bins:
        for one in each:
            by.setdefault(one.low, []).append(one)
    return [_joined(by[low]) for low in sorted(by)]


def _joined(same: list[Bin]) -> Bin:
    guesses = sum(each.guesses for each in same)
    stated = sum(each.stated * each.guesses for each in same) / guesses
    return Bin(same[0].low, same[0].high, guesses, sum(each.mines for each in same), stated)
