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
from mineproof.cli import options as shared
from mineproof.cli import output, output_files, progress, variants
from mineproof.cli.boards import Options, takes_boards
from mineproof.cli.failure import usage_error
from mineproof.cli.input import BoardLine, PositionRequest, is_file, read_input, takes_position
from mineproof.cli.parameters import Choice, Parsed, parse_positive
from mineproof.errors import BoardSyntaxError, MineproofError
from mineproof.formats import detection
from mineproof.formats.table import REPLAYS
from mineproof.pictures.palette import THEMES
from mineproof.pictures.raster import MAX_SCALE
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from mineproof.game.record import Record
    from mineproof.pictures.draw_api import Drawable, Picture

_LAYERS = ("odds", "hint", "best")


def _parse_scale(text: str) -> float:
    value = parse_positive(text)
    if value > MAX_SCALE:
        raise ValueError
    return value


_SCALE = Parsed("scale", _parse_scale, f"a number above 0 and at most {MAX_SCALE}")


def _reason_for_one(options: Options) -> str | None:
    return None if options["as_json"] and options["path"] is None else "A picture shows a single board"


def _takes_games(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Give a command --review, and let BOARD be the file of a game."""

    @click.option("--review", is_flag=True, help="Mark the guesses of a game on its last board.")
    @functools.wraps(function)
    def command(board: str | None, review: bool, **options: Any) -> int | None:
        game = _read_game(board, options, review=review)
        if game is None:
            return function(board=board, **options)
        _draw_game(game, options, review=review)
        return None

    return command


def _read_game(board: str | None, options: Options, *, review: bool) -> Record | None:
    """Read the game in a file, or return None; with --odds, --hint or --best a saved game is a position."""
    if not review and (board in (None, "-") or isinstance(board, BoardLine) or not is_file(board)):
        return None
    data, name = read_input(board, "BOARD is missing. Pass a saved game or a replay, or - for standard input.")
    format_name = detection.game(data, name)
    is_game = review or format_name in REPLAYS
    if not is_game and (format_name is None or any(options[layer] for layer in _LAYERS)):
        return None
    from mineproof.formats.replays.reader import read_game

    try:
        return read_game(data, name).record
    except BoardSyntaxError as error:
        if not is_game:  # other JSON of ours
            return None
        error.source = name
        raise


def _draw_game(game: Record, options: Options, *, review: bool) -> None:
    with progress.waiting(Budget(seconds=options["budget"], states=options["states"])) as budget:
        if review:
            from mineproof.game.reviews import review as review_game

            picture = _make_picture(review_game(game, budget=budget), options, budget)
        else:
            picture = _make_picture(game, options, budget)
    _deliver(picture, options)


def _draw_variant(request: variants.VariantRequest, **options: Any) -> None:
    with progress.waiting(request.budget) as budget:
        picture = _make_picture(request.board, {**options, "density": request.density}, budget)
    _deliver(picture, options)


@click.command("draw")
@partial(takes_boards, refuse=_reason_for_one)
@_takes_games
@variants.takes_variant(_draw_variant)
@takes_position
@shared.output_file_option("Write to this .svg or .png file.  [default: SVG on standard output]")
@shared.force_option
@click.option("--odds", is_flag=True, help="Add the mine probability of every covered cell.")
@click.option("--hint", is_flag=True, help="Add the next step and the numbers that prove it.")
@click.option("--best", is_flag=True, help="Add the best move and the numbers it may show.")
@click.option("--theme", type=Choice(THEMES), default="auto", show_default=True,
              help="Colours. auto follows the system of the reader, and is light in a PNG.")  # fmt: skip
@click.option("--scale", type=_SCALE, default=2.0, show_default=True,
              metavar="N", help="Pixels of a PNG per unit of the SVG. A cell has 32 units.")  # fmt: skip
@click.option("--no-legend", is_flag=True, help="Leave out the legend below the board.")
@click.option("--no-coordinates", is_flag=True, help="Leave out the numbers of rows and columns.")
@shared.as_json_option
def command(request: PositionRequest, **options: Any) -> None:
    """Draw a board as SVG or PNG: the odds, the next step with its proof, the best move.

    BOARD may also be a saved game or a replay (AVF, EVF, MVF, RMV, RAWVF). The picture then shows the last board, and
    with --review every guess, forced or needless.

    PNG files need the extra image: pip install 'mineproof[image]'. Pictures are readable in black and white: odds are
    in per cent, a safe cell has a tick, a certain mine a cross, and the numbers of a proof a thick frame.

    With --json, schema mineproof/picture/1: title and svg.

    \b
    Examples:
      mineproof draw '1#/##' --mines 1 --odds -o odds.svg
      mineproof draw samples/beginner.txt --hint --theme dark -o hint.png
      mineproof draw samples/endgame.txt --best > best.svg
      mineproof draw samples/game.evf --review -o guesses.svg
      mineproof draw '2##/###' --rules liar --mines 2 --odds -o liar.svg
    """
    if options["best"] and request.board.total_mines is None:
        raise click.UsageError("--best needs --mines N: the chance to win depends on the number of mines")
    if options["odds"] and request.board.total_mines is None and request.density is None:
        output.note(message("cli-draw-total-unknown"))
    with progress.waiting(request.budget) as budget:
        picture = _make_picture(request.board, {**options, "density": request.density}, budget)
    _deliver(picture, options)


def _make_picture(what: Drawable, options: Mapping[str, Any], budget: Budget) -> Picture:
    path = options["path"]
    if path is not None and path.suffix.lower() not in (".svg", ".png"):
        raise click.UsageError(f"-o must end with .svg or .png, got {quote(str(path))}")
    from mineproof.pictures.draw_api import draw

    choices = {name: options[name] for name in (*_LAYERS, "theme", "density")}
    try:
        return draw(
            what, **choices, legend=not options["no_legend"], coordinates=not options["no_coordinates"], budget=budget
        )
    except MineproofError:
        raise
    except ValueError as error:  # the board is too large, or a game has no odds
        raise usage_error(error) from None


def _deliver(picture: Picture, options: Options) -> None:
    path = options["path"]
    if path is not None:
        output_files.write(path, _content(picture, path, options["scale"]), force=options["force"])
    if options["as_json"]:
        output.print_json(picture.as_json())
    elif path is None:
        sys.stdout.write(picture.svg)


def _content(picture: Picture, path: Path, scale: float) -> str | bytes:
    if path.suffix.lower() == ".svg":
        return picture.svg
    try:
        return picture.png(scale)
    except (ImportError, RuntimeError, ValueError) as error:
        raise usage_error(error) from None
