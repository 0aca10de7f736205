"""A whole game in text, turn by turn, in which every opened cell is judged before it opens.

Sound     A cell is opened soundly if it is certainly safe, or if no cell is certainly safe and none has lower odds.
Careless  Every other cell: a guess although a safe cell exists, or a guess that is riskier than necessary.
Score     The share of the safe cells that sound moves opened. Cells that careless moves opened do not count, so a game
          that luck won scores less than one.
"""

from __future__ import annotations

from fractions import Fraction

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.safest import safest_cell
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.exams.answer_text import read_cells
from mineproof.exams.board_forms import write_board
from mineproof.exams.tasks import Task
from mineproof.game.field import MineField
from mineproof.wording.catalogue import message, use_language

MAX_UNREADABLE = 3  # answers in a row without a cell to open, after which the game is over


class TextGame:
    """A game that is played by answers in words. The ``budget`` is for each opened cell.

    >>> from mineproof.exams.task_generator import task
    >>> game = TextGame(task("game", level="5x5x3", seed=1))
    >>> game.is_over, game.is_won
    (False, False)
    """

    def __init__(self, task: Task, *, budget: Budget | float | None = None, engine: Engine | None = None) -> None:
        if task.layout is None:
            raise ValueError(f"expected a task of the kind game, got {task.kind}")
        self.task = task
        self._budget, self._engine = Budget.of(budget), chosen_engine(engine)
        self._mines = task.layout.mines
        self._field = MineField(task.layout, task.board)
        self._unreadable = 0
        self.exploded: Cell | None = None
        self.turns = 0
        self.sound: list[Cell] = []  # cells that were opened soundly, each by a move of its own
        self.careless: list[Cell] = []
        self._soundly_opened = 0

    @property
    def board(self) -> Board:
        """The visible position."""
        return self._field.board

    @property
    def is_won(self) -> bool:
        """Is every safe cell open?"""
        return self.exploded is None and self._field.is_cleared

    @property
    def is_over(self) -> bool:
        """Is the game won or lost, or has it ended after too many answers without a cell?"""
        return self.is_won or self.exploded is not None or self._unreadable >= MAX_UNREADABLE

    @property
    def score(self) -> Fraction:
        """The share of the safe cells that sound moves opened."""
        start = self.task.board
        safe = len(start.codes) - (start.total_mines or 0) - start.open_cells
        return Fraction(self._soundly_opened, safe) if safe else Fraction(1)

    def reply(self, answer: object) -> str:
        """Open the cells that an answer names, and return what the player sees then.

        Cells that are open already, or not on the board, are skipped. Opening stops at a mine or a win.
        """
        with use_language(self.task.language):
            if self.is_over:
                return self.observe()
            self.turns += 1
            cells = [cell for cell in read_cells(answer) or [] if self._can_open(cell)]
            self._unreadable = 0 if cells else self._unreadable + 1
            if not cells:
                return f"{message('exam-turn-unreadable')}\n\n{self.observe()}"
            for cell in cells:
                if self._can_open(cell):
                    self._open(cell)
            return self.observe()

    def observe(self) -> str:
        """Return what the player sees: the result of a game that is over, or the board."""
        with use_language(self.task.language):
            if self.is_over:
                return message("exam-game-won" if self.is_won else "exam-game-lost")
            return f"{write_board(self.board, self.task.form)}\n\n{message('exam-turn')}"

    def _can_open(self, cell: Cell) -> bool:
        board = self.board
        return not self.is_over and cell[0] < board.rows and cell[1] < board.columns and board[cell] == COVERED

    def _open(self, cell: Cell) -> None:
        analysis = analyze(self.board, budget=self._budget, engine=self._engine)
        is_sound = _is_sound(analysis, cell)
        (self.sound if is_sound else self.careless).append(cell)
        if cell in self._mines:
            self.exploded = cell
            return
        opened = self._field.open([cell]).size
        self._soundly_opened += opened if is_sound else 0


def _is_sound(analysis: Analysis, cell: Cell) -> bool:
    if analysis.safe:
        return cell in analysis.safe
    return cell in safest_cell(analysis, analysis.board).peers


def solve_game(task: Task) -> list[Cell]:
    """Return moves that win a game without a guess, in order."""
    game, moves = TextGame(task), []
    while not game.is_over:
        safe = sorted(analyze(game.board).safe)
        if not safe:
            raise ValueError(f"task {task.id}: expected a game that needs no guess")
        moves += safe
        game.reply(safe)
    return moves
