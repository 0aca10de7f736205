"""Decide how far a board extends: does an outer row or column belong to it, and does the one beyond?

Both are the same question about a *strip* beside a block of cells. Features of the strip (evidence of the network,
looks that the block has too, lines on both sides, rules that it breaks or mends) give its chance by logistic
regression. `tools/reader/calibrate.py` fitted the weights on drawn boards. A change needs a chance beyond 1/2; what is
close to it becomes a question about the size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.board_fit import SIDES, BoardFit
from mineproof.screens.cell_names import ALIKE, COVERED, ZERO, breaches
from mineproof.screens.lattice import LOOK, MARGIN, Looks
from mineproof.screens.network import MARKS
from mineproof.screens.patches import CHANGE, Patch, evidence_of

Floats = NDArray[np.floating]
Ints = NDArray[np.int64]
MAX_REFERENCES = 80  # looks of the block that a strip is compared with
FEATURES: Final = (
    "evidence", "doubtful", "known", "distance", "plain", "outer line", "inner line", "same beyond", "mended",
    "broken", "edge", "known and plain", "plain and outer line",
)  # fmt: skip
WEIGHTS: Final = (
    3.88, -0.32, 2.51, -2.03, -1.1, 2.24, -1.71, -1.13, 0.71, -1.8, 0.9, 0.63, 1.09, -0.14,
)  # fmt: skip; the last is the constant


@dataclass(frozen=True, slots=True)
class Strip:
    """A row or column beside a block, turned so that it lies above it."""

    own: Patch  # 1 × n
    beyond: Patch | None  # the next strip outwards, if it is in the picture
    block: Patch
    marks: Ints  # of the block


def turned(values: NDArray[np.generic], side: str, looks: bool = False) -> NDArray[np.generic]:
    """Rows and columns turned so that ``side`` is up; ``looks`` have pixels in the next two axes."""
    if side in {"left", "right"}:
        values = values.swapaxes(0, 1)
        values = values.swapaxes(2, 3) if looks else values
    if side in {"down", "right"}:
        values = values[::-1, :, ::-1] if looks else values[::-1]
    return values


def turned_patch(there: Patch, side: str) -> Patch:
    return Patch(
        turned(there.looks, side, looks=True),  # type: ignore[arg-type]
        turned(there.chances, side),  # type: ignore[arg-type]
        turned(there.flat, side),  # type: ignore[arg-type]
        turned(there.plain, side),  # type: ignore[arg-type]
    )


def outer_strip(board: BoardFit, marks: Ints, side: str) -> Strip | None:
    """The outer row or column of a board; None if nothing would be left of it."""
    whole = turned_patch(board.wider(side), side)
    has_beyond = board.room(side) > 0
    own = whole.cut(int(has_beyond), 0, 1, whole.flat.shape[1])
    block = whole.cut(1 + int(has_beyond), 0, whole.flat.shape[0] - 1 - int(has_beyond), whole.flat.shape[1])
    if not len(block.flat):
        return None
    beyond = whole.cut(0, 0, 1, whole.flat.shape[1]) if has_beyond else None
    return Strip(own, beyond, block, turned(marks, side)[1:])  # type: ignore[arg-type]


def strip_beyond(board: BoardFit, marks: Ints, side: str) -> Strip | None:
    """The row or column beside a board; None at the edge of what was looked at."""
    if not board.room(side):
        return None
    wider = board.resized(side, 1)
    whole = turned_patch(wider.wider(side), side)
    has_beyond = wider.room(side) > 0
    columns = whole.flat.shape[1]
    own, block = whole.cut(int(has_beyond), 0, 1, columns), turned_patch(board.inner, side)
    return Strip(own, whole.cut(0, 0, 1, columns) if has_beyond else None, block, turned(marks, side))  # type: ignore[arg-type]


def features(strip: Strip) -> Floats:
    """The numbers named in `FEATURES`."""
    evidence = evidence_of(strip.own)[0]
    nearest, distance = _nearest(strip)
    known = distance < ALIKE
    own_marks = np.where(known, strip.marks.ravel()[nearest], _network_marks(strip.own))
    mended, broken = _rules(own_marks, strip.marks)
    plain = strip.own.plain[0]
    outer, inner = _lines(strip.own.looks[0])
    same = 0.5 if strip.beyond is None else float((_difference(strip.own, strip.beyond) < ALIKE).mean())
    return np.array([
        evidence.mean() / 3, (evidence < -0.5).mean(), known.mean(), min(1.0, float(distance.mean()) * 3), plain.mean(),
        outer, inner, same, mended, broken, float(strip.beyond is None), (known & plain).mean(), plain.mean() * outer,
    ])  # fmt: skip


def _small(there: Patch) -> Floats:
    inner = there.looks[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(-1, 10, 2, 10, 2, 3)
    small: Floats = inner.mean((2, 4)).reshape(len(inner), -1)
    return small


def _nearest(strip: Strip) -> tuple[Ints, Floats]:
    """For each cell of the strip the cell of the block that looks most like it, and how far their looks are apart."""
    own, block = _small(strip.own), _small(strip.block)
    step = max(1, len(block) // MAX_REFERENCES)
    near = np.arange(min(len(block), 2 * strip.own.flat.shape[1]))  # the first two rows, and a sample of the others
    some = np.union1d(near, np.arange(0, len(block), step))
    apart = np.stack([np.sqrt(((block[some] - look) ** 2).mean(1)) for look in own])
    best = apart.argmin(1)
    return some[best], apart[np.arange(len(own)), best]


def _difference(first: Patch, second: Patch) -> Floats:
    return np.sqrt(((_small(first) - _small(second)) ** 2).mean(1))  # type: ignore[no-any-return]


def _network_marks(there: Patch) -> Ints:
    marks: Ints = there.chances[0, :, : len(MARKS) - 1].argmax(-1)
    return np.where(marks == ZERO, COVERED, marks)  # a blank that looks like none of the board's: no mine is denied


def _rules(own: Ints, block: Ints) -> tuple[float, float]:
    """Breaches of the block that the strip mends, and those that it brings, for each of its cells."""
    alone = breaches(block)[0]
    together = breaches(np.concatenate([own[None], block]))
    fresh = together[0].sum() + np.maximum(0, together[1] - alone).sum()
    return float(np.maximum(0, alone - together[1]).mean()), float(fresh) / len(own)


def _lines(looks: Looks) -> tuple[float, float]:
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
    values = np.append(features(strip), 1.0)
    return float(1 / (1 + np.exp(-float((values * np.array(WEIGHTS)).sum()))))


def changes(board: BoardFit, marks: Ints) -> dict[tuple[str, int], float]:
    """By side and change (-1: without its outer strip, 1: with the one beyond): the chance that the change is right."""
    found: dict[tuple[str, int], float] = {}
    for side in SIDES:
        outer, beyond = outer_strip(board, marks, side), strip_beyond(board, marks, side)
        if outer is not None:
            found[side, -1] = 1 - chance(outer)
        if beyond is not None:
            found[side, 1] = chance(beyond)
    return found


def best_change(board: BoardFit, marks: Ints, smallest: int) -> tuple[str, int] | None:
    """The change that is most likely right, if it is more likely right than wrong and leaves a board."""
    likely = {
        (side, change): chance
        for (side, change), chance in changes(board, marks).items()
        if chance > 0.5 and (change > 0 or (board.rows if side in {"up", "down"} else board.columns) > smallest)
    }
    return max(likely, key=likely.__getitem__, default=None)
