"""``mineproof read``: the board on a screenshot."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base.words import at, listing, plural, size
from mineproof.cli import output, writing
from mineproof.cli.input import contents
from mineproof.cli.many import Options, takes_boards

if TYPE_CHECKING:
    from mineproof.board.cells import Cell
    from mineproof.screens.reading import Doubt, Reading

NAMED = 3  # cells of a group that are named
WORDS = {"#": "covered", "F": "a flag", "?": "a question mark", "*": "a mine", "0": "open, without a number"}


def _alone(options: Options) -> str | None:
    if options["path"] is not None:
        return "-o FILE holds one board"
    return "--ask asks about one picture" if options["ask"] else None


@click.command("read")
@partial(takes_boards, refuse=_alone, metavar="[IMAGE]...")
@click.option("--ask", is_flag=True, help="Ask about cells in doubt, a group at a time; on a terminal only.")
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the board to a file instead of standard output.")  # fmt: skip
@writing.force_option
@output.as_json_option
def command(board: str | None, ask: bool, path: Path | None, force: bool, as_json: bool) -> None:
    """Read the board on a screenshot of any program, and tell what is in doubt.

    IMAGE is PNG, JPEG, WebP, BMP or the first frame of a GIF: a whole screen, a window or the board alone; - or nothing
    is standard input. Cells are found, sorted by their look and named by shape, colour and the rules, so any program
    and theme will do. What is in doubt is told on standard error, and never claimed: cells that look alike are doubted
    together. The board is printed as every other command reads it; those take the picture itself as well.

    With --json, schema mineproof/reading/1: cells ('#' covered, 'F' flag, '?' question mark, '*' a mine that is shown),
    the confidence of each, where the board is in the picture, and the doubts.

    \b
    Examples:
      mineproof read screen.png
      mineproof read screen.png | mineproof hint
      mineproof read photo.jpg --ask -o game.mine
    """
    from mineproof.screens.reading import read_image

    data, name = contents(board, "IMAGE is missing: a screenshot, or - for standard input")
    try:
        reading = read_image(data)
    except ImportError as error:
        raise click.UsageError(str(error)) from None
    except Exception as error:
        if hasattr(error, "source"):
            error.source = name
        raise
    if ask and sys.stdin is not None and sys.stdin.isatty():
        reading = _asked(reading)
    if path is not None:
        writing.write(path, f"{reading.board}\n", force=force)
    if as_json:
        output.print_json(reading.as_json())
        return
    if path is None:
        click.echo(str(reading.board))
    for line in _told(reading):
        output.note(line)


def _told(reading: Reading) -> list[str]:
    """What is to be said besides the board."""
    board = reading.board
    counted = "" if reading.total_mines is None else f", {plural(reading.total_mines, 'mine')} by the counter"
    told = [f"read {size(board.rows, board.columns)} cells{counted}" + (", sure of all" if reading.sure else "")]
    told += [f"in doubt: {_place(doubt.cells)} {_reading(doubt)}" for doubt in reading.doubts]
    crossed = reading.wrong_flags
    told += [f"crossed out, so not a mine: the flag at {_place(crossed)}"] if crossed else []
    return told + list(reading.notes)


def _reading(doubt: Doubt) -> str:
    others = listing([mark for mark, chance in doubt.alternatives if chance > 0.02] or [doubt.alternatives[0][0]], "or")
    return f"read as {doubt.mark}, may be {others}"


def _place(cells: tuple[Cell, ...]) -> str:
    if len(cells) <= NAMED:
        return listing([at(cell) for cell in cells])
    return f"{', '.join(at(cell) for cell in cells[:NAMED])} and {len(cells) - NAMED} more that look alike"


def _asked(reading: Reading) -> Reading:
    """The reading once a person has said what is there."""
    known: dict[Cell, str] = {}
    while any(doubt.cells[0] not in known for doubt in reading.doubts):
        doubt = next(doubt for doubt in reading.doubts if doubt.cells[0] not in known)
        click.echo(f"{_place(doubt.cells)}: read as {doubt.mark} ({WORDS.get(doubt.mark, 'a number')}).", err=True)
        mark = click.prompt(
            "What is there? 0-8, # covered, F flag, ? question mark, * mine", default=doubt.mark,
            type=click.Choice(list("012345678#F?*"), case_sensitive=False), show_choices=False, err=True,
        )  # fmt: skip
        known[doubt.cells[0]] = mark
        reading = reading.confirm({doubt.cells[0]: mark})
    return reading
