"""``mineproof layouts``: the layouts that fit, listed, drawn or counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import click

from mineproof.analysis.analysis import LONGEST_COUNT, analyze
from mineproof.analysis.layouts import enumerate_layouts, layouts_json, mines_json, sample_layouts
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.cli import output, progress
from mineproof.cli.input import Count, Question, takes_question
from mineproof.cli.many import takes_boards

_SYMBOLS = bytes.maketrans(bytes([*range(9), ABSENT & 0xFF, FLAGGED & 0xFF, COVERED & 0xFF]), b"012345678~*_")


@click.command("layouts")
@takes_boards
@takes_question
@click.option("--count", is_flag=True, help="Print how many layouts fit, to the last digit, and none of them.")
@click.option("--limit", type=Count(0), metavar="N", help="List the first N only.")
@click.option("--sample", type=Count(0), metavar="N", help="Draw N at random, each equally likely.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), metavar="S", help="Draw the same again.  [default: 0]")
@output.as_json_option
def command(
    question: Question, count: bool, limit: int | None, sample: int | None, seed: int | None, as_json: bool
) -> None:
    """List every mine layout that fits, each once, in a stable order.

    A layout is a block of rows: * mine, _ free, digits as they are open. A blank line stands between two. Blocks
    are printed as they are found, so an interrupted list is whole as far as it goes. --budget is for each step to the
    next one. --density weighs what --sample draws.

    With --json, one object a line: first {"schema": "mineproof/layouts/1", "rows", "columns", "total_mines",
    "count"}, then {"mines": [[row, column], …]} for each layout. count is a string, or null beyond 5000 digits
    unless --count asks for it.

    \b
    Examples:
      mineproof layouts '#2#/###'
      mineproof layouts game.mine --count
      mineproof layouts game.mine --sample 3 --seed 7
    """
    if sum([count, limit is not None, sample is not None]) > 1:
        raise click.UsageError("--count, --limit and --sample exclude each other")
    if seed is not None and sample is None:
        raise click.UsageError("--seed goes with --sample")
    if count or as_json:
        _print_count(question, as_json, every_digit=count)
    if not count:
        _print_all(_chosen(question, limit, sample, seed or 0), question.board, as_json)


def _print_count(question: Question, as_json: bool, every_digit: bool) -> None:
    board = question.board
    with progress.waiting(question.budget) as budget:
        found = analyze(board, budget=budget)
        wanted = every_digit or found.log10_layouts <= LONGEST_COUNT
        number = str(found.layouts) if wanted else None
    if as_json:
        output.print_json(layouts_json(board, number))
    else:
        click.echo(number)


def _chosen(question: Question, limit: int | None, sample: int | None, seed: int) -> Iterator[frozenset[Cell]]:
    board, budget = question.board, question.budget
    if sample is None:
        return islice(enumerate_layouts(board, budget=budget), limit)
    return sample_layouts(board, sample, seed=seed, density=question.density, budget=budget)


def _print_all(found: Iterator[frozenset[Cell]], board: Board, as_json: bool) -> None:
    for number, mines in enumerate(found):
        if as_json:
            output.print_json(mines_json(mines))
        else:
            click.echo(("\n" if number else "") + block(board, mines))


def block(board: Board, mines: frozenset[Cell]) -> str:
    """A position with its covered cells told apart: ``*`` mine, ``_`` free."""
    symbols = bytearray(board.codes.translate(_SYMBOLS))
    for cell in mines:
        symbols[board.index(cell)] = ord("*")
    columns = board.columns
    return "\n".join(symbols[at : at + columns].decode("ascii") for at in range(0, len(symbols), columns))
