"""``mineproof dataset``: positions of real games with exact odds, as a Parquet file for machine learning."""

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
from mineproof.board.levels import Size
from mineproof.cli import options, output
from mineproof.cli.failure import INTERRUPTED, usage_error
from mineproof.cli.interrupts import interruptible
from mineproof.cli.parameters import Choice, Count
from mineproof.cli.progress import advance, games_bar, has_bar
from mineproof.cli.sizes import takes_size
from mineproof.datasets.api import Dataset, dataset, read_dataset, resume_dataset
from mineproof.datasets.parts import Parts, is_begun
from mineproof.datasets.plan import DatasetPlan, Only
from mineproof.datasets.scheduler import DatasetProgress
from mineproof.datasets.schema import require_pyarrow
from mineproof.errors import DatasetError, OutsideError
from mineproof.wording.catalogue import decimal, message, plural

if TYPE_CHECKING:
    from rich.console import Console

NOT_IN_PLAN = ("path", "resume", "threads", "as_json")


@click.command("dataset")
@takes_size
@options.output_file_option(
    "Parquet file to create. FILE.parts has the finished parts until it is complete.", required=True
)
@click.option("--positions", type=Count(1), default=10_000, show_default=True, metavar="N",
              help="Number of positions, starting with the first game.")  # fmt: skip
@click.option("--only", type=Choice(get_args(Only)), default="all", show_default=True,
              help="Positions to write: all, or those without a certainly safe cell (guesses).")  # fmt: skip
@click.option("--per-game", type=Count(1), metavar="N", help="Number of random positions per game.  [default: all]")
@options.strategy_option(default="fast", show_default=True)
@options.first_click_option()
@options.topology_option()
@options.start_option("as in simulate", random=True)
@options.seed_option(0)
@options.threads_option()
@click.option("--resume", is_flag=True, help="Continue the dataset in FILE.parts with its original options.")
@options.as_json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    size: Size,
    path: Path,
    resume: bool,
    threads: int | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Write positions of real games with exact odds, certain cells, the move and the outcome.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM (width, height, mines), by default expert. A
    position is the board before a move of the strategy. The metadata of the file and docs/dataset.md describe the
    columns.

    The same options give the same bytes on any number of threads. Finished parts are stored on disk until the file is
    complete: Ctrl-C or a power cut loses only the parts in progress, and --resume continues.

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
        raise usage_error(error) from None
    if settings["start"] == "random" and settings["first_click"] != "any":
        raise click.UsageError("--start random needs --first-click any")
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE and name not in NOT_IN_PLAN
    }
    if resume and given and (plan := _stored_plan(path)) is not None:  # it has the options that are not given
        if not given & {"size", "rows", "columns", "mines"}:
            size = Size(plan.series.rows, plan.series.columns, plan.series.mines)
        for name in settings.keys() - given:
            settings[name] = getattr(plan if name in ("positions", "only", "per_game") else plan.series, name)
    with interruptible() as interrupted, _progress_bar() as show:
        controls: dict[str, Any] = {"threads": threads, "progress": show, "cancelled": interrupted}
        if resume and not given:
            result = _run_dataset(partial(resume_dataset, path, **controls), path)
        else:
            result = _run_dataset(partial(dataset, path, **size._asdict(), **settings, resume=resume, **controls), path)
    if as_json:
        output.print_json(result.as_json())
    elif result.is_complete:
        with output.drawing("never") as console:
            _draw_dataset(result, console)
    if result.is_complete:
        return 0
    output.note(f"{message('cli-interrupted')} {message('cli-resume', command=_resume_command(path))}")
    return INTERRUPTED


def _stored_plan(path: Path) -> DatasetPlan | None:
    """The plan of the unfinished or finished dataset with this name."""
    parts = Parts.read(path)
    if parts is not None:
        return parts.plan
    return read_dataset(path).plan if path.is_file() else None


def _run_dataset(make: Callable[[], Dataset], path: Path) -> Dataset:
    """Make a dataset; report its errors as those of a command."""
    try:
        return make()
    except OutsideError:
        raise
    except ValueError as error:  # nothing was read, so an option is wrong
        raise usage_error(error) from None
    except (OSError, MemoryError) as error:
        if not is_begun(path):
            raise
        advice = f"Finished parts are stored. To continue, run: {_resume_command(path)}"
        if isinstance(error, MemoryError):
            output.note(advice)
            raise
        raise DatasetError(f"{files.reason(error)}. {advice}") from None


def _resume_command(path: Path) -> str:
    """The command that continues."""
    return f"mineproof dataset -o {shlex.quote(str(path))} --resume"


# text


def _draw_dataset(result: Dataset, console: Console) -> None:
    positions = plural("cli-dataset-positions", result.positions)
    games = plural("cli-dataset-games", result.games, seed=result.plan.series.seed)
    console.print(f"{result.path}: {positions}, {games}", soft_wrap=True)
    size = result.path.stat().st_size
    megabytes, average = decimal(size / 1e6, 1), decimal(size / result.positions, 0)
    console.print(message("cli-dataset-size", megabytes=megabytes, average=average))
    if result.plan.only == "all":
        share = decimal(100 * result.stuck / result.positions, 2)
        console.print(message("cli-dataset-stuck", share=share))
    else:
        console.print(message("cli-dataset-only-guesses"))
    if result.unanswered:
        console.print(plural("cli-dataset-unanswered", result.unanswered))


@contextmanager
def _progress_bar() -> Iterator[Callable[[DatasetProgress], None]]:
    """A progress bar on standard error with the number of games played."""
    if not has_bar():
        yield lambda _: None
        return
    with games_bar() as bar:
        task = bar.add_task(message("cli-progress-dataset"), total=None, state="", speed="")

        def show(state: DatasetProgress) -> None:
            bar.update(task, total=state.asked)
            advance(bar, task, state.positions, plural("cli-games", state.games))

        yield show
