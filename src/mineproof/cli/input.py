"""The BOARD argument, the options that say how to read it, and the limits of the search."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from mineproof import formats
from mineproof.base import checks, files
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, FLAGGED
from mineproof.board.geometry import Topology
from mineproof.board.levels import read_sides
from mineproof.board.notation import quote
from mineproof.cli import options, output
from mineproof.cli.mine_counts import mines_on
from mineproof.cli.parameters import Choice, ParamType, Parsed, invalid
from mineproof.errors import BoardSyntaxError
from mineproof.protocol.names import is_bot
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from mineproof.advice.hints import HintFlags

R = TypeVar("R")
Command = Callable[..., R]


class BoardFile(NamedTuple):
    """A board or layout, the bytes it was read from, and their name."""

    reading: formats.FormatReading
    data: bytes
    name: str


@dataclass(frozen=True, slots=True)
class BoardSource:
    """Where a board comes from. It is read on request."""

    argument: str | None
    format: str | None
    size: tuple[int, int] | None
    mines: int | Fraction | None  # a share of the cells becomes a number once the size is known
    topology: Topology | None

    def read(self) -> formats.FormatReading:
        """Read the board or layout; a BoardSyntaxError names the file."""
        return self.read_file().reading

    def read_file(self) -> BoardFile:
        """Read the board or layout, and keep the bytes."""
        data, name = self._data()
        try:
            reading = self._read_data(data, name)
        except BoardSyntaxError as error:
            self._refuse_path(data)
            error.source = name
            raise
        if reading.format == "pasted" and self.format is None:
            self._refuse_path(data)
        return BoardFile(reading, data if isinstance(data, bytes) else data.encode(), name)

    def _refuse_path(self, data: bytes | str) -> None:
        """Refuse a literal that no documented format reads and that looks like the name of a folder or a file."""
        if isinstance(data, str):
            self._refuse_folder()
            if _PATH.fullmatch(data) or _WORD.fullmatch(data):
                raise files.not_found(data) from None

    def _read_data(self, data: bytes | str, name: str) -> formats.FormatReading:
        read = functools.partial(
            formats.read, data, self.format, size=self.size, topology=self.topology, file=name
        )  # fmt: skip
        try:
            if isinstance(self.mines, Fraction):
                return read(total_mines=mines_on(self.mines, _count_cells(read())))
            return read(total_mines=self.mines)
        except BoardSyntaxError as error:
            if isinstance(self.mines, int):
                self._check_mines(self.mines, read)
            if error.advice:
                error.advise(_ADVICE)
            raise

    @staticmethod
    def _check_mines(mines: int, read: Callable[[], formats.FormatReading]) -> None:
        """Raise an error that names --mines if a board that can be read without it has fewer cells."""
        cells = mines
        with suppress(BoardSyntaxError):
            cells = _count_cells(read())
        if mines > cells:
            raise BoardSyntaxError(f"--mines must be from 0 to {cells:,} on this board, got {mines:,}")

    def position(self) -> tuple[Board, str]:
        """Read a position, and how it was understood, if that was a guess; a layout is an error."""
        reading, _, name = self.read_file()
        if isinstance(reading.value, Board):
            if reading.notes:
                output.note("; ".join(reading.notes))
            guessed = self.format is None and reading.format not in ("mineproof", "pasted")
            return reading.value, reading.note if guessed else ""
        self._refuse_folder()
        command = click.get_current_context().info_name
        message = f"This board shows where the mines are (format {reading.format})."
        raise BoardSyntaxError(f"{message} {command} needs a position: a board with covered cells.", source=name)

    def _data(self) -> tuple[bytes | str, str]:
        """The bytes or text to read, and their name; a file that exists comes before a board of the same letters."""
        if self.argument is not None and self.argument != "-" and not is_file(self.argument):
            return self.argument, f"{quote(self.argument)} (not a file, so read as a board)"
        return read_input(
            self.argument, "BOARD is missing. Pass a file, '1#/##', a link or a game ID, or - for standard input."
        )

    def _refuse_folder(self) -> None:
        """Raise an error that names the folder, if BOARD is one."""
        if self.argument is not None and _is_folder(self.argument):
            files.require_file(Path(self.argument))


def _count_cells(reading: formats.FormatReading) -> int:
    value = reading.value
    return len(value.codes) - value.count(ABSENT) if isinstance(value, Board) else len(value.cells())


def read_input(argument: str | None, missing: str) -> tuple[bytes, str]:
    """Read a file or standard input, and return its name; ``missing`` is the error if there is neither."""
    if argument is not None and argument != "-":
        return files.read(Path(argument)), argument
    if sys.stdin is None or (argument is None and sys.stdin.isatty()):
        raise click.UsageError(missing)
    if sys.stdin.isatty():
        output.note(message("cli-type-rows"))
    return files.read_stream(sys.stdin.buffer, "standard input"), "standard input"


@dataclass(frozen=True, slots=True)
class PositionRequest:
    """A position, and how to look at it.

    Flags that are not trusted are covered cells here, unless a command checks the player's flags itself; ``flags`` says
    how to treat those that are still on the board.
    """

    board: Board
    ignored_flags: int
    density: Fraction | None
    budget: Budget
    note: str = ""  # how the board was understood, if that was a guess
    flags: HintFlags = "trust"


# A literal that cannot be read as a board, and begins like a path or ends like a file name, was meant to be a file.
_PATH = re.compile(
    r"(?:~|\.{0,2})/[^#?:\n]*[A-Za-z][^#?:\n]*|[^#?:\n]+\.[A-Za-z][A-Za-z0-9]{1,5}"
    r"|[^#?:\n/]*([a-z])(?!\1)[a-z][^#?:\n/]*/[^#?:\n]*"
)
# So was a single word, perhaps with a number: foo, README, foo2. The code of a link has small and capital letters.
_WORD = re.compile(r"[A-Za-z][a-z]*|[A-Z]+|[a-z]*([a-z])(?!\1)[a-z]+[0-9]+")
_ADVICE = "See 'mineproof convert --list' or docs/formats.md."


def is_file(name: str) -> bool:
    """Is this a file, a pipe or a device? A board of zeros, ``..``, is not the folder of that name."""
    try:
        return name != "" and Path(name).exists() and not Path(name).is_dir()
    except (OSError, ValueError):  # a long board is not a possible file name
        return False


def _is_folder(name: str) -> bool:
    try:
        return name != "" and Path(name).is_dir()
    except (OSError, ValueError):
        return False


# values of options

_SIDES = Parsed("size", read_sides, "WIDTHxHEIGHT such as 30x16")
_DENSITY = Parsed("density", checks.read_chance, "a number between 0 and 1 such as 0.2, 1/5 or 20%")


class StrategyName(ParamType[str]):
    """The name of a strategy: one of the kernel's, only those that answer about a single position if ``deciding``.

    Unless ``deciding``, strategies of installed packages are allowed too. They are looked up last. With ``bots``, so is
    ``exec:COMMAND``.
    """

    name = "strategy"

    def __init__(self, *, deciding: bool, bots: bool = False) -> None:
        self._deciding, self._bots = deciding, bots

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from mineproof.decision.strategy_table import strategies
        from mineproof.engine.default import default_engine

        if self._bots and is_bot(value):
            return require_bot(value, param, ctx)
        known = [strategy.name for strategy in strategies() if strategy.decides or not self._deciding]
        if value not in known and not self._deciding:
            from mineproof.decision.custom import installed_strategies

            known += [strategy.name for strategy in installed_strategies() if strategy.name not in known]
        if value not in known and default_engine().plays:  # an engine that does not play reports it itself
            or_bot = " or exec:COMMAND" if self._bots else ""
            raise invalid(param, ctx, f"one of {', '.join(known)}{or_bot}", value)
        return value


def require_bot(name: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
    """The name of a bot, if it has the right form."""
    from mineproof.protocol.names import FORM, parse_bot

    try:
        parse_bot(name)
    except ValueError:
        raise invalid(param, ctx, FORM, name) from None
    return name


# decorators


class BoardLine(str):
    """BOARD as one line of a file of many; it is never the name of a file."""

    __slots__ = ()


class _LineSource(BoardSource):
    """A board whose text was read already."""

    __slots__ = ()

    def read_file(self) -> BoardFile:
        text = str(self.argument)
        return BoardFile(self._read_data(text, ""), text.encode(), "")


def takes_source(function: Command[R]) -> Command[R]:
    """Give a command the options on reading BOARD, which `boards` gives it; it is called with a `BoardSource`."""
    readable = [row.name for row in formats.FORMATS.values() if row.reads]

    @options.mines_option("Number of mines on the whole board, flagged or not, or a percentage of the cells.")
    @options.topology_option(None, otherwise="as BOARD says, else grid")
    @click.option("--from", "format_", type=Choice(readable), metavar="NAME",
                  help="Format of BOARD. 'mineproof convert --list' lists them.  [default: detected]")  # fmt: skip
    @click.option("--size", type=_SIDES, metavar="WxH",
                  help="Size that BOARD must have. The format minedetector may then break rows anywhere.")  # fmt: skip
    @functools.wraps(function)
    def command(
        board: str | None,
        mines: int | Fraction | None,
        topology: Topology | None,
        format_: str | None,
        size: tuple[int, int] | None,
        **others: object,
    ) -> R:
        kind = _LineSource if isinstance(board, BoardLine) else BoardSource
        return function(kind(board, format_, size, mines, topology), **others)

    return command


def _no_options(function: Command[R]) -> Command[R]:
    return function


def takes_position(function: Command[R], *, checks_flags: bool = False, needs_total: bool = False) -> Command[R]:
    """Give a command all options on BOARD, and limits; it is called with a `PositionRequest`.

    A command that ``checks_flags`` gets the flags of the player, and how to treat them. A command that ``needs_total``
    has no --density.
    """
    choices, flags_help = ["trust", "ignore"], "Treat flags as mines (trust) or as covered cells (ignore)."
    if checks_flags:
        choices = ["check", *choices]
        flags_help = "Check flags, treat them as mines (trust) or as covered cells (ignore)."

    density_option: Callable[[Command[R]], Command[R]] = click.option(
        "--density", type=_DENSITY, metavar="P", help="Chance of a mine per cell, if the number of mines is unknown."
    )
    if needs_total:
        density_option = _no_options

    @takes_source
    @click.option("--flags", type=Choice(choices), show_default=True, default=choices[0], help=flags_help)
    @density_option
    @options.budget_option()
    @options.states_option
    @functools.wraps(function)
    def command(
        source: BoardSource,
        flags: HintFlags,
        budget: float,
        states: int,
        density: Fraction | None = None,
        **others: object,
    ) -> R:
        board, note = source.position()
        limit = Budget(seconds=budget, states=states)
        if checks_flags:
            return function(PositionRequest(board, 0, density, limit, note, flags), **others)
        ignored = board.count(FLAGGED) if flags == "ignore" else 0
        visible = board.without_flags() if ignored else board
        return function(PositionRequest(visible, ignored, density, limit, note), **others)

    return command
