"""One step of reasoning: what follows, and from which numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

from mineproof.base.showing import Shown
from mineproof.board.board import Board
from mineproof.board.cells import Cell


@dataclass(frozen=True, slots=True)
class Deduction(Shown):
    """Cells that are certain, with a proof.

    The numbers in ``because``, with the total number of mines if ``uses_total``, force every one of these cells without
    any other number's help, and none of them can be spared. Trusted flags are taken for granted. ``board`` is what it
    is about, where that is known: not in what is read from a file.
    """

    technique: str
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    because: tuple[Cell, ...]
    uses_total: bool
    text: str
    board: Board | None = field(default=None, repr=False, compare=False)

    def as_json(self) -> dict[str, object]:
        """A step of the ``mineproof/solution/1`` shape."""
        return {
            "technique": self.technique,
            "safe": sorted(map(list, self.safe)),
            "mines": sorted(map(list, self.mines)),
            "because": [list(cell) for cell in self.because],
            "uses_total": self.uses_total,
            "text": self.text,
        }
