"""The page of a report: one HTML file with its style and its plots in it, that asks for nothing from elsewhere.

It has no script. Light and dark follow the reader's system. Tables scroll sideways where they are wider than a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from mineproof.base.html_pages import bullets, document, facts, section
from mineproof.base.html_pages import table as written_table
from mineproof.base.words import plural
from mineproof.reports import tables
from mineproof.reports.counting import Losses, Pair
from mineproof.reports.images import inlined
from mineproof.reports.naming import common
from mineproof.reports.plots import Plot
from mineproof.reports.tables import Table
from mineproof.simulation.results import Totals
from mineproof.sweeps.swept import Sweep

STYLE = Path(__file__).with_name("page.css").read_text("utf-8")


def page(
    sweep: Sweep, pairs: Sequence[Pair], losses: Sequence[Losses], plots: Sequence[Plot], left_out: Sequence[str]
) -> str:
    """The text of the page."""
    drawn = {plot.name: _figure(plot) for plot in plots}
    found = sweep.results
    rates = (drawn.pop("win-rate", ""), _rates(found))
    parts = [
        _head(sweep),
        section("Win rates", *rates),
        section("Strategies on the same games", _pairs(found, pairs)) if pairs else "",
        *(section(plot.title, drawn[plot.name]) for plot in plots if plot.name in drawn),
        section("How games are lost", _ends(found, losses)) if losses else "",
        section("What is left out", bullets(left_out)) if left_out else "",
    ]
    title = f"{plural(len(sweep), 'configuration')}, {plural(sum(each.games for each in found), 'game')}"
    return document(f"Sweep: {title}", parts, STYLE)


def _head(sweep: Sweep) -> str:
    found = sweep.results
    games, asked = sum(each.games for each in found), sum(each.asked for each in found)
    strategies = list(dict.fromkeys(each.strategy for each in found))
    told = [
        ("configurations", f"{len(found):,}"),
        ("games", f"{games:,}"),
        ("strategies", f"{len(strategies):,}"),
        ("mineproof", sweep.plan.version),
    ]
    shared = common(found) if found else ""
    lines = [f"<h1>{'Report of a sweep' if found else 'Report of an empty sweep'}</h1>"]
    if shared:
        lines.append(f'<p class="quiet">In all configurations: {escape(shared)}.</p>')
    if not sweep.is_complete:
        left = f"{plural(asked - games, 'game')} of {asked:,}"
        lines.append(
            f'<p class="warning" role="note"><strong>This run is not complete.</strong> {left} are left to play; '
            "everything below is of the games that are finished.</p>"
        )
    return "\n".join([*lines, facts(told)])


def _figure(plot: Plot) -> str:
    drawing = inlined(plot.svg, plot.title, plot.alternative, plot.name)
    return (
        f'<figure>\n<div class="plot" tabindex="0" role="group" aria-label="{escape(plot.title)}">{drawing}</div>\n'
        f"<figcaption>{escape(plot.caption)}</figcaption>\n</figure>"
    )


# tables


def _rates(found: Sequence[Totals]) -> str:
    if not found:
        return ""
    bars = [_bar(each) for each in found]
    words = '<p class="note quiet">Moves, guesses and the odds survived are means of games won.</p>'
    return _table(tables.win_rates(found, means=True), "Win rate by configuration", bars) + words


def _bar(found: Totals) -> str:
    """The interval from 0 to 100 %, with a line at the rate."""
    if not found.games:
        return "<span></span>"
    low, high = (100 * end for end in found.interval)
    rate = 100 * found.wins / found.games
    inside = f'<i style="left:{low:.2f}%;width:{high - low:.2f}%"></i><b style="left:{rate:.2f}%"></b>'
    return f'<span aria-hidden="true">{inside}</span>'


def _pairs(found: Sequence[Totals], pairs: Sequence[Pair]) -> str:
    words = (
        '<p class="note quiet">The win rate of the first strategy less that of the second, in percentage points, on '
        "the games that both have played, with its 95 % interval. Won alone: games that only the first, and that "
        "only the second won.</p>"
    )
    return _table(tables.comparisons(found, pairs), "Strategies compared on the same games") + words


def _ends(found: Sequence[Totals], losses: Sequence[Losses]) -> str:
    return _table(tables.ends(found, losses), "When games are lost")


def _table(table: Table, label: str, bars: Sequence[str] = ()) -> str:
    """A table; ``bars`` stand behind the intervals, in a column of their own."""
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
