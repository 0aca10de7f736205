"""``mineproof hint``: one step, at each level of detail, in words, in a picture and in JSON."""

import re

import pytest

import mineproof as mp
from mineproof.cli import output
from support import texts
from support.command import mineproof

STEP = "###/121"
GUESS = ["#####/123##/###3#", "--mines", "6"]
WRONG = "0112F/01F3#/02#4F/01#21/01110"
KEYS = {
    "schema", "kind", "level", "text", "near", "technique", "pattern", "because", "uses_total", "safe", "mines", "cell",
    "mine_probability", "mine_fraction", "safest", "candidates", "argument", "board",
}  # fmt: skip
EXPERT = "\n".join(["30x16x99", "1#1" + "0" * 27, "111" + "0" * 27, *["0" * 30] * 9, *["1" * 30], *["#" * 30] * 4])


# JSON


@pytest.mark.parametrize("board", [[STEP], GUESS, [WRONG], ["1F"], ["1#/##"]])
@pytest.mark.parametrize("level", ["1", "2", "3", "4"])
def test_the_shape(board: list[str], level: str) -> None:
    answer = mineproof("hint", *board, "--level", level, "--json").json()
    assert set(answer) == KEYS
    assert (answer["schema"], answer["level"]) == ("mineproof/hint/1", int(level))
    assert answer["text"]


def test_the_help_names_every_key() -> None:
    text = mineproof("hint", "--help").text
    assert [key for key in KEYS if key not in text] == []


def test_a_whole_document() -> None:
    answer = mineproof("hint", STEP, "--json").json()
    [step, *_] = mp.deduce(mp.Board.parse(STEP))
    assert answer.pop("board")["cells"] == ["###", "121"]
    assert answer.pop("argument") == step.argument.as_json()
    assert answer == {
        "schema": "mineproof/hint/1",
        "kind": "step",
        "level": 4,
        "text": step.text,
        "near": [1, 1],
        "technique": "partition",
        "because": [[1, 0], [1, 1]],
        "uses_total": False,
        "pattern": "1-2-1",
        "safe": [],
        "mines": [[0, 2]],
        "cell": None,
        "mine_probability": None,
        "mine_fraction": None,
        "safest": None,
        "candidates": None,
    }
    guess = mineproof("hint", *GUESS, "--json").json()
    assert (guess["kind"], guess["cell"], guess["mine_probability"], guess["mine_fraction"], guess["safest"]) == (
        "guess",
        [0, 0],
        0.3,
        "3/10",
        [0, 1],
    )


def test_players_who_set_no_flags_ask_for_a_cell_to_open() -> None:
    answer = mineproof("hint", STEP, "--prefer", "safe", "--json").json()
    assert (answer["safe"], answer["mines"]) == ([[0, 1]], [])


# certain moves only


def test_safe_only_answers_no_by_its_status() -> None:
    assert mineproof("hint", STEP, "--safe-only").status == 0
    assert mineproof("hint", WRONG, "--safe-only").status == 0
    for board in (GUESS, ["1#/##"], ["1F"], ["000"]):
        assert mineproof("hint", *board).status == 0
        assert mineproof("hint", *board, "--safe-only").status == 1


def test_safe_only_proves_that_a_guess_is_forced_and_proposes_none() -> None:
    done = mineproof("hint", *GUESS, "--safe-only")
    assert (done.status, done.err) == (1, "")
    assert "No cell is certain: 10 layouts fit" in done.text
    assert "best guess" not in done.text
    assert "safest" not in done.text
    answer = mineproof("hint", *GUESS, "--safe-only", "--json")
    assert (answer.status, answer.json()["kind"], answer.json()["cell"]) == (1, "guess", None)


# flags


def test_flags_are_checked_unless_trusted_or_ignored() -> None:
    assert mineproof("hint", WRONG, "--json").json()["cell"] == [0, 4]
    assert mineproof("hint", WRONG, "--flags", "trust").status == 4
    ignoring = mineproof("hint", WRONG, "--flags", "ignore", "--json").json()
    assert (ignoring["kind"], ignoring["mines"]) == ("step", [[1, 2]]), "no complaint, and flags are cells as any other"
    assert mineproof("hint", "F33F/###F", "--json").json()["kind"] == "guess"
    assert mineproof("hint", "F33F/###F", "--flags", "trust", "--json").json()["mines"] == [[1, 0]]
    assert "[default: check]" in " ".join(mineproof("hint", "--help").text.split())


def test_density_is_for_guesses_without_a_total() -> None:
    assert mineproof("hint", "1#/##", "--json").json()["cell"] is None
    assert mineproof("hint", "1#/##", "--density", "0.2", "--json").json()["mine_fraction"] == "1/3"


# text


def test_four_levels() -> None:
    first, second, third, fourth = (mineproof("hint", STEP, "--level", level).lines for level in "1234")
    assert first == [
        "   0 1 2",
        "0  # # #",
        "1  1[2]1",
        "# covered   [ ] look here",
        "",
        "Certain",
        texts.text("hint-look", number="the 2 at (1,1)"),
    ]
    assert second[2] == "1 [1 2]1"
    assert "# covered   [ ] number used" in second
    assert "Certain: Comparing numbers (partition)" in second
    assert second[1] == "0  # # #"
    assert third[1] == fourth[1] == "0  # # M"
    assert third[-1] == texts.text("hint-move-mines", 1, cells="(0,2)")
    assert mineproof("hint", STEP).lines == fourth


def test_the_picture_of_a_wrong_flag() -> None:
    lines = mineproof("hint", WRONG).lines
    assert lines[1:6] == ["0  . 1 1 2 X", "1  . 1 F[3]#", "2  . 2 #[4]F", "3  . 1 # 2 1", "4  . 1 1 1 ."]
    assert "X wrong flag   F flag   . 0   # covered   [ ] number used" in lines
    assert "A flag is wrong: Counting limits (bounds)" in lines
    assert "X" not in mineproof("hint", WRONG, "--level", "2").text


def test_the_picture_of_a_guess_has_the_odds() -> None:
    lines = mineproof("hint", *GUESS).lines
    assert lines[:6] == [
        "    0  1  2  3  4",
        "0   G 20 40 80  -",
        "1   1  2  3 80 80",
        "2  30 20 60  3 80",
        "G best guess   - touches no number: 80.0 %",
        "two digits: risk of a mine (20 is 20 %)",
    ]
    assert texts.text("cli-hint-guess") in lines
    assert "30" not in mineproof("hint", *GUESS, "--level", "2").text
    assert mineproof("hint", "F###/####", "--mines", "2").lines[1].split() == ["0", "F", "-", "-", "G"]


def test_without_odds_a_guess_has_none() -> None:
    done = mineproof("hint", "1#/##")
    assert "1  # #" in done.lines
    assert "Give the mine count or a density." in " ".join(done.text.split())


def test_a_solved_board() -> None:
    done = mineproof("hint", "1F")
    assert done.lines[-2:] == ["", texts.text("hint-solved", 1)]


def test_how_a_board_was_understood_is_said_where_it_was_a_guess() -> None:
    assert mineproof("hint", "???/121").lines[0].startswith("position in the fair alphabet")
    assert "alphabet" not in mineproof("hint", STEP).text


# the terminal


def test_numbers_used_are_told_apart_without_colours_at_every_width() -> None:
    wide, narrow = (mineproof("hint", EXPERT, "--level", "2", columns=columns) for columns in (80, 40))
    assert " 0 [1]# 1 ." in wide.text
    at = narrow.lines.index(" 0  1#1...........................")
    assert narrow.lines[at + 1] == "    ^"
    assert "^ number used" in narrow.text


def test_a_board_wider_than_the_terminal_is_cut_and_that_is_said() -> None:
    lines = mineproof("hint", EXPERT, columns=30).lines
    assert "columns 0-25 of 30" in lines
    tall = "/".join(["1#1", "111", *["000"] * 98])
    assert "rows 0-19 of 100" in mineproof("hint", tall).lines
    below = "/".join([*["000"] * 98, "111", "1#1"])
    assert "rows 80-99 of 100" in mineproof("hint", below).lines
    assert "rows 0-19 of 30, columns 0-35 of 50" in mineproof("hint", "/".join(["#" * 50] * 30), columns=40).lines


def test_everything_is_seen_on_a_low_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for height in (17, 20, 30):
        monkeypatch.setattr(output, "terminal_height", lambda lines=height: lines)
        lines = mineproof("hint", EXPERT, columns=40).lines
        assert len(lines) < height, "there is room for a prompt"
        assert any("  1M1....." in line for line in lines)
        assert any(re.fullmatch(r"rows 0-\d+ of 16", line) for line in lines) == (height < 30)


@pytest.mark.parametrize("columns", [10, 17, 20, 21, 30, 33, 40, 64, 80, 200])
@pytest.mark.parametrize("level", ["1", "2", "4"])
@pytest.mark.parametrize("board", [[STEP], GUESS, [WRONG], [EXPERT], ["9x3x5 hex/####1####/#########/####2####"]])
def test_never_wider_than_the_terminal(board: list[str], level: str, columns: int) -> None:
    done = mineproof("hint", *board, "--level", level, columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


@pytest.mark.parametrize("arguments", [[STEP], GUESS, [WRONG], [EXPERT, "--level", "2"]])
def test_colours(arguments: list[str]) -> None:
    plain = mineproof("hint", *arguments).text
    assert "\x1b[" not in plain
    colored = mineproof("hint", *arguments, "--color", "always").text
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


def test_the_numbers_used_have_a_colour_of_their_own() -> None:
    colored = mineproof("hint", STEP, "--color", "always").text
    assert re.search(r"\x1b\[[0-9;]*48;5;26m1\x1b\[0m", colored)
    assert re.search(r"\x1b\[[0-9;]*48;5;26m2\x1b\[0m", colored)


def test_hexagons_lie_between_those_above() -> None:
    lines = mineproof("hint", "11##/#1##/####", "--topology", "hex", "--mines", "3", "--level", "2").lines
    assert lines[1:4] == ["0 [1]1 # #", "1   # 1 # #", "2  # # # #"]


# how it ends


@pytest.mark.parametrize(
    ("status", "arguments"),
    [
        (2, ["1#", "--level", "5"]),
        (2, ["1#", "--level", "0"]),
        (3, ["1#/#"]),
        (4, ["3#/#1"]),
        (4, ["3#/#1", "--safe-only"]),
    ],
)
def test_exit_statuses(status: int, arguments: list[str]) -> None:
    for more in ([], ["--json"]):
        done = mineproof("hint", *arguments, *more)
        assert (done.status, done.text) == (status, "")
