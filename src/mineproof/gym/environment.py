"""One board as a Gymnasium environment. It shows what a player sees; the mines stay in the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED
from mineproof.board.geometry import Topology
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.errors import IllegalMoveError
from mineproof.game.rules import Fairness
from mineproof.gym.batch import GameBatch
from mineproof.gym.pictures import paint_pixels, write_text
from mineproof.gym.settings import GameSetting, read_setting

RENDER_MODES = ["ansi", "rgb_array"]
_ALL_BOARDS = np.ones(1, dtype=np.bool_)


class Minesweeper(gymnasium.Env[npt.NDArray[np.int8], np.int64]):
    """``mineproof/Minesweeper-v0``. An action opens the cell ``row * columns + column``; there are no flags.

    The observation (rows, columns) has 0 to 8 for open numbers and -1 for covered cells. ``info["action_mask"]`` has 1
    for covered cells. Opening an open cell changes nothing and is worth ``rewards["repeat"]``. An exploded
    mine stays covered: no observation shows a mine. After the end ``info["won"]`` and `mines` are available. If
    ``budget.states`` is too small for the fairness rule to judge a move, the game is truncated and ``info["unjudged"]``
    is True. ``budget.seconds`` is ignored, so that games are the same on every machine.

    Game k of a seed is the layout ``generate(…, seed=seed, number=k, start=first cell opened, first_click=…)``: number
    0 after ``reset(seed=…)``, the next one after each ``reset()``, any after ``reset(options={"number": k})``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012

    @accepts_setup
    def __init__(
        self,
        level: str | Setup | None = None,
        *,
        rows: int | None = None,
        columns: int | None = None,
        mines: int | None = None,
        topology: Topology = "grid",
        first_click: FirstClick = "safe",
        fairness: Fairness = "none",
        rewards: Mapping[str, float] | None = None,
        render_mode: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        checks.one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.setting: GameSetting = read_setting(
            level, rows, columns, mines, topology, first_click, fairness, rewards, budget
        )
        self.render_mode = render_mode
        self.observation_space = observation_space(self.setting)
        self.action_space = gymnasium.spaces.Discrete(self.setting.geometry.cells)
        self._batch = GameBatch(self.setting, 1, 1, "never", 0)
        self._action = np.zeros(1, dtype=np.int64)
        self._has_started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Start the next game, or number 0 of a seed."""
        if seed is not None:
            checks.seed("seed", seed)
        super().reset(seed=seed)
        if seed is None and not self._has_started:
            seed = self.np_random_seed & checks.LARGEST_SEED
        seeds = None if seed is None else np.array([seed], dtype=np.uint64)
        self._batch.reset(_ALL_BOARDS, seeds, options or {})
        self._has_started = True
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Open a cell. Raises IllegalMoveError after the end and before the first reset, OutsideError for no cell."""
        if not self._has_started:
            raise IllegalMoveError("Cannot step before the first reset. Call reset() first.")
        self._action[0] = checks.whole("action", action)
        self._batch.step(self._action)
        arrays = self._batch.arrays
        terminated, truncated = bool(arrays.terminated[0]), bool(arrays.truncated[0])
        return self._observation(), float(arrays.rewards[0]), terminated, truncated, self._info()

    @property
    def board(self) -> Board:
        """The visible board, for `analyze` and other functions."""
        return self.setting.board(self._batch.arrays.codes.tobytes())

    @property
    def game(self) -> tuple[int, int]:
        """The seed and the number of the game."""
        return int(self._batch.arrays.seeds[0]), int(self._batch.arrays.numbers[0])

    @property
    def mines(self) -> npt.NDArray[np.bool_]:
        """The mines (rows, columns) of a game that is over; raises IllegalMoveError before."""
        return mines_array(self.setting, self._batch.mines_of(0))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions open a covered cell, in the form that MaskablePPO of sb3-contrib uses."""
        masks: npt.NDArray[np.bool_] = self._batch.arrays.masks[0].astype(np.bool_)
        return masks

    def render(self) -> Any:
        """Return the board as text or as pixels (height, width, 3); with its mines after the end."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: pass ansi or rgb_array to make()")
            return None
        draw = write_text if self.render_mode == "ansi" else paint_pixels
        return draw(
            self._observation(),
            self.mines if self._batch.arrays.terminated[0] else None,
            self.setting.geometry.topology,
        )

    def _observation(self) -> npt.NDArray[np.int8]:
        codes: npt.NDArray[np.int8] = self._batch.arrays.codes.reshape(self.setting.rows, self.setting.columns)
        return codes.copy()

    def _info(self) -> dict[str, Any]:
        arrays = self._batch.arrays
        info: dict[str, Any] = {"action_mask": arrays.masks[0].copy()}
        if arrays.terminated[0]:
            info["won"] = bool(arrays.won[0])
        if arrays.unjudged[0]:
            info["unjudged"] = True
        return info


def observation_space(setting: GameSetting) -> gymnasium.spaces.Space[npt.NDArray[np.int8]]:
    """Return the observation space of one board."""
    return gymnasium.spaces.Box(COVERED, setting.geometry.largest_number, (setting.rows, setting.columns), np.int8)


def mines_array(setting: GameSetting, mines: list[int]) -> npt.NDArray[np.bool_]:
    """Return mines as an array (rows, columns)."""
    array = np.zeros(setting.geometry.cells, dtype=np.bool_)
    array[mines] = True
    return array.reshape(setting.rows, setting.columns)
