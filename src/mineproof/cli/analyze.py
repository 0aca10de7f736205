"""``mineproof analyze``: what is certain, and the odds of the rest."""

from __future__ import annotations

import math

import click

from mineproof.analysis import Analysis, analyze
from mineproof.cli import output, progress, summary
from mineproof.cli.input import Question, takes_question


@click.command("analyze")
@takes_question
@click.option("--exact", is_flag=True, help="Add the odds of every cell as a fraction, and every digit of a count.")
@output.as_json_option
@output.color_option
def command(question: Question, exact: bool, as_json: bool, color: str) -> None:
    """Tell the mine probability of every covered cell, exactly.

    Prints how many mine layouts fit the position, a picture of the board, the cells that are certain and the safest
    of the others. The picture is as wide as the terminal allows: per cent, or one letter a cell.

    With --json, schema mineproof/analysis/1: mine_probability has null where there is none; layouts is a string, and
    null if it has more than 5000 digits, unless --exact asks for it; log10_layouts is always there.

    \b
    Examples:
      mineproof analyze '1#/##' --mines 1
      mineproof analyze game.mine --exact
      mineproof analyze --from fair --mines 99 < position.txt
    """
    with progress.waiting(question.budget) as budget:
        found = analyze(question.board, density=question.density, budget=budget)
        if as_json:
            output.print_json(document(found, exact))
        else:
            with output.drawing(color) as console:
                summary.draw(found, question, exact, console)


def document(found: Analysis, exact: bool) -> dict[str, object]:
    """The ``mineproof/analysis/1`` shape; ``exact`` adds fractions."""
    board = found.board
    answer: dict[str, object] = {
        "schema": "mineproof/analysis/1",
        "rows": board.rows,
        "columns": board.columns,
        "total_mines": board.total_mines,
        "layouts": str(found.layouts) if exact or found.log10_layouts <= output.LONGEST_COUNT else None,
        "log10_layouts": found.log10_layouts,
        "mine_probability": [[None if math.isnan(p) else p for p in row] for row in found.mine_probability.tolist()],
        "safe": output.pairs(found.safe),
        "mines": output.pairs(found.mines),
        "states": found.states,
    }
    return answer | {"exact": _fractions(found)} if exact else answer


def _fractions(found: Analysis) -> list[list[str | None]]:
    return [
        [None if math.isnan(p) else str(found.exact(row, column)) for column, p in enumerate(line)]
        for row, line in enumerate(found.mine_probability.tolist())
    ]
