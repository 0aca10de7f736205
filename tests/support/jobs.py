"""Jobs that a process can load, too."""

import time
from collections.abc import Callable


def number(value: int, _: Callable[[], bool]) -> int:
    return value


def wait_for_stop(stop: Callable[[], bool]) -> bool:
    while not stop():
        time.sleep(0.001)
    return True
