"""The number of layouts that fit a board, in words."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from mineproof.wording.catalogue import decimal, message, plural, use_language


class LayoutCount(NamedTuple):
    """How many layouts fit: exactly, or by the logarithm alone where ``layouts`` is None."""

    layouts: int | None
    log10_layouts: float

    @property
    def text(self) -> str:
        """``10 layouts fit``, without a full stop; rounded where the exact number is unknown."""
        if self.layouts is not None:
            return plural("layouts-fit", self.layouts)
        digits, power = f"{Decimal(10) ** Decimal(self.log10_layouts):.2e}".split("e+")
        return message("layouts-fit-rounded", digits=decimal(float(digits), 2), power=power)

    def text_in(self, language: str) -> str:
        """The text in another language."""
        with use_language(language):
            return self.text
