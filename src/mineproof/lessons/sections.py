"""What a page tells of one game: what to do, the time line, guesses, time, clicks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mineproof.base.html_pages import bullets, facts, section, table
from mineproof.base.words import at, percent, plural, size
from mineproof.game.reviews import GuessReview, Review
from mineproof.lessons import replaying
from mineproof.lessons.elements import decimals, escape, heads, share, summary, td
from mineproof.lessons.sentences import lost_time
from mineproof.practice.puzzles import LABELS

if TYPE_CHECKING:
    from mineproof.lessons.results import GuessLesson, Lesson, Pause
    from mineproof.pictures.drawing import Picture

GAP = 3.0  # per cent of the time line between the numbers of two guesses, where there is room


def subtitle(lesson: Lesson) -> str:
    board = lesson.review.board
    kind = "" if board.topology == "grid" else f" {board.topology}"
    player = f", played by {lesson.player}" if lesson.player else ""
    return f"{size(board.rows, board.columns)}{kind}, {plural(board.total_mines or 0, 'mine')}{player}"


def game_sections(lesson: Lesson, name: str, practise: str | None) -> str:
    """All sections of a game; ``name`` makes ids of them that nothing else on the page has."""
    parts = [
        section("What to do", summary(lesson.sentences, practise)),
        section("Time line", _timeline(lesson, name)),
        section("Guesses", *_guesses(lesson, name)),
        section("Time", *_time(lesson, name)),
        section("Clicks", *_clicks(lesson, name)),
        section("About the odds", bullets(lesson.review.notes)) if lesson.review.notes else "",
    ]
    return f'<div class="lesson" id="{name}">\n' + "\n".join(part for part in parts if part) + "\n</div>"


def _label(words: str, name: str) -> str:
    """What a region is called, for those who hear the page: no two of a page alike."""
    return f"{words}, {name.replace('-', ' ')}"


def game_facts(found: Review) -> str:
    numbers = found.numbers
    assert numbers is not None  # of a finished game
    bbbv = numbers.measures.bbbv
    solved = str(bbbv) if numbers.solved_bbbv == bbbv else f"{numbers.solved_bbbv} of {bbbv}"
    needless = sum(not guess.forced for guess in found.guesses)
    luck = "not needed" if found.luck == 1 else percent(found.luck)
    told = [
        (str(found.status), f"{found.seconds:.2f} s"),
        ("3BV", solved),
        ("3BV a second", decimals(numbers.bbbv_per_second)),
        ("clicks", str(numbers.clicks.total)),
        ("efficiency", share(numbers.efficiency)),
        ("guesses", f"{len(found.guesses)}, {needless} needless" if found.guesses else "none"),
        ("luck", luck),
    ]
    return facts((name, value) for name, value in told if value)


# the time line


def _timeline(lesson: Lesson, name: str) -> str:
    last = len(lesson.timeline.steps)
    buttons = [
        ("start", "⏮", "To the start"),
        ("guess-before", "◀ guess", "Guess before"),
        ("back", "◀", "Back"),
        ("on", "▶", "Forward"),
        ("guess-after", "guess ▶", "Next guess"),
        ("end", "⏭", "To the end"),
    ]
    if not lesson.guesses:
        buttons = [each for each in buttons if "guess" not in each[0]]
    pressed = "".join(
        f'<button type="button" data-jump="{jump}" aria-label="{label}" title="{label}">{words}</button>'
        for jump, words, label in buttons
    )
    slider = f'<input type="range" min="0" max="{last}" step="1" value="{last}" aria-label="Move">'
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{_label("Board", name)}" id="{name}-board">'
        f"{replaying.board(lesson)}</div>\n"
        f"{_strip(lesson, name)}\n"
        f'<div class="controls" hidden>{pressed}{slider}</div>\n'
        f'<p class="said" role="status">The end of the game.</p>\n'
        f'<script type="application/json" class="moves">{replaying.moves(lesson)}</script>'
    )


def _strip(lesson: Lesson, name: str) -> str:
    """The game along its time: a stroke for each move, pauses as bars, guesses by their numbers."""
    places = _places(lesson)
    strokes = "".join(f"M{place:.2f} 0v1" for place in places)
    pauses = "".join(
        f'<rect class="pause" x="{places[pause.index - 1]:.2f}" y="0" '
        f'width="{places[pause.index] - places[pause.index - 1]:.2f}" height="1"/>'
        for pause in lesson.pauses
    )
    apart = spread([places[each.guess.index] for each in lesson.guesses])
    marks = "".join(
        f'<a href="#{name}-guess-{number}" data-move="{each.guess.index}" class="{_kind(each.guess)}" '
        f'style="left:{place:.2f}%" title="Guess {number}, {_kind(each.guess)}">{number}</a>'
        for number, (each, place) in enumerate(zip(lesson.guesses, apart, strict=True), 1)
    )
    times = " ".join(f"{place:.4g}" for place in places)
    drawn = f'{pauses}<path d="{strokes}"/>'
    return (
        f'<div class="strip" data-times="{times}">'
        f'<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">{drawn}</svg>'
        f'<i class="cursor"></i>{marks}</div>'
    )


def _places(lesson: Lesson) -> list[float]:
    """Where each move stands, from 0 to 100: by its time, or at equal distances where there are no times."""
    steps = lesson.timeline.steps
    times = [step.ms for step in steps] if lesson.pace is not None else list(range(1, len(steps) + 1))
    return [100 * time / max(times[-1], 1) for time in times]


def spread(wanted: Sequence[float]) -> list[float]:
    """Places from 0 to 100, ascending, moved apart so that none hides another.

    >>> spread([10.0, 50.0, 50.5, 99.5, 100.0])
    [10.0, 50.0, 53.0, 97.0, 100.0]
    """
    gap = min(GAP, 100 / max(len(wanted), 1))
    found: list[float] = []
    for place in wanted:
        found.append(max(place, found[-1] + gap) if found else place)
    most = 100.0
    for number in reversed(range(len(found))):
        found[number] = min(found[number], most)
        most = found[number] - gap
    return found


def _kind(guess: GuessReview) -> str:
    return "forced" if guess.forced else "needless"


# guesses


def _guesses(lesson: Lesson, name: str) -> Iterator[str]:
    if not lesson.guesses:
        yield "<p>No guess was made: every cell was opened on certain knowledge.</p>"
        return
    yield f'<p class="quiet">{escape(lesson.review.luck_text)}.</p>'
    cards = "\n".join(_card(each, number, name) for number, each in enumerate(lesson.guesses, 1))
    yield f'<div class="cards">\n{cards}\n</div>'
    if any(each.cost is not None and not each.exact for each in lesson.guesses):
        yield (
            '<p class="note quiet">"About" is an estimate: the game was played on from there many times. '
            "Other chances are exact.</p>"
        )


def _card(each: GuessLesson, number: int, name: str) -> str:
    guess = each.guess
    lost = "" if guess.survived or guess.undone else ', <span class="lost">lost</span>'
    return (
        f'<article class="card {_kind(guess)}" id="{name}-guess-{number}">\n'
        f"<h3>Guess {number}: {_kind(guess)}{lost}</h3>\n"
        f'<p class="quiet">Move {guess.index + 1}, {guess.ms / 1000:.2f} s. '
        f'<a href="#{name}-board" data-move="{guess.index}">Show it on the time line</a></p>\n'
        f"<p>{escape(guess.text)}</p>\n{_figure(each.picture)}{_reason(each)}</article>"
    )


def _figure(picture: Picture | None) -> str:
    """A picture without the rules that the page has already."""
    if picture is None:
        return ""
    before, _, rest = picture.svg.partition("<style>")
    return f"<figure>{before}{rest.partition('</style>')[2].strip()}</figure>\n"


def _reason(each: GuessLesson) -> str:
    told = []
    if each.hint is not None:
        told.append(f"<strong>Certain then</strong>, by {escape(str(each.technique))}: {escape(each.hint.text)}")
    elif each.best is not None:
        told.append(f"<strong>Best guess:</strong> {escape(each.best.text)}")
    if each.cost_text:
        told.append(f"<strong>Chance to win:</strong> {escape(each.cost_text)}")
    return "".join(f"<p>{words}</p>\n" for words in told)


# time


def _time(lesson: Lesson, name: str) -> Iterator[str]:
    pace = lesson.pace
    if pace is None:
        yield "<p>There are no times of moves.</p>"
        return
    looked = "" if pace.waits == pace.looked_at else f"; the longest {pace.looked_at} were looked at"
    waits = f"{plural(pace.waits, 'wait')} took {pace.long:.1f} s or longer{looked}"
    counted = "Time is lost where a cell was certainly safe; the usual time is not counted."
    yield f"<p>You usually take {pace.usual:.2f} s for a move. {waits}. {counted}</p>"
    if lesson.pauses:
        rows = [
            [td(used), td(str(count), right=True), td(f"{seconds:.1f} s", right=True), td(LABELS[used])]
            for used, count, seconds in lost_time(lesson.pauses)
        ]
        names = heads(("technique", False), ("pauses", True), ("lost", True), ("", False))
        yield table(_label("Time lost by technique", name), names, rows)
        longest = sorted(lesson.pauses, key=lambda pause: -pause.lost)
        yield f'<div class="cards">\n{"".join(_pause(pause, name) for pause in longest)}</div>'


def _pause(pause: Pause, name: str) -> str:
    lay = f"{at(pause.cell)} had been certain for {pause.lay:.1f} s."
    return (
        f'<article class="card">\n<h3>{pause.lost:.1f} s lost before move {pause.index + 1}</h3>\n'
        f'<p class="quiet">A wait of {pause.seconds:.1f} s. {escape(lay)} '
        f'<a href="#{name}-board" data-move="{pause.index}">Show it on the time line</a></p>\n'
        f"{_figure(pause.picture)}<p><strong>Certain then</strong>, by {escape(pause.technique)}: "
        f"{escape(pause.hint.text)}</p>\n</article>\n"
    )


# clicks


def _clicks(lesson: Lesson, name: str) -> Iterator[str]:
    numbers = lesson.review.numbers
    assert numbers is not None
    rows = [
        [td(button), *(td(str(count), right=True) for count in (clicks, effective, max(clicks - effective, 0)))]
        for button, clicks, effective in (
            *zip(("left", "right", "double"), numbers.clicks, numbers.effective, strict=True),
            ("all", numbers.clicks.total, numbers.effective.total),
        )
    ]
    names = heads(("clicks", False), ("made", True), ("effective", True), ("without effect", True))
    yield table(_label("Clicks", name), names, rows)
    known, flags = numbers.measures, lesson.flags
    takes = f"The board takes {known.bbbv} clicks without flags (3BV), and {known.zini} with flags and chords by ZiNi."
    used = f"{plural(flags.placed, 'mine')} had a flag; {flags.unused} of the flags were used by no chord."
    yield f"<p>{takes} {used if flags.placed else 'No mine had a flag.'}</p>"
