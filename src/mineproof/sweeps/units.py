"""A unit: some games of one series, played in one go by whichever worker, and the bytes that are kept of it.

A worker is handed a `Unit`, plain data that can be pickled, and hands back a record: so many bytes, the same wherever
and whenever the unit is played. All numbers are little-endian, and follow each other without gaps:

First      u64: the number of the first game
Games      u32: how many
Length     u32: of the whole record, in bytes
Sums       7 × i64: the fields of `Tally`, in their order
Won        a bit for each game, 1 for a win, the first in the highest bit; zeros to the end of the byte
Columns    what is kept of each game, if it was asked for: one array after the other, as the plan names and types
           them (in NumPy's words: ``<i2`` is a signed number of two bytes)
Checksum   16 bytes: BLAKE2b of all before

Columns are what the kernel tells of a game: moves and the odds survived of games won only (-1 and NaN of others). A
reader goes by the names in the plan, so that others can be added.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.engine.answers import Engine, Match
from mineproof.engine.choice import default_engine
from mineproof.engine.reference_measures import MINE
from mineproof.errors import SweepError
from mineproof.simulation.results import UNIT, Tally
from mineproof.simulation.running import Stop, chunk_size, chunks, match_of, tally_of
from mineproof.simulation.series import Series
from mineproof.version import VERSION

HEAD = struct.Struct("<QII7q")
CHECKSUM = 16  # bytes

Array = npt.NDArray[np.generic]


class Column(NamedTuple):
    """What is kept of each game: a name, and a type in NumPy's words."""

    name: str
    type: str


class Unit(NamedTuple):
    """Games of a series, as a worker is told of them."""

    series: Series
    numbers: range
    weighed: bool
    columns: tuple[Column, ...]
    version: str  # of whoever asks


class Played(NamedTuple):
    """A record that was read: ``columns`` has an array for each, with an entry for each game."""

    numbers: range
    tally: Tally
    won: npt.NDArray[np.bool_]
    columns: dict[str, Array]


def columns_of(series: Series) -> tuple[Column, ...]:
    """What can be kept of each game of a series; counts in two bytes where no game needs more."""
    count = "<i2" if series.rows * series.columns < 1 << 15 else "<i4"
    return (
        Column("moves", count),
        Column("guesses", count),
        Column("forced_guesses", count),
        Column("survived_odds", "<f8"),
        Column("bbbv", count),
        Column("fallbacks", count),
    )


def checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


# playing


def play(unit: Unit, stopped: Stop = bool) -> bytes | None:
    """The record of a unit; None where it was stopped. What every worker does."""
    if unit.version != VERSION:
        raise SweepError(f"found a worker with mineproof {VERSION}, expected {unit.version} as whoever asks")
    engine = default_engine()
    match = _match(unit.series)
    tally, won = Tally(), []
    games: list[_Game] | None = [] if unit.columns else None
    for numbers in chunks(unit.numbers.start, unit.numbers.stop, chunk_size(unit.series)):
        if games is None:
            sums, outcomes = engine.simulate(match, numbers, stopped)
            more = tally_of(sums)
        else:
            more, outcomes = _one_by_one(engine, match, numbers, stopped, games)
        if len(outcomes) < len(numbers):
            return None
        tally += more
        won.append(outcomes)
    columns = [] if games is None else _columns(unit, engine, match, games)
    return make_record(unit.numbers, tally, b"".join(won), columns)


_match = lru_cache(maxsize=16)(match_of)


class _Game(NamedTuple):
    """What the kernel tells of one game."""

    won: int
    moves: int
    guesses: int
    log_survived: float
    fallbacks: int


def _one_by_one(engine: Engine, match: Match, numbers: range, stopped: Stop, games: list[_Game]) -> tuple[Tally, bytes]:
    """The same sums as of all these games in one call: the kernel, too, adds their logarithms up in order."""
    tally, outcomes, log_survived = Tally(), bytearray(), 0.0
    for number in numbers:
        sums, outcome = engine.simulate(match, range(number, number + 1), stopped)
        if not outcome or stopped():
            break
        games.append(_Game(sums.wins, sums.moves, sums.all_guesses, sums.log_survived, sums.fallbacks))
        log_survived += sums.log_survived
        tally += tally_of(sums._replace(log_survived=0.0))
        outcomes += outcome
    return msgspec.structs.replace(tally, survived=round(log_survived / UNIT)), bytes(outcomes)


def _columns(unit: Unit, engine: Engine, match: Match, games: list[_Game]) -> list[Array]:
    won = np.array([game.won for game in games], dtype=bool)
    guesses = np.array([game.guesses for game in games])
    first = unit.series.log_first_click
    survived = [math.exp(first + game.log_survived) for game in games]
    found: dict[str, Array] = {
        "moves": np.where(won, [game.moves for game in games], -1),
        "guesses": guesses,
        "forced_guesses": guesses - 1 if unit.weighed else np.full(len(games), -1),
        "survived_odds": np.where(won & unit.weighed, survived, np.nan),
        "bbbv": _bbbv(engine, match, unit.numbers),
        "fallbacks": np.array([game.fallbacks for game in games]),
    }
    return [found[name].astype(kind) for name, kind in unit.columns]


def _bbbv(engine: Engine, match: Match, numbers: range) -> Array:
    """The 3BV of the layouts."""
    truths = np.zeros((len(numbers), match.geometry.cells), dtype=np.uint8)
    for row, number in zip(truths, numbers, strict=True):
        row[engine.deal(match.geometry, match.allowed, match.mines, match.seed, number)] = MINE
    return engine.measure(match.geometry, truths, zini=False)[:, 0]


# bytes


def make_record(numbers: range, tally: Tally, outcomes: bytes, columns: list[Array]) -> bytes:
    bits = np.packbits(np.frombuffer(outcomes, dtype=np.uint8)).tobytes()
    arrays = b"".join(array.tobytes() for array in columns)
    length = HEAD.size + len(bits) + len(arrays) + CHECKSUM
    sums = msgspec.structs.astuple(tally)
    body = HEAD.pack(numbers.start, len(numbers), length, *sums) + bits + arrays
    return body + checksum(body)


def record_length(games: int, columns: tuple[Column, ...]) -> int:
    return HEAD.size + -(-games // 8) + games * sum(np.dtype(kind).itemsize for _, kind in columns) + CHECKSUM


def require_whole(record: bytes | memoryview, numbers: range, columns: tuple[Column, ...]) -> Tally:
    """The sums of a record; ValueError that says found and expected unless it is that of these games, and whole."""
    expected = record_length(len(numbers), columns)
    if len(record) != expected:
        raise ValueError(f"found {len(record)} bytes, expected {expected}")
    found, should = bytes(record[-CHECKSUM:]), checksum(bytes(record[:-CHECKSUM]))
    if found != should:
        raise ValueError(f"found checksum {found.hex()[:8]}, expected {should.hex()[:8]}")
    first, games, length, *sums = HEAD.unpack_from(record)
    if (first, games, length) != (numbers.start, len(numbers), expected):
        raise ValueError(f"found {games} games from {first} on, expected {len(numbers)} from {numbers.start} on")
    return Tally(*sums)


def read_record(record: bytes, numbers: range, columns: tuple[Column, ...]) -> Played:
    """What a record holds; ValueError as `require_whole`."""
    tally = require_whole(record, numbers, columns)
    end = HEAD.size + -(-len(numbers) // 8)
    bits = np.frombuffer(record, dtype=np.uint8, count=end - HEAD.size, offset=HEAD.size)
    won = np.unpackbits(bits, count=len(numbers)).astype(bool)
    return Played(numbers, tally, won, dict(_arrays(record, end, len(numbers), columns)))


def _arrays(record: bytes, offset: int, games: int, columns: tuple[Column, ...]) -> Iterator[tuple[str, Array]]:
    for name, kind in columns:
        array = np.frombuffer(record, dtype=kind, count=games, offset=offset)
        yield name, array
        offset += array.nbytes
