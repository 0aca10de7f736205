"""Functions that another process can load, too. It cannot load a test module that only pytest can find."""

import time
from collections.abc import Callable

import mineproof as mp
from support.pieces import too_wide


def number(value: int, _: Callable[[], bool]) -> int:
    return value


def wait_for_stop(stop: Callable[[], bool]) -> bool:
    while not stop():
        time.sleep(0.001)
    return True


def analyze_too_wide() -> mp.Analysis:
    return mp.analyze(too_wide(), budget=mp.Budget(states=1_000))
