"""Making a certificate: a walk of the layout, with every proof as short as the steps before it allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mineproof.base.budget import Budget, Meter
from mineproof.board.cells import Cell
from mineproof.deduction.deduction import Deduction
from mineproof.engine.answers import Engine
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import take
from mineproof.generation.certificate import Certificate, ProofStep
from mineproof.generation.verifier import doubtful_cell, without
from mineproof.generation.walk import Walk, walk


def certify(
    layout: Layout,
    start: Cell | None = None,
    *,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Certificate:
    """Return the certificate that a layout needs no guess from ``start``, by default its own.

    If the layout needs a guess, the certificate is not ``solved``. The budget is for each climb of the ladder. Raises
    IllegalMoveError if the first click is a mine.

    >>> certificate = certify(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1))
    >>> certificate.solved, [step.deduction.technique for step in certificate.steps]
    (True, ['partition', 'single-open'])
    """
    game = walk(layout, start, budget=budget, engine=engine)
    size = layout.rows, layout.columns, layout.total_mines, layout.topology
    steps = tuple(_lean_steps(game, layout, Meter(Budget.of(budget))))
    return Certificate(*size, game.start, game.opened, steps, game.solved).sealed()


def _lean_steps(game: Walk, layout: Layout, meter: Meter) -> Iterator[ProofStep]:
    """The steps of a walk, each with the numbers that it needs after the steps before it.

    The ladder proves what it takes together each from the numbers alone; here a step may build on the one before it.
    """
    field = MineField(layout)
    field.open([game.start])
    for step in game.steps:
        yield ProofStep(_lean(field, step.deduction, meter), step.opened)
        take(field, step.deduction)


def _lean(field: MineField, claim: Deduction, meter: Meter) -> Deduction:
    for cell in claim.because:
        fewer = without(claim, cell)
        if doubtful_cell(field, fewer, meter) is None:
            claim = fewer
    free = replace(claim, uses_total=False)
    return free if doubtful_cell(field, free, meter) is None else claim
