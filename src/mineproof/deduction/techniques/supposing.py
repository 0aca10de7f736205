"""What follows from a supposition, one number at a time: shared by `contradiction` and `exhaustive`.

A few cells are supposed mines or safe. Then every number that is settled by that decides its other cells, and so on,
until nothing more follows or a number can no longer be right. Of all that followed only what led to the end is told:
a number that has too many mines is explained by mines alone, one that has too little room by safe cells alone.

Cost    A supposition touches each number a few times. Sets of cells are whole numbers with a bit for each cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mineproof.base.budget import Deadline
from mineproof.base.words import listing, plural
from mineproof.deduction.state import Cells, State, as_set, bits

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
    broken: int | None = None  # the number that cannot be right


class Said(NamedTuple):
    """At least ``least`` and at most ``most`` mines among ``cells``: what a number says, or the total."""

    cells: Cells
    least: int
    most: int


class Rules:
    """What may be argued with: what some numbers, and perhaps the total, say about the unknown cells."""

    def __init__(self, said: dict[int, Said], deadline: Deadline | None = None) -> None:
        self.said = said
        self._deadline = deadline
        self.around: dict[int, list[int]] = {}
        for number, each in said.items():
            for cell in bits(each.cells):
                self.around.setdefault(cell, []).append(number)

    @classmethod
    def of(cls, state: State, numbers: Iterable[int] | None = None, *, deadline: Deadline | None = None) -> Rules:
        """What a player knows from the numbers, or from some of them; long work with them ends at a deadline."""
        known = state.restrictions()
        chosen = known if numbers is None else [number for number in numbers if number in known]
        said = {number: Said(known[number].cells, known[number].need, known[number].need) for number in chosen}
        return cls(said, deadline)

    def only(self, numbers: Iterable[int]) -> Rules:
        return Rules({number: self.said[number] for number in numbers}, self._deadline)

    def also(self, number: int, said: Said) -> Rules:
        return Rules({**self.said, number: said}, self._deadline)

    def check(self) -> None:
        """BudgetExceeded if the time is up, or somebody wants an end."""
        if self._deadline is not None:
            self._deadline.check()

    def follow(self, mines: Cells, safe: Cells, since: Trial | None = None) -> Trial:
        """Suppose some cells mines and others safe, after all that an earlier trial came to."""
        self.check()
        trial = Trial(mines, safe) if since is None else Trial(since.mines | mines, since.safe | safe)
        pending = [number for cell in bits(mines | safe) for number in self.around.get(cell, ())]
        for number in pending:  # grows while it is gone through
            cells, least, most = self.said[number]
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

    def reasons(self, trial: Trial, wanted: Cells = 0) -> list[Consequence]:
        """The consequences that lead to the broken number, or else to the wanted cells, in order."""
        return self.traced(trial, wanted)[0]

    def traced(self, trial: Trial, wanted: Cells = 0) -> tuple[list[Consequence], Cells]:
        """The `reasons`, and every cell that they rest on or come to."""
        if trial.broken is not None:
            wanted = self._too_much(trial)
        kept = []
        for number, cells, as_mines in reversed(trial.consequences):
            if told := cells & wanted:
                kept.append(Consequence(number, told, as_mines))
                others = self.said[number].cells & ~cells
                wanted |= others & (trial.safe if as_mines else trial.mines)
        return kept[::-1], wanted

    def _too_much(self, trial: Trial) -> Cells:
        """As many cells as it takes to break the broken number, those decided first."""
        assert trial.broken is not None
        cells, least, most = self.said[trial.broken]
        full = (cells & trial.mines).bit_count() > most
        decided, enough = (trial.mines, most) if full else (trial.safe, cells.bit_count() - least)
        later = {cell: place for place, each in enumerate(trial.consequences, 1) for cell in bits(each.cells)}
        return as_set(sorted(bits(cells & decided), key=lambda cell: (later.get(cell, 0), cell))[: enough + 1])


def numbers_of(consequences: Sequence[Consequence], broken: int | None) -> tuple[int, ...]:
    """The numbers an argument speaks of, each once, the total left out."""
    named = [each.number for each in consequences] + ([] if broken is None else [broken])
    return tuple(number for number in dict.fromkeys(named) if number != TOTAL)


# telling


def path(state: State, rules: Rules, trial: Trial, wanted: Cells = 0) -> str:
    """What follows, from the first consequence to the number that cannot be right, or to the wanted cells."""
    parts = list(_sentences(state, rules.reasons(trial, wanted)))
    if trial.broken is not None:
        parts.append(_broken(state, rules, trial))
    return "; then ".join(parts)


def _sentences(state: State, consequences: Iterable[Consequence]) -> Iterator[str]:
    for number, cells, as_mines in consequences:
        where = state.list(cells)
        if number == TOTAL:
            count = "all the mines are placed" if not as_mines else "every cell left is needed"
            yield f"{count}, so {verdict(state, cells, mines=as_mines)}"
        elif as_mines:
            yield f"the {state.name(number)} needs {_all(state, cells)}"
        else:
            have = "its mine" if state.codes[number] == 1 else f"its {state.codes[number]} mines"
            yield f"the {state.name(number)} has {have}, so {where} {'is' if cells.bit_count() == 1 else 'are'} safe"


def _broken(state: State, rules: Rules, trial: Trial) -> str:
    """What is wrong with the broken number: one mine too many or too few, for no more than that is told."""
    assert trial.broken is not None
    cells, least, most = rules.said[trial.broken]
    full = (cells & trial.mines).bit_count() > most
    if trial.broken == TOTAL:
        return f"that makes {plural(most + 1, 'mine')}" if full else f"that leaves room for only {least - 1}"
    count = state.codes[trial.broken] + (1 if full else -1)
    limit = "only " if count and not full else ""
    return f"the {state.name(trial.broken)} would have {limit}{plural(count, 'mine') if count else 'no mine'}"


def _all(state: State, cells: Cells) -> str:
    count = cells.bit_count()
    return f"{'both ' if count == 2 else 'all of ' if count > 2 else ''}{state.list(cells)}"


def supposed(state: State, cells: Cells, *, mines: bool) -> str:
    """``(1,2) were a mine``; of several cells with the same argument, each on its own."""
    verdict = "a mine" if mines else "safe"
    names = [state.at(cell) for cell in bits(cells)]
    if len(names) < 3:
        return f"{' or '.join(names)} were {verdict}"
    return f"any of {listing(names)} were {verdict}"


def verdict(state: State, cells: Cells, *, mines: bool) -> str:
    """``(1,1) is safe``."""
    one = cells.bit_count() == 1
    return f"{state.list(cells)} {'is' if one else 'are'} {('a mine' if one else 'mines') if mines else 'safe'}"
