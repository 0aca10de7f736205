"""Arguments: what is taken, and the words about what is not."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mineproof.base import checks
from mineproof.board.board import Board


class Whole:
    """A number class of another library that counts as a whole number."""

    def __index__(self) -> int:
        return 3


NUMPYS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
NO_NUMBERS = [True, False, np.True_, 1.0, np.float64(1), "1", b"1", None, Fraction(1), [1], (1,), 1j]


def exactly(words: str) -> str:
    return f"^{re.escape(words)}$"


# of a class


def test_an_instance() -> None:
    board = Board.parse("#")
    assert checks.instance("board", board, Board) is board
    assert checks.instance("text", "1#", str) == "1#"
    assert checks.instance("number", True, int) is True, "a subclass will do"


@pytest.mark.parametrize(
    ("value", "kind", "instead", "words"),
    [
        ("1#", Board, "Board.parse reads text", "board must be a Board, got str (Board.parse reads text)"),
        (None, Board, "", "board must be a Board, got NoneType"),
        (Board, Board, "", "board must be a Board, got type"),
        (np.zeros(2), bytes, "", "board must be a bytes, got ndarray"),
        ("1#", ArithmeticError, "", "board must be an ArithmeticError, got str"),
    ],
)
def test_no_instance(value: object, kind: type[object], instead: str, words: str) -> None:
    with pytest.raises(TypeError, match=exactly(words)):
        checks.instance("board", value, kind, instead)


# whole numbers


@pytest.mark.parametrize("value", [0, 1, -1, 2**100, -(2**100)])
def test_whole_numbers(value: int) -> None:
    assert checks.whole("count", value) == value


@pytest.mark.parametrize("kind", NUMPYS)
def test_whole_numbers_of_numpy(kind: Any) -> None:
    number = checks.whole("count", kind(7), 0, 7)
    assert number == 7
    assert type(number) is int


def test_what_counts_as_a_whole_number() -> None:
    number = checks.whole("count", Whole(), 3, 3)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_no_whole_numbers(value: object) -> None:
    with pytest.raises(TypeError, match=exactly(f"count must be a whole number, got {value!r}")):
        checks.whole("count", value)
    with pytest.raises(TypeError, match=exactly(f"count must be a whole number, got {value!r}")):
        checks.whole("count", value, 0, 10)


@pytest.mark.parametrize(
    ("least", "most", "good", "wrong", "expected"),
    [
        (0, None, [0, 1, 10**30], [-1, -(10**30)], "at least 0"),
        (1, None, [1, 2], [0, -1], "at least 1"),
        (None, 5, [5, 0, -(10**30)], [6, 10**30], "at most 5"),
        (2, 4, [2, 3, 4], [1, 5], "from 2 to 4"),
        (0, 0, [0], [-1, 1], "from 0 to 0"),
        (0, 2**64 - 1, [0, 2**64 - 1], [-1, 2**64], "from 0 to 2**64 - 1"),
        (None, 2**64 - 1, [-1, 2**64 - 1], [2**64], "at most 2**64 - 1"),
    ],
)
def test_bounds(least: int | None, most: int | None, good: list[int], wrong: list[int], expected: str) -> None:
    for value in good:
        assert checks.whole("count", value, least, most) == value
    for value in wrong:
        with pytest.raises(ValueError, match=exactly(f"count must be {expected}, got {value}")):
            checks.whole("count", value, least, most)


def test_a_number_of_numpy_out_of_bounds_is_named_as_a_number() -> None:
    with pytest.raises(ValueError, match=exactly("count must be at least 0, got -1")):
        checks.whole("count", np.int64(-1), 0)


# seeds


@pytest.mark.parametrize("value", [0, 1, 2**64 - 1, np.uint64(2**64 - 1), np.int8(5)], ids=repr)
def test_seeds(value: Any) -> None:
    result = checks.seed("seed", value)
    assert result == int(value)
    assert type(result) is int


@pytest.mark.parametrize("value", [-1, 2**64, np.int64(-1)], ids=repr)
def test_seeds_out_of_bounds(value: Any) -> None:
    with pytest.raises(ValueError, match=exactly(f"number must be from 0 to 2**64 - 1, got {int(value)}")):
        checks.seed("number", value)


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_no_seeds(value: object) -> None:
    with pytest.raises(TypeError, match=exactly(f"seed must be a whole number, got {value!r}")):
        checks.seed("seed", value)


# one of several


def test_one_of_several() -> None:
    for value in ("any", "safe", "open"):
        checks.one_of("first_click", value, ("any", "safe", "open"))
    checks.one_of("needs", None, (None, "single", "total"))
    checks.one_of("level", 2, (1, 2))


@pytest.mark.parametrize("value", ["All", "", "any ", None, 1, ("any",)], ids=repr)
def test_none_of_several(value: object) -> None:
    with pytest.raises(ValueError, match=exactly(f"first_click must be one of any, safe, open, got {value!r}")):
        checks.one_of("first_click", value, ("any", "safe", "open"))


def test_what_stands_for_not_given_is_not_listed() -> None:
    with pytest.raises(ValueError, match=exactly("needs must be one of single, total, got 'luck'")):
        checks.one_of("needs", "luck", (None, "single", "total"))


# cells


@pytest.mark.parametrize(
    "value",
    [(1, 2), [1, 2], np.array([1, 2]), (np.int64(1), np.uint8(2)), iter([1, 2]), divmod(12, 10)],
    ids=["tuple", "list", "array", "numbers of numpy", "iterator", "divmod"],
)
def test_cells(value: Any) -> None:
    result = checks.cell("start", value)
    assert result == (1, 2)
    assert type(result) is tuple
    assert [type(item) for item in result] == [int, int]


def test_whether_a_cell_is_on_a_board_is_not_asked_here() -> None:
    assert checks.cell("start", (-1, 10**9)) == (-1, 10**9)


@pytest.mark.parametrize(
    "value", [4, None, (), (1,), (1, 2, 3), "12", (1.0, 2), (1, 2.0), ("1", "2"), (None, 1), [[1, 2]]], ids=repr
)
def test_no_cells(value: object) -> None:
    with pytest.raises(TypeError, match=exactly(f"start must be a cell (row, column), got {value!r}")):
        checks.cell("start", value)


@pytest.mark.parametrize("value", [(True, False), (0, True), (np.True_, 1)], ids=repr)
def test_truth_values_are_no_cells(value: object) -> None:
    with pytest.raises(TypeError, match=exactly(f"start must be a cell (row, column), got {value!r}")):
        checks.cell("start", value)


# chances


@pytest.mark.parametrize(
    ("text", "chance"),
    [
        ("0.2", Fraction(1, 5)),
        ("1/5", Fraction(1, 5)),
        ("20%", Fraction(1, 5)),
        ("20 %", Fraction(1, 5)),
        (".5%", Fraction(1, 200)),
        ("1e-300", Fraction(1, 10**300)),
        ("5E-1", Fraction(1, 2)),
    ],
)
def test_a_chance_that_is_written(text: str, chance: Fraction) -> None:
    assert checks.read_chance(text) == chance


@pytest.mark.parametrize("text", ["", "%", "0", "0%", "100%", "1", "120%", "1e-999", "1/0", "nan", "x", "1e2%", "-0.2"])
def test_no_chance(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected a number between 0 and 1 such as 0\.2, 1/5 or 20%, got "):
        checks.read_chance(text)
