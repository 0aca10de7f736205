"""Audits of labels: what is wrong, undecidable or missing, with proofs that hold; and the readers of label files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.errors import BoardSyntaxError
from support.oracle import brute_force

SURE = "#1#1#"  # with 2 mines: mines at both ends, the middle is safe
OPEN = "#1##/1###"  # with 3 mines


def check(board: str, total: int | None = None, **labels: Any) -> mp.Audit:
    lists: dict[str, Any] = {key: cells for key, cells in labels.items() if key in ("shown", "complete")}
    lists |= {key: frozenset(cells) for key, cells in labels.items() if key not in lists}
    return mp.audit(mp.LabelledPosition("test", mp.Board.parse(board, total), **lists))


def test_right_labels_have_no_fault() -> None:
    checked = check(SURE, 2, safe=[(0, 2)], mines=[(0, 0), (0, 4)])
    assert (checked.verdict, checked.claims, checked.faults) == ("right", 3, ())


def test_a_wrong_label_has_the_steps_that_refute_it() -> None:
    checked = check(SURE, 2, safe=[(0, 0)], complete=False)
    (fault,) = checked.faults
    assert (checked.verdict, fault.verdict, fault.cell, fault.label) == ("wrong", "wrong", (0, 0), "safe")
    assert (0, 0) in fault.proof[-1].mines
    assert fault.text.startswith("(0,0) is labelled safe. ")


def test_an_undecidable_label_has_a_layout_for_each_side() -> None:
    board = mp.Board.parse(OPEN, 3)
    layouts = list(brute_force(board).layouts())
    for state, cells in (("safe", {"safe": [(0, 0)]}), ("mine", {"mines": [(0, 0)]})):
        (fault,) = check(OPEN, 3, **cells, complete=False).faults
        assert (fault.verdict, fault.layouts) == ("undecidable", len(layouts))
        assert fault.agreeing == sum(((0, 0) in layout) is (state == "mine") for layout in layouts)
        assert fault.supporting in layouts
        assert fault.refuting in layouts
        assert ((0, 0) in (fault.supporting or ())) is (state == "mine")
        assert ((0, 0) in (fault.refuting or ())) is (state == "safe")


def test_long_counts_of_layouts_are_shown_as_a_percentage() -> None:
    board = mp.Board.parse("\n".join(["#" * 30] * 16), 99)
    fault = mp.audit(mp.LabelledPosition("x", board, safe=frozenset([(0, 0)]), shown={(0, 1): 0})).faults
    assert [len(one.text) < 120 for one in fault] == [True, True]
    assert "a mine in 20.6 % of the layouts that fit" in fault[0].text
    assert fault[0].layouts is not None
    assert fault[0].layouts > 10**100


def test_an_undecidable_label_without_a_total() -> None:
    (fault,) = check("##1", mines=[(0, 0)], complete=False).faults
    assert (fault.verdict, fault.agreeing, fault.layouts) == ("undecidable", 1, 2)


def test_a_missing_cell_has_its_proof() -> None:
    checked = check(SURE, 2, mines=[(0, 0)])
    (fault,) = checked.faults
    assert (fault.verdict, fault.cell) == ("incomplete", (0, 4))
    assert (0, 4) in fault.proof[-1].mines
    assert check(SURE, 2, mines=[(0, 0)], complete=False).faults == ()
    assert check(SURE, 2, safe=[(0, 2)]).faults == ()  # nothing is claimed about mines


def test_an_impossible_position_names_the_numbers() -> None:
    checked = check("1#/00", safe=[(0, 1)])
    assert checked.verdict == "impossible"
    assert "(0,0)" in checked.faults[0].text


@pytest.mark.parametrize(
    ("labels", "verdict"),
    [
        ({"undecided": [(0, 0)]}, "wrong"),
        ({"mines": [(0, 1)]}, "wrong"),  # an open number
        ({"undecided": [(0, 1)]}, "wrong"),
        ({"safe": [(0, 1)]}, "right"),
        ({"safe": [(3, 3)]}, "wrong"),  # not on the board
        ({"shown": {(0, 2): 0}}, "right"),
        ({"shown": {(0, 2): 1}}, "wrong"),
        ({"shown": {(0, 0): 1}}, "wrong"),  # a mine
        ({"shown": {(0, 1): 1}}, "right"),
        ({"shown": {(0, 1): 2}}, "wrong"),
        ({"shown": {(9, 1): 2}}, "wrong"),
    ],
)
def test_other_claims(labels: dict[str, Any], verdict: str) -> None:
    assert check(SURE, 2, **labels, complete=False).verdict == verdict


def test_a_number_that_the_layouts_dispute() -> None:
    (fault,) = check(OPEN, 3, shown={(0, 2): 2}, complete=False).faults
    layouts = list(brute_force(mp.Board.parse(OPEN, 3)).layouts())
    agreeing = [
        layout for layout in layouts if (0, 2) not in layout and len(layout & {(0, 3), (1, 1), (1, 2), (1, 3)}) == 2
    ]
    assert (fault.verdict, fault.agreeing, fault.layouts) == ("undecidable", len(agreeing), len(layouts))


def test_flags_are_known_mines() -> None:
    assert check("F1#", 1, mines=[(0, 0)], complete=False).verdict == "right"
    assert check("F1#", 1, safe=[(0, 0)], complete=False).verdict == "wrong"


# readers


def write(folder: Path, *lines: object) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_our_form_takes_boards_of_every_sort(tmp_path: Path) -> None:
    board = mp.Board.parse(SURE, 2)
    path = write(
        tmp_path,
        {"id": "text", "board": SURE, "total_mines": 2, "safe": [[0, 2]]},
        {"board": ["#1#1#"], "total_mines": 2, "mines": []},
        {"board": [[-1, 1, -1, 1, -1]], "total_mines": 2, "undecided": [[0, 0]]},
        {"board": board.as_json(), "safe": [], "complete": False},
    )
    positions = list(mp.read_labels(path))
    assert [position.board for position in positions] == [board] * 4
    assert [position.name for position in positions] == ["text", "line 2", "line 3", "line 4"]
    assert [position.complete for position in positions] == [True, True, True, False]
    assert positions[1].safe is None
    assert positions[1].mines == frozenset()


def test_the_topology_of_a_board_counts(tmp_path: Path) -> None:
    torus = mp.Board.parse("#1#/###/###", 1, topology="torus")
    assert mp.analyze(torus).safe != mp.analyze(mp.Board.parse("#1#/###/###", 1)).safe
    (position,) = mp.read_labels(write(tmp_path, {"board": torus.as_json(), "safe": []}))
    assert position.board == torus


SYNLOGIC = {"revealed_grid": [["X", "1", "X", "1", "X"]], "current_mines": [[0, 0]], "n": 5}


def test_synlogic(tmp_path: Path) -> None:
    data = {"question": "...", "answer": "", "metadata": SYNLOGIC}
    path = write(tmp_path, data, {"prompt": [], "extra_info": {"game_data_str": json.dumps(data)}})
    positions = list(mp.read_labels(path))
    assert len(positions) == 2
    for position in positions:
        assert position.board == mp.Board.parse(SURE)
        assert (position.mines, position.safe, position.complete) == (frozenset([(0, 0)]), None, True)
        assert mp.audit(position).verdict == "undecidable"
    assert next(iter(mp.read_labels(path, "synlogic"))).board == positions[0].board


def game_rl(folder: Path, *questions: tuple[str, str, list[str]]) -> Path:
    (folder / "states").mkdir()
    state = {"rows": 2, "cols": 3, "mines": 1, "mine_board": [["M", 1, 0], [1, 1, 0]],
             "revealed": [[False, True, True], [False, True, True]], "flagged": [[False] * 3, [False] * 3]}  # fmt: skip
    (folder / "states/board_1.json").write_text(json.dumps(state))
    entries = [
        {
            "data_id": f"q{number}",
            "state": "states\\board_1.json",
            "question": text,
            "answer": answer,
            "options": options,
        }
        for number, (text, answer, options) in enumerate(questions)
    ]
    path = folder / "data.json"
    path.write_text(json.dumps(entries, indent=1))
    return path


OPENING = ["A: The game will end because the cell contains a mine. ", "B: The cell will reveal an empty area, …",
           "C: The cell will reveal the number 1. ", "D: The cell will reveal the number 4."]  # fmt: skip


def test_game_rl(tmp_path: Path) -> None:
    path = game_rl(
        tmp_path,
        ("How many mines are currently flagged?", "0", []),
        ("What will happen if the player reveals the cell at (0,0)?", "A", OPENING),
        ("What will happen if the player reveals the cell at (1,0)?", "C", OPENING),
        ("What will happen if the player reveals the cell at (1,0)?", "B", OPENING),
        ("What is the best next move at (1,0)?", "B", []),
        ("What is the best next move at (0,0)?", "D", []),
        ("What is the best next move at (0,1)?", "C", []),
    )
    verdicts = [(position.name, mp.audit(position).verdict) for position in mp.read_labels(path)]
    assert verdicts == [
        ("q1", "undecidable"),
        ("q2", "undecidable"),
        ("q3", "wrong"),
        ("q4", "undecidable"),
        ("q5", "right"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: expected a JSON value, got"),
        ("7", "line 1: expected an object"),
        ('{"safe": []}', "line 1: expected the key `board`"),
        ('{"board": "#1#"}', "expected `safe`, `mines` or `undecided`"),
        ('{"board": "#1#", "safe": [1]}', "safe must be cells"),
        ('{"board": "#1#", "safe": [], "total_mines": "2"}', "total_mines must be a whole number"),
        ('{"board": "#1#", "safe": [], "complete": 1}', "complete must be True or False"),
        ('{"board": "#1x#", "safe": []}', "line 1: "),
        ('{"board": 7, "safe": []}', "board must be a str"),
        ('{"board": [[-1, 1], [1]], "safe": []}', "line 1: expected rows of the same number of codes"),
        ('{"board": [[[-1]]], "safe": []}', "line 1: expected whole numbers as codes"),
        ('{"board": [[NaN, 1]], "safe": []}', "line 1: expected whole numbers as codes"),
        ('{"board": {"cells": ["#1"], "topology": "ball"}, "safe": []}', "topology must be one of"),
        (
            r'[{"question": "What is the best next move at (0,0)?", "answer": "A", "state": "a\u0000"}]',
            "question 1: expected",
        ),
        ('{"metadata": {"revealed_grid": [["Y"]], "current_mines": []}}', "expected X or a number from 0 to 8"),
        ('{"metadata": {"revealed_grid": 3}}', "expected `revealed_grid` and `current_mines`"),
        ('{"game_data_str": "{"}', "`game_data_str`: expected JSON"),
        ("[" * 100_000, "expected a JSON array"),
        ("[7]", "question 1: expected an object"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(line)
    with pytest.raises(BoardSyntaxError) as caught:
        list(mp.read_labels(path))
    assert message in str(caught.value)
    assert caught.value.source == str(path)


def test_a_state_file_must_be_below_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = game_rl(folder, ("What is the best next move at (0,0)?", "A", []))
    path.write_text(path.read_text().replace("states\\\\board_1.json", "../secret.json"))
    with pytest.raises(BoardSyntaxError, match="question 1: expected a state file below"):
        list(mp.read_labels(path))
