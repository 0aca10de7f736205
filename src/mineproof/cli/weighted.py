"""``mineproof simulate --weighted``: survival-weighted games of one strategy, or of two against each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.base.words import plural
from mineproof.cli import output
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.interrupting import interruptible
from mineproof.cli.jobs import Job, print_words, rival_of
from mineproof.cli.keeping import Keeper, read
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.simulation.contests import tournament
from mineproof.simulation.estimates import Estimate
from mineproof.simulation.weighted import Tournament, WeightedGames

if TYPE_CHECKING:
    from rich.console import Console

Watch = Callable[[Tournament], None]


def simulate_weighted(job: Job, until: float | None) -> int:
    """Play, keep and tell; the exit status."""
    rival = rival_of(job, _read_first)
    strategies: list[str | WeightedGames] = [job.strategy] if rival is None else [job.strategy, rival]
    keep = Keeper(job.path, job.resume, job.force, Tournament.from_json)
    begun = keep.start()
    with interruptible() as interrupted, _bar(strategies) as show:

        def progress(found: Tournament) -> None:
            show(found)
            keep.watch(found)

        with job.as_usage(resumed=begun is not None):
            found = tournament(
                *job.size, strategies=strategies, games=job.games, until=until, first_click=job.first_click,
                start=job.start, seed=job.seed, topology=job.topology, threads=job.threads, resume=begun,
                progress=progress, cancelled=interrupted,
            )  # fmt: skip
        keep.write(found)
    if job.as_json:
        output.print_json(found.as_json())
    else:
        with output.drawing("never") as console:
            _draw(job, found, console)
    if interrupted():
        output.note("interrupted; the answer is about the games that were finished")
    return INTERRUPTED if interrupted() else 0


def _read_first(path: Path) -> WeightedGames:
    """The games of the first strategy that a file holds."""
    return read(path, Tournament.from_json).players[0]


# telling


def _draw(job: Job, found: Tournament, console: Console) -> None:
    job.draw(console)
    console.print()
    print_words(console, plural(found.games, "survival-weighted game") + _shortfall(found))
    for player in found.players:
        console.print()
        print_words(console, f"{player.strategy}: {_told(player.estimate)}")
        if player.cpu_seconds:
            print_words(console, f"{1000 * player.cpu_seconds / player.games:.3g} milliseconds of CPU per game", 2)
        if player.blind:
            print_words(console, f"{player.blind:,} guesses in positions too wide to count, decided by the layout", 2)
    if len(found.players) > 1:
        first, second = (player.strategy for player in found.players)
        console.print()
        print_words(console, f"{first} less {second}: {_told(found.difference(), '+')}")


def _shortfall(found: Tournament) -> str:
    if found.until is not None and not found.is_sure:
        return f"; the standard error of {found.until:g} points takes more"
    return "" if found.is_complete else f" of {found.asked:,}"


def _told(found: Estimate, sign: str = "") -> str:
    """A win rate, or with a sign the difference of two."""
    if found.value is None:
        return "no game yet"
    low, high = (f"{100 * end:{sign}.2f}" for end in found.interval)
    unit = "points" if sign else "%"
    told = f"{100 * found.value:{sign}.2f} {unit} (95 % interval {low} to {high}"
    if found.deviation is None or found.standard_error is None:
        return f"{told})"
    return f"{told}; standard error {100 * found.standard_error:.3f}, deviation of a game {100 * found.deviation:.1f})"


def _expected(found: Tournament, known: Estimate) -> int | None:
    """How many games it will take, as far as can be told."""
    if found.until is None:
        return found.asked
    if not known.standard_error:
        return None
    return min(found.asked, math.ceil(found.games * max(1.0, (100 * known.standard_error / found.until) ** 2)))


@contextmanager
def _bar(strategies: list[str | WeightedGames]) -> Iterator[Watch]:
    """A progress bar on stderr with what is known so far."""
    if not has_bar():
        yield lambda _: None
        return
    names = [each if isinstance(each, str) else each.strategy for each in strategies]
    with games_bar() as progress:
        task = progress.add_task(" and ".join(names), total=None, words="", speed="")

        def show(found: Tournament) -> None:
            known = found.difference() if len(found.players) > 1 else found.players[0].estimate
            progress.update(task, total=_expected(found, known))
            error = "" if known.standard_error is None else f" ± {100 * known.standard_error:.3f}"
            advance(progress, task, found.games, f"{100 * (known.value or 0):.2f}{error}")

        yield show
