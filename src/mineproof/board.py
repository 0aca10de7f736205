"""The observed board: what a player sees, and nothing a player cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from mineproof import notation
from mineproof.codes import ABSENT, COVERED, FLAGGED, LARGEST_NUMBER, MAX_CELLS
from mineproof.errors import BoardSyntaxError, Cell
from mineproof.topology import KINDS, Kind, Topology


class Board:
    """An immutable position: numbers, covered and flagged cells, and the total if it is known.

    ``codes`` holds one signed byte per cell in row order: 0-8 an open number, -1 covered, -2 flagged,
    -9 not part of the board. Two boards are equal when they show the same and have the same total.
    """

    __slots__ = ("codes", "topology", "total_mines")

    codes: bytes
    topology: Topology
    total_mines: int | None

    def __init__(
        self, rows: int, columns: int, codes: bytes, total_mines: int | None = None, topology: Kind = "grid"
    ) -> None:
        _check_size(rows, columns)
        if topology not in KINDS:
            raise BoardSyntaxError(f"unknown topology {topology!r}, expected one of {', '.join(KINDS)}")
        if len(codes) != rows * columns:
            raise BoardSyntaxError(f"found {len(codes)} cells, expected {rows} × {columns} = {rows * columns}")
        _check_codes(codes, columns)
        present = len(codes) - codes.count(ABSENT & 0xFF)
        if total_mines is not None and not 0 <= total_mines <= present:
            raise BoardSyntaxError(f"found a total of {total_mines} mines, expected 0 to {present} on this board")
        object.__setattr__(self, "codes", bytes(codes))
        object.__setattr__(self, "topology", Topology(topology, rows, columns))
        object.__setattr__(self, "total_mines", total_mines)

    # reading and writing

    @classmethod
    def parse(
        cls, text: str, total_mines: int | None = None, topology: Kind | None = None, alphabet: str | None = None
    ) -> Board:
        """Read a position written in any text alphabet of `mineproof.notation`.

        A total or topology given here must agree with one written in the text.
        """
        grid = notation.read(text, alphabet=alphabet)
        total = notation.agree("total of mines", grid.total_mines, total_mines)
        kind: Kind = notation.agree("topology", grid.topology, topology) or "grid"
        return cls(grid.rows, grid.columns, grid.codes, total, kind)

    @classmethod
    def from_array(cls, array: npt.ArrayLike, total_mines: int | None = None, topology: Kind = "grid") -> Board:
        """A board from rows × columns of cell codes."""
        cells = np.asarray(array)
        if cells.ndim != 2:
            raise BoardSyntaxError(f"found an array of {cells.ndim} dimensions, expected 2 (rows, columns)")
        if cells.dtype.kind not in "iu":
            raise BoardSyntaxError(f"found an array of {cells.dtype}, expected whole numbers")
        rows, columns = cells.shape
        _check_size(rows, columns)
        wrong = ~(
            ((cells >= 0) & (cells <= LARGEST_NUMBER)) | (cells == COVERED) | (cells == FLAGGED) | (cells == ABSENT)
        )
        if wrong.any():
            row, column = divmod(int(wrong.argmax()), columns)
            raise _no_code(int(cells[row, column]), row, column)
        return cls(rows, columns, cells.astype(np.int8).tobytes(), total_mines, topology)

    def to_array(self) -> npt.NDArray[np.int8]:
        """A fresh int8 array (rows, columns) of cell codes."""
        return np.frombuffer(self.codes, dtype=np.int8).reshape(self.rows, self.columns).copy()

    def __str__(self) -> str:
        """The board in our own alphabet; `parse` reads it back as an equal board."""
        return notation.write(self.rows, self.columns, self.codes, self.total_mines, self.topology.kind)

    def __repr__(self) -> str:
        rows = notation.write_rows(self.columns, self.codes)
        total = "" if self.total_mines is None else f", total_mines={self.total_mines}"
        kind = "" if self.topology.kind == "grid" else f", topology={self.topology.kind!r}"
        return f"Board.parse({'/'.join(rows)!r}{total}{kind}, alphabet='mineproof')"

    # looking

    @property
    def rows(self) -> int:
        return self.topology.rows

    @property
    def columns(self) -> int:
        return self.topology.columns

    def __getitem__(self, cell: Cell) -> int:
        """The code of one cell."""
        return code_at(self.codes, self.index(cell))

    def index(self, cell: Cell) -> int:
        """Place of a cell in `codes`."""
        row, column = cell
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError(f"cell {cell} is outside a board of {self.rows} × {self.columns}")
        return row * self.columns + column

    def cell(self, index: int) -> Cell:
        """The (row, col) of a place in `codes`."""
        return divmod(index, self.columns)

    def cells(self, code: int) -> Iterator[Cell]:
        """Every cell with one code, in row order."""
        byte = code & 0xFF
        return (self.cell(index) for index, value in enumerate(self.codes) if value == byte)

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells next to one cell that are part of the board, in row order."""
        around = self.topology.around(self.index(cell))
        return [self.cell(other) for other in around if code_at(self.codes, other) != ABSENT]

    # making other boards

    def replace(self, changes: dict[Cell, int], *, total_mines: int | Any | None = ...) -> Board:
        """A copy with other codes in some cells and, if given, another total."""
        codes = bytearray(self.codes)
        for cell, code in changes.items():
            if code not in range(-128, 128):
                raise _no_code(code, *cell)
            codes[self.index(cell)] = code & 0xFF
        total = self.total_mines if total_mines is ... else total_mines
        return Board(self.rows, self.columns, bytes(codes), total, self.topology.kind)

    def without_flags(self) -> Board:
        """The same position with every flag taken for a covered cell."""
        codes = self.codes.replace(bytes([FLAGGED & 0xFF]), bytes([COVERED & 0xFF]))
        return Board(self.rows, self.columns, codes, self.total_mines, self.topology.kind)

    # value semantics

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Topology, bytes, int | None]:
        return self.topology, self.codes, self.total_mines

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board never changes; use replace() to make another ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Board never changes ({name})")

    def __reduce__(self) -> tuple[object, ...]:
        return Board, (self.rows, self.columns, self.codes, self.total_mines, self.topology.kind)


def code_at(codes: bytes, index: int) -> int:
    """A cell code as the signed number it stands for."""
    value = codes[index]
    return value - 256 if value > 127 else value


def _check_size(rows: int, columns: int) -> None:
    if rows < 1 or columns < 1:
        raise BoardSyntaxError(f"found a board of {rows} × {columns}, expected at least one cell")
    if rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"found {rows} × {columns} = {rows * columns} cells, expected at most {MAX_CELLS}")


_VALID = bytes([*range(LARGEST_NUMBER + 1), COVERED & 0xFF, FLAGGED & 0xFF, ABSENT & 0xFF])


def _check_codes(codes: bytes, columns: int) -> None:
    wrong = codes.translate(None, _VALID)
    if wrong:
        raise _no_code(code_at(wrong, 0), *divmod(codes.index(wrong[0]), columns))


def _no_code(code: int, row: int, column: int) -> BoardSyntaxError:
    return BoardSyntaxError(f"found cell code {code} at ({row}, {column}), expected 0-8, -1, -2 or -9")
