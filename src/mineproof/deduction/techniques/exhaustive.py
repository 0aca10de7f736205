"""Checking all cases, which finds everything else that is certain: `exhaustive`.

Idea    First each cell is tried both ways: some cells follow if it is a mine, some if it is safe, and those that follow
        both times are certain. If no cell helps, the exact engine, which counts all layouts, says what is certain.
        Numbers are then removed, large chunks first, as long as the cell stays certain, until none can be left out.
        With the remaining numbers the opposite is supposed, and every case ends with a number that cannot be satisfied.
How     Cases are tried with one split first, then two, and so on, so that the argument is as short as it can be with
        consequences of single numbers (`supposition`). Beyond `MAX_SPLITS`, the cell that leaves the fewest cases is
        split each time, which always ends because the numbers force the cell. An argument with more than `MAX_CASES`
        cases would be too long to read: it then says in how many ways the mines can be placed.
Cost    Two suppositions for each cell next to a number. Where the engine is used, about twice the size of the proof
        times log(numbers) counts of some microseconds, and a few hundred suppositions.
Limits  None: with this technique the ladder is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import comb
from typing import NamedTuple

from mineproof.deduction.state import Cells, Finding, Proof, State, as_set, bits
from mineproof.deduction.technique import Technique
from mineproof.deduction.techniques.supposition import TOTAL, Limits, NumberRules, Trial, follow_up, numbers_of, suppose
from mineproof.engine.answers import MINE, SAFE
from mineproof.engine.question import Question
from mineproof.wording.clauses import ARGUMENT, CASE, Clause

MAX_SPLITS = 2  # tried in every way; more are found greedily
MAX_CASES = 8  # of an argument that lists them
MAX_NAMED_CELLS = 6  # of a conclusion about the mine count; more are counted
MAX_COMPARED_PROOFS = 8  # of which the shortest is taken


def find(state: State) -> Iterator[Finding]:
    """Find cells that follow from both states of one cell; if there are none, ask the engine."""
    findings = sorted(_splits(state), key=lambda finding: (len(finding.numbers), not finding.safe, finding.chain))
    if findings:
        yield from findings
    else:
        yield from _proved_by_engine(state)


# both states of one cell


def _splits(state: State) -> Iterator[Finding]:
    """Find, for every cell that decides others in both states, those with the shortest argument."""
    rules = NumberRules.of(state, deadline=state.deadline)
    for cell in sorted(rules.around):
        if finding := _split(state, rules, cell):
            yield finding


def _split(state: State, rules: NumberRules, cell: int) -> Finding | None:
    ways = rules.follow(1 << cell, 0), rules.follow(0, 1 << cell)
    if any(way.broken is not None for way in ways):
        return None
    safe, mines = ways[0].safe & ways[1].safe, ways[0].mines & ways[1].mines
    candidates = [(1 << cell & safe, 1 << cell & mines) for cell in bits(safe | mines)]
    if not candidates:
        return None
    target = min(candidates, key=lambda candidate: _cost(rules, ways, candidate[0] | candidate[1]))
    numbers = _numbers(rules, ways, target[0] | target[1])
    for number in numbers:
        fewer = rules.only(other for other in numbers if other != number)
        shorter = fewer.follow(1 << cell, 0), fewer.follow(0, 1 << cell)
        if all(way.safe & target[0] | way.mines & target[1] for way in shorter):
            rules, ways, numbers = fewer, shorter, _numbers(fewer, shorter, target[0] | target[1])
    rules = rules.only(numbers)
    ways = rules.follow(1 << cell, 0), rules.follow(0, 1 << cell)
    safe, mines = ways[0].safe & ways[1].safe, ways[0].mines & ways[1].mines
    if target[0]:  # cells with the same argument are one finding, safe cells apart from mines
        mines = 0
    else:
        safe = 0
    chains = [follow_up(state, rules, way, safe | mines) for way in ways]
    cases = [
        Clause(CASE, count=place, parts=(state.safe_or_mines("if", 1 << cell, mines=place == 1), *chain))
        for place, chain in enumerate(chains, 1)
    ]
    conclusion = state.safe_or_mines("both-cases", safe | mines, mines=bool(mines))
    argument = Clause(ARGUMENT, parts=(*cases, conclusion))
    return Finding(safe, mines, tuple(sorted(numbers)), argument, chain=sum(map(len, chains)))


def _numbers(rules: NumberRules, ways: tuple[Trial, Trial], targets: Cells) -> tuple[int, ...]:
    return numbers_of([reason for way in ways for reason in rules.reasons(way, targets)], None)


def _cost(rules: NumberRules, ways: tuple[Trial, Trial], targets: Cells) -> tuple[int, int]:
    reasons = [reason for way in ways for reason in rules.reasons(way, targets)]
    return len(numbers_of(reasons, None)), len(reasons)


# case by case


class _Case(NamedTuple):
    """Cells that are mines in this case, and cells that are safe; ``trial`` shows how that fails."""

    mines: Cells
    safe: Cells
    trial: Trial


def _proved_by_engine(state: State) -> Iterator[Finding]:
    """Find what the engine knows to be certain, the fewest numbers first."""
    verdicts = state.engine.solve(Question.of(state.board), state.budget).verdicts()
    safe = as_set(i for i, verdict in enumerate(verdicts) if verdict == SAFE) & state.unknown
    mines = as_set(i for i, verdict in enumerate(verdicts) if verdict == MINE) & state.unknown
    everything = Proof(frozenset(state.numbers), state.total is not None)
    proofs = [
        (state.shrink(everything, 1 << cell & safe, 1 << cell & mines), cell)
        for cell in [*bits(safe), *bits(mines)][:MAX_COMPARED_PROOFS]
    ]
    for proof, cell in sorted(proofs, key=lambda pair: (len(pair[0].numbers) + pair[0].uses_total, pair[1])):
        yield by_cases(state, proof, cell, mine=bool(mines >> cell & 1))


def by_cases(state: State, proof: Proof, cell: int, *, mine: bool) -> Finding:
    """Argue case by case why a cell is safe or a mine, with the numbers of a proof and the known cells."""
    numbers = tuple(sorted(proof.numbers))
    rules = NumberRules.of(state, numbers, deadline=state.deadline)
    if proof.uses_total:
        reasoning = _with_total(state, rules, cell, mine)
    elif cases := _few_cases(rules, cell, mine) or _greedy_cases(rules, [_Case(0, 0, _opposite(rules, cell, mine))]):
        reasoning = _refute_cases(state, rules, cell, mine, cases)
    else:
        reasoning = _count_ways(state, rules, cell, mine)
    decided = as_set([cell]) | reasoning.alike
    safe, mines = (0, decided) if mine else (decided, 0)
    argument = Clause(ARGUMENT, parts=tuple(reasoning.clauses))
    return Finding(safe, mines, numbers, argument, proof.uses_total, reasoning.chain)


class _Reasoning(NamedTuple):
    """The clauses of an argument, its length, and the cells it holds for equally."""

    clauses: list[Clause]
    chain: int
    alike: Cells = 0


def _count_ways(state: State, rules: NumberRules, cell: int, mine: bool) -> _Reasoning:
    """Count in how many ways the mines can be placed, if there are too many cases. The cell is the same in all."""
    count = sum(_arrangements(rules, list(rules.limits), Trial(0, 0)).values())
    clauses = [
        Clause("ways", numbers=state.number_list(rules.limits), count=count),
        state.safe_or_mines("every-way", 1 << cell, mines=mine),
        Clause("no-short-argument"),
    ]
    return _Reasoning(clauses, count, 1 << cell)


def _few_cases(rules: NumberRules, cell: int, mine: bool) -> list[_Case] | None:
    start = _opposite(rules, cell, mine)
    attempts = (_refute(rules, start, _Case(0, 0, start), splits) for splits in range(MAX_SPLITS + 1))
    return next(filter(None, attempts), None)


def _opposite(rules: NumberRules, cell: int, mine: bool) -> Trial:
    return rules.follow(0, 1 << cell) if mine else rules.follow(1 << cell, 0)


def _refute(rules: NumberRules, start: Trial, case: _Case, splits: int) -> list[_Case] | None:
    """Return the shortest list of cases with at most this many splits; None if it takes more."""
    if case.trial.broken is not None:
        return [case]
    refutations = []
    for cell in _undecided_cells(rules, case.trial) if splits else ():
        one, other = _halves(rules, case, cell)
        if splits == 1 and (one.trial.broken is None or other.trial.broken is None):
            continue
        for first in range(splits):
            left = _refute(rules, start, one, first)
            right = left and _refute(rules, start, other, splits - 1 - first)
            if left and right:
                refutations.append(left + right)
                break
    return min(refutations, key=lambda cases: _length(rules, start, cases), default=None)


def _greedy_cases(rules: NumberRules, open_cases: list[_Case]) -> list[_Case] | None:
    """Split by the cell that decides most each time; None if there are more than `MAX_CASES` cases."""
    failed: list[_Case] = []
    while open_cases:
        case = open_cases.pop()
        if case.trial.broken is not None:
            failed.append(case)
        else:
            halves = [_halves(rules, case, cell) for cell in _undecided_cells(rules, case.trial)]
            open_cases += max(halves, key=_decided_cells)[::-1]
        if len(failed) + len(open_cases) > MAX_CASES:
            return None
    return failed


def _decided_cells(halves: tuple[_Case, _Case]) -> tuple[int, int]:
    trials = [half.trial for half in halves]
    decided = sum((trial.mines | trial.safe).bit_count() for trial in trials)
    return sum(trial.broken is not None for trial in trials), decided


def _undecided_cells(rules: NumberRules, trial: Trial) -> Iterator[int]:
    decided = trial.mines | trial.safe
    return (cell for cell in rules.around if not decided >> cell & 1)


def _halves(rules: NumberRules, case: _Case, cell: int) -> tuple[_Case, _Case]:
    mine, safe = rules.follow(1 << cell, 0, case.trial), rules.follow(0, 1 << cell, case.trial)
    return _Case(case.mines | 1 << cell, case.safe, mine), _Case(case.mines, case.safe | 1 << cell, safe)


def _length(rules: NumberRules, start: Trial, cases: list[_Case]) -> int:
    return sum(len(rules.reasons(rules.follow(case.mines, case.safe, start))) + 1 for case in cases)


def _refute_cases(state: State, rules: NumberRules, cell: int, mine: bool, cases: list[_Case]) -> _Reasoning:
    """The supposition, what follows at once as far as it matters, every case, and the conclusion."""
    start = _opposite(rules, cell, mine)
    clauses: list[Clause] = []
    targets = chain = 0
    for place, case in enumerate(cases, 1):
        trial = rules.follow(case.mines, case.safe, start) if case.mines | case.safe else start
        reasons, traced = rules.trace(trial)  # from the start, so that no case builds on another
        targets |= traced
        chain += len(reasons) + 1
        follows = follow_up(state, rules, trial)
        if len(cases) > 1:
            clauses.append(Clause(CASE, count=place, parts=(*_assumptions(state, case), *follows)))
        else:
            clauses += follows
    if len(cases) > 1:
        first = follow_up(state, rules, start, targets)
        clauses = first + clauses
        chain += len(first)
    touching = rules.around.get(cell)
    named = {place for clause in clauses for part in clause.walk() for place in part.cells}
    alike = as_set(
        other for other, numbers in rules.around.items() if numbers == touching and state.board.cell(other) not in named
    )
    alike |= 1 << cell
    lead, end = suppose(state, alike, mines=not mine), state.safe_or_mines("so", alike, mines=mine)
    return _Reasoning([lead, *clauses, end], chain, alike)


def _assumptions(state: State, case: _Case) -> list[Clause]:
    return [
        state.safe_or_mines("if", cells, mines=mines)
        for cells, mines in ((case.mines, True), (case.safe, False))
        if cells
    ]


# with the total


class _Share(NamedTuple):
    """How many of the mines left some linked numbers can take: bit n of ``counts`` stands for n mines."""

    numbers: tuple[int, ...]
    cells: Cells
    counts: int

    @property
    def least(self) -> int:
        return (self.counts & -self.counts).bit_length() - 1

    @property
    def most(self) -> int:
        return self.counts.bit_length() - 1


def _with_total(state: State, rules: NumberRules, cell: int, mine: bool) -> _Reasoning:
    """Count what numbers elsewhere take of the mines left; the rest decides the cells near this one."""
    shares, rest = _shares(state, rules, Trial(0, 0))
    home = next((share for share in shares if share.cells >> cell & 1), None)
    if home is None:
        least, most = sum(share.least for share in shares), sum(share.most for share in shares)
        if (state.mines_left or 0) == (most + rest.bit_count() if mine else least):
            return _count_elsewhere(state, shares, rest, mine)
    elif reasoning := _count_near(state, rules, shares, rest, home, cell, mine):
        return reasoning
    return _count_after_supposing(state, rules, cell, mine)


def _count_elsewhere(state: State, shares: list[_Share], rest: Cells, mine: bool) -> _Reasoning:
    """Numbers take all the mines left, or so few that every other cell is a mine."""
    count = rest.bit_count()
    clauses = [
        state.count_left(),
        *_takes(state, shares, "least" if not mine else "most"),
        Clause("mines-elsewhere", count=count) if mine else Clause("all-used"),
        state.safe_or_mines("so", rest, mines=mine, count=count if count > MAX_NAMED_CELLS else None),
    ]
    return _Reasoning(clauses, len(shares), rest)


def _count_near(
    state: State, rules: NumberRules, shares: list[_Share], rest: Cells, home: _Share, cell: int, mine: bool
) -> _Reasoning | None:
    """Decide a cell by its numbers and by the mines left for them; None if that takes many cases."""
    left, size = state.mines_left or 0, home.cells.bit_count()
    others = [share for share in shares if share is not home]
    most = left - sum(share.least for share in others)
    least = left - sum(share.most for share in others) - rest.bit_count()
    numbers = state.number_list(home.numbers)
    bounds = [("least", 0, most, 0), ("most", least, size, rest.bit_count())]
    for side, low, high, free in bounds:
        limited = rules.only(home.numbers).also(TOTAL, Limits(home.cells, max(low, 0), min(high, size)))
        cases = _few_cases(limited, cell, mine)
        if not cases:
            continue
        reasoning = _refute_cases(state, limited, cell, mine, cases)
        takes = _takes(state, others, side, free)
        if not takes and not rest:
            bound = Clause("all-around", numbers=numbers)
        elif side == "least":
            bound = Clause("around-at-most", numbers=numbers, count=high)
        else:
            bound = Clause("around-at-least", numbers=numbers, count=low)
        clauses = [state.count_left(), *takes, bound, *reasoning.clauses]
        return _Reasoning(clauses, reasoning.chain + len(others), reasoning.alike)
    return None


def _count_after_supposing(state: State, rules: NumberRules, cell: int, mine: bool) -> _Reasoning:
    """Suppose the opposite, and count: the numbers cannot take as many mines as are left."""
    start = _opposite(rules, cell, mine)
    shares, rest = _shares(state, rules, start)
    left = (state.mines_left or 0) - start.mines.bit_count()
    least, most = sum(share.least for share in shares), sum(share.most for share in shares) + rest.bit_count()
    if least > left:
        sums = [*_takes(state, shares, "least"), Clause("sum-at-least", count=least)]
    elif most < left:
        sums = [*_takes(state, shares, "most", rest.bit_count()), Clause("sum-at-most", count=most)]
    else:
        sums = [*_takes(state, shares, "", rest.bit_count()), Clause("sum-never", count=left)]
    clauses = [
        suppose(state, 1 << cell, mines=not mine),
        *(follow_up(state, rules, start, start.mines | start.safe) if start.consequences else []),
        Clause("leaves-mines", count=left),
        *sums,
        state.safe_or_mines("so", 1 << cell, mines=mine),
    ]
    return _Reasoning(clauses, len(start.consequences) + len(shares), 1 << cell)


def _takes(state: State, shares: list[_Share], side: str, rest: int = 0) -> list[Clause]:
    """How many mines groups of numbers take, at least, at most or exactly; and cells that no number touches."""
    clauses = []
    for share in shares:
        numbers = state.number_list(share.numbers)
        if share.least == share.most:
            clauses.append(Clause("takes-exactly", numbers=numbers, count=share.least))
        elif side:
            count = share.least if side == "least" else share.most
            clauses.append(Clause(f"takes-at-{side}", numbers=numbers, count=count))
        else:
            counts = tuple(Clause("count", count=count) for count in bits(share.counts))
            clauses.append(Clause("takes-one-of", numbers=numbers, parts=counts))
    if rest:
        clauses.append(Clause("others-can-be-mines", count=rest))
    return clauses


def _shares(state: State, rules: NumberRules, trial: Trial) -> tuple[list[_Share], Cells]:
    """Return the shares of linked numbers in the mines left after a trial, and the cells that no number touches."""
    decided = trial.mines | trial.safe
    rest = state.unknown & ~decided & ~as_set(rules.around)
    groups: list[tuple[Cells, list[int]]] = []
    for number, limits in rules.limits.items():
        cells, members = limits.cells & ~decided, [number]
        if cells:
            for group in [group for group in groups if group[0] & cells]:
                groups.remove(group)
                cells, members = cells | group[0], members + group[1]
            groups.append((cells, members))
    return [_Share(tuple(sorted(members)), cells, _counts(rules, members, trial)) for cells, members in groups], rest


def _counts(rules: NumberRules, numbers: list[int], trial: Trial) -> int:
    """Return every number of mines with which linked numbers can be satisfied, as bits."""
    return as_set(_arrangements(rules, numbers, trial))


def _arrangements(rules: NumberRules, numbers: list[int], trial: Trial) -> dict[int, int]:
    """Return in how many ways linked numbers can be satisfied, by mines; box by box of cells with the same numbers."""
    decided = trial.mines | trial.safe
    boxes: dict[tuple[int, ...], int] = {}
    for cell, touching in rules.around.items():
        if not decided >> cell & 1 and touching[0] in numbers:
            boxes[tuple(touching)] = boxes.get(tuple(touching), 0) + 1
    needs = tuple(
        rules.limits[number].most - (rules.limits[number].cells & trial.mines).bit_count() for number in numbers
    )
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


TECHNIQUE = Technique(
    "exhaustive",
    find,
    fewest_numbers=6,
    start_rating=2000.0,
    yields_to=("total",),  # which counts the mines already
    weekday=6,
    looks_at="everything",
    origin="Truffle-Swine Keeper; here by exact counting",
)
