"""``mineproof report`` as a script or a person calls it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import mineproof as mp
from support.command import Done, mineproof
from support.engines import needs_kernel
from support.sweeps import sums
from support.texts import text

pytestmark = needs_kernel

PLOTS = ("win-rate", "survival-moves", "survival-guesses", "calibration", "lost-cells")
FILES = {"report.html", *(f"{name}.{kind}" for name in PLOTS for kind in ("svg", "png"))}


def words(done: Done) -> str:
    return " ".join(done.err.split())


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported") / "run"
    mp.sweep("5x5", mines=[4, 6], strategy=["fast", "go"], games=300, unit=64, seed=3, per_game=True, path=folder)
    return folder


def test_tables(run: Path) -> None:
    done = mineproof("report", str(run))
    found = mp.read_sweep(run)
    assert (done.status, done.err) == (0, "")
    assert done.lines[:3] == [
        "5 × 5, first click safe, start (0,0), seed 3",
        "",
        "mines  density  strategy  games      won   95 % interval",
    ]
    for line, each in zip(done.lines[3:7], found, strict=True):
        low, high = (f"{100 * end:.2f}" for end in each.interval)
        told = [
            f"{each.mines}",
            f"{4 * each.mines:.1f}",
            "%",
            each.strategy,
            "300",
            f"{100 * each.wins / 300:.2f}",
            "%",
        ]
        assert line.split() == [*told, low, "to", high]
    pair = found.compare(2, 3)
    [line] = [line for line in done.lines if line.startswith("6 mines  ")]
    assert line.split()[:8] == ["6", "mines", "fast", "go", "300", f"{pair.only_first}", ":", f"{pair.only_second}"]
    assert any(line.startswith("6 mines, fast") for line in done.lines)
    assert done.lines[-2:] == ["Left out:", "  Calibration: these strategies state no odds: go."]


def test_a_narrow_terminal(run: Path) -> None:
    done = mineproof("report", str(run), columns=60)
    assert done.status == 0
    assert max(map(len, done.lines)) <= 60


def test_json(run: Path) -> None:
    assert mineproof("report", str(run), "--json").json() == json.loads(json.dumps(mp.report(run).as_json()))


@pytest.mark.slow
def test_files(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    before = sums(run)
    done = mineproof("report", str(run), "-o", str(out))
    assert done.status == 0
    assert words(done) == f"mineproof: Wrote {out}/report.html and 10 pictures."
    assert {path.name for path in out.iterdir()} == FILES
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {
        name: content.encode() if isinstance(content, str) else content
        for name, content in mp.report(run).files().items()
    }
    assert sums(run) == before


@pytest.mark.slow
def test_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    mp.sweep("5x5x4", games=64, path=tmp_path / "run")
    run, out = str(tmp_path / "run"), tmp_path / "out"
    assert mineproof("report", run, "-o", str(out)).status == 0
    first = sums(out)
    assert len(first) == 3
    again = mineproof("report", run, "-o", str(out), "--json")
    assert (again.status, sums(out)) == (0, first), "the same is no loss"
    (out / "win-rate.svg").write_text("mine")
    (out / "report.html").unlink()
    refused = mineproof("report", run, "-o", str(out))
    assert (refused.status, refused.out) == (2, b"")
    assert "win-rate.svg already exists. Use --force to replace it, or choose another name." in words(refused)
    assert not (out / "report.html").exists(), "all of them or none"
    assert mineproof("report", run, "-o", str(out), "--force").status == 0
    assert sums(out) == first


def test_parquet(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    done = mineproof("report", str(run), "--parquet", str(out))
    assert done.status == 0
    assert words(done) == f"mineproof: Wrote {out}/configurations.parquet and {out}/games.parquet."
    assert pq.read_table(out / "games.parquet").equals(mp.read_sweep(run).to_arrow(games=True))
    first = sums(out)
    refused = mineproof("report", str(run), "--parquet", str(out))
    assert (refused.status, refused.out, sums(out)) == (2, b"", first)
    told = "configurations.parquet already exists. Use --force to replace it, or choose another folder."
    assert told in words(refused)
    assert mineproof("report", str(run), "--parquet", str(out), "--force").status == 0
    assert sums(out) == first


def test_a_run_that_is_not_complete(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    part = mp.sweep("5x5x4", games=640, unit=64, path=folder, threads=1, cancelled=lambda: True)
    left = 640 - part[0].games
    done = mineproof("report", str(folder))
    assert done.status == 0
    assert f"This run is not complete: {left} games left to play" in done.lines
    assert "Run the sweep with --per-game" in done.text
    assert mineproof("report", str(folder), "--json").json()["complete"] is False


def test_what_is_no_run(tmp_path: Path) -> None:
    for folder, message in ((tmp_path, "is not the folder of a sweep"), (tmp_path / "no", "no plan.json")):
        done = mineproof("report", str(folder))
        assert (done.status, done.out) == (2, b"")
        assert message in words(done)
    assert mineproof("report").status == 2
    odd = mineproof("report", str(tmp_path / "a\nb\x1b[1m"))
    assert odd.err.rstrip().isprintable(), "no line of its own, and no colour, of the name of a folder"
    error = json.loads(mineproof("report", str(tmp_path), "--json").err)
    assert (error["schema"], error["code"]) == ("mineproof/error/1", "sweep")


def test_damage_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    mp.sweep("5x5x4", games=300, unit=64, per_game=True, path=folder)
    [path] = (folder / "units").iterdir()
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    for options in ((), ("--parquet", str(tmp_path / "out")), ("-o", str(tmp_path / "out"))):
        done = mineproof("report", str(folder), *options)
        assert (done.status, done.out) == (2, b"")
        assert "is damaged: games 256 to 299: expected checksum" in words(done)
        assert "--repair" in words(done)
    left = {each.name for each in (tmp_path / "out").iterdir()}
    assert left <= {"configurations.parquet"}


def test_without_pyarrow_and_matplotlib(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyarrow", "matplotlib", "pandas"):
        monkeypatch.setitem(sys.modules, module, None)
    assert mineproof("report", str(run)).status == 0, "tables need neither"
    done = mineproof("report", str(run), "-o", str(tmp_path / "out"))
    assert done.status == 0
    assert text("cli-report-no-plots", reason="plots needs matplotlib") in words(done)
    assert "pip install 'mineproof[plot]'" in words(done)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.html"]
    refused = mineproof("report", str(run), "--parquet", str(tmp_path / "tables"))
    assert (refused.status, refused.out) == (2, b"")
    assert "needs pyarrow" in words(refused)
    assert "pip install 'mineproof[results]'" in words(refused)
    assert not (tmp_path / "tables").exists()


def test_a_file_in_the_place_of_the_folder(run: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    for option in ("-o", "--parquet"):
        done = mineproof("report", str(run), option, str(tmp_path / "out"))
        assert (done.status, done.out) == (2, b"")
        assert "is a file" in words(done)
