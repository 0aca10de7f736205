"""Boards that answer for themselves: those of variants, which a room below this one defines.

Functions such as `mineproof.analyze` take a `Board`. For another object, they call its own method of the same purpose.
So plain boards cost nothing more, and no room needs to know what stands below it. `mineproof` sets `RuleReader.read`,
which `Board.parse` calls for a text with rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar, runtime_checkable

from mineproof.board.cells import Cell

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class RuleReader:
    """How to read a board with rules of a variant, set when `mineproof` is imported."""

    read: Callable[..., Any]


@runtime_checkable
class Analyzable(Protocol[A_co]):
    """A board with an analysis of its own."""

    def analyze(self, *, density: Any = None, budget: Any = None, engine: Any = None) -> A_co:
        """Return its analysis."""


@runtime_checkable
class Deducible(Protocol[A]):
    """A board with steps of its own."""

    def deduce(self, *, upto: str | None = None, budget: Any = None, engine: Any = None) -> list[A]:
        """Return the steps to every certain cell."""


@runtime_checkable
class Hinting(Protocol[A_co]):
    """A board with hints of its own."""

    def hint(self, *, prefer: str = "easiest", density: Any = None, budget: Any = None, engine: Any = None) -> A_co:
        """Return the next hint."""


@runtime_checkable
class Choosing(Protocol[A_co]):
    """A board with a best move of its own."""

    def best_move(self, *, budget: Any = None, engine: Any = None) -> A_co:
        """Return the best move."""


@runtime_checkable
class Listing(Protocol):
    """A board that lists and samples its layouts."""

    def enumerate_layouts(self, *, budget: Any = None, engine: Any = None) -> Iterator[frozenset[Cell]]:
        """Yield every layout."""

    def sample_layouts(
        self, count: int, *, seed: int = 0, density: Any = None, budget: Any = None, engine: Any = None
    ) -> Iterator[frozenset[Cell]]:
        """Yield samples of the layouts."""


def refuse_options(**options: bool) -> None:
    """Raise ValueError that names the first option that is given, because it is for plain boards only."""
    for name, is_given in options.items():
        if is_given:
            raise ValueError(f"{name} is for plain boards. Boards of variants do not have it.")
