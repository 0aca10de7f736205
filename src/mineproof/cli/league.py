"""``mineproof league``: strategies and bots on the same layouts, with a table and a page."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import files
from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.cli import options, output
from mineproof.cli.failure import INTERRUPTED, usage_error
from mineproof.cli.input import StrategyName
from mineproof.cli.interrupts import interruptible
from mineproof.cli.jobs import note_interruption, start_label
from mineproof.cli.parameters import Count
from mineproof.cli.phrases import board_and_mines, interval, signed_decimal, significant
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.tables import table
from mineproof.cli.variant_options import is_given
from mineproof.errors import OutsideError
from mineproof.leagues.league_api import DEFAULT_GAMES, FILE, league
from mineproof.leagues.page import files_of, time_and_unit
from mineproof.leagues.results import League
from mineproof.reports.labels import short_name
from mineproof.simulation.estimates import Estimate
from mineproof.simulation.forfeits import Forfeits
from mineproof.simulation.series import StartCell
from mineproof.wording.catalogue import decimal, message, plural

if TYPE_CHECKING:
    from rich.console import Console

PLAYER_COLUMNS = 20  # of the table, at least


@click.command("league")
@click.argument("players", nargs=-1, required=True, metavar="ENGINE...",
                type=StrategyName(deciding=False, bots=True))  # fmt: skip
@options.level_option("expert")
@click.option("--games", type=Count(1), default=DEFAULT_GAMES, show_default=True, metavar="N",
              help="Number of games of each player.")  # fmt: skip
@click.option("--weighted", is_flag=True,
              help="Survive every guess, and weight each game by the chance of that. Small differences then need far "
              "fewer games.")  # fmt: skip
@options.first_click_option()
@options.start_option("as in simulate", random=True)
@options.seed_option(0)
@options.topology_option()
@options.threads_option()
@options.output_folder_option(f"Store the games in {FILE} of this folder, and write a page with table and plots.")
@click.option("--resume", is_flag=True, help="Continue the league in DIR, also with more games.")
@options.as_json_option
def command(
    players: tuple[str, ...],
    level: str | None,
    games: int,
    weighted: bool,
    first_click: FirstClick,
    start: StartCell | None,
    seed: int,
    topology: Topology,
    threads: int | None,
    path: Path | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Let strategies and bots play the same layouts, and print a table.

    ENGINE is the name of a strategy, or exec:COMMAND for a program that speaks the engine protocol (docs/protocol.md).
    The table has the win rate of each player with its 95 % interval, the difference from the best player on the same
    games, and the time per game. A bot that fails loses the game. Lines below the table count these games.

    Ctrl-C prints the table so far and exits with status 130. With -o DIR the games are stored, and --resume continues.

    \b
    Examples:
      mineproof league fast strong go --level beginner
      mineproof league strong 'exec:./mybot' --games 500 --weighted
      mineproof league fast strong 'exec:node examples/bot.mjs' -o league
      mineproof league fast strong 'exec:node examples/bot.mjs' -o league --games 5000 --resume
    """
    if resume and path is None:
        raise click.UsageError("--resume needs -o DIR")
    try:
        with interruptible() as interrupted, _progress_bar() as show:
            result = league(
                players, level or "expert", games=games, weighted=weighted, first_click=first_click, start=start,
                seed=seed, topology=topology, threads=threads, path=path, resume=resume, progress=show,
                cancelled=interrupted,
            )  # fmt: skip
    except OutsideError:
        raise
    except ValueError as error:
        raise usage_error(error) from None
    if path is not None:
        for name, content in files_of(result).items():
            files.write(path / name, content)
    if as_json:
        output.print_json(result.as_json())
    else:
        with output.drawing("never") as console:
            _draw_league(result, console)
    if not interrupted():
        return 0
    note_interruption(result.games)
    if path is not None:
        output.note(message("cli-resume", command=_resume_command(players)))
    return INTERRUPTED


def _resume_command(players: tuple[str, ...]) -> str:
    """The command that continues this league: the same one, with the options that were given, and ``--resume``."""
    context = click.get_current_context()
    words = ["mineproof", "league", *players]
    for option in context.command.params:
        name = option.name or ""
        if not isinstance(option, click.Option) or name in ("resume", "as_json") or not is_given(name):
            continue
        value = context.params[name]
        words.append(max(option.opts, key=len))
        if not option.is_flag:
            words.append(",".join(map(str, value)) if isinstance(value, tuple) else str(value))
    return shlex.join([*words, "--resume"])


def _draw_league(result: League, console: Console) -> None:
    first = result.players[0]
    board = board_and_mines(first.rows, first.columns, first.mines, first.topology)
    start = start_label(first.start)
    console.print(message("cli-simulate-head", board=board, rule=first.first_click, start=start, seed=first.seed))
    if not result.table():
        return
    console.print()
    rows = table(
        (message("cli-league-head-player"), "left", PLAYER_COLUMNS), (message("cli-sweep-head-won"), "right"),
        (message("cli-sweep-head-interval"), "right"), (message("cli-league-head-behind"), "right"),
        (message("cli-league-head-time"), "right"),
    )  # fmt: skip
    rows.columns[0].overflow = "fold"  # two bots may differ in the end of their commands only
    for row in result.table():
        behind = "" if row.behind is None else _difference(row.behind)
        rows.add_row(
            short_name(row.strategy), f"{decimal(100 * row.win_rate, 2)} %", interval(*row.interval), behind,
            _time(row.seconds),
        )  # fmt: skip
    console.print(rows)
    console.print()
    for player in result.players:
        if player.forfeits.total:
            console.print(_describe_forfeits(player.strategy, player.forfeits))
    console.print(plural("cli-league-games", result.games))
    if not result.is_complete:
        console.print(plural("cli-simulate-requested", result.goal))


def _describe_forfeits(strategy: str, forfeits: Forfeits) -> str:
    first = forfeits.first[0]
    name, reason = short_name(strategy), first.reason.rstrip(".")
    return plural("cli-league-forfeits", forfeits.total, player=name, game=first.game, reason=reason)


def _difference(behind: Estimate) -> str:
    """The difference with half of its interval."""
    low, high = behind.interval
    return f"{signed_decimal(100 * (behind.value or 0.0), 2)} ± {decimal(50 * (high - low), 2)}"


def _time(seconds: float) -> str:
    value, unit = time_and_unit(seconds)
    return f"{significant(value)} {unit}"


@contextmanager
def _progress_bar() -> Iterator[Callable[[League], object] | None]:
    """A progress bar on standard error with the games of all players."""
    if not has_bar():
        yield None
        return
    with games_bar() as bar:
        task = bar.add_task("league", total=None, state="", speed="")

        def show(result: League) -> None:
            played = sum(player.games for player in result.players)
            bar.update(task, total=result.goal * len(result.players))
            best = max(result.players, key=lambda player: player.win_rate or 0.0)
            advance(bar, task, played, best.strategy[:30])

        yield show
