"""A board as text in three forms: a grid, lists of coordinates, or constraints in words.

Grid          one character for each cell, between the numbers of rows and columns.
Coordinates   every open number with its cell, then the flags and the covered cells.
Words         one sentence for each open number with covered neighbours, and one for the total. Nothing else of the
              board matters for what is certain. If a question names numbers, each sentence names its numbers, too.
"""

from __future__ import annotations

from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.exams.tasks import BoardForm
from mineproof.wording.catalogue import message, plural


def write_board(board: Board, form: BoardForm, *, names_numbers: bool = False) -> str:
    """Return a board in one of the forms, in the current language.

    With ``names_numbers``, the form in words says which numbers state each constraint.
    """
    if form == "words":
        return _words(board, names_numbers=names_numbers)
    return _grid(board) if form == "grid" else _coordinates(board)


def _grid(board: Board) -> str:
    width = len(str(max(board.rows, board.columns) - 1))
    heading = " ".join(str(column).rjust(width) for column in range(board.columns))
    rows = notation.write_rows(board.columns, board.codes)
    lines = [
        f"{str(row).rjust(width)} | " + " ".join(sign.rjust(width) for sign in signs) for row, signs in enumerate(rows)
    ]
    return "\n".join([message("exam-grid"), "", " " * (width + 3) + heading, *lines])


def _coordinates(board: Board) -> str:
    places = {number: list(board.cells(number)) for number in range(9)}
    lines = [message("exam-coordinates"), *(f"{number}: {_cells(cells)}" for number, cells in places.items() if cells)]
    if flags := list(board.cells(FLAGGED)):
        lines.append(message("exam-flagged", cells=_cells(flags)))
    lines.append(message("exam-covered", cells=_cells(list(board.cells(COVERED)))))
    return "\n".join(lines)


def _words(board: Board, *, names_numbers: bool) -> str:
    constraints: dict[str, list[Cell]] = {}
    for index, code in enumerate(board.codes):
        if code > 8:
            continue
        around = board.neighbours(board.cell(index))
        covered = [cell for cell in around if board[cell] == COVERED]
        mines = code - sum(board[cell] == FLAGGED for cell in around)
        if covered:
            constraints.setdefault(_constraint(mines, covered), []).append(board.cell(index))
    lines = [message("exam-words")]
    for constraint, numbers in constraints.items():
        named = plural("exam-words-by", len(numbers), cells=_cells(numbers), constraint=constraint)
        lines.append(f"- {named if names_numbers else constraint}")
    every = list(board.cells(COVERED))
    left = (board.total_mines or 0) - board.count(FLAGGED)
    lines.append(f"- {plural('exam-words-total', left, covered=len(every))}")
    lines.append(message("exam-covered", cells=_cells(every)))
    return "\n".join(lines)


def _constraint(mines: int, covered: list[Cell]) -> str:
    cells = _cells(covered)
    if len(covered) == 1:
        return message("exam-words-mine" if mines else "exam-words-safe", cells=cells)
    return plural("exam-words-number", mines, cells=cells) if mines else message("exam-words-none", cells=cells)


def _cells(cells: list[Cell]) -> str:
    return ", ".join(f"({row},{column})" for row, column in cells)
