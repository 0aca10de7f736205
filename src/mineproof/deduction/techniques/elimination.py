"""Numbers as equations, added and subtracted: `elimination`.

Idea    A number is an equation: its cells, 1 for a mine and 0 for a safe cell, add up to the mines it needs. In reduced
        row echelon form, a row says that some cells minus some others have a certain sum. If that is the largest
        possible sum, the added cells are mines and the subtracted ones are safe. If it is the smallest, the opposite
        holds. This is the first mode of the Go simulator, after Robert Massaioli's "Solving Minesweeper with matrices".
How     Integers only: a row is multiplied rather than its pivot divided, so nothing is ever rounded. Rows hold their
        non-zero entries, so that numbers without a common cell never meet. They also count how often each number was
        added, which gives the numbers that a row comes from.
Cost    Cubic in the linked numbers at worst. Along a wall rows stay short: expert positions take less than a
        millisecond.
Limits  Each row is considered alone, and only the rows of the one reduced form. The fact that a cell is either a mine
        or not is used in the last step only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Final

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell
from mineproof.deduction.state import Finding, Restriction, State, as_set, bits
from mineproof.deduction.technique import Technique
from mineproof.engine.default import default_engine
from mineproof.wording.clauses import ARGUMENT, Clause

if TYPE_CHECKING:
    from mineproof.deduction.wire import MatrixJson

SCHEMA: Final = "mineproof/matrix/1"

Entries = dict[int, int]  # without zeros


@dataclass(slots=True)
class _Row:
    """An equation, and how often each number was added to get it."""

    cells: Entries
    sum: int
    numbers: Entries


@dataclass(frozen=True, slots=True)
class Matrix:
    """The reduced row echelon form: a column for each unknown cell next to a number, then the right-hand side.

    Rows of zeros are left out. Numbers that contradict each other may leave a row of zeros with a sum other than 0.
    """

    columns: tuple[Cell, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def as_json(self) -> MatrixJson:
        """Return the ``mineproof/matrix/1`` shape; entries are integers, or fractions as text."""
        rows = [[int(entry) if entry.denominator == 1 else str(entry) for entry in row] for row in self.rows]
        return {"schema": SCHEMA, "columns": [list(cell) for cell in self.columns], "rows": rows}

    def __str__(self) -> str:
        table = [list(map(str, row)) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [[entry.rjust(width) for entry, width in zip(row, widths, strict=True)] for row in table]
        return "\n".join(f"{' '.join(entries)} = {total}" for *entries, total in lines)


def matrix(board: Board, flags: Flags = "trust", *, budget: Budget | float | None = None) -> Matrix:
    """Return the numbers of a board as a matrix in reduced row echelon form, columns in row order.

    Raises BudgetExceeded if that takes longer than the seconds of the budget.

    >>> print(matrix(Board.parse("01#/12#/###")))
    1 1 0 0 0 = 1
    0 0 1 1 0 = 1
    0 0 0 0 1 = 0
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    state = State(board.as_seen(flags), Budget.of(budget), default_engine())
    restrictions = state.restrictions()
    columns = sorted({cell for restriction in restrictions.values() for cell in bits(restriction.cells)})
    place = {cell: column for column, cell in enumerate(columns)}
    reduced, impossible = _reduce(restrictions, state.deadline)
    rows = []
    for row in [*reduced, *impossible[:1]]:
        state.deadline.check()
        pivot = row.cells[min(row.cells)] if row.cells else row.sum
        entries = [Fraction(0)] * len(columns)
        for cell, times in row.cells.items():
            entries[place[cell]] = Fraction(times, pivot)
        rows.append((*entries, Fraction(row.sum, pivot)))
    return Matrix(tuple(map(board.cell, columns)), tuple(rows))


def find(state: State) -> Iterator[Finding]:
    """Find cells that one row decides, the fewest numbers first; nothing if numbers contradict each other."""
    restrictions = state.restrictions()
    rows, impossible = _reduce(restrictions, state.deadline)
    if impossible:
        return
    known = 0
    for row in sorted(rows, key=lambda row: len(row.numbers)):
        if row.sum < 0:
            _scale(row, -1)  # the same, and easier to read
        decided = _decided_cells(row)
        if decided is None:
            continue
        safe, mines = (as_set(cells) & ~known for cells in decided)
        if safe | mines:
            known |= safe | mines
            argument = _argument(state, restrictions, row, *decided)
            added = sum(map(abs, row.numbers.values()))
            yield Finding(safe, mines, tuple(sorted(row.numbers)), argument, chain=added)


def _decided_cells(row: _Row) -> tuple[list[int], list[int]] | None:
    """Return safe cells and mines of a row with its largest or smallest possible sum; None if the sum is between."""
    added = [cell for cell, times in row.cells.items() if times > 0]
    subtracted = [cell for cell, times in row.cells.items() if times < 0]
    if row.sum == sum(row.cells[cell] for cell in added):
        return subtracted, added
    if row.sum == sum(row.cells[cell] for cell in subtracted):
        return added, subtracted
    return None


# reducing


def _reduce(restrictions: dict[int, Restriction], deadline: Deadline) -> tuple[list[_Row], list[_Row]]:
    """Return the rows of the reduced form from the top, and rows without cells whose sum is not 0."""
    leading: dict[int, _Row] = {}
    impossible = []
    for number, (cells, need) in restrictions.items():
        row = _Row(dict.fromkeys(bits(cells), 1), need, {number: 1})
        while row.cells and (first := min(row.cells)) in leading:
            deadline.check()
            _clear(row, first, leading[first])
        if row.cells:
            leading[first] = row
        elif row.sum:
            impossible.append(row)
    for first in sorted(leading, reverse=True):
        row = leading[first]
        for cell in [cell for cell in row.cells if cell in leading and cell != first]:
            deadline.check()
            _clear(row, cell, leading[cell])
        if row.cells[first] != 1:
            _shorten(row, 1 if row.cells[first] > 0 else -1)
    return [leading[first] for first in sorted(leading)], impossible


def _clear(row: _Row, cell: int, other: _Row) -> None:
    """Add a multiple of another row that eliminates a cell."""
    here, there = row.cells[cell], other.cells[cell]
    common = gcd(here, there)
    if there != common:
        _scale(row, there // common)
    times = -here // common
    row.sum += times * other.sum
    _add_times(row.cells, times, other.cells)
    _add_times(row.numbers, times, other.numbers)
    if there != common:
        _shorten(row)


def _shorten(row: _Row, sign: int = 1) -> None:
    """Divide a row by the greatest common divisor of its entries."""
    _scale(row, sign, gcd(row.sum, *row.cells.values(), *row.numbers.values()))


def _add_times(entries: Entries, times: int, others: Entries) -> None:
    for key, value in others.items():
        total = entries.get(key, 0) + times * value
        if total:
            entries[key] = total
        else:
            del entries[key]


def _scale(row: _Row, times: int, over: int = 1) -> None:
    row.sum = row.sum * times // over
    for entries in (row.cells, row.numbers):
        for key, value in entries.items():
            entries[key] = value * times // over


# arguments


def _argument(
    state: State, restrictions: dict[int, Restriction], row: _Row, safe: list[int], mines: list[int]
) -> Clause:
    """The numbers that are added and subtracted, the equation that is left, and what follows."""
    numbers = sorted(row.numbers.items(), key=lambda term: (term[1] < 0, term[0]))
    multiples = [_multiple(state, restrictions[number].need, number, times) for number, times in numbers]
    cells = sorted(row.cells.items(), key=lambda term: (term[1] < 0, term[0]))  # those with a plus first
    terms = [Clause("term", (state.board.cell(cell),), count=times) for cell, times in cells]
    conclusions = [
        state.safe_or_mines("so", as_set(decided), mines=as_mines)
        for decided, as_mines in ((mines, True), (safe, False))
        if decided
    ]
    return Clause(
        ARGUMENT,
        parts=(
            Clause("combine", parts=tuple(multiples)),
            Clause("leaves-equation", count=row.sum, parts=tuple(terms)),
            Clause("so-both", parts=tuple(conclusions)) if len(conclusions) > 1 else conclusions[0],
        ),
    )


def _multiple(state: State, need: int, number: int, times: int) -> Clause:
    """A number and how often it counts, with the mines it needs if some of its mines are known."""
    place = state.number(number, need=None if need == state.codes[number] else need)
    return Clause("add" if times > 0 else "subtract", numbers=(place,), count=abs(times))


TECHNIQUE = Technique(
    "elimination",
    find,
    fewest_numbers=3,
    start_rating=1700.0,
    weekday=2,
    looks_at="any numbers, as equations",
    origin="the Go simulator's first mode",
)
