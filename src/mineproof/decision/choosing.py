"""The best move: a safe cell where there is one, else the guess of a strategy, with all that it was weighed by.

Choice  ``best``, ``deep`` and ``strong`` play optimally where few layouts are left, and look one reveal ahead before
        that; they also play on from cells that look about as good: see native/src/thinker.cpp. ``fast`` and
        ``minesolver`` take the safest cell, ``fast`` only until very few layouts are left, from where on it plays
        optimally. With ``exact=True`` the choice is optimal play, or there is none.
Odds    The chance to win is exact where the position was solved. Elsewhere the layouts that fit are drawn, the same for
        every cell, and ``strong`` plays on from each of the first few cells; how often it wins is an estimate, marked
        so, and decides nothing: its error is larger than what tells good cells apart.
Time    Given seconds, a guess is thought over as ``deep`` does it, on all processors, until they are over or it is
        clear; the chances to win are those that decided, narrowed as long as it thought.
Look    What each number would tell is the look ahead of the kernel, the one that decided; for cells that it had no need
        to look at, the same look is taken afterwards.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic
from typing import NamedTuple

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.many import MOST_THREADS
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.processors import processors
from mineproof.board.board import Board, Flags
from mineproof.board.cells import ABSENT, FLAGGED, Cell
from mineproof.decision.moves import BestMove, MoveReason, Option, safest_of
from mineproof.decision.optimal import MOST_CELLS, MOST_LAYOUTS, require_few, require_total, solve_analysed
from mineproof.decision.safest import CLOSE, safest_cell
from mineproof.decision.strategy_table import Strategy, require_strategy
from mineproof.decision.thinking import Rival, Thought
from mineproof.engine.answers import Candidate, Decision, Engine, Estimate
from mineproof.engine.choice import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded

PLAYOUTS = 200
SEED = 0

CHEAP_LAYOUTS, CHEAP_NODES = 2_000, 100_000  # optimal play that is worth it for the odds alone
FEW_LAYOUTS = 6  # digits of a number of layouts that is told
ESTIMATED = 4  # options that are played on from, and the safest
PLAYED_ON_BY = "strong"
MOST_PLAYED = 1_000  # undecided cells of a position that is played on from
LOOKED_AT = 10  # options whose numbers are looked at
THINKING = ("best", "deep")  # strategies that may be given time
SHOWN_SAFEST = 8  # options of a strategy that does not weigh any


def best_move(
    board: Board,
    strategy: str = "best",
    *,
    exact: bool = False,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    progress: Callable[[Thought], object] | None = None,
    threads: int | None = None,
    engine: Engine | None = None,
) -> BestMove:
    """The cell to open next and what it was weighed against.

    ``strategy`` is one that can be asked about a single position; with ``exact`` it does not matter: play is optimal,
    or BudgetExceeded is raised. ``playouts`` is how many layouts are played from each of the first few options where
    their chance to win is not known exactly; 0 leaves it out. The answer is always the same for the same position.

    With ``seconds`` a guess is thought over for so long, or until it is clear, on ``threads`` (all processors by
    default). They come on top of those of the budget, and a cancelled one ends them with the best so far. ``progress``
    is told how far it is after each round of games, the best so far first. What comes out depends on how far it came;
    ``BestMove.thought`` has what it knew at the end.

    Raises ValueError if the total is unknown, ContradictionError if no layout fits, and EngineMissing where a guess is
    to be weighed without the kernel.

    >>> move = best_move(Board.parse("#####/123##/###3#", total_mines=6))
    >>> move.cell, move.mine_probability, move.win_fraction, move.safest.cell
    ((0, 0), 0.3, Fraction(3, 5), (0, 1))
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    using = chosen_engine(engine)
    chosen, playouts = require_strategy(strategy, using), checks.whole("playouts", playouts, 0)
    require_total(board)
    time = _Time.of(seconds, progress, threads, strategy, exact)
    limit, seen = Budget.of(budget), board.as_seen(flags)
    deadline = Deadline(limit if time is None else replace(limit, seconds=limit.seconds + time.seconds))
    position = _Position(seen, analyze(seen, budget=limit, engine=using), deadline, using)
    if exact:
        require_few(position.found)
    thought = None
    if position.found.safe:
        reason, options = _safe(position, position.solved(deadline.rest()) if exact else position.cheaply_solved())
    elif not position.found.undecided_count:
        reason, options = "done", []
    elif exact:
        reason, options = _optimal(position, position.solved(deadline.rest()))
    elif time is not None and _can_weigh(position.found):
        reason, options, thought = _thought_over(position, time)
    else:
        reason, options = _guess(position, chosen)
    if thought is None:
        options = _estimated(position, options, playouts)
    if reason != "safe":
        options = _looked_at(position, options, limit if thought is not None else None)
    best = options[0].cell if options else None
    return BestMove(best, reason, tuple(options), safest_of(options), position.few_layouts, thought, board)


class _Time(NamedTuple):
    """How long to think, who is told, and on how many threads."""

    seconds: float
    progress: Callable[[Thought], object] | None
    threads: int

    @staticmethod
    def of(
        seconds: float | None,
        progress: Callable[[Thought], object] | None,
        threads: int | None,
        strategy: str,
        exact: bool,
    ) -> _Time | None:
        checks.called("progress", progress)
        busy = processors() if threads is None else checks.whole("threads", threads, 1, MOST_THREADS)
        if seconds is None:
            if progress is not None or threads is not None:
                raise ValueError("progress and threads go with seconds")
            return None
        if exact or strategy not in THINKING:
            raise ValueError(f"seconds goes with strategy {' or '.join(THINKING)}, not with others or exact")
        return _Time(checks.number("seconds", seconds, 0), progress, busy)


def weigh_cells(
    found: Analysis,
    cells: Sequence[Cell],
    strategy: str = PLAYED_ON_BY,
    *,
    playouts: int = PLAYOUTS,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> list[Option]:
    """What each of some covered cells is worth, whichever would be chosen; ``found`` has a total and no flags to trust.

    The chance to win is exact where few layouts are left. Elsewhere ``strategy`` plays on from each cell, on the same
    layouts for all of them: an estimate. It is None where neither can be had.
    """
    using = chosen_engine(engine)
    require_strategy(strategy, using)
    position = _Position(found.board, found, Deadline(Budget.of(budget)), using)
    values = position.cheaply_solved(every=True) | dict.fromkeys(found.mines.intersection(cells), Fraction(0))
    options = [_with_value(Option(cell, position.mine_probability(cell)), values) for cell in cells]
    open_ones = list(dict.fromkeys(option.cell for option in options if not option.exact))
    if not open_ones or not position.can_play_on(playouts):
        return options
    rates = _played_on(position, open_ones, playouts, strategy)
    return [_with_rate(option, rates.get(option.cell), playouts) for option in options]


@dataclass(frozen=True, slots=True)
class _Position:
    """A board with a total, whose flags are mines, and what is known about it."""

    board: Board
    found: Analysis
    deadline: Deadline
    engine: Engine

    @property
    def question(self) -> Question:
        return Question.of(self.board)

    @property
    def few_layouts(self) -> int | None:
        return self.found.layouts if self.found.log10_layouts <= FEW_LAYOUTS else None

    def mine_probability(self, cell: Cell) -> float:
        return float(self.found.mine_probability[cell])

    def can_play_on(self, playouts: int) -> bool:
        """Can chances to win be estimated, and are they wanted?"""
        return playouts > 0 and self.engine.plays and self.found.undecided_count <= MOST_PLAYED

    def solved(self, budget: Budget, most: int = MOST_LAYOUTS, *, every: bool = False) -> dict[Cell, Fraction]:
        """The chance to win by each cell that is not certainly a mine; of safe cells alone where there are any.

        Those are all worth the same, and nothing is worth more; with ``every`` the others are valued all the same.
        """
        every = every or not self.found.safe
        optimum = solve_analysed(self.found, budget, self.engine, every=every, most=most)
        values = optimum.values if every else {self.board.index(cell): optimum.won for cell in self.found.safe}
        return {self.board.cell(index): Fraction(won, optimum.layouts) for index, won in values.items()}

    def cheaply_solved(self, *, every: bool = False) -> dict[Cell, Fraction]:
        """The same if it takes little, otherwise nothing."""
        rest = self.deadline.rest()
        try:
            return self.solved(replace(rest, states=min(rest.states, CHEAP_NODES)), CHEAP_LAYOUTS, every=every)
        except BudgetExceeded as error:
            if error.limit in ("states", "size"):
                return {}
            raise


_Options = tuple[MoveReason, list[Option]]


# choosing


def _safe(position: _Position, values: Mapping[Cell, Fraction]) -> _Options:
    """Every safe cell: opening one costs nothing."""
    return "safe", [_with_value(Option(cell, 0.0), values) for cell in sorted(position.found.safe)]


def _optimal(position: _Position, values: Mapping[Cell, Fraction]) -> _Options:
    """Every undecided cell, by what it is worth; of equals the safest is first."""
    undecided = position.found.undecided
    options = [_with_value(Option(cell, position.mine_probability(cell)), values) for cell in undecided]
    options.sort(key=lambda option: (-values[option.cell], option.mine_probability, option.cell))
    return "optimal", options


def _guess(position: _Position, strategy: Strategy) -> _Options:
    if not _can_weigh(position.found):
        return _safest(position)
    if strategy.looks_ahead:
        return _weighed(position, strategy)
    if (position.few_layouts or math.inf) <= strategy.layouts:
        return _optimal(position, position.solved(position.deadline.rest()))
    return _safest(position)


def _weighed(position: _Position, strategy: Strategy) -> _Options:
    """The guess of a strategy that looks ahead, and what it was weighed against."""
    return _decided(position, position.engine.decide(position.question, strategy.name, position.deadline.rest()))


def _thought_over(position: _Position, time: _Time) -> tuple[MoveReason, list[Option], Thought | None]:
    """The guess after some time, and what is known of its rivals; no thought where there was nothing to think over."""
    begun, board = monotonic(), position.board

    def thought(estimates: Sequence[Estimate], clear: bool = False) -> Thought:
        rivals = (Rival(board.cell(each.cell), *each[1:]) for each in estimates)
        return Thought(monotonic() - begun, tuple(rivals), clear)

    def tell(estimates: Sequence[Estimate]) -> None:
        assert time.progress is not None
        time.progress(thought(estimates))

    budget = replace(position.deadline.rest(), seconds=time.seconds)
    found = position.engine.think(position.question, budget, time.threads, tell if time.progress else None)
    reason, options = _decided(position, found.decision)
    if not found.estimates:
        return reason, options, None
    known = {board.cell(each.cell): each for each in found.estimates}
    options = [_with_estimate(option, known.get(option.cell)) for option in options]
    options[1:] = sorted(options[1:], key=lambda option: option.cell not in known)
    return reason, options, thought(found.estimates, found.clear)


def _with_estimate(option: Option, found: Estimate | None) -> Option:
    if found is None:
        return option
    return replace(option, win_probability=found.win_probability, standard_error=found.standard_error)


def _decided(position: _Position, decision: Decision) -> _Options:
    board = position.board
    if decision.best is None:
        return _safest(position)
    if decision.reason == "optimal":
        layouts = position.found.layouts  # so few that rounding gives the layouts won back
        values = {
            board.cell(each.cell): Fraction(round((each.win_probability or 0.0) * layouts), layouts)
            for each in decision.candidates
        }
        return _optimal(position, values)
    options = [_with_look(Option(board.cell(each.cell), each.mine_probability), each) for each in decision.candidates]
    return "fate" if decision.reason == "fate" else "ahead", options + _safer(position, options)


def _safer(position: _Position, options: Sequence[Option]) -> list[Option]:
    """The safest cell of all where it is no candidate: one that is far from every number, and would tell little."""
    best = safest_cell(position.found, position.board).cell
    least = position.mine_probability(best)
    if any(option.mine_probability <= least * (1 + CLOSE) for option in options):
        return []
    return [Option(best, least)]


def _can_weigh(found: Analysis) -> bool:
    """The kernel would list the layouts of this position, if they are few, and cannot if the cells are many."""
    return found.undecided_count <= MOST_CELLS or found.log10_layouts > FEW_LAYOUTS


def _safest(position: _Position) -> _Options:
    """The safest cell and the next few."""
    best = safest_cell(position.found, position.board).cell
    others = sorted((position.mine_probability(cell), cell) for cell in position.found.undecided if cell != best)
    values = position.cheaply_solved()
    cells = [best, *(cell for _, cell in others[: SHOWN_SAFEST - 1])]
    return "safest", [_with_value(Option(cell, position.mine_probability(cell)), values) for cell in cells]


def _with_value(option: Option, values: Mapping[Cell, Fraction]) -> Option:
    value = values.get(option.cell)
    if value is None:
        return option
    return replace(option, win_probability=float(value), exact=True, win_fraction=value)


# what a number would tell


def _looked_at(position: _Position, options: list[Option], anyway: Budget | None = None) -> list[Option]:
    """The first options and the safest with a look at what they would show, where none was taken yet.

    ``anyway``: the caller may have cancelled to have an answer, and this belongs to it, within this budget.
    """
    if not position.engine.plays:
        return options
    chosen = [*options[:LOOKED_AT], *filter(None, [safest_of(options)])]
    cells = list(dict.fromkeys(option.cell for option in chosen if not option.outlook))
    places = [position.board.index(cell) for cell in cells]
    budget = position.deadline.rest() if anyway is None else replace(anyway, cancelled=None)
    looks = dict(zip(cells, position.engine.look_ahead(position.question, places, budget), strict=True))
    return [_with_look(option, looks[option.cell]) if option.cell in looks else option for option in options]


def _with_look(option: Option, look: Candidate) -> Option:
    return replace(option, outlook=look.outlook, progress=look.progress, fate=look.fate, score=look.score)


# estimates


def _estimated(position: _Position, options: list[Option], playouts: int) -> list[Option]:
    """The first options and the safest, played on from, where their chance to win is not known."""
    safest = safest_of(options)
    if safest is None or safest.exact or not position.can_play_on(playouts):
        return options
    alike = options[0].mine_probability == 0  # safe cells: one stands for all
    chosen = options[:1] if alike else list(dict.fromkeys([*options[:ESTIMATED], safest]))
    rates = _played_on(position, [option.cell for option in chosen], playouts)
    if alike:
        rates = dict.fromkeys((option.cell for option in options), rates[chosen[0].cell])
    return [_with_rate(option, rates.get(option.cell), playouts) for option in options]


def _played_on(
    position: _Position, cells: Sequence[Cell], playouts: int, strategy: str = PLAYED_ON_BY
) -> dict[Cell, int]:
    """Games won by first cell."""
    board = _without_known_mines(position.board)
    starts = [board.index(cell) for cell in cells]
    wins = position.engine.play_on(Question.of(board), starts, strategy, SEED, playouts, position.deadline.rest())
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
    return board.replace(lower | dict.fromkeys(flags, ABSENT), total_mines=require_total(board) - len(flags))
