"""Sums of verdicts by kind of task: how many have each outcome, and the mean rewards by proof and by luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import get_args

from mineproof.exams.tasks import KINDS
from mineproof.exams.verdicts import Verdict, VerdictOutcome

OUTCOMES: tuple[VerdictOutcome, ...] = get_args(VerdictOutcome)


@dataclass
class ScoreSums:
    """Sums of some verdicts."""

    outcomes: Counter[str] = field(default_factory=Counter)
    score: Fraction = Fraction(0)
    luck: Fraction = Fraction(0)

    def add(self, verdict: Verdict) -> None:
        """Count one more verdict."""
        self.outcomes[verdict.outcome] += 1
        self.score += verdict.score
        self.luck += verdict.luck

    @property
    def tasks(self) -> int:
        """Number of verdicts."""
        return self.outcomes.total()

    @property
    def mean_score(self) -> float:
        """Mean reward by proof."""
        return float(self.score / self.tasks) if self.tasks else 0.0

    @property
    def mean_luck(self) -> float:
        """Mean reward by luck."""
        return float(self.luck / self.tasks) if self.tasks else 0.0


def sum_verdicts(verdicts: Iterable[Verdict]) -> dict[str, ScoreSums]:
    """Return the sums of each kind of task that occurs, in the order of the kinds."""
    sums = {kind: ScoreSums() for kind in KINDS}
    for verdict in verdicts:
        sums[verdict.task.kind].add(verdict)
    return {kind: part for kind, part in sums.items() if part.tasks}
