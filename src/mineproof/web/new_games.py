"""New games: on a new board, on a given layout, or on the board of another game."""

from __future__ import annotations

import secrets

from mineproof.analysis.layouts import sample_layouts
from mineproof.base import checks
from mineproof.board.cells import ABSENT
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.record import GameExtras
from mineproof.game.rules import Rules
from mineproof.generation.new_game import start_game
from mineproof.web import requests
from mineproof.web.answers import layout_to_play, position_of, size_of
from mineproof.web.live_game import MOVE_BUDGET, Live


def begin_game(request: requests.NewGameRequest) -> Live:
    """Return the game that a request asks for; ValueError where its options do not go together."""
    if request.position is not None:
        return _game_from_position(request)
    return _dealt_game(request) if request.layout is None else _game_on_layout(request)


def _dealt_game(request: requests.NewGameRequest) -> Live:
    size = size_of(request, "expert")
    rules = Rules(request.first_click or "safe", request.fairness, request.chord_rule)
    if size.mines == size.rows * size.columns:
        raise ValueError("expected at least one cell without a mine, got none")
    seed = secrets.randbits(64) if request.seed is None else checks.seed("seed", request.seed)
    topology = request.topology or "grid"
    game = start_game(size, rules, seed=seed, topology=topology, no_guess=request.no_guess, budget=MOVE_BUDGET)
    return Live(game, GameExtras())


def _game_on_layout(request: requests.NewGameRequest) -> Live:
    """A game on a layout that is played as it is: no first click moves a mine."""
    names = ("level", "rows", "columns", "mines", "seed")
    others = [name for name in names if getattr(request, name) is not None] + ["no_guess"] * request.no_guess
    if others:
        raise ValueError(f"expected `layout` or `{others[0]}`, got both: a layout has its own size and mines")
    if request.first_click not in (None, "any"):
        raise ValueError(
            f"expected first_click='any' with `layout`, got {request.first_click!r}: no mine of a layout moves"
        )
    layout = layout_to_play(request.layout or "", request.topology)
    game = Game(
        layout, first_click="any", fairness=request.fairness, chord_rule=request.chord_rule,
        seed=secrets.randbits(64), budget=MOVE_BUDGET,
    )  # fmt: skip
    return Live(game, GameExtras(fixed=True))


def _game_from_position(request: requests.NewGameRequest) -> Live:
    """A game that continues a position. Its mines are drawn uniformly from all consistent layouts."""
    names = ("layout", "level", "rows", "columns", "mines", "first_click", "topology")
    others = [name for name in names if getattr(request, name) is not None] + ["no_guess"] * request.no_guess
    if others:
        raise ValueError(f"expected `position` or `{others[0]}`, got both: a position has its own size and mines")
    board = position_of(request.position or "")
    if board.total_mines is None:
        raise ValueError("The number of mines of the position is unknown. Start it with a line such as 9x9x10.")
    seed = secrets.randbits(64) if request.seed is None else checks.seed("seed", request.seed)
    mines = next(iter(sample_layouts(board, 1, seed=seed, budget=MOVE_BUDGET)))
    absent = frozenset(board.cells(ABSENT))
    if board.open_cells + board.total_mines == len(board.codes) - len(absent):
        raise ValueError("expected a position with a cell to open, got one with only mines covered")
    layout = Layout(board.rows, board.columns, mines, topology=board.topology, absent=absent)
    game = Game(
        layout, first_click="any", fairness=request.fairness, chord_rule=request.chord_rule, seed=seed, given=board,
        budget=MOVE_BUDGET,
    )  # fmt: skip
    return Live(game, GameExtras(fixed=True))


def repeat_board(live: Live) -> Live:
    """A new game on the same board. The board stays open if its mines are placed only at the first click."""
    fixed = live.fixed or live.game.status != "new"
    return Live(live.game.again(), GameExtras(HelpUsed(repeats=live.help.repeats + 1), fixed))


def undo_end(live: Live) -> Live:
    """The finished game with its last move undone, as a new game: its record has the end and the undo."""
    game = with_move_budget(live.game)
    game.undo()
    return Live(game, GameExtras(live.help.more("undos"), live.fixed))


def with_move_budget(game: Game) -> Game:
    """A copy of the game with the budget of moves instead of the budget of the request that created it."""
    return Game.replay(game.record(), budget=MOVE_BUDGET)
