"""Learns Minesweeper on a small board from wins and mines alone, with NumPy, in about ten seconds of one processor.

The learner has two tables. One has a place for every 3 × 3 neighbourhood that a covered cell can have, the other for
every 5 × 5 one (hashed), and each counts how often such a cell was opened, and how often that was a mine. It opens the
cell whose neighbourhood was a mine least often, a little noise added while it learns. It has to find out what a number
means. A turned or mirrored neighbourhood is the same one: each opening is counted in all eight ways.

    python benchmarks/gym_learning.py [--level 5x5x4] [--steps 500000] [--games 10000] [--seed 0]

prints how often it wins as it learns, and how often the agents of `mineproof.gym.agents` win on the same boards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import gymnasium
import numpy as np
import numpy.typing as npt

from mineproof.gym import ID
from mineproof.gym.agents import Actions, Codes, Masks, make_agent, score

BOARDS = 256
BITS = 22  # of a place in a table
NOISE = 0.02
SIZES = (3, 5)  # sides of neighbourhoods
OUTSIDE = 9  # the code of what is not part of the board
OLD_GUESS, WEIGHT = 0.15, 3.0  # what is thought of a cell that was never met, and how many openings that is worth


class Learner:
    """An agent that remembers how often a neighbourhood was a mine."""

    def __init__(self, seed: int = 0) -> None:
        shape = (len(SIZES), SIZES[-1], SIZES[-1], OUTSIDE + 2)
        self._words = np.random.default_rng(seed).integers(0, 2**64, shape, dtype=np.uint64)
        self._words[0, [0, -1]] = self._words[0, :, [0, -1]] = 0  # the small table does not look so far
        self._opened = np.zeros((len(SIZES), 2**BITS), dtype=np.int32)
        self._mines = np.zeros_like(self._opened)

    def __call__(self, observations: Codes, action_masks: Masks) -> Actions:
        return self.choose(neighbourhoods(observations), action_masks, 0.0)

    def choose(self, near: Codes, action_masks: Masks, noise: float | npt.NDArray[np.float64]) -> Actions:
        """The covered cell that looks the safest."""
        odds = np.full(near.shape[:3], OLD_GUESS)
        for places, opened, mines in zip(self._places(near), self._opened, self._mines, strict=True):
            odds = (mines[places] + WEIGHT * odds) / (opened[places] + WEIGHT)
        odds = odds.reshape(len(near), -1) + noise
        return np.asarray(np.where(action_masks != 0, odds, np.inf).argmin(axis=1), dtype=np.int64)

    def learn(self, near: Codes, exploded: npt.NDArray[np.bool_]) -> None:
        """Cells were opened that had these neighbourhoods (n, 5, 5)."""
        ways = np.stack([np.rot90(item, turn, (1, 2)) for item in (near, near[:, ::-1]) for turn in range(4)])
        for places, opened, mines in zip(self._places(ways), self._opened, self._mines, strict=True):
            np.add.at(opened, places, 1)
            np.add.at(mines, places[:, exploded], 1)

    def _places(self, near: Codes) -> npt.NDArray[np.int64]:
        """Where neighbourhoods (…, 5, 5) stand in the two tables (2, …): Zobrist's hash."""
        result = np.zeros((len(SIZES), *near.shape[:-2]), dtype=np.uint64)
        for row in range(SIZES[-1]):
            for column in range(SIZES[-1]):
                result ^= self._words[:, row, column][:, near[..., row, column] + 1]
        return (result >> np.uint64(64 - BITS)).astype(np.int64)


def neighbourhoods(observations: Codes) -> Codes:
    """The 5 × 5 cells around each cell, (n, rows, columns, 5, 5)."""
    reach = SIZES[-1] // 2
    padded = np.pad(observations, ((0, 0), (reach, reach), (reach, reach)), constant_values=OUTSIDE)
    return np.lib.stride_tricks.sliding_window_view(padded, SIZES[-1:] * 2, axis=(1, 2))


def train(learner: Learner, level: str, steps: int, seed: int = 0) -> Iterator[int]:
    """Play and learn; yields the steps made so far, ten times."""
    env = gymnasium.make_vec(ID, num_envs=BOARDS, level=level, autoreset_mode="SameStep")
    random = np.random.default_rng(seed)
    observations, info = env.reset(seed=seed)
    rounds = max(1, steps // BOARDS // 10)
    every, columns = np.arange(BOARDS), observations.shape[2]
    for part in range(1, 11):
        for _ in range(rounds):
            near = neighbourhoods(observations)
            noise = random.random((BOARDS, observations[0].size)) * NOISE
            actions = learner.choose(near, info["action_mask"], noise)
            chosen = near[every, actions // columns, actions % columns]
            observations, _, terminated, _, info = env.step(actions)
            learner.learn(chosen, terminated & ~info["won"])
        yield part * rounds * BOARDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--level", default="5x5x4")
    parser.add_argument("--steps", type=int, default=500_000)
    parser.add_argument("--games", type=int, default=10_000, help="to measure how often it wins")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    env = gymnasium.make_vec(ID, num_envs=1000, level=chosen.level)
    measured = 2**63  # the seed of the boards that are measured: none of them was learned on
    for name in ("random", "single", "exact"):
        print(f"{name:>20}: {score(make_agent(name, env), env, games=chosen.games, seed=measured)}", flush=True)
    learner = Learner(chosen.seed)
    print(f"{'before learning':>20}: {score(learner, env, games=chosen.games, seed=measured)}", flush=True)
    spent = time.process_time()
    for steps in train(learner, chosen.level, chosen.steps, chosen.seed):
        seconds = time.process_time() - spent
        result = score(learner, env, games=chosen.games, seed=measured)
        print(f"{steps:>10,} steps, {seconds:4.1f} s: {result}", flush=True)
        spent = time.process_time() - seconds


if __name__ == "__main__":
    main()
