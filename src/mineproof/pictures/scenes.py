"""The scenes of everything that can be drawn."""

from __future__ import annotations

import math

from mineproof.advice.hints import Hint
from mineproof.analysis.analysis import Analysis
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.reviews import Review
from mineproof.pictures.captions import format_percent
from mineproof.pictures.scene import Bar, Certainty, Look, Ring, Scene, board_scene, percent_label
from mineproof.wording.catalogue import message, plural
from mineproof.wording.cells import cell_label

OUTLOOK_MAX_BARS = 9  # one for each number
REVIEW_MAX_GUESSES = 12  # that are described in the text


def of_analysis(analysis: Analysis) -> Scene:
    """Return the scene of an analysis: every covered cell with its odds or its certainty."""
    scene = board_scene(analysis.board)
    add_analysis(scene, analysis)
    return scene


def add_analysis(scene: Scene, analysis: Analysis) -> None:
    """Add the odds of an analysis to the scene of its board, with a summary."""
    scene.title = message("picture-title-odds", title=scene.title)
    add_odds(scene, analysis)
    if analysis.safe or analysis.mines:
        safe = plural("picture-safe-cells", len(analysis.safe))
        scene.text = message("picture-certain", safe=safe, mines=plural("picture-mines", len(analysis.mines)))
    elif analysis.board.count(COVERED):
        scene.text = message("picture-nothing-certain")
    else:
        scene.text = message("picture-finished")
    if analysis.undecided and not scene.scale:  # all odds are NaN
        scene.text += f" {message('picture-unknown-mines')}"


def add_odds(scene: Scene, analysis: Analysis) -> None:
    """Add a tick or cross to certain cells and the odds to others; flags that are taken as mines stay flags."""
    chances = analysis.mine_probability
    for cell in analysis.safe:
        _mark_chance(scene.looks[cell], 0.0)
    for cell in analysis.mines:
        _mark_chance(scene.looks[cell], 1.0)
    for cell in analysis.undecided:
        chance = float(chances[cell])
        if not math.isnan(chance):
            look = scene.looks[cell]
            look.chance, look.label = chance, percent_label(chance)
            scene.scale = odds_scale()
            if look.sign == "flag":  # a flag that is not taken as a mine has its odds in a corner
                look.label, look.badge = "", look.label


def odds_scale() -> str:
    """Return the caption of percentages that are chances of a mine."""
    return message("picture-scale-odds")


def _mark_chance(look: Look, chance: float) -> None:
    look.chance, look.certainty = chance, "mine" if chance else "safe"
    if look.sign == "flag" and not chance:
        look.ring = "wrong"


def add_step(scene: Scene, step: Deduction) -> None:
    """Add what a step proves, and the numbers it uses."""
    for cell in step.because:
        scene.looks[cell].ring = "because"
    for cell in step.safe:
        _mark_certain(scene.looks[cell], "safe")
    for cell in step.mines:
        _mark_certain(scene.looks[cell], "mine")
    scene.text = step.text


def _mark_certain(look: Look, certainty: Certainty) -> None:
    look.label, look.certainty, look.ring = "", certainty, certainty


def add_hint(scene: Scene, hint: Hint) -> None:
    """Add a whole hint: a wrong flag, a step, or the best guess."""
    if hint.deduction is not None:
        add_step(scene, hint.deduction)
    if hint.cell is not None:
        scene.looks[hint.cell].ring = "wrong" if hint.kind == "flag" else "best"
    if hint.kind == "guess" and hint.safest is not None and hint.safest != hint.cell:
        scene.looks[hint.safest].ring = "safest"
    scene.text = hint.text


def add_best(scene: Scene, move: BestMove) -> None:
    """Add the best move with a star, the chance to win of every candidate, and the numbers the best one can show."""
    win_chances = {option.cell: option.win_probability for option in move.moves}
    if any(chance is not None for chance in win_chances.values()) and not scene.scale:
        scene.scale = message("picture-scale-wins")
        for cell, chance in win_chances.items():
            if chance is not None:
                scene.looks[cell].label = "0" if chance == 0 else "100" if chance == 1 else percent_label(chance)
    if move.cell is not None and move.safest.cell != move.cell:
        scene.looks[move.safest.cell].ring = "safest"
    if move.cell is None:
        scene.text = move.text
        return
    scene.looks[move.cell].ring = "best"
    outlook = move.moves[0].outlook[:OUTLOOK_MAX_BARS]
    if outlook:
        scene.bars_title = message("picture-outlook-title", cell=cell_label(move.cell))
        for row in outlook:
            chance_text = format_percent(row.chance)
            text = message("picture-outlook-none", chance=chance_text)
            if row.safe:
                text = plural("picture-outlook", row.safe, chance=chance_text)
            scene.bars.append(Bar(str(row.number), row.chance, text))
    scene.text = move.text


def of_game(game: Game) -> Scene:
    """Return what the player sees, and the mines once the game is over."""
    scene = board_scene(game.board)
    for cell in game.questions:
        scene.looks[cell].sign = "question"
    if game.is_over:
        add_mines(scene, game.layout.mines, game.exploded, won=game.status == "won")
    scene.title = message(f"picture-title-{game.status}", title=scene.title)
    return scene


def add_mines(scene: Scene, mines: frozenset[Cell], exploded: frozenset[Cell], *, won: bool) -> None:
    """Show what the covered cells were, after the end of a game."""
    for cell, look in scene.looks.items():
        if cell in exploded:
            look.sign = "exploded"
        elif cell in mines and look.sign != "flag":
            look.sign = "flag" if won else "mine"
        elif look.sign == "flag" and cell not in mines:
            look.sign = "wrong"


def of_review(review: Review) -> Scene:
    """Return the last board with every guess, numbered in the order of the game; the text describes the first ones."""
    scene = board_scene(review.board)
    lines = []
    for number, guess in enumerate(review.guesses, 1):
        ring: Ring = "forced" if guess.forced else "needless"
        look = scene.looks[guess.cell]
        look.ring, look.badge = ring, str(number)
        if not guess.survived and not guess.undone:
            look.sign = "exploded"
        if number <= REVIEW_MAX_GUESSES:
            lines.append(message("picture-guess", place=number, text=guess.text))
    if len(review.guesses) > REVIEW_MAX_GUESSES:
        lines.append(plural("picture-more-guesses", len(review.guesses) - REVIEW_MAX_GUESSES))
    scene.title = message(f"picture-title-{review.status}", title=scene.title)
    scene.text = "\n".join([f"{review.luck_text.rstrip('.')}.", *lines])
    return scene


def of_layout(layout: Layout) -> Scene:
    """Return every number and every mine of a layout."""
    opened = layout.board()
    scene = board_scene(opened)
    numbers = layout.numbers()
    for cell, look in scene.looks.items():
        look.sign, look.number = ("mine", 0) if cell in layout.mines else ("number", int(numbers[opened.index(cell)]))
    if layout.start is not None:
        scene.looks[layout.start].ring = "start"
    scene.title = message("picture-title-layout", title=scene.title)
    return scene
