"""Long work stops after the caller has cancelled: counted in calls and games, not in seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

import mineproof as mp
from mineproof.base.budget import Budget
from mineproof.engine.answers import Match
from mineproof.simulation.simulator import chunk_size, simulate
from support.engines import KERNEL, needs_kernel
from support.pieces import too_wide

pytestmark = needs_kernel

SIZE = (16, 30, 99)


class Canceller:
    """Cancels at once, and counts how often it is called."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return True


def match(strategy: str) -> Match:
    board = mp.Board.parse("/".join(["#" * 30] * 16), total_mines=99)
    allowed = bytes([0] + [1] * (16 * 30 - 1))
    return Match(board.geometry, board.codes, allowed, 99, 0, strategy, 1)


PLAYING: dict[str, Callable[[Match, Callable[[], bool]], int]] = {
    "simulate": lambda series, stop: KERNEL.simulate(series, range(100), stop)[0].games,
    "record_games": lambda series, stop: len(KERNEL.record_games(series, range(100), stop)[2].games),
    "survive": lambda series, stop: len(KERNEL.survive(series, range(100), stop).weights),
    "watch": lambda series, stop: len(KERNEL.watch(series, range(100), stop).won),
}


@pytest.mark.parametrize("name", PLAYING)
def test_a_game_of_deep_is_given_up_at_the_first_question(name: str) -> None:
    """Such a game takes seconds, and used to be played to its end."""
    stop = Canceller()
    assert PLAYING[name](match("deep"), stop) == 0
    assert stop.asked == 1


def test_games_that_were_finished_are_kept() -> None:
    stop = Canceller()
    sums, won = KERNEL.simulate(match("fast"), range(10_000), stop)
    assert sums.games == len(won) < 10_000
    assert stop.asked == 1
    assert won == KERNEL.simulate(match("fast"), range(sums.games), lambda: False)[1]


def test_deep_is_finished_game_by_game() -> None:
    played = simulate(5, 5, 3, games=3, strategy="deep", seed=1, threads=1)
    assert chunk_size(played) == 1
    seen: list[int] = []
    simulate(5, 5, 3, games=3, strategy="deep", seed=1, threads=1, progress=lambda found: seen.append(found.games))
    assert seen[-1] == 3


def test_a_cancelled_simulation_of_deep_ends_and_can_be_resumed() -> None:
    begun = simulate(*SIZE, games=100, strategy="deep", seed=1, threads=2, cancelled=lambda: True)
    assert begun.games < 100
    assert not begun.is_complete


QUESTIONS: dict[str, Callable[[mp.Board, Budget], object]] = {
    "cell": lambda board, budget: mp.best_move(board, "deep", budget=budget).cell,
    "moves": lambda board, budget: mp.best_move(board, "minesolver", budget=budget).moves,
    "win_probability": lambda board, budget: mp.win_probability(board, budget=budget),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_asks_no_more_once_it_is_cancelled(name: str) -> None:
    board = mp.Board.parse("/".join(["1" + "#" * 8] + ["#" * 9] * 3), total_mines=6)
    stop = Canceller()
    with pytest.raises(mp.BudgetExceeded) as caught:
        QUESTIONS[name](board, Budget(cancelled=stop))
    assert caught.value.limit == "cancelled"
    assert stop.asked <= 2


# memory


@pytest.mark.slow
def test_memory_is_bounded_by_bytes() -> None:
    with pytest.raises(mp.BudgetExceeded, match="the memory limit is reached") as caught:
        mp.analyze(too_wide(), budget=Budget(memory=1 << 20))
    assert caught.value.limit == "memory"
    assert caught.value.as_json()["limit"] == "memory"


@pytest.mark.slow
def test_the_memory_that_suffices_is_the_same_in_every_thread() -> None:
    spent: list[int] = []

    def analyze() -> None:
        try:
            mp.analyze(too_wide(), budget=Budget(memory=1 << 20))
        except mp.BudgetExceeded as error:
            spent.append(error.states)

    analyze()
    mp.analyze(mp.Board.parse("1#/##", total_mines=1))
    threads = [threading.Thread(target=analyze) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(spent) == 4
    assert len(set(spent)) == 1


@pytest.mark.slow
def test_one_position_of_many_may_need_too_much() -> None:
    wide = too_wide()
    codes, totals = np.stack([wide.to_array(), np.full((80, 80), -1, dtype=np.int8)]), [wide.total_mines or 0, 40]
    analyses = mp.analyze_many(codes, total_mines=totals, budget=Budget(memory=1 << 20))
    assert analyses.status.tolist() == [mp.PositionStatus.BUDGET, mp.PositionStatus.OK]
    assert "1,048,576 bytes" in str(analyses.error(0))


def test_exact_counts_need_room_for_their_residues() -> None:
    """Each of many primes has a residue for every box."""
    analysis = mp.analyze(mp.Board.parse("/".join(["1###" * 10, *["####" * 10] * 3] * 10), total_mines=300))
    with pytest.raises(mp.BudgetExceeded) as caught:
        analysis.count_layouts(Budget(memory=1 << 14))
    assert caught.value.limit == "memory"
    assert analysis.layouts > 10**100


def test_optimal_play_needs_room_for_its_layouts() -> None:
    board = mp.Board.parse("/".join(["####"] * 4), total_mines=4)
    assert mp.win_probability(board) > 0
    with pytest.raises(mp.BudgetExceeded) as caught:
        mp.win_probability(board, budget=Budget(memory=1 << 16))
    assert caught.value.limit == "memory"


# boards without a guess


def test_a_no_guess_board_counts_its_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it takes to describe a large board to the kernel is part of the budget."""
    given: list[float] = []
    clock = iter(range(1_000))
    monkeypatch.setattr("mineproof.base.budget.time.monotonic", lambda: float(next(clock)))

    class Engine:
        def __getattr__(self, name: str) -> object:
            return getattr(KERNEL, name)

        def no_guess(self, order: object, seed: int, number: int, budget: Budget) -> object:
            given.append(budget.seconds)
            return KERNEL.no_guess(order, seed, number, Budget())  # type: ignore[arg-type]

    mp.generate(9, 9, 10, seed=1, no_guess=True, start=(4, 4), budget=50.0, engine=Engine())  # type: ignore[call-overload]
    assert given
    assert given[0] < 50.0
