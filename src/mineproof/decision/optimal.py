"""Optimal play: the exact chance to win a position with perfect decisions, as a fraction.

Idea    List all layouts that fit, and search sets of them; native/src/endgame.cpp has the algorithm and
        `mineproof.engine.reference_optimal` the specification. A layout is won when all of its safe cells are open.
Limits  The number of layouts, because each takes a byte of memory for each cell that may be safe. The budget limits the
        sets searched and the time. A hundred thousand layouts of a game in progress take 0.2 to 1 s; a board before the
        first click is harder.
Start   Before the first click, symmetries map many cells onto each other. Only one cell of each such group is searched,
        once for each number that it may show. The first-click rule decides which layouts count: all of them, those
        with the cell safe, or those with its neighbours safe too.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.layout_count import count_layouts
from mineproof.base import checks, words
from mineproof.base.budget import LARGEST_STATES, Budget, Deadline
from mineproof.board.board import Board, Flags, covered_board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.geometry import Geometry, Topology
from mineproof.board.levels import Size, as_size
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.decision.moves import SCHEMA
from mineproof.engine.answers import Engine, Optimum
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import BoardSyntaxError, BudgetExceeded
from mineproof.wording.catalogue import DEFAULT_LANGUAGE

if TYPE_CHECKING:
    from mineproof.decision.wire import FirstMoveJson, FirstMovesJson

OPTIMAL_PLAY_MAX_LAYOUTS = 1_000_000
OPTIMAL_PLAY_MAX_BYTES = 1 << 27  # layouts × cells that may be safe; the kernel holds a few tables of that size
OPTIMAL_PLAY_MAX_UNDECIDED = 900  # cells that the kernel counts with polynomials, which it lists layouts from
OPTIMAL_PLAY_MAX_CELLS = (1 << 16) - 1  # undecided or safe cells, which the kernel's search numbers with 16 bits


def win_probability(
    board: Board,
    *,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    most: int = OPTIMAL_PLAY_MAX_LAYOUTS,
    engine: Engine | None = None,
) -> Fraction:
    """Return the exact chance to win a position with optimal play.

    Raises ValueError if the total is unknown, ContradictionError if no layout fits, and BudgetExceeded if more than
    ``most`` layouts fit or the search exceeds the budget.

    >>> win_probability(Board.parse("#####/123##/###3#", total_mines=6))
    Fraction(3, 5)
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    optimum = solve_position(board.as_seen(flags), Budget.of(budget), chosen_engine(engine), every=False, most=most)
    return Fraction(optimum.won, optimum.layouts)


def optimal_moves(
    board: Board,
    *,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    most: int = OPTIMAL_PLAY_MAX_LAYOUTS,
    engine: Engine | None = None,
) -> dict[Cell, Fraction]:
    """Return the chance to win by opening each covered cell and playing optimally afterwards, best first.

    Raises the same errors as `win_probability`.

    >>> optimal_moves(Board.parse("###/12#", total_mines=2))
    {(0, 2): Fraction(1, 2), (1, 2): Fraction(1, 2), (0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4)}
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    seen = board.as_seen(flags)
    optimum = solve_position(seen, Budget.of(budget), chosen_engine(engine), every=True, most=most)
    values = {cell: Fraction(optimum.values.get(seen.index(cell), 0), optimum.layouts) for cell in seen.cells(COVERED)}
    return dict(sorted(values.items(), key=lambda item: (-item[1], item[0])))


def solve_position(
    board: Board, budget: Budget, engine: Engine, *, every: bool, most: int = OPTIMAL_PLAY_MAX_LAYOUTS
) -> Optimum:
    """Solve a position whose flags are mines, by cell index; raises the same errors as `win_probability`."""
    checks.whole("most", most, 0, LARGEST_STATES)
    require_total(board)
    deadline = Deadline(budget)
    analysis = analyze(board, budget=budget, engine=engine)
    return solve_analyzed(analysis, deadline.rest(), engine, every=every, most=most)


def solve_analyzed(
    analysis: Analysis, budget: Budget, engine: Engine, *, every: bool, most: int = OPTIMAL_PLAY_MAX_LAYOUTS
) -> Optimum:
    """Solve a position with a total that is already analyzed."""
    require_few_layouts(analysis, most)
    board = analysis.board
    if not analysis.undecided_count:
        safe = sorted(map(board.index, analysis.safe))
        return Optimum(1, 1, safe[0] if safe else None, dict.fromkeys(safe, 1) if every else {})
    try:
        return engine.optimal(Question.of(board), budget, every=every, most=most)
    except BudgetExceeded as error:
        message = f"{_layouts_fit(analysis)}. {error}"
        raise BudgetExceeded(message, limit=error.limit, seconds=error.seconds, states=error.states) from None


def require_total(board: Board) -> int:
    """Return the total number of mines; ValueError if it is unknown."""
    if board.total_mines is None:
        raise ValueError("The number of mines is unknown. Pass `total_mines`: the chance to win depends on it.")
    return board.total_mines


def require_few_layouts(analysis: Analysis, most: int = OPTIMAL_PLAY_MAX_LAYOUTS) -> None:
    """Raise BudgetExceeded if more layouts fit than can be listed."""
    most = checks.whole("most", most, 1)
    undecided = analysis.undecided_count
    if not undecided:
        return
    if undecided > OPTIMAL_PLAY_MAX_UNDECIDED:
        message = f"{undecided:,} cells are undecided. Optimal play is limited to {OPTIMAL_PLAY_MAX_UNDECIDED}."
        raise BudgetExceeded(message, limit="size")
    cells = undecided + len(analysis.safe)
    if cells > OPTIMAL_PLAY_MAX_CELLS:
        message = f"{cells:,} cells may be safe. Optimal play is limited to {OPTIMAL_PLAY_MAX_CELLS:,}."
        raise BudgetExceeded(message, limit="size")
    most = min(most, OPTIMAL_PLAY_MAX_BYTES // cells)
    if analysis.log10_layouts > math.log10(most) + 1 or analysis.layouts > most:
        raise BudgetExceeded(f"{_layouts_fit(analysis)}. Optimal play is limited to {most:,}.", limit="size")


def _layouts_fit(analysis: Analysis) -> str:
    return count_layouts(analysis).text_in(DEFAULT_LANGUAGE)


# from the start


def win_probability_from_start(
    rows: int | str,
    columns: int | None = None,
    mines: int | None = None,
    first_click: FirstClick = "safe",
    *,
    topology: Topology = "grid",
    budget: Budget | float | None = None,
    most: int = OPTIMAL_PLAY_MAX_LAYOUTS,
    engine: Engine | None = None,
) -> Fraction:
    """Return the chance to win a new board with the best first cell and optimal play.

    ``rows`` may also be a size, a level or ``"WxHxM"``, in place of ``rows``, ``columns`` and ``mines``.

    With ``"any"`` the first click may hit a mine. With ``"safe"`` the first cell is safe, with ``"open"`` its
    neighbours are too, and all such layouts are equally likely. Raises BoardSyntaxError if no first cell allows such a
    layout.

    >>> [str(win_probability_from_start(4, 4, 4, rule)) for rule in ("any", "safe", "open")]
    ['961/1820', '961/1365', '34/35']
    """
    size = as_size(rows, columns, mines)
    values = optimal_first_moves(*size, first_click, topology=topology, budget=budget, most=most, engine=engine)
    if first_click == "any" and size.mines == size.rows * size.columns:
        return Fraction(1)  # nothing has to be opened
    best = max((value for value in values.values() if value is not None), default=None)
    if best is None:
        raise BoardSyntaxError(f"No layout of {words.size(*size)} allows a first click of {first_click!r}.")
    return best


@dataclass(frozen=True, slots=True)
class FirstMoves:
    """A new board and the chance to win by each first cell; None where the first-click rule allows no layout."""

    size: Size
    topology: Topology
    first_click: FirstClick
    values: dict[Cell, Fraction | None]

    @property
    def win(self) -> Fraction | None:
        """Chance to win with the best first cell."""
        if self.risk == 1:
            return Fraction(1)  # nothing has to be opened
        return max((value for value in self.values.values() if value is not None), default=None)

    @property
    def best(self) -> list[Cell]:
        """The first cells that win most."""
        most = self.win
        return [cell for cell, value in self.values.items() if value is not None and value == most]

    @property
    def risk(self) -> Fraction:
        """Chance that the first click hits a mine."""
        return (
            Fraction(self.size.mines, self.size.rows * self.size.columns) if self.first_click == "any" else Fraction(0)
        )

    def as_json(self) -> FirstMovesJson:
        """Return the ``mineproof/best/1`` document, with the size in place of a position."""
        moves: list[FirstMoveJson] = [
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
    most: int = OPTIMAL_PLAY_MAX_LAYOUTS,
    engine: Engine | None = None,
) -> dict[Cell, Fraction | None]:
    """Return the chance to win by each first cell, in row order; see `win_probability_from_start`."""
    checks.one_of("first_click", first_click, FIRST_CLICKS)
    rows, columns, mines = as_size(rows, columns, mines)
    checks.whole("most", most, 0, LARGEST_STATES)
    board = covered_board(rows, columns, mines, topology)
    limit, using = Budget.of(budget), chosen_engine(engine)
    if mines in (0, board.count(COVERED)):  # no matter how large
        worth = Fraction(1) if mines == 0 else Fraction(0) if first_click == "any" else None
        return dict.fromkeys(board.cells(COVERED), worth)
    if first_click != "open":
        require_few_layouts(analyze(board, budget=limit, engine=using), most)
    deadline = Deadline(limit)
    values: dict[int, Fraction | None] = {}
    for orbit in orbits(board.geometry):
        values |= dict.fromkeys(orbit, _first_cell_value(board, orbit[0], first_click, deadline, most, using))
    return {board.cell(index): values[index] for index in sorted(values)}


def _first_cell_value(
    board: Board, start: int, rule: FirstClick, deadline: Deadline, most: int, engine: Engine
) -> Fraction | None:
    around = board.geometry.neighbours(start)
    numbers = range(1) if rule == "open" else range(len(around) + 1)
    optima = [_solve_after(board, start, number, deadline, most, engine) for number in numbers]
    won = sum(optimum.won for optimum in optima if optimum is not None)
    if rule == "any":
        return Fraction(won, math.comb(len(board.codes), board.total_mines or 0))
    layouts = sum(optimum.layouts for optimum in optima if optimum is not None)
    return Fraction(won, layouts) if layouts else None


def _solve_after(
    board: Board, start: int, number: int, deadline: Deadline, most: int, engine: Engine
) -> Optimum | None:
    """Solve the board after its first cell shows a number; None if it cannot show that number."""
    deadline.check()
    after = board.replace({board.cell(start): number})
    fits = number <= (board.total_mines or 0) <= len(board.codes) - 1 - (len(board.geometry.neighbours(start)) - number)
    if not fits:
        return None
    return solve_position(after, deadline.rest(), engine, every=False, most=most)


def orbits(geometry: Geometry) -> list[list[int]]:
    """Return groups of cells that symmetries of the board map onto each other, each in ascending order."""
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
    """Yield the images of all cells by flips, turns and shifts that map neighbours to neighbours."""
    places = np.arange(geometry.cells, dtype=np.int64).reshape(geometry.rows, geometry.columns)
    images = [places[::-1], places[:, ::-1], places[::-1, ::-1], np.roll(places, 1, axis=0), np.roll(places, 1, axis=1)]
    if geometry.rows == geometry.columns:
        images.append(places.T)
    for image in images:
        mapped = image.ravel()
        renamed = np.append(mapped, geometry.cells)[geometry.table]  # the neighbours of each cell, by new names
        if (np.sort(renamed, axis=1) == geometry.table[mapped]).all():
            yield mapped
