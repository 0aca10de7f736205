"""``mineproof report``: the results of a sweep as tables, plots, one page, JSON and Parquet."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base import extras, files
from mineproof.cli import options, output, output_files
from mineproof.cli.failure import usage_error
from mineproof.cli.tables import table
from mineproof.reports import tables
from mineproof.reports.labels import common
from mineproof.reports.report_api import Report
from mineproof.reports.report_api import report as make_report
from mineproof.sweeps.arrow import CONFIGURATIONS, GAMES
from mineproof.sweeps.sweep_api import read_sweep
from mineproof.wording.catalogue import listing, message, plural

if TYPE_CHECKING:
    from rich.console import Console

UNFOLDED_COLUMNS = 250  # if the output goes to a program: each row is one line
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("report")
@click.argument("run", type=_FOLDER)
@options.output_folder_option("Write report.html, and each plot as SVG and PNG, into this folder.")
@click.option("--parquet", type=_FOLDER, metavar="DIR",
              help=f"Write {CONFIGURATIONS} and {GAMES} into this folder.")  # fmt: skip
@options.force_option
@options.as_json_option
def command(run: Path, path: Path | None, parquet: Path | None, force: bool, as_json: bool) -> int:
    """Summarize a sweep: tables, plots and an HTML page.

    RUN is a folder of 'sweep -o'. The sweep may still be running. Every win rate has its 95 % interval, and strategies
    are compared on the same games. For runs with --per-game, the report also shows how games were lost: after how many
    moves and guesses, at which odds and on which cell.

    \b
    Examples:
      mineproof report run
      mineproof report run -o pages
      mineproof report run --parquet tables
      mineproof report run --json
    """
    for folder in (path, parquet):
        if folder is not None and folder.resolve() == run.resolve():
            raise click.UsageError(f"{files.printable_name(folder)} is the folder of the run. Choose another one.")
        if folder is not None:
            files.require_folder_of(folder)
    if parquet is not None:
        _write_parquet(run, parquet, force=force)
    result = make_report(run)
    if path is not None:
        _write_files(result, path, force=force)
    if as_json:
        output.print_json(result.as_json())
    else:
        with output.drawing("never") as console:
            if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
                console.width = UNFOLDED_COLUMNS
            _draw_report(result, console)
    return 0


def _write_files(result: Report, folder: Path, *, force: bool) -> None:
    """Write the page and the plots: all of them, or none if one exists already."""
    contents = {folder / name: content for name, content in result.files().items()}
    for path, content in contents.items():
        output_files.require_free(path, content, force=force)
    files.make_folder(folder)
    for path, content in contents.items():
        output_files.write(path, content, force=force)
    page = files.printable_name(folder / "report.html")
    output.note(plural("cli-report-wrote-page", len(contents) - 1, page=page))
    try:
        _ = result.plots
    except extras.ExtraMissing as error:
        output.note(message("cli-report-no-plots", reason=error))


def _write_parquet(run: Path, folder: Path, *, force: bool) -> None:
    sweep = read_sweep(run)
    for path in (folder / CONFIGURATIONS, folder / GAMES):
        if not force and output_files.has_content(path):
            raise click.UsageError(
                f"{files.printable_name(path)} already exists. Use --force to replace it, or choose another folder."
            )
    try:
        paths = sweep.to_parquet(folder)
    except extras.ExtraMissing as error:
        raise usage_error(error) from None
    output.note(message("cli-report-wrote", files=listing([files.printable_name(path) for path in paths])))


# text


def _draw_report(result: Report, console: Console) -> None:
    sweep = result.sweep
    if len(sweep):
        console.print(common(sweep.results))
        console.print()
        _draw_table(tables.win_rates(sweep.results), console)
    if result.pairs:
        console.print("\n" + message("cli-report-comparison") + "\n")
        _draw_table(tables.comparisons(sweep.results, result.pairs), console)
    if result.losses:
        console.print("\n" + message("cli-report-losses") + "\n")
        _draw_table(tables.ends(sweep.results, result.losses), console)
    if not result.is_complete:
        left = sum(totals.asked - totals.games for totals in sweep)
        console.print("\n" + plural("cli-report-incomplete", left))
    if result.left_out:
        console.print("\n" + message("cli-report-left-out"))
        for sentence in result.left_out:
            for line in output.fold(sentence, console.width, 2):
                console.print(f"  {line}")


def _draw_table(contents: tables.ReportTable, console: Console) -> None:
    rows = table(*contents.heads)
    for row in contents.rows:
        rows.add_row(*row)
    console.print(rows)
