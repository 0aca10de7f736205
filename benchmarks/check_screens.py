"""Screenshots whose boards are known, beside what is read of them: a line for each file.

    python benchmarks/check_screens.py FOLDER
    python benchmarks/check_screens.py --drawn 300

FOLDER has the files and ``index.json`` (``file``, ``rows``); it is not part of the project. ``--drawn`` judges so many
scenes drawn by tests/support/skins, from seed 70,000 on, instead. Seconds are of the processor.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.skins.drawn import Judged, judged, judged_screen


def found(chosen: argparse.Namespace) -> Iterator[tuple[str, Judged]]:
    if chosen.folder is None:
        yield from ((f"seed {seed}", judged(seed)) for seed in range(70_000, 70_000 + chosen.drawn))
        return
    for each in json.loads((chosen.folder / "index.json").read_text()):
        yield each["file"], judged_screen(chosen.folder / each["file"], each["rows"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--drawn", type=int, default=300)
    every: list[Judged] = []
    for name, each in found(parser.parse_args()):
        every.append(each)
        end = "right" if each.whole else f"{each.why}, {'right' if each.after_two else 'wrong'} once asked"
        print(f"{name:36} {each.seconds:5.2f} s  {'sure' if each.sure else 'asks':4}  {end}", flush=True)
    count = len(every)
    sure = [each for each in every if each.sure]
    whole, after = sum(each.whole for each in every), sum(each.after_two for each in every)
    print(f"{whole} of {count} fully right, {after} after two questions")
    print(f"{sum(each.right for each in every) / sum(each.cells for each in every):.2%} of all cells right")
    print(f"{len(sure)} sure, of which {sum(not each.whole for each in sure)} wrong")
    seconds = sorted(each.seconds for each in every)
    print(f"{seconds[count // 2]:.2f} s of CPU at the median, {seconds[-1]:.2f} at most")


if __name__ == "__main__":
    main()
