"""Makes the boards and the replay that commands in README and docs read: `python tools/samples.py`, into samples."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import mineproof as mp
from mineproof import formats
from mineproof.cli.demo import EXPERT
from mineproof.formats.evf import games as evf
from mineproof.game.rules import MoveKind

FOLDER = Path(__file__).parents[1] / "samples"
START = (8, 15)  # of board.mbf
SEED = 5  # of game.evf: the game has two guesses
PAUSES = (350, 600, 450, 1800, 500, 900)  # milliseconds between the clicks of the replay, over and over


def beginner() -> mp.Board:
    """A beginner game after its first click."""
    game = mp.Game(mp.generate("beginner", seed=3, start=(4, 4), first_click="open"), first_click="open")
    game.open(4, 4)
    return game.board


def replay() -> mp.Game:
    """An intermediate game that is won: flags and openings as the hints say, and the best guess where they end."""
    game = mp.Game(mp.generate("intermediate", seed=SEED, start=(8, 8), first_click="open"), clock=lambda: 0.0)
    game.play("open", (8, 8), ms=0)
    while not game.is_over:
        step = mp.hint(game.board)
        for cell in sorted(step.mines):
            click(game, "flag", cell)
        for cell in sorted(step.safe):
            click(game, "open", cell)
        guess = None if step.mines or step.safe else mp.best_move(game.board, "fast").cell
        if guess is not None:
            click(game, "open", guess)
    return game


def click(game: mp.Game, kind: MoveKind, cell: tuple[int, int]) -> None:
    """Make a move after a pause, unless an earlier one has opened the cell or ended the game."""
    if game.board[cell] == mp.COVERED and not game.is_over:
        game.play(kind, cell, ms=game.moves[-1].ms + PAUSES[len(game.moves) % len(PAUSES)])


def samples() -> Iterator[tuple[str, str | bytes]]:
    """Each file with its name."""
    layout = mp.generate("expert", seed=7, start=START, no_guess=True)
    assert layout.certificate is not None
    yield "beginner.txt", f"{beginner()}\n"
    yield "expert.txt", EXPERT
    yield "endgame.txt", "5x3x6\n#####\n123##\n###3#\n"
    yield "board.mbf", formats.write(layout, "mbf")
    yield "board.certificate.json", json.dumps(layout.certificate.as_json()) + "\n"
    yield "game.evf", evf.write_record(replay().record(), player="Sample")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in samples():
        (FOLDER / name).write_bytes(data if isinstance(data, bytes) else data.encode())
