"""Puzzles: positions that need the technique they are for, proved again here, and the same on every machine."""

from datetime import UTC, date, datetime

import pytest

import mineproof as mp
from mineproof.deduction.ladder import LADDER, steps
from mineproof.practice import search
from mineproof.practice.puzzles import GUESS, TECHNIQUES
from mineproof.practice.search import GUESS_MAX_LAYOUTS, GUESS_MIN_MARGIN, daily_puzzle, puzzle, puzzle_at
from support.effort import THOROUGH

RUNGS: list[str] = list(LADDER)
QUICK = [
    (technique, level, seed)
    for technique, level in [
        ("single-open", "expert"), ("single-flag", "expert"), ("partition", "expert"), ("partition", "beginner"),
        ("bounds", "intermediate"), ("total", "beginner"),
    ]
    for seed in range(4)
]  # fmt: skip

# What `puzzle` finds on expert boards with seed 1, where looking for it takes seconds; the part that matters.
RARE = {
    "elimination": (
        "F2F2F3F4211F2121101FF2########/121224FFF1112F2F211344########/00012F3321012222F211FF6#3#2###/"
        "0001F3200001F1135F324FFF32####/11112F111101111FFF4F33544F####/2F112212F20000124F423F3FF4F#1#/"
        "F422F113F4211110234F22F323#3#1/F3F3343F5FF11F101FF4221112##3#/3423FFF3FF31111013F3F1001F22FF/"
        "FF12F422344211111222221122114F/221122101FFF11F11F211F11F1003F/00112F101343223222F2221111003F/"
        "001F211001F12F3F1234F21000002F/0011100012212F3111FF4F42101121/011100001F10111002334FFF101F10/"
        "01F100001110000001F12F42101110",
        {(4, 27), (4, 28), (4, 29)},
    ),
    "contradiction": (
        "001FF310001F112F22F2F101F101F#/1123FF10012212F44F32110222023#/2F21221001F102F3FF322212F101F2/"
        "2F31011101110112333FF3F211012#/23F224F3221011101F334F3211223#/F213FFF3FF101F21212F323F12FF3F/"
        "2202F4222210112F10223F2113F###/F201110011211011102F311002F3#1/F31000001F2F2100002F2011222211/"
        "4F3110112233F1001132323F2F11#1/FF4F102F22F311002F3F3FF33223#2/4F64312F44F200002F32##3##2##F2/"
        "2FFFF112FF3210113233##########/23432101233F102F3F3FF#########/2F20011101F3202F32############/"
        "2F2001F1012F101111############",
        {(6, 27), (6, 29)},
    ),
    "exhaustive": (
        "001111F3F311FF1001F3F3110012F1/002F4323FF2133211324F5F2012F32/002FFF223F422F12F4F22FF201F3F1/"
        "002343F333FF2224FF321221011322/001F123FF22211F3F5F310000001F1/001111F32222122424FF2122101332/"
        "1110011112FF22F2F23F21FF212FF1/1F2100001F33F322111112332F3321/12F2222234322F10111001F223F100/"
        "023F2FF2FFF222211F100112F21100/01F33223343F11F122201111110111/012F1001F23321222F223F100001F1/"
        "0012221212FF223F423FF210011211/0001F2F21224F4FF##4#432101F210/00122213F202F#######4FF2123F21/"
        "001F1002F2012#########F21F212F",
        {(13, 16), (13, 19), (14, 14), (14, 15), (14, 16), *((15, column) for column in range(13, 19))},
    ),
}


@pytest.mark.parametrize("technique", RARE)
def test_rare_techniques(technique: str) -> None:
    text, solution = RARE[technique]
    result = puzzle_at(mp.Board.parse(text, total_mines=99), technique)
    assert result is not None
    assert result.solution == solution
    assert mp.deduce(result.board, upto=RUNGS[RUNGS.index(technique) - 1]) == []
    assert solution <= mp.analyze(result.board).safe


@pytest.mark.slow
@pytest.mark.parametrize("technique", RARE if THOROUGH else ["elimination"])
def test_rare_techniques_are_found(technique: str) -> None:
    text, solution = RARE[technique]
    exercise = puzzle(technique, seed=1)
    assert exercise.board == mp.Board.parse(text, total_mines=99)
    assert exercise.solution == solution


@pytest.mark.parametrize(("technique", "level", "seed"), QUICK)
def test_nothing_easier_helps_and_the_technique_does(technique: str, level: str, seed: int) -> None:
    exercise = puzzle(technique, level=level, seed=seed)
    board, place = exercise.board, RUNGS.index(technique)
    if place:
        assert mp.deduce(board, upto=RUNGS[place - 1]) == []
    assert exercise.deduction is not None
    assert exercise.deduction == next(steps(board, upto=technique, by_rung=True))
    assert exercise.deduction.technique == technique
    assert (exercise.technique, exercise.level, exercise.seed) == (technique, level, seed)


@pytest.mark.parametrize(("technique", "level", "seed"), QUICK)
def test_the_solution_is_all_that_the_technique_tells(technique: str, level: str, seed: int) -> None:
    exercise = puzzle(technique, level=level, seed=seed)
    told, exact = mp.deduce(exercise.board, upto=technique), mp.analyze(exercise.board)
    if technique == "single-flag":
        assert exercise.kind == "flag"
        assert exercise.solution == frozenset(cell for step in told for cell in step.mines)
        assert exercise.solution <= exact.mines
    else:
        assert exercise.kind == "open"
        assert exercise.solution == frozenset(cell for step in told for cell in step.safe)
        assert exercise.solution <= exact.safe
    assert exercise.solution


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_best_guess_is_not_the_safest(seed: int) -> None:
    exercise = puzzle(GUESS, level="intermediate", seed=seed)
    exact, worth = mp.analyze(exercise.board), mp.optimal_moves(exercise.board)
    assert not exact.safe
    assert not exact.mines
    assert exact.layouts <= GUESS_MAX_LAYOUTS
    best = max(worth.values())
    assert exercise.solution == {cell for cell, value in worth.items() if value == best}
    odds = {cell: exact.exact(*cell) for cell in worth}
    safest = [cell for cell, chance in odds.items() if chance == min(odds.values())]
    assert max(worth[cell] for cell in safest) <= best - GUESS_MIN_MARGIN
    assert (exercise.kind, exercise.deduction) == ("guess", None)
    assert exercise.move is not None
    assert exercise.move.cell in exercise.solution


def test_flags_are_mines_that_are_certain() -> None:
    for seed in range(8):
        exercise = puzzle("partition", seed=seed)
        flags = frozenset(exercise.board.cells(mp.FLAGGED))
        assert flags <= mp.analyze(exercise.board.without_flags()).mines


def test_the_same_puzzle_for_the_same_arguments() -> None:
    """A puzzle is promised to stay what it is: this board must not change."""
    exercise = puzzle("bounds", level="beginner", seed=7)
    assert str(exercise.board).split("\n") == [
        "9x9x10", "1111#####", "##2######", "112F34F##", "001112FFF", "000001232", "001221000", "001FF1000",
        "001221000", "000000000",
    ]  # fmt: skip
    assert exercise.solution == {(0, 4)}
    assert exercise.games == 5
    assert puzzle("bounds", level="9x9x10", seed=7) == exercise
    assert puzzle("bounds", level="beginner", seed=8).board != exercise.board


def test_techniques_are_of_different_games() -> None:
    starts = {search._layout_seed(technique, 3) for technique in TECHNIQUES}
    assert len(starts) == len(TECHNIQUES)


def test_without_a_technique_the_seed_decides() -> None:
    drawn = [search._draw_technique(seed) for seed in range(100)]
    assert set(drawn) == set(TECHNIQUES)
    seed = drawn.index("partition")
    assert puzzle(level="beginner", seed=seed) == puzzle("partition", level="beginner", seed=seed)


def test_the_kernel_and_the_reference_make_the_same_puzzle() -> None:
    for technique in ("partition", "bounds"):
        slow = puzzle(technique, level="6x6x6", seed=2, engine=mp.engine_named("reference"))
        assert slow == puzzle(technique, level="6x6x6", seed=2, engine=mp.engine_named("kernel"))


# positions that are given


def test_a_position_that_is_no_puzzle() -> None:
    easy = mp.Board.parse("#1/11", total_mines=1)
    assert puzzle_at(easy, "partition") is None
    assert puzzle_at(mp.Board.parse("1#/##", total_mines=1), "exhaustive") is None
    assert puzzle_at(mp.Board.parse("###/121", total_mines=2), GUESS) is None


def test_a_position_is_the_puzzle_that_was_found() -> None:
    for technique in ("single-flag", "bounds"):
        exercise = puzzle(technique, seed=1)
        again = puzzle_at(exercise.board, technique)
        assert again is not None
        assert (again.solution, again.steps, again.kind) == (exercise.solution, exercise.steps, exercise.kind)


def test_where_the_first_step_finds_mines_there_is_nothing_to_open_yet() -> None:
    board = mp.Board.parse("####/1221")
    first = next(steps(board, by_rung=True))
    assert (first.technique, first.safe) == ("partition", frozenset())
    assert puzzle_at(board, "partition") is None


# the day


@pytest.mark.parametrize(
    ("day", "technique"),
    [(date(2026, 11, 16), "partition"), (date(2026, 11, 17), "bounds"), (date(2026, 11, 19), "total")],
)
def test_the_daily_puzzle_depends_on_the_date_alone(day: date, technique: str) -> None:
    result = daily_puzzle(day)
    assert (result.technique, result.level, result.day) == (technique, "expert", day)
    assert result.seed == int(day.isoformat().replace("-", ""))
    assert result.board == puzzle(technique, seed=result.seed).board


def test_the_daily_puzzle_of_a_moment_is_that_of_its_day() -> None:
    day = date(2026, 11, 16)
    assert daily_puzzle(datetime(2026, 11, 16, 23, 59, tzinfo=UTC)) == daily_puzzle(day)


def test_today_is_that_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            assert tz is UTC
            return datetime(2026, 11, 16, 12, tzinfo=UTC)

    monkeypatch.setattr(search, "datetime", Clock)
    assert daily_puzzle().day == date(2026, 11, 16)


# what cannot be had


def test_the_budget_says_how_many_positions_were_looked_at() -> None:
    with pytest.raises(
        mp.BudgetExceeded, match=r"^Found no guess puzzle \([\d,]+ positions? of [\d,]+ games? searched\)\. "
    ):
        puzzle(GUESS, level="4x4x1", budget=0.3, seed=0)


def test_a_search_can_be_cancelled() -> None:
    with pytest.raises(mp.BudgetExceeded, match="Cancelled") as caught:
        puzzle(GUESS, level="4x4x1", budget=mp.Budget(cancelled=lambda: True), seed=0)
    assert caught.value.limit == "cancelled"


@pytest.mark.parametrize(("level", "found"), [("9x9x0", "9 × 9, 0 mines"), ("1x1x1", "1 × 1, 1 mine")])
def test_levels_without_puzzles(level: str, found: str) -> None:
    with pytest.raises(mp.BoardSyntaxError, match=f"^expected at least one mine and one free cell, got {found}$"):
        puzzle("partition", level=level, seed=0)


def test_boards_that_are_too_large_are_refused_at_once() -> None:
    with pytest.raises(mp.BudgetExceeded, match=r"up to 10,000 cells, got 40,000$") as caught:
        puzzle("bounds", level="200x200x6000", seed=0)
    assert caught.value.limit == "size"


def test_unknown_names() -> None:
    with pytest.raises(ValueError, match=r"^technique must be one of single-open, .*, guess, got 'guesses'$"):
        puzzle("guesses", seed=0)
    with pytest.raises(mp.BoardSyntaxError, match=r"^expected beginner, .*, got 'hard'$"):
        puzzle("partition", level="hard", seed=0)


# JSON


@pytest.mark.slow
def test_json_with_and_without_the_solution() -> None:
    exercise = puzzle("partition", level="beginner", seed=4)
    shown = exercise.as_json()
    assert shown["solution"] == sorted(map(list, exercise.solution))
    assert exercise.deduction is not None
    assert shown["deduction"] == exercise.deduction.as_json()
    hidden = exercise.as_json(solution=False)
    assert {name for name, value in shown.items() if dict(hidden)[name] != value} == {"solution", "deduction"}
    guess = puzzle(GUESS, level="intermediate", seed=0)
    assert guess.move is not None
    assert guess.as_json()["best"] == guess.move.as_json()
    assert guess.as_json(solution=False)["best"] is None


def test_a_repr_does_not_tell_the_solution() -> None:
    exercise = puzzle("bounds", level="beginner", seed=7)
    assert repr(exercise) == "<Puzzle: bounds, beginner, seed 7; open>"
