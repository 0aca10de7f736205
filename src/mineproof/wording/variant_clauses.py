"""What a step on a board of a variant argues, as data: the counterpart of `mineproof.wording.clauses`.

A clause has a kind such as ``left`` or ``so-safe``, the cells it is about, the clue or rule that it quotes, the
possible numbers of mines, and a count. `mineproof.wording.variant_arguments` turns clauses into sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.board.cells import Cell

if TYPE_CHECKING:
    from mineproof.wording.wire import SourceJson, VariantClauseJson

VARIANT_ARGUMENT = "argument"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a constraint comes from: a clue, a rule on the mines (no cell), or the number of mines (no rule)."""

    rule: str = ""
    cell: Cell | None = None
    clue: str = ""

    def as_json(self) -> SourceJson:
        """Return rule, cell and clue."""
        return {"rule": self.rule, "cell": None if self.cell is None else list(self.cell), "clue": self.clue}


@dataclass(frozen=True, slots=True)
class VariantClause:
    """One clause of an argument; see `mineproof.wording.variant_arguments` for the kinds.

    ``amounts`` are the possible numbers of mines among some cells, and ``most`` is the number of these cells.
    """

    kind: str
    cells: tuple[Cell, ...] = ()
    sources: tuple[Source, ...] = ()
    amounts: tuple[int, ...] = ()
    count: int | None = None
    parts: tuple[VariantClause, ...] = ()
    most: int | None = None

    def walk(self) -> Iterator[VariantClause]:
        """Yield this clause and every clause below it, in reading order."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def as_json(self) -> VariantClauseJson:
        """Return kind, cells, sources, amounts, count and parts."""
        return {
            "kind": self.kind,
            "cells": [list(cell) for cell in self.cells],
            "sources": [source.as_json() for source in self.sources],
            "amounts": list(self.amounts),
            "count": self.count,
            "parts": [part.as_json() for part in self.parts],
        }
