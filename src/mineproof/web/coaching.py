"""Lessons over HTTP: as data, or as the page that ``mineproof review --html`` writes, with links to the puzzles here.

The page has its style and its script in it, which the policy of other answers forbids. Its own policy allows this one
script, by its hash, and nothing from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

from mineproof.base.budget import Budget, Deadline
from mineproof.errors import BoardSyntaxError, BudgetExceeded, IllegalMoveError
from mineproof.game.record import Record
from mineproof.lessons.coaching import lesson
from mineproof.lessons.pages import SCRIPT
from mineproof.lessons.profiles import Profile, profile
from mineproof.lessons.results import Lesson
from mineproof.web.answers import Cancelled, Document, Written
from mineproof.web.asked import LessonFormat
from mineproof.web.failure import Refused
from mineproof.web.limits import MOST_SECONDS, SECONDS, STATES

HTML = "text/html; charset=utf-8"
PRACTISE = "/#/practise?technique="

_HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest())
PAGE_POLICY = (
    b"content-security-policy",
    b"default-src 'none'; script-src 'sha256-%s'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    b"frame-ancestors 'none'" % _HASH,
)


def lesson_answer(played: Record, name: str, player: str, to: LessonFormat, cancelled: Cancelled) -> Document | Written:
    return _written(lesson(played, name=name, player=player, budget=Budget(SECONDS, STATES, cancelled)), to)


def profile_answer(
    played: Sequence[tuple[str, str, Record]], to: LessonFormat, cancelled: Cancelled
) -> Document | Written:
    """Of games with their names and players; what no lesson can be made of is named, with the reason."""
    deadline = Deadline(Budget(MOST_SECONDS, STATES, cancelled))
    lessons, unread = [], []
    for name, player, record in played:
        try:
            lessons.append(lesson(record, name=name, player=player, budget=deadline.rest()))
        except (BoardSyntaxError, IllegalMoveError) as error:
            unread.append((name, str(error)))
        except BudgetExceeded as error:
            if error.limit != "size":
                raise
            unread.append((name, str(error)))
    if not lessons:
        raise Refused("not-found", "found no finished game of this kind to learn from")
    return _written(profile(lessons, unread=unread), to)


def _written(found: Lesson | Profile, to: LessonFormat) -> Document | Written:
    return found.as_json() if to == "json" else Written(found.html(practise=PRACTISE).encode(), HTML)
