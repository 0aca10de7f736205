"""Count single games for a report: which strategy won which games, and how games were lost.

Pairs      Configurations that differ only in the strategy have the same layouts. They are read in parallel, one unit of
           each at a time, so memory stays constant. Units of different strategies may differ in size.
Losses     For lost games: the number of moves, the guess and the cell. These sums give the share of games not yet lost
           after any number of moves, with its interval; won games are never lost. (The Kaplan-Meier estimator would
           treat a won game as one that left the study and could have been lost later.)
Cost       The files of a run are read once for pairs and losses, and once more for the calibration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base.arrays import all_equal
from mineproof.simulation.comparison import Comparison, Outcomes, compare_all
from mineproof.simulation.intervals import Interval, wilson
from mineproof.simulation.results import Totals
from mineproof.simulation.series import PARTS
from mineproof.sweeps.sweep_api import Sweep

Counts = npt.NDArray[np.int64]

HEATMAP_MAX_CELLS = 10_000  # of a board whose cells are counted one by one
BINS = 20  # of the calibration in a report, 5 percentage points each
LOSS_COLUMNS = ("lost_cell", "moves", "guesses")  # required to count losses


class Pair(NamedTuple):
    """Two configurations that differ only in the strategy, by number, and their comparison."""

    first: int
    second: int
    comparison: Comparison


class SurvivalStep(NamedTuple):
    """Share of games not lost after a number of moves or guesses, with its interval."""

    after: int
    share: float
    interval: Interval


class Bin(NamedTuple):
    """Guesses whose stated mine probability is within bounds: their number, the mines, and the mean stated probability.

    ``interval`` is the 95 % interval of the share of mines.
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
    """How the games of one configuration were lost; entry *k* of an array counts games lost at move or guess *k*."""

    games: int = 0
    lost: int = 0
    moves: Counts = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    guesses: Counts = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    cells: Counts | None = None  # rows × columns
    bins: tuple[Bin, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Losses) and all_equal(vars(self).values(), vars(other).values())

    __hash__ = None  # type: ignore[assignment]

    def add(self, unit: dict[str, Any]) -> None:
        """Add the games of a unit."""
        lost = ~unit["won"]
        self.games += len(lost)
        self.lost += int(np.count_nonzero(lost))
        self.moves = _plus(self.moves, unit["moves"][lost])
        self.guesses = _plus(self.guesses, unit["guesses"][lost])
        if self.cells is not None:
            cells = unit["lost_cell"][lost]
            counts = np.bincount(cells[cells >= 0], minlength=self.cells.size)  # a bot may lose without a cell
            self.cells += counts.reshape(self.cells.shape)

    def survival(self, by: str) -> list[SurvivalStep]:
        """Return the share of games not lost after each number of ``moves`` or ``guesses`` that lost a game."""
        counts: Counts = getattr(self, by)
        left = self.games - np.cumsum(counts)
        places = np.flatnonzero(counts)
        return [SurvivalStep(int(at), int(left[at]) / self.games, wilson(int(left[at]), self.games)) for at in places]


def _plus(counts: Counts, values: npt.NDArray[np.integer[Any]]) -> Counts:
    """Return the counts plus those of more values."""
    more = np.bincount(values, minlength=len(counts)).astype(np.int64)
    more[: len(counts)] += counts
    return more


def has_losses(sweep: Sweep) -> bool:
    """Return whether the sweep stored how each game was lost."""
    stored = [{column.name for column in one.columns} for one in sweep.plan.configurations]
    return sweep.folder is not None and bool(stored) and all(names.issuperset(LOSS_COLUMNS) for names in stored)


def count(sweep: Sweep) -> tuple[tuple[Pair, ...], tuple[Losses, ...]]:
    """Return all pairs, and the losses of all configurations; no losses if the sweep did not store them.

    SweepError names a damaged file.
    """
    if sweep.folder is None:
        return (), ()
    losses = [_new_losses(totals) for totals in sweep] if has_losses(sweep) else []
    pairs: list[Pair] = []
    for group in _groups(sweep):
        if losses or len(group) > 1:
            pairs += _read_group(sweep, group, losses)
    for number, configuration in enumerate(losses):
        configuration.bins = _bins(sweep, number)
    return tuple(pairs), tuple(losses)


def _groups(sweep: Sweep) -> list[list[int]]:
    """Return groups of configurations with the same games and different strategies."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, totals in enumerate(sweep):
        key = tuple(getattr(totals, name) for name in PARTS if name != "strategy")
        groups.setdefault(key, []).append(number)
    return list(groups.values())


def _new_losses(totals: Totals) -> Losses:
    shape = (totals.rows, totals.columns)
    has_cells = totals.rows * totals.columns <= HEATMAP_MAX_CELLS
    return Losses(cells=np.zeros(shape, dtype=np.int64) if has_cells else None)


def _read_group(sweep: Sweep, group: Sequence[int], losses: Sequence[Losses]) -> Iterator[Pair]:
    """Read the games of a group once."""
    outcomes = [_outcomes(sweep, number, losses) for number in group]
    pairs = compare_all([sweep[number].strategy for number in group], outcomes)
    for rest in outcomes if losses else ():
        for _ in rest:  # games that no other configuration has
            pass
    for (first, second), comparison in pairs.items():
        yield Pair(group[first], group[second], comparison)


def _outcomes(sweep: Sweep, number: int, losses: Sequence[Losses]) -> Iterator[Outcomes]:
    """Yield which games were won, one unit at a time, and count their losses."""
    for unit in sweep.records(number):
        if losses:
            losses[number].add(unit)
        yield np.asarray(unit["won"], dtype=np.bool_)


def _bins(sweep: Sweep, number: int) -> tuple[Bin, ...]:
    """Return the non-empty bins of the calibration of one configuration."""
    edges, guesses, mines, stated = sweep.calibration(number)
    step = len(guesses) // BINS
    bins = []
    for begin in range(0, len(guesses), step):
        part = slice(begin, begin + step)
        if total := int(guesses[part].sum()):
            bounds = (float(edges[begin]), float(edges[begin + step]))
            bins.append(Bin(*bounds, total, int(mines[part].sum()), float(stated[part].sum()) / total))
    return tuple(bins)


def merge_bins(bins: Sequence[Sequence[Bin]]) -> list[Bin]:
    """Return the calibration of several configurations together."""
    by_bound: dict[float, list[Bin]] = {}
    for one in (one for configuration in bins for one in configuration):
        by_bound.setdefault(one.low, []).append(one)
    return [_merge(by_bound[low]) for low in sorted(by_bound)]


def _merge(same: list[Bin]) -> Bin:
    guesses = sum(one.guesses for one in same)
    stated = sum(one.stated * one.guesses for one in same) / guesses
    return Bin(same[0].low, same[0].high, guesses, sum(one.mines for one in same), stated)
