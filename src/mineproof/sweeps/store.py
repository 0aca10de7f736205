"""The folder of a sweep. Finished units are on disk and survive a crash.

* ``run/plan.json``                  the plan, see `mineproof.sweeps.plan`
* ``run/units/00003-000012.units``   finished games of configuration 3, its thirteenth file
* ``run/units/00003-000013.part``    an incomplete file: some of its units are missing

Files    A file holds up to 1,048,576 games in order, so a billion games are a thousand files. Its header has the sums
         of all its units. Opening a sweep reads only the headers; single games are read one file at a time.
Parts    A finished unit is appended to the part and forced to disk, in any order. When a part has all its units, they
         are written in order to a new file, which is renamed in one step, and the part is removed. So the final bytes
         depend on the plan alone.
Damage   Every record and every header has a checksum. Incomplete records at the end of a part were being written when
         the process ended: they are dropped, and their units are played again. Anything else is damage: an error names
         the file and the problem, and nothing is removed or overwritten. A repair renames the file and starts a new
         part with the intact units.
Cost     A unit takes one append and one fsync, shared by all units of its file that finished at the same time.

The header of a file, little-endian: ``mpsweep1``; 16 bytes that identify the plan; configuration, number of the file,
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
DAMAGED = ".damaged"  # added to the name of a repaired file

Place = tuple[int, int]  # a configuration, and the number of one of its files


class FileSums(NamedTuple):
    """Number of games and their sums."""

    games: int
    tally: Tally


class Finished(NamedTuple):
    """Content of the header of a complete file."""

    units: int
    sums: FileSums


class _PartFile(NamedTuple):
    """A file to which units are appended: the offset of each unit, and the end of the last one."""

    places: dict[int, int]
    end: int


class SweepStore:
    """The folder of one plan. A writer must claim it; reading is possible at any time, even while it is written."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self._units = folder / UNITS
        self._digest = plan.digest
        self._parts: dict[Place, _PartFile] = {}

    # reading

    @staticmethod
    def read(folder: Path) -> SweepStore:
        """Open a folder; SweepError if it has no plan."""
        path = folder / PLAN
        if not path.is_file():
            raise SweepError(f"{files.printable_name(folder)} is not the folder of a sweep: it has no {PLAN}")
        return SweepStore(folder, read_plan(files.read(path), str(path)))

    def path(self, place: Place, *, part: bool = False) -> Path:
        return self._units / f"{place[0]:05}-{place[1]:06}.{'part' if part else 'units'}"

    def places(self, kind: str) -> list[Place]:
        """Return the files of a kind, ``units`` or ``part``, in order; SweepError if one is not part of the plan."""
        if not self._units.is_dir():
            return []
        with os.scandir(self._units) as entries:
            names = [_NAME.fullmatch(entry.name) for entry in entries]
        places = sorted((int(name[1]), int(name[2])) for name in names if name is not None and name[3] == kind)
        most = len(self.plan.configurations) - 1
        if places and places[-1][0] > most:
            path = self.path(places[-1], part=kind == "part")
            message = f"expected a file of configuration 0 to {most} as in the plan, got {places[-1][0]}"
            raise SweepError(f"{path}: {message}")
        return places

    def read_finished(self, place: Place) -> Finished:
        """Read the header of a complete file."""
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
            raise damage_error(path, f"expected {expected:,} bytes, got {length:,}")
        if self.plan.until is None and len(indices) < len(self._indices(place, configuration.units_of_a_file)):
            most = len(self._indices(place, configuration.units_of_a_file))
            raise damage_error(path, f"expected {most:,} units, got {units:,}")
        if games != sums.games:
            raise damage_error(path, f"expected {games:,} games, got {sums.games:,}")
        return Finished(units, sums)

    def units(self, place: Place, units: int) -> Iterator[Played]:
        """Yield the units of a complete file in order; each is checked."""
        path, configuration = self.path(place), self.plan.configurations[place[0]]
        with path.open("rb") as file:
            file.seek(HEAD_SIZE)
            for index in self._indices(place, units):
                numbers = configuration.numbers(index)
                record = file.read(record_length(len(numbers), configuration.columns))
                try:
                    yield read_record(record, numbers, configuration.columns)
                except ValueError as error:
                    raise damage_error(path, f"games {numbers.start:,} to {numbers.stop - 1:,}: {error}") from None

    def units_of(self, configuration: int) -> Iterator[Played]:
        """Yield the units of a configuration in order, up to the first missing one."""
        plan = self.plan.configurations[configuration]
        for number in range(-(-plan.units // plan.units_of_a_file)):
            place = (configuration, number)
            if not self.path(place).is_file():
                try:
                    records = {index: record for index, _, record in self.part(place)}
                except FileNotFoundError:  # there is none, or it has just become a complete file
                    if not self.path(place).is_file():
                        return
                else:
                    for index in self._indices(place, plan.units_of_a_file):
                        if index not in records:
                            return
                        yield read_record(records[index], plan.numbers(index), plan.columns)
                    continue
            yield from self.units(place, self.read_finished(place).units)

    def part(self, place: Place) -> Iterator[tuple[int, int, bytes]]:
        """Yield the intact units of a part: index, offset and record."""
        path = self.path(place, part=True)
        configuration = self.plan.configurations[place[0]]
        data = path.read_bytes()
        if len(data) < HEAD_SIZE:  # not even the header was written
            return
        self._head(path, place, data[:HEAD_SIZE])
        offset, step = HEAD_SIZE, record_length(configuration.unit, configuration.columns)
        while offset < len(data):
            try:
                index, record = self._record(place, data, offset)
            except ValueError as error:
                if any(self._is_whole(place, data, later) for later in range(offset + step, len(data), step)):
                    raise damage_error(path, f"at byte {offset:,}: {error}") from None
                return  # it was being written when the process ended
            yield index, offset, record
            offset += len(record)

    def _record(self, place: Place, data: bytes, offset: int) -> tuple[int, bytes]:
        """Return the unit whose record begins at an offset; ValueError unless it is intact."""
        configuration = self.plan.configurations[place[0]]
        if len(data) - offset < HEAD.size:
            raise ValueError(f"expected at least {HEAD.size} bytes, got {len(data) - offset}")
        first, _, length, *_ = HEAD.unpack_from(data, offset)
        index = first // configuration.unit
        if index not in self._indices(place, configuration.units_of_a_file):
            raise ValueError(f"expected a game of this file, got {first:,}")
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

    def _head(self, path: Path, place: Place, data: bytes) -> tuple[int, FileSums]:
        if len(data) < HEAD_SIZE or data[: len(MAGIC)] != MAGIC:
            raise damage_error(path, f"expected {MAGIC!r} at its beginning, got {data[: len(MAGIC)]!r}")
        stored, computed = data[-CHECKSUM:], checksum(data[:-CHECKSUM])
        if stored != computed:
            raise damage_error(path, f"expected checksum {computed.hex()[:8]} of its header, got {stored.hex()[:8]}")
        _, digest, configuration, number, units, _, games, *sums = FILE_HEAD.unpack_from(data)
        if digest != self._digest:
            raise SweepError(f"{path} belongs to another plan than {self.folder / PLAN}")
        if (configuration, number) != place:
            raise damage_error(path, f"its name is wrong: it is file {number} of configuration {configuration}")
        return units, FileSums(games, Tally(*sums))

    # writing

    @contextmanager
    def claim(self) -> Iterator[None]:
        """Reserve the folder; SweepError if another process has it."""
        try:
            with files.claim_folder(self.folder, PLAN):
                yield
        except BlockingIOError:
            raise SweepError(f"{self.folder} is in use by another process. Wait until it has finished.") from None

    def begin(self) -> None:
        """Write the plan into a new folder."""
        files.write(self.folder / PLAN, self.plan.text)

    def prepare(self) -> None:
        """Create the folder for units if necessary."""
        self._units.mkdir(exist_ok=True)
        files.remove_leftovers(self._units)
        files.sync_folder(self.folder)

    def open_part(self, place: Place) -> dict[int, Tally]:
        """Reopen a part and return its units. An incomplete record is overwritten by the next unit."""
        configuration = self.plan.configurations[place[0]]
        units, places, end = {}, {}, 0
        for index, offset, record in self.part(place):
            places[index], end = offset, offset + len(record)
            units[index] = require_whole(record, configuration.numbers(index), configuration.columns)
        self._parts[place] = _PartFile(places, end)
        return units

    def repair(self, place: Place, *, part: bool) -> None:
        """Rename a damaged file, and start a part with its intact units; with none if its header is damaged."""
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
        """Add units to their parts and force them to disk; if that fails, the parts are unchanged."""
        by_file: dict[Place, dict[int, bytes]] = {}
        for index, record in records.items():
            place = (configuration, index // self.plan.configurations[configuration].units_of_a_file)
            by_file.setdefault(place, {})[index] = record
        for place, units in by_file.items():
            self._append(place, units)

    def _append(self, place: Place, units: dict[int, bytes]) -> None:
        path, part = self.path(place, part=True), self._parts.get(place, _PartFile({}, 0))
        data = b"" if part.end else self._build_head(place, 0, FileSums(0, Tally()))
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

    def finish(self, place: Place, units: int, sums: FileSums) -> None:
        """Write a complete file from a part that has these units; its other units are dropped."""
        part, configuration = self._parts[place], self.plan.configurations[place[0]]
        pieces = [self._build_head(place, units, sums)]
        with self.path(place, part=True).open("rb") as file:
            for index in self._indices(place, units):
                file.seek(part.places[index])
                pieces.append(file.read(record_length(len(configuration.numbers(index)), configuration.columns)))
        files.write(self.path(place), b"".join(pieces))
        self.drop(place)

    def drop(self, place: Place) -> None:
        """Remove a part that is no longer needed."""
        self._parts.pop(place, None)
        self.path(place, part=True).unlink(missing_ok=True)

    def parts(self, configuration: int) -> list[Place]:
        """Return the open parts of a configuration."""
        return sorted(place for place in self._parts if place[0] == configuration)

    def _build_head(self, place: Place, units: int, sums: FileSums) -> bytes:
        tally = msgspec.structs.astuple(sums.tally)
        body = FILE_HEAD.pack(MAGIC, self._digest, *place, units, 0, sums.games, *tally)
        return body + checksum(body)


class DamageError(SweepError):
    """A damaged file of a sweep."""


def damage_error(path: Path, problem: str) -> DamageError:
    """Return an error that names the file, the problem and the command that repairs it."""
    command = f"mineproof sweep -o {shlex.quote(str(path.parent.parent))} --repair"
    return DamageError(f"{path} is damaged: {problem}. To play the damaged games again, run: {command}")
