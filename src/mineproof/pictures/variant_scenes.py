"""The scenes of boards of variants, and of their results."""

from __future__ import annotations

from mineproof.board.cells import Cell
from mineproof.pictures.captions import format_size
from mineproof.pictures.scene import Look, Scene, percent_label
from mineproof.pictures.scenes import odds_scale
from mineproof.variants.clues import clue_rule, clue_text
from mineproof.variants.mine_rules import mine_rule
from mineproof.variants.position import VariantCell
from mineproof.variants.variant_analysis import VariantAnalysis
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_hints import VariantHint
from mineproof.variants.variant_moves import VariantBestMove
from mineproof.variants.variant_steps import VariantDeduction
from mineproof.wording.catalogue import message, plural


def of_variant(board: VariantBoard) -> Scene:
    """Return the scene of a board without any additions."""
    looks = {
        divmod(index, board.columns): _look(cell)
        for index, cell in enumerate(board.position.cells)
        if cell.state != "absent"
    }
    variant = board.variant
    names = [clue_rule(variant.clues).name, *(mine_rule(rule).name for rule in variant.mine_rules)]
    size = message("picture-title-grid", size=format_size(board.rows, board.columns, board.total_mines))
    title = message("variant-picture-title", title=size, rules=", ".join(names))
    return Scene(board.rows, board.columns, board.topology, title, looks)


def _look(cell: VariantCell) -> Look:
    clue = "|".join(map(clue_text, cell.clues))
    if cell.state == "open":
        return Look("number", clue=clue or "?")
    return Look("flag" if cell.state == "mine" else "covered", badge=clue)


def add_variant_odds(scene: Scene, analysis: VariantAnalysis) -> None:
    """Add the odds of every covered cell, and what is certain."""
    scene.title = message("picture-title-odds", title=scene.title)
    chances = analysis.mine_probability
    for cell, look in scene.looks.items():
        if look.sign == "covered":
            if cell in analysis.safe or cell in analysis.mines:
                look.chance, look.certainty = (1.0, "mine") if cell in analysis.mines else (0.0, "safe")
            else:
                chance = float(chances[cell])
                look.chance, look.label = chance, percent_label(chance)
                scene.scale = odds_scale()
    if analysis.safe or analysis.mines:
        safe = plural("picture-safe-cells", len(analysis.safe))
        scene.text = message("picture-certain", safe=safe, mines=plural("picture-mines", len(analysis.mines)))
    else:
        scene.text = message("picture-nothing-certain" if scene.scale else "picture-finished")


def add_variant_step(scene: Scene, step: VariantDeduction) -> None:
    """Add what a step proves, and the clues it uses."""
    for cell in step.because:
        scene.looks[cell].ring = "because"
    for cell in step.safe:
        _mark(scene, cell, is_mine=False)
    for cell in step.mines:
        _mark(scene, cell, is_mine=True)
    scene.text = step.text


def _mark(scene: Scene, cell: Cell, *, is_mine: bool) -> None:
    look = scene.looks[cell]
    look.label, look.certainty, look.ring = ("", "mine", "mine") if is_mine else ("", "safe", "safe")


def add_variant_hint(scene: Scene, hint: VariantHint) -> None:
    """Add a hint: a step, or the safest cell."""
    if hint.deduction is not None:
        add_variant_step(scene, hint.deduction)
    elif hint.cell is not None:
        scene.looks[hint.cell].ring = "best"
    scene.text = hint.text


def add_variant_best(scene: Scene, move: VariantBestMove) -> None:
    """Add the best move with a star, and the chances to win if they are known."""
    if move.cell is not None:
        scene.looks[move.cell].ring = "best"
    if move.win_fraction is not None and not scene.scale:
        scene.scale = message("picture-scale-wins")
        for option in move.moves:
            if option.win_fraction is not None:
                chance = float(option.win_fraction)
                scene.looks[option.cell].label = str(int(100 * chance)) if chance in (0, 1) else percent_label(chance)
    scene.text = move.text
