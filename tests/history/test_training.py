"""Answers to puzzles, kept beside the games: ratings, streaks, and several programs at once."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.history import store
from mineproof.practice.puzzles import TECHNIQUES, Puzzle
from mineproof.practice.training import SOMEBODY, START, Training

RIGHT = mp.answer(mp.puzzle("partition", level="beginner", seed=4), (1, 2))
WRONG = mp.answer(mp.puzzle("partition", level="beginner", seed=4), (1, 1))


def answered(right: bool, seed: int, *, day: date | None = None, technique: str = "partition") -> mp.Answer:
    """An answer to some puzzle or other: what it looks like does not matter here."""
    from dataclasses import replace

    model = RIGHT if right else WRONG
    asked: Puzzle = replace(model.puzzle, seed=seed, day=day, technique=technique)
    return replace(model, puzzle=asked)


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    with Training.open(tmp_path) as training:
        standing = training.standing()
        assert (standing.rating, standing.answers, standing.streak, standing.daily_streak) == (mp.Rating(), 0, 0, 0)
        assert {name: rating.rating for name, rating in training.ratings().items()} == START
    assert list(tmp_path.iterdir()) == []


def test_an_answer_is_a_game_between_player_and_technique(history_at: Path | str) -> None:
    with Training.open(history_at) as training:
        before = training.ratings()
        assert training.add(RIGHT)
        standing, after = training.standing(), training.ratings()
    assert standing.rating == mp.Rating().after([(before["partition"], 1.0)])
    assert after["partition"] == before["partition"].after([(mp.Rating(), 0.0)])
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
        asked = {training.next_technique(seed) for seed in range(40)}
        assert asked == {"bounds", "total"}  # at 1400 and 1600, where a player begins at 1500
        for seed in range(30):
            training.add(answered(False, seed, technique="single-flag"))
        assert {training.next_technique(seed) for seed in range(40)} <= {"single-open", "single-flag"}


def test_a_history_of_before_gets_the_tables_and_keeps_its_games(
    history_at: Path | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = mp.Game(mp.Layout(3, 3, frozenset([(0, 0)])), first_click="any")
    game.open(0, 0)
    with monkeypatch.context() as patch:
        patch.setattr(store, "MIGRATIONS", store.MIGRATIONS[:1])
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
        start = store.Rated(1500, 350, 0.06)

        def fail(_player: store.Rated, _puzzle: store.Rated) -> tuple[store.Rated, store.Rated]:
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
from mineproof.practice.training import Training
with Training.open({folder!r}) as training:
    for seed in range({first}, {first} + 20):
        assert training.add(answered(seed % 3 != 0, seed))
"""


def test_several_programs_at_once(history_at: Path | str) -> None:
    """Each answer reads the ratings that the one before wrote: none is lost, whoever comes first."""
    tests = str(Path(__file__).resolve().parent.parent)
    scripts = [ANSWERING.format(tests=tests, folder=str(history_at), first=first) for first in (0, 20, 40)]
    running = [subprocess.Popen([sys.executable, "-c", script]) for script in scripts]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    with Training.open(history_at) as training:
        results = training._store.puzzle_results(SOMEBODY)
    player, puzzle = mp.Rating(), mp.Rating(START["partition"], 150)
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
        "schema": "mineproof/standing/1", "rating": 1500.0, "deviation": 350.0, "volatility": 0.06, "answers": 0,
        "right": 0, "streak": 0, "best_streak": 0, "daily_streak": 0,
    }  # fmt: skip
