"""The tutorial of the page: every position is counted, so none of its lessons can be wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.wording.catalogue import languages, load_catalogue

MODULE = Path(__file__).parents[2] / "src/mineproof/web/static/app/tutorial.js"
PATTERNS = {"1-1", "1-2", "1-2-1", "1-2-2-1"}


def load_steps() -> list[dict[str, Any]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    code = f"import({MODULE.as_uri()!r}).then(({{STEPS}}) => console.log(JSON.stringify(STEPS)))"
    steps: list[dict[str, Any]] = json.loads(
        subprocess.run([node, "-e", code], capture_output=True, text=True, check=True).stdout
    )
    return steps


def cells(pairs: list[list[int]]) -> set[tuple[int, int]]:
    return {(row, column) for row, column in pairs}


@pytest.fixture(scope="module")
def steps() -> list[dict[str, Any]]:
    return load_steps()


def test_certain_cells_are_exactly_those_of_the_analysis(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        board = mp.Board.parse(step["position"], total_mines=step["mines"])
        analysis = mp.analyze(board)
        assert cells(step["open"]) == analysis.safe, step["id"]
        flagged = {cell for cell in analysis.mines if board[cell] == -1}
        assert cells(step["flag"]) == flagged, step["id"]


def test_the_numbers_that_are_shown_prove_the_step(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        board = mp.Board.parse(step["position"], total_mines=step["mines"])
        for row, column in step["because"]:
            assert board[row, column] > 0, step["id"]
        if step.get("guess"):
            continue
        numbers = frozenset(board.index((row, column)) for row, column in step["because"])
        analysis = mp.analyze(board.only(numbers, total=step["mines"] is not None))
        assert cells(step["open"]) <= analysis.safe, step["id"]
        if step["id"] != "numbers":  # where the task is not the mine
            assert cells(step["flag"]) <= analysis.mines, step["id"]


def test_solutions_have_the_right_numbers(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        layout = [list(row) for row in step["solution"].split("/")]
        board = mp.Board.parse(step["position"])
        mines = {(r, c) for r, row in enumerate(layout) for c, symbol in enumerate(row) if symbol == "*"}
        for r, row in enumerate(layout):
            for c, symbol in enumerate(row):
                if symbol != "*":
                    assert int(symbol) == len(mines & set(board.neighbours((r, c)))), (step["id"], r, c)
                if board[r, c] >= 0:
                    assert str(board[r, c]) == symbol
        assert step["mines"] in (None, len(mines))
        assert set(board.cells(-2)) <= mines


def test_patterns_are_what_players_call_them(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        if step["id"] in PATTERNS:
            numbers = "-".join(step["position"].split("/")[row][column] for row, column in step["because"])
            assert numbers == step["id"]
            found = {deduction.pattern for deduction in mp.deduce(mp.Board.parse(step["position"]))}
            assert found & {step["id"], "1-1", "1-2"}, step["id"]


def test_the_guess_is_one(steps: list[dict[str, Any]]) -> None:
    [step] = [step for step in steps if step.get("guess")]
    analysis = mp.analyze(mp.Board.parse(step["position"], total_mines=step["mines"]))
    assert not analysis.safe | analysis.mines
    assert {float(analysis.mine_probability[cell]) for cell in analysis.undecided} == {0.5}


def test_every_step_has_its_texts(steps: list[dict[str, Any]]) -> None:
    for language in languages():
        texts = load_catalogue(language).texts
        for step in steps:
            keys = [f"page-learn-{step['id']}-{part}" for part in ("title", "task", "tip", "done")]
            assert step["texts"] == keys
            assert set(keys) <= set(texts)
