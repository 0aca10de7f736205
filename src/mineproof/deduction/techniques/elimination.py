"""Numbers as equations, added and subtracted: `elimination`.

Idea    A number is an equation: its cells, 1 for a mine and 0 for none, add up to the mines it needs. Brought to
        reduced row echelon form, a row says that some cells less some others come to a sum. Where that is the most they
        can come to, the cells added are mines and those subtracted are safe; where it is the least, the other way
        round. This is the first mode of the Go simulator, after Robert Massaioli's "Solving Minesweeper with matrices".
How     Whole numbers only: a row is multiplied rather than its pivot divided, so nothing is ever rounded. Rows hold
        their non-zero entries, so that numbers without a common cell never meet, and carry along how often each number
        was added, which names the numbers that a row comes from.
Cost    Cubic in the numbers that are linked at worst. Along a wall rows stay short: expert positions take less than a
        millisecond.
Limits  A row is looked at on its own, and only the rows of the one reduced form are. That a cell is either a mine or
        not is used in the last step only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import listing, plural
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell
from mineproof.deduction.state import Finding, Restriction, State, as_set, bits
from mineproof.engine.choice import default_engine

SCHEMA = "mineproof/matrix/1"

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

    Rows of zeros are left out. Numbers that contradict each other may leave a row of zeros with another sum.
    """

    columns: tuple[Cell, ...]
    rows: tuple[tuple[Fraction, ...], ...]

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/matrix/1`` shape; entries are whole numbers, or fractions as text."""
        rows = [[int(entry) if entry.denominator == 1 else str(entry) for entry in row] for row in self.rows]
        return {"schema": SCHEMA, "columns": [list(cell) for cell in self.columns], "rows": rows}

    def __str__(self) -> str:
        table = [list(map(str, row)) for row in self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [[entry.rjust(width) for entry, width in zip(row, widths, strict=True)] for row in table]
        return "\n".join(f"{' '.join(entries)} = {total}" for *entries, total in lines)


def matrix(board: Board, flags: Flags = "trust", *, budget: Budget | float | None = None) -> Matrix:
    """The numbers of a board as a matrix in reduced row echelon form, columns in row order.

    Raises BudgetExceeded where that takes longer than the seconds of the budget.

    >>> print(matrix(Board.parse("01#/12#/###")))
    1 1 0 0 0 = 1
    0 0 1 1 0 = 1
    0 0 0 0 1 = 0
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    state = State(board.as_seen(flags), Budget.of(budget), default_engine())
    restrictions = state.restrictions()
    columns = sorted({cell for each in restrictions.values() for cell in bits(each.cells)})
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
    """Cells decided by one row, the fewest numbers first; nothing where numbers contradict each other."""
    restrictions = state.restrictions()
    rows, impossible = _reduce(restrictions, state.deadline)
    if impossible:
        return
    found = 0
    for row in sorted(rows, key=lambda each: len(each.numbers)):
        if row.sum < 0:
            _scale(row, -1)  # the same, and easier to read
        decided = _decided(row)
        if decided is None:
            continue
        safe, mines = (as_set(cells) & ~found for cells in decided)
        if safe | mines:
            found |= safe | mines
            words = _words(state, restrictions, row, *decided)
            added = sum(map(abs, row.numbers.values()))
            yield Finding(safe, mines, tuple(sorted(row.numbers)), words, chain=added)


def _decided(row: _Row) -> tuple[list[int], list[int]] | None:
    """The safe cells and the mines of a row with the most or the least it can come to."""
    added = [cell for cell, times in row.cells.items() if times > 0]
    subtracted = [cell for cell, times in row.cells.items() if times < 0]
    if row.sum == sum(row.cells[cell] for cell in added):
        return subtracted, added
    if row.sum == sum(row.cells[cell] for cell in subtracted):
        return added, subtracted
    return None


# reducing


def _reduce(restrictions: dict[int, Restriction], deadline: Deadline) -> tuple[list[_Row], list[_Row]]:
    """The rows of the reduced form from the top, and rows without cells that should come to something."""
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
    """Add so much of another row that a cell goes out."""
    here, there = row.cells[cell], other.cells[cell]
    common = gcd(here, there)
    if there != common:
        _scale(row, there // common)
    times = -here // common
    row.sum += times * other.sum
    _add(row.cells, times, other.cells)
    _add(row.numbers, times, other.numbers)
    if there != common:
        _shorten(row)


def _shorten(row: _Row, sign: int = 1) -> None:
    """Divide a row by what all its entries have in common."""
    _scale(row, sign, gcd(row.sum, *row.cells.values(), *row.numbers.values()))


def _add(entries: Entries, times: int, others: Entries) -> None:
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


# telling


def _words(state: State, restrictions: dict[int, Restriction], row: _Row, safe: list[int], mines: list[int]) -> str:
    added = [_counted(state, restrictions, number, times) for number, times in sorted(row.numbers.items()) if times > 0]
    taken = [
        _counted(state, restrictions, number, -times) for number, times in sorted(row.numbers.items()) if times < 0
    ]
    if len(row.numbers) == 1:
        source = f"T{added[0][1:]} says that"
    elif len(added) == 1:
        source = f"Subtracting {listing(taken)} from {added[0]} leaves"
    elif taken:
        source = f"Adding {listing(added)} and subtracting {listing(taken)} leaves"
    else:
        source = f"Adding {listing(added)} leaves"
    conclusions = []
    if mines:
        conclusions.append(f"{state.list(as_set(mines))} {'is a mine' if len(mines) == 1 else 'are mines'}")
    if safe:
        conclusions.append(f"{state.list(as_set(safe))} {'is' if len(safe) == 1 else 'are'} safe")
    so = "which only works if" if len(conclusions) > 1 else "so"
    return f"{source} {_equation(state, row)}, {so} {' and '.join(conclusions)}."


def _counted(state: State, restrictions: dict[int, Restriction], number: int, times: int) -> str:
    """A number and how often it is taken, with the mines it needs if some of its mines are known."""
    often = {1: "", 2: "twice "}.get(times, f"{times} times ")
    need = restrictions[number].need
    left = "" if need == state.codes[number] else f" ({plural(need, 'mine')} left)"
    return f"{often}the {state.name(number)}{left}"


def _equation(state: State, row: _Row) -> str:
    """Cells with a plus first."""
    terms = ""
    for cell, times in sorted(row.cells.items(), key=lambda term: (term[1] < 0, term[0])):
        sign = " − " if times < 0 else " + " if terms else ""
        terms += f"{sign}{'' if abs(times) == 1 else f'{abs(times)}·'}{state.at(cell)}"
    return f"{terms} = {row.sum}"
