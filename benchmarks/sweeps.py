"""What a unit of a sweep costs besides its games, what many cost to open, and whether two threads are twice as quick.

    python benchmarks/sweeps.py empty --units 100000    units whose games are not played: plan, hand out, write, fsync
    python benchmarks/sweeps.py open                    the folder of the last one: its heads, then every unit
    python benchmarks/sweeps.py threads --games 200000  fast on expert, one thread and two in turn, three times
    python benchmarks/sweeps.py games --games 20000     fast on expert, without and with per_game in turn, five times

On a machine that has other work the clock says little; a worker that is busy, or waits for a core, all of the time is
as quick as its core lets it.

Units have 4,096 games. docs/sweep.md has the figures. The folder is build/sweep-run unless --folder names another.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import mineproof as mp
from mineproof.simulation.results import Tally
from mineproof.sweeps import scheduler
from mineproof.sweeps.plan import identity
from mineproof.sweeps.units import Unit, make_record

UNIT = 4096


class SweepCost:
    wall = cpu = 0.0


@contextmanager
def spending() -> Iterator[SweepCost]:
    spent, wall, cpu = SweepCost(), time.perf_counter(), time.process_time()
    yield spent
    spent.wall, spent.cpu = time.perf_counter() - wall, time.process_time() - cpu


def empty_unit(unit: Unit, stopped: object = None) -> bytes:
    return make_record(unit.numbers, Tally(), bytes(len(unit.numbers)))


def empty(folder: Path, units: int, threads: int) -> None:
    scheduler.play = empty_unit  # type: ignore[assignment]
    shutil.rmtree(folder, ignore_errors=True)
    with spending() as spent:
        mp.sweep("expert", games=units * UNIT, path=folder, threads=threads)
    each = f"{1e6 * spent.wall / units:,.0f} µs, {1e6 * spent.cpu / units:,.0f} µs of CPU"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{units:,} empty units with {threads} threads: {spent.wall:.1f} s; a unit {each}; {memory} MB at most")


def open_run(folder: Path) -> None:
    count = len(list((folder / "units").iterdir()))
    for _ in range(3):
        with spending() as spent:
            result = mp.read_sweep(folder)
        print(f"read_sweep: {result!r} in {count:,} files, {1e3 * spent.wall:.0f} ms, {1e3 * spent.cpu:.0f} ms of CPU")
    with spending() as spent:
        units = sum(1 for _ in result.records(0))
    print(f"records: {units:,} units, {spent.wall:.1f} s, {spent.cpu:.1f} s of CPU")
    with spending() as spent:
        mp.resume_sweep(folder)
    print(f"resume_sweep, which checks every unit: {spent.wall:.1f} s, {spent.cpu:.1f} s of CPU")


def look_at_threads(began: float, seen: dict[str, tuple[float, float]], _: object) -> None:
    """How long each thread has had a core or waited for one, and how long all of this has taken (Linux)."""
    wall = time.perf_counter() - began
    for task in Path("/proc/self/task").iterdir():
        if task.name == str(os.getpid()):  # the thread that shares out
            continue
        with suppress(FileNotFoundError):
            running, waiting, _slices = map(int, (task / "schedstat").read_text().split())
            seen[task.name] = ((running + waiting) / 1e9, wall)


def threads(folder: Path, games: int) -> None:
    walls: dict[int, list[float]] = {1: [], 2: []}
    cpus: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(3):
        for count in (1, 2):
            shutil.rmtree(folder, ignore_errors=True)
            seen: dict[str, tuple[float, float]] = {}
            began = time.perf_counter()
            with spending() as spent:
                look = partial(look_at_threads, began, seen)
                mp.sweep("expert", games=games, path=folder, threads=count, progress=look)
            walls[count].append(spent.wall)
            cpus[count].append(spent.cpu)
            rate = f"{games / spent.wall:,.0f} games a second, {1e6 * spent.cpu / games:.1f} µs of CPU a game"
            busy = sorted((ready / wall for ready, wall in seen.values()), reverse=True)[:count]
            shares = " and ".join(f"{100 * share:.1f} %" for share in busy)
            print(f"{count} threads: {spent.wall:.2f} s, {rate}, busy or waiting for a core {shares} of the time, "
                  f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    ratio = statistics.median(walls[1]) / statistics.median(walls[2])
    print(f"two threads are {ratio:.2f}× one by the clock; CPU {min(cpus[2]) / min(cpus[1]):.3f}× as much")


def single_games(folder: Path, games: int) -> None:
    cpus: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(5):
        for per_game in (False, True):
            shutil.rmtree(folder, ignore_errors=True)
            with spending() as spent:
                mp.sweep("expert", games=games, path=folder, threads=1, per_game=per_game)
            cpus[per_game].append(spent.cpu)
    without, with_games = (1e6 * min(cpus[item]) / games for item in (False, True))
    print(f"{without:.1f} µs of CPU a game without per_game, {with_games:.1f} with it: {with_games / without:.3f}×, "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["empty", "open", "threads", "games"])
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[1] / "build" / "sweep-run")
    parser.add_argument("--units", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=200_000)
    given = parser.parse_args()
    identity()  # takes most of a second, once
    if given.what == "empty":
        empty(given.folder, given.units, 2)
    elif given.what == "open":
        open_run(given.folder)
    elif given.what == "games":
        single_games(given.folder, given.games)
    else:
        threads(given.folder, given.games)


if __name__ == "__main__":
    main()
