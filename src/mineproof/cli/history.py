"""``mineproof history``: finished games.

The group itself lists games, and its commands do the rest. Options before the name of a command apply to it, too.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.cli import failure, options, output, progress, summary
from mineproof.cli.failure import usage_error
from mineproof.cli.parameters import Choice, Count, Parsed
from mineproof.cli.phrases import interval
from mineproof.cli.tables import Column, table
from mineproof.errors import STATUS, HistoryError, MineproofError
from mineproof.game import record as saving
from mineproof.history import documents, exchange
from mineproof.history.game_row import IMPORTED, KeptGame
from mineproof.history.history import (
    IMPORTED_BY_ORIGIN,
    ORDERS,
    ORIGINS,
    Added,
    History,
    Order,
    Origin,
    games_json,
    read_day,
)
from mineproof.history.postgresql import is_address
from mineproof.history.store import FILE, MAX_INTEGER
from mineproof.history.summaries import LevelSummary, summary_json
from mineproof.pictures.text import MINE, SAFE
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

LISTED_GAMES = 20  # without --limit
LISTED_BEST_TIMES = 3  # of each kind, without --limit
UNREADABLE = STATUS["syntax"].exit
TIME_MIN_COLUMNS = 100  # on a narrower terminal the table has no time of day
TABLE_MIN_COLUMNS = 76  # on a narrower terminal each game takes two lines
R = TypeVar("R")
Command = Callable[..., R]


# options


def _parse_place(text: str) -> Path | str:
    """A path or the address of a database; ValueError for nothing."""
    if not text:
        raise ValueError
    return text if is_address(text) else Path(text)


_DAY = Parsed("day", read_day, "a day such as 2026-11-01, or a time such as 2026-11-01T18:30")
_PLACE = Parsed("path", _parse_place, "a file, a folder or postgresql://USER@HOST/NAME")
_NUMBER = Count(1, MAX_INTEGER)  # that SQLite can store

_data_option = click.option("--data", type=_PLACE, metavar="PATH",
                            help=f"History to use: a file, the folder of {FILE}, or postgresql://USER@HOST/NAME.  "
                            "[default: the history of 'mineproof play']")  # fmt: skip
_id_argument = click.argument("game_id", type=_NUMBER, metavar="ID")
_budget_option = options.budget_option(" for the guesses of each game")


def _filters(default_limit: str) -> tuple[Callable[[Any], Any], ...]:
    return (*_WHICH, click.option("--limit", type=_NUMBER, metavar="N",
                                  help=f"Maximum number of games.  [default: {default_limit}]"), _ORDER)  # fmt: skip


_WHICH: tuple[Callable[[Any], Any], ...] = (
    options.level_option("all"),
    click.option("--won/--lost", "won", default=None, help="Only games that were won, or lost.  [default: both]"),
    click.option("--with-help/--without-help", "with_help", default=None,
                 help="Only games played with help (hints, odds, undos and so on), or without.  [default: both]"),
    click.option("--since", type=_DAY, metavar="DAY", help="Only games played on this day or later."),
    click.option("--until", type=_DAY, metavar="DAY", help="Only games played on this day or before."),
    click.option("--origin", type=Choice(ORIGINS),
                 help="Only games played here, only imported ones, or all.  [default: all; own for 'best']"),
)  # fmt: skip
_ORDER = click.option("--order", type=Choice(ORDERS),
                      help="Order: latest, fastest, most 3BV, most 3BV/s, fewest clicks, most guesses or luckiest "
                      "first.  [default: date]")  # fmt: skip
_SUMMARY_FILTERS = tuple(_WHICH[place] for place in (0, 2, 3, 4, 5))


def _takes(*parameters: Callable[[Any], Any]) -> Callable[[Command[R]], Command[R | None]]:
    """Give a command options, --json and a history; options before its name apply unless they are repeated."""

    def decorate(function: Command[R]) -> Command[R | None]:
        @functools.wraps(function)
        def command(data: Path | str | None, **others: Any) -> R | None:
            context = click.get_current_context()
            if context.invoked_subcommand is not None:
                return None
            earlier = context.parent.params if context.parent is not None else {}
            for name in others.keys() & earlier.keys():
                source = context.get_parameter_source(name)
                if source is None or source.name == "DEFAULT":
                    others[name] = earlier[name]
            with History.open(data or earlier.get("data")) as history:
                return function(history, **others)

        for parameter in reversed([*parameters, _data_option, options.as_json_option]):
            command = parameter(command)
        return command

    return decorate


# listing


class _Commands(click.Group):
    """Commands in the order of this file, each with its first sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sentences = {name: (one.help or "").partition("\n\n")[0] for name, one in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(sentence.split())) for name, sentence in sentences.items()])


@click.group("history", cls=_Commands, invoke_without_command=True, subcommand_metavar="[COMMAND [ARGS]...]")
@_takes(*_filters(f"{LISTED_GAMES}; all with --json"), options.color_option)
def command(
    history: History, limit: int | None, order: Order | None, origin: Origin | None, as_json: bool, color: str,
    **filters: Any,
) -> None:  # fmt: skip
    """List finished games: best times, streaks, win rates, export and import.

    Without COMMAND, lists the latest games, or those that match the options. 'mineproof play' stores every finished
    game in one file on this machine. Times are local in tables, and UTC in JSON and exports.

    Some games are stored and marked, but do not count for best times and win rates: games on a given board, repeated
    boards, and games continued after their end was undone. Games with help have separate best times. Imported games
    have statistics of their own.

    With --json, schema mineproof/history/1.

    \b
    Examples:
      mineproof history --level expert --won --order time
      mineproof history best
      mineproof history show 12
      mineproof history show 12 --record | mineproof review -
      mineproof history import replays/*.avf
      mineproof history export --to csv -o games.csv
    """
    maximum = limit if as_json or limit else LISTED_GAMES + 1  # one more shows whether there are more
    games = history.games(**filters, imported=IMPORTED_BY_ORIGIN[origin or "all"], order=order or "date", limit=maximum)
    if as_json:
        output.print_json(games_json(games))
        return
    if not games:
        _print_no_games(history)
        return
    with output.drawing(color) as console:
        cut = limit is None and len(games) > LISTED_GAMES
        note = [summary.text(plural("cli-history-first", LISTED_GAMES), "dim")] if cut else []
        summary.show([list(_game_table(games[:LISTED_GAMES] if cut else games, console.width)), note], console)


def _print_no_games(history: History) -> None:
    count = len(history)
    text = plural("cli-history-no-match", count) if count else message("cli-history-empty")
    for line in output.fold(text, output.terminal_width()):
        click.echo(line)


def _columns() -> tuple[Column, ...]:
    return (
        (message("cli-history-head-game"), "right", 4),
        (message("cli-history-head-played"), "left", 10),
        (message("cli-history-head-level"), "left", 12),
        (message("cli-history-head-end"), "left", 4),
        (message("cli-history-head-time"), "right", 8),
        ("3BV", "right", 3),
        ("3BV/s", "right", 5),
        (message("cli-history-head-guesses"), "right", 7),
        (message("cli-history-head-notes"), "left"),
    )


def _game_table(games: Iterable[KeptGame], width: int) -> Iterator[RenderableType]:
    """Each game in columns, or in two lines on a narrow terminal."""
    if width >= TABLE_MIN_COLUMNS:
        rows = table(*_columns())
        for game in games:
            rows.add_row(
                str(game.id), _date_played(game) if width >= TIME_MIN_COLUMNS else _date_played(game)[:10],
                summary.foldable(_level(game)), _end(game), _time(game), str(game.bbbv), _speed(game),
                "" if game.guesses is None else str(game.guesses), summary.foldable(", ".join(_notes(game))),
            )  # fmt: skip
        yield rows
        return
    for game in games:
        seconds = f" {_time(game)} s" if game.ms is not None else ""
        yield summary.text(f"{game.id}  {_level(game)} ") + _end(game) + summary.text(seconds)
        rest = ", ".join([_date_played(game), f"3BV {game.bbbv}", *_notes(game)])
        yield from (summary.text(f"    {line}", "dim") for line in output.fold(rest, width, 4))


def _date_played(game: KeptGame) -> str:
    return message("cli-history-day-unknown") if game.played is None else f"{game.played.astimezone():%Y-%m-%d %H:%M}"


def _level(game: KeptGame | LevelSummary) -> str:
    return f"{game.level} ({game.rules})" if game.rules else game.level


def _end(game: KeptGame) -> Text:
    return summary.text(_result(game), SAFE.style if game.won else MINE.style)


def _result(game: KeptGame) -> str:
    return message("cli-won") if game.won else message("cli-lost")


def _time(game: KeptGame) -> str:
    return "" if game.seconds is None else decimal(game.seconds, 3)


def _speed(game: KeptGame) -> str:
    return "" if game.bbbv_per_second is None else decimal(game.bbbv_per_second, 2)


def _notes(game: KeptGame) -> Iterator[str]:
    """Marks of a game, in a word each."""
    if game.with_help is not False:
        yield message("cli-history-help") if game.with_help else message("cli-history-help-unknown")
    yield from _unranked_notes(game)


def _unranked_notes(game: KeptGame) -> Iterator[str]:
    """Why a game does not count, and its player."""
    if game.given:
        yield message("cli-history-given")
    if game.again:
        yield message("cli-history-again")
    if game.revived:
        yield message("cli-history-revived")
    if game.imported:
        yield message("cli-history-imported")
    if game.player is not None:
        yield game.player


# best times


@command.command("best")
@_takes(
    *_SUMMARY_FILTERS,
    click.option("--limit", type=_NUMBER, metavar="N", help="Number of best times of each kind.  [default: 3]"),
    options.color_option,
)  # fmt: skip
def _best(
    history: History, limit: int | None, origin: Origin | None, as_json: bool, color: str, **filters: Any
) -> None:
    """Show the hall of fame: best times per level, streaks and win rates.

    Best times are of won games, separately without and with help. Games with other rules (topology, fairness, boards
    without guesses) are separate levels. Of two equal times, the earlier game comes first. A game counts for the win
    rate but has no best time if it is unknown whether help was used. Imported games are left out, unless --origin
    includes them.

    With --json, schema mineproof/summary/1.

    \b
    Examples:
      mineproof history best
      mineproof history best --level expert --without-help --since 2026-11-01
      mineproof history name 12 Ann
    """
    filters["imported"] = IMPORTED_BY_ORIGIN[origin or "own"]
    levels = history.summaries(**filters)
    if as_json:
        output.print_json(summary_json(levels))
    elif not levels:
        _print_no_games(history)
    else:
        with output.drawing(color) as console:
            blocks = (list(_hall(history, level, limit or LISTED_BEST_TIMES, filters)) for level in levels)
            summary.show(blocks, console)


def _hall(history: History, level: LevelSummary, limit: int, filters: dict[str, Any]) -> Iterator[RenderableType]:
    yield summary.text(_level(level), "bold")
    yield summary.text(_rate(level))
    yield summary.text(plural("cli-history-streak", level.longest_streak, current=number(level.current_streak)))
    if level.bbbv_per_second is not None:
        yield summary.text(message("cli-history-speed", speed=decimal(level.bbbv_per_second, 2)))
    columns: tuple[Column, ...] = (("", "right", 8), ("", "left", 10), ("", "right"), ("", "left"))
    for helped in (False, True):
        if filters["with_help"] not in (None, helped):
            continue
        best = history.best_times(
            level.level, topology=level.topology, fairness=level.fairness, no_guess=level.no_guess, with_help=helped,
            imported=filters["imported"], since=filters["since"], until=filters["until"], limit=limit,
        )  # fmt: skip
        if best:
            yield summary.text(message("cli-history-with-help" if helped else "cli-history-without-help"), "dim")
            rows = table(*columns, heads=False)
            for game in best:
                rows.add_row(
                    _time(game),
                    _date_played(game)[:10],
                    message("cli-history-game", id=game.id),
                    summary.foldable(game.player or ""),
                )
            yield rows


def _rate(level: LevelSummary) -> str:
    games = plural("cli-history-games-won", level.games, won=number(level.wins))
    if level.win_rate is None:
        return games
    return f"{games}: {decimal(100 * level.win_rate, 1)} % ({interval(*level.interval, 1)} %)"


# one game


@command.command("show")
@_id_argument
@_takes(
    click.option(
        "--record", "as_record", is_flag=True, help="Print only the record, which 'mineproof review -' reads."
    ),
    _budget_option,
    options.color_option,
)
def _show(history: History, game_id: int, as_record: bool, budget: float, as_json: bool, color: str) -> None:
    """Review a game, as 'mineproof review' does.

    With --json, schema mineproof/history/1 with the game and its review.

    \b
    Examples:
      mineproof history show 12
      mineproof history show 12 --record | mineproof review -
    """
    from mineproof.cli import review as review_command
    from mineproof.game.reviews import review

    game, record = history.game(game_id), history.record(game_id)
    if as_record:
        click.echo(saving.to_json(record))
        return
    with progress.waiting(Budget(seconds=budget)) as limit:
        game_review = review(record, budget=limit)
    if as_json:
        output.print_json(games_json([game]) | {"review": game_review.as_json()})
        return
    with output.drawing(color) as console:
        title = message("cli-history-game", id=game.id)
        played = message("cli-history-played", time=_date_played(game))
        console.print(summary.text(", ".join([title, played, _level(game), *_details(game)]), "dim"))
        review_command.draw(game_review, console)


def _details(game: KeptGame) -> Iterator[str]:
    """The help used in a game, where the game comes from, and its marks."""
    if game.help_used is None:
        yield message("cli-history-help-not-known")
    elif not game.help_used:
        yield message("cli-history-no-help")
    else:
        counts = {name: sum(count) if isinstance(count, list) else count for name, count in game.help_used.items()}
        kinds = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
        yield message("cli-history-help-used", kinds=kinds)
    if game.source not in ("play", IMPORTED):
        yield message("cli-history-source", source=game.source)
    yield from _unranked_notes(game)


@command.command("name")
@_id_argument
@click.argument("name", required=False)
@_takes()
def _name(history: History, game_id: int, name: str | None, as_json: bool) -> None:
    """Set or remove the player name of a game.

    Without NAME, the name is removed. The hall of fame shows the names.

    With --json, schema mineproof/history/1 with the game.

    \b
    Examples:
      mineproof history name 12 Ann
    """
    try:
        game = history.name(game_id, name)
    except ValueError as error:
        raise usage_error(error) from None
    if as_json:
        output.print_json(games_json([game]))
    else:
        key = "cli-history-name-removed" if game.player is None else "cli-history-name-stored"
        click.echo(message(key, id=game.id, player=game.player))


# in and out


@command.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="FILES...", type=click.Path(path_type=Path))
@_takes(
    click.option("--player", metavar="NAME", help="Player name to store.  [default: as in the file]"),
    click.option("--mine", is_flag=True, help="Count the games as your own, as if they were played here."),
    click.option("--no-help", is_flag=True, help="Store that no help was used, if a file does not say."),
    click.option("--file-dates", is_flag=True, help="If a file has no date, use the time of its last change."),
    _budget_option,
)
def _import(
    history: History, paths: tuple[Path, ...], player: str | None, mine: bool, no_help: bool, file_dates: bool,
    budget: float, as_json: bool,
) -> int:  # fmt: skip
    """Import saved games, replays (AVF, EVF, MVF, RMV, RAWVF) and files of 'export --to jsonl'.

    A file that cannot be read is reported, and the others are imported. The exit status is then 3, or 2 if the file
    could not be opened. A game that is already stored is not stored twice. Unfinished games are refused. A game without
    a time has no best time. Imported games do not count for your own best times and win rates, unless you pass --mine.

    With --json, schema mineproof/imported/1.

    \b
    Examples:
      mineproof history import ~/.local/state/mineproof/game.json --file-dates
      mineproof history import replays/*.avf --player Ann
    """
    if player is not None:
        _check_name(player)
    status, imports = 0, []
    for path in paths:
        games: list[Added] = []
        failure_of_file: MineproofError | OSError | None = None
        try:
            when = datetime.fromtimestamp(path.stat().st_mtime).astimezone() if file_dates else None
            games = history.import_file(
                path, help_used={} if no_help else None, when=when, player=player, mine=mine, budget=budget
            )
        except HistoryError:
            raise  # the history cannot be written, so the next file would fail too
        except (MineproofError, OSError) as error:
            failure_of_file = error
            status = max(status, UNREADABLE if isinstance(error, MineproofError) else failure.USAGE)
        imports.append(documents.ImportedFile(str(path), games, failure_of_file))
        if not as_json:
            _print_import(path, games, failure_of_file)
    if as_json:
        output.print_json(documents.imported_json(imports))
    return status


def _check_name(player: str) -> None:
    try:
        exchange.check_name("player", player)
    except ValueError as error:
        raise usage_error(error) from None


def _print_import(path: Path, games: list[Added], error: MineproofError | OSError | None) -> None:
    if error is not None:
        output.note(f"{path}: {files.cause(error) if isinstance(error, OSError) else error}")
    elif len(games) == 1:
        ((game, new),) = games
        description = f"{_level(game)}, {_result(game)}" + (f", {_time(game)} s" if game.ms else "")
        key = "cli-history-added-one" if new else "cli-history-known-one"
        click.echo(f"{path}: " + message(key, id=game.id, game=description))
    else:
        new_games = sum(added.new for added in games)
        click.echo(f"{path}: " + plural("cli-history-added", new_games, known=number(len(games) - new_games)))


@command.command("export")
@_takes(
    *_filters("all"),
    click.option("--to", "format_", type=Choice(exchange.EXPORTS), show_default=True, default="csv",
                 help="Format: a table, or JSON lines with the records."),
    options.output_file_option("Write to this new file instead of standard output."),
)  # fmt: skip
def _export(
    history: History, limit: int | None, order: Order | None, origin: Origin | None, format_: exchange.Export,
    path: Path | None, as_json: bool, **filters: Any,
) -> None:  # fmt: skip
    """Write games as a CSV table, or as JSON lines that 'import' reads.

    Each JSON line has schema mineproof/kept/1 and the record of a game. With --json, which needs -o, schema
    mineproof/exported/1.

    \b
    Examples:
      mineproof history export --level expert > expert.csv
      mineproof history export --to jsonl -o games.jsonl
    """
    if as_json and path is None:
        raise click.UsageError("--json needs -o FILE. --to jsonl writes the games themselves as JSON.")
    if path is not None and path.exists():
        raise click.UsageError(f"{path} already exists. Remove it, or choose another name.")
    games = history.games(**filters, imported=IMPORTED_BY_ORIGIN[origin or "all"], order=order or "date", limit=limit)
    lines = history.export(format_, games)
    if path is None:
        for line in lines:
            click.echo(line)
        return
    files.write(path, "".join(f"{line}\n" for line in lines))
    if as_json:
        output.print_json(documents.exported_json(str(path), len(games)))
    else:
        click.echo(f"{path}: " + plural("cli-games", len(games)))


# maintenance


@command.command("forget")
@click.argument("game_ids", nargs=-1, type=_NUMBER, metavar="[ID]...")
@_takes(
    click.option("--all", "every", is_flag=True, help="Delete all games."),
    click.option("--yes", is_flag=True, help="Do not ask for confirmation."),
)
def _forget(history: History, game_ids: tuple[int, ...], every: bool, yes: bool, as_json: bool) -> None:
    """Delete games for good.

    Export them first to be able to restore them. Asks on a terminal; elsewhere --yes is required.

    With --json, schema mineproof/forgotten/1.

    \b
    Examples:
      mineproof history forget 12 13
      mineproof history export --to jsonl -o games.jsonl && mineproof history forget --all --yes
    """
    if every == bool(game_ids):
        raise click.UsageError("Pass the numbers of games, or --all.")
    for game_id in game_ids:
        history.game(game_id)  # raises an error if there is no such game
    count = len(history) if every else len(set(game_ids))
    if not yes and count:
        if not _can_ask():
            raise click.UsageError(f"Deleting games ({count}) needs --yes if standard input is not a terminal.")
        if not click.confirm(plural("cli-history-confirm-delete", count), err=True):
            raise click.Abort
    deleted = history.forget(None if every else game_ids)
    if as_json:
        output.print_json(documents.forgotten_json(deleted))
    else:
        click.echo(plural("cli-history-deleted", len(deleted)))


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


@command.command("fill")
@_takes(_budget_option)
def _fill(history: History, budget: float, as_json: bool) -> None:
    """Compute guesses and luck of games for which this took too long when they were added.

    With --json, schema mineproof/filled/1.

    \b
    Examples:
      mineproof history fill --budget 600
    """
    with progress.waiting(Budget(seconds=budget)) as limit:
        filled = history.fill(budget=limit)
    left = history.unfilled
    if as_json:
        output.print_json(documents.filled_json(filled, left))
    else:
        click.echo(plural("cli-history-filled", filled, left=number(left)))
