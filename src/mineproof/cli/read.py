"""``mineproof read``: the board on a screenshot."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli import options, output, output_files
from mineproof.cli.boards import Options, takes_boards
from mineproof.cli.failure import usage_error
from mineproof.cli.input import read_input
from mineproof.cli.phrases import board_size
from mineproof.wording.catalogue import listing, message, plural
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from mineproof.board.cells import Cell
    from mineproof.screens.reader import Doubt, Reading, SizeDoubt

GROUP_MAX_LISTED = 3  # cells of a group that are listed
SYMBOLS = {
    "#": "cli-read-covered",
    "F": "cli-read-flag",
    "?": "cli-read-question-mark",
    "*": "cli-read-mine",
    "0": "cli-read-open",
}
SIZE_QUESTIONS = {
    ("up", -1): "page-size-remove-up",
    ("down", -1): "page-size-remove-down",
    ("left", -1): "page-size-remove-left",
    ("right", -1): "page-size-remove-right",
    ("up", 1): "page-size-add-up",
    ("down", 1): "page-size-add-down",
    ("left", 1): "page-size-add-left",
    ("right", 1): "page-size-add-right",
}


def _reason_for_one(options: Options) -> str | None:
    if options["path"] is not None:
        return "-o FILE needs a single board"
    return "--ask needs a single picture" if options["ask"] else None


@click.command("read")
@partial(takes_boards, refuse=_reason_for_one, metavar="[IMAGE]...")
@options.budget_option()
@click.option("--ask", is_flag=True, help="Ask about an uncertain size and uncertain cells. Needs a terminal.")
@options.output_file_option(type=click.Path(dir_okay=False, path_type=Path))
@options.force_option
@options.as_json_option
def command(board: str | None, budget: float, ask: bool, path: Path | None, force: bool, as_json: bool) -> None:
    """Read the board on a screenshot of any program, and list uncertain cells.

    IMAGE is PNG, JPEG, WebP, BMP or the first frame of a GIF. It shows a whole screen, a window or the board alone. -
    or nothing is standard input. Any program and theme works: cells are recognised by shape, colour and the rules of
    the game. Uncertain cells are listed on standard error, grouped by look. The board is printed in the format that all
    other commands read. They also read the picture itself.

    With --json, schema mineproof/reading/1: cells ('#' covered, 'F' flag, '?' question mark, '*' visible mine), the
    confidence of each, the place of the board in the picture, uncertain cells, and rows and columns at the border that
    may not belong to the board or may be missing.

    \b
    Examples:
      mineproof read screen.png
      mineproof read screen.png | mineproof hint
      mineproof read photo.jpg --ask -o position.mine
    """
    from mineproof.screens.reader import read_image

    data, name = read_input(board, "IMAGE is missing. Pass a screenshot, or - for standard input.")
    try:
        reading = read_image(data, budget=budget)
    except ImportError as error:
        raise usage_error(error) from None
    except Exception as error:
        if hasattr(error, "source"):
            error.source = name
        raise
    if ask and sys.stdin is not None and sys.stdin.isatty():
        reading = _ask_about_doubts(_ask_about_size(reading))
    if path is not None:
        output_files.write(path, f"{reading.board}\n", force=force)
    if as_json:
        output.print_json(reading.as_json())
        return
    if path is None:
        click.echo(str(reading.board))
    for line in _notes(reading):
        output.note(line)


def _notes(reading: Reading) -> list[str]:
    """The notes below the board: size, counter, uncertain cells and wrong flags."""
    board = reading.board
    head = [message("cli-read-size", size=board_size(board.rows, board.columns))]
    if reading.total_mines is not None:
        head.append(plural("cli-read-counter", reading.total_mines))
    if reading.sure:
        head.append(message("cli-read-sure"))
    sizes = [message("cli-read-size-doubt", question=_size_question(doubt)) for doubt in reading.size_doubts]
    doubts = [
        message("cli-read-doubt", cells=_list_cells(doubt.cells), mark=doubt.mark, others=_alternatives(doubt))
        for doubt in reading.doubts
    ]
    crossed = reading.wrong_flags
    wrong = [message("cli-read-wrong-flag", cells=_list_cells(crossed))] if crossed else []
    is_unsure = not (reading.sure or sizes or doubts)
    unsure = [message("cli-read-unsure", percent=int(100 * reading.certainty))] if is_unsure else []
    return [", ".join(head), *sizes, *doubts, *unsure, *wrong, *reading.notes]


def _size_question(doubt: SizeDoubt) -> str:
    """Does the outer row or column of a side belong to the board, or is there one more?"""
    return message(SIZE_QUESTIONS[doubt.side, doubt.change])


def _ask_about_size(reading: Reading) -> Reading:
    """Ask about each uncertain row or column at the border, and return the corrected reading."""
    while reading.size_doubts:
        doubt = reading.size_doubts[0]
        click.echo(str(reading.board), err=True)
        belongs = click.confirm(_size_question(doubt), default=(doubt.chance > 0.5) == (doubt.change > 0), err=True)
        changed = belongs == (doubt.change > 0)
        reading = reading.resize({doubt.side: doubt.change if changed else 0})
    return reading


def _alternatives(doubt: Doubt) -> str:
    likely = [mark for mark, chance in doubt.alternatives if chance > 0.02]
    return listing(likely or [doubt.alternatives[0][0]], "list-or")


def _list_cells(cells: tuple[Cell, ...]) -> str:
    if len(cells) <= GROUP_MAX_LISTED:
        return listing([cell_label(cell) for cell in cells])
    first = ", ".join(cell_label(cell) for cell in cells[:GROUP_MAX_LISTED])
    return plural("cli-read-more-alike", len(cells) - GROUP_MAX_LISTED, first=first)


def _ask_about_doubts(reading: Reading) -> Reading:
    """Ask about each group of uncertain cells, and return the corrected reading."""
    known: dict[Cell, str] = {}
    while any(doubt.cells[0] not in known for doubt in reading.doubts):
        doubt = next(doubt for doubt in reading.doubts if doubt.cells[0] not in known)
        meaning = message(SYMBOLS.get(doubt.mark, "cli-read-number"))
        cells = _list_cells(doubt.cells)
        click.echo(message("cli-read-read-as", cells=cells, mark=doubt.mark, meaning=meaning), err=True)
        mark = click.prompt(
            message("cli-read-prompt"), default=doubt.mark,
            type=click.Choice(list("012345678#F?*"), case_sensitive=False), show_choices=False, err=True,
        )  # fmt: skip
        known[doubt.cells[0]] = mark
        reading = reading.confirm({doubt.cells[0]: mark})
    return reading
