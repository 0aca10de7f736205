"""Hints on boards of variants in words, in four levels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import decimal, listing, message, plural, sentence
from mineproof.wording.cells import cell_label, cell_phrase, clue_label

LEVELS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class VariantHintFacts:
    """What a hint is about; without clues, rules and total it is a guess, or the end of the board."""

    clues: tuple[tuple[Cell, str], ...] = ()
    rules: tuple[str, ...] = ()
    uses_total: bool = False
    safe: tuple[Cell, ...] = ()
    mines: tuple[Cell, ...] = ()
    argument: str = ""
    cell: Cell | None = None
    chance: Fraction | None = None
    is_done: bool = False


def render_variant_hint(facts: VariantHintFacts, level: int) -> str:
    """Return a hint at a level in the current language."""
    if not facts.argument:
        return _without_step(facts)
    names = [clue_label(clue, cell) for cell, clue in facts.clues]
    names += [message("variant-source-rule", rule=rule) for rule in facts.rules]
    names += [message("variant-source-total")] if facts.uses_total else []
    if level == 1:
        return message("variant-hint-look", clues=names[0])
    if level == 2:
        return message("variant-hint-clues", clues=listing(names))
    if level == 3:
        parts = (("variant-hint-safe", facts.safe, "safe"), ("variant-hint-mines", facts.mines, "mine"))
        said = [
            plural(key, len(cells), cells=cell_phrase(cells, role))  # type: ignore[arg-type]
            for key, cells, role in parts
            if cells
        ]
        return " ".join(map(sentence, said))
    return facts.argument


def _without_step(facts: VariantHintFacts) -> str:
    if facts.is_done:
        return message("variant-hint-done")
    if facts.cell is None or facts.chance is None:
        return message("variant-hint-unknown")
    chance = message("picture-percent", value=decimal(100 * float(facts.chance), 1))
    return message("variant-hint-guess", cell=cell_label(facts.cell), chance=chance)
