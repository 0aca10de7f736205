"""The counting engine in plain Python: the readable specification of the kernel, and its second opinion.

The idea
    A mine probability is a quotient of two counts: the layouts that fit and have a mine there, and all that fit.
    There are far too many to list, but they can be counted as paths. Go through the covered cells one after the
    other and choose "mine" or "free" for each. All that the past can tell the future is what each half-finished
    number (some of its cells chosen, some not) still needs, so choices that leave the same needs are merged into
    one state, and each state remembers how many ways lead to it with how many mines. One pass from the front counts
    the ways into each state, one from the back the ways from it to the end; the product of the two, over all states
    around a choice, counts the layouts that contain the choice.

    1. *Read*: a number gives a constraint, the covered cells around it and the mines it still needs.
    2. *Reduce*: when the cells of constraint A all belong to B, B is replaced by the rest of B with the difference
       of the needs. A constraint that needs none or all of its cells falls apart into single cells. To the end.
    3. *Condense*: cells in the same constraints form a box. Only the number of mines in it matters, and k mines
       among s cells stand for C(s, k) arrangements.
    4. *Sweep*: constraints linked by boxes form a component; paths are counted per component, box by box.
    5. *Combine*: components meet only in the total. The ways of all others to take what one component leaves come
       from products over those before and those after it; the sea, the cells no number sees, takes r in C(n, r).

Cost
    States grow exponentially with the numbers half-finished at once, and with nothing else. The order of the boxes
    decides how many that are: numbers are finished one by one, next the one that begins the fewest others, and the
    best of a few starts is taken. Games have half a dozen such numbers at a time, seldom twice that; boards can be
    built that have more, as the problem is NP-complete. The budget counts each state once forward, once backward.

Variants not taken
    Listing the arrangements of a component: simpler still, but the ways multiply along a long coast. Sweeping by
    rows or columns, as minesolver does: the half-finished numbers grow with the width of the board. Eliminating
    numbers along a tree copes with wider boards; the kernel does so, and it should not be checked by its own method.
    Packing the ways by mine count into one long integer, to add and multiply them at once: half as quick on wide
    boards, as the counts of a state are few and near each other. Counting in floating point: quick, but what is
    certain must not rest on rounding.

Source
    The graph of merged states counted from both ends, the sea by binomials: minesolver's document. Boxes: minesweepr.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, Meter
from mineproof.base.words import at
from mineproof.board.cells import ABSENT, COVERED, FLAGGED
from mineproof.board.geometry import Geometry
from mineproof.engine.answers import MINE, NOT_IN_QUESTION, SAFE, UNDECIDED
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError
from mineproof.wording.clauses import NumberAt
from mineproof.wording.contradictions import Contradiction

STARTS = 12  # orders tried per component; on wide ones the best has half the states of the first

Cells = frozenset[int]
Constraints = dict[Cells, int]  # cells → how many of them are mines
Tally = dict[int, int]  # mines → ways to place them
State = tuple[int, ...]  # what each number of a component still needs: the unfinished ones tell states apart
Layer = dict[State, Tally]  # the states between two boxes, with the ways to each or from each


@dataclass(frozen=True, slots=True)
class ReferenceCount:
    """What the consistent layouts say about each cell.

    ``chances`` holds the exact mine probability of covered and flagged cells and None elsewhere. Without odds
    (neither total nor density known) only its zeros and ones mean anything. ``states`` counts the work.
    """

    question: Question
    states: int
    count: int
    chances: tuple[Fraction | None, ...]

    def layouts(self, budget: Budget | None = None) -> int:
        """Return the number of consistent layouts, over all totals if none is given."""
        return self.count

    def log10_layouts(self) -> float:
        return math.log10(self.count)

    def verdicts(self) -> bytes:
        """Return `NOT_IN_QUESTION`, `UNDECIDED`, `SAFE` or `MINE` for each cell; flags are not in question."""
        certain = {Fraction(0): SAFE, Fraction(1): MINE}
        return bytes(
            certain.get(chance, UNDECIDED) if code == COVERED & 0xFF and chance is not None else NOT_IN_QUESTION
            for code, chance in zip(self.question.codes, self.chances, strict=True)
        )

    def mine_probability(self) -> npt.NDArray[np.float64]:
        """Return one value for each cell; NaN where `exact` would raise."""
        values = (math.nan if chance is None or self._has_no_odds(chance) else float(chance) for chance in self.chances)
        return np.fromiter(values, dtype=np.float64, count=len(self.chances))

    def exact(self, index: int) -> Fraction:
        """Return the mine probability of a covered or flagged cell."""
        chance = self.chances[index]
        cell = at(divmod(index, self.question.geometry.columns))
        if chance is None:
            raise ValueError(f"Cell {cell} is not covered, so it has no mine probability.")
        if self._has_no_odds(chance):
            raise ValueError(f"Cell {cell} is undecided. Pass the total number of mines or a density.")
        return chance

    def _has_no_odds(self, chance: Fraction) -> bool:
        has_odds = self.question.total_mines is not None or self.question.density is not None
        return not has_odds and 0 < chance < 1


def solve(question: Question, budget: Budget) -> ReferenceCount:
    """Count the consistent layouts; flags are mines. With a known total, the density is ignored.

    Raises ContradictionError if no layout is consistent, and BudgetExceeded if the budget is spent.
    """
    geometry, codes, total_mines, density = question
    if density is not None and not 0 < density < 1:
        raise ValueError(f"density must be more than 0 and less than 1, got {density}")
    meter = Meter(budget)
    shown = np.frombuffer(codes, dtype=np.int8).tolist()
    numbers = _read_numbers(geometry, shown)
    try:
        constraints = _reduce(_gather(numbers.values()))
        parts = [_sweep(linked, constraints, meter) for linked in _components(constraints)]
    except _NoFit as problem:
        raise _unsatisfiable(geometry, numbers, problem.cells) from None
    chances = {cell: Fraction(mines) for cells, mines in constraints.items() if len(cells) == 1 for cell in cells}
    chances.update((index, Fraction(1)) for index, code in enumerate(shown) if code == FLAGGED)
    sea = shown.count(COVERED) - len({cell for cells, _ in numbers.values() for cell in cells})
    placed = int(sum(chances.values()))
    mix = _by_density(parts, sea, density) if total_mines is None else _by_total(parts, sea, placed, total_mines)
    for part, weights in zip(parts, mix.weights, strict=True):
        chances.update(_box_chances(part, weights))
    by_cell = tuple(chances.get(index, mix.sea if code == COVERED else None) for index, code in enumerate(shown))
    return ReferenceCount(question, meter.states, mix.layouts, by_cell)


def sample(question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
    """Draw layouts uniformly (by density without a total); return the mines of each as cell indices, ascending.

    Draws cell by cell: a mine with its exact chance, given the choices so far.
    """
    return [_draw_layout(question, random.Random(f"{seed}/{number}"), budget) for number in numbers]


def _draw_layout(question: Question, rng: random.Random, budget: Budget) -> list[int]:
    chosen = bytearray(question.codes)
    density = question.density or Fraction(1, 2)  # without any, all layouts weigh the same
    while True:
        counted = solve(question._replace(codes=bytes(chosen), density=density), budget)
        verdicts = counted.verdicts()
        index = verdicts.find(UNDECIDED)
        if index < 0:
            return [i for i, code in enumerate(chosen) if code == FLAGGED & 0xFF or verdicts[i] == MINE]
        chance = counted.exact(index)
        mined = rng.randrange(chance.denominator) < chance.numerator
        chosen[index] = (FLAGGED if mined else ABSENT) & 0xFF


# Read


def _read_numbers(geometry: Geometry, shown: Sequence[int]) -> dict[int, tuple[Cells, int]]:
    """Return each open number with its covered cells and the mines it still needs."""
    numbers = {}
    for index, number in enumerate(shown):
        if number < 0:
            continue
        around = geometry.neighbours(index)
        flags = sum(shown[other] == FLAGGED for other in around)
        cells = frozenset(other for other in around if shown[other] == COVERED)
        if not flags <= number <= flags + len(cells):
            cell = divmod(index, geometry.columns)
            raise ContradictionError(Contradiction((NumberAt(cell, number),), flags, len(cells)), [cell])
        if cells:
            numbers[index] = cells, number - flags
    return numbers


class _NoFit(Exception):
    """Some constraints that these cells are part of cannot hold together."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells


def _unsatisfiable(geometry: Geometry, numbers: dict[int, tuple[Cells, int]], cells: Cells) -> ContradictionError:
    """Return the error that names every number linked to some cells, directly or indirectly."""
    reach = set(cells)
    while grown := [own for own, _ in numbers.values() if not reach.isdisjoint(own) and not reach.issuperset(own)]:
        reach.update(*grown)
    linked = [divmod(index, geometry.columns) for index, (own, _) in numbers.items() if not reach.isdisjoint(own)]
    return ContradictionError(
        f"The {len(linked)} linked numbers that start at {at(linked[0])} contradict each other.", linked
    )


# Reduce


def _gather(pieces: Iterable[tuple[Cells, int]]) -> Constraints:
    constraints: Constraints = {}
    for cells, need in pieces:
        if constraints.setdefault(cells, need) != need:
            raise _NoFit(cells)
    return constraints


def _reduce(constraints: Constraints) -> Constraints:
    """Return constraints with the same solutions, none of which contains another."""
    while True:
        within = _by_cell(constraints)
        tighter = _gather(piece for cells in constraints for piece in _pieces(cells, constraints, within))
        if tighter == constraints:
            return constraints
        constraints = tighter


def _pieces(cells: Cells, constraints: Constraints, within: dict[int, list[Cells]]) -> Iterator[tuple[Cells, int]]:
    """Yield what is left of a constraint without those it contains.

    All constraints can be cut at the same time: those cut away are smaller, so the old ones can be restored in the
    order of their sizes, and nothing is lost.
    """
    rest, need = cells, constraints[cells]
    for part in dict.fromkeys(other for cell in sorted(cells) for other in within[cell]):
        if part <= rest and part != cells:
            rest, need = rest - part, need - constraints[part]
    if not 0 <= need <= len(rest):
        raise _NoFit(cells)
    if need in (0, len(rest)):
        yield from ((frozenset([cell]), int(need > 0)) for cell in sorted(rest))
    else:
        yield rest, need


def _by_cell(constraints: Iterable[Cells]) -> dict[int, list[Cells]]:
    within: dict[int, list[Cells]] = defaultdict(list)
    for cells in constraints:
        for cell in cells:
            within[cell].append(cells)
    return within


# Condense


@dataclass(frozen=True, slots=True)
class _Box:
    cells: tuple[int, ...]
    numbers: tuple[int, ...]  # places of the constraints that contain these cells, in their component


def _components(constraints: Constraints) -> Iterator[list[Cells]]:
    """Yield constraints linked by shared cells; those of a single cell are answers already."""
    within = _by_cell(constraints)
    left = {cells for cells in constraints if len(cells) > 1}
    for first in constraints:
        linked = [first] if first in left else []
        left.discard(first)
        for cells in linked:  # grows during the loop
            reached = {other for cell in cells for other in within[cell]} & left
            linked += sorted(reached, key=sorted)
            left -= reached
        if linked:
            yield linked


def _condense(linked: Sequence[Cells]) -> list[_Box]:
    numbers: dict[int, list[int]] = defaultdict(list)
    for place, cells in enumerate(linked):
        for cell in sorted(cells):
            numbers[cell].append(place)
    boxes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, places in numbers.items():
        boxes[tuple(places)].append(cell)
    return [_Box(tuple(cells), places) for places, cells in boxes.items()]


# Sweep


@dataclass(frozen=True, slots=True)
class _Step:
    """One box of a sweep, and how it turns a state before it into states after it."""

    box: _Box
    room: tuple[int, ...]  # per number of the box, how many of its cells come after this box
    width: int  # numbers half-finished after this box

    def successors(self, state: State) -> Iterator[tuple[int, State]]:
        """Yield the numbers of mines in this box that all numbers allow, each with the next state."""
        needs = [state[number] for number in self.box.numbers]
        fewest = max(0, *(need - room for need, room in zip(needs, self.room, strict=True)))
        for mines in range(fewest, min(len(self.box.cells), *needs) + 1):
            after = list(state)
            for number in self.box.numbers:
                after[number] -= mines
            yield mines, tuple(after)


def _plan(boxes: Sequence[_Box], numbers: int) -> list[_Step]:
    """Return the cheapest sweep from several starts, if each half-finished number doubles the states."""
    starts = range(0, numbers, -(-numbers // STARTS))
    plans = (_finish_numbers(boxes, numbers, start) for start in starts)
    return min(plans, key=lambda steps: sum(2**step.width for step in steps))


def _finish_numbers(boxes: Sequence[_Box], numbers: int, start: int) -> list[_Step]:
    """Return a sweep that finishes number after number, always next the one that begins the fewest others."""
    waiting = [{box for box in boxes if number in box.numbers} for number in range(numbers)]
    half = {start}
    steps = []

    def begins(boxes: Iterable[_Box]) -> int:
        return len({number for box in boxes for number in box.numbers} - half)

    while half:
        chosen = min(half, key=lambda number: (begins(waiting[number]), len(waiting[number]), number))
        for box in sorted(waiting[chosen], key=lambda box: (begins([box]), box.numbers)):
            for number in box.numbers:
                waiting[number].remove(box)
            half = {number for number in half.union(box.numbers) if waiting[number]}
            room = tuple(sum(len(other.cells) for other in waiting[number]) for number in box.numbers)
            steps.append(_Step(box, room, len(half)))
    return steps


@dataclass(frozen=True, slots=True)
class _ComponentPart:
    """A component counted: its layouts by mines, and for each box those with a mine in a given one of its cells."""

    ways: Tally
    mined: list[tuple[_Box, Tally]]


def _sweep(linked: Sequence[Cells], constraints: Constraints, meter: Meter) -> _ComponentPart:
    steps = _plan(_condense(linked), len(linked))
    layers: list[Layer] = [{tuple(constraints[cells] for cells in linked): {0: 1}}]
    for step in steps:
        layers.append(_forward(step, layers[-1], meter))
    finished = (0,) * len(linked)
    ways = layers.pop().get(finished)
    if not ways:
        raise _NoFit(linked[0])
    finish: Layer = {finished: {0: 1}}
    mined = []
    for step in reversed(steps):
        finish, through = _backward(step, layers.pop(), finish, meter)
        mined.append((step.box, through))
    return _ComponentPart(ways, mined)


def _forward(step: _Step, layer: Layer, meter: Meter) -> Layer:
    """Return the states after a box with the ways that lead to each."""
    size = len(step.box.cells)
    ahead: Layer = defaultdict(lambda: defaultdict(int))
    for state, ways in layer.items():
        meter.spend(1, step.width)
        for mines, after in step.successors(state):
            _pour(ahead[after], ways, mines, math.comb(size, mines))
    return ahead


def _backward(step: _Step, layer: Layer, finish: Layer, meter: Meter) -> tuple[Layer, Tally]:
    """Return the ways to the end from each state before a box, and all layouts with a mine in a given cell of it."""
    size = len(step.box.cells)
    before: Layer = defaultdict(lambda: defaultdict(int))
    mined: Layer = defaultdict(lambda: defaultdict(int))
    for state, ways in layer.items():
        meter.spend(1, step.width)
        for mines, after in step.successors(state):
            if after in finish:
                _pour(before[state], finish[after], mines, math.comb(size, mines))
                if mines:
                    _pour(mined[after], ways, mines, math.comb(size - 1, mines - 1))
    through: Tally = defaultdict(int)
    for after, ways in mined.items():
        _pour(through, _times(ways, finish[after]))
    return before, through


def _pour(target: Tally, ways: Tally, mines: int = 0, arrangements: int = 1) -> None:
    """Add ways that are followed by a box with ``mines`` mines in one of ``arrangements``."""
    for before, count in ways.items():
        target[before + mines] += count * arrangements


# Combine


@dataclass(frozen=True, slots=True)
class _Mix:
    """How many layouts fit, what a layout of each part weighs by its mines, and the chance of a cell of the sea."""

    layouts: int
    weights: list[Tally]
    sea: Fraction


def _by_total(parts: Sequence[_ComponentPart], sea: int, placed: int, total: int) -> _Mix:
    """A layout of a part weighs as much as the rest of the board has ways to take the mines it leaves over."""
    left = total - placed
    ways = [part.ways for part in parts]
    before = list(accumulate(ways, _times, initial={0: 1}))
    frontier = before.pop()
    rest = {left - mines: math.comb(sea, left - mines) for mines in frontier if 0 <= left - mines <= sea}
    layouts = sum(frontier[left - mines] * ways for mines, ways in rest.items())
    if not layouts:
        fewest, most = placed + min(frontier), placed + max(frontier) + sea
        reason = Contradiction(total=total, totals=(fewest, most))
        raise ContradictionError(reason, uses_total=True, totals=(fewest, most))
    behind = list(accumulate(reversed(ways), _times, initial=rest))[-2::-1]
    weights = [
        {mines: sum(count * last.get(left - mines - other, 0) for other, count in first.items()) for mines in part}
        for part, first, last in zip(ways, before, behind, strict=True)
    ]
    in_sea = sum(mines * ways * frontier[left - mines] for mines, ways in rest.items())
    return _Mix(layouts, weights, Fraction(in_sea, max(1, sea) * layouts))


def _by_density(parts: Sequence[_ComponentPart], sea: int, density: Fraction | None) -> _Mix:
    """Parts do not depend on each other; a layout weighs (p / (1 - p)) ** mines, here times a whole power of 1 - p."""
    chance = Fraction(1, 2) if density is None else density  # with even chances all layouts weigh the same
    mine, free = chance.numerator, chance.denominator - chance.numerator
    weights = [{mines: mine**mines * free ** (max(part.ways) - mines) for mines in part.ways} for part in parts]
    layouts = math.prod(sum(part.ways.values()) for part in parts) << sea
    return _Mix(layouts, weights, chance)


def _times(first: Tally, second: Tally) -> Tally:
    product: Tally = defaultdict(int)
    for mines, ways in first.items():
        for more, others in second.items():
            product[mines + more] += ways * others
    return product


def _box_chances(part: _ComponentPart, weights: Tally) -> Iterator[tuple[int, Fraction]]:
    whole = sum(ways * weights[mines] for mines, ways in part.ways.items())
    for box, mined in part.mined:
        chance = Fraction(sum(ways * weights[mines] for mines, ways in mined.items()), whole)
        yield from ((cell, chance) for cell in box.cells)
