"""The same slip, the same status and the same words, in every command; and sentences that were once odd."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mineproof.cli import failure
from support.command import mineproof

SIZED = ["generate", "watch", "simulate"]


def error_of(*arguments: str) -> tuple[int, str]:
    """The status and the message, without the seed and the line about --help."""
    done = mineproof(*arguments)
    lines = [line for line in done.err.splitlines() if not line.startswith(("mineproof: seed", "Try 'mineproof"))]
    return done.status, " ".join(lines).removeprefix("mineproof: ")


@pytest.mark.parametrize(
    ("commands", "status", "words"),
    [
        (
            ["generate 3x3x9 --no-guess", "watch 3x3x9 --no-guess", "simulate 3x3x9"],
            2, "expected 0 to 8 mines besides the first click, got 9",
        ),
        (
            ["generate 1x1x1 --no-guess", "watch 1x1x1 --no-guess", "simulate 1x1x1"],
            2, "expected 0 to 0 mines besides the first click, got 1",
        ),
        (
            [*(f"{name} 3x3x10" for name in SIZED), "best --exact 3x3x10"],
            2, "SIZE: expected at most 9 mines on 3 × 3, got 10",
        ),
        (
            [*(f"{name} 0x3x0" for name in SIZED), "best --exact 0x3x0"],
            2, "SIZE: expected a board of at least one cell, got 0 × 3",
        ),
        (
            [f"{name} beginer" for name in SIZED],
            2, "SIZE: expected beginner, beginner8, intermediate, expert or a size such as 30x16x99, "
            "got 'beginer'",
        ),
        (
            [*(f"{name} 3x3x1 --start 9,9" for name in SIZED), "check *../.../... --start 9,9",
             "convert *../.../... --to json --start 9,9"],
            2, "expected a cell on the 3 × 3 board, got (9,9)",
        ),
        (
            [f"{name} 1#/#" for name in ("analyze", "solve", "hint", "best", "layouts", "check", "convert --to json")],
            3, "'1#/#' (not a file, so read as a board): line 1, character 5: expected 2 cells as in the first row, "
            "got 1. See 'mineproof convert --list' or docs/formats.md.",
        ),
        (
            [f"{name} 12/## --mines 2" for name in ("analyze", "solve", "layouts", "best")],
            4, "The board contradicts itself: the 1 at (0,0) and the 2 at (0,1) cannot both be right.",
        ),
        (
            [f"{name} no/such/file.mine" for name in ("analyze", "solve", "hint", "best", "layouts", "check")],
            2, "no/such/file.mine: file not found",
        ),
        (
            [f"{name} 2x2x1/1#/## --mines 2" for name in ("analyze", "solve", "hint", "best", "layouts")],
            3, "'2x2x1/1#/##' (not a file, so read as a board): expected 2 as the total of mines, got 1 in the "
            "text",
        ),
    ],
)  # fmt: skip
def test_the_same_slip(commands: list[str], status: int, words: str) -> None:
    assert {command: error_of(*command.split()) for command in commands} == dict.fromkeys(commands, (status, words))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["analyze", "8##/###/###"], "The board contradicts itself: the 8 at (0,0) has room for only 3 mines."),
        (["analyze", "F1F"], "The board contradicts itself: the 1 at (0,1) has 2 flags around it, which is too many. "
         "One of the flags at (0,0) and (0,2) is wrong: without it, the board is possible."),
        (["generate", "9x9x10", "--no-guess", "--needs", "contradiction", "--hardest", "partition"],
         "--needs must not be harder than --hardest partition, got contradiction"),
        (["generate", "1x1x1", "--no-guess"], "expected 0 to 0 mines besides the first click, got 1"),
    ],
)  # fmt: skip
def test_sentences(arguments: list[str], words: str) -> None:
    assert error_of(*arguments)[1] == words


def test_what_was_read_is_said_once() -> None:
    done = mineproof("convert", "*../...", "--to", "json")
    assert done.err == "mineproof: read as layout: rows of * mine, . free\n"


@pytest.mark.parametrize("level", ["Expert", "EXPERT", " expert "])
def test_levels_in_any_case(level: str) -> None:
    assert mineproof("generate", level, "--seed", "1", "--json").json()["layout"]["columns"] == 30
    assert mineproof("simulate", level, "--games", "1", "--json").json()["mines"] == 99
    assert mineproof("best", level).err.startswith("mineproof: SIZE needs --exact")


def test_best_offers_no_density() -> None:
    assert "--density" not in mineproof("best", "--help").text
    assert mineproof("best", "1#", "--density", "0.2").status == 2
    for command in ("analyze", "solve", "hint", "layouts"):
        assert "--density" in mineproof(command, "--help").text


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "kept.json"), "kept.json: No space left on device"),
        (OSError(errno.ENOSPC, "No space left on device"), "standard output: No space left on device"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (OSError("a reason of its own"), "a reason of its own"),
        (OSError(errno.ENOENT, "No such file or directory", "\x1b[31m"), "'\\x1b[31m': file not found"),
    ],
)
def test_errors_of_the_system_name_the_file_and_no_number(
    error: OSError, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failure.report(error, as_json=False) == 2
    assert capsys.readouterr().err == f"mineproof: {words}\n"


def test_a_review_of_no_file_names_it(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    assert error_of("review", str(path)) == (2, f"{path}: file not found")


# the engine in plain Python, and what README says that it does not do


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["analyze", "1#/##", "--mines", "1"], 0, ""),
        (["hint", "###/121"], 0, ""),
        (["best", "###/121", "--mines", "2", "--exact"], 0, ""),
        (["generate", "4x4x2", "--seed", "1"], 0, ""),
        (["best", "#####/123##/###3#", "--mines", "6"], 2, "Evaluating guesses needs the native kernel"),
        (["generate", "4x4x2", "--seed", "1", "--no-guess"], 2, "Generating no-guess layouts needs the native"),
        (["simulate", "4x4x2", "--games", "1"], 2, "Playing built-in strategies needs the native kernel"),
        (["sweep", "4x4x2", "--games", "1"], 2, "Playing built-in strategies needs the native kernel"),
    ],
)
def test_what_the_plain_engine_does_and_does_not(arguments: list[str], status: int, words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mineproof", *arguments],
        capture_output=True, text=True, check=False, env=os.environ | {"MINEPROOF_ENGINE": "reference"},
    )  # fmt: skip
    assert done.returncode == status
    assert words in done.stderr


def test_a_command_that_is_nearly_right() -> None:
    assert "No such command 'analyz'. Did you mean 'analyze'?" in mineproof("analyz", "1#").err


@pytest.mark.parametrize("name", ["boards/nothing", "games/2898608690-"])
def test_a_missing_file_in_a_folder_is_no_board(name: str) -> None:
    done = mineproof("analyze", name)
    assert (done.status, f"{name}: file not found" in done.err) == (2, True)


def test_an_interrupt_that_a_library_stumbles_over_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rich, interrupted in the midst of a bar, fails to take the bar down."""
    from mineproof.cli import analyze

    def stumble(**_: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            [].pop()

    monkeypatch.setattr(analyze.command, "callback", stumble)
    assert mineproof("analyze", "1#").status == 130

    def fail(**_: object) -> None:
        [].pop()

    monkeypatch.setattr(analyze.command, "callback", fail)
    with pytest.raises(IndexError):
        mineproof("analyze", "1#")
