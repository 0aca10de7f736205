"""Tasks in words: rules, board, question and form of the answer. All texts are in the catalogues, keys ``exam-…``."""

from __future__ import annotations

from mineproof.base.words import at
from mineproof.board.cells import Cell
from mineproof.exams.board_forms import write_board
from mineproof.exams.tasks import Assertion, Task, cell_text
from mineproof.wording.catalogue import listing, message, plural


def write_prompt(task: Task) -> str:
    """Return the text of a task in the current language."""
    board = task.board
    size = message("exam-size", rows=board.rows, columns=board.columns, mines=board.total_mines)
    question = message(f"exam-question-{task.kind}")
    drawn = write_board(board, task.form, names_numbers=task.kind == "proof")
    parts = [f"{size} {message('exam-rules')}", drawn, question]
    if task.assertion is not None:
        parts.append(write_assertion(task.assertion))
    return "\n\n".join([*parts, message(f"exam-answer-{_answer_form(task)}")])


def write_assertion(assertion: Assertion) -> str:
    """Return a statement about a cell as a sentence."""
    cell = at(assertion.cell)
    if assertion.because is None:
        return message(f"exam-claim-{assertion.state}", cell=cell)
    reasons = []
    if numbers := assertion.because:
        reasons.append(plural("exam-numbers", len(numbers), cells=_cells(numbers)))
    if assertion.uses_total:
        reasons.append(message("exam-total"))
    return message(f"exam-proof-{assertion.state}", cell=cell, reasons=listing(reasons))


def write_answer(task: Task) -> str:
    """Return a right answer to a task as text."""
    if task.kind in ("safe", "mines"):
        return cell_text(sorted(task.certain_cells()))
    if task.kind == "safe-cell":
        return cell_text([min(task.certain_cells())])
    if task.kind == "best-move":
        return cell_text([next(iter(task.win_fractions()))])
    if task.assertion is not None:
        return message("exam-right" if task.assertion.holds(task.board) else "exam-wrong")
    from mineproof.exams.text_games import solve_game

    return cell_text(solve_game(task))


def _answer_form(task: Task) -> str:
    if task.assertion is not None:
        return "word"
    return "cell" if task.kind in ("safe-cell", "best-move") else "moves" if task.kind == "game" else "cells"


def _cells(cells: tuple[Cell, ...]) -> str:
    return listing([at(cell) for cell in cells])
