"""Replays whose results are known from elsewhere: a folder with ``index.json``, which is not part of the project.

``MINEPROOF_REPLAYS`` names the folder; else it is looked for beside the project. `python benchmarks/check_replays.py`
prints what agrees.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mineproof as mp
from mineproof.formats import avf, evf, mvf, rmv

Known = dict[str, Any]
READERS = {"avf": avf.read, "evf": evf.read, "mvf": mvf.read, "rmv": rmv.read}


def folder() -> Path:
    return Path(os.environ.get("MINEPROOF_REPLAYS", Path(__file__).parents[3] / "shared/cases/replays"))


def known_replays() -> list[Known]:
    """What is known of each file; nothing where the folder is not there."""
    index = folder() / "index.json"
    return json.loads(index.read_text("utf-8")) if index.is_file() else []


def differences(known: Known) -> Iterator[str]:
    """What we read otherwise than it is known: board, events, final position, times, clicks, 3BV."""
    path = folder() / known["file"]
    record = mp.read_replay(path)
    layout = record.layout
    numbers = layout.numbers().reshape(layout.rows, layout.columns).tolist()
    rows = (
        "".join("*" if (r, c) in layout.mines else str(number) for c, number in enumerate(row))
        for r, row in enumerate(numbers)
    )
    pairs: dict[str, tuple[object, object]] = {"board": (list(rows), known["board"])}
    if "final" in known:
        pairs["final position"] = (str(mp.Game.replay(record).board).split("\n")[1:], known["final"])
    if known["format"] in READERS:
        events = READERS[known["format"]](path.read_bytes()).events
        told = (
            known["truth"]["n_events"] if "truth" in known else known["rawvf"]["n_events"] - 1
        )  # the end counts there
        pairs["events"] = (len(events), told)
        if "rawvf" in known:
            pairs["last event"] = (events.last_ms, round(1000 * known["rawvf"]["last_event_time"]))
    if "truth" in known:
        pairs |= {name: (value, known["truth"][name]) for name, value in _numbers(record).items()}
    if "completed" in known:
        pairs["won"] = (record.won, known["completed"])
    yield from (f"{name}: {ours}, known {theirs}" for name, (ours, theirs) in pairs.items() if ours != theirs)


def _numbers(record: mp.Record) -> dict[str, float | None]:
    measures = mp.measure_game(record)
    layout, clicks, effective = measures.measures, measures.clicks, measures.effective
    return {
        "bbbv": layout.bbbv, "op": layout.openings, "isl": layout.islands, "zini": layout.zini, "rtime_ms": record.ms,
        "left": clicks.left, "right": clicks.right, "double": clicks.double, "cl": clicks.total, "flag": measures.flags,
        "ce": effective.total, "lce": effective.left, "rce": effective.right, "dce": effective.double,
        "bbbv_solved": measures.solved_bbbv,
    }  # fmt: skip
