"""Of the cells said to be mines with 30 %, 30 % are: minesolver's calibration test, and the same of drawn layouts.

Boards are laid out at random and partly opened, each undecided cell is put into a bucket of 5 % by its predicted mine
probability, and the share of mines found in a bucket must lie within the 99.99 % interval of what was predicted.

Two things make it a fair test. *One cell of a board per bucket*: cells of one board depend on each other (of the two
cells beside a 1, one is a mine), so counting them all would make the interval too narrow. Those taken are independent
given what the boards show, each a mine with its own p, so mines minus predictions has mean 0 and variance Σ p(1 - p),
whatever the mix. *Opening tells nothing but the numbers*: with a known total every layout leaves the same number of
safe cells, so safe cells may be opened by the toss of a coin. With a mere density it must not depend on the mines
which cells are looked at (else few covered cells would hint at many mines): the coin is tossed for every cell, and a
mine it hits is flagged.

The seed is fixed, so a test that passes keeps passing until answers change.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest

import mineproof as mp
from support.effort import examples
from support.oracle import COVERED, FLAGGED, Cell
from support.positions import flood, random_reveal

pytestmark = pytest.mark.statistical

BUCKETS = 20
BOARDS = examples(15_000)
FEWEST = examples(200)  # samples in every bucket
Z_9999 = 3.8906  # a normal variable stays within so many deviations with 99.99 %

Flat = npt.NDArray[np.float64]
Truth = npt.NDArray[np.bool_]
Draw = Callable[[np.random.Generator], tuple[mp.Analysis, Truth]]


# boards


def layout(rng: np.random.Generator, density: float) -> Truth:
    """Mines on a board of 6 to 11 rows and columns, each cell with the same chance."""
    truth: Truth = rng.random(rng.integers(6, 12, size=2)) < density
    return truth


def numbers(truth: Truth) -> npt.NDArray[np.int8]:
    rows, columns = truth.shape
    padded = np.pad(truth.astype(np.int8), 1)
    around = [padded[r : r + rows, c : c + columns] for r in range(3) for c in range(3)]
    counted: npt.NDArray[np.int8] = (sum(around[1:], start=around[0]) - truth).astype(np.int8)
    return counted


def with_total(rng: np.random.Generator) -> tuple[mp.Analysis, Truth]:
    """Some safe cells of a board open, the total known."""
    truth = layout(rng, rng.uniform(0.1, 0.5))
    opened = (rng.random(truth.shape) < rng.uniform(0.1, 0.6)) & ~truth
    board = mp.Board.from_array(np.where(opened, numbers(truth), COVERED), int(truth.sum()))
    return mp.analyze(board), truth


def with_density(rng: np.random.Generator) -> tuple[mp.Analysis, Truth]:
    """Some cells of a board seen, opened or flagged, the density known."""
    density = rng.integers(10, 50) / 100
    truth = layout(rng, density)
    seen = rng.random(truth.shape) < rng.uniform(0.1, 0.6)
    shown = np.where(truth, FLAGGED, numbers(truth))
    return mp.analyze(mp.Board.from_array(np.where(seen, shown, COVERED)), density=density), truth


# calibration


@dataclass
class Bucket:
    samples: int = 0
    mines: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, chance: float, mined: bool) -> None:
        self.samples += 1
        self.mines += mined
        self.expected += chance
        self.variance += chance * (1 - chance)

    @property
    def deviations(self) -> float:
        return (self.mines - self.expected) / math.sqrt(self.variance)


@dataclass
class Calibration:
    buckets: list[Bucket] = field(default_factory=lambda: [Bucket() for _ in range(BUCKETS)])

    def add(self, rng: np.random.Generator, chances: Flat, truth: Truth) -> None:
        """One random cell of each bucket that this board has a cell for."""
        inside = np.flatnonzero((chances > 0) & (chances < 1))  # NaN compares false
        shuffled = rng.permutation(inside)
        places = (chances.ravel()[shuffled] * BUCKETS).astype(np.int64)
        for place, first in zip(*np.unique(places, return_index=True), strict=True):
            cell = shuffled[first]
            self.buckets[place].add(float(chances.ravel()[cell]), bool(truth.ravel()[cell]))


@pytest.mark.parametrize(("draw", "boards"), [(with_total, BOARDS), (with_density, BOARDS)], ids=["total", "density"])
def test_mines_are_as_frequent_as_predicted(draw: Draw, boards: int) -> None:
    rng = np.random.default_rng(2024)
    calibration = Calibration()
    for _ in range(boards):
        picture, truth = draw(rng)
        assert not any(truth[cell] for cell in picture.safe)
        assert all(truth[cell] for cell in picture.mines)
        calibration.add(rng, picture.mine_probability, truth)
    for number, bucket in enumerate(calibration.buckets):
        assert bucket.samples >= FEWEST, f"bucket {number} is too empty to tell"
        assert number / BUCKETS <= bucket.expected / bucket.samples <= (number + 1) / BUCKETS
        assert abs(bucket.deviations) < Z_9999, f"bucket {number}: {bucket}"


# drawn layouts against probabilities

SAMPLES = 4000


def undecided(found: mp.Analysis) -> list[Cell]:
    return [cell for cell in found.board.cells(COVERED) if cell not in found.safe | found.mines]


def deviations(times: int, samples: int, chance: float) -> float:
    return (times - samples * chance) / math.sqrt(samples * chance * (1 - chance))


EXPERT = flood(random.Random(5), 16, 30, 99, 0.45).board
WIDE = random_reveal(random.Random(5), 16, 30, 99, 0.3).board
TORUS = random_reveal(random.Random(6), 12, 12, 30, 0.35, "torus").board


@pytest.mark.parametrize(
    ("board", "density"),
    [(EXPERT, None), (WIDE, None), (WIDE.replace({}, total_mines=None), 0.2), (TORUS, None)],
    ids=["expert", "wide", "density", "torus"],
)
def test_drawn_layouts_have_mines_where_they_are_likely(board: mp.Board, density: float | None) -> None:
    """The frequency of a mine in every cell, and in pairs of cells at once, as the analysis of each says.

    About 400 comparisons: 5 deviations are met by chance once in 4,000 runs, and this one is always the same.
    """
    analysis = mp.analyze(board, density=density)
    cells = undecided(analysis)
    assert len(cells) > 20
    drawn = list(mp.sample_layouts(board, SAMPLES, seed=11, density=density))
    scores = []
    for cell in cells:
        times = sum(cell in mines for mines in drawn)
        scores.append(deviations(times, SAMPLES, float(analysis.mine_probability[cell])))
    for one, other in _pairs(cells):
        given = mp.analyze(board.replace({one: FLAGGED}), density=density)
        both = float(analysis.exact(*one) * given.exact(*other))
        if SAMPLES * both * (1 - both) > 20:
            times = sum(one in mines and other in mines for mines in drawn)
            scores.append(deviations(times, SAMPLES, both))
    assert len(scores) > len(cells) + 20
    assert max(map(abs, scores)) < 5
    assert 0.3 < float(np.mean(np.square(scores))) < 2  # about 1: neither wilder nor tamer than chance


def _pairs(cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Neighbouring cells, which depend on each other most, and some that are far apart."""
    rng = random.Random(0)
    near = [(one, other) for one in cells for other in cells if one < other and math.dist(one, other) < 1.5]
    far = [tuple(rng.sample(cells, 2)) for _ in range(40)]
    return rng.sample(near, min(80, len(near))) + [(one, other) for one, other in far]
