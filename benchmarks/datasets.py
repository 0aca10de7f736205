"""What a position of a dataset costs: time, CPU, memory and room on disk.

    python benchmarks/datasets.py --positions 100000              fast on expert, one thread and two in turn
    python benchmarks/datasets.py --positions 100000 --only guesses --strategy strong

On a machine that has other work the clock says little; CPU is what is compared. docs/dataset.md has the figures. Files
are written to build/dataset-run, and removed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import time
from pathlib import Path

import mineproof as mp

FOLDER = Path("build/dataset-run")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100_000)
    parser.add_argument("--only", choices=["all", "guesses"], default="all")
    parser.add_argument("--strategy", default="fast")
    options = parser.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    mp.dataset(FOLDER / "first", "beginner", positions=1)  # what is imported and signed once
    for threads in (1, 2):
        wall, cpu = time.perf_counter(), time.process_time()
        result = mp.dataset(FOLDER / f"{threads}", "expert", seed=1, threads=threads, **vars(options))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        size = result.path.stat().st_size / len(result)
        each = f"{1e6 * cpu / len(result):.1f} µs of CPU and {size:,.0f} bytes a position"
        rate = f"{len(result) / wall:,.0f} a second"
        print(f"{threads} threads: {len(result):,} positions in {wall:.1f} s, {rate}; {each}; {memory} MB at most")
    print(f"load {os.getloadavg()[0]:.1f}")
    shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main()
