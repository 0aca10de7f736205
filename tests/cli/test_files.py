"""Files on the command line: where they may go, what a full disk advises, and what happens when memory runs out."""

from __future__ import annotations

import errno
import json
import os
import shlex
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from support.command import Done, mineproof
from support.engines import needs_kernel
from support.patience import PATIENCE
from support.sweeps import sums
from support.texts import text

LAYOUT = "*../.../..."


def words(done: Done) -> str:
    return " ".join(done.err.split())


# folders


@pytest.mark.parametrize(
    "arguments",
    [
        ["draw", "1#/##", "-o", "{}/x.svg"],
        ["convert", LAYOUT, "--to", "layout", "-o", "{}/x.mine"],
        ["generate", "5x5x3", "--seed", "1", "-o", "{}/boards"],
        pytest.param(["simulate", "5x5x3", "--games", "64", "-o", "{}/x.json"], marks=needs_kernel),
        pytest.param(["sweep", "5x5x3", "--games", "64", "-o", "{}/run"], marks=needs_kernel),
        pytest.param(["dataset", "5x5x3", "--positions", "9", "-o", "{}/x.parquet"], marks=needs_kernel),
        ["history", "export", "--data", "no.sqlite", "-o", "{}/x.csv"],
        ["review", "game.json", "--rawvf", "{}/x.rawvf"],
        ["review", "game.json", "--html", "{}/x.html"],
        ["play", "--save", "{}/game.json"],
    ],
    ids=lambda arguments: " ".join(arguments[:1] + arguments[-2:-1]),
)
def test_no_command_makes_the_folder_of_what_it_writes(tmp_path: Path, arguments: list[str]) -> None:
    if arguments[0] == "dataset":
        pytest.importorskip("pyarrow")
    folder = tmp_path / "nowhere" / "folder"
    done = mineproof(*(each.format(folder) for each in arguments))
    assert (done.status, done.out) == (2, b"")
    assert words(done).endswith(f"mineproof: {folder}: folder not found; create it first")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@needs_kernel
def test_no_function_makes_the_folder_of_what_it_writes(tmp_path: Path) -> None:
    import mineproof as mp

    found = mp.sweep("5x5x3", games=64)
    for act in (
        lambda: mp.draw(mp.Board.parse("1#/##")).save(tmp_path / "a" / "x.svg"),
        lambda: mp.sweep("5x5x3", games=64, path=tmp_path / "a" / "run"),
        lambda: mp.report(found).write(tmp_path / "a" / "pages"),
    ):
        with pytest.raises(FileNotFoundError, match="folder not found"):
            act()
    assert list(tmp_path.iterdir()) == []


# a missing file


@pytest.mark.parametrize(
    "arguments",
    [["analyze"], ["analyze", "--lines"], ["draw", "--odds"], ["review"], ["check"], ["stats"]],
    ids=" ".join,
)
def test_a_missing_file_is_the_same_everywhere(arguments: list[str]) -> None:
    done = mineproof(*arguments, "nowhere.mine")
    assert (done.status, done.err) == (2, "mineproof: nowhere.mine: file not found\n")
    if arguments[0] != "draw":
        done = mineproof(*arguments, "nowhere.mine", "--json")
        assert (done.status, done.error()["code"]) == (2, "file")


def test_a_missing_file_is_named_once() -> None:
    assert mineproof("stats", "./nowhere.mine").err.count("nowhere.mine") == 1


def test_the_status_of_stats_is_the_highest(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("no board")
    assert mineproof("stats", str(tmp_path / "bad.txt"), "nowhere.mine").status == 3
    assert mineproof("stats", "nowhere.mine", str(tmp_path / "bad.txt")).status == 3


# a full disk


def advised(done: Done) -> list[str]:
    """The command that an error advises, if any."""
    _, found, command = words(done).partition(text("cli-resume", command="mineproof "))
    return shlex.split(command) if found else []


@pytest.mark.slow
@needs_kernel
@pytest.mark.parametrize("command", ["sweep", "dataset"])
def test_what_a_full_disk_advises_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """The disk is full at the first, the second, … write that must reach it."""
    if command == "dataset":
        pytest.importorskip("pyarrow")
    size = ["--games", "192", "--unit", "64"] if command == "sweep" else ["--positions", "30"]
    wish = [command, "5x5x4", *size, "--threads", "1"]
    whole = tmp_path / "whole"
    assert mineproof(*wish, "-o", str(whole)).status == 0
    fsync, outcomes = os.fsync, set()
    for after in count():
        path, done_writes = tmp_path / f"run {after}", count()

        def full(handle: int, after: int = after, done_writes: count[int] = done_writes) -> None:
            if next(done_writes) >= after:
                raise OSError(errno.ENOSPC, "No space left on device")
            fsync(handle)

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            done = mineproof(*wish, "-o", str(path))
        if done.status == 0:
            break
        assert (done.status, "No space left on device" in words(done)) == (2, True)
        resume = advised(done)
        outcomes.add(bool(resume))
        if not resume:
            assert not path.exists(), "nothing was begun, and nothing is left"
            assert not path.with_name(f"{path.name}.parts").exists()
        assert mineproof(*(resume or [*wish, "-o", str(path)])).status == 0
        if command == "sweep":
            assert sums(path) == sums(whole)
        else:
            assert path.read_bytes() == whole.read_bytes()
    assert outcomes == {True, False}


# out of memory

_LIMITED = """
import resource, sys
from mineproof.cli import main
import numpy, mineproof.engine.kernel, mineproof.cli.analyze, mineproof.cli.generate
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_AS)[1]))
main(sys.argv[2:])
"""


@needs_kernel
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="limits the memory of a process on Linux")
@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "{}", "--mines", "150000"],
        ["analyze", "{}", "--mines", "150000", "--json"],
        ["generate", "1000x1000x150000", "--seed", "1", "--no-guess"],
    ],
    ids=["words", "json", "kernel"],
)
def test_out_of_memory_has_a_status_of_its_own(tmp_path: Path, arguments: list[str]) -> None:
    path = tmp_path / "large.mine"
    path.write_text(("#" * 1000 + "\n") * 1000)
    command = [sys.executable, "-c", _LIMITED, str(8 << 20), *(each.format(path) for each in arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (6, ""), done.stderr
    if "--json" in arguments:
        assert json.loads(done.stderr)["code"] == "memory"
    else:
        assert done.stderr.startswith("mineproof: Out of memory.")


def test_a_thread_that_cannot_be_started_is_out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    from mineproof.cli import analyze

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(analyze.command, "callback", fail)
    done = mineproof("analyze", "1#/##")
    assert (done.status, done.err.startswith("mineproof: Out of memory.")) == (6, True)


@needs_kernel
def test_a_sweep_that_runs_out_of_memory_can_be_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mineproof.sweeps import scheduler, units

    wish = ["sweep", "5x5x4", "--games", "192", "--unit", "64", "--threads", "1", "-o", str(tmp_path / "run")]
    played, play = count(), units.play

    def fail(*arguments: object, **options: object) -> bytes | None:
        if next(played):
            raise MemoryError
        return play(*arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(scheduler, "play", fail)
        done = mineproof(*wish)
    assert (done.status, "Out of memory" in done.err) == (6, True)
    resume = shlex.split(words(done).partition("run: mineproof ")[2].partition(" mineproof: ")[0])
    assert mineproof(*resume).status == 0
