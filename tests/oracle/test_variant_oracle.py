"""Every clue rule, rule on the mines and combination has the layouts of brute force, on both engines."""

from __future__ import annotations

import random

import pytest

from mineproof.engine.answers import Engine
from mineproof.variants.clues import BUILT_IN as CLUES
from mineproof.variants.mine_rules import BUILT_IN as MINES
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.variant_oracle import (
    RING_SHAPES,
    RULES,
    SHAPE_CLUES,
    SHAPE_SIZES,
    SHOWS,
    check,
    check_on_shape,
)

BOARDS = examples(1_000, share=0.015)
SHAPES = examples(1_000, share=0.004)
COMBINATIONS = examples(200, share=0.15)
ENGINES = pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])


@ENGINES
@pytest.mark.parametrize("clues", SHOWS)
def test_clue_rules(clues: str, engine: Engine) -> None:
    rng = random.Random(f"{clues} clues")
    assert sum(check(rng, engine, clues, ()) > 1 for _ in range(BOARDS)) > BOARDS // 5


@ENGINES
@pytest.mark.parametrize("rule", RULES)
def test_rules_on_the_mines(rule: str, engine: Engine) -> None:
    rng = random.Random(f"{rule} mines")
    assert sum(check(rng, engine, "classic", (rule,)) > 0 for _ in range(BOARDS)) > BOARDS // 5


@ENGINES
def test_several_mines_in_a_cell(engine: Engine) -> None:
    rng = random.Random("several")
    for _ in range(BOARDS):
        check(rng, engine, rng.choice(list(SHOWS)), (), cell_max=2)


@ENGINES
def test_combinations(engine: Engine) -> None:
    rng = random.Random("combinations")
    for _ in range(COMBINATIONS):
        check(rng, engine, rng.choice(list(SHOWS)), tuple(rng.sample(list(RULES), 2)))


@ENGINES
@pytest.mark.parametrize("kind", SHAPE_SIZES)
def test_shapes(kind: str, engine: Engine) -> None:
    rng = random.Random(f"{kind} shape")
    for _ in range(SHAPES):
        rules = rng.choice([(), ("no-touching",), ("connected",)])
        check_on_shape(rng, engine, kind, rng.choice(SHAPE_CLUES), rules)


@ENGINES
@pytest.mark.parametrize("clues", ["wall", "partition"])
def test_rings_on_shapes(clues: str, engine: Engine) -> None:
    rng = random.Random(f"{clues} rings")
    for kind in RING_SHAPES:
        for _ in range(SHAPES):
            check_on_shape(rng, engine, kind, clues)


def test_every_rule_is_tried() -> None:
    assert {name.partition(":")[0] for name in SHOWS} == {*CLUES, "capped", "modulo"}
    assert set(RULES) == set(MINES)
