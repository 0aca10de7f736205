"""What a new board is to be like: SIZE or its parts as options, and the seed it is drawn from."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from typing import TypeVar

import click

from mineproof.base import words
from mineproof.board.cells import MAX_CELLS
from mineproof.board.levels import Size, read_size
from mineproof.cli import output
from mineproof.errors import BoardSyntaxError

R = TypeVar("R")
Command = Callable[..., R]

DEFAULT = "expert"

seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), metavar="S",
    help="Draw the same again.  [default: random, and told on standard error]",
)  # fmt: skip


def settled(seed: int | None) -> int:
    """The seed asked for, or a new one, which is told so that it can be asked for again."""
    if seed is not None:
        return seed
    drawn = secrets.randbits(32)
    output.note(f"--seed {drawn}")
    return drawn


def takes_size(function: Command[R]) -> Command[R]:
    """Give a command SIZE, --rows, --columns and --mines; it is called with a `Size`, by default that of `DEFAULT`."""

    @click.argument("size", required=False)
    @click.option("--rows", type=click.IntRange(1, MAX_CELLS), metavar="R", help="Rows, if not those of SIZE.")
    @click.option("--columns", type=click.IntRange(1, MAX_CELLS), metavar="C", help="Columns, if not those of SIZE.")
    @click.option("--mines", type=click.IntRange(min=0), metavar="M", help="Mines, if not those of SIZE.")
    @functools.wraps(function)
    def command(size: str | None, rows: int | None, columns: int | None, mines: int | None, **others: object) -> R:
        return function(chosen(size, rows, columns, mines), **others)

    return command


def chosen(name: str | None, rows: int | None, columns: int | None, mines: int | None) -> Size:
    """The size that an argument and options ask for together; options win."""
    given = {part: value for part, value in zip(Size._fields, (rows, columns, mines), strict=True) if value is not None}
    if name is None and 0 < len(given) < len(Size._fields):
        raise click.UsageError("without SIZE, --rows, --columns and --mines are needed, all three of them")
    return _fitting(_named(DEFAULT if name is None else name)._replace(**given))


def _named(text: str) -> Size:
    try:
        return read_size(text)
    except BoardSyntaxError as error:
        raise click.BadParameter(str(error), param_hint="SIZE") from None


def _fitting(size: Size) -> Size:
    cells = size.rows * size.columns
    if not 1 <= cells <= MAX_CELLS:
        raise click.UsageError(f"found {words.size(size.rows, size.columns)} cells, expected 1 to {MAX_CELLS:,}")
    if not 0 <= size.mines <= cells:
        raise click.UsageError(
            f"found {size.mines} mines, expected 0 to {cells} on {words.size(size.rows, size.columns)} cells"
        )
    return size
