"""The best move: a safe cell where there is one, else the guess of a strategy, with all that it was weighed by.

Choice  ``best`` and ``strong`` play optimally where few layouts are left, and look one reveal ahead before that;
        ``best`` also plays on from cells that look about as good: see native/src/decision.cpp. ``fast`` and
        ``minesolver`` take the safest cell, ``fast`` only until very few layouts are left, from where on it plays
        optimally. With ``exact=True`` the choice is optimal play, or there is none.
Odds    The chance to win is exact where the position was solved. Elsewhere the layouts that fit are drawn, the same for
        every cell, and ``strong`` plays on from each of the first few cells; how often it wins is an estimate, marked
        so, and decides nothing: its error is larger than what tells good cells apart.
Look    What each number would tell of the first options comes from counting again with the number in place. It is for
        people; the kernel weighs a little differently, and leaves out cells that would tell nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from mineproof import engine
from mineproof.analysis import Analysis, Flags, analyze, uncovered_flags
from mineproof.board import Board
from mineproof.budget import Budget, Deadline
from mineproof.choice import BestMove, Option, Outlook, Reason, safest_of
from mineproof.codes import ABSENT, COVERED, FLAGGED
from mineproof.errors import BudgetExceeded, Cell, ContradictionError
from mineproof.guess import CLOSE, best_guess
from mineproof.optimal import MOST_CELLS, MOST_LAYOUTS, require_few, require_total, solve_analysed, undecided_cells

STRATEGIES = ("best", "strong", "fast", "minesolver")  # that choose a move in any position
SIMULATED = ("minedetector", "fair", "go")  # that remember how they came there, so play whole games only
NUMBERS = {"strong": 1, "best": 2}  # as the kernel has them
PLAYOUTS = 200
SEED = 0

FAST_LAYOUTS = 200  # that `fast` plays optimally, as kFast in native/include/mineproof/decision.hpp
CHEAP_LAYOUTS, CHEAP_NODES = 2_000, 100_000  # optimal play that is worth it for the odds alone
FEW_LAYOUTS = 6  # digits of a number of layouts that is told
ESTIMATED = 4  # options that are played on from, and the safest
MOST_PLAYED = 1_000  # undecided cells of a position that is played on from
LOOKED_AT = 10  # options whose numbers are looked at
SHOWN_SAFEST = 8  # options of a strategy that does not weigh any


def best_move(
    board: Board,
    strategy: str = "best",
    *,
    exact: bool = False,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    playouts: int = PLAYOUTS,
) -> BestMove:
    """The cell to open next and what it was weighed against.

    ``strategy`` is one of `STRATEGIES`; with ``exact`` it does not matter: play is optimal, or BudgetExceeded is
    raised. ``playouts`` is how many layouts are played from each of the first few options where their chance to win
    is not known exactly; 0 leaves it out. The answer is always the same for the same position.

    Raises ValueError if the total is unknown, ContradictionError if no layout fits, and EngineMissing where a guess is
    to be weighed without the kernel.

    >>> move = best_move(Board.parse("#####/123##/###3#", total_mines=6))
    >>> move.cell, move.mine_probability, move.win_fraction, move.safest.cell
    ((0, 0), 0.3, Fraction(3, 5), (0, 1))
    """
    require_strategy(strategy)
    if playouts < 0:
        raise ValueError(f"found playouts={playouts}, expected 0 or more")
    total, limit = require_total(board), Budget.of(budget)
    seen = board if uncovered_flags(board, flags) == board.codes else board.without_flags()
    deadline = Deadline(limit)
    position = _Position(seen, total, analyze(seen, budget=limit), deadline)
    if exact:
        require_few(position.found)
    if position.found.safe:
        reason, options = _safe(position, position.solved(deadline.rest()) if exact else position.cheaply_solved())
    elif not undecided_cells(position.found):
        reason, options = "done", []
    elif exact:
        reason, options = _optimal(position, position.solved(deadline.rest()))
    else:
        reason, options = _guess(position, strategy)
    return _told(position, reason, _estimated(position, options, playouts))


def require_strategy(name: str) -> None:
    if name in SIMULATED:
        raise ValueError(
            f"strategy {name!r} plays whole games only (simulate); expected one of {', '.join(STRATEGIES)}"
        )
    if name not in STRATEGIES:
        raise ValueError(f"found strategy={name!r}, expected one of {', '.join(STRATEGIES)}")


@dataclass(frozen=True, slots=True)
class _Position:
    """A board whose flags are mines, and what is known about it."""

    board: Board
    total: int
    found: Analysis
    deadline: Deadline

    @property
    def few_layouts(self) -> int | None:
        return self.found.layouts if self.found.log10_layouts <= FEW_LAYOUTS else None

    def undecided(self) -> list[Cell]:
        certain = self.found.mines | self.found.safe
        return [cell for cell in self.board.cells(COVERED) if cell not in certain]

    def risk(self, cell: Cell) -> float:
        return float(self.found.mine_probability[cell])

    def solved(self, budget: Budget, most: int = MOST_LAYOUTS) -> dict[Cell, Fraction]:
        """The chance to win by each cell that is not certainly a mine."""
        every = not self.found.safe  # cells that are safe are all worth the same, and nothing is worth more
        found = solve_analysed(self.found, budget, every=every, most=most)
        values = found.values if every else {self.board.index(cell): found.won for cell in self.found.safe}
        return {self.board.cell(index): Fraction(won, found.layouts) for index, won in values.items()}

    def cheaply_solved(self) -> dict[Cell, Fraction]:
        """The same if it takes little, otherwise nothing."""
        rest = self.deadline.rest()
        try:
            return self.solved(replace(rest, states=min(rest.states, CHEAP_NODES)), CHEAP_LAYOUTS)
        except BudgetExceeded as error:
            if error.limit in ("states", "size"):
                return {}
            raise


_Options = tuple[Reason, list[Option]]


# choosing


def _safe(position: _Position, values: Mapping[Cell, Fraction]) -> _Options:
    """Every safe cell: opening one costs nothing."""
    return "safe", [_with_value(Option(cell, 0.0), values) for cell in sorted(position.found.safe)]


def _optimal(position: _Position, values: Mapping[Cell, Fraction]) -> _Options:
    """Every undecided cell, by what it is worth; of equals the safest is first."""
    options = [_with_value(Option(cell, position.risk(cell)), values) for cell in position.undecided()]
    options.sort(key=lambda option: (-values[option.cell], option.mine_probability, option.cell))
    return "optimal", options


def _guess(position: _Position, strategy: str) -> _Options:
    if strategy == "fast" and _can_weigh(position.found) and (position.few_layouts or math.inf) <= FAST_LAYOUTS:
        return _optimal(position, position.solved(position.deadline.rest()))
    if strategy not in NUMBERS or not _can_weigh(position.found):
        return _safest(position)
    board = position.board
    decision = engine.decide(board.topology, board.codes, position.total, NUMBERS[strategy], position.deadline.rest())
    if decision.best is None:
        return _safest(position)
    if decision.reason == "optimal":
        layouts = position.found.layouts  # so few that rounding gives the layouts won back
        values = {
            board.cell(each.cell): Fraction(round(each.win_probability * layouts), layouts)
            for each in decision.candidates
        }
        return _optimal(position, values)
    options = [Option(board.cell(each.cell), each.mine_probability, fate=each.fate) for each in decision.candidates]
    return "fate" if decision.reason == "fate" else "ahead", options + _safer(position, options)


def _safer(position: _Position, options: Sequence[Option]) -> list[Option]:
    """The safest cell of all where it is no candidate: one that is far from every number, and would tell little."""
    best = best_guess(position.found, position.board).cell
    if any(option.mine_probability <= position.risk(best) * (1 + CLOSE) for option in options):
        return []
    return [Option(best, position.risk(best))]


def _can_weigh(found: Analysis) -> bool:
    """The kernel would list the layouts of this position, if they are few, and cannot if the cells are many."""
    return undecided_cells(found) <= MOST_CELLS or found.log10_layouts > FEW_LAYOUTS


def _safest(position: _Position) -> _Options:
    """The safest cell and the next few."""
    best = best_guess(position.found, position.board).cell
    others = sorted((position.risk(cell), cell) for cell in position.undecided() if cell != best)
    values = position.cheaply_solved()
    cells = [best, *(cell for _, cell in others[: SHOWN_SAFEST - 1])]
    return "safest", [_with_value(Option(cell, position.risk(cell)), values) for cell in cells]


def _with_value(option: Option, values: Mapping[Cell, Fraction]) -> Option:
    value = values.get(option.cell)
    if value is None:
        return option
    return replace(option, win_probability=float(value), exact=True, win_fraction=value)


def _told(position: _Position, reason: Reason, options: list[Option]) -> BestMove:
    """The move, with a look at what the first options would show."""
    if reason != "safe":
        looked_at = [*options[:LOOKED_AT], safest_of(options)]
        options = [_looked_at(position, option) if option in looked_at else option for option in options]
    cell = options[0].cell if options else None
    return BestMove(cell, reason, tuple(options), safest_of(options), position.few_layouts)


# what a number would tell


def _looked_at(position: _Position, option: Option) -> Option:
    outlook = tuple(_outlook(position, option.cell))
    progress = math.fsum(each.chance for each in outlook if each.safety == 1)
    return replace(option, outlook=outlook, progress=progress)


def _outlook(position: _Position, cell: Cell) -> Iterator[Outlook]:
    board = position.board
    around = [board[other] for other in board.neighbours(cell)]
    fewest, most = around.count(FLAGGED), around.count(FLAGGED) + around.count(COVERED)
    for number in range(fewest, most + 1):
        codes = board.replace({cell: number}).codes
        try:
            after = engine.solve(board.topology, codes, position.total, None, position.deadline.rest())
        except ContradictionError:
            continue
        safe = after.verdicts().count(engine.SAFE)
        yield Outlook(number, _share(after, position), safe, _safety(after))


def _share(counted: engine.Counted, position: _Position) -> float:
    """Layouts as a share of all; large numbers by their logarithms, which is quicker."""
    if position.few_layouts is not None:
        return counted.layouts() / position.few_layouts
    return math.pow(10.0, counted.log10_layouts() - position.found.log10_layouts)


def _safety(counted: engine.Counted) -> float:
    """The chance of the safest cell to be free; 1 where nothing is left to open."""
    verdicts = np.frombuffer(counted.verdicts(), dtype=np.uint8)
    if (verdicts == engine.SAFE).any() or not (verdicts == engine.UNDECIDED).any():
        return 1.0
    return 1.0 - float(counted.mine_probability()[verdicts == engine.UNDECIDED].min())


# estimates


def _estimated(position: _Position, options: list[Option], playouts: int) -> list[Option]:
    """The first options and the safest, played on from, where their chance to win is not known."""
    safest = safest_of(options)
    if safest is None or safest.exact or not playouts or engine.name != "kernel":
        return options
    if undecided_cells(position.found) > MOST_PLAYED:
        return options
    alike = options[0].mine_probability == 0  # safe cells: one stands for all
    chosen = options[:1] if alike else list(dict.fromkeys([*options[:ESTIMATED], safest]))
    rates = _played_on(position, [option.cell for option in chosen], playouts)
    if alike:
        rates = dict.fromkeys((option.cell for option in options), rates[chosen[0].cell])
    return [_with_rate(option, rates.get(option.cell), playouts) for option in options]


def _played_on(position: _Position, cells: Sequence[Cell], playouts: int) -> dict[Cell, int]:
    """Games won by first cell."""
    board = _without_known_mines(position.board)
    wins = engine.play_on(
        board.topology, board.codes, board.total_mines or 0, [board.index(cell) for cell in cells],
        NUMBERS["strong"], SEED, playouts, position.deadline.rest(),
    )  # fmt: skip
    return dict(zip(cells, wins, strict=True))


def _with_rate(option: Option, wins: int | None, games: int) -> Option:
    if wins is None:
        return option
    rate = (wins + 1) / (games + 2)  # so that the error is not 0 after a row of wins or losses
    error = math.sqrt(rate * (1 - rate) / games)
    return replace(option, win_probability=wins / games, standard_error=error)


def _without_known_mines(board: Board) -> Board:
    """The same position without flags: known mines are taken off the board, and out of its numbers."""
    flags = list(board.cells(FLAGGED))
    near = Counter(cell for flag in flags for cell in board.neighbours(flag) if board[cell] >= 0)
    lower = {cell: board[cell] - mines for cell, mines in near.items()}
    return board.replace(lower | dict.fromkeys(flags, ABSENT), total_mines=(board.total_mines or 0) - len(flags))
