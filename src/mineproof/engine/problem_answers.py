"""The count of a problem, as both engines answer it."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget
from mineproof.problems.problem import Problem


class ProblemCount(Protocol):
    """The count of a problem. Exact numbers are counted on first use, within what is left of the budget."""

    @property
    def problem(self) -> Problem: ...

    @property
    def states(self) -> int:
        """The effort, the same on every machine."""

    def possible(self, variable: int) -> tuple[int, ...]:
        """Return the values that a variable has in some solution, ascending."""

    def probability(self) -> npt.NDArray[np.float64]:
        """Return one row for each variable and one column for each value; 0 for values that are not allowed."""

    def exact(self, variable: int, value: int) -> Fraction:
        """Return the share of the weight of all solutions that have a value."""

    def weight(self, budget: Budget | None = None) -> Fraction:
        """Return the weight of all solutions."""

    def solutions(self, budget: Budget | None = None) -> int:
        """Return the number of solutions."""

    def log10_weight(self) -> float:
        """Return the decimal logarithm of the weight of all solutions."""
