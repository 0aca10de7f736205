"""Parts of sentences that several texts of the game share: labels of cells, names of rules, errors, the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from mineproof.board.cells import Cell
from mineproof.board.levels import LEVELS
from mineproof.errors import BudgetExceeded, MineproofError
from mineproof.wording import cells
from mineproof.wording.catalogue import has_message, message, sentence

T = TypeVar("T")


def with_ruler_labels(render: Callable[[], T]) -> T:
    """Call a function that writes a text; the text names cells as the ruler at the edge of the board does."""
    with cells.use_cell_labels("ruler"):
        return render()


def cell_label(cell: Cell) -> str:
    """Return the label of a cell on the ruler: ``C1``."""
    return with_ruler_labels(lambda: cells.cell_label(cell))


def cell_list(places: Iterable[Cell]) -> str:
    """Return the labels of several cells: ``A1, B1 and C1``."""
    return with_ruler_labels(lambda: cells.cell_list(places))


def level_name(size: str) -> str:
    """Return the name of a level, or a size such as ``30x16x99`` unchanged."""
    return message(f"tui-level-{size}") if size in LEVELS else size


def topology_name(topology: str) -> str:
    """Return the name of a shape of boards; shapes that have no message keep their own name."""
    key = f"tui-topology-{topology}"
    return message(key) if has_message(key) else topology


def error_text(error: MineproofError) -> str:
    """Return an error as a sentence."""
    if isinstance(error, BudgetExceeded):
        return message("tui-too-slow")
    return sentence(str(error).rstrip(".")) + "."


def join_sentences(*sentences: str) -> str:
    """Join sentences by spaces, and leave out empty ones."""
    return " ".join(filter(None, sentences))


def format_clock(seconds: float) -> str:
    """Return minutes and seconds, with hours from one hour on."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
