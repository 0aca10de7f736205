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
from typing import TYPE_CHECKING, Any, get_args

import click

from mineproof import formats
from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.board.levels import Size
from mineproof.cli import options, output_files, variants
from mineproof.cli.failure import usage_error
from mineproof.cli.parameters import LARGEST_SEED, Choice, Count, Parsed
from mineproof.cli.sizes import choose_seed, takes_size
from mineproof.deduction.ladder import LADDER
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.formats.table import BINARY
from mineproof.generation.generator import Generated, NoGuessLayout, generate_many
from mineproof.generation.requirements import Method, NumberTarget
from mineproof.wording.catalogue import decimal, message

if TYPE_CHECKING:
    from mineproof.generation.wire import CertificateJson

_TECHNIQUES: list[str] = list(LADDER)
_FORMATS = [row.name for row in formats.FORMATS.values() if row.writes and row.holds in ("layout", "either")]
_BLOCKS = ("layout", "rawvf")  # formats with several lines, separated by a blank line


def _parse_bounds(text: str) -> NumberTarget:
    """A number, or its bounds; ValueError for anything else."""
    parts = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text)
    if parts is None or not (parts[1] or parts[3]) or (parts[2] is None and parts[3]):
        raise ValueError
    least, most = (int(part) if part else None for part in (parts[1], parts[3]))
    if parts[2] is None:
        return int(text)
    if least is not None and most is not None and least > most:
        raise ValueError
    return least, most


_BOUNDS = Parsed("bounds", _parse_bounds, "a number, or a range A..B, A.. or ..B with the smaller number first")


@click.command("generate")
@takes_size
@variants.takes_rules_of_new_boards
@click.option("--no-guess", is_flag=True, help="Make layouts that can be solved without a guess from their start.")
@options.start_option("none; the middle with --no-guess")
@options.first_click_option(None, otherwise="safe; open with --no-guess")
@click.option("--count", type=Count(1), default=1, show_default=True, metavar="N",
              help="Number of layouts.")  # fmt: skip
@options.random_seed_option
@click.option("--number", type=Count(0, LARGEST_SEED), default=0, metavar="K",
              help="Number of the first layout of the seed.  [default: 0]")  # fmt: skip
@options.topology_option()
@click.option("--method", type=Choice(get_args(Method)), default="repair", show_default=True,
              help="How to avoid guesses. repair changes layouts that need one. rejection draws new ones: uniform, but "
              "slow with many mines.")  # fmt: skip
@click.option("--needs", type=Choice(_TECHNIQUES), metavar="T",
              help="Require a step that needs technique T or a harder one.")  # fmt: skip
@click.option(
    "--hardest", type=Choice(_TECHNIQUES), metavar="T", help="Allow no step that needs a technique harder than T."
)
@click.option("--difficulty", type=_BOUNDS, metavar="A..B",
              help="Sum of the difficulty of all steps, from 0 (single numbers) to 6 (exhaustive) each.")  # fmt: skip
@click.option("--bbbv", type=_BOUNDS, metavar="A..B", help="3BV from A to B. Also A.., ..B or one number.")
@click.option("--openings", type=_BOUNDS, metavar="A..B", help="Number of openings.")
@click.option("--islands", type=_BOUNDS, metavar="A..B", help="Number of islands.")
@click.option("--zini", type=_BOUNDS, metavar="A..B", help="ZiNi: number of clicks with flags and chords.")
@click.option("--human-zini", type=_BOUNDS, metavar="A..B", help="Human ZiNi: ZiNi with all openings first.")
@options.threads_option(1)
@options.budget_option(" for each layout")
@click.option("--to", "format_", type=Choice(_FORMATS), metavar="FORMAT",
              help="Format to write. 'mineproof convert --list' lists them.  [default: layout]")  # fmt: skip
@options.output_folder_option("Write a file for each layout, named SEED-NUMBER, into this folder.", "folder")
@options.force_option
@click.option("--certificate", is_flag=True, help="Add the proof that no guess is needed. Requires -o or --json.")
@options.as_json_option
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
    **requirements: Any,
) -> None:
    """Generate new layouts. The same seed and options give the same layouts on every machine.

    SIZE is a level (beginner, beginner8, intermediate, expert) or WxHxM (width, height, mines), by default expert.
    Without --no-guess every layout is equally likely; with --bbbv and similar options, every layout that meets them.
    Each layout is printed as soon as it is made: * is a mine, S the start, which is the first cell to open.

    --needs, --hardest and --difficulty choose the difficulty of layouts without a guess. Techniques, from easy to hard:
    {techniques}. Most layouts for --needs contradiction need total instead. Add
    --hardest contradiction to exclude those layouts.

    With --rules, boards are those of a variant: layouts with their clues, or puzzles with --unique. See
    docs/variants.md.

    If no layout is found in time, the exit status is 5 and the message says what was tried.

    With --json, one object per line, schema mineproof/generated/1: seed, number, method, attempts, layout (as --to json
    prints it) and, with --certificate, certificate.

    \b
    Examples:
      mineproof generate beginner --seed 7
      mineproof generate --no-guess --start 4,4 --count 100 --seed 1 --to mbf -o boards
      mineproof generate --no-guess --needs bounds --hardest bounds --threads 4 --count 20
      mineproof generate intermediate --no-guess --difficulty 5..10
      mineproof generate 30x16x200 --no-guess --certificate --json
      mineproof generate --bbbv 100..140 --openings 5.. --zini ..90
      mineproof generate 6x6x8 --rules liar,quad --unique --seed 1
    """
    _check_usage(requirements, format_, folder, certificate, as_json)
    chosen_seed = choose_seed(seed)
    try:
        layouts = generate_many(
            count,
            *size,
            seed=chosen_seed,
            number=number,
            threads=threads,
            budget=Budget(seconds=budget),
            **requirements,
        )
    except OutsideError:
        raise
    except ValueError as error:
        raise usage_error(error) from None
    writer = _Writer(format_ or "layout", folder, force, certificate, as_json)
    if folder is not None:
        files.make_folder(folder)
    with _bar(count) as (echo, advance), closing(layouts):
        for place, layout in enumerate(layouts):
            echo(writer.write(layout, first=place == 0))
            advance()


command.help = (command.help or "").replace("{techniques}", ", ".join(_TECHNIQUES))


def _check_usage(
    requirements: Mapping[str, Any], format_: str | None, folder: Path | None, certificate: bool, as_json: bool
) -> None:
    graded = any(requirements[name] is not None for name in ("needs", "hardest", "difficulty"))
    if not requirements["no_guess"] and (certificate or graded):
        raise click.UsageError("--needs, --hardest, --difficulty and --certificate require --no-guess")
    needs, hardest = requirements["needs"], requirements["hardest"]
    if needs is not None and hardest is not None and _TECHNIQUES.index(needs) > _TECHNIQUES.index(hardest):
        raise click.UsageError(f"--needs must not be harder than --hardest {hardest}, got {needs}")
    if as_json and format_ is not None and folder is None:
        raise click.UsageError("--json cannot be combined with --to without -o DIR. --to json prints only the layouts.")
    if certificate and folder is None and not as_json:
        raise click.UsageError("--certificate requires -o DIR, to write it to a file, or --json")
    if format_ in BINARY and folder is None:
        raise click.UsageError(f"{format_} is a binary format. Use -o DIR to write it to files.")


@dataclass(frozen=True, slots=True)
class _Writer:
    """How layouts are written."""

    format: str
    folder: Path | None
    force: bool
    certificate: bool
    as_json: bool

    def write(self, layout: Generated, *, first: bool) -> str:
        """Write the files of a layout, if any, and return what to print."""
        path = None if self.folder is None else self._write_files(layout, self.folder)
        if self.as_json:
            return json.dumps(
                layout.generated_json(certificate=self.certificate) | ({} if path is None else {"file": str(path)})
            )
        if path is not None:
            return str(path)
        text = self._format(layout)
        assert isinstance(text, str), "a binary format is written to files"
        return text if first or self.format not in _BLOCKS else f"\n{text}"

    def _write_files(self, layout: Generated, folder: Path) -> Path:
        name = f"{layout.seed}-{layout.number}"
        suffix = next(iter(formats.FORMATS[self.format].suffixes), ".txt")
        path = folder / f"{name}{suffix}"
        output_files.write(path, _with_newline(self._format(layout)), force=self.force)
        if self.certificate:
            proof = json.dumps(_certificate_json(layout)) + "\n"
            output_files.write(folder / f"{name}.certificate.json", proof, force=self.force)
        return path

    def _format(self, layout: Generated) -> str | bytes:
        try:
            return formats.write(layout, self.format)
        except BoardSyntaxError as error:  # nothing was read: the format cannot store what the options ask for
            raise usage_error(error) from None


def _with_newline(content: str | bytes) -> str | bytes:
    return content if isinstance(content, bytes) else f"{content}\n"


def _certificate_json(layout: Generated) -> CertificateJson:
    assert isinstance(layout, NoGuessLayout), "--certificate requires --no-guess"
    return layout.certificate.as_json()


# progress


@contextmanager
def _bar(count: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Yield how to print a layout, and how to advance the progress bar on a terminal."""
    if not sys.stderr.isatty():
        yield click.echo, lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=count, rate="")
        started = time.monotonic()

        def advance() -> None:
            done = bar.tasks[task].completed + 1
            rate = decimal(done / (time.monotonic() - started), 1)
            bar.update(task, advance=1, rate=message("cli-progress-per-second", rate=rate))

        def echo_above_bar(text: str) -> None:
            bar.stop()
            click.echo(text)
            bar.start()

        # If the layouts go to the same terminal, the bar makes room for them.
        yield echo_above_bar if sys.stdout.isatty() else click.echo, advance
