"""The tables of a report, for a terminal and for the page: heads, sides and entries in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from mineproof.base.words import size
from mineproof.reports.counting import Losses, Pair
from mineproof.reports.naming import differing, name, shown, where
from mineproof.simulation.intervals import Interval
from mineproof.simulation.results import Totals

Side = Literal["left", "right"]
NOTHING = "–"  # in the place of what is not known


class Table(NamedTuple):
    """Heads with the side their entries stand on, and rows of entries."""

    heads: tuple[tuple[str, Side], ...]
    rows: list[tuple[str, ...]]


class _Column(NamedTuple):
    head: str
    side: Side
    tell: Callable[[Totals], str]


def rate(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.2f} %"


def points(interval: Interval) -> str:
    low, high = (f"{100 * end:.2f}" for end in interval)
    return f"{low} to {high}"


def _mean(value: float | None) -> str:
    return NOTHING if value is None else f"{value:,.2f}"


_WHAT = (
    _Column("board", "left", lambda found: size(found.rows, found.columns)),
    _Column("mines", "right", lambda found: f"{found.mines:,}"),
    _Column("density", "right", lambda found: f"{100 * found.mines / found.board_cells:.1f} %"),
    _Column("topology", "left", lambda found: found.topology),
    _Column("first click", "left", lambda found: found.first_click),
    _Column("start", "left", where),
    _Column("seed", "right", lambda found: f"{found.seed}"),
    _Column("strategy", "left", lambda found: shown(found.strategy)),
)
_ALWAYS = {"mines", "strategy"}
_RATES = (
    _Column("games", "right", lambda found: f"{found.games:,}"),
    _Column("won", "right", lambda found: rate(found.win_rate)),
    _Column("95 % interval", "right", lambda found: points(found.interval) if found.games else NOTHING),
)
_MEANS = (
    _Column("moves", "right", lambda found: _mean(found.moves_per_win)),
    _Column("guesses", "right", lambda found: _mean(found.guesses_per_win)),
    _Column("odds survived", "right", lambda found: rate(found.survived_odds)),
)


def win_rates(found: Sequence[Totals], *, means: bool = False) -> Table:
    """A row for each configuration, with what they differ in; ``means`` are those of games won."""
    differ = [each for each in _WHAT if each.head in _ALWAYS or len({each.tell(one) for one in found}) > 1]
    return _table([*differ, *_RATES, *(_MEANS if means else ())], found)


def _table(columns: Sequence[_Column], found: Sequence[Totals]) -> Table:
    heads = tuple((each.head, each.side) for each in columns)
    return Table(heads, [tuple(each.tell(one) for each in columns) for one in found])


def comparisons(found: Sequence[Totals], pairs: Sequence[Pair]) -> Table:
    """A row for each pair of strategies on the same games."""
    parts = [part for part in differing(found) if part != "strategy"]
    heads: list[tuple[str, Side]] = [("games of", "left")] if parts else []
    heads += [("first", "left"), ("second", "left"), ("games", "right"), ("won alone", "right")]
    heads += [("difference", "right"), ("95 % interval", "right")]
    rows = []
    for pair in pairs:
        told = pair.comparison
        rows.append(
            (
                *([name(found[pair.first], parts)] if parts else []),
                shown(told.first),
                shown(told.second),
                f"{told.games:,}",
                f"{told.only_first:,} : {told.only_second:,}",
                NOTHING if told.difference is None else f"{100 * told.difference:+.2f}",
                " to ".join(f"{100 * end:+.2f}" for end in told.interval) if told.games else NOTHING,
            )
        )
    return Table(tuple(heads), rows)


def ends(found: Sequence[Totals], losses: Sequence[Losses]) -> Table:
    """A row for each configuration: when its games were lost."""
    parts = differing(found)
    heads: tuple[tuple[str, Side], ...] = (
        ("games of", "left"), ("lost", "right"), ("median move", "right"), ("median guess", "right"),
        ("at the first click", "right"),
    )  # fmt: skip
    rows = []
    for each, lost in zip(found, losses, strict=True):
        first = int(lost.moves[1]) if len(lost.moves) > 1 else 0
        medians = (_median(lost.moves.tolist()), _median(lost.guesses.tolist()))
        told = (NOTHING if median is None else f"{median:,}" for median in medians)
        rows.append((name(each, parts), f"{lost.lost:,}", *told, f"{first:,}"))
    return Table(heads, rows)


def _median(counts: Sequence[int]) -> int | None:
    """The least number that half of the lost games have at most."""
    total = sum(counts)
    below = 0
    for number, each in enumerate(counts):
        below += each
        if total and 2 * below >= total:
            return number
    return None
