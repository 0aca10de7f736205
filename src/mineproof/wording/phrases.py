"""Sentences as data: a message key with the values of its fields, rendered in the language of the reader.

A result keeps phrases instead of text, so that it can be compared, pickled and shown in any language. A value is a
text, a whole number, a cell, one of the measures below, a phrase, a result with a text, or a tuple of these, which
becomes a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import decimal, listing, message, number, plural, use_language
from mineproof.wording.cells import cell_label


class Risk(NamedTuple):
    """The chance of something that is not certain: never shown as 0 % or 100 %."""

    probability: float


class WinChance(NamedTuple):
    """The chance to win: exact, or an estimate, which is marked as one."""

    probability: float
    exact: bool


class Seconds(NamedTuple):
    """A duration; from ten seconds on without a fraction."""

    seconds: float


class Decimal(NamedTuple):
    """A number with a fixed number of digits after the point."""

    value: float
    digits: int


class CellValue(NamedTuple):
    """A cell, which appears by its label."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Phrase:
    """A message key and its fields; with a count, the plural form that the count takes."""

    key: str
    count: int | None
    fields: tuple[tuple[str, object], ...]

    @property
    def text(self) -> str:
        """The text in the current language."""
        values = {name: format_value(value) for name, value in self.fields}
        return message(self.key, **values) if self.count is None else plural(self.key, self.count, **values)


def phrase(key: str, count: int | None = None, /, **fields: object) -> Phrase:
    """Build a phrase.

    >>> phrase("list-and", first="(0,1)", last=CellValue((0, 2))).text
    '(0,1) and (0,2)'
    """
    return Phrase(key, count, tuple(fields.items()))


def join_phrases(phrases: tuple[Phrase, ...]) -> str:
    """Sentences after one another."""
    return " ".join(part.text for part in phrases)


def format_value(value: object) -> str:
    """A value as it appears in a sentence of the current language."""
    match value:
        case Phrase():
            return value.text
        case Risk(probability):
            return risk_text(probability)
        case WinChance(probability, exact):
            return win_chance_text(probability, exact=exact)
        case Seconds(seconds):
            return seconds_text(seconds)
        case Decimal(amount, digits):
            return decimal(amount, digits)
        case CellValue(cell):
            return cell_label(cell)
        case HasText():
            return value.text
        case tuple():
            return listing([format_value(part) for part in value])
        case int():
            return number(value)
        case _:
            return str(value)


def risk_text(probability: float) -> str:
    """A chance between 0 and 1 that is neither.

    >>> risk_text(1 / 3), risk_text(0.00001), risk_text(0.99999)
    ('33.3 %', '< 0.1 %', '> 99.9 %')
    """
    percentage = f"{100 * probability:.1f}"
    if percentage == "0.0":
        return message("review-chance-below", percentage=decimal(0.1, 1))
    if percentage == "100.0":
        return message("review-chance-above", percentage=decimal(99.9, 1))
    return message("review-chance", percentage=decimal(100 * probability, 1))


def win_chance_text(probability: float, *, exact: bool) -> str:
    """A chance to win: exact with one digit where it needs one, an estimate as ``about 47 %``.

    >>> win_chance_text(2 / 3, exact=True), win_chance_text(1.0, exact=True), win_chance_text(0.466, exact=False)
    ('66.7 %', '100 %', 'about 47 %')
    """
    if not exact:
        if probability < 0.01:
            return message("review-chance-below", percentage=number(1))
        if probability > 0.99:
            return message("review-chance-above", percentage=number(99))
        return message("review-chance-about", percentage=decimal(100 * probability, 0))
    percentage = round(100 * probability, 9)
    if percentage == int(percentage):
        return message("review-chance", percentage=number(int(percentage)))
    return risk_text(probability)


def seconds_text(seconds: float) -> str:
    """A duration in seconds.

    >>> seconds_text(51.02), seconds_text(9.46)
    ('51 s', '9.5 s')
    """
    return message("review-duration", seconds=decimal(seconds, 0 if round(seconds, 1) >= 10 else 1))


class HasText:
    """A result whose `text` is rendered in the current language."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The result in words, in the current language."""
        raise NotImplementedError

    def text_in(self, language: str) -> str:
        """The result in words, in another language such as ``"de"``."""
        with use_language(language):
            return self.text
