"""Finished games over HTTP: listed, summed up, looked back upon, named, deleted, and out as a file.

Each function opens the history of a player, asks it and closes it: another program may use the same file. A history in
PostgreSQL stays open. A listing has the filters of the command. Without a player key a history is empty and cannot be
changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from mineproof.errors import BoardSyntaxError, HistoryError
from mineproof.game import record as saving
from mineproof.game.help import HelpUsed
from mineproof.game.record import Record
from mineproof.game.reviews import review
from mineproof.game.timelines import timeline
from mineproof.history.connection import Owned
from mineproof.history.documents import ImportedFile, forgotten_json, imported_json
from mineproof.history.game_row import KeptGame
from mineproof.history.history import IMPORTED_BY_ORIGIN, History, Origin, games_json, read_day
from mineproof.history.summaries import summary_json
from mineproof.web import lessons, requests
from mineproof.web.answers import Written, require_room
from mineproof.web.budgets import question_budget
from mineproof.web.errors import Refused
from mineproof.web.limits import IMPORT_SECONDS
from mineproof.web.players import require_key
from mineproof.web.pool import Cancelled
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from mineproof.history.wire import ForgottenJson, HistoryJson, ImportedJson, SummaryJson
    from mineproof.lessons.wire import LessonJson, ProfileJson
    from mineproof.web.wire import KeptReviewJson, KeptTimelineJson

LONGEST_NUMBER = 18  # digits, which databases can hold
MEDIA = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}


# all of them


def games_answer(place: Owned, query: requests.HistoryQuery, _: Cancelled) -> HistoryJson:
    with History.lent(place) as history:
        return games_json(history.games(**_query_arguments(query)))


def summary_answer(place: Owned, query: requests.HistoryFilter, _: Cancelled) -> SummaryJson:
    with History.lent(place) as history:
        return summary_json(history.summaries(**_filter_arguments(query, "own")))


def export_answer(place: Owned, query: requests.ExportQuery) -> Written:
    """Return the listed games as a file."""
    with History.lent(place) as history:
        lines = history.export(query.to, history.games(**_query_arguments(query)))
        return Written("".join(f"{line}\n" for line in lines).encode(), MEDIA[query.to])


def import_answer(place: Owned, request: requests.ImportRequest, cancelled: Cancelled) -> ImportedJson:
    """Store the games of a file, as many as there is time for; ``history fill`` works out what takes long.

    The whole file has one deadline. ``left_out`` is how many games are not stored: send the rest of the file again.
    """
    require_key(place.owner)
    with History.lent(place) as history:
        budget = question_budget(IMPORT_SECONDS, cancelled)
        games, left_out = history.import_within(request.data, budget, file=request.file, player=request.player)
    return imported_json([ImportedFile(request.file, games)], left_out)


def _filter_arguments(query: requests.HistoryFilter, origin: Origin) -> dict[str, Any]:
    """The arguments of a question to the history; ``origin`` is the default."""
    return {
        "imported": IMPORTED_BY_ORIGIN[query.origin or origin],
        "level": query.level,
        "with_help": query.help,
        "since": None if query.since is None else read_day(query.since),
        "until": None if query.until is None else read_day(query.until),
    }


def _query_arguments(query: requests.HistoryQuery) -> dict[str, Any]:
    return _filter_arguments(query, "all") | {"won": query.won, "order": query.order, "limit": query.limit}


# one of them


def review_answer(place: Owned, number: str, cancelled: Cancelled) -> KeptReviewJson:
    game, played = _stored_game(place, number)
    budget = question_budget(cancelled=cancelled)
    reviewed = review(played, help_used=_help_used(game), budget=budget).as_json()
    return cast("KeptReviewJson", {**reviewed, "game": game.as_json()})


def timeline_answer(place: Owned, number: str, cancelled: Cancelled) -> KeptTimelineJson:
    """A game move by move, with the path of the mouse if it is known."""
    game, played = _stored_game(place, number)
    with History.lent(place) as history:
        path = history.mouse_path(game.id)
    steps = timeline(played, budget=question_budget(cancelled=cancelled)).as_json()
    return cast("KeptTimelineJson", {**steps, "mouse_path": path})


def lesson_answer(
    place: Owned, number: str, query: requests.LessonQuery, cancelled: Cancelled
) -> LessonJson | Written:  # fmt: skip
    game, played = _stored_game(place, number)
    with lessons.language_of(query):
        finished = _finished_game(game, played)
    return lessons.lesson_answer(finished, query, cancelled)


def profile_answer(place: Owned, query: requests.ProfileQuery, cancelled: Cancelled) -> ProfileJson | Written:
    """Return the profile of the latest or the selected games."""
    with History.lent(place) as history:
        games = history.games(**_query_arguments(query))
        played = [(game, history.record(game.id)) for game in games]
    with lessons.language_of(query):
        finished = [_finished_game(game, record) for game, record in played]
    return lessons.profile_answer(finished, query, cancelled)


def record_answer(place: Owned, number: str, _: Cancelled) -> Written:
    return Written(saving.to_json(record_of(place, number)[0]).encode(), "application/json")


def delete_answer(place: Owned, number: str, _: Cancelled) -> ForgottenJson:
    require_key(place.owner)
    with History.lent(place) as history:
        return forgotten_json(history.forget([_stored_number(history, number)]))


def name_answer(place: Owned, number: str, player: str | None) -> HistoryJson:
    require_key(place.owner)
    with History.lent(place) as history:
        known = _stored_number(history, number)
        with _unless_deleted(history, known):
            return games_json([history.name(known, player)])


def record_of(place: Owned, number: str) -> tuple[Record, HelpUsed]:
    """Return a stored game, and how often its board was started before."""
    game, played = _stored_game(place, number)
    return played, HelpUsed(repeats=(_help_used(game) or HelpUsed()).repeats)


def _finished_game(game: KeptGame, record: Record) -> lessons.FinishedGame:
    name = message("lesson-game", number=game.id)
    return lessons.FinishedGame(record, name, game.player or "", _help_used(game))


def _help_used(game: KeptGame) -> HelpUsed | None:
    """The help used in a game; None if it is unknown, or of kinds that mineproof does not know."""
    try:
        return None if game.help_used is None else HelpUsed.from_json(dict(game.help_used))
    except BoardSyntaxError:
        return None


def _stored_game(place: Owned, number: str) -> tuple[KeptGame, Record]:
    with History.lent(place) as history:
        known = _stored_number(history, number)
        with _unless_deleted(history, known):
            game, played = history.game(known), history.record(known)
    require_room(game.rows, game.columns)
    return game, played


def _stored_number(history: History, number: str) -> int:
    """Return the number of a stored game; refuse any other."""
    if number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER and int(number) in history:
        return int(number)
    raise _no_game()


@contextmanager
def _unless_deleted(history: History, known: int) -> Iterator[None]:
    """Refuse if the game is deleted meanwhile."""
    try:
        yield
    except HistoryError:
        if known in history:
            raise
        raise _no_game() from None


def _no_game() -> Refused:
    return Refused("not-found", "The history has no game with this number.")
