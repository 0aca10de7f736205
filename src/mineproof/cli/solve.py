"""``mineproof solve``: every certain cell, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget
from mineproof.base.words import at, plural
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.cli import output, progress, summary
from mineproof.cli.input import Question, takes_question
from mineproof.cli.many import takes_boards_or_lines
from mineproof.cli.tables import Flow, table
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, deduce, solution_json
from mineproof.deduction.techniques.bounds import Bounds, bounds_json, bounds_table
from mineproof.deduction.techniques.elimination import Matrix, matrix
from mineproof.pictures.text import MINE, MOST_PICTURED, SAFE, Picture, marks

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_TECHNIQUES: list[str] = list(LADDER)
_NO_NUMBERS = "no number has a covered cell next to it"


@click.command("solve")
@takes_boards_or_lines
@takes_question
@click.option("--steps", "says_why", is_flag=True, help="Tell every deduction in words, the easiest first.")
@click.option("--technique", type=click.Choice(_TECHNIQUES), metavar="NAME",
              help="Use no harder technique than this one.")  # fmt: skip
@click.option("--show", type=click.Choice(["bounds", "matrix"]),
              help="Print instead what 'bounds' or 'elimination' works with.")  # fmt: skip
@output.as_json_option
@output.color_option
def command(
    question: Question, says_why: bool, technique: str | None, show: str | None, as_json: bool, color: str
) -> None:
    """Find every certain cell.

    Prints a picture of the board with the cells that are safe and those that are mines, and lists them. With --steps
    it says why: one deduction after the other, each with its technique and the numbers that prove it, of which none
    can be spared. That nothing is certain is an answer too.

    Techniques, from the simplest on: single-open, single-flag, partition, bounds, elimination, contradiction, total,
    exhaustive. Each includes those before it; the last one finds everything.

    With --json, schema mineproof/solution/1: safe, mines, and steps with technique, safe, mines, because, uses_total
    and text.

    \b
    Examples:
      mineproof solve '###/121'
      mineproof solve game.mine --steps
      mineproof solve '+33+/---+' --technique bounds
      mineproof solve '01#/12#/###' --show matrix
    """
    if show is not None:
        if says_why or technique is not None:
            raise click.UsageError("--show excludes --steps and --technique")
        with progress.waiting(question.budget) as budget:
            _print_table(question.board, show, as_json, budget)
        return
    with progress.waiting(question.budget) as budget:
        if as_json:
            found = deduce(question.board, upto=technique or _TECHNIQUES[-1], budget=budget)
            output.print_json(solution_json(found) | question.board_json())
        else:
            solved = _solve(question.board, says_why, technique, budget)
            with output.drawing(color) as console:
                _draw(solved, question, console)


class _Solution(NamedTuple):
    """What was found; ``steps`` is None unless they are to be told, ``missed`` is what harder techniques would find."""

    safe: frozenset[Cell]
    mines: frozenset[Cell]
    steps: list[Deduction] | None
    technique: str | None
    missed: int


def _solve(board: Board, says_why: bool, technique: str | None, budget: Budget) -> _Solution:
    found = analyze(board, budget=budget)
    if not says_why and technique is None:  # what is certain is known without the reasons, and large boards have many
        return _Solution(found.safe, found.mines, None, None, 0)
    steps = deduce(board, upto=technique or _TECHNIQUES[-1], budget=budget)
    safe = frozenset(cell for step in steps for cell in step.safe)
    mines = frozenset(cell for step in steps for cell in step.mines)
    missed = len(found.safe) + len(found.mines) - len(safe) - len(mines)
    return _Solution(safe, mines, steps if says_why else None, technique, missed)


# text


def _draw(found: _Solution, question: Question, console: Console) -> None:
    board = question.board
    blocks: list[Sequence[RenderableType]] = [list(_headline(found, question))]
    if len(board.codes) > MOST_PICTURED:
        blocks.append([summary.too_many(len(board.codes))])
    else:
        certain = dict.fromkeys(found.safe, SAFE) | dict.fromkeys(found.mines, MINE)
        picture = Picture(board, marks(board, certain), console.width)
        blocks += [list(picture.lines()), list(picture.legend())]
    if found.steps is None:
        blocks.append(_lists(found))
    else:
        blocks += _step_blocks(found.steps, console.width)
    blocks.append(list(_outlook(found)))
    summary.show(blocks, console)


def _headline(found: _Solution, question: Question) -> Iterator[Text]:
    yield summary.text(", ".join(summary.facts(question)), "bold")
    limit = f"up to {found.technique}: " if found.technique else ""
    left = question.board.count(COVERED) - len(found.safe) - len(found.mines)
    counts = [plural(len(found.safe), "safe cell"), plural(len(found.mines), "mine")]
    if found.safe or found.mines:
        yield summary.text(f"{limit}{', '.join(counts)}, {left:,} undecided", "bold")
    elif left:
        yield summary.text(f"{limit}no cell is certain, {left:,} undecided", "bold")
    else:
        yield summary.text("no cell is covered", "bold")
    if question.note:
        yield summary.text(question.note, "dim")


def _lists(found: _Solution) -> list[RenderableType]:
    rows = [summary.Row("safe", SAFE.style, sorted(found.safe)), summary.Row("mine", MINE.style, sorted(found.mines))]
    listed = [row for row in rows if row.cells]
    return [summary.cells_table(listed)] if listed else []


def _step_blocks(steps: Sequence[Deduction], width: int) -> list[list[Text]]:
    """The steps, numbered, with a line on how often each technique was used."""
    if not steps:
        return []
    counts = Counter(step.technique for step in steps)
    used = ", ".join(f"{counts[name]} {name}" for name in _TECHNIQUES if counts[name])
    digits = len(str(len(steps)))
    lines = [line for number, step in enumerate(steps, 1) for line in _step(number, digits, step, width)]
    return [[summary.text(f"{plural(len(steps), 'step')}: {used}", "bold")], lines]


def _step(number: int, digits: int, step: Deduction, width: int) -> Iterator[Text]:
    proof = [*map(at, step.because), *(["total"] if step.uses_total else [])]
    start = summary.text(f"{number:{digits}}  ").append(step.technique, "bold cyan")
    for line in output.folded(f"from {' '.join(proof)}", width, indent=len(start) + 2):
        yield start + summary.text(f"  {line}", "dim")
        start = summary.text(" " * len(start))
    for line in output.folded(step.text, width, indent=digits + 2):
        yield summary.text(" " * (digits + 2) + line)


def _outlook(found: _Solution) -> Iterator[Text]:
    """What else could be asked."""
    if found.missed:
        more = f"{plural(found.missed, 'more cell')} {'is' if found.missed == 1 else 'are'} certain"
        yield summary.text(f"{more}; solve without --technique finds {'it' if found.missed == 1 else 'them'}.")
    elif found.steps is None and (found.safe or found.mines):
        yield summary.text("--steps says why, one deduction at a time.")


# what techniques work with


def _print_table(board: Board, show: str, as_json: bool, budget: Budget) -> None:
    match show, as_json:
        case "bounds", True:
            output.print_json(bounds_json(bounds_table(board, budget=budget)))
        case "bounds", False:
            _print_bounds(bounds_table(board, budget=budget))
        case _, True:
            output.print_json(matrix(board, budget=budget).as_json())
        case _:
            _print_matrix(matrix(board, budget=budget))


def _print_bounds(sets: Sequence[Bounds]) -> None:
    if not sets:
        click.echo(_NO_NUMBERS)
        return
    rows = table(("mines", "right"), ("cells", "left"))
    for each in sets:
        mines = str(each.least) if each.least == each.most else f"{each.least}-{each.most}"
        rows.add_row(mines, Flow(list(map(at, each.cells))))
    with output.drawing("never") as console:
        console.print(rows)


def _print_matrix(found: Matrix) -> None:
    """The matrix, with the cells that its columns stand for."""
    width = output.terminal_width()
    head = f"columns: {' '.join(map(at, found.columns))}" if found.rows else _NO_NUMBERS
    rows = str(found).splitlines()
    click.echo("\n".join([*output.folded(head, width), *rows]))
    if (needed := max(map(len, rows), default=0)) > width:
        output.note(f"the matrix is {needed} characters wide, and the terminal {width}")
