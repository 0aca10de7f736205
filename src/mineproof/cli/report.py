"""``mineproof report``: what a sweep found, as tables, plots, one page, JSON and Parquet."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import extras, files
from mineproof.base.words import plural
from mineproof.cli import output, writing
from mineproof.cli.tables import table
from mineproof.reports import tables
from mineproof.reports.naming import common
from mineproof.reports.reporting import Report
from mineproof.reports.reporting import report as make_report
from mineproof.sweeps.arrow import CONFIGURATIONS, GAMES
from mineproof.sweeps.swept import read_sweep

if TYPE_CHECKING:
    from rich.console import Console

UNFOLDED = 250  # columns, where the answer goes to a program: a row is a line
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("report")
@click.argument("run", type=_FOLDER)
@click.option("-o", "--output", "path", type=_FOLDER, metavar="DIR",
              help="Write report.html, and each plot as SVG and PNG, into this folder.")  # fmt: skip
@click.option("--parquet", type=_FOLDER, metavar="DIR",
              help=f"Write {CONFIGURATIONS} and {GAMES} into this folder.")  # fmt: skip
@writing.force_option
@output.as_json_option
def command(run: Path, path: Path | None, parquet: Path | None, force: bool, as_json: bool) -> int:
    """Tell what a sweep found: tables, plots, and a page to be read.

    RUN is the folder that sweep -o made; it may still be played. Every win rate has its 95 % interval, and strategies
    are compared on the same games. Of a run with --per-game it is also told how games were lost: after how many moves
    and guesses, at which odds, on which cell.

    \b
    Examples:
      mineproof report run
      mineproof report run -o pages
      mineproof report run --parquet tables
      mineproof report run --json
    """
    for folder in (path, parquet):
        if folder is not None and folder.resolve() == run.resolve():
            raise click.UsageError(f"found {files.shown(folder)}, the folder of the run, expected another one")
    if parquet is not None:
        _write_parquet(run, parquet, force=force)
    found = make_report(run)
    if path is not None:
        _write(found, path, force=force)
    if as_json:
        output.print_json(found.as_json())
    else:
        with output.drawing("never") as console:
            if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
                console.width = UNFOLDED
            _draw(found, console)
    return 0


def _write(found: Report, folder: Path, *, force: bool) -> None:
    """The page and the plots: all of them, or none if one is in the way."""
    made = {folder / name: content for name, content in found.files().items()}
    for path, content in made.items():
        writing.require_free(path, content, force=force)
    for path, content in made.items():
        writing.write(path, content, force=force)
    output.note(f"wrote {files.shown(folder / 'report.html')} and {plural(len(made) - 1, 'picture')}")
    try:
        _ = found.plots
    except extras.ExtraMissing as error:
        output.note(f"the page has no plots: {error}")


def _write_parquet(run: Path, folder: Path, *, force: bool) -> None:
    found = read_sweep(run)
    for path in (folder / CONFIGURATIONS, folder / GAMES):
        if not force and writing.holds_something(path):
            raise click.UsageError(
                f"{files.shown(path)} is there already: --force writes over it, or name another folder"
            )
    try:
        made = found.to_parquet(folder)
    except extras.ExtraMissing as error:
        raise click.UsageError(str(error)) from None
    output.note("wrote " + " and ".join(map(files.shown, made)))


# telling


def _draw(found: Report, console: Console) -> None:
    sweep = found.sweep
    if len(sweep):
        console.print(common(sweep.results))
        console.print()
        _table(tables.win_rates(sweep.results), console)
    if found.pairs:
        console.print("\nStrategies on the same games: the first less the second, in percentage points\n")
        _table(tables.comparisons(sweep.results, found.pairs), console)
    if found.losses:
        console.print("\nHow games are lost\n")
        _table(tables.ends(sweep.results, found.losses), console)
    if not found.is_complete:
        left = sum(each.asked - each.games for each in sweep)
        console.print(f"\nThis run is not complete: {plural(left, 'game')} left to play")
    if found.left_out:
        console.print("\nNot told:")
        for sentence in found.left_out:
            for line in output.folded(sentence, console.width, 2):
                console.print(f"  {line}")


def _table(found: tables.Table, console: Console) -> None:
    rows = table(*found.heads)
    for row in found.rows:
        rows.add_row(*row)
    console.print(rows)
