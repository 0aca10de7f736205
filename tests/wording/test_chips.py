"""Chips: the tokens by which texts for the page name cells, so that the page can light them up."""

import re

import pytest

import mineproof as mp
from mineproof.wording.catalogue import languages, use_language
from mineproof.wording.cells import use_cell_labels
from mineproof.wording.clauses import Clause

CHIP = re.compile(r"⟦(\w+)\|(\d+,\d+(?:;\d+,\d+)*)⟧")
LABEL = re.compile(r"\(\d+,\d+\)|\b[A-Z]\d+\b")
POSITIONS = {
    "1-2-1": ("###/121", None),
    "mine count": ("1###/2###/F2##", 3),
    "guess": ("#####/123##/###3#", 6),
    "wrong flag": ("0112F/01F3#/02#4F/01#21/01110", None),
}


def places(text: str) -> set[tuple[str, tuple[int, int]]]:
    """The role and the cell of each place in the chips of a text."""
    found = set()
    for role, cells in CHIP.findall(text):
        for cell in cells.split(";"):
            row, column = map(int, cell.split(","))
            found.add((role, (row, column)))
    return found


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("position", POSITIONS)
def test_every_cell_of_a_hint_is_a_chip(position: str, language: str) -> None:
    text, total = POSITIONS[position]
    board = mp.Board.parse(text, total_mines=total)
    with use_language(language), use_cell_labels("chips"):
        levels = mp.hint(board).levels
    for level in levels:
        assert not LABEL.search(CHIP.sub("", level)), level
    assert CHIP.search(levels[-1])


def test_chips_name_what_the_argument_is_about() -> None:
    board = mp.Board.parse("#####/12321/00000")
    hint = mp.hint(board)
    assert hint.deduction is not None
    with use_cell_labels("chips"):
        text = hint.text
    clauses: list[Clause] = list(hint.deduction.argument.walk())
    numbers = {(str(number.value), number.cell) for clause in clauses for number in clause.numbers}
    cells = {cell for clause in clauses for cell in clause.cells}
    assert numbers <= places(text)
    assert {cell for role, cell in places(text) if not role.isdigit()} == cells
    assert {cell for role, cell in places(text) if role == "mine"} == hint.mines


def test_what_is_supposed_is_no_conclusion() -> None:
    board = mp.Board.parse("#####/12321/00000")
    deductions = mp.deduce(board)
    with use_cell_labels("chips"):
        for step in deductions:
            decided = {cell for role, cell in places(step.text) if role in ("safe", "mine")}
            assert step.safe | step.mines <= decided


def test_a_guess_has_cells_to_compare_from_level_2() -> None:
    board = mp.Board.parse("#####/123##/###3#", total_mines=6)
    hint = mp.hint(board)
    assert hint.as_json(1)["candidates"] is None
    assert hint.cell in hint.candidates
    assert hint.safest in hint.candidates
    assert hint.as_json(2)["candidates"] == sorted(map(list, hint.candidates))
    assert hint.near is not None
    assert board[hint.near] > 0


def test_a_guess_without_a_number_near_has_candidates_too() -> None:
    board = mp.Board.parse("/".join(4 * [5 * "#"]), total_mines=4)
    hint = mp.hint(board)
    assert (hint.near, len(hint.candidates)) == (None, 4)


def test_a_step_has_nothing_to_compare() -> None:
    assert mp.hint(mp.Board.parse("1#/11")).as_json()["candidates"] is None
