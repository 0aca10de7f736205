"""``mineproof stats``: the numbers of many layouts and games."""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof import formats
from mineproof.base import files as base_files
from mineproof.cli import failure, options, output, summary
from mineproof.cli.input import is_file
from mineproof.cli.phrases import board_and_mines, share
from mineproof.cli.tables import Column, table
from mineproof.errors import BoardSyntaxError
from mineproof.stats.file_measures import Entry, Fault, entries
from mineproof.stats.summaries import Stats, StatsBuilder
from mineproof.wording.catalogue import decimal, message, number, plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

FILE_MAX_BYTES = 256 * 2**20  # half a million expert layouts, one per line
MAX_REPORTED_ERRORS = 10  # one by one; the others are counted
QUARTILES_MIN_COLUMNS = 72  # on a narrower terminal only the median is printed
REFRESH_SECONDS = 0.2  # of the number of files on a terminal
LABELS = {
    "bbbv": "cli-stats-bbbv",
    "openings": "cli-stats-openings",
    "islands": "cli-stats-islands",
    "zini": "cli-stats-zini",
    "human_zini": "cli-stats-human-zini",
    "seconds": "cli-stats-seconds",
    "solved_bbbv": "cli-stats-solved-bbbv",
    "clicks": "cli-stats-clicks",
    "effective_clicks": "cli-stats-effective",
    "flags": "cli-stats-flags",
    "bbbv_per_second": "cli-stats-bbbv-per-second",
    "estimated_seconds": "cli-stats-estimated-seconds",
    "clicks_per_second": "cli-stats-clicks-per-second",
    "effective_clicks_per_second": "cli-stats-effective-per-second",
    "efficiency": "cli-stats-efficiency",
    "correctness": "cli-stats-correctness",
    "throughput": "cli-stats-throughput",
    "zini_efficiency": "cli-stats-zini-efficiency",
    "rqp": "cli-stats-rqp",
    "qg": "cli-stats-qg",
    "stnb": "cli-stats-stnb",
}
_PLACE = ("line", "rows", "columns", "mines", "topology", "status")
_BRIEF = ("bbbv", "openings", "islands", "zini", "human_zini", "seconds", "bbbv_per_second", "clicks", "efficiency")


@click.command("stats")
@click.argument("files", nargs=-1)
@click.option("--each", "per_file", is_flag=True, help="Also print a line for each layout and game.")
@click.option("--won", is_flag=True, help="Leave out lost games.")
@click.option("--zini/--no-zini", default=True, show_default=True,
              help="Compute ZiNi, which takes most of the time.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a row for each layout and game.")
@options.as_json_option
@options.color_option
def command(
    files: tuple[str, ...], per_file: bool, won: bool, zini: bool, as_csv: bool, as_json: bool, color: str
) -> int:
    """Summarize 3BV, ZiNi, efficiency and more of many layouts and games.

    FILES are layouts in any format, saved games and replays. A folder means all of its files. Without FILES, or with
    -, standard input is read. A layout can also be text, such as '*../...'. A file can have many layouts: one per
    line, or in blocks, as 'mineproof generate' prints them. For each number, the mean, minimum, quartiles and
    maximum are printed. docs/numbers.md defines the numbers.

    Files that cannot be read are reported and skipped. The exit status is then 3, or 2 if they are only missing. With
    --json, schema mineproof/stats/1; with --each a line before it for each layout and game.

    \b
    Examples:
      mineproof stats boards/*.mbf
      mineproof generate expert --count 1000 | mineproof stats -
      mineproof stats games/*.json replays/*.avf --won --each
      mineproof stats boards.txt --no-zini --csv
    """
    if as_csv and as_json:
        raise click.UsageError("--csv cannot be combined with --json")
    gathering, statuses = StatsBuilder(), {0}
    writer = csv.DictWriter(_Lines(), ("source", *_PLACE, *LABELS), extrasaction="ignore", lineterminator="\n")
    if as_csv:
        writer.writeheader()
    for source, entry in _read_all(files, zini, as_json, gathering, statuses):
        if won and entry.status == "lost":
            continue
        gathering.take(entry)
        if as_csv:
            writer.writerow({"source": source, **entry.as_json()})
        elif per_file and as_json:
            click.echo(json.dumps({"source": source, **entry.as_json()}))
        elif per_file:
            click.echo(_line(source, entry))
    stats = gathering.stats()
    if as_json:
        output.print_json(stats.as_json())
    elif not as_csv:
        with output.drawing(color) as console:
            _draw_stats(stats, console, apart=per_file)
    return max(statuses)


class _Lines:
    """A file for `csv` that writes to the current standard output."""

    def write(self, text: str) -> None:
        click.echo(text, nl=False)


# reading


def _read_all(
    files: Sequence[str], zini: bool, as_json: bool, gathering: StatsBuilder, statuses: set[int]
) -> Iterator[tuple[str, Entry]]:
    """Yield each layout and game with the name of its file; print errors, and add their exit statuses."""
    if not files and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("FILES is missing. Pass layouts, saved games or replays, or - for standard input.")
    with _Counter() as counter:
        for source in _sources(files or ("-",)):
            for entry in _read_entries(source, zini):
                if isinstance(entry, Entry):
                    yield source, entry
                else:
                    gathering.unread += 1
                    counter.clear()
                    statuses.add(_report(source, entry, gathering.unread, as_json))
                counter.count()
    if gathering.unread > MAX_REPORTED_ERRORS and not as_json:
        output.note(plural("cli-stats-unread-total", gathering.unread))


def _sources(files: Iterable[str]) -> Iterator[str]:
    """The files in the given order; those of a folder are sorted by name."""
    for name in files:
        path = Path(name)
        if name != "-" and path.is_dir():
            yield from sorted(str(file) for file in path.iterdir() if file.is_file() and not file.name.startswith("."))
        else:
            yield name


def _read_entries(source: str, zini: bool) -> Iterator[Entry | Fault | OSError]:
    try:
        data = _data(source)
    except OSError as error:
        yield error
    except BoardSyntaxError as error:
        yield Fault(None, error)
    else:
        yield from entries(data, zini=zini, file=source)


def _data(source: str) -> bytes:
    if source == "-":
        return base_files.read_stream(sys.stdin.buffer, source, FILE_MAX_BYTES)
    if not is_file(source) and _is_board(source):
        return source.encode()
    return base_files.read(Path(source), FILE_MAX_BYTES)


def _is_board(text: str) -> bool:
    """Is a text that is not the name of a file a board in a documented format?"""
    try:
        return formats.read(text).format != "pasted"
    except BoardSyntaxError:
        return False


def _report(source: str, fault: Fault | OSError, number: int, as_json: bool) -> int:
    """Print an error, unless there were many before, and return its exit status."""
    place = _place(source, None if isinstance(fault, OSError) else fault.line)
    error = fault if isinstance(fault, OSError) else fault.error
    if isinstance(error, BoardSyntaxError):
        error.source = None  # the name is in `place`
    if as_json or number <= MAX_REPORTED_ERRORS:
        return failure.report_one(error, place, as_json=as_json)
    if number == MAX_REPORTED_ERRORS + 1:
        output.note(message("cli-stats-more-unread"))
    return failure.status_of(error)


def _place(source: str, line: int | None) -> str:
    name = "standard input" if source == "-" else source
    return name if line is None else f"{name}:{line}"


class _Counter:
    """The number of files read so far, on a terminal."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._number, self._printed = 0, time.monotonic()
        self._visible = False

    def __enter__(self) -> _Counter:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def count(self) -> None:
        self._number += 1
        if self._shows and time.monotonic() - self._printed > REFRESH_SECONDS:
            self._printed, self._visible = time.monotonic(), True
            click.echo("\r" + plural("cli-stats-read", self._number) + " ", err=True, nl=False)

    def clear(self) -> None:
        if self._visible:
            self._visible = False
            click.echo("\r\033[K", err=True, nl=False)


# text


_STATUSES = {"won": "cli-won", "lost": "cli-lost"}


def _line(source: str, entry: Entry) -> str:
    """One layout or game: its place, size and numbers."""
    numbers = [
        f"{message(LABELS[name])} {_format(name, entry.numbers.get(name))}" for name in _BRIEF if name in entry.numbers
    ]
    status = [] if entry.status is None else [message(_STATUSES.get(entry.status, "cli-running"))]
    size = board_and_mines(entry.rows, entry.columns, entry.mines)
    return f"{_place(source, entry.line)}: {size}: {', '.join([*status, *numbers])}"


def _draw_stats(stats: Stats, console: Console, *, apart: bool) -> None:
    if apart and (stats.layouts or stats.games):
        console.print()
    for line in output.fold(", ".join(_headline(stats)), console.width):
        console.print(summary.text(line, "bold"))
    if not stats.numbers:
        return
    console.print()
    console.print(_stats_table(stats, wide=console.width >= QUARTILES_MIN_COLUMNS))


def _headline(stats: Stats) -> Iterator[str]:
    if stats.layouts or not stats.games:
        yield plural("cli-layouts", stats.layouts)
    if stats.games:
        yield plural("cli-stats-games", stats.games, won=number(stats.won), lost=number(stats.lost))
    if stats.unread:
        yield plural("cli-stats-unread", stats.unread)


def _stats_table(stats: Stats, *, wide: bool) -> Table:
    quartiles: tuple[Column, ...] = (("25 %", "right"), (message("cli-stats-median"), "right"), ("75 %", "right"))
    heads: tuple[Column, ...] = (
        (message("cli-stats-mean"), "right"),
        (message("cli-stats-min"), "right"),
        *(quartiles if wide else quartiles[1:2]),
        (message("cli-stats-max"), "right"),
    )
    has_counts = wide and len({spread.count for spread in stats.numbers.values()}) > 1
    count: tuple[Column, ...] = ((message("cli-stats-count"), "right"),) if has_counts else ()
    rows = table(("", "left"), *count, *heads)
    for name, spread in stats.numbers.items():
        _, low, middle, high, _ = spread.quantiles
        values = [spread.mean, spread.least, *([low, middle, high] if wide else [middle]), spread.most]
        shown = [_format(name, value, mean=place == 0) for place, value in enumerate(values)]
        rows.add_row(message(LABELS[name]), *([number(spread.count)] if has_counts else []), *shown)
    return rows


_WHOLE = {"bbbv", "openings", "islands", "zini", "human_zini", "solved_bbbv", "clicks", "effective_clicks", "flags"}
_SHARES = {"efficiency", "correctness", "zini_efficiency"}


def _format(name: str, value: float | None, *, mean: bool = False) -> str:
    if value is None:
        return "-"
    if name in _SHARES:
        return share(value)
    if name in _WHOLE and not mean:
        return decimal(value, 0 if value == int(value) else 1)
    return decimal(value, 2)
