"""Inputs as other programs write them, with the boards they stand for: `cases.json`.

Their sources are the programs' own documents and the worked examples of our format notes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mineproof import formats
from mineproof.board.board import Board
from mineproof.game.layout import Layout

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "golden/formats/cases.json").read_text("utf-8"))
SIGNS = {"#": -1, "F": -2}

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))


def expected(case: dict[str, Any]) -> Board | Layout:
    """The value of a case, put together without any reader of the package."""
    if "cells" in case:
        codes = [[SIGNS[sign] if sign in SIGNS else int(sign) for sign in row] for row in case["cells"]]
        return Board.from_array(codes, case["total_mines"])
    rows = enumerate(case["mines"])
    mines = frozenset((row, column) for row, line in rows for column, sign in enumerate(line) if sign == "*")
    start = None if case["start"] is None else (case["start"][0], case["start"][1])
    return Layout(case["rows"], case["columns"], mines, start)


@every_case
def test_is_recognised_and_read(case: dict[str, Any]) -> None:
    reading = formats.read(case["input"])
    assert reading.format == case["format"]
    assert reading.value == expected(case)
    assert (reading.value.rows, reading.value.columns) == (case["rows"], case["columns"])


@every_case
def test_is_read_the_same_as_bytes_and_by_name(case: dict[str, Any]) -> None:
    windows = b"\xef\xbb\xbf" + case["input"].replace("\n", "\r\n").encode() + b"\r\n"
    assert formats.read(windows).value == expected(case)
    assert formats.read(windows, case["format"]).value == expected(case)


@pytest.mark.parametrize("case", [case for case in CASES if case["writes"]], ids=lambda case: str(case["id"]))
def test_is_written_as_it_was(case: dict[str, Any]) -> None:
    assert formats.write(expected(case), case["format"]) == case["input"]


def test_every_foreign_format_has_a_case() -> None:
    ours = {"mineproof", "json", "layout"}
    replays = {"avf", "evf", "mvf", "rmv"}  # tests/formats/test_recordings.py writes its own
    other_tests = {
        "image",
        "mbf",
        "minedetector-output",
        "pasted",  # tests/support/dresses.py
        *replays,
    }  # bytes, and blanks at line ends, fare badly in JSON
    assert {case["format"] for case in CASES} == set(formats.FORMATS) - ours - other_tests


def test_the_tatham_example_leaves_its_first_click_free() -> None:
    layout = formats.read("9x9:4,4,m00b7d48a3e0231c419200").value
    assert isinstance(layout, Layout)
    assert layout.total_mines == 35
    assert not layout.mines & {(row, column) for row in (3, 4, 5) for column in (3, 4, 5)}


def test_mbf_bytes() -> None:
    data = bytes([3, 2, 0, 2, 2, 0, 0, 1])
    reading = formats.read(data)
    assert reading.format == "mbf"
    assert reading.value == Layout(2, 3, frozenset({(0, 2), (1, 0)}))
    assert formats.write(reading.value, "mbf") == data


def test_what_minedetector_prints() -> None:
    reading = formats.read("X 3 3 X \n# # # X \n\n")
    assert reading.format == "minedetector-output"
    assert reading.value == Board.from_array([[-2, 3, 3, -2], [-1, -1, -1, -2]])
    assert formats.read("  1 # \n    1 \n").value == Board.from_array([[0, 1, -1], [0, 0, 1]])
