"""The options of many tasks, as adapters to other packages take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mineproof.exams.task_generator import LEVEL, task
from mineproof.exams.tasks import BoardForm, Task, require_kind


@dataclass(frozen=True)
class TaskSettings:
    """Options of `task`. Several ``kinds`` take turns, so task k has kind k modulo their number."""

    kinds: Sequence[str] = ("safe-cell",)
    level: str = LEVEL
    form: BoardForm = "grid"
    technique: str | None = None
    numbers: int | tuple[int | None, int | None] | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.kinds or isinstance(self.kinds, str):
            raise ValueError(f"kinds must be a list of kinds of tasks, got {self.kinds!r}")
        for kind in self.kinds:
            require_kind(kind)

    def make(self, number: int, seed: int | None = None) -> Task:
        """Return task ``number``, of another seed if one is given."""
        make = partial(task, level=self.level, form=self.form, technique=self.technique, numbers=self.numbers)
        return make(self.kinds[number % len(self.kinds)], seed=self.seed if seed is None else seed, number=number)


def task_row(task: Task) -> dict[str, Any]:
    """Return a task as reasoning-gym and similar packages have it: ``question``, ``answer`` and ``metadata``."""
    document = task.as_json()
    metadata = {"source_dataset": "mineproof", "task": document, "id": document["id"], "kind": document["kind"]}
    return {"question": document["prompt"], "answer": document["answer"], "metadata": metadata}
