"""JSON documents about problems."""

from typing import Literal, NotRequired, TypedDict


class ConstraintJson(TypedDict):
    """A constraint on some variables; each has the coefficient 1 if there are no ``coefficients``."""

    cells: list[int]
    sums: list[int]
    coefficients: NotRequired[list[int]]
    name: NotRequired[str]


class ProblemJson(TypedDict):
    """Variables with constraints: their number, or the values of each. ``density`` is read, and never written."""

    schema: Literal["mineproof/problem/1"]
    variables: int | list[int | list[str]]
    constraints: list[ConstraintJson]
    total: list[int] | None
    density: NotRequired[float | str]
