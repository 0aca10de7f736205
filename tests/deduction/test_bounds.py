"""`bounds`: Minedetector's examples, the fixed point of its document, sound findings and their arguments."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.deduction.state import Finding, State, bits
from mineproof.deduction.techniques import bounds
from support.arguments import Outline, outline
from support.checks import Case, seed_board
from support.effort import examples
from support.engines import KERNEL
from support.oracle import Cell, Truth, brute_force
from support.positions import flood, random_reveal, small

CASES = json.loads((Path(__file__).parents[1] / "golden/seed_cases.json").read_text(encoding="utf-8"))
UNSOLVED = "++4-2/--++-/+6--3/++22+"

Table = dict[frozenset[Cell], tuple[int, int]]


def state_of(board: Board) -> State:
    return State(board, Budget(), KERNEL)


def outlines(board: str) -> list[list[Outline]]:
    return [outline(finding.argument) for finding in bounds.find(state_of(Board.parse(board)))]


def cells_of(board: Board, found: int) -> set[Cell]:
    return set(map(board.cell, bits(found)))


def decided(board: Board, findings: list[Finding]) -> tuple[set[Cell], set[Cell]]:
    """Safe cells and mines of all findings."""
    safe, mines = 0, 0
    for finding in findings:
        safe, mines = safe | finding.safe, mines | finding.mines
    return cells_of(board, safe), cells_of(board, mines)


def small_boards(seed: str, count: int) -> Iterator[Board]:
    rng = random.Random(seed)
    for _ in range(count):
        yield small(rng, most_covered=11).board
        yield flood(rng, 4, 5, rng.randint(2, 6), 0.5).board


# what Minedetector's document says


def test_the_board_minedetector_cannot_solve() -> None:
    board = Board.parse(UNSOLVED)
    case = next(case for case in CASES if case["id"] == "md-unsolvable-by-bounds")
    expected = [
        bounds.Bounds(
            tuple(map(tuple, set_bounds_interval["cells"])), set_bounds_interval["min"], set_bounds_interval["max"]
        )
        for set_bounds_interval in case["set_bounds_intervals"]
    ]
    assert bounds.bounds_table(board) == expected
    assert list(bounds.find(state_of(board))) == []


@pytest.mark.parametrize("case", [case for case in CASES if "set_bounds" in case], ids=lambda case: str(case["id"]))
def test_seed_case(case: Case) -> None:
    board = seed_board(case, case["mines"])
    expected = (
        {tuple(cell) for cell in case["set_bounds"]["safe"]},
        {tuple(cell) for cell in case["set_bounds"]["mines"]},
    )
    assert decided(board, list(bounds.find(state_of(board)))) == expected
    assert decided(board, one_at_a_time(board)) == expected


def one_at_a_time(board: Board) -> list[Finding]:
    """The first finding, then the first with its cells known, and so on."""
    state = state_of(board)
    findings = []
    while finding := next(bounds.find(state), None):
        assert not (finding.safe | finding.mines) & ~state.unknown
        findings.append(finding)
        state.learn(finding.safe, finding.mines, state.proof_of(finding))
    return findings


def minedetector(board: Board) -> Table | None:
    """Every set held against every other, exactly as the document has it; None where bounds cross."""
    table: Table = {}
    truth = brute_force(board)
    flags = set(board.cells(-2))
    for row in range(board.rows):
        for column in range(board.columns):
            around = set(board.neighbours((row, column)))
            cells = frozenset(around & set(truth.covered))
            need = board[row, column] - len(around & flags)
            if board[row, column] >= 0 and cells and not improved(table, cells, need, need):
                return None
    changed = True
    while changed:
        before = dict(table)
        for n, m in permutations(before, 2):
            if n & m and n - m and not improved(table, n - m, *difference(n, table[n], m, table[m])):
                return None
        changed = table != before
    return table


def difference(n: frozenset[Cell], of_n: tuple[int, int], m: frozenset[Cell], of_m: tuple[int, int]) -> tuple[int, int]:
    common = len(n & m)
    least = max(0, of_n[0] - len(n - m), of_m[0] - len(m - n))
    most = min(common, of_n[1], of_m[1])
    return max(0, of_n[0] - most), min(len(n - m), of_n[1] - least)


def improved(table: Table, cells: frozenset[Cell], least: int, most: int) -> bool:
    known = table.get(cells, (0, len(cells)))
    table[cells] = max(least, known[0]), min(most, known[1])
    return table[cells][0] <= table[cells][1]


@pytest.mark.slow
def test_it_ends_with_minedetectors_sets_and_bounds() -> None:
    compared = 0
    for board in small_boards("fixed point", 120):
        expected = minedetector(board)
        if expected is not None:
            table = bounds.bounds_table(board)
            assert {frozenset(item.cells): (item.least, item.most) for item in table} == expected
            compared += bool(table)
    assert compared > 150


def test_flags_can_be_ignored() -> None:
    board = Board.parse("F1#")
    assert bounds.bounds_table(board) == [bounds.Bounds(((0, 2),), 0, 0)]
    assert bounds.bounds_table(board, flags="ignore") == [bounds.Bounds(((0, 0), (0, 2)), 1, 1)]
    with pytest.raises(ValueError, match="got 'trusted'"):
        bounds.bounds_table(board, flags="trusted")  # type: ignore[arg-type]


# sound, and proved by the numbers it names


@pytest.mark.slow
def test_numbers_named_suffice_and_bounds_hold() -> None:
    count = 0
    for board in small_boards("sound", examples(700)):
        loose = board.replace({}, total_mines=None)
        for finding in bounds.find(state_of(board)):
            truth = brute_force(loose, numbers=cells_of(board, sum(1 << number for number in finding.numbers)))
            assert not truth.consistent or cells_of(board, finding.safe) <= truth.safe
            assert not truth.consistent or cells_of(board, finding.mines) <= truth.mines
            count += 1
        check_table(loose)
    assert count > examples(3000)


def check_table(board: Board) -> None:
    truth = brute_force(board)
    if truth.consistent:
        for item in bounds.bounds_table(board):
            mines = mines_among(truth, item.cells)
            assert item.least <= min(mines)
            assert max(mines) <= item.most


def mines_among(truth: Truth, cells: tuple[Cell, ...]) -> set[int]:
    among = sum(1 << bit for bit, cell in enumerate(truth.covered) if cell in cells)
    return {(mask & among).bit_count() for mask in truth.masks.tolist()}


def test_large_boards_are_sound() -> None:
    rng = random.Random("large")
    for share in (0.3, 0.5, 0.7):
        position = random_reveal(rng, 16, 30, 99, share)
        safe, mines = decided(position.board, list(bounds.find(state_of(position.board))))
        assert safe <= position.ground.safe
        assert mines <= position.ground.mines


@pytest.mark.parametrize("board", ["0#1/###", "3#/##/11", "1#1/111/###", "#3#", "5F/F#", "0F#", "1#2"])
def test_contradictions_are_survived(board: str) -> None:
    list(bounds.find(state_of(Board.parse(board))))
    bounds.bounds_table(Board.parse(board))


def test_a_component_too_large_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.parse("0####11211/##########")
    assert len(list(bounds.find(state_of(board)))) > 1
    monkeypatch.setattr(bounds, "MAX_SPLITS", 10)
    assert [cells_of(board, finding.safe) for finding in bounds.find(state_of(board))] == [{(0, 1), (1, 0), (1, 1)}]
    assert len(bounds.bounds_table(board)) == 1


# the fewest numbers first, with an argument


def test_fewest_numbers_first_then_safe_cells() -> None:
    rng = random.Random("order")
    for _ in range(5):
        board = random_reveal(rng, 9, 9, 12, 0.6).board
        findings = list(bounds.find(state_of(board)))
        assert [len(each.numbers) for each in findings] == sorted(len(each.numbers) for each in findings)
    assert [bool(finding.safe) for finding in bounds.find(state_of(Board.parse("###/121")))] == [False, False, True]


def test_one_number() -> None:
    assert outlines("0#") == [[("needs", [(0, 0)], [(0, 1)], 0), ("so-safe", [], [(0, 1)], None)]]
    assert outlines("F1#") == [[("needs", [(0, 1)], [(0, 2)], 0), ("so-safe", [], [(0, 2)], None)]]
    both = [(0, 0), (0, 2)]
    assert outlines("#2#") == [[("needs", [(0, 1)], both, 2), ("so-mines", [], both, None)]]


def test_two_numbers() -> None:
    assert outlines("F33F/###F") == [
        [
            ("needs", [(0, 1)], [(1, 0), (1, 1), (1, 2)], 2),
            ("shares", [(0, 2)], [(1, 1), (1, 2)], 1),
            ("so-mines", [], [(1, 0)], None),
        ]
    ]
    assert outlines("11#/###")[:1] == [
        [
            ("needs", [(0, 1)], [(0, 2), (1, 0), (1, 1), (1, 2)], 1),
            ("needs", [(0, 0)], [(1, 0), (1, 1)], 1),
            ("so-safe", [], [(0, 2), (1, 2)], None),
        ]
    ]
    assert outlines("11211/#####")[0] == [
        ("needs", [(0, 1)], [(1, 0), (1, 1), (1, 2)], 1),
        ("other-cells", [(0, 2)], [(1, 1), (1, 2)], 1),
        ("at-least", [], [(1, 1), (1, 2)], 1),
        ("so-safe", [], [(1, 0)], None),
    ]


def test_a_chain_is_argued_step_by_step() -> None:
    assert outlines("###/121")[2] == [
        ("needs", [(1, 1)], [(0, 0), (0, 1), (0, 2)], 2),
        ("shares", [(1, 0)], [(0, 0), (0, 1)], 1),
        ("so-mines", [], [(0, 2)], None),
        ("again", [(1, 1)], [], None),
        ("shares", [(1, 2)], [(0, 1), (0, 2)], 1),
        ("so-mines", [], [(0, 0)], None),
        ("again", [(1, 1)], [], None),
        ("is-mines", [], [(0, 2)], None),
        ("is-mines", [], [(0, 0)], None),
        ("so-safe", [], [(0, 1)], None),
    ]


def test_a_long_chain_is_summarised() -> None:
    assert outlines("#1#1#1#1#1#1#0")[-1] == [
        ("together-mines", [(0, 3), (0, 5), (0, 7), (0, 9), (0, 11), (0, 13)], [(0, 2)], None),
        ("needs", [(0, 1)], [(0, 0), (0, 2)], 1),
        ("is-mines", [], [(0, 2)], None),
        ("so-safe", [], [(0, 0)], None),
    ]
    assert [
        ("together-at-least", [(0, 2), (1, 3), (1, 4), (2, 5)], [(0, 1), (1, 1)], 1),
        ("needs", [(0, 0)], [(0, 1), (1, 0), (1, 1)], 1),
        ("at-least", [], [(0, 1), (1, 1)], 1),
        ("so-safe", [], [(1, 0)], None),
    ] in outlines("1#1#2#/###13#/111##2")


@pytest.mark.slow
def test_a_chain_may_be_longer_than_the_stack() -> None:
    assert len(outlines("#1" * 1100 + "#0")) == 1101
