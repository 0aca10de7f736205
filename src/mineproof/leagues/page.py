"""The page of a league: one self-contained HTML file with the table and plots, in the style of reports."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mineproof.base import extras
from mineproof.base.html_pages import bullets, document, facts, section, table
from mineproof.base.words import plural, size
from mineproof.leagues.results import League, LeagueRow
from mineproof.reports.images import COLOURS, PLOT_EXTRA
from mineproof.reports.labels import short_name, start_label
from mineproof.reports.page import STYLE, plot_figure
from mineproof.reports.plots import Plot
from mineproof.reports.tables import points, rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, ROW_HEIGHT, MARGIN = 7.2, 0.32, 1.0  # inches
HEADS = ("place", "player", "won", "95 % interval", "behind the best", "95 % interval", "games", "forfeits", "time")


def league_page(league: League) -> str:
    """Return the text of the page. Without matplotlib it has no plots, and says so."""
    rows = league.table()
    left_out = []
    try:
        drawn = league_plots(league)
    except extras.ExtraMissing as error:
        drawn, left_out = [], [f"Plots: {error}."]
    parts = [
        _head(league),
        section("Table", table("Players of the league", _heads(), map(_cells, enumerate(rows, 1))), _notes(league)),
        *(section(plot.title, plot_figure(plot)) for plot in drawn),
        section("Not on this page", bullets(left_out)) if left_out else "",
    ]
    return document(f"League: {plural(len(league.players), 'player')}", parts, STYLE)


def league_plots(league: League) -> list[Plot]:
    """Return the plots: win rates, and win rates against time. Needs matplotlib."""
    extras.load("matplotlib", PLOT_EXTRA, "plots")
    rows = league.table()
    if not rows:
        return []
    names = "; ".join(f"{short_name(row.strategy)} {rate(row.win_rate)}" for row in rows)
    return [
        Plot("win-rates", "Win rates", "Games won, with 95 % intervals.", f"Win rates: {names}.", lambda: _rates(rows)),
        Plot(
            "time",
            "Win rate against time",
            "Games won, with 95 % intervals, against the mean time per game.",
            f"Win rate against time per game, {plural(len(rows), 'player')}; the table has the numbers.",
            lambda: _times(rows),
        ),
    ]


def files_of(league: League) -> dict[str, str | bytes]:
    """Return the page, and with matplotlib an SVG and a PNG of each plot, by file name."""
    contents: dict[str, str | bytes] = {"league.html": league_page(league)}
    try:
        drawn = league_plots(league)
    except extras.ExtraMissing:
        drawn = []
    for plot in drawn:
        contents |= {f"{plot.name}.svg": plot.svg, f"{plot.name}.png": plot.png}
    return contents


# parts


def _head(league: League) -> str:
    first = league.players[0]
    start = "a random cell" if first.start == "random" else start_label(first)  # type: ignore[arg-type]
    board = f"{size(first.rows, first.columns)}, {plural(first.mines, 'mine')}"
    shape = "" if first.topology == "grid" else f", {first.topology}"
    kind = "survival-weighted" if league.is_weighted else "plain"
    lines = [
        "<h1>League</h1>",
        f'<p class="quiet">{escape(board + shape)}, first click {first.first_click} at {escape(start)}, '
        f"seed {first.seed}. All players play the same layouts, in {kind} games.</p>",
    ]
    if not league.is_complete:
        lines.append(
            f'<p class="warning" role="note"><strong>This league is not complete.</strong> {league.games:,} of '
            f"{league.goal:,} games are finished.</p>"
        )
    numbers = [("players", f"{len(league.players):,}"), ("games each", f"{league.games:,}")]
    return "\n".join([*lines, facts(numbers)])


def _heads() -> list[str]:
    return [f'<th scope="col"{"" if head == "player" else _RIGHT}>{head}</th>' for head in HEADS]


_RIGHT = ' class="right"'


def _cells(placed: tuple[int, LeagueRow]) -> list[str]:
    place, row = placed
    behind = ("–", "–")
    if row.behind is not None:
        behind = (f"{100 * (row.behind.value or 0):+.2f}", points(row.behind.interval))
    entries = [
        f"{place}", short_name(row.strategy), rate(row.win_rate), points(row.interval), *behind, f"{row.games:,}",
        f"{row.forfeits:,}", format_seconds(row.seconds),
    ]  # fmt: skip
    sides = [' class="name"' if head == "player" else _RIGHT for head in HEADS]
    return [f"<td{side}>{escape(entry)}</td>" for side, entry in zip(sides, entries, strict=True)]


def format_seconds(seconds: float) -> str:
    """Return a time per game with three digits."""
    value, unit = time_and_unit(seconds)
    return f"{value:.3g} {unit}"


def time_and_unit(seconds: float) -> tuple[float, str]:
    """Return a time in seconds, milliseconds or microseconds."""
    if seconds >= 1:
        return seconds, "s"
    return (1e3 * seconds, "ms") if seconds >= 1e-3 else (1e6 * seconds, "µs")


def _notes(league: League) -> str:
    forfeited = [
        f"{short_name(player.strategy)}, game {forfeit.game}: {forfeit.reason}"
        for player in league.players
        for forfeit in player.forfeits.first[:3]
    ]
    text = (
        "Behind the best: the difference in percentage points on the same games. Forfeits: games that a bot lost "
        "because it failed. Time: processor time per game; for a bot, the time that it took to answer."
    )
    note = f'<p class="note quiet">{text}</p>'
    return note + (f"<h3>Forfeits</h3>{bullets(forfeited)}" if forfeited else "")


# plots


def _axes(rows: list[LeagueRow], height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    low, high = min(row.interval.low for row in rows), max(row.interval.high for row in rows)
    room = max(0.02, 0.08 * (high - low))
    axes.set_xlim(max(0.0, low - room), min(1.0, high + room))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g} %"))
    axes.set_xlabel("games won")
    return figure, axes


def _reach(row: LeagueRow) -> list[list[float]]:
    return [[max(0.0, row.win_rate - row.interval.low)], [max(0.0, row.interval.high - row.win_rate)]]


def _rates(rows: list[LeagueRow]) -> Figure:
    figure, axes = _axes(rows, MARGIN + ROW_HEIGHT * len(rows))
    for place, row in enumerate(rows):
        axes.errorbar([row.win_rate], [place], xerr=_reach(row), fmt="o", color=COLOURS[0])
    axes.set_yticks(range(len(rows)), [short_name(row.strategy) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    return figure


def _times(rows: list[LeagueRow]) -> Figure:
    from matplotlib.ticker import FuncFormatter

    figure, axes = _axes(rows, 4.0)
    for row in rows:
        axes.errorbar([row.win_rate], [row.seconds], xerr=_reach(row), fmt="o", color=COLOURS[0])
        axes.annotate(short_name(row.strategy), (row.win_rate, row.seconds), (5, 4), textcoords="offset points")
    axes.set_yscale("log")
    axes.margins(y=0.15)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: format_seconds(value)))
    axes.set_ylabel("time per game")
    return figure
