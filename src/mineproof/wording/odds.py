"""Chances in words: rounded as players read them, and never rounded to certainty."""

from __future__ import annotations

from math import floor

from mineproof.wording.catalogue import decimal, message

WIN_PERCENT_DIGITS = 0
MINE_PERCENT_DIGITS = 1


def percent_text(chance: float) -> str:
    """The chance of a mine or of progress: ``30 %``, ``33.3 %``; ``0 %`` and ``100 %`` only where that is exact.

    >>> percent_text(0.3), percent_text(1 / 3), percent_text(0.00001)
    ('30 %', '33.3 %', 'less than 0.1 %')
    """
    return _percent(chance, MINE_PERCENT_DIGITS, 0.1, 99.9)


def win_text(chance: float, *, exact: bool) -> str:
    """The chance to win: ``92 %``, or ``about 41 %`` for an estimate, which is never 0 % or 100 %.

    >>> win_text(11 / 12, exact=True), win_text(0.413, exact=False), win_text(1.0, exact=False)
    ('92 %', 'about 41 %', 'more than 99 %')
    >>> win_text(0.505, exact=False)
    'about 51 %'
    """
    if exact:
        return _percent(chance, WIN_PERCENT_DIGITS, 1, 99)
    if chance > 0.99:
        return message("odds-more-than", percent=_digits(99, 0))
    if chance < 0.01:
        return message("odds-less-than", percent=_digits(1, 0))
    return message("odds-about", percent=_digits(floor(100 * chance + 0.5), 0))  # halves up, as on the page


def _percent(chance: float, digits: int, low: float, high: float) -> str:
    rounded = round(100 * chance, digits)
    if rounded <= 0 < chance:
        return message("odds-less-than", percent=_digits(low, digits))
    if rounded >= 100 and chance < 1:
        return message("odds-more-than", percent=_digits(high, digits))
    return message("odds-percent", percent=_digits(rounded, digits))


def _digits(percent: float, digits: int) -> str:
    return decimal(percent, 0 if percent == int(percent) else digits)
