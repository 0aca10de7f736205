"""Results as tables of Apache Arrow, which pandas, DuckDB, Polars and Parquet take as they are.

A column has the same name wherever it stands, and says in its metadata what it means (``meaning``) and what it is
counted in (``unit``). What is not known is null. pyarrow is loaded when a table is asked for.
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

RESULTS = "mineproof[results]"  # what brings pyarrow


class Field(NamedTuple):
    """A column: its name, its type in Arrow's words, what it means, and what it is counted in."""

    name: str
    type: str
    meaning: str
    unit: str = ""
    of: Callable[[Totals], object] | None = None  # its value for a configuration, if it is not an attribute


def _end(which: int) -> Callable[[Totals], object]:
    return lambda found: found.interval[which]


def _start(which: int) -> Callable[[Totals], object]:
    return lambda found: None if found.start == "random" else found.start[which]


CONFIGURATION = Field("configuration", "int32", "number of the configuration, in the order of the plan, from 0")

TOTALS = (
    Field("rows", "int32", "height of the board", "cells"),
    Field("columns", "int32", "width of the board", "cells"),
    Field("mines", "int32", "mines on the board", "mines"),
    Field("cells", "int32", "cells of the board", "cells", lambda found: found.board_cells),
    Field("density", "float64", "mines of all cells", "share", lambda found: found.mines / found.board_cells),
    Field("topology", "string", "shape of the board: grid, torus or hex"),
    Field("first_click", "string", "what the first click keeps free of mines: any, safe or open"),
    Field("start_row", "int32", "row of the first click; null if another cell in each game", "", _start(0)),
    Field("start_column", "int32", "column of the first click; null if another cell in each game", "", _start(1)),
    Field("strategy", "string", "who plays"),
    Field("seed", "uint64", "which layouts: game k of the same seed and board has the same layout"),
    Field("first_game", "int64", "number of the first game"),
    Field("asked", "int64", "games that were to be played", "games"),
    Field("games", "int64", "games that are finished", "games"),
    Field("wins", "int64", "games won", "games"),
    Field("win_rate", "float64", "games won of all games; null without a game", "share"),
    Field("interval_low", "float64", "lower end of Wilson's 95 % interval of the win rate", "share", _end(0)),
    Field("interval_high", "float64", "upper end of Wilson's 95 % interval of the win rate", "share", _end(1)),
    Field("moves_per_win", "float64", "openings and flags, mean of games won; null without a win", "moves"),
    Field("guesses_per_win", "float64", "guesses, the first click included, mean of games won", "guesses"),
    Field("forced_guesses_per_win", "float64", "guesses where nothing was certain, without the first click, mean of "
          "games won; null if the strategy cannot tell", "guesses"),
    Field("needless_guesses_per_win", "float64", "guesses while some cell was certainly safe, mean of games won; null "
          "if the strategy cannot tell", "guesses"),
    Field("guesses_per_game", "float64", "guesses, the first click included, mean of all games", "guesses"),
    Field("survived_odds", "float64", "chance of surviving all guesses of a game, geometric mean of games won; null if "
          "the strategy cannot tell", "probability"),
    Field("fallbacks", "int64", "positions of all games that were too wide to count", "positions"),
    Field("weighed", "bool", "whether the strategy knows the odds of its guesses"),
)  # fmt: skip

GAME = Field("game", "int64", "number of the game: layout k of the seed")
WON = Field("won", "bool", "whether the game was won")


def schema(fields: Iterable[Field], metadata: Mapping[str, str] | None = None, what: str = "to_arrow") -> Schema:
    """The schema of some columns."""
    arrow = extras.load("pyarrow", RESULTS, what)
    return arrow.schema(
        [
            arrow.field(each.name, arrow.type_for_alias(each.type), metadata=_metadata(each), nullable=True)
            for each in fields
        ],
        metadata=dict(metadata or {}),
    )


def _metadata(field: Field) -> dict[str, str]:
    return {"meaning": field.meaning} | ({"unit": field.unit} if field.unit else {})


def totals_table(found: Sequence[Totals], *, numbered: bool, metadata: Mapping[str, str] | None = None) -> Table:
    """A row for each configuration; ``numbered`` puts their numbers in front."""
    arrow = extras.load("pyarrow", RESULTS, "to_arrow")
    columns: dict[str, object] = {CONFIGURATION.name: range(len(found))} if numbered else {}
    for field in TOTALS:
        tell = field.of or _attribute(field.name)
        columns[field.name] = [tell(each) for each in found]
    fields = (CONFIGURATION, *TOTALS) if numbered else TOTALS
    return arrow.table(columns, schema=schema(fields, metadata))


def _attribute(name: str) -> Callable[[Totals], object]:
    return lambda found: getattr(found, name)


def outcomes_table(first_game: int, won: npt.NDArray[Any]) -> Table:
    """A row for each game of a simulation."""
    arrow = extras.load("pyarrow", RESULTS, "to_arrow")
    columns = [range(first_game, first_game + len(won)), won]
    return arrow.table(dict(zip(("game", "won"), columns, strict=True)), schema=schema((GAME, WON)))


def frame(table: Table) -> Frame:
    """The same for pandas."""
    extras.load("pandas", "pandas", "to_pandas")
    return table.to_pandas()
