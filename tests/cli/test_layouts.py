"""``mineproof layouts``: blocks for people and programs, lines of JSON for scripts."""

import json
from typing import Any

import pytest

from support.command import mineproof


def test_every_layout_once_in_a_stable_order() -> None:
    done = mineproof("layouts", "1##/#~F", "--mines", "2")
    assert done.text == "1__\n*~*\n\n1*_\n_~*\n"
    assert mineproof("layouts", "1##/#~F", "--mines", "2").text == done.text


def test_an_ignored_flag_may_be_free() -> None:
    assert mineproof("layouts", "1F#", "--mines", "1", "--flags", "ignore").text == "1*_\n"
    assert mineproof("layouts", "#1F", "--mines", "1", "--flags", "ignore").text == "_1*\n\n*1_\n"


def test_count() -> None:
    assert mineproof("layouts", "1#/##", "--count").text == "3\n"
    assert mineproof("layouts", "#" * 20_000, "--count").text == f"{2**20_000}\n"


@pytest.mark.parametrize(("limit", "blocks"), [(0, 0), (1, 1), (2, 2), (9, 3)])
def test_limit(limit: int, blocks: int) -> None:
    done = mineproof("layouts", "1#/##", "--limit", str(limit))
    assert len([block for block in done.text.split("\n\n") if block]) == blocks
    assert mineproof("layouts", "1#/##").text.startswith(done.text.rstrip("\n"))


def test_samples_are_layouts_that_fit_and_the_same_for_a_seed() -> None:
    listed = set(mineproof("layouts", "1#/##").text.rstrip("\n").split("\n\n"))
    drawn = mineproof("layouts", "1#/##", "--sample", "50", "--seed", "7")
    assert set(drawn.text.rstrip("\n").split("\n\n")) == listed
    assert len(drawn.text.split("\n\n")) == 50
    assert mineproof("layouts", "1#/##", "--sample", "50", "--seed", "7").text == drawn.text
    assert mineproof("layouts", "1#/##", "--sample", "50", "--seed", "8").text != drawn.text
    assert mineproof("layouts", "1#/##", "--sample", "0").text == ""


def test_density_weighs_the_samples() -> None:
    sparse = mineproof("layouts", "#" * 100, "--sample", "5", "--density", "0.01").text
    assert sparse.count("*") < 50
    dense = mineproof("layouts", "#" * 100, "--sample", "5", "--density", "0.99").text
    assert dense.count("*") > 450


def lines(*arguments: str) -> list[Any]:
    return [json.loads(line) for line in mineproof("layouts", *arguments, "--json").lines]


def test_json_lines() -> None:
    head, *layouts = lines("1#/##", "--mines", "1")
    board = {"schema": "mineproof/board/1", "rows": 2, "columns": 2, "total_mines": 1, "topology": "grid",
             "cells": ["1#", "##"]}  # fmt: skip
    sizes = {"rows": 2, "columns": 2, "total_mines": 1}
    assert head == {"schema": "mineproof/layouts/1", **sizes, "count": "3", "board": board}
    assert layouts == [{"mines": [[1, 1]]}, {"mines": [[1, 0]]}, {"mines": [[0, 1]]}]
    assert lines("1#/##", "--mines", "1", "--limit", "1") == [head, layouts[0]]
    assert lines("1#/##", "--mines", "1", "--count") == [head]
    drawn = lines("1#/##", "--mines", "1", "--sample", "4")
    assert drawn[0] == head
    assert len(drawn) == 5


def test_json_of_a_count_beyond_reading() -> None:
    assert lines("#" * 20_000, "--limit", "0")[0]["count"] is None
    assert lines("#" * 20_000, "--count")[0]["count"] == str(2**20_000)


def test_what_is_listed_can_be_read_again() -> None:
    for block in mineproof("layouts", "1##/###", "--mines", "2").text.rstrip("\n").split("\n\n"):
        assert mineproof("layouts", "--from", "truffle", "--mines", "2", "--count", stdin=block).status == 0
