"""One step of reasoning: what follows, and from which numbers."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.board.cells import Cell


@dataclass(frozen=True, slots=True)
class Deduction:
    """Cells that are certain, with a proof.

    The numbers in ``because``, with the total number of mines if ``uses_total``, force every one of these cells without
    any other number's help, and none of them can be spared. Trusted flags are taken for granted.
    """

    technique: str
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    because: tuple[Cell, ...]
    uses_total: bool
    text: str

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
