"""The pictures of a lesson: the part of the board around a guess or a pause, as the player saw it.

Cost    2 ms each; the SVG is written on demand.
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
from mineproof.pictures.draw_api import Picture
from mineproof.pictures.scene import Scene, board_scene, close_up, percent_label
from mineproof.wording.catalogue import message, number


def draw_needless_guess(guess: GuessReview, board: Board, analysis: Analysis, step: Hint) -> Picture:
    """The certain step, and the cells that were opened instead."""
    scene = board_scene(board)
    scenes.add_hint(scene, step)
    _mark_guess(scene, guess, analysis)
    title = message("lesson-picture-certain", move=number(guess.index + 1))
    return _close_up(step, scene, title, {*guess.cells, *step.because, *step.safe})


def draw_forced_guess(guess: GuessReview, board: Board, analysis: Analysis, best: BestMove | None) -> Picture:
    """The odds around the guess, and the best guess."""
    scene = board_scene(board)
    scenes.add_odds(scene, analysis)
    best_cells = [] if best is None or best.cell is None else [best.cell]
    for cell in best_cells:
        scene.looks[cell].ring = "best"
    _mark_guess(scene, guess, analysis)
    title = message("lesson-picture-odds", move=number(guess.index + 1))
    return _close_up(best or analysis, scene, title, {*guess.cells, *best_cells})


def draw_pause(board: Board, step: Hint) -> Picture:
    """The certain step."""
    scene = board_scene(board)
    scenes.add_hint(scene, step)
    return _close_up(step, scene, message("lesson-picture-pause"), {*step.because, *step.safe})


def _mark_guess(scene: Scene, guess: GuessReview, analysis: Analysis) -> None:
    """Frame the opened cells and show their odds."""
    for cell in guess.cells:
        look = scene.looks[cell]
        look.ring = "forced" if guess.forced else "needless"
        if cell in analysis.safe or cell in analysis.mines:
            look.certainty = "safe" if cell in analysis.safe else "mine"
        elif look.sign == "covered":
            look.label, scene.scale = percent_label(float(analysis.mine_probability[cell])), scenes.odds_scale()


def _close_up(subject: object, scene: Scene, title: str, cells: Iterable[Cell]) -> Picture:
    scene.title, scene.text = f"{scene.title}: {title}", ""
    return Picture(subject, close_up(scene, cells), "auto", legend=True, coordinates=True)
