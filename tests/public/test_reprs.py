"""Results as a prompt shows them: one short line that says what was found."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import mineproof as mp

GUESS = mp.Board.parse("#####/123##/###3#", total_mines=6)
SOLVED = mp.Board.parse("1F", total_mines=1)


@cache
def no_guess() -> mp.Generated:
    return mp.generate("beginner", seed=1, no_guess=True, start=(4, 4))


def won() -> mp.Game:
    game = mp.Game(mp.Layout(1, 3, frozenset([(0, 2)])), first_click="any", clock=lambda: 0)
    game.open(0, 0)
    return game


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (lambda: mp.best_move(GUESS), "<BestMove: open (0,0), mine 30.0 %, wins 3/5; 11 cells compared>"),
        (lambda: mp.best_move(SOLVED), "<BestMove: no cell is left to open>"),
        (lambda: mp.best_move(GUESS).moves[1], "<Option (0,1): mine 20.0 %, wins 1/2>"),
        (lambda: mp.hint(GUESS), "<Hint: guess at (0,0), mine 30.0 %>"),
        (lambda: mp.hint(mp.Board.parse("01#")), "<Hint: step by single-flag: 0 safe, 1 mine>"),
        (lambda: mp.hint(mp.Board.parse("0F#")), "<Hint: flag at (0,1) by single-open>"),
        (lambda: mp.hint(SOLVED), "<Hint: done>"),
        (lambda: mp.review(won()), "<Review of 3 × 1, 1 mine: won, 0.000 s, 1 click, 1 guess>"),
        (lambda: mp.check(no_guess()), "<Check from (4,4): no guess, 71 of 71 safe cells open>"),
        (
            lambda: mp.check(mp.Layout(2, 3, frozenset([(0, 2)])), (0, 0)),
            "<Check from (0,0): a guess is needed, 4 of 5 safe cells open>",
        ),
        (lambda: mp.grade(no_guess()), "<Grade: solved, hardest single-flag, 71 cells open>"),
        (lambda: mp.analyze(mp.Board.parse("1#/##", total_mines=1)), "<Analysis of 2 × 2: 0 safe, 0 mines, 3 layouts>"),
    ],
)
def test_a_result_is_one_short_line(result: Callable[[], Any], shown: str) -> None:
    assert repr(result()) == shown


def test_a_simulation_tells_the_win_rate() -> None:
    result = mp.simulate("beginner", games=100, seed=1)
    low, high = (f"{100 * end:.1f}" for end in result.interval)
    rate = f"{100 * (result.win_rate or 0):.1f} % ({low} to {high})"
    assert repr(result) == f"<Simulation of 9 × 9, 10 mines: fast won {result.wins} of 100 games, {rate}>"


def test_a_certificate_tells_its_steps_and_whether_they_are_enough() -> None:
    whole = no_guess().certificate
    assert whole is not None
    assert repr(whole) == f"<Certificate of 9 × 9, 10 mines: {len(whole.steps)} steps from (4,4)>"
    part = mp.certify(mp.Layout(2, 3, frozenset([(0, 2)])), (0, 0))
    assert repr(part).endswith("from (0,0), then a guess>")


def test_the_codes_are_in_the_help_of_what_takes_them() -> None:
    words = mp.Board.from_array.__doc__ or ""
    for code in ("a number", "-1", "-2", "-9"):
        assert code in words


def test_a_sweep_tells_how_many_games_there_are() -> None:
    result = mp.sweep("5x5", mines=[4, 6], games=64)
    assert repr(result) == "<Sweep of 2 configurations: 128 games>"
    assert repr(result[1]).startswith("<Totals of 5 × 5, 6 mines: fast won ")
