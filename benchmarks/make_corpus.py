"""Makes the fixed positions that benchmarks and `mineproof bench` run on.

    python benchmarks/make_corpus.py            writes the three files; the same on every machine

Expert games are played by certainty alone from an open start; when nothing is certain and at least 25 covered cells
touch a number, the position is kept and the safest cell is opened (if it is a mine the game is over). Endgames are such
positions, however few cells touch a number, that 10,000 to 100,000 layouts fit.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import mineproof as mp
from mineproof.board.geometry import Geometry, Topology

ROOT = Path(__file__).resolve().parent.parent
COVERED = -1


class Field:
    """Mines, and what has been opened so far."""

    def __init__(
        self, rng: random.Random, rows: int, columns: int, mines: int, kind: Topology = "grid", start: int = -1
    ):
        self.geometry = Geometry(kind, rows, columns)
        self.around = [list(self.geometry.neighbours(cell)) for cell in range(rows * columns)]
        spared = {start, *self.around[start]} if start >= 0 else set()
        free = [cell for cell in range(rows * columns) if cell not in spared]
        self.mines = set(sorted(free, key=lambda _: rng.random())[:mines])
        self.shown = [COVERED] * (rows * columns)
        self.opened = 0

    def open(self, cell: int) -> None:
        pending = [cell]
        while pending:
            cell = pending.pop()
            if self.shown[cell] != COVERED:
                continue
            self.reveal(cell)
            if self.shown[cell] == 0:
                pending += self.around[cell]

    def reveal(self, cell: int) -> None:
        """Shows one number without its cascade."""
        self.opened += 1
        self.shown[cell] = sum(other in self.mines for other in self.around[cell])

    def board(self, total: int | None) -> mp.Board:
        codes = bytes(code & 0xFF for code in self.shown)
        return mp.Board(self.geometry.rows, self.geometry.columns, codes, total, self.geometry.topology)

    def frontier(self) -> int:
        """Covered cells next to a number."""
        cells = (cell for cell, code in enumerate(self.shown) if code == COVERED)
        return sum(any(self.shown[other] != COVERED for other in self.around[cell]) for cell in cells)


def stuck_positions(rng: random.Random, rows: int, columns: int, mines: int, least: int) -> Iterator[mp.Board]:
    """Endless positions in which nothing is certain, from games played as well as odds allow."""
    while True:
        start = 3 * columns + 3
        field = Field(rng, rows, columns, mines, start=start)
        field.open(start)
        while field.shown.count(COVERED) > mines:
            board = field.board(mines)
            analysis = mp.analyze(board)
            for row, column in analysis.safe:
                field.open(row * columns + column)
            if analysis.safe:
                continue
            if field.frontier() >= least:
                yield board
            odds = analysis.mine_probability.ravel()
            safest = min((cell for cell in range(len(odds)) if odds[cell] == odds[cell]), key=lambda cell: odds[cell])
            if safest in field.mines:
                break
            field.open(safest)


def random_reveals(rng: random.Random, rows: int, columns: int, share: float, kind: Topology = "grid") -> Field:
    """20 % mines, and each safe cell open with probability `share`."""
    field = Field(rng, rows, columns, rows * columns // 5, kind)
    for cell in range(rows * columns):
        if cell not in field.mines and rng.random() < share:
            field.reveal(cell)
    return field


def flood_field(
    rng: random.Random, rows: int, columns: int, mines: int, share: float, kind: Topology = "grid"
) -> Field:
    """Safe cells opened at random, with cascades, until `share` of them is open."""
    field = Field(rng, rows, columns, mines, kind)
    safe = [cell for cell in range(rows * columns) if cell not in field.mines]
    wanted = share * len(safe)
    for cell in sorted(safe, key=lambda _: rng.random()):
        if field.opened >= wanted:
            break
        field.open(cell)
    return field


def first(count: int, boards: Iterator[mp.Board]) -> list[mp.Board]:
    return [board for board, _ in zip(boards, range(count), strict=False)]


def endgames(rng: random.Random, count: int) -> list[mp.Board]:
    """Positions that 10,000 to 30,000 layouts fit, and ``count`` that up to 100,000 do."""
    few: list[mp.Board] = []
    many: list[mp.Board] = []
    for board in stuck_positions(rng, 16, 30, 99, 0):
        analysis = mp.analyze(board)
        if not 4 <= analysis.log10_layouts <= 5:
            continue
        if 10_000 < analysis.layouts <= 100_000:
            (few if analysis.layouts <= 30_000 else many).append(board)
        if len(many) == count:
            break
    return few + many


def mix_boards(rng: random.Random) -> list[mp.Board]:
    """A little of everything, for `mineproof bench`."""
    boards = first(48, stuck_positions(rng, 16, 30, 99, 25))
    boards += first(8, stuck_positions(rng, 16, 16, 40, 12))
    for share in (0.3, 0.35, 0.4, 0.5):
        boards.append(random_reveals(rng, 16, 30, share).board(96))
        boards.append(random_reveals(rng, 30, 30, share).board(180))
    for kind in ("torus", "hex"):
        boards += [flood_field(rng, 16, 30, 80, share, kind).board(80) for share in (0.3, 0.6)]
        boards.append(random_reveals(rng, 16, 20, 0.35, kind).board(64))
    boards += [flood_field(rng, 16, 30, 99, share).board(None) for share in (0.2, 0.5, 0.7)]
    boards.append(flood_field(rng, 40, 60, 480, 0.4).board(480))
    boards.append(random_reveals(rng, 50, 50, 0.35).board(500))  # long enough for the contour
    return boards


def write(path: Path, boards: list[mp.Board]) -> None:
    blocks = []
    for board in boards:
        head, *rows = f"{board}\n".split("\n") if board.total_mines is not None else ("", *f"{board}\n".split("\n"))
        blocks.append("\n".join(filter(None, [head, "/".join(filter(None, rows))])))
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    print(f"{len(boards)} positions in {path.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    write(ROOT / "src/mineproof/bench/corpus.txt", mix_boards(random.Random(2026)))
    write(ROOT / "benchmarks/corpus/stuck_expert.txt", first(500, stuck_positions(random.Random(99), 16, 30, 99, 25)))
    write(ROOT / "benchmarks/corpus/endgames.txt", endgames(random.Random(7), 40))
