"""The review of a finished game, as text for a screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mineproof.base.budget import Budget
from mineproof.errors import MineproofError
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.reviews import Review, review
from mineproof.pictures.captions import format_size
from mineproof.tui.texts import error_text, format_clock, with_ruler_labels
from mineproof.wording.catalogue import decimal, message, number

REVIEW_SECONDS = 60.0  # a game has many moves, and the player is no longer on the clock


def review_text(game: Game, help_used: HelpUsed, budget: Budget) -> str:
    """Return the numbers of a game, the help used and every guess, or the reason why there is no review."""
    try:
        result = review(game, budget=replace(budget, seconds=REVIEW_SECONDS))
    except MineproofError as error:
        return message("tui-review-failed", error=error_text(error))
    help_lines = [message("tui-review-help", help=help_used.text)] if help_used.any else []
    return with_ruler_labels(
        lambda: "\n".join([*_numbers(result), *help_lines, *_guesses(result), *_notes(result)])
    )  # fmt: skip


def _numbers(result: Review) -> Iterator[str]:
    yield message(
        "tui-review-won" if result.status == "won" else "tui-review-lost",
        size=format_size(result.board.rows, result.board.columns, result.board.total_mines or 0),
        time=format_clock(result.seconds), seconds=decimal(result.seconds, 1),
    )  # fmt: skip
    if result.measures is not None:
        bbbv = message("tui-review-bbbv", bbbv=result.measures.bbbv)
        if result.status != "won":
            bbbv = message("tui-review-bbbv-solved", bbbv=result.measures.bbbv, solved=result.solved_bbbv)
        yield message(
            "tui-review-board", bbbv=bbbv, zini=result.measures.zini, openings=result.measures.openings,
            islands=result.measures.islands,
        )  # fmt: skip
    yield "; ".join(_pace(result))
    yield result.luck_text


def _pace(result: Review) -> Iterator[str]:
    yield message("tui-review-clicks", count=number(result.clicks))
    if result.efficiency is not None:
        yield message("tui-review-efficiency", percent=decimal(100 * result.efficiency, 0))
    if result.bbbv_per_second is not None:
        yield message("tui-review-speed", speed=decimal(result.bbbv_per_second, 2))
    if result.redraws:
        yield message("tui-review-redraws", count=number(result.redraws))


def _guesses(result: Review) -> Iterator[str]:
    for guess in result.guesses:
        yield ""
        yield f"{format_clock(guess.ms / 1000)}  {guess.text}"


def _notes(result: Review) -> Iterator[str]:
    for note in result.notes:
        yield ""
        yield note
