"""The page of a league: one self-contained HTML file with the table and plots, in the style of reports."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mineproof.base import extras
from mineproof.base.html_pages import bullets, document, facts, section, table
from mineproof.base.words import size
from mineproof.leagues.results import League, LeagueRow
from mineproof.reports.images import COLOURS, PLOT_EXTRA
from mineproof.reports.labels import short_name, start_label
from mineproof.reports.page import STYLE, plot_figure, quiet_note, warning
from mineproof.reports.plots import Plot, percent_label
from mineproof.reports.tables import points, rate, signed_points
from mineproof.wording.catalogue import language, message, number, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, ROW_HEIGHT, MARGIN = 7.2, 0.32, 1.0  # inches
COLUMNS = ("place", "player", "won", "interval", "behind", "interval", "games", "forfeits", "time")


def league_page(league: League) -> str:
    """Return the text of the page. Without matplotlib it has no plots, and says so."""
    rows = league.table()
    left_out = []
    try:
        drawn = league_plots(league)
    except extras.ExtraMissing as error:
        drawn, left_out = [], [message("report-no-plots", reason=error)]
    parts = [
        _page_head(league),
        section(
            message("report-section-table"),
            table(message("report-table-players"), _heads(), map(_cells, enumerate(rows, 1))),
            _notes(league),
        ),
        *(section(plot.title, plot_figure(plot)) for plot in drawn),
        section(message("report-section-not-here"), bullets(left_out)) if left_out else "",
    ]
    return document(plural("report-league-title", len(league.players)), parts, STYLE, language=language())


def league_plots(league: League) -> list[Plot]:
    """Return the plots: win rates, and win rates against time. Needs matplotlib."""
    extras.load("matplotlib", PLOT_EXTRA, "plots")
    rows = league.table()
    if not rows:
        return []
    names = "; ".join(f"{short_name(row.strategy)} {rate(row.win_rate)}" for row in rows)
    return [
        Plot(
            "win-rates",
            message("report-section-rates"),
            message("report-caption-players"),
            message("report-alternative-players", players=names),
            lambda: _rates(rows),
        ),
        Plot(
            "time",
            message("report-plot-time"),
            message("report-caption-time"),
            plural("report-alternative-time", len(rows)),
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


def _page_head(league: League) -> str:
    first = league.players[0]
    board = f"{size(first.rows, first.columns)}, {plural('report-mines', first.mines)}"
    shape = "" if first.topology == "grid" else f", {first.topology}"
    settings = message(
        "report-league-settings",
        board=board + shape,
        rule=first.first_click,
        cell=start_label(first.start),
        seed=first.seed,
    )
    kind = message("report-league-weighted" if league.is_weighted else "report-league-plain")
    lines = [f"<h1>{escape(message('report-league'))}</h1>", f'<p class="quiet">{escape(f"{settings} {kind}")}</p>']
    if not league.is_complete:
        finished = plural("report-finished", league.goal, games=number(league.games))
        lines.append(warning(message("report-league-incomplete"), finished))
    numbers = [
        (message("report-fact-players"), number(len(league.players))),
        (message("report-fact-games-each"), number(league.games)),
    ]
    return "\n".join([*lines, facts(numbers)])


def _heads() -> list[str]:
    return [
        f'<th scope="col"{"" if name == "player" else _RIGHT}>{escape(message(f"report-head-{name}"))}</th>'
        for name in COLUMNS
    ]


_RIGHT = ' class="right"'


def _cells(placed: tuple[int, LeagueRow]) -> list[str]:
    place, row = placed
    behind = ("–", "–")
    if row.behind is not None:
        behind = (signed_points(row.behind.value or 0), points(row.behind.interval))
    entries = [
        f"{place}", short_name(row.strategy), rate(row.win_rate), points(row.interval), *behind, number(row.games),
        number(row.forfeits), format_seconds(row.seconds),
    ]  # fmt: skip
    sides = [' class="name"' if name == "player" else _RIGHT for name in COLUMNS]
    return [f"<td{side}>{escape(entry)}</td>" for side, entry in zip(sides, entries, strict=True)]


def format_seconds(seconds: float) -> str:
    """Return a time per game with three digits."""
    value, unit = time_and_unit(seconds)
    return f"{value:.3g} {unit}".replace(".", message("number-point"))


def time_and_unit(seconds: float) -> tuple[float, str]:
    """Return a time in seconds, milliseconds or microseconds."""
    if seconds >= 1:
        return seconds, "s"
    return (1e3 * seconds, "ms") if seconds >= 1e-3 else (1e6 * seconds, "µs")


def _notes(league: League) -> str:
    forfeited = [
        message("report-forfeit", player=short_name(player.strategy), game=forfeit.game, reason=forfeit.reason)
        for player in league.players
        for forfeit in player.forfeits.first[:3]
    ]
    note = quiet_note(message("report-note-players"))
    return note + (f"<h3>{escape(message('report-forfeits'))}</h3>{bullets(forfeited)}" if forfeited else "")


# plots


def _axes(rows: list[LeagueRow], height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    low, high = min(row.interval.low for row in rows), max(row.interval.high for row in rows)
    room = max(0.02, 0.08 * (high - low))
    axes.set_xlim(max(0.0, low - room), min(1.0, high + room))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: percent_label(100 * value)))
    axes.set_xlabel(message("report-axis-won"))
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
    axes.set_ylabel(message("report-axis-time"))
    return figure
