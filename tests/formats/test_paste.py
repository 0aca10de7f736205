"""What people paste is read: every dress through the library and the server, and what is refused, with its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from mineproof import formats
from mineproof.board.board import Board
from mineproof.board.paste.sheet import MAX_CHARACTERS
from mineproof.errors import BoardSyntaxError
from mineproof.formats import jsminesweeper
from mineproof.formats.exchange import decode
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import use_language
from support.dresses import DRESSES, RICH, SIMPLE, Dress

ALL = pytest.mark.parametrize("dress", DRESSES, ids=[dress.name for dress in DRESSES])


def board(text: str) -> Board:
    return Board.parse(text, alphabet="mineproof")


def refusal(text: str | bytes) -> BoardSyntaxError:
    with pytest.raises(BoardSyntaxError) as caught:
        formats.read(text)
    return caught.value


def test_there_are_ninety_and_each_is_another() -> None:
    assert len({dress.text for dress in DRESSES}) == len(DRESSES) >= 90
    assert len({dress.name for dress in DRESSES}) == len(DRESSES)


@ALL
def test_formats_read(dress: Dress) -> None:
    reading = formats.read(dress.text)
    assert reading.value == board(dress.board)
    said = "; ".join(reading.notes)
    assert dress.note in said if dress.note else not reading.notes
    assert reading.as_json()["notes"] == list(reading.notes)


@ALL
def test_board_parse(dress: Dress) -> None:
    text = dress.text if isinstance(dress.text, str) else decode(dress.text)
    assert Board.parse(text) == board(dress.board)


@ALL
def test_the_server_reads_the_same(dress: Dress) -> None:
    answers, requests = (pytest.importorskip(f"mineproof.web.{name}") for name in ("answers", "requests"))
    source = (
        requests.BoardRequest(board=dress.text)
        if isinstance(dress.text, str)
        else requests.BoardRequest(data=dress.text)
    )
    assert answers._reading(source).value == board(dress.board)


def test_the_format_has_a_name() -> None:
    assert formats.read("# # #\n1 2 1").format == "pasted"
    assert formats.read("# # #\n1 2 1", "pasted").value == board(SIMPLE)
    assert formats.read("###\n121", "pasted").value == board(SIMPLE)
    assert formats.read("# # #\n1 2 1").as_json() == {
        "format": "pasted", "holds": "position", "note": "position in pasted text", "notes": [],
    }  # fmt: skip


def test_what_the_caller_knows_decides_too() -> None:
    """With three mines there must be covered cells, so the dots are."""
    assert formats.read("F1.\n11.").value == board("F10/110")
    assert formats.read("F1.\n11.", total_mines=3).value == board("3x2x3/F1#/11#")
    assert Board.parse("F1.\n11.", total_mines=3) == board("3x2x3/F1#/11#")


# documented texts are read as before


@pytest.mark.parametrize(
    ("text", "read", "notes"),
    [
        ("1.#/#..", "10#/#00", ()),
        ("..#/.1#/1##", "00#/01#/1##", ()),  # with covered cells there is no doubt about the dots, possible or not
        ("F1./11.", "F10/110", ("read '.' as an open 0; write # for covered cells",)),
        ("*10/110", "F10/110", ()),
        ("-1/+1", "#1/F1", ()),
        ("?1/F1", "#1/F1", ()),
        ("X 1 \n#   ", "F1/#0", ()),
        ("| - | 1 |\n| * |   |", "#1/F0", ()),
        ("12/21", "12/21", ()),  # impossible, and nothing in it has another meaning
    ],
)
def test_documented_alphabets_come_first(text: str, read: str, notes: tuple[str, ...]) -> None:
    reading = formats.read(text)
    assert (reading.value, reading.notes) == (board(read), notes)
    assert reading.format != "pasted"
    assert Board.parse(text) == board(read)


def test_a_name_is_taken_strictly() -> None:
    assert Board.parse(".../121", alphabet="mineproof") == board("000/121")
    assert formats.read(".../121", "mineproof").value == board("000/121")
    with pytest.raises(
        BoardSyntaxError,
        match=r"character 2: expected 0-8, # \(covered\), F \(flag\), ~ \(no cell\) or \. \(an open 0\), got ' '",
    ):
        formats.read("# # #\n1 2 1", "mineproof")


def test_our_own_json_is_never_read_loosely() -> None:
    text = '{"schema": "mineproof/board/1", "rows": 1, "columns": 2, "cells": ["#"]}'
    assert "JSON: expected 2 cells in `cells[0]` as `columns` says, got 1" in str(refusal(text))


# layouts


@pytest.mark.parametrize(
    "text", ["*..\n..*", "* . .\n. . *", "|*|.|.|\n|.|.|*|", "3x2x2\n* . .\n. . *", "> *..\n> ..*"]
)
def test_layouts_are_read_as_layouts(text: str) -> None:
    expected = Layout(2, 3, frozenset({(0, 0), (1, 2)}))
    assert formats.read(text).value == expected
    assert Layout.parse(text) == expected
    if " " in text or "|" in text:
        with pytest.raises(BoardSyntaxError, match=r"The text is a layout.*Layout\.parse"):
            Board.parse(text)


def test_layout_parse_reads_what_layouts_print() -> None:
    layout = Layout(3, 4, frozenset({(0, 1), (2, 3)}), absent=frozenset({(1, 1)}))
    assert Layout.parse(str(layout)) == layout
    assert Layout.parse("*S./...") == Layout(2, 3, frozenset({(0, 0)}), (0, 1), no_guess=True)
    assert Layout.parse("*.", topology="hex") == Layout.parse("2x1x1 hex\n*.") == Layout.parse("2x1x1 hex\n* .")
    for text, said in [
        ("1#", "got '1'"),
        ("2x1x2\n*.", "expected 2 mines as the first line says, got 1"),
        ("2x1x2\n* .", "got 1"),
    ]:
        with pytest.raises(BoardSyntaxError, match=said):
            Layout.parse(text)
    with pytest.raises(TypeError):
        Layout.parse(b"*.")  # type: ignore[arg-type]


# what is refused


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("# x #\n1 2 1", 1, 3, "'x' can be covered or a mine. Write # for covered or F for a mine."),
        ("⬜⬛⬜\n1️⃣1️⃣1️⃣", 1, 2, "'⬛' can be covered or an open 0"),
        ("0 1 2\n# # #\n1 2 1", 1, 1, "The text can be read in two ways. Remove the numbers of rows and columns"),
        ("\t1\n1\tF", 2, 3, "The text can be read in two ways. Remove the numbers of rows and columns"),
        ("1,,\n,F,", 1, 1, "The text can be read in two ways. Write 0 for open cells without a number"),
        ("# # #\n1 y 1", 2, 3, "expected 0-8, # (covered) or F (flag), got 'y'"),
        ("\x1b[31m#\x1b[0m # #\n1 \x1b[1my\x1b[0m 1", 2, 7, "got 'y'"),
        ("> # # #\r\n> 1 y 1", 2, 5, "got 'y'"),
        ("[[1, 2], [3, 99]]", 1, 14, "expected 0-8, -1 covered, -2 flagged or -9 not on the board, got '99'"),
        ("[[1, 2], [3]]", 1, 11, "expected 2 cells as in the first row, got 1"),
        ("[[0 0 ... 0]\n [0 0 ... 0]]", 1, 7, "the array is cut short here"),
        ("1#\x01#", 1, 3, "expected text, got the control character U+0001"),
        ("4x2x1\n# # #\n1 2 1", 2, 1, "expected 4 × 2 cells as the text says, got 3 × 2"),
        ("5x5\n1x1x1\n11111", 1, 1, "expected a size such as 9x9x10 or 9x9x? torus, got '5x5'"),
        ("3x3\n###\n#1#\n###", 1, 1, "expected a size such as 9x9x10 or 9x9x? torus, got '3x3'"),
        ("1x1", 1, 1, "expected a size such as 9x9x10 or 9x9x? torus, got '1x1'"),
        ("2x2x1 tours\n1#\n##", 1, 7, "expected grid, torus, hex"),
        ("1##1\n19#F\n01#1", 2, 2, "expected 0-8, # (covered) or F (flag), got '9'"),
        ("1##/19#", 1, 6, "expected 0-8, # (covered) or F (flag), got '9'"),
        ("9,9,9\n1,2,1", 1, 1, "got '9'"),
        ("[['9', '#'], ['1', '1']]", 1, 4, "got '9'"),
        ("foo", 1, 1, "expected a number or a covered cell, got letters alone"),
        ("foof", 1, 1, "got letters alone"),
        ("Hoof", 1, 1, "got letters alone"),
        ("P1#/11#", 1, 1, "'P' can be a mine or covered. Write F for a mine or # for covered."),
        ("1 # # 1\n1 2 #\n0 1 # 1", 2, None, "line 2: expected 4 cells as in the first row, got 3"),
        ("1##\n##\n##", 1, None, "line 1: expected 2 cells as in the other rows, got 3"),
        ("1,#,#\n1 # #", 2, None, "expected 3 cells separated by commas as in the first row, got '1 # #'"),
        ("1;#\n1;#;#\n1;#", 2, None, "expected 2 cells as in the first row, got 3"),
        ("| 1 | # |\n| 1 |", 2, None, "expected 2 cells as in the first row, got 1"),
        ("🟦🟦\n🟦", 2, None, "expected 2 cells as in the first row, got 1"),
        ("1#/#", 1, 5, "line 1, character 5: expected 2 cells as in the first row, got 1"),
        ("#\t#\t#\tguess?\n1\t2\t1\t", 1, 2, "got '\\t'"),
        (" 1#1 1#\n 111 11", 1, 2, "The text can be read in two ways. Write 0 for open cells"),
        ("UUU\n121", 1, 1, "got 'U'"),
        ("? ? ? and then\n1 2 F", 1, 2, "got ' '"),
        ("['#', '#']\nand\n['1', '1']", 3, 1, "expected one board, got several"),
        ("3x2x9\n# # #\n1 2 1", 1, 5, "expected 0 to 6 mines on this board, got 9"),
    ],
)
def test_a_refusal_names_the_place_in_the_original(text: str, line: int, column: int | None, said: str) -> None:
    error = refusal(text)
    assert (error.line, error.column) == (line, column), str(error)
    assert said in str(error)


@pytest.mark.parametrize(
    "text", ["hello", "foo", "B = {,}1{{ }};", "1##\n##", "1#\n#y", "# # #\n1 2\n1 2 1", "see you"]
)
def test_a_refusal_says_what_to_do_next(text: str) -> None:
    advice = "Write # for covered, F for a mine, 0-8 for open, one row per line."
    assert str(refusal(text)).endswith(f". {advice}")
    assert refusal(text).advice == advice
    with pytest.raises(BoardSyntaxError, match=r"See docs/formats\.md\.$") as caught:
        Board.parse(text)
    assert advice not in str(caught.value)


BESIDE_ZEROS = ["011#/01F#/012#", "#10/110/000", "1#1/111/000", "000/111/1#1", "01#1/0111", "0000/0011/001#/0011"]
TABLES: dict[str, Callable[[list[list[str]]], str]] = {
    "tabs": lambda rows: "\n".join("\t".join(row).replace(" ", "") for row in rows),
    "semicolons": lambda rows: "\n".join(";".join(row).replace(" ", "") for row in rows),
    "bars": lambda rows: "\n".join(" | ".join(row) for row in rows),
    "outer bars": lambda rows: "\n".join(f"|{'|'.join(row)}|" for row in rows),
    "brackets": lambda rows: "\n".join(f"[{']['.join(row)}]" for row in rows),
    "HTML": lambda rows: "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("text", BESIDE_ZEROS)
def test_no_row_or_column_of_a_table_is_lost_where_cells_are_empty(name: str, text: str) -> None:
    pasted = TABLES[name]([[cell.replace("0", " ") for cell in row] for row in text.split("/")])
    if name in ("tabs", "semicolons") and all(row.endswith("0") for row in text.split("/")):
        assert "can be read in two ways" in str(refusal(pasted))  # the last separators, or an empty column
    else:
        assert formats.read(f"<table>{pasted}</table>" if name == "HTML" else pasted).value == board(text)


def test_a_frame_with_an_empty_row_is_not_read_without_it() -> None:
    assert "expected a row" in str(refusal("+----+\n|  1#|\n|    |\n+----+"))


def test_two_boards_are_not_made_one() -> None:
    for text in ("# # #\n1 2 1\n\n# # #\n1 2 1", "# # #\n1 2 1\nand the other\n# # #\n1 2 1"):
        error = refusal(text)
        assert (error.line, error.column) == (4, 1)
        assert "expected one board, got several. Paste one of them." in str(error)


@pytest.mark.slow
def test_a_text_of_any_length_is_answered_soon() -> None:
    """Each of these took minutes with a careless pattern; linear time takes seconds on the slowest machine."""
    for piece in [
        "\n",
        "\x1b[",
        '["',
        "[1;",
        "<td",
        "&#1",
        "||a",
        ":a",
        "--- ",
        "1 2\n",
        "S safe\n",
        "{",
        '{"a":',
        "[1 ",
        "[\n1",
        "[-1, 1]\n",
        "] # ab ",
        "~~~\n",
        "a$ ",
        "- [",
        "r 1:",
        "<div>1",
        "| **1** ",
        "# # (",
        "0 × ",
    ]:
        began = time.process_time()
        with suppress(BoardSyntaxError):
            formats.read(piece * (60_000 // len(piece)))
        assert time.process_time() - began < 60, piece


def test_too_long_a_text_is_left_to_the_strict_readers() -> None:
    assert "Write # for covered" in str(refusal("# " * (MAX_CHARACTERS // 2 + 1)))


# sizes are checked first


def test_a_short_code_of_a_large_board_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(rows: int, columns: int) -> None:
        raise OverflowError((rows, columns))

    monkeypatch.setattr(jsminesweeper, "_expand", None)
    with pytest.raises(OverflowError, match=r"\(1000, 1000\)"):
        formats.read("qiqiaaafSRRRRRR", check_size=refuse)


def test_the_size_of_any_board_is_checked() -> None:
    sizes: list[tuple[int, int]] = []
    for text in (SIMPLE, "# # #\n1 2 1", "b=32&m=60", RICH):
        formats.read(text, check_size=lambda rows, columns: sizes.append((rows, columns)))
    assert sizes == [(2, 3), (2, 3), (2, 3), (3, 4)]


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (". . o\n1 2 .", ["position in pasted text", "read '.' as covered and 'o' as an open 0"],
         ["Stellung in eingefügtem Text", "gelesen: '.' als verdeckt und 'o' als offene 0"]),
        ("  0 1 2\n0 # # #\n1 1 2 1\n2 . . .", ["position in pasted text", "dropped the numbers along the sides"],
         ["Stellung in eingefügtem Text", "Zahlen am Rand weggelassen"]),
        ("1..\n...", ["position in the mineproof alphabet: # covered, F mine, ~ not on the board",
                      "read '.' as covered; no other reading is possible"],
         ["Stellung mit den Zeichen von mineproof: # verdeckt, F Mine, ~ nicht auf dem Brett",
          "gelesen: '.' als verdeckt; anders ist es nicht möglich"]),
    ],
)  # fmt: skip
def test_assumptions_are_in_the_language_of_the_reader(text: str, english: list[str], german: list[str]) -> None:
    reading = formats.read(text)
    assert [reading.note, *reading.notes] == english
    with use_language("de"):
        reading = formats.read(text)
    assert [reading.note, *reading.notes] == german
