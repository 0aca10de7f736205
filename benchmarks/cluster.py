"""What a Dask cluster on this machine costs besides the games, and what a billion games cost.

    python benchmarks/cluster.py empty                 units whose games are not played, with 1, 2, 4 and 8 workers
    python benchmarks/cluster.py games                 fast on expert: 1 and 2 threads, then 1, 2, 4 and 8 workers
    python benchmarks/cluster.py idle                  what workers and scheduler take while nothing is played
    python benchmarks/cluster.py rates                 CPU of a game of each strategy, and core-hours of a billion

The scheduler and the workers are processes of one thread each. Where other programs run the clock says little, so CPU
is printed beside it: of the workers, of the scheduler, and of the process that sweeps. A scheduler can hand out no more
units a second than one divided by the CPU it takes for one. docs/scaling.md has the figures.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import psutil
from distributed import Client

import mineproof as mp
from mineproof.sweeps.plan import identity

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.dask import Dask

UNIT = 4096
UNPLAYED = """
from mineproof.simulation.results import Tally
from mineproof.sweeps import cluster
from mineproof.sweeps.units import make_record

cluster.play = lambda unit: make_record(unit.numbers, Tally(), bytes(len(unit.numbers)), [])
"""
GAMES = {"fast": 40_000, "strong": 6_000, "best": 600, "minesolver": 20_000}  # others: as many as fast


class Spent(NamedTuple):
    """Seconds by the clock, and of CPU; ``ready`` is how long a worker had a core or waited for one (Linux)."""

    wall: float
    workers: float
    scheduler: float
    sweep: float
    ready: float

    def per(self, count: int) -> str:
        """Of each of so many."""
        names = ("by the clock", "workers", "scheduler", "sweep")
        return ", ".join(f"{name} {1e3 * value / count:,.2f} ms" for name, value in zip(names, self, strict=False))


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def ready(process: psutil.Process) -> float:
    """Seconds that the busiest thread of a worker had a core or waited for one: it was not short of units."""
    tasks = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return max(sum(map(int, task.read_text().split()[:2])) for task in tasks) / 1e9


def run_sweep(dask: Dask, folder: Path, games: int) -> Spent:
    """Sweep on a cluster whose workers are ready."""
    children = psutil.Process().children()
    scheduler, workers = children[0], children[1:]
    shutil.rmtree(folder / "run", ignore_errors=True)

    def now() -> list[float]:
        busy = sum(map(ready, workers)) / len(workers)
        return [time.perf_counter(), sum(map(cpu, workers)), cpu(scheduler), time.process_time(), busy]

    before = now()
    mp.sweep("expert", games=games, unit=UNIT, path=folder / "run", cluster=dask.address)
    after = now()
    return Spent(*(late - early for early, late in zip(before, after, strict=True)))


def with_workers(folder: Path, counts: list[int], units: int, *options: str) -> None:
    for count in counts:
        with Dask(folder) as dask:
            dask.add_workers(count, *options)
            with Client(dask.address, set_as_default=False) as client:
                client.wait_for_workers(count, timeout=120)
            run_sweep(dask, folder, count * UNIT)  # starts the workers, which is not measured
            spent = run_sweep(dask, folder, units * UNIT)
        rate = f"{units / spent.wall:,.0f} units a second, {units * UNIT / spent.wall:,.0f} games"
        busy = f"a worker had a core or waited for one {100 * spent.ready / spent.wall:.0f} % of the time"
        print(f"{count} workers: {rate}; a unit: {spent.per(units)}; {busy}; load {os.getloadavg()[0]:.1f}", flush=True)


def idle(folder: Path, count: int, seconds: float) -> None:
    for profile in ("True", "False"):
        with Dask(folder, DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED=profile) as dask:
            dask.add_workers(count)
            with Client(dask.address, set_as_default=False) as client:
                client.wait_for_workers(count, timeout=120)
            time.sleep(5)  # until all of them have come to rest
            scheduler, *workers = psutil.Process().children()
            began, before = time.perf_counter(), [cpu(scheduler), sum(map(cpu, workers))]
            time.sleep(seconds)
            wall = time.perf_counter() - began
            spent = [cpu(scheduler) - before[0], sum(map(cpu, workers)) - before[1]]
        share = f"a worker {100 * spent[1] / wall / count:.2f} %, the scheduler {100 * spent[0] / wall:.2f} % of a core"
        print(f"idle, {count} workers, profile {profile}: {share}; load {os.getloadavg()[0]:.1f}", flush=True)


def threads(folder: Path, units: int) -> None:
    for count in (1, 2):
        shutil.rmtree(folder / "run", ignore_errors=True)
        wall, cpus = time.perf_counter(), time.process_time()
        mp.sweep("expert", games=units * UNIT, unit=UNIT, path=folder / "run", threads=count)
        wall, cpus = time.perf_counter() - wall, time.process_time() - cpus
        each = f"a unit: by the clock {1e3 * wall / units:,.2f} ms, CPU {1e3 * cpus / units:,.2f} ms"
        games = f"{units / wall:,.1f} units a second, {units * UNIT / wall:,.0f} games"
        print(f"{count} threads: {games}; {each}; load {os.getloadavg()[0]:.1f}", flush=True)


def rates() -> None:
    for strategy in mp.strategies():
        games = GAMES.get(strategy.name, GAMES["fast"])
        result = mp.simulate("expert", games=games, strategy=strategy.name, seed=1)
        assert result.cpu_seconds is not None
        each = result.cpu_seconds / games
        unit = f"a unit of {UNIT:,} games {UNIT * each:.2f} s"
        print(f"{strategy.name}: {1e3 * each:.3f} ms of CPU a game (n = {games:,}), {unit}, "
              f"a billion games {1e9 * each / 3600:,.0f} core-hours", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["empty", "games", "idle", "rates"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--units", type=int, help="2000 if empty, 40 of games")
    given = parser.parse_args()
    identity()  # takes most of a second, once
    with tempfile.TemporaryDirectory(prefix="mineproof-cluster-") as name:
        folder = Path(name)
        if given.what == "rates":
            rates()
        elif given.what == "idle":
            idle(folder, 2, 20)
        elif given.what == "empty":
            (folder / "unplayed.py").write_text(UNPLAYED)
            with_workers(folder, given.workers, given.units or 2000, "--preload", str(folder / "unplayed.py"))
        else:
            threads(folder, given.units or 40)
            with_workers(folder, given.workers, given.units or 40)


if __name__ == "__main__":
    main()
