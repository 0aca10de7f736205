"""The page of a report: one self-contained HTML file with its style and plots.

It has no script. Light or dark follows the system. Tables that are wider than the screen scroll sideways.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from mineproof.base.html_pages import bullets, document, facts, section
from mineproof.base.html_pages import table as written_table
from mineproof.base.words import plural
from mineproof.reports import tables
from mineproof.reports.game_counts import Losses, Pair
from mineproof.reports.images import embed
from mineproof.reports.labels import common
from mineproof.reports.plots import Plot
from mineproof.reports.tables import ReportTable
from mineproof.simulation.results import Totals
from mineproof.sweeps.sweep_api import Sweep

STYLE = Path(__file__).with_name("page.css").read_text("utf-8")


def page(
    sweep: Sweep, pairs: Sequence[Pair], losses: Sequence[Losses], plots: Sequence[Plot], left_out: Sequence[str]
) -> str:
    """Return the text of the page."""
    drawn = {plot.name: plot_figure(plot) for plot in plots}
    results = sweep.results
    rates = (drawn.pop("win-rate", ""), _rates(results))
    parts = [
        _head(sweep),
        section("Win rates", *rates),
        section("Strategies on the same games", _pairs(results, pairs)) if pairs else "",
        *(section(plot.title, drawn[plot.name]) for plot in plots if plot.name in drawn),
        section("How games are lost", _ends(results, losses)) if losses else "",
        section("Not in this report", bullets(left_out)) if left_out else "",
    ]
    title = f"{plural(len(sweep), 'configuration')}, {plural(sum(totals.games for totals in results), 'game')}"
    return document(f"Sweep: {title}", parts, STYLE)


def _head(sweep: Sweep) -> str:
    results = sweep.results
    games, goal = sum(totals.games for totals in results), sum(totals.asked for totals in results)
    strategies = {totals.strategy for totals in results}
    numbers = [
        ("configurations", f"{len(results):,}"),
        ("games", f"{games:,}"),
        ("strategies", f"{len(strategies):,}"),
        ("mineproof", sweep.plan.version),
    ]
    shared = common(results) if results else ""
    lines = [f"<h1>{'Report of a sweep' if results else 'Report of an empty sweep'}</h1>"]
    if shared:
        lines.append(f'<p class="quiet">In all configurations: {escape(shared)}.</p>')
    if not sweep.is_complete:
        lines.append(
            f'<p class="warning" role="note"><strong>This run is not complete.</strong> {games:,} of {goal:,} games '
            "are finished. All numbers below are about these games.</p>"
        )
    return "\n".join([*lines, facts(numbers)])


def plot_figure(plot: Plot) -> str:
    """Return a plot with its caption as part of a page."""
    drawing = embed(plot.svg, plot.title, plot.alternative, plot.name)
    return (
        f'<figure>\n<div class="plot" tabindex="0" role="group" aria-label="{escape(plot.title)}">{drawing}</div>\n'
        f"<figcaption>{escape(plot.caption)}</figcaption>\n</figure>"
    )


# tables


def _rates(results: Sequence[Totals]) -> str:
    if not results:
        return ""
    bars = [_bar(totals) for totals in results]
    note = '<p class="note quiet">Moves, guesses and odds survived are averages over won games.</p>'
    return _table(tables.win_rates(results, means=True), "Win rate by configuration", bars) + note


def _bar(totals: Totals) -> str:
    """Return a bar of the interval from 0 to 100 %, with a line at the rate."""
    if not totals.games:
        return "<span></span>"
    low, high = (100 * end for end in totals.interval)
    rate = 100 * totals.wins / totals.games
    inside = f'<i style="left:{low:.2f}%;width:{high - low:.2f}%"></i><b style="left:{rate:.2f}%"></b>'
    return f'<span aria-hidden="true">{inside}</span>'


def _pairs(results: Sequence[Totals], pairs: Sequence[Pair]) -> str:
    note = (
        '<p class="note quiet">Difference: the win rate of the first strategy minus that of the second, in percentage '
        "points, on the games that both have played, with its 95 % interval. Won alone: games that only the first or "
        "only the second strategy won.</p>"
    )
    return _table(tables.comparisons(results, pairs), "Strategies compared on the same games") + note


def _ends(results: Sequence[Totals], losses: Sequence[Losses]) -> str:
    return _table(tables.ends(results, losses), "When games are lost")


def _table(table: ReportTable, label: str, bars: Sequence[str] = ()) -> str:
    """Return a table; ``bars`` are a column after the intervals."""
    behind = [head for head, _ in table.heads].index("95 % interval") + 1 if bars else 0
    heads = [f'<th scope="col"{_side(side)}>{escape(head)}</th>' for head, side in table.heads]
    if bars:
        heads.insert(behind, '<th scope="col" class="bar">0 to 100 %</th>')
    rows = []
    for number, row in enumerate(table.rows):
        cells = [
            f"<td{_side(side, is_name=head in ('strategy', 'first', 'second', 'games of'))}>{escape(entry)}</td>"
            for (head, side), entry in zip(table.heads, row, strict=True)
        ]
        if bars:
            cells.insert(behind, f'<td class="bar">{bars[number]}</td>')
        rows.append(cells)
    return written_table(label, heads, rows)


def _side(side: str, *, is_name: bool = False) -> str:
    return ' class="right"' if side == "right" else ' class="name"' if is_name else ""
