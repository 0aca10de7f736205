"""Progress on a terminal: a line while a search is running, a bar while there are many."""

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
from mineproof.wording.catalogue import decimal, message, plural

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

QUIET_SECONDS = 1.0  # before the first line, and between two


class _Supervisor(NamedTuple):
    """How searches are cancelled while the caller reports the progress."""

    cancelled: Callable[[], bool] | None


_supervisor: ContextVar[_Supervisor | None] = ContextVar("_supervisor", default=None)


@contextmanager
def supervisor(cancelled: Callable[[], bool] | None) -> Iterator[None]:
    """Print no progress of searches in this block; ``cancelled`` stops them."""
    token = _supervisor.set(_Supervisor(cancelled))
    try:
        yield
    finally:
        _supervisor.reset(token)


@contextmanager
def waiting(budget: Budget) -> Iterator[Budget]:
    """Yield a budget whose searches print on standard error how long they have been running."""
    if (supervisor := _supervisor.get()) is not None:
        yield dataclasses.replace(budget, cancelled=supervisor.cancelled)
        return
    started = printed = time.monotonic()

    def tick() -> bool:
        nonlocal printed
        now = time.monotonic()
        if now - max(printed, started) >= QUIET_SECONDS:
            printed = now
            elapsed, limit = decimal(now - started, 0), f"{budget.seconds:g}"
            _write_line("\r" + message("cli-progress-counting", elapsed=elapsed, limit=limit) + " ")
        return False

    try:
        yield dataclasses.replace(budget, cancelled=tick) if sys.stderr.isatty() else budget
    finally:
        if printed > started:
            _write_line("\r\033[K")


def _write_line(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


Advance = Callable[[int, int], None]  # lines and bytes that were processed since the last call


@contextmanager
def lines_bar(size: int | None) -> Iterator[Advance]:
    """Show the number of lines and the speed on standard error; with ``size`` in bytes, also the time left.

    Nothing is shown if standard error is not a terminal, or if the results scroll by on it.
    """
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield lambda _lines, _bytes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        BarColumn(bar_width=None), TextColumn("{task.fields[state]}"),
        TimeElapsedColumn() if size is None else TimeRemainingColumn(compact=True),
    )  # fmt: skip
    started, done = time.monotonic(), 0
    bar = Progress(*columns, console=console, transient=True, expand=True, redirect_stdout=False, redirect_stderr=False)
    with bar:
        task = bar.add_task("", total=size, state="")

        def advance_lines(lines: int, read: int) -> None:
            nonlocal done
            done += lines
            rate = done / max(time.monotonic() - started, 1e-9)
            bar.update(task, advance=read, state=plural("cli-progress-positions", done, rate=decimal(rate, 0)))

        yield advance_lines


def has_bar() -> bool:
    """Is standard error a terminal that can show a bar?"""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def games_bar() -> Progress:
    """A bar of games with their state, the speed and the time left; it disappears at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = (
        TextColumn("{task.description}"), BarColumn(bar_width=None), MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"), TextColumn("{task.fields[speed]}"), TimeRemainingColumn(compact=True),
    )  # fmt: skip
    return Progress(*columns, console=console, transient=True, expand=True, speed_estimate_period=10)


def advance(bar: Progress, task: TaskID, games: int, state: str) -> None:
    """Move a `games_bar`."""
    speed = bar.tasks[task].speed
    bar.update(task, completed=games, state=state, speed=f"{decimal(speed, 0)}/s" if speed else "")
