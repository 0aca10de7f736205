"""What a technique is: a name, a search, and everything else that other rooms need to know about it.

A new technique is one file in `mineproof.deduction.techniques` with one `Technique` in it, and one entry in
`mineproof.deduction.ladder.LADDER`. Command line, page, puzzles, ratings, hints and lessons read that list. Texts are
in the catalogues under keys such as ``technique-bounds-label``; ``english`` holds those that no catalogue has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from mineproof.wording.catalogue import has_message, message

if TYPE_CHECKING:
    from mineproof.deduction.state import Finding, State

Find = Callable[["State"], Iterator["Finding"]]


@dataclass(frozen=True)
class Technique:
    """One technique of the ladder.

    ``find`` yields findings, the easiest first. ``fewest_numbers`` is how many numbers the technique takes at least if
    easier ones have found nothing with fewer. The technique runs only where it could still be easier than what was
    found, and never where a technique in ``yields_to`` found something.

    A ``single`` technique looks at one number at a time and at the state afresh for each finding, so that all its
    findings may be taken one after the other.
    """

    name: str
    find: Find
    fewest_numbers: int
    start_rating: float  # of its puzzles, until answers correct it
    single: bool = False
    finds_mines_only: bool = False  # so that its puzzles ask for a flag
    yields_to: tuple[str, ...] = ()
    skipped_positions: int = 1  # a puzzle skips fewer positions than this, so that not all are openings of games
    weekday: int | None = None  # of the daily puzzle, 0 for Monday
    looks_at: str = ""  # for the table of techniques in the documentation, as is the next
    origin: str = ""
    english: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def label(self) -> str:
        """The name that players see."""
        return self._text("label", self.name)

    @property
    def activity(self) -> str:
        """What a player practises: ``counting a single number``."""
        return self._text("activity", self.name)

    def question(self, numbers: int) -> str:
        """Return the question that a hint asks about that many numbers; empty if there is none."""
        return self._text("question-one" if numbers == 1 else "question-many", "")

    def _text(self, topic: str, default: str) -> str:
        key = f"technique-{self.name}-{topic}"
        return message(key) if has_message(key) else self.english.get(topic, default)
