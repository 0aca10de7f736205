"""`report` reads a run once and returns a `Report`, which can be written as JSON, as a page, and as files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mineproof.base import checks, extras, files
from mineproof.base.cached import cached_property
from mineproof.reports import page
from mineproof.reports.game_counts import HEATMAP_MAX_CELLS, Losses, Pair, count, has_losses
from mineproof.reports.images import PLOT_EXTRA
from mineproof.reports.labels import short_name
from mineproof.reports.plots import Plot, PlotData, plots
from mineproof.sweeps.sweep_api import READ_ATTEMPTS, Sweep, read_sweep
from mineproof.wording.catalogue import language, message, number, plural

if TYPE_CHECKING:
    from mineproof.reports.wire import LossesJson, ReportJson

SCHEMA: Final = "mineproof/report/1"


@dataclass(frozen=True)
class Report:
    """Report of a run: its `sweep`, the ``pairs`` of strategies on the same games, and how games were lost.

    ``losses`` is empty if single games were not stored. ``left_out`` has a sentence for each missing part.
    """

    sweep: Sweep
    pairs: tuple[Pair, ...]
    losses: tuple[Losses, ...]

    def __repr__(self) -> str:
        return f"<Report of {self.sweep!r}>"

    @property
    def is_complete(self) -> bool:
        """Has the sweep played all its games?"""
        return self.sweep.is_complete

    @property
    def left_out(self) -> tuple[str, ...]:
        """Sentences about the missing parts and how to get them."""
        return tuple(_left_out(self.sweep, self.losses))

    @property
    def plots(self) -> tuple[Plot, ...]:
        """All plots in the current language; each has ``svg`` and ``png``. Needs matplotlib."""
        extras.load("matplotlib", PLOT_EXTRA, "plots")
        if language() not in self._plots:
            self._plots[language()] = tuple(plots(PlotData(self.sweep.results, self.losses)))
        return self._plots[language()]

    @cached_property
    def _plots(self) -> dict[str, tuple[Plot, ...]]:
        """The plots that were made, by language."""
        return {}

    @property
    def html(self) -> str:
        """One self-contained page. Without matplotlib it has no plots, and says so."""
        try:
            return page.page(self.sweep, self.pairs, self.losses, self.plots, self.left_out)
        except extras.ExtraMissing as error:
            return page.page(
                self.sweep, self.pairs, self.losses, (), (*self.left_out, message("report-no-plots", reason=error))
            )

    def as_json(self) -> ReportJson:
        """Return the ``mineproof/report/1`` object."""
        return {
            "schema": SCHEMA,
            "version": self.sweep.plan.version,
            "complete": self.is_complete,
            "configurations": [totals.as_json() for totals in self.sweep],
            "comparisons": [
                {**pair.comparison.as_json(), "configurations": [pair.first, pair.second]} for pair in self.pairs
            ],
            "losses": [_losses_json(losses) for losses in self.losses] or None,
            "left_out": list(self.left_out),
        }

    def files(self) -> dict[str, str | bytes]:
        """Return the files of `write` by name: the page, and with matplotlib an SVG and a PNG of each plot."""
        contents: dict[str, str | bytes] = {"report.html": self.html}
        try:
            drawn = self.plots
        except extras.ExtraMissing:
            drawn = ()
        for plot in drawn:
            contents |= {f"{plot.name}.svg": plot.svg, f"{plot.name}.png": plot.png}
        return contents

    def write(self, path: str | Path) -> list[Path]:
        """Write `files` into a folder, replacing existing ones, and return their paths."""
        folder = path if isinstance(path, Path) else Path(checks.instance("path", path, str, "the name of a folder"))
        contents = {folder / name: content for name, content in self.files().items()}
        files.make_folder(folder)
        for target, content in contents.items():
            files.write(target, content)
        return list(contents)


def report(run: Sweep | str | Path) -> Report:
    """Return the report of a sweep, or of the folder of one, even while it is running.

    Single games are read once, one unit at a time. SweepError names a damaged file.

    >>> from mineproof.sweeps.sweep_api import sweep
    >>> result = report(sweep("beginner", mines=[10, 20], games=64))
    >>> result
    <Report of <Sweep of 2 configurations: 128 games>>
    >>> result.left_out[0]
    'Strategies on the same games: the sweep has no folder. Run it with -o DIR.'
    """
    if isinstance(run, Sweep):
        return Report(run, *count(run))
    if not isinstance(run, str | Path):
        raise TypeError(f"run must be a Sweep or the name of its folder, got {type(run).__name__}")
    for _ in range(READ_ATTEMPTS - 1):
        try:
            return report(read_sweep(run))
        except FileNotFoundError:  # a part has become a complete file in the meantime
            continue
    return report(read_sweep(run))


def _left_out(sweep: Sweep, losses: tuple[Losses, ...]) -> list[str]:
    sentences = []
    if not any(totals.games for totals in sweep):
        sentences.append(message("report-no-games"))
    if sweep.folder is None:
        sentences.append(message("report-no-folder"))
    if not has_losses(sweep):
        sentences.append(message("report-no-losses"))
        return sentences
    without_odds = {
        short_name(totals.strategy) for totals, lost in zip(sweep, losses, strict=True) if lost.lost and not lost.bins
    }
    if without_odds:
        names = message("list-separator").join(sorted(without_odds))
        sentences.append(message("report-no-calibration", strategies=names))
    if large := sum(lost.cells is None for lost in losses):
        sentences.append(plural("report-no-heatmaps", large, cells=number(HEATMAP_MAX_CELLS)))
    return sentences


def _losses_json(losses: Losses) -> LossesJson:
    """Return losses as JSON: pairs of a number of moves or guesses, and the number of games lost at it."""
    return {
        "games": losses.games,
        "lost": losses.lost,
        "moves": _counts(losses.moves.tolist()),
        "guesses": _counts(losses.guesses.tolist()),
        "cells": None if losses.cells is None else losses.cells.tolist(),
        "calibration": [
            {
                "low": one.low,
                "high": one.high,
                "guesses": one.guesses,
                "mines": one.mines,
                "stated": one.stated,
                "interval": list(one.interval),
            }
            for one in losses.bins
        ],
    }


def _counts(counts: list[int]) -> list[list[int]]:
    return [[number, lost] for number, lost in enumerate(counts) if lost]
