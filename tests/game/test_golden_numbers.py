"""Numbers of layouts and games known from ms_toollib; where it is installed, some more are compared live.

The golden file is made by ``python benchmarks/check_numbers.py --write``, which compares a thousand layouts.
"""

import json
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.engine.default import default_engine
from support import toollib
from support.engines import needs_kernel

KNOWN = json.loads((Path(__file__).parents[1] / "golden/numbers.json").read_text("utf-8"))
REPLAYS = Path(__file__).parents[3] / "shared/cases/replays"  # of other programs, beside the project; no part of it
# Flags set before the start and taken off again: ms_toollib starts to count afresh, except for effective flags.
EFFECTIVE_BEFORE_START = {87, 108}

needs_toollib = pytest.mark.skipif(find_spec("ms_toollib") is None, reason="ms_toollib is not installed")


def agree(ours: toollib.Numbers, theirs: toollib.Numbers) -> list[str]:
    """The names of numbers that differ; what we tell as None is 0, or no number, there."""
    return [
        name
        for name, value in theirs.items()
        if not (
            not value or not math.isfinite(value)
            if (mine := ours[name]) is None
            else math.isclose(mine, value or 0, rel_tol=1e-9)
        )
    ]


@pytest.mark.parametrize("known", KNOWN["layouts"], ids=lambda known: f"{known['seed']}-{known['number']}")
def test_layouts(known: dict[str, Any]) -> None:
    size = (known["rows"], known["columns"], known["mines"])
    if size[0] * size[1] > 256 and not default_engine().plays:
        pytest.skip("ZiNi of a large layout takes the reference long")
    layout = mp.generate(*size, seed=known["seed"], number=known["number"])
    assert agree(toollib.our_numbers(layout), known["numbers"]) == []


@pytest.mark.slow
@pytest.mark.parametrize("known", KNOWN["games"], ids=lambda known: str(known["number"]))
def test_games(known: dict[str, Any]) -> None:
    assert agree(toollib.our_game(toollib.random_game(known["number"])), known["numbers"]) == []


@needs_toollib
@needs_kernel
def test_layouts_live() -> None:
    for series in toollib.SERIES:
        for layout in series._replace(seed=series.seed + 1000, total=3).layouts():
            assert agree(toollib.our_numbers(layout), toollib.their_numbers(layout)) == [], layout


@needs_toollib
@pytest.mark.parametrize("number", [*range(80, 92), 108])
def test_games_live(number: int) -> None:
    import ms_toollib

    played = toollib.random_game(number)
    ours = toollib.our_game(played)
    theirs = toollib.their_game(ms_toollib.EvfVideo("game.evf", list(toollib.as_evf(played))), list(ours))
    expected = ["rce", "ce", "ce_s", "corr", "thrp"] if number in EFFECTIVE_BEFORE_START else []
    assert sorted(agree(ours, theirs)) == sorted(expected)


@needs_toollib
@pytest.mark.skipif(not REPLAYS.is_dir(), reason=f"{REPLAYS} is not here")
@pytest.mark.parametrize("name", ["avf03.avf", "avf06.avf", "evf04.evf", "rmv01.rmv", "rmv02.rmv", "rmv03.rmv"])
def test_replays_of_others(name: str) -> None:
    video, played = toollib.replayed(REPLAYS / name)
    ours = toollib.our_game(played)
    assert agree(ours, {each: float(getattr(video, each)) for each in ours}) == []


@pytest.mark.skipif(not REPLAYS.is_dir(), reason=f"{REPLAYS} is not here")
def test_boards_of_replays_of_others() -> None:
    """3BV, openings, islands and ZiNi that came with them."""
    compared = 0
    for row in json.loads((REPLAYS / "index.json").read_text("utf-8")):
        truth = row.get("truth")
        if truth:
            rows = row["board"]
            mines = frozenset((r, c) for r, line in enumerate(rows) for c, sign in enumerate(line) if sign == "*")
            ours = toollib.our_numbers(mp.Layout(len(rows), len(rows[0]), mines))
            assert agree(ours, {name: truth[name] for name in ("bbbv", "op", "isl", "zini")}) == [], row["id"]
            compared += 1
    assert compared > 5
