"""The games that are on: begun, moved in, looked at, helped with, and handed to the history when they are over.

The mines stay here. What leaves about a game is made of `Game.as_json`, of `Outcome` and of what the library says about
the board that is seen; record, review and layout leave once the game is over. Ids are drawn from the system's
randomness, and so are seeds that were not asked for, which nobody is told while the game is on.

Everything about one game happens one after the other, under its lock; games do not wait for each other. Those that were
asked for last are held in memory. Another is read from the store again, and its clock goes on from its last move.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from mineproof.advice.hints import hint
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import pairs
from mineproof.decision.choosing import best_move
from mineproof.errors import IllegalMoveError
from mineproof.game import record
from mineproof.game.game import Game, Outcome
from mineproof.game.help import HelpUsed
from mineproof.game.record import Kept, Record
from mineproof.game.reviews import review
from mineproof.game.rules import Fairness, Rules
from mineproof.generation.beginning import begun, made_for
from mineproof.history.history import History
from mineproof.web import asked
from mineproof.web.answers import Document, size_of
from mineproof.web.failure import Refused
from mineproof.web.limits import GAMES_IN_MEMORY, MOVE_SECONDS, SECONDS, STATES
from mineproof.web.pool import Cancelled, Lane, Receive
from mineproof.web.store import Store

T = TypeVar("T")

THOUGHT = Budget(MOVE_SECONDS, STATES)
REVIEW = 0.5  # seconds for the guesses of a finished game; 'history fill' makes up for what takes longer
ID_BYTES = 18  # of an id, which is the only key to a game


class Live:
    """A game in memory, with the help that was used."""

    def __init__(self, game: Game, help_used: HelpUsed) -> None:
        self.game, self.help = game, help_used
        self.odds_at = -1  # moves made when the odds were last asked for: twice at the same board counts once

    def saved(self) -> str:
        return record.to_json(self.game.record(), Kept(self.help))


class Games:
    """All games of a server. Its methods are for the event loop; the work is done in the lanes."""

    def __init__(self, store: Store, history: Path, moves: Lane, questions: Lane) -> None:
        self._store, self._history, self._moves, self._questions = store, history, moves, questions
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()

    # playing

    async def begin(self, wanted: asked.NewGame, client: str) -> Document:
        size, rules = size_of(wanted, "expert"), Rules(wanted.first_click, wanted.fairness, wanted.chord_rule)
        if size.mines == size.rows * size.columns:
            raise ValueError("found a mine for every cell, expected a cell that can be opened")
        seed = secrets.randbits(64) if wanted.seed is None else checks.seed("seed", wanted.seed)
        game_id = secrets.token_urlsafe(ID_BYTES)

        def work(_: Cancelled) -> Live:
            game = begun(size, rules, seed=seed, topology=wanted.topology, no_guess=wanted.no_guess, budget=THOUGHT)
            live = Live(game, HelpUsed())
            self._store.add(game_id, client, live.saved())
            return live

        live = await self._moves.run(work)
        self._remember(game_id, live)
        return _view(game_id, live.game)

    async def view(self, game_id: str) -> Document:
        async with self._lock(game_id):
            return _view(game_id, (await self._found(game_id)).game)

    async def move(self, game_id: str, move: asked.Move) -> Document:
        async with self._lock(game_id):
            live = await self._found(game_id)
            try:
                outcome = await self._moves.run(lambda _: self._moved(game_id, live, move))
            except IllegalMoveError:
                raise  # and nothing has changed
            except BaseException:
                self._live.pop(game_id, None)  # what is on disk counts: a move that could not be saved was not made
                raise
            if live.game.is_over:
                self._keep(game_id, live.saved())
            return _view(game_id, live.game) | {"outcome": _outcome(outcome)}

    def _moved(self, game_id: str, live: Live, move: asked.Move) -> Outcome:
        if move.kind == "open" and move.cell is not None:
            live.game = made_for(live.game, move.cell, THOUGHT)
        outcome = live.game.play(move.kind, move.cell)
        if move.kind == "undo":
            live.help = live.help.more("undos")
        self._store.save(game_id, live.saved(), is_over=live.game.is_over)
        return outcome

    # help

    async def hint(self, game_id: str, level: int, receive: Receive) -> Document:
        board, fairness = await self._seen(game_id)
        fair = fairness != "none"
        found = await self._questions.run(lambda stop: hint(board, fair=fair, budget=_budget(stop)), receive)
        await self._count(game_id, lambda live: live.help.with_hint(level))
        return found.as_json(level) | {"board": board.as_json()}

    async def odds(self, game_id: str, receive: Receive) -> Document:
        board = (await self._seen(game_id))[0].without_flags()
        answer = await self._questions.run(lambda stop: analyze(board, budget=_budget(stop)).as_json(), receive)
        await self._count(game_id, _with_odds)
        return answer

    async def best(self, game_id: str, receive: Receive) -> Document:
        board = (await self._seen(game_id))[0].without_flags()
        answer = await self._questions.run(lambda stop: best_move(board, budget=_budget(stop)).as_json(), receive)
        await self._count(game_id, lambda live: live.help.more("best_moves"))
        return answer | {"board": board.as_json()}

    async def _seen(self, game_id: str) -> tuple[Board, Fairness]:
        """What is seen of a game that is on, and its fairness."""
        async with self._lock(game_id):
            game = (await self._found(game_id)).game
            if game.is_over:
                raise IllegalMoveError(f"the game is {game.status}: there is nothing to help with")
            return game.board, game.rules.fairness

    async def _count(self, game_id: str, more: Callable[[Live], HelpUsed]) -> None:
        """Count help that was given, before it is told."""
        async with self._lock(game_id):
            live = await self._found(game_id)
            if live.game.is_over:  # over while the question was thought about: it helps no more
                return
            before, live.help = live.help, more(live)
            if live.help is before:
                return
            try:
                await self._moves.run(lambda _: self._store.save(game_id, live.saved(), is_over=False))
            except BaseException:
                self._live.pop(game_id, None)
                raise

    # looking back

    async def review(self, game_id: str, receive: Receive) -> Document:
        played = await self._over(game_id)
        return await self._questions.run(lambda stop: review(played, budget=_budget(stop)).as_json(), receive)

    async def record(self, game_id: str) -> str:
        return record.to_json(await self._over(game_id))

    async def _over(self, game_id: str) -> Record:
        """A game that is over."""
        async with self._lock(game_id):
            game = (await self._found(game_id)).game
            if not game.is_over:
                raise IllegalMoveError("the game is still on: it can be looked back upon when it is over")
            return game.record()

    # the history

    def keep_finished(self) -> None:
        """Hand over what a server that ended early did not."""
        for game_id, saved in self._store.not_in_history():
            self._keep(game_id, saved)

    def _keep(self, game_id: str, saved: str) -> None:
        """Put a finished game into the history, once the player has been answered."""

        async def keep() -> None:
            try:
                await self._questions.run(lambda _: self._kept(game_id, saved))
            except Refused:
                await asyncio.sleep(1)
                if not self._questions.is_over:
                    self._keep(game_id, saved)
            except Exception as error:  # it stays in the store, and the next start tries again
                sys.stderr.write(f"mineproof: a finished game is not in the history yet: {error}\n")

        task = asyncio.get_running_loop().create_task(keep())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _kept(self, game_id: str, saved: str) -> None:
        played, kept = record.from_json(saved), record.kept_in(saved)
        help_used = None if kept is None else kept.help.as_json()
        with History.open(self._history) as history:
            history.add(played, help_used=help_used, source="serve", budget=REVIEW)
        self._store.put_into_history(game_id, saved)

    # finding

    def _lock(self, game_id: str) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())

    async def _found(self, game_id: str) -> Live:
        """The game of an id, whose lock is held."""
        live = self._live.get(game_id)
        if live is None:
            live = await self._moves.run(lambda _: self._loaded(game_id))
        self._remember(game_id, live)
        return live

    def _loaded(self, game_id: str) -> Live:
        saved = self._store.load(game_id)
        if saved is None:
            raise Refused("not-found", "found no such game; it may have been given up long ago")
        self._store.touch(game_id)
        kept = record.kept_in(saved)
        return Live(Game.load(saved, budget=THOUGHT), HelpUsed() if kept is None else kept.help)

    def _remember(self, game_id: str, live: Live) -> None:
        self._live[game_id] = live
        self._live.move_to_end(game_id)
        if len(self._live) > GAMES_IN_MEMORY:
            self._live.popitem(last=False)


def _budget(cancelled: Cancelled) -> Budget:
    return Budget(SECONDS, STATES, cancelled)


def _with_odds(live: Live) -> HelpUsed:
    moves = len(live.game.moves)
    if live.odds_at == moves:
        return live.help
    live.odds_at = moves
    return live.help.more("odds_moves")


def _view(game_id: str, game: Game) -> Document:
    return {"id": game_id, **game.as_json()}


def _outcome(outcome: Outcome) -> Document:
    return {
        "opened": [[*cell, number] for cell, number in sorted(outcome.opened.items())],
        "exploded": pairs(outcome.exploded),
        "redrawn": outcome.redrawn,
    }
