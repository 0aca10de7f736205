"""Games of variants as a Gymnasium environment."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mineproof.gym
from mineproof.errors import IllegalMoveError, OutsideError

ID = mineproof.gym.VARIANT_ID


def test_it_passes_the_checks_of_gymnasium() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, rules="liar", level="5x5x5", render_mode="ansi").unwrapped)


def test_a_game_and_its_rewards() -> None:
    env = gymnasium.make(ID, rules="knight", level="4x4x3", rewards={"progress": 1.0})
    observation, info = env.reset(seed=2)
    assert (observation == -1).all()
    first, total = observation, 0.0
    chance = np.random.default_rng(1)
    while "won" not in info:
        action = chance.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, _, _, info = env.step(action)
        total += float(reward)
    opened = int((observation != -1).sum())
    assert total == pytest.approx(opened / 13 + (1 if info["won"] else -1))
    with pytest.raises(IllegalMoveError):
        env.unwrapped.step(0)
    again, _ = env.reset(seed=2)
    assert (again == first).all()
    with pytest.raises(OutsideError):
        env.unwrapped.step(16)


def test_clues_of_several_numbers_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="one number, got wall"):
        gymnasium.make(ID, rules="wall")
