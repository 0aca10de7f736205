"""`report` reads a run once; a `Report` tells it as JSON, as a page, and as files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mineproof.base import checks, extras, files
from mineproof.base.words import plural
from mineproof.reports import page
from mineproof.reports.counting import MOST_CELLS, Losses, Pair, count, has_losses
from mineproof.reports.images import PLOT
from mineproof.reports.naming import shown
from mineproof.reports.plots import Data, Plot, plots
from mineproof.sweeps.swept import ATTEMPTS, Sweep, read_sweep

SCHEMA = "mineproof/report/1"


@dataclass(frozen=True, eq=False)
class Report:
    """What a run found: its `sweep`, the ``pairs`` of strategies on the same games, and how games were lost.

    ``losses`` is empty where single games were not kept. ``left_out`` has a sentence for each thing that is not there.
    """

    sweep: Sweep
    pairs: tuple[Pair, ...]
    losses: tuple[Losses, ...]

    def __repr__(self) -> str:
        return f"<Report of {self.sweep!r}>"

    @property
    def is_complete(self) -> bool:
        return self.sweep.is_complete

    @property
    def left_out(self) -> tuple[str, ...]:
        """What cannot be told, and how to get it."""
        return tuple(_left_out(self.sweep, self.losses))

    @cached_property
    def plots(self) -> tuple[Plot, ...]:
        """All plots; each has ``svg`` and ``png``. ImportError if matplotlib is missing."""
        extras.load("matplotlib", PLOT, "plots")
        return tuple(plots(Data(self.sweep.results, self.losses)))

    @property
    def html(self) -> str:
        """One page with everything in it; without plots where matplotlib is missing, and then it says so."""
        try:
            return page.page(self.sweep, self.pairs, self.losses, self.plots, self.left_out)
        except extras.ExtraMissing as error:
            return page.page(self.sweep, self.pairs, self.losses, (), (*self.left_out, f"Plots: {error}."))

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/report/1`` shape."""
        return {
            "schema": SCHEMA,
            "version": self.sweep.plan.version,
            "complete": self.is_complete,
            "configurations": [each.as_json() for each in self.sweep],
            "comparisons": [
                {**pair.comparison.as_json(), "configurations": [pair.first, pair.second]} for pair in self.pairs
            ],
            "losses": [_losses_json(each) for each in self.losses] or None,
            "left_out": list(self.left_out),
        }

    def files(self) -> dict[str, str | bytes]:
        """What `write` writes, by name: the page, and an SVG and a PNG of each plot where there is matplotlib."""
        made: dict[str, str | bytes] = {"report.html": self.html}
        try:
            drawn = self.plots
        except extras.ExtraMissing:
            drawn = ()
        for plot in drawn:
            made |= {f"{plot.name}.svg": plot.svg, f"{plot.name}.png": plot.png}
        return made

    def write(self, path: str | Path) -> list[Path]:
        """Write `files` into a folder, in place of those that are there; their paths."""
        folder = path if isinstance(path, Path) else Path(checks.instance("path", path, str, "the name of a folder"))
        made = {folder / name: content for name, content in self.files().items()}
        for target, content in made.items():
            files.write(target, content)
        return list(made)


def report(run: Sweep | str | Path) -> Report:
    """What a run found, to be shown: a sweep, or the folder of one, also while it is being played.

    Single games are read once, a unit at a time; SweepError names a file that is damaged.

    >>> from mineproof.sweeps.swept import sweep
    >>> found = report(sweep("beginner", mines=[10, 20], games=64))
    >>> found
    <Report of <Sweep of 2 configurations: 128 games>>
    >>> found.left_out[0]
    'Strategies on the same games: the sweep has no folder; play it with -o DIR.'
    """
    if isinstance(run, Sweep):
        return Report(run, *count(run))
    if not isinstance(run, str | Path):
        raise TypeError(f"found run of type {type(run).__name__}, expected a Sweep or the name of its folder")
    for _ in range(ATTEMPTS - 1):
        try:
            return report(read_sweep(run))
        except FileNotFoundError:  # a part has become a whole file in between
            continue
    return report(read_sweep(run))


def _left_out(sweep: Sweep, losses: tuple[Losses, ...]) -> list[str]:
    told = []
    if not any(each.games for each in sweep):
        told.append("Rates and plots: no game is finished yet.")
    if sweep.folder is None:
        told.append("Strategies on the same games: the sweep has no folder; play it with -o DIR.")
    if not has_losses(sweep):
        names = "Survival, calibration, and where games are lost"
        told.append(f"{names}: single games were not kept; play the run with --per-game.")
        return told
    silent = {shown(each.strategy) for each, lost in zip(sweep, losses, strict=True) if lost.lost and not lost.bins}
    if silent:
        told.append(f"Calibration: no odds are stated by {', '.join(sorted(silent))}.")
    if large := sum(each.cells is None for each in losses):
        boards = f"{plural(large, 'configuration')} with a board of more than {MOST_CELLS:,} cells"
        told.append(f"Where games are lost: {boards}; games.parquet has the cell of each game.")
    return told


def _losses_json(losses: Losses) -> dict[str, object]:
    """How games were lost, as JSON: pairs of a number of moves, or guesses, and of games lost at it."""
    return {
        "games": losses.games,
        "lost": losses.lost,
        "moves": _counts(losses.moves.tolist()),
        "guesses": _counts(losses.guesses.tolist()),
        "cells": None if losses.cells is None else losses.cells.tolist(),
        "calibration": [
            {
                "low": each.low,
                "high": each.high,
                "guesses": each.guesses,
                "mines": each.mines,
                "stated": each.stated,
                "interval": list(each.interval),
            }
            for each in losses.bins
        ],
    }


def _counts(counts: list[int]) -> list[list[int]]:
    return [[number, lost] for number, lost in enumerate(counts) if lost]
