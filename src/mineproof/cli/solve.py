"""``mineproof solve``: every certain cell, and the reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.cli import options, output, progress, summary, variants
from mineproof.cli.boards import takes_boards_or_lines
from mineproof.cli.input import PositionRequest, takes_position
from mineproof.cli.parameters import Choice
from mineproof.cli.tables import Flow, table
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, deduce, solution_json
from mineproof.deduction.techniques.bounds import Bounds, bounds_json, bounds_table
from mineproof.deduction.techniques.elimination import Matrix, matrix
from mineproof.pictures.text import MINE, SAFE, TEXT_PICTURE_MAX_CELLS, TextPicture, marks
from mineproof.wording.catalogue import message, number, plural
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

_TECHNIQUES: list[str] = list(LADDER)


@click.command("solve")
@takes_boards_or_lines
@variants.takes_variant(variants.solve, refuse=["technique", "show"])
@takes_position
@click.option("--steps", "explains", is_flag=True, help="Explain every deduction, the easiest first.")
@click.option("--technique", type=Choice(_TECHNIQUES), metavar="NAME",
              help="Hardest technique to use.  [default: exhaustive]")  # fmt: skip
@click.option("--show", type=Choice(["bounds", "matrix"]),
              help="Print the table of bounds, or the matrix of elimination, instead of a solution.")  # fmt: skip
@options.as_json_option
@options.color_option
def command(
    request: PositionRequest, explains: bool, technique: str | None, show: str | None, as_json: bool, color: str
) -> None:
    """Find every certain cell.

    Prints a picture of the board and a list of all cells that are certainly safe or mines. --steps adds the reasons:
    one deduction after the other, each with its technique and a minimal set of numbers that prove it. For the odds of
    the other cells use analyze. Exits with status 0 even if nothing is certain.

    Techniques, from easy to hard: {techniques}. Each includes the easier ones. The last one finds everything.

    With --json, schema mineproof/solution/1: safe, mines, and steps with technique, safe, mines, because, uses_total,
    text, pattern and argument.

    \b
    Examples:
      mineproof solve '###/121'
      mineproof solve samples/beginner.txt --steps
      mineproof solve '+33+/---+' --technique bounds
      mineproof solve '01#/12#/###' --show matrix
      mineproof solve '1+2 # #/# # #' --rules wall --steps
    """
    if show is not None:
        if explains or technique is not None:
            raise click.UsageError("--show cannot be combined with --steps or --technique")
        with progress.waiting(request.budget) as budget:
            _print_table(request.board, show, as_json, budget)
        return
    with progress.waiting(request.budget) as budget:
        if as_json:
            steps = deduce(request.board, upto=technique or _TECHNIQUES[-1], budget=budget)
            output.print_json(solution_json(steps) | {"board": request.board.as_json()})
        else:
            solution = _solve(request.board, explains, technique, budget)
            with output.drawing(color) as console:
                _draw_solution(solution, request, console)


command.help = (command.help or "").replace("{techniques}", ", ".join(_TECHNIQUES))


class _Solution(NamedTuple):
    """Certain cells, the steps if they are printed, and the number of cells that only harder techniques find."""

    safe: frozenset[Cell]
    mines: frozenset[Cell]
    steps: list[Deduction] | None
    technique: str | None
    missed: int


def _solve(board: Board, explains: bool, technique: str | None, budget: Budget) -> _Solution:
    analysis = analyze(board, budget=budget)
    if not explains and technique is None:  # certain cells are known without the steps, which are slow on large boards
        return _Solution(analysis.safe, analysis.mines, None, None, 0)
    steps = deduce(board, upto=technique or _TECHNIQUES[-1], budget=budget)
    safe = frozenset(cell for step in steps for cell in step.safe)
    mines = frozenset(cell for step in steps for cell in step.mines)
    missed = len(analysis.safe) + len(analysis.mines) - len(safe) - len(mines)
    return _Solution(safe, mines, steps if explains else None, technique, missed)


# text


def _draw_solution(solution: _Solution, request: PositionRequest, console: Console) -> None:
    board = request.board
    blocks: list[Sequence[RenderableType]] = [list(_headline(solution, request))]
    if len(board.codes) > TEXT_PICTURE_MAX_CELLS:
        blocks.append([summary.too_large(len(board.codes))])
    else:
        certain = dict.fromkeys(solution.safe, SAFE) | dict.fromkeys(solution.mines, MINE)
        picture = TextPicture(board, marks(board, certain), console.width)
        blocks += [list(picture.lines()), list(picture.legend())]
    if solution.steps is None:
        rows = summary.certain_rows(solution.safe, solution.mines)
        blocks.append([summary.cells_table(rows)] if rows else [])
    else:
        blocks += _step_blocks(solution.steps, console.width)
    blocks.append(list(_advice(solution)))
    summary.show(blocks, console)


def _headline(solution: _Solution, request: PositionRequest) -> Iterator[Text]:
    yield summary.text(", ".join(summary.position_facts(request)), "bold")
    left = request.board.count(COVERED) - len(solution.safe) - len(solution.mines)
    undecided = message("cli-solve-undecided", cells=number(left))
    if solution.safe or solution.mines:
        safe, mines = plural("cli-solve-safe", len(solution.safe)), plural("cli-mines", len(solution.mines))
        counts = f"{safe}, {mines}, {undecided}"
    elif left:
        counts = f"{message('cli-solve-nothing-certain')}, {undecided}"
    else:
        counts = message("cli-solve-nothing-covered")
    if solution.technique and left + len(solution.safe) + len(solution.mines):
        counts = message("cli-solve-up-to", technique=solution.technique, counts=counts)
    yield summary.text(counts, "bold")
    if request.note:
        yield summary.text(request.note, "dim")


def _step_blocks(steps: Sequence[Deduction], width: int) -> list[list[Text]]:
    """The steps with their numbers, below a line on how often each technique is used."""
    if not steps:
        return []
    counts = Counter(step.technique for step in steps)
    techniques = ", ".join(f"{number(counts[name])} {name}" for name in _TECHNIQUES if counts[name])
    digits = len(str(len(steps)))
    lines = [line for place, step in enumerate(steps, 1) for line in _step_lines(place, digits, step, width)]
    return [[summary.text(f"{plural('cli-solve-steps', len(steps))}: {techniques}", "bold")], lines]


def _step_lines(place: int, digits: int, step: Deduction, width: int) -> Iterator[Text]:
    numbers = [*map(cell_label, step.because), *([message("cli-solve-total")] if step.uses_total else [])]
    start = summary.text(f"{place:{digits}}  ").append(step.technique, "bold cyan")
    for line in output.fold(message("cli-solve-from", numbers=" ".join(numbers)), width, indent=len(start) + 2):
        yield start + summary.text(f"  {line}", "dim")
        start = summary.text(" " * len(start))
    for line in output.fold(step.text, width, indent=digits + 2):
        yield summary.text(" " * (digits + 2) + line)


def _advice(solution: _Solution) -> Iterator[Text]:
    """Which options show more."""
    if solution.missed:
        yield summary.text(plural("cli-solve-missed", solution.missed))
    elif solution.steps is None and (solution.safe or solution.mines):
        yield summary.text(message("cli-solve-try-steps"))


# tables of techniques


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
        click.echo(message("cli-solve-no-numbers"))
        return
    rows = table((message("cli-solve-head-mines"), "right"), (message("cli-solve-head-cells"), "left"))
    for bounds in sets:
        mines = str(bounds.least) if bounds.least == bounds.most else f"{bounds.least}-{bounds.most}"
        rows.add_row(mines, Flow(list(map(cell_label, bounds.cells))))
    with output.drawing("never") as console:
        console.print(rows)


def _print_matrix(system: Matrix) -> None:
    """Print the matrix, and the cells of its columns."""
    width = output.terminal_width()
    cells = " ".join(map(cell_label, system.columns))
    head = message("cli-solve-columns", cells=cells) if system.rows else message("cli-solve-no-numbers")
    rows = str(system).splitlines()
    click.echo("\n".join([*output.fold(head, width), *rows]))
    if (needed := max(map(len, rows), default=0)) > width:
        output.note(message("cli-solve-wide-matrix", needed=needed, width=width))
