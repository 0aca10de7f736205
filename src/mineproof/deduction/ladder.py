"""The ladder of techniques: every certain cell, one step at a time, the easiest step first.

Of the steps that the techniques find at one moment, the one is taken that asks the least of a person: the fewest
numbers to look at, safe cells rather than mines, the shortest chain of conclusions, and only then the simpler
technique. What it found is known from then on, and the climb starts at the bottom again. Every step is proved: the
numbers its technique argued with, and those that proved the cells it built on, are reduced with the exact engine to a
set of which none can be spared. If that drops a number the words speak of, the step is told again with the numbers that
are left, by the technique that this takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from mineproof.analysis.analysis import solve
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board, Flags
from mineproof.board.cells import pairs
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.state import Finding, Proof, State, bits
from mineproof.deduction.techniques import bounds, contradiction, elimination, exhaustive, partition, single, total
from mineproof.deduction.techniques.supposing import verdict
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BudgetExceeded

Technique = Literal[
    "single-open", "single-flag", "partition", "bounds", "elimination", "contradiction", "total", "exhaustive"
]
Find = Callable[[State], Iterator[Finding]]

LADDER: dict[Technique, Find] = {
    "single-open": single.find_open,
    "single-flag": single.find_flag,
    "partition": partition.find,
    "bounds": bounds.find,
    "elimination": elimination.find,
    "contradiction": contradiction.find,
    "total": total.find,
    "exhaustive": exhaustive.find,
}

SCHEMA = "mineproof/solution/1"
MOST_CELLS = 10_000  # sets of cells are numbers with a bit for each cell: beyond this, too many long numbers

# Techniques that look at the state afresh for each finding, so that one may be taken after the other.
SINGLE = ("single-open", "single-flag")

# How many numbers a technique takes at least, if easier ones have found nothing with fewer. It is asked only where it
# could still be easier than what was found. Cases are more to hold in mind than a few numbers more.
FEWEST = {"partition": 2, "bounds": 2, "elimination": 3, "contradiction": 3, "total": 2, "exhaustive": 6}
MOST_RETOLD = 3  # steps in which a finding is told again
COUNTING = 2  # numbers that the total counts for, since the mines left are counted on the whole board


class Effort(NamedTuple):
    """What a step asks of a person, the least first: numbers to look at; safe cells before mines; then the chain."""

    numbers: int
    only_mines: bool
    chain: int
    rung: int

    @classmethod
    def of(cls, name: Technique, finding: Finding) -> Effort:
        numbers = len(finding.numbers) + COUNTING * finding.uses_total
        return cls(numbers, not finding.safe, finding.chain, list(LADDER).index(name))

    def may_be_more_than(self, name: Technique) -> bool:
        """Could a technique find something easier? Where the total has been counted already, cases are not."""
        if name == "exhaustive" and self.rung == list(LADDER).index("total"):
            return False
        return (self.numbers, self.only_mines) > (FEWEST[name], False)


def deduce(
    board: Board,
    *,
    upto: str = "exhaustive",
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> list[Deduction]:
    """Every cell that the techniques up to one of them make certain, as steps in the order a person would take.

    With all of them this is everything certain: the cells of `analyze`. Raises ContradictionError when no layout fits.

    >>> for step in deduce(Board.parse("1#/##/1#", total_mines=1)):
    ...     print(step.text)
    The board has only 1 mine. The 1 at (0,0) needs it, so (2,1) is safe.
    The board has only 1 mine. The 1 at (2,0) needs it, so (0,1) is safe.
    """
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
    """The deductions of `deduce`, each made when it is asked for.

    If ``by_rung``, a technique takes a step only where none before it finds anything: what it takes to solve a board,
    rather than how it is solved with the least effort.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("upto", upto, tuple(LADDER))
    if board.geometry.cells > MOST_CELLS:
        found = f"steps are told on boards of up to {MOST_CELLS:,} cells, found {board.geometry.cells:,}"
        raise BudgetExceeded(f"{found}; analyze has no such limit", limit="size")
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    solve(seen, limit, using)
    names: list[str] = list(LADDER)
    usable = list(LADDER)[: names.index(upto) + 1]
    return _climb(State(seen, limit, using), usable, by_rung)


def solution_json(steps: Sequence[Deduction]) -> dict[str, object]:
    """The ``mineproof/solution/1`` shape of all that `deduce` found."""
    return {
        "schema": SCHEMA,
        "safe": pairs(cell for step in steps for cell in step.safe),
        "mines": pairs(cell for step in steps for cell in step.mines),
        "steps": [step.as_json() for step in steps],
    }


def _climb(state: State, usable: Sequence[Technique], by_rung: bool) -> Iterator[Deduction]:
    found = True
    while found:
        found = False
        for name, finding in easiest(state, usable, by_rung):
            state.deadline.check()
            found = True
            yield _learn(state, name, finding, usable)


def easiest(state: State, usable: Sequence[Technique], by_rung: bool = False) -> Iterator[tuple[Technique, Finding]]:
    """The easiest step to be had now; of the steps that one number decides, one after the other as long as they last.

    If ``by_rung``, the first technique that finds anything takes the step, however many numbers that needs.
    """
    for name in usable[: len(SINGLE)]:
        found = False
        for finding in _news(state, name):
            found = True
            yield name, finding
        if found:
            return
    best: tuple[Effort, Finding] | None = None
    for name in usable[len(SINGLE) :]:
        if best and (by_rung or not best[0].may_be_more_than(name)):
            continue
        if news := next(_news(state, name), None):
            new = Effort.of(name, news), news
            best = min(best or new, new, key=lambda each: each[0])
    if best:
        yield list(LADDER)[best[0].rung], best[1]


def _news(state: State, name: Technique) -> Iterator[Finding]:
    """What a technique finds that is not known already."""
    for finding in LADDER[name](state):
        known = state.safe | state.mines
        safe, mines = finding.safe & ~known, finding.mines & ~known
        if safe or mines:
            yield replace(finding, safe=safe, mines=mines)


def _learn(state: State, name: Technique, finding: Finding, usable: Sequence[Technique]) -> Deduction:
    proof = _proof(state, name, finding)
    if not proof.numbers.issuperset(finding.numbers):
        for other in _news(state, name) if name in SINGLE else ():
            same = other.safe == finding.safe and other.mines == finding.mines
            if same and _proof(state, name, other).numbers.issuperset(other.numbers):
                return _learn(state, name, other, usable)
        name, text = _retold(state, finding, proof, usable) or (name, finding.text)
        finding = replace(finding, text=text)
    state.learn(finding.safe, finding.mines, proof)
    cell = state.board.cell
    return Deduction(
        technique=name,
        safe=frozenset(map(cell, bits(finding.safe))),
        mines=frozenset(map(cell, bits(finding.mines))),
        because=tuple(map(cell, sorted(proof.numbers))),
        uses_total=proof.uses_total,
        text=finding.text,
        board=state.board,
    )


def _proof(state: State, name: Technique, finding: Finding) -> Proof:
    """The numbers that force a finding, of which none can be spared; those that its words speak of if possible."""
    whole = state.proof_of(finding)
    # No technique is taken at its word: what the engine cannot confirm is a defect of the technique, and must be heard.
    assert state.forces(whole, finding.safe, finding.mines), f"{name} claims what does not follow: {finding}"
    return state.shrink(whole, finding.safe, finding.mines, keep=finding.numbers)


def _retold(state: State, finding: Finding, proof: Proof, usable: Sequence[Technique]) -> tuple[Technique, str] | None:
    """A finding argued with the numbers of its proof only, which are fewer than the technique used.

    The hardest technique it then takes, and the words; None if the usable ones do not suffice, or it gets long.
    """
    alone = state.only(proof)
    for cell, known in state.proofs.items():  # what the same numbers have proved before need not be proved again
        if known.numbers <= proof.numbers and known.uses_total <= proof.uses_total:
            alone.learn(1 << cell & state.safe, 1 << cell & state.mines, known)
    names: list[Technique] = []
    sentences: list[str] = []
    while (finding.safe & ~alone.safe) | (finding.mines & ~alone.mines):
        step = next(easiest(alone, usable), None)
        if step is None or len(names) == MOST_RETOLD:
            return None
        alone.learn(step[1].safe, step[1].mines, proof)
        names.append(step[0])
        sentences.append(step[1].text)
    if not all(state.at(cell) in sentences[-1] for cell in bits(finding.safe | finding.mines)):
        told = [(finding.safe, False), (finding.mines, True)]
        sentences.append(f"So {' and '.join(verdict(state, cells, mines=mines) for cells, mines in told if cells)}.")
    return max(names, key=list(LADDER).index), " ".join(sentences)
