"""The number of layouts of an analysis, as precise as it can be had in time."""

from __future__ import annotations

from mineproof.analysis.analysis import Analysis
from mineproof.errors import BudgetExceeded
from mineproof.wording.layout_count import LayoutCount

READABLE_COUNT_DIGITS = 15  # longer numbers of layouts are rounded, unless every digit is requested


def count_layouts(analysis: Analysis, *, every_digit: bool = False) -> LayoutCount:
    """Count the layouts that fit; without ``every_digit``, long counts and those that take too long are rounded."""
    log10_layouts = analysis.log10_layouts
    if every_digit or log10_layouts < READABLE_COUNT_DIGITS:
        try:
            return LayoutCount(analysis.layouts, log10_layouts)
        except BudgetExceeded as error:
            if every_digit or error.limit == "cancelled":
                raise
    return LayoutCount(None, log10_layouts)


def layouts_fit(analysis: Analysis, *, every_digit: bool = False) -> str:
    """The number of layouts as a sentence without its full stop: ``10 layouts fit``."""
    return count_layouts(analysis, every_digit=every_digit).text
