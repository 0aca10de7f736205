"""Suppose, and follow the consequences: `contradiction`.

Idea    Suppose a cell a mine and let every number that is then settled decide its other cells, and so on. If a number
        can no longer be satisfied, the cell is safe; the other way round it is a mine. Minedetector's document proposes
        this for the boards its bounds cannot solve. Cells that fail for the very same reasons are one finding.
Cost    Two suppositions for each unknown cell next to a number, each followed by single-number steps only.
Limits  Consequences of two numbers together are not followed, so a supposition that fails only later goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof.deduction.state import Cells, Finding, State
from mineproof.deduction.techniques.supposing import Consequence, Rules, Trial, numbers_of, path, supposed, verdict


class _Argument(NamedTuple):
    """Why a supposition fails."""

    rules: Rules
    trial: Trial
    reasons: list[Consequence]
    numbers: tuple[int, ...]


def find(state: State) -> Iterator[Finding]:
    """Cells of which one supposition fails: the fewest numbers first, then safe cells, then short arguments."""
    rules = Rules.of(state, deadline=state.deadline)
    groups: dict[tuple[object, ...], tuple[_Argument, Cells, bool]] = {}
    for cell in sorted(rules.around):
        for mine in (True, False):
            if argument := _refute(rules, cell, mine):
                key = (mine, argument.trial.broken, *argument.reasons)
                first, cells, _ = groups.get(key, (argument, 0, mine))
                groups[key] = (first, cells | 1 << cell, mine)
                break
    for argument, cells, mine in sorted(
        groups.values(), key=lambda each: (len(each[0].numbers), not each[2], len(each[0].reasons), each[1])
    ):
        text = f"Suppose {supposed(state, cells, mines=mine)}. Then {path(state, argument.rules, argument.trial)}."
        yield Finding(
            cells if mine else 0,
            0 if mine else cells,
            argument.numbers,
            f"{text} So {verdict(state, cells, mines=not mine)}.",
            chain=len(argument.reasons) + 1,
        )


def _refute(rules: Rules, cell: int, mine: bool) -> _Argument | None:
    """The argument against a supposition, with numbers of which none can be spared; None if none is found."""
    supposition = (1 << cell, 0) if mine else (0, 1 << cell)
    found = _argument(rules, rules.follow(*supposition))
    if found is None:
        return None
    for number in found.numbers:
        less = rules.only(other for other in found.numbers if other != number)
        found = _argument(less, less.follow(*supposition)) or found
    return found


def _argument(rules: Rules, trial: Trial) -> _Argument | None:
    if trial.broken is None:
        return None
    reasons = rules.reasons(trial)
    return _Argument(rules, trial, reasons, numbers_of(reasons, trial.broken))
