"""The mask that hides mines from a casual look at a file: that of Simon Tatham's game IDs.

The bytes of a bitmap are split in two, the first part being the shorter; each in turn is XORed with a stream made from
the other: SHA-1 of the other part followed by "0", then by "1", and so on. Bits after the last cell are cleared after
each step. It is not encryption: anyone can undo it. Unmasking undoes the steps in reverse order.
"""

from __future__ import annotations

import hashlib

import numpy as np


def mask(data: bytes, cells: int) -> bytes:
    """Return the masked form of a bitmap."""
    middle = len(data) // 2
    first, second = data[:middle], data[middle:]
    first = _xor_stream(first, second)
    return first + _clear_padding(_xor_stream(second, first), cells)


def unmask(data: bytes, cells: int) -> bytes:
    """Return the plain form of a masked bitmap."""
    middle = len(data) // 2
    first, second = data[:middle], data[middle:]
    second = _clear_padding(_xor_stream(second, first), cells)
    return _xor_stream(first, second) + second


def _xor_stream(target: bytes, seed: bytes) -> bytes:
    base = hashlib.sha1(seed, usedforsecurity=False)
    stream = bytearray()
    for count in range(-(-len(target) // base.digest_size)):
        block = base.copy()  # the seed is hashed once, which keeps a large board linear
        block.update(str(count).encode("ascii"))
        stream += block.digest()
    return (np.frombuffer(target, np.uint8) ^ np.frombuffer(stream, np.uint8, len(target))).tobytes()


def _clear_padding(tail: bytes, cells: int) -> bytes:
    """Return the last part of a bitmap with the bits after the last cell set to 0."""
    unused = -cells % 8
    return tail[:-1] + bytes([tail[-1] >> unused << unused])
