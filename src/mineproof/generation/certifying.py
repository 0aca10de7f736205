"""Making a certificate: a walk of the layout, with every proof as short as the steps before it allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mineproof.base.budget import Budget, Meter
from mineproof.board.cells import Cell
from mineproof.deduction.deduction import Deduction
from mineproof.engine.answers import Engine
from mineproof.game.field import Field
from mineproof.game.layout import Layout
from mineproof.generation.careful import take
from mineproof.generation.certificate import Certificate, ProofStep
from mineproof.generation.verifier import doubtful_cell, new_cells
from mineproof.generation.walk import Walk, walk


def certify(
    layout: Layout,
    start: Cell | None = None,
    *,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Certificate:
    """The certificate that a layout needs no guess from a first click, by default its own; not ``solved`` if it does.

    The budget is for each climb of the ladder. Raises IllegalMoveError when the first click hits a mine.

    >>> found = certify(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1))
    >>> found.solved, [step.deduction.technique for step in found.steps]
    (True, ['partition', 'single-open'])
    """
    found = walk(layout, start, budget=budget, engine=engine)
    size = layout.rows, layout.columns, layout.total_mines, layout.topology
    steps = tuple(_lean_steps(found, layout, Meter(Budget.of(budget))))
    return Certificate(*size, found.start, found.opened, steps, found.solved)


def _lean_steps(found: Walk, layout: Layout, meter: Meter) -> Iterator[ProofStep]:
    """The steps of a walk that tell something new, with the numbers that it takes after those before.

    The ladder proves what it takes together each from the numbers alone; here a step may build on the one before it.
    """
    field = Field(layout)
    field.open([found.start])
    for step in found.steps:
        if new_cells(field, step.deduction):
            yield ProofStep(_lean(field, step.deduction, meter), step.opened)
        take(field, step.deduction)


def _lean(field: Field, claim: Deduction, meter: Meter) -> Deduction:
    for cell in claim.because:
        fewer = replace(claim, because=tuple(other for other in claim.because if other != cell))
        if doubtful_cell(field, fewer, meter) is None:
            claim = fewer
    free = replace(claim, uses_total=False)
    return free if doubtful_cell(field, free, meter) is None else claim
