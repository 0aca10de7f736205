"""A game as data: the layout it began with, the rules, every move, and the layouts it was given on the way.

``{"schema": "mineproof/game/1", "rows": 1, "columns": 3, "total_mines": 1, "topology": "grid", "start": null,
"first_click": "safe", "fairness": "none", "chord_rule": "equal", "seed": 0, "status": "running", "ms": 1500,
"sealed": true, "layout": "…", "moves": [["flag", 0, 2, 0], ["open", 0, 0, 0], ["undo", 1200]], "redraws": [[1, "…"]]}``

Moves are [kind, row, column, milliseconds since the game's clock started]. A layout is a bitmap in hexadecimal, row by
row, highest bit first; ``redraws`` holds, for each move that changed the mines before it took effect, its place in
``moves`` and all mines after it. While a game is not over, bitmaps are sealed by the mask of
`mineproof.game.sealing`, so that the text of a running game shows no mines. ``absent`` (cells that are not part of the
board), ``no_guess`` and ``clicks`` (left, right, double: of the mouse, where a replay told them) are left out where
there is nothing to say, and so are ``given`` (rows of the position that the game began from, in our alphabet), ``help``
(see `mineproof.game.help`) and ``fixed`` (the layout is played as it is, whatever the first click). The last two are of
the player's program: a record does not hold them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import numpy as np

from mineproof.base import checks
from mineproof.base.showing import Shown
from mineproof.base.words import plural, size
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import MAX_CELLS, Cell
from mineproof.board.geometry import Topology
from mineproof.board.notation import quote
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.game import sealing
from mineproof.game.help import HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.rules import REVEALS, ChordRule, Fairness, GameStatus, MoveKind, Rules

SCHEMA = "mineproof/game/1"


LONGEST = 2**53  # milliseconds on a game's clock: whole numbers that a float holds, too


@dataclass(frozen=True, slots=True)
class Move:
    """One thing a player did; ``cell`` is None for an undo, ``ms`` the game's clock in milliseconds."""

    kind: MoveKind
    cell: Cell | None
    ms: int


class Clicks(NamedTuple):
    """Clicks by button: left opens, right marks, both together (or the middle one) chord."""

    left: int
    right: int
    double: int

    @property
    def total(self) -> int:
        return sum(self)


@dataclass(frozen=True)
class Record(Shown):
    """What `mineproof.game.game.Game.replay` needs to play a game again; ``layout`` is as it was before the first move.

    ``redraws`` maps the index of a move to all mines after it, where the move changed them. ``ms`` is the clock when
    the record was made, ``given`` the position it began from if some of it was open already. ``clicks`` are those of
    the mouse, with and without effect, where a replay tells them. Raises BoardSyntaxError when the parts do not agree.
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
            raise BoardSyntaxError(f"found {self.seed} in `seed`, expected 0 to 2**64 - 1")
        if self.won and not self.over:
            raise BoardSyntaxError("found a game that is won but not over in `status`, expected both or neither")
        if self.clicks is not None and min(self.clicks) < 0:
            raise BoardSyntaxError(f"found {list(self.clicks)} in `clicks`, expected none below 0")
        if self.ms > LONGEST:
            raise BoardSyntaxError(f"found {plural(len(str(self.ms)), 'digit')} in `ms`, expected at most {LONGEST}")
        _check_times(self.moves, self.ms)
        for index, mines in self.redraws.items():
            if not (0 <= index < len(self.moves) and self.moves[index].kind in REVEALS):
                raise BoardSyntaxError(f"found move {index} in `redraws`, expected the index of an open or a chord")
            if len(mines) != self.layout.total_mines:
                total = self.layout.total_mines
                raise BoardSyntaxError(f"found {len(mines)} mines in `redraws` after move {index}, expected {total}")

    @property
    def status(self) -> GameStatus:
        if self.over:
            return "won" if self.won else "lost"
        return "running" if any(self.moves[index].kind in REVEALS for index in standing(self.moves)) else "new"

    def __repr__(self) -> str:
        """Says nothing about the mines."""
        board = size(self.layout.rows, self.layout.columns, self.layout.total_mines)
        return f"<Record of {board}: {plural(len(self.moves), 'move')}, {self.status}>"


def standing(moves: Sequence[Move]) -> list[int]:
    """The indices of the moves that count: those that no undo took back, undos left out."""
    line: list[int] = []
    for index, move in enumerate(moves):
        if move.kind != "undo":
            line.append(index)
        elif line:
            line.pop()
        else:
            raise BoardSyntaxError(f"found an undo in `moves[{index}]`, expected a move to take back before it")
    return line


def _check_times(moves: Sequence[Move], ms: int) -> None:
    last = 0
    for index, move in enumerate(moves):
        if move.ms < last:
            raise BoardSyntaxError(f"found {move.ms} ms in `moves[{index}]`, expected no less than {last} before it")
        last = move.ms
    if ms < last:
        raise BoardSyntaxError(f"found {ms} in `ms`, expected no less than the {last} of the last move")


# JSON


class _Document(msgspec.Struct, tag_field="schema", tag=SCHEMA, kw_only=True, forbid_unknown_fields=True):
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


# Made at import: msgspec crashes where two threads make one at once.
_read_document = msgspec.json.Decoder(_Document).decode


class Kept(NamedTuple):
    """What the player's program keeps beside a game: the help used, and whether its layout is played as it is."""

    help: HelpUsed = HelpUsed()
    fixed: bool = False


def fits(text: str) -> bool:
    """Is this a JSON object, whatever is in it?"""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def to_json(record: Record, kept: Kept | None = None) -> str:
    """One line of JSON, in which no mines can be seen as long as the game is not over."""
    layout, rules = record.layout, record.rules
    document = _Document(
        rows=layout.rows,
        columns=layout.columns,
        total_mines=layout.total_mines,
        topology=layout.topology,
        absent=sorted(layout.absent) or msgspec.UNSET,
        start=layout.start,
        no_guess=layout.no_guess or msgspec.UNSET,
        clicks=record.clicks or msgspec.UNSET,
        first_click=rules.first_click,
        fairness=rules.fairness,
        chord_rule=rules.chord_rule,
        seed=record.seed,
        status=record.status,
        ms=record.ms,
        sealed=not record.over,
        layout=_pack(layout, layout.mines, not record.over),
        moves=[[move.kind, *(move.cell or ()), move.ms] for move in record.moves],
        redraws=[(index, _pack(layout, mines, not record.over)) for index, mines in sorted(record.redraws.items())],
        given=msgspec.UNSET if record.given is None else notation.write_rows(layout.columns, record.given.codes),
        help=msgspec.UNSET if kept is None else kept.help,
        fixed=(kept is not None and kept.fixed) or msgspec.UNSET,
    )
    return msgspec.json.encode(document).decode("utf-8")


def from_json(text: str) -> Record:
    """Read a saved game; BoardSyntaxError names the key that is wrong."""
    checks.instance("text", text, str)
    try:
        return _record(_decode(text))
    except (msgspec.MsgspecError, UnicodeError, RecursionError, BoardSyntaxError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None


def kept_in(text: str) -> Kept | None:
    """What is kept beside a saved game that `from_json` reads; None where that is nothing, as in a bare record."""
    document = _decode(text)
    return Kept(document.help, document.fixed is True) if isinstance(document.help, HelpUsed) else None


def _decode(text: str) -> _Document:
    return _read_document(text.removeprefix("\ufeff"))


def _record(document: _Document) -> Record:
    layout = _layout(document)
    redraws = {
        index: _unpack(document, bits, f"redraws[{place}]") for place, (index, bits) in enumerate(document.redraws)
    }
    if len(redraws) != len(document.redraws):
        raise BoardSyntaxError("found a move twice in `redraws`, expected each once")
    record = Record(
        layout,
        Rules(document.first_click, document.fairness, document.chord_rule),
        document.seed,
        tuple(_move(written, index) for index, written in enumerate(document.moves)),
        redraws,
        over=document.status in ("won", "lost"),
        ms=document.ms,
        won=document.status == "won",
        given=None if document.given is msgspec.UNSET else _given(document, document.given),
        clicks=Clicks(*document.clicks) if document.clicks else None,
    )
    if record.status != document.status:
        raise BoardSyntaxError(f"found {document.status!r} in `status`, expected {record.status!r} after those moves")
    return record


def _layout(document: _Document) -> Layout:
    rows, columns = document.rows, document.columns
    if rows < 1 or columns < 1 or rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"found {rows} in `rows`, {columns} in `columns`, expected 1 to {MAX_CELLS} cells")
    mines = _unpack(document, document.layout, "layout")
    if len(mines) != document.total_mines:
        raise BoardSyntaxError(f"found {len(mines)} mines in `layout`, expected {document.total_mines}")
    absent = frozenset(document.absent or ())
    if len(absent) != len(document.absent or ()):
        raise BoardSyntaxError("found a cell twice in `absent`, expected each once")
    try:
        no_guess = document.no_guess is True
        return Layout(rows, columns, mines, document.start, document.topology, absent, no_guess)
    except (BoardSyntaxError, OutsideError) as error:
        raise BoardSyntaxError(f"{error} (in `layout`, `start` or `absent`)") from None


def _given(document: _Document, rows: list[str]) -> Board:
    alphabet, columns = notation.MINEPROOF, document.columns
    if len(rows) != document.rows or any(len(row) != columns for row in rows):
        found = f"{len(rows)} rows of {', '.join(sorted({str(len(row)) for row in rows}))} cells"
        raise BoardSyntaxError(f"found {found} in `given`, expected {document.rows} of {columns}")
    wrong = next((symbol for symbol in "".join(rows) if symbol not in alphabet.symbols), None)
    if wrong is not None:
        raise BoardSyntaxError(f"found {quote(wrong)} in `given`, expected one of {alphabet.expected()}")
    codes = alphabet.codes("".join(rows))
    return Board(document.rows, columns, codes, document.total_mines, document.topology)


def _move(written: Sequence[str | int], index: int) -> Move:
    match written:
        case ["undo", int(ms)]:
            return Move("undo", None, ms)
        case ["open" | "flag" | "question" | "chord" as kind, int(row), int(column), int(ms)]:
            return Move(kind, (row, column), ms)
    found = quote(msgspec.json.encode(written).decode("utf-8"))
    expected = '["open", row, column, ms] (or "flag", "question", "chord") or ["undo", ms]'
    raise BoardSyntaxError(f"found {found} in `moves[{index}]`, expected {expected}")


# bitmaps


def _pack(layout: Layout, mines: frozenset[Cell], sealed: bool) -> str:
    cells = layout.rows * layout.columns
    bits = np.zeros(cells, dtype=np.bool_)
    bits[[row * layout.columns + column for row, column in mines]] = True
    data = np.packbits(bits).tobytes()
    return (sealing.mask(data, cells) if sealed else data).hex()


def _unpack(document: _Document, digits: str, key: str) -> frozenset[Cell]:
    cells, columns = document.rows * document.columns, document.columns
    expected = 2 * -(-cells // 8)
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        raise BoardSyntaxError(f"found {quote(digits)} in `{key}`, expected hexadecimal digits") from None
    if len(digits) != expected or len(data) * 2 != expected:
        raise BoardSyntaxError(f"found {len(digits)} digits in `{key}`, expected {expected} for {cells} cells")
    plain = sealing.unmask(data, cells) if document.sealed else data
    bits = np.unpackbits(np.frombuffer(plain, dtype=np.uint8))
    if bits[cells:].any() or np.unpackbits(np.frombuffer(data, dtype=np.uint8))[cells:].any():
        raise BoardSyntaxError(f"found bits set after the last of {cells} cells in `{key}`, expected zeros")
    return frozenset(divmod(index, columns) for index in np.flatnonzero(bits).tolist())
