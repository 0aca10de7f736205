"""Both engines equal brute force on small boards of every shape; ``benchmarks/check_shapes.py`` tries more of them."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from mineproof.board.geometry import TOPOLOGIES, Geometry, Topology
from support.checks import check_against_oracle
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.oracle import neighbours, touching
from support.positions import CLASSIC, OTHERS, small_of

pytestmark = pytest.mark.oracle

BOARDS = examples(250)
DENSITIES = [None, Fraction(1, 2), Fraction(2, 7)]
ROUNDING = 1e-12
SIZES = {"cube": [(1, 3), (2, 2), (2, 6), (3, 9), (3, 3)], "sphere": [(4, 5), (7, 10), (10, 15)]}
ANY_SIZE = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (1, 6), (6, 1), (4, 5), (7, 6)]


def test_the_oracle_knows_every_shape() -> None:
    assert [*CLASSIC, *OTHERS] == TOPOLOGIES


@pytest.mark.parametrize("kind", OTHERS)
def test_neighbours(kind: Topology) -> None:
    for rows, columns in SIZES.get(kind, ANY_SIZE):
        shape = Geometry(kind, rows, columns)
        present = set(touching(kind, rows, columns))
        assert {shape.cell(index) for index in range(shape.cells) if index not in shape.holes} == present
        for cell in present:
            found = {shape.cell(other) for other in shape.neighbours(shape.index(cell))}
            assert found == neighbours(kind, rows, columns, cell), (rows, columns, cell)


@pytest.mark.parametrize("engine", [KERNEL, REFERENCE], ids=["kernel", "reference"])
@pytest.mark.parametrize("kind", OTHERS)
def test_small_boards(kind: Topology, engine: object) -> None:
    rng = random.Random(f"shape {kind}")
    tolerance = ROUNDING if engine is KERNEL else 0.0
    for _ in range(BOARDS):
        board, density = small_of(rng, kind).board, rng.choice(DENSITIES)
        try:
            check_against_oracle(engine.solve, board, density, tolerance=tolerance)  # type: ignore[attr-defined]
        except Exception as error:
            error.add_note(f"{board!r}, density {density}")
            raise
