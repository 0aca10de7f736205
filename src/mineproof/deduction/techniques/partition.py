"""Restrictions split by each other: `partition`.

Idea    When all cells of one restriction lie inside another, the rest of the larger one must hold the difference of
        their mines. The rest is a restriction again, so the splitting is repeated; a restriction that needs none or
        all of its cells decides them. This is FairMinesweeper's rule 3, with mines already known subtracted from the
        numbers first, which the original forgets.
Cost    Each restriction is held against those that share a cell with it. Chains are explored by the number of numbers
        they use, so the shortest argument is found first; at most `MOST` restrictions are made.
Limits  Sets that overlap without one holding the other are not compared; `bounds` does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.base.words import listing, plural
from mineproof.deduction.state import Cells, Finding, Restriction, State, bits

MOST = 2000


@dataclass(frozen=True, slots=True)
class _Part:
    """A restriction and where it comes from: a number, less the restrictions taken out of it one after the other."""

    restriction: Restriction
    number: int
    without: tuple[_Part, ...] = ()

    def numbers(self) -> tuple[int, ...]:
        found = dict.fromkeys(number for part in self.without for number in part.numbers())
        return (*found, self.number) if self.number not in found else tuple(found)


def find(state: State) -> Iterator[Finding]:
    """Cells decided by taking restrictions out of each other, the fewest numbers first, then safe cells."""
    parts: dict[Cells, _Part] = {}
    for number, restriction in state.restrictions().items():
        parts.setdefault(restriction.cells, _Part(restriction, number))
    by_cell: dict[int, list[_Part]] = {}
    fresh = list(parts.values())
    while fresh and len(parts) < MOST:
        for part in fresh:
            for cell in bits(part.restriction.cells):
                by_cell.setdefault(cell, []).append(part)
        made: dict[Cells, _Part] = {}
        for part in fresh:
            for new in _split(part, by_cell):
                if new.restriction.cells not in parts and new.restriction.cells not in made:
                    made[new.restriction.cells] = new
        decided = [new for new in made.values() if new.restriction.need in (0, new.restriction.cells.bit_count())]
        for new in sorted(decided, key=lambda each: (len(each.numbers()), each.restriction.need > 0)):
            yield _finding(state, new)
        parts |= made
        fresh = list(made.values())


def _split(part: _Part, by_cell: dict[int, list[_Part]]) -> Iterator[_Part]:
    """What one restriction leaves of those around it, and they of it."""
    near = {id(other): other for cell in bits(part.restriction.cells) for other in by_cell[cell]}
    for other in near.values():
        if part.restriction.cells & ~other.restriction.cells == 0 != other.restriction.cells & ~part.restriction.cells:
            yield _less(other, part)
        elif (
            other.restriction.cells & ~part.restriction.cells == 0 != part.restriction.cells & ~other.restriction.cells
        ):
            yield _less(part, other)


def _less(outer: _Part, inner: _Part) -> _Part:
    restriction = Restriction(
        outer.restriction.cells & ~inner.restriction.cells, outer.restriction.need - inner.restriction.need
    )
    return _Part(restriction, outer.number, (*outer.without, inner))


def _finding(state: State, part: _Part) -> Finding:
    cells, need = part.restriction
    safe, mines = (cells, 0) if need == 0 else (0, cells)
    return Finding(safe, mines, part.numbers(), _words(state, part), chain=_length(part))


def _length(part: _Part) -> int:
    """How often one restriction is taken out of another."""
    return sum(1 + _length(inner) for inner in part.without)


def _words(state: State, part: _Part) -> str:
    """Every restriction taken away, then the number they are taken from, then what that leaves."""
    lines = [_sentence(state, inner) for inner in part.without]
    outer = state.restriction(part.number)
    lines.append(
        f"the {state.name(part.number)} {state.needs(part.number)} {outer.need} among {state.list(outer.cells)}"
    )
    cells, need = part.restriction
    count = cells.bit_count()
    if need == 0:
        conclusion = f"{state.list(cells)} {'is' if count == 1 else 'are'} safe"
    else:
        conclusion = f"{state.list(cells)} {'is a mine' if count == 1 else 'are mines'}"
    text = f"{'; '.join(lines)}, so {conclusion}."
    return text[0].upper() + text[1:]


def _sentence(state: State, part: _Part) -> str:
    cells, need = part.restriction
    if not part.without:
        where = f"{'in' if cells.bit_count() == 1 else 'among'} {state.list(cells)}"
        return f"the {state.name(part.number)} {state.needs(part.number)} {plural(need, 'mine')} {where}"
    names = listing([f"the {state.name(number)}" for number in part.numbers()])
    return f"{names} together leave {plural(need, 'mine')} for {state.list(cells)}"
