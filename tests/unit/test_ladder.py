"""The ladder: the least effort first, and words that a reader can follow clause by clause."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.deduction.ladder import LADDER, SINGLE, Effort, Technique, easiest, steps
from mineproof.deduction.state import Finding, Proof, State, bits
from mineproof.deduction.techniques import bounds, contradiction, elimination, exhaustive, partition, total
from support.engines import KERNEL, needs_kernel

pytestmark = needs_kernel

POSITIONS = Path(__file__).parents[1] / "golden" / "positions.txt"  # by benchmarks/hints.py --keep


def state_of(text: str, total_mines: int | None = None) -> State:
    return State(mp.Board.parse(text, total_mines=total_mines), Budget(), KERNEL)


def climb(board: mp.Board) -> Iterator[tuple[State, Technique, Finding]]:
    """Every step as its technique tells it, with what was known before."""
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


def test_a_step_takes_no_more_numbers_than_another_technique_would(boards: list[mp.Board]) -> None:
    compared = 0
    for board in boards:
        for state, name, finding in climb(board):
            if name in SINGLE:
                continue
            taken = Effort.of(name, finding)
            for other in (other for other in LADDER if other not in SINGLE and taken.may_be_more_than(other)):
                if rival := next(iter(LADDER[other](state)), None):
                    compared += other != name
                    assert taken <= Effort.of(other, rival)
    assert compared > 50


def test_a_short_contradiction_comes_before_a_long_elimination(boards: list[mp.Board]) -> None:
    """Both find something; by the order of the techniques it would be elimination, with more numbers."""
    found = [
        (len(longer.numbers), len(shorter.numbers))
        for board in boards
        for state, name, shorter in climb(board)
        if name == "contradiction" and (longer := next(elimination.find(state), None))
    ]
    assert (6, 4) in found
    assert all(many >= few for many, few in found)


def test_safe_cells_come_before_mines_where_as_many_numbers_are_needed(boards: list[mp.Board]) -> None:
    assert Effort(2, False, 9, 5) < Effort(2, True, 1, 2)
    passed_over = 0
    for board in boards:
        state, _, taken = next(climb(board))
        rivals = [*partition.find(state), *bounds.find(state)]
        equal = [each for each in rivals if len(each.numbers) == len(taken.numbers)]
        if any(each.safe for each in equal):
            assert taken.safe
            passed_over += any(not each.safe for each in equal)
    assert passed_over > 5


def test_fewer_numbers_come_before_safe_cells() -> None:
    assert Effort(2, True, 1, 2) < Effort(3, False, 1, 2)


def test_by_rung_a_technique_is_named_only_where_none_before_it_helps(boards: list[mp.Board]) -> None:
    rungs: list[str] = list(LADDER)
    for board in boards[:10]:
        seen = board
        step = next(steps(seen, by_rung=True, engine=KERNEL), None)
        if step is None:
            continue
        rung = rungs.index(step.technique)
        if rung:
            assert not mp.deduce(seen, upto=rungs[rung - 1], engine=KERNEL)


# words


def test_still_only_where_something_was_found_before(boards: list[mp.Board]) -> None:
    counts: Counter[str] = Counter()
    for board in boards:
        for state, _, finding in climb(board):
            for number, row, column, still in re.findall(r"he (\d) at \((\d+),(\d+)\) (still )?needs \d", finding.text):
                index = state.board.index((int(row), int(column)))
                known = len(state.known_mines_around(index))
                counts["still" if still else "fresh"] += 1
                assert bool(still) == bool(known), (finding.text, number)
    assert min(counts["still"], counts["fresh"]) > 50, counts


MARKS = {
    "single-open": "already has|touches no mine",
    "single-flag": "the only covered cell",
    "partition": r"(needs|leave) .*; the .* needs \d+ among .*, so ",
    "bounds": "at most|at least|must be|can be|Together|so ",
    "elimination": "Adding|Subtracting|says that",
    "contradiction": "^Suppose [^.]* were (a mine|safe). Then ",
    "total": "left|The board has",
    "exhaustive": "Either way|Suppose .* If |mines? (is|are) left|That leaves",
}


def test_technique_and_words_agree(boards: list[mp.Board]) -> None:
    told: Counter[str] = Counter()
    for board in boards:
        for step in mp.deduce(board, engine=KERNEL):
            told[step.technique] += 1
            assert re.search(MARKS[step.technique], step.text), step
            assert "no other way" not in step.text
            if step.technique in SINGLE:
                assert ";" not in step.text, step
    assert set(told) == set(LADDER), told


def test_a_step_speaks_of_no_number_outside_its_proof(boards: list[mp.Board]) -> None:
    for board in boards[:20]:
        for step in mp.deduce(board, engine=KERNEL):
            named = {(int(row), int(column)) for row, column in re.findall(r"\d at \((\d+),(\d+)\)", step.text)}
            assert named <= set(step.because), step


def test_a_step_labelled_single_is_told_of_the_single_number() -> None:
    """The third step of this board once argued by partition under the name of another technique."""
    third = mp.deduce(mp.Board.parse("###/121"))[2]
    assert (third.technique, third.mines, third.because) == (
        "single-flag",
        frozenset({(0, 0)}),
        ((1, 1), (1, 2)),
    )
    assert third.text == (
        "The 2 at (1,1) still needs 1 mine, and (0,0) is the only covered cell left around it: it is a mine."
    )


@pytest.mark.parametrize(
    ("board", "mines", "text"),
    [
        ("1#/##/1#", 1, "The board has only 1 mine. The 1 at (0,0) needs it, so (2,1) is safe."),
        ("F~#~#", 1, "No mine is left, so (0,2) and (0,4) are safe."),
        ("##", 2, "The board has 2 mines for 2 covered cells, so (0,0) and (0,1) are mines."),
        (
            "#1#~#1#~##",
            2,
            "The board has only 2 mines. The 1 at (0,1) needs 1 and the 1 at (0,5) needs 1, no cell counted twice, "
            "so (0,8) and (0,9) are safe.",
        ),
    ],
)
def test_the_words_of_the_total(board: str, mines: int, text: str) -> None:
    assert text in [step.text for step in mp.deduce(mp.Board.parse(board, total_mines=mines))]


# clause by clause

CELL = r"\(\d+,\d+\)"
HAS = re.compile(rf"the (\d) at ({CELL}) has its (?:mine|\d mines), so (.*) (?:is|are) safe")
NEEDS = re.compile(rf"the (\d) at ({CELL}) needs (?:both |all of )?({CELL}.*)")
WRONG = re.compile(rf"the (\d) at ({CELL}) would have (?:only )?(no|\d) mines?")


def cells_in(words: str) -> set[Cell]:
    return {(int(row), int(column)) for row, column in re.findall(r"\((\d+),(\d+)\)", words)}


class Reader:
    """Somebody who believes nothing but the board, what is known, and what is supposed."""

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

    def follow(self, chain: str) -> bool:
        """Check every clause; whether the last one is a number that cannot be right."""
        for clause in chain.split("; then "):
            assert not (self.mines & self.safe)
            if match := HAS.fullmatch(clause):
                number, around = self._number(match)
                assert len(self.mines & around) == number, clause
                self.safe |= self._told(match[3], around)
            elif match := NEEDS.fullmatch(clause):
                number, around = self._number(match)
                room = around & self.covered - self.mines - self.safe
                assert number - len(self.mines & around) == len(room), clause
                told = self._told(match[3], around)
                assert told <= room, clause
                self.mines |= told
            elif match := WRONG.fullmatch(clause):
                number, around = self._number(match)
                count = 0 if match[3] == "no" else int(match[3])
                has, most = len(self.mines & around), len(around & (self.covered | self.mines) - self.safe)
                assert has == count > number or most == count < number, clause
                return True
            else:
                raise AssertionError(f"cannot be read: {clause}")
        return False

    def _number(self, match: re.Match[str]) -> tuple[int, set[Cell]]:
        (cell,) = cells_in(match[2])
        assert self.board[cell] == int(match[1])
        return int(match[1]), set(self.board.neighbours(cell))

    def _told(self, words: str, around: set[Cell]) -> set[Cell]:
        told = cells_in(words)
        assert told
        assert told <= around & self.covered
        return told


def check(state: State, finding: Finding) -> None:
    board = state.board
    safe, mines = ({board.cell(index) for index in bits(cells)} for cells in (finding.safe, finding.mines))
    sentences = finding.text.removesuffix(".").split(". ")
    if sentences[0].startswith("If "):
        for sentence in sentences[:2]:
            mined, free, chain = condition(sentence)
            reader = Reader(state).supposing(mined, free)
            assert not reader.follow(chain)
            assert safe <= reader.safe
            assert mines <= reader.mines
        assert sentences[2].startswith("Either way")
        return
    supposed = cells_in(sentences[0])
    assert supposed == safe | mines
    for cell in supposed:
        check_supposition(Reader(state).supposing(*(({cell}, set()) if safe else (set(), {cell}))), sentences[1:-1])


def check_supposition(reader: Reader, sentences: list[str]) -> None:
    if sentences[0].startswith("Then "):
        broken = reader.follow(sentences.pop(0).removeprefix("Then "))
        assert broken == (not sentences)
    cases = []
    for sentence in sentences:
        mined, free, chain = condition(sentence)
        cases.append((mined, free))
        assert reader.supposing(mined, free).follow(chain)
    assert not cases or is_complete(cases)


def condition(sentence: str) -> tuple[set[Cell], set[Cell], str]:
    """Cells that a case takes for mines, those it takes for safe, and what follows."""
    given, chain = re.fullmatch(r"If (.*? (?:a mine|mines|safe)), (the .*)", sentence).groups()  # type: ignore[union-attr]
    parts = re.findall(rf"({CELL}(?:(?:, | and ){CELL})*) (?:is|are) (a mine|mines|safe)", given)
    mined = [cells_in(cells) for cells, verdict in parts if verdict != "safe"]
    free = [cells_in(cells) for cells, verdict in parts if verdict == "safe"]
    return set().union(*mined), set().union(*free), chain


def is_complete(cases: list[tuple[set[Cell], set[Cell]]]) -> bool:
    """Does one of the cases hold, whatever is a mine?"""
    named = sorted(set().union(*(mined | free for mined, free in cases)))
    for pattern in range(1 << len(named)):
        mines = {cell for bit, cell in enumerate(named) if pattern >> bit & 1}
        if not any(mined <= mines and not free & mines for mined, free in cases):
            return False
    return True


def test_every_clause_of_a_supposition_follows(boards: list[mp.Board]) -> None:
    read: Counter[str] = Counter()
    for board in boards:
        for state, name, finding in climb(board):
            if name == "contradiction" or (name == "exhaustive" and not finding.uses_total):
                check(state, finding)
                read[name] += 1
    assert read["contradiction"] >= 16, read
    assert read["exhaustive"] >= 3, read


def test_every_clause_of_either_way_follows(boards: list[mp.Board]) -> None:
    """Easier techniques find most of what follows either way, so the technique is asked alone."""
    read = 0
    for board in boards:
        state, _, _ = next(climb(board))
        for finding in exhaustive.find(state):
            if finding.text.startswith("If "):
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
    assert same.text.startswith("Suppose any of (0,3), (1,3) and (2,3) were a mine. Then ")
    assert same.text.endswith(" So (0,3), (1,3) and (2,3) are safe.")


# the total, told by what numbers take


def test_what_numbers_take_of_the_mines_is_right(boards: list[mp.Board]) -> None:
    """Every count told of single numbers is what the number needs; sums decide as they say."""
    read = 0
    for board in boards:
        for state, name, finding in climb(board):
            if name != "exhaustive" or not finding.uses_total:
                continue
            read += 1
            assert state.forces(Proof(frozenset(finding.numbers), True), finding.safe, finding.mines)
            for row, column, count in re.findall(r"[;.] [Tt]he \d at \((\d+),(\d+)\) takes (\d+)[;,:]", finding.text):
                assert state.restriction(state.board.index((int(row), int(column)))).need == int(count)
    assert read >= 1


def test_the_total_is_told_with_as_few_numbers_as_come_to_the_same() -> None:
    """One 2 takes both mines; so do two numbers beside it, which would be more to look at."""
    found = next(total.find(state_of("1~~1/####/~22~/####/~~~~/####", total_mines=2)))
    assert len(found.numbers) == 1


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
    assert first.text == (
        "The mines around the 3 at (4,0), the 4 at (4,2), the 3 at (4,4), the 2 at (4,5), the 6 at (4,7), "
        "the 3 at (5,1), the 4 at (7,1) and the 1 at (8,0) can lie in 480 ways, and in every one of them "
        "(5,0) is a mine. There is no short way to see it."
    )


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

    with pytest.raises(mp.BudgetExceeded, match="cancelled"):
        mp.deduce(parsed(text), budget=mp.Budget(cancelled=cancelled))
    assert asked < 1000


def test_cells_outside_the_numbers_are_not_told_away() -> None:
    """It once said that all mines lie around three numbers, though (3,0) is a mine in 15 of 23 layouts."""
    board = mp.Board.parse("#####/#7#7#/#####/#4#4#", total_mines=13)
    text = mp.deduce(board)[0].text
    assert "all around" not in text
    assert text.startswith("The board has 13 mines, so at most 13 mines can be around the 7 at (1,1), the 7 at (1,3)")


def test_what_lies_around_numbers_is_what_the_words_say(boards: list[mp.Board]) -> None:
    """Every "all around", "at least" and "at most" about mines around some numbers, held against all layouts."""
    read = 0
    for board in boards:
        state, name, finding = next(climb(board))
        bounds_told = r"(, all|at most \d+ mines? can be|at least \d+ mines? must be) around ([^.]*)\. Suppose"
        told = re.search(bounds_told, finding.text)
        if name != "exhaustive" or told is None:
            continue
        covered = {board.cell(index) for index in bits(state.unknown)}
        near = {cell for number in cells_in(told[2]) for cell in board.neighbours(number)} & covered
        counts = {len(near & layout) for layout in mp.sample_layouts(board, 200, seed=1)}
        left = state.mines_left
        bound = int(told[1].split()[2]) if told[1] != ", all" else left
        assert bound is not None
        if told[1].startswith("at least"):
            assert min(counts) >= bound
        else:
            assert max(counts) <= bound
        if told[1] == ", all":
            assert min(counts) == bound
        read += 1
    assert read >= 3
