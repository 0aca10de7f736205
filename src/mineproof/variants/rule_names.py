"""Variants by the names of their rules: ``liar``, ``quad``, ``liar,quad``, ``mines:3``.

At most one name is that of a clue rule; the others are rules on the mines. ``mines:N`` is the most mines in a cell.
"""

from __future__ import annotations

import re

from mineproof.base import checks
from mineproof.variants.clues import BUILT_IN, CLUE_RULES, WITH_NUMBER, ClueRule, clue_rule
from mineproof.variants.mine_rules import BUILT_IN as MINE_RULES
from mineproof.variants.mine_rules import MineRule, mine_rule
from mineproof.variants.variant import Variant

CELL_MAX = "mines"


def read_rules(text: str) -> Variant:
    """Return the variant of some names, between blanks or commas. Raises ValueError for an unknown one.

    >>> variant = read_rules("quad liar")
    >>> write_rules(variant)
    'liar,quad'
    >>> read_rules("mines:3").cell_max
    3
    """
    clues, mine_rules, cell_max = "classic", list[str](), 1
    for place, name in enumerate(re.findall(r"[^\s,]+", checks.instance("rules", text, str))):
        kind, _, number = name.partition(":")
        if kind == CELL_MAX and number.isdecimal() and len(number) <= 2:
            cell_max = int(number)
        elif name in BUILT_IN or kind in WITH_NUMBER:
            if clues != "classic":
                raise ValueError(f"rules may name one clue rule, got {clues} and {name}")
            clues = clue_rule(name).name
        elif name in MINE_RULES:
            mine_rules += [] if name in mine_rules else [name]
        else:
            known = ", ".join([*CLUE_RULES, *MINE_RULES, f"{CELL_MAX}:N"])
            raise ValueError(f"rules must be some of {known}, got {checks.shorten(name)} as number {place + 1}")
    return Variant(clues, mine_rules, cell_max)


def write_rules(variant: Variant) -> str:
    """Return the names of a variant's rules. Raises ValueError for a rule that is not built in."""
    for rule in (clue_rule(variant.clues), *map(mine_rule, variant.mine_rules)):
        _require_built_in(rule)
    return list_rules(variant)


def list_rules(variant: Variant) -> str:
    """Return the names of a variant's rules, also of rules that are not built in."""
    clues, rules = clue_rule(variant.clues), [mine_rule(rule) for rule in variant.mine_rules]
    names = [] if clues.name == "classic" and (rules or variant.cell_max > 1) else [clues.name]
    names += [rule.name for rule in rules]
    return ",".join([*names, *([f"{CELL_MAX}:{variant.cell_max}"] if variant.cell_max > 1 else [])])


def _require_built_in(rule: ClueRule | MineRule) -> None:
    same: object = None
    if rule.name in MINE_RULES:
        same = MINE_RULES[rule.name]
    elif rule.name in BUILT_IN or rule.name.partition(":")[0] in WITH_NUMBER:
        same = clue_rule(rule.name)
    if same is not rule:
        raise ValueError(f"{rule.name} is a rule of your own, which has no built-in name")
