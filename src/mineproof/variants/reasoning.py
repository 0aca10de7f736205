"""How a person reasons on a board of a variant: one clue, two clues, the number of mines, trial and error.

Nothing here knows a rule. A technique looks at constraints, as `mineproof.variants.facts` has them, and says which
cells they decide, with an argument as data. The steps confirm every finding with the engine.

clue           A clue or rule alone, with the cells that are known around it.
pair           Two of them that share covered cells.
total          The number of mines, with clues that share no covered cell.
contradiction  Suppose a cell is a mine, or safe, and look at one clue after the other until one fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import NamedTuple, TypeAlias

from mineproof.base.budget import Deadline
from mineproof.board.cells import Cell
from mineproof.problems.problem import Constraint
from mineproof.variants.facts import Fact, Values, possible_together
from mineproof.wording.variant_clauses import VARIANT_ARGUMENT, Source, VariantClause

TECHNIQUES = ("clue", "pair", "total", "contradiction", "exhaustive", "judged")
PAIR_MAX_STATES = 5_000  # of two constraints that do not just count mines
TRIAL_MAX_CELLS = 300  # beside clues; on larger boards trial and error takes too long
ZERO_MEANS_NO_MINE = ("wall", "partition", "multiple")
TOTAL = -1  # the place of the number of mines


class Insight(NamedTuple):
    """Cells that are decided, as variables, the facts that decide them, and the argument."""

    technique: str
    safe: frozenset[int]
    mines: frozenset[int]
    facts: tuple[Fact, ...]
    argument: VariantClause
    length: int = 1  # of the argument

    @property
    def effort(self) -> tuple[int, bool, int, int]:
        """What the step takes of a person: less is easier."""
        return len(self.facts), not self.safe, self.length, sum(len(fact.cells) for fact in self.facts)


@dataclass
class Situation:
    """What is known at one moment: the facts, and the possible values of every cell."""

    facts: list[Fact]
    domains: list[Values]
    columns: int
    total: Fact | None
    deadline: Deadline
    rules: tuple[str, ...]  # all rules, for arguments in which they are used without a clue that says them

    def __post_init__(self) -> None:
        self.around: dict[int, list[Fact]] = {}
        for fact in self.facts:
            for cell in fact.cells:
                self.around.setdefault(cell, []).append(fact)
        self._cache: dict[tuple[object, ...], dict[int, Values] | None] = {}

    # reading

    def open_facts(self) -> list[Fact]:
        """Return the facts with unknown cells."""
        return [fact for fact in self.facts if fact.unknown(self.domains)]

    def possible(self, fact: Fact, domains: Sequence[Values] | None = None) -> dict[int, Values] | None:
        """As `Fact.possible`, remembered."""
        domains = self.domains if domains is None else domains
        key = (fact.place, *[domains[cell] for cell in fact.cells])
        if key not in self._cache:
            self._cache[key] = fact.possible(domains)
        return self._cache[key]

    def cell(self, variable: int) -> Cell:
        """Return the cell of a variable."""
        return divmod(variable, self.columns)

    def cells(self, variables: Iterable[int]) -> tuple[Cell, ...]:
        """Return the cells of variables, in row order."""
        return tuple(map(self.cell, sorted(variables)))

    # learning

    def learn(self, safe: Iterable[int], mines: Iterable[int]) -> None:
        """Add decided cells."""
        for cell in safe:
            self.domains[cell] = (0,)
        for cell in mines:
            self.domains[cell] = tuple(value for value in self.domains[cell] if value)

    def news(self, values: dict[int, Values]) -> tuple[frozenset[int], frozenset[int]]:
        """Return the cells that possible values show to be safe, or mines, and that were neither."""
        safe = frozenset(cell for cell, left in values.items() if left == (0,))
        mines = frozenset(cell for cell, left in values.items() if left and left[0] > 0 and self.domains[cell][0] == 0)
        return safe, mines

    # clauses

    def conclusion(self, safe: frozenset[int], mines: frozenset[int]) -> VariantClause:
        """Return ``so-safe``, ``so-mines`` or ``so-both``."""
        as_safe = VariantClause("so-safe", self.cells(safe))
        as_mines = VariantClause("so-mines", self.cells(mines))
        if safe and mines:
            return VariantClause("so-both", parts=(as_mines, as_safe))
        return as_safe if safe else as_mines

    def in_every_way(self, count: int, safe: frozenset[int], mines: frozenset[int]) -> list[VariantClause]:
        """Return what all of some ways have in common."""
        if count == 1:
            return [self.conclusion(safe, mines)]
        as_safe, as_mines = (
            VariantClause(kind, self.cells(cells))
            for kind, cells in (("every-way-safe", safe), ("every-way-mines", mines))
        )
        if safe and mines:
            return [VariantClause("every-way-both", parts=(as_mines, as_safe))]
        return [as_safe if safe else as_mines]

    def says(self, fact: Fact) -> list[VariantClause]:
        """Return what a fact means, and the mines around it that are known."""
        cells = () if fact.source.cell else self.cells(fact.cells)
        if fact.is_sum:
            most = sum(self.domains_max(cell) for cell in fact.cells)
            sums = tuple(total for total in fact.constraint.sums if total >= 0)
            total = self.total.constraint.sums[0] if self.total and fact.source.rule == "balance" else None
            clauses = [VariantClause("says", cells, (fact.source,), sums, total, most=most)]
        else:
            clauses = [VariantClause("says", (), (fact.source,))]
        dark = [cell for cell in fact.cells if self.domains[cell] != (0,) and sum(self.cell(cell)) % 2]
        if fact.source.rule in ("multiple", "negation") and dark and not _means_no_mine(fact):
            clauses.append(VariantClause("dark", self.cells(dark)))
        known = [cell for cell in fact.cells if self.domains[cell][0] > 0]
        if known and fact.source.rule != "no-three":
            kind = "known" if fact.is_sum else "known-mines"
            clauses.append(VariantClause(kind, self.cells(known), count=len(known)))
        return clauses

    def domains_max(self, cell: int) -> int:
        """Return the most mines in a cell, 1 for an open cell, which counts as a place."""
        return max(self.domains[cell][-1], 1)


def of_clues(situation: Situation) -> Iterator[Insight]:
    """Yield what each fact decides alone, the easiest first."""
    findings = []
    for fact in situation.open_facts():
        situation.deadline.check()
        values = situation.possible(fact)
        assert values is not None, "a situation has a solution"
        safe, mines = situation.news(values)
        if safe or mines:
            findings.append((fact, safe, mines))
    for fact, safe, mines in sorted(findings, key=lambda item: (not item[1], len(item[0].unknown(situation.domains)))):
        yield Insight("clue", safe, mines, (fact,), _argue_alone(situation, fact, safe, mines))


def _argue_alone(situation: Situation, fact: Fact, safe: frozenset[int], mines: frozenset[int]) -> VariantClause:
    unknown = fact.unknown(situation.domains)
    clauses = situation.says(fact)
    conclusion = situation.conclusion(safe, mines)
    is_whole = len(safe) == len(unknown) or len(mines) == len(unknown)
    if fact.source.rule == "no-three" and safe:
        known = [cell for cell in fact.cells if situation.domains[cell][0] > 0]
        near = [cell for cell in known if any(_is_near(situation, cell, other) for other in safe)]
        clauses.append(VariantClause("known-mines", situation.cells(near), count=len(near)))
        clauses.append(VariantClause("then-none-fits", situation.cells(safe), (fact.source,)))
    elif is_whole and safe and _means_no_mine(fact):
        pass  # no mine is around it at all
    elif is_whole and (fact.is_sum or len(unknown) == 1 or fact.ways(situation.domains) == 1):
        clauses.append(VariantClause("left", situation.cells(unknown)))
        kind = "none-fits" if safe else "all-needed"
        clauses.append(VariantClause(kind, situation.cells(unknown), (fact.source,)))
    else:
        count = fact.ways(situation.domains)
        clauses.append(VariantClause("ways", situation.cells(unknown), (fact.source,), count=count))
        return _whole([*clauses, *situation.in_every_way(count, safe, mines)])
    return _whole([*clauses, conclusion])


def _means_no_mine(fact: Fact) -> bool:
    """Does a clue say that no mine is around it at all? The 0 of a difference does not."""
    return fact.sums <= {0} if fact.is_sum else fact.source.clue == "0" and fact.source.rule in ZERO_MEANS_NO_MINE


def _is_near(situation: Situation, one: int, other: int) -> bool:
    (a, b), (c, d) = situation.cell(one), situation.cell(other)
    return max(abs(a - c), abs(b - d)) <= 2


def _whole(clauses: Sequence[VariantClause]) -> VariantClause:
    return VariantClause(VARIANT_ARGUMENT, parts=tuple(clauses))


# two facts


def of_pairs(situation: Situation) -> Iterator[Insight]:
    """Yield what two facts decide together, the easiest first."""
    findings = []
    seen = set()
    for facts in situation.around.values():
        for first, second in combinations(facts, 2):
            if (first.place, second.place) in seen:
                continue
            seen.add((first.place, second.place))
            situation.deadline.check()
            if finding := _pair(situation, first, second):
                findings.append(finding)
    yield from sorted(findings, key=lambda finding: finding.effort)


def _pair(situation: Situation, first: Fact, second: Fact) -> Insight | None:
    domains = situation.domains
    unknown, others = set(first.unknown(domains)), set(second.unknown(domains))
    shared = unknown & others
    if not shared or (unknown == shared == others and first.is_sum and second.is_sum and first.sums == second.sums):
        return None
    counts = first.is_sum and second.is_sum and all(domains[cell] == (0, 1) for cell in unknown | others)
    if counts:
        return _pair_of_sums(situation, first, second, shared)
    values = possible_together(first, second, domains, PAIR_MAX_STATES)
    if values is None:
        return None
    safe, mines = situation.news(values)
    if not safe and not mines:
        return None
    count = _ways_together(first, second, domains)
    clauses = [*situation.says(first), *situation.says(second)]
    clauses.append(VariantClause("ways-together", sources=(first.source, second.source), count=count))
    clauses += situation.in_every_way(count, safe, mines)
    return Insight("pair", safe, mines, (first, second), _whole(clauses), 2)


def _ways_together(first: Fact, second: Fact, domains: Sequence[Values]) -> int:
    """Return the number of ways to fill the unknown cells of two facts that fit both."""
    one = dict(zip(first.cells, first.constraint.coefficients, strict=True))
    two = dict(zip(second.cells, second.constraint.coefficients, strict=True))
    counts = {(0, 0): 1}
    for cell in {**one, **two}:
        later: dict[tuple[int, int], int] = {}
        for (x, y), count in counts.items():
            for value in domains[cell]:
                key = x + one.get(cell, 0) * value, y + two.get(cell, 0) * value
                later[key] = later.get(key, 0) + count
        counts = later
    return sum(count for (x, y), count in counts.items() if x in first.sums and y in second.sums)


def _pair_of_sums(situation: Situation, first: Fact, second: Fact, shared: set[int]) -> Insight | None:
    """Compare two facts that count mines: what one leaves for the shared cells decides the rest of the other."""
    domains = situation.domains
    sums = (first.amounts(domains), second.amounts(domains))
    rest = tuple(len(fact.unknown(domains)) - len(shared) for fact in (first, second))
    places = range(len(shared) + 1)
    limits = [{s for s in places if any(0 <= need - s <= rest[i] for need in sums[i])} for i in (0, 1)]
    both = limits[0] & limits[1]
    if not both:
        return None
    safe: set[int] = set()
    mines: set[int] = set()
    for fact, needs, size in zip((first, second), sums, rest, strict=True):
        amounts = {need - s for s in both for need in needs if 0 <= need - s <= size}
        cells = set(fact.unknown(domains)) - shared
        if size and amounts == {0}:
            safe |= cells
        elif size and amounts == {size}:
            mines |= cells
    if both == {0}:
        safe |= shared
    elif both == {len(shared)}:
        mines |= shared
    if not safe and not mines:
        return None
    order = (0, 1) if len(limits[0]) <= len(limits[1]) else (1, 0)
    facts = [(first, second)[i] for i in order]
    clauses: list[VariantClause] = []
    trivial = set(places)
    for turn, i in enumerate(order):
        fact = (first, second)[i]
        clauses += situation.says(fact)
        if turn == 0 or limits[i] != trivial:
            clauses.append(_part(situation, shared, limits[i]))
    if both not in limits and len(both) < len(trivial) and not both <= {0, len(shared)}:
        clauses.append(_part(situation, shared, both))
    mixed = frozenset(safe), frozenset(mines)
    for fact in facts:
        for decided, kind in ((safe, "then-none-fits"), (mines, "then-all-needed")):
            if cells := (decided - shared) & set(fact.cells):
                clauses.append(VariantClause(kind, situation.cells(cells), (fact.source,)))
    return Insight("pair", *mixed, tuple(facts), _whole([*clauses, situation.conclusion(*mixed)]), len(clauses))


def _part(situation: Situation, cells: set[int], amounts: set[int]) -> VariantClause:
    return VariantClause("part", situation.cells(cells), amounts=tuple(sorted(amounts)), most=len(cells))


# the number of mines


def of_total(situation: Situation) -> Iterator[Insight]:
    """Yield what the number of mines decides, alone or with facts that share no unknown cell."""
    total = situation.total
    if total is None:
        return
    domains = situation.domains
    unknown = frozenset(total.unknown(domains))
    if not unknown:
        return
    left = max(total.amounts(domains), default=0)
    known = any(domain[0] > 0 for domain in domains)
    start = VariantClause("count-left" if known else "board-has", count=left)
    least = sum(domains[cell][0] for cell in unknown)
    most = sum(domains[cell][-1] for cell in unknown)
    if left in (least, most):
        safe, mines = (unknown, frozenset[int]()) if left == least else (frozenset[int](), unknown)
        if left == least:
            safe = frozenset(cell for cell in unknown if domains[cell][0] == 0)
        clauses = [start, VariantClause("no-mine-left" if left == least else "every-cell-needed")]
        if left == 0:
            clauses = clauses[:1]
        if safe or mines:
            yield Insight("total", safe, mines, (total,), _whole([*clauses, situation.conclusion(safe, mines)]))
        return
    bounds = [(fact, frozenset(fact.unknown(domains)), fact.mines_allowed(domains)) for fact in situation.open_facts()]
    for is_least in (True, False):
        if finding := _with_disjoint(situation, total, bounds, left, start, is_least=is_least):
            yield finding
    findings = [_without_room(situation, total, bounds, item, left, start) for item in bounds]
    yield from sorted(filter(None, findings), key=lambda finding: finding.effort)


_Bounds: TypeAlias = tuple[Fact, frozenset[int], tuple[int, int]]  # its unknown cells, their least and most mines


def _with_disjoint(
    situation: Situation,
    total: Fact,
    bounds: Sequence[_Bounds],
    left: int,
    start: VariantClause,
    *,
    is_least: bool,
) -> Insight | None:
    """Facts without a common unknown cell that need all mines that are left, or leave room for too few."""
    domains = situation.domains
    unknown = frozenset(total.unknown(domains))
    if is_least:
        order = sorted(bounds, key=lambda item: (-item[2][0] / len(item[1]), len(item[1])))
    else:
        order = sorted(bounds, key=lambda item: (item[2][1] - len(item[1]), len(item[1])))
    chosen: list[tuple[Fact, int]] = []
    used: set[int] = set()
    for fact, cells, (low, high) in order:
        bound = low if is_least else high
        matters = bound > 0 if is_least else bound < sum(domains[cell][-1] for cell in cells)
        if matters and not cells & used:
            chosen.append((fact, bound))
            used |= cells
    others = unknown - used
    reached = sum(bound for _, bound in chosen)
    room = 0 if is_least else sum(domains[cell][-1] for cell in others)
    if not chosen or not others or reached + room != left:
        return None
    if is_least:
        others = frozenset(cell for cell in others if domains[cell][0] == 0)
    if not others:
        return None
    kind = "at-least-of-them" if is_least else "at-most-of-them"
    clauses = [start, *_bound_clauses(situation, chosen, kind)]
    if len(chosen) > 1:
        clauses.append(VariantClause("no-shared-cells"))
    clauses.append(VariantClause("none-for-others" if is_least else "others-all-needed"))
    safe, mines = (others, frozenset[int]()) if is_least else (frozenset[int](), others)
    facts = (*(fact for fact, _ in chosen), total)
    return Insight("total", safe, mines, facts, _whole([*clauses, situation.conclusion(safe, mines)]), len(facts))


def _without_room(
    situation: Situation,
    total: Fact,
    bounds: Sequence[_Bounds],
    item: _Bounds,
    left: int,
    start: VariantClause,
) -> Insight | None:
    """A clue that may have no mine, because clues without a common unknown cell leave too few for its other sums."""
    fact, cells, _ = item
    if not fact.is_sum or fact.source.cell is None or 0 not in (amounts := fact.amounts(situation.domains)):
        return None
    needed = min((amount for amount in amounts if amount), default=0)  # a single amount is found by its clue alone
    chosen: list[tuple[Fact, int]] = []
    used = set(cells)
    for other, others, (low, _) in sorted(bounds, key=lambda one: (-one[2][0], len(one[1]))):
        if low and not others & used and left - sum(bound for _, bound in chosen) >= needed:
            chosen.append((other, low))
            used |= others
    room = left - sum(bound for _, bound in chosen)
    if not chosen or not needed or room >= needed:
        return None
    safe = frozenset(cell for cell in cells if situation.domains[cell][0] == 0)
    if not safe:
        return None
    clauses = [start, *_bound_clauses(situation, chosen, "at-least-of-them"), *situation.says(fact)]
    clauses.append(VariantClause("no-shared-cells"))
    clauses.append(VariantClause("room", sources=(fact.source,), count=room))
    facts = (*(fact for fact, _ in chosen), fact, total)
    argument = _whole([*clauses, situation.conclusion(safe, frozenset())])
    return Insight("total", safe, frozenset(), facts, argument, len(facts))


def _bound_clauses(situation: Situation, chosen: Sequence[tuple[Fact, int]], kind: str) -> list[VariantClause]:
    clauses = []
    for fact, bound in chosen:
        if fact.source.rule != "classic" or len(fact.sums) > 1:
            clauses += situation.says(fact)
        clauses.append(VariantClause(kind, sources=(fact.source,), count=bound))
    return clauses


# trial and error


class _Consequence(NamedTuple):
    fact: Fact
    safe: frozenset[int]
    mines: frozenset[int]


def of_trials(situation: Situation) -> Iterator[Insight]:
    """Yield the cells for which a supposition fails, the shortest argument first."""
    frontier = [cell for cell in situation.around if len(situation.domains[cell]) > 1]
    if len(frontier) > TRIAL_MAX_CELLS:
        return
    findings = []
    for cell in sorted(frontier):
        for as_mine in (True, False):
            if not as_mine and situation.domains[cell][0] > 0:
                continue
            situation.deadline.check()
            if (chain := _refute(situation, cell, as_mine=as_mine)) is not None:
                findings.append(_refutation(situation, cell, chain, as_mine=as_mine))
    yield from sorted(findings, key=lambda finding: finding.effort)


def _refute(situation: Situation, cell: int, *, as_mine: bool) -> list[_Consequence] | None:
    """Return the consequences of a supposition up to a fact that fails, or None if none fails."""
    domains = list(situation.domains)
    domains[cell] = tuple(value for value in domains[cell] if (value > 0) == as_mine)
    chain: list[_Consequence] = []
    pending = list(situation.around[cell])
    facts_of_total = [] if situation.total is None else [situation.total]
    for fact in pending:  # grows during the loop
        values = situation.possible(fact, domains)
        if values is None:
            return _shorten(situation, [*chain, _Consequence(fact, frozenset(), frozenset())], cell)
        safe = frozenset(other for other, left in values.items() if left == (0,))
        mines = frozenset(other for other, left in values.items() if left[0] > 0 == domains[other][0])
        if safe or mines:
            chain.append(_Consequence(fact, safe, mines))
            for other in safe:
                domains[other] = (0,)
            for other in mines:
                domains[other] = tuple(value for value in domains[other] if value)
            pending += [next_to for other in sorted(safe | mines) for next_to in situation.around[other]]
    for total in facts_of_total:
        least, most = (sum(domain[end] for domain in domains) for end in (0, -1))
        if not least <= total.constraint.sums[0] <= most:
            return _shorten(situation, [*chain, _Consequence(total, frozenset(), frozenset())], cell)
    return None


def _shorten(situation: Situation, chain: list[_Consequence], cell: int) -> list[_Consequence]:
    """Return the consequences that the failure at the end of a chain rests on."""
    needed = set(chain[-1].fact.cells)
    chain_left = [chain[-1]]
    for step in reversed(chain[:-1]):
        safe, mines = step.safe & needed, step.mines & needed
        if safe or mines:
            chain_left.append(_Consequence(step.fact, safe, mines))
            needed |= set(step.fact.cells)
    return chain_left[::-1]


def _refutation(situation: Situation, cell: int, chain: Sequence[_Consequence], *, as_mine: bool) -> Insight:
    facts = list(dict.fromkeys(step.fact for step in chain))
    rules = [rule for rule in situation.rules if rule != "classic"]
    used = [rule for rule in rules if any(fact.source.rule == rule for fact in facts)]
    used += [rule for rule in rules if rule.startswith("mines:")]
    clauses = [VariantClause("rule", sources=(Source(rule),)) for rule in used]
    clauses.append(VariantClause("suppose-mine" if as_mine else "suppose-safe", situation.cells([cell])))
    consequences = [
        (kind, step.fact.source, situation.cells(cells))
        for step in chain[:-1]
        for kind, cells in (("clue-then-mines", step.mines), ("clue-then-safe", step.safe))
        if cells
    ]
    for (kind, source), group in groupby(consequences, lambda item: item[:2]):
        clauses.append(VariantClause(kind, tuple(sorted({cell for *_, cells in group for cell in cells})), (source,)))
    clauses.append(VariantClause("broken", sources=(chain[-1].fact.source,)))
    decided = frozenset([cell])
    safe, mines = (decided, frozenset[int]()) if as_mine else (frozenset[int](), decided)
    argument = _whole([*clauses, situation.conclusion(safe, mines)])
    return Insight("contradiction", safe, mines, tuple(facts), argument, len(chain))


def total_fact(cells: Sequence[int], total: int) -> Fact:
    """Return the number of mines as a fact about all cells."""
    return Fact(TOTAL, Constraint(cells, total), Source())
