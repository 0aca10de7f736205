"""Trial and error: `contradiction`.

Idea    Suppose a cell is a mine and let every number that is then settled decide its other cells, and so on. If a
        number can no longer be satisfied, the cell is safe. If the cell cannot be safe, it is a mine. Minedetector's
        document proposes this for the boards its bounds cannot solve. Cells that fail for the same reasons are one
        finding.
Cost    Two suppositions for each unknown cell next to a number, each followed by single-number steps only.
Limits  Consequences of two numbers together are not followed, so a supposition that fails only later goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof.deduction.state import Cells, Finding, State
from mineproof.deduction.technique import Technique
from mineproof.deduction.techniques.supposition import Consequence, NumberRules, Trial, follow_up, numbers_of, suppose
from mineproof.wording.clauses import ARGUMENT, Clause


class _Refutation(NamedTuple):
    """Why a supposition fails."""

    rules: NumberRules
    trial: Trial
    reasons: list[Consequence]
    numbers: tuple[int, ...]


def find(state: State) -> Iterator[Finding]:
    """Find cells where one supposition fails: the fewest numbers first, then safe cells, then short arguments."""
    rules = NumberRules.of(state, deadline=state.deadline)
    groups: dict[tuple[object, ...], tuple[_Refutation, Cells, bool]] = {}
    for cell in sorted(rules.around):
        for mine in (True, False):
            if refutation := _refute(rules, cell, mine):
                key = (mine, refutation.trial.broken, *refutation.reasons)
                first, cells, _ = groups.get(key, (refutation, 0, mine))
                groups[key] = (first, cells | 1 << cell, mine)
                break
    for refutation, cells, mine in sorted(
        groups.values(), key=lambda group: (len(group[0].numbers), not group[2], len(group[0].reasons), group[1])
    ):
        parts = (
            suppose(state, cells, mines=mine),
            *follow_up(state, refutation.rules, refutation.trial),
            state.safe_or_mines("so", cells, mines=not mine),
        )
        yield Finding(
            cells if mine else 0,
            0 if mine else cells,
            refutation.numbers,
            Clause(ARGUMENT, parts=parts),
            chain=len(refutation.reasons) + 1,
        )


def _refute(rules: NumberRules, cell: int, mine: bool) -> _Refutation | None:
    """Refute a supposition with a minimal set of numbers; None if it does not fail."""
    supposition = (1 << cell, 0) if mine else (0, 1 << cell)
    refutation = _refutation(rules, rules.follow(*supposition))
    if refutation is None:
        return None
    for number in refutation.numbers:
        fewer = rules.only(other for other in refutation.numbers if other != number)
        refutation = _refutation(fewer, fewer.follow(*supposition)) or refutation
    return refutation


def _refutation(rules: NumberRules, trial: Trial) -> _Refutation | None:
    if trial.broken is None:
        return None
    reasons = rules.reasons(trial)
    return _Refutation(rules, trial, reasons, numbers_of(reasons, trial.broken))


TECHNIQUE = Technique(
    "contradiction",
    find,
    fewest_numbers=3,
    start_rating=1800.0,
    weekday=4,
    looks_at="the consequences of a supposition",
    origin="proposed in Minedetector's document",
)
