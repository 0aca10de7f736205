"""A task as an episode: prompt, answers, reward. One turn, or several for a game."""

from __future__ import annotations

from mineproof.base import checks
from mineproof.exams.tasks import Task
from mineproof.exams.text_games import TextGame
from mineproof.exams.verdicts import Verdict, game_verdict, judge

MAX_TURNS = 200  # of a game; an expert board takes a hundred


class TaskEpisode:
    """One task, from its prompt to the verdict."""

    def __init__(self, task: Task, *, max_turns: int = MAX_TURNS) -> None:
        self.task = task
        self.verdict: Verdict | None = None  # once the episode is over
        self._game = TextGame(task) if task.kind == "game" else None
        self._most_turns = checks.whole("max_turns", max_turns, 1)

    @property
    def prompt(self) -> str:
        """The task in words."""
        return self.task.prompt

    @property
    def is_over(self) -> bool:
        """Is the task answered, or the game over?"""
        return self.verdict is not None

    @property
    def reward(self) -> float:
        """The reward by proof; 0 before the end."""
        return 0.0 if self.verdict is None else float(self.verdict.score)

    def answer(self, text: object) -> str:
        """Take an answer and return what follows: the next turn of a game, or the reason of the verdict."""
        if self.verdict is not None:
            return self.verdict.text_in(self.task.language)
        if self._game is None:
            self.verdict = judge(self.task, text)
            return self.verdict.text_in(self.task.language)
        shown = self._game.reply(text)
        if self._game.is_over or self._game.turns >= self._most_turns:
            self.verdict = game_verdict(self._game)
            return f"{shown}\n\n{self.verdict.text_in(self.task.language)}"
        return shown
