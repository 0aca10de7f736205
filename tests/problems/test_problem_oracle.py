"""Problems of every kind have the answers of brute force, on both engines."""

from __future__ import annotations

import random

import pytest

from mineproof.engine.answers import Engine
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.problem_oracle import check, random_problem

pytestmark = pytest.mark.oracle

PROBLEMS = examples(10_000, share=0.05)
BATCH = 100


@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
@pytest.mark.parametrize("batch", range(-(-PROBLEMS // BATCH)))
def test_small_problems(batch: int, engine: Engine) -> None:
    rng = random.Random(f"problems, batch {batch}")
    solved = 0
    for _ in range(BATCH):
        raw = random_problem(rng)
        try:
            solved += check(raw, engine, rng)
        except Exception as error:
            error.add_note(repr(raw))
            raise
    assert 50 < solved < BATCH, "both outcomes appear"
