"""Request bodies and queries: one class each, with the options of the command (``_`` for ``-``).

msgspec parses a body into its class and rejects wrong types, unknown keys and values out of range. The OpenAPI document
gets its schemas from the same classes. Duplicate keys are rejected too, because they are ambiguous.
"""

from __future__ import annotations

import datetime
import json
import re
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, field

from mineproof.base.checks import shorten
from mineproof.base.words import at
from mineproof.board.board import Flags
from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.deduction.ladder import LADDER
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import ChordRule, Fairness, MoveKind
from mineproof.generation.requirements import Method
from mineproof.history.history import Order, Origin
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.practice.runs import RunMode
from mineproof.web.limits import (
    LARGE_BODY,
    LESSONS,
    MAX_CELLS,
    MAX_DIGITS,
    MAX_KEYS,
    MAX_LESSONS,
    MAX_SECONDS,
    MAX_SIMULATED_GAMES,
    MAX_THINKING_SECONDS,
    SECONDS,
    STATES,
)

B = TypeVar("B", bound=Struct)
MAX_LISTED_GAMES = 1_000_000  # games of a history
_RESIZED = re.compile("(up|down|left|right),(-?[0-9]{1,2})")
_CONFIRMED = re.compile("([0-9]{1,4}),([0-9]{1,4}),([0-8#F?*])")

Seconds = Annotated[float, Meta(gt=0, le=MAX_SECONDS, description="Give up after this time.")]
Thinking = Annotated[  # `_require_thinking` checks the bounds, for a better error message
    float,
    Meta(
        description="Time to think about a guess, on all processors. Ends early if the best move is clear.",
        extra_json_schema={"exclusiveMinimum": 0, "maximum": MAX_THINKING_SECONDS},
    ),
]
States = Annotated[int, Meta(ge=1, le=STATES, description="Give up after this effort.")]
Mines = Annotated[int, Meta(ge=0, le=MAX_CELLS, description="Number of mines.")]
Side = Annotated[int, Meta(ge=1, le=MAX_CELLS)]
Cell = Annotated[tuple[int, int], Meta(description="[row, column], zero-based, from the top left.")]
Seed = Annotated[int, Meta(ge=0, description="0 to 2**64 - 1.")]  # the library rejects larger ones
if TYPE_CHECKING:
    TechniqueName = str
    PuzzleTechnique = str
else:
    TechniqueName = Literal[tuple(LADDER)]
    PuzzleTechnique = Literal[TECHNIQUES]
Level = Annotated[str, Meta(description="beginner, beginner8, intermediate, expert or WxHxM.")]
Density = Annotated[
    float | str, Meta(description='Chance of a mine per cell if the number of mines is unknown: 0.2 or "1/5".')
]
Range = Annotated[
    int | tuple[int | None, int | None], Meta(description="A number, or [minimum, maximum] with null for no bound.")
]
BoardText = Annotated[str, Meta(description="A position or a layout in any format: '1#/##', a link, a game ID, JSON.")]


class BoardRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    """A board: its text, or the bytes of a file."""

    board: BoardText = ""
    data: Annotated[bytes, Meta(description="The bytes of a file, in base64, instead of `board`.")] | None = None
    mines: Mines | None = None
    topology: Topology | None = None
    from_: Annotated[str, Meta(description="Name of the format.")] | None = field(name="from", default=None)
    size: Annotated[str, Meta(description="WIDTHxHEIGHT, if the format needs it.")] | None = None

    def __post_init__(self) -> None:
        if bool(self.board) == bool(self.data):
            raise ValueError(f"expected `board` or `data`, got {'both' if self.board else 'neither'}")


class AnalyzeRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    density: Density | None = None
    exact: bool = False
    cell: Annotated[Cell, Meta(description="A covered cell: also return the `numbers` it can show.")] | None = None
    budget: Seconds = SECONDS
    states: States = STATES


class SolveRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    technique: TechniqueName | None = None
    show: Literal["bounds", "matrix"] | None = None
    budget: Seconds = SECONDS
    states: States = STATES


class HintRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    flags: Literal["check", "trust", "ignore"] = "check"
    density: Density | None = None
    level: Annotated[int, Meta(ge=1, le=4)] = 4
    prefer: Literal["easiest", "safe"] = "easiest"
    safe_only: bool = False
    budget: Seconds = SECONDS
    states: States = STATES


class BestRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    exact: bool = False
    strategy: str | None = None
    seconds: Thinking | None = None
    playouts: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    first_click: FirstClick | None = None
    budget: Seconds = SECONDS
    states: States = STATES

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_thinking(self.seconds)


class ThinkRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    seconds: Thinking
    budget: Seconds = SECONDS
    states: States = STATES

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_thinking(self.seconds)


class ConvertRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    to: str = "json"
    start: Cell | None = None


class ReadQuery(Struct, forbid_unknown_fields=True, kw_only=True):
    confirm: Annotated[
        str,
        Meta(
            description="Confirmed or corrected cells: `R,C,MARK;R,C,MARK`, marks as in `cells`. Cells that look the "
            "same change too."
        ),
    ] = ""

    size: Annotated[
        str,
        Meta(
            description="Answers about the size: `SIDE,CHANGE;SIDE,CHANGE` with the sides up, down, left and right. "
            "CHANGE is 1 to add a row or column, -1 to remove it, 0 if the side is right. Cells of `confirm` count on "
            "the board after that."
        ),
    ] = ""

    def changes(self) -> dict[str, int]:
        """Return the change of each side; ValueError names an invalid part."""
        changes: dict[str, int] = {}
        for part in self.size.split(";") if self.size else ():
            match = _RESIZED.fullmatch(part)
            if match is None:
                raise ValueError(f"`size`: expected SIDE,CHANGE with up, down, left or right, got {shorten(part)}")
            if match[1] in changes:
                raise ValueError(f"`size`: expected each side once, got {match[1]} twice")
            changes[match[1]] = int(match[2])
        return changes

    def marks(self) -> dict[tuple[int, int], str]:
        """Return the cells with their marks; ValueError names an invalid part."""
        marks: dict[tuple[int, int], str] = {}
        for part in self.confirm.split(";") if self.confirm else ():
            match = _CONFIRMED.fullmatch(part)
            if match is None:
                raise ValueError(f"`confirm`: expected R,C,MARK with one of 0-8 # F ? *, got {shorten(part)}")
            cell = int(match[1]), int(match[2])
            if cell in marks:
                raise ValueError(f"`confirm`: expected each cell once, got {at(cell)} twice")
            marks[cell] = match[3]
        return marks


class CheckRequest(BoardRequest, forbid_unknown_fields=True, kw_only=True):
    start: Cell | None = None
    certificate: dict[str, Any] | None = None
    anywhere: bool = False
    budget: Seconds = SECONDS


class SizedRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    """A level, or the three parts of a size. Parts override the level."""

    level: Level | None = None
    rows: Side | None = None
    columns: Side | None = None
    mines: Mines | None = None


class GenerateRequest(SizedRequest, forbid_unknown_fields=True, kw_only=True):
    no_guess: bool = False
    start: Cell | None = None
    first_click: FirstClick | None = None
    seed: Seed | None = None
    number: Seed = 0
    topology: Topology = "grid"
    method: Method = "repair"
    needs: TechniqueName | None = None
    hardest: TechniqueName | None = None
    difficulty: Range | None = None
    bbbv: Range | None = None
    openings: Range | None = None
    islands: Range | None = None
    zini: Range | None = None
    human_zini: Range | None = None
    certificate: bool = False
    measures: Annotated[bool, Meta(description="Include 3BV and other measures, and the opened board.")] = False
    budget: Seconds = SECONDS


class SimulateRequest(SizedRequest, forbid_unknown_fields=True, kw_only=True):
    games: Annotated[int, Meta(ge=1, le=MAX_SIMULATED_GAMES)] = 10_000
    strategy: str = "fast"
    against: Annotated[str, Meta(description="Another strategy that plays the same games.")] | None = None
    first_click: FirstClick = "safe"
    start: Cell | Literal["random"] | None = None
    seed: Seed | None = None
    first_game: Annotated[int, Meta(ge=0, le=2**61)] = 0
    resume: Annotated[list[dict[str, Any]], Meta(description="The simulations of an event, to continue.")] | None = None
    topology: Topology = "grid"


class NewGameRequest(SizedRequest, forbid_unknown_fields=True, kw_only=True):
    layout: Annotated[str, Meta(min_length=1, description="A layout to play, in any format.")] | None = None
    position: (
        Annotated[str, Meta(min_length=1, description="A position to continue; the mines are drawn from all layouts.")]
        | None
    ) = None
    first_click: Annotated[FirstClick, Meta(description="Default: safe; any for a layout.")] | None = None
    fairness: Fairness = "none"
    chord_rule: ChordRule = "equal"
    no_guess: bool = False
    topology: Annotated[Topology, Meta(description="Default: that of the layout, or grid.")] | None = None
    seed: Seed | None = None


class MoveRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    kind: MoveKind
    cell: Cell | None = None
    moves: (
        Annotated[
            int, Meta(ge=0, description="The client's number of moves, as `moves` of the view; 409 if it is outdated.")
        ]
        | None
    ) = None
    retry: Annotated[
        bool, Meta(description="The response to this move got lost. If the game has it, it is not made again.")
    ] = False

    def __post_init__(self) -> None:
        if self.retry and self.moves is None:
            raise ValueError("`retry` needs `moves`, the number of moves before this one")


class NewVariantGameRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    rules: Annotated[str, Meta(max_length=200, description="Names of rules, such as `liar,quad`; see `GET /variants`.")]
    rows: Annotated[int, Meta(ge=1, le=MAX_CELLS, description="Default: as in the gallery.")] | None = None
    columns: Side | None = None
    mines: Mines | None = None
    seed: Seed | None = None
    first_click: FirstClick = "safe"


class VariantMoveRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    kind: Literal["open", "flag", "chord", "undo"]
    cell: Cell | None = None
    moves: Annotated[int, Meta(ge=0, description="The client's number of moves; 409 if it is outdated.")] | None = None


class GameBestQuery(Struct, forbid_unknown_fields=True, kw_only=True):
    seconds: Thinking | None = None

    def __post_init__(self) -> None:
        _require_thinking(self.seconds)


class GameThinkQuery(Struct, forbid_unknown_fields=True, kw_only=True):
    seconds: Thinking

    def __post_init__(self) -> None:
        _require_thinking(self.seconds)


class ContinueRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    move: Annotated[int, Meta(ge=0, description="Number of moves to keep; 0 is the beginning.")]


RunId = Annotated[
    int, Meta(ge=1, le=2**53, description="A streak or storm of the player, which chooses the technique.")
]


class PuzzleRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    technique: PuzzleTechnique | None = None
    level: Level | None = None
    seed: Seed | None = None
    daily: Annotated[bool, Meta(description="Today's puzzle (UTC), the same for all players.")] = False
    date: Annotated[datetime.date, Meta(description="The daily puzzle of this day, not of the future.")] | None = None
    run: RunId | None = None
    solution: Annotated[bool, Meta(description="Include the solution, as the command does.")] = True
    budget: Seconds = SECONDS


class PuzzleAnswerRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    board: Annotated[str, Meta(min_length=1)] | dict[str, Any]  # as `board` of the puzzle, or as text
    technique: PuzzleTechnique
    cell: Cell
    level: Level | None = None
    seed: Seed | None = None
    date: Annotated[datetime.date, Meta(description="Date of a daily puzzle.")] | None = None
    counted: Annotated[bool, Meta(description="Whether the answer counts for the rating.")] = True
    run: RunId | None = None
    retry: Annotated[
        bool, Meta(description="Another try at a failed puzzle; a right answer takes it off the list.")
    ] = False
    ms: Annotated[int, Meta(ge=0, le=86_400_000, description="Milliseconds the player took.")] | None = None
    budget: Seconds = SECONDS


class RunRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    mode: Annotated[RunMode, Meta(description="streak: until the first mistake; storm: three minutes.")]
    level: Level = "beginner"


class DailyQuery(Struct, forbid_unknown_fields=True, kw_only=True):
    month: (
        Annotated[str, Meta(pattern=r"^\d{4}-(0[1-9]|1[0-2])$", description="2026-11; default: this month (UTC).")]
        | None
    ) = None


Day = Annotated[str, Meta(description="2026-11-01, or 2026-11-01T18:30; local time unless it has a time zone.")]


class HistoryFilter(Struct, forbid_unknown_fields=True, kw_only=True):
    """A filter on finished games."""

    level: Level | None = None
    help: Annotated[bool, Meta(description="Only games with help (true) or without (false).")] | None = None
    since: Day | None = None
    until: Day | None = None
    origin: (
        Annotated[Origin, Meta(description="Games played here, imported ones, or all. Default: all; own in a summary.")]
        | None
    ) = None


class HistoryQuery(HistoryFilter, forbid_unknown_fields=True, kw_only=True):
    won: bool | None = None
    order: Order = "date"
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_GAMES)] | None = None


LessonFormat = Annotated[Literal["json", "html"], Meta(description="The lesson as JSON, or as a self-contained page.")]


ReaderLanguage = Annotated[
    str, Meta(max_length=35, description="Language such as de; default: that of Accept-Language.")
]


class LessonQuery(Struct, forbid_unknown_fields=True, kw_only=True):
    to: LessonFormat = "json"
    language: ReaderLanguage | None = None


class ProfileQuery(HistoryQuery, forbid_unknown_fields=True, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=MAX_LESSONS)] = LESSONS
    to: LessonFormat = "json"
    language: ReaderLanguage | None = None


class ExportQuery(HistoryQuery, forbid_unknown_fields=True, kw_only=True):
    to: Literal["csv", "jsonl"] = "csv"


class ImportRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    data: Annotated[bytes, Meta(min_length=1, description="A saved game, a replay or JSON lines, in base64.")]
    file: Annotated[str, Meta(max_length=1000, description="Name of the file.")] = ""
    player: Annotated[str, Meta(description="Name of the player; overrides the file.")] | None = None


class NameRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    name: Annotated[str, Meta(description="Name of the player; null removes it.")] | None


def _require_thinking(seconds: float | None) -> None:
    if seconds is not None and not 0 < seconds <= MAX_THINKING_SECONDS:
        limit = f"`seconds` must be more than 0 and at most {MAX_THINKING_SECONDS:g}"
        raise ValueError(f"{limit}, got {seconds:g}. The command line takes more.")


_decode = msgspec.json.Decoder(dict[str, Any]).decode


def read(body: bytes, decoder: msgspec.json.Decoder[B]) -> B:
    """Parse a body into an object of its class; BoardSyntaxError names the problem.

    Takes less than a millisecond up to `LARGE_BODY`. Larger bodies belong in a thread.
    """
    try:
        if len(body) > LARGE_BODY:  # check keys first, so that rejected bodies do not become objects
            _require_few_keys(body)
            _require_distinct_keys(body)
            return decoder.decode(body)
        document = decoder.decode(body)
        if not _has_distinct_keys(body):
            _require_distinct_keys(body)
    except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {explain(error, decoder.type)}") from None
    return document


def explain(error: Exception, kind: object) -> str:
    """Return the message of an error; that of a value that is not allowed lists those that are.

    >>> explain(msgspec.ValidationError("Invalid enum value 'x' - at `$.to`"), ExportQuery)
    "`to` must be one of csv, jsonl, got 'x'"
    """
    match = _NOT_ALLOWED.fullmatch(str(error))
    if match is None or not isinstance(kind, type):
        return str(error)
    allowed = _literals(get_type_hints(kind).get(match[2]))
    return f"`{match[2]}` must be one of {', '.join(map(str, allowed))}, got {match[1]}" if allowed else str(error)


_NOT_ALLOWED = re.compile(r"Invalid enum value (.+) - at `\$\.(\w+)`", re.DOTALL)


def _literals(kind: object) -> list[object]:
    """Return the values of a Literal, or of one that may be None; none of other types."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    others = [part for part in get_args(kind) if part is not type(None)]
    return _literals(others[0]) if len(others) == 1 else []


def _has_distinct_keys(body: bytes) -> bool:
    """Return whether a quick check proves that no key is duplicated.

    Each key has a colon. No key is duplicated if there are no more colons than different keys. More colons may be in
    texts or in inner objects, which need a full check.
    """
    return body.count(b":") == len(_decode(body))


def _require_few_keys(body: bytes) -> None:
    """Raise ValueError if parsing would hold the GIL, which the event loop needs, for tens of milliseconds."""
    if body.count(b":") > MAX_KEYS:
        raise ValueError(f"expected at most {MAX_KEYS:,} keys, got more")


def _require_distinct_keys(body: bytes) -> None:
    json.loads(body, object_pairs_hook=_require_distinct, parse_int=_require_short)


def _require_short(digits: str) -> None:
    """Raise ValueError for an integer so long that parsing it would hold the GIL: the cost is quadratic."""
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"expected numbers of at most {MAX_DIGITS} digits, got one of {len(digits):,}")


def _require_distinct(pairs: list[tuple[str, object]]) -> None:
    names = {name for name, _ in pairs}
    if len(names) == len(pairs):
        return
    for name, _ in pairs:  # the first duplicate is the first name that is missing from the set
        if name not in names:
            raise ValueError(f"expected each key once, got {shorten(name)} twice")
        names.remove(name)
