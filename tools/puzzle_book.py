"""Write the puzzle book: for each technique and level some puzzles of different shapes, found ahead of time.

    .venv/bin/python tools/puzzle_book.py [SECONDS]

SECONDS is the time limit for each technique and level, 120 by default. Entries that are in the book already stay. Rare
puzzles take minutes in all, so this runs by hand. A test proves entries of the book again.
"""

from __future__ import annotations

import sys
import time

from mineproof.errors import BudgetExceeded
from mineproof.practice.book import BOOK, BookEntry, load_book
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.practice.search import puzzle
from mineproof.practice.variety import RING, puzzle_shape

LEVELS = ("beginner", "intermediate", "expert")
PUZZLES = 16  # for each technique and level
MAX_RINGS = 1
SECONDS_PER_SEED = 60.0


def find_entries(technique: str, level: str, entries: list[BookEntry], seconds: float) -> list[BookEntry]:
    """Return the entries with new ones, until there are enough or the time is over."""
    end = time.monotonic() + seconds
    seed = max((entry.seed for entry in entries), default=-1) + 1
    while len(entries) < PUZZLES and time.monotonic() < end:
        try:
            task = puzzle(technique, level=level, seed=seed, budget=SECONDS_PER_SEED)
        except BudgetExceeded:
            task = None
        if task is not None:
            shape = puzzle_shape(task)
            alike = sum(entry.shape == shape for entry in entries)
            if alike < (MAX_RINGS if shape == RING else 1):
                text = str(task.board).replace("\n", "/")
                entries = [*entries, BookEntry(technique, level, seed, shape, text)]
        seed += 1
    return entries


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    book = load_book()
    for level in LEVELS:
        for technique in TECHNIQUES:
            book[technique, level] = find_entries(technique, level, list(book.get((technique, level), ())), seconds)
            lines = [" ".join(map(str, entry)) for entries in book.values() for entry in entries]
            BOOK.write_text("\n".join(lines) + "\n", "utf-8")
            sys.stderr.write(f"{technique} {level}: {len(book[technique, level])}\n")


if __name__ == "__main__":
    main()
