"""Answers to puzzles: right, wrong or harder than was asked, and why."""

import pickle

import pytest

import mineproof as mp
from mineproof.practice.answers import answer
from mineproof.practice.puzzles import TECHNIQUES
from mineproof.wording.catalogue import message

SOME = [("single-open", "expert"), ("single-flag", "expert"), ("partition", "expert"), ("bounds", "beginner")]


@pytest.mark.parametrize(("technique", "level"), SOME)
def test_every_cell_is_judged_as_the_engine_knows_it(technique: str, level: str) -> None:
    exercise = mp.puzzle(technique, level=level, seed=7)
    exact, board = mp.analyze(exercise.board), exercise.board
    wanted, other = (exact.mines, exact.safe) if exercise.kind == "flag" else (exact.safe, exact.mines)
    certain = sorted(wanted | other)
    undecided = [cell for cell in board.cells(mp.COVERED) if cell not in wanted | other][:5]
    for cell in certain + undecided:
        response = answer(exercise, cell)
        expected = "right" if cell in exercise.solution else "harder" if cell in wanted else "wrong"
        assert (response.verdict, response.right) == (expected, expected == "right"), cell
        assert response.mine_probability == exact.mine_probability[cell]
        assert bool(response.proof) is (cell in wanted | other)


@pytest.mark.parametrize(("technique", "level"), SOME)
def test_a_proof_proves_the_cell_from_its_numbers_alone(technique: str, level: str) -> None:
    exercise = mp.puzzle(technique, level=level, seed=3)
    for cell in sorted(exercise.solution):
        proof = answer(exercise, cell).proof
        last = proof[-1]
        assert cell in last.safe | last.mines
        allowed = TECHNIQUES[: TECHNIQUES.index(technique) + 1]
        assert {step.technique for step in proof} <= set(allowed)
        numbers = {number for step in proof for number in step.because}
        uses_total = any(step.uses_total for step in proof)
        alone = mp.analyze(exercise.board.only(map(exercise.board.index, numbers), total=uses_total))
        assert cell in (alone.mines if exercise.kind == "flag" else alone.safe)


def test_a_proof_that_builds_on_mines_tells_how_they_are_known() -> None:
    exercise = mp.puzzle("partition", level="beginner", seed=4)
    response = answer(exercise, (1, 0))
    assert response.proof[-1].technique == "single-open"
    assert any((1, 1) in step.mines for step in response.proof[:-1])
    assert {step.technique for step in response.proof} <= {"partition", "single-flag", "single-open"}
    assert response.text == " ".join(step.text for step in response.proof)


def label(name: str) -> str:
    return message(f"technique-{name}-label")


def test_words() -> None:
    exercise = mp.puzzle("bounds", level="beginner", seed=7)
    assert exercise.deduction is not None
    assert str(answer(exercise, (0, 4))) == exercise.deduction.text
    harder = answer(exercise, (0, 5))
    expected = message("puzzle-harder-safe", cell="(0,5)", technique=label("bounds"), harder=label("total"))
    assert harder.text == " ".join([expected, *(step.text for step in harder.proof)])
    other = mp.puzzle("partition", level="beginner", seed=4)
    odds = mp.analyze(other.board).mine_probability[0, 0]
    uncertain = answer(other, (0, 0))
    assert uncertain.text == message("puzzle-uncertain", cell="(0,0)", risk=f"{100 * odds:.1f} %")
    assert uncertain.text_in("de").startswith("(0,0) ist nicht sicher. ")
    wrong = answer(other, (1, 1))
    assert (wrong.verdict, wrong.text.partition(".")[0]) == ("wrong", "(1,1) is certainly a mine")
    assert pickle.loads(pickle.dumps(wrong)) == wrong


def test_a_guess_is_judged_by_what_it_wins() -> None:
    exercise = mp.puzzle("guess", level="intermediate", seed=1)
    worth = mp.optimal_moves(exercise.board)
    best = max(worth.values())
    for cell, value in worth.items():
        assert answer(exercise, cell).verdict == ("right" if value == best else "wrong")
    assert exercise.move is not None
    assert exercise.move.safest is not None
    safest = answer(exercise, exercise.move.safest.cell)
    assert safest.remark is not None
    assert safest.remark.key == "puzzle-safest"
    assert safest.text == f"{safest.remark.text} {exercise.move.text}"


def test_cells_that_cannot_be_answered() -> None:
    exercise = mp.puzzle("bounds", level="beginner", seed=7)
    with pytest.raises(mp.IllegalMoveError, match=r"^Cannot choose \(0,0\): it is open\."):
        answer(exercise, (0, 0))
    with pytest.raises(mp.IllegalMoveError, match=r"^Cannot choose \(2,3\): it is flagged"):
        answer(exercise, (2, 3))
    with pytest.raises(mp.OutsideError):
        answer(exercise, (9, 0))


def test_json_and_repr() -> None:
    response = answer(mp.puzzle("bounds", level="beginner", seed=7), (0, 4))
    assert repr(response) == "<Answer (0,4): right; bounds, beginner, seed 7>"
    shown = response.as_json()
    assert (shown["schema"], shown["cell"], shown["verdict"]) == ("mineproof/answer/1", [0, 4], "right")
    assert shown["proof"] == [step.as_json() for step in response.proof]
    assert shown["puzzle"] == response.puzzle.as_json()
