"""The number of mines left decides: `total`.

Idea    Numbers that share no unknown cell need different mines. If together they need every mine that is left, all
        cells outside them are safe, however far away. If the mines that they leave over are as many as the cells
        outside them, all those cells are mines. FairMinesweeper's rule 4, as an argument instead of a search.
Cost    For each component of linked numbers the best choice of numbers without a common cell, by branch and bound,
        with at most `MAX_BRANCHES` branches. A component that takes more is counted with the best choice so far, which
        keeps the argument sound.
Limits  Only numbers without a common cell are added up. Other consequences of the total are left to `exhaustive`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.deduction.state import Cells, Finding, Restriction, State
from mineproof.deduction.technique import Technique
from mineproof.wording.clauses import ARGUMENT, Clause

MAX_BRANCHES = 2000
MAX_NAMED_CELLS = 6  # of a conclusion; more are counted

Choice = tuple[int, list[int]]  # sum, and the numbers that are added


def find(state: State) -> Iterator[Finding]:
    """Find cells outside of numbers that account for all mines left, or for all safe cells left."""
    mines = state.mines_left
    unknown = state.unknown
    if mines is None or not unknown:
        return
    restrictions = state.restrictions()
    free = unknown.bit_count() - mines
    for as_mines, left in ((False, mines), (True, free)):
        worth = {
            number: cells.bit_count() - need if as_mines else need for number, (cells, need) in restrictions.items()
        }
        if left < 0 or sum(worth.values()) < left:
            continue
        value, numbers = _largest_sum(restrictions, worth)
        outside = unknown
        for number in numbers:
            outside &= ~restrictions[number].cells
        if value == left and outside:
            yield _finding(state, outside, as_mines, numbers)


def _finding(state: State, outside: Cells, as_mines: bool, numbers: Sequence[int]) -> Finding:
    argument = _argument(state, outside, as_mines, numbers)
    safe, mines = (0, outside) if as_mines else (outside, 0)
    return Finding(safe, mines, tuple(numbers), argument, uses_total=True, chain=1 + len(numbers))


def _largest_sum(restrictions: dict[int, Restriction], worth: dict[int, int]) -> Choice:
    """Return numbers without a common cell that have the largest sum."""
    best: Choice = (0, [])
    for linked in _components(restrictions):
        value, numbers = _best_of(linked, restrictions, worth)
        best = (best[0] + value, best[1] + numbers)
    return best[0], sorted(best[1])


def _components(restrictions: dict[int, Restriction]) -> Iterator[list[int]]:
    left = dict(restrictions)
    while left:
        number, first = left.popitem()
        linked, reach = [number], first.cells
        while near := [other for other, restriction in left.items() if restriction.cells & reach]:
            for other in near:
                reach |= left.pop(other).cells
            linked += near
        yield sorted(linked)


def _best_of(linked: Sequence[int], restrictions: dict[int, Restriction], worth: dict[int, int]) -> Choice:
    """Search the numbers of one component by branch and bound; of equal sums take fewer numbers."""
    order = [number for number in sorted(linked, key=lambda number: -worth[number]) if worth[number]]
    rest = [sum(worth[number] for number in order[at:]) for at in range(len(order) + 1)]
    best: Choice = (0, [])
    branches = 0
    pending: list[tuple[int, Cells, int, list[int]]] = [(0, 0, 0, [])]
    while pending and branches < MAX_BRANCHES:
        at, used, value, chosen = pending.pop()
        branches += 1
        if (value, -len(chosen)) > (best[0], -len(best[1])):
            best = value, chosen
        if at == len(order) or value + rest[at] < best[0]:
            continue
        number = order[at]
        pending.append((at + 1, used, value, chosen))
        if not restrictions[number].cells & used:
            pending.append((at + 1, used | restrictions[number].cells, value + worth[number], [*chosen, number]))
    return best


def _argument(state: State, outside: Cells, as_mines: bool, numbers: Sequence[int]) -> Clause:
    left, unknown = state.mines_left or 0, state.unknown.bit_count()
    count = outside.bit_count()
    so = "so-all" if outside == state.covered and not state.flags and count > MAX_NAMED_CELLS else "so"
    end = state.safe_or_mines(so, outside, mines=as_mines, count=count if count > MAX_NAMED_CELLS else None)
    needs = [state.restriction(number).need for number in numbers]
    reasons = [
        Clause("needs", numbers=(state.number(number),), count=need)
        for number, need in zip(numbers, needs, strict=True)
    ]
    if as_mines and numbers:
        reasons += [Clause("need-together", count=sum(needs))] if len(numbers) > 1 else []
        reasons.append(Clause("rest-are-mines", count=count))
    elif as_mines:
        reasons.append(Clause("cells-left", count=unknown))
    elif numbers:
        reasons.append(Clause("all-used") if len(numbers) == 1 else Clause("all-used-together", count=left))
    return Clause(ARGUMENT, parts=(state.count_left(), *reasons, end))


TECHNIQUE = Technique(
    "total",
    find,
    fewest_numbers=2,
    start_rating=1600.0,
    weekday=3,
    looks_at="the mines that are left",
    origin="FairMinesweeper rule 4",
)
