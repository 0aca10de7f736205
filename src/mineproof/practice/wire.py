"""JSON documents about puzzles."""

from typing import Literal, TypedDict

from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson
from mineproof.decision.wire import BestMoveJson
from mineproof.deduction.wire import DeductionJson
from mineproof.practice.answers import PuzzleVerdict
from mineproof.practice.puzzles import PuzzleKind
from mineproof.practice.runs import RunMode


class PuzzleJson(TypedDict):
    """A position that needs a technique; what reveals the answer is null if it was not requested."""

    schema: Literal["mineproof/puzzle/1"]
    technique: str
    kind: PuzzleKind
    level: str
    seed: int | None
    date: str | None
    task: str
    board: BoardJson
    solution: list[CellJson] | None
    deduction: DeductionJson | None
    best: BestMoveJson | None
    positions: int
    games: int


class AnswerJson(TypedDict):
    """A judged answer."""

    schema: Literal["mineproof/answer/1"]
    cell: CellJson
    verdict: PuzzleVerdict
    text: str
    proof: list[DeductionJson]
    mine_probability: float
    puzzle: PuzzleJson


class StandingJson(TypedDict):
    """The rating of a player."""

    schema: Literal["mineproof/standing/1"]
    rating: float
    deviation: float
    volatility: float
    provisional: bool
    answers: int
    right: int
    streak: int
    best_streak: int
    daily_streak: int


class TechniqueRatingJson(TypedDict):
    """How hard a technique is, and the right answers of the player."""

    name: str
    label: str
    rating: float
    deviation: float
    right: int


class TechniqueResultsJson(TypedDict):
    """Results by one technique."""

    name: str
    label: str
    answered: int
    right: int
    median_ms: int | None
    rating: float | None
    provisional: bool


class DayResultsJson(TypedDict):
    """Results of one day."""

    date: str
    answered: int
    right: int


class FailedPuzzleJson(TypedDict):
    """A puzzle that was not solved."""

    technique: str
    level: str
    seed: int
    answered: str


class FinishedRunJson(TypedDict):
    """A streak or a storm that was played."""

    mode: RunMode
    level: str
    started: str
    score: int
    mistakes: int


class DashboardJson(TypedDict):
    """Results by technique and by day, failed puzzles, best and latest runs."""

    schema: Literal["mineproof/dashboard/1"]
    standing: StandingJson
    techniques: list[TechniqueResultsJson]
    days: list[DayResultsJson]
    failed: list[FailedPuzzleJson]
    best: dict[RunMode, int]
    runs: list[FinishedRunJson]


class DailyResultJson(TypedDict):
    """The answer to one daily puzzle."""

    date: str
    right: bool
    on_time: bool
    ms: int | None
    solved: bool


class DailyJson(TypedDict):
    """The daily puzzles of a month that were answered."""

    schema: Literal["mineproof/daily/1"]
    month: str
    today: str
    days: list[DailyResultJson]
    daily_streak: int


class RunJson(TypedDict):
    """A streak or a storm; ``seconds_left`` is null for a streak."""

    schema: Literal["mineproof/run/1"]
    id: int
    mode: RunMode
    level: str
    started: str
    score: int
    mistakes: int
    seconds_left: float | None
    over: bool
