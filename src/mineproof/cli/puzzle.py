"""``mineproof puzzle``: positions to practise on, with the proof after each answer, a rating and a streak."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base.budget import Budget
from mineproof.board.cells import FLAGGED, Cell
from mineproof.board.levels import read_size
from mineproof.cli import options, output, progress, summary
from mineproof.cli.parameters import CELL, LARGEST_SEED, Choice, Count
from mineproof.cli.phrases import board_and_mines
from mineproof.cli.sizes import choose_seed
from mineproof.errors import IllegalMoveError
from mineproof.history.game_row import level_name
from mineproof.pictures import text as picture
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.wording.catalogue import decimal, message, number, plural
from mineproof.wording.cells import cell_label, cell_list

if TYPE_CHECKING:
    from rich.text import Text

    from mineproof.practice.answers import Answer
    from mineproof.practice.progress import Training
    from mineproof.practice.puzzles import Puzzle

WRONG_ANSWER = 1  # exit status


@dataclass(frozen=True, slots=True)
class _PuzzleOptions:
    """Which puzzles to find; without ``technique`` the seed or the player's rating chooses it."""

    technique: str | None
    level: str
    daily: bool
    budget: float

    def find(self, seed: int, training: Training | None = None, *, varied: bool = False) -> Puzzle:
        """Return a puzzle; if ``varied``, one unlike the last ones of the player, for which the seed only draws."""
        from mineproof.practice.next_puzzle import next_puzzle
        from mineproof.practice.search import daily_puzzle, puzzle

        technique = self.technique
        if technique is None and training is not None and not self.daily:
            technique = training.next_technique(seed)
        with progress.waiting(Budget(seconds=self.budget)) as limit:
            if self.daily:
                return daily_puzzle(budget=limit)
            if varied and technique is not None and training is not None:
                level = level_name(read_size(self.level))
                return next_puzzle(
                    technique, level=level, seed=seed, recent=training.recent_shapes(),
                    answered=training.answered_seeds(technique, level), budget=limit,
                )  # fmt: skip
            return puzzle(technique, level=self.level, seed=seed, budget=limit)


@click.command("puzzle")
@click.option("--technique", type=Choice(TECHNIQUES), metavar="NAME",
              help=f"Technique to practise: {', '.join(TECHNIQUES)}.  [default: chosen by your rating; without a "
                   "terminal, by the seed]")  # fmt: skip
@options.level_option("expert")
@options.random_seed_option
@click.option("--daily", is_flag=True, help="Puzzle of the day (UTC), the same for all players.")
@click.option("--count", type=Count(1), metavar="N",
              help="Number of puzzles, with seeds S, S + 1 and so on.  [default: 1; on a terminal, until you quit]",
)  # fmt: skip
@click.option("--answer", "chosen", type=CELL, metavar="R,C",
              help="Check this answer instead of asking. Exits with status 1 if it is wrong.")  # fmt: skip
@click.option("--show", is_flag=True, help="Show the solution with its explanation instead of asking.")
@click.option("--data", type=click.Path(path_type=Path), metavar="PATH",
              help="File or folder with your rating.  [default: the history]")  # fmt: skip
@options.budget_option(" for each puzzle")
@options.as_json_option
@options.color_option
def command(
    technique: str | None,
    level: str | None,
    seed: int | None,
    daily: bool,
    count: int | None,
    chosen: Cell | None,
    show: bool,
    data: Path | None,
    budget: float,
    as_json: bool,
    color: str,
) -> int:
    """Practise one technique at a time, on positions from real games.

    Each puzzle needs exactly its technique. In a "guess" puzzle no cell is certain, and the best cell is not the
    safest. Flags are known mines. On a terminal you enter a cell and see the proof. First answers count for your rating
    (Glicko-2) and your streak, which are stored with the history. Without a terminal, or with --show, --answer or
    --json, puzzles are printed and do not count.

    With --json, one object per line, schema mineproof/puzzle/1: technique, kind (open, flag or guess), level, seed,
    date, task, board, solution, deduction, best, positions and games; with --answer, mineproof/answer/1.

    \b
    Examples:
      mineproof puzzle
      mineproof puzzle --daily
      mineproof puzzle --technique contradiction --seed 7 --show
      mineproof puzzle --technique partition --level beginner --seed 7 --answer 0,4
    """
    _check(technique, level, seed, daily, count, chosen, show)
    puzzles = _PuzzleOptions(technique, level or "expert", daily, budget)
    interactive = not (as_json or show or chosen is not None) and sys.stdin.isatty() and sys.stdout.isatty()
    first = 0 if daily else choose_seed(seed)
    if interactive:
        return _practise(puzzles, first, 1 if daily else count, data, color, varied=seed is None)
    if first + (count or 1) - 1 > LARGEST_SEED:
        raise click.UsageError(f"--seed {first} with --count {count} exceeds the largest seed, 2**64 - 1")
    status = 0
    for place in range(first, first + (count or 1)):
        if place > first and not as_json:
            click.echo()
        status = max(status, _print(puzzles.find(place), chosen, show, as_json, color))
    return status


def _check(
    technique: str | None,
    level: str | None,
    seed: int | None,
    daily: bool,
    count: int | None,
    chosen: Cell | None,
    show: bool,
) -> None:
    given = {"--technique": technique, "--level": level, "--seed": seed, "--count": count}
    others = [name for name, value in given.items() if value is not None]
    if daily and others:
        raise click.UsageError(f"--daily cannot be combined with {' or '.join(others)}")
    if chosen is not None and count is not None:
        raise click.UsageError("--answer cannot be combined with --count")
    if chosen is not None and seed is None and not daily:
        raise click.UsageError("--answer requires --seed or --daily, to know the puzzle")
    if chosen is not None and show:
        raise click.UsageError("--answer cannot be combined with --show")


# printing


def _print(puzzle: Puzzle, chosen: Cell | None, show: bool, as_json: bool, color: str) -> int:
    """Print a puzzle, or the verdict on an answer, and return the exit status."""
    from mineproof.practice.answers import answer

    verdict = None if chosen is None else answer(puzzle, chosen)
    if as_json:
        output.print_json(puzzle.as_json() if verdict is None else verdict.as_json())
    else:
        _draw_puzzle(puzzle, verdict, show, color)
    return 0 if verdict is None or verdict.right else WRONG_ANSWER


def _draw_puzzle(puzzle: Puzzle, verdict: Answer | None, show: bool, color: str) -> None:
    with output.drawing(color) as console:
        title = [summary.text(puzzle.name, "bold"), *_fold(_describe_size(puzzle), console.width)]
        if verdict is not None:
            explanation = [
                *_fold(verdict.text, console.width),
                *_right_answer(puzzle, verdict, console.width),
            ]
            board = _picture(puzzle, console.width, *_marks_of_answer(verdict))
            blocks = [title, board, [_title(verdict), *explanation]]
        elif show:
            board = _picture(puzzle, console.width, *_marks_of_solution(puzzle))
            blocks = [title, board, _fold(puzzle.text, console.width)]
        else:
            blocks = [title, _picture(puzzle, console.width, {}, ()), _fold(puzzle.task, console.width)]
        summary.show(blocks, console)


def _describe_size(puzzle: Puzzle) -> str:
    """The size, and the number of mines without a flag."""
    board = puzzle.board
    total = board.total_mines or 0
    size = board_and_mines(board.rows, board.columns, total)
    return f"{size}, {plural('cli-puzzle-unflagged', total - board.count(FLAGGED))}"


def _picture(puzzle: Puzzle, width: int, special: dict[Cell, picture.Mark], used: Collection[Cell]) -> list[Text]:
    board = puzzle.board
    if len(board.codes) > picture.TEXT_PICTURE_MAX_CELLS:
        return [summary.too_large(len(board.codes))]
    drawn = picture.TextPicture(board, picture.marks(board, special, picture.HIDDEN), width, used=used)
    return [*drawn.lines(), *drawn.legend()]


def _marks_of_solution(puzzle: Puzzle) -> tuple[dict[Cell, picture.Mark], Collection[Cell]]:
    """Marks of the solution: every right cell, and the numbers of the easiest step."""
    mark = {"open": picture.SAFE, "flag": picture.MINE, "guess": picture.GUESS}[puzzle.kind]
    return dict.fromkeys(puzzle.solution, mark), () if puzzle.deduction is None else puzzle.deduction.because


def _marks_of_answer(verdict: Answer) -> tuple[dict[Cell, picture.Mark], Collection[Cell]]:
    """Marks after an answer: the cells that its proof decides, with the numbers, or else the solution."""
    if not verdict.proof or verdict.verdict == "wrong":
        return _marks_of_solution(verdict.puzzle)
    safe = {cell: picture.SAFE for step in verdict.proof for cell in step.safe}
    mines = {cell: picture.MINE for step in verdict.proof for cell in step.mines}
    return safe | mines, {cell for step in verdict.proof for cell in step.because}


def _title(verdict: Answer) -> Text:
    key, style = {
        "right": ("cli-puzzle-right", picture.SAFE.style),
        "harder": ("cli-puzzle-harder", "bold"),
        "wrong": ("cli-puzzle-wrong", picture.MINE.style),
    }[verdict.verdict]
    return summary.text(message(key), style)


def _right_answer(puzzle: Puzzle, verdict: Answer, width: int) -> list[Text]:
    """The right answer after a wrong one; the text of a guess has it already."""
    if verdict.verdict != "wrong" or puzzle.kind == "guess":
        return []
    right = message("cli-puzzle-right-answer", cells=cell_list(puzzle.solution, "list-or"))
    return _fold(f"{right} {puzzle.text}", width)


def _fold(text: str, width: int) -> list[Text]:
    return [summary.text(line) for line in output.fold(text, width)]


# practice on a terminal


def _practise(
    puzzles: _PuzzleOptions, seed: int, count: int | None, data: Path | None, color: str, *, varied: bool
) -> int:
    """Ask one puzzle after the other, until the player quits."""
    from mineproof.practice.progress import Training

    with Training.open(data) as training:
        done = 0
        while count is None or done < count:
            puzzle = puzzles.find((seed + done) & LARGEST_SEED, training, varied=varied)
            done += 1
            if not _ask(puzzle, training, color):
                break
            click.echo(_standing(training))
            if count is None or done < count:
                line = _read_line(message("cli-puzzle-next"))
                if line is None or line.lower() == "q":
                    break
    return 0


def _ask(puzzle: Puzzle, training: Training, color: str) -> bool:
    """Ask until there is an answer; return False if the player quits."""
    from mineproof.practice.answers import answer

    _draw_puzzle(puzzle, None, False, color)
    while True:
        line = _read_line(message("cli-puzzle-prompt"))
        if line is None or line.lower() == "q":
            return False
        if line.lower() == "s":
            _draw_puzzle(puzzle, None, True, color)
            return True
        match = re.fullmatch(r"\(?([0-9]{1,7})[\s,]+([0-9]{1,7})\)?", line)
        if match is None:
            click.echo(message("cli-puzzle-expected-cell", line=repr(line)))
            continue
        try:
            verdict = answer(puzzle, (int(match[1]), int(match[2])))
        except IllegalMoveError as error:
            click.echo(str(error))
            continue
        if verdict.verdict == "harder":
            click.echo(message("cli-puzzle-easier-cell", cell=cell_label(verdict.cell), technique=puzzle.technique))
            continue
        _draw_puzzle(puzzle, verdict, False, color)
        if not training.add(verdict):
            click.echo(message("cli-puzzle-answered-before"))
        return True


def _standing(training: Training) -> str:
    """The rating and the streaks in one line."""
    standing = training.standing()
    rating = decimal(standing.rating.rating, 0).replace(message("number-thousands"), "")
    text = message(
        "cli-puzzle-standing-provisional" if standing.provisional else "cli-puzzle-standing", rating=rating,
        right=number(standing.right), answers=number(standing.answers), streak=number(standing.streak),
    )  # fmt: skip
    return f"{text} {plural('cli-puzzle-daily-streak', standing.daily_streak)}" if standing.daily_streak else text


def _read_line(prompt: str) -> str | None:
    """Read a line of the player, or return None at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None
    except KeyboardInterrupt:
        click.echo()
        raise
