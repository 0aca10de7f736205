"""Strategies of one's own: what they may be, how they are asked, and those that installed packages bring.

A strategy is a function from the board that is seen to the cell to open next. It may be more than that, and says so by
the names of its parameters and methods:

* a parameter ``analysis`` is handed the `Analysis` of the board, which is made anyway; None where it is too wide;
* a class is made anew for each game, so that it may remember what it likes; a parameter ``seed`` of its own is handed a
  number that depends on the seed and the number of the game alone;
* a method ``choose_many`` answers about many games at once: it is handed an array (n, rows, columns) of cell codes, and
  as ``analyses``, if it has such a parameter, a `ManyAnalyses`; it answers with n cells.

A package offers strategies by name in the group `GROUP` of its entry points. Looking them up reads the metadata of
every installed package, a few milliseconds, so it is done only for names that the engine does not know.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import Analysis
from mineproof.analysis.many import ManyAnalyses, analyze_many
from mineproof.base import checks, rng
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import IllegalMoveError, OutsideError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SCHEMA = "mineproof/strategies/1"
GROUP = "mineproof.strategies"
EXPECTED = "a function of a board, a class whose objects are such functions, or something with choose_many"


class ChoosesMany(Protocol):
    """What answers about many games at once."""

    @property
    def choose_many(self) -> Callable[..., object]: ...


Choose = Callable[..., object] | ChoosesMany  # a function or a class, or what has the method
AskMany = Callable[[npt.NDArray[np.int8], ManyAnalyses], list[Cell]]


class Choosing(NamedTuple):
    """A strategy at work on one game; ``ask`` answers with whatever the strategy answers."""

    name: str
    ask: Callable[[Board, Analysis | None], object]

    def cell(self, board: Board, analysis: Analysis | None) -> Cell:
        """The cell to open next; IllegalMoveError where it is none that can be opened."""
        choice = self.ask(board, analysis)
        try:
            cell = checks.cell("cell", choice)
            if board[cell] == COVERED:
                return cell
        except (TypeError, OutsideError):
            pass
        raise IllegalMoveError(f"{self.name} chose {checks.shortened(choice)}, expected a covered cell")


class Own:
    """A strategy that is not the engine's, under the name that results are kept by."""

    def __init__(self, given: object, name: str) -> None:
        self.name = name
        self._given = given
        self._is_class = inspect.isclass(given)
        self.answers_many = callable(getattr(given, "choose_many", None))
        if not (self.answers_many or callable(given)):
            raise TypeError(f"found strategy {name} of type {type(given).__name__}, expected {EXPECTED}")

    def for_game(self, seed: int, number: int) -> Choosing:
        """How one game asks."""
        choose: Any = self._made(seed, number)
        if self.answers_many:
            return Choosing(self.name, partial(_ask_about_one, self._asking(choose)))
        if not callable(choose):
            raise TypeError(f"found objects of {self.name} that cannot be called, expected {EXPECTED}")
        if _wants(choose, "analysis"):
            return Choosing(self.name, lambda board, analysis: choose(board, analysis=analysis))
        return Choosing(self.name, lambda board, _: choose(board))

    def for_games(self, seed: int, first: int) -> AskMany:
        """How games ask that are played side by side, the first of which has this number."""
        return self._asking(self._made(seed, first))

    def _asking(self, choose: Any) -> AskMany:
        choose_many = choose.choose_many
        wants = _wants(choose_many, "analyses")

        def ask(boards: npt.NDArray[np.int8], analyses: ManyAnalyses) -> list[Cell]:
            return self._cells(choose_many(boards, analyses=analyses) if wants else choose_many(boards), len(boards))

        return ask

    def _made(self, seed: int, number: int) -> object:
        if not self._is_class:
            return self._given
        given: Any = self._given
        if _wants(given, "seed"):
            return given(seed=rng.Random(rng.derive(seed, rng.STRATEGIES), number).next())
        return given()

    def _cells(self, found: Any, count: int) -> list[Cell]:
        given = found.tolist() if isinstance(found, np.ndarray) else found
        try:
            cells = [checks.cell("cell", each) for each in given]
        except TypeError:
            cells = []
        if len(cells) == count:
            return cells
        raise ValueError(
            f"{self.name} answered {checks.shortened(given)} about {count} games, expected as many cells (row, column)"
        )


def _ask_about_one(ask: AskMany, board: Board, _: Analysis | None) -> Cell:
    """The answer of a strategy for many about a single board."""
    return ask(board.to_array()[np.newaxis], analyze_many([board], threads=1))[0]


def own_strategy(given: object) -> Own:
    """A function, or what else `Own` takes, as it is handed to `simulate`."""
    return Own(given, f"python:{getattr(given, '__qualname__', type(given).__qualname__)}")


def _wants(function: Callable[..., object], parameter: str) -> bool:
    """Has it a parameter of this name?"""
    try:
        return parameter in inspect.signature(function).parameters
    except (TypeError, ValueError):  # what is built in may not tell
        return False


# installed ones


class Installed(NamedTuple):
    """A strategy that a package offers."""

    name: str
    package: str
    version: str  # of the package
    entry: EntryPoint

    def load(self) -> Own:
        """ValueError, with what went wrong, where the package cannot be loaded or offers something else."""
        try:
            return Own(self.entry.load(), self.name)
        except Exception as error:  # whatever a package raises while it is imported
            raise ValueError(
                f"strategy {self.name!r} of package {self.package} cannot be loaded "
                f"({self.entry.value}): {type(error).__name__}: {error}"
            ) from error


def installed() -> list[Installed]:
    """The strategies that installed packages offer, in order of name."""
    from importlib.metadata import entry_points  # takes longer to load than all the rest here

    found = [
        Installed(entry.name, entry.dist.name, entry.dist.version, entry)
        if entry.dist is not None
        else Installed(entry.name, "of unknown name", "of unknown version", entry)
        for entry in entry_points(group=GROUP)
    ]
    return sorted(found, key=lambda each: (each.name, each.package))


def strategies_json(engine: Engine | None = None) -> dict[str, object]:
    """The ``mineproof/strategies/1`` shape: every name that `simulate` takes, the engine's first."""
    known = [{"name": each.name, "package": None} for each in chosen_engine(engine).strategies]
    names = {each["name"] for each in known}
    offered = [{"name": each.name, "package": each.package} for each in installed() if each.name not in names]
    return {"schema": SCHEMA, "strategies": known + offered}


def offered_strategy(name: str) -> Installed | None:
    """The strategy that a package offers under a name; None where there is none, ValueError where two do."""
    offered = [each for each in installed() if each.name == name]
    if len(offered) > 1:
        packages = " and ".join(each.package for each in offered)
        raise ValueError(f"found strategy {name!r} in the packages {packages}, expected one")
    return offered[0] if offered else None


def installed_strategy(name: str) -> Own | None:
    """The same, loaded."""
    offered = offered_strategy(name)
    return None if offered is None else offered.load()
