"""``mineproof simulate --weighted``: survival-weighted games of one strategy, or a comparison of two."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.cli import output
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.interrupts import interruptible
from mineproof.cli.jobs import Job, note_interruption, print_folded, rival_of
from mineproof.cli.phrases import interval, signed_decimal, significant
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.run_file import RunFile, read
from mineproof.simulation.estimates import Estimate
from mineproof.simulation.tournaments import tournament
from mineproof.simulation.weighted_results import Tournament, WeightedGames
from mineproof.wording.catalogue import decimal, listing, message, number, plural

if TYPE_CHECKING:
    from rich.console import Console

Show = Callable[[Tournament], None]


def simulate_weighted(job: Job, until: float | None) -> int:
    """Play the games, store and print the result, and return the exit status."""
    rival = rival_of(job, _read_first)
    strategies: list[str | WeightedGames] = [job.strategy] if rival is None else [job.strategy, rival]
    run_file = RunFile(job.path, job.resume, job.force, Tournament.from_json)
    earlier = run_file.start()
    with interruptible() as interrupted, _progress_bar(strategies) as show:

        def progress(result: Tournament) -> None:
            show(result)
            run_file.update(result)

        with job.reporting_usage(resumed=earlier is not None):
            result = tournament(
                *job.size, strategies=strategies, games=job.games, until=until, first_click=job.first_click,
                start=job.start, seed=job.seed, topology=job.topology, threads=job.threads, resume=earlier,
                progress=progress, cancelled=interrupted,
            )  # fmt: skip
        run_file.write(result)
    if job.as_json:
        output.print_json(result.as_json())
    elif result.games:
        with output.drawing("never") as console:
            _draw_tournament(job, result, console)
    if interrupted():
        note_interruption(result.games)
    return INTERRUPTED if interrupted() else 0


def _read_first(path: Path) -> WeightedGames:
    """Read the games of the first strategy in a file."""
    return read(path, Tournament.from_json).players[0]


# text


def _draw_tournament(job: Job, result: Tournament, console: Console) -> None:
    job.draw(console)
    console.print()
    print_folded(console, _games_label(result))
    for player in result.players:
        console.print()
        print_folded(console, f"{player.strategy}: {_format_rate(player.estimate)}")
        if player.cpu_seconds:
            cpu = significant(1000 * player.cpu_seconds / player.games)
            print_folded(console, f"{cpu} {message('cli-simulate-cpu-per-game')}", 2)
        if player.blind:
            print_folded(console, plural("cli-weighted-blind", player.blind), 2)
        if player.forfeits.total:
            print_folded(console, f"{number(player.forfeits.total)} {message('cli-simulate-forfeits')}", 2)
    if len(result.players) > 1:
        first, second = (player.strategy for player in result.players)
        console.print()
        pair = message("cli-weighted-pair", first=first, second=second)
        print_folded(console, f"{pair}: {_format_difference(result.difference())}")


def _games_label(result: Tournament) -> str:
    if result.until is not None and not result.is_sure:
        return plural("cli-weighted-games-unsure", result.games, until=significant(result.until, 6))
    if result.is_complete:
        return plural("cli-weighted-games", result.games)
    return plural("cli-weighted-games-of", result.asked, games=number(result.games))


def _format_rate(estimate: Estimate) -> str:
    if estimate.value is None:
        return message("cli-weighted-no-games")
    rate = message("cli-simulate-rate", rate=decimal(100 * estimate.value, 2), interval=interval(*estimate.interval))
    return rate + _format_error(estimate)


def _format_difference(estimate: Estimate) -> str:
    if estimate.value is None:
        return message("cli-weighted-no-games")
    points = signed_decimal(100 * estimate.value, 2)
    between = interval(*estimate.interval, signed=True)
    return message("cli-weighted-points", points=points, interval=between) + _format_error(estimate)


def _format_error(estimate: Estimate) -> str:
    if estimate.deviation is None or estimate.standard_error is None:
        return ""
    error, deviation = decimal(100 * estimate.standard_error, 3), decimal(100 * estimate.deviation, 1)
    return "; " + message("cli-weighted-error", error=error, deviation=deviation)


def _expected_games(result: Tournament, known: Estimate) -> int | None:
    """The number of games that the run will take, if it can be estimated."""
    if result.until is None:
        return result.asked
    if not known.standard_error:
        return None
    return min(result.asked, math.ceil(result.games * max(1.0, (100 * known.standard_error / result.until) ** 2)))


@contextmanager
def _progress_bar(strategies: list[str | WeightedGames]) -> Iterator[Show]:
    """A progress bar on standard error with the estimate so far."""
    if not has_bar():
        yield lambda _: None
        return
    names = [strategy if isinstance(strategy, str) else strategy.strategy for strategy in strategies]
    with games_bar() as progress:
        task = progress.add_task(listing(names), total=None, state="", speed="")

        def show(result: Tournament) -> None:
            known = result.difference() if len(result.players) > 1 else result.players[0].estimate
            progress.update(task, total=_expected_games(result, known))
            error = "" if known.standard_error is None else f" ± {decimal(100 * known.standard_error, 3)}"
            advance(progress, task, result.games, f"{decimal(100 * (known.value or 0), 2)}{error}")

        yield show
