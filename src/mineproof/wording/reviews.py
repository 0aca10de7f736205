"""Reviews of games in words: guesses, luck, remarks about the odds, the help used, and the moves of a time line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import decimal, listing, message, number, plural, sentence
from mineproof.wording.cells import cell_label, cell_list
from mineproof.wording.phrases import risk_text

GuessEnd = Literal["survived", "lost", "rescued", "undone"]  # how a guess ended, in the order of a luck line


class ReviewedGuess(Protocol):
    """What a text about a guess needs to know; see `mineproof.game.reviews.GuessReview`."""

    @property
    def kind(self) -> str: ...
    @property
    def cell(self) -> Cell: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...
    @property
    def mine_probability(self) -> float: ...
    @property
    def forced(self) -> bool: ...
    @property
    def survived(self) -> bool: ...
    @property
    def redrawn(self) -> bool: ...
    @property
    def undone(self) -> bool: ...
    @property
    def alternative(self) -> Cell | None: ...
    @property
    def alternative_probability(self) -> float | None: ...
    @property
    def was_best(self) -> bool: ...


class ShownMove(Protocol):
    """What a text about a move needs to know; see `mineproof.game.timelines.TimelineStep`."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def cell(self) -> Cell | None: ...
    @property
    def ms(self) -> int: ...
    @property
    def odds(self) -> float | None: ...
    @property
    def redrawn(self) -> bool: ...
    @property
    def survived(self) -> float: ...


# guesses


def guess_text(guess: ReviewedGuess) -> str:
    """What was opened, whether that was necessary, and how it ended."""
    sentences = [_risk_sentence(guess), _comparison_sentence(guess), _result_sentence(guess)]
    if guess.undone:
        sentences.append(message("review-undone"))
    return " ".join(sentences)


def _risk_sentence(guess: ReviewedGuess) -> str:
    fields = {"cell": cell_label(guess.cell), "cells": cell_list(guess.cells)}
    if guess.kind == "chord":
        if guess.mine_probability == 1:
            return plural("review-chord-mine", len(guess.cells), **fields)
        return message("review-chord", risk=risk_text(guess.mine_probability), **fields)
    if guess.mine_probability == 1:
        return message("review-open-mine", cell=fields["cell"])
    return message("review-open", cell=fields["cell"], risk=risk_text(guess.mine_probability))


def _comparison_sentence(guess: ReviewedGuess) -> str:
    if guess.alternative is None or guess.alternative_probability is None:
        return message("review-none-safer")
    cell = cell_label(guess.alternative)
    if not guess.forced:
        return message("review-needless", cell=cell)
    key = "review-best-not-safest" if guess.was_best else "review-safer"
    return message(key, cell=cell, risk=risk_text(guess.alternative_probability))


def _result_sentence(guess: ReviewedGuess) -> str:
    if guess.redrawn:
        return message("review-rescued" if guess.survived else "review-moved-here")
    return message("review-survived" if guess.survived else "review-lost")


# luck


def luck_text(luck: float, guess_ends: Mapping[GuessEnd, int]) -> str:
    """One line about luck and how the guesses ended; without a full stop."""
    counts = [(end, count) for end, count in guess_ends.items() if count]
    if not counts:
        return message("review-no-guess")
    if len(counts) == 1:
        ((end, count),) = counts
        guesses = plural(f"review-guesses-{end}", count)
        text = message("review-luck", luck=luck_share(luck), guesses=guesses)
    else:
        ends = message("list-separator").join(
            message(f"review-end-{end}", count=number(count)) for end, count in counts
        )
        guesses = plural("review-guesses", sum(count for _, count in counts), ends=ends)
        survived = guess_ends.get("survived", 0)
        text = plural("review-luck-several", survived, luck=luck_share(luck), guesses=guesses)
    return sentence(text if guess_ends.get("survived") else guesses)


def luck_share(luck: float) -> str:
    """A chance with how rare it is, if it is: ``12.5 % (1 in 8)``."""
    if luck * 2 < 1:
        return message("review-rare", chance=risk_text(luck), times=number(round(1 / luck)))
    return risk_text(luck)


def luck_percentage(luck: float) -> str:
    """Luck as a number, the same on every page: ``100 %`` without a guess.

    >>> luck_percentage(1.0), luck_percentage(0.5)
    ('100 %', '50.0 %')
    """
    return message("review-chance", percentage=number(100)) if luck == 1 else risk_text(luck)


def accuracy_text(accuracy: float) -> str:
    """Accuracy as a whole percentage; 100 % only if it is exactly that.

    >>> accuracy_text(1.0), accuracy_text(0.9999), accuracy_text(0.25)
    ('100 %', '99 %', '25 %')
    """
    return message("review-chance", percentage=number(math.floor(100 * accuracy + 1e-9)))


def note_text(note: str) -> str:
    """A remark about the odds, by its code: ``no-guess``, ``undone``, or ``fairness-`` and the rule."""
    if note.startswith("fairness-"):
        return message("review-note-fairness", rule=note.removeprefix("fairness-"))
    return message(f"review-note-{note}")


# help


def help_text(hints: Sequence[int], counts: Mapping[str, int]) -> str:
    """The help that a player used in a game, as a list."""
    return listing(list(_help_parts(hints, counts))) or message("review-help-none")


def help_line(used: str) -> str:
    """A sentence about the help used; ``used`` is a `help_text`."""
    return message("review-help-line", help=used)


def _help_parts(hints: Sequence[int], counts: Mapping[str, int]) -> Iterator[str]:
    hint_count, explained = max(hints), hints[-1]  # a hint of a level has gone through all levels before it
    if hint_count:
        text = plural("review-help-hints", hint_count)
        yield plural("review-help-hints-explained", explained, hints=text) if explained else text
    for name, count in counts.items():
        if count and name != "pauses":
            yield plural(f"review-help-{name.replace('_', '-')}", count)


# time lines


def move_text(step: ShownMove, moves: int) -> str:
    """One move of a finished game, as it stands below the board."""
    cell = "" if step.cell is None else cell_label(step.cell)
    action = message(f"review-move-{step.kind}", cell=cell)
    time = decimal(step.ms / 1000, 2)
    sentences = [message("review-move", number=number(step.number), moves=number(moves), seconds=time, action=action)]
    if step.odds is not None:
        sentences.append(_odds_sentence(step.odds))
    if step.redrawn:
        sentences.append(message("review-move-redrawn"))
    if 0 < step.survived < 1:
        sentences.append(message("review-move-chance-so-far", chance=risk_text(step.survived)))
    return " ".join(sentences)


def _odds_sentence(odds: float) -> str:
    if odds in (0, 1):
        return message("review-move-was-safe" if odds == 0 else "review-move-was-mine")
    return message("review-move-risk", risk=risk_text(odds))
