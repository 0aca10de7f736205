"""Tasks in words as a Gymnasium environment: text in, text out.

An episode is one task, or one game with a turn in each step. The reward of the last step is the reward by proof, from 0
to 1. ``info`` then has the outcome and the reward by luck.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import gymnasium

from mineproof.base import checks
from mineproof.errors import IllegalMoveError
from mineproof.exams.episodes import MAX_TURNS, TaskEpisode
from mineproof.exams.task_settings import TaskSettings
from mineproof.exams.tasks import BoardForm

MAX_CHARACTERS = 100_000
CHARACTERS = string.printable + "äöüÄÖÜß×…–"  # of all prompts and of most answers


class MinesweeperText(gymnasium.Env[str, str]):
    """``mineproof/MinesweeperText-v0``. The observation is the prompt; the action is an answer in any form.

    ``reset(seed=S)`` starts with task 0 of a seed, and each ``reset()`` continues with the next task.
    ``reset(options={"number": k})`` starts task k. Answers may have any characters and any length.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        kinds: Sequence[str] = ("safe-cell",),
        *,
        level: str = "beginner",
        form: BoardForm = "grid",
        technique: str | None = None,
        numbers: int | tuple[int | None, int | None] | None = None,
        max_turns: int = MAX_TURNS,
        render_mode: str | None = None,
    ) -> None:
        checks.one_of("render_mode", render_mode, (None, "ansi"))
        self.settings = TaskSettings(tuple(kinds), level, form, technique, numbers)
        self.render_mode = render_mode
        self.observation_space = gymnasium.spaces.Text(MAX_CHARACTERS, charset=CHARACTERS)
        self.action_space = gymnasium.spaces.Text(MAX_CHARACTERS, charset=CHARACTERS)
        self._max_turns = max_turns
        self._episode: TaskEpisode | None = None
        self._seed: int | None = None
        self._number = 0
        self._shown = ""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start the next task, or task 0 of a seed."""
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            drawn = self.np_random_seed & checks.LARGEST_SEED if seed is None else seed
            self._seed, self._number = checks.seed("seed", drawn), 0
        self._number = checks.whole("number", (options or {}).get("number", self._number), 0)
        task = self.settings.make(self._number, self._seed)
        self._number += 1
        self._episode = TaskEpisode(task, max_turns=self._max_turns)
        self._shown = self._episode.prompt
        return self._shown, {"task": task.id, "kind": task.kind}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Judge an answer, or play a turn of a game. Raises IllegalMoveError after the end."""
        if self._episode is None or self._episode.is_over:
            raise IllegalMoveError("Cannot step: the episode is over. Call reset() first.")
        self._shown = self._episode.answer(checks.instance("action", action, str))
        info: dict[str, Any] = {"task": self._episode.task.id, "kind": self._episode.task.kind}
        if (verdict := self._episode.verdict) is not None:
            info |= {"outcome": verdict.outcome, "luck": float(verdict.luck), "text": verdict.text}
        return self._shown, self._episode.reward, self._episode.is_over, False, info

    def render(self) -> str | None:
        """Return the last observation."""
        return None if self.render_mode is None else self._shown
