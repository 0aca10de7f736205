"""Puzzles in words: the task, and the verdict on an answer."""

from __future__ import annotations

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import has_message, message
from mineproof.wording.phrases import CellValue, Phrase, Risk, WinChance, phrase


def task_text(kind: str) -> str:
    """What to do in a puzzle of a kind: ``open``, ``flag`` or ``guess``."""
    return message(f"puzzle-task-{kind}")


def uncertain_phrase(cell: Cell, mine_probability: float) -> Phrase:
    """The cell is neither certainly safe nor certainly a mine."""
    return phrase("puzzle-uncertain", cell=CellValue(cell), risk=Risk(mine_probability))


def certain_phrase(cell: Cell, *, is_mine: bool) -> Phrase:
    """The cell is certain, but not what the puzzle wants."""
    return phrase("puzzle-certain-mine" if is_mine else "puzzle-certain-safe", cell=CellValue(cell))


def harder_phrase(cell: Cell, harder: str, *, is_mine: bool) -> Phrase:
    """The cell is certain, but only by a technique harder than that of the puzzle."""
    key = "puzzle-harder-mine" if is_mine else "puzzle-harder-safe"
    label = f"technique-{harder}-label"
    return phrase(key, cell=CellValue(cell), harder=phrase(label) if has_message(label) else harder)


def as_good_phrase(cell: Cell) -> Phrase:
    """The guess is another one of the best."""
    return phrase("puzzle-as-good", cell=CellValue(cell))


def worse_phrase(cell: Cell, win_probability: float, *, exact: bool, is_safest: bool) -> Phrase:
    """The guess wins less often than the best one."""
    wins = WinChance(win_probability, exact)
    return phrase("puzzle-safest" if is_safest else "puzzle-worse", cell=CellValue(cell), wins=wins)
