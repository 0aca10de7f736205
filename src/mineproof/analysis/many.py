"""Analyze many positions of one size at once, for bots and machine learning: arrays in, arrays out.

The results are those of `mineproof.analysis.analysis.analyze`, bit for bit, for any number of threads. An invalid
position, with an unknown code or contradicting numbers, gets its own status and does not affect the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.analysis.analysis import analyze, as_fraction
from mineproof.base import checks
from mineproof.base.arrays import all_equal
from mineproof.base.budget import Budget, budget_error
from mineproof.base.processors import processors
from mineproof.base.words import plural, size
from mineproof.board.board import Board, Flags
from mineproof.board.geometry import Geometry, Topology, require_shape, require_topology
from mineproof.engine.answers import MINE, SAFE, Engine
from mineproof.engine.batches import LIMITS, NO_TOTAL, Batch, BatchAnswers, PositionStatus
from mineproof.engine.default import chosen_engine
from mineproof.errors import BudgetExceeded, MineproofError

ANALYSIS_MAX_THREADS = 1024
_INVALID_CODE = 127
_INVALID_TOTAL = 2**62  # larger than the total of any board

Codes = npt.NDArray[np.signedinteger | np.unsignedinteger]


class _FailedPositions(NamedTuple):
    """Positions without a result, as they were passed, in order of ``numbers``."""

    numbers: npt.NDArray[np.intp]
    codes: Codes
    totals: npt.NDArray[np.int64]
    limits: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _BatchRequest:
    """The arguments of a call and the positions that failed, to explain the failures later."""

    topology: Topology
    flags: Flags
    density: Fraction | None
    budget: Budget
    engine: Engine
    failed: _FailedPositions


@dataclass(slots=True, eq=False, repr=False)
class ManyAnalyses:
    """Exact facts about many positions; see `analyze_many`. Pass ``out=ManyAnalyses(…)`` to fill existing arrays.

    ``mine_probability`` (n, rows, columns) is NaN where `Analysis.mine_probability` is, and for positions without a
    result. ``certainty`` (n, rows, columns) is 2 on covered cells that are safe, 3 on those that are mines, 1 on those
    that are neither, 0 elsewhere. It is decided by counting, never by rounding. ``status`` (n,) holds `PositionStatus`.
    ``log10_layouts`` (n,) is NaN for positions without a result.
    """

    mine_probability: npt.NDArray[np.float64]
    certainty: npt.NDArray[np.int8]
    status: npt.NDArray[np.int8]
    log10_layouts: npt.NDArray[np.float64]
    _request: _BatchRequest | None = field(default=None, init=False)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def safe(self) -> npt.NDArray[np.bool_]:
        """Covered cells that are safe in every layout that fits, (n, rows, columns)."""
        return np.equal(self.certainty, SAFE)

    @property
    def mines(self) -> npt.NDArray[np.bool_]:
        """Covered cells that are mines in every layout that fits, (n, rows, columns); without trusted flags."""
        return np.equal(self.certainty, MINE)

    def error(self, number: int) -> MineproofError | None:
        """Return the error that `analyze` raises for one position, or None if it has a result.

        The error is computed by this call: a contradiction takes longer to explain than to detect.
        """
        number = checks.whole("number", number, 0, len(self) - 1)
        request = self._request
        place = 0 if request is None else int(np.searchsorted(request.failed.numbers, number))
        if request is None or number not in request.failed.numbers[place : place + 1]:
            return None
        if code := request.failed.limits[place]:
            return _budget_error(LIMITS[code], request.budget)
        total = int(request.failed.totals[place])
        try:
            board = Board.from_array(
                request.failed.codes[place], None if total == NO_TOTAL else total, request.topology
            )
            analyze(board, flags=request.flags, density=request.density, budget=request.budget, engine=request.engine)
        except MineproofError as error:
            return error
        return None

    def __eq__(self, other: object) -> bool:
        """Are all arrays equal, NaN to NaN?"""
        if not isinstance(other, ManyAnalyses):
            return NotImplemented
        return all_equal(_arrays(self), _arrays(other))

    __hash__ = None  # type: ignore[assignment]  # the arrays can be filled again

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
    density: float | Fraction | Decimal | None = None,
    threads: int | None = None,
    budget: Budget | float | None = None,
    out: ManyAnalyses | None = None,
    engine: Engine | None = None,
) -> ManyAnalyses:
    """Analyze many positions: an array (n, rows, columns) of cell codes, as in `Board.from_array`.

    ``total_mines`` is one number for all positions or one for each, -1 or None if it is unknown. A list of `Board`
    objects of one size has its own totals and topology. ``status`` and `ManyAnalyses.error` report problems with single
    positions. ``budget`` applies to each position. ``threads`` is the number of processors by default. ``out`` is
    filled in place of new arrays. Releases the GIL.

    >>> many = analyze_many([[[1, -1], [-1, -1]], [[3, -1], [-1, -1]], [[4, -1], [-1, -1]]], [1, 3, 3])
    >>> many.status.tolist(), many.mines[1].tolist()
    ([0, 0, 2], [[False, True], [True, True]])
    >>> print(many.error(2))
    The board contradicts itself: the 4 at (0,0) has room for only 3 mines.
    """
    given, totals, geometry = _read_boards(boards, total_mines, topology)
    checks.one_of("flags", flags, ("trust", "ignore"))
    chance = None if density is None else as_fraction(density)
    thread_count = processors() if threads is None else checks.whole("threads", threads, 1, ANALYSIS_MAX_THREADS)
    limit, using = Budget.of(budget), chosen_engine(engine)
    count, cells = len(given), geometry.cells
    many = _new_arrays(given.shape) if out is None else _check_arrays(out, given.shape)
    batch = Batch(geometry, _as_codes(given).reshape(count, cells), totals, chance, flags == "trust")
    answers = BatchAnswers(
        many.mine_probability.reshape(count, cells),
        many.certainty.reshape(count, cells),
        many.log10_layouts,
        many.status,
        np.zeros(count, dtype=np.uint8),
    )
    many._request = None
    using.solve_many(batch, answers, limit, thread_count)
    numbers = np.flatnonzero(many.status)
    failed = _FailedPositions(
        numbers, given[numbers], totals[numbers], answers.limit[numbers]
    )  # copies: arrays are used again
    many._request = _BatchRequest(geometry.topology, flags, chance, limit.without_callable(), using, failed)
    return many


def _arrays(many: ManyAnalyses) -> tuple[npt.NDArray[np.generic], ...]:
    return many.mine_probability, many.certainty, many.status, many.log10_layouts


def _budget_error(limit: str, budget: Budget) -> BudgetExceeded:
    """Return the error for one position; only its limit is known, not the effort it took."""
    allowed = {
        "seconds": f"{budget.seconds:g} s",
        "states": f"{budget.states:,} states",
        "memory": f"{budget.memory:,} bytes",
    }
    if limit not in allowed:
        return budget_error(limit, 0.0, 0, None)
    return BudgetExceeded(f"No result within the budget for each position: {allowed[limit]}.", limit=limit)


# arguments


def _read_boards(
    boards: npt.ArrayLike | Sequence[Board], total_mines: object, topology: Topology
) -> tuple[Codes, npt.NDArray[np.int64], Geometry]:
    require_topology(topology)
    if isinstance(boards, list | tuple) and any(isinstance(board, Board) for board in boards):
        return _stack_boards(boards, total_mines, topology)
    try:
        given = np.asarray(boards)
    except ValueError:  # rows of different lengths
        raise ValueError("boards: expected an array (n, rows, columns), got rows of different lengths") from None
    if given.ndim != 3 or given.dtype.kind not in "iu":
        raise ValueError(
            "boards: expected an array (n, rows, columns) of whole numbers, "
            f"got shape {given.shape} and type {given.dtype}"
        )
    count, rows, columns = given.shape
    require_shape(topology, rows, columns)
    return given, _totals(total_mines, count), Geometry(topology, rows, columns)


def _stack_boards(
    boards: Sequence[Board], total_mines: object, topology: Topology
) -> tuple[Codes, npt.NDArray[np.int64], Geometry]:
    """Return boards as one array, with their totals and topology."""
    if total_mines is not None or topology != "grid":
        raise ValueError("total_mines and topology cannot be combined with Board objects, which have their own")
    for board in boards:
        checks.instance("board", board, Board, "all of boards, or an array of codes")
        if board.geometry != boards[0].geometry:
            first, other = (f"{size(item.rows, item.columns)} ({item.topology})" for item in (boards[0], board))
            raise ValueError(f"boards: expected one size and topology, got {first} and {other}")
    shape = boards[0].geometry
    codes = np.frombuffer(b"".join(board.codes for board in boards), dtype=np.int8)
    totals = [NO_TOTAL if board.total_mines is None else board.total_mines for board in boards]
    return codes.reshape(len(boards), shape.rows, shape.columns), np.array(totals, dtype=np.int64), shape


def _totals(given: object, count: int) -> npt.NDArray[np.int64]:
    """Return a total for each position, `NO_TOTAL` if it is unknown; a total that is far too large stays invalid."""
    if given is None:
        return np.full(count, NO_TOTAL, dtype=np.int64)
    if np.ndim(given) == 0:  # type: ignore[arg-type]
        return np.full(count, _clip_total(given), dtype=np.int64)
    listed = np.asarray(given)
    if listed.shape != (count,):
        raise ValueError(f"total_mines: expected one number or an array ({count},), got shape {listed.shape}")
    if listed.dtype.kind not in "iu" or listed.dtype == np.uint64:
        return np.array(
            [NO_TOTAL if total is None else _clip_total(total) for total in listed.tolist()], dtype=np.int64
        )
    return np.ascontiguousarray(listed, dtype=np.int64)


def _clip_total(given: object) -> int:
    return max(-_INVALID_TOTAL, min(checks.whole("total_mines", given), _INVALID_TOTAL))


def _as_codes(given: Codes) -> npt.NDArray[np.int8]:
    """Return the codes as bytes in row order, without a copy if they are; invalid codes stay invalid."""
    if given.dtype != np.int8:
        given = np.where((given >= -128) & (given <= 127), given, _INVALID_CODE)
    return np.ascontiguousarray(given, dtype=np.int8)


# result arrays


def _new_arrays(shape: tuple[int, ...]) -> ManyAnalyses:
    count = shape[0]
    return ManyAnalyses(
        np.empty(shape), np.empty(shape, dtype=np.int8), np.empty(count, dtype=np.int8), np.empty(count)
    )


def _check_arrays(out: ManyAnalyses, shape: tuple[int, ...]) -> ManyAnalyses:
    """Return the arrays of a caller if the kernel can write to them; ValueError otherwise."""
    checks.instance("out", out, ManyAnalyses, "ManyAnalyses(…) wraps arrays")
    for name, kind, expected in (
        ("mine_probability", np.float64, shape),
        ("certainty", np.int8, shape),
        ("status", np.int8, shape[:1]),
        ("log10_layouts", np.float64, shape[:1]),
    ):
        array = getattr(out, name)
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != expected:
            actual = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise ValueError(f"out.{name}: expected an array of {np.dtype(kind)} {expected}, got {actual}")
        if not array.flags.carray:
            raise ValueError(
                f"out.{name}: expected a writable array in row order, got one that is read-only or strided"
            )
    return out
