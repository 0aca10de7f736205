"""Boards of variants: a position, its shape and its rules in one value, as text, as JSON and as an object.

The text is that of `mineproof.variants.position`. It may open with a line ``WxHxM SHAPE RULES``, such as
``3x2x2 hex liar,quad``: width, height and mines, of which the mines may be ``?``, then a shape and rules, or one of
them. Without rules a board is classic.

`mineproof.analyze`, `deduce`, `hint`, `best_move`, `enumerate_layouts` and `sample_layouts` accept these boards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.cached import cached_property
from mineproof.base.notebook import Shown
from mineproof.base.words import size
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.topology import find_topology
from mineproof.engine.answers import Engine
from mineproof.errors import BoardSyntaxError
from mineproof.variants.position import VariantCell, VariantPosition, read_position
from mineproof.variants.variant import Variant
from mineproof.variants.variant_analysis import VariantAnalysis, analyze_variant

if TYPE_CHECKING:
    from mineproof.variants.variant_hints import VariantHint
    from mineproof.variants.variant_moves import VariantBestMove
    from mineproof.variants.variant_steps import VariantDeduction
    from mineproof.variants.wire import VariantBoardJson

SCHEMA: Final = "mineproof/variant-board/1"

_HEADER = re.compile(r"\s*([0-9]{1,7})[xX×]([0-9]{1,7})[xX×]([0-9]{1,9}|\?)((?:[ \t]+[^\s/]+){0,2})[ \t]*(?:\n|/|$)")


@dataclass(frozen=True)
class VariantBoard(Shown):
    """A position of a variant; see the module for its text. Boards with the same position and rules are equal."""

    position: VariantPosition
    variant: Variant = field(default_factory=Variant)

    def __post_init__(self) -> None:
        checks.instance("position", self.position, VariantPosition, "VariantBoard.parse reads text")
        checks.instance("variant", self.variant, Variant, "Variant.parse reads text")
        self.variant.require_shape(self.position.topology)

    @staticmethod
    def parse(
        text: str,
        rules: str | Variant | None = None,
        *,
        total_mines: int | None = None,
        topology: Topology | None = None,
    ) -> VariantBoard:
        """Read a board: a text, or a ``mineproof/variant-board/1`` document.

        ``rules`` are names such as ``"liar,quad"``, or a `Variant`. Rules, total and shape must agree with those in the
        text. Raises BoardSyntaxError with line and column.

        >>> board = VariantBoard.parse("2##/###", "liar", total_mines=2)
        >>> print(board)
        3x2x2 liar
        2 # #
        # # #
        """
        if checks.instance("text", text, str).lstrip().startswith("{"):
            header, body = _read_document(text)
        else:
            header, body = _read_header(text)
        variant = _agree_on_rules(header.rules, rules)
        total = _agree("total of mines", header.total_mines, total_mines)
        shape: Topology = _agree("topology", header.topology, topology) or "grid"
        position = read_position(body, total, shape, 1 + header.lines)
        if header.sides is not None and header.sides != (position.rows, position.columns):
            actual = size(position.rows, position.columns)
            raise BoardSyntaxError(f"the first line says {size(*header.sides)}, got {actual} cells")
        if total is not None and total > position.most_mines(variant.cell_max):
            most = position.most_mines(variant.cell_max)
            raise BoardSyntaxError(f"expected 0 to {most} mines on this board, got {total}")
        return VariantBoard(position, variant)

    @staticmethod
    def of(board: Board | VariantBoard, rules: str | Variant) -> VariantBoard:
        """Return a board with other rules; the flags of an ordinary board are mines."""
        variant = rules if isinstance(rules, Variant) else Variant.parse(rules)
        position = board.position if isinstance(board, VariantBoard) else VariantPosition.from_board(board)
        return VariantBoard(position, variant)

    # reading

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.position.rows

    @property
    def columns(self) -> int:
        """Number of columns."""
        return self.position.columns

    @property
    def total_mines(self) -> int | None:
        """Number of mines on the board, or None if it is unknown."""
        return self.position.total_mines

    @property
    def topology(self) -> Topology:
        """The name of the shape."""
        return self.position.topology

    def __getitem__(self, cell: Cell) -> VariantCell:
        """Return what is known of a cell."""
        return self.position[cell]

    __iter__ = None  # else ``for cell in board`` would try ``board[0]``

    def cells(self, state: str) -> Iterator[Cell]:
        """Yield the cells with a state: ``covered``, ``open``, ``mine`` or ``absent``."""
        checks.one_of("state", state, ("covered", "open", "mine", "absent"))
        return (divmod(i, self.columns) for i, cell in enumerate(self.position.cells) if cell.state == state)

    def suppose(self, *, free: Mapping[Cell, VariantCell] | None = None, mines: tuple[Cell, ...] = ()) -> VariantBoard:
        """Return the board with some covered cells open, each with what it shows, and others known to be mines."""
        cells = list(self.position.cells)
        for place, shown in {**(free or {}), **dict.fromkeys(mines, VariantCell("mine"))}.items():
            cells[self.position.index(place)] = shown
        return VariantBoard(self.position.replace(cells), self.variant)

    @cached_property
    def rules(self) -> str:
        """The names of the rules. Raises ValueError for rules of your own, which have no name that a text could use."""
        return self.variant.text

    # answers: `mineproof.analyze` and others call these

    def analyze(
        self,
        *,
        density: float | Fraction | Decimal | None = None,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> VariantAnalysis:
        """Return the certain cells and exact odds; see `mineproof.variants.variant_analysis`."""
        return analyze_variant(self.position, self.variant, density=density, budget=budget, engine=engine)

    def deduce(
        self, *, upto: str | None = None, budget: Budget | float | None = None, engine: Engine | None = None
    ) -> list[VariantDeduction]:
        """Return every certain cell, as steps; see `mineproof.variants.variant_steps`."""
        from mineproof.variants.reasoning import TECHNIQUES
        from mineproof.variants.variant_steps import variant_steps

        hardest = TECHNIQUES[-1] if upto is None else upto
        return list(variant_steps(self, upto=hardest, budget=budget, engine=engine))

    def hint(
        self,
        *,
        prefer: str = "easiest",
        density: float | Fraction | Decimal | None = None,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> VariantHint:
        """Return the next hint; see `mineproof.variants.variant_hints`."""
        from mineproof.variants.variant_hints import variant_hint

        return variant_hint(self, prefer=prefer, density=density, budget=budget, engine=engine)

    def best_move(self, *, budget: Budget | float | None = None, engine: Engine | None = None) -> VariantBestMove:
        """Return the best move; see `mineproof.variants.variant_moves`."""
        from mineproof.variants.variant_moves import variant_best_move

        return variant_best_move(self, budget=budget, engine=engine)

    def enumerate_layouts(
        self, *, budget: Budget | float | None = None, engine: Engine | None = None
    ) -> Iterator[frozenset[Cell]]:
        """Yield every layout that fits, as the set of its mines."""
        from mineproof.variants.variant_layouts import enumerate_variant_layouts

        return enumerate_variant_layouts(self, budget=budget, engine=engine)

    def sample_layouts(
        self,
        count: int,
        *,
        seed: int = 0,
        density: float | Fraction | Decimal | None = None,
        budget: Budget | float | None = None,
        engine: Engine | None = None,
    ) -> Iterator[frozenset[Cell]]:
        """Yield samples of the layouts that fit, as the sets of their mines."""
        from mineproof.variants.variant_layouts import sample_variant_layouts

        return sample_variant_layouts(self, count, seed=seed, density=density, budget=budget, engine=engine)

    # writing

    def __str__(self) -> str:
        """Return the board as text; `parse` returns an equal board."""
        total = "?" if self.total_mines is None else self.total_mines
        is_plain = self.topology == "grid" and find_topology(self.rules) is None  # cross and knight are shapes, too
        shape = "" if is_plain else f" {self.topology}"
        return "\n".join([f"{self.columns}x{self.rows}x{total}{shape} {self.rules}", *self.position.lines()])

    def __repr__(self) -> str:
        total = "" if self.total_mines is None else f", total_mines={self.total_mines}"
        kind = "" if self.topology == "grid" else f", topology={self.topology!r}"
        return f"VariantBoard.parse({'/'.join(self.position.lines())!r}, {_rules_repr(self.variant)}{total}{kind})"

    def as_json(self) -> VariantBoardJson:
        """Return the ``mineproof/variant-board/1`` document."""
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "total_mines": self.total_mines,
            "topology": self.topology,
            "rules": self.rules,
            "cells": self.position.lines(),
        }


def _rules_repr(variant: Variant) -> str:
    try:
        return repr(variant.text)
    except ValueError:
        return repr(variant)


class Header(NamedTuple):
    """What a text says of its board before the cells; None for what it does not say."""

    sides: tuple[int, int] | None = None  # rows and columns
    total_mines: int | None = None
    topology: Topology | None = None
    rules: str | None = None
    lines: int = 0  # that the header takes


def names_rules(text: str) -> bool:
    """Does a text name the rules of a variant: in its first line, or as a document?"""
    if text.lstrip().startswith("{"):
        return f'"{SCHEMA}"' in text
    match = _HEADER.match(text)
    words = match[4].split() if match else []
    try:
        if len(words) == 1 and find_topology(words[0]) is not None:  # cross and knight are rules, too
            return False
        return bool(words) and bool(Variant.parse(words[-1]))
    except (ValueError, BoardSyntaxError):
        return False


def _read_header(text: str) -> tuple[Header, str]:
    match = _HEADER.match(text)
    if match is None:
        return Header(), text
    topology: Topology | None = None
    rules: str | None = None
    for word in match[4].split():
        if topology is None and (shape := find_topology(word)) is not None:
            topology = shape
        elif rules is None:
            rules = word
    total = None if match[3] == "?" else int(match[3])
    return Header((int(match[2]), int(match[1])), total, topology, rules, 1), text[match.end() :]


def _read_document(text: str) -> tuple[Header, str]:
    try:
        document = json.loads(text)
        if document.get("schema") != SCHEMA:
            raise BoardSyntaxError(f"expected a document of the schema {SCHEMA}, got {document.get('schema')!r}")
        lines = [str(line) for line in document["cells"]]
        sides = (int(document["rows"]), int(document["columns"]))
        header = Header(
            sides, document.get("total_mines"), find_topology(document.get("topology")), document.get("rules")
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BoardSyntaxError(f"expected a {SCHEMA} document, got an error in it: {error}") from None
    return header, "\n".join(lines)


def _agree(what: str, in_text: Any, given: Any) -> Any:
    if in_text is not None and given is not None and in_text != given:
        raise BoardSyntaxError(f"the {what} is {in_text} in the text, got {given}")
    return in_text if given is None else given


def _agree_on_rules(in_text: str | None, given: str | Variant | None) -> Variant:
    try:
        written = None if in_text is None else Variant.parse(in_text)
    except ValueError as error:
        raise BoardSyntaxError(str(error), line=1) from None
    requested = Variant.parse(given) if isinstance(given, str) else given
    variant: Variant | None = _agree("variant", written, requested)
    return Variant() if variant is None else variant
