"""Simulations: the same answer however they are played, and the right one where it can be worked out by hand."""

import math
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from mineproof.analysis.analysis import analyze
from mineproof.base import work
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.strategy_table import strategies
from mineproof.errors import BoardSyntaxError, EngineMissing, IllegalMoveError
from mineproof.simulation import chunks as chunks_module
from mineproof.simulation.chunks import chunks
from mineproof.simulation.comparison import compare
from mineproof.simulation.results import LOG_UNIT, Simulation, Tally
from mineproof.simulation.simulator import CHUNK, chunk_size, simulate
from support.engines import REFERENCE, needs_kernel

BEGINNER: dict[str, Any] = {"rows": 9, "columns": 9, "mines": 10, "seed": 1}
KERNEL = needs_kernel


def first_covered(board: Board) -> Cell:
    return next(board.cells(COVERED))


def safe_or_first_covered(board: Board) -> Cell:
    return min(analyze(board).safe, default=first_covered(board))


# the same answer


@KERNEL
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("first_click", ["any", "safe", "open"])
def test_threads_change_nothing(threads: int, first_click: Any) -> None:
    alone = simulate(**BEGINNER, games=10 * CHUNK + 7, first_click=first_click, threads=1)
    assert alone.games == alone.asked == 10 * CHUNK + 7
    assert simulate(**BEGINNER, games=10 * CHUNK + 7, first_click=first_click, threads=threads) == alone


def test_bounds_of_chunks_depend_on_the_numbers_alone() -> None:
    assert list(chunks(3, 11, 4)) == [range(3, 4), range(4, 8), range(8, 11)]
    assert list(chunks(8, 8, 4)) == []


@KERNEL
def test_large_boards_are_finished_game_by_game() -> None:
    """An interrupted simulation of such boards keeps more than whole chunks of 64 games."""
    sizes = []
    for side in (16, 32, 33, 100, 300):
        series = Simulation(rows=side, columns=side, mines=1, first_click="safe", start=(0, 0), strategy="fast", seed=0,
                            first_game=0, asked=1, tally=Tally(), outcomes=b"")  # fmt: skip
        sizes.append(chunk_size(series))
    assert sizes == [CHUNK, CHUNK, CHUNK // 2, 4, 1]
    messages: list[int] = []
    simulate(300, 300, 900, games=3, threads=1, progress=lambda found: messages.append(found.games))
    assert messages[-1] == 3


@KERNEL
def test_no_more_threads_than_there_is_work_for(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[int] = []
    pool = ThreadPoolExecutor

    def counting(threads: int) -> Any:
        requests.append(threads)
        return pool(threads)

    monkeypatch.setattr(work, "ThreadPoolExecutor", counting)
    result = simulate(**BEGINNER, games=3 * CHUNK - 1, threads=1_000_000)
    assert requests == [3]
    assert result == simulate(**BEGINNER, games=3 * CHUNK - 1, threads=1)
    simulate(**BEGINNER, games=3 * CHUNK - 1, threads=1_000_000, resume=result)
    assert requests[-1] == 1


@KERNEL
def test_another_seed_is_another_series() -> None:
    one, other = (simulate(9, 9, 10, games=500, seed=seed) for seed in (1, 2))
    assert one.outcomes != other.outcomes


@KERNEL
def test_later_games_can_be_played_alone_and_merged() -> None:
    whole = simulate(**BEGINNER, games=4 * CHUNK)
    head = simulate(**BEGINNER, games=CHUNK)
    tail = simulate(**BEGINNER, games=3 * CHUNK, first_game=CHUNK)
    assert (tail.won == whole.won[CHUNK:]).all()
    assert head.merge(tail) == whole
    with pytest.raises(ValueError, match=f"expected .* starts with game {4 * CHUNK}, got one from game 0"):
        whole.merge(head)
    with pytest.raises(ValueError, match="must have the same seed"):
        head.merge(replace(tail, seed=2))


# stopping and going on


def stops_after(looks: int) -> Callable[[], bool]:
    seen = count(1)
    return lambda: next(seen) >= looks


@KERNEL
def test_resumed_is_the_same_as_uninterrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks_module, "POLL", 0.001)
    monkeypatch.setattr(work, "POLL", 0.001)
    series: dict[str, Any] = {"games": 20 * CHUNK, "seed": 5}
    whole = simulate(**series)
    parts = simulate(**series, threads=1, cancelled=stops_after(3))
    assert 0 <= parts.games < parts.asked == 20 * CHUNK
    assert parts.games % CHUNK == 0
    assert (parts.won == whole.won[: parts.games]).all()
    while not parts.is_complete:
        stored = Simulation.from_json(parts.to_json())
        parts = simulate(**series, threads=2, resume=stored, cancelled=stops_after(30))
    assert parts == whole
    timeless = {"cpu_seconds": 0, "seconds": 0}
    assert parts.as_json() | timeless == whole.as_json() | timeless
    assert parts.cpu_seconds > 0


def test_cancelled_keeps_whole_games_of_a_python_strategy() -> None:
    played: list[Board] = []

    def strategy(board: Board) -> Cell:
        played.append(board)
        return first_covered(board)

    result = simulate(2, 2, 1, games=10_000, strategy=strategy, cancelled=lambda: len(played) > 20)
    assert 0 < result.games < 10_000
    assert result.wins == np.count_nonzero(result.won)
    assert result == replace(simulate(2, 2, 1, games=result.games, strategy=strategy), asked=10_000)


def test_nothing_finished_is_an_answer_too() -> None:
    result = Simulation(rows=9, columns=9, mines=10, first_click="safe", start=(0, 0), strategy="fast", seed=0,
                       first_game=0, asked=5, tally=Tally(), outcomes=b"")  # fmt: skip
    assert math.isnan(result.win_rate)
    assert result.as_json()["win_rate"] is result.moves_per_win is result.survived_odds is None
    assert result.as_json()["interval"] == [0, 1]
    assert Simulation.from_json(result.to_json()) == result


@KERNEL
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 2}, "a simulation that was started with seed=1, not 2."),
        ({"mines": 11}, "a simulation that was started with mines=10, not 11."),
        ({"strategy": "minesolver"}, "a simulation that was started with strategy='fast', not 'minesolver'."),
        ({"first_click": "open"}, "a simulation that was started with first_click='safe', not 'open'."),
        ({"games": 60}, "games must be at least 100, .* got 60"),
    ],
)
def test_only_the_same_simulation_is_resumed(change: dict[str, Any], message: str) -> None:
    done = simulate(**BEGINNER, games=100)
    with pytest.raises(ValueError, match=message):
        simulate(**{**BEGINNER, "games": 200, **change}, resume=done)


@KERNEL
def test_progress_tells_what_is_finished() -> None:
    messages: list[Simulation] = []
    result = simulate(16, 30, 99, games=20 * CHUNK, seed=1, progress=messages.append, threads=2)
    assert messages[-1] == result
    assert [part.games for part in messages] == sorted(part.games for part in messages)
    assert all((part.won == result.won[: part.games]).all() for part in messages)
    assert all(part.asked == 20 * CHUNK for part in messages)


def test_what_progress_raises_ends_it() -> None:
    def fail(_: Simulation) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        simulate(2, 2, 1, games=10_000, strategy=first_covered, progress=fail)


# right by hand


@KERNEL
@pytest.mark.parametrize("strategy", ["fast", "minesolver", first_covered])
def test_the_last_safe_cell_is_won_by_the_first_click(strategy: Any) -> None:
    result = simulate(2, 3, 5, games=70, strategy=strategy)
    assert (result.wins, result.win_rate, result.guesses_per_win, result.survived_odds) == (70, 1, 1, 1)
    assert result.forced_guesses_per_win == result.needless_guesses_per_win == 0
    assert result.guesses_per_game == 1


@KERNEL
@pytest.mark.parametrize("strategy", ["fast", first_covered])
def test_a_board_without_mines_takes_one_move(strategy: Any) -> None:
    result = simulate(5, 7, 0, games=10, strategy=strategy, first_click="any")
    assert (result.wins, result.moves_per_win, result.guesses_per_win, result.survived_odds) == (10, 1, 1, 1)


@KERNEL
@pytest.mark.parametrize("strategy", ["fast", first_covered])
def test_a_toss_of_a_coin(strategy: Any) -> None:
    """One mine in two cells, and nothing kept free: a game is won where the mine is elsewhere."""
    result = simulate(1, 2, 1, games=300, strategy=strategy, first_click="any", seed=9)
    assert result.survived_odds == pytest.approx(0.5)
    assert 0.4 < result.interval.low < 0.5 < result.interval.high < 0.6
    again = simulate(1, 2, 1, games=300, strategy=strategy, first_click="any", start=(0, 1), seed=9)
    assert (again.won == ~result.won).all()


@KERNEL
def test_kernel_and_python_play_the_same_games() -> None:
    """On 2 × 2 with one mine all choices are alike, and both take the first: two guesses after the first click."""
    kernel, python = (simulate(2, 2, 1, games=600, strategy=who, seed=4) for who in ("fast", first_covered))
    assert kernel.outcomes == python.outcomes
    assert kernel.tally.guesses == python.tally.guesses == 3 * kernel.wins
    assert kernel.tally.all_guesses == python.tally.all_guesses
    assert kernel.forced_guesses_per_win == python.forced_guesses_per_win == 2
    assert kernel.survived_odds == pytest.approx(1 / 3)
    assert python.survived_odds == pytest.approx(1 / 3)
    assert kernel.interval.low < 1 / 3 < kernel.interval.high
    assert python.moves_per_win == 3  # a function opens cells only; the kernel's strategies flag too
    assert compare(kernel, python).only_first == compare(kernel, python).only_second == 0


@KERNEL
@pytest.mark.parametrize("topology", ["grid", "torus", "hex"])
@pytest.mark.parametrize("first_click", ["any", "safe", "open"])
def test_kernel_and_python_deal_the_same_layouts(topology: Any, first_click: Any) -> None:
    """One mine on an odd board: most games are won by knowledge alone, and all others by luck that is the layout's."""
    board: dict[str, Any] = {"rows": 6, "columns": 7, "mines": 1, "topology": topology, "first_click": first_click,
                             "absent": [(0, 0), (2, 2)], "games": 200, "seed": 3}  # fmt: skip
    kernel, python = (simulate(**board, strategy=who) for who in ("fast", safe_or_first_covered))
    assert kernel.start == python.start == ((1, 2) if first_click == "open" else (0, 1))
    assert (kernel.won & python.won).mean() > 0.9
    hit = [kernel.start in kernel.layout(number).mines for number in range(200)]
    assert any(hit) == (first_click == "any")
    assert not (kernel.won | python.won)[hit].any()


@KERNEL
@pytest.mark.parametrize("topology", ["grid", "torus", "hex"])
def test_a_random_first_click_is_the_same_in_kernel_and_python(topology: Any) -> None:
    """All but one cell are mines: a game is won if its first click is at that cell, and by nothing else."""
    board: dict[str, Any] = {"rows": 2, "columns": 3, "mines": 4, "topology": topology, "absent": [(0, 1)],
                             "first_click": "any", "start": "random", "games": 400, "seed": 8}  # fmt: skip
    kernel, python = (simulate(**board, strategy=who) for who in ("fast", first_covered))
    assert kernel.outcomes == python.outcomes
    hit = [kernel.start_cell(number) not in kernel.layout(number).mines for number in range(400)]
    assert kernel.won.tolist() == hit
    assert {kernel.start_cell(number) for number in range(400)} == set(kernel.board.cells())
    assert kernel.survived_odds == pytest.approx(1 / 5)
    assert kernel.interval.low < 1 / 5 < kernel.interval.high


@KERNEL
def test_a_random_first_click_changes_neither_layouts_nor_lots() -> None:
    """Where it falls on the default cell by chance, the game is the same as with that cell required."""
    wish: dict[str, Any] = {"strategy": "minesolver", "first_click": "any", "games": 2000}
    drawn, fixed = simulate(3, 3, 2, **wish, start="random"), simulate(3, 3, 2, **wish)
    assert all(drawn.layout(number).mines == fixed.layout(number).mines for number in range(20))
    same = [number for number in range(2000) if drawn.start_cell(number) == fixed.start]
    assert 150 < len(same) < 300
    assert (drawn.won[same] == fixed.won[same]).all()
    assert drawn.outcomes != fixed.outcomes
    assert simulate(3, 3, 2, **wish, start="random", threads=3) == drawn
    part = simulate(3, 3, 2, **wish | {"games": 1024}, start="random")
    assert simulate(3, 3, 2, **wish, start="random", resume=Simulation.from_json(part.to_json())) == drawn
    with pytest.raises(ValueError, match="must have the same start"):
        compare(drawn, fixed)


def test_forced_guesses_are_told_from_needless_ones() -> None:
    """Three cells in a row with one mine: from the middle nothing is certain, from an end everything is."""
    forced = simulate(1, 3, 1, games=100, strategy=first_covered, start=(0, 1))
    assert 0 < forced.wins < 100
    assert (forced.forced_guesses_per_win, forced.needless_guesses_per_win) == (1, 0)
    certain = simulate(1, 3, 1, games=100, strategy=safe_or_first_covered)
    assert (certain.wins, certain.forced_guesses_per_win, certain.needless_guesses_per_win) == (100, 0, 0)


def test_needless_guesses_are_counted() -> None:
    """By a strategy that prefers a risk to a safe cell and keeps its own account, game by game."""
    account: list[tuple[bool, float]] = []  # was it needless? the chance of surviving it

    def daredevil(board: Board) -> Cell:
        analysis = analyze(board)
        risks = [cell for cell in board.cells(COVERED) if cell not in analysis.safe | analysis.mines]
        cell = min(risks, key=lambda cell: analysis.mine_probability[cell], default=min(analysis.safe, default=(0, 0)))
        if risks:
            account.append((bool(analysis.safe), 1 - float(analysis.mine_probability[cell])))
        return cell

    won = needless = 0
    for number in range(60):
        account.clear()
        analysis = simulate(5, 5, 4, games=1, first_game=number, strategy=daredevil)
        assert analysis.tally.all_guesses == 1 + len(account)
        if analysis.wins:
            won += 1
            needless += sum(kind for kind, _ in account)
            assert analysis.needless_guesses_per_win == sum(kind for kind, _ in account)
            assert analysis.forced_guesses_per_win == sum(not kind for kind, _ in account)
            assert analysis.survived_odds == pytest.approx(math.prod(chance for _, chance in account))
    assert 0 < won < 60
    assert needless > 0


@pytest.mark.parametrize("first", [(0, 0), (4, 4), (2, 3)])
@pytest.mark.parametrize("first_click", ["safe", "open"])
def test_a_first_click_that_is_kept_free_never_loses(first: Cell, first_click: Any) -> None:
    """Every game survives until its second cell; with ``open`` the first one shows 0."""
    games = 0

    def strategy(board: Board) -> Cell:
        nonlocal games
        games += 1
        assert board[first] >= 0
        assert first_click == "safe" or board[first] == 0
        return next(board.cells(COVERED)) if games % 2 else list(board.cells(COVERED))[-1]

    for number in range(30):
        before = games
        simulate(5, 5, 12, games=1, first_game=number, strategy=strategy, first_click=first_click, start=first)
        assert games > before


def test_a_strategy_sees_no_mines() -> None:
    def strategy(board: Board) -> Cell:
        assert type(board) is Board
        assert board.total_mines == 4
        assert {code - 256 if code > 127 else code for code in board.codes} <= {*range(9), COVERED}
        assert not hasattr(board, "layout")
        return first_covered(board)

    assert simulate(4, 4, 4, games=20, strategy=strategy).games == 20


def test_crowded_boards_have_as_few_mines_as_can_be_around_the_first_click() -> None:
    """20 mines on 5 × 5: 16 cells are far from the middle, so 4 mines touch it."""

    def strategy(board: Board) -> Cell:
        assert board[2, 2] == 4
        return first_covered(board)

    assert simulate(5, 5, 20, games=5, strategy=strategy, first_click="open", start=(2, 2)).games == 5


# what cannot be


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"strategy": "lucky"}, "strategy must be one of fast, strong, .*, got 'lucky'"),
        ({"first_click": "never"}, "first_click must be one of any, safe, open, got 'never'"),
        ({"games": 0}, "games must be at least 1, got 0"),
        ({"threads": 0}, "threads must be at least 1, got 0"),
        ({"seed": -1}, r"seed must be from 0 to 2\*\*64 - 1, got -1"),
        ({"first_game": -1, "games": 5}, "first_game must be at least 0, got -1"),
        ({"first_game": 2**62 - 4, "games": 5}, r"first_game \+ games must be at most 2\*\*62, got \d+ \+ 5"),
        ({"start": "random"}, "start must be a cell, or 'random' with first_click='any', got start='random'"),
        ({"start": "middle", "first_click": "any"}, r"start must be \(row, column\) or 'random', got 'middle'"),
        ({"mines": 81}, "expected 0 to 80 mines besides the first click, got 81"),
        ({"start": (9, 0)}, r"expected a cell on the 9 × 9 board, got \(9,0\)"),
        ({"start": (1, 1), "absent": [(1, 1)]}, r"got \(1,1\), which is not part of it"),
        ({"topology": "disc"}, "topology must be one of grid, torus, hex, .*, got 'disc'"),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate(**{**BEGINNER, **wrong})


@pytest.mark.parametrize("wrong", [(1, 2, 3), 4, (1,), (1.0, 2), ("1", "2")])
def test_a_start_that_is_no_cell_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(f'start must be a cell (row, column), got {wrong!r}')}$"):
        simulate(**BEGINNER, start=wrong)


@KERNEL
def test_the_kernel_refuses_boards_too_crowded_to_open() -> None:
    with pytest.raises(BoardSyntaxError, match=r"expected at most 16 mines besides .*, got 17"):
        simulate(5, 5, 17, games=1, first_click="open", start=(2, 2))
    assert simulate(3, 3, 5, games=1, first_click="open", start=(1, 1)).games == 1  # nothing is far: around it, then


def test_the_reference_plays_functions_only() -> None:
    with pytest.raises(EngineMissing, match="can simulate Python functions"):
        simulate(**BEGINNER, games=10, engine=REFERENCE)
    assert simulate(2, 2, 1, games=10, strategy=first_covered, engine=REFERENCE).games == 10


@pytest.mark.parametrize("choice", [(0, 0), (2, 0), (0,), None, "up"])
def test_a_strategy_that_chooses_no_covered_cell_is_told(choice: Any) -> None:
    with pytest.raises(IllegalMoveError, match=r"game 0: expected a covered cell from python:.*, got"):
        simulate(2, 2, 1, games=10, strategy=lambda _: choice)


def test_what_a_strategy_raises_comes_out() -> None:
    def strategy(_: Board) -> Cell:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        simulate(2, 2, 1, games=1000, strategy=strategy)


# comparing


@KERNEL
def test_compared_on_the_same_games() -> None:
    fast, other = (simulate(**BEGINNER, games=600, strategy=who) for who in ("fast", "minesolver"))
    pair = compare(fast, other)
    assert pair.both + pair.only_first == fast.wins
    assert pair.both + pair.only_second == other.wins
    assert pair.only_first > 0 < pair.only_second
    assert pair.difference == pytest.approx((fast.wins - other.wins) / 600)
    assert pair.interval.low < (fast.wins - other.wins) / 600 < pair.interval.high
    assert compare(fast, fast).difference == 0
    document = pair.as_json()
    assert document["neither"] == 600 - pair.both - pair.only_first - pair.only_second
    assert document["strategies"] == ["fast", "minesolver"]


@KERNEL
def test_games_that_only_one_has_played_are_left_out() -> None:
    fast, other = simulate(**BEGINNER, games=600), simulate(**BEGINNER, games=200, strategy="minesolver")
    assert compare(fast, other).games == compare(other, fast).games == 200
    with pytest.raises(ValueError, match="must have the same mines, first_click"):
        compare(fast, replace(other, mines=11, first_click="open"))
    with pytest.raises(ValueError, match="start at different games: 0 and 5"):
        compare(fast, replace(other, first_game=5))


# numbers and JSON

MADE = Simulation(
    rows=4, columns=5, mines=4, topology="hex", absent=frozenset([(0, 0)]), first_click="any", start=(1, 1),
    strategy="fast", seed=2**64 - 1, first_game=7, asked=20,
    tally=Tally(wins=2, moves=30, guesses=8, needless=1, all_guesses=33, survived=-round(3 / LOG_UNIT), fallbacks=4),
    outcomes=bytes([0, 1, 0, 0, 0, 0, 0, 0, 1, 0]), cpu_seconds=0.5, seconds=0.25,
)  # fmt: skip


def test_averages() -> None:
    assert (MADE.games, MADE.wins, MADE.win_rate) == (10, 2, 0.2)
    assert (MADE.moves_per_win, MADE.guesses_per_win, MADE.guesses_per_game) == (15, 4, 3.3)
    assert (MADE.forced_guesses_per_win, MADE.needless_guesses_per_win) == (2.5, 0.5)
    assert MADE.survived_odds == pytest.approx(math.exp(-1.5) * 15 / 19)  # and the first click was one in 19, 4 mines
    assert MADE.cpu_seconds_per_game == 0.05
    assert np.flatnonzero(MADE.won).tolist() == [1, 8]
    assert not MADE.won.flags.writeable


@KERNEL
@pytest.mark.parametrize("strategy", ["minedetector", "fair", "go"])
def test_who_weighs_no_guesses_is_known(strategy: str) -> None:
    result = simulate(5, 5, 3, games=20, strategy=strategy)
    assert result.wins
    assert not result.weighed
    assert result.forced_guesses_per_win is result.needless_guesses_per_win is result.survived_odds is None
    assert result.as_json()["weighed"] is False
    assert Simulation.from_json(result.to_json()) == result


@KERNEL
@pytest.mark.parametrize("strategy", ["fast", "strong", "best", "minesolver", first_covered])
def test_who_weighs_guesses_is_known(strategy: Any) -> None:
    result = simulate(5, 5, 3, games=5, strategy=strategy)
    assert result.weighed
    assert result.as_json()["weighed"] is True


@pytest.mark.parametrize("strategy", ["minedetector", "fair", "go"])
def test_what_a_strategy_does_not_know_is_not_told(strategy: str) -> None:
    changed = replace(MADE, strategy=strategy, weighed=False)
    assert changed.forced_guesses_per_win is changed.needless_guesses_per_win is changed.survived_odds is None
    assert changed.guesses_per_win == 4


def test_json_of_a_random_first_click() -> None:
    drawn = replace(MADE, start="random")
    assert drawn.as_json()["start"] == "random"
    assert Simulation.from_json(drawn.to_json()) == drawn


def test_json_round_trip() -> None:
    again = Simulation.from_json(MADE.to_json())
    assert again == MADE
    assert (again.cpu_seconds, again.seconds) == (0.5, 0.25)
    assert again.to_json() == MADE.to_json()


@KERNEL
def test_json_has_the_keys_of_the_contract() -> None:
    document = simulate(**BEGINNER, games=100).as_json()
    keys = ["schema", "rows", "columns", "mines", "first_click", "strategy", "seed", "games", "wins", "win_rate",
            "interval", "moves_per_win", "guesses_per_win", "cpu_seconds"]  # fmt: skip
    assert [key for key in document if key in keys] == keys
    assert document["schema"] == "mineproof/simulation/1"
    assert "absent" not in document


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"games":10', '"games":30', "expected 0 to 20 in `games` .*, got 30"),
        ('"games":10', '"games":17', "expected 17 bits in `won`, .* got 16"),
        ('"tally":{"wins":2', '"tally":{"wins":3', "expected 2 wins in `tally`, as in `won`, got 3"),
        ('"first_click":"any"', '"first_click":"all"', r"Invalid enum value 'all' - at `\$.first_click`"),
        ('"mines":4', '"mines":40', "expected 0 to 18 mines besides the first click, got 40"),
        ("simulation/1", "simulation/2", "Invalid value 'mineproof/simulation/2'"),
        ('"won":"', '"won":"?', "JSON"),
        ("{", "[", "JSON"),
    ],
)
def test_json_that_is_wrong_is_refused(old: str, new: str, message: str) -> None:
    text = MADE.to_json()
    assert old in text
    with pytest.raises(BoardSyntaxError, match=message):
        Simulation.from_json(text.replace(old, new, 1))


@KERNEL
@pytest.mark.parametrize("strategy", [each.name for each in strategies()])
def test_every_strategy_plays(strategy: str) -> None:
    result = simulate(9, 9, 10, games=20, strategy=strategy, seed=2)
    assert result.games == 20
    assert result.strategy == strategy
    assert simulate(9, 9, 10, games=20, strategy=strategy, seed=2, threads=1) == result
