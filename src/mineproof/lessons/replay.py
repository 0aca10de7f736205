"""A game on a page: a board of small pieces, and the changes of each move for the script that replays it.

The board shows the end of the game, so it can be seen without the script. Each piece is drawn once per sign, and every
cell refers to the piece that it shows; the script changes these references only. Mines are in the last step alone.

Size    60 kB for an expert game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.notation import write_rows
from mineproof.board.topology import topology_named
from mineproof.errors import BoardSyntaxError
from mineproof.game.timelines import Timeline
from mineproof.pictures.scene import Look, board_scene
from mineproof.pictures.svg import piece, places
from mineproof.wording.catalogue import message, number
from mineproof.wording.reviews import move_text

if TYPE_CHECKING:
    from mineproof.lessons.results import Lesson

# One letter per look; digits are themselves.
COVERED, FLAG, QUESTION, MINE, EXPLODED, WRONG = "cfqmxw"
_LOOKS = {
    COVERED: Look("covered"),
    FLAG: Look("flag"),
    QUESTION: Look("question"),
    MINE: Look("mine"),
    EXPLODED: Look("exploded"),
    WRONG: Look("wrong"),
    **{str(number): Look("number", number) for number in range(9)},
}
_LETTERS = {"#": COVERED, "F": FLAG, "?": QUESTION}


def pieces(topology: Topology) -> str:
    """Every sign once; a page needs them once per topology. Raises BoardSyntaxError for a shape with several cells."""
    shape = topology_named(topology)
    if not shape.has_one_outline:
        raise BoardSyntaxError(f"lessons draw shapes whose cells all look the same, not {topology}")
    outline = shape.outline(0, 0, 1, 1)
    # A referenced piece keeps its own classes and not those of the place that refers to it.
    drawn = "".join(
        f'<g id="{topology}-{letter}" class="mp-auto">{piece(look, outline)}</g>' for letter, look in _LOOKS.items()
    )
    return f'<svg class="pieces" width="0" height="0" aria-hidden="true"><defs>{drawn}</defs></svg>'


def board(lesson: Lesson) -> str:
    """The board at the end of the game."""
    line = lesson.timeline
    scene = board_scene(line.board)
    where, signs = places(scene), _last_signs(line)
    cells = "".join(
        f'<use href="#{line.board.topology}-{signs[cell]}" x="{x:.5g}" y="{y:.5g}"/>'
        for cell, (x, y) in where.middles.items()
    )
    return (
        f'<svg class="mp-auto board" role="img" viewBox="0 0 {where.width:.5g} {where.height:.5g}" '
        f'style="min-width:{scene.columns * 16}px;max-width:{where.width:.0f}px"><title>{escape(scene.title)}</title>'
        f'{where.frame}{cells}<circle class="here" r="13" cx="-99" cy="-99"/></svg>'
    )


def moves(lesson: Lesson) -> str:
    """The data of the script: the first board, each move with its text, cell and changes, and the script's texts."""
    line = lesson.timeline
    order = {cell: place for place, cell in enumerate(board_scene(line.board).looks)}
    steps = [
        [text, order.get(cell, -1) if cell else -1, [part for at, sign in changes for part in (order[at], sign)]]
        for text, cell, changes in _describe_steps(lesson)
    ]
    texts = {
        "before": message("lesson-before-first"),
        "next": message("lesson-next-guess"),
        "slider": message("lesson-slider-value"),
    }
    data = {"kind": line.board.topology, "first": "".join(_first_signs(line).values()), "steps": steps, "texts": texts}
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


_Changes = list[tuple[Cell, str]]


def _describe_steps(lesson: Lesson) -> Iterator[tuple[str, Cell | None, _Changes]]:
    line = lesson.timeline
    signs = _first_signs(line)
    exploded: frozenset[Cell] = frozenset()  # mines of the previous step, which an undo covers again
    guess_numbers = {guess.guess.index: number for number, guess in enumerate(lesson.guesses, 1)}
    for index, step in enumerate(line.steps):
        step_signs = {cell: _LETTERS.get(sign, sign) for cell, sign in step.changes}
        changes = {cell: signs[cell] for cell in exploded} | step_signs
        signs |= step_signs
        exploded = step.exploded
        changes |= dict.fromkeys(exploded, EXPLODED)
        if index == len(line.steps) - 1:
            changes |= _end_signs(line, signs)
        text = move_text(step, len(line.steps))
        if index in guess_numbers:
            guess_number = guess_numbers[index]
            text += f" {guess_title(guess_number, forced=lesson.guesses[guess_number - 1].guess.forced)}."
        yield text, step.cell, sorted(changes.items())


def guess_title(guess_number: int, *, forced: bool) -> str:
    """The number of a guess and its kind: ``Guess 2, forced``."""
    return message("lesson-guess-forced" if forced else "lesson-guess-needless", number=number(guess_number))


def _first_signs(line: Timeline) -> dict[Cell, str]:
    """Every cell before the first move."""
    rows = write_rows(line.board.columns, line.board.codes)
    cells = board_scene(line.board).looks
    return {(row, column): _LETTERS.get(rows[row][column], rows[row][column]) for row, column in cells}


def _last_signs(line: Timeline) -> dict[Cell, str]:
    """Every cell after the end of the game."""
    signs = _first_signs(line)
    for step in line.steps:
        signs |= {cell: _LETTERS.get(sign, sign) for cell, sign in step.changes}
    return signs | _end_signs(line, signs)


def _end_signs(line: Timeline, signs: dict[Cell, str]) -> dict[Cell, str]:
    """The cells that the end of the game reveals: mines, the one that exploded, wrong flags."""
    exploded = line.steps[-1].exploded if line.steps else frozenset()
    mine_sign = FLAG if line.status == "won" else MINE
    wrong = {cell: WRONG for cell, sign in signs.items() if sign == FLAG and cell not in line.mines}
    mines = {cell: EXPLODED if cell in exploded else mine_sign for cell in line.mines if signs[cell] != FLAG}
    return wrong | mines
