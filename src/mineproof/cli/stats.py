"""``mineproof stats``: the numbers of many layouts and games at once."""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.base.words import plural, size
from mineproof.cli import output, summary
from mineproof.cli.tables import Column, table
from mineproof.errors import STATUS, BoardSyntaxError
from mineproof.replays.collecting import Entry, Fault, entries
from mineproof.replays.summaries import Gathering, Stats

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

LARGEST = 256 * 2**20  # bytes of a file: half a million expert layouts, one a line
MOST_FAULTS = 10  # told one by one
WIDE = 72  # columns from which on there is room for quartiles
BLINK = 0.2  # seconds between two signs of life
NAMES = {
    "bbbv": "3BV", "openings": "openings", "islands": "islands", "zini": "ZiNi", "human_zini": "human ZiNi",
    "seconds": "seconds", "solved_bbbv": "solved 3BV", "clicks": "clicks", "effective_clicks": "effective",
    "flags": "flags", "bbbv_per_second": "3BV/s", "estimated_seconds": "estimated s", "clicks_per_second": "clicks/s",
    "effective_clicks_per_second": "effective/s", "efficiency": "efficiency", "correctness": "correctness",
    "throughput": "throughput", "zini_efficiency": "ZiNi/click", "rqp": "RQP", "qg": "QG", "stnb": "STNB",
}  # fmt: skip
_PLACE = ("line", "rows", "columns", "mines", "topology", "status")
_BRIEF = ("bbbv", "openings", "islands", "zini", "human_zini", "seconds", "bbbv_per_second", "clicks", "efficiency")


@click.command("stats")
@click.argument("files", nargs=-1)
@click.option("--each", is_flag=True, help="A line for each layout and game, too.")
@click.option("--won", is_flag=True, help="Leave out games that were lost.")
@click.option("--zini/--no-zini", default=True, show_default=True,
              help="Work out ZiNi, which takes most of the time.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="A table for other programs: a row for each layout and game.")
@output.as_json_option
@output.color_option
def command(files: tuple[str, ...], each: bool, won: bool, zini: bool, as_csv: bool, as_json: bool, color: str) -> int:
    """Tell 3BV, ZiNi, efficiency and the like of many layouts and games.

    FILES are layouts in any format, saved games and replays; a folder stands for its files, - or nothing for
    standard input. A file can hold many: one a line, or layouts in blocks, as 'mineproof generate' prints them. For
    each number the mean, the least, the quartiles and the most are told; docs/numbers.md defines them.

    What cannot be read is reported and passed over; the exit status is then 3. With --json, schema mineproof/stats/1;
    with --each a line before it for each layout and game.

    \b
    Examples:
      mineproof stats boards/*.mbf
      mineproof generate expert --count 1000 | mineproof stats -
      mineproof stats games/*.json replays/*.avf --won --each
      mineproof stats boards.txt --no-zini --csv
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json exclude each other")
    gathered = Gathering()
    writer = csv.DictWriter(_Lines(), ("source", *_PLACE, *NAMES), extrasaction="ignore", lineterminator="\n")
    if as_csv:
        writer.writeheader()
    for source, entry in _read_all(files, zini, as_json, gathered):
        if won and entry.status == "lost":
            continue
        gathered.take(entry)
        if as_csv:
            writer.writerow({"source": source, **entry.as_json()})
        elif each and as_json:
            click.echo(json.dumps({"source": source, **entry.as_json()}))
        elif each:
            click.echo(_line(source, entry))
    found = gathered.stats()
    if as_json:
        output.print_json(found.as_json())
    elif not as_csv:
        with output.drawing(color) as console:
            _draw(found, console, apart=each)
    return STATUS[BoardSyntaxError.code].exit if found.unread else 0


class _Lines:
    """A file to write to: standard output as it is at the moment."""

    def write(self, text: str) -> None:
        click.echo(text, nl=False)


# reading


def _read_all(files: Sequence[str], zini: bool, as_json: bool, gathered: Gathering) -> Iterator[tuple[str, Entry]]:
    """Each layout and game with the name of its file; faults are told as they come."""
    if not files and (sys.stdin is None or sys.stdin.isatty()):
        raise click.UsageError("FILES are missing: layouts, saved games or replays, or - for standard input")
    with _Sign() as sign:
        for source in _sources(files or ("-",)):
            for entry in _read(source, zini):
                if isinstance(entry, Fault):
                    gathered.unread += 1
                    sign.clear()
                    _tell_fault(source, entry, gathered.unread, as_json)
                else:
                    yield source, entry
                sign.count()
    if gathered.unread > MOST_FAULTS and not as_json:
        output.note(f"{gathered.unread:,} could not be read in all")


def _sources(files: Iterable[str]) -> Iterator[str]:
    """Files as they are given, those of folders in the order of their names."""
    for name in files:
        path = Path(name)
        if name != "-" and path.is_dir():
            yield from sorted(str(each) for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
        else:
            yield name


def _read(source: str, zini: bool) -> Iterator[Entry | Fault]:
    try:
        data = _data(source)
    except OSError as error:
        yield Fault(None, BoardSyntaxError(error.strerror or str(error)))
        return
    if len(data) > LARGEST:
        yield Fault(
            None, BoardSyntaxError(f"found more than {LARGEST // 2**20} MB, expected a file of layouts or games")
        )
        return
    yield from entries(data, zini=zini, file=source)


def _data(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read(LARGEST + 1)
    path = Path(source)
    if path.is_char_device() or path.is_block_device():
        raise OSError(0, "is a device, expected a file of layouts or games")
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


def _tell_fault(source: str, fault: Fault, number: int, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({**fault.error.as_json(), "source": _place(source, fault.line)}), err=True)
    elif number <= MOST_FAULTS:
        output.note(f"{_place(source, fault.line)}: {fault.error}")
    elif number == MOST_FAULTS + 1:
        output.note("… and more that cannot be read")


def _place(source: str, line: int | None) -> str:
    name = "standard input" if source == "-" else source
    return name if line is None else f"{name}:{line}"


class _Sign:
    """A sign of life on a terminal: how many were read."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._number, self._said = 0, time.monotonic()
        self._visible = False

    def __enter__(self) -> _Sign:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def count(self) -> None:
        self._number += 1
        if self._shows and time.monotonic() - self._said > BLINK:
            self._said, self._visible = time.monotonic(), True
            click.echo(f"\r{self._number:,} read ", err=True, nl=False)

    def clear(self) -> None:
        if self._visible:
            self._visible = False
            click.echo("\r\033[K", err=True, nl=False)


# text


def _line(source: str, entry: Entry) -> str:
    """One layout or game: where, how large, and its numbers."""
    told = [f"{NAMES[name]} {_shown(name, entry.numbers.get(name))}" for name in _BRIEF if name in entry.numbers]
    end = [] if entry.status is None else [entry.status]
    head = f"{_place(source, entry.line)}: {size(entry.rows, entry.columns, entry.mines)}"
    return f"{head}: {', '.join([*end, *told])}"


def _draw(found: Stats, console: Console, *, apart: bool) -> None:
    if apart and (found.layouts or found.games):
        console.print()
    for line in output.folded(", ".join(_headline(found)), console.width):
        console.print(summary.text(line, "bold"))
    if not found.numbers:
        return
    console.print()
    console.print(_table(found, wide=console.width >= WIDE))


def _headline(found: Stats) -> Iterator[str]:
    if found.layouts or not found.games:
        yield plural(found.layouts, "layout")
    if found.games:
        yield f"{plural(found.games, 'game')} ({found.won:,} won, {found.lost:,} lost)"
    if found.unread:
        yield f"{found.unread:,} not read"


def _table(found: Stats, *, wide: bool) -> Table:
    quartiles: tuple[Column, ...] = (("25 %", "right"), ("median", "right"), ("75 %", "right"))
    heads: tuple[Column, ...] = (
        ("mean", "right"),
        ("min", "right"),
        *(quartiles if wide else quartiles[1:2]),
        ("max", "right"),
    )
    counts = {each.count for each in found.numbers.values()}
    several = len(counts) > 1 and wide
    count: tuple[Column, ...] = (("count", "right"),) if several else ()
    made = table(("", "left"), *count, *heads)
    for name, each in found.numbers.items():
        _, low, middle, high, _ = each.quantiles
        values = [each.mean, each.least, *([low, middle, high] if wide else [middle]), each.most]
        whole = [_shown(name, value, mean=place == 0) for place, value in enumerate(values)]
        made.add_row(NAMES[name], *([f"{each.count:,}"] if several else []), *whole)
    return made


_WHOLE = {"bbbv", "openings", "islands", "zini", "human_zini", "solved_bbbv", "clicks", "effective_clicks", "flags"}
_SHARES = {"efficiency", "correctness", "zini_efficiency"}


def _shown(name: str, value: float | None, *, mean: bool = False) -> str:
    if value is None:
        return "-"
    if name in _SHARES:
        return f"{value:.0%}".replace("%", " %")
    if name in _WHOLE and not mean:
        return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
    return f"{value:,.2f}"
