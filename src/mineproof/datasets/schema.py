"""The columns of a dataset: names, types and meanings, as in the metadata of the file.

Boards are lists of a fixed length, row by row: ``[row * columns + column]``. Odds are float64, exactly as `analyze`
returns them: 0 or 1 only if a cell is certain, which float32 would lose by rounding. They take little more space than
float32, because the cells of a position share few values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base import extras

if TYPE_CHECKING:
    import pyarrow as pa

Columns = dict[str, npt.NDArray[np.generic]]  # by name, with one entry per position


class DatasetColumn(NamedTuple):
    """``type`` is a NumPy type. ``is_board``: one value per cell. ``coded``: stored with a dictionary."""

    name: str
    type: str
    is_board: bool
    coded: bool
    meaning: str


COLUMNS = (
    DatasetColumn("game", "int64", False, True, "number of the game: layout k of the seed"),
    DatasetColumn("move", "int32", False, True, "openings made before this position, the first click included"),
    DatasetColumn("cells", "int8", True, False, "what is seen: 0 to 8 open, -1 covered"),
    DatasetColumn("mine_probability", "float64", True, True, "exact odds; NaN where open; 0 and 1 only where certain"),
    DatasetColumn(
        "certainty", "int8", True, False, "0 open, 1 covered and undecided, 2 certainly safe, 3 certainly a mine"
    ),
    DatasetColumn("safe_cells", "int32", False, True, "how many cells are certainly safe: 0 where a guess is forced"),
    DatasetColumn("log10_layouts", "float64", False, False, "logarithm of the number of layouts that fit"),
    DatasetColumn("status", "int8", False, True, "0 answered; 3 too wide to count: odds are NaN, and certainty is 0"),
    DatasetColumn("chosen", "int32", False, True, "the cell that the strategy opens next: row * columns + column"),
    DatasetColumn("chosen_odds", "float64", False, True, "its mine probability"),
    DatasetColumn("certain", "bool", False, True, "the strategy calls it certain; else it guesses"),
    DatasetColumn("lost", "bool", False, True, "it is a mine: this move loses the game"),
    DatasetColumn("won", "bool", False, True, "the game is won in the end"),
    DatasetColumn("layout", "int8", True, True, "1 where the mines are, which no player sees"),
)


def arrow_schema(cells: int) -> pa.Schema:
    """Return the schema of boards with this number of cells; the metadata of a field has its meaning."""
    import pyarrow as pa

    fields = []
    for column in COLUMNS:
        kind = pa.from_numpy_dtype(np.dtype(column.type))
        if column.is_board:
            kind = pa.list_(pa.field("item", kind, nullable=False), cells)
        fields.append(pa.field(column.name, kind, nullable=False, metadata={"meaning": column.meaning}))
    return pa.schema(fields)


def arrow_batch(columns: Columns, schema: pa.Schema) -> pa.RecordBatch:
    """Return arrays as an Arrow batch, without copying the boards."""
    import pyarrow as pa

    arrays = []
    for column in COLUMNS:
        array = pa.array(np.ascontiguousarray(columns[column.name]).reshape(-1))
        if column.is_board:
            array = pa.FixedSizeListArray.from_arrays(array, type=schema.field(column.name).type)
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def numpy_columns(batch: pa.RecordBatch, rows: int, columns: int) -> Columns:
    """Return the columns of a batch as NumPy arrays; boards are (n, rows, columns)."""
    arrays: Columns = {}
    for column in COLUMNS:
        if column.name in batch.schema.names:
            array = batch.column(column.name)
            shape = (len(batch), rows, columns) if column.is_board else len(batch)
            values = array.flatten() if column.is_board else array
            arrays[column.name] = values.to_numpy(zero_copy_only=False).reshape(shape)
    return arrays


def require_pyarrow() -> None:
    """Raise ExtraMissing if pyarrow is not installed."""
    extras.load("pyarrow", "mineproof[results]", "dataset")
