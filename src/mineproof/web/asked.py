"""What a request may say: one class a body, with the options of the command, ``_`` for ``-``.

msgspec reads a body into its class, and refuses what has another type, another name or is out of bounds; the same
classes make the schemas of the OpenAPI document. A key that stands twice is refused too: nobody can tell which of the
two was meant.
"""

from __future__ import annotations

import datetime
import json
import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from mineproof.base.checks import shortened
from mineproof.base.words import at
from mineproof.board.board import Flags
from mineproof.board.geometry import Topology
from mineproof.board.start import FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import ChordRule, Fairness, MoveKind
from mineproof.generation.wishes import Method
from mineproof.history.history import Order
from mineproof.web.limits import (
    LESSONS,
    MOST_CELLS,
    MOST_GAMES_SIMULATED,
    MOST_SECONDS,
    MOST_TAUGHT,
    MOST_THINKING,
    SECONDS,
    STATES,
)

B = TypeVar("B", bound=Struct)
MOST_LISTED = 1_000_000  # games of a history
_CONFIRMED = re.compile("([0-9]{1,4}),([0-9]{1,4}),([0-8#F?*])")

Seconds = Annotated[float, Meta(gt=0, le=MOST_SECONDS, description="Give up after this time.")]
Thinking = Annotated[  # its bounds are in `_require_thinking`, which says what was found
    float,
    Meta(
        description="Think a guess over for so long, on all processors, or until it is clear.",
        extra_json_schema={"exclusiveMinimum": 0, "maximum": MOST_THINKING},
    ),
]
States = Annotated[int, Meta(ge=1, le=STATES, description="Give up after this effort.")]
Mines = Annotated[int, Meta(ge=0, le=MOST_CELLS, description="Number of mines.")]
Side = Annotated[int, Meta(ge=1, le=MOST_CELLS)]
Cell = Annotated[tuple[int, int], Meta(description="[row, column], from 0 from the top left.")]
Seed = Annotated[int, Meta(ge=0, description="0 to 2**64 - 1.")]  # the library refuses what is larger
Technique = Literal[
    "single-open", "single-flag", "partition", "bounds", "elimination", "contradiction", "total", "exhaustive"
]
Practised = Literal[
    "single-open", "single-flag", "partition", "bounds", "elimination", "contradiction", "total", "exhaustive", "guess"
]
Level = Annotated[str, Meta(description="beginner, beginner8, intermediate, expert or WxHxM.")]
Density = Annotated[
    float | str, Meta(description='Chance of a mine per cell where the number is unknown: 0.2 or "1/5".')
]
Wanted = Annotated[
    int | tuple[int | None, int | None], Meta(description="A number, or [least, most] with null for no bound.")
]
BoardText = Annotated[str, Meta(description="A position or a layout in any format: '1#/##', a link, a game ID, JSON.")]


class Source(Struct, forbid_unknown_fields=True, kw_only=True):
    """What every question about a board has: its text, or the bytes of a file."""

    board: BoardText = ""
    data: Annotated[bytes, Meta(description="The bytes of a file instead of `board`, in base64.")] | None = None
    mines: Mines | None = None
    topology: Topology | None = None
    from_: Annotated[str, Meta(description="The name of the format.")] | None = field(name="from", default=None)
    size: Annotated[str, Meta(description="WIDTHxHEIGHT, where the format needs it.")] | None = None

    def __post_init__(self) -> None:
        if bool(self.board) == bool(self.data):
            raise ValueError(f"found {'both' if self.board else 'neither'} of `board` and `data`, expected one of them")


class Analyze(Source, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    density: Density | None = None
    exact: bool = False
    budget: Seconds = SECONDS
    states: States = STATES


class Solve(Source, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    technique: Technique | None = None
    show: Literal["bounds", "matrix"] | None = None
    budget: Seconds = SECONDS
    states: States = STATES


class Hint(Source, forbid_unknown_fields=True, kw_only=True):
    flags: Literal["check", "trust", "ignore"] = "check"
    density: Density | None = None
    level: Annotated[int, Meta(ge=1, le=4)] = 4
    prefer: Literal["easiest", "safe"] = "easiest"
    safe_only: bool = False
    budget: Seconds = SECONDS
    states: States = STATES


class Best(Source, forbid_unknown_fields=True, kw_only=True):
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


class Think(Source, forbid_unknown_fields=True, kw_only=True):
    flags: Flags = "trust"
    seconds: Thinking
    budget: Seconds = SECONDS
    states: States = STATES

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_thinking(self.seconds)


class Convert(Source, forbid_unknown_fields=True, kw_only=True):
    to: str = "json"
    start: Cell | None = None


class Read(Struct, forbid_unknown_fields=True, kw_only=True):
    confirm: Annotated[
        str,
        Meta(
            description="What somebody who looked at the picture says of cells: `R,C,MARK;R,C,MARK`, marks as in "
            "`cells`. Cells that look alike follow."
        ),
    ] = ""

    def marks(self) -> dict[tuple[int, int], str]:
        """The cells with their marks; ValueError says what cannot be read."""
        found: dict[tuple[int, int], str] = {}
        for part in self.confirm.split(";") if self.confirm else ():
            told = _CONFIRMED.fullmatch(part)
            if told is None:
                raise ValueError(f"found {shortened(part)} in `confirm`, expected R,C,MARK with one of 0-8 # F ? *")
            cell = int(told[1]), int(told[2])
            if cell in found:
                raise ValueError(f"found {at(cell)} twice in `confirm`, expected it once")
            found[cell] = told[3]
        return found


class Check(Source, forbid_unknown_fields=True, kw_only=True):
    start: Cell | None = None
    certificate: dict[str, Any] | None = None
    anywhere: bool = False
    budget: Seconds = SECONDS


class Sized(Struct, forbid_unknown_fields=True, kw_only=True):
    """A level, or the three parts of a size; parts win."""

    level: Level | None = None
    rows: Side | None = None
    columns: Side | None = None
    mines: Mines | None = None


class Generate(Sized, forbid_unknown_fields=True, kw_only=True):
    no_guess: bool = False
    start: Cell | None = None
    first_click: FirstClick | None = None
    seed: Seed | None = None
    number: Seed = 0
    topology: Topology = "grid"
    method: Method = "repair"
    needs: Technique | None = None
    hardest: Technique | None = None
    bbbv: Wanted | None = None
    openings: Wanted | None = None
    islands: Wanted | None = None
    zini: Wanted | None = None
    human_zini: Wanted | None = None
    certificate: bool = False
    measures: Annotated[bool, Meta(description="Tell 3BV and the like, and the whole board opened.")] = False
    budget: Seconds = SECONDS


class Simulate(Sized, forbid_unknown_fields=True, kw_only=True):
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES_SIMULATED)] = 10_000
    strategy: str = "fast"
    against: Annotated[str, Meta(description="Another strategy, to play the same games.")] | None = None
    first_click: FirstClick = "safe"
    start: Cell | Literal["random"] | None = None
    seed: Seed | None = None
    first_game: Annotated[int, Meta(ge=0, le=2**61)] = 0
    resume: Annotated[list[dict[str, Any]], Meta(description="The simulations of an event, to go on from.")] | None = (
        None
    )
    topology: Topology = "grid"


class NewGame(Sized, forbid_unknown_fields=True, kw_only=True):
    layout: Annotated[str, Meta(min_length=1, description="A layout in any format, to be played as it is.")] | None = (
        None
    )
    first_click: Annotated[FirstClick, Meta(description="Unless given, safe; of a layout, any.")] | None = None
    fairness: Fairness = "none"
    chord_rule: ChordRule = "equal"
    no_guess: bool = False
    topology: Annotated[Topology, Meta(description="Unless given, grid, or what the layout says.")] | None = None
    seed: Seed | None = None


class Move(Struct, forbid_unknown_fields=True, kw_only=True):
    kind: MoveKind
    cell: Cell | None = None
    moves: (
        Annotated[
            int, Meta(ge=0, description="How many moves you know of, as `moves` of the view: 409 if others were made.")
        ]
        | None
    ) = None


class GameBest(Struct, forbid_unknown_fields=True, kw_only=True):
    seconds: Thinking | None = None

    def __post_init__(self) -> None:
        _require_thinking(self.seconds)


class GameThink(Struct, forbid_unknown_fields=True, kw_only=True):
    seconds: Thinking

    def __post_init__(self) -> None:
        _require_thinking(self.seconds)


class GoOn(Struct, forbid_unknown_fields=True, kw_only=True):
    move: Annotated[int, Meta(ge=0, description="How many moves are made already; 0 is the beginning.")]


class Puzzle(Struct, forbid_unknown_fields=True, kw_only=True):
    technique: Practised | None = None
    level: Level | None = None
    seed: Seed | None = None
    daily: Annotated[bool, Meta(description="The puzzle of today (UTC), the same for everybody.")] = False
    solution: Annotated[bool, Meta(description="Tell the answer with it, as the command does.")] = True
    budget: Seconds = SECONDS


class Answer(Struct, forbid_unknown_fields=True, kw_only=True):
    board: Annotated[str, Meta(min_length=1)] | dict[str, Any]  # as `board` of the puzzle, or as text
    technique: Practised
    cell: Cell
    level: Level | None = None
    seed: Seed | None = None
    date: Annotated[datetime.date, Meta(description="Of a daily puzzle.")] | None = None
    counted: Annotated[bool, Meta(description="Whether it shall count for the rating.")] = True
    budget: Seconds = SECONDS


Day = Annotated[str, Meta(description="2026-11-01, or 2026-11-01T18:30; local time unless it names a zone.")]


class Past(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which finished games are meant."""

    level: Level | None = None
    help: Annotated[bool, Meta(description="Played with help, or without.")] | None = None
    since: Day | None = None
    until: Day | None = None


class PastGames(Past, forbid_unknown_fields=True, kw_only=True):
    won: bool | None = None
    order: Order = "date"
    limit: Annotated[int, Meta(ge=1, le=MOST_LISTED)] | None = None


LessonFormat = Annotated[
    Literal["json", "html"], Meta(description="The lesson as data, or as a page that needs nothing else.")
]


class Lesson(Struct, forbid_unknown_fields=True, kw_only=True):
    to: LessonFormat = "json"


class Profile(PastGames, forbid_unknown_fields=True, kw_only=True):
    limit: Annotated[int, Meta(ge=1, le=MOST_TAUGHT)] = LESSONS
    to: LessonFormat = "json"


class Export(PastGames, forbid_unknown_fields=True, kw_only=True):
    to: Literal["csv", "jsonl"] = "csv"


class Import(Struct, forbid_unknown_fields=True, kw_only=True):
    data: Annotated[bytes, Meta(min_length=1, description="A saved game, a replay or JSON lines, in base64.")]
    file: Annotated[str, Meta(max_length=1000, description="What the file is called.")] = ""
    player: Annotated[str, Meta(description="Who played, whatever the file says.")] | None = None


class Name(Struct, forbid_unknown_fields=True, kw_only=True):
    name: Annotated[str, Meta(description="Who played it; null takes the name off.")] | None


def _require_thinking(seconds: float | None) -> None:
    if seconds is not None and not 0 < seconds <= MOST_THINKING:
        expected = f"expected more than 0 and at most {MOST_THINKING:g} here; the command takes more"
        raise ValueError(f"found {seconds:g} in `seconds`, {expected}")


_decode = msgspec.json.Decoder(dict[str, Any]).decode


def read(body: bytes, decoder: msgspec.json.Decoder[B]) -> B:
    """A body as an object of its class; BoardSyntaxError says what is wrong with it."""
    try:
        asked = decoder.decode(body)
        # Each key has a colon. Where there are no more of them than keys that differ, no key stands twice; where there
        # are, some may be in a text, or in an object inside, and a slower look tells.
        if body.count(b":") != len(_decode(body)):
            json.loads(body, object_pairs_hook=_once)
    except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    return asked


def _once(pairs: list[tuple[str, object]]) -> None:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"found the key {twice!r} twice, expected it once")
