"""Facts about a finished game, computed from its record. A record that cannot be replayed is refused.

Cost    One replay, and a review within a budget: one analysis per reveal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.levels import Size
from mineproof.errors import BudgetExceeded, IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.game_measures import measure_finished
from mineproof.game.record import Record
from mineproof.game.reviews import review
from mineproof.history.game_row import level_name

UNDOS, REPEATS = "undos", "repeats"  # kinds of help: moves taken back, the same board started before
NOT_HELP = ("pauses",)  # counted with help, but no help: the board is hidden
HELP_MAX_COUNT = 2**53
Facts = dict[str, object]
Help = Mapping[str, object]  # counts by kind, as `check_help_count` accepts them


def fingerprint(text: str) -> str:
    """Hash of a record's JSON: equal for the same moves at the same milliseconds on the same board."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def record_facts(record: Record) -> Facts:
    """The columns that follow from a record, without `guess_facts`. Raises IllegalMoveError for a running game."""
    if not record.over:
        raise IllegalMoveError("The game is still running. Only finished games can be stored.")
    layout, rules = record.layout, record.rules
    game = Game.replay(record)
    numbers = measure_finished(record, game)
    measures, clicks = numbers.measures, numbers.clicks
    undos = sum(move.kind == "undo" for move in record.moves)
    return {
        "level": level_name(Size(layout.rows, layout.columns, layout.total_mines)),
        "rows": layout.rows,
        "columns": layout.columns,
        "mines": layout.total_mines,
        "absent": len(layout.removed),
        "topology": layout.topology,
        "first_click": rules.first_click,
        "fairness": rules.fairness,
        "chord_rule": rules.chord_rule,
        "no_guess": layout.no_guess,
        "seed": record.seed,
        "won": record.won,
        "ms": record.ms or None,
        "bbbv": measures.bbbv,
        "solved_bbbv": numbers.solved_bbbv,
        "openings": measures.openings,
        "islands": measures.islands,
        "zini": measures.zini,
        "human_zini": measures.human_zini,
        "moves": len(game.line),
        "clicks": clicks.total,
        "left_clicks": clicks.left,
        "right_clicks": clicks.right,
        "chords": clicks.double,
        "effective_clicks": numbers.effective.total,
        "undos": undos,
        "redraws": game.redraws,
        "revived": is_revived(record),
    }


def is_revived(record: Record) -> bool:
    """Was the game over once before its last move, and continued by an undo?"""
    if all(move.kind != "undo" for move in record.moves):
        return False
    *earlier, _ = (outcome.status for _, _, outcome in Game.steps(record))
    return "won" in earlier or "lost" in earlier


def guess_facts(record: Record, budget: Budget) -> Facts:
    """The columns that follow from a review; all None if the budget is not enough. 0 seconds skip the review."""
    names = ("guesses", "forced_guesses", "needless_guesses", "luck", "accuracy")
    if budget.seconds == 0:
        return dict.fromkeys(names)
    try:
        game_review = review(record, budget=budget)
    except BudgetExceeded:
        return dict.fromkeys(names)
    guesses = len(game_review.guesses)
    forced = sum(guess.forced for guess in game_review.guesses)
    values = (guesses, forced, guesses - forced, game_review.luck, game_review.accuracy)
    return dict(zip(names, values, strict=True))


def help_facts(help_used: Help | None, undos: int) -> Facts:
    """The columns about help. Undos count as help and are known from the record."""
    if help_used is None and not undos:
        return {"help_used": None, "with_help": None}
    counts = {name: check_help_count(name, count) for name, count in (help_used or {}).items()}
    if undos and not counts.get(UNDOS):
        counts[UNDOS] = undos
    used = {name: count for name, count in counts.items() if _is_used(count)}
    return {"help_used": used, "with_help": any(name not in NOT_HELP for name in used)}


def check_help_count(name: str, count: object) -> int | list[int]:
    """Check the count of one kind of help: a number, or a list with one number per level."""
    label = f"help_used[{name!r}]"
    if isinstance(count, list | tuple):
        return [checks.whole(label, level_count, 0, HELP_MAX_COUNT) for level_count in count]
    return checks.whole(label, count, 0, HELP_MAX_COUNT)


def _is_used(count: int | list[int]) -> bool:
    return any(count) if isinstance(count, list) else count > 0
