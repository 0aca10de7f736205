"""One board as a Gymnasium environment. What it shows is what a player sees; its mines stay in the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, LARGEST_NUMBER
from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.errors import IllegalMoveError
from mineproof.game.rules import Fairness
from mineproof.gym.pictures import paint, write
from mineproof.gym.playing import Playing
from mineproof.gym.settings import Setting, read_setting

RENDER_MODES = ["ansi", "rgb_array"]
_ONE = np.ones(1, dtype=np.bool_)


class Minesweeper(gymnasium.Env[npt.NDArray[np.int8], np.int64]):
    """``mineproof/Minesweeper-v0``. An action opens the cell ``row * columns + column``; there are no flags.

    The observation (rows, columns) has 0 to 8 for open numbers and -1 for covered cells. ``info["action_mask"]`` has 1
    for covered cells. Opening an open cell changes nothing and is worth ``rewards["repeat"]``. A mine that went off
    stays covered: no observation shows one. After the end ``info["won"]`` is told, and `mines` can be asked for.
    A game in which ``budget.states`` do not suffice for the fairness rule to judge an opening is truncated, and
    ``info["unjudged"]`` is True; its seconds do not count, so that games are the same on every machine.

    Game k of a seed is the layout ``generate(…, seed=seed, number=k, start=first cell opened, first_click=…)``: number
    0 after ``reset(seed=…)``, the next one after each ``reset()``, any after ``reset(options={"number": k})``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        level: str | None = None,
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
        self.setting: Setting = read_setting(
            level, rows, columns, mines, topology, first_click, fairness, rewards, budget
        )
        self.render_mode = render_mode
        self.observation_space = observation_space(self.setting)
        self.action_space = gymnasium.spaces.Discrete(self.setting.geometry.cells)
        self._playing = Playing(self.setting, 1, 1, "never", 0)
        self._action = np.zeros(1, dtype=np.int64)
        self._is_begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Begin the next game, or number 0 of a seed."""
        if seed is not None:
            checks.seed("seed", seed)
        super().reset(seed=seed)
        if seed is None and not self._is_begun:
            seed = self.np_random_seed & checks.LARGEST_SEED
        seeds = None if seed is None else np.array([seed], dtype=np.uint64)
        self._playing.reset(_ONE, seeds, options or {})
        self._is_begun = True
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Open a cell. IllegalMoveError after the end and before the first reset, OutsideError where no cell is."""
        if not self._is_begun:
            raise IllegalMoveError("found a step before the first reset, expected reset() first")
        self._action[0] = checks.whole("action", action)
        self._playing.step(self._action)
        arrays = self._playing.arrays
        terminated, truncated = bool(arrays.terminated[0]), bool(arrays.truncated[0])
        return self._observation(), float(arrays.rewards[0]), terminated, truncated, self._info()

    @property
    def board(self) -> Board:
        """What is seen, for `analyze` and everything else that takes a board."""
        return self.setting.board(self._playing.arrays.codes.tobytes())

    @property
    def game(self) -> tuple[int, int]:
        """The seed and the number of the game."""
        return int(self._playing.arrays.seeds[0]), int(self._playing.arrays.numbers[0])

    @property
    def mines(self) -> npt.NDArray[np.bool_]:
        """Where the mines are, (rows, columns), of a game that is over; IllegalMoveError before."""
        return laid(self.setting, self._playing.mines_of(0))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions open a covered cell, as sb3-contrib's MaskablePPO asks for it."""
        masks: npt.NDArray[np.bool_] = self._playing.arrays.masks[0].astype(np.bool_)
        return masks

    def render(self) -> Any:
        """The board as text or as a picture (height, width, 3); with its mines after the end."""
        if self.render_mode is None:
            gymnasium.logger.warn("found render() without a render_mode, expected one of ansi, rgb_array in make()")
            return None
        draw = write if self.render_mode == "ansi" else paint
        return draw(
            self._observation(),
            self.mines if self._playing.arrays.terminated[0] else None,
            self.setting.geometry.topology,
        )

    def _observation(self) -> npt.NDArray[np.int8]:
        codes: npt.NDArray[np.int8] = self._playing.arrays.codes.reshape(self.setting.rows, self.setting.columns)
        return codes.copy()

    def _info(self) -> dict[str, Any]:
        arrays = self._playing.arrays
        info: dict[str, Any] = {"action_mask": arrays.masks[0].copy()}
        if arrays.terminated[0]:
            info["won"] = bool(arrays.won[0])
        if arrays.unjudged[0]:
            info["unjudged"] = True
        return info


def observation_space(setting: Setting) -> gymnasium.spaces.Space[npt.NDArray[np.int8]]:
    """Of one board."""
    return gymnasium.spaces.Box(COVERED, LARGEST_NUMBER, (setting.rows, setting.columns), np.int8)


def laid(setting: Setting, mines: list[int]) -> npt.NDArray[np.bool_]:
    """Mines as an array (rows, columns)."""
    array = np.zeros(setting.geometry.cells, dtype=np.bool_)
    array[mines] = True
    return array.reshape(setting.rows, setting.columns)
