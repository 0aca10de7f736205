"""A game of a variant as a Gymnasium environment. It shows what a player sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.rng import Random
from mineproof.board.geometry import Geometry, Topology
from mineproof.board.levels import as_size, read_size
from mineproof.board.start import FirstClick
from mineproof.errors import IllegalMoveError, OutsideError
from mineproof.game.variant_deals import deal_variant
from mineproof.game.variant_gallery import gallery_size
from mineproof.game.variant_game import VariantGame
from mineproof.game.variant_layout import require_board
from mineproof.gym.settings import read_rewards
from mineproof.variants.clues import Clue, PatternRule, clue_rule
from mineproof.variants.position import VariantPosition
from mineproof.variants.variant import Variant

COVERED, NO_CLUE = -1, -2
LARGEST_CLUE = 32_767
LARGEST_DIGIT = 8  # of the lengths of a clue of ``wall``
_READABLE = ("partition", "wall")  # pattern rules whose clues are a number, or lengths below ten


class VariantMinesweeper(gymnasium.Env[npt.NDArray[np.int16], np.int64]):
    """``mineproof/MinesweeperVariant-v0``. An action opens the cell ``row * columns + column``; there are no flags.

    ``rules`` are names such as ``liar,quad``. The observation (rows, columns) has the clue of each open cell, -1 for
    covered cells and -2 for open cells without a clue; a clue 1+3 of ``wall`` is 13. ``topology`` is a shape without
    holes, for ``wall`` one with at most eight cells around a cell. Rewards and ``info`` are those of `Minesweeper`.
    Game k of a seed is the same everywhere.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        rules: str = "liar",
        level: str | None = None,
        *,
        rows: int | None = None,
        columns: int | None = None,
        mines: int | None = None,
        topology: Topology = "grid",
        first_click: FirstClick = "safe",
        rewards: Mapping[str, float] | None = None,
        render_mode: str | None = None,
    ) -> None:
        checks.one_of("render_mode", render_mode, (None, "ansi"))
        self.variant = Variant.parse(rules)
        rule = clue_rule(self.variant.clues)
        if isinstance(rule, PatternRule) and rule.name not in _READABLE:
            raise ValueError(f"environments need a clue that is one number, got {rule.name}")
        if level is not None:
            if (rows, columns, mines) != (None, None, None):
                raise TypeError(f"Pass a level, or rows, columns and mines, not both: got level={level!r}")
            size = read_size(checks.instance("level", level, str))
        else:
            size = gallery_size(self.variant.text) if rows is None else as_size(rows, columns, mines)
        require_board(size.rows, size.columns, topology, self.variant)
        geometry = Geometry(topology, size.rows, size.columns)
        if geometry.holes:
            raise ValueError(f"environments need a shape without holes, got {topology}")
        if rule.name == "wall" and geometry.largest_number > LARGEST_DIGIT:
            raise ValueError(f"wall in environments needs at most {LARGEST_DIGIT} cells around a cell, got {topology}")
        self.size, self.first_click, self.render_mode = size, first_click, render_mode
        self.topology = topology
        self.rewards = read_rewards(rewards)
        self.observation_space = gymnasium.spaces.Box(NO_CLUE, LARGEST_CLUE, (size.rows, size.columns), np.int16)
        self.action_space = gymnasium.spaces.Discrete(size.rows * size.columns)
        self._seed, self._number = 0, -1
        self._game: VariantGame | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int16], dict[str, Any]]:
        """Start the next game, or number 0 of a seed."""
        if seed is not None:
            checks.seed("seed", seed)
        super().reset(seed=seed)
        if seed is not None:
            self._seed, self._number = seed, -1
        elif self._game is None:
            self._seed = self.np_random_seed & checks.LARGEST_SEED
        self._number = checks.whole("number", (options or {}).get("number", self._number + 1), 0)
        dealt = Random(self._seed, self._number).next()
        layout = deal_variant(*self.size, self.variant, topology=self.topology, seed=dealt)
        self._game = VariantGame(layout, first_click=self.first_click, seed=dealt)
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[np.int16], float, bool, bool, dict[str, Any]]:
        """Open a cell. Raises IllegalMoveError after the end and before the first reset, OutsideError for no cell."""
        game, index = self._running(), checks.whole("action", action)
        if not 0 <= index < game.rows * game.columns:
            raise OutsideError(f"action must be from 0 to {game.rows * game.columns - 1}, got {index}")
        cell = divmod(index, game.columns)
        if game.position.cells[index].state == "open":
            return self._observation(), self.rewards.repeat, False, False, self._info()
        is_blind = game.status != "new" and not self._touches_open(cell)
        outcome = game.open(*cell)
        safe = max(1, game.rows * game.columns - self._mined_cells())
        reward = self.rewards.blind * is_blind + self.rewards.progress * len(outcome.opened) / safe
        reward += {"won": self.rewards.win, "lost": self.rewards.lose}.get(outcome.status, 0.0)
        return self._observation(), reward, game.is_over, False, self._info()

    @property
    def position(self) -> VariantPosition:
        """The visible position, for `analyze_variant`."""
        if self._game is None:
            raise IllegalMoveError("There is no game before the first reset. Call reset() first.")
        return self._game.position

    def render(self) -> str | None:
        """Return the board as text."""
        return str(self._game) if self.render_mode == "ansi" else None

    def _running(self) -> VariantGame:
        if self._game is None:
            raise IllegalMoveError("Cannot step before the first reset. Call reset() first.")
        if self._game.is_over:
            raise IllegalMoveError(f"The game is {self._game.status}. Call reset() first.")
        return self._game

    def _mined_cells(self) -> int:
        """The number of cells with mines; with several mines in a cell it is unknown before the end, so none counts."""
        return self.size.mines if self.variant.cell_max == 1 else 0

    def _touches_open(self, cell: tuple[int, int]) -> bool:
        position = self.position
        near = self.variant.area(position).neighbours(cell)
        return any(position[place].state == "open" for place in near)

    def _observation(self) -> npt.NDArray[np.int16]:
        cells = self.position.cells
        codes = [
            COVERED if cell.state != "open" else NO_CLUE if not cell.clues else _code(cell.clues[0]) for cell in cells
        ]
        return np.array(codes, dtype=np.int16).reshape(self.size.rows, self.size.columns)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": (self._observation().ravel() == COVERED).astype(np.int8)}
        if self._game is not None and self._game.is_over:
            info["won"] = self._game.status == "won"
        return info


def _code(clue: Clue) -> int:
    """Return a clue as a number: 13 for 1+3."""
    return clue if isinstance(clue, int) else int("".join(map(str, clue)))
