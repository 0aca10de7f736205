"""An environment for OpenEnv: an episode is one task, of one turn, or of several turns for a game.

``make_app()`` returns the web application that OpenEnv's clients talk to.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from mineproof.base.extras import load as _load
from mineproof.exams.episodes import TaskEpisode
from mineproof.exams.task_settings import TaskSettings

_load("openenv.core", "mineproof[openenv]", "mineproof.adapters.openenv_environment")

from openenv.core.env_server import create_app  # noqa: E402
from openenv.core.env_server.interfaces import Environment  # noqa: E402
from openenv.core.env_server.types import Action, Observation, State  # noqa: E402


class MinesweeperAction(Action):
    """The answer of a model, in its own words."""

    message: str


class MinesweeperObservation(Observation):
    """What the model reads: the task, the next turn of a game, or the verdict.

    ``task`` is the id of the task. ``outcome`` and ``luck`` are those of the verdict, once there is one. They are
    fields because OpenEnv sends no metadata to its clients.
    """

    text: str
    task: str = ""
    outcome: str | None = None
    luck: float | None = None


class MinesweeperEnvironment(Environment[MinesweeperAction, MinesweeperObservation, State]):
    """Tasks of a seed, one after the other. ``reset(seed=S)`` starts with task 0 of another seed."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, settings: TaskSettings | None = None) -> None:
        super().__init__()
        self._settings = settings or TaskSettings()
        self._seed, self._number = self._settings.seed, 0
        self._episode: TaskEpisode | None = None
        self._state = State(episode_id=str(uuid4()))

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> MinesweeperObservation:
        """Start the next task, or task 0 of a seed."""
        if seed is not None:
            self._seed, self._number = seed, 0
        self._episode = TaskEpisode(self._settings.make(self._number, self._seed))
        self._number += 1
        self._state = State(episode_id=episode_id or str(uuid4()))
        return MinesweeperObservation(text=self._episode.prompt, task=self._episode.task.id)

    def step(self, action: MinesweeperAction, timeout_s: float | None = None, **_: Any) -> MinesweeperObservation:
        """Judge an answer, or play a turn."""
        if self._episode is None:
            self.reset()
        assert self._episode is not None
        text = self._episode.answer(action.message)
        self._state.step_count += 1
        verdict = self._episode.verdict
        return MinesweeperObservation(
            text=text, task=self._episode.task.id, done=self._episode.is_over, reward=self._episode.reward,
            outcome=None if verdict is None else verdict.outcome, luck=None if verdict is None else float(verdict.luck),
        )  # fmt: skip

    @property
    def state(self) -> State:
        """The number of the episode and of its steps."""
        return self._state


def make_app(settings: TaskSettings | None = None) -> Any:
    """Return the web application of the environment."""
    return create_app(
        lambda: MinesweeperEnvironment(settings), MinesweeperAction, MinesweeperObservation, env_name="mineproof"
    )
