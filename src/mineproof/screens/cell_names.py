"""Decide the mark of each cell: cells that look alike get the same mark, and the rules decide between marks.

1. **Groups.** Within one picture a mark looks the same everywhere. Cells are grouped by their looks, and the output of
   the network is averaged over a group. Empty cells are parted further, because zeros and covered cells may look nearly
   alike.
2. **Grounds.** A single look cannot show whether an empty cell is covered or a zero: programs have grey on white and
   white on grey. But digits are on open cells and flags on covered ones, so the rim of an empty cell is compared with
   theirs.
3. **Rules.** A zero touches no covered cell, and a number touches at least as many covered cells as it says. Marks of
   groups, then of single cells, are changed as long as that lowers the *cost*: the evidence of the network and the
   grounds against a mark, plus a price for every violated rule, less a reward for openings that violate none. The names
   of all empty groups are decided together, and once more when the other marks are settled.

The confidence is computed from the margin between the chosen mark and the next best one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.base.budget import Deadline
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
LEAST_USUAL, USUAL = 3, 0.4  # cells of a usual kind of covered cells, and how many of the most frequent kind they are
PLAIN = 0.02  # deviation of pixels where nothing is drawn
SAME_RIM = 0.05  # difference of rims on the same kind of ground
SAME_SIGN = 0.1  # difference of two middles with the same sign
WRITTEN = 0.12  # difference of a spot where something is drawn
DRAWN = (0.06, 0.85)  # share of the middle that a sign takes
WRITTEN_COST = 4.0  # of a cell with a sign being plain
ODD_MARGIN = 2.0  # of a cell that is called covered although something is in its middle
LEAST_DISCS = 4  # cells that seem to be mines
NO_MINES = 12.0  # by how much marks must fit better if none of them is one
MAX_ROUNDS = 3  # of changes that follow from each other
JOINT_GROUPS = 6  # of empty cells whose names are decided together
PARTINGS = 40  # distances that are tried
LEANING = 3.0  # maximum weight of the ground
SIGN = 0.03  # contrast of a small sign
FAR = 0.10  # default distance of two grounds
GAP = 2.5  # between two kinds of empty cells, in distances that are usual within a kind
KINDS_DIFFER = 0.008  # least root mean square difference of two kinds of empty cells
LEAST_OF_A_KIND = 2  # cells
MAX_CHAIN = 160  # cells of a group that are compared
OPENING = 1.5  # reward of a zero that touches numbers and breaks no rule, for at most `VOICES` cells of a group
LEAST_OPENING = 3  # zeros of such a group
PRICE = 2.5  # of a violated rule
EXTRA_FLAG = 0.3  # a number with too many flags, in violated rules: players set wrong ones
VOICES = 5  # larger groups have no more weight: their cells look the same, and so do mistakes about them
KNOWN_COST = 50.0  # of any mark other than the confirmed one
CLEAR_COST = 0.15  # of a mark that is clear
ABSENT_SIGN = 1.5  # cost of a sign that the picture has nowhere else
NO_FLAG = 2.5  # reward of a flag instead of a question mark where there is no other flag
MANY_LACKING = 0.3  # share of numbers that touch too few mines: then not all mines are visible
NOT_ALL_MINES = 2.5  # cost of a visible mine then
SAME_SPOT = 0.08  # difference of two colours that are the same
VISIBLE = 15.0  # cost of a whole cell that looks otherwise
HIDDEN = 0.05  # share of a cell that a digit takes
MAX_HIDDEN_COST = 4.0
PRESSED = 4.0  # of an empty cell being the other kind of empty
FETCHED = 4.0  # marks that cost this much more than another are not considered
ALTERNATIVES = 3  # names of a group that are tried
ALTERNATIVES_OF_ONE = 6  # the same for a single cell, over which something may lie
WORST = -7.0  # minimum logarithm of a probability


@dataclass(frozen=True, slots=True)
class CellMarks:
    """``marks`` index `MARKS`; ``groups`` number the cells that look alike; ``margins`` determine the confidence."""

    marks: Ints
    groups: Ints
    costs: Floats  # (rows, columns, marks)
    margins: Floats


def choose_marks(looks: Looks, chances: Floats, fixed: Mapping[Cell, int], deadline: Deadline) -> CellMarks:
    """Return the marks of all cells of a lattice; ``fixed`` are known. Raises BudgetExceeded after the deadline."""
    rows, columns = looks.shape[:2]
    inner = looks[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN].reshape(rows * columns, SIDE, SIDE, 3)
    flat = np.maximum(chances.reshape(rows * columns, -1)[:, : len(MARKS)], WORST)
    groups = group_looks(inner, flat.argmax(1), deadline)
    costs = -_group_means_per_cell(flat, groups)
    extra, distances = _grounds(inner, costs, groups, (rows, columns), deadline)
    costs += extra + _absent_signs(costs, groups) + _visible_parts(inner, costs, groups)
    empty = costs[:, [ZERO, COVERED]].min(1)  # a covered cell that is pressed looks like a zero
    costs[:, [ZERO, COVERED]] = np.minimum(costs[:, [ZERO, COVERED]], empty[:, None] + PRESSED)
    costs *= np.minimum(1, VOICES / np.bincount(groups))[groups, None]
    for (row, col), mark in fixed.items():
        costs[row * columns + col] = np.where(np.arange(len(MARKS)) == mark, 0, KNOWN_COST)
    shape = rows, columns
    parted = _split_empty_cells(costs, opening_rewards(groups), distances, shape)
    marks = _settle(parted, costs, groups, shape, deadline)
    odd = odd_covered_cells(inner, marks, groups)
    other_signs = _missing_flags(marks, costs, shape) + _written_signs(inner, odd, costs)
    other_signs[[row * columns + col for row, col in fixed]] = 0
    if other_signs.any():
        costs += other_signs
        marks = _settle(marks, costs, groups, shape, deadline)
    if not fixed:
        marks, costs = _covered_instead_of_mines(marks, costs, groups, shape, deadline)
    margins = _margins(marks, costs, groups, shape, deadline)
    unclear = odd & (marks == COVERED)
    unclear[[row * columns + col for row, col in fixed]] = False
    margins[unclear] = np.minimum(margins[unclear], ODD_MARGIN)
    return CellMarks(marks.reshape(shape), groups.reshape(shape), costs.reshape(*shape, -1), margins.reshape(shape))


def group_looks(inner: Floats, best: Ints, deadline: Deadline) -> Ints:
    """Return the group of each cell: cells with the same best mark and a look close to that of the group's first."""
    small = inner.reshape(-1, SIDE // 2, 2, SIDE // 2, 2, 3).mean((2, 4)).reshape(len(inner), -1)
    groups = np.full(len(inner), -1)
    count = 0
    for name in np.unique(best):
        left = np.flatnonzero(best == name)
        while left.size:
            deadline.check()
            difference = np.abs(small[left] - small[left[0]])
            alike = (np.sqrt((difference**2).mean(1)) < ALIKE) & (difference.max(1) < SPOT)
            members = left[alike]
            kinds = empty_kinds(small[members]) if name in {ZERO, COVERED} else np.zeros(len(members), np.int64)
            groups[members] = count + kinds
            left = left[~alike]
            count += 1 + int(kinds.max())
    return groups


def empty_kinds(looks: Floats) -> Ints:
    """Number the kinds of looks that a group of empty cells falls into: zeros and covered cells may look nearly alike.

    Looks of one kind drift a little from cell to cell, because a pitch is never exact. So kinds are chains of close
    looks, and a gap parts two of them that is several times as wide as the usual distance in a chain.
    """
    step = -(-len(looks) // MAX_CHAIN)
    chain = looks[::step]
    kinds = _part_chain(np.sqrt(((chain[:, None] - chain[None]) ** 2).mean(-1)))
    if step == 1 or not kinds.any():
        return kinds if step == 1 else np.zeros(len(looks), np.int64)
    return np.array([kinds[int(((chain - look) ** 2).mean(1).argmin())] for look in looks])


def _part_chain(apart: Floats) -> Ints:
    """Number the parts of a spanning tree of looks, cut where an edge is much longer than the others."""
    count = len(apart)
    kinds = np.zeros(count, np.int64)
    if count < 2 * LEAST_OF_A_KIND:
        return kinds
    order, parents, lengths = _spanning_tree(apart)
    for edge in np.argsort(-lengths):
        if lengths[edge] < KINDS_DIFFER:
            break
        cut = np.zeros(count, bool)
        cut[order[edge + 1]] = True
        for at, parent in zip(order[edge + 2 :], parents[edge + 1 :], strict=True):
            cut[at] = cut[parent]
        if min(cut.sum(), count - cut.sum()) < LEAST_OF_A_KIND:
            continue
        if lengths[edge] > GAP * np.quantile(np.delete(lengths, edge), 0.75):
            kinds[~cut] = _part_chain(apart[np.ix_(~cut, ~cut)])
            kinds[cut] = 1 + int(kinds.max()) + _part_chain(apart[np.ix_(cut, cut)])
            break
    return kinds


def _spanning_tree(apart: Floats) -> tuple[list[int], list[int], Floats]:
    """The least spanning tree: places in the order in which they join, to which each joins, and how far that is."""
    near, to = apart[0].copy(), np.zeros(len(apart), np.int64)
    near[0] = np.inf
    order, parents, lengths = [0], [], []
    for _ in range(len(apart) - 1):
        at = int(near.argmin())
        order.append(at)
        parents.append(int(to[at]))
        lengths.append(float(near[at]))
        near[at] = np.inf
        closer = apart[at] < near
        closer[order] = False
        near[closer], to[closer] = apart[at][closer], at
    return order, parents, np.array(lengths)


def _group_means_per_cell(values: Floats, groups: Ints) -> Floats:
    """Replace each row by the mean of its group."""
    return _means(values, groups)[groups]


def _means(values: Floats, groups: Ints) -> Floats:
    sums = np.zeros((groups.max() + 1, values.shape[1]))
    np.add.at(sums, groups, values)
    return sums / np.bincount(groups)[:, None]


def _absent_signs(costs: Floats, groups: Ints) -> Floats:
    """Costs of signs that no other cell of the picture clearly has, for unclear cells that look like no other.

    Such cells have a pointer or a circle over them. Wrong flags are crossed out where mines are visible.
    """
    best, clear = costs.argmin(1), costs.min(1) < CLEAR_COST
    present = {sign for sign in (FLAG, QUESTION, MINE) if (clear & (best == sign)).any()}
    extra = np.zeros_like(costs)
    if not present:
        return extra
    alone = (np.bincount(groups)[groups] == 1) & ~clear
    for sign in {FLAG, QUESTION, MINE} - present:
        extra[alone, sign] = ABSENT_SIGN
    if MINE not in present:
        extra[alone, WRONG] = ABSENT_SIGN
    return extra


def _settle(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline) -> Ints:
    """Marks of least cost, with the names of empty cells decided again once the other marks are known."""
    marks = _minimise_cost(marks, costs, groups, shape, deadline)
    for _ in range(MAX_ROUNDS):
        reconsidered = _assign_empty_groups(marks, costs, groups, shape, deadline)
        reconsidered = _assign_empty_regions(reconsidered, costs, groups, shape, deadline)
        if (reconsidered == marks).all():
            break
        marks = _minimise_cost(reconsidered, costs, groups, shape, deadline)
    return marks


def _missing_flags(marks: Ints, costs: Floats, shape: tuple[int, int]) -> Floats:
    """Costs of question marks and mines where no cell seems to be a flag: flags of another shape look like these.

    Players set flags before question marks. A program that shows mines shows all that the numbers need.
    """
    extra = np.zeros_like(costs)
    if (marks == FLAG).any():
        return extra
    questions, mines = marks == QUESTION, marks == MINE
    weight = min(1, VOICES / max(1, int(questions.sum())))
    extra[questions, FLAG] = -np.minimum(NO_FLAG * weight, costs[questions, FLAG])
    grid = marks.reshape(shape)
    if mines.sum() > 1 and lacks_mines(grid, MANY_LACKING) and beside_open(grid)[grid == MINE].all():
        extra[mines, FLAG] = -costs[mines, FLAG]
        extra[mines, MINE] = NOT_ALL_MINES
    return extra


def beside_open(marks: Ints) -> NDArray[np.bool_]:
    """Which cells touch an open one?"""
    touching: NDArray[np.bool_] = around(marks < OPEN) > 0
    return touching


def lacks_mines(marks: Ints, share: float) -> bool:
    """Do many numbers touch fewer flags and mines than they say? Where mines are visible, the game is over: all are."""
    numbers = (marks > ZERO) & (marks < OPEN)
    known = around((marks == FLAG) | (marks == MINE))
    return bool(numbers.any() and (known < marks)[numbers].mean() > share)


def odd_covered_cells(inner: Floats, marks: Ints, groups: Ints) -> NDArray[np.bool_]:
    """Covered cells with something in the middle that most covered cells with the same rim do not have."""
    covered = marks == COVERED
    odd = np.zeros(len(marks), bool)
    names, sizes = np.unique(groups[covered], return_counts=True)
    means = {name: inner[covered & (groups == name)].mean(0) for name in names}
    middle = slice(2 * RIM - 2, 2 - 2 * RIM)
    plain = np.array([means[name][middle, middle].std((0, 1)).max() < PLAIN for name in names], bool)
    usual = names[plain & (sizes >= LEAST_USUAL)]
    if not usual.size:
        usual = names[sizes >= max(LEAST_USUAL, USUAL * max(sizes, default=0))]
    if not usual.size:
        return odd
    edge = np.ones((SIDE, SIDE), bool)
    edge[RIM:-RIM, RIM:-RIM] = False
    for name in np.setdiff1d(names, usual):
        apart = [float(np.sqrt(((means[other] - means[name])[edge] ** 2).mean())) for other in usual]
        if min(apart) < SAME_RIM:
            like = means[usual[int(np.argmin(apart))]]
            drawn = np.abs(means[name] - like).max(-1)[middle, middle] > WRITTEN
            if DRAWN[0] < drawn.mean() < DRAWN[1]:
                odd[covered & (groups == name)] = True
    return odd


def _written_signs(inner: Floats, odd: NDArray[np.bool_], costs: Floats) -> Floats:
    """Costs of odd cells as plain covered ones: what is drawn alike on several is a sign, most probably a flag."""
    extra = np.zeros_like(costs)
    if not odd.any():
        return extra
    middles = inner[odd][:, 2 * RIM - 2 : 2 - 2 * RIM, 2 * RIM - 2 : 2 - 2 * RIM].reshape(int(odd.sum()), -1)
    for at, middle in zip(np.flatnonzero(odd), middles, strict=True):
        alike = int((np.sqrt(((middles - middle) ** 2).mean(1)) < SAME_SIGN).sum())
        if alike > 1:
            weight = min(1, VOICES / alike)
            extra[at, COVERED] = WRITTEN_COST * weight
            extra[at, FLAG] = -min(float(costs[at, FLAG]), NO_FLAG * weight)
    return extra


def _covered_instead_of_mines(
    marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline
) -> tuple[Ints, Floats]:
    """Marks without mines, if the numbers fit much better: a program may draw discs or stars on all covered cells."""
    mines = marks == MINE
    if mines.sum() < LEAST_DISCS or not breaches(marks.reshape(shape)).any():
        return marks, costs
    changed = costs.copy()
    changed[mines, COVERED] = np.minimum(changed[mines, COVERED], changed[mines].min(1))
    changed[mines, MINE] += NO_FLAG
    other = _settle(np.where(mines, COVERED, marks), changed, groups, shape, deadline)
    rewards = opening_rewards(groups)
    if total_cost(other, changed, rewards, shape) + NO_MINES < total_cost(marks, costs, rewards, shape):
        return other, changed
    return marks, costs


def _visible_parts(inner: Floats, costs: Floats, groups: Ints) -> Floats:
    """Costs of marks for unclear cells that look like no other, by the share of the cell that looks like another mark.

    What lies over a cell hides a part of it; the rest looks as on other cells with the same mark.
    """
    best, clear = costs.argmin(1), costs.min(1) < CLEAR_COST
    sizes = np.bincount(groups)[groups]
    extra = np.zeros_like(costs)
    unclear = np.flatnonzero((sizes == 1) & ~clear)
    first = np.unique(groups, return_index=True)[1]
    known = [int(at) for at in first if clear[at] or (sizes[at] > 1 and best[at] in {ZERO, COVERED})]
    if not unclear.size or not known:
        return extra
    small = inner.reshape(-1, SIDE // 2, 2, SIDE // 2, 2, 3).mean((2, 4))
    looks = np.stack([small[groups == groups[at]].mean(0) for at in known])
    marks = best[known]
    for cell in unclear:
        same = (np.abs(looks - small[cell]).max(-1) < SAME_SPOT).mean((1, 2))
        shares = np.full(len(MARKS), np.nan)
        for mark, share in zip(marks, same, strict=True):
            shares[mark] = np.fmax(shares[mark], share)
        shares[[ZERO, COVERED]] = np.fmax(*shares[[ZERO, COVERED]])  # which is which is not decided yet
        for signs in (slice(0, OPEN), slice(OPEN, None)):  # a mark that is nowhere else has at least its ground
            seen = shares[signs][np.isfinite(shares[signs])]
            if seen.size:
                shares[signs] = np.where(np.isfinite(shares[signs]), shares[signs], seen.max() - HIDDEN)
        lacking = np.nanmax(shares) - np.where(np.isfinite(shares), shares, np.nanmin(shares))
        extra[cell] = np.minimum(MAX_HIDDEN_COST, VISIBLE * lacking)
    return extra


def _grounds(
    inner: Floats, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline
) -> tuple[Floats, Floats]:
    """What the rims of empty cells say: a cost for ZERO or for COVERED, by which ground they are closer to.

    Where a program writes something on zeros, such as a dot, an empty cell is covered. Also how far each cell's rim is
    from those of numbers, where it is empty.
    """
    edge = np.ones((SIDE, SIDE), bool)
    edge[RIM:-RIM, RIM:-RIM] = False
    rims = _means(inner[:, edge].reshape(len(inner), -1), groups)
    first = np.unique(groups, return_index=True)[1]
    best, sure = costs[first].argmin(1), costs[first].min(1) < 0.5
    empty = (best == ZERO) | (best == COVERED)
    written = _has_small_sign(inner, groups, empty, shape)
    opened = rims[sure & (best > ZERO) & (best < OPEN)]
    covered = rims[sure & ((best == FLAG) | (best == QUESTION))]
    extra = np.zeros((len(rims), len(MARKS)))
    extra[written, COVERED] = LEANING
    blank = np.flatnonzero(empty & ~written)
    near = np.array([_nearest(rims[group], opened, deadline) for group in blank])
    usual = _divide(near) if near.size else FAR
    for group, distance in zip(blank, near, strict=True):
        other = _nearest(rims[group], covered, deadline) if len(covered) else usual
        leaning = float(np.clip(2 * np.log((other + 0.02) / (distance + 0.02)), -LEANING, LEANING))
        leaning = -LEANING if written.any() else leaning
        extra[group, COVERED if leaning > 0 else ZERO] = abs(leaning)
    distances = np.full(len(rims), np.nan)
    distances[blank] = near
    return extra[groups], distances[groups]


def _has_small_sign(inner: Floats, groups: Ints, empty: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[np.bool_]:
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


def _nearest(rim: Floats, others: Floats, deadline: Deadline) -> float:
    deadline.check()
    if not len(others):
        return FAR
    return float(np.sqrt(((others - rim) ** 2).mean(1)).min())


def around(values: NDArray[np.generic]) -> Ints:
    """Return the sum over the up to eight neighbours of each cell."""
    padded = np.pad(values, 1).astype(np.int64)
    rows, columns = values.shape
    total = np.zeros((rows, columns), np.int64)
    for row in range(3):
        for col in range(3):
            if (row, col) != (1, 1):
                total += padded[row : row + rows, col : col + columns]
    return total


def breaches(marks: Ints) -> Floats:
    """Return how badly each open cell violates the rules: missing mines, or covered cells next to a zero."""
    hidden, mines = around(marks >= OPEN), around(marks == MINE)
    flags = mines + around(marks == FLAG)
    lacking = np.maximum(0, marks - hidden)
    beside = np.where(marks == ZERO, np.minimum(hidden, 3), 0)
    many = np.where(marks > ZERO, np.minimum(np.maximum(0, flags - marks), 2) * EXTRA_FLAG, 0)
    shown = np.where(marks > ZERO, np.minimum(np.maximum(0, mines - marks), 2), 0)
    return np.where(marks < OPEN, lacking + beside + np.maximum(many, shown), 0.0)


def opening_rewards(groups: Ints) -> Floats:
    """Return for each cell how much it lowers the cost as a zero that touches numbers, where no rule is broken.

    Covered cells called zeros break rules nearly everywhere, because the numbers beside them lack mines.
    """
    sizes = np.bincount(groups)
    rewards: Floats = np.where(sizes < LEAST_OPENING, 0.0, OPENING * np.minimum(1, VOICES / sizes))[groups]
    return rewards


def rule_cost(marks: Ints, rewards: Floats, shape: tuple[int, int]) -> float:
    """The price of broken rules, less the rewards of openings. Programs open all cells beside a zero but flags."""
    grid = marks.reshape(shape)
    broken = breaches(grid)
    rewarded = (grid == ZERO) & (broken == 0) & (around(broken > 0) == 0) & (around((grid > ZERO) & (grid < OPEN)) > 0)
    unopened = np.minimum(around(grid == COVERED)[grid == ZERO], 3).sum()
    return float(PRICE * (broken.sum() + unopened) - rewards[rewarded.ravel()].sum())


def total_cost(marks: Ints, costs: Floats, rewards: Floats, shape: tuple[int, int]) -> float:
    return float(np.take_along_axis(costs, marks[:, None], 1).sum()) + rule_cost(marks, rewards, shape)


def _split_empty_cells(costs: Floats, rewards: Floats, distances: Floats, shape: tuple[int, int]) -> Ints:
    """The cheapest names, empty cells parted at some distance from the grounds of numbers: zeros on the near side.

    Where light runs over a board the groups of zeros are many, and the rules forbid to rename one without the others.
    """
    best: Ints = costs.argmin(1)
    empty = np.isfinite(distances)
    cost = total_cost(best, costs, rewards, shape)
    levels = np.unique(distances[empty])
    for level in levels[:: max(1, len(levels) // PARTINGS)]:
        marks = costs.argmin(1)
        marks[empty] = np.where(distances[empty] <= level, ZERO, COVERED)
        price = total_cost(marks, costs, rewards, shape)
        if price < cost:
            best, cost = marks, price
    return best


def _assign_empty_groups(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline) -> Ints:
    """The cheapest names of all empty groups together, once the other marks are settled.

    One group at a time gets stuck: two colours of covered cells, or zeros that a misread flag made covered ones. Of
    many groups the `JOINT_GROUPS` largest are tried in all ways.
    """
    empty = (marks == ZERO) | (marks == COVERED)
    names, sizes = np.unique(groups[empty], return_counts=True)
    members = [np.flatnonzero(empty & (groups == name)) for name in names[np.argsort(-sizes)][:JOINT_GROUPS]]
    rewards = opening_rewards(groups)
    best, cost = marks, total_cost(marks, costs, rewards, shape)
    for choice in product((ZERO, COVERED), repeat=len(members)):
        deadline.check()
        other = marks.copy()
        for cells, mark in zip(members, choice, strict=True):
            other[cells] = mark
        price = total_cost(other, costs, rewards, shape)
        if price < cost - 1e-9:
            best, cost = other, price
    return best


def _assign_empty_regions(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline) -> Ints:
    """The cheaper name of each region of connected empty cells: numbers part zeros from covered cells."""
    rewards = opening_rewards(groups)
    regions = _regions(((marks == ZERO) | (marks == COVERED)).reshape(shape)).ravel()
    cost = total_cost(marks, costs, rewards, shape)
    for region in range(1, int(regions.max()) + 1):
        deadline.check()
        for mark in (ZERO, COVERED):
            other = np.where(regions == region, mark, marks)
            price = total_cost(other, costs, rewards, shape)
            if price < cost - 1e-9:
                marks, cost = other, price
    return marks


def _regions(mask: NDArray[np.bool_]) -> Ints:
    """Number regions of connected cells from 1; cells touch at corners, too."""
    regions = np.zeros(mask.shape, np.int64)
    count = 0
    for start in np.argwhere(mask):
        if regions[tuple(start)]:
            continue
        count += 1
        todo = [(int(start[0]), int(start[1]))]
        regions[todo[0]] = count
        while todo:
            row, col = todo.pop()
            top, left = max(0, row - 1), max(0, col - 1)
            near = slice(top, row + 2), slice(left, col + 2)
            fresh = [(top + int(r), left + int(c)) for r, c in np.argwhere(mask[near] & (regions[near] == 0))]
            for place in fresh:
                regions[place] = count
            todo += fresh
    return regions


def _minimise_cost(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline) -> Ints:
    """Marks of least cost: whole groups are renamed first, then single cells that break the rules."""
    sizes, rewards = np.bincount(groups), opening_rewards(groups)
    cost = total_cost(marks, costs, rewards, shape)
    for _ in range(4):
        before = cost
        for group in np.argsort(-sizes):
            deadline.check()
            marks, cost = _rename_group(marks, np.flatnonzero(groups == group), costs, rewards, shape, cost)
        if cost >= before - 1e-9:
            break
    for _ in range(MAX_ROUNDS):
        before = cost
        for at in np.flatnonzero(_suspects(marks, shape)):
            deadline.check()
            marks, cost = _rename_group(marks, np.array([at]), costs, rewards, shape, cost)
        if cost >= before - 1e-9:
            break
    return marks


def _suspects(marks: Ints, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Cells that break the rules, and their neighbours."""
    broken = breaches(marks.reshape(shape)) > 0
    return (broken | (around(broken) > 0)).ravel()


def _alternatives(costs: Floats, marks: Ints, cells: Ints) -> list[int]:
    """Names that are not far-fetched: the cheapest, and the other empty one for an empty one."""
    mean = costs[cells].mean(0)
    most = ALTERNATIVES if len(cells) > 2 else ALTERNATIVES_OF_ONE
    chosen = [
        int(mark) for mark in np.argsort(mean)[:most] if mean[mark] < mean.min() + FETCHED * min(1, VOICES / len(cells))
    ]
    if chosen[0] in {ZERO, COVERED} or (len(cells) == 1 and mean.min() > CLEAR_COST):
        chosen += [ZERO, COVERED]
    return [mark for mark in dict.fromkeys(chosen) if mark != marks[cells[0]]]


def _rename_group(
    marks: Ints, cells: Ints, costs: Floats, rewards: Floats, shape: tuple[int, int], cost: float
) -> tuple[Ints, float]:
    """With the cheapest name for these cells."""
    best = marks
    for mark in _alternatives(costs, marks, cells):
        other = marks.copy()
        other[cells] = mark
        price = total_cost(other, costs, rewards, shape)
        if price < cost - 1e-9:
            best, cost = other, price
    return best, cost


def _margins(marks: Ints, costs: Floats, groups: Ints, shape: tuple[int, int], deadline: Deadline) -> Floats:
    """By how much each cell's name beats the next best one for its group, and for itself."""
    margins = np.full(len(marks), 12.0)
    rewards = opening_rewards(groups)
    rules = rule_cost(marks, rewards, shape)
    for group in range(groups.max() + 1):
        deadline.check()
        members = np.flatnonzero(groups == group)
        for mark in np.unique(marks[members]):
            cells = members[marks[members] == mark]
            margins[cells] = min(12.0, _margin(marks, cells, costs, rewards, shape, rules))
    return margins


def _margin(marks: Ints, cells: Ints, costs: Floats, rewards: Floats, shape: tuple[int, int], rules: float) -> float:
    """Return the cost margin of a group: the network counts once for all cells, each broken rule by itself."""
    least = 12.0
    weight = min(1.0, VOICES / len(cells)) * len(cells)  # of the group: one of its cells counts, not all
    own = float(costs[cells, marks[cells]].sum())
    for mark in _alternatives(costs, marks, cells):
        other = marks.copy()
        other[cells] = mark
        broken = rule_cost(other, rewards, shape) - rules
        least = min(least, (float(costs[cells, mark].sum()) - own) / weight + min(broken, 8.0))
    return least
