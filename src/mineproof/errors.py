"""What can go wrong, and what each mistake means to a script.

Every error has a stable ``code``; the exit status of the command line and the status of an HTTP
answer are looked up from it in `STATUS`, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

Cell = tuple[int, int]  # as in `mineproof.board.cells`, a room above


class StatusCodes(NamedTuple):
    """How a code leaves the process, and how it leaves a server."""

    exit: int
    http: int


STATUS = {
    "syntax": StatusCodes(exit=3, http=400),
    "contradiction": StatusCodes(exit=4, http=422),
    "illegal-move": StatusCodes(exit=2, http=409),
    "outside": StatusCodes(exit=2, http=409),
    "budget": StatusCodes(exit=5, http=503),
    "no-engine": StatusCodes(exit=2, http=501),
    "certificate": StatusCodes(exit=1, http=422),
    "history": StatusCodes(exit=2, http=503),
    "sweep": StatusCodes(exit=2, http=503),
    "dataset": StatusCodes(exit=2, http=503),
}


def error_json(code: str, message: str) -> dict[str, object]:
    """The ``mineproof/error/1`` shape."""
    return {"schema": "mineproof/error/1", "code": code, "message": message}


class MineproofError(Exception):
    """Base of every error this package raises on purpose."""

    code = "error"

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/error/1`` shape."""
        return error_json(self.code, str(self))


class BoardSyntaxError(MineproofError, ValueError):
    """Text, link or file that cannot be read; ``line`` and ``column`` count from 1, ``source`` names the file."""

    code = "syntax"

    def __init__(
        self, message: str, *, line: int | None = None, column: int | None = None, source: str | None = None
    ) -> None:
        self.line, self.column, self.source = line, column, source
        place = "" if line is None else f"line {line}: " if column is None else f"line {line}, column {column}: "
        super().__init__(place + message)

    def as_json(self) -> dict[str, object]:
        return {**super().as_json(), "line": self.line, "column": self.column, "source": self.source}


class ContradictionError(MineproofError, ValueError):
    """No layout fits.

    ``cells`` are open numbers (few of them: drop any one and the rest can be satisfied) that cannot
    hold together, on their own or, when ``uses_total`` is set, with the total number of mines.
    ``wrong_flags`` are trusted flags each of which, taken away alone, mends the position.
    ``totals`` are the fewest and the most mines of layouts that fit all but the total, where the
    total is at fault.
    """

    code = "contradiction"

    def __init__(
        self,
        message: str,
        cells: Iterable[Cell] = (),
        *,
        uses_total: bool = False,
        wrong_flags: Iterable[Cell] = (),
        totals: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(message)
        self.totals = totals
        self.cells = tuple(cells)
        self.uses_total = uses_total
        self.wrong_flags = tuple(wrong_flags)

    def as_json(self) -> dict[str, object]:
        return {
            **super().as_json(),
            "cells": [list(cell) for cell in self.cells],
            "uses_total": self.uses_total,
            "wrong_flags": [list(cell) for cell in self.wrong_flags],
        }


class IllegalMoveError(MineproofError, ValueError):
    """A move the rules do not allow; the game is as it was."""

    code = "illegal-move"


class OutsideError(IllegalMoveError, IndexError):
    """A cell that is not on the board, whoever asked about it."""

    code = "outside"


class BudgetExceeded(MineproofError):
    """A search was stopped before it had an answer; nothing partial is returned.

    ``limit`` says what ran out: ``"seconds"``, ``"states"`` or ``"cancelled"``; or ``"width"`` or ``"size"`` if it was
    hopeless from the start. ``width`` is how many numbers were half-finished at once at the worst, where that is known.
    """

    code = "budget"

    def __init__(
        self, message: str, *, limit: str, seconds: float = 0.0, states: int = 0, width: int | None = None
    ) -> None:
        super().__init__(message)
        self.limit, self.seconds, self.states, self.width = limit, seconds, states, width

    def as_json(self) -> dict[str, object]:
        spent = {"limit": self.limit, "seconds": self.seconds, "states": self.states, "width": self.width}
        return {**super().as_json(), **spent}


class EngineMissing(MineproofError):
    """There is nothing to count with; the message says what to install or set."""

    code = "no-engine"


class HistoryError(MineproofError):
    """The file or database of a history cannot be used, or has no such game; the message names it. It is as it was."""

    code = "history"


class SweepError(MineproofError):
    """The folder of a sweep cannot be used, or a worker failed; the message says what is kept, and how to go on."""

    code = "sweep"


class DatasetError(MineproofError):
    """A dataset cannot be used, or gone on with; the message names the file and says what was found and expected."""

    code = "dataset"
