"""The rules one by one, the clock, what is kept and what is kept secret."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import random
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError, BudgetExceeded, IllegalMoveError
from mineproof.game.game import Game, Outcome
from mineproof.game.layout import Layout
from mineproof.game.record import Move
from mineproof.game.rules import FAIRNESSES, Fairness, Rules
from support.positions import ground


def layout(text: str, **options: Any) -> Layout:
    """Rows of ``*``, ``.`` and ``~``, with ``/`` between them."""
    rows = text.split("/")
    places = [(r, c, symbol) for r, row in enumerate(rows) for c, symbol in enumerate(row)]
    mines, absent = (frozenset((r, c) for r, c, symbol in places if symbol == sign) for sign in "*~")
    return Layout(len(rows), len(rows[0]), mines, absent=absent, **options)


def game(text: str, *, first_click: FirstClick = "any", **options: Any) -> Game:
    return Game(layout(text), first_click=first_click, **options)


class Clock:
    """A clock that advances on command."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


# opening


def test_opening() -> None:
    played = game(".*./.../...")
    assert played.status == "new"
    assert played.open(0, 0) == Outcome({(0, 0): 1}, frozenset(), False, "running")
    assert played.open(2, 1).opened == {
        (1, 0): 1, (1, 1): 1, (1, 2): 1, (2, 0): 0, (2, 1): 0, (2, 2): 0,
    }  # fmt: skip
    assert played.board == Board.parse("1##/111/000", total_mines=1)
    assert played.open(0, 2).status == "won"
    assert played.is_over
    assert played.layout == layout(".*./.../...")


def test_losing() -> None:
    played = game(".*")
    assert played.open(0, 1) == Outcome({}, frozenset([(0, 1)]), False, "lost")
    assert played.exploded == {(0, 1)}
    assert played.board == Board.parse("##", total_mines=1)
    assert played.layout.mines == {(0, 1)}


def test_a_board_without_mines_is_won_by_any_click() -> None:
    assert game("../~./..").open(1, 1).status == "won"


def test_parts_of_a_board() -> None:
    played = game("..~.*")
    assert played.open(0, 0).opened == {(0, 0): 0, (0, 1): 0}
    assert str(played) == "00~##"


def test_marks() -> None:
    """A flag and a question mark replace each other, and each takes itself off."""
    played = game(".*")
    steps = [(played.flag, "F#"), (played.question, "?#"), (played.flag, "F#"), (played.flag, "##")]
    steps += [(played.question, "?#"), (played.question, "##")]
    for mark, picture in steps:
        assert mark(0, 0) == Outcome({}, frozenset(), False, "new")
        assert str(played) == picture
        assert played.mines_left == 1 - picture.count("F")
        assert played.questions == ({(0, 0)} if "?" in picture else frozenset())
        assert played.board == Board.parse(picture.replace("?", "#"), total_mines=1)
    played.flag(0, 0)
    played.flag(0, 1)
    assert played.mines_left == -1


def test_question_marks_take_room_once() -> None:
    """Replays of others may have many: each move kept all of them, to be taken back."""
    game = Game(Layout(50, 60, frozenset()))
    tracemalloc.start()
    try:
        for cell in game.board.cells(COVERED):
            game.play("question", cell, ms=0)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(game.questions) == 3000
    assert most < 10 << 20
    for _ in range(3000):
        game.undo()
    assert game.questions == frozenset()


def test_question_marks_may_be_opened_and_flags_not() -> None:
    played = game("...*")
    played.question(0, 0)
    played.question(0, 3)
    played.flag(0, 1)
    assert played.open(0, 0).opened == {(0, 0): 0}
    assert str(played) == "0F#?"
    assert played.questions == {(0, 3)}
    played.flag(0, 1)
    assert played.open(0, 1).opened == {(0, 1): 0, (0, 2): 1}


# chords


def test_a_chord() -> None:
    played = game("*.../..../....")
    played.open(1, 1)
    played.flag(0, 0)
    assert played.chord(1, 1).opened.keys() == set(layout("..../..../....").cells()) - {(0, 0), (1, 1)}
    assert played.status == "won"


def test_a_chord_on_wrong_flags_opens_all_the_same() -> None:
    played = game("*../...")
    played.open(1, 0)
    played.flag(1, 1)
    outcome = played.chord(1, 0)
    assert outcome == Outcome({(0, 1): 1}, frozenset([(0, 0)]), False, "lost")


def test_the_rules_for_the_number_of_flags() -> None:
    for rule, allowed in (("equal", {1}), ("at-least", {1, 2})):
        for flags in range(3):
            played = game("*..../.....", chord_rule=rule)
            played.open(0, 1)
            for cell in [(0, 0), (1, 1)][:flags]:
                played.flag(*cell)
            if flags in allowed:
                assert not played.chord(0, 1).exploded
            else:
                with pytest.raises(IllegalMoveError, match=f"Cannot chord \\(0,1\\): .* got {flags}"):
                    played.chord(0, 1)


def test_a_zero_is_chorded_once_a_flag_beside_it_is_gone() -> None:
    played = game("...*")
    played.flag(0, 1)
    played.open(0, 0)
    played.flag(0, 1)
    assert played.chord(0, 0).opened == {(0, 1): 0, (0, 2): 1}


# what is not allowed


@pytest.mark.parametrize(
    ("move", "said"),
    [
        (lambda played: played.open(0, 0), r"Cannot open \(0,0\): it is open already\."),
        (lambda played: played.open(0, 4), r"Cannot open \(0,4\): it is flagged\."),
        (lambda played: played.open(0, 5), r"\(0,5\): it is not part of the board"),
        (lambda played: played.flag(0, 5), r"\(0,5\): it is not part of the board"),
        (lambda played: played.open(1, 0), r"expected a cell on the 6 × 1 board, got \(1,0\)"),
        (lambda played: played.open(0, -1), r"expected a cell on the 6 × 1 board, got \(0,-1\)"),
        (lambda played: played.flag(0, 1), r"Cannot mark \(0,1\): it is open\."),
        (lambda played: played.question(0, 1), r"Cannot mark \(0,1\): it is open\."),
        (lambda played: played.chord(0, 1), r"Cannot chord \(0,1\): its 1 needs 1 flag, got 0\."),
        (lambda played: played.chord(0, 2), r"Cannot chord \(0,2\): it is not open\."),
        (lambda played: played.chord(0, 4), r"Cannot chord \(0,4\): it is not open\."),
        (lambda played: played.chord(0, 0), r"Cannot chord \(0,0\): no cell around it is left to open\."),
        (lambda played: played.play("open"), r"The move 'open' needs a cell\."),
        (lambda played: played.play("undo", (0, 0)), r"An undo takes no cell\."),
        (lambda played: played.play("dig", (0, 0)), "kind must be one of open, flag, question, chord, undo, got 'dig'"),
    ],
)
def test_illegal_moves_change_nothing(move: Callable[[Game], object], said: str) -> None:
    played = game("..*.*~", clock=Clock())
    played.open(0, 0)
    played.flag(0, 4)
    before = played.record()
    with pytest.raises(IllegalMoveError, match=said):
        move(played)
    assert played.record() == before
    assert str(played) == "01##F~"


@pytest.mark.parametrize("column", [0, 1])
def test_a_finished_game_can_only_be_undone(column: int) -> None:
    played = game(".*", clock=Clock())
    status = played.open(0, column).status
    for kind in ("open", "flag", "question", "chord"):
        with pytest.raises(IllegalMoveError, match=f"The game is {status}. Only an undo"):
            played.play(kind, (0, 1 - column))
    assert played.undo().status == "new"


def test_there_may_be_nothing_to_undo() -> None:
    played = game(".*")
    played.flag(0, 0)
    played.undo()
    with pytest.raises(IllegalMoveError, match=r"There is no move to undo\."):
        played.undo()
    assert [move.kind for move in played.moves] == ["flag", "undo"]


def test_cells_may_be_numpy_numbers() -> None:
    played = game(".*.")
    played.open(*np.array([0, 0]))
    assert played.moves == (Move("open", (0, 0), 0),)
    assert Game.load(played.save()).board == played.board


def test_options_that_are_not_known() -> None:
    with pytest.raises(ValueError, match=f"fairness must be one of {', '.join(FAIRNESSES)}, got 'odd'"):
        game(".*", fairness="odd")
    with pytest.raises(ValueError, match=r"seed must be from 0 to 2\*\*64 - 1, got -1"):
        game(".*", seed=-1)


# taking back


def test_undo_takes_back_everything() -> None:
    played = game("...*./*..../....*", seed=3, first_click="open", fairness="kind")
    seen = [(str(played), played.status, played.questions, played.redraws, played.exploded)]
    for move in [("flag", (0, 3)), ("open", (0, 0)), ("question", (0, 4)), ("open", (2, 4)), ("open", (0, 4))]:
        if not played.is_over:
            played.play(*move)  # type: ignore[arg-type]
            seen.append((str(played), played.status, played.questions, played.redraws, played.exploded))
    for expected in reversed(seen):
        assert (str(played), played.status, played.questions, played.redraws, played.exploded) == expected
        if played.line:
            played.undo()
    assert played.line == ()


def test_undo_puts_mines_back() -> None:
    played = game("*.........", first_click="safe")
    played.open(0, 0)
    assert set(played.record().redraws) == {0}
    played.undo()
    assert played.open(0, 1).opened == {(0, 1): 1}
    assert played.open(0, 0).status == "lost"


def test_moves_and_the_line() -> None:
    played = game("..*.")
    played.open(0, 1)
    played.flag(0, 2)
    played.undo()
    played.flag(0, 3)
    assert [move.kind for move in played.moves] == ["open", "flag", "undo", "flag"]
    assert [(move.kind, move.cell) for move in played.line] == [("open", (0, 1)), ("flag", (0, 3))]


def test_a_first_click_is_the_first_again_once_undone() -> None:
    full = Game(layout("*../***/***"), first_click="safe", seed=1)
    assert full.open(0, 0).status == "running"
    full.undo()
    assert full.open(2, 2).status == "running"
    assert set(full.record().redraws) == {0, 2}


# the first click


@pytest.mark.parametrize("rule", ["any", "safe", "open"])
def test_the_first_click_on_a_mine_beside_a_mine(rule: FirstClick) -> None:
    played = game("**.../...../.....", first_click=rule)
    outcome = played.open(0, 0)
    assert (outcome.status == "lost") == (rule == "any")
    assert (0 in outcome.opened.values()) == (rule == "open")
    assert (outcome.redrawn, played.redraws) == (False, 0)  # that is for fairness


def test_the_second_click_may_lose() -> None:
    played = game("*..*", first_click="open")
    played.open(0, 1)
    assert played.open(0, 0).status == "lost"


def test_flags_before_the_first_click_do_not_matter() -> None:
    played = game("*..", first_click="safe")
    played.flag(0, 2)
    assert played.open(0, 0).status == "running"
    assert set(played.record().redraws) == {1}


def test_there_may_be_no_room() -> None:
    assert game("**", first_click="safe").open(0, 0).status == "lost"
    played = game("**./***", first_click="open")
    assert played.open(0, 0).opened == {(0, 0): 3}


# fairness; more of it in tests/analysis/test_judgement_oracle.py and tests/game/test_game_rules.py

FORCED_GUESS = "../.*", [(0, 0), (0, 1)], (1, 1)  # the two cells below are alike
CERTAIN_MINE = "*..~.*", [(0, 2)], (0, 0)


def after(case: tuple[str, list[Cell], Cell], fairness: Fairness) -> Outcome:
    text, opened, cell = case
    played = Game(layout(text), first_click="any", fairness=fairness, seed=5)
    for other in opened:
        assert played.open(*other).status == "running"
    return played.open(*cell)


@pytest.mark.parametrize("fairness", ["none", "forced", "kind", "strict"])
def test_a_forced_guess(fairness: Fairness) -> None:
    outcome = after(FORCED_GUESS, fairness)
    assert (outcome.status, outcome.redrawn) == (("lost", False) if fairness == "none" else ("won", True))


@pytest.mark.parametrize("fairness", ["none", "forced", "kind", "strict"])
def test_a_certain_mine(fairness: Fairness) -> None:
    outcome = after(CERTAIN_MINE, fairness)
    assert (outcome.status, outcome.redrawn) == ("lost", False)


def needless(fairness: Fairness, mined: bool) -> Game:
    """(0,3) is certainly safe, but the player opens (0,0), which may be a mine."""
    played = Game(layout("*..." if mined else "..*."), first_click="any", fairness=fairness)
    played.open(0, 1)
    return played


@pytest.mark.parametrize(
    ("fairness", "mined", "status", "redrawn"),
    [
        ("none", True, "lost", False),
        ("none", False, "running", False),
        ("forced", True, "lost", False),
        ("forced", False, "running", False),
        ("kind", True, "running", True),
        ("kind", False, "running", False),
        ("strict", True, "lost", False),
        ("strict", False, "lost", True),
    ],
)
def test_a_needless_guess(fairness: Fairness, mined: bool, status: str, redrawn: bool) -> None:
    played = needless(fairness, mined)
    outcome = played.open(0, 0)
    assert (outcome.status, outcome.redrawn, played.redraws) == (status, redrawn, int(redrawn))
    played.undo()
    assert (played.redraws, played.status) == (0, "running")


def test_strict_lets_certain_cells_be_opened() -> None:
    assert needless("strict", True).open(0, 3).status == "won"


def test_the_first_click_may_be_a_forced_guess() -> None:
    played = game("*.**", fairness="forced")
    outcome = played.open(0, 0)
    assert (outcome.status, outcome.redrawn, played.redraws) == ("won", True, 1)
    assert game("**", fairness="kind").open(0, 0).status == "lost"


def test_a_chord_is_rescued_as_a_whole() -> None:
    """Nothing is certain around the 1; one flag set by guess leaves two cells to open."""
    for seed in range(20):
        played = Game(layout(".*./..."), first_click="any", fairness="forced", seed=seed)
        played.open(1, 1)
        played.flag(1, 0)
        outcome = played.chord(1, 1)
        assert (outcome.redrawn, outcome.exploded, played.status) == (True, frozenset(), "won")


@pytest.mark.slow
def test_a_board_too_hard_to_judge_gives_nothing_away() -> None:
    """Whether or not there is a mine, and before anything has changed."""
    truth = ground(random.Random(0), 80, 80, 2560)
    easy = Game(Layout(80, 80, truth.mines), first_click="any", clock=Clock())
    for cell in sorted(truth.safe):
        if sum(cell) % 2 == 0 and easy.board[cell] == COVERED:
            easy.open(*cell)
    record = dataclasses.replace(easy.record(), rules=Rules("any", "forced"))
    hard = Game.replay(record, clock=Clock(), budget=Budget(states=10_000))
    covered = frozenset(hard.board.cells(COVERED))
    for cell in [*sorted(covered & truth.mines)[:3], *sorted(covered - truth.mines)[:3]]:
        with pytest.raises(BudgetExceeded):
            hard.open(*cell)
    assert hard.record() == record


# the clock


def test_the_clock_runs_from_the_first_opening_to_the_end() -> None:
    clock = Clock()
    played = game("..*.", clock=clock)
    clock.seconds += 5
    played.flag(0, 0)
    played.flag(0, 0)
    clock.seconds += 5
    assert played.ms == 0
    played.open(0, 0)
    clock.seconds += 1.5
    assert (played.ms, played.seconds) == (1500, 1.5)
    played.open(0, 3)
    clock.seconds += 10
    assert (played.status, played.seconds) == ("won", 1.5)
    assert [move.ms for move in played.moves] == [0, 0, 0, 1500]


def test_the_clock_stands_while_a_game_is_lost() -> None:
    clock = Clock()
    played = game("..*.", clock=clock)
    played.open(0, 0)
    clock.seconds += 1
    played.open(0, 2)
    clock.seconds += 60
    played.undo()
    clock.seconds += 1
    assert played.ms == 2000
    assert [move.ms for move in played.moves] == [0, 1000, 1000]


def test_the_clock_stands_while_the_first_click_is_taken_back() -> None:
    clock = Clock()
    played = game("..*.", clock=clock)
    played.open(0, 0)
    clock.seconds += 2
    played.undo()
    again = Game.load(played.save(), clock=clock)
    clock.seconds += 60
    for item in (played, again):
        assert (item.status, item.ms) == ("new", 2000)
        item.flag(0, 2)
        item.open(0, 1)
    clock.seconds += 1
    assert (played.ms, again.ms) == (3000, 3000)
    assert [move.ms for move in played.moves] == [0, 2000, 2000, 2000]


def test_whether_a_game_is_paused_is_told() -> None:
    played = game("..*.")

    def told(act: Callable[[], object]) -> object:
        act()
        assert played.as_json()["paused"] == played.is_paused
        return played.is_paused

    assert told(played.pause) is False  # a clock that has not begun is not stopped
    assert told(lambda: played.open(0, 0)) is False
    assert told(played.pause) is True
    assert told(lambda: played.flag(0, 2)) is False
    assert [told(played.pause), told(played.resume)] == [True, False]
    assert [told(lambda: played.open(0, 3)), told(played.pause)] == [False, False]
    assert played.status == "won"


def test_a_pause_stops_the_clock() -> None:
    clock = Clock()
    played = game("..*.", clock=clock)
    played.pause()
    played.resume()
    clock.seconds += 5
    assert played.ms == 0  # nothing runs before the first click
    played.open(0, 0)
    clock.seconds += 1
    played.pause()
    played.pause()
    text = played.save()
    clock.seconds += 60
    assert played.ms == 1000
    played.resume()
    clock.seconds += 1
    assert played.ms == 2000
    played.pause()
    clock.seconds += 60
    played.flag(0, 2)  # a move ends it
    clock.seconds += 1
    assert played.ms == 3000
    played.open(0, 3)
    played.resume()
    clock.seconds += 60
    assert (played.status, played.ms) == ("won", 3000)
    assert Game.load(text, clock=clock).ms == 1000


# the same board again


@pytest.mark.parametrize("fairness", ["none", "forced"])
def test_the_same_board_again(fairness: Fairness) -> None:
    """The first click moved mines, and a guess did; again it is the board after the first click."""
    played = game("**../...*/....", first_click="open", fairness=fairness, seed=4)
    played.flag(2, 3)
    played.open(0, 0)
    after = played.record().redraws[1]
    again = played.again()
    assert again.status == "new"
    assert again.moves == ()
    start = again.record().layout
    assert (start.mines, start.start) == (after, (0, 0))
    assert (again.rules, again.seed) == (played.rules, played.seed)
    again.open(0, 0)
    played.flag(2, 3)
    assert again.board == played.board
    assert again.record().redraws == {}
    twice = again.again()
    twice.open(0, 0)
    assert twice.board == again.board


def test_a_board_that_was_not_begun_again() -> None:
    played = game("..*.")
    played.open(0, 0)
    played.undo()
    assert played.again().record().layout == layout("..*.")
    made = Game(layout("..*.", start=(0, 0), no_guess=True))
    made.open(0, 0)
    assert made.again().record().layout == layout("..*.", start=(0, 0), no_guess=True)


# a position that is given


GIVEN = Board.parse("1F#0/####", total_mines=1)


def test_a_game_that_begins_from_a_position() -> None:
    clock = Clock()
    played = Game(layout(".*../...."), first_click="any", given=GIVEN, clock=clock)
    clock.seconds += 5
    assert (played.board, played.status, played.moves, played.ms) == (GIVEN, "new", (), 0)
    assert (played.mines_left, played.open_cells) == (0, 2)
    with pytest.raises(IllegalMoveError, match=r"There is no move to undo\."):
        played.undo()
    opened = {(0, 2): 1, (1, 2): 1, (1, 3): 0}
    assert played.chord(0, 3) == Outcome(opened, frozenset(), False, "running")
    clock.seconds += 1
    assert played.ms == 1000
    again = Game.load(played.save(), clock=clock)
    assert (again.record(), again.board) == (played.record(), played.board)
    played.undo()
    assert (played.board, played.status) == (GIVEN, "new")
    played.flag(0, 1)
    assert played.mines_left == 1
    assert played.again().board == GIVEN
    for cell in ((0, 2), (1, 0), (1, 1), (1, 2), (1, 3)):
        if played.board[cell] == COVERED:
            played.open(*cell)
    assert played.status == "won"
    assert Game.replay(played.record()).status == "won"


def test_a_position_must_be_one_of_the_layout() -> None:
    with pytest.raises(BoardSyntaxError, match=r"The given position contradicts the layout\."):
        Game(layout("*.../...."), first_click="any", given=GIVEN)
    with pytest.raises(BoardSyntaxError, match=r"The given position contradicts the layout\."):
        Game(layout(".*../...."), first_click="any", given=Board.parse("1F#0/####", total_mines=2))
    for other in ("*...", ".*../...~", ".*../..../...."):
        with pytest.raises(BoardSyntaxError, match="expected a given position with the cells of the layout"):
            Game(layout(other), first_click="any", given=GIVEN)
    with pytest.raises(ValueError, match="first_click must be 'any' with a given position, got 'safe'"):
        Game(layout(".*../...."), given=GIVEN)


def test_fairness_goes_by_the_given_position() -> None:
    """One of two cells is a mine, and no number decides which."""
    given = Board.parse("#1/#1", total_mines=1)
    for rows in ("*./..", "../*."):
        played = Game(layout(rows), first_click="any", fairness="forced", given=given)
        assert played.open(0, 0).status == "won"
        assert Game.load(played.save()).status == "won"


# saving


def test_the_clock_goes_on_where_a_game_was_saved() -> None:
    clock = Clock()
    played = game("..*.", clock=clock)
    played.open(0, 0)
    clock.seconds += 2.25
    text = played.save()
    clock.seconds += 1000
    again = Game.load(text, clock=clock)
    assert again.ms == 2250
    clock.seconds += 1
    assert again.open(0, 3).status == "won"
    assert again.moves[-1].ms == 3250
    clock.seconds += 1
    assert Game.load(again.save(), clock=clock).ms == 3250
    fresh = Game.load(game("..*.", clock=clock).save(), clock=clock)
    clock.seconds += 1
    assert fresh.ms == 0


def test_a_clock_that_is_set_back_stands_still() -> None:
    clock = Clock()
    played = game("..*.*", clock=clock)
    played.open(0, 0)
    clock.seconds += 2
    played.flag(0, 2)
    clock.seconds -= 1
    played.flag(0, 4)
    assert [move.ms for move in played.moves] == [0, 2000, 2000]
    assert Game.load(played.save(), clock=clock).moves == played.moves


# saving, loading, replaying


def a_long_game() -> Game:
    """Something of everything: a first click that moves mines, marks, a rescue, chords, undos."""
    played = Game(layout("*......*/.*....../......*./*....*.."), first_click="open", fairness="kind", seed=8)
    played.flag(3, 7)
    played.open(0, 0)
    played.question(0, 7)
    for cell in sorted(played.board.cells(COVERED)):
        if not played.is_over and played.board[cell] == COVERED:
            played.open(*cell)
            if len(played.moves) % 3 == 0:
                played.undo()
    return played


def test_a_game_is_replayed_exactly() -> None:
    played = a_long_game()
    assert played.redraws
    again = Game.replay(played.record())
    assert again.record() == played.record()
    assert (str(again), again.line, again.redraws, again.exploded) == (
        str(played), played.line, played.redraws, played.exploded,
    )  # fmt: skip
    assert again.as_json() == played.as_json()


def test_a_replay_may_stop_anywhere() -> None:
    played = a_long_game()
    record = played.record()
    step = Game(record.layout, first_click="open", fairness="kind", seed=8)
    for count, move in enumerate(record.moves):
        part = Game.replay(record, upto=count)
        assert (str(part), part.status, part.moves) == (str(step), step.status, record.moves[:count])
        step.play(move.kind, move.cell)
    with pytest.raises(ValueError, match="upto must be from 0 to 8, the number of moves, got -1"):
        Game.replay(record, upto=-1)
    with pytest.raises(ValueError, match="upto must be from 0 to 8, the number of moves, got 9"):
        Game.replay(record, upto=len(record.moves) + 1)


def test_a_record_step_by_step() -> None:
    played = a_long_game()
    steps = list(Game.steps(played.record()))
    assert tuple(move for _, move, _ in steps) == played.moves
    assert [seen for seen, _, _ in steps] == [Game.replay(played.record(), upto=n).board for n in range(len(steps))]
    assert sum(outcome.redrawn for _, _, outcome in steps) >= played.redraws
    broken = dataclasses.replace(played.record(), moves=(*played.moves, played.moves[-1]))
    with pytest.raises(BoardSyntaxError, match=r"illegal move in `moves\[8\]`: The game is lost"):
        list(Game.steps(broken))


def test_a_loaded_game_goes_on_as_the_first_would() -> None:
    """Draws depend on the seed and the number of moves, not on how the game got there."""
    played = a_long_game()
    while played.line:
        played.undo()
    again = Game.load(played.save())
    for cell in [(0, 0), (3, 0), (3, 7), (0, 7)]:
        for item in (played, again):
            if not item.is_over and item.board[cell] == COVERED:
                item.open(*cell)
    assert played.record().redraws == again.record().redraws
    assert played.board == again.board


def changed(played: Game, **changes: Any) -> str:
    return json.dumps(json.loads(played.save()) | changes)


def test_a_record_that_cannot_have_been_played() -> None:
    played = game("..*./....", fairness="kind", seed=1)
    played.open(0, 1)
    played.open(0, 2)
    assert played.redraws == 1
    with pytest.raises(BoardSyntaxError, match=r"illegal move in `moves\[1\]`: Cannot open \(0,1\)"):
        Game.load(changed(played, moves=[["open", 0, 1, 0], ["open", 0, 1, 0]]))
    with pytest.raises(BoardSyntaxError, match=r"expected 'running' in `status` .*, got 'lost'"):
        Game.load(changed(played, status="lost"))
    record = played.record()
    far = dataclasses.replace(record, redraws={1: frozenset([(0, 3)])})
    with pytest.raises(BoardSyntaxError, match="the mines in `redraws` for move 1 contradict the open cells"):
        Game.replay(far)
    unfair = dataclasses.replace(record, rules=Rules("any", "none"))
    with pytest.raises(BoardSyntaxError, match="expected no mines in `redraws` for move 1, where no rule moves any"):
        Game.replay(unfair)


def test_the_layout_saved_is_the_one_dealt() -> None:
    played = game("*...../......", first_click="safe")
    played.open(0, 0)
    record = played.record()
    assert record.layout.mines == {(0, 0)}
    assert record.redraws[0] != {(0, 0)}


def test_a_layout_with_other_mines_is_no_longer_made_for_its_start() -> None:
    made = dataclasses.replace(layout("*..*"), start=(0, 1), no_guess=True)
    stored, moved = Game(made, first_click="safe"), Game(made, first_click="safe")
    for played, start in ((stored, 1), (moved, 0)):
        played.open(0, start)
        for column in (0, 1, 2, 3):
            if not played.is_over and played.board[0, column] == COVERED:
                played.open(0, column)
    assert stored.layout.no_guess
    assert not moved.layout.no_guess


# secrets


def everything_said(played: Game) -> list[str]:
    saved = json.loads(played.save())
    assert saved.pop("sealed")
    saved.pop("layout")
    saved["redraws"] = [index for index, _ in saved["redraws"]]
    return [str(played), repr(played), repr(played.record()), json.dumps(played.as_json()), json.dumps(saved)]


def test_layouts_that_look_alike_are_told_apart_by_nothing() -> None:
    """The same moves on every layout that fits what is seen: all that is written is the same, sealed parts aside."""
    said = []
    for mine in [(0, 2), (1, 2), (2, 2), (2, 1)]:
        played = Game(Layout(4, 4, frozenset([(0, 0), mine])), first_click="any", fairness="forced", clock=Clock())
        played.open(1, 1)
        played.flag(0, 2)
        played.question(3, 3)
        with pytest.raises(IllegalMoveError, match=r"The game is still running"):
            _ = played.layout
        said.append(everything_said(played))
    assert all(item == said[0] for item in said)


def test_a_view_of_a_running_game() -> None:
    clock = Clock()
    played = game("..*.~", clock=clock)
    played.open(0, 1)
    played.flag(0, 2)
    played.question(0, 3)
    clock.seconds += 1.25
    assert played.as_json() == {
        "schema": "mineproof/view/1", "rows": 1, "columns": 5, "topology": "grid", "total_mines": 1, "mines_left": 0,
        "status": "running", "seconds": 1.25, "paused": False, "cells": ["#1F?~"], "redraws": 0, "exploded": [],
    }  # fmt: skip
    assert repr(played) == "<Game of 5 × 1, 1 mine: running, 1 open, 1 flagged>"


def test_a_view_of_a_finished_game() -> None:
    played = game("..*.")
    played.open(0, 2)
    shown = played.as_json()
    assert (shown["status"], shown["exploded"], shown["mines"]) == ("lost", [[0, 2]], [[0, 2]])
    assert json.loads(played.save())["layout"] == "20"


def test_copies_and_pickles_are_made_of_the_sealed_game() -> None:
    clock = Clock()
    played = Game(layout(".*../...."), first_click="any", fairness="forced", clock=clock, budget=7.0)
    played.open(1, 3)
    clock.seconds += 2
    for again in (copy.copy(played), copy.deepcopy(played), pickle.loads(pickle.dumps(played))):
        assert (again.board, again.moves, again.seconds) == (played.board, played.moves, 2.0)
        again.flag(0, 0)
        assert again.save() != played.save(), "it is a game of its own"
    names = [name for name in ("frozenset", "Layout") if name.encode() in pickle.dumps(played)]
    assert names == [], "a pickle holds the text of `save` and no mines"


def test_text_of_a_game_that_goes_on_is_sealed_again() -> None:
    played = game("..*.")
    played.open(0, 2)
    played.undo()
    document = json.loads(played.save())
    assert document["sealed"]
    assert document["layout"] != "20"


@pytest.mark.parametrize("ms", [1.5, float("nan"), True, -5, "x", 2**60])
def test_a_time_that_is_no_whole_number_of_milliseconds_changes_nothing(ms: object) -> None:
    game = Game(Layout(1, 4, frozenset([(0, 0)])))
    with pytest.raises((TypeError, ValueError), match="ms"):
        game.play("open", (0, 3), ms=ms)  # type: ignore[arg-type]
    assert not game.moves
    assert Game.load(game.save()).status == "new"


def test_a_saved_game_with_a_huge_time_cannot_be_read() -> None:
    game = Game(Layout(1, 4, frozenset([(0, 0)])))
    game.open(0, 3)
    text = re.sub(r'"ms":\d+', f'"ms":{10**400}', game.save())
    with pytest.raises(BoardSyntaxError, match="JSON: `ms` must be at most 9007199254740992, got 401 digits"):
        Game.load(text)
