"""Verdicts on answers to puzzles, each with the proof, or with the odds of the cell.

An answer is right if the techniques up to that of the puzzle prove the cell. A cell that is certain only by a harder
technique is neither right nor wrong: it would not lose the game, but it is not what the puzzle is about. All other
cells are wrong. Certainty comes from the exact engine, never from the mines, which a puzzle does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from mineproof.advice.proofs import argument, leading_to
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import steps
from mineproof.deduction.state import Proof
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import IllegalMoveError
from mineproof.practice.puzzles import TECHNIQUES, Puzzle
from mineproof.wording import puzzles as wording
from mineproof.wording.phrases import HasText, Phrase

if TYPE_CHECKING:
    from mineproof.practice.wire import AnswerJson

SCHEMA: Final = "mineproof/answer/1"

PuzzleVerdict = Literal["right", "harder", "wrong"]


@dataclass(frozen=True, slots=True)
class Answer(HasText):
    """A cell chosen in a puzzle, with the verdict; see `answer`.

    ``verdict`` is ``"right"``, ``"wrong"``, or ``"harder"``: certain, but only by a technique harder than that of the
    puzzle. ``remark`` says what the cell is, where that is not clear from the proof. ``proof`` are the steps that prove
    what the cell is, the last of which decides it; empty if the cell is not certain. ``mine_probability`` is that of
    the cell.
    """

    puzzle: Puzzle
    cell: Cell
    verdict: PuzzleVerdict
    remark: Phrase | None
    proof: tuple[Deduction, ...]
    mine_probability: float

    @property
    def text(self) -> str:
        """The verdict with its reasons, in the current language."""
        reasons = [step.text for step in self.proof] if self.puzzle.move is None else [self.puzzle.move.text]
        return " ".join([*([] if self.remark is None else [self.remark.text]), *reasons])

    @property
    def right(self) -> bool:
        """Is the answer right?"""
        return self.verdict == "right"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        row, column = self.cell
        return f"<Answer ({row},{column}): {self.verdict}; {self.puzzle.name}>"

    def as_json(self) -> AnswerJson:
        """The ``mineproof/answer/1`` shape."""
        return {
            "schema": SCHEMA,
            "cell": list(self.cell),
            "verdict": self.verdict,
            "text": self.text,
            "proof": [step.as_json() for step in self.proof],
            "mine_probability": self.mine_probability,
            "puzzle": self.puzzle.as_json(),
        }


def answer(puzzle: Puzzle, cell: Cell, *, budget: Budget | float | None = None, engine: Engine | None = None) -> Answer:
    """Judge a cell: the one to open, or in a puzzle of kind ``"flag"`` the one to flag.

    Raises IllegalMoveError for a cell that is open or flagged, OutsideError for a cell outside the board.

    >>> from mineproof.practice.search import puzzle
    >>> task = puzzle("partition", level="beginner", seed=4)
    >>> answer(task, (1, 2)).verdict, answer(task, (1, 1)).text.partition(".")[0]
    ('right', '(1,1) is certainly a mine')
    """
    checks.instance("puzzle", puzzle, Puzzle, "puzzle makes one")
    board, cell = puzzle.board, checks.cell("cell", cell)
    if board[cell] != COVERED:
        row, column = cell
        state = "flagged, so it is known to be a mine" if board[cell] == FLAGGED else "open"
        raise IllegalMoveError(f"Cannot choose ({row},{column}): it is {state}. Choose a covered cell.")
    limit, engine = Budget.of(budget), chosen_engine(engine)
    mine_probability = float(analyze(board, budget=limit, engine=engine).mine_probability[cell])
    if puzzle.kind == "guess":
        verdict, remark = _judge_guess(puzzle, cell)
        return Answer(puzzle, cell, verdict, remark, (), mine_probability)
    proof = _find_proof(puzzle, cell, limit, engine) if mine_probability in (0.0, 1.0) else ()
    verdict, remark = _judge_cell(puzzle, cell, mine_probability, proof)
    return Answer(puzzle, cell, verdict, remark, proof, mine_probability)


def _find_proof(puzzle: Puzzle, cell: Cell, budget: Budget, engine: Engine) -> tuple[Deduction, ...]:
    """The steps that decide a cell, with the techniques of the puzzle if they are enough.

    The argument uses only the numbers of the proof. If that takes a harder technique, the steps are those of the
    ladder.
    """
    board, target = puzzle.board, frozenset([cell])
    steps_to_cell = _steps_until(cell, puzzle.steps) or _steps_until(
        cell, steps(board, by_rung=True, budget=budget, engine=engine)
    )
    last = steps_to_cell[-1]
    if last == puzzle.deduction:
        return (last,)
    hardest = max((step.technique for step in steps_to_cell), key=TECHNIQUES.index)
    numbers = Proof(frozenset(map(board.index, last.because)), last.uses_total)
    shorter = argument(board, numbers, target, budget, engine, upto=hardest, by_rung=True)
    return tuple(shorter or leading_to(target, steps_to_cell, board))


def _steps_until(cell: Cell, ladder_steps: Iterable[Deduction]) -> list[Deduction]:
    """Steps up to the one that decides a cell; empty if none does."""
    taken = []
    for step in ladder_steps:
        taken.append(step)
        if cell in step.safe | step.mines:
            return taken
    return []


def _judge_cell(
    puzzle: Puzzle, cell: Cell, mine_probability: float, proof: tuple[Deduction, ...]
) -> tuple[PuzzleVerdict, Phrase | None]:
    if cell in puzzle.solution:
        return "right", None
    if mine_probability not in (0.0, 1.0):
        return "wrong", wording.uncertain_phrase(cell, mine_probability)
    is_mine = mine_probability == 1.0
    if is_mine is (puzzle.kind == "flag"):
        return "harder", wording.harder_phrase(cell, _hardest_technique(proof), is_mine=is_mine)
    return "wrong", wording.certain_phrase(cell, is_mine=is_mine)


def _judge_guess(puzzle: Puzzle, cell: Cell) -> tuple[PuzzleVerdict, Phrase | None]:
    assert puzzle.move is not None
    if cell in puzzle.solution:
        return "right", None if cell == puzzle.move.cell else wording.as_good_phrase(cell)
    chosen = next(option for option in puzzle.move.moves if option.cell == cell)
    lowest_risk = min(option.mine_probability for option in puzzle.move.moves)
    is_safest = chosen.mine_probability == lowest_risk
    win_probability = chosen.win_probability or 0.0
    return "wrong", wording.worse_phrase(cell, win_probability, exact=chosen.exact, is_safest=is_safest)


def _hardest_technique(proof: tuple[Deduction, ...]) -> str:
    return max((step.technique for step in proof), key=TECHNIQUES.index)
