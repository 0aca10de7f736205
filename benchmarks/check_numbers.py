"""Are our numbers those of ms_toollib? A thousand layouts, 300 games made here, and replays of others.

    python benchmarks/check_numbers.py                     compare, and print what differs
    python benchmarks/check_numbers.py --replays DIR       replays of other programs, too (.avf .evf .rmv)
    python benchmarks/check_numbers.py --write             also write tests/golden/numbers.json

A difference is printed with all there is to know; docs/numbers.md tells the result, and explains the differences. The
exit status is 1 if a number of a layout differs.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import ms_toollib

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support import toollib  # noqa: E402
from support.toollib import GAMES, SERIES, as_evf, our_game, our_numbers, their_game, their_numbers  # noqa: E402

KEPT = 8  # layouts of each series that go into the golden file


def layouts() -> tuple[list[dict[str, object]], Counter[str]]:
    stored, differs = [], Counter()
    for series in SERIES:
        for number, layout in enumerate(series.layouts()):
            ours, theirs = our_numbers(layout), their_numbers(layout)
            note(differs, f"{series} number {number}", ours, theirs)
            if number < KEPT:
                values = {name: int(value) for name, value in theirs.items()}
                stored.append(
                    {
                        **{key: value for key, value in series._asdict().items() if key != "total"},
                        "number": number,
                        "numbers": values,
                    }
                )
    print(
        f"{sum(series.total for series in SERIES):,} layouts, {len(theirs)} numbers each: {format_differences(differs)}"
    )
    return stored, differs


def games() -> tuple[list[dict[str, object]], Counter[str]]:
    stored, differs = [], Counter()
    for number in range(GAMES):
        played = toollib.random_game(number)
        ours = our_game(played)
        theirs = their_game(ms_toollib.EvfVideo("game.evf", list(as_evf(played))), list(ours))
        note(differs, f"game {number}", ours, theirs)
        if number < 5 * KEPT:
            stored.append({"number": number, "numbers": theirs})
    print(f"{GAMES} games, {len(theirs)} numbers each: {format_differences(differs)}")
    return stored, differs


def replays(folder: Path) -> None:
    differs: Counter[str] = Counter()
    files = sorted(path for path in folder.iterdir() if path.suffix in (".avf", ".evf", ".rmv"))
    for path in files:
        video, played = toollib.replayed(path)
        ours = our_game(played)
        note(differs, path.name, ours, {name: float(getattr(video, name)) for name in ours})
    print(f"{len(files)} replays: {format_differences(differs)}")


def note(differs: Counter[str], what: str, ours: toollib.Numbers, theirs: toollib.Numbers) -> None:
    """Count, and print, the numbers that differ; where ours is None, theirs is 0 or not a number."""
    for name, value in theirs.items():
        mine = ours[name]
        same = (value == 0 or not math.isfinite(value)) if mine is None else math.isclose(mine, value, rel_tol=1e-9)
        if not same:
            differs[name] += 1
            print(f"  {what}: {name} is {mine}, ms_toollib has {value}")


def format_differences(differs: Counter[str]) -> str:
    return (
        "no difference"
        if not differs
        else ", ".join(f"{name} differs {times} times" for name, times in differs.items())
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replays", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    print(f"ms_toollib {version('ms_toollib')}")
    known, wrong = layouts()
    played, _ = games()
    if options.replays is not None:
        replays(options.replays)
    if options.write:
        source = f"ms_toollib {version('ms_toollib')}, by python benchmarks/check_numbers.py --write"
        document = {"source": source, "layouts": known, "games": played}
        lines = json.dumps(document).replace('{"rows"', '\n{"rows"').replace('{"number"', '\n{"number"')
        (ROOT / "tests/golden/numbers.json").write_text(lines + "\n", "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
