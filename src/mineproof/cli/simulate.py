"""``mineproof simulate``: how often a strategy wins, and whether it wins more often than another."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import files
from mineproof.base.words import at, plural, size
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import Size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.cli import output, writing
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.input import Count, StrategyName
from mineproof.cli.input import cell as cell_type
from mineproof.cli.interrupting import interruptible
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.sizes import takes_size
from mineproof.cli.tables import table
from mineproof.decision.own import installed
from mineproof.decision.strategy_table import strategies
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.game.layout import Layout
from mineproof.simulation.comparison import Comparison, compare, comparison_json, require_same_games
from mineproof.simulation.results import Simulation
from mineproof.simulation.running import default_start, simulate
from mineproof.simulation.series import Series, StartCell

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

SAVE_EVERY = 5.0  # seconds
BOUND = "\N{NO-BREAK SPACE}"
Watch = Callable[[Simulation], None]


def _start(text: str) -> StartCell:
    return "random" if text == "random" else cell_type(text)


@click.command("simulate")
@takes_size
@click.option("--games", type=Count(1), default=10_000, show_default=True, metavar="N",
              help="How many games.")  # fmt: skip
@click.option("--strategy", type=StrategyName(deciding=False), default="fast", show_default=True, metavar="NAME",
              help="Who plays.")  # fmt: skip
@click.option("--against", metavar="STRATEGY|FILE",
              help="Compare with another strategy on the same layouts, or with what -o has kept of it.")  # fmt: skip
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
    games: int,
    strategy: str,
    against: str | None,
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
      mineproof simulate --strategy best --games 1000000 -o best.json --resume
    """
    if start == "random" and first_click != "any":
        raise click.UsageError("--start random goes with --first-click any: no cell is kept free for it")
    begin_at = start or default_start(Layout(size.rows, size.columns, frozenset(), None, topology), first_click)
    job = _Job(size, games, first_click, begin_at, seed, topology, threads)
    rival = None if against is None else _rival(job, against)
    keep = _Keeper(path, resume, force)
    with interruptible() as interrupted:
        found = job.play(strategy, interrupted, keep.start(), keep.watch)
        keep.write(found)
        other = job.play(rival, interrupted) if isinstance(rival, str) and found.is_complete else None
    if isinstance(rival, Simulation):
        other = rival
    if as_json:
        output.print_json(found.as_json() if other is None else comparison_json(found, other))
    else:
        with output.drawing("never") as console:
            _draw(found, other, console)
    if interrupted():
        output.note("interrupted; the answer is about the games that were finished")
    return INTERRUPTED if interrupted() else 0


def _rival(job: _Job, against: str) -> str | Simulation:
    """Who to compare with: the name of a strategy, or what another one has done already."""
    names = [each.name for each in strategies()]
    if against in names:
        return against
    if not Path(against).is_file():
        names += [each.name for each in installed() if each.name not in names]
        if against in names:
            return against
        expected = f"one of {', '.join(names)} or a file that -o wrote"
        raise click.BadParameter(f"found {against!r}, expected {expected}", param_hint="--against")
    found = _read(Path(against))
    try:
        require_same_games(job.series(found.strategy), found)
    except ValueError as error:
        raise click.UsageError(f"--against {against}: {error}") from None
    return found


# playing


@dataclass(frozen=True)
class _Job:
    """What is asked for, whoever plays."""

    size: Size
    games: int
    first_click: FirstClick
    start: StartCell
    seed: int
    topology: Topology
    threads: int | None

    def series(self, strategy: str) -> Series:
        return Series(
            **self.size._asdict(), topology=self.topology, first_click=self.first_click, start=self.start,
            strategy=strategy, seed=self.seed,
        )  # fmt: skip

    def play(
        self,
        strategy: str,
        interrupted: Callable[[], bool],
        start: Simulation | None = None,
        watch: Watch | None = None,
    ) -> Simulation:
        with _bar(strategy, self.games) as show:

            def progress(found: Simulation) -> None:
                show(found)
                if watch is not None:
                    watch(found)

            try:
                return simulate(
                    *self.size, games=self.games, strategy=strategy, first_click=self.first_click, start=self.start,
                    seed=self.seed, topology=self.topology, threads=self.threads, resume=start, progress=progress,
                    cancelled=interrupted,
                )  # fmt: skip
            except OutsideError:
                raise
            except ValueError as error:  # nothing was read: a size that cannot be played is bad usage
                raise click.UsageError(str(error) if start is None else f"--resume: {error}") from None


# keeping


class _Keeper:
    """The file that holds what is finished. A disk that is full costs no answer: it is told, once, and not fatal."""

    def __init__(self, path: Path | None, resume: bool, force: bool) -> None:
        if (resume or force) and path is None:
            raise click.UsageError(f"{'--resume' if resume else '--force'} goes with -o FILE")
        if resume and force:
            raise click.UsageError("--resume goes on from FILE, and --force writes over it: one of them")
        if path is not None and path.exists() and not path.is_file():  # it would be replaced, not written to
            raise click.UsageError(f"{str(path)!r} is not a file that can be kept")
        self._path = path
        self._resume = resume
        self._force = force
        self._written = time.monotonic()
        self._warned = False

    def start(self) -> Simulation | None:
        """What there is to go on from; an error, before anything is played, where nothing can be kept."""
        if self._path is None:
            return None
        folder = self._path.resolve().parent
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self._path))
        if not writing.holds_something(self._path) or self._force:
            return None
        if self._resume:
            return _read(self._path)
        raise click.UsageError(_taken(self._path))

    def watch(self, found: Simulation) -> None:
        if time.monotonic() - self._written >= SAVE_EVERY:
            self.write(found)

    def write(self, found: Simulation) -> None:
        if self._path is None:
            return
        self._written = time.monotonic()
        try:
            files.write(self._path, found.to_json() + "\n")
        except OSError as error:
            if not self._warned:
                output.note(f"{self._path}: {error.strerror or error}; what is finished is told, and not kept")
            self._warned = True


def _taken(path: Path) -> str:
    """Why a file is not written over, and the ways out."""
    try:
        found = _read(path)
    except BoardSyntaxError:
        return f"{path} is there already, and no result: --force writes over it, or name another file"
    games = f"{found.games:,} games" if found.is_complete else f"{found.games:,} of {found.asked:,} games"
    return f"{path} holds {games} already: --resume goes on from there, --force writes over it, or name another file"


def _read(path: Path) -> Simulation:
    try:
        return Simulation.from_json(files.read(path, files.LARGEST_RESULT))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


# telling


def _draw(found: Simulation, other: Simulation | None, console: Console) -> None:
    kind = "" if found.topology == "grid" else f" {found.topology}"
    board = f"{size(found.rows, found.columns)}{kind}, {plural(found.mines, 'mine')}"
    where = "a random cell" if found.start == "random" else at(found.start)
    _print(console, f"{board}, first click {found.first_click} at {where}, seed {found.seed}")
    _draw_result(found, console)
    if other is not None:
        _draw_result(other, console)
        _draw_comparison(compare(found, other), console)


def _print(console: Console, words: str, indent: int = 0) -> None:
    """Words in lines that fit; a number and its % stay together."""
    for line in output.folded(words.replace(" %", f"{BOUND}%"), console.width, indent):
        console.print(" " * indent + line.replace(BOUND, " "))


def _draw_result(found: Simulation, console: Console) -> None:
    console.print()
    _print(console, f"{found.strategy}: {found.wins:,} of {found.games:,} games won, {_rate(found)}")
    if not found.is_complete:
        _print(console, f"{found.asked:,} games were asked for", 2)
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
    _print(console, f"{pair.first} less {pair.second}: {points}")
    won = f"{pair.first} alone won {pair.only_first:,}, {pair.second} alone {pair.only_second:,}"
    _print(console, f"on the same {pair.games:,} layouts; {won}", 2)


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
