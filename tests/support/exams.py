"""Verdicts on answers to tasks by brute force, which shares no code with ``src/`` but the tasks themselves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from mineproof.board.board import Board
from mineproof.exams.tasks import Task
from mineproof.exams.verdicts import Verdict
from support.every_game import EveryGame
from support.oracle import COVERED, MOST_COVERED, Cell, Truth, brute_force

BEST_MOVE_MOST_COVERED = 9
SIZES = ("4x4x3", "4x4x5", "5x4x4", "5x5x5", "6x3x4")


@dataclass(frozen=True)
class Expected:
    """What brute force says about an answer."""

    outcome: str
    score: Fraction
    luck: Fraction
    proved: frozenset[Cell] = frozenset()
    lucky: frozenset[Cell] = frozenset()
    wrong: frozenset[Cell] = frozenset()
    missed: frozenset[Cell] = frozenset()


def is_small(task: Task) -> bool:
    """Can brute force check answers to a task?"""
    most = BEST_MOVE_MOST_COVERED if task.kind == "best-move" else MOST_COVERED
    return task.board.count(COVERED) <= most


def answers(task: Task, rng: random.Random) -> Iterator[list[Cell] | bool]:
    """Answers of every sort: right ones, random ones, and some between them."""
    if task.kind in ("claim", "proof"):
        yield from (True, False)
        return
    cells = [(row, column) for row in range(task.board.rows + 1) for column in range(task.board.columns)]
    covered = list(task.board.cells(COVERED))
    yield [rng.choice(covered)]
    yield [rng.choice(cells)]
    if task.kind in ("safe", "mines"):
        truth = brute_force(task.board)
        certain = sorted(truth.mines if task.kind == "mines" else truth.safe)
        yield certain
        yield certain[::2]
        yield []
        yield rng.sample(covered, rng.randint(1, len(covered)))


def expect(task: Task, answer: list[Cell] | bool) -> Expected:
    """The verdict on an answer."""
    if isinstance(answer, bool):
        return _expect_word(task, answer)
    truth = brute_force(task.board)
    return _expect_best(truth, answer) if task.kind == "best-move" else _expect_cells(task, truth, answer)


def same(verdict: Verdict, expected: Expected) -> bool:
    """Does a verdict agree with brute force in everything?"""
    seen = Expected(verdict.outcome, verdict.score, verdict.luck, verdict.proved, verdict.lucky, verdict.wrong,
                    verdict.missed)  # fmt: skip
    return seen == expected


def _expect_cells(task: Task, truth: Truth, answer: list[Cell]) -> Expected:
    is_mine = task.kind == "mines"
    right, opposite = (truth.mines, truth.safe) if is_mine else (truth.safe, truth.mines)
    named = set(answer)
    wrong = frozenset(cell for cell in named if cell not in truth.covered or cell in opposite)
    proved = frozenset(named & right)
    lucky = frozenset(named - wrong - proved)
    missed = frozenset(right - named) if task.kind != "safe-cell" else frozenset()
    score = Fraction(bool(proved)) if task.kind == "safe-cell" else Fraction(len(proved), len(named | right) or 1)
    agreeing = [layout for layout in truth.layouts() if all((cell in layout) is is_mine for cell in named)]
    luck = Fraction(len(agreeing), truth.count)
    if any(cell not in truth.covered for cell in named) or (not named and right):
        luck = Fraction(0)
    outcome = "right" if score == 1 else "wrong" if wrong or not (score or luck) else "partial" if score else "lucky"
    return Expected(outcome, score, luck, proved, lucky, wrong, missed)


def _expect_best(truth: Truth, answer: list[Cell]) -> Expected:
    (cell,) = answer
    if cell not in truth.covered:
        return Expected("wrong", Fraction(0), Fraction(0), wrong=frozenset(answer))
    game = EveryGame(truth)
    score, luck = game.value(cell) / game.best(), 1 - truth.mine_probability(cell)
    cells = frozenset(answer)
    if score == 1:
        return Expected("right", score, luck, proved=cells)
    return Expected("partial" if score else "wrong", score, luck, lucky=cells)


def _expect_word(task: Task, word: bool) -> Expected:
    assertion, truth = task.assertion, brute_force(task.board)
    assert assertion is not None
    cell = assertion.cell
    reasons = truth if assertion.because is None else _with_reasons(task.board, assertion.because, assertion.uses_total)
    states = {cell in layout for layout in reasons.layouts()}
    state = "undecided" if len(states) == 2 else "mine" if True in states else "safe"
    score = Fraction((state == assertion.state) is word)
    mined = truth.mine_probability(cell)
    looks_true = {"safe": 1 - mined, "mine": mined, "undecided": Fraction(0)}[assertion.state]
    luck = looks_true if word else 1 - looks_true
    return Expected("right" if score else "lucky" if luck else "wrong", score, luck)


def _with_reasons(board: Board, because: tuple[Cell, ...], uses_total: bool) -> Truth:
    return brute_force(board if uses_total else board.replace({}, total_mines=None), because)
