"""Verdicts on answers, by counting layouts. No verdict looks at mines, except to play a game.

Proof    ``score`` is what an answer proves. A list of cells scores the share of cells that are both named and right
         among all that are named or right. A single cell scores 1 if it is certain, a best move its chance to win as a
         share of the best one, and a statement 1 or 0.
Luck     ``luck`` is the chance that a judge who only looks at the mines accepts the answer: the share of the layouts
         that fit the position in which all named cells are what the answer says. An answer with much luck and little
         score was a guess.
Games    `TextGame` plays the moves. ``luck`` is 1 if the game is won, however that came about.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, overload

from mineproof.analysis import judgement
from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell, pairs
from mineproof.decision.optimal import optimal_moves
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError
from mineproof.exams.answer_text import read_cells, read_word
from mineproof.exams.tasks import Assertion, Task, state_of
from mineproof.exams.text_games import TextGame
from mineproof.wording.phrases import CellValue, HasText, Phrase, Risk, phrase

if TYPE_CHECKING:
    from mineproof.exams.wire import VerdictJson

SCHEMA: Final = "mineproof/verdict/1"

VerdictOutcome = Literal["right", "partial", "lucky", "wrong", "unreadable"]
NO_CELLS: frozenset[Cell] = frozenset()


@dataclass(frozen=True, slots=True)
class Verdict(HasText):
    """What an answer to a task is worth; see `judge`.

    ``outcome`` is ``"right"``; ``"partial"``: some of it; ``"lucky"``: nothing of it is proved, but it may be true;
    ``"wrong"``; or ``"unreadable"``: no answer in the text. ``score`` is the reward by proof and ``luck`` the reward by
    luck, both from 0 to 1. Of the named cells, the ``proved`` ones are certain, the ``lucky`` ones undecided, and the
    ``wrong`` ones certainly something else. The ``missed`` cells are certain and not named.
    """

    task: Task
    outcome: VerdictOutcome
    score: Fraction
    luck: Fraction
    reason: Phrase
    proved: frozenset[Cell] = NO_CELLS
    lucky: frozenset[Cell] = NO_CELLS
    wrong: frozenset[Cell] = NO_CELLS
    missed: frozenset[Cell] = NO_CELLS

    @property
    def text(self) -> str:
        """The reason, in the current language."""
        return self.reason.text

    @property
    def right(self) -> bool:
        """Is the whole answer right, and proved?"""
        return self.outcome == "right"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Verdict: {self.outcome}, score {self.score}, luck {self.luck}; {self.task.id}>"

    def as_json(self) -> VerdictJson:
        """The ``mineproof/verdict/1`` shape."""
        return {
            "schema": SCHEMA,
            "id": self.task.id,
            "kind": self.task.kind,
            "outcome": self.outcome,
            "score": float(self.score),
            "luck": float(self.luck),
            "proved": pairs(self.proved),
            "lucky": pairs(self.lucky),
            "wrong": pairs(self.wrong),
            "missed": pairs(self.missed),
            "text": self.text,
        }


@overload
def judge(
    task: Task, answer: object, budget: Budget | float | None = None, *, engine: Engine | None = None
) -> Verdict: ...


@overload
def judge(
    task: Board, answer: Collection[Cell], budget: Budget | float | None = None, *, engine: Engine | None = None
) -> judgement.Judgement: ...


@overload
def judge(
    *, board: Board, cells: Collection[Cell], budget: Budget | float | None = None, engine: Engine | None = None
) -> judgement.Judgement: ...


def judge(
    task: Any = None,
    answer: Any = None,
    budget: Budget | float | None = None,
    *,
    board: Board | None = None,
    cells: Collection[Cell] = (),
    engine: Engine | None = None,
) -> Verdict | judgement.Judgement:
    """Judge an answer to a task: text as a language model writes it, or cells.

    The text may be JSON, a list, prose with coordinates, a code block, or have its answer behind a mark; see
    `mineproof.exams.answer_text`. Anything else gets the outcome ``"unreadable"``.

    With ``board`` and ``cells`` in place of a task and an answer, judge opening these cells at once: was it a guess,
    was it forced? That returns a `Judgement` and raises ContradictionError if no layout fits the board.

    >>> from mineproof.exams.task_generator import task
    >>> exam = task("safe-cell", level="5x5x4", seed=1)
    >>> judge(exam, "I open [0, 4].")
    <Verdict: right, score 1, luck 1; safe-cell/grid/5x5x4/1/0>
    >>> judge(Board.parse("11/##", total_mines=1), [(1, 0)])
    Judgement(forced=True, may_be_free=True, may_be_mine=True)
    """
    if board is not None or isinstance(task, Board):
        subject, opened = (task, answer) if board is None else (board, cells)
        return judgement.judge(subject, opened, budget, engine=engine)
    checks.instance("task", task, Task, "task makes one")
    limit, using = Budget.of(budget), chosen_engine(engine)
    if task.assertion is not None:
        return _judge_word(task, task.assertion, read_word(answer), limit, using)
    answered = read_cells(answer, "mine" if task.kind == "mines" else "safe")
    if answered is None or (not answered and task.kind not in ("safe", "mines")):
        return _unreadable(task)
    if task.kind == "game":
        return _judge_game(task, answered, limit, using)
    if task.kind == "best-move":
        return _judge_best(task, answered, limit, using)
    return _judge_cells(task, answered, limit, using)


def _unreadable(task: Task) -> Verdict:
    return Verdict(task, "unreadable", Fraction(0), Fraction(0), phrase("verdict-unreadable"))


# cells


def _judge_cells(task: Task, cells: list[Cell], budget: Budget, engine: Engine) -> Verdict:
    analysis = analyze(task.board, budget=budget, engine=engine)
    is_mine = task.kind == "mines"
    solution = analysis.mines if is_mine else analysis.safe
    named = frozenset(cells if task.kind != "safe-cell" else cells[:1])
    wrong = frozenset(cell for cell in named if not _may_be(analysis, cell, is_mine=is_mine))
    proved = named & solution
    lucky = named - proved - wrong
    if task.kind == "safe-cell":
        missed, score = NO_CELLS, Fraction(bool(proved))
    else:
        missed = solution - named
        either = len(named | solution)
        score = Fraction(len(proved), either) if either else Fraction(1)
    luck = Fraction(0) if wrong or (not named and solution) else _luck(analysis, lucky, budget, engine, is_mine=is_mine)
    reason = _cells_reason(analysis, wrong, lucky, missed, is_mine=is_mine)
    return Verdict(task, _outcome(score, luck, wrong), score, luck, reason, proved, lucky, wrong, missed)


def _may_be(analysis: Analysis, cell: Cell, *, is_mine: bool) -> bool:
    board = analysis.board
    if not _is_inside(board, cell) or board[cell] != COVERED:
        return False
    return cell not in (analysis.safe if is_mine else analysis.mines)


def _luck(analysis: Analysis, cells: Collection[Cell], budget: Budget, engine: Engine, *, is_mine: bool) -> Fraction:
    """The share of the layouts in which undecided cells are all safe, or all mines."""
    if not cells:
        return Fraction(1)
    if len(cells) == 1:
        (cell,) = cells
        chance = analysis.exact(*cell)
        return chance if is_mine else 1 - chance
    supposed = analysis.board.suppose(mines=cells) if is_mine else analysis.board.suppose(free=cells)
    try:
        return Fraction(engine.solve(Question.of(supposed), budget).layouts(), analysis.layouts)
    except ContradictionError:
        return Fraction(0)


def _outcome(score: Fraction, luck: Fraction, wrong: Collection[Cell]) -> VerdictOutcome:
    if score == 1:
        return "right"
    if wrong or (score == 0 and luck == 0):
        return "wrong"
    return "partial" if score else "lucky"


def _cells_reason(
    analysis: Analysis, wrong: frozenset[Cell], lucky: frozenset[Cell], missed: frozenset[Cell], *, is_mine: bool
) -> Phrase:
    """The first thing that is not right, or that everything is."""
    board = analysis.board
    if wrong:
        cell = min(wrong)
        if not _is_inside(board, cell) or board[cell] != COVERED:
            return _place_reason(board, cell)
        return phrase("verdict-certain-safe" if is_mine else "verdict-certain-mine", cell=CellValue(cell))
    if lucky:
        cell = min(lucky)
        return phrase("verdict-undecided", cell=CellValue(cell), risk=Risk(float(analysis.exact(*cell))))
    if missed:
        return phrase("verdict-missed", len(missed), cell=CellValue(min(missed)))
    return phrase("verdict-right")


# the best move


def _judge_best(task: Task, cells: list[Cell], budget: Budget, engine: Engine) -> Verdict:
    values = optimal_moves(task.board, budget=budget, engine=engine)
    best, cell = max(values.values()), cells[0]
    if cell not in values:
        reason = _place_reason(task.board, cell)
        return Verdict(task, "wrong", Fraction(0), Fraction(0), reason, wrong=frozenset([cell]))
    analysis = analyze(task.board, budget=budget, engine=engine)
    score, luck = values[cell] / best if best else Fraction(1), 1 - analysis.exact(*cell)
    if score == 1:
        return Verdict(task, "right", score, luck, phrase("verdict-best"), proved=frozenset([cell]))
    reason = phrase(
        "verdict-not-best", cell=CellValue(cell), wins=Risk(float(values[cell])), best=Risk(float(best))
    ) if values[cell] else phrase("verdict-never-wins", cell=CellValue(cell))  # fmt: skip
    outcome: VerdictOutcome = "partial" if score else "wrong"
    return Verdict(task, outcome, score, luck, reason, lucky=frozenset([cell]))


def _place_reason(board: Board, cell: Cell) -> Phrase:
    return phrase("verdict-not-covered" if _is_inside(board, cell) else "verdict-outside", cell=CellValue(cell))


def _is_inside(board: Board, cell: Cell) -> bool:
    return cell[0] < board.rows and cell[1] < board.columns


# statements


def _judge_word(task: Task, assertion: Assertion, word: bool | None, budget: Budget, engine: Engine) -> Verdict:
    if word is None:
        return _unreadable(task)
    holds = assertion.holds(task.board, budget, engine)
    chance = _chance_to_look_true(task.board, assertion, budget, engine)
    luck = chance if word else 1 - chance
    score = Fraction(word is holds)
    reason = phrase("verdict-holds" if holds else "verdict-does-not-hold")
    return Verdict(task, "right" if score else "lucky" if luck else "wrong", score, luck, reason)


def _chance_to_look_true(board: Board, assertion: Assertion, budget: Budget, engine: Engine) -> Fraction:
    """The chance that the mines agree with a statement. "Undecided" agrees with no mines, so it looks false."""
    analysis = analyze(board, budget=budget, engine=engine)
    if assertion.state == "undecided":
        return Fraction(0)
    is_mine = assertion.state == "mine"
    known = state_of(analysis, assertion.cell)
    if known != "undecided":
        return Fraction(known == assertion.state)
    return _luck(analysis, [assertion.cell], budget, engine, is_mine=is_mine)


# games


def _judge_game(task: Task, cells: list[Cell], budget: Budget, engine: Engine) -> Verdict:
    game = TextGame(task, budget=budget, engine=engine)
    game.reply(cells)
    return game_verdict(game)


def game_verdict(game: TextGame) -> Verdict:
    """Return the verdict on a game as far as it was played."""
    careless = frozenset(game.careless)
    opened_none = not game.sound and not careless
    luck = Fraction(game.is_won)
    wrong = frozenset([] if game.exploded is None else [game.exploded])
    if game.exploded is not None:
        reason = phrase("verdict-exploded", cell=CellValue(game.exploded))
    elif careless:
        reason = phrase("verdict-careless", len(careless), cell=CellValue(game.careless[0]))
    elif opened_none:
        reason = phrase("verdict-no-move")
    else:
        reason = phrase("verdict-game-won" if game.is_won else "verdict-unfinished")
    outcome: VerdictOutcome = (
        "right" if game.score == 1 else "wrong" if wrong or opened_none else "partial" if game.score else "lucky"
    )
    return Verdict(game.task, outcome, game.score, luck, reason, frozenset(game.sound), careless - wrong, wrong)
