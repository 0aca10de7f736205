"""The option ``--rules`` of games, and what does not go with it. Loads no rules, so that other games start fast."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from mineproof.variants.clues import CLUE_RULES
from mineproof.variants.mine_rules import BUILT_IN as MINE_RULES
from mineproof.variants.variant import CELL_MAX

RULES_HELP = (
    f"Rules of a variant, separated by commas. For clues one of: {', '.join(CLUE_RULES)}. On the mines: "
    f"{', '.join(MINE_RULES)}. {CELL_MAX}:N allows N mines in a cell."
)

rules_option = click.option(
    "--rules", "variant_rules", metavar="RULES",
    help=f"{RULES_HELP}  [default: classic]",
)  # fmt: skip


def require_alone(names: Iterable[str]) -> None:
    """Refuse options that games of variants do not have, by name."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            parameter = next(option for option in context.command.params if option.name == name)
            shown = parameter.opts[-1] if isinstance(parameter, click.Option) else parameter.make_metavar(context)
            raise click.UsageError(f"--rules does not go with {shown}: games of variants do not have it yet.")


def is_given(*names: str) -> bool:
    """Was one of these options given on the command line?"""
    context = click.get_current_context()
    return any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in names)
