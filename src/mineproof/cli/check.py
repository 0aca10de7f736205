"""``mineproof check``: whether a layout needs a guess, and where."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.advice.hints import REASONING
from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.cli import hint as hint_command
from mineproof.cli import options, output, progress, summary, variants
from mineproof.cli.boards import Options, takes_boards_or_lines
from mineproof.cli.input import BoardSource, PositionRequest, takes_source
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import start_cell
from mineproof.generation.certificate import Certificate
from mineproof.generation.guess_check import Check, check, no_guess_starts, starts_json
from mineproof.generation.verifier import fault_of
from mineproof.pictures import text as picture
from mineproof.wording.catalogue import message, number
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NEEDS_A_GUESS = 1  # exit status


def _reason_for_one(options: Options) -> str | None:
    return None if options["path"] is None else "--certificate needs a single layout"


@click.command("check")
@partial(takes_boards_or_lines, refuse=_reason_for_one)
@variants.takes_variant(variants.check, refuse=["path", "anywhere"])
@takes_source
@options.start_option("the start of the layout or the certificate")
@click.option("--certificate", "path", metavar="FILE",
              type=click.Path(path_type=Path),
              help="Also verify this certificate, independently of the engine that created it.")  # fmt: skip
@click.option("--anywhere", is_flag=True, help="List every first click from which no guess is needed.")
@options.budget_option()
@options.as_json_option
@options.color_option
def command(
    source: BoardSource,
    start: Cell | None,
    path: Path | None,
    anywhere: bool,
    budget: float,
    as_json: bool,
    color: str,
) -> int:
    """Check whether a layout needs a guess, and show where the first forced guess is.

    BOARD is a layout: '*../...', a file, a link or a game ID that has the mines. From --start on, every certain cell is
    opened. If that does not solve the layout, the board is printed with its odds. The exit status is 0 if no guess is
    needed, else 1. With --certificate it is 0 only if the certificate is valid, too.

    A board of a variant is checked if it is solved: mines are F, other cells show clues. With covered cells it is a
    puzzle, and the exit status is 0 if it has exactly one solution.

    With --json, schema mineproof/check/1: no_guess, start, open_cells, safe_cells, board, position and guess. With
    --certificate also certificate: null if it is valid, else an error. With --anywhere, schema mineproof/starts/1.

    \b
    Examples:
      mineproof check '*../.../..*' --start 2,0
      mineproof check samples/board.mbf --certificate samples/board.certificate.json
      mineproof check samples/board.mbf --anywhere
      mineproof check boards/*.mbf --start 4,4
      mineproof check '2x2x1 classic/1 F/1 1' --start 0,0
    """
    if anywhere and (start is not None or path is not None):
        raise click.UsageError("--anywhere cannot be combined with --start or --certificate")
    layout = _read_layout(source)
    certificate = None if path is None else _read_certificate(path)
    with progress.waiting(Budget(seconds=budget)) as limit:
        if anywhere:
            return _print_starts(layout, limit, as_json, color)
        return _print_check(layout, _choose_start(layout, start, certificate), certificate, limit, as_json, color)


def _read_layout(source: BoardSource) -> Layout:
    reading, _, name = source.read_file()
    if (layout := reading.layout if isinstance(reading.value, Board) else reading.value) is not None:
        return layout
    message = f"This board does not show where the mines are (format {reading.format})."
    raise BoardSyntaxError(f"{message} check needs a layout: a board with its mines.", source=name)


def _read_certificate(path: Path) -> Certificate:
    try:
        return Certificate.from_json(files.read(path, files.MAX_RESULT_BYTES))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def _choose_start(layout: Layout, start: Cell | None, certificate: Certificate | None) -> Cell:
    known = layout.start if certificate is None else layout.start or certificate.start
    if start is None and known is None:
        raise click.UsageError("The layout has no start cell. Add --start R,C, or --anywhere to try every cell.")
    return start_cell(layout, known if start is None else start)


def _print_check(
    layout: Layout, start: Cell, certificate: Certificate | None, budget: Budget, as_json: bool, color: str
) -> int:
    result = check(layout, start, budget=budget)
    fault = None if certificate is None else fault_of(certificate, layout, start, budget=budget)
    if as_json:
        verdict = {} if certificate is None else {"certificate": None if fault is None else fault.as_json()}
        output.print_json(result.as_json() | verdict)
    else:
        with output.drawing(color) as console:
            _draw_check(result, budget, console)
            if certificate is not None:
                valid = message("cli-check-certificate-valid")
                console.print(valid if fault is None else message("cli-check-certificate-invalid", reason=fault))
    return 0 if result.no_guess and fault is None else NEEDS_A_GUESS


def _draw_check(result: Check, budget: Budget, console: Console) -> None:
    start, safe = cell_label(result.start), number(result.safe_cells)
    if result.guess is None:
        summary.show([[summary.text(message("cli-check-no-guess", start=start, safe=safe), "bold")]], console)
        return
    headline = message("cli-check-guess", start=start, deduced=number(result.open_cells), safe=safe)
    request = PositionRequest(result.board, 0, None, budget, headline)
    hint_command.draw(result.guess, REASONING, request, budget, console)


# every start


def _print_starts(layout: Layout, budget: Budget, as_json: bool, color: str) -> int:
    starts = no_guess_starts(layout, budget=budget)
    if as_json:
        output.print_json(starts_json(layout, starts))
    else:
        with output.drawing(color) as console:
            summary.show(_start_blocks(layout, starts, console.width), console)
    return 0 if starts else NEEDS_A_GUESS


def _start_blocks(layout: Layout, starts: list[Cell], width: int) -> list[list[Text]]:
    safe = number(len(layout.cells()) - layout.total_mines)
    headline = [summary.text(message("cli-check-starts", count=number(len(starts)), safe=safe), "bold")]
    board = layout.board()
    if len(board.codes) > picture.TEXT_PICTURE_MAX_CELLS:
        return [headline, [summary.too_large(len(board.codes))]]
    mark = picture.Mark("S", "S", picture.SAFE.style, message("cli-mark-no-guess-start"))
    special = dict.fromkeys(layout.mines, picture.MINE) | dict.fromkeys(starts, mark)
    drawn = picture.TextPicture(board, picture.marks(board, special, picture.HIDDEN), width)
    return [headline, list(drawn.lines()), list(drawn.legend())]
