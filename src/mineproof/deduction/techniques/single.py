"""One number on its own: `single-open` and `single-flag`.

Idea    A number whose mines are all known makes its other cells safe; a number with no more unknown cells than mines
        to go makes them all mines. These two are FairMinesweeper's rules 1 and 2 and Truffle-Swine Keeper's heuristic.
Cost    One look at each number.
Limits  Two numbers are never compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.base.words import plural
from mineproof.deduction.state import Finding, State, as_set


def find_open(state: State) -> Iterator[Finding]:
    """Numbers whose mines are all known; most cells first."""
    done = [(each.cells.bit_count(), number) for number, each in state.restrictions().items() if each.need == 0]
    for _, number in sorted(done, key=lambda each: -each[0]):
        if cells := state.restriction(number).cells:  # again: what was found meanwhile may have left fewer
            yield Finding(cells, 0, (number,), _open_words(state, number, cells))


def find_flag(state: State) -> Iterator[Finding]:
    """Numbers that need every unknown cell they have."""
    for number in state.restrictions():
        cells, need = state.restriction(number)
        if cells and need == cells.bit_count():
            yield Finding(0, cells, (number,), _flag_words(state, number, cells))


def _open_words(state: State, number: int, cells: int) -> str:
    conclusion = f"so {state.list(cells)} {'is' if cells.bit_count() == 1 else 'are'} safe."
    if state.codes[number] == 0:
        return f"The {state.name(number)} touches no mine, {conclusion}"
    mines = state.list(as_set(state.known_mines_around(number)))
    have = "its mine" if state.codes[number] == 1 else f"all its {state.codes[number]} mines"
    return f"The {state.name(number)} already has {have}, {mines}, {conclusion}"


def _flag_words(state: State, number: int, cells: int) -> str:
    count = cells.bit_count()
    conclusion = "it is a mine" if count == 1 else "they are all mines" if count > 2 else "both are mines"
    only = "the only covered cell" if count == 1 else "the only covered cells"
    around = "around it" if cells == state.numbers[number] else "left around it"
    are = "is" if count == 1 else "are"
    needs = f"The {state.name(number)} {state.needs(number)} {plural(count, 'mine')}"
    return f"{needs}, and {state.list(cells)} {are} {only} {around}: {conclusion}."
