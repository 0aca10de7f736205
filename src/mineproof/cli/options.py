"""Options that several commands share, each declared once.

A function takes what differs between commands: the default, or the scope of a limit. The sentence stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from mineproof.base.budget import DEFAULT
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.start import FIRST_CLICKS
from mineproof.cli.mine_counts import MineCount
from mineproof.cli.output_files import OutputFile
from mineproof.cli.parameters import (
    CELL,
    LARGEST_SEED,
    LEVEL,
    SECONDS,
    START,
    Choice,
    Count,
    ParamType,
)

F = TypeVar("F", bound=Callable[..., Any])


class OptionDecorator(Protocol):
    """A decorator that adds an option to a command, as `click.option` returns it."""

    def __call__(self, function: F, /) -> F: ...


LARGEST_THREADS = 1024

_SEED = "Random seed. The same seed gives the same result."
_THREADS = "Number of threads. Does not change the result."
FIRST_CLICK_HELP = "Cells kept free of mines: none (any), the first cell (safe), or also its neighbours (open)."
_TOPOLOGY = f"Shape of the board: {', '.join(TOPOLOGIES)}."
TOPOLOGIES_HELP = f"Shapes of the board: {', '.join(TOPOLOGIES)}."
_START = "First click, as row and column counted from 0,0."
_FAIRNESS = (
    "Guesses that never lose: none, forced ones, all (kind), the safest of the board, or the safest of their region "
    "(local). strict is as forced, and needless guesses always lose."
)
_BUDGET = "Time limit in seconds"
_ONE_PER_PROCESSOR = "one per processor"


def _text(sentence: str, default: str | None) -> str:
    """A help text, and the default where click does not know it."""
    return sentence if default is None else f"{sentence}  [default: {default}]"


# output

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON. Errors are JSON too.")
hidden_json_option = click.option("--json", "as_json", is_flag=True, hidden=True)  # to refuse it with a reason
color_option = click.option(
    "--color", type=Choice(["auto", "always", "never"]), default="auto", show_default=True,
    help="Use colours. auto uses them on a terminal, unless NO_COLOR is set.",
)  # fmt: skip
force_option = click.option("--force", is_flag=True, help="Replace files that exist.")


def output_file_option(
    sentence: str = "Write to this file instead of standard output.", **settings: Any
) -> OptionDecorator:
    """``-o FILE``."""
    kind = settings.pop("type", OutputFile())
    return click.option("-o", "--output", "path", type=kind, metavar="FILE", help=sentence, **settings)


def output_folder_option(sentence: str, name: str = "path") -> OptionDecorator:
    """``-o DIR``."""
    folder = click.Path(file_okay=False, path_type=Path)
    return click.option("-o", "--output", name, type=folder, metavar="DIR", help=sentence)


# limits


def budget_option(scope: str = "") -> OptionDecorator:
    """``--budget``, for one board or for each of the things that ``scope`` names."""
    return click.option(
        "--budget", type=SECONDS, default=DEFAULT.seconds, metavar="SECONDS",
        help=_text(f"{_BUDGET}{scope}.", f"{DEFAULT.seconds:g}"),
    )  # fmt: skip


states_option: OptionDecorator = click.option(
    "--states", type=Count(1), default=DEFAULT.states, metavar="N",
    help=_text("Limit on memory, in states of the search. A million take about 13 MB.", f"{DEFAULT.states:,}"),
)  # fmt: skip


def threads_option(default: int | None = None) -> OptionDecorator:
    """``--threads``."""
    known = default is not None
    return click.option(
        "--threads", type=Count(1, LARGEST_THREADS), default=default, show_default=known, metavar="N",
        help=_text(_THREADS, None if known else _ONE_PER_PROCESSOR),
    )  # fmt: skip


lines_threads_option: OptionDecorator = click.option(
    "--threads", type=Count(1, LARGEST_THREADS), metavar="N",
    help=_text("With --lines: number of processes. Does not change the result.", _ONE_PER_PROCESSOR),
)  # fmt: skip


# boards and games


def seed_option(default: int | str) -> OptionDecorator:
    """``--seed`` with a number as its default, or words on what happens without it."""
    known = isinstance(default, int)
    return click.option(
        "--seed", type=Count(0, LARGEST_SEED), default=default if known else None, show_default=known, metavar="S",
        help=_text(_SEED, None if known else str(default)),
    )  # fmt: skip


random_seed_option: OptionDecorator = seed_option("random, printed on standard error")


def topology_option(default: str | None = "grid", otherwise: str | None = None) -> OptionDecorator:
    """``--topology``; ``otherwise`` says what holds without it where there is no fixed default."""
    return click.option(
        "--topology", "--shape", type=Choice(TOPOLOGIES), metavar="SHAPE", default=default,
        show_default=default is not None, help=_text(_TOPOLOGY, otherwise),
    )  # fmt: skip


def first_click_option(default: str | None = "safe", otherwise: str | None = None) -> OptionDecorator:
    """``--first-click``; ``otherwise`` as in `topology_option`."""
    return click.option(
        "--first-click", type=Choice(FIRST_CLICKS), default=default, show_default=default is not None,
        help=_text(FIRST_CLICK_HELP, otherwise),
    )  # fmt: skip


def fairness_option(default: str | None = "none", otherwise: str | None = None) -> OptionDecorator:
    """``--fairness``; ``otherwise`` as in `topology_option`."""
    from mineproof.game.rules import FAIRNESSES  # only for commands that play

    return click.option(
        "--fairness", type=Choice(FAIRNESSES), default=default, show_default=default is not None,
        help=_text(_FAIRNESS, otherwise),
    )  # fmt: skip


def start_option(default: str, *, random: bool = False) -> OptionDecorator:
    """``--start``; with ``random``, also the word random for another cell in each game."""
    return click.option(
        "--start", type=START if random else CELL, metavar="R,C|random" if random else "R,C",
        help=_text(_START, default),
    )  # fmt: skip


def mines_option(sentence: str) -> OptionDecorator:
    """``--mines``: a number, or a share of the cells."""
    return click.option("--mines", type=MineCount(), metavar="N|P%", help=sentence)


def level_option(otherwise: str) -> OptionDecorator:
    """``--level`` as a size, which one option of `hint` is not."""
    return click.option(
        "--level", type=LEVEL, metavar="SIZE",
        help=_text("A level (beginner, beginner8, intermediate, expert) or WxHxM (width, height, mines).", otherwise),
    )  # fmt: skip


class _StrategyOption(click.Option):
    """An option whose help names the strategies of the kernel's table and of packages, loaded for the help only."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from mineproof.decision.custom import installed_strategies
        from mineproof.decision.strategy_table import deciding, strategies

        plays = self.help is not None and self.help.startswith(_PLAYS)
        names = [strategy.name for strategy in strategies()] if plays else deciding()
        if plays:
            names += [offered.name for offered in installed_strategies() if offered.name not in names]
        record = super().get_help_record(ctx)
        return record and (record[0], record[1].replace("NAMES", ", ".join(names) or "-"))


_PLAYS = "Strategy that plays"


def strategy_option(*, bots: bool = False, **settings: Any) -> OptionDecorator:
    """``--strategy`` that plays whole games, with ``bots`` also a program; ``settings`` are those of click."""
    others = ", one of an installed package, or exec:COMMAND" if bots else ", or one of an installed package"
    sentence = f"{_PLAYS}: NAMES{others}."
    return click.option("--strategy", cls=_StrategyOption, **{"metavar": "NAME", "help": sentence} | settings)


def guess_strategy_option(sentence: str, **settings: Any) -> OptionDecorator:
    """``--strategy`` that chooses a guess in a position."""
    return click.option("--strategy", cls=_StrategyOption, metavar="NAME", help=sentence, **settings)


def list_option(name: str, kind: ParamType[Any], sentence: str, default: str) -> OptionDecorator:
    """An option of a sweep, which takes several values of what is one value elsewhere."""
    return click.option(name, type=kind, default=default, show_default=True, metavar="LIST", help=sentence)
