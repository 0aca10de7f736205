"""Exceptions, with their exit statuses and HTTP statuses.

Every error has a stable ``code``. `STATUS` is the only table of the exit status and the HTTP status of each code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, NotRequired, Protocol, TypedDict

Cell = tuple[int, int]  # as in `mineproof.board.cells`, a room above


class StatusCodes(NamedTuple):
    """The exit status of the command line, and the HTTP status of the server."""

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
    "bot": StatusCodes(exit=2, http=503),
    "dataset": StatusCodes(exit=2, http=503),
}


class ErrorJson(TypedDict):
    """An error. Some codes have more keys: of a text that cannot be read, a contradiction, a budget, a certificate."""

    schema: Literal["mineproof/error/1"]
    code: str
    message: str
    line: NotRequired[int | None]
    column: NotRequired[int | None]
    source: NotRequired[str | None]
    cells: NotRequired[list[list[int]]]
    uses_total: NotRequired[bool]
    wrong_flags: NotRequired[list[list[int]]]
    text: NotRequired[str]
    constraints: NotRequired[list[int]]
    limit: NotRequired[str | None]
    seconds: NotRequired[float]
    states: NotRequired[int]
    width: NotRequired[int | None]
    step: NotRequired[int | None]


def error_json(code: str, message: str) -> ErrorJson:
    """Return ``mineproof/error/1``."""
    return {"schema": "mineproof/error/1", "code": code, "message": message}


class MineproofError(Exception):
    """Base class of all errors of this package.

    Errors can be pickled, copied and compared, with all their attributes.
    """

    code = "error"

    def as_json(self) -> ErrorJson:
        """Return the error as ``mineproof/error/1``."""
        return error_json(self.code, str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, pickle calls the class with the message alone, which fails for required keywords. A pool of
        # processes breaks, or hangs, if an error cannot be rebuilt.
        return _rebuild_error, (type(self), self.args), self.__dict__

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self.args == other.args and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), self.args))


def _rebuild_error(kind: type[MineproofError], args: tuple[object, ...]) -> MineproofError:
    """Return an error with this message. Pickle restores its attributes afterwards."""
    error = kind.__new__(kind)
    error.args = args
    return error


class BoardSyntaxError(MineproofError, ValueError):
    """Text, link or file that cannot be read; ``line`` and ``column`` count from 1, ``source`` names the file.

    ``advice`` is the last sentence of the message, which says what to do, or empty.
    """

    code = "syntax"

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        source: str | None = None,
    ) -> None:
        self.line, self.column, self.source = line, column, source
        self.advice = ""
        place = "" if line is None else f"line {line}: " if column is None else f"line {line}, character {column}: "
        super().__init__(place + message)

    def advise(self, advice: str) -> None:
        """Put this advice at the end of the message, in place of the old advice."""
        message = str(self).removesuffix(self.advice).rstrip()
        self.advice = advice
        self.args = (f"{message.removesuffix('.')}. {advice}",)

    def as_json(self) -> ErrorJson:
        return {**super().as_json(), "line": self.line, "column": self.column, "source": self.source}


class Explanation(Protocol):
    """Facts that can be explained in several languages: `mineproof.wording.contradictions.Contradiction`."""

    @property
    def text(self) -> str: ...

    @property
    def reason(self) -> str: ...

    def text_in(self, language: str) -> str: ...


class ContradictionError(MineproofError, ValueError):
    """A contradictory position: no layout is consistent with it.

    ``cells`` are open numbers that contradict each other; without any one of them, the others are consistent. With
    ``uses_total``, they contradict the total number of mines. ``wrong_flags`` are trusted flags: removing any single
    one of them makes the position consistent. If the total is wrong, ``totals`` are the fewest and the most possible
    mines. A problem has ``constraints``, the numbers of constraints, instead of ``cells``. The message is English;
    ``text`` and ``text_in`` give the same explanation in the reader's language.
    """

    code = "contradiction"

    def __init__(
        self,
        message: str | Explanation,
        cells: Iterable[Cell] = (),
        *,
        uses_total: bool = False,
        wrong_flags: Iterable[Cell] = (),
        totals: tuple[int, int] | None = None,
        constraints: Iterable[int] = (),
    ) -> None:
        super().__init__(message)  # an explanation becomes a sentence when it is read: most are never read
        self.totals = totals
        self.cells = tuple(cells)
        self.constraints = tuple(constraints)
        self.uses_total = uses_total
        self.wrong_flags = tuple(wrong_flags)

    @property
    def explanation(self) -> Explanation | None:
        """The facts that contradict each other as data; None if the error has only a message."""
        return None if isinstance(self.args[0], str) else self.args[0]

    @property
    def text(self) -> str:
        """The explanation in the current language."""
        return str(self) if self.explanation is None else self.explanation.text

    def text_in(self, language: str) -> str:
        """The explanation in another language."""
        return str(self) if self.explanation is None else self.explanation.text_in(language)

    def as_json(self) -> ErrorJson:
        document: ErrorJson = {
            **super().as_json(),
            "cells": [list(cell) for cell in self.cells],
            "uses_total": self.uses_total,
            "wrong_flags": [list(cell) for cell in self.wrong_flags],
            "text": self.text,
        }
        if self.constraints:
            document["constraints"] = list(self.constraints)
        return document


class IllegalMoveError(MineproofError, ValueError):
    """A move that the rules do not allow. The game is unchanged."""

    code = "illegal-move"


class OutsideError(IllegalMoveError, IndexError):
    """A cell that is not on the board."""

    code = "outside"


class BudgetExceeded(MineproofError):
    """A search that was stopped without a result. There is no partial result.

    ``limit`` is the exceeded limit: ``"seconds"``, ``"states"``, ``"memory"`` or ``"cancelled"``; ``"width"`` or
    ``"size"`` if the position is too large to try. ``width`` is the largest number of half-finished numbers at the same
    time, or None if it is unknown.
    """

    code = "budget"

    def __init__(
        self, message: str, *, limit: str, seconds: float = 0.0, states: int = 0, width: int | None = None
    ) -> None:
        super().__init__(message)
        self.limit, self.seconds, self.states, self.width = limit, seconds, states, width

    def as_json(self) -> ErrorJson:
        return {
            **super().as_json(),
            "limit": self.limit,
            "seconds": self.seconds,
            "states": self.states,
            "width": self.width,
        }


class EngineMissing(MineproofError):
    """No engine, or one without the requested method. The message says what to install or set."""

    code = "no-engine"


class HistoryError(MineproofError):
    """A history file or database that cannot be used, or that has no such game. It is unchanged."""

    code = "history"


class SweepError(MineproofError):
    """A sweep folder that cannot be used, or a worker that failed. The message says how to continue."""

    code = "sweep"


class DatasetError(MineproofError):
    """A dataset that cannot be used or continued. The message names the file and the reason."""

    code = "dataset"


class BotError(MineproofError):
    """A program that plays by the engine protocol did not start, answer in time, or keep to the protocol."""

    code = "bot"
