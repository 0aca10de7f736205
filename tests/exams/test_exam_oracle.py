"""Verdicts on answers to tasks equal brute force on small boards: outcome, rewards and every cell.

``benchmarks/judge.py oracle`` compares 10,000 tasks.
"""

from __future__ import annotations

import random

import pytest

import mineproof as mp
from mineproof.exams.tasks import KINDS
from support.effort import examples
from support.exams import SIZES, answers, expect, is_small, same

pytestmark = pytest.mark.oracle

TASKS = examples(200, 0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_verdicts_equal_brute_force(kind: str) -> None:
    rng, compared, number = random.Random(kind), 0, 0
    while compared < TASKS:
        task = mp.task(kind, level=SIZES[number % len(SIZES)], seed=29, number=number)
        number += 1
        if not is_small(task):
            continue
        compared += 1
        for answer in answers(task, rng):
            verdict, expected = mp.judge(task, answer), expect(task, answer)
            assert same(verdict, expected), (task.prompt, answer, verdict, expected)
        assert mp.judge(task, task.answer).right
    assert number < 20 * TASKS, "nearly all tasks were too large for brute force"


def test_a_wrong_verdict_is_seen() -> None:
    task = mp.task("safe", level="5x5x4", seed=1)
    verdict = mp.judge(task, "[]")
    assert same(verdict, expect(task, []))
    assert not same(verdict, expect(task, [(0, 4)]))
