"""``mineproof bench``: a signature of answers and effort, then speed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mineproof.cli import options, output
from mineproof.cli.parameters import SECONDS
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from mineproof.bench.work import BenchReport


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
        click.echo("\n".join(_lines(report)))


def _lines(report: BenchReport) -> Iterator[str]:
    """The signature and the speed, with labels of the same width."""
    signature = report.signature
    rows = [
        (message("cli-bench-engine"), signature.engine),
        (message("cli-bench-positions"), number(signature.positions)),
        (message("cli-bench-answers"), signature.answers),
        (message("cli-bench-states"), number(signature.states)),
        (message("cli-bench-ladder"), plural("cli-bench-steps", signature.ladder_steps, signature=signature.ladder)),
        (message("cli-bench-endgame"), plural("cli-bench-nodes", signature.endgame_nodes, signature=signature.endgame)),
        (message("cli-bench-decisions"), signature.decisions or "-"),
        (message("cli-bench-speed"), _speed(report)),
    ]
    width = max(len(label) for label, _ in rows)
    return (f"{label:{width}}  {value}" for label, value in rows)


def _speed(report: BenchReport) -> str:
    median, rate = decimal(report.median_microseconds, 1), decimal(report.positions_per_second, 0)
    return message("cli-bench-median", median=median, rate=rate)
