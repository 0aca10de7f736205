"""What a player was helped with in a game: counted move by move, kept with the saved game, told in the end.

A time or a win with help is another thing than one without, so whoever compares games asks `HelpUsed.any`. A pause
hides the board and stops the clock: it is counted, and is no help.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from mineproof.base.words import listing, plural
from mineproof.errors import BoardSyntaxError

HelpKind = Literal["odds_moves", "best_moves", "auto_moves", "undos", "repeats", "pauses"]


@dataclass(frozen=True, slots=True)
class HelpUsed:
    """Counts of one game.

    ``hints`` are those told of each level, 1 to 4; ``odds_moves`` the player's moves made with the odds in view;
    ``best_moves`` the best moves that were asked for; ``auto_moves`` the moves that were made for the player; ``undos``
    the moves taken back; ``repeats`` how often the same board had been begun before; ``pauses`` how often the clock was
    stopped.
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
                raise BoardSyntaxError(f"found {count} in `{name}`, expected 0 or more")

    @property
    def any(self) -> bool:
        """Was there any help?"""
        return any(self.hints) or any(count for name, count in self._counts() if name != "pauses")

    @property
    def text(self) -> str:
        """All of it in words."""
        told = list(self._words())
        return listing(told) if told else "no help"

    def more(self, kind: HelpKind) -> HelpUsed:
        """One more of a kind."""
        return replace(self, **{kind: getattr(self, kind) + 1})

    def with_hint(self, level: int) -> HelpUsed:
        """One more hint, told to a level from 1 to 4."""
        first, second, third, fourth = (count + (place == level) for place, count in enumerate(self.hints, 1))
        return replace(self, hints=(first, second, third, fourth))

    def as_json(self) -> dict[str, object]:
        return {"hints": list(self.hints), **dict(self._counts())}

    @classmethod
    def from_json(cls, document: object) -> HelpUsed:
        """What `as_json` wrote; a count that is left out is 0. BoardSyntaxError names the key that is wrong."""
        try:
            return msgspec.convert(document, cls)
        except msgspec.ValidationError as error:
            raise BoardSyntaxError(f"JSON: {error} (help used)") from None

    def _counts(self) -> Iterator[tuple[str, Any]]:
        for name in ("odds_moves", "best_moves", "auto_moves", "undos", "repeats", "pauses"):
            yield name, getattr(self, name)

    def _words(self) -> Iterator[str]:
        if any(self.hints):
            asked = max(self.hints)  # each is told from the first level on
            last = self.hints[-1]
            whole = f", {'all' if last == asked else last} to the whole reasoning" if last and asked > 1 else ""
            yield f"{plural(asked, 'hint')}{whole}"
        if self.odds_moves:
            yield f"{plural(self.odds_moves, 'move')} with odds"
        if self.best_moves:
            yield f"{plural(self.best_moves, 'best move')} asked for"
        if self.auto_moves:
            yield f"{plural(self.auto_moves, 'move')} made for you"
        if self.undos:
            yield plural(self.undos, "undo")
        if self.repeats:
            yield f"a board played before ({plural(self.repeats, 'time')})"


msgspec.json.Decoder(HelpUsed)  # so that `convert` finds it made: msgspec crashes where two threads make one at once
