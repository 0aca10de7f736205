"""A picture whose board is known, and how it was read: for tests, and for `benchmarks/check_screens.py`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import mineproof as mp
from mineproof.screens.pixels import Pixels, decode
from mineproof.screens.reader import read_pixels
from support.skins.families import draw_classic, draw_family
from support.skins.looks import random_look
from support.skins.non_boards import draw_non_board
from support.skins.positions import random_position
from support.skins.scenes import Scene, draw_scene

QUESTIONS = 2  # that a person answers
SECONDS = 10_000  # measuring does not end because a machine is busy


@dataclass(frozen=True)
class Judged:
    """``whole``: every cell right; ``after_two``: so once two doubts are answered; ``right`` of ``cells`` cells."""

    whole: bool
    after_two: bool
    sure: bool
    right: int
    cells: int
    seconds: float
    reading: mp.Reading | None
    why: str = ""


def judged(seed: int, *, largest: int = 300) -> Judged:
    """A drawn scene."""
    rng = np.random.default_rng(seed)
    look = random_look(rng)
    return judge_scene(draw_scene(look, random_position(rng, largest=largest), rng))


def judged_classic(seed: int) -> Judged:
    """A drawn scene of a classic look."""
    return judge_scene(draw_classic(np.random.default_rng(seed), largest=300))


def judged_family(name: str, seed: int) -> Judged:
    """A drawn scene of a family of looks."""
    return judge_scene(draw_family(name, np.random.default_rng(seed), largest=200))


def judge_scene(scene: Scene) -> Judged:
    rows = ["".join(row).replace("X", "F") for row in scene.position.marks]
    return judge(np.asarray(scene.picture.convert("RGB")), rows)


def read_non_board(kind: str, seed: int) -> tuple[str, float]:
    """How a picture that is no board is read: "refused", "asks" or "sure"; and the seconds of the processor."""
    picture = draw_non_board(kind, np.random.default_rng(seed))
    began = time.process_time()
    try:
        reading = read_pixels(np.asarray(picture.convert("RGB")), budget=SECONDS)
    except mp.BoardSyntaxError:
        return "refused", time.process_time() - began
    return "sure" if reading.sure else "asks", time.process_time() - began


def judged_screen(path: Path, rows: Sequence[str]) -> Judged:
    """A file whose board was written down by a person."""
    return judge(decode(path.read_bytes()).pixels, rows)


def judge(picture: Pixels, rows: Sequence[str]) -> Judged:
    """``rows`` are the marks that are there."""
    cells = sum(map(len, rows))
    began = time.process_time()
    try:
        reading = read_pixels(picture, budget=SECONDS)
    except mp.BoardSyntaxError as error:
        return Judged(False, False, False, 0, cells, time.process_time() - began, None, str(error))
    seconds = time.process_time() - began
    is_same_size = _size(reading) == _size_of(rows)
    right = _right(reading, rows) if is_same_size else 0
    after = _right(_answered(reading, rows), rows) == cells
    why = "" if right == cells else f"{cells - right} cells wrong"
    if not is_same_size:
        why = f"{len(reading.cells)} rows of {len(reading.cells[0])} for {len(rows)} of {len(rows[0])}"
    return Judged(right == cells, after, reading.sure, right, cells, seconds, reading, why)


def _answered(reading: mp.Reading, rows: Sequence[str]) -> mp.Reading:
    """The reading once `QUESTIONS` are answered: first about the size, then about cells.

    An answer about the size is right if it brings the size closer to the true one.
    """
    for _ in range(QUESTIONS):
        if reading.size_doubts:
            doubt = reading.size_doubts[0]
            now, true = _size(reading), _size_of(rows)
            axis = 0 if doubt.side in {"up", "down"} else 1
            belongs_to_change = abs(now[axis] + doubt.change - true[axis]) < abs(now[axis] - true[axis])
            reading = reading.resize({doubt.side: doubt.change if belongs_to_change else 0}, budget=SECONDS)
        elif reading.doubts and _size(reading) == _size_of(rows):
            row, col = reading.doubts[0].cells[0]
            reading = reading.confirm({(row, col): rows[row][col]}, budget=SECONDS)
    return reading


def _size(reading: mp.Reading) -> tuple[int, int]:
    return _size_of(reading.cells)


def _size_of(rows: Sequence[str]) -> tuple[int, int]:
    return len(rows), len(rows[0])


def _right(reading: mp.Reading, rows: Sequence[str]) -> int:
    if _size(reading) != _size_of(rows):
        return 0
    return sum(a == b for read, true in zip(reading.cells, rows, strict=True) for a, b in zip(read, true, strict=True))
