"""Bots as strategies: a program that speaks the engine protocol plays under the name ``exec:COMMAND``.

A bot that crashes, is too slow, breaks the protocol, opens a cell that is not covered, or claims that a cell is safe
which is not, loses its game: its strategy raises BotError, and the caller counts a loss with that reason.
Its process is killed, and the next game starts a new one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from mineproof.analysis.analysis import Analysis
from mineproof.base import rng
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.custom import CustomStrategy, GameStrategy, installed_strategy
from mineproof.errors import BotError, OutsideError
from mineproof.protocol.messages import (
    GREETING,
    UNNAMED,
    VERSION,
    BotAnswer,
    BotIdentity,
    format_cell,
    format_new_game,
    format_position,
)
from mineproof.protocol.names import is_bot, parse_bot
from mineproof.protocol.process import BotProcess

START_SECONDS = 30.0  # until a bot is ready
STOP_SECONDS = 1.0  # to answer after `stop`
ANSWER_MAX_LINES = 10_000
COMMENT_MAX_CHARACTERS = 300


def load_strategy(name: str) -> CustomStrategy | None:
    """Return the strategy of a bot or an installed package; None for any other name. Close it after the last game.

    Raises ValueError for a name of a wrong form, and BotError if the program does not start or greet.
    """
    return BotStrategy(name) if is_bot(name) else installed_strategy(name)


class BotStrategy(CustomStrategy):
    """A program that plays; ``identity`` is what it said about itself when it was started first."""

    plays_alone = True

    def __init__(self, name: str) -> None:
        self.name = name
        self.answers_many = False
        self.command = parse_bot(name)
        self._bot: _Bot | None = None
        self.identity = self._running().identity

    def for_game(self, seed: int, number: int) -> GameStrategy:
        """Return the strategy for one game."""
        game = _BotGame(self, rng.Random(rng.derive(seed, rng.STRATEGIES), number).next())
        title = self.identity.name if self.identity.name != UNNAMED else self.name
        return GameStrategy(title, game.ask, lambda: game.comment)

    def new_game(self, board: Board, seed: int) -> None:
        """Announce a game; BotError, and the bot is stopped, if that fails."""
        self._exchange(lambda bot: bot.new_game(board, seed))

    def answer(self, board: Board, seconds: float) -> BotAnswer:
        """Ask for a move within a time limit; BotError, and the bot is stopped, if that fails."""
        answers: list[BotAnswer] = []
        self._exchange(lambda bot: answers.append(bot.answer(board, seconds)))
        return answers[0]

    def close(self) -> None:
        """Stop the program. The next game starts it again."""
        if self._bot is not None:
            self._bot.process.close()
        self._bot = None

    def _running(self) -> _Bot:
        if self._bot is None:
            self._bot = _Bot(BotProcess(self.command.words))
        return self._bot

    def _exchange(self, exchange: Callable[[_Bot], object]) -> None:
        began = time.monotonic()
        try:
            exchange(self._running())
        except BotError:
            self.close()
            raise
        finally:
            self.waited_seconds += time.monotonic() - began


class _BotGame:
    """One game of a bot: what it wants to open next, and the time it has left."""

    def __init__(self, bot: BotStrategy, seed: int) -> None:
        self._bot = bot
        self._seed = seed
        self._left = bot.command.game_seconds
        self._is_new = True
        self._more: deque[Cell] = deque()
        self.comment = ""  # on the last answer, at the first of its cells

    def ask(self, board: Board, analysis: Analysis | None) -> Cell:
        """Return the next cell to open; BotError if the bot loses the game."""
        self.comment = ""
        while self._more:
            cell = self._more.popleft()
            if board[cell] == COVERED:
                return cell
        if self._is_new:
            self._bot.new_game(board, self._seed)
            self._is_new = False
        if self._left <= 0:
            self._bot.close()
            raise BotError(f"the bot used up its {self._bot.command.game_seconds:g} s for the game")
        began = time.monotonic()
        answer = self._bot.answer(board, min(self._bot.command.move_seconds, self._left))
        self._left -= time.monotonic() - began
        try:
            require_legal(answer, board, analysis)
        except BotError:
            self._bot.close()
            raise
        self._more.extend(answer.more)
        self.comment = " ".join(answer.comments)[:COMMENT_MAX_CHARACTERS]
        return answer.cell


def require_legal(answer: BotAnswer, board: Board, analysis: Analysis | None) -> None:
    """Raise BotError for a cell that cannot be opened, and for a claim of safety that the analysis refutes."""
    for cell in (answer.cell, *answer.more):
        try:
            is_covered = board[cell] == COVERED
        except OutsideError:
            is_covered = False
        if not is_covered:
            raise BotError(f"the bot opened {format_cell(cell)}, which is not a covered cell")
        if answer.is_safe and analysis is not None and cell not in analysis.safe:
            raise BotError(f"the bot claimed that {format_cell(cell)} is safe, which is not certain")


class _Bot:
    """A conversation with a running bot."""

    def __init__(self, process: BotProcess) -> None:
        self.process = process
        self.identity = BotIdentity()
        try:
            process.send(f"{GREETING} {VERSION}")
            self._wait_until_ready(f"{GREETING} {VERSION}", self.identity)
        except BotError:
            process.close()
            raise

    def new_game(self, board: Board, seed: int) -> None:
        if board.topology not in self.identity.capabilities:
            raise BotError(f"the bot does not play on a {board.topology} board")
        self.process.send(format_new_game(board, seed))
        self._wait_until_ready("newgame")

    def answer(self, board: Board, seconds: float) -> BotAnswer:
        answer, end = BotAnswer(), time.monotonic() + seconds
        self.process.send(format_position(board))
        self.process.send(f"go movetime {max(1, round(1000 * seconds))}")
        if self._read_answer(answer, end):
            return answer
        self.process.send("stop")
        if self._read_answer(answer, end + STOP_SECONDS):
            return answer
        raise BotError(f"the bot did not answer `go` within {seconds:g} s")

    def _read_answer(self, answer: BotAnswer, end: float) -> bool:
        for _ in range(ANSWER_MAX_LINES):
            line = self.process.receive(end)
            if line is None:
                return False
            if answer.add(line):
                return True
        raise BotError(f"the bot wrote {ANSWER_MAX_LINES:,} lines without a move")

    def _wait_until_ready(self, request: str, identity: BotIdentity | None = None) -> None:
        end = time.monotonic() + START_SECONDS
        for _ in range(ANSWER_MAX_LINES):
            line = self.process.receive(end)
            if line is None:
                raise BotError(f"the bot did not answer `{request}` with `ready` within {START_SECONDS:g} s")
            if line == "ready":
                return
            if line.startswith("error"):
                raise BotError(f"the bot reported: {line.removeprefix('error').strip() or 'no reason'}")
            if identity is not None:
                identity.add(line)
        raise BotError(f"the bot wrote {ANSWER_MAX_LINES:,} lines without `ready`")
