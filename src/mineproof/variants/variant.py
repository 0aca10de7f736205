"""A variant: a clue rule, rules on the mines, and how many mines fit into a cell. It compiles positions to problems.

Every cell of the board is a variable, in row order: open cells and cells that do not exist can only be 0. Each clue is
one constraint, each local rule on the mines a list of them. Rules on the shape of all mines cannot be compiled: their
layouts are listed and judged one by one, up to `MAX_LISTED` of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from mineproof.base import checks
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.topology import GRAPH_PREFIX
from mineproof.problems.problem import MAX_VALUES, Constraint, Problem, Weight
from mineproof.variants.area import RING, Area
from mineproof.variants.clues import CLASSIC, CLUE_RULES, Clue, ClueRule, PatternRule, SumRule, clue_rule, clue_text
from mineproof.variants.mine_rules import BUILT_IN as MINE_RULES
from mineproof.variants.mine_rules import LocalRule, MineRule, ShapeRule, mine_rule
from mineproof.variants.position import VariantPosition


class Statement(NamedTuple):
    """A constraint, and where it comes from: the clues of a cell, or a rule on the mines."""

    constraint: Constraint
    rule: str
    cell: Cell | None = None
    clues: tuple[Clue, ...] = ()


CELL_MAX = "mines"  # in texts: the most mines in a cell
CLUE_NAMES = tuple(name.partition(":")[0] for name in CLUE_RULES)


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
            raise ValueError(f"{checked[0].name} is for one mine in a cell, got up to {self.cell_max}")
        values = {
            "clues": clue_rule(self.clues),
            "mine_rules": checked,
            "local": tuple(rule for rule in checked if isinstance(rule, LocalRule)),
            "shapes": tuple(rule for rule in checked if isinstance(rule, ShapeRule)),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @staticmethod
    def parse(text: str) -> Variant:
        """Return the variant of rules named in a text such as ``liar,quad`` or ``classic,mines:3``.

        ``mines:N`` allows up to N mines in a cell. Names are separated by commas or blanks.

        >>> Variant.parse("liar,quad").text
        'liar,quad'
        """
        names = re.findall(r"[^\s,]+", checks.instance("rules", text, str, "or a Variant"))
        clues: list[str] = []
        mines: list[str] = []
        cell_max = 1
        for name in names:
            word, _, number = name.partition(":")
            if word == CELL_MAX and number.isdecimal() and len(number) <= 2:
                cell_max = int(number)
            elif name in MINE_RULES:
                mines += [] if name in mines else [name]
            elif word in CLUE_NAMES:
                clues.append(name)
            else:
                known = ", ".join([*CLUE_RULES, *MINE_RULES, f"{CELL_MAX}:N"])
                raise ValueError(f"rules must be some of {known}, got {checks.shorten(name)}")
        if len(clues) > 1:
            raise ValueError(f"A variant has one rule for its clues, got {' and '.join(clues)}.")
        return Variant(clues[0] if clues else CLASSIC, mines, cell_max)

    @property
    def text(self) -> str:
        """The names of the rules as `parse` reads them. Raises ValueError for rules of your own, which have none."""
        for rule in self._rules:
            if _portable(rule, clue_rule if isinstance(rule, SumRule | PatternRule) else mine_rule) is rule:
                raise ValueError(f"A rule of your own cannot be written as text, got {rule.name}.")
        return self.names

    @property
    def names(self) -> str:
        """The same text with the names of rules of your own, which `parse` does not know."""
        names = [rule.name for rule in self._rules]
        if names[0] == CLASSIC.name and (len(names) > 1 or self.cell_max > 1):
            names = names[1:]
        return ",".join([*names, *([f"{CELL_MAX}:{self.cell_max}"] if self.cell_max > 1 else [])])

    @property
    def _rules(self) -> list[ClueRule | MineRule]:
        return [clue_rule(self.clues), *map(mine_rule, self.mine_rules)]

    def __reduce__(self) -> tuple[type[Variant], tuple[object, ...]]:
        """Send built-in rules to other processes by their names. Rules of your own need functions of a module."""
        rules = tuple(_portable(mine_rule(rule), mine_rule) for rule in self.mine_rules)
        return Variant, (_portable(clue_rule(self.clues), clue_rule), rules, self.cell_max)

    def problem(self, position: VariantPosition, density: Weight | None = None) -> Problem:
        """Return the problem of a position, without the rules on the shape of all mines.

        Variable number ``row * columns + column`` is the number of mines in a cell. ``density`` is the chance of a mine
        per cell if the total is unknown.
        """
        constraints = [statement.constraint for statement in self.statements(position)]
        return Problem(self._domains(position, density), constraints, total=position.total_mines)

    def statements(self, position: VariantPosition) -> list[Statement]:
        """Return the constraints of a position, each with the clue or rule that says so."""
        checks.instance("position", position, VariantPosition, "VariantPosition.parse reads text")
        self.require_shape(position.topology)
        area = self.area(position)
        clue, clued = clue_rule(self.clues), []
        for index, shown in enumerate(position.cells):
            if shown.clues:
                cell = divmod(index, position.columns)
                clued.append(Statement(self._clue(area, cell, shown.clues), clue.name, cell, shown.clues))
        rules = [Statement(constraint, rule.name) for rule in self.local for constraint in rule.constraints(area)]
        return [*clued, *rules]

    def require_shape(self, topology: Topology) -> None:
        """Raise ValueError, which names the rule, if one of the rules is not for boards of this shape."""
        for rule in (clue_rule(self.clues), *self.local, *self.shapes):
            if rule.shapes is not None and topology not in rule.shapes:
                shape = "a graph" if topology.startswith(GRAPH_PREFIX) else topology
                raise ValueError(f"{rule.name} is for the shapes {', '.join(rule.shapes)}, got {shape}")

    def area(self, position: VariantPosition) -> Area:
        """Return the board as rules on the mines see it."""
        present = (index for index, cell in enumerate(position.cells) if cell.state != "absent")
        cells = frozenset(divmod(index, position.columns) for index in present)
        return Area(position.rows, position.columns, cells, position.total_mines, position.topology)

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
        around = list(clued_cells(area, cell, rule))
        name = f"the {' or '.join(clue_text(clue) for clue in clues)} at ({cell[0]},{cell[1]})"
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


def clued_cells(area: Area, cell: Cell, rule: ClueRule) -> Sequence[Cell | None]:
    """Return the cells that a clue is about; None for a place off the board."""
    if rule.offsets != RING:
        places = area.places(cell, rule.offsets)
        return places if isinstance(rule, PatternRule) else area.near(cell, rule.offsets)
    return area.ring(cell) if isinstance(rule, PatternRule) else area.neighbours(cell)
