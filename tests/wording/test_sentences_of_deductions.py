"""Whole steps in every language: editing a sentence changes one catalogue and one file beside this test.

MINEPROOF_UPDATE_GOLDEN=1 writes the files again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.deduction.ladder import LADDER
from mineproof.wording.arguments import RENDERERS, render_clause
from mineproof.wording.catalogue import languages, use_language
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.clauses import Clause, NumberAt
from support.engines import KERNEL, needs_kernel

pytestmark = needs_kernel

HERE = Path(__file__).parents[1] / "golden"
POSITIONS = HERE / "positions.txt"
BOARDS = [
    ("###/121", None),
    ("####/1221", None),
    ("###/11~", None),
    ("F33F/###F", None),
    ("###/12F", None),
    ("1#/##/1#", 1),
    ("##", 2),
    ("F~#~#", 1),
    ("#1#~#1#~##", 2),
    ("0#", None),
    ("01#/12#/###", None),
    ("1#1#2#/###13#/111##2", None),
    ("#1#1#1#1#1#1#0", None),
    ("#####/#7#7#/#####/#4#4#", 13),
    ("#1#1#", 2),
]
MOST_OF_A_KIND = 2  # steps; a step is written if one of its clauses is of a kind with fewer


def boards() -> Iterator[mp.Board]:
    for text, total in BOARDS:
        yield mp.Board.parse(text, total_mines=total)
    for line in POSITIONS.read_text("utf-8").splitlines():
        mines, rows = line.split()
        yield mp.Board.parse(rows, total_mines=int(mines))


@pytest.fixture(scope="module")
def steps() -> list[mp.Deduction]:
    chosen, counts = [], Counter[str]()
    for board in boards():
        for step in mp.deduce(board, engine=KERNEL):
            kinds = {f"{step.technique} {clause.kind}" for clause in step.argument.walk()}
            if any(counts[kind] < MOST_OF_A_KIND for kind in kinds) and len(step.argument.parts) < 25:
                counts.update(kinds)
                chosen.append(step)
    return chosen


CELLS = ((0, 2), (1, 2))
TWO = (NumberAt((0, 1), 2, 1), NumberAt((1, 1), 3, 3))


def clauses() -> Iterator[Clause]:
    """Every kind of clause about one and about two cells, numbers and mines."""
    for kind in RENDERERS:
        for size in (1, 2):
            parts: tuple[Clause, ...] = ()
            count: int | None = size
            if kind in ("argument", "text", "term", "count"):
                continue
            if kind == "case":
                parts = (Clause("if-mines", CELLS[:1]), Clause("if-safe", CELLS[1:]), Clause("then-mines", CELLS, TWO))
            elif kind == "so-both":
                parts = Clause("so-mines", CELLS[:size]), Clause("so-safe", CELLS)
            elif kind == "combine":
                numbers = [Clause("add", numbers=TWO[:1], count=size), Clause("subtract", numbers=TWO[1:], count=1)]
                parts = tuple(numbers[:size])
            elif kind == "leaves-equation":
                parts = tuple(Clause("term", (cell,), count=1 - 2 * place) for place, cell in enumerate(CELLS))
            elif kind == "takes-one-of":
                parts = tuple(Clause("count", count=count) for count in (1, 2, 4))
            elif kind in ("so-safe", "so-mines", "pattern-mine-count"):
                count = None
            yield Clause(kind, CELLS[:size], TWO[:size], count, parts)
        if kind in ("so-safe", "so-mines"):
            yield Clause(kind, CELLS, count=17)
        if kind.startswith("pattern-"):
            yield Clause(kind)
        if kind in ("board-has", "count-left", "leaves-mines", "total-too-few", "too-few", "needs", "shares"):
            yield Clause(kind, CELLS, TWO, 0)
            yield Clause(kind, CELLS, (NumberAt((0, 0), 0),), 0)
            yield Clause(kind, CELLS, (NumberAt((0, 0), 2),), 2)
        if kind == "needs":
            yield from (Clause(kind, (), (NumberAt((0, 0), value),), 1) for value in (1, 2))
            yield from (Clause(kind, CELLS[:1], (NumberAt((0, 0), value),), 1) for value in (1, 2))


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_sentences(language: str, steps: list[mp.Deduction]) -> None:
    blocks = [f"{step.technique}, {step.pattern or 'no pattern'}\n{step.text_in(language)}" for step in steps]
    with use_language(language):
        blocks += [f"clause {clause.kind}\n{render_clause(clause)}" for clause in clauses()]
    with use_language(language), use_cell_labels("ruler"):
        blocks += [f"{step.technique}, with the labels of the ruler\n{step.text}" for step in steps[:3]]
    text = "\n\n".join(dict.fromkeys(blocks)) + "\n"
    path = HERE / "sentences" / language / "deductions.txt"
    if "MINEPROOF_UPDATE_GOLDEN" in os.environ:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
    assert "{" not in text


def test_every_technique_and_every_kind_of_clause_has_a_sentence(steps: list[mp.Deduction]) -> None:
    assert {step.technique for step in steps} == set(LADDER)
    assert 40 <= len(steps) <= 80
    parts = {"argument", "text", "term", "count"}
    assert {clause.kind for clause in clauses()} | parts == set(RENDERERS)
