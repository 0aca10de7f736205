"""``mineproof solve``: every certain cell, the deductions in words, and the JSON that scripts read."""

import re

import pytest

import mineproof as mp
from mineproof.deduction.ladder import LADDER
from support.command import mineproof
from support.texts import text

PIECE = "F33F/###F"
UNSOLVED = "++4-2/--++-/+6--3/++22+"  # by Minedetector, which is where it comes from
GAME = "9x5x8/00001####/00012####/0001#3###/2212###F#/#########"
TRUFFLE = "##11101#/##2#112#/###211#1/#2110111/#1000000/#2222110/######10/######10"


# JSON


def test_the_shape_of_the_contract() -> None:
    answer = mineproof("solve", PIECE, "--json").json()
    assert answer.pop("board")["cells"] == ["F33F", "###F"]
    (step,) = answer["steps"]
    (deduction,) = mp.deduce(mp.Board.parse(PIECE))
    assert step.pop("argument") == deduction.argument.as_json()
    assert answer == {
        "schema": "mineproof/solution/1",
        "safe": [],
        "mines": [[1, 0]],
        "steps": [
            {
                "technique": "partition",
                "safe": [],
                "mines": [[1, 0]],
                "because": [[0, 1], [0, 2]],
                "uses_total": False,
                "text": deduction.text,
                "pattern": "1-2",
            }
        ],
    }


@pytest.mark.parametrize("board", [GAME, TRUFFLE, UNSOLVED, "1#/##", "000"])
def test_the_steps_lead_to_everything_that_is_certain(board: str) -> None:
    solved, analyzed = (mineproof(command, board, "--json").json() for command in ("solve", "analyze"))
    assert (solved["safe"], solved["mines"]) == (analyzed["safe"], analyzed["mines"])
    for key in ("safe", "mines"):
        assert sorted(cell for step in solved["steps"] for cell in step[key]) == solved[key]


def test_flags_are_trusted_unless_they_are_not() -> None:
    assert mineproof("solve", PIECE, "--flags", "ignore", "--json").json()["mines"] == []
    assert mineproof("solve", PIECE, "--flags", "ignore", "--json", "--mines", "5").json()["mines"]


# techniques


def test_a_technique_ends_the_ladder() -> None:
    found = [
        len(mineproof("solve", UNSOLVED, "--technique", technique, "--json").json()["steps"]) for technique in LADDER
    ]
    assert found[:5] == [0] * 5
    assert found[5:] == [6] * 3
    used = {
        step["technique"] for step in mineproof("solve", TRUFFLE, "--technique", "partition", "--json").json()["steps"]
    }
    assert used == {"single-open", "single-flag"}


def test_this_is_minedetector() -> None:
    done = mineproof("solve", "+33+/---+", "--technique", "bounds")
    assert done.lines[:2] == [
        "4 × 2, number of mines unknown, 3 flags trusted",
        "up to bounds: 0 safe cells, 1 mine, 2 undecided",
    ]
    assert "    mine  1  (1,0)" in done.lines
    assert "more" not in done.text
    done = mineproof("solve", UNSOLVED, "--technique", "bounds")
    assert "up to bounds: no cell is certain, 6 undecided" in done.lines
    assert done.lines[-1] == text("cli-solve-missed", 6)


def test_an_unknown_technique_is_bad_usage_and_the_names_are_told() -> None:
    done = mineproof("solve", PIECE, "--technique", "magic")
    assert (done.status, done.text) == (2, "")
    assert all(name in done.err for name in LADDER)
    assert mineproof("solve", PIECE, "--technique", "magic", "--json").error()["code"] == "usage"


def test_the_help_names_every_technique() -> None:
    words = " ".join(mineproof("solve", "--help").text.split()).replace("- ", "-")  # a line may end with a hyphen
    assert ", ".join(LADDER) in words
    assert "--json" in words


# text


def test_a_whole_answer() -> None:
    assert (
        mineproof("solve", GAME).text
        == """\
9 × 5, 8 mines, 1 flag trusted
3 safe cells, 4 mines, 18 undecided

   0 1 2 3 4 5 6 7 8
0  . . . . 1 # # # #
1  . . . 1 2 # # # #
2  . . . 1 M 3 # # #
3  2 2 1 2 S # # F #
4  M M S S M # # # #

S safe   M mine   F flag   . 0   # undecided

    safe  3  (3,4) (4,2) (4,3)
    mine  4  (2,4) (4,0) (4,1) (4,4)

--steps explains each deduction.
"""
    )


def test_steps_are_numbered_and_each_has_its_technique_its_numbers_and_its_words() -> None:
    assert mineproof("solve", PIECE, "--steps").lines[-6:] == [
        "1 step: 1 partition",
        "",
        "1  partition  from (0,1) (0,2)",
        "   Subtract the known mines, and this is a 1-2 pattern. The 3 at (0,2) needs 1",
        "   more mine among (1,1) and (1,2). The 3 at (0,1) needs 2 more mines among",
        "   (1,0), (1,1) and (1,2). So (1,0) is a mine.",
    ]
    many = mineproof("solve", TRUFFLE, "--steps").text
    assert [int(number) for number in re.findall(r"^ ?(\d+)  (?:single|partition)", many, re.MULTILINE)] == list(
        range(1, 12)
    )
    assert "11 steps: 5 single-open, 6 single-flag" in many
    assert "  from (0,1) total" in mineproof("solve", "#1#1#", "--mines", "1", "--steps").text


def test_steps_say_all_that_the_json_says() -> None:
    words = " ".join(mineproof("solve", GAME, "--steps").text.split())
    for step in mineproof("solve", GAME, "--json").json()["steps"]:
        assert step["text"] in words


def test_nothing_certain_is_an_answer() -> None:
    done = mineproof("solve", "1#/##", "--mines", "1")
    assert (done.status, done.err) == (0, "")
    assert done.lines[1] == "no cell is certain, 3 undecided"
    assert done.lines[-1] == "# undecided"
    steps = mineproof("solve", "1#/##", "--mines", "1", "--steps")
    assert (steps.status, steps.text) == (0, done.text)
    answer = mineproof("solve", "1#/##", "--json").json()
    assert {key: value for key, value in answer.items() if key != "board"} == {
        "schema": "mineproof/solution/1", "safe": [], "mines": [], "steps": [],
    }  # fmt: skip


def test_an_open_board() -> None:
    done = mineproof("solve", "000/000")
    assert (done.status, done.lines[1]) == (0, text("cli-solve-nothing-covered"))


@pytest.mark.parametrize("columns", [12, 20, 40, 80, 200])
@pytest.mark.parametrize("arguments", [[], ["--steps"], ["--technique", "single-flag"], ["--show", "bounds"]])
@pytest.mark.parametrize("board", [GAME, TRUFFLE, "9x3x5 hex/####1####/#########/####2####"])
def test_never_wider_than_the_terminal(board: str, arguments: list[str], columns: int) -> None:
    done = mineproof("solve", board, *arguments, columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


def test_prose_is_not_stretched_over_a_wide_terminal() -> None:
    assert max(map(len, mineproof("solve", GAME, "--steps", columns=200).lines)) <= 100


def test_colours() -> None:
    plain = mineproof("solve", GAME, "--steps").text
    assert "\x1b[" not in plain
    assert "\x1b[" not in mineproof("solve", GAME, "--color", "never").text
    colored = mineproof("solve", GAME, "--steps", "--color", "always", NO_COLOR="1").text
    assert re.search(r"\x1b\[[0-9;]*48;5;28mS\x1b\[0m", colored)
    assert re.search(r"\x1b\[[0-9;]*48;5;160mM\x1b\[0m", colored)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_a_board_too_large_for_a_picture_is_listed() -> None:
    done = mineproof("solve", "/".join(["#" * 150] * 150), "--mines", "0")
    assert "22,500 cells are too many for a picture" in done.text
    assert "    safe  22,500  (0,0) (0,1)" in done.text


# what techniques work with


def test_bounds_are_shown() -> None:
    lines = mineproof("solve", UNSOLVED, "--show", "bounds").lines
    assert lines[:4] == ["mines  cells", "  0-1  (0,3)", "  0-1  (1,0)", "  0-1  (1,1)"]
    assert lines[-1] == "    2  (1,0) (1,1) (2,2)"
    answer = mineproof("solve", UNSOLVED, "--show", "bounds", "--json").json()
    assert answer["schema"] == "mineproof/bounds/1"
    assert {"cells": [[1, 1]], "least": 0, "most": 1} in answer["sets"]


def test_the_matrix_is_shown() -> None:
    readme = "01#/12#/###"
    assert mineproof("solve", readme, "--show", "matrix").lines == [
        "columns: (0,2) (1,2) (2,0) (2,1) (2,2)",
        "1 1 0 0 0 = 1",
        "0 0 1 1 0 = 1",
        "0 0 0 0 1 = 0",
    ]
    assert mineproof("solve", readme, "--show", "matrix", "--json").json() == {
        "schema": "mineproof/matrix/1",
        "columns": [[0, 2], [1, 2], [2, 0], [2, 1], [2, 2]],
        "rows": [[1, 1, 0, 0, 0, 1], [0, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 0]],
    }
    narrow = mineproof("solve", readme, "--show", "matrix", columns=12)
    assert text("cli-solve-wide-matrix", needed=13, width=12) in narrow.err


def test_tables_without_numbers_and_with_other_options() -> None:
    for table in ("bounds", "matrix"):
        assert mineproof("solve", "##", "--show", table).text == text("cli-solve-no-numbers") + "\n"
        assert mineproof("solve", "1#", "--show", table, "--steps").status == 2
        assert mineproof("solve", "1#", "--show", table, "--technique", "bounds").status == 2


# how it ends


@pytest.mark.parametrize(
    ("status", "arguments"),
    [(2, ["1#", "--show", "nothing"]), (3, ["1#/#"]), (3, ["b=32&m=60"]), (4, ["3#/#1"]), (4, ["3#/#1", "--steps"])],
)
def test_exit_statuses(status: int, arguments: list[str]) -> None:
    for more in ([], ["--json"]):
        done = mineproof("solve", *arguments, *more)
        assert (done.status, done.text) == (status, "")
