"""A problem: variables, constraints on them, and what is known of their total.

Variables are numbered from 0. Each has the values 0 to k, with a weight for each value; a solution weighs the product
of the weights of its values. A constraint says which sums of its cells, each times a coefficient, are allowed.

This is enough for much more than numbers on boards. "At least 2 of 4" allows the sums 2, 3 and 4. Any list of allowed
patterns is a constraint with the coefficients 1, 2, 4, 8 and so on. "If a is 1, then b + c = 1" is a constraint with
the coefficients 10, 1 and 1 and the sums 0, 1, 2 and 11.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from mineproof.base import checks
from mineproof.base.cached import cached_property
from mineproof.base.words import plural
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED

MAX_VARIABLES = 1_000_000
MAX_VALUES = 64  # of one variable
MAX_SUM_RANGE = 1 << 20  # of one constraint, from its smallest to its largest possible sum
MAX_DECIMAL_EXPONENT = 400  # of a weight: every float, and nothing that fills the memory with its digits
MAX_WEIGHT = 2**64 - 1  # of a value, once the weights of its variable are whole numbers

Weight: TypeAlias = int | float | Fraction | Decimal
Domain: TypeAlias = tuple[Fraction, ...]  # the weight of each value
Total: TypeAlias = tuple[int, int] | None  # the least and the most

ZERO_ONE: Domain = (Fraction(1), Fraction(1))


class _Fields(NamedTuple):
    cells: tuple[int, ...]
    sums: tuple[int, ...]
    coefficients: tuple[int, ...]
    name: str


class Constraint(_Fields):
    """Cells, a coefficient for each, and the sums that are allowed.

    ``sums`` may be a single number. All coefficients are 1 by default. Coefficients of a repeated cell add up. The
    name stands in error messages and may say anything, such as "the 3 at (0,2)".

    >>> Constraint([0, 1, 2], range(1, 3))
    Constraint([0, 1, 2], [1, 2])
    """

    __slots__ = ()

    def __new__(
        cls, cells: Iterable[int], sums: int | Iterable[int], coefficients: Iterable[int] | None = None, name: str = ""
    ) -> Constraint:
        listed = [checks.whole("cells", cell, 0) for cell in cells]
        factors = [1] * len(listed) if coefficients is None else [checks.whole("coefficients", c) for c in coefficients]
        if len(factors) != len(listed):
            raise ValueError(f"coefficients must have one entry for each of {len(listed)} cells, got {len(factors)}")
        merged: dict[int, int] = {}
        for cell, factor in zip(listed, factors, strict=True):
            merged[cell] = merged.get(cell, 0) + factor
        merged = {cell: factor for cell, factor in merged.items() if factor}
        allowed = sums if isinstance(sums, Iterable) else [sums]
        whole = sorted({checks.whole("sums", total) for total in allowed})
        checks.instance("name", name, str)
        return super().__new__(cls, tuple(merged), tuple(whole), tuple(merged.values()), name)

    def __repr__(self) -> str:
        factors = "" if set(self.coefficients) <= {1} else f", {list(self.coefficients)}"
        name = f", name={self.name!r}" if self.name else ""
        return f"Constraint({list(self.cells)}, {list(self.sums)}{factors}{name})"


class Problem:
    """Variables, constraints and a total; a value that can be compared, hashed and pickled.

    ``variables`` is a number of variables with the values 0 and 1, or a list with one entry for each variable: k for
    the values 0 to k, or a list of weights, one for each value from 0 on. A float stands for the decimal it prints as.
    Constraints are `Constraint` objects, or tuples of cells, coefficients and sums. ``total`` is the sum of all
    variables: a number, or the least and the most. ``density`` is the chance of a 1 for variables with the values 0
    and 1, in place of weights.

    >>> Problem(3, [Constraint([0, 1], 1), ([1, 2], [1, 2], [0, 2])], total=1)
    <Problem: 3 variables, 2 constraints, total 1>
    """

    def __init__(
        self,
        variables: int | Sequence[int | Sequence[Weight]],
        constraints: Iterable[Constraint | Sequence[Any]] = (),
        *,
        total: int | tuple[int, int] | None = None,
        density: Weight | None = None,
    ) -> None:
        self.domains = _read_domains(variables, density)
        self.constraints = tuple(self._read_constraint(place, item) for place, item in enumerate(constraints))
        self.total = _read_total(total)

    @classmethod
    def from_board(cls, board: Board, density: Weight | None = None) -> Problem:
        """Return the problem of a board: a variable for each covered cell, in row order, and a constraint per number.

        Flags are mines. `analyze` answers the same about the board and about its problem.
        """
        codes, geometry = memoryview(board.codes).cast("b"), board.geometry
        variable = {cell: place for place, cell in enumerate(i for i, code in enumerate(codes) if code == COVERED)}
        constraints = []
        for index, number in enumerate(codes):
            if number >= 0:
                around = geometry.neighbours(index)
                rest = number - sum(codes[cell] == FLAGGED for cell in around)
                row, column = divmod(index, geometry.columns)
                cells = [variable[cell] for cell in around if cell in variable]
                constraints.append(Constraint(cells, rest, name=f"the {number} at ({row},{column})"))
        flags = sum(code == FLAGGED for code in codes)
        total = None if board.total_mines is None else board.total_mines - flags
        return cls(len(variable), constraints, total=total, density=density)

    def _read_constraint(self, place: int, item: Any) -> Constraint:
        where = f"constraint {place}"
        constraint = item if isinstance(item, Constraint) else _read_tuple(where, item)
        last = max(constraint.cells, default=-1)
        if last >= len(self.domains):
            raise ValueError(f"{where}: expected cells from 0 to {len(self.domains) - 1}, got {last}")
        if max(map(abs, constraint.coefficients), default=0) > MAX_SUM_RANGE:
            raise ValueError(f"{where}: coefficients must be at most {MAX_SUM_RANGE:,}")
        pairs = zip(constraint.cells, constraint.coefficients, strict=True)
        if sum(abs(factor) * (len(self.domains[cell]) - 1) for cell, factor in pairs) > MAX_SUM_RANGE:
            raise ValueError(f"{where}: its sums must differ by at most {MAX_SUM_RANGE:,}. Use smaller coefficients.")
        return constraint

    @property
    def variables(self) -> int:
        """Number of variables."""
        return len(self.domains)

    def name_of(self, constraint: int) -> str:
        """Return the name of a constraint, or its number."""
        return self.constraints[constraint].name or f"constraint {constraint}"

    def reachable_sums(self, constraint: Constraint) -> tuple[int, ...]:
        """Return the allowed sums between the smallest and the largest that the cells can have."""
        ends = [
            c * (len(self.domains[cell]) - 1) for cell, c in zip(constraint.cells, constraint.coefficients, strict=True)
        ]
        least, most = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
        return tuple(total for total in constraint.sums if least <= total <= most)

    def suppose(self, variable: int, value: int) -> Problem:
        """Return the same problem with one variable decided."""
        domain = self.domains[variable]
        only = tuple(weight if place == value else Fraction(0) for place, weight in enumerate(domain))
        changed = self._with(domains=(*self.domains[:variable], only, *self.domains[variable + 1 :]))
        weights = self.whole_weights
        vars(changed)["whole_weights"] = [*weights[:variable], _whole(only), *weights[variable + 1 :]]
        return changed

    def keep(self, numbers: Sequence[int], *, total: bool) -> Problem:
        """Return the same problem with some of its constraints, and with or without its total."""
        constraints = tuple(self.constraints[number] for number in numbers)
        return self._with(constraints=constraints, total=self.total if total else None)

    def without_weights(self) -> Problem:
        """Return the same problem with the weight 1 for every allowed value."""
        return self._with(domains=tuple(tuple(Fraction(weight > 0) for weight in domain) for domain in self.domains))

    def _with(self, **changes: Any) -> Problem:
        changed = object.__new__(Problem)
        vars(changed).update({name: vars(self)[name] for name in ("domains", "constraints", "total")}, **changes)
        return changed

    @cached_property
    def whole_weights(self) -> list[tuple[int, ...]]:
        """The weights of each variable as whole numbers without a common factor."""
        known: dict[Domain, tuple[int, ...]] = {}
        return [
            known[domain] if domain in known else known.setdefault(domain, _whole(domain)) for domain in self.domains
        ]

    @cached_property
    def scale(self) -> Fraction:
        """What the weight of a solution in whole weights must be multiplied by."""
        scale = Fraction(1)
        for domain, whole in zip(self.domains, self.whole_weights, strict=True):
            place = next(place for place, weight in enumerate(whole) if weight)
            scale *= domain[place] / whole[place]
        return scale

    @property
    def is_weighted(self) -> bool:
        """Do some allowed values weigh more than others, or other than 1?"""
        return any(weight not in (0, 1) for domain in set(self.domains) for weight in domain)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        return self.domains, self.constraints, self.total

    def __repr__(self) -> str:
        least, most = self.total or (0, 0)
        total = "" if self.total is None else f", total {least}" if least == most else f", total {least} to {most}"
        counts = f"{plural(self.variables, 'variable')}, {plural(len(self.constraints), 'constraint')}"
        return f"<Problem: {counts}{total}>"


def _read_tuple(where: str, item: Any) -> Constraint:
    if not isinstance(item, Sequence) or isinstance(item, str) or len(item) != 3:
        raise TypeError(f"{where}: expected a Constraint or (cells, coefficients, sums), got {item!r}")
    cells, coefficients, sums = item
    try:
        return Constraint(cells, sums, coefficients)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{where}: {error}") from None


def _read_domains(variables: Any, density: Weight | None) -> tuple[Domain, ...]:
    if isinstance(variables, Sequence) and not isinstance(variables, str):
        domains = tuple(_read_domain(place, item) for place, item in enumerate(variables))
    else:
        domains = (ZERO_ONE,) * checks.whole("variables", variables, 0, MAX_VARIABLES)
    if density is None:
        return domains
    chance = checks.chance("density", density)
    if set(domains) - {ZERO_ONE}:
        raise ValueError("density needs variables with the values 0 and 1. Give weights instead.")
    return (_checked_weights("density", (1 - chance, chance)),) * len(domains)


def _read_domain(place: int, item: Any) -> Domain:
    where = f"variable {place}"
    if not isinstance(item, Sequence) or isinstance(item, str):
        return (Fraction(1),) * (checks.whole(where, item, 0, MAX_VALUES - 1) + 1)
    if not 1 <= len(item) <= MAX_VALUES:
        raise ValueError(f"{where}: expected 1 to {MAX_VALUES} weights, got {len(item)}")
    return _checked_weights(where, tuple(_read_weight(where, weight) for weight in item))


def _read_weight(where: str, weight: Any) -> Fraction:
    if isinstance(weight, float):
        weight = Decimal(repr(weight))
    if isinstance(weight, Decimal) and weight.is_finite() and abs(weight.adjusted()) < MAX_DECIMAL_EXPONENT:
        weight = Fraction(weight)
    if isinstance(weight, int | Fraction) and not isinstance(weight, bool) and weight >= 0:
        return Fraction(weight)
    raise ValueError(f"{where}: expected weights of at least 0, got {checks.shorten(weight)}")


def _checked_weights(where: str, domain: Domain) -> Domain:
    if not any(domain):
        raise ValueError(f"{where}: expected a weight above 0 for at least one value")
    if max(_whole(domain)) > MAX_WEIGHT:
        raise ValueError(f"{where}: the weights are too far apart or too precise. Use fewer digits.")
    return domain


def _whole(domain: Domain) -> tuple[int, ...]:
    unit = math.lcm(*(weight.denominator for weight in domain))
    whole = [int(weight * unit) for weight in domain]
    common = math.gcd(*whole)
    return tuple(weight // common for weight in whole)


def _read_total(total: Any) -> Total:
    if total is None:
        return None
    if isinstance(total, Sequence) and not isinstance(total, str):
        if len(total) != 2:
            raise ValueError(f"total must be a number, or the least and the most, got {total!r}")
        least, most = (checks.whole("total", bound) for bound in total)
    else:
        least = most = checks.whole("total", total)
    limit = 2**62
    if not -limit <= least <= most <= limit:
        raise ValueError(f"total must be from the least to the most, got {total!r}")
    return least, most
