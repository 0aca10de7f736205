"""What follows from a supposition, one number at a time: shared by `contradiction` and `exhaustive`.

A few cells are supposed to be mines or safe. Every number that this settles decides its other cells, and so on, until
nothing more follows or a number can no longer be satisfied. An argument has only the consequences that lead to its end:
a number with too many mines is explained by mines alone, one with too little room by safe cells alone.

Cost    A supposition touches each number a few times. Sets of cells are integers with a bit for each cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.base.budget import Deadline
from mineproof.deduction.state import Cells, State, as_set, bits
from mineproof.wording.clauses import Clause

TOTAL = -1  # stands for the total number of mines, where a number is expected


class Consequence(NamedTuple):
    """A number that decides cells: as mines because it has no other room, or as safe because it has all its mines."""

    number: int
    cells: Cells
    as_mines: bool


@dataclass(slots=True)
class Trial:
    """A supposition and what follows from it."""

    mines: Cells
    safe: Cells
    consequences: list[Consequence] = field(default_factory=list)
    broken: int | None = None  # the number that cannot be satisfied


class Limits(NamedTuple):
    """At least ``least`` and at most ``most`` mines among ``cells``, by a number or by the total."""

    cells: Cells
    least: int
    most: int


class NumberRules:
    """The limits that some numbers, and perhaps the total, set for the unknown cells."""

    def __init__(self, limits: dict[int, Limits], deadline: Deadline | None = None) -> None:
        self.limits = limits
        self._deadline = deadline
        self.around: dict[int, list[int]] = {}
        for number, limit in limits.items():
            for cell in bits(limit.cells):
                self.around.setdefault(cell, []).append(number)

    @classmethod
    def of(cls, state: State, numbers: Iterable[int] | None = None, *, deadline: Deadline | None = None) -> NumberRules:
        """The rules of all numbers, or of some of them; long work with them ends at a deadline."""
        known = state.restrictions()
        chosen = known if numbers is None else [number for number in numbers if number in known]
        limits = {number: Limits(known[number].cells, known[number].need, known[number].need) for number in chosen}
        return cls(limits, deadline)

    def only(self, numbers: Iterable[int]) -> NumberRules:
        """The rules of some of the numbers."""
        return NumberRules({number: self.limits[number] for number in numbers}, self._deadline)

    def also(self, number: int, limits: Limits) -> NumberRules:
        """These rules and one more."""
        return NumberRules({**self.limits, number: limits}, self._deadline)

    def check(self) -> None:
        """Raise BudgetExceeded if the time is up or the work is cancelled."""
        if self._deadline is not None:
            self._deadline.check()

    def follow(self, mines: Cells, safe: Cells, since: Trial | None = None) -> Trial:
        """Suppose that some cells are mines and others safe, on top of an earlier trial."""
        self.check()
        trial = Trial(mines, safe) if since is None else Trial(since.mines | mines, since.safe | safe)
        pending = [number for cell in bits(mines | safe) for number in self.around.get(cell, ())]
        for number in pending:  # grows during the loop
            cells, least, most = self.limits[number]
            left = cells & ~(trial.mines | trial.safe)
            has = (cells & trial.mines).bit_count()
            most_it_can_have = has + left.bit_count()
            if has > most or most_it_can_have < least:
                trial.broken = number
                return trial
            if left and (has == most or most_it_can_have == least):
                as_mines = has < most
                trial.consequences.append(Consequence(number, left, as_mines))
                if as_mines:
                    trial.mines |= left
                else:
                    trial.safe |= left
                pending += (other for cell in bits(left) for other in self.around.get(cell, ()))
        return trial

    def reasons(self, trial: Trial, targets: Cells = 0) -> list[Consequence]:
        """The consequences that lead to the broken number, or else to the target cells, in order."""
        return self.trace(trial, targets)[0]

    def trace(self, trial: Trial, targets: Cells = 0) -> tuple[list[Consequence], Cells]:
        """The `reasons`, and every cell that they rest on or decide."""
        if trial.broken is not None:
            targets = self._breaking_cells(trial)
        reasons = []
        for number, cells, as_mines in reversed(trial.consequences):
            if needed := cells & targets:
                reasons.append(Consequence(number, needed, as_mines))
                others = self.limits[number].cells & ~cells
                targets |= others & (trial.safe if as_mines else trial.mines)
        return reasons[::-1], targets

    def _breaking_cells(self, trial: Trial) -> Cells:
        """As many cells as it takes to break the broken number, those decided first."""
        assert trial.broken is not None
        cells, least, most = self.limits[trial.broken]
        full = (cells & trial.mines).bit_count() > most
        decided, enough = (trial.mines, most) if full else (trial.safe, cells.bit_count() - least)
        later = {
            cell: place for place, consequence in enumerate(trial.consequences, 1) for cell in bits(consequence.cells)
        }
        return as_set(sorted(bits(cells & decided), key=lambda cell: (later.get(cell, 0), cell))[: enough + 1])


def numbers_of(consequences: Sequence[Consequence], broken: int | None) -> tuple[int, ...]:
    """The numbers that an argument names, once each, without the total."""
    named = [consequence.number for consequence in consequences] + ([] if broken is None else [broken])
    return tuple(number for number in dict.fromkeys(named) if number != TOTAL)


# arguments


def follow_up(state: State, rules: NumberRules, trial: Trial, targets: Cells = 0) -> list[Clause]:
    """What follows, from the first consequence to the number that cannot be satisfied, or to the target cells."""
    clauses = [_consequence_clause(state, consequence) for consequence in rules.reasons(trial, targets)]
    if trial.broken is not None:
        clauses.append(_broken_clause(state, rules, trial))
    return clauses


def _consequence_clause(state: State, consequence: Consequence) -> Clause:
    number, cells, as_mines = consequence
    if number == TOTAL:
        return Clause("then-all-needed" if as_mines else "then-all-placed", state.cells(cells))
    return Clause("then-mines" if as_mines else "then-safe", state.cells(cells), (state.number(number),))


def _broken_clause(state: State, rules: NumberRules, trial: Trial) -> Clause:
    """What is wrong with the broken number: one mine too many or too few, because the reasons go no further."""
    assert trial.broken is not None
    cells, least, most = rules.limits[trial.broken]
    full = (cells & trial.mines).bit_count() > most
    if trial.broken == TOTAL:
        return Clause("total-too-many", count=most + 1) if full else Clause("total-too-few", count=least - 1)
    count = state.codes[trial.broken] + (1 if full else -1)
    return Clause("too-many" if full else "too-few", numbers=(state.number(trial.broken),), count=count)


def suppose(state: State, cells: Cells, *, mines: bool) -> Clause:
    """A supposition; about several cells with the same argument, each on its own."""
    return Clause("suppose-mine" if mines else "suppose-safe", state.cells(cells))
