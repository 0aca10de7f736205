"""What players count on a game: clicks, how many of them had an effect, speed, and the scores of the ranking sites.

Clicks are those of the mouse where a replay tells them, and else the moves: left opens, right marks, double chords.
What came before the first opening counts only if a flag stays, and an undo never does. A click is *effective* if it
opened safe cells, was a chord that opened something, or was the first to flag a cell that is a mine; one that was
taken back was not. docs/numbers.md has every definition with its source.

Cost    The game is replayed once; ZiNi is worked out when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

from mineproof.base import checks
from mineproof.board.cells import FLAGGED, Cell
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.measures import Measures, measure, solved_bbbv
from mineproof.game.record import Clicks, Move, Record, standing
from mineproof.game.rules import GameStatus

# In the order in which they are told: counts, and what is worked out from them.
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
    """The numbers of a finished game. What would divide by nothing is None.

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
        """The numbers of the layout at the end."""
        return measure(self.layout)

    @property
    def bbbv_per_second(self) -> float | None:
        return _ratio(self.solved_bbbv, self.seconds)

    @property
    def estimated_seconds(self) -> float | None:
        """What the whole board would take at this speed: the time itself, of a game that is won."""
        return None if not self.solved_bbbv else self.seconds / self.solved_bbbv * self.measures.bbbv

    @property
    def clicks_per_second(self) -> float | None:
        return _ratio(self.clicks.total, self.seconds)

    @property
    def effective_clicks_per_second(self) -> float | None:
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
        """ZNE: ZiNi per click, of a game that is won."""
        return _ratio(self.measures.zini or 0, self.clicks.total) if self.status == "won" else None

    @property
    def rqp(self) -> float | None:
        """Rapport qualité prix: seconds by 3BV per second; the lower the better."""
        return _ratio(self.seconds**2, self.solved_bbbv)

    @property
    def qg(self) -> float | None:
        """Quality grade: seconds to the power of 1.7 by solved 3BV; the lower the better."""
        return _ratio(self.seconds**1.7, self.solved_bbbv)

    @property
    def stnb(self) -> float | None:
        """The score that levels can be compared by; of the three levels that have one."""
        level = _STNB.get((self.layout.rows, self.layout.columns, self.layout.total_mines))
        if level is None or self.layout.topology != "grid" or self.layout.absent or not self.measures.bbbv:
            return None
        done = self.solved_bbbv / self.measures.bbbv
        return _ratio(level * self.solved_bbbv * done**0.5, self.seconds**1.7)

    def as_json(self) -> dict[str, object]:
        """Every number by its name, as in ``mineproof/review/1``."""
        counts = (
            self.solved_bbbv, self.seconds, self.flags, self.clicks.total, self.effective.total,
            list(self.clicks), list(self.effective),
        )  # fmt: skip
        scores = {name: getattr(self, name) for name in SCORES}
        return {**self.measures.as_json(), **dict(zip(COUNTS, counts, strict=True)), **scores}


def measure_game(played: Game | Record) -> GameMeasures:
    """The numbers of a finished game; IllegalMoveError while it is on, for they would tell of its mines.

    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])))
    >>> outcomes = [game.open(0, 3), game.flag(1, 0), game.chord(0, 1)]
    >>> found = measure_game(game)
    >>> found.measures.bbbv, found.clicks, found.efficiency == 2 / 3
    (2, Clicks(left=1, right=1, double=1), True)
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    game = Game.replay(record)
    if not game.is_over:
        raise IllegalMoveError("the game is still on: its numbers would tell of the mines")
    return measure_finished(record, game)


def measure_finished(record: Record, game: Game) -> GameMeasures:
    """The same of a record and the game it was replayed to."""
    counted = _Counting(game.layout.mines)
    stands = frozenset(standing(record.moves))
    for index, (_, move, outcome) in enumerate(Game.steps(record)):
        counted.take(move, counts=index in stands, exploded=bool(outcome.exploded))
    given = 0 if record.given is None else solved_bbbv(game.layout, record.given)
    return GameMeasures(
        layout=game.layout,
        status=game.status,
        seconds=record.ms / 1000,
        solved_bbbv=solved_bbbv(game.layout, game.board) - given,
        clicks=record.clicks or counted.clicks(),
        effective=counted.effective(),
        flags=game.board.count(FLAGGED),
    )


def move_clicks(record: Record) -> Clicks:
    """The clicks that the moves of a record took, of a game that may still be on."""
    counted = _Counting(frozenset())
    stands = frozenset(standing(record.moves))
    for index, move in enumerate(record.moves):
        counted.take(move, counts=index in stands, exploded=False)
    return counted.clicks()


class _Button(NamedTuple):
    """What one kind of click came to."""

    clicks: int = 0
    effective: int = 0


class _Counting:
    """Clicks by button, move by move."""

    def __init__(self, mines: frozenset[Cell]) -> None:
        self._mines = mines
        self._left = self._right = self._double = _Button()
        self._begun = False
        self._marks: dict[Cell, str | None] = {}  # before the first opening
        self._flagged: set[Cell] = set()  # mines that have had a flag

    def take(self, move: Move, *, counts: bool, exploded: bool) -> None:
        """A move; does it stand, and did a mine go off?"""
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
