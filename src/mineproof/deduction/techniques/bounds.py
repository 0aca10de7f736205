"""At least and at most so many mines among some cells: `bounds`.

Idea    A number says how many mines are among its cells. Where two sets of cells overlap, what is known of one bounds
        the mines in the overlap, and so the mines in the rest of the other. The rest is a set with bounds in its turn,
        and so on until nothing improves. A set that can have no mine is safe; a set that must have one in every cell
        is all mines. This is Minedetector, by Mark Probst, with zeros counted as numbers, which the original forgets.
How     Minedetector holds every set against every other. What comes up is known beforehand, though: the cells of a
        number fall into boxes, cells that the same numbers see, and the sets are all unions of boxes of one number.
        Any two of them overlap in a third, so it is enough to split the cells of one number into three sets, of which
        two bound the third; the bounds that this ends with are the same. Its work list is kept in order of how many
        numbers a bound rests on, so that the shortest arguments come first.
Cost    A number with k boxes has 2^k sets and 3^k splits, and k is at most 8: the work grows with the board and never
        explodes. Expert boards have 500 sets and 5,000 splits (5,000 and 100,000 if opened by the toss of a coin), and
        a tenth of that, done in less than a millisecond, once the easier techniques have had their turn. Linked
        numbers with more than `MOST` splits are passed over: those of about 5,000 cells opened by the toss of a coin.
Limits  Bounds are combined inside one number only. That two numbers leave each other just two ways, one of which fails
        further on, goes unnoticed; Minedetector's document ends with such a board. `contradiction` solves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import listing, plural
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell, pairs
from mineproof.deduction.state import Cells, Finding, Restriction, State, bits
from mineproof.engine.choice import default_engine

SCHEMA = "mineproof/bounds/1"
MOST = 1_000_000  # splits: about a second
MOST_STEPS = 4  # steps told one by one; of a longer argument the numbers are named

AT_LEAST, AT_MOST = 0, 1

Restrictions = dict[int, Restriction]  # by number


@dataclass(frozen=True, slots=True)
class Bounds:
    """At least ``least`` and at most ``most`` mines among ``cells``."""

    cells: tuple[Cell, ...]
    least: int
    most: int


class _Bound(NamedTuple):
    """One side of what is known of a set. ``numbers`` are all it rests on; ``number`` split in ``parts`` gave it."""

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
    """Every set that comes up with the bounds it ends with: small sets first, each size in row order.

    Where numbers contradict each other the work ends, and a set may be left with ``least`` above ``most``.
    Raises BudgetExceeded where it takes longer than the seconds of the budget.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    state = State(board.as_seen(flags), Budget.of(budget), default_engine())
    searches = _searches(state.restrictions())
    for _ in _levels(searches, state.deadline):
        pass
    sets = [each for search in searches for each in list(zip(search.cells, *search.floors, strict=True))[1:]]
    table = [Bounds(tuple(map(board.cell, bits(cells))), least, -minus_most) for cells, least, minus_most in sets]
    return sorted(table, key=lambda each: (len(each.cells), each.cells))


def bounds_json(table: Iterable[Bounds]) -> dict[str, object]:
    """The ``mineproof/bounds/1`` shape of a table."""
    sets = [{"cells": pairs(each.cells), "least": each.least, "most": each.most} for each in table]
    return {"schema": SCHEMA, "sets": sets}


def find(state: State) -> Iterator[Finding]:
    """Cells that bounds decide: from the fewest numbers first, then safe cells, then many at once."""
    restrictions = state.restrictions()
    found = 0
    for settled in _levels(_searches(restrictions), state.deadline):
        for bound in sorted(settled, key=lambda each: (each.side == AT_LEAST, -each.cells.bit_count(), each.cells)):
            if cells := bound.cells & ~found:
                found |= cells
                safe, mines = (cells, 0) if bound.side == AT_MOST else (0, cells)
                words = _words(state, restrictions, bound, cells)
                yield Finding(
                    safe,
                    mines,
                    tuple(bits(bound.numbers)),
                    words,
                    chain=max(1, sum(len(step.parts) for step in _steps(bound))),
                )


# searching


def _levels(searches: list[_Search], deadline: Deadline) -> Iterator[list[_Bound]]:
    """Search to the end; what is settled by one number, by two, and so on."""
    level = 0
    while searches:
        level += 1
        found = []
        for search in searches:
            deadline.check()
            found += search.reach(level)
        yield found
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
        """What the number says of any ``size`` of its cells, without the help of others."""
        return -self.need if side == AT_MOST else self.need - self.size + size


class _Search:
    """The sets of a few linked numbers, what is known of each, and the bounds not followed up yet.

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
        for number, each in restrictions.items():
            self._add(number, each, boxes[number], places)

    def _add(self, index: int, restriction: Restriction, boxes: list[Cells], places: dict[Cells, int]) -> None:
        unions = [0]
        for box in boxes:
            unions += [union | box for union in unions]
        number = _Number(index, restriction, [self._place(union, places) for union in unions])
        least, most = self.floors
        for part, place in reversed(list(enumerate(number.sets))):  # large sets make the plainest arguments
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
        """Follow up every bound that rests on that many numbers; those that settle their cells."""
        settled = []
        for bound in self.waiting.setdefault(level, []):  # grows while it is gone through
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
        known, wanted = self.floors[side], self.floors[1 - side]
        size = bound.cells.bit_count()
        for number, part in self._owners[bound.place]:
            if floor <= number.floor(side, size):
                continue  # no news to this number
            sets = number.sets
            others = len(sets) - 1 ^ part
            left = floor + (number.need if side == AT_MOST else -number.need)
            other = 0
            while True:
                rest = sets[others ^ other]
                if left + known[sets[other]] > wanted[rest]:
                    parts = _unfolded(bound, number.index)
                    if other:
                        parts += _unfolded(self._bound(sets[other], side), number.index)
                    self._improve(rest, 1 - side, left + known[sets[other]], number.index, parts)
                other = other - others & others  # the next larger part of the others
                if not other:
                    break

    def _bound(self, place: int, side: int) -> _Bound:
        found = self._bounds[side].get(place)
        return found or _Bound(place, self.cells[place], side, self.floors[side][place])

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


def _unfolded(bound: _Bound, number: int) -> tuple[_Bound, ...]:
    """The parts of a set instead of the set, if the number put it together itself by bounding the rest and back."""
    if bound.number == number and len(bound.parts) == 1 and bound.parts[0].number == number:
        return bound.parts[0].parts
    return (bound,)


def _searches(restrictions: Restrictions) -> list[_Search]:
    """A search for each component, except those too large. Of numbers that say the same, the first is kept."""
    restrictions = {
        number: each for each, number in {each: number for number, each in reversed(restrictions.items())}.items()
    }
    seen_by: dict[int, list[int]] = {}
    for number, each in restrictions.items():
        for cell in bits(each.cells):
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
        _Search({number: restrictions[number] for number in linked}, boxes)
        for linked in _components(restrictions, by_numbers)
        if sum(3 ** len(boxes[number]) for number in linked) <= MOST
    ]


def _components(numbers: Iterable[int], links: Iterable[tuple[int, ...]]) -> Iterable[list[int]]:
    """Numbers grouped so that linked ones are together, in row order."""
    group = {number: [number] for number in numbers}
    for first, *others in links:
        for other in others:
            small, large = sorted((group[first], group[other]), key=len)
            if small is not large:
                large += small
                group.update(dict.fromkeys(small, large))
    return {id(each): sorted(each) for each in group.values()}.values()


# telling


def _words(state: State, restrictions: Restrictions, bound: _Bound, cells: Cells) -> str:
    """The steps in the order in which they were made; of too many, what all but the last came to."""
    steps = _steps(bound)
    if not steps:
        return f"{_premise(state, restrictions, bound.number)}, so {_conclusion(state, bound, cells)}."
    if len(steps) > MOST_STEPS:
        lines = [_summary(state, part) for part in bound.parts if part.parts]
        return " ".join([*lines, f"{_argument(state, restrictions, bound)} {_conclusion(state, bound, cells)}."])
    lines = []
    for place, step in enumerate(steps):
        again = any(step.number == earlier.number for earlier in steps[:place])
        decided = cells if step is bound else step.cells
        lines.append(f"{_argument(state, restrictions, step, again)} {_conclusion(state, step, decided)}.")
    return " ".join(lines)


def _steps(bound: _Bound) -> list[_Bound]:
    """The bounds in an argument that rest on others."""
    steps: dict[int, _Bound] = {}
    waiting = [bound]
    while waiting:
        step = waiting.pop()
        if step.parts and step.age not in steps:
            steps[step.age] = step
            waiting += step.parts
    return [steps[age] for age in sorted(steps)]


def _premise(state: State, restrictions: Restrictions, number: int) -> str:
    cells, need = restrictions[number]
    fresh = need == state.codes[number]
    if need == 0:
        amount = "needs no mine" if fresh else "needs no more mines"
    else:
        amount = f"{'' if fresh else 'still '}needs {plural(need, 'mine')}"
    return f"The {state.name(number)} {amount} {'in' if cells.bit_count() == 1 else 'among'} {state.list(cells)}"


def _argument(state: State, restrictions: Restrictions, bound: _Bound, again: bool = False) -> str:
    """A number and what is known of parts of its cells, up to the word "so"."""
    number = bound.number
    premise = f"The {state.name(number)} again: " if again else f"{_premise(state, restrictions, number)}; "
    one = restrictions[number].need == 1
    reasons = [
        _reason(state, restrictions, part, one) for part in bound.parts if part.number >= 0 or part.side == AT_MOST
    ]
    return f"{premise}{'; '.join(reasons)}{',' if len(reasons) == 1 else ';'} so"


def _reason(state: State, restrictions: Restrictions, part: _Bound, one: bool) -> str:
    """What a part of the cells takes of the mines; and why, if a number says so directly."""
    where = state.list(part.cells)
    direct = part.number >= 0 and not part.parts
    if part.side == AT_MOST:
        if part.settled and not direct:
            return f"{where} {_be(part)}"
        amount = f"at most {part.mines}" if part.mines else "none"
        return f"{amount} of them can be in {where}{_shared(state, restrictions, part.number) if direct else ''}"
    why = _because(state, restrictions, part) if direct else ""
    if part.settled:
        return f"{where} {_be(part)}{why}"
    return f"{'it must be among' if one else f'at least {part.mines} of them must be in'} {where}{why}"


def _shared(state: State, restrictions: Restrictions, number: int) -> str:
    """Why a number has no more mines in some of its cells."""
    need = restrictions[number].need
    left = "" if need == state.codes[number] else f" ({plural(need, 'mine')} left)"
    return f", which it shares with the {state.name(number)}{left}"


def _because(state: State, restrictions: Restrictions, part: _Bound) -> str:
    """Why a number has no fewer mines in some of its cells."""
    cells, need = restrictions[part.number]
    others = (cells & ~part.cells).bit_count()
    if not others:
        return f", because the {state.name(part.number)} {state.needs(part.number)} {need} there"
    mines = f"its {need} mines" if need == state.codes[part.number] else f"{need} more mines"
    return f", because the {state.name(part.number)} has only {plural(others, 'other cell')} for {mines}"


def _conclusion(state: State, bound: _Bound, cells: Cells) -> str:
    where = state.list(cells)
    if bound.settled:
        return f"{where} {_be(bound._replace(cells=cells))}"
    amount = f"at most {bound.mines} can" if bound.side == AT_MOST else f"at least {bound.mines} must"
    return f"{amount} be in {where}"


def _be(bound: _Bound) -> str:
    one = bound.cells.bit_count() == 1
    if bound.side == AT_MOST:
        return "is safe" if one else "are safe"
    return "is a mine" if one else "are mines"


def _summary(state: State, bound: _Bound) -> str:
    names = listing([f"the {state.name(number)}" for number in bits(bound.numbers)])
    where = state.list(bound.cells)
    if bound.settled:
        return f"Together {names} mean that {where} {_be(bound)}."
    side = "at most" if bound.side == AT_MOST else "at least"
    return f"Together {names} leave {side} {plural(bound.mines, 'mine')} for {where}."
