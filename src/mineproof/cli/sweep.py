"""``mineproof sweep``: the same games with many configurations, kept in a folder from which a run goes on."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof.base import files
from mineproof.base.words import at, plural, size
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.notation import quote
from mineproof.board.start import FIRST_CLICKS
from mineproof.cli import output
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.input import Count
from mineproof.cli.input import cell as cell_type
from mineproof.cli.interrupting import interruptible
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.tables import table
from mineproof.errors import OutsideError, SweepError
from mineproof.simulation.results import Totals
from mineproof.simulation.series import StartCell
from mineproof.sweeps.plan import MOST_CONFIGURATIONS, wishes_of
from mineproof.sweeps.store import PLAN
from mineproof.sweeps.swept import Sweep, read_sweep, resume_sweep, sweep
from mineproof.sweeps.working import SweepProgress

if TYPE_CHECKING:
    from rich.console import Console

WITH_FOLDER = ("path", "resume", "repair", "threads", "cluster", "as_json")  # what is not part of the plan


def _start(text: str) -> StartCell:
    return "random" if text == "random" else cell_type(text)


class _List(click.ParamType[list[str]]):
    """Words with commas between them; of some that are known, or any."""

    name = "list"

    def __init__(self, known: tuple[str, ...] = ()) -> None:
        self._known = known

    def convert(self, value: str | list[str], param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        if isinstance(value, list):
            return value
        words = [word.strip() for word in value.split(",")]
        for word in words:
            if self._known and word not in self._known:
                self.fail(f"found {quote(word)}, expected one or more of {', '.join(self._known)}", param, ctx)
        return words


class _Mines(click.ParamType[list[int | Fraction]]):
    """Numbers of mines, or shares of all cells: ``99``, ``60..140:5``, ``10%..25%:2.5%``, several with commas."""

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
            found = self._ENTRY.fullmatch(entry.strip())
            if found is None or len({each.endswith("%") for each in found.groups() if each}) > 1:
                self.fail(f"found {quote(entry)}, expected mines such as 99, 60..140:5 or 10%..25%:2.5%", param, ctx)
            first, last, step = (None if each is None else _number(each) for each in found.groups())
            assert first is not None
            numbers += self._range(entry, first, first if last is None else last, step, param, ctx)
        return numbers

    def _range(
        self, entry: str, first: int | Fraction, last: int | Fraction, step: int | Fraction | None,
        param: click.Parameter | None, ctx: click.Context | None,
    ) -> list[int | Fraction]:  # fmt: skip
        by = step if step is not None else 1 if isinstance(first, int) else Fraction(1, 100)
        if by <= 0 or last < first:
            self.fail(f"found {quote(entry)}, expected FIRST..LAST:STEP that goes upwards", param, ctx)
        count = int((last - first) / by) + 1
        if count > MOST_CONFIGURATIONS:
            self.fail(
                f"found {count:,} numbers in {quote(entry)}, expected {MOST_CONFIGURATIONS:,} at most", param, ctx
            )
        return [first + number * by for number in range(count)]


def _number(text: str) -> int | Fraction:
    return Fraction(text[:-1]) / 100 if text.endswith("%") else int(text)


@click.command("sweep")
@click.argument("sizes", nargs=-1, metavar="[SIZE]...")
@click.option("-o", "--output", "path", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Keep what is finished in this folder, which must be new or empty.")  # fmt: skip
@click.option("--mines", type=_Mines(), metavar="LIST",
              help="Mines of every SIZE, such as 60..140:5, or 10%..25%:2.5% of the cells.")  # fmt: skip
@click.option("--strategy", type=_List(), default="fast", show_default=True, metavar="LIST", help="Who plays.")
@click.option("--first-click", type=_List(FIRST_CLICKS), default="safe", show_default=True, metavar="LIST",
              help="What is kept free of mines: any, safe, open.")  # fmt: skip
@click.option("--topology", type=_List(TOPOLOGIES), default="grid", show_default=True, metavar="LIST",
              help="Shapes of the board: grid, torus, hex.")  # fmt: skip
@click.option("--start", type=_start, metavar="R,C|random", help="First click, as in simulate.")
@click.option("--games", type=Count(1), metavar="N",
              help="How many games of each configuration.  [default: 10000; with --until as many as it takes]"
              )  # fmt: skip
@click.option("--until", type=float, metavar="POINTS",
              help="End a configuration once half of its 95 % interval is so many percentage points.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, metavar="S",
              help="Which layouts: those of the same seed are the same.")  # fmt: skip
@click.option("--unit", type=Count(1), metavar="N",
              help="Games that are played in one go, a multiple of 64.  [default: 4096, fewer on large boards]"
              )  # fmt: skip
@click.option("--per-game", is_flag=True, help="Keep what became of each game too.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N",
              help="Threads, which change nothing but the time.  [default: one a processor]")  # fmt: skip
@click.option("--cluster", metavar="ADDRESS",
              help="Play on the workers of this Dask scheduler, such as tcp://host:8786, or its scheduler file."
              )  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with what DIR holds; its plan knows all other options.")
@click.option("--repair", is_flag=True, help="The same, and play again what is damaged.")
@output.as_json_option
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
    **wishes: Any,
) -> int:
    """Play the same games with every combination of sizes, mines, strategies and rules.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM, with --mines also WxH; expert if left out. A
    LIST has commas between its values. Each configuration is told with its win rate and a 95 % interval; the result is
    the same for any number of threads, and on a cluster.

    With -o DIR every unit of games is on disk once it is finished: neither Ctrl-C nor a power cut loses more than the
    units being played, and --resume plays what is missing. The files are the same as if it had never been interrupted.

    \b
    Examples:
      mineproof sweep --mines 60..140:20 --games 1000
      mineproof sweep -o run --mines 60..140:5 --strategy fast,strong --games 1_000_000
      mineproof sweep -o run --resume
      mineproof sweep -o run --resume --cluster tcp://10.0.0.1:8786
      mineproof sweep 8x8 16x16 30x16 --mines 10%..25%:2.5% --until 0.5 -o density
    """
    if (resume or repair) and path is None:
        raise click.UsageError(f"--{'repair' if repair else 'resume'} goes with -o DIR")
    if wishes["per_game"] and path is None:
        raise click.UsageError("--per-game goes with -o DIR")
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE and name not in WITH_FOLDER
    }
    wishes["sizes"] = list(wishes["sizes"]) or "expert"
    is_bare = not given
    if resume and given and path is not None and (path / PLAN).is_file():
        wishes = _completed(wishes, given, path)
    if repair and not is_bare:
        raise click.UsageError("--repair goes with -o DIR alone, which knows all other options")
    with interruptible() as interrupted, _bar() as show:
        how: dict[str, Any] = {"threads": threads, "cluster": cluster, "progress": show, "cancelled": interrupted}
        if (resume or repair) and is_bare and path is not None:
            found = _played(partial(resume_sweep, path, repair=repair, **how), path)
        else:
            found = _played(partial(sweep, **wishes, path=path, resume=resume, **how), path)
    if as_json:
        output.print_json(found.as_json())
    else:
        with output.drawing("never") as console:
            _draw(found, console)
    if not interrupted():
        return 0
    output.note("interrupted; " + ("nothing was kept" if path is None else f"{_again(path)} goes on"))
    return INTERRUPTED


def _completed(wishes: dict[str, Any], given: set[str], path: Path) -> dict[str, Any]:
    """What was not given is as the plan in the folder has it."""
    known = wishes_of(read_sweep(path).plan, sides_only="mines" in given)
    if "sizes" in given:  # a level has its own mines
        del known["mines"]
    return {name: wishes[name] if name in given else known.get(name, wishes[name]) for name in wishes}


def _played(play: Callable[[], Sweep], path: Path | None) -> Sweep:
    """What a sweep finds; its errors as the command tells them."""
    try:
        return play()
    except OutsideError:
        raise
    except ValueError as error:  # nothing was read: what cannot be played is bad usage
        raise click.UsageError(str(error)) from None
    except OSError as error:
        if path is None:
            raise
        raise SweepError(f"{files.reason(error)}; what was finished is kept: {_again(path)} goes on") from None


def _again(path: Path) -> str:
    """What to type to go on."""
    return f"mineproof sweep -o {shlex.quote(str(path))} --resume"


# telling


def _draw(found: Sweep, console: Console) -> None:
    """A table of all configurations; what they have in common stands above."""
    columns = [each for each in _COLUMNS if len({each[2](one) for one in found}) > 1 or each[0] in _ALWAYS]
    common = [tell(found[0]) for head, _, tell in _COMMON if len({tell(each) for each in found}) == 1]
    console.print(", ".join(word for word in common if word))
    console.print()
    rows = table(*((head, side) for head, side, _ in columns))
    for each in found:
        rows.add_row(*(tell(each) for _, _, tell in columns))
    console.print(rows)
    if not found.is_complete:
        left = sum(each.asked - each.games for each in found)
        console.print()
        console.print(f"{plural(left, 'game')} left to play")
    elif wide := [each for each in found if found.plan.until is not None and not _is_narrow(found, each)]:
        console.print()
        which = plural(len(wide), "configuration")
        console.print(f"The interval of {which} is wider than asked for: --games ended it.")


def _is_narrow(found: Sweep, each: Totals) -> bool:
    return found.plan.is_narrow((each.interval.high - each.interval.low) / 2)


def _rate(found: Totals) -> str:
    return "-" if found.win_rate is None else f"{100 * found.win_rate:.2f} %"


def _interval(found: Totals) -> str:
    if not found.games:
        return "-"
    low, high = (f"{100 * end:.2f}" for end in found.interval)
    return f"{low} to {high}"


def _where(found: Totals) -> str:
    return "a random cell" if found.start == "random" else at(found.start)


Tell = Callable[[Totals], str]

_ALWAYS = ("strategy", "games", "won", "95 % interval", "mines")
_COLUMNS: list[tuple[str, Any, Tell]] = [
    ("board", "left", lambda found: size(found.rows, found.columns)),
    ("mines", "right", lambda found: f"{found.mines}"),
    ("density", "right", lambda found: f"{100 * found.mines / found.board_cells:.1f} %"),
    ("topology", "left", lambda found: found.topology),
    ("first click", "left", lambda found: found.first_click),
    ("start", "left", _where),
    ("strategy", "left", lambda found: found.strategy),
    ("games", "right", lambda found: f"{found.games:,}"),
    ("won", "right", _rate),
    ("95 % interval", "right", _interval),
]
_COMMON: list[tuple[str, Any, Tell]] = [
    ("board", "", lambda found: size(found.rows, found.columns)),
    ("topology", "", lambda found: "" if found.topology == "grid" else found.topology),
    ("first click", "", lambda found: f"first click {found.first_click}"),
    ("start", "", lambda found: f"start {_where(found)}"),
    ("seed", "", lambda found: f"seed {found.seed}"),
]


@contextmanager
def _bar() -> Iterator[Callable[[SweepProgress], None]]:
    """A progress bar on stderr with the number of configurations that are finished, or with what is waited for."""
    if not has_bar():
        yield _say_what_is_waited_for()
        return
    with games_bar() as bar:
        task = bar.add_task("sweep", total=None, words="", speed="")

        def show(found: SweepProgress) -> None:
            words = f"{found.finished}/{plural(found.configurations, 'configuration')}"
            bar.update(task, total=found.asked)
            advance(bar, task, found.games, f"waiting for {found.waiting}" if found.waiting else words)

        yield show


def _say_what_is_waited_for() -> Callable[[SweepProgress], None]:
    """The same without a bar: a line whenever something else is waited for."""
    said = ""

    def show(found: SweepProgress) -> None:
        nonlocal said
        if found.waiting and found.waiting != said:
            output.note(f"waiting for {found.waiting}")
        said = found.waiting

    return show
