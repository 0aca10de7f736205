"""What a step argues, as data: a tree of clauses that a program can walk and that `arguments` turns into sentences.

A clause has a kind such as ``needs`` or ``so-safe``, the cells and numbers it is about, and a count. Clauses of the
kinds ``argument`` and ``case`` have parts. A clause holds no text, except the kind ``text``: a step from an older file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.board.cells import Cell

if TYPE_CHECKING:
    from mineproof.wording.wire import ClauseJson, NumberAtJson

PATTERN_PREFIX = "pattern-"
ARGUMENT, CASE, TEXT = "argument", "case", "text"


@dataclass(frozen=True, slots=True)
class NumberAt:
    """An open number: where it is, its value, and how many mines it needs beyond the known ones, if that matters."""

    cell: Cell
    value: int
    need: int | None = None

    def as_json(self) -> NumberAtJson:
        """Return cell, value and need."""
        return {"cell": list(self.cell), "value": self.value, "need": self.need}


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of an argument; see `mineproof.wording.arguments` for the kinds.

    >>> Clause("so-safe", cells=((0, 2),)).as_json()
    {'kind': 'so-safe', 'cells': [[0, 2]], 'numbers': [], 'count': None, 'parts': []}
    """

    kind: str
    cells: tuple[Cell, ...] = ()
    numbers: tuple[NumberAt, ...] = ()
    count: int | None = None
    parts: tuple[Clause, ...] = ()
    text: str = ""  # of the kind ``text`` only

    @staticmethod
    def of_text(text: str) -> Clause:
        """Return a clause that holds a finished text, from a file that has no argument."""
        return Clause(TEXT, text=text)

    @staticmethod
    def join(clauses: Iterable[Clause]) -> Clause:
        """Return one argument with these clauses; the parts of an argument take its place.

        >>> [part.kind for part in Clause.join([Clause("argument", parts=(Clause("needs"),)), Clause("so-safe")]).parts]
        ['needs', 'so-safe']
        """
        parts: list[Clause] = []
        for clause in clauses:
            parts += clause.parts if clause.kind == ARGUMENT else (clause,)
        return Clause(ARGUMENT, parts=tuple(parts))

    def walk(self) -> Iterator[Clause]:
        """Yield this clause and every clause below it, in reading order."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def pattern(self) -> str | None:
        """Name that players use for the argument: ``"1-2-1"``, ``"mine-count"`` and so on; None if it has none."""
        kinds = [part.kind for part in self.parts if part.kind != "known-mines"]
        first = kinds[0] if kinds else ""
        return first.removeprefix(PATTERN_PREFIX) if first.startswith(PATTERN_PREFIX) else None

    def as_json(self) -> ClauseJson:
        """Return kind, cells, numbers, count and parts."""
        return {
            "kind": self.kind,
            "cells": [list(cell) for cell in self.cells],
            "numbers": [number.as_json() for number in self.numbers],
            "count": self.count,
            "parts": [part.as_json() for part in self.parts],
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Clause:
        """Return the clause that `as_json` wrote."""
        return Clause(
            document["kind"],
            tuple((row, column) for row, column in document["cells"]),
            tuple(
                NumberAt((number["cell"][0], number["cell"][1]), number["value"], number["need"])
                for number in document["numbers"]
            ),
            document["count"],
            tuple(map(Clause.from_json, document["parts"])),
        )
