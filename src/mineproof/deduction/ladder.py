"""The ladder of techniques: every certain cell, one step at a time, the easiest step first.

A step is taken by the first technique that finds anything; what it found is known from then on, and the climb starts
at the bottom again. So a technique is only named where nothing simpler helps. Every step is proved: the numbers its
technique argued with, and those that proved the cells it built on, are reduced with the exact engine to a set of which
none can be spared. If that drops a number the words speak of, the words are replaced by those of the numbers left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from mineproof.analysis.analysis import solve
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board, Flags
from mineproof.board.cells import pairs
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.state import Finding, Proof, State, bits
from mineproof.deduction.techniques import bounds, contradiction, elimination, exhaustive, partition, single, total
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
MOST_STEPS = 3  # a proof told in more is listed instead

# Techniques that look at the state afresh for each finding, so that one may be taken after the other.
NEVER_STALE = ("single-open", "single-flag")


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
    The 1 at (0,0) needs 1; only 1 mine is left, so (2,1) is safe.
    The 1 at (2,0) needs 1; only 1 mine is left, so (0,1) is safe.
    """
    return list(steps(board, upto=upto, flags=flags, budget=budget, engine=engine))


def steps(
    board: Board,
    *,
    upto: str = "exhaustive",
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[Deduction]:
    """The deductions of `deduce`, each made when it is asked for."""
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("upto", upto, tuple(LADDER))
    if board.geometry.cells > MOST_CELLS:
        found = f"steps are told on boards of up to {MOST_CELLS:,} cells, found {board.geometry.cells:,}"
        raise BudgetExceeded(f"{found}; analyze has no such limit", limit="size")
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    solve(seen, limit, using)
    return _climb(State(seen, limit, using), upto, Deadline(limit))


def solution_json(steps: Sequence[Deduction]) -> dict[str, object]:
    """The ``mineproof/solution/1`` shape of all that `deduce` found."""
    return {
        "schema": SCHEMA,
        "safe": pairs(cell for step in steps for cell in step.safe),
        "mines": pairs(cell for step in steps for cell in step.mines),
        "steps": [step.as_json() for step in steps],
    }


def _climb(state: State, upto: str, deadline: Deadline) -> Iterator[Deduction]:
    names: list[str] = list(LADDER)
    usable = list(LADDER)[: names.index(upto) + 1]
    found = True
    while found:
        found = False
        for name in usable:
            for finding in _news(state, name):
                deadline.check()
                found = True
                yield _learn(state, name, finding)
                if name not in NEVER_STALE:
                    break
            if found:
                break


def _news(state: State, name: Technique) -> Iterator[Finding]:
    """What a technique finds that is not known already."""
    for finding in LADDER[name](state):
        known = state.safe | state.mines
        safe, mines = finding.safe & ~known, finding.mines & ~known
        if safe or mines:
            yield Finding(safe, mines, finding.numbers, finding.text, finding.uses_total)


def _learn(state: State, name: Technique, finding: Finding) -> Deduction:
    whole = state.proof_of(finding)
    # No technique is taken at its word: what the engine cannot confirm is a defect of the technique, and must be heard.
    assert state.forces(whole, finding.safe, finding.mines), f"{name} claims what does not follow: {finding}"
    proof = state.shrink(whole, finding.safe, finding.mines, keep=finding.numbers)
    text = finding.text if proof.numbers.issuperset(finding.numbers) else _retell(state, name, finding, proof)
    state.learn(finding.safe, finding.mines, proof)
    cell = state.board.cell
    return Deduction(
        technique=name,
        safe=frozenset(map(cell, bits(finding.safe))),
        mines=frozenset(map(cell, bits(finding.mines))),
        because=tuple(map(cell, sorted(proof.numbers))),
        uses_total=proof.uses_total,
        text=text,
    )


def _retell(state: State, name: Technique, finding: Finding, proof: Proof) -> str:
    """Words for a proof that turned out to need fewer numbers than the technique used: its own way to the same end."""
    if name == "contradiction" and (shorter := contradiction.retell(state, finding, proof.numbers)):
        return shorter.text
    alone = state.only(proof)
    sentences = []
    while (finding.safe & ~alone.safe) | (finding.mines & ~alone.mines):
        step = next(new for rung in LADDER for new in _news(alone, rung))
        alone.learn(step.safe, step.mines, proof)
        sentences.append(step.text)
    if len(sentences) > MOST_STEPS:
        return exhaustive.words(state, proof, finding.safe, finding.mines)
    named = all(state.at(cell) in sentences[-1] for cell in bits(finding.safe | finding.mines))
    return " ".join(
        sentences if named else [*sentences, f"So {exhaustive.conclusion(state, finding.safe, finding.mines)}."]
    )
