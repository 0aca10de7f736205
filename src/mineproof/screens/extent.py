"""Decide how far a board extends: does an outer row or column belong to it, and does the one beyond?

Both are the same question about a *strip* beside a block of cells. Features of the strip (evidence of the network,
looks that the block has too, lines on both sides, rules that it breaks or repairs) give its chance by logistic
regression. `tools/reader/calibrate.py` fitted the weights on drawn boards. A change needs a chance beyond 1/2; what is
close to it becomes a question about the size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.board_fit import SIDES, BoardFit
from mineproof.screens.cell_names import ALIKE, COVERED, OPEN, ZERO, breaches
from mineproof.screens.lattice import LOOK, MARGIN, Looks
from mineproof.screens.network import MARKS
from mineproof.screens.patches import CHANGE, Patch, evidence_of

Floats = NDArray[np.floating]
Ints = NDArray[np.int64]
MAX_REFERENCES = 80  # looks of the block that a strip is compared with
FEATURES: Final = (
    "evidence", "doubtful", "known", "distance", "plain", "outer line", "inner line", "same beyond", "repaired",
    "broken", "edge", "known and plain", "plain and outer line", "both lines", "counting", "other ground",
)  # fmt: skip
WEIGHTS: Final = (
    4.77,
    0.06,
    2.86,
    -1.93,
    -1.93,
    2.68,
    -0.58,
    -0.65,
    1.12,
    -1.45,
    -0.23,
    -0.49,
    1.43,
    -0.24,
    -0.71,
    -1.9,
    0.03,
)  # fmt: skip; the last is the constant
LABEL_RUN = 4  # cells that each show one more than the one before, from which on they are labels
LABELS_CHANCE = 0.02  # that labels belong to the board


def logistic(values: Floats, weights: tuple[float, ...]) -> float:
    """The logistic function of a weighted sum; the last weight is the constant."""
    return float(1 / (1 + np.exp(-float((values * np.array(weights[:-1])).sum() + weights[-1]))))


@dataclass(frozen=True, slots=True)
class Strip:
    """A row or column beside a block, turned so that it lies above it."""

    own: Patch  # 1 × n
    beyond: Patch | None  # the next strip outwards, if it is in the picture
    block: Patch
    marks: Ints  # of the block


def turn(values: NDArray[np.generic], side: str, looks: bool = False) -> NDArray[np.generic]:
    """Rows and columns turned so that ``side`` is up; ``looks`` have pixels in the next two axes."""
    if side in {"left", "right"}:
        values = values.swapaxes(0, 1)
        values = values.swapaxes(2, 3) if looks else values
    if side in {"down", "right"}:
        values = values[::-1, :, ::-1] if looks else values[::-1]
    return values


def turn_patch(there: Patch, side: str) -> Patch:
    return Patch(
        turn(there.looks, side, looks=True),  # type: ignore[arg-type]
        turn(there.chances, side),  # type: ignore[arg-type]
        turn(there.flat, side),  # type: ignore[arg-type]
        turn(there.plain, side),  # type: ignore[arg-type]
    )


def outer_strip(board: BoardFit, marks: Ints, side: str) -> Strip | None:
    """The outer row or column of a board; None if nothing would be left of it."""
    whole = turn_patch(board.wider(side), side)
    has_beyond = board.room(side) > 0
    own = whole.cut(int(has_beyond), 0, 1, whole.flat.shape[1])
    block = whole.cut(1 + int(has_beyond), 0, whole.flat.shape[0] - 1 - int(has_beyond), whole.flat.shape[1])
    if not len(block.flat):
        return None
    beyond = whole.cut(0, 0, 1, whole.flat.shape[1]) if has_beyond else None
    return Strip(own, beyond, block, turn(marks, side)[1:])  # type: ignore[arg-type]


def strip_beyond(board: BoardFit, marks: Ints, side: str) -> Strip | None:
    """The row or column beside a board; None at the edge of what was looked at."""
    if not board.room(side):
        return None
    wider = board.resize(side, 1)
    whole = turn_patch(wider.wider(side), side)
    has_beyond = wider.room(side) > 0
    columns = whole.flat.shape[1]
    own, block = whole.cut(int(has_beyond), 0, 1, columns), turn_patch(board.inner, side)
    return Strip(own, whole.cut(0, 0, 1, columns) if has_beyond else None, block, turn(marks, side))  # type: ignore[arg-type]


def features(strip: Strip) -> Floats:
    """The numbers named in `FEATURES`."""
    evidence = evidence_of(strip.own)[0]
    nearest, distance = _nearest(strip)
    known = distance < ALIKE
    own_marks = np.where(known, strip.marks.ravel()[nearest], _network_marks(strip.own))
    repaired, broken = _rules(own_marks, strip.marks)
    plain = strip.own.plain[0]
    outer, inner = _line_shares(strip.own.looks[0])
    same = 0.5 if strip.beyond is None else float((_difference(strip.own, strip.beyond) < ALIKE).mean())
    return np.array([
        evidence.mean() / 3, (evidence < -0.5).mean(), known.mean(), min(1.0, float(distance.mean()) * 3), plain.mean(),
        outer, inner, same, repaired, broken, float(strip.beyond is None), (known & plain).mean(), plain.mean() * outer,
        outer * inner, _label_evidence(strip.own), _other_ground(strip),
    ])  # fmt: skip


def _small(there: Patch) -> Floats:
    inner = there.looks[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(-1, 10, 2, 10, 2, 3)
    small: Floats = inner.mean((2, 4)).reshape(len(inner), -1)
    return small


def _references(strip: Strip) -> Ints:
    """Cells of the block to compare with: those next to the strip and a sample of the others.

    The other outer rows and columns are left out, because they may not belong to the board either.
    """
    rows, columns = strip.block.flat.shape
    numbers = np.arange(rows * columns).reshape(rows, columns)
    if columns > 4:
        numbers = numbers[:, 1:-1]
    if rows > 4:
        numbers = numbers[:-1]
    rest = numbers[2:].ravel()
    return np.concatenate([numbers[:2].ravel(), rest[:: max(1, len(rest) // MAX_REFERENCES)]])


def _nearest(strip: Strip) -> tuple[Ints, Floats]:
    """For each cell of the strip the cell of the block that looks most like it, and how far their looks are apart."""
    own, some = _small(strip.own), _references(strip)
    block = _small(strip.block)[some]
    apart = np.stack([np.sqrt(((block - look) ** 2).mean(1)) for look in own])
    best = apart.argmin(1)
    return some[best], apart[np.arange(len(own)), best]


def _rims(there: Patch) -> Floats:
    """The colour of each cell at its rim."""
    looks = there.looks.reshape(-1, LOOK, LOOK, 3)[:, MARGIN + 2 : -MARGIN - 2, MARGIN + 2 : -MARGIN - 2]
    bands = (looks[:, :2], looks[:, -2:], looks[:, :, :2].swapaxes(1, 2), looks[:, :, -2:].swapaxes(1, 2))
    colours: Floats = np.median(np.concatenate([band.reshape(len(looks), -1, 3) for band in bands], 1), 1)
    return colours


def _other_ground(strip: Strip) -> float:
    """The share of cells whose rim has a colour that no cell of the block has there."""
    own, block = _rims(strip.own), _rims(strip.block)[_references(strip)]
    return float((np.abs(own[:, None] - block[None]).max(-1).min(1) > CHANGE).mean())


def _consecutive_numbers(there: Patch) -> NDArray[np.bool_]:
    """For each cell but the first: does it show one more than the cell before, as labels do?"""
    marks = there.chances[0, :, : len(MARKS) - 1].argmax(-1)
    steps: NDArray[np.bool_] = (np.diff(marks) == 1) & (marks[1:] < OPEN) & (marks[:-1] > ZERO)
    return steps


def _label_evidence(there: Patch) -> float:
    """How much the cells look like the labels of rows or columns, beyond what happens on boards."""
    steps = _consecutive_numbers(there)
    return 4 * max(0.0, float(steps.sum()) / max(1, min(8, len(steps))) - 0.2)


def _longest_run(steps: NDArray[np.bool_]) -> int:
    return max(map(len, "".join("x" if step else " " for step in steps).split()), default=0)


def _difference(first: Patch, second: Patch) -> Floats:
    return np.sqrt(((_small(first) - _small(second)) ** 2).mean(1))  # type: ignore[no-any-return]


def _network_marks(there: Patch) -> Ints:
    marks: Ints = there.chances[0, :, : len(MARKS) - 1].argmax(-1)
    return np.where(marks == ZERO, COVERED, marks)  # a blank that looks like none of the board's: no mine is denied


def _rules(own: Ints, block: Ints) -> tuple[float, float]:
    """Breaches of the block that the strip repairs, and those that it adds, for each of its cells."""
    alone = breaches(block)[0]
    together = breaches(np.concatenate([own[None], block]))
    fresh = together[0].sum() + np.maximum(0, together[1] - alone).sum()
    return float(np.maximum(0, alone - together[1]).mean()), float(fresh) / len(own)


def _line_shares(looks: Looks) -> tuple[float, float]:
    """The shares of cells with a change of colour just above them, and just below."""
    middle = slice(LOOK // 3, -LOOK // 3)
    shares = []
    for seen in (looks, looks[:, ::-1]):
        outside = seen[:, 0 : MARGIN - 1, middle].mean((1, 2))
        line = seen[:, MARGIN - 1 : MARGIN + 1, middle].mean((1, 2))
        inside = seen[:, MARGIN + 2 : 2 * MARGIN, middle].mean((1, 2))
        changes = (np.abs(outside - inside).max(-1) > CHANGE) | (np.abs(line - inside).max(-1) > CHANGE)
        shares.append(float(changes.mean()))
    return shares[0], shares[1]


def chance(strip: Strip) -> float:
    """The chance that a strip belongs to the board."""
    if _longest_run(_consecutive_numbers(strip.own)) >= LABEL_RUN:
        return LABELS_CHANCE
    return logistic(features(strip), WEIGHTS)


def changes(board: BoardFit, marks: Ints) -> dict[tuple[str, int], float]:
    """By side and change (-1: without its outer strip, 1: with the one beyond): the chance that the change is right."""
    chances: dict[tuple[str, int], float] = {}
    for side in SIDES:
        outer, beyond = outer_strip(board, marks, side), strip_beyond(board, marks, side)
        if outer is not None:
            chances[side, -1] = 1 - chance(outer)
        if beyond is not None:
            chances[side, 1] = chance(beyond)
    return chances


def best_change(board: BoardFit, marks: Ints, smallest: int) -> tuple[str, int] | None:
    """The change that is most likely right, if it is more likely right than wrong and leaves a board."""
    likely = {
        (side, change): chance
        for (side, change), chance in changes(board, marks).items()
        if chance > 0.5 and (change > 0 or (board.rows if side in {"up", "down"} else board.columns) > smallest)
    }
    return max(likely, key=likely.__getitem__, default=None)
