"""JSON documents about layouts and games."""

from typing import Literal, NotRequired, TypedDict

from mineproof.base.wire import CellJson, CellTextJson, CellValueJson
from mineproof.board.start import FirstClick
from mineproof.game.rules import Fairness, GameStatus, MoveKind


class LayoutJson(TypedDict):
    """Where the mines are; empty ``absent`` and a false ``no_guess`` are left out."""

    schema: Literal["mineproof/layout/1"]
    rows: int
    columns: int
    mines: list[CellJson]
    start: CellJson | None
    topology: str
    absent: NotRequired[list[CellJson]]
    no_guess: NotRequired[Literal[True]]


class ViewJson(TypedDict):
    """What the player of a game may see; ``mines`` only after the end."""

    schema: Literal["mineproof/view/1"]
    rows: int
    columns: int
    topology: str
    total_mines: int
    mines_left: int
    status: GameStatus
    seconds: float
    paused: bool
    cells: list[str]
    redraws: int
    exploded: list[CellJson]
    mines: NotRequired[list[CellJson]]


class OutcomeJson(TypedDict):
    """What a move did: opened cells with their numbers, exploded cells, and whether mines were moved."""

    opened: list[CellValueJson]
    exploded: list[CellJson]
    redrawn: bool


class WatchJson(TypedDict):
    """The game that the solver plays. The lines after it are `TurnJson`, the last one is a `ViewJson`."""

    schema: Literal["mineproof/watch/1"]
    rows: int
    columns: int
    total_mines: int
    topology: str
    first_click: FirstClick
    fairness: Fairness
    no_guess: bool
    strategy: str
    seed: int


class TurnJson(TypedDict):
    """A turn of the solver."""

    step: int
    kind: str
    text: str
    because: list[CellJson]
    uses_total: bool
    mine_probability: float | None
    mine_fraction: str | None
    flagged: list[CellJson]
    opened: list[CellValueJson]
    exploded: list[CellJson]
    redrawn: bool
    status: GameStatus


class HelpUsedJson(TypedDict):
    """Counts of help; hints by level."""

    hints: list[int]
    odds_moves: int
    best_moves: int
    auto_moves: int
    undos: int
    repeats: int
    pauses: int


class SomeHelpJson(TypedDict, total=False):
    """Counts of help, as a program knows them."""

    hints: list[int]
    odds_moves: int
    best_moves: int
    auto_moves: int
    undos: int
    repeats: int
    pauses: int


class MeasuresJson(TypedDict):
    """Measures of a layout; ``numbers`` counts the safe cells by their numbers."""

    bbbv: int
    openings: int
    islands: int
    zini: int | None
    human_zini: int | None
    numbers: list[int]


class GuessReviewJson(TypedDict):
    """A reveal that could have lost."""

    index: int
    kind: MoveKind
    cell: CellJson
    cells: list[CellJson]
    ms: int
    mine_probability: float
    mine_fraction: str
    forced: bool
    survived: bool
    redrawn: bool
    undone: bool
    alternative: CellJson | None
    alternative_probability: float | None
    alternative_fraction: str | None
    was_best: bool
    kept: float
    text: str


class GameMeasuresJson(TypedDict):
    """Measures of a game; those that its end decides are null before, and a ratio is null if its divisor is 0."""

    bbbv: int | None
    openings: int | None
    islands: int | None
    zini: int | None
    human_zini: int | None
    numbers: list[int] | None
    solved_bbbv: int | None
    seconds: float
    flags: int | None
    clicks: int
    effective_clicks: int | None
    clicks_by_button: list[int] | None
    effective_by_button: list[int] | None
    bbbv_per_second: float | None
    estimated_seconds: float | None
    clicks_per_second: float | None
    effective_clicks_per_second: float | None
    efficiency: float | None
    correctness: float | None
    throughput: float | None
    zini_efficiency: float | None
    rqp: float | None
    qg: float | None
    stnb: float | None


class ReviewJson(GameMeasuresJson):
    """Review of a game."""

    schema: Literal["mineproof/review/1"]
    rows: int
    columns: int
    total_mines: int | None
    topology: str
    status: GameStatus
    moves: int
    redraws: int
    luck: float
    luck_fraction: str
    accuracy: float | None
    with_help: bool | None
    help_used: HelpUsedJson | None
    help_text: str
    guesses: list[GuessReviewJson]
    notes: list[str]


class TimelineStepJson(TypedDict):
    """A move of a game: changed cells with their signs, and the chance of a mine among the cells of a reveal."""

    move: int
    kind: MoveKind
    cell: CellJson | None
    time: float
    changes: list[CellTextJson]
    exploded: list[CellJson]
    redrawn: bool
    odds: float | None
    survived: float


class TimelineJson(TypedDict):
    """A game, move by move."""

    schema: Literal["mineproof/timeline/1"]
    rows: int
    columns: int
    total_mines: int | None
    topology: str
    status: GameStatus
    cells: list[str]
    mines: list[CellJson]
    steps: list[TimelineStepJson]


class VariantLayoutJson(TypedDict):
    """Where the mines of a variant are, and every clue; mines are row, column, and their number."""

    schema: Literal["mineproof/variant-layout/1"]
    rows: int
    columns: int
    topology: str
    rules: str
    mines: list[CellValueJson]
    clues: list[list[str]]
    start: CellJson | None


class VariantViewJson(TypedDict):
    """What the player of a variant may see; ``mines`` only after the end."""

    schema: Literal["mineproof/variant-view/1"]
    rows: int
    columns: int
    topology: str
    rules: str
    cell_max: int
    total_mines: int
    mines_left: int
    status: GameStatus
    seconds: float
    cells: list[list[str]]
    labels: list[list[str]]
    exploded: list[CellJson]
    mines: NotRequired[list[CellValueJson]]


class VariantOutcomeJson(TypedDict):
    """What a move did: opened cells with their clues, and exploded cells."""

    opened: list[CellTextJson]
    exploded: list[CellJson]


class VariantWatchJson(TypedDict):
    """The game of a variant that the solver plays. The lines after it are `VariantTurnJson` and a `VariantViewJson`."""

    schema: Literal["mineproof/watch/1"]
    rows: int
    columns: int
    topology: str
    total_mines: int
    rules: str
    first_click: FirstClick
    strategy: str
    seed: int


class VariantTurnJson(TypedDict):
    """A turn of the solver in a game of a variant."""

    step: int
    kind: str
    text: str
    cells: list[CellJson]
    opened: list[CellJson]
    exploded: list[CellJson]
    status: GameStatus


class GalleryEntryJson(TypedDict):
    """A variant with a size and an example; ``*`` is a mine, ``.`` a cell that shows nothing."""

    rules: str
    rows: int
    columns: int
    mines: int
    example: list[list[str]]
    centre: NotRequired[CellJson]
    around: NotRequired[list[CellJson]]


class GalleryJson(TypedDict):
    """The gallery of variants, without words."""

    schema: Literal["mineproof/variants/1"]
    variants: list[GalleryEntryJson]
