"""How boards look in a terminal: headings, colours, and that nothing is wider than it may be."""

import re

import pytest
from rich.style import Style

from mineproof.base import colours
from mineproof.board.board import Board
from mineproof.pictures.text import PERCENT, SPACED, TextPicture, marks
from mineproof.tui import marks as game_marks
from support.command import mineproof

BOARD = "5x3x6/#####/123##/###3#"


def head(rows: int, columns: int, width: int, widest: int = SPACED, shown: range | None = None) -> list[str]:
    """The lines above the first row."""
    board = Board.parse("/".join(["#" * columns] * rows))
    lines = [line.plain for line in TextPicture(board, marks(board, {}), width, widest=widest, columns=shown).lines()]
    return lines[: next(place for place, line in enumerate(lines) if line.startswith(("0 ", " 0 ")))]


def test_narrow_boards_have_one_heading() -> None:
    assert head(2, 3, 80) == ["   0 1 2"]
    assert head(2, 10, 80) == ["   0 1 2 3 4 5 6 7 8 9"]
    assert head(2, 10, 16) == ["   0123456789"]
    for command in ("solve", "hint"):
        assert mineproof(command, "###/121").lines.count("   0") == 0


def test_wider_boards_have_the_tens_above() -> None:
    assert head(2, 12, 80) == ["   0                   10", "   0 1 2 3 4 5 6 7 8 9 0 1"]
    assert head(2, 12, 20) == ["   0         10", "   012345678901"]
    assert head(2, 12, 80, PERCENT) == ["    0  1  2  3  4  5  6  7  8  9 10 11"]


def test_all_bands_have_the_same_headings() -> None:
    board = Board.parse("#" * 15)
    lines = [line.plain for line in TextPicture(board, marks(board, {}), 13).lines()]
    assert lines == ["   0", "   0123456789", "0  ##########", "", "   10", "   01234", "0  #####"]


@pytest.mark.parametrize(("width", "cell"), [(110, 1), (220, 2), (330, 3)])
def test_columns_past_99_are_told_with_all_digits(width: int, cell: int) -> None:
    tens, ones = head(2, 104, width, PERCENT)
    for column in range(0, 104, 10):
        start = 3 + column * cell + (cell == 3)
        assert re.match(rf"{column}\b", tens[start:])
        assert ones[start] == "0"
    assert "99 0" not in ones


def test_a_piece_of_a_board_has_round_tens() -> None:
    tens, ones = head(2, 200, 80, SPACED, range(95, 125))
    assert tens == "   95        100                 110                 120"
    assert ones.split() == [str(column % 10) for column in range(95, 125)]
    tens, _ = head(2, 200, 80, SPACED, range(109, 125))
    assert tens == "     110                 120"  # no room for 109 in front


def test_a_heading_that_does_not_fit_is_left_out() -> None:
    tens, ones = head(2, 200, 3 + 22, 1, range(79, 101))
    assert len(tens) <= len(ones) == 3 + 22
    assert tens == "    80        90"


# colours


def styles(text: str) -> dict[str, set[str]]:
    """How each sign is written, by the escapes in front of it."""
    values: dict[str, set[str]] = {}
    for escape, sign in re.findall(r"\x1b\[([0-9;]+)m(.)\x1b\[0m", text):
        values.setdefault(sign, set()).add(escape)
    return values


@pytest.mark.parametrize("command", ["analyze", "solve", "best", "hint"])
def test_numbers_have_the_colours_of_the_game(command: str) -> None:
    done = mineproof(command, BOARD, "--color", "always")
    result = styles(done.text)
    for number in (1, 2, 3):
        expected = Style.parse(f"bold {colours.NUMBERS[number - 1]}").render("x").split("m")[0].removeprefix("\x1b[")
        assert expected in result.get(str(number), set()), f"{command} draws {number} in other colours"
    assert "\x1b" not in mineproof(command, BOARD).text


def test_one_palette() -> None:
    for number, name in enumerate(colours.NUMBERS, 1):
        assert game_marks._NUMBERS[number].style == Style.parse(f"bold {name}")
    assert Style.parse(colours.MINE).bgcolor != Style.parse(f"bold {colours.NUMBERS[2]}").bgcolor, "M is no 3"


# whole answers


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("command", ["analyze", "solve", "hint", "best"])
def test_a_large_board_fits(command: str, columns: int) -> None:
    rows = ["#" * 100] * 49 + ["1" * 100] + ["0" * 100] * 50
    done = mineproof(command, "/".join(["100x100x1000", *rows]), "--budget", "20", columns=columns)
    assert done.status == 0, done.err
    assert max(map(len, done.lines)) <= columns
