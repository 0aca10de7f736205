"""The observed board: what a player sees, and nothing a player cannot see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import EllipsisType
from typing import Literal

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.showing import Shown
from mineproof.base.words import at, size
from mineproof.board import notation
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_NUMBER, Cell
from mineproof.board.geometry import Geometry, Topology, require_size, require_topology
from mineproof.errors import BoardSyntaxError

SCHEMA = "mineproof/board/1"
Flags = Literal["trust", "ignore"]  # flags are known mines, or covered cells like others


class Board(Shown):
    """An immutable position: numbers, covered and flagged cells, and the total if it is known.

    ``codes`` holds one signed byte per cell in row order: 0-8 an open number, -1 covered, -2 flagged,
    -9 not part of the board. Two boards are equal when they show the same and have the same total.
    """

    __slots__ = ("codes", "geometry", "total_mines")

    codes: bytes
    geometry: Geometry
    total_mines: int | None

    def __init__(
        self, rows: int, columns: int, codes: bytes, total_mines: int | None = None, topology: Topology = "grid"
    ) -> None:
        rows, columns = checks.whole("rows", rows), checks.whole("columns", columns)
        codes = checks.instance("codes", codes, bytes, "one signed byte a cell")
        require_size(rows, columns)
        require_topology(topology)
        if len(codes) != rows * columns:
            raise BoardSyntaxError(f"found {len(codes)} cells, expected {size(rows, columns)} = {rows * columns}")
        _check_codes(codes, columns)
        if total_mines is not None:
            total_mines = checks.whole("total_mines", total_mines)
            present = len(codes) - codes.count(_ABSENT)
            if not 0 <= total_mines <= present:
                raise BoardSyntaxError(f"found a total of {total_mines} mines, expected 0 to {present} on this board")
        _fill(self, Geometry(topology, rows, columns), codes, total_mines)

    # reading and writing

    @classmethod
    def parse(
        cls, text: str, total_mines: int | None = None, topology: Topology | None = None, alphabet: str | None = None
    ) -> Board:
        """Read a position written in any text alphabet of `mineproof.board.notation`.

        A total or topology given here must agree with one written in the text. Links, files and layouts are read by
        `mineproof.formats.read`.
        """
        grid = notation.read(checks.instance("text", text, str, "Board.from_array takes arrays"), alphabet=alphabet)
        total = notation.agree("total of mines", grid.total_mines, total_mines)
        kind: Topology | None = notation.agree("topology", grid.topology, topology)
        return cls(grid.rows, grid.columns, grid.codes, total, "grid" if kind is None else kind)

    @classmethod
    def from_array(cls, array: npt.ArrayLike, total_mines: int | None = None, topology: Topology = "grid") -> Board:
        """A board from an array (rows, columns) of cell codes: 0-8 open, -1 covered, -2 flagged, -9 not part of it."""
        cells = np.asarray(array)
        if cells.ndim != 2:
            raise BoardSyntaxError(f"found an array of {cells.ndim} dimensions, expected 2 (rows, columns)")
        if cells.dtype.kind not in "iu":
            raise BoardSyntaxError(f"found an array of {cells.dtype}, expected whole numbers")
        rows, columns = cells.shape
        require_size(rows, columns)
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

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.int8]:
        """``np.asarray(board)``: cell codes (rows, columns), read-only unless a copy is asked for."""
        codes = np.frombuffer(self.codes, dtype=np.int8).reshape(self.rows, self.columns)
        return np.array(codes, dtype=dtype, copy=copy)

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/board/1`` shape."""
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "total_mines": self.total_mines,
            "topology": self.topology,
            "cells": notation.write_rows(self.columns, self.codes),
        }

    def __str__(self) -> str:
        """The board in our own alphabet; `parse` reads it back as an equal board."""
        return notation.write(self.rows, self.columns, self.codes, self.total_mines, self.topology)

    def __repr__(self) -> str:
        rows = notation.write_rows(self.columns, self.codes)
        total = "" if self.total_mines is None else f", total_mines={self.total_mines}"
        kind = "" if self.topology == "grid" else f", topology={self.topology!r}"
        return f"Board.parse({'/'.join(rows)!r}{total}{kind}, alphabet='mineproof')"

    # looking

    @property
    def rows(self) -> int:
        return self.geometry.rows

    @property
    def columns(self) -> int:
        return self.geometry.columns

    @property
    def topology(self) -> Topology:
        """The name of the shape: grid, torus or hex."""
        return self.geometry.topology

    def __getitem__(self, cell: Cell) -> int:
        """The code of one cell."""
        return code_at(self.codes, self.index(cell))

    def index(self, cell: Cell) -> int:
        """Place of a cell in `codes`; OutsideError where there is no such cell."""
        return self.geometry.index(cell)

    def cell(self, index: int) -> Cell:
        """The (row, column) of a place in `codes`."""
        return divmod(index, self.columns)

    def cells(self, code: int) -> Iterator[Cell]:
        """Every cell with one code, in row order."""
        byte = checks.whole("code", code) & 0xFF
        return (self.cell(index) for index, value in enumerate(self.codes) if value == byte)

    def count(self, code: int) -> int:
        """How many cells have one code."""
        return self.codes.count(checks.whole("code", code) & 0xFF)

    @property
    def open_cells(self) -> int:
        """How many cells show a number."""
        return len(self.codes) - len(self.codes.translate(None, _NUMBERS))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """The cells next to one cell that are part of the board, in row order."""
        around = self.geometry.neighbours(self.index(cell))
        return [self.cell(other) for other in around if self.codes[other] != _ABSENT]

    def sea(self) -> npt.NDArray[np.bool_]:
        """Which cells no open number touches, as an array (rows, columns); not only covered ones."""
        numbers = np.append(np.frombuffer(self.codes, dtype=np.int8) >= 0, False)
        touched = np.asarray(numbers[self.geometry.table].any(axis=1)).reshape(self.rows, self.columns)
        return ~touched

    # making other boards

    def replace(self, changes: Mapping[Cell, int], *, total_mines: int | EllipsisType | None = ...) -> Board:
        """A copy with other codes in some cells and, if given, another total."""
        if not isinstance(changes, Mapping):
            raise TypeError(f"found changes of type {type(changes).__name__}, expected a mapping of cells to codes")
        codes = bytearray(self.codes)
        for cell, code in changes.items():
            if code not in range(-128, 128):
                raise _no_code(code, *cell)
            codes[self.index(cell)] = code & 0xFF
        total = self.total_mines if isinstance(total_mines, EllipsisType) else total_mines
        return Board(self.rows, self.columns, bytes(codes), total, self.topology)

    def without_flags(self) -> Board:
        """The same position with every flag taken for a covered cell."""
        return self._with(self.codes.replace(_FLAGGED, _COVERED)) if _FLAGGED in self.codes else self

    def as_seen(self, flags: Flags) -> Board:
        """The position as a policy on flags sees it: this one if they are trusted, without them if they are ignored."""
        checks.one_of("flags", flags, ("trust", "ignore"))
        return self if flags == "trust" else self.without_flags()

    def suppose(self, *, free: Iterable[Cell] = (), mines: Iterable[Cell] = ()) -> Board:
        """The position if some covered cells were free, and others mines.

        A cell that is free and shows no number is, to counting, a cell outside the board: it is never a mine, and no
        number counts it. So the layouts of this board are those of the old one with these cells free, or mined.
        """
        codes = bytearray(self.codes)
        for cells, code in ((free, ABSENT), (mines, FLAGGED)):
            for cell in cells:
                codes[self.index(cell)] = code & 0xFF
        return self._with(bytes(codes))

    def only(self, numbers: Iterable[int], *, total: bool = True) -> Board:
        """The position of somebody who sees only these numbers, given by their places, and the total if ``total``.

        All other numbers are taken away as `suppose` takes free cells away.
        """
        codes = bytearray(self.codes.translate(_HIDING))
        for index in numbers:
            codes[index] = self.codes[index]
        return self._with(bytes(codes), total=total)

    def _with(self, codes: bytes, *, total: bool = True) -> Board:
        """The same board with other codes, which are known to be sound."""
        other = object.__new__(Board)
        _fill(other, self.geometry, codes, self.total_mines if total else None)
        return other

    # value semantics

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Geometry, bytes, int | None]:
        return self.geometry, self.codes, self.total_mines

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Board never changes; use replace() to make another ({name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Board never changes ({name})")

    def __reduce__(self) -> tuple[object, ...]:
        return Board, (self.rows, self.columns, self.codes, self.total_mines, self.topology)


_COVERED, _FLAGGED = bytes([COVERED & 0xFF]), bytes([FLAGGED & 0xFF])
_ABSENT = ABSENT & 0xFF
_NUMBERS = bytes(range(LARGEST_NUMBER + 1))
_HIDING = bytes.maketrans(_NUMBERS, bytes([_ABSENT]) * len(_NUMBERS))


def _fill(board: Board, geometry: Geometry, codes: bytes, total_mines: int | None) -> None:
    put = object.__setattr__
    put(board, "geometry", geometry)
    put(board, "codes", codes)
    put(board, "total_mines", total_mines)


def code_at(codes: bytes, index: int) -> int:
    """A cell code as the signed number it stands for."""
    value = codes[index]
    return value - 256 if value > 127 else value


_VALID = bytes([*_NUMBERS, *_COVERED, *_FLAGGED, _ABSENT])


def _check_codes(codes: bytes, columns: int) -> None:
    wrong = codes.translate(None, _VALID)
    if wrong:
        raise _no_code(code_at(wrong, 0), *divmod(codes.index(wrong[0]), columns))


def _no_code(code: int, row: int, column: int) -> BoardSyntaxError:
    return BoardSyntaxError(f"found cell code {code} at {at((row, column))}, expected 0-8, -1, -2 or -9")
