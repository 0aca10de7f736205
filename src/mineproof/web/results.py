"""The end of a game for its player: help used, personal record and streak of its level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mineproof.board.levels import Size
from mineproof.game import record as saving
from mineproof.game.help import HelpUsed
from mineproof.game.record import GameExtras, Record
from mineproof.history import facts
from mineproof.history.connection import Owned, stored_game_ids
from mineproof.history.game_row import level_name
from mineproof.history.history import History
from mineproof.history.store import owned_fingerprint
from mineproof.wording.reviews import help_line

if TYPE_CHECKING:
    from mineproof.web.wire import HelpJson, ResultJson

SCHEMA: Final = "mineproof/result/1"


def help_json(used: HelpUsed) -> HelpJson:
    """Return the help of a game: its counts, whether there was any, and a sentence, empty if there was none."""
    return {"help_used": used.as_json(), "with_help": used.any, "help_text": help_line(used.text) if used.any else ""}


def result_answer(place: Owned | None, played: Record, extras: GameExtras) -> ResultJson:
    """Return the ``mineproof/result/1`` of a finished game, in the history or about to enter it.

    ``best_before`` are the seconds of the fastest earlier win without help at this level, None if there is none.
    ``is_best`` says whether this game is faster. ``streak`` counts wins in a row, this game included. A game that does
    not count (`KeptGame.counts`) changes neither. ``place`` is the history of the player, None without a player.
    """
    layout, rules = played.layout, played.rules
    level = level_name(Size(layout.rows, layout.columns, layout.total_mines))
    counts = not (layout.removed or extras.fixed or extras.help.repeats or facts.is_revived(played))
    best_before, streak, longest = None, int(played.won), int(played.won)
    if place is not None:
        fingerprint = owned_fingerprint(facts.fingerprint(saving.to_json(played)), place.owner)
        own: set[int] | None = None
        while own != (own := set(stored_game_ids(place.place, [fingerprint]))):  # it can enter the history meanwhile
            with History.lent(place) as history:
                fastest = history.best_times(
                    level, topology=layout.topology, fairness=rules.fairness, no_guess=layout.no_guess, with_help=False,
                    limit=len(own) + 1,
                )  # fmt: skip
                summary = history.summary(
                    level, topology=layout.topology, fairness=rules.fairness, no_guess=layout.no_guess
                )  # fmt: skip
        best_before = next((game.seconds for game in fastest if game.id not in own), None)
        is_in = bool(own) or not counts
        streak = summary.current_streak if is_in else summary.current_streak + 1 if played.won else 0
        longest = max(summary.longest_streak, streak)
    is_best = counts and played.won and not extras.help.any and played.ms > 0
    return {
        "schema": SCHEMA,
        "status": played.status,
        "seconds": played.ms / 1000,
        "level": level,
        "counts": counts,
        "best_before": best_before,
        "is_best": is_best and (best_before is None or played.ms / 1000 < best_before),
        "streak": streak,
        "longest_streak": longest,
        **help_json(extras.help),
    }
