"""Whether this Python has threads, and the processor time of one.

Python in a browser (Emscripten) has none: work then runs where it is submitted.
"""

from __future__ import annotations

import sys
import time

HAS_THREADS = sys.platform not in ("emscripten", "wasi")
if hasattr(time, "thread_time"):
    thread_seconds = time.thread_time
else:
    thread_seconds = time.process_time  # of the only thread
