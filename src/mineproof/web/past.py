"""Finished games over HTTP: listed, summed up, looked back upon, named, deleted, and out as a file.

Each function opens the history, asks it and closes it: another program may use the same file. That in PostgreSQL stays
open. What a listing can be restricted to is what the command can.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from mineproof.base.budget import Budget
from mineproof.errors import HistoryError, IllegalMoveError
from mineproof.game import record as saving
from mineproof.game.help import HelpUsed
from mineproof.game.record import Record
from mineproof.game.reviews import review
from mineproof.game.timelines import timeline
from mineproof.history.facts import REPEATS
from mineproof.history.history import History, games_json, read_day
from mineproof.history.kept import KeptGame
from mineproof.history.opening import Place
from mineproof.history.summaries import summary_json
from mineproof.web import asked, coaching
from mineproof.web.answers import Document, Written, require_room
from mineproof.web.asked import LessonFormat
from mineproof.web.failure import Refused
from mineproof.web.limits import SECONDS, STATES
from mineproof.web.pool import Cancelled

LONGEST_NUMBER = 18  # digits, which databases can hold
IMPORT_SECONDS = 1.0  # for the guesses of each game; what takes longer is left open
MEDIA = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}


# all of them


def games_answer(place: Place, wanted: asked.PastGames, _: Cancelled) -> Document:
    with History.lent(place) as history:
        return games_json(history.games(**_games(wanted)))


def summary_answer(place: Place, wanted: asked.Past, _: Cancelled) -> Document:
    with History.lent(place) as history:
        return summary_json(history.summaries(**_past(wanted)))


def export_answer(place: Place, wanted: asked.Export, went_on: Callable[[], Collection[int]]) -> Written:
    """A file; lines with records leave out games that are on again, of all that are listed."""
    with History.lent(place) as history:
        games = history.games(**_games(wanted))
        hidden = () if wanted.to == "csv" else went_on()
        shown = [game for game in games if game.id not in hidden]
        lines = history.export(wanted.to, shown)
        return Written("".join(f"{line}\n" for line in lines).encode(), MEDIA[wanted.to])


def import_answer(place: Place, given: asked.Import, cancelled: Cancelled) -> Document:
    """Games of a file, kept; numbers that take long are worked out by ``history fill``."""
    with History.lent(place) as history:
        budget = Budget(IMPORT_SECONDS, STATES, cancelled)
        games = history.import_data(given.data, file=given.file, player=given.player, budget=budget)
    new = sum(added.new for added in games)
    told = [{"id": added.game.id, "new": added.new} for added in games]
    files = [{"file": given.file, "games": told, "error": None}]
    return {"schema": "mineproof/imported/1", "added": new, "known": len(games) - new, "failed": 0, "files": files}


def _past(wanted: asked.Past) -> dict[str, Any]:
    return {
        "level": wanted.level,
        "with_help": wanted.help,
        "since": None if wanted.since is None else read_day(wanted.since),
        "until": None if wanted.until is None else read_day(wanted.until),
    }


def _games(wanted: asked.PastGames) -> dict[str, Any]:
    return _past(wanted) | {"won": wanted.won, "order": wanted.order, "limit": wanted.limit}


# one of them


def review_answer(place: Place, number: str, cancelled: Cancelled) -> Document:
    return review(record_of(place, number)[0], budget=Budget(SECONDS, STATES, cancelled)).as_json()


def timeline_answer(place: Place, number: str, cancelled: Cancelled) -> Document:
    return timeline(record_of(place, number)[0], budget=Budget(SECONDS, STATES, cancelled)).as_json()


def lesson_answer(place: Place, number: str, to: LessonFormat, cancelled: Cancelled) -> Document | Written:
    game, played = _kept(place, number)
    return coaching.lesson_answer(played, f"Game {game.id}", game.player or "", to, cancelled)


def profile_answer(
    place: Place, wanted: asked.Profile, went_on: Callable[[], Collection[int]], cancelled: Cancelled
) -> Document | Written:
    """What the latest games, or others that are asked for, have in common; those that are on again are left out."""
    with History.lent(place) as history:
        games = history.games(**_games(wanted))
        hidden = went_on()
        played = [(game, history.record(game.id)) for game in games if game.id not in hidden]
    named = [(f"Game {game.id}", game.player or "", record) for game, record in played]
    answer = coaching.profile_answer(named, wanted.to, cancelled)
    for game, _ in played:  # it may have gone on meanwhile
        require_ended(str(game.id), went_on())
    return answer


def record_answer(place: Place, number: str, _: Cancelled) -> Written:
    return Written(saving.to_json(record_of(place, number)[0]).encode(), "application/json")


def delete_answer(place: Place, number: str, _: Cancelled) -> Document:
    with History.lent(place) as history:
        return {"schema": "mineproof/forgotten/1", "forgotten": history.forget([_known(history, number)])}


def name_answer(place: Place, number: str, player: str | None) -> Document:
    with History.lent(place) as history:
        known = _known(history, number)
        with _unless_deleted(history, known):
            return games_json([history.name(known, player)])


def require_ended(number: str, went_on: Collection[int]) -> None:
    """IllegalMoveError where a game is on again: its record would tell its mines."""
    if number.lstrip("0") in map(str, went_on):
        raise IllegalMoveError("the end of this game was taken back: it can be looked back upon when it is over again")


def record_of(place: Place, number: str) -> tuple[Record, HelpUsed]:
    """A game to be looked back upon or gone on with, and how often its board was begun before."""
    game, played = _kept(place, number)
    repeats = (game.help_used or {}).get(REPEATS, 0)
    return played, HelpUsed(repeats=repeats if isinstance(repeats, int) else 0)


def _kept(place: Place, number: str) -> tuple[KeptGame, Record]:
    with History.lent(place) as history:
        known = _known(history, number)
        with _unless_deleted(history, known):
            game, played = history.game(known), history.record(known)
    require_room(game.rows, game.columns)
    return game, played


def _known(history: History, number: str) -> int:
    """The number of a game that is there."""
    if number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER and int(number) in history:
        return int(number)
    raise _no_game()


@contextmanager
def _unless_deleted(history: History, known: int) -> Iterator[None]:
    """Refused where somebody deletes the game meanwhile."""
    try:
        yield
    except HistoryError:
        if known in history:
            raise
        raise _no_game() from None


def _no_game() -> Refused:
    return Refused("not-found", "found no game of this number in the history")
