"""Suppose, and follow the consequences: `contradiction`.

Idea    Suppose a cell a mine and let every number that is then settled decide its other cells, and so on. If a number
        can no longer be satisfied, the cell is safe; the other way round it is a mine. Minedetector's document proposes
        this for the boards its bounds cannot solve.
Cost    Two suppositions for each unknown cell next to a number, each followed by single-number steps only.
Limits  Consequences of two numbers together are not followed, so a supposition that fails only later goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mineproof.deduction.state import Cells, Finding, State, bits


@dataclass
class _Trial:
    """A supposition and what follows from it."""

    mines: Cells
    safe: Cells
    steps: list[tuple[int, Cells, bool]] = field(default_factory=list)  # number, cells it decides, as mines
    broken: int | None = None  # the number that cannot be satisfied


def find(state: State) -> Iterator[Finding]:
    """Cells of which one supposition fails, the shortest arguments first."""
    around = _numbers_by_cell(state)
    failed = []
    for cell in sorted(around):
        for mine in (True, False):
            trial = _follow(state, around, cell, mine)
            if trial.broken is not None:
                failed.append((len(trial.steps), cell, mine, trial))
                break
    for _, cell, mine, trial in sorted(failed, key=lambda each: (each[0], each[2] is False, each[1])):
        yield _finding(state, cell, mine, trial)


def retell(state: State, finding: Finding, numbers: frozenset[int]) -> Finding | None:
    """The same conclusion argued with these numbers only; None if they do not suffice for single steps."""
    cell = (finding.safe | finding.mines).bit_length() - 1
    around = {other: [n for n in near if n in numbers] for other, near in _numbers_by_cell(state).items()}
    trial = _follow(state, around, cell, bool(finding.safe))
    return None if trial.broken is None else _finding(state, cell, bool(finding.safe), trial)


def _numbers_by_cell(state: State) -> dict[int, list[int]]:
    around: dict[int, list[int]] = {}
    for number, restriction in state.restrictions().items():
        for cell in bits(restriction.cells):
            around.setdefault(cell, []).append(number)
    return around


def _follow(state: State, around: dict[int, list[int]], cell: int, mine: bool) -> _Trial:
    trial = _Trial(mines=1 << cell if mine else 0, safe=0 if mine else 1 << cell)
    pending = list(around.get(cell, ()))
    for number in pending:  # grows while it is gone through
        restriction = state.restriction(number)
        left = restriction.cells & ~(trial.mines | trial.safe)
        need = restriction.need - (restriction.cells & trial.mines).bit_count()
        if not 0 <= need <= left.bit_count():
            trial.broken = number
            return trial
        if left and need in (0, left.bit_count()):
            trial.steps.append((number, left, need > 0))
            if need:
                trial.mines |= left
            else:
                trial.safe |= left
            pending += (other for each in bits(left) for other in around.get(each, ()))
    return trial


def _finding(state: State, cell: int, mine: bool, trial: _Trial) -> Finding:
    assert trial.broken is not None
    steps = _needed(state, trial)
    numbers = tuple(dict.fromkeys([*(number for number, _, _ in steps), trial.broken]))
    text = _words(state, cell, mine, steps, trial.broken)
    return Finding(1 << cell if mine else 0, 0 if mine else 1 << cell, numbers, text)


def _needed(state: State, trial: _Trial) -> list[tuple[int, Cells, bool]]:
    """The steps that lead to the broken number, in order."""
    assert trial.broken is not None
    wanted = state.numbers[trial.broken]
    kept = []
    for number, cells, as_mines in reversed(trial.steps):
        if cells & wanted:
            kept.append((number, cells & wanted, as_mines))
            wanted |= state.numbers[number]
    return kept[::-1]


def _words(state: State, cell: int, mine: bool, steps: list[tuple[int, Cells, bool]], broken: int) -> str:
    steps_in_words = [
        f"the {state.name(number)} would make {state.list(cells)} {_as('mine' if as_mines else 'safe', cells)}"
        for number, cells, as_mines in steps
    ]
    steps_in_words.append(f"the {state.name(broken)} could not be right")
    path = f"{', '.join(steps_in_words[:-1])}{' and ' if steps_in_words[:-1] else ''}{steps_in_words[-1]}"
    supposed, verdict = ("a mine", "safe") if mine else ("safe", "a mine")
    return f"Suppose {state.at(cell)} were {supposed}: then {path}. So {state.at(cell)} is {verdict}."


def _as(verdict: str, cells: Cells) -> str:
    one = cells.bit_count() == 1
    if verdict == "mine":
        return "a mine" if one else "mines"
    return "safe"
