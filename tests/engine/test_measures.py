"""The kernel's numbers of layouts are those of the reference, on every topology."""

import numpy as np
import pytest

from mineproof.board.geometry import Geometry, Topology
from mineproof.engine.default import engine_named
from mineproof.engine.reference_measures import COLUMNS
from support.positions import CLASSIC

pytestmark = pytest.mark.parity


@pytest.mark.parametrize("topology", CLASSIC)
def test_thousands_of_layouts(topology: Topology) -> None:
    rng = np.random.default_rng(20261116)
    kernel, reference = engine_named("kernel"), engine_named("reference")
    for rows, columns, count in (
        (1, 1, 20),
        (1, 9, 100),
        (2, 2, 100),
        (3, 3, 200),
        (4, 7, 300),
        (9, 9, 300),
        (6, 16, 100),
    ):
        shares = rng.choice([0.02, 0.1, 0.2, 0.35, 0.7], size=(count, 1))
        draws = rng.random((count, rows * columns))
        truths = (draws < shares).astype(np.uint8)
        truths[(draws > 0.96) & (rng.random((count, 1)) < 0.3)] = 2
        geometry = Geometry(topology, rows, columns)
        results, expected = (engine.measure(geometry, truths, zini=True) for engine in (kernel, reference))
        for column, name in enumerate(COLUMNS):
            differ = np.flatnonzero(results[:, column] != expected[:, column])
            assert not len(differ), (name, rows, columns, truths[differ[0]].tolist())


def test_a_large_board_and_boards_of_two_sizes_in_turn() -> None:
    rng = np.random.default_rng(1)
    kernel, reference = engine_named("kernel"), engine_named("reference")
    for rows, columns in ((40, 70), (2, 5), (40, 70)):
        truths = (rng.random((2, rows * columns)) < 0.15).astype(np.uint8)
        geometry = Geometry("grid", rows, columns)
        results, expected = (engine.measure(geometry, truths, zini=rows == 2) for engine in (kernel, reference))
        assert results.tolist() == expected.tolist()
