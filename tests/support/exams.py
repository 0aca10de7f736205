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
from support.oracle import COVERED, MOST_COVERED, Cell, Truth, brute_force, neighbours

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
    if task.kind == "game":
        yield from _moves(task, covered, cells, rng)
        return
    yield [rng.choice(covered)]
    yield [rng.choice(cells)]
    if task.kind in ("safe", "mines"):
        truth = brute_force(task.board)
        certain = sorted(truth.mines if task.kind == "mines" else truth.safe)
        yield certain
        yield certain[::2]
        yield []
        yield rng.sample(covered, rng.randint(1, len(covered)))


def _moves(task: Task, covered: list[Cell], cells: list[Cell], rng: random.Random) -> Iterator[list[Cell]]:
    """Moves of a game: all that win it, some of them, with a careless one between them, and random ones."""
    winning = OpenedGame(task).winning_moves()
    yield winning
    yield [*winning, *covered]
    yield winning[: (len(winning) + 1) // 2]
    yield [*winning[:1], rng.choice(covered), *winning[1:]]
    yield rng.sample(cells, 3)


def expect(task: Task, answer: list[Cell] | bool) -> Expected:
    """The verdict on an answer."""
    if isinstance(answer, bool):
        return _expect_word(task, answer)
    if task.kind == "game":
        return _expect_game(task, answer)
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


class OpenedGame:
    """A game by its rules: which cells are open, and what its player can know."""

    def __init__(self, task: Task) -> None:
        board, layout = task.board, task.layout
        assert layout is not None
        self._board, self.mines = board, set(layout.mines)
        self._around = {
            (row, column): neighbours(board.topology, board.rows, board.columns, (row, column))
            for row in range(board.rows)
            for column in range(board.columns)
        }
        self.opened = {cell for cell in self._around if board[cell] >= 0}
        self.safe_cells = len(self._around) - len(self.mines)

    def truth(self) -> Truth:
        """What the visible position says, by brute force."""
        shown = {cell: len(self._around[cell] & self.mines) for cell in self.opened}
        return brute_force(self._board.replace(shown))

    def open(self, cell: Cell) -> int:
        """Open a safe cell, and all around a 0; return how many cells that opened."""
        before, edge = len(self.opened), [cell]
        while edge:
            place = edge.pop()
            if place not in self.opened:
                self.opened.add(place)
                if not self._around[place] & self.mines:
                    edge.extend(self._around[place])
        return len(self.opened) - before

    def winning_moves(self) -> list[Cell]:
        """Certainly safe cells, one after the other, until all safe cells are open."""
        moves = []
        while not self.is_won:
            moves.append(min(self.truth().safe))
            self.open(moves[-1])
        return moves

    @property
    def is_won(self) -> bool:
        return len(self.opened) == self.safe_cells

    def can_open(self, cell: Cell) -> bool:
        return cell in self._around and cell not in self.opened and not self.is_won


def _expect_game(task: Task, answer: list[Cell]) -> Expected:
    game = OpenedGame(task)
    left = game.safe_cells - len(game.opened)
    sound: set[Cell] = set()
    careless: set[Cell] = set()
    exploded: set[Cell] = set()
    proved = 0
    for cell in answer:
        if exploded or not game.can_open(cell):
            continue
        truth = game.truth()
        odds = {other: truth.mine_probability(other) for other in truth.covered}
        is_sound = cell in truth.safe if truth.safe else odds[cell] == min(odds.values())
        (sound if is_sound else careless).add(cell)
        if cell in game.mines:
            exploded.add(cell)
        else:
            proved += game.open(cell) * is_sound
    score, is_won = Fraction(proved, left), game.is_won and not exploded
    is_wrong = exploded or not (sound or careless)
    outcome = "right" if score == 1 else "wrong" if is_wrong else "partial" if score else "lucky"
    return Expected(
        outcome, score, Fraction(is_won), frozenset(sound), frozenset(careless - exploded), frozenset(exploded)
    )


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
