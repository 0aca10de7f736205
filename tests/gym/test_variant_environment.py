"""Games of variants as a Gymnasium environment."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mineproof as mp
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


@pytest.mark.parametrize(
    ("rules", "topology"), [("wall", "octagons"), ("liar", "triangles"), ("partition,dual", "hex")]
)
def test_games_on_other_shapes(rules: str, topology: str) -> None:
    env = gymnasium.make(ID, rules=rules, topology=topology, level="5x4x4")
    observation, info = env.reset(seed=1)
    while "won" not in info:
        position = env.unwrapped.position  # type: ignore[attr-defined]
        chances = mp.analyze_variant(position, mp.Variant.parse(rules)).mine_probability
        observation, _, _, _, info = env.step(int(np.nanargmin(chances)))
        for cell, code in zip(env.unwrapped.position.cells, observation.ravel(), strict=True):  # type: ignore[attr-defined]
            clue = cell.clues[0] if cell.clues else None
            digits = "".join(map(str, clue)) if isinstance(clue, tuple) else str(clue)
            assert str(code) == (digits if clue is not None else "-2" if cell.state == "open" else "-1")


def test_what_an_observation_cannot_show_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="wall in environments needs at most 8 cells around a cell, got triangles"):
        gymnasium.make(ID, rules="wall", topology="triangles")
    with pytest.raises(ValueError, match="a shape without holes, got sphere"):
        gymnasium.make(ID, rules="liar", topology="sphere", level="10x7x8")
    with pytest.raises(ValueError, match="quad is for the shapes grid"):
        gymnasium.make(ID, rules="quad", topology="hex")
