"""The arguments of an environment, checked: size, rules and rewards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

from mineproof.base import checks
from mineproof.base.budget import DEFAULT, Budget
from mineproof.base.words import none_or
from mineproof.board.board import Board
from mineproof.board.cells import COVERED
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.board.levels import as_size, read_size
from mineproof.board.start import FirstClick
from mineproof.engine.games import StepRewards
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import Fairness, Rules

REWARDS: Mapping[str, float] = StepRewards()._asdict()  # names and defaults
DEFAULT_LEVEL = "beginner"


class GameSetting(NamedTuple):
    """The size, the rules and the rewards of all games of an environment."""

    geometry: Geometry
    mines: int
    first_click: FirstClick
    fairness: Fairness
    rewards: StepRewards
    budget: Budget

    @property
    def rows(self) -> int:
        return self.geometry.rows

    @property
    def columns(self) -> int:
        return self.geometry.columns

    def board(self, codes: bytes) -> Board:
        """Return the board with these codes."""
        return Board(self.rows, self.columns, codes, self.mines, self.geometry.topology)

    @property
    def covered(self) -> Board:
        """The board before the first move."""
        return self.board(bytes([COVERED & 0xFF]) * self.geometry.cells)


def read_setting(
    level: object,
    rows: int | None,
    columns: int | None,
    mines: int | None,
    topology: Topology,
    first_click: FirstClick,
    fairness: Fairness,
    rewards: Mapping[str, float] | None,
    budget: Budget | None,
) -> GameSetting:
    """Check the arguments of an environment and return its setting."""
    if level is not None or (rows is None and columns is None and mines is None):
        if (rows, columns, mines) != (None, None, None):
            raise TypeError(f"Pass a level, or rows, columns and mines, not both: got level={level!r}")
        size = read_size(checks.instance("level", DEFAULT_LEVEL if level is None else level, str))
    elif rows is None:
        raise TypeError("expected rows, columns and mines, or a level such as 'expert'")
    else:
        size = as_size(checks.whole("rows", rows), columns, mines)
    require_shape(topology, size.rows, size.columns)
    geometry = Geometry(topology, size.rows, size.columns)
    if geometry.holes:
        raise BoardSyntaxError(f"environments need a shape without holes, got {topology}")
    room = geometry.cells - 1
    if not 0 <= size.mines <= room:
        raise BoardSyntaxError(f"expected {none_or(room)} mines besides the first click, got {size.mines:,}")
    rules = Rules(first_click, fairness)
    return GameSetting(geometry, size.mines, rules.first_click, rules.fairness, read_rewards(rewards), _budget(budget))


def _budget(given: Budget | None) -> Budget:
    if given is None:
        return DEFAULT
    return checks.instance("budget", given, Budget, "whose states count; seconds would make games differ by machine")


def read_rewards(given: Mapping[str, float] | None) -> StepRewards:
    """Check rewards by name; the others have their defaults."""
    if given is None:
        return StepRewards()
    checks.instance("rewards", given, Mapping, f"a dict of {', '.join(REWARDS)}")  # type: ignore[type-abstract]
    for name in given:
        if name not in REWARDS:
            raise ValueError(f"rewards must be of {', '.join(REWARDS)}, got {name!r}")
    return StepRewards(**{name: _check_reward(name, value) for name, value in given.items()})


def _check_reward(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"rewards[{name!r}] must be a number, got {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"rewards[{name!r}] must be finite, got {value}")
    return float(value)
