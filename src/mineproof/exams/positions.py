"""Positions for tasks: moments of real games, drawn from a seed.

Plain      A careful player opens a layout from the middle. Each round opens a random part of what single numbers prove.
           If they prove nothing, a lucky guess follows. The game stops when a random share of the board is open. The
           position has no flags, so the mines are still to be found.
Chosen     For a technique, the positions are those of `mineproof.practice.positions`, with flags on proved mines.
Cost       A plain position takes about half a millisecond on a beginner board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from mineproof.base.budget import Deadline
from mineproof.base.rng import Random, deal
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.levels import Size
from mineproof.board.start import FirstClick
from mineproof.engine.answers import Engine
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import flag_mines
from mineproof.generation.generator import generate
from mineproof.practice.positions import GamePosition, decide_singles, play_positions

OPEN_SHARES = (0.1, 0.9)  # least and most of the safe cells that are open at the end


def plain_positions(size: Size, random: Random, deadline: Deadline, engine: Engine) -> Iterator[Board]:
    """Yield one position of each of many games."""
    for layout in _layouts(size, "open", random, deadline, engine):
        yield _stop_somewhere(layout, random)


def game_positions(
    size: Size, usable: Sequence[str], first_click: FirstClick, random: Random, deadline: Deadline, engine: Engine
) -> Iterator[GamePosition]:
    """Yield all positions of many games, with the technique of the easiest step."""
    for layout in _layouts(size, first_click, random, deadline, engine):
        yield from play_positions(layout, usable, deadline, engine)


def _layouts(
    size: Size, first_click: FirstClick, random: Random, deadline: Deadline, engine: Engine
) -> Iterator[Layout]:
    seed, start = random.next(), middle(size)
    for number in count():
        deadline.check()
        yield generate(*size, seed=seed, number=number, start=start, first_click=first_click, engine=engine)


def middle(size: Size) -> Cell:
    """The cell that games of tasks open first."""
    return size.rows // 2, size.columns // 2


def _stop_somewhere(layout: Layout, random: Random) -> Board:
    field = MineField(layout)
    assert layout.start is not None
    field.open([layout.start])
    safe_cells = layout.rows * layout.columns - layout.total_mines
    least, most = OPEN_SHARES
    target = safe_cells * (least + (most - least) * random.uniform())
    while field.opened < target:
        safe, mines = decide_singles(field.board)
        if safe:
            field.open(deal(random, safe, 1 + random.below(len(safe))))
        elif mines:
            flag_mines(field, mines)
        else:
            lucky = [cell for cell in field.board.cells(COVERED) if cell not in layout.mines]
            field.open([lucky[random.below(len(lucky))]])
    return field.board.without_flags()
