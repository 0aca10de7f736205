"""A game on a page: a board of small pieces, and what each move changes, for the script that walks along it.

The board is as it was in the end, so that it can be seen without the script. A piece is drawn once for each sign, and
every cell names the one it shows; the script changes names and nothing else. Mines stand in the last step alone.

Size    60 kB for an expert game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from mineproof.base.words import at, percent
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.notation import write_rows
from mineproof.game.rules import MoveKind
from mineproof.game.timelines import Timeline, TimelineStep
from mineproof.pictures.scene import Look, bare
from mineproof.pictures.svg import piece, places

if TYPE_CHECKING:
    from mineproof.lessons.results import Lesson

# A letter for each look; numbers stand for themselves.
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

_DID: dict[MoveKind, str] = {
    "open": "opened",
    "chord": "chorded",
    "flag": "flag at",
    "question": "question mark at",
    "undo": "took a move back",
}


def pieces(topology: Topology) -> str:
    """Every sign once; a page needs them once for each topology on it."""
    # A piece that is named elsewhere takes its classes along, and not those of what it stands in.
    drawn = "".join(
        f'<g id="{topology}-{letter}" class="mp-auto">{piece(look, topology)}</g>' for letter, look in _LOOKS.items()
    )
    return f'<svg class="pieces" width="0" height="0" aria-hidden="true"><defs>{drawn}</defs></svg>'


def board(lesson: Lesson) -> str:
    """The board in the end, to be walked back from."""
    line = lesson.timeline
    scene = bare(line.board)
    where, last = places(scene), _last(line)
    cells = "".join(
        f'<use href="#{line.board.topology}-{last[cell]}" x="{x:.5g}" y="{y:.5g}"/>'
        for cell, (x, y) in where.middles.items()
    )
    return (
        f'<svg class="mp-auto board" role="img" viewBox="0 0 {where.width:.5g} {where.height:.5g}" '
        f'style="min-width:{scene.columns * 16}px;max-width:{where.width:.0f}px"><title>{escape(scene.title)}</title>'
        f'{where.frame}{cells}<circle class="here" r="13" cx="-99" cy="-99"/></svg>'
    )


def moves(lesson: Lesson) -> str:
    """The data of the script: the first board, and each move with its words, its cell and what it changed."""
    line = lesson.timeline
    order = {cell: place for place, cell in enumerate(bare(line.board).looks)}
    steps = [
        [words, order.get(cell, -1) if cell else -1, [part for each, sign in changes for part in (order[each], sign)]]
        for words, cell, changes in _steps(lesson)
    ]
    data = {"kind": line.board.topology, "first": "".join(_first(line).values()), "steps": steps}
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


_Changes = list[tuple[Cell, str]]


def _steps(lesson: Lesson) -> Iterator[tuple[str, Cell | None, _Changes]]:
    line = lesson.timeline
    signs = _first(line)
    hit: frozenset[Cell] = frozenset()  # mines that went off, and then did not
    guesses = {each.guess.index: number for number, each in enumerate(lesson.guesses, 1)}
    for index, step in enumerate(line.steps):
        seen = {cell: _LETTERS.get(sign, sign) for cell, sign in step.changes}
        changes = {cell: signs[cell] for cell in hit} | seen
        signs |= seen
        hit = step.exploded
        changes |= dict.fromkeys(hit, EXPLODED)
        if index == len(line.steps) - 1:
            changes |= _revealed(line, signs)
        words = _words(step, len(line.steps))
        if index in guesses:
            guess = lesson.guesses[guesses[index] - 1].guess
            words += f" Guess {guesses[index]}, {'forced' if guess.forced else 'needless'}."
        yield words, step.cell, sorted(changes.items())


def _first(line: Timeline) -> dict[Cell, str]:
    """Every cell before the first move."""
    rows = write_rows(line.board.columns, line.board.codes)
    return {(row, column): _LETTERS.get(rows[row][column], rows[row][column]) for row, column in bare(line.board).looks}


def _last(line: Timeline) -> dict[Cell, str]:
    signs = _first(line)
    for step in line.steps:
        signs |= {cell: _LETTERS.get(sign, sign) for cell, sign in step.changes}
    return signs | _revealed(line, signs)


def _revealed(line: Timeline, signs: dict[Cell, str]) -> dict[Cell, str]:
    """What the end of the game shows: mines, the one that went off, wrong flags."""
    exploded = line.steps[-1].exploded if line.steps else frozenset()
    shown = FLAG if line.status == "won" else MINE
    wrong = {cell: WRONG for cell, sign in signs.items() if sign == FLAG and cell not in line.mines}
    mines = {cell: EXPLODED if cell in exploded else shown for cell in line.mines if signs[cell] != FLAG}
    return wrong | mines


def _words(step: TimelineStep, last: int) -> str:
    """One move in words, as they stand below the board."""
    place = "" if step.cell is None else f" {at(step.cell)}"
    parts = [f"Move {step.number} of {last}, {step.ms / 1000:.2f} s: {_DID[step.kind]}{place}."]
    if step.odds is not None:
        chance = "certainly a mine" if step.odds == 1 else f"a mine with {percent(step.odds)}"
        parts.append("It was safe." if step.odds == 0 else f"It was {chance}.")
    if step.redrawn:
        parts.append("The mines moved.")
    if step.survived < 1:
        parts.append(f"Chance to get this far: {percent(step.survived)}.")
    return " ".join(parts)
