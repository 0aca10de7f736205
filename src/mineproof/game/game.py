"""A game of Minesweeper: mines, rules and a clock; every move is data, so it can be saved, loaded, replayed, undone.

Opening a cell whose number is 0 opens its neighbours too, and so on; flagged cells are never opened. A chord opens the
cells around a number once its flags are set. The game is won when every safe cell is open.

The first click, that is the first opening, may move mines out of the way (``first_click``). Afterwards mines move only
by ``fairness``, before a reveal takes effect and only to a layout that fits all that is seen:

* ``none``    never;
* ``forced``  when a mine would go off though no cell is certainly safe and the cells opened may all be free, they are:
              a guess that nobody could have avoided never loses, a needless one loses as usual;
* ``kind``    whenever a mine would go off and the cells opened may all be free;
* ``strict``  as ``forced``; and a needless guess always loses: opening what may be a mine while some cell is safe.

A game may begin from a position that is ``given``: what is open there is open from the start and no move, its flags are
the player's, and no first click moves a mine.

The exact engine decides (`mineproof.analysis.judgement`), from what is seen alone, and is asked at every reveal,
whether or not there is a mine: a board that is too hard to judge does not give one away.

A running game keeps its mines to itself: no text, JSON or repr shows them.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mineproof.analysis.judgement import judge, redraw_free, redraw_mined
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.rng import FIRST_CLICK, REDRAWS, Random, derive
from mineproof.base.showing import Shown
from mineproof.base.words import at, size
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell, pairs
from mineproof.board.start import FirstClick
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.game import record
from mineproof.game.field import NONE, Field, Indices
from mineproof.game.layout import Layout
from mineproof.game.record import LONGEST, Move, Record
from mineproof.game.rules import MOVE_KINDS, REVEALS, ChordRule, Fairness, GameStatus, MoveKind, Rules

SCHEMA = "mineproof/view/1"
Clock = Callable[[], float]


@dataclass(frozen=True)
class Outcome:
    """What a move did: cells opened with their numbers, mines that went off, and whether fairness moved the mines."""

    opened: Mapping[Cell, int]
    exploded: frozenset[Cell]
    redrawn: bool
    status: GameStatus


class Game(Shown):
    """One game on one layout.

    >>> game = Game(Layout(2, 3, frozenset([(0, 2)])), first_click="any")
    >>> game.open(0, 0).opened
    {(0, 0): 0, (0, 1): 1, (1, 0): 0, (1, 1): 1}
    >>> game.flag(0, 2)
    Outcome(opened={}, exploded=frozenset(), redrawn=False, status='running')
    >>> print(game)
    01F
    01#
    >>> game.chord(1, 1).opened, game.status
    ({(1, 2): 1}, 'won')
    >>> Game.load(game.save()).board == game.board
    True
    """

    def __init__(
        self,
        layout: Layout,
        *,
        first_click: FirstClick = "safe",
        fairness: Fairness = "none",
        chord_rule: ChordRule = "equal",
        seed: int = 0,
        given: Board | None = None,
        clock: Clock = time.monotonic,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> None:
        checks.instance("layout", layout, Layout, "generate makes one")
        self._engine = None if engine is None else chosen_engine(engine)
        checks.called("clock", clock)
        self.rules = Rules(first_click, fairness, chord_rule)
        self.seed = checks.seed("seed", seed)
        self._click_seed, self._redraw_seed = derive(seed, FIRST_CLICK), derive(seed, REDRAWS)
        self._budget = Budget.of(budget)
        self._dealt = layout
        self._given = given
        self._field = Field(layout) if given is None else self._uncovered(given)
        self._now = _Standing()
        self._questions: set[Cell] = set()
        self._moves: list[Move] = []
        self._line: list[_Undo] = []
        self._drawn: dict[int, frozenset[Cell]] = {}
        self._script: Mapping[int, frozenset[Cell]] | None = None  # the redraws to follow while replaying
        self._watch = _Stopwatch(clock)

    def _uncovered(self, given: Board) -> Field:
        """The field of a game that begins from a position, once the two are known to fit."""
        layout, first = self._dealt, self.rules.first_click
        if first != "any":
            raise ValueError(f"found first_click={first!r} with a given position, expected 'any': no mine moves there")
        if given.geometry != layout.geometry or frozenset(given.cells(ABSENT)) != layout.absent:
            found, expected = size(given.rows, given.columns), size(layout.rows, layout.columns)
            raise BoardSyntaxError(f"found a given position of {found}, expected the cells of the layout, {expected}")
        field = Field(layout, given)
        if not field.fits(layout) or given.total_mines not in (None, layout.total_mines):
            raise BoardSyntaxError("found a given position that the layout does not fit")
        return field

    # looking

    @property
    def rows(self) -> int:
        return self._dealt.rows

    @property
    def columns(self) -> int:
        return self._dealt.columns

    @property
    def total_mines(self) -> int:
        return self._dealt.total_mines

    @property
    def mines_left(self) -> int:
        """The total less the flags; negative where there are too many."""
        return self.total_mines - self._field.flags

    @property
    def board(self) -> Board:
        """What is seen; question marks are covered cells, and so are mines that went off."""
        return self._field.board

    @property
    def questions(self) -> frozenset[Cell]:
        return frozenset(self._questions)

    @property
    def exploded(self) -> frozenset[Cell]:
        """Mines that went off."""
        return self._now.exploded

    @property
    def status(self) -> GameStatus:
        """``new`` until the first cell is opened, then ``running``, ``won`` or ``lost``."""
        return self._now.status

    @property
    def is_over(self) -> bool:
        return self.status in ("won", "lost")

    @property
    def is_paused(self) -> bool:
        """Does the clock stand though the game runs? See `pause`."""
        return self.status == "running" and not self._watch.is_running

    @property
    def ms(self) -> int:
        """The clock in milliseconds.

        It runs while the game does: from the first opening on, not after the end, and not while the first opening is
        taken back or the game is paused. It is never set back.
        """
        return self._watch.ms

    @property
    def seconds(self) -> float:
        return self.ms / 1000

    @property
    def moves(self) -> tuple[Move, ...]:
        """Everything done, in order: undone moves and undos included."""
        return tuple(self._moves)

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves that count now: undone moves and undos left out."""
        return tuple(self._moves[step.number] for step in self._line)

    @property
    def redraws(self) -> int:
        """How often fairness has moved the mines, undone moves left out; the first click's own rule does not count."""
        return self._now.redraws

    @property
    def open_cells(self) -> int:
        return self._field.opened

    @property
    def layout(self) -> Layout:
        """Where the mines are, once the game is over; IllegalMoveError before."""
        if not self.is_over:
            raise IllegalMoveError("the game is still on: its layout is shown when it is over")
        return self._field.layout

    # moving

    def open(self, row: int, column: int) -> Outcome:
        return self.play("open", (row, column))

    def flag(self, row: int, column: int) -> Outcome:
        """Set a flag, also in place of a question mark, or take it off."""
        return self.play("flag", (row, column))

    def question(self, row: int, column: int) -> Outcome:
        """Set a question mark, also in place of a flag, or take it off."""
        return self.play("question", (row, column))

    def chord(self, row: int, column: int) -> Outcome:
        """Open what is neither open nor flagged around a number that has its flags."""
        return self.play("chord", (row, column))

    def undo(self) -> Outcome:
        """Take back the last move that counts, with the layout it drew; the clock is not set back."""
        return self.play("undo")

    def play(self, kind: MoveKind, cell: Cell | None = None, *, ms: int | None = None) -> Outcome:
        """Make a move; IllegalMoveError, and nothing changed, where the rules forbid it.

        ``ms`` is the time it was made at, where that is known from elsewhere; otherwise it is now.
        Under a fairness rule a reveal raises BudgetExceeded, and changes nothing, where the engine cannot judge it.
        """
        if ms is None:
            return self._play(kind, cell, self.ms)
        checks.whole("ms", ms, 0, LONGEST)
        outcome = self._play(kind, cell, ms)
        self._watch.set(ms)
        return outcome

    def _play(self, kind: MoveKind, cell: Cell | None, ms: int) -> Outcome:
        if kind not in MOVE_KINDS:
            raise IllegalMoveError(f"found the move {kind!r}, expected one of {', '.join(MOVE_KINDS)}")
        place = self._place(kind, cell)
        outcome = self._undo() if place is None else self._advance(kind, place)
        self._moves.append(Move(kind, place, ms))
        if self.status == "running":
            self._watch.run()
        else:
            self._watch.stop(ms)
        return outcome

    def pause(self) -> None:
        """Stop the clock, until `resume` or the next move."""
        self._watch.stop(self.ms)

    def resume(self) -> None:
        """Let the clock go on after a `pause`; it stands where the game does not run."""
        if self.status == "running":
            self._watch.run()

    def again(self) -> Game:
        """The same game from its beginning: the mines as the first click left them, and that click as the start.

        So two times can be compared. Where a fairness rule has moved mines later, they are back where they were.
        """
        first = next((step.number for step in self._line if self._moves[step.number].kind in REVEALS), None)
        layout = self._dealt
        if first is not None and self._given is None:
            if first in self._drawn:
                layout = layout.with_mines(self._drawn[first])
            layout = replace(layout, start=self._moves[first].cell)
        rules = self.rules
        return type(self)(
            layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule,
            seed=self.seed, given=self._given, clock=self._watch.clock, budget=self._budget, engine=self._engine,
        )  # fmt: skip

    def _place(self, kind: MoveKind, cell: Cell | None) -> Cell | None:
        """The cell of a move, once it is known to be one of the board; None for an undo."""
        if (cell is None) != (kind == "undo"):
            raise IllegalMoveError("an undo has no cell" if cell else f"the move {kind!r} needs a cell")
        if cell is None:
            return None
        place = checks.cell("cell", cell)
        self._dealt.geometry.index(place)
        if self._field[place] == ABSENT:
            raise IllegalMoveError(f"{at(place)} is not part of the board")
        return place

    def _advance(self, kind: MoveKind, cell: Cell) -> Outcome:
        if self.is_over:
            raise IllegalMoveError(f"the game is {self.status}: it can only be undone")
        if kind == "open":
            return self._reveal(self._opening(cell))
        return self._reveal(self._chording(cell)) if kind == "chord" else self._mark(kind, cell)

    def _mark(self, kind: MoveKind, cell: Cell) -> Outcome:
        """Set a flag or a question mark, or take it off where it is set already."""
        shown = self._field[cell]
        if shown >= 0:
            raise IllegalMoveError(f"{at(cell)} is open: there is nothing to mark")
        marked = "flag" if shown == FLAGGED else "question" if cell in self._questions else None
        mark = None if marked == kind else kind
        asked = frozenset([cell] if "question" in (marked, mark) else [])
        self._line.append(_Undo(len(self._moves), self._now, self._field.layout, marked=(cell, shown), asked=asked))
        self._field.mark(cell, FLAGGED if mark == "flag" else COVERED)
        self._questions ^= asked
        return Outcome({}, frozenset(), False, self.status)

    def _undo(self) -> Outcome:
        if not self._line:
            raise IllegalMoveError("there is no move to take back")
        step = self._line.pop()
        self._field.cover(step.opened)
        if step.marked is not None:
            self._field.mark(*step.marked)
        if step.layout is not self._field.layout:
            self._field.lay(step.layout)
        self._now = step.before
        self._questions ^= step.asked
        return Outcome({}, frozenset(), False, self.status)

    # revealing

    def _opening(self, cell: Cell) -> frozenset[Cell]:
        shown = self._field[cell]
        if shown == FLAGGED:
            raise IllegalMoveError(f"{at(cell)} is flagged: take the flag off to open it")
        if shown != COVERED:
            raise IllegalMoveError(f"{at(cell)} is open already")
        return frozenset([cell])

    def _chording(self, cell: Cell) -> frozenset[Cell]:
        """The cells that a chord opens."""
        number = self._field[cell]
        if number < 0:
            raise IllegalMoveError(f"{at(cell)} is not open: there is no number to chord")
        shown = {other: self._field[other] for other in self._dealt.neighbours(cell)}
        flags = sum(code == FLAGGED for code in shown.values())
        least = self.rules.chord_rule == "at-least"
        if flags < number or (flags > number and not least):
            expected = f"{'at least ' if least else ''}{number}"
            raise IllegalMoveError(f"the {number} at {at(cell)} has {flags} flags around it, expected {expected}")
        covered = frozenset(other for other, code in shown.items() if code == COVERED)
        if not covered:
            raise IllegalMoveError(f"there is nothing left to open around {at(cell)}")
        return covered

    def _reveal(self, cells: frozenset[Cell]) -> Outcome:
        field, before, number = self._field, self._now, len(self._moves)
        old, new = field.layout, self._settled(cells, number)
        if redrawn := new is not old:
            field.lay(new)
            self._drawn[number] = new.mines
        fair = redrawn and not self._moves_mines
        exploded = cells & new.mines
        opened = field.open(cells - exploded)
        shown = field.shown(opened)
        asked = frozenset(self._questions.intersection(shown))
        self._questions -= asked
        self._line.append(_Undo(number, before, old, opened, asked=asked))
        self._now = _Standing(
            status="lost" if exploded else "won" if field.is_cleared else "running",
            exploded=exploded,
            redraws=before.redraws + fair,
        )
        return Outcome(shown, exploded, fair, self.status)

    @property
    def _moves_mines(self) -> bool:
        """Is this the first click, and does a rule move mines out of its way?"""
        return self.status == "new" and self.rules.first_click != "any"

    def _settled(self, cells: frozenset[Cell], number: int) -> Layout:
        """The layout that move ``number`` meets: the one there is, or one drawn by the rules or found in the record."""
        layout = self._field.layout
        if self._script is not None:
            return self._recorded(layout, number, self._script)
        if self._moves_mines:
            (cell,) = cells
            around = self.rules.first_click == "open"
            layout = layout.cleared(cell, Random(self._click_seed, number), neighbours=around)
        return layout if self.rules.fairness == "none" else self._fair(layout, cells, number)

    def _fair(self, layout: Layout, cells: frozenset[Cell], number: int) -> Layout:
        fairness, board, budget = self.rules.fairness, self.board, self._budget
        verdict = judge(board, cells, budget, engine=self._engine)
        if not cells.isdisjoint(layout.mines):
            if verdict.may_be_free and (verdict.forced or fairness == "kind"):
                return layout.with_mines(
                    redraw_free(board, cells, self._redraw_seed, number, budget, engine=self._engine)
                )
        elif fairness == "strict" and verdict.may_be_mine and not verdict.forced:
            return layout.with_mines(redraw_mined(board, cells, self._redraw_seed, number, budget, engine=self._engine))
        return layout

    def _recorded(self, layout: Layout, number: int, script: Mapping[int, frozenset[Cell]]) -> Layout:
        if number not in script:
            return layout
        drawn = layout.with_mines(script[number])
        if not (self._moves_mines or self.rules.fairness != "none"):
            raise BoardSyntaxError(f"found new mines in `redraws` for move {number}, where no rule moves any")
        if not self._field.fits(drawn):
            raise BoardSyntaxError(f"found mines in `redraws` for move {number} that do not fit what was seen before")
        return drawn

    # keeping

    def record(self) -> Record:
        """The game as data; `replay` plays it again."""
        drawn, won = dict(self._drawn), self.status == "won"
        return Record(self._dealt, self.rules, self.seed, self.moves, drawn, self.is_over, self.ms, won, self._given)

    def save(self) -> str:
        """The ``mineproof/game/1`` JSON, sealed while the game is not over."""
        return record.to_json(self.record())

    @classmethod
    def load(
        cls,
        text: str,
        *,
        clock: Clock = time.monotonic,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> Game:
        """Go on with a game that `save` wrote; its clock goes on from where it was."""
        return cls.replay(record.from_json(text), clock=clock, budget=budget, engine=engine)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[type[Game], str, Clock, Budget]]:
        """Pickles and copies are made of the saved game: sealed, and sharing nothing with this one."""
        return _loaded, (type(self), self.save(), self._watch.clock, self._budget)

    @classmethod
    def replay(
        cls,
        played: Record,
        *,
        clock: Clock = time.monotonic,
        upto: int | None = None,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> Game:
        """Play a record again, or its first ``upto`` moves; mines move as they did, and nothing is drawn anew.

        Raises BoardSyntaxError where a move is illegal, new mines do not fit, or the end is another.
        """
        checks.instance("played", played, Record, "read_replay reads one")
        count = len(played.moves) if upto is None else checks.whole("upto", upto)
        if not 0 <= count <= len(played.moves):
            raise ValueError(f"found upto={upto}, expected 0 to {len(played.moves)} moves")
        rules = played.rules
        game = cls(played.layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule,
                   seed=played.seed, given=played.given, clock=clock, budget=budget, engine=engine)  # fmt: skip
        deque(game._follow(played.moves[:count], played.redraws), maxlen=0)
        whole = count == len(played.moves)
        if whole and game.status != played.status:
            raise BoardSyntaxError(f"found {played.status!r} in `status`, expected {game.status!r} after those moves")
        game._watch.stop(played.ms if whole else game._moves[-1].ms if count else 0)
        game.resume()
        return game

    @classmethod
    def steps(cls, played: Record) -> Iterator[tuple[Board, Move, Outcome]]:
        """A record move by move: what was seen before, the move, and what it did; raises as `replay` does."""
        yield from cls.replay(played, upto=0).follow(played)

    def follow(self, played: Record) -> Iterator[tuple[Board, Move, Outcome]]:
        """Make the moves of a record that come after those made here, each when it is asked for; as `steps` tells them.

        The game is one that began as the record did and has made its first moves.
        """
        seen = self.board
        for move, outcome in self._follow(played.moves, played.redraws):
            yield seen, move, outcome
            seen = self.board

    def _follow(self, moves: Sequence[Move], redraws: Mapping[int, frozenset[Cell]]) -> Iterator[tuple[Move, Outcome]]:
        """Play recorded moves, each when it is asked for."""
        try:
            for number in range(len(self._moves), len(moves)):
                self._script = redraws
                move = moves[number]
                try:
                    outcome = self._play(move.kind, move.cell, move.ms)
                except IllegalMoveError as error:
                    raise BoardSyntaxError(f"found an illegal move in `moves[{number}]`: {error}") from None
                yield move, outcome
        finally:
            self._script = None

    # showing

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/view/1`` shape: what a client may see; ``mines`` is there once the game is over."""
        shown: dict[str, object] = {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "topology": self._dealt.topology,
            "total_mines": self.total_mines,
            "mines_left": self.mines_left,
            "status": self.status,
            "seconds": self.seconds,
            "paused": self.is_paused,
            "cells": self._pictured(),
            "redraws": self.redraws,
            "exploded": pairs(self.exploded),
        }
        return {**shown, "mines": pairs(self.layout.mines)} if self.is_over else shown

    def _pictured(self) -> list[str]:
        """Rows in our own alphabet, with ``?`` for question marks."""
        rows = notation.write_rows(self.columns, self.board.codes)
        for row, column in self._questions:
            rows[row] = f"{rows[row][:column]}?{rows[row][column + 1 :]}"
        return rows

    def __str__(self) -> str:
        """What is seen, in our own alphabet, with ``?`` for question marks."""
        return "\n".join(self._pictured())

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.total_mines)
        return f"<Game of {board}: {self.status}, {self._field.opened} open, {self._field.flags} flagged>"


def _loaded(kind: type[Game], text: str, clock: Clock, budget: Budget) -> Game:
    return kind.load(text, clock=clock, budget=budget)


@dataclass(frozen=True, slots=True)
class _Standing:
    """All that a move may change besides cells, marks and mines."""

    status: GameStatus = "new"
    exploded: frozenset[Cell] = frozenset()
    redraws: int = 0


class _Undo(NamedTuple):
    """What it takes to take a move back; ``asked`` are cells that had a question mark before or have one now."""

    number: int
    before: _Standing
    layout: Layout
    opened: Indices = NONE
    marked: tuple[Cell, int] | None = None
    asked: frozenset[Cell] = frozenset()


class _Stopwatch:
    """Milliseconds; a clock that is set back stands still."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._ms = 0
        self._since: float | None = None
        self._shown = 0

    @property
    def is_running(self) -> bool:
        return self._since is not None

    @property
    def ms(self) -> int:
        running = 0.0 if self._since is None else self.clock() - self._since
        self._shown = max(self._shown, self._ms + int(1000 * running))
        return self._shown

    def run(self) -> None:
        if self._since is None:
            self._since = self.clock()

    def set(self, ms: int) -> None:
        self._ms = self._shown = ms
        self._since = None if self._since is None else self.clock()

    def stop(self, ms: int) -> None:
        self._since = None
        self.set(ms)
