"""A game as data: the layout it began with, the rules, every move, and the layouts it was given on the way.

``{"schema": "mineproof/game/1", "rows": 1, "columns": 3, "total_mines": 1, "topology": "grid", "start": null,
"first_click": "safe", "fairness": "none", "chord_rule": "equal", "seed": 0, "status": "running", "ms": 1500,
"sealed": true, "layout": "…", "moves": [["flag", 0, 2, 0], ["open", 0, 0, 0], ["undo", 1200]], "redraws": [[1, "…"]]}``

Moves are [kind, row, column, milliseconds since the game's clock started]. A layout is a bitmap in hexadecimal, row by
row, highest bit first; ``redraws`` holds, for each move that changed the mines before it took effect, its place in
``moves`` and all mines after it. While a game is not over, bitmaps are sealed by the mask of
`mineproof.game.mask`, so that the text of a running game shows no mines. ``absent`` (cells that are not part of the
board), ``no_guess`` and ``clicks`` (left, right, double: of the mouse, if a replay has them) are left out if they are
empty, and so are ``given`` (rows of the position that the game began from, in our alphabet), ``help``
(see `mineproof.game.help`) and ``fixed`` (the first click moves no mine). The last two are `GameExtras` of the player's
program: a `Record` does not contain them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import numpy as np

from mineproof.base import checks
from mineproof.base.notebook import Shown
from mineproof.base.words import plural, size
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import MAX_CELLS, Cell
from mineproof.board.geometry import Topology
from mineproof.board.notation import quote
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.game import mask
from mineproof.game.help import HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.rules import REVEALS, ChordRule, Fairness, GameStatus, MoveKind, Rules

SCHEMA = "mineproof/game/1"


MAX_CLOCK_MS = 2**53  # milliseconds on a game's clock: a float holds these exactly


@dataclass(frozen=True, slots=True)
class Move:
    """A move: ``cell`` is None for an undo, ``ms`` is the time on the game's clock in milliseconds."""

    kind: MoveKind
    cell: Cell | None
    ms: int


class Clicks(NamedTuple):
    """Clicks by button: left opens, right marks, both together (or the middle button) chord."""

    left: int
    right: int
    double: int

    @property
    def total(self) -> int:
        """Number of clicks of all buttons."""
        return sum(self)


@dataclass(frozen=True)
class Record(Shown):
    """A game as data, for `Game.replay`; ``layout`` is the layout before the first move.

    ``redraws`` maps the index of each move that changed the mines to all mines after it. ``ms`` is the time on the
    clock, ``given`` the position the game began from, if any. ``clicks`` are those of the mouse, with and without
    effect, if a replay has them. Raises BoardSyntaxError if the parts do not agree.
    """

    layout: Layout
    rules: Rules = field(default_factory=Rules)
    seed: int = 0
    moves: tuple[Move, ...] = ()
    redraws: Mapping[int, frozenset[Cell]] = field(default_factory=dict)
    over: bool = False
    ms: int = 0
    won: bool = False
    given: Board | None = None
    clicks: Clicks | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**64:
            raise BoardSyntaxError(f"`seed` must be from 0 to 2**64 - 1, got {self.seed}")
        if self.won and not self.over:
            raise BoardSyntaxError("a game that is won must be over, got won without over")
        if self.clicks is not None and min(self.clicks) < 0:
            raise BoardSyntaxError(f"`clicks` must be at least 0, got {list(self.clicks)}")
        if self.ms > MAX_CLOCK_MS:
            raise BoardSyntaxError(f"`ms` must be at most {MAX_CLOCK_MS}, got {plural(len(str(self.ms)), 'digit')}")
        _check_times(self.moves, self.ms)
        for index, mines in self.redraws.items():
            if not (0 <= index < len(self.moves) and self.moves[index].kind in REVEALS):
                raise BoardSyntaxError(f"expected the index of an open or a chord in `redraws`, got {index}")
            if len(mines) != self.layout.total_mines:
                total = self.layout.total_mines
                raise BoardSyntaxError(f"expected {total} mines in `redraws` after move {index}, got {len(mines)}")

    @property
    def status(self) -> GameStatus:
        """``won``, ``lost``, ``running`` or ``new``."""
        if self.over:
            return "won" if self.won else "lost"
        return "running" if any(self.moves[index].kind in REVEALS for index in moves_in_effect(self.moves)) else "new"

    def __repr__(self) -> str:
        """Return a summary without the mines."""
        board = size(self.layout.rows, self.layout.columns, self.layout.total_mines)
        return f"<Record of {board}: {plural(len(self.moves), 'move')}, {self.status}>"


class RecordPart(NamedTuple):
    """Some moves of a game with the other fields of a `Record`, unchecked; ``redraws`` has indices in all moves."""

    layout: Layout
    rules: Rules
    seed: int
    moves: Sequence[Move]
    redraws: Mapping[int, frozenset[Cell]]
    ms: int
    given: Board | None
    clicks: Clicks | None = None


def moves_in_effect(moves: Sequence[Move]) -> list[int]:
    """Return the indices of the moves in effect: without undone moves and undos."""
    line: list[int] = []
    for index, move in enumerate(moves):
        if move.kind != "undo":
            line.append(index)
        elif line:
            line.pop()
        else:
            raise BoardSyntaxError(f"the undo in `moves[{index}]` has no move to undo")
    return line


def _check_times(moves: Sequence[Move], ms: int) -> None:
    last = 0
    for index, move in enumerate(moves):
        if move.ms < last:
            raise BoardSyntaxError(
                f"expected at least {last} ms in `moves[{index}]` after the move before, got {move.ms}"
            )
        last = move.ms
    if ms < last:
        raise BoardSyntaxError(f"`ms` must be at least {last}, the time of the last move, got {ms}")


# JSON


class RecordJson(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
    """A saved game. Its mines are masked until it is over."""

    rows: int
    columns: int
    total_mines: int
    topology: Topology = "grid"
    absent: list[Cell] | msgspec.UnsetType = msgspec.UNSET
    start: Cell | None = None
    no_guess: bool | msgspec.UnsetType = msgspec.UNSET
    clicks: tuple[int, int, int] | msgspec.UnsetType = msgspec.UNSET
    first_click: FirstClick
    fairness: Fairness
    chord_rule: ChordRule
    seed: int
    status: GameStatus
    ms: int
    sealed: bool
    layout: str
    moves: list[list[str | int]]
    redraws: list[tuple[int, str]]
    given: list[str] | msgspec.UnsetType = msgspec.UNSET
    help: HelpUsed | msgspec.UnsetType = msgspec.UNSET
    fixed: bool | msgspec.UnsetType = msgspec.UNSET


class _Block(msgspec.Struct, forbid_unknown_fields=True):
    """Moves of a running game that are stored apart from the rest; see `block_json`."""

    moves: list[list[str | int]]
    redraws: list[tuple[int, str]]


# Created at import: msgspec crashes if two threads create one at the same time.
_read_document = msgspec.json.Decoder(RecordJson).decode
_read_block = msgspec.json.Decoder(_Block).decode


class GameExtras(NamedTuple):
    """What the player's program stores with a game: the help used, and whether the first click moves no mine."""

    help: HelpUsed = HelpUsed()
    fixed: bool = False


def fits(text: str) -> bool:
    """Is this a JSON object of any kind?"""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def to_json(record: Record, extras: GameExtras | None = None) -> str:
    """Return one line of JSON. The mines are masked until the game is over."""
    return part_json(record, record.status, extras, sealed=not record.over)


def part_json(part: Record | RecordPart, status: GameStatus, extras: GameExtras | None, *, sealed: bool = True) -> str:
    """Return the JSON of a record, or of a game without the moves that are stored in blocks (`block_json`)."""
    layout, rules = part.layout, part.rules
    document = RecordJson(
        rows=layout.rows,
        columns=layout.columns,
        total_mines=layout.total_mines,
        topology=layout.topology,
        absent=sorted(layout.absent) or msgspec.UNSET,
        start=layout.start,
        no_guess=layout.no_guess or msgspec.UNSET,
        clicks=part.clicks or msgspec.UNSET,
        first_click=rules.first_click,
        fairness=rules.fairness,
        chord_rule=rules.chord_rule,
        seed=part.seed,
        status=status,
        ms=part.ms,
        sealed=sealed,
        layout=_pack(layout, layout.mines, sealed),
        moves=_moves_json(part.moves),
        redraws=_redraws_json(part, sealed),
        given=msgspec.UNSET if part.given is None else notation.write_rows(layout.columns, part.given.codes),
        help=msgspec.UNSET if extras is None else extras.help,
        fixed=(extras is not None and extras.fixed) or msgspec.UNSET,
    )
    return msgspec.json.encode(document).decode("utf-8")


def block_json(part: RecordPart) -> str:
    """Return the moves of a part, masked. Appending a block costs the same for every move of a game."""
    return msgspec.json.encode(_Block(_moves_json(part.moves), _redraws_json(part, sealed=True))).decode("utf-8")


def join_blocks(blocks: Sequence[str], text: str) -> str:
    """Return the JSON of a whole game from the blocks of its first moves and `part_json` of the rest, all masked.

    Raises BoardSyntaxError if they cannot be read.
    """
    if not blocks:
        return text
    try:
        document, parts = _decode(text), [_read_block(block) for block in blocks]
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    document.moves = [move for part in parts for move in part.moves] + document.moves
    document.redraws = [redraw for part in parts for redraw in part.redraws] + document.redraws
    return msgspec.json.encode(document).decode("utf-8")


def _moves_json(moves: Sequence[Move]) -> list[list[str | int]]:
    return [[move.kind, *(move.cell or ()), move.ms] for move in moves]


def _redraws_json(part: Record | RecordPart, sealed: bool) -> list[tuple[int, str]]:
    return [(index, _pack(part.layout, mines, sealed)) for index, mines in sorted(part.redraws.items())]


def from_json(text: str) -> Record:
    """Read a saved game. Raises BoardSyntaxError, which names the wrong key."""
    checks.instance("text", text, str)
    try:
        return _parse_record(_decode(text))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, BoardSyntaxError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None


def read_extras(text: str) -> GameExtras | None:
    """Return the extras of a saved game that `from_json` reads, or None if it has none."""
    document = _decode(text)
    return GameExtras(document.help, document.fixed is True) if isinstance(document.help, HelpUsed) else None


def _decode(text: str) -> RecordJson:
    return _read_document(text.removeprefix("\ufeff"))


def _parse_record(document: RecordJson) -> Record:
    layout = _parse_layout(document)
    redraws = {
        index: _unpack(document, bits, f"redraws[{place}]") for place, (index, bits) in enumerate(document.redraws)
    }
    if len(redraws) != len(document.redraws):
        raise BoardSyntaxError("a move is listed twice in `redraws`")
    record = Record(
        layout,
        Rules(document.first_click, document.fairness, document.chord_rule),
        document.seed,
        tuple(_parse_move(written, index) for index, written in enumerate(document.moves)),
        redraws,
        over=document.status in ("won", "lost"),
        ms=document.ms,
        won=document.status == "won",
        given=None if document.given is msgspec.UNSET else _parse_given(document, document.given),
        clicks=Clicks(*document.clicks) if document.clicks else None,
    )
    if record.status != document.status:
        raise BoardSyntaxError(f"expected {record.status!r} in `status` after these moves, got {document.status!r}")
    return record


def _parse_layout(document: RecordJson) -> Layout:
    rows, columns = document.rows, document.columns
    if rows < 1 or columns < 1 or rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"expected 1 to {MAX_CELLS} cells, got {rows} in `rows` and {columns} in `columns`")
    mines = _unpack(document, document.layout, "layout")
    if len(mines) != document.total_mines:
        raise BoardSyntaxError(f"expected {document.total_mines} mines in `layout`, got {len(mines)}")
    absent = frozenset(document.absent or ())
    if len(absent) != len(document.absent or ()):
        raise BoardSyntaxError("a cell is listed twice in `absent`")
    try:
        no_guess = document.no_guess is True
        return Layout(rows, columns, mines, document.start, document.topology, absent, no_guess)
    except (BoardSyntaxError, OutsideError) as error:
        raise BoardSyntaxError(f"{error} (in `layout`, `start` or `absent`)") from None


def _parse_given(document: RecordJson, rows: list[str]) -> Board:
    alphabet, columns = notation.MINEPROOF, document.columns
    lines = [notation.split_symbols(row) for row in rows]
    if len(lines) != document.rows or any(len(line) != columns for line in lines):
        sides = f"{len(lines)} rows of {', '.join(sorted({str(len(line)) for line in lines}))} cells"
        raise BoardSyntaxError(f"expected {document.rows} rows of {columns} cells in `given`, got {sides}")
    symbols = [symbol for line in lines for symbol in line]
    wrong = next((symbol for symbol in symbols if symbol not in notation.OUR_SYMBOLS), None)
    if wrong is not None:
        raise BoardSyntaxError(f"expected {alphabet.symbol_list()} in `given`, got {quote(wrong)}")
    return Board(document.rows, columns, notation.codes_of(symbols), document.total_mines, document.topology)


def _parse_move(written: Sequence[str | int], index: int) -> Move:
    match written:
        case ["undo", int(ms)]:
            return Move("undo", None, ms)
        case ["open" | "flag" | "question" | "chord" as kind, int(row), int(column), int(ms)]:
            return Move(kind, (row, column), ms)
    move = quote(msgspec.json.encode(written).decode("utf-8"))
    expected = '["open", row, column, ms] (or "flag", "question", "chord") or ["undo", ms]'
    raise BoardSyntaxError(f"expected {expected} in `moves[{index}]`, got {move}")


# bitmaps


def _pack(layout: Layout, mines: frozenset[Cell], sealed: bool) -> str:
    cells = layout.rows * layout.columns
    bits = np.zeros(cells, dtype=np.bool_)
    bits[[row * layout.columns + column for row, column in mines]] = True
    data = np.packbits(bits).tobytes()
    return (mask.mask(data, cells) if sealed else data).hex()


def _unpack(document: RecordJson, digits: str, key: str) -> frozenset[Cell]:
    cells, columns = document.rows * document.columns, document.columns
    expected = 2 * -(-cells // 8)
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        raise BoardSyntaxError(f"expected hexadecimal digits in `{key}`, got {quote(digits)}") from None
    if len(digits) != expected or len(data) * 2 != expected:
        raise BoardSyntaxError(f"expected {expected} digits for {cells} cells in `{key}`, got {len(digits)}")
    plain = mask.unmask(data, cells) if document.sealed else data
    bits = np.unpackbits(np.frombuffer(plain, dtype=np.uint8))
    if bits[cells:].any() or np.unpackbits(np.frombuffer(data, dtype=np.uint8))[cells:].any():
        raise BoardSyntaxError(f"expected zero bits after the last of {cells} cells in `{key}`, got ones")
    return frozenset(divmod(index, columns) for index in np.flatnonzero(bits).tolist())
