"""The layouts of boards of variants: all of them in order, or samples.

Rules on the shape of all mines judge each layout: listing leaves out those that they forbid, and samples are drawn from
the listed ones, of which there may be `MAX_LISTED` before judging.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from mineproof.analysis.problem_analysis import enumerate_solutions, sample_solutions
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.rng import Random
from mineproof.board.cells import Cell
from mineproof.engine.answers import Engine
from mineproof.errors import ContradictionError
from mineproof.variants.variant_analysis import analyze_variant, error_about_board
from mineproof.variants.variant_board import VariantBoard

if TYPE_CHECKING:
    from mineproof.variants.wire import VariantLayoutsJson


SCHEMA: Final = "mineproof/layouts/1"


def variant_layouts_json(board: VariantBoard, count: int) -> VariantLayoutsJson:
    """Return the head of a ``mineproof/layouts/1`` document about a board of a variant."""
    return {
        "schema": SCHEMA,
        "rows": board.rows,
        "columns": board.columns,
        "total_mines": board.total_mines,
        "count": str(count),
        "board": board.as_json(),
    }


def enumerate_variant_layouts(
    board: VariantBoard, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> Iterator[frozenset[Cell]]:
    """Yield every layout that fits, once, as the set of its mines, in a stable order.

    >>> [sorted(mines) for mines in enumerate_variant_layouts(VariantBoard.parse("1#/##", "liar"))]
    [[], [(1, 0), (1, 1)], [(0, 1), (1, 1)], [(0, 1), (1, 0)]]
    """
    _require_single(board)
    analyze_variant(board.position, board.variant, budget=budget, engine=engine)  # raises if no layout fits
    return (_mines(board, values) for values in _values(board, None, budget, engine))


def sample_variant_layouts(
    board: VariantBoard,
    count: int,
    *,
    seed: int = 0,
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[frozenset[Cell]]:
    """Yield independent samples of the layouts that fit; the same for the same seed and engine."""
    _require_single(board)
    count, seed = checks.whole("count", count, 0), checks.seed("seed", seed)
    problem = board.variant.problem(board.position, density)
    if not board.variant.shapes:
        try:
            drawn = sample_solutions(problem, count, seed=seed, budget=budget, engine=engine)
        except ContradictionError as error:
            raise error_about_board(error, board.variant, board.position) from None
        return (_mines(board, values) for values in drawn)
    analyze_variant(board.position, board.variant, density=density, budget=budget, engine=engine)
    listed = list(_values(board, density, budget, engine))
    whole = problem.whole_weights
    weights = []
    for values in listed:
        weight = 1
        for domain, value in zip(whole, values, strict=True):
            weight *= domain[value]
        weights.append(weight)
    return _draw_layouts(board, listed, list(accumulate(weights)), count, seed)


def _draw_layouts(
    board: VariantBoard, listed: list[tuple[int, ...]], sums: list[int], count: int, seed: int
) -> Iterator[frozenset[Cell]]:
    for number in range(count):
        place = Random(seed, number).below(sums[-1])
        yield _mines(board, listed[next(index for index, total in enumerate(sums) if place < total)])


def _values(
    board: VariantBoard,
    density: float | Fraction | Decimal | None,
    budget: Budget | float | None,
    engine: Engine | None,
) -> Iterator[tuple[int, ...]]:
    area, shapes = board.variant.area(board.position), board.variant.shapes
    for values in enumerate_solutions(board.variant.problem(board.position, density), budget=budget, engine=engine):
        if not shapes or all(rule.allows(area, _mines(board, values)) for rule in shapes):
            yield values


def _mines(board: VariantBoard, values: tuple[int, ...]) -> frozenset[Cell]:
    return frozenset(divmod(index, board.columns) for index, value in enumerate(values) if value)


def _require_single(board: VariantBoard) -> None:
    if board.variant.cell_max > 1:
        raise ValueError(
            "Layouts are listed for one mine in a cell. "
            "In Python, enumerate_solutions(board.variant.problem(board.position)) lists them."
        )
