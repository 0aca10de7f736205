"""New layouts: equal for equal (seed, number), valid for the first click, of the required difficulty."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
from collections import Counter
from itertools import islice
from typing import Any

import pytest

import mineproof as mp
from mineproof import formats
from mineproof.base.rng import Random, deal
from mineproof.deduction.ladder import single_techniques
from mineproof.engine.default import missing_engine
from mineproof.generation.generator import Generated, generate, generate_many
from mineproof.generation.guess_check import check
from mineproof.generation.verifier import verify
from mineproof.generation.walk import RUNGS, hard_techniques, walk
from support.engines import REFERENCE
from support.oracle import Cell, neighbours
from support.positions import CLASSIC

EXPERT = (16, 30, 99)
BEGINNER = (9, 9, 10)
SMALL = (6, 7, 8)
FILTERED = [
    ([(0, 2), (1, 4), (2, 0), (2, 1)], 2),
    ([(0, 2), (1, 3), (1, 4), (3, 2)], 1),
    ([(1, 3), (2, 1), (2, 2), (3, 2)], 2),
]


def around(layout: mp.Layout, cell: Cell) -> set[Cell]:
    return neighbours(layout.topology, layout.rows, layout.columns, cell) - layout.absent


# drawn


def test_layout_k_of_a_seed_is_dealt_by_its_own_stream() -> None:
    for number in (0, 1, 17, 2**64 - 1):
        layout = generate(*EXPERT, seed=5, number=number)
        dealt = deal(Random(5, number), range(480), 99)
        assert layout.mines == {divmod(index, 30) for index in dealt}
        assert (layout.seed, layout.number, layout.method, layout.attempts) == (5, number, "uniform", 1)
        assert (layout.start, layout.no_guess, layout.certificate) == (None, False, None)
    assert generate(*EXPERT, seed=6).mines != generate(*EXPERT, seed=5).mines


def test_the_reference_deals_the_same_layouts_and_none_without_a_guess() -> None:
    code = (
        "import mineproof as mp\n"
        "from mineproof.generation.generator import generate\n"
        "print(generate(5, 5, 6, seed=3, start=(2, 2)))\n"
        "try: generate(5, 5, 6, no_guess=True)\n"
        "except mp.EngineMissing: print('missing')\n"
    )
    env = os.environ | {"MINEPROOF_ENGINE": "reference"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout == f"{generate(5, 5, 6, seed=3, start=(2, 2))}\nmissing\n"


@pytest.mark.parametrize("kind", CLASSIC)
def test_the_first_click(kind: Any) -> None:
    start = (2, 3)
    hit = near = 0
    for number in range(60):
        anyhow, safe, opened = (
            generate(*SMALL, number=number, start=start, first_click=rule, topology=kind, seed=0)
            for rule in ("any", "safe", "open")
        )
        assert anyhow.mines == generate(*SMALL, number=number, topology=kind, seed=0).mines
        hit += start in anyhow.mines
        assert start not in safe.mines
        near += not safe.mines.isdisjoint(around(safe, start))
        assert opened.mines.isdisjoint({start, *around(opened, start)})
        assert {len(item.mines) for item in (anyhow, safe, opened)} == {8}
        assert {item.start for item in (anyhow, safe, opened)} == {start}
    assert hit
    assert near


def test_a_crowded_board_has_as_few_mines_around_the_first_click_as_can_be() -> None:
    """20 cells, 11 of them far from the start, 8 around it."""
    for mines in range(21):
        layout = generate(4, 5, mines, start=(1, 2), number=mines, first_click="open", seed=0)
        ring = around(layout, (1, 2))
        assert len(layout.mines) == mines
        assert len(layout.mines & ring) == min(8, max(0, mines - 11))
        assert ((1, 2) in layout.mines) == (mines == 20)
    rings = {
        frozenset(generate(4, 5, 13, start=(1, 2), number=n, first_click="open", seed=0).mines & ring)
        for n in range(200)
    }
    assert len(rings) == 28, "every pair of cells around the start"


def test_cells_that_are_not_part_of_the_board() -> None:
    absent = {(0, 0), (2, 3), (5, 6)}
    for number in range(30):
        for no_guess in (False, True):
            layout = generate(*SMALL, number=number, absent=absent, no_guess=no_guess, seed=0)
            assert layout.absent == absent
            assert layout.mines.isdisjoint(absent)
            assert len(layout.mines) == 8
    assert generate(3, 3, 1, absent=[(1, 1)], no_guess=True, seed=0).start == (0, 1), "the cell nearest to the middle"


# without a guess


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize("method", ["repair", "rejection"])
def test_no_guess(kind: Any, method: Any) -> None:
    for number in range(8):
        layout = generate(*BEGINNER, seed=1, number=number, no_guess=True, topology=kind, method=method, start=(0, 4))
        assert (layout.no_guess, layout.method, layout.start, layout.total_mines) == (True, method, (0, 4), 10)
        assert layout.attempts >= 1
        assert layout.mines.isdisjoint({(0, 4), *around(layout, (0, 4))})
        assert check(layout).no_guess
        assert layout.certificate is not None
        verify(layout.certificate, layout)


@pytest.mark.parametrize("mines", [40, 99, 130, 200])
def test_no_guess_at_every_density(mines: int) -> None:
    for number in range(3):
        layout = generate(16, 30, mines, number=number, no_guess=True, seed=0)
        assert layout.start == (8, 15)
        assert len(layout.mines) == mines
        assert check(layout).no_guess


def test_what_needs_no_repair_is_what_rejection_takes() -> None:
    same = 0
    for number in range(30):
        repaired, drawn = (
            generate(*BEGINNER, number=number, no_guess=True, method=method, seed=0)
            for method in ("repair", "rejection")
        )
        if repaired.attempts == 1:
            assert drawn.attempts == 1
            assert repaired == drawn == generate(*BEGINNER, number=number, start=(4, 4), no_guess=True, seed=0)
            assert repaired.mines == generate(*BEGINNER, number=number, start=(4, 4), first_click="open", seed=0).mines
            same += 1
    assert 0 < same < 30


def test_the_start_is_free_whatever_the_rule_on_first_clicks() -> None:
    for number in range(20):
        assert (3, 3) not in generate(
            *SMALL, number=number, start=(3, 3), no_guess=True, first_click="any", seed=0
        ).mines


def test_boards_that_are_full_or_empty() -> None:
    assert generate(3, 3, 8, no_guess=True, seed=0).mines == {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}
    assert generate(3, 3, 0, no_guess=True, seed=0).mines == frozenset()
    assert generate(3, 3, 9, seed=0).total_mines == 9
    assert generate(1, 1, 0, no_guess=True, seed=0).start == (0, 0)


def test_a_hopeless_wish_says_how_far_it_came() -> None:
    """A mine on either side of the only cell that may be opened."""
    with pytest.raises(mp.BudgetExceeded) as caught:
        generate(1, 3, 1, no_guess=True, start=(0, 1), budget=0.05, seed=0)
    assert "The best opened 1 of 2 safe cells." in str(caught.value)
    assert caught.value.limit == "seconds"


def test_one_layout_is_no_layouts() -> None:
    with pytest.raises(mp.BudgetExceeded, match=r", 1 layout dealt( and |\.)"):
        generate(60, 60, 1500, no_guess=True, budget=1e-9, seed=1)


def test_the_kernel_is_missed_by_name() -> None:
    with pytest.raises(mp.EngineMissing, match="needs the native kernel"):
        generate(*SMALL, no_guess=True, engine=REFERENCE, seed=0)
    with pytest.raises(mp.EngineMissing, match=r"^no kernel"):
        generate(*SMALL, no_guess=True, engine=missing_engine("no kernel"), seed=0)


# required difficulty


def rung(layout: mp.Layout) -> int:
    hardest = mp.grade(layout).hardest
    return -1 if hardest is None else RUNGS.index(hardest)


@pytest.mark.parametrize("technique", RUNGS)
def test_needs_and_hardest(technique: str) -> None:
    place = RUNGS.index(technique)
    for number in range(3):
        if technique != "exhaustive":  # rare on boards this small
            needing = generate(*SMALL, number=number, no_guess=True, needs=technique, seed=0)
            assert rung(needing) >= place
        sparse = (4, 4, 2) if technique == "single-open" else SMALL  # the first click must open everything
        easy = generate(*sparse, number=number, no_guess=True, hardest=technique, seed=0)
        assert rung(easy) <= place


def test_needs_and_hardest_together() -> None:
    for number in range(5):
        layout = generate(*BEGINNER, number=number, no_guess=True, needs="partition", hardest="bounds", seed=0)
        assert RUNGS[rung(layout)] in ("partition", "bounds")
        assert layout.number == number


@pytest.mark.slow
def test_what_does_not_suit_is_counted() -> None:
    with pytest.raises(mp.BudgetExceeded) as caught:
        generate(4, 4, 1, no_guess=True, needs="elimination", budget=0.3, seed=0)
    words = str(caught.value)
    assert words.startswith("No layout with needs=elimination after ")
    assert "too easy" in words
    attempts = [generate(*BEGINNER, number=n, no_guess=True, needs="contradiction", seed=0).attempts for n in range(8)]
    assert max(attempts) > min(attempts)


# required measures


@pytest.mark.parametrize(
    "wish",
    [
        {"bbbv": (18, 22)},
        {"bbbv": 20},
        {"openings": (3, None), "zini": (None, 15)},
        {"islands": (None, 1), "human_zini": (10, 30)},
        {"bbbv": [15, 25], "topology": "torus"},
        {"zini": (5, 12), "topology": "hex", "start": (4, 4), "first_click": "open"},
        {"bbbv": (20, 30), "no_guess": True},
        {"bbbv": (20, 30), "no_guess": True, "needs": "partition", "hardest": "bounds"},
        {"bbbv": (1, 20), "no_guess": True, "method": "rejection", "start": (0, 0)},
    ],
)
def test_numbers_are_as_asked_for(wish: dict[str, Any]) -> None:
    names = ("bbbv", "openings", "islands", "zini", "human_zini")
    for number in range(4):
        layout = generate(*BEGINNER, seed=3, number=number, **wish)
        measures = mp.measure(layout)
        for name in names:
            response = wish.get(name, (None, None))
            least, most = (response, response) if isinstance(response, int) else response
            assert (least or 0) <= getattr(measures, name) <= (81 if most is None else most)
        assert layout.no_guess == ("no_guess" in wish)
        assert layout.number == number
        if "needs" in wish:
            assert RUNGS[rung(layout)] in ("partition", "bounds")


def test_the_first_candidate_that_suits_is_taken() -> None:
    """Candidate a of (seed, number) is the same layout, whatever else is required."""
    for number in range(3):
        first = generate(*BEGINNER, seed=2, number=number, bbbv=(0, 81))
        assert first.attempts == 1
        known = mp.measure(first).bbbv
        later = generate(*BEGINNER, seed=2, number=number, bbbv=(known + 1, None))
        assert later.attempts > 1
        assert generate(*BEGINNER, seed=2, number=number, bbbv=(known, None)) == first


def test_filtered_layouts_are_promised_to_stay_the_same() -> None:
    results = [generate(4, 5, 4, seed=7, number=number, bbbv=(6, 9), openings=(1, None)) for number in range(3)]
    assert [(sorted(layout.mines), layout.attempts) for layout in results] == FILTERED


def test_what_suits_is_uniform_over_all_that_do() -> None:
    """1 × 4 with one mine: the mine at an end leaves one opening and 3BV 1, elsewhere there is 3BV 2."""
    counts = Counter(next(iter(generate(1, 4, 1, seed=5, number=k, bbbv=2).mines)) for k in range(400))
    assert set(counts) == {(0, 1), (0, 2)}
    assert abs(counts[0, 1] - 200) < 60


def test_impossible_numbers_end_with_what_was_met() -> None:
    with pytest.raises(mp.BudgetExceeded) as caught:
        generate(*BEGINNER, bbbv=(80, None), zini=(None, 5), budget=0.3, seed=0)
    words = re.fullmatch(
        r"No layout with 3BV 80\.\. and ZiNi \.\.5 after \d+\.\d\d s\. "
        r"([0-9,]+) layouts tried: ([0-9,]+) outside the requested range\. 3BV ranged from (\d+) to (\d+)\.",
        str(caught.value),
    )
    assert words is not None, caught.value
    assert words[1] == words[2]
    assert 0 < int(words[3]) < int(words[4]) < 80
    with pytest.raises(
        mp.BudgetExceeded, match=r"no-guess layouts tried: .* outside the requested range\. 3BV ranged from"
    ):
        generate(*SMALL, no_guess=True, bbbv=(80, None), budget=0.3, seed=0)


@pytest.mark.parametrize(
    ("wish", "kind", "words"),
    [
        ({"bbbv": (5, 4)}, ValueError, r"bbbv must have the least before the most, got \(5, 4\)"),
        ({"zini": (1, 2, 3)}, ValueError, r"zini must be a number or two, the least and the most, got \(1, 2, 3\)"),
        ({"openings": -1}, ValueError, "openings must be at least 0, got -1"),
        ({"islands": "3"}, TypeError, "islands must be a whole number, got '3'"),
        ({"bbbv": (None, 2.5)}, TypeError, r"bbbv must be a whole number, got 2.5"),
    ],
)
def test_numbers_that_cannot_be_asked_for(wish: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        generate(*SMALL, **wish)


def test_filtered_layouts_are_the_same_for_any_number_of_threads() -> None:
    one = list(generate_many(6, *BEGINNER, seed=4, bbbv=(10, 14), zini=(None, 12)))
    two = list(generate_many(6, *BEGINNER, seed=4, threads=2, bbbv=(10, 14), zini=(None, 12)))
    assert one == two
    assert [item.attempts for item in one] == [item.attempts for item in two]


def test_both_engines_choose_the_same() -> None:
    ours = generate(5, 6, 6, seed=1, bbbv=(8, 10), zini=(None, 8))
    assert generate(5, 6, 6, seed=1, bbbv=(8, 10), zini=(None, 8), engine=REFERENCE) == ours


# many


def test_many_are_those_made_one_by_one() -> None:
    many = list(generate_many(5, *SMALL, seed=4, number=3, no_guess=True))
    assert many == [generate(*SMALL, seed=4, number=number, no_guess=True) for number in range(3, 8)]
    assert [item.number for item in many] == [3, 4, 5, 6, 7]
    assert list(generate_many(0, *SMALL, seed=0)) == []
    last = list(generate_many(2, *SMALL, number=2**64 - 2, seed=0))
    assert [item.number for item in last] == [2**64 - 2, 2**64 - 1], "numbers go up to the end of their range"


def test_jobs_change_nothing() -> None:
    alone = list(generate_many(40, *EXPERT, seed=4, no_guess=True))
    assert list(generate_many(40, *EXPERT, seed=4, no_guess=True, threads=3)) == alone
    drawn = list(generate_many(40, *EXPERT, seed=4))
    assert list(generate_many(40, *EXPERT, seed=4, threads=3)) == drawn


def test_processes_change_nothing_and_bring_errors_back() -> None:
    alone = list(generate_many(6, *SMALL, no_guess=True, needs="partition", seed=0))
    assert list(generate_many(6, *SMALL, no_guess=True, needs="partition", threads=2, seed=0)) == alone
    hopeless = generate_many(6, 4, 4, 1, no_guess=True, needs="elimination", threads=2, budget=0.1, seed=0)
    with pytest.raises(mp.BudgetExceeded, match="too easy") as caught:
        next(hopeless)
    assert caught.value.limit == "seconds"


def test_closing_stops_the_work() -> None:
    before = threading.active_count()
    many = generate_many(10_000_000, *EXPERT, no_guess=True, threads=3, seed=0)
    assert len(list(islice(many, 5))) == 5
    assert threading.active_count() > before
    many.close()
    assert threading.active_count() == before


@pytest.mark.parametrize("wish", [{"no_guess": True}, {"no_guess": True, "needs": "elimination"}])
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_caller_may_cancel(wish: Any, jobs: int) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    hopeless = (1, 3, 1) if "needs" not in wish else (4, 4, 1)
    many = generate_many(4, *hopeless, threads=jobs, budget=mp.Budget(cancelled=cancelled), **wish)
    with pytest.raises(mp.BudgetExceeded) as caught:
        list(many)
    assert caught.value.limit == "cancelled"


# what a generated layout is


def test_a_generated_layout_is_a_layout() -> None:
    layout = generate(*SMALL, seed=2, no_guess=True)
    plain = mp.Layout(6, 7, layout.mines, layout.start, no_guess=True)
    assert layout == plain
    assert plain == layout
    assert hash(layout) == hash(plain)
    assert layout != mp.Layout(6, 7, layout.mines, layout.start)
    assert layout != "a layout"
    again = pickle.loads(pickle.dumps(layout))
    assert isinstance(again, Generated)
    assert (again, again.seed, again.attempts) == (layout, 2, layout.attempts)
    assert again.certificate == layout.certificate
    assert formats.read(formats.write(layout, "json")).value == layout


def test_a_certificate_is_made_once() -> None:
    layout = generate(*SMALL, seed=2, no_guess=True)
    assert layout.certificate is layout.certificate


# what cannot be


@pytest.mark.parametrize(
    ("size", "wishes", "words"),
    [
        ((3, 3, 10), {}, "expected 0 to 9 mines on this board, got 10"),
        ((3, 3, 9), {"no_guess": True}, "expected 0 to 8 mines besides the first click, got 9"),
        ((3, 3, -1), {}, "expected 0 to 9 mines on this board, got -1"),
        ((0, 3, 0), {}, "expected a board of at least one cell, got 3 × 0"),
        ((3, 3, 1), {"start": (3, 0)}, "expected a cell on the 3 × 3 board, got (3,0)"),
        (
            (3, 3, 1),
            {"start": (0, 0), "absent": [(0, 0)]},
            "got (0,0), which is not part of it",
        ),
        ((1, 1, 0), {"absent": [(0, 0)]}, "expected at least one cell that is part of the board"),
        ((3, 3, 1), {"topology": "disc"}, "topology must be one of grid, torus, hex, "),
        ((3, 3, 1), {"first_click": "lucky"}, "first_click must be one of any, safe, open, got 'lucky'"),
        ((3, 3, 1), {"method": "magic"}, "method must be one of repair, rejection, got 'magic'"),
        ((3, 3, 1), {"no_guess": True, "needs": "luck"}, "needs must be one of single-open, "),
        ((3, 3, 1), {"needs": "total"}, "require no_guess=True"),
        (
            (3, 3, 1),
            {"no_guess": True, "needs": "total", "hardest": "bounds"},
            "needs=total is harder than hardest=bounds",
        ),
        ((3, 3, 1), {"seed": -1}, "seed must be from 0 to 2**64 - 1, got -1"),
        ((3, 3, 1), {"number": 2**64}, "number must be from 0 to 2**64 - 1, got 18446744073709551616"),
    ],
)
def test_wishes_that_cannot_be(size: tuple[int, int, int], wishes: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        generate(*size, **wishes)
    with pytest.raises(ValueError, match=re.escape(words)):
        generate_many(3, *size, **wishes)


def test_counts_that_cannot_be() -> None:
    with pytest.raises(ValueError, match=r"^count must be at least 0, got -1$"):
        generate_many(-1, 3, 3, 1, threads=1, seed=0)
    with pytest.raises(ValueError, match=r"^threads must be at least 1, got 0$"):
        generate_many(1, 3, 3, 1, threads=0, seed=0)


# seeds


def test_without_a_seed_every_layout_is_another_one() -> None:
    dealt = [mp.generate("expert") for _ in range(3)]
    assert len({layout.mines for layout in dealt}) == 3, "one board in 10**100 is the same by chance"
    for layout in dealt:
        again = mp.generate("expert", seed=layout.seed)
        assert again == layout
        assert layout.generated_json()["seed"] == layout.seed


def test_without_a_seed_many_layouts_share_one() -> None:
    first, second = mp.generate_many(2, "beginner")
    assert (second.seed, second.number) == (first.seed, 1)
    assert second == mp.generate("beginner", seed=first.seed, number=1)
    other = next(mp.generate_many(1, "expert"))
    assert other != next(mp.generate_many(1, "expert"))


def test_without_a_seed_every_puzzle_is_another_one() -> None:
    exercise = mp.puzzle("partition", level="beginner")
    assert mp.puzzle("partition", level="beginner", seed=exercise.seed).board == exercise.board
    seeds = {mp.puzzle("partition", level="beginner").seed for _ in range(2)}
    assert len(seeds) == 2


# difficulty


@pytest.mark.slow
def test_hard_techniques_are_those_of_the_walk() -> None:
    for number in range(12):
        layout = generate(*EXPERT, number=number, no_guess=True, seed=5)
        for upto in ("single-flag", "elimination", "exhaustive"):
            result = walk(layout, upto=upto)
            hard = [
                step.deduction.technique for step in result.steps if step.deduction.technique not in single_techniques()
            ]
            assert hard_techniques(layout, upto=upto) == (hard, result.solved)


@pytest.mark.parametrize("wanted", [0, (1, 3), (6, None), (None, 2)])
def test_difficulty(wanted: int | tuple[int | None, int | None]) -> None:
    least, most = (wanted, wanted) if isinstance(wanted, int) else wanted
    for number in range(3):
        layout = generate(*BEGINNER, seed=1, number=number, no_guess=True, difficulty=wanted)
        grade = mp.grade(layout)
        assert grade.solved
        assert (least or 0) <= grade.difficulty <= (100 if most is None else most)
        assert grade.as_json()["difficulty"] == grade.difficulty


@pytest.mark.slow
def test_difficulty_with_other_wishes() -> None:
    layout = generate(*BEGINNER, seed=1, no_guess=True, needs="bounds", hardest="bounds", difficulty=(4, 8))
    grade = mp.grade(layout)
    assert (grade.hardest, 4 <= grade.difficulty <= 8) == ("bounds", True)
    weights = {"partition": 1, "bounds": 2}
    assert grade.difficulty == sum(weights.get(name, 0) * times for name, times in grade.used.items())
    with pytest.raises(
        mp.BudgetExceeded,
        match=r"difficulty 300\.\. after .* too easy",
    ):
        generate(*BEGINNER, seed=1, no_guess=True, difficulty=(300, None), budget=0.3)
