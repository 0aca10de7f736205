"""``mineproof analyze``: the certain cells, and the odds of the others."""

from __future__ import annotations

import click

from mineproof.analysis.analysis import analyze
from mineproof.cli import options, output, progress, summary, variants
from mineproof.cli.boards import takes_boards_or_lines
from mineproof.cli.input import PositionRequest, takes_position
from mineproof.cli.problems import takes_problem


@click.command("analyze")
@takes_boards_or_lines
@takes_problem
@variants.takes_variant(variants.analyze)
@takes_position
@click.option(
    "--exact", is_flag=True, help="Add the odds of every cell as a fraction, and all digits of the number of layouts."
)
@options.as_json_option
@options.color_option
def command(request: PositionRequest, exact: bool, as_json: bool, color: str) -> None:
    """Print the exact mine probability of every covered cell.

    Prints the number of mine layouts that fit the position, a picture of the board, the certain cells and the safest
    of the others. The picture shows per cent, or one letter per cell on a narrow terminal.

    With --json, schema mineproof/analysis/1. mine_probability is null for open cells and unknown odds. layouts is a
    string, or null if it has more than 5000 digits and --exact is not given. log10_layouts is always given.

    BOARD may also be a problem, schema mineproof/problem/1: variables, constraints on their sums, and a total. See
    docs/problems.md. The result is then the chance of every value, schema mineproof/problem-analysis/1.

    With --rules, BOARD is a board of a variant. See docs/variants.md.

    \b
    Examples:
      mineproof analyze '1#/##' --mines 1
      mineproof analyze samples/endgame.txt --exact
      mineproof analyze --from fair --mines 99 < position.txt
      mineproof analyze boards/*
      mineproof analyze --lines < positions.txt
      mineproof analyze problem.json
      mineproof analyze '2##/###' --rules liar,quad --mines 2
    """
    with progress.waiting(request.budget) as budget:
        analysis = analyze(request.board, density=request.density, budget=budget)
        if as_json:
            output.print_json(analysis.as_json(exact=exact))
        else:
            with output.drawing(color) as console:
                summary.draw(analysis, request, exact, console)
