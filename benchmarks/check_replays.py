"""Replays of other programs whose results are known from elsewhere, beside ours: a line for each file.

    python benchmarks/check_replays.py FOLDER

FOLDER has the files and ``index.json``; it is not part of the project. The exit status is 1 where something differs.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import mineproof as mp
from support.known_replays import differences, folder, known_replays


def main() -> int:
    if len(sys.argv) > 1:
        os.environ["MINEPROOF_REPLAYS"] = sys.argv[1]
    agree, known = 0, known_replays()
    for each in known:
        path = folder() / each["file"]
        began = time.perf_counter()
        record = mp.read_replay(path)
        ms = 1000 * (time.perf_counter() - began)
        wrong = list(differences(each))
        agree += not wrong
        print(f"{each['file']:14} {path.stat().st_size:6} bytes {ms:5.0f} ms  {record.status:7}", *wrong or ["agrees"])
    print(f"{agree} of {len(known)} agree")
    return 0 if known and agree == len(known) else 1


if __name__ == "__main__":
    sys.exit(main())
