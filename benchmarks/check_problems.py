"""Do both engines agree with brute force on small random problems?

Run: .venv/bin/python benchmarks/check_problems.py [PROBLEMS]

Compares solutions, weights, the chance of every value as a fraction, certain values, listed and sampled solutions, and
the constraints named in contradictions, with brute force that shares no code with src/.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.engines import KERNEL, REFERENCE
from support.problem_oracle import check, random_problem


def main(problems: int) -> None:
    for engine in (KERNEL, REFERENCE):
        started, solved = time.process_time(), 0
        for number in range(problems):
            rng = random.Random(f"check, problem {number}")
            raw = random_problem(rng)
            try:
                solved += check(raw, engine, rng)
            except Exception:
                print(f"problem {number}, {engine.name}: {raw}", file=sys.stderr)
                raise
        seconds = time.process_time() - started
        print(
            f"{engine.name}: {problems:,} problems agree, {problems - solved:,} contradictory ({seconds:.0f} s of CPU)"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
