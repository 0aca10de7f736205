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
    """One bit a cell, a mine being 1."""
    bits = bytearray(b"0" * (layout.rows * layout.columns))
    for row, column in layout.mines:
        bits[row * layout.columns + column] = ord("1")
    return bits.decode("ascii")


def to_layout(bits: str, rows: int, columns: int, start: Cell | None = None) -> Layout:
    """The layout of the first rows × columns bits."""
    mines = frozenset(divmod(at, columns) for at, bit in enumerate(bits[: rows * columns]) if bit == "1")
    return Layout(rows, columns, mines, start)


def require_padding(bits: str, cells: int) -> None:
    """Refuse bits set after the last cell: whoever wrote them meant another size."""
    if "1" in bits[cells:]:
        raise BoardSyntaxError(f"found bits set after the last of {cells} cells, expected zeros")


def digits_needed(rows: int, columns: int, bits_per_digit: int) -> int:
    """How many digits hold a board, once its size is known to be one we take."""
    require_size(rows, columns)
    return -(-rows * columns // bits_per_digit)
