"""A game to begin with: a layout drawn by a seed, and where no guess shall be needed, made for the first click.

A board that needs no guess is made for its first click, so it can only be made when that is known. Until then another
layout stands for it, with the marks that the player may have set. A game may also go on from a move of one that is over
(`gone_on_from`).
"""

from __future__ import annotations

from mineproof.base.budget import Budget
from mineproof.base.rng import Random, deal
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Record
from mineproof.game.rules import Rules


def begun(
    size: Size, rules: Rules, *, seed: int, topology: Topology, no_guess: bool, budget: Budget | float | None = None
) -> Game:
    """A new game; with ``no_guess`` it goes through `made_for` before its first opening."""
    rows, columns, mines = size
    dealt = deal(Random(seed, 0), range(rows * columns), mines)
    cells = frozenset(divmod(index, columns) for index in dealt)
    return _game(Layout(rows, columns, cells, topology=topology, no_guess=no_guess), rules, seed, budget)


def is_to_be_made(game: Game, start: Cell) -> bool:
    """Is the layout of a game still to be made, if ``start`` is opened first?"""
    if game.status != "new":
        return False
    dealt = game.record().layout
    return dealt.no_guess and dealt.start is None and _is_covered(game.board, start)


def made_for(game: Game, start: Cell, budget: Budget) -> Game:
    """The game to open ``start`` in: the same one, unless its layout is still to be made for the first click.

    It is made once: where that click is taken back, the next one meets the same layout. BudgetExceeded where making it
    takes too long; the game is as it was.
    """
    if not is_to_be_made(game, start):
        return game
    dealt = game.record().layout
    from mineproof.generation.making import generate

    made = generate(
        rows=dealt.rows, columns=dealt.columns, mines=dealt.total_mines, seed=game.seed, topology=dealt.topology,
        no_guess=True, start=start, budget=budget,
    )  # fmt: skip
    fresh = _game(made, game.rules, game.seed, budget)
    for move in game.line:
        fresh.play(move.kind, move.cell)
    return fresh


def gone_on_from(played: Record, moves: int, budget: Budget) -> Game:
    """A new game on the mines of one that is over, with its first ``moves`` made already, at the times they were.

    Where no cell was open by then, the mines are as the first click left them. ValueError where there were not so many
    moves, IllegalMoveError where the game is over after them.
    """
    if not 0 <= moves <= len(played.moves):
        raise ValueError(f"found move {moves}, expected 0 to {len(played.moves)}: so many were made")
    game = Game.replay(played, upto=moves, budget=budget)
    if game.is_over:
        raise IllegalMoveError(f"the game is {game.status} after move {moves}: expected an earlier one to go on from")
    if game.status != "new":
        return game
    fresh = Game.replay(played, budget=budget).again()
    for move in game.line:
        fresh.play(move.kind, move.cell)
    return fresh


def _game(layout: Layout, rules: Rules, seed: int, budget: Budget | float | None) -> Game:
    return Game(
        layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule, seed=seed,
        budget=budget,
    )  # fmt: skip


def _is_covered(board: Board, cell: Cell) -> bool:
    inside = 0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns
    return inside and board[cell] == COVERED
