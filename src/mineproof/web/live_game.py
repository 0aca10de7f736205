"""A game in memory: how it is saved, shown and rolled back."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

from mineproof.board import notation
from mineproof.board.cells import ABSENT, COVERED
from mineproof.game import record
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.record import GameExtras, Record
from mineproof.game.risks import Risks
from mineproof.game.rules import GameStatus
from mineproof.web.budgets import question_budget
from mineproof.web.limits import MOVE_SECONDS
from mineproof.web.results import help_json
from mineproof.web.store import BLOCK_MOVES

if TYPE_CHECKING:
    from mineproof.web.wire import LiveViewJson

MOVE_BUDGET = question_budget(MOVE_SECONDS)


class GameState(NamedTuple):
    """State of a game before a move."""

    moves: int
    status: GameStatus
    ms: int
    help: HelpUsed


class Live:
    """A game in memory, with its owner, the help that was used, and whether its layout is fixed."""

    def __init__(
        self,
        game: Game,
        extras: GameExtras,
        version: int = 0,
        odds_at: int = -1,
        *,
        owner: str | None = None,
        blocks: int = 0,
    ) -> None:
        self.game, self.version = game, version
        self.owner, self.blocks = owner, blocks  # blocks of moves in the store
        self.help, self.fixed = extras
        self.looked_at = time.monotonic()  # when the store was last told that a client looks at the game
        self.odds_at = odds_at  # number of moves when the odds were last requested: the same board counts once
        self._risks: Risks | None = None  # of the moves made until `risks_of` was last called

    def risks_of(self, played: Record) -> Risks:
        """Return the risks of this game; a board that was created for the first click has new ones."""
        if self._risks is None or not self._risks.is_of(played):
            self._risks = Risks(played)
        return self._risks

    def standing(self) -> GameState:
        """Return the state that `take_back` restores."""
        game = self.game
        return GameState(game.move_count, game.status, game.ms, self.help)

    def take_back(self, before: GameState) -> None:
        """Remove the last move, which could not be saved; a running clock continues."""
        played = self.game.record()
        redraws = {number: mines for number, mines in played.redraws.items() if number < before.moves}
        ms = max(before.ms, self.game.ms) if before.status == "running" else before.ms
        over, won = before.status in ("won", "lost"), before.status == "won"
        moves = played.moves[: before.moves]
        earlier = replace(played, moves=moves, redraws=redraws, over=over, won=won, ms=ms)
        self.game, self.help = Game.replay(earlier, budget=MOVE_BUDGET), before.help

    @property
    def extras(self) -> GameExtras:
        """What is saved with the record."""
        return GameExtras(self.help, self.fixed)

    def to_json(self) -> str:
        """Return the whole game as JSON."""
        return record.to_json(self.game.record(), self.extras)

    def unsaved_blocks(self) -> list[str]:
        """Return the full blocks of moves that are not in the store yet."""
        full = self.game.move_count // BLOCK_MOVES
        parts = (self.game.part(n * BLOCK_MOVES, (n + 1) * BLOCK_MOVES) for n in range(self.blocks, full))
        return [record.block_json(part) for part in parts]

    def rest(self, blocks: int) -> str:
        """Return the game as JSON, without the moves of the first ``blocks`` blocks."""
        return record.part_json(self.game.part(blocks * BLOCK_MOVES), self.game.status, self.extras)

    def view(self, game_id: str) -> LiveViewJson:
        """Return the visible game, and after its end the help that was used.

        ``start`` is the first click of a fixed layout, until it is made. While the clock is paused, every cell is
        covered, so that players cannot think without the clock.
        """
        shown = cast("LiveViewJson", {"id": game_id, "moves": self.game.move_count, **self.game.as_json()})
        if self.game.is_paused:
            board = self.game.board
            covered = (code if code == ABSENT & 0xFF else COVERED & 0xFF for code in board.codes)
            shown["cells"] = notation.write_rows(board.columns, bytes(covered))
        if self.game.is_over:
            help_used = help_json(self.help)
            shown["help_used"], shown["with_help"] = help_used["help_used"], help_used["with_help"]
            shown["help_text"] = help_used["help_text"]
        start = self.game.part(0, 0).layout.start if self.fixed and self.game.status == "new" else None
        if start is not None:
            shown["start"] = list(start)
        return shown
