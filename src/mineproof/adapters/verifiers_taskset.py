"""A taskset for ``verifiers``: one-turn tasks, with the reward by proof and the reward by luck as a metric.

``verifiers`` looks for a taskset in a top-level module, so an environment is a module that imports `MinesweeperTaskset`
and names it in ``__all__``. This module is for the interface ``verifiers.v1`` of version 0.4. Games take several turns,
so they are not in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mineproof.base.extras import load as _load
from mineproof.exams.task_settings import TaskSettings
from mineproof.exams.tasks import BoardForm, Task
from mineproof.exams.verdicts import Verdict, judge

_load("verifiers.v1", "mineproof[verifiers]", "mineproof.adapters.verifiers_taskset")

import verifiers.v1 as vf  # noqa: E402

__all__ = ["MinesweeperTaskset"]


class MinesweeperConfig(vf.TasksetConfig):
    """Which tasks to load; the options of `mineproof.task`."""

    kinds: tuple[str, ...] = ("safe-cell",)
    count: int = 1000
    level: str = "beginner"
    form: BoardForm = "grid"
    technique: str | None = None
    numbers: tuple[int | None, int | None] | None = None
    seed: int = 0


class MinesweeperData(vf.TaskData):
    """The prompt, and the task as ``mineproof/task/1``."""

    exam: dict[str, Any]


class MinesweeperTask(vf.Task[MinesweeperData, vf.State, vf.TaskConfig]):
    """One task. Its reward is what the answer proves."""

    def verdict(self, reply: str) -> Verdict:
        """Judge the last reply of a model."""
        return judge(Task.from_json(json.dumps(self.data.exam)), reply)

    @vf.reward
    async def proof(self, trace: vf.Trace) -> float:
        """Reward by proof, from 0 to 1."""
        return float(self.verdict(trace.last_reply).score)

    @vf.metric
    async def luck(self, trace: vf.Trace) -> float:
        """Reward by luck: the chance that a judge who only looks at the mines accepts the answer."""
        return float(self.verdict(trace.last_reply).luck)


class MinesweeperTaskset(vf.Taskset[MinesweeperTask, MinesweeperConfig]):
    """Tasks 0, 1, 2, … of a seed."""

    def load(self) -> Iterator[MinesweeperTask]:
        """Yield ``count`` tasks."""
        config = self.config
        if "game" in config.kinds:
            raise ValueError("kinds must be kinds of one turn, got 'game'")
        settings = TaskSettings(config.kinds, config.level, config.form, config.technique, config.numbers, config.seed)
        for number in range(config.count):
            exam = settings.make(number).as_json()
            data = MinesweeperData(id=exam["id"], name=exam["id"], prompt=exam["prompt"], exam=exam)
            yield MinesweeperTask(data, config.task)
