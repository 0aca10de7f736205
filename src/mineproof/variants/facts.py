"""What a single constraint allows, given the possible values of its cells.

Partial sums are kept cell by cell, forwards and backwards. A value of a cell is possible if it joins a partial sum that
can be reached to one from which an allowed sum can be reached. So a clue with 256 patterns costs as little as a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mineproof.problems.problem import Constraint
from mineproof.wording.variant_clauses import Source

Values = tuple[int, ...]  # the possible values of a cell, ascending
Domains = Sequence[Values]


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A constraint of a board and where it comes from; ``place`` is its number in the problem, or -1 for the total."""

    place: int
    constraint: Constraint
    source: Source
    is_sum: bool = field(init=False)  # does it count mines, each once?
    sums: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_sum", set(self.constraint.coefficients) <= {1})
        object.__setattr__(self, "sums", frozenset(self.constraint.sums))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells, as variables."""
        return self.constraint.cells

    def unknown(self, domains: Domains) -> list[int]:
        """Return the cells with several possible values."""
        return [cell for cell in self.cells if len(domains[cell]) > 1]

    def possible(self, domains: Domains) -> dict[int, Values] | None:
        """Return the values that the unknown cells can have by this constraint alone, or None if nothing fits."""
        layers = self._layers(domains)
        if layers is None:
            return None
        values: dict[int, Values] = {}
        pairs = zip(self.cells, self.constraint.coefficients, strict=True)
        for place, (cell, factor) in enumerate(pairs):
            if len(domains[cell]) > 1:
                here, after = layers[place], layers[place + 1]
                values[cell] = tuple(v for v in domains[cell] if any(total + factor * v in after for total in here))
        return values

    def _layers(self, domains: Domains) -> list[set[int]] | None:
        """Return the partial sums before each cell, and after the last, that belong to an allowed sum."""
        forward = [{0}]
        for cell, factor in zip(self.cells, self.constraint.coefficients, strict=True):
            steps = [factor * value for value in domains[cell]]
            forward.append({total + step for total in forward[-1] for step in steps})
        alive = forward[-1] & self.sums
        if not alive:
            return None
        layers = [alive]
        for place in range(len(self.cells) - 1, -1, -1):
            steps = [self.constraint.coefficients[place] * value for value in domains[self.cells[place]]]
            alive = {total for total in forward[place] if any(total + step in alive for step in steps)}
            layers.append(alive)
        return layers[::-1]

    def ways(self, domains: Domains) -> int:
        """Return the number of ways to fill the unknown cells that fit this constraint."""
        counts = {0: 1}
        for cell, factor in zip(self.cells, self.constraint.coefficients, strict=True):
            later: dict[int, int] = {}
            for total, count in counts.items():
                for value in domains[cell]:
                    later[total + factor * value] = later.get(total + factor * value, 0) + count
            counts = later
        return sum(count for total, count in counts.items() if total in self.sums)

    def mines_allowed(self, domains: Domains) -> tuple[int, int]:
        """Return the least and the most mines in the unknown cells that fit this constraint."""
        reached: dict[int, tuple[int, int]] = {0: (0, 0)}
        for cell, factor in zip(self.cells, self.constraint.coefficients, strict=True):
            later: dict[int, tuple[int, int]] = {}
            is_known = len(domains[cell]) == 1
            for total, (least, most) in reached.items():
                for value in domains[cell]:
                    mines = 0 if is_known else value
                    key = total + factor * value
                    low, high = later.get(key, (least + mines, most + mines))
                    later[key] = min(low, least + mines), max(high, most + mines)
            reached = later
        bounds = [bounds for total, bounds in reached.items() if total in self.sums]
        return min(low for low, _ in bounds), max(high for _, high in bounds)

    def amounts(self, domains: Domains) -> Values:
        """Return the possible numbers of mines in the unknown cells of a constraint that counts mines."""
        known = sum(domains[cell][0] for cell in self.cells if len(domains[cell]) == 1)
        least, most = (sum(domains[cell][end] for cell in self.unknown(domains)) for end in (0, -1))
        return tuple(total - known for total in self.constraint.sums if least <= total - known <= most)


def possible_together(first: Fact, second: Fact, domains: Domains, max_states: int) -> dict[int, Values] | None:
    """Return the values that the unknown cells can have by two constraints together; None if that takes too long.

    There must be a way to satisfy both.
    """
    factors: dict[int, tuple[int, int]] = {}
    for fact, place in ((first, 0), (second, 1)):
        for cell, factor in zip(fact.cells, fact.constraint.coefficients, strict=True):
            pair = factors.get(cell, (0, 0))
            factors[cell] = (factor, pair[1]) if place == 0 else (pair[0], factor)
    cells = list(factors)
    forward: list[set[tuple[int, int]]] = [{(0, 0)}]
    for cell in cells:
        a, b = factors[cell]
        forward.append({(x + a * v, y + b * v) for x, y in forward[-1] for v in domains[cell]})
        if len(forward[-1]) > max_states:
            return None
    alive = {pair for pair in forward[-1] if pair[0] in first.sums and pair[1] in second.sums}
    values: dict[int, Values] = {}
    for place in range(len(cells) - 1, -1, -1):
        cell = cells[place]
        a, b = factors[cell]
        ways = {(x, y, v) for x, y in forward[place] for v in domains[cell] if (x + a * v, y + b * v) in alive}
        alive = {(x, y) for x, y, _ in ways}
        if len(domains[cell]) > 1:
            values[cell] = tuple(sorted({v for _, _, v in ways}))
    return values
