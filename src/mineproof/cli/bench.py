"""``mineproof bench``: a signature of answers and effort, then speed."""

from __future__ import annotations

import click

from mineproof.cli import output
from mineproof.cli.input import positive_seconds


@click.command("bench")
@click.option("--seconds", type=positive_seconds, default=5.0, show_default=True, metavar="SECONDS",
              help="How long to measure speed; the signature does not depend on it.")  # fmt: skip
@output.as_json_option
def command(seconds: float, as_json: bool) -> None:
    """Print a signature of answers and effort, then the speed.

    The work is fixed. Its signature is the same on every machine and changes only when answers or effort do: of
    counting, of the ladder, of optimal play and of the guesses.

    With --json, schema mineproof/bench/1.

    \b
    Examples:
      mineproof bench --seconds 1
      mineproof bench --json
    """
    from mineproof.bench import work

    report = work.run(seconds, lambda message: click.echo(message, err=True))
    if as_json:
        output.print_json(report.as_json())
    else:
        click.echo(report.text)
