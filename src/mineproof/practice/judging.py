"""Whether a cell answers a puzzle, and why: with the proof, or with what is known of the cell instead.

An answer is right if the techniques up to the wanted one prove the cell. A cell that is certain, too, but takes a
harder one is neither right nor wrong: it would not lose the game, and it is not what was to be practised. All others
are wrong, and the answer tells what they are. That a cell is certain is asked of the exact engine, never of the mines,
which a puzzle does not know.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mineproof.advice.hints import argument, leading_to
from mineproof.analysis.analysis import analyze
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.words import at, percent
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import steps
from mineproof.deduction.state import Proof
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import IllegalMoveError
from mineproof.practice.puzzles import TECHNIQUES, Puzzle

SCHEMA = "mineproof/answer/1"

Verdict = Literal["right", "harder", "wrong"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A cell that somebody chose in a puzzle, and what it was; see `answer`.

    ``verdict`` is ``"right"``, ``"wrong"``, or ``"harder"``: certain, but only by a technique harder than the wanted
    one. ``proof`` are the steps that prove what the cell is, the last of which decides it; empty where it is not
    certain. ``mine_probability`` is the cell's.
    """

    puzzle: Puzzle
    cell: Cell
    verdict: Verdict
    text: str
    proof: tuple[Deduction, ...]
    mine_probability: float

    @property
    def right(self) -> bool:
        return self.verdict == "right"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Answer {at(self.cell)}: {self.verdict}; {self.puzzle.name}>"

    def as_json(self) -> dict[str, object]:
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

    Raises IllegalMoveError for a cell that is open or flagged, OutsideError for one that is not on the board.

    >>> from mineproof.practice.finding import puzzle
    >>> asked = puzzle("partition", level="beginner", seed=4)
    >>> answer(asked, (1, 2)).verdict, answer(asked, (1, 1)).text.partition(".")[0]
    ('right', '(1,1) is certainly a mine')
    """
    checks.instance("puzzle", puzzle, Puzzle, "puzzle makes one")
    board, chosen = puzzle.board, checks.cell("cell", cell)
    if board[chosen] != COVERED:
        state = "is flagged: it is known to be a mine" if board[chosen] == FLAGGED else "is open"
        raise IllegalMoveError(f"{at(chosen)} {state}, expected a covered cell")
    limit, using = Budget.of(budget), chosen_engine(engine)
    chance = float(analyze(board, budget=limit, engine=using).mine_probability[chosen])
    if puzzle.kind == "guess":
        return Answer(puzzle, chosen, *_weighed(puzzle, chosen), (), chance)
    proof = _proof(puzzle, chosen, limit, using) if chance in (0.0, 1.0) else ()
    verdict, text = _judged(puzzle, chosen, chance, proof)
    return Answer(puzzle, chosen, verdict, text, proof, chance)


def _proof(puzzle: Puzzle, cell: Cell, budget: Budget, engine: Engine) -> tuple[Deduction, ...]:
    """The steps that decide a cell, with the techniques of the puzzle where they do.

    They are told from the numbers of the proof alone; where that takes a harder technique, as they were found.
    """
    board, wanted = puzzle.board, frozenset([cell])
    found = _until(cell, puzzle.steps) or _until(cell, steps(board, by_rung=True, budget=budget, engine=engine))
    last = found[-1]
    if last == puzzle.deduction:
        return (last,)
    hardest = max((step.technique for step in found), key=TECHNIQUES.index)
    numbers = Proof(frozenset(map(board.index, last.because)), last.uses_total)
    told = argument(board, numbers, wanted, budget, engine, upto=hardest, by_rung=True)
    return tuple(told or leading_to(wanted, found, board))


def _until(cell: Cell, climb: Iterable[Deduction]) -> list[Deduction]:
    """Steps up to the one that decides a cell; none if none does."""
    taken = []
    for step in climb:
        taken.append(step)
        if cell in step.safe | step.mines:
            return taken
    return []


def _judged(puzzle: Puzzle, cell: Cell, chance: float, proof: tuple[Deduction, ...]) -> tuple[Verdict, str]:
    told = " ".join(step.text for step in proof)
    if cell in puzzle.solution:
        return "right", told
    if chance not in (0.0, 1.0):
        return "wrong", f"{at(cell)} is not certain: its chance of a mine is {percent(chance)}."
    if (chance == 1.0) is (puzzle.kind == "flag"):
        what = "a mine" if puzzle.kind == "flag" else "safe"
        return "harder", f"{at(cell)} is {what}, but {puzzle.technique} does not tell: {_hardest(proof)} does. {told}"
    what = "a mine" if chance == 1.0 else "safe"
    return "wrong", f"{at(cell)} is certainly {what}. {told}"


def _weighed(puzzle: Puzzle, cell: Cell) -> tuple[Verdict, str]:
    assert puzzle.move is not None
    if cell in puzzle.solution:
        if cell == puzzle.move.cell:
            return "right", puzzle.move.text
        return "right", f"{at(cell)} is as good as the best. {puzzle.move.text}"
    chosen = next(option for option in puzzle.move.moves if option.cell == cell)
    safest = min(option.mine_probability for option in puzzle.move.moves)
    safe = "is the safest cell, but wins" if chosen.mine_probability == safest else "wins"
    return "wrong", f"{at(cell)} {safe} {'only ' if safe != 'wins' else ''}{chosen.wins}. {puzzle.move.text}"


def _hardest(proof: tuple[Deduction, ...]) -> str:
    return max((step.technique for step in proof), key=TECHNIQUES.index)
