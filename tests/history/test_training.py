"""Answers to puzzles, kept beside the games: ratings, streaks, and several programs at once."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.history import store
from mineproof.practice.progress import START_PLAYER, UNNAMED_PLAYER, Training
from mineproof.practice.puzzles import START, TECHNIQUES, Puzzle
from mineproof.practice.runs import Run
from mineproof.practice.variety import RECENT_SHAPES, puzzle_shape
from support.patience import PATIENCE

RIGHT = mp.answer(mp.puzzle("partition", level="beginner", seed=4), (1, 2))
WRONG = mp.answer(mp.puzzle("partition", level="beginner", seed=4), (1, 1))


def answered(right: bool, seed: int, *, day: date | None = None, technique: str = "partition") -> mp.Answer:
    """An answer to some puzzle or other: what it looks like does not matter here."""
    model = RIGHT if right else WRONG
    changed: Puzzle = replace(model.puzzle, seed=seed, day=day, technique=technique)
    return replace(model, puzzle=changed)


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    with Training.open(tmp_path) as training:
        standing = training.standing()
        assert (standing.rating, standing.answers, standing.streak, standing.daily_streak) == (START_PLAYER, 0, 0, 0)
        assert {name: rating.rating for name, rating in training.ratings().items()} == START
    assert list(tmp_path.iterdir()) == []


def test_an_answer_is_a_game_between_player_and_technique(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        before = training.ratings()
        assert training.add(RIGHT)
        standing, after = training.standing(), training.ratings()
    assert standing.rating == START_PLAYER.after([(before["partition"], 1.0)])
    assert after["partition"] == before["partition"].after([(START_PLAYER, 0.0)])
    assert {name: after[name] for name in TECHNIQUES if name != "partition"} == {
        name: before[name] for name in TECHNIQUES if name != "partition"
    }


def test_only_the_first_answer_counts(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        assert training.add(WRONG)
        standing = training.standing()
        assert not training.add(RIGHT)
        assert training.standing() == standing
        assert training.add(RIGHT, player="Ann")
        assert (training.standing("Ann").right, training.standing().right) == (1, 0)


def test_what_is_neither_right_nor_wrong_does_not_count(history_at: Path | str) -> None:
    harder = mp.answer(mp.puzzle("bounds", level="beginner", seed=7), (0, 5))
    assert harder.verdict == "harder"
    with Training.open(history_at) as training:
        assert not training.add(harder)
        assert training.standing().answers == 0


def test_streaks(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        for seed, right in enumerate([True, True, True, False, True, True]):
            training.add(answered(right, seed))
        standing = training.standing()
    assert (standing.answers, standing.right, standing.streak, standing.best_streak) == (6, 5, 2, 3)


@pytest.mark.parametrize(
    ("days", "today", "expected"),
    [
        ([14, 15, 16], 16, 3),
        ([14, 15], 16, 2),  # today's may still come
        ([13, 14], 16, 0),
        ([12, 14, 15, 16], 16, 3),
        ([], 16, 0),
    ],
)
def test_days_in_a_row(history_at: Path | str, days: list[int], today: int, expected: int) -> None:
    with Training.open(history_at) as training:
        for number in days:
            training.add(answered(True, number, day=date(2026, 11, number)))
        training.add(answered(False, 1, day=date(2026, 11, 17)))
        assert training.standing(day=date(2026, 11, today)).daily_streak == expected


def test_the_largest_seed_is_kept(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        assert training.add(answered(True, 2**64 - 1))
        assert not training.add(answered(True, 2**64 - 1))


def test_what_to_ask_next_is_about_as_strong_as_the_player(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        names = {training.next_technique(seed) for seed in range(40)}
        assert names == {"single-open", "single-flag"}  # at 700 and 800, where a player begins at 700
        for seed in range(12):
            training.add(answered(True, seed, technique="bounds"))
        assert {training.next_technique(seed) for seed in range(40)} <= {"bounds", "total", "elimination"}


def without_owner(database: Any, table: str, values: store.Values, insert: Callable[..., Any] = store._insert) -> Any:
    return insert(database, table, {name: value for name, value in values.items() if name not in ("owner", "accuracy")})


def test_a_history_of_before_gets_the_tables_and_keeps_its_games(
    history_at: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = mp.Game(mp.Layout(3, 3, frozenset([(0, 0)])), first_click="any")
    game.open(0, 0)
    with monkeypatch.context() as patch:
        patch.setattr(store, "MIGRATIONS", store.MIGRATIONS[:1])
        patch.setattr(store, "_insert", without_owner)
        patch.setattr(mp.History, "game", lambda *_: None)
        with mp.History.open(history_at) as history:
            history.add(game)
    with Training.open(history_at) as training:
        assert training.add(RIGHT)
    with mp.History.open(history_at) as history:
        assert len(history) == 1
        history.forget(None)
    with Training.open(history_at) as training:
        assert training.standing().answers == 1


def test_a_failure_in_the_middle_changes_nothing(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        training.add(RIGHT)
        before = training.standing()
        start = store.StoredRating(1500, 350, 0.06)

        def fail(
            _player: store.StoredRating, _puzzle: store.StoredRating
        ) -> tuple[store.StoredRating, store.StoredRating]:
            raise RuntimeError("no")

        values = {
            "answered": "x", "player": "", "technique": "total", "level": "expert", "seed": "5", "day": None,
            "answer_row": 0, "answer_column": 0, "was_right": True,
        }  # fmt: skip
        with pytest.raises(RuntimeError, match="no"):
            training._store.rate(values, start, start, fail)
        assert training.standing() == before


ANSWERING = """
import sys
sys.path.insert(0, {tests!r})
from history.test_training import answered
from mineproof.practice.progress import Training
with Training.open({folder!r}) as training:
    for seed in range({first}, {first} + 20):
        assert training.add(answered(seed % 3 != 0, seed))
"""


@pytest.mark.slow
def test_several_programs_at_once(history_at: Path | str) -> None:
    """Each answer reads the ratings that the one before wrote: none is lost, whichever comes first."""
    tests = str(Path(__file__).resolve().parent.parent)
    scripts = [ANSWERING.format(tests=tests, folder=str(history_at), first=first) for first in (0, 20, 40)]
    running = [subprocess.Popen([sys.executable, "-c", script]) for script in scripts]
    assert [process.wait(timeout=PATIENCE) for process in running] == [0, 0, 0]
    with Training.open(history_at) as training:
        results = training._store.puzzle_results(UNNAMED_PLAYER)
    player, puzzle = START_PLAYER, mp.Rating(START["partition"], 150)
    for right in results:
        player, puzzle = player.after([(puzzle, float(right))]), puzzle.after([(player, 1.0 - right)])
    with Training.open(history_at) as training:
        assert training.standing().answers == 60
        assert training.standing().rating.rating == pytest.approx(player.rating)
        assert training.ratings()["partition"].rating == pytest.approx(puzzle.rating)


def test_json(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        shown = training.standing().as_json()
    assert shown == {
        "schema": "mineproof/standing/1", "rating": 700.0, "deviation": 350.0, "volatility": 0.06, "provisional": True,
        "answers": 0, "right": 0, "streak": 0, "best_streak": 0, "daily_streak": 0,
    }  # fmt: skip


# ratings


@pytest.mark.slow
def test_first_answers_move_the_rating_quickly_and_settle_it(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        ratings = [training.standing()]
        for seed in range(20):
            training.add(answered(True, seed, technique=training.next_technique(seed)))
            ratings.append(training.standing())
    values = [standing.rating.rating for standing in ratings]
    assert values[0] == 700
    assert values[1] > 820  # the first answer counts most
    assert values[3] > 1000
    assert values == sorted(values)
    assert ratings[3].provisional
    assert not ratings[-1].provisional


def test_a_rating_of_before_stays(history_at: Path | str) -> None:
    """Players once started at 1500: what is stored of them is their rating still."""
    with Training.open(history_at) as training:
        start = store.StoredRating(1500, 350, 0.06)
        values = {
            "answered": "x", "player": "", "technique": "total", "level": "expert", "seed": "5", "day": None,
            "answer_row": 0, "answer_column": 0, "was_right": True,
        }  # fmt: skip
        training._store.rate(values, start, start, lambda player, puzzle: (store.StoredRating(1634, 290, 0.06), puzzle))
        assert training.standing().rating == mp.Rating(1634, 290, 0.06)
        training.add(answered(True, 1))
        assert 1634 < training.standing().rating.rating < 1800


# variety


def test_recent_shapes_are_those_of_the_last_answers(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        assert training.recent_shapes() == []
        training.add(RIGHT)
        assert training.recent_shapes() == [puzzle_shape(RIGHT.puzzle)]
        for seed in range(100, 120):
            training.add(answered(True, seed))
        assert len(training.recent_shapes()) == RECENT_SHAPES
        assert training.answered_seeds("partition", "beginner") == {4, *range(100, 120)}
        assert training.answered_board("partition", "beginner", 4) == str(RIGHT.puzzle.board)
        assert training.answered_board("partition", "expert", 4) is None


# runs

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def test_a_streak_ends_with_the_first_mistake(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        before = training.standing()
        run = training.start_run("streak", "beginner")
        for seed, right in enumerate([True, True, False]):
            assert training.add(answered(right, seed), run=training.run(run.id))
        ended = training.run(run.id)
        assert (ended.score, ended.mistakes, ended.is_over(datetime.now(UTC))) == (2, 1, True)
        assert not training.add(answered(True, 9), run=ended)
        assert training.run(run.id).score == 2
        assert training.standing() == before  # a run changes neither rating nor streak
        assert training.best_scores() == {"streak": 2, "storm": 0}


def test_a_storm_ends_by_the_clock_and_mistakes_cost_time(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        run = training.start_run("storm", "beginner", when=NOON)
        assert run.seconds_left(NOON) == 180
        later = NOON + timedelta(seconds=60)
        assert training.add(answered(False, 1), run=run, when=later)
        run = training.run(run.id)
        assert run.seconds_left(later) == 110
        assert training.add(answered(True, 2), run=run, when=NOON + timedelta(seconds=170.5))  # it was on its way
        run = training.run(run.id)
        assert run.is_over(NOON + timedelta(seconds=170))
        assert not training.add(answered(True, 3), run=run, when=NOON + timedelta(seconds=172))
        assert not training.add(answered(True, 2), run=run, when=later)  # no puzzle twice
        assert (training.run(run.id).score, training.run(run.id).mistakes) == (1, 1)


def test_a_run_gets_harder() -> None:
    def drawn(score: int) -> set[str]:
        return {Run(1, "streak", "beginner", NOON, score, 0).technique(seed) for seed in range(30)}

    assert drawn(0) == {"single-open"}
    assert drawn(4) == {"single-open", "single-flag"}
    assert drawn(13) == {"partition", "bounds"}
    assert drawn(1000) == {"guess", "exhaustive"}


def test_the_run_of_another_player_is_none(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        run = training.start_run("storm", "beginner", player="Ann")
        with pytest.raises(LookupError, match=f"^There is no run {run.id}"):
            training.run(run.id)


# dashboard and days


def test_the_dashboard(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        for seed, (right, ms) in enumerate([(True, 4000), (False, 9000), (True, 8000), (True, 6000)]):
            training.add(answered(right, seed), ms=ms, when=NOON)
        training.add(answered(True, 50, technique="total"), when=NOON - timedelta(days=3))
        shown = training.dashboard_json(day=NOON.date())
        rows = {row["name"]: row for row in shown["techniques"]}
        assert [row["name"] for row in shown["techniques"]] == list(TECHNIQUES)
        partition = rows["partition"]
        assert (partition["answered"], partition["right"], partition["median_ms"]) == (4, 3, 6000)
        assert (partition["rating"] or 0) > 700
        assert (rows["guess"]["answered"], rows["guess"]["rating"]) == (0, None)
        assert len(shown["days"]) == 14
        assert shown["days"][-1] == {"date": "2026-11-18", "answered": 4, "right": 3}
        assert shown["days"][-4]["answered"] == 1
        [failed] = shown["failed"]
        assert (failed["technique"], failed["level"], failed["seed"]) == ("partition", "beginner", 1)
        assert not training.solve_later(answered(False, 1))  # another wrong answer changes nothing
        assert training.solve_later(answered(True, 1))
        assert not training.solve_later(answered(True, 1))
        assert training.dashboard_json(day=NOON.date())["failed"] == []
        assert training.standing().right == 4  # the first answer stays wrong


def test_the_days_of_a_month(history_at: Path | str) -> None:
    today = NOON.date()
    with Training.open(history_at) as training:
        on_time = answered(True, 20261116, day=date(2026, 11, 16))
        training.add(on_time, ms=14_000)
        training.add(answered(False, 20261118, day=today))
        late = answered(True, 20261109)  # a Monday: the daily technique is partition
        training.add(replace(late, puzzle=replace(late.puzzle, level="expert")))
        other = answered(True, 20261110)  # a Tuesday: this is another puzzle with the seed
        training.add(replace(other, puzzle=replace(other.puzzle, level="expert")))
        shown = training.daily_json(date(2026, 11, 1), day=today)
        assert (shown["month"], shown["today"]) == ("2026-11", "2026-11-18")
        days = {row["date"]: row for row in shown["days"]}
        assert set(days) == {"2026-11-09", "2026-11-16", "2026-11-18"}
        assert days["2026-11-16"] == {
            "date": "2026-11-16", "right": True, "on_time": True, "ms": 14_000, "solved": True
        }  # fmt: skip
        assert (days["2026-11-09"]["right"], days["2026-11-09"]["on_time"]) == (True, False)
        assert not days["2026-11-18"]["solved"]
        assert training.daily_json(date(2026, 10, 1), day=today)["days"] == []
