"""The path of the mouse in a game, as far as a recording has one: places on the board with their times.

A path is thinned out when it is stored: a place every `MIN_STEP_MS`, rounded to hundredths of a cell. An expert game of
a minute takes about 30 kB.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from mineproof.formats.replays.recording_games import Replay

MIN_STEP_MS = 30  # between two places of a path
MAX_PLACES = 50_000
MAX_MS = 2**53

MousePath = tuple[tuple[int, float, float], ...]  # milliseconds, and x and y in cells from the top left of the board


def replay_path(replay: Replay) -> MousePath | None:
    """The path of the mouse in a replay, on the clock of the game; None if the file has none."""
    if replay.recording is None or not len(replay.recording.events):
        return None
    recording = replay.recording
    events, square = recording.events, recording.square
    places: list[tuple[int, float, float]] = []
    for ms, x, y in zip(events.ms.tolist(), events.x.tolist(), events.y.tolist(), strict=True):
        time = ms - replay.start
        if time < 0 or (places and time - places[-1][0] < MIN_STEP_MS):
            continue
        places.append((time, round(x / square, 2), round(y / square, 2)))
        if len(places) == MAX_PLACES:
            break
    return tuple(places) or None


def check_path(path: Sequence[Sequence[float]]) -> None:
    """Raise ValueError unless the times of a path are in order and within its limits."""
    if len(path) > MAX_PLACES:
        raise ValueError(f"`mouse_path`: expected at most {MAX_PLACES:,} places, got {len(path):,}")
    last = 0.0
    for ms, *_ in path:
        if not last <= ms <= MAX_MS:
            raise ValueError(f"`mouse_path`: expected times in order, got {ms} after {last:g}")
        last = ms


def path_json(path: MousePath) -> str:
    """A path as it is stored."""
    return json.dumps(path, separators=(",", ":"))
