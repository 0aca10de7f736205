"""What people paste on the command line: every dress through a command, and our own pictures read back."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import mineproof as mp
from mineproof import formats
from support.command import mineproof
from support.dresses import DRESSES, Dress


def cells(text: str) -> list[str]:
    rows = text.split("/")
    return rows[1:] if "x" in rows[0] else rows


@pytest.mark.parametrize("dress", DRESSES, ids=[dress.name for dress in DRESSES])
def test_every_dress(dress: Dress) -> None:
    done = mineproof("convert", "--json", stdin=dress.text)
    assert (done.status, done.err) == (0, "")
    assert done.json()["cells"] == cells(dress.board)


def test_an_assumption_is_one_line_on_standard_error() -> None:
    for arguments in (["analyze", ".../121"], ["hint", ".../121"], ["solve", ".../121", "--json"]):
        done = mineproof(*arguments)
        assert (done.status, done.err) == (0, "mineproof: read '.' as covered; no other reading is possible\n")
    done = mineproof("convert", ".../121", "--to", "mineproof")
    assert (done.status, done.text) == (0, "###\n121\n")
    assert done.err.endswith("read '.' as covered; no other reading is possible\n")
    assert mineproof("analyze", "###/121").err == mineproof("analyze", "# # # / 1 2 1").err == ""


def test_a_refusal_is_one_line_that_says_what_to_do() -> None:
    done = mineproof("analyze", stdin="# # #\n1 y 1")
    assert (done.status, done.out) == (3, b"")
    assert done.err.count("\n") == 1
    assert "line 2, character 3: expected 0-8, # (covered) or F (flag), got 'y'" in done.err
    assert done.err.endswith("See 'mineproof convert --list' or docs/formats.md.\n")
    link = mineproof("analyze", "https://minesweeper.online/game/4711")
    assert (link.status, "use 'mineproof read screen.png'" in link.err) == (3, True)
    assert "\npasted " in mineproof("convert", "--list").text


def test_a_word_is_the_name_of_a_missing_file() -> None:
    for command in (["analyze"], ["hint"], ["best"], ["convert"], ["best", "--exact"]):
        for word in ("foo", "foof", "Foo", "FOO", "foo2", "nosuchboard"):
            done = mineproof(*command, word)
            assert (done.status, done.out) == (2, b""), (command, word)
            assert f"{word}: file not found" in done.err or "--exact" in command
    assert mineproof("analyze", stdin="foo").status == 3


def test_x_for_covered_on_the_command_line() -> None:
    done = mineproof("hint", "1xx1/12x1")
    assert (done.status, done.err) == (0, "mineproof: read 'x' as covered; no other reading is possible\n")
    done = mineproof("hint", "x1/11")
    assert (done.status, done.err) == (0, "mineproof: read 'x' as covered\n")


# our own pictures

BOARDS = [
    "###/121",
    "6x4x5/######/F112##/11####/######",
    "9x9x10/#########/###1111##/12#1002##/01#1001##/0111001##/0000111##/00112####/001######/001######",
    "5x3x6/#####/123##/###3#",
    "4x4x3 torus/####/#1##/####/####",
    "8x7x9 hex/#1000000/#1110000/####1000/###10011/###1001#/###201##/####11##",
    "4x3x2/~###/1##~/###~",
    "/".join(["#" * 44, "1" * 44, "#" * 44]),
    "#/1/#",
    "11x12x9/" + "/".join(["#" * 11] * 6 + ["#####1#####"] + ["#" * 11] * 5),
]
COMMANDS = [["hint"], ["hint", "--level", "3"], ["solve"], ["analyze"], ["best", "--budget", "60"]]


def drawn(text: str, command: list[str], columns: int, colour: str) -> str | None:
    """What a command shows of a board, or None where it has no answer about such a board."""
    board = mp.Board.parse(text, alphabet="mineproof")
    if command[0] == "best" and (board.total_mines is None or board.topology != "grid"):
        return None
    done = mineproof(*command, text, "--color", colour, columns=columns)
    assert done.status == 0, done.err
    return done.text


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 30, 200])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("text", BOARDS)
def test_what_a_command_draws_is_read_back(text: str, command: list[str], columns: int) -> None:
    shown = drawn(text, command, columns, "always" if columns == 80 else "never")
    if shown is None:
        pytest.skip("best needs a total and a grid")
    known = mp.Board.parse(text, alphabet="mineproof")
    if any(line.startswith(("rows ", "columns ")) for line in shown.splitlines()):
        with pytest.raises(mp.BoardSyntaxError, match="a part of the board"):
            formats.read(shown)
        return
    reading = formats.read(shown, topology=known.topology)
    assert isinstance(reading.value, mp.Board)
    assert reading.value.as_json()["cells"] == known.as_json()["cells"]
    assert "read as a picture drawn by mineproof" in reading.notes
    if command[0] in ("solve", "analyze", "best"):
        assert reading.value == known


def test_watch_and_puzzle_are_read_back() -> None:
    shown = mineproof("watch", "9x9x10", "--seed", "1").text
    cells = json.loads(formats.write(formats.read(shown).value, "json"))["cells"]
    assert isinstance(cells, list)
    assert [len(row) for row in cells] == [9] * 9
    puzzle = mineproof("puzzle", "--seed", "3").text
    document = mineproof("puzzle", "--seed", "3", "--json").json()
    assert formats.read(puzzle).value == formats.read(json.dumps(document["board"])).value


SCREEN = """
 Mines 7  Time 0:07  :-) playing  Fairness: none  Cell (1,2)

                              0 1 2 3 4 5 6 7 8 910 1
                            0     1 · · · · · · · · ·
                            1   1 2[·]· · · · · · · ·
                            2   1 F ·(2)· · · ? · · S
"""


LETTERED = """
 Mines 7  Time 0:07  :-) playing  Fairness: none  Cell D2

                              A B C D E F G H I J K L
                            1     1 · · · · · · · · ·
                            2   1 2[·]· · · · · · · ·
                            3   1 F ·(2)· · · ? · · S
"""
GERMAN = LETTERED.replace("Mines 7  Time 0:07  :-) playing", "Minen 7  Zeit 0:07  :-) läuft").replace("Cell", "Feld")


@pytest.mark.parametrize("screen", [SCREEN, LETTERED, GERMAN])
def test_the_screen_of_the_game_is_read(screen: str) -> None:
    """Blank is an open 0 there, and what is certain or marked is covered; the mines left are those without a flag."""
    assert formats.read(screen).value == mp.Board.parse(
        "12x3x8/001#########/012#########/01F#2#######", alphabet="mineproof"
    )


def test_the_screen_of_a_wide_game_is_read() -> None:
    """The label AA takes the place of the label before it."""
    signs = " ".join("·" * 28)
    above = " ".join([*"ABCDEFGHIJKLMNOPQRSTUVWXY"]) + "  AA B"
    assert formats.read(f" 9  0:07  :-)\n\n   {above}\n 1  {signs}\n").value == mp.Board.parse(f"28x1x9/{'#' * 28}")


@pytest.mark.slow
def test_a_pipe_of_processes() -> None:
    def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "mineproof", *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, check=False)

    hint = run("hint", "###/121")
    assert hint.returncode == 0
    again = run("analyze", "--json", stdin=hint.stdout)
    assert (again.returncode, b'"safe": [[0, 1]]' in again.stdout) == (0, True)
    for dress in DRESSES[:1] + DRESSES[-1:]:
        data = dress.text.encode() if isinstance(dress.text, str) else dress.text
        assert run("convert", "--to", "mineproof", stdin=data).stdout.decode().split() == cells(dress.board)
