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
    SHAPE_SIZES,
    SHOWS,
    check,
    check_combination,
    check_on_shape,
    clues_on,
    rules_on,
)

pytestmark = pytest.mark.oracle

BOARDS = examples(1_000, share=0.015)
SHAPES = examples(1_000, share=0.004)
COMBINATIONS = examples(200, share=0.06)
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
        check_combination(rng, engine)


@ENGINES
@pytest.mark.parametrize("kind", SHAPE_SIZES)
def test_shapes(kind: str, engine: Engine) -> None:
    rng = random.Random(f"{kind} shape")
    for _ in range(SHAPES):
        rules = rng.choice([(), ("no-touching",), ("connected",)])
        check_on_shape(rng, engine, kind, rng.choice(clues_on(kind)), rules)


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


@pytest.mark.parametrize("kind", SHAPE_SIZES)
def test_the_oracle_knows_which_rules_are_for_a_shape(kind: str) -> None:
    name = "graph" if kind.startswith("graph:") else kind
    clues = [rule for rule, clue in CLUES.items() if clue.shapes is None or name in clue.shapes]
    assert {clue.partition(":")[0] for clue in clues_on(kind)} == {*clues, "capped", "modulo"}
    assert set(rules_on(kind)) == {rule for rule, mine in MINES.items() if mine.shapes is None or name in mine.shapes}
