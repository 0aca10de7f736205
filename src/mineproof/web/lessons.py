"""Lessons over HTTP: as data, or as the page that ``mineproof review --html`` writes, with links to the puzzles here.

The page has its style and its script in it, which the policy of other answers forbids. Its own policy allows this one
script, by its hash, and nothing from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from mineproof.base.budget import Deadline
from mineproof.errors import BoardSyntaxError, BudgetExceeded, IllegalMoveError
from mineproof.game.help import HelpUsed
from mineproof.game.record import Record
from mineproof.lessons.coach import lesson
from mineproof.lessons.pages import SCRIPT
from mineproof.lessons.profiles import Profile, profile
from mineproof.lessons.results import Lesson
from mineproof.web.answers import Cancelled, Written
from mineproof.web.budgets import question_budget
from mineproof.web.errors import Refused
from mineproof.web.limits import MAX_SECONDS
from mineproof.web.requests import LessonQuery, ProfileQuery
from mineproof.wording.catalogue import best_language, use_language

if TYPE_CHECKING:
    from mineproof.lessons.wire import LessonJson, ProfileJson

HTML = "text/html; charset=utf-8"
PRACTISE = "/#/practise?technique="

_HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest())
PAGE_POLICY = (
    b"content-security-policy",
    b"default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'" % _HASH,
)


class FinishedGame(NamedTuple):
    """A finished game with its name, its player, and the help used; None if that is unknown."""

    record: Record
    name: str = ""
    player: str = ""
    help_used: HelpUsed | None = None


def lesson_answer(game: FinishedGame, query: LessonQuery, cancelled: Cancelled) -> LessonJson | Written:
    record, name, player, help_used = game
    budget = question_budget(MAX_SECONDS, cancelled)
    with language_of(query):
        result = lesson(record, name=name, player=player, help_used=help_used, budget=budget)
        return result.as_json() if query.to == "json" else _page(result)


def profile_answer(
    played: Sequence[FinishedGame], query: ProfileQuery, cancelled: Cancelled
) -> ProfileJson | Written:  # fmt: skip
    """The profile of games; those without a lesson are named, with the reason."""
    deadline = Deadline(question_budget(MAX_SECONDS, cancelled))
    lessons, unread = [], []
    with language_of(query):
        for record, name, player, help_used in played:
            try:
                lessons.append(lesson(record, name=name, player=player, help_used=help_used, budget=deadline.rest()))
            except (BoardSyntaxError, IllegalMoveError) as error:
                unread.append((name, str(error)))
            except BudgetExceeded as error:
                if error.limit != "size":
                    raise
                unread.append((name, str(error)))
        if not lessons:
            raise Refused("not-found", "No finished game matches, so there is nothing to learn from.")
        common = profile(lessons, unread=unread)
        return common.as_json() if query.to == "json" else _page(common)


def language_of(query: LessonQuery | ProfileQuery) -> AbstractContextManager[None]:
    """The language of a page: a link cannot send a header, so the query may name it."""
    return use_language(None if query.language is None else best_language(query.language))


def _page(result: Lesson | Profile) -> Written:
    return Written(result.html(practise=PRACTISE).encode(), HTML)
