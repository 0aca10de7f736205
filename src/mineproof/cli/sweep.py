"""``mineproof sweep``: the same games with many configurations, stored in a folder that a run can resume."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mineproof.base import files
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.start import FIRST_CLICKS
from mineproof.cli import options, output
from mineproof.cli.failure import INTERRUPTED, usage_error
from mineproof.cli.input import StrategyName
from mineproof.cli.interrupts import interruptible
from mineproof.cli.jobs import start_label
from mineproof.cli.parameters import NUMBER, Count, ParamType, invalid
from mineproof.cli.phrases import board_size, interval
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.tables import Side, table
from mineproof.errors import BoardSyntaxError, OutsideError, SweepError
from mineproof.simulation.results import Totals
from mineproof.sweeps.plan import MAX_CONFIGURATIONS, plan_arguments
from mineproof.sweeps.scheduler import SweepProgress
from mineproof.sweeps.store import PLAN
from mineproof.sweeps.sweep_api import Sweep, read_sweep, resume_sweep, sweep
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from rich.console import Console

NOT_IN_PLAN = ("path", "resume", "repair", "threads", "cluster", "as_json")


class _List(ParamType[list[str]]):
    """Names separated by commas; any name, or only known ones."""

    name = "list"

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        self._known = known

    def convert(self, value: str | list[str], param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        if isinstance(value, list):
            return value
        names = [name.strip() for name in value.split(",")]
        for name in names:
            if self._known and name not in self._known:
                raise invalid(param, ctx, f"one or more of {', '.join(self._known)}", name)
        return names


class _StrategyList(_List):
    """Names of strategies separated by commas."""

    def convert(self, value: str | list[str], param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        return [
            StrategyName(deciding=False, bots=True).convert(name, param, ctx)
            for name in super().convert(value, param, ctx)
        ]


class _Mines(ParamType[list[int | Fraction]]):
    """Numbers of mines, or shares of the cells: ``99``, ``60..140:5``, ``10%..25%:2.5%``, separated by commas."""

    name = "mines"
    _NUMBER = r"([0-9]{1,7}(?:\.[0-9]{1,6})?%|[0-9]{1,7})"
    _ENTRY = re.compile(rf"{_NUMBER}(?:\.\.{_NUMBER}(?::{_NUMBER})?)?")

    def convert(
        self, value: str | list[int | Fraction], param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int | Fraction]:
        if isinstance(value, list):
            return value
        numbers: list[int | Fraction] = []
        for entry in value.split(","):
            match = self._ENTRY.fullmatch(entry.strip())
            if match is None or len({part.endswith("%") for part in match.groups() if part}) > 1:
                raise invalid(param, ctx, "numbers of mines such as 99, 60..140:5 or 10%..25%:2.5%", entry)
            first, last, step = (None if part is None else _parse_mines(part) for part in match.groups())
            assert first is not None
            if isinstance(first, Fraction) and not 0 < first <= (first if last is None else last) < 1:
                raise invalid(param, ctx, "more than 0% and less than 100% of the cells, counting up", entry)
            numbers += self._range(entry, first, first if last is None else last, step, param, ctx)
        return numbers

    def _range(
        self, entry: str, first: int | Fraction, last: int | Fraction, step: int | Fraction | None,
        param: click.Parameter | None, ctx: click.Context | None,
    ) -> list[int | Fraction]:  # fmt: skip
        by = step if step is not None else 1 if isinstance(first, int) else Fraction(1, 100)
        if by <= 0 or last < first:
            raise invalid(param, ctx, "FIRST..LAST:STEP with FIRST below LAST and STEP above 0", entry)
        count = int((last - first) / by) + 1
        if count > MAX_CONFIGURATIONS:
            raise invalid(param, ctx, f"at most {MAX_CONFIGURATIONS:,} numbers", f"{count:,}")
        return [first + place * by for place in range(count)]


def _parse_mines(text: str) -> int | Fraction:
    return Fraction(text[:-1]) / 100 if text.endswith("%") else int(text)


@click.command("sweep")
@click.argument("sizes", nargs=-1, metavar="[SIZE]...")
@options.output_folder_option("Store finished games in this folder, which must be new or empty.")
@click.option("--mines", type=_Mines(), metavar="LIST",
              help="Numbers of mines for every SIZE, such as 60..140:5, or 10%..25%:2.5% of the cells.  "
              "[default: as in SIZE]")  # fmt: skip
@options.strategy_option(bots=True, type=_StrategyList(), default="fast", show_default=True, metavar="LIST")
@options.list_option("--first-click", _List(FIRST_CLICKS), options.FIRST_CLICK_HELP, "safe")
@options.list_option("--topology", _List(tuple(TOPOLOGIES)), options.TOPOLOGIES_HELP, "grid")
@options.start_option("as in simulate", random=True)
@click.option("--games", type=Count(1), metavar="N",
              help="Number of games per configuration.  [default: 10000; with --until as many as needed]"
              )  # fmt: skip
@click.option("--until", type=NUMBER, metavar="POINTS",
              help="Stop a configuration when half of its 95 % interval is this many percentage points.")  # fmt: skip
@options.seed_option(0)
@click.option("--unit", type=Count(1), metavar="N",
              help="Games per unit of work, a multiple of 64.  [default: 4096, fewer on large boards]"
              )  # fmt: skip
@click.option("--per-game", is_flag=True, help="Also store a record of each game.")
@options.threads_option()
@click.option("--cluster", metavar="ADDRESS",
              help="Dask scheduler whose workers play, such as tcp://host:8786, or its scheduler file."
              )  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the sweep in DIR with its original options.")
@click.option("--repair", is_flag=True, help="Like --resume, and also play damaged games again.")
@options.as_json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    path: Path | None,
    resume: bool,
    repair: bool,
    threads: int | None,
    cluster: str | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Play the same games with every combination of sizes, mines, strategies and rules.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM (width, height, mines), by default expert. With
    --mines it may be WxH. The values of a LIST are separated by commas. Prints the win rate of each configuration with
    a 95 % interval. The result is the same on any number of threads and on a cluster.

    With -o DIR every finished unit of games is on disk: Ctrl-C or a power cut loses only the units in progress, and
    --resume plays the missing ones. The files are the same as without an interruption.

    \b
    Examples:
      mineproof sweep --mines 60..140:20 --games 1000
      mineproof sweep -o run --mines 60..140:5 --strategy fast,strong --games 1_000_000
      mineproof sweep -o run --resume
      mineproof sweep -o run --resume --cluster tcp://10.0.0.1:8786
      mineproof sweep 8x8 16x16 30x16 --mines 10%..25%:2.5% --until 0.5 -o density
    """
    if (resume or repair) and path is None:
        raise click.UsageError(f"--{'repair' if repair else 'resume'} needs -o DIR")
    if settings["per_game"] and path is None:
        raise click.UsageError("--per-game needs -o DIR")
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE and name not in NOT_IN_PLAN
    }
    settings["sizes"] = list(settings["sizes"]) or "expert"
    is_bare = not given
    if resume and given and path is not None and (path / PLAN).is_file():
        settings = _complete_settings(settings, given, path)
    if repair and not is_bare:
        raise click.UsageError("--repair needs only -o DIR. The other options are stored in the folder.")
    with interruptible() as interrupted, _progress_bar() as show:
        controls: dict[str, Any] = {"threads": threads, "cluster": cluster, "progress": show, "cancelled": interrupted}
        if (resume or repair) and is_bare and path is not None:
            result = _run_sweep(partial(resume_sweep, path, repair=repair, **controls), path)
        else:
            result = _run_sweep(partial(sweep, **settings, path=path, resume=resume, **controls), path)
    if as_json:
        output.print_json(result.as_json())
    else:
        with output.drawing("never") as console:
            _draw_sweep(result, console)
    if not interrupted():
        return 0
    output.note(_interruption_note(result, path))
    return INTERRUPTED


def _complete_settings(settings: dict[str, Any], given: set[str], path: Path) -> dict[str, Any]:
    """Take options that are not given from the plan in the folder."""
    known = plan_arguments(read_sweep(path).plan, sides_only="mines" in given)
    if "sizes" in given:  # a level has its own mines
        del known["mines"]
    return {name: value if name in given else known.get(name, value) for name, value in settings.items()}


def _run_sweep(play: Callable[[], Sweep], path: Path | None) -> Sweep:
    """Play a sweep; report its errors as those of a command."""
    try:
        return play()
    except OutsideError:
        raise
    except BoardSyntaxError as error:  # no file was read
        raise click.UsageError(f"SIZE: {error}") from None
    except ValueError as error:  # nothing was read, so an option is wrong
        raise usage_error(error) from None
    except (OSError, MemoryError) as error:
        if path is None or not (path / PLAN).is_file():
            raise
        advice = f"Finished games are stored. To continue, run: {_resume_command(path)}"
        if isinstance(error, MemoryError):
            output.note(advice)
            raise
        raise SweepError(f"{files.reason(error)}. {advice}") from None


def _interruption_note(result: Sweep, path: Path | None) -> str:
    """A note that the sweep was interrupted, and how to continue."""
    has_games = any(totals.games for totals in result)
    start = message("cli-interrupted" if has_games else "cli-interrupted-early")
    if path is None:
        return f"{start} {message('cli-sweep-use-output')}"
    return f"{start} {message('cli-resume', command=_resume_command(path))}"


def _resume_command(path: Path) -> str:
    """The command that continues."""
    return f"mineproof sweep -o {shlex.quote(str(path))} --resume"


# text


def _draw_sweep(result: Sweep, console: Console) -> None:
    """Print a table of the configurations with games, below the settings that they share."""
    played = [totals for totals in result if totals.games]
    if not played:
        return
    columns = [one for one in _COLUMNS if one.is_always_shown or len({one.format(totals) for totals in played}) > 1]
    shared = [one.format(played[0]) for one in _SHARED if len({one.format(totals) for totals in played}) == 1]
    console.print(", ".join(filter(None, shared)))
    console.print()
    rows = table(*((message(one.key), one.side) for one in columns))
    for totals in played:
        rows.add_row(*(one.format(totals) for one in columns))
    console.print(rows)
    if not result.is_complete:
        games = number(sum(totals.games for totals in result))
        requested = sum(totals.asked for totals in result)
        started = plural("cli-sweep-started", len(result), started=number(len(played)))
        console.print()
        console.print(f"{plural('cli-sweep-played', requested, games=games)}, {started}")
    elif wide := [one for one in result if result.plan.until is not None and not _is_narrow(result, one)]:
        console.print()
        console.print(plural("cli-sweep-wide", len(wide)))


def _is_narrow(result: Sweep, totals: Totals) -> bool:
    return result.plan.is_narrow((totals.interval.high - totals.interval.low) / 2)


class _SweepColumn(NamedTuple):
    """A column of the table: the key of its head, and how to format its entries."""

    key: str
    side: Side
    format: Callable[[Totals], str]
    is_always_shown: bool = False


def _board(totals: Totals) -> str:
    return board_size(totals.rows, totals.columns)


def _start(totals: Totals) -> str:
    return start_label(totals.start)


_COLUMNS = (
    _SweepColumn("cli-sweep-head-board", "left", _board),
    _SweepColumn("cli-sweep-head-mines", "right", lambda totals: f"{totals.mines}", is_always_shown=True),
    _SweepColumn(
        "cli-sweep-head-density", "right", lambda totals: f"{decimal(100 * totals.mines / totals.board_cells, 1)} %"
    ),
    _SweepColumn("cli-sweep-head-topology", "left", lambda totals: totals.topology),
    _SweepColumn("cli-sweep-head-first-click", "left", lambda totals: totals.first_click),
    _SweepColumn("cli-sweep-head-start", "left", _start),
    _SweepColumn("cli-sweep-head-strategy", "left", lambda totals: totals.strategy, is_always_shown=True),
    _SweepColumn("cli-sweep-head-games", "right", lambda totals: number(totals.games), is_always_shown=True),
    _SweepColumn(
        "cli-sweep-head-won", "right", lambda totals: f"{decimal(100 * totals.win_rate, 2)} %", is_always_shown=True
    ),
    _SweepColumn("cli-sweep-head-interval", "right", lambda totals: interval(*totals.interval), is_always_shown=True),
)
_SHARED = (
    _SweepColumn("", "left", _board),
    _SweepColumn("", "left", lambda totals: "" if totals.topology == "grid" else totals.topology),
    _SweepColumn("", "left", lambda totals: message("cli-sweep-first-click", rule=totals.first_click)),
    _SweepColumn("", "left", lambda totals: message("cli-sweep-start", cell=_start(totals))),
    _SweepColumn("", "left", lambda totals: message("cli-sweep-seed", seed=totals.seed)),
)


@contextmanager
def _progress_bar() -> Iterator[Callable[[SweepProgress], None]]:
    """A progress bar on standard error with the finished configurations, or what the sweep is waiting for."""
    if not has_bar():
        yield _note_waiting()
        return
    with games_bar() as bar:
        task = bar.add_task("sweep", total=None, state="", speed="")

        def show(state: SweepProgress) -> None:
            finished = plural("cli-sweep-finished", state.configurations, finished=number(state.finished))
            bar.update(task, total=state.asked)
            waiting = message("cli-sweep-waiting", reason=state.waiting)
            advance(bar, task, state.games, waiting if state.waiting else finished)

        yield show


def _note_waiting() -> Callable[[SweepProgress], None]:
    """Return a progress callback that prints a line whenever the sweep waits for something else."""
    printed = ""

    def show(state: SweepProgress) -> None:
        nonlocal printed
        if state.waiting and state.waiting != printed:
            output.note(message("cli-sweep-waiting", reason=state.waiting))
        printed = state.waiting

    return show
