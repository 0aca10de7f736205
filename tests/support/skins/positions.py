"""Boards as players see them: layouts drawn at random, opened in part, with flags, question marks and ends of games.

Marks are characters: ``0``-``8`` open, ``#`` covered, ``F`` flag, ``?`` question mark, ``*`` a mine that is shown,
``X`` a wrong flag that is crossed out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.str_]
SIZES = ((9, 9, 10), (8, 8, 10), (16, 16, 40), (16, 30, 99), (9, 9, 10), (8, 10, 10), (14, 18, 40), (20, 24, 99))


@dataclass(frozen=True)
class Position:
    """``marks`` are what is seen, ``mines`` where the mines are, ``counter`` what the program's counter shows."""

    marks: Marks
    mines: NDArray[np.bool_]
    counter: int


def random_position(rng: np.random.Generator, *, largest: int = 480) -> Position:
    """A position of a random size, density and progress; a fifth are ends of games."""
    rows, columns, count = _size(rng, largest)
    mines = (rng.permutation(rows * columns) < count).reshape(rows, columns)
    numbers = _numbers(mines)
    opened = _opened(mines, numbers, rng)
    marks = np.where(opened, numbers.astype("U1"), "#")
    _mark(marks, mines, opened, rng)
    counter = count - int((marks == "F").sum())
    if rng.random() < 0.2:
        _end(marks, mines, opened, rng)
    return Position(marks, mines, counter)


def _size(rng: np.random.Generator, largest: int) -> tuple[int, int, int]:
    fitting = [size for size in SIZES if size[0] * size[1] <= largest]
    if rng.random() < 0.6:
        return fitting[int(rng.integers(len(fitting)))]
    rows = int(rng.integers(5, 25))
    columns = int(rng.integers(5, max(6, min(31, largest // rows + 1))))
    return rows, columns, max(2, round(rows * columns * rng.uniform(0.08, 0.25)))


def _around(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum over the neighbours of each cell."""
    padded = np.pad(values, 1)
    rows, columns = values.shape
    shifted = [padded[r : r + rows, c : c + columns] for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    total: NDArray[np.int64] = np.sum(shifted, axis=0)
    return total


def _numbers(mines: NDArray[np.bool_]) -> NDArray[np.int64]:
    return _around(mines.astype(np.int64))


def _opened(mines: NDArray[np.bool_], numbers: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Openings first, as players begin, then single cells up to a random share."""
    opened = np.zeros(mines.shape, bool)
    free = rng.permutation(np.flatnonzero(~mines.ravel()))
    zeros = [at for at in free if numbers.ravel()[at] == 0]
    for at in zeros[: int(rng.integers(0, 6))]:
        _cascade(opened, numbers, int(at))
    wanted = rng.uniform(0, 1) ** 1.3 * free.size
    for at in free:
        if opened.sum() >= wanted:
            break
        _cascade(opened, numbers, int(at))
    return opened


def _cascade(opened: NDArray[np.bool_], numbers: NDArray[np.int64], start: int) -> None:
    todo = [divmod(start, opened.shape[1])]
    while todo:
        row, col = todo.pop()
        if opened[row, col]:
            continue
        opened[row, col] = True
        if numbers[row, col] == 0:
            rows, columns = opened.shape
            todo += [
                (r, c)
                for r in range(max(0, row - 1), min(rows, row + 2))
                for c in range(max(0, col - 1), min(columns, col + 2))
            ]


def _mark(marks: Marks, mines: NDArray[np.bool_], opened: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Flags on some mines near open cells, seldom wrong ones, question marks."""
    near = (_around(opened.astype(np.int64)) > 0) & ~opened
    share = rng.choice([0, 0.3, 0.7, 0.95])
    marks[mines & near & (rng.random(marks.shape) < share)] = "F"
    if rng.random() < 0.15:
        marks[(marks == "#") & (rng.random(marks.shape) < 0.03)] = "F"
    if rng.random() < 0.2:
        marks[(marks == "#") & (rng.random(marks.shape) < 0.06)] = "?"


def _end(marks: Marks, mines: NDArray[np.bool_], opened: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """A lost game: mines are shown, wrong flags crossed out."""
    shown = mines & (marks != "F")
    marks[shown] = "*"
    if rng.random() < 0.7:
        marks[(marks == "F") & ~mines] = "X"
