"""The pages and plots of sweeps and leagues, in every language, whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

import mineproof as mp
from mineproof.leagues.page import league_page, league_plots
from mineproof.reports.page import page
from mineproof.reports.plots import Plot
from mineproof.simulation.forfeits import Forfeit, Forfeits
from mineproof.wording.catalogue import message, use_language
from support.engines import needs_kernel
from support.golden_sentences import check_sentences
from support.html import Page
from support.reports import made_report, totals

RESULTS = [
    totals(wins, mines=mines, strategy=strategy, topology="hex")
    for mines, wins in ((6, 100), (10, 60))
    for strategy in ("fast", "go")
]
INCOMPLETE = [replace(RESULTS[0], asked=2000, first_click="any", start="random"), *RESULTS[1:]]


def plot_texts(plot: Plot) -> list[str]:
    return [plot.title, plot.caption, plot.alternative]


def words(html: str) -> list[str]:
    """The texts of a page, without the version and without times."""
    texts = [" ".join(text.split()) for text in Page(html).words]
    return [text for text in texts if text and not re.search(r"^[\d.,]+ [mµ]?s$", text)]


def report_texts() -> Iterator[str]:
    report = made_report(RESULTS)
    for plot in report.plots:
        yield from plot_texts(plot)
    yield from words(page(report.sweep, report.pairs, report.losses, (), report.left_out))
    small = made_report(INCOMPLETE, per_game=False, pairs=False)
    yield from words(page(small.sweep, (), (), (), small.left_out))


def test_reports() -> None:
    check_sentences("reports", report_texts)


@needs_kernel
def test_leagues() -> None:
    whole = mp.league(["fast", "go"], "beginner", games=20, seed=1)
    forfeits = Forfeits(1, (Forfeit(3, "the bot ended with status 0"),))
    players = (replace(whole.simulations[0], forfeits=forfeits), *whole.simulations[1:])
    league = replace(whole, simulations=players, goal=100)

    def render() -> Iterator[str]:
        for plot in league_plots(league):
            yield from plot_texts(plot)
        yield from words(re.sub(r"<figure>.*?</figure>", "", league_page(league), flags=re.DOTALL))

    check_sentences("leagues", render)


@pytest.mark.parametrize("name", ["win-rate", "survival-moves", "calibration", "lost-cells"])
def test_a_report_has_its_plots_in_the_language_of_the_reader(name: str) -> None:
    """Also if another language was drawn first."""
    report = made_report(RESULTS)
    keys = {"win-rate": "report-axis-won", "survival-moves": "report-axis-not-lost", "lost-cells": "report-axis-row",
            "calibration": "report-axis-stated"}  # fmt: skip
    for language in ("en", "de"):
        with use_language(language):
            [svg] = [plot.svg for plot in report.plots if plot.name == name]
            assert f">{message(keys[name])}<" in svg
            assert f'<html lang="{language}">' in report.html
