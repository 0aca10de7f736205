"""``mineproof generate``: new layouts, uniform or without a guess, printed or written to files."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import click

from mineproof import formats
from mineproof.base.budget import DEFAULT, Budget
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.levels import Size
from mineproof.board.start import FIRST_CLICKS
from mineproof.cli import output, writing
from mineproof.cli.input import Count, cell, positive_seconds
from mineproof.cli.sizes import seed_option, settled, takes_size
from mineproof.deduction.ladder import LADDER
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.generation.making import Generated, generate_many
from mineproof.generation.wishes import Method, Wanted

LARGEST = 2**64 - 1
_TECHNIQUES = list(LADDER)
_FORMATS = [row.name for row in formats.FORMATS.values() if row.writes and row.holds in ("layout", "either")]
_BINARY = [row.name for row in formats.FORMATS.values() if row.read_text is None]
_BLOCKS = ("layout", "rawvf")  # formats of several lines: a blank one stands between two layouts
_SUFFIXES = {"json": ".json", "mbf": ".mbf", "rawvf": ".rawvf"}


def _wanted(text: str) -> Wanted:
    """A number, or the bounds of one."""
    parts = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text)
    if parts is None or not (parts[1] or parts[3]) or (parts[2] is None and parts[3]):
        raise click.BadParameter(f"found {text!r}, expected A..B, A.., ..B or a number")
    least, most = (int(part) if part else None for part in (parts[1], parts[3]))
    if parts[2] is None:
        return int(text)
    if least is not None and most is not None and least > most:
        raise click.BadParameter(f"found {text!r}, expected the least before the most")
    return least, most


@click.command("generate")
@takes_size
@click.option("--no-guess", is_flag=True, help="Layouts that certainty alone opens from their start.")
@click.option("--start", type=cell, metavar="R,C", help="First click.  [default: the middle, with --no-guess]")
@click.option("--first-click", type=click.Choice(FIRST_CLICKS),
              help="What is kept free: nothing, the start, or its neighbours too.  "
              "[default: safe; open with --no-guess]")  # fmt: skip
@click.option("--count", type=Count(0), default=1, show_default=True, metavar="N", help="How many.")
@seed_option
@click.option("--number", type=click.IntRange(0, LARGEST), default=0, metavar="K",
              help="Begin with this layout of the seed.  [default: 0]")  # fmt: skip
@click.option(
    "--topology", type=click.Choice(TOPOLOGIES), default="grid", show_default=True, help="Shape of the board."
)
@click.option("--method", type=click.Choice(get_args(Method)), default="repair", show_default=True,
              help="Repair layouts that get stuck, or deal others: uniform, and slow when dense.")  # fmt: skip
@click.option("--needs", type=click.Choice(_TECHNIQUES), metavar="T", help="Technique T or a harder one is needed.")
@click.option("--hardest", type=click.Choice(_TECHNIQUES), metavar="T", help="No technique harder than T is needed.")
@click.option("--bbbv", type=_wanted, metavar="A..B", help="3BV from A to B; also A.., ..B and N.")
@click.option("--openings", type=_wanted, metavar="A..B", help="So many openings.")
@click.option("--islands", type=_wanted, metavar="A..B", help="So many islands.")
@click.option("--zini", type=_wanted, metavar="A..B", help="ZiNi from A to B: clicks with flags and chords.")
@click.option("--human-zini", type=_wanted, metavar="A..B", help="The same, all openings first.")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, metavar="N",
              help="How many to make at a time; the answer is the same.")  # fmt: skip
@click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
              help="Give up when one layout takes longer.")  # fmt: skip
@click.option("--to", "format_", type=click.Choice(_FORMATS), metavar="FORMAT",
              help="Format to write; see 'mineproof convert --list'.  [default: layout]")  # fmt: skip
@click.option("-o", "--output", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write a file for each layout, named SEED-NUMBER.")  # fmt: skip
@writing.force_option
@click.option("--certificate", is_flag=True, help="Add the proof that no guess is needed; takes -o or --json.")
@output.as_json_option
def command(
    size: Size,
    seed: int | None,
    number: int,
    count: int,
    threads: int,
    budget: float,
    format_: str | None,
    folder: Path | None,
    force: bool,
    certificate: bool,
    as_json: bool,
    **wishes: Any,
) -> None:
    """Make new layouts, the same for the same seed and options on every machine.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM; expert if left out. Without --no-guess every
    layout is equally likely, with --bbbv and the like every one that suits. Layouts are printed as they are made, so an
    interrupted run is whole as far as it goes.

    When no layout is found in time, the exit status is 5 and the message says how far the best try came.

    With --json, one object a line, schema mineproof/generated/1: seed, number, method, attempts, layout (as --to json
    has it) and, with --certificate, certificate.

    \b
    Examples:
      mineproof generate beginner --seed 7
      mineproof generate --no-guess --start 4,4 --count 100 --seed 1 --to mbf -o boards
      mineproof generate --no-guess --needs contradiction --threads 4 --count 20
      mineproof generate 30x16x200 --no-guess --certificate --json
      mineproof generate --bbbv 100..140 --openings 5.. --zini ..90
    """
    _check_usage(wishes, format_, folder, certificate, as_json)
    drawn = settled(seed)
    try:
        made = generate_many(
            count, *size, seed=drawn, number=number, threads=threads, budget=Budget(seconds=budget), **wishes
        )
    except OutsideError:
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    sheet = _Sheet(format_ or "layout", folder, force, certificate, as_json)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with _telling(count) as (say, advance), closing(made):
        for place, layout in enumerate(made):
            say(sheet.write(layout, first=place == 0))
            advance()


def _check_usage(
    wishes: Mapping[str, object], format_: str | None, folder: Path | None, certificate: bool, as_json: bool
) -> None:
    if not wishes["no_guess"] and (certificate or wishes["needs"] or wishes["hardest"]):
        raise click.UsageError("--needs, --hardest and --certificate go with --no-guess")
    if as_json and format_ is not None and folder is None:
        raise click.UsageError("--json has a shape of its own; --to json writes the layouts alone")
    if certificate and folder is None and not as_json:
        raise click.UsageError("--certificate takes -o DIR, to write it to a file, or --json")
    if format_ in _BINARY and folder is None:
        raise click.UsageError(f"{format_} is not text: write it to files with -o DIR")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """How layouts are written."""

    format: str
    folder: Path | None
    force: bool
    certificate: bool
    as_json: bool

    def write(self, layout: Generated, *, first: bool) -> str:
        """What to print of a layout, once its files are written, if there are any."""
        path = None if self.folder is None else self._write_files(layout, self.folder)
        if self.as_json:
            return json.dumps(
                layout.generated_json(certificate=self.certificate) | ({} if path is None else {"file": str(path)})
            )
        if path is not None:
            return str(path)
        text = self._written(layout)
        assert isinstance(text, str), "bytes are for files"
        return text if first or self.format not in _BLOCKS else f"\n{text}"

    def _write_files(self, layout: Generated, folder: Path) -> Path:
        name = f"{layout.seed}-{layout.number}"
        path = folder / f"{name}{_SUFFIXES.get(self.format, '.txt')}"
        writing.write(path, _lines(self._written(layout)), force=self.force)
        if self.certificate:
            proof = json.dumps(_certificate(layout)) + "\n"
            writing.write(folder / f"{name}.certificate.json", proof, force=self.force)
        return path

    def _written(self, layout: Generated) -> str | bytes:
        try:
            return formats.write(layout, self.format)
        except BoardSyntaxError as error:  # nothing was read: the options ask for what the format has no room for
            raise click.UsageError(str(error)) from None


def _lines(written: str | bytes) -> str | bytes:
    return written if isinstance(written, bytes) else f"{written}\n"


def _certificate(layout: Generated) -> dict[str, object]:
    assert layout.certificate is not None, "it was made to need no guess"
    return layout.certificate.as_json()


# while it takes long


@contextmanager
def _telling(count: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """How to print an answer, and how to say that one more is there; with a bar where a person waits at a terminal."""
    if not sys.stderr.isatty():
        yield click.echo, lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=count, rate="")
        begun = time.monotonic()

        def advance() -> None:
            done = bar.tasks[task].completed + 1
            bar.update(task, advance=1, rate=f"{done / (time.monotonic() - begun):,.1f} a second")

        def say_instead(text: str) -> None:
            bar.stop()
            click.echo(text)
            bar.start()

        # Where answers go to the terminal too, the bar makes room for them.
        yield say_instead if sys.stdout.isatty() else click.echo, advance
