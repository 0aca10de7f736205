"""Win rates of the strategies on the standard levels: the tables of docs/benchmarks.md.

    python benchmarks/win_rates.py                 everything, about half an hour on two cores
    python benchmarks/win_rates.py fast strong     some of: fast strong best originals 8x8

Every row is a `mineproof simulate` of its own: the command is printed with it. Seed 1 throughout, so that strategies
play the same layouts; `mineproof simulate --against` compares two of them game by game. CPU is of one core, measured
while all cores were busy.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import mineproof as mp
from mineproof.board.levels import LEVELS

SEED = 1


class Row(NamedTuple):
    strategy: str
    level: str
    first_click: str
    games: int
    first: str | None = None


LEVEL_NAMES = ("expert", "intermediate", "beginner")


def rows(strategy: str, games: int) -> list[Row]:
    return [Row(strategy, level, rule, games) for level in LEVEL_NAMES for rule in ("safe", "open")]


ORIGINALS = [
    *(Row("go", level, "safe", 100_000) for level in LEVEL_NAMES),
    *(Row("minedetector", level, "any", 100_000, "random") for level in LEVEL_NAMES),
    *(Row("minesolver", level, "open", 100_000) for level in LEVEL_NAMES),
    *(Row("fair", level, "safe", 100_000) for level in LEVEL_NAMES),
]
PAPERS = [  # 8×8 with 10 mines, the size of most papers
    Row(strategy, "beginner8", rule, 100_000)
    for strategy in ("fast", "strong", "best", "go")
    for rule in ("any", "safe", "open")
]
PARTS = {
    "fast": rows("fast", 100_000),
    "strong": rows("strong", 100_000),
    "best": rows("best", 40_000),
    "originals": ORIGINALS,
    "8x8": PAPERS,
}


def play(row: Row) -> mp.Simulation:
    size = LEVELS[row.level]
    first = {} if row.first is None else {"first": row.first}
    return mp.simulate(
        size.rows, size.columns, size.mines, games=row.games, strategy=row.strategy, first_click=row.first_click,
        seed=SEED, threads=2, **first,
    )  # fmt: skip


def show(row: Row, found: mp.Simulation) -> None:
    low, high = found.interval
    where = "" if row.first is None else f" --first {row.first}"
    rate = f"{100 * found.win_rate:6.2f} % [{100 * low:.2f}, {100 * high:.2f}]"
    counts = (
        f"moves/win {found.moves_per_win:6.1f}  guesses/win {found.guesses_per_win:5.2f}  fallbacks {found.fallbacks}"
    )
    print(f"{row.strategy:13}{row.level:13}{row.first_click:5} {rate}  {counts}", end="  ")
    print(f"{1e3 * found.cpu_seconds / found.games:.3f} ms")
    print(
        f"    mineproof simulate {row.level} --strategy {row.strategy} --first-click {row.first_click}{where}", end=" "
    )
    print(f"--games {row.games} --seed {SEED}", flush=True)


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.exit(f"no such part: {', '.join(unknown)}; expected some of {', '.join(PARTS)}")
    for name in names or list(PARTS):
        for row in PARTS[name]:
            show(row, play(row))


if __name__ == "__main__":
    main(sys.argv[1:])
