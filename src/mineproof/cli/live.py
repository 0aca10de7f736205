"""How a guess is thought over, as people read it: a table that changes on a terminal, and words about the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mineproof.base.words import at, plural
from mineproof.cli import progress
from mineproof.cli.tables import table
from mineproof.decision.thinking import Rival, Thought

if TYPE_CHECKING:
    from rich.console import Group

BETWEEN = 0.1  # seconds between two tables


def estimate(win_probability: float, error: float) -> str:
    """As many digits as the error allows."""
    digits = 0 if error >= 0.005 else 1 if error >= 0.0005 else 2
    return f"≈ {100 * win_probability:.{digits}f} ± {100 * error:.{digits}f} %"


def words(thought: Thought) -> str:
    """How long it took, and whether it is clear."""
    layouts = max(rival.layouts for rival in thought.rivals)
    end = "the choice is clear" if thought.clear else "more time might change the choice"
    return f"Thought over for {thought.seconds:.1f} s, {plural(layouts, 'layout')} from the best cells; {end}."


@contextmanager
def rivals(seconds: float) -> Iterator[Callable[[Thought], None] | None]:
    """Whom to tell how far it is: a table on stderr, gone at the end; None where nobody would see it."""
    if not progress.has_bar():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    shown = 0.0
    screen = Live(console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
    with screen:

        def tell(thought: Thought) -> None:
            nonlocal shown
            if time.monotonic() - shown >= BETWEEN:
                screen.update(_picture(thought, seconds), refresh=True)
                shown = time.monotonic()

        yield tell


def _picture(thought: Thought, seconds: float) -> Group:
    from rich.console import Group

    rows = table(("cell", "left"), ("wins", "left"), ("layouts", "right"), ("played on by", "left"), ("", "left"))
    for rival in thought.rivals:
        wins = estimate(rival.win_probability, rival.standard_error)
        rows.add_row(at(rival.cell), wins, f"{rival.layouts:,}", rival.played_by, _state(rival))
    head = f"thinking for {thought.seconds:.1f} s, {seconds:g} s at most; Ctrl-C ends it with the best so far"
    return Group(head, rows)


def _state(rival: Rival) -> str:
    return "dropped" if rival.dropped else ""
