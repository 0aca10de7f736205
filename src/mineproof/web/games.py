"""The games that are on: begun, moved in, looked at, helped with, and handed to the history when they are over.

The mines stay here. What leaves about a game is made of `Game.as_json`, of `Outcome` and of what the library says about
the board that is seen; record, review and layout leave once the game is over. Ids are drawn from the system's
randomness, and so are seeds that were not asked for, which nobody is told while the game is on.

Everything about one game happens one after the other, under its lock; games do not wait for each other. What may take
seconds has threads of its own, beside those of moves: to make a no-guess board, to judge a move of a fair game, to
replay one that is gone on with.

Games that were asked for last are held in memory. Another is read from the store again. Its clock has gone on
meanwhile; time in which no server ran is not counted.

Games that are over wait in a queue, and are put into the history one after the other: however slow that is, it takes
one thread of those for questions.

Other servers, or other workers of this one, may have the same games. Then a game in memory is asked about only if it
has the version that the store has, and what is worked out from it is saved only if that is still so; else it is read
again, and the move is made in the game as it is now, or refused by its rules.

The same board again would tell, when it is over, where the mines of the first game are. So a game that is not over is
given up for it, and its id is gone.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TypeVar
from weakref import WeakValueDictionary

from mineproof.advice.hints import hint
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, Cell, pairs
from mineproof.errors import HistoryError, IllegalMoveError
from mineproof.game import record
from mineproof.game.game import Game, Outcome
from mineproof.game.help import HelpUsed
from mineproof.game.record import Kept, Record
from mineproof.game.reviews import review
from mineproof.game.risks import Risks
from mineproof.game.rules import REVEALS, Fairness, Rules
from mineproof.game.timelines import timeline
from mineproof.generation.beginning import begun, gone_on_from, is_to_be_made, made_for
from mineproof.history import facts
from mineproof.history.history import History
from mineproof.history.opening import Place, kept_numbers
from mineproof.web import asked, coaching
from mineproof.web.answers import Document, Written, layout_to_play, size_of
from mineproof.web.failure import Refused
from mineproof.web.limits import BOARDS_PER_CLIENT, GAMES_IN_MEMORY, LOOKS, MOVE_SECONDS, SECONDS, STATES
from mineproof.web.pool import Cancelled, Lane, Receive
from mineproof.web.store import BEAT, Stale, Store, no_game
from mineproof.web.thinking import Thinking, thought_over

T = TypeVar("T")

THOUGHT = Budget(MOVE_SECONDS, STATES)
REVIEW = 0.5  # seconds for the guesses of a finished game; 'history fill' makes up for what takes longer
ID_BYTES = 18  # of an id, which is the only key to a game
TRYING = 10.0  # seconds to change a game that others change all the time; one of all who try succeeds each time
LEFT_OVER = 60.0  # seconds after which another server's finished game is taken to be left to others
WAITING = 1000  # ends of games that wait for the history in memory; others are found in the store later
TOLD = 1000  # games that are remembered as told to be in no history


class Live:
    """A game in memory, with the help that was used, and whether its layout is played as it is."""

    def __init__(self, game: Game, kept: Kept, version: int = 0, odds_at: int = -1) -> None:
        self.game, self.version = game, version
        self.help, self.fixed = kept
        self.looked_at = time.monotonic()  # when that was last written down
        self.odds_at = odds_at  # moves made when the odds were last asked for: twice at the same board counts once
        self._risks: Risks | None = None  # of the moves made until then

    def followed(self, played: Record) -> Risks:
        """Who follows the risks of this game; a board that was made for the first click is another one."""
        if self._risks is None or not self._risks.is_of(played):
            self._risks = Risks(played)
        return self._risks

    def take_back(self, before: Record, used: HelpUsed) -> None:
        """The game as it was before its last move; a clock that ran goes on from now."""
        ms = max(before.ms, self.game.ms) if before.status == "running" else before.ms
        self.game, self.help = Game.replay(replace(before, ms=ms), budget=THOUGHT), used

    def saved(self) -> str:
        return record.to_json(self.game.record(), Kept(self.help, self.fixed))

    def view(self, game_id: str) -> Document:
        """What is seen; ``start`` is the first click that a fixed layout was made for, while it is still to come.

        While the clock stands, so that nobody thinks meanwhile, every cell is covered.
        """
        shown: Document = {"id": game_id, "moves": len(self.game.moves), **self.game.as_json()}
        if self.game.is_paused:
            board = self.game.board
            covered = (code if code == ABSENT & 0xFF else COVERED & 0xFF for code in board.codes)
            shown["cells"] = notation.write_rows(board.columns, bytes(covered))
        start = self.game.record().layout.start if self.fixed and self.game.status == "new" else None
        return shown if start is None else shown | {"start": list(start)}


class Games:
    """All games of a server. Its methods are for the event loop; the work is done in the lanes."""

    def __init__(
        self,
        store: Store,
        history: Place,
        moves: Lane,
        boards: Lane,
        questions: Lane,
        thinking: Thinking,
        started: float | None = None,
    ) -> None:
        """``started``: when the first of all workers did; None where the store is to tell whether others run."""
        self._store, self.history = store, history
        self._is_one_of_many = started is None and store.is_shared
        self._started = time.time() if started is None else started  # seconds since 1970: of all who run until now
        if self._is_one_of_many:
            self._started = store.runs(self._started)
        self._moves, self._boards, self._questions, self._thinking = moves, boards, questions, thinking
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()  # one at most
        self._ends: deque[tuple[str, str]] = deque()  # ids and games that wait for the history; the first is under way
        self._told: set[str] = set()  # games that could not be put into the history

    # playing

    async def begin(self, wanted: asked.NewGame, client: str) -> Document:
        return await self._begin(lambda: _new(wanted) if wanted.layout is None else _given(wanted), client)

    async def again(self, game_id: str, client: str) -> Document:
        """The same board from its beginning; the game before is given up unless it is over."""

        async def act(live: Live) -> Document:
            before, is_over = (game_id, live.version), live.game.is_over
            given_up, beside = (None, before) if is_over else (before, None)
            return await self._begin(lambda: _again(live), client, instead_of=given_up, beside=beside)

        return await self._on_newest(game_id, act)

    async def go_on_from(self, game_id: str, move: int, client: str, receive: Receive) -> Document:
        """A new game from a move of one that is over."""
        async with self._lock(game_id):
            live = await self._found(game_id)
            played, used = _record_of(live.game), live.help
        return await self.go_on(played, move, used, client, receive)

    async def go_on(self, played: Record, move: int, used: HelpUsed, client: str, receive: Receive) -> Document:
        """A new game from a move of a record; ``used`` is the help of the game before."""

        def work(stop: Cancelled) -> Live:
            game = gone_on_from(played, move, _thought(stop))
            return Live(_to_play(game), Kept(HelpUsed(repeats=used.repeats + 1), True))

        with self._boards.place_of(client, BOARDS_PER_CLIENT):
            live = await self._boards.run(work, receive)
        return await self._begin(lambda: live, client)

    async def _begin(
        self,
        make: Callable[[], Live],
        client: str,
        *,
        instead_of: tuple[str, int] | None = None,
        beside: tuple[str, int] | None = None,
    ) -> Document:
        game_id = secrets.token_urlsafe(ID_BYTES)

        def work(_: Cancelled) -> tuple[Live, list[str]]:
            live = make()
            untouched, saved = not live.game.moves, live.saved()
            others = self._store.add(
                game_id, client, saved, is_untouched=untouched, instead_of=instead_of, beside=beside
            )
            return live, others

        live, gone = await self._moves.run(work)
        for each in gone:
            self._live.pop(each, None)
        self._remember(game_id, live)
        return live.view(game_id)

    async def view(self, game_id: str) -> Document:
        async with self._lock(game_id):
            return (await self._found(game_id)).view(game_id)

    async def pause(self, game_id: str) -> Document:
        """Stop the clock until `resume`; IllegalMoveError where it does not run."""

        async def act(live: Live) -> Document:
            if live.game.status != "running":
                raise IllegalMoveError(f"the game is {live.game.status}: its clock does not run")
            if not live.game.is_paused:
                live.game.pause()
                before, live.help = live.help, live.help.more("pauses")
                try:
                    await self._saved(game_id, live)
                except BaseException:
                    live.game.resume()
                    live.help = before
                    raise
            return live.view(game_id)

        return await self._on_newest(game_id, act)

    async def resume(self, game_id: str) -> Document:
        """Let the clock go on; one that was not stopped goes on as it does."""

        async def act(live: Live) -> Document:
            if live.game.is_paused:
                live.game.resume()
                try:
                    await self._saved(game_id, live)
                except BaseException:
                    live.game.pause()
                    raise
            return live.view(game_id)

        return await self._on_newest(game_id, act)

    async def move(self, game_id: str, move: asked.Move, client: str, receive: Receive) -> Document:
        async def act(live: Live) -> Document:
            made = len(live.game.moves)
            if move.moves not in (None, made):
                raise IllegalMoveError(
                    f"found {made} moves in the game, expected {move.moves}, as this move says: look at the game first"
                )
            if live.game.is_paused:
                raise IllegalMoveError("the game is paused: it takes moves again after `resume`")
            if move.kind == "open" and move.cell is not None and not live.fixed:
                await self._make_board(live, move.cell, client, receive)
            with self._unless_gone(game_id):
                outcome = await self._play(game_id, live, move, client)
            if live.game.is_over:
                self._keep(game_id, live.saved())
            return live.view(game_id) | {"outcome": _outcome(outcome)}

        return await self._on_newest(game_id, act)

    async def _make_board(self, live: Live, start: Cell, client: str, receive: Receive) -> None:
        """Make the board of a no-guess game, if it is still to be made, unless the client leaves before."""
        game = live.game
        if is_to_be_made(game, start):
            with self._boards.place_of(client, BOARDS_PER_CLIENT):
                live.game = await self._boards.run(
                    lambda stop: _to_play(made_for(game, start, _thought(stop))), receive
                )

    async def _play(self, game_id: str, live: Live, move: asked.Move, client: str) -> Outcome:
        """Make a move, and put it on disk."""
        if live.game.rules.fairness == "none" or move.kind not in REVEALS:
            return await self._moves.run(lambda _: self._moved(game_id, live, move))
        with self._boards.place_of(client, BOARDS_PER_CLIENT):
            return await self._boards.run(lambda _: self._moved(game_id, live, move))

    def _moved(self, game_id: str, live: Live, move: asked.Move) -> Outcome:
        before, used = live.game.record(), live.help
        outcome = live.game.play(move.kind, move.cell)
        if move.kind == "undo":
            live.help = live.help.more("undos")
        try:
            self._save(game_id, live)
        except Stale:  # this game is read again
            raise
        except BaseException:  # a move that could not be saved was not made
            live.take_back(before, used)
            raise
        return outcome

    def _save(self, game_id: str, live: Live) -> None:
        """In a thread: put a game on disk."""
        game = live.game
        self._store.save(
            game_id, live.version, live.saved(), is_over=game.is_over, is_paused=game.is_paused, odds_at=live.odds_at
        )
        live.version += 1

    # help

    async def hint(self, game_id: str, level: int, receive: Receive) -> Document:
        board, fairness = await self._seen(game_id)
        fair = fairness != "none"
        found = await self._questions.run(lambda stop: hint(board, fair=fair, budget=_budget(stop)), receive)
        await self._count(game_id, lambda live: live.help.with_hint(level))
        return found.as_json(level) | {"board": board.as_json()}

    async def odds(self, game_id: str, receive: Receive) -> Document:
        async with self._lock(game_id):
            live = await self._found(game_id)
            _require_on(live.game)
            board, played = live.game.board.without_flags(), live.game.record()

        def work(stop: Cancelled) -> Document:
            deadline = Deadline(_budget(stop))
            found = analyze(board, budget=deadline.rest()).as_json()
            return found | {"survived": live.followed(played).survive(played, deadline)}

        answer = await self._questions.run(work, receive)
        await self._count(game_id, _with_odds)
        return answer

    async def best(self, game_id: str, seconds: float | None, client: str, receive: Receive) -> Document:
        board = (await self._seen(game_id))[0].without_flags()

        def work(stop: Cancelled) -> Document:
            return thought_over(board, seconds, _budget(stop))

        if seconds is None:
            answer = await self._questions.run(work, receive)
        else:
            answer = await self._thinking.run(work, client, receive)
        await self._count(game_id, _with_best)
        return answer

    async def best_events(self, game_id: str, seconds: float, client: str) -> AsyncIterator[bytes]:
        """The events of thinking a guess over; the first one helps already, so it is counted before."""
        board = (await self._seen(game_id))[0].without_flags()
        self._thinking.require_room(client)
        await self._count(game_id, _with_best)
        return self._thinking.events(board, seconds, Budget(SECONDS, STATES), client)

    async def _seen(self, game_id: str) -> tuple[Board, Fairness]:
        """What is seen of a game that is on, and its fairness."""
        async with self._lock(game_id):
            game = (await self._found(game_id)).game
            _require_on(game)
            return game.board, game.rules.fairness

    async def _count(self, game_id: str, more: Callable[[Live], HelpUsed]) -> None:
        """Count help that was given, before it is told."""

        async def act(live: Live) -> None:
            if live.game.is_over:  # over while the question was thought about: it helps no more
                return
            before, live.help = live.help, more(live)
            if live.help is not before:
                try:
                    await self._saved(game_id, live)
                except BaseException:
                    live.help, live.odds_at = before, -1
                    raise

        await self._on_newest(game_id, act)

    async def _saved(self, game_id: str, live: Live) -> None:
        """Put a game that is on, whose lock is held, on disk; where that fails, the caller takes its change back."""
        with self._unless_gone(game_id):
            await self._moves.run(lambda _: self._save(game_id, live))

    @contextmanager
    def _unless_gone(self, game_id: str) -> Iterator[None]:
        """Forget a game that is kept no more."""
        try:
            yield
        except Refused as error:
            if error.code == "not-found":
                self._live.pop(game_id, None)
            raise

    # looking back

    async def review(self, game_id: str, receive: Receive) -> Document:
        played = await self._over(game_id)
        return await self._questions.run(lambda stop: review(played, budget=_budget(stop)).as_json(), receive)

    async def timeline(self, game_id: str, receive: Receive) -> Document:
        played = await self._over(game_id)
        return await self._questions.run(lambda stop: timeline(played, budget=_budget(stop)).as_json(), receive)

    async def lesson(self, game_id: str, to: asked.LessonFormat, receive: Receive) -> Document | Written:
        played = await self._over(game_id)
        return await self._questions.run(lambda stop: coaching.lesson_answer(played, "", "", to, stop), receive)

    async def record(self, game_id: str) -> str:
        return record.to_json(await self._over(game_id))

    async def _over(self, game_id: str) -> Record:
        """A game that is over."""
        async with self._lock(game_id):
            return _record_of((await self._found(game_id)).game)

    # the history

    async def keep_finished(self, seconds: float = 0.0) -> None:
        """Hand over what a server that ended early did not; what the store cannot tell now is told later."""
        try:
            for each in await self._questions.run(lambda _: self._store.not_in_history(seconds)):
                self._keep(*each)
        except Refused:
            pass
        except HistoryError as error:
            sys.stderr.write(f"mineproof: games that are over cannot be looked for now: {error}\n")

    async def keep_left_over(self) -> None:
        """From time to time, hand over what another server did not, or what the history could not take."""
        while True:
            await asyncio.sleep(LEFT_OVER)
            await self.keep_finished(LEFT_OVER)

    def _keep(self, game_id: str, saved: str) -> None:
        """Put a finished game into the history, once the player has been answered."""
        if (game_id, saved) in self._ends or len(self._ends) >= WAITING:
            return
        self._ends.append((game_id, saved))
        if all(task.done() for task in self._tasks):
            task = asyncio.get_running_loop().create_task(self._keep_all())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep_all(self) -> None:
        """Put what waits into the history, one game after the other."""
        while self._ends:
            game_id = self._ends[0][0]
            try:
                await self._questions.run(lambda _: self._kept(*self._ends[0]))
                self._told.discard(game_id)
            except Refused:
                if self._questions.is_over:
                    return
                await asyncio.sleep(1)
                continue
            except Exception as error:  # it stays in the store, and is tried again later
                if self._questions.is_over:
                    return
                if game_id not in self._told:
                    if len(self._told) >= TOLD:
                        self._told.clear()
                    self._told.add(game_id)
                    sys.stderr.write(f"mineproof: a finished game is not in the history yet: {error}\n")
            self._ends.popleft()

    def _kept(self, game_id: str, saved: str) -> None:
        played, kept = record.from_json(saved), record.kept_in(saved) or Kept()
        fingerprint = facts.fingerprint(record.to_json(played))
        self._store.put_later(game_id, fingerprint)
        with History.lent(self.history) as history:
            added = history.add(played, help_used=kept.help.as_json(), given=kept.fixed, source="serve", budget=REVIEW)
        self._store.put_into_history(game_id, saved, added.game.id, fingerprint)

    def went_on(self) -> set[int]:
        """In a thread: numbers in the history of games that are on again, as their end was taken back."""
        numbers, fingerprints = self._store.went_on()
        if fingerprints:
            numbers |= kept_numbers(self.history, fingerprints)
        return numbers

    # running

    async def run_on(self) -> None:
        """Every few seconds, say that this server runs, and learn since when others do."""
        while self._is_one_of_many:
            await asyncio.sleep(BEAT)
            with suppress(HistoryError, Refused):
                self._started = await self._moves.run(lambda _: self._store.runs(self._started))

    def end(self) -> None:
        """In a thread: say that this server ends."""
        if self._is_one_of_many:
            self._store.ends()

    # finding

    def _lock(self, game_id: str) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())

    async def _on_newest(self, game_id: str, act: Callable[[Live], Awaitable[T]]) -> T:
        """Do something to a game, under its lock; again, in the game as it is then, where another server was faster."""
        async with self._lock(game_id):
            end = time.monotonic() + TRYING
            while time.monotonic() < end:
                live = await self._found(game_id)
                try:
                    return await act(live)
                except Stale:
                    self._live.pop(game_id, None)
        raise Refused(
            "busy", f"found others who changed this game for {TRYING:g} s, expected a moment for this; try again"
        )

    async def _found(self, game_id: str) -> Live:
        """The game of an id, whose lock is held."""
        live = self._live.get(game_id)
        if live is not None and self._store.is_shared:
            version = await self._moves.run(lambda _: self._store.version(game_id))
            if version != live.version:
                self._live.pop(game_id, None)
                live = None
        if live is None:
            live = await self._moves.run(lambda _: self._loaded(game_id))
        elif time.monotonic() - live.looked_at > LOOKS:
            live.looked_at = time.monotonic()
            await self._moves.run(lambda _: self._look(game_id))
        self._remember(game_id, live)
        return live

    def _look(self, game_id: str) -> None:
        """Write down that somebody looks at a game; where that fails, the look itself does not."""
        with suppress(HistoryError):
            self._store.touch(game_id)

    def _loaded(self, game_id: str) -> Live:
        found = self._store.load(game_id)
        if found is None:
            raise no_game()
        self._look(game_id)
        played, kept = record.from_json(found.saved), record.kept_in(found.saved) or Kept()
        if played.status == "running" and not found.is_paused:
            since = time.time() - max(found.changed, self._started)
            played = replace(played, ms=played.ms + int(1000 * max(0.0, since)))
        live = Live(Game.replay(played, budget=THOUGHT), kept, found.version, found.odds_at)
        if found.is_paused:
            live.game.pause()
        return live

    def _remember(self, game_id: str, live: Live) -> None:
        self._live[game_id] = live
        self._live.move_to_end(game_id)
        if len(self._live) > GAMES_IN_MEMORY:
            self._live.popitem(last=False)


# beginning


def _new(wanted: asked.NewGame) -> Live:
    size, rules = size_of(wanted, "expert"), Rules(wanted.first_click or "safe", wanted.fairness, wanted.chord_rule)
    if size.mines == size.rows * size.columns:
        raise ValueError("found a mine for every cell, expected a cell that can be opened")
    seed = secrets.randbits(64) if wanted.seed is None else checks.seed("seed", wanted.seed)
    topology = wanted.topology or "grid"
    return Live(begun(size, rules, seed=seed, topology=topology, no_guess=wanted.no_guess, budget=THOUGHT), Kept())


def _given(wanted: asked.NewGame) -> Live:
    """A game on a layout that is played as it is: no first click moves a mine."""
    names = ("level", "rows", "columns", "mines", "seed")
    others = [name for name in names if getattr(wanted, name) is not None] + ["no_guess"] * wanted.no_guess
    if others:
        raise ValueError(f"found `layout` and `{others[0]}`, expected one of them: a layout tells all of a board")
    if wanted.first_click not in (None, "any"):
        raise ValueError(f"found `layout` and first_click={wanted.first_click!r}, expected 'any': no mine moves there")
    layout = layout_to_play(wanted.layout or "", wanted.topology)
    game = Game(
        layout, first_click="any", fairness=wanted.fairness, chord_rule=wanted.chord_rule, seed=secrets.randbits(64),
        budget=THOUGHT,
    )  # fmt: skip
    return Live(game, Kept(fixed=True))


def _again(live: Live) -> Live:
    """The same board; one that is still to be made for its first click is not fixed by this."""
    fixed = live.fixed or live.game.status != "new"
    return Live(live.game.again(), Kept(HelpUsed(repeats=live.help.repeats + 1), fixed))


def _to_play(game: Game) -> Game:
    """The same game with the budget of moves, in place of that of the request that it was made for."""
    return Game.replay(game.record(), budget=THOUGHT)


def _thought(cancelled: Cancelled) -> Budget:
    return replace(THOUGHT, cancelled=cancelled)


def _require_on(game: Game) -> None:
    if game.is_over:
        raise IllegalMoveError(f"the game is {game.status}: there is nothing to help with")
    if game.is_paused:
        raise IllegalMoveError("the game is paused: there is help again after `resume`")


def _record_of(game: Game) -> Record:
    if not game.is_over:
        raise IllegalMoveError("the game is still on: it can be looked back upon when it is over")
    return game.record()


def _budget(cancelled: Cancelled) -> Budget:
    return Budget(SECONDS, STATES, cancelled)


def _with_best(live: Live) -> HelpUsed:
    return live.help.more("best_moves")


def _with_odds(live: Live) -> HelpUsed:
    moves = len(live.game.moves)
    if live.odds_at == moves:
        return live.help
    live.odds_at = moves
    return live.help.more("odds_moves")


def _outcome(outcome: Outcome) -> Document:
    return {
        "opened": [[*cell, number] for cell, number in sorted(outcome.opened.items())],
        "exploded": pairs(outcome.exploded),
        "redrawn": outcome.redrawn,
    }
