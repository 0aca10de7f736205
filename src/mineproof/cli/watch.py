"""``mineproof watch``: the solver plays one game and explains each step."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from mineproof.base.budget import Budget
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.cli import options, output, summary
from mineproof.cli.failure import usage_error
from mineproof.cli.input import require_bot
from mineproof.cli.parameters import ParamType, Parsed, invalid
from mineproof.cli.phrases import board_size
from mineproof.cli.sizes import choose_seed, takes_size
from mineproof.cli.variant_options import is_given, require_alone, rules_option
from mineproof.deduction.ladder import LADDER_MAX_CELLS
from mineproof.errors import BotError, OutsideError
from mineproof.game.autoplayer import BOT, FIRST, HINT, Score, Turn, autoplay, guessers, watch_json
from mineproof.game.game import Game
from mineproof.game.rules import Fairness
from mineproof.generation.generator import generate
from mineproof.pictures import text as picture
from mineproof.protocol.names import is_bot
from mineproof.wording.catalogue import message, plural

if TYPE_CHECKING:
    from rich.text import Text

DEFAULT_DELAY = 0.4  # seconds between two steps on a terminal
MAX_DELAY = 3600.0  # seconds
TERMINATED = 143  # exit status
PICTURE_MIN_ROWS = 5  # of a board, even on a very low terminal


def _parse_delay(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= MAX_DELAY:  # nan is in no range
        raise ValueError
    return seconds


DELAY = Parsed("seconds", _parse_delay, f"from 0 to {MAX_DELAY:.0f} seconds")


class Guesser(ParamType[str]):
    """The name of a strategy that guesses: one of `guessers`, or of an installed package."""

    name = "strategy"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from mineproof.engine.default import default_engine

        if is_bot(value):
            return require_bot(value, param, ctx)
        known = guessers()
        if value not in known:
            from mineproof.decision.custom import installed_strategies

            known += [strategy.name for strategy in installed_strategies() if strategy.name not in known]
        if value not in known and default_engine().plays:  # an engine that does not play reports it itself
            raise invalid(param, ctx, f"one of {', '.join(known)}", value)
        return value


@click.command("watch")
@takes_size
@options.random_seed_option
@options.start_option("chosen by the solver")
@options.guess_strategy_option(
    "Strategy that guesses if nothing is certain: hint, safest, NAMES, one of an installed package, or exec:COMMAND.",
    type=Guesser(), default=HINT, show_default=True,
)  # fmt: skip
@click.option("--delay", type=DELAY, metavar="SECONDS",
              help=f"Pause between two steps.  [default: {DEFAULT_DELAY} on a terminal, else 0]")  # fmt: skip
@options.first_click_option()
@options.fairness_option()
@click.option("--no-guess", is_flag=True, help="Play a layout that needs no guess.")
@options.topology_option()
@rules_option
@options.budget_option(" for each step")
@options.as_json_option
@options.color_option
def command(
    size: Size,
    seed: int | None,
    start: Cell | None,
    strategy: str,
    delay: float | None,
    first_click: FirstClick,
    fairness: Fairness,
    no_guess: bool,
    topology: Topology,
    variant_rules: str | None,
    budget: float,
    as_json: bool,
    color: str,
) -> None:
    """Watch the solver play and explain each move.

    Each step is the easiest deduction. The solver guesses only if nothing is certain, and shows the odds. On a terminal
    the board is redrawn for each step; elsewhere each step is a line, and the board follows at the end. A bot
    (exec:COMMAND) makes every move after the first click. It loses if it fails; the exit status is then 2.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM (width, height, mines), by default expert.
    Ctrl-C ends the game.

    With --rules, the solver plays a variant: all that is certain, otherwise the safest guess. Each step is a line.

    With --json, one object per line: first {"schema": "mineproof/watch/1", …} with size, rules and seed, then each step
    with kind, text, because, mine_fraction, flagged, opened and status, and last the game as mineproof/view/1.

    \b
    Examples:
      mineproof watch
      mineproof watch beginner --seed 7 --delay 2
      mineproof watch expert --strategy best
      mineproof watch --strategy 'exec:python3 examples/bot.py'
      mineproof watch 8x8x12 --rules liar --shape hex
      mineproof watch 30x16x130 --no-guess --json
    """
    if variant_rules is not None:
        from mineproof.cli.variant_games import new_game, variant_of, watch_variant

        require_alone(("strategy", "fairness", "no_guess"))
        variant, game_seed = variant_of(variant_rules), choose_seed(seed)
        chosen = size if is_given("size", "rows", "columns", "mines") else None
        variant_game = new_game(variant, chosen, game_seed, first_click, start, topology)
        pause = delay if delay is not None else DEFAULT_DELAY if sys.stdout.isatty() and not as_json else 0.0
        watch_variant(variant_game, start=start, delay=pause, budget=budget, seed=game_seed, as_json=as_json)
        return
    if size.rows * size.columns > LADDER_MAX_CELLS:
        board = board_size(size.rows, size.columns)
        raise click.UsageError(f"SIZE must have at most {LADDER_MAX_CELLS:,} cells, got {board}")
    chosen_seed, limit = choose_seed(seed), Budget(seconds=budget)
    try:
        layout = generate(*size, seed=chosen_seed, no_guess=no_guess, start=start, topology=topology,
                          first_click=first_click, budget=limit)  # fmt: skip
    except OutsideError:
        raise
    except ValueError as error:
        raise usage_error(error) from None
    # A layout without guesses must stay unchanged, so the first click may not move a mine.
    rule: FirstClick = "any" if no_guess else first_click
    game = Game(layout, first_click=rule, fairness=fairness, seed=chosen_seed, budget=limit)
    turns = autoplay(game, layout, strategy=strategy, budget=limit)
    if as_json:
        _print_json(game, turns, watch_json(game, layout, first_click, strategy), delay or 0.0)
    elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        _show(
            game, turns, message("cli-watch-seed", seed=chosen_seed), DEFAULT_DELAY if delay is None else delay, color
        )
    else:
        _print_lines(game, turns, delay or 0.0, color)


# lines, for pipes and scripts


def _print_json(game: Game, turns: Iterator[Turn], head: Mapping[str, object], delay: float) -> None:
    output.print_json(head)
    try:
        for turn in turns:
            output.print_json(turn.as_json())
            time.sleep(delay)
    finally:
        output.print_json(game.as_json())


def _print_lines(game: Game, turns: Iterator[Turn], delay: float, color: str) -> None:
    score = Score(game)
    try:
        for turn in turns:
            score.add(turn)
            text = turn.text.replace("\n", " ")  # of cases, which are lines elsewhere
            click.echo(f"{turn.number:3}  {turn.kind:13}  {text}")
            time.sleep(delay)
    except BotError as error:
        score.forfeit = str(error)
        raise
    finally:
        click.echo()
        _print_end(game, score, color)


def _print_end(game: Game, score: Score, color: str) -> None:
    """Print the current board, with its mines if the game is over."""
    with output.drawing(color) as console:
        marks = picture.marks(game.board, _mine_marks(game), picture.HIDDEN)
        drawn = picture.TextPicture(game.board, marks, console.width)
        lines = [summary.text(line, "bold") for line in output.fold(score.text, console.width)]
        summary.show([list(drawn.lines()), list(drawn.legend()), lines], console)


def _mine_marks(game: Game) -> dict[Cell, picture.Mark]:
    if not game.is_over:
        return {}
    mines = {cell: picture.MINE for cell in game.layout.mines if game.board[cell] == COVERED}
    exploded = picture.WRONG._replace(meaning=message("cli-mark-exploded"))
    return mines | dict.fromkeys(game.exploded, exploded)


# a terminal


def _terminate(*_: object) -> None:
    """Exit with the cursor restored and the board printed; exit at once if that takes more than a second.

    A terminal that is gone, or that no program reads, can block the output for ever.
    """
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(TERMINATED))
        signal.alarm(1)
    sys.exit(TERMINATED)


def _show(game: Game, turns: Iterator[Turn], title: str, delay: float, color: str) -> None:
    """Draw each step over the previous one, and leave the last board on the terminal."""
    from rich.console import Console, Group
    from rich.live import Live

    signal.signal(signal.SIGTERM, _terminate)
    score = Score(game)
    console = Console(no_color=color == "never", highlight=False, markup=False, emoji=False)
    try:
        with Live(console=console, auto_refresh=False, transient=True) as live:
            for turn in turns:
                score.add(turn)
                lines = frame(turn, title, output.terminal_width(), output.terminal_height() - 1)
                live.update(Group(*lines), refresh=True)
                time.sleep(delay)
    except BotError as error:
        score.forfeit = str(error)
        raise
    finally:
        _print_end(game, score, color)
        if hasattr(signal, "alarm"):
            signal.alarm(0)  # the output is complete: what remains of the exit may take its time


def frame(turn: Turn, title: str, width: int, height: int) -> list[Text]:
    """The board before a step, with the step marked and explained, in at most ``height`` lines."""
    board = turn.before
    left = (board.total_mines or 0) - board.count(FLAGGED)
    title = plural("cli-watch-title", left, title=title, step=turn.number)
    head = [summary.text(line, "dim") for line in output.fold(title, width)]
    text = [summary.text(line) for line in output.fold(turn.text, width)]
    rows = board.rows
    while True:
        drawn = _picture(turn, width, rows)
        lines = [*head, *drawn.lines(), *text]
        if len(lines) <= height or rows <= PICTURE_MIN_ROWS:
            return [_cut_line(line, width) for line in [*lines, *drawn.legend()][:height]]
        rows = max(PICTURE_MIN_ROWS, rows - (len(lines) - height))


def _cut_line(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _move_marks(turn: Turn) -> dict[Cell, picture.Mark]:
    """Marks of the cells that a step opens or flags."""
    if turn.cell is None:
        return dict.fromkeys(turn.safe, picture.SAFE) | dict.fromkeys(turn.mines, picture.MINE)
    if turn.kind == BOT:
        return {turn.cell: picture.SAFE}
    if turn.kind == FIRST:
        return {turn.cell: picture.GUESS._replace(meaning=message("cli-mark-first-click"))}
    if isinstance(turn.argument, str):  # only hints and best moves promise that their guess is the best one
        return {turn.cell: picture.GUESS._replace(meaning=message("cli-mark-guess"))}
    return {turn.cell: picture.GUESS}


def _picture(turn: Turn, width: int, most_rows: int) -> picture.TextPicture:
    board, moves = turn.before, _move_marks(turn)
    room = max(1, width - len(str(board.rows - 1)) - 2)
    rows, columns = picture.window(board, [*turn.because, *moves], most_rows, room)
    marks = picture.marks(board, moves, picture.HIDDEN)
    drawn = picture.TextPicture(board, marks, width, rows=rows, columns=columns, used=turn.because)
    if drawn.cell != picture.TIGHT:
        return drawn
    # Carets between the rows would make the board jump from step to step.
    for cell in turn.because:
        marks[board.index(cell)] = marks[board.index(cell)]._replace(style=picture.USED)
    return picture.TextPicture(board, marks, width, rows=rows, columns=columns)
