"""``mineproof analyze``: what is certain, and the odds of the rest."""

from __future__ import annotations

import click

from mineproof.analysis.analysis import analyze
from mineproof.cli import output, progress, summary
from mineproof.cli.input import Question, takes_question
from mineproof.cli.many import takes_boards_or_lines


@click.command("analyze")
@takes_boards_or_lines
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
      mineproof analyze boards/*
      mineproof analyze --lines < positions.txt
    """
    with progress.waiting(question.budget) as budget:
        found = analyze(question.board, density=question.density, budget=budget)
        if as_json:
            output.print_json(found.as_json(exact=exact))
        else:
            with output.drawing(color) as console:
                summary.draw(found, question, exact, console)
