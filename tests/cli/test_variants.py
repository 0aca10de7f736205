"""Boards of variants on the command line: --rules, a first line with rules, and JSON, for every command with BOARD."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from support.command import mineproof

LIAR = ["1##/##0", "--rules", "liar", "--mines", "2"]


def _json(*arguments: str) -> Any:
    return json.loads(mineproof(*arguments, "--json").text)


def test_analyze_and_solve() -> None:
    text = mineproof("analyze", *LIAR, "--exact").text
    assert "liar: A clue is one more or one less than the number of mines around it." in text
    assert "2 layouts fit." in text
    assert "\n 1  50%  S\n M  50%  0\n" in text
    assert _json("analyze", *LIAR)["mines"] == [[1, 0]]
    assert "So (1,0) is a mine." in " ".join(mineproof("solve", *LIAR, "--steps").text.split())
    solution = _json("solve", *LIAR)
    assert (solution["schema"], solution["safe"]) == ("mineproof/variant-solution/1", [[0, 2]])
    assert mp.VariantBoard.parse(json.dumps(solution["board"])) == mp.Board.parse(LIAR[0], 2, rules="liar")


def test_hint_best_and_layouts() -> None:
    assert mineproof("hint", *LIAR, "--level", "1").text.endswith("Look at the 0 at (1,2).\n")
    assert _json("hint", *LIAR)["mines"] == [[1, 0]]
    assert mineproof("hint", "1#/##", "--rules", "liar", "--mines", "2", "--safe-only").status == 1
    assert _json("best", *LIAR)["best"] == [0, 2]
    assert mineproof("best", "1#", "--rules", "liar").status == 2
    assert mineproof("layouts", *LIAR, "--count").text == "2\n"
    assert mineproof("layouts", *LIAR).text == "1 _ _\n* * 0\n\n1 * _\n* _ 0\n"


def test_a_board_that_says_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text("3x2x? hex liar\n1 # #\n# # 0\n")
    known = _json("analyze", str(path))
    assert known["board"]["topology"] == "hex"
    assert _json("analyze", "1##/##0", "--rules", "liar", "--shape", "hex") == known
    path.write_text(json.dumps(known["board"]))
    assert _json("analyze", str(path)) == known
    lines = mineproof("analyze", "--lines", stdin="3x2x? hex liar/1 # #/# # 0\n")
    assert lines.json() == known


def test_draw(tmp_path: Path) -> None:
    path = tmp_path / "liar.svg"
    mineproof("draw", *LIAR, "--odds", "-o", str(path))
    assert "liar: odds" in path.read_text("utf-8")


def test_generate_and_check(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(mineproof("generate", "4x4x4", "--rules", "liar", "--unique", "--seed", "1").text)
    done = mineproof("check", str(path))
    assert (done.status, done.text) == (0, "1 layout fits.\n")
    assert mineproof("check", *LIAR).status == 1
    made = _json("generate", "5x5x5", "--rules", "wall", "--no-guess", "--certificate", "--seed", "2")
    mp.verify_variant(made["certificate"])
    path.write_text(json.dumps(made["solution"]))
    assert mineproof("check", str(path), "--start", "2,2").status == 0
    assert mineproof("check", "2x2x1 classic/1 F/1 1", "--start", "0,0").status == 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["solve", "1#", "--rules", "liar", "--technique", "bounds"], 2, "--technique is for plain boards"),
        (["analyze", "1#", "--rules", "lair"], 2, ": --rules must be some of classic"),
        (["analyze", "1#/##", "--rules", "quad", "--shape", "hex"], 2, "quad is for the shapes grid"),
        (["analyze", "1x/##", "--rules", "quad"], 3, "line 1, character 2"),
        (["analyze", "0##/###", "--rules", "quad"], 4, "and the rule quad at (0,0) contradict each other"),
        (["layouts", "1#", "--rules", "mines:2"], 2, "one mine in a cell"),
        (
            ["generate", "4x4x4", "--rules", "liar", "--unique", "--no-guess"],
            2,
            "--unique and --no-guess exclude each other",
        ),
        (["generate", "4x4x4", "--unique"], 2, "--unique needs --rules"),
        (["generate", "4x4x4", "--rules", "liar", "--zini", "3"], 2, "--zini is for plain boards"),
    ],
)
def test_errors(arguments: list[str], status: int, message: str) -> None:
    done = mineproof(*arguments)
    assert (done.status, message in done.err) == (status, True), done.err


def test_no_seed_is_printed_for_unknown_rules() -> None:
    done = mineproof("generate", "4x4x4", "--rules", "lair")
    assert done.err.startswith("mineproof: --rules must be some of")
