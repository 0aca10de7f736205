"""Games that a bot forfeited: it crashed, was too slow or broke the engine protocol, and lost for that reason."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from mineproof.simulation.wire import ForfeitJson, ForfeitsJson

MAX_REASONS = 20  # stored with a result; the number of forfeits has no limit
LOGGED_REASONS = 3  # of one strategy in one process; a bot that always fails would fill the terminal

_log = logging.getLogger("mineproof.forfeits")
_logged: dict[str, int] = {}


class Forfeit(NamedTuple):
    """A forfeited game: its number and the reason."""

    game: int
    reason: str


class Forfeits(NamedTuple):
    """The number of forfeited games, and the first of them."""

    total: int = 0
    first: tuple[Forfeit, ...] = ()

    def plus(self, other: Forfeits) -> Forfeits:
        """Return the sum with the forfeits of later games."""
        return Forfeits(self.total + other.total, (self.first + other.first)[:MAX_REASONS])

    def as_json(self) -> ForfeitsJson | None:
        """Return the value of the key ``forfeits`` of results; None if there are none."""
        if not self.total:
            return None
        games: list[ForfeitJson] = [{"game": forfeit.game, "reason": forfeit.reason} for forfeit in self.first]
        return {"count": self.total, "first": games}


NO_FORFEITS = Forfeits()


class _ForfeitDocument(msgspec.Struct):
    game: int
    reason: str


class ForfeitsDocument(msgspec.Struct):
    """The key ``forfeits`` of a stored result."""

    count: int
    first: list[_ForfeitDocument]

    def forfeits(self) -> Forfeits:
        """Return what was stored."""
        return Forfeits(self.count, tuple(Forfeit(entry.game, entry.reason) for entry in self.first))


def report_forfeit(strategy: str, game: int, reason: str) -> Forfeits:
    """Return the forfeit of one game, and log the first ones of a strategy as warnings."""
    _logged[strategy] = count = _logged.get(strategy, 0) + 1
    if count <= LOGGED_REASONS:
        rest = "" if count < LOGGED_REASONS else " Further games it forfeits are only counted."
        _log.warning("%s lost game %d: %s.%s", strategy, game, reason.rstrip("."), rest)
    return Forfeits(1, (Forfeit(game, reason),))
