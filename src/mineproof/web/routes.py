"""The table of all routes. The server and the OpenAPI document are made from it.

A route that is added here is served, documented, and tested by the tests of all routes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from mineproof.advice.wire import HintJson
from mineproof.analysis.wire import AnalysisJson
from mineproof.base.budget import Budget
from mineproof.decision.custom import strategies_json
from mineproof.decision.wire import BestMoveJson, FirstMovesJson, StrategiesJson, ThoughtJson
from mineproof.deduction.wire import BoundsJson, MatrixJson, SolutionJson
from mineproof.game.record import RecordJson
from mineproof.game.wire import ReviewJson, TimelineJson
from mineproof.generation.wire import CheckJson, GeneratedJson, StartsJson
from mineproof.history.connection import Owned
from mineproof.history.wire import ForgottenJson, HistoryJson, ImportedJson, SummaryJson
from mineproof.lessons.wire import LessonJson, ProfileJson
from mineproof.practice.wire import DailyJson, DashboardJson, PuzzleJson
from mineproof.screens.wire import ReadingJson
from mineproof.simulation.wire import ComparisonJson, SimulationJson
from mineproof.variants.wire import VariantAnalysisJson, VariantBestJson, VariantHintJson
from mineproof.web import answers, limits, practice, requests
from mineproof.web import history as finished
from mineproof.web.answers import Cancelled, Document, Written
from mineproof.web.budgets import question_budget
from mineproof.web.lessons import HTML, PAGE_POLICY
from mineproof.web.players import PLAYER
from mineproof.web.pool import Receive
from mineproof.web.questions import within
from mineproof.web.variant_games import VariantGames, gallery_answer
from mineproof.web.wire import (
    ConvertedBoardJson,
    ConvertedLayoutJson,
    CountedAnswerJson,
    CountedRunJson,
    GameOddsJson,
    KeptReviewJson,
    KeptTimelineJson,
    LiveVariantJson,
    LiveViewJson,
    MovedJson,
    MovedVariantJson,
    PlayerJson,
    ResultJson,
    TrainingJson,
    VariantsJson,
)  # fmt: skip

if TYPE_CHECKING:
    from mineproof.web.app import Service
    from mineproof.web.games import LiveGames

JSON = "application/json"
EVENTS = "text/event-stream"
PICTURES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "application/octet-stream")
API = "/api/v1"

_encode = msgspec.json.Encoder().encode


class Call(NamedTuple):
    """A parsed request, except for a binary body."""

    request: Any  # an object of the class of its body or query; None without either
    path: dict[str, str]
    client: str
    receive: Receive
    content: Callable[[], Awaitable[bytes]]  # reads a binary body, once


class Reply(NamedTuple):
    """A response: content, or server-sent events."""

    content: bytes
    media_type: str = JSON
    events: AsyncIterator[bytes] | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()  # added to those of every response, or replacing them


Handler = Callable[["Service", Call], Awaitable[Reply]]


@dataclass(frozen=True, kw_only=True)
class Route:
    """One method of one path, with its documentation."""

    method: str
    path: str
    summary: str
    handle: Handler
    body: type[msgspec.Struct] | None = None
    query: type[msgspec.Struct] | None = None
    accepts: tuple[str, ...] = ()  # media types of a binary body, which the handler reads
    answers: tuple[type, ...] = ()  # declared documents of the response, or of the events `progress` and `done`
    media_types: tuple[str, ...] = (JSON,)
    status: int = 200
    errors: tuple[int, ...] = ()  # in addition to those of every route

    @property
    def name(self) -> str:
        """Name of the operation in generated clients."""
        parts = [part.strip("{}") for part in self.path.removeprefix(API).split("/") if part]
        return "_".join([self.method.lower(), *(part.replace(".", "_").replace("-", "_") for part in parts)])


class HintQuery(msgspec.Struct, forbid_unknown_fields=True):
    level: Annotated[int, msgspec.Meta(ge=1, le=4, description="1: where to look … 4: the whole reasoning.")] = 4


# questions


def _question(
    answer: Callable[[Any, Cancelled], Document | Written], at_once: Callable[[Any], Document | None] | None = None
) -> Handler:
    """Return a handler that answers in a thread, unless ``at_once`` has an answer. The thread also encodes it."""

    async def handle(service: Service, call: Call) -> Reply:
        if at_once is not None and call.request.data is None:
            await service.turns.wait()
            if (document := at_once(call.request)) is not None:
                return Reply(_encode(document))
        return await _answer_within_budget(service, call, answer)

    return handle


async def _answer_within_budget(
    service: Service, call: Call, answer: Callable[[Any, Cancelled], Document | Written]
) -> Reply:
    """Answer a question with a budget: first in the light lane, then in the long one if that is not enough."""

    def work(budget: Budget) -> Reply:
        question = msgspec.structs.replace(call.request, budget=budget.seconds)
        answered = answer(question, budget.cancelled or _never)
        if not isinstance(answered, Written):
            answers.require_count(answered, budget.seconds, call.request.budget)
        return _reply(answered)

    budget = question_budget(call.request.budget)
    if answers.takes_long(call.request):
        return await service.questions.think(
            lambda stop: work(replace(budget, cancelled=stop)), call.receive, budget.seconds
        )
    return await service.questions.answer(work, budget, call.receive)


def _never() -> bool:
    return False


async def _convert(service: Service, call: Call) -> Reply:
    questions = service.questions
    run = questions.think if answers.takes_long(call.request) else questions.look
    return await run(lambda _: _reply(answers.convert_answer(call.request)), call.receive)


def _reply(answer: Document | Written) -> Reply:
    if not isinstance(answer, Written):
        return Reply(_encode(answer))
    return Reply(*answer, headers=(PAGE_POLICY,) if answer.media_type == HTML else ())


def _question_route(name: str, body: type[msgspec.Struct], summary: str, handle: Handler, *documents: type) -> Route:
    return Route(
        method="POST", path=f"{API}/{name}", summary=summary, handle=handle, body=body, answers=documents, errors=(422,)
    )


async def _best_move(service: Service, call: Call) -> Reply:
    """Answer with the best move, in the lane of `Thinking` if it may take some seconds.

    A short budget would give a worse answer, so it does not start in the light lane.
    """
    question = call.request

    def work(cancelled: Cancelled) -> Reply:
        return _reply(answers.best_answer(question, cancelled))

    if question.seconds is None:
        return await service.questions.think(work, call.receive, question.budget)
    return await service.thinking.run(within(question.seconds + question.budget, work), call.client, call.receive)


async def _think(service: Service, call: Call) -> Reply:
    thinking, question = service.thinking, call.request
    thinking.require_room(call.client)
    board = await service.questions.think(
        lambda cancelled: answers.position_to_think_over(question, cancelled), call.receive, question.budget
    )
    thinking.require_room(call.client)  # another request may have taken it
    budget = question_budget(question.budget, states=question.states)
    return Reply(b"", EVENTS, thinking.events(board, question.seconds, budget, call.client))


async def _read(service: Service, call: Call) -> Reply:
    """Read a screenshot. It takes a place in the lane before its bytes arrive, because they need much memory."""
    lane = service.pictures
    with (
        lane.place_of(call.client, limits.PICTURES_PER_CLIENT),
        lane.place_of("everybody", limits.PICTURES + limits.PICTURES_WAITING),
    ):
        data = await call.content()
        return await lane.run(
            within(
                limits.PICTURE_SECONDS, lambda cancelled: _reply(answers.read_answer(data, call.request, cancelled))
            ),
            call.receive,
        )


# the history


def _history_handler(answer: Callable[[Owned, Any, Cancelled], Document | Written]) -> Handler:
    """Return a handler that reads the history."""

    async def handle(service: Service, call: Call) -> Reply:
        history, question = service.games.own_history, call.request
        return await service.questions.look(
            lambda cancelled: _reply(answer(history, question, cancelled)), call.receive
        )

    return handle


async def _puzzle(service: Service, call: Call) -> Reply:
    """Return a puzzle, and search the next ones in the background."""
    answer = partial(practice.puzzle_answer, service.games.own_history, service.ready)
    reply = await _answer_within_budget(service, call, answer)
    service.ready.fill(service.questions)
    return reply


async def _judge(service: Service, call: Call) -> Reply:
    return await _answer_within_budget(
        service, call, partial(practice.judge_answer, service.games.own_history, service.ready.daily)
    )


async def _standing(service: Service, call: Call) -> Reply:
    """Return the standing, and search today's puzzle in the background: the player is about to practise."""
    reply = await _history_handler(practice.standing_answer)(service, call)
    if not service.ready.daily.has_today():
        service.ready.fill(service.questions, service.ready.daily.prepare_today)
    return reply


async def _import(service: Service, call: Call) -> Reply:
    history, request = service.games.own_history, call.request
    return await service.questions.think(
        lambda cancelled: _reply(finished.import_answer(history, request, cancelled)), call.receive
    )


def _on_history_game(
    answer: Callable[[Owned, str, Cancelled], Document | Written], *, is_long: bool = False
) -> Handler:
    """Return a handler about one game of the history."""

    async def handle(service: Service, call: Call) -> Reply:
        history, number = service.games.own_history, call.path["number"]

        def work(cancelled: Cancelled) -> Reply:
            return _reply(answer(history, number, cancelled))

        if is_long:
            return await service.questions.think(work, call.receive)
        return await service.questions.look(work, call.receive)

    return handle


async def _export(service: Service, call: Call) -> Reply:
    history, query = service.games.own_history, call.request
    reply = await service.questions.think(lambda _: _reply(finished.export_answer(history, query)), call.receive)
    name = f'attachment; filename="mineproof-games.{call.request.to}"'
    return reply._replace(headers=((b"content-disposition", name.encode()),))


async def _history_lesson(service: Service, call: Call) -> Reply:
    query = call.request
    handle = _on_history_game(
        lambda place, number, stop: finished.lesson_answer(place, number, query, stop), is_long=True
    )
    return await handle(service, call)


async def _profile(service: Service, call: Call) -> Reply:
    history, query = service.games.own_history, call.request
    return await service.questions.think(
        lambda stop: _reply(finished.profile_answer(history, query, stop)), call.receive, limits.MAX_SECONDS
    )


async def _name(service: Service, call: Call) -> Reply:
    history, number, name = service.games.own_history, call.path["number"], call.request.name
    return await service.questions.look(lambda _: _reply(finished.name_answer(history, number, name)))


async def _from_history(service: Service, call: Call) -> Reply:
    history, number = service.games.own_history, call.path["number"]
    played, used = await service.questions.look(lambda _: finished.record_of(history, number))
    return Reply(_encode(await service.games.resume_record(played, call.request.move, used, call.client, call.receive)))


def _history_route(method: str, part: str, summary: str, handle: Handler, *documents: type, **more: Any) -> Route:
    path = f"{API}/history/{{number}}{part}"
    return Route(
        method=method, path=path, summary=summary, handle=handle, answers=documents, errors=(401, 404, 409, 413), **more
    )


# games


async def _begin(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.games.begin(call.request, call.client)))


def _on_game(answer: Callable[[LiveGames, str, Call], Awaitable[Document | Written]]) -> Handler:
    """Return a handler about one live game, whose id is in the path."""

    async def handle(service: Service, call: Call) -> Reply:
        return _reply(await answer(service.games, call.path["id"], call))

    return handle


async def _game_think(service: Service, call: Call) -> Reply:
    return Reply(b"", EVENTS, await service.games.best_events(call.path["id"], call.request.seconds, call.client))


async def _record(service: Service, call: Call) -> Reply:
    return Reply((await service.games.record(call.path["id"])).encode())


_view = _on_game(lambda games, game_id, call: games.view(game_id))
_move = _on_game(lambda games, game_id, call: games.move(game_id, call.request, call.client, call.receive))
_again = _on_game(lambda games, game_id, call: games.again(game_id, call.client))
_from = _on_game(lambda games, game_id, call: games.resume_from(game_id, call.request.move, call.client, call.receive))
_pause = _on_game(lambda games, game_id, call: games.pause(game_id))
_resume = _on_game(lambda games, game_id, call: games.resume(game_id))
_hint = _on_game(lambda games, game_id, call: games.hint(game_id, call.request.level, call.receive))
_odds = _on_game(lambda games, game_id, call: games.odds(game_id, call.receive))
_best = _on_game(lambda games, game_id, call: games.best(game_id, call.request.seconds, call.client, call.receive))
_review = _on_game(lambda games, game_id, call: games.review(game_id, call.receive))
_result = _on_game(lambda games, game_id, call: games.result(game_id, call.receive))
_timeline = _on_game(lambda games, game_id, call: games.timeline(game_id, call.receive))
_lesson = _on_game(lambda games, game_id, call: games.lesson(game_id, call.request, call.receive))


def _game_route(method: str, part: str, summary: str, handle: Handler, *documents: type, **more: Any) -> Route:
    path = f"{API}/games/{{id}}{part}"
    return Route(method=method, path=path, summary=summary, handle=handle, answers=documents, errors=(404, 409), **more)


# games of variants


async def _variants(service: Service, _: Call) -> Reply:
    return await service.questions.look(lambda _: _reply(gallery_answer()))


async def _begin_variant(service: Service, call: Call) -> Reply:
    return Reply(_encode(await service.variant_games.begin(call.request, call.client, call.receive)))


def _on_variant_game(answer: Callable[[VariantGames, str, Call], Awaitable[Document]]) -> Handler:
    """Return a handler about one game of a variant, whose id is in the path."""

    async def handle(service: Service, call: Call) -> Reply:
        return Reply(_encode(await answer(service.variant_games, call.path["id"], call)))

    return handle


_variant_view = _on_variant_game(lambda games, game_id, call: games.view(game_id))
_variant_move = _on_variant_game(
    lambda games, game_id, call: games.move(game_id, call.request, call.client, call.receive)
)
_variant_odds = _on_variant_game(lambda games, game_id, call: games.odds(game_id, call.receive))
_variant_hint = _on_variant_game(lambda games, game_id, call: games.hint(game_id, call.request.level, call.receive))
_variant_best = _on_variant_game(lambda games, game_id, call: games.best(game_id, call.receive))
_variant_again = _on_variant_game(lambda games, game_id, call: games.again(game_id, call.client))


def _variant_route(method: str, part: str, summary: str, handle: Handler, *documents: type, **more: Any) -> Route:
    path = f"{API}/variant-games/{{id}}{part}"
    return Route(method=method, path=path, summary=summary, handle=handle, answers=documents, errors=(404, 409), **more)


# long work, and the document


async def _strategies(service: Service, _: Call) -> Reply:
    return await service.questions.look(lambda _: _reply(strategies_json()))


async def _simulate(service: Service, call: Call) -> Reply:
    simulations = service.simulations
    simulations.lane.require_room()
    series = await service.questions.look(lambda _: simulations.check(call.request), call.receive)
    simulations.lane.require_room()  # another request may have taken it
    return Reply(b"", EVENTS, simulations.events(series))


# players


async def _player(service: Service, _: Call) -> Reply:
    known = PLAYER.get().owner is not None
    shown: PlayerJson = {"schema": "mineproof/player/1", "players": service.players.mode, "known": known}
    return Reply(_encode(shown))


async def _new_player(service: Service, _: Call) -> Reply:
    players = service.players
    shown: PlayerJson = {"schema": "mineproof/player/1", "players": players.mode, "key": players.new_key()}
    return Reply(_encode(shown))


async def _openapi(service: Service, _: Call) -> Reply:
    return Reply(service.document)


ROUTES: tuple[Route, ...] = (
    _question_route(
        "analyze", requests.AnalyzeRequest, "Exact mine probability of every covered cell.",
        _question(answers.analyze_answer, answers.analyze_at_once), AnalysisJson,
    ),
    _question_route(
        "solve", requests.SolveRequest, "Every certain cell, with the deductions.", _question(answers.solve_answer),
        SolutionJson, BoundsJson, MatrixJson,
    ),
    _question_route(
        "hint", requests.HintRequest, "A hint at one step, as detailed as `level` says.",
        _question(answers.hint_answer), HintJson,
    ),
    Route(
        method="POST", path=f"{API}/best", summary="The best move, and the value of the others.",
        handle=_best_move, body=requests.BestRequest, answers=(BestMoveJson, FirstMovesJson), errors=(422,),
    ),
    Route(
        method="POST", path=f"{API}/best/events", handle=_think, body=requests.ThinkRequest,
        answers=(ThoughtJson, BestMoveJson),
        errors=(422,),
        summary="Think about a guess: server-sent events `progress`, then `done` or `error`. Disconnect to stop.",
        media_types=(EVENTS,),
    ),
    Route(
        method="POST", path=f"{API}/convert", handle=_convert, body=requests.ConvertRequest,
        answers=(ConvertedBoardJson, ConvertedLayoutJson),
        summary="Convert a position or a layout to the format `to`, by default JSON.",
        media_types=(JSON, "text/plain", "application/octet-stream"), errors=(422,),
    ),
    Route(
        method="POST", path=f"{API}/read", summary="The board in a screenshot, with doubtful cells. Nothing is stored.",
        handle=_read, query=requests.ReadQuery, answers=(ReadingJson,), accepts=PICTURES, errors=(501,),
    ),
    _question_route(
        "check", requests.CheckRequest, "Whether a layout needs a guess, and the first forced guess.",
        _question(answers.check_answer), CheckJson, StartsJson,
    ),
    _question_route(
        "generate", requests.GenerateRequest, "A new layout. The same seed and options give the same layout.",
        _question(answers.generate_answer), GeneratedJson,
    ),
    Route(
        method="POST", path=f"{API}/games", summary="Start a game.", handle=_begin, body=requests.NewGameRequest,
        answers=(LiveViewJson,), status=201,
    ),
    _game_route("GET", "", "The visible board of a game.", _view, LiveViewJson),
    _game_route(
        "POST", "/moves", "Make a move. It is on disk before the response is sent.", _move, MovedJson,
        body=requests.MoveRequest,
    ),
    _game_route(
        "POST", "/again", "A new game on the same board. An unfinished game is abandoned.", _again, LiveViewJson,
        status=201,
    ),
    _game_route(
        "POST", "/pause", "Stop the clock. No moves are possible until it is resumed.", _pause, LiveViewJson,
    ),
    _game_route("POST", "/resume", "Resume the clock.", _resume, LiveViewJson),
    _game_route(
        "POST", "/from", "A new game from a move of a finished game, with the same mines.", _from, LiveViewJson,
        body=requests.ContinueRequest, status=201,
    ),
    _game_route("GET", "/hint", "A hint about the visible board; counts as help.", _hint, HintJson, query=HintQuery),
    _game_route(
        "GET", "/odds", "The odds of the visible board, and the chance to get this far; counts as help.", _odds,
        GameOddsJson,
    ),
    _game_route(
        "GET", "/best", "The best move on the visible board; counts as help.", _best, BestMoveJson,
        query=requests.GameBestQuery,
    ),
    _game_route(
        "GET", "/best/events", "Think about a guess on the visible board, as events; counts as help.", _game_think,
        ThoughtJson, BestMoveJson, query=requests.GameThinkQuery, media_types=(EVENTS,),
    ),
    _game_route("GET", "/review", "Review of a finished game.", _review, ReviewJson),
    _game_route(
        "GET", "/result", "Help used in a finished game, personal record and streak of its level.", _result, ResultJson
    ),
    _game_route("GET", "/timeline", "A finished game, move by move.", _timeline, TimelineJson),
    _game_route(
        "GET", "/lesson", "What to learn from a finished game: JSON, or a page.", _lesson, LessonJson,
        query=requests.LessonQuery, media_types=(JSON, "text/html"),
    ),
    _game_route("GET", "/record", "The record of a finished game, to save or replay it.", _record, RecordJson),
    Route(
        method="GET", path=f"{API}/variants", summary="The gallery of variants: titles, sentences, sizes, examples.",
        handle=_variants, answers=(VariantsJson,),
    ),
    Route(
        method="POST", path=f"{API}/variant-games", summary="Start a game of a variant.", handle=_begin_variant,
        body=requests.NewVariantGameRequest, answers=(LiveVariantJson,), status=201, errors=(422,),
    ),
    _variant_route("GET", "", "The visible board of a game.", _variant_view, LiveVariantJson),
    _variant_route(
        "POST", "/moves", "Make a move. It is on disk before the response is sent.", _variant_move, MovedVariantJson,
        body=requests.VariantMoveRequest,
    ),
    _variant_route("GET", "/odds", "The exact odds of the visible board.", _variant_odds, VariantAnalysisJson),
    _variant_route(
        "GET", "/hint", "A hint about the visible board.", _variant_hint, VariantHintJson, query=HintQuery
    ),
    _variant_route("GET", "/best", "The best move on the visible board.", _variant_best, VariantBestJson),
    _variant_route(
        "POST", "/again", "A new game on the same board. An unfinished game is abandoned.", _variant_again,
        LiveVariantJson, status=201,
    ),
    Route(
        method="GET", path=f"{API}/history", summary="Finished games, the latest first or in another order.",
        handle=_history_handler(finished.games_answer), query=requests.HistoryQuery, answers=(HistoryJson,),
    ),
    Route(
        method="GET", path=f"{API}/history/summary", summary="Win rates, streaks and best times of each level.",
        handle=_history_handler(finished.summary_answer), query=requests.HistoryFilter, answers=(SummaryJson,),
    ),
    Route(
        method="GET", path=f"{API}/history/export", summary="Finished games as a file.",
        handle=_export, query=requests.ExportQuery, media_types=("text/csv", "application/x-ndjson"),
    ),
    Route(
        method="GET", path=f"{API}/history/profile", summary="What to learn from many games: JSON, or a page.",
        handle=_profile, query=requests.ProfileQuery, answers=(ProfileJson,), media_types=(JSON, "text/html"),
        errors=(404, 409),
    ),
    Route(
        method="POST", path=f"{API}/history", summary="Store the games of a file: a saved game, a replay, JSON lines.",
        handle=_import, body=requests.ImportRequest, answers=(ImportedJson,), errors=(401, 409),
    ),
    _history_route(
        "GET", "/review", "Review of a finished game.",
        _on_history_game(finished.review_answer, is_long=True), KeptReviewJson,
    ),
    _history_route(
        "GET", "/timeline", "A finished game, move by move.",
        _on_history_game(finished.timeline_answer, is_long=True), KeptTimelineJson,
    ),
    _history_route(
        "GET", "/lesson", "What to learn from a finished game: JSON, or a page.", _history_lesson, LessonJson,
        query=requests.LessonQuery, media_types=(JSON, "text/html"),
    ),
    _history_route(
        "GET", "/record", "The record of a finished game.", _on_history_game(finished.record_answer), RecordJson,
    ),
    _history_route(
        "POST", "/name", "Set or remove the name of the player of a game.", _name, HistoryJson,
        body=requests.NameRequest,
    ),
    _history_route(
        "POST", "/from", "A new game from a move of a finished game, with the same mines.", _from_history, LiveViewJson,
        body=requests.ContinueRequest, status=201,
    ),
    _history_route(
        "DELETE", "", "Delete a game permanently.",
        _on_history_game(finished.delete_answer), ForgottenJson,
    ),
    Route(
        method="POST", path=f"{API}/puzzle",
        summary="A position that needs a technique, by default chosen by your rating.",
        handle=_puzzle, body=requests.PuzzleRequest, answers=(PuzzleJson,), errors=(404,),
    ),
    Route(
        method="POST", path=f"{API}/answer", summary="Check the answer to a puzzle, and update the rating.",
        handle=_judge, body=requests.PuzzleAnswerRequest, answers=(CountedAnswerJson,), errors=(401, 404, 409, 422),
    ),
    Route(
        method="GET", path=f"{API}/standing", summary="Your puzzle rating, and the difficulty of each technique.",
        handle=_standing, answers=(TrainingJson,),
    ),
    Route(
        method="GET", path=f"{API}/dashboard", answers=(DashboardJson,),
        summary="Your results by technique and by day, failed puzzles to retry, and the best streaks and storms.",
        handle=_history_handler(practice.dashboard_answer),
    ),
    Route(
        method="GET", path=f"{API}/daily", summary="Your results in the daily puzzles of a month.",
        handle=_history_handler(practice.daily_answer), query=requests.DailyQuery, answers=(DailyJson,),
    ),
    Route(
        method="POST", path=f"{API}/runs", summary="Start a streak or a storm; its puzzles and answers name it.",
        handle=_history_handler(practice.start_run), body=requests.RunRequest, answers=(CountedRunJson,), errors=(401,),
        status=201,
    ),
    Route(
        method="GET", path=f"{API}/strategies",
        summary="The strategies for simulations, including those of installed packages.",
        handle=_strategies, answers=(StrategiesJson,),
    ),
    Route(
        method="POST", path=f"{API}/simulate", handle=_simulate, body=requests.SimulateRequest,
        answers=(SimulationJson, ComparisonJson), errors=(409,),
        summary="Simulate many games: server-sent events `progress`, then `done` or `error`. Disconnect to stop.",
        media_types=(EVENTS,),
    ),
    Route(
        method="GET", path=f"{API}/player", handle=_player, answers=(PlayerJson,),
        summary="Whether this server has one player or many, and whether this request has the key of one.",
    ),
    Route(
        method="POST", path=f"{API}/player", handle=_new_player, answers=(PlayerJson,),
        summary="A new player key for the header `Mineproof-Player`; null if the server has one player.",
    ),
    Route(method="GET", path=f"{API}/openapi.json", summary="This document.", handle=_openapi),
)  # fmt: skip
