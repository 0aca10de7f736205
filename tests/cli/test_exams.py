"""The commands task, judge and audit: files, tables, JSON and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mineproof as mp
from support.command import mineproof

SMALL = ["--level", "5x5x4", "--seed", "1"]


def tasks_file(folder: Path, *options: str) -> Path:
    path = folder / "tasks.jsonl"
    assert mineproof("task", *SMALL, *options, "-o", str(path)).status == 0
    return path


def answers_file(folder: Path, *answers: object) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(answer) + "\n" for answer in answers), "utf-8")
    return path


# task


def test_a_task_is_printed_as_text() -> None:
    done = mineproof("task", *SMALL, "--kind", "mines", "--form", "words")
    assert done.status == 0
    assert done.text == mp.task("mines", level="5x5x4", form="words", seed=1).prompt + "\n"
    assert done.err == ""


def test_without_a_seed_the_random_one_is_named() -> None:
    assert "seed" in mineproof("task", "--level", "5x5x4").err


def test_several_kinds_take_turns() -> None:
    done = mineproof("task", *SMALL, "--kind", "safe", "--kind", "claim", "--count", "4", "--json")
    assert [json.loads(line)["kind"] for line in done.lines] == ["safe", "claim", "safe", "claim"]
    assert json.loads(done.lines[1]) == mp.task("claim", level="5x5x4", seed=1, number=1).as_json()


def test_a_file_of_tasks_is_not_replaced(tmp_path: Path) -> None:
    path = tasks_file(tmp_path)
    before = path.read_bytes()
    done = mineproof("task", *SMALL, "--count", "2", "-o", str(path))
    assert (done.status, path.read_bytes()) == (2, before)
    assert "already exists. Use --force" in done.err
    done = mineproof("task", *SMALL, "--count", "2", "-o", str(path), "--force")
    assert done.status == 0
    assert f"Wrote 2 tasks to {path}." in done.err


def test_the_technique_and_the_numbers_are_in_the_metadata() -> None:
    done = mineproof("task", "--technique", "partition", "--numbers", "2..4", "--seed", "3", "--json")
    metadata = done.json()["metadata"]
    assert metadata["technique"] == "partition"
    assert 2 <= metadata["numbers"] <= 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kind", "riddle"], "--kind must be one of safe, mines"),
        (["--numbers", "x"], "--numbers must be a number or a range such as 2..4"),
        (["--numbers", ".."], "--numbers must be a number or a range such as 2..4"),
        (["--numbers", "4..2"], "--numbers must be the least and the most, in this order"),
        (["--kind", "game", "--technique", "total"], "technique and numbers are for other kinds of tasks"),
        (["-o", "no/such/folder/tasks.jsonl"], "folder not found"),
    ],
)
def test_wrong_options_of_task(options: list[str], message: str) -> None:
    done = mineproof("task", *SMALL, *options)
    assert done.status == 2
    assert message in done.err


# judge


def test_judge_prints_a_table(tmp_path: Path) -> None:
    tasks = tasks_file(tmp_path, "--kind", "safe-cell", "--kind", "claim", "--count", "4")
    right = [json.loads(line)["answer"] for line in tasks.read_text("utf-8").splitlines()]
    done = mineproof("judge", str(tasks), str(answers_file(tmp_path, right[0], right[1], "?", right[3])))
    assert (done.status, done.err) == (0, "")
    assert done.lines[0].split() == [
        "kind", "tasks", "right", "partial", "lucky", "wrong", "unreadable", "proof", "luck",
    ]  # fmt: skip
    assert done.lines[1].split()[:8] == ["safe-cell", "2", "1", "0", "0", "0", "1", "0.500"]
    assert done.lines[2].split()[:8] == ["claim", "2", "2", "0", "0", "0", "0", "1.000"]


def test_answers_name_their_task(tmp_path: Path) -> None:
    tasks = tasks_file(tmp_path, "--count", "2")
    lines = [json.loads(line) for line in tasks.read_text("utf-8").splitlines()]
    answers = [
        {"id": lines[1]["id"], "completion": lines[1]["answer"]},
        {"id": "another/task", "answer": "[0, 0]"},
    ]
    done = mineproof("judge", str(tasks), str(answers_file(tmp_path, *answers)), "--json")
    outcomes = [json.loads(line)["outcome"] for line in done.lines]
    assert outcomes == ["unreadable", "right"]
    assert "An answer names the task another/task" in done.err


def test_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "tasks.parquet"
    assert mineproof("task", *SMALL, "--count", "3", "-o", str(path)).status == 0
    from pyarrow import parquet

    table = parquet.read_table(path)
    assert table.column_names == ["id", "kind", "prompt", "answer", "metadata"]
    answers = answers_file(tmp_path, *table["answer"].to_pylist())
    done = mineproof("judge", str(path), str(answers), "--json")
    assert [json.loads(line)["outcome"] for line in done.lines] == ["right"] * 3
    path.write_bytes(b"PAR1")
    done = mineproof("judge", str(path), str(answers))
    assert done.status == 3
    assert "expected a Parquet file of tasks" in done.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line 1: expected a JSON value, got"),
        ('{"id": 7, "answer": "x"}', "line 1: expected the id of a task as text"),
        ('{"id": "a", "answer": "x"}\n{"id": "a", "answer": "y"}', "line 2: the task a has two answers"),
    ],
)
def test_damaged_answers_are_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(content)
    done = mineproof("judge", str(tasks_file(tmp_path)), str(path))
    assert done.status == 3
    assert message in done.err


@pytest.mark.parametrize("cell", [[-1, -1], [99, 0]])
def test_a_claim_outside_the_board_is_refused_with_its_line(tmp_path: Path, cell: list[int]) -> None:
    path = tasks_file(tmp_path, "--kind", "claim")
    task = json.loads(path.read_text())
    task["metadata"]["assertion"]["cell"] = cell
    path.write_text(json.dumps(task))
    done = mineproof("judge", str(path), str(answers_file(tmp_path, "right")))
    assert (done.status, "tasks.jsonl: line 1: expected a cell" in done.err) == (3, True)


def test_damaged_tasks_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    path.write_text('\n{"schema": "mineproof/task/1"}\n')
    done = mineproof("judge", str(path), str(answers_file(tmp_path, "x")))
    assert done.status == 3
    assert f"{path}: line 2: expected a task" in done.err
    assert mineproof("judge", str(tmp_path / "none"), str(path)).status == 2


# audit

RIGHT = {"id": "a", "board": "#1#1#", "total_mines": 2, "safe": [[0, 2]], "mines": [[0, 0], [0, 4]]}
WRONG = {"id": "b", "board": "#1#1#", "total_mines": 2, "safe": [[0, 0]], "mines": [[0, 4]]}


def test_right_labels_exit_with_0(tmp_path: Path) -> None:
    done = mineproof("audit", str(answers_file(tmp_path, RIGHT, RIGHT)))
    assert done.status == 0
    assert [line.split() for line in done.lines] == [
        ["verdict", "positions", "cells"], ["right", "2", "6"], ["all", "2", "6"],
    ]  # fmt: skip


def test_wrong_labels_exit_with_1_and_are_proved(tmp_path: Path) -> None:
    done = mineproof("audit", str(answers_file(tmp_path, RIGHT, WRONG)))
    assert done.status == 1
    text = " ".join(done.text.split())
    assert "b: wrong #1#1# wrong: (0,0) is labelled safe." in text
    assert "incomplete: (0,2) is missing among the safe cells." in text
    assert [line.split() for line in done.lines[-5:]] == [
        ["verdict", "positions", "cells"],
        ["right", "1", "4"],
        ["incomplete", "0", "2"],
        ["wrong", "1", "1"],
        ["all", "2", "7"],
    ]
    assert "1 more position with faults is not shown" in mineproof(
        "audit", str(answers_file(tmp_path, WRONG)), "--limit", "0"
    ).text.replace("\n", " ")


def test_an_audit_in_json(tmp_path: Path) -> None:
    done = mineproof("audit", str(answers_file(tmp_path, RIGHT, WRONG)), "--json")
    assert done.status == 1
    right, wrong = map(json.loads, done.lines)
    assert (right["verdict"], right["faults"], right["claims"]) == ("right", [], 3)
    assert [fault["verdict"] for fault in wrong["faults"]] == ["wrong", "incomplete", "incomplete"]
    assert wrong["faults"][0]["proof"]


def test_an_audit_in_german(tmp_path: Path) -> None:
    done = mineproof("--language", "de", "audit", str(answers_file(tmp_path, WRONG)))
    assert "b: falsch" in done.text
    assert "(0,0) ist als frei bezeichnet." in done.text


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    done = mineproof("audit", str(answers_file(tmp_path, 7)))
    assert done.status == 3
    assert "line 1: expected an object, got 7" in done.err
    assert mineproof("audit", str(tmp_path / "none")).status == 2


# positions that cannot be counted

WIDE = ["".join("#" if row % 2 or column % 2 else "3" for column in range(61)) for row in range(61)]


def test_an_audit_goes_on_after_a_position_that_takes_too_long(tmp_path: Path) -> None:
    path = answers_file(
        tmp_path,
        {"id": "wide", "board": WIDE, "total_mines": 800, "safe": []},
        {"id": "right", "board": "#1#1#", "total_mines": 2, "safe": [[0, 2]]},
    )
    done = mineproof("audit", str(path), "--budget", "0.1")
    assert done.status == 5
    assert "wide: No result after" in done.err
    assert [line.split() for line in done.lines[1:]] == [
        ["right", "1", "1"],
        ["not", "checked", "1"],
        ["all", "2", "1"],
    ]


def test_judge_leaves_out_a_task_that_contradicts_itself(tmp_path: Path) -> None:
    path = tasks_file(tmp_path, "--kind", "safe", "--count", "2")
    first, second = map(json.loads, path.read_text().splitlines())
    first["metadata"]["board"]["total_mines"] = 25
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    done = mineproof("judge", str(path), str(answers_file(tmp_path, "[]", second["answer"])))
    assert done.status == 4
    assert "safe/grid/5x5x4/1/0: The board contradicts itself" in done.err
    assert done.lines[1].split()[:3] == ["safe", "1", "1"]


def test_names_in_files_cannot_move_the_cursor(tmp_path: Path) -> None:
    name = "\x1b[31mred\n"
    labels = answers_file(tmp_path, {"id": name, "board": "#1#", "total_mines": 1, "safe": [[0, 0]]})
    assert mineproof("audit", str(labels)).text.startswith("'\\x1b[31mred\\n': undecidable\n")
    answers = answers_file(tmp_path, {"id": name, "answer": "[]"})
    assert "\x1b" not in mineproof("judge", str(tasks_file(tmp_path)), str(answers)).err
