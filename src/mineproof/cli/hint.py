"""``mineproof hint``: one step, in as much detail as the player wants."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from mineproof.advice.hints import LOOK, MOVE, NUMBERS, REASONING, Hint, Preference, hint
from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.cli import options, output, progress, summary, variants
from mineproof.cli.boards import takes_boards_or_lines
from mineproof.cli.input import PositionRequest, takes_position
from mineproof.cli.parameters import Choice, Count
from mineproof.deduction.ladder import LADDER
from mineproof.pictures import text as picture
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NO_CERTAIN_MOVE = 1  # exit status

PICTURE_MAX_ROWS, PICTURE_MIN_ROWS = 20, 5  # of a board, around a hint


@click.command("hint")
@takes_boards_or_lines
@variants.takes_variant(variants.hint)
@partial(takes_position, checks_flags=True)
@click.option("--level", type=Count(LOOK, REASONING), default=REASONING, show_default=True, metavar="1-4",
              help="Detail: 1 where to look, 2 the numbers involved, 3 the move, 4 the whole reasoning.")  # fmt: skip
@click.option("--prefer", type=Choice(["easiest", "safe"]), default="easiest", show_default=True,
              help="Step to choose: the easiest, which may find a mine, or one that finds a safe cell.")  # fmt: skip
@click.option("--safe-only", is_flag=True,
              help="Suggest certain moves only, safe cells or mines. Exits with status 1 if none exists.")  # fmt: skip
@options.as_json_option
@options.color_option
def command(
    request: PositionRequest, level: int, prefer: Preference, safe_only: bool, as_json: bool, color: str
) -> int:
    """Give a hint for the next step, as detailed as you want.

    A hint names a wrong flag, if there is one. Otherwise it is the easiest deduction that finds something new. If a
    guess is forced, it names the best and the safest cell. On boards of more than 10,000 cells, hint cannot
    explain steps; analyze still gives the odds.

    With --json, schema mineproof/hint/1: kind (flag, step, guess or done), level, text, near, technique, pattern (such
    as 1-2-1), because, uses_total, safe, mines, cell, mine_probability, mine_fraction, safest, candidates,
    argument and board. Keys that the level does not show are null.

    \b
    Examples:
      mineproof hint '###/121' --level 1
      mineproof hint samples/beginner.txt --prefer safe
      mineproof hint samples/beginner.txt --safe-only --json
      mineproof hint '0#1#/####' --rules modulo:3 --mines 1
    """
    with progress.waiting(request.budget) as budget:
        step = hint(request.board, flags=request.flags, prefer=prefer, density=request.density, budget=budget)
        shown = min(level, NUMBERS) if safe_only and not step.certain else level
        if as_json:
            output.print_json(step.as_json(shown) | {"board": request.board.as_json()})
        else:
            with output.drawing(color) as console:
                draw(step, shown, request, budget, console)
    return NO_CERTAIN_MOVE if safe_only and not step.certain else 0


def draw(step: Hint, level: int, request: PositionRequest, budget: Budget, console: Console) -> None:
    """Print the board and the sentences below it, with only as much of the board as fits on the terminal."""
    lines = list(_hint_lines(step, level, console.width))
    note = [summary.text(request.note, "dim")] if request.note else []
    marks, widest = _marks(step, level, request, budget)
    rows = PICTURE_MAX_ROWS
    while True:
        board = _picture(step, level, request.board, marks, widest, console.width, rows)
        height = sum(len(block) + 1 for block in (note, board, lines) if block)  # with blank lines and the prompt
        too_tall = height - output.terminal_height()
        if too_tall <= 0 or rows <= PICTURE_MIN_ROWS:
            break
        rows = max(PICTURE_MIN_ROWS, min(rows, request.board.rows) - too_tall)
    summary.show([note, board, lines], console)


_TITLES = {"flag": "cli-hint-flag", "step": "cli-hint-step", "guess": "cli-hint-guess"}


def _hint_lines(step: Hint, level: int, width: int) -> Iterator[Text]:
    if key := _TITLES.get(step.kind):
        title = message(key)
        if step.technique is not None and level >= NUMBERS:
            title = message(
                "cli-hint-by-technique", title=title, technique=LADDER[step.technique].label, name=step.technique
            )
        yield from (summary.text(line, "bold") for line in output.fold(title, width))
    yield from map(summary.text, output.fold(step.level(level), width))
    if step.kind == "guess" and step.cell is None and level >= MOVE:
        yield from map(summary.text, output.fold(message("cli-hint-give-total"), width))


def _marks(step: Hint, level: int, request: PositionRequest, budget: Budget) -> tuple[list[picture.Mark], int]:
    """How each cell is drawn, and its largest width."""
    board, move = request.board, picture.move_marks(step) if level >= MOVE else {}
    if level < MOVE or step.mine_fraction is None:
        return picture.marks(board, move, picture.HIDDEN), picture.SPACED
    odds = analyze(
        board, flags="trust" if request.flags == "trust" else "ignore", density=request.density, budget=budget
    )
    return picture.marks(board, picture.odds_marks(odds) | move, picture.HIDDEN), picture.PERCENT


def _picture(
    step: Hint, level: int, board: Board, marks: list[picture.Mark], widest: int, width: int, most_rows: int
) -> list[Text]:
    """The part of the board that the hint is about, marked as far as its level allows, and a legend."""
    used = set(step.because if level >= NUMBERS else filter(None, [step.near]))
    room = max(1, width - len(str(board.rows - 1)) - 2)
    move = picture.move_marks(step) if level >= MOVE else {}
    rows, columns = picture.window(board, [*used, *move], most_rows, room)
    if len(rows) * len(columns) > picture.TEXT_PICTURE_MAX_CELLS:
        return [summary.too_large(len(board.codes))]
    drawn = picture.TextPicture(
        board, marks, width, widest=widest, rows=rows, columns=columns,
        used=used, used_for=message("cli-mark-number-used" if level >= NUMBERS else "cli-mark-look-here"),
    )  # fmt: skip
    return [*drawn.lines(), *drawn.legend()]
