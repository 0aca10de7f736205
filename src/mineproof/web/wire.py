"""JSON documents that only the server has: games, players, and documents of the library with more keys."""

from typing import Annotated, Literal, NotRequired, TypedDict

from msgspec import Meta

from mineproof.analysis.wire import AnalysisJson
from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson
from mineproof.formats.wire import FormatReadingJson
from mineproof.game.rules import GameStatus
from mineproof.game.wire import (
    GalleryEntryJson,
    HelpUsedJson,
    LayoutJson,
    OutcomeJson,
    ReviewJson,
    TimelineJson,
    VariantOutcomeJson,
    VariantViewJson,
    ViewJson,
)
from mineproof.history.wire import KeptGameJson
from mineproof.practice.wire import AnswerJson, RunJson, StandingJson, TechniqueRatingJson
from mineproof.web.players import Mode

MousePlaceJson = Annotated[list[float], Meta(min_length=3, max_length=3)]  # milliseconds, x and y in cells


class ConvertedBoardJson(BoardJson):
    """A position that was converted, and how it was read."""

    read_as: FormatReadingJson


class ConvertedLayoutJson(LayoutJson):
    """A layout that was converted, and how it was read."""

    read_as: FormatReadingJson


class HelpJson(TypedDict):
    """Help used in a game: counts, whether there was any, and a sentence, empty if there was none."""

    help_used: HelpUsedJson
    with_help: bool
    help_text: str


class LiveViewJson(ViewJson):
    """A game on the server; with the help used after its end, and ``start`` before the first click of a fixed board."""

    id: str
    moves: int
    start: NotRequired[CellJson]
    help_used: NotRequired[HelpUsedJson]
    with_help: NotRequired[bool]
    help_text: NotRequired[str]


class MovedJson(LiveViewJson):
    """A game after a move; ``continues`` is the finished game that an undo at its end continues."""

    outcome: OutcomeJson
    continues: NotRequired[str]


class GameOddsJson(AnalysisJson):
    """The odds of a game, and the chance to get this far."""

    survived: float | None


class ResultJson(HelpJson):
    """Help used in a finished game, personal record and streak of its level."""

    schema: Literal["mineproof/result/1"]
    status: GameStatus
    seconds: float
    level: str
    counts: bool
    best_before: float | None
    is_best: bool
    streak: int
    longest_streak: int


class LiveVariantJson(VariantViewJson):
    """A game of a variant on the server, with the name of the variant and a sentence about it."""

    id: str
    moves: int
    title: str
    sentence: str


class MovedVariantJson(LiveVariantJson):
    """A game of a variant after a move."""

    outcome: VariantOutcomeJson


class VariantJson(GalleryEntryJson):
    """A variant of the gallery, in the language of the request."""

    title: str
    sentence: str


class VariantsJson(TypedDict):
    """The gallery of variants."""

    schema: Literal["mineproof/variants/1"]
    variants: list[VariantJson]


class KeptReviewJson(ReviewJson):
    """Review of a game of the history."""

    game: KeptGameJson


class KeptTimelineJson(TimelineJson):
    """A game of the history, move by move, with the path of the mouse if it is known."""

    mouse_path: list[MousePlaceJson] | None


class CountedRunJson(RunJson):
    """A streak or a storm, and the best score of its mode."""

    best: int


class CountedAnswerJson(AnswerJson):
    """A judged answer, the new standing, and the change of the rating, null if it does not count."""

    standing: StandingJson
    change: float | None
    counted: bool
    run: CountedRunJson | None


class TrainingJson(StandingJson):
    """The rating of a player, and how hard each technique is."""

    techniques: list[TechniqueRatingJson]


class PlayerJson(TypedDict):
    """Whether the server has one player or many; with whether the request names one, or with a new key."""

    schema: Literal["mineproof/player/1"]
    players: Mode
    known: NotRequired[bool]
    key: NotRequired[str | None]
