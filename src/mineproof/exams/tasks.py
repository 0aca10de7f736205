"""A task as data: a position or a layout, a question, and how the question is written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, get_args

import msgspec

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.checks import shorten
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, LARGEST_NUMBER, Cell
from mineproof.decision.optimal import optimal_moves
from mineproof.engine.answers import Engine
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import languages, use_language

if TYPE_CHECKING:
    from mineproof.exams.wire import AssertionJson, TaskJson

SCHEMA: Final = "mineproof/task/1"

TaskKind = Literal["safe", "mines", "safe-cell", "best-move", "claim", "proof", "game"]
BoardForm = Literal["grid", "coordinates", "words"]
CellState = Literal["safe", "mine", "undecided"]

KINDS: tuple[TaskKind, ...] = get_args(TaskKind)
FORMS: tuple[BoardForm, ...] = get_args(BoardForm)
STATES: tuple[CellState, ...] = get_args(CellState)


@dataclass(frozen=True, slots=True)
class Assertion:
    """A statement about one cell: certainly safe, certainly a mine, or undecided.

    With ``because``, the statement says that these numbers, and the total if ``uses_total``, are enough to prove it.
    """

    cell: Cell
    state: CellState
    because: tuple[Cell, ...] | None = None
    uses_total: bool = True

    def holds(self, board: Board, budget: Budget | float | None = None, engine: Engine | None = None) -> bool:
        """Count whether the statement is true."""
        if self.because is not None:
            board = board.only(map(board.index, self.because), total=self.uses_total)
        return state_of(analyze(board, budget=budget, engine=engine), self.cell) == self.state

    def as_json(self) -> AssertionJson:
        """The assertion as it stands in the metadata of a task."""
        because = None if self.because is None else list(map(list, self.because))
        return {"cell": list(self.cell), "state": self.state, "because": because, "uses_total": self.uses_total}


@dataclass(frozen=True, slots=True)
class Task:
    """A question about Minesweeper in words; see `task`.

    ``board`` is the position that the question is about. ``assertion`` is the statement to check, in tasks of the kinds
    ``"claim"`` and ``"proof"``. ``layout`` has the mines of a ``"game"``; no other kind knows any.

    ``technique`` and ``numbers`` are what the easiest way to an answer takes, if the task was chosen by them.
    ``level``, ``seed`` and ``number`` reproduce the task. ``form`` and ``language`` are how it is written.
    """

    kind: TaskKind
    board: Board
    form: BoardForm = "grid"
    language: str = "en"
    level: str = ""
    seed: int = 0
    number: int = 0
    technique: str | None = None
    numbers: int | None = None
    assertion: Assertion | None = None
    layout: Layout | None = field(default=None, repr=False)

    @property
    def id(self) -> str:
        """A name for the task, which is unique among those of the same options."""
        return "/".join([self.kind, self.form, self.level, str(self.seed), str(self.number)])

    @property
    def prompt(self) -> str:
        """The task in words, with the board and the form of the answer."""
        from mineproof.exams.prompts import write_prompt

        with use_language(self.language):
            return write_prompt(self)

    @property
    def answer(self) -> str:
        """A right answer as text: every right cell, one of the best cells, or ``right`` or ``wrong``."""
        from mineproof.exams.prompts import write_answer

        with use_language(self.language):
            return write_answer(self)

    def as_json(self) -> TaskJson:
        """The ``mineproof/task/1`` shape. The metadata has all that a verdict needs."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "kind": self.kind,
            "prompt": self.prompt,
            "answer": self.answer,
            "metadata": {
                "form": self.form,
                "language": self.language,
                "level": self.level,
                "seed": self.seed,
                "number": self.number,
                "technique": self.technique,
                "numbers": self.numbers,
                "board": self.board.as_json(),
                "assertion": None if self.assertion is None else self.assertion.as_json(),
                "layout": None if self.layout is None else self.layout.as_json(),
            },
        }

    @classmethod
    def from_json(cls, data: str | bytes) -> Task:
        """Return the task of a ``mineproof/task/1`` object; BoardSyntaxError if it is none.

        ``prompt`` and ``answer`` of the object are not used: both are made from its metadata.
        """
        try:
            document = msgspec.json.decode(data, type=_TaskDocument)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BoardSyntaxError(f"expected a task ({SCHEMA}), got something else: {error}") from None
        metadata = document.metadata
        task = cls(
            document.kind, metadata.board.read(), metadata.form, metadata.language, metadata.level, metadata.seed,
            metadata.number, metadata.technique, metadata.numbers,
            None if metadata.assertion is None else metadata.assertion.read(),
            None if metadata.layout is None else metadata.layout.read(),
        )  # fmt: skip
        task.require_sound()
        return task

    def require_sound(self) -> None:
        """Raise BoardSyntaxError if something is missing that the kind of the task needs."""
        if self.language not in languages():
            raise BoardSyntaxError(f"task {self.id}: expected a language of {', '.join(languages())}, got another one")
        if self.board.total_mines is None:
            raise BoardSyntaxError(f"task {self.id}: expected the number of mines, got null")
        if (self.assertion is None) == (self.kind in ("claim", "proof")):
            raise BoardSyntaxError(f"task {self.id}: expected an assertion in tasks of the kinds claim and proof only")
        if self.assertion is not None:
            self._require_sound_assertion(self.assertion)
        if (self.layout is None) == (self.kind == "game"):
            raise BoardSyntaxError(f"task {self.id}: expected a layout in tasks of the kind game only")
        if self.layout is not None:
            _require_same_game(self)

    def _require_sound_assertion(self, assertion: Assertion) -> None:
        if (assertion.because is None) == (self.kind == "proof"):
            raise BoardSyntaxError(f"task {self.id}: expected the numbers of a proof in tasks of the kind proof only")
        if self.board[assertion.cell] != COVERED:
            raise BoardSyntaxError(f"task {self.id}: expected an assertion about a covered cell, got another cell")
        if any(self.board[number] < 0 for number in assertion.because or ()):
            raise BoardSyntaxError(f"task {self.id}: expected open numbers in the proof, got another cell")

    # solutions

    def certain_cells(self, budget: Budget | float | None = None, engine: Engine | None = None) -> frozenset[Cell]:
        """Every right cell of a list or of a single safe cell: the certainly safe cells, or the certain mines."""
        analysis = analyze(self.board, budget=budget, engine=engine)
        return analysis.mines if self.kind == "mines" else analysis.safe

    def win_fractions(self, budget: Budget | float | None = None, engine: Engine | None = None) -> dict[Cell, Fraction]:
        """The chance to win by each cell with optimal play, best first."""
        return optimal_moves(self.board, budget=budget, engine=engine)


def state_of(analysis: Analysis, cell: Cell) -> CellState:
    """What a position says about a covered cell."""
    return "safe" if cell in analysis.safe else "mine" if cell in analysis.mines else "undecided"


def _require_same_game(task: Task) -> None:
    """Raise BoardSyntaxError unless the mines of a game fit its board."""
    layout, board = task.layout, task.board
    assert layout is not None
    if (layout.rows, layout.columns, layout.topology) != (board.rows, board.columns, board.topology):
        raise BoardSyntaxError(f"task {task.id}: expected a layout of the size of the board, got another size")
    numbers = layout.numbers()
    mines = {board.index(cell) for cell in layout.mines}
    shown = [index for index, code in enumerate(board.codes) if code <= LARGEST_NUMBER]
    wrong = any(index in mines or numbers[index] != board.codes[index] for index in shown)
    if wrong or layout.total_mines != board.total_mines:
        raise BoardSyntaxError(f"task {task.id}: the layout does not fit the board.")


# documents


class _BoardPart(msgspec.Struct):
    rows: int
    columns: int
    cells: list[str]
    total_mines: int | None = None
    topology: str = "grid"

    def read(self) -> Board:
        board = Board.parse("\n".join(self.cells), self.total_mines, alphabet="mineproof")
        if (board.rows, board.columns) != (self.rows, self.columns) or self.topology != "grid":
            size = f"{self.rows} rows and {self.columns} columns on a grid"
            raise BoardSyntaxError(f"expected a board of {size}, got {shorten(self.cells)}")
        return board


class _LayoutPart(msgspec.Struct):
    rows: int
    columns: int
    mines: list[tuple[int, int]]
    start: tuple[int, int] | None = None

    def read(self) -> Layout:
        return Layout(self.rows, self.columns, frozenset(self.mines), self.start, no_guess=True)


class _AssertionPart(msgspec.Struct):
    cell: tuple[int, int]
    state: CellState
    because: list[tuple[int, int]] | None = None
    uses_total: bool = True

    def read(self) -> Assertion:
        because = None if self.because is None else tuple(self.because)
        return Assertion(self.cell, self.state, because, self.uses_total)


class _Metadata(msgspec.Struct):
    board: _BoardPart
    form: BoardForm = "grid"
    language: str = "en"
    level: str = ""
    seed: int = 0
    number: int = 0
    technique: str | None = None
    numbers: int | None = None
    assertion: _AssertionPart | None = None
    layout: _LayoutPart | None = None


class _TaskDocument(msgspec.Struct, tag_field="schema", tag=SCHEMA):
    kind: TaskKind
    metadata: _Metadata


def cell_text(cells: Iterable[Cell]) -> str:
    """Return cells as the text of an answer, in their order.

    >>> cell_text([(0, 3), (0, 1)])
    '[[0, 3], [0, 1]]'
    """
    return json.dumps(list(map(list, cells)))


def require_kind(kind: object) -> TaskKind:
    """Return the kind of a task; ValueError if there is no such kind."""
    checks.one_of("kind", kind, KINDS)
    return kind  # type: ignore[return-value]
