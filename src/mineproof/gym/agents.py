"""Agents for comparison with a learned one, from random to strong play, and a fair score of their games.

========== ==================================================================================================
name       what it opens
========== ==================================================================================================
random     any covered cell
single     what one number proves safe, counting the mines that single numbers prove; else any cell not proved
exact      a cell that is certainly safe, by counting all layouts; else the one least likely to be a mine
strong     the same, but its guesses are those of the strategy ``strong``, which looks ahead
========== ==================================================================================================

An agent is called with the observations and action masks of an environment, for one board or for many, and returns
actions. It gets no other information. `score` plays a fixed number of games on each board, so that long and short games
have the same weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from mineproof.analysis.many import analyze_many
from mineproof.base import checks
from mineproof.base.words import plural
from mineproof.board.cells import COVERED
from mineproof.decision.best_moves import best_move
from mineproof.errors import BudgetExceeded
from mineproof.gym.environment import Minesweeper
from mineproof.gym.settings import GameSetting
from mineproof.gym.vector import MinesweeperVector
from mineproof.simulation.intervals import Interval, wilson

Codes = npt.NDArray[np.int8]
Masks = npt.NDArray[np.int8]
Actions = npt.NDArray[np.int64]
# From observations (n, rows, columns) and masks (n, cells) to n actions.
Policy = Callable[[Codes, Masks], Actions]


class Agent(Protocol):
    """Maps observations and action masks to actions, for many boards or for one."""

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions: ...


def make_agent(
    name: str, env: gymnasium.Env[Codes, np.int64] | VectorEnv[Codes, Actions, Any], *, seed: int = 0
) -> Agent:
    """Return an agent by name for the boards of a Minesweeper environment; ``seed`` is for its random choices.

    >>> import mineproof.gym
    >>> env = gymnasium.make("mineproof/Minesweeper-v0", level="6x6x5")
    >>> agent = make_agent("exact", env)
    >>> observation, info = env.reset(seed=3)
    >>> terminated = False
    >>> while not terminated:
    ...     observation, reward, terminated, _, info = env.step(agent(observation, info["action_mask"]))
    >>> info["won"]
    True
    """
    checks.one_of("name", name, tuple(AGENTS))
    return _PolicyAgent(AGENTS[name](setting_of(env), checks.seed("seed", seed)))


def setting_of(env: object) -> GameSetting:
    """Return the size and the rules of a Minesweeper environment, also if it is wrapped."""
    inner = getattr(env, "unwrapped", None)
    if not isinstance(inner, Minesweeper | MinesweeperVector):
        raise TypeError(f"env must be a Minesweeper environment of mineproof.gym, got {type(env).__name__}")
    return inner.setting


class _PolicyAgent:
    """A policy for many boards that also takes a single board."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions:
        if observations.ndim == 3:
            return self._policy(observations, action_masks)
        actions: Actions = self._policy(observations[None], action_masks[None])[0]
        return actions


# the four agents


class _Random:
    def __init__(self, setting: GameSetting, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions:
        return _pick(action_masks != 0, self._random)


class _Single:
    """Uses single numbers: one that needs all its covered cells proves mines, one that has its mines safe cells."""

    def __init__(self, setting: GameSetting, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._table = setting.geometry.table

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions:
        count = len(observations)
        codes = np.concatenate([observations.reshape(count, -1), np.full((count, 1), np.int8(-9))], axis=1)
        covered, numbers = codes == COVERED, codes[:, :-1]
        mines = covered & self._neighbours_of((numbers >= 0) & (self._around(covered) == numbers))
        free = (numbers >= 0) & (self._around(mines) == numbers)
        safe = (covered & ~mines & self._neighbours_of(free))[:, :-1]
        choices = np.where(safe.any(axis=1, keepdims=True), safe, (covered & ~mines)[:, :-1])
        choices = np.where(choices.any(axis=1, keepdims=True), choices, action_masks != 0)
        return _pick(choices, self._random)

    def _around(self, marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Return how many neighbours of each cell are marked."""
        return np.asarray(marked[:, self._table].sum(axis=2), dtype=np.int64)

    def _neighbours_of(self, numbers: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return the cells next to a marked one."""
        padded = np.concatenate([numbers, np.zeros((len(numbers), 1), dtype=np.bool_)], axis=1)
        touched = padded[:, self._table].any(axis=2)
        return np.concatenate([touched, np.zeros((len(numbers), 1), dtype=np.bool_)], axis=1)


class _Exact:
    """Uses `analyze_many`; of equally good cells it takes the first in row order."""

    def __init__(self, setting: GameSetting, seed: int) -> None:
        self._setting = setting

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions:
        actions, _ = self.safest(observations, action_masks)
        return actions

    def safest(self, observations: Codes, action_masks: Masks) -> tuple[Actions, npt.NDArray[np.bool_]]:
        """Return the safest cell of each board, and whether it is certain."""
        setting, count = self._setting, len(observations)
        analysis = analyze_many(observations, setting.mines, topology=setting.geometry.topology)
        safe: npt.NDArray[np.bool_] = analysis.safe.reshape(count, -1)
        odds = np.where(safe, -1.0, analysis.mine_probability.reshape(count, -1))
        odds = np.where(np.isnan(odds), 1.5, odds)  # unknown if the analysis exceeded its budget
        odds = np.where(action_masks != 0, odds, 2.0)
        return np.asarray(odds.argmin(axis=1), dtype=np.int64), np.asarray(safe.any(axis=1))


class _Strong:
    def __init__(self, setting: GameSetting, seed: int) -> None:
        self._setting, self._exact = setting, _Exact(setting, seed)

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions:
        actions, certain = self._exact.safest(observations, action_masks)
        has_started = (observations >= 0).any(axis=(1, 2))  # the first click is the first cell, as in `simulate`
        is_running = np.count_nonzero(action_masks, axis=1) > self._setting.mines
        for place in np.flatnonzero(~certain & has_started & is_running).tolist():
            try:
                move = best_move(self._setting.board(observations[place].tobytes()), "strong", playouts=0)
            except BudgetExceeded:
                continue
            row, column = move.cell if move.cell is not None else divmod(int(actions[place]), self._setting.columns)
            actions[place] = row * self._setting.columns + column
        return actions


AGENTS: dict[str, Callable[[GameSetting, int], Policy]] = {
    "random": _Random,
    "single": _Single,
    "exact": _Exact,
    "strong": _Strong,
}


def _pick(choices: npt.NDArray[np.bool_], random: np.random.Generator) -> Actions:
    """Return a random True place of each row, all equally likely; 0 if there is none."""
    counts = np.cumsum(choices, axis=1, dtype=np.int32)
    chosen = (random.random(len(choices)) * counts[:, -1]).astype(np.int32)
    return np.asarray((counts > chosen[:, None]).argmax(axis=1), dtype=np.int64)


# scores


class AgentScore(NamedTuple):
    """Games played, and games won."""

    games: int
    wins: int

    @property
    def win_rate(self) -> float:
        return self.wins / self.games

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval; see `mineproof.simulation.intervals`."""
        return wilson(self.wins, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.win_rate:.2%} of {plural(self.games, 'game')} (95 %: {low:.2%} to {high:.2%})"


def score(agent: Agent, env: VectorEnv[Codes, Actions, Any], *, games: int, seed: int = 0) -> AgentScore:
    """Return the score of an agent over ``games`` games: the same number on each board, rounded up.

    ``env`` resets in the next step or in the same one. A game that is not over after as many steps as there are cells
    is stopped and counts as not won: its agent keeps choosing open cells.

    >>> import mineproof.gym
    >>> env = gymnasium.make_vec("mineproof/Minesweeper-v0", num_envs=250, level="beginner")
    >>> print(score(make_agent("exact", env), env, games=500, seed=1))
    90.20% of 500 games (95 %: 87.28% to 92.51%)
    """
    max_steps = setting_of(env).geometry.cells
    checks.whole("games", games, 1)
    if env.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
        raise ValueError("The environment does not reset itself. Use the autoreset mode NextStep or SameStep.")
    games_per_board = -(-games // env.num_envs)
    left, steps = np.full(env.num_envs, games_per_board), np.zeros(env.num_envs, dtype=np.int64)
    wins = 0
    observations, info = env.reset(seed=seed)
    while left.any():
        actions = agent(observations, info["action_mask"])
        observations, _, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        wins += int(np.count_nonzero(info["won"] & over & (left > 0)))
        steps = np.where(over, 0, steps + 1)
        endless = steps > max_steps  # one more, because with NextStep the first step of a game is the reset
        left -= (over | endless) & (left > 0)
        if endless.any():
            observations, info = env.reset(options={"reset_mask": endless})
            steps[endless] = 0
    return AgentScore(games_per_board * env.num_envs, wins)
