"""Tells the mark on each cell from its look: a small convolutional network, run with NumPy.

Four convolutions of 3 × 3 (two of them with stride 2) and two full layers, some 350,000 weights kept in half precision
in ``marks.npz``. It was trained on cells drawn by `tests/support/skins` alone, by ``tools/reader``; no picture of any
program is in it. Its input is the look and the same look with mean 0 and deviation 1, so that faint marks are seen,
too.

Cost    About 4 million multiplications a cell: a tenth of a second for an expert board on one core.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.lattice import LOOK

MARKS: Final = "012345678#F?*X-"  # X is a wrong flag that is crossed out; the last is no cell
CHUNK = 256  # cells at a time: what they need stays in the processor's cache
STRIDES = (2, 1, 2, 1)

Floats = NDArray[np.float32]


@cache
def _weights() -> dict[str, Floats]:
    with (files("mineproof.screens") / "marks.npz").open("rb") as file:
        held = np.load(file)
        return {name: held[name].astype(np.float32) for name in held.files if name != "provenance"}


def log_probabilities(looks: Floats) -> Floats:
    """For each look (…, LOOK, LOOK, 3) the logarithm of the chance of each of `MARKS`."""
    flat = looks.reshape(-1, LOOK, LOOK, 3)
    parts = [_scores(flat[start : start + CHUNK]) for start in range(0, len(flat), CHUNK)]
    scores = np.concatenate(parts) if parts else np.zeros((0, len(MARKS)), np.float32)
    scores -= scores.max(-1, keepdims=True)
    scores -= np.log(np.exp(scores).sum(-1, keepdims=True))
    return scores.reshape(*looks.shape[:-3], len(MARKS))


def _scores(looks: Floats) -> Floats:
    weights = _weights()
    values = _with_contrast(looks)
    for number, stride in enumerate(STRIDES):
        values = _convolved(values, weights[f"conv{number}"], weights[f"conv{number}_bias"], stride)
    hidden = np.maximum(values.reshape(len(values), -1) @ weights["hidden"] + weights["hidden_bias"], 0)
    scores: Floats = hidden @ weights["out"] + weights["out_bias"]
    return scores


def _with_contrast(looks: Floats) -> Floats:
    mean = looks.mean((1, 2, 3), keepdims=True)
    deviation = looks.std((1, 2, 3), keepdims=True)
    return np.concatenate([looks - np.float32(0.5), (looks - mean) / (deviation + np.float32(0.02))], -1)


def _convolved(values: Floats, weights: Floats, bias: Floats, stride: int) -> Floats:
    """A 3 × 3 convolution with a border of zeros, then whatever is negative becomes 0."""
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::stride, ::stride]
    columns = np.moveaxis(windows, 3, -1)  # n, height, width, 3, 3, channels
    count, height, width = columns.shape[:3]
    product: Floats = columns.reshape(count * height * width, -1) @ weights.reshape(-1, weights.shape[-1]) + bias
    return np.maximum(product, 0, out=product).reshape(count, height, width, -1)
