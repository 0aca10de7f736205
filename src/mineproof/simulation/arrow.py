"""Results as Apache Arrow tables, which pandas, DuckDB, Polars and Parquet read directly.

A column has the same name in every table. Its metadata has its ``meaning`` and its ``unit``. Unknown values are null.
pyarrow is imported when a table is requested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy.typing as npt

from mineproof.base import extras

if TYPE_CHECKING:
    from mineproof.simulation.results import Totals

Table = Any  # pyarrow.Table: pyarrow has no types
Schema = Any
Frame = Any  # pandas.DataFrame

RESULTS_EXTRA = "mineproof[results]"  # installs pyarrow


class ColumnField(NamedTuple):
    """A column: its name, its Arrow type, what it means, and its unit."""

    name: str
    type: str
    meaning: str
    unit: str = ""
    of: Callable[[Totals], object] | None = None  # computes the value for a configuration; None: the attribute `name`


def _win_rate(totals: Totals) -> float | None:
    return totals.win_rate if totals.games else None


def _end(which: int) -> Callable[[Totals], object]:
    return lambda totals: totals.interval[which]


def _start(which: int) -> Callable[[Totals], object]:
    return lambda totals: None if totals.start == "random" else totals.start[which]


CONFIGURATION = ColumnField("configuration", "int32", "number of the configuration, in the order of the plan, from 0")

TOTALS = (
    ColumnField("rows", "int32", "height of the board", "cells"),
    ColumnField("columns", "int32", "width of the board", "cells"),
    ColumnField("mines", "int32", "mines on the board", "mines"),
    ColumnField("cells", "int32", "cells of the board", "cells", lambda totals: totals.board_cells),
    ColumnField("density", "float64", "mines of all cells", "share", lambda totals: totals.mines / totals.board_cells),
    ColumnField("topology", "string", "shape of the board, such as grid, torus or hex"),
    ColumnField("first_click", "string", "what the first click keeps free of mines: any, safe or open"),
    ColumnField("start_row", "int32", "row of the first click; null if another cell in each game", "", _start(0)),
    ColumnField("start_column", "int32", "column of the first click; null if another cell in each game", "", _start(1)),
    ColumnField("strategy", "string", "who plays"),
    ColumnField("seed", "uint64", "which layouts: game k of the same seed and board has the same layout"),
    ColumnField("first_game", "int64", "number of the first game"),
    ColumnField("asked", "int64", "games that were to be played", "games"),
    ColumnField("games", "int64", "games that are finished", "games"),
    ColumnField("wins", "int64", "games won", "games"),
    ColumnField("win_rate", "float64", "games won of all games; null without a game", "share", _win_rate),
    ColumnField("interval_low", "float64", "lower end of Wilson's 95 % interval of the win rate", "share", _end(0)),
    ColumnField("interval_high", "float64", "upper end of Wilson's 95 % interval of the win rate", "share", _end(1)),
    ColumnField("moves_per_win", "float64", "openings and flags, mean of games won; null without a win", "moves"),
    ColumnField("guesses_per_win", "float64", "guesses, the first click included, mean of games won", "guesses"),
    ColumnField("forced_guesses_per_win", "float64", "guesses where nothing was certain, without the first click, "
                "mean of games won; null if the strategy cannot tell", "guesses"),
    ColumnField("needless_guesses_per_win", "float64", "guesses while some cell was certainly safe, mean of games won; "
                "null if the strategy cannot tell", "guesses"),
    ColumnField("guesses_per_game", "float64", "guesses, the first click included, mean of all games", "guesses"),
    ColumnField("survived_odds", "float64", "chance of surviving all guesses of a game, geometric mean of games won; "
                "null if the strategy cannot tell", "probability"),
    ColumnField("fallbacks", "int64", "positions of all games that were too wide to count", "positions"),
    ColumnField("weighed", "bool", "whether the strategy knows the odds of its guesses"),
)  # fmt: skip

GAME = ColumnField("game", "int64", "number of the game: layout k of the seed")
WON = ColumnField("won", "bool", "whether the game was won")


def schema(fields: Iterable[ColumnField], metadata: Mapping[str, str] | None = None, what: str = "to_arrow") -> Schema:
    """Return the Arrow schema of some columns."""
    arrow = extras.load("pyarrow", RESULTS_EXTRA, what)
    return arrow.schema(
        [
            arrow.field(field.name, arrow.type_for_alias(field.type), metadata=_metadata(field), nullable=True)
            for field in fields
        ],
        metadata=dict(metadata or {}),
    )


def _metadata(field: ColumnField) -> dict[str, str]:
    return {"meaning": field.meaning} | ({"unit": field.unit} if field.unit else {})


def totals_table(results: Sequence[Totals], *, numbered: bool, metadata: Mapping[str, str] | None = None) -> Table:
    """Return a table with one row per configuration; ``numbered`` puts their numbers in the first column."""
    arrow = extras.load("pyarrow", RESULTS_EXTRA, "to_arrow")
    columns: dict[str, object] = {CONFIGURATION.name: range(len(results))} if numbered else {}
    for field in TOTALS:
        value_of = field.of or _attribute(field.name)
        columns[field.name] = [value_of(result) for result in results]
    fields = (CONFIGURATION, *TOTALS) if numbered else TOTALS
    return arrow.table(columns, schema=schema(fields, metadata))


def _attribute(name: str) -> Callable[[Totals], object]:
    return lambda totals: getattr(totals, name)


def outcomes_table(first_game: int, won: npt.NDArray[Any]) -> Table:
    """Return a table with one row per game of a simulation."""
    arrow = extras.load("pyarrow", RESULTS_EXTRA, "to_arrow")
    columns = [range(first_game, first_game + len(won)), won]
    return arrow.table(dict(zip(("game", "won"), columns, strict=True)), schema=schema((GAME, WON)))


def frame(table: Table) -> Frame:
    """Return a table as a ``pandas.DataFrame``."""
    extras.load("pandas", "pandas", "to_pandas")
    return table.to_pandas()
