"""A sweep as tables of Apache Arrow, and as Parquet files: a row for each configuration, and a row for each game.

Games      ``configuration`` is the row of the other table, then ``game`` and ``won``, then what the plan keeps of each
           game. What `Sweep.records` marks with -1 or NaN is null here. Counts have four bytes, whatever the size of
           the board, so that all configurations are one table.
Memory     A unit is read, turned and handed on; Parquet gathers units until there are enough for a group of rows. So
           it takes the same for a thousand games and for a billion.
Bytes      The same run gives the same files, with the same version of pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.base import extras, files
from mineproof.errors import SweepError
from mineproof.simulation.arrow import CONFIGURATION, GAME, RESULTS, WON, Field, Schema, Table, schema, totals_table

if TYPE_CHECKING:
    from mineproof.sweeps.swept import Sweep

CONFIGURATIONS, GAMES = "configurations.parquet", "games.parquet"
ROWS = 1 << 17  # of a group of Parquet: some megabytes

BatchReader = Any  # pyarrow.RecordBatchReader
Batch = Any

# What may be kept of each game, and which number says that there is none.
KEPT = (
    Field("moves", "int32", "openings and flags, the opening that lost included", "moves"),
    Field("guesses", "int32", "openings that were not certain, the first click and the one that lost included",
          "guesses"),
    Field("forced_guesses", "int32", "guesses without the first click; null if the strategy cannot tell", "guesses"),
    Field("survived_odds", "float64", "chance of surviving the guesses that were survived; null if the strategy cannot "
          "tell", "probability"),
    Field("bbbv", "int32", "3BV of the layout", "clicks"),
    Field("fallbacks", "int32", "positions that were too wide to count", "positions"),
    Field("lost_cell", "int32", "row * columns + column of the mine that was opened; null if the game was won"),
    Field("lost_odds", "float64", "mine probability that the strategy stated for it; null if the game was won, or if "
          "the strategy states none", "probability"),
)  # fmt: skip
NONE_BELOW_ZERO = {"moves", "forced_guesses", "lost_cell"}


def configurations(found: Sweep) -> Table:
    """A row for each configuration."""
    return totals_table(found.results, numbered=True, metadata=_about(found))


def games_schema(found: Sweep) -> Schema:
    """The columns of the single games of a sweep."""
    return schema(_fields(found), _about(found))


def games_reader(found: Sweep) -> BatchReader:
    """The games of all configurations, a batch for each unit. SweepError for a sweep without a folder."""
    arrow = extras.load("pyarrow", RESULTS, "to_arrow")
    if found.folder is None:
        raise SweepError("found a sweep without a folder, expected one that was played with path= for single games")
    known = games_schema(found)
    return arrow.RecordBatchReader.from_batches(known, _batches(found, known))


def _about(found: Sweep) -> dict[str, str]:
    """What a table says of where it comes from."""
    return {"mineproof": found.plan.version, "plan": found.plan.digest.hex()}


def _fields(found: Sweep) -> list[Field]:
    """The columns that configurations keep, in their order."""
    kept = {column.name: column.type for each in found.plan.configurations for column in each.columns}
    known = {field.name: field for field in KEPT}
    return [CONFIGURATION, GAME, WON, *(known.get(name) or _unknown(name, kind) for name, kind in kept.items())]


def _unknown(name: str, kind: str) -> Field:
    """A column that another version of mineproof keeps."""
    return Field(name, str(np.dtype(kind)), "kept by another version of mineproof")


def _batches(found: Sweep, known: Schema) -> Iterator[Batch]:
    arrow = extras.load("pyarrow", RESULTS, "to_arrow")
    for number in range(len(found)):
        for unit in found.records(number):
            games = len(unit["won"])
            columns = {CONFIGURATION.name: np.full(games, number, np.int32), **unit}
            arrays = [
                _array(arrow, field, columns[field.name]) if field.name in columns else arrow.nulls(games, field.type)
                for field in known
            ]
            yield arrow.record_batch(arrays, schema=known)


def _array(arrow: Any, field: Any, values: Any) -> Any:
    """A column of Arrow; null where there is no number."""
    absent = None
    if values.dtype.kind == "f":
        absent = np.isnan(values)
    elif field.name in NONE_BELOW_ZERO:
        absent = values < 0
    plain = values.astype(values.dtype.newbyteorder("="), copy=False)
    return arrow.array(plain, type=field.type, mask=absent)


# Parquet


def write_parquet(found: Sweep, folder: Path) -> list[Path]:
    """Both tables, each in a file of its own; of a sweep without a folder the first."""
    first = configurations(found)
    tables = [(folder / CONFIGURATIONS, first.to_batches(), first.schema)]
    if found.folder is not None:
        reader = games_reader(found)
        tables.append((folder / GAMES, reader, reader.schema))
    for path, batches, known in tables:
        _write(path, batches, known)
    return [path for path, *_ in tables]


def _write(path: Path, batches: Iterable[Batch], known: Schema) -> None:
    arrow = extras.load("pyarrow", RESULTS, "to_parquet")
    parquet = extras.load("pyarrow.parquet", RESULTS, "to_parquet")
    numbers = {"game": "DELTA_BINARY_PACKED"} if "game" in known.names else None
    with files.replacing(path) as file:
        repeated = [name for name in known.names if name != "game"]
        with parquet.ParquetWriter(
            file, known, compression="zstd", use_dictionary=repeated, column_encoding=numbers
        ) as writer:
            for table in _groups(arrow, batches, known):
                writer.write_table(table, row_group_size=ROWS)


def _groups(arrow: Any, batches: Iterable[Batch], known: Schema) -> Iterator[Table]:
    """Tables of `ROWS` rows, the last of fewer: where units end does not show."""
    waiting: list[Batch] = []
    rows = 0
    for batch in batches:
        begin = 0
        while batch.num_rows - begin >= ROWS - rows:
            part = batch.slice(begin, ROWS - rows)
            yield arrow.Table.from_batches([*waiting, part], known)
            begin, waiting, rows = begin + part.num_rows, [], 0
        if begin < batch.num_rows:
            waiting.append(batch.slice(begin))
            rows += batch.num_rows - begin
    if waiting:
        yield arrow.Table.from_batches(waiting, known)
