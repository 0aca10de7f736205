"""``mineproof puzzle``: positions to practise on, with the proof after each answer, a rating and a streak."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import words
from mineproof.base.budget import DEFAULT, Budget
from mineproof.board.cells import FLAGGED, Cell
from mineproof.cli import output, progress, summary
from mineproof.cli.input import cell as cell_type
from mineproof.cli.input import level_name, positive_seconds
from mineproof.cli.sizes import seed_option, settled
from mineproof.errors import IllegalMoveError
from mineproof.pictures import text as picture

if TYPE_CHECKING:
    from rich.text import Text

    from mineproof.practice.judging import Answer
    from mineproof.practice.puzzles import Puzzle
    from mineproof.practice.training import Training

NOT_RIGHT = 1  # exit status
LARGEST_SEED = 2**64 - 1

# As `mineproof.practice.puzzles` has them, which is not loaded for this; a test compares the two.
TECHNIQUES = (
    "single-open", "single-flag", "partition", "bounds", "elimination", "contradiction", "total", "exhaustive", "guess",
)  # fmt: skip

PROMPT = "row,column; s shows it, q ends: "
NEXT = "Enter goes on, q ends: "


@dataclass(frozen=True, slots=True)
class _Asked:
    """Which puzzles are wanted; ``technique`` None leaves it to the seed, or to the player's rating."""

    technique: str | None
    level: str
    daily: bool
    budget: float

    def puzzle(self, seed: int, training: Training | None = None) -> Puzzle:
        from mineproof.practice.finding import daily_puzzle, puzzle

        technique = self.technique
        if technique is None and training is not None and not self.daily:
            technique = training.next_technique(seed)
        with progress.waiting(Budget(seconds=self.budget)) as limit:
            if self.daily:
                return daily_puzzle(budget=limit)
            return puzzle(technique, level=self.level, seed=seed, budget=limit)


@click.command("puzzle")
@click.option("--technique", type=click.Choice(TECHNIQUES), metavar="NAME",
              help=f"What to practise: {', '.join(TECHNIQUES)}.  [default: by your rating; without a terminal, by the "
                   "seed]")  # fmt: skip
@click.option("--level", type=level_name, metavar="SIZE",
              help="A level (beginner, beginner8, intermediate, expert) or WxHxM.  [default: expert]")  # fmt: skip
@seed_option
@click.option("--daily", is_flag=True, help="The puzzle of today (UTC), the same for everybody.")
@click.option("--count", type=click.IntRange(min=1), metavar="N",
              help="How many, with the seeds S, S + 1 and so on.  [default: 1; on a terminal, until you end it]",
)  # fmt: skip
@click.option("--answer", "chosen", type=cell_type, metavar="R,C",
              help="Judge this cell instead of asking; exit with status 1 unless it is right.")  # fmt: skip
@click.option("--show", is_flag=True, help="Show the solution and why, instead of asking.")
@click.option("--data", type=click.Path(path_type=Path), metavar="PATH",
              help="The file or folder that keeps your rating, instead of the usual history.")  # fmt: skip
@click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
              help="Give up when no puzzle is found in this time.")  # fmt: skip
@output.as_json_option
@output.color_option
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
    """Practise on positions out of real games, each of which needs the technique it is for.

    Nothing easier than the technique helps: that is proved. With "guess" nothing is certain, and the best cell is not
    the safest. Flags are mines that are known already. On a terminal you are asked for a cell and told the proof; first
    answers count for your rating (Glicko-2) and streak, which are kept beside the history. Elsewhere, or with --show,
    --answer or --json, puzzles are printed and nothing counts.

    With --json, one object a line, schema mineproof/puzzle/1: technique, kind (open, flag or guess), level, seed, date,
    task, board, solution, deduction, best, positions and games; with --answer, mineproof/answer/1.

    \b
    Examples:
      mineproof puzzle
      mineproof puzzle --daily
      mineproof puzzle --technique contradiction --seed 7 --show
      mineproof puzzle --technique partition --level beginner --seed 7 --answer 0,4
    """
    _check(technique, level, seed, daily, count, chosen, show)
    asked = _Asked(technique, level or "expert", daily, budget)
    asking = not (as_json or show or chosen is not None) and sys.stdin.isatty() and sys.stdout.isatty()
    first = 0 if daily else settled(seed)
    if asking:
        return _practise(asked, first, 1 if daily else count, data, color)
    if first + (count or 1) - 1 > LARGEST_SEED:
        raise click.UsageError(f"found --seed {first} and --count {count}, expected seeds of at most 2**64 - 1")
    status = 0
    for number in range(first, first + (count or 1)):
        if number > first and not as_json:
            click.echo()
        status = max(status, _print(asked.puzzle(number), chosen, show, as_json, color))
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
        raise click.UsageError(f"found --daily and {words.listing(others)}, expected --daily alone: the date decides")
    if chosen is not None and count is not None:
        raise click.UsageError("found --answer and --count, expected an answer to one puzzle")
    if chosen is not None and seed is None and not daily:
        raise click.UsageError("found --answer without --seed or --daily, expected to be told which puzzle it answers")
    if chosen is not None and show:
        raise click.UsageError("found --answer and --show, expected one of them: an answer shows why")


# printing


def _print(asked: Puzzle, chosen: Cell | None, show: bool, as_json: bool, color: str) -> int:
    """A puzzle, or what an answer to it is; the exit status."""
    from mineproof.practice.judging import answer

    found = None if chosen is None else answer(asked, chosen)
    if as_json:
        output.print_json(asked.as_json() if found is None else found.as_json())
    else:
        _draw(asked, found, show, color)
    return 0 if found is None or found.right else NOT_RIGHT


def _draw(asked: Puzzle, found: Answer | None, show: bool, color: str) -> None:
    with output.drawing(color) as console:
        text = [summary.text(asked.name, "bold"), *_folded(_size(asked), console.width)]
        if found is not None:
            said = [_verdict(found), *_folded(found.text, console.width), *_also(asked, found, console.width)]
            blocks = [text, _picture(asked, console.width, *_of_answer(found)), said]
        elif show:
            blocks = [text, _picture(asked, console.width, *_of_solution(asked)), _folded(asked.text, console.width)]
        else:
            blocks = [text, _picture(asked, console.width, {}, ()), _folded(asked.task, console.width)]
        summary.show(blocks, console)


def _size(asked: Puzzle) -> str:
    """The size, and how many mines have no flag yet: what the total tells."""
    board = asked.board
    total = board.total_mines or 0
    left = total - board.count(FLAGGED)
    return f"{words.size(board.rows, board.columns, total)}, {left} of them without a flag"


def _picture(asked: Puzzle, width: int, special: dict[Cell, picture.Mark], used: Collection[Cell]) -> list[Text]:
    board = asked.board
    if len(board.codes) > picture.MOST_PICTURED:
        return [summary.too_many(len(board.codes))]
    drawn = picture.Picture(board, picture.marks(board, special, picture.HIDDEN), width, used=used)
    return [*drawn.lines(), *drawn.legend()]


def _of_solution(asked: Puzzle) -> tuple[dict[Cell, picture.Mark], Collection[Cell]]:
    """What to mark when the solution is shown: every cell that is right, and the numbers of the easiest step."""
    mark = {"open": picture.SAFE, "flag": picture.MINE, "guess": picture.GUESS}[asked.kind]
    return dict.fromkeys(asked.solution, mark), () if asked.deduction is None else asked.deduction.because


def _of_answer(found: Answer) -> tuple[dict[Cell, picture.Mark], Collection[Cell]]:
    """What to mark after an answer: what its proof decides, with the numbers; else the solution."""
    if not found.proof or found.verdict == "wrong":
        return _of_solution(found.puzzle)
    safe = {cell: picture.SAFE for step in found.proof for cell in step.safe}
    mines = {cell: picture.MINE for step in found.proof for cell in step.mines}
    return safe | mines, {number for step in found.proof for number in step.because}


def _verdict(found: Answer) -> Text:
    title, style = {
        "right": ("Right.", picture.SAFE.style),
        "harder": ("Certain, but not the easy way.", "bold"),
        "wrong": ("Wrong.", picture.MINE.style),
    }[found.verdict]
    return summary.text(title, style)


def _also(asked: Puzzle, found: Answer, width: int) -> list[Text]:
    """After a wrong answer, what would have been right; a guess has told it already."""
    if found.verdict != "wrong" or asked.kind == "guess":
        return []
    return _folded(f"Right would be {_cells(asked)}. {asked.text}", width)


def _cells(asked: Puzzle) -> str:
    return words.listing([words.at(cell) for cell in sorted(asked.solution)], "or")


def _folded(told: str, width: int) -> list[Text]:
    return [summary.text(line) for line in output.folded(told, width)]


# asking


def _practise(asked: _Asked, seed: int, count: int | None, data: Path | None, color: str) -> int:
    """One puzzle after the other, until the player ends it."""
    from mineproof.practice.training import Training

    with Training.open(data) as training:
        done = 0
        while count is None or done < count:
            puzzle = asked.puzzle((seed + done) & LARGEST_SEED, training)
            done += 1
            if not _ask(puzzle, training, color):
                break
            click.echo(_standing(training))
            if count is None or done < count:
                going_on = _line(NEXT)
                if going_on is None or going_on.lower() == "q":
                    break
    return 0


def _ask(asked: Puzzle, training: Training, color: str) -> bool:
    """Ask until there is an answer; False if the player has ended it instead."""
    from mineproof.practice.judging import answer

    _draw(asked, None, False, color)
    while True:
        line = _line(PROMPT)
        if line is None or line.lower() == "q":
            return False
        if line.lower() == "s":
            _draw(asked, None, True, color)
            return True
        place = re.fullmatch(r"\(?([0-9]{1,7})[\s,]+([0-9]{1,7})\)?", line)
        if place is None:
            click.echo(f"found {line!r}, expected a row and a column such as 3,4; both count from 0")
            continue
        try:
            found = answer(asked, (int(place[1]), int(place[2])))
        except IllegalMoveError as error:
            click.echo(str(error))
            continue
        if found.verdict == "harder":
            click.echo(
                f"{words.at(found.cell)} is certain, but {asked.technique} does not tell. Look for an easier one."
            )
            continue
        _draw(asked, found, False, color)
        if not training.add(found):
            click.echo("You have answered this puzzle before: it does not count again.")
        return True


def _standing(training: Training) -> str:
    standing = training.standing()
    rating = f"Rating {standing.rating.rating:.0f} ± {2 * standing.rating.deviation:.0f}"
    days = f", {words.plural(standing.daily_streak, 'daily puzzle')} in a row" if standing.daily_streak else ""
    return f"{rating}; {standing.right} of {standing.answers} right, {standing.streak} in a row{days}."


def _line(prompt: str) -> str | None:
    """What the player types; None at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None
    except KeyboardInterrupt:
        click.echo()
        raise
