"""``mineproof watch``: the solver plays one game and says why, step by step."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from mineproof.base.budget import DEFAULT, Budget
from mineproof.base.words import plural
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import Size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.cli import output, summary
from mineproof.cli.input import cell as cell_type
from mineproof.cli.input import positive_seconds
from mineproof.cli.sizes import seed_option, settled, takes_size
from mineproof.deduction.ladder import MOST_CELLS
from mineproof.errors import OutsideError
from mineproof.game.autoplayer import FIRST, HINT, Score, Turn, autoplay, guessers, watch_json
from mineproof.game.game import Game
from mineproof.game.rules import FAIRNESSES, Fairness
from mineproof.generation.making import generate
from mineproof.pictures import text as picture

if TYPE_CHECKING:
    from rich.text import Text

PAUSE = 0.4  # seconds between two steps on a terminal, unless told
LONGEST = 3600.0  # seconds that anybody waits for a step
TERMINATED = 143
FEWEST_ROWS = 5  # of a board that are drawn, however low the terminal

_FIRST_MARK = picture.GUESS._replace(meaning="first click")
_WENT_OFF = picture.WRONG._replace(meaning="mine that went off")


def pause_seconds(text: str) -> float:
    """Seconds to wait, as an option takes them."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST:  # nan is in no range
        raise click.BadParameter(f"found {text!r}, expected seconds from 0 to {LONGEST:.0f}")
    return seconds


class Guesser(click.ParamType[str]):
    """Who guesses: `guessers`."""

    name = "strategy"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from mineproof.engine.choice import default_engine

        known = guessers()
        if value not in known:
            from mineproof.decision.own import installed

            known += [each.name for each in installed() if each.name not in known]
        if value not in known and default_engine().plays:  # an engine that does not play says so itself
            self.fail(f"found {value!r}, expected one of {', '.join(known)}", param, ctx)
        return value


@click.command("watch")
@takes_size
@seed_option
@click.option("--start", type=cell_type, metavar="R,C", help="First click; chosen by the solver if left out.")
@click.option("--strategy", type=Guesser(), default=HINT, show_default=True, metavar="NAME",
              help="Who guesses where nothing is certain: hint, safest, a strategy of 'mineproof best' "
                   "such as best or strong, or one of an installed package.")  # fmt: skip
@click.option("--delay", type=pause_seconds, metavar="SECONDS",
              help=f"Pause between two steps.  [default: {PAUSE} on a terminal, else 0]")  # fmt: skip
@click.option("--first-click", type=click.Choice(FIRST_CLICKS), default="safe", show_default=True,
              help="What is kept free of mines: nothing, the first cell, or its surroundings too.")  # fmt: skip
@click.option("--fairness", type=click.Choice(FAIRNESSES), default="none", show_default=True,
              help="Which guesses never lose, and which always do; see 'mineproof play'.")  # fmt: skip
@click.option("--no-guess", is_flag=True, help="Play a layout that needs no guess.")
@click.option(
    "--topology", type=click.Choice(TOPOLOGIES), default="grid", show_default=True, help="Shape of the board."
)
@click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
              help="Give up when a step takes longer.")  # fmt: skip
@output.as_json_option
@output.color_option
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
    budget: float,
    as_json: bool,
    color: str,
) -> None:
    """Watch the solver play one game, and read why it does what it does.

    It takes the easiest deduction there is, one at a time, and guesses only where nothing is certain, with the odds:
    by --strategy, such as best.
    On a terminal the board is drawn again for each step; elsewhere a step is a line, and the board comes at the end.
    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM; expert if left out. Ctrl-C ends it.

    With --json, one object a line: first {"schema": "mineproof/watch/1", …} with size, rules and seed, then each step
    with kind, text, because, mine_fraction, flagged, opened and status, at last the game as mineproof/view/1.

    \b
    Examples:
      mineproof watch
      mineproof watch beginner --seed 7 --delay 2
      mineproof watch expert --strategy best
      mineproof watch 30x16x130 --no-guess --json
    """
    if size.rows * size.columns > MOST_CELLS:
        found = f"{size.rows * size.columns:,}"
        raise click.UsageError(
            f"found {found} cells, expected at most {MOST_CELLS:,}: steps are told on no larger boards"
        )
    drawn, limit = settled(seed), Budget(seconds=budget)
    try:
        layout = generate(*size, seed=drawn, no_guess=no_guess, start=start, topology=topology,
                          first_click=first_click, budget=limit)  # fmt: skip
    except OutsideError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    # A layout without a guess is one as it is: no first click must move a mine of it.
    rule: FirstClick = "any" if no_guess else first_click
    game = Game(layout, first_click=rule, fairness=fairness, seed=drawn, budget=limit)
    turns = autoplay(game, layout, strategy=strategy, budget=limit)
    if as_json:
        _print_json(game, turns, watch_json(game, layout, first_click, strategy), delay or 0.0)
    elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        _show(game, turns, f"seed {drawn}", PAUSE if delay is None else delay, color)
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
            click.echo(f"{turn.number:3}  {turn.kind:13}  {turn.text}")
            time.sleep(delay)
    finally:
        click.echo()
        _print_end(game, score, color)


def _print_end(game: Game, score: Score, color: str) -> None:
    """The board as it is now, with its mines once the game is over."""
    with output.drawing(color) as console:
        drawn = picture.Picture(
            game.board, picture.marks(game.board, _shown_mines(game), picture.HIDDEN), console.width
        )
        words = [summary.text(line, "bold") for line in output.folded(score.text, console.width)]
        summary.show([list(drawn.lines()), list(drawn.legend()), words], console)


def _shown_mines(game: Game) -> dict[Cell, picture.Mark]:
    if not game.is_over:
        return {}
    found = {cell: picture.MINE for cell in game.layout.mines if game.board[cell] == COVERED}
    return found | dict.fromkeys(game.exploded, _WENT_OFF)


# a terminal


def _terminate(*_: object) -> None:
    """End with the cursor shown again and the board so far; at once where nobody reads the terminal any more."""
    if hasattr(signal, "alarm"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(1)
    sys.exit(TERMINATED)


def _show(game: Game, turns: Iterator[Turn], title: str, delay: float, color: str) -> None:
    """Draw each step over the one before; the end stays."""
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
    finally:
        _print_end(game, score, color)


def frame(turn: Turn, title: str, width: int, height: int) -> list[Text]:
    """The board before a step, with what is about to be done, and the reasons; no more than a terminal shows."""
    board = turn.before
    left = (board.total_mines or 0) - board.count(FLAGGED)
    title = f"{title}, step {turn.number}, {plural(left, 'mine')} left"
    head = [summary.text(line, "dim") for line in output.folded(title, width)]
    words = [summary.text(line) for line in output.folded(turn.text, width)]
    rows = board.rows
    while True:
        drawn = _picture(turn, width, rows)
        lines = [*head, *drawn.lines(), *words]
        if len(lines) <= height or rows <= FEWEST_ROWS:
            return [_cut(line, width) for line in [*lines, *drawn.legend()][:height]]
        rows = max(FEWEST_ROWS, rows - (len(lines) - height))


def _cut(line: Text, width: int) -> Text:
    line.truncate(width, overflow="ellipsis")
    return line


def _moves(turn: Turn) -> dict[Cell, picture.Mark]:
    """What is about to be done where."""
    if turn.cell is not None:
        return {turn.cell: _FIRST_MARK if turn.kind == FIRST else picture.GUESS}
    return dict.fromkeys(turn.safe, picture.SAFE) | dict.fromkeys(turn.mines, picture.MINE)


def _picture(turn: Turn, width: int, most_rows: int) -> picture.Picture:
    board, moves = turn.before, _moves(turn)
    room = max(1, width - len(str(board.rows - 1)) - 2)
    rows, columns = picture.window(board, [*turn.because, *moves], most_rows, room)
    marks = picture.marks(board, moves, picture.HIDDEN)
    drawn = picture.Picture(board, marks, width, rows=rows, columns=columns, used=turn.because)
    if drawn.cell != picture.TIGHT:
        return drawn
    # Carets between the rows would make the board jump from step to step.
    for cell in turn.because:
        marks[board.index(cell)] = marks[board.index(cell)]._replace(style=picture.USED)
    return picture.Picture(board, marks, width, rows=rows, columns=columns)
