"""Games that are over, made in a moment: small ones by their moves, or of a level by opening all that is safe."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.base.rng import Random, deal
from mineproof.board.geometry import Topology
from mineproof.board.levels import read_size
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.rules import Fairness
from mineproof.game.stopwatch import Clock


def steady(seconds: float) -> Clock:
    """A clock that advances by a step whenever it is read."""

    def times() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += seconds

    return times().__next__


def finished(
    level: str = "beginner",
    seed: int = 0,
    *,
    ms: int = 1000,
    won: bool = True,
    topology: Topology = "grid",
    fairness: Fairness = "none",
    no_guess: bool = False,
) -> Game:
    """A game that opens cells row by row, or the first mine after the first click; its clock says ``ms`` in the end."""
    size = read_size(level)
    dealt = deal(Random(seed, 0), range(1, size.rows * size.columns), size.mines)
    mines = frozenset(divmod(index, size.columns) for index in dealt)
    layout = Layout(size.rows, size.columns, mines, topology=topology, no_guess=no_guess)
    game = Game(layout, first_click="any", fairness=fairness, seed=seed, clock=steady(0))
    wanted = [cell for cell in layout.cells() if cell not in mines] if won else [(0, 0), min(mines)]
    for cell in wanted:
        if not game.is_over and game.board[cell] < 0:
            game.play("open", cell, ms=ms)
    assert game.status == ("won" if won else "lost")
    return game
