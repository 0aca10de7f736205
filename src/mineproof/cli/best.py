"""``mineproof best``: the best move with its alternatives, and optimal play of positions and whole boards."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget
from mineproof.board.geometry import Topology
from mineproof.board.levels import LEVELS
from mineproof.board.start import FirstClick
from mineproof.board.topology import topology_named
from mineproof.cli import options, output, progress, rivals, summary, variants
from mineproof.cli.boards import takes_boards_or_lines
from mineproof.cli.input import PositionRequest, StrategyName, takes_position
from mineproof.cli.interrupts import interruptible
from mineproof.cli.parameters import SECONDS, Count
from mineproof.cli.phrases import board_and_mines, exact_chance, percent
from mineproof.cli.sizes import parse_size
from mineproof.cli.tables import Flow, table
from mineproof.decision.best_moves import PLAYOUTS, THINKING, best_move
from mineproof.decision.moves import BestMove, Option
from mineproof.decision.optimal import FirstMoves, optimal_first_moves
from mineproof.engine.answers import Outlook
from mineproof.pictures import text as picture
from mineproof.wording.catalogue import message, plural
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

PICTURE_MAX_ROWS = 20  # of a board, around the move
TABLE_MAX_ROWS = 8
FIRST_CELLS_MAX_LISTED = 12
TABLE_MIN_COLUMNS = 72  # on a narrower terminal each row is a paragraph

_SIZE = re.compile(r"[0-9]+[xX×][0-9]+[xX×][0-9]+")
_POSITION_OPTIONS = ("--mines", "--from", "--size", "--flags", "--strategy", "--playouts", "--seconds")


def _or_takes_size(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Let a command take SIZE in place of BOARD."""

    @functools.wraps(function)
    def command(board: str | None, first_click: FirstClick | None, **others: Any) -> int | None:
        if board is None or not _is_size(board):
            if first_click is not None:
                raise click.UsageError("--first-click needs SIZE: in a position the first click is already made")
            return function(board=board, **others)
        if not others["exact"]:
            raise click.UsageError("SIZE needs --exact, which computes the chance to win the whole board")
        for name in _POSITION_OPTIONS:
            if _is_given(name):
                raise click.UsageError(f"{name} cannot be combined with SIZE")
        return _solve_size(board, first_click or "safe", **others)

    return command


def _is_size(text: str) -> bool:
    return (text.strip().lower() in LEVELS or _SIZE.fullmatch(text) is not None) and not Path(text).is_file()


def _is_given(name: str) -> bool:
    context = click.get_current_context()
    [parameter] = [param for param in context.command.params if name in param.opts]
    return context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE


@click.command("best", options_metavar="[OPTIONS]")
@takes_boards_or_lines
@_or_takes_size
@variants.takes_variant(variants.best, refuse=["exact", "strategy", "seconds", "playouts"])
@partial(takes_position, needs_total=True)
@click.option("--exact", is_flag=True, help="Compute optimal play. Exits with status 5 if too many layouts fit.")
@options.guess_strategy_option(
    "Strategy that chooses a guess: NAMES.  [default: best]", type=StrategyName(deciding=True)
)
@click.option("--seconds", type=SECONDS, metavar="N",
              help="Time to think about a guess, on all processors. Ends early if one cell is clearly best, or with "
              "Ctrl-C.")  # fmt: skip
@options.first_click_option(None, otherwise="safe; only with SIZE")
@click.option("--playouts", type=Count(0, 1_000_000), default=PLAYOUTS, show_default=True, metavar="N",
              help="Layouts to play from each cell to estimate its chance to win. 0 gives no estimates.")  # fmt: skip
@options.as_json_option
@options.color_option
def command(
    request: PositionRequest,
    exact: bool,
    strategy: str | None,
    seconds: float | None,
    playouts: int,
    as_json: bool,
    color: str,
) -> int:
    """Show the best move, and compare it with the alternatives.

    The best move is a certainly safe cell if there is one. Otherwise it is a guess, with a table. For each cell, the
    table shows the chance of a mine, the chance to win, the chance that a safe cell is known afterwards, and the
    numbers that the cell may show. A fraction is exact; ≈ marks an estimate with its standard error.

    With --exact, BOARD may be a SIZE: a level or WxHxM (width, height, mines). The result is then the chance to win the
    whole board, and the best first cells.

    --seconds plays more games from the close candidates to refine the estimates. On a terminal, a table shows the
    chance to win of each candidate as its error shrinks.

    If --budget runs out after the odds are counted, the result is the best move so far, and says what is missing.

    With --json, schema mineproof/best/1: best, mine_probability, win_probability, exact, win_fraction, reason, text,
    complete, playouts, thought (with --seconds) and moves, best first.

    \b
    Examples:
      mineproof best '#####/123##/###3#' --mines 6
      mineproof best samples/expert.txt --seconds 5
      mineproof best samples/endgame.txt --exact
      mineproof best --exact 5x5x3 --first-click safe
    """
    if request.board.total_mines is None:
        raise click.UsageError("The number of mines is unknown. Pass --mines N: the chance to win depends on it.")
    if exact and strategy is not None:
        raise click.UsageError("--exact cannot be combined with --strategy")
    if seconds is not None and exact:
        raise click.UsageError("--seconds cannot be combined with --exact")
    if seconds is not None and strategy not in (None, *THINKING):
        raise click.UsageError(f"--seconds needs --strategy {' or '.join(THINKING)}, got {strategy}")
    with progress.waiting(request.budget) as budget:
        if seconds is None:
            move = best_move(request.board, strategy or "best", exact=exact, budget=budget, playouts=playouts)
        else:
            move = _think(request, seconds, budget, playouts)
        if as_json:
            output.print_json(move.as_json() | {"board": request.board.as_json()})
        else:
            with output.drawing(color) as console:
                draw(move, request, budget, console)
    return 0


def _think(request: PositionRequest, seconds: float, budget: Budget, playouts: int) -> BestMove:
    """Think about a move; Ctrl-C ends it with the best move so far, and a terminal shows the progress."""
    with interruptible() as is_pressed, rivals.show_rivals(seconds) as show:
        is_cancelled = budget.cancelled
        stopping = replace(budget, cancelled=lambda: is_pressed() or (is_cancelled is not None and is_cancelled()))
        return best_move(request.board, seconds=seconds, budget=stopping, playouts=playouts, progress=show)


# a move


def draw(move: BestMove, request: PositionRequest, budget: Budget, console: Console) -> None:
    """Print the board with the move marked on it, the sentence and the table."""
    headline = [summary.text(", ".join(summary.position_facts(request)), "bold")]
    if request.note:
        headline.append(summary.text(request.note, "dim"))
    lines = [summary.text(line) for line in output.fold(move.text, console.width)]
    if move.thought is not None:
        thought = rivals.describe_thought(move.thought)
        lines += [summary.text(line, "dim") for line in output.fold(thought, console.width)]
    board = _picture(move, request, budget, console.width)
    summary.show([headline, board, lines, list(_option_table(move, console.width))], console)


def _picture(move: BestMove, request: PositionRequest, budget: Budget, width: int) -> list[Text]:
    board = request.board
    cells = [] if move.cell is None else [move.cell]
    room = max(1, width - len(str(board.rows - 1)) - 2)
    rows, columns = picture.window(board, cells, PICTURE_MAX_ROWS, room)
    if len(rows) * len(columns) > picture.TEXT_PICTURE_MAX_CELLS:
        return [summary.too_large(len(board.codes))]
    marks = picture.marks(board, picture.odds_marks(analyze(board, budget=budget)))
    drawn = picture.TextPicture(
        board,
        marks,
        width,
        widest=picture.PERCENT,
        rows=rows,
        columns=columns,
        used=cells,
        used_for=message("cli-mark-best-move"),
    )
    return [*drawn.lines(), *drawn.legend()]


def _option_table(move: BestMove, width: int) -> Iterator[RenderableType]:
    """A row for each of the best options; the safest cell is always one of them."""
    shown = list(move.moves[:TABLE_MAX_ROWS])
    if move.moves and move.safest not in shown:
        shown[-1] = move.safest
    if not shown or move.reason == "safe":
        return
    yield from _paragraphs(shown) if width < TABLE_MIN_COLUMNS else [_columns(shown)]
    if rest := len(move.moves) - len(shown):
        yield summary.text(plural("cli-best-more-in-json", rest), "dim")


def _columns(options: list[Option]) -> Table:
    rows = table(
        (message("cli-best-head-cell"), "left"), (message("cli-best-head-mine"), "right", 8),
        (message("cli-best-head-wins"), "left"), (message("cli-best-head-then-safe"), "right"),
        (message("cli-best-head-may-show"), "left"),
    )  # fmt: skip
    for option in options:
        chance = summary.text(percent(option.mine_probability), picture.heat(option.mine_probability))
        wins = summary.text(_wins(option))
        wins.no_wrap = True
        rows.add_row(cell_label(option.cell), chance, wins, _odds(option.progress), Flow(_numbers(option), ", "))
    return rows


def _paragraphs(options: list[Option]) -> Iterator[Flow]:
    """The options as paragraphs, for narrow terminals."""
    for option in options:
        facts = [f"{cell_label(option.cell)} {message('cli-best-head-mine')} {percent(option.mine_probability)}"]
        if option.win_probability is not None:
            facts.append(f"{message('cli-best-head-wins')} {_wins(option)}")
        if option.progress is not None:
            facts.append(f"{message('cli-best-head-then-safe')} {_odds(option.progress)}")
        if numbers := [f"{number}," for number in _numbers(option)]:
            facts.append(f"{message('cli-best-head-may-show')} {numbers[0]}")
        pieces = [*(f"{fact};" for fact in facts[:-1]), facts[-1], *numbers[1:]]
        yield Flow([*pieces[:-1], pieces[-1].rstrip(",")], indent=2)


def _wins(option: Option) -> str:
    if option.win_probability is None:
        return "-"
    if option.win_fraction is None:
        return rivals.format_estimate(option.win_probability, option.standard_error or 0.0)
    return exact_chance(option.win_fraction)


def _odds(chance: float | None) -> str:
    if chance is None:
        return "-"
    return {0.0: "0 %", 1.0: "100 %"}.get(chance) or percent(chance)


def _numbers(option: Option) -> list[str]:
    """The numbers that a cell may show, with their chances and consequences."""
    return [f"{outlook.number} ({_odds(outlook.chance)}: {_consequence(outlook)})" for outlook in option.outlook]


def _consequence(outlook: Outlook) -> str:
    if outlook.safe:
        return plural("cli-best-then-safe", outlook.safe)
    if outlook.safety == 1:
        return message("cli-best-then-won")
    return message("cli-best-then-risk", risk=percent(1 - outlook.safety))


# a whole board


def _first_move_lines(moves: FirstMoves, width: int) -> Iterator[str]:
    board = board_and_mines(*moves.size, moves.topology)
    yield from output.fold(message("cli-best-size", board=board, rule=moves.first_click), width)
    if moves.win is None:
        key = "cli-best-no-layout-open" if moves.first_click == "open" else "cli-best-no-layout"
        yield from output.fold(message(key), width)
        return
    if not moves.best:
        yield from output.fold(message("cli-best-all-mines"), width)
        return
    yield from output.fold(message("cli-best-optimal-play", chance=exact_chance(moves.win)), width)
    cells = " ".join(map(cell_label, moves.best[:FIRST_CELLS_MAX_LISTED]))
    if (more := len(moves.best) - FIRST_CELLS_MAX_LISTED) > 0:
        cells += " " + plural("cli-and-more", more)
    yield from output.fold(message("cli-best-first-cells", cells=cells), width)
    yield ""
    yield from output.fold(message("cli-best-by-first-cell"), width)
    yield from _first_move_grid(moves, width)


def _first_move_grid(moves: FirstMoves, width: int) -> Iterator[str]:
    """The chances to win as a board, in bands of columns if it is wide."""
    label = len(str(moves.size.rows - 1))
    room = max(1, (width - label - 3) // 6)  # hexagons of odd rows stand half a cell to the right
    for first in range(0, moves.size.columns, room):
        columns = range(first, min(first + room, moves.size.columns))
        yield " " * label + "".join(f"{column:6}" for column in columns)
        for row in range(moves.size.rows):
            shift = "   " if topology_named(moves.topology).has_shifted_rows and row % 2 else ""
            values = "".join(f"{_short_chance(moves.values[row, column]):>6}" for column in columns)
            yield f"{row:{label}}{shift}{values}"


def _short_chance(value: Fraction | None) -> str:
    """Per cent in five characters: 100 only if it is certain, 0 only if it is impossible."""
    if value is None:
        return "-"
    if value in (0, 1):
        return str(100 * value)
    return percent(float(value)).removesuffix(" %").replace("< ", "<").replace("> ", ">")


def _solve_size(
    text: str,
    rule: FirstClick,
    *,
    topology: Topology | None,
    budget: float,
    states: int,
    as_json: bool,
    **_: object,
) -> int:
    """Print the chance to win a whole board."""
    board = parse_size(text)
    kind = topology or "grid"
    with progress.waiting(Budget(budget, states)) as limit:
        values = optimal_first_moves(*board, rule, topology=kind, budget=limit)
    moves = FirstMoves(board, kind, rule, values)
    if as_json:
        output.print_json(moves.as_json())
    else:
        click.echo("\n".join(_first_move_lines(moves, output.terminal_width())))
    return 0
