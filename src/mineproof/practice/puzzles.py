"""A puzzle as data: a position, what is to be found in it, and the proof that it can be found no easier way."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from mineproof.base.showing import Shown
from mineproof.board.board import Board
from mineproof.board.cells import Cell, pairs
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.deduction.ladder import LADDER

SCHEMA = "mineproof/puzzle/1"
GUESS = "guess"
TECHNIQUES: tuple[str, ...] = (*LADDER, GUESS)  # what can be practised, the easiest first

LABELS = {  # each technique in words, for people who choose one
    "single-open": "One number that has its mines",
    "single-flag": "One number that needs all its cells",
    "partition": "One number inside another",
    "bounds": "At least and at most",
    "elimination": "Adding and subtracting numbers",
    "contradiction": "Suppose, and find it impossible",
    "total": "The number of mines left",
    "exhaustive": "Case by case",
    GUESS: "The best guess is not the safest",
}

PuzzleKind = Literal["open", "flag", "guess"]

_TASKS: dict[PuzzleKind, str] = {
    "open": "Open a cell that is certainly safe.",
    "flag": "Flag a cell that is certainly a mine.",
    "guess": "No cell is certain. Open the one that wins most often; it is not the safest.",
}


@dataclass(frozen=True, slots=True)
class Puzzle(Shown):
    """A position with a question; see `puzzle`.

    ``kind`` is what to do: ``"open"`` a safe cell, ``"flag"`` a mine, or choose the best ``"guess"``. ``solution`` are
    all cells that are right. ``deduction`` is the easiest step, by ``technique``, and ``steps`` are all steps with no
    harder one; of a guess, ``move`` has what each cell is worth by optimal play instead.

    ``level`` and ``seed`` make the same puzzle again, and ``day`` is that of a daily one. ``positions`` and ``games``
    are how many were looked at to find it.
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
        """Which one it is: technique, level and seed, or the day."""
        which = f"seed {self.seed}" if self.day is None else f"the puzzle of {self.day.isoformat()}"
        return f"{self.technique}, {self.level}, {which}"

    def __repr__(self) -> str:
        return f"<Puzzle: {self.name}; {self.kind}>"

    @property
    def task(self) -> str:
        """What to do."""
        return _TASKS[self.kind]

    @property
    def text(self) -> str:
        """Why the solution is right: the words of the easiest step, or what the best guess is worth."""
        if self.deduction is not None:
            return self.deduction.text
        return "" if self.move is None else self.move.text

    def as_json(self, *, solution: bool = True) -> dict[str, object]:
        """The ``mineproof/puzzle/1`` shape; without ``solution`` nothing in it tells the answer."""
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
