"""A puzzle as data: a position, its solution, and the proof that no easier technique finds it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Final, Literal

from mineproof.base.notebook import Shown
from mineproof.board.board import Board
from mineproof.board.cells import Cell, pairs
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER
from mineproof.wording.catalogue import message
from mineproof.wording.phrases import HasText
from mineproof.wording.puzzles import task_text

if TYPE_CHECKING:
    from mineproof.practice.wire import PuzzleJson

SCHEMA: Final = "mineproof/puzzle/1"
GUESS = "guess"
TECHNIQUES: tuple[str, ...] = (*LADDER, GUESS)  # what can be practised, the easiest first

# Ratings of techniques until answers correct them; they follow the order of the ladder.
START = {name: technique.start_rating for name, technique in LADDER.items()} | {GUESS: 1900.0}

PuzzleKind = Literal["open", "flag", "guess"]


def technique_label(name: str) -> str:
    """The name that players see for a technique, or for the best guess."""
    if name == GUESS:
        return message("technique-guess-label")
    return LADDER[name].label if name in LADDER else name


@dataclass(frozen=True, slots=True)
class Puzzle(Shown, HasText):
    """A position with a task; see `puzzle`.

    ``kind`` is the task: ``"open"`` a safe cell, ``"flag"`` a mine, or choose the best ``"guess"``. ``solution`` are
    all right cells. ``deduction`` is the easiest step, by ``technique``; ``steps`` are all steps by this technique and
    easier ones. For a guess, ``move`` has the chance of each cell with optimal play instead.

    ``level`` and ``seed`` reproduce the puzzle; ``day`` is the date of a daily one. ``positions`` and ``games`` are how
    many were searched to find it.
    """

    board: Board
    technique: str
    kind: PuzzleKind
    solution: frozenset[Cell]
    deduction: Deduction | None
    steps: tuple[Deduction, ...]
    move: BestMove | None
    level: str
    seed: int
    day: date | None = None
    positions: int = field(default=0, compare=False)
    games: int = field(default=0, compare=False)

    @property
    def name(self) -> str:
        """Name of the puzzle: technique, level and seed, or the day."""
        identity = f"seed {self.seed}" if self.day is None else f"the puzzle of {self.day.isoformat()}"
        return f"{self.technique}, {self.level}, {identity}"

    def __repr__(self) -> str:
        return f"<Puzzle: {self.name}; {self.kind}>"

    @property
    def task(self) -> str:
        """What to do, in the current language."""
        return task_text(self.kind)

    @property
    def text(self) -> str:
        """Why the solution is right, in the current language: the easiest step, or the best guess."""
        if self.deduction is not None:
            return self.deduction.text
        return "" if self.move is None else self.move.text

    def as_json(self, *, solution: bool = True) -> PuzzleJson:
        """The ``mineproof/puzzle/1`` shape; ``solution=False`` leaves out everything that reveals the answer."""
        return {
            "schema": SCHEMA,
            "technique": self.technique,
            "kind": self.kind,
            "level": self.level,
            "seed": self.seed,
            "date": None if self.day is None else self.day.isoformat(),
            "task": self.task,
            "board": self.board.as_json(),
            "solution": pairs(self.solution) if solution else None,
            "deduction": self.deduction.as_json() if solution and self.deduction is not None else None,
            "best": self.move.as_json() if solution and self.move is not None else None,
            "positions": self.positions,
            "games": self.games,
        }
