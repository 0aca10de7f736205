"""``mineproof check``: does a layout need a guess, and where?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.advice.hints import REASONING
from mineproof.base import files
from mineproof.base.budget import DEFAULT, Budget
from mineproof.base.words import at
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.cli import hint as hint_command
from mineproof.cli import output, progress, summary
from mineproof.cli.input import Question, Source, cell, positive_seconds, takes_source
from mineproof.cli.many import Options, takes_boards_or_lines
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.generation.careful import start_cell
from mineproof.generation.certificate import Certificate
from mineproof.generation.checking import Check, check, no_guess_starts, starts_json
from mineproof.generation.verifier import fault_of
from mineproof.pictures import text as picture

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NEEDS_A_GUESS = 1  # exit status

_START = picture.Mark("S", "S", picture.SAFE.style, "start that needs no guess")


def _alone(options: Options) -> str | None:
    return None if options["path"] is None else "--certificate is about one layout"


@click.command("check")
@partial(takes_boards_or_lines, refuse=_alone)
@takes_source
@click.option(
    "--start", type=cell, metavar="R,C", help="First click, if not the one that the layout, or the certificate, names."
)
@click.option("--certificate", "path", metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Verify this certificate, without trusting the engine that made it.")  # fmt: skip
@click.option("--anywhere", is_flag=True, help="List every first click from which no guess is needed.")
@click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
              help="Give up after this time.")  # fmt: skip
@output.as_json_option
@output.color_option
def command(
    source: Source,
    start: Cell | None,
    path: Path | None,
    anywhere: bool,
    budget: float,
    as_json: bool,
    color: str,
) -> int:
    """Tell whether a layout needs a guess, and where the first forced one is.

    BOARD is a layout, opened from --start: '*../...', a file, a link or a game ID that says where the mines are.
    Everything certain is opened until nothing is; then the board is drawn with its odds. The exit status is 0 if no
    guess is needed, else 1.

    With --certificate it is 0 only if that certificate, too, proves it.

    With --json, schema mineproof/check/1: no_guess, start, open_cells, safe_cells, board and guess; certificate, if
    one was given, is null when it holds and else an error. With --anywhere, schema mineproof/starts/1.

    \b
    Examples:
      mineproof check '*../.../..*' --start 2,0
      mineproof check board.mbf --start 8,15 --certificate board.certificate.json
      mineproof check board.mbf --anywhere
      mineproof check boards/*.mbf --start 4,4
    """
    if anywhere and (start is not None or path is not None):
        raise click.UsageError("--anywhere excludes --start and --certificate")
    layout = _layout(source)
    certificate = None if path is None else _certificate(path)
    with progress.waiting(Budget(seconds=budget)) as limit:
        if anywhere:
            return _tell_starts(layout, limit, as_json, color)
        return _tell(layout, _start(layout, start, certificate), certificate, limit, as_json, color)


def _layout(source: Source) -> Layout:
    reading = source.read()
    if (layout := reading.layout if isinstance(reading.value, Board) else reading.value) is not None:
        return layout
    raise BoardSyntaxError(f"found a position ({reading.format}), which hides its mines; expected a layout")


def _certificate(path: Path) -> Certificate:
    try:
        return Certificate.from_json(files.read(path, files.LARGEST_RESULT))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def _start(layout: Layout, start: Cell | None, certificate: Certificate | None) -> Cell:
    named = layout.start if certificate is None else layout.start or certificate.start
    if start is None and named is None:
        raise click.UsageError("--start R,C is missing, and the layout names no first click; --anywhere tries them all")
    return start_cell(layout, named if start is None else start)


def _tell(
    layout: Layout, start: Cell, certificate: Certificate | None, budget: Budget, as_json: bool, color: str
) -> int:
    found = check(layout, start, budget=budget)
    fault = None if certificate is None else fault_of(certificate, layout, start, budget=budget)
    if as_json:
        verdict = {} if certificate is None else {"certificate": None if fault is None else fault.as_json()}
        output.print_json(found.as_json() | verdict)
    else:
        with output.drawing(color) as console:
            _draw(found, budget, console)
            if certificate is not None:
                console.print(f"The certificate {'proves it.' if fault is None else f'does not hold: {fault}.'}")
    return 0 if found.no_guess and fault is None else NEEDS_A_GUESS


def _draw(found: Check, budget: Budget, console: Console) -> None:
    if found.guess is None:
        headline = f"No guess is needed: from {at(found.start)} all {found.safe_cells:,} safe cells open by certainty."
        summary.show([[summary.text(headline, "bold")]], console)
        return
    opened = f"{found.open_cells:,} of {found.safe_cells:,} safe cells"
    headline = f"A guess is needed: from {at(found.start)} certainty opens {opened}, and ends here."
    hint_command.draw(found.guess, REASONING, Question(found.board, 0, None, budget, headline), budget, console)


# every start


def _tell_starts(layout: Layout, budget: Budget, as_json: bool, color: str) -> int:
    starts = no_guess_starts(layout, budget=budget)
    if as_json:
        output.print_json(starts_json(layout, starts))
    else:
        with output.drawing(color) as console:
            summary.show(_starts(layout, starts, console.width), console)
    return 0 if starts else NEEDS_A_GUESS


def _starts(layout: Layout, starts: list[Cell], width: int) -> list[list[Text]]:
    count = f"{len(starts):,} of {len(layout.cells()) - layout.total_mines:,} safe cells"
    headline = [summary.text(f"No guess is needed from {count}.", "bold")]
    board = layout.board()
    if len(board.codes) > picture.MOST_PICTURED:
        return [headline, [summary.too_many(len(board.codes))]]
    special = dict.fromkeys(layout.mines, picture.MINE) | dict.fromkeys(starts, _START)
    drawn = picture.Picture(board, picture.marks(board, special, picture.HIDDEN), width)
    return [headline, list(drawn.lines()), list(drawn.legend())]
