"""The review of a finished game, as a page of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mineproof.base.budget import Budget
from mineproof.base.words import listing, percent, size
from mineproof.errors import MineproofError
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.reviews import Review, review
from mineproof.tui.status import clock

SECONDS = 60.0  # a game has many moves, and whoever asks is no longer playing


def page(game: Game, used: HelpUsed, budget: Budget) -> str:
    """The numbers of a game, the help used and each of its guesses; or why they cannot be told."""
    try:
        found = review(game, budget=replace(budget, seconds=SECONDS))
    except MineproofError as error:
        return f"There is no review: {error}."
    helped = [f"help: {used.text}"] if used.any else []
    return "\n".join([*_numbers(found), *helped, *_guesses(found), *_notes(found)])


def _numbers(found: Review) -> Iterator[str]:
    board = size(found.board.rows, found.board.columns, found.board.total_mines or 0)
    end = "won in" if found.status == "won" else "lost after"
    yield f"{board}: {end} {clock(found.seconds)} ({found.seconds:.1f} s)"
    if found.measures is not None:
        solved = "" if found.status == "won" else f", {found.solved_bbbv} solved"
        openings, islands = found.measures.openings, found.measures.islands
        yield f"3BV {found.measures.bbbv}{solved}; openings {openings}; islands {islands}"
    yield "; ".join(_pace(found))
    yield _luck(found)


def _luck(found: Review) -> str:
    made = len(found.guesses)
    if not made:
        return "no guess was made"
    lucky = sum(guess.counts for guess in found.guesses)
    if lucky:
        return f"luck {percent(found.luck)}; guesses survived by it: {lucky} of {made}"
    undone = sum(guess.undone for guess in found.guesses)
    lost = sum(not guess.survived and not guess.undone for guess in found.guesses)
    ends = [(lost, "lost"), (made - undone - lost, "rescued by fair play"), (undone, "taken back")]
    told = listing([f"{count} {end}" for count, end in ends if count])
    return f"{made} guess{'' if made == 1 else 'es'}: {told}"


def _pace(found: Review) -> Iterator[str]:
    yield f"clicks {found.clicks}"
    if found.efficiency is not None:
        yield f"efficiency {found.efficiency:.0%}".replace("%", " %")
    if found.bbbv_per_second is not None:
        yield f"3BV/s {found.bbbv_per_second:.2f}"
    if found.redraws:
        yield f"redraws {found.redraws}"


def _guesses(found: Review) -> Iterator[str]:
    for guess in found.guesses:
        yield ""
        yield f"{clock(guess.ms / 1000)}  {guess.text}"


def _notes(found: Review) -> Iterator[str]:
    for note in found.notes:
        yield ""
        yield note
