"""Formats by name and by content: the table, what each one refuses, and format detection."""

from __future__ import annotations

import dataclasses
import json
import time
from pathlib import Path

import numpy as np
import pytest

from mineproof import formats
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.errors import BoardSyntaxError
from mineproof.game import mask
from mineproof.game.game import Game
from mineproof.game.layout import Layout

SMALL = Layout(2, 3, frozenset({(0, 2), (1, 0)}))
HOLED = dataclasses.replace(SMALL, absent=frozenset({(0, 0), (1, 2)}))


def mistake(data: bytes | str, name: str | None = None) -> str:
    with pytest.raises(BoardSyntaxError) as caught:
        formats.read(data, name)
    return str(caught.value)


def refusal(value: Board | Layout, name: str) -> str:
    with pytest.raises(BoardSyntaxError) as caught:
        formats.write(value, name)
    return str(caught.value)


# the table


def test_what_can_be_read_and_written() -> None:
    rows = formats.FORMATS.values()
    assert all(row.reads for row in rows)
    assert {row.name for row in rows if row.writes} == {
        "mineproof", "mine", "json", "jsminesweeper", "mbf", "mbf-hex", "ptta", "tatham", "layout", "rawvf",
        "evf",
    }  # fmt: skip
    assert {row.name for row in rows if row.holds == "either"} == {"json", "pasted"}
    assert set(notation.ALPHABETS) == {row.name for row in rows if row.holds == "position"} - {"image", "jsminesweeper"}
    assert all(row.name == name and row.description for name, row in formats.FORMATS.items())


def test_an_unknown_name_is_refused() -> None:
    assert "format must be one of mineproof, mine," in mistake("1#", "mbv")
    assert ", got 'mbv'" in refusal(SMALL, "mbv")


def test_a_format_that_is_only_read() -> None:
    message = refusal(Board.parse("1#"), "truffle")
    assert message.startswith("mineproof cannot write truffle. Choose one of mineproof, mine, jsminesweeper")


def test_the_note_says_how_symbols_were_taken() -> None:
    assert formats.read("?1/F1").note == "position in the fair alphabet: ? covered, F mine"
    assert formats.read("b=32&m=60").note == "layout from a b= and m= link"


# telling formats apart


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("  ajajaaakZS\n", "jsminesweeper"),
        ("analysis=ajajaaakZS", "jsminesweeper"),
        ("?analysis=ajajaaakZS", "jsminesweeper"),
        ("https://example.org/JSMinesweeper/index.html?board=1x1x1&analysis=ajaj%61aakZS&x=#top", "jsminesweeper"),
        ("?b=32&m=60", "ptta"),
        ("https://example.org/?m=60&b=32#top", "ptta"),
        ("https://example.org/#/game/zini-explorer?b=32&m=60&c=abc", "ptta"),
        ("3x2:0,0,u30", "tatham"),
        ("3x2n2a:0,0,u30", "tatham"),
        ("03 02 00 02 02 00 00 01", "mbf-hex"),
        ("03 02 00 02\r\n02 00 00 01\r\n", "mbf-hex"),
        ("0a0100010900", "mbf-hex"),
        ("12\n21\n", "mineproof"),  # pairs of digits, one to a line: rows
        ("12 \r\n21 \r\n", "mineproof"),
        ("0F\nF1", "mineproof"),  # F is a hexadecimal digit, and a flag
        ("0F", "mineproof"),
        ("BC\n11\nBC\n00", "truffle"),
        ("0a\n01\n00\n01\n09\n00", "mbf-hex"),
        ("03 02 00 00", "mbf-hex"),
        ("0302000202000001", "mineproof"),  # digits run together: one row, unless forced
        ("111FHHH11", "mine"),
        ('\ufeff {"schema": "mineproof/board/1", "rows": 1, "columns": 1, "cells": ["#"]}', "json"),
        ("*..\n..*", "layout"),
        ("*00/00*", "layout"),
        ("3x2x1 torus\n*..\n...", "layout"),
        ("*.~\n~..", "layout"),
        ("..~\n~..", "layout"),
        ("00~\n~00", "mineproof"),
        ("~~", "mineproof"),
        ("...\n...", "layout"),
        ("000\n000", "mineproof"),
        ("0..\n000", "mineproof"),
        ("*10\n110", "truffle"),
        ("*#\n##", "truffle"),
        (bytes.fromhex("0302000202000001"), "mbf"),
        (b"1#\n##\n", "mineproof"),
        ("1#\n##\n".encode("utf-16"), "mineproof"),
        (b"9x9:4,4,m00b7d48a3e0231c419200\n", "tatham"),
    ],
)
def test_the_content_decides(data: bytes | str, name: str) -> None:
    assert formats.read(data).format == name


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("", "expected rows of cells, got none"),
        (b"", "expected rows of cells, got none"),
        ("https://example.org/?x=1", "got 'https://example.org/?x=1': the link holds no position. Take a screenshot"),
        ("https://minesweeper.online/game/4711", "use 'mineproof read screen.png'"),
        (b"1#\x01#", "expected text, a picture, a replay or an .mbf file, got 4 bytes with the control character 01"),
        (b"\x1b\x00\x1b", "got 3 bytes with the control character 1b at offset 0"),
        ("1#\x01#", "line 1, character 3: expected text, got the control character U+0001"),
        (bytes([9, 9, 0, 10, 1, 1]), "expected 4 + 2 × 10 = 24 bytes in an .mbf file, got 6"),
        (b"1#\xe9", "expected utf-8-sig text, got byte e9 at offset 2"),
        (b"\xff\xfe1", "expected utf-16 text"),
        ("9x9n10#12345", "whose mines are placed at the first click"),
        ("hello", "line 1, character 1: expected 0-8, # (covered), F (flag), ~ (no cell) or . (an open 0), got 'h'"),
    ],
)
def test_what_is_nothing_we_know(data: bytes | str, said: str) -> None:
    assert said in mistake(data)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("mbf", "03 02", "expected the bytes of a file for mbf, got text"),
        ("fair", "#1", "expected 0-8, ? (covered) or F (flag), got '#'"),
        ("jsminesweeper", "1#/##", "expected a-z, A-Z or 0-9 as character 2 of the code, got '#'"),
        ("ptta", "1#/##", "expected a link with b=, got '1#/##'"),
        ("ptta", "b=32", "expected a link with m=, got 'b=32'"),
        ("tatham", "1#/##", "expected a game ID such as 9x9:4,4,m and hexadecimal digits, got"),
        ("mbf-hex", "1#/##", "expected hexadecimal digits, got '#'"),
        ("json", "1#/##", "JSON: "),
        ("layout", "*1#", "line 1, character 2: expected 0, S, *, ~ or ., got '1'"),
        ("go", "1#", "expected a row such as | 1 | - |"),
    ],
)
def test_other_content_under_a_forced_name(name: str, data: str, said: str) -> None:
    assert said in mistake(data, name)


def test_a_forced_name_wins_over_the_signs() -> None:
    assert formats.read("0302000202000001", "mbf-hex").value == SMALL
    assert formats.read("*0", "truffle").value == Board.from_array([[-2, 0]])


# what the caller knows besides


def test_a_given_total_and_topology_fill_in_and_must_agree() -> None:
    assert formats.read("1#/##", total_mines=1, topology="torus").value == Board.parse("2x2x1 torus/1#/##")
    assert formats.read("*.", topology="hex").value == Layout(1, 2, frozenset({(0, 0)}), topology="hex")
    for text, said in [
        ("2x2x1/1#/##", "expected 3 as the total of mines, got 1 in the text"),
        ("*.", "expected 3 as the total of mines, got 1 in the text"),
    ]:
        with pytest.raises(BoardSyntaxError, match=said):
            formats.read(text, total_mines=3)
    for text in ("2x2x1 hex/1#/##", "ajajaaakZS"):
        with pytest.raises(BoardSyntaxError, match=r"expected torus as the topology, got \w+ in the text"):
            formats.read(text, topology="torus")


def test_a_size_reads_minedetector_text_as_a_stream() -> None:
    text = "1-+\n2\n--  and then the answer:\n+++\n"
    assert formats.read(text, "minedetector", size=(2, 3)).value == Board.parse("1#F/2##")
    assert formats.read(text.encode(), size=(2, 3)).value == Board.parse("1#F/2##")


def test_a_size_must_be_that_of_other_formats() -> None:
    assert formats.read("b=32&m=60", size=(2, 3)).value == SMALL
    with pytest.raises(BoardSyntaxError, match="expected a board of 2 × 3, got 3 × 2"):
        formats.read("b=32&m=60", size=(3, 2))


# what a format cannot hold


@pytest.mark.parametrize(
    ("value", "name", "said"),
    [
        (SMALL, "mineproof", "expected a position for the format mineproof, got a layout"),
        (SMALL, "jsminesweeper", "expected a position for the format jsminesweeper, got a layout"),
        (Board.parse("1#"), "mbf", "expected a layout for the format mbf, got a position"),
        (Board.parse("1#"), "jsminesweeper", "needs the number of mines, which is unknown. Pass `total_mines`."),
        (Board.parse("1#"), "mine", "needs the number of mines, which is unknown. Pass `total_mines`."),
        (
            Board.parse("2x1x1/1~", alphabet="mineproof"),
            "jsminesweeper",
            "no symbol for cells that are not part of the board",
        ),
        (
            Board.parse("2x1x1/1~", alphabet="mineproof"),
            "mine",
            "no symbol for cells that are not part of the board",
        ),
        (Board.parse("2x1x1 torus/1#"), "jsminesweeper", "plain grids only, got topology torus"),
        (Board.parse("2x1x1 hex/1#"), "mine", "mine holds plain grids only, got topology hex"),
        (
            Board(1, 3844, b"\xff" * 3844, 1),
            "jsminesweeper",
            "jsminesweeper holds at most 3843 rows and columns, got 3844 × 1",
        ),
        (Layout(256, 1, frozenset()), "mbf", "mbf holds at most 255 × 255, got 1 × 256"),
        (Layout(1, 256, frozenset()), "mbf-hex", "mbf holds at most 255 × 255, got 256 × 1"),
        (SMALL, "tatham", "The layout has no start cell, which tatham needs. Pass `start=(row,"),
        *(
            (Layout(2, 3, frozenset(), (0, 0), "torus"), name, "plain grids only, got topology torus")
            for name in ("mbf", "mbf-hex", "ptta", "tatham")
        ),
        *(
            (
                dataclasses.replace(HOLED, start=(0, 1)),
                name,
                "no symbol for cells that are not part of the board",
            )
            for name in ("mbf", "mbf-hex", "ptta", "tatham")
        ),
    ],
)
def test_what_a_format_cannot_hold_is_refused(value: Board | Layout, name: str, said: str) -> None:
    assert said in refusal(value, name)


# one format after another


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ajajaaak", "expected a code of more than 8 characters, got 8"),
        ("ajajaaakZR", "expected 81 cells in the code, got 80"),
        ("ajajaaakZT", "expected 81 cells in the code, got more"),
        ("aaajaaakZS", "expected a board of at least one cell, got 0 × 9"),
        ("99999999S", "expected at most 1000000 cells, got 3843 × 3843 = 14768649"),
        ("adadaaabcOag", "expected a run that begins with another digit than zero, got 'a'"),
        ("abacaaabM2", "expected at most 8 at (0,0), got 9"),
        ("abacaaadSl", "expected 0 to 2 mines on this board, got 3"),
        ("?analysis=ajajaaakZS&analysis=adadaaabcOg", "the link has two values of 'analysis'"),
        ("?analysis=aj-jaaakZS", "expected a-z, A-Z or 0-9 as character 3 of the code, got '-'"),
    ],
)
def test_mistakes_in_analysis_codes(code: str, said: str) -> None:
    assert said in mistake(code, "jsminesweeper")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2x1x0/F0", "acabaaaa9b"),  # a flag that finds a 0 beside it stays out as O
        ("3x1x1/F1F", "adabaaab2b9"),  # two flags on one number: the first in row order takes it
        ("3x3x8/###/#8#/###", "adadaaaiONbON"),  # a number that uses up its cells gives them all away
        ("2x2x2/##/F1", "acacaaacT2b"),  # one mine of three cells is not given away
        ("2x1x2/77", "acabaaacLL"),  # a kind with one digit repeats it, at the start of a code too
    ],
)
def test_what_deflation_writes(text: str, code: str) -> None:
    board = Board.parse(text)
    assert formats.write(board, "jsminesweeper") == code
    assert formats.read(code).value == board


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("03 02 00", "expected at least 4 bytes in an .mbf file, got 3"),
        ("03 02 00 02 02 00 00", "expected 4 + 2 × 2 = 8 bytes in an .mbf file, got 7"),
        ("03 02 00 01 02 00 00 01", "expected 4 + 2 × 1 = 6 bytes in an .mbf file, got 8"),
        ("03 02 00 02 02 00 00 02", "expected mines inside 3 × 2, got one at (2,0)"),
        ("03 02 00 02 03 00 00 01", "expected mines inside 3 × 2, got one at (0,3)"),
        ("03 02 00 02 02 00 02 00", "the mine at (0,2) is listed twice"),
        ("00 02 00 00", "expected a board of at least one cell, got 0 × 2"),
        ("03 02 00 0", "expected two hexadecimal digits for each byte, got 7 digits"),
    ],
)
def test_mistakes_in_board_files(data: str, said: str) -> None:
    assert said in mistake(data, "mbf-hex")
    if len(data) % 3 == 2:
        assert said in mistake(bytes.fromhex(data), "mbf")


def test_board_files_are_read_in_any_order_and_written_by_rows() -> None:
    assert formats.read("03 02 00 02 00 01 02 00").value == SMALL
    assert formats.write(SMALL, "mbf-hex") == "03 02 00 02 02 00 00 01"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("b=32&m=6", "expected 2 digits in m for 3 × 2 cells, got 1"),
        ("b=32&m=600", "expected 2 digits in m for 3 × 2 cells, got 3"),
        ("b=32&m=6w", "expected 0-9 or a-v as digit 2 of m, got 'w'"),
        ("b=32&m=6V", "expected 0-9 or a-v as digit 2 of m, got 'V'"),
        ("b=32&m=61", "expected zero bits after the last of 6 cells, got ones"),
        ("b=4&m=0", "b must be 1, 2, 3 or width and height of equal length, got '4'"),
        ("b=123&m=0", "b must be 1, 2, 3 or width and height of equal length, got '123'"),
        ("b=3²&m=0", "b must be 1, 2, 3 or width and height of equal length, got '3²'"),
        ("b=00&m=", "expected a board of at least one cell, got 0 × 0"),
        ("b=99999999&m=0", "expected at most 1000000 cells, got 9999 × 9999 = 99980001"),
    ],
)
def test_mistakes_in_layout_links(link: str, said: str) -> None:
    assert said in mistake(link, "ptta")


@pytest.mark.parametrize(
    ("code", "rows", "columns"), [("1", 9, 9), ("2", 16, 16), ("3", 16, 30), ("4005", 5, 40), ("0540", 40, 5)]
)
def test_sizes_in_layout_links(code: str, rows: int, columns: int) -> None:
    layout = Layout(rows, columns, frozenset({(rows - 1, 0)}))
    link = formats.write(layout, "ptta")
    assert isinstance(link, str)
    assert link.startswith(f"b={code}&m=0")
    assert formats.read(link).value == layout


def test_a_classic_size_may_be_spelt_out() -> None:
    assert formats.read("b=0909&m=" + "0" * 17).value == formats.read("b=1&m=" + "0" * 17).value


@pytest.mark.parametrize(
    ("game_id", "said"),
    [
        ("3x2:0,0,u3", "expected 2 hexadecimal digits for 3 × 2 cells, got 1"),
        ("3x2:0,0,u300", "expected 2 hexadecimal digits for 3 × 2 cells, got 3"),
        ("3x2:0,0,u31", "expected zero bits after the last of 6 cells, got ones"),
        ("3x2:0,0,m31", "expected zero bits after the last of 6 cells, got ones"),
        ("3x2:3,0,u30", "expected a cell on the 3 × 2 board, got (0,3)"),
        ("3x2n3:0,0,u30", "expected 3 mines as the game ID says, got 2"),
        ("3x2:0,0,x30", "expected a game ID such as"),
        ("3x2:r2,u,abcdef", "whose mines are placed at the first click"),
        ("0x2:0,0,u", "expected a board of at least one cell, got 0 × 2"),
        ("9999x9999:0,0,u0", "expected at most 1000000 cells, got 9999 × 9999 = 99980001"),
    ],
)
def test_mistakes_in_game_ids(game_id: str, said: str) -> None:
    assert said in mistake(game_id)


def test_game_ids_typed_by_hand() -> None:
    expected = dataclasses.replace(SMALL, start=(1, 2))
    for game_id in ("3x2:2,1,u30", "3x2:2,1,30", "3x2n2:2,1,u30"):
        assert formats.read(game_id).value == expected
    assert formats.read("4x2:0,0,uAb").value == formats.read("4x2:0,0,uaB").value


def test_the_mask_of_game_ids() -> None:
    # the two vectors in the comments of mines.c: 28 bits, and 50 zero bytes that need a second hash a half
    assert mask.unmask(bytes.fromhex("07fa6500"), 28) == bytes.fromhex("12345670")
    masked = "b202c07b990c01f6ff2d544707f60e506019b671fcb1d8b5a210b0af913db85d37ca27f52a9f78bba3a80030db3d01d8df78"
    assert mask.unmask(bytes.fromhex(masked), 400) == bytes(50)


BOARD = '"schema": "mineproof/board/1", "rows": 1, "columns": 2'
LAYOUT = '"schema": "mineproof/layout/1", "rows": 1, "columns": 2'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "missing required field `schema`"),
        ('{"schema": "mineproof/board/2"}', "JSON: expected a document that holds a board, got schema"),
        ("{" + BOARD + "}", "missing required field `cells`"),
        ("{" + BOARD + ', "cells": ["1#"], "totl": 1}', "unknown field `totl`"),
        ("{" + BOARD + ', "cells": ["1#"], "total_mines": "1"}', "got `str` - at `$.total_mines`"),
        ("{" + BOARD + ', "cells": ["1#"], "total_mines": 3}', "expected 0 to 2 mines on this board, got 3"),
        ("{" + BOARD + ', "cells": ["1#"], "topology": "ring"}', "Invalid enum value 'ring' - at `$.topology`"),
        ("{" + BOARD + ', "cells": ["1#", "##"]}', "JSON: expected 1 row in `cells` as `rows` says, got 2"),
        ("{" + BOARD + ', "cells": ["1"]}', "JSON: expected 2 cells in `cells[0]` as `columns` says, got 1"),
        (
            "{" + BOARD + ', "cells": ["1x"]}',
            "expected 0-8, # (covered), F (flag), ~ (no cell) or . (an open 0) at `cells[0][1]`, got 'x'",
        ),
        ("{" + BOARD + ', "cells": ["1/"]}', "at `cells[0][1]`, got '/'"),
        ("{" + LAYOUT + ', "mines": [[0, 2]]}', "expected a cell on the 2 × 1 board, got (0,2)"),
        ("{" + LAYOUT + ', "mines": [[0, 1], [0, 1]]}', "JSON: the cell (0,1) is listed twice in `mines`"),
        ("{" + LAYOUT + ', "mines": [[0]]}', "Expected `array` of length 2 - at `$.mines[0]`"),
        ("{" + LAYOUT + ', "mines": [], "start": [5, 5]}', "expected a cell on the 2 × 1 board, got (5,5)"),
        (
            "{" + LAYOUT + ', "mines": [], "absent": [[0, 1], [0, 1]]}',
            "JSON: the cell (0,1) is listed twice in `absent`",
        ),
        (
            "{" + LAYOUT + ', "mines": [[0, 1]], "absent": [[0, 1]]}',
            "expected mines on the board, got one at (0,1), which is not part of it",
        ),
        ("{" + LAYOUT + ', "mines": [], "no_guess": 1}', "Expected `bool`, got `int` - at `$.no_guess`"),
        ('{"rows": 1,}', "JSON: "),
        ('{"schema": "mineproof/game/1"}', "missing required field `rows`"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "JSON: maximum recursion depth exceeded"),
        ('{"\ud800": 1}', "JSON: 'utf-8' codec can't encode character"),
    ],
)
def test_mistakes_in_json_name_the_key(text: str, said: str) -> None:
    assert said in mistake(text)


def test_json_as_written() -> None:
    board = formats.write(Board.parse("2x2x1 torus/1#/#~"), "json")
    assert board == (
        '{"schema":"mineproof/board/1","rows":2,"columns":2,"total_mines":1,"topology":"torus","cells":["1#","#~"]}'
    )
    layout = formats.write(Layout(2, 2, frozenset({(1, 0), (0, 1)}), (0, 0), "hex"), "json")
    assert layout == (
        '{"schema":"mineproof/layout/1","rows":2,"columns":2,"mines":[[0,1],[1,0]],"start":[0,0],"topology":"hex"}'
    )
    holed = formats.write(dataclasses.replace(HOLED, no_guess=True), "json")
    assert isinstance(holed, str)
    assert holed.endswith('"topology":"grid","absent":[[0,0],[1,2]],"no_guess":true}')


def test_layout_text() -> None:
    assert formats.write(SMALL, "layout") == "..*\n*.."
    assert formats.write(dataclasses.replace(SMALL, topology="hex"), "layout") == "3x2x2 hex\n..*\n*.."
    made = dataclasses.replace(SMALL, start=(1, 2), no_guess=True)
    assert formats.write(made, "layout") == "..*\n*.S"
    assert formats.read("..*\n*.S").value == made
    assert formats.write(dataclasses.replace(made, no_guess=False), "layout") == "..*\n*.."
    assert "expected at most one start (S), got 2" in mistake("S.*\n*.S")
    assert formats.write(HOLED, "layout") == "~.*\n*.~"
    assert formats.read("~.*\n*.~").value == HOLED
    assert "expected 3 mines as the first line says, got 2" in mistake("3x2x3\n..*\n*..")
    assert "line 2: expected 3 cells as in the first row, got 2" in mistake("..*\n*.")


# size


def test_an_endless_run_is_refused_at_once() -> None:
    before = time.process_time()
    assert "expected 81 cells in the code, got more" in mistake("ajajaaak" + "S" * 300_000)
    assert (
        time.process_time() - before < 60
    )  # it takes milliseconds; reading the whole text again for each character would take hours


@pytest.mark.parametrize("name", ["mineproof", "mine", "json", "jsminesweeper"])
def test_a_large_board_comes_and_goes_quickly(name: str) -> None:
    random = np.random.default_rng(0)
    board = Board.from_array(random.choice([0, 1, 2, 3, 8, -1, -2], (500, 500)), 75_000)
    before = time.process_time()
    assert formats.read(formats.write(board, name)).value == board
    assert time.process_time() - before < 60  # what grew with the square of the cells would take minutes


@pytest.mark.slow
@pytest.mark.parametrize("name", ["layout", "json", "ptta", "tatham"])
def test_a_large_layout_comes_and_goes_quickly(name: str) -> None:
    mines = np.argwhere(np.random.default_rng(0).random((500, 500)) < 0.2)
    cells = frozenset((row, column) for row, column in mines.tolist())
    layout = Layout(500, 500, cells, (0, 0) if name in ("tatham", "json") else None)
    before = time.process_time()
    assert formats.read(formats.write(layout, name)).value == layout
    assert time.process_time() - before < 60  # what grew with the square of the cells would take minutes


# files


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "game.mine"
    path.write_text("2x2x1\n1H\nHH\n")
    assert formats.read(path).value == Board.parse("2x2x1/1#/##")
    assert formats.read(path, "mine", total_mines=1, size=(2, 2)).format == "mine"
    with pytest.raises(BoardSyntaxError, match="expected a board of 3 × 2, got 2 × 2") as caught:
        formats.read(path, size=(2, 3))
    assert caught.value.source == str(path)
    layout = tmp_path / "small.mbf"
    layout.write_bytes(bytes.fromhex("03 02 00 02 02 00 00 01"))
    assert formats.read(layout).value == SMALL


def test_a_string_is_never_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("1#").write_text("##")
    assert formats.read("1#").value == Board.parse("1#")
    assert formats.read(Path("1#")).value == Board.parse("##")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        formats.read(tmp_path / "none")
    with pytest.raises(IsADirectoryError, match="expected a file, got a folder"):
        formats.read(tmp_path)


def test_a_view_keeps_the_cells_that_are_left_out() -> None:
    game = Game(Layout(1, 5, frozenset([(0, 1)]), absent=frozenset([(0, 3)])))
    for column in (0, 2, 4):
        game.open(0, column)
    found = formats.read(json.dumps(game.as_json()))
    assert found.layout is not None
    assert found.layout.absent == {(0, 3)}


@pytest.mark.parametrize("schema", ["history", "stats", "kept", "watch", "review"])
def test_our_json_without_a_board_is_named(schema: str) -> None:
    assert f"expected a document that holds a board, got schema mineproof/{schema}/1" in mistake(
        json.dumps({"schema": f"mineproof/{schema}/1"})
    )
