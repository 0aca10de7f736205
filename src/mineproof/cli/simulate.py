"""``mineproof simulate``: how often a strategy wins, and whether it wins more often than another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import Size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.cli import output, writing
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.input import Count, StrategyName
from mineproof.cli.input import cell as cell_type
from mineproof.cli.interrupting import interruptible
from mineproof.cli.jobs import Job, print_words, rival_of
from mineproof.cli.keeping import Keeper, read
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.sizes import takes_size
from mineproof.cli.tables import table
from mineproof.cli.weighted import simulate_weighted
from mineproof.game.layout import Layout
from mineproof.simulation.comparison import Comparison, compare, comparison_json
from mineproof.simulation.results import Simulation
from mineproof.simulation.running import default_start, simulate
from mineproof.simulation.series import StartCell

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

GAMES = 10_000  # by default
Watch = Callable[[Simulation], None]


def _start(text: str) -> StartCell:
    return "random" if text == "random" else cell_type(text)


@click.command("simulate")
@takes_size
@click.option("--games", type=Count(1), metavar="N",
              help=f"How many games.  [default: {GAMES}; with --until as many as it takes]")  # fmt: skip
@click.option("--strategy", type=StrategyName(deciding=False), default="fast", show_default=True, metavar="NAME",
              help="Who plays.")  # fmt: skip
@click.option("--against", metavar="STRATEGY|FILE",
              help="Compare with another strategy on the same layouts, or with what -o has kept of it.")  # fmt: skip
@click.option("--weighted", is_flag=True,
              help="Survive every guess and weigh the game by its odds: far less noise in the difference of two "
              "strategies.")  # fmt: skip
@click.option("--until", type=float, metavar="POINTS",
              help="With --weighted: stop when the difference (without --against the win rate) has a standard error of "
              "so many percentage points.")  # fmt: skip
@click.option("--first-click", type=click.Choice(FIRST_CLICKS), default="safe", show_default=True,
              help="What is kept free of mines: nothing, the first cell, or its surroundings too.")  # fmt: skip
@click.option("--start", type=_start, metavar="R,C|random",
              help="First click; another cell in each game with random, which goes with --first-click any.  "
              "[default: 0,0; with --first-click open 3,3, on small boards 2,2]")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, metavar="S",
              help="Which layouts: those of the same seed are the same.")  # fmt: skip
@click.option(
    "--topology", type=click.Choice(TOPOLOGIES), default="grid", show_default=True, help="Shape of the board."
)
@click.option("--threads", type=click.IntRange(min=1), metavar="N",
              help="Threads, which change nothing but the time.  [default: one a processor]")  # fmt: skip
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Keep what is finished in a file, also while it runs.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on from what FILE holds; start anew if there is no such file.")
@writing.force_option
@output.as_json_option
def command(
    size: Size,
    games: int | None,
    strategy: str,
    against: str | None,
    weighted: bool,
    until: float | None,
    first_click: FirstClick,
    start: StartCell | None,
    seed: int,
    topology: Topology,
    threads: int | None,
    path: Path | None,
    resume: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Play many games and tell how many were won, with a 95 % interval.

    With --weighted every guess is survived and the game weighs as much as their odds: the mean weight is the win rate,
    and two strategies on the same games are told apart with far fewer of them.

    Strategies: fast (exact odds), strong (looks one reveal ahead), best (takes its time); as others play: minesolver,
    minedetector, fair, go; and those that installed packages offer. Game k of a seed is the same for every strategy and
    any number of threads.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM; expert if left out. Ctrl-C ends it, tells what
    was finished and leaves with status 130. With -o FILE that is kept, and --resume goes on from it: the result is the
    same as if it had never been interrupted. Where FILE cannot be written, a warning says so, the games are played on
    and the answer is told all the same.

    \b
    Examples:
      mineproof simulate --games 100000 --seed 1
      mineproof simulate intermediate --strategy strong --against fast
      mineproof simulate --strategy best --against strong --weighted --until 0.04
      mineproof simulate --strategy best --games 1000000 -o best.json --resume
    """
    if start == "random" and first_click != "any":
        raise click.UsageError("--start random goes with --first-click any: no cell is kept free for it")
    begin_at = start or default_start(Layout(size.rows, size.columns, frozenset(), None, topology), first_click)
    job = Job(
        size, first_click, begin_at, seed, topology, threads, games, strategy, against, path, resume, force, as_json
    )
    if weighted:
        return simulate_weighted(job, until)
    if until is not None:
        raise click.UsageError("--until goes with --weighted")
    return _simulate(job)


# playing


def _simulate(job: Job) -> int:
    """Play, keep and tell; the exit status."""
    rival = rival_of(job, partial(read, parse=Simulation.from_json))
    keep = Keeper(job.path, job.resume, job.force, Simulation.from_json)
    with interruptible() as interrupted:
        found = _play(job, job.strategy, interrupted, keep.start(), keep.watch)
        keep.write(found)
        other = _play(job, rival, interrupted) if isinstance(rival, str) and found.is_complete else None
    if isinstance(rival, Simulation):
        other = rival
    if job.as_json:
        output.print_json(found.as_json() if other is None else comparison_json(found, other))
    else:
        with output.drawing("never") as console:
            _draw(job, found, other, console)
    if interrupted():
        output.note("interrupted; the answer is about the games that were finished")
    return INTERRUPTED if interrupted() else 0


def _play(
    job: Job,
    strategy: str,
    interrupted: Callable[[], bool],
    start: Simulation | None = None,
    watch: Watch | None = None,
) -> Simulation:
    games = job.games or GAMES
    with _bar(strategy, games) as show:

        def progress(found: Simulation) -> None:
            show(found)
            if watch is not None:
                watch(found)

        with job.as_usage(resumed=start is not None):
            return simulate(
                *job.size, games=games, strategy=strategy, first_click=job.first_click, start=job.start,
                seed=job.seed, topology=job.topology, threads=job.threads, resume=start, progress=progress,
                cancelled=interrupted,
            )  # fmt: skip


# telling


def _draw(job: Job, found: Simulation, other: Simulation | None, console: Console) -> None:
    job.draw(console)
    _draw_result(found, console)
    if other is not None:
        _draw_result(other, console)
        _draw_comparison(compare(found, other), console)


def _draw_result(found: Simulation, console: Console) -> None:
    console.print()
    print_words(console, f"{found.strategy}: {found.wins:,} of {found.games:,} games won, {_rate(found)}")
    if not found.is_complete:
        print_words(console, f"{found.asked:,} games were asked for", 2)
    rows = table(("", "right", 10), ("", "left"), heads=False)
    for value, words in _averages(found):
        rows.add_row(value, words)
    console.print(rows)


def _rate(found: Simulation) -> str:
    if found.win_rate is None:
        return "no win rate yet"
    low, high = (f"{100 * end:.2f}" for end in found.interval)
    return f"{100 * found.win_rate:.2f} % (95 % interval {low} to {high})"


def _averages(found: Simulation) -> Iterator[tuple[str, str]]:
    """Numbers with what they are; those that are not known are left out."""
    if found.moves_per_win is not None:
        yield f"{found.moves_per_win:.1f}", "moves per win"
    if found.guesses_per_win is not None:
        yield f"{found.guesses_per_win:.2f}", "guesses per win, the first click included"
    if found.forced_guesses_per_win is not None:
        yield f"{found.forced_guesses_per_win:.2f}", "of them forced: nothing was certain"
    if found.survived_odds is not None:
        yield f"{100 * found.survived_odds:.1f} %", "chance of surviving the guesses of a win (geometric mean)"
    if found.guesses_per_game is not None:
        yield f"{found.guesses_per_game:.2f}", "guesses per game, lost ones included"
    if found.cpu_seconds_per_game is not None:
        yield f"{1000 * found.cpu_seconds_per_game:.3g}", "milliseconds of CPU per game"
    if found.fallbacks:
        yield f"{found.fallbacks:,}", "positions too wide to count, guessed without odds"


def _draw_comparison(pair: Comparison, console: Console) -> None:
    if pair.difference is None:
        return
    low, high = (f"{100 * end:+.2f}" for end in pair.interval)
    points = f"{100 * pair.difference:+.2f} points (95 % interval {low} to {high})"
    console.print()
    print_words(console, f"{pair.first} less {pair.second}: {points}")
    won = f"{pair.first} alone won {pair.only_first:,}, {pair.second} alone {pair.only_second:,}"
    print_words(console, f"on the same {pair.games:,} layouts; {won}", 2)


@contextmanager
def _bar(strategy: str, games: int) -> Iterator[Watch]:
    """A progress bar on stderr with the win rate so far."""
    if not has_bar():
        yield lambda _: None
        return
    with games_bar() as progress:
        task = progress.add_task(strategy, total=games, words="", speed="")
        yield lambda found: _advance(progress, task, found)


def _advance(progress: Progress, task: TaskID, found: Simulation) -> None:
    low, high = (f"{100 * end:.1f}" for end in found.interval)
    rate = f"{100 * (found.win_rate or 0):.1f} % ({low}-{high})"
    advance(progress, task, found.games, rate)
