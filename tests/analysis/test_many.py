"""`analyze_many` answers as `analyze` does, bit for bit, and what is wrong with a position is said of it alone."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt
import pytest

import mineproof as mp
from mineproof.board.geometry import Topology
from mineproof.engine import _kernel
from mineproof.engine.answers import MINE, SAFE, UNDECIDED
from mineproof.engine.batches import LIMITS
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.pieces import too_wide
from support.positions import CLASSIC, flood, random_reveal, small

OK, SYNTAX, CONTRADICTION, BUDGET = mp.PositionStatus
Codes = npt.NDArray[np.int8]

ODDITIES = {-2: 8, -9: 3, -1: 3, 3: 3, 9: 1, -3: 1, 127: 1, -128: 1}  # codes put anywhere, and how often
NO_POSITIONS: list[npt.ArrayLike] = [
    [[1, -1]], [[[1.0]]], [], "1#", [[["1"]]], [[[1, -1]], [[1]]], np.zeros((1, 0, 3), int),
]  # fmt: skip


def strange(rng: random.Random, kind: Topology, rows: int, columns: int, count: int) -> tuple[Codes, list[int | None]]:
    """Positions of one size: real ones, some with holes, flags, wrong numbers, wrong codes, wrong or unknown totals."""
    boards, totals = [], []
    for _ in range(count):
        make = rng.choice([flood, random_reveal])
        mines = rng.randint(0, rows * columns // 3)
        board = make(rng, rows, columns, mines, rng.choice([0.05, 0.3, 0.6, 0.9]), kind).board
        codes, total = board.to_array(), board.total_mines
        for code in rng.choices(list(ODDITIES), list(ODDITIES.values()), k=rng.choice([0, 0, 1, 3])):
            codes[rng.randrange(rows), rng.randrange(columns)] = code
        if rng.random() < 0.3:
            total = rng.choice([None, None, -2, 0, rows * columns, rows * columns + 1, 2**62, (total or 0) + 1])
        boards.append(codes)
        totals.append(total)
    return np.array(boards), totals


def one_by_one(
    codes: Codes,
    totals: Sequence[int | None],
    kind: Topology,
    flags: Literal["trust", "ignore"] = "trust",
    density: Fraction | None = None,
    engine: mp.Engine = KERNEL,
) -> list[mp.Analysis | mp.MineproofError]:
    results: list[mp.Analysis | mp.MineproofError] = []
    for cells, total in zip(codes, totals, strict=True):
        try:
            board = mp.Board.from_array(cells, total, kind)
            results.append(mp.analyze(board, flags=flags, density=density, engine=engine))
        except mp.MineproofError as error:
            results.append(error)
    return results


def check_same(many: mp.ManyAnalyses, single: Sequence[mp.Analysis | mp.MineproofError]) -> Counter[int]:
    """The same bits as answers of `analyze`, and the same errors; returns how often each status was met."""
    assert len(many) == len(single)
    for number, expected in enumerate(single):
        status, odds, sure = many.status[number], many.mine_probability[number], many.certainty[number]
        if isinstance(expected, mp.Analysis):
            assert status == OK
            assert odds.tobytes() == expected.mine_probability.tobytes()
            assert many.log10_layouts[number] == expected.log10_layouts
            for cells, code in ((expected.safe, SAFE), (expected.mines, MINE), (expected.undecided, UNDECIDED)):
                assert set(map(tuple, np.argwhere(sure == code).tolist())) == set(cells)
            assert many.error(number) is None
        else:
            assert mp.PositionStatus(status).name.lower() == expected.code
            assert np.isnan(odds).all()
            assert not sure.any()
            assert np.isnan(many.log10_layouts[number])
            error = many.error(number)
            assert type(error) is type(expected)
            assert str(error) == str(expected)
    return Counter(many.status.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize("size", [(1, 1), (1, 7), (2, 2), (5, 6), (9, 9), (16, 30)])
def test_answers_are_those_of_analyze(kind: Topology, size: tuple[int, int]) -> None:
    rng = random.Random(f"{kind} {size}")
    codes, totals = strange(rng, kind, *size, examples(60 if size == (16, 30) else 120, 0.4))
    statuses: Counter[int] = Counter()
    for flags in ("trust", "ignore"):
        for density in (None, Fraction(1, 5)):
            single = one_by_one(codes, totals, kind, flags, density)
            for threads in (1, 2, 5):
                many = mp.analyze_many(
                    codes, totals, topology=kind, flags=flags, density=density, threads=threads, engine=KERNEL
                )
                statuses += check_same(many, single)
    assert set(statuses) == {OK, SYNTAX, CONTRADICTION}


@pytest.mark.slow
def test_small_positions_of_every_oddity() -> None:
    rng = random.Random(13)
    groups: dict[tuple[Topology, int, int], list[mp.Board]] = {}
    for _ in range(4000):
        board = small(rng).board
        groups.setdefault((board.topology, board.rows, board.columns), []).append(board)
    statuses: Counter[int] = Counter()
    for (kind, _, _), boards in groups.items():
        codes = np.array([board.to_array() for board in boards])
        single = one_by_one(codes, [board.total_mines for board in boards], kind)
        statuses += check_same(mp.analyze_many(boards, threads=2, engine=KERNEL), single)
    assert statuses.total() == 4000
    assert min(statuses[OK], statuses[CONTRADICTION]) > 200


def test_the_reference_answers_too() -> None:
    codes, totals = strange(random.Random(7), "hex", 4, 5, 40)
    many = mp.analyze_many(codes, totals, topology="hex", flags="ignore", engine=REFERENCE)
    check_same(many, one_by_one(codes, totals, "hex", "ignore", engine=REFERENCE))


def test_odds_that_doubles_do_not_suffice_for_are_counted_exactly() -> None:
    codes = np.array([[[1, -1, -1, -1, 2, -1]], [[1, -1, -1, -1, 1, -1]], [[2, -1, -1, -1, 1, -1]]], dtype=np.int8)
    density = Fraction(1, 10**30)
    asked = mp.Board.from_array(codes[1])
    assert not _kernel.analyze(
        _kernel.Question(_kernel.Geometry(asked.geometry.table), asked.codes, None, 1e-30),
        _kernel.Limits(60, 10**7, 2**30, None),
    ).precise, "the case is not met"
    many = mp.analyze_many(codes, density=density, engine=KERNEL)
    check_same(many, one_by_one(codes, [None] * 3, "grid", density=density))
    assert many.status.tolist() == [OK, OK, CONTRADICTION]


# what may be given


def test_boards_bring_their_totals_and_their_topology() -> None:
    boards = [mp.Board.parse("1#/##", total_mines=total, topology="hex") for total in (1, 2, None)]
    check_same(mp.analyze_many(boards), [mp.analyze(board) for board in boards])
    with pytest.raises(ValueError, match="cannot be combined with Board objects"):
        mp.analyze_many(boards, 1)
    with pytest.raises(ValueError, match=r"expected one size and topology, got 2 × 2 \(hex\) and 2 × 2 \(grid\)"):
        mp.analyze_many([*boards, mp.Board.parse("1#/##")])
    with pytest.raises(TypeError, match="board must be a Board, got list"):
        mp.analyze_many([*boards, [[1, -1], [-1, -1]]])  # type: ignore[arg-type]


@pytest.mark.parametrize("total", [1, np.int32(1), [1, 1], (1, 1), np.array([1, 1], dtype=np.uint64), [1, np.int8(1)]])
def test_one_total_or_one_for_each(total: npt.ArrayLike) -> None:
    codes = np.array([[[1, -1], [-1, -1]]] * 2)
    assert mp.analyze_many(codes, total).log10_layouts.tolist() == [pytest.approx(np.log10(3))] * 2


def test_totals_that_are_unknown() -> None:
    codes = np.array([[[1, -1], [-1, -1]]] * 3)
    for total in ([1, None, -1], np.array([1, -1, -1])):
        analyses = mp.analyze_many(codes, total)
        assert np.isnan(analyses.mine_probability).sum(axis=(1, 2)).tolist() == [1, 4, 4]
    assert np.isnan(mp.analyze_many(codes, -1).mine_probability).all()


@pytest.mark.parametrize("total", [[1], [1, 1, 1], [[1, 1]], []])
def test_totals_of_another_number(total: npt.ArrayLike) -> None:
    with pytest.raises(ValueError, match=r"^total_mines: expected one number or an array \(2,\), got shape"):
        mp.analyze_many([[[1, -1]], [[1, -1]]], total)


@pytest.mark.parametrize("kind", ["int16", "int64", "uint8", "uint64"])
def test_codes_of_any_width(kind: str) -> None:
    codes = np.array([[[1, 1], [2, 1]], [[1, 1], [200, 1]]]).astype(kind)
    analyses = mp.analyze_many(codes)
    assert analyses.status.tolist() == [CONTRADICTION, SYNTAX]
    assert str(analyses.error(1)) == "(1,0): expected cell code 0-8, -1, -2 or -9, got 200"


def test_codes_that_are_not_in_row_order() -> None:
    codes = np.array([[[1, -1, -1], [-1, -1, 0]]], dtype=np.int8)
    turned = np.asfortranarray(codes)
    assert not turned.flags.c_contiguous
    analyses, expected = mp.analyze_many(turned, 1), mp.analyze_many(codes, 1)
    assert analyses.mine_probability.tobytes() == expected.mine_probability.tobytes()


@pytest.mark.parametrize("boards", NO_POSITIONS)
def test_boards_that_are_no_array_of_positions(boards: npt.ArrayLike) -> None:
    with pytest.raises(ValueError, match=r"^(boards: )?expected .*, got"):
        mp.analyze_many(boards)


def test_no_positions() -> None:
    analyses = mp.analyze_many(np.zeros((0, 3, 4), dtype=np.int8), 1)
    assert (len(analyses), analyses.mine_probability.shape, analyses.safe.shape) == (0, (0, 3, 4), (0, 3, 4))
    with pytest.raises(ValueError, match="number must be "):
        analyses.error(0)


# arrays that are used again


def test_out_is_filled_and_handed_back() -> None:
    first = np.array([[[1, -1], [-1, -1]], [[4, -1], [-1, -1]]], dtype=np.int8)
    second = first[::-1].copy()
    out = mp.analyze_many(first, 1)
    odds = out.mine_probability
    assert mp.analyze_many(second, 1, out=out) is out
    assert out.mine_probability is odds
    assert out.status.tolist() == [CONTRADICTION, OK]
    assert odds.tobytes() == mp.analyze_many(second, 1).mine_probability.tobytes()
    second[:] = 0  # an error is about what was asked
    assert "the 4 at (0,0)" in str(out.error(0))
    assert out.error(1) is None


def test_arrays_of_ones_own() -> None:
    arrays = np.zeros((2, 1, 3)), np.zeros((2, 1, 3), np.int8), np.zeros(2, np.int8), np.zeros(2)
    analyses = mp.analyze_many([[[1, -1, 1]], [[1, -1, 0]]], 1, out=mp.ManyAnalyses(*arrays))
    assert arrays[2].tolist() == [OK, CONTRADICTION]
    assert analyses.mines[0].tolist() == [[False, True, False]]


def test_arrays_that_cannot_be_filled() -> None:
    codes = np.array([[[1, -1, 1]]] * 2, dtype=np.int8)
    good = mp.analyze_many(codes, 1)
    arrays = {name: getattr(good, name) for name in ("mine_probability", "certainty", "status", "log10_layouts")}
    for name, array in arrays.items():
        read_only = array.copy()
        read_only.flags.writeable = False
        for wrong in (array.astype(np.float32), array[:1], np.repeat(array, 2, axis=0)[::2], read_only, None):
            with pytest.raises(ValueError, match=rf"^out\.{name}: expected .*, got"):
                mp.analyze_many(codes, 1, out=mp.ManyAnalyses(**{**arrays, name: wrong}))
    with pytest.raises(TypeError, match="out must be a ManyAnalyses, got dict"):
        mp.analyze_many(codes, 1, out=arrays)  # type: ignore[arg-type]


# limits


@pytest.mark.slow
def test_a_position_that_is_too_wide_keeps_no_other_from_its_answer() -> None:
    wide = too_wide()
    codes = np.stack([wide.to_array(), np.full_like(wide.to_array(), -1)])
    budget = mp.Budget(states=1000)
    for threads in (1, 2):
        analyses = mp.analyze_many(codes[[1, 0, 1]], wide.total_mines, threads=threads, budget=budget)
        assert analyses.status.tolist() == [OK, BUDGET, OK]
        assert np.isnan(analyses.mine_probability[1]).all()
        error = analyses.error(1)
        assert isinstance(error, mp.BudgetExceeded)
        with pytest.raises(mp.BudgetExceeded) as caught:
            mp.analyze(wide, budget=budget)
        assert error.limit == caught.value.limit
        assert str(error) == "No result within the budget for each position: 1,000 states."


def test_the_seconds_are_for_each_position() -> None:
    wide = too_wide()
    budget = mp.Budget(seconds=0.05, states=2**60)
    analyses = mp.analyze_many(np.stack([wide.to_array()] * 3), wide.total_mines, threads=2, budget=budget)
    errors = [analyses.error(number) for number in range(3)]
    assert {error.limit for error in errors if isinstance(error, mp.BudgetExceeded)} <= {"seconds", "width"}
    assert analyses.status.tolist() == [BUDGET] * 3


@pytest.mark.parametrize("engine", [KERNEL, REFERENCE])
@pytest.mark.parametrize("threads", [1, 3])
def test_cancelled(engine: mp.Engine, threads: int) -> None:
    codes = np.array([[[1, -1, -1]]] * 100, dtype=np.int8)
    with pytest.raises(mp.BudgetExceeded, match=r"^Cancelled") as caught:
        mp.analyze_many(codes, 1, threads=threads, budget=mp.Budget(cancelled=lambda: True), engine=engine)
    assert caught.value.limit == "cancelled"


@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_in_the_middle_of_a_long_answer(threads: int) -> None:
    wide = too_wide()
    requests: list[float] = []

    def cancelled() -> bool:
        requests.append(time.monotonic())
        return len(requests) > 2

    budget = mp.Budget(seconds=600, states=2**60, cancelled=cancelled)
    with pytest.raises(mp.BudgetExceeded, match=r"^Cancelled after"):
        mp.analyze_many(np.stack([wide.to_array()] * 4), wide.total_mines, threads=threads, budget=budget)
    assert len(requests) == 3


def test_what_a_callable_raises_comes_out() -> None:
    def cancelled() -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        mp.analyze_many([[[1, -1, -1]]] * 9, 1, budget=mp.Budget(cancelled=cancelled), engine=KERNEL)


def test_a_callable_may_ask_about_positions_itself() -> None:
    codes = np.array([[[1, -1, -1]]] * 3000, dtype=np.int8)
    inner: list[mp.ManyAnalyses] = []

    def cancelled() -> bool:
        inner.append(mp.analyze_many(codes[:50], 1, threads=4))
        return False

    analyses = mp.analyze_many(codes, 1, threads=2, budget=mp.Budget(cancelled=cancelled))
    assert inner
    assert analyses.mine_probability[:50].tobytes() == inner[0].mine_probability.tobytes()
    assert (analyses.mine_probability == analyses.mine_probability[0])[:, 0, 1:].all()


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals as POSIX has them")
def test_ctrl_c() -> None:
    wide = too_wide()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

    def ask() -> None:
        timer.start()
        mp.analyze_many(
            np.stack([wide.to_array()] * 4), wide.total_mines, threads=2, budget=mp.Budget(seconds=600, states=2**60)
        )

    with pytest.raises(KeyboardInterrupt):  # before the call, perhaps, where the machine is busy
        ask()
    timer.join()
    assert mp.analyze_many([[[1, -1]]], 1).status.tolist() == [OK]


def test_many_callers_at_once() -> None:
    codes, totals = strange(random.Random(3), "grid", 9, 9, 300)
    expected = mp.analyze_many(codes, totals, threads=1)
    results: list[mp.ManyAnalyses] = []

    def ask() -> None:
        results.append(mp.analyze_many(codes, totals, threads=2))

    callers = [threading.Thread(target=ask) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert len(results) == 4
    for result in results:
        assert result.mine_probability.tobytes() == expected.mine_probability.tobytes()
        assert result.certainty.tobytes() == expected.certainty.tobytes()


# names


def test_statuses_are_those_of_the_kernel_and_of_errors() -> None:
    codes = [member.value for member in _kernel.BatchStatus]
    assert codes[:-1] == list(mp.PositionStatus)
    assert [member.name for member in _kernel.Limit] == ["none", *LIMITS[1:6]]
    raised = (mp.BoardSyntaxError, mp.ContradictionError, mp.BudgetExceeded)
    assert [item.name.lower() for item in mp.PositionStatus][1:] == [item.code for item in raised]


def test_repr() -> None:
    analyses = mp.analyze_many([[[1, -1]], [[2, -1]]])
    assert repr(analyses) == "<ManyAnalyses of 2 positions of 2 × 1: 1 answered>"
