"""Hints on boards of variants: the easiest certain step, or the safest cell, in four levels of detail."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.notebook import Shown
from mineproof.board.cells import Cell, pairs
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.variants.variant_analysis import VariantAnalysis
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_steps import VariantDeduction, steps_of
from mineproof.wording.catalogue import use_language
from mineproof.wording.variant_hints import LEVELS, VariantHintFacts, render_variant_hint

if TYPE_CHECKING:
    from mineproof.variants.wire import VariantHintJson

SCHEMA: Final = "mineproof/variant-hint/1"


@dataclass(frozen=True, slots=True)
class VariantHint(Shown):
    """What to do next on a board of a variant.

    ``kind`` is ``step``, ``guess`` or ``done``. A step has a ``deduction``; a guess has the safest ``cell`` and its
    ``mine_fraction``, which is None if the odds are unknown.
    """

    kind: str
    board: VariantBoard = field(repr=False)
    deduction: VariantDeduction | None = None
    cell: Cell | None = None
    mine_fraction: Fraction | None = None

    @property
    def safe(self) -> frozenset[Cell]:
        """The cells that the step proves safe."""
        return frozenset() if self.deduction is None else self.deduction.safe

    @property
    def mines(self) -> frozenset[Cell]:
        """The cells that the step proves to be mines."""
        return frozenset() if self.deduction is None else self.deduction.mines

    @property
    def certain(self) -> bool:
        """Does the hint name certain cells?"""
        return self.deduction is not None

    @property
    def text(self) -> str:
        """The whole hint in the current language."""
        return self.level(LEVELS[-1])

    def text_in(self, language: str, level: int = LEVELS[-1]) -> str:
        """Return the hint in a language such as ``"de"``."""
        with use_language(language):
            return self.level(level)

    def level(self, number: int) -> str:
        """Return the hint up to a level: 1 where to look, 2 the clues, 3 the move, 4 the reasoning."""
        checks.one_of("level", number, LEVELS)
        step = self.deduction
        if step is None:
            facts = VariantHintFacts(cell=self.cell, chance=self.mine_fraction, is_done=self.kind == "done")
        else:
            clues = tuple((cell, "|".join(_texts(self.board, cell))) for cell in step.because)
            facts = VariantHintFacts(
                clues, step.rules, step.uses_total, tuple(sorted(step.safe)), tuple(sorted(step.mines)), step.text
            )
        return render_variant_hint(facts, number)

    def __str__(self) -> str:
        return self.text

    def as_json(self, level: int = LEVELS[-1]) -> VariantHintJson:
        """Return the ``mineproof/variant-hint/1`` document; keys that the level does not show are null."""
        step, shows_move = self.deduction, level >= 3
        shows_clues = step is not None and level >= 2
        chance = None if self.mine_fraction is None or not shows_move else self.mine_fraction
        return {
            "schema": SCHEMA,
            "kind": self.kind,
            "level": level,
            "text": self.level(level),
            "technique": step.technique if step is not None and shows_clues else None,
            "because": pairs(step.because) if step is not None and shows_clues else None,
            "rules": list(step.rules) if step is not None and shows_clues else None,
            "uses_total": step.uses_total if step is not None and shows_clues else None,
            "safe": pairs(self.safe) if shows_move else None,
            "mines": pairs(self.mines) if shows_move else None,
            "cell": list(self.cell) if self.cell is not None and shows_move else None,
            "mine_probability": None if chance is None else float(chance),
            "mine_fraction": None if chance is None else str(chance),
            "argument": step.argument.as_json() if step is not None and level == LEVELS[-1] else None,
        }


def variant_hint(
    board: VariantBoard,
    *,
    prefer: str = "easiest",
    marked: Collection[Cell] = (),
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> VariantHint:
    """Return the next hint: the easiest certain step, or else the safest cell.

    Flags are known mines. With ``prefer="safe"``, a step ends with a cell to open if there is one. ``marked`` are
    covered cells that a player has flagged: a step that only proves some of them to be mines is left out. Raises
    ContradictionError if no layout fits.

    >>> print(variant_hint(VariantBoard.parse("1##/##0", "liar", total_mines=2)).level(3))
    (1,0) is a mine.
    """
    checks.one_of("prefer", prefer, ("easiest", "safe"))
    limit, using = Budget.of(budget), chosen_engine(engine)
    analysis = board.analyze(density=density, budget=limit, engine=using)
    if not analysis.safe and analysis.mines <= set(marked):
        cell = safest_of(analysis, has_odds=_has_odds(board, density))
        if cell is None:
            is_done = set(board.cells("covered")) <= analysis.mines
            return VariantHint("done" if is_done else "guess", board)
        return VariantHint("guess", board, cell=cell, mine_fraction=analysis.exact(*cell))
    steps = steps_of(board, analysis, budget=limit, engine=using)
    wants_safe = prefer == "safe" and bool(analysis.safe)
    step = next(step for step in steps if step.safe or not (wants_safe or step.mines <= set(marked)))
    return VariantHint("step", board, step)


def _has_odds(board: VariantBoard, density: object) -> bool:
    return board.total_mines is not None or density is not None


def safest_of(analysis: VariantAnalysis, *, has_odds: bool) -> Cell | None:
    """Return the undecided covered cell with the least chance of a mine, the first of several; None without odds."""
    covered = [
        divmod(index, analysis.position.columns)
        for index, cell in enumerate(analysis.position.cells)
        if cell.state == "covered"
    ]
    undecided = [cell for cell in covered if cell not in analysis.safe and cell not in analysis.mines]
    if not has_odds or not undecided:
        return None
    chances = analysis.mine_probability
    close = min(chances[cell] for cell in undecided) + 1e-9
    return min((cell for cell in undecided if chances[cell] <= close), key=lambda cell: (analysis.exact(*cell), cell))


def _texts(board: VariantBoard, cell: Cell) -> list[str]:
    return board[cell].text.lstrip("#F").split("|")
