"""What is asked about: the BOARD argument, the options on reading it, and the limits on thinking about it."""

from __future__ import annotations

import functools
import math
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from mineproof import formats
from mineproof.base import checks, files
from mineproof.base.budget import DEFAULT, Budget
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.board.levels import read_sides, read_size
from mineproof.board.notation import quote
from mineproof.cli import output
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from mineproof.advice.hints import HintFlags

LARGEST_COUNT = 2**62 - 1  # of games, layouts, samples: the numbers that a seed has for them

R = TypeVar("R")
Command = Callable[..., R]


class Whole(NamedTuple):
    """What was read, from which bytes, and what they are called."""

    reading: formats.Reading
    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a board comes from, not read yet."""

    argument: str | None
    format: str | None
    size: tuple[int, int] | None
    total_mines: int | None
    topology: Topology | None

    def read(self) -> formats.Reading:
        """The board or layout; a BoardSyntaxError names the file it is about."""
        return self.read_whole().reading

    def read_whole(self) -> Whole:
        """The same with the bytes that it was read from."""
        data, name = self._data()
        try:
            return Whole(self._read(data, name), data if isinstance(data, bytes) else data.encode(), name)
        except BoardSyntaxError as error:
            if isinstance(data, str):
                self._refuse_folder()
                if _PATH.fullmatch(data):
                    raise click.UsageError(f"there is no file {data!r}") from None
            error.source = name
            raise

    def _read(self, data: bytes | str, name: str) -> formats.Reading:
        size, total, topology = self.size, self.total_mines, self.topology
        return formats.read(data, self.format, size=size, total_mines=total, topology=topology, file=name)

    def position(self) -> tuple[Board, str]:
        """The board, where nothing else will do, and how it was understood, where that was a guess."""
        reading = self.read()
        if isinstance(reading.value, Board):
            guessed = self.format is None and reading.format != "mineproof"
            return reading.value, reading.note if guessed else ""
        self._refuse_folder()
        raise BoardSyntaxError(f"found a layout ({reading.format}), which hides nothing; expected a position")

    def _data(self) -> tuple[bytes | str, str]:
        """What to read, and what to call it; a file that exists comes before a board of the same letters."""
        if self.argument is not None and self.argument != "-" and not is_file(self.argument):
            return self.argument, f"{quote(self.argument)} (not a file, so read as a board)"
        return contents(self.argument, "BOARD is missing: a file, '1#/##', a link, a game ID, or - to type it in")

    def _refuse_folder(self) -> None:
        """What is no board of the kind that is wanted, and is the name of a folder, was meant to be that."""
        if self.argument is not None and _is_folder(self.argument):
            files.require_file(Path(self.argument))


def contents(argument: str | None, missing: str) -> tuple[bytes, str]:
    """What a file, or standard input, holds, and what to call it; ``missing`` is what to say if nothing was given."""
    if argument is not None and argument != "-":
        return files.read(Path(argument)), argument
    if sys.stdin is None or (argument is None and sys.stdin.isatty()):
        raise click.UsageError(missing)
    if sys.stdin.isatty():
        output.note("type the rows, and Ctrl-D at the end")
    return files.read_stream(sys.stdin.buffer, "standard input"), "standard input"


@dataclass(frozen=True, slots=True)
class Question:
    """A position and how it is to be looked at.

    Flags that are not trusted are covered cells here already, unless a command looks at the player's flags itself;
    ``flags`` says how those still on the board are meant.
    """

    board: Board
    ignored_flags: int
    density: Fraction | None
    budget: Budget
    note: str = ""  # how the board was understood, where that was a guess
    flags: HintFlags = "trust"

    def board_json(self) -> dict[str, object]:
        """The key that answers in JSON have besides their own: what was asked about, to be read back."""
        return {"board": self.board.as_json()}


# What cannot be read as a board, and begins like a path or ends like the name of a file, was meant to be one.
_PATH = re.compile(
    r"(?:~|\.{0,2})/[^#?:\n]*[A-Za-z][^#?:\n]*|[^#?:\n]+\.[A-Za-z][A-Za-z0-9]{1,5}|[^#?:\n/]*[a-z]{2}[^#?:\n/]*/[^#?:\n]*"
)


def is_file(name: str) -> bool:
    """A file, a pipe or a device. A board of zeros, ``..``, is not the folder of that name."""
    try:
        return name != "" and Path(name).exists() and not Path(name).is_dir()
    except (OSError, ValueError):  # a long board is no name that a file can have
        return False


def _is_folder(name: str) -> bool:
    try:
        return name != "" and Path(name).is_dir()
    except (OSError, ValueError):
        return False


# values of options


def cell(text: str) -> Cell:
    """A cell, as an option takes it."""
    place = re.fullmatch(r"([0-9]{1,7}),([0-9]{1,7})", text)
    if place is None:
        raise click.BadParameter(f"found {text!r}, expected ROW,COLUMN from 0,0 on")
    return int(place[1]), int(place[2])


def _sides(text: str) -> tuple[int, int]:
    try:
        return read_sides(text)
    except BoardSyntaxError as error:
        raise click.BadParameter(str(error)) from None


def _density(text: str) -> Fraction:
    try:
        return checks.read_chance(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def level_name(text: str) -> str:
    """A level or a size WxHxM, as an option takes it: the text, once it is known to be one."""
    try:
        read_size(text)
    except BoardSyntaxError as error:
        raise click.BadParameter(str(error)) from None
    return text


def positive_seconds(text: str) -> float:
    """Seconds, as an option takes them."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"found {text!r}, expected a number of seconds above 0")
    return seconds


class Count(click.ParamType[int]):
    """How many of something: 100000, 100_000, 100,000 or 1e5, within bounds that every loop can count to."""

    name = "count"
    _WRITTEN = re.compile(r"[0-9]{1,30}|[0-9]{1,3}(?:[_,][0-9]{3}){1,9}|([1-9])[eE]\+?([0-9]{1,2})")

    def __init__(self, least: int, most: int = LARGEST_COUNT) -> None:
        self._least, self._most = least, most

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):  # a default
            return value
        written = self._WRITTEN.fullmatch(value.strip())
        if written is None:
            self.fail(f"found {quote(value)}, expected a whole number such as 1000, 1_000, 1,000 or 1e3", param, ctx)
        digit, zeros = written.groups()
        number = int(re.sub("[_,]", "", written[0])) if digit is None else int(digit) * 10 ** int(zeros)
        if not self._least <= number <= self._most:
            most = "2**62 - 1" if self._most == LARGEST_COUNT else f"{self._most:,}"
            self.fail(f"found {value.strip()}, expected {self._least:,} to {most}", param, ctx)
        return number


class StrategyName(click.ParamType[str]):
    """The name of a strategy: one of the kernel's, those that answer about a single position if ``deciding``.

    Unless ``deciding``, those that installed packages offer are known too; they are looked for last.
    """

    name = "strategy"

    def __init__(self, *, deciding: bool) -> None:
        self._deciding = deciding

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from mineproof.decision.strategy_table import strategies
        from mineproof.engine.choice import default_engine

        known = [each.name for each in strategies() if each.decides or not self._deciding]
        if value not in known and not self._deciding:
            from mineproof.decision.own import installed

            known += [each.name for each in installed() if each.name not in known]
        if value not in known and default_engine().plays:  # an engine that does not play says so itself
            self.fail(f"found {value!r}, expected one of {', '.join(known)}", param, ctx)
        return value


# decorators


class Line(str):
    """BOARD as a line of a file of many: never the name of a file itself."""

    __slots__ = ()


class _LineSource(Source):
    """A board that was read already."""

    __slots__ = ()

    def read_whole(self) -> Whole:
        text = str(self.argument)
        return Whole(self._read(text, ""), text.encode(), "")


def states_option(help_text: str) -> Callable[[Command[R]], Command[R]]:
    """The limit on effort, which is the same wherever there is one."""
    return click.option(
        "--states", type=Count(1), default=DEFAULT.states, show_default=True, metavar="N", help=help_text
    )


def takes_source(function: Command[R]) -> Command[R]:
    """Give a command the options on reading BOARD, which `many` gives it; it is called with a `Source`."""
    readable = [row.name for row in formats.FORMATS.values() if row.reads]

    @click.option("--mines", type=click.IntRange(min=0), metavar="N", help="Mines on the whole board, flagged or not.")
    @click.option("--topology", type=click.Choice(TOPOLOGIES), help="Shape of the board, if not a plain grid.")
    @click.option("--from", "format_", type=click.Choice(readable), metavar="NAME",
                  help="Format of BOARD, if not to be guessed; see 'mineproof convert --list'.")  # fmt: skip
    @click.option("--size", type=_sides, metavar="WxH",
                  help="Size that BOARD must have; Minedetector text is then read as a stream of cells.")  # fmt: skip
    @functools.wraps(function)
    def command(
        board: str | None,
        mines: int | None,
        topology: Topology | None,
        format_: str | None,
        size: tuple[int, int] | None,
        **others: object,
    ) -> R:
        kind = _LineSource if isinstance(board, Line) else Source
        return function(kind(board, format_, size, mines, topology), **others)

    return command


def _unchanged(function: Command[R]) -> Command[R]:
    return function


def takes_question(function: Command[R], *, checks_flags: bool = False, wants_total: bool = False) -> Command[R]:
    """Give a command all options on BOARD, and limits; it is called with a `Question`.

    A command that ``checks_flags`` is given those of the player, and how they are to be taken. One that ``wants_total``
    can do nothing with a density.
    """
    choices, help_on_flags = ["trust", "ignore"], "Take flags for mines, or for covered cells like others."
    if checks_flags:
        choices = ["check", *choices]
        help_on_flags = "Take flags for the player's marks, which may be wrong, for mines, or for covered cells."

    density_option: Callable[[Command[R]], Command[R]] = click.option(
        "--density", type=_density, metavar="P", help="Chance of a mine per cell, where the number of mines is unknown."
    )
    if wants_total:
        density_option = _unchanged

    @takes_source
    @click.option("--flags", type=click.Choice(choices), show_default=True, default=choices[0],
                  help=help_on_flags)  # fmt: skip
    @density_option
    @click.option("--budget", type=positive_seconds, default=DEFAULT.seconds, show_default=True, metavar="SECONDS",
                  help="Give up after this time.")  # fmt: skip
    @states_option("Give up after this effort; 80 million take about a gigabyte.")
    @functools.wraps(function)
    def command(
        source: Source, flags: HintFlags, budget: float, states: int, density: Fraction | None = None, **others: object
    ) -> R:
        board, note = source.position()
        limit = Budget(seconds=budget, states=states)
        if checks_flags:
            return function(Question(board, 0, density, limit, note, flags), **others)
        ignored = board.count(FLAGGED) if flags == "ignore" else 0
        seen = board.without_flags() if ignored else board
        return function(Question(seen, ignored, density, limit, note), **others)

    return command
