"""A child that is forked while other threads work must not wait for a lock that no thread will release."""

import os
import subprocess
import sys

import pytest

from support.engines import needs_kernel
from support.patience import PATIENCE

FORKING = """
import os, random, sys, threading, time
import mineproof as mp
from mineproof.board.geometry import Geometry
from mineproof.engine.answers import Match

engine = mp.engine_named("kernel")
cells = 9
match = Match(Geometry("grid", 3, 3), b"\\xff" * cells, b"\\1" * cells, 1, None, "fast", 1)
board = mp.Board.parse("1#/##", total_mines=1)
stop = threading.Event()

def count():
    while not stop.is_set():
        mp.analyze(board).layouts

def play():
    while not stop.is_set():
        engine.simulate(match, range(1), stop.is_set)

def work_in_child():
    played = engine.simulate(match, range(1), lambda: False)[0].games
    return played == 1 and mp.analyze(board).layouts == 3

work_in_child()
threads = [threading.Thread(target=work, daemon=True) for work in (count, play, count, play)]
for thread in threads:
    thread.start()
children = set()
for _ in range(40):
    child = os.fork()
    if child == 0:
        os._exit(0 if work_in_child() else 1)
    children.add(child)
    time.sleep(0.001)
stop.set()
end = time.monotonic() + float(sys.argv[1])
failed = 0
while children and time.monotonic() < end:
    for child in list(children):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            children.discard(child)
            failed += status != 0
    time.sleep(0.02)
for child in children:
    os.kill(child, 9)
    os.waitpid(child, 0)
print(failed, len(children))
"""


@needs_kernel
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_threads_count_and_play_does_not_hang() -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORKING, str(PATIENCE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=4 * PATIENCE, check=False)
    assert done.stdout.split() == ["0", "0"], done.stderr
