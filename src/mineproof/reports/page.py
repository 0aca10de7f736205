"""The page of a report: one self-contained HTML file with its style and plots.

It has no script. Light or dark follows the system. Tables that are wider than the screen scroll sideways.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from mineproof.base.html_pages import bullets, document, facts, section
from mineproof.base.html_pages import table as written_table
from mineproof.reports import tables
from mineproof.reports.game_counts import Losses, Pair
from mineproof.reports.images import embed
from mineproof.reports.labels import common
from mineproof.reports.plots import Plot
from mineproof.reports.tables import ReportTable
from mineproof.simulation.results import Totals
from mineproof.sweeps.sweep_api import Sweep
from mineproof.wording.catalogue import language, message, number, plural

STYLE = Path(__file__).with_name("page.css").read_text("utf-8")


def page(
    sweep: Sweep, pairs: Sequence[Pair], losses: Sequence[Losses], plots: Sequence[Plot], left_out: Sequence[str]
) -> str:
    """Return the text of the page."""
    drawn = {plot.name: plot_figure(plot) for plot in plots}
    results = sweep.results
    rates = (drawn.pop("win-rate", ""), _rates(results))
    parts = [
        _page_head(sweep),
        section(message("report-section-rates"), *rates),
        section(message("report-section-pairs"), _pairs(results, pairs)) if pairs else "",
        *(section(plot.title, drawn[plot.name]) for plot in plots if plot.name in drawn),
        section(message("report-section-losses"), _ends(results, losses)) if losses else "",
        section(message("report-section-left-out"), bullets(left_out)) if left_out else "",
    ]
    games = plural("report-games", sum(totals.games for totals in results))
    title = message("report-page-title", configurations=plural("report-configurations", len(sweep)), games=games)
    return document(title, parts, STYLE, language=language())


def _page_head(sweep: Sweep) -> str:
    results = sweep.results
    games, goal = sum(totals.games for totals in results), sum(totals.asked for totals in results)
    strategies = {totals.strategy for totals in results}
    numbers = [
        (message("report-fact-configurations"), number(len(results))),
        (message("report-fact-games"), number(games)),
        (message("report-fact-strategies"), number(len(strategies))),
        ("mineproof", sweep.plan.version),
    ]
    shared = common(results) if results else ""
    lines = [f"<h1>{escape(message('report-title' if results else 'report-title-empty'))}</h1>"]
    if shared:
        lines.append(f'<p class="quiet">{escape(message("report-shared", parts=shared))}</p>')
    if not sweep.is_complete:
        finished = plural("report-finished", goal, games=number(games))
        lines.append(warning(message("report-incomplete"), f"{finished} {message('report-about-finished')}"))
    return "\n".join([*lines, facts(numbers)])


def warning(title: str, text: str) -> str:
    """Return a note that stands out."""
    return f'<p class="warning" role="note"><strong>{escape(title)}</strong> {escape(text)}</p>'


def quiet_note(text: str) -> str:
    """Return a note below a table."""
    return f'<p class="note quiet">{escape(text)}</p>'


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
    bars = [_interval_bar(totals) for totals in results]
    table = _html_table(tables.win_rates(results, means=True), message("report-table-rates"), bars)
    return table + quiet_note(message("report-note-means"))


def _interval_bar(totals: Totals) -> str:
    """Return a bar of the interval from 0 to 100 %, with a line at the rate."""
    if not totals.games:
        return "<span></span>"
    low, high = (100 * end for end in totals.interval)
    rate = 100 * totals.wins / totals.games
    inside = f'<i style="left:{low:.2f}%;width:{high - low:.2f}%"></i><b style="left:{rate:.2f}%"></b>'
    return f'<span aria-hidden="true">{inside}</span>'


def _pairs(results: Sequence[Totals], pairs: Sequence[Pair]) -> str:
    table = _html_table(tables.comparisons(results, pairs), message("report-table-pairs"))
    return table + quiet_note(message("report-note-pairs"))


def _ends(results: Sequence[Totals], losses: Sequence[Losses]) -> str:
    return _html_table(tables.ends(results, losses), message("report-table-losses"))


def _html_table(table: ReportTable, label: str, bars: Sequence[str] = ()) -> str:
    """Return a table; ``bars`` are a column after the intervals."""
    behind = [name for name, _ in table.columns].index("interval") + 1 if bars else 0
    heads = [f'<th scope="col"{_side(side)}>{escape(head)}</th>' for head, side in table.heads]
    if bars:
        heads.insert(behind, f'<th scope="col" class="bar">{escape(message("report-head-bar"))}</th>')
    rows = []
    for place, row in enumerate(table.rows):
        cells = [
            f"<td{_side(side, is_name=name in ('strategy', 'first', 'second', 'games-of'))}>{escape(entry)}</td>"
            for (name, side), entry in zip(table.columns, row, strict=True)
        ]
        if bars:
            cells.insert(behind, f'<td class="bar">{bars[place]}</td>')
        rows.append(cells)
    return written_table(label, heads, rows)


def _side(side: str, *, is_name: bool = False) -> str:
    return ' class="right"' if side == "right" else ' class="name"' if is_name else ""
