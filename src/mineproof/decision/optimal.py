"""Optimal play: how often a position is won by a player who never errs, as an exact fraction.

Idea    All layouts that fit are listed, and sets of them searched; native/src/endgame.cpp says how,
        `mineproof.engine.reference_optimal` says what. A layout is won when all that is free in it has been opened.
Limits  Layouts, because each is held in memory with a byte for each cell that may be free; sets searched and time, by
        the budget. A hundred thousand layouts of a game that is under way take 0.2 to 1 s; untouched boards are harder.
Start   Before the first click a board looks the same from all sides, so only one first cell of those that a symmetry
        maps onto each other is searched, number by number that it may show. The rule of the first click then says of
        which layouts that is a share: of all, of those with the cell free, of those with its neighbours free too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.words import layouts_fit
from mineproof.base import checks
from mineproof.base.budget import LARGEST_STATES, Budget, Deadline
from mineproof.board.board import Board, Flags
from mineproof.board.cells import COVERED, Cell
from mineproof.board.geometry import Geometry, Topology, require_size
from mineproof.board.levels import Size, as_size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.decision.moves import SCHEMA
from mineproof.engine.answers import Engine, Optimum
from mineproof.engine.choice import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded

MOST_LAYOUTS = 1_000_000
MOST_BYTES = 1 << 27  # layouts × cells that may be free; the kernel holds a few tables of that size
MOST_CELLS = 900  # undecided: as many as the kernel counts with polynomials, which it lists layouts from
MOST_COLUMNS = (1 << 16) - 1  # undecided or safe: as many as the kernel's search can number


def win_probability(
    board: Board,
    *,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    most: int = MOST_LAYOUTS,
    engine: Engine | None = None,
) -> Fraction:
    """The chance to win a position by optimal play, exactly.

    Raises ValueError if the total is unknown, ContradictionError if no layout fits, and BudgetExceeded if more than
    ``most`` do, or the search takes longer than the budget allows.

    >>> win_probability(Board.parse("#####/123##/###3#", total_mines=6))
    Fraction(3, 5)
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    found = solve_position(board.as_seen(flags), Budget.of(budget), chosen_engine(engine), every=False, most=most)
    return Fraction(found.won, found.layouts)


def optimal_moves(
    board: Board,
    *,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    most: int = MOST_LAYOUTS,
    engine: Engine | None = None,
) -> dict[Cell, Fraction]:
    """The chance to win by each covered cell, if it is opened first and play is optimal from there on; best first.

    Raises what `win_probability` does.

    >>> optimal_moves(Board.parse("###/12#", total_mines=2))
    {(0, 2): Fraction(1, 2), (1, 2): Fraction(1, 2), (0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4)}
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    seen = board.as_seen(flags)
    found = solve_position(seen, Budget.of(budget), chosen_engine(engine), every=True, most=most)
    values = {cell: Fraction(found.values.get(seen.index(cell), 0), found.layouts) for cell in seen.cells(COVERED)}
    return dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))


def solve_position(board: Board, budget: Budget, engine: Engine, *, every: bool, most: int = MOST_LAYOUTS) -> Optimum:
    """Optimal play of a position whose flags are mines, by cell index; see `win_probability` for what it raises."""
    checks.whole("most", most, 0, LARGEST_STATES)
    require_total(board)
    deadline = Deadline(budget)
    found = analyze(board, budget=budget, engine=engine)
    return solve_analysed(found, deadline.rest(), engine, every=every, most=most)


def solve_analysed(
    found: Analysis, budget: Budget, engine: Engine, *, every: bool, most: int = MOST_LAYOUTS
) -> Optimum:
    """The same, of a position with a total that has been counted already."""
    require_few(found, most)
    board = found.board
    if not found.undecided_count:
        safe = sorted(map(board.index, found.safe))
        return Optimum(1, 1, safe[0] if safe else None, dict.fromkeys(safe, 1) if every else {})
    try:
        return engine.optimal(Question.of(board), budget, every=every, most=most)
    except BudgetExceeded as error:
        message = f"{layouts_fit(found)}: {error}"
        raise BudgetExceeded(message, limit=error.limit, seconds=error.seconds, states=error.states) from None


def require_total(board: Board) -> int:
    if board.total_mines is None:
        raise ValueError("the chance to win depends on how many mines there are: the total is needed")
    return board.total_mines


def require_few(found: Analysis, most: int = MOST_LAYOUTS) -> None:
    """Raise BudgetExceeded where there are more layouts than can be listed."""
    most = checks.whole("most", most, 1)
    undecided = found.undecided_count
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


# from the start


def win_probability_from_start(
    rows: int | str,
    columns: int | None = None,
    mines: int | None = None,
    first_click: FirstClick = "safe",
    *,
    topology: Topology = "grid",
    budget: Budget | float | None = None,
    most: int = MOST_LAYOUTS,
    engine: Engine | None = None,
) -> Fraction | None:
    """The chance to win an untouched board by the best first cell and optimal play.

    Instead of ``rows``, ``columns`` and ``mines`` a size may be given: a level or ``"WxHxM"``.

    With ``"any"`` the first click may explode; with ``"safe"`` the first cell is free, with ``"open"`` its neighbours
    are too, and all such layouts are equally likely. None where there is no such layout, whichever the first cell.

    >>> [str(win_probability_from_start(4, 4, 4, rule)) for rule in ("any", "safe", "open")]
    ['961/1820', '961/1365', '34/35']
    """
    size = as_size(rows, columns, mines)
    values = optimal_first_moves(*size, first_click, topology=topology, budget=budget, most=most, engine=engine)
    if first_click == "any" and size.mines == size.rows * size.columns:
        return Fraction(1)  # nothing has to be opened
    return max((value for value in values.values() if value is not None), default=None)


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """An untouched board, and what each first cell is worth; None where the rule leaves no layout."""

    size: Size
    topology: Topology
    first_click: FirstClick
    values: dict[Cell, Fraction | None]

    @property
    def win(self) -> Fraction | None:
        if self.risk == 1:
            return Fraction(1)  # nothing has to be opened
        return max((value for value in self.values.values() if value is not None), default=None)

    @property
    def best(self) -> list[Cell]:
        most = self.win
        return [cell for cell, value in self.values.items() if value is not None and value == most]

    @property
    def risk(self) -> Fraction:
        """Of the first click."""
        return (
            Fraction(self.size.mines, self.size.rows * self.size.columns) if self.first_click == "any" else Fraction(0)
        )

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/best/1`` shape, with the size instead of a position."""
        moves = [
            {
                "cell": list(cell),
                "mine_probability": float(self.risk),
                "win_probability": float(value),
                "exact": True,
                "win_fraction": str(value),
            }
            for cell, value in sorted(self.values.items(), key=lambda item: (-(item[1] or 0), item[0]))
            if value is not None
        ]
        return {
            "schema": SCHEMA,
            "best": list(self.best[0]) if self.best else None,
            "mine_probability": float(self.risk),
            "win_probability": None if self.win is None else float(self.win),
            "exact": True,
            "win_fraction": None if self.win is None else str(self.win),
            "rows": self.size.rows,
            "columns": self.size.columns,
            "mines": self.size.mines,
            "topology": self.topology,
            "first_click": self.first_click,
            "moves": moves,
        }


def optimal_first_moves(
    rows: int | str,
    columns: int | None = None,
    mines: int | None = None,
    first_click: FirstClick = "safe",
    *,
    topology: Topology = "grid",
    budget: Budget | float | None = None,
    most: int = MOST_LAYOUTS,
    engine: Engine | None = None,
) -> dict[Cell, Fraction | None]:
    """The chance to win by each first cell, in row order; see `win_probability_from_start`."""
    checks.one_of("first_click", first_click, FIRST_CLICKS)
    rows, columns, mines = as_size(rows, columns, mines)
    require_size(rows, columns)
    checks.whole("most", most, 0, LARGEST_STATES)
    board = Board(rows, columns, bytes([COVERED & 0xFF]) * (rows * columns), mines, topology)
    limit, using = Budget.of(budget), chosen_engine(engine)
    if mines in (0, len(board.codes)):  # no matter how large
        worth = Fraction(1) if mines == 0 else Fraction(0) if first_click == "any" else None
        return dict.fromkeys(board.cells(COVERED), worth)
    if first_click != "open":
        require_few(analyze(board, budget=limit, engine=using), most)
    deadline = Deadline(limit)
    values: dict[int, Fraction | None] = {}
    for alike in orbits(board.geometry):
        values |= dict.fromkeys(alike, _start_value(board, alike[0], first_click, deadline, most, using))
    return {board.cell(index): values[index] for index in sorted(values)}


def _start_value(
    board: Board, start: int, rule: FirstClick, deadline: Deadline, most: int, engine: Engine
) -> Fraction | None:
    around = board.geometry.neighbours(start)
    numbers = range(1) if rule == "open" else range(len(around) + 1)
    shown = [_shown(board, start, number, deadline, most, engine) for number in numbers]
    won = sum(found.won for found in shown if found is not None)
    if rule == "any":
        return Fraction(won, math.comb(len(board.codes), board.total_mines or 0))
    layouts = sum(found.layouts for found in shown if found is not None)
    return Fraction(won, layouts) if layouts else None


def _shown(board: Board, start: int, number: int, deadline: Deadline, most: int, engine: Engine) -> Optimum | None:
    """Optimal play after a first cell has shown a number; None if it cannot."""
    deadline.check()
    after = board.replace({board.cell(start): number})
    fits = number <= (board.total_mines or 0) <= len(board.codes) - 1 - (len(board.geometry.neighbours(start)) - number)
    if not fits:
        return None
    return solve_position(after, deadline.rest(), engine, every=False, most=most)


def orbits(geometry: Geometry) -> list[list[int]]:
    """Cells in groups that symmetries of a board map onto each other, each in ascending order."""
    least = list(range(geometry.cells))

    def root(cell: int) -> int:
        while least[cell] != cell:
            cell = least[cell]
        return cell

    for image in _symmetries(geometry):
        for cell, other in enumerate(image.tolist()):
            first, second = sorted((root(cell), root(other)))
            least[second] = first
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for cell in range(geometry.cells):
        groups[root(cell)].append(cell)
    return list(groups.values())


def _symmetries(geometry: Geometry) -> Iterator[npt.NDArray[np.int64]]:
    """Where cells go by flips, turns and shifts: those of the many that keep neighbours neighbours."""
    places = np.arange(geometry.cells, dtype=np.int64).reshape(geometry.rows, geometry.columns)
    images = [places[::-1], places[:, ::-1], places[::-1, ::-1], np.roll(places, 1, axis=0), np.roll(places, 1, axis=1)]
    if geometry.rows == geometry.columns:
        images.append(places.T)
    for image in images:
        mapped = image.ravel()
        renamed = np.append(mapped, geometry.cells)[geometry.table]  # the neighbours of each cell, by new names
        if (np.sort(renamed, axis=1) == geometry.table[mapped]).all():
            yield mapped
