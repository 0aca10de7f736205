"""Tournaments: the same answer however they are played, kept and resumed; and what they refuse."""

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from mineproof.analysis.analysis import Analysis
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.errors import BoardSyntaxError, EngineMissing, IllegalMoveError
from mineproof.simulation import chunks
from mineproof.simulation.tournaments import MIN_GAMES, STEP, TOURNAMENT_CHUNK, tournament
from mineproof.simulation.weighted_results import Tournament
from support.engines import REFERENCE, needs_kernel

pytestmark = needs_kernel

BEGINNER: dict[str, Any] = {"rows": 9, "columns": 9, "mines": 10, "seed": 1}
PAIR = ("strong", "fast")


def careful(board: Board, analysis: Analysis) -> Cell:
    return min(board.cells(COVERED), key=lambda cell: (analysis.mine_probability[cell], cell))


class Many:
    """The same for many games at once."""

    def choose_many(self, boards: Any, analyses: Any) -> Any:
        odds = np.where(boards == COVERED, analyses.mine_probability, 2)
        return np.stack(np.divmod(odds.reshape(len(boards), -1).argmin(axis=1), boards.shape[2]), axis=1)


class Gambler:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def __call__(self, board: Board, analysis: Analysis) -> Cell:
        return self.random.choice(sorted(analysis.safe) or list(board.cells(COVERED)))


# the same answer


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("first_click", ["any", "safe", "open"])
def test_threads_change_nothing(threads: int, first_click: Any) -> None:
    alone, many = (
        tournament(**BEGINNER, strategies=PAIR, games=10 * TOURNAMENT_CHUNK + 7, first_click=first_click, threads=item)
        for item in (1, threads)
    )
    assert alone.games == 10 * TOURNAMENT_CHUNK + 7
    assert alone == many


def test_a_player_plays_the_same_whoever_else_plays() -> None:
    both = tournament(**BEGINNER, strategies=PAIR, games=100)
    for place, name in enumerate(PAIR):
        assert tournament(**BEGINNER, strategies=[name], games=100).players[0] == both.players[place]
    later = tournament(**BEGINNER, strategies=PAIR, games=50, first_game=50)
    assert (later.players[1].weights == both.players[1].weights[50:]).all()


def test_a_strategy_does_not_differ_from_itself() -> None:
    result = tournament(**BEGINNER, strategies=["go", "go", "fast"], games=300)
    assert (result.players[0].weights == result.players[1].weights).all()
    same, apart = result.difference(0, 1), result.difference(0, 2)
    assert (same.value, same.standard_error) == (0, 0)
    assert same.interval == (-0.01, 0.01)  # by the rule of three
    assert apart.standard_error is not None
    assert apart.standard_error > 0
    back = result.difference(2, 0).value
    assert apart.value is not None
    assert back is not None
    assert apart.value == pytest.approx(-back)


def test_any_first_click_has_its_odds_first() -> None:
    """A board on which everything else is certain: the weight is the chance of the first click."""
    weights = tournament(1, 5, 1, strategies=["fast"], games=50, first_click="any").players[0].weights
    assert set(weights.tolist()) == {0.8}
    weights = tournament(1, 5, 1, strategies=["fast"], games=50).players[0].weights
    assert set(weights.tolist()) == {1.0}


def test_random_starts_holes_and_other_shapes() -> None:
    result = tournament(5, 6, 7, strategies=PAIR, games=40, first_click="any", start="random", topology="hex")
    assert 0 < result.players[0].weights.max() <= 23 / 30
    absent = [(0, 0), (2, 3)]
    result = tournament(5, 6, 7, strategies=PAIR, games=40, first_click="any", absent=absent, topology="torus")
    assert result.players[0].weights.max() <= 21 / 28


# until


def test_until_ends_at_the_first_look_that_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "POLL", 0.001)
    whole = tournament(**BEGINNER, strategies=PAIR, games=12 * STEP)
    for until in (0.035, 0.05, 3.0):
        result = tournament(**BEGINNER, strategies=PAIR, until=until, threads=2)
        assert result == tournament(**BEGINNER, strategies=PAIR, until=until, threads=1)
        assert result.is_sure
        assert result.is_complete
        ends = range(MIN_GAMES, 12 * STEP + 1, STEP)
        differences = whole.players[0].weights - whole.players[1].weights
        errors = {end: 100 * differences[:end].std(ddof=1) / end**0.5 for end in ends}
        assert result.games == next(end for end, error in errors.items() if error <= until)


@pytest.mark.parametrize("strategies", [PAIR, [Many, "minesolver"]])
def test_until_ends_wherever_the_first_game_is(strategies: Any) -> None:
    order: dict[str, Any] = {"rows": 5, "columns": 5, "mines": 4, "strategies": strategies, "first_game": 5}
    result = tournament(**order, until=1.0, games=5000)
    assert result.is_sure
    assert MIN_GAMES <= result.games < MIN_GAMES + STEP
    assert (result.games + 5) % TOURNAMENT_CHUNK == 0
    assert tournament(**order, until=1.0, games=5000, resume=result) == result
    part = tournament(**order, games=700)
    assert tournament(**order, until=1.0, games=5000, resume=part) == result


def test_until_of_one_strategy_is_about_its_win_rate() -> None:
    result = tournament(**BEGINNER, strategies=["fast"], until=0.3)
    assert result.is_sure
    assert result.players[0].standard_error is not None
    assert 0.0025 < result.players[0].standard_error <= 0.003


def test_games_are_the_most_that_until_takes() -> None:
    result = tournament(**BEGINNER, strategies=PAIR, until=0.001, games=MIN_GAMES + 5)
    assert result.games == MIN_GAMES + 5
    assert result.is_complete
    assert not result.is_sure


def test_strategies_that_never_differ_are_sure_by_the_rule_of_three() -> None:
    result = tournament(**BEGINNER, strategies=["fast", "fast"], until=0.1)
    assert result.games == 1536  # 3 / (1.96 games) is below a thousandth
    assert result.difference().standard_error == 0


# stopping and going on


def stops_after(looks: int) -> Callable[[], bool]:
    seen = count(1)
    return lambda: next(seen) >= looks


@pytest.mark.slow
def test_resumed_is_the_same_as_uninterrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "POLL", 0.001)
    order: dict[str, Any] = {"strategies": PAIR, "games": 40 * TOURNAMENT_CHUNK, "seed": 5}
    whole = tournament(**order)
    part = tournament(**order, threads=1, cancelled=stops_after(3))
    assert part.games < part.asked
    assert part.games % TOURNAMENT_CHUNK == 0
    while not part.is_complete:
        stored = Tournament.from_json(part.to_json())
        assert stored == part
        part = tournament(**order, threads=2, resume=stored, cancelled=stops_after(200))
    assert part == whole
    more = tournament(**(order | {"games": 41 * TOURNAMENT_CHUNK}), resume=whole)
    assert more == tournament(**(order | {"games": 41 * TOURNAMENT_CHUNK}))


def test_what_is_told_grows() -> None:
    messages: list[int] = []
    threads: set[int] = set()

    def progress(found: Tournament) -> None:
        messages.append(found.games)
        threads.add(threading.get_ident())

    found = tournament(**BEGINNER, strategies=PAIR, games=3000, progress=progress)
    assert messages == sorted(messages)
    assert messages[-1] == found.games == 3000
    assert threads == {threading.get_ident()}


def test_ctrl_c_is_heard() -> None:
    def press(_: Tournament) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tournament(strategies=PAIR, games=100_000, progress=press)


def test_nothing_done_is_an_answer_too() -> None:
    result = tournament(strategies=["best", "strong"], games=100_000, cancelled=lambda: True)
    assert result.games < 100_000
    empty = replace(result, players=tuple(replace(player, data=b"") for player in result.players))
    assert empty.difference().value is None
    assert empty.difference().interval == (-1, 1)
    assert Tournament.from_json(empty.to_json()) == empty


def test_games_that_were_played_before_are_a_player() -> None:
    before = tournament(**BEGINNER, strategies=["fast"], games=100).players[0]
    result = tournament(**BEGINNER, strategies=["strong", before])
    assert result.games == result.asked == 100
    assert result.players == tournament(**BEGINNER, strategies=PAIR, games=100).players
    part = tournament(**BEGINNER, strategies=["strong", before], games=50)
    assert tournament(**BEGINNER, strategies=["strong", before], resume=part) == result
    other = replace(before, data=bytes(len(before.data)))
    with pytest.raises(ValueError, match="have other games of fast"):
        tournament(**BEGINNER, strategies=["strong", other], resume=part)
    with pytest.raises(ValueError, match="must have the same seed"):
        tournament(9, 9, 10, seed=2, strategies=["strong", before])
    with pytest.raises(ValueError, match="earlier games of fast that start with game 1, got 100 from game 0"):
        tournament(**BEGINNER, strategies=["strong", before], first_game=1)


# custom strategies


def test_functions_objects_and_many_at_once_play_the_same_games() -> None:
    size: dict[str, Any] = {"rows": 6, "columns": 6, "mines": 6, "seed": 4}
    result = tournament(**size, strategies=[careful, Many, Many(), "minesolver"], games=300)
    alone, of_class, of_object, other = result.players
    assert (alone.strategy, of_class.strategy) == ("python:careful", "python:Many")
    assert (alone.weights == of_class.weights).all()
    assert (alone.weights == of_object.weights).all()
    assert (alone.weights == other.weights).mean() > 0.3  # the same choices, the same games
    apart, luck = result.difference(0, 3).deviation, alone.estimate.deviation
    assert apart is not None
    assert luck is not None
    assert apart < 0.7 * luck


def test_an_own_strategy_that_draws_lots_has_its_own_seed() -> None:
    size: dict[str, Any] = {"rows": 5, "columns": 5, "mines": 6, "seed": 4}
    one, other = (tournament(**size, strategies=[Gambler], games=60) for _ in range(2))
    assert one == other
    assert (
        tournament(**size, strategies=[Gambler], games=30, first_game=30).players[0].data == one.players[0].data[240:]
    )


def test_own_strategies_are_stopped_between_games() -> None:
    result = tournament(**BEGINNER, strategies=[careful], games=100_000, cancelled=stops_after(2))
    assert result.games < 1000


@pytest.mark.parametrize("choice", [(0, 0), (9, 9), (-1, 0), "here", None, 3])
def test_a_cell_that_cannot_be_opened_is_named(choice: Any) -> None:
    with pytest.raises(IllegalMoveError, match=r"game 0: expected a covered cell from python:\S+, got"):
        tournament(**BEGINNER, strategies=[lambda board: choice], games=1)


# what is refused


@pytest.mark.parametrize(
    ("order", "error", "message"),
    [
        ({"strategies": "strong"}, TypeError, "must be a list of one or more strategies, got 'strong'"),
        ({"strategies": []}, TypeError, "strategies must be a list of one or more strategies"),
        ({"strategies": ["nobody"]}, ValueError, "strategy must be one of fast, .*, got 'nobody'"),
        ({"strategies": [3]}, TypeError, "expected a function of a board"),
        ({"until": 0}, ValueError, "until must be from 0.001 to 50 percentage points, got 0"),
        ({"until": float("nan")}, ValueError, "until must be from 0.001 to 50 percentage points, got nan"),
        ({"until": "0.1"}, TypeError, "until must be a number, got '0.1'"),
        ({"games": 0}, ValueError, "games"),
        ({"threads": 0}, ValueError, "threads"),
        ({"first_click": "kind"}, ValueError, "first_click"),
        ({"start": "random"}, ValueError, "got start='random' and first_click='safe'"),
        ({"mines": 81}, BoardSyntaxError, "mines besides the first click, got 81"),
        ({"progress": 3}, TypeError, "progress"),
        ({"resume": 3}, TypeError, "Tournament.from_json reads one"),
    ],
)
def test_wrong_orders(order: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tournament(**(BEGINNER | {"strategies": PAIR, "games": 1} | order))


def test_crowded_boards_are_refused() -> None:
    with pytest.raises(BoardSyntaxError, match=r"expected at most 7 mines besides .*, got 8"):
        tournament(4, 4, 8, strategies=[careful], games=1, first_click="open", start=(1, 1))


def test_what_cannot_be_gone_on_from() -> None:
    result = tournament(**BEGINNER, strategies=PAIR, games=32)
    for order, message in (
        ({"strategies": ["fast"]}, "Cannot resume a tournament of 2 players with 1."),
        ({"strategies": ["fast", "strong"]}, "a tournament that was started with strategy='strong', not 'fast'."),
        ({"seed": 3}, "a tournament that was started with seed=1, not 3."),
        ({"first_game": 1}, "a tournament that was started with first_game=0, not 1."),
        ({"games": 16}, "games must be at least 32, .* got 16"),
    ):
        with pytest.raises(ValueError, match=message):
            tournament(**(BEGINNER | {"strategies": PAIR, "games": 32} | order), resume=result)


def test_it_takes_the_kernel() -> None:
    for strategy in ("fast", careful):
        with pytest.raises(EngineMissing, match="Survival-weighted games need the native kernel"):
            tournament(**BEGINNER, strategies=[strategy], games=1, engine=REFERENCE)


# JSON


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"mineproof/tournament/1"', '"mineproof/simulation/1"', "schema"),
        ('"players":[', '"players":[],"others":[', "expected one or more entries in `players`"),
        ('"games":2', '"games":3', r"expected 8 bytes in `weights` for each of 3 games, got 16"),
        ('"weights":"', '"weights":"!', "JSON"),
        ('"weights":"AAAA', '"weights":"////', "expected numbers from 0 to 1 in `weights`"),
        ('"seed":1', '"seed":-1', "seed"),
    ],
)
def test_json_that_is_wrong(old: str, new: str, message: str) -> None:
    result = tournament(2, 2, 3, strategies=["fast"], games=2, seed=1).to_json()
    assert old in result
    with pytest.raises(BoardSyntaxError, match=message):
        Tournament.from_json(result.replace(old, new))


def test_repr_is_short() -> None:
    result = tournament(**BEGINNER, strategies=PAIR, games=100)
    assert repr(result).startswith("<Tournament of strong and fast: 100 games, ")
    assert repr(result.players[0]).startswith("<WeightedGames of 9 × 9, 10 mines: strong, 100 games, 9")
