"""How hard a layout is: played by deduction from the first click, as far as that goes."""

from __future__ import annotations

import dataclasses
import json
import random
from fractions import Fraction
from typing import Any

import pytest

import mineproof as mp
from mineproof.deduction.ladder import LADDER
from support.oracle import COVERED, FLAGGED, Cell
from support.positions import Ground, ground


def layout(text: str, **options: Any) -> mp.Layout:
    rows = text.split("/")
    mines = frozenset((r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == "*")
    return mp.Layout(len(rows), len(rows[0]), mines, **options)


# Found by trying random layouts; each needs the technique it is named after, and no harder one. None needs only
# single-open, because a number whose mines are known follows a step that found them.
NEEDS: dict[str, tuple[str, Cell]] = {
    "single-flag": (".*../..../..../....", (3, 0)),
    "partition": (".*../..../...*", (2, 1)),
    "bounds": (".*.*/*..*/..../....", (3, 2)),
    "elimination": ("*..*...*/*.....*./......../..**..*./..*...../......../....*.../*.......", (6, 2)),
    "contradiction": ("..*..../...*..*/......./*.*..../....*.*/.......", (5, 2)),
    "total": ("..../..*.", (0, 2)),
    "exhaustive": ("....*/...*./**.../....*", (0, 1)),
}


def test_every_technique_has_a_layout() -> None:
    assert list(NEEDS) == list(LADDER)[1:]


@pytest.mark.parametrize("technique", NEEDS)
def test_the_hardest_technique_is_the_one_that_is_needed(technique: str) -> None:
    text, start = NEEDS[technique]
    grade = mp.grade(layout(text), start)
    assert (grade.solved, grade.hardest, grade.guess) == (True, technique, None)
    assert grade.used[technique] >= 1
    assert list(grade.used) == [name for name in LADDER if name in grade.used]
    assert grade.open_cells == text.count(".")
    rungs: list[str] = list(LADDER)
    assert not solved_with(layout(text), start, rungs[rungs.index(technique) - 1])


def solved_with(truth: mp.Layout, start: Cell, technique: str) -> bool:
    """Is a layout opened by deductions up to one technique? Written out again, a cell at a time."""
    cells = frozenset((r, c) for r in range(truth.rows) for c in range(truth.columns))
    game = Ground("grid", truth.rows, truth.columns, cells, truth.mines)
    opened = game.cascade(start)
    while safe := {cell for step in mp.deduce(game.board(opened), upto=technique) for cell in step.safe}:
        opened.update(*map(game.cascade, safe))
    return opened == game.safe


def test_one_click_may_be_all_it_takes() -> None:
    grade = mp.grade(layout("..../..../...."), (1, 1))
    assert (grade.solved, grade.hardest, grade.used, grade.open_cells) == (True, None, {}, 12)
    assert mp.grade(layout("*.."), (0, 2)).used == {}
    assert mp.grade(layout("*."), (0, 1)).solved


def test_the_first_forced_guess() -> None:
    """The 1 has a mine on either side, and the other mine is the cell beyond."""
    grade = mp.grade(layout("*..*"), (0, 1))
    assert (grade.solved, grade.open_cells) == (False, 1)
    assert set(grade.board.cells(FLAGGED)) == {(0, 3)}, "what is proved is flagged"
    assert grade.guess is not None
    assert (grade.guess.kind, grade.guess.cell, grade.guess.mine_fraction) == ("guess", (0, 0), Fraction(1, 2))


def test_mines_that_lead_nowhere_are_not_counted() -> None:
    """The 2 proves two mines, and neither helps."""
    grade = mp.grade(layout(".*/*."), (0, 0))
    assert (grade.solved, grade.hardest, grade.used) == (False, None, {})
    assert grade.guess is not None
    assert grade.guess.mine_fraction == Fraction(2, 3)


def test_a_first_click_that_cannot_be() -> None:
    for start, words in (
        ((0, 0), "(0,0): it is a mine"),
        ((0, 9), "expected a cell on the 2 × 1 board, got (0,9)"),
    ):
        with pytest.raises(mp.IllegalMoveError) as caught:
            mp.grade(layout("*."), start)
        assert words in str(caught.value)
    with pytest.raises(mp.IllegalMoveError, match="has no start cell"):
        mp.grade(layout("*."))


def test_a_layout_may_name_its_first_click() -> None:
    named = layout(".*../..../...*", start=(2, 1))
    assert mp.grade(named) == mp.grade(named, (2, 1))
    assert mp.grade(named, (0, 0)) != mp.grade(named)


@pytest.mark.parametrize("kind", ["torus", "hex"])
def test_other_shapes(kind: Any) -> None:
    grade = mp.grade(layout("....../..*.../....../....../......", topology=kind), (4, 0))
    assert grade.solved
    assert grade.board.topology == kind


def test_as_json() -> None:
    stuck = mp.grade(layout("*..*"), (0, 1)).as_json()
    assert json.loads(json.dumps(stuck)) == stuck
    assert {key: stuck[key] for key in ("schema", "solved", "hardest", "used", "open_cells", "board")} == {
        "schema": "mineproof/grade/1",
        "solved": False,
        "hardest": None,
        "used": {},
        "open_cells": 1,
        "board": ["#1#F"],
    }
    assert isinstance(stuck["guess"], dict)
    assert stuck["guess"]["mine_fraction"] == "1/2"
    assert mp.grade(layout("*."), (0, 1)).as_json()["guess"] is None


def test_a_grade_never_changes() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        mp.grade(layout("*."), (0, 1)).solved = False  # type: ignore[misc]


def test_it_ends_where_nothing_is_certain() -> None:
    """On random layouts: solved, or stuck where the exact engine knows of no safe cell; and never on a mine."""
    rng = random.Random(31)
    outcomes = set()
    for _ in range(150):
        truth = ground(rng, rng.randint(3, 8), rng.randint(3, 8), rng.randint(1, 12))
        if not truth.safe:
            continue
        start = rng.choice(sorted(truth.safe))
        grade = mp.grade(mp.Layout(truth.rows, truth.columns, truth.mines), start)
        outcomes.add(grade.solved)
        for row, column in sorted(truth.cells):
            shown = grade.board[row, column]
            assert shown in (COVERED, truth.number((row, column)) if (row, column) in truth.safe else FLAGGED)
        if grade.solved:
            assert grade.open_cells == len(truth.safe)
        else:
            seen = mp.analyze(grade.board, flags="ignore")
            assert not seen.safe
            assert grade.guess is not None
            assert grade.guess.cell not in seen.mines
    assert outcomes == {True, False}
