"""Hints: a wrong flag first, then the easiest step that is news, then the safest guess; four levels of words."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.advice.hints import LEVELS
from mineproof.deduction.ladder import LADDER
from mineproof.wording.catalogue import use_language
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.clauses import NumberAt
from mineproof.wording.contradictions import Contradiction
from mineproof.wording.hints import Basis, Guess, GuessFacts, Peers, SolvedFacts, StepFacts, WrongFlagFacts
from mineproof.wording.regions import region_of
from support import texts
from support.arguments import outline
from support.effort import examples
from support.oracle import COVERED, FLAGGED, Cell, Truth, brute_force
from support.positions import small

CASES = json.loads((Path(__file__).parents[1] / "golden/seed_cases.json").read_text("utf-8"))
CONSISTENT = [case for case in CASES if case["consistent"]]


def board_of(case: dict[str, Any]) -> mp.Board:
    return mp.Board.parse("\n".join(case["rows"]), total_mines=case["mines"], alphabet="mineproof")


def cells(pairs: list[list[int]]) -> set[Cell]:
    return {(row, column) for row, column in pairs}


# levels


def test_a_step_in_four_levels() -> None:
    advice = mp.hint(mp.Board.parse("###/121"))
    basis = Basis((NumberAt((1, 0), 1), NumberAt((1, 1), 2)))
    assert advice.facts == StepFacts(NumberAt((1, 1), 2), basis, safe=(), mines=((0, 2),))
    assert advice.deduction is not None
    assert advice.proof == (advice.deduction,)
    assert advice.levels == tuple(advice.level(level) for level in LEVELS)
    assert advice.level(1) == texts.text("hint-look", number="the 2 at (1,1)")
    question = LADDER["partition"].question(2)
    assert advice.level(2) == f"You need only the 1 at (1,0) and the 2 at (1,1). {question}"
    assert (advice.deduction.technique, advice.deduction.pattern) == ("partition", "1-2-1")
    assert advice.level(3) == texts.text("hint-move-mines", 1, cells="(0,2)")
    assert str(advice) == advice.text == advice.level(4) == advice.deduction.text


def test_a_hint_is_rendered_when_it_is_read() -> None:
    advice = mp.hint(mp.Board.parse("###/121"))
    assert advice.text_in("de", 1) == "Sieh dir die 2 bei (1,1) an."
    assert advice.text_in("en") == advice.text
    with use_language("de"):
        assert advice.level(3) == "(0,2) ist eine Mine. Setze eine Flagge."
    with use_cell_labels("ruler"):
        assert advice.level(1) == texts.text("hint-look", number="the highlighted 2")
        assert advice.level(3) == texts.text("hint-move-mines", 1, cells="C1")
    assert pickle.loads(pickle.dumps(advice)) == advice


def step_facts(found: mp.Hint) -> StepFacts:
    assert isinstance(found.facts, StepFacts)
    return found.facts


def guess_facts(found: mp.Hint) -> GuessFacts:
    assert isinstance(found.facts, GuessFacts)
    return found.facts


def guess(found: mp.Hint) -> Guess:
    facts = guess_facts(found)
    assert facts.guess is not None
    return facts.guess


def test_a_step_is_used_like_its_deduction() -> None:
    advice = mp.hint(mp.Board.parse("###/121"))
    assert advice.kind == "step"
    assert advice.certain
    assert advice.deduction == mp.deduce(mp.Board.parse("###/121"))[0]
    told = (advice.technique, advice.safe, advice.mines, advice.because, advice.uses_total)
    assert told == ("partition", frozenset(), frozenset({(0, 2)}), ((1, 0), (1, 1)), False)
    assert (advice.cell, advice.mine_fraction, advice.mine_probability) == (None, None, None)


def test_regions_of_boards_that_are_not_seen_at_a_glance() -> None:
    corners = [region_of(cell, 9, 9) for cell in ((0, 0), (0, 8), (8, 0), (8, 8))]
    assert corners == ["top-left", "top-right", "bottom-left", "bottom-right"]
    assert [region_of(cell, 9, 9) for cell in ((0, 4), (4, 0), (4, 4))] == ["top", "left", "middle"]
    assert [region_of(cell, 3, 9) for cell in ((0, 0), (0, 4), (2, 8))] == ["left", "middle", "right"]
    assert region_of((0, 0), 5, 5) is None
    wrong = mp.hint(mp.Board.parse("/".join(["0" * 8 + "F", *["0" * 9] * 8])))
    assert (wrong.kind, wrong.level(1)) == ("flag", texts.text("hint-wrong-flag-region", region="at the top right"))


def test_the_total_is_part_of_the_look_and_of_the_numbers() -> None:
    advice = mp.hint(mp.Board.parse("#1#1#", total_mines=1))
    assert advice.uses_total
    assert step_facts(advice).basis.total == 1
    assert advice.level(1) == texts.text("hint-look-and-count", number="the 1 at (0,1)")
    assert advice.level(2).startswith(texts.text("hint-enough", names="the 1 at (0,1) and the mine count (1)"))
    alone = mp.hint(mp.Board.parse("##", total_mines=0))
    assert alone.because == ()
    assert (step_facts(alone).near, step_facts(alone).basis.total) == (None, 0)
    assert alone.level(1) == texts.text("hint-look-at-board")
    assert alone.level(2) == texts.text("hint-enough", names="the mine count (0)")
    assert step_facts(alone).safe == ((0, 0), (0, 1))


@pytest.mark.parametrize("level", [0, 5, -1])
def test_no_other_level(level: int) -> None:
    advice = mp.hint(mp.Board.parse("###/121"))
    with pytest.raises(ValueError, match="level must be from 1 to 4"):
        advice.level(level)
    with pytest.raises(ValueError, match="level must be from 1 to 4"):
        advice.as_json(level)


def test_json_tells_no_more_than_its_level() -> None:
    advice = mp.hint(mp.Board.parse("###/121"))
    documents = [advice.as_json(level) for level in LEVELS]
    assert len({tuple(document) for document in documents}) == 1
    assert [document["schema"] for document in documents] == ["mineproof/hint/1"] * 4
    assert [document["text"] for document in documents] == [advice.level(level) for level in LEVELS]
    assert [document["near"] for document in documents] == [[1, 1]] * 4
    assert [document["because"] for document in documents] == [
        None,
        [[1, 0], [1, 1]],
        [[1, 0], [1, 1]],
        [[1, 0], [1, 1]],
    ]
    assert [document["technique"] for document in documents] == [None, *["partition"] * 3]
    assert [document["mines"] for document in documents] == [None, None, [[0, 2]], [[0, 2]]]
    assert [document["safe"] for document in documents] == [None, None, [], []]
    assert advice.deduction is not None
    assert [document["argument"] for document in documents] == [None, None, None, advice.deduction.argument.as_json()]
    guess = mp.hint(mp.Board.parse("11/##", total_mines=1))
    assert [guess.as_json(level)["cell"] for level in LEVELS] == [None, None, [1, 0], [1, 0]]
    assert [guess.as_json(level)["mine_fraction"] for level in LEVELS] == [None, None, "1/2", "1/2"]
    assert guess.as_json()["mine_probability"] == 0.5
    assert json.loads(json.dumps(guess.as_json())) == guess.as_json()


def test_a_hint_never_changes() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        mp.hint(mp.Board.parse("1#")).kind = "guess"  # type: ignore[misc]


# the worked examples


@pytest.mark.parametrize("flags", ["check", "trust", "ignore"])
@pytest.mark.parametrize("case", CONSISTENT, ids=lambda case: str(case["id"]))
def test_worked_example(case: dict[str, Any], flags: Any) -> None:
    """A certain move whenever there is one; where there is none, the safest cell has the lowest odds."""
    board = board_of(case)
    advice = mp.hint(board, flags=flags)
    seen = mp.analyze(board, flags="trust" if flags == "trust" else "ignore")
    certain = seen.safe | (seen.mines - (set() if flags == "ignore" else set(board.cells(FLAGGED))))
    if advice.kind == "done":
        assert not seen.safe
    else:
        assert (advice.kind in ("step", "flag")) == bool(certain)
    assert advice.safe <= seen.safe
    assert advice.mines <= seen.mines
    if advice.cell is not None and advice.safest is not None:
        assert advice.mine_fraction == seen.exact(*advice.cell)
        assert seen.exact(*advice.safest) == min(
            seen.exact(*cell) for cell in [*board.cells(COVERED), *board.cells(FLAGGED)] if seen.exact(*cell) < 1
        )


@pytest.mark.parametrize("case", [case for case in CASES if "first_hint" in case], ids=lambda case: str(case["id"]))
def test_first_hint_of_fair_minesweeper(case: dict[str, Any]) -> None:
    advice, theirs = mp.hint(board_of(case), flags="trust"), case["first_hint"]
    assert advice.certain == (theirs["type"] != "random")
    if theirs.get("reason") != "numberOfMines" and "cells" in theirs:
        assert advice.safe | advice.mines | {advice.cell} - {None} == cells(theirs["cells"])


@pytest.mark.parametrize("flags", ["check", "trust"])
def test_the_trap_of_fair_minesweeper(flags: Any) -> None:
    """Its own hint leads into a certain mine."""
    case = next(case for case in CASES if case["id"] == "fm-hint-trap-1")
    board = board_of(case)
    used_total = False
    while (advice := mp.hint(board, flags=flags)).kind == "step" and not advice.safe:
        assert advice.mines <= cells(case["expected_mines"])
        board = board.replace(dict.fromkeys(advice.mines, FLAGGED))
        used_total |= advice.uses_total
    assert advice.safe == {(1, 1)}
    assert used_total


# flags


def test_a_wrong_flag_comes_first() -> None:
    advice = mp.hint(mp.Board.parse("0112F/01F3#/02#4F/01#21/01110"))
    assert (advice.kind, advice.cell, advice.because) == ("flag", (0, 4), ((1, 3), (2, 3)))
    assert advice.safe == {(0, 4)}
    assert advice.certain
    assert isinstance(advice.facts, WrongFlagFacts)
    assert (advice.facts.flag, advice.facts.region) == ((0, 4), None)
    assert advice.facts.basis.numbers == (NumberAt((1, 3), 3), NumberAt((2, 3), 4))
    assert advice.level(1) == texts.text("hint-wrong-flag")
    assert advice.level(2).startswith(
        " ".join([texts.text("hint-wrong-flag"), texts.text("hint-enough", names="the 3 at (1,3) and the 4 at (2,3)")])
    )
    assert advice.level(3).startswith("The flag at (0,4) is wrong.")
    assert advice.proof[-1].safe == {(0, 4)}
    assert advice.deduction is not None
    assert advice.text == advice.deduction.text
    assert outline(advice.deduction.argument)[-2:] == [
        ("so-safe", [], [(0, 4)], None),
        ("wrong-flag", [], [(0, 4)], None),
    ]


def test_the_reasons_of_a_wrong_flag_are_a_whole_argument() -> None:
    advice = mp.hint(mp.Board.parse("#1F1#", total_mines=2))
    assert (advice.kind, advice.uses_total, advice.because) == ("flag", True, ((0, 1), (0, 3)))
    first, last = advice.proof
    assert (first.technique, first.mines, first.uses_total) == ("total", frozenset({(0, 4)}), True)
    assert (last.technique, last.safe) == ("single-open", frozenset({(0, 2)}))
    assert advice.deduction is not None
    assert outline(advice.deduction.argument) == [
        ("pattern-mine-count", [], [], None),
        ("board-has", [], [], 2),
        ("needs", [(0, 1)], [], 1),
        ("rest-are-mines", [], [], 1),
        ("so-mines", [], [(0, 4)], None),
        ("has-mines", [(0, 3)], [(0, 4)], None),
        ("so-safe", [], [(0, 2)], None),
        ("wrong-flag", [], [(0, 2)], None),
    ]


@pytest.mark.parametrize("text", ["###/121", "####/1221"])
def test_a_position_has_one_name_of_a_pattern_whatever_the_hint_prefers(text: str) -> None:
    board = mp.Board.parse(text)
    name = "-".join(text.partition("/")[2])
    for prefer in ("easiest", "safe"):
        hint = mp.hint(board, prefer=prefer)
        assert (hint.pattern, hint.as_json()["pattern"]) == (name, name)
        kinds = [clause.kind for clause in hint.deduction.argument.walk()] if hint.deduction else []
        assert kinds.count(f"pattern-{name}") == 1
    assert mp.hint(board).as_json(1)["pattern"] is None


def test_of_several_wrong_flags_the_one_with_the_shortest_proof() -> None:
    advice = mp.hint(mp.Board.parse("F##~0F/111~~~"))
    assert (advice.kind, advice.cell, advice.because) == ("flag", (0, 5), ((0, 4),))
    other = mp.hint(mp.Board.parse("F##~0#/111~~~"))
    assert (other.kind, other.cell, len(other.because)) == ("flag", (0, 0), 2)


def test_a_right_flag_is_no_news_and_makes_the_next_step_easy() -> None:
    bare, flagged = (mp.hint(mp.Board.parse(text)) for text in ("1#1##/11111", "1F1##/11111"))
    assert (bare.technique, bare.mines) == ("single-flag", frozenset({(0, 1)}))
    assert (flagged.technique, flagged.safe, flagged.because) == ("single-open", frozenset({(0, 3)}), ((0, 2),))
    assert step_facts(flagged).basis.flags == 1
    assert step_facts(bare).basis.flags == 0
    assert flagged.level(2).startswith(
        " ".join([texts.text("hint-enough", names="the 1 at (0,2)"), texts.text("hint-flags-right", 1)])
    )


def test_a_flag_that_nothing_proves_is_not_built_on() -> None:
    text = "F33F/###F"
    ignored, trusted = mp.hint(mp.Board.parse(text)), mp.hint(mp.Board.parse(text), flags="trust")
    assert ignored.kind == "guess"
    uncertainty = guess_facts(ignored).uncertainty
    assert (uncertainty.has_unproved_flags, uncertainty.if_flags_are_right) == (True, 1)
    assert "covered cell, flagged or not, is a mine in some" in ignored.text
    assert texts.text("hint-if-flags-are-right", 1) in ignored.text
    assert (trusted.kind, trusted.mines) == ("step", frozenset({(1, 0)}))


def test_flags_that_cannot_all_be_right() -> None:
    advice = mp.hint(mp.Board.parse("1F/F1", total_mines=1))
    assert advice.kind == "guess"
    conflict = guess_facts(advice).uncertainty.if_flags_are_right
    assert isinstance(conflict, Contradiction)
    assert conflict.wrong_flags == ((0, 1), (1, 0))
    assert guess(advice).is_flagged
    assert texts.text("hint-flags-contradict", reason="the 1 at") in advice.level(2)
    assert "nothing proves the flag" in advice.text


@pytest.mark.parametrize("text", ["0112F/01F3#/02#4F/01#21/01110", "F33F/###F", "1F1##/11111", "F##~0F/111~~~"])
def test_flags_that_are_ignored_are_covered_cells(text: str) -> None:
    """Neither a wrong flag nor a right one is spoken of."""
    board = mp.Board.parse(text)
    advice = mp.hint(board, flags="ignore")
    assert advice == mp.hint(board.without_flags())
    assert advice.kind != "flag"
    assert "your flag" not in "".join(advice.levels).lower()
    assert mp.hint(board) == mp.hint(board, flags="check") != advice


def test_an_unknown_policy_on_flags() -> None:
    with pytest.raises(ValueError, match="flags must be one of check, trust, ignore, got 'perhaps'"):
        mp.hint(mp.Board.parse("1F"), flags="perhaps")  # type: ignore[call-overload]


# guesses


def test_a_guess_is_proved_to_be_forced_and_names_the_best_cell_and_the_safest() -> None:
    board = mp.Board.parse("#####/123##/###3#", total_mines=6)
    advice = mp.hint(board)
    assert (advice.kind, advice.cell, advice.mine_fraction, advice.mine_probability, advice.safest) == (
        "guess",
        (0, 0),
        Fraction(3, 10),
        0.3,
        (0, 1),
    )
    assert advice.cell == mp.best_move(board).cell
    assert not advice.certain
    assert (advice.technique, advice.safe, advice.mines, advice.because) == (None, frozenset(), frozenset(), ())
    facts, proposal = guess_facts(advice), guess(advice)
    assert facts.uncertainty.layouts.layouts == 10
    assert (proposal.mined_layouts, proposal.layouts, proposal.by_strategy) == (3, 10, True)
    assert (proposal.risk, proposal.least_risk) == (Fraction(3, 10), Fraction(1, 5))
    drawback = proposal.drawback
    assert drawback is not None
    assert drawback[:3] == ("less-progress", (0, 0), (0, 1))
    assert [drawback.worse, drawback.better] == pytest.approx([0.4, 0.7])
    assert texts.text("hint-odds-layouts", mined=3, layouts=10, risk="30 %") in advice.text
    assert advice.level(3).endswith(
        " ".join(
            [
                texts.text("hint-best-guess-risk", cell="(0,0)", risk="30 %"),
                texts.text("hint-safest", safest="(0,1)", risk="20 %"),
            ]
        )
    )


def test_without_a_strategy_a_guess_is_the_safest_cell() -> None:
    advice = mp.hint(mp.Board.parse("#####/123##/###3#", total_mines=6), strategy=None)
    assert (advice.cell, advice.safest, advice.mine_fraction) == ((0, 1), (0, 1), Fraction(1, 5))
    assert (guess(advice).by_strategy, guess(advice).drawback) == (False, None)
    assert guess(advice).peers == Peers(count=2, unflagged=1, covered_neighbours=2, touches_number=True)
    assert (
        texts.text(
            "hint-safest-guess", cell="(0,1)", odds=texts.text("hint-odds-layouts", mined=2, layouts=10, risk="20 %")
        )
        in advice.text
    )


def test_where_the_best_cell_is_the_safest_one_is_named() -> None:
    advice = mp.hint(mp.Board.parse("11/##", total_mines=1))
    assert advice.cell == advice.safest == (1, 0)
    assert guess(advice).is_safest
    assert (
        " ".join(
            [
                texts.text(
                    "hint-best-guess",
                    cell="(1,0)",
                    odds=texts.text("hint-odds-layouts", mined=1, layouts=2, risk="50 %"),
                ),
                texts.text("hint-none-safer"),
            ]
        )
        in advice.text
    )
    assert "safest" not in advice.text


def test_a_fifty_fifty_is_called_one() -> None:
    advice = mp.hint(mp.Board.parse("11/##", total_mines=1))
    assert guess(advice).fifty_fifty == (1, 1)
    for level in (3, 4):
        assert texts.text("hint-fifty-fifty", cells="(1,0) and (1,1)") in advice.level(level)
    even = mp.hint(mp.Board.parse("####", total_mines=2))
    assert (even.mine_fraction, guess(even).fifty_fifty) == (Fraction(1, 2), None), "no number pairs two cells"


def test_a_cell_that_is_as_safe_but_not_as_good() -> None:
    board = mp.Board.parse("1" + "#" * 30 + "/" + "#" * 31, total_mines=2)
    move, advice = mp.best_move(board), mp.hint(board)
    assert advice.safest == (0, 30)
    assert advice.cell in (move.cell, advice.safest)


def test_a_forced_guess_cannot_lose_where_the_rules_say_so() -> None:
    board = mp.Board.parse("11/##", total_mines=1)
    for level in LEVELS:
        fair, plain = mp.hint(board, fair=True).level(level), mp.hint(board).level(level)
        assert texts.text("hint-cannot-lose") in fair
        assert "lose" not in plain
    assert "lose" not in mp.hint(mp.Board.parse("1#/11"), fair=True).text


def test_ties_go_to_few_covered_neighbours_then_corners_then_row_order() -> None:
    def safest(text: str, total_mines: int) -> Cell | None:
        return mp.hint(mp.Board.parse(text, total_mines=total_mines)).safest

    assert safest("####/####/####", 3) == (0, 0)
    assert safest("~###/####/####", 3) == (0, 3)
    assert safest("13F/F4F/2##/1##", 5) == (3, 2)  # as few as (3,1), but a corner
    assert safest("~#~~~/~####/~~~~~", 1) == (1, 4)
    assert safest("~1~~1~/#1#~##/~1~~~~", 2) == (1, 0)  # (1,4) has a covered one


def test_a_cell_without_a_flag_before_one_that_is_as_safe() -> None:
    advice = mp.hint(mp.Board.parse("F###/####/####", total_mines=3))
    assert advice.cell != (0, 0)
    assert advice.safest == (0, 3)
    peers = guess(mp.hint(mp.Board.parse("11/F#", total_mines=1))).peers
    assert (peers.count, peers.unflagged) == (2, 0)
    assert peers.text == texts.text("hint-others-flagged")


def test_far_from_numbers() -> None:
    advice = mp.hint(mp.Board.parse("1" + "#" * 30 + "/" + "#" * 31, total_mines=2), strategy=None)
    assert advice.cell == (0, 30)
    assert not guess(advice).peers.touches_number
    assert guess(advice).region == "right"
    assert advice.text.endswith(texts.text("hint-no-number-near"))
    assert advice.level(1) == " ".join(
        [texts.text("hint-guess"), texts.text("hint-guess-region", region="on the right")]
    )


# a cell to open


def test_players_who_set_no_flags_are_led_to_a_cell_to_open() -> None:
    board = mp.Board.parse("###/121")
    advice = mp.hint(board, prefer="safe")
    assert (advice.kind, advice.safe, advice.mines) == ("step", frozenset({(0, 1)}), frozenset())
    assert advice.because == ((1, 0), (1, 1), (1, 2))
    assert advice.level(3) == texts.text("hint-move-safe", 1, cells="(0,1)")
    assert [(step.technique, step.mines, step.safe) for step in advice.proof] == [
        ("partition", frozenset({(0, 2)}), frozenset()),
        ("single-open", frozenset(), frozenset({(0, 1)})),
    ]
    assert advice.deduction is not None
    assert outline(advice.deduction.argument) == [
        ("pattern-1-2-1", [], [], None),
        ("needs", [(1, 0)], [(0, 0), (0, 1)], 1),
        ("needs", [(1, 1)], [(0, 0), (0, 1), (0, 2)], 2),
        ("so-mines", [], [(0, 2)], None),
        ("has-mines", [(1, 2)], [(0, 2)], None),
        ("so-safe", [], [(0, 1)], None),
    ]
    assert mp.hint(board).mines == {(0, 2)}


def test_players_who_set_no_flags_are_told_of_no_mine_that_leads_nowhere() -> None:
    advice = mp.hint(mp.Board.parse("1#~##", total_mines=2), prefer="safe")
    assert advice.kind == "guess"
    uncertainty = guess_facts(advice).uncertainty
    assert (uncertainty.certain_mines, uncertainty.mines_are_flagged) == (1, False)
    assert "1 cell is certainly a mine; every other covered cell" in advice.text
    assert mp.hint(mp.Board.parse("1#~##", total_mines=2)).mines == {(0, 1)}


def test_certain_mines_are_counted_as_known_where_proving_them_would_take_long() -> None:
    advice = mp.hint(mp.Board.parse("1#~#1#~##", total_mines=2), prefer="safe")
    assert advice.safe == {(0, 7), (0, 8)}
    assert step_facts(advice).assumed_mines == ((0, 1),)
    assert len(advice.proof) == 1
    assert advice.deduction is not None
    assert outline(advice.deduction.argument) == [
        ("known-mines", [], [(0, 1)], 1),
        ("pattern-mine-count", [], [], None),
        ("count-left", [], [], 1),
        ("needs", [(0, 4)], [], 1),
        ("all-used", [], [], None),
        ("so-safe", [], [(0, 7), (0, 8)], None),
    ]
    assert advice.level(2).startswith("(0,1) is certainly a mine, although it has no flag.")
    two = mp.hint(mp.Board.parse("1#~#1~#1#~##", total_mines=3), prefer="safe")
    assert len(step_facts(two).assumed_mines) == 2
    assert two.deduction is not None
    assert (two.deduction.argument.parts[0].kind, two.deduction.argument.parts[0].count) == ("known-mines", 2)


def test_an_unknown_preference() -> None:
    with pytest.raises(ValueError, match="prefer must be one of easiest, safe, got 'mines'"):
        mp.hint(mp.Board.parse("1#"), prefer="mines")  # type: ignore[call-overload]


def test_odds_are_never_told_as_certain() -> None:
    rare = mp.hint(mp.Board.parse("#" * 3000, total_mines=1))
    assert texts.text("hint-odds", risk="less than 0.1 %") in rare.level(3)
    dense = mp.hint(mp.Board.parse("#" * 3000, total_mines=2999))
    assert texts.text("hint-odds", risk="more than 99.9 %") in dense.level(3)


def test_close_odds_are_told_apart_by_fractions() -> None:
    """On the left a mine has odds of 1/2, on the right, by the density, a hair less or more."""
    board = mp.Board.parse("#1#~#")
    hair = Fraction(1, 10**14)
    assert mp.hint(board, density=Fraction(1, 2) - hair).cell == (0, 4)
    assert mp.hint(board, density=Fraction(1, 2) + hair).cell == (0, 0)


def test_without_a_total_the_odds_take_a_density() -> None:
    board = mp.Board.parse("1#/##")
    advice = mp.hint(board)
    assert (advice.kind, advice.cell, advice.mine_fraction, advice.mine_probability) == ("guess", None, None, None)
    assert guess_facts(advice).guess is None
    assert advice.level(3).endswith("Give the mine count or a density.")
    weighed = mp.hint(board, density=0.2)
    assert (weighed.cell, weighed.mine_fraction) == ((0, 1), Fraction(1, 3))
    assert guess(weighed).is_for_density
    assert texts.text("hint-odds-density", risk="33.3 %") in weighed.text


# nothing left


@pytest.mark.parametrize(
    ("text", "total", "covered"),
    [("000/000", None, 0), ("1F", None, 1), ("1#", 1, 1), ("###/232/000", 3, 3)],
)
def test_a_solved_board(text: str, total: int | None, covered: int) -> None:
    advice = mp.hint(mp.Board.parse(text, total_mines=total))
    assert advice.kind == "done"
    assert not advice.certain
    assert advice.facts == SolvedFacts(covered)
    assert len(set(advice.levels)) == 1
    assert advice.text.startswith("Solved: ")


def test_mines_that_only_reasoning_shows_are_still_told() -> None:
    advice = mp.hint(mp.Board.parse("###/232/000"))
    assert advice.kind == "step"
    assert advice.mines


def test_a_contradiction_is_an_error() -> None:
    with pytest.raises(mp.ContradictionError):
        mp.hint(mp.Board.parse("3#/#1"))
    with pytest.raises(mp.ContradictionError):
        mp.hint(mp.Board.parse("F1F"), flags="trust")


# against brute force


@pytest.mark.slow
def test_hints_are_true_and_news() -> None:
    rng = random.Random(2027)
    kinds: Counter[str] = Counter()
    for _ in range(examples(3000)):
        board = small(rng).board
        bare = board.without_flags()
        if sum(1 for _ in bare.cells(COVERED)) > 14 or not (truth := brute_force(bare)).consistent:
            continue
        advice = mp.hint(board)
        kinds[advice.kind] += 1
        check(advice, board, truth)
    assert min(kinds[kind] for kind in ("flag", "step", "guess", "done")) > examples(20), kinds


def check(found: mp.Hint, board: mp.Board, truth: Truth) -> None:
    flags = set(board.cells(FLAGGED))
    wrong = flags & truth.safe
    assert found.safe <= truth.safe
    assert found.mines <= truth.mines - flags
    if wrong:
        assert found.kind == "flag"
        assert found.cell in wrong
        check_proof(found, truth.board)
    elif found.kind == "step":
        assert found.safe or found.mines
    else:
        assert found.kind in ("guess", "done")
        assert not truth.safe
        assert truth.mines <= flags or (found.kind == "done" and set(truth.covered) == truth.mines)
    if found.kind == "guess" and board.total_mines is not None:
        odds = {cell: truth.mine_probability(cell) for cell in truth.covered if cell not in truth.mines}
        assert found.cell is not None
        assert found.safest is not None
        assert found.mine_fraction == odds[found.cell]
        assert odds[found.safest] == min(odds.values())


def check_proof(found: mp.Hint, board: mp.Board) -> None:
    """The numbers, with the total or without, force the wrong flag's cell, and none of them can be spared."""

    def forced(numbers: tuple[Cell, ...], uses_total: bool) -> bool:
        alone = board if uses_total else board.replace({}, total_mines=None)
        return found.safe <= brute_force(alone, numbers=numbers).safe

    assert forced(found.because, found.uses_total)
    for number in found.because:
        assert not forced(tuple(other for other in found.because if other != number), found.uses_total)
    assert not (found.uses_total and forced(found.because, False))
