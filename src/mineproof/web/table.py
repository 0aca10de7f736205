"""Every route, once: the server is made from this table, and so is the OpenAPI document.

A route that is added here is served, documented and tried by the tests of all routes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from mineproof.base.budget import Budget
from mineproof.decision.own import strategies_json
from mineproof.game.help import HelpUsed
from mineproof.game.record import Record
from mineproof.history.opening import Place
from mineproof.web import answers, asked, limits, past, practice
from mineproof.web.answers import Cancelled, Document, Written
from mineproof.web.coaching import HTML, PAGE_POLICY
from mineproof.web.pool import Receive

if TYPE_CHECKING:
    from mineproof.web.app import Service

JSON = "application/json"
EVENTS = "text/event-stream"
PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "application/octet-stream")
API = "/api/v1"

_encode = msgspec.json.Encoder().encode


class Call(NamedTuple):
    """A request that was read, but for a body of bytes."""

    asked: Any  # an object of the class of its body or its query; None where there is neither
    path: dict[str, str]
    client: str
    receive: Receive
    content: Callable[[], Awaitable[bytes]]  # reads that body, once


class Reply(NamedTuple):
    """An answer: content, or events that are sent as they come."""

    content: bytes
    media_type: str = JSON
    events: AsyncIterator[bytes] | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()  # besides, or instead of, those of every answer


Handler = Callable[["Service", Call], Awaitable[Reply]]


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path, with what the document says about it."""

    method: str
    path: str
    summary: str
    handle: Handler
    body: type[msgspec.Struct] | None = None
    query: type[msgspec.Struct] | None = None
    accepts: tuple[str, ...] = ()  # media types of a body of bytes, which the handler asks for
    schemas: tuple[str, ...] = ()  # of the answer, without "mineproof/" and "/1"
    media_types: tuple[str, ...] = (JSON,)
    status: int = 200
    errors: tuple[int, ...] = ()  # besides those that every route may have
    also: tuple[str, ...] = ()  # keys of the answer besides those of its schema

    @property
    def name(self) -> str:
        """What a client that is made from the document calls it."""
        parts = [part.strip("{}") for part in self.path.removeprefix(API).split("/") if part]
        return "_".join([self.method.lower(), *(part.replace(".", "_") for part in parts)])


class HintQuery(msgspec.Struct, forbid_unknown_fields=True):
    level: Annotated[int, msgspec.Meta(ge=1, le=4, description="1 where to look … 4 the whole reasoning.")] = 4


# questions


def _question(
    answer: Callable[[Any, Cancelled], Document | Written], at_once: Callable[[Any], Document | None] | None
) -> Handler:
    """A handler that asks in a thread, unless there is an answer at once; it is made into bytes there, too."""

    async def handle(service: Service, call: Call) -> Reply:
        question = call.asked
        if at_once is not None and question.data is None:
            await service.turns.wait()
            if (found := at_once(question)) is not None:
                return Reply(_encode(found))
        return await service.questions.run(lambda cancelled: _reply(answer(question, cancelled)), call.receive)

    return handle


def _reply(answer: Document | Written) -> Reply:
    if not isinstance(answer, Written):
        return Reply(_encode(answer))
    return Reply(*answer, headers=(PAGE_POLICY,) if answer.media_type == HTML else ())


def _ask(name: str, body: type[msgspec.Struct], summary: str, *schemas: str, **more: Any) -> Route:
    handle = _question(getattr(answers, f"{name}_answer"), getattr(answers, f"{name}_at_once", None))
    return Route(
        method="POST", path=f"{API}/{name}", summary=summary, handle=handle, body=body, schemas=schemas,
        errors=(422,), **more,
    )  # fmt: skip


async def _thought_over(service: Service, call: Call) -> Reply:
    """A best move, in the lane of those that are thought over where it is given time."""
    question = call.asked
    if question.seconds is None:
        return await _question(answers.best_answer, None)(service, call)
    return await service.thinking.run(
        lambda cancelled: _reply(answers.best_answer(question, cancelled)), call.client, call.receive
    )


async def _think(service: Service, call: Call) -> Reply:
    thinking, question = service.thinking, call.asked
    thinking.require_room(call.client)
    board = await service.questions.run(lambda cancelled: answers.to_think_over(question, cancelled), call.receive)
    thinking.require_room(call.client)  # it may have been taken meanwhile
    budget = Budget(question.budget, question.states)
    return Reply(b"", EVENTS, thinking.events(board, question.seconds, budget, call.client))


async def _read(service: Service, call: Call) -> Reply:
    """A picture takes a place before its bytes arrive: they are many, and so are its pixels."""
    lane = service.pictures
    with (
        lane.place_of(call.client, limits.PICTURES_PER_CLIENT),
        lane.place_of("everybody", limits.PICTURES + limits.PICTURES_WAITING),
    ):
        data = await call.content()
        return await lane.run(lambda _: _reply(answers.read_answer(data, call.asked)), call.receive)


# what is kept


def _with_history(answer: Callable[[Place, Any, Cancelled], Document | Written]) -> Handler:
    """A handler that asks in a thread, with the history at hand."""

    async def handle(service: Service, call: Call) -> Reply:
        history, question = service.games.history, call.asked
        return await service.questions.run(lambda cancelled: _reply(answer(history, question, cancelled)), call.receive)

    return handle


def _of_past(answer: Callable[[Place, str, Cancelled], Document | Written], *, tells_mines: bool = True) -> Handler:
    """The same about one game of the history."""

    async def handle(service: Service, call: Call) -> Reply:
        history, number = service.games.history, call.path["number"]

        def work(cancelled: Cancelled) -> Reply:
            if tells_mines:
                past.require_ended(number, service.games.went_on())
            reply = _reply(answer(history, number, cancelled))
            if tells_mines:  # one that went on may have come into the history meanwhile
                past.require_ended(number, service.games.went_on())
            return reply

        return await service.questions.run(work, call.receive)

    return handle


async def _export(service: Service, call: Call) -> Reply:
    games, wanted = service.games, call.asked
    reply = await service.questions.run(
        lambda _: _reply(past.export_answer(games.history, wanted, games.went_on)), call.receive
    )
    name = f'attachment; filename="mineproof-games.{call.asked.to}"'
    return reply._replace(headers=((b"content-disposition", name.encode()),))


async def _past_lesson(service: Service, call: Call) -> Reply:
    to = call.asked.to
    return await _of_past(lambda place, number, stop: past.lesson_answer(place, number, to, stop))(service, call)


async def _profile(service: Service, call: Call) -> Reply:
    games, wanted = service.games, call.asked
    return await service.questions.run(
        lambda stop: _reply(past.profile_answer(games.history, wanted, games.went_on, stop)), call.receive
    )


async def _name(service: Service, call: Call) -> Reply:
    history, number, name = service.games.history, call.path["number"], call.asked.name
    return await service.questions.run(lambda _: _reply(past.name_answer(history, number, name)))


async def _from_past(service: Service, call: Call) -> Reply:
    history, number = service.games.history, call.path["number"]

    def work(_: Cancelled) -> tuple[Record, HelpUsed]:
        found = past.record_of(history, number)
        past.require_ended(number, service.games.went_on())
        return found

    played, used = await service.questions.run(work)
    return Reply(_encode(await service.games.go_on(played, call.asked.move, used, call.client, call.receive)))


def _past(method: str, part: str, summary: str, handle: Handler, *schemas: str, **more: Any) -> Route:
    path = f"{API}/history/{{number}}{part}"
    return Route(
        method=method, path=path, summary=summary, handle=handle, schemas=schemas, errors=(404, 409, 413), **more
    )


# games


async def _begin(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.begin(call.asked, call.client)))


async def _view(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.view(call.path["id"])))


async def _move(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.move(call.path["id"], call.asked, call.client, call.receive)))


async def _again(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.again(call.path["id"], call.client)))


async def _from(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.go_on_from(call.path["id"], call.asked.move, call.client, call.receive)))


async def _pause(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.pause(call.path["id"])))


async def _resume(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.resume(call.path["id"])))


async def _hint(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.hint(call.path["id"], call.asked.level, call.receive)))


async def _odds(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.odds(call.path["id"], call.receive)))


async def _best(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.best(call.path["id"], call.asked.seconds, call.client, call.receive)))


async def _game_think(service: Service, call: Call) -> Reply:
    return Reply(b"", EVENTS, await service.games.best_events(call.path["id"], call.asked.seconds, call.client))


async def _review(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.review(call.path["id"], call.receive)))


async def _timeline(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.timeline(call.path["id"], call.receive)))


async def _lesson(service: Service, call: Call) -> Reply:
    return _reply(await service.games.lesson(call.path["id"], call.asked.to, call.receive))


async def _record(service: Service, call: Call) -> Reply:
    return Reply((await service.games.record(call.path["id"])).encode())


def _game(method: str, part: str, summary: str, handle: Handler, *schemas: str, **more: Any) -> Route:
    path = f"{API}/games/{{id}}{part}"
    return Route(method=method, path=path, summary=summary, handle=handle, schemas=schemas, errors=(404, 409), **more)


# long work, and the document


async def _strategies(service: Service, _: Call) -> Reply:
    return await service.questions.run(lambda _: _reply(strategies_json()))


async def _simulate(service: Service, call: Call) -> Reply:
    simulations = service.simulations
    simulations.lane.require_room()
    series = await service.questions.run(lambda _: simulations.checked(call.asked), call.receive)
    simulations.lane.require_room()  # it may have been taken meanwhile
    return Reply(b"", EVENTS, simulations.events(series))


async def _openapi(service: Service, _: Call) -> Reply:
    return Reply(service.document)


ROUTES: tuple[Route, ...] = (
    _ask("analyze", asked.Analyze, "The mine probability of every covered cell, exactly.", "analysis"),
    _ask("solve", asked.Solve, "Every certain cell, with the deductions.", "solution", "bounds", "matrix"),
    _ask("hint", asked.Hint, "Help with one step, and no more than is asked for.", "hint"),
    Route(
        method="POST", path=f"{API}/best", summary="The best move, and what the others are worth.",
        handle=_thought_over, body=asked.Best, schemas=("best",), errors=(422,),
    ),
    Route(
        method="POST", path=f"{API}/best/events", handle=_think, body=asked.Think, schemas=("best",), errors=(422,),
        summary="Think a guess over: server-sent events `progress`, then `done`, or `error`. Leaving stops it.",
        media_types=(EVENTS,),
    ),
    _ask(
        "convert", asked.Convert, "A position or a layout in another format; JSON unless `to` says otherwise.",
        "board", "layout", media_types=(JSON, "text/plain", "application/octet-stream"),
    ),
    Route(
        method="POST", path=f"{API}/read", summary="The board on a screenshot, and what is in doubt. Nothing is kept.",
        handle=_read, query=asked.Read, schemas=("reading",), accepts=PICTURES, errors=(501,),
    ),
    _ask("check", asked.Check, "Whether a layout needs a guess, and where the first forced one is.", "check", "starts"),
    _ask("generate", asked.Generate, "A new layout, the same for the same seed and options.", "generated"),
    Route(
        method="POST", path=f"{API}/games", summary="Begin a game.", handle=_begin, body=asked.NewGame,
        schemas=("view",), status=201, also=("id", "moves"),
    ),
    _game("GET", "", "What is seen of a game.", _view, "view", also=("id", "moves")),
    _game(
        "POST", "/moves", "Make a move; it is on disk once this is answered.", _move, "view", body=asked.Move,
        also=("id", "moves", "outcome"),
    ),
    _game(
        "POST", "/again", "A new game on the same board; the one before is given up unless it is over.", _again, "view",
        status=201, also=("id", "moves"),
    ),
    _game("POST", "/pause", "Stop the clock; no move is made until it goes on.", _pause, "view", also=("id", "moves")),
    _game("POST", "/resume", "Let the clock go on.", _resume, "view", also=("id", "moves")),
    _game(
        "POST", "/from", "A new game from a move of one that is over, on the same mines.", _from, "view",
        body=asked.GoOn, status=201, also=("id", "moves"),
    ),
    _game("GET", "/hint", "A hint about the board that is seen; counted as help.", _hint, "hint", query=HintQuery),
    _game(
        "GET", "/odds", "The odds of the board that is seen, and of getting so far; counted as help.", _odds,
        "analysis", also=("survived",),
    ),
    _game(
        "GET", "/best", "The best move on the board that is seen; counted as help.", _best, "best",
        query=asked.GameBest,
    ),
    _game(
        "GET", "/best/events", "Think over a guess on the board that is seen, as events; counted as help.", _game_think,
        "best", query=asked.GameThink, media_types=(EVENTS,),
    ),
    _game("GET", "/review", "Look back upon a game that is over.", _review, "review"),
    _game("GET", "/timeline", "A game that is over, move by move.", _timeline, "timeline"),
    _game(
        "GET", "/lesson", "What to learn from a game that is over: JSON, or a page.", _lesson, "lesson",
        query=asked.Lesson, media_types=(JSON, "text/html"),
    ),
    _game("GET", "/record", "A game that is over as data, to be kept or played again.", _record, "game"),
    Route(
        method="GET", path=f"{API}/history", summary="Finished games, the latest first or by another order.",
        handle=_with_history(past.games_answer), query=asked.PastGames, schemas=("history",),
    ),
    Route(
        method="GET", path=f"{API}/history/summary", summary="Win rates, streaks and best times of each level.",
        handle=_with_history(past.summary_answer), query=asked.Past, schemas=("summary",),
    ),
    Route(
        method="GET", path=f"{API}/history/export", summary="Finished games as a file.",
        handle=_export, query=asked.Export, media_types=("text/csv", "application/x-ndjson"),
    ),
    Route(
        method="GET", path=f"{API}/history/profile", summary="What to learn from many games: JSON, or a page.",
        handle=_profile, query=asked.Profile, schemas=("profile",), media_types=(JSON, "text/html"),
        errors=(404, 409),
    ),
    Route(
        method="POST", path=f"{API}/history", summary="Keep the games of a file: a saved game, a replay, JSON lines.",
        handle=_with_history(past.import_answer), body=asked.Import, schemas=("imported",), errors=(409,),
    ),
    _past("GET", "/review", "Look back upon a finished game.", _of_past(past.review_answer), "review"),
    _past("GET", "/timeline", "A finished game, move by move.", _of_past(past.timeline_answer), "timeline"),
    _past(
        "GET", "/lesson", "What to learn from a finished game: JSON, or a page.", _past_lesson, "lesson",
        query=asked.Lesson, media_types=(JSON, "text/html"),
    ),
    _past("GET", "/record", "A finished game as data.", _of_past(past.record_answer), "game"),
    _past("POST", "/name", "Say who played a game, or take the name off.", _name, "history", body=asked.Name),
    _past(
        "POST", "/from", "A new game from a move of a finished one, on the same mines.", _from_past, "view",
        body=asked.GoOn, status=201, also=("id", "moves"),
    ),
    _past("DELETE", "", "Delete a game for good.", _of_past(past.delete_answer, tells_mines=False), "forgotten"),
    Route(
        method="POST", path=f"{API}/puzzle", summary="A position that needs a technique; unless named, by your rating.",
        handle=_with_history(practice.puzzle_answer), body=asked.Puzzle, schemas=("puzzle",),
    ),
    Route(
        method="POST", path=f"{API}/answer", summary="Judge a cell of a puzzle, and count it for the rating.",
        handle=_with_history(practice.answer_answer), body=asked.Answer, schemas=("answer",), errors=(409, 422),
        also=("standing", "change"),
    ),
    Route(
        method="GET", path=f"{API}/standing", summary="Your rating at puzzles, and how hard each technique is.",
        handle=_with_history(practice.standing_answer), schemas=("standing",), also=("techniques",),
    ),
    Route(
        method="GET", path=f"{API}/strategies", summary="Who can be simulated; installed packages may bring more.",
        handle=_strategies, schemas=("strategies",),
    ),
    Route(
        method="POST", path=f"{API}/simulate", handle=_simulate, body=asked.Simulate,
        schemas=("simulation", "comparison"), errors=(409,),
        summary="Play many games: server-sent events `progress`, then `done`, or `error`. Leaving stops it.",
        media_types=(EVENTS,),
    ),
    Route(method="GET", path=f"{API}/openapi.json", summary="This document.", handle=_openapi),
)  # fmt: skip
