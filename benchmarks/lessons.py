"""How long lessons take, and how large their pages are: CPU time, from a record to the finished page.

    python benchmarks/lessons.py                  # ten games each: expert, about 500 moves, a larger board
    python benchmarks/lessons.py FILE...          # of replays and saved games

Games are played here, from seeds: by certain cells, each mine flagged before anything around it is opened; now and then
a needless guess that goes well, or a pause; where nothing is certain the safest cell. To have about 500 moves, every
flag is set, taken off and set again.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import mineproof as mp
from mineproof.formats.replays.reader import read_game

GAMES = 10
NEEDLESS = 0.04  # of the reveals
PAUSES = 0.05


def games(level: str, flags: int) -> Iterator[mp.Record]:
    """Games of a level, all won; so many clicks on each flag."""
    for seed in range(GAMES):
        yield _play_game(level, seed, flags)


def _play_game(level: str, seed: int, flags: int) -> mp.Record:
    rng = random.Random(seed)
    layout = mp.generate(level, seed=seed, start=(4, 4), first_click="open")
    game = mp.Game(layout, clock=lambda: 0.0)
    ms = 0

    def play(kind: str, cell: tuple[int, int]) -> None:
        nonlocal ms
        game.play(kind, cell, ms=ms)  # type: ignore[arg-type]
        ms += 4000 if rng.random() < PAUSES else rng.randint(200, 600)

    play("open", (4, 4))
    while not game.is_over:
        analysis = mp.analyze(game.board.without_flags())
        for cell in sorted(analysis.mines):
            if game.board[cell] == mp.COVERED:
                for _ in range(flags):
                    play("flag", cell)
        covered = [cell for cell in analysis.undecided if cell not in layout.mines]
        if covered and (not analysis.safe or rng.random() < NEEDLESS):
            odds = analysis.mine_probability
            play("open", min(covered, key=lambda cell: (float(odds[cell]), cell)))
        elif analysis.safe:
            play("open", min(analysis.safe))
    return game.record()


def measure(name: str, played: Iterable[mp.Record]) -> None:
    rows = []
    for record in played:
        began = time.process_time()
        lesson = mp.lesson(record, budget=3600)  # by the clock: others may use the processors
        made = time.process_time()
        page = lesson.html()
        rows.append((made - began, time.process_time() - made, len(page), len(record.moves), len(lesson.guesses)))
    lessons, pages, sizes, moves, guesses = zip(*rows, strict=True)
    whole = [first + second for first, second in zip(lessons, pages, strict=True)]
    print(f"{name}: {len(rows)} games, {min(moves)} to {max(moves)} moves, {min(guesses)} to {max(guesses)} guesses")
    spent = (
        f"mean {sum(whole) / len(whole):.3f} s, most {max(whole):.3f} s, of which the page {max(pages):.3f} s at most"
    )
    print(f"  CPU of lesson and page: {spent}")
    print(f"  page: mean {sum(sizes) / len(sizes) / 1000:.0f} kB, most {max(sizes) / 1000:.0f} kB")


def main() -> None:
    mp.lesson(_play_game("beginner", 0, 1)).html()  # so that nothing is loaded while it is measured
    if sys.argv[1:]:
        records = [read_game(Path(path).read_bytes(), path).record for path in sys.argv[1:]]
        measure("files", [record for record in records if record.over])
        return
    measure("expert", games("expert", 1))
    measure("expert, about 500 moves", games("expert", 3))
    measure("30x24x150", games("30x24x150", 1))


if __name__ == "__main__":
    main()
