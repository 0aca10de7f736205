"""An analysis as people read it: a headline, a picture, and a table from the surest cells to the riskiest."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from mineproof.analysis import Analysis
from mineproof.cli.input import Question
from mineproof.cli.picture import MINE, SAFE, Picture, heat, sea
from mineproof.codes import COVERED, FLAGGED
from mineproof.errors import Cell
from mineproof.wording import layouts_fit, percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

MOST_PICTURED = 20_000  # cells
MOST_ODDS = 5  # rows of odds, and
MOST_LINES = 2  # lines in a row, unless all are asked for


def draw(found: Analysis, question: Question, exact: bool, console: Console) -> None:
    """Print the whole summary, as wide as the console."""
    headline = _headline(found, question, exact)
    table = list(_table(found, exact, console.width))
    if len(found.board.codes) <= MOST_PICTURED:
        picture = Picture.of_analysis(found, console.width)
        show([headline, list(picture.lines()), list(picture.legend()), table], console)
    else:
        show([headline, [too_many(len(found.board.codes))], table], console)


def show(blocks: Iterable[list[Text]], console: Console) -> None:
    """Print blocks of lines with a blank line between two; empty ones are left out."""
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
    kind = board.topology.kind
    yield f"{board.rows} × {board.columns}" + ("" if kind == "grid" else f" {kind}")
    yield "total unknown" if board.total_mines is None else counted(board.total_mines, "mine")
    if flags := sum(1 for _ in board.cells(FLAGGED)):
        yield f"{counted(flags, 'flag')} trusted"
    if question.ignored_flags:
        yield f"{counted(question.ignored_flags, 'flag')} ignored"
    if density is not None:
        yield f"density {float(density):.4g}" if board.total_mines is None else "density not needed"


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 flag``, ``1,000 flags``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


# the table


class Row(NamedTuple):
    """Cells about which the same is known."""

    label: str
    style: str
    cells: Sequence[Cell]
    words: str = ""  # instead of the cells
    fraction: str = ""


def _table(found: Analysis, exact: bool, width: int) -> Iterator[Text]:
    odds = list(_exact_odds(found) if exact else _odds(found))
    shown = len(odds) if exact else MOST_ODDS
    certain = [Row("safe", SAFE.style, sorted(found.safe)), Row("mine", MINE.style, sorted(found.mines))]
    rows = [row for row in [*certain, *odds[:shown]] if row.cells]
    digits = max((len(f"{len(row.cells):,}") for row in rows), default=0)
    if rows:
        yield text("  chance  cells", "dim")
    for row in rows:
        yield from row_lines(row, digits, width, None if exact else MOST_LINES)
    if shown < len(odds):
        yield text(f"Other odds go up to {odds[-1].label}; --exact lists them.")
    without = len(_undecided(found)) - sum(len(row.cells) for row in odds)
    if without:
        yield text(f"{counted(without, 'cell')} undecided; --mines N or --density P would give the odds.")


def row_lines(row: Row, digits: int, width: int, most: int | None) -> Iterator[Text]:
    """A row of a table with columns for the label, the number of cells and the cells."""
    start = text(" " * (8 - len(row.label))).append(row.label, row.style).append(f"  {len(row.cells):{digits},}  ")
    room = max(width - len(start), 1)
    lines = list(_flow(row.words.split() if row.words else map(str, row.cells), room))
    if most is not None and len(lines) > most + 1:  # one line more takes no more room than to say so
        rest = sum(line.count("(") for line in lines[most:])
        lines[most:] = [f"… and {rest:,} more"]
    equals = f"= {row.fraction}" if row.fraction else ""
    lines += [equals[at : at + room] for at in range(0, len(equals), room)]
    for line in lines:
        yield start + text(line)
        start = text(" " * len(start))


def _flow(words: Iterable[str], width: int) -> Iterator[str]:
    """Words in lines of at most ``width`` characters, or of one word."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line += f" {word}" if line else word
    yield line


def _odds(found: Analysis) -> Iterator[Row]:
    """Undecided cells by the per cent they are shown with, safest first."""
    chances = found.mine_probability.tolist()
    known = sorted((chances[row][column], (row, column)) for row, column in _with_odds(found))
    beyond = sea(found.board)
    for label, group in groupby(known, key=lambda pair: percent(pair[0])):
        same = list(group)
        yield from _rows(label, heat(same[0][0]), sorted(cell for _, cell in same), beyond)


def _exact_odds(found: Analysis) -> Iterator[Row]:
    """Undecided cells by their exact odds, safest first."""
    groups: defaultdict[Fraction, list[Cell]] = defaultdict(list)
    for cell in _with_odds(found):
        groups[found.exact(*cell)].append(cell)
    beyond = sea(found.board)
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
    return [cell for cell in _undecided(found) if not math.isnan(found.mine_probability[cell])]


def _undecided(found: Analysis) -> list[Cell]:
    certain = found.safe | found.mines
    return [cell for cell in found.board.cells(COVERED) if cell not in certain]
