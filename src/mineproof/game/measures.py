"""Measures of a layout: 3BV, openings, islands, ZiNi, and how much of the 3BV is done.

An *opening* is a connected group of zeros with the numbers around it: one click opens all of it. A number that no zero
touches takes a click of its own, and a connected group of those is an *island*. *3BV* (Bechtel's board benchmark value)
is how many clicks it takes without flags: one for each opening, one for each number on an island. *ZiNi* is how many
clicks of any kind a greedy solve takes that knows the mines and uses flags and chords; the *human* one opens all
openings first and then chords only at open cells. docs/numbers.md has the exact rules.

Every topology has the same definitions, for all of them are said in neighbours. They are worked out by an engine:
`mineproof.engine.reference_measures` can be read, the kernel takes 5 µs for an expert layout, 80 µs with ZiNi.

An opening counts as done once all its zeros are open, as in the tools that read replays: flags may hold up a cascade.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base import threads as runtime
from mineproof.base.arrays import all_equal
from mineproof.base.words import size
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.reference_measures import ABSENT, MINE, NOT_ASKED, Truths, groups, kinds
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

if TYPE_CHECKING:
    from mineproof.game.wire import MeasuresJson

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Measures:
    """The numbers of a layout: ``bbbv`` is its 3BV.

    ``numbers[n]`` is how many safe cells have n mines around them. ``zini`` (greedy, eight ways) and ``human_zini`` are
    None if they were not requested.
    """

    bbbv: int
    openings: int
    islands: int
    zini: int | None
    human_zini: int | None
    numbers: tuple[int, ...]

    def as_json(self) -> MeasuresJson:
        """Return the numbers by name, as a JSON object."""
        return {
            "bbbv": self.bbbv,
            "openings": self.openings,
            "islands": self.islands,
            "zini": self.zini,
            "human_zini": self.human_zini,
            "numbers": list(self.numbers),
        }


@dataclass(frozen=True, slots=True, eq=False)
class ManyMeasures:
    """The measures of many layouts as arrays; ``numbers`` has the shape (n, 9), or (n, 33) on shapes whose
    cells have more than 8 neighbours."""

    bbbv: Counts
    openings: Counts
    islands: Counts
    zini: Counts | None
    human_zini: Counts | None
    numbers: Counts

    def __len__(self) -> int:
        return len(self.bbbv)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ManyMeasures):
            return NotImplemented
        return all_equal(*([getattr(many, field.name) for field in fields(many)] for many in (self, other)))

    __hash__ = None  # type: ignore[assignment]


def measure(layout: Layout, *, zini: bool = True, engine: Engine | None = None) -> Measures:
    """Return the 3BV of a layout, its openings, islands and, with ``zini``, its ZiNi.

    >>> measure(Layout(3, 4, frozenset([(0, 0)])), zini=False)
    Measures(bbbv=1, openings=1, islands=0, zini=None, human_zini=None, numbers=(8, 3, 0, 0, 0, 0, 0, 0, 0))
    >>> measure(Layout(1, 5, frozenset([(0, 1), (0, 3)]))).zini
    3
    """
    checks.instance("layout", layout, Layout, "formats.read returns one")
    checks.flag("zini", zini)
    truths = truths_of(layout)[np.newaxis]
    bbbv, openings, islands, *solves = chosen_engine(engine).measure(layout.geometry, truths, zini=zini)[0].tolist()
    greedy, human = (None if value == NOT_ASKED else value for value in solves[:2])
    return Measures(bbbv, openings, islands, greedy, human, tuple(solves[2:]))


def measure_many(
    array: npt.ArrayLike,
    *,
    topology: Topology = "grid",
    zini: bool = False,
    threads: int = 1,
    engine: Engine | None = None,
) -> ManyMeasures:
    """Return the measures of many layouts of one size.

    ``array`` has the shape (n, rows, columns), with 0 for a safe cell, 1 for a mine and 2 for a cell that is not part
    of the board. Releases the GIL and uses ``threads`` threads. Raises ValueError for any other array.

    >>> measure_many([[[1, 0, 0], [0, 0, 0]], [[1, 0, 1], [0, 0, 0]]], zini=True).bbbv.tolist()
    [2, 4]
    """
    truths, geometry = _check_array(array, topology)
    threads = checks.whole("threads", threads, 1, 1024)
    checks.flag("zini", zini)
    using = chosen_engine(engine)
    if threads == 1 or not runtime.HAS_THREADS:
        counts = using.measure(geometry, truths, zini=zini)
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = np.array_split(truths, threads)
            counts = np.concatenate(list(pool.map(lambda part: using.measure(geometry, part, zini=zini), parts)))
    bbbv, openings, islands, greedy, human = counts[:, :5].T
    return ManyMeasures(bbbv, openings, islands, greedy if zini else None, human if zini else None, counts[:, 5:])


def _check_array(array: npt.ArrayLike, topology: Topology) -> tuple[Truths, Geometry]:
    given = np.asarray(array)
    if given.ndim != 3 or given.dtype.kind not in "biu":
        raise ValueError(
            "expected an array (n, rows, columns) of whole numbers or booleans, "
            f"got shape {given.shape} and type {given.dtype}"
        )
    if given.size and not (given.min() >= 0 and given.max() <= ABSENT):
        raise ValueError(f"expected 0 (safe), 1 (mine) or 2 (absent) in the array, got {given.min()} to {given.max()}")
    count, rows, columns = given.shape
    require_shape(topology, rows, columns)
    return given.astype(np.uint8, copy=False).reshape(count, rows * columns), Geometry(topology, rows, columns)


def truths_of(layout: Layout) -> Truths:
    """Return a layout as engines take it: 0 (safe), 1 (mine) or 2 (absent) for each cell."""
    truths = np.zeros(layout.rows * layout.columns, dtype=np.uint8)
    for mark, cells in ((MINE, layout.mines), (ABSENT, layout.absent)):
        truths[[row * layout.columns + column for row, column in cells]] = mark
    return truths


def solved_bbbv(layout: Layout, board: Board) -> int:
    """Return how much of the 3BV of a layout is done on a board.

    >>> solved_bbbv(Layout(1, 5, frozenset([(0, 1), (0, 3)])), Board.parse("1#2##"))
    2
    """
    if board.geometry != layout.geometry:
        shape, expected = board.geometry, layout.geometry
        raise BoardSyntaxError(
            f"expected a board of {size(expected.rows, expected.columns)} ({expected.topology}) as the layout has, "
            f"got {size(shape.rows, shape.columns)} ({shape.topology})"
        )
    zeros, lone = kinds(layout.geometry, truths_of(layout))
    opening, openings = groups(zeros, layout.geometry)
    codes = np.frombuffer(board.codes, dtype=np.int8)
    closed = (codes == COVERED) | (codes == FLAGGED)
    return openings - len(np.unique(np.array(opening)[zeros & closed])) + int((lone & ~closed).sum())
