"""JSON documents about the history."""

from typing import Any, Literal, NotRequired, TypedDict

from mineproof.base.wire import IntervalJson
from mineproof.board.start import FirstClick
from mineproof.errors import ErrorJson
from mineproof.game.rules import ChordRule, Fairness
from mineproof.game.wire import ReviewJson, SomeHelpJson


class KeptGameJson(TypedDict):
    """A finished game; times end in Z. ``record`` and ``mouse_path`` are in exported files."""

    schema: Literal["mineproof/kept/1"]
    id: int
    added: str
    played: str | None
    source: str
    player: str | None
    level: str
    rows: int
    columns: int
    mines: int
    absent: int
    topology: str
    first_click: FirstClick
    fairness: Fairness
    chord_rule: ChordRule
    no_guess: bool
    seed: int | None
    won: bool
    ms: int | None
    bbbv: int
    solved_bbbv: int
    openings: int
    islands: int
    zini: int
    human_zini: int
    moves: int
    clicks: int
    left_clicks: int
    right_clicks: int
    chords: int
    effective_clicks: int
    undos: int
    redraws: int
    guesses: int | None
    forced_guesses: int | None
    needless_guesses: int | None
    luck: float | None
    with_help: bool | None
    help_used: SomeHelpJson | None
    given: bool | None
    again: bool | None
    revived: bool
    seconds: float | None
    bbbv_per_second: float | None
    efficiency: float | None
    counts: bool
    accuracy: float | None
    imported: bool
    record: NotRequired[dict[str, Any]]
    mouse_path: NotRequired[list[list[float]]]


class HistoryJson(TypedDict):
    """Finished games; ``review`` is that of a single one."""

    schema: Literal["mineproof/history/1"]
    games: list[KeptGameJson]
    review: NotRequired[ReviewJson]


class LevelSummaryJson(TypedDict):
    """Win rate, streaks and best games of a level."""

    level: str
    topology: str
    fairness: Fairness
    no_guess: bool
    games: int
    wins: int
    win_rate: float | None
    interval: IntervalJson
    current_streak: int
    longest_streak: int
    bbbv_per_second: float | None
    best_without_help: KeptGameJson | None
    best_with_help: KeptGameJson | None


class SummaryJson(TypedDict):
    """The levels of a history."""

    schema: Literal["mineproof/summary/1"]
    levels: list[LevelSummaryJson]


class ImportedGameJson(TypedDict):
    """A game of a file; ``new`` is false if it was known before."""

    id: int
    new: bool


class ImportedFileJson(TypedDict):
    """A file that was imported."""

    file: str
    games: list[ImportedGameJson]
    error: ErrorJson | None


class ImportedJson(TypedDict):
    """Result of an import; ``left_out`` games had to wait, for there was no time."""

    schema: Literal["mineproof/imported/1"]
    added: int
    known: int
    failed: int
    left_out: NotRequired[int]
    files: list[ImportedFileJson]


class ForgottenJson(TypedDict):
    """Numbers of deleted games."""

    schema: Literal["mineproof/forgotten/1"]
    forgotten: list[int]


class ExportedJson(TypedDict):
    """A file of exported games."""

    schema: Literal["mineproof/exported/1"]
    file: str
    games: int


class FilledJson(TypedDict):
    """Games whose guesses were computed, and games without them."""

    schema: Literal["mineproof/filled/1"]
    filled: int
    left: int
