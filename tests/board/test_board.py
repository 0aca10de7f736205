"""The observed board: a value that never changes, and says in words what it refuses."""

from __future__ import annotations

import copy
import pickle
import random
import re

import numpy as np
import pytest

from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, MAX_CELLS
from mineproof.board.geometry import TOPOLOGIES
from mineproof.errors import BoardSyntaxError, OutsideError
from support.oracle import brute_force, neighbours
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
    said = f"expected a cell on the 3 × 2 board, got ({cell[0]},{cell[1]})"
    with pytest.raises(OutsideError, match=f"^{re.escape(said)}$") as caught:
        BOARD[cell]
    assert isinstance(caught.value, IndexError)


def test_cells_are_counted() -> None:
    assert [BOARD.count(code) for code in (COVERED, FLAGGED, ABSENT, 0, 1, 2, 8)] == [1, 1, 1, 1, 1, 0, 1]
    assert BOARD.open_cells == 3
    for board in MANY:
        codes = board.to_array()
        assert all(board.count(code) == (codes == code).sum() for code in (ABSENT, FLAGGED, COVERED, *range(9)))
        assert board.open_cells == (codes >= 0).sum() == sum(board.count(number) for number in range(9))


def test_the_sea_is_what_no_number_touches() -> None:
    sea = Board.parse("1###/####/###F/~###").sea()
    assert sea.dtype == np.bool_
    assert sea.tolist() == [
        [True, False, True, True],  # no other number touches the 1
        [False, False, True, True],
        [True] * 4,
        [True] * 4,
    ]
    for board in MANY:
        sea = board.sea()
        assert sea.shape == (board.rows, board.columns)
        for cell in np.ndindex(sea.shape):
            row, column = cell
            near = neighbours(board.topology, board.rows, board.columns, (row, column))
            assert sea[cell] == all(board[other] < 0 for other in near), (board, cell)


# immutability


@pytest.mark.parametrize("name", ["codes", "total_mines", "topology", "rows", "colour"])
def test_no_attribute_can_be_set(name: str) -> None:
    with pytest.raises(AttributeError, match=r"a Board is immutable"):
        setattr(BOARD, name, 1)


def test_no_attribute_can_be_deleted() -> None:
    with pytest.raises(AttributeError, match=r"cannot delete codes: a Board is immutable\."):
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
    assert Board.from_array(board.to_array(), board.total_mines, board.topology) == board
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
    assert Board.from_array(np.array([[1, 2]], dtype=np.uint8), topology="hex").topology == "hex"


def test_a_board_is_an_array_to_numpy() -> None:
    for board in MANY:
        shown = np.asarray(board)
        assert shown.dtype == np.int8
        assert shown.tolist() == board.to_array().tolist()
        assert not shown.flags.writeable
        assert np.shares_memory(shown, np.frombuffer(board.codes, dtype=np.int8)), "nothing is copied"
        assert Board.from_array(shown, board.total_mines, board.topology) == board


def test_a_copy_for_numpy_is_the_callers() -> None:
    shown = np.asarray(BOARD)
    with pytest.raises(ValueError, match="read-only"):
        shown[0, 0] = 5
    copied = np.array(BOARD)
    assert copied.dtype == np.int8
    assert copied.flags.writeable
    copied[0, 0] = 5
    assert shown[0, 0] == BOARD[0, 0] == 1
    wider = np.asarray(BOARD, dtype=np.int64)
    assert wider.dtype == np.int64
    assert wider.tolist() == [[1, -1, -2], [-9, 0, 8]]
    assert ((np.asarray(BOARD) == COVERED) == [[False, True, False], [False] * 3]).all()


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


def test_as_a_policy_on_flags_sees_it() -> None:
    assert BOARD.as_seen("trust") is BOARD
    assert BOARD.as_seen("ignore") == BOARD.without_flags() != BOARD
    bare = Board.parse("1#/##")
    assert bare.as_seen("ignore") == bare.as_seen("trust") == bare
    with pytest.raises(ValueError, match=r"^flags must be one of trust, ignore, got 'check'$"):
        BOARD.as_seen("check")  # type: ignore[arg-type]


def test_suppose() -> None:
    board = Board.parse("##1#F/1####", total_mines=3, topology="hex")
    supposed = board.suppose(free=[(0, 0), (1, 4)], mines=iter([(0, 3)]))
    assert supposed == board.replace({(0, 0): ABSENT, (1, 4): ABSENT, (0, 3): FLAGGED})
    assert (supposed.total_mines, supposed.topology) == (3, "hex")
    assert board.suppose() == board
    assert board == Board.parse("##1#F/1####", total_mines=3, topology="hex")
    for outside in ({"free": [(2, 0)]}, {"mines": [(0, 5)]}):
        with pytest.raises(OutsideError):
            board.suppose(**outside)


def test_what_is_supposed_leaves_the_layouts_in_which_it_is_so() -> None:
    supposed = 0
    for seed, board in enumerate(MANY):
        rng, covered = random.Random(seed), list(board.cells(COVERED))
        some = rng.sample(covered, min(len(covered), rng.randint(0, 5)))
        free, mines = set(some[::2]), set(some[1::2])
        expected = {each for each in brute_force(board).layouts() if mines <= each and free.isdisjoint(each)}
        assert set(brute_force(board.suppose(free=free, mines=mines)).layouts()) == expected
        supposed += bool(expected)
    assert supposed > 50


def test_only_some_numbers() -> None:
    board = Board.parse("12#/F~3", total_mines=2)
    assert board.only([1]) == Board.parse("~2#/F~~", total_mines=2, alphabet="mineproof")
    assert board.only([1], total=False) == Board.parse("~2#/F~~", alphabet="mineproof")
    assert board.only([]) == Board.parse("~~#/F~~", total_mines=2, alphabet="mineproof")
    assert board.only([0, 1, 5]) == board.only(iter([5, 1, 0])) == board
    assert board == Board.parse("12#/F~3", total_mines=2)


@pytest.mark.slow
@pytest.mark.parametrize("total", [True, False])
def test_who_sees_only_some_numbers_has_the_layouts_that_fit_those(total: bool) -> None:
    for seed, board in enumerate(MANY):
        numbers = [index for index, code in enumerate(board.to_array().flat) if code >= 0]
        some = random.Random(seed).sample(numbers, len(numbers) // 2)
        judged = board if total else board.replace({}, total_mines=None)
        found = brute_force(board.only(some, total=total))
        assert set(found.layouts()) == set(brute_force(judged, numbers=[board.cell(index) for index in some]).layouts())


# what is refused


def test_a_code_that_is_none_is_named_with_its_place() -> None:
    for wrong in (9, -3, 100, -100):
        with pytest.raises(BoardSyntaxError, match=rf"\(1,0\): expected cell code 0-8, -1, -2 or -9, got {wrong}"):
            Board.from_array([[0, 1], [wrong, -1]])
        with pytest.raises(BoardSyntaxError, match=rf"\(1,0\): expected cell code .*, got {wrong}"):
            BOARD.replace({(1, 0): wrong})


@pytest.mark.parametrize("wrong", [255, 256, -129, 2**31])
def test_a_code_beyond_a_byte_is_not_taken_for_another(wrong: int) -> None:
    with pytest.raises(BoardSyntaxError, match=rf"expected cell code .*, got {wrong}$"):
        Board.from_array([[0, wrong]])
    with pytest.raises(BoardSyntaxError, match=rf"expected cell code .*, got {wrong}$"):
        BOARD.replace({(1, 0): wrong})


@pytest.mark.parametrize(("total", "most"), [(-1, 5), (6, 5)])
def test_a_total_no_board_can_hold(total: int, most: int) -> None:
    with pytest.raises(BoardSyntaxError, match=rf"expected 0 to {most} mines on this board, got {total}"):
        BOARD.replace({}, total_mines=total)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ([1, 2], "expected an array of 2 dimensions \\(rows, columns\\), got 1"),
        ([[1.0, 2.0]], "expected an array of whole numbers, got float64"),
        ([[True]], "expected an array of whole numbers, got bool"),
        (np.zeros((0, 3), dtype=np.int8), "expected a board of at least one cell, got 3 × 0"),
    ],
)
def test_arrays_that_are_no_board(array: object, words: str) -> None:
    with pytest.raises(BoardSyntaxError, match=words):
        Board.from_array(array)  # type: ignore[arg-type]


def test_sizes() -> None:
    assert Board(1, MAX_CELLS, bytes(MAX_CELLS)).columns == MAX_CELLS
    with pytest.raises(BoardSyntaxError, match="expected at most 1000000 cells, got 1000001 × 1 = 1000001"):
        Board(1, MAX_CELLS + 1, bytes(MAX_CELLS + 1))
    with pytest.raises(BoardSyntaxError, match="expected 3 × 2 = 6 cells, got 5"):
        Board(2, 3, bytes(5))
    with pytest.raises(BoardSyntaxError, match="expected a board of at least one cell, got -3 × -1"):
        Board(-1, -3, bytes(3))


def test_a_topology_that_is_none() -> None:
    with pytest.raises(BoardSyntaxError, match=f"topology must be one of {', '.join(TOPOLOGIES)}, got 'ring'"):
        Board(1, 1, bytes(1), topology="ring")  # type: ignore[arg-type]


def test_text_and_caller_must_agree() -> None:
    with pytest.raises(BoardSyntaxError, match="expected 2 as the total of mines, got 1 in the text"):
        Board.parse("2x1x1\n##", total_mines=2)
    with pytest.raises(BoardSyntaxError, match="expected torus as the topology, got hex in the text"):
        Board.parse("2x1x1 hex\n##", topology="torus")
    assert Board.parse("2x1x1\n##", total_mines=1).total_mines == 1


def test_a_board_is_no_sequence() -> None:
    with pytest.raises(TypeError, match="'Board' object is not iterable"):
        list(Board.parse("1#/##"))  # type: ignore[call-overload]
