"""The help that a player used in a game: counted move by move, saved with the game, shown at the end.

Times and wins with help are compared separately, by `HelpUsed.any`. A pause hides the board and stops the clock. It is
counted, but is not help.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from mineproof.errors import BoardSyntaxError
from mineproof.wording.phrases import HasText
from mineproof.wording.reviews import help_text

if TYPE_CHECKING:
    from mineproof.game.wire import HelpUsedJson

HelpKind = Literal["odds_moves", "best_moves", "auto_moves", "undos", "repeats", "pauses"]


@dataclass(frozen=True, slots=True)
class HelpUsed(HasText):
    """Counts of one game.

    ``hints`` are the hints shown at each level, 1 to 4; ``odds_moves`` the moves made while the odds were visible;
    ``best_moves`` the best moves shown; ``auto_moves`` the moves made for the player; ``undos`` the moves taken back;
    ``repeats`` how often the same board was started before; ``pauses`` how often the clock was stopped.
    """

    hints: tuple[int, int, int, int] = (0, 0, 0, 0)
    odds_moves: int = 0
    best_moves: int = 0
    auto_moves: int = 0
    undos: int = 0
    repeats: int = 0
    pauses: int = 0

    def __post_init__(self) -> None:
        for name, count in [*((f"hints[{place}]", count) for place, count in enumerate(self.hints)), *self._counts()]:
            if count < 0:
                raise BoardSyntaxError(f"`{name}`: expected at least 0, got {count}")

    @property
    def any(self) -> bool:
        """Did the player use any help?"""
        return any(self.hints) or any(count for name, count in self._counts() if name != "pauses")

    @property
    def text(self) -> str:
        """The help used as a list, in the current language."""
        return help_text(self.hints, dict(self._counts()))

    def more(self, kind: HelpKind) -> HelpUsed:
        """Return a copy with one more of a kind."""
        return replace(self, **{kind: getattr(self, kind) + 1})

    def with_hint(self, level: int) -> HelpUsed:
        """Return a copy with one more hint of a level from 1 to 4."""
        first, second, third, fourth = (count + (place == level) for place, count in enumerate(self.hints, 1))
        return replace(self, hints=(first, second, third, fourth))

    def as_json(self) -> HelpUsedJson:
        return {
            "hints": list(self.hints),
            "odds_moves": self.odds_moves,
            "best_moves": self.best_moves,
            "auto_moves": self.auto_moves,
            "undos": self.undos,
            "repeats": self.repeats,
            "pauses": self.pauses,
        }

    @classmethod
    def from_json(cls, document: object) -> HelpUsed:
        """Parse the result of `as_json`; missing counts are 0. BoardSyntaxError names an invalid key."""
        try:
            return msgspec.convert(document, cls)
        except msgspec.ValidationError as error:
            raise BoardSyntaxError(f"JSON: {error} (help used)") from None

    def _counts(self) -> Iterator[tuple[str, Any]]:
        for name in ("odds_moves", "best_moves", "auto_moves", "undos", "repeats", "pauses"):
            yield name, getattr(self, name)


# Built at import, because msgspec crashes if two threads build a decoder at once.
msgspec.json.Decoder(HelpUsed)
