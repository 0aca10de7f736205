"""New games: on a layout drawn by a seed or, with ``no_guess``, generated for the first click.

A no-guess board is generated for its first click, so it has to wait for that click. Until then the game has another
layout, on which the player may set marks. `resume_game` continues from a move of a finished game.
"""

from __future__ import annotations

from mineproof.base.budget import Budget
from mineproof.base.rng import Random, deal
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.board.levels import Size
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Record
from mineproof.game.rules import Rules


def start_game(
    size: Size, rules: Rules, *, seed: int, topology: Topology, no_guess: bool, budget: Budget | float | None = None
) -> Game:
    """Return a new game. With ``no_guess``, call `with_no_guess_board` before its first opening."""
    rows, columns, mines = size
    require_shape(topology, rows, columns)
    geometry = Geometry(topology, rows, columns)
    dealt = deal(Random(seed, 0), [index for index in range(geometry.cells) if index not in geometry.holes], mines)
    cells = frozenset(divmod(index, columns) for index in dealt)
    return _build_game(Layout(rows, columns, cells, topology=topology, no_guess=no_guess), rules, seed, budget)


def needs_board(game: Game, start: Cell) -> bool:
    """Does a game still need a no-guess layout before ``start`` is opened?"""
    if game.status != "new":
        return False
    dealt = game.record().layout
    return dealt.no_guess and dealt.start is None and _is_covered(game.board, start)


def with_no_guess_board(game: Game, start: Cell, budget: Budget) -> Game:
    """Return the game in which to open ``start``: a new one on a no-guess layout if it `needs_board`, else the same.

    The layout is generated once: after an undo, the next first click opens the same layout. Raises BudgetExceeded if
    this takes too long; the game is then unchanged.
    """
    if not needs_board(game, start):
        return game
    dealt = game.record().layout
    from mineproof.generation.generator import generate

    layout = generate(
        rows=dealt.rows, columns=dealt.columns, mines=dealt.total_mines, seed=game.seed, topology=dealt.topology,
        no_guess=True, start=start, budget=budget,
    )  # fmt: skip
    fresh = _build_game(layout, game.rules, game.seed, budget)
    for move in game.line:
        fresh.play(move.kind, move.cell)
    return fresh


def resume_game(played: Record, moves: int, budget: Budget) -> Game:
    """Return a new game on the mines of a finished one, after its first ``moves`` moves, with their times.

    If no cell was open by then, the mines are as the first click left them. Raises ValueError if the game has fewer
    moves, and IllegalMoveError if it is over after them.
    """
    if not 0 <= moves <= len(played.moves):
        raise ValueError(f"the move must be from 0 to {len(played.moves)}, the number of moves, got {moves}")
    game = Game.replay(played, upto=moves, budget=budget)
    if game.is_over:
        raise IllegalMoveError(f"The game is {game.status} after move {moves}. Choose an earlier move.")
    if game.status != "new":
        return game
    fresh = Game.replay(played, budget=budget).again()
    for move in game.line:
        fresh.play(move.kind, move.cell)
    return fresh


def _build_game(layout: Layout, rules: Rules, seed: int, budget: Budget | float | None) -> Game:
    return Game(
        layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule, seed=seed,
        budget=budget,
    )  # fmt: skip


def _is_covered(board: Board, cell: Cell) -> bool:
    inside = 0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns
    return inside and board[cell] == COVERED
