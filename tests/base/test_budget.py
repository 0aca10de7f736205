"""Budgets: errors name what was spent, no partial result is returned, and the next call works."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.base.budget import DEFAULT, Budget, Meter, budget_error
from mineproof.errors import BudgetExceeded
from support.engines import needs_kernel
from support.patience import PATIENCE
from support.pieces import too_wide
from support.positions import random_reveal

TESTS = Path(__file__).parents[1]
WIDE = too_wide()
SMALL = mp.Board.parse("1#/##", total_mines=1)


# budgets as callers give them


def test_of() -> None:
    given = Budget(seconds=1, states=7)
    assert Budget.of(given) is given
    assert Budget.of(None) is DEFAULT
    assert Budget.of(2) == Budget(seconds=2.0)


def test_one_state_is_singular() -> None:
    assert (
        str(budget_error("states", 0.0, 1, None))
        == "No result: the search needs more memory than its limit of 1 state allows."
    )


def test_the_meter_counts_states() -> None:
    meter = Meter(Budget(states=10))
    meter.spend(4)
    meter.spend(6)
    with pytest.raises(BudgetExceeded) as caught:
        meter.spend(1, width=5)
    assert (caught.value.limit, caught.value.states, caught.value.width) == ("states", 11, 5)


def test_the_meter_looks_at_the_clock_and_asks() -> None:
    answers = iter([False, True])
    meter = Meter(Budget(cancelled=lambda: next(answers)))
    meter.spend(1)
    with pytest.raises(BudgetExceeded) as caught:
        meter.spend(5000)
    assert caught.value.limit == "cancelled"
    with pytest.raises(BudgetExceeded) as caught:
        Meter(Budget(seconds=0.0)).spend(1)
    assert caught.value.limit == "seconds"


# a search that is stopped


def stopped(budget: Budget | float) -> tuple[BudgetExceeded, float]:
    """The error of a search that cannot end within its budget, and how long it took."""
    started = time.perf_counter()
    with pytest.raises(BudgetExceeded) as caught:
        mp.analyze(WIDE, budget=budget)
    spent = time.perf_counter() - started
    assert mp.analyze(SMALL).exact(0, 1) == Fraction(1, 3), "the thread that was stopped must be able to go on"
    return caught.value, spent


@pytest.mark.slow
def test_states() -> None:
    error, _ = stopped(Budget(states=100_000))
    assert error.limit == "states"
    assert error.states <= 100_000
    assert error.width is not None
    assert error.width > 10
    assert "its limit of 100,000 states allows" in str(error)
    assert f". In places it depends on {error.width} numbers at once." in str(error)


def test_seconds() -> None:
    error, spent = stopped(0.3)
    assert error.limit == "seconds"
    assert 0.3 <= error.seconds <= spent < PATIENCE


def test_cancelled_by_the_caller() -> None:
    requests: list[float] = []

    def fed_up() -> bool:
        requests.append(time.perf_counter())
        return len(requests) == 4

    error, spent = stopped(Budget(cancelled=fed_up))
    assert error.limit == "cancelled"
    assert str(error).startswith("Cancelled after ")
    assert "limit" not in str(error)
    assert len(requests) == 4
    assert spent < PATIENCE


def test_what_the_caller_raises_goes_through() -> None:
    def fail() -> bool:
        raise LookupError("the caller's own")

    with pytest.raises(LookupError, match="the caller's own"):
        mp.analyze(WIDE, budget=Budget(cancelled=fail))
    assert mp.analyze(SMALL).layouts == 3


def test_the_callable_is_asked_in_the_calling_thread() -> None:
    threads: set[int] = set()

    def note() -> bool:
        threads.add(threading.get_ident())
        return False

    with pytest.raises(BudgetExceeded):
        mp.analyze(WIDE, budget=Budget(seconds=0.3, cancelled=note))
    assert threads == {threading.get_ident()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        lambda board, budget: mp.analyze(board, budget=budget),
        lambda board, budget: mp.analyze(board.replace({}, total_mines=None), density=0.4, budget=budget),
        lambda board, budget: next(mp.enumerate_layouts(board, budget=budget)),
        lambda board, budget: next(mp.sample_layouts(board, 1, budget=budget)),
    ],
    ids=["analyze", "density", "enumerate", "sample"],
)
def test_every_question_has_a_budget(question: Callable[[mp.Board, Budget], object]) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        question(WIDE, Budget(states=50_000))
    assert caught.value.limit == "states"


@pytest.mark.slow
def test_a_board_wider_than_any_table() -> None:
    started = time.perf_counter()
    with pytest.raises(BudgetExceeded) as caught:
        mp.analyze(too_wide(300, 0.45), budget=Budget(seconds=15.0))
    assert time.perf_counter() - started < PATIENCE
    assert caught.value.limit in ("states", "seconds", "width")
    assert caught.value.width
    assert caught.value.width > 60


@needs_kernel
def test_an_explanation_keeps_to_the_budget() -> None:
    board = random_reveal(random.Random(1), 70, 70, 980, 0.35).board
    started = time.perf_counter()
    with pytest.raises(mp.MineproofError):
        mp.analyze(board.replace({}, total_mines=550), budget=Budget(seconds=0.2))
    assert time.perf_counter() - started < PATIENCE


@pytest.mark.slow
def test_exact_numbers_keep_to_the_budget() -> None:
    board = mp.Board(500, 500, bytes([255]) * 250_000, 50_000)
    analysis = mp.analyze(board, budget=0.3)
    started = time.perf_counter()
    with contextlib.suppress(BudgetExceeded):
        assert analysis.exact(0, 0) == Fraction(1, 5)
    assert time.perf_counter() - started < PATIENCE


MEMORY = """
import re
from pathlib import Path
import mineproof as mp
from support.pieces import too_wide

def memory(name: str) -> int:  # VmRSS is what is in use, VmHWM the peak; getrusage includes the parent's peak
    return int(re.search(name + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024

board = too_wide()
before = memory("VmRSS")
try:
    mp.analyze(board, budget=mp.Budget(states=3_000_000))
except mp.BudgetExceeded:
    print(memory("VmHWM") - before, memory("VmRSS") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux for the memory in use")
def test_memory_is_bounded_by_the_states_and_given_back() -> None:
    peak, left = map(int, python(MEMORY).split())
    assert peak < 3_000_000 * 200
    assert left < 60e6


def python(script: str) -> str:
    """What a script prints that runs in a process of its own."""
    command, env = [sys.executable, "-c", script], {**os.environ, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stderr == ""
    return done.stdout


# Ctrl-C

INTERRUPTED = """
import signal, threading, time
import mineproof as mp
from support.pieces import too_wide

signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell may have switched it off
board = too_wide()
started = []

def press() -> None:
    started.append(time.perf_counter())
    signal.raise_signal(signal.SIGINT)

try:
    threading.Timer(0.4, press).start()
    mp.analyze(board, budget=mp.Budget(seconds=30.0, states=10**12))
except KeyboardInterrupt:
    print(time.perf_counter() - started[0], mp.analyze(mp.Board.parse("1#/##", total_mines=1)).layouts)
"""


def test_ctrl_c_ends_a_long_call() -> None:
    waited, layouts = python(INTERRUPTED).split()
    assert float(waited) < 15.0  # 0.05 s on a quiet machine; 30 s if it is not heard
    assert layouts == "3"


# the GIL


@pytest.fixture
def busy() -> Iterator[threading.Thread]:
    """A thread that is inside one call of the kernel for a second."""

    def work() -> None:
        with pytest.raises(BudgetExceeded):
            mp.analyze(WIDE, budget=1.0)

    thread = threading.Thread(target=work)
    thread.start()
    yield thread
    thread.join()


@pytest.mark.slow
@needs_kernel
def test_other_threads_run_meanwhile(busy: threading.Thread) -> None:
    answers = 0
    while busy.is_alive():
        assert mp.analyze(SMALL).layouts == 3
        answers += 1
    assert answers > 5  # a search that holds the lock of the interpreter lets one or two through


def test_threads_do_not_disturb_each_other() -> None:
    boards = [random_reveal(random.Random(seed), 16, 30, 99, 0.4).board for seed in range(12)]
    expected = [mp.analyze(board).layouts for board in boards]
    values: dict[int, list[int]] = {}

    def work(number: int) -> None:
        order = boards[number:] + boards[:number]
        answers = [mp.analyze(board).layouts for board in order]
        values[number] = answers[-number:] + answers[:-number] if number else answers

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values == dict.fromkeys(range(6), expected)


# words


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("seconds", "No result after 1.50 s: the time limit is reached. In places it depends on 9 numbers at once."),
        ("states", "No result after 1.50 s: the search needs more memory than its limit of 7 states allows. In"),
        ("memory", "No result after 1.50 s: the memory limit is reached"),
        ("cancelled", "Cancelled after 1.50 s"),
        ("width", "No result: this position is too hard to count. In places it depends on 9 numbers at once."),
        ("size", "No result: this position is too large"),
    ],
)
def test_an_error_says_which_limit_was_reached(limit: str, words: str) -> None:
    error = budget_error(limit, 1.5, 7, 9)
    assert str(error).startswith(words)
    assert error.limit == limit
    assert "(" not in str(error)


def test_an_error_names_no_effort_that_was_not_spent() -> None:
    assert str(budget_error("cancelled", 0.0, 0, None)) == "Cancelled."
    assert "0 states" not in str(budget_error("seconds", 1.0, 0, None))


def test_a_tiny_time_is_not_rounded_to_nothing() -> None:
    assert (
        str(budget_error("seconds", 0.0001, 0, None)) == "No result after less than 0.01 s: the time limit is reached."
    )
    assert "after 0.01 s:" in str(budget_error("seconds", 0.0051, 0, None))
