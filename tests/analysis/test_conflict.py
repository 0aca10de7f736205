"""What a contradiction blames: few numbers, each of them needed, and only flags whose removal resolves it."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable

import pytest

import mineproof as mp
from mineproof.errors import ContradictionError
from mineproof.wording.catalogue import use_language
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.clauses import NumberAt
from mineproof.wording.contradictions import Contradiction
from support import texts
from support.oracle import COVERED, FLAGGED, Cell, brute_force
from support.positions import Position, flood, random_reveal, small


def blame(board: mp.Board, **options: str) -> ContradictionError:
    with pytest.raises(ContradictionError) as caught:
        mp.analyze(board, **options)  # type: ignore[call-overload]
    return caught.value


# examples


def reason(error: ContradictionError) -> Contradiction:
    assert isinstance(error.explanation, Contradiction)
    return error.explanation


@pytest.mark.parametrize(
    ("text", "cells", "flags", "covered", "words"),
    [
        ("F1F/###", {(0, 1)}, 2, 3, texts.text("contradiction-too-many-flags", 2, number="the 1 at (0,1)")),
        ("4#/##", {(0, 0)}, 0, 3, texts.text("contradiction-too-few-cells", 3, number="the 4 at (0,0)")),
        ("1~~", {(0, 0)}, 0, 0, texts.text("contradiction-no-room", number="the 1 at (0,0)")),
        (
            "12/##",
            {(0, 0), (0, 1)},
            0,
            0,
            texts.text("contradiction-both", numbers="the 1 at (0,0) and the 2 at (0,1)"),
        ),
        ("1#1/#~#/~1~", {(0, 0), (0, 2), (2, 1)}, 0, 0, texts.text("contradiction-all", numbers="the 1 at (2,1)")),
    ],
)
def test_numbers_that_exclude_each_other(text: str, cells: set[Cell], flags: int, covered: int, words: str) -> None:
    board = mp.Board.parse(text)
    error = blame(board)
    assert set(error.cells) == cells
    assert not error.uses_total
    numbers = tuple(NumberAt(cell, board[cell]) for cell in error.cells)
    assert (reason(error).numbers, reason(error).flags, reason(error).covered) == (numbers, flags, covered)
    assert str(error).startswith("The board contradicts itself: ")
    assert words in str(error)


@pytest.mark.parametrize(
    ("text", "total", "cells", "totals", "words"),
    [
        ("1#/##", 3, {(0, 0)}, (1, 1), "exactly 1 mine. The 1 at (0,0) shows this."),
        ("#1#2#", 1, {(0, 3)}, (2, 2), "exactly 2 mines. The 2 at (0,3) shows this."),
        (
            "#1##1#",
            1,
            {(0, 1), (0, 4)},
            (2, 2),
            texts.text("contradiction-shown-by", 2, numbers="The 1 at (0,1) and the 1 at (0,4)"),
        ),
        ("FF#", 1, set(), (2, 3), texts.text("contradiction-total-at-least", 2, total=1)),
        ("1#~##", 0, {(0, 0)}, (1, 3), "needs at least 1 mine. The 1 at (0,0) shows this."),
    ],
)
def test_a_total_that_is_wrong(text: str, total: int, cells: set[Cell], totals: tuple[int, int], words: str) -> None:
    error = blame(mp.Board.parse(text, total_mines=total))
    assert set(error.cells) == cells
    assert error.uses_total
    assert (reason(error).total, reason(error).totals, error.totals) == (total, totals, totals)
    assert words in str(error)


def test_an_explanation_in_another_language_and_with_the_labels_of_the_ruler() -> None:
    error = blame(mp.Board.parse("F1F/###"))
    assert error.text == str(error)
    assert error.text_in("de").startswith("Das Brett widerspricht sich: um die 1 bei (0,1) herum stehen 2 Flaggen")
    with use_language("de"), use_cell_labels("ruler"):
        assert "die 1 bei B1" in error.text
        assert error.as_json()["text"] == error.text
        assert error.as_json()["message"] == str(error)
        assert "the 1 at (0,1) has 2 flags" in str(error), "messages of errors stay English"
    assert pickle.loads(pickle.dumps(error)) == error
    plain = ContradictionError("as it was written")
    assert (str(plain), plain.text, plain.text_in("de"), plain.explanation) == (*["as it was written"] * 3, None)


def test_bystanders_are_not_named() -> None:
    """Two numbers in a corner of a long coast."""
    board = mp.Board.parse("12~####/##~1111", total_mines=4)
    assert set(blame(board).cells) == {(0, 0), (0, 1)}


def test_numbers_are_blamed_before_the_total() -> None:
    error = blame(mp.Board.parse("12/##", total_mines=0))
    assert not error.uses_total
    assert error.cells


def test_as_json() -> None:
    document = blame(mp.Board.parse("1F1/FF#")).as_json()
    assert document["schema"] == "mineproof/error/1"
    assert document["code"] == "contradiction"
    assert document["cells"] in ([[0, 0]], [[0, 2]])
    assert document["uses_total"] is False
    assert document["wrong_flags"] == []


# flags


def test_the_wrong_flag_is_named() -> None:
    error = blame(mp.Board.parse("F1F"))
    assert error.wrong_flags == ((0, 0), (0, 2))
    assert reason(error).wrong_flags == error.wrong_flags
    assert "One of the flags at (0,0) and (0,2) is wrong" in str(error)


def test_a_flag_that_mends_nothing_is_not_named() -> None:
    """The left flag alone is one too many: the right one has a number of its own that needs it."""
    error = blame(mp.Board.parse("F1F1/~~~~/~~~~"))
    assert error.cells == ((0, 1),)
    assert error.wrong_flags == ((0, 0),)
    assert "The flag at (0,0) is wrong" in str(error)


def test_flags_too_many_for_the_total() -> None:
    assert blame(mp.Board.parse("FF#", total_mines=1)).wrong_flags == ((0, 0), (0, 1))
    assert blame(mp.Board.parse("FFF#", total_mines=1)).wrong_flags == ()


def test_a_flag_that_mends_the_numbers_but_not_the_total() -> None:
    error = blame(mp.Board.parse("F1F", total_mines=2))
    assert not error.uses_total
    assert error.wrong_flags == ()
    assert blame(mp.Board.parse("F1F", total_mines=1)).wrong_flags == ((0, 0), (0, 2))


def test_ignored_flags_are_not_blamed() -> None:
    assert blame(mp.Board.parse("F0\n##", total_mines=2), flags="ignore").wrong_flags == ()


# against brute force


def mending_flags(board: mp.Board) -> set[Cell]:
    return {flag for flag in board.cells(FLAGGED) if brute_force(board.replace({flag: COVERED})).consistent}


def check_blame(board: mp.Board) -> ContradictionError | None:
    """The error of an impossible board, which blames nothing without need; None for a possible one."""
    if brute_force(board).consistent:
        mp.analyze(board)
        return None
    error = blame(board)
    judged = board if error.uses_total else board.replace({}, total_mines=None)
    assert not brute_force(judged, numbers=error.cells).consistent
    for spared in error.cells:
        rest = [cell for cell in error.cells if cell != spared]
        assert brute_force(judged, numbers=rest).consistent, f"{spared} is not needed"
    assert set(error.wrong_flags) == mending_flags(board)
    assert all(f"({row},{column})" in str(error) for row, column in [*error.cells, *error.wrong_flags])
    return error


@pytest.mark.slow
def test_small_boards() -> None:
    rng = random.Random(12)
    results = [error for _ in range(2500) if (error := check_blame(small(rng).board)) is not None]
    assert sum(error.uses_total for error in results) > 50
    assert sum(not error.uses_total for error in results) > 50
    assert sum(len(error.cells) > 1 for error in results) > 50
    assert sum(len(error.wrong_flags) > 0 for error in results) > 20


@pytest.mark.slow
def test_misplaced_flags_on_small_boards() -> None:
    rng = random.Random(13)
    named = 0
    for _ in range(1000):
        position = small(rng, most_covered=10)
        board = position.board
        free = [cell for cell in board.cells(COVERED) if cell in position.ground.safe]
        if free:
            error = check_blame(board.replace({rng.choice(free): FLAGGED}))
            named += error is not None and bool(error.wrong_flags)
    assert named > 100


# boards of real size


def possible(board: mp.Board) -> bool:
    try:
        mp.analyze(board)
    except ContradictionError:
        return False
    return True


def without(board: mp.Board, numbers: set[Cell]) -> mp.Board:
    """The board with these numbers gone: cells that are no mines and tell nothing."""
    return board.replace(dict.fromkeys(numbers, -9))


@pytest.mark.slow
@pytest.mark.parametrize("make", [random_reveal, flood])
def test_one_number_that_lies(make: Callable[..., Position]) -> None:
    count = 0
    for seed in range(40):
        rng = random.Random(seed)
        position = make(rng, 16, 30, 99, 0.4)
        numbers = {cell for cell in position.ground.safe if position.board[cell] >= 0}
        liar = rng.choice(sorted(cell for cell in numbers if 0 < position.board[cell] < 8))
        board = position.board.replace({liar: position.board[liar] + 1})
        if possible(board):
            continue
        error = blame(board)
        if error.uses_total:
            continue
        count += 1
        named = set(error.cells)
        assert liar in named
        unbounded = board.replace({}, total_mines=None)
        assert not possible(without(unbounded, numbers - named))
        assert all(possible(without(unbounded, numbers - named | {cell})) for cell in named)
    assert count >= 8


@pytest.mark.slow
def test_one_flag_that_lies() -> None:
    count = 0
    for seed in range(40):
        rng = random.Random(seed)
        position = flood(rng, 16, 30, 99, 0.5)
        right = [cell for cell in position.ground.mines if rng.random() < 0.5]
        free = position.ground.safe.intersection(position.board.cells(COVERED))
        coast = [cell for cell in free if any(position.board[other] >= 0 for other in position.board.neighbours(cell))]
        wrong = rng.choice(sorted(coast))
        board = position.board.replace(dict.fromkeys([*right, wrong], FLAGGED))
        if not possible(board):
            count += 1
            error = blame(board)
            assert wrong in error.wrong_flags
            assert all(possible(board.replace({flag: COVERED})) for flag in error.wrong_flags)
    assert count >= 15
