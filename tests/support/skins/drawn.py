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
from support.skins.looks import random_look
from support.skins.positions import random_position
from support.skins.scenes import draw_scene

QUESTIONS = 2  # groups that a person confirms


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
    scene = draw_scene(look, random_position(rng, largest=largest), rng)
    rows = ["".join(row).replace("X", "F") for row in scene.position.marks]
    return judge(np.asarray(scene.picture.convert("RGB")), rows)


def judged_screen(path: Path, rows: Sequence[str]) -> Judged:
    """A file whose board was written down by a person."""
    return judge(decode(path.read_bytes()).pixels, rows)


def judge(picture: Pixels, rows: Sequence[str]) -> Judged:
    """``rows`` are the marks that are there."""
    cells = sum(map(len, rows))
    began = time.process_time()
    try:
        reading = read_pixels(picture)
    except mp.BoardSyntaxError as error:
        return Judged(False, False, False, 0, cells, time.process_time() - began, None, str(error))
    seconds = time.process_time() - began
    if [len(row) for row in reading.cells] != [len(row) for row in rows]:
        why = f"{len(reading.cells)} rows of {len(reading.cells[0])} for {len(rows)} of {len(rows[0])}"
        return Judged(False, False, reading.sure, 0, cells, seconds, reading, why)
    right = _right(reading, rows)
    said = reading
    for _ in range(QUESTIONS):
        if said.doubts:
            row, col = said.doubts[0].cells[0]
            said = said.confirm({(row, col): rows[row][col]})
    after = _right(said, rows) == cells
    why = "" if right == cells else f"{cells - right} cells wrong"
    return Judged(right == cells, after, reading.sure, right, cells, seconds, reading, why)


def _right(reading: mp.Reading, rows: Sequence[str]) -> int:
    return sum(a == b for read, true in zip(reading.cells, rows, strict=True) for a, b in zip(read, true, strict=True))
