"""Measures of a game: clicks, effective clicks, speed, and the scores of the ranking sites.

Clicks are those of the mouse if a replay has them, else the moves: left opens, right marks, double chords. Clicks
before the first opening count only if a flag stays, and undos never count. A click is *effective* if it opened safe
cells, was a chord that opened cells, or was the first to flag a mine; an undone click was not. docs/numbers.md has
every definition with its source.

Cost    The game is replayed once; ZiNi is computed on first use.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple, cast

from mineproof.base import checks
from mineproof.base.cached import cached_property
from mineproof.board.cells import FLAGGED, Cell
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.measures import Measures, measure, solved_bbbv
from mineproof.game.record import Clicks, Move, Record, moves_in_effect
from mineproof.game.rules import GameStatus

if TYPE_CHECKING:
    from mineproof.game.wire import GameMeasuresJson

# In the order of reports: counts, then scores computed from them.
COUNTS = ("solved_bbbv", "seconds", "flags", "clicks", "effective_clicks", "clicks_by_button", "effective_by_button")
SCORES = (
    "bbbv_per_second", "estimated_seconds", "clicks_per_second", "effective_clicks_per_second", "efficiency",
    "correctness", "throughput", "zini_efficiency", "rqp", "qg", "stnb",
)  # fmt: skip
NUMBERS = (*(field.name for field in fields(Measures)), *COUNTS, *SCORES)

# The levels that have an STNB: rows, columns, mines.
_STNB = {(8, 8, 10): 36, (16, 16, 40): 162, (16, 30, 99): 435}


@dataclass(frozen=True)
class GameMeasures:
    """The measures of a finished game. A ratio whose divisor is 0 is None.

    ``clicks`` and ``effective`` are by button; ``flags`` are those on the board at the end.
    """

    layout: Layout
    status: GameStatus
    seconds: float
    solved_bbbv: int
    clicks: Clicks
    effective: Clicks
    flags: int

    @cached_property
    def measures(self) -> Measures:
        """The measures of the layout at the end."""
        return measure(self.layout)

    @property
    def bbbv_per_second(self) -> float | None:
        """Solved 3BV per second, or None without time."""
        return _ratio(self.solved_bbbv, self.seconds)

    @property
    def estimated_seconds(self) -> float | None:
        """Time for the whole board at this speed; for a won game the time itself."""
        return None if not self.solved_bbbv else self.seconds / self.solved_bbbv * self.measures.bbbv

    @property
    def clicks_per_second(self) -> float | None:
        """Clicks per second, or None without time."""
        return _ratio(self.clicks.total, self.seconds)

    @property
    def effective_clicks_per_second(self) -> float | None:
        """Effective clicks per second, or None without time."""
        return _ratio(self.effective.total, self.seconds)

    @property
    def efficiency(self) -> float | None:
        """IOE, the index of efficiency: solved 3BV per click. It is correctness times throughput."""
        return _ratio(self.solved_bbbv, self.clicks.total)

    @property
    def correctness(self) -> float | None:
        """Effective clicks per click."""
        return _ratio(self.effective.total, self.clicks.total)

    @property
    def throughput(self) -> float | None:
        """Solved 3BV per effective click."""
        return _ratio(self.solved_bbbv, self.effective.total)

    @property
    def zini_efficiency(self) -> float | None:
        """ZNE: ZiNi per click; None unless the game is won."""
        return _ratio(self.measures.zini or 0, self.clicks.total) if self.status == "won" else None

    @property
    def rqp(self) -> float | None:
        """Rapport qualité prix: seconds divided by 3BV per second; lower is better."""
        return _ratio(self.seconds**2, self.solved_bbbv)

    @property
    def qg(self) -> float | None:
        """Quality grade: seconds to the power of 1.7, divided by solved 3BV; lower is better."""
        return _ratio(self.seconds**1.7, self.solved_bbbv)

    @property
    def stnb(self) -> float | None:
        """A score for comparing levels; None unless the board is one of three standard levels."""
        level = _STNB.get((self.layout.rows, self.layout.columns, self.layout.total_mines))
        if level is None or self.layout.topology != "grid" or self.layout.absent or not self.measures.bbbv:
            return None
        done = self.solved_bbbv / self.measures.bbbv
        return _ratio(level * self.solved_bbbv * done**0.5, self.seconds**1.7)

    def as_json(self) -> GameMeasuresJson:
        """Return every measure by name, as in ``mineproof/review/1``."""
        counts = (
            self.solved_bbbv, self.seconds, self.flags, self.clicks.total, self.effective.total,
            list(self.clicks), list(self.effective),
        )  # fmt: skip
        scores = {name: getattr(self, name) for name in SCORES}
        return cast("GameMeasuresJson", {**self.measures.as_json(), **dict(zip(COUNTS, counts, strict=True)), **scores})


def measure_game(played: Game | Record) -> GameMeasures:
    """Return the measures of a finished game or record. Raises IllegalMoveError if it is not over.

    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])))
    >>> outcomes = [game.open(0, 3), game.flag(1, 0), game.chord(0, 1)]
    >>> result = measure_game(game)
    >>> result.measures.bbbv, result.clicks, result.efficiency == 2 / 3
    (2, Clicks(left=1, right=1, double=1), True)
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    game = Game.replay(record)
    if not game.is_over:
        raise IllegalMoveError("The game is still running. Its measures would reveal mines.")
    return measure_finished(record, game)


def measure_finished(record: Record, game: Game) -> GameMeasures:
    """Return the measures of a record that was replayed to a finished game."""
    counter = _ClickCounter(game.layout.mines)
    in_effect = frozenset(moves_in_effect(record.moves))
    for index, (_, move, outcome) in enumerate(Game.steps(record)):
        counter.add(move, counts=index in in_effect, exploded=bool(outcome.exploded))
    given = 0 if record.given is None else solved_bbbv(game.layout, record.given)
    return GameMeasures(
        layout=game.layout,
        status=game.status,
        seconds=record.ms / 1000,
        solved_bbbv=solved_bbbv(game.layout, game.board) - given,
        clicks=record.clicks or counter.clicks(),
        effective=counter.effective(),
        flags=game.board.count(FLAGGED),
    )


def move_clicks(record: Record) -> Clicks:
    """Return the clicks of the moves of a record, finished or not."""
    counter = _ClickCounter(frozenset())
    in_effect = frozenset(moves_in_effect(record.moves))
    for index, move in enumerate(record.moves):
        counter.add(move, counts=index in in_effect, exploded=False)
    return counter.clicks()


class _Button(NamedTuple):
    """Clicks and effective clicks of one button."""

    clicks: int = 0
    effective: int = 0


class _ClickCounter:
    """Clicks by button, move by move."""

    def __init__(self, mines: frozenset[Cell]) -> None:
        self._mines = mines
        self._left = self._right = self._double = _Button()
        self._begun = False
        self._marks: dict[Cell, str | None] = {}  # before the first opening
        self._flagged: set[Cell] = set()  # mines that have had a flag

    def add(self, move: Move, *, counts: bool, exploded: bool) -> None:
        """Add a move; ``counts`` is False for an undone move."""
        kind, cell = move.kind, move.cell
        if cell is None:
            return
        if kind == "open":
            self._begun = True
            self._left = _more(self._left, counts and not exploded)
        elif kind == "chord":
            self._double = _more(self._double, counts)
        else:
            self._right = _more(self._right, counts and self._is_new_flag(kind, cell))
            if not self._begun and counts:
                self._marks[cell] = None if self._marks.get(cell) == kind else kind
                if "flag" not in self._marks.values():
                    self._right = _Button()
                    self._flagged.clear()

    def _is_new_flag(self, kind: str, cell: Cell) -> bool:
        new = kind == "flag" and cell in self._mines and cell not in self._flagged
        self._flagged.update([cell] if new else [])
        return new

    def clicks(self) -> Clicks:
        return Clicks(self._left.clicks, self._right.clicks, self._double.clicks)

    def effective(self) -> Clicks:
        return Clicks(self._left.effective, self._right.effective, self._double.effective)


def _more(button: _Button, effective: bool) -> _Button:
    return _Button(button.clicks + 1, button.effective + effective)


def _ratio(value: float, by: float) -> float | None:
    return value / by if by else None
