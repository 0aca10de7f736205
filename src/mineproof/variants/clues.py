"""Clue rules: what a clue says about the cells around it.

Two kinds are enough. A `SumRule` says which sums of its cells a clue allows, with a coefficient for each cell. A
`PatternRule` says whether it allows a pattern, the values of its cells in order. Both are small objects that anybody
can write; the built-in ones below are examples.

A clue is a number, or a tuple of numbers for rules such as ``wall``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeAlias

from mineproof.base import checks
from mineproof.variants.area import RING, SQUARES, WITH_COLOURS, WITH_RING, Offset

Clue: TypeAlias = int | tuple[int, ...]

CROSS: tuple[Offset, ...] = tuple((step * row, step * column) for row, column in RING[1::2] for step in (1, 2))
KNIGHT: tuple[Offset, ...] = tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c))

MAX_PATTERNS = 1 << 16  # of one clue


def _one(row: int, column: int) -> int:
    return 1


@dataclass(frozen=True, slots=True)
class SumRule:
    """A clue that allows some sums of its cells.

    ``sums(clue, most)`` returns the allowed sums, ``most`` being the largest possible one; the least is ``-most``.
    ``coefficient(row, column)`` is what a mine in a cell counts for. ``offsets`` name other cells than those that touch
    the clue, which are those of the shape of the board, not only `RING`. ``shapes`` are the board shapes that the rule
    is for; None stands for all.
    """

    name: str
    sums: Callable[[int, int], Iterable[int]]
    offsets: tuple[Offset, ...] = RING
    coefficient: Callable[[int, int], int] = _one
    shapes: tuple[str, ...] | None = None

    def compile(self, clue: Clue, cells: Sequence[Offset | None], cell_max: int) -> tuple[list[int], list[int]]:
        """Return the coefficient of each cell and the allowed sums; None stands for a cell off the board."""
        if not isinstance(clue, int):
            raise ValueError(f"{self.name}: expected one number, got {clue_text(clue)}")
        factors = [0 if cell is None else self.coefficient(*cell) for cell in cells]
        most = cell_max * sum(map(abs, factors))
        return factors, sorted({total for total in self.sums(clue, most) if -most <= total <= most})


@dataclass(frozen=True, slots=True)
class PatternRule:
    """A clue that allows some patterns: ``allows(clue, values)`` sees the values of the cells in order.

    The order is that around the clue, from the top left on, or that of the ``offsets``. Cells that are open or off the
    board have the value 0. ``shapes`` are the board shapes that the rule is for.
    """

    name: str
    allows: Callable[[Clue, tuple[int, ...]], bool]
    offsets: tuple[Offset, ...] = RING
    shapes: tuple[str, ...] | None = WITH_RING

    def compile(self, clue: Clue, cells: Sequence[Offset | None], cell_max: int) -> tuple[list[int], list[int]]:
        """Return coefficients that give each pattern a sum of its own, and the sums of the allowed patterns."""
        free = [place for place, cell in enumerate(cells) if cell is not None]
        base = cell_max + 1
        if base ** len(free) > MAX_PATTERNS:
            raise ValueError(f"{self.name}: {len(free)} cells with values up to {cell_max} have too many patterns")
        factors = [0] * len(cells)
        for digit, place in enumerate(free):
            factors[place] = base**digit
        sums = []
        for values in itertools.product(range(base), repeat=len(free)):
            pattern = [0] * len(cells)
            for place, value in zip(free, values, strict=True):
                pattern[place] = value
            if self.allows(clue, tuple(pattern)):
                sums.append(sum(factors[place] * value for place, value in zip(free, values, strict=True)))
        return factors, sorted(sums)


ClueRule: TypeAlias = SumRule | PatternRule


def clue_text(clue: Clue) -> str:
    """Return a clue as position texts write it: ``2+3``."""
    return "+".join(map(str, clue)) if isinstance(clue, tuple) else str(clue)


# built in


def runs(values: Sequence[int]) -> tuple[int, ...]:
    """Return the lengths of the runs of mines around a ring, ascending."""
    if all(values):
        return (len(values),)
    start = next(place for place, value in enumerate(values) if not value)
    turned = [*values[start:], *values[:start]]
    return tuple(sorted(len(list(run)) for mined, run in itertools.groupby(turned, bool) if mined))


def _as_runs(clue: Clue) -> tuple[int, ...]:
    lengths = clue if isinstance(clue, tuple) else (clue,)
    return tuple(sorted(length for length in lengths if length))


def _double_if_dark(row: int, column: int) -> int:
    return 1 + (row + column) % 2


def _negative_if_dark(row: int, column: int) -> int:
    return 1 - 2 * ((row + column) % 2)


CLASSIC = SumRule("classic", lambda clue, most: [clue])
LIAR = SumRule("liar", lambda clue, most: [clue - 1, clue + 1])
AT_LEAST = SumRule("at-least", lambda clue, most: range(clue, most + 1))
AT_MOST = SumRule("at-most", lambda clue, most: range(clue + 1))
MULTIPLE = SumRule("multiple", lambda clue, most: [clue], coefficient=_double_if_dark, shapes=WITH_COLOURS)
NEGATION = SumRule("negation", lambda clue, most: [clue, -clue], coefficient=_negative_if_dark, shapes=WITH_COLOURS)
CROSS_RULE = SumRule("cross", lambda clue, most: [clue], offsets=CROSS, shapes=SQUARES)
KNIGHT_RULE = SumRule("knight", lambda clue, most: [clue], offsets=KNIGHT, shapes=SQUARES)
WALL = PatternRule("wall", lambda clue, values: runs(values) == _as_runs(clue))
PARTITION = PatternRule("partition", lambda clue, values: len(runs(values)) == clue)


def _at_cap(cap: int, clue: int, most: int) -> Iterable[int]:
    return range(cap, most + 1) if clue == cap else [clue] if clue < cap else []


def _same_rest(divisor: int, clue: int, most: int) -> Iterable[int]:
    return range(clue % divisor, most + 1, divisor) if 0 <= clue < divisor else []


@lru_cache
def capped_rule(cap: int) -> SumRule:
    """Return the rule of numbers that are cut off: the largest one, ``cap``, means "at least as many"."""
    return SumRule(f"capped:{cap}", partial(_at_cap, checks.whole("cap", cap, 1)))


@lru_cache
def modulo_rule(divisor: int) -> SumRule:
    """Return the rule of numbers that are the rest of a division."""
    return SumRule(f"modulo:{divisor}", partial(_same_rest, checks.whole("divisor", divisor, 2)))


BUILT_IN: dict[str, ClueRule] = {
    rule.name: rule
    for rule in (
        CLASSIC, LIAR, AT_LEAST, AT_MOST, MULTIPLE, NEGATION, CROSS_RULE, KNIGHT_RULE, WALL, PARTITION
    )
}  # fmt: skip
WITH_NUMBER: dict[str, Callable[[int], SumRule]] = {"capped": capped_rule, "modulo": modulo_rule}
CLUE_RULES = (*BUILT_IN, *(f"{name}:N" for name in WITH_NUMBER))


def clue_rule(rule: str | ClueRule) -> ClueRule:
    """Return a rule by name, such as ``liar`` or ``modulo:3``; rules are returned as they are.

    >>> clue_rule("modulo:3").name
    'modulo:3'
    """
    if isinstance(rule, SumRule | PatternRule):
        return rule
    name, _, number = checks.instance("clues", rule, str, "or a SumRule or PatternRule").partition(":")
    if name in WITH_NUMBER and number.isdecimal() and len(number) <= 3:
        return WITH_NUMBER[name](int(number))
    if rule not in BUILT_IN:
        raise ValueError(f"clues must be one of {', '.join(CLUE_RULES)}, got {rule!r}")
    return BUILT_IN[rule]
