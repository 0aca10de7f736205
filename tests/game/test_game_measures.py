"""Clicks and scores of games: by hand. tests/game/test_golden_numbers.py compares them with ms_toollib."""

import pytest

from mineproof.board.cells import Cell
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.formats.rawvf.games import read_record
from mineproof.game.game import Game
from mineproof.game.game_measures import NUMBERS, measure_game
from mineproof.game.layout import Layout
from mineproof.game.record import Clicks, Record, from_json, to_json
from mineproof.game.rules import MoveKind

Moves = list[tuple[MoveKind, Cell | None]]


def played(text: str, moves: Moves) -> Game:
    rows = text.split("/")
    mines = frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "*")
    game = Game(Layout(len(rows), len(rows[0]), mines), clock=lambda: 0.0)
    for index, (kind, cell) in enumerate(moves):
        game.play(kind, cell, ms=1000 * index)
    return game


def test_a_won_game() -> None:
    moves: Moves = [("open", (0, 3)), ("flag", (0, 0)), ("chord", (0, 1))]
    measures = measure_game(played("*.../....", moves))
    assert (measures.clicks, measures.effective, measures.flags) == (Clicks(1, 1, 1), Clicks(1, 1, 1), 1)
    assert (measures.solved_bbbv, measures.measures.bbbv, measures.seconds) == (2, 2, 2.0)
    assert measures.efficiency == pytest.approx(2 / 3)
    assert measures.correctness == 1.0
    assert measures.throughput == pytest.approx(2 / 3)
    assert (measures.bbbv_per_second, measures.estimated_seconds) == (1.0, 2.0)
    assert measures.rqp == 2.0
    assert measures.qg == pytest.approx(2**1.7 / 2)
    assert measures.stnb is None, "not one of the three levels"
    assert list(measures.as_json()) == list(NUMBERS)


def test_wrong_flags_and_flags_set_again_have_no_effect() -> None:
    moves: Moves = [
        ("open", (0, 3)), ("flag", (1, 0)), ("flag", (1, 0)),  # wrong
        ("flag", (0, 0)), ("flag", (0, 0)), ("flag", (0, 0)),  # on, off, on
        ("open", (1, 0)),
    ]  # fmt: skip
    measures = measure_game(played("*.../....", moves))
    assert (measures.clicks, measures.effective) == (Clicks(2, 5, 0), Clicks(2, 1, 0))


def test_a_click_on_a_mine_and_one_taken_back_have_no_effect() -> None:
    moves: Moves = [("open", (0, 3)), ("open", (1, 0)), ("undo", None), ("open", (0, 0))]
    measures = measure_game(played("*.../....", moves))
    assert (measures.status, measures.clicks, measures.effective) == ("lost", Clicks(3, 0, 0), Clicks(1, 0, 0))
    assert measures.estimated_seconds == 6.0, "half of it took three seconds"
    assert measures.zini_efficiency is None


def test_flags_taken_off_before_the_start_do_not_count() -> None:
    end: Moves = [("open", (0, 3)), ("open", (1, 0))]
    assert measure_game(played("*.../....", [("flag", (0, 0)), ("flag", (0, 0)), *end])).clicks == Clicks(2, 0, 0)
    assert measure_game(played("*.../....", [("flag", (0, 0)), *end])).clicks == Clicks(2, 1, 0)


def test_a_game_of_no_time_and_one_without_a_click_have_no_speed() -> None:
    at_once = measure_game(played("...", [("open", (0, 0))]))
    assert (at_once.bbbv_per_second, at_once.clicks_per_second, at_once.stnb) == (None, None, None)
    assert (at_once.rqp, at_once.efficiency) == (0.0, 1.0)


def test_a_running_game_keeps_its_numbers() -> None:
    with pytest.raises(IllegalMoveError, match=r"The game is still running\. Its measures would reveal mines\."):
        measure_game(played("*.../....", [("open", (0, 3))]))


REPLAY = """Width: 4
Height: 2
Board:
*000
0000
Events:
0.000 rc (8 8)
0.000 rr (8 8)
0.000 lc (56 8)
0.000 lr (56 8)
0.100 lc (56 8)
0.200 lr (56 8)
0.300 rc (56 8)
0.400 rr (56 8)
0.500 lc (-9 8)
0.600 lr (-9 8)
0.700 rc (24 8)
0.800 lc (24 8)
0.900 lr (24 8)
1.000 rr (24 8)
1.100 lc (8 8)
1.200 lr (8 8)
"""


def test_a_replay_tells_clicks_without_effect() -> None:
    record = read_record(REPLAY)
    # Left: the start, an open cell, outside. Right: the flag and an open cell; the one that became a chord does not
    # count. What comes after the end does not either.
    assert record.clicks == Clicks(3, 2, 1)
    measures = measure_game(record)
    assert (measures.clicks, measures.effective, measures.correctness) == (Clicks(3, 2, 1), Clicks(1, 1, 1), 0.5)
    assert from_json(to_json(record)) == record


def test_clicks_are_not_negative() -> None:
    with pytest.raises(BoardSyntaxError, match=r"`clicks` must be at least 0, got \[-1, 0, 0\]"):
        Record(Layout(1, 2, frozenset()), clicks=Clicks(-1, 0, 0))
