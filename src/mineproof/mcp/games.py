"""Games that clients of the server play: new, move, look. Nothing about a running game shows its mines or its seed."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Literal

from mineproof.base.budget import Budget
from mineproof.board.geometry import Topology
from mineproof.board.levels import read_size
from mineproof.board.start import FirstClick
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.rules import Fairness, Rules
from mineproof.generation.new_game import needs_board, start_game, with_no_guess_board

MAX_GAMES = 100  # the oldest is dropped
GAME_MAX_CELLS = 10_000
MOVE_SECONDS = 20.0

PlayerMove = Literal["open", "flag", "chord"]  # no undo: a lost game stays lost


@dataclass
class _Seat:
    """A game, and the lock of its moves: a move may take long, and no other game has to wait for it."""

    game: Game
    lock: threading.Lock = field(default_factory=threading.Lock)


class GameTable:
    """Games by their identifiers. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: OrderedDict[str, _Seat] = OrderedDict()

    def new(
        self, size: str, *, no_guess: bool, first_click: FirstClick, fairness: Fairness, topology: Topology = "grid"
    ) -> dict[str, Any]:
        """Begin a game with a secret seed, and return its view."""
        board = read_size(size)
        if board.rows * board.columns > GAME_MAX_CELLS:
            raise ValueError(f"size must have at most {GAME_MAX_CELLS:,} cells, got {size}")
        game = start_game(
            board, Rules(first_click=first_click, fairness=fairness), seed=secrets.randbits(64),
            topology=topology, no_guess=no_guess,
        )  # fmt: skip
        game_id = secrets.token_urlsafe(9)
        with self._lock:
            self._games[game_id] = _Seat(game)
            while len(self._games) > MAX_GAMES:
                self._games.popitem(last=False)
        return view(game_id, game)

    def move(self, game_id: str, kind: PlayerMove, row: int, column: int) -> dict[str, Any]:
        """Make a move, and return the view with the cells that it opened."""
        seat = self._seat(game_id)
        with seat.lock:
            cell, budget = (row, column), Budget(seconds=MOVE_SECONDS)
            if kind == "open" and needs_board(seat.game, cell):
                seat.game = with_no_guess_board(seat.game, cell, budget)
            outcome = seat.game.play(kind, cell)
            opened = [[*at, number] for at, number in sorted(outcome.opened.items())]
            exploded = [list(at) for at in sorted(outcome.exploded)]
            return view(game_id, seat.game) | {"opened": opened, "exploded": exploded, "redrawn": outcome.redrawn}

    def look(self, game_id: str) -> dict[str, Any]:
        """Return the view of a game."""
        seat = self._seat(game_id)
        with seat.lock:
            return view(game_id, seat.game)

    def _seat(self, game_id: str) -> _Seat:
        with self._lock:
            if game_id not in self._games:
                raise IllegalMoveError(f"No game has the id {game_id[:40]!r}. Start one with new_game.")
            self._games.move_to_end(game_id)
            return self._games[game_id]


def view(game_id: str, game: Game) -> dict[str, Any]:
    """Return what the player of a game may see; ``board`` is a text that the other tools read."""
    return {"id": game_id, "board": str(game.board)} | game.as_json()
