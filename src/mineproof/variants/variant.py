"""A variant: a clue rule, rules on the mines, and how many mines fit into a cell. It compiles positions to problems.

Every cell of the board is a variable, in row order: open cells and cells that do not exist can only be 0. Each clue is
one constraint, each local rule on the mines a list of them. Rules on the shape of all mines cannot be compiled: their
layouts are listed and judged one by one, up to `MAX_LISTED` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from mineproof.base import checks
from mineproof.problems.problem import MAX_VALUES, Constraint, Problem, Weight
from mineproof.variants.clues import CLASSIC, Clue, ClueRule, clue_rule
from mineproof.variants.mine_rules import Area, LocalRule, MineRule, ShapeRule, mine_rule
from mineproof.variants.position import VariantPosition


@dataclass(frozen=True)
class Variant:
    """The rules of a variant.

    ``clues`` is a clue rule or its name, ``mine_rules`` are rules on the mines or their names, and ``cell_max`` is the
    most mines in one cell.

    >>> problem = Variant("liar", ["quad"]).problem(VariantPosition.parse("2##/###", total_mines=3))
    >>> problem
    <Problem: 6 variables, 3 constraints, total 3>
    """

    clues: str | ClueRule = CLASSIC
    mine_rules: Iterable[str | MineRule] = ()
    cell_max: int = 1
    local: tuple[LocalRule, ...] = field(init=False, repr=False, compare=False)
    shapes: tuple[ShapeRule, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rules = [self.mine_rules] if isinstance(self.mine_rules, str) else self.mine_rules
        checked = tuple(mine_rule(rule) for rule in rules)
        checks.whole("cell_max", self.cell_max, 1, MAX_VALUES - 1)
        if checked and self.cell_max > 1:
            raise ValueError(f"{checked[0].name} is for one mine in a cell, got cell_max={self.cell_max}")
        values = {
            "clues": clue_rule(self.clues),
            "mine_rules": checked,
            "local": tuple(rule for rule in checked if isinstance(rule, LocalRule)),
            "shapes": tuple(rule for rule in checked if isinstance(rule, ShapeRule)),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Variant], tuple[object, ...]]:
        """Send built-in rules to other processes by their names. Rules of your own need functions of a module."""
        rules = tuple(_portable(mine_rule(rule), mine_rule) for rule in self.mine_rules)
        return Variant, (_portable(clue_rule(self.clues), clue_rule), rules, self.cell_max)

    def problem(self, position: VariantPosition, density: Weight | None = None) -> Problem:
        """Return the problem of a position, without the rules on the shape of all mines.

        Variable number ``row * columns + column`` is the number of mines in a cell. ``density`` is the chance of a mine
        per cell if the total is unknown.
        """
        checks.instance("position", position, VariantPosition, "VariantPosition.parse reads text")
        area = self.area(position)
        clues = [
            constraint
            for index, cell in enumerate(position.cells)
            if cell.clues
            for constraint in [self._clue(area, divmod(index, position.columns), cell.clues)]
        ]
        rules = [constraint for rule in self.local for constraint in rule.constraints(area)]
        return Problem(self._domains(position, density), [*clues, *rules], total=position.total_mines)

    def area(self, position: VariantPosition) -> Area:
        """Return the board as rules on the mines see it."""
        present = (index for index, cell in enumerate(position.cells) if cell.state != "absent")
        cells = frozenset(divmod(index, position.columns) for index in present)
        return Area(position.rows, position.columns, cells, position.total_mines)

    def _domains(self, position: VariantPosition, density: Weight | None) -> list[list[Fraction]]:
        most = self.cell_max
        one, none = Fraction(1), Fraction(0)
        covered = [one] * (most + 1)
        if density is not None and position.total_mines is None:
            if most > 1:
                raise ValueError("density is for one mine in a cell. Make a Problem with weights instead.")
            chance = checks.chance("density", density)
            covered = [1 - chance, chance]
        empty, mined = [one], [none, *[one] * most]
        domains = {"covered": covered, "open": empty, "absent": empty, "mine": mined}
        return [domains[cell.state] for cell in position.cells]

    def _clue(self, area: Area, cell: tuple[int, int], clues: tuple[Clue, ...]) -> Constraint:
        rule = clue_rule(self.clues)
        around = list(_places(area, cell, rule))
        name = f"the {' or '.join(_words(clue) for clue in clues)} at ({cell[0]},{cell[1]})"
        allowed: set[int] = set()
        factors: list[int] = []
        for clue in clues:
            factors, sums = rule.compile(clue, around, self.cell_max)
            allowed.update(sums)
        pairs = [(area.index(place), factor) for place, factor in zip(around, factors, strict=True) if place]
        return Constraint([index for index, _ in pairs], allowed, [factor for _, factor in pairs], name)


def _portable(rule: ClueRule | MineRule, named: Callable[[str], ClueRule | MineRule]) -> str | ClueRule | MineRule:
    with suppress(ValueError):
        if named(rule.name) is rule:
            return rule.name
    return rule


def _places(area: Area, cell: tuple[int, int], rule: ClueRule) -> Iterator[tuple[int, int] | None]:
    for down, right in rule.offsets:
        place = cell[0] + down, cell[1] + right
        yield place if place in area.cells else None


def _words(clue: Clue) -> str:
    return "+".join(map(str, clue)) if isinstance(clue, tuple) else str(clue)
