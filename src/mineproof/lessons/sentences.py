"""Five sentences that a player can act upon, each made of numbers of the lessons it is about.

They are about one game or about many, always in the same order: how it ended, guesses that need not have been, the
choice among forced ones, time, clicks. What there is nothing to say about is said so, in a sentence too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from mineproof.base.words import at, percent, plural
from mineproof.deduction.ladder import LADDER
from mineproof.game.game_measures import GameMeasures
from mineproof.practice.puzzles import GUESS

if TYPE_CHECKING:
    from mineproof.lessons.results import GuessLesson, Lesson, Pause

Topic = Literal["end", "guesses", "choices", "time", "clicks"]

# What tells a safe cell, by technique.
TELLS = {
    "single-open": "one number that had all its mines",
    "single-flag": "single numbers, one after the other,",
    "partition": "a subset of two numbers",
    "bounds": "the least and the most that numbers share",
    "elimination": "adding and subtracting numbers",
    "contradiction": "supposing a cell, and finding it impossible,",
    "total": "counting the mines left",
    "exhaustive": "going through the cases",
}
_RUNGS: list[str] = list(LADDER)


@dataclass(frozen=True, slots=True)
class Sentence:
    """``technique`` is what to practise, one of `mineproof.practice.puzzles.TECHNIQUES`, or None."""

    topic: Topic
    text: str
    technique: str | None = None

    @property
    def command(self) -> str | None:
        """What to type for such puzzles."""
        return None if self.technique is None else f"mineproof puzzle --technique {self.technique}"

    def as_json(self) -> dict[str, object]:
        return {"topic": self.topic, "text": self.text, "technique": self.technique, "command": self.command}


def of_lesson(lesson: Lesson) -> tuple[Sentence, ...]:
    return (_end(lesson), *_shared([lesson]))


def of_lessons(lessons: Sequence[Lesson]) -> tuple[Sentence, ...]:
    return (_ends(lessons), *_shared(lessons))


def _shared(lessons: Sequence[Lesson]) -> tuple[Sentence, ...]:
    return _guesses(lessons), _choices(lessons), _time(lessons), _clicks(lessons)


def _who(lessons: Sequence[Lesson]) -> str:
    return "You" if len(lessons) == 1 else f"In {len(lessons)} games you"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _most(counts: Mapping[str, int]) -> str:
    """The technique with the highest count; of equals the harder one, which is learnt later."""
    return max(counts, key=lambda name: (counts[name], _RUNGS.index(name)))


# how it ended


def _end(lesson: Lesson) -> Sentence:
    numbers = lesson.review.numbers
    assert numbers is not None  # of a finished game
    if lesson.review.status == "won":
        return Sentence("end", _won(lesson, numbers))
    guess = losing_guess(lesson)
    solved = f"with {numbers.solved_bbbv} of {numbers.measures.bbbv} 3BV solved"
    return Sentence("end", f"You lost at move {guess.guess.index + 1}, {solved}, by {_loss(guess)}.")


def _won(lesson: Lesson, numbers: GameMeasures) -> str:
    speed = numbers.bbbv_per_second
    told = f"{numbers.solved_bbbv} 3BV" + ("" if speed is None else f", {speed:.2f} a second")
    luck = lesson.review.luck
    rare = f", 1 in {round(1 / luck):,}" if luck * 2 < 1 else ""
    lucky = "you needed no luck" if luck == 1 else f"your guesses went well with a chance of {percent(luck)}{rare}"
    return f"You won in {numbers.seconds:.1f} s ({told}), and {lucky}."


def losing_guess(lesson: Lesson) -> GuessLesson:
    """The reveal that ended a lost game; it might have lost, so it is a guess."""
    return next(each for each in reversed(lesson.guesses) if not each.guess.survived and not each.guess.undone)


def _loss(lost: GuessLesson) -> str:
    guess = lost.guess
    if guess.kind == "chord":
        return f"a chord at {at(guess.cell)} next to a wrong flag: check the flags before you chord"
    if guess.mine_fraction == 1:
        return f"opening {at(guess.cell)}, which was certainly a mine"
    risk = f"with a risk of {percent(guess.mine_probability)}"
    if not guess.forced and guess.alternative is not None:
        return f"a needless guess {risk}, while {at(guess.alternative)} was certainly safe"
    if lost.was_worse and lost.best_option is not None:
        return f"a forced guess {risk}, where {at(lost.best_option.cell)} was the better one"
    return f"a guess {risk} that could not be avoided"


def _ends(lessons: Sequence[Lesson]) -> Sentence:
    losses = [losing_guess(lesson) for lesson in lessons if lesson.review.status == "lost"]
    won = f"You won {len(lessons) - len(losses)} of {plural(len(lessons), 'game')}"
    if not losses:
        return Sentence("end", f"{won}.")
    needless = sum(not lost.guess.forced for lost in losses)
    if not needless:
        return Sentence("end", f"{won}, and no loss was by a needless guess.")
    which = "the loss" if len(losses) == 1 else f"{needless} of the {len(losses)} losses"
    was = "was" if len(losses) == 1 or needless == 1 else "were"
    return Sentence("end", f"{won}, and {which} {was} by a needless guess: look for a safe cell before you guess.")


# guesses


def _guesses(lessons: Sequence[Lesson]) -> Sentence:
    count = sum(len(lesson.guesses) for lesson in lessons)
    needless = [guess for lesson in lessons for guess in lesson.needless]
    who = _who(lessons)
    if not count:
        return Sentence("guesses", f"{who} made no guess: every cell that you opened was certainly safe.")
    if not needless:
        when = "when nothing was certain" if count == 1 else "each time when nothing was certain"
        return Sentence("guesses", f"{who} guessed {_times(count)}, {when}.")
    told = Counter(str(guess.technique) for guess in needless if guess.technique is not None)
    first = f"{who} guessed {_times(count)}, {_needlessly(len(needless), count)}"
    if not told:
        return Sentence("guesses", f"{first}.")
    most = _most(told)
    often = _often(told[most], len(needless))
    return Sentence("guesses", f"{first}; {often}{TELLS[most]} told a safe cell: practise {most}.", most)


def _needlessly(needless: int, count: int) -> str:
    if needless == count:
        return {1: "needlessly", 2: "both times needlessly"}.get(count, "each time needlessly")
    return "once needlessly" if needless == 1 else f"{needless} of them needlessly"


def _often(part: int, whole: int) -> str:
    if part == whole:
        return {1: "", 2: "both times "}.get(whole, "each time ")
    return f"{_times(part)} "


def _choices(lessons: Sequence[Lesson]) -> Sentence:
    forced = [(lesson, guess) for lesson in lessons for guess in lesson.forced]
    if not forced:
        return Sentence("choices", _none_forced(lessons))
    worse = [(lesson, guess) for lesson, guess in forced if guess.was_worse]
    one = len(forced) == 1
    if not worse:
        best = all(_was_best(guess) for _, guess in forced)
        which = "Your forced guess was" if one else f"Your {len(forced)} forced guesses were"
        words = ("the best" if one else "the best ones") if best else "no worse than the best, as far as can be told"
        return Sentence("choices", f"{which} {words}.")
    which = "Your forced guess" if one else f"Of your {len(forced)} forced guesses {len(worse)}"
    words = f"{which} could have been better: {_costliest(worse, lessons)}: practise {GUESS}."
    return Sentence("choices", words, GUESS)


def _none_forced(lessons: Sequence[Lesson]) -> str:
    guesses = [(lesson, guess) for lesson in lessons for guess in lesson.guesses]
    if not guesses:
        return "Nothing was left to luck: no guess was forced."
    which = "Your guess was not forced" if len(guesses) == 1 else "None of your guesses was forced"
    worse = [(lesson, guess) for lesson, guess in guesses if guess.was_worse]
    if worse:
        return f"{which}, and {'it' if len(guesses) == 1 else 'one'} cost chances: {_costliest(worse, lessons)}."
    if any(guess.cost is None for _, guess in guesses):
        return f"{which}."
    return f"{which}, but {'it' if len(guesses) == 1 else 'they'} cost no chance to win that can be told."


def _costliest(worse: Sequence[tuple[Lesson, GuessLesson]], lessons: Sequence[Lesson]) -> str:
    """Where the choice cost most, and what the two cells are worth."""
    lesson, worst = max(worse, key=lambda each: each[1].cost or 0.0)
    best, chosen = worst.best_option, worst.chosen_option
    assert best is not None
    assert chosen is not None
    where = f"at move {worst.guess.index + 1}" + (f" of {lesson.name}" if len(lessons) > 1 and lesson.name else "")
    return f"{where} {at(best.cell)} wins {best.wins}, {at(chosen.cell)} {chosen.wins}"


def _was_best(guess: GuessLesson) -> bool:
    best, chosen = guess.best_option, guess.chosen_option
    return best is not None and chosen is not None and (best.cell == chosen.cell or (guess.exact and guess.cost == 0))


# time


def _time(lessons: Sequence[Lesson]) -> Sentence:
    paces = [lesson.pace for lesson in lessons if lesson.pace is not None]
    pauses = [pause for lesson in lessons for pause in lesson.pauses]
    if not paces:
        return Sentence("time", "There are no times of moves, so where time was lost is not known.")
    if pauses:
        return _lost_time(_who(lessons), pauses)
    looked_at = sum(pace.looked_at for pace in paces)
    if looked_at:
        waits = "your long wait" if looked_at == 1 else f"your {looked_at} longest waits"
        return Sentence("time", f"No time was lost in pauses: in {waits} no cell was certainly safe.")
    longest = max(pace.long for pace in paces)
    return Sentence("time", f"No time was lost in pauses: you never waited for as long as {longest:.1f} s.")


def _lost_time(who: str, pauses: Sequence[Pause]) -> Sentence:
    most, *others = lost_time(pauses)
    seconds = sum(pause.lost for pause in pauses)
    total = f"{who} lost {seconds:.1f} s in {plural(len(pauses), 'pause')} while a safe cell lay there"
    part = f"for {most.seconds:.1f} s of that " if others else ""
    told = f"{part}{TELLS[most.technique]} told it: practise {most.technique}"
    return Sentence("time", f"{total}; {told}.", most.technique)


class LostTime(NamedTuple):
    """How long pauses were in which one technique told a safe cell."""

    technique: str
    pauses: int
    seconds: float


def lost_time(pauses: Iterable[Pause]) -> list[LostTime]:
    """By technique, the most first; of equals the harder one."""
    lost: dict[str, list[float]] = {}
    for pause in pauses:
        lost.setdefault(pause.technique, []).append(pause.lost)
    found = [LostTime(technique, len(seconds), sum(seconds)) for technique, seconds in lost.items()]
    return sorted(found, key=lambda each: (-each.seconds, -_RUNGS.index(each.technique)))


# clicks


def _clicks(lessons: Sequence[Lesson]) -> Sentence:
    numbers = [lesson.review.numbers for lesson in lessons if lesson.review.numbers is not None]
    made = f"{_who(lessons)} made {plural(sum(each.clicks.total for each in numbers), 'click')}{_against(numbers)}"
    wasted = [sum(found) for found in zip(*map(_wasted, lessons), strict=True)]
    unused, placed = sum(lesson.flags.unused for lesson in lessons), sum(lesson.flags.placed for lesson in lessons)
    none = f"; {sum(wasted):,} {'was' if sum(wasted) == 1 else 'were'} wasted" if sum(wasted) else "; none was wasted"
    if unused > max(wasted):
        return Sentence("clicks", f"{made}{none}, and {_flags(unused, placed)}: leave such flags out.")
    if not sum(wasted):
        return Sentence("clicks", f"{made}{none}{_savings(numbers)}.")
    button = wasted.index(max(wasted))
    return Sentence("clicks", f"{made}{none}{_most_by(button, wasted)}: {_ADVICE[button]}.")


def _wasted(lesson: Lesson) -> list[int]:
    """Clicks without effect by button; the one that lost is told elsewhere."""
    numbers = lesson.review.numbers
    assert numbers is not None  # of a finished game
    lost = [int(lesson.review.status == "lost" and losing_guess(lesson).guess.kind == "open"), 0, 0]
    return [max(0, made - did - less) for made, did, less in zip(numbers.clicks, numbers.effective, lost, strict=True)]


def _savings(numbers: Sequence[GameMeasures]) -> str:
    """What is left to save where no click was wasted."""
    saved = sum(each.clicks.total for each in numbers) - (_zini(numbers) or 0)
    return f": flags and chords can save up to {saved:,}" if _zini(numbers) is not None and saved > 0 else ""


def _flags(unused: int, placed: int) -> str:
    if unused < placed:
        return f"{unused:,} of your {placed:,} flags {'was' if unused == 1 else 'were'} used by no chord"
    return "your flag was used by no chord" if placed == 1 else f"none of your {placed:,} flags was used by a chord"


_BUTTONS = ("left click", "right click", "chord")
_ADVICE = (
    "click on covered cells only",
    "set a flag once, and only on a mine",
    "chord only where the flags are set and a cell is left",
)


def _most_by(button: int, wasted: Sequence[int]) -> str:
    if wasted[button] == sum(wasted):
        return f", {'a' if wasted[button] == 1 else 'all'} {_BUTTONS[button]}{'' if wasted[button] == 1 else 's'}"
    return f", {wasted[button]:,} of them {_BUTTONS[button]}{'' if wasted[button] == 1 else 's'}"


def _against(numbers: Sequence[GameMeasures]) -> str:
    """What the boards take: by ZiNi, or else the 3BV that was solved."""
    zini = _zini(numbers)
    return f" for {sum(each.solved_bbbv for each in numbers):,} 3BV" if zini is None else f" where ZiNi takes {zini:,}"


def _zini(numbers: Sequence[GameMeasures]) -> int | None:
    """Of all boards together, if all of them were solved, and from the beginning."""
    known = [each.measures for each in numbers if each.solved_bbbv == each.measures.bbbv]
    return sum(each.zini or 0 for each in known) if len(known) == len(numbers) else None
