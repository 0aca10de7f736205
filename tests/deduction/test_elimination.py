"""`elimination`: the Go simulator's matrix, its row rule, sound findings and their arguments."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.deduction.state import Finding, State, bits
from mineproof.deduction.techniques import elimination
from support.arguments import Outline, outline
from support.checks import seed_board
from support.effort import examples
from support.engines import KERNEL
from support.oracle import COVERED, FLAGGED, Cell, brute_force
from support.positions import flood, random_reveal, small

CASES = {
    case["id"]: case for case in json.loads((Path(__file__).parents[1] / "golden/seed_cases.json").read_text("utf-8"))
}


def state_of(board: Board) -> State:
    return State(board, Budget(), KERNEL)


def outlines(board: str) -> list[list[Outline]]:
    return [outline(finding.argument) for finding in elimination.find(state_of(Board.parse(board)))]


def row(added: dict[Cell, int], cells: dict[Cell, int], total: int) -> list[Outline]:
    """The clauses of an argument up to its conclusion: how often each number is added, and what is left."""
    numbers: list[Outline] = [
        ("add" if times > 0 else "subtract", [cell], [], abs(times)) for cell, times in added.items()
    ]
    terms: list[Outline] = [("term", [], [cell], times) for cell, times in cells.items()]
    return [("combine", [], [], None), *numbers, ("leaves-equation", [], [], total), *terms]


def cells_of(board: Board, found: int) -> set[Cell]:
    return set(map(board.cell, bits(found)))


def small_boards(seed: str, count: int) -> Iterator[Board]:
    rng = random.Random(seed)
    for _ in range(count):
        yield small(rng, most_covered=11).board
        yield flood(rng, 4, 5, rng.randint(2, 6), 0.5).board


# the matrix


def test_the_matrix_of_the_go_simulator() -> None:
    case = CASES["go-readme"]
    matrix = elimination.matrix(seed_board(case, case["mines"]))
    assert matrix.columns == tuple(map(tuple, case["rref_columns"]))
    assert matrix.rows == tuple(map(tuple, case["rref"]))
    assert str(matrix) == "1 1 0 0 0 = 1\n0 0 1 1 0 = 1\n0 0 0 0 1 = 0"


def test_a_matrix_with_fractions_is_aligned() -> None:
    assert str(elimination.matrix(Board.parse("#121/2###/#2##"))).splitlines() == [
        "1 0 0 0 0 -1/2 = 0",
        "0 1 0 0 0    0 = 1",
        "0 0 1 0 0  1/2 = 0",
        "0 0 0 1 0 -1/2 = 1",
        "0 0 0 0 1  1/2 = 1",
    ]
    assert str(elimination.matrix(Board.parse("###"))) == ""


def textbook(board: Board) -> elimination.Matrix:
    """Gauss and Jordan, with a fraction in every place."""
    places = [(row, column) for row in range(board.rows) for column in range(board.columns)]
    columns = [cell for cell in board.cells(COVERED) if any(board[other] >= 0 for other in board.neighbours(cell))]
    rows = []
    for number in (cell for cell in places if board[cell] >= 0):
        around = board.neighbours(number)
        need = board[number] - sum(board[other] == FLAGGED for other in around)
        rows.append([*(Fraction(cell in around) for cell in columns), Fraction(need)])
    rows = [row for row in rows if any(row[:-1])]
    done = 0
    for column in range(len(columns)):
        pivot = next((row for row in rows[done:] if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        pivot = [entry / pivot[column] for entry in pivot]
        rows = [[a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in rows]
        rows.insert(done, pivot)
        done += 1
    impossible = [(*row[:-1], Fraction(1)) for row in rows[done:] if row[-1]]
    return elimination.Matrix(tuple(columns), (*map(tuple, rows[:done]), *impossible[:1]))


@pytest.mark.slow
def test_the_matrix_equals_the_textbook() -> None:
    rng = random.Random("large")
    for board in small_boards("matrix", 100):
        assert elimination.matrix(board) == textbook(board)
    for share in (0.3, 0.5, 0.7):
        board = random_reveal(rng, 9, 9, 15, share).board
        assert elimination.matrix(board) == textbook(board)


def test_flags_can_be_ignored() -> None:
    board = Board.parse("F1#")
    assert elimination.matrix(board) == elimination.Matrix(((0, 2),), ((Fraction(1), Fraction(0)),))
    assert elimination.matrix(board, flags="ignore").columns == ((0, 0), (0, 2))
    with pytest.raises(ValueError, match="got 'trusted'"):
        elimination.matrix(board, flags="trusted")  # type: ignore[arg-type]


# sound, and proved by the numbers it names


@pytest.mark.parametrize("name", ["go-readme", "go-readme-step2", "go-t-basic", "go-t-11", "go-t-12", "go-t-12corner"])
def test_it_solves_what_the_go_simulator_solves(name: str) -> None:
    board = seed_board(CASES[name], None)
    state = state_of(board)
    while finding := next(elimination.find(state), None):
        assert not (finding.safe | finding.mines) & ~state.unknown
        state.learn(finding.safe, finding.mines, state.proof_of(finding))
    truth = brute_force(board)
    assert (cells_of(board, state.safe), cells_of(board, state.mines)) == (truth.safe, truth.mines)


@pytest.mark.slow
def test_numbers_named_suffice() -> None:
    count = 0
    for board in small_boards("sound", examples(1000)):
        for finding in elimination.find(state_of(board)):
            check(board.replace({}, total_mines=None), finding)
            count += 1
    assert count > examples(3000)


def check(board: Board, finding: Finding) -> None:
    truth = brute_force(board, numbers=[board.cell(number) for number in finding.numbers])
    if truth.consistent:
        assert cells_of(board, finding.safe) <= truth.safe
        assert cells_of(board, finding.mines) <= truth.mines


def test_large_boards_are_sound() -> None:
    rng = random.Random("large")
    for share in (0.3, 0.5, 0.7, 0.9):
        position = random_reveal(rng, 16, 30, 99, share)
        for finding in elimination.find(state_of(position.board)):
            assert cells_of(position.board, finding.safe) <= position.ground.safe
            assert cells_of(position.board, finding.mines) <= position.ground.mines


@pytest.mark.parametrize("board", ["0#1/###", "3#/##/11", "1#1/111/###", "#3#", "5F/F#", "0F#", "1#2"])
def test_contradictions_are_survived(board: str) -> None:
    list(elimination.find(state_of(Board.parse(board))))
    elimination.matrix(Board.parse(board))


def test_numbers_that_differ_on_the_same_cells_are_seen() -> None:
    board = Board.parse("1#2")
    assert str(elimination.matrix(board)) == "1 = 1\n0 = 1"
    assert list(elimination.find(state_of(board))) == []


# the fewest numbers first, with an argument


def test_fewest_numbers_first() -> None:
    rng = random.Random("order")
    for _ in range(5):
        findings = list(elimination.find(state_of(random_reveal(rng, 9, 9, 12, 0.6).board)))
        assert [len(finding.numbers) for finding in findings] == sorted(len(finding.numbers) for finding in findings)


def test_arguments() -> None:
    assert outlines("0#") == [[*row({(0, 0): 1}, {(0, 1): 1}, 0), ("so-safe", [], [(0, 1)], None)]]
    assert outlines("01#/12#/###") == [
        [*row({(1, 1): 1, (0, 1): -1, (1, 0): -1}, {(2, 2): 1}, 0), ("so-safe", [], [(2, 2)], None)]
    ]
    assert outlines("F33F/###F") == [[*row({(0, 1): 1, (0, 2): -1}, {(1, 0): 1}, 1), ("so-mines", [], [(1, 0)], None)]]
    assert outlines("11211/#####")[0] == [
        *row({(0, 2): 1, (0, 3): -1}, {(1, 1): 1, (1, 4): -1}, 1),
        ("so-both", [], [], None),
        ("so-mines", [], [(1, 1)], None),
        ("so-safe", [], [(1, 4)], None),
    ]


def test_a_number_with_known_mines_has_what_it_needs() -> None:
    (finding,) = elimination.find(state_of(Board.parse("F33F/###F")))
    combined = finding.argument.parts[0]
    assert [(part.numbers[0].value, part.numbers[0].need) for part in combined.parts] == [(3, 2), (3, 1)]
    (finding,) = elimination.find(state_of(Board.parse("0#")))
    assert finding.argument.parts[0].parts[0].numbers[0].need is None


def test_numbers_and_cells_taken_more_than_once() -> None:
    assert outlines("##21#/12#21/#12#1")[-1] == [
        *row({(1, 1): 2, (0, 2): -1, (1, 0): -1, (2, 1): -1}, {(0, 0): 1}, 0),
        ("so-safe", [], [(0, 0)], None),
    ]
    double = [
        *row({(1, 4): 1, (3, 3): 1, (0, 4): -1, (3, 5): -1}, {(2, 3): 2}, 2),
        ("so-mines", [], [(2, 3)], None),
    ]
    assert double in outlines("####3#/###24#/##3#2#/#121#0")
