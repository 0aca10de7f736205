"""`Setup`: the size, shape, first click and seed of games, as one value that functions take in place of a size."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, TypeVar, cast

from mineproof.base import checks
from mineproof.board.cells import Cell
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import Size, as_size
from mineproof.board.start import FIRST_CLICKS, FirstClick

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Setup:
    """The boards that games are played on: size, shape, first click and seed.

    `generate`, `generate_many`, `simulate`, `tournament`, `sweep`, `dataset` and the environments of `mineproof.gym`
    take it in place of the size. What is left out has the default of the function. ``start`` may be ``"random"`` where
    games are simulated.

    >>> import mineproof as mp
    >>> setup = mp.Setup("beginner", first_click="open", seed=7)
    >>> setup.size
    Size(rows=9, columns=9, mines=10)
    >>> mp.simulate(setup, games=100) == mp.simulate("beginner", first_click="open", seed=7, games=100)
    True
    """

    rows: int | str = "expert"
    columns: int | None = None
    mines: int | None = None
    _: KW_ONLY
    first_click: FirstClick | None = None
    start: Cell | Literal["random"] | None = None
    seed: int | None = None
    topology: Topology = "grid"
    absent: Collection[Cell] = ()

    def __post_init__(self) -> None:
        checks.one_of("topology", self.topology, TOPOLOGIES)
        if self.first_click is not None:
            checks.one_of("first_click", self.first_click, FIRST_CLICKS)
        if self.seed is not None:
            checks.seed("seed", self.seed)
        size = as_size(self.rows, self.columns, self.mines, self.topology)
        for name, value in {**size._asdict(), "absent": tuple(sorted(checks.cells("absent", self.absent)))}.items():
            object.__setattr__(self, name, value)

    @property
    def size(self) -> Size:
        """The size with its number of mines."""
        return as_size(self.rows, self.columns, self.mines)

    @property
    def options(self) -> dict[str, Any]:
        """The keyword arguments other than the size that this setup stands for."""
        given = {"first_click": self.first_click, "start": self.start, "seed": self.seed}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if self.topology != "grid":
            options["topology"] = self.topology
        if self.absent:
            options["absent"] = self.absent
        return options


def accepts_setup(function: F, *, one_argument: str | None = None) -> F:
    """Let a function take a `Setup` in place of its size, which is rows, columns and mines, or ``one_argument``."""

    @functools.wraps(function)
    def with_setup(*arguments: Any, **options: Any) -> Any:
        setups = [value for value in (*arguments, *options.values()) if isinstance(value, Setup)]
        if not setups:
            return function(*arguments, **options)
        [setup] = setups
        own = (setup.size._asdict() if one_argument is None else {one_argument: setup.size}) | setup.options
        others = [value for value in arguments if value is not setup]
        options = {name: value for name, value in options.items() if value is not setup}
        if twice := own.keys() & options.keys():
            raise TypeError(f"{function.__name__}() got {', '.join(sorted(twice))} besides a Setup, which has it")
        return function(*others, **own, **options)

    return cast("F", with_setup)
