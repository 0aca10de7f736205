"""What is known of the cells that a guess is thought over between, while it is thought over and at the end."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.board.cells import Cell


@dataclass(frozen=True, slots=True)
class Rival:
    """A cell that games were played on from.

    ``win_probability`` is an estimate with its ``standard_error``, from ``layouts`` that fit, if the strategy
    ``played_by`` plays on. ``strong`` wins more than ``fast``, so estimates by the one and by the other are not to be
    compared. All rivals are played on the same layouts, so the differences between them are known far better than each
    one. ``dropped``: no more is played from it, because it is clearly behind or knowing more would gain nothing.
    """

    cell: Cell
    win_probability: float
    standard_error: float
    layouts: int
    played_by: str
    dropped: bool

    def as_json(self) -> dict[str, object]:
        return {
            "cell": list(self.cell),
            "win_probability": self.win_probability,
            "standard_error": self.standard_error,
            "layouts": self.layouts,
            "played_by": self.played_by,
            "dropped": self.dropped,
        }


@dataclass(frozen=True, slots=True)
class Thought:
    """How far a guess is thought over: after ``seconds``, what is known of the rivals, the best so far first.

    ``clear``: nothing more is to be gained, so that the thinking ended before its time.
    """

    seconds: float
    rivals: tuple[Rival, ...]
    clear: bool = False

    def as_json(self) -> dict[str, object]:
        return {
            "seconds": round(self.seconds, 3),
            "clear": self.clear,
            "rivals": [each.as_json() for each in self.rivals],
        }
