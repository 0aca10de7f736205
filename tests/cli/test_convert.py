"""``mineproof convert``: every pair of formats that hold the same kind of thing."""

import os
import subprocess
from pathlib import Path

import pytest

from mineproof import Game, Layout, formats
from support.command import mineproof

POSITION, LAYOUT = "2x2x1/1#/##", "3x2:1,0,u30"
WRITABLE = {
    holds: [row.name for row in formats.FORMATS.values() if row.writes and row.holds in (holds, "either")]
    for holds in ("position", "layout")
}


@pytest.mark.parametrize(("board", "holds"), [(POSITION, "position"), (LAYOUT, "layout")])
def test_there_and_back(board: str, holds: str) -> None:
    value = formats.read(board).value
    for name in WRITABLE[holds]:
        there = mineproof("convert", board, "--to", name)
        assert there.status == 0, there.err
        back = mineproof("convert", "-", "--from", name, "--json", "--start", "0,1", stdin=there.out)
        if holds == "position":
            assert back.status == 2  # a position has no first click
            back = mineproof("convert", "-", "--from", name, "--json", stdin=there.out)
        assert formats.read(back.out).value == value, name


def test_the_answer_alone_is_on_stdout() -> None:
    done = mineproof("convert", "b=32&m=60", "--to", "mbf")
    assert done.out == bytes.fromhex("03 02 00 02 02 00 00 01")
    assert done.err == "mineproof: read as ptta: layout from a b= and m= link\n"


def test_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "small.mbf"
    done = mineproof("convert", "b=32&m=60", "--to", "mbf", "-o", str(path))
    assert (done.status, done.out) == (0, b"")
    assert path.read_bytes() == bytes.fromhex("03 02 00 02 02 00 00 01")
    text = tmp_path / "small.txt"
    mineproof("convert", str(path), "--to", "layout", "-o", str(text))
    assert text.read_text() == "..*\n*..\n"


def test_a_file_that_cannot_be_written_is_bad_usage(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = mineproof("convert", "1#", "--to", "json", "-o", str(tmp_path / "file" / "below"), "--json")
    assert (done.status, done.error()["code"]) == (2, "file")


def test_pipes_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        assert mineproof("convert", "1#", "--to", "mineproof", "-o", str(pipe)).status == 0
        assert reader.communicate()[0] == "1#\n"
    assert pipe.is_fifo()


def test_json_is_short_for_to_json() -> None:
    assert mineproof("convert", POSITION, "--json").json() == {
        "schema": "mineproof/board/1",
        "rows": 2,
        "columns": 2,
        "total_mines": 1,
        "topology": "grid",
        "cells": ["1#", "##"],
    }
    assert mineproof("convert", POSITION, "--json").text == mineproof("convert", POSITION, "--to", "json").text
    assert mineproof("convert", POSITION, "--json", "--to", "mine").status == 2


@pytest.mark.parametrize(
    ("status", "arguments", "words"),
    [
        (2, [POSITION], "--to is missing"),
        (2, [POSITION, "-o", "c.xyz"], "The suffix of c.xyz names no format. Add --to, one of mineproof, "),
        (2, ["nofile.txt"], "nofile.txt: file not found"),
        (2, [POSITION, "--to", "fair"], "fair"),  # read, not written
        (2, [POSITION, "--to", "json", "--start", "1"], "ROW,COLUMN"),
        (3, [POSITION, "--to", "mbf"], "expected a layout for the format mbf, got a position"),
        (3, [LAYOUT, "--to", "mine"], "expected a position for the format mine, got a layout"),
        (3, ["1#/##", "--to", "mine"], "needs the number of mines, which is unknown. Pass --mines N."),
        (3, ["b=32&m=60", "--to", "tatham"], "Pass --start R,C."),
        (2, [LAYOUT, "--to", "tatham", "--start", "5,5"], "expected a cell on the 3 × 2 board, got (5,5)"),
    ],
)
def test_what_is_refused(status: int, arguments: list[str], words: str) -> None:
    done = mineproof("convert", *arguments)
    assert (done.status, done.out) == (status, b"")
    assert words in done.err


def test_a_first_click_for_formats_that_need_one() -> None:
    assert mineproof("convert", "b=32&m=60", "--to", "tatham", "--start", "0,1").text == "3x2:1,0,u30\n"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_list(columns: int) -> None:
    done = mineproof("convert", "--list", columns=columns)
    assert done.status == 0
    assert [line.split()[0] for line in done.lines if not line.startswith(" ")] == list(formats.FORMATS)
    assert [line for line in done.lines if len(line) > max(columns, 42)] == []


def test_list_as_json() -> None:
    answer = mineproof("convert", "--list", "--json").json()
    assert answer["schema"] == "mineproof/formats/1"
    assert [row["name"] for row in answer["formats"]] == list(formats.FORMATS)
    assert {key for row in answer["formats"] for key in row} == {"name", "holds", "reads", "writes", "description"}


# files that are there already


def test_another_file_is_not_written_over_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    ask = ["--to", "mineproof", "-o", str(path)]
    assert mineproof("convert", "1#", *ask).status == 0
    assert mineproof("convert", "1#", *ask).status == 0, "the same again is no loss"
    done = mineproof("convert", "##", *ask)
    assert (done.status, path.read_text()) == (2, "1#\n")
    assert f"{path} already exists. Use --force to replace it, or choose another name." in " ".join(done.err.split())
    assert mineproof("convert", "##", *ask, "--force").status == 0
    assert path.read_text() == "##\n"
    path.write_text("")
    assert mineproof("convert", "1#", *ask).status == 0, "nothing is lost with an empty file"


def test_the_same_holds_for_generate_and_review(tmp_path: Path) -> None:
    ask = ["generate", "3x3x1", "--seed", "1", "-o", str(tmp_path)]
    assert mineproof(*ask).status == 0
    assert mineproof(*ask).status == 0, "the same again is no loss"
    path = tmp_path / "1-0.txt"
    path.write_text("mine")
    assert (mineproof(*ask).status, path.read_text()) == (2, "mine")
    assert (mineproof(*ask, "--force").status, path.read_text() == "mine") == (0, False)

    game = Game(Layout(1, 2, frozenset([(0, 0)])), first_click="any")
    game.open(0, 1)
    path.write_text("mine")
    look = ["review", "--rawvf", str(path)]
    assert (mineproof(*look, stdin=game.save()).status, path.read_text()) == (2, "mine")
    assert (mineproof(*look, "--force", stdin=game.save()).status, path.read_text()[:5]) == (0, "RawVF")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_names_its_file() -> None:
    done = mineproof("convert", "1#", "--to", "mineproof", "-o", "/dev/full")
    assert (done.status, done.err.splitlines()[-1]) == (2, "mineproof: /dev/full: No space left on device")
