"""A built-in strategy that speaks the engine protocol: ``mineproof engine``.

Certain cells are opened first, all of a position in one answer. Only a guess is left to the strategy. The same position
gives the same answer, unless the time runs out.
"""

from __future__ import annotations

import queue
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import isnan

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.geometry import TOPOLOGIES, Topology
from mineproof.decision.best_moves import best_move
from mineproof.decision.safest import safest_cell
from mineproof.decision.strategy_table import TIMED_STRATEGIES, require_strategy
from mineproof.engine.default import default_engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, MineproofError
from mineproof.protocol.messages import GREETING, VERSION, format_cell, format_cells
from mineproof.version import VERSION as PROGRAM_VERSION

DEFAULT_SECONDS = 10.0  # for a move without a limit
THINKING_SHARE = 0.8  # of the time of a move that a timed strategy may use; the rest is for counting
READABLE_CHARACTERS = 15  # longer numbers are rounded in comments

Write = Callable[[str], object]


@dataclass
class BotSession:
    """One conversation: `receive` takes the host's lines, ``write`` gets the answers.

    >>> session = BotSession(print, "fast")
    >>> for line in ("newgame rows 2 columns 2 mines 1 topology grid seed 1", "position 1#/##", "go"):
    ...     _ = session.receive(line)
    ready
    info mine probability 1/3, 3 layouts fit
    bestmove 0,1
    """

    write: Write
    strategy: str = "strong"
    seconds: float | None = None  # of thinking about each guess, for strategies that can use it
    _seed: int = 0
    _mines: int | None = None
    _topology: Topology = "grid"
    _board: Board | None = None
    _stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        require_strategy(self.strategy, default_engine())
        if self.seconds is not None and self.strategy not in TIMED_STRATEGIES:
            raise ValueError(f"seconds must be left out unless the strategy is one of {', '.join(TIMED_STRATEGIES)}")

    def receive(self, line: str) -> bool:
        """Answer one line, and return False after ``quit``. Unknown lines are ignored."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word:
                case "mineproof":
                    self._greet(rest)
                case "newgame":
                    self._new_game(rest.split())
                case "position":
                    self._set_position(rest)
                case "go":
                    self._go(rest.split())
        except (MineproofError, ValueError) as error:
            self.write(f"error {' '.join(str(error).split())}")
        return word != "quit"

    def stop(self, *, stop: bool = True) -> None:
        """End the current search soon, with the best move so far; with False, let the next one run."""
        if stop:
            self._stop.set()
        else:
            self._stop.clear()

    def _greet(self, version: str) -> None:
        if version.strip() != str(VERSION):
            raise ValueError(f"expected `{GREETING} {VERSION}`, got version {version.strip() or 'nothing'}")
        self.write(f"id name mineproof {self.strategy}")
        self.write(f"id version {PROGRAM_VERSION}")
        self.write(f"capabilities {' '.join(TOPOLOGIES)} odds stop")
        self.write("ready")

    def _new_game(self, words: list[str]) -> None:
        options = dict(zip(words[::2], words[1::2], strict=False))
        total, topology = options.get("mines", "?"), options.get("topology", "grid")
        if topology not in TOPOLOGIES:
            raise ValueError(f"topology must be one of {', '.join(TOPOLOGIES)}, got {topology!r}")
        self._seed = checks.seed("seed", _parse_whole("seed", options.get("seed", "0")))
        self._mines = None if total == "?" else _parse_whole("mines", total)
        self._topology, self._board = topology, None
        self.write("ready")

    def _set_position(self, text: str) -> None:
        grid = notation.read(text.strip(), "mineproof")
        self._board = Board(grid.rows, grid.columns, grid.codes, self._mines, self._topology)

    def _go(self, words: list[str]) -> None:
        board = self._board
        if board is None or not board.count(COVERED):
            raise ValueError("expected `position` with a covered cell before `go`")
        seconds = _move_seconds(words)
        for line in self._answer(
            board, Budget(seconds=seconds, cancelled=self._stop.is_set), with_odds="odds" in words
        ):
            self.write(line)

    def _answer(self, board: Board, budget: Budget, *, with_odds: bool) -> Iterable[str]:
        try:
            analysis = analyze(board, budget=budget)
        except BudgetExceeded as error:
            yield f"info {' '.join(str(error).split())}"
            yield f"bestmove {format_cell(next(board.cells(COVERED)))}"
            return
        if with_odds:
            yield format_odds(analysis)
        if analysis.safe:
            cells = sorted(analysis.safe)
            more = f" more {format_cells(cells[1:])}" if len(cells) > 1 else ""
            yield f"bestmove {format_cell(cells[0])} safe{more}"
            return
        cell = self._guess(analysis, budget)
        if (odds := _format_exact(analysis, cell)) is not None:
            yield f"info {odds}"
        yield f"bestmove {format_cell(cell)}"

    def _guess(self, analysis: Analysis, budget: Budget) -> Cell:
        board = analysis.board
        if len(analysis.mines) == board.count(COVERED):
            raise ValueError("expected a covered cell that may be safe, got a board without one")
        if board.total_mines is None:
            raise ValueError("expected the number of mines in `newgame`, because nothing is certain here, got `?`")
        try:
            if self.seconds is None:
                question = Question.of(board)
                return board.cell(default_engine().choose(question, self.strategy, self._seed, 0, budget))
            seconds = min(self.seconds, THINKING_SHARE * budget.seconds)
            cell = best_move(board, self.strategy, playouts=0, seconds=seconds, budget=budget).cell
        except BudgetExceeded:
            cell = _likely_safe_cell(analysis)
        assert cell is not None, "some covered cell may be safe"
        return cell


def _likely_safe_cell(analysis: Analysis) -> Cell:
    """Return the safest undecided cell if there is time to compare exact odds, else the first of the lowest odds."""
    try:
        return safest_cell(analysis, analysis.board).cell
    except BudgetExceeded:
        return min(analysis.undecided, key=lambda cell: (analysis.mine_probability[cell], cell))


def _format_exact(analysis: Analysis, cell: Cell) -> str | None:
    """Return the odds of a cell and the number of layouts as words; None if there is no time left to count them."""
    try:
        odds, layouts = str(analysis.exact(*cell)), str(analysis.layouts)
    except BudgetExceeded:
        return None
    if len(odds) > READABLE_CHARACTERS:
        odds = f"{float(analysis.exact(*cell)):.6g}"
    if len(layouts) > READABLE_CHARACTERS:
        layouts = f"10^{analysis.log10_layouts:.1f}"
    return f"mine probability {odds}, {layouts} layouts fit"


def _parse_whole(name: str, word: str) -> int:
    """Return the whole number behind a word of the protocol."""
    if re.fullmatch(r"\d{1,20}", word, re.ASCII) is None:
        raise ValueError(f"expected a whole number after `{name}`, got {checks.shorten(word)}")
    return int(word)


def _move_seconds(words: list[str]) -> float:
    """Return the time limit in the words after ``go``."""
    if "movetime" not in words:
        return DEFAULT_SECONDS
    place = words.index("movetime") + 1
    return _parse_whole("movetime", words[place] if place < len(words) else "nothing") / 1000


def format_odds(analysis: Analysis) -> str:
    """Return the line with the mine probability of every covered cell whose odds are known."""
    chances = ((cell, float(analysis.mine_probability[cell])) for cell in analysis.board.cells(COVERED))
    return "odds " + " ".join(f"{format_cell(cell)} {chance:.6g}" for cell, chance in chances if not isnan(chance))


def serve(lines: Iterable[str], session: BotSession) -> None:
    """Answer lines until ``quit`` or the end of the input; ``stop`` ends a search while it runs."""
    waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def work() -> None:
        while (line := waiting.get()) is not None and session.receive(line):
            pass

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    for line in lines:
        word = line.strip()
        if word in ("stop", "quit"):
            session.stop()
        elif word.startswith("go"):
            session.stop(stop=False)
        if word != "stop":
            waiting.put(line)
        if word == "quit":
            break
    waiting.put(None)
    worker.join()
