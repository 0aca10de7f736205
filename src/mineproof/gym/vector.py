"""Thousands of boards as one Gymnasium vector environment, stepped by the kernel in several threads without the GIL.

Board i plays the games of seed ``seed + i``, the same as a `Minesweeper` that is reset with that seed. So
``reset(seed=1)`` and ``reset(seed=2)`` of a thousand boards have 999 seeds in common, and all games of these: runs that
should differ take seeds that are far apart, such as ``2**32 * run``, or a list.

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
from mineproof.board.start import FirstClick
from mineproof.engine.games import Autoreset
from mineproof.errors import IllegalMoveError
from mineproof.game.rules import Fairness
from mineproof.gym.environment import RENDER_MODES, laid, observation_space
from mineproof.gym.pictures import paint, write
from mineproof.gym.playing import Playing
from mineproof.gym.settings import Setting, read_setting

MOST_THREADS = 1024
_AUTORESETS: Mapping[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "never",
}


class MinesweeperVector(VectorEnv[npt.NDArray[np.int8], npt.NDArray[np.int64], Any]):
    """``mineproof/Minesweeper-v0`` on ``num_envs`` boards; rules, rewards and seeds as in `Minesweeper`.

    Observations are int8 (n, rows, columns), ``info["action_mask"]`` int8 (n, cells); ``info["won"]``, bool (n,), says
    whether this step has won. A game that is over is followed by the next one of its seed: in the next step, whose
    action does not count (``autoreset_mode="NextStep"``); in the same one (``"SameStep"``), where ``info["final_obs"]``
    holds what was seen at the end, on boards with ``info["_final_obs"]``; or after
    ``reset(options={"reset_mask": …})`` alone (``"Disabled"``). With a fairness rule, ``info["unjudged"]``, bool (n,),
    has games that were truncated because ``budget.states`` did not suffice to judge an opening.
    """

    def __init__(
        self,
        num_envs: int = 1,
        level: str | None = None,
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
        self.setting: Setting = read_setting(
            level, rows, columns, mines, topology, first_click, fairness, rewards, budget
        )
        longest = 0 if max_episode_steps is None else checks.whole("max_episode_steps", max_episode_steps, 1)
        workers = processors() if threads is None else checks.whole("threads", threads, 1, MOST_THREADS)
        self.num_envs = checks.whole("num_envs", num_envs, 1)
        self._playing = Playing(self.setting, self.num_envs, workers, _AUTORESETS[self._mode], longest)
        self._copies = copy
        self._is_begun = False
        self.render_mode = render_mode
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": 4, "autoreset_mode": self._mode}
        self.single_observation_space = observation_space(self.setting)
        self.single_action_space = gymnasium.spaces.Discrete(self.setting.geometry.cells)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        arrays = self._playing.arrays
        shape = (-1, self.setting.rows, self.setting.columns)
        self._shown: dict[str, npt.NDArray[Any]] = {
            "codes": arrays.codes.reshape(shape),
            "masks": arrays.masks,
            "rewards": arrays.rewards,
            "terminated": arrays.terminated,
            "truncated": arrays.truncated,
            "won": arrays.won,
            "unjudged": arrays.unjudged,
            "last": arrays.last_codes.reshape(shape),
        }
        for name, array in self._shown.items():
            view = array.view()
            view.flags.writeable = False
            self._shown[name] = view
        self._all = np.ones(self.num_envs, dtype=np.bool_)
        self._all.flags.writeable = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Begin the next game of every board, or number 0 of a seed: ``seed + i`` for board i, or a list of them.

        Seeds that are near each other have boards in common: take them ``num_envs`` or more apart.
        ``options["reset_mask"]``, bool (n,), leaves the other boards as they are; the first reset is of all.
        """
        chosen = dict(options or {})
        which = self._which(chosen.pop("reset_mask", None))
        seeds = self._seeds(seed, which)
        self._playing.reset(which, seeds, chosen)
        self._is_begun = True
        return self._out("codes"), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Open a cell on every board.

        A wrong action is an error that names the board (OutsideError; IllegalMoveError for a game that is over and has
        to be reset), and no board has changed then. A step that Ctrl-C or ``budget.cancelled`` breaks off leaves boards
        that have not moved as they are.
        """
        if not self._is_begun:
            raise IllegalMoveError("found a step before the first reset, expected reset() first")
        self._playing.step(self._as_actions(actions))
        observations, rewards = self._out("codes"), self._out("rewards")
        return observations, rewards, self._out("terminated"), self._out("truncated"), self._info(ended=True)

    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """The seed of each board."""
        return self._playing.arrays.seeds.copy()

    @property
    def numbers(self) -> npt.NDArray[np.uint64]:
        """Which game of its seed each board plays."""
        return self._playing.arrays.numbers.copy()

    def mines(self, number: int) -> npt.NDArray[np.bool_]:
        """Where the mines of one board are, (rows, columns), if its game is over; IllegalMoveError before."""
        return laid(self.setting, self._playing.mines_of(checks.whole("number", number, 0, self.num_envs - 1)))

    def render(self) -> tuple[Any, ...] | None:
        """Every board as text or as a picture (height, width, 3)."""
        if self.render_mode is None:
            gymnasium.logger.warn("found render() without a render_mode, expected one of ansi, rgb_array in make_vec()")
            return None
        draw = write if self.render_mode == "ansi" else paint
        ended = self._shown["terminated"] & np.bool_(self._mode is not AutoresetMode.SAME_STEP)
        return tuple(
            draw(codes, self.mines(board) if is_over else None, self.setting.geometry.topology)
            for board, (codes, is_over) in enumerate(zip(self._shown["codes"], ended, strict=True))
        )

    def _which(self, mask: object) -> npt.NDArray[np.bool_]:
        if mask is None:
            return self._all
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            found = f"{mask.dtype} {mask.shape}" if isinstance(mask, np.ndarray) else type(mask).__name__
            raise ValueError(f"found options['reset_mask'] of {found}, expected an array of bool ({self.num_envs},)")
        if not mask.any():
            raise ValueError("found options['reset_mask'] without a True, expected at least one")
        if not (self._is_begun or mask.all()):
            raise ValueError("found options['reset_mask'] in the first reset, expected one of all boards before")
        return np.ascontiguousarray(mask)

    def _seeds(
        self, seed: int | Sequence[int | None] | None, which: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.uint64] | None:
        if seed is None:
            if self._is_begun:
                return None
            return self.np_random.integers(0, 2**64, self.num_envs, dtype=np.uint64)
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"found {len(seed)} seeds, expected {self.num_envs}, one for each board")
            given = [checks.seed("seed", 0 if each is None and not wanted else each)
                     for each, wanted in zip(seed, which.tolist(), strict=True)]  # fmt: skip
            return np.array(given, dtype=np.uint64)
        first = checks.whole("seed", seed, 0, checks.LARGEST_SEED - self.num_envs + 1)
        self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(first)
        return np.arange(self.num_envs, dtype=np.uint64) + np.uint64(first)

    def _as_actions(self, actions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"found actions of shape {given.shape} and type {given.dtype}, "
                f"expected {self.num_envs} whole numbers, one for each board"
            )
        return np.ascontiguousarray(given, dtype=np.int64)

    def _out(self, name: str) -> npt.NDArray[Any]:
        return self._shown[name].copy() if self._copies else self._shown[name]

    def _info(self, *, ended: bool = False) -> dict[str, Any]:
        endings = ("won",) if self.setting.fairness == "none" else ("won", "unjudged")
        info: dict[str, Any] = {"action_mask": self._out("masks")} | {name: self._out(name) for name in endings}
        info |= {f"_{name}": self._all.copy() if self._copies else self._all for name in info}
        if ended and self._mode is AutoresetMode.SAME_STEP:
            over = self._shown["terminated"] | self._shown["truncated"]
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
