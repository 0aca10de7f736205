"""``mineproof dataset`` as a script or a person calls it, killed and resumed as a real process."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.cli import dataset as module
from support.command import Done, mineproof
from support.engines import needs_kernel
from support.patience import PATIENCE
from support.process import LISTEN, at_a_terminal
from support.texts import text

pytest.importorskip("pyarrow")
pytestmark = needs_kernel

SMALL = ("dataset", "beginner", "--positions", "300", "--seed", "3")


def words(done: Done) -> str:
    return " ".join(done.err.split())


def test_a_file_and_what_is_told(tmp_path: Path) -> None:
    path = tmp_path / "positions.parquet"
    done = mineproof(*SMALL, "-o", str(path))
    assert (done.status, done.err) == (0, "")
    found = mp.read_dataset(path)
    assert done.lines[0] == f"{path}: 300 positions, from the first {found.games} games of seed 3"
    size = path.stat().st_size
    share = f"{100 * found.stuck / 300:.2f} % of the positions have no certainly safe cell"
    assert done.lines[1:] == [f"{size / 1e6:.1f} MB, {size / 300:,.0f} bytes per position", share]
    by_function = mp.dataset(tmp_path / "same", "beginner", positions=300, seed=3, threads=1)
    assert by_function.path.read_bytes() == path.read_bytes()


def test_json_and_every_option(tmp_path: Path) -> None:
    done = mineproof(
        "dataset", "7x6x8", "-o", str(tmp_path / "x"), "--positions", "100", "--only", "guesses", "--per-game", "2",
        "--strategy", "go", "--first-click", "open", "--topology", "torus", "--start", "1,2", "--seed", "9",
        "--threads", "2", "--json",
    )  # fmt: skip
    found = mp.read_dataset(tmp_path / "x")
    assert done.json() == found.as_json()
    same = mp.dataset(
        tmp_path / "y", 6, 7, 8, positions=100, only="guesses", per_game=2, strategy="go", first_click="open",
        topology="torus", start=(1, 2), seed=9,
    )  # fmt: skip
    assert same.as_json() == found.as_json()
    told = mineproof("dataset", "-o", str(tmp_path / "x"), "--resume")
    assert told.lines[0].endswith(f"100 positions, from the first {found.games} games of seed 9")
    assert told.lines[2] == text("cli-dataset-only-guesses")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--positions", "0"], "--positions must be at least 1, got 0"),
        (["--only", "none"], "--only must be one of all, guesses, got 'none'"),
        (["--strategy", "nobody"], "--strategy must be one of fast, strong, "),
        (["--start", "random"], "--start random needs --first-click any"),
        (["--start", "99,99"], "(99,99)"),
        (["--resume"], "No dataset to resume"),
        (["-o", "x.csv"], "The name of a dataset must end with .parquet, got 'x.csv'"),
    ],
)
def test_bad_usage(tmp_path: Path, arguments: list[str], message: str) -> None:
    wish = [] if arguments == ["--resume"] else ["5x5x4", "--positions", "10"]
    done = mineproof("dataset", *wish, "-o", str(tmp_path / "x"), *arguments)
    assert (done.status, done.out) == (2, b"")
    assert message in words(done)
    assert not (tmp_path / "x").exists()


def test_without_a_name() -> None:
    done = mineproof("dataset", "beginner")
    assert (done.status, "Missing option '-o'" in words(done)) == (2, True)


def test_what_is_in_the_way(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("mine")
    taken = mineproof(*SMALL, "-o", str(path), "--json")
    assert (taken.status, taken.error()["code"]) == (2, "dataset")
    assert taken.error()["message"].endswith("already exists. Remove it, or choose another name.")
    assert path.read_text() == "mine"
    path.unlink()
    assert mineproof(*SMALL, "-o", str(path)).status == 0
    other = mineproof(*SMALL, "-o", str(path), "--resume", "--seed", "4")
    assert (other.status, "was started with seed=3, not 4" in words(other)) == (2, True)
    blocked = mineproof(*SMALL, "-o", str(path / "below"))
    assert (blocked.status, "To continue" in words(blocked)) == (2, False)


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = mineproof(*SMALL, "-o", str(tmp_path / "x"))
    assert (done.status, done.out) == (2, b"")
    assert "dataset needs pyarrow" in words(done)
    assert "pip install 'mineproof[results]'" in words(done)
    assert mineproof("dataset", "--help").status == 0


# Ctrl-C and kill -9

LONG = ("dataset", "intermediate", "--positions", "60000", "--seed", "2")


def test_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpressed, path = [signal.SIGINT], tmp_path / "a file"

    @contextmanager
    def pressing() -> Iterator[Callable[[object], None]]:
        yield lambda _: signal.raise_signal(unpressed.pop()) if unpressed else None

    monkeypatch.setattr(module, "_progress_bar", pressing)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = mineproof(*LONG, "--threads", "1", "-o", str(path))
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.status, done.out) == (130, b"")
    assert words(done) == f"mineproof: Interrupted. To continue, run: mineproof dataset -o '{path}' --resume"
    assert not path.exists()
    assert (tmp_path / "a file.parts" / "plan.json").is_file()


@pytest.mark.slow
def test_ctrl_c_at_a_terminal(tmp_path: Path) -> None:
    """The bar shows positions, games and speed, and is gone in the end."""
    shown = at_a_terminal(
        "dataset", "--positions", "10000000", "-o", str(tmp_path / "x"), columns=110, ctrl_c_after="/s "
    )
    assert shown.status == 130
    assert "/10000000" in shown.text
    assert " games" in shown.text
    assert text("cli-resume", command="mineproof dataset") in " ".join(shown.text.split())


@pytest.mark.slow
def test_kill_9(tmp_path: Path) -> None:
    """A process that is killed twice loses no finished part, and ends with the same bytes."""
    path = tmp_path / "positions.parquet"
    kept: dict[str, str] = {}
    for threads in ("1", "2"):
        command = [sys.executable, "-c", LISTEN, *LONG, "-o", str(path), "--resume", "--threads", threads]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + PATIENCE
            while time.monotonic() < deadline and process.poll() is None and len(parts(path)) < len(kept) + 2:
                time.sleep(0.005)
            process.kill()
            assert process.wait() == -signal.SIGKILL, process.stderr and process.stderr.read()
        now = parts(path)
        assert len(now) >= len(kept) + 2
        assert now.items() >= kept.items(), "what was there is as it was"
        kept = now
    assert not path.exists()
    resumed = mineproof("dataset", "-o", str(path), "--resume", "--json")
    whole = mineproof(*LONG, "-o", str(tmp_path / "whole"), "--threads", "1", "--json")
    assert (resumed.status, resumed.out) == (0, whole.out)
    assert path.read_bytes() == (tmp_path / "whole").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["positions.parquet", "whole"]


def parts(path: Path) -> dict[str, str]:
    """A checksum of every finished part."""
    found = Path(f"{path}.parts").glob("*.part")
    return {part.name: hashlib.sha256(part.read_bytes()).hexdigest() for part in found}


def test_one_goes_on_with_some_of_its_options(tmp_path: Path) -> None:
    path = str(tmp_path / "some.parquet")
    assert mineproof("dataset", "5x5x3", "--positions", "50", "--seed", "3", "-o", path).status == 0
    for some in (["--seed", "3"], ["--positions", "50"], ["5x5x3"], ["--only", "all"]):
        assert mineproof("dataset", "-o", path, "--resume", *some).status == 0, some
    refused = mineproof("dataset", "-o", path, "--resume", "--seed", "4")
    assert refused.status == 2
    assert "seed=3, not 4" in words(refused)
