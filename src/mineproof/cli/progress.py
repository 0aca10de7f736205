"""A sign of life on a terminal while something takes long, and a bar while there are many."""

from __future__ import annotations

import dataclasses
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from mineproof.base.budget import Budget

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 1.0  # seconds before anything is said


class _Watch(NamedTuple):
    """Who stops searches, where they say nothing by themselves."""

    stopped: Callable[[], bool] | None


_watch: ContextVar[_Watch | None] = ContextVar("_watch", default=None)


@contextmanager
def watched(stopped: Callable[[], bool] | None) -> Iterator[None]:
    """Within, searches say nothing, and ``stopped`` ends them: somebody else tells how far it is."""
    token = _watch.set(_Watch(stopped))
    try:
        yield
    finally:
        _watch.reset(token)


@contextmanager
def waiting(budget: Budget) -> Iterator[Budget]:
    """The same budget; searches that run on it say on stderr how long they have been at it."""
    if (watch := _watch.get()) is not None:
        yield dataclasses.replace(budget, cancelled=watch.stopped)
        return
    started = said = time.monotonic()

    def tick() -> bool:
        nonlocal said
        now = time.monotonic()
        if now - max(said, started) >= PATIENCE:
            said = now
            _say(f"\rcounting for {now - started:.0f} s, {budget.seconds:g} s at most; Ctrl-C stops it ")
        return False

    try:
        yield dataclasses.replace(budget, cancelled=tick) if sys.stderr.isatty() else budget
    finally:
        if said > started:
            _say("\r\033[K")


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


Tell = Callable[[int, int], None]  # how many more are done, and how many bytes they were


@contextmanager
def counting(size: int | None) -> Iterator[Tell]:
    """How many are done and how many a second, on stderr; of ``size`` bytes, if that is known, how much is left.

    Nothing is shown where stderr is no terminal, or where the answers themselves scroll by on one.
    """
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda _lines, _bytes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        BarColumn(bar_width=None), TextColumn("{task.fields[words]}"),
        TimeElapsedColumn() if size is None else TimeRemainingColumn(compact=True),
    )  # fmt: skip
    begun, done = time.monotonic(), 0
    bar = Progress(*columns, console=console, transient=True, expand=True, redirect_stdout=False, redirect_stderr=False)
    with bar:
        task = bar.add_task("", total=size, words="")

        def tell(lines: int, read: int) -> None:
            nonlocal done
            done += lines
            rate = done / max(time.monotonic() - begun, 1e-9)
            bar.update(task, advance=read, words=f"{done:,} positions, {rate:,.0f} a second")

        yield tell


def has_bar() -> bool:
    """Is there a terminal on stderr that a bar can be drawn on?"""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def games_bar() -> Progress:
    """A bar of games with words about them, how many a second, and how long it will take; gone at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        TextColumn("{task.description}"), BarColumn(bar_width=None), MofNCompleteColumn(),
        TextColumn("{task.fields[words]}"), TextColumn("{task.fields[speed]}"), TimeRemainingColumn(compact=True),
    )  # fmt: skip
    return Progress(*columns, console=console, transient=True, expand=True, speed_estimate_period=10)


def advance(bar: Progress, task: TaskID, games: int, words: str) -> None:
    speed = bar.tasks[task].speed
    bar.update(task, completed=games, words=words, speed=f"{speed:,.0f}/s" if speed else "")
