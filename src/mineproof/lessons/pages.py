"""Lessons as pages: one HTML file with its style, pictures and moves in it, that asks for nothing from elsewhere.

A page is a function of a `Lesson` or a `Profile` and of nothing else. All that is told stands in it as text and
pictures; the script only walks along the moves. Whatever comes from a file (names, reasons) is escaped.

Size    An expert game takes about 100 kB. Of a profile, the first `MOST_GAMES` lessons are on the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.base.html_pages import bullets, document, facts, section, table
from mineproof.base.words import percent, plural
from mineproof.lessons import replaying
from mineproof.lessons.elements import decimals, escape, heads, practise_link, share, summary, td
from mineproof.lessons.sections import game_facts, game_sections, subtitle
from mineproof.pictures.style import rules

if TYPE_CHECKING:
    from mineproof.lessons.profiles import Profile
    from mineproof.lessons.results import Lesson

_HERE = Path(__file__)
STYLE = _HERE.with_name("page.css").read_text("utf-8") + rules("auto")
SCRIPT = _HERE.with_name("page.js").read_text("utf-8")
MOST_GAMES = 50


def lesson_page(lesson: Lesson, practise: str | None = None) -> str:
    head = [f"<h1>{escape(_title(lesson))}</h1>", f'<p class="quiet">{escape(subtitle(lesson))}</p>']
    pieces = replaying.pieces(lesson.timeline.board.topology)
    return document(
        _title(lesson),
        [pieces, *head, game_facts(lesson.review), game_sections(lesson, "game", practise)],
        STYLE,
        SCRIPT,
    )


def _title(lesson: Lesson) -> str:
    """What is read first."""
    return f"Lesson: {lesson.name}" if lesson.name else "Lesson"


def profile_page(profile: Profile, practise: str | None = None) -> str:
    shown = profile.lessons[:MOST_GAMES]
    topologies = dict.fromkeys(lesson.timeline.board.topology for lesson in shown)
    more = profile.games - len(shown)
    parts = [
        *map(replaying.pieces, topologies),
        f"<h1>Profile of {plural(profile.games, 'game')}</h1>",
        _profile_facts(profile),
        section("What to do", summary(profile.sentences, practise)),
        section("What would have helped", _missed(profile, practise)),
        section("Games", _games(profile, len(shown))),
        section("Files without a lesson", bullets(f"{name}: {why}" for name, why in profile.unread))
        if profile.unread
        else "",
        *(_folded(lesson, number, practise) for number, lesson in enumerate(shown, 1)),
        f'<p class="note quiet">The lessons of {plural(more, "game")} more are not on this page.</p>' if more else "",
    ]
    return document(f"Profile of {plural(profile.games, 'game')}", parts, STYLE, SCRIPT)


def _profile_facts(profile: Profile) -> str:
    guesses = profile.guesses
    needless = sum(not each.guess.forced for each in guesses)
    lost = sum(pause.lost for pause in profile.pauses)
    return facts(
        [
            ("games", str(profile.games)),
            ("won", str(profile.won)),
            ("guesses", str(len(guesses))),
            ("needless", str(needless)),
            ("lost in pauses", f"{lost:.1f} s"),
            ("effective clicks", share(profile.effective_clicks / profile.clicks if profile.clicks else None) or "–"),
        ]
    )


def _missed(profile: Profile, practise: str | None) -> str:
    if not profile.missed:
        return "<p>No guess was needless, and no pause was long while a cell was certain.</p>"
    rows = [
        [
            td(each.technique), td(str(each.guesses), right=True), td(str(each.pauses), right=True),
            td(f"{each.seconds:.1f} s", right=True),
            f"<td>{practise_link(each.technique, f'mineproof puzzle --technique {each.technique}', practise)}</td>",
        ]
        for each in profile.missed
    ]  # fmt: skip
    names = heads(
        ("technique", False), ("needless guesses", True), ("pauses", True), ("lost", True), ("puzzles", False)
    )
    return table("What would have helped", names, rows)


def _games(profile: Profile, shown: int) -> str:
    rows = [_row(lesson, number, linked=number <= shown) for number, lesson in enumerate(profile.lessons, 1)]
    names = ("result", "time", "3BV/s", "guesses", "needless", "lost in pauses", "efficiency", "luck")
    return table("Games", heads(("game", False), *((name, name != "result") for name in names)), rows)


def _row(lesson: Lesson, number: int, *, linked: bool) -> list[str]:
    found, numbers = lesson.review, lesson.review.numbers
    assert numbers is not None
    name = escape(lesson.name or f"game {number}")
    told = [
        f"{found.seconds:.2f} s", decimals(numbers.bbbv_per_second) or "–", str(len(lesson.guesses)),
        str(len(lesson.needless)), f"{lesson.lost_seconds:.1f} s", share(numbers.efficiency) or "–",
        "–" if found.luck == 1 else percent(found.luck),
    ]  # fmt: skip
    called = f'<a href="#lesson-{number}">{name}</a>' if linked else name
    return [f'<td class="name">{called}</td>', td(found.status), *(td(each, right=True) for each in told)]


def _folded(lesson: Lesson, number: int, practise: str | None) -> str:
    end = f"{lesson.review.status}, {lesson.review.seconds:.2f} s"
    return (
        '<details class="game">\n'
        f"<summary>{escape(lesson.name or f'Game {number}')}: {escape(subtitle(lesson))}, {end}</summary>\n"
        f"{game_sections(lesson, f'lesson-{number}', practise)}\n</details>"
    )
