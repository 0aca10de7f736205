"""The benchmark: fixed work with a signature, then a measurement of speed.

The corpus is `corpus.txt`: stuck expert positions, wide frontiers, other shapes, positions without a total. An
optimization does not change the signature. A commit that changes it says which part, and why.

* ``answers``    every verdict, every count of layouts and the exact odds of every undecided cell. Both
                 engines give the same; a change of the answers is a bug, now or before.
* ``states``     the effort of counting. A change of the order of elimination changes it.
* ``ladder``     every step of `deduce` with its technique and proof; ``ladder_steps`` counts them. The reference
                 engine is slow, so it solves only the first positions.
* ``endgame``    the exact chance to win where few layouts fit; ``endgame_nodes`` counts the searched sets.
* ``decisions``  the guesses of the strategies that look ahead, with their reasons; None without the kernel.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Final

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.deduction.ladder import deduce
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from mineproof.bench.wire import BenchJson, PlayDigestsJson, PlaySignatureJson, SignatureJson

SCHEMA: Final = "mineproof/bench/1"
LADDER_POSITIONS = {"kernel": 75, "reference": 2}
SIGNATURE_BUDGET = Budget(seconds=3600.0)  # so long that the signature does not depend on the speed of the machine
ENDGAME_MAX_LAYOUTS = {"kernel": 3_000, "reference": 60}


@dataclass(frozen=True, slots=True)
class Signature:
    """The part of the result that does not depend on the machine."""

    engine: str
    positions: int
    answers: str
    states: int
    ladder: str
    ladder_steps: int
    endgame: str
    endgame_nodes: int
    decisions: str | None

    def as_json(self) -> SignatureJson:
        return {
            "engine": self.engine,
            "positions": self.positions,
            "answers": self.answers,
            "states": self.states,
            "ladder": self.ladder,
            "ladder_steps": self.ladder_steps,
            "endgame": self.endgame,
            "endgame_nodes": self.endgame_nodes,
            "decisions": self.decisions,
        }


@dataclass(frozen=True, slots=True)
class BenchReport:
    """Result of the benchmark."""

    signature: Signature
    median_microseconds: float
    positions_per_second: float

    def as_json(self) -> BenchJson:
        """Return the ``mineproof/bench/1`` object."""
        return {
            "schema": SCHEMA,
            **self.signature.as_json(),
            "median_microseconds": self.median_microseconds,
            "positions_per_second": self.positions_per_second,
        }

    @property
    def text(self) -> str:
        """The signature and the speed, with labels of the same width, in the current language."""
        signature = self.signature
        median, rate = decimal(self.median_microseconds, 1), decimal(self.positions_per_second, 0)
        rows = [
            (message("bench-engine"), signature.engine),
            (message("bench-positions"), number(signature.positions)),
            (message("bench-answers"), signature.answers),
            (message("bench-states"), number(signature.states)),
            (message("bench-ladder"), plural("bench-steps", signature.ladder_steps, signature=signature.ladder)),
            (message("bench-endgame"), plural("bench-nodes", signature.endgame_nodes, signature=signature.endgame)),
            (message("bench-decisions"), signature.decisions or "-"),
            (message("bench-speed"), message("bench-median", median=median, rate=rate)),
        ]
        width = max(len(label) for label, _ in rows)
        return "\n".join(f"{label:{width}}  {value}" for label, value in rows)


def run(
    seconds: float = 2.0, echo: Callable[[str], None] = lambda _: None, engine: Engine | None = None
) -> BenchReport:
    """Solve the corpus once for the signature, which takes about 15 s, then repeatedly for ``seconds``."""
    using = chosen_engine(engine)
    boards = list(corpus())
    echo(plural("bench-computing", len(boards)))
    signature = sign(boards, using)
    echo(message("bench-measuring", seconds=f"{seconds:g}".replace(".", message("number-point"))))
    times = _measure(boards, seconds, using)
    fastest = [min(runs) for runs in times]
    rate = sum(map(len, times)) / sum(map(sum, times))
    return BenchReport(signature, statistics.median(fastest) * 1e6, rate)


def corpus() -> Iterator[Board]:
    """Return the positions of the benchmark."""
    text = resources.files("mineproof").joinpath("bench/corpus.txt").read_text(encoding="utf-8")
    return (Board.parse(block, alphabet="mineproof") for block in text.strip().split("\n\n"))


def sign(boards: list[Board], engine: Engine) -> Signature:
    """Return the signature of an engine on some boards."""
    analyses = [analyze(board, engine=engine, budget=SIGNATURE_BUDGET) for board in boards]
    ladder_boards = boards[: LADDER_POSITIONS[engine.name]]
    steps = [step for board in ladder_boards for step in deduce(board, engine=engine, budget=SIGNATURE_BUDGET)]
    return Signature(
        engine=engine.name,
        positions=len(boards),
        ladder=_digest(f"{step.technique} {sorted(step.safe)} {sorted(step.mines)} {step.because}" for step in steps),
        ladder_steps=len(steps),
        **_play_digests(analyses, engine),
    )


def play_signature(engine: Engine) -> PlaySignatureJson:
    """Return the part of the signature that games depend on (all but the ladder), in less than a second."""
    analyses = [analyze(board, engine=engine, budget=SIGNATURE_BUDGET) for board in corpus()]
    return {"engine": engine.name, **_play_digests(analyses, engine)}


def _play_digests(analyses: list[Analysis], engine: Engine) -> PlayDigestsJson:
    nodes, values = _endgames(analyses, engine)
    return {
        "answers": _digest(line for analysis in analyses for line in _answers(analysis)),
        "states": sum(analysis.states for analysis in analyses),
        "endgame": _digest(values),
        "endgame_nodes": nodes,
        "decisions": _digest(_decisions(analyses, engine)) if engine.plays else None,
    }


def _answers(analysis: Analysis) -> Iterator[str]:
    yield f"{sorted(analysis.safe)} {sorted(analysis.mines)} {analysis.layouts}"
    if analysis.board.total_mines is not None:
        yield from (f"{cell} {analysis.exact(*cell)}" for cell in analysis.undecided)


def _endgames(analyses: list[Analysis], engine: Engine) -> tuple[int, list[str]]:
    """Return the number of searched sets, and the values of each position with few layouts."""
    nodes, values, most = 0, [], ENDGAME_MAX_LAYOUTS[engine.name]
    for analysis in analyses:
        if analysis.board.total_mines is None or analysis.log10_layouts > 6 or not 1 < analysis.layouts <= most:
            continue
        optimum = engine.optimal(Question.of(analysis.board), SIGNATURE_BUDGET, every=True, most=most)
        nodes += optimum.nodes
        values.append(f"{optimum.won} {optimum.layouts} {sorted(optimum.values.items())}")
    return nodes, values


def _decisions(analyses: list[Analysis], engine: Engine) -> Iterator[str]:
    for analysis in analyses:
        if analysis.board.total_mines is None or analysis.safe or not analysis.undecided_count:
            continue
        for strategy in engine.strategies:
            if strategy.looks_ahead and strategy.name != "deep":  # `deep` takes up to seconds per position
                decision = engine.decide(Question.of(analysis.board), strategy.name, SIGNATURE_BUDGET)
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
