"""A finished game as the history keeps it: one row, a field for each column.

A number that is to be kept besides takes three things: a field here, a value in `mineproof.history.facts`, and a step
in `mineproof.history.store.MIGRATIONS` that adds the column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from mineproof.board.geometry import Topology
from mineproof.board.levels import LEVELS, Size
from mineproof.board.start import FirstClick
from mineproof.game.rules import ChordRule, Fairness

SCHEMA = "mineproof/kept/1"

_NAMES = {size: name for name, size in LEVELS.items()}


def level_name(size: Size) -> str:
    """The name of a size, else ``WxHxM``.

    >>> level_name(Size(16, 30, 99)), level_name(Size(30, 16, 99))
    ('expert', '16x30x99')
    """
    return _NAMES.get(size) or f"{size.columns}x{size.rows}x{size.mines}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGame:
    """A finished game in a `History`; times are UTC, and what is not known is None.

    ``level`` is the name of the size or ``WxHxM``; ``ms`` is the game's clock, None where no time was recorded.
    ``left_clicks`` are openings, ``right_clicks`` marks set or taken off; like ``clicks``, which are all of them and
    the chords, they count moves taken back too. ``guesses`` and ``luck`` are those of `mineproof.review`, None where
    that took too long. ``help_used`` counts what was asked for, undos included; None if nobody knows.

    ``given``: the layout or position was chosen, not drawn. ``again``: the same board was played before. ``revived``:
    the game was over once, which was taken back. None of these `counts`.
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
    moves: int
    clicks: int
    left_clicks: int
    right_clicks: int
    chords: int
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

    @property
    def seconds(self) -> float | None:
        return None if self.ms is None else self.ms / 1000

    @property
    def bbbv_per_second(self) -> float | None:
        return None if not self.ms else self.solved_bbbv * 1000 / self.ms

    @property
    def efficiency(self) -> float | None:
        """Solved 3BV per click."""
        return self.solved_bbbv / self.clicks if self.clicks else None

    @property
    def counts(self) -> bool:
        """Does it count for best times, streaks and the win rate of its level?"""
        return not (self.absent or self.given or self.again or self.revived)

    @property
    def rules(self) -> str:
        """What sets its rules apart from those of a plain game, in words; empty where nothing does."""
        return rules_name(self.topology, self.fairness, self.no_guess)

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/kept/1`` shape; times end in Z."""
        shown: dict[str, object] = {"schema": SCHEMA}
        for name in FIELDS:
            value = getattr(self, name)
            shown[name] = timestamp(value) if isinstance(value, datetime) else value
        shown["help_used"] = None if self.help_used is None else dict(self.help_used)
        rates = {"seconds": self.seconds, "bbbv_per_second": self.bbbv_per_second, "efficiency": self.efficiency}
        return shown | rates | {"counts": self.counts}


FIELDS = tuple(field.name for field in fields(KeptGame))


def rules_name(topology: Topology, fairness: Fairness, no_guess: bool) -> str:
    """Rules other than the plain ones, in words.

    >>> rules_name("torus", "forced", True), rules_name("grid", "none", False)
    ('torus, forced, no guess', '')
    """
    shape = [topology] if topology != "grid" else []
    fair = [fairness] if fairness != "none" else []
    return ", ".join([*shape, *fair, *(["no guess"] if no_guess else [])])


def timestamp(moment: datetime) -> str:
    """A moment as it is kept and written: UTC, milliseconds, and so in the order of time when sorted as text."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
