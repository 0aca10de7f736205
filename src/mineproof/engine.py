"""Which engine counts: the native kernel, or the reference in plain Python.

The kernel is used unless ``MINEPROOF_ENGINE=reference`` asks for the reference. A package without its kernel does
not fall back on its own: a program that is suddenly hundreds of times slower is told why instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mineproof import reference, reference_optimal, rng
from mineproof.budget import Budget
from mineproof.errors import EngineMissing
from mineproof.reference_optimal import Optimum
from mineproof.topology import Topology
from mineproof.version import VERSION

UNDECIDED, SAFE, MINE = reference.UNDECIDED, reference.SAFE, reference.MINE


class Counted(Protocol):
    """What an engine found out about a position."""

    @property
    def states(self) -> int:
        """The effort: merged states made, the same on every machine."""

    def verdicts(self) -> bytes:
        """Per cell `UNDECIDED`, `SAFE` or `MINE`; 0 where nothing is in question."""

    def mine_probability(self) -> npt.NDArray[np.float64]:
        """Flat; NaN where there is none to tell."""

    def layouts(self) -> int: ...
    def log10_layouts(self) -> float: ...
    def exact(self, index: int) -> Fraction: ...


Sample = Callable[[Topology, bytes, "int | None", "Fraction | None", Budget, int, range], "list[list[int]]"]


class MadeLayout(Protocol):
    """A layout that needs no guess, and what it took to find it."""

    @property
    def mines(self) -> list[int]: ...
    @property
    def deals(self) -> int: ...
    @property
    def repairs(self) -> int: ...


class MakeNoGuess(Protocol):
    def __call__(
        self, topology: Topology, codes: bytes, allowed: bytes, mines: int, start: int, seed: int, number: int,
        budget: Budget, *, repair: bool,
    ) -> MadeLayout: ...  # fmt: skip


# Whole games: see `mineproof.kernel.simulate`.
Simulate = Callable[
    [Topology, bytes, bytes, int, int, int, int, range, Callable[[], bool]],
    tuple[tuple[int, int, int, int, int, float, int], bytes],
]


class FindOptimum(Protocol):
    def __call__(
        self, topology: Topology, codes: bytes, total_mines: int, budget: Budget, *, every: bool, most: int
    ) -> Optimum: ...


class Candidate(Protocol):
    """What a guess was weighed by."""

    @property
    def cell(self) -> int: ...
    @property
    def mine_probability(self) -> float: ...
    @property
    def fate(self) -> float: ...
    @property
    def win_probability(self) -> float: ...


class Decision(Protocol):
    """A guess, why, and what else there was."""

    @property
    def best(self) -> int | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def candidates(self) -> Sequence[Candidate]: ...


Decide = Callable[[Topology, bytes, int, int, Budget], Decision]
PlayOn = Callable[[Topology, bytes, int, Sequence[int], int, int, int, Budget], list[int]]


class Engine(NamedTuple):
    """What can be asked; `mineproof.kernel` says what each answer is."""

    name: str
    solve: Callable[[Topology, bytes, int | None, Fraction | None, Budget], Counted]
    sample: Sample
    deal: Callable[[Topology, bytes, int, int, int], list[int]]
    no_guess: MakeNoGuess
    simulate: Simulate
    optimal: FindOptimum
    decide: Decide
    play_on: PlayOn


def _refusing(message: str) -> Callable[..., Any]:
    def refuse(*_: object, **__: object) -> Any:
        raise EngineMissing(message)

    return refuse


def _missing(reason: str) -> Engine:
    refuse = _refusing(
        f"{reason}. Install a C++20 compiler and install mineproof again, "
        "or set MINEPROOF_ENGINE=reference to count in plain Python, slowly"
    )
    return Engine("none", *[refuse] * (len(Engine._fields) - 1))


def _deal(_: Topology, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
    cells = [cell for cell, may in enumerate(allowed) if may]
    return rng.deal(rng.Random(seed, number), cells, mines)


def _choose(wish: str) -> Engine:
    if wish == "reference":
        no_guess = _refusing("layouts that need no guess are made by the native kernel only, and this is the reference")
        simulate = _refusing(
            "strategies with a name are played by the native kernel only, and this is the reference; "
            "a Python function can be simulated"
        )
        weigh = _refusing(
            "guesses are weighed by the native kernel only, and this is the reference; "
            "strategy 'fast' and optimal play of small positions need no kernel"
        )
        return Engine(
            "reference", reference.solve, reference.sample, _deal, no_guess, simulate,
            reference_optimal.optimal, weigh, weigh,
        )  # fmt: skip
    if wish != "kernel":
        return _missing(f"MINEPROOF_ENGINE is {wish!r}, expected kernel or reference")
    try:
        from mineproof import kernel
    except ImportError as error:
        return _missing(f"the native kernel cannot be loaded ({error})")
    if kernel.VERSION != VERSION:
        return _missing(f"the native kernel is of version {kernel.VERSION}, mineproof of {VERSION}")
    return Engine(
        "kernel", kernel.solve, kernel.sample, kernel.deal, kernel.no_guess, kernel.simulate,
        kernel.optimal, kernel.decide, kernel.play_on,
    )  # fmt: skip


name, solve, sample, deal, no_guess, simulate, optimal, decide, play_on = _choose(
    os.environ.get("MINEPROOF_ENGINE") or "kernel"
)
