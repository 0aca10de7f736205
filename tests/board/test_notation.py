"""Position text: which alphabet is taken, what is accepted, and where exactly a mistake is said to be."""

from __future__ import annotations

import time

import pytest

from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError
from support.positions import CLASSIC


def rows(text: str, alphabet: str | None = None) -> list[str]:
    """What was read, in our alphabet."""
    grid = notation.read(text, alphabet)
    return notation.write_rows(grid.columns, grid.codes)


def mistake(text: str, alphabet: str | None = None) -> BoardSyntaxError:
    with pytest.raises(BoardSyntaxError) as caught:
        notation.read(text, alphabet)
    return caught.value


# which alphabet


@pytest.mark.parametrize(
    ("text", "alphabet", "expected"),
    [
        ("1#/##", "mineproof", ["1#", "##"]),
        (".1/1F", "mineproof", ["01", "1F"]),
        ("~1/1#", "mineproof", ["~1", "1#"]),
        ("123/012", "mineproof", ["123", "012"]),  # digits alone: the same in every alphabet
        ("F1/12", "mineproof", ["F1", "12"]),
        ("?1/F1", "fair", ["#1", "F1"]),
        ("H1/?1", "mine", ["#1", "F1"]),
        ("M1/H1", "mine", ["F1", "#1"]),
        ("2x2x2/?1/F1", "mine", ["F1", "F1"]),  # a .mine line makes ? a mine shown after a loss,
        ("2x2x1/??/F1", "fair", ["##", "F1"]),  # unless there are more ? than mines
        ("2x2x?/?1/F1", "mine", ["F1", "F1"]),
        ("*1/#1", "truffle", ["F1", "#1"]),
        ("_1/#1", "truffle", ["#1", "#1"]),
        ("B1/C1", "truffle", ["F1", "#1"]),
        ("-1/+1", "minedetector", ["#1", "F1"]),
        ("| - | 1 |\n| * |   |", "go", ["#1", "F0"]),
        ("# X \n  2 \n", "minedetector-output", ["#F", "02"]),
    ],
)
def test_the_symbols_decide(text: str, alphabet: str, expected: list[str]) -> None:
    assert notation.read(text).alphabet == alphabet
    assert rows(text) == expected


def test_one_far_symbol_decides() -> None:
    lines = ["?1F"] * 50 + ["H11"]
    assert notation.read("\n".join(lines)).alphabet == "mine"


def test_a_forced_alphabet_is_honoured() -> None:
    assert rows("?1/F1", "fair") == ["#1", "F1"]
    assert rows("?1/F1", "mine") == ["F1", "F1"]


def test_an_unknown_alphabet_is_refused() -> None:
    said = str(mistake("1#", "klingon"))
    assert said.startswith("alphabet must be one of mineproof, fair, ")
    assert said.endswith(", got 'klingon'")


# shapes


@pytest.mark.parametrize(
    "text",
    [
        "1#\n##",
        "1#\r\n##\r\n",
        "1#\r##\r",
        "\n\n  1#  \n\t##\n\n",
        "\ufeff1#\n##",
        "1# / ##",
        "2x2x?\n1#\n##",
        "2x2x?/1#/##",
    ],
)
def test_line_ends_and_blanks_around_do_not_matter(text: str) -> None:
    assert rows(text) == ["1#", "##"]


@pytest.mark.parametrize(
    ("line", "total", "topology"),
    [
        ("3x2x1", 1, None), ("3X2×0", 0, None), ("3x2x1 torus", 1, "torus"),
        ("3x2x? hex", None, "hex"), ("3x2x6\tgrid", 6, "grid"),
    ],
)  # fmt: skip
def test_the_first_line(line: str, total: int | None, topology: str | None) -> None:
    grid = notation.read(f"{line}\n###\n111")
    assert (grid.rows, grid.columns, grid.total_mines, grid.topology) == (2, 3, total, topology)


def test_go_rows_with_and_without_labels() -> None:
    plain = "|   | 1 | - |\n| 1 | 2 | * |"
    labelled = "    1   2   3\nA |   | 1 | - |\nB | 1 | 2 | * |"
    assert rows(plain) == rows(labelled) == ["01#", "12F"]


def test_more_flags_than_mines_can_be_read() -> None:
    # a player may plant them; whether they can all be right is for an analysis to say
    assert notation.read("2x1x0\nFF").total_mines == 0


# mistakes: line, column, what was found, what was expected


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("1#\n#x\n##", 2, 2, "expected 0-8, # (covered), F (flag), ~ (no cell) or . (an open 0), got 'x'"),
        ("1#\n# #\n##", 2, 2, "expected 0-8, # (covered), F (flag), ~ (no cell) or . (an open 0), got ' '"),
        ("  1#/9#", 1, 6, "expected 0-8, # (covered), F (flag), ~ (no cell) or . (an open 0), got '9'"),
        ("\n\n?1\nFx", 4, 2, "expected 0-8, ? (covered) or F (flag), got 'x'"),
        ("-1\n+*", 2, 2, "expected 0-8, - (covered) or + (flag), got '*'"),
        ("1#\n###\n##", 2, 3, "expected 2 cells as in the first row, got 3"),
        ("1##\n##\n##", 2, 3, "expected 3 cells as in the first row, got 2"),
        ("3x2x1\n1##\n##", 3, 3, "expected 3 cells as the first line says, got 2"),
        ("3x3x1\n1##\n###", 1, 3, "expected 3 rows as the first line says, got 2"),
        ("3x1x1\n1##\n  ###", 3, 3, "expected 1 row as the first line says, got 2"),
        ("2x2x5\n1#\n##", 1, 5, "expected 0 to 4 mines on this board, got 5"),
        ("2x2x4\n~#\n##", 1, 5, "expected 0 to 3 mines on this board, got 4"),
        (" 2x2x1 tours\n1#\n##", 1, 8, "expected grid, torus, hex"),
        ("2x2\n1#\n##", 1, 1, "expected a size such as 9x9x10 or 9x9x? torus, got '2x2'"),
        ("2x2xM\n1#\n##", 1, 1, "expected a size such as 9x9x10 or 9x9x? torus, got '2x2xM'"),
        ("1#\n\n##", 2, 1, "expected cells, got an empty row"),
        ("1#//##", 1, 4, "expected cells, got an empty row"),
        ("1#/##/", 1, 7, "expected cells, got an empty row"),
        ("/1#/##", 1, 1, "expected cells, got an empty row"),
        ("", 1, 1, "expected rows of cells, got none"),
        (" \n\n", 3, 1, "expected rows of cells, got none"),
        ("    ", 1, 5, "expected rows of cells, got none"),
        ("2x2x1\n", 2, 1, "expected rows of cells, got none"),
        ("| 1 | - |\n| 1 | F |", 2, 7, "expected 0-8, - (covered), * (flag) or blank (an open 0), got 'F'"),
        ("| 1 | - |\n| 12 | - |", 2, 3, "expected one symbol in a cell, got '12'"),
        ("| 1 | - |\n| 1 |", 2, 6, "expected 2 cells as in the first row, got 1"),
        ("| 1 | - |\n| 1 - |  x", 2, 1, "expected a row such as | 1 | - |, got '| 1 - |  x'"),
        ("| 1 | - |\n    1   2", 2, 1, "expected a row such as | 1 | - |"),
        ("1#\n##\n\ud800#", 3, 1, "expected 0-8, # (covered), F (flag), ~ (no cell) or . (an open 0), got '\\ud800'"),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, line: int, column: int, said: str) -> None:
    error = mistake(text)
    assert (error.line, error.column) == (line, column), error
    assert f"line {line}, character {column}: " in str(error)
    assert said in str(error)


def test_a_mistake_in_what_minedetector_prints() -> None:
    error = mistake("X 3 \n# #X\n", "minedetector-output")
    assert (error.line, error.column) == (2, 4)
    assert "expected a blank after each cell, got 'X'" in str(error)
    error = mistake("X 3 \n# + \n", "minedetector-output")
    assert (error.line, error.column) == (2, 3)


def test_long_nonsense_is_cut_short() -> None:
    assert len(str(mistake("9x" + "9" * 100_000))) < 200


# Minedetector's stream


def test_a_stream_skips_what_is_not_a_cell_and_stops_when_full() -> None:
    grid = notation.read_stream("a 1 - \n\n+2 remark, then\n0-9- ++++", 2, 3)
    assert (grid.rows, grid.columns, grid.total_mines) == (2, 3, None)
    assert notation.write_rows(3, grid.codes) == ["1#F", "20#"]


def test_a_stream_with_too_few_cells() -> None:
    with pytest.raises(BoardSyntaxError, match=r"expected 3 × 2 = 6 cells .*, got 5"):
        notation.read_stream("--\n---", 2, 3)


def test_a_stream_takes_no_first_line_for_cells() -> None:
    with pytest.raises(BoardSyntaxError, match="expected only cells because the size is given, got '2x2x1'"):
        notation.read_stream("2x2x1\n--\n--", 2, 2)


@pytest.mark.parametrize(("width", "height"), [(0, 3), (3, 0), (-1, -1), (1001, 1000)])
def test_a_stream_of_an_impossible_size(width: int, height: int) -> None:
    with pytest.raises(BoardSyntaxError, match=r"expected .*at (least one cell|most 1000000)"):
        notation.read_stream("-", height, width)


# writing


@pytest.mark.parametrize(
    ("total", "kind", "first"),
    [(None, "grid", None), (1, "grid", "3x2x1"), (1, "torus", "3x2x1 torus"), (None, "hex", "3x2x? hex")],
)
def test_a_first_line_is_written_only_where_it_says_something(
    total: int | None, kind: Topology, first: str | None
) -> None:
    text = notation.write(2, 3, bytes([0, 1, 255, 254, 247, 8]), total, kind)
    assert text.split("\n") == ([] if first is None else [first]) + ["01#", "F~8"]


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize("total", [None, 0, 5])
def test_a_board_survives_its_text_and_its_repr(kind: Topology, total: int | None) -> None:
    board = Board(2, 3, bytes([0, 1, 255, 254, 247, 8]), total, kind)
    assert Board.parse(str(board)) == board
    assert eval(repr(board), {"Board": Board}) == board


def test_dot_mine_text() -> None:
    assert notation.write_mine(2, 3, bytes([0, 1, 255, 254, 2, 8]), 2) == "3x2x2\n01H\nF28"


@pytest.mark.parametrize(
    ("codes", "total", "said"),
    [
        ([255], None, r"mine needs the number of mines, which is unknown\. Pass `total_mines`\."),
        ([247], 0, "not part of"),
    ],
)
def test_what_dot_mine_text_cannot_hold(codes: list[int], total: int | None, said: str) -> None:
    with pytest.raises(BoardSyntaxError, match=said):
        notation.write_mine(1, 1, bytes(codes), total)


# size


@pytest.mark.parametrize("text", ["\n".join(["#1F2" * 250] * 1000), "\n".join("#" * 1_000_000)])
def test_a_million_cells_are_read_at_once(text: str) -> None:
    before = time.process_time()
    grid = notation.read(text)
    assert (
        time.process_time() - before < 60
    )  # it takes a tenth of a second; work that grows with the square would take hours
    assert grid.rows * grid.columns == 1_000_000


def test_more_than_a_million_cells_are_refused() -> None:
    error = mistake("\n".join(["#" * 1001] * 1000))
    assert "expected at most 1000000 cells, got 1001 × 1000 = 1001000" in str(error)
