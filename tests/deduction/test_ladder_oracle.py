"""The ladder of techniques against brute force: sound, complete, and every proof sufficient and minimal.

MINEPROOF_BOARDS sets how many small boards are tried.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter

import pytest

import mineproof as mp
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER, deduce, steps
from support.effort import examples
from support.oracle import brute_force
from support.positions import small

pytestmark = pytest.mark.oracle

BOARDS = int(os.environ.get("MINEPROOF_BOARDS", examples(3_000)))
BATCH = 250


def forced(board: mp.Board, step: Deduction, numbers: tuple[tuple[int, int], ...], uses_total: bool) -> bool:
    """Do these numbers, with the total or without, make every cell of a step certain?"""
    alone = board if uses_total else board.replace({}, total_mines=None)
    truth = brute_force(alone, numbers=numbers)
    return not truth.consistent or (step.safe <= truth.safe and step.mines <= truth.mines)


def check_proof(board: mp.Board, step: Deduction) -> None:
    assert step.safe or step.mines
    assert forced(board, step, step.because, step.uses_total), f"not enough: {step}"
    for number in step.because:
        fewer = tuple(other for other in step.because if other != number)
        assert not forced(board, step, fewer, step.uses_total), f"{number} can be spared: {step}"
    if step.uses_total:
        assert not forced(board, step, step.because, False), f"the total can be spared: {step}"


def check_words(board: mp.Board, step: Deduction) -> None:
    """Every cell that is named exists, and the conclusion names all of its cells or counts them."""
    named = {(int(row), int(column)) for row, column in re.findall(r"\((\d+),(\d+)\)", step.text)}
    assert all(0 <= row < board.rows and 0 <= column < board.columns for row, column in named)
    few = len(step.safe | step.mines) <= 6
    assert not few or step.safe | step.mines <= named, step


@pytest.mark.parametrize("batch", range(-(-BOARDS // BATCH)))
def test_steps_are_sound_complete_and_proved(batch: int) -> None:
    rng = random.Random(f"ladder, batch {batch}")
    for _ in range(BATCH):
        board = small(rng).board
        truth = brute_force(board)
        if not truth.consistent:
            with pytest.raises(mp.ContradictionError):
                deduce(board)
            continue
        found = deduce(board)
        assert set().union(*(step.safe for step in found)) == truth.safe, repr(board)
        assert set().union(*(step.mines for step in found)) == truth.mines, repr(board)
        assert sum(len(step.safe | step.mines) for step in found) == len(truth.safe | truth.mines), "a cell told twice"
        for step in found:
            check_proof(board, step)
            check_words(board, step)


def test_each_technique_alone_is_sound_and_named_only_where_it_is_needed() -> None:
    rng = random.Random(11)
    used: Counter[str] = Counter()
    for _ in range(examples(4000, 0.5)):
        board = small(rng).board
        truth = brute_force(board)
        if not truth.consistent:
            continue
        before: set[tuple[int, int]] = set()
        for name in LADDER:
            found = list(steps(board, upto=name))
            cells = set().union(*(step.safe | step.mines for step in found))
            assert cells <= truth.safe | truth.mines
            assert before <= cells, "a higher rung knows less"
            used.update(step.technique for step in found if step.technique == name)
            before = cells
    assert all(used[name] for name in LADDER), used
