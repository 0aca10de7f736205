"""Fit a lattice to a pitch: find where the cells begin, and how far the board extends.

Edges are folded at the pitch, so borders of cells accumulate at a few places of the fold. The network decides which
place is the border: it can distinguish cells from shifted ones. The lattice then grows over the picture as long as
there are cells, and the rectangle with most evidence is the board. The whole board gives the pitch to a few
thousandths, and the place is chosen once more.

Flat strips beyond the rectangle belong to the board if they end with a change of colour at a line of the lattice, like
covered cells without visible borders.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.board_fit import SIDES, BoardFit
from mineproof.screens.lattice import LOOK, MARGIN, Lattice, looks
from mineproof.screens.network import log_probabilities
from mineproof.screens.patches import CHANGE, FLAT, Canvas, Patch, evidence_of, has_borders, odds, patch
from mineproof.screens.periods import Period
from mineproof.screens.pixels import resize

Floats = NDArray[np.float32]
BINS = 48  # places of a fold
CLEAR = 6.0  # the most that a cell adds to how clearly cells are seen
HOPELESS = -2.0  # how clearly cells are seen where there are none
SAMPLE = 28  # cells that decide about a place of the fold
STRIPS = 3  # rows or columns that are tried at once while a lattice grows
EDGES = 1.5  # what the strongest lines weigh against what the network says
MANY = 11  # cells of a row that are enough to measure the pitch again
FAINT = 0.15  # strength of an edge that may be a part of a line
LONG = 0.9  # share of a line that must be seen
MAX_CELLS = 10_000  # of a board that is read
BORDERED = 0.3  # share of an outer line that must be seen
FURTHEST = 12  # flat strips between what is seen of a board and its border
RING = 2  # strips around a board that are kept, to compare with


class TooManyCells(Exception):
    """A lattice grew beyond `MAX_CELLS`."""


def refine_pitch(profile: NDArray[np.floating], pitch: float) -> float:
    """The pitch close by at which a long profile repeats best; a short one says no more than was known."""
    if len(profile) < MANY * pitch:
        return pitch
    xs = np.arange(len(profile))
    pitches = pitch * (1 + 0.006 * np.linspace(-1, 1, 61))
    values = profile - profile.mean()
    power = np.zeros(len(pitches))
    for harmonic in (1, 2, 3):
        waves = np.exp(-2j * np.pi * harmonic * np.outer(1 / pitches, xs))
        power += np.abs(np.einsum("ij,j->i", waves, values)) ** 2  # no BLAS: see `network`
    return float(pitches[int(power.argmax())])


def fold(profile: NDArray[np.floating], pitch: float, start: float) -> NDArray[np.floating]:
    """The profile summed up by place within a cell, whose first begins at 0, in `BINS` bins."""
    shares = ((np.arange(len(profile)) + start) / pitch) % 1
    bins = (shares * BINS).astype(int)
    sums = np.bincount(bins, profile, BINS)
    counts = np.bincount(bins, minlength=BINS)
    kernel = np.array([0.25, 0.5, 0.25])
    smooth: NDArray[np.floating] = np.convolve(np.r_[sums[-1], sums, sums[0]], kernel, "valid") / np.maximum(
        1e-9, np.convolve(np.r_[counts[-1], counts, counts[0]], kernel, "valid")
    )
    return smooth


def straight(strength: Floats, length: float) -> Floats:
    """Where edges run straight along the first axis for ``length`` pixels or more: borders, not figures."""
    window = max(3, round(length))
    seen = np.pad((strength > FAINT).astype(np.int32), ((window, 0), (0, 0))).cumsum(0)
    full: Floats = (seen[window:] - seen[:-window] >= LONG * window).astype(np.float32)
    return full


def places(fold: NDArray[np.floating], lines: NDArray[np.floating]) -> list[tuple[float, float]]:
    """Where cells may begin, as shares of a cell: at borders, at edges, between two that are close, where there is
    least.

    ``fold`` is of all edges, ``lines`` of those that run straight. Each place comes with the strength of the lines
    there, from 0 to 1; the middle of a gap has that of its weaker side, and half of it again.
    """
    strength = lines / max(float(lines.max()), 1e-9)
    peaks = _peaks(lines)[:3] if lines.max() > 0 else []
    strengths = {float(k): float(strength[k]) for k in peaks}
    for middle, sides in _between(peaks):
        strengths.setdefault(middle, 1.5 * min(float(strength[k]) for k in sides))
    wide = np.convolve(np.r_[fold, fold, fold], np.ones(7) / 7, "same")[BINS : 2 * BINS]
    for k in [*_peaks(fold)[:3], int(wide.argmin())]:
        strengths.setdefault(float(k), float(strength[k]))
    return [((k + 0.5) / BINS, min(1.0, strengths[k])) for k in _apart(list(strengths))]


def _peaks(fold: NDArray[np.floating]) -> list[int]:
    peaks = [k for k in range(BINS) if fold[k] >= fold[k - 1] and fold[k] > fold[(k + 1) % BINS]]
    return sorted(peaks, key=lambda k: -float(fold[k]))


def _between(peaks: list[int]) -> Iterator[tuple[float, tuple[int, int]]]:
    """The middles of peaks that are close: the two sides of a gap or of a bevel."""
    for one, other in combinations(peaks, 2):
        gap = (other - one + BINS // 2) % BINS - BINS // 2
        if abs(gap) < 0.3 * BINS:
            yield (one + gap / 2) % BINS, (one, other)


def _apart(shares: list[float]) -> list[float]:
    distinct: list[float] = []
    for share in shares:
        if all(abs((share - other + BINS / 2) % BINS - BINS / 2) > 1.2 for other in distinct):
            distinct.append(share)
    return distinct


def place(canvas: Canvas, period: Period) -> BoardFit | None:
    """The board with this pitch around this tile, if there is one."""
    x0, y0, x1, y1 = period.tile
    rows, columns = (y1 - y0) / period.tall, (x1 - x0) / period.wide
    rows, columns = (round(rows), round(columns)) if period.is_placed else (int(rows), int(columns))
    first = _fit(canvas, Lattice(x0, y0, period.wide, period.tall, rows, columns), 1.0, period.is_placed)
    rough = None if first is None else _grow(canvas, first)
    if rough is None:
        return None
    fitted = _fit(canvas, rough.lattice, 0.15)
    grown = None if fitted is None else _grow(canvas, fitted)
    return None if grown is None else _complete(canvas, grown)


def _fit(canvas: Canvas, lattice: Lattice, search: float, is_placed: bool = False) -> Lattice | None:
    """With the pitch and the place that make most cells look like cells, at most half of ``search`` of a cell away.

    ``is_placed`` says that the present place may be right, even if no edges are there.
    """
    height, width = canvas.pixels.shape[:2]
    x0, y0, x1, y1 = (round(side) for side in lattice.box)
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    to_the_right, downwards = canvas.across[y0:y1, x0:x1].mean(0), canvas.down[y0:y1, x0:x1].mean(1)
    upright = straight(canvas.across[y0:y1, x0:x1], 0.7 * lattice.tall).mean(0)
    level = straight(canvas.down[y0:y1, x0:x1].T, 0.7 * lattice.wide).mean(0)
    wide = refine_pitch(to_the_right + 3 * upright, lattice.wide)
    tall = refine_pitch(downwards + 3 * level, lattice.tall)
    middle = Lattice(0, 0, wide, tall, lattice.rows, lattice.columns)
    centre_x, centre_y = (lattice.box[0] + lattice.box[2]) / 2, (lattice.box[1] + lattice.box[3]) / 2
    middle = replace(middle, left=centre_x - lattice.columns * wide / 2, top=centre_y - lattice.rows * tall / 2)
    lefts = _shifts(places(fold(to_the_right, wide, x0), fold(upright, wide, x0)), middle.left / wide, search)
    tops = _shifts(places(fold(downwards, tall, y0), fold(level, tall, y0)), middle.top / tall, search)
    if is_placed:
        lefts, tops = {0.0: 0.0} | lefts, {0.0: 0.0} | tops
    best = _best_place(canvas, middle, lefts, tops)
    if best is None:
        return None
    left, wide = _snap_to_lines(upright, best.left - x0, best.wide, best.columns)
    top, tall = _snap_to_lines(level, best.top - y0, best.tall, best.rows)
    return replace(best, left=left + x0, top=top + y0, wide=wide, tall=tall)


def _snap_to_lines(lines: NDArray[np.floating], start: float, pitch: float, count: int) -> tuple[float, float]:
    """Begin and pitch that fit the straight lines near the expected ones best, if there are enough of them."""
    reach = max(1.0, 0.05 * pitch)
    crossings = []
    for number in range(count + 1):
        centre = start + number * pitch
        low, high = max(0, round(centre - reach)), min(len(lines), round(centre + reach) + 1)
        weights = lines[low:high]
        if high - low > 1 and weights.sum() > 0:
            crossings.append(
                (number, float((np.arange(low, high) * weights).sum() / weights.sum()), float(weights.sum()))
            )
    if len(crossings) < 4 or crossings[-1][0] - crossings[0][0] < count // 2:
        return start, pitch
    numbers, places_, weights_ = (np.array(part) for part in zip(*crossings, strict=True))
    slope, begin = np.polyfit(numbers, places_, 1, w=np.sqrt(weights_))
    if abs(slope / pitch - 1) > 0.01 or abs(begin - start) > reach:
        return start, pitch
    return float(begin), float(slope)


def _shifts(shares: list[tuple[float, float]], now: float, search: float) -> dict[float, float]:
    """How far to move, in cells, so that cells begin at one of the shares, with the strength of the edges there."""
    moves = {(share - now + 0.5) % 1 - 0.5: strength for share, strength in shares}
    return {move: strength for move, strength in moves.items() if abs(move) <= search / 2} or {0.0: 0.0}


def _best_place(canvas: Canvas, middle: Lattice, lefts: dict[float, float], tops: dict[float, float]) -> Lattice | None:
    """Fit the first axis, then the second, then the first again."""
    if middle.rows < 2 or middle.columns < 2:
        return None

    def shift(left: float, top: float) -> Lattice:
        return replace(middle, left=middle.left + left * middle.wide, top=middle.top + top * middle.tall)

    @cache
    def score(left: float, top: float) -> float:
        return _clarity(canvas, shift(left, top)) + EDGES * (lefts[left] + tops[top])

    left, top = next(iter(lefts)), next(iter(tops))
    for _ in range(2):
        left = max(lefts, key=lambda share: score(share, top))
        top = max(tops, key=lambda share: score(left, share))
        if score(left, top) < HOPELESS:
            return None
    return shift(left, top)


def _clarity(canvas: Canvas, lattice: Lattice) -> float:
    """How clearly cells are seen here: by the network, and flat ones by the lines around them."""
    seen = looks(canvas.pixels, lattice).reshape(-1, LOOK, LOOK, 3)
    some = seen[:: max(1, len(seen) // (2 * SAMPLE))]
    flat = some[:, MARGIN + 1 : -MARGIN - 1, MARGIN + 1 : -MARGIN - 1].std((1, 2)).max(-1) < FLAT
    values = np.where(has_borders(some[None])[0], CLEAR, 0.0)
    textured = np.flatnonzero(~flat)
    if textured.size:
        sample = textured[:: -(-textured.size // SAMPLE)]
        chances = log_probabilities(some[sample], canvas.deadline)
        values[textured] = float((odds(chances, CLEAR) + chances[..., :-1].max(-1)).mean())
    return float(values.mean())


def _grow(canvas: Canvas, lattice: Lattice) -> BoardFit | None:
    """As far as there are cells; then the rectangle with most evidence."""
    there, begin = _spread(canvas, lattice)
    best = _rectangle(evidence_of(there))
    if best is None or best[2] < 2 or best[3] < 2:
        return None
    return BoardFit(begin, there, *best)


def _complete(canvas: Canvas, board: BoardFit) -> BoardFit:
    """With flat strips up to a border, and the strips around the board."""
    whole = _extend_flat(canvas, board.lattice, _middles(board.inner), page_colour(canvas))
    part = (round((whole.top - board.outer.top) / whole.tall), round((whole.left - board.outer.left) / whole.wide))
    inside = replace(board, row=part[0], column=part[1], rows=whole.rows, columns=whole.columns)
    if all(inside.room(side) >= min(RING, _room(whole, side, canvas)) for side in SIDES):
        return inside
    return frame(canvas, whole)


def frame(canvas: Canvas, board: Lattice) -> BoardFit:
    """A board with this lattice, and up to `RING` strips around it that lie in the picture."""
    up, down, left, right = (min(RING, _room(board, side, canvas)) for side in SIDES)
    outer = board.part(-up, -left, board.rows + up + down, board.columns + left + right)
    return BoardFit(outer, patch(canvas, outer), up, left, board.rows, board.columns)


def _spread(canvas: Canvas, lattice: Lattice) -> tuple[Patch, Lattice]:
    """Strips are added on every side as long as one of the last ones may belong to the board."""
    _require_few(lattice)
    there = patch(canvas, lattice)
    growing = set(SIDES)
    while growing:
        for side in SIDES:
            part = _strips(lattice, side, STRIPS, canvas) if side in growing else None
            if part is None:
                growing.discard(side)
                continue
            fresh = patch(canvas, part)
            axis = 0 if side in {"up", "down"} else 1
            there = fresh.beside(there, axis) if side in {"up", "left"} else there.beside(fresh, axis)
            lattice = _join(lattice, part, side)
            _require_few(lattice)
            if evidence_of(fresh).mean(1 - axis).max() < 0.2:
                growing.discard(side)
    return there, lattice


def _require_few(lattice: Lattice) -> None:
    if lattice.rows * lattice.columns > MAX_CELLS:
        raise TooManyCells


def page_colour(canvas: Canvas) -> Floats | None:
    """The colour of the picture's rim, if it has one."""
    pixels = canvas.pixels
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    colours, counts = np.unique(rim // 8, axis=0, return_counts=True)
    most = int(counts.argmax())
    if counts[most] < 0.3 * len(rim):
        return None
    colour: Floats = np.median(rim[(rim // 8 == colours[most]).all(1)], 0).astype(np.float32) / 255
    return colour


def _extend_flat(canvas: Canvas, lattice: Lattice, own: Floats, page: Floats | None) -> Lattice:
    """With flat strips on each side that have colours of the board, up to a line where the colour changes."""
    sides = list(SIDES)
    while sides:
        side = sides.pop(0)
        further = _further(canvas, lattice, side, own, page)
        if further is not None:
            lattice = further
            sides = [other for other in SIDES if other != side]
    return lattice


def _further(canvas: Canvas, lattice: Lattice, side: str, own: Floats, page: Floats | None) -> Lattice | None:
    """The lattice with strips on one side up to the next border, if there is one."""
    wider = lattice
    for _ in range(FURTHEST):
        strip = _strips(wider, side, 1, canvas)
        if strip is None:
            return None
        there = patch(canvas, strip)
        if (evidence_of(there) < -1).mean() > 0.15 or _strange(_middles(there), own) > 0.3:
            return None
        wider = _join(wider, strip, side)
        if _border_share(canvas, lattice, strip, side, page) >= BORDERED:
            return wider
    return None


def _middles(there: Patch) -> Floats:
    """The colours in the middle of the cells that show nothing there."""
    middle = slice(2 * MARGIN, -2 * MARGIN)
    colours: Floats = there.looks[there.plain][:, middle, middle].mean((1, 2))
    return colours


def _strange(colours: Floats, own: Floats) -> float:
    """The share of colours that are none of the board's own."""
    if not len(colours) or not len(own):
        return 1.0
    return float((np.abs(colours[:, None] - own[None]).max(-1).min(1) > CHANGE).mean())


def _border_share(canvas: Canvas, lattice: Lattice, outer: Lattice, side: str, page: Floats | None) -> float:
    """The share of the outer line of a strip at which the colour changes, from one that is not the page's.

    The picture's edge is such a line where the board touches two other edges: a window, or a picture of the board
    alone.
    """
    if side in _at_edges(outer, canvas):
        return float(len(_at_edges(lattice, canvas) - {side}) >= 2)
    inside, beyond = _bands(canvas, outer, side, 0.13), _bands(canvas, outer, side, -0.15)
    deeper = _bands(canvas, outer, side, 0.35)
    sharp = (np.abs(inside - beyond).max(-1) > CHANGE) & (np.abs(inside - deeper).max(-1) < CHANGE)
    if page is not None:
        sharp &= np.abs(inside - page).max(-1) > CHANGE
    return float(sharp.mean())


def _at_edges(lattice: Lattice, canvas: Canvas) -> set[str]:
    """The sides of a lattice that lie at the picture's edge."""
    height, width = canvas.pixels.shape[:2]
    x0, y0, x1, y1 = lattice.box
    away = {
        "up": y0 / lattice.tall,
        "down": (height - y1) / lattice.tall,
        "left": x0 / lattice.wide,
        "right": (width - x1) / lattice.wide,
    }
    return {side for side, distance in away.items() if abs(distance) < 0.1}


def _bands(canvas: Canvas, strip: Lattice, side: str, depth: float) -> Floats:
    """Colours of a strip's cells in a band of a tenth of a cell, ``depth`` of a cell inside its outer line."""
    rows, columns = strip.rows, strip.columns
    x0, y0, x1, y1 = strip.box
    if side in {"up", "down"}:
        top = y0 + depth * strip.tall if side == "up" else y1 - (depth + 0.1) * strip.tall
        box = x0, top, x1, top + 0.1 * strip.tall
    else:
        left = x0 + depth * strip.wide if side == "left" else x1 - (depth + 0.1) * strip.wide
        box = left, y0, left + 0.1 * strip.wide, y1
    return resize(canvas.pixels, box, (columns, rows)).reshape(-1, 3)


def _room(lattice: Lattice, side: str, canvas: Canvas) -> int:
    """How many more rows or columns lie in the picture."""
    height, width = canvas.pixels.shape[:2]
    x0, y0, x1, y1 = lattice.box
    room = {
        "up": y0 / lattice.tall,
        "down": (height - y1) / lattice.tall,
        "left": x0 / lattice.wide,
        "right": (width - x1) / lattice.wide,
    }[side]
    return max(0, int(room + 0.15))


def _strips(lattice: Lattice, side: str, most: int, canvas: Canvas) -> Lattice | None:
    """Up to ``most`` more rows or columns that lie in the picture."""
    count = min(most, _room(lattice, side, canvas))
    if count < 1:
        return None
    return {
        "up": lattice.part(-count, 0, count, lattice.columns),
        "down": lattice.part(lattice.rows, 0, count, lattice.columns),
        "left": lattice.part(0, -count, lattice.rows, count),
        "right": lattice.part(0, lattice.columns, lattice.rows, count),
    }[side]


def _join(lattice: Lattice, part: Lattice, side: str) -> Lattice:
    rows = lattice.rows + (part.rows if side in {"up", "down"} else 0)
    columns = lattice.columns + (part.columns if side in {"left", "right"} else 0)
    first = part if side in {"up", "left"} else lattice
    return replace(first, rows=rows, columns=columns)


def _rectangle(evidence: Floats) -> tuple[int, int, int, int] | None:
    """Row, column, rows and columns of the rectangle with the greatest sum."""
    rows, columns = evidence.shape
    best, rectangle = 0.0, None
    sums = np.zeros((rows + 1, columns))
    np.cumsum(evidence, 0, out=sums[1:])
    for top in range(rows):
        strips = sums[top + 1 :] - sums[top]
        totals = np.concatenate([np.zeros((len(strips), 1)), np.cumsum(strips, 1)], 1)
        gains = totals - np.minimum.accumulate(totals, 1)
        at, end = (int(k) for k in np.unravel_index(int(gains.argmax()), gains.shape))
        if gains[at, end] > best:
            best = float(gains[at, end])
            start = int(totals[at, : end + 1].argmin())
            rectangle = (top, start, at + 1, end - start)
    return rectangle
