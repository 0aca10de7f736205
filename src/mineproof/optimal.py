"""Optimal play: how often a position is won by a player who never errs, as an exact fraction.

Idea    All layouts that fit are listed, and sets of them searched; native/src/endgame.cpp says how,
        `mineproof.reference_optimal` says what. A layout is won when all that is free in it has been opened.
Limits  Layouts, because each is held in memory with a byte for each cell that may be free; sets searched and time, by
        the budget. A hundred thousand layouts of a game that is under way take a second; untouched boards are harder.
Start   Before the first click a board looks the same from all sides, so only one first cell of those that a symmetry
        maps onto each other is searched, number by number that it may show. The rule of the first click then says of
        which layouts that is a share: of all, of those with the cell free, of those with its neighbours free too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from mineproof import engine
from mineproof.analysis import Analysis, Flags, analyze, uncovered_flags
from mineproof.board import Board
from mineproof.budget import Budget, Deadline
from mineproof.codes import COVERED
from mineproof.errors import BoardSyntaxError, BudgetExceeded, Cell
from mineproof.reference_optimal import Optimum
from mineproof.topology import Kind, Topology
from mineproof.wording import layouts_fit

FirstClick = Literal["any", "safe", "open"]
FIRST_CLICKS: tuple[FirstClick, ...] = get_args(FirstClick)

MOST_LAYOUTS = 1_000_000
MOST_BYTES = 1 << 27  # layouts × cells that may be free; the kernel holds a few tables of that size
MOST_CELLS = 900  # undecided: as many as the kernel counts with polynomials, which it lists layouts from
MOST_COLUMNS = (1 << 16) - 1  # undecided or safe: as many as the kernel's search can number


def win_probability(
    board: Board, *, flags: Flags = "trust", budget: Budget | float | None = None, most: int = MOST_LAYOUTS
) -> Fraction:
    """The chance to win a position by optimal play, exactly.

    Raises ValueError if the total is unknown, ContradictionError if no layout fits, and BudgetExceeded if more than
    ``most`` do, or the search takes longer than the budget allows.

    >>> win_probability(Board.parse("#####/123##/###3#", total_mines=6))
    Fraction(3, 5)
    """
    found = solve_position(board, flags, Budget.of(budget), every=False, most=most)
    return Fraction(found.won, found.layouts)


def optimal_moves(
    board: Board, *, flags: Flags = "trust", budget: Budget | float | None = None, most: int = MOST_LAYOUTS
) -> dict[Cell, Fraction]:
    """The chance to win by each covered cell, if it is opened first and play is optimal from there on; best first.

    Raises what `win_probability` does.

    >>> optimal_moves(Board.parse("###/12#", total_mines=2))
    {(0, 2): Fraction(1, 2), (1, 2): Fraction(1, 2), (0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4)}
    """
    found = solve_position(board, flags, Budget.of(budget), every=True, most=most)
    seen = board if flags == "trust" else board.without_flags()
    values = {cell: Fraction(found.values.get(seen.index(cell), 0), found.layouts) for cell in seen.cells(COVERED)}
    return dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))


def solve_position(board: Board, flags: Flags, budget: Budget, *, every: bool, most: int = MOST_LAYOUTS) -> Optimum:
    """Optimal play of a position, by cell index; see `win_probability` for what it raises."""
    require_total(board)
    deadline = Deadline(budget)
    seen = board if uncovered_flags(board, flags) == board.codes else board.without_flags()
    return solve_analysed(analyze(seen, budget=budget), deadline.rest(), every=every, most=most)


def solve_analysed(found: Analysis, budget: Budget, *, every: bool, most: int = MOST_LAYOUTS) -> Optimum:
    """The same, of a position with a total that has been counted already and whose flags are mines."""
    require_few(found, most)
    board = found.board
    if not undecided_cells(found):
        safe = sorted(map(board.index, found.safe))
        return Optimum(1, 1, safe[0] if safe else None, dict.fromkeys(safe, 1) if every else {})
    try:
        return engine.optimal(board.topology, board.codes, require_total(board), budget, every=every, most=most)
    except BudgetExceeded as error:
        message = f"{layouts_fit(found)}: {error}"
        raise BudgetExceeded(message, limit=error.limit, seconds=error.seconds, states=error.states) from None


def require_total(board: Board) -> int:
    if board.total_mines is None:
        raise ValueError("the chance to win depends on how many mines there are: the total is needed")
    return board.total_mines


def require_few(found: Analysis, most: int = MOST_LAYOUTS) -> None:
    """Raise BudgetExceeded where there are more layouts than can be listed."""
    if most < 1:
        raise ValueError(f"found most={most}, expected 1 layout or more")
    undecided = undecided_cells(found)
    if not undecided:
        return
    if undecided > MOST_CELLS:
        message = f"{undecided:,} cells are undecided; optimal play is worked out for at most {MOST_CELLS}"
        raise BudgetExceeded(message, limit="size")
    columns = undecided + len(found.safe)
    if columns > MOST_COLUMNS:
        message = f"{columns:,} cells may be free; optimal play is worked out for at most {MOST_COLUMNS:,}"
        raise BudgetExceeded(message, limit="size")
    most = min(most, MOST_BYTES // columns)
    if found.log10_layouts > math.log10(most) + 1 or found.layouts > most:
        raise BudgetExceeded(f"{layouts_fit(found)}; optimal play is worked out for at most {most:,}", limit="size")


def undecided_cells(found: Analysis) -> int:
    covered = found.board.codes.count(COVERED & 0xFF)
    return covered - len(found.safe) - len(found.mines)


# from the start


def win_probability_from_start(
    rows: int,
    columns: int,
    mines: int,
    first_click: FirstClick = "any",
    *,
    topology: Kind = "grid",
    budget: Budget | float | None = None,
    most: int = MOST_LAYOUTS,
) -> Fraction | None:
    """The chance to win an untouched board by the best first cell and optimal play.

    With ``"any"`` the first click may explode; with ``"safe"`` the first cell is free, with ``"open"`` its neighbours
    are too, and all such layouts are equally likely. None where there is no such layout, whichever the first cell.

    >>> [str(win_probability_from_start(4, 4, 4, rule)) for rule in ("any", "safe", "open")]
    ['961/1820', '961/1365', '34/35']
    """
    values = optimal_first_moves(rows, columns, mines, first_click, topology=topology, budget=budget, most=most)
    if first_click == "any" and mines == rows * columns:
        return Fraction(1)  # nothing has to be opened
    return max((value for value in values.values() if value is not None), default=None)


def optimal_first_moves(
    rows: int,
    columns: int,
    mines: int,
    first_click: FirstClick = "any",
    *,
    topology: Kind = "grid",
    budget: Budget | float | None = None,
    most: int = MOST_LAYOUTS,
) -> dict[Cell, Fraction | None]:
    """The chance to win by each first cell, in row order; see `win_probability_from_start`."""
    if first_click not in FIRST_CLICKS:
        raise ValueError(f"found first_click={first_click!r}, expected one of {', '.join(FIRST_CLICKS)}")
    if mines < 0:
        raise BoardSyntaxError(f"found a total of {mines} mines, expected 0 or more")
    board = Board(rows, columns, bytes([COVERED & 0xFF]) * (rows * columns), mines, topology)
    limit = Budget.of(budget)
    if mines in (0, len(board.codes)):  # no matter how large
        worth = Fraction(1) if mines == 0 else Fraction(0) if first_click == "any" else None
        return dict.fromkeys(board.cells(COVERED), worth)
    if first_click != "open":
        require_few(analyze(board, budget=limit), most)
    deadline = Deadline(limit)
    values: dict[int, Fraction | None] = {}
    for alike in orbits(board.topology):
        values |= dict.fromkeys(alike, _first_value(board, alike[0], first_click, deadline, most))
    return {board.cell(index): values[index] for index in sorted(values)}


def _first_value(board: Board, first: int, rule: FirstClick, deadline: Deadline, most: int) -> Fraction | None:
    around = board.topology.around(first)
    numbers = range(1) if rule == "open" else range(len(around) + 1)
    shown = [_shown(board, first, number, deadline, most) for number in numbers]
    won = sum(found.won for found in shown if found is not None)
    if rule == "any":
        return Fraction(won, math.comb(len(board.codes), board.total_mines or 0))
    layouts = sum(found.layouts for found in shown if found is not None)
    return Fraction(won, layouts) if layouts else None


def _shown(board: Board, first: int, number: int, deadline: Deadline, most: int) -> Optimum | None:
    """Optimal play after a first cell has shown a number; None if it cannot."""
    deadline.check()
    after = board.replace({board.cell(first): number})
    fits = number <= (board.total_mines or 0) <= len(board.codes) - 1 - (len(board.topology.around(first)) - number)
    if not fits:
        return None
    return solve_position(after, "trust", deadline.rest(), every=False, most=most)


def orbits(topology: Topology) -> list[list[int]]:
    """Cells in groups that symmetries of a board map onto each other, each in ascending order."""
    least = list(range(topology.cells))

    def root(cell: int) -> int:
        while least[cell] != cell:
            cell = least[cell]
        return cell

    for image in _symmetries(topology):
        for cell, other in enumerate(image.tolist()):
            first, second = sorted((root(cell), root(other)))
            least[second] = first
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for cell in range(topology.cells):
        groups[root(cell)].append(cell)
    return list(groups.values())


def _symmetries(topology: Topology) -> Iterator[npt.NDArray[np.int64]]:
    """Where cells go by flips, turns and shifts: those of the many that keep neighbours neighbours."""
    places = np.arange(topology.cells, dtype=np.int64).reshape(topology.rows, topology.columns)
    images = [places[::-1], places[:, ::-1], places[::-1, ::-1], np.roll(places, 1, axis=0), np.roll(places, 1, axis=1)]
    if topology.rows == topology.columns:
        images.append(places.T)
    for image in images:
        mapped = image.ravel()
        renamed = np.append(mapped, topology.cells)[topology.neighbours]  # the neighbours of each cell, by new names
        if (np.sort(renamed, axis=1) == topology.neighbours[mapped]).all():
            yield mapped
