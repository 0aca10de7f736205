"""Boards of variants as text: a cell is as wide as the widest clue, odds are per cent.

Clues are as in position texts. ``S`` is certainly safe, ``M`` certainly a mine, and ``25%`` the chance of a mine. Clues
that prove a step are in brackets.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from mineproof.board.cells import Cell
from mineproof.pictures.scene import percent_label
from mineproof.variants.variant_analysis import VariantAnalysis
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_hints import VariantHint
from mineproof.variants.variant_moves import VariantBestMove
from mineproof.variants.variant_steps import VariantDeduction


def variant_rows(
    board: VariantBoard, marks: Mapping[Cell, str] | None = None, used: Collection[Cell] = ()
) -> list[str]:
    """Return the rows of a board; ``marks`` replace covered cells, and ``used`` clues are in brackets."""
    texts = []
    for index, cell in enumerate(board.position.cells):
        place = divmod(index, board.columns)
        text = (marks or {}).get(place) or cell.text
        texts.append(f"[{text}]" if place in used else " " if cell.state == "absent" else text)
    width = max(map(len, texts))
    rows = (texts[start : start + board.columns] for start in range(0, len(texts), board.columns))
    return [" ".join(text.center(width) for text in row).rstrip() for row in rows]


def odds_of(analysis: VariantAnalysis) -> dict[Cell, str]:
    """Return the marks of all covered cells: ``S``, ``M`` or a chance in per cent."""
    marks = {}
    chances = analysis.mine_probability
    for index, cell in enumerate(analysis.position.cells):
        place = divmod(index, analysis.position.columns)
        if cell.state == "covered":
            is_certain = place in analysis.safe or place in analysis.mines
            certain = "S" if place in analysis.safe else "M"
            marks[place] = certain if is_certain else f"{percent_label(float(chances[place]))}%"
    return marks


def certain_marks(safe: Collection[Cell], mines: Collection[Cell]) -> dict[Cell, str]:
    """Return ``S`` for safe cells and ``M`` for mines."""
    return dict.fromkeys(safe, "S") | dict.fromkeys(mines, "M")


def variant_picture(what: object) -> str | None:
    """Return the text of a board of a variant or of a result about one, with a caption; None for anything else."""
    match what:
        case VariantBoard():
            return "\n".join(variant_rows(what))
        case VariantAnalysis():
            return "\n".join(variant_rows(VariantBoard(what.position, what.variant), odds_of(what)))
        case VariantDeduction():
            return _add_caption(what.board, certain_marks(what.safe, what.mines), what.because, what.text)
        case VariantHint():
            used = () if what.deduction is None else what.deduction.because
            marks = certain_marks(what.safe, what.mines) | ({} if what.cell is None else {what.cell: "G"})
            return _add_caption(what.board, marks, used, what.text)
        case VariantBestMove():
            return _add_caption(what.board, {} if what.cell is None else {what.cell: "G"}, (), what.text)
    return None


def _add_caption(board: VariantBoard, marks: Mapping[Cell, str], used: Collection[Cell], caption: str) -> str:
    return "\n".join([*variant_rows(board, marks, used), "", caption])
