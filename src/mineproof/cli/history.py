"""``mineproof history``: the games that were finished.

The group itself lists games; what else can be done with them is a command below it. Options given before the name of
such a command hold for it, too.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mineproof.base import files
from mineproof.base.budget import DEFAULT, Budget
from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.cli import failure, output, progress, summary
from mineproof.cli.input import level_name, positive_seconds
from mineproof.cli.tables import Column, table
from mineproof.errors import STATUS, HistoryError, MineproofError, error_json
from mineproof.game import record as saving
from mineproof.history import exchange
from mineproof.history.history import ORDERS, Added, History, Order, games_json, read_day
from mineproof.history.kept import KeptGame
from mineproof.history.postgresql import is_address
from mineproof.history.store import FILE, LARGEST
from mineproof.history.summaries import LevelSummary, summary_json
from mineproof.pictures.text import MINE, SAFE

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

LISTED = 20  # games, unless another number is asked for
BEST = 3  # times of each kind, likewise
UNREADABLE = STATUS["syntax"].exit
WIDER = 100  # columns from which on there is room for the time of day
WIDE = 76  # columns from which on there is room for all of a table
R = TypeVar("R")
Command = Callable[..., R]


# options


def _day(text: str) -> date | datetime:
    try:
        return read_day(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def _count(text: str) -> int:
    """A number from 1 on that SQLite can hold."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= LARGEST):
        raise click.BadParameter(f"found {quote(text)}, expected a whole number from 1 on")
    return int(text)


def _place(text: str) -> Path | str:
    if not text:
        raise click.BadParameter("found nothing, expected a file or a folder")
    return text if is_address(text) else Path(text)


_data_option = click.option("--data", type=_place, metavar="PATH",
                            help=f"The history, a file or the folder of {FILE}, or postgresql://USER@HOST/NAME, "
                            "instead of the usual one.")  # fmt: skip
_id_argument = click.argument("game_id", type=_count, metavar="ID")
_budget_option = click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True,
                              metavar="SECONDS", help="Give up on a game's guesses after this time.")  # fmt: skip
_FILTERS = (
    click.option("--level", type=level_name, metavar="SIZE",
                 help="A level (beginner, beginner8, intermediate, expert) or WxHxM."),
    click.option("--won/--lost", "won", default=None, help="Games that were won, or lost."),
    click.option("--with-help/--without-help", "with_help", default=None,
                 help="Games that were played with help (hints, odds, undos and so on), or without."),
    click.option("--since", type=_day, metavar="DAY", help="Played on this day or later, such as 2026-11-01."),
    click.option("--until", type=_day, metavar="DAY", help="Played on this day or before."),
    click.option("--limit", type=_count, metavar="N", help="At most so many.  [default: 20; all with --json]"),
    click.option("--order", type=click.Choice(ORDERS),
                 help="Latest first, fastest, most 3BV, most 3BV a second, fewest clicks, most guesses, luckiest.  "
                 "[default: date]"),
)  # fmt: skip
_PERIOD = tuple(_FILTERS[place] for place in (0, 2, 3, 4))  # what a summary can be restricted to


def _takes(*options: Callable[[Any], Any]) -> Callable[[Command[R]], Command[R | None]]:
    """Give a command options, --json and a history; what was given before its name holds unless it is given again."""

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

        for option in reversed([*options, _data_option, output.as_json_option]):
            command = option(command)
        return command

    return decorate


# listing


class _Commands(click.Group):
    """Commands in the order in which they are written here, each with all of its first sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sentences = {name: (each.help or "").partition("\n\n")[0] for name, each in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(words.split())) for name, words in sentences.items()])


@click.group("history", cls=_Commands, invoke_without_command=True, subcommand_metavar="[COMMAND [ARGS]...]")
@_takes(*_FILTERS, output.color_option)
def command(history: History, limit: int | None, order: Order | None, as_json: bool, color: str, **asked: Any) -> None:
    """List the games that were finished: best times, streaks, win rates, export and import.

    Without COMMAND the latest games are listed, or those that the options ask for. Every game that is finished in
    'mineproof play' is kept, in one file on this machine. Times are local in tables, UTC in JSON and exports.

    Games on a given board, on the same board again, and those that went on after their end was undone are kept and
    marked, but count neither for best times nor for win rates. Games with help have best times of their own.

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
    most = limit if as_json or limit else LISTED + 1  # one more tells whether there are more
    games = history.games(**asked, order=order or "date", limit=most)
    if as_json:
        output.print_json(games_json(games))
        return
    if not games:
        _say_nothing(history)
        return
    with output.drawing(color) as console:
        cut = limit is None and len(games) > LISTED
        note = [summary.text(f"The first {LISTED} are shown; --limit N shows more.", "dim")] if cut else []
        summary.show([list(_table(games[:LISTED] if cut else games, console.width)), note], console)


def _say_nothing(history: History) -> None:
    count = len(history)
    words = (
        f"No game is as asked for; {plural(count, 'game')} {'is' if count == 1 else 'are'} kept."
        if count
        else "No finished game is kept yet. 'mineproof play' adds each game when it is over; "
        "'mineproof history import FILES' takes saved games and replays."
    )
    for line in output.folded(words, output.terminal_width()):
        click.echo(line)


_COLUMNS: tuple[Column, ...] = (
    ("game", "right", 4),
    ("played", "left", 10),
    ("level", "left", 12),
    ("end", "left", 4),
    ("time", "right", 8),
    ("3BV", "right", 3),
    ("3BV/s", "right", 5),
    ("guesses", "right", 7),
    ("notes", "left"),
)


def _table(games: Iterable[KeptGame], width: int) -> Iterator[RenderableType]:
    """Each game in columns, or in two lines where there is no room for them."""
    if width >= WIDE:
        made = table(*_COLUMNS)
        for game in games:
            made.add_row(
                str(game.id), _played(game) if width >= WIDER else _played(game)[:10], _foldable(_kind(game)),
                _end(game), _time(game), str(game.bbbv), _speed(game),
                "" if game.guesses is None else str(game.guesses), _foldable(", ".join(_notes(game))),
            )  # fmt: skip
        yield made
        return
    for game in games:
        seconds = f" {_time(game)} s" if game.ms is not None else ""
        yield summary.text(f"{game.id}  {_kind(game)} ") + _end(game) + summary.text(seconds)
        rest = ", ".join([_played(game), f"3BV {game.bbbv}", *_notes(game)])
        yield from (summary.text(f"    {line}", "dim") for line in output.folded(rest, width, 4))


def _foldable(words: str) -> Text:
    """Words of which even one may be longer than its column."""
    from rich.text import Text

    return Text(words, overflow="fold")


def _played(game: KeptGame) -> str:
    return "unknown" if game.played is None else f"{game.played.astimezone():%Y-%m-%d %H:%M}"


def _kind(game: KeptGame | LevelSummary) -> str:
    return f"{game.level} ({game.rules})" if game.rules else game.level


def _end(game: KeptGame) -> Text:
    return summary.text("won", SAFE.style) if game.won else summary.text("lost", MINE.style)


def _time(game: KeptGame) -> str:
    return "" if game.seconds is None else f"{game.seconds:.3f}"


def _speed(game: KeptGame) -> str:
    return "" if game.bbbv_per_second is None else f"{game.bbbv_per_second:.2f}"


def _notes(game: KeptGame) -> Iterator[str]:
    """What sets a game apart, in a word each."""
    if game.with_help is not False:
        yield "help" if game.with_help else "help?"
    if game.given:
        yield "given"
    if game.again:
        yield "again"
    if game.revived:
        yield "revived"
    if game.player is not None:
        yield game.player


# best times


@command.command("best")
@_takes(
    *_PERIOD,
    click.option("--limit", type=_count, metavar="N", help="So many best times of each kind.  [default: 3]"),
    output.color_option,
)  # fmt: skip
def _best(history: History, limit: int | None, as_json: bool, color: str, **asked: Any) -> None:
    """Show the hall of fame: best times per level, streaks and win rates.

    Best times are those of won games, without help and with it. Other rules (torus, hex, fairness, boards made to need
    no guess) are levels of their own. A time that was reached twice belongs to the earlier game. Games of which nobody
    knows whether help was used count for the win rate, but have no best time.

    With --json, schema mineproof/summary/1.

    \b
    Examples:
      mineproof history best
      mineproof history best --level expert --without-help --since 2026-11-01
      mineproof history name 12 Ann
    """
    found = history.summaries(**asked)
    if as_json:
        output.print_json(summary_json(found))
    elif not found:
        _say_nothing(history)
    else:
        with output.drawing(color) as console:
            blocks = (list(_hall(history, level, limit or BEST, asked)) for level in found)
            summary.show(blocks, console)


def _hall(history: History, level: LevelSummary, limit: int, asked: dict[str, Any]) -> Iterator[RenderableType]:
    yield summary.text(_kind(level), "bold")
    yield summary.text(_rate(level))
    streak = f"{plural(level.longest_streak, 'win')} in a row at most, {level.current_streak} now"
    speed = "" if level.bbbv_per_second is None else f"; {level.bbbv_per_second:.2f} 3BV/s in won games"
    yield summary.text(streak + speed)
    columns: tuple[Column, ...] = (("", "right", 8), ("", "left", 10), ("", "right"), ("", "left"))
    for helped in (False, True):
        if asked["with_help"] not in (None, helped):
            continue
        best = history.best_times(
            level.level, topology=level.topology, fairness=level.fairness, no_guess=level.no_guess, with_help=helped,
            since=asked["since"], until=asked["until"], limit=limit,
        )  # fmt: skip
        if best:
            yield summary.text("with help" if helped else "without help", "dim")
            made = table(*columns, heads=False)
            for game in best:
                made.add_row(_time(game), _played(game)[:10], f"game {game.id}", _foldable(game.player or ""))
            yield made


def _rate(level: LevelSummary) -> str:
    games = f"{plural(level.games, 'game')}, {level.wins:,} won"
    if level.win_rate is None:
        return games
    low, high = (f"{100 * end:.1f}" for end in level.interval)
    return f"{games}: {100 * level.win_rate:.1f} % ({low} to {high} %)"


# one game


@command.command("show")
@_id_argument
@_takes(
    click.option(
        "--record", "as_record", is_flag=True, help="Print the record alone, which 'mineproof review -' reads."
    ),
    _budget_option,
    output.color_option,
)
def _show(history: History, game_id: int, as_record: bool, budget: float, as_json: bool, color: str) -> None:
    """Look back upon a game, as 'mineproof review' does.

    With --json, schema mineproof/history/1 with the game and its review.

    \b
    Examples:
      mineproof history show 12
      mineproof history show 12 --record | mineproof review -
    """
    from mineproof.cli import review as looking_back
    from mineproof.game.reviews import review

    game, record = history.game(game_id), history.record(game_id)
    if as_record:
        click.echo(saving.to_json(record))
        return
    with progress.waiting(Budget(seconds=budget)) as limit:
        found = review(record, budget=limit)
    if as_json:
        output.print_json(games_json([game]) | {"review": found.as_json()})
        return
    with output.drawing(color) as console:
        about = ", ".join([f"game {game.id}", f"played {_played(game)}", _kind(game), *_help_words(game)])
        console.print(summary.text(about, "dim"))
        looking_back.draw(found, console)


def _help_words(game: KeptGame) -> Iterator[str]:
    if game.help_used is None:
        yield "help unknown"
    elif not game.help_used:
        yield "no help"
    else:
        used = {name: sum(count) if isinstance(count, list) else count for name, count in game.help_used.items()}
        yield "help: " + ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in used.items())
    if game.source != "play":
        yield f"source: {game.source}"
    yield from (note for note in _notes(game) if note not in ("help", "help?"))


@command.command("name")
@_id_argument
@click.argument("name", required=False)
@_takes()
def _name(history: History, game_id: int, name: str | None, as_json: bool) -> None:
    """Put a name to a game, for the hall of fame; without NAME take it off.

    With --json, schema mineproof/history/1 with the game.

    \b
    Examples:
      mineproof history name 12 Ann
    """
    try:
        game = history.name(game_id, name)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        output.print_json(games_json([game]))
    else:
        click.echo(f"Game {game.id} is {'nobody' if game.player is None else game.player}'s.")


# in and out


@command.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="FILES...", type=click.Path(path_type=Path))
@_takes(
    click.option("--player", metavar="NAME", help="Who played them, whatever the files say."),
    click.option("--no-help", is_flag=True, help="They were played without help, where a file does not tell."),
    click.option("--file-dates", is_flag=True, help="Where a file tells no date, take when it was last changed."),
    _budget_option,
)
def _import(
    history: History, paths: tuple[Path, ...], player: str | None, no_help: bool, file_dates: bool, budget: float,
    as_json: bool,
) -> int:  # fmt: skip
    """Take in saved games, replays (AVF, EVF, MVF, RMV, RAWVF), and what 'export --to jsonl' wrote.

    A file that cannot be read is told, the others are taken in; then the exit status is 3, or 2 if it could not be
    opened. A game that is kept already is not kept twice. Games that are still on are refused. A game without a time
    has no best time.

    With --json, schema mineproof/imported/1.

    \b
    Examples:
      mineproof history import ~/.local/state/mineproof/game.json --file-dates
      mineproof history import replays/*.avf --player Ann
    """
    if player is not None:
        _checked_name(player)
    status, told = 0, []
    for path in paths:
        games: list[Added] = []
        failed: MineproofError | OSError | None = None
        try:
            when = datetime.fromtimestamp(path.stat().st_mtime).astimezone() if file_dates else None
            games = history.import_file(
                path, help_used={} if no_help else None, when=when, player=player, budget=budget
            )
        except HistoryError:
            raise  # it is the history that cannot be written, and the next file would fare no better
        except (MineproofError, OSError) as error:
            failed = error
            status = max(status, UNREADABLE if isinstance(error, MineproofError) else failure.USAGE)
        told.append((path, games, failed))
        if not as_json:
            _tell(path, games, failed)
    if as_json:
        output.print_json(_imported_json(told))
    return status


Imported = tuple[Path, list[Added], MineproofError | OSError | None]


def _checked_name(player: str) -> None:
    try:
        exchange.label("player", player)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _tell(path: Path, games: list[Added], failed: MineproofError | OSError | None) -> None:
    if failed is not None:
        output.note(f"{path}: {_reason(failed)}")
    elif len(games) == 1:
        ((game, new),) = games
        end = f"{_kind(game)}, {'won' if game.won else 'lost'}" + (f", {_time(game)} s" if game.ms else "")
        click.echo(f"{path}: {'added as' if new else 'known already, as'} game {game.id} ({end})")
    else:
        fresh = sum(added.new for added in games)
        click.echo(f"{path}: {plural(fresh, 'game')} added, {len(games) - fresh:,} known already")


def _reason(failed: MineproofError | OSError) -> str:
    return failed.strerror or str(failed) if isinstance(failed, OSError) else str(failed)


def _imported_json(told: list[Imported]) -> dict[str, object]:
    return {
        "schema": "mineproof/imported/1",
        "added": sum(added.new for _, games, _ in told for added in games),
        "known": sum(not added.new for _, games, _ in told for added in games),
        "failed": sum(failed is not None for _, _, failed in told),
        "files": [
            {
                "file": str(path),
                "games": [{"id": added.game.id, "new": added.new} for added in games],
                "error": None if failed is None else _error_json(failed),
            }
            for path, games, failed in told
        ],
    }


def _error_json(failed: MineproofError | OSError) -> dict[str, object]:
    return failed.as_json() if isinstance(failed, MineproofError) else error_json("file", _reason(failed))


@command.command("export")
@_takes(
    *_FILTERS,
    click.option("--to", "format_", type=click.Choice(exchange.EXPORTS), show_default=True, default="csv",
                 help="A table, or JSON lines with the records."),
    click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="Write a file, which must not exist yet, instead of standard output."),
)  # fmt: skip
def _export(
    history: History, limit: int | None, order: Order | None, format_: exchange.Export, path: Path | None,
    as_json: bool, **asked: Any,
) -> None:  # fmt: skip
    """Write games as a CSV table, or as JSON lines that 'import' reads.

    Each line of the latter is a mineproof/kept/1 with the game's record in it. With --json, which goes with -o, schema
    mineproof/exported/1.

    \b
    Examples:
      mineproof history export --level expert > expert.csv
      mineproof history export --to jsonl -o games.jsonl
    """
    if as_json and path is None:
        raise click.UsageError("--json goes with -o FILE; --to jsonl writes the games themselves as JSON")
    if path is not None and path.exists():
        raise click.UsageError(f"found {path}, which exists already: remove it, or name another file")
    games = history.games(**asked, order=order or "date", limit=limit)
    lines = history.export(format_, games)
    if path is None:
        for line in lines:
            click.echo(line)
        return
    files.write(path, "".join(f"{line}\n" for line in lines), private=True)
    if as_json:
        output.print_json({"schema": "mineproof/exported/1", "file": str(path), "games": len(games)})
    else:
        click.echo(f"{path}: {plural(len(games), 'game')}")


# upkeep


@command.command("forget")
@click.argument("game_ids", nargs=-1, type=_count, metavar="[ID]...")
@_takes(
    click.option("--all", "every", is_flag=True, help="All games there are."),
    click.option("--yes", is_flag=True, help="Do not ask."),
)
def _forget(history: History, game_ids: tuple[int, ...], every: bool, yes: bool, as_json: bool) -> None:
    """Delete games.

    They cannot be brought back, unless they were exported before. Asks on a terminal; elsewhere --yes is needed.

    With --json, schema mineproof/forgotten/1.

    \b
    Examples:
      mineproof history forget 12 13
      mineproof history export --to jsonl -o games.jsonl && mineproof history forget --all --yes
    """
    if every == bool(game_ids):
        raise click.UsageError("expected the numbers of games, or --all")
    for game_id in game_ids:
        history.game(game_id)  # which raises if there is none
    count = len(history) if every else len(set(game_ids))
    if not yes and count:
        if not _can_ask():
            raise click.UsageError(f"{plural(count, 'game')} would be deleted for good: --yes does so")
        if not click.confirm(f"Delete {plural(count, 'game')} for good?", err=True):
            raise click.Abort
    gone = history.forget(None if every else game_ids)
    if as_json:
        output.print_json({"schema": "mineproof/forgotten/1", "forgotten": gone})
    else:
        click.echo(f"{plural(len(gone), 'game')} deleted.")


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


@command.command("fill")
@_takes(_budget_option)
def _fill(history: History, budget: float, as_json: bool) -> None:
    """Work out guesses and luck of games where that took too long when they were added.

    With --json, schema mineproof/filled/1.

    \b
    Examples:
      mineproof history fill --budget 600
    """
    with progress.waiting(Budget(seconds=budget)) as limit:
        filled = history.fill(budget=limit)
    left = history.unfilled
    if as_json:
        output.print_json({"schema": "mineproof/filled/1", "filled": filled, "left": left})
    else:
        click.echo(f"{plural(filled, 'game')} filled in, {left:,} left.")
