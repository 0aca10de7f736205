"""The best move: a safe cell if there is one, otherwise the guess of a strategy.

Choice  Strategies that look ahead play optimally once few layouts are left. Before that they look one reveal ahead, and
        play out games from cells that look about as good; see native/src/thinker.cpp. Other strategies take the safest
        cell, and some of them play optimally once very few layouts are left. With ``exact=True`` the choice is optimal
        play, or BudgetExceeded is raised.
Table   Chances to win and outlooks are computed when they are first read; see `mineproof.decision.move_table`. A
        program that reads only ``cell`` pays only for the choice.
Time    With ``seconds``, a guess is played out as ``deep`` does it, on all processors, until the time is up or the
        choice is clear. The chances to win are the estimates that decided.
Budget  The choice needs the odds of the position. If the budget runs out later, the result is the best move so far, at
        worst the safest cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, TypeVar, overload

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.many import ANALYSIS_MAX_THREADS
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.processors import processors
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell
from mineproof.board.other_boards import Choosing, refuse_options
from mineproof.decision.move_table import PLAYOUT_STRATEGY, play_on_from, tabulate, with_look, with_rate, with_value
from mineproof.decision.moves import BestMove, MoveReason, Option
from mineproof.decision.optimal import OPTIMAL_PLAY_MAX_UNDECIDED, require_few_layouts, require_total
from mineproof.decision.position import COUNTED_MAX_DIGITS, AnalyzedPosition
from mineproof.decision.rivals import Rival, Thought
from mineproof.decision.safest import CLOSE_ODDS, safest_cell
from mineproof.decision.strategy_table import TIMED_STRATEGIES, Strategy, require_strategy
from mineproof.engine.answers import CellEstimate, Decision, Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BudgetExceeded

M = TypeVar("M")
PLAYOUTS = 200
SAFEST_OPTIONS = 8  # options listed for a strategy that compares no others

THINKING = TIMED_STRATEGIES  # name until cli and web use the new one


@overload
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
) -> BestMove: ...


@overload
def best_move(board: Choosing[M], *, budget: Budget | float | None = None, engine: Engine | None = None) -> M: ...


def best_move(
    board: Board | Choosing[Any],
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
) -> Any:
    """Return the cell to open next and the options it was compared with.

    ``strategy`` is a strategy that can choose in a single position. With ``exact`` it is not used: the move is optimal,
    or BudgetExceeded is raised. ``playouts`` is the number of layouts that are played from each of the first few
    options whose chance to win is not known exactly; 0 turns this off. They are played when the chance to win is first
    read, within the time that the choice left of the budget. The result is the same for the same position. If the
    budget runs out, it is the best move so far, and `BestMove.complete` is false.

    With ``seconds``, a guess is considered for that time, or until the choice is clear, on ``threads`` (all processors
    by default). The seconds are added to those of the budget. Cancelling the budget ends them with the best move so
    far. ``progress`` is called after each round of games with a `Thought`, the best cell first. The result then depends
    on the speed of the machine; ``BestMove.thought`` is the final state.

    A `VariantBoard` gives a `VariantBestMove`: the safest cell, and optimal play if few layouts are left.

    Raises ValueError if the total is unknown, ContradictionError if no layout fits, BudgetExceeded if the odds of the
    position cannot be counted within the budget, and EngineMissing if a guess needs the kernel and it is missing.

    >>> move = best_move(Board.parse("#####/123##/###3#", total_mines=6))
    >>> move.cell, move.mine_probability, move.win_fraction, move.safest.cell
    ((0, 0), 0.3, Fraction(3, 5), (0, 1))
    """
    if not isinstance(board, Board) and isinstance(board, Choosing):
        refuse_options(
            strategy=strategy != "best", exact=exact, flags=flags != "trust", playouts=playouts != PLAYOUTS,
            seconds=seconds is not None, progress=progress is not None, threads=threads is not None,
        )  # fmt: skip
        return board.best_move(budget=budget, engine=engine)
    checks.instance("board", board, Board, "Board.parse reads text")
    using = chosen_engine(engine)
    chosen, playouts = require_strategy(strategy, using), checks.whole("playouts", playouts, 0)
    require_total(board)
    time_limit = _TimeLimit.of(seconds, progress, threads, strategy, exact)
    limit, seen = Budget.of(budget), board.as_seen(flags)
    deadline = Deadline(limit if time_limit is None else replace(limit, seconds=limit.seconds + time_limit.seconds))
    position = AnalyzedPosition(seen, analyze(seen, budget=limit, engine=using), using)
    if exact:
        require_few_layouts(position.analysis)
    choice = _choose(position, chosen, exact=exact, time=time_limit, budget=deadline.rest())
    thought = choice.thought
    table = partial(
        tabulate,
        position,
        choice.reason,
        choice.options,
        playouts=playouts if thought is None else 0,
        # The caller may have cancelled to get the best move so far, and the table is part of it.
        budget=deadline.rest() if thought is None else replace(limit, cancelled=None),
        complete=choice.complete,
    )
    return BestMove(choice.options[0] if choice.options else None, choice.reason, table, thought, board)


class _TimeLimit(NamedTuple):
    """How long to consider a guess, the progress callback, and the number of threads."""

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
    ) -> _TimeLimit | None:
        checks.require_callable("progress", progress)
        thread_count = processors() if threads is None else checks.whole("threads", threads, 1, ANALYSIS_MAX_THREADS)
        if seconds is None:
            if progress is not None or threads is not None:
                raise ValueError("progress and threads need seconds")
            return None
        if exact:
            raise ValueError("seconds cannot be combined with exact")
        if strategy not in TIMED_STRATEGIES:
            raise ValueError(f"seconds needs strategy {' or '.join(TIMED_STRATEGIES)}, got {strategy!r}")
        return _TimeLimit(checks.number("seconds", seconds, 0), progress, thread_count)


def weigh_cells(
    analysis: Analysis,
    cells: Sequence[Cell],
    strategy: str = PLAYOUT_STRATEGY,
    *,
    playouts: int = PLAYOUTS,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> list[Option]:
    """Return the chance to win of each given covered cell; ``analysis`` has a total and no trusted flags.

    The chance to win is exact if few layouts are left. Otherwise it is an estimate: ``strategy`` plays the same layouts
    from each cell. It is None if neither is possible.
    """
    using = chosen_engine(engine)
    require_strategy(strategy, using)
    position, deadline = AnalyzedPosition(analysis.board, analysis, using), Deadline(Budget.of(budget))
    solved = position.solve_cheaply(deadline.rest(), every=True)
    values = solved | dict.fromkeys(analysis.mines.intersection(cells), Fraction(0))
    options = [with_value(Option(cell, position.mine_probability(cell)), values) for cell in cells]
    unsolved = list(dict.fromkeys(option.cell for option in options if not option.exact))
    if not unsolved or not position.can_play_on(playouts):
        return options
    played = play_on_from(position, unsolved, playouts, deadline.rest(), strategy)
    wins = dict(zip(unsolved, played.wins, strict=True))
    return [with_rate(option, wins.get(option.cell), played.layouts) for option in options]


# choosing


@dataclass(frozen=True, slots=True)
class _Choice:
    """The options, the chosen one first, and the reason; not complete if the budget ran out meanwhile."""

    reason: MoveReason
    options: list[Option]
    complete: bool = True
    thought: Thought | None = None


def _choose(
    position: AnalyzedPosition, strategy: Strategy, *, exact: bool, time: _TimeLimit | None, budget: Budget
) -> _Choice:
    if position.analysis.safe:
        return _choose_safe(position, position.solve(budget) if exact else {})
    if not position.analysis.undecided_count:
        return _Choice("done", [])
    if exact:
        return _choose_optimal(position, position.solve(budget))
    try:
        if time is not None and _can_compare(position.analysis):
            return _choose_in_time(position, time, budget)
        return _choose_guess(position, strategy, budget)
    except BudgetExceeded as error:
        if error.limit == "cancelled":
            raise
        return replace(_choose_safest(position), complete=False)


def _choose_safe(position: AnalyzedPosition, values: Mapping[Cell, Fraction]) -> _Choice:
    """Return every safe cell: opening one costs nothing."""
    return _Choice("safe", [with_value(Option(cell, 0.0), values) for cell in sorted(position.analysis.safe)])


def _choose_optimal(position: AnalyzedPosition, values: Mapping[Cell, Fraction]) -> _Choice:
    """Return every undecided cell, sorted by the chance to win, then by safety."""
    undecided = position.analysis.undecided
    options = [with_value(Option(cell, position.mine_probability(cell)), values) for cell in undecided]
    options.sort(key=lambda option: (-values[option.cell], option.mine_probability, option.cell))
    return _Choice("optimal", options)


def _choose_guess(position: AnalyzedPosition, strategy: Strategy, budget: Budget) -> _Choice:
    if not _can_compare(position.analysis):
        return _choose_safest(position)
    if strategy.looks_ahead:
        return _choose_by_decision(position, position.engine.decide(position.question, strategy.name, budget), budget)
    if strategy.layouts and (position.few_layouts(budget) or math.inf) <= strategy.layouts:
        return _choose_optimal(position, position.solve(budget))
    return _choose_safest(position)


def _choose_in_time(position: AnalyzedPosition, time: _TimeLimit, budget: Budget) -> _Choice:
    """Return the guess after some time of playouts; ``thought`` is None if there was nothing to play out."""
    start, board = monotonic(), position.board

    def summarize(estimates: Sequence[CellEstimate], clear: bool = False) -> Thought:
        rivals = tuple(_rival(board.cell(estimate.cell), estimate) for estimate in estimates)
        return Thought(monotonic() - start, rivals, clear)

    def report(estimates: Sequence[CellEstimate]) -> None:
        assert time.progress is not None
        time.progress(summarize(estimates))

    limit = replace(budget, seconds=time.seconds)
    timed = position.engine.think(position.question, limit, time.threads, report if time.progress else None)
    choice = _choose_by_decision(position, timed.decision, budget)
    if not timed.estimates:
        return choice
    by_cell = {board.cell(estimate.cell): estimate for estimate in timed.estimates}
    options = [_with_estimate(option, by_cell.get(option.cell)) for option in choice.options]
    options[1:] = sorted(options[1:], key=lambda option: option.cell not in by_cell)
    return _Choice(choice.reason, options, True, summarize(timed.estimates, timed.clear))


def _rival(cell: Cell, estimate: CellEstimate) -> Rival:
    return Rival(
        cell=cell,
        win_probability=estimate.win_probability,
        standard_error=estimate.standard_error,
        layouts=estimate.layouts,
        played_by=estimate.played_by,
        dropped=estimate.dropped,
    )


def _with_estimate(option: Option, estimate: CellEstimate | None) -> Option:
    if estimate is None:
        return option
    return replace(option, win_probability=estimate.win_probability, standard_error=estimate.standard_error)


def _choose_by_decision(position: AnalyzedPosition, decision: Decision, budget: Budget) -> _Choice:
    board = position.board
    if decision.best is None:
        return _choose_safest(position)
    if decision.reason == "optimal":
        layouts = position.analysis.count_layouts(budget)  # few enough that rounding restores the exact number of wins
        values = {
            board.cell(candidate.cell): Fraction(round((candidate.win_probability or 0.0) * layouts), layouts)
            for candidate in decision.candidates
        }
        return _choose_optimal(position, values)
    options = []
    for candidate in decision.candidates:
        option = Option(board.cell(candidate.cell), candidate.mine_probability)
        options.append(with_look(option, candidate) if candidate.outlook or decision.complete else option)
    options += _missing_safest(position, options)
    return _Choice("fate" if decision.reason == "fate" else "ahead", options, decision.complete)


def _missing_safest(position: AnalyzedPosition, options: Sequence[Option]) -> list[Option]:
    """Return the safest cell if it is not among the candidates: a cell far from every number."""
    best = safest_cell(position.analysis, position.board).cell
    least = position.mine_probability(best)
    if any(option.mine_probability <= least * (1 + CLOSE_ODDS) for option in options):
        return []
    return [Option(best, least)]


def _can_compare(analysis: Analysis) -> bool:
    """Can the kernel compare guesses? It lists the layouts if they are few, which it cannot do for many cells."""
    return analysis.undecided_count <= OPTIMAL_PLAY_MAX_UNDECIDED or analysis.log10_layouts > COUNTED_MAX_DIGITS


def _choose_safest(position: AnalyzedPosition) -> _Choice:
    """Return the safest cell and the next few."""
    best = safest_cell(position.analysis, position.board).cell
    others = sorted((position.mine_probability(cell), cell) for cell in position.analysis.undecided if cell != best)
    cells = [best, *(cell for _, cell in others[: SAFEST_OPTIONS - 1])]
    return _Choice("safest", [Option(cell, position.mine_probability(cell)) for cell in cells])
