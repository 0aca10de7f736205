"""Makes the drawings that README and docs show, into docs/pictures: `python tools/drawings.py`.

They depend on nothing but the program: tests/pictures/test_drawings.py makes them again and compares every byte.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import mineproof as mp
from mineproof.board.geometry import Topology

FOLDER = Path(__file__).parents[1] / "docs/pictures"
GUESS = mp.Board.parse("#####/123##/###3#", total_mines=6)
EXAMPLE = mp.Board.parse("##11101#/##2#112#/###211#1/#2110111/#1000000/#2222110/######10/######10", total_mines=10)


def position() -> mp.Board:
    """The middle of a game by single numbers, on intermediate: the next step takes two."""
    game = mp.Game(mp.generate("intermediate", first_click="open", start=(8, 8), seed=18), first_click="open")
    game.open(8, 8)
    while (step := mp.hint(game.board)).technique in ("single-open", "single-flag"):
        for cell in sorted(step.mines):
            game.flag(*cell)
        for cell in sorted(step.safe):
            if game.board[cell] == mp.COVERED:
                game.open(*cell)
    return game.board


def lost_game() -> mp.Game:
    """A short game that ends at its second guess."""
    game = mp.Game(mp.generate("beginner", seed=3), first_click="safe")
    for cell in ((4, 4), (0, 0), (8, 8), (3, 5)):
        if not game.is_over:
            game.open(*cell)
    return game


def careless(level: str, seed: int) -> mp.Game:
    """A game with needless guesses, which go well: one wherever single numbers lead no further."""
    layout = mp.generate(level, seed=seed, start=(4, 4), first_click="open")
    game = mp.Game(layout, clock=lambda: 0.0)
    game.play("open", (4, 4), ms=0)
    while not game.is_over:
        step = mp.hint(game.board, prefer="safe")
        cells = sorted(step.safe)
        if step.technique not in ("single-open", "single-flag"):
            cells = [cell for cell in mp.analyze(game.board).undecided if cell not in layout.mines] or cells
        game.play("open", cells[0], ms=game.moves[-1].ms + (4000 if len(game.moves) % 12 == 0 else 500))
    return game


# A size, a number of mines and a seed for each shape.
SHAPES: dict[Topology, tuple[int, int, int, int]] = {
    "grid": (6, 8, 8, 3), "torus": (6, 8, 6, 2), "hex": (6, 8, 8, 4), "cylinder": (6, 8, 7, 2), "moebius": (6, 8, 7, 5),
    "triangles": (5, 11, 6, 1), "knight": (6, 8, 7, 1), "orthogonal": (6, 8, 8, 2), "cross": (6, 8, 7, 1),
    "radius2": (7, 9, 9, 4), "octagons": (5, 7, 7, 3), "cube": (4, 16, 7, 2), "sphere": (7, 10, 7, 4),
}  # fmt: skip


def shape_board(name: Topology) -> mp.Board:
    """A board of a shape after the first click."""
    rows, columns, mines, seed = SHAPES[name]
    layout = mp.generate(rows, columns, mines, seed=seed, no_guess=True, topology=name)
    game = mp.Game(layout)
    assert layout.start is not None
    game.open(*layout.start)
    return game.board


def wheel() -> mp.Board:
    """A shape of docs/shapes.md: a hub and twelve cells around it."""
    around = [2 * math.pi * turn / 12 for turn in range(12)]
    rim = [
        [
            (far * math.cos(angle + side), far * math.sin(angle + side))
            for far, side in ((1, 0), (2, 0), (2, 0.5), (1, 0.5))
        ]
        for angle in around
    ]
    hub = [(0.95 * math.cos(angle), 0.95 * math.sin(angle)) for angle in around]
    neighbours = [range(1, 13), *([1 + (cell + 1) % 12] for cell in range(12))]
    shape = mp.Shape.from_neighbours(neighbours, outlines=[hub, *rim])
    return mp.Board.parse("(9)2#####2#####", total_mines=9, topology=shape.topology)


# A width, a height, a number of mines, a seed and a shape for a puzzle of each variant.
VARIANTS: dict[str, tuple[int, int, int, int, Topology]] = {
    "classic": (6, 5, 6, 1, "grid"), "liar": (6, 5, 6, 1, "grid"), "at-least": (6, 5, 6, 2, "grid"),
    "at-most": (6, 5, 6, 2, "grid"), "capped:2": (6, 5, 7, 1, "grid"), "modulo:3": (6, 5, 6, 3, "grid"),
    "multiple": (6, 5, 6, 1, "grid"), "negation": (6, 5, 6, 2, "grid"), "cross": (6, 5, 6, 1, "grid"),
    "knight": (6, 5, 6, 1, "grid"), "wall": (6, 5, 9, 4, "grid"), "partition": (6, 5, 9, 2, "grid"),
    "quad": (6, 5, 8, 1, "grid"), "no-three": (6, 5, 10, 1, "grid"), "balance": (5, 5, 10, 4, "grid"),
    "dual": (6, 5, 8, 1, "grid"), "no-touching": (6, 5, 6, 1, "grid"), "connected": (4, 4, 5, 3, "grid"),
    "outside": (4, 4, 6, 2, "grid"), "snake": (4, 4, 5, 1, "grid"), "liar,no-touching": (7, 4, 5, 1, "hex"),
    "wall,connected": (7, 3, 6, 1, "triangles"),
}  # fmt: skip


def variant_picture(rules: str) -> mp.Picture:
    """A puzzle of a variant with exactly one solution, and a hint."""
    columns, rows, mines, seed, topology = VARIANTS[rules]
    puzzle = mp.generate_variant(rows, columns, mines, rules, topology=topology, seed=seed, unique=True)
    return mp.draw(puzzle.board, legend=False, coordinates=False)


def variant_file(rules: str) -> str:
    """The name of the picture of a variant."""
    return f"variant-{rules.replace(':', '-').replace(',', '-')}.svg"


def drawings() -> Iterator[tuple[str, mp.Picture]]:
    """Each drawing with the name of its file."""
    board = position()
    yield "example.svg", mp.draw(EXAMPLE, odds=True)
    yield "proof.svg", mp.draw(mp.deduce(mp.Board.parse("F33F/###F"))[0])
    yield "odds.svg", mp.draw(board, odds=True)
    yield "hint.svg", mp.draw(board, hint=True)
    yield "best.svg", mp.draw(GUESS, best=True)
    yield "hexagons.svg", mp.draw(mp.Board.parse("#####/12###/#####", total_mines=4, topology="hex"), odds=True)
    yield "review.svg", mp.draw(mp.review(lost_game()))
    for name in SHAPES:
        yield f"shape-{name}.svg", mp.draw(shape_board(name), odds=True, legend=False, coordinates=False)
    yield "shape-wheel.svg", mp.draw(wheel(), odds=True, legend=False)
    for rules in VARIANTS:
        yield variant_file(rules), variant_picture(rules)
    yield "variant-hint.svg", mp.draw(mp.hint(mp.Board.parse("1##/##0", rules="liar", total_mines=2), prefer="safe"))
    for guess in mp.lesson(careless("beginner", 13)).guesses[:1]:
        assert guess.picture is not None
        yield "coach.svg", guess.picture


if __name__ == "__main__":
    for name, picture in drawings():
        picture.save(FOLDER / name)
        print(FOLDER / name)
