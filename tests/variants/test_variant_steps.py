"""Steps on boards of variants: all certain cells, with arguments that can be said in every language."""

from __future__ import annotations

import random

import pytest

from mineproof.variants.variant_analysis import analyze_variant
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_steps import variant_solution_json, variant_steps
from mineproof.wording.catalogue import languages
from support.variant_boards import random_board
from support.variant_oracle import RULES, SHOWS


def _texts(text: str, rules: str | None = "classic", total: int | None = None) -> list[str]:
    return [step.text for step in variant_steps(VariantBoard.parse(text, rules, total_mines=total))]


@pytest.mark.parametrize("clues", SHOWS)
def test_steps_find_every_certain_cell(clues: str) -> None:
    rng = random.Random(f"steps {clues}")
    for rules in [(), (rng.choice(list(RULES)),)]:
        board = random_board(rng, clues, rules)
        analysis = analyze_variant(board.position, board.variant)
        steps = list(variant_steps(board))
        assert frozenset().union(*(step.safe for step in steps)) == analysis.safe
        assert frozenset().union(*(step.mines for step in steps)) == analysis.mines
        for step in steps:
            assert step.because or step.rules or step.uses_total
            assert all(step.text_in(language) for language in languages())


def test_several_mines_in_a_cell() -> None:
    assert _texts("5##", "mines:6") == [
        "The 5 at (0,0) has 5 mines around it. Only (0,1) is undecided. Without a mine there, the 5 at (0,0) would not "
        "fit. So (0,1) is a mine."
    ]


def test_a_clue_alone() -> None:
    [text] = _texts("2#/##", "multiple")
    assert text == (
        "The 2 at (0,0) counts each mine around it in a dark cell twice. Of these cells, (0,1) and (1,0) are dark (row "
        "plus column is odd). Only 2 ways to place mines in (0,1), (1,0) and (1,1) fit. In every one of them, (1,1) is "
        "safe."
    )


def test_two_clues_compared() -> None:
    assert _texts("###/121")[0] == (
        "The 1 at (1,0) has 1 mine around it. So there is 1 mine among (0,0) and (0,1). The 2 at (1,1) has 2 mines "
        "around it. So there is at least 1 mine among (0,0) and (0,1). With these, the 2 at (1,1) also needs a mine "
        "at (0,2). So (0,2) is a mine."
    )


def test_the_number_of_mines() -> None:
    [text] = _texts("1###1/#####", "classic", 2)
    assert text == (
        "The board has 2 mines. The 1 at (0,0) needs at least 1 of them. The 1 at (0,4) needs at least 1 of them. "
        "These clues share no covered cell. That leaves no mine for any other cell. So (0,2) and (1,2) are safe."
    )


def test_too_few_mines_left_for_a_clue() -> None:
    """The clue on the left has 0 or 2 mines around it; the one on the right needs at least 2 of the 3."""
    [first, *_] = variant_steps(VariantBoard.parse("1###3/##?##", "liar", total_mines=3))
    assert (first.technique, first.safe) == ("total", frozenset([(0, 1), (1, 0), (1, 1)]))
    assert first.text == (
        "The board has 3 mines. The 3 at (0,4) is off by one, so there are 2 mines around it. The 3 at (0,4) "
        "needs at least 2 of them. The 1 at (0,0) is off by one, so there are 0 or 2 mines around it. These clues "
        "share no covered cell. That leaves at most 1 of them for the 1 at (0,0). So (0,1), (1,0) and (1,1) are safe."
    )


def test_rules_are_broken_and_lines_balanced() -> None:
    assert _texts("##/##/F#", "no-touching")[0] == (
        "Mines do not touch, so at most one of (1,0), (1,1), (2,0) and (2,1) is a mine. One of them is known: (2,0). "
        "Only (1,0), (1,1) and (2,1) are undecided. Mines there would break the rule no-touching. So (1,0), (1,1) and "
        "(2,1) are safe."
    )
    [text] = _texts("F#/##", "balance", 2)[:1]
    assert text.startswith(
        "Every row has the same number of mines, and so has every column. With 2 mines on the board, there is 1 mine "
        "among (0,0) and (0,1). One of them is known: (0,0)."
    )


def test_single_mines_of_a_ring() -> None:
    [text] = _texts("# ? ?/F 1+1 #/? ? ?", "wall")
    assert text == (
        "The 1+1 at (1,1) means 2 single mines around it, no two of them side by side. (1,0) is known to be a mine. "
        "Only one way to place mines in (0,0) and (1,2) fits. So (1,2) is a mine and (0,0) is safe."
    )


def test_consequences_of_one_rule_are_one_sentence() -> None:
    texts = _texts("5x5x4 torus liar,no-touching\n# # # # #\n# # # # 0\n# # # 2 #\n# 1 3 # #\n# 3 # # 3", None)
    [text] = [text for text in texts if "Suppose (1,2)" in text]
    assert "Then the rule no-touching allows no mines at (0,2), (1,1), (2,1) and (2,2). Then" in text
    assert text.endswith("Then the rule no-touching is broken. So (1,2) is safe.")


def test_documents() -> None:
    steps = list(variant_steps(VariantBoard.parse("0#", "liar")))
    document = variant_solution_json(steps)
    assert document["mines"] == [[0, 1]]
    step = document["steps"][0]
    assert step["because"] == [[0, 0]]
    assert step["argument"]["parts"][0]["sources"] == [{"rule": "liar", "cell": [0, 0], "clue": "0"}]


def test_what_a_0_means() -> None:
    """A 0 of a difference may have mines around it; that of a weighted sum may not."""
    assert _texts("0#", "multiple") == ["The 0 at (0,0) means that no mine is around it. So (0,1) is safe."]
    [text] = _texts("0#", "negation")
    assert text.endswith("Only (0,1) is undecided. A mine there would not fit the 0 at (0,0). So (0,1) is safe.")
    [text] = _texts("1#", "wall")
    assert text.startswith("The 1 at (0,0) means a single mine around it.")
