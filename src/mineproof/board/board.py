"""The observed board: everything a player sees, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Final, Literal, cast, overload

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.notebook import Shown
from mineproof.base.words import at, size
from mineproof.board import notation
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_NUMBER, Cell
from mineproof.board.geometry import Geometry, Topology, require_shape, require_size
from mineproof.board.other_boards import RuleReader
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from mineproof.board.graphs import Shape
    from mineproof.board.wire import BoardJson

SCHEMA: Final = "mineproof/board/1"
Flags = Literal["trust", "ignore"]  # flags are known mines, or covered cells like others


class Board(Shown):
    """An immutable position: numbers, covered and flagged cells, and the total number of mines if it is known.

    ``codes`` holds one signed byte per cell in row order: 0-8 an open number (more on shapes whose cells have more
    neighbours), -1 covered, -2 flagged, -9 not part of the board. Two boards are equal if they have the same cells,
    total and topology. Raises BoardSyntaxError for invalid codes, an impossible total, or a size that the topology
    does not have.
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
        require_shape(topology, rows, columns)
        if len(codes) != rows * columns:
            raise BoardSyntaxError(f"expected {size(rows, columns)} = {rows * columns} cells, got {len(codes)}")
        geometry = Geometry(topology, rows, columns)
        _check_codes(codes, geometry)
        if total_mines is not None:
            total_mines = checks.whole("total_mines", total_mines)
            present = len(codes) - codes.count(_ABSENT)
            if not 0 <= total_mines <= present:
                raise BoardSyntaxError(f"expected 0 to {present} mines on this board, got {total_mines}")
        _fill(self, geometry, codes, total_mines)

    # conversion

    @overload
    @classmethod
    def parse(
        cls,
        text: str,
        total_mines: int | None = None,
        topology: Topology | None = None,
        alphabet: str | None = None,
        *,
        shape: Topology | Shape | None = None,
        rules: None = None,
    ) -> Board: ...

    @overload
    @classmethod
    def parse(
        cls,
        text: str,
        total_mines: int | None = None,
        topology: Topology | None = None,
        *,
        shape: Topology | Shape | None = None,
        rules: object,
    ) -> Any: ...

    @classmethod
    def parse(
        cls,
        text: str,
        total_mines: int | None = None,
        topology: Topology | None = None,
        alphabet: str | None = None,
        *,
        shape: Topology | Shape | None = None,
        rules: object = None,
    ) -> Any:
        """Parse a position: text in an alphabet of `mineproof.board.notation`, or pasted text.

        An ``alphabet`` given by name is parsed strictly. Without one, tables, emoji, nested lists and our own pictures
        are accepted, too. ``total_mines`` and ``topology`` must agree with those in the text. ``shape`` is another word
        for ``topology`` and may be a `Shape`. ``rules`` are those of a variant, such as ``"liar,quad"``, and make the
        result a `VariantBoard`. `mineproof.formats.read` returns the same board with notes on its assumptions, and also
        reads links, files and layouts. Raises BoardSyntaxError if the text cannot be parsed.
        """
        text = checks.instance("text", text, str, "Board.from_array takes arrays")
        if shape is not None:
            topology = notation.agree("topology", _shape_name(shape), topology)
        if rules is not None:
            return RuleReader.read(text, rules, total_mines=total_mines, topology=topology)
        grid = _read_grid(text, total_mines, topology) if alphabet is None else notation.read(text, alphabet)
        total = notation.agree("total of mines", grid.total_mines, total_mines)
        kind: Topology | None = notation.agree("topology", grid.topology, topology)
        return cls(grid.rows, grid.columns, grid.codes, total, "grid" if kind is None else kind)

    @classmethod
    def from_array(cls, array: npt.ArrayLike, total_mines: int | None = None, topology: Topology = "grid") -> Board:
        """Return the board of an array (rows, columns) of codes: a number, -1 covered, -2 flagged, -9 not part of it.

        Raises BoardSyntaxError for other shapes and codes.
        """
        cells = np.asarray(array)
        if cells.ndim != 2:
            raise BoardSyntaxError(f"expected an array of 2 dimensions (rows, columns), got {cells.ndim}")
        if cells.dtype.kind not in "iu":
            raise BoardSyntaxError(f"expected an array of whole numbers, got {cells.dtype}")
        rows, columns = cells.shape
        require_size(rows, columns)
        largest = Geometry(topology, rows, columns).largest_number
        wrong = ~(((cells >= 0) & (cells <= largest)) | (cells == COVERED) | (cells == FLAGGED) | (cells == ABSENT))
        if wrong.any():
            row, column = divmod(int(wrong.argmax()), columns)
            raise _invalid_code(int(cells[row, column]), row, column, largest)
        return cls(rows, columns, cells.astype(np.int8).tobytes(), total_mines, topology)

    def to_array(self) -> npt.NDArray[np.int8]:
        """Return a new int8 array (rows, columns) of cell codes."""
        return np.frombuffer(self.codes, dtype=np.int8).reshape(self.rows, self.columns).copy()

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.int8]:
        """Return cell codes (rows, columns) for ``np.asarray(board)``, read-only unless a copy is requested."""
        codes = np.frombuffer(self.codes, dtype=np.int8).reshape(self.rows, self.columns)
        return np.array(codes, dtype=dtype, copy=copy)

    def as_json(self) -> BoardJson:
        """Return the board as ``mineproof/board/1``."""
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "total_mines": self.total_mines,
            "topology": self.topology,
            "cells": notation.write_rows(self.columns, self.codes),
        }

    def __str__(self) -> str:
        """Return the board in our own alphabet; `parse` returns an equal board."""
        return notation.write(self.rows, self.columns, self.codes, self.total_mines, self.topology)

    def __repr__(self) -> str:
        rows = notation.write_rows(self.columns, self.codes)
        total = "" if self.total_mines is None else f", total_mines={self.total_mines}"
        kind = "" if self.topology == "grid" else f", topology={self.topology!r}"
        return f"Board.parse({'/'.join(rows)!r}{total}{kind}, alphabet='mineproof')"

    # cells

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.geometry.rows

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.geometry.columns

    @property
    def topology(self) -> Topology:
        """The name of the topology, such as grid, torus or hex."""
        return self.geometry.topology

    def __getitem__(self, cell: Cell) -> int:
        """Return the code of a cell. Raises OutsideError if it is not on the board."""
        return code_at(self.codes, self.index(cell))

    __iter__ = None  # else ``for cell in board`` would try ``board[0]``

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in `codes`. Raises OutsideError if it is not on the board."""
        return self.geometry.index(cell)

    def cell(self, index: int) -> Cell:
        """Return the (row, column) of an index in `codes`."""
        return divmod(index, self.columns)

    def cells(self, code: int) -> Iterator[Cell]:
        """Yield every cell with a code, in row order."""
        byte = checks.whole("code", code) & 0xFF
        return (self.cell(index) for index, value in enumerate(self.codes) if value == byte)

    def count(self, code: int) -> int:
        """Return the number of cells with a code."""
        return self.codes.count(checks.whole("code", code) & 0xFF)

    @property
    def open_cells(self) -> int:
        """Number of open cells."""
        return len(self.codes) - len(self.codes.translate(None, _NUMBERS))

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell that are part of the board, in row order."""
        around = self.geometry.neighbours(self.index(cell))
        return [self.cell(other) for other in around if self.codes[other] != _ABSENT]

    def sea(self) -> npt.NDArray[np.bool_]:
        """Return an array (rows, columns) that is True for cells without an open neighbour, covered or not."""
        numbers = np.append(np.frombuffer(self.codes, dtype=np.int8) >= 0, False)
        touched = np.asarray(numbers[self.geometry.table].any(axis=1)).reshape(self.rows, self.columns)
        return ~touched

    # other boards

    def replace(self, changes: Mapping[Cell, int], *, total_mines: int | EllipsisType | None = ...) -> Board:
        """Return a copy with other codes in some cells and, if given, another total."""
        if not isinstance(changes, Mapping):
            raise TypeError(f"changes must be a mapping of cells to codes, got {type(changes).__name__}")
        codes = bytearray(self.codes)
        for cell, code in changes.items():
            if code not in range(-128, 128):
                raise _invalid_code(code, *cell, self.geometry.largest_number)
            codes[self.index(cell)] = code & 0xFF
        total = self.total_mines if isinstance(total_mines, EllipsisType) else total_mines
        return Board(self.rows, self.columns, bytes(codes), total, self.topology)

    def without_flags(self) -> Board:
        """Return the position with covered cells in place of flags."""
        return self.with_codes(self.codes.replace(_FLAGGED, _COVERED)) if _FLAGGED in self.codes else self

    def as_seen(self, flags: Flags) -> Board:
        """Return this board if flags are trusted (``"trust"``), or the board without them (``"ignore"``)."""
        checks.one_of("flags", flags, ("trust", "ignore"))
        return self if flags == "trust" else self.without_flags()

    def suppose(self, *, free: Iterable[Cell] = (), mines: Iterable[Cell] = ()) -> Board:
        """Return the position in which some covered cells are free and others are mines.

        For counting, a free cell without a number is a cell outside the board: it is never a mine, and no number counts
        it. So the layouts of the result are those of this board in which these cells are free, or mines.
        """
        codes = bytearray(self.codes)
        for cells, code in ((free, ABSENT), (mines, FLAGGED)):
            for cell in cells:
                codes[self.index(cell)] = code & 0xFF
        return self.with_codes(bytes(codes))

    def only(self, numbers: Iterable[int], *, total: bool = True) -> Board:
        """Return the position with only these numbers, given by their indices, and the total if ``total``.

        Removes the other numbers as `suppose` removes free cells.
        """
        codes = bytearray(self.codes.translate(_HIDING))
        for index in numbers:
            codes[index] = self.codes[index]
        return self.with_codes(bytes(codes), total=total)

    def with_codes(self, codes: bytes, *, total: bool = True) -> Board:
        """Return the board with other codes, which are not checked, and without the total unless ``total``."""
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
        raise AttributeError(f"cannot set {name}: a Board is immutable. replace() returns a changed copy.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name}: a Board is immutable.")

    def __reduce__(self) -> tuple[object, ...]:
        return Board, (self.rows, self.columns, self.codes, self.total_mines, self.topology)


_COVERED, _FLAGGED = bytes([COVERED & 0xFF]), bytes([FLAGGED & 0xFF])
_ABSENT = ABSENT & 0xFF
_NUMBERS = bytes(range(LARGEST_NUMBER + 1))
_HIDING = bytes.maketrans(_NUMBERS, bytes([_ABSENT]) * len(_NUMBERS))


def _read_grid(text: str, total_mines: int | None, topology: Topology | None) -> notation.Grid:
    """Read a position. Plain text, which most boards are, does not load the package for pasted text."""
    if notation.is_plain(text):
        with suppress(BoardSyntaxError):
            return notation.read(text)
    from mineproof.board.paste import reader
    from mineproof.board.paste.meanings import Known

    return reader.read(text, Known(total_mines, topology)).grid


def _fill(board: Board, geometry: Geometry, codes: bytes, total_mines: int | None) -> None:
    put = object.__setattr__
    put(board, "geometry", geometry)
    put(board, "codes", codes)
    put(board, "total_mines", total_mines)


def covered_board(rows: int, columns: int, total_mines: int | None, topology: Topology) -> Board:
    """Return a board whose cells are all covered."""
    require_shape(topology, rows, columns)
    codes = bytearray(_COVERED * (rows * columns))
    for index in Geometry(topology, rows, columns).holes:
        codes[index] = _ABSENT
    return Board(rows, columns, bytes(codes), total_mines, topology)


def code_at(codes: bytes, index: int) -> int:
    """Return a cell code as a signed number."""
    value = codes[index]
    return value - 256 if value > 127 else value


def _shape_name(shape: Any) -> Topology:
    name = shape if isinstance(shape, str) else getattr(shape, "topology", None)
    if not isinstance(name, str):
        raise TypeError(f"shape must be the name of a shape, or a Shape, got {shape!r:.80}")
    return cast("Topology", name)


def _check_codes(codes: bytes, geometry: Geometry) -> None:
    largest = geometry.largest_number
    wrong = codes.translate(None, _valid_codes(largest))
    if wrong:
        raise _invalid_code(code_at(wrong, 0), *geometry.cell(codes.index(wrong[0])), largest)
    for index in geometry.holes:
        if codes[index] != _ABSENT:
            place, code = at(geometry.cell(index)), code_at(codes, index)
            raise BoardSyntaxError(f"{place}: expected -9, because {geometry.topology} has no cell there, got {code}")


@lru_cache(maxsize=64)
def _valid_codes(largest: int) -> bytes:
    return bytes([*range(largest + 1), *_COVERED, *_FLAGGED, _ABSENT])


def _invalid_code(code: int, row: int, column: int, largest: int) -> BoardSyntaxError:
    return BoardSyntaxError(f"{at((row, column))}: expected cell code 0-{largest}, -1, -2 or -9, got {code}")
