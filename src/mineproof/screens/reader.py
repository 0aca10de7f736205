"""Read the board in a picture: the cells, the confidence in each, and the doubtful ones.

    >>> import mineproof as mp
    >>> picture = mp.draw("000000/011100/02F211/03F###/03####/02####", coordinates=False)
    >>> reading = mp.read_image(picture.png(scale=1))
    >>> print(reading.board)
    000000
    011100
    02F211
    03F###
    03####
    02####

A reading always respects the rules: if no layout fits it, the least certain cells are changed, as few as possible.
Flags are ignored there, since players set wrong ones. Cells that look alike are one doubt, so that one answer settles
all of them: `Reading.doubts`, `Reading.confirm`.

Cost    Well below a second for a full screen, most of it to find the board.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.analysis.analysis import analyze
from mineproof.base import files
from mineproof.base.arrays import all_equal
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import plural, size
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.errors import BoardSyntaxError, BudgetExceeded, ContradictionError
from mineproof.screens import board_finder, cell_names, certainty, counter, extent, pixels, skew
from mineproof.screens.board_fit import SIDES, BoardFit
from mineproof.screens.cell_names import MARKS, CellMarks
from mineproof.wording.catalogue import decimal, message
from mineproof.wording.catalogue import plural as plural_message

if TYPE_CHECKING:
    from mineproof.screens.wire import DoubtJson, ReadingJson, SizeDoubtJson

SCHEMA: Final = "mineproof/reading/1"
SURE = 0.97  # minimum confidence of a cell that is not in doubt
SURE_SIGN = 0.9  # maximum confidence of a sign that may be another one
SURE_READING = 0.7  # minimum chance that a whole reading is right to be sure of it
OTHER_SIZE = 0.1  # least chance of another size that is worth a question
NO_GRID_CHANCE = 0.05  # chance of a board below which the picture is refused
REPAIRS = 24  # readings that are tried if no layout fits the first
CHECK_SECONDS = 5.0  # to check whether some layout fits
NO_MINESWEEPER = "no board in the picture: there is a grid, but its cells do not follow the rules of Minesweeper"
NO_BOARD = "no board in the picture: expected cells in rows and columns, at least 3 × 3 of them"


@dataclasses.dataclass(frozen=True, slots=True)
class Doubt:
    """Cells that look alike and may be misread: the mark that was read, and alternatives with their chances."""

    cells: tuple[Cell, ...]
    mark: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]

    def as_json(self) -> DoubtJson:
        """Return this doubt as a JSON object."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "mark": self.mark,
            "confidence": self.confidence,
            "alternatives": [{"mark": mark, "chance": chance} for mark, chance in self.alternatives],
        }


@dataclasses.dataclass(frozen=True, slots=True)
class SizeDoubt:
    """A question about the size: without the outer row or column of a side (``change`` -1), or with one more (1)?"""

    side: str
    change: int
    chance: float

    def as_json(self) -> SizeDoubtJson:
        """Return this doubt as a JSON object."""
        return {"side": self.side, "change": self.change, "chance": self.chance}


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Result of `read_image`.

    ``cells`` are rows of marks: ``0``-``8`` open, ``#`` covered, ``F`` flag, ``?`` question mark, ``*`` visible mine.
    ``confidence`` (rows, columns) is the chance that a cell is read correctly. ``box`` is the area of the cells in
    pixels (left, top, right, bottom). ``counter`` is the number of mines left that the program shows, None if it could
    not be read. ``doubts`` are the cells to ask about, the least certain first. ``size_doubts`` are rows and columns at
    the border that may not belong to the board, or may be missing. ``certainty`` is the chance that the whole reading
    is right. ``notes`` are other remarks.
    """

    cells: tuple[str, ...]
    confidence: NDArray[np.float64]
    box: tuple[float, float, float, float]
    counter: int | None
    doubts: tuple[Doubt, ...]
    notes: tuple[str, ...]
    wrong_flags: tuple[Cell, ...] = ()
    size_doubts: tuple[SizeDoubt, ...] = ()
    certainty: float = 1.0
    _fit: BoardFit | None = dataclasses.field(default=None, repr=False)
    _known: Mapping[Cell, str] = dataclasses.field(default_factory=dict, repr=False)
    _sides: frozenset[str] = dataclasses.field(default=frozenset(), repr=False)

    @property
    def sure(self) -> bool:
        """Are there no doubts about cells, the size, or the reading as a whole?"""
        return not self.doubts and not self.size_doubts and self.certainty >= SURE_READING

    @property
    def total_mines(self) -> int | None:
        """Number of mines: counter plus flags. None without a counter, if a mine is visible, or if it cannot be."""
        if self.counter is None or any("*" in row for row in self.cells):
            return None
        total = self.counter + sum(row.count("F") for row in self.cells)
        return total if 0 <= total <= len(self.cells) * len(self.cells[0]) else None

    @property
    def board(self) -> Board:
        """The position. Question marks are covered cells, visible mines are flags."""
        codes = [_code(mark) for row in self.cells for mark in row]
        return Board.from_array(np.array(codes, np.int8).reshape(len(self.cells), -1), self.total_mines)

    def confirm(self, marks: Mapping[Cell, str], *, budget: Budget | float | None = None) -> Reading:
        """Return a new reading with the given marks; cells of the same doubt get the same mark.

        Raises BudgetExceeded if it takes longer than the budget, by default 60 seconds.
        """
        for cell, mark in marks.items():
            if mark not in list(MARKS) or mark == "X":
                raise ValueError(f"expected one of 0-8 # F ? * for {cell}, got {mark!r}")
        if self._fit is None:
            raise ValueError("This reading has no picture. Only readings of read_image can be confirmed.")
        alike = {cell: doubt.cells for doubt in self.doubts for cell in doubt.cells}
        known = {other: mark for cell, mark in marks.items() for other in alike.get(cell, (cell,))}
        return _read_fit(
            self._fit, {**self._known, **known, **marks}, self.counter, Deadline(Budget.of(budget)), self._sides
        )

    def resize(self, changes: Mapping[str, int], *, budget: Budget | float | None = None) -> Reading:
        """Return a new reading with more or fewer outer rows and columns.

        ``changes`` has the sides "up", "down", "left" and "right" with the number of strips to add, negative to remove;
        0 confirms a side as it is. These sides have no further questions.
        """
        if self._fit is None:
            raise ValueError("This reading has no picture. Only readings of read_image can be resized.")
        board = self._fit
        for side, change in changes.items():
            if side not in SIDES:
                raise ValueError(f"expected a side, one of {', '.join(SIDES)}, got {side!r}")
            board = _resize(board, side, change)
        down, across = changes.get("up", 0), changes.get("left", 0)
        known = {
            (row + down, col + across): mark
            for (row, col), mark in self._known.items()
            if 0 <= row + down < board.rows and 0 <= col + across < board.columns
        }
        return _read_fit(board, known, self.counter, Deadline(Budget.of(budget)), self._sides | set(changes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reading):
            return NotImplemented
        names = [field.name for field in dataclasses.fields(self) if not field.name.startswith("_")]
        return all_equal(*([getattr(reading, name) for name in names] for reading in (self, other)))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        doubts = "sure" if self.sure else f"{plural(_doubtful_cells(self), 'cell')} in doubt"
        return f"<Reading of {size(len(self.cells), len(self.cells[0]))}: {doubts}>"

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_()

    def __rich__(self) -> object:
        return self.board.__rich__()

    def as_json(self) -> ReadingJson:
        """Return the ``mineproof/reading/1`` object."""
        return {
            "schema": SCHEMA,
            "rows": len(self.cells),
            "columns": len(self.cells[0]),
            "cells": list(self.cells),
            "total_mines": self.total_mines,
            "confidence": self.confidence.round(4).tolist(),
            "box": [round(side, 1) for side in self.box],
            "counter": self.counter,
            "sure": self.sure,
            "doubts": [doubt.as_json() for doubt in self.doubts],
            "size_doubts": [doubt.as_json() for doubt in self.size_doubts],
            "certainty": round(self.certainty, 4),
            "wrong_flags": [list(cell) for cell in self.wrong_flags],
            "notes": list(self.notes),
        }


def read_image(source: str | PathLike[str] | bytes, *, budget: Budget | float | None = None) -> Reading:
    """Read the board in a picture: the path of a file, or its bytes (PNG, JPEG, WebP, BMP, the first frame of a GIF).

    The picture may show any program and theme: a whole screen, a window, or only the board. The limits are 40 million
    pixels and boards of 10,000 cells. The default budget is 60 seconds.

    Raises BoardSyntaxError if there is no board or the picture cannot be decoded, BudgetExceeded if it takes too long
    or is cancelled, and ImportError without the extra ``image``.
    """
    deadline = Deadline(Budget.of(budget))
    if isinstance(source, bytes):
        return _decode_and_read(source, deadline)
    if not isinstance(source, str | PathLike):
        raise TypeError(f"expected a path or the bytes of a picture, got {type(source).__name__}")
    try:
        return _decode_and_read(files.read(Path(source)), deadline)
    except BoardSyntaxError as error:
        error.source = str(source)
        raise


def read_pixels(picture: pixels.Pixels, *, budget: Budget | float | None = None) -> Reading:
    """Read the board in an array of pixels, uint8 (height, width, 3)."""
    return _read_decoded(pixels.Decoded(picture, 1), Deadline(Budget.of(budget)))


def _decode_and_read(data: bytes, deadline: Deadline) -> Reading:
    deadline.check()
    return _read_decoded(pixels.decode(data), deadline)


def _read_decoded(picture: pixels.Decoded, deadline: Deadline) -> Reading:
    straight, warp = skew.straighten(picture.pixels)
    reading = _read_straight(picture._replace(pixels=straight), deadline)
    if warp is None:
        return reading
    box = warp.box_before(reading.box, picture.scale)
    note = (
        message("screen-turned", degrees=decimal(abs(warp.degrees), 1)) if warp.degrees else message("screen-projected")
    )
    return dataclasses.replace(reading, box=box, notes=(*reading.notes, note))


def _read_straight(picture: pixels.Decoded, deadline: Deadline) -> Reading:
    board = board_finder.find(picture.pixels, deadline)
    if board is None or min(board.lattice.rows, board.lattice.columns) < board_finder.MIN_SIDE_CELLS:
        raise BoardSyntaxError(NO_BOARD)
    board = _settle_size(board, deadline)
    display = counter.read_counter(picture.pixels, board.lattice)
    texts = counter.captions(picture.pixels, board.lattice, deadline) if display is None else []
    if picture.scale == 2:
        board = board.double_size()
    reading = _read_fit(board, {}, display, deadline)
    if texts:
        flags = sum(row.count("F") for row in reading.cells)
        reading = dataclasses.replace(reading, counter=counter.mines_left(texts, flags, reading.confidence.size))
    return _check_counter(reading, deadline)


def _check_counter(reading: Reading, deadline: Deadline) -> Reading:
    """Remove the counter if no layout has as many mines as counter and flags say."""
    if reading.total_mines is not None:
        try:
            _analyze(reading.board.without_flags(), deadline)
        except ContradictionError:
            return dataclasses.replace(reading, counter=None)
    return reading


def _analyze(board: Board, deadline: Deadline) -> None:
    """Raise ContradictionError if no layout fits. If counting takes too long, some layout is assumed to fit."""
    deadline.check()
    rest = deadline.rest()
    try:
        analyze(board, budget=dataclasses.replace(rest, seconds=min(rest.seconds, CHECK_SECONDS)))
    except BudgetExceeded:
        deadline.check()


def _settle_size(board: BoardFit, deadline: Deadline) -> BoardFit:
    """Add and remove outer rows and columns as long as that is more likely right than wrong."""
    known: set[tuple[int, int, int, int]] = set()
    while (place := (board.row, board.column, board.rows, board.columns)) not in known:
        known.add(place)
        marks = cell_names.choose_marks(board.looks, board.chances, {}, deadline).marks
        change = extent.best_change(board, marks, board_finder.MIN_SIDE_CELLS)
        board = board if change is None else board.resize(*change)
    return board


def _resize(board: BoardFit, side: str, change: int) -> BoardFit:
    length = board.rows if side in {"up", "down"} else board.columns
    least, most = board_finder.MIN_SIDE_CELLS - length, board.room(side)
    if not min(0, least) <= change <= most:
        raise ValueError(f"expected a change of {min(0, least)} to {most} for the side {side}, got {change}")
    return board.resize(side, change)


def _doubtful_cells(reading: Reading) -> int:
    return sum(len(doubt.cells) for doubt in reading.doubts)


def _read_fit(
    board: BoardFit,
    known: Mapping[Cell, str],
    counter: int | None,
    deadline: Deadline,
    sides: frozenset[str] = frozenset(),
) -> Reading:
    """Read the cells of a board; ``sides`` are those whose place is confirmed."""
    fixed = {cell: MARKS.index(mark) for cell, mark in known.items()}
    named = cell_names.choose_marks(board.looks, board.chances, fixed, deadline)
    named, conflict = _repair_conflicts(named, deadline)
    confidence = _confidence(named)
    for cell in conflict:
        confidence[cell] = min(confidence[cell], 0.5)
    sizes = {change: chance for change, chance in extent.changes(board, named.marks).items() if change[0] not in sides}
    values = certainty.features(board, named, confidence, sizes, bool(conflict))
    unclear = certainty.unclear_signs(named.marks)
    for cell in known:
        unclear[cell] = False
    chance, reasons = _certainty(values, named, unclear, bool(known or sides))
    confidence[unclear] = np.minimum(confidence[unclear], SURE_SIGN)
    if conflict:
        reasons.append(plural_message("screen-conflict", len(conflict)))
    crossed = tuple((int(r), int(c)) for r, c in np.argwhere(named.marks == cell_names.WRONG))
    cells = tuple("".join(MARKS[mark] for mark in row).replace("X", "F") for row in named.marks)
    x0, y0, x1, y1 = board.lattice.box
    return Reading(
        cells, confidence, (x0, y0, x1, y1), counter, _doubts(named, confidence), tuple(reasons), crossed,
        _size_doubts(sizes), chance, board, dict(known), sides,
    )  # fmt: skip


def _certainty(
    values: NDArray[np.floating], named: CellMarks, unclear: NDArray[np.bool_], is_confirmed: bool
) -> tuple[float, list[str]]:
    """The chance that the whole reading is right, and why it cannot be sure.

    Raises BoardSyntaxError if the grid is none of Minesweeper, unless a person has confirmed something of it.
    """
    is_board = extent.logistic(values, certainty.IS_BOARD)
    if not is_confirmed and (is_board < NO_GRID_CHANCE or certainty.breaks_rules(values)):
        raise BoardSyntaxError(NO_MINESWEEPER)
    chance, reasons = extent.logistic(values, certainty.RIGHT), certainty.reasons(named, unclear)
    return (min(chance, SURE_READING / 2) if reasons or is_board < 0.5 else chance), reasons


def _size_doubts(sizes: Mapping[tuple[str, int], float]) -> tuple[SizeDoubt, ...]:
    doubts = [SizeDoubt(side, change, chance) for (side, change), chance in sizes.items() if chance > OTHER_SIZE]
    return tuple(sorted(doubts, key=lambda doubt: -doubt.chance))


def _code(mark: str) -> int:
    return int(mark) if mark.isdigit() else FLAGGED if mark in "F*" else COVERED


def _confidence(named: CellMarks) -> NDArray[np.float64]:
    """Return the logistic function of the margins; calibrated on rendered boards."""
    return 1 / (1 + np.exp(-np.clip(named.margins, -20, 20)))


def _doubts(named: CellMarks, confidence: NDArray[np.float64]) -> tuple[Doubt, ...]:
    """Return one doubt for each uncertain group and mark, the least certain first."""
    unsure: dict[tuple[int, int], list[Cell]] = {}
    for row, col in np.argwhere(confidence < SURE):
        key = int(named.groups[row, col]), int(named.marks[row, col])
        unsure.setdefault(key, []).append((int(row), int(col)))
    doubts = []
    for (_, mark), cells in unsure.items():
        likely = np.exp(-named.costs[cells[0]])
        same = {mark, cell_names.WRONG, cell_names.FLAG if mark == cell_names.WRONG else mark}
        others = [int(other) for other in np.argsort(-likely) if int(other) not in same][:3]
        chances = likely[others] / max(float(likely.sum()), 1e-9)
        alternatives = tuple((MARKS[other], float(chance)) for other, chance in zip(others, chances, strict=True))
        least = min(float(confidence[cell]) for cell in cells)
        doubts.append(Doubt(tuple(cells), MARKS[mark].replace("X", "F"), least, alternatives))
    return tuple(sorted(doubts, key=lambda doubt: doubt.confidence))


def _repair_conflicts(named: CellMarks, deadline: Deadline) -> tuple[CellMarks, tuple[Cell, ...]]:
    """Make the fewest and cheapest changes so that some layout fits; also return the cells still in conflict."""
    for _ in range(REPAIRS // 4):
        conflict = _conflict(named.marks, deadline)
        if not conflict:
            return named, ()
        changed = _repair(named, conflict, deadline)
        if changed is None:
            return named, conflict
        named = changed
    return named, _conflict(named.marks, deadline)


def _repair(named: CellMarks, conflict: tuple[Cell, ...], deadline: Deadline) -> CellMarks | None:
    """Change the mark of one cell near the conflict so that the conflict is gone; None if that is impossible."""
    near = {
        (row + dr, col + dc)
        for row, col in conflict
        for dr in (-1, 0, 1)
        for dc in (-1, 0, 1)
        if 0 <= row + dr < named.marks.shape[0] and 0 <= col + dc < named.marks.shape[1]
    }
    options = []
    for cell in near:
        own = named.costs[cell][named.marks[cell]]
        options += [
            (float(named.costs[cell][mark] - own), cell, mark)
            for mark in np.argsort(named.costs[cell])[:3]
            if mark != named.marks[cell] and named.costs[cell][mark] - own < cell_names.FETCHED
        ]
    for _, cell, mark in sorted(options, key=lambda option: option[0])[:REPAIRS]:
        marks = named.marks.copy()
        marks[cell] = mark
        after = _conflict(marks, deadline)
        if not after or not set(after) & set(conflict):
            margins = named.margins.copy()
            margins[cell] = min(margins[cell], 1.0)
            return dataclasses.replace(named, marks=marks, margins=margins)
    return None


def _conflict(marks: NDArray[np.int64], deadline: Deadline) -> tuple[Cell, ...]:
    """Return numbers that contradict each other. Flags of the player are ignored, visible mines are not."""
    rows, columns = marks.shape
    codes = [
        int(mark) if mark < cell_names.OPEN else FLAGGED if mark == cell_names.MINE else COVERED
        for mark in marks.ravel()
    ]
    try:
        _analyze(Board.from_array(np.array(codes, np.int8).reshape(rows, columns)), deadline)
    except ContradictionError as error:
        return error.cells
    return ()
