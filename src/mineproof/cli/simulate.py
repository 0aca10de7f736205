"""``mineproof simulate``: the win rate of a strategy, and a comparison with another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.board.geometry import Topology
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.cli import options, output
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.input import StrategyName
from mineproof.cli.interrupts import interruptible
from mineproof.cli.jobs import Job, note_interruption, print_folded, rival_of
from mineproof.cli.parameters import NUMBER, Count
from mineproof.cli.phrases import interval, signed_decimal, significant
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.run_file import RunFile, read
from mineproof.cli.sizes import takes_size
from mineproof.cli.tables import table
from mineproof.cli.weighted_games import simulate_weighted
from mineproof.game.layout import Layout
from mineproof.game.rules import Fairness
from mineproof.simulation.comparison import Comparison, compare, comparison_json
from mineproof.simulation.results import Simulation
from mineproof.simulation.series import StartCell
from mineproof.simulation.simulator import default_start, simulate
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

DEFAULT_GAMES = 10_000
Show = Callable[[Simulation], None]


class _SimulateCommand(click.Command):
    """A command whose help ends with a line on each strategy."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from mineproof.decision.strategy_table import describe_strategy, strategies

        with formatter.section("Strategies"):
            formatter.write_dl([(strategy.name, describe_strategy(strategy.name)) for strategy in strategies()])


@click.command("simulate", cls=_SimulateCommand)
@takes_size
@click.option("--games", type=Count(1), metavar="N",
              help=f"Number of games.  [default: {DEFAULT_GAMES}; with --until as many as needed]")  # fmt: skip
@options.strategy_option(bots=True, type=StrategyName(deciding=False, bots=True), default="fast", show_default=True)
@click.option("--against", metavar="STRATEGY|FILE",
              help="Compare with another strategy on the same layouts, or with games stored by -o.")  # fmt: skip
@click.option("--weighted", is_flag=True,
              help="Let every guess survive, and count each game by the chance that it would have. A comparison then "
              "needs far fewer games.")  # fmt: skip
@click.option("--until", type=NUMBER, metavar="POINTS",
              help="With --weighted: stop when the standard error is at most this many percentage points: of the "
              "difference if --against is given, else of the win rate.")  # fmt: skip
@options.first_click_option()
@options.start_option("0,0. With --first-click open: 3,3, or 2,2 on small boards", random=True)
@options.fairness_option()
@options.seed_option(0)
@options.topology_option()
@options.threads_option()
@options.output_file_option("Store finished games in this file, also during the run.",
                            type=click.Path(dir_okay=False, path_type=Path))  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the games in FILE. Starts a new run if FILE does not exist.")
@options.force_option
@options.as_json_option
def command(
    size: Size,
    games: int | None,
    strategy: str,
    against: str | None,
    weighted: bool,
    until: float | None,
    first_click: FirstClick,
    start: StartCell | None,
    fairness: Fairness,
    seed: int,
    topology: Topology,
    threads: int | None,
    path: Path | None,
    resume: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Play many games, and print the win rate with its 95 % confidence interval.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM: width, height and number of mines, such as
    30x16x99. The default is expert. With the same seed, every strategy plays the same boards, with any number of
    threads.

    --start random starts each game at a random cell. It needs --first-click any.

    Ctrl-C prints the result so far and exits with status 130. With -o FILE the games are stored, and --resume continues
    them. The result is the same as without an interruption. If FILE cannot be written, simulate prints a warning and
    continues.

    --strategy and --against also take exec:COMMAND, a program that speaks the engine protocol (docs/protocol.md).

    \b
    Examples:
      mineproof simulate --games 100000 --seed 1
      mineproof simulate intermediate --strategy strong --against fast
      mineproof simulate --strategy best --against strong --weighted --until 0.04
      mineproof simulate --strategy best --games 1000000 -o best.json --resume
      mineproof simulate beginner --games 1000 --strategy strong --fairness safest
      mineproof simulate beginner --games 100 --strategy 'exec:./mybot' --against fast
    """
    if start == "random" and first_click != "any":
        raise click.UsageError("--start random needs --first-click any")
    first_cell = start or default_start(Layout(size.rows, size.columns, frozenset(), None, topology), first_click)
    job = Job(
        size, first_click, first_cell, seed, topology, threads, games, strategy, against, path, resume, force, as_json,
        fairness,
    )  # fmt: skip
    if weighted and fairness != "none":
        raise click.UsageError("--fairness and --weighted exclude each other: a weighted game has no losses")
    if weighted:
        return simulate_weighted(job, until)
    if until is not None:
        raise click.UsageError("--until needs --weighted")
    return _simulate(job)


# playing


def _simulate(job: Job) -> int:
    """Play the games, store and print the result, and return the exit status."""
    rival = rival_of(job, partial(read, parse=Simulation.from_json))
    run_file = RunFile(job.path, job.resume, job.force, Simulation.from_json)
    with interruptible() as interrupted:
        result = _play_games(job, job.strategy, interrupted, run_file.start(), run_file.update)
        run_file.write(result)
        other = _play_games(job, rival, interrupted) if isinstance(rival, str) and result.is_complete else None
    if isinstance(rival, Simulation):
        other = rival
    if job.as_json:
        output.print_json(result.as_json() if other is None else comparison_json(result, other))
    elif result.games:
        with output.drawing("never") as console:
            _draw_simulation(job, result, other, console)
    if interrupted():
        note_interruption(result.games)
    return INTERRUPTED if interrupted() else 0


def _play_games(
    job: Job,
    strategy: str,
    interrupted: Callable[[], bool],
    start: Simulation | None = None,
    store: Show | None = None,
) -> Simulation:
    games = job.games or DEFAULT_GAMES
    with _progress_bar(strategy, games) as show:

        def progress(result: Simulation) -> None:
            show(result)
            if store is not None:
                store(result)

        with job.reporting_usage(resumed=start is not None):
            return simulate(
                *job.size, games=games, strategy=strategy, first_click=job.first_click, start=job.start,
                fairness=job.fairness, seed=job.seed, topology=job.topology, threads=job.threads, resume=start,
                progress=progress, cancelled=interrupted,
            )  # fmt: skip


# text


def _draw_simulation(job: Job, result: Simulation, other: Simulation | None, console: Console) -> None:
    job.draw(console)
    _draw_result(result, console)
    if other is not None:
        _draw_result(other, console)
        _draw_comparison(compare(result, other), console)


def _draw_result(result: Simulation, console: Console) -> None:
    console.print()
    if not result.games:
        print_folded(console, message("cli-simulate-no-games", strategy=result.strategy))
        return
    won = plural("cli-simulate-won", result.games, strategy=result.strategy, wins=number(result.wins))
    print_folded(console, f"{won}, {_rate(result)}")
    if not result.is_complete:
        print_folded(console, plural("cli-simulate-requested", result.asked), 2)
    rows = table(("", "right", 10), ("", "left"), heads=False)
    for value, label in _averages(result):
        rows.add_row(value, label)
    console.print(rows)


def _rate(result: Simulation) -> str:
    rate = decimal(100 * result.win_rate, 2)
    return message("cli-simulate-rate", rate=rate, interval=interval(*result.interval))


def _averages(result: Simulation) -> Iterator[tuple[str, str]]:
    """Values with their labels; unknown ones are left out."""
    if result.moves_per_win is not None:
        yield decimal(result.moves_per_win, 1), message("cli-simulate-moves-per-win")
    if result.guesses_per_win is not None:
        yield decimal(result.guesses_per_win, 2), message("cli-simulate-guesses-per-win")
    if result.forced_guesses_per_win is not None:
        yield decimal(result.forced_guesses_per_win, 2), message("cli-simulate-forced-guesses")
    if result.survived_odds is not None:
        yield f"{decimal(100 * result.survived_odds, 1)} %", message("cli-simulate-survived-odds")
    if result.guesses_per_game is not None:
        yield decimal(result.guesses_per_game, 2), message("cli-simulate-guesses-per-game")
    if result.cpu_seconds_per_game is not None:
        yield significant(1000 * result.cpu_seconds_per_game), message("cli-simulate-cpu-per-game")
    if result.fallbacks:
        yield number(result.fallbacks), message("cli-simulate-fallbacks")
    if result.forfeits.total:
        yield number(result.forfeits.total), message("cli-simulate-forfeits")


def _draw_comparison(pair: Comparison, console: Console) -> None:
    if pair.difference is None:
        return
    difference = message(
        "cli-simulate-difference", first=pair.first, second=pair.second,
        points=signed_decimal(100 * pair.difference, 2), interval=interval(*pair.interval, signed=True),
    )  # fmt: skip
    console.print()
    print_folded(console, difference)
    only_first, only_second = number(pair.only_first), number(pair.only_second)
    same_games = plural(
        "cli-simulate-same-layouts", pair.games, first=pair.first, second=pair.second, only_first=only_first,
        only_second=only_second,
    )  # fmt: skip
    print_folded(console, same_games, 2)


@contextmanager
def _progress_bar(strategy: str, games: int) -> Iterator[Show]:
    """A progress bar on standard error with the win rate so far."""
    if not has_bar():
        yield lambda _: None
        return
    with games_bar() as progress:
        task = progress.add_task(strategy, total=games, state="", speed="")
        yield lambda result: _advance(progress, task, result)


def _advance(progress: Progress, task: TaskID, result: Simulation) -> None:
    low, high = (decimal(100 * end, 1) for end in result.interval)
    rate = f"{decimal(100 * result.win_rate, 1)} % ({low}-{high})" if result.games else "-"
    advance(progress, task, result.games, rate)
