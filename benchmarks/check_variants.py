"""Do both engines agree with brute force on small problems and on small boards of every variant?

Run: .venv/bin/python benchmarks/check_variants.py [BOARDS [COMBINATIONS]] [kernel|reference]

Compares random problems of up to eight variables, ten times BOARDS (see check_problems.py), and layouts, exact chances,
certain cells and contradictions on random boards of up to twenty cells: BOARDS for each clue rule, each rule on the
mines, each shape with its clue rules, clues about rings, and several mines in a cell, and COMBINATIONS of
a shape, a clue rule and one or two rules on the mines. The brute force shares no code with src/.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mineproof.engine.answers import Engine
from support.engines import KERNEL, REFERENCE
from support.problem_oracle import check as check_problem
from support.problem_oracle import random_problem
from support.variant_oracle import (
    RING_SHAPES,
    RULES,
    SHAPE_SIZES,
    SHOWS,
    check,
    check_combination,
    check_on_shape,
    clues_on,
)


def main(boards: int, combinations: int, engines: Sequence[str]) -> None:
    for engine in (KERNEL, REFERENCE):
        if engine.name in engines:
            count("problems", engine, check_problems(engine, 10 * boards))
            count("boards", engine, check_boards(engine, boards))
            rng = random.Random("check combinations")
            count("combinations", engine, (check_combination(rng, engine) > 0 for _ in range(combinations)))


def count(what: str, engine: Engine, outcomes: Iterator[bool]) -> None:
    """Print how many comparisons there were, and how many were of contradictions."""
    started = time.process_time()
    solved = list(outcomes)
    seconds = time.process_time() - started
    print(
        f"{engine.name}: {len(solved):,} {what} agree, {solved.count(False):,} contradictory ({seconds:.0f} s of CPU)",
        flush=True,
    )


def check_problems(engine: Engine, problems: int) -> Iterator[bool]:
    for number in range(problems):
        rng = random.Random(f"check, problem {number}")
        yield bool(check_problem(random_problem(rng), engine, rng))


def check_boards(engine: Engine, boards: int) -> Iterator[bool]:
    for clues in SHOWS:
        rng = random.Random(f"check {clues}")
        yield from (check(rng, engine, clues, ()) > 0 for _ in range(boards))
    for rule in RULES:
        rng = random.Random(f"check {rule}")
        yield from (check(rng, engine, "classic", (rule,)) > 0 for _ in range(boards))
    for kind in SHAPE_SIZES:
        rng = random.Random(f"check {kind}")
        for _ in range(boards):
            rules = rng.choice([(), ("no-touching",), ("connected",)])
            yield check_on_shape(rng, engine, kind, rng.choice(clues_on(kind)), rules) > 0
    for kind in RING_SHAPES:
        rng = random.Random(f"check rings on {kind}")
        for _ in range(boards):
            yield check_on_shape(rng, engine, kind, rng.choice(["wall", "partition"])) > 0
    rng = random.Random("check several")
    yield from (check(rng, engine, rng.choice(list(SHOWS)), (), cell_max=2) > 0 for _ in range(boards))


if __name__ == "__main__":
    sizes = [int(argument) for argument in sys.argv[1:] if argument.isdecimal()]
    names = [argument for argument in sys.argv[1:] if not argument.isdecimal()]
    boards, combinations, *_ = [*sizes, *[1_000, 200][len(sizes) :]]
    main(boards, combinations, names or ["kernel", "reference"])
