"""An analysis as people read it: a headline, a picture, and a table from the surest cells to the riskiest."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mineproof.analysis.analysis import Analysis
from mineproof.analysis.words import layouts_fit
from mineproof.base.words import at, percent, plural, size
from mineproof.board.cells import FLAGGED, Cell
from mineproof.cli.input import Question
from mineproof.cli.tables import Flow, table
from mineproof.pictures.text import MINE, MOST_PICTURED, SAFE, Picture, heat, sea_cells

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

MOST_ODDS = 5  # rows of odds, and
MOST_LINES = 2  # lines in a row, unless all are asked for


def draw(found: Analysis, question: Question, exact: bool, console: Console) -> None:
    """Print the whole summary, as wide as the console."""
    headline = _headline(found, question, exact)
    rows = list(_table(found, exact))
    if len(found.board.codes) <= MOST_PICTURED:
        picture = Picture.of_analysis(found, console.width)
        show([headline, list(picture.lines()), list(picture.legend()), rows], console)
    else:
        show([headline, [too_many(len(found.board.codes))], rows], console)


def show(blocks: Iterable[Sequence[RenderableType]], console: Console) -> None:
    """Print blocks of lines and tables with a blank line between two; empty ones are left out."""
    for number, block in enumerate(filter(None, blocks)):
        if number:
            console.print()
        for line in block:
            console.print(line)


def too_many(cells: int) -> Text:
    """Instead of a picture."""
    return text(f"{cells:,} cells are too many for a picture; --json has them all.")


def text(content: str, style: str = "") -> Text:
    """A line, or what rich will fold into several."""
    from rich.text import Text

    return Text(content, style)


# the headline


def _headline(found: Analysis, question: Question, exact: bool) -> list[Text]:
    totals = ", all totals together" if found.board.total_mines is None else ""
    lines = [text(", ".join(facts(question)), "bold"), text(layouts_fit(found, every_digit=exact) + totals, "bold")]
    return [*lines, text(question.note, "dim")] if question.note else lines


def facts(question: Question) -> Iterator[str]:
    """What was asked about: size, total, flags, density."""
    board, density = question.board, question.density
    kind = board.topology
    yield size(board.rows, board.columns) + ("" if kind == "grid" else f" {kind}")
    yield "total unknown" if board.total_mines is None else plural(board.total_mines, "mine")
    if flags := board.count(FLAGGED):
        yield f"{plural(flags, 'flag')} trusted"
    if question.ignored_flags:
        yield f"{plural(question.ignored_flags, 'flag')} ignored"
    if density is not None:
        yield f"density {float(density):.4g}" if board.total_mines is None else "density not needed"


# the table


class Row(NamedTuple):
    """Cells about which the same is known."""

    label: str
    style: str
    cells: Sequence[Cell]
    words: str = ""  # instead of the cells
    fraction: str = ""


def _table(found: Analysis, exact: bool) -> Iterator[RenderableType]:
    odds = list(_exact_odds(found) if exact else _odds(found))
    shown = len(odds) if exact or len(odds) == MOST_ODDS + 1 else MOST_ODDS  # one line more says more than "others"
    certain = [Row("safe", SAFE.style, sorted(found.safe)), Row("mine", MINE.style, sorted(found.mines))]
    rows = [row for row in [*certain, *odds[:shown]] if row.cells]
    if rows:
        yield text("  chance  cells", "dim")
        yield cells_table(rows, None if exact else MOST_LINES)
    if shown < len(odds):
        yield text(f"Other odds go up to {odds[-1].label}; --exact lists them.")
    without = found.undecided_count - sum(len(row.cells) for row in odds)
    if without:
        yield text(f"{plural(without, 'cell')} undecided; --mines N or --density P would give the odds.")


def cells_table(rows: Iterable[Row], most_lines: int | None = None) -> Table:
    """Columns for the label, the number of cells and the cells."""
    made = table(("", "right", 8), ("", "right"), ("", "left"), heads=False)
    for row in rows:
        cells = [row.words] if row.words else list(map(at, row.cells))
        made.add_row(text(row.label, row.style), f"{len(row.cells):,}", Flow(cells, most_lines=most_lines))
        if row.fraction:
            made.add_row("", "", _foldable(f"= {row.fraction}"))
    return made


def _foldable(words: str) -> Text:
    """Words of which even one may be longer than a line."""
    from rich.text import Text

    return Text(words, overflow="fold")


def _odds(found: Analysis) -> Iterator[Row]:
    """Undecided cells by the per cent they are shown with, safest first."""
    chances = found.mine_probability.tolist()
    known = sorted((chances[row][column], (row, column)) for row, column in _with_odds(found))
    beyond = sea_cells(found.board)
    for label, group in groupby(known, key=lambda pair: percent(pair[0])):
        same = list(group)
        yield from _rows(label, heat(same[0][0]), sorted(cell for _, cell in same), beyond)


def _exact_odds(found: Analysis) -> Iterator[Row]:
    """Undecided cells by their exact odds, safest first."""
    groups: defaultdict[Fraction, list[Cell]] = defaultdict(list)
    for cell in _with_odds(found):
        groups[found.exact(*cell)].append(cell)
    beyond = sea_cells(found.board)
    for chance, cells in sorted(groups.items()):
        for row in _rows(percent(float(chance)), heat(float(chance)), cells, beyond):
            yield row._replace(fraction=str(chance))


def _rows(label: str, style: str, cells: list[Cell], beyond: frozenset[Cell]) -> Iterator[Row]:
    """Cells of the same odds, those that no number touches apart: they are many, and all alike."""
    frontier = [cell for cell in cells if cell not in beyond]
    if frontier:
        yield Row(label, style, frontier)
    if len(frontier) < len(cells):
        yield Row(label, style, [cell for cell in cells if cell in beyond], "no number near")


def _with_odds(found: Analysis) -> list[Cell]:
    return [cell for cell in found.undecided if not math.isnan(found.mine_probability[cell])]
