"""The size of a new board, from SIZE or from --rows, --columns and --mines, and its seed."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

import click

from mineproof.base.rng import fresh_seed
from mineproof.board.cells import MAX_CELLS
from mineproof.board.levels import Size, read_size
from mineproof.cli import options, output
from mineproof.cli.mine_counts import mines_on
from mineproof.cli.parameters import Count
from mineproof.cli.phrases import board_size
from mineproof.errors import BoardSyntaxError

R = TypeVar("R")
Command = Callable[..., R]

DEFAULT_LEVEL = "expert"


def choose_seed(seed: int | None) -> int:
    """Return the given seed, or a random one, which is printed on standard error."""
    if seed is not None:
        return seed
    drawn = fresh_seed()
    output.note(f"seed {drawn} (repeat with --seed {drawn})")
    return drawn


def takes_size(function: Command[R]) -> Command[R]:
    """Give a command SIZE, --rows, --columns and --mines; it is called with a `Size`."""

    @click.argument("size", required=False)
    @click.option("--rows", type=Count(1, MAX_CELLS), metavar="R", help="Number of rows.  [default: as in SIZE]")
    @click.option("--columns", type=Count(1, MAX_CELLS), metavar="C", help="Number of columns.  [default: as in SIZE]")
    @options.mines_option("Number of mines, or a percentage of the cells.  [default: as in SIZE]")
    @functools.wraps(function)
    def command(
        size: str | None, rows: int | None, columns: int | None, mines: int | Fraction | None, **others: object
    ) -> R:
        return function(choose_size(size, rows, columns, mines), **others)

    return command


def choose_size(name: str | None, rows: int | None, columns: int | None, mines: int | Fraction | None) -> Size:
    """Return the size that an argument and options ask for; options win."""
    if name is None and mines is None and not (rows is None and columns is None):  # 99 mines suit no other size
        raise click.UsageError("--rows and --columns need SIZE or --mines")
    size = parse_size(DEFAULT_LEVEL if name is None else name)
    if rows is not None:
        size = size._replace(rows=rows)
    if columns is not None:
        size = size._replace(columns=columns)
    _require_cells(size)
    count = mines_on(mines, size.rows * size.columns)
    return _require_mines(size if count is None else size._replace(mines=count))


def parse_size(text: str) -> Size:
    """Return the size of a level or WxHxM; UsageError for anything else."""
    try:
        return read_size(text)
    except BoardSyntaxError as error:
        raise click.UsageError(f"SIZE: {error}") from None


def _require_cells(size: Size) -> None:
    if not 1 <= size.rows * size.columns <= MAX_CELLS:
        raise click.UsageError(
            f"A board has at most {MAX_CELLS:,} cells, got {board_size(size.rows, size.columns)}. "
            "Choose smaller --rows or --columns."
        )


def _require_mines(size: Size) -> Size:
    cells = size.rows * size.columns
    if not 0 <= size.mines <= cells:
        board = board_size(size.rows, size.columns)
        raise click.UsageError(f"--mines must be from 0 to {cells:,} on {board}, got {size.mines:,}")
    return size
