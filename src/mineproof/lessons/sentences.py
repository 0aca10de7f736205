"""Five points of advice for a player, about one game or about many, as data.

They always come in the same order: how it ended, needless guesses, the choice among forced guesses, time, clicks. If
there is nothing to improve, the point says so. The sentences themselves are in the catalogues of `mineproof.wording`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from mineproof.deduction.ladder import LADDER
from mineproof.game.game_measures import GameMeasures
from mineproof.practice.puzzles import GUESS
from mineproof.wording.lessons import practise_phrase
from mineproof.wording.phrases import (
    CellValue,
    Decimal,
    HasText,
    Phrase,
    Risk,
    Seconds,
    WinChance,
    join_phrases,
    phrase,
)

if TYPE_CHECKING:
    from mineproof.decision.moves import Option
    from mineproof.game.reviews import Review
    from mineproof.lessons.results import GuessLesson, Lesson, Pause
    from mineproof.lessons.wire import SentenceJson

Topic = Literal["end", "guesses", "choices", "time", "clicks"]

_TECHNIQUE_ORDER = list(LADDER)


@dataclass(frozen=True, slots=True)
class Sentence(HasText):
    """One point of advice. ``technique`` is the technique to practise, or None."""

    topic: Topic
    phrases: tuple[Phrase, ...]
    technique: str | None = None

    @property
    def text(self) -> str:
        """The advice in the current language."""
        return join_phrases(self.phrases)

    @property
    def command(self) -> str | None:
        """The command that shows puzzles for the technique."""
        return None if self.technique is None else f"mineproof puzzle --technique {self.technique}"

    def as_json(self) -> SentenceJson:
        """Return this sentence as a JSON object."""
        return {"topic": self.topic, "text": self.text, "technique": self.technique, "command": self.command}


def describe_lesson(lesson: Lesson) -> tuple[Sentence, ...]:
    """The five points about one game."""
    return (_describe_end(lesson), *_describe_play([lesson]))


def describe_lessons(lessons: Sequence[Lesson]) -> tuple[Sentence, ...]:
    """The five points about several games."""
    return (_describe_ends(lessons), *_describe_play(lessons))


def _describe_play(lessons: Sequence[Lesson]) -> tuple[Sentence, ...]:
    return _describe_guesses(lessons), _describe_choices(lessons), _describe_time(lessons), _describe_clicks(lessons)


def _games_phrase(lessons: Sequence[Lesson], key: str, count: int | None = None, /, **fields: object) -> Phrase:
    """A phrase about one game (``lesson-…``), or about several (``profile-…`` with the field ``games``)."""
    if len(lessons) == 1:
        return phrase(f"lesson-{key}", count, **fields)
    return phrase(f"profile-{key}", count, games=len(lessons), **fields)


def _most_frequent(counts: Mapping[str, int]) -> str:
    """The technique with the highest count; of equal ones the harder, which is learnt later."""
    return max(counts, key=lambda name: (counts[name], _TECHNIQUE_ORDER.index(name)))


# how it ended


def _describe_end(lesson: Lesson) -> Sentence:
    numbers = lesson.review.numbers
    assert numbers is not None  # the game is finished
    if lesson.review.status == "won":
        return Sentence("end", (_won_phrase(numbers), *_help_phrases(lesson.review), *_luck_phrases(lesson.review)))
    guess = losing_guess(lesson)
    lost = phrase(
        "lesson-lost", move=guess.guess.index + 1, solved=numbers.solved_bbbv, bbbv=numbers.measures.bbbv
    )  # fmt: skip
    return Sentence("end", (lost, _loss_phrase(guess), *_help_phrases(lesson.review)))


def _won_phrase(numbers: GameMeasures) -> Phrase:
    time, bbbv, speed = Seconds(numbers.seconds), numbers.solved_bbbv, numbers.bbbv_per_second
    if speed is None:
        return phrase("lesson-won", time=time, bbbv=bbbv)
    return phrase("lesson-won-speed", time=time, bbbv=bbbv, speed=Decimal(speed, 2))


def _help_phrases(review: Review) -> list[Phrase]:
    """The help that the player used, if any."""
    used = review.help_used
    return [phrase("review-help-line", help=used)] if used is not None and used.any else []


def _luck_phrases(review: Review) -> list[Phrase]:
    """The luck of a won game. With help it is no merit that no luck was needed, so nothing is said."""
    luck = review.luck
    if luck == 1:
        return [] if review.with_help else [phrase("lesson-luck-none")]
    if luck * 2 < 1:
        return [phrase("lesson-luck-rare", luck=Risk(luck), times=round(1 / luck))]
    return [phrase("lesson-luck", luck=Risk(luck))]


def losing_guess(lesson: Lesson) -> GuessLesson:
    """The reveal that ended a lost game."""
    return next(guess for guess in reversed(lesson.guesses) if not guess.guess.survived and not guess.guess.undone)


def _loss_phrase(lost: GuessLesson) -> Phrase:
    guess = lost.guess
    if guess.kind == "chord":
        return phrase("lesson-lost-chord", cell=CellValue(guess.cell))
    if guess.mine_fraction == 1:
        return phrase("lesson-lost-mine", cell=CellValue(guess.cell))
    risk = Risk(guess.mine_probability)
    if not guess.forced and guess.alternative is not None:
        return phrase("lesson-lost-needless", risk=risk, cell=CellValue(guess.alternative))
    if lost.was_worse and lost.best_option is not None:
        return phrase("lesson-lost-worse", risk=risk, cell=CellValue(lost.best_option.cell))
    return phrase("lesson-lost-forced", risk=risk)


def _describe_ends(lessons: Sequence[Lesson]) -> Sentence:
    losses = [losing_guess(lesson) for lesson in lessons if lesson.review.status == "lost"]
    won = phrase("profile-won", len(lessons), won=len(lessons) - len(losses))
    if not losses:
        return Sentence("end", (won,))
    needless = sum(not lost.guess.forced for lost in losses)
    if not needless:
        return Sentence("end", (won, phrase("profile-lost-forced", len(losses))))
    if needless == len(losses):
        return Sentence("end", (won, phrase("profile-lost-all-needless", needless)))
    return Sentence("end", (won, phrase("profile-lost-needless", needless, losses=len(losses))))


# guesses


def _describe_guesses(lessons: Sequence[Lesson]) -> Sentence:
    count = sum(len(lesson.guesses) for lesson in lessons)
    needless = [guess for lesson in lessons for guess in lesson.needless]
    if not count:
        helped = any(lesson.review.with_help for lesson in lessons)
        return Sentence("guesses", (_games_phrase(lessons, "guesses-none-help" if helped else "guesses-none"),))
    if not needless:
        return Sentence("guesses", (_games_phrase(lessons, "guesses-forced", count),))
    if len(needless) == count:
        needless_phrase = _games_phrase(lessons, "guesses-needless", count)
    else:
        needless_phrase = _games_phrase(lessons, "guesses-some-needless", len(needless), guesses=count)
    techniques = Counter(str(guess.technique) for guess in needless if guess.technique is not None)
    if not techniques:
        return Sentence("guesses", (needless_phrase,))
    technique = _most_frequent(techniques)
    return Sentence("guesses", (needless_phrase, practise_phrase(technique)), technique)


def _describe_choices(lessons: Sequence[Lesson]) -> Sentence:
    forced = [(lesson, guess) for lesson in lessons for guess in lesson.forced]
    if not forced:
        return Sentence("choices", tuple(_unforced_phrases(lessons)))
    worse = [(lesson, guess) for lesson, guess in forced if guess.was_worse]
    if not worse:
        best = all(_was_best(guess) for _, guess in forced)
        return Sentence("choices", (phrase(f"lesson-choices-{'best' if best else 'unclear'}", len(forced)),))
    if len(forced) == 1:
        worse_phrase = phrase("lesson-choices-worse-one")
    else:
        worse_phrase = phrase("lesson-choices-worse", len(worse), forced=len(forced))
    return Sentence("choices", (worse_phrase, _costliest_phrase(worse, lessons), practise_phrase(GUESS)), GUESS)


def _unforced_phrases(lessons: Sequence[Lesson]) -> list[Phrase]:
    guesses = [(lesson, guess) for lesson in lessons for guess in lesson.guesses]
    if not guesses:
        return [phrase("lesson-choices-no-guess")]
    not_forced = phrase("lesson-choices-not-forced", len(guesses))
    worse = [(lesson, guess) for lesson, guess in guesses if guess.was_worse]
    if worse:
        return [not_forced, _costliest_phrase(worse, lessons)]
    if any(guess.cost is None for _, guess in guesses):
        return [not_forced]
    return [not_forced, phrase("lesson-choices-free", len(guesses))]


def _costliest_phrase(worse: Sequence[tuple[Lesson, GuessLesson]], lessons: Sequence[Lesson]) -> Phrase:
    """The choice that cost most, with the chances of both cells."""
    lesson, worst = max(worse, key=lambda choice: choice[1].cost or 0.0)
    best, chosen = worst.best_option, worst.chosen_option
    assert best is not None
    assert chosen is not None
    fields = {"move": worst.guess.index + 1, **option_fields("best", best), **option_fields("chosen", chosen)}
    if len(lessons) > 1 and lesson.name:
        return phrase("profile-costliest", name=lesson.name, **fields)
    return phrase("lesson-costliest", **fields)


def option_fields(name: str, option: Option) -> dict[str, object]:
    """The fields of a phrase about one option: its cell, and its chance to win."""
    chance = WinChance(option.win_probability or 0.0, option.exact)
    return {name: CellValue(option.cell), f"{name}_wins": chance}


def _was_best(guess: GuessLesson) -> bool:
    best, chosen = guess.best_option, guess.chosen_option
    return best is not None and chosen is not None and (best.cell == chosen.cell or (guess.exact and guess.cost == 0))


# time


def _describe_time(lessons: Sequence[Lesson]) -> Sentence:
    paces = [lesson.pace for lesson in lessons if lesson.pace is not None]
    pauses = [pause for lesson in lessons for pause in lesson.pauses]
    if not paces:
        return Sentence("time", (phrase("lesson-time-unknown"),))
    if pauses:
        technique = lost_time(pauses)[0].technique
        paused = _games_phrase(lessons, "paused", len(pauses), time=Seconds(sum(pause.lost for pause in pauses)))
        return Sentence("time", (paused, practise_phrase(technique)), technique)
    waits = sum(pace.looked_at for pace in paces)
    if waits:
        return Sentence("time", (phrase("lesson-waits-fine", waits),))
    return Sentence("time", (phrase("lesson-no-waits", time=Seconds(max(pace.long for pace in paces))),))


class LostTime(NamedTuple):
    """Pauses in which one technique would have found a safe cell."""

    technique: str
    pauses: int
    seconds: float


def lost_time(pauses: Iterable[Pause]) -> list[LostTime]:
    """Lost time by technique, the most first; of equal times the harder technique."""
    seconds_by_technique: dict[str, list[float]] = {}
    for pause in pauses:
        seconds_by_technique.setdefault(pause.technique, []).append(pause.lost)
    lost_times = [
        LostTime(technique, len(seconds), sum(seconds)) for technique, seconds in seconds_by_technique.items()
    ]
    return sorted(lost_times, key=lambda lost: (-lost.seconds, -_TECHNIQUE_ORDER.index(lost.technique)))


# clicks


_BUTTONS = ("left", "right", "chord")


def _describe_clicks(lessons: Sequence[Lesson]) -> Sentence:
    numbers = [lesson.review.numbers for lesson in lessons if lesson.review.numbers is not None]
    wasted = [sum(counts) for counts in zip(*map(_wasted_clicks, lessons), strict=True)]
    unused, placed = sum(lesson.flags.unused for lesson in lessons), sum(lesson.flags.placed for lesson in lessons)
    return Sentence("clicks", (_clicks_phrase(lessons, numbers), *_waste_phrases(wasted, unused, placed, numbers)))


def _clicks_phrase(lessons: Sequence[Lesson], numbers: Sequence[GameMeasures]) -> Phrase:
    """All clicks, compared with ZiNi, or with the solved 3BV where a board was not solved."""
    clicks, zini = sum(game.clicks.total for game in numbers), _total_zini(numbers)
    if zini is None:
        return _games_phrase(lessons, "clicks-bbbv", clicks, bbbv=sum(game.solved_bbbv for game in numbers))
    return _games_phrase(lessons, "clicks-zini", clicks, zini=zini)


def _waste_phrases(
    wasted: Sequence[int], unused: int, placed: int, numbers: Sequence[GameMeasures]
) -> list[Phrase]:  # fmt: skip
    total = sum(wasted)
    if unused > max(wasted):
        waste = phrase("lesson-wasted", total) if total else phrase("lesson-wasted-none")
        return [waste, _unused_flags_phrase(unused, placed)]
    if not total:
        saved = sum(game.clicks.total for game in numbers) - (_total_zini(numbers) or 0)
        savings = [phrase("lesson-savings", saved)] if _total_zini(numbers) is not None and saved > 0 else []
        return [phrase("lesson-wasted-none"), *savings]
    most = max(wasted)
    button = _BUTTONS[wasted.index(most)]
    advice = phrase(f"lesson-advice-{button}")
    if most == total:
        return [phrase(f"lesson-wasted-all-{button}", most), advice]
    return [phrase(f"lesson-wasted-{button}", most, wasted=total), advice]


def _wasted_clicks(lesson: Lesson) -> list[int]:
    """Clicks without effect by button, except the click that lost."""
    numbers = lesson.review.numbers
    assert numbers is not None  # the game is finished
    losing = [int(lesson.review.status == "lost" and losing_guess(lesson).guess.kind == "open"), 0, 0]
    return [
        max(0, clicks - effective - lost)
        for clicks, effective, lost in zip(numbers.clicks, numbers.effective, losing, strict=True)
    ]


def _unused_flags_phrase(unused: int, placed: int) -> Phrase:
    if unused < placed:
        return phrase("lesson-flags-unused", unused, placed=placed)
    return phrase("lesson-flags-all-unused", placed)


def _total_zini(numbers: Sequence[GameMeasures]) -> int | None:
    """ZiNi of all boards together; None unless all were solved, from the beginning."""
    solved = [game.measures for game in numbers if game.solved_bbbv == game.measures.bbbv]
    return sum(measures.zini or 0 for measures in solved) if len(solved) == len(numbers) else None
