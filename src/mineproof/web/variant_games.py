"""Games of variants on the server, in the store of the other games. They do not enter the history.

The mines stay on the server. A request reads the game, changes it, and saves it with its version; a game that was saved
is kept in memory until another process has changed it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple, cast
from weakref import WeakValueDictionary

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.words import size
from mineproof.board.cells import Cell, pairs
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.game.variant_deals import deal_variant
from mineproof.game.variant_gallery import gallery_json, gallery_size
from mineproof.game.variant_game import VariantGame
from mineproof.variants.shown import clue_text
from mineproof.variants.variant import Variant
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_hints import variant_hint
from mineproof.web import requests
from mineproof.web.budgets import question_budget
from mineproof.web.limits import BOARDS_PER_CLIENT, VARIANT_CELLS, VARIANT_MOVES
from mineproof.web.live_game import MOVE_BUDGET
from mineproof.web.pool import Lane, Receive
from mineproof.web.questions import Questions
from mineproof.web.store import GameStore, Stale, no_game
from mineproof.wording.variants import rules_sentence, rules_title

if TYPE_CHECKING:
    from mineproof.game.wire import VariantOutcomeJson
    from mineproof.variants.wire import VariantAnalysisJson, VariantBestJson, VariantHintJson
    from mineproof.web.wire import LiveVariantJson, MovedVariantJson, VariantJson, VariantsJson

ID_PREFIX = "variant-"
ID_BYTES = 18
IN_MEMORY = 64
ODDS_BUDGET = question_budget()


class _Held(NamedTuple):
    game: VariantGame
    version: int


def gallery_answer() -> VariantsJson:
    """Return the gallery, with titles and sentences in the language of the request."""
    document = gallery_json()
    shown = [
        cast("VariantJson", {"title": rules_title(entry["rules"]), "sentence": rules_sentence(entry["rules"]), **entry})
        for entry in document["variants"]
    ]
    return {"schema": document["schema"], "variants": shown}


class VariantGames:
    """All games of variants of a server. Its methods run in the event loop; the lanes do the work."""

    def __init__(self, store: GameStore, moves: Lane, boards: Lane, questions: Questions) -> None:
        self._store, self._moves, self._boards, self._questions = store, moves, boards, questions
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def begin(self, request: requests.NewVariantGameRequest, client: str, receive: Receive) -> LiveVariantJson:
        """Deal a layout, in the lane of boards, because that may take a second."""

        def work(cancelled: object) -> LiveVariantJson:
            return self._add(_new_game(request), client)

        with self._boards.place_of(client, BOARDS_PER_CLIENT):
            return await self._boards.run(work, receive)

    async def again(self, game_id: str, client: str) -> LiveVariantJson:
        """Start a new game on the same board; an unfinished game is abandoned."""
        async with self._lock(game_id):

            def work(cancelled: object) -> LiveVariantJson:
                held = self._load(game_id)
                before = None if held.game.is_over else (game_id, held.version)
                return self._add(held.game.again(), client, instead_of=before)

            return await self._moves.run(work)

    async def view(self, game_id: str) -> LiveVariantJson:
        async with self._lock(game_id):
            return await self._moves.run(lambda _: _view(game_id, self._load(game_id).game))

    async def move(
        self, game_id: str, move: requests.VariantMoveRequest, client: str, receive: Receive
    ) -> MovedVariantJson:
        """Make a move. It is on disk before the response is sent."""
        async with self._lock(game_id):

            def work(cancelled: object) -> MovedVariantJson:
                return self._play(game_id, move)

            with self._boards.place_of(client, BOARDS_PER_CLIENT):  # a first click may deal another layout
                return await self._boards.run(work, receive)

    async def odds(self, game_id: str, receive: Receive) -> VariantAnalysisJson:
        """Return the exact odds of the visible board."""
        board, _ = await self._visible(game_id)

        def work(budget: Budget) -> VariantAnalysisJson:
            return board.analyze(budget=budget).as_json()

        return await self._questions.answer(work, ODDS_BUDGET, receive)

    async def hint(self, game_id: str, level: int, receive: Receive) -> VariantHintJson:
        """Return a hint about the visible board, which leaves out mines that are flagged."""
        board, flags = await self._visible(game_id)

        def work(budget: Budget) -> VariantHintJson:
            return variant_hint(board, marked=flags, budget=budget).as_json(level)

        return await self._questions.answer(work, ODDS_BUDGET, receive)

    async def best(self, game_id: str, receive: Receive) -> VariantBestJson:
        """Return the best move on the visible board."""
        board, _ = await self._visible(game_id)

        def work(budget: Budget) -> VariantBestJson:
            return board.best_move(budget=budget).as_json()

        return await self._questions.answer(work, ODDS_BUDGET, receive)

    async def _visible(self, game_id: str) -> tuple[VariantBoard, frozenset[Cell]]:
        """Return the board and the flags of a game that is not over."""
        async with self._lock(game_id):
            game = (await self._moves.run(lambda _: self._load(game_id))).game
            if game.is_over:
                raise IllegalMoveError(f"The game is {game.status}. There is no help.")
            return game.board, frozenset(game.flags)

    # in a thread

    def _add(self, game: VariantGame, client: str, *, instead_of: tuple[str, int] | None = None) -> LiveVariantJson:
        game_id = ID_PREFIX + secrets.token_urlsafe(ID_BYTES)
        gone = self._store.add(game_id, client, game.save(), owner=None, instead_of=instead_of)
        for other in gone:
            self._held.pop(other, None)
        self._hold(game_id, _Held(game, 0))
        return _view(game_id, game)

    def _play(self, game_id: str, move: requests.VariantMoveRequest) -> MovedVariantJson:
        held = self._load(game_id)
        game, made = held.game, held.game.move_count
        if move.moves not in (None, made):
            counts = f"this move is for move count {move.moves}, the game has {made}"
            raise IllegalMoveError(f"The game has changed: {counts}. Reload the game.")
        if made >= VARIANT_MOVES:
            raise IllegalMoveError(f"A game has at most {VARIANT_MOVES:,} moves. Start a new one.")
        self._held.pop(game_id, None)  # until it is saved
        outcome = game.play(move.kind, move.cell)
        try:
            self._store.save(game_id, held.version, game.save(), is_over=game.is_over)
        except Stale:
            raise IllegalMoveError("The game has changed meanwhile. Reload the game.") from None
        self._hold(game_id, _Held(game, held.version + 1))
        opened: list[list[int | str]] = [[*cell, clue_text(clue)] for cell, clue in outcome.opened.items()]
        outcome_json: VariantOutcomeJson = {"opened": opened, "exploded": pairs(outcome.exploded)}
        return cast("MovedVariantJson", {**_view(game_id, game), "outcome": outcome_json})

    def _load(self, game_id: str) -> _Held:
        if not game_id.startswith(ID_PREFIX):
            raise no_game()
        held = self._held.get(game_id)
        version = self._store.version(game_id)
        if version is None:
            raise no_game()
        if held is not None and held.version == version:
            return held
        row = self._store.load(game_id)
        if row is None:
            raise no_game()
        try:
            game = VariantGame.load(row.saved, budget=MOVE_BUDGET)
        except BoardSyntaxError as error:
            raise self._store.damage_error(game_id, error) from None
        held = _Held(game, row.version)
        self._hold(game_id, held)
        return held

    def _hold(self, game_id: str, held: _Held) -> None:
        self._held[game_id] = held
        self._held.move_to_end(game_id)
        while len(self._held) > IN_MEMORY:
            self._held.popitem(last=False)

    def _lock(self, game_id: str) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())


def _new_game(request: requests.NewVariantGameRequest) -> VariantGame:
    variant = Variant.parse(request.rules)
    usual = gallery_size(variant.text)
    rows, columns = request.rows or usual.rows, request.columns or usual.columns
    is_usual = (rows, columns) == (usual.rows, usual.columns)
    mines = request.mines if request.mines is not None else usual.mines if is_usual else rows * columns // 6
    if rows * columns > VARIANT_CELLS:
        raise ValueError(f"A game of a variant has at most {VARIANT_CELLS} cells here, got {size(rows, columns)}.")
    seed = secrets.randbits(64) if request.seed is None else checks.seed("seed", request.seed)
    if mines > (rows * columns - 1) * variant.cell_max:
        raise ValueError("expected at least one cell without a mine, got none")
    layout = deal_variant(rows, columns, mines, variant, seed=seed, budget=MOVE_BUDGET)
    return VariantGame(layout, first_click=request.first_click, seed=seed, budget=MOVE_BUDGET)


def _view(game_id: str, game: VariantGame) -> LiveVariantJson:
    rules = game.variant.text
    words = {"title": rules_title(rules), "sentence": rules_sentence(rules)}
    return cast("LiveVariantJson", {"id": game_id, "moves": game.move_count, **words, **game.as_json()})
