"""The kernel answers as the reference does: to the last layout, fraction and verdict, on positions of real size.

The reference copes with games up to 40 × 60. Beyond it the kernel has a second opinion of its own: floats come from
polynomials in doubles or, on large boards, from a contour integral, while `exact` counts modulo primes; the two share
the elimination and nothing after it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest

from mineproof.board.board import Board
from mineproof.board.geometry import Topology
from mineproof.errors import ContradictionError
from support.checks import SAFE, UNDECIDED, Counted, Solve, run, with_verdict
from support.effort import examples
from support.engines import KERNEL, REFERENCE
from support.oracle import ABSENT, COVERED, FLAGGED, Cell
from support.pieces import ONE_OR_FOUR, ONE_OR_THREE, ONE_OR_TWO, glued, two_faced
from support.positions import CLASSIC, Position, flood, random_reveal, stuck

pytestmark = pytest.mark.parity

ROUNDING = 1e-12
ON_CONTOUR = 3000  # with more undecided cells next to numbers than this, and a total, the kernel integrates

every_kind = pytest.mark.parametrize("kind", CLASSIC)


# the same positions, asked of both engines


def check_same(board: Board, density: Fraction | None = None) -> None:
    native, plain = run(KERNEL.solve, board, density), run(REFERENCE.solve, board, density)
    assert native.verdicts() == plain.verdicts()
    assert native.layouts() == plain.layouts()
    assert math.isclose(native.log10_layouts(), plain.log10_layouts(), rel_tol=ROUNDING, abs_tol=ROUNDING)
    np.testing.assert_allclose(native.mine_probability(), plain.mine_probability(), rtol=0, atol=ROUNDING)
    if board.total_mines is not None or density is not None:
        for index in undecided(native):
            assert native.exact(index) == plain.exact(index)


def check_all_questions(board: Board) -> None:
    """With the total, without it, and with a chance for each cell instead."""
    check_same(board)
    unbounded = board.replace({}, total_mines=None)
    check_same(unbounded)
    check_same(unbounded, density=Fraction(board.total_mines or 1, board.geometry.cells + 1))


def undecided(counted: Counted) -> list[int]:
    return [index for index, verdict in enumerate(counted.verdicts()) if verdict == UNDECIDED]


def certainly_safe(board: Board) -> Iterable[Cell]:
    return with_verdict(board, run(KERNEL.solve, board), SAFE)


SIZES = {  # rows, columns, mines and how many positions of each sort
    "beginner": (9, 9, 10, 12),
    "intermediate": (16, 16, 40, 8),
    "expert": (16, 30, 99, 6),
    "tall": (50, 12, 120, 4),
    "large": (40, 60, 480, 2),
}
every_size = pytest.mark.parametrize("size", SIZES)


@every_kind
@every_size
def test_stuck_games(kind: Topology, size: str) -> None:
    rows, columns, mines, count = SIZES[size]
    for seed in range(examples(count)):
        check_all_questions(stuck(random.Random(seed), rows, columns, mines, certainly_safe, seed % 4, kind).board)


@every_kind
@every_size
@pytest.mark.parametrize("share", [0.2, 0.6])
def test_flood_opened_games(kind: Topology, size: str, share: float) -> None:
    rows, columns, mines, count = SIZES[size]
    for seed in range(examples(count)):
        check_all_questions(flood(random.Random(seed), rows, columns, mines, share, kind).board)


@every_kind
@every_size
@pytest.mark.parametrize("share", [0.05, 0.3, 0.45, 0.7])
def test_cells_opened_at_random(kind: Topology, size: str, share: float) -> None:
    rows, columns, mines, count = SIZES[size]
    for seed in range(examples(-(-count // 2))):
        check_all_questions(random_reveal(random.Random(seed), rows, columns, mines, share, kind).board)


@every_kind
def test_flags_and_holes(kind: Topology) -> None:
    rng = random.Random(5)
    for _ in range(examples(20)):
        position = random_reveal(rng, 16, 16, 50, 0.4, kind)
        covered = list(position.board.cells(COVERED))
        flags = {cell: FLAGGED for cell in covered if cell in position.ground.mines and rng.random() < 0.4}
        holes = {cell: ABSENT for cell in covered if cell in position.ground.safe and rng.random() < 0.2}
        check_all_questions(position.board.replace(flags | holes))


@every_kind
def test_the_same_boards_are_impossible(kind: Topology) -> None:
    rng = random.Random(6)
    outcomes = [
        _compare_outcomes(_tampered(rng, random_reveal(rng, 12, 12, 30, 0.4, kind))) for _ in range(examples(200))
    ]
    assert min(Counter(outcomes)[outcome] for outcome in ("possible", "numbers", "total")) >= examples(15)


def _tampered(rng: random.Random, position: Position) -> Board:
    """A board with a number that may lie, or a total that may be wrong."""
    board = position.board
    numbers = [cell for cell in sorted(position.ground.safe) if 0 <= board[cell] < 8]
    if rng.random() < 0.4:
        fewest, most = totals_in_reach(board)
        return board.replace({}, total_mines=rng.choice([fewest - 1, fewest, most, most + 1]))
    lies = rng.sample(numbers, rng.randint(1, 3))
    return board.replace({cell: max(0, board[cell] + rng.choice([-1, 1])) for cell in lies})


def _compare_outcomes(board: Board) -> str:
    (outcome, words), (expected, same_words) = _outcome(KERNEL.solve, board), _outcome(REFERENCE.solve, board)
    assert outcome == expected
    assert outcome != "total" or words == same_words
    return outcome


def _outcome(solve: Solve, board: Board) -> tuple[str, str]:
    try:
        run(solve, board)
    except ContradictionError as error:
        return "total" if error.uses_total else "numbers", str(error)
    return "possible", ""


# large boards: the contour integral against modular counting


def check_precise(board: Board) -> Counted:
    """Every float is the fraction beside it, and the fractions add up to the total."""
    counted = run(KERNEL.solve, board)
    text = counted.mine_probability()
    exact = {index: counted.exact(index) for index in undecided(counted)}
    for index, fraction in exact.items():
        assert 0 < fraction < 1
        assert abs(text[index] - float(fraction)) <= ROUNDING
    certain = int(np.count_nonzero(text == 1))
    assert certain + sum(fraction * times for fraction, times in Counter(exact.values()).items()) == board.total_mines
    assert math.isclose(counted.log10_layouts(), math.log10(counted.layouts()), rel_tol=ROUNDING, abs_tol=1e-10)
    return counted


def coast(board: Board) -> int:
    """How many cells next to numbers are undecided as long as the total is unknown."""
    open_questions = map(board.cell, undecided(run(KERNEL.solve, board.replace({}, total_mines=None))))
    return sum(any(board[other] >= 0 for other in board.neighbours(cell)) for cell in open_questions)


def totals_in_reach(board: Board) -> tuple[int, int]:
    """The fewest and the most mines that fit, as told when a total is out of reach: each open cell is no mine."""
    present = board.geometry.cells - len(list(board.cells(ABSENT)))
    with pytest.raises(ContradictionError, match="but the board") as caught:
        run(KERNEL.solve, board.replace({}, total_mines=present))
    assert caught.value.totals is not None
    return caught.value.totals


def tight_totals(board: Board) -> list[int]:
    fewest, most = totals_in_reach(board)
    return [fewest, fewest + 1, fewest + 2, fewest + 9, most - 9, most - 2, most - 1, most]


@every_kind
@pytest.mark.parametrize(
    ("size", "mines", "share"), [(60, 720, 0.35), (60, 900, 0.1), (100, 2000, 0.4), (60, 1440, 0.6)]
)
def test_large_boards(kind: Topology, size: int, mines: int, share: float) -> None:
    check_precise(random_reveal(random.Random(size), size, size, mines, share, kind).board)


@every_kind
def test_a_large_flood_opened_board(kind: Topology) -> None:
    check_precise(flood(random.Random(1), 90, 90, 1700, 0.5, kind).board)


@every_kind
@pytest.mark.parametrize("share", [0.08, 0.35, 0.5])
def test_tight_totals(kind: Topology, share: float) -> None:
    board = random_reveal(random.Random(8), 60, 60, 880, share, kind).board
    for total in tight_totals(board):
        check_precise(board.replace({}, total_mines=total))


@every_kind
def test_no_sea(kind: Topology) -> None:
    board = random_reveal(random.Random(9), 60, 60, 720, 0.3, kind).board
    sea = {cell: ABSENT for cell in board.cells(COVERED) if all(board[other] < 0 for other in board.neighbours(cell))}
    assert sea
    landlocked = board.replace(sea)
    fewest, most = totals_in_reach(landlocked)
    for total in [*tight_totals(landlocked), (fewest + most) // 2]:
        check_precise(landlocked.replace({}, total_mines=total))


@every_kind
def test_the_contour(kind: Topology) -> None:
    board = random_reveal(random.Random(10), 110, 110, 2420, 0.3, kind).board
    assert coast(board) > ON_CONTOUR
    fewest, most = totals_in_reach(board)
    for total in (2420, fewest, fewest + 1, fewest + 9, most - 2, most):
        counted = check_precise(board.replace({}, total_mines=total))
        assert float(np.nansum(counted.mine_probability())) == pytest.approx(total, abs=1e-8)


@every_kind
@pytest.mark.parametrize("size", [40, 110])
def test_totals_out_of_reach(kind: Topology, size: int) -> None:
    board = random_reveal(random.Random(10), size, size, size * size // 5, 0.3, kind).board
    fewest, most = totals_in_reach(board)
    for total in (fewest - 1, most + 1):
        with pytest.raises(ContradictionError) as caught:
            run(KERNEL.solve, board.replace({}, total_mines=total))
        assert caught.value.uses_total


# mine counts with gaps

MANY_PIECES = 760  # of four cells each


@pytest.mark.parametrize("pieces", [150, MANY_PIECES])
@pytest.mark.parametrize("share", [0, 0.02, 0.5, 0.99, 1])
def test_pieces_of_one_or_three(pieces: int, share: float) -> None:
    """Some pieces hold three mines, the others one, and any may: C(pieces, some) layouts."""
    some = round(pieces * share)
    board = glued([ONE_OR_THREE] * pieces, total_mines=pieces + 2 * some)
    assert coast(board) == 4 * pieces
    counted = check_precise(board)
    assert counted.layouts() == math.comb(pieces, some)
    text = counted.mine_probability().reshape(board.rows, board.columns)
    assert text[0, 0] == pytest.approx(some / pieces, abs=ROUNDING)
    assert text[1, 2] == pytest.approx(1 - some / pieces, abs=ROUNDING)


@pytest.mark.parametrize("pieces", [10, 150, MANY_PIECES])
def test_totals_in_a_gap(pieces: int) -> None:
    for total in (pieces - 1, pieces + 1, 2 * pieces - 1, 3 * pieces - 1, 3 * pieces + 1):
        with pytest.raises(ContradictionError) as caught:
            run(KERNEL.solve, glued([ONE_OR_THREE] * pieces, total_mines=total))
        assert caught.value.totals == (pieces, 3 * pieces)


@pytest.mark.parametrize("sea", [0, 1, 40])
def test_many_pieces_with_gaps(sea: int) -> None:
    pieces = [ONE_OR_TWO, ONE_OR_THREE, ONE_OR_FOUR] * 50
    board = glued(pieces, sea)
    fewest, most = totals_in_reach(board)
    assert (fewest, most) == (150, 450 + sea)
    for total in (fewest, fewest + 1, 210, 300, 390, most - 1, most):
        bounded = board.replace({}, total_mines=total)
        check_precise(bounded)
        check_same(bounded)


@pytest.mark.parametrize("sea", [5, 40, 100, 300])
@pytest.mark.parametrize("links", [60, 130, 240, MANY_PIECES])
def test_two_counts_far_apart(links: int, sea: int) -> None:
    """One piece holds few mines or many, so the totals between are had only with a very full or a very empty sea.

    The saddle of the contour lies between the two counts, where no layout is, and what the integral is after may be
    far smaller than the terms it is summed from.
    """
    board = glued([two_faced(links)], sea)
    first, last = min(board.cells(COVERED)), max(board.cells(COVERED))
    for total in _some_totals(links, sea):
        bounded = board.replace({}, total_mines=total)
        few, many = (_choose(sea, total - held) for held in (links, 3 * links))
        counted = check_precise(bounded)
        assert counted.layouts() == few + many
        assert counted.exact(board.index(first)) == Fraction(many, few + many)
        in_sea = _choose(sea - 1, total - links - 1) + _choose(sea - 1, total - 3 * links - 1)
        assert counted.exact(board.index(last)) == Fraction(in_sea, few + many)


def _some_totals(links: int, sea: int) -> list[int]:
    """Totals at both ends and in the middle of what the sea makes of either count."""
    steps = [0, 1, 2, sea // 4, sea // 2, sea - sea // 4, *range(max(0, sea - 9), sea + 1)]
    return sorted({held + more for held in (links, 3 * links) for more in {*steps, *(sea - step for step in steps)}})


def _choose(cells: int, mines: int) -> int:
    return math.comb(cells, mines) if mines >= 0 else 0
