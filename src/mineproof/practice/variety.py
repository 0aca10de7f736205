"""The shape of a puzzle: what stays the same if its argument is moved, turned or mirrored.

A player who gets the same argument again learns nothing new, wherever on the board it is. The shape has the covered
cells that touch the numbers of the easiest step, and all numbers around these cells, less their flagged mines. In a
guess, and if the number of mines decides, it has all covered cells. Two puzzles with the same shape are the same task.

Small boards have a special case: a first click that opens a few empty cells, with an argument around all of them. The
rings differ by a cell or two and look alike, so all of them have the shape `RING`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.practice.puzzles import Puzzle

RING = "ring"
RING_MAX_EMPTY = 12  # empty cells inside a ring
RING_MIN_NUMBERS = 5  # numbers of an argument that goes around them
RECENT_SHAPES = 10  # no shape twice among so many puzzles of a player, if the search finds another one

_MARK_COVERED = -1


def puzzle_shape(puzzle: Puzzle) -> str:
    """Return a short text that is equal for puzzles with the same argument, moved, turned or mirrored.

    >>> from mineproof.practice.search import puzzle
    >>> [puzzle_shape(puzzle("total", level="beginner", seed=seed)) for seed in (0, 1, 2)]
    ['b6135e903764', 'ce8ff8124fc4', 'b6135e903764']
    """
    board, step = puzzle.board, puzzle.deduction
    if step is not None and _is_ring(board, step.because):
        return RING
    if step is None or step.uses_total:
        covered = set(board.cells(COVERED))
    else:
        covered = {cell for number in step.because for cell in _around(board, number) if board[cell] == COVERED}
    marks = dict.fromkeys(covered, _MARK_COVERED)
    for number in {cell for one in covered for cell in _around(board, one) if board[cell] >= 0}:
        marks[number] = board[number] - sum(board[cell] == FLAGGED for cell in _around(board, number))
    key = f"{puzzle.kind} {_canonical(marks)}"
    return hashlib.sha256(key.encode()).hexdigest()[:12]


def _around(board: Board, cell: Cell) -> Iterable[Cell]:
    table = board.geometry.table
    return (board.cell(place) for place in table[board.index(cell)].tolist() if place < len(board.codes))


def _canonical(marks: dict[Cell, int]) -> list[tuple[int, int, int]]:
    """The least of the eight pictures that turns and mirrors make, each moved to the top left corner."""
    pictures = []
    for swap in (False, True):
        for down in (1, -1):
            for right in (1, -1):
                turned = [
                    (down * (column if swap else row), right * (row if swap else column), mark)
                    for (row, column), mark in marks.items()
                ]
                top, left = min((row for row, _, _ in turned), default=0), min((c for _, c, _ in turned), default=0)
                pictures.append(sorted((row - top, column - left, mark) for row, column, mark in turned))
    return min(pictures)


def _is_ring(board: Board, numbers: Sequence[Cell]) -> bool:
    """Do the numbers of an argument surround one small group of empty cells?"""
    if len(numbers) < RING_MIN_NUMBERS:
        return False
    for start in {cell for number in numbers for cell in _around(board, number) if board[cell] == 0}:
        group = _empty_group(board, start)
        if group is not None and all(any(cell in group for cell in _around(board, number)) for number in numbers):
            return True
    return False


def _empty_group(board: Board, start: Cell) -> set[Cell] | None:
    """The empty cells that are joined to one; None if there are more than `RING_MAX_EMPTY`."""
    group, edge = {start}, [start]
    while edge:
        for cell in _around(board, edge.pop()):
            if board[cell] == 0 and cell not in group:
                group.add(cell)
                edge.append(cell)
        if len(group) > RING_MAX_EMPTY:
            return None
    return group
