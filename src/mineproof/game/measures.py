"""What players count on a layout: 3BV, openings, islands, ZiNi, and how much of the 3BV is done.

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

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import size
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED
from mineproof.board.geometry import Geometry, Topology, require_size, require_topology
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.engine.reference_measures import ABSENT, MINE, NOT_ASKED, Truths, groups, kinds
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Measures:
    """The numbers of a layout: ``bbbv`` is its 3BV.

    ``numbers[n]`` is how many safe cells have n mines around them. ``zini`` (greedy, eight ways) and ``human_zini`` are
    None where they were not asked for.
    """

    bbbv: int
    openings: int
    islands: int
    zini: int | None
    human_zini: int | None
    numbers: tuple[int, ...]

    def as_json(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"numbers": list(self.numbers)}


@dataclass(frozen=True, slots=True, eq=False)
class ManyMeasures:
    """The same of many layouts, an array for each number; ``numbers`` is (n, 9)."""

    bbbv: Counts
    openings: Counts
    islands: Counts
    zini: Counts | None
    human_zini: Counts | None
    numbers: Counts

    def __len__(self) -> int:
        return len(self.bbbv)


def measure(layout: Layout, *, zini: bool = True, engine: Engine | None = None) -> Measures:
    """The 3BV of a layout, its openings, its islands and its ZiNi.

    >>> measure(Layout(3, 4, frozenset([(0, 0)])), zini=False)
    Measures(bbbv=1, openings=1, islands=0, zini=None, human_zini=None, numbers=(8, 3, 0, 0, 0, 0, 0, 0, 0))
    >>> measure(Layout(1, 5, frozenset([(0, 1), (0, 3)]))).zini
    3
    """
    checks.instance("layout", layout, Layout, "formats.read gives one")
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
    """The numbers of many layouts of one size: an array (n, rows, columns) with 1 for a mine, 0 for a safe cell.

    2 is a cell that is not part of the board. Releases the GIL, and shares the layouts among ``threads``.

    >>> measure_many([[[1, 0, 0], [0, 0, 0]], [[1, 0, 1], [0, 0, 0]]], zini=True).bbbv.tolist()
    [2, 4]
    """
    truths, geometry = _checked(array, topology)
    threads = checks.whole("threads", threads, 1, 1024)
    checks.flag("zini", zini)
    using = chosen_engine(engine)
    if threads == 1:
        found = using.measure(geometry, truths, zini=zini)
    else:
        with ThreadPoolExecutor(threads) as pool:
            parts = np.array_split(truths, threads)
            found = np.concatenate(list(pool.map(lambda part: using.measure(geometry, part, zini=zini), parts)))
    bbbv, openings, islands, greedy, human = found[:, :5].T
    return ManyMeasures(bbbv, openings, islands, greedy if zini else None, human if zini else None, found[:, 5:])


def _checked(array: npt.ArrayLike, topology: Topology) -> tuple[Truths, Geometry]:
    given = np.asarray(array)
    if given.ndim != 3 or given.dtype.kind not in "biu":
        raise ValueError(
            f"found an array of shape {given.shape} and type {given.dtype}, "
            "expected (n, rows, columns) of whole numbers or truth values"
        )
    if given.size and not (given.min() >= 0 and given.max() <= ABSENT):
        raise ValueError(
            f"found {given.min()} to {given.max()} in the array, expected 0 (safe), 1 (mine) or 2 (absent)"
        )
    count, rows, columns = given.shape
    require_size(rows, columns)
    require_topology(topology)
    return given.astype(np.uint8, copy=False).reshape(count, rows * columns), Geometry(topology, rows, columns)


def truths_of(layout: Layout) -> Truths:
    """What engines are told of a layout."""
    truths = np.zeros(layout.rows * layout.columns, dtype=np.uint8)
    for mark, cells in ((MINE, layout.mines), (ABSENT, layout.absent)):
        truths[[row * layout.columns + column for row, column in cells]] = mark
    return truths


def solved_bbbv(layout: Layout, board: Board) -> int:
    """How much of the 3BV of a layout is done on a board of it.

    >>> solved_bbbv(Layout(1, 5, frozenset([(0, 1), (0, 3)])), Board.parse("1#2##"))
    2
    """
    if board.geometry != layout.geometry:
        found, expected = board.geometry, layout.geometry
        raise BoardSyntaxError(
            f"found a board of {size(found.rows, found.columns)} ({found.topology}), "
            f"expected {size(expected.rows, expected.columns)} ({expected.topology}) as the layout has"
        )
    zeros, lone = kinds(layout.geometry, truths_of(layout))
    opening, openings = groups(zeros, layout.geometry)
    codes = np.frombuffer(board.codes, dtype=np.int8)
    closed = (codes == COVERED) | (codes == FLAGGED)
    return openings - len(np.unique(np.array(opening)[zeros & closed])) + int((lone & ~closed).sum())
