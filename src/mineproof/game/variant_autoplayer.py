"""The solver plays a game of a variant: all that is certain, otherwise the safest guess.

Rules that judge whole layouts, such as ``connected``, are left out while there are too many layouts to judge. What the
other rules make certain is certain anyway; a guess then says that its odds are those of the other rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.base.budget import Budget
from mineproof.board.cells import Cell, pairs
from mineproof.game.variant_game import VariantGame
from mineproof.variants.variant import Variant
from mineproof.variants.variant_analysis import VariantAnalysis, analyze_variant
from mineproof.wording.catalogue import message, plural
from mineproof.wording.cells import cell_label, cell_list
from mineproof.wording.odds import percent_text

if TYPE_CHECKING:
    from mineproof.game.rules import GameStatus
    from mineproof.game.wire import VariantTurnJson, VariantWatchJson

MAX_JUDGED = 2000  # layouts that are judged one by one in a step


@dataclass(frozen=True)
class VariantTurn:
    """A step: cells that were opened, or a guess, with the reason in words."""

    number: int
    kind: str  # first, safe or guess
    cells: tuple[Cell, ...]
    text: str
    opened: tuple[Cell, ...]
    exploded: frozenset[Cell]
    status: GameStatus

    def as_json(self) -> VariantTurnJson:
        """Return a step of ``watch --json``."""
        return {
            "step": self.number,
            "kind": self.kind,
            "text": self.text,
            "cells": pairs(self.cells),
            "opened": pairs(self.opened),
            "exploded": pairs(self.exploded),
            "status": self.status,
        }


def variant_watch_json(game: VariantGame, seed: int) -> VariantWatchJson:
    """Return the head of ``mineproof/watch/1`` for a game of a variant; its steps follow."""
    return {
        "schema": "mineproof/watch/1",
        "rows": game.rows,
        "columns": game.columns,
        "topology": game.topology,
        "total_mines": game.total_mines,
        "rules": game.variant.text,
        "first_click": game.first_click,
        "strategy": "safest",
        "seed": seed,
    }


def autoplay_variant(
    game: VariantGame, *, start: Cell | None = None, budget: Budget | float | None = None
) -> Iterator[VariantTurn]:
    """Play a game to its end, and yield each step after it was made."""
    limit, number = Budget.of(budget), 0
    while not game.is_over:
        number += 1
        if game.status == "new":
            cell = start or game.middle
            yield _turn(game, number, "first", [cell], message("watch-variant-first", cell=cell_label(cell)))
            continue
        analysis, is_whole = _analysis(game, limit)
        if analysis.safe:
            cells = sorted(analysis.safe)
            words = plural("watch-variant-safe", len(cells), cells=cell_list(cells))
            yield _turn(game, number, "safe", cells, words)
            continue
        chances = analysis.mine_probability
        covered = [divmod(i, game.columns) for i, at in enumerate(game.position.cells) if at.state == "covered"]
        cell = min(covered, key=lambda place: (float(chances[place]), place))
        key = "watch-variant-guess" if is_whole else "watch-variant-partial"
        words = message(key, cell=cell_label(cell), chance=percent_text(float(chances[cell])))
        yield _turn(game, number, "guess", [cell], words)


def _analysis(game: VariantGame, budget: Budget) -> tuple[VariantAnalysis, bool]:
    """Return the analysis of a position, and whether all rules are in it."""
    position, variant = game.position, game.variant
    if not variant.shapes:
        return analyze_variant(position, variant, budget=budget), True
    relaxed = Variant(variant.clues, variant.local, variant.cell_max)
    analysis = analyze_variant(position, relaxed, budget=budget)
    if analysis.layouts > MAX_JUDGED:
        return analysis, False
    return analyze_variant(position, variant, budget=budget), True


def _turn(game: VariantGame, number: int, kind: str, cells: list[Cell], text: str) -> VariantTurn:
    opened: list[Cell] = []
    exploded: frozenset[Cell] = frozenset()
    for cell in cells:
        if game.position.cells[cell[0] * game.columns + cell[1]].state == "covered" and not game.is_over:
            outcome = game.open(*cell)
            opened += outcome.opened
            exploded |= outcome.exploded
    return VariantTurn(number, kind, tuple(cells), text, tuple(opened), exploded, game.status)
