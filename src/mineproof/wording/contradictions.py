"""Why no layout fits a board: the facts as data, and the sentences that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import DEFAULT_LANGUAGE, listing, message, number, plural, sentence, use_language
from mineproof.wording.cells import cell_label, number_label, use_cell_labels
from mineproof.wording.clauses import NumberAt
from mineproof.wording.phrases import HasText

NAMED_NUMBERS_MAX = 12  # numbers and flags named one by one; longer lists end with "and 3 more"


@dataclass(frozen=True, slots=True)
class Contradiction(HasText):
    """Facts that exclude each other.

    ``numbers`` are the open numbers that cannot hold together. A single one has ``flags`` and ``covered`` cells around
    it. ``total`` is the mine count where that is at fault, and ``totals`` the fewest and the most mines that the rest
    of the board allows. ``wrong_flags`` are flags each of which resolves the contradiction when it is removed.
    """

    numbers: tuple[NumberAt, ...] = ()
    flags: int = 0
    covered: int = 0
    total: int | None = None
    totals: tuple[int, int] = (0, 0)
    wrong_flags: tuple[Cell, ...] = ()

    @property
    def text(self) -> str:
        """The explanation in the current language and style of cell labels."""
        return message("contradiction", reason=self.reason)

    @property
    def reason(self) -> str:
        """What contradicts what, without saying that this is a contradiction: it ends a sentence."""
        conflict = self._number_conflict() if self.total is None else self._total_conflict(self.total)
        return f"{conflict} {self._flag_advice()}" if self.wrong_flags else conflict

    def __str__(self) -> str:
        """The message of the error: English, with cells by index."""
        with use_language(DEFAULT_LANGUAGE), use_cell_labels("index"):
            return self.text

    def _number_conflict(self) -> str:
        first = self.numbers[0]
        room = self.flags + self.covered
        if len(self.numbers) > 1:
            numbers = _short_list([number_label(number) for number in self.numbers])
            return message("contradiction-both" if len(self.numbers) == 2 else "contradiction-all", numbers=numbers)
        if self.flags > first.value:
            return plural("contradiction-too-many-flags", self.flags, number=number_label(first))
        if not room:
            return message("contradiction-no-room", number=number_label(first))
        return plural("contradiction-too-few-cells", room, number=number_label(first))

    def _total_conflict(self, total: int) -> str:
        fewest, most = self.totals
        if fewest == most:
            conflict = plural("contradiction-total-exactly", most, total=number(total))
        elif total < fewest:
            conflict = plural("contradiction-total-at-least", fewest, total=number(total))
        elif total > most:
            conflict = plural("contradiction-total-at-most", most, total=number(total))
        else:
            fields = {"total": number(total), "fewest": number(fewest), "most": number(most)}
            conflict = message("contradiction-total-gap", **fields)
        if not self.numbers:
            return conflict
        numbers = _short_list([number_label(clue) for clue in self.numbers])
        return f"{conflict} {sentence(plural('contradiction-shown-by', len(self.numbers), numbers=numbers))}"

    def _flag_advice(self) -> str:
        flags = _short_list([cell_label(flag) for flag in self.wrong_flags])
        return plural("contradiction-wrong-flags", len(self.wrong_flags), flags=flags)


def _short_list(names: Sequence[str]) -> str:
    if len(names) <= NAMED_NUMBERS_MAX:
        return listing(list(names))
    rest = message("contradiction-more", count=number(len(names) - NAMED_NUMBERS_MAX))
    return listing([*names[:NAMED_NUMBERS_MAX], rest])
