"""The ladder of techniques: every certain cell, one step at a time, the easiest step first.

The place of a technique on the ladder, from 0 for the simplest, is its rung. Each time, the techniques propose steps,
and the ladder takes the one with the least effort. That is the step with the fewest numbers to look at; then one that
finds safe cells rather than mines; then the one with the shortest chain of conclusions; then the one on the lowest
rung. From then on the cells of the step are known, and the search starts again on the lowest rung.

Every step gets a minimal proof. It starts from the numbers of the argument and those that proved the cells it builds
on; the exact engine removes numbers until none can be left out. If a removed number was named by the argument, the
remaining numbers are argued again, with whatever technique they need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, overload

from mineproof.analysis.analysis import solve
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board, Flags
from mineproof.board.cells import pairs
from mineproof.board.other_boards import Deducible, refuse_options
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.patterns import find_pattern, name_pattern
from mineproof.deduction.state import Finding, Proof, State, bits, union
from mineproof.deduction.technique import Technique
from mineproof.deduction.techniques import bounds, contradiction, elimination, exhaustive, partition, single, total
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BudgetExceeded
from mineproof.wording.clauses import Clause

if TYPE_CHECKING:
    from mineproof.deduction.wire import SolutionJson

D = TypeVar("D")
Step = tuple[str, Finding]

# Every technique by name, the simplest first. A new technique gets one entry here.
LADDER: dict[str, Technique] = {
    technique.name: technique
    for technique in (
        single.OPEN,
        single.FLAG,
        partition.TECHNIQUE,
        bounds.TECHNIQUE,
        elimination.TECHNIQUE,
        contradiction.TECHNIQUE,
        total.TECHNIQUE,
        exhaustive.TECHNIQUE,
    )
}

SCHEMA: Final = "mineproof/solution/1"
LADDER_MAX_CELLS = 10_000  # sets of cells are integers with a bit for each cell: slow on larger boards
ARGUMENT_MAX_STEPS = 8  # of an argument that proves a finding again with fewer numbers
TOTAL_EFFORT = 2  # numbers that the total counts for, because the mines left are counted on the whole board


def register_technique(technique: Technique, *, before: str | None = None) -> None:
    """Add a technique of your own to the ladder, in front of another one or at the end.

    Import the module that does so before the command line or the server, which build their lists once. Raises
    ValueError if the name exists already.
    """
    if technique.name in LADDER:
        raise ValueError(f"A technique named {technique.name} is registered already.")
    entries = list(LADDER.values())
    if before is not None:
        checks.one_of("before", before, tuple(LADDER))
    place = len(entries) if before is None else list(LADDER).index(before)
    entries.insert(place, technique)
    LADDER.clear()
    LADDER.update((entry.name, entry) for entry in entries)


def single_techniques() -> list[str]:
    """Return the names of the techniques that look at one number at a time, the simplest first."""
    return [name for name, technique in LADDER.items() if technique.single]


class Effort(NamedTuple):
    """What a step takes of a person, compared in the order of the fields: less is easier."""

    numbers: int
    only_mines: bool
    chain: int
    rung: int

    @classmethod
    def of(cls, name: str, finding: Finding) -> Effort:
        """Return the effort of a finding by a technique."""
        numbers = len(finding.numbers) + TOTAL_EFFORT * finding.uses_total
        return cls(numbers, not finding.safe, finding.chain, list(LADDER).index(name))

    def could_be_beaten_by(self, name: str) -> bool:
        """Could the technique of this name find a step with less effort?"""
        technique = LADDER[name]
        if list(LADDER)[self.rung] in technique.yields_to:
            return False
        return (self.numbers, self.only_mines) > (technique.fewest_numbers, False)


@overload
def deduce(
    board: Board,
    *,
    upto: str = "exhaustive",
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> list[Deduction]: ...


@overload
def deduce(
    board: Deducible[D], *, upto: str = ..., budget: Budget | float | None = None, engine: Engine | None = None
) -> list[D]: ...


def deduce(
    board: Board | Deducible[Any],
    *,
    upto: str = "exhaustive",
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> list[Any]:
    """Return every cell that the techniques up to one of them make certain, as steps in the order a person would take.

    With all techniques this is every certain cell of `analyze`. A `VariantBoard` gives `VariantDeduction` objects, by
    techniques of its own. Raises ContradictionError if no layout fits.

    >>> for step in deduce(Board.parse("##/2#/F1")):
    ...     print(step.text)
    The 1 at (2,1) already has its mine at (2,0). So (1,1) is safe.
    """
    if not isinstance(board, Board) and isinstance(board, Deducible):
        refuse_options(flags=flags != "trust")
        return board.deduce(upto=None if upto == "exhaustive" else upto, budget=budget, engine=engine)
    return list(steps(board, upto=upto, flags=flags, budget=budget, engine=engine))


def steps(
    board: Board,
    *,
    upto: str = "exhaustive",
    flags: Flags = "trust",
    by_rung: bool = False,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[Deduction]:
    """Yield the deductions of `deduce`, one at a time.

    If ``by_rung``, a technique takes a step only if no technique on a lower rung finds anything. That shows which
    techniques a board needs, rather than how it is solved with the least effort.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("upto", upto, tuple(LADDER))
    if board.geometry.cells > LADDER_MAX_CELLS:
        message = f"Steps are limited to boards of {LADDER_MAX_CELLS:,} cells, got {board.geometry.cells:,}."
        raise BudgetExceeded(f"{message} analyze has no such limit.", limit="size")
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    solve(seen, limit, using)  # raises if no layout fits
    names = list(LADDER)
    return _climb(State(seen, limit, using), names[: names.index(upto) + 1], by_rung)


def solution_json(steps: Sequence[Deduction]) -> SolutionJson:
    """Return the ``mineproof/solution/1`` shape of the steps of `deduce`."""
    return {
        "schema": SCHEMA,
        "safe": pairs(cell for step in steps for cell in step.safe),
        "mines": pairs(cell for step in steps for cell in step.mines),
        "steps": [step.as_json() for step in steps],
    }


def _climb(state: State, usable: Sequence[str], by_rung: bool) -> Iterator[Deduction]:
    progress = True
    while progress:
        progress = False
        for name, finding in easiest(state, usable, by_rung):
            state.deadline.check()
            progress = True
            yield _learn(state, name, finding, usable)


def easiest(state: State, usable: Sequence[str], by_rung: bool = False) -> Iterator[Step]:
    """Yield the easiest step possible now; of the steps by one number, one after the other as long as there are any.

    If ``by_rung``, the first technique that finds anything takes the step, however many numbers that needs.
    """
    for name in usable:
        if not LADDER[name].single:
            continue
        progress = False
        for finding in _new_findings(state, name):
            progress = True
            yield name, finding
        if progress:
            return
    best: tuple[Effort, Finding] | None = None
    for name in usable:
        if LADDER[name].single or (best and (by_rung or not best[0].could_be_beaten_by(name))):
            continue
        if first := next(_new_findings(state, name), None):
            candidate = Effort.of(name, first), first
            best = min(best or candidate, candidate, key=lambda pair: pair[0])
    if best:
        yield list(LADDER)[best[0].rung], best[1]


def _new_findings(state: State, name: str) -> Iterator[Finding]:
    """Yield the findings of a technique, without cells that are known already."""
    for finding in LADDER[name].find(state):
        known = state.safe | state.mines
        safe, mines = finding.safe & ~known, finding.mines & ~known
        if safe or mines:
            yield replace(finding, safe=safe, mines=mines)


def _learn(state: State, name: str, finding: Finding, usable: Sequence[str]) -> Deduction:
    """Prove a finding, shrink its proof, add its cells to the state, and return it as a deduction."""
    proof = _proof(state, name, finding)
    argued_again = False
    if not proof.numbers.issuperset(finding.numbers):  # the argument names a number that the proof does not need
        # The same cells may follow from a single other number, which is simpler than a new argument.
        for other in _new_findings(state, name) if LADDER[name].single else ():
            same = other.safe == finding.safe and other.mines == finding.mines
            if same and _proof(state, name, other).numbers.issuperset(other.numbers):
                return _learn(state, name, other, usable)
        if step := _argue_again(state, finding, proof, usable):
            name, finding = step
            argued_again = True  # with fewer numbers than the state has, whose restrictions are not those of the state
    argument = name_pattern(finding.argument, find_pattern(finding, None if argued_again else state))
    state.learn(finding.safe, finding.mines, proof)
    cell = state.board.cell
    return Deduction(
        technique=name,
        safe=frozenset(map(cell, bits(finding.safe))),
        mines=frozenset(map(cell, bits(finding.mines))),
        because=tuple(map(cell, sorted(proof.numbers))),
        uses_total=proof.uses_total,
        argument=argument,
        board=state.board,
    )


def _proof(state: State, name: str, finding: Finding) -> Proof:
    """Return a minimal set of numbers that force a finding; those that its argument names if possible."""
    whole = state.proof_of(finding)
    # The engine confirms every finding. What it cannot confirm is a defect of the technique, and must not stay hidden.
    assert state.forces(whole, finding.safe, finding.mines), f"{name} claims what does not follow: {finding}"
    return state.shrink(whole, finding.safe, finding.mines, keep=finding.numbers)


def _argue_again(state: State, finding: Finding, proof: Proof, usable: Sequence[str]) -> Step | None:
    """Argue a finding with the numbers of its proof only, which are fewer than the technique used.

    Return the hardest technique of the argument with a finding that has every new cell the argument proves. Return
    None if the usable techniques do not suffice, or the argument is too long.
    """
    chain = _chain(_seeing(state, proof), finding, usable)
    if chain is None:
        return None
    chain = _without_detours(state, proof, chain)
    safe, mines = union(step.safe for _, step in chain), union(step.mines for _, step in chain)
    known = state.safe | state.mines
    clauses = [step.argument for _, step in chain]
    if (safe | mines) & known:
        clauses.append(Clause("only-new", state.cells((safe | mines) & ~known)))
    name = max((name for name, _ in chain), key=list(LADDER).index)
    return name, replace(finding, safe=safe & ~known, mines=mines & ~known, argument=Clause.join(clauses))


def _seeing(state: State, proof: Proof) -> State:
    """Return the state of a player who sees only the numbers of a proof, with everything they have proved before."""
    alone = state.only(proof)
    for cell, known in state.proofs.items():
        if known.numbers <= proof.numbers and known.uses_total <= proof.uses_total:
            alone.learn(1 << cell & state.safe, 1 << cell & state.mines, known)
    return alone


def _chain(alone: State, finding: Finding, usable: Sequence[str]) -> list[Step] | None:
    """Return steps, each the easiest at its moment, until the cells of a finding are decided."""
    chain: list[Step] = []
    while (finding.safe & ~alone.safe) | (finding.mines & ~alone.mines):
        step = next(easiest(alone, usable), None)
        if step is None or len(chain) == ARGUMENT_MAX_STEPS:
            return None
        alone.learn(step[1].safe, step[1].mines, Proof(frozenset(step[1].numbers)))
        chain.append(step)
    return chain


def _without_detours(state: State, proof: Proof, chain: list[Step]) -> list[Step]:
    """Return a chain without the steps that its last step does not rest on."""
    for step in chain[-2::-1]:
        shorter = [other for other in chain if other is not step]
        if _holds(_seeing(state, proof), shorter):
            chain = shorter
    return chain


def _holds(alone: State, chain: Sequence[Step]) -> bool:
    """Does every step of a chain follow, with the same argument, from the steps before it?"""
    for name, step in chain:
        if step not in _new_findings(alone, name):
            return False
        alone.learn(step.safe, step.mines, Proof(frozenset(step.numbers)))
    return True
