"""JSON documents about lessons."""

from typing import Literal, TypedDict

from mineproof.advice.wire import HintJson
from mineproof.base.wire import CellJson
from mineproof.game.wire import ReviewJson
from mineproof.lessons.sentences import Topic


class SentenceJson(TypedDict):
    """One point of advice."""

    topic: Topic
    text: str
    technique: str | None
    command: str | None


class WinChanceJson(TypedDict):
    """The chances of one cell."""

    mine_probability: float
    win_probability: float | None
    exact: bool
    win_fraction: str | None
    standard_error: float | None


class GuessLessonJson(TypedDict):
    """What to learn from a guess."""

    index: int
    technique: str | None
    hint: HintJson | None
    best: CellJson | None
    best_win: WinChanceJson | None
    chosen_win: WinChanceJson | None
    cost: float | None
    exact: bool
    was_worse: bool
    text: str


class PauseJson(TypedDict):
    """A pause although a safe cell was in reach."""

    index: int
    time: float
    seconds: float
    lost: float
    lay: float
    technique: str
    hint: HintJson


class LostTimeJson(TypedDict):
    """Pauses in which one technique would have found a safe cell."""

    technique: str
    pauses: int
    seconds: float


class LessonJson(TypedDict):
    """What to learn from a game."""

    schema: Literal["mineproof/lesson/1"]
    name: str
    player: str | None
    sentences: list[SentenceJson]
    review: ReviewJson
    guesses: list[GuessLessonJson]
    pauses: list[PauseJson]
    lost_seconds: float
    lost_by_technique: list[LostTimeJson]
    usual_seconds: float | None
    long_seconds: float | None
    long_waits: int | None
    flags_placed: int
    flags_unused: int


class LessonReviewJson(ReviewJson):
    """Review of a game, and what to learn from it."""

    lesson: LessonJson


class MissedJson(TypedDict):
    """How often a technique was missed."""

    technique: str
    guesses: int
    pauses: int
    seconds: float


class UnreadGameJson(TypedDict):
    """A game without a lesson, and why."""

    name: str
    message: str


class ProfileJson(TypedDict):
    """What games have in common."""

    schema: Literal["mineproof/profile/1"]
    games: int
    won: int
    sentences: list[SentenceJson]
    guesses: int
    needless: int
    forced: int
    was_worse: int
    lost_seconds: float
    clicks: int
    effective_clicks: int
    missed: list[MissedJson]
    names: list[str]
    unread: list[UnreadGameJson]
