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
Bins       only where there are columns: the guesses, first clicks left out, in 100 bins of the mine probability that
           was stated for them, 3 × i64 each: guesses, how many of them were mines, and the sum of what was stated in
           units of 2⁻³². Odds up to a unit below a bound are on it: a fifth is in the bin from 20 % to 21 %
Checksum   16 bytes: BLAKE2b of all before

A reader goes by the names of the columns in the plan, so that others can be added.
"""

from __future__ import annotations

import hashlib
import math
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.decision.own import Own, offered_strategy
from mineproof.engine.choice import default_engine
from mineproof.engine.records import BIN, BINS, GameRecords, Table, add_calibration, new_calibration
from mineproof.errors import SweepError
from mineproof.simulation.own_games import own_chunk, play_own, record_own
from mineproof.simulation.results import Tally
from mineproof.simulation.running import chunk_size, match_of, tally_of
from mineproof.simulation.series import Series
from mineproof.simulation.spreading import POLL, Stop, chunks
from mineproof.version import VERSION

HEAD = struct.Struct("<QII7q")
CHECKSUM = 16  # bytes
AHEAD = 2  # units in flight for each that is played
KEPT = "what was finished is kept"  # at the end of an error while units are in flight

Array = npt.NDArray[np.generic]


class Column(NamedTuple):
    """What is kept of each game: a name, and a type in NumPy's words."""

    name: str
    type: str


class Package(NamedTuple):
    """An installed package that brings a strategy."""

    name: str
    version: str


class Unit(NamedTuple):
    """Games of a series, as a worker is told of them."""

    series: Series
    numbers: range
    weighed: bool
    columns: tuple[Column, ...]
    version: str  # of whoever asks
    package: Package | None = None  # that brings the strategy


class Played(NamedTuple):
    """A record that was read: ``columns`` has an array for each, with an entry for each game.

    ``calibration`` is an array of `mineproof.engine.records.BIN`; None where there are no columns.
    """

    numbers: range
    tally: Tally
    won: npt.NDArray[np.bool_]
    columns: dict[str, Array]
    calibration: Table | None


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
        Column("lost_cell", count),
        Column("lost_odds", "<f8"),
    )


def checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


# playing


def play(unit: Unit, stopped: Stop = bool) -> bytes | None:
    """The record of a unit; None where it was stopped. What every worker does."""
    if unit.version != VERSION:
        raise SweepError(f"found a worker with mineproof {VERSION}, expected {unit.version} as whoever asks")
    if unit.package is None:
        return _play(unit, _kernel_player(unit), chunk_size(unit.series), stopped)
    own = _installed(unit.series.strategy, unit.package)
    while not _one_at_a_time.acquire(timeout=POLL):
        if stopped():
            return None
    try:
        return _play(unit, _own_player(unit, own), own_chunk(unit.series, own), stopped)
    finally:
        _one_at_a_time.release()


Player = Callable[[range, Stop], tuple[Tally, bytes, GameRecords | None]]

# A strategy of a package may be an object that remembers something: it is not asked by two threads at once.
_one_at_a_time = threading.Lock()
_match = lru_cache(maxsize=16)(match_of)


def _play(unit: Unit, player: Player, chunk: int, stopped: Stop) -> bytes | None:
    tally, won, games, calibration = Tally(), [], [], new_calibration()
    for numbers in chunks(unit.numbers.start, unit.numbers.stop, chunk):
        if stopped():
            return None
        more, outcomes, records = player(numbers, stopped)
        if len(outcomes) < len(numbers):
            return None
        tally += more
        won.append(outcomes)
        if records is not None:
            games.append(records.games)
            add_calibration(calibration, records.calibration)
    if not unit.columns:
        return make_record(unit.numbers, tally, b"".join(won))
    return make_record(unit.numbers, tally, b"".join(won), _columns(unit, np.concatenate(games)), calibration)


def _kernel_player(unit: Unit) -> Player:
    match, engine = _match(unit.series), default_engine()

    def play_chunk(numbers: range, stopped: Stop) -> tuple[Tally, bytes, GameRecords | None]:
        if unit.columns:
            sums, outcomes, records = engine.record_games(match, numbers, stopped)
            return tally_of(sums), outcomes, records
        sums, outcomes = engine.simulate(match, numbers, stopped)
        return tally_of(sums), outcomes, None

    return play_chunk


def _own_player(unit: Unit, own: Own) -> Player:
    def play_chunk(numbers: range, stopped: Stop) -> tuple[Tally, bytes, GameRecords | None]:
        if unit.columns:
            return record_own(unit.series, own, default_engine(), numbers, stopped)
        return *play_own(unit.series, own, default_engine(), numbers, stopped), None

    return play_chunk


def _installed(strategy: str, package: Package) -> Own:
    """The strategy of a package as it is installed here; SweepError unless it is the one that is asked for."""
    offered = offered_strategy(strategy)
    words = f"expected that of {package.name} {package.version} as whoever asks"
    if offered is None:
        raise SweepError(f"found a worker without strategy {strategy!r}, {words}")
    if (offered.package, offered.version) != package:
        raise SweepError(f"found a worker with strategy {strategy!r} of {offered.package} {offered.version}, {words}")
    return offered.load()


def _columns(unit: Unit, games: Table) -> list[Array]:
    guesses, nothing = games["guesses"], np.full(len(games), -1)
    needless = games["needless"] if unit.package else 0  # no strategy of the kernel guesses where it knows better
    found: dict[str, Array] = {
        "moves": games["moves"],
        "guesses": guesses,
        "forced_guesses": guesses - needless - 1 if unit.weighed else nothing,
        "survived_odds": _survived(unit, games) if unit.weighed else np.full(len(games), np.nan),
        "bbbv": games["bbbv"],
        "fallbacks": games["fallbacks"],
        "lost_cell": games["lost_cell"],
        "lost_odds": games["lost_odds"],
    }
    return [found[name].astype(kind) for name, kind in unit.columns]


def _survived(unit: Unit, games: Table) -> Array:
    """The chance of surviving all guesses that were survived, the first click among them unless it lost the game."""
    first = np.where((games["won"] == 0) & (games["guesses"] == 1), 0.0, unit.series.log_first_click)
    # Not NumPy's exp: its last bit depends on the processor.
    return np.array([math.exp(each) for each in (first + games["log_survived"]).tolist()])


# bytes


def make_record(
    numbers: range, tally: Tally, outcomes: bytes, columns: Sequence[Array] = (), calibration: Table | None = None
) -> bytes:
    bits = np.packbits(np.frombuffer(outcomes, dtype=np.uint8)).tobytes()
    arrays = b"".join(array.tobytes() for array in columns) + (b"" if calibration is None else calibration.tobytes())
    length = HEAD.size + len(bits) + len(arrays) + CHECKSUM
    sums = msgspec.structs.astuple(tally)
    body = HEAD.pack(numbers.start, len(numbers), length, *sums) + bits + arrays
    return body + checksum(body)


def record_length(games: int, columns: tuple[Column, ...]) -> int:
    each = sum(np.dtype(kind).itemsize for _, kind in columns)
    table = BINS * BIN.itemsize if columns else 0
    return HEAD.size + -(-games // 8) + games * each + table + CHECKSUM


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
    arrays = dict(_arrays(record, end, len(numbers), columns))
    at = len(record) - CHECKSUM - BINS * BIN.itemsize
    calibration = np.frombuffer(record, dtype=BIN, count=BINS, offset=at) if columns else None
    return Played(numbers, tally, won, arrays, calibration)


def _arrays(record: bytes, offset: int, games: int, columns: tuple[Column, ...]) -> Iterator[tuple[str, Array]]:
    for name, kind in columns:
        array = np.frombuffer(record, dtype=kind, count=games, offset=offset)
        yield name, array
        offset += array.nbytes
