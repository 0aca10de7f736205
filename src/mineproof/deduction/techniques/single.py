"""One number on its own: `single-open` and `single-flag`.

Idea    A number whose mines are all known makes its other cells safe. A number with exactly as many unknown cells as
        missing mines makes them all mines. These two are FairMinesweeper's rules 1 and 2 and Truffle-Swine Keeper's
        heuristic.
Cost    One look at each number.
Limits  Two numbers are never compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.deduction.state import Cells, Finding, State, as_set
from mineproof.deduction.technique import Technique
from mineproof.wording.clauses import ARGUMENT, Clause


def find_open(state: State) -> Iterator[Finding]:
    """Find numbers whose mines are all known; those with most cells first."""
    done = [(left.cells.bit_count(), number) for number, left in state.restrictions().items() if left.need == 0]
    for _, number in sorted(done, key=lambda pair: -pair[0]):
        if cells := state.restriction(number).cells:  # again, because earlier findings may have left fewer
            yield Finding(cells, 0, (number,), _open_argument(state, number, cells))


def find_flag(state: State) -> Iterator[Finding]:
    """Find numbers that need every unknown cell around them."""
    for number in state.restrictions():
        cells, need = state.restriction(number)
        if cells and need == cells.bit_count():
            yield Finding(0, cells, (number,), _flag_argument(state, number, cells))


def _open_argument(state: State, number: int, cells: Cells) -> Clause:
    place = (state.number(number),)
    if state.codes[number] == 0:
        premise = Clause("needs", numbers=place, count=0)
    else:
        premise = Clause("has-mines", state.cells(as_set(state.known_mines_around(number))), place)
    return Clause(ARGUMENT, parts=(premise, Clause("so-safe", state.cells(cells))))


def _flag_argument(state: State, number: int, cells: Cells) -> Clause:
    named = state.cells(cells)
    needs = Clause("needs", numbers=(state.number(number),), count=len(named))
    return Clause(ARGUMENT, parts=(needs, Clause("only-cells", named), Clause("so-mines", named)))


OPEN = Technique(
    "single-open",
    find_open,
    fewest_numbers=1,
    start_rating=700.0,
    single=True,
    skipped_positions=16,
    looks_at="one number whose mines are known",
    origin="FairMinesweeper rule 1, Truffle-Swine Keeper",
)
FLAG = Technique(
    "single-flag",
    find_flag,
    fewest_numbers=1,
    start_rating=800.0,
    single=True,
    finds_mines_only=True,
    skipped_positions=16,
    looks_at="one number that needs all its cells",
    origin="FairMinesweeper rule 2, Truffle-Swine Keeper",
)
