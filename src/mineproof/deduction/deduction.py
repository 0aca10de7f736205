"""One step of reasoning: what follows, and from which numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mineproof.base.notebook import Shown
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.wording.arguments import render_argument
from mineproof.wording.catalogue import use_language
from mineproof.wording.clauses import TEXT, Clause

if TYPE_CHECKING:
    from mineproof.deduction.wire import DeductionJson


@dataclass(frozen=True, slots=True)
class Deduction(Shown):
    """Cells that are certain, with a proof.

    The numbers in ``because``, with the total number of mines if ``uses_total``, force every one of these cells without
    the help of other numbers, and none of them can be left out. Trusted flags are taken for granted. ``argument`` is
    the reasoning as data, and ``text`` the same in sentences. ``board`` is the board of the step, or None in a step
    that comes from a file.
    """

    technique: str
    safe: frozenset[Cell]
    mines: frozenset[Cell]
    because: tuple[Cell, ...]
    uses_total: bool
    argument: Clause = field(repr=False)
    board: Board | None = field(default=None, repr=False, compare=False)
    stored_text: str | None = field(default=None, repr=False, compare=False)  # as it stands in the file of the step

    def __repr__(self) -> str:
        cells = f"safe={sorted(self.safe)}, mines={sorted(self.mines)}, because={list(self.because)}"
        return f"<Deduction by {self.technique}: {cells}, uses_total={self.uses_total}>"

    @property
    def text(self) -> str:
        """The argument in sentences, in the current language."""
        return render_argument(self.argument)

    def text_in(self, language: str) -> str:
        """Return the argument in sentences, in a language such as ``"de"``."""
        with use_language(language):
            return self.text

    @property
    def pattern(self) -> str | None:
        """Name that players use: ``"1-1"``, ``"1-2"``, ``"1-2-1"``, ``"1-2-2-1"``, ``"mine-count"``, or None."""
        return self.argument.pattern

    def as_json(self) -> DeductionJson:
        """Return a step of the ``mineproof/solution/1`` shape.

        A step from an older file, which has a text only, has no ``pattern`` and no ``argument``.
        """
        document: DeductionJson = {
            "technique": self.technique,
            "safe": sorted(map(list, self.safe)),
            "mines": sorted(map(list, self.mines)),
            "because": [list(cell) for cell in self.because],
            "uses_total": self.uses_total,
            "text": self.text if self.stored_text is None else self.stored_text,
        }
        if self.argument.kind == TEXT:
            return document
        return {**document, "pattern": self.pattern, "argument": self.argument.as_json()}
