"""Positions with claimed answers, and the readers of the files that have them.

Labels      Our own JSON lines: ``board``, ``total_mines``, and the claimed cells as ``safe``, ``mines``, ``undecided``.
            A list that is not there claims nothing. Lists of ``safe`` cells and ``mines`` claim to be complete unless
            ``complete`` is false.
SynLogic    JSON lines of the Minesweeper task of SynLogic (MiniMax): ``metadata`` with ``revealed_grid``, in which X is
            a covered cell, and ``current_mines``, which claims to be every certain mine. Rows of its published dataset
            have this object as JSON text in ``extra_info.game_data_str``. The number of mines is not given.
Game-RL     The JSON array of the Minesweeper questions of Game-RL, with the files of its ``states`` beside it. The
            questions about what happens when a cell is opened, and about the best move on a cell, make claims. Others
            only ask what is visible, and are skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from mineproof.base import checks, files
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.board.geometry import Topology
from mineproof.board.topology import TOPOLOGIES
from mineproof.errors import BoardSyntaxError
from mineproof.exams.json_lines import decode, line_error, read_lines

LabelFormat = Literal["labels", "synlogic", "game-rl"]
LABEL_FORMATS: tuple[LabelFormat, ...] = get_args(LabelFormat)
ARRAY_MAX_BYTES = 1 << 28
NO_CELLS: frozenset[Cell] = frozenset()


@dataclass(frozen=True)
class LabelledPosition:
    """A position with the answers that someone claims.

    ``safe`` and ``mines`` are the cells that are claimed to be certain, or None if nothing is claimed. If ``complete``,
    each of them claims to be the whole list. ``undecided`` cells are claimed to be neither. ``shown`` has the numbers
    that covered cells are claimed to show when they are opened.
    """

    name: str
    board: Board
    safe: frozenset[Cell] | None = None
    mines: frozenset[Cell] | None = None
    undecided: frozenset[Cell] = NO_CELLS
    shown: Mapping[Cell, int] = field(default_factory=dict)
    complete: bool = True

    def __hash__(self) -> int:
        return hash((self.name, self.board, self.safe, self.mines, self.undecided, self.complete))


def read_labels(path: str | Path, name: LabelFormat | None = None) -> Iterator[LabelledPosition]:
    """Yield the labelled positions of a file: JSON lines of ours, or a file of SynLogic or Game-RL.

    ``name`` is ``"labels"``, ``"synlogic"`` or ``"game-rl"``; without it, the content decides. Raises BoardSyntaxError
    that names the line, or the question, if something cannot be read.
    """
    place = Path(checks.instance("path", path, str) if isinstance(path, str) else checks.instance("path", path, Path))
    checks.one_of("name", name, (*LABEL_FORMATS, None))
    files.require_file(place)
    if name == "game-rl" or (name is None and _begins_array(place)):
        yield from _read_game_rl(place)
        return
    for number, line in read_lines(place):
        value = decode(line, place, number)
        try:
            position = _of_value(value, f"line {number}", name)
        except (TypeError, ValueError) as error:
            raise line_error(place, number, str(error)) from None
        yield position


def _begins_array(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1000).lstrip()[:1] == b"["


def _of_value(value: Any, place: str, name: LabelFormat | None) -> LabelledPosition:
    if not isinstance(value, dict):
        raise BoardSyntaxError(f"expected an object, got {checks.shorten(value)}")
    extra = value.get("extra_info")
    inner = extra if isinstance(extra, dict) else value
    if isinstance(text := inner.get("game_data_str"), str):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BoardSyntaxError(f"`game_data_str`: expected JSON, got something else: {error}") from None
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if name == "synlogic" or (name is None and isinstance(metadata, dict) and "revealed_grid" in metadata):
        return _of_synlogic(metadata if isinstance(metadata, dict) else {}, place)
    return _of_label(value, place)


# our own form


def _of_label(value: dict[str, Any], place: str) -> LabelledPosition:
    if "board" not in value:
        raise BoardSyntaxError("expected the key `board`, got an object without it")
    lists = {key: None if value.get(key) is None else checks.cells(key, value[key]) for key in ("safe", "mines")}
    complete = value.get("complete", True)
    checks.flag("complete", complete)
    name = str(value.get("id", place))
    undecided = checks.cells("undecided", value.get("undecided") or [])
    if lists["safe"] is None and lists["mines"] is None and not undecided:
        raise BoardSyntaxError("expected `safe`, `mines` or `undecided`, got an object without claims")
    return LabelledPosition(
        name, _read_board(value), lists["safe"], lists["mines"], undecided, complete=complete
    )  # fmt: skip


def _read_board(value: dict[str, Any]) -> Board:
    board, total = value["board"], value.get("total_mines")
    if total is not None:
        total = checks.whole("total_mines", total, 0)
    topology: Topology = "grid"
    if isinstance(board, dict):
        total = board.get("total_mines") if total is None else total
        topology = board.get("topology", topology)
        checks.one_of("topology", topology, tuple(TOPOLOGIES))
        board = board.get("cells")
    if isinstance(board, list):
        if board and isinstance(board[0], list):
            return _read_codes(board, total)
        board = "\n".join(map(str, board))
    return Board.parse(checks.instance("board", board, str, "text, rows or board JSON"), total, topology)


def _read_codes(rows: list[Any], total: int | None) -> Board:
    """The board of rows of codes, all of one length."""
    if any(not isinstance(row, list) or len(row) != len(rows[0]) for row in rows):
        raise BoardSyntaxError("expected rows of the same number of codes, got rows of different lengths")
    if any(not isinstance(code, int) or isinstance(code, bool) for row in rows for code in row):
        raise BoardSyntaxError("expected whole numbers as codes, got something else")
    return Board.from_array(rows, total)


# SynLogic


def _of_synlogic(metadata: dict[str, Any], place: str) -> LabelledPosition:
    rows, mines = metadata.get("revealed_grid"), metadata.get("current_mines")
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows) or mines is None:
        raise BoardSyntaxError("expected `revealed_grid` and `current_mines` in `metadata`, got an object without them")
    codes = [[_synlogic_code(sign) for sign in row] for row in rows]
    name = str(metadata.get("trace_id") or place)
    return LabelledPosition(name, _read_codes(codes, None), mines=checks.cells("current_mines", mines))


def _synlogic_code(sign: object) -> int:
    if sign == "X":
        return COVERED
    if isinstance(sign, str | int) and re.fullmatch("[0-8]", str(sign)):
        return int(sign)
    raise BoardSyntaxError(f"expected X or a number from 0 to 8 in `revealed_grid`, got {checks.shorten(sign)}")


# Game-RL

_OPENING = re.compile(r"What will happen if (?:the player|you) reveals? the cell at \((\d{1,4}), ?(\d{1,4})\)")
_BEST_MOVE = re.compile(r"What is the best next move at \((\d{1,4}), ?(\d{1,4})\)")
_NUMBER_OPTION = re.compile(r"reveal the number (\d)")


def _read_game_rl(path: Path) -> Iterator[LabelledPosition]:
    try:
        questions = json.loads(files.read(path, ARRAY_MAX_BYTES))
    except (ValueError, RecursionError) as error:
        raise BoardSyntaxError(f"expected a JSON array, got something else: {error}", source=str(path)) from None
    boards: dict[str, Board] = {}
    for number, question in enumerate(questions if isinstance(questions, list) else [], 1):
        try:
            claim = _game_rl_claim(question)
            if claim is None:
                continue
            state = str(question.get("state", "")).replace("\\", "/")
            if state not in boards:
                boards[state] = _game_rl_board(path.parent, state)
        except (TypeError, ValueError) as error:
            raise BoardSyntaxError(f"question {number}: {error}", source=str(path)) from None
        yield LabelledPosition(str(question.get("data_id", number)), boards[state], complete=False, **claim)


def _game_rl_claim(question: Any) -> dict[str, Any] | None:
    """What the answer to a question claims; None if it claims nothing that counting could check."""
    if not isinstance(question, dict):
        raise BoardSyntaxError(f"expected an object, got {checks.shorten(question)}")
    text, answer = str(question.get("question", "")), str(question.get("answer", ""))
    if match := _OPENING.search(text):
        cell = int(match[1]), int(match[2])
        option = next((str(option) for option in question.get("options") or [] if str(option)[:1] == answer[:1]), "")
        if number := _NUMBER_OPTION.search(option):
            return {"shown": {cell: int(number[1])}}
        if "contains a mine" in option:
            return {"mines": frozenset([cell])}
        return {"shown": {cell: 0}} if "empty area" in option else None
    if match := _BEST_MOVE.search(text):
        cells = frozenset([(int(match[1]), int(match[2]))])
        key = {"A": "mines", "B": "safe", "D": "undecided"}.get(answer[:1])
        return None if key is None else {key: cells}
    return None


def _game_rl_board(folder: Path, name: str) -> Board:
    """The visible board of a state file."""
    place = folder / name
    if not name or not name.isprintable() or not place.resolve().is_relative_to(folder.resolve()):
        raise BoardSyntaxError(f"expected a state file below {folder}, got {checks.shorten(name)}")
    try:
        state = json.loads(files.read(place))
        numbers, opened, flagged = state["mine_board"], state["revealed"], state["flagged"]
        codes = [
            [FLAGGED if flag else int(number) if is_open else COVERED for number, is_open, flag in cells]
            for cells in (zip(*row, strict=True) for row in zip(numbers, opened, flagged, strict=True))
        ]
        return Board.from_array(codes, checks.whole("mines", state["mines"], 0))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BoardSyntaxError(f"{place}: expected a state of Game-RL, got something else: {error}") from None
