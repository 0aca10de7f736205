"""A picture read: the board, how sure each cell is, and what to ask where that is not enough.

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

What the rules and the exact engine rule out is not read: a reading that no layout fits is changed where it is least
sure, as little as will do. Flags are left out of that, since players set wrong ones. Cells that look alike are doubted
together, so that one answer settles them all: `Reading.doubts`, `Reading.confirm`.

Cost    Well below a second for a full screen, most of it to find the board.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mineproof.analysis.analysis import analyze
from mineproof.base import files
from mineproof.base.words import plural, size
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.errors import BoardSyntaxError, BudgetExceeded, ContradictionError
from mineproof.screens import finding, naming, pixels
from mineproof.screens.counter import read_counter
from mineproof.screens.naming import MARKS, Named
from mineproof.screens.placing import SIDES, Found

SCHEMA = "mineproof/reading/1"
SURE = 0.95  # confidence from which on a cell is not asked about
TRIMMED = 0.5  # share of an outer row or column in doubt from which on it may not belong to the board
REPAIRS = 24  # readings that are tried where no layout fits the first
NO_BOARD = "found no board in the picture, expected cells in rows and columns, at least 3 × 3 of them"


@dataclasses.dataclass(frozen=True, slots=True)
class Doubt:
    """Cells that look alike and may be something else: what they were read as, and what else, with its chance."""

    cells: tuple[Cell, ...]
    mark: str
    confidence: float
    alternatives: tuple[tuple[str, float], ...]

    def as_json(self) -> dict[str, object]:
        return {
            "cells": [list(cell) for cell in self.cells],
            "mark": self.mark,
            "confidence": self.confidence,
            "alternatives": [{"mark": mark, "chance": chance} for mark, chance in self.alternatives],
        }


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """See `read_image`.

    ``cells`` are rows of marks: ``0``-``8`` open, ``#`` covered, ``F`` flag, ``?`` question mark, ``*`` a mine that is
    shown. ``confidence`` (rows, columns) is the chance that a cell is read rightly, ``box`` where the cells are, in
    pixels (left, top, right, bottom), ``counter`` the number of mines left that the program shows, where that could be
    read, ``doubts`` what to ask about, the least sure first, and ``notes`` what else is to be said.
    """

    cells: tuple[str, ...]
    confidence: NDArray[np.float64]
    box: tuple[float, float, float, float]
    counter: int | None
    doubts: tuple[Doubt, ...]
    notes: tuple[str, ...]
    wrong_flags: tuple[Cell, ...] = ()
    _found: Found | None = dataclasses.field(default=None, repr=False)
    _known: Mapping[Cell, str] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def sure(self) -> bool:
        """Is nothing to be asked?"""
        return not self.doubts

    @property
    def total_mines(self) -> int | None:
        """What the counter and the flags say together, while no mine is shown."""
        if self.counter is None or any("*" in row for row in self.cells):
            return None
        return self.counter + sum(row.count("F") for row in self.cells)

    @property
    def board(self) -> Board:
        """The position: a question mark is covered, a mine that is shown is flagged."""
        codes = [_code(mark) for row in self.cells for mark in row]
        return Board.from_array(np.array(codes, np.int8).reshape(len(self.cells), -1), self.total_mines)

    def confirm(self, marks: Mapping[Cell, str]) -> Reading:
        """The same picture with what somebody says of some cells, and so of those that are doubted with them."""
        for cell, mark in marks.items():
            if mark not in list(MARKS) or mark == "X":
                raise ValueError(f"found the mark {mark!r} for {cell}, expected one of 0-8 # F ? *")
        if self._found is None:
            raise ValueError("found a reading without its picture, expected one of read_image")
        alike = {cell: doubt.cells for doubt in self.doubts for cell in doubt.cells}
        known = {other: mark for cell, mark in marks.items() for other in alike.get(cell, (cell,))}
        return _read(self._found, {**self._known, **known, **marks}, self.counter)

    def __repr__(self) -> str:
        doubts = "sure" if self.sure else f"{plural(sum(len(doubt.cells) for doubt in self.doubts), 'cell')} in doubt"
        return f"<Reading of {size(len(self.cells), len(self.cells[0]))}: {doubts}>"

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_()

    def __rich__(self) -> object:
        return self.board.__rich__()

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/reading/1`` shape."""
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
            "wrong_flags": [list(cell) for cell in self.wrong_flags],
            "notes": list(self.notes),
        }


def read_image(source: str | PathLike[str] | bytes) -> Reading:
    """Read the board in a picture: the path of a file, or its bytes (PNG, JPEG, WebP, BMP, the first frame of a GIF).

    Any program and theme; a whole screen, a window, or the board alone. BoardSyntaxError where there is no board, or
    the picture cannot be decoded; ImportError without the extra ``image``.
    """
    if isinstance(source, bytes):
        return read_pixels(pixels.decoded(source))
    if not isinstance(source, str | PathLike):
        raise TypeError(f"found a picture of type {type(source).__name__}, expected a path or the bytes of a file")
    try:
        return read_pixels(pixels.decoded(files.read(Path(source))))
    except BoardSyntaxError as error:
        error.source = str(source)
        raise


def read_pixels(picture: pixels.Pixels) -> Reading:
    """The same of pixels, uint8 (height, width, 3)."""
    found = finding.find(picture)
    if found is None or min(found.lattice.rows, found.lattice.columns) < finding.FEWEST:
        raise BoardSyntaxError(NO_BOARD)
    return _counted(_trimmed(_read(found, {}, read_counter(picture, found.lattice))))


def _counted(reading: Reading) -> Reading:
    """Without the counter, where no layout has as many mines as it and the flags say."""
    if reading.total_mines is not None:
        try:
            analyze(reading.board.without_flags())
        except ContradictionError:
            return dataclasses.replace(reading, counter=None)
        except BudgetExceeded:
            pass
    return reading


def _trimmed(reading: Reading) -> Reading:
    """Without an outer row or column that is doubted, where nothing but its doubts goes with it.

    Numbers of rows and columns beside a board look like cells, and so may a bar above it.
    """
    for side in SIDES:
        found, rim = reading._found, _rim(reading, side)
        if found is None or rim < TRIMMED * (len(reading.cells[0]) if side in {"up", "down"} else len(reading.cells)):
            continue
        other = _read(found.without(side), {}, reading.counter)
        if len(other.notes) <= len(reading.notes) and _doubted(other) <= _doubted(reading) - rim:
            reading = other
    return reading


def _doubted(reading: Reading) -> int:
    return sum(len(doubt.cells) for doubt in reading.doubts)


def _rim(reading: Reading, side: str) -> int:
    """How many cells of an outer row or column are in doubt, and look like none elsewhere."""
    axis, last = (0, len(reading.cells) - 1) if side in {"up", "down"} else (1, len(reading.cells[0]) - 1)
    place = 0 if side in {"up", "left"} else last
    alone = [doubt for doubt in reading.doubts if all(cell[axis] == place for cell in doubt.cells)]
    return sum(len(doubt.cells) for doubt in alone)


def _read(found: Found, known: Mapping[Cell, str], counter: int | None) -> Reading:
    fixed = {cell: MARKS.index(mark) for cell, mark in known.items()}
    named = naming.named(found.looks, found.chances, fixed)
    named, conflict = _possible(named)
    confidence = _confidence(named)
    for cell in conflict:
        confidence[cell] = min(confidence[cell], 0.5)
    notes = [f"no layout fits these numbers: {plural(len(conflict), 'cell')} may be read wrongly"] if conflict else []
    crossed = tuple((int(r), int(c)) for r, c in np.argwhere(named.marks == naming.WRONG))
    cells = tuple("".join(MARKS[mark] for mark in row).replace("X", "F") for row in named.marks)
    doubts = _doubts(named, confidence)
    x0, y0, x1, y1 = found.lattice.box
    return Reading(cells, confidence, (x0, y0, x1, y1), counter, doubts, tuple(notes), crossed, found, dict(known))


def _code(mark: str) -> int:
    return int(mark) if mark.isdigit() else FLAGGED if mark in "F*" else COVERED


def _confidence(named: Named) -> NDArray[np.float64]:
    """From margins: the odds are e to their power, which drawn boards bear out."""
    return 1 / (1 + np.exp(-np.clip(named.margins, -20, 20)))


def _doubts(named: Named, confidence: NDArray[np.float64]) -> tuple[Doubt, ...]:
    """One for each group and mark that is not sure, the least sure first."""
    unsure: dict[tuple[int, int], list[Cell]] = {}
    for row, col in np.argwhere(confidence < SURE):
        key = int(named.groups[row, col]), int(named.marks[row, col])
        unsure.setdefault(key, []).append((int(row), int(col)))
    found = []
    for (_, mark), cells in unsure.items():
        likely = np.exp(-named.costs[cells[0]])
        same = {mark, naming.WRONG, naming.FLAG if mark == naming.WRONG else mark}
        others = [int(other) for other in np.argsort(-likely) if int(other) not in same][:3]
        chances = likely[others] / max(float(likely.sum()), 1e-9)
        alternatives = tuple((MARKS[other], float(chance)) for other, chance in zip(others, chances, strict=True))
        least = min(float(confidence[cell]) for cell in cells)
        found.append(Doubt(tuple(cells), MARKS[mark].replace("X", "F"), least, alternatives))
    return tuple(sorted(found, key=lambda doubt: doubt.confidence))


def _possible(named: Named) -> tuple[Named, tuple[Cell, ...]]:
    """With the fewest and cheapest changes that let some layout fit; the cells at odds, where none was found."""
    for _ in range(REPAIRS // 4):
        conflict = _conflict(named.marks)
        if not conflict:
            return named, ()
        changed = _repaired(named, conflict)
        if changed is None:
            return named, conflict
        named = changed
    return named, _conflict(named.marks)


def _repaired(named: Named, conflict: tuple[Cell, ...]) -> Named | None:
    """One cell near the conflict under another name, such that the conflict is gone."""
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
            if mark != named.marks[cell] and named.costs[cell][mark] - own < naming.FETCHED
        ]
    for _, cell, mark in sorted(options, key=lambda option: option[0])[:REPAIRS]:
        marks = named.marks.copy()
        marks[cell] = mark
        after = _conflict(marks)
        if not after or not set(after) & set(conflict):
            margins = named.margins.copy()
            margins[cell] = min(margins[cell], 1.0)
            return dataclasses.replace(named, marks=marks, margins=margins)
    return None


def _conflict(marks: NDArray[np.int64]) -> tuple[Cell, ...]:
    """Numbers that cannot be right together; the player's flags say nothing, mines that are shown do."""
    rows, columns = marks.shape
    codes = [int(mark) if mark < naming.OPEN else FLAGGED if mark == naming.MINE else COVERED for mark in marks.ravel()]
    try:
        analyze(Board.from_array(np.array(codes, np.int8).reshape(rows, columns)))
    except ContradictionError as error:
        return error.cells
    except BudgetExceeded:
        return ()
    return ()
