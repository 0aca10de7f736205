"""A game of a variant: the counterpart of `mineproof.game.game` for boards with other clues and rules on the mines.

Opening a cell shows its clue. If the clue alone says that every cell around it is free, as a 0 of ordinary games does,
these cells open too. A chord opens the cells around a clue that are free if the flags are right. With several mines in
a cell, a flag counts how many: setting it again adds one, and after the largest number there is none.

The first click moves mines (``first_click``) by drawing another layout that keeps the rules. There is no fairness, and
there are no question marks.

No text, JSON or repr of a running game shows its mines; the mines of a saved game are masked until it is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import msgspec

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.rng import FIRST_CLICK, derive
from mineproof.base.words import at, size
from mineproof.board.cells import Cell, pairs
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.engine.answers import Engine
from mineproof.errors import BoardSyntaxError, ContradictionError, IllegalMoveError, OutsideError
from mineproof.game import mask
from mineproof.game.record import MAX_CLOCK_MS, Move
from mineproof.game.rules import GameStatus, MoveKind
from mineproof.game.stopwatch import Clock, Stopwatch
from mineproof.game.variant_deals import deal_variant
from mineproof.game.variant_layout import VariantLayout, require_board, true_clues
from mineproof.variants.clues import Clue, PatternRule, clue_rule
from mineproof.variants.position import VariantCell, VariantPosition
from mineproof.variants.shown import clue_label, clue_text, freed_places
from mineproof.variants.variant import Variant, clued_cells
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_hints import VariantHint, variant_hint

if TYPE_CHECKING:
    from mineproof.game.wire import VariantViewJson

SCHEMA: Final = "mineproof/variant-view/1"
SAVED_SCHEMA: Final = "mineproof/variant-game/1"
VARIANT_MOVES = ("open", "flag", "chord", "undo")
MAX_SAVED_MOVES = 100_000
_VERBS = {"open": "open", "chord": "chord", "flag": "flag"}


@dataclass(frozen=True)
class VariantOutcome:
    """The effect of a move: opened cells with their clues (None for none), and exploded cells."""

    opened: dict[Cell, Clue | None]
    exploded: frozenset[Cell]
    status: GameStatus


class _VariantState(NamedTuple):
    """Everything that a move may change besides open cells, flags and mines."""

    status: GameStatus = "new"
    exploded: frozenset[Cell] = frozenset()


class _VariantUndo(NamedTuple):
    """What is needed to undo a move."""

    number: int
    before: _VariantState
    layout: VariantLayout
    opened: tuple[int, ...] = ()
    marked: tuple[int, int] | None = None  # a cell and its flags before


class VariantGame:
    """A game on the layout of a variant.

    ``first_click`` is about the first opening, as in `Game`; ``seed`` decides which layout it draws.

    >>> layout = VariantLayout.of(1, 4, [(0, 0)], Variant("at-least"), seed=1)
    >>> game = VariantGame(layout, first_click="any")
    >>> game.open(0, 1).opened
    {(0, 1): 0}
    >>> print(game)
    # ≥0 # #
    >>> game.flag(0, 0).status, game.mines_left
    ('running', 0)
    """

    def __init__(
        self,
        layout: VariantLayout,
        *,
        first_click: FirstClick = "safe",
        seed: int = 0,
        clock: Clock = time.monotonic,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> None:
        checks.instance("layout", layout, VariantLayout, "deal_variant returns one")
        checks.one_of("first_click", first_click, FIRST_CLICKS)
        checks.require_callable("clock", clock)
        self.first_click, self.seed = first_click, checks.seed("seed", seed)
        self._rule = clue_rule(layout.variant.clues)
        self._budget, self._engine = Budget.of(budget), engine
        self._dealt = self._layout = layout
        self._drawn: dict[int, VariantLayout] = {}  # layouts for the first click, by the number of their move
        self._script: Mapping[int, VariantLayout] | None = None  # the same while a saved game is played again
        self._state = _VariantState()
        self._open: set[int] = set()
        self._flags: dict[int, int] = {}
        self._moves: list[Move] = []
        self._undo_stack: list[_VariantUndo] = []
        self._opening_clues: dict[object, bool] = {}
        self._patterns: dict[object, tuple[list[int], list[int]]] = {}
        self._stopwatch = Stopwatch(clock)

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
    def topology(self) -> Topology:
        """The shape of the board."""
        return self._dealt.topology

    @property
    def cells(self) -> frozenset[Cell]:
        """The cells of the board, without the places that its shape does not have."""
        return self._dealt.area.cells

    @property
    def middle(self) -> Cell:
        """The cell nearest to the middle of the board."""
        return self._dealt.middle

    @property
    def variant(self) -> Variant:
        """The rules of the game."""
        return self._dealt.variant

    @property
    def total_mines(self) -> int:
        """Number of mines on the whole board."""
        return self._dealt.total_mines

    @property
    def mines_left(self) -> int:
        """Total number of mines minus those that flags stand for; negative with too many flags."""
        return self.total_mines - sum(self._flags.values())

    @property
    def position(self) -> VariantPosition:
        """The position the player sees, without flags: for `analyze_variant`."""
        clues, holes = self._layout.clues, self._dealt.holes
        cells = []
        for index in range(self.rows * self.columns):
            if index in holes:
                cells.append(VariantCell("absent"))
            elif index not in self._open:
                cells.append(VariantCell("covered"))
            else:
                clue = clues[index]
                cells.append(VariantCell("open", () if clue is None else (clue,)))
        return VariantPosition(self.rows, self.columns, tuple(cells), self.total_mines, self.topology)

    @property
    def board(self) -> VariantBoard:
        """The same with its rules: for `mineproof.hint`, `best_move` and `draw`."""
        return VariantBoard(self.position, self.variant)

    @property
    def flags(self) -> dict[Cell, int]:
        """The flagged cells, each with the number of mines that its flag stands for."""
        return {divmod(index, self.columns): count for index, count in sorted(self._flags.items())}

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
    def open_cells(self) -> int:
        """Number of open cells."""
        return len(self._open)

    @property
    def ms(self) -> int:
        """Time on the game's clock in milliseconds: from the first opening to the end."""
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
    def layout(self) -> VariantLayout:
        """The mines of a finished game. Raises IllegalMoveError while the game is running."""
        if not self.is_over:
            raise IllegalMoveError("The game is still running. Its layout is available when it is over.")
        return self._layout

    # help

    def hint(
        self, *, prefer: str = "easiest", budget: Budget | float | None = None, engine: Engine | None = None
    ) -> VariantHint:
        """Return the next hint about the visible board; one about mines leaves out what is flagged already.

        Raises IllegalMoveError when the game is over, and BudgetExceeded if the budget is not enough.
        """
        if self.is_over:
            raise IllegalMoveError(f"The game is {self.status}. There are no hints.")
        return variant_hint(self.board, prefer=prefer, marked=self.flags, budget=budget, engine=engine)

    # moves

    def open(self, row: int, column: int) -> VariantOutcome:
        """Open a covered cell. Raises IllegalMoveError if it cannot be opened."""
        return self.play("open", (row, column))

    def flag(self, row: int, column: int) -> VariantOutcome:
        """Set a flag, add a mine to it, or remove it after the largest number."""
        return self.play("flag", (row, column))

    def chord(self, row: int, column: int) -> VariantOutcome:
        """Open the cells around a clue that are free if the flags are right."""
        return self.play("chord", (row, column))

    def undo(self) -> VariantOutcome:
        """Undo the last move in effect. The clock keeps its time."""
        return self.play("undo")

    def play(self, kind: MoveKind, cell: Cell | None = None, *, ms: int | None = None) -> VariantOutcome:
        """Make a move. ``ms`` is its time on the game's clock; the default is now.

        Raises IllegalMoveError if the rules forbid the move. The game is then unchanged.
        """
        when = self.ms if ms is None else checks.whole("ms", ms, 0, MAX_CLOCK_MS)
        if kind not in VARIANT_MOVES:
            raise IllegalMoveError(f"kind must be one of {', '.join(VARIANT_MOVES)} in games of variants, got {kind!r}")
        if (cell is None) != (kind == "undo"):
            raise IllegalMoveError("An undo takes no cell." if cell else f"The move {kind!r} needs a cell.")
        outcome = self._undo() if cell is None else self._advance(kind, checks.cell("cell", cell))
        self._moves.append(Move(kind, cell, when))
        if self.status == "running":
            self._stopwatch.run()
        else:
            self._stopwatch.stop(when)
        if ms is not None:
            self._stopwatch.set(ms)
        return outcome

    def again(self) -> VariantGame:
        """Return a new game on the same mines, as they were after the first click."""
        first = next((step.number for step in self._undo_stack if step.marked is None), -1)
        return VariantGame(
            self._drawn.get(first, self._dealt), first_click=self.first_click, seed=self.seed,
            clock=self._stopwatch.clock, budget=self._budget, engine=self._engine,
        )  # fmt: skip

    def _advance(self, kind: MoveKind, cell: Cell) -> VariantOutcome:
        index = self._dealt.index(cell)
        if self.is_over:
            raise IllegalMoveError(f"The game is {self.status}. Only an undo is possible.")
        if kind == "flag":
            return self._mark(index, cell)
        if kind == "chord":
            return self._reveal(self._cells_to_chord(index, cell))
        if index in self._flags:
            raise IllegalMoveError(f"Cannot open {at(cell)}: it is flagged.")
        if index in self._open:
            raise IllegalMoveError(f"Cannot open {at(cell)}: it is open already.")
        return self._reveal({index})

    def _mark(self, index: int, cell: Cell) -> VariantOutcome:
        if index in self._open:
            raise IllegalMoveError(f"Cannot flag {at(cell)}: it is open.")
        before = self._flags.get(index, 0)
        self._undo_stack.append(_VariantUndo(len(self._moves), self._state, self._layout, marked=(index, before)))
        self._put_flags(index, (before + 1) % (self.variant.cell_max + 1))
        return VariantOutcome({}, frozenset(), self.status)

    def _put_flags(self, index: int, count: int) -> None:
        self._flags.pop(index, None)
        if count:
            self._flags[index] = count

    def _undo(self) -> VariantOutcome:
        if not self._undo_stack:
            raise IllegalMoveError("There is no move to undo.")
        step = self._undo_stack.pop()
        self._open.difference_update(step.opened)
        if step.marked is not None:
            self._put_flags(*step.marked)
        self._state, self._layout = step.before, step.layout
        return VariantOutcome({}, frozenset(), self.status)

    def _reveal(self, cells: set[int]) -> VariantOutcome:
        number, before, old = len(self._moves), self._state, self._layout
        if before.status == "new" and self.first_click != "any":
            self._layout = self._after_first_click(next(iter(cells)))
        values, clues, columns = self._layout.values, self._layout.clues, self.columns
        exploded = frozenset(divmod(index, columns) for index in cells if values[index])
        opened = self._opened_with({index for index in cells if not values[index]})
        self._open |= opened
        self._undo_stack.append(_VariantUndo(number, before, old, tuple(sorted(opened))))
        is_cleared = len(self._open) == self._layout.free_cells
        self._state = _VariantState("lost" if exploded else "won" if is_cleared else "running", exploded)
        return VariantOutcome({divmod(index, columns): clues[index] for index in sorted(opened)}, exploded, self.status)

    def _after_first_click(self, index: int) -> VariantLayout:
        """Return the layout for the first click: the current one, or one that keeps its cells free."""
        layout, cell, number = self._layout, divmod(index, self.columns), len(self._moves)
        if self._script is not None:
            return self._script.get(number, layout)
        around = [place for place in clued_cells(layout.area, cell, self._rule) if place]
        wishes = [{cell, *around}, {cell}] if self.first_click == "open" else [{cell}]
        for free in wishes:
            if not any(layout.values[layout.index(place)] for place in free):
                return layout
            try:
                drawn = deal_variant(
                    self.rows, self.columns, self.total_mines, self.variant, topology=self.topology,
                    seed=derive(self.seed, FIRST_CLICK), free=free, budget=self._budget, engine=self._engine,
                )  # fmt: skip
            except ContradictionError:  # the rules leave no such layout
                continue
            self._drawn[number] = replace(drawn, start=layout.start)
            return self._drawn[number]
        return layout

    def _opened_with(self, cells: set[int]) -> set[int]:
        """Return some cells and those that their clues open: all around a clue that leaves no mine there."""
        opened: set[int] = set()
        pending = [index for index in cells if index not in self._open]
        while pending:
            index = pending.pop()
            if index in opened:
                continue
            opened.add(index)
            clue = self._layout.clues[index]
            if clue is not None and self._opens_all(index, clue):
                near = [place for place in self._around(index) if place is not None]
                pending += [i for i in near if i not in self._open and i not in opened and i not in self._flags]
        return opened

    def _around(self, index: int) -> list[int | None]:
        places = clued_cells(self._dealt.area, divmod(index, self.columns), self._rule)
        return [None if place is None else place[0] * self.columns + place[1] for place in places]

    def _compile(self, index: int, clue: Clue) -> tuple[list[int], list[int]]:
        """Return the coefficients and sums of a clue; patterns are compiled once for each arrangement."""
        places = clued_cells(self._dealt.area, divmod(index, self.columns), self._rule)
        if not isinstance(self._rule, PatternRule):
            return self._rule.compile(clue, places, self.variant.cell_max)
        key = clue, tuple(place is None for place in places)
        if key not in self._patterns:
            self._patterns[key] = self._rule.compile(clue, places, self.variant.cell_max)
        return self._patterns[key]

    def _opens_all(self, index: int, clue: Clue) -> bool:
        """Does a clue say, whatever is open, that no cell around it has a mine?"""
        factors, sums = self._compile(index, clue)
        key = tuple(factors), tuple(sums)
        if key not in self._opening_clues:
            unknown: list[int | None] = [None if factor else 0 for factor in factors]
            freed = freed_places(factors, sums, unknown, self.variant.cell_max)
            self._opening_clues[key] = freed is not None and len(freed) == unknown.count(None)
        return self._opening_clues[key]

    def _cells_to_chord(self, index: int, cell: Cell) -> set[int]:
        """Return the cells that a chord opens."""
        if index not in self._open:
            raise IllegalMoveError(f"Cannot chord {at(cell)}: it is not open.")
        clue = self._layout.clues[index]
        if clue is None:
            raise IllegalMoveError(f"Cannot chord {at(cell)}: it shows no clue.")
        around, label = self._around(index), clue_label(self._rule, clue)
        factors, sums = self._compile(index, clue)
        known = [0 if i is None or i in self._open else self._flags.get(i) for i in around]
        freed = freed_places(factors, sums, known, self.variant.cell_max)
        if freed is None:
            raise IllegalMoveError(f"Cannot chord {at(cell)}: the flags contradict its clue {label}.")
        cells = {i for place in freed if (i := around[place]) is not None}
        if not cells:
            raise IllegalMoveError(f"Cannot chord {at(cell)}: its clue {label} and the flags leave no cell to open.")
        return cells

    # saving

    def save(self) -> str:
        """Return ``mineproof/variant-game/1``. The mines are masked until the game is over.

        Raises ValueError if a rule is not built in.
        """
        sealed = not self.is_over
        document = VariantRecordJson(
            rows=self.rows,
            columns=self.columns,
            topology=self.topology,
            total_mines=self.total_mines,
            rules=self.variant.text,
            first_click=self.first_click,
            seed=self.seed,
            start=self._dealt.start,
            status=self.status,
            ms=self.ms,
            sealed=sealed,
            layout=_pack(self._dealt, sealed),
            drawn=[(number, _pack(layout, sealed)) for number, layout in self._drawn.items()],
            moves=[[move.kind, *(move.cell or ()), move.ms] for move in self._moves],
        )
        return msgspec.json.encode(document).decode("utf-8")

    @classmethod
    def load(
        cls,
        text: str,
        *,
        clock: Clock = time.monotonic,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> VariantGame:
        """Resume a game from the text of `save`, at the time where its clock stopped."""
        try:
            document = _read_saved(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BoardSyntaxError(f"JSON: {error}") from None
        layout = _unpack(document, document.layout)
        game = cls(
            layout, first_click=document.first_click, seed=document.seed, clock=clock, budget=budget, engine=engine
        )
        game._drawn = {number: _unpack(document, packed) for number, packed in document.drawn}
        game._script = game._drawn
        for number, move in enumerate(document.moves):
            game._follow(number, move)
        game._script = None
        if game.status != document.status:
            raise BoardSyntaxError(f"expected {game.status!r} in `status` after these moves, got {document.status!r}")
        last = game._moves[-1].ms if game._moves else 0
        if not last <= document.ms <= MAX_CLOCK_MS:
            raise BoardSyntaxError(f"`ms` must be at least {last}, the time of the last move, got {document.ms}")
        game._stopwatch.stop(document.ms)
        if game.status == "running":
            game._stopwatch.run()
        return game

    def _follow(self, number: int, move: list[str | int]) -> None:
        try:
            kind, *rest = move
            *place, ms = rest
            cell = None if not place else (place[0], place[1])
            if len(place) not in (0, 2) or not isinstance(ms, int):
                raise ValueError
            self.play(kind, cell, ms=ms)  # type: ignore[arg-type]
        except (IllegalMoveError, OutsideError) as error:
            raise BoardSyntaxError(f"illegal move in `moves[{number}]`: {error}") from None
        except (TypeError, ValueError):
            raise BoardSyntaxError(f"expected a kind, a cell and a time in `moves[{number}]`, got {move!r}") from None

    def __reduce__(self) -> tuple[Callable[..., VariantGame], tuple[str, Clock, Budget]]:
        """Pickle and copy the saved game: its mines are masked, and it shares nothing with this one."""
        return _load_game, (self.save(), self._stopwatch.clock, self._budget)

    # display

    def as_json(self) -> VariantViewJson:
        """Return ``mineproof/variant-view/1``: everything a client may see; ``mines`` only after the end.

        ``cells`` are rows of cells as `VariantPosition.parse` reads them, except that a flag for several mines is
        ``F2``. ``labels`` are clues as players see them, such as ``≥2``.
        """
        shown: VariantViewJson = {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "topology": self.topology,
            "rules": self.variant.names,
            "cell_max": self.variant.cell_max,
            "total_mines": self.total_mines,
            "mines_left": self.mines_left,
            "status": self.status,
            "seconds": self.seconds,
            "cells": self._rows_of(clue_text),
            "labels": self._rows_of(lambda clue: clue_label(self._rule, clue)),
            "exploded": pairs(self.exploded),
        }
        if not self.is_over:
            return shown
        values = self._layout.values
        return shown | {"mines": [[*divmod(index, self.columns), value] for index, value in enumerate(values) if value]}

    def _rows_of(self, show: Callable[[Clue | None], str]) -> list[list[str]]:
        texts, holes = [], self._dealt.holes
        for index in range(self.rows * self.columns):
            if index in holes:
                texts.append("~")
            elif index in self._open:
                texts.append(show(self._layout.clues[index]))
            else:
                flags = self._flags.get(index, 0)
                texts.append("#" if not flags else "F" if flags == 1 else f"F{flags}")
        return [texts[first : first + self.columns] for first in range(0, len(texts), self.columns)]

    def __str__(self) -> str:
        """Return the visible board, a space between two cells."""
        rows = self._rows_of(lambda clue: clue_label(self._rule, clue))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = (" ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(lines)

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.total_mines)
        return f"<VariantGame of {board}: {self.variant.names}, {self.status}, {len(self._open)} open>"


def _load_game(text: str, clock: Clock, budget: Budget) -> VariantGame:
    return VariantGame.load(text, clock=clock, budget=budget)


class VariantRecordJson(msgspec.Struct, tag_field="schema", tag=SAVED_SCHEMA, kw_only=True, forbid_unknown_fields=True):
    """A saved game of a variant. Its mines are masked until it is over."""

    rows: int
    columns: int
    total_mines: int
    rules: str
    topology: str = "grid"  # files of older versions have none
    first_click: FirstClick
    seed: int
    start: Cell | None
    status: GameStatus
    ms: int
    sealed: bool
    layout: str
    drawn: list[tuple[int, str]]
    moves: list[list[str | int]]


class _PackedCells(msgspec.Struct, array_like=True):
    values: list[int]
    clues: list[int | list[int] | None]


_read_saved = msgspec.json.Decoder(VariantRecordJson).decode
_read_cells = msgspec.json.Decoder(_PackedCells).decode


def _pack(layout: VariantLayout, sealed: bool) -> str:
    clues = [list(clue) if isinstance(clue, tuple) else clue for clue in layout.clues]
    data = msgspec.json.encode(_PackedCells(list(layout.values), clues))
    return (mask.mask(data, 8 * len(data)) if sealed else data).hex()


def _unpack(document: VariantRecordJson, packed: str) -> VariantLayout:
    """Read a layout. Raises BoardSyntaxError if it does not fit the rest of the game."""
    try:
        checks.seed("seed", document.seed)
        variant, topology = Variant.parse(document.rules), cast("Topology", document.topology)
        require_board(document.rows, document.columns, topology, variant)
        data = bytes.fromhex(packed)
        cells = _read_cells(mask.unmask(data, 8 * len(data)) if document.sealed else data)
    except (ValueError, TypeError, msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BoardSyntaxError(f"expected a game of a variant: {error}") from None
    count, values = document.rows * document.columns, tuple(cells.values)
    clues = tuple(tuple(clue) if isinstance(clue, list) else clue for clue in cells.clues)
    if (len(values), len(clues), sum(values)) != (count, count, document.total_mines):
        raise BoardSyntaxError(f"expected {document.total_mines} mines and a clue for each cell in `layout`")
    if not all(0 <= value <= variant.cell_max for value in values):
        raise BoardSyntaxError(f"expected 0 to {variant.cell_max} mines in each cell in `layout`")
    layout = VariantLayout(document.rows, document.columns, values, clues, variant, document.start, topology)
    _require_true_clues(layout)
    return layout


def _require_true_clues(layout: VariantLayout) -> None:
    for index, clue in enumerate(layout.clues):
        if clue is not None and clue not in true_clues(layout, index):
            raise BoardSyntaxError(f"the clue {clue_text(clue)} at {at(divmod(index, layout.columns))} is not true")
