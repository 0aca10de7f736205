"""What a cell shows: the clues that a rule allows for known mines, their labels, and what a clue alone frees.

Most rules allow exactly one clue. If a rule allows several, as ``liar`` does, a game shows one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from mineproof.variants.area import Offset
from mineproof.variants.clues import Clue, ClueRule, PatternRule, SumRule, runs

Place = Offset | None  # a cell around a clue, or None off the board

NO_CLUE = "?"
SHOWN_CHOICES = 2  # clues that a game chooses from: the nearest to the true sum
_LABELS: dict[str, Callable[[str], str]] = {"at-least": "≥{}".format, "at-most": "≤{}".format}


def shown_clues(rule: ClueRule, around: Sequence[Place], values: Sequence[int], cell_max: int) -> list[Clue]:
    """Return the clues that a cell may show if the cells around it have these values; empty if there is none."""
    if isinstance(rule, PatternRule):
        return _shown_patterns(rule, tuple(values))
    factors = [0 if place is None else rule.coefficient(*place) for place in around]
    total = sum(factor * value for factor, value in zip(factors, values, strict=True))
    table = _sums_of_clues(rule, cell_max * sum(map(abs, factors)))
    allowed = sorted((abs(clue - abs(total)), clue) for clue, sums in enumerate(table) if total in sums)
    return [clue for _, clue in allowed[:SHOWN_CHOICES]]


@lru_cache(maxsize=256)
def _sums_of_clues(rule: SumRule, most: int) -> list[frozenset[int]]:
    return [frozenset(rule.sums(clue, most)) for clue in range(most + 2)]


def _shown_patterns(rule: PatternRule, values: tuple[int, ...]) -> list[Clue]:
    lengths = runs(values)
    as_runs: Clue = lengths if len(lengths) > 1 else lengths[0] if lengths else 0
    if isinstance(as_runs, tuple) and rule.allows(as_runs, values):
        return [as_runs]
    numbers: list[Clue] = [clue for clue in range(sum(values) + 1) if rule.allows(clue, values)]
    return numbers[-SHOWN_CHOICES:]


def clue_text(clue: Clue | None) -> str:
    """Return a clue as positions write it: ``3``, ``2+3``, or ``?`` for an open cell without one."""
    if clue is None:
        return NO_CLUE
    return "+".join(map(str, clue)) if isinstance(clue, tuple) else str(clue)


def clue_label(rule: ClueRule, clue: Clue | None) -> str:
    """Return a clue as players see it.

    >>> from mineproof.variants.clues import clue_rule
    >>> [clue_label(clue_rule(name), 3) for name in ("liar", "at-least", "at-most", "capped:3")]
    ['3', '≥3', '≤3', '3+']
    """
    text = clue_text(clue)
    if clue is None:
        return text
    name, _, number = rule.name.partition(":")
    if name == "capped":
        return f"{text}+" if text == number else text
    return _LABELS[name](text) if name in _LABELS else text


def freed_places(
    factors: Sequence[int], sums: Iterable[int], known: Sequence[int | None], cell_max: int
) -> set[int] | None:
    """Return the unknown cells that are free in every allowed sum; None if no allowed sum is left.

    ``known`` are the values of the cells, None for an unknown one. Cells that do not count are left out.
    """
    base = sum(factor * value for factor, value in zip(factors, known, strict=True) if value is not None)
    rest = {total - base for total in sums}
    unknown = [place for place, value in enumerate(known) if value is None and factors[place]]
    steps = [[factors[place] * value for value in range(cell_max + 1)] for place in unknown]
    before, after = _reachable(steps), _reachable(steps[::-1])
    if before[-1].isdisjoint(rest):
        return None
    freed = set()
    for number, place in enumerate(unknown):
        others = {a + b for a, b in itertools.product(before[number], after[len(unknown) - 1 - number])}
        if not any(total - step in others for total in rest for step in steps[number][1:]):
            freed.add(place)
    return freed


def _reachable(steps: Sequence[Sequence[int]]) -> list[set[int]]:
    """Return the sums of the first none, one, two … cells."""
    sums = [{0}]
    for values in steps:
        sums.append({total + value for total in sums[-1] for value in values})
    return sums
