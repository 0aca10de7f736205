"""New boards of variants: one solution, no guess with a certificate, and what is refused."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import mineproof as mp


@pytest.mark.parametrize("rules", ["classic", "liar", "wall", "negation", "capped:3", "quad", "balance", "dual"])
def test_puzzles_have_one_solution(rules: str) -> None:
    puzzle = mp.generate_variant(4, 4, 4, rules, unique=True, seed=3)
    assert puzzle.board.analyze().layouts == 1
    [mines] = mp.enumerate_layouts(puzzle.board)
    assert mines == set(puzzle.solution.cells("mine"))
    assert mp.generate_variant(4, 4, 4, rules, unique=True, seed=3) == puzzle
    for cell in puzzle.board.cells("open"):
        hidden = puzzle.board.suppose(free={cell: puzzle.board[cell]._replace(state="covered", clues=())})
        assert hidden.analyze().layouts > 1, "every clue is needed"


@pytest.mark.parametrize(
    ("rules", "topology", "size"),
    [
        ("liar", "grid", (5, 5, 5)),
        ("quad", "grid", (4, 4, 5)),
        ("wall", "hex", (5, 5, 5)),
        ("classic", "sphere", (4, 5, 2)),
    ],
)
def test_boards_without_guessing(rules: str, topology: Any, size: tuple[int, int, int]) -> None:
    made = mp.generate_variant(*size, rules, topology=topology, no_guess=True, seed=1)
    assert made.start is not None
    mp.verify_variant(made.certificate_json())
    assert mp.check_variant(made.solution, made.start).no_guess
    wrong = copy.deepcopy(made.certificate_json())
    if wrong["steps"]:
        wrong["steps"][-1]["because"] = []
        wrong["steps"][-1]["rules"] = []
        with pytest.raises(mp.CertificateError):
            mp.verify_variant(wrong)


def test_a_layout_that_needs_a_guess() -> None:
    result = mp.check_variant(mp.VariantBoard.parse("2x2x1 classic/1 F/1 1"), (0, 0))
    assert not result.no_guess
    assert str(result.board) == "2x2x1 classic\n1 #\n# #"


def test_layouts_obey_rules_that_judge() -> None:
    made = mp.generate_variant(4, 4, 4, "snake", seed=5)
    area = made.solution.variant.area(made.solution.position)
    assert made.solution.variant.shapes[0].allows(area, frozenset(made.solution.cells("mine")))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mp.generate_variant(3, 3, 9, "liar", start=(0, 0)), "No layout has 9 mines"),
        (lambda: mp.generate_variant(4, 4, 2, "quad"), "No layout fits: the board has 2 mines, but"),
        (lambda: mp.generate_variant(4, 4, 2, "mines:2"), "one mine in a cell"),
        (lambda: mp.generate_variant(4, 4, 2, "quad", topology="hex"), "quad is for the shapes"),
        (lambda: mp.generate_variant(4, 4, 2, "liar", no_guess=True, unique=True), "exclude each other"),
        (lambda: mp.check_variant(mp.Board.parse("1#", rules="liar"), (0, 0)), "no covered cells"),
    ],
)
def test_what_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
