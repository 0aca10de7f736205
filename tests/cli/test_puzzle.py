"""``mineproof puzzle``: as text, as JSON, with an answer, and at a terminal with typed answers."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.practice.progress import Training
from mineproof.practice.puzzles import TECHNIQUES
from support.command import mineproof
from support.patience import PATIENCE
from support.process import CONTROL, LISTEN
from support.texts import text

ONE = ["puzzle", "--technique", "bounds", "--level", "beginner", "--seed", "7"]  # (0,4) is right, (0,5) harder


def test_the_techniques_are_those_of_the_library() -> None:
    words = " ".join(mineproof("puzzle", "--help").text.split()).replace("- ", "-")  # a line may end with a hyphen
    assert ", ".join(TECHNIQUES) in words


def test_a_puzzle_is_drawn_with_its_task_and_without_its_solution() -> None:
    done = mineproof(*ONE)
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "bounds, beginner, seed 7"
    assert done.lines[1] == "9 × 9, 10 mines, 3 of them without a flag"
    assert done.lines[4] == "0  1 1 1 1 # # # # #"
    assert done.lines[-1] == text("puzzle-task-open")
    assert "S safe" not in done.text


def test_show() -> None:
    done = mineproof(*ONE, "--show")
    assert "0  1 1 1[1]S # # # #" in done.lines
    assert " ".join(done.text.split()).endswith(mp.puzzle("bounds", level="beginner", seed=7).text)


def test_show_of_a_guess_marks_the_best() -> None:
    done = mineproof("puzzle", "--technique", "guess", "--level", "intermediate", "--seed", "1", "--show")
    assert (done.status, "G best guess" in done.text) == (0, True)


def test_several_with_the_seeds_that_follow() -> None:
    done = mineproof("puzzle", "--technique", "single-open", "--level", "beginner", "--seed", "4", "--count", "3")
    heads = [line for line in done.lines if line.startswith("single-open")]
    assert heads == [f"single-open, beginner, seed {seed}" for seed in (4, 5, 6)]


@pytest.mark.parametrize(
    ("cell", "status", "title"),
    [("0,4", 0, "Right."), ("0,5", 1, text("cli-puzzle-harder")), ("1,4", 1, "Wrong.")],
)
def test_an_answer_is_judged(cell: str, status: int, title: str) -> None:
    done = mineproof(*ONE, "--answer", cell)
    assert (done.status, done.err, title in done.lines) == (status, "", True)
    assert (text("cli-puzzle-right-answer", cells="(0,4)") in done.text) is (title == "Wrong.")


def test_an_answer_is_not_kept(tmp_path: Path) -> None:
    mineproof(*ONE, "--answer", "0,4", "--data", str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_json() -> None:
    done = mineproof(*ONE, "--json")
    assert done.json() == mp.puzzle("bounds", level="beginner", seed=7).as_json()
    lines = mineproof(*ONE, "--count", "2", "--json").lines
    assert [json.loads(line)["seed"] for line in lines] == [7, 8]
    judged = mineproof(*ONE, "--answer", "0,4", "--json")
    assert (judged.status, judged.json()["schema"], judged.json()["verdict"]) == (0, "mineproof/answer/1", "right")


def test_without_a_seed_the_seed_is_told() -> None:
    done = mineproof("puzzle", "--technique", "single-open")
    seed = re.fullmatch(r"mineproof: seed (\d+) \(repeat with --seed \1\)\n", done.err)
    assert seed is not None
    assert done.lines[0] == f"single-open, expert, seed {seed[1]}"


def test_daily(monkeypatch: pytest.MonkeyPatch) -> None:
    from mineproof.practice import search

    class Monday(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime(2026, 11, 16, tzinfo=UTC)

    monkeypatch.setattr(search, "datetime", Monday)
    done = mineproof("puzzle", "--daily")
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "partition, expert, the puzzle of 2026-11-16"
    assert mineproof("puzzle", "--daily", "--json").json()["date"] == "2026-11-16"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--daily", "--seed", "1"], "--daily cannot be combined with --seed"),
        (["--daily", "--technique", "total", "--level", "expert"], "combined with --technique or --level"),
        (["--answer", "1,1"], "--answer requires --seed or --daily"),
        (["--seed", "1", "--answer", "1,1", "--count", "2"], "--answer cannot be combined with --count"),
        (["--seed", "1", "--answer", "1,1", "--show"], "--answer cannot be combined with --show"),
        (["--seed", str(2**64 - 1), "--count", "2"], "exceeds the largest seed, 2**64 - 1"),
        (["--technique", "luck"], "--technique must be one of single-open,"),
        (
            ["--level", "hard"],
            "expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, got 'hard'",
        ),
        ([*ONE[1:], "--answer", "0,0"], "Cannot choose (0,0): it is open."),
        ([*ONE[1:], "--answer", "9,9"], "expected a cell on the 9 × 9 board, got (9,9)"),
    ],
)
def test_wrong_usage(arguments: list[str], words: str) -> None:
    done = mineproof("puzzle", *arguments)
    assert (done.status, done.text) == (2, "")
    assert words in done.err


def test_the_budget_is_an_error_with_its_own_status() -> None:
    done = mineproof("puzzle", "--technique", "guess", "--level", "4x4x1", "--seed", "1", "--budget", "0.2", "--json")
    assert (done.status, done.error()["code"]) == (5, "budget")
    assert "positions of" in done.error()["message"]


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_longer_than_the_terminal(columns: int) -> None:
    for more in ([], ["--show"]):
        done = mineproof("puzzle", "--technique", "partition", "--seed", "1", *more, columns=columns)
        assert max(map(len, done.lines)) <= columns


# at a terminal


def typed(*arguments: str, answers: list[str | signal.Signals]) -> tuple[int, str]:
    """Run a command at a terminal; type a line, or press Ctrl-C, whenever it asks. The status, and what was shown.

    Ctrl-C is pressed again each second until the command ends: between its prompt and its read, Python's ``input``
    notes the signal and goes on to wait.
    """
    ours, theirs = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-c", LISTEN, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=env,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    shown, asked, waiting = b"", 0, list(answers)
    pressed: tuple[signal.Signals, float] | None = None
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        ready, _, _ = select.select([ours], [], [], 0.2)
        try:
            piece = os.read(ours, 65536) if ready else b""
        except OSError:  # the other end is closed
            break
        shown += piece
        if not piece and process.poll() is not None:
            break
        prompts = shown.count(b"quit): ")
        if prompts > asked and waiting:
            asked = prompts
            match waiting.pop(0):
                case str(line):
                    os.write(ours, line.encode())
                case signal.Signals() as number:
                    pressed = number, time.monotonic()
        if pressed and time.monotonic() >= pressed[1] and process.poll() is None:
            process.send_signal(pressed[0])
            pressed = pressed[0], time.monotonic() + 1
    os.close(ours)
    return process.wait(timeout=PATIENCE), CONTROL.sub("", shown.decode()).replace("\r", "")


def test_a_session_with_slips_a_harder_cell_and_the_answer(tmp_path: Path) -> None:
    answers: list[str | signal.Signals] = ["x\n", "0,0\n", "99,99\n", "0 5\n", "0,4\n", "q\n"]
    status, shown = typed(*ONE, "--data", str(tmp_path), answers=answers)
    assert status == 0
    assert text("cli-puzzle-expected-cell", line="'x'") in shown
    assert "Cannot choose (0,0): it is open." in shown
    assert "expected a cell on the 9 × 9 board, got (99,99)" in shown
    assert text("cli-puzzle-easier-cell", cell="(0,5)", technique="bounds") in shown
    assert "Right.\n" in shown
    assert re.search(r"Rating 1\d{3} \(provisional\)\. 1 of 1 right, streak 1\.", shown)
    with Training.open(tmp_path) as training:
        assert (training.standing().answers, training.standing().right) == (1, 1)


def test_a_session_goes_on_with_the_next_seed_and_shows_what_is_given_up(tmp_path: Path) -> None:
    status, shown = typed(*ONE, "--data", str(tmp_path), "--count", "2", answers=["1,4\n", "\n", "s\n"])
    assert status == 0
    assert "Wrong.\n" in shown
    assert "bounds, beginner, seed 8" in shown
    assert shown.count("S safe") == 2
    with Training.open(tmp_path) as training:
        assert (training.standing().answers, training.standing().right) == (1, 0)


def test_the_end_of_the_input_ends_it(tmp_path: Path) -> None:
    status, shown = typed(*ONE, "--data", str(tmp_path), answers=["\x04"])
    assert (status, "Traceback" in shown) == (0, False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    status, shown = typed(*ONE, "--data", str(tmp_path), answers=[signal.SIGINT])
    assert (status, "Traceback" in shown) == (130, False)


def test_a_puzzle_answered_before_does_not_count_again(tmp_path: Path) -> None:
    for _ in range(2):
        status, shown = typed(*ONE, "--data", str(tmp_path), "--count", "1", answers=["0,4\n"])
        assert status == 0
    assert text("cli-puzzle-answered-before") in shown
    assert "1 of 1 right" in shown


def test_without_a_technique_it_is_by_the_rating(tmp_path: Path) -> None:
    status, shown = typed("puzzle", "--level", "beginner", "--seed", "3", "--data", str(tmp_path), answers=["q\n"])
    assert status == 0
    assert re.search(r"\b(single-open|single-flag), beginner, seed 3$", shown, re.MULTILINE)
