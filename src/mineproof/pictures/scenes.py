"""The scene of each thing that can be drawn."""

from __future__ import annotations

import math

from mineproof.advice.hints import Hint
from mineproof.analysis.analysis import Analysis
from mineproof.base.words import at, percent, plural
from mineproof.board.cells import Cell
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.reviews import Review
from mineproof.pictures.scene import Look, Ring, Row, Scene, bare, in_percent

ODDS = "chance of a mine, in %"
WINS = "chance to win, in %"
MOST_BARS = 9  # a number each
MOST_TOLD = 12  # guesses that are told in words


def of_analysis(found: Analysis) -> Scene:
    """Every covered cell with its odds, or what is certain of it."""
    scene = bare(found.board)
    add_analysis(scene, found)
    return scene


def add_analysis(scene: Scene, found: Analysis) -> None:
    """The same on a picture of the board, in words too."""
    scene.title += ": odds"
    add_odds(scene, found)
    certain = f"Certain: {plural(len(found.safe), 'safe cell')}, {plural(len(found.mines), 'mine')}."
    scene.text = certain if found.safe or found.mines else "Nothing is certain."


def add_odds(scene: Scene, found: Analysis) -> None:
    """Certain cells get their tick or cross, others their odds; flags that are taken for mines stay flags."""
    chances = found.mine_probability
    for cell in found.safe:
        _tell(scene.looks[cell], 0.0)
    for cell in found.mines:
        _tell(scene.looks[cell], 1.0)
    for cell in found.undecided:
        chance = float(chances[cell])
        if not math.isnan(chance):
            look = scene.looks[cell]
            look.chance, look.words = chance, in_percent(chance)
            scene.scale = ODDS
            if look.sign == "flag":  # one that is not taken for a mine: its odds stand in a corner
                look.words, look.badge = "", look.words


def _tell(look: Look, chance: float) -> None:
    look.chance, look.told = chance, "mine" if chance else "safe"
    if look.sign == "flag" and not chance:
        look.ring = "wrong"


def add_step(scene: Scene, step: Deduction) -> None:
    """What a step proves, and the numbers it takes."""
    for cell in step.because:
        scene.looks[cell].ring = "because"
    for cell in step.safe:
        _certain(scene.looks[cell], "safe")
    for cell in step.mines:
        _certain(scene.looks[cell], "mine")
    scene.text = step.text


def _certain(look: Look, told: str) -> None:
    look.words = ""
    if told == "safe":
        look.told = look.ring = "safe"
    else:
        look.told = look.ring = "mine"


def add_hint(scene: Scene, found: Hint) -> None:
    """The whole of a hint: a wrong flag, a step, or the best guess."""
    if found.deduction is not None:
        add_step(scene, found.deduction)
    if found.cell is not None:
        scene.looks[found.cell].ring = "wrong" if found.kind == "flag" else "best"
    if found.kind == "guess" and found.safest is not None and found.safest != found.cell:
        scene.looks[found.safest].ring = "safest"
    scene.text = found.text


def add_best(scene: Scene, found: BestMove) -> None:
    """The best move with a star, the chance to win of each cell that was weighed, and what the best one may show."""
    weighed = {move.cell: move.win_probability for move in found.moves}
    if any(chance is not None for chance in weighed.values()) and not scene.scale:
        scene.scale = WINS
        for cell, chance in weighed.items():
            if chance is not None:
                scene.looks[cell].words = "0" if chance == 0 else "100" if chance == 1 else in_percent(chance)
    if found.safest is not None and found.safest.cell != found.cell:
        scene.looks[found.safest.cell].ring = "safest"
    if found.cell is None:
        scene.text = found.text
        return
    scene.looks[found.cell].ring = "best"
    outlook = found.moves[0].outlook[:MOST_BARS]
    if outlook:
        scene.bars_title = f"What {at(found.cell)} may show"
        for each in outlook:
            safe = "nothing certain" if not each.safe else f"{plural(each.safe, 'cell')} safe then"
            scene.bars.append(Row(str(each.number), each.chance, f"{percent(each.chance)}, {safe}"))
    scene.text = found.text


def of_game(game: Game) -> Scene:
    """What the player sees; once the game is over, the mines too."""
    scene = bare(game.board)
    for cell in game.questions:
        scene.looks[cell].sign = "question"
    if game.is_over:
        add_mines(scene, game.layout.mines, game.exploded, won=game.status == "won")
    scene.title += f": {game.status}"
    return scene


def add_mines(scene: Scene, mines: frozenset[Cell], exploded: frozenset[Cell], *, won: bool) -> None:
    """The truth about covered cells after the end."""
    for cell, look in scene.looks.items():
        if cell in exploded:
            look.sign = "exploded"
        elif cell in mines and look.sign != "flag":
            look.sign = "flag" if won else "mine"
        elif look.sign == "flag" and cell not in mines:
            look.sign = "wrong"


def of_review(found: Review) -> Scene:
    """The last board with every guess, numbered in the order of the game; the first ones are told."""
    scene = bare(found.board)
    lines = []
    for number, guess in enumerate(found.guesses, 1):
        ring: Ring = "forced" if guess.forced else "needless"
        look = scene.looks[guess.cell]
        look.ring, look.badge = ring, str(number)
        if not guess.survived and not guess.undone:
            look.sign = "exploded"
        if number <= MOST_TOLD:
            lines.append(f"{number}. {guess.text}")
    if len(found.guesses) > MOST_TOLD:
        lines.append(f"The other {len(found.guesses) - MOST_TOLD} are in the review.")
    scene.title += f": {found.status}"
    scene.text = "\n".join([f"{found.luck_text}.", *lines])
    return scene


def of_layout(layout: Layout) -> Scene:
    """Every number and every mine."""
    opened = layout.board()
    scene = bare(opened)
    numbers = layout.numbers()
    for cell, look in scene.looks.items():
        look.sign, look.number = ("mine", 0) if cell in layout.mines else ("number", int(numbers[opened.index(cell)]))
    if layout.start is not None:
        scene.looks[layout.start].ring = "start"
    scene.title += ": every mine"
    return scene
