"""Deals and games of variants, over every rule."""

from __future__ import annotations

import json
import pickle
import random

import pytest

import mineproof as mp
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.variants.clues import CLUE_RULES
from mineproof.variants.mine_rules import BUILT_IN

RULES = [name.replace(":N", ":3") for name in CLUE_RULES] + [*BUILT_IN, "mines:3", "liar quad", "wall connected"]
MINES = {"quad": 9, "liar quad": 9, "balance": 10, "dual": 6, "no-touching": 4, "snake": 6}
SIDE = 5


def dealt(rules: str, *, seed: int = 1, start: Cell | None = None) -> mp.VariantLayout:
    return mp.deal_variant(SIDE, SIDE, MINES.get(rules, 6), mp.Variant.parse(rules), seed=seed, start=start)


def position_of(layout: mp.VariantLayout) -> mp.VariantPosition:
    """Every free cell is open."""
    rows = [[str(layout.clues[layout.index((r, c))]) for c in range(layout.columns)] for r in range(layout.rows)]
    for row, column in layout.mines:
        rows[row][column] = "#"
    texts = (" ".join(cell.strip("()").replace(", ", "+").replace("None", "?") for cell in row) for row in rows)
    return mp.VariantPosition.parse("/".join(texts), total_mines=layout.total_mines)


@pytest.mark.parametrize("rules", RULES)
def test_a_deal_keeps_its_rules_and_its_clues_are_true(rules: str) -> None:
    layout = dealt(rules, start=(2, 2))
    assert (2, 2) not in layout.mines
    assert layout == dealt(rules, start=(2, 2)), "the same seed"
    assert layout.total_mines == MINES.get(rules, 6)
    analysis = mp.analyze_variant(position_of(layout), layout.variant)  # raises if a clue or a rule is broken
    assert analysis.layouts >= 1
    assert analysis.mines == layout.mines


@pytest.mark.parametrize("rules", RULES)
def test_a_game_of_every_rule_is_played_saved_and_undone(rules: str) -> None:
    game = mp.VariantGame(dealt(rules), seed=3)
    chance = random.Random(rules)
    views = []
    while not game.is_over:
        views.append(game.as_json())
        covered = [c for c in cells() if game.position.cells[c[0] * SIDE + c[1]].state == "covered"]
        outcome = game.open(*chance.choice(covered))
        assert outcome.status == game.status
        assert game.move_count > 1 or not outcome.exploded, "the first click is safe"
    assert not any("mines" in view for view in views)
    again = mp.VariantGame.load(game.save())
    assert again.as_json()["cells"] == game.as_json()["cells"]
    assert again.layout == game.layout
    while game.line:
        game.undo()
        views_left = {key: value for key, value in game.as_json().items() if key != "seconds"}
        assert views_left == {key: value for key, value in views.pop().items() if key != "seconds"}
    assert game.status == "new"


def cells() -> list[Cell]:
    return [(row, column) for row in range(SIDE) for column in range(SIDE)]


def test_all_layouts_are_equally_likely() -> None:
    """Three mines in a 2×2 block and more: every allowed layout of a tiny board turns up."""
    variant = mp.Variant.parse("quad")
    seen = {mp.deal_variant(2, 3, 2, variant, seed=seed).mines for seed in range(120)}
    assert seen == {frozenset(c) for c in _pairs() if {(0, 1), (1, 1)} & set(c) or len({x[1] for x in c}) == 2}


def _pairs() -> list[tuple[Cell, Cell]]:
    board = [(row, column) for row in range(2) for column in range(3)]
    return [(a, b) for a in board for b in board if a < b]


@pytest.mark.parametrize("rules", ["wall", "mines:3"])
def test_a_running_game_shows_no_mines(rules: str) -> None:
    game = mp.VariantGame(dealt(rules), first_click="any")
    saved = game.save()
    with pytest.raises(mp.IllegalMoveError, match="still running"):
        _ = game.layout
    assert "mines" not in json.loads(json.dumps(game.as_json()))
    assert json.dumps(list(dealt(rules).values)).replace(" ", "").encode().hex() not in saved
    assert "*" not in str(game)
    assert "*" not in repr(game)


def test_the_first_click_draws_another_layout_that_keeps_the_rules() -> None:
    layout = dealt("quad")
    mine = min(layout.mines)
    assert mp.VariantGame(layout, first_click="any").open(*mine).exploded == {mine}
    game = mp.VariantGame(layout, seed=5)
    game.open(*mine)
    assert game.status == "running"
    assert str(mp.VariantGame.load(game.save())) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    game.undo()
    game.open(*max(layout.mines))
    assert str(mp.VariantGame.load(game.save())) == str(game), "each first click has its own layout"
    assert game.again().open(*max(layout.mines)).exploded == frozenset()


def test_the_first_click_can_keep_its_neighbours_free() -> None:
    game = mp.VariantGame(mp.deal_variant(6, 6, 9, mp.Variant("liar"), seed=2), first_click="open")
    game.open(3, 3)
    assert game.position.cells[21].clues[0] == 1, "0 or 2 would be a lie of 1"
    quads = mp.VariantGame(dealt("quad"), first_click="open")
    assert quads.open(2, 2).exploded == frozenset(), "quad leaves no 3×3 free, so only the cell itself is"


def test_a_clue_that_frees_all_its_cells_opens_them() -> None:
    def opened(rules: str) -> int:
        layout = mp.VariantLayout.of(4, 4, [(0, 0)], mp.Variant.parse(rules))
        return len(mp.VariantGame(layout, first_click="any").open(3, 3).opened)

    assert opened("classic") == opened("wall") == opened("partition") == 15
    assert opened("liar") == opened("at-least") == opened("modulo:3") == 1


def test_chords_open_what_the_flags_free() -> None:
    layout = mp.VariantLayout.of(3, 3, [(0, 0), (0, 1)], mp.Variant.parse("wall"))
    game = mp.VariantGame(layout, first_click="any")
    game.open(1, 1)
    assert str(game) == "# # #\n# 2 #\n# # #"
    with pytest.raises(mp.IllegalMoveError, match="leave no cell to open"):
        game.chord(1, 1)
    game.flag(0, 0)
    game.flag(0, 1)
    assert set(game.chord(1, 1).opened) == set(layout_free(layout)) - {(1, 1)}
    assert game.status == "won"


def layout_free(layout: mp.VariantLayout) -> list[Cell]:
    return [divmod(index, layout.columns) for index, value in enumerate(layout.values) if not value]


def test_flags_that_contradict_a_clue_are_refused() -> None:
    game = mp.VariantGame(mp.VariantLayout.of(1, 3, [(0, 0)], mp.Variant()), first_click="any")
    game.open(0, 1)
    for column in (0, 2):
        game.flag(0, column)
    with pytest.raises(mp.IllegalMoveError, match="contradict its clue 1"):
        game.chord(0, 1)


def test_flags_count_the_mines_of_a_cell() -> None:
    layout = mp.VariantLayout.of(1, 3, [(0, 0)] * 3, mp.Variant.parse("mines:3"))
    game = mp.VariantGame(layout, first_click="any")
    game.open(0, 1)
    assert game.position.cells[1].clues == (3,)
    shown = []
    for _ in range(4):
        game.flag(0, 0)
        shown.append(game.as_json()["cells"][0][0])
    assert shown == ["F", "F2", "F3", "#"]
    for _ in range(3):
        game.flag(0, 0)
    assert (game.mines_left, game.chord(0, 1).status) == (0, "won")


def test_labels_of_clues() -> None:
    def label(rules: str, mines: int) -> str:
        layout = mp.VariantLayout.of(3, 3, cells3()[:mines], mp.Variant.parse(rules), seed=4)
        game = mp.VariantGame(layout, first_click="any")
        game.open(2, 2) if mines < 4 else game.open(1, 1)
        return game.as_json()["labels"][1][1] if mines >= 4 else game.as_json()["labels"][2][2]

    assert label("capped:3", 4) == "3+"
    assert label("at-least", 4)[0] == "≥"
    assert label("at-most", 4)[0] == "≤"
    assert label("wall", 4) == "4"
    assert label("partition", 4) == "1"


def cells3() -> list[Cell]:
    return [(0, 0), (0, 1), (0, 2), (1, 0)]


def test_a_rule_of_ones_own_can_be_played_but_not_saved() -> None:
    mirror = mp.PatternRule("mirror", lambda clue, ring: sum(ring) == clue and ring[:3] == ring[6:3:-1])
    game = mp.VariantGame(mp.VariantLayout.of(3, 3, [(0, 0)], mp.Variant(mirror)), first_click="any")
    game.open(1, 1)
    assert game.as_json()["cells"][1][1] == "?", "no clue is true here"
    with pytest.raises(ValueError, match="A rule of your own cannot be written as text, got mirror"):
        game.save()


def test_what_cannot_be_dealt_is_refused_by_name() -> None:
    symmetric = mp.ShapeRule("symmetric", lambda area, mines: all((r, area.columns - 1 - c) in mines for r, c in mines))
    with pytest.raises(mp.BudgetExceeded, match="that keep symmetric cannot be placed on 8 × 8"):
        mp.deal_variant(8, 8, 20, mp.Variant(mine_rules=[symmetric]))
    with pytest.raises(mp.ContradictionError, match="snake exclude"):
        mp.deal_variant(2, 2, 4, mp.Variant.parse("snake"))
    with pytest.raises(mp.ContradictionError):
        mp.deal_variant(2, 2, 4, mp.Variant(), start=(0, 0))
    with pytest.raises(ValueError, match="at most 2,500 cells"):
        mp.deal_variant(100, 100, 9, mp.Variant())


@pytest.mark.parametrize(
    ("topology", "rules", "rows", "columns"),
    [
        ("hex", "liar", 5, 5),
        ("torus", "wall", 4, 4),
        ("triangles", "multiple", 4, 6),
        ("sphere", "liar", 10, 15),
    ],
)
def test_variants_are_played_on_other_shapes(topology: Topology, rules: str, rows: int, columns: int) -> None:
    layout = mp.deal_variant(rows, columns, 5, mp.Variant.parse(rules), topology=topology, seed=3)
    game = mp.VariantGame(layout, seed=3)
    game.open(*game.middle)
    while not game.is_over:
        safe = mp.analyze_variant(game.position, game.variant).safe
        for cell in safe or sorted(game.cells - layout.mines - {game.middle}):
            if game.status == "running" and game.position[cell].state == "covered" and cell not in game._layout.mines:
                game.open(*cell)
    assert (game.status, game.topology, game.open_cells) == ("won", topology, len(game.cells) - 5)
    again = mp.VariantGame.load(game.save())
    assert (again.as_json()["cells"], again.layout) == (game.as_json()["cells"], game.layout)
    holes = [divmod(index, columns) for index in layout.holes]
    assert {cell for cell in holes if game.as_json()["cells"][cell[0]][cell[1]] != "~"} == set()
    for cell in holes[:1]:
        with pytest.raises(mp.OutsideError):
            game._dealt.index(cell)


def test_a_rule_that_a_shape_cannot_have_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="quad is for the shapes grid, torus"):
        mp.deal_variant(5, 5, 5, mp.Variant.parse("quad"), topology="hex")


def test_a_game_saved_before_there_were_shapes_is_on_a_grid() -> None:
    saved = json.loads(mp.VariantGame(dealt("liar")).save())
    del saved["topology"]
    assert mp.VariantGame.load(json.dumps(saved)).topology == "grid"


def test_names_of_rules() -> None:
    assert mp.Variant.parse("quad,liar").text == "liar,quad"
    assert mp.Variant.parse("mines:4").text == "mines:4"
    assert mp.Variant.parse("").text == "classic"
    for wrong, message in (
        ("liar wall", "one rule for its clues"),
        ("lair", "got 'lair'"),
        ("quad mines:2", "one mine"),
    ):
        with pytest.raises(ValueError, match=message):
            mp.Variant.parse(wrong)


@pytest.mark.parametrize("change", [{"rows": 4}, {"layout": "00"}, {"rules": "lair"}, {"status": "won"}, {"seed": -1}])
def test_a_damaged_game_is_refused(change: dict[str, object]) -> None:
    saved = json.loads(mp.VariantGame(dealt("liar")).save())
    with pytest.raises(mp.BoardSyntaxError):
        mp.VariantGame.load(json.dumps(saved | change))
