"""A chosen move with everything it was compared with, as data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from mineproof.base.cached import cached_property
from mineproof.base.notebook import Shown
from mineproof.base.words import at, percent, plural
from mineproof.board.board import Board
from mineproof.board.cells import Cell, pairs
from mineproof.decision.rivals import Thought
from mineproof.decision.symmetry import alike_cells
from mineproof.engine.answers import Outlook
from mineproof.errors import IllegalMoveError
from mineproof.wording.best_moves import Drawback, describe_move, describe_wins
from mineproof.wording.catalogue import DEFAULT_LANGUAGE, use_language

if TYPE_CHECKING:
    from mineproof.decision.wire import BestMoveJson, OptionJson, RankedOptionJson

SCHEMA: Final = "mineproof/best/1"
PROGRESS_GAP = 0.01  # least difference in the chance of progress that is mentioned
NEXT_SAFETY_GAP = 0.005  # least difference in the risk of the next move that is mentioned

# Why a cell was chosen: it is certainly safe; optimal play; a mine there would be part of a 50/50 anyway; it is best by
# looking one reveal ahead and by playouts; it is the safest; or no cell is left to open.
MoveReason = Literal["safe", "optimal", "fate", "ahead", "safest", "done"]


@dataclass(frozen=True, slots=True)
class Option:
    """One cell that may be opened.

    ``win_probability`` is exact, with its fraction, or an estimate with its standard error. It is None if neither was
    computed. ``score`` is the number that strategies that look ahead compare; it is not a probability. ``progress`` is
    the chance that the cell is safe and another cell is certainly safe afterwards. ``fate`` is the chance of 50/50s
    that a mine here would be part of, or block. It is the sum over all of them, so it can exceed the chance of the
    mine. All three are None, and ``outlook`` is empty, if the strategy did not look ahead from this cell.
    """

    cell: Cell
    mine_probability: float
    win_probability: float | None = None
    exact: bool = False
    win_fraction: Fraction | None = None
    standard_error: float | None = None
    score: float | None = None
    progress: float | None = None
    fate: float | None = None
    outlook: tuple[Outlook, ...] = ()

    @property
    def next_safety(self) -> float:
        """How safe the next cell is on average, if this one is safe."""
        total = sum(number.chance for number in self.outlook)
        return sum(number.chance * number.safety for number in self.outlook) / total if total else 0.0

    @property
    def wins(self) -> str:
        """The chance to win as a table shows it, in the current language."""
        return describe_wins(self)

    def __repr__(self) -> str:
        return f"<Option {at(self.cell)}: {self._odds}>"

    @property
    def _odds(self) -> str:
        """Risk and chance to win, for the repr."""
        mine = {0.0: "safe", 1.0: "a mine"}.get(self.mine_probability, f"mine {percent(self.mine_probability)}")
        with use_language(DEFAULT_LANGUAGE):
            return mine if self.win_probability is None else f"{mine}, wins {self.wins}"

    def as_json(self) -> OptionJson:
        """Return this move as a JSON object."""
        return {
            "cell": list(self.cell),
            "mine_probability": self.mine_probability,
            "win_probability": self.win_probability,
            "exact": self.exact,
            "win_fraction": None if self.win_fraction is None else str(self.win_fraction),
            "standard_error": self.standard_error,
            "score": self.score,
            "progress": self.progress,
            "fate": self.fate,
            "outlook": [
                {"number": seen.number, "chance": seen.chance, "safe": seen.safe, "safety": seen.safety}
                for seen in self.outlook
            ],
        }


class MoveTable(NamedTuple):
    """The options that a choice was made from.

    ``moves`` has the options, the chosen one first. ``layouts`` is the number of layouts that fit, or None if there are
    too many to count quickly. ``playouts`` games were played from each option whose chance to win is an estimate.
    ``complete`` is false if the budget ran out before everything was computed.
    """

    moves: tuple[Option, ...]
    layouts: int | None
    playouts: int
    complete: bool


class BestMove(Shown):
    """The cell to open, why, and the other cells it was compared with, best first; see `mineproof.best_move`.

    ``cell``, ``reason``, ``mine_probability`` and ``thought`` are known at once. Everything else is computed when it is
    first read, within the time that `best_move` left of its budget: ``moves`` (the options, best first), ``safest``
    (the option with the lowest mine probability, the chosen one if none is lower), chances to win and ``text``. Reading
    raises BudgetExceeded only if the budget was cancelled. ``complete`` is false if the budget ran out before
    everything was computed. The chance to win may then be None, or an estimate with a larger standard error.

    ``cell`` is None if no cell is left to open. ``exact`` is true if ``win_probability`` is that of optimal play.
    ``thought`` describes how the guess was considered, if it was given ``seconds``. ``board`` is the position.
    """

    def __init__(
        self,
        chosen: Option | None,
        reason: MoveReason,
        table: MoveTable | Callable[[], MoveTable],
        thought: Thought | None = None,
        board: Board | None = None,
    ) -> None:
        self._chosen, self._source = chosen, table
        self._reason: MoveReason = reason
        self._thought, self._board = thought, board

    @cached_property
    def _move_table(self) -> MoveTable:
        return self._source if isinstance(self._source, MoveTable) else self._source()

    def __reduce__(self) -> tuple[object, ...]:
        return BestMove, (self._chosen, self._reason, self._move_table, self._thought, self._board)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BestMove):
            return NotImplemented
        same = (self.cell, self.reason, self.thought) == (other.cell, other.reason, other.thought)
        return same and (self is other or self._move_table == other._move_table)

    def __hash__(self) -> int:
        return hash((self.cell, self.reason))

    @property
    def cell(self) -> Cell | None:
        """The cell to open, or None if nothing is left to open."""
        return None if self._chosen is None else self._chosen.cell

    @property
    def reason(self) -> MoveReason:
        """Why the cell was chosen."""
        return self._reason

    @property
    def thought(self) -> Thought | None:
        """How the guess was considered, or None if it was given no time."""
        return self._thought

    @property
    def board(self) -> Board | None:
        """The position that the move belongs to."""
        return self._board

    @property
    def mine_probability(self) -> float:
        """Chance of a mine in the best cell; NaN if no cell is left to open, null in JSON."""
        return math.nan if self._chosen is None else self._chosen.mine_probability

    @property
    def moves(self) -> tuple[Option, ...]:
        """Every option that was compared, the chosen one first."""
        return self._move_table.moves

    def weighed(self) -> BestMove:
        """Compute everything now and return this move, so that reading it later takes no time."""
        _ = self._move_table
        return self

    @property
    def safest(self) -> Option:
        """The option with the lowest mine probability, the chosen one if none is lower.

        Raises IllegalMoveError if no cell is left to open, which is when ``cell`` is None.
        """
        option = safest_option(self.moves)
        if option is None:
            raise IllegalMoveError("No cell is left to open: the game is won.")
        return option

    @property
    def layouts(self) -> int | None:
        """Number of layouts that fit, or None if there are too many to count quickly."""
        return self._move_table.layouts

    @property
    def playouts(self) -> int:
        """Games played from each option whose chance to win is an estimate; 0 if none was."""
        return self._move_table.playouts

    @property
    def complete(self) -> bool:
        """Was everything computed before the budget ran out?"""
        return self._move_table.complete

    @property
    def win_probability(self) -> float | None:
        """Chance to win, or None if it is unknown."""
        best = self._valued
        return 1.0 if best is None else best.win_probability

    @property
    def win_fraction(self) -> Fraction | None:
        """Chance to win as an exact fraction, or None if it is not exact."""
        best = self._valued
        return Fraction(1) if best is None else best.win_fraction

    @property
    def exact(self) -> bool:
        """Is the chance to win that of optimal play, computed exactly?"""
        best = self._valued
        return True if best is None else best.exact

    @property
    def _valued(self) -> Option | None:
        """The chosen option with its chance to win; the table is needed only if the choice did not solve it."""
        return self._chosen if self._chosen is None or self._chosen.exact else self.moves[0]

    @property
    def drawback(self) -> Drawback | None:
        """Why the safest cell is the worse guess; None if the best cell is the safest, or no guess is needed."""
        if not self.moves or self.cell == self.safest.cell:
            return None
        return find_drawback(self.moves[0], self.safest)

    @property
    def is_fifty_fifty(self) -> bool:
        """Is every option a mine with a chance of 1/2, and all of them equally good?"""
        return bool(self.moves) and all(
            option.mine_probability == 0.5 and option.win_fraction == self.moves[0].win_fraction
            for option in self.moves
        )

    @property
    def is_last_guess(self) -> bool:
        """Is the game won if the chosen cell is safe? False where that is not known exactly."""
        if not self.moves or self.moves[0].win_fraction is None:
            return False
        layouts = self.layouts or 1
        mined = Fraction(round(self.moves[0].mine_probability * layouts), layouts)
        return self.moves[0].win_fraction == 1 - mined

    @property
    def text(self) -> str:
        """Why this cell, although another may be safer; in the current language."""
        return describe_move(self)

    def text_in(self, language: str) -> str:
        """The text in another language."""
        with use_language(language):
            return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        if self.cell is None or not self.moves:
            return "<BestMove: no cell is left to open>"
        return f"<BestMove: open {at(self.cell)}, {self.moves[0]._odds}; {plural(len(self.moves), 'cell')} compared>"

    def as_json(self) -> BestMoveJson:
        """Return the ``mineproof/best/1`` document."""
        return {
            "schema": SCHEMA,
            "best": None if self.cell is None else list(self.cell),
            "mine_probability": None if self.cell is None else self.mine_probability,
            "win_probability": self.win_probability,
            "exact": self.exact,
            "win_fraction": None if self.win_fraction is None else str(self.win_fraction),
            "reason": self.reason,
            "text": self.text,
            "safest": list(self.safest.cell) if self.moves else None,
            "layouts": None if self.layouts is None else str(self.layouts),
            "complete": self.complete,
            "playouts": self.playouts,
            "thought": None if self.thought is None else self.thought.as_json(),
            "moves": self._moves_json(),
        }

    def _moves_json(self) -> list[RankedOptionJson]:
        """Return the options, each with the other cells that are like it because the position is symmetric."""
        cells = frozenset(option.cell for option in self.moves)
        alike = {} if self._board is None else alike_cells(self._board, cells)
        return [
            {**option.as_json(), "alike": pairs(alike.get(option.cell, frozenset()) - {option.cell})}
            for option in self.moves
        ]


# comparing options


def find_drawback(best: Option, safer: Option) -> Drawback:
    """Return why a safer cell is the worse guess, by the first reason that holds."""
    cells = best.cell, safer.cell
    if len(safer.outlook) == 1:
        return Drawback("no-news", *cells, safer.outlook[0].number)
    if _two_step_survival(best) < _two_step_survival(safer) and (best.fate or 0.0) > (safer.fate or 0.0):
        return Drawback("fifty-fifty", *cells)
    if (best.progress or 0.0) - (safer.progress or 0.0) > PROGRESS_GAP:
        return Drawback("less-progress", *cells, safer.progress or 0.0, best.progress or 0.0)
    if best.next_safety - safer.next_safety > NEXT_SAFETY_GAP:
        return Drawback("riskier-next", *cells, 1 - safer.next_safety, 1 - best.next_safety)
    if 0 < len(safer.outlook) < len(best.outlook):
        return Drawback("fewer-numbers", *cells, len(safer.outlook), len(best.outlook))
    return Drawback("worse-guesses", *cells)


def _two_step_survival(option: Option) -> float:
    """The chance to survive this move and the next."""
    return (1 - option.mine_probability) * option.next_safety


def safest_option(options: Sequence[Option]) -> Option | None:
    """Return the first option with the lowest mine probability, so the chosen one where no other is lower."""
    if not options:
        return None
    least = min(option.mine_probability for option in options)
    return next(option for option in options if option.mine_probability <= least * (1 + 1e-9))
