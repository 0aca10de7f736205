"""The best move on a board of a variant in a sentence."""

from __future__ import annotations

from fractions import Fraction

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import decimal, message, sentence
from mineproof.wording.cells import cell_label


def render_variant_move(cell: Cell | None, risk: Fraction | None, win: Fraction | None, *, is_safest: bool) -> str:
    """Return the move in the current language."""
    if cell is None or risk is None:
        return message("variant-best-none")
    place = cell_label(cell)
    if risk == 0:
        text = message("variant-best-safe", cell=place)
    else:
        key = "variant-best-safest" if is_safest else "variant-best-guess"
        text = message(key, cell=place, chance=_percent(risk))
    if win is not None:
        text += " " + message("variant-best-win", chance=_percent(win))
    return sentence(text)


def _percent(chance: Fraction) -> str:
    return message("picture-percent", value=decimal(100 * float(chance), 1))
