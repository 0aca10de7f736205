"""Restrictions split by each other: `partition`.

Idea    If all cells of one restriction are inside another, the rest of the larger one has the difference of their
        mines. The rest is a restriction too, so the splitting is repeated. A restriction that needs none or all of its
        cells decides them. This is FairMinesweeper's rule 3, with known mines subtracted from the numbers first, which
        the original forgets.
Cost    Each restriction is compared with those that share a cell with it. Chains are explored by how many numbers they
        use, so the shortest argument comes first. At most `MAX_RESTRICTIONS` restrictions are made.
Limits  Sets that overlap without one containing the other are not compared; `bounds` does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.deduction.state import Cells, Finding, Restriction, State, bits
from mineproof.deduction.technique import Technique
from mineproof.wording.clauses import ARGUMENT, Clause

MAX_RESTRICTIONS = 2000


@dataclass(frozen=True, slots=True)
class _Overlap:
    """A restriction and where it comes from: a number, and the restrictions subtracted from it in order."""

    restriction: Restriction
    number: int
    without: tuple[_Overlap, ...] = ()

    def numbers(self) -> tuple[int, ...]:
        inner = dict.fromkeys(number for part in self.without for number in part.numbers())
        return (*inner, self.number) if self.number not in inner else tuple(inner)


def find(state: State) -> Iterator[Finding]:
    """Find cells that are decided by subtracting restrictions; the fewest numbers first, then safe cells."""
    parts: dict[Cells, _Overlap] = {}
    for number, restriction in state.restrictions().items():
        parts.setdefault(restriction.cells, _Overlap(restriction, number))
    by_cell: dict[int, list[_Overlap]] = {}
    fresh = list(parts.values())
    while fresh and len(parts) < MAX_RESTRICTIONS:
        for part in fresh:
            for cell in bits(part.restriction.cells):
                by_cell.setdefault(cell, []).append(part)
        made: dict[Cells, _Overlap] = {}
        for part in fresh:
            for new in _split(part, by_cell):
                if new.restriction.cells not in parts and new.restriction.cells not in made:
                    made[new.restriction.cells] = new
        decided = [new for new in made.values() if new.restriction.need in (0, new.restriction.cells.bit_count())]
        for new in sorted(decided, key=lambda part: (len(part.numbers()), part.restriction.need > 0)):
            yield _finding(state, new)
        parts |= made
        fresh = list(made.values())


def _split(part: _Overlap, by_cell: dict[int, list[_Overlap]]) -> Iterator[_Overlap]:
    """Yield what one restriction leaves of its neighbours, and they of it."""
    near = {id(other): other for cell in bits(part.restriction.cells) for other in by_cell[cell]}
    for other in near.values():
        if part.restriction.cells & ~other.restriction.cells == 0 != other.restriction.cells & ~part.restriction.cells:
            yield _subtract(other, part)
        elif (
            other.restriction.cells & ~part.restriction.cells == 0 != part.restriction.cells & ~other.restriction.cells
        ):
            yield _subtract(part, other)


def _subtract(outer: _Overlap, inner: _Overlap) -> _Overlap:
    restriction = Restriction(
        outer.restriction.cells & ~inner.restriction.cells, outer.restriction.need - inner.restriction.need
    )
    return _Overlap(restriction, outer.number, (*outer.without, inner))


def _finding(state: State, part: _Overlap) -> Finding:
    cells, need = part.restriction
    safe, mines = (cells, 0) if need == 0 else (0, cells)
    return Finding(safe, mines, part.numbers(), _argument(state, part), chain=_length(part))


def _length(part: _Overlap) -> int:
    """Return how often one restriction is subtracted from another."""
    return sum(1 + _length(inner) for inner in part.without)


def _argument(state: State, part: _Overlap) -> Clause:
    """Every restriction that is subtracted, then the number they are subtracted from, then what follows."""
    cells, need = part.restriction
    return Clause(
        ARGUMENT,
        parts=(
            *(_premise(state, inner) for inner in part.without),
            _needs(state, part.number, state.restriction(part.number)),
            state.safe_or_mines("so", cells, mines=need > 0),
        ),
    )


def _premise(state: State, part: _Overlap) -> Clause:
    if not part.without:
        return _needs(state, part.number, part.restriction)
    cells, need = part.restriction
    return Clause("together-leave", state.cells(cells), state.number_list(part.numbers()), need)


def _needs(state: State, number: int, restriction: Restriction) -> Clause:
    return Clause("needs", state.cells(restriction.cells), (state.number(number),), restriction.need)


TECHNIQUE = Technique(
    "partition",
    find,
    fewest_numbers=2,
    start_rating=1200.0,
    skipped_positions=8,
    weekday=0,
    looks_at="numbers whose cells are inside another's",
    origin="FairMinesweeper rule 3",
)
