"""Check both engines against brute force on small boards of every shape: counts, certain cells, odds, contradictions.

    python benchmarks/check_shapes.py [BOARDS] [SHAPE …]

Brute force tries every way to put mines on the covered cells, and has its own idea of which cells touch
(tests/support/oracle.py): distances of corners and of points in space instead of tables. The boards have flags, holes
and wrong numbers, too. Prints a row for each shape, and ends with an error at the first answer that differs.
"""

from __future__ import annotations

import random
import sys
import time
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mineproof.board.geometry import Topology
from mineproof.engine.default import engine_named
from support.checks import check_against_oracle
from support.oracle import brute_force
from support.positions import CLASSIC, OTHERS, small_of

DENSITIES = [None, Fraction(1, 2), Fraction(1, 5), Fraction(2, 7)]
ROUNDING = 1e-12  # of the odds of the kernel, which are floats


def check_shape(kind: Topology, boards: int) -> tuple[int, int, int]:
    """Return how many boards had a layout, the largest number on any of them, and the layouts of all."""
    rng = random.Random(f"shape {kind}")
    engines = [(engine_named("kernel"), ROUNDING), (engine_named("reference"), 0.0)]
    consistent = largest = layouts = 0
    for number in range(boards):
        board, density = small_of(rng, kind).board, rng.choice(DENSITIES)
        for engine, tolerance in engines:
            try:
                check_against_oracle(engine.solve, board, density, tolerance=tolerance)
            except Exception as error:
                error.add_note(f"{engine.name}, {kind}, board {number}: {board!r}, density {density}")
                raise
        count = brute_force(board).count
        consistent, layouts = consistent + (count > 0), layouts + count
        largest = max(largest, *(code for code in board.codes if code < 128), 0)
    return consistent, largest, layouts


def main() -> None:
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    kinds = sys.argv[2:] or [*CLASSIC, *OTHERS]
    print(f"{'shape':<12}{'boards':>8}{'possible':>10}{'largest number':>16}{'layouts':>12}{'seconds':>10}")
    for kind in kinds:
        started = time.process_time()
        consistent, largest, layouts = check_shape(kind, boards)  # type: ignore[arg-type]
        seconds = time.process_time() - started
        print(f"{kind:<12}{boards:>8}{consistent:>10}{largest:>16}{layouts:>12}{seconds:>10.1f}", flush=True)
    print("Both engines agree with brute force on every board.")


if __name__ == "__main__":
    main()
