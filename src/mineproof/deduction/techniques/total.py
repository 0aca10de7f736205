"""The number of mines left decides: `total`.

Idea    Numbers that share no unknown cell need their mines side by side. If together they need every mine that is
        left, all cells outside them are safe, however far away; if together they leave free every cell that can be
        free, all cells outside them are mines. FairMinesweeper's rule 4, as an argument instead of a search.
Cost    For each component of linked numbers the best choice of numbers without a common cell, by branch and bound,
        with at most `MOST` branches; a component that takes more is counted with the best choice found, which keeps
        the argument sound.
Limits  Only numbers side by side are added up. Subtler consequences of the total are left to `exhaustive`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.base.words import listing, plural
from mineproof.deduction.state import Cells, Finding, Restriction, State

MOST = 2000
MOST_NAMED = 6  # cells named one by one; more are counted

Choice = tuple[int, list[int]]  # what it comes to, and the numbers


def find(state: State) -> Iterator[Finding]:
    """Cells outside of numbers that need all the mines, or all the free cells, there are."""
    mines = state.mines_left
    unknown = state.unknown
    if mines is None or not unknown:
        return
    restrictions = state.restrictions()
    free = unknown.bit_count() - mines
    for as_mines, left in ((False, mines), (True, free)):
        worth = {n: each.cells.bit_count() - each.need if as_mines else each.need for n, each in restrictions.items()}
        if left < 0 or sum(worth.values()) < left:
            continue
        value, numbers = _most(restrictions, worth)
        outside = unknown
        for number in numbers:
            outside &= ~restrictions[number].cells
        if value == left and outside:
            yield _finding(state, outside, as_mines, numbers)


def _finding(state: State, outside: Cells, as_mines: bool, numbers: Sequence[int]) -> Finding:
    text = _words(state, outside, as_mines, numbers)
    safe, mines = (0, outside) if as_mines else (outside, 0)
    return Finding(safe, mines, tuple(numbers), text, uses_total=True, chain=1 + len(numbers))


def _most(restrictions: dict[int, Restriction], worth: dict[int, int]) -> Choice:
    """Numbers without a common cell that come to the most."""
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
        while near := [other for other, each in left.items() if each.cells & reach]:
            for other in near:
                reach |= left.pop(other).cells
            linked += near
        yield sorted(linked)


def _best_of(linked: Sequence[int], restrictions: dict[int, Restriction], worth: dict[int, int]) -> Choice:
    """Branch and bound over the numbers of one component; of choices that come to the same, fewer numbers."""
    order = [number for number in sorted(linked, key=lambda number: -worth[number]) if worth[number]]
    rest = [sum(worth[number] for number in order[at:]) for at in range(len(order) + 1)]
    best: Choice = (0, [])
    branches = 0
    pending: list[tuple[int, Cells, int, list[int]]] = [(0, 0, 0, [])]
    while pending and branches < MOST:
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


def _words(state: State, outside: Cells, as_mines: bool, numbers: Sequence[int]) -> str:
    left, unknown = state.mines_left or 0, state.unknown.bit_count()
    count = outside.bit_count()
    where = state.list(outside) if count <= MOST_NAMED else f"the other {count} covered cells"
    conclusion = f"{where} {_are(count)} {'safe' if not as_mines else 'a mine' if count == 1 else 'mines'}"
    lead = state.count_left()
    if not numbers:
        for_all = f" for {plural(unknown, 'covered cell')}" if as_mines else ""
        return _sentence(f"{lead}{for_all}, so {conclusion}.")
    said = [(state.name(number), state.restriction(number)) for number in numbers]
    if as_mines:
        lead = f"of the {unknown} cells left only {unknown - left} can be free"
        parts = [f"the {name} leaves {each.cells.bit_count() - each.need} of its cells free" for name, each in said]
    else:
        lead = lead.replace("has ", "has only ") if lead.startswith("the") else f"only {lead}"
        parts = [f"the {name} {state.needs(number)} {_amount(left, each.need)}"
                 for number, (name, each) in zip(numbers, said, strict=True)]  # fmt: skip
    apart = ", no cell counted twice," if len(parts) > 1 else ","
    return f"{_sentence(lead)}. {_sentence(listing(parts))}{apart} so {conclusion}."


def _amount(left: int, need: int) -> str:
    """So many of the mines that are left."""
    return str(need) if need < left else {1: "it", 2: "both"}.get(left, "them all")


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
