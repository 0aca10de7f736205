"""``mineproof check``: needs a guess or not, where, with what odds; and certificates that hold or do not."""

import json
from pathlib import Path
from typing import Any

import pytest

from mineproof.game.layout import Layout
from mineproof.generation.certificate_builder import certify
from support.command import mineproof
from support.texts import text

SOLVABLE = "*.*/.../..."
STUCK = "*..*"
KEYS = {
    "position",
    "schema",
    "start",
    "no_guess",
    "open_cells",
    "safe_cells",
    "total_mines",
    "topology",
    "board",
    "guess",
}


def certificate(folder: Path, **changes: Any) -> str:
    """The path of a certificate of SOLVABLE, with some keys changed."""
    document = certify(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1)).as_json()
    path = folder / "certificate.json"
    path.write_text(json.dumps(document | changes))
    return str(path)


def test_a_certificate_that_is_missing(tmp_path: Path) -> None:
    done = mineproof("check", SOLVABLE, "--start", "2,1", "--certificate", str(tmp_path / "none.json"))
    assert (done.status, done.out) == (2, b"")
    assert done.err.endswith("none.json: file not found\n")


# the answer


def test_no_guess_is_yes() -> None:
    done = mineproof("check", SOLVABLE, "--start", "2,1")
    assert (done.status, done.err) == (0, "")
    assert done.text == text("cli-check-no-guess", start="(2,1)", safe=7) + "\n"


def test_a_forced_guess_is_no_and_is_drawn_with_its_odds() -> None:
    done = mineproof("check", STUCK, "--start", "0,1")
    assert (done.status, done.err) == (1, "")
    assert done.lines[:5] == [
        text("cli-check-guess", start="(0,1)", deduced=1, safe=2),
        "",
        "    0  1  2  3",
        "0   G  1 50  F",
        "G best guess   F flag   two digits: risk of a mine (20 is 20 %)",
    ]
    assert text("cli-hint-guess") in done.lines
    assert text(
        "hint-safest-guess", cell="(0,0)", odds=text("hint-odds-layouts", mined=1, layouts=2, risk="50 %")
    ) in " ".join(done.text.split())


def test_json() -> None:
    yes = mineproof("check", SOLVABLE, "--start", "2,1", "--json")
    assert (yes.status, set(yes.json())) == (0, KEYS)
    assert yes.json()["guess"] is None
    no = mineproof("check", STUCK, "--start", "0,1", "--json")
    assert (no.status, no.err) == (1, "")
    found = no.json()
    assert (found["schema"], found["no_guess"], found["open_cells"], found["safe_cells"]) == (
        "mineproof/check/1",
        False,
        1,
        2,
    )
    assert (found["board"], found["guess"]["cell"], found["guess"]["mine_fraction"]) == (
        ["#1#F"],
        [0, 0],
        "1/2",
    )
    assert (found["total_mines"], found["topology"]) == (2, "grid")


def test_the_layout_may_name_its_start() -> None:
    document = {"schema": "mineproof/layout/1", "rows": 1, "columns": 4, "mines": [[0, 0], [0, 3]], "start": [0, 1]}
    assert mineproof("check", json.dumps(document)).status == 1
    assert mineproof("check", json.dumps(document), "--start", "0,2", "--json").json()["start"] == [0, 2]


def test_other_shapes() -> None:
    grid = mineproof("check", "*.../..../....", "--start", "2,3", "--json").json()
    torus = mineproof("check", "*.../..../....", "--start", "1,2", "--topology", "torus", "--json").json()
    assert [(each["total_mines"], each["topology"]) for each in (grid, torus)] == [(1, "grid"), (1, "torus")]
    assert [list(map(len, each["board"])) for each in (grid, torus)] == [[4, 4, 4]] * 2


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_never_wider_than_the_terminal(columns: int) -> None:
    wide = "/".join(["*" + "." * 28 + "*"] * 2 + ["." * 30] * 3)
    for start in (["--start", "4,4"], ["--anywhere"]):
        done = mineproof("check", wide, *start, columns=columns)
        assert done.status in (0, 1)
        assert [line for line in done.lines if len(line) > columns] == []


# certificates


def test_a_certificate_that_holds(tmp_path: Path) -> None:
    done = mineproof("check", SOLVABLE, "--start", "2,1", "--certificate", certificate(tmp_path))
    assert (done.status, done.lines[-1]) == (0, text("cli-check-certificate-valid"))
    answer = mineproof("check", SOLVABLE, "--start", "2,1", "--certificate", certificate(tmp_path), "--json")
    assert (answer.status, answer.json()["certificate"]) == (0, None)


def test_the_certificate_may_name_the_start(tmp_path: Path) -> None:
    done = mineproof("check", SOLVABLE, "--certificate", certificate(tmp_path))
    assert (done.status, done.lines[-1]) == (0, text("cli-check-certificate-valid"))
    assert "from (2,1)" in done.text


def test_a_certificate_that_does_not_hold(tmp_path: Path) -> None:
    path = certificate(tmp_path, steps=[])
    done = mineproof("check", SOLVABLE, "--start", "2,1", "--certificate", path)
    assert (done.status, done.err) == (1, "")
    assert text("cli-check-certificate-invalid", reason="it ends with 1 safe cell still covered") in " ".join(
        done.text.split()
    )
    answer = mineproof("check", SOLVABLE, "--start", "2,1", "--certificate", path, "--json")
    assert answer.status == 1
    assert answer.json()["no_guess"], "the layout is one thing, the certificate another"
    assert answer.json()["certificate"]["code"] == "certificate"
    assert mineproof("check", SOLVABLE, "--start", "2,0", "--certificate", certificate(tmp_path)).status == 1


def test_a_certificate_that_cannot_be_read(tmp_path: Path) -> None:
    path = certificate(tmp_path, start="here")
    done = mineproof("check", SOLVABLE, "--start", "2,1", "--certificate", path)
    assert (done.status, done.text) == (3, "")
    assert done.err.startswith(f"mineproof: {path}: certificate: ")
    assert "`$.start" in done.err


# every start


def test_anywhere() -> None:
    done = mineproof("check", SOLVABLE, "--anywhere")
    assert done.status == 0
    assert done.lines == [
        text("cli-check-starts", count=4, safe=7),
        "",
        "   0 1 2",
        "0  M S M",
        "1  # # #",
        "2  S S S",
        "",
        "S start that needs no guess   M mine   # covered",
    ]
    answer = mineproof("check", SOLVABLE, "--anywhere", "--json").json()
    assert answer == {"schema": "mineproof/starts/1", "starts": [[0, 1], [2, 0], [2, 1], [2, 2]], "safe_cells": 7}
    nowhere = mineproof("check", ".*./*.*/.*.", "--anywhere", "--json")
    assert (nowhere.status, nowhere.json()["starts"]) == (1, [])


# how it ends


@pytest.mark.parametrize(
    ("status", "arguments"),
    [
        (2, [SOLVABLE]),
        (2, [SOLVABLE, "--start", "0,0"]),
        (2, [SOLVABLE, "--start", "9,9"]),
        (2, [SOLVABLE, "--start", "here"]),
        (2, [SOLVABLE, "--start", "2,1", "--anywhere"]),
        (2, [SOLVABLE, "--start", "2,1", "--certificate", "nowhere.json"]),
        (3, ["1#/##", "--start", "0,1"]),
        (3, ["*x/..", "--start", "0,1"]),
    ],
)
def test_exit_statuses(status: int, arguments: list[str]) -> None:
    for more in ([], ["--json"]):
        done = mineproof("check", *arguments, *more)
        assert (done.status, done.text) == (status, "")
        assert done.err
