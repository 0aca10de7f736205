"""The number of processors."""

from __future__ import annotations

import os

from mineproof.base import threads as runtime


def processors() -> int:
    """Return the number of processors that this process may use; 1 without threads."""
    if not runtime.HAS_THREADS:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
