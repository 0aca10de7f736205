"""Files that were damaged: bits and bytes changed, counts that lie, parts lost, doubled or taken from another file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

MOST_CHANGES = 4
LONGEST_PART = 64  # bytes that are lost, doubled or taken
TELLING = (b"\0", b"\1", b"\x7f", b"\x80", b"\xff", b"\0\0", b"\xff\xff", b"\x7f\xff", b"\xff\xff\xff", b"\0\0\0\0",
           b"\xff\xff\xff\xff", b"\x80\0\0\0", b"-1", b"999999999", b"\n", b"\r", b":", b"(", b"Events:\n")  # fmt: skip


def mutated(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """A file with one to four changes; ``others`` are what it may get parts of."""
    for _ in range(rng.randint(1, MOST_CHANGES)):
        data = rng.choice(_CHANGES)(data, others, rng)
    return data


def _bit(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randrange(len(data) or 1)
    return data[:at] + bytes(byte ^ 1 << rng.randrange(8) for byte in data[at : at + 1]) + data[at + 1 :]


def _telling(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    """A number that is the least, the most or negative, in place of what was there."""
    at, new = rng.randint(0, len(data)), rng.choice(TELLING)
    return data[:at] + new + data[at + len(new) :]


def _lost(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + data[at + rng.randint(1, LONGEST_PART) :]


def _doubled(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[: at + rng.randint(1, LONGEST_PART)] + data[at:]


def _cut(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    return data[: rng.randint(0, len(data))]


def _extended(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    return data + rng.choice([rng.randbytes(rng.randint(1, 4 * LONGEST_PART)), data, rng.choice(others)])


def _inserted(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.randint(1, LONGEST_PART)) + data[at:]


def _taken(data: bytes, others: Sequence[bytes], rng: Random) -> bytes:
    other = rng.choice(others)
    at, place = rng.randint(0, len(data)), rng.randint(0, len(other))
    return data[:at] + other[place : place + rng.randint(1, LONGEST_PART)] + data[at:]


_CHANGES: tuple[Callable[[bytes, Sequence[bytes], Random], bytes], ...] = (
    _bit, _bit, _telling, _telling, _lost, _doubled, _cut, _extended, _inserted, _taken,
)  # fmt: skip
