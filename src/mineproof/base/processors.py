"""How much can be done at a time."""

from __future__ import annotations

import os


def processors() -> int:
    """How many things can be done at a time by this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
