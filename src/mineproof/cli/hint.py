"""``mineproof hint``: one step, told as far as the player wants to be told."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from mineproof.advice.hints import LOOK, MOVE, NUMBERS, REASONING, Hint, Preference, hint
from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.cli import output, progress, summary
from mineproof.cli.input import Question, takes_question
from mineproof.cli.many import takes_boards_or_lines
from mineproof.pictures import text as picture

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

NO_CERTAIN_MOVE = 1  # exit status

MOST_ROWS, FEWEST_ROWS = 20, 5  # of a board that are shown around a hint


@click.command("hint")
@takes_boards_or_lines
@partial(takes_question, checks_flags=True)
@click.option("--level", type=click.IntRange(LOOK, REASONING), default=REASONING, show_default=True,
              help="1 where to look, 2 the numbers involved, 3 the move, 4 the whole reasoning.")  # fmt: skip
@click.option("--prefer", type=click.Choice(["easiest", "safe"]), default="easiest", show_default=True,
              help="The easiest step, be it a mine; or one that ends with a cell to open.")  # fmt: skip
@click.option("--safe-only", is_flag=True, help="Propose no guess: exit with status 1 if no move is certain.")
@output.as_json_option
@output.color_option
def command(question: Question, level: int, prefer: Preference, safe_only: bool, as_json: bool, color: str) -> int:
    """Help with one step, and no more than is asked for.

    First a flag that cannot be right; else the easiest deduction that tells something new; else it says that a guess
    is forced, which one is the best, and which the safest. Flags are checked, unless --flags says what they are. Boards
    of up to 10,000 cells; analyze has no such limit.

    With --json, schema mineproof/hint/1: kind (flag, step, guess or done), text, and what the level tells of technique,
    because, uses_total, safe, mines, cell, mine_probability, mine_fraction and safest; null what it does not.

    \b
    Examples:
      mineproof hint '###/121' --level 1
      mineproof hint game.mine --prefer safe
      mineproof hint game.mine --safe-only --json
    """
    with progress.waiting(question.budget) as budget:
        found = hint(question.board, flags=question.flags, prefer=prefer, density=question.density, budget=budget)
        shown = min(level, NUMBERS) if safe_only and not found.certain else level
        if as_json:
            output.print_json(found.as_json(shown) | question.board_json())
        else:
            with output.drawing(color) as console:
                draw(found, shown, question, budget, console)
    return NO_CERTAIN_MOVE if safe_only and not found.certain else 0


def draw(found: Hint, level: int, question: Question, budget: Budget, console: Console) -> None:
    """The board above the words; on a terminal no more of it than leaves everything to be seen."""
    words = list(_words(found, level, console.width))
    note = [summary.text(question.note, "dim")] if question.note else []
    marks, widest = _marks(found, level, question, budget)
    rows = MOST_ROWS
    while True:
        board = _picture(found, level, question.board, marks, widest, console.width, rows)
        lines = sum(len(block) + 1 for block in (note, board, words) if block)  # blank lines, or the prompt, included
        too_tall = lines - output.terminal_height()
        if too_tall <= 0 or rows <= FEWEST_ROWS:
            break
        rows = max(FEWEST_ROWS, min(rows, question.board.rows) - too_tall)
    summary.show([note, board, words], console)


_TITLES = {"flag": "A flag is wrong", "step": "Certain", "guess": "A guess is forced"}


def _words(found: Hint, level: int, width: int) -> Iterator[Text]:
    if title := _TITLES.get(found.kind):
        technique = f", by {found.technique}" if found.technique is not None and level >= NUMBERS else ""
        yield summary.text(title + technique, "bold")
    yield from map(summary.text, output.folded(found.level(level), width))


def _marks(found: Hint, level: int, question: Question, budget: Budget) -> tuple[list[picture.Mark], int]:
    """How each cell is drawn, and how wide it may be."""
    board, move = question.board, picture.move_marks(found) if level >= MOVE else {}
    if level < MOVE or found.mine_fraction is None:
        return picture.marks(board, move, picture.HIDDEN), picture.SPACED
    odds = analyze(
        board, flags="trust" if question.flags == "trust" else "ignore", density=question.density, budget=budget
    )
    return picture.marks(board, picture.odds_marks(odds) | move, picture.HIDDEN), picture.PERCENT


def _picture(
    found: Hint, level: int, board: Board, marks: list[picture.Mark], widest: int, width: int, most_rows: int
) -> list[Text]:
    """The board around what the hint speaks of, with what its level tells, and a legend."""
    used = set(found.because if level >= NUMBERS else filter(None, [found.near]))
    room = max(1, width - len(str(board.rows - 1)) - 2)
    told = picture.move_marks(found) if level >= MOVE else {}
    rows, columns = picture.window(board, [*used, *told], most_rows, room)
    if len(rows) * len(columns) > picture.MOST_PICTURED:
        return [summary.too_many(len(board.codes))]
    drawn = picture.Picture(
        board, marks, width, widest=widest, rows=rows, columns=columns,
        used=used, used_for="number used" if level >= NUMBERS else "look here",
    )  # fmt: skip
    return [*drawn.lines(), *drawn.legend()]
