"""Lessons as self-contained HTML pages, in the current language.

A page depends only on a `Lesson` or a `Profile`. Everything is on it as text and pictures; the script only replays the
moves. Names and reasons from files are escaped.

Size    An expert game takes about 100 kB. The page of a profile has the first `PROFILE_MAX_LESSONS` lessons.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.base.html_pages import bullets, document, facts, section, table
from mineproof.lessons import replay
from mineproof.lessons.elements import (
    advice_list,
    column_heads,
    escape,
    format_decimal,
    format_share,
    practise_link,
    td,
)
from mineproof.lessons.sections import game_facts, game_sections, subtitle
from mineproof.pictures.style import rules
from mineproof.wording.catalogue import decimal, language, message, number, plural
from mineproof.wording.phrases import seconds_text
from mineproof.wording.reviews import accuracy_text, luck_percentage

if TYPE_CHECKING:
    from mineproof.lessons.profiles import Profile
    from mineproof.lessons.results import Lesson

_HERE = Path(__file__)
STYLE = _HERE.with_name("page.css").read_text("utf-8") + rules("auto")
SCRIPT = _HERE.with_name("page.js").read_text("utf-8")
PROFILE_MAX_LESSONS = 50


def lesson_page(lesson: Lesson, practise: str | None = None) -> str:
    """The page of one game."""
    title = message("lesson-page-title-named", name=lesson.name) if lesson.name else message("lesson-page-title")
    parts = [
        replay.pieces(lesson.timeline.board.topology),
        f"<h1>{escape(title)}</h1>",
        f'<p class="quiet">{escape(subtitle(lesson))}</p>',
        game_facts(lesson.review),
        game_sections(lesson, "game", practise),
    ]
    return document(title, parts, STYLE, SCRIPT, language=language())


def profile_page(profile: Profile, practise: str | None = None) -> str:
    """The page of several games."""
    lessons = profile.lessons[:PROFILE_MAX_LESSONS]
    topologies = dict.fromkeys(lesson.timeline.board.topology for lesson in lessons)
    omitted = profile.games - len(lessons)
    title = plural("profile-page-title", profile.games)
    parts = [
        *map(replay.pieces, topologies),
        f"<h1>{escape(title)}</h1>",
        _profile_facts(profile),
        section(message("lesson-section-advice"), advice_list(profile.sentences, practise)),
        section(message("profile-section-missed"), _missed_table(profile, practise)),
        section(message("profile-section-games"), _game_table(profile, len(lessons))),
        _unread_section(profile),
        *(_folded_lesson(lesson, place, practise) for place, lesson in enumerate(lessons, 1)),
        f'<p class="note quiet">{escape(plural("profile-more", omitted))}</p>' if omitted else "",
    ]
    return document(title, parts, STYLE, SCRIPT, language=language())


def _unread_section(profile: Profile) -> str:
    if not profile.unread:
        return ""
    return section(message("profile-section-unread"), bullets(f"{name}: {reason}" for name, reason in profile.unread))


def _profile_facts(profile: Profile) -> str:
    guesses = profile.guesses
    needless = sum(not guess.guess.forced for guess in guesses)
    effective = format_share(profile.effective_clicks / profile.clicks if profile.clicks else None)
    named = [
        ("lesson-fact-games", number(profile.games)),
        ("lesson-fact-won", number(profile.won)),
        ("lesson-fact-guesses", number(len(guesses))),
        ("lesson-fact-needless", number(needless)),
        ("lesson-fact-paused", seconds_text(sum(pause.lost for pause in profile.pauses))),
        ("lesson-fact-effective", effective or "–"),
    ]
    return facts((message(key), value) for key, value in named)


def _missed_table(profile: Profile, practise: str | None) -> str:
    if not profile.missed:
        return f"<p>{escape(message('profile-nothing-missed'))}</p>"
    rows = [
        [
            td(missed.technique), td(number(missed.guesses), right=True), td(number(missed.pauses), right=True),
            td(seconds_text(missed.seconds), right=True),
            f"<td>{practise_link(missed.technique, f'mineproof puzzle --technique {missed.technique}', practise)}</td>",
        ]
        for missed in profile.missed
    ]  # fmt: skip
    heads = column_heads(
        ("lesson-column-technique", False), ("lesson-column-needless", True), ("lesson-column-pauses", True),
        ("lesson-column-lost", True), ("lesson-column-puzzles", False),
    )  # fmt: skip
    return table(message("profile-section-missed"), heads, rows)


def _game_table(profile: Profile, shown: int) -> str:
    rows = [_game_row(lesson, place, linked=place <= shown) for place, lesson in enumerate(profile.lessons, 1)]
    heads = column_heads(
        ("lesson-column-game", False), ("lesson-column-result", False), ("lesson-column-time", True),
        ("lesson-column-speed", True), ("lesson-fact-guesses", True), ("lesson-fact-needless", True),
        ("lesson-fact-paused", True), ("lesson-fact-efficiency", True), ("lesson-fact-luck", True),
        ("lesson-fact-accuracy", True),
    )  # fmt: skip
    return table(message("profile-section-games"), heads, rows)


def _game_name(lesson: Lesson, place: int) -> str:
    return lesson.name or message("lesson-game", number=number(place))


def _game_row(lesson: Lesson, place: int, *, linked: bool) -> list[str]:
    review, numbers = lesson.review, lesson.review.numbers
    assert numbers is not None
    values = [
        f"{decimal(review.seconds, 2)} s", format_decimal(numbers.bbbv_per_second) or "–", number(len(lesson.guesses)),
        number(len(lesson.needless)), seconds_text(lesson.lost_seconds), format_share(numbers.efficiency) or "–",
        luck_percentage(review.luck), accuracy_text(review.accuracy),
    ]  # fmt: skip
    name = escape(_game_name(lesson, place))
    link = f'<a href="#lesson-{place}">{name}</a>' if linked else name
    result = message(f"lesson-fact-{review.status}")
    return [f'<td class="name">{link}</td>', td(result), *(td(value, right=True) for value in values)]


def _folded_lesson(lesson: Lesson, place: int, practise: str | None) -> str:
    result = message(f"lesson-fact-{lesson.review.status}")
    summary = f"{_game_name(lesson, place)}: {subtitle(lesson)}, {result}, {decimal(lesson.review.seconds, 2)} s"
    return (
        '<details class="game">\n'
        f"<summary>{escape(summary)}</summary>\n"
        f"{game_sections(lesson, f'lesson-{place}', practise)}\n</details>"
    )
