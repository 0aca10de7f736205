"""Everything else that is certain: `exhaustive`.

Idea    The exact engine counts all layouts, so it knows every certain cell, and nothing above it can know more. What
        a person can use is the reason: numbers are taken away, large chunks first, as long as the cell stays certain,
        until none can be spared. What is left is a small piece of the board that can be worked through by hand.
Cost    About twice the size of the reason times log(numbers) counts, each some microseconds.
Limits  None: with this technique the ladder is complete.
"""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.base.words import listing
from mineproof.deduction.state import Cells, Finding, Proof, State, as_set, bits
from mineproof.engine.answers import MINE, SAFE
from mineproof.engine.question import Question


def find(state: State) -> Iterator[Finding]:
    """Certain cells with a minimal reason, cells with the same reason together, safe cells first."""
    verdicts = state.engine.solve(Question.of(state.board), state.budget).verdicts()
    safe = as_set(i for i, verdict in enumerate(verdicts) if verdict == SAFE) & state.unknown
    mines = as_set(i for i, verdict in enumerate(verdicts) if verdict == MINE) & state.unknown
    for cell in [*bits(safe), *bits(mines)]:
        yield _reason(state, 1 << cell & safe, 1 << cell & mines, safe, mines)


def _reason(state: State, safe: Cells, mines: Cells, all_safe: Cells, all_mines: Cells) -> Finding:
    proof = state.shrink(Proof(frozenset(state.numbers), state.total is not None), safe, mines)
    more_safe, more_mines = state.forced(proof)
    safe, mines = more_safe & all_safe, more_mines & all_mines
    return Finding(safe, mines, tuple(sorted(proof.numbers)), words(state, proof, safe, mines), proof.uses_total)


def words(state: State, proof: Proof, safe: Cells, mines: Cells) -> str:
    """The conclusion, with everything it rests on."""
    names = [f"the {state.name(number)}" for number in sorted(proof.numbers)]
    if proof.uses_total:
        names.append(f"the total of {state.total} mines")
    leave = "leaves" if len(names) == 1 else "leave"
    text = f"{listing(names)} {leave} no other way: in every layout that fits, {conclusion(state, safe, mines)}."
    return text[0].upper() + text[1:]


def conclusion(state: State, safe: Cells, mines: Cells) -> str:
    """``(1,1) is safe and (1,2) and (1,3) are mines``."""
    parts = []
    if safe:
        parts.append(f"{state.list(safe)} {'is' if safe.bit_count() == 1 else 'are'} safe")
    if mines:
        parts.append(f"{state.list(mines)} {'is a mine' if mines.bit_count() == 1 else 'are mines'}")
    return " and ".join(parts)
