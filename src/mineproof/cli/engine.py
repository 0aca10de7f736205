"""``mineproof engine``: a built-in strategy that speaks the engine protocol."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

from mineproof.cli import options
from mineproof.cli.failure import usage_error
from mineproof.cli.input import StrategyName
from mineproof.cli.parameters import SECONDS
from mineproof.protocol.server import BotSession, serve


@click.command("engine")
@options.guess_strategy_option(
    "Strategy that guesses if nothing is certain: NAMES.",
    type=StrategyName(deciding=True), default="strong", show_default=True,
)  # fmt: skip
@click.option("--seconds", type=SECONDS, metavar="SECONDS",
              help="Time to think about each guess, for the strategies best and deep.")  # fmt: skip
def command(strategy: str, seconds: float | None) -> None:
    """Play by the engine protocol, on standard input and output.

    Other programs can start this command and ask for moves, line by line. docs/protocol.md describes the lines.

    \b
    Examples:
      mineproof engine
      mineproof engine --strategy best --seconds 2
      mineproof simulate beginner --games 100 --strategy 'exec:mineproof engine --strategy fast'
    """
    try:
        session = BotSession(_write_line, strategy, seconds)
    except ValueError as error:
        raise usage_error(error) from None
    serve(sys.stdin, session)


def _write_line(line: str) -> None:
    with suppress(BrokenPipeError):  # the host does not wait for the answer
        click.echo(line)
