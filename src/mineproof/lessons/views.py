"""The pictures of a lesson: the part of the board around what mattered, as the player saw it.

Cost    2 ms each; the SVG is written when somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.advice.hints import Hint
from mineproof.analysis.analysis import Analysis
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.moves import BestMove
from mineproof.game.reviews import GuessReview
from mineproof.pictures import scenes
from mineproof.pictures.drawing import Picture
from mineproof.pictures.scene import Scene, bare, close_up, in_percent


def needless_guess(guess: GuessReview, seen: Board, found: Analysis, step: Hint) -> Picture:
    """The step that could have been made, and the cells that were opened instead."""
    scene = bare(seen)
    scenes.add_hint(scene, step)
    _mark(scene, guess, found)
    return _picture(step, scene, f"move {guess.index + 1}, what was certain", {*guess.cells, *step.because, *step.safe})


def forced_guess(guess: GuessReview, seen: Board, found: Analysis, best: BestMove | None) -> Picture:
    """The odds around the guess, and the best one."""
    scene = bare(seen)
    scenes.add_odds(scene, found)
    better = [] if best is None or best.cell is None else [best.cell]
    for cell in better:
        scene.looks[cell].ring = "best"
    _mark(scene, guess, found)
    return _picture(best or found, scene, f"move {guess.index + 1}, the odds", {*guess.cells, *better})


def pause(seen: Board, step: Hint) -> Picture:
    """The step that could have been made."""
    scene = bare(seen)
    scenes.add_hint(scene, step)
    return _picture(step, scene, "what was certain", {*step.because, *step.safe})


def _mark(scene: Scene, guess: GuessReview, found: Analysis) -> None:
    """Frame what was opened, with its odds."""
    for cell in guess.cells:
        look = scene.looks[cell]
        look.ring = "forced" if guess.forced else "needless"
        if cell in found.safe or cell in found.mines:
            look.told = "safe" if cell in found.safe else "mine"
        elif look.sign == "covered":
            look.words, scene.scale = in_percent(float(found.mine_probability[cell])), scenes.ODDS


def _picture(what: object, scene: Scene, title: str, cells: Iterable[Cell]) -> Picture:
    scene.title, scene.text = f"{scene.title}: {title}", ""
    return Picture(what, close_up(scene, cells), "auto", legend=True, coordinates=True)
