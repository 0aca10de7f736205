"""A unit: some games of one series, played by one worker, and the bytes that are stored for it.

A worker receives a `Unit`, plain data that can be pickled, and returns a record. The bytes of the record do not depend
on when and where the unit is played. All numbers are little-endian and follow each other without gaps:

First      u64: the number of the first game
Games      u32: the number of games
Length     u32: bytes of the whole record
Sums       7 × i64: the fields of `Tally`, in their order
Won        one bit per game, 1 for a win, the first in the highest bit; zeros to the end of the byte
Columns    optional data for each game: one array after the other, with the names and types of the plan (NumPy types:
           ``<i2`` is a signed number of two bytes)
Bins       only if there are columns: guesses without first clicks, in 100 bins of the stated mine probability, 3 × i64
           each: guesses, the number of them that were mines, and the sum of the stated probabilities in units of 2⁻³².
           Odds up to a unit below a bound count as on it: one fifth is in the bin from 20 % to 21 %
Checksum   16 bytes: BLAKE2b of everything before

A reader uses the names of the columns in the plan, so columns can be added.
"""

from __future__ import annotations

import hashlib
import math
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.base.work import POLL, Stop
from mineproof.decision.custom import Own, offered_strategy
from mineproof.engine.default import default_engine
from mineproof.engine.records import BIN, BINS, GameRecords, Table, add_calibration, new_calibration
from mineproof.errors import SweepError
from mineproof.protocol.bots import BotStrategy
from mineproof.protocol.names import is_bot
from mineproof.simulation.chunks import chunks
from mineproof.simulation.custom_games import own_chunk, play_own, record_own
from mineproof.simulation.results import Tally
from mineproof.simulation.series import Series
from mineproof.simulation.simulator import chunk_size, match_of, tally_of
from mineproof.version import VERSION

HEAD = struct.Struct("<QII7q")
CHECKSUM = 16  # bytes
AHEAD = 2  # units in flight per worker thread
GAMES_STORED = "Finished games are kept."  # at the end of an error while units are in flight

Array = npt.NDArray[np.generic]


class GameColumn(NamedTuple):
    """A value stored for each game: a name and a NumPy type."""

    name: str
    type: str


class Package(NamedTuple):
    """An installed package that has a strategy, or the name and version of a bot."""

    name: str
    version: str


class Unit(NamedTuple):
    """Games of a series in the form that is sent to a worker."""

    series: Series
    numbers: range
    weighed: bool
    columns: tuple[GameColumn, ...]
    version: str  # of the client
    package: Package | None = None  # has the strategy


class Played(NamedTuple):
    """A parsed record: ``columns`` has arrays with one entry per game.

    ``calibration`` is an array of `mineproof.engine.records.BIN`; None if there are no columns.
    """

    numbers: range
    tally: Tally
    won: npt.NDArray[np.bool_]
    columns: dict[str, Array]
    calibration: Table | None


def columns_of(series: Series) -> tuple[GameColumn, ...]:
    """Return the columns that can be stored for a series; counts have two bytes if that is enough for the board."""
    count = "<i2" if series.rows * series.columns < 1 << 15 else "<i4"
    return (
        GameColumn("moves", count),
        GameColumn("guesses", count),
        GameColumn("forced_guesses", count),
        GameColumn("survived_odds", "<f8"),
        GameColumn("bbbv", count),
        GameColumn("fallbacks", count),
        GameColumn("lost_cell", count),
        GameColumn("lost_odds", "<f8"),
    )


def checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


# playing


def play(unit: Unit, stopped: Stop = bool) -> bytes | None:
    """Play a unit and return its record; None if it was stopped. This runs on every worker."""
    if unit.version != VERSION:
        raise SweepError(f"Worker runs mineproof {VERSION}, client runs {unit.version}. The versions must match.")
    if unit.package is None:
        return _play_unit(unit, _kernel_player(unit), chunk_size(unit.series), stopped)
    while not _one_at_a_time.acquire(timeout=POLL):
        if stopped():
            return None
    try:
        with closing(_load_strategy(unit.series.strategy, unit.package)) as own:
            return _play_unit(unit, _own_player(unit, own), own_chunk(unit.series, own), stopped)
    finally:
        _one_at_a_time.release()


Player = Callable[[range, Stop], tuple[Tally, bytes, GameRecords | None]]

# A strategy of a package may be an object with state, so only one thread at a time calls it.
_one_at_a_time = threading.Lock()
_match = lru_cache(maxsize=16)(match_of)


def _play_unit(unit: Unit, player: Player, chunk: int, stopped: Stop) -> bytes | None:
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
        played = play_own(unit.series, own, default_engine(), numbers, stopped)
        return played.tally, played.outcomes, None

    return play_chunk


def _load_strategy(strategy: str, package: Package) -> Own:
    """Load the strategy of a package or a bot; SweepError unless worker and client have the same version."""
    client = f"client has that of {package.name} {package.version}"
    if is_bot(strategy):
        return _load_bot(strategy, package, client)
    offered = offered_strategy(strategy)
    if offered is None:
        raise SweepError(f"Worker does not have strategy {strategy!r}, {client}. The packages must match.")
    if (offered.package, offered.version) != package:
        worker = f"{offered.package} {offered.version}"
        raise SweepError(f"Worker has strategy {strategy!r} of {worker}, {client}. The packages must match.")
    return offered.load()


def _load_bot(strategy: str, package: Package, client: str) -> Own:
    bot = BotStrategy(strategy)
    if bot_package(bot) == package:
        return bot
    bot.close()
    worker = " ".join(bot_package(bot))
    raise SweepError(f"Worker has strategy {strategy!r} of {worker}, {client}. The programs must match.")


def bot_package(bot: BotStrategy) -> Package:
    """Return the name and version that a bot states, in place of a package."""
    return Package(bot.identity.name, bot.identity.version)


def _columns(unit: Unit, games: Table) -> list[Array]:
    guesses, nothing = games["guesses"], np.full(len(games), -1)
    needless = games["needless"] if unit.package else 0  # kernel strategies never guess while a cell is known safe
    values: dict[str, Array] = {
        "moves": games["moves"],
        "guesses": guesses,
        "forced_guesses": guesses - needless - 1 if unit.weighed else nothing,
        "survived_odds": _survived_odds(unit, games) if unit.weighed else np.full(len(games), np.nan),
        "bbbv": games["bbbv"],
        "fallbacks": games["fallbacks"],
        "lost_cell": games["lost_cell"],
        "lost_odds": games["lost_odds"],
    }
    return [values[name].astype(kind) for name, kind in unit.columns]


def _survived_odds(unit: Unit, games: Table) -> Array:
    """Return the chance of surviving all survived guesses, including the first click unless it lost the game."""
    first = np.where((games["won"] == 0) & (games["guesses"] == 1), 0.0, unit.series.log_first_click)
    # Not NumPy's exp: its last bit depends on the processor.
    return np.array([math.exp(logarithm) for logarithm in (first + games["log_survived"]).tolist()])


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


def record_length(games: int, columns: tuple[GameColumn, ...]) -> int:
    """Return the number of bytes of a record."""
    game_bytes = sum(np.dtype(kind).itemsize for _, kind in columns)
    table = BINS * BIN.itemsize if columns else 0
    return HEAD.size + -(-games // 8) + games * game_bytes + table + CHECKSUM


def require_whole(record: bytes | memoryview, numbers: range, columns: tuple[GameColumn, ...]) -> Tally:
    """Return the sums of a record; ValueError unless it is intact and has these games."""
    expected = record_length(len(numbers), columns)
    if len(record) != expected:
        raise ValueError(f"expected {expected} bytes, got {len(record)}")
    stored, computed = bytes(record[-CHECKSUM:]), checksum(bytes(record[:-CHECKSUM]))
    if stored != computed:
        raise ValueError(f"expected checksum {computed.hex()[:8]}, got {stored.hex()[:8]}")
    first, games, length, *sums = HEAD.unpack_from(record)
    if (first, games, length) != (numbers.start, len(numbers), expected):
        raise ValueError(f"expected {len(numbers)} games from {numbers.start} on, got {games} from {first} on")
    return Tally(*sums)


def read_record(record: bytes, numbers: range, columns: tuple[GameColumn, ...]) -> Played:
    """Parse a record; ValueError unless it is intact and has these games."""
    tally = require_whole(record, numbers, columns)
    end = HEAD.size + -(-len(numbers) // 8)
    bits = np.frombuffer(record, dtype=np.uint8, count=end - HEAD.size, offset=HEAD.size)
    won = np.unpackbits(bits, count=len(numbers)).astype(bool)
    arrays = dict(_arrays(record, end, len(numbers), columns))
    at = len(record) - CHECKSUM - BINS * BIN.itemsize
    calibration = np.frombuffer(record, dtype=BIN, count=BINS, offset=at) if columns else None
    return Played(numbers, tally, won, arrays, calibration)


def _arrays(record: bytes, offset: int, games: int, columns: tuple[GameColumn, ...]) -> Iterator[tuple[str, Array]]:
    for name, kind in columns:
        array = np.frombuffer(record, dtype=kind, count=games, offset=offset)
        yield name, array
        offset += array.nbytes
