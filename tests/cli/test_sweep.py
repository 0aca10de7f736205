"""``mineproof sweep`` as a script or a person calls it, killed and resumed as a real process."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import sweep as module
from mineproof.simulation.results import Totals
from mineproof.sweeps.store import SweepStore
from support.command import Done, mineproof
from support.engines import needs_kernel
from support.patience import PATIENCE
from support.process import LISTEN, at_a_terminal
from support.sweeps import sums
from support.texts import text

pytestmark = needs_kernel

SMALL = ("sweep", "5x5", "--mines", "4,6..8:2", "--games", "300", "--unit", "64", "--seed", "3")


def words(done: Done) -> str:
    return " ".join(done.err.split())


# output


def test_a_table() -> None:
    done = mineproof(*SMALL, "--strategy", "fast,go")
    assert (done.status, done.err) == (0, "")
    assert done.lines[:3] == [
        "5 × 5, first click safe, start (0,0), seed 3",
        "",
        "mines  density  strategy  games      won   95 % interval",
    ]
    found = mp.simulate(5, 5, 6, games=300, seed=3)
    low, high = (f"{100 * end:.2f}" for end in found.interval)
    assert f"    6   24.0 %  fast        300  {100 * found.wins / 300:.2f} %  {low} to {high}" in done.lines
    assert len(done.lines) == 3 + 3 * 2


def test_json() -> None:
    done = mineproof(*SMALL, "--json").json()
    assert done == mp.sweep("5x5", mines=[4, 6, 8], games=300, unit=64, seed=3).as_json()
    assert [each["mines"] for each in done["configurations"]] == [4, 6, 8]
    assert {each["schema"] for each in done["configurations"]} == {"mineproof/simulation/1"}


def test_several_boards_and_rules() -> None:
    wish = ("sweep", "4x4", "6x3", "--mines", "10%,20%..30%:5%", "--first-click", "any,safe", "--topology", "torus")
    done = mineproof(*wish, "--games", "10", "--start", "1,1", columns=100)
    assert done.lines[0] == "torus, start (1,1), seed 0"
    assert done.lines[2].split()[:4] == ["board", "mines", "density", "first"]
    assert len(done.lines) == 3 + (4 + 3) * 2, "25 % and 30 % of 18 cells are 5 mines"
    assert "6 × 3      2   11.1 %  any          fast" in done.text


def test_the_size_is_expert_if_left_out() -> None:
    assert mineproof("sweep", "--games", "1").lines[0].startswith("30 × 16, ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mines", "9..5"], "--mines must be FIRST..LAST:STEP with FIRST below LAST and STEP above 0, got '9..5'"),
        (
            ["--mines", "1..5:0"],
            "--mines must be FIRST..LAST:STEP with FIRST below LAST and STEP above 0",
        ),
        (
            ["--mines", "1..20%"],
            "--mines must be numbers of mines such as 99, 60..140:5 or 10%..25%:2.5%",
        ),
        (["--mines", "x"], "--mines must be numbers of mines such as 99, 60..140:5 or 10%..25%:2.5%, got 'x'"),
        (["--mines", "0..9999999"], "--mines must be at most 100,000 numbers, got 10,000,000"),
        (["--mines", "100%"], "--mines must be more than 0% and less than 100% of the cells, counting up, got '100%'"),
        (["--strategy", "fast,nobody"], "--strategy must be one of fast, strong, "),
        (["--first-click", "safe,none"], "--first-click must be one or more of any, safe, open, got 'none'"),
        (["huge"], "SIZE: expected beginner, "),
        (["--unit", "100"], "--unit must be a multiple of 64, got 100"),
        (["--until", "0"], "--until must be from 0.0001 to 50 percentage points, got 0.0"),
        (["--resume"], "--resume needs -o DIR"),
        (["--per-game"], "--per-game needs -o DIR"),
        (["--repair"], "--repair needs -o DIR"),
        (["--repair", "-o", "x"], "--repair needs only -o DIR. The other options are stored in the folder."),
        (["--mines", "4,4"], "configurations must be unique"),
    ],
)
def test_bad_usage(arguments: list[str], message: str) -> None:
    done = mineproof("sweep", "5x5x4", "--games", "10", *arguments)
    assert (done.status, done.out) == (2, b"")
    assert message in words(done)


# folders


def test_a_folder_keeps_it_and_resume_needs_no_more_than_its_name(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    first = mineproof(*SMALL, "--per-game", "-o", folder, "--json")
    before = sums(tmp_path / "run")
    again = mineproof("sweep", "-o", folder, "--resume", "--json")
    same = mineproof(*SMALL, "--per-game", "-o", folder, "--resume", "--threads", "2", "--json")
    assert first.out == again.out == same.out
    assert sums(tmp_path / "run") == before
    assert mp.read_sweep(folder).as_json() == first.json()


def test_what_is_in_the_way(tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    assert mineproof(*SMALL, "-o", folder).status == 0
    taken = mineproof(*SMALL, "-o", folder)
    assert (taken.status, taken.out) == (2, b"")
    assert "already has a sweep of 3 configurations: 900 games. Resume it, or choose another folder." in words(taken)
    other = mineproof(*SMALL, "-o", folder, "--resume", "--seed", "4", "--json")
    assert (other.status, other.error()["code"]) == (2, "sweep")
    assert "configuration 0 of the run has seed=3, not 4" in other.error()["message"]
    nothing = mineproof("sweep", "-o", str(tmp_path / "nothing"), "--resume")
    assert (nothing.status, "it has no plan.json" in words(nothing)) == (2, True)
    (tmp_path / "file").write_text("x")
    assert mineproof(*SMALL, "-o", str(tmp_path / "file" / "run")).status == 2


def test_a_damaged_unit(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = mineproof(*SMALL, "-o", str(folder), "--json")
    path = folder / "units/00001-000000.units"
    data = bytearray(path.read_bytes())
    data[200] ^= 1
    path.write_bytes(data)
    refused = mineproof("sweep", "-o", str(folder), "--resume")
    assert (refused.status, refused.out) == (2, b"")
    assert f"{path} is damaged: games 0 to 63: expected checksum" in words(refused)
    assert words(refused).endswith(f"mineproof sweep -o {folder} --repair")
    assert mineproof("sweep", "-o", str(folder), "--repair", "--json").out == first.out
    assert mineproof("sweep", "-o", str(folder), "--resume", "--json").out == first.out


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, synced, fsync = tmp_path / "a run", count(), os.fsync

    def full(handle: int) -> None:
        if next(synced) >= 8:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        done = mineproof(*SMALL, "-o", str(folder), "--threads", "1")
    assert (done.status, done.out) == (2, b"")
    assert "No space left on device. Finished games are stored. To continue, run: mineproof sweep -o '" in words(done)
    assert words(done).endswith("a run' --resume")
    assert mineproof("sweep", "-o", str(folder), "--resume", "--json").out == mineproof(*SMALL, "--json").out


# Ctrl-C


def test_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpressed = [signal.SIGINT]

    @contextmanager
    def pressing() -> Iterator[Callable[[object], None]]:
        yield lambda _: signal.raise_signal(unpressed.pop()) if unpressed else None

    monkeypatch.setattr(module, "_progress_bar", pressing)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = mineproof(*SMALL, "--games", "100000", "--threads", "1", "-o", str(tmp_path))
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.status == 130
    assert words(done) == f"mineproof: Interrupted. To continue, run: mineproof sweep -o {tmp_path} --resume"
    games = [each.games for each in mp.read_sweep(tmp_path)]
    assert 0 < sum(games) < 300_000
    begun = sum(1 for each in games if each)
    assert done.lines[-1] == f"{sum(games):,} of 300,000 games played, {begun} of 3 configurations started"
    rows = [line.split() for line in done.lines if " fast " in line]
    assert len(rows) == begun < 3, "one row for each configuration with games, and one was not begun"
    assert all("-" not in row for row in rows)


@pytest.mark.parametrize(
    ("folder", "advice"),
    [
        (False, text("cli-sweep-use-output")),
        (True, text("cli-resume", command="mineproof sweep -o {path} --resume")),
    ],
)
def test_ctrl_c_before_any_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: bool, advice: str) -> None:
    @contextmanager
    def pressed() -> Iterator[Callable[[], bool]]:
        yield lambda: True

    monkeypatch.setattr(module, "interruptible", pressed)
    monkeypatch.setattr("mineproof.sweeps.scheduler._UnitQueue.submit", lambda _: False)  # no unit is begun
    where = ("-o", str(tmp_path)) if folder else ()
    done = mineproof(*SMALL, "--threads", "1", *where)
    assert (done.status, done.out) == (130, b"")
    assert words(done) == f"mineproof: {text('cli-interrupted-early')} {advice.format(path=tmp_path)}"


@pytest.mark.slow
def test_ctrl_c_at_a_terminal(tmp_path: Path) -> None:
    """The bar shows games, configurations and speed, and is gone when the answer comes."""
    shown = at_a_terminal(
        "sweep", "--mines", "60,99", "--games", "10000000", "--unit", "64", "-o", str(tmp_path / "run"),
        columns=110, ctrl_c_after="/s ",
    )  # fmt: skip
    assert shown.status == 130
    assert "/20000000" in shown.text
    assert "0/2 configurations" in shown.text
    assert text("cli-resume", command="mineproof sweep") in " ".join(shown.text.split())
    assert mp.read_sweep(tmp_path / "run")[0].games >= 64


# kill -9

LONG = ("sweep", "16x16", "--mines", "30,40", "--strategy", "fast,minesolver", "--games", "6000", "--unit", "64")


def on_disk(folder: Path) -> int:
    """Whole units that a folder has. A part stays beside the file that it becomes for a moment."""
    store = SweepStore.read(folder)
    finished = set(store.places("units"))
    parts = set(store.places("part")) - finished
    return sum(store.read_finished(place).units for place in finished) + sum(
        1 for place in parts for _ in store.part(place)
    )


@pytest.mark.slow
@pytest.mark.parametrize("per_game", [False, True])
def test_kill_9(tmp_path: Path, per_game: bool) -> None:
    """A process that is killed again and again loses nothing it had on disk, and ends with the same bytes."""
    extra = ["--per-game"] if per_game else []
    folder, kept = tmp_path / "run", 0
    for threads in ("1", "2", "2"):
        command = [sys.executable, "-c", LISTEN, *LONG, *extra, "-o", str(folder), "--resume", "--threads", threads]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline and process.poll() is None:
                try:
                    if on_disk(folder) >= kept + 20:
                        break
                except (mp.SweepError, FileNotFoundError):  # no plan yet, or a part that became a file just now
                    pass
                time.sleep(0.005)
            process.kill()
            assert process.wait() == -signal.SIGKILL, process.stderr and process.stderr.read()
        now = on_disk(folder)
        assert now >= kept + 20
        kept = now
    assert not mp.read_sweep(folder).is_complete
    resumed = mineproof(*LONG, *extra, "-o", str(folder), "--resume", "--json")
    whole = mineproof(*LONG, *extra, "-o", str(tmp_path / "whole"), "--threads", "1", "--json")
    assert (resumed.status, resumed.out) == (0, whole.out)
    assert sums(folder) == sums(tmp_path / "whole")


def test_two_processes_in_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-c", LISTEN, *LONG, "--games", "10000000", "-o", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while not (folder / "plan.json").is_file():
                assert process.poll() is None
                time.sleep(0.01)
            done = mineproof("sweep", "-o", str(folder), "--resume", "--json")
        finally:
            process.kill()
    assert (done.status, done.error()["code"]) == (2, "sweep")
    assert done.error()["message"].endswith("is in use by another process. Wait until it has finished.")


def test_totals_are_named_for_what_they_are() -> None:
    [found] = mp.sweep("4x4x2", games=5)
    assert isinstance(found, Totals)
    assert json.loads(json.dumps(found.as_json()))["cpu_seconds"] is None


def test_a_run_goes_on_with_some_of_its_options(tmp_path: Path) -> None:
    run = str(tmp_path / "run")
    mines = ["--mines", "8,10"]
    plain = ["beginner", *mines, "--strategy", "fast,go", "--games", "128", "--seed", "3"]
    first = mineproof("sweep", "-o", run, *plain)
    assert first.status == 0
    for some in (["--strategy", "fast,go"], ["--seed", "3"], ["--games", "128"], mines, ["beginner", *mines], plain):
        again = mineproof("sweep", "-o", run, "--resume", *some)
        assert (again.status, again.out) == (0, first.out), some
    for other, words in (
        (["--seed", "5"], "seed=3, not 5"),
        (["--games", "64"], "games=128, not 64"),
        (["--strategy", "go"], "4 configurations, not 2"),
        (["--mines", "8,12"], "mines=10, not 12"),
    ):
        refused = mineproof("sweep", "-o", run, "--resume", *other)
        assert refused.status == 2, other
        assert words in refused.err, other


def test_a_folder_that_holds_something_else_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    refused = mineproof("sweep", "beginner", "--games", "64", "-o", str(tmp_path))
    assert refused.status == 2
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_interval_that_stays_too_wide_is_told() -> None:
    done = mineproof("sweep", "beginner", "--until", "0.1", "--games", "64")
    assert done.status == 0
    assert b"The interval of 1 configuration is wider than requested: --games was reached." in done.out


@pytest.mark.parametrize("value", ["-1", "0", "nan", "51"])
def test_a_width_that_cannot_be(value: str) -> None:
    done = mineproof("sweep", "beginner", "--until", value, "--games", "64")
    assert done.status == 2
    assert "--until must be from 0.0001 to 50 percentage points" in done.err
