"""Variants: custom rules, the text of positions, errors, and what is judged layout by layout."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.board.geometry import Topology
from mineproof.variants.clues import CLUE_RULES, clue_rule
from mineproof.variants.mine_rules import BUILT_IN

EMPTY = mp.VariantPosition.parse("###/###/###")


def test_a_rule_with_sums_of_its_own() -> None:
    even = mp.SumRule("even", lambda clue, most: range(clue, most + 1, 2))
    analysis = mp.analyze_variant(mp.VariantPosition.parse("0##/###"), mp.Variant(even))
    assert analysis.layouts == 4 * 4, "an even number of the three neighbours, anything in the other two"
    assert analysis.exact(0, 1) == Fraction(1, 2)


def test_a_rule_with_patterns_of_its_own() -> None:
    above = mp.PatternRule("above", lambda clue, ring: sum(ring[:3]) > sum(ring[4:7]))
    analysis = mp.analyze_variant(mp.VariantPosition.parse("###/#1#/###"), mp.Variant(above))
    assert analysis.layouts == 4 * 22
    assert analysis.exact(0, 0) > Fraction(1, 2) > analysis.exact(2, 2)


def test_rules_of_ones_own_on_the_mines() -> None:
    edge = mp.LocalRule("edge", lambda area: [area.constraint([(0, 0), (0, 1)], 1, "edge")])  # type: ignore[arg-type]
    few = mp.ShapeRule("few", lambda area, mines: len(mines) <= 1)
    assert mp.analyze_variant(EMPTY, mp.Variant(mine_rules=[edge, few])).layouts == 2


def test_a_number_of_mines_between_those_that_fit() -> None:
    with pytest.raises(mp.ContradictionError) as caught:
        mp.analyze(mp.Board.parse("1##/##0", rules="liar", shape="hex", total_mines=2))
    assert str(caught.value) == "No layout fits: the 1 at (0,0) and the 0 at (1,2) allow 1 to 3 mines, but not 2."


def test_results_of_an_analysis() -> None:
    position = mp.VariantPosition.parse("1##/F#~", total_mines=2)
    analysis = mp.analyze_variant(position, mp.Variant())
    assert analysis.layouts == 1
    assert analysis.mines == {(0, 2)}
    assert analysis.safe == {(0, 1), (1, 1)}
    expected = [[np.nan, 0, 1], [1, 0, np.nan]]
    assert np.array_equal(analysis.mine_probability, expected, equal_nan=True)
    assert analysis.as_json()["mine_probability"] == [[None, 0, 1], [1, 0, None]]


def test_boards_are_positions_of_variants() -> None:
    board = mp.Board.parse("#####/123##/###3#", total_mines=6)
    analysis, expected = mp.analyze_variant(mp.VariantPosition.from_board(board), mp.Variant()), mp.analyze(board)
    assert analysis.layouts == expected.layouts
    assert np.allclose(analysis.mine_probability, expected.mine_probability, equal_nan=True)


def test_density() -> None:
    sparse = mp.analyze_variant(EMPTY, mp.Variant(mine_rules=["no-touching"]), density=0.1)
    assert sparse.exact(1, 1) < Fraction(1, 10)
    listed = mp.analyze_variant(EMPTY, mp.Variant(mine_rules=["no-touching", "connected"]), density=0.1)
    assert listed.layouts == 10, "no mine, or one"
    assert listed.exact(1, 1) == Fraction(1, 9) / 2


def test_contradictions_name_clues_and_rules() -> None:
    with pytest.raises(mp.ContradictionError, match=r"the 0 at \(0,0\) and the rule quad at \(0,0\) contradict"):
        mp.analyze_variant(mp.VariantPosition.parse("0##/###"), mp.Variant(mine_rules=["quad"]))
    with pytest.raises(mp.ContradictionError, match="snake excludes all 2 layouts that the other rules allow"):
        mp.analyze_variant(mp.VariantPosition.parse("F~#/~~F"), mp.Variant(mine_rules="snake"))


def test_too_many_layouts_to_judge() -> None:
    with pytest.raises(mp.BudgetExceeded, match=r"snake must judge layouts one by one, at most 20,000\.") as caught:
        mp.analyze_variant(mp.VariantPosition.parse("/".join(["#" * 5] * 4)), mp.Variant(mine_rules=["snake"]))
    assert caught.value.limit == "size"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected at least one row"),
        ("## x", "line 1, character 1: expected #, F, ~"),
        ("##/#", "line 2: expected 2 cells as in line 1, got 1"),
        ("# 1+", "line 1, character 3: expected #, F"),
    ],
)
def test_malformed_positions(text: str, message: str) -> None:
    with pytest.raises(mp.BoardSyntaxError) as caught:
        mp.VariantPosition.parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mp.Variant("lair"), f"clues must be one of {', '.join(CLUE_RULES)}, got 'lair'"),
        (lambda: mp.Variant("modulo:1"), "divisor must be at least 2, got 1"),
        (lambda: mp.Variant("modulo"), "clues must be one of"),
        (lambda: mp.Variant(mine_rules=["quads"]), f"mine_rules must be some of {', '.join(BUILT_IN)}, got 'quads'"),
        (lambda: mp.Variant(mine_rules=["quad"], cell_max=2), "quad is for one mine in a cell, got up to 2"),
        (lambda: mp.Variant(cell_max=0), "cell_max must be from 1 to 63, got 0"),
        (lambda: _analyze("1+2 #", mp.Variant()), r"classic: expected one number, got 1+2"),
        (lambda: _analyze("# # #\n# 1 #\n# # #", mp.Variant("wall", cell_max=9)), "have too many patterns"),
    ],
)
def test_malformed_variants(make: Any, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        make()
    assert message in str(caught.value)


def _analyze(text: str, variant: mp.Variant) -> mp.VariantAnalysis:
    return mp.analyze_variant(mp.VariantPosition.parse(text), variant)


def test_rules_by_name() -> None:
    assert {clue_rule(name.replace("N", "4")).name for name in CLUE_RULES} == {n.replace("N", "4") for n in CLUE_RULES}


def test_kings_that_do_not_attack_each_other() -> None:
    """The numbers of OEIS A063443."""
    kings = mp.Variant(mine_rules=["no-touching"])
    sizes = {1: 2, 2: 5, 3: 35, 4: 314, 5: 6427, 6: 202841, 8: 1355115601}
    for side, layouts in sizes.items():
        empty = mp.VariantPosition.parse("/".join(["#" * side] * side))
        assert mp.analyze_variant(empty, kings).layouts == layouts


@pytest.mark.parametrize(("kind", "rows", "columns", "layouts"), [("cube", 3, 9, 2089), ("radius2", 6, 6, 2875)])
def test_mines_that_do_not_touch_where_cells_have_many_neighbours(
    kind: Topology, rows: int, columns: int, layouts: int
) -> None:
    """One constraint for cells that all touch each other; a constraint for each pair was too hard to count."""
    board = mp.Board.parse("/".join(["#" * columns] * rows), rules="no-touching", shape=kind)
    assert mp.analyze(board).layouts == layouts
