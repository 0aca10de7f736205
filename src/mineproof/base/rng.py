"""Random numbers that are a function of (seed, stream, position): the same on every machine and in every version.

Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011): the key is the seed,
low word first; the counter is (position, stream), low words first; a block of four words x0 x1 x2 x3 gives the 64-bit
numbers x0·2³² + x1 and x2·2³² + x3, in this order, and then the position goes up by one. It is the kernel's generator
(native/include/mineproof/random.hpp) bit for bit: both deal the same layouts, the kernel only faster.

Layout number k of seed s is ``deal(Random(s, k), cells, mines)`` with the cells that may be mined in row order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

# Purposes, for `derive`; the kernel alone uses SURVIVAL.
FIRST_CLICK, REDRAWS, CHOICES, CANDIDATES, PUZZLES, STRATEGIES, SURVIVAL = 1, 2, 3, 4, 5, 6, 7
TASKS = 20
VARIANT_CLUES, VARIANT_MINES = 21, 22

_WORD = 2**32 - 1
_RANGE = 2**64


def fresh_seed() -> int:
    """Return a random seed from the system, short enough to be typed."""
    import secrets  # loads hashes, which few commands need

    return secrets.randbits(32)


class Random:
    """One stream of a seed; both are whole numbers from 0 to 2**64 - 1."""

    __slots__ = ("_key", "_position", "_stream", "_words")

    def __init__(self, seed: int, stream: int) -> None:
        for name, value in (("seed", seed), ("stream", stream)):
            if not 0 <= value < _RANGE:
                raise ValueError(f"{name} must be from 0 to 2**64 - 1, got {value}")
        self._key = seed & _WORD, seed >> 32
        self._stream = stream & _WORD, stream >> 32
        self._position = 0
        self._words: list[int] = []

    def next(self) -> int:
        """Return the next 64 bits."""
        if not self._words:
            a, b, c, d = self._block()
            self._words = [c << 32 | d, a << 32 | b]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Return an exactly uniform number in [0, bound), by Lemire's multiplication with rejection."""
        if not 1 <= bound < _RANGE:
            raise ValueError(f"bound must be from 1 to 2**64 - 1, got {bound}")
        product = self.next() * bound
        if product % _RANGE < bound:
            threshold = (_RANGE - bound) % bound
            while product % _RANGE < threshold:
                product = self.next() * bound
        return product >> 64

    def uniform(self) -> float:
        """Return a uniform number in [0, 1) with 53 bits."""
        return (self.next() >> 11) * 2.0**-53

    def _block(self) -> tuple[int, int, int, int]:
        a, b, c, d = self._position & _WORD, self._position >> 32, *self._stream
        key, other = self._key
        for _ in range(10):
            left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
            a, b, c, d = right >> 32 ^ b ^ key, right & _WORD, left >> 32 ^ d ^ other, left & _WORD
            key, other = key + 0x9E3779B9 & _WORD, other + 0xBB67AE85 & _WORD
        self._position += 1
        return a, b, c, d


T = TypeVar("T", int, tuple[int, int])


def deal(random: Random, cells: Sequence[T], count: int) -> list[T]:
    """Draw ``count`` of the cells, sorted; all sets are equally likely. This is a shuffle stopped after ``count``."""
    if not 0 <= count <= len(cells):
        raise ValueError(f"count must be from 0 to {len(cells)}, the number of cells, got {count}")
    pool = list(cells)
    for place in range(count):
        other = place + random.below(len(pool) - place)
        pool[place], pool[other] = pool[other], pool[place]
    return sorted(pool[:count])


def derive(seed: int, purpose: int) -> int:
    """Return an independent seed for another purpose, which is a small number, far from the numbers of layouts."""
    return Random(seed, _RANGE - 1 - purpose).next()
