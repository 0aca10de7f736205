"""``mineproof draw``: a picture of a position, a game or a review, as SVG or PNG."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base.budget import Budget
from mineproof.board.notation import quote
from mineproof.cli import output, progress, writing
from mineproof.cli.input import Line, Question, contents, is_file, takes_question
from mineproof.cli.many import Options, takes_boards
from mineproof.errors import BoardSyntaxError, MineproofError
from mineproof.formats import rawvf, sniffing
from mineproof.game import record as games
from mineproof.pictures.palette import THEMES
from mineproof.pictures.raster import LARGEST_SCALE

if TYPE_CHECKING:
    from mineproof.game.record import Record
    from mineproof.pictures.drawing import Drawable, Picture

_WISHES = ("odds", "hint", "best")


def _alone(options: Options) -> str | None:
    return None if options["as_json"] and options["path"] is None else "a picture is of one board"


def _takes_games(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Give a command --review, and files that hold a game; what else BOARD is stays a position."""

    @click.option("--review", is_flag=True, help="BOARD is a game: mark its guesses on the last board.")
    @functools.wraps(function)
    def command(board: str | None, review: bool, **options: Any) -> int | None:
        game = _game(board, options, review=review)
        if game is None:
            return function(board=board, **options)
        _draw_game(game, options, review=review)
        return None

    return command


def _game(board: str | None, options: Options, *, review: bool) -> Record | None:
    """The game in a file. Where odds and the like are asked for, a saved game is a position."""
    if not review and (board in (None, "-") or isinstance(board, Line) or not is_file(board)):
        return None
    data, name = contents(board, "BOARD is missing: a saved game or a replay, or - to type it in")
    text = rawvf.decoded(data)
    surely = review or sniffing.recording(data, name) is not None or rawvf.fits(text)
    if not surely and (not games.fits(text) or any(options[wish] for wish in _WISHES)):
        return None
    from mineproof.replays.reading import read_game

    try:
        return read_game(data, name).record
    except BoardSyntaxError as error:
        if not surely:  # other JSON of ours
            return None
        error.source = name
        raise


def _draw_game(game: Record, options: Options, *, review: bool) -> None:
    with progress.waiting(Budget(seconds=options["budget"], states=options["states"])) as budget:
        if review:
            from mineproof.game.reviews import review as look_back

            drawn = _drawn(look_back(game, budget=budget), options, budget)
        else:
            drawn = _drawn(game, options, budget)
    _deliver(drawn, options)


@click.command("draw")
@partial(takes_boards, refuse=_alone)
@_takes_games
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
def command(question: Question, **options: Any) -> None:
    """Draw a board as SVG or PNG: the odds, the next step with its proof, the best move.

    BOARD may be a game, too: a saved one or a replay (AVF, EVF, MVF, RMV, RAWVF). How it ended is drawn, and with
    --review every guess, forced or needless.

    SVG needs nothing; PNG needs the extra image: pip install 'mineproof[image]'. Pictures can be read in black and
    white: odds are in per cent, what is safe has a tick, a certain mine a cross, a number of a proof a thick frame.

    \b
    Examples:
      mineproof draw '1#/##' --mines 1 --odds -o odds.svg
      mineproof draw game.mine --hint --theme dark -o hint.png
      mineproof draw game.mine --best > best.svg
      mineproof draw replay.avf --review -o guesses.svg
    """
    if options["best"] and question.board.total_mines is None:
        raise click.UsageError("--best needs --mines N: the chance to win depends on how many mines there are")
    with progress.waiting(question.budget) as budget:
        drawn = _drawn(question.board, {**options, "density": question.density}, budget)
    _deliver(drawn, options)


def _drawn(what: Drawable, options: Mapping[str, Any], budget: Budget) -> Picture:
    path = options["path"]
    if path is not None and path.suffix.lower() not in (".svg", ".png"):
        raise click.UsageError(f"found -o {quote(str(path))}, expected a name that ends with .svg or .png")
    from mineproof.pictures.drawing import draw

    wishes = {name: options[name] for name in (*_WISHES, "theme", "density")}
    try:
        return draw(
            what, **wishes, legend=not options["no_legend"], coordinates=not options["no_coordinates"], budget=budget
        )
    except MineproofError:
        raise
    except ValueError as error:  # too large, or nothing to have odds of
        raise click.UsageError(str(error)) from None


def _deliver(drawn: Picture, options: Options) -> None:
    path = options["path"]
    if path is not None:
        writing.write(path, _content(drawn, path, options["scale"]), force=options["force"])
    if options["as_json"]:
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
