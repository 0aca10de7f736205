"""``mineproof layouts``: the layouts that fit a position, listed, sampled or counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import click

from mineproof.analysis.analysis import LONGEST_COUNT, analyze
from mineproof.analysis.layouts import enumerate_layouts, layouts_json, mines_json, sample_layouts
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.cli import options, output, progress, variants
from mineproof.cli.boards import takes_boards
from mineproof.cli.input import PositionRequest, takes_position
from mineproof.cli.parameters import Count

_SYMBOLS = bytes.maketrans(bytes([*range(9), ABSENT & 0xFF, FLAGGED & 0xFF, COVERED & 0xFF]), b"012345678~*_")


@click.command("layouts")
@takes_boards
@variants.takes_variant(variants.layouts)
@takes_position
@click.option("--count", is_flag=True, help="Print only the exact number of layouts.")
@click.option("--limit", type=Count(0), metavar="N", help="List only the first N layouts.  [default: all]")
@click.option("--sample", type=Count(0), metavar="N", help="Draw N random layouts. Every layout is equally likely.")
@options.seed_option("0; only with --sample")
@options.as_json_option
def command(
    request: PositionRequest, count: bool, limit: int | None, sample: int | None, seed: int | None, as_json: bool
) -> None:
    """List every mine layout that fits, each once, in a stable order.

    A layout is a block of rows: * is a mine, _ a free cell, a digit an open number. Blank lines separate layouts.
    Each layout is printed as soon as it is found, and has its own --budget. --density weights the layouts that --sample
    draws.

    With --json, one object per line: first {"schema": "mineproof/layouts/1", "rows", "columns", "total_mines",
    "count"}, then {"mines": [[row, column], …]} for each layout. count is a string, or null beyond 5000 digits
    unless --count asks for it.

    \b
    Examples:
      mineproof layouts '#2#/###'
      mineproof layouts samples/endgame.txt --count
      mineproof layouts samples/expert.txt --sample 3 --seed 7
    """
    if sum([count, limit is not None, sample is not None]) > 1:
        raise click.UsageError("Use only one of --count, --limit and --sample.")
    if seed is not None and sample is None:
        raise click.UsageError("--seed needs --sample")
    if count or as_json:
        _print_count(request, as_json, every_digit=count)
    if not count:
        _print_layouts(_find_layouts(request, limit, sample, seed or 0), request.board, as_json)


def _print_count(request: PositionRequest, as_json: bool, every_digit: bool) -> None:
    board = request.board
    with progress.waiting(request.budget) as budget:
        analysis = analyze(board, budget=budget)
        is_short = analysis.log10_layouts <= LONGEST_COUNT
        number = str(analysis.layouts) if every_digit or is_short else None
    if as_json:
        output.print_json(layouts_json(board, number))
    else:
        click.echo(number)


def _find_layouts(
    request: PositionRequest, limit: int | None, sample: int | None, seed: int
) -> Iterator[frozenset[Cell]]:
    board, budget = request.board, request.budget
    if sample is None:
        return islice(enumerate_layouts(board, budget=budget), limit)
    return sample_layouts(board, sample, seed=seed, density=request.density, budget=budget)


def _print_layouts(layouts: Iterator[frozenset[Cell]], board: Board, as_json: bool) -> None:
    for number, mines in enumerate(layouts):
        if as_json:
            output.print_json(mines_json(mines))
        else:
            click.echo("\n".join([*([""] if number else []), *layout_rows(board, mines)]))


def layout_rows(board: Board, mines: frozenset[Cell]) -> list[str]:
    """The rows of a position with its mines: ``*`` is a mine, ``_`` a free covered cell."""
    symbols = bytearray(board.codes.translate(_SYMBOLS))
    for cell in mines:
        symbols[board.index(cell)] = ord("*")
    columns = board.columns
    return [symbols[start : start + columns].decode("ascii") for start in range(0, len(symbols), columns)]
