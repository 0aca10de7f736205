"""The tables of a report as text, for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from mineproof.base.words import size
from mineproof.reports.game_counts import Losses, Pair
from mineproof.reports.labels import differing_parts, name, short_name, start_label
from mineproof.simulation.intervals import Interval
from mineproof.simulation.results import Totals

Side = Literal["left", "right"]
UNKNOWN = "–"


class ReportTable(NamedTuple):
    """Headings with the alignment of their column, and rows of entries."""

    heads: tuple[tuple[str, Side], ...]
    rows: list[tuple[str, ...]]


class _Column(NamedTuple):
    head: str
    side: Side
    entry: Callable[[Totals], str]


def rate(share: float | None) -> str:
    """Return a share as a percentage."""
    return UNKNOWN if share is None else f"{100 * share:.2f} %"


def points(interval: Interval) -> str:
    """Return an interval in percentage points."""
    low, high = (f"{100 * end:.2f}" for end in interval)
    return f"{low} to {high}"


def _mean(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:,.2f}"


_CONFIGURATION_COLUMNS = (
    _Column("board", "left", lambda totals: size(totals.rows, totals.columns)),
    _Column("mines", "right", lambda totals: f"{totals.mines:,}"),
    _Column("density", "right", lambda totals: f"{100 * totals.mines / totals.board_cells:.1f} %"),
    _Column("topology", "left", lambda totals: totals.topology),
    _Column("first click", "left", lambda totals: totals.first_click),
    _Column("start", "left", start_label),
    _Column("seed", "right", lambda totals: f"{totals.seed}"),
    _Column("strategy", "left", lambda totals: short_name(totals.strategy)),
)
_ALWAYS = {"mines", "strategy"}
_RATES = (
    _Column("games", "right", lambda totals: f"{totals.games:,}"),
    _Column("won", "right", lambda totals: rate(totals.win_rate if totals.games else None)),
    _Column("95 % interval", "right", lambda totals: points(totals.interval) if totals.games else UNKNOWN),
)
_MEANS = (
    _Column("moves", "right", lambda totals: _mean(totals.moves_per_win)),
    _Column("guesses", "right", lambda totals: _mean(totals.guesses_per_win)),
    _Column("odds survived", "right", lambda totals: rate(totals.survived_odds)),
)


def win_rates(results: Sequence[Totals], *, means: bool = False) -> ReportTable:
    """Return a row for each configuration with the parts in which they differ; ``means`` adds means of won games."""
    differ = [
        column
        for column in _CONFIGURATION_COLUMNS
        if column.head in _ALWAYS or len({column.entry(totals) for totals in results}) > 1
    ]
    return _table([*differ, *_RATES, *(_MEANS if means else ())], results)


def _table(columns: Sequence[_Column], results: Sequence[Totals]) -> ReportTable:
    heads = tuple((column.head, column.side) for column in columns)
    return ReportTable(heads, [tuple(column.entry(totals) for column in columns) for totals in results])


def comparisons(results: Sequence[Totals], pairs: Sequence[Pair]) -> ReportTable:
    """Return a row for each pair of strategies on the same games."""
    parts = [part for part in differing_parts(results) if part != "strategy"]
    heads: list[tuple[str, Side]] = [("games of", "left")] if parts else []
    heads += [("first", "left"), ("second", "left"), ("games", "right"), ("won alone", "right")]
    heads += [("difference", "right"), ("95 % interval", "right")]
    rows = []
    for pair in pairs:
        comparison = pair.comparison
        rows.append(
            (
                *([name(results[pair.first], parts)] if parts else []),
                short_name(comparison.first),
                short_name(comparison.second),
                f"{comparison.games:,}",
                f"{comparison.only_first:,} : {comparison.only_second:,}",
                UNKNOWN if comparison.difference is None else f"{100 * comparison.difference:+.2f}",
                " to ".join(f"{100 * end:+.2f}" for end in comparison.interval) if comparison.games else UNKNOWN,
            )
        )
    return ReportTable(tuple(heads), rows)


def ends(results: Sequence[Totals], losses: Sequence[Losses]) -> ReportTable:
    """Return a row for each configuration: when its games were lost."""
    parts = differing_parts(results)
    heads: tuple[tuple[str, Side], ...] = (
        ("games of", "left"), ("lost", "right"), ("median move", "right"), ("median guess", "right"),
        ("at the first click", "right"),
    )  # fmt: skip
    rows = []
    for totals, lost in zip(results, losses, strict=True):
        first = int(lost.moves[1]) if len(lost.moves) > 1 else 0
        medians = (_median(lost.moves.tolist()), _median(lost.guesses.tolist()))
        entries = (UNKNOWN if median is None else f"{median:,}" for median in medians)
        rows.append((name(totals, parts), f"{lost.lost:,}", *entries, f"{first:,}"))
    return ReportTable(heads, rows)


def _median(counts: Sequence[int]) -> int | None:
    """Return the smallest number that at least half of the lost games do not exceed."""
    total = sum(counts)
    below = 0
    for number, count in enumerate(counts):
        below += count
        if total and 2 * below >= total:
            return number
    return None
