"""What the tools of the server return: the JSON of the commands, for a board as text."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Any, Literal

from mineproof import formats
from mineproof.advice.hints import hint
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.words import size as size_words
from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.board.levels import LEVELS, read_size
from mineproof.decision.best_moves import best_move
from mineproof.decision.strategy_table import deciding, describe_strategy
from mineproof.deduction.ladder import LADDER
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.game.rules import FAIRNESSES
from mineproof.generation.generator import generate
from mineproof.generation.guess_check import check
from mineproof.screens.reader import read_image

SECONDS = 20.0  # for one call
MAX_CELLS = 10_000
MAX_LAYOUTS = 20  # that one call generates

Document = dict[str, Any]
Strategy = Literal["fast", "strong", "best", "deep"]


def limit() -> Budget:
    """Return the budget of one call."""
    return Budget(seconds=SECONDS)


def analyze_board(board: str, mines: int | None, topology: Topology | None) -> Document:
    """Return the certain cells and the exact odds."""
    return dict(analyze(read_position(board, mines, topology), budget=limit()).as_json(exact=True))


def hint_for(board: str, mines: int | None, topology: Topology | None) -> Document:
    """Return the next step with its reasons."""
    return dict(hint(read_position(board, mines, topology), budget=limit()).as_json())


def best_move_on(board: str, mines: int | None, topology: Topology | None, strategy: Strategy) -> Document:
    """Return the best move and the moves it was compared with."""
    return dict(best_move(read_position(board, mines, topology), strategy, budget=limit()).as_json())


def check_layout(layout: str, start: list[int] | None) -> Document:
    """Return whether a layout needs a guess."""
    reading = formats.read(layout)
    value = reading.layout if isinstance(reading.value, Board) else reading.value
    if value is None:
        raise BoardSyntaxError("expected a layout, which shows all mines, got a position. Use `analyze` for positions.")
    require_room(value.rows, value.columns)
    return dict(check(value, None if start is None else checks.cell("start", start), budget=limit()).as_json())


def generate_layouts(
    size: str, count: int, *, no_guess: bool, start: list[int] | None, seed: int | None, topology: Topology | None
) -> Document:
    """Return new layouts, with all their mines."""
    board = read_size(size)
    require_room(board.rows, board.columns)
    checks.whole("count", count, 1, MAX_LAYOUTS)
    cell = None if start is None else checks.cell("start", start)
    layouts: list[Layout] = []
    for number in range(count):
        made = generate(
            *board, seed=seed, number=number, no_guess=no_guess, start=cell, topology=topology or "grid", budget=limit()
        )
        seed = made.seed
        layouts.append(made)
    return {"layouts": [layout.as_json() for layout in layouts]}


def read_screenshot(path: str | None, data: str | None) -> Document:
    """Return the board on a picture: a file of this machine, or base64."""
    if (path is None) == (data is None):
        raise ValueError("expected either `path` or `data`, got both or neither")
    if path is not None:
        if Path(path).is_fifo():
            raise ValueError(f"expected a file in `path`, got a pipe: {path!r}")  # reading could wait for ever
        return dict(read_image(Path(path), budget=limit()).as_json())
    try:
        picture = base64.b64decode(data or "", validate=True)
    except binascii.Error:
        raise ValueError("expected base64 in `data`, got something else") from None
    return dict(read_image(picture, budget=limit()).as_json())


def read_position(board: str, mines: int | None, topology: Topology | None) -> Board:
    """Return the position in a text of any format that mineproof reads."""
    reading = formats.read(board, total_mines=mines, topology=topology)
    if not isinstance(reading.value, Board):
        raise BoardSyntaxError(f"expected a position, got a layout ({reading.format}), which shows all mines")
    require_room(reading.value.rows, reading.value.columns)
    return reading.value


def require_room(rows: int, columns: int) -> None:
    """Raise BoardSyntaxError for a board that is too large for one call."""
    if rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"expected at most {MAX_CELLS:,} cells, got {size_words(rows, columns)}")


# documents

BOARDS = """# Boards as text

A position is rows of one symbol per cell. Rows end with a line feed or `/`.

| symbol | meaning |
|---|---|
| `0` to `8` | an open cell with its number |
| `#` | a covered cell |
| `F` | a flag, trusted to be a mine |
| `~` | not part of the board |

The first line may be `WxHxM`: width, height and total number of mines, such as `30x16x99`. Otherwise pass `mines`.
Cells are `[row, column]`, counted from `[0, 0]` at the top left. Example: `1#/##` with `mines` 1.

Sizes are a level ({levels}) or `WxHxM`. Layouts show every mine as `*` and every other cell as `.` or its number.
"""

GAMES = """# Games

`new_game` starts a game and returns its `id`. `move` opens, flags or chords a cell. `look` shows the board again. The
mines of a running game are nowhere in the answers, and there is no undo. `board` of an answer can be passed to
`analyze`, `hint` and `best_move`, with `total_mines` as `mines`.

With `no_guess` the board can be solved from the first click without a guess: always open a cell that `analyze` lists
in `safe`. Otherwise use `best_move` if nothing is safe. `fairness` is one of {fairness}: see the glossary of mineproof.
"""


def boards_document() -> str:
    """How boards are written."""
    return BOARDS.format(levels=", ".join(LEVELS))


def games_document() -> str:
    """How games are played."""
    return GAMES.format(fairness=", ".join(FAIRNESSES))


def techniques_document() -> str:
    """The techniques of deductions, the simplest first."""
    rows = [f"| `{name}` | {technique.label} | {technique.looks_at} |" for name, technique in LADDER.items()]
    return "\n".join(["# Techniques", "", "| technique | name | looks at |", "|---|---|---|", *rows, ""])


def strategies_document() -> str:
    """The strategies that choose a move."""
    return "\n".join(["# Strategies", "", *(f"* `{name}`: {describe_strategy(name)}" for name in deciding()), ""])
