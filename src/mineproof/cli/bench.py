"""``mineproof bench``: a signature of answers and effort, then speed."""

from __future__ import annotations

import click

from mineproof.cli import options, output
from mineproof.cli.parameters import SECONDS


@click.command("bench")
@click.option("--seconds", type=SECONDS, default=5.0, show_default=True, metavar="SECONDS",
              help="Time to measure the speed. The signature is computed first and takes about 15 s more.")  # fmt: skip
@options.as_json_option
def command(seconds: float, as_json: bool) -> None:
    """Print a signature of all results and their effort, then the speed.

    The work is fixed: counting, the deduction ladder, optimal play and guesses. The signature is the same on every
    machine. It changes only when a result or the effort for it changes.

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
