"""Replays of other programs whose results are known from elsewhere, beside ours: a line for each file.

    python benchmarks/check_replays.py FOLDER

Compared are the board, the number of events and the time of the last, the final position, time, 3BV, openings, islands,
ZiNi, clicks by button, with and without effect, flags, 3BV that was solved, and whether it was won, as far as each is
known. Times are of the processor. FOLDER has the files and ``index.json``; it is not part of the project. The exit
status is 1 where something differs.
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
    for item in known:
        path = folder() / item["file"]
        began = time.process_time()
        try:
            status = mp.read_replay(path).status
        except mp.MineproofError as error:
            print(f"{item['file']:14} refused: {error}")
            continue
        ms = 1000 * (time.process_time() - began)
        wrong = list(differences(item))
        agree += not wrong
        print(f"{item['file']:14} {path.stat().st_size:6} bytes {ms:5.1f} ms  {status:7}", *wrong or ["agrees"])
    print(f"{agree} of {len(known)} agree")
    return 0 if known and agree == len(known) else 1


if __name__ == "__main__":
    sys.exit(main())
