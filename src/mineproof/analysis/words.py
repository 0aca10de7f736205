"""What an analysis found, as people read it."""

from __future__ import annotations

from decimal import Decimal

from mineproof.analysis.analysis import Analysis

SHORT_COUNT = 15  # digits of a number of layouts that people read


def layouts_fit(found: Analysis, *, every_digit: bool = False) -> str:
    """How many layouts there are, as a sentence without its full stop."""
    if every_digit or found.log10_layouts < SHORT_COUNT:
        return "1 layout fits" if found.layouts == 1 else f"{found.layouts:,} layouts fit"
    digits, power = f"{Decimal(10) ** Decimal(found.log10_layouts):.2e}".split("e+")
    return f"≈ {digits} × 10^{power} layouts fit"
