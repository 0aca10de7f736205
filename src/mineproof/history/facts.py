"""What there is to know of a finished game, worked out of its record; a record that cannot be replayed is refused.

Cost    The game is replayed once, and reviewed within a budget: one analysis for each reveal.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.levels import Size
from mineproof.errors import BudgetExceeded, IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.measures import measure, solved_bbbv
from mineproof.game.record import Record
from mineproof.game.reviews import review
from mineproof.history.kept import level_name

UNDOS, REPEATS = "undos", "repeats"  # what is counted of help: moves taken back, the same board begun before
NO_HELP = ("pauses",)  # counted with help, and none: the board is hidden
LARGEST = 2**53
Facts = dict[str, object]
Help = Mapping[str, object]  # counts by name, as `counted` takes them


def fingerprint(text: str) -> str:
    """Of a record's JSON: the same for the same moves at the same milliseconds on the same board."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def of_record(record: Record) -> Facts:
    """The columns that a record decides, but for those of `of_guesses`; IllegalMoveError while the game is on."""
    if not record.over:
        raise IllegalMoveError("the game is still on: only finished games are kept")
    layout, rules = record.layout, record.rules
    game = Game.replay(record)
    measures = measure(game.layout)
    made = Counter(move.kind for move in record.moves)
    return {
        "level": level_name(Size(layout.rows, layout.columns, layout.total_mines)),
        "rows": layout.rows,
        "columns": layout.columns,
        "mines": layout.total_mines,
        "absent": len(layout.absent),
        "topology": layout.topology,
        "first_click": rules.first_click,
        "fairness": rules.fairness,
        "chord_rule": rules.chord_rule,
        "no_guess": layout.no_guess,
        "seed": record.seed,
        "won": record.won,
        "ms": record.ms or None,
        "bbbv": measures.bbbv,
        "solved_bbbv": solved_bbbv(game.layout, game.board),
        "openings": measures.openings,
        "islands": measures.islands,
        "moves": len(game.line),
        "clicks": made.total() - made["undo"],
        "left_clicks": made["open"],
        "right_clicks": made["flag"] + made["question"],
        "chords": made["chord"],
        "undos": made["undo"],
        "redraws": game.redraws,
        "revived": bool(made["undo"]) and _was_over(record),
    }


def _was_over(record: Record) -> bool:
    """Was the game over once before its last move?"""
    *earlier, _ = (outcome.status for _, _, outcome in Game.steps(record))
    return "won" in earlier or "lost" in earlier


def of_guesses(record: Record, budget: Budget) -> Facts:
    """What a review finds, or nothing but None where the budget does not last; none is made with 0 seconds."""
    names = ("guesses", "forced_guesses", "needless_guesses", "luck")
    if budget.seconds == 0:
        return dict.fromkeys(names)
    try:
        found = review(record, budget=budget)
    except BudgetExceeded:
        return dict.fromkeys(names)
    forced = sum(guess.forced for guess in found.guesses)
    values = (len(found.guesses), forced, len(found.guesses) - forced, found.luck)
    return dict(zip(names, values, strict=True))


def of_help(help_used: Help | None, undos: int) -> Facts:
    """What was asked for, and whether anything was. Moves taken back are help that the record itself tells of."""
    if help_used is None and not undos:
        return {"help_used": None, "with_help": None}
    used = {name: counted(name, count) for name, count in (help_used or {}).items()}
    if undos and not used.get(UNDOS):
        used[UNDOS] = undos
    told = {name: count for name, count in used.items() if _any(count)}
    return {"help_used": told, "with_help": any(name not in NO_HELP for name in told)}


def counted(name: str, count: object) -> int | list[int]:
    """How much of one kind of help there was: a number, or one for each of its levels."""
    if isinstance(count, list | tuple):
        return [checks.whole(f"help_used[{name!r}]", each, 0, LARGEST) for each in count]
    return checks.whole(f"help_used[{name!r}]", count, 0, LARGEST)


def _any(count: int | list[int]) -> bool:
    return any(count) if isinstance(count, list) else count > 0
