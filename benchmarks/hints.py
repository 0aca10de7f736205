"""How much a person has to hold in mind for the steps of hints, over positions of real games.

    python benchmarks/hints.py                    # 10,000 positions: techniques, numbers, lengths of chains
    python benchmarks/hints.py --read 50          # fifty hints in a row, to be read aloud
    python benchmarks/hints.py --keep FILE        # the positions with the rarest steps, which the tests read

In each position a careful player has done everything that single numbers decide and has flagged all known mines, and
some other cell is certain. Games are of four levels, with first click open. If nothing is certain, they continue with
the safest cell. Printed for each technique: how often a hint shows its step, the numbers that the text names, and the
length of its chain.
"""

from __future__ import annotations

import argparse
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.decision.safest import safest_cell
from mineproof.deduction.ladder import LADDER, easiest
from mineproof.deduction.state import State
from mineproof.engine.default import default_engine
from mineproof.game.field import Field
from mineproof.generation.careful_player import flag_mines, open_safe, take

START = (4, 4)
KEPT = 16  # positions of each kind
LEVELS = ["expert", "expert", "intermediate", "30x16x120"]


def positions(count: int, seed: int) -> Iterator[mp.Board]:
    """Positions in which something is certain, and nothing by a single number."""
    game = 0
    while count:
        level = LEVELS[game % len(LEVELS)]
        for board in _stuck_boards(mp.generate(level, seed=seed + game, start=START, first_click="open")):
            yield board
            count -= 1
            if not count:
                return
        game += 1


def _stuck_boards(layout: mp.Layout) -> Iterator[mp.Board]:
    field = Field(layout)
    open_safe(field, [START])
    while not field.is_cleared:
        easy = mp.deduce(field.board, upto="single-flag")
        for step in easy:
            take(field, step)
        if easy:
            continue
        analysis = mp.analyze(field.board)
        if analysis.safe or analysis.mines:
            yield field.board
            flag_mines(field, analysis.mines)
            open_safe(field, analysis.safe)
            continue
        cell = safest_cell(analysis, field.board).cell
        if cell in layout.mines:
            return
        open_safe(field, [cell])


def measure(count: int, seed: int) -> None:
    """Print what the steps told take, technique by technique."""
    numbers: dict[str, list[int]] = defaultdict(list)
    chains: dict[str, list[int]] = defaultdict(list)
    begun = time.process_time()
    for board in positions(count, seed):
        name, finding = next(easiest(State(board, Budget(), default_engine()), list(LADDER)))
        numbers[name].append(len(finding.numbers) + finding.uses_total)
        chains[name].append(finding.chain)
    print(f"{count:,} positions from seed {seed}, {time.process_time() - begun:.0f} s of CPU\n")
    print("technique       steps   numbers: mean  most   chain: mean  most")
    for name in LADDER:
        if values := numbers[name]:
            chain = chains[name]
            print(f"{name:14}{len(values):7,}{mean(values):16.2f}{max(values):6}{mean(chain):14.2f}{max(chain):6}")
    every = [value for values in numbers.values() for value in values]
    print(f"{'all':14}{len(every):7,}{mean(every):16.2f}{max(every):6}")
    print("\nnumbers      " + " ".join(f"{size}: {times:,}" for size, times in sorted(Counter(every).items())))


def read(count: int, seed: int) -> None:
    """Print hints in a row, one for each position, hard ones before easy ones, each only once."""
    messages: dict[str, str] = {}
    for board in positions(20 * count, seed):
        advice = mp.hint(board, flags="trust")
        messages.setdefault(advice.text, advice.technique or "guess")
    rare = Counter(messages.values())
    for text, name in sorted(messages.items(), key=lambda each: rare[each[1]])[:count]:
        print(f"[{name}]", textwrap.fill(text, 100), "", sep="\n")


def keep(path: Path, count: int, seed: int) -> None:
    """Write positions, a line each: total, then the rows. All with rare steps, and some with others."""
    stored: dict[str, list[str]] = defaultdict(list)
    for board in positions(count, seed):
        name, finding = next(easiest(State(board, Budget(), default_engine()), list(LADDER)))
        kind = f"{name} with the total" if finding.uses_total else name
        if len(stored[kind]) < KEPT:
            stored[kind].append(f"{board.total_mines} {'/'.join(str(board).split()[1:])}\n")
    path.write_text("".join(line for lines in stored.values() for line in lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--read", type=int, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.keep:
        keep(options.keep, options.positions, options.seed)
    elif options.read:
        read(options.read, options.seed)
    else:
        measure(options.positions, options.seed)


if __name__ == "__main__":
    main()
