"""Everything else that is certain, told by cases: `exhaustive`.

Idea    First one cell is looked at both ways: if it is a mine, these cells follow; if it is safe, these; what follows
        either way is certain. Where no such cell is found, the exact engine, which counts all layouts, says what is
        certain. Numbers are then taken away, large chunks first, as long as a cell stays certain, until none can be
        spared; with those that are left the cell is supposed to be otherwise, and case by case it turns out that this
        cannot be. Every case ends with a number that could not be right.
How     Cases are tried with one split first, then two, and so on, so that the argument is as short as it can be with
        consequences of single numbers (`mineproof.deduction.techniques.supposing`). Beyond `MOST_SPLITS` the cell that
        leaves the fewest cases next is taken each time, which always ends, for the numbers force the cell. More than
        `MOST_CASES` nobody would go through: then it is told in how many ways the mines can lie.
Cost    Two suppositions for each cell next to a number; then, where the engine is asked, about twice the size of the
        reason times log(numbers) counts of some microseconds, and a few hundred suppositions.
Limits  None: with this technique the ladder is complete.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from math import comb
from typing import NamedTuple

from mineproof.base.words import listing, plural
from mineproof.deduction.state import Cells, Finding, Proof, State, as_set, bits
from mineproof.deduction.techniques.supposing import (
    TOTAL,
    Rules,
    Said,
    Trial,
    numbers_of,
    path,
    supposed,
    verdict,
)
from mineproof.engine.answers import MINE, SAFE
from mineproof.engine.question import Question

MOST_SPLITS = 2  # looked for in every way; more are found greedily
MOST_CASES = 8  # told one by one
MOST_NUMBERS = 12  # named, where there are too many cases
MOST_NAMED = 6  # cells named one by one; more are counted
MOST_PROVED = 8  # cells whose proofs are held against each other


def find(state: State) -> Iterator[Finding]:
    """Cells that follow either way from one cell; if there are none, what the engine knows, with the fewest numbers."""
    found = sorted(_splits(state), key=lambda each: (len(each.numbers), not each.safe, each.chain))
    if found:
        yield from found
    else:
        yield from _refuted(state)


# either way


def _splits(state: State) -> Iterator[Finding]:
    """For every cell that decides others whether it is a mine or not: those with the shortest argument."""
    rules = Rules.of(state, deadline=state.deadline)
    for cell in sorted(rules.around):
        if found := _split(state, rules, cell):
            yield found


def _split(state: State, rules: Rules, cell: int) -> Finding | None:
    ways = rules.follow(1 << cell, 0), rules.follow(0, 1 << cell)
    if any(way.broken is not None for way in ways):
        return None
    safe, mines = ways[0].safe & ways[1].safe, ways[0].mines & ways[1].mines
    each = [(1 << target & safe, 1 << target & mines) for target in bits(safe | mines)]
    if not each:
        return None
    wanted = min(each, key=lambda target: _cost(rules, ways, target[0] | target[1]))
    numbers = _numbers(rules, ways, wanted[0] | wanted[1])
    for number in numbers:
        less = rules.only(other for other in numbers if other != number)
        fewer = less.follow(1 << cell, 0), less.follow(0, 1 << cell)
        if all(way.safe & wanted[0] | way.mines & wanted[1] for way in fewer):
            rules, ways, numbers = less, fewer, _numbers(less, fewer, wanted[0] | wanted[1])
    rules = rules.only(numbers)
    ways = rules.follow(1 << cell, 0), rules.follow(0, 1 << cell)
    safe, mines = ways[0].safe & ways[1].safe, ways[0].mines & ways[1].mines
    if wanted[0]:  # what follows in the same way is found together, safe cells apart from mines
        mines = 0
    else:
        safe = 0
    reasons = [rules.reasons(way, safe | mines) for way in ways]
    parts = [path(state, rules, way, safe | mines) for way in ways]
    told = verdict(state, safe | mines, mines=bool(mines))
    where = state.at(cell)
    text = f"If {where} is a mine, {parts[0]}. If {where} is safe, {parts[1]}. Either way {told}."
    return Finding(safe, mines, tuple(sorted(numbers)), text, chain=sum(map(len, reasons)))


def _numbers(rules: Rules, ways: tuple[Trial, Trial], wanted: Cells) -> tuple[int, ...]:
    return numbers_of([each for way in ways for each in rules.reasons(way, wanted)], None)


def _cost(rules: Rules, ways: tuple[Trial, Trial], wanted: Cells) -> tuple[int, int]:
    reasons = [each for way in ways for each in rules.reasons(way, wanted)]
    return len(numbers_of(reasons, None)), len(reasons)


# case by case


class _Case(NamedTuple):
    """Cells that are mines in this case, and cells that are safe; ``trial`` is how that fails."""

    mines: Cells
    safe: Cells
    trial: Trial


def _refuted(state: State) -> Iterator[Finding]:
    """What the engine knows to be certain, the fewest numbers first."""
    verdicts = state.engine.solve(Question.of(state.board), state.budget).verdicts()
    safe = as_set(i for i, verdict in enumerate(verdicts) if verdict == SAFE) & state.unknown
    mines = as_set(i for i, verdict in enumerate(verdicts) if verdict == MINE) & state.unknown
    everything = Proof(frozenset(state.numbers), state.total is not None)
    proofs = [
        (state.shrink(everything, 1 << cell & safe, 1 << cell & mines), cell)
        for cell in [*bits(safe), *bits(mines)][:MOST_PROVED]
    ]
    for proof, cell in sorted(proofs, key=lambda each: (len(each[0].numbers) + each[0].uses_total, each[1])):
        yield by_cases(state, proof, cell, mine=bool(mines >> cell & 1))


def by_cases(state: State, proof: Proof, cell: int, *, mine: bool) -> Finding:
    """Tell case by case why a cell is what it is, with the numbers of a proof and what is known already."""
    numbers = tuple(sorted(proof.numbers))
    rules = Rules.of(state, numbers, deadline=state.deadline)
    if proof.uses_total:
        found = _with_total(state, rules, cell, mine)
    elif cases := _few_cases(rules, cell, mine) or _greedily(rules, [_Case(0, 0, _otherwise(rules, cell, mine))]):
        found = _told(state, rules, cell, mine, cases)
    else:
        found = _ways(state, rules, cell, mine)
    decided = as_set([cell]) | found.alike
    safe, mines = (0, decided) if mine else (decided, 0)
    return Finding(safe, mines, numbers, found.text, proof.uses_total, found.chain)


def _ways(state: State, rules: Rules, cell: int, mine: bool) -> _Told:
    """Where there are too many cases: in how many ways the mines can lie, of which the cell is the same in all."""
    names = [f"the {state.name(number)}" for number in rules.said]
    more = [f"{len(names) - MOST_NUMBERS} more numbers"] if len(names) > MOST_NUMBERS + 1 else []
    told = listing([*names[:MOST_NUMBERS], *more] if more else names)
    count = sum(_arranged(rules, list(rules.said), Trial(0, 0)).values())
    verdicts = verdict(state, 1 << cell, mines=mine)
    text = f"The mines around {told} can lie in {count:,} ways, and in every one of them {verdicts}."
    return _Told(f"{text} There is no short way to see it.", count, 1 << cell)


class _Told(NamedTuple):
    """An argument in words, its length, and the cells that it holds for just as well."""

    text: str
    chain: int
    alike: Cells = 0


def _few_cases(rules: Rules, cell: int, mine: bool) -> list[_Case] | None:
    start = _otherwise(rules, cell, mine)
    found = (_refute(rules, start, _Case(0, 0, start), splits) for splits in range(MOST_SPLITS + 1))
    return next(filter(None, found), None)


def _otherwise(rules: Rules, cell: int, mine: bool) -> Trial:
    return rules.follow(0, 1 << cell) if mine else rules.follow(1 << cell, 0)


def _refute(rules: Rules, start: Trial, case: _Case, splits: int) -> list[_Case] | None:
    """The cases with at most so many splits, of those the shortest to tell; None if it takes more."""
    if case.trial.broken is not None:
        return [case]
    found = []
    for cell in _undecided(rules, case.trial) if splits else ():
        one, other = _halves(rules, case, cell)
        if splits == 1 and (one.trial.broken is None or other.trial.broken is None):
            continue
        for first in range(splits):
            left = _refute(rules, start, one, first)
            right = left and _refute(rules, start, other, splits - 1 - first)
            if left and right:
                found.append(left + right)
                break
    return min(found, key=lambda cases: _length(rules, start, cases), default=None)


def _greedily(rules: Rules, open_cases: list[_Case]) -> list[_Case] | None:
    """Cases by the cell that decides most each time; None if they become more than a person would go through."""
    failed: list[_Case] = []
    while open_cases:
        case = open_cases.pop()
        if case.trial.broken is not None:
            failed.append(case)
        else:
            halves = [_halves(rules, case, cell) for cell in _undecided(rules, case.trial)]
            open_cases += max(halves, key=_decided)[::-1]
        if len(failed) + len(open_cases) > MOST_CASES:
            return None
    return failed


def _decided(halves: tuple[_Case, _Case]) -> tuple[int, int]:
    trials = [half.trial for half in halves]
    return sum(each.broken is not None for each in trials), sum((each.mines | each.safe).bit_count() for each in trials)


def _undecided(rules: Rules, trial: Trial) -> Iterator[int]:
    decided = trial.mines | trial.safe
    return (cell for cell in rules.around if not decided >> cell & 1)


def _halves(rules: Rules, case: _Case, cell: int) -> tuple[_Case, _Case]:
    mine, safe = rules.follow(1 << cell, 0, case.trial), rules.follow(0, 1 << cell, case.trial)
    return _Case(case.mines | 1 << cell, case.safe, mine), _Case(case.mines, case.safe | 1 << cell, safe)


def _length(rules: Rules, start: Trial, cases: list[_Case]) -> int:
    return sum(len(rules.reasons(rules.follow(case.mines, case.safe, start))) + 1 for case in cases)


def _told(state: State, rules: Rules, cell: int, mine: bool, cases: list[_Case]) -> _Told:
    """The supposition, what follows at once as far as it matters, every case, and the conclusion."""
    start = _otherwise(rules, cell, mine)
    sentences, wanted, chain = [], 0, 0
    for case in cases:
        trial = rules.follow(case.mines, case.safe, start) if case.mines | case.safe else start
        reasons, traced = rules.traced(trial)  # from the start, so that no case builds on another
        wanted |= traced
        chain += len(reasons) + 1
        told = path(state, rules, trial)
        sentences.append(f"If {_condition(state, case)}, {told}." if len(cases) > 1 else f"Then {told}.")
    if len(cases) > 1 and (first := rules.reasons(start, wanted)):
        sentences.insert(0, f"Then {path(state, rules, start, wanted)}.")
        chain += len(first)
    body = " ".join(sentences)
    seen = rules.around.get(cell)
    alike = as_set(other for other, by in rules.around.items() if by == seen and state.at(other) not in body)
    alike |= 1 << cell
    text = f"Suppose {supposed(state, alike, mines=not mine)}. {body} So {verdict(state, alike, mines=mine)}."
    return _Told(text, chain, alike)


def _condition(state: State, case: _Case) -> str:
    parts = [verdict(state, cells, mines=mines) for cells, mines in ((case.mines, True), (case.safe, False)) if cells]
    return " and ".join(parts)


# with the total


class _Share(NamedTuple):
    """What some linked numbers can take of the mines that are left: bit n of ``counts`` stands for n mines."""

    numbers: tuple[int, ...]
    cells: Cells
    counts: int

    @property
    def least(self) -> int:
        return (self.counts & -self.counts).bit_length() - 1

    @property
    def most(self) -> int:
        return self.counts.bit_length() - 1


def _with_total(state: State, rules: Rules, cell: int, mine: bool) -> _Told:
    """Count what numbers elsewhere take of the mines left; what that leaves for those near the cell decides it."""
    shares, rest = _shares(state, rules, Trial(0, 0))
    home = next((share for share in shares if share.cells >> cell & 1), None)
    if home is None:
        least, most = sum(share.least for share in shares), sum(share.most for share in shares)
        if (state.mines_left or 0) == (most + rest.bit_count() if mine else least):
            return _elsewhere(state, shares, rest, mine)
    elif found := _near(state, rules, shares, rest, home, cell, mine):
        return found
    return _counted(state, rules, cell, mine)


def _elsewhere(state: State, shares: list[_Share], rest: Cells, mine: bool) -> _Told:
    """Numbers take all the mines there are, or so few that every other cell is one."""
    count = rest.bit_count()
    takes = _takes(state, shares, "least" if not mine else "most")
    end = (
        "that is all of them"
        if not mine
        else f"the other {count} must be elsewhere"
        if count > 1
        else "one is elsewhere"
    )
    where = verdict(state, rest, mines=mine)
    if count > MOST_NAMED:
        where = f"the other {count} covered cells are {'mines' if mine else 'safe'}"
    return _Told(f"{_counted_left(state)}. {takes}; {end}. So {where}.", len(shares), rest)


def _near(
    state: State, rules: Rules, shares: list[_Share], rest: Cells, home: _Share, cell: int, mine: bool
) -> _Told | None:
    """A cell decided by its numbers and by what is left for them; None if that takes many cases."""
    left, size = state.mines_left or 0, home.cells.bit_count()
    others = [share for share in shares if share is not home]
    most = left - sum(share.least for share in others)
    least = left - sum(share.most for share in others) - rest.bit_count()
    near = f"around {listing([f'the {state.name(number)}' for number in home.numbers])}"
    bounds = [("least", 0, most, 0), ("most", least, size, rest.bit_count())]
    for side, low, high, free in bounds:
        limited = rules.only(home.numbers).also(TOTAL, Said(home.cells, max(low, 0), min(high, size)))
        cases = _few_cases(limited, cell, mine)
        if not cases:
            continue
        told = _told(state, limited, cell, mine, cases)
        takes = _takes(state, others, side, free)
        bound = (
            f"at most {plural(high, 'mine')} can be" if side == "least" else f"at least {plural(low, 'mine')} must be"
        )
        lead = _counted_left(state)
        if takes:
            lead = f"{lead}. {takes}, so {bound} {near}."
        else:
            lead = f"{lead}, all {near}." if not rest else f"{lead}, so {bound} {near}."
        return _Told(f"{lead} {told.text}", told.chain + len(others), told.alike)
    return None


def _counted(state: State, rules: Rules, cell: int, mine: bool) -> _Told:
    """Suppose the cell otherwise, and count: the numbers cannot take as many mines as are left."""
    start = _otherwise(rules, cell, mine)
    shares, rest = _shares(state, rules, start)
    count_on = {number for number, said in rules.said.items() if said.cells & start.mines}
    left = (state.mines_left or 0) - start.mines.bit_count()
    least, most = sum(share.least for share in shares), sum(share.most for share in shares) + rest.bit_count()
    first = f" Then {path(state, rules, start, start.mines | start.safe)}." if start.consequences else ""
    count = f"That leaves {plural(left, 'mine')} for the other cells"
    if least > left:
        sums = f"{_takes(state, shares, 'least', more=count_on)}: at least {least} in all"
    elif most < left:
        sums = f"{_takes(state, shares, 'most', rest.bit_count(), more=count_on)}: at most {most} in all"
    else:
        sums = f"{_takes(state, shares, '', rest.bit_count(), more=count_on)}: never {left} in all"
    text = f"Suppose {supposed(state, 1 << cell, mines=not mine)}.{first} {count}. {sums}."
    chain = len(start.consequences) + len(shares)
    return _Told(f"{text} So {verdict(state, 1 << cell, mines=mine)}.", chain, 1 << cell)


def _counted_left(state: State) -> str:
    words = state.count_left()
    return words[0].upper() + words[1:]


def _takes(state: State, shares: list[_Share], side: str, rest: int = 0, more: Collection[int] = ()) -> str:
    """What groups of numbers take of the mines, at least, at most or at all; and so many cells that none touches.

    Numbers in ``more`` have one supposed mine already.
    """
    parts = []
    for share in shares:
        names = listing([f"the {state.name(number)}" for number in share.numbers])
        takes = "takes" if len(share.numbers) == 1 else "together take"
        if share.least == share.most:
            amount = str(share.least)
        elif side:
            amount = f"at least {share.least}" if side == "least" else f"at most {share.most}"
        else:
            amount = listing([str(count) for count in bits(share.counts)], "or")
        parts.append(f"{names} {takes} {amount}{' more' if set(share.numbers) & set(more) else ''}")
    if rest:
        parts.append(f"the {'other covered cell' if rest == 1 else f'{rest} other covered cells'} can take {rest}")
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def _shares(state: State, rules: Rules, trial: Trial) -> tuple[list[_Share], Cells]:
    """What linked numbers can take of the mines left after a trial, and the cells that no number touches."""
    decided = trial.mines | trial.safe
    rest = state.unknown & ~decided & ~as_set(rules.around)
    groups: list[tuple[Cells, list[int]]] = []
    for number, said in rules.said.items():
        cells, members = said.cells & ~decided, [number]
        if cells:
            for group in [group for group in groups if group[0] & cells]:
                groups.remove(group)
                cells, members = cells | group[0], members + group[1]
            groups.append((cells, members))
    return [_Share(tuple(sorted(members)), cells, _counts(rules, members, trial)) for cells, members in groups], rest


def _counts(rules: Rules, numbers: list[int], trial: Trial) -> int:
    """Every number of mines with which linked numbers can be satisfied, as bits."""
    return as_set(_arranged(rules, numbers, trial))


def _arranged(rules: Rules, numbers: list[int], trial: Trial) -> dict[int, int]:
    """In how many ways linked numbers can be satisfied, by mines; box by box of cells that the same numbers see."""
    decided = trial.mines | trial.safe
    boxes: dict[tuple[int, ...], int] = {}
    for cell, seen_by in rules.around.items():
        if not decided >> cell & 1 and seen_by[0] in numbers:
            boxes[tuple(seen_by)] = boxes.get(tuple(seen_by), 0) + 1
    needs = tuple(rules.said[number].most - (rules.said[number].cells & trial.mines).bit_count() for number in numbers)
    ways: dict[tuple[int, ...], dict[int, int]] = {needs: {0: 1}}
    for box, size in boxes.items():
        rules.check()
        inside = [number in box for number in numbers]
        after: dict[tuple[int, ...], dict[int, int]] = {}
        for left, counts in ways.items():
            for mines in range(min(size, *(need for need, within in zip(left, inside, strict=True) if within)) + 1):
                key = tuple(need - mines * within for need, within in zip(left, inside, strict=True))
                merged = after.setdefault(key, {})
                for count, times in counts.items():
                    merged[count + mines] = merged.get(count + mines, 0) + times * comb(size, mines)
        # A number whose last box is done must have all its mines.
        waiting = set(chain.from_iterable(list(boxes)[list(boxes).index(box) + 1 :]))
        over = [place for place, number in enumerate(numbers) if number not in waiting]
        ways = {key: counts for key, counts in after.items() if not any(key[place] for place in over)}
    return ways.get((0,) * len(numbers), {})
