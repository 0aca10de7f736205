"""Tasks in words, lenient reading of answers, verdicts with two rewards, and games turn by turn."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import mineproof as mp
from mineproof.errors import BoardSyntaxError, BudgetExceeded
from mineproof.exams.answer_text import READ_CHARACTERS, read_cells, read_word
from mineproof.exams.scores import sum_verdicts
from mineproof.exams.tasks import FORMS, KINDS, Assertion, Task
from mineproof.exams.text_games import MAX_UNREADABLE, TextGame
from mineproof.exams.verdicts import game_verdict
from mineproof.wording.catalogue import use_language

BOARD = mp.Board.parse("##/12/##", total_mines=2)  # (0,0) and (0,1), (2,0) and (2,1): one mine each is possible
SURE = mp.Board.parse("#1#1#", total_mines=2)  # mines at both ends, the middle is safe


def on(kind: str, board: mp.Board = SURE, **more: object) -> Task:
    return Task(kind, board, **more)  # type: ignore[arg-type]


def rewards(verdict: mp.Verdict) -> tuple[object, ...]:
    return verdict.outcome, verdict.score, verdict.luck


# answers


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("[[0, 3], [2, 5]]", [(0, 3), (2, 5)]),
        ("[0, 3]", [(0, 3)]),
        ("[0, 3], [2, 5]", [(0, 3), (2, 5)]),
        ("(0,3), (2,5)", [(0, 3), (2, 5)]),
        ("0,3", [(0, 3)]),
        ("r0c3 and r2c5", [(0, 3), (2, 5)]),
        ("Open row 2, column 5.", [(2, 5)]),
        ("row 2 and col 5", [(2, 5)]),
        ("Ich öffne Zeile 2, Spalte 5.", [(2, 5)]),
        ('{"row": 2, "col": 5}', [(2, 5)]),
        ('{"answer": [[0, 3]]}', [(0, 3)]),
        ('{"cells": [{"row": 0, "column": 3}, {"row": 2, "column": 5}]}', [(0, 3), (2, 5)]),
        ('{"answer": "(0,3)"}', [(0, 3)]),
        ("```json\n[[0, 3]]\n```", [(0, 3)]),
        ("First (9,9).\n```\n(0,3)\n```", [(0, 3)]),
        ("(1,1) is next to (1,2).\nSo the safe cells are (0,3) and (2,5).", [(0, 3), (2, 5)]),
        ("(1,1) looks good.\n**Answer:** [[0, 3]]", [(0, 3)]),
        ("Answer: [[9, 9]]\nNo, wait.\nFinal answer: [[0, 3]]", [(0, 3)]),
        ("<think>(9,9)</think>(0,3)", [(0, 3)]),
        ("<think>(9,9)</think>\n<answer>[[0,3]]</answer>", [(0, 3)]),
        (r"So it is \boxed{(0, 3)}.", [(0, 3)]),
        ("[[0, 3],\n [2, 5]]", [(0, 3), (2, 5)]),
        ("The cells:\n[\n  [0, 3],\n  [2, 5]\n]\n", [(0, 3), (2, 5)]),
        ("[[0, 3], [0, 3]]", [(0, 3)]),
        ("[]", []),
        ("There are none.", []),
        ("Keine.", []),
        ("", None),
        ("I do not know.", None),
        ("[", None),
        ("5", None),
        ([(0, 3), [2, 5]], [(0, 3), (2, 5)]),
        ((0, 3), [(0, 3)]),
        ([], []),
        (None, None),
        (7, None),
        ([True, False], None),
        ([-1, 2], None),
        ("[" * 5000, None),
        ('{"answer":' * 3000, None),
        ("[" * 60 + "1, 2" + "]" * 60, [(1, 2)]),
    ],
)
def test_cells_are_read(text: object, cells: list[tuple[int, int]] | None) -> None:
    assert read_cells(text) == cells


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("right", True),
        ("Wrong.", False),
        ("TRUE", True),
        ("no", False),
        ("It looks wrong at first.\nBut the claim is right.", True),
        ("The claim is not correct.", False),
        ("It is not wrong.", True),
        ("<think>right</think> wrong", False),
        ("Answer: false, because the 1 is right there? No: false", False),
        ("Die Behauptung ist nicht richtig", False),
        ("Answer: right. No doubt.", True),
        ("Yes.\nThat is wrong.", False),
        ('{"answer": "right"}', True),
        ('{"verdict": false}', False),
        (True, True),
        ({"answer": "wrong"}, False),
        ("", None),
        ("perhaps", None),
        ("Norway", None),
        (3, None),
    ],
)
def test_words_are_read(text: object, word: bool | None) -> None:
    assert read_word(text) is word


def test_a_long_answer_is_read_from_its_end() -> None:
    text = "I look at (1,1). " * 10_000 + "\n(0,3)"
    assert len(text) > READ_CHARACTERS
    assert read_cells(text) == [(0, 3)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000 + "(1,1) " * 1_600,
        "[(1,1)" + " " * 19_000 + "x",
        "[" + "(1,1) " * 3_000 + "x",
        "\\boxed{{}{}" * 2_000,
        "<answer>" * 2_000,
        "```\n" * 5_000,
        "row 1,,,,row " * 1_500,
        "not " * 5_000,
        "Answer    " * 2_000,
    ],
)
def test_hostile_answers_are_read_in_time(text: str) -> None:
    """Each of these would take hours with a pattern that tries every way to split it."""
    read_cells(text)
    assert read_word(text) is None


# tasks


@pytest.mark.parametrize(("kind", "form"), list(product(KINDS, FORMS)))
def test_a_task_is_the_same_for_its_seed_and_survives_its_json(kind: str, form: str) -> None:
    task = mp.task(kind, level="5x5x5", form=form, seed=4, number=7)  # type: ignore[arg-type]
    assert task == mp.task(kind, level="5x5x5", form=form, seed=4, number=7)  # type: ignore[arg-type]
    copy = Task.from_json(json.dumps(task.as_json()))
    assert copy == task
    assert (copy.prompt, copy.answer) == (task.prompt, task.answer)
    assert mp.judge(task, task.answer).right
    assert task != mp.task(kind, level="5x5x5", form=form, seed=4, number=8)  # type: ignore[arg-type]


def test_the_forms_describe_the_same_board() -> None:
    grid, coordinates, words = (on("safe", form=form).prompt for form in FORMS)
    assert "0 | # 1 # 1 #" in grid
    assert "1: (0,1), (0,3)" in coordinates
    assert "Covered cells: (0,0), (0,2), (0,4)" in coordinates
    assert "- Exactly 1 of (0,0), (0,2) is a mine." in words
    assert "- Of all 3 covered cells, exactly 2 are mines." in words


def test_a_proof_in_words_names_the_numbers_of_each_sentence() -> None:
    board = mp.Board.parse("#1#1#", total_mines=2)
    prompt = Task("proof", board, "words", assertion=Assertion((0, 0), "mine", ((0, 1), (0, 3)))).prompt
    assert "- The number at (0,1): Exactly 1 of (0,0), (0,2) is a mine." in prompt
    assert "because of the numbers at (0,1) and (0,3)" in prompt
    same = mp.Board.parse("1#1", total_mines=1)
    prompt = Task("proof", same, "words", assertion=Assertion((0, 1), "mine", ((0, 0),))).prompt
    assert "- Each of the numbers at (0,0), (0,2): (0,1) is a mine." in prompt


def test_a_task_keeps_its_language() -> None:
    with use_language("de"):
        task = mp.task("claim", level="5x5x4", seed=1)
    assert "Behauptung: " in task.prompt
    assert task.answer in ("richtig", "falsch")
    assert mp.judge(task, task.answer).right


@pytest.mark.parametrize("kind", ["safe", "safe-cell", "mines", "claim", "proof"])
def test_the_technique_is_what_the_easiest_step_needs(kind: str) -> None:
    task = mp.task(kind, technique="partition", seed=5)
    easier = mp.deduce(task.board, upto="single-flag")
    assert (task.technique, easier) == ("partition", [])
    assert mp.judge(task, task.answer).right


def test_the_numbers_are_those_of_the_easiest_proof() -> None:
    for number in range(3):
        task = mp.task("safe-cell", numbers=(2, 3), seed=6, number=number)
        assert task.numbers is not None
        assert 2 <= task.numbers <= 3
    assert mp.task("mines", numbers=1, seed=6).numbers == 1


@pytest.mark.slow
def test_claims_and_proofs_are_right_and_wrong() -> None:
    for kind in ("claim", "proof"):
        words = [mp.task(kind, seed=1, number=number).answer for number in range(40)]
        assert 8 <= words.count("right") <= 32, kind


def test_what_cannot_be_made_is_refused() -> None:
    with pytest.raises(ValueError, match="kind must be one of safe, mines"):
        mp.task("safest")
    with pytest.raises(ValueError, match="technique and numbers are for other kinds"):
        mp.task("game", technique="partition")
    with pytest.raises(ValueError, match="numbers must be the least and the most, in this order"):
        mp.task("safe", numbers=(3, 2))
    with pytest.raises(BoardSyntaxError, match="at least one mine and one free cell"):
        mp.task("safe", level="3x3x9")
    with pytest.raises(BudgetExceeded, match="No position for this task among"):
        mp.task("safe", level="3x3x1", technique="contradiction", seed=1, budget=0.2)  # too small a board


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "riddle"}, "expected a task"),
        ({"schema": "mineproof/task/9"}, "expected a task"),
        ({"board.total_mines": None}, "expected the number of mines, got null"),
        ({"board.cells": ["#1#1"]}, "expected a board of 1 rows and 5 columns"),
        ({"board.topology": "hex"}, "expected a board of 1 rows and 5 columns on a grid"),
        ({"language": "xx"}, "expected a language of en, de"),
        (
            {"assertion": {"cell": [0, 0], "state": "mine"}},
            "expected an assertion in tasks of the kinds claim and proof",
        ),
    ],
)
def test_a_damaged_task_is_refused(change: dict[str, object], message: str) -> None:
    document: Any = on("safe").as_json()
    for path, value in change.items():
        part = document if path in ("kind", "schema") else document["metadata"]
        *above, key = path.split(".")
        for name in above:
            part = part[name]
        part[key] = value
    with pytest.raises(BoardSyntaxError, match=message):
        Task.from_json(json.dumps(document))


def test_an_assertion_must_be_about_the_board() -> None:
    for assertion, message in (
        (Assertion((0, 1), "mine"), "an assertion about a covered cell"),
        (Assertion((0, 0), "mine", ((0, 1),)), "the numbers of a proof in tasks of the kind proof"),
    ):
        with pytest.raises(BoardSyntaxError, match=message):
            on("claim", assertion=assertion).require_sound()
    with pytest.raises(BoardSyntaxError, match="open numbers in the proof"):
        on("proof", assertion=Assertion((0, 0), "mine", ((0, 2),))).require_sound()


def test_a_game_must_fit_its_mines() -> None:
    board = mp.Board.parse("#1#", total_mines=1)
    for layout in (mp.Layout(1, 3, frozenset([(0, 1)])), mp.Layout(1, 3, frozenset([(0, 0), (0, 2)]))):
        with pytest.raises(BoardSyntaxError, match="the layout does not fit the board"):
            on("game", board, layout=layout).require_sound()
    with pytest.raises(BoardSyntaxError, match="a layout of the size of the board"):
        on("game", board, layout=mp.Layout(2, 3, frozenset([(0, 0)]))).require_sound()


# verdicts


@pytest.mark.parametrize(
    ("kind", "answer", "outcome", "score", "luck", "text"),
    [
        ("safe", "[[0, 2]]", "right", 1, 1, "Right. The position proves it."),
        ("safe", "[]", "wrong", 0, 0, "(0,2) is missing."),
        ("safe", "[[0, 2], [0, 0]]", "wrong", Fraction(1, 2), 0, "(0,0) is certainly a mine."),
        ("mines", "[[0, 0], [0, 4]]", "right", 1, 1, "Right. The position proves it."),
        ("mines", "[[0, 0]]", "partial", Fraction(1, 2), 1, "(0,4) is missing."),
        ("mines", "[[0, 0], [0, 1]]", "wrong", Fraction(1, 3), 0, "(0,1) is not a covered cell."),
        ("safe-cell", "[0, 2]", "right", 1, 1, "Right. The position proves it."),
        ("safe-cell", "[0, 4]", "wrong", 0, 0, "(0,4) is certainly a mine."),
        ("safe-cell", "[7, 4]", "wrong", 0, 0, "(7,4) is not on the board."),
        ("safe-cell", "well", "unreadable", 0, 0, "The text has no answer that can be read."),
        ("safe-cell", "[]", "unreadable", 0, 0, "The text has no answer that can be read."),
    ],
)
def test_verdicts_on_cells(kind: str, answer: str, outcome: str, score: Fraction, luck: Fraction, text: str) -> None:
    verdict = mp.judge(on(kind), answer)
    assert (verdict.outcome, verdict.score, verdict.luck, verdict.text) == (outcome, score, luck, text)


def test_luck_is_the_share_of_layouts_that_agree() -> None:
    board = mp.Board.parse("##/1#", total_mines=1)
    alone, both = mp.judge(on("safe-cell", board), (0, 0)), mp.judge(on("safe", board), [(0, 0), (0, 1)])
    assert rewards(alone) == ("lucky", 0, Fraction(2, 3))
    assert rewards(both) == ("lucky", 0, Fraction(1, 3))
    assert alone.text == "(0,0) is not certain: its chance of a mine is 33.3 %."
    assert mp.judge(on("mines", board), [(0, 0), (0, 1)]).luck == 0


def test_the_best_move_scores_its_share_of_the_best_chance() -> None:
    task = on("best-move", mp.Board.parse("#####/123##/###3#", total_mines=6))
    values = mp.optimal_moves(task.board)
    best, other = next(iter(values)), list(values)[-1]
    assert mp.judge(task, [best]).right
    worse = mp.judge(task, [other])
    assert (worse.score, worse.luck) == (values[other] / values[best], 1 - mp.analyze(task.board).exact(*other))


@pytest.mark.parametrize(
    ("state", "because", "uses_total", "holds"),
    [
        ("safe", None, True, True),
        ("mine", None, True, False),
        ("safe", ((0, 1), (0, 3)), True, True),
        (
            "safe",
            ((0, 1),),
            True,
            True,
        ),  # (0,4) must be the other mine
        ("safe", ((0, 1),), False, False),
        ("undecided", ((0, 1),), False, True),
    ],
)
def test_statements_are_decided_by_counting(state: str, because: object, uses_total: bool, holds: bool) -> None:
    assertion = Assertion((0, 2), state, because, uses_total)  # type: ignore[arg-type]
    truth = mp.analyze(SURE if because is None else SURE.only(map(SURE.index, because), total=uses_total))  # type: ignore[call-overload]
    certain = "safe" if (0, 2) in truth.safe else "mine" if (0, 2) in truth.mines else "undecided"
    assert assertion.holds(SURE) is (certain == state)
    if because is None or not uses_total or len(because) == 2:  # type: ignore[arg-type]
        assert assertion.holds(SURE) is holds
    task = on("claim" if because is None else "proof", assertion=assertion)
    assert mp.judge(task, "right").right is assertion.holds(SURE)
    assert mp.judge(task, "wrong").right is not assertion.holds(SURE)


def test_judge_still_judges_a_reveal() -> None:
    assert mp.judge(mp.Board.parse("11/##", total_mines=1), [(1, 0)]).forced
    with pytest.raises(TypeError, match="task must be a Task"):
        mp.judge("safe", "[]")  # type: ignore[call-overload]


def test_sums_of_verdicts() -> None:
    verdicts = [mp.judge(on(kind), answer) for kind, answer in (("safe", "[[0, 2]]"), ("safe", "?"), ("mines", "[]"))]
    sums = sum_verdicts(verdicts)
    assert list(sums) == ["safe", "mines"]
    assert (sums["safe"].tasks, sums["safe"].outcomes["unreadable"], sums["safe"].mean_score) == (2, 1, 0.5)


# games


def test_a_prover_wins_a_game_turn_by_turn() -> None:
    game = TextGame(mp.task("game", level="beginner", seed=2))
    text = game.observe()
    while not game.is_over:
        assert "Which cells do you open next?" in text
        text = game.reply(json.dumps(sorted(mp.analyze(game.board).safe)))
    verdict = game_verdict(game)
    assert game.is_won
    assert text == "You won: all safe cells are open."
    assert rewards(verdict) == ("right", 1, 1)


def test_a_game_that_luck_wins_scores_less() -> None:
    task = mp.task("game", level="beginner", seed=2)
    assert task.layout is not None
    safe = [cell for cell in task.layout.cells() if cell not in task.layout.mines]
    verdict = mp.judge(task, safe[::-1])  # every safe cell, whatever the numbers
    assert verdict.luck == 1
    assert 0 <= verdict.score < 1
    assert verdict.outcome in ("partial", "lucky")
    assert "needless guess" in verdict.text


def test_a_mine_ends_a_game() -> None:
    task = mp.task("game", level="beginner", seed=2)
    assert task.layout is not None
    mine, game = min(task.layout.mines), TextGame(task)
    assert game.reply([mine]) == "The game is over: you did not win."
    verdict = game_verdict(game)
    assert (game.is_over, game.exploded) == (True, mine)
    assert rewards(verdict)[::2] == ("wrong", 0)
    assert game.reply("(0,0)") == "The game is over: you did not win."
    assert game.turns == 1


def test_no_game_is_won_before_it_begins() -> None:
    for number in range(12):
        task = mp.task("game", level="5x5x1", seed=3, number=number)
        assert mp.judge(task, task.answer).right
    with pytest.raises(BudgetExceeded):
        mp.task("game", level="1x2x1", seed=1, budget=0.05)


def test_cells_named_after_the_win_change_nothing() -> None:
    task = mp.task("game", level="5x5x3", seed=1)
    assert task.layout is not None
    verdict = mp.judge(task, [*json.loads(task.answer), *map(list, task.layout.mines)])
    assert (verdict.outcome, verdict.luck) == ("right", Fraction(1))


def test_a_game_without_a_move_is_wrong() -> None:
    task = mp.task("game", level="5x5x3", seed=1)
    verdict = mp.judge(task, [(2, 2)])  # this cell is open already
    assert (verdict.outcome, verdict.text) == ("wrong", "No move opened a cell.")


def test_answers_without_a_cell_end_a_game() -> None:
    game = TextGame(mp.task("game", level="beginner", seed=2))
    for _ in range(MAX_UNREADABLE - 1):
        assert "names no covered cell" in game.reply("let me think")
    before = game.is_over
    game.reply("[[99, 99]]")
    assert (before, game.is_over) == (False, True)
    assert game_verdict(game).score == 0


def test_the_prompt_of_a_game_shows_no_mines() -> None:
    task = mp.task("game", level="beginner", seed=2)
    assert "*" not in task.prompt
    assert "Layout" not in repr(task)


def test_judge_keeps_the_keywords_of_a_reveal() -> None:
    board = mp.Board.parse("11/##", total_mines=1)
    forced = mp.Judgement(forced=True, may_be_free=True, may_be_mine=True)
    assert mp.judge(board, [(1, 0)]) == mp.judge(board=board, cells=[(1, 0)]) == forced
