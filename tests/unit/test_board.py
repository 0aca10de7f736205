"""The observed board: a value that never changes, and says in words what it refuses."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

from mineproof.board import Board
from mineproof.codes import ABSENT, COVERED, FLAGGED, MAX_CELLS
from mineproof.errors import BoardSyntaxError
from mineproof.topology import KINDS
from support.positions import small

BOARD = Board.parse("1#F/~.8", total_mines=2)
MANY = [small(random.Random(seed)).board for seed in range(150)]


# looking


def test_what_a_board_shows() -> None:
    assert (BOARD.rows, BOARD.columns, BOARD.total_mines) == (2, 3, 2)
    assert [BOARD[0, column] for column in range(3)] == [1, COVERED, FLAGGED]
    assert [BOARD[1, column] for column in range(3)] == [ABSENT, 0, 8]
    assert list(BOARD.cells(COVERED)) == [(0, 1)]
    assert list(BOARD.cells(8)) == [(1, 2)]
    assert BOARD.cell(BOARD.index((1, 2))) == (1, 2)


def test_absent_cells_are_nobodys_neighbours() -> None:
    assert BOARD.neighbours((0, 0)) == [(0, 1), (1, 1)]


@pytest.mark.parametrize("cell", [(-1, 0), (2, 0), (0, 3), (0, -1)])
def test_no_cell_outside(cell: tuple[int, int]) -> None:
    with pytest.raises(IndexError, match=r"is outside a board of 2 × 3"):
        BOARD[cell]


# immutability


@pytest.mark.parametrize("name", ["codes", "total_mines", "topology", "rows", "colour"])
def test_no_attribute_can_be_set(name: str) -> None:
    with pytest.raises(AttributeError, match=r"never changes; use replace\(\)"):
        setattr(BOARD, name, 1)


def test_no_attribute_can_be_deleted() -> None:
    with pytest.raises(AttributeError, match="never changes"):
        del BOARD.codes


def test_a_board_keeps_what_it_was_made_of() -> None:
    codes = bytearray([0, 255])
    array = np.array([[0, -1]], dtype=np.int8)
    boards = [Board(1, 2, bytes(codes)), Board.from_array(array)]
    codes[1] = 3
    array[0, 1] = 3
    boards[1].to_array()[0, 1] = 3
    assert [board[0, 1] for board in boards] == [COVERED, COVERED]


# round trips


@pytest.mark.parametrize("board", MANY, ids=range(len(MANY)))
def test_round_trips(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert eval(repr(board)) == board
    assert Board.from_array(board.to_array(), board.total_mines, board.topology.kind) == board
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(board, protocol)) == board
    assert copy.deepcopy(board) == copy.copy(board) == board


def test_repr_is_the_call_that_makes_it() -> None:
    assert repr(BOARD) == "Board.parse('1#F/~08', total_mines=2, alphabet='mineproof')"
    assert repr(Board.parse("#", topology="hex")) == "Board.parse('#', topology='hex', alphabet='mineproof')"


def test_str_is_a_picture() -> None:
    assert str(BOARD) == "3x2x2\n1#F\n~08"
    assert str(Board.parse("1#/##")) == "1#\n##"
    assert str(Board.parse("1#/##", topology="torus")) == "2x2x? torus\n1#\n##"


def test_arrays() -> None:
    array = BOARD.to_array()
    assert array.dtype == np.int8
    assert array.tolist() == [[1, -1, -2], [-9, 0, 8]]
    assert Board.from_array([[0, -1], [8, -9]]) == Board.parse("0#/8~")
    assert Board.from_array(np.array([[1, 2]], dtype=np.uint8), topology="hex").topology.kind == "hex"


# value semantics


def test_equal_boards_are_one_key() -> None:
    same = Board.from_array([[1, -1, -2], [-9, 0, 8]], total_mines=2)
    assert same == BOARD
    assert hash(same) == hash(BOARD)
    assert {BOARD: "seen"}[same] == "seen"


@pytest.mark.parametrize(
    "other",
    [
        BOARD.replace({}, total_mines=1),
        BOARD.replace({}, total_mines=None),
        BOARD.replace({(0, 1): 0}),
        Board.parse("1#F/~.8", total_mines=2, topology="torus"),
        Board.parse("1#/F~/.8", total_mines=2),
        "1#F/~.8",
    ],
)
def test_what_makes_boards_differ(other: object) -> None:
    assert other != BOARD


# making other boards


def test_replace() -> None:
    changed = BOARD.replace({(0, 1): 2, (1, 0): FLAGGED})
    assert str(changed) == "3x2x2\n12F\nF08"
    assert BOARD.replace({}, total_mines=None).total_mines is None
    assert str(BOARD) == "3x2x2\n1#F\n~08"


def test_without_flags() -> None:
    assert BOARD.without_flags() == BOARD.replace({(0, 2): COVERED})


# what is refused


def test_a_code_that_is_none_is_named_with_its_place() -> None:
    for wrong in (9, -3, 100, -100):
        with pytest.raises(BoardSyntaxError, match=rf"found cell code {wrong} at \(1, 0\), expected 0-8, -1, -2 or -9"):
            Board.from_array([[0, 1], [wrong, -1]])
        with pytest.raises(BoardSyntaxError, match=rf"found cell code {wrong} at \(1, 0\)"):
            BOARD.replace({(1, 0): wrong})


@pytest.mark.parametrize("wrong", [255, 256, -129, 2**31])
def test_a_code_beyond_a_byte_is_not_taken_for_another(wrong: int) -> None:
    with pytest.raises(BoardSyntaxError, match=rf"found cell code {wrong} "):
        Board.from_array([[0, wrong]])
    with pytest.raises(BoardSyntaxError, match=rf"found cell code {wrong} "):
        BOARD.replace({(1, 0): wrong})


@pytest.mark.parametrize(("total", "most"), [(-1, 5), (6, 5)])
def test_a_total_no_board_can_hold(total: int, most: int) -> None:
    with pytest.raises(BoardSyntaxError, match=rf"found a total of {total} mines, expected 0 to {most} on this board"):
        BOARD.replace({}, total_mines=total)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([1, 2], "found an array of 1 dimensions, expected 2"),
        ([[1.0, 2.0]], "found an array of float64, expected whole numbers"),
        ([[True]], "found an array of bool, expected whole numbers"),
        (np.zeros((0, 3), dtype=np.int8), "found a board of 0 × 3, expected at least one cell"),
    ],
)
def test_arrays_that_are_no_board(array: object, words: str) -> None:
    with pytest.raises(BoardSyntaxError, match=words):
        Board.from_array(array)  # type: ignore[arg-type]


def test_sizes() -> None:
    assert Board(1, MAX_CELLS, bytes(MAX_CELLS)).columns == MAX_CELLS
    with pytest.raises(BoardSyntaxError, match="1000001 cells, expected at most 1000000"):
        Board(1, MAX_CELLS + 1, bytes(MAX_CELLS + 1))
    with pytest.raises(BoardSyntaxError, match="found 5 cells, expected 2 × 3 = 6"):
        Board(2, 3, bytes(5))
    with pytest.raises(BoardSyntaxError, match="expected at least one cell"):
        Board(-1, -3, bytes(3))


def test_a_topology_that_is_none() -> None:
    with pytest.raises(BoardSyntaxError, match=f"unknown topology 'ring', expected one of {', '.join(KINDS)}"):
        Board(1, 1, bytes(1), topology="ring")  # type: ignore[arg-type]


def test_text_and_caller_must_agree() -> None:
    with pytest.raises(BoardSyntaxError, match="the text says total of mines 1, but 2 was asked for"):
        Board.parse("2x1x1\n##", total_mines=2)
    with pytest.raises(BoardSyntaxError, match="the text says topology hex, but torus was asked for"):
        Board.parse("2x1x1 hex\n##", topology="torus")
    assert Board.parse("2x1x1\n##", total_mines=1).total_mines == 1
