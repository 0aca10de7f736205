"""Writers of recordings, byte by byte: AVF, MVF, RMV and EVF as other programs make them, apart from their readers.

A `Tape` is what a mouse did. Each writer makes the bytes of one version of one format of it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import mineproof as mp
from mineproof.board.cells import Cell
from mineproof.formats.rawvf import games as rawvf
from mineproof.formats.rawvf.layouts import board_lines
from mineproof.formats.replays.mouse import Event, LenientGame, Mouse
from mineproof.game.measures import solved_bbbv
from support.toollib import Played, random_game

SIDE = 16  # pixels of a cell


class Act(NamedTuple):
    """Something a mouse did, at a pixel of the board."""

    what: str
    ms: int
    x: int
    y: int


@dataclass(frozen=True)
class Tape:
    layout: mp.Layout
    acts: tuple[Act, ...]
    side: int = SIDE
    name: bytes = b"Ann"
    marks: bool = False
    ms: int | None = None  # the stated time; else that of the last act
    bbbv: int | None = None

    @property
    def last_ms(self) -> int:
        return self.acts[-1].ms if self.acts else 0

    @property
    def stated_ms(self) -> int:
        return self.last_ms if self.ms is None else self.ms

    @property
    def stated_bbbv(self) -> int:
        return mp.measure(self.layout).bbbv if self.bbbv is None else self.bbbv

    @property
    def mines(self) -> list[Cell]:
        return sorted(self.layout.mines)

    @cached_property
    def record(self) -> mp.Record:
        """The game, as it is read from text."""
        marks = f"Marks: {'On' if self.marks else 'Off'}"
        events = [f"{act.ms // 1000}.{act.ms % 1000:03} {act.what} ({act.x} {act.y})" for act in self.acts]
        head = [marks, f"SquareSize: {self.side}", *board_lines(self.layout)]
        return rawvf.read_record("\n".join([*head, "Events:", *events]))


def tape(number: int, side: int = SIDE) -> Tape:
    """A careless game with moves of the mouse between its clicks; times are whole hundredths of a second."""
    return tape_of(random_game(number), side)


def tape_of(played: Played, side: int = SIDE) -> Tape:
    acts: list[Act] = []
    place: tuple[int, int] | None = None
    for event in played.events:
        row, column = event.cell or (played.layout.rows, played.layout.columns)
        there = (column * side + (side // 2 if event.cell else 0), row * side + (side // 2 if event.cell else 0))
        ms = event.ms // 10 * 10
        if place not in (None, there):
            acts.append(Act("mv", ms, *there))
        acts.append(Act(event.what, ms, *there))
        place = there
    return Tape(played.layout, tuple(acts), side)


def small(name: bytes = b"Ann") -> Tape:
    """Eight by eight cells, ten mines: an opening, two flags, and a chord with both buttons that wins."""
    mines = frozenset([*((7, column) for column in range(8)), (0, 6), (1, 7)])
    clicks = [
        ("lc", 0, 3, 0), ("lr", 0, 3, 0), ("mv", 250, 0, 6), ("rc", 260, 0, 6), ("rr", 270, 0, 6), ("mv", 900, 1, 7),
        ("rc", 910, 1, 7), ("rr", 910, 1, 7), ("mv", 1000, 1, 6), ("lc", 1010, 1, 6), ("rc", 1050, 1, 6),
        ("lr", 1100, 1, 6), ("rr", 1100, 1, 6),
    ]  # fmt: skip
    acts = tuple(Act(what, ms, column * SIDE + 5, row * SIDE + 9) for what, ms, row, column in clicks)
    return Tape(mp.Layout(8, 8, mines), acts, name=name)


# AVF

_AVF_TYPES = {"mv": 1, "lc": 3, "lr": 5, "rc": 9, "rr": 17, "mc": 33, "mr": 65}
_AVF_LEVELS = {(8, 8, 10): 3, (16, 16, 40): 4, (16, 30, 99): 5}


def avf(tape: Tape, version: int = 52, *, sums: bool = True) -> bytes:
    layout = tape.layout
    level = _AVF_LEVELS.get((layout.rows, layout.columns, layout.total_mines), 6)
    head = bytes([version, 1, 2, 3, 4, level])
    if level == 6:
        head += bytes([layout.columns - 1, layout.rows - 1]) + layout.total_mines.to_bytes(2, "big")
    head += bytes(part for row, column in tape.mines for part in (row + 1, column + 1))
    seconds = f"{(tape.stated_ms + 1000) / 1000:.2f}"
    custom = f"W{layout.columns}H{layout.rows}M{layout.total_mines}|" if level == 6 else ""
    when = "6.4.2021.12:39:02:0815|6.12:39:10:0815"
    text = f"[{min(level - 3, 3)}|{custom}{when}|B{tape.stated_bbbv}T{seconds}]".encode()
    records = [_avf_record(act) for act in tape.acts] + [bytes([1]) + bytes(7)] * 6
    index = (len(records) - 1).to_bytes(4, "big")
    sums_of = [_avf_board_sum(layout), *(sum(i * b for i, b in enumerate(part, 1)) for part in (tape.name, text))]
    first, second, third = (_lower(str(value).encode()) if sums else b"\x05" for value in sums_of)
    body = first + _lower(index) + b"\x07" + bytes([len(tape.name)]) + _lower(tape.name) + second
    body += bytes([0x11 if tape.marks else 0x7F, len(text)]) + text + third + b"".join(records)
    tail = b"1398145730\x07\x17\rcs=" + bytes(range(16)) + b"\r"
    lines = (b"RealTime: 1.00\rSkin: 3.1\r" if version >= 47 else b"") + tape.name + b"\r"
    return head + body + tail + lines + f"Minesweeper Arbiter 0.{version}.3. Copyright (c) 2005".encode()


def _lower(data: bytes) -> bytes:
    return bytes((byte - 45) % 256 for byte in data)


def _avf_board_sum(layout: mp.Layout) -> int:
    total = 0
    for row, column in layout.cells():
        near = sum(cell in layout.mines for cell in layout.neighbours((row, column)))
        total += (10 if (row, column) in layout.mines else near + 1) * column * (row + 1)
    return total


def _avf_record(act: Act) -> bytes:
    seconds, hundredths = act.ms // 1000 + 1, act.ms % 1000 // 10
    return bytes([
        _AVF_TYPES[act.what], act.x >> 8, seconds & 255, act.x & 255, hundredths, act.y >> 8, seconds >> 8, act.y & 255,
    ])  # fmt: skip


# MVF

_DOWN = {"l": 4, "m": 2, "r": 1}


class Sample(NamedTuple):
    ms: int
    down: int
    x: int
    y: int


def samples(tape: Tape) -> Iterator[Sample]:
    """One for each act."""
    down = 0
    for act in tape.acts:
        button = _DOWN.get(act.what[0], 0) if act.what != "mv" else 0
        down = down | button if act.what[1] == "c" else down & ~button
        yield Sample(act.ms, down, act.x, act.y)


def mvf(tape: Tape, years: str = "2004-2005", version: str = "version 0.97 beta", key: int = 0xDDBE) -> bytes:
    early = years[-1] in "58"
    layout = tape.layout
    texts = b"".join(bytes([len(text)]) + text for text in (
        b"Minesweeper Clone", years.encode(), b"an author", version.encode(),
    ))  # fmt: skip
    stated = tape.stated_ms
    body = bytes([5, 22, *(2013).to_bytes(2, "big"), 15, 12, 19, 4, 1])
    if early:
        counts = (tape.stated_bbbv, *_mvf_counts(tape))
        body += struct.pack(">HB5H", stated // 1000, stated % 1000 // 10, *counts)
    else:
        body += stated.to_bytes(3, "big")
    body += bytes([tape.marks, layout.columns, layout.rows]) + layout.total_mines.to_bytes(2, "big")
    body += bytes(part for row, column in tape.mines for part in (column + 1, row + 1))
    records = [_mvf_record(sample, key, early=early) for sample in samples(tape)]
    body += bytes([len(tape.name)]) + tape.name + key.to_bytes(2, "big") + len(records).to_bytes(3, "big")
    return texts + b"\x01\x02\x03" + body + b"".join(records) + bytes(32)


def _mvf_counts(tape: Tape) -> tuple[int, int, int, int]:
    """Solved 3BV; left, double and right clicks, a right one being every press while left is up."""
    clicks, solved = tape.record.clicks, solved_bbbv(tape.layout, mp.Game.replay(tape.record).board)
    assert clicks is not None
    right = before = 0
    for sample in samples(tape):
        right += sample.down & ~before & 1 and not (sample.down | before) & 4
        before = sample.down
    return solved, clicks.left, clicks.double, right


def mvf_2006(tape: Tape) -> bytes:
    return mvf(tape, "2004-2006", "2006 release 1", 0xBD01)


def mvf_2007(tape: Tape) -> bytes:
    return mvf(tape, "2004-2007", "2007", 0x0203)


def _mvf_record(sample: Sample, key: int, *, early: bool) -> bytes:
    if early:
        fields = [(sample.down, 3), (sample.y, 9), (sample.x, 9), (sample.ms % 1000 // 10, 7), (sample.ms // 1000, 10)]
    else:
        fields = [(sample.down, 3), (sample.y + 32, 11), (sample.x + 32, 11), (sample.ms, 22), (0, 1)]
    bits = [value >> place & 1 for value, size in fields for place in range(size)]
    length = 5 if early else 6
    stored = [0] * length
    for place, bit in zip(_scattered(key, length), bits, strict=False):
        stored[place // 8] |= bit << place % 8
    return bytes(stored)


def digits(key: int, length: int) -> str:
    """The digits by which the bits of a record are scattered."""
    a, c = key**0.5, (key + 1000) ** 0.5
    d, e = (a + 1000) ** 0.5, (c + 1000) ** 0.5
    values = [math.cos(d + 1000), math.sin(c**0.5), math.cos(d), math.sin(a**0.5 + 1000), math.cos(e), math.sin(e)]
    return "".join(str(round(abs(value) * 10**8)).rjust(8, "0")[:8] for value in values[:length])


def _scattered(key: int, length: int) -> list[int]:
    order = digits(key, length)
    return [place for digit in "0123456789" for place in range(8 * length) if order[place] == digit]


def old_mvf(tape: Tape, end: str = "0.96") -> bytes:
    """Up to 0.96; ``end``: how the file ends, as in 0.96, 0.76 or 0.75."""
    layout, stated = tape.layout, tape.stated_ms
    head = bytes([layout.columns, layout.rows]) + layout.total_mines.to_bytes(2, "big")
    head += bytes(part for row, column in tape.mines for part in (column, row)) + bytes([tape.marks, 9])
    button = {0: 0, 4: 1, 2: 2, 6: 3, 1: 4, 5: 5, 3: 6, 7: 7}
    records = b"".join(
        struct.pack(">BBBHHB", ms // 1000, ms % 1000 // 10, button[down], x, y, 0) for ms, down, x, y in samples(tape)
    )
    time = struct.pack(">HB", stated // 1000, stated % 1000 // 10)
    name = tape.name.ljust(100)
    tails = {"0.96": name + bytes(1) + b"\x05" * 20 + bytes(1), "0.76": name + b"1234567890", "0.75": b"1234567890"}
    return head + records + b"\x07" * 5 + time + tails[end]


# RMV

_RMV_CODES = {what: code for code, what in enumerate(("mv", "lc", "lr", "rc", "rr", "mc", "mr"), 1)}


def rmv(
    tape: Tape,
    version: int = 1,
    *,
    mode: int = 0,
    preflags: Iterable[Cell] = (),
    opened: bool = True,
    ends: int | None = None,
    level: int = 3,
    result: bytes = b"\nLEVEL:0#SCORE:1#\n",
    further: bytes = bytes(2),
    program: int = 1,
) -> bytes:
    """The press that opens is left out, if it is the first act, as the program does. ``opened``: with board events."""
    layout = tape.layout
    texts = [tape.name, b"Nick", b"Austria", b"a secret"]
    players = len(texts).to_bytes(2, "big") + b"".join(bytes([len(text)]) + text for text in texts)
    board = (1_355_000_000).to_bytes(4, "big") + bytes([layout.columns, layout.rows])
    board += layout.total_mines.to_bytes(2, "big") + bytes(part for row, column in tape.mines for part in (column, row))
    flags = list(preflags)
    flagged = len(flags).to_bytes(2, "big") + bytes(part for row, column in flags for part in (column, row))
    properties = bytes([tape.marks, 0, mode, level])
    if version == 2:
        properties += tape.stated_bbbv.to_bytes(2, "little") + bytes([tape.side])
    events = _rmv_events(tape, version, flags, opened=opened, ends=_end(tape) if ends is None else ends)
    text, checksum = b"Vienna Minesweeper - Release 3.0 Copyright (C) 2008", bytes(18)
    sections = [text, players, board, flagged, properties]
    if version == 1:
        sections.insert(0, result)
        sizes = [len(part).to_bytes(2, "big") for part in sections]
    else:
        sections.append(further)
        sizes = [len(part).to_bytes(2, "big") for part in sections]
    rest = b"".join(sizes) + len(events).to_bytes(4, "big") + len(checksum).to_bytes(2, "big")
    rest += b"".join(sections) + events + checksum
    head = b"*rmv" + version.to_bytes(2, "big") + (bytes([program, 5]) if version == 2 else b"")
    total = len(head) + 4 + len(rest)
    return head + (total if version == 1 else total - 2).to_bytes(4, "big") + rest


def _end(tape: Tape) -> int:
    return {"won": 16, "lost": 15}.get(tape.record.status, 17)


def _rmv_events(tape: Tape, version: int, preflags: list[Cell], *, opened: bool, ends: int) -> bytes:
    play = LenientGame(tape.layout, "equal")
    mouse = Mouse(play, tape.marks, recorded=True)
    for cell in preflags:
        mouse.take(Event(0, "pf", cell))
    seen: set[Cell] = set()
    parts: list[bytes] = []
    before: Act | None = None
    down = 0
    for index, act in enumerate(tape.acts):
        cell = (act.y // tape.side, act.x // tape.side)
        inside = 0 <= cell[0] < tape.layout.rows and 0 <= cell[1] < tape.layout.columns
        if act.what != "mv":
            mouse.take(Event(act.ms, act.what, cell if inside else None))
            bit = {"l": 1, "r": 2, "m": 4}[act.what[0]]
            down = down | bit if act.what[1] == "c" else down & ~bit
        if index or act.what != "lc":
            parts.append(_rmv_event(act, before, version, down))
            before = act
        board = play.game.board
        fresh = [place for place in tape.layout.cells() if board[place] >= 0 and place not in seen] if opened else []
        seen.update(fresh)
        parts += [bytes([18 + board[place], place[1], place[0]]) for place in fresh]
    last = tape.stated_ms.to_bytes(3, "big")
    return b"".join(parts) + bytes([ends]) + last + bytes([0, 0 if version == 1 else 255]) + last


def _rmv_event(act: Act, before: Act | None, version: int, down: int) -> bytes:
    if version == 2 and act.what == "mv" and before is not None:
        ms, x, y = act.ms - before.ms, act.x - before.x, act.y - before.y
        if ms < 256 and -8 <= x < 8 and -8 <= y < 8:
            return bytes([28, ms, (x & 15) << 4 | y & 15])
    place = (act.x + 12, act.y + 56) if version == 1 else (act.x & 0xFFFF, act.y & 0xFFFF)
    return bytes([_RMV_CODES[act.what]]) + act.ms.to_bytes(3, "big") + bytes([down]) + struct.pack(">HH", *place)


# EVF

_EVF_CODES = {
    what: code for code, what in enumerate(("mv", "lc", "lr", "rc", "rr", "mc", "mr", "pf", "cc", "l", "r", "m"), 1)
}


def with_cc(tape: Tape) -> Tape:
    """The press of the second of left and right as one event of its own, as Metasweeper has it."""
    down: set[str] = set()
    acts = []
    for act in tape.acts:
        what = act.what
        if what in ("lc", "rc"):
            both = bool(down - {what[0]})
            down.add(what[0])
            acts.append(act._replace(what="cc") if both else act)
            continue
        if what in ("lr", "rr"):
            down.discard(what[0])
        acts.append(act)
    return replace(tape, acts=tuple(acts))


def evf(
    tape: Tape,
    version: int = 4,
    *,
    mode: int = 0,
    summary: int | None = None,
    device: bool | None = None,
    checksum: bool = True,
) -> bytes:
    """``device``: with the id of the device, which versions from 2 on have."""
    layout = tape.layout
    if summary is None:
        summary = 0x80 if tape.record.won else 0
    head = bytes([version, summary]) + (b"\0" if version >= 3 else b"")
    head += struct.pack(
        ">BBHBHH", layout.rows, layout.columns, layout.total_mines, tape.side, mode, tape.stated_bbbv
    ) + tape.stated_ms.to_bytes(4 if version >= 4 else 3, "big")
    micro = 1_600_000_000_000_000
    if version >= 4:
        transcoded = b"a converter\0gb18030\0" if summary & 8 else b""
        texts = struct.pack(">2sQQ", b"CN", micro, micro + 1) + b"Meta 3.2\0" + transcoded
        texts += tape.name + b"\0\0\0\x00\x03abc"
    else:
        texts = b"Meta 3.1\0" + tape.name + b"\0\0\0" + f"{micro}\0{micro + 1}\0CN\0".encode()
        texts += b"device\0" if (version >= 2 if device is None else device) else b""
    cells = "".join("01"[cell in layout.mines] for cell in layout.cells())
    cells += "0" * (-len(cells) % 8)
    bits = bytes(int(cells[at : at + 8], 2) for at in range(0, len(cells), 8))
    if version >= 4:
        return head + texts + bits + b"\0\x01nng\0" + _evf_changes(tape) + b"\0\0\x04abcd"
    events = b"".join(
        bytes([_EVF_CODES[act.what]]) + act.ms.to_bytes(3, "big") + struct.pack(">HH", act.x, act.y)
        for act in tape.acts
    )
    return head + texts + bits + events + (b"\0" + bytes(32) if checksum else b"\xff")


def _evf_changes(tape: Tape) -> bytes:
    parts = []
    ms = x = y = 0
    for act in tape.acts:
        step = act.ms - ms
        while step > 255:
            pause = min(step, 65535)
            parts.append(b"\xff" + pause.to_bytes(2, "big"))
            step -= pause
        parts.append(struct.pack(">BBhh", _EVF_CODES[act.what], step, act.x - x, act.y - y))
        ms, x, y = act.ms, act.x, act.y
    return b"".join(parts)


WRITERS: dict[str, Callable[[Tape], bytes]] = {
    "avf": avf,
    "avf 0.46": partial(avf, version=46),
    "avf 0.44 without sums": partial(avf, version=44, sums=False),
    "mvf 0.97": mvf,
    "mvf 2006": mvf_2006,
    "mvf 2007": mvf_2007,
    "rmv 1": rmv,
    "rmv 2": partial(rmv, version=2),
    **{f"evf {version}": partial(evf, version=version) for version in range(5)},
}
OLD_MVF: dict[str, Callable[[Tape], bytes]] = {
    f"mvf {end}": partial(old_mvf, end=end) for end in ("0.96", "0.76", "0.75")
}
