"""Games that continue another one from a move. The tests of playing cover other new games."""

import pytest

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.errors import IllegalMoveError
from mineproof.generation.new_game import resume_game

THOUGHT = Budget(seconds=30.0)


def lost() -> mp.Game:
    """Flag, open, open, loss; taken back, and lost again."""
    game = mp.Game(mp.Layout(1, 6, frozenset([(0, 2), (0, 4)])), first_click="any")
    game.flag(0, 2)
    game.open(0, 1)
    game.open(0, 3)
    game.open(0, 4)
    game.undo()
    game.open(0, 4)
    return game


@pytest.mark.parametrize(("moves", "seen"), [(0, "######"), (1, "##F###"), (2, "#1F###"), (3, "#1F2##"), (5, "#1F2##")])
def test_a_game_goes_on_from_a_move(moves: int, seen: str) -> None:
    game = resume_game(lost().record(), moves, THOUGHT)
    assert str(game) == seen
    assert not game.is_over
    game.open(0, 5)
    assert game.board[0, 5] == 1


@pytest.mark.parametrize("moves", [4, 6])
def test_not_from_its_end(moves: int) -> None:
    with pytest.raises(IllegalMoveError, match=f"lost after move {moves}"):
        resume_game(lost().record(), moves, THOUGHT)


@pytest.mark.parametrize("moves", [-1, 7])
def test_not_from_a_move_that_was_not_made(moves: int) -> None:
    with pytest.raises(ValueError, match=f"from 0 to 6, .* got {moves}"):
        resume_game(lost().record(), moves, THOUGHT)


def test_mines_are_where_the_first_click_left_them() -> None:
    game = mp.Game(mp.Layout(3, 3, frozenset([(0, 0)])), first_click="safe")
    game.flag(2, 2)
    game.open(0, 0)
    moved = next(iter(game._field.layout.mines))
    game.play("open", moved)
    again = resume_game(game.record(), 1, THOUGHT)
    assert (again.status, again.board[2, 2]) == ("new", mp.FLAGGED)
    again.open(0, 0)
    assert again._field.layout.mines == {moved}
