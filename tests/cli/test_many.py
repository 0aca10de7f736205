"""Many boards in one call: several BOARD arguments, and --lines."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mineproof.cli import boards
from support.command import Done, mineproof
from support.patience import PATIENCE

GOOD, UNREADABLE, CONTRADICTORY = "2x2x1/1#/##", "1#/#x", "3#/#1"


def documents(done: Done) -> list[Any]:
    return [json.loads(line) for line in done.lines]


# several boards


@pytest.mark.parametrize("command", ["analyze", "solve", "hint", "best", "layouts"])
@pytest.mark.parametrize("how", [[], ["--json"]])
def test_one_board_is_answered_as_ever_and_two_under_their_names(command: str, how: list[str]) -> None:
    one, other = GOOD, "2x2x2/2#/##"
    alone = [mineproof(command, board, *how).text for board in (one, other)]
    both = mineproof(command, one, other, *how)
    assert (both.status, both.err) == (0, "")
    if how:
        named = [(one, json.loads(line)) for line in alone[0].splitlines()]
        named += [(other, json.loads(line)) for line in alone[1].splitlines()]
        found = documents(both)
        assert [document.pop("source") for document in found] == [name for name, _ in named]
        assert found == [document for _, document in named]
    else:
        assert not alone[0].startswith("==>")
        assert both.text == f"==> {one} <==\n{alone[0]}\n==> {other} <==\n{alone[1]}"


def test_check_and_convert_take_many(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.txt", "b.txt")]
    paths[0].write_text("..*\n...\n")
    paths[1].write_text("...\n...\n..*\n")
    done = mineproof("check", *map(str, paths), "--start", "0,0", "--json")
    assert [(each["source"], each["no_guess"]) for each in documents(done)] == [(str(paths[0]), False),
                                                                               (str(paths[1]), True)]  # fmt: skip
    assert done.status == 1
    written = mineproof("convert", *map(str, paths), "--to", "layout")
    assert written.text == f"==> {paths[0]} <==\n..*\n...\n\n==> {paths[1]} <==\n...\n...\n..*\n"
    shapes = documents(mineproof("convert", *map(str, paths), "--json"))
    assert [(each["source"], each["schema"]) for each in shapes] == [
        (str(path), "mineproof/layout/1") for path in paths
    ]


def test_a_board_that_has_no_answer_does_not_stop_the_others() -> None:
    boards = [GOOD, UNREADABLE, "nowhere.mine", CONTRADICTORY, GOOD]
    done = mineproof("analyze", *boards)
    assert done.status == 4
    assert [line for line in done.lines if line.startswith("==>")] == [f"==> {board} <==" for board in boards]
    assert done.text.count("layouts fit") == 2
    [unreadable, missing, contradiction] = done.err.splitlines()
    assert unreadable.startswith("mineproof: '1#/#x' (not a file, so read as a board): line 1, character 5")
    assert missing == "mineproof: nowhere.mine: file not found"
    assert contradiction.startswith("mineproof: 3#/#1: The board contradicts itself: the 3 at (0,0)")


def test_errors_go_to_standard_error_with_json() -> None:
    """As they do with a single board: standard output has answers alone."""
    boards = [GOOD, UNREADABLE, CONTRADICTORY, GOOD]
    done = mineproof("solve", *boards, "--json")
    assert done.status == 4
    assert [each["source"] for each in documents(done)] == [GOOD, GOOD]
    errors = [json.loads(line) for line in done.err.splitlines()]
    assert [(each["source"], each["code"]) for each in errors] == [
        (UNREADABLE, "syntax"),
        (CONTRADICTORY, "contradiction"),
    ]


@pytest.mark.parametrize(
    ("boards", "status"),
    [([GOOD, GOOD], 0), ([GOOD, UNREADABLE], 3), ([CONTRADICTORY, UNREADABLE], 4), (["nowhere.mine", GOOD], 2)],
)
def test_the_exit_status_is_the_highest(boards: list[str], status: int) -> None:
    assert mineproof("analyze", *boards).status == status
    assert mineproof("analyze", "--lines", stdin="\n".join(boards)).status == (3 if status == 2 else status)


def test_standard_input_among_several() -> None:
    done = mineproof("layouts", "-", GOOD, "--count", stdin="2x2x2/2#/##")
    assert done.text == f"==> standard input <==\n3\n\n==> {GOOD} <==\n3\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["convert", "*.", ".*", "--to", "layout", "-o", "x"], "-o FILE needs a single board, got 2 boards"),
        (["convert", "*.", ".*", "--to", "mbf"], "--to mbf needs -o FILE and a single board"),
        (["check", "*.", ".*", "--start", "0,1", "--certificate", __file__], "--certificate needs a single layout"),
        (["check", "--lines", "--certificate", __file__], "--certificate needs a single layout"),
    ],
)
def test_what_goes_with_one_board_only(arguments: list[str], words: str) -> None:
    done = mineproof(*arguments)
    assert (done.status, done.text) == (2, "")
    assert words in done.err


# one a line

COMMANDS = ["analyze", "solve", "hint", "best"]


@pytest.mark.parametrize("command", COMMANDS)
def test_lines_are_answered_as_boards_are(command: str) -> None:
    boards = [GOOD, "3x2x2/###/121", '{"schema": "mineproof/board/1", "rows": 1, "columns": 2, "cells": ["1#"], '
              '"total_mines": 1, "topology": "grid"}', "https://example.org/?analysis=adadaaabcOg"]  # fmt: skip
    done = mineproof(command, "--lines", stdin="\n".join(boards))
    assert (done.status, done.err) == (0, "")
    assert done.lines == [line for board in boards for line in mineproof(command, board, "--json").lines]


def test_check_by_lines() -> None:
    done = mineproof("check", "--lines", "--start", "0,0", stdin="..*/...\n.../.../..*\n")
    assert done.status == 1
    assert [each["no_guess"] for each in documents(done)] == [False, True]


def test_sizes_by_lines() -> None:
    done = mineproof("best", "--lines", "--exact", stdin="3x3x1\n2x2x1\n")
    assert done.lines == [
        line for size in ("3x3x1", "2x2x1") for line in mineproof("best", size, "--exact", "--json").lines
    ]


def test_every_line_has_an_answer_and_an_error_says_which_line_it_is_about() -> None:
    done = mineproof(
        "analyze", "--lines", stdin=f"{GOOD}\r\n\n{UNREADABLE}\n\xff\n{CONTRADICTORY}\n{GOOD}".encode("latin-1")
    )
    found = documents(done)
    assert (done.status, done.err) == (4, "")
    assert [each.get("code") for each in found] == [None, "syntax", "syntax", "syntax", "contradiction", None]
    assert [each.get("line") for each in found] == [None, 2, 3, 4, 5, None]
    assert found[2]["message"].startswith("line 3, character 5: 'x' can be covered")
    assert found[3]["message"] == "line 4, character 1: expected UTF-8 text, got other bytes"


def test_what_convert_writes_of_many_is_read_by_lines() -> None:
    boards = [GOOD, "3x2x2/###/121"]
    written = mineproof("convert", *boards, "--json")
    done = mineproof("analyze", "--lines", stdin=written.text)
    assert done.lines == [line for board in boards for line in mineproof("analyze", board, "--json").lines]
    layouts = mineproof("convert", "..*/...", "*..", "--json")
    starts = mineproof("check", "--lines", "--anywhere", stdin=layouts.text)
    assert [each["schema"] for each in documents(starts)] == ["mineproof/starts/1"] * 2


def test_a_line_is_never_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.mine").write_text(GOOD)
    [error] = documents(mineproof("analyze", "--lines", stdin="game.mine"))
    assert error["code"] == "syntax"


@pytest.mark.slow
def test_a_budget_is_for_each_line() -> None:
    wide = "/".join("".join("#" if row % 2 or column % 2 else "3" for column in range(61)) for row in range(61))
    done = mineproof("analyze", "--lines", "--states", "1000", stdin=f"{wide}\n{GOOD}\n")
    assert done.status == 5
    assert [each.get("code") for each in documents(done)] == ["budget", None]


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "boards"
    path.write_text(f"{GOOD}\n" * 3)
    assert len(mineproof("analyze", "--lines", str(path)).lines) == 3
    assert len(mineproof("analyze", "--lines", "-", stdin=path.read_text()).lines) == 3
    assert mineproof("analyze", "--lines", stdin="").text == ""
    for arguments, words in (
        ([str(tmp_path)], "Is a directory"),
        (["nowhere"], "nowhere: file not found"),
        ([str(path), str(path)], "--lines reads one file"),
    ):
        done = mineproof("analyze", "--lines", *arguments)
        assert (done.status, done.text) == (2, "")
        assert words in done.err


def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "LINE_MAX_BYTES", 100)
    monkeypatch.setattr(boards, "READ_BYTES", 64)
    done = mineproof("analyze", "--lines", stdin=f"{GOOD}\n" + 1000 * "#" + f"\n{GOOD}\n")
    [answer, error] = documents(done)
    assert (answer["layouts"], error["code"], error["line"]) == ("3", "syntax", 2)
    assert "lines after it are not read" in error["message"]


def test_pieces_of_any_length_make_the_same_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join([GOOD, UNREADABLE, "", CONTRADICTORY, GOOD])
    whole = mineproof("analyze", "--lines", stdin=text).text
    for length in (1, 3, 7):
        monkeypatch.setattr(boards, "READ_BYTES", length)
        assert mineproof("analyze", "--lines", stdin=text).text == whole


def test_processes_answer_the_same_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a process does: no processes are started for work that is done at once."""
    texts = [f"{width}x2x{mines}/" + "1" + "#" * (width - 1) + "/" + "#" * width
             for width in range(2, 12) for mines in range(1, 4)]  # fmt: skip
    texts[5], texts[17] = UNREADABLE, CONTRADICTORY
    monkeypatch.setattr(boards, "SECONDS_BEFORE_PROCESSES", -1.0)
    found = [mineproof("analyze", "--lines", "--threads", count, stdin="\n".join(texts)) for count in ("1", "2")]
    assert len(found[0].lines) == len(texts)
    assert found[1] == found[0]
    assert found[0].status == 4


def test_a_bot_that_waits_for_each_answer_gets_it() -> None:
    """Nothing is kept back until more comes in."""
    command = [sys.executable, "-m", "mineproof", "hint", "--lines", "--threads", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for board in ("###/121", "1#", "##/11"):
            process.stdin.write(f"{board}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["schema"] == "mineproof/hint/1"
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0


def test_batches_grow_while_they_are_quick_and_shrink_when_they_are_slow() -> None:
    batches = boards._Batches("", {}, "en", boards._Reader(sys.stdin.buffer))
    sizes = []
    for seconds in (0.001, 0.001, 0.05, 0.5, 0.5, 0.5):
        batches.learn(boards._BatchResult("", 0, batches._most, 0, seconds))
        sizes.append(batches._most)
    assert sizes == [2, 4, 4, 2, 1, 1]


# as a process


@pytest.fixture(scope="module")
def positions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lines") / "positions"
    board = "/".join(["30x16x99", *["#" * 30] * 8, "1" * 30, *["0" * 30] * 7])
    path.write_text(f"{board}\n" * 20_000)
    return path


def test_a_reader_of_lines_may_leave_early(positions: Path) -> None:
    command = [sys.executable, "-m", "mineproof", "analyze", "--lines", "--flags", "ignore", str(positions)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("columns", [40, 80])
def test_a_bar_tells_how_many_a_second(columns: int, tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_text(f"{GOOD}\n" * 1500)
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mineproof", "analyze", "--lines", "--threads", "1", str(path)]
    env = os.environ | {"COLUMNS": str(columns), "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=env) as process:
        os.close(theirs)
        assert process.stdout is not None
        shown = b""
        reader = threading.Thread(target=process.stdout.read)
        reader.start()
        with suppress(OSError):  # no process has it open any more
            while piece := os.read(ours, 4096):
                shown += piece
        reader.join()
        assert process.wait(timeout=PATIENCE) == 0
    os.close(ours)
    last = re.findall(rb"[0-9,]+ positions, [0-9,]+ per second", shown)[-1]
    assert last.startswith(b"1,500 positions")


def test_ctrl_c_keeps_the_lines_that_were_answered(positions: Path, tmp_path: Path) -> None:
    listen = (
        "import runpy, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "runpy.run_module('mineproof', run_name='__main__')"
    )
    command = [sys.executable, "-c", listen, "solve", "--lines", "--threads", "2", str(positions)]
    path = tmp_path / "answers"
    with path.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE) as process:
        while path.stat().st_size < 10_000:
            time.sleep(0.01)
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"mineproof: interrupted\n"
    lines = path.read_text().splitlines()
    assert len(lines) < 20_000
    assert all(json.loads(line)["schema"] == "mineproof/solution/1" for line in lines)


def test_nothing_is_read_after_a_line_that_is_too_long_wherever_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "LINE_MAX_BYTES", 100)
    reader = boards._Reader(io.BytesIO(b"1#\n" + b"#" * 101 + b"\n2#\n3#\n"))
    lines: list[bytes] = []
    while (read := reader.read()) is not None:
        lines += read
    assert lines == [b"1#", b"#" * 101]
