"""Layouts as one bit a cell in row order, the common core of the PTTA and Tatham formats.

Bits are a string of ``0`` and ``1``: Python cuts, joins and converts strings quickly, and a million cells are a
megabyte.
"""

from __future__ import annotations

from mineproof.board.cells import Cell
from mineproof.board.geometry import require_size
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout


def from_layout(layout: Layout) -> str:
    """Return one bit a cell, 1 for a mine."""
    bits = bytearray(b"0" * (layout.rows * layout.columns))
    for row, column in layout.mines:
        bits[row * layout.columns + column] = ord("1")
    return bits.decode("ascii")


def to_layout(bits: str, rows: int, columns: int, start: Cell | None = None) -> Layout:
    """Return the layout of the first rows × columns bits."""
    mines = frozenset(divmod(at, columns) for at, bit in enumerate(bits[: rows * columns]) if bit == "1")
    return Layout(rows, columns, mines, start)


def require_padding(bits: str, cells: int) -> None:
    """Raise BoardSyntaxError if bits are set after the last cell: then the size is wrong."""
    if "1" in bits[cells:]:
        raise BoardSyntaxError(f"expected zero bits after the last of {cells} cells, got ones")


def digits_needed(rows: int, columns: int, bits_per_digit: int) -> int:
    """Return how many digits hold a board. Raises BoardSyntaxError for an invalid size."""
    require_size(rows, columns)
    return -(-rows * columns // bits_per_digit)
