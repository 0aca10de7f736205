"""Boards of variants wherever a board is accepted: the functions of the library, and what they refuse by name."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

import mineproof as mp
from mineproof.variants.variant_board import names_rules
from mineproof.wording.catalogue import languages

LIAR = mp.Board.parse("1##/##0", rules="liar", total_mines=2)


def test_text_and_json() -> None:
    board = mp.VariantBoard.parse("4x1x? triangles liar,no-touching\n1 # ~ #3")
    assert (board.rows, board.columns, board.total_mines, board.topology) == (1, 4, None, "triangles")
    assert mp.VariantBoard.parse(str(board)) == board
    assert mp.VariantBoard.parse(json.dumps(board.as_json())) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert repr(board) == "VariantBoard.parse('1 # ~ #3', 'liar,no-touching', topology='triangles')"
    assert eval(repr(board), vars(mp)) == board


@pytest.mark.parametrize("kind", ["grid", "torus"])
@pytest.mark.parametrize("rules", ["cross", "knight", "liar"])
def test_rules_with_the_name_of_a_shape(rules: str, kind: Any) -> None:
    board = mp.Board.parse("1#/##", rules=rules, shape=kind)
    assert mp.VariantBoard.parse(str(board)) == board
    assert names_rules(str(board))
    assert not names_rules(f"2x2x? {'hex' if rules == 'liar' else rules}\n1#\n##"), "a plain board of that shape"


def test_a_board_of_one_column() -> None:
    board = mp.Board.parse("(12)/#/(1|3)", rules="classic")
    assert str(board) == "1x3x? classic\n(12)\n#\n(1|3)"
    assert mp.VariantBoard.parse(str(board)) == board


def test_questions_of_the_library() -> None:
    assert mp.analyze(LIAR).layouts == 2
    assert [step.technique for step in mp.deduce(LIAR)] == ["total", "pair"]
    assert mp.deduce(LIAR, upto="clue") == []
    assert sorted(map(sorted, mp.enumerate_layouts(LIAR))) == [[(0, 1), (1, 0)], [(1, 0), (1, 1)]]
    assert set(mp.sample_layouts(LIAR, 50)) == set(mp.enumerate_layouts(LIAR))


def test_hints_in_four_levels() -> None:
    hint = mp.hint(LIAR)
    assert hint.level(1) == "Look at the 0 at (1,2)."
    assert hint.level(2).startswith("This is enough: the 0 at (1,2) and the number of mines.")
    assert hint.level(3) == "(1,0) is a mine."
    assert str(hint).endswith("So (1,0) is a mine.")
    assert mp.hint(LIAR, prefer="safe").safe == {(0, 2)}
    assert hint.as_json(2)["mines"] is None
    assert hint.as_json()["mines"] == [[1, 0]]
    assert all(hint.text_in(language) for language in languages())


def test_hints_without_a_certain_cell() -> None:
    guess = mp.hint(mp.Board.parse("1#/##", rules="liar", total_mines=2))
    assert (guess.kind, guess.cell, guess.mine_fraction) == ("guess", (0, 1), Fraction(2, 3))
    assert "66.7 %" in guess.text
    assert mp.hint(mp.Board.parse("1#/##", rules="liar")).text == "No cell is certain."
    assert mp.hint(mp.Board.parse("0F", rules="liar")).kind == "done"


@pytest.mark.parametrize(("text", "mines"), [("#####/123##/###3#", 6), ("1##/###", 2), ("2###/####", 3)])
def test_optimal_play_of_a_classic_board(text: str, mines: int) -> None:
    move = mp.best_move(mp.Board.parse(text, rules="classic", total_mines=mines))
    assert move.win_fraction == mp.win_probability(mp.Board.parse(text, total_mines=mines))


def test_the_best_move_of_a_liar_board_is_the_safest() -> None:
    move = mp.best_move(mp.Board.parse("1#/##", rules="liar", total_mines=2))
    assert (move.cell, move.mine_fraction, move.win_fraction) == ((0, 1), Fraction(2, 3), None)
    assert move.as_json()["exact"] is False


def test_layouts_of_rules_that_judge() -> None:
    board = mp.Board.parse("F##/###", rules="snake", total_mines=3)
    listed = list(mp.enumerate_layouts(board))
    assert len(listed) == mp.analyze(board).layouts
    assert set(mp.sample_layouts(board, 60, seed=3)) == set(listed)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: mp.analyze(LIAR, flags="ignore"), "flags is for plain boards"),
        (lambda: mp.hint(LIAR, fair=True), "fair is for plain boards"),
        (lambda: mp.best_move(LIAR, exact=True), "exact is for plain boards"),
        (lambda: mp.best_move(mp.Board.parse("1#", rules="liar")), "needs the number of mines"),
        (lambda: mp.Board.parse("1#", rules="quad", topology="hex"), "quad is for the shapes grid, torus"),
        (lambda: mp.Board.parse("1#", rules="wall", topology="cube"), "wall is for the shapes"),
        (lambda: mp.Board.parse("1#", rules="liar,wall"), "one rule for its clues, got liar and wall"),
        (lambda: mp.Board.parse("1#", rules="lair"), "rules must be some of classic"),
        (lambda: mp.Board.parse("2x1x1 wall/1#", rules="liar"), "the variant is"),
        (lambda: mp.VariantBoard.parse("3x1x1 liar/1#"), "the first line says 3 × 1"),
        (lambda: mp.Board.parse("2x1x3/1#", rules="liar"), "expected 0 to 2 mines"),
        (lambda: list(mp.enumerate_layouts(mp.Board.parse("1#", rules="mines:2"))), "one mine in a cell"),
    ],
)
def test_what_is_refused(ask: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ask()


def test_pictures() -> None:
    picture = mp.draw(LIAR, odds=True)
    assert picture.title == "Minesweeper, 3 × 2, 2 mines, liar: odds"
    assert ">0</text>" in picture.svg, "a 0 is a clue like others here"
    assert "So (1,0) is a mine." in mp.draw(mp.hint(LIAR)).svg
    assert "1+4" in mp.draw(mp.Board.parse("# 1+4 #/# # #", rules="wall", topology="triangles")).svg
    for result in (mp.analyze(LIAR), mp.hint(LIAR), mp.best_move(LIAR), mp.deduce(LIAR)[0], LIAR):
        assert mp.draw(result).svg.startswith("<svg")
    assert str(mp.draw(mp.hint(LIAR)).__rich__()).startswith(" 1   #   #\n M   #  [0]\n\nThe board has 2 mines.")
