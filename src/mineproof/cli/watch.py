"""``mineproof watch``: the solver plays one game and says why, step by step."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, get_args

import click

from mineproof.board import Board
from mineproof.budget import DEFAULT, Budget
from mineproof.cli import output, picture, summary
from mineproof.cli.input import cell as cell_type
from mineproof.cli.input import positive_seconds
from mineproof.cli.sizes import seed_option, settled, takes_size
from mineproof.codes import COVERED, FLAGGED
from mineproof.errors import Cell
from mineproof.game import Game, Outcome
from mineproof.generate import generate
from mineproof.hints import Hint, hint
from mineproof.ladder import MOST_CELLS
from mineproof.layout import Layout
from mineproof.levels import Size
from mineproof.record import Fairness, FirstClick
from mineproof.topology import KINDS, Kind
from mineproof.wording import at, percent

if TYPE_CHECKING:
    from rich.text import Text

SCHEMA = "mineproof/watch/1"
PAUSE = 0.4  # seconds between two steps on a terminal, unless told
FEWEST_ROWS = 5  # of a board that are drawn, however low the terminal

FIRST, GUESS = "first", "guess"  # kinds of turn; the others are techniques
_FIRST_MARK = picture.GUESS._replace(meaning="first click")
_WENT_OFF = picture.WRONG._replace(meaning="mine that went off")


@dataclass(frozen=True, slots=True)
class Turn:
    """One step of the solver: the board it looked at, what it did and why, and what came of it.

    ``kind`` is ``first``, ``guess`` or the technique of a step. ``risk`` is the chance it took, None when it knew.
    """

    number: int
    kind: str
    text: str
    before: Board
    marks: Mapping[Cell, picture.Mark]
    outcome: Outcome
    risk: Fraction | None = None
    because: tuple[Cell, ...] = ()
    uses_total: bool = False
    flagged: frozenset[Cell] = frozenset()

    @property
    def words(self) -> str:
        """The reasons, and that the rules stepped in where they did."""
        return f"{self.text} The mines were drawn again: it is free." if self.outcome.redrawn else self.text

    def as_json(self) -> dict[str, object]:
        return {
            "step": self.number,
            "kind": self.kind,
            "text": self.words,
            "because": output.pairs(self.because),
            "uses_total": self.uses_total,
            "mine_probability": None if self.risk is None else float(self.risk),
            "exact": None if self.risk is None else str(self.risk),
            "flagged": output.pairs(self.flagged),
            "opened": [[*cell, number] for cell, number in sorted(self.outcome.opened.items())],
            "exploded": output.pairs(self.outcome.exploded),
            "redrawn": self.outcome.redrawn,
            "status": self.outcome.status,
        }


@click.command("watch")
@takes_size
@seed_option
@click.option("--start", type=cell_type, metavar="R,C", help="First click; chosen by the solver if left out.")
@click.option("--delay", type=click.FloatRange(min=0), metavar="SECONDS",
              help=f"Pause between two steps.  [default: {PAUSE} on a terminal, else 0]")  # fmt: skip
@click.option("--first-click", type=click.Choice(get_args(FirstClick)), default="safe", show_default=True,
              help="What is kept free of mines: nothing, the first cell, or its surroundings too.")  # fmt: skip
@click.option("--fairness", type=click.Choice(get_args(Fairness)), default="none", show_default=True,
              help="Which guesses never lose, and which always do; see 'mineproof play'.")  # fmt: skip
@click.option("--no-guess", is_flag=True, help="Play a layout that needs no guess.")
@click.option("--topology", type=click.Choice(KINDS), default="grid", show_default=True, help="Shape of the board.")
@click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
              help="Give up when a step takes longer.")  # fmt: skip
@output.as_json_option
@output.color_option
def command(
    size: Size,
    seed: int | None,
    start: Cell | None,
    delay: float | None,
    first_click: FirstClick,
    fairness: Fairness,
    no_guess: bool,
    topology: Kind,
    budget: float,
    as_json: bool,
    color: str,
) -> None:
    """Watch the solver play one game, and read why it does what it does.

    It takes the easiest deduction there is, one at a time, and guesses only where nothing is certain, with the odds.
    On a terminal the board is drawn again for each step; elsewhere a step is a line, and the board comes at the end.
    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM; expert if left out. Ctrl-C ends it.

    With --json, one object a line: first {"schema": "mineproof/watch/1", …} with size, rules and seed, then each step
    with kind, text, because, exact, flagged, opened and status, at last the game as mineproof/view/1.

    \b
    Examples:
      mineproof watch
      mineproof watch beginner --seed 7 --delay 2
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
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    # A layout without a guess is one as it is: no first click must move a mine of it.
    rule: FirstClick = "any" if no_guess else first_click
    game = Game(layout, first_click=rule, fairness=fairness, seed=drawn, budget=limit)
    turns = play(game, layout, limit)
    if as_json:
        shape = {"rows": size.rows, "columns": size.columns, "total_mines": size.mines, "topology": topology}
        rules = {"first_click": first_click, "fairness": fairness, "no_guess": no_guess}
        head = {"schema": SCHEMA, **shape, **rules, "seed": drawn}
        _print_json(game, turns, head, delay or 0.0)
    elif sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        _show(game, turns, f"seed {drawn}", PAUSE if delay is None else delay, color)
    else:
        _print_lines(game, turns, delay or 0.0, color)


# playing


def play(game: Game, layout: Layout, budget: Budget) -> Iterator[Turn]:
    """Play a game to its end by `hint` alone: the easiest certain step, and the safest guess where there is none.

    Of the ``layout`` it only looks at the first click.
    """
    turn = _begin(game, layout, budget)
    while True:
        yield turn
        if game.is_over:
            return
        turn = _go_on(game, turn.number + 1, budget)


def _begin(game: Game, layout: Layout, budget: Budget) -> Turn:
    before = game.board
    covered = list(before.cells(COVERED))
    cell = layout.start or hint(before, budget=budget).cell or covered[0]
    chance = Fraction(game.total_mines, len(covered))
    told, risk = _promise(game, layout, chance)
    outcome = game.open(*cell)
    return Turn(1, FIRST, f"{at(cell)} is the first click: {told}.", before, {cell: _FIRST_MARK}, outcome, risk)


def _promise(game: Game, layout: Layout, chance: Fraction) -> tuple[str, Fraction | None]:
    """What is known of a first click before it is made, and the risk."""
    match game.rules.first_click:
        case _ if layout.no_guess:
            return "the board was made to need no guess from here", None
        case _ if chance == 1:
            return "it is a mine, as every cell is", chance
        case _ if chance == 0:
            return "there are no mines", None
        case "safe":
            return "the rules keep it free of mines", None
        case "open":
            return "the rules keep it and its neighbours free of mines, as far as there is room", None
        case _:
            return f"its chance of a mine is {percent(float(chance))}", chance


def _go_on(game: Game, number: int, budget: Budget) -> Turn:
    before, found = game.board, hint(game.board, budget=budget)
    if found.deduction is None:
        assert found.cell is not None, "with a total there are odds, and a safest cell"
        outcome = game.open(*found.cell)
        return Turn(number, GUESS, found.text(), before, {found.cell: picture.GUESS}, outcome, found.exact)
    marks = dict.fromkeys(found.safe, picture.SAFE) | dict.fromkeys(found.mines, picture.MINE)
    proof = found.because, found.uses_total, found.mines
    return Turn(number, found.deduction.technique, found.text(), before, marks, _take(game, found), None, *proof)


def _take(game: Game, found: Hint) -> Outcome:
    """Flag and open what is certain."""
    for cell in sorted(found.mines):
        game.flag(*cell)
    opened: dict[Cell, int] = {}
    for cell in sorted(found.safe):
        if cell not in opened:
            opened |= game.open(*cell).opened
    return Outcome(opened, frozenset(), False, game.status)


@dataclass
class Score:
    """What is told of a game in the end."""

    steps: int = 0
    guesses: int = 0
    luck: Fraction = Fraction(1)  # the chance of surviving the guesses that only chance let it survive

    def add(self, turn: Turn) -> None:
        self.steps += 1
        if turn.risk is not None:
            self.guesses += 1
            if not (turn.outcome.redrawn or turn.outcome.exploded):
                self.luck *= 1 - turn.risk

    def text(self, game: Game) -> str:
        end = {"won": "Won", "lost": "Lost"}.get(game.status, "Not finished")
        told = f"{end} after {summary.counted(self.steps, 'step')}"
        if not self.guesses:
            return f"{told}, without a guess."
        told += f" and {self.guesses} guess{'' if self.guesses == 1 else 'es'}"
        told += f", {summary.counted(game.redraws, 'layout')} drawn again" if game.redraws else ""
        lucky = f" The chance of surviving what it survived was {percent(float(self.luck))}." if self.luck != 1 else ""
        return f"{told}.{lucky}"


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
    score = Score()
    try:
        for turn in turns:
            score.add(turn)
            click.echo(f"{turn.number:3}  {turn.kind:13}  {turn.words}")
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
        words = [summary.text(line, "bold") for line in output.folded(score.text(game), console.width)]
        summary.show([list(drawn.lines()), list(drawn.legend()), words], console)


def _shown_mines(game: Game) -> dict[Cell, picture.Mark]:
    if not game.is_over:
        return {}
    found = {cell: picture.MINE for cell in game.layout.mines if game.board[cell] == COVERED}
    return found | dict.fromkeys(game.exploded, _WENT_OFF)


# a terminal


def _show(game: Game, turns: Iterator[Turn], title: str, delay: float, color: str) -> None:
    """Draw each step over the one before; the end stays."""
    from rich.console import Console, Group
    from rich.live import Live

    score = Score()
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
    left = (board.total_mines or 0) - sum(1 for _ in board.cells(FLAGGED))
    title = f"{title}, step {turn.number}, {summary.counted(left, 'mine')} left"
    head = [summary.text(line, "dim") for line in output.folded(title, width)]
    words = [summary.text(line) for line in output.folded(turn.words, width)]
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


def _picture(turn: Turn, width: int, most_rows: int) -> picture.Picture:
    board = turn.before
    room = max(1, width - len(str(board.rows - 1)) - 2)
    rows, columns = picture.window(board, [*turn.because, *turn.marks], most_rows, room)
    marks = picture.marks(board, dict(turn.marks), picture.HIDDEN)
    drawn = picture.Picture(board, marks, width, rows=rows, columns=columns, used=turn.because)
    if drawn.cell != picture.TIGHT:
        return drawn
    # Carets between the rows would make the board jump from step to step.
    for cell in turn.because:
        marks[board.index(cell)] = marks[board.index(cell)]._replace(style=picture.USED)
    return picture.Picture(board, marks, width, rows=rows, columns=columns)
