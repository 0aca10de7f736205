"""A finished game as a row of the history, one field per column.

A new number needs three things: a field here, a value in `mineproof.history.facts`, and a step in
`mineproof.history.store.MIGRATIONS` that adds the column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

from mineproof.board.geometry import Topology
from mineproof.board.levels import LEVELS, Size
from mineproof.board.start import FirstClick
from mineproof.game.rules import ChordRule, Fairness

if TYPE_CHECKING:
    from mineproof.history.wire import KeptGameJson

SCHEMA: Final = "mineproof/kept/1"
IMPORTED = "import"  # the source of games that came from a file; they do not count for the player's own records

_LEVEL_NAMES = {size: name for name, size in LEVELS.items()}


def level_name(size: Size) -> str:
    """The name of a level, or ``WxHxM`` for other sizes.

    >>> level_name(Size(16, 30, 99)), level_name(Size(30, 16, 99))
    ('expert', '16x30x99')
    """
    return _LEVEL_NAMES.get(size) or f"{size.columns}x{size.rows}x{size.mines}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A finished game in a `History`. Times are UTC; unknown values are None.

    ``level`` is the name of the size or ``WxHxM``. ``ms`` is the time of the game, None if it was not recorded.
    ``left_clicks`` open cells, ``right_clicks`` set or remove marks; they and ``clicks``, which includes chords, count
    moves that were taken back, and in replays clicks without effect. ``guesses`` and ``luck`` are those of
    `mineproof.review`, None if that took too long. ``help_used`` counts the help, including undos; None if unknown.

    ``accuracy`` is that of `mineproof.review`, None if unknown.

    ``given``: the layout or position was chosen, not drawn. ``again``: the same board was played before. ``revived``:
    the game was over once, and that move was taken back. Such games do not count (`counts`).
    """

    id: int
    added: datetime
    played: datetime | None
    source: str
    player: str | None
    level: str
    rows: int
    columns: int
    mines: int
    absent: int
    topology: Topology
    first_click: FirstClick
    fairness: Fairness
    chord_rule: ChordRule
    no_guess: bool
    seed: int | None
    won: bool
    ms: int | None
    bbbv: int
    solved_bbbv: int
    openings: int
    islands: int
    zini: int
    human_zini: int
    moves: int
    clicks: int
    left_clicks: int
    right_clicks: int
    chords: int
    effective_clicks: int
    undos: int
    redraws: int
    guesses: int | None
    forced_guesses: int | None
    needless_guesses: int | None
    luck: float | None
    with_help: bool | None
    help_used: Mapping[str, int | list[int]] | None
    given: bool | None
    again: bool | None
    revived: bool
    accuracy: float | None = None

    @property
    def seconds(self) -> float | None:
        """Playing time, or None if it is unknown."""
        return None if self.ms is None else self.ms / 1000

    @property
    def bbbv_per_second(self) -> float | None:
        """Solved 3BV per second, or None without time."""
        return None if not self.ms else self.solved_bbbv * 1000 / self.ms

    @property
    def efficiency(self) -> float | None:
        """Solved 3BV per click."""
        return self.solved_bbbv / self.clicks if self.clicks else None

    @property
    def counts(self) -> bool:
        """Does the game count for best times, streaks and the win rate of its level?"""
        return not (self.absent or self.given or self.again or self.revived)

    @property
    def imported(self) -> bool:
        """Did the game come from a file? Such games have statistics of their own."""
        return self.source == IMPORTED

    @property
    def rules(self) -> str:
        """Special rules of the game, such as ``torus, no guess``; empty for plain rules."""
        return rules_name(self.topology, self.fairness, self.no_guess)

    def as_json(self) -> KeptGameJson:
        """The ``mineproof/kept/1`` shape; times end in Z."""
        document: dict[str, Any] = {"schema": SCHEMA}
        for name in [name for name in FIELDS if name != "accuracy"]:
            value = getattr(self, name)
            document[name] = timestamp(value) if isinstance(value, datetime) else value
        document["help_used"] = None if self.help_used is None else dict(self.help_used)
        for name in ("seconds", "bbbv_per_second", "efficiency", "counts", "accuracy", "imported"):
            document[name] = getattr(self, name)
        return cast("KeptGameJson", document)


FIELDS = tuple(field.name for field in fields(KeptGame))


def rules_name(topology: Topology, fairness: Fairness, no_guess: bool) -> str:
    """List special rules; empty for plain rules.

    >>> rules_name("torus", "forced", True), rules_name("grid", "none", False)
    ('torus, forced, no guess', '')
    """
    shape = [topology] if topology != "grid" else []
    fair = [fairness] if fairness != "none" else []
    return ", ".join([*shape, *fair, *(["no guess"] if no_guess else [])])


def timestamp(moment: datetime) -> str:
    """A moment as text in UTC with milliseconds, which sorts in the order of time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
