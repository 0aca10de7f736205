"""Fixed work with a signature, then speed.

The corpus is `corpus.txt`: stuck expert positions, wide frontiers, other shapes, positions without a total. A change
that is only faster leaves the signature alone; a commit that changes it says which part, and why.

* ``answers``    every verdict, every count of layouts and the exact odds of every undecided cell. They are the same
                 with either engine; a change of the answers is a bug, here or before.
* ``states``     the effort of counting. A change of the order of elimination changes it.
* ``ladder``     every step of `deduce` with its technique and proof; ``ladder_steps`` counts them. With the reference
                 only the first positions are climbed, since it takes its time.
* ``endgame``    the exact chance to win where few layouts fit; ``endgame_nodes`` counts the sets that were searched.
* ``decisions``  the guesses of the strategies that look ahead, with their reasons; None without the kernel.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib import resources
from typing import Any

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.deduction.ladder import deduce
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.engine.question import Question

SCHEMA = "mineproof/bench/1"
CLIMBED = {"kernel": 75, "reference": 2}  # positions, for the steps of the ladder
SOLVED = {"kernel": 3_000, "reference": 60}  # layouts at most, for the endgame


@dataclass(frozen=True, slots=True)
class Signature:
    """What does not depend on the machine."""

    engine: str
    positions: int
    answers: str
    states: int
    ladder: str
    ladder_steps: int
    endgame: str
    endgame_nodes: int
    decisions: str | None

    def as_json(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Report:
    """What the bench found."""

    signature: Signature
    median_microseconds: float
    positions_per_second: float

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/bench/1`` shape."""
        speed = {"median_microseconds": self.median_microseconds, "positions_per_second": self.positions_per_second}
        return {"schema": SCHEMA, **self.signature.as_json(), **speed}

    @property
    def text(self) -> str:
        signed = self.signature
        return (
            f"engine     {signed.engine}\n"
            f"positions  {signed.positions}\n"
            f"answers    {signed.answers}\n"
            f"states     {signed.states:,}\n"
            f"ladder     {signed.ladder}, {signed.ladder_steps:,} steps\n"
            f"endgame    {signed.endgame}, {signed.endgame_nodes:,} nodes\n"
            f"decisions  {signed.decisions or '-'}\n"
            f"speed      {self.median_microseconds:.1f} µs median for an analyze() call, "
            f"{self.positions_per_second:,.0f} positions a second"
        )


def run(seconds: float = 2.0, echo: Callable[[str], None] = lambda _: None, engine: Engine | None = None) -> Report:
    """Solve the corpus once for the signature, then again and again for about ``seconds``."""
    using = chosen_engine(engine)
    boards = list(corpus())
    echo(f"signing the answers to {len(boards)} positions")
    signature = sign(boards, using)
    echo(f"measuring for {seconds:g} s")
    times = _measure(boards, seconds, using)
    fastest = [min(runs) for runs in times]
    rate = sum(map(len, times)) / sum(map(sum, times))
    return Report(signature, statistics.median(fastest) * 1e6, rate)


def corpus() -> Iterator[Board]:
    """The positions of the bench."""
    text = resources.files("mineproof").joinpath("bench/corpus.txt").read_text(encoding="utf-8")
    return (Board.parse(block, alphabet="mineproof") for block in text.strip().split("\n\n"))


def sign(boards: list[Board], engine: Engine) -> Signature:
    """The signature of an engine on some boards."""
    found = [analyze(board, engine=engine) for board in boards]
    steps = [step for board in boards[: CLIMBED[engine.name]] for step in deduce(board, engine=engine)]
    return Signature(
        engine=engine.name,
        positions=len(boards),
        ladder=_digest(f"{step.technique} {sorted(step.safe)} {sorted(step.mines)} {step.because}" for step in steps),
        ladder_steps=len(steps),
        **_signed_play(found, engine),
    )


def play_signature(engine: Engine) -> dict[str, object]:
    """The part of the signature that games depend on, in less than a second: all of it but the ladder."""
    found = [analyze(board, engine=engine) for board in corpus()]
    return {"engine": engine.name, **_signed_play(found, engine)}


def _signed_play(found: list[Analysis], engine: Engine) -> dict[str, Any]:
    nodes, values = _endgames(found, engine)
    return {
        "answers": _digest(line for each in found for line in _answers(each)),
        "states": sum(each.states for each in found),
        "endgame": _digest(values),
        "endgame_nodes": nodes,
        "decisions": _digest(_decisions(found, engine)) if engine.plays else None,
    }


def _answers(found: Analysis) -> Iterator[str]:
    yield f"{sorted(found.safe)} {sorted(found.mines)} {found.layouts}"
    if found.board.total_mines is not None:
        yield from (f"{cell} {found.exact(*cell)}" for cell in found.undecided)


def _endgames(found: list[Analysis], engine: Engine) -> tuple[int, list[str]]:
    """Sets of layouts searched, and what came of each position with few layouts."""
    nodes, values, most = 0, [], SOLVED[engine.name]
    for each in found:
        if each.board.total_mines is None or each.log10_layouts > 6 or not 1 < each.layouts <= most:
            continue
        optimum = engine.optimal(Question.of(each.board), Budget(), every=True, most=most)
        nodes += optimum.nodes
        values.append(f"{optimum.won} {optimum.layouts} {sorted(optimum.values.items())}")
    return nodes, values


def _decisions(found: list[Analysis], engine: Engine) -> Iterator[str]:
    for each in found:
        if each.board.total_mines is None or each.safe or not each.undecided_count:
            continue
        for strategy in engine.strategies:
            if strategy.looks_ahead and strategy.name != "deep":  # which takes up to seconds for each
                decision = engine.decide(Question.of(each.board), strategy.name, Budget())
                yield f"{strategy.name} {decision.best} {decision.reason} {len(decision.candidates)}"


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()[:16]


def _measure(boards: list[Board], seconds: float, engine: Engine) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in boards]
    clock = time.perf_counter
    end = clock() + seconds
    while not times[-1] or clock() < end:
        for board, runs in zip(boards, times, strict=True):
            start = clock()
            analyze(board, engine=engine)
            runs.append(clock() - start)
    return times
