"""Screenshots whose boards are known, beside what is read of them: a line for each file, and a summary.

    python benchmarks/check_screens.py FOLDER
    python benchmarks/check_screens.py --drawn 300
    python benchmarks/check_screens.py --classic 200 --held-out 400 --non-boards 500

FOLDER has the files and ``index.json`` (``file``, ``rows``); it is not part of the project. The others are drawn by
tests/support/skins, from seed 70,000 on (``--seed``): ``--drawn`` random looks of the kinds that the network was
trained on, ``--classic`` the grey bevelled ones among them, ``--held-out`` families of looks that were never used for
training or tuning, ``--non-boards`` pictures of other grids, half of them of kinds that were never used. Seconds are of
the processor. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.skins import families, non_boards
from support.skins.drawn import Judged, judged, judged_classic, judged_family, judged_screen, read_non_board


def interval(right: int, count: int) -> str:
    """A share with Wilson's interval."""
    share, z = right / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5 / (1 + z * z / count)
    return f"{right} of {count} = {100 * share:.1f} % ({100 * (middle - half):.1f} to {100 * (middle + half):.1f})"


def screens(folder: Path) -> Iterator[tuple[str, Judged]]:
    for screen in json.loads((folder / "index.json").read_text()):
        yield screen["file"], judged_screen(folder / screen["file"], screen["rows"])


def summarize(title: str, named: Iterator[tuple[str, Judged]]) -> None:
    every: list[Judged] = []
    for name, reading in named:
        every.append(reading)
        end = "right" if reading.whole else f"{reading.why}, {'right' if reading.after_two else 'wrong'} once asked"
        print(f"{name:36} {reading.seconds:5.2f} s  {'sure' if reading.sure else 'asks':4}  {end}", flush=True)
    count = len(every)
    sure = [reading for reading in every if reading.sure]
    right, cells = sum(reading.right for reading in every), sum(reading.cells for reading in every)
    seconds = sorted(reading.seconds for reading in every)
    print(f"{title}: {interval(sum(reading.whole for reading in every), count)} fully right")
    print(f"  after two questions {interval(sum(reading.after_two for reading in every), count)}")
    print(f"  {right / cells:.2%} of all cells right; a board of a wrong size has none")
    print(f"  {len(sure)} sure, of which {sum(not reading.whole for reading in sure)} wrong")
    print(f"  {seconds[count // 2]:.2f} s of CPU at the median, {seconds[-1]:.2f} at most")


def summarize_non_boards(count: int, seed: int) -> None:
    kinds = list(non_boards.KINDS)
    results: dict[str, Counter[str]] = {kind: Counter() for kind in kinds}
    for number in range(count):
        kind = kinds[number % len(kinds)]
        results[kind][read_non_board(kind, seed + number)[0]] += 1
    for kind, result in results.items():
        print(f"{kind:36} {dict(result)}", flush=True)
    total = sum(results.values(), Counter())
    print(f"no boards: {interval(total['sure'], count)} sure, {total['refused']} refused, {total['asks']} ask")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    for name in ("--drawn", "--classic", "--held-out", "--non-boards"):
        parser.add_argument(name, type=int, default=0)
    parser.add_argument("--seed", type=int, default=70_000)
    options = parser.parse_args()
    seed, held_out = options.seed, families.HELD_OUT
    if options.folder:
        summarize("real", screens(options.folder))
    if options.drawn:
        summarize("drawn", ((f"seed {k}", judged(k)) for k in range(seed, seed + options.drawn)))
    if options.classic:
        summarize("classic", ((f"classic {k}", judged_classic(k)) for k in range(seed, seed + options.classic)))
    if options.held_out:
        names = [(held_out[k % len(held_out)], seed + k) for k in range(options.held_out)]
        summarize("other looks", ((f"{name} {k}", judged_family(name, k)) for name, k in names))
    if options.non_boards:
        summarize_non_boards(options.non_boards, seed)


if __name__ == "__main__":
    main()
