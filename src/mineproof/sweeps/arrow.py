"""A sweep as Arrow tables and Parquet files: one row per configuration, and one row per game.

Games      ``configuration`` is the row of the other table, then ``game``, ``won``, and the stored columns of the plan.
           Values that `Sweep.records` marks with -1 or NaN are null here. Counts have four bytes for every board size,
           so that all configurations fit in one table.
Memory     Units are read and converted one by one; Parquet collects them into row groups. So a billion games take as
           much memory as a thousand.
Bytes      The same run gives the same files, with the same version of pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.base import extras, files
from mineproof.errors import SweepError
from mineproof.simulation.arrow import (
    CONFIGURATION,
    GAME,
    RESULTS_EXTRA,
    WON,
    ColumnField,
    Schema,
    Table,
    schema,
    totals_table,
)

if TYPE_CHECKING:
    from mineproof.sweeps.sweep_api import Sweep

CONFIGURATIONS, GAMES = "configurations.parquet", "games.parquet"
ROW_GROUP_ROWS = 1 << 17  # some megabytes

BatchReader = Any  # pyarrow.RecordBatchReader
Batch = Any

# The columns that a sweep may store for each game, and those in which -1 means null.
GAME_FIELDS = (
    ColumnField("moves", "int32", "openings and flags, the opening that lost included", "moves"),
    ColumnField("guesses", "int32", "openings that were not certain, the first click and the one that lost included",
                "guesses"),
    ColumnField("forced_guesses", "int32", "guesses without the first click; null if the strategy cannot tell",
                "guesses"),
    ColumnField("survived_odds", "float64", "chance of surviving the guesses that were survived; null if the strategy "
                "cannot tell", "probability"),
    ColumnField("bbbv", "int32", "3BV of the layout", "clicks"),
    ColumnField("fallbacks", "int32", "positions that were too wide to count", "positions"),
    ColumnField("lost_cell", "int32", "row * columns + column of the mine that was opened; null if the game was won"),
    ColumnField("lost_odds", "float64", "mine probability that the strategy stated for it; null if the game was won, "
                "or if the strategy states none", "probability"),
)  # fmt: skip
NONE_BELOW_ZERO = {"moves", "forced_guesses", "lost_cell"}


def configurations(sweep: Sweep) -> Table:
    """Return a table with one row per configuration."""
    return totals_table(sweep.results, numbered=True, metadata=_about(sweep))


def games_schema(sweep: Sweep) -> Schema:
    """Return the schema of the table of games."""
    return schema(_fields(sweep), _about(sweep))


def games_reader(sweep: Sweep) -> BatchReader:
    """Return a reader of the games of all configurations, one batch per unit. SweepError without a folder."""
    arrow = extras.load("pyarrow", RESULTS_EXTRA, "to_arrow")
    if sweep.folder is None:
        raise SweepError("The sweep has no folder. Run it with path= to store single games.")
    known = games_schema(sweep)
    return arrow.RecordBatchReader.from_batches(known, _batches(sweep, known))


def _about(sweep: Sweep) -> dict[str, str]:
    """Return the metadata of a table: the version and the plan."""
    return {"mineproof": sweep.plan.version, "plan": sweep.plan.digest.hex()}


def _fields(sweep: Sweep) -> list[ColumnField]:
    """Return the columns that the configurations store, in order."""
    stored = {column.name: column.type for one in sweep.plan.configurations for column in one.columns}
    known = {field.name: field for field in GAME_FIELDS}
    return [CONFIGURATION, GAME, WON, *(known.get(name) or _unknown_field(name, kind) for name, kind in stored.items())]


def _unknown_field(name: str, kind: str) -> ColumnField:
    """Return a column that another version of mineproof stored."""
    return ColumnField(name, str(np.dtype(kind)), "kept by another version of mineproof")


def _batches(sweep: Sweep, known: Schema) -> Iterator[Batch]:
    arrow = extras.load("pyarrow", RESULTS_EXTRA, "to_arrow")
    for number in range(len(sweep)):
        for unit in sweep.records(number):
            games = len(unit["won"])
            columns = {CONFIGURATION.name: np.full(games, number, np.int32), **unit}
            arrays = [
                _array(arrow, field, columns[field.name]) if field.name in columns else arrow.nulls(games, field.type)
                for field in known
            ]
            yield arrow.record_batch(arrays, schema=known)


def _array(arrow: Any, field: Any, values: Any) -> Any:
    """Return an Arrow array with nulls for missing numbers."""
    absent = None
    if values.dtype.kind == "f":
        absent = np.isnan(values)
    elif field.name in NONE_BELOW_ZERO:
        absent = values < 0
    plain = values.astype(values.dtype.newbyteorder("="), copy=False)
    return arrow.array(plain, type=field.type, mask=absent)


# Parquet


def write_parquet(sweep: Sweep, folder: Path) -> list[Path]:
    """Write both tables as files and return their paths; without a folder only the configurations."""
    first = configurations(sweep)
    tables = [(folder / CONFIGURATIONS, first.to_batches(), first.schema)]
    if sweep.folder is not None:
        reader = games_reader(sweep)
        tables.append((folder / GAMES, reader, reader.schema))
    files.make_folder(folder)
    for path, batches, known in tables:
        _write_batches(path, batches, known)
    return [path for path, *_ in tables]


def _write_batches(path: Path, batches: Iterable[Batch], known: Schema) -> None:
    arrow = extras.load("pyarrow", RESULTS_EXTRA, "to_parquet")
    parquet = extras.load("pyarrow.parquet", RESULTS_EXTRA, "to_parquet")
    numbers = {"game": "DELTA_BINARY_PACKED"} if "game" in known.names else None
    with files.replacing(path) as file:
        repeated = [name for name in known.names if name != "game"]
        with parquet.ParquetWriter(
            file, known, compression="zstd", use_dictionary=repeated, column_encoding=numbers
        ) as writer:
            for table in _groups(arrow, batches, known):
                writer.write_table(table, row_group_size=ROW_GROUP_ROWS)


def _groups(arrow: Any, batches: Iterable[Batch], known: Schema) -> Iterator[Table]:
    """Yield tables of `ROW_GROUP_ROWS` rows, the last one shorter. They do not depend on the size of units."""
    waiting: list[Batch] = []
    rows = 0
    for batch in batches:
        begin = 0
        while batch.num_rows - begin >= ROW_GROUP_ROWS - rows:
            part = batch.slice(begin, ROW_GROUP_ROWS - rows)
            yield arrow.Table.from_batches([*waiting, part], known)
            begin, waiting, rows = begin + part.num_rows, [], 0
        if begin < batch.num_rows:
            waiting.append(batch.slice(begin))
            rows += batch.num_rows - begin
    if waiting:
        yield arrow.Table.from_batches(waiting, known)
