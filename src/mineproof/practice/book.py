"""The puzzle book: puzzles found ahead of time, so that the first ones are there at once.

Each line of ``book.txt`` has a technique, a level, a seed, the shape of the puzzle (`mineproof.practice.variety`) and
the position. It is the position that `puzzle` finds for the technique, level and seed; ``tools/puzzle_book.py`` writes
the file. Nothing in it is trusted: the position is proved anew whenever it is used.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

BOOK = Path(__file__).with_name("book.txt")


class BookEntry(NamedTuple):
    """One puzzle of the book."""

    technique: str
    level: str
    seed: int
    shape: str
    position: str


def load_book() -> dict[tuple[str, str], list[BookEntry]]:
    """Read the book: its entries by technique and level."""
    book: dict[tuple[str, str], list[BookEntry]] = {}
    if BOOK.exists():
        for line in BOOK.read_text("utf-8").splitlines():
            technique, level, seed, shape, position = line.split(" ")
            book.setdefault((technique, level), []).append(BookEntry(technique, level, int(seed), shape, position))
    return book


@cache
def book() -> dict[tuple[str, str], list[BookEntry]]:
    """Return the book, which is read once."""
    return load_book()
