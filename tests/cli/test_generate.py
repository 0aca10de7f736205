"""``mineproof generate``: layouts to read, to pipe and to keep; the same for a seed; honest when there is none."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import formats
from mineproof.deduction.ladder import LADDER
from mineproof.engine.answers import NoGuess, NoGuessOrder
from mineproof.engine.kernel import KernelEngine
from mineproof.game.layout import Layout
from mineproof.generation.certificate import Certificate
from mineproof.generation.generator import generate
from mineproof.generation.guess_check import check
from mineproof.generation.verifier import verify
from support.command import mineproof
from support.patience import PATIENCE
from support.process import LISTEN, at_a_terminal

SMALL = ["5x4x3", "--seed", "7"]
HOPELESS = ["3x1x1", "--no-guess", "--start", "0,1", "--budget", "0.1"]


def read(text: str) -> Layout:
    found = formats.read(text).value
    assert isinstance(found, Layout)
    return found


# what is printed


def test_layouts_are_blocks() -> None:
    done = mineproof("generate", *SMALL, "--count", "3")
    assert (done.status, done.err) == (0, "")
    blocks = done.text.rstrip("\n").split("\n\n")
    assert [read(block).mines for block in blocks] == [generate(4, 5, 3, seed=7, number=n).mines for n in range(3)]
    assert mineproof("generate", *SMALL, "--count", "2", "--number", "1").text == "\n\n".join(blocks[1:]) + "\n"


def test_no_layout_is_bad_usage() -> None:
    done = mineproof("generate", *SMALL, "--count", "0")
    assert (done.status, done.out) == (2, b"")
    assert "--count must be at least 1, got 0" in done.err


def test_an_unknown_technique_is_bad_usage() -> None:
    done = mineproof("generate", *SMALL, "--no-guess", "--needs", "foo")
    assert (done.status, done.out) == (2, b"")
    assert "mineproof: --needs must be one of single-open, single-flag, partition, " in done.err
    assert "exhaustive, got 'foo'" in " ".join(done.err.split())


def test_lines_are_lines() -> None:
    done = mineproof("generate", *SMALL, "--count", "3", "--to", "json")
    assert [json.loads(line)["schema"] for line in done.lines] == ["mineproof/layout/1"] * 3
    links = mineproof("generate", "beginner", "--seed", "7", "--count", "2", "--to", "ptta").lines
    assert [read(link).mines for link in links] == [generate(9, 9, 10, seed=7, number=n).mines for n in range(2)]


def test_replays_are_text_too() -> None:
    blocks = mineproof("generate", *SMALL, "--count", "2", "--to", "rawvf").text.split("\n\n")
    assert [read(block).mines for block in blocks] == [generate(4, 5, 3, seed=7, number=n).mines for n in range(2)]


def test_json() -> None:
    (drawn,) = map(json.loads, mineproof("generate", *SMALL, "--json").lines)
    assert set(drawn) == {"schema", "seed", "number", "method", "attempts", "layout"}
    assert (drawn["schema"], drawn["seed"], drawn["number"], drawn["method"]) == (
        "mineproof/generated/1",
        7,
        0,
        "uniform",
    )
    assert read(json.dumps(drawn["layout"])) == generate(4, 5, 3, seed=7)
    made = mineproof("generate", *SMALL, "--no-guess", "--certificate", "--json").json()
    assert (made["method"], made["layout"]["start"], made["layout"]["no_guess"]) == ("repair", [2, 2], True)
    certificate = Certificate.from_json(json.dumps(made["certificate"]))
    verify(certificate, read(json.dumps(made["layout"])))


# sizes and seeds


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        ([], (16, 30, 99)),
        (["beginner"], (9, 9, 10)),
        (["beginner8"], (8, 8, 10)),
        (["intermediate"], (16, 16, 40)),
        (["expert"], (16, 30, 99)),
        (["7x3x2"], (3, 7, 2)),
        (["--rows", "3", "--columns", "7", "--mines", "2"], (3, 7, 2)),
        (["expert", "--mines", "130"], (16, 30, 130)),
        (["7x3x2", "--rows", "4"], (4, 7, 2)),
    ],
)
def test_sizes(arguments: list[str], size: tuple[int, int, int]) -> None:
    layout = mineproof("generate", *arguments, "--seed", "1", "--json").json()["layout"]
    assert (layout["rows"], layout["columns"], len(layout["mines"])) == size


def test_a_seed_is_drawn_and_told() -> None:
    first = mineproof("generate", "beginner")
    assert first.err.startswith("mineproof: seed ")
    again = mineproof("generate", "beginner", "--seed", first.err.split()[2])
    assert (again.text, again.err) == (first.text, "")
    assert mineproof("generate", "beginner").text != first.text


# wishes


def made(*arguments: str) -> list[Any]:
    done = mineproof("generate", *arguments, "--json")
    assert (done.status, done.err) == (0, "")
    return [json.loads(line) for line in done.lines]


def test_no_guess_from_a_start() -> None:
    for document in made("beginner", "--no-guess", "--start", "0,3", "--count", "4", "--seed", "2"):
        layout = read(json.dumps(document["layout"]))
        assert layout.start == (0, 3)
        assert check(layout).no_guess


def test_what_the_first_click_allows() -> None:
    wish = ["4x4x4", "--start", "0,0", "--count", "40", "--seed", "2"]
    near = {(0, 1), (1, 0), (1, 1)}
    for rule, kept in (("open", {(0, 0), *near}), ("safe", {(0, 0)}), ("any", set())):
        mines = [set(map(tuple, each["layout"]["mines"])) for each in made(*wish, "--first-click", rule)]
        assert all(each.isdisjoint(kept) for each in mines)
        assert any((0, 0) in each for each in mines) == (rule == "any")
        assert any(each & near for each in mines) == (rule != "open")


def test_a_wished_difficulty() -> None:
    rungs: list[str] = list(LADDER)
    wish = ["8x8x12", "--no-guess", "--needs", "partition", "--hardest", "bounds", "--count", "3", "--seed", "2"]
    for document in made(*wish):
        found = mp.grade(read(json.dumps(document["layout"])))
        assert found.hardest in rungs[rungs.index("partition") : rungs.index("bounds") + 1]


def test_topology_and_method() -> None:
    (torus,) = made("beginner", "--no-guess", "--topology", "torus", "--method", "rejection", "--seed", "3")
    assert (torus["layout"]["topology"], torus["method"]) == ("torus", "rejection")
    assert mineproof("generate", "beginner", "--topology", "hex", "--seed", "3").lines[0] == "9x9x10 hex"


def test_threads_change_nothing() -> None:
    wish = ["generate", "--no-guess", "--count", "12", "--seed", "5"]
    assert mineproof(*wish, "--threads", "3").text == mineproof(*wish).text


# files


def test_files_are_named_by_seed_and_number(tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    wish = ["beginner", "--no-guess", "--count", "2", "--seed", "5", "--number", "3", "-o", str(folder)]
    done = mineproof("generate", *wish, "--to", "mbf", "--certificate")
    assert done.status == 0
    names = ["5-3.certificate.json", "5-3.mbf", "5-4.certificate.json", "5-4.mbf"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert done.lines == [str(folder / "5-3.mbf"), str(folder / "5-4.mbf")]
    for number in (3, 4):
        path = folder / f"5-{number}.mbf"
        mines = generate(9, 9, 10, seed=5, number=number, no_guess=True).mines
        assert formats.read(path.read_bytes()).value == Layout(9, 9, mines)
        proof = str(folder / f"5-{number}.certificate.json")
        assert mineproof("check", str(path), "--start", "4,4", "--certificate", proof).status == 0


@pytest.mark.parametrize(
    ("format_name", "suffix"), [("evf", ".evf"), ("rawvf", ".rawvf"), ("mbf", ".mbf"), ("ptta", ".txt")]
)
def test_a_file_has_the_suffix_of_its_format(format_name: str, suffix: str, tmp_path: Path) -> None:
    done = mineproof("generate", "4x4x3", "--seed", "5", "--to", format_name, "-o", str(tmp_path / "boards"))
    assert done.lines == [str(tmp_path / f"boards/5-0{suffix}")]


def test_files_and_json(tmp_path: Path) -> None:
    done = mineproof("generate", *SMALL, "-o", str(tmp_path), "--to", "json", "--json")
    assert done.json()["file"] == str(tmp_path / "7-0.json")
    assert read((tmp_path / "7-0.json").read_text()) == generate(4, 5, 3, seed=7)


# how it ends


def test_a_hopeless_wish_tells_the_best_effort() -> None:
    done = mineproof("generate", *HOPELESS, "--seed", "1")
    assert (done.status, done.text) == (5, "")
    assert "The best opened 1 of 2 safe cells." in done.err
    error = mineproof("generate", *HOPELESS, "--seed", "1", "--json").error()
    assert (error["code"], error["limit"]) == ("budget", "seconds")


def test_what_was_made_before_it_gave_up_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    make = KernelEngine.no_guess

    def tire(engine: KernelEngine, order: NoGuessOrder, seed: int, number: int, budget: mp.Budget) -> NoGuess:
        if number >= 3:
            raise mp.BudgetExceeded("the fourth is too much", limit="seconds")
        return make(engine, order, seed, number, budget)

    monkeypatch.setattr(KernelEngine, "no_guess", tire)
    done = mineproof("generate", "9x9x15", "--no-guess", "--seed", "1", "--count", "50", "--to", "json")
    assert (done.status, len(done.lines)) == (5, 3)
    for line in done.lines:
        assert check(read(line)).no_guess


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["3x3"], "expected beginner"),
        (["9x9x82"], "expected at most 81 mines on 9 × 9, got 82"),
        (["beginner", "--mines", "82"], "--mines must be from 0 to 81 on 9 × 9, got 82"),
        (["--rows", "3"], "--rows and --columns need SIZE or --mines"),
        (["beginner", "--rows", "1000000"], "A board has at most 1,000,000 cells, got 9 × 1000000"),
        (["beginner", "--needs", "total"], "require --no-guess"),
        (["beginner", "--difficulty", "0"], "require --no-guess"),
        (["beginner", "--certificate", "--json"], "require --no-guess"),
        (["beginner", "--no-guess", "--certificate"], "-o DIR"),
        (["beginner", "--no-guess", "--needs", "total", "--hardest", "bounds"], "harder"),
        (["beginner", "--no-guess", "--needs", "luck"], "luck"),
        (["beginner", "--to", "mbf"], "-o DIR"),
        (["beginner", "--to", "mine"], "mine"),
        (["beginner", "--to", "tatham", "--seed", "1"], "no start cell"),
        (["beginner", "--to", "ptta", "--topology", "hex", "--seed", "1"], "plain grids only"),
        (["beginner", "--to", "ptta", "--json"], "--to json"),
        (["beginner", "--start", "9,9"], "expected a cell on the 9 × 9 board, got (9,9)"),
        (["3x3x9", "--no-guess"], "besides the first click"),
        (["beginner", "--threads", "0"], "--threads"),
        (["beginner", "--seed", "-1"], "--seed"),
    ],
)
def test_bad_usage(arguments: list[str], words: str) -> None:
    done = mineproof("generate", *arguments)
    assert (done.status, done.text) == (2, "")
    assert words in done.err


def test_errors_in_json() -> None:
    done = mineproof("generate", "3x3x9", "--no-guess", "--seed", "1", "--json")
    assert (done.status, done.error()["code"]) == (2, "usage")


# the terminal


@pytest.mark.slow
def test_a_bar_with_the_rate_where_a_person_waits(tmp_path: Path) -> None:
    shown = at_a_terminal("generate", "--no-guess", "--count", "40", "--seed", "3", "-o", str(tmp_path))
    assert shown.status == 0
    assert "40/40" in shown.text
    assert "per second" in shown.text
    assert len(list(tmp_path.iterdir())) == 40
    assert "per second" not in mineproof("generate", "--no-guess", "--count", "3", "--seed", "3").err


def test_ctrl_c_keeps_what_was_finished(tmp_path: Path) -> None:
    wish = ["generate", "--no-guess", "--count", "10000000", "--seed", "3", "--threads", "2", "-o", str(tmp_path)]
    shown = at_a_terminal(*wish, ctrl_c_after="3-9.txt")
    assert shown.status == 130
    assert "mineproof: interrupted" in shown.text
    assert "Traceback" not in shown.text
    kept = sorted(tmp_path.iterdir())
    assert len(kept) >= 10
    assert all(path.suffix == ".txt" and read(path.read_text()).total_mines == 99 for path in kept)


def test_numbers_asked_for() -> None:
    options = ["--bbbv", "15..20", "--openings", "2..", "--zini", "..16", "--islands", "0..9", "--human-zini", "1.."]
    done = mineproof("generate", "beginner", *options, "--count", "3", "--seed", "1", "--json")
    assert done.status == 0
    for line in done.lines:
        known = mp.measure(mp.formats.read(json.dumps(json.loads(line)["layout"])).value)  # type: ignore[arg-type]
        assert 15 <= known.bbbv <= 20
        assert known.openings >= 2
        assert known.zini is not None
        assert known.zini <= 16
    exact = mineproof("generate", "beginner", "--bbbv", "17", "--seed", "1").text
    assert mp.measure(mp.formats.read(exact).value).bbbv == 17  # type: ignore[arg-type]


@pytest.mark.parametrize("wanted", ["", "..", "x", "3-5", "5..3", "-1", "1..2..3", "1.5", "99999999999"])
def test_numbers_that_cannot_be_asked_for(wanted: str) -> None:
    done = mineproof("generate", "beginner", f"--bbbv={wanted}", "--json")
    assert done.status == 2
    message = done.error()["message"]
    assert message.startswith("--bbbv must be a number, or a range A..B, A.. or ..B")
    assert message.endswith((f", got {wanted}", f", got {wanted!r}"))


def test_numbers_that_no_layout_has() -> None:
    done = mineproof("generate", "beginner", "--bbbv", "75..", "--budget", "0.2", "--seed", "1")
    assert done.status == 5
    assert "No layout with 3BV 75.. after " in done.err
    assert "outside the requested range. 3BV ranged from " in done.err


def children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


def maps(process: str) -> str:
    """The files that a process has loaded; nothing once it is gone."""
    try:
        return Path(f"/proc/{process}/maps").read_text()
    except OSError:
        return ""


def test_ctrl_c_while_processes_are_starting() -> None:
    """A terminal sends it to all of them, and none may answer with a traceback."""
    wish = ["generate", "--no-guess", "--needs", "exhaustive", "--threads", "2", "--count", "1000", "--seed", "3"]
    command = [sys.executable, "-c", LISTEN, *wish]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    while not any("numpy" in maps(child) for child in children(process.pid)):  # one is importing what it needs
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == b"mineproof: interrupted\n"


def test_ctrl_c_while_nothing_is_found() -> None:
    shown = at_a_terminal("generate", "3x1x1", "--no-guess", "--start", "0,1", "--seed", "3", ctrl_c_after="0/1")
    assert shown.status == 130
    assert "Traceback" not in shown.text
