"""What a request may spend: time, effort and memory, within `mineproof.web.limits`."""

from __future__ import annotations

from collections.abc import Callable

from mineproof.base.budget import Budget
from mineproof.web.limits import MEMORY, SECONDS, STATES


def question_budget(
    seconds: float = SECONDS, cancelled: Callable[[], bool] | None = None, states: int = STATES
) -> Budget:
    """Return the budget of one question. Its memory is bounded, however long it may take."""
    return Budget(seconds, states, cancelled, memory=MEMORY)
