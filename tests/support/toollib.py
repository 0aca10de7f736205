"""The numbers of layouts and games as ms_toollib from the package index tells them, beside ours.

`python benchmarks/check_numbers.py` compares a thousand layouts and all games made here, and writes
tests/golden/numbers.json; the tests compare some of them live where ms_toollib is installed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mineproof as mp
from mineproof.base.rng import Random
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.formats.rawvf import games as rawvf
from mineproof.formats.rawvf.layouts import board_lines
from mineproof.formats.replays.mouse import Event, LenientGame, Mouse

SQUARE = 16
Numbers = dict[str, float | None]


class Series(NamedTuple):
    """Layouts 0 to total - 1 of a seed: ``mp.generate(rows, columns, mines, seed=seed, number=number)``."""

    rows: int
    columns: int
    mines: int
    seed: int
    total: int

    def layouts(self) -> Iterator[mp.Layout]:
        size = (self.rows, self.columns, self.mines)
        return (mp.generate(*size, seed=self.seed, number=number) for number in range(self.total))


# A thousand, of several sizes and densities.
SERIES = (
    Series(8, 8, 10, 101, 150),
    Series(9, 9, 10, 102, 100),
    Series(16, 16, 40, 103, 150),
    Series(16, 30, 99, 104, 300),
    Series(16, 30, 50, 105, 50),
    Series(16, 30, 170, 106, 50),
    Series(30, 24, 200, 107, 50),
    Series(1, 40, 6, 108, 50),
    Series(5, 3, 3, 109, 50),
    Series(50, 50, 500, 110, 50),
)
GAMES = 300  # number k is on layout k of one of these, and everything else is drawn from stream k of its seed
GAME_SERIES = (
    Series(8, 8, 10, 201, 0),
    Series(16, 16, 40, 202, 0),
    Series(16, 30, 99, 203, 0),
    Series(6, 9, 9, 204, 0),
)


# layouts


def our_numbers(layout: mp.Layout) -> Numbers:
    measures = mp.measure(layout)
    cells = {f"cell{number}": float(count) for number, count in enumerate(measures.numbers)}
    solves = {"zini": measures.zini, "hzini": measures.human_zini}
    return {"bbbv": measures.bbbv, "op": measures.openings, "isl": measures.islands, **solves, **cells}


def their_numbers(layout: mp.Layout) -> Numbers:
    import ms_toollib

    rows = [
        [-1 if (row, column) in layout.mines else 0 for column in range(layout.columns)] for row in range(layout.rows)
    ]
    board = ms_toollib.Board(ms_toollib.cal_board_numbers(rows))
    names = ["bbbv", "op", "isl", "zini", "hzini", *(f"cell{number}" for number in range(9))]
    return {name: float(getattr(board, name)) for name in names}


# games


class Played(NamedTuple):
    """What a mouse did on a layout."""

    layout: mp.Layout
    events: Sequence[Event]


def random_game(number: int) -> Played:
    """A game by a careless player who knows the mines: wrong flags, clicks without effect, rarely a mine."""
    series = GAME_SERIES[number % len(GAME_SERIES)]
    layout = mp.generate(series.rows, series.columns, series.mines, seed=series.seed, number=number)
    return Played(layout, list(_Careless(layout, Random(series.seed, number)).play()))


class _Careless:
    def __init__(self, layout: mp.Layout, random: Random) -> None:
        self._layout, self._random = layout, random
        self._play = LenientGame(layout, "equal")
        self._mouse = Mouse(self._play, marks=False)
        self._ms = 0

    def play(self) -> Iterator[Event]:
        for _ in range(self._random.below(4)):  # flags before the start, which may be taken off again
            yield from self._click("r", self._any(self._layout.cells()))
        safe = [cell for cell in self._layout.cells() if cell not in self._layout.mines]
        while not self._play.has_begun:
            yield from self._click("l", self._any(safe))
        while not self._play.game.is_over:
            self._ms += self._random.below(900)
            yield from self._some_click()

    def _some_click(self) -> Iterator[Event]:
        board, chance = self._play.game.board, self._random.below(1000)
        cells = self._layout.cells()
        covered = [cell for cell in cells if board[cell] == COVERED]
        safe = [cell for cell in covered if cell not in self._layout.mines]
        opened = [cell for cell in cells if board[cell] >= 0]
        flagged = [cell for cell in cells if board[cell] == FLAGGED]
        wrong = [cell for cell in flagged if cell not in self._layout.mines]
        mines = [cell for cell in covered if cell in self._layout.mines]
        if chance < 350 and safe:
            yield from self._click("l", self._any(safe))
        elif chance < 600 and mines:
            yield from self._click("r", self._any(mines))
        elif chance < 800:
            yield from self._chord(self._any(opened))
        elif chance < 850:
            yield from self._click("lr"[self._random.below(2)], self._any(opened))
        elif chance < 900:
            yield from self._click("lr"[self._random.below(2)], self._any(flagged or opened))
        elif chance < 950 and wrong:
            yield from self._click("r", self._any(wrong))
        elif chance < 980 and safe:
            yield from self._click("r", self._any(safe))
        elif chance < 998:
            yield from self._click("l", None)
        elif mines:
            yield from self._click("l", self._any(mines))

    def _chord(self, cell: Cell) -> Iterator[Event]:
        ways = (("mc", "mr"), ("lc", "rc", "lr", "rr"), ("lc", "rc", "rr", "lr"), ("rc", "lc", "rr", "lr"))
        for what in ways[self._random.below(len(ways))]:
            yield from self._do(what, cell)

    def _click(self, button: str, cell: Cell | None) -> Iterator[Event]:
        for part in "cr":
            yield from self._do(button + part, cell)

    def _do(self, what: str, cell: Cell | None) -> Iterator[Event]:
        if self._play.game.is_over:
            return
        event = Event(self._ms, what, cell)
        self._mouse.take(event)
        yield event

    def _any(self, cells: Sequence[Cell]) -> Cell:
        return cells[self._random.below(len(cells))]


def our_game(played: Played) -> Numbers:
    measures = mp.measure_game(rawvf.read_record(as_rawvf(played)))
    clicks, effective = measures.clicks, measures.effective
    counts: Numbers = {
        "bbbv_solved": measures.solved_bbbv, "flag": measures.flags,
        "left": clicks.left, "right": clicks.right, "double": clicks.double, "cl": clicks.total,
        "lce": effective.left, "rce": effective.right, "dce": effective.double, "ce": effective.total,
    }  # fmt: skip
    return counts | {
        "rtime": measures.seconds, "etime": measures.estimated_seconds, "bbbv_s": measures.bbbv_per_second,
        "cl_s": measures.clicks_per_second, "ce_s": measures.effective_clicks_per_second, "ioe": measures.efficiency,
        "corr": measures.correctness, "thrp": measures.throughput, "rqp": measures.rqp, "qg": measures.qg,
        "stnb": measures.stnb,
    }  # fmt: skip


def their_game(video: Any, names: Sequence[str]) -> Numbers:
    """A video of ms_toollib at its end."""
    video.parse()
    video.analyse()
    video.current_time = math.inf
    return {name: float(getattr(video, name)) for name in names}


def as_rawvf(played: Played) -> str:
    lines = [f"{event.ms // 1000}.{event.ms % 1000:03} {event.what} ({_pixel(event)})" for event in played.events]
    return "\n".join([*board_lines(played.layout), "Events:", *lines])


def _pixel(event: Event) -> str:
    row, column = event.cell or (-1, -1)
    return f"{column * SQUARE + SQUARE // 2} {row * SQUARE + SQUARE // 2}"


_CODES = {"lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7}


def as_evf(played: Played) -> bytes:
    """Version 3 of the format, without a checksum; a place outside the board is its lower right corner."""
    layout = played.layout
    rows, columns = layout.rows, layout.columns
    mines, bbbv = (value.to_bytes(2, "big") for value in (layout.total_mines, mp.measure(layout).bbbv))
    ms = played.events[-1].ms.to_bytes(3, "big")
    head = bytes([3, 0, 0, rows, columns, *mines, SQUARE, 0, 0, *bbbv, *ms])
    cells = [(row, column) in layout.mines for row in range(rows) for column in range(columns)]
    cells += [False] * (-len(cells) % 8)
    bits = bytes(
        sum(mined << 7 - place for place, mined in enumerate(cells[at : at + 8])) for at in range(0, len(cells), 8)
    )
    events = b"".join(_evf_event(event, layout) for event in played.events)
    return head + b"mineproof\0" + b"\0" * 7 + bits + events + b"\xff"


def _evf_event(event: Event, layout: mp.Layout) -> bytes:
    row, column = event.cell or (layout.rows, layout.columns)
    middle = SQUARE // 2 if event.cell else 0
    numbers = (event.ms, 3), (column * SQUARE + middle, 2), (row * SQUARE + middle, 2)
    return bytes([_CODES[event.what]]) + b"".join(value.to_bytes(size, "big") for value, size in numbers)


# replays of others


def replayed(path: Path) -> tuple[Any, Played]:
    """A replay as ms_toollib reads it: its video, at its end, and what the mouse did in our words."""
    import ms_toollib

    kinds = {".avf": "AvfVideo", ".evf": "EvfVideo", ".mvf": "MvfVideo", ".rmv": "RmvVideo"}
    video = getattr(ms_toollib, kinds[path.suffix])(str(path))
    video.parse()
    video.analyse()
    video.current_time = math.inf
    rows = [list(row) for row in video.board]
    mines = frozenset((r, c) for r, row in enumerate(rows) for c, value in enumerate(row) if value == -1)
    layout = mp.Layout(len(rows), len(rows[0]), mines)
    return video, Played(layout, list(_their_events(video, layout)))


def _their_events(video: Any, layout: mp.Layout) -> Iterator[Event]:
    begun = video.video_start_time  # of the first opening, as a negative number
    down: set[str] = set()
    for recorded in video.events:
        if not recorded.event.is_mouse():
            continue
        mouse = recorded.event.unwrap_mouse()
        cell = mouse.y // video.pix_size, mouse.x // video.pix_size
        inside = cell[0] < layout.rows and cell[1] < layout.columns
        ms = max(0, round((recorded.time + begun) * 1000))
        for what in _in_our_words(mouse.mouse, down):
            if what[1] == "c":
                down.add(what[0])
            else:
                down.discard(what[0])
            yield Event(ms, what, cell if inside else None)


def _in_our_words(what: str, down: set[str]) -> tuple[str, ...]:
    if what == "cc":  # the second of left and right, whichever that is
        return ("rc",) if "l" in down else ("lc",)
    return {"mv": (), "pf": ("rc", "rr")}.get(what, (what,))
