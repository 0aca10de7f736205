"""Custom strategies written in Python: their forms, how they are called, and those of installed packages.

A strategy is a function that takes the visible board and returns the cell to open next. It can do more, depending on
the names of its parameters and methods:

* a parameter ``analysis`` receives the `Analysis` of the board, which is computed anyway, or None if it is too wide;
* a class is instantiated for each game, so it can keep state; if its constructor has a parameter ``seed``, that
  receives a number that depends only on the seed and the number of the game;
* a method ``choose_many`` chooses for many games at once: it receives an array (n, rows, columns) of cell codes and, if
  it has a parameter ``analyses``, a `ManyAnalyses`, and returns n cells.

A package offers strategies by name in the group `GROUP` of its entry points. Looking them up reads the metadata of
every installed package, which takes a few milliseconds, so it is done only for names that the engine does not know.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import Analysis
from mineproof.analysis.many import ManyAnalyses, analyze_many
from mineproof.base import checks, rng
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.strategy_table import describe_strategy, strategies
from mineproof.engine.answers import Engine
from mineproof.errors import IllegalMoveError, OutsideError
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from mineproof.decision.wire import StrategiesJson, StrategyJson

SCHEMA: Final = "mineproof/strategies/1"
GROUP = "mineproof.strategies"
EXPECTED = "a function of a board, a class whose objects are such functions, or something with choose_many"


class ChoosesMany(Protocol):
    """An object that chooses for many games at once."""

    @property
    def choose_many(self) -> Callable[..., object]: ...


Choose = Callable[..., object] | ChoosesMany  # a function, a class, or an object with choose_many
ChooseMany = Callable[[npt.NDArray[np.int8], ManyAnalyses], list[Cell]]


class GameStrategy(NamedTuple):
    """A custom strategy that plays one game.

    ``ask`` returns the strategy's unchecked choice, and ``comment`` what it says about the last one.
    """

    name: str
    ask: Callable[[Board, Analysis | None], object]
    comment: Callable[[], str] = str

    def cell(self, board: Board, analysis: Analysis | None) -> Cell:
        """Return the cell to open next; IllegalMoveError if the strategy chose something else."""
        choice = self.ask(board, analysis)
        try:
            cell = checks.cell("cell", choice)
            if board[cell] == COVERED:
                return cell
        except (TypeError, OutsideError):
            pass
        raise IllegalMoveError(f"{self.name} chose {checks.shorten(choice)}, expected a covered cell")


class CustomStrategy:
    """A strategy written in Python, with the name under which its results are stored.

    ``waited_seconds`` is the time that it waited for other programs; `close` ends these after the last game.
    ``plays_alone`` says that it makes every move of a game that is watched, not only the guesses.
    """

    waited_seconds = 0.0
    plays_alone = False

    def __init__(self, given: object, name: str) -> None:
        self.name = name
        self._given = given
        self._is_class = inspect.isclass(given)
        self.answers_many = callable(getattr(given, "choose_many", None))
        if not (self.answers_many or callable(given)):
            raise TypeError(f"strategy {name}: expected {EXPECTED}, got {type(given).__name__}")

    def for_game(self, seed: int, number: int) -> GameStrategy:
        """Return the strategy for one game."""
        choose: Any = self._instance(seed, number)
        if self.answers_many:
            return GameStrategy(self.name, partial(_choose_one, self._choose_many(choose)))
        if not callable(choose):
            raise TypeError(f"strategy {self.name}: expected {EXPECTED}, got a class whose objects are not callable")
        if _has_parameter(choose, "analysis"):
            return GameStrategy(self.name, lambda board, analysis: choose(board, analysis=analysis))
        return GameStrategy(self.name, lambda board, _: choose(board))

    def close(self) -> None:
        """Release what the strategy holds."""

    def for_games(self, seed: int, first: int) -> ChooseMany:
        """Return the function for games that are played side by side; ``first`` is the number of the first one."""
        return self._choose_many(self._instance(seed, first))

    def _choose_many(self, strategy: Any) -> ChooseMany:
        choose_many = strategy.choose_many
        takes_analyses = _has_parameter(choose_many, "analyses")

        def choose(boards: npt.NDArray[np.int8], analyses: ManyAnalyses) -> list[Cell]:
            choices = choose_many(boards, analyses=analyses) if takes_analyses else choose_many(boards)
            return self._check_cells(choices, len(boards))

        return choose

    def _instance(self, seed: int, number: int) -> object:
        if not self._is_class:
            return self._given
        given: Any = self._given
        if _has_parameter(given, "seed"):
            return given(seed=rng.Random(rng.derive(seed, rng.STRATEGIES), number).next())
        return given()

    def _check_cells(self, choices: Any, count: int) -> list[Cell]:
        listed = choices.tolist() if isinstance(choices, np.ndarray) else choices
        try:
            cells = [checks.cell("cell", choice) for choice in listed]
        except TypeError:
            cells = []
        if len(cells) == count:
            return cells
        raise ValueError(
            f"{self.name}: expected {count} cells (row, column), one for each game, got {checks.shorten(listed)}"
        )


def _choose_one(choose: ChooseMany, board: Board, _: Analysis | None) -> Cell:
    """Return the choice of a strategy for many boards in a single one."""
    return choose(board.to_array()[np.newaxis], analyze_many([board], threads=1))[0]


def custom_strategy(given: object) -> CustomStrategy:
    """Return the strategy for a function, class or object that was passed to `simulate`."""
    return CustomStrategy(given, f"python:{getattr(given, '__qualname__', type(given).__qualname__)}")


def _has_parameter(function: Callable[..., object], parameter: str) -> bool:
    """Does the function have a parameter with this name?"""
    try:
        return parameter in inspect.signature(function).parameters
    except (TypeError, ValueError):  # some built-in functions have no signature
        return False


# installed ones


class PackageStrategy(NamedTuple):
    """A strategy that an installed package offers."""

    name: str
    package: str
    version: str  # of the package
    entry: EntryPoint

    def load(self) -> CustomStrategy:
        """Import the package and return its strategy; ValueError with the cause if that fails."""
        try:
            return CustomStrategy(self.entry.load(), self.name)
        except Exception as error:  # a package may raise anything while it is imported
            raise ValueError(
                f"strategy {self.name!r} of package {self.package} cannot be loaded "
                f"({self.entry.value}): {type(error).__name__}: {error}"
            ) from error


def installed_strategies() -> list[PackageStrategy]:
    """Return the strategies that installed packages offer, sorted by name."""
    from importlib.metadata import entry_points  # takes longer to load than everything else here

    offered = [
        PackageStrategy(entry.name, entry.dist.name, entry.dist.version, entry)
        if entry.dist is not None
        else PackageStrategy(entry.name, "of unknown name", "of unknown version", entry)
        for entry in entry_points(group=GROUP)
    ]
    return sorted(offered, key=lambda strategy: (strategy.name, strategy.package))


def strategies_json(engine: Engine | None = None) -> StrategiesJson:
    """Return the ``mineproof/strategies/1`` document: every strategy that `simulate` accepts, the engine's first.

    ``text`` is a description in the current language.
    """
    known: list[StrategyJson] = [
        {"name": strategy.name, "package": None, "text": describe_strategy(strategy.name)}
        for strategy in strategies(engine)
    ]
    names = {strategy["name"] for strategy in known}
    offered: list[StrategyJson] = [
        {
            "name": strategy.name,
            "package": strategy.package,
            "text": message("strategy-from-package", package=strategy.package),
        }
        for strategy in installed_strategies()
        if strategy.name not in names
    ]
    return {"schema": SCHEMA, "strategies": known + offered}


def offered_strategy(name: str) -> PackageStrategy | None:
    """Return the strategy that a package offers under this name, or None; ValueError if two packages do."""
    offered = [strategy for strategy in installed_strategies() if strategy.name == name]
    if len(offered) > 1:
        packages = " and ".join(strategy.package for strategy in offered)
        raise ValueError(f"several packages offer a strategy {name!r}: {packages}. Uninstall all but one.")
    return offered[0] if offered else None


def installed_strategy(name: str) -> CustomStrategy | None:
    """Return the loaded strategy that a package offers under this name, or None."""
    offered = offered_strategy(name)
    return None if offered is None else offered.load()


# Names until all rooms use the new ones.
Own = CustomStrategy
Choosing = GameStrategy
own_strategy = custom_strategy
