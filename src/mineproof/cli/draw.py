"""``mineproof draw``: a picture of a position, as SVG or PNG."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.board.notation import quote
from mineproof.cli import output, progress, writing
from mineproof.cli.input import Question, takes_question
from mineproof.cli.many import Options, takes_boards
from mineproof.pictures.palette import THEMES, Theme
from mineproof.pictures.raster import LARGEST_SCALE

if TYPE_CHECKING:
    from mineproof.pictures.drawing import Picture


def _alone(options: Options) -> str | None:
    return None if options["as_json"] and options["path"] is None else "a picture is of one board"


@click.command("draw")
@partial(takes_boards, refuse=_alone)
@takes_question
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write FILE.svg or FILE.png; without it SVG goes to standard output.")  # fmt: skip
@writing.force_option
@click.option("--odds", is_flag=True, help="Add the chance of a mine of every covered cell.")
@click.option("--hint", is_flag=True, help="Add the next step, and the numbers that prove it.")
@click.option("--best", is_flag=True, help="Add the best move, and what it may show.")
@click.option("--theme", type=click.Choice(THEMES), default="auto", show_default=True,
              help="Colours; auto is what the reader's system has, and light in a PNG.")  # fmt: skip
@click.option("--scale", type=click.FloatRange(0, LARGEST_SCALE, min_open=True), default=2.0, show_default=True,
              metavar="N", help="Pixels of a PNG for each unit of the SVG; a cell has 32 units.")  # fmt: skip
@click.option("--no-legend", is_flag=True, help="Leave out the words below the board.")
@click.option("--no-coordinates", is_flag=True, help="Leave out the numbers of rows and columns.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON: title and svg; errors too.")
def command(
    question: Question,
    path: Path | None,
    force: bool,
    odds: bool,
    hint: bool,
    best: bool,
    theme: Theme,
    scale: float,
    no_legend: bool,
    no_coordinates: bool,
    as_json: bool,
) -> None:
    """Draw a board as SVG or PNG: the odds, the next step with its proof, the best move.

    SVG needs nothing; PNG needs the extra image: pip install 'mineproof[image]'. Pictures can be read in black and
    white: odds are in per cent, what is safe has a tick, a certain mine a cross, a number of a proof a thick frame.

    \b
    Examples:
      mineproof draw '1#/##' --mines 1 --odds -o odds.svg
      mineproof draw game.mine --hint --theme dark -o hint.png
      mineproof draw game.mine --best > best.svg
    """
    if path is not None and path.suffix.lower() not in (".svg", ".png"):
        raise click.UsageError(f"found -o {quote(str(path))}, expected a name that ends with .svg or .png")
    if best and question.board.total_mines is None:
        raise click.UsageError("--best needs --mines N: the chance to win depends on how many mines there are")
    from mineproof.pictures.drawing import MOST_CELLS, draw

    if len(question.board.codes) > MOST_CELLS:
        raise click.UsageError(
            f"found a board of {len(question.board.codes):,} cells, expected at most {MOST_CELLS:,} in a picture"
        )
    with progress.waiting(question.budget) as budget:
        drawn = draw(
            question.board, odds=odds, hint=hint, best=best, theme=theme, legend=not no_legend,
            coordinates=not no_coordinates, density=question.density, budget=budget,
        )  # fmt: skip
    if path is not None:
        writing.write(path, _content(drawn, path, scale), force=force)
    if as_json:
        output.print_json(drawn.as_json())
    elif path is None:
        sys.stdout.write(drawn.svg)


def _content(drawn: Picture, path: Path, scale: float) -> str | bytes:
    if path.suffix.lower() == ".svg":
        return drawn.svg
    try:
        return drawn.png(scale)
    except (ImportError, RuntimeError, ValueError) as error:
        raise click.UsageError(str(error)) from None
