"""How long puzzles take to find, technique by technique, as a table for docs/practice.md.

Run it with ``.venv/bin/python benchmarks/puzzles.py``; ``--seeds 50`` is the default, ``--level expert`` too. Times are
of one process and of its processor, not of the clock, so that others at work on the machine count less.
"""

import argparse
import time

from mineproof.base.budget import Budget
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.practice.search import LEVEL, puzzle

PATIENCE = 600  # seconds for one puzzle: far more than any took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--level", default=LEVEL)
    given = parser.parse_args()
    print("| technique | games | positions | median | longest | cells that are right |")
    print("|---|---|---|---|---|---|")
    for technique in TECHNIQUES:
        results, spent = [], []
        for seed in range(given.seeds):
            begun = time.process_time()
            results.append(puzzle(technique, level=given.level, seed=seed, budget=Budget(seconds=PATIENCE)))
            spent.append(time.process_time() - begun)
        games = sum(result.games for result in results) / len(results)
        positions = sum(result.positions for result in results) / len(results)
        cells = sum(len(result.solution) for result in results) / len(results)
        middle = sorted(spent)[len(spent) // 2]
        print(
            f"| `{technique}` | {games:.1f} | {positions:,.0f} | {middle:.2f} s | {max(spent):.1f} s | {cells:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
