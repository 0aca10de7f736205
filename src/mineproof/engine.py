"""Which engine counts: the native kernel, or the reference in plain Python.

The kernel is used unless ``MINEPROOF_ENGINE=reference`` asks for the reference. A package without its kernel does
not fall back on its own: a program that is suddenly hundreds of times slower is told why instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mineproof import reference
from mineproof.budget import Budget
from mineproof.errors import EngineMissing
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


Solve = Callable[[Topology, bytes, "int | None", "Fraction | None", Budget], Counted]
Sample = Callable[[Topology, bytes, "int | None", "Fraction | None", Budget, int, range], "list[list[int]]"]


def _missing(reason: str) -> tuple[Solve, Sample]:
    message = (
        f"{reason}. Install a C++20 compiler and install mineproof again, "
        "or set MINEPROOF_ENGINE=reference to count in plain Python, slowly"
    )

    def refuse(*_: object) -> Iterator[list[int]]:
        raise EngineMissing(message)

    return refuse, refuse  # type: ignore[return-value]


def _choose(wish: str) -> tuple[str, Solve, Sample]:
    if wish == "reference":
        return "reference", reference.solve, reference.sample
    if wish != "kernel":
        return "none", *_missing(f"MINEPROOF_ENGINE is {wish!r}, expected kernel or reference")
    try:
        from mineproof import kernel
    except ImportError as error:
        return "none", *_missing(f"the native kernel cannot be loaded ({error})")
    if kernel.VERSION != VERSION:
        return "none", *_missing(f"the native kernel is of version {kernel.VERSION}, mineproof of {VERSION}")
    return "kernel", kernel.solve, kernel.sample


name, solve, sample = _choose(os.environ.get("MINEPROOF_ENGINE") or "kernel")
