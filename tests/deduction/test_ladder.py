"""The ladder: the least effort first, and arguments that a reader can follow clause by clause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.deduction.ladder import LADDER, Effort, easiest, single_techniques, steps
from mineproof.deduction.state import Finding, Proof, State, bits
from mineproof.deduction.techniques import bounds, contradiction, elimination, exhaustive, partition, total
from mineproof.wording.arguments import render_argument
from mineproof.wording.clauses import CASE, Clause
from support.engines import KERNEL, needs_kernel

pytestmark = needs_kernel

SINGLE = single_techniques()

POSITIONS = Path(__file__).parents[1] / "golden" / "positions.txt"  # by benchmarks/hints.py --keep


def state_of(text: str, total_mines: int | None = None) -> State:
    return State(mp.Board.parse(text, total_mines=total_mines), Budget(), KERNEL)


def climb(board: mp.Board) -> Iterator[tuple[State, str, Finding]]:
    """Every step as its technique argues, with the state before it."""
    state = State(board, Budget(), KERNEL)
    found = True
    while found:
        found = False
        for name, finding in easiest(state, list(LADDER)):
            yield state, name, finding
            found = True
            state.learn(finding.safe, finding.mines, state.proof_of(finding))


@pytest.fixture(scope="module")
def boards() -> list[mp.Board]:
    lines = [line.split() for line in POSITIONS.read_text("utf-8").splitlines()]
    return [mp.Board.parse(rows, total_mines=int(total)) for total, rows in lines]


# the least effort


@pytest.mark.slow
def test_a_step_takes_no_more_numbers_than_another_technique_would(boards: list[mp.Board]) -> None:
    compared = 0
    for board in boards:
        for state, name, finding in climb(board):
            if name in SINGLE:
                continue
            taken = Effort.of(name, finding)
            for other in (other for other in LADDER if other not in SINGLE and taken.could_be_beaten_by(other)):
                if rival := next(iter(LADDER[other].find(state)), None):
                    compared += other != name
                    assert taken <= Effort.of(other, rival)
    assert compared > 50


@pytest.mark.slow
def test_a_short_contradiction_comes_before_a_long_elimination(boards: list[mp.Board]) -> None:
    """Both find something; by the order of the techniques it would be elimination, with more numbers."""
    results = [
        (len(longer.numbers), len(shorter.numbers))
        for board in boards
        for state, name, shorter in climb(board)
        if name == "contradiction" and (longer := next(elimination.find(state), None))
    ]
    assert (6, 4) in results
    assert all(many >= few for many, few in results)


@pytest.mark.slow
def test_safe_cells_come_before_mines_where_as_many_numbers_are_needed(boards: list[mp.Board]) -> None:
    assert Effort(2, False, 9, 5) < Effort(2, True, 1, 2)
    passed_over = 0
    for board in boards:
        state, _, taken = next(climb(board))
        rivals = [*partition.find(state), *bounds.find(state)]
        equal = [rival for rival in rivals if len(rival.numbers) == len(taken.numbers)]
        if any(rival.safe for rival in equal):
            assert taken.safe
            passed_over += any(not rival.safe for rival in equal)
    assert passed_over > 5


def test_fewer_numbers_come_before_safe_cells() -> None:
    assert Effort(2, True, 1, 2) < Effort(3, False, 1, 2)


def test_by_rung_a_technique_is_named_only_where_none_before_it_helps(boards: list[mp.Board]) -> None:
    rungs = list(LADDER)
    for board in boards[:10]:
        seen = board
        step = next(steps(seen, by_rung=True, engine=KERNEL), None)
        if step is None:
            continue
        rung = rungs.index(step.technique)
        if rung:
            assert not mp.deduce(seen, upto=rungs[rung - 1], engine=KERNEL)


# arguments


def kinds(argument: Clause) -> list[str]:
    return [clause.kind for clause in argument.parts]


@pytest.mark.slow
def test_a_number_needs_more_only_if_some_of_its_mines_are_known(boards: list[mp.Board]) -> None:
    counts: Counter[str] = Counter()
    for board in boards:
        for state, _, finding in climb(board):
            for clause in finding.argument.walk():
                if clause.kind != "needs" or not clause.count:
                    continue
                (number,) = clause.numbers
                known = len(state.known_mines_around(state.board.index(number.cell)))
                assert clause.count == number.value - known
                more = " more mine" in render_argument(clause)
                assert more == bool(known)
                counts["more" if more else "all"] += 1
    assert min(counts["more"], counts["all"]) > 50, counts


# Kinds of clauses of which an argument by the technique has at least one, and always the first.
MARKS = {
    "single-open": {"has-mines", "needs"},
    "single-flag": {"only-cells"},
    "partition": {"needs", "together-leave"},
    "bounds": {"shares", "other-cells", "at-least", "at-most", "is-safe", "is-mines", "needs"},
    "elimination": {"leaves-equation"},
    "contradiction": {"suppose-mine", "suppose-safe"},
    "total": {"count-left", "board-has", "cells-left"},
    "exhaustive": {CASE, "count-left", "board-has", "leaves-mines", "ways", "suppose-mine", "suppose-safe"},
}
SINGLE_KINDS = {"has-mines", "needs", "only-cells", "so-safe", "so-mines", "only-new"}
CONCLUSIONS = ("so-", "both-cases-", "every-way-", "no-short-argument", "only-new")


@pytest.mark.slow
def test_technique_and_argument_agree(boards: list[mp.Board]) -> None:
    used: Counter[str] = Counter()
    for board in boards:
        for step in mp.deduce(board, engine=KERNEL):
            used[step.technique] += 1
            assert MARKS[step.technique] & set(kinds(step.argument)), step
            assert step.argument.parts[-1].kind.startswith(CONCLUSIONS), step
            if step.technique in SINGLE:
                assert set(kinds(step.argument)) <= SINGLE_KINDS, step
    assert set(used) == set(LADDER), used


def test_an_argument_names_no_number_outside_its_proof(boards: list[mp.Board]) -> None:
    for board in boards[:20]:
        for step in mp.deduce(board, engine=KERNEL):
            numbers = {number for clause in step.argument.walk() for number in clause.numbers}
            assert {number.cell for number in numbers} <= set(step.because), step
            assert all(board[number.cell] == number.value for number in numbers)


def test_an_argument_ends_with_the_cells_of_its_step(boards: list[mp.Board]) -> None:
    for board in boards[:20]:
        for step in mp.deduce(board, engine=KERNEL):
            decided = {cell for part in step.argument.parts for clause in part.walk() for cell in clause.cells}
            assert step.safe | step.mines <= decided, step


def test_a_step_labelled_single_argues_with_the_single_number() -> None:
    """The third step of this board once argued by partition under the name of another technique."""
    third = mp.deduce(mp.Board.parse("###/121"))[2]
    assert (third.technique, third.mines, third.because) == (
        "single-flag",
        frozenset({(0, 0)}),
        ((1, 1), (1, 2)),
    )
    assert kinds(third.argument) == ["needs", "only-cells", "so-mines"]
    assert [number.cell for number in third.argument.parts[0].numbers] == [(1, 1)]
    assert third.argument.parts[0].count == 1


# Expert, seed 1024, after a first click at (8,15) and two rounds of certain cells.
ARGUED_FURTHER = """30x16x99
#10001#1000000000012##########
#310011100112110001###########
##312110012#2#100012##########
####3#2001#4421111011#########
######20013##101#211##########
#112#221102#42112#22##########
#101112#20112#10112#2#########
#200002#200011100012##########
#4110023310000000012##########
###1002##2110000123#23########
###2103#42#332101##322########
####102#212###101222#2########
####211110234210000224########
#######1001#11110002#5########
#######3101111#10003##########
########100001110002##########
"""


def test_a_step_has_every_cell_that_its_argument_proves() -> None:
    """A step once had one mine of the five that its two sentences proved; four of them were known or irrelevant."""
    deductions = mp.deduce(mp.Board.parse(ARGUED_FURTHER))
    [step] = [step for step in deductions if (12, 22) in step.mines]
    assert step.mines == {(12, 22), (13, 22)}
    assert step.because == ((9, 20), (9, 21), (10, 19), (10, 21), (12, 21))
    assert kinds(step.argument) == ["needs", "only-cells", "so-mines", "only-new"]
    assert set(step.argument.parts[2].cells) == {(12, 22), (13, 20), (13, 22)}
    assert set(step.argument.parts[3].cells) == step.mines
    known: set[Cell] = set()
    for step in deductions:
        clauses = step.argument.parts
        proved = {cell for clause in clauses if clause.kind == "so-mines" for cell in clause.cells}
        assert proved <= step.mines | known, step
        assert proved <= step.mines or clauses[-1].kind == "only-new"
        known |= step.mines


@pytest.mark.parametrize(
    ("board", "mines", "expected", "counts"),
    [
        ("1#/##/1#", 1, ["board-has", "needs", "all-used", "so-safe"], [1, 1, None, None]),
        ("F~#~#", 1, ["count-left", "so-safe"], [0, None]),
        ("##", 2, ["board-has", "cells-left", "so-mines"], [2, 2, None]),
        ("#1#~#1#~##", 2, ["board-has", "needs", "needs", "all-used-together", "so-safe"], [2, 1, 1, 2, None]),
    ],
)
def test_arguments_with_the_total(board: str, mines: int, expected: list[str], counts: list[int | None]) -> None:
    deductions = mp.deduce(mp.Board.parse(board, total_mines=mines))
    arguments = [step.argument.parts for step in deductions]
    expected_items = [("pattern-mine-count", None), *zip(expected, counts, strict=True)]
    assert expected_items in [[(clause.kind, clause.count) for clause in clauses] for clauses in arguments]


# clause by clause


class Reader:
    """A reader who trusts only the board, the known cells and the supposition."""

    def __init__(self, state: State) -> None:
        board = state.board
        self.board = board
        self.covered = {board.cell(index) for index in bits(state.covered)}
        self.mines = set(board.cells(FLAGGED)) | {board.cell(index) for index in bits(state.mines)}
        self.safe = {board.cell(index) for index in bits(state.safe)}

    def supposing(self, mines: set[Cell], safe: set[Cell]) -> Reader:
        other = object.__new__(Reader)
        other.board, other.covered = self.board, self.covered
        other.mines, other.safe = self.mines | mines, self.safe | safe
        return other

    def follow(self, clauses: list[Clause]) -> bool:
        """Check every clause; whether the last one is a number that cannot be satisfied."""
        for clause in clauses:
            assert not (self.mines & self.safe)
            (place,) = clause.numbers
            number, around = place.value, set(self.board.neighbours(place.cell))
            assert self.board[place.cell] == number
            cells = set(clause.cells)
            assert cells <= around & self.covered
            if clause.kind == "then-safe":
                assert cells
                assert len(self.mines & around) == number, clause
                self.safe |= cells
            elif clause.kind == "then-mines":
                assert cells
                room = around & self.covered - self.mines - self.safe
                assert number - len(self.mines & around) == len(room), clause
                assert cells <= room, clause
                self.mines |= cells
            else:
                has, most = len(self.mines & around), len(around & (self.covered | self.mines) - self.safe)
                assert clause.kind in ("too-many", "too-few"), clause
                assert clause.count is not None
                if clause.kind == "too-many":
                    assert has == clause.count > number, clause
                else:
                    assert most == clause.count < number, clause
                return True
        return False


def check(state: State, finding: Finding) -> None:
    board = state.board
    safe, mines = ({board.cell(index) for index in bits(cells)} for cells in (finding.safe, finding.mines))
    first, *clauses, last = finding.argument.parts
    if first.kind == CASE:
        for case in (first, *clauses):
            mined, free, chain = condition(case)
            reader = Reader(state).supposing(mined, free)
            assert not reader.follow(chain)
            assert safe <= reader.safe
            assert mines <= reader.mines
        assert is_complete([condition(case)[:2] for case in (first, *clauses)])
        assert last.kind == ("both-cases-safe" if safe else "both-cases-mines")
        return
    assert first.kind == ("suppose-mine" if safe else "suppose-safe")
    assert last.kind == ("so-safe" if safe else "so-mines")
    assert set(first.cells) == set(last.cells) == safe | mines
    for cell in first.cells:
        check_supposition(Reader(state).supposing(*(({cell}, set()) if safe else (set(), {cell}))), clauses)


def check_supposition(reader: Reader, clauses: list[Clause]) -> None:
    at_once = [clause for clause in clauses if clause.kind != CASE]
    branches = [clause for clause in clauses if clause.kind == CASE]
    assert clauses == at_once + branches
    assert reader.follow(at_once) == (not branches)
    cases = []
    for clause in branches:
        mined, free, chain = condition(clause)
        cases.append((mined, free))
        assert reader.supposing(mined, free).follow(chain)
    assert not cases or is_complete(cases)


def condition(case: Clause) -> tuple[set[Cell], set[Cell], list[Clause]]:
    """Cells that a case takes for mines, those it takes for safe, and what follows."""
    mined = {cell for clause in case.parts if clause.kind == "if-mines" for cell in clause.cells}
    free = {cell for clause in case.parts if clause.kind == "if-safe" for cell in clause.cells}
    assert mined | free
    return mined, free, [clause for clause in case.parts if clause.kind not in ("if-mines", "if-safe")]


def is_complete(cases: list[tuple[set[Cell], set[Cell]]]) -> bool:
    """Does one of the cases hold, whatever is a mine?"""
    named = sorted(set().union(*(mined | free for mined, free in cases)))
    for pattern in range(1 << len(named)):
        mines = {cell for bit, cell in enumerate(named) if pattern >> bit & 1}
        if not any(mined <= mines and not free & mines for mined, free in cases):
            return False
    return True


@pytest.mark.slow
def test_every_clause_of_a_supposition_follows(boards: list[mp.Board]) -> None:
    read: Counter[str] = Counter()
    for board in boards:
        for state, name, finding in climb(board):
            if name == "contradiction" or (name == "exhaustive" and not finding.uses_total):
                check(state, finding)
                read[name] += 1
    assert read["contradiction"] >= 16, read
    assert read["exhaustive"] >= 3, read


@pytest.mark.slow
def test_every_clause_of_either_way_follows(boards: list[mp.Board]) -> None:
    """Easier techniques find most of what follows either way, so the technique runs alone."""
    read = 0
    for board in boards:
        state, _, _ = next(climb(board))
        for finding in exhaustive.find(state):
            if finding.argument.parts[0].kind == CASE:
                check(state, finding)
                read += 1
    assert read > 50


def test_cells_with_the_same_argument_are_one_step(boards: list[mp.Board]) -> None:
    groups = [
        (finding.safe | finding.mines).bit_count()
        for board in boards
        for finding in contradiction.find(State(board, Budget(), KERNEL))
    ]
    assert max(groups) > 2
    (same,) = [found for found in contradiction.find(state_of("#1##/1#1#/#1##")) if found.safe]
    column = ((0, 3), (1, 3), (2, 3))
    assert (same.argument.parts[0].kind, same.argument.parts[0].cells) == ("suppose-mine", column)
    assert (same.argument.parts[-1].kind, same.argument.parts[-1].cells) == ("so-safe", column)


# the total, by what numbers take


@pytest.mark.slow
def test_what_numbers_take_of_the_mines_is_right(boards: list[mp.Board]) -> None:
    """Every count told of single numbers is what the number needs; sums decide as they say."""
    read = 0
    for board in boards:
        for state, name, finding in climb(board):
            if name != "exhaustive" or not finding.uses_total:
                continue
            read += 1
            assert state.forces(Proof(frozenset(finding.numbers), True), finding.safe, finding.mines)
            if finding.argument.parts[0].kind.startswith("suppose"):
                continue  # counts after a supposition
            for clause in finding.argument.parts:
                if clause.kind == "takes-exactly" and len(clause.numbers) == 1:
                    assert state.restriction(state.board.index(clause.numbers[0].cell)).need == clause.count
    assert read >= 1


def test_the_total_is_told_with_as_few_numbers_as_come_to_the_same() -> None:
    """One 2 takes both mines; so do two numbers beside it, which would be more to look at."""
    first = next(total.find(state_of("1~~1/####/~22~/####/~~~~/####", total_mines=2)))
    assert len(first.numbers) == 1


# limits

MANY_CASES = "9x9x40/#2###3F31/##5##5F##/#########/#######F#/3#4#32#6#/#3#######/##4F45###/#4F6FFFF3/1#FFF433F"
WIDE = (
    "32x5x49/################################/124##432232324#5#44333345533453#/"
    "################################/################################/00123210111#1##1#000012211232222"
)


def parsed(text: str) -> mp.Board:
    first, _, rows = text.partition("/")
    return mp.Board.parse(f"{first}\n{rows}")


def test_more_cases_than_anybody_goes_through_are_counted() -> None:
    first = mp.deduce(parsed(MANY_CASES))[0]
    assert (first.technique, first.mines) == ("exhaustive", frozenset({(5, 0)}))
    ways, verdict, _ = first.argument.parts
    assert (ways.kind, ways.count, verdict.kind, verdict.cells) == ("ways", 480, "every-way-mines", ((5, 0),))
    assert tuple(number.cell for number in ways.numbers) == first.because


def test_the_ways_are_those_of_the_layouts() -> None:
    """480, told of the board above: the layouts of those numbers alone, on the cells around them alone."""
    board = parsed(MANY_CASES)
    numbers = mp.deduce(board)[0].because
    around = {cell for number in numbers for cell in board.neighbours(number)}
    outside = [cell for cell in board.cells(COVERED) if cell not in around]
    alone = board.only(map(board.index, numbers), total=False).replace(dict.fromkeys(outside, ABSENT))
    assert mp.analyze(alone).layouts == 480


def test_no_proof_is_endless() -> None:
    steps_of_wide = mp.deduce(parsed(WIDE), budget=60)
    assert max(len(step.text) for step in steps_of_wide) < 3000


@pytest.mark.parametrize("text", [MANY_CASES, WIDE])
def test_techniques_ask_the_budget(text: str) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 400

    with pytest.raises(mp.BudgetExceeded, match="Cancelled"):
        mp.deduce(parsed(text), budget=mp.Budget(cancelled=cancelled))
    assert asked < 1000


def test_cells_outside_the_numbers_are_not_told_away() -> None:
    """It once said that all mines lie around three numbers, though (3,0) is a mine in 15 of 23 layouts."""
    board = mp.Board.parse("#####/#7#7#/#####/#4#4#", total_mines=13)
    _, left, bound, *_ = mp.deduce(board)[0].argument.parts
    assert (left.kind, left.count, bound.kind, bound.count) == ("board-has", 13, "around-at-most", 13)
    assert [number.cell for number in bound.numbers][:2] == [(1, 1), (1, 3)]


@pytest.mark.slow
def test_what_lies_around_numbers_is_what_the_words_say(boards: list[mp.Board]) -> None:
    """Every "all around", "at least" and "at most" about mines around some numbers, held against all layouts."""
    read = 0
    for board in boards:
        state, name, finding = next(climb(board))
        limits = [clause for clause in finding.argument.parts if clause.kind in AROUND]
        if name != "exhaustive" or not limits:
            continue
        (limit,) = limits
        covered = {board.cell(index) for index in bits(state.unknown)}
        near = {cell for number in limit.numbers for cell in board.neighbours(number.cell)} & covered
        counts = {len(near & layout) for layout in mp.sample_layouts(board, 200, seed=1)}
        bound = state.mines_left if limit.kind == "all-around" else limit.count
        assert bound is not None
        if limit.kind != "around-at-least":
            assert max(counts) <= bound
        if limit.kind != "around-at-most":
            assert min(counts) >= bound
        read += 1
    assert read >= 3


AROUND = ("all-around", "around-at-least", "around-at-most")
