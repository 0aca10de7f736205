"""Thousands of boards as one Gymnasium vector environment; the kernel steps them in several threads without the GIL.

Board i plays the games of seed ``seed + i``, the same as a `Minesweeper` that is reset with that seed. So
``reset(seed=1)`` and ``reset(seed=2)`` of a thousand boards share 999 seeds and their games. For independent runs use
seeds that are far apart, such as ``2**32 * run``, or a list.

Cost    A step of a board takes a few hundred instructions besides what it opens. With ``copy=False`` nothing is
        allocated: the arrays returned are always the same, read-only, and the next step changes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.processors import processors
from mineproof.board.geometry import Topology
from mineproof.board.setup import Setup, accepts_setup
from mineproof.board.start import FirstClick
from mineproof.engine.games import Autoreset
from mineproof.errors import IllegalMoveError
from mineproof.game.rules import Fairness
from mineproof.gym.batch import GameBatch
from mineproof.gym.environment import RENDER_MODES, mines_array, observation_space
from mineproof.gym.pictures import paint_pixels, write_text
from mineproof.gym.settings import GameSetting, read_setting

MAX_THREADS = 1024
_AUTORESETS: Mapping[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "never",
}


class MinesweeperVector(VectorEnv[npt.NDArray[np.int8], npt.NDArray[np.int64], Any]):
    """``mineproof/Minesweeper-v0`` on ``num_envs`` boards; rules, rewards and seeds as in `Minesweeper`.

    Observations are int8 (n, rows, columns), ``info["action_mask"]`` int8 (n, cells); ``info["won"]``, bool (n,), says
    whether this step has won. After the end of a game the next one of its seed starts: in the next step, which
    ignores its action (``autoreset_mode="NextStep"``); in the same step (``"SameStep"``), where ``info["final_obs"]``
    holds the last observation of boards with ``info["_final_obs"]``; or only after
    ``reset(options={"reset_mask": …})`` (``"Disabled"``). With a fairness rule, ``info["unjudged"]``, bool (n,), marks
    games that were truncated because ``budget.states`` was too small to judge a move.
    """

    @accepts_setup
    def __init__(
        self,
        num_envs: int = 1,
        level: str | Setup | None = None,
        *,
        rows: int | None = None,
        columns: int | None = None,
        mines: int | None = None,
        topology: Topology = "grid",
        first_click: FirstClick = "safe",
        fairness: Fairness = "none",
        rewards: Mapping[str, float] | None = None,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        checks.one_of("render_mode", render_mode, (None, *RENDER_MODES))
        checks.flag("copy", copy)
        self._mode = _mode(autoreset_mode)
        self.setting: GameSetting = read_setting(
            level, rows, columns, mines, topology, first_click, fairness, rewards, budget
        )
        longest = 0 if max_episode_steps is None else checks.whole("max_episode_steps", max_episode_steps, 1)
        workers = processors() if threads is None else checks.whole("threads", threads, 1, MAX_THREADS)
        self.num_envs = checks.whole("num_envs", num_envs, 1)
        self._batch = GameBatch(self.setting, self.num_envs, workers, _AUTORESETS[self._mode], longest)
        self._copy = copy
        self._has_started = False
        self.render_mode = render_mode
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 4, "autoreset_mode": self._mode}
        self.single_observation_space = observation_space(self.setting)
        self.single_action_space = gymnasium.spaces.Discrete(self.setting.geometry.cells)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        arrays = self._batch.arrays
        shape = (-1, self.setting.rows, self.setting.columns)
        self._views: dict[str, npt.NDArray[Any]] = {
            "codes": arrays.codes.reshape(shape),
            "masks": arrays.masks,
            "rewards": arrays.rewards,
            "terminated": arrays.terminated,
            "truncated": arrays.truncated,
            "won": arrays.won,
            "unjudged": arrays.unjudged,
            "last": arrays.last_codes.reshape(shape),
        }
        for name, array in self._views.items():
            view = array.view()
            view.flags.writeable = False
            self._views[name] = view
        self._all = np.ones(self.num_envs, dtype=np.bool_)
        self._all.flags.writeable = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Start the next game of every board, or number 0 of a seed: ``seed + i`` for board i, or a list of seeds.

        Seeds that are close together share boards: use seeds at least ``num_envs`` apart. ``options["reset_mask"]``,
        bool (n,), resets only some boards; the first reset must include all boards.
        """
        chosen = dict(options or {})
        which = self._which(chosen.pop("reset_mask", None))
        seeds = self._seeds(seed, which)
        self._batch.reset(which, seeds, chosen)
        self._has_started = True
        return self._out("codes"), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Open a cell on every board.

        An invalid action raises an error that names the board, and changes no board: OutsideError, or IllegalMoveError
        for a game that is over and needs a reset. Ctrl-C or ``budget.cancelled`` can stop a step; boards that have not
        moved yet stay unchanged.
        """
        if not self._has_started:
            raise IllegalMoveError("Cannot step before the first reset. Call reset() first.")
        self._batch.step(self._as_actions(actions))
        observations, rewards = self._out("codes"), self._out("rewards")
        return observations, rewards, self._out("terminated"), self._out("truncated"), self._info(ended=True)

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seed of each board."""
        return self._batch.arrays.seeds.copy()

    @property
    def numbers(self) -> npt.NDArray[np.uint64]:
        """The game number of each board within its seed."""
        return self._batch.arrays.numbers.copy()

    def mines(self, number: int) -> npt.NDArray[np.bool_]:
        """Return the mines (rows, columns) of one board whose game is over; raises IllegalMoveError before."""
        return mines_array(self.setting, self._batch.mines_of(checks.whole("number", number, 0, self.num_envs - 1)))

    def render(self) -> tuple[Any, ...] | None:
        """Return every board as text or as pixels (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: pass ansi or rgb_array to make_vec()")
            return None
        draw = write_text if self.render_mode == "ansi" else paint_pixels
        ended = self._views["terminated"] & np.bool_(self._mode is not AutoresetMode.SAME_STEP)
        return tuple(
            draw(codes, self.mines(board) if is_over else None, self.setting.geometry.topology)
            for board, (codes, is_over) in enumerate(zip(self._views["codes"], ended, strict=True))
        )

    def _which(self, mask: object) -> npt.NDArray[np.bool_]:
        if mask is None:
            return self._all
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            description = f"{mask.dtype} {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise ValueError(f"options['reset_mask'] must be an array of bool ({self.num_envs},), got {description}")
        if not mask.any():
            raise ValueError("options['reset_mask'] must have at least one True")
        if not (self._has_started or mask.all()):
            raise ValueError("Cannot reset some boards before the first reset of all boards.")
        return np.ascontiguousarray(mask)

    def _seeds(
        self, seed: int | Sequence[int | None] | None, which: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.uint64] | None:
        if seed is None:
            if self._has_started:
                return None
            return self.np_random.integers(0, 2**64, self.num_envs, dtype=np.uint64)
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"expected {self.num_envs} seeds, one for each board, got {len(seed)}")
            given = [checks.seed("seed", 0 if board_seed is None and not is_reset else board_seed)
                     for board_seed, is_reset in zip(seed, which.tolist(), strict=True)]  # fmt: skip
            return np.array(given, dtype=np.uint64)
        first = checks.whole("seed", seed, 0, checks.LARGEST_SEED - self.num_envs + 1)
        self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(first)
        return np.arange(self.num_envs, dtype=np.uint64) + np.uint64(first)

    def _as_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"expected {self.num_envs} whole numbers as actions, one for each board, "
                f"got shape {given.shape} and type {given.dtype}"
            )
        return np.ascontiguousarray(given, dtype=np.int64)

    def _out(self, name: str) -> npt.NDArray[Any]:
        return self._views[name].copy() if self._copy else self._views[name]

    def _info(self, *, ended: bool = False) -> dict[str, Any]:
        endings = ("won",) if self.setting.fairness == "none" else ("won", "unjudged")
        info: dict[str, Any] = {"action_mask": self._out("masks")} | {name: self._out(name) for name in endings}
        info |= {f"_{name}": self._all.copy() if self._copy else self._all for name in info}
        if ended and self._mode is AutoresetMode.SAME_STEP:
            over = self._views["terminated"] | self._views["truncated"]
            if over.any():
                last = self._out("last")
                info |= {"final_obs": last, "_final_obs": over, "_final_info": over}
                info["final_info"] = {name: info[name] for name in endings} | {f"_{name}": over for name in endings}
        return info


def _mode(given: object) -> AutoresetMode:
    if isinstance(given, AutoresetMode):
        return given
    checks.one_of("autoreset_mode", given, tuple(mode.value for mode in AutoresetMode))
    return AutoresetMode(given)
