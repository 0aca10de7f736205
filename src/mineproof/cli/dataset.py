"""``mineproof dataset``: positions of real games with exact odds, as a Parquet file for learning."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from mineproof.base import files
from mineproof.base.extras import ExtraMissing
from mineproof.base.words import plural
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.levels import Size
from mineproof.board.start import FIRST_CLICKS
from mineproof.cli import output
from mineproof.cli.failure import INTERRUPTED
from mineproof.cli.input import Count
from mineproof.cli.input import cell as cell_type
from mineproof.cli.interrupting import interruptible
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.sizes import takes_size
from mineproof.datasets.making import Dataset, dataset, read_dataset, resume_dataset
from mineproof.datasets.parts import Parts, folder_of
from mineproof.datasets.plan import DatasetPlan, Only
from mineproof.datasets.schema import require_pyarrow
from mineproof.datasets.working import DatasetProgress
from mineproof.errors import DatasetError, OutsideError
from mineproof.simulation.series import StartCell

if TYPE_CHECKING:
    from rich.console import Console

NOT_IN_PLAN = ("path", "resume", "threads", "as_json")


def _start(text: str) -> StartCell:
    return "random" if text == "random" else cell_type(text)


@click.command("dataset")
@takes_size
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", required=True,
              help="The Parquet file, which must be new; FILE.parts holds what is finished until then.")  # fmt: skip
@click.option("--positions", type=Count(1), default=10_000, show_default=True, metavar="N",
              help="How many positions, from the first game on.")  # fmt: skip
@click.option("--only", type=click.Choice(get_args(Only)), default="all", show_default=True,
              help="Which of them: guesses are those in which nothing is certainly safe.")  # fmt: skip
@click.option("--per-game", type=Count(1), metavar="N", help="So many of each game, drawn at random.  [default: all]")
@click.option("--strategy", default="fast", show_default=True, metavar="NAME", help="Who plays.")
@click.option("--first-click", type=click.Choice(FIRST_CLICKS), default="safe", show_default=True,
              help="What is kept free of mines.")  # fmt: skip
@click.option("--topology", type=click.Choice(TOPOLOGIES), default="grid", show_default=True,
              help="Shape of the board.")  # fmt: skip
@click.option("--start", type=_start, metavar="R,C|random", help="First click, as in simulate.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, metavar="S",
              help="Which games: those that simulate plays with this seed.")  # fmt: skip
@click.option("--threads", type=click.IntRange(min=1), metavar="N",
              help="Threads, which change nothing but the time.  [default: one a processor]")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with what FILE.parts holds, which knows all other options.")
@output.as_json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    size: Size,
    path: Path,
    resume: bool,
    threads: int | None,
    as_json: bool,
    **wishes: Any,
) -> int:
    """Write positions of real games with exact odds, certain cells, the move and the outcome.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM; expert if left out. A position is what is seen
    before a move of the strategy. The columns of the file are told in it, and in docs/dataset.md.

    The file is the same, byte for byte, for the same options on any number of threads. It takes its name once it is
    whole; until then every finished part is on disk, neither Ctrl-C nor a power cut loses more than the parts being
    made, and --resume makes what is missing.

    \b
    Examples:
      mineproof dataset expert --positions 1_000_000 --seed 1 -o positions.parquet
      mineproof dataset -o positions.parquet --resume
      mineproof dataset expert --only guesses --per-game 1 --strategy strong -o guesses.parquet
      mineproof dataset 8x8x10 --first-click open --positions 1000 -o small.parquet --json
    """
    try:
        require_pyarrow()
    except ExtraMissing as error:
        raise click.UsageError(str(error)) from None
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE and name not in NOT_IN_PLAN
    }
    if resume and given and (plan := _kept_plan(path)) is not None:  # it knows what is not given
        if not given & {"size", "rows", "columns", "mines"}:
            size = Size(plan.series.rows, plan.series.columns, plan.series.mines)
        for name in wishes.keys() - given:
            wishes[name] = getattr(plan if name in ("positions", "only", "per_game") else plan.series, name)
    with interruptible() as interrupted, _bar() as show:
        how: dict[str, Any] = {"threads": threads, "progress": show, "cancelled": interrupted}
        if resume and not given:
            found = _made(partial(resume_dataset, path, **how), path)
        else:
            found = _made(partial(dataset, path, **size._asdict(), **wishes, resume=resume, **how), path)
    if as_json:
        output.print_json(found.as_json())
    elif found.is_complete:
        with output.drawing("never") as console:
            _draw(found, console)
    if found.is_complete:
        return 0
    output.note(f"interrupted; {_again(path)} goes on")
    return INTERRUPTED


def _kept_plan(path: Path) -> DatasetPlan | None:
    """What was begun, or finished, under this name."""
    begun = Parts.read(path)
    if begun is not None:
        return begun.plan
    return read_dataset(path).plan if path.is_file() else None


def _made(make: Callable[[], Dataset], path: Path) -> Dataset:
    """A dataset; its errors as the command tells them."""
    try:
        return make()
    except OutsideError:
        raise
    except ValueError as error:  # nothing was read: what cannot be played is bad usage
        raise click.UsageError(str(error)) from None
    except OSError as error:
        if not folder_of(path).is_dir():
            raise
        raise DatasetError(f"{files.reason(error)}; what was finished is kept: {_again(path)} goes on") from None


def _again(path: Path) -> str:
    """What to type to go on."""
    return f"mineproof dataset -o {shlex.quote(str(path))} --resume"


# telling


def _draw(found: Dataset, console: Console) -> None:
    kind = "" if found.plan.only == "all" else ", a guess is forced in each"
    first = "the first game" if found.games == 1 else f"the first {found.games:,} games"
    games = f"from {first} of seed {found.plan.series.seed}"
    console.print(f"{found.path}: {plural(found.positions, 'position')} {games}{kind}", soft_wrap=True)
    size = found.path.stat().st_size
    share = f", {100 * found.stuck / found.positions:.2f} % of them with nothing certainly safe"
    console.print(f"{size / 1e6:,.1f} MB, {size / found.positions:,.0f} bytes a position{'' if kind else share}")
    if found.unanswered:
        console.print(f"{plural(found.unanswered, 'position')} too wide to count, with status 3 and without odds")


@contextmanager
def _bar() -> Iterator[Callable[[DatasetProgress], None]]:
    """A progress bar on stderr with the number of games that were played."""
    if not has_bar():
        yield lambda _: None
        return
    with games_bar() as bar:
        task = bar.add_task("positions", total=None, words="", speed="")

        def show(found: DatasetProgress) -> None:
            bar.update(task, total=found.asked)
            advance(bar, task, found.positions, plural(found.games, "game"))

        yield show
