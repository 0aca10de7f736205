"""A game of Minesweeper: mines, rules and a clock; every move is data, so it can be saved, loaded, replayed, undone.

Opening a cell whose number is 0 opens its neighbours too, and so on; flagged cells are never opened. A chord opens the
cells around a number once its flags are set. The game is won when every safe cell is open.

The first click, that is the first opening, may move mines out of the way (``first_click``). Afterwards mines move only
by ``fairness``, before a reveal takes effect and only to a layout that fits all that is seen:

* ``none``    never;
* ``forced``  if no cell is certainly safe and the opened cells could all be free, a mine there is moved away: a forced
              guess never loses, a needless one loses as usual;
* ``kind``    if the opened cells could all be free, a mine there is moved away, even if the guess was needless;
* ``strict``  as ``forced``, and a needless guess always loses: it opens a cell that may be a mine although another cell
              is certainly safe;
* ``safest``  if no covered cell of the board was safer than the reveal, and the opened cells could all be free, a mine
              there is moved away;
* ``local``   the same, if no covered cell of its independent region was safer (`region_of` defines a region).

A game may begin from a ``given`` position: its open cells are open from the start and are not moves, its flags belong
to the player, and the first click moves no mine.

The exact engine decides (`mineproof.analysis.judgement`) from the visible board alone. It judges a
move even if no mine is there. Otherwise a board that is too hard to judge would be refused only where there is one, and
the refusal would show it.

No text, JSON or repr of a running game shows its mines.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from mineproof.analysis.judgement import Judgement, is_safest, judge, redraw_free, redraw_mined
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.notebook import Shown
from mineproof.base.rng import FIRST_CLICK, REDRAWS, Random, derive
from mineproof.base.words import at, plural, size
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell, pairs
from mineproof.board.start import FirstClick
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.game import record
from mineproof.game.field import NONE, Indices, MineField
from mineproof.game.layout import Layout
from mineproof.game.record import MAX_CLOCK_MS, Move, Record, RecordPart
from mineproof.game.rules import COMPARING, MOVE_KINDS, REVEALS, ChordRule, Fairness, GameStatus, MoveKind, Rules
from mineproof.game.stopwatch import Clock, Stopwatch

if TYPE_CHECKING:
    from mineproof.game.wire import ViewJson

SCHEMA: Final = "mineproof/view/1"
_VERBS = {"open": "open", "chord": "chord", "flag": "flag", "question": "mark"}


@dataclass(frozen=True)
class Outcome:
    """The effect of a move: opened cells with their numbers, exploded mines, and whether fairness moved the mines."""

    opened: Mapping[Cell, int]
    exploded: frozenset[Cell]
    redrawn: bool
    status: GameStatus


class Game(Shown):
    """A game on a layout.

    ``first_click``, ``fairness`` and ``chord_rule`` are its `Rules`, ``seed`` decides where its rules move mines, and
    ``given`` is a position to begin from. ``clock`` returns seconds. ``budget`` limits each judgement for a fairness
    rule.

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
        checks.instance("layout", layout, Layout, "generate returns one")
        self._engine = None if engine is None else chosen_engine(engine)
        checks.require_callable("clock", clock)
        self.rules = Rules(first_click, fairness, chord_rule)
        self.seed = checks.seed("seed", seed)
        self._click_seed, self._redraw_seed = derive(seed, FIRST_CLICK), derive(seed, REDRAWS)
        self._budget = Budget.of(budget)
        self._dealt = layout
        self._given = given
        self._field = MineField(layout) if given is None else self._field_of(given)
        self._state = _GameState()
        self._questions: set[Cell] = set()
        self._moves: list[Move] = []
        self._undo_stack: list[_Undo] = []
        self._redrawn_mines: dict[int, frozenset[Cell]] = {}
        self._script: Mapping[int, frozenset[Cell]] | None = None  # the redraws to follow while replaying
        self._stopwatch = Stopwatch(clock)

    def _field_of(self, given: Board) -> MineField:
        """Return the field of a game that begins from a position. Raises if layout and position do not fit."""
        layout, first = self._dealt, self.rules.first_click
        if first != "any":
            raise ValueError(f"first_click must be 'any' with a given position, got {first!r}")
        if given.geometry != layout.geometry or frozenset(given.cells(ABSENT)) != layout.absent:
            sides, expected = size(given.rows, given.columns), size(layout.rows, layout.columns)
            raise BoardSyntaxError(f"expected a given position with the cells of the layout ({expected}), got {sides}")
        field = MineField(layout, given)
        if not field.fits(layout) or given.total_mines not in (None, layout.total_mines):
            raise BoardSyntaxError("The given position contradicts the layout.")
        return field

    # state

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._dealt.rows

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self._dealt.columns

    @property
    def total_mines(self) -> int:
        """Number of mines on the whole board."""
        return self._dealt.total_mines

    @property
    def mines_left(self) -> int:
        """Total number of mines minus the number of flags; negative with too many flags."""
        return self.total_mines - self._field.flags

    @property
    def board(self) -> Board:
        """The position the player sees; question marks and exploded mines are covered cells."""
        return self._field.board

    @property
    def questions(self) -> frozenset[Cell]:
        """Cells with a question mark."""
        return frozenset(self._questions)

    @property
    def exploded(self) -> frozenset[Cell]:
        """Mines that exploded."""
        return self._state.exploded

    @property
    def status(self) -> GameStatus:
        """``new`` until the first cell is opened, then ``running``, ``won`` or ``lost``."""
        return self._state.status

    @property
    def is_over(self) -> bool:
        """Is the game won or lost?"""
        return self.status in ("won", "lost")

    @property
    def is_paused(self) -> bool:
        """Is the game running with its clock stopped? See `pause`."""
        return self.status == "running" and not self._stopwatch.is_running

    @property
    def ms(self) -> int:
        """Time on the game's clock in milliseconds.

        The clock runs from the first opening to the end of the game. It stops while the game is paused or the first
        opening is undone, and never runs backwards.
        """
        return self._stopwatch.ms

    @property
    def seconds(self) -> float:
        """Time on the game's clock in seconds."""
        return self.ms / 1000

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves in order, including undone moves and undos."""
        return tuple(self._moves)

    @property
    def move_count(self) -> int:
        """Number of moves, including undone moves and undos."""
        return len(self._moves)

    @property
    def line(self) -> tuple[Move, ...]:
        """The moves in effect: without undone moves and undos."""
        return tuple(self._moves[step.number] for step in self._undo_stack)

    @property
    def redraws(self) -> int:
        """Number of times that fairness moved the mines, without undone moves and without the first click."""
        return self._state.redraws

    @property
    def open_cells(self) -> int:
        """Number of open cells."""
        return self._field.opened

    @property
    def layout(self) -> Layout:
        """The mines of a finished game. Raises IllegalMoveError while the game is running."""
        if not self.is_over:
            raise IllegalMoveError("The game is still running. Its layout is available when it is over.")
        return self._field.layout

    # moves

    def open(self, row: int, column: int) -> Outcome:
        """Open a covered cell, and its neighbours if it is a 0. Raises IllegalMoveError if it cannot be opened."""
        return self.play("open", (row, column))

    def flag(self, row: int, column: int) -> Outcome:
        """Set or remove a flag. A flag replaces a question mark."""
        return self.play("flag", (row, column))

    def question(self, row: int, column: int) -> Outcome:
        """Set or remove a question mark. A question mark replaces a flag."""
        return self.play("question", (row, column))

    def chord(self, row: int, column: int) -> Outcome:
        """Open the covered cells without a flag around a number whose flags are set."""
        return self.play("chord", (row, column))

    def undo(self) -> Outcome:
        """Undo the last move in effect and the layout it drew. The clock keeps its time."""
        return self.play("undo")

    def play(self, kind: MoveKind, cell: Cell | None = None, *, ms: int | None = None) -> Outcome:
        """Make a move.

        ``ms`` is the time of the move on the game's clock; the default is now. Raises IllegalMoveError if the rules
        forbid the move, and BudgetExceeded if the engine cannot judge it for a fairness rule. The game is then
        unchanged.
        """
        if ms is None:
            return self._play_move(kind, cell, self.ms)
        checks.whole("ms", ms, 0, MAX_CLOCK_MS)
        outcome = self._play_move(kind, cell, ms)
        self._stopwatch.set(ms)
        return outcome

    def _play_move(self, kind: MoveKind, cell: Cell | None, ms: int) -> Outcome:
        if kind not in MOVE_KINDS:
            raise IllegalMoveError(f"kind must be one of {', '.join(MOVE_KINDS)}, got {kind!r}")
        place = self._checked_cell(kind, cell)
        outcome = self._undo() if place is None else self._advance(kind, place)
        self._moves.append(Move(kind, place, ms))
        if self.status == "running":
            self._stopwatch.run()
        else:
            self._stopwatch.stop(ms)
        return outcome

    def pause(self) -> None:
        """Stop the clock, until `resume` or the next move."""
        self._stopwatch.stop(self.ms)

    def resume(self) -> None:
        """Start the clock again after a `pause`, if the game is running."""
        if self.status == "running":
            self._stopwatch.run()

    def again(self) -> Game:
        """Return a new game on the same mines, as they were after the first click, with that click as the start.

        Times of the two games can be compared. Mines that a fairness rule moved later are back in their old places.
        """
        first = next((step.number for step in self._undo_stack if self._moves[step.number].kind in REVEALS), None)
        layout = self._dealt
        if first is not None and self._given is None:
            if first in self._redrawn_mines:
                layout = layout.with_mines(self._redrawn_mines[first])
            layout = replace(layout, start=self._moves[first].cell)
        rules = self.rules
        return type(self)(
            layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule,
            seed=self.seed, given=self._given, clock=self._stopwatch.clock, budget=self._budget, engine=self._engine,
        )  # fmt: skip

    def _checked_cell(self, kind: MoveKind, cell: Cell | None) -> Cell | None:
        """Return the cell of a move, None for an undo. Raises if the cell is not part of the board."""
        if (cell is None) != (kind == "undo"):
            raise IllegalMoveError("An undo takes no cell." if cell else f"The move {kind!r} needs a cell.")
        if cell is None:
            return None
        place = checks.cell("cell", cell)
        self._dealt.geometry.index(place)
        if self._field[place] == ABSENT:
            raise IllegalMoveError(f"Cannot {_VERBS[kind]} {at(place)}: it is not part of the board.")
        return place

    def _advance(self, kind: MoveKind, cell: Cell) -> Outcome:
        if self.is_over:
            raise IllegalMoveError(f"The game is {self.status}. Only an undo is possible.")
        if kind == "open":
            return self._reveal(self._cells_opened(cell))
        return self._reveal(self._cells_chorded(cell)) if kind == "chord" else self._mark(kind, cell)

    def _mark(self, kind: MoveKind, cell: Cell) -> Outcome:
        """Set a flag or a question mark, or remove it if it is set."""
        shown = self._field[cell]
        if shown >= 0:
            raise IllegalMoveError(f"Cannot mark {at(cell)}: it is open.")
        marked = "flag" if shown == FLAGGED else "question" if cell in self._questions else None
        mark = None if marked == kind else kind
        toggled = frozenset([cell] if "question" in (marked, mark) else [])
        self._undo_stack.append(
            _Undo(len(self._moves), self._state, self._field.layout, marked=(cell, shown), toggled=toggled)
        )
        self._field.mark(cell, FLAGGED if mark == "flag" else COVERED)
        self._questions ^= toggled
        return Outcome({}, frozenset(), False, self.status)

    def _undo(self) -> Outcome:
        if not self._undo_stack:
            raise IllegalMoveError("There is no move to undo.")
        step = self._undo_stack.pop()
        self._field.cover(step.opened)
        if step.marked is not None:
            self._field.mark(*step.marked)
        if step.layout is not self._field.layout:
            self._field.lay(step.layout)
        self._state = step.before
        self._questions ^= step.toggled
        return Outcome({}, frozenset(), False, self.status)

    # revealing

    def _cells_opened(self, cell: Cell) -> frozenset[Cell]:
        shown = self._field[cell]
        if shown == FLAGGED:
            raise IllegalMoveError(f"Cannot open {at(cell)}: it is flagged.")
        if shown != COVERED:
            raise IllegalMoveError(f"Cannot open {at(cell)}: it is open already.")
        return frozenset([cell])

    def _cells_chorded(self, cell: Cell) -> frozenset[Cell]:
        """Return the cells that a chord opens."""
        number = self._field[cell]
        if number < 0:
            raise IllegalMoveError(f"Cannot chord {at(cell)}: it is not open.")
        shown = {other: self._field[other] for other in self._dealt.neighbours(cell)}
        flags = sum(code == FLAGGED for code in shown.values())
        least = self.rules.chord_rule == "at-least"
        if flags < number or (flags > number and not least):
            needed = f"{'at least ' if least else ''}{plural(number, 'flag')}"
            raise IllegalMoveError(f"Cannot chord {at(cell)}: its {number} needs {needed}, got {flags}.")
        covered = frozenset(other for other, code in shown.items() if code == COVERED)
        if not covered:
            raise IllegalMoveError(f"Cannot chord {at(cell)}: no cell around it is left to open.")
        return covered

    def _reveal(self, cells: frozenset[Cell]) -> Outcome:
        field, before, number = self._field, self._state, len(self._moves)
        old, new = field.layout, self._layout_for(cells, number)
        if redrawn := new is not old:
            field.lay(new)
            self._redrawn_mines[number] = new.mines
        fair = redrawn and not self._first_click_moves_mines
        exploded = cells & new.mines
        opened = field.open(cells - exploded)
        shown = field.visible_codes(opened)
        toggled = frozenset(self._questions.intersection(shown))
        self._questions -= toggled
        self._undo_stack.append(_Undo(number, before, old, opened, toggled=toggled))
        self._state = _GameState(
            status="lost" if exploded else "won" if field.is_cleared else "running",
            exploded=exploded,
            redraws=before.redraws + fair,
        )
        return Outcome(shown, exploded, fair, self.status)

    @property
    def _first_click_moves_mines(self) -> bool:
        """Is this the first click, and does a rule move mines out of its way?"""
        return self.status == "new" and self.rules.first_click != "any"

    def _layout_for(self, cells: frozenset[Cell], number: int) -> Layout:
        """Return the layout for move ``number``: the current one, one drawn by the rules, or that of the record."""
        layout = self._field.layout
        if self._script is not None:
            return self._recorded_layout(layout, number, self._script)
        if self._first_click_moves_mines:
            (cell,) = cells
            around = self.rules.first_click == "open"
            layout = layout.cleared(cell, Random(self._click_seed, number), neighbours=around)
        return layout if self.rules.fairness == "none" else self._fair_layout(layout, cells, number)

    def _fair_layout(self, layout: Layout, cells: frozenset[Cell], number: int) -> Layout:
        fairness, board, budget = self.rules.fairness, self.board, self._budget
        verdict = judge(board, cells, budget, engine=self._engine)
        survives = verdict.may_be_free and self._protects(verdict, board, cells)  # before looking at the mines
        if not cells.isdisjoint(layout.mines):
            if survives:
                return layout.with_mines(
                    redraw_free(board, cells, self._redraw_seed, number, budget, engine=self._engine)
                )
        elif fairness == "strict" and verdict.may_be_mine and not verdict.forced:
            return layout.with_mines(redraw_mined(board, cells, self._redraw_seed, number, budget, engine=self._engine))
        return layout

    def _protects(self, verdict: Judgement, board: Board, cells: frozenset[Cell]) -> bool:
        """Does the fairness rule protect a reveal that may be free?"""
        fairness = self.rules.fairness
        if fairness in COMPARING:
            return is_safest(board, cells, self._budget, local=fairness == "local", engine=self._engine)
        return verdict.forced or fairness == "kind"

    def _recorded_layout(self, layout: Layout, number: int, script: Mapping[int, frozenset[Cell]]) -> Layout:
        if number not in script:
            return layout
        drawn = layout.with_mines(script[number])
        if not (self._first_click_moves_mines or self.rules.fairness != "none"):
            raise BoardSyntaxError(f"expected no mines in `redraws` for move {number}, where no rule moves any")
        if not self._field.fits(drawn):
            raise BoardSyntaxError(f"the mines in `redraws` for move {number} contradict the open cells")
        return drawn

    # records

    def record(self) -> Record:
        """Return the game as data; `replay` plays it again."""
        drawn, won = dict(self._redrawn_mines), self.status == "won"
        return Record(self._dealt, self.rules, self.seed, self.moves, drawn, self.is_over, self.ms, won, self._given)

    def part(self, first: int, upto: int | None = None) -> RecordPart:
        """Return the moves from number ``first`` to before ``upto``, at a cost independent of the other moves."""
        stop = len(self._moves) if upto is None else upto
        drawn = {number: self._redrawn_mines[number] for number in range(first, stop) if number in self._redrawn_mines}
        return RecordPart(self._dealt, self.rules, self.seed, self._moves[first:stop], drawn, self.ms, self._given)

    def save(self) -> str:
        """Return the ``mineproof/game/1`` JSON. The mines are masked until the game is over."""
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
        """Resume a game from the text of `save`, at the time where its clock stopped."""
        return cls.replay(record.from_json(text), clock=clock, budget=budget, engine=engine)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[type[Game], str, Clock, Budget]]:
        """Pickle and copy the saved game: its mines are masked, and it shares nothing with this one."""
        return _load_game, (type(self), self.save(), self._stopwatch.clock, self._budget)

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
        """Play a record again, or its first ``upto`` moves. The mines move as they did.

        Raises BoardSyntaxError if a move is illegal, new mines do not fit, or the game ends differently.
        """
        checks.instance("played", played, Record, "read_replay reads one")
        count = len(played.moves) if upto is None else checks.whole("upto", upto)
        if not 0 <= count <= len(played.moves):
            raise ValueError(f"upto must be from 0 to {len(played.moves)}, the number of moves, got {upto}")
        rules = played.rules
        game = cls(played.layout, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule,
                   seed=played.seed, given=played.given, clock=clock, budget=budget, engine=engine)  # fmt: skip
        deque(game._follow(played.moves[:count], played.redraws), maxlen=0)
        whole = count == len(played.moves)
        if whole and game.status != played.status:
            raise BoardSyntaxError(f"expected {game.status!r} in `status` after these moves, got {played.status!r}")
        game._stopwatch.stop(played.ms if whole else game._moves[-1].ms if count else 0)
        game.resume()
        return game

    @classmethod
    def steps(cls, played: Record) -> Iterator[tuple[Board, Move, Outcome]]:
        """Yield the board before each move of a record, the move, and its outcome. Raises as `replay` does."""
        yield from cls.replay(played, upto=0).follow(played)

    def follow(self, played: Record) -> Iterator[tuple[Board, Move, Outcome]]:
        """Make the remaining moves of a record, one at a time, and yield what `steps` yields.

        This game must have begun as the record did and have made its first moves.
        """
        seen = self.board
        for move, outcome in self._follow(played.moves, played.redraws):
            yield seen, move, outcome
            seen = self.board

    def _follow(self, moves: Sequence[Move], redraws: Mapping[int, frozenset[Cell]]) -> Iterator[tuple[Move, Outcome]]:
        """Play recorded moves, one at a time."""
        try:
            for number in range(len(self._moves), len(moves)):
                self._script = redraws
                move = moves[number]
                try:
                    outcome = self._play_move(move.kind, move.cell, move.ms)
                except IllegalMoveError as error:
                    raise BoardSyntaxError(f"illegal move in `moves[{number}]`: {error}") from None
                yield move, outcome
        finally:
            self._script = None

    # display

    def as_json(self) -> ViewJson:
        """Return ``mineproof/view/1``: everything a client may see; ``mines`` only after the end."""
        shown: ViewJson = {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "topology": self._dealt.topology,
            "total_mines": self.total_mines,
            "mines_left": self.mines_left,
            "status": self.status,
            "seconds": self.seconds,
            "paused": self.is_paused,
            "cells": self._board_rows(),
            "redraws": self.redraws,
            "exploded": pairs(self.exploded),
        }
        return {**shown, "mines": pairs(self.layout.mines)} if self.is_over else shown

    def _board_rows(self) -> list[str]:
        """Return rows in our own alphabet, with ``?`` for question marks."""
        symbols = notation.write_symbols(self.board.codes)
        for row, column in self._questions:
            symbols[row * self.columns + column] = "?"
        return ["".join(symbols[at : at + self.columns]) for at in range(0, len(symbols), self.columns)]

    def __str__(self) -> str:
        """Return the visible board in our own alphabet, with ``?`` for question marks."""
        return "\n".join(self._board_rows())

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.total_mines)
        return f"<Game of {board}: {self.status}, {self._field.opened} open, {self._field.flags} flagged>"


def _load_game(kind: type[Game], text: str, clock: Clock, budget: Budget) -> Game:
    return kind.load(text, clock=clock, budget=budget)


@dataclass(frozen=True, slots=True)
class _GameState:
    """Everything that a move may change besides cells, marks and mines."""

    status: GameStatus = "new"
    exploded: frozenset[Cell] = frozenset()
    redraws: int = 0


class _Undo(NamedTuple):
    """What is needed to undo a move; ``toggled`` are cells that gained or lost a question mark."""

    number: int
    before: _GameState
    layout: Layout
    opened: Indices = NONE
    marked: tuple[Cell, int] | None = None
    toggled: frozenset[Cell] = frozenset()
