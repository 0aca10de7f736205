"""Recognize the mark on each cell with a small convolutional network, run with NumPy.

Four convolutions of 3 × 3 (two of them with stride 2) and two full layers, some 350,000 weights stored in half
precision in ``marks.npz``. ``tools/reader`` trained it only on cells drawn by `tests/support/skins`, not on pictures of
any program. Its input is the look, and the same look with mean 0 and deviation 1, so that it recognizes faint marks.

Cost    About 4 million multiplications per cell: a tenth of a second for an expert board on one core. Identical looks
        are computed once.
Threads Products are cut into pieces of at most `ONE_THREAD` multiplications. OpenBLAS multiplies these in the calling
        thread. For larger ones it wakes a thread a processor, which spin while they wait for each other: on a busy
        machine that cost eight times the processor time. Setting its number of threads instead would change it for
        the whole process.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.base.budget import Deadline
from mineproof.screens.lattice import LOOK

MARKS: Final = "012345678#F?*X-"  # X is a wrong flag that is crossed out; the last is no cell
CHUNK = 16  # cells at a time: what they need stays in the cache of the processor
STRIDES = (2, 1, 2, 1)
ONE_THREAD = 262_144  # multiplications: OpenBLAS has 4 * 65,536 in interface/gemm.c

Floats = NDArray[np.float32]


@cache
def _weights() -> dict[str, Floats]:
    with (files("mineproof.screens") / "marks.npz").open("rb") as file:
        held = np.load(file)
        return {name: held[name].astype(np.float32) for name in held.files if name != "provenance"}


def log_probabilities(looks: Floats, deadline: Deadline | None = None) -> Floats:
    """For each look (…, LOOK, LOOK, 3) the logarithm of the chance of each of `MARKS`.

    Raises BudgetExceeded when the deadline passes.
    """
    flat = looks.reshape(-1, LOOK, LOOK, 3)
    places, first = _distinct(flat)
    parts = []
    for start in range(0, len(first), CHUNK):
        if deadline is not None:
            deadline.check()
        parts.append(_scores(flat[first[start : start + CHUNK]]))
    scores = np.concatenate(parts) if parts else np.zeros((0, len(MARKS)), np.float32)
    scores -= scores.max(-1, keepdims=True)
    scores -= np.log(np.exp(scores).sum(-1, keepdims=True))
    return scores[places].reshape(*looks.shape[:-3], len(MARKS))


def _distinct(looks: Floats) -> tuple[list[int], list[int]]:
    """For each look its number among those that differ, and where each of these is met first."""
    numbers: dict[bytes, int] = {}
    first: list[int] = []
    places = []
    for index, look in enumerate(looks):
        number = numbers.setdefault(look.tobytes(), len(numbers))
        if number == len(first):
            first.append(index)
        places.append(number)
    return places, first


def _scores(looks: Floats) -> Floats:
    weights = _weights()
    values = _with_contrast(looks)
    for number, stride in enumerate(STRIDES):
        values = _convolve(values, weights[f"conv{number}"], weights[f"conv{number}_bias"], stride)
    hidden = np.maximum(product(values.reshape(len(values), -1), weights["hidden"]) + weights["hidden_bias"], 0)
    scores: Floats = product(hidden, weights["out"]) + weights["out_bias"]
    return scores


def _with_contrast(looks: Floats) -> Floats:
    mean = looks.mean((1, 2, 3), keepdims=True)
    deviation = looks.std((1, 2, 3), keepdims=True)
    return np.concatenate([looks - np.float32(0.5), (looks - mean) / (deviation + np.float32(0.02))], -1)


def _convolve(values: Floats, weights: Floats, bias: Floats, stride: int) -> Floats:
    """A 3 × 3 convolution with a border of zeros, then whatever is negative becomes 0."""
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::stride, ::stride]
    columns = np.moveaxis(windows, 3, -1)  # n, height, width, 3, 3, channels
    count, height, width = columns.shape[:3]
    sums = product(columns.reshape(count * height * width, -1), weights.reshape(-1, weights.shape[-1]))
    sums += bias
    return np.maximum(sums, 0, out=sums).reshape(count, height, width, -1)


def product(rows: Floats, weights: Floats) -> Floats:
    """``rows @ weights`` in pieces that BLAS multiplies in this thread."""
    depth, width = weights.shape
    together = ONE_THREAD // weights.size  # rows of a piece
    if together < 2:  # a single row is a product with a vector, which BLAS shares out much earlier
        half = depth // 2
        return product(rows[:, :half], weights[:half]) + product(rows[:, half:], weights[half:])
    missing = -len(rows) % together
    padded = np.concatenate([rows, np.zeros((missing, depth), rows.dtype)]) if missing else rows
    pieces: Floats = np.matmul(padded.reshape(-1, together, depth), weights)
    return pieces.reshape(-1, width)[: len(rows)]
