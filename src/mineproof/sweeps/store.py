"""The folder of a sweep: what is finished is on disk, whole, whatever happens to the process.

* ``run/plan.json``                  what the run is, see `mineproof.sweeps.plan`
* ``run/units/00003-000012.units``   finished games of configuration 3, the thirteenth file of them
* ``run/units/00003-000013.part``    the same while some of its units are missing

Files    A file holds up to 1,048,576 games in order, so that a billion games are a thousand files. It begins with a
         head that has the sums of all its units: a result is opened by reading the heads, and the units of one file at
         a time where more is asked for.
Parts    A unit that comes in is appended to the part and forced to disk, in whichever order units come. Once a part
         has all its units they are written in order to a file that takes its name in one step, and the part is
         removed. So the bytes in the end depend on nothing but the plan.
Damage   Every record and every head has a checksum. Records at the end of a part that are not whole were being
         written when the process ended, or the power: they are dropped, and their units played again. Anything else
         that is wrong is damage, and an error that names the file and says what was found; nothing is removed or
         written over. To repair is to put the file aside and to begin its part with the units that are whole.
Cost     A unit takes one append and one fsync, shared by all units of its file that came in meanwhile.

The head of a file, little-endian: ``mpsweep1``; 16 bytes that stand for the plan; configuration, number of the file,
units (0 in a part) and zero, u32 each; the sums as i64, games and then the fields of `Tally`; a checksum of 16 bytes.
"""

from __future__ import annotations

import os
import re
import shlex
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from mineproof.base import files
from mineproof.errors import SweepError
from mineproof.simulation.results import Tally
from mineproof.sweeps.plan import Plan, read_plan
from mineproof.sweeps.units import CHECKSUM, HEAD, Played, checksum, read_record, record_length, require_whole

MAGIC = b"mpsweep1"
FILE_HEAD = struct.Struct("<8s16s4I8q")
HEAD_SIZE = FILE_HEAD.size + CHECKSUM

PLAN, UNITS = "plan.json", "units"
_NAME = re.compile(r"([0-9]{5})-([0-9]{6})\.(units|part)")
DAMAGED = ".damaged"  # added to the name of what was repaired

Place = tuple[int, int]  # a configuration, and the number of a file of it


class Sums(NamedTuple):
    """How many games, and what became of them."""

    games: int
    tally: Tally


class Finished(NamedTuple):
    """What the head of a whole file says."""

    units: int
    sums: Sums


class _Part(NamedTuple):
    """A file to which units are appended as they come: where each of them begins, and where the last one ends."""

    places: dict[int, int]
    end: int


class Store:
    """The folder of one plan. Who writes has claimed it; anybody may read, also while it is written."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self._units = folder / UNITS
        self._digest = plan.digest
        self._parts: dict[Place, _Part] = {}

    # reading

    @staticmethod
    def read(folder: Path) -> Store:
        """The store of a folder that has a plan; SweepError for one that has none."""
        path = folder / PLAN
        if not path.is_file():
            raise SweepError(f"found no {PLAN} in {files.shown(folder)}, expected the folder of a sweep")
        return Store(folder, read_plan(files.read(path), str(path)))

    def path(self, place: Place, *, part: bool = False) -> Path:
        return self._units / f"{place[0]:05}-{place[1]:06}.{'part' if part else 'units'}"

    def places(self, kind: str) -> list[Place]:
        """The files of a kind, ``units`` or ``part``, in order; SweepError for one of no configuration of the plan."""
        if not self._units.is_dir():
            return []
        with os.scandir(self._units) as entries:
            names = [_NAME.fullmatch(entry.name) for entry in entries]
        found = sorted((int(name[1]), int(name[2])) for name in names if name is not None and name[3] == kind)
        most = len(self.plan.configurations) - 1
        if found and found[-1][0] > most:
            path = self.path(found[-1], part=kind == "part")
            message = f"found a file of configuration {found[-1][0]}, expected 0 to {most} as in the plan"
            raise SweepError(f"{path}: {message}")
        return found

    def finished(self, place: Place) -> Finished:
        """What a whole file holds, by its head."""
        path = self.path(place)
        configuration = self.plan.configurations[place[0]]
        with path.open("rb") as file:
            units, sums = self._head(path, place, file.read(HEAD_SIZE))
            length = file.seek(0, os.SEEK_END)
        indices, unit = self._indices(place, units), configuration.unit
        games = unit * (len(indices) - 1) + len(configuration.numbers(indices[-1])) if indices else 0
        expected = HEAD_SIZE + games // unit * record_length(unit, configuration.columns)
        if games % unit:
            expected += record_length(games % unit, configuration.columns)
        if length != expected:
            raise damaged(path, f"found {length:,} bytes, expected {expected:,}")
        if self.plan.until is None and len(indices) < len(self._indices(place, configuration.units_of_a_file)):
            most = len(self._indices(place, configuration.units_of_a_file))
            raise damaged(path, f"found {units:,} units, expected {most:,}")
        if games != sums.games:
            raise damaged(path, f"found {sums.games:,} games, expected {games:,}")
        return Finished(units, sums)

    def units(self, place: Place, units: int) -> Iterator[Played]:
        """The units of a whole file, in order, each checked."""
        path, configuration = self.path(place), self.plan.configurations[place[0]]
        with path.open("rb") as file:
            file.seek(HEAD_SIZE)
            for index in self._indices(place, units):
                numbers = configuration.numbers(index)
                record = file.read(record_length(len(numbers), configuration.columns))
                try:
                    yield read_record(record, numbers, configuration.columns)
                except ValueError as error:
                    raise damaged(path, f"games {numbers.start:,} to {numbers.stop - 1:,}: {error}") from None

    def units_of(self, configuration: int) -> Iterator[Played]:
        """The units of a configuration in order, from the first to the one before the first that is missing."""
        each = self.plan.configurations[configuration]
        for number in range(-(-each.units // each.units_of_a_file)):
            place = (configuration, number)
            if not self.path(place).is_file():
                try:
                    found = {index: record for index, _, record in self.part(place)}
                except FileNotFoundError:  # there is none, or it has become a whole file just now
                    if not self.path(place).is_file():
                        return
                else:
                    for index in self._indices(place, each.units_of_a_file):
                        if index not in found:
                            return
                        yield read_record(found[index], each.numbers(index), each.columns)
                    continue
            yield from self.units(place, self.finished(place).units)

    def part(self, place: Place) -> Iterator[tuple[int, int, bytes]]:
        """The whole units of a part: index, where its record begins, and the record."""
        path = self.path(place, part=True)
        configuration = self.plan.configurations[place[0]]
        data = path.read_bytes()
        if len(data) < HEAD_SIZE:  # not even the head was written
            return
        self._head(path, place, data[:HEAD_SIZE])
        offset, step = HEAD_SIZE, record_length(configuration.unit, configuration.columns)
        while offset < len(data):
            try:
                index, record = self._record(place, data, offset)
            except ValueError as error:
                if any(self._is_whole(place, data, later) for later in range(offset + step, len(data), step)):
                    raise damaged(path, f"at byte {offset:,}: {error}") from None
                return  # it was being written when the process ended
            yield index, offset, record
            offset += len(record)

    def _record(self, place: Place, data: bytes, offset: int) -> tuple[int, bytes]:
        """The unit whose record begins there; ValueError unless it is whole."""
        configuration = self.plan.configurations[place[0]]
        if len(data) - offset < HEAD.size:
            raise ValueError(f"found {len(data) - offset} bytes, expected at least {HEAD.size}")
        first, _, length, *_ = HEAD.unpack_from(data, offset)
        index = first // configuration.unit
        if index not in self._indices(place, configuration.units_of_a_file):
            raise ValueError(f"found game {first:,}, expected one of this file")
        record = data[offset : offset + length]
        require_whole(record, configuration.numbers(index), configuration.columns)
        return index, record

    def _is_whole(self, place: Place, data: bytes, offset: int) -> bool:
        try:
            self._record(place, data, offset)
        except ValueError:
            return False
        return True

    def _indices(self, place: Place, units: int) -> range:
        configuration = self.plan.configurations[place[0]]
        first = place[1] * configuration.units_of_a_file
        return range(first, min(first + units, configuration.units))

    def _head(self, path: Path, place: Place, data: bytes) -> tuple[int, Sums]:
        if len(data) < HEAD_SIZE or data[: len(MAGIC)] != MAGIC:
            raise damaged(path, f"found {data[: len(MAGIC)]!r} at its beginning, expected {MAGIC!r}")
        found, should = data[-CHECKSUM:], checksum(data[:-CHECKSUM])
        if found != should:
            raise damaged(path, f"found checksum {found.hex()[:8]} of its head, expected {should.hex()[:8]}")
        _, digest, configuration, number, units, _, games, *sums = FILE_HEAD.unpack_from(data)
        if digest != self._digest:
            raise SweepError(f"{path}: found a file of another plan, expected one of {self.folder / PLAN}")
        if (configuration, number) != place:
            raise damaged(path, f"found file {number} of configuration {configuration}, expected what its name says")
        return units, Sums(games, Tally(*sums))

    # writing

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep the folder to oneself; SweepError if another process has it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with files.claim(self.folder / PLAN):
                yield
        except BlockingIOError:
            message = f"{self.folder} is in use: found another process that plays there, expected one at a time"
            raise SweepError(message) from None

    def begin(self) -> None:
        """Write the plan into a new folder."""
        files.write(self.folder / PLAN, self.plan.text)

    def prepare(self) -> None:
        """Make room for units, unless there is."""
        self._units.mkdir(exist_ok=True)
        files.sync_folder(self.folder)

    def open_part(self, place: Place) -> dict[int, Tally]:
        """Go on with a part; the units that it has. What was cut short is cut off when the next unit comes."""
        configuration = self.plan.configurations[place[0]]
        found, places, end = {}, {}, 0
        for index, offset, record in self.part(place):
            places[index], end = offset, offset + len(record)
            found[index] = require_whole(record, configuration.numbers(index), configuration.columns)
        self._parts[place] = _Part(places, end)
        return found

    def repair(self, place: Place, *, part: bool) -> None:
        """Put a damaged file aside, and make a part of the units in it that are whole: none, if its head is not."""
        path = self.path(place, part=part)
        configuration, data = self.plan.configurations[place[0]], path.read_bytes()
        whole = {}
        try:
            self._head(path, place, data[:HEAD_SIZE])
            offset, step = HEAD_SIZE, record_length(configuration.unit, configuration.columns)
        except DamageError:
            offset, step = len(data), 1
        while offset < len(data):
            try:
                index, record = self._record(place, data, offset)
                whole[index] = record
            except ValueError:
                pass
            offset += step
        path.replace(path.with_name(path.name + DAMAGED))
        self._parts.pop(place, None)
        if whole:
            self._append(place, whole)

    def append(self, configuration: int, records: dict[int, bytes]) -> None:
        """Add units to their parts, and return once they are on disk; where that fails, the parts are as they were."""
        by_file: dict[Place, dict[int, bytes]] = {}
        for index, record in records.items():
            place = (configuration, index // self.plan.configurations[configuration].units_of_a_file)
            by_file.setdefault(place, {})[index] = record
        for place, units in by_file.items():
            self._append(place, units)

    def _append(self, place: Place, units: dict[int, bytes]) -> None:
        path, part = self.path(place, part=True), self._parts.get(place, _Part({}, 0))
        data = b"" if part.end else self._made_head(place, 0, Sums(0, Tally()))
        places = {}
        for index, record in units.items():
            places[index] = part.end + len(data)
            data += record
        with files.naming(path):
            is_new = not path.exists()
            with path.open("xb" if is_new else "r+b", buffering=0) as file:
                try:
                    file.truncate(part.end)
                    file.seek(part.end)
                    left = memoryview(data)
                    while left:
                        left = left[file.write(left) :]
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(part.end)
                    raise
            if is_new:
                files.sync_folder(self._units)
        part.places.update(places)
        self._parts[place] = part._replace(end=part.end + len(data))

    def finish(self, place: Place, units: int, sums: Sums) -> None:
        """Make a whole file of a part that has these units; others that it has are dropped."""
        part, configuration = self._parts[place], self.plan.configurations[place[0]]
        pieces = [self._made_head(place, units, sums)]
        with self.path(place, part=True).open("rb") as file:
            for index in self._indices(place, units):
                file.seek(part.places[index])
                pieces.append(file.read(record_length(len(configuration.numbers(index)), configuration.columns)))
        files.write(self.path(place), b"".join(pieces))
        self.drop(place)

    def drop(self, place: Place) -> None:
        """Remove a part that is not needed any more."""
        self._parts.pop(place, None)
        self.path(place, part=True).unlink(missing_ok=True)

    def parts(self, configuration: int) -> list[Place]:
        """The parts of a configuration that are being written."""
        return sorted(place for place in self._parts if place[0] == configuration)

    def _made_head(self, place: Place, units: int, sums: Sums) -> bytes:
        tally = msgspec.structs.astuple(sums.tally)
        body = FILE_HEAD.pack(MAGIC, self._digest, *place, units, 0, sums.games, *tally)
        return body + checksum(body)


class DamageError(SweepError):
    """A file that is not as it was written."""


def damaged(path: Path, words: str) -> DamageError:
    again = f"mineproof sweep -o {shlex.quote(str(path.parent.parent))} --repair plays again what is not whole"
    return DamageError(f"{path} is damaged: {words}; {again}")
