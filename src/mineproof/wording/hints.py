"""Hints in words: what each kind of hint knows, as data, and its four levels as sentences.

The four levels are where to look, which numbers matter, the move, and the whole reasoning. Each class here renders
them from its data in the current language. Two texts come from the room of deductions and are passed in: ``question``
leads from the numbers to the technique, and ``proof`` is the whole argument of a step.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from mineproof.board.cells import Cell
from mineproof.wording.arguments import render_clause
from mineproof.wording.best_moves import Drawback
from mineproof.wording.catalogue import listing, message, number, plural, sentence
from mineproof.wording.cells import (
    CellRole,
    cell_label,
    cell_labels,
    cell_phrase,
    cells_are_highlighted,
    number_label,
)
from mineproof.wording.clauses import Clause, NumberAt
from mineproof.wording.contradictions import Contradiction
from mineproof.wording.layout_count import LayoutCount
from mineproof.wording.odds import percent_text
from mineproof.wording.regions import Region, region_text

LOOK, NUMBERS, MOVE, REASONING = LEVELS = (1, 2, 3, 4)
CHIPS_MAX_NUMBERS = 4  # numbers that one sentence names by a chip each; more are "the highlighted numbers"


class HintFacts(Protocol):
    """The facts of a hint, which render its levels."""

    def look(self) -> str:
        """Level 1: where to look."""

    def numbers(self, question: str) -> str:
        """Level 2: the numbers that matter, and a question that leads on."""

    def move(self) -> str:
        """Level 3: the move."""

    def reasoning(self, proof: str) -> str:
        """Level 4: the whole reasoning."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a proof rests on: numbers, the mine count if ``total`` is not None, and some ``flags`` that are right."""

    numbers: tuple[NumberAt, ...]
    total: int | None = None
    flags: int = 0

    @property
    def text(self) -> str:
        """``You need only the 1 at (0,2).``"""
        return _join([self._enough(), plural("hint-flags-right", self.flags) if self.flags else ""])

    def question(self, question: str) -> str:
        """The question of the technique, or another one where that makes no sense: a 0 has no mines to look for."""
        is_zero = len(self.numbers) == 1 and self.numbers[0].value == 0 and self.total is None
        return message("hint-question-zero") if is_zero else question

    def _enough(self) -> str:
        if cells_are_highlighted():
            names = self._highlighted_names()
        else:
            names = [number_label(number) for number in self.numbers]
        if self.total is not None:
            names.append(message("hint-mine-count", total=number(self.total)))
        return sentence(message("hint-enough", names=listing(names)))

    def _highlighted_names(self) -> list[str]:
        if cell_labels() == "chips" and len(self.numbers) <= CHIPS_MAX_NUMBERS:
            return [number_label(number) for number in self.numbers]
        if len(self.numbers) == 1:
            return [message("hint-this-number", number=self.numbers[0].value)]
        return [message("place-highlighted-numbers")] if self.numbers else []


@dataclass(frozen=True, slots=True)
class StepFacts:
    """A certain step. ``near`` is the number to look at first, None if only the mine count matters.

    ``assumed_mines``, which are certain and have no flag, are taken for granted, to keep the proof short.
    """

    near: NumberAt | None
    basis: Basis
    safe: tuple[Cell, ...]
    mines: tuple[Cell, ...]
    assumed_mines: tuple[Cell, ...] = ()

    def look(self) -> str:
        """Level 1: where to look."""
        if self.near is None:
            return message("hint-look-at-board")
        highlighted = message("place-highlighted-number", number=self.near.value)
        near = highlighted if cells_are_highlighted() else number_label(self.near)
        return message("hint-look" if self.basis.total is None else "hint-look-and-count", number=near)

    def numbers(self, question: str) -> str:
        """Level 2: the numbers that matter."""
        return _join([self._assumption(), self.basis.text, self.basis.question(question)])

    def _assumption(self) -> str:
        return render_clause(Clause("known-mines", self.assumed_mines)) if self.assumed_mines else ""

    def move(self) -> str:
        """Level 3: the move."""
        safe, mines = _move_text("hint-move-safe", self.safe, "safe"), _move_text("hint-move-mines", self.mines, "mine")
        return _join([safe, mines])

    def reasoning(self, proof: str) -> str:
        """Level 4: the whole reasoning."""
        return proof


@dataclass(frozen=True, slots=True)
class WrongFlagFacts:
    """A flag that cannot be right."""

    flag: Cell
    region: Region | None
    basis: Basis

    def look(self) -> str:
        """Level 1: where to look."""
        if self.region is None:
            return message("hint-wrong-flag")
        return message("hint-wrong-flag-region", region=region_text(self.region))

    def numbers(self, question: str) -> str:
        """Level 2: the numbers that matter."""
        return _join([message("hint-wrong-flag"), self.basis.text, self.basis.question(question)])

    def move(self) -> str:
        """Level 3: the move."""
        return message("hint-wrong-flag-move", cell=cell_phrase([self.flag], "safe"))

    def reasoning(self, proof: str) -> str:
        """Level 4: the whole reasoning."""
        return proof


@dataclass(frozen=True, slots=True)
class SolvedFacts:
    """Only mines are covered: ``covered`` of them."""

    covered: int

    def look(self) -> str:
        """The one sentence of every level."""
        return plural("hint-solved", self.covered) if self.covered else message("hint-solved-open")

    def numbers(self, question: str) -> str:
        """The one sentence of every level."""
        return self.look()

    def move(self) -> str:
        """The one sentence of every level."""
        return self.look()

    def reasoning(self, proof: str) -> str:
        """The one sentence of every level."""
        return self.look()


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Why no cell is certain.

    ``certain_mines`` are known, and all of them flagged if ``mines_are_flagged``. ``has_unproved_flags``: some flags
    are not proved. ``if_flags_are_right`` is then the number of cells that would be certain if they were, or why they
    cannot all be.
    """

    layouts: LayoutCount
    certain_mines: int = 0
    mines_are_flagged: bool = False
    has_unproved_flags: bool = False
    if_flags_are_right: int | Contradiction = 0

    @property
    def text(self) -> str:
        """The proof that a guess is needed."""
        key = "hint-no-safe-cell" if self.certain_mines else "hint-no-certain-cell"
        return _join([message(key, layouts=self.layouts.text), self._each_cell(), self._flags()])

    def _each_cell(self) -> str:
        key = "hint-each-cell-flagged-or-not" if self.has_unproved_flags else "hint-each-cell"
        if not self.certain_mines:
            return message(key)
        return plural(f"{key}-except-{'flagged' if self.mines_are_flagged else 'certain'}", self.certain_mines)

    def _flags(self) -> str:
        if isinstance(self.if_flags_are_right, Contradiction):
            return message("hint-flags-contradict", reason=self.if_flags_are_right.reason)
        return plural("hint-if-flags-are-right", self.if_flags_are_right) if self.if_flags_are_right else ""


@dataclass(frozen=True, slots=True)
class Peers:
    """The cells that are exactly as safe as the safest one, itself included: ``unflagged`` others have no flag.

    ``covered_neighbours`` is the number that decides between them. ``touches_number`` is about the safest cell.
    """

    count: int
    unflagged: int
    covered_neighbours: int
    touches_number: bool

    @property
    def text(self) -> str:
        """Why this one of the safest cells."""
        return _join([self._comparison(), "" if self.touches_number else message("hint-no-number-near")])

    def _comparison(self) -> str:
        if self.count == 1:
            return message("hint-others-riskier")
        if not self.unflagged:
            return message("hint-others-flagged")
        return plural("hint-others-as-safe", self.unflagged, around=number(self.covered_neighbours))


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to guess and its risk.

    ``by_strategy``: chosen by a strategy, not only as the safest cell. ``mined_layouts`` of ``layouts`` have a mine
    there; both are None if there are too many to count. ``is_for_density``: the mine count is unknown and the risk is
    for a density. ``fifty_fifty`` is the other cell of a 50/50. ``drawback`` says why the safest cell is worse, where
    that is another one.
    """

    cell: Cell
    risk: Fraction
    region: Region | None
    by_strategy: bool
    safest: Cell
    least_risk: Fraction
    peers: Peers
    is_for_density: bool = False
    mined_layouts: int | None = None
    layouts: int | None = None
    fifty_fifty: Cell | None = None
    drawback: Drawback | None = None
    is_flagged: bool = False

    @property
    def short_text(self) -> str:
        """The cell, its risk, and the safest cell."""
        risk = percent_text(float(self.risk))
        guess = message(f"{self._kind}-risk", cell=cell_phrase([self.cell]), risk=risk)
        return _join([guess, self._safest(), self._fifty_fifty()])

    @property
    def whole_text(self) -> str:
        """The guess with all its reasons."""
        guess = message(self._kind, cell=cell_phrase([self.cell]), odds=self._odds())
        flagged = message("hint-guess-flagged") if self.is_flagged else ""
        if self.is_safest:
            return _join([guess, self._safest(), self._fifty_fifty() or self.peers.text, flagged])
        return _join([guess, self._safest(), "" if self.drawback is None else self.drawback.text, flagged])

    @property
    def is_safest(self) -> bool:
        """Is the guess the safest cell?"""
        return self.cell == self.safest

    @property
    def _kind(self) -> str:
        return "hint-best-guess" if self.by_strategy else "hint-safest-guess"

    def _odds(self) -> str:
        risk = percent_text(float(self.risk))
        if self.is_for_density:
            return message("hint-odds-density", risk=risk)
        if self.mined_layouts is None or self.layouts is None:
            return message("hint-odds", risk=risk)
        return message("hint-odds-layouts", mined=number(self.mined_layouts), layouts=number(self.layouts), risk=risk)

    def _safest(self) -> str:
        if self.is_safest:
            return message("hint-none-safer") if self.by_strategy else ""
        if self.risk == self.least_risk:
            return message("hint-as-safe", safest=cell_label(self.safest))
        return message("hint-safest", safest=cell_label(self.safest), risk=percent_text(float(self.least_risk)))

    def _fifty_fifty(self) -> str:
        return message("hint-fifty-fifty", cells=cell_phrase([self.cell, self.fifty_fifty])) if self.fifty_fifty else ""


@dataclass(frozen=True, slots=True)
class GuessFacts:
    """A forced guess; ``guess`` is None if the risk is unknown. ``cannot_lose``: the rules protect forced guesses."""

    uncertainty: Uncertainty
    guess: Guess | None
    cannot_lose: bool = False

    def look(self) -> str:
        """Level 1: where to look."""
        region = None if self.guess is None else self.guess.region
        where = "" if region is None else message("hint-guess-region", region=region_text(region))
        return _join([message("hint-guess"), self._rules(), where])

    def numbers(self, question: str) -> str:
        """Level 2: why a guess is needed."""
        return _join([self.uncertainty.text, self._rules()])

    def move(self) -> str:
        """Level 3: the guess."""
        if self.guess is None:
            return _join([message("hint-guess"), message("hint-needs-total")])
        if self.cannot_lose:
            return _join([message("hint-guess"), self._rules(), self._protected_guess(self.guess)])
        return _join([message("hint-guess"), self.guess.short_text])

    def reasoning(self, proof: str) -> str:
        """Level 4: the whole reasoning."""
        if self.guess is None:
            return _join([self.uncertainty.text, message("hint-needs-total")])
        if self.cannot_lose:
            risk = message("hint-risk-elsewhere", risk=percent_text(float(self.guess.risk)))
            return _join([self.uncertainty.text, self._rules(), self._protected_guess(self.guess), risk])
        return _join([self.uncertainty.text, self.guess.whole_text])

    def _rules(self) -> str:
        return message("hint-cannot-lose") if self.cannot_lose and self.guess is not None else ""

    @staticmethod
    def _protected_guess(guess: Guess) -> str:
        return message("hint-protected-guess", cell=cell_label(guess.cell))


def _move_text(key: str, cells: tuple[Cell, ...], role: CellRole) -> str:
    return plural(key, len(cells), cells=cell_phrase(cells, role)) if cells else ""


def _join(sentences: Iterable[str]) -> str:
    return " ".join(filter(None, sentences))
