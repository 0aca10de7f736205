"""Tasks in words as a Gymnasium environment."""

from __future__ import annotations

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import mineproof as mp
import mineproof.gym
from mineproof.errors import IllegalMoveError
from mineproof.exams.tasks import FORMS, KINDS
from mineproof.wording.catalogue import use_language

ID = mineproof.gym.TEXT_ID


def test_it_passes_the_checks_of_gymnasium() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ID, kinds=("safe-cell", "claim"), level="5x5x4", render_mode="ansi").unwrapped)


def test_a_task_is_one_step() -> None:
    env = gymnasium.make(ID, level="5x5x4")
    task = mp.task("safe-cell", level="5x5x4", seed=3)
    assert env.reset(seed=3) == (task.prompt, {"task": task.id, "kind": "safe-cell"})
    text, reward, terminated, truncated, info = env.step(task.answer)
    assert (text, reward, terminated, truncated) == ("Right. The position proves it.", 1.0, True, False)
    assert (info["outcome"], info["luck"]) == ("right", 1.0)
    assert env.reset()[1]["task"] == "safe-cell/grid/5x5x4/3/1"
    assert env.reset(options={"number": 7})[1]["task"] == "safe-cell/grid/5x5x4/3/7"


def test_the_numbers_of_a_proof_can_be_chosen() -> None:
    prompt, _ = gymnasium.make(ID, numbers=(2, 2)).reset(seed=6)
    task = mp.task("safe-cell", numbers=2, seed=6)
    assert (prompt, task.numbers) == (task.prompt, 2)


def test_a_game_has_a_step_for_each_turn() -> None:
    env = gymnasium.make(ID, kinds=("game",), level="5x5x3")
    env.reset(seed=2)
    rewards, over = [], False
    game = mp.TextGame(mp.task("game", level="5x5x3", seed=2))
    while not over:
        answer = str(sorted(mp.analyze(game.board).safe)[:1])
        game.reply(answer)
        _, reward, over, _, _ = env.step(answer)
        rewards.append(reward)
    assert (rewards[-1], set(rewards[:-1]) - {0.0}) == (1.0, set())
    with pytest.raises(IllegalMoveError, match="the episode is over"):
        env.unwrapped.step("[0, 0]")


@pytest.mark.parametrize("language", ["en", "de"])
def test_prompts_are_in_the_observation_space(language: str) -> None:
    with use_language(language):
        for form in FORMS:
            env = gymnasium.make(ID, kinds=KINDS, level="5x5x5", form=form).unwrapped
            for number in range(len(KINDS)):
                text, _ = env.reset(seed=1, options={"number": number})
                assert text in env.observation_space
