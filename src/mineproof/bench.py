"""Fixed work with a signature: the same answers and the same effort on every machine, then the speed of this one.

The corpus is `data/bench.txt`: stuck expert positions, wide frontiers, other shapes, positions without a total. The
*answers* signature covers every verdict, every count of layouts and the exact odds of every undecided cell; the
*states* are the products the engine formed. A change that is only faster leaves both alone. A change of the order of
elimination changes the states. A change of the answers is a bug, here or before.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import resources

from mineproof import engine
from mineproof.analysis import analyze
from mineproof.board import Board


@dataclass(frozen=True, slots=True)
class Report:
    """What the bench found; the first four fields do not depend on the machine."""

    engine: str
    positions: int
    answers: str
    states: int
    median_microseconds: float
    positions_per_second: float

    def as_json(self) -> dict[str, object]:
        return {"schema": "mineproof/bench/1", **asdict(self)}

    def text(self) -> str:
        return (
            f"engine     {self.engine}\n"
            f"positions  {self.positions}\n"
            f"answers    {self.answers}\n"
            f"states     {self.states:,}\n"
            f"speed      {self.median_microseconds:.1f} µs median for an analyze() call, "
            f"{self.positions_per_second:,.0f} positions a second"
        )


def run(seconds: float = 2.0, echo: Callable[[str], None] = lambda _: None) -> Report:
    """Solve the corpus once for the signature, then again and again for about ``seconds``."""
    boards = list(corpus())
    echo(f"signing the answers to {len(boards)} positions")
    answers, states = _sign(boards)
    echo(f"measuring for {seconds:g} s")
    times = _measure(boards, seconds)
    each = [min(runs) for runs in times]
    rate = sum(map(len, times)) / sum(map(sum, times))
    return Report(engine.name, len(boards), answers, states, statistics.median(each) * 1e6, rate)


def corpus() -> Iterator[Board]:
    """The positions of the bench."""
    text = resources.files("mineproof").joinpath("data/bench.txt").read_text(encoding="utf-8")
    return (Board.parse(block, alphabet="mineproof") for block in text.strip().split("\n\n"))


def _sign(boards: list[Board]) -> tuple[str, int]:
    digest = hashlib.sha256()
    states = 0
    for board in boards:
        found = analyze(board)
        states += found.states
        digest.update(f"{sorted(found.safe)} {sorted(found.mines)} {found.layouts}\n".encode())
        if board.total_mines is None:
            continue
        undecided = (cell for cell in board.cells(-1) if cell not in found.safe and cell not in found.mines)
        for cell in undecided:
            digest.update(f"{cell} {found.exact(*cell)}\n".encode())
    return digest.hexdigest()[:16], states


def _measure(boards: list[Board], seconds: float) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in boards]
    clock = time.perf_counter
    end = clock() + seconds
    while not times[-1] or clock() < end:
        for board, runs in zip(boards, times, strict=True):
            start = clock()
            analyze(board)
            runs.append(clock() - start)
    return times
