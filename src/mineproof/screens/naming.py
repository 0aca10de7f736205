"""From looks to marks: cells that look alike are named together, and the rules decide between names.

1. **Groups.** Within one picture a mark looks the same wherever it stands. Cells are put into groups by their looks,
   and what the network says of the members is averaged.
2. **Grounds.** Whether an empty cell is covered or a zero no single look can tell: programs have grey on white and
   white on grey. But digits stand on open cells and flags on covered ones, so the rim of an empty cell is compared
   with theirs.
3. **Rules.** A zero touches no covered cell, and a number touches at least as many covered cells as it says. Names of
   groups, then of single cells, are changed as long as that lowers the *cost*: what the network and the grounds
   hold against a name, and a price for every breach of the rules.

The margin by which the chosen name beats the next one is what the confidence is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.board.cells import Cell
from mineproof.screens.lattice import MARGIN, SIDE, Looks
from mineproof.screens.network import MARKS as KNOWN

Floats = NDArray[np.floating]
Ints = NDArray[np.int64]
MARKS: Final = KNOWN[:-1]  # what a cell can be
ZERO, COVERED, FLAG, QUESTION, MINE, WRONG = (MARKS.index(mark) for mark in "0#F?*X")
OPEN: Final = 9  # the first nine marks are open numbers
ALIKE = 0.07  # root mean square difference below which two looks are the same
SPOT = 0.12  # difference of a single spot from which on they are not
RIM = 3  # pixels of a look that no mark reaches
PARTINGS = 40  # distances that are tried
LEANING = 3.0  # the most that a ground can say
SIGN = 0.03  # how far a small sign stands out from its ground
FAR = 0.10  # how far apart two grounds are, where there is nothing to compare with
PRICE = 2.5  # of a breach of the rules
VOICES = 5  # a group of more cells speaks no louder: they look the same, and so do mistakes about them
KNOWN_COST = 50.0  # of any other name than the one that somebody has confirmed
PRESSED = 4.0  # of an empty cell being the other kind of empty
FETCHED = 4.0  # a name that costs so much more than another is far-fetched
WORST = -7.0  # nothing is held to be less likely than e to this


@dataclass(frozen=True, slots=True)
class Named:
    """``marks`` index `MARKS`; ``groups`` number the cells that look alike; ``margins`` are what doubts are made of."""

    marks: Ints
    groups: Ints
    costs: Floats  # (rows, columns, marks)
    margins: Floats


def named(looks: Looks, chances: Floats, fixed: Mapping[Cell, int]) -> Named:
    """Names for all cells of a lattice; those in ``fixed`` are known."""
    rows, columns = looks.shape[:2]
    inner = looks[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(rows * columns, SIDE, SIDE, 3)
    flat = np.maximum(chances.reshape(rows * columns, -1)[:, : len(MARKS)], WORST)
    groups = grouped(inner, flat.argmax(1))
    costs = -_averaged(flat, groups)
    extra, distances = _grounds(inner, costs, groups, (rows, columns))
    costs += extra
    empty = costs[:, [ZERO, COVERED]].min(1)  # a covered cell that is pressed looks like a zero
    costs[:, [ZERO, COVERED]] = np.minimum(costs[:, [ZERO, COVERED]], empty[:, None] + PRESSED)
    costs *= np.minimum(1, VOICES / np.bincount(groups))[groups, None]
    for (row, col), mark in fixed.items():
        costs[row * columns + col] = np.where(np.arange(len(MARKS)) == mark, 0, KNOWN_COST)
    marks = _settled(_parted(costs, distances, (rows, columns)), costs, groups, (rows, columns))
    margins = _margins(marks, costs, groups, (rows, columns))
    shape = rows, columns
    return Named(marks.reshape(shape), groups.reshape(shape), costs.reshape(*shape, -1), margins.reshape(shape))


def grouped(inner: Floats, best: Ints) -> Ints:
    """Numbers of groups: cells with the same best name whose looks are close to that of the group's first."""
    small = inner.reshape(-1, SIDE // 2, 2, SIDE // 2, 2, 3).mean((2, 4)).reshape(len(inner), -1)
    groups = np.full(len(inner), -1)
    count = 0
    for name in np.unique(best):
        left = np.flatnonzero(best == name)
        while left.size:
            difference = np.abs(small[left] - small[left[0]])
            alike = (np.sqrt((difference**2).mean(1)) < ALIKE) & (difference.max(1) < SPOT)
            groups[left[alike]] = count
            left = left[~alike]
            count += 1
    return groups


def _averaged(values: Floats, groups: Ints) -> Floats:
    """Each row replaced by the mean of its group."""
    return _means(values, groups)[groups]


def _means(values: Floats, groups: Ints) -> Floats:
    sums = np.zeros((groups.max() + 1, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums / np.bincount(groups)[:, None]


def _grounds(inner: Floats, costs: Floats, groups: Ints, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """What the rims of empty cells say: a cost for ZERO or for COVERED, by which ground they are closer to.

    Where a program writes something on zeros, such as a dot, an empty cell is covered. Also how far each cell's rim is
    from those of numbers, where it is empty.
    """
    edge = np.ones((SIDE, SIDE), bool)
    edge[RIM:-RIM, RIM:-RIM] = False
    rims = _means(inner[:, edge].reshape(len(inner), -1), groups)
    first = np.array([np.flatnonzero(groups == group)[0] for group in range(groups.max() + 1)])
    best, sure = costs[first].argmin(1), costs[first].min(1) < 0.5
    empty = (best == ZERO) | (best == COVERED)
    written = _written(inner, groups, empty, shape)
    opened = rims[sure & (best > ZERO) & (best < OPEN)]
    covered = rims[sure & ((best == FLAG) | (best == QUESTION))]
    extra = np.zeros((len(rims), len(MARKS)))
    extra[written, COVERED] = LEANING
    blank = np.flatnonzero(empty & ~written)
    near = np.array([_nearest(rims[group], opened) for group in blank])
    usual = _divide(near) if near.size else FAR
    for group, distance in zip(blank, near, strict=True):
        other = _nearest(rims[group], covered) if len(covered) else usual
        leaning = float(np.clip(2 * np.log((other + 0.02) / (distance + 0.02)), -LEANING, LEANING))
        leaning = -LEANING if written.any() else leaning
        extra[group, COVERED if leaning > 0 else ZERO] = abs(leaning)
    distances = np.full(len(rims), np.nan)
    distances[blank] = near
    return extra[groups], distances[groups]


def _written(inner: Floats, groups: Ints, empty: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Which groups that seem empty have a small sign in the middle, as zeros of some programs: none touches a blank."""
    middles = _means(inner[:, 5:-5, 4:-4].mean(-1).reshape(len(inner), -1), groups).reshape(-1, SIDE - 10, SIDE - 8)
    slope = middles.mean(1, keepdims=True) + middles.mean(2, keepdims=True) - middles.mean((1, 2), keepdims=True)
    rest = np.abs(middles - slope)
    peak = rest.max((1, 2))
    small = (rest > peak[:, None, None] / 2).mean((1, 2)) < 0.05
    signed: NDArray[np.bool_] = (
        empty & small & (peak > SIGN) & (peak > 10 * np.median(rest, (1, 2))) & (np.bincount(groups) > 1)
    )
    dotted, blank = signed[groups].reshape(shape), (empty & ~signed)[groups].reshape(shape)
    touching = dotted & (around(blank) > 0)
    if dotted.sum() < 3 or touching.sum() > 0.2 * dotted.sum():
        return np.zeros_like(signed)
    return signed


def _divide(distances: Floats) -> float:
    """The distance that parts near from far: between them where there are both, else what is usual."""
    low, high = max(float(distances.min()), 0.01), float(distances.max())
    return float(np.sqrt(low * high)) if high > 2.5 * low else FAR


def _nearest(rim: Floats, others: Floats) -> float:
    if not len(others):
        return FAR
    return float(np.sqrt(((others - rim) ** 2).mean(1)).min())


def around(values: NDArray[np.generic]) -> Ints:
    """The sum over the up to eight neighbours of each cell."""
    padded = np.pad(values, 1).astype(np.int64)
    rows, columns = values.shape
    total = np.zeros((rows, columns), np.int64)
    for row in range(3):
        for col in range(3):
            if (row, col) != (1, 1):
                total += padded[row : row + rows, col : col + columns]
    return total


def breaches(marks: Ints) -> Floats:
    """How badly each open cell breaks the rules: mines it lacks, or covered cells beside a zero."""
    hidden = around(marks >= OPEN)
    flags = around((marks == FLAG) | (marks == MINE))
    lacking = np.maximum(0, marks - hidden)
    beside = np.where(marks == ZERO, np.minimum(hidden, 3), 0)
    many = np.where(marks > ZERO, np.minimum(np.maximum(0, flags - marks), 2) * 0.3, 0)
    return np.where(marks < OPEN, lacking + beside + many, 0.0)


def total_cost(marks: Ints, costs: Floats, shape: tuple[int, int]) -> float:
    named_cost = np.take_along_axis(costs, marks[:, None], 1).sum()
    return float(named_cost + PRICE * breaches(marks.reshape(shape)).sum())


def _parted(costs: Floats, distances: Floats, shape: tuple[int, int]) -> Ints:
    """The cheapest names, empty cells parted at some distance from the grounds of numbers: zeros on the near side.

    Where light runs over a board the groups of zeros are many, and the rules forbid to rename one without the others.
    """
    best: Ints = costs.argmin(1)
    empty = np.isfinite(distances)
    cost = total_cost(best, costs, shape)
    levels = np.unique(distances[empty])
    for level in levels[:: max(1, len(levels) // PARTINGS)]:
        marks = costs.argmin(1)
        marks[empty] = np.where(distances[empty] <= level, ZERO, COVERED)
        price = total_cost(marks, costs, shape)
        if price < cost:
            best, cost = marks, price
    return best


def _settled(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int]) -> Ints:
    """Marks of least cost: whole groups are renamed first, then single cells that break the rules."""
    sizes = np.bincount(groups)
    cost = total_cost(marks, costs, shape)
    for _ in range(4):
        before = cost
        for group in np.argsort(-sizes):
            marks, cost = _renamed(marks, np.flatnonzero(groups == group), costs, shape, cost)
        if cost >= before - 1e-9:
            break
    for at in np.flatnonzero(_suspects(marks, shape)):
        marks, cost = _renamed(marks, np.array([at]), costs, shape, cost)
    return marks


def _suspects(marks: Ints, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Cells that break the rules, and their neighbours."""
    broken = breaches(marks.reshape(shape)) > 0
    return (broken | (around(broken) > 0)).ravel()


def _alternatives(costs: Floats, marks: Ints, cells: Ints) -> list[int]:
    """Names that are not far-fetched: the three cheapest, and the other empty one for an empty one."""
    mean = costs[cells].mean(0)
    chosen = [
        int(mark) for mark in np.argsort(mean)[:3] if mean[mark] < mean.min() + FETCHED * min(1, VOICES / len(cells))
    ]
    if chosen[0] in {ZERO, COVERED}:
        chosen += [ZERO, COVERED]
    return [mark for mark in dict.fromkeys(chosen) if mark != marks[cells[0]]]


def _renamed(marks: Ints, cells: Ints, costs: Floats, shape: tuple[int, int], cost: float) -> tuple[Ints, float]:
    """With the cheapest name for these cells."""
    best = marks
    for mark in _alternatives(costs, marks, cells):
        other = marks.copy()
        other[cells] = mark
        price = total_cost(other, costs, shape)
        if price < cost - 1e-9:
            best, cost = other, price
    return best, cost


def _margins(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int]) -> Floats:
    """By how much each cell's name beats the next best one for its group, and for itself."""
    margins = np.full(len(marks), 12.0)
    cost = total_cost(marks, costs, shape)
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        for mark in np.unique(marks[members]):
            cells = members[marks[members] == mark]
            margins[cells] = min(12.0, _margin(marks, cells, costs, shape, cost))
    return margins


def _margin(marks: Ints, cells: Ints, costs: Floats, shape: tuple[int, int], cost: float) -> float:
    """The network is asked once about all cells of a group, as they look the same; each breach of a rule counts."""
    least = 12.0
    weight = min(1.0, VOICES / len(cells)) * len(cells)  # of the group: a cell of it is asked about, not all of them
    own = float(costs[cells, marks[cells]].sum())
    rules = cost - float(np.take_along_axis(costs, marks[:, None], 1).sum())
    for mark in _alternatives(costs, marks, cells):
        other = marks.copy()
        other[cells] = mark
        broken = PRICE * float(breaches(other.reshape(shape)).sum()) - rules
        least = min(least, (float(costs[cells, mark].sum()) - own) / weight + min(broken, 8.0))
    return least
