"""Thinking about a guess: a table that changes on a terminal, and a sentence about the result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mineproof.cli import progress
from mineproof.cli.tables import table
from mineproof.decision.rivals import Rival, Thought
from mineproof.wording.catalogue import decimal, message, number, plural
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Group

REFRESH_SECONDS = 0.1


def format_estimate(win_probability: float, error: float) -> str:
    """A chance to win with its standard error, and as many digits as the error allows."""
    digits = 0 if error >= 0.005 else 1 if error >= 0.0005 else 2
    return f"≈ {decimal(100 * win_probability, digits)} ± {decimal(100 * error, digits)} %"


def describe_thought(thought: Thought) -> str:
    """How long it took, and whether the choice is clear."""
    layouts = max(rival.layouts for rival in thought.rivals)
    key = "cli-best-thought-clear" if thought.clear else "cli-best-thought-open"
    return plural(key, layouts, seconds=decimal(thought.seconds, 1))


@contextmanager
def show_rivals(seconds: float) -> Iterator[Callable[[Thought], None] | None]:
    """Yield a progress callback that draws a temporary table on stderr, or None if stderr is not a terminal."""
    if not progress.has_bar():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    refreshed = 0.0
    screen = Live(console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    with screen:

        def show(thought: Thought) -> None:
            nonlocal refreshed
            if time.monotonic() - refreshed >= REFRESH_SECONDS:
                screen.update(_picture(thought, seconds), refresh=True)
                refreshed = time.monotonic()

        yield show


def _picture(thought: Thought, seconds: float) -> Group:
    from rich.console import Group

    rows = table(
        (message("cli-best-head-cell"), "left"), (message("cli-best-head-wins"), "left"),
        (message("cli-best-head-layouts"), "right"), (message("cli-best-head-played-by"), "left"), ("", "left"),
    )  # fmt: skip
    for rival in thought.rivals:
        wins = format_estimate(rival.win_probability, rival.standard_error)
        rows.add_row(cell_label(rival.cell), wins, number(rival.layouts), rival.played_by, _state(rival))
    head = message("cli-progress-thinking", elapsed=decimal(thought.seconds, 1), limit=f"{seconds:g}")
    return Group(head, rows)


def _state(rival: Rival) -> str:
    return message("cli-best-dropped") if rival.dropped else ""
