"""``mineproof best``: the move to make, what it was weighed against, and optimal play of positions and whole boards."""

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
from mineproof.base.words import at, percent, plural, size
from mineproof.board.geometry import Topology
from mineproof.board.levels import LEVELS, read_size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.cli import live, output, progress, summary
from mineproof.cli.input import Count, Question, StrategyName, positive_seconds, takes_question
from mineproof.cli.interrupting import interruptible
from mineproof.cli.many import takes_boards_or_lines
from mineproof.cli.tables import Flow, table
from mineproof.decision.choosing import PLAYOUTS, THINKING, best_move
from mineproof.decision.moves import BestMove, Option
from mineproof.decision.optimal import FirstMoves, optimal_first_moves
from mineproof.engine.answers import Outlook
from mineproof.errors import BoardSyntaxError
from mineproof.pictures import text as picture

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

MOST_ROWS = 20  # of a board that are shown around the move
MOST_OPTIONS = 8  # rows of the table
MOST_CELLS = 12  # first cells that are listed
NARROW = 72  # columns below which a row of the table becomes a paragraph

_SIZE = re.compile(r"[0-9]+[xX×][0-9]+[xX×][0-9]+")
_ON_POSITIONS = ("--mines", "--from", "--size", "--flags", "--strategy", "--playouts", "--seconds")


def _or_size(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command that takes BOARD a SIZE instead, where that is what BOARD is."""

    @functools.wraps(function)
    def command(board: str | None, first_click: FirstClick | None, **others: Any) -> int:
        if board is None or not _is_size(board):
            if first_click is not None:
                raise click.UsageError("--first-click goes with SIZE; in a position the first click is made already")
            return function(board=board, **others)
        if not others["exact"]:
            raise click.UsageError("of a SIZE only the chance to win can be told: --exact does so")
        for name in _ON_POSITIONS:
            if _is_given(name):
                raise click.UsageError(f"{name} does not go with SIZE")
        return _of_size(board, first_click or "safe", **others)

    return command


def _is_size(text: str) -> bool:
    return (text.strip().lower() in LEVELS or _SIZE.fullmatch(text) is not None) and not Path(text).is_file()


def _is_given(name: str) -> bool:
    context = click.get_current_context()
    [parameter] = [each for each in context.command.params if name in each.opts]
    return context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE


@click.command("best", options_metavar="[OPTIONS]")
@takes_boards_or_lines
@_or_size
@partial(takes_question, wants_total=True)
@click.option("--exact", is_flag=True, help="Play optimally, or exit with status 5 if too many layouts fit.")
@click.option("--strategy", type=StrategyName(deciding=True), metavar="NAME",
              help="Who chooses a guess: best, deep, strong, fast or minesolver.  [default: best]")  # fmt: skip
@click.option("--seconds", type=positive_seconds, metavar="N",
              help="Think a guess over for so long, on all processors, or until it is clear. Ctrl-C ends it with the "
              "best so far.")  # fmt: skip
@click.option("--first-click", type=click.Choice(FIRST_CLICKS),
              help="With SIZE: what is kept free of mines: nothing, the first cell, or its surroundings too.  "
              "[default: safe]")  # fmt: skip
@click.option("--playouts", type=Count(0, 1_000_000), default=PLAYOUTS, show_default=True, metavar="N",
              help="Layouts played from a cell to estimate its chance to win; 0 for no estimates.")  # fmt: skip
@output.as_json_option
@output.color_option
def command(
    question: Question,
    exact: bool,
    strategy: str | None,
    seconds: float | None,
    playouts: int,
    as_json: bool,
    color: str,
) -> int:
    """Tell the best move, and what the others are worth.

    A certainly safe cell if there is one; otherwise a guess, with a table: for each cell its chance of a mine, the
    chance to win (a fraction is exact; ≈ is an estimate with its standard error), the chance that a safe cell is known
    afterwards, and what each number would tell.

    With --exact, BOARD may be a SIZE: a level or WxHxM. Then the answer is the chance to win the untouched board, and
    the best first cells.

    With --seconds a guess is thought over: games are played on from the cells that look about as good, ever more of
    them, and the table on a terminal shows the chance to win of each as its error narrows.

    With --json, schema mineproof/best/1: best, mine_probability, win_probability, exact, win_fraction, reason, text,
    thought (with --seconds) and moves, best first.

    \b
    Examples:
      mineproof best '#####/123##/###3#' --mines 6
      mineproof best game.mine --seconds 5
      mineproof best game.mine --exact
      mineproof best --exact 5x5x3 --first-click safe
    """
    if question.board.total_mines is None:
        raise click.UsageError("the chance to win depends on how many mines there are: --mines N")
    if exact and strategy is not None:
        raise click.UsageError("--exact plays optimally, whatever --strategy says")
    if seconds is not None and (exact or strategy not in (None, *THINKING)):
        raise click.UsageError(f"--seconds goes with --strategy {' or '.join(THINKING)}, and not with --exact")
    with progress.waiting(question.budget) as budget:
        if seconds is None:
            move = best_move(question.board, strategy or "best", exact=exact, budget=budget, playouts=playouts)
        else:
            move = _think(question, seconds, budget, playouts)
        if as_json:
            output.print_json(move.as_json() | question.board_json())
        else:
            with output.drawing(color) as console:
                draw(move, question, budget, console)
    return 0


def _think(question: Question, seconds: float, budget: Budget, playouts: int) -> BestMove:
    """The move after so many seconds; Ctrl-C ends them with the best so far, and a terminal shows how far it is."""
    with interruptible() as pressed, live.rivals(seconds) as tell:
        others = budget.cancelled
        stopping = replace(budget, cancelled=lambda: pressed() or (others is not None and others()))
        return best_move(question.board, seconds=seconds, budget=stopping, playouts=playouts, progress=tell)


# a move


def draw(move: BestMove, question: Question, budget: Budget, console: Console) -> None:
    """The board, the move marked on it, the sentence and the table."""
    headline = [summary.text(", ".join(summary.facts(question)), "bold")]
    if question.note:
        headline.append(summary.text(question.note, "dim"))
    words = [summary.text(line) for line in output.folded(move.text, console.width)]
    if move.thought is not None:
        words += [summary.text(line, "dim") for line in output.folded(live.words(move.thought), console.width)]
    board = _picture(move, question, budget, console.width)
    summary.show([headline, board, words, list(_table(move, console.width))], console)


def _picture(move: BestMove, question: Question, budget: Budget, width: int) -> list[Text]:
    board = question.board
    cells = [] if move.cell is None else [move.cell]
    room = max(1, width - len(str(board.rows - 1)) - 2)
    rows, columns = picture.window(board, cells, MOST_ROWS, room)
    if len(rows) * len(columns) > picture.MOST_PICTURED:
        return [summary.too_many(len(board.codes))]
    marks = picture.marks(board, picture.odds_marks(analyze(board, budget=budget)))
    drawn = picture.Picture(
        board, marks, width, widest=picture.PERCENT, rows=rows, columns=columns, used=cells, used_for="best move"
    )
    return [*drawn.lines(), *drawn.legend()]


def _table(move: BestMove, width: int) -> Iterator[RenderableType]:
    """A row for each of the first options; the safest cell is always among them."""
    shown = list(move.moves[:MOST_OPTIONS])
    if move.safest is not None and move.safest not in shown:
        shown[-1] = move.safest
    if not shown or move.reason == "safe":
        return
    yield from _paragraphs(shown) if width < NARROW else [_columns(shown)]
    if rest := len(move.moves) - len(shown):
        yield summary.text(f"… and {rest:,} more; --json has them all", "dim")


def _columns(options: list[Option]) -> Table:
    rows = table(("cell", "left"), ("mine", "right", 8), ("wins", "left"), ("then safe", "right"), ("may show", "left"))
    for option in options:
        chance = summary.text(percent(option.mine_probability), picture.heat(option.mine_probability))
        wins = summary.text(_wins(option))
        wins.no_wrap = True
        rows.add_row(at(option.cell), chance, wins, _odds(option.progress), Flow(_numbers(option), ", "))
    return rows


def _paragraphs(options: list[Option]) -> Iterator[Flow]:
    """The same where there is no room for columns."""
    for option in options:
        facts = [f"{at(option.cell)} mine {percent(option.mine_probability)}"]
        if option.win_probability is not None:
            facts.append(f"wins {_wins(option)}")
        if option.progress is not None:
            facts.append(f"then safe {_odds(option.progress)}")
        if numbers := [f"{number}," for number in _numbers(option)]:
            facts.append(f"may show {numbers[0]}")
        pieces = [*(f"{fact};" for fact in facts[:-1]), facts[-1], *numbers[1:]]
        yield Flow([*pieces[:-1], pieces[-1].rstrip(",")], indent=2)


def _wins(option: Option) -> str:
    if option.win_probability is None:
        return "-"
    if option.win_fraction is None:
        return live.estimate(option.win_probability, option.standard_error or 0.0)
    return _exactly(option.win_fraction)


def _exactly(value: Fraction) -> str:
    return _odds(float(value)) if value in (0, 1) else f"{value} = {percent(float(value))}"


def _odds(chance: float | None) -> str:
    if chance is None:
        return "-"
    return {0.0: "0 %", 1.0: "100 %"}.get(chance) or percent(chance)


def _numbers(option: Option) -> list[str]:
    """What a cell may show, how likely, and what then."""
    return [f"{each.number} ({_odds(each.chance)}: {_then(each)})" for each in option.outlook]


def _then(outlook: Outlook) -> str:
    if outlook.safe:
        return f"{outlook.safe} safe"
    return "won" if outlook.safety == 1 else f"risk {percent(1 - outlook.safety)}"


# a whole board


def _start_lines(found: FirstMoves, width: int) -> Iterator[str]:
    kind = "" if found.topology == "grid" else f" {found.topology}"
    board = f"{size(found.size.rows, found.size.columns)}{kind}, {plural(found.size.mines, 'mine')}"
    yield from output.folded(f"{board}, first click {found.first_click}", width)
    if found.win is None:
        kept = "a first cell and its neighbours" if found.first_click == "open" else "a first cell"
        yield from output.folded(f"No layout leaves {kept} free.", width)
        return
    if not found.best:
        yield from output.folded("Every cell is a mine: nothing has to be opened, and the game is won.", width)
        return
    yield from output.folded(f"Optimal play wins {_exactly(found.win)}", width)
    listed = " ".join(map(at, found.best[:MOST_CELLS]))
    more = f" … and {len(found.best) - MOST_CELLS:,} more" if len(found.best) > MOST_CELLS else ""
    yield from output.folded(f"Best first cells: {listed}{more}", width)
    yield ""
    yield from output.folded("Chance to win in %, by the first cell:", width)
    yield from _start_grid(found, width)


def _start_grid(found: FirstMoves, width: int) -> Iterator[str]:
    """The values as a board, in bands of columns if it is wide."""
    label = len(str(found.size.rows - 1))
    room = max(1, (width - label - 3) // 6)  # hexagons of odd rows stand half a cell to the right
    for first in range(0, found.size.columns, room):
        columns = range(first, min(first + room, found.size.columns))
        yield " " * label + "".join(f"{column:6}" for column in columns)
        for row in range(found.size.rows):
            shift = "   " if found.topology == "hex" and row % 2 else ""
            values = "".join(f"{_short(found.values[row, column]):>6}" for column in columns)
            yield f"{row:{label}}{shift}{values}"


def _short(value: Fraction | None) -> str:
    """Per cent in five characters: 100 only if it is certain, 0 only if it is impossible."""
    if value is None:
        return "-"
    if value in (0, 1):
        return str(100 * value)
    return percent(float(value)).removesuffix(" %").replace("< ", "<").replace("> ", ">")


def _of_size(
    text: str,
    rule: FirstClick,
    *,
    topology: Topology | None,
    budget: float,
    states: int,
    as_json: bool,
    **_: object,
) -> int:
    """The answer about an untouched board."""
    try:
        board = read_size(text)
    except BoardSyntaxError as error:
        raise click.BadParameter(str(error), param_hint="SIZE") from None
    kind = topology or "grid"
    with progress.waiting(Budget(budget, states)) as limit:
        values = optimal_first_moves(*board, rule, topology=kind, budget=limit)
    found = FirstMoves(board, kind, rule, values)
    if as_json:
        output.print_json(found.as_json())
    else:
        click.echo("\n".join(_start_lines(found, output.terminal_width())))
    return 0
