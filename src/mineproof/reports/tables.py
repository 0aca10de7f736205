"""The tables of a report as text, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from mineproof.base.words import size
from mineproof.reports.game_counts import Losses, Pair
from mineproof.reports.labels import differing_parts, name, short_name, start_label
from mineproof.simulation.intervals import Interval
from mineproof.simulation.results import Totals
from mineproof.wording.catalogue import decimal, message, number

Side = Literal["left", "right"]
UNKNOWN = "–"


class ReportTable(NamedTuple):
    """Columns by name with the alignment of their entries, and rows of entries."""

    columns: tuple[tuple[str, Side], ...]
    rows: list[tuple[str, ...]]

    @property
    def heads(self) -> tuple[tuple[str, Side], ...]:
        """The heading of each column, and the alignment of its entries."""
        return tuple((head_text(name), side) for name, side in self.columns)


class _Column(NamedTuple):
    name: str
    side: Side
    entry: Callable[[Totals], str]


def head_text(column: str) -> str:
    """Return the heading of a column."""
    return message(f"report-head-{column}")


def rate(share: float | None, digits: int = 2) -> str:
    """Return a share as a percentage."""
    return UNKNOWN if share is None else message("report-percent", percentage=decimal(100 * share, digits))


def points(interval: Interval) -> str:
    """Return an interval in percentage points."""
    low, high = (decimal(100 * end, 2) for end in interval)
    return message("report-range", low=low, high=high)


def signed_points(difference: float) -> str:
    """Return a difference in percentage points with its sign."""
    return ("-" if difference < 0 else "+") + decimal(100 * abs(difference), 2)


def _mean(value: float | None) -> str:
    return UNKNOWN if value is None else decimal(value, 2)


_CONFIGURATION_COLUMNS = (
    _Column("board", "left", lambda totals: size(totals.rows, totals.columns)),
    _Column("mines", "right", lambda totals: number(totals.mines)),
    _Column("density", "right", lambda totals: rate(totals.mines / totals.board_cells, 1)),
    _Column("topology", "left", lambda totals: totals.topology),
    _Column("first-click", "left", lambda totals: totals.first_click),
    _Column("start", "left", lambda totals: start_label(totals.start)),
    _Column("seed", "right", lambda totals: f"{totals.seed}"),
    _Column("strategy", "left", lambda totals: short_name(totals.strategy)),
)
_ALWAYS = {"mines", "strategy"}
_RATES = (
    _Column("games", "right", lambda totals: number(totals.games)),
    _Column("won", "right", lambda totals: rate(totals.win_rate if totals.games else None)),
    _Column("interval", "right", lambda totals: points(totals.interval) if totals.games else UNKNOWN),
)
_MEANS = (
    _Column("moves", "right", lambda totals: _mean(totals.moves_per_win)),
    _Column("guesses", "right", lambda totals: _mean(totals.guesses_per_win)),
    _Column("odds-survived", "right", lambda totals: rate(totals.survived_odds)),
)


def win_rates(results: Sequence[Totals], *, means: bool = False) -> ReportTable:
    """Return a row for each configuration with the parts in which they differ; ``means`` adds means of won games."""
    differ = [
        column
        for column in _CONFIGURATION_COLUMNS
        if column.name in _ALWAYS or len({column.entry(totals) for totals in results}) > 1
    ]
    return _report_table([*differ, *_RATES, *(_MEANS if means else ())], results)


def _report_table(columns: Sequence[_Column], results: Sequence[Totals]) -> ReportTable:
    names = tuple((column.name, column.side) for column in columns)
    return ReportTable(names, [tuple(column.entry(totals) for column in columns) for totals in results])


def comparisons(results: Sequence[Totals], pairs: Sequence[Pair]) -> ReportTable:
    """Return a row for each pair of strategies on the same games."""
    parts = [part for part in differing_parts(results) if part != "strategy"]
    columns: list[tuple[str, Side]] = [("games-of", "left")] if parts else []
    columns += [("first", "left"), ("second", "left"), ("games", "right"), ("won-alone", "right")]
    columns += [("difference", "right"), ("interval", "right")]
    rows = []
    for pair in pairs:
        comparison = pair.comparison
        rows.append(
            (
                *([name(results[pair.first], parts)] if parts else []),
                short_name(comparison.first),
                short_name(comparison.second),
                number(comparison.games),
                f"{number(comparison.only_first)} : {number(comparison.only_second)}",
                UNKNOWN if comparison.difference is None else signed_points(comparison.difference),
                _signed_range(comparison.interval) if comparison.games else UNKNOWN,
            )
        )
    return ReportTable(tuple(columns), rows)


def _signed_range(interval: Interval) -> str:
    low, high = map(signed_points, interval)
    return message("report-range", low=low, high=high)


def ends(results: Sequence[Totals], losses: Sequence[Losses]) -> ReportTable:
    """Return a row for each configuration: when its games were lost."""
    parts = differing_parts(results)
    columns: tuple[tuple[str, Side], ...] = (
        ("games-of", "left"), ("lost", "right"), ("median-move", "right"), ("median-guess", "right"),
        ("at-first-click", "right"),
    )  # fmt: skip
    rows = []
    for totals, lost in zip(results, losses, strict=True):
        first = int(lost.moves[1]) if len(lost.moves) > 1 else 0
        medians = (_median(lost.moves.tolist()), _median(lost.guesses.tolist()))
        entries = (UNKNOWN if median is None else number(median) for median in medians)
        rows.append((name(totals, parts), number(lost.lost), *entries, number(first)))
    return ReportTable(columns, rows)


def _median(counts: Sequence[int]) -> int | None:
    """Return the smallest number that at least half of the lost games do not exceed."""
    total = sum(counts)
    below = 0
    for place, count in enumerate(counts):
        below += count
        if total and 2 * below >= total:
            return place
    return None
