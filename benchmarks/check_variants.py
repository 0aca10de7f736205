"""Do both engines agree with brute force on small boards of every variant?

Run: .venv/bin/python benchmarks/check_variants.py [BOARDS [COMBINATIONS]] [kernel|reference]

Compares layouts, exact chances, certain cells and contradictions on random boards of up to twenty cells: BOARDS for
each clue rule, each rule on the mines, each shape, clues about rings on three shapes and several mines in a cell, and
COMBINATIONS of a clue rule with two rules on the mines. The brute force shares no code with src/.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

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


def main(boards: int, combinations: int, engines: Sequence[str]) -> None:
    for engine in (KERNEL, REFERENCE):
        if engine.name not in engines:
            continue
        started, solved, tried = time.process_time(), 0, 0
        for clues in SHOWS:
            rng = random.Random(f"check {clues}")
            solved += sum(check(rng, engine, clues, ()) > 0 for _ in range(boards))
            tried += boards
        for rule in RULES:
            rng = random.Random(f"check {rule}")
            solved += sum(check(rng, engine, "classic", (rule,)) > 0 for _ in range(boards))
            tried += boards
        for kind in SHAPE_SIZES:
            rng = random.Random(f"check {kind}")
            for _ in range(boards):
                rules = rng.choice([(), ("no-touching",), ("connected",)])
                solved += check_on_shape(rng, engine, kind, rng.choice(SHAPE_CLUES), rules) > 0
            tried += boards
        for kind in RING_SHAPES:
            rng = random.Random(f"check rings on {kind}")
            for _ in range(boards):
                solved += check_on_shape(rng, engine, kind, rng.choice(["wall", "partition"])) > 0
            tried += boards
        rng = random.Random("check several")
        solved += sum(check(rng, engine, rng.choice(list(SHOWS)), (), cell_max=2) > 0 for _ in range(boards))
        rng = random.Random("check combinations")
        for _ in range(combinations):
            solved += check(rng, engine, rng.choice(list(SHOWS)), tuple(rng.sample(list(RULES), 2))) > 0
        tried += boards + combinations
        seconds = time.process_time() - started
        print(f"{engine.name}: {tried:,} boards agree, {tried - solved:,} contradictory ({seconds:.0f} s of CPU)")


if __name__ == "__main__":
    sizes = [int(argument) for argument in sys.argv[1:] if argument.isdecimal()]
    names = [argument for argument in sys.argv[1:] if not argument.isdecimal()]
    boards, combinations, *_ = [*sizes, *[1_000, 200][len(sizes) :]]
    main(boards, combinations, names or ["kernel", "reference"])
