"""Problems in place of boards: finding out that BOARD is one, and its analysis as text."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mineproof.analysis.analysis import analyze
from mineproof.analysis.problem_analysis import ProblemAnalysis
from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.cli import output, progress
from mineproof.cli.input import is_file
from mineproof.cli.phrases import exact_chance, percent
from mineproof.errors import BoardSyntaxError
from mineproof.problems.documents import is_problem, read_problem
from mineproof.problems.problem import Problem
from mineproof.wording.catalogue import message, plural

if TYPE_CHECKING:
    from rich.console import Console

MAX_ROWS = 40  # variables printed without --exact
_FOR_BOARDS = ("mines", "topology", "format_", "size", "flags", "density")
_HEAD_BYTES = 200


def takes_problem(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Let a command for boards answer problems, too: BOARD is then a ``mineproof/problem/1`` document."""

    @functools.wraps(function)
    def command(board: str | None, **options: Any) -> int | None:
        source = _problem_text(board)
        if source is None:
            return function(board=board, **options)
        _refuse_board_options()
        try:
            problem = read_problem(source)
        except BoardSyntaxError as error:
            error.source = board if board is not None and is_file(board) else None
            raise
        _answer(problem, **options)
        return None

    return command


def _problem_text(board: str | None) -> str | bytes | None:
    """Return the text of a problem, or None if BOARD is something else, which is then still unread."""
    if board is None or board == "-":
        if sys.stdin is None or sys.stdin.isatty():
            return None
        return files.read_stream(sys.stdin.buffer, "standard input") if is_problem(_peek()) else None
    if not is_file(board):
        return board if is_problem(board) else None
    with Path(board).open("rb") as stream:
        head = stream.read(_HEAD_BYTES) if Path(board).is_file() else b""
    return files.read(Path(board)) if is_problem(head) else None


def _peek() -> bytes:
    """Return the first bytes of standard input, and leave them there."""
    buffer: Any = sys.stdin.buffer
    if hasattr(buffer, "peek"):
        return bytes(buffer.peek(_HEAD_BYTES)[:_HEAD_BYTES])
    place = buffer.tell()  # a program gives text of its own as standard input
    head = bytes(buffer.read(_HEAD_BYTES))
    buffer.seek(place)
    return head


def _refuse_board_options() -> None:
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if given and parameter.name in _FOR_BOARDS:
            raise click.UsageError(f"{parameter.opts[0]} is for boards. A problem carries its total and its weights.")


def _answer(problem: Problem, *, exact: bool, as_json: bool, color: str, budget: float, states: int, **_: Any) -> None:
    with progress.waiting(Budget(seconds=budget, states=states)) as limit:
        analysis = analyze(problem, budget=limit)
        if as_json:
            output.print_json(analysis.as_json(exact=exact))
        else:
            with output.drawing(color) as console:
                _draw_analysis(analysis, exact, console)


def _draw_analysis(analysis: ProblemAnalysis, exact: bool, console: Console) -> None:
    problem = analysis.problem
    lines = [plural("problem-solutions", analysis.solutions)]
    if analysis.certain:
        values = ", ".join(f"{variable} = {value}" for variable, value in analysis.certain.items())
        lines.append(message("problem-certain", values=values))
    undecided = [variable for variable in range(problem.variables) if variable not in analysis.certain]
    shown = undecided if exact else undecided[:MAX_ROWS]
    for variable in shown:
        chances = (
            f"{value}: {exact_chance(analysis.exact(variable, value)) if exact else percent(chance)}"
            for value, chance in enumerate(analysis.value_probability[variable].tolist())
            if value in analysis.possible(variable)
        )
        lines.append(f"{variable:>5}  {'   '.join(chances)}")
    if len(shown) < len(undecided):
        lines.append(plural("problem-more", len(undecided) - len(shown)))
    for line in lines:
        console.print(line, highlight=False, markup=False)
