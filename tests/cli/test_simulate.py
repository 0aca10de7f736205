"""``mineproof simulate``: the answer, its JSON, Ctrl-C, and files to continue."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from mineproof.base import files
from mineproof.cli import run_file
from mineproof.cli import simulate as module
from mineproof.cli import weighted_games as weighted_module
from mineproof.simulation.results import Simulation
from mineproof.simulation.simulator import CHUNK, simulate
from support import texts
from support.command import interrupted, mineproof
from support.engines import needs_kernel
from support.patience import PATIENCE

pytestmark = needs_kernel

BEGINNER = ("simulate", "beginner", "--seed", "1", "--games", "300")
TIMES = ("cpu_seconds", "seconds")


def timeless(document: Mapping[str, Any]) -> dict[str, Any]:
    """A simulation without what depends on the machine."""
    return {key: value for key, value in document.items() if key not in TIMES}


# the answer


def test_json_is_what_the_library_says() -> None:
    done = mineproof(*BEGINNER, "--json")
    assert (done.status, done.err) == (0, "")
    assert timeless(done.json()) == timeless(simulate(9, 9, 10, games=300, seed=1).as_json())
    assert set(TIMES) < set(done.json())


def test_text() -> None:
    done = mineproof(*BEGINNER)
    found = simulate(9, 9, 10, games=300, seed=1)
    low, high = (f"{100 * end:.2f}" for end in found.interval)
    assert (done.status, done.err) == (0, "")
    assert done.lines[0] == "9 × 9, 10 mines, first click safe at (0,0), seed 1"
    assert done.lines[2] == (
        f"fast: {found.wins} of 300 games won, {100 * found.wins / 300:.2f} % (95 % interval {low} to {high})"
    )
    assert f"  {found.moves_per_win:8.1f}  moves per win" in done.lines
    assert f"  {found.guesses_per_win:8.2f}  guesses per win, including the first click" in done.lines
    assert max(map(len, done.lines)) <= 80


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_never_wider_than_the_terminal(columns: int) -> None:
    done = mineproof(*BEGINNER, "--against", "minesolver", columns=columns)
    assert done.status == 0
    assert [line for line in done.lines if len(line) > columns] == []


def test_one_mine() -> None:
    assert mineproof("simulate", "3x3x1", "--games", "9").lines[0].startswith("3 × 3, 1 mine, first click")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--first-click", "open"], {"first_click": "open", "start": [2, 2]}),
        (["--first-click", "open", "--rows", "16", "--columns", "17"], {"first_click": "open", "start": [3, 3]}),
        (["--first-click", "any", "--start", "4,8"], {"first_click": "any", "start": [4, 8]}),
        (["--first-click", "any", "--start", "random"], {"first_click": "any", "start": "random"}),
        (["--topology", "hex"], {"topology": "hex", "start": [0, 0]}),
        (["--strategy", "minesolver"], {"strategy": "minesolver"}),
        (["--mines", "12"], {"mines": 12, "rows": 9}),
        (["--threads", "3"], {"games": 300}),
    ],
)
def test_options(arguments: list[str], expected: dict[str, Any]) -> None:
    found = mineproof(*BEGINNER, *arguments, "--json").json()
    assert {key: found[key] for key in expected} == expected
    assert timeless(mineproof(*BEGINNER, *arguments, "--json", "--threads", "1").json()) == timeless(found)


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        (["--mines", "90"], (16, 30, 90)),
        (["--mines", "10%"], (16, 30, 48)),
        (["--rows", "8", "--mines", "9"], (8, 30, 9)),
    ],
)
def test_size_is_expert_unless_options_say_otherwise(arguments: list[str], size: tuple[int, int, int]) -> None:
    document = mineproof("simulate", *arguments, "--games", "2", "--json").json()
    assert (document["rows"], document["columns"], document["mines"]) == size


def test_a_random_first_click_in_words() -> None:
    done = mineproof(*BEGINNER, "--first-click", "any", "--start", "random")
    assert done.lines[0] == "9 × 9, 10 mines, first click any at a random cell, seed 1"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--resume"], "--resume needs -o FILE"),
        (["--force"], "--force needs -o FILE"),
        (["--force", "--resume", "-o", "kept.json"], "--resume continues FILE and --force replaces it"),
        (
            ["--strategy", "lucky"],
            "--strategy must be one of fast, strong, best, deep, minesolver, minedetector, fair, go or exec:COMMAND, "
            "got 'lucky'",
        ),
        (["--games", "0"], "--games must be at least 1, got 0"),
        (["--games", "99999999999999999999999"], "--games must be at most 2**62 - 1, got 99999999999999999999999"),
        (["--games", "1e5x"], "--games must be a whole number such as 1000, 1_000 or 1e3, got '1e5x'"),
        (["--against", "nobody"], "--against must be one of fast, strong"),
        (["--start", "a1"], "--start must be ROW,COLUMN"),
        (["--start", "random"], "--start random needs --first-click any"),
        (["-o", os.devnull], f"-o must name a regular file, got {os.devnull!r}"),
    ],
)
def test_bad_usage(arguments: list[str], words: str) -> None:
    done = mineproof(*BEGINNER, *arguments)
    assert (done.status, done.out) == (2, b"")
    assert words in " ".join(done.err.split())


@pytest.mark.parametrize(
    ("arguments", "status", "code", "message"),
    [
        (["--start", "9,0"], 2, "outside", "expected a cell on the 9 × 9 board, got (9,0)"),
        (["--mines", "81"], 2, "usage", "expected 0 to 80 mines besides the first click, got 81"),
    ],
)
def test_a_board_that_cannot_be(arguments: list[str], status: int, code: str, message: str) -> None:
    done = mineproof(*BEGINNER, *arguments, "--json")
    assert (done.status, done.out) == (status, b"")
    assert (done.error()["code"], done.error()["message"]) == (code, message)


# two strategies


def test_against_another_strategy() -> None:
    done = mineproof(*BEGINNER, "--against", "minesolver", "--json").json()
    fast, other = done["simulations"]
    assert done["schema"] == "mineproof/comparison/1"
    assert done["strategies"] == [fast["strategy"], other["strategy"]] == ["fast", "minesolver"]
    assert done["games"] == 300 == done["both"] + done["only_first"] + done["only_second"] + done["neither"]
    assert done["both"] + done["only_first"] == fast["wins"]
    assert done["both"] + done["only_second"] == other["wins"]
    assert done["interval"][0] < done["difference"] < done["interval"][1]
    text = mineproof(*BEGINNER, "--against", "minesolver").text
    assert f"fast minus minesolver: {100 * done['difference']:+.2f} points" in text
    assert f"only fast won {done['only_first']}, only minesolver won {done['only_second']}" in text


def test_against_what_was_kept(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    assert mineproof(*BEGINNER, "--strategy", "minesolver", "-o", path).status == 0
    fresh, kept = (mineproof(*BEGINNER, "--against", whom, "--json").json() for whom in ("minesolver", path))
    assert fresh.pop("simulations")[0].keys() == kept.pop("simulations")[0].keys()
    assert fresh == kept
    done = mineproof(*BEGINNER, "--seed", "2", "--against", path)
    assert (done.status, done.out) == (2, b"")
    assert "must have the same seed" in " ".join(done.err.split())


# Ctrl-C


LONG = ("simulate", "--seed", "5", "--games", "100000000", "--threads", "2")


def test_ctrl_c_prints_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    done = interrupted(monkeypatch, module, *LONG, "--json")
    assert done.status == 130
    assert texts.text("cli-interrupted-games") in done.err
    found = done.json()
    assert found["asked"] == 100_000_000
    assert found["games"] >= CHUNK
    assert timeless(found) == timeless(simulate(games=found["games"], seed=5).as_json()) | {"asked": 100_000_000}


def test_ctrl_c_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    done = interrupted(monkeypatch, module, *LONG, "--against", "minesolver")
    assert done.status == 130
    assert "  100,000,000 games requested" in done.lines
    assert "minesolver" not in done.text


@pytest.mark.parametrize("extra", [(), ("--weighted",), ("--against", "minesolver")])
def test_ctrl_c_before_the_first_game(monkeypatch: pytest.MonkeyPatch, extra: tuple[str, ...]) -> None:
    @contextmanager
    def pressed() -> Iterator[Callable[[], bool]]:
        yield lambda: True

    for name in (module, weighted_module):
        monkeypatch.setattr(name, "interruptible", pressed)
    done = mineproof(*LONG, *extra)
    assert (done.status, done.out) == (130, b"")
    assert done.err == f"mineproof: {texts.text('cli-interrupted-early')}\n"


def test_ctrl_c_at_a_terminal() -> None:
    """The bar shows the win rate, and is gone when the answer comes."""
    listen = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('mineproof', run_name='__main__')"
    )
    ours, theirs = pty.openpty()
    shown = b""
    env = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    command = [sys.executable, "-c", listen, *LONG, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=env) as process:
        os.close(theirs)
        while b" % (" not in shown:
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        with suppress(OSError):  # no process has it open any more
            while piece := os.read(ours, 4096):
                shown += piece
        assert process.stdout is not None
        found = json.loads(process.stdout.read())
        assert process.wait(timeout=PATIENCE) == 130
    assert b"/100000000" in shown
    assert shown.endswith(b"\x1b[2Kmineproof: Interrupted. The result covers the games finished so far.\r\n")
    assert found["games"] >= CHUNK
    os.close(ours)


# files

PART = ("simulate", "--seed", "5", "--games", str(100 * CHUNK), "--threads", "1")


def test_resume_ends_with_the_same_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, whole = tmp_path / "part.json", tmp_path / "whole.json"
    assert interrupted(monkeypatch, module, *PART, "-o", str(path)).status == 130
    part = Simulation.from_json(path.read_text())
    assert 0 < part.games < part.asked == 100 * CHUNK
    resumed = mineproof(*PART, "-o", str(path), "--resume", "--json")
    straight = mineproof(*PART, "-o", str(whole), "--resume", "--json")  # there is nothing to continue
    assert (resumed.status, straight.status) == (0, 0)
    assert timeless(resumed.json()) == timeless(straight.json())
    assert Simulation.from_json(path.read_text()) == Simulation.from_json(whole.read_text())
    assert resumed.json()["cpu_seconds"] > part.cpu_seconds


def test_what_is_kept_is_the_answer_and_more(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    answer = mineproof(*BEGINNER, "-o", str(path), "--json").json()
    kept = json.loads(path.read_text())
    assert {key: kept[key] for key in answer} == answer
    assert sorted(kept.keys() - answer.keys()) == ["tally", "won"]
    assert [file.name for file in tmp_path.iterdir()] == ["kept.json"]


def test_it_is_kept_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, seen = tmp_path / "kept.json", []
    monkeypatch.setattr(run_file, "SAVE_SECONDS", 0.0)
    write = files.write

    def watched(where: Path, text: str) -> None:
        write(where, text)
        seen.append(Simulation.from_json(path.read_text()).games)

    monkeypatch.setattr(files, "write", watched)
    assert mineproof(*PART, "-o", str(path)).status == 0
    assert len(seen) > 2
    assert seen == sorted(seen)
    assert seen[0] < seen[-1] == 100 * CHUNK


def test_more_games_can_be_asked_for(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    assert mineproof(*BEGINNER, "--games", str(2 * CHUNK), "-o", path).status == 0
    more = mineproof(*BEGINNER, "--games", str(5 * CHUNK), "-o", path, "--resume", "--json").json()
    assert timeless(more) == timeless(mineproof(*BEGINNER, "--games", str(5 * CHUNK), "--json").json())
    done = mineproof(*BEGINNER, "--games", "100", "-o", path, "--resume")
    assert (done.status, done.out) == (2, b"")
    assert f"--games must be at least {5 * CHUNK}, the games of the resumed simulation, got 100" in done.err


@pytest.mark.parametrize(
    ("change", "stored"),
    [
        (["--seed", "6"], "5"),
        (["--strategy", "minesolver"], "'fast'"),
        (["--mines", "98"], "99"),
        (["--start", "1,1"], "(0,0)"),
    ],
)
def test_other_parameters_are_not_resumed(tmp_path: Path, change: list[str], stored: str) -> None:
    path = tmp_path / "kept.json"
    series = ("simulate", "expert", "--seed", "5", "--games", "10", "-o", str(path))
    assert mineproof(*series).status == 0
    before = path.read_text()
    done = mineproof(*series, "--resume", *change)
    assert (done.status, done.out) == (2, b"")
    option, value = change
    told = " ".join(done.err.split())
    assert f"{option} {stored}" in told
    assert value.replace("1,1", "(1,1)") in told
    assert path.read_text() == before


WAYS_OUT = "Use --resume to continue, --force to replace them, or choose another name."


def test_an_unfinished_file_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "part.json"
    assert interrupted(monkeypatch, module, *PART, "-o", str(path)).status == 130
    before = path.read_text()
    done = mineproof(*PART, "-o", str(path))
    assert (done.status, done.out) == (2, b"")
    assert f"of 6,400 games. {WAYS_OUT}" in " ".join(done.err.split())
    assert path.read_text() == before


def test_nor_is_a_finished_one_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    assert mineproof(*BEGINNER, "--seed", "1", "-o", str(path)).status == 0
    before = path.read_text()
    done = mineproof(*BEGINNER, "--seed", "2", "-o", str(path))
    assert (done.status, done.out) == (2, b"")
    assert f"{path} already has 300 games. {WAYS_OUT}" in " ".join(done.err.split())
    assert path.read_text() == before
    assert mineproof(*BEGINNER, "--seed", "2", "-o", str(path), "--force").status == 0
    assert json.loads(path.read_text())["seed"] == 2


def test_nor_is_what_is_no_result(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("1#/##")
    done = mineproof(*BEGINNER, "-o", str(path))
    assert (done.status, done.out, path.read_text()) == (2, b"", "1#/##")
    assert "already exists and is not a result. Use --force to replace it" in " ".join(done.err.split())
    path.write_text("")
    assert mineproof(*BEGINNER, "-o", str(path)).status == 0, "nothing is lost with an empty file"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_full_disk_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool) -> None:
    path, asked = tmp_path / "kept.json", ["--json"] if as_json else []

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_file, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(os, "fsync", full)
    done = mineproof(*PART, "-o", str(path), *asked)
    monkeypatch.undo()
    assert done.status == 0
    assert done.err == f"mineproof: {path}: No space left on device. The result is printed but not saved.\n"
    assert list(tmp_path.iterdir()) == [], "nothing half-written is left"
    whole = mineproof(*PART, *asked)
    assert timeless(done.json()) == timeless(whole.json()) if as_json else done.lines[:3] == whole.lines[:3]


def test_what_cannot_be_kept_at_all_is_said_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = mineproof(*BEGINNER, "-o", str(tmp_path / "file" / "below.json"))
    assert (done.status, done.out) == (2, b"")
    assert str(tmp_path / "file") in done.err


@pytest.mark.parametrize("games", ["640", "6_40", "1,000", "1_000", "1e3", "1E3", "1e+3"])
def test_counts_as_people_write_them(games: str) -> None:
    expected = {"640": 640, "1,000": 1000, "1_000": 1000, "1e3": 1000, "1E3": 1000, "1e+3": 1000}.get(games)
    done = mineproof("simulate", "4x4x2", "--games", games, "--json")
    assert (done.status, done.json()["games"] if expected else None) == (0 if expected else 2, expected)


def test_a_file_that_is_no_simulation_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("1#/##")
    done = mineproof(*BEGINNER, "-o", str(path), "--resume", "--json")
    assert (done.status, done.out) == (3, b"")
    assert "JSON" in done.error()["message"]
    assert path.read_text() == "1#/##"
