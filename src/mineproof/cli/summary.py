"""An analysis as text: a headline, a picture, and a table from the safest cells to the riskiest."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mineproof.analysis.analysis import Analysis
from mineproof.analysis.layout_count import layouts_fit
from mineproof.board.cells import FLAGGED, Cell
from mineproof.cli.input import PositionRequest
from mineproof.cli.phrases import board_size, percent, significant
from mineproof.cli.tables import Flow, table
from mineproof.pictures.text import MINE, SAFE, TEXT_PICTURE_MAX_CELLS, TextPicture, heat, sea_cells
from mineproof.wording.catalogue import message, number, plural
from mineproof.wording.cells import cell_label

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

ODDS_MAX_ROWS = 5  # without --exact
ODDS_MAX_LINES = 2  # in a row, without --exact


def draw(analysis: Analysis, request: PositionRequest, exact: bool, console: Console) -> None:
    """Print the summary, as wide as the console."""
    headline = _headline(analysis, request, exact)
    rows = list(_odds_table(analysis, exact))
    if len(analysis.board.codes) <= TEXT_PICTURE_MAX_CELLS:
        picture = TextPicture.of_analysis(analysis, console.width)
        show([headline, list(picture.lines()), list(picture.legend()), rows], console)
    else:
        show([headline, [too_large(len(analysis.board.codes))], rows], console)


def show(blocks: Iterable[Sequence[RenderableType]], console: Console) -> None:
    """Print blocks of lines and tables with a blank line between two; empty ones are left out."""
    for place, block in enumerate(filter(None, blocks)):
        if place:
            console.print()
        for line in block:
            console.print(line)


def too_large(cells: int) -> Text:
    """A line in place of a picture."""
    return text(plural("cli-picture-too-large", cells))


def text(content: str, style: str = "") -> Text:
    """A line of text, which rich folds if it is long."""
    from rich.text import Text

    return Text(content, style)


# the headline


def _headline(analysis: Analysis, request: PositionRequest, exact: bool) -> list[Text]:
    layouts = layouts_fit(analysis, every_digit=exact)
    if analysis.board.total_mines is None:
        layouts = message("cli-analyze-all-totals", layouts=layouts)
    lines = [text(", ".join(position_facts(request)), "bold"), text(layouts, "bold")]
    return [*lines, text(request.note, "dim")] if request.note else lines


def position_facts(request: PositionRequest) -> Iterator[str]:
    """Size, total, flags and density of a position, in a few words each."""
    board, density = request.board, request.density
    yield board_size(board.rows, board.columns, board.topology)
    yield message("cli-total-unknown") if board.total_mines is None else plural("cli-mines", board.total_mines)
    if flags := board.count(FLAGGED):
        yield plural("cli-flags-trusted", flags)
    if request.ignored_flags:
        yield plural("cli-flags-ignored", request.ignored_flags)
    if density is not None and board.total_mines is not None:
        yield message("cli-density-not-needed")
    elif density is not None:
        yield message("cli-density", density=significant(float(density), 4))


# the table


class CellRow(NamedTuple):
    """Cells with the same odds."""

    label: str
    style: str
    cells: Sequence[Cell]
    description: str = ""  # in place of the list of cells
    fraction: str = ""


def certain_rows(safe: Iterable[Cell], mines: Iterable[Cell]) -> list[CellRow]:
    """The rows of certain cells, without empty ones."""
    rows = [
        CellRow(message("cli-label-safe"), SAFE.style, sorted(safe)),
        CellRow(message("cli-label-mine"), MINE.style, sorted(mines)),
    ]
    return [row for row in rows if row.cells]


def _odds_table(analysis: Analysis, exact: bool) -> Iterator[RenderableType]:
    odds = list(_exact_odds(analysis) if exact else _odds(analysis))
    every = exact or len(odds) == ODDS_MAX_ROWS + 1  # one more row says more than a line about others
    shown = len(odds) if every else ODDS_MAX_ROWS
    certain = certain_rows(analysis.safe, analysis.mines)
    rows = [row for row in [*certain, *odds[:shown]] if row.cells]
    if rows:
        yield text(message("cli-analyze-table-head"), "dim")
        yield cells_table(rows, None if exact else ODDS_MAX_LINES)
    if shown < len(odds):
        yield text(message("cli-analyze-other-odds", highest=odds[-1].label))
    without_odds = analysis.undecided_count - sum(len(row.cells) for row in odds)
    if without_odds:
        yield text(plural("cli-analyze-undecided", without_odds))


def cells_table(rows: Iterable[CellRow], most_lines: int | None = None) -> Table:
    """Columns for the label, the number of cells and the cells."""
    columns = table(("", "right", 8), ("", "right"), ("", "left"), heads=False)
    for row in rows:
        cells = [row.description] if row.description else list(map(cell_label, row.cells))
        columns.add_row(text(row.label, row.style), number(len(row.cells)), Flow(cells, most_lines=most_lines))
        if row.fraction:
            columns.add_row("", "", foldable(f"= {row.fraction}"))
    return columns


def foldable(content: str) -> Text:
    """A text whose words may be longer than a line, and are broken then."""
    from rich.text import Text

    return Text(content, overflow="fold")


def _odds(analysis: Analysis) -> Iterator[CellRow]:
    """Undecided cells by their odds in per cent, safest first."""
    chances = analysis.mine_probability.tolist()
    known = sorted((chances[row][column], (row, column)) for row, column in _cells_with_odds(analysis))
    beyond = sea_cells(analysis.board)
    for label, group in groupby(known, key=lambda pair: percent(pair[0])):
        same = list(group)
        yield from _rows(label, heat(same[0][0]), sorted(cell for _, cell in same), beyond)


def _exact_odds(analysis: Analysis) -> Iterator[CellRow]:
    """Undecided cells by their exact odds, safest first."""
    groups: defaultdict[Fraction, list[Cell]] = defaultdict(list)
    for cell in _cells_with_odds(analysis):
        groups[analysis.exact(*cell)].append(cell)
    beyond = sea_cells(analysis.board)
    for chance, cells in sorted(groups.items()):
        for row in _rows(percent(float(chance)), heat(float(chance)), cells, beyond):
            yield row._replace(fraction=str(chance))


def _rows(label: str, style: str, cells: list[Cell], beyond: frozenset[Cell]) -> Iterator[CellRow]:
    """Cells with the same odds; those that no number touches are a row of their own, because they are many."""
    frontier = [cell for cell in cells if cell not in beyond]
    if frontier:
        yield CellRow(label, style, frontier)
    if len(frontier) < len(cells):
        yield CellRow(label, style, [cell for cell in cells if cell in beyond], message("cli-analyze-no-number"))


def _cells_with_odds(analysis: Analysis) -> list[Cell]:
    return [cell for cell in analysis.undecided if not math.isnan(analysis.mine_probability[cell])]
