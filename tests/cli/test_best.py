"""``mineproof best``: the move, the table and the sentence; optimal play of positions and whole boards."""

import json
import re
from pathlib import Path

import pytest

from support import texts
from support.command import mineproof

GUESS = ["#####/123##/###3#", "--mines", "6"]
SAFE = ["###/121", "--mines", "2"]
DONE = ["1F", "--mines", "1"]
EXPERT = "\n".join(["30x16x99", "1" + "#" * 29, *["#" * 30] * 15])
KEYS = {
    "schema", "best", "mine_probability", "win_probability", "exact", "win_fraction", "reason", "text", "safest",
    "layouts", "complete", "playouts", "thought", "moves", "board",
}  # fmt: skip
MOVE_KEYS = {
    "cell", "mine_probability", "win_probability", "exact", "win_fraction", "standard_error", "score", "progress",
    "fate", "outlook", "alike",
}  # fmt: skip


# JSON


@pytest.mark.parametrize("board", [GUESS, SAFE, DONE, [EXPERT, "--playouts", "5"]])
def test_the_shape(board: list[str]) -> None:
    done = mineproof("best", *board, "--json")
    assert (done.status, done.err) == (0, "")
    answer = done.json()
    assert set(answer) == KEYS
    assert answer["schema"] == "mineproof/best/1"
    assert answer["text"]
    for move in answer["moves"]:
        assert set(move) == MOVE_KEYS
        for shown in move["outlook"]:
            assert set(shown) == {"number", "chance", "safe", "safety"}
    if answer["moves"]:
        first = answer["moves"][0]
        for key in ("mine_probability", "win_probability", "exact", "win_fraction"):
            assert answer[key] == first[key]
        assert answer["best"] == first["cell"]


def test_the_known_example() -> None:
    answer = mineproof("best", *GUESS, "--json").json()
    assert (answer["best"], answer["mine_probability"], answer["win_probability"]) == ([0, 0], 0.3, 0.6)
    assert (answer["exact"], answer["win_fraction"], answer["layouts"]) == (True, "3/5", "10")
    assert [move["win_fraction"] for move in answer["moves"]][:4] == ["3/5", "1/2", "2/5", "2/5"]
    assert mineproof("best", *GUESS, "--exact", "--json").json() == answer


def test_strategies() -> None:
    for name, best in (("best", [0, 0]), ("strong", [0, 0]), ("fast", [0, 0]), ("minesolver", [0, 1])):
        assert mineproof("best", *GUESS, "--strategy", name, "--json").json()["best"] == best
    assert mineproof("best", *GUESS, "--strategy", "go").status == 2


@pytest.mark.slow
def test_thinking() -> None:
    answer = mineproof("best", EXPERT, "--seconds", "1", "--json").json()
    assert set(answer["thought"]) == {"seconds", "clear", "rivals"}
    first = answer["thought"]["rivals"][0]
    assert set(first) == {"cell", "win_probability", "standard_error", "layouts", "played_by", "dropped"}
    assert first["cell"] == answer["best"]
    assert (first["win_probability"], first["standard_error"]) == (
        answer["moves"][0]["win_probability"],
        answer["moves"][0]["standard_error"],
    )
    text = mineproof("best", EXPERT, "--seconds", "0.5").text
    assert re.search(r"^Thought for \d\.\d s, with [\d,]+ layouts from the best cells\. ", text, re.MULTILINE)
    assert mineproof("best", *GUESS, "--seconds", "5", "--json").json()["thought"] is None


def test_estimates_can_be_left_out() -> None:
    estimated = mineproof("best", EXPERT, "--playouts", "10", "--json").json()
    assert 0 < estimated["moves"][0]["standard_error"] < 1
    assert estimated["exact"] is False
    bare = mineproof("best", EXPERT, "--playouts", "0", "--json").json()
    assert {move["win_probability"] for move in bare["moves"]} == {None}


def test_flags() -> None:
    board = ["#2F/###", "--mines", "2"]
    assert mineproof("best", *board, "--json").json()["win_fraction"] == "3/4"
    ignoring = mineproof("best", *board, "--flags", "ignore", "--json").json()
    assert [0, 2] in [move["cell"] for move in ignoring["moves"]]


# text


def test_a_guess_in_text() -> None:
    lines = mineproof("best", *GUESS).lines
    assert lines[0] == "5 × 3, 6 mines"
    assert "0 [30]20 40 80  -" in lines
    assert any(line.endswith("[ ] best move") for line in lines)
    assert any(line.startswith("The best guess is (0,0): you win 60 % of the time") for line in lines)
    at = lines.index("cell       mine  wins           then safe  may show")
    assert lines[at + 1].startswith("(0,0)    30.0 %  3/5 = 60.0 %      70.0 %  0 (50.0 %: 1 safe),")
    assert lines[-1] == texts.text("cli-best-more-in-json", 3)


def test_a_narrow_terminal() -> None:
    lines = mineproof("best", *GUESS, columns=40).lines
    at = lines.index("(0,0) mine 30.0 %; wins 3/5 = 60.0 %;")
    assert lines[at + 1 : at + 4] == ["  then safe 70.0 %;", "  may show 0 (50.0 %: 1 safe),", "  1 (20.0 %: 1 safe)"]


def test_a_safe_cell_and_the_end_in_text() -> None:
    safe = mineproof("best", *SAFE).lines
    assert "0   M [S] M" in safe
    assert safe[-1] == "(0,1) is safe. You can win without a guess."
    assert mineproof("best", *DONE).lines[-1] == texts.text("best-done")


def test_an_estimate_in_text() -> None:
    done = mineproof("best", EXPERT, "--playouts", "10")
    assert re.search(r"\(\d+,\d+\) +\d+\.\d %  ≈ \d+ ± \d+ % +", done.text)


@pytest.mark.parametrize("columns", [10, 17, 20, 33, 40, 63, 71, 72, 80, 200])
@pytest.mark.parametrize("board", [GUESS, SAFE, DONE, [EXPERT, "--playouts", "0"]])
def test_never_wider_than_the_terminal(board: list[str], columns: int) -> None:
    done = mineproof("best", *board, columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


def test_colours() -> None:
    plain = mineproof("best", *GUESS).text
    assert "\x1b[" not in plain
    colored = mineproof("best", *GUESS, "--color", "always").text
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain != colored


# whole boards


def test_a_whole_board_in_text() -> None:
    done = mineproof("best", "--exact", "5x5x3", "--first-click", "safe")
    assert done.lines == [
        texts.text("cli-best-size", board="5 × 5, 3 mines", rule="safe"),
        texts.text("cli-best-optimal-play", chance="899/1012 = 88.8 %"),
        texts.text("cli-best-first-cells", cells="(0,0) (0,4) (4,0) (4,4)"),
        "",
        texts.text("cli-best-by-first-cell"),
        "      0     1     2     3     4",
        "0  88.8  87.1  86.3  87.1  88.8",
        "1  87.1  85.8  84.4  85.8  87.1",
        "2  86.3  84.4  82.8  84.4  86.3",
        "3  87.1  85.8  84.4  85.8  87.1",
        "4  88.8  87.1  86.3  87.1  88.8",
    ]
    assert mineproof("best", "--exact", "5x5x3").lines == done.lines


def test_a_whole_board_in_json() -> None:
    answer = mineproof("best", "--exact", "4x4x4", "--first-click", "any", "--json").json()
    assert (answer["schema"], answer["exact"], answer["first_click"]) == ("mineproof/best/1", True, "any")
    assert (answer["rows"], answer["columns"], answer["mines"], answer["topology"]) == (4, 4, 4, "grid")
    assert (answer["best"], answer["mine_probability"], answer["win_fraction"]) == ([0, 1], 0.25, "961/1820")
    assert len(answer["moves"]) == 16
    assert (KEYS & MOVE_KEYS) | {"cell"} <= set(answer["moves"][0])


def test_a_board_of_mines_alone() -> None:
    """As the library has it: the game is won before it begins, unless the rule wants a free cell."""
    told = mineproof("best", "--exact", "2x2x4", "--first-click", "any")
    assert told.lines[-1] == texts.text("cli-best-all-mines")
    answer = mineproof("best", "--exact", "2x2x4", "--first-click", "any", "--json").json()
    assert (answer["best"], answer["win_probability"], answer["win_fraction"]) == (None, 1.0, "1")
    assert mineproof("best", "--exact", "2x2x4").lines[-1] == texts.text("cli-best-no-layout")


def test_a_rule_that_leaves_no_layout() -> None:
    told = mineproof("best", "--exact", "2x2x1", "--first-click", "open")
    assert told.lines[-1] == texts.text("cli-best-no-layout-open")
    answer = mineproof("best", "--exact", "2x2x1", "--first-click", "open", "--json").json()
    assert (answer["best"], answer["win_probability"], answer["moves"]) == (None, None, [])
    assert mineproof("best", "--exact", "3x3x5", "--first-click", "open").lines[-2].split() == ["1", "-", "-", "-"]


def test_other_shapes() -> None:
    torus = mineproof("best", "--exact", "4x3x3", "--topology", "torus", "--json").json()
    assert len({move["win_fraction"] for move in torus["moves"]}) == 1
    hexagons = mineproof("best", "--exact", "4x3x2", "--topology", "hex").lines
    assert hexagons[0] == texts.text("cli-best-size", board="4 × 3 hex, 2 mines", rule="safe")
    assert re.match(r"1     [ \d]", hexagons[-2]), "an odd row stands to the right"


@pytest.mark.parametrize("columns", [12, 20, 40])
def test_a_wide_board_is_cut_into_bands(columns: int) -> None:
    lines = mineproof("best", "--exact", "12x2x1", columns=columns).lines
    assert [line for line in lines if len(line) > columns] == []
    assert sum(line.startswith("0 ") for line in lines) == -(-12 // max(1, (columns - 4) // 6))


def test_a_file_comes_before_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("5x5x3").write_text("###/121", "utf-8")
    assert mineproof("best", "5x5x3", "--mines", "2", "--json").json()["best"] == [0, 1]


# how it ends


@pytest.mark.parametrize(
    ("status", "arguments", "words"),
    [
        (2, ["1#/##"], "--mines N"),
        (2, ["5x5x3"], "SIZE needs --exact"),
        (2, ["expert"], "SIZE needs --exact"),
        (2, ["--exact", "5x5x3", "--mines", "3"], "--mines cannot be combined with SIZE"),
        (2, ["--exact", "5x5x3", "--strategy", "fast"], "--strategy cannot be combined with SIZE"),
        (2, ["--exact", "5x5x26"], "at most 25"),
        (2, [*GUESS, "--first-click", "safe"], "--first-click needs SIZE"),
        (2, [*GUESS, "--exact", "--strategy", "fast"], "--exact cannot be combined with --strategy"),
        (2, [*GUESS, "--playouts", "-1"], "--playouts"),
        (3, ["1#/#", "--mines", "1"], "expected"),
        (4, ["3#/##", "--mines", "2"], texts.text("contradiction-shown-by", 1, numbers="The 3 at (0,0)")),
        (5, [EXPERT, "--exact"], "layouts fit. Optimal play is limited to "),
        (5, ["--exact", "expert"], "10^104 layouts fit"),
        (5, ["--exact", "4x4x7", "--states", "20"], "Use --states N to allow more"),
    ],
)
def test_exit_statuses(status: int, arguments: list[str], words: str) -> None:
    done = mineproof("best", *arguments)
    assert (done.status, done.text) == (status, "")
    assert words in done.err
    as_json = mineproof("best", *arguments, "--json")
    assert (as_json.status, as_json.text) == (status, "")
    assert json.loads(as_json.err)["schema"] == "mineproof/error/1"
