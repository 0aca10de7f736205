"""`make bench`: how fast, beside others, and how it grows. Prints the tables of docs/benchmarks.md.

    make bench                       everything, about four minutes
    make bench ARGS="stuck wide"     some of: signature stuck reference batch exact ladder wide growth generate
                                     measures optimal choices

Times are medians over positions of the best of several runs of each, on one core; other engines get the same positions
in the same run, so that ratios mean something on a noisy machine.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import ms_toollib
import numpy as np
from make_corpus import ROOT, flooded, random_reveals

import mineproof as mp
from mineproof.bench import work as bench
from mineproof.deduction.ladder import steps
from mineproof.engine import _kernel, kernel

WHOLE_ANSWER = "… with its arrays and sets"


def stuck() -> None:
    boards = read(ROOT / "benchmarks/corpus/stuck_expert.txt")
    title(f"stuck expert positions 30×16/99, {len(boards)} of them, 25 or more frontier cells")
    native = _kernel.Geometry(boards[0].geometry.table)
    in_kernel = _kernel.time_analyze(native, [board.codes for board in boards], 99, 9)
    rows = {"kernel alone": [seconds * 1e6 for seconds in in_kernel]}
    rows["mp.analyze(board)"] = microseconds(mp.analyze, boards, 9)
    rows[WHOLE_ANSWER] = microseconds(everything, boards, 5)
    for name in ("cal_probability_enum", "cal_probability_csp", "cal_probability_onboard"):
        ask = getattr(ms_toollib, name)
        rows[f"ms_toollib.{name}"] = microseconds(lambda given, ask=ask: ask(*given), list(map(as_toollib, boards)), 1)
    ours = statistics.median(rows[WHOLE_ANSWER])  # ms_toollib's calls return all probabilities, so ours must too
    print(f"{'':34}{'median':>10}{'p99':>10}{'most':>10}   median / whole answer")
    for name, times in rows.items():
        ratio = statistics.median(times) / ours
        print(
            f"{name:34}{statistics.median(times):10.1f}{quantile(times, 0.99):10.1f}{max(times):10.1f} µs{ratio:10.2f}"
        )
    print(f"largest difference of a probability from ms_toollib's: {agreement(boards):.1e}")


def reference() -> None:
    """The engine in plain Python against the kernel, whole answers about the same positions."""
    boards = read(ROOT / "benchmarks/corpus/stuck_expert.txt")[::25]
    title(f"the reference engine against the kernel: whole answers about {len(boards)} stuck expert positions")
    plain = mp.engine_named("reference")
    fast = microseconds(everything, boards, 30, time.process_time)
    slow = microseconds(lambda board: everything(board, plain), boards, 3, time.process_time)
    ratios = sorted(theirs / ours for ours, theirs in zip(fast, slow, strict=True))
    print(f"median {statistics.median(slow) / 1e3:.1f} ms of CPU against {statistics.median(fast) / 1e3:.3f} ms")
    print(f"ratio: median {statistics.median(ratios):.0f}, from {ratios[0]:.0f} to {ratios[-1]:.0f}")


def batch() -> None:
    """One thread and two by turns, in short runs, so that the best of each is one that nothing else disturbed."""
    boards = read(ROOT / "benchmarks/corpus/stuck_expert.txt")
    repeats, runs = 4, 200
    codes = np.tile(np.array([board.to_array() for board in boards]), (repeats, 1, 1))
    count = len(codes)
    title(f"mp.analyze_many: {count} stuck expert positions, {len(boards)} different ones, the best of {runs} runs")
    load = ", ".join(f"{item:.1f}" for item in os.getloadavg())
    print(f"load of the machine: {load} on {os.cpu_count()} processors")
    single = statistics.mean(microseconds(mp.analyze, boards, 9))
    native = _kernel.Geometry(boards[0].geometry.table)
    alone = statistics.mean(_kernel.time_analyze(native, [board.codes for board in boards], 99, 9)) * 1e6
    out = mp.analyze_many(codes, 99)
    walls: dict[str, list[float]] = {}
    spent: dict[str, list[float]] = {}
    for _ in range(runs):
        for name, threads, arrays in (
            ("1 thread, out=", 1, out),
            ("2 threads, out=", 2, out),
            ("2 threads, new arrays", 2, None),
        ):
            wall, cpu = time.perf_counter(), time.process_time()
            mp.analyze_many(codes, 99, threads=threads, out=arrays)
            walls.setdefault(name, []).append((time.perf_counter() - wall) / count * 1e6)
            spent.setdefault(name, []).append((time.process_time() - cpu) / count * 1e6)
    print(f"{'mean of a position':34}{'µs':>8}{'CPU µs':>8}{'a second':>12}")
    print(f"{'kernel alone':34}{alone:8.2f}")
    print(f"{'mp.analyze(board), one by one':34}{single:8.2f}{'':8}{1e6 / single:12,.0f}")
    for name, times in walls.items():
        print(f"{name:34}{min(times):8.2f}{min(spent[name]):8.2f}{1e6 / min(times):12,.0f}")
    one, two = (min(walls[name]) for name in ("1 thread, out=", "2 threads, out="))
    print(f"2 threads of 1: {one / two:.2f} times")


def generate() -> None:
    title("layouts 30×16 from the middle, first click open; CPU time of one core, medians within one run")
    start, size = (8, 15), {"rows": 16, "columns": 30}
    uniform = cpu_times(lambda number: mp.generate(**size, mines=99, seed=1, number=number), 2000)
    print(f"uniform, 99 mines: {statistics.mean(uniform) * 1e3:.3f} ms")
    print(f"{'mines':>6}{'method':>11}{'made':>12}{'mean':>10}{'median':>10}{'most ms':>10}{'tries':>8}")
    for mines, count in {
        60: 1000,
        80: 1000,
        99: 1000,
        110: 1000,
        130: 500,
        150: 500,
        180: 300,
        200: 300,
        250: 100,
    }.items():
        for method in ("repair", "rejection"):
            if method == "repair" or mines <= 110:
                no_guess_row(mines, count, method, start)
    made = statistics.mean(cpu_times(lambda number: no_guess(99, number, "repair", start), 300))
    for name in ("laymine_solvable", "laymine_solvable_adjust"):
        ask = getattr(ms_toollib, name)
        times = cpu_times(lambda _, ask=ask: ask(16, 30, 99, *start), 60)
        print(
            f"ms_toollib.{name}, 99 mines: {statistics.mean(times) * 1e3:.1f} ms, "
            f"{statistics.mean(times) / made:.0f} × ours"
        )


def no_guess(mines: int, number: int, method: Literal["repair", "rejection"], start: tuple[int, int]) -> mp.Generated:
    return mp.generate(
        rows=16, columns=30, mines=mines, seed=1, number=number, no_guess=True, start=start, method=method, budget=5
    )


def no_guess_row(mines: int, count: int, method: Literal["repair", "rejection"], start: tuple[int, int]) -> None:
    times, tries, failed = [], 0, 0
    for number in range(count):
        before = time.process_time()
        try:
            tries += no_guess(mines, number, method, start).attempts
        except mp.BudgetExceeded:
            failed += 1
        times.append((time.process_time() - before) * 1e3)
    made_count = count - failed
    print(
        f"{mines:6}{method:>11}{made_count:6}/{count:<5}{statistics.mean(times):10.3f}{statistics.median(times):10.3f}"
        f"{max(times):10.2f}{tries / max(made_count, 1):8.1f}"
    )


def cpu_times(make: Callable[[int], object], count: int) -> list[float]:
    times = []
    for number in range(count):
        before = time.process_time()
        make(number)
        times.append(time.process_time() - before)
    return times


def measures() -> None:
    title("numbers of uniform expert layouts; CPU time of one core, the best of seven runs")
    drawn = np.random.default_rng(1).random((20_000, 480)).argpartition(99, axis=1)[:, :99]
    mines = np.zeros((len(drawn), 480), dtype=np.uint8)
    np.put_along_axis(mines, drawn, 1, axis=1)
    layouts = mines.reshape(-1, 16, 30)
    theirs = [ms_toollib.cal_board_numbers((-layout.astype(int)).tolist()) for layout in layouts[:2000]]
    rows = {
        "mp.measure_many, 3BV and the like": best_cpu(lambda: mp.measure_many(layouts), len(layouts)),
        "ms_toollib.cal_bbbv": best_cpu(lambda: [ms_toollib.cal_bbbv(board) for board in theirs], len(theirs)),
        "mp.measure_many, both ZiNi too": best_cpu(lambda: mp.measure_many(layouts[:4000], zini=True), 4000),
        "ms_toollib.cal_zini and cal_hzini": best_cpu(
            lambda: [(ms_toollib.cal_zini(board), ms_toollib.cal_hzini(board)) for board in theirs], len(theirs)
        ),
    }
    for name, seconds in rows.items():
        print(f"{name:36}{seconds * 1e6:9.2f} µs a layout{1 / seconds:12,.0f} a second")


def best_cpu(work: Callable[[], object], count: int) -> float:
    """Seconds for each of ``count`` things."""
    return min(cpu_times(lambda _: work(), 7)) / count


def optimal() -> None:
    boards = read(ROOT / "benchmarks/corpus/endgames.txt")
    title(f"optimal play of {len(boards)} stuck expert positions; seconds of CPU")
    counts = [mp.analyze(board).layouts for board in boards]
    print(f"{'':28}{'layouts up to':>14}{'n':>5}{'mean':>8}{'median':>8}{'most':>8}")
    for name, ask in (("win_probability", mp.win_probability), ("optimal_moves", mp.optimal_moves)):
        times = cpu_times(lambda number, ask=ask: ask(boards[number]), len(boards))
        for least, most in ((10_000, 30_000), (30_000, 100_000)):
            some = [item for item, count in zip(times, counts, strict=True) if least < count <= most]
            row = f"{statistics.mean(some):8.3f}{statistics.median(some):8.3f}{max(some):8.3f}"
            print(f"{name:28}{most:14,}{len(some):5}{row}")


def choices() -> None:
    """What a bot pays for a choice, and what reading the table adds."""
    boards = read(ROOT / "benchmarks/corpus/stuck_expert.txt")[:20]
    title(f"best moves of {len(boards)} stuck expert positions; milliseconds of CPU, medians")
    print(f"{'':28}{'cell':>10}{'as_json()':>12}")
    for strategy in ("fast", "strong", "best"):
        cell = cpu_times(lambda number, name=strategy: mp.best_move(boards[number], name).cell, len(boards))
        table = cpu_times(lambda number, name=strategy: mp.best_move(boards[number], name).as_json(), len(boards))
        print(f"{strategy:28}{statistics.median(cell) * 1e3:10.2f}{statistics.median(table) * 1e3:12.1f}")


def exact() -> None:
    boards = read(ROOT / "benchmarks/corpus/stuck_expert.txt")[:200]
    title("exact integers, stuck expert positions")
    for name, ask in (("layouts", lambda b: mp.analyze(b).layouts), ("every exact fraction", every_fraction)):
        print(f"{name:34}{statistics.median(microseconds(ask, boards, 3)):10.1f} µs median")


def ladder() -> None:
    stuck_boards = read(ROOT / "benchmarks/corpus/stuck_expert.txt")[:200]
    rng = random.Random(3)
    fresh = [flooded(rng, 16, 30, 99, share).board(99) for share in (0.2, 0.4, 0.6, 0.8) for _ in range(50)]
    title("the ladder of techniques on expert positions, minimal proofs and words included")
    print(f"{'':44}{'median':>8}{'p99':>8}{'most':>8} ms")
    for name, boards in (("stuck", stuck_boards), ("half open, as clicked", fresh)):
        for what, ask in (("first step", first_step), ("every step", mp.deduce), ("hint", mp.hint)):
            times = [t / 1000 for t in microseconds(ask, boards, 3)]
            row = f"{statistics.median(times):8.2f}{quantile(times, 0.99):8.2f}{max(times):8.2f}"
            print(f"{f'{what}, {len(boards)} positions {name}':44}{row}")


def first_step(board: mp.Board) -> object:
    return next(steps(board), None)


def wide() -> None:
    title("20 % mines, safe cells opened at random: whole analyze() calls, exact with the total")
    print(f"{'board':>10}{'open':>7}{'n':>5}{'median':>10}{'most':>10} ms{'states':>12}")
    for size, count in (((16, 30), 60), ((30, 30), 60), ((50, 50), 40), ((100, 100), 20)):
        for share in (0.3, 0.35, 0.4, 0.5):
            rng = random.Random(f"{size} {share}")
            boards = [random_reveals(rng, *size, share).board(size[0] * size[1] // 5) for _ in range(count)]
            times = [t / 1000 for t in microseconds(mp.analyze, boards, 3)]
            states = statistics.median(mp.analyze(board).states for board in boards)
            name = f"{size[0]}×{size[1]}"
            print(
                f"{name:>10}{share:7.0%}{count:5}{statistics.median(times):10.2f}{max(times):10.2f}   {states:12,.0f}"
            )


def growth() -> None:
    title("20 % mines, flood-opened until half of the safe cells are open: whole analyze() calls")
    print(f"{'board':>12}{'cells':>10}{'analyze':>12}{'µs/cell':>10}{'states':>12}")
    for side, runs in ((16, 9), (32, 9), (100, 5), (316, 3), (1000, 2)):
        board = flooded(random.Random(side), side, side, side * side // 5, 0.5).board(side * side // 5)
        seconds = min(microseconds(mp.analyze, [board], runs)) / 1e6
        states = mp.analyze(board).states
        name = f"{side}×{side}"
        print(f"{name:>12}{side * side:10,}{seconds * 1e3:10.2f} ms{seconds / side / side * 1e6:10.3f}{states:12,}")


def signature() -> None:
    title("mineproof bench")
    print(bench.run(2.0).text)


def read(path: Path) -> list[mp.Board]:
    blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    return [mp.Board.parse(block, alphabet="mineproof") for block in blocks]


def microseconds(
    ask: Callable[..., object], questions: Sequence[object], runs: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """The best of several times for each question."""
    best = []
    for question in questions:
        times = []
        for _ in range(runs):
            start = clock()
            ask(question)
            times.append(clock() - start)
        best.append(min(times) * 1e6)
    return best


def everything(board: mp.Board, engine: mp.Engine | None = None) -> object:
    analysis = mp.analyze(board, engine=engine)
    return analysis.mine_probability, analysis.safe, analysis.mines


def every_fraction(board: mp.Board) -> object:
    analysis = mp.analyze(board)
    return [analysis.exact(*cell) for cell in board.cells(-1)]


def as_toollib(board: mp.Board) -> tuple[list[list[int]], int]:
    """ms_toollib writes 10 for a covered cell."""
    array = board.to_array()
    return np.where(array == -1, 10, array).tolist(), board.total_mines or 0


def agreement(boards: Sequence[mp.Board]) -> float:
    worst = 0.0
    for board in boards[:100]:
        theirs = np.array(ms_toollib.cal_probability_onboard(*as_toollib(board))[0])
        ours = mp.analyze(board).mine_probability
        worst = max(worst, float(np.nanmax(np.abs(ours - theirs))))
    return worst


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def title(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


if __name__ == "__main__":
    parts = (signature, stuck, reference, batch, exact, ladder, wide, growth, generate, measures, optimal, choices)
    by_name = {part.__name__: part for part in parts}
    print(f"kernel {kernel.VERSION}, Python {sys.version.split()[0]}, ms_toollib {version('ms_toollib')}")
    for name in sys.argv[1:] or by_name:
        by_name[name]()
