"""Counting limits, at least and at most: `bounds`.

Idea    A number says how many mines are among its cells. If two sets of cells overlap, the bounds of one limit the
        mines in the overlap, and so the mines in the rest of the other. The rest is a set with bounds too, and so on
        until nothing improves. A set that can have no mine is safe. A set that must have a mine in every cell is all
        mines. This is Minedetector, by Mark Probst, with zeros counted as numbers, which the original forgets.
How     Minedetector compares every set with every other. The sets are known beforehand, though: the cells of a number
        fall into boxes (cells that touch the same numbers), and the sets are all unions of boxes of one number. Any
        two of them overlap in a third. So it is enough to split the cells of one number into three sets, of which two
        bound the third; the final bounds are the same. The work list is sorted by how many numbers a bound rests on,
        so that the shortest arguments come first.
Cost    A number with k boxes has 2^k sets and 3^k splits, and k is at most 8: the work grows with the board and never
        explodes. Expert boards have 500 sets and 5,000 splits (5,000 and 100,000 if each cell is open at random), and
        a tenth of that, in less than a millisecond, after the easier techniques. Linked numbers with more than
        `MAX_SPLITS` splits are skipped: those of about 5,000 cells opened at random.
Limits  Bounds are combined inside one number only. If two numbers leave each other only two ways, one of which fails
        later, this goes unnoticed. Minedetector's document ends with such a board; `contradiction` solves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell, pairs
from mineproof.deduction.state import Cells, Finding, Restriction, State, bits
from mineproof.deduction.technique import Technique
from mineproof.engine.default import default_engine
from mineproof.wording.clauses import ARGUMENT, Clause

if TYPE_CHECKING:
    from mineproof.deduction.wire import BoundsJson, BoundsRowJson

SCHEMA: Final = "mineproof/bounds/1"
MAX_SPLITS = 1_000_000  # about a second
MAX_NAMED_STEPS = 4  # of an argument; a longer one is summarised

AT_LEAST, AT_MOST = 0, 1

Restrictions = dict[int, Restriction]  # by number


@dataclass(frozen=True, slots=True)
class Bounds:
    """At least ``least`` and at most ``most`` mines among ``cells``."""

    cells: tuple[Cell, ...]
    least: int
    most: int


class _Bound(NamedTuple):
    """One bound of a set. It rests on ``numbers``; the last step was to split ``number`` into ``parts``."""

    place: int
    cells: Cells
    side: int
    floor: int  # of the mines for `AT_LEAST`, of minus the mines for `AT_MOST`: more is always better
    number: int = -1
    parts: tuple[_Bound, ...] = ()
    numbers: Cells = 0
    age: int = 0

    @property
    def mines(self) -> int:
        return -self.floor if self.side == AT_MOST else self.floor

    @property
    def settled(self) -> bool:
        """Are these cells all safe, or all mines?"""
        return self.mines == (0 if self.side == AT_MOST else self.cells.bit_count())


def bounds_table(board: Board, flags: Flags = "trust", *, budget: Budget | float | None = None) -> list[Bounds]:
    """Return every set of the search with its final bounds: small sets first, each size in row order.

    The search ends if numbers contradict each other, and may leave a set with ``least`` above ``most``.
    Raises BudgetExceeded if it takes longer than the seconds of the budget.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    state = State(board.as_seen(flags), Budget.of(budget), default_engine())
    searches = _searches(state.restrictions())
    for _ in _levels(searches, state.deadline):
        pass
    sets = [row for search in searches for row in list(zip(search.cells, *search.floors, strict=True))[1:]]
    table = [Bounds(tuple(map(board.cell, bits(cells))), least, -minus_most) for cells, least, minus_most in sets]
    return sorted(table, key=lambda row: (len(row.cells), row.cells))


def bounds_json(table: Iterable[Bounds]) -> BoundsJson:
    """Return the ``mineproof/bounds/1`` shape of a table."""
    sets: list[BoundsRowJson] = [{"cells": pairs(row.cells), "least": row.least, "most": row.most} for row in table]
    return {"schema": SCHEMA, "sets": sets}


def find(state: State) -> Iterator[Finding]:
    """Find cells that bounds decide: the fewest numbers first, then safe cells, then many at once."""
    restrictions = state.restrictions()
    known = 0
    for settled in _levels(_searches(restrictions), state.deadline):
        for bound in sorted(settled, key=lambda bound: (bound.side == AT_LEAST, -bound.cells.bit_count(), bound.cells)):
            if cells := bound.cells & ~known:
                known |= cells
                safe, mines = (cells, 0) if bound.side == AT_MOST else (0, cells)
                yield Finding(
                    safe,
                    mines,
                    tuple(bits(bound.numbers)),
                    _argument(state, restrictions, bound, cells),
                    chain=max(1, sum(len(step.parts) for step in _steps(bound))),
                )


# searching


def _levels(searches: list[_BoundsSearch], deadline: Deadline) -> Iterator[list[_Bound]]:
    """Search to the end; yield what is settled by one number, by two, and so on."""
    level = 0
    while searches:
        level += 1
        settled = []
        for search in searches:
            deadline.check()
            settled += search.reach(level)
        yield settled
        searches = [search for search in searches if search.waiting]


class _Number:
    """A number and all unions of its boxes: bit i of a place in ``sets`` stands for box i."""

    __slots__ = ("index", "need", "sets", "size")

    def __init__(self, index: int, restriction: Restriction, sets: list[int]) -> None:
        self.index = index
        self.need = restriction.need
        self.size = restriction.cells.bit_count()
        self.sets = sets

    def floor(self, side: int, size: int) -> int:
        """Return the bound of any ``size`` of its cells, without the help of other numbers."""
        return -self.need if side == AT_MOST else self.need - self.size + size


class _BoundsSearch:
    """The sets of a few linked numbers, their bounds, and the bounds not followed up yet.

    Place 0 is the empty set. It makes a split in two a split in three, and has no mines unless numbers contradict.
    """

    def __init__(self, restrictions: Restrictions, boxes: dict[int, list[Cells]]) -> None:
        self.cells: list[Cells] = [0]
        self.floors: tuple[list[int], list[int]] = ([0], [0])
        self.waiting: dict[int, list[_Bound]] = {}  # by how many numbers they rest on
        self._bounds: tuple[dict[int, _Bound], dict[int, _Bound]] = ({}, {})  # all but the trivial ones
        self._owners: list[list[tuple[_Number, int]]] = [[]]
        self._age = 0
        self._failed = False
        places = {0: 0}
        for number, restriction in restrictions.items():
            self._add_restriction(number, restriction, boxes[number], places)

    def _add_restriction(
        self, index: int, restriction: Restriction, boxes: list[Cells], places: dict[Cells, int]
    ) -> None:
        unions = [0]
        for box in boxes:
            unions += [union | box for union in unions]
        number = _Number(index, restriction, [self._place(union, places) for union in unions])
        least, most = self.floors
        for part, place in reversed(list(enumerate(number.sets))):  # large sets make the simplest arguments
            self._owners[place].append((number, part))
            if -restriction.need > most[place]:
                self._improve(place, AT_MOST, -restriction.need, index, ())
            floor = number.floor(AT_LEAST, unions[part].bit_count())
            if floor > least[place]:
                self._improve(place, AT_LEAST, floor, index, ())

    def _place(self, cells: Cells, places: dict[Cells, int]) -> int:
        place = places.setdefault(cells, len(places))
        if place == len(self.cells):
            self.cells.append(cells)
            self.floors[AT_LEAST].append(0)
            self.floors[AT_MOST].append(-cells.bit_count())
            self._owners.append([])
        return place

    def reach(self, level: int) -> list[_Bound]:
        """Follow up every bound that rests on that many numbers; return those that settle their cells."""
        settled = []
        for bound in self.waiting.setdefault(level, []):  # grows during the loop
            if self.floors[bound.side][bound.place] == bound.floor:  # else it has been improved since
                if bound.settled:
                    settled.append(bound)
                self._follow(bound)
            if self._failed:
                self.waiting.clear()
                return settled
        del self.waiting[level]
        return settled

    def _follow(self, bound: _Bound) -> None:
        """Split each number that has the set into it, another set and the rest, and bound the rest."""
        side, floor = bound.side, bound.floor
        known, opposite = self.floors[side], self.floors[1 - side]
        size = bound.cells.bit_count()
        for number, part in self._owners[bound.place]:
            if floor <= number.floor(side, size):
                continue  # the number implies it
            sets = number.sets
            others = len(sets) - 1 ^ part
            left = floor + (number.need if side == AT_MOST else -number.need)
            other = 0
            while True:
                rest = sets[others ^ other]
                if left + known[sets[other]] > opposite[rest]:
                    parts = _unfold(bound, number.index)
                    if other:
                        parts += _unfold(self._bound_at(sets[other], side), number.index)
                    self._improve(rest, 1 - side, left + known[sets[other]], number.index, parts)
                other = other - others & others  # the next larger part of the others
                if not other:
                    break

    def _bound_at(self, place: int, side: int) -> _Bound:
        bound = self._bounds[side].get(place)
        return bound or _Bound(place, self.cells[place], side, self.floors[side][place])

    def _improve(self, place: int, side: int, floor: int, number: int, parts: tuple[_Bound, ...]) -> None:
        numbers = 1 << number
        for part in parts:
            numbers |= part.numbers
        self._age += 1
        bound = _Bound(place, self.cells[place], side, floor, number, parts, numbers, self._age)
        self.floors[side][place] = floor
        self._failed |= self.floors[AT_LEAST][place] + self.floors[AT_MOST][place] > 0
        self._bounds[side][place] = bound
        self.waiting.setdefault(numbers.bit_count(), []).append(bound)


def _unfold(bound: _Bound, number: int) -> tuple[_Bound, ...]:
    """Return the parts of a set instead of the set, if the number itself bounded the rest and then the set again."""
    if bound.number == number and len(bound.parts) == 1 and bound.parts[0].number == number:
        return bound.parts[0].parts
    return (bound,)


def _searches(restrictions: Restrictions) -> list[_BoundsSearch]:
    """Return a search for each component, except those too large. Of equal restrictions only the first counts."""
    restrictions = {
        number: restriction
        for restriction, number in {left: number for number, left in reversed(restrictions.items())}.items()
    }
    seen_by: dict[int, list[int]] = {}
    for number, restriction in restrictions.items():
        for cell in bits(restriction.cells):
            seen_by.setdefault(cell, []).append(number)
    by_numbers: dict[tuple[int, ...], Cells] = {}
    for cell, numbers in seen_by.items():
        key = tuple(numbers)
        by_numbers[key] = by_numbers.get(key, 0) | 1 << cell
    boxes: dict[int, list[Cells]] = {number: [] for number in restrictions}
    for key, cells in by_numbers.items():
        for number in key:
            boxes[number].append(cells)
    return [
        _BoundsSearch({number: restrictions[number] for number in linked}, boxes)
        for linked in _components(restrictions, by_numbers)
        if sum(3 ** len(boxes[number]) for number in linked) <= MAX_SPLITS
    ]


def _components(numbers: Iterable[int], links: Iterable[tuple[int, ...]]) -> Iterable[list[int]]:
    """Group linked numbers, in row order."""
    group = {number: [number] for number in numbers}
    for first, *others in links:
        for other in others:
            small, large = sorted((group[first], group[other]), key=len)
            if small is not large:
                large += small
                group.update(dict.fromkeys(small, large))
    return {id(members): sorted(members) for members in group.values()}.values()


# arguments


def _argument(state: State, restrictions: Restrictions, bound: _Bound, cells: Cells) -> Clause:
    """The steps in the order in which they were made; of too many, a summary of all but the last."""
    steps = _steps(bound)
    if not steps:
        return Clause(ARGUMENT, parts=(_premise(state, restrictions, bound.number), _conclusion(state, bound, cells)))
    if len(steps) > MAX_NAMED_STEPS:
        summaries = [_summary(state, part) for part in bound.parts if part.parts]
        clauses = [*summaries, *_reasons(state, restrictions, bound), _conclusion(state, bound, cells)]
        return Clause(ARGUMENT, parts=tuple(clauses))
    clauses = []
    for place, step in enumerate(steps):
        again = any(step.number == earlier.number for earlier in steps[:place])
        clauses += _reasons(state, restrictions, step, again)
        clauses.append(_conclusion(state, step, cells if step is bound else step.cells))
    return Clause(ARGUMENT, parts=tuple(clauses))


def _steps(bound: _Bound) -> list[_Bound]:
    """Return the bounds in an argument that rest on others."""
    steps: dict[int, _Bound] = {}
    waiting = [bound]
    while waiting:
        step = waiting.pop()
        if step.parts and step.age not in steps:
            steps[step.age] = step
            waiting += step.parts
    return [steps[age] for age in sorted(steps)]


def _premise(state: State, restrictions: Restrictions, number: int) -> Clause:
    cells, need = restrictions[number]
    return Clause("needs", state.cells(cells), (state.number(number),), need)


def _reasons(state: State, restrictions: Restrictions, bound: _Bound, again: bool = False) -> Iterator[Clause]:
    """A number, and what is known of parts of its cells."""
    number = bound.number
    yield Clause("again", numbers=(state.number(number),)) if again else _premise(state, restrictions, number)
    for part in bound.parts:
        if part.number >= 0 or part.side == AT_MOST:
            yield from _reason(state, restrictions, part)


def _reason(state: State, restrictions: Restrictions, part: _Bound) -> Iterator[Clause]:
    """How many mines a part of the cells has; and why, if a number says so directly."""
    direct = part.number >= 0 and not part.parts
    cells = state.cells(part.cells)
    if direct and part.side == AT_MOST:
        yield Clause("shares", cells, (state.number(part.number),), part.mines)
    elif direct:
        all_cells, need = restrictions[part.number]
        others = (all_cells & ~part.cells).bit_count()
        if not others:
            yield _premise(state, restrictions, part.number)
        else:
            yield Clause("other-cells", cells, (state.number(part.number, need=need),), others)
            yield Clause("at-least", cells, count=part.mines)
    elif part.settled:
        yield state.safe_or_mines("is", part.cells, mines=part.side == AT_LEAST)
    else:
        yield Clause("at-most" if part.side == AT_MOST else "at-least", cells, count=part.mines)


def _conclusion(state: State, bound: _Bound, cells: Cells) -> Clause:
    if bound.settled:
        return state.safe_or_mines("so", cells, mines=bound.side == AT_LEAST)
    return Clause("so-at-most" if bound.side == AT_MOST else "so-at-least", state.cells(cells), count=bound.mines)


def _summary(state: State, bound: _Bound) -> Clause:
    numbers, cells = state.number_list(bits(bound.numbers)), state.cells(bound.cells)
    if bound.settled:
        return Clause("together-safe" if bound.side == AT_MOST else "together-mines", cells, numbers)
    return Clause("together-at-most" if bound.side == AT_MOST else "together-at-least", cells, numbers, bound.mines)


TECHNIQUE = Technique(
    "bounds",
    find,
    fewest_numbers=2,
    start_rating=1400.0,
    skipped_positions=3,
    weekday=1,
    looks_at="numbers whose cells overlap",
    origin="Minedetector",
)
