"""The columns of a dataset: names, types and meanings, as the file itself tells them.

Boards are lists of one length, row after row: ``[row * columns + column]``. Odds are float64, the very numbers that
`analyze` gives: exactly 0 or 1 only where a cell is certain, which a shorter float would lose by rounding. They take
little more room than float32 would, because the cells of a position share few values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base import extras

if TYPE_CHECKING:
    import pyarrow as pa

Columns = dict[str, npt.NDArray[np.generic]]  # by name, with an entry for each position


class Column(NamedTuple):
    """``type`` in NumPy's words; ``is_board``: one for each cell; ``coded``: by a dictionary, where that is smaller."""

    name: str
    type: str
    is_board: bool
    coded: bool
    meaning: str


COLUMNS = (
    Column("game", "int64", False, True, "number of the game: layout k of the seed"),
    Column("move", "int32", False, True, "openings made before this position, the first click included"),
    Column("cells", "int8", True, False, "what is seen: 0 to 8 open, -1 covered"),
    Column("mine_probability", "float64", True, True, "exact odds; NaN where open; 0 and 1 only where certain"),
    Column("certainty", "int8", True, False, "0 open, 1 covered and undecided, 2 certainly safe, 3 certainly a mine"),
    Column("safe_cells", "int32", False, True, "how many cells are certainly safe: 0 where a guess is forced"),
    Column("log10_layouts", "float64", False, False, "logarithm of the number of layouts that fit"),
    Column("status", "int8", False, True, "0 answered; 3 too wide to count: odds are NaN, and certainty is 0"),
    Column("chosen", "int32", False, True, "the cell that the strategy opens next: row * columns + column"),
    Column("chosen_odds", "float64", False, True, "its mine probability"),
    Column("certain", "bool", False, True, "the strategy calls it certain; else it guesses"),
    Column("lost", "bool", False, True, "it is a mine: this move loses the game"),
    Column("won", "bool", False, True, "the game is won in the end"),
    Column("layout", "int8", True, True, "1 where the mines are, which no player sees"),
)


def arrow_schema(cells: int) -> pa.Schema:
    """The schema of boards of so many cells; the meaning of a field is in its metadata."""
    import pyarrow as pa

    fields = []
    for column in COLUMNS:
        kind = pa.from_numpy_dtype(np.dtype(column.type))
        if column.is_board:
            kind = pa.list_(pa.field("item", kind, nullable=False), cells)
        fields.append(pa.field(column.name, kind, nullable=False, metadata={"meaning": column.meaning}))
    return pa.schema(fields)


def arrow_batch(columns: Columns, schema: pa.Schema) -> pa.RecordBatch:
    """Arrays as Arrow has them, without a copy of the boards."""
    import pyarrow as pa

    arrays = []
    for column in COLUMNS:
        array = pa.array(np.ascontiguousarray(columns[column.name]).reshape(-1))
        if column.is_board:
            array = pa.FixedSizeListArray.from_arrays(array, type=schema.field(column.name).type)
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def numpy_columns(batch: pa.RecordBatch, rows: int, columns: int) -> Columns:
    """The columns of a batch as NumPy has them: boards are (n, rows, columns)."""
    found: Columns = {}
    for column in COLUMNS:
        if column.name in batch.schema.names:
            array = batch.column(column.name)
            shape = (len(batch), rows, columns) if column.is_board else len(batch)
            values = array.flatten() if column.is_board else array
            found[column.name] = values.to_numpy(zero_copy_only=False).reshape(shape)
    return found


def require_pyarrow() -> None:
    """ExtraMissing that says what to install, where pyarrow is missing."""
    extras.load("pyarrow", "mineproof[results]", "dataset")
