"""Why a problem has no solution: the facts as data, and the sentences that explain them."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.errors import ContradictionError
from mineproof.wording.catalogue import DEFAULT_LANGUAGE, listing, message, number, plural, use_language

NAMED_CONSTRAINTS_MAX = 12  # longer lists end with "and 3 more"


@dataclass(frozen=True, slots=True)
class ProblemConflict:
    """Constraints, with their numbers and names, that exclude each other; ``total`` if it has a part in it.

    ``totals`` are the least and the most that the constraints allow.
    """

    constraints: tuple[tuple[int, str], ...] = ()
    total: tuple[int, int] | None = None
    totals: tuple[int, int] = (0, 0)
    is_board: bool = False  # of a variant, whose constraints are clues and rules

    @property
    def text(self) -> str:
        """The explanation in the current language."""
        names = [name for _, name in self.constraints]
        if len(names) > NAMED_CONSTRAINTS_MAX:
            rest = number(len(names) - NAMED_CONSTRAINTS_MAX)
            names = [*names[:NAMED_CONSTRAINTS_MAX], message("contradiction-more", count=rest)]
        about = "variant" if self.is_board else "problem"
        if self.total is None:
            return plural(f"{about}-conflict", len(self.constraints), names=listing(names))
        fields = {"total": _range(self.total), "allowed": _range(self.totals)}
        if not names:
            return message(f"{about}-conflict-total", **fields)
        is_between = self.totals[0] < self.total[0] and self.total[1] < self.totals[1]
        key = f"{about}-conflict-total-{'gap' if is_between else 'with'}"
        return plural(key, len(self.constraints), **fields, names=listing(names))

    @property
    def reason(self) -> str:
        """The explanation, as other contradictions name it."""
        return self.text

    def text_in(self, language: str) -> str:
        """The explanation in another language."""
        with use_language(language):
            return self.text

    def __str__(self) -> str:
        with use_language(DEFAULT_LANGUAGE):
            return self.text

    def error(self) -> ContradictionError:
        """Return the error with these facts."""
        uses_total = self.total is not None
        return ContradictionError(
            self,
            constraints=[place for place, _ in self.constraints],
            uses_total=uses_total,
            totals=self.totals if uses_total else None,
        )


def _range(bounds: tuple[int, int]) -> str:
    least, most = bounds
    return number(least) if least == most else message("problem-range", least=number(least), most=number(most))
