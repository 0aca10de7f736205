"""``python -m mineproof.cli.demo``: a tour of mineproof on a few positions, a new board and some games."""

from __future__ import annotations

import os
import statistics
import time
from itertools import islice
from typing import TYPE_CHECKING

from mineproof.advice.hints import REASONING, hint
from mineproof.analysis.analysis import analyze
from mineproof.analysis.layouts import sample_layouts
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.cli import hint as hint_command
from mineproof.cli import output, summary
from mineproof.cli.input import PositionRequest
from mineproof.cli.layouts import layout_rows
from mineproof.decision.best_moves import best_move
from mineproof.deduction.ladder import deduce
from mineproof.engine.default import default_engine
from mineproof.errors import ContradictionError, EngineMissing
from mineproof.game.autoplayer import autoplay
from mineproof.game.game import Game
from mineproof.generation.generator import generate
from mineproof.generation.verifier import verify
from mineproof.simulation.simulator import simulate
from mineproof.version import VERSION
from mineproof.wording.catalogue import DEFAULT_LANGUAGE, decimal, message, number, plural, set_default_language
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console

EXPERT = """\
30x16x99
2#10000001####################
#222321112####################
111###23#45###################
0012333##3####################
001111#333####################
111#11111#3##4################
#12231112222224###############
332#3#12#200003###############
##22#212#200003##3#3##########
#21122222100002#322###########
###22#4#310122211023##########
#########101##10012###########
##4#####5311221002#4##########
112#######10111003############
012######4211#1002############
01#######2#11110012###########
"""
WRONG_FLAG = "0112F/01F3#/02#4F/01#21/01110"
UNSOLVED = "FF4#2/##FF#/F6##3/FF22F"
CORNER = "#1###/##2##/#####"
NOT_THE_SAFEST = "#####/123##/###3#"

MEASURED_SECONDS = 0.3
GAME_STEPS = 6
SIMULATED_GAMES = 500


def main() -> None:
    """Print the tour, as wide as the terminal."""
    with output.drawing("auto") as console:
        _title(console, message("demo-odds-title", version=VERSION))
        _show_odds(console, Board.parse(EXPERT))
        _title(console, message("demo-step-title"))
        _show_reasoning(console, Board.parse(UNSOLVED))
        _title(console, message("demo-contradiction-title"))
        _show_contradiction(console, Board.parse(WRONG_FLAG))
        _title(console, message("demo-move-title"))
        _show_best_move(console, Board.parse(NOT_THE_SAFEST, total_mines=6))
        _title(console, message("demo-layouts-title"))
        _show_layouts(console, Board.parse(CORNER, total_mines=4))
        _title(console, message("demo-board-title"))
        _show_board(console)
        _title(console, message("demo-game-title"))
        _show_game(console)
        _title(console, message("demo-games-title"))
        _show_simulation(console)
        console.print()
        console.print(message("demo-next", command=".venv/bin/mineproof hint '###/121' --level 1"))


def _title(console: Console, text: str) -> None:
    from rich.rule import Rule

    console.print(Rule(text, align="left"))


def _show_odds(console: Console, board: Board) -> None:
    summary.draw(analyze(board), PositionRequest(board, 0, None, Budget()), False, console)
    median = statistics.median(_times(board))
    console.print(message("demo-odds", time=decimal(median * 1e6, 0), engine=default_engine().name) + "\n")


def _times(board: Board) -> list[float]:
    times: list[float] = []
    end = time.perf_counter() + MEASURED_SECONDS
    while not times or time.perf_counter() < end:
        start = time.perf_counter()
        analyze(board)
        times.append(time.perf_counter() - start)
    return times


def _show_reasoning(console: Console, board: Board) -> None:
    request = PositionRequest(board, 0, None, Budget(), flags="trust")
    hint_command.draw(hint(board, flags="trust"), REASONING, request, Budget(), console)
    console.print(plural("demo-steps", len(deduce(board))) + "\n")


def _show_contradiction(console: Console, board: Board) -> None:
    console.print(str(board))
    try:
        analyze(board)
    except ContradictionError as error:
        console.print(f"→ {error}.\n")


def _show_best_move(console: Console, board: Board) -> None:
    console.print(str(board))
    strategy = "best" if default_engine().plays else "fast"
    for line in output.fold(f"→ {best_move(board, strategy).text}", console.width):
        console.print(line)
    console.print()


def _show_layouts(console: Console, board: Board) -> None:
    drawn = [layout_rows(board, mines) for mines in sample_layouts(board, 3, seed=7)]
    for position, *layouts in zip(str(board).split("\n")[1:], *drawn, strict=True):
        console.print(f"{position}   →   " + "   ".join(layouts))
    mines = board.total_mines or 0
    console.print(plural("demo-layouts", mines, layouts=number(analyze(board).layouts or 0)) + "\n")


def _show_board(console: Console) -> None:
    started = time.perf_counter()
    try:
        layout = generate("expert", seed=1, no_guess=True)
    except EngineMissing as error:
        console.print(f"{error}.\n")
        return
    seconds = time.perf_counter() - started
    console.print(str(layout))
    assert layout.certificate is not None
    assert layout.start is not None, "a layout without guesses has a start"
    verify(layout.certificate, layout)
    steps = len(layout.certificate.steps)
    console.print(plural("demo-board", steps, time=decimal(seconds * 1e3, 1), cell=cell_label(layout.start)) + "\n")


def _show_game(console: Console) -> None:
    layout = generate("beginner", seed=203, start=(4, 4), first_click="open")
    game = Game(layout, first_click="open", fairness="forced")
    for turn in islice(autoplay(game, layout), GAME_STEPS):
        first, *rest = output.fold(turn.text, console.width, indent=3)
        console.print("\n".join([f"{turn.number}. {first}", *(f"   {line}" for line in rest)]))
    console.print(f"{game}\n{plural('demo-game', game.mines_left)}\n")


def _show_simulation(console: Console) -> None:
    try:
        result = simulate("expert", games=SIMULATED_GAMES, strategy="fast", seed=1)
    except EngineMissing as error:
        console.print(f"{error}.")
        return
    low, high = (decimal(100 * end, 0) for end in result.interval)
    wins, games, seconds = number(result.wins), number(result.games), decimal(result.seconds, 2)
    console.print(message("demo-games", wins=wins, games=games, time=seconds, low=low, high=high))


if __name__ == "__main__":
    set_default_language(os.environ.get("MINEPROOF_LANGUAGE") or DEFAULT_LANGUAGE)
    main()
