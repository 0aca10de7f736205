"""The games in progress: start, move, view, help, and the transfer of finished games to the history.

The mines stay on the server. Responses about a game contain `Game.as_json`, `Outcome` and analyses of the visible
board; record, review and layout are available when the game is over. Ids and default seeds come from the system's
random source, and seeds are secret while the game is in progress.

Requests about one game run one after the other, under its lock; games do not wait for each other. Work that may take
seconds has separate threads: creating a no-guess board, judging a move of a fair game, replaying a resumed game.

Recently used games are held in memory; others are loaded from the store. Their clocks kept running, except while no
server was running.

Finished games wait in a queue and enter the history one after the other, so a slow history takes at most one thread.
A finished game never changes. An undo after the end starts a new game, whose record has the end and the undo.

Other servers, or other workers of this one, may have the same games. Then a game in memory is used only if it has the
version of the store, and a change is saved only if the version is still the same. Otherwise the game is loaded again,
and the move is made in its new state, or rejected by the rules.

A second game on the same board would reveal the mines of the first. So an unfinished game is deleted when its board is
played again.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, cast
from weakref import WeakValueDictionary

from mineproof.advice.hints import hint
from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import Cell, pairs
from mineproof.errors import BoardSyntaxError, HistoryError, IllegalMoveError
from mineproof.game import record
from mineproof.game.game import Game, Outcome
from mineproof.game.help import HelpUsed
from mineproof.game.record import GameExtras, Record
from mineproof.game.reviews import review
from mineproof.game.rules import REVEALS, Fairness, MoveKind, hint_options
from mineproof.game.timelines import timeline
from mineproof.generation.new_game import needs_board, resume_game, with_no_guess_board
from mineproof.history.connection import Owned, Place
from mineproof.history.history import History
from mineproof.web import lessons, requests
from mineproof.web.answers import Written, require_count
from mineproof.web.best_move_events import Thinking, think_over
from mineproof.web.budgets import question_budget
from mineproof.web.errors import Refused
from mineproof.web.limits import BOARDS_PER_CLIENT, GAMES_IN_MEMORY, LOOKS
from mineproof.web.live_game import MOVE_BUDGET, Live
from mineproof.web.new_games import begin_game, repeat_board, undo_end, with_move_budget
from mineproof.web.players import PLAYER
from mineproof.web.pool import SERVER, Cancelled, Lane, Receive
from mineproof.web.questions import Questions
from mineproof.web.results import result_answer
from mineproof.web.store import ALIVE, BEAT, Ended, GameRow, GameStore, Stale, no_game

if TYPE_CHECKING:
    from mineproof.advice.wire import HintJson
    from mineproof.decision.wire import BestMoveJson
    from mineproof.game.wire import OutcomeJson, ReviewJson, TimelineJson
    from mineproof.lessons.wire import LessonJson
    from mineproof.web.wire import GameOddsJson, LiveViewJson, MovedJson, ResultJson

T = TypeVar("T")

HELP_BUDGET = question_budget()  # for a hint, or for the odds
REVIEW_SECONDS = 0.5  # to count the guesses of a finished game; 'history fill' counts those that take longer
ID_BYTES = 18  # random bytes of an id, which is the only key to a game
CONFLICT_RETRY_SECONDS = 10.0  # to change a game that other servers change too; each round one of them succeeds
LEFT_OVER_SECONDS = 60.0  # until a finished game that no server put into the history is taken over
MAX_WAITING_GAMES = 1000  # finished games in the queue for the history; later ones are found in the store
MAX_REPORTED_GAMES = 1000  # ids of games whose failure to enter the history was logged
MOVES_PER_CELL = 4  # moves that a game accepts for each cell; a person makes fewer than two
EXTRA_MOVES = 1000  # moves that a game accepts besides, for small boards


class LiveGames:
    """All games of a server. Its methods run in the event loop; the lanes do the work."""

    def __init__(
        self,
        store: GameStore,
        history: Place,
        moves: Lane,
        boards: Lane,
        questions: Questions,
        thinking: Thinking,
        started: float | None = None,
    ) -> None:
        """``started``: when the first worker started; None if the store knows whether others run."""
        self._store, self.history = store, history
        self._is_one_of_many = started is None and store.is_shared
        self._started = time.time() if started is None else started  # when the first server did, in seconds since 1970
        if self._is_one_of_many:
            self._started = store.runs(self._started)
        self._moves, self._boards, self._questions, self._thinking = moves, boards, questions, thinking
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()  # the task that adds games to the history; at most one
        self._waiting: deque[Ended] = deque()  # finished games on their way to the history, the first being added
        self._reported: set[str] = set()  # ids of games whose failure to enter the history was logged

    # playing

    async def begin(self, request: requests.NewGameRequest, client: str) -> LiveViewJson:
        return await self._begin(lambda: begin_game(request), client)

    async def take_over(
        self, game_id: str, request: requests.NewGameRequest, moves: Sequence[tuple[MoveKind, Cell]], ms: int
    ) -> LiveViewJson:
        """Store a game that began elsewhere, with its moves and the time on its clock."""

        def make() -> Live:
            live = begin_game(request)
            for kind, cell in moves:
                live.game.play(kind, (cell[0], cell[1]))
            live.game = Game.replay(replace(live.game.record(), ms=ms), budget=MOVE_BUDGET)
            return live

        return await self._begin(make, SERVER, game_id=game_id)

    async def again(self, game_id: str, client: str) -> LiveViewJson:
        """Start a new game on the same board; an unfinished game is abandoned."""

        async def act(live: Live) -> LiveViewJson:
            before, is_over = (game_id, live.version), live.game.is_over
            given_up, beside = (None, before) if is_over else (before, None)
            return await self._begin(lambda: repeat_board(live), client, instead_of=given_up, beside=beside)

        return await self._on_newest(game_id, act)

    async def resume_from(self, game_id: str, move: int, client: str, receive: Receive) -> LiveViewJson:
        """Start a new game from a move of a finished game."""
        async with self._lock(game_id):
            live = await self._get(game_id)
            played, used = _record_of(live.game), live.help
        return await self.resume_record(played, move, used, client, receive)

    async def resume_record(
        self, played: Record, move: int, used: HelpUsed, client: str, receive: Receive
    ) -> LiveViewJson:
        """Start a new game from a move of a record; ``used`` is the help of the earlier game."""

        def work(stop: Cancelled) -> Live:
            game = resume_game(played, move, replace(MOVE_BUDGET, cancelled=stop))
            return Live(with_move_budget(game), GameExtras(HelpUsed(repeats=used.repeats + 1), True))

        with self._boards.place_of(client, BOARDS_PER_CLIENT):
            live = await self._boards.run(work, receive)
        return await self._begin(lambda: live, client)

    async def _begin(
        self,
        make: Callable[[], Live],
        client: str,
        *,
        game_id: str | None = None,
        instead_of: tuple[str, int] | None = None,
        beside: tuple[str, int] | None = None,
    ) -> LiveViewJson:
        game_id, owner = game_id or secrets.token_urlsafe(ID_BYTES), PLAYER.get().owner

        def work(_: Cancelled) -> tuple[Live, list[str]]:
            live = make()
            live.owner = owner
            untouched, saved = not live.game.move_count, live.rest(0)
            others = self._store.add(
                game_id, client, saved, owner=owner, is_untouched=untouched, instead_of=instead_of, beside=beside
            )
            return live, others

        live, gone = await self._moves.run(work)
        for other in gone:
            self._live.pop(other, None)
        self._remember(game_id, live)
        return live.view(game_id)

    async def view(self, game_id: str) -> LiveViewJson:
        async with self._lock(game_id):
            return (await self._get(game_id)).view(game_id)

    async def pause(self, game_id: str) -> LiveViewJson:
        """Stop the clock until `resume`; IllegalMoveError if it is not running."""

        async def act(live: Live) -> LiveViewJson:
            if live.game.status != "running":
                raise IllegalMoveError(f"the game is {live.game.status}: its clock does not run")
            if not live.game.is_paused:
                live.game.pause()
                before, live.help = live.help, live.help.more("pauses")
                try:
                    await self._save_in_thread(game_id, live)
                except BaseException:
                    live.game.resume()
                    live.help = before
                    raise
            return live.view(game_id)

        return await self._on_newest(game_id, act)

    async def resume(self, game_id: str) -> LiveViewJson:
        """Resume the clock; no effect if it is running."""

        async def act(live: Live) -> LiveViewJson:
            if live.game.is_paused:
                live.game.resume()
                try:
                    await self._save_in_thread(game_id, live)
                except BaseException:
                    live.game.pause()
                    raise
            return live.view(game_id)

        return await self._on_newest(game_id, act)

    async def move(self, game_id: str, move: requests.MoveRequest, client: str, receive: Receive) -> LiveViewJson:
        """Make a move. An undo of a finished game starts a new game; the finished one stays as it is."""

        async def act(live: Live) -> LiveViewJson:
            made = live.game.move_count
            if move.retry and _has_move(live.game, move):
                return _move_json(live.view(game_id), _outcome_of(live.game, move.moves or 0))
            if move.moves not in (None, made):
                counts = f"this move is for move count {move.moves}, the game has {made}"
                raise IllegalMoveError(f"The game has changed: {counts}. Reload the game.")
            _require_moves_left(live.game)
            if live.game.is_paused:
                raise IllegalMoveError("The game is paused. Resume it first.")
            if move.kind == "undo" and move.cell is None and live.game.is_over:
                before = (game_id, live.version)
                branch = await self._begin(lambda: undo_end(live), client, beside=before)
                return _move_json(branch, Outcome({}, frozenset(), False, "running"), continues=game_id)
            if move.kind == "open" and move.cell is not None and not live.fixed:
                await self._make_board(live, move.cell, client, receive)
            with self._unless_gone(game_id):
                outcome = await self._play_move(game_id, live, move, client)
            if live.game.is_over and live.owner is not None:
                self._queue_for_history(Ended(game_id, live.version, live.owner, live.to_json()))
            return _move_json(live.view(game_id), outcome)

        return await self._on_newest(game_id, act)

    async def _make_board(self, live: Live, start: Cell, client: str, receive: Receive) -> None:
        """Create the board of a no-guess game if necessary, unless the client disconnects before."""
        game = live.game
        if needs_board(game, start):
            with self._boards.place_of(client, BOARDS_PER_CLIENT):
                live.game = await self._boards.run(
                    lambda stop: with_move_budget(
                        with_no_guess_board(game, start, replace(MOVE_BUDGET, cancelled=stop))
                    ),
                    receive,
                )

    async def _play_move(self, game_id: str, live: Live, move: requests.MoveRequest, client: str) -> Outcome:
        """Make a move and save it."""
        if live.game.rules.fairness == "none" or move.kind not in REVEALS:
            return await self._moves.run(lambda _: self._play_and_save(game_id, live, move))
        with self._boards.place_of(client, BOARDS_PER_CLIENT):
            return await self._boards.run(lambda _: self._play_and_save(game_id, live, move))

    def _play_and_save(self, game_id: str, live: Live, move: requests.MoveRequest) -> Outcome:
        before = live.standing()
        outcome = live.game.play(move.kind, move.cell)
        if move.kind == "undo":
            live.help = live.help.more("undos")
        try:
            self._save(game_id, live)
        except Stale:  # this game is read again
            raise
        except BaseException:  # a move that could not be saved was not made
            live.take_back(before)
            raise
        return outcome

    def _save(self, game_id: str, live: Live) -> None:
        """Save a game (in a thread)."""
        game, blocks = live.game, live.unsaved_blocks()
        self._store.save(
            game_id, live.version, live.rest(live.blocks + len(blocks)), first_block=live.blocks, blocks=blocks,
            is_over=game.is_over, is_paused=game.is_paused, odds_at=live.odds_at,
        )  # fmt: skip
        live.blocks += len(blocks)
        live.version += 1

    # help

    async def hint(self, game_id: str, level: int, receive: Receive) -> HintJson:
        board, fairness = await self._visible_board(game_id)
        help_for = hint_options(fairness)
        step = await self._questions.answer(lambda budget: hint(board, **help_for, budget=budget), HELP_BUDGET, receive)
        await self._count_help(game_id, lambda live: live.help.with_hint(level))
        return step.as_json(level) | {"board": board.as_json()}

    async def odds(self, game_id: str, receive: Receive) -> GameOddsJson:
        async with self._lock(game_id):
            live = await self._get(game_id)
            PLAYER.get().require_change_of(live.owner)  # help is counted
            _require_on(live.game)
            board, played = live.game.board.without_flags(), live.game.record()

        def work(budget: Budget) -> GameOddsJson:
            deadline = Deadline(budget)
            analysis = analyze(board, budget=deadline.rest()).as_json(budget=deadline.rest())
            require_count(analysis, budget.seconds, HELP_BUDGET.seconds)
            return cast("GameOddsJson", {**analysis, "survived": live.risks_of(played).survive(played, deadline)})

        answer = await self._questions.answer(work, HELP_BUDGET, receive)
        await self._count_help(game_id, _with_odds)
        return answer

    async def best(self, game_id: str, seconds: float | None, client: str, receive: Receive) -> BestMoveJson:
        board = (await self._visible_board(game_id))[0].without_flags()

        def work(stop: Cancelled) -> BestMoveJson:
            return think_over(board, seconds, _budget(stop))

        if seconds is None:
            answer = await self._questions.think(work, receive)
        else:
            answer = await self._thinking.run(work, client, receive)
        await self._count_help(game_id, _with_best)
        return answer

    async def best_events(self, game_id: str, seconds: float, client: str) -> AsyncIterator[bytes]:
        """Return the events of thinking about a guess. The first event already helps, so help is counted before."""
        board = (await self._visible_board(game_id))[0].without_flags()
        self._thinking.require_room(client)
        await self._count_help(game_id, _with_best)
        return self._thinking.events(board, seconds, question_budget(), client)

    async def _visible_board(self, game_id: str) -> tuple[Board, Fairness]:
        """Return the visible board of a game in progress, and its fairness."""
        async with self._lock(game_id):
            live = await self._get(game_id)
            PLAYER.get().require_change_of(live.owner)  # help is counted
            game = live.game
            _require_on(game)
            return game.board, game.rules.fairness

    async def _count_help(self, game_id: str, more: Callable[[Live], HelpUsed]) -> None:
        """Count help before it is sent."""

        async def act(live: Live) -> None:
            if live.game.is_over:  # over while the question was thought about: it helps no more
                return
            before, live.help = live.help, more(live)
            if live.help is not before:
                try:
                    await self._save_in_thread(game_id, live)
                except BaseException:
                    live.help, live.odds_at = before, -1
                    raise

        await self._on_newest(game_id, act)

    async def _save_in_thread(self, game_id: str, live: Live) -> None:
        """Save a game in progress, whose lock is held; if that fails, the caller reverts its change."""
        with self._unless_gone(game_id):
            await self._moves.run(lambda _: self._save(game_id, live))

    @contextmanager
    def _unless_gone(self, game_id: str) -> Iterator[None]:
        """Drop a game from memory if the store no longer has it."""
        try:
            yield
        except Refused as error:
            if error.code == "not-found":
                self._live.pop(game_id, None)
            raise

    # looking back

    async def review(self, game_id: str, receive: Receive) -> ReviewJson:
        played, extras = await self._load_finished(game_id)
        return await self._questions.think(
            lambda stop: review(played, help_used=extras.help, budget=_budget(stop)).as_json(), receive
        )

    async def timeline(self, game_id: str, receive: Receive) -> TimelineJson:
        played, _ = await self._load_finished(game_id)
        return await self._questions.think(lambda stop: timeline(played, budget=_budget(stop)).as_json(), receive)

    async def lesson(self, game_id: str, query: requests.LessonQuery, receive: Receive) -> LessonJson | Written:
        played, extras = await self._load_finished(game_id)
        finished = lessons.FinishedGame(played, help_used=extras.help)
        return await self._questions.think(lambda stop: lessons.lesson_answer(finished, query, stop), receive)

    async def result(self, game_id: str, receive: Receive) -> ResultJson:
        """Return the help of a finished game, and the personal record and the streak of its level."""
        async with self._lock(game_id):
            live = await self._get(game_id)
            played, extras = _record_of(live.game), live.extras
            owner = live.owner if live.owner == PLAYER.get().readable else None
        place = None if owner is None else Owned(self.history, owner)
        return await self._questions.look(lambda _: result_answer(place, played, extras), receive)

    async def record(self, game_id: str) -> str:
        return record.to_json((await self._load_finished(game_id))[0])

    async def _load_finished(self, game_id: str) -> tuple[Record, GameExtras]:
        """Return the record of a finished game, and what is saved with it."""
        async with self._lock(game_id):
            live = await self._get(game_id)
            return _record_of(live.game), live.extras

    # the history

    async def queue_finished(self, seconds: float = 0.0) -> None:
        """Queue finished games that another server did not put into the history; errors of the store are retried."""
        try:
            for end in await self._questions.look(lambda _: self._store.not_in_history(seconds)):
                self._queue_for_history(end)
        except Refused:
            pass
        except HistoryError as error:
            sys.stderr.write(f"mineproof: cannot look up finished games now: {error}\n")

    async def queue_left_over(self) -> None:
        """Regularly queue finished games that another server, or the history, could not take."""
        while True:
            await asyncio.sleep(LEFT_OVER_SECONDS)
            await self.queue_finished(LEFT_OVER_SECONDS)

    def _queue_for_history(self, end: Ended) -> None:
        """Queue a finished game for the history; the response to the player does not wait."""
        if len(self._waiting) >= MAX_WAITING_GAMES or any(end[:2] == other[:2] for other in self._waiting):
            return
        self._waiting.append(end)
        if all(task.done() for task in self._tasks):
            task = asyncio.get_running_loop().create_task(self._add_waiting_games(), context=Context())  # of no client
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _add_waiting_games(self) -> None:
        """Put waiting games into the history, one after the other."""
        while self._waiting:
            game_id = self._waiting[0].game_id
            try:
                await self._questions.look(lambda _: self._add_to_history(self._waiting[0]))
                self._reported.discard(game_id)
            except Refused:
                if self._questions.light.is_over:
                    return
                await asyncio.sleep(1)
                continue
            except Exception as error:  # the game stays in the store, and is tried again later
                if self._questions.light.is_over:
                    return
                if game_id not in self._reported:
                    if len(self._reported) >= MAX_REPORTED_GAMES:
                        self._reported.clear()
                    self._reported.add(game_id)
                    sys.stderr.write(f"mineproof: a finished game is not in the history yet: {error}\n")
            self._waiting.popleft()

    def _add_to_history(self, end: Ended) -> None:
        """Add a finished game to the history of its owner (in a thread)."""
        played, extras = record.from_json(end.saved), record.read_extras(end.saved) or GameExtras()
        with History.lent(Owned(self.history, end.owner)) as history:
            history.add(
                played, help_used=extras.help.as_json(), given=extras.fixed, source="serve", budget=REVIEW_SECONDS
            )
        self._store.put_into_history(end.game_id, end.version)

    @property
    def own_history(self) -> Owned:
        """The history of the player of the current request; use it in the event loop, not in threads."""
        return Owned(self.history, PLAYER.get().readable)

    # running

    async def run_on(self) -> None:
        """Every few seconds, store that this server is running, and read since when others are."""
        while self._is_one_of_many:
            await asyncio.sleep(BEAT)
            with suppress(HistoryError, Refused):
                self._started = await self._moves.run(lambda _: self._store.runs(self._started))

    def end(self) -> None:
        """Store that this server ends (in a thread)."""
        self._store.ends()

    # finding

    def _lock(self, game_id: str) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())

    async def _on_newest(self, game_id: str, act: Callable[[Live], Awaitable[T]]) -> T:
        """Change a game under its lock; retry with its new state if another server was faster."""
        async with self._lock(game_id):
            end = time.monotonic() + CONFLICT_RETRY_SECONDS
            while time.monotonic() < end:
                live = await self._get(game_id)
                PLAYER.get().require_change_of(live.owner)
                try:
                    return await act(live)
                except Stale:
                    self._live.pop(game_id, None)
        raise Refused("busy", "Other clients are changing this game. Try again in a moment.")

    async def _get(self, game_id: str) -> Live:
        """Return the game with an id; the caller holds its lock."""
        live = self._live.get(game_id)
        if live is not None and self._store.is_shared:
            version = await self._moves.run(lambda _: self._store.version(game_id))
            if version != live.version:
                self._live.pop(game_id, None)
                live = None
        if live is None:
            live = await self._moves.run(lambda _: self._load(game_id))
        elif time.monotonic() - live.looked_at > LOOKS:
            live.looked_at = time.monotonic()
            await self._moves.run(lambda _: self._touch(game_id))
        self._remember(game_id, live)
        return live

    def _touch(self, game_id: str) -> None:
        """Store that a client looks at a game. Errors are ignored."""
        with suppress(HistoryError):
            self._store.touch(game_id)

    def _load(self, game_id: str) -> Live:
        row = self._store.load(game_id)
        if row is None:
            raise no_game()
        self._touch(game_id)
        try:
            played, extras = record.from_json(row.saved), record.read_extras(row.saved) or GameExtras()
            if played.status == "running" and not row.is_paused:
                played = replace(played, ms=played.ms + int(1000 * self._seconds_run(row)))
            game = Game.replay(played, budget=MOVE_BUDGET)
        except (BoardSyntaxError, TypeError) as error:
            raise self._store.damage_error(game_id, error) from None
        live = Live(game, extras, row.version, row.odds_at, owner=row.owner, blocks=row.blocks)
        if row.is_paused:
            live.game.pause()
        return live

    def _seconds_run(self, row: GameRow) -> float:
        """Return the seconds that the clock of a game has run since it was saved.

        Wall clocks of several servers are in step, but they jump. The uptime of servers does not, and is known to each
        of them to within the time between two beats.
        """
        wall = time.time() - max(row.changed, self._started)
        return max(0.0, min(wall, row.unchanged + ALIVE))

    def _remember(self, game_id: str, live: Live) -> None:
        self._live[game_id] = live
        self._live.move_to_end(game_id)
        if len(self._live) > GAMES_IN_MEMORY:
            self._live.popitem(last=False)


# what is allowed, and what is answered


def _has_move(game: Game, move: requests.MoveRequest) -> bool:
    """Is a move with this number already part of the game?"""
    number = move.moves
    if number is None or number >= game.move_count:
        return False
    made = game.moves[number]
    return (made.kind, made.cell) == (move.kind, move.cell)


def _outcome_of(game: Game, number: int) -> Outcome:
    """Return the outcome of an earlier move, by playing the game again."""
    return next(outcome for index, (_, _, outcome) in enumerate(Game.steps(game.record())) if index == number)


def _require_moves_left(game: Game) -> None:
    """Raise IllegalMoveError if a game has more moves than a person would make."""
    most = MOVES_PER_CELL * game.rows * game.columns + EXTRA_MOVES
    if game.move_count >= most:
        raise IllegalMoveError(f"Cannot move: the game has {most:,} moves, the maximum for its size. Start a new game.")


def _require_on(game: Game) -> None:
    if game.is_over:
        raise IllegalMoveError(f"the game is {game.status}: there is nothing to help with")
    if game.is_paused:
        raise IllegalMoveError("The game is paused. Resume it first.")


def _record_of(game: Game) -> Record:
    if not game.is_over:
        raise IllegalMoveError("The game is still running. Finish it first.")
    return game.record()


def _budget(cancelled: Cancelled) -> Budget:
    return question_budget(cancelled=cancelled)


def _with_best(live: Live) -> HelpUsed:
    return live.help.more("best_moves")


def _with_odds(live: Live) -> HelpUsed:
    moves = live.game.move_count
    if live.odds_at == moves:
        return live.help
    live.odds_at = moves
    return live.help.more("odds_moves")


def _move_json(view: LiveViewJson, outcome: Outcome, *, continues: str | None = None) -> MovedJson:
    """Return the view of a game after a move with its outcome."""
    shown: OutcomeJson = {
        "opened": [[*cell, number] for cell, number in sorted(outcome.opened.items())],
        "exploded": pairs(outcome.exploded),
        "redrawn": outcome.redrawn,
    }
    return cast("MovedJson", {**view, **({} if continues is None else {"continues": continues}), "outcome": shown})
