"""A dataset for ``reasoning_gym``: ``reasoning_gym.create_dataset("mineproof", size=100, seed=1)``.

Importing this module registers the dataset. `score_answer` counts, so every right answer scores 1, whatever its form.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from mineproof.base.extras import load as _load
from mineproof.exams.task_settings import TaskSettings, task_row
from mineproof.exams.tasks import BoardForm, Task
from mineproof.exams.verdicts import judge

_load("reasoning_gym", "mineproof[reasoning-gym]", "mineproof.adapters.reasoning_gym_dataset")

from reasoning_gym.factory import DATASETS, ProceduralDataset, register_dataset  # noqa: E402

NAME = "mineproof"


@dataclass
class MinesweeperDatasetConfig:
    """The options of `mineproof.task`, and how many tasks there are."""

    kinds: list[str] = field(default_factory=lambda: ["safe-cell"])
    level: str = "beginner"
    form: BoardForm = "grid"
    technique: str | None = None
    numbers: tuple[int | None, int | None] | None = None
    seed: int = 0
    size: int = 500

    def settings(self) -> TaskSettings:
        """The options as this package has them."""
        return TaskSettings(self.kinds, self.level, self.form, self.technique, self.numbers, self.seed)


class MinesweeperDataset(ProceduralDataset):
    """Tasks 0, 1, 2, … of a seed."""

    def __init__(self, config: MinesweeperDatasetConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._settings = config.settings()

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(f"expected an index from 0 to {self.size - 1}, got {idx}")
        return task_row(self._settings.make(idx))

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Return the reward by proof."""
        task = Task.from_json(json.dumps(entry["metadata"]["task"]))
        return float(judge(task, answer).score)


if NAME not in DATASETS:
    register_dataset(NAME, MinesweeperDataset, MinesweeperDatasetConfig)
