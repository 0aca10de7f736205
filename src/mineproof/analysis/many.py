"""Many positions of one size at once, for bots and for learning: arrays in, arrays out.

The answers are those of `mineproof.analysis.analysis.analyze`, bit for bit, for any number of threads. What is wrong
with one position, a code that is none or numbers that no layout fits, is the status of that position and keeps no other
from its answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import analyze, as_fraction
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.processors import processors
from mineproof.base.words import plural, size
from mineproof.board.board import Board, Flags
from mineproof.board.geometry import Geometry, Topology, require_size, require_topology
from mineproof.engine.answers import MINE, SAFE, Engine
from mineproof.engine.batches import LIMITS, NO_TOTAL, Batch, BatchAnswers, PositionStatus
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BudgetExceeded, MineproofError

MOST_THREADS = 1024
_WRONG_CODE = 127
_FAR_TOO_MANY = 2**62

Codes = npt.NDArray[np.signedinteger | np.unsignedinteger]


class _Failed(NamedTuple):
    """Positions without an answer, as they were given, in order of ``numbers``."""

    numbers: npt.NDArray[np.intp]
    codes: Codes
    totals: npt.NDArray[np.int64]
    limits: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the positions of a call have in common, and those that failed: enough to say why."""

    topology: Topology
    flags: Flags
    density: Fraction | None
    budget: Budget
    engine: Engine
    failed: _Failed


@dataclass(slots=True, eq=False, repr=False)
class ManyAnalyses:
    """Exact facts about many positions; see `analyze_many`. Arrays of one's own can be filled: ``out=ManyAnalyses(…)``.

    ``mine_probability`` (n, rows, columns) is NaN where `Analysis.mine_probability` is, and where a position has no
    answer. ``certainty`` (n, rows, columns) is 2 on covered cells that are safe, 3 on those that are mines, 1 on those
    that are neither, 0 elsewhere: decided by counting, never by rounding. ``status`` (n,) holds `PositionStatus`.
    ``log10_layouts`` (n,) is NaN where there is no answer.
    """

    mine_probability: npt.NDArray[np.float64]
    certainty: npt.NDArray[np.int8]
    status: npt.NDArray[np.int8]
    log10_layouts: npt.NDArray[np.float64]
    _asked: _Asked | None = field(default=None, init=False)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def safe(self) -> npt.NDArray[np.bool_]:
        """Covered cells that are free of mines in every layout that fits, (n, rows, columns)."""
        return np.equal(self.certainty, SAFE)

    @property
    def mines(self) -> npt.NDArray[np.bool_]:
        """Covered cells that are mines in every layout that fits, (n, rows, columns); without trusted flags."""
        return np.equal(self.certainty, MINE)

    def error(self, number: int) -> MineproofError | None:
        """The error that `analyze` raises about one position; None if it was answered.

        Its words are made now: a contradiction takes longer to explain than to find.
        """
        number = checks.whole("number", number, 0, len(self) - 1)
        asked = self._asked
        place = 0 if asked is None else int(np.searchsorted(asked.failed.numbers, number))
        if asked is None or number not in asked.failed.numbers[place : place + 1]:
            return None
        if limit := LIMITS[asked.failed.limits[place]]:
            spent = f"{asked.budget.seconds:g} s and {asked.budget.states:,} states for each position"
            return BudgetExceeded(f"gave up ({limit} limit; the budget is {spent})", limit=limit)
        total = int(asked.failed.totals[place])
        try:
            board = Board.from_array(asked.failed.codes[place], None if total == NO_TOTAL else total, asked.topology)
            analyze(board, flags=asked.flags, density=asked.density, budget=asked.budget, engine=asked.engine)
        except MineproofError as error:
            return error
        return None

    def __repr__(self) -> str:
        count, rows, columns = self.certainty.shape
        answered = int(np.count_nonzero(self.status == PositionStatus.OK))
        return f"<ManyAnalyses of {plural(count, 'position')} of {size(rows, columns)}: {answered} answered>"


def analyze_many(
    boards: npt.ArrayLike | Sequence[Board],
    total_mines: int | Sequence[int | None] | npt.ArrayLike | None = None,
    *,
    topology: Topology = "grid",
    flags: Flags = "trust",
    density: float | Fraction | None = None,
    threads: int | None = None,
    budget: Budget | float | None = None,
    out: ManyAnalyses | None = None,
    engine: Engine | None = None,
) -> ManyAnalyses:
    """What `analyze` tells, about many positions: an array (n, rows, columns) of cell codes, as `Board.from_array` has.

    ``total_mines`` is one number for all or one for each, -1 or None where it is unknown. Boards of one size, in a
    list, bring their own totals and topology. What is wrong with a position is told by its ``status`` and by
    `ManyAnalyses.error`. ``budget`` is for each position. ``threads`` are by default as many as there are processors.
    ``out`` is filled instead of new arrays. Releases the GIL.

    >>> found = analyze_many([[[1, -1], [-1, -1]], [[3, -1], [-1, -1]], [[4, -1], [-1, -1]]], [1, 3, 3])
    >>> found.status.tolist(), found.mines[1].tolist()
    ([0, 0, 2], [[False, True], [True, True]])
    >>> print(found.error(2))
    the 4 at (0,0) needs 4 mines, and has 0 flags and 3 covered cells around it
    """
    given, totals, geometry = _read(boards, total_mines, topology)
    checks.one_of("flags", flags, ("trust", "ignore"))
    chance = None if density is None else as_fraction(density)
    busy = processors() if threads is None else checks.whole("threads", threads, 1, MOST_THREADS)
    limit, using = Budget.of(budget), chosen_engine(engine)
    count, cells = len(given), geometry.cells
    found = _empty(given.shape) if out is None else _checked(out, given.shape)
    batch = Batch(geometry, _as_codes(given).reshape(count, cells), totals, chance, flags == "trust")
    answers = BatchAnswers(
        found.mine_probability.reshape(count, cells),
        found.certainty.reshape(count, cells),
        found.log10_layouts,
        found.status,
        np.zeros(count, dtype=np.uint8),
    )
    found._asked = None
    using.solve_many(batch, answers, limit, busy)
    numbers = np.flatnonzero(found.status)
    failed = _Failed(numbers, given[numbers], totals[numbers], answers.limit[numbers])  # copies: arrays are used again
    found._asked = _Asked(geometry.topology, flags, chance, limit, using, failed)
    return found


# reading


def _read(
    boards: npt.ArrayLike | Sequence[Board], total_mines: object, topology: Topology
) -> tuple[Codes, npt.NDArray[np.int64], Geometry]:
    require_topology(topology)
    if isinstance(boards, list | tuple) and any(isinstance(board, Board) for board in boards):
        return _stacked(boards, total_mines, topology)
    try:
        given = np.asarray(boards)
    except ValueError:  # rows of different lengths
        raise ValueError("found boards of different sizes, expected an array (n, rows, columns)") from None
    if given.ndim != 3 or given.dtype.kind not in "iu":
        raise ValueError(
            f"found boards of shape {given.shape} and type {given.dtype}, "
            "expected an array (n, rows, columns) of whole numbers"
        )
    count, rows, columns = given.shape
    require_size(rows, columns)
    return given, _totals(total_mines, count), Geometry(topology, rows, columns)


def _stacked(
    boards: Sequence[Board], total_mines: object, topology: Topology
) -> tuple[Codes, npt.NDArray[np.int64], Geometry]:
    """Boards as one array, with what they know themselves."""
    if total_mines is not None or topology != "grid":
        raise ValueError("found a total or a topology beside Boards, expected those that the boards have")
    for board in boards:
        checks.instance("board", board, Board, "all of boards, or an array of codes")
        if board.geometry != boards[0].geometry:
            found, expected = (f"{size(each.rows, each.columns)} ({each.topology})" for each in (board, boards[0]))
            raise ValueError(f"found boards of {expected} and of {found}, expected one size and topology")
    shape = boards[0].geometry
    codes = np.frombuffer(b"".join(board.codes for board in boards), dtype=np.int8)
    totals = [NO_TOTAL if board.total_mines is None else board.total_mines for board in boards]
    return codes.reshape(len(boards), shape.rows, shape.columns), np.array(totals, dtype=np.int64), shape


def _totals(given: object, count: int) -> npt.NDArray[np.int64]:
    """A total for each position, `NO_TOTAL` where it is unknown; one that is far too large stays wrong."""
    if given is None:
        return np.full(count, NO_TOTAL, dtype=np.int64)
    if np.ndim(given) == 0:  # type: ignore[arg-type]
        return np.full(count, _total(given), dtype=np.int64)
    listed = np.asarray(given)
    if listed.shape != (count,):
        raise ValueError(f"found total_mines of shape {listed.shape}, expected one number or ({count},), one for each")
    if listed.dtype.kind not in "iu" or listed.dtype == np.uint64:
        return np.array([NO_TOTAL if each is None else _total(each) for each in listed.tolist()], dtype=np.int64)
    return np.ascontiguousarray(listed, dtype=np.int64)


def _total(given: object) -> int:
    return max(-_FAR_TOO_MANY, min(checks.whole("total_mines", given), _FAR_TOO_MANY))


def _as_codes(given: Codes) -> npt.NDArray[np.int8]:
    """The codes as the kernel reads them: not copied if they are bytes in row order, and wrong where they are wrong."""
    if given.dtype != np.int8:
        given = np.where((given >= -128) & (given <= 127), given, _WRONG_CODE)
    return np.ascontiguousarray(given, dtype=np.int8)


# arrays to be filled


def _empty(shape: tuple[int, ...]) -> ManyAnalyses:
    count = shape[0]
    return ManyAnalyses(
        np.empty(shape), np.empty(shape, dtype=np.int8), np.empty(count, dtype=np.int8), np.empty(count)
    )


def _checked(out: ManyAnalyses, shape: tuple[int, ...]) -> ManyAnalyses:
    """The arrays of a caller, once they are known to be what the kernel writes to."""
    checks.instance("out", out, ManyAnalyses, "ManyAnalyses(…) takes arrays of one's own")
    for name, kind, expected in (
        ("mine_probability", np.float64, shape),
        ("certainty", np.int8, shape),
        ("status", np.int8, shape[:1]),
        ("log10_layouts", np.float64, shape[:1]),
    ):
        array = getattr(out, name)
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != expected:
            found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"found out.{name} of {found}, expected an array of {np.dtype(kind)} {expected}")
        if not array.flags.carray:
            raise ValueError(f"found out.{name} that is read-only or not in row order, expected one to be filled")
    return out
