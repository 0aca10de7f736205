"""The candidates for a guess, with the estimates that playouts gave so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.board.cells import Cell
from mineproof.wording.best_moves import describe_thinking
from mineproof.wording.catalogue import use_language

if TYPE_CHECKING:
    from mineproof.decision.wire import RivalJson, ThoughtJson


@dataclass(frozen=True, slots=True)
class Rival:
    """A candidate for a guess.

    ``win_probability`` is an estimate with its ``standard_error``: the strategy ``played_by`` played ``layouts`` games
    from this cell. ``strong`` wins more than ``fast``, so do not compare estimates by different strategies. All rivals
    are played on the same layouts, so the differences between them are far more precise than each estimate. ``dropped``
    means that no more games are played from it, because it is clearly behind or more games would not change the choice.
    """

    cell: Cell
    win_probability: float
    standard_error: float
    layouts: int
    played_by: str
    dropped: bool

    def as_json(self) -> RivalJson:
        """Return this rival as a JSON object."""
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
    """The state of a guess after ``seconds`` of playouts: its rivals, the best so far first.

    ``clear`` means that more time would not change the choice, so the search ended early.
    """

    seconds: float
    rivals: tuple[Rival, ...]
    clear: bool = False

    @property
    def text(self) -> str:
        """How long the guess was considered, and whether the choice is clear; in the current language."""
        layouts = max((rival.layouts for rival in self.rivals), default=0)
        return describe_thinking(self.seconds, layouts, clear=self.clear)

    def text_in(self, language: str) -> str:
        """The text in another language."""
        with use_language(language):
            return self.text

    def as_json(self) -> ThoughtJson:
        """Return this thought as a JSON object."""
        return {
            "seconds": round(self.seconds, 3),
            "clear": self.clear,
            "rivals": [rival.as_json() for rival in self.rivals],
        }
