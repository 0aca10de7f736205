"""Makes the drawings that README and docs show, into docs/pictures: `python tools/drawings.py`.

They depend on nothing but the program: tests/unit/test_drawings.py makes them again and compares every byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import mineproof as mp

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


def lost() -> mp.Game:
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


def drawings() -> Iterator[tuple[str, mp.Picture]]:
    """Each drawing with the name of its file."""
    board = position()
    yield "example.svg", mp.draw(EXAMPLE, odds=True)
    yield "proof.svg", mp.draw(mp.deduce(mp.Board.parse("F33F/###F"))[0])
    yield "odds.svg", mp.draw(board, odds=True)
    yield "hint.svg", mp.draw(board, hint=True)
    yield "best.svg", mp.draw(GUESS, best=True)
    yield "hexagons.svg", mp.draw(mp.Board.parse("#####/12###/#####", total_mines=4, topology="hex"), odds=True)
    yield "review.svg", mp.draw(mp.review(lost()))
    for guess in mp.lesson(careless("beginner", 13)).guesses[:1]:
        assert guess.picture is not None
        yield "coach.svg", guess.picture


if __name__ == "__main__":
    for name, picture in drawings():
        picture.save(FOLDER / name)
        print(FOLDER / name)
