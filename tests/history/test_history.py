"""What a history keeps of games, and what it says about them."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.formats.rawvf import games as rawvf
from mineproof.game import record as saving
from mineproof.history.database import SQLite
from mineproof.simulation.intervals import wilson
from support.finished import finished, steady
from support.recordings import avf, small

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PAIR = mp.Layout(2, 4, frozenset([(0, 0)]))  # (0,3) opens all but (0,0) and (1,0), one of which is the mine


def day(number: int) -> datetime:
    return NOON + timedelta(days=number)


@pytest.fixture
def history(history_at: Path | str) -> Iterator[mp.History]:
    with mp.History.open(history_at) as opened:
        yield opened


def pair(*cells: tuple[int, int] | None, pace: float = 0.25) -> mp.Game:
    """A game on `PAIR`; None takes a move back."""
    game = mp.Game(PAIR, first_click="any", seed=2**64 - 1, clock=steady(pace))
    for cell in cells:
        game.play("undo" if cell is None else "open", cell)
    return game


# one game


@pytest.mark.slow
def test_what_is_kept_of_a_game(history: mp.History) -> None:
    game = mp.Game(PAIR, first_click="any", seed=2**64 - 1)
    for kind, cell, ms in (("open", (0, 3), 0), ("flag", (0, 0), 400), ("open", (1, 0), 1500)):
        game.play(kind, cell, ms=ms)  # type: ignore[arg-type]
    game_value = history.add(game, help_used={"hints": [0, 1, 0, 0], "pauses": 2, "odds_moves": 0}, when=NOON).game
    result = mp.review(game)
    assert result.measures is not None
    expected = {
        "id": 1, "played": NOON, "source": "play", "player": None, "level": "4x2x1", "rows": 2, "columns": 4,
        "mines": 1, "absent": 0, "topology": "grid", "first_click": "any", "fairness": "none", "chord_rule": "equal",
        "no_guess": False, "seed": 2**64 - 1, "won": True, "ms": 1500, "seconds": 1.5, "bbbv": 2, "solved_bbbv": 2,
        "openings": 1, "islands": 1, "moves": 3, "clicks": 3, "left_clicks": 2, "right_clicks": 1, "chords": 0,
        "undos": 0, "redraws": 0, "guesses": 2, "forced_guesses": 2, "needless_guesses": 0, "luck": result.luck,
        "with_help": True, "help_used": {"hints": [0, 1, 0, 0], "pauses": 2}, "given": None, "again": None,
        "revived": False, "counts": True, "bbbv_per_second": 2 / 1.5, "efficiency": 2 / 3, "rules": "",
    }  # fmt: skip
    assert {name: getattr(game_value, name) for name in expected} == expected
    assert game_value.luck == pytest.approx(7 / 8 * 1 / 2)
    assert (result.measures.bbbv, result.solved_bbbv, result.clicks) == (
        game_value.bbbv,
        game_value.solved_bbbv,
        game_value.clicks,
    )
    assert history.game(1) == game_value == history.games()[0]
    assert json.loads(json.dumps(game_value.as_json()))["played"] == "2026-11-01T12:00:00.000Z"


def test_the_record_can_be_replayed_and_reviewed(history: mp.History) -> None:
    game = finished("beginner", 3, fairness="kind")
    history.add(game)
    record = history.record(1)
    assert record == game.record()
    assert mp.Game.replay(record).board == game.board
    assert mp.review(record) == mp.review(game)


def test_a_record_is_as_good_as_its_game(history: mp.History) -> None:
    game = finished()
    assert history.add(game.record()) == history.add(game)._replace(new=True)


def test_the_same_game_is_kept_once(history: mp.History) -> None:
    game = finished()
    assert history.add(game, when=NOON).new
    again = history.add(game, when=day(1))
    assert (again.new, again.game.id, again.game.played, len(history)) == (False, 1, NOON, 1)
    assert history.add(finished(ms=1001)).new
    assert len(history) == 2


def test_a_game_without_a_date_learns_it(history: mp.History, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(finished().save())
    assert history.import_file(path)[0].game.played is None
    added = history.add(finished(), when=NOON)
    assert (added.new, added.game.played) == (False, NOON)


def test_now_is_when_it_was_played_unless_told(history: mp.History) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    game = history.add(finished()).game
    assert game.played is not None
    assert before < game.played <= datetime.now(UTC)


def test_a_game_that_is_on_is_refused(history: mp.History) -> None:
    for game in (pair(), pair((0, 3)), pair((0, 3), (0, 0), None)):
        with pytest.raises(mp.IllegalMoveError, match="Only finished games can be stored"):
            history.add(game)
    assert len(history) == 0
    assert not is_made(history)


def test_a_record_that_cannot_be_replayed_is_refused(history: mp.History) -> None:
    wrong = replace(finished().record(), won=False)
    with pytest.raises(mp.BoardSyntaxError, match="expected 'won' in `status`"):
        history.add(wrong)
    with pytest.raises(TypeError, match="played must be a Record"):
        history.add("game")  # type: ignore[arg-type]


def test_moves_taken_back_are_help(history: mp.History) -> None:
    game = history.add(pair((0, 3), None, (0, 3), (1, 0)), help_used={}).game
    assert (game.undos, game.with_help, game.help_used, game.revived) == (1, True, {"undos": 1}, False)
    assert (game.clicks, game.moves) == (3, 2)


def test_a_game_that_went_on_after_its_end_does_not_count(history: mp.History) -> None:
    lost = history.add(pair((0, 3), (0, 0)), help_used={}, when=NOON).game
    revived = history.add(pair((0, 3), (0, 0), None, (1, 0)), help_used={}, when=day(1)).game
    assert (lost.won, lost.counts, revived.won, revived.revived, revived.counts) == (False, True, True, True, False)
    summary = history.summary("4x2x1")
    assert (summary.games, summary.wins, summary.best_with_help) == (1, 0, None)
    assert len(history.games()) == 2


@pytest.mark.parametrize(
    ("help_used", "with_help", "again"),
    [
        (None, None, None),
        ({}, False, None),
        ({"hints": [0, 0, 0, 0], "odds_moves": 0}, False, None),
        ({"pauses": 3}, False, None),
        ({"best_moves": 1}, True, None),
        ({"repeats": 2}, True, True),
    ],
)
def test_help(
    history: mp.History, help_used: dict[str, object] | None, with_help: bool | None,
    again: bool | None,
) -> None:  # fmt: skip
    game = history.add(finished(), help_used=help_used).game
    assert (game.with_help, game.again) == (with_help, again)


def test_wrong_arguments_are_told(history: mp.History) -> None:
    game = finished()
    with pytest.raises(ValueError, match=r"help_used\['hints'\] must be from 0 to .*, got -1"):
        history.add(game, help_used={"hints": -1})
    with pytest.raises(TypeError, match="must be a whole number"):
        history.add(game, help_used={"hints": "two"})
    with pytest.raises(ValueError, match="1 to 40 printable characters"):
        history.add(game, player="\x1b[2J")
    with pytest.raises(ValueError, match="1 to 40 printable characters"):
        history.add(game, source=" ")
    with pytest.raises(TypeError, match="when must be a datetime"):
        history.add(game, when="today")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"order must be one of date, time, .*, got 'shuffled'"):
        history.games(order="shuffled")  # type: ignore[arg-type]
    with pytest.raises(mp.BoardSyntaxError, match="got 'hard'"):
        history.summary("hard")
    with pytest.raises(ValueError, match="must be one of grid"):
        history.best_times("expert", topology="ball")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="years 2 to 9998"):
        history.games(until=date.max)
    for number in (0, -1, 2**63 - 1):
        with pytest.raises(mp.HistoryError, match=rf"No game {number} in the history .*(history\.sqlite|postgresql:)"):
            history.record(number)
    assert len(history) == 0


def test_guesses_that_take_too_long_are_filled_in_later(history: mp.History) -> None:
    game = pair((0, 3), (1, 0))
    game_value = history.add(game, budget=0).game
    assert (game_value.guesses, game_value.forced_guesses, game_value.needless_guesses, game_value.luck) == (None,) * 4
    assert history.unfilled == 1
    assert history.fill(budget=0) == 0
    assert history.fill() == 1
    game_value = history.game(game_value.id)
    assert (game_value.guesses, game_value.forced_guesses, game_value.needless_guesses, game_value.luck) == (
        2,
        2,
        0,
        mp.review(game).luck,
    )
    assert (history.unfilled, history.fill()) == (0, 0)


def test_names(history: mp.History) -> None:
    history.add(finished(), player="Ann")
    assert history.name(1, "Łukasz").player == "Łukasz" == history.game(1).player
    assert history.name(1, None).player is None
    with pytest.raises(mp.HistoryError, match="No game 2"):
        history.name(2, "Ann")
    with pytest.raises(ValueError, match="printable"):
        history.name(1, "a\nb")


@pytest.mark.slow
def test_forgetting(history: mp.History) -> None:
    for ms in (1, 2, 3):
        history.add(finished(ms=ms))
    assert history.forget([2, 7]) == [2]
    with pytest.raises(mp.HistoryError):
        history.record(2)
    assert {game.id for game in history.games()} == {1, 3}
    assert history.add(finished(ms=4)).game.id == 4  # a number is not given twice
    assert history.add(finished(ms=2)).new
    assert history.forget(None) == [1, 3, 4, 5]
    assert (len(history), history.games()) == (0, [])


# many games


@pytest.mark.slow
def test_filters_and_orders(history: mp.History) -> None:
    games = {
        1: history.add(finished("beginner", 1, ms=9000), when=day(2), help_used={}),
        2: history.add(finished("beginner", 2, ms=7000, won=False), when=day(0), help_used={"hints": 1}),
        3: history.add(finished("8x8x10", 3, ms=8000), when=day(1), help_used={}),
        4: history.add(finished("beginner", 4, ms=0, won=False), when=day(3)),
        5: history.add(finished("9x9x10", 5, ms=6000, topology="torus"), when=day(0), help_used={}),
    }
    assert {added.game.id for added in games.values()} == set(games)

    def ids(**asked: object) -> list[int]:
        return [game.id for game in history.games(**asked)]  # type: ignore[arg-type]

    assert ids() == [4, 1, 3, 5, 2]
    assert ids(limit=2) == [4, 1]
    assert ids(level="beginner") == ids(level="9x9x10") == [4, 1, 5, 2]
    assert ids(level="beginner8") == [3]
    assert ids(level="expert") == []
    assert ids(won=True) == [1, 3, 5]
    assert ids(won=False) == [4, 2]
    assert ids(with_help=True) == [2]
    assert ids(with_help=False) == [1, 3, 5]  # it is unknown of game 4
    assert ids(since=day(1)) == [4, 1, 3]
    assert ids(until=day(1)) == [3, 5, 2]
    assert ids(since=day(1), until=day(2)) == [1, 3]
    assert ids(order="time") == [5, 2, 3, 1, 4]  # a game without a time comes last
    bbbv = {number: added.game.bbbv for number, added in games.items()}
    assert [bbbv[number] for number in ids(order="3bv")] == sorted(bbbv.values(), reverse=True)
    speed = {number: added.game.bbbv_per_second for number, added in games.items()}
    assert speed[4] is None
    shown = [speed[number] or 0 for number in ids(order="speed")]
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] == 0
    for order in ("clicks", "luck"):
        values = [getattr(game, order) for game in history.games(order=order)]
        assert values == sorted(values)
    guesses = [game.guesses or 0 for game in history.games(order="guesses")]
    assert guesses == sorted(guesses, reverse=True)


def test_a_day_is_a_local_day(history: mp.History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC-05:00")  # five hours east of Greenwich, as POSIX writes it
    time.tzset()
    try:
        history.add(finished(ms=1), when=datetime(2026, 10, 31, 18, 59, 59, 999000, tzinfo=UTC))
        history.add(finished(ms=2), when=datetime(2026, 10, 31, 19, tzinfo=UTC))  # midnight there
        history.add(finished(ms=3), when=datetime(2026, 11, 1, 18, 59, 59, 999000, tzinfo=UTC))
        history.add(finished(ms=4), when=datetime(2026, 11, 1, 19, tzinfo=UTC))
        first = date(2026, 11, 1)
        assert [game.id for game in history.games(since=first, until=first)] == [3, 2]
        assert [game.id for game in history.games(since=datetime(2026, 11, 1, 0, 0, 1))] == [4, 3]
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.slow
def test_best_times_and_what_does_not_count(history: mp.History) -> None:
    slow = history.add(finished("expert", 1, ms=90_000), help_used={}, when=day(5)).game
    tie = history.add(finished("expert", 2, ms=90_000), help_used={}, when=day(4)).game
    helped = history.add(finished("expert", 3, ms=50_000), help_used={"odds_moves": 4}, when=day(1)).game
    unknown = history.add(finished("expert", 4, ms=40_000), when=day(1)).game
    history.add(finished("expert", 5, ms=30_000, won=False), help_used={}, when=day(2))
    history.add(finished("expert", 6, ms=0), help_used={}, when=day(3))  # without a time
    history.add(finished("expert", 7, ms=9), help_used={}, given=True)
    history.add(finished("expert", 8, ms=8), help_used={}, again=True)
    torus = history.add(finished("expert", 9, ms=7, topology="torus"), help_used={}).game
    fair = history.add(finished("expert", 10, ms=6, fairness="forced"), help_used={}).game
    easy = history.add(finished("expert", 11, ms=5, no_guess=True), help_used={}).game
    history.add(finished("16x30x99", 12, ms=4), help_used={})  # upright is another size

    assert history.best_times("expert") == [unknown, helped, tie, slow]
    assert history.best_times("expert", with_help=False) == [tie, slow]  # who was first keeps the place
    assert history.best_times("expert", with_help=True) == [helped]
    assert history.best_times("expert", limit=1, with_help=False) == [tie]
    assert history.best_times("30x16x99", since=day(5)) == [slow]
    assert history.best_times("expert", topology="torus") == [torus]
    assert history.best_times("expert", fairness="forced") == [fair]
    assert history.best_times("expert", no_guess=True) == [easy]
    assert history.best_times("beginner") == []

    summary = history.summary("expert")
    assert (summary.best_without_help, summary.best_with_help) == (tie, helped)
    assert (summary.games, summary.wins) == (6, 5)
    groups = [(level.level, level.rules) for level in history.summaries()]
    assert groups == [
        ("expert", ""), ("expert", "forced"), ("expert", "no guess"), ("expert", "torus"), ("16x30x99", ""),
    ]  # fmt: skip
    assert {level.level for level in history.summaries(level="16x30x99")} == {"16x30x99"}


def test_a_board_with_cells_left_out_is_not_the_level(history: mp.History) -> None:
    layout = mp.Layout(9, 9, frozenset((8, column) for column in range(9)) | {(6, 0)}, absent=frozenset([(0, 0)]))
    game = mp.Game(layout, first_click="any", clock=steady(0.1))
    game.open(0, 1)
    while not game.is_over:
        game.open(*next(cell for cell in layout.cells() if cell not in layout.mines and game.board[cell] < 0))
    game_value = history.add(game, help_used={}).game
    assert (game_value.level, game_value.absent, game_value.won, game_value.counts) == ("beginner", 1, True, False)
    assert history.best_times("beginner") == []


@pytest.mark.slow
def test_a_summary(history: mp.History) -> None:
    results = [True, True, True, False, True, True]
    # Added in another order than they were played in.
    for number in (4, 0, 5, 2, 1, 3):
        won = results[number]
        history.add(
            finished(seed=number, ms=2000, won=won), help_used={} if number < 4 else {"hints": 1}, when=day(number)
        )
    summary = history.summary("beginner")
    speeds = [game.bbbv / 2 for game in history.games(won=True)]
    assert (summary.games, summary.wins, summary.win_rate) == (6, 5, 5 / 6)
    assert summary.interval == wilson(5, 6)
    assert (summary.current_streak, summary.longest_streak) == (2, 3)
    assert summary.bbbv_per_second == pytest.approx(sum(speeds) / 5)
    without = history.summary("beginner", with_help=False)
    assert (without.games, without.wins, without.current_streak, without.longest_streak) == (4, 3, 0, 3)
    assert without.best_with_help is None
    assert without.best_without_help == history.summary("beginner").best_without_help
    later = history.summary("beginner", since=day(3), until=day(4))
    assert (later.games, later.wins, later.longest_streak) == (2, 1, 1)
    assert history.summaries() == [summary]
    shown = json.loads(json.dumps(summary.as_json()))
    assert shown["win_rate"] == 5 / 6
    assert shown["best_without_help"]["id"] == summary.best_without_help.id  # type: ignore[union-attr]


def test_games_of_unknown_date_are_in_no_streak(history: mp.History, tmp_path: Path) -> None:
    history.add(finished(seed=1), when=day(1))
    path = tmp_path / "lost.json"
    path.write_text(finished(seed=2, won=False).save())
    history.import_file(path)
    history.add(finished(seed=3), when=day(2))
    summary = history.summary("beginner", imported=None)
    assert (summary.games, summary.wins, summary.longest_streak, summary.current_streak) == (3, 2, 2, 2)


def test_an_empty_history(history: mp.History) -> None:
    summary = history.summary("expert")
    assert (summary.games, summary.win_rate, summary.interval, summary.longest_streak) == (0, None, (0.0, 1.0), 0)
    assert (history.games(), history.best_times("expert"), history.summaries()) == ([], [], [])
    assert (list(history.export("csv")), history.fill(), history.forget(None), len(history)) == ([], 0, [], 0)
    assert not is_made(history)  # looking makes no file


def is_made(history: mp.History) -> bool:
    return isinstance(history._store._database, SQLite) and history.path.exists()


# in and out


def test_json_lines_go_into_another_history(history: mp.History, tmp_path: Path) -> None:
    history.add(finished(ms=5), help_used={"hints": [1, 0, 0, 2]}, when=NOON, player="Ann", given=True)
    history.add(pair((0, 3), (0, 0), None, (1, 0)), source="web")
    lines = list(history.export("jsonl"))
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with mp.History.open(tmp_path / "other.sqlite") as other:
        assert [added.new for added in other.import_file(path)] == [True, True]
        again = other.import_file(path)
        assert [added.new for added in again] == [False, False]

        def told(games: list[mp.KeptGame]) -> list[dict[str, object]]:
            shown = [game.as_json() for game in games]
            return [{key: value for key, value in item.items() if key not in ("id", "added")} for item in shown]

        assert told(other.games()) == told(history.games())


def test_what_a_line_says_of_numbers_is_worked_out_again(history: mp.History, tmp_path: Path) -> None:
    history.add(finished(ms=5000))
    (line,) = history.export("jsonl")
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(json.loads(line) | {"ms": 1, "bbbv": 999, "level": "expert"}))
    with mp.History.open(tmp_path / "other.sqlite") as other:
        game = other.import_file(path)[0].game
    assert (game.ms, game.level, game.bbbv) == (5000, "beginner", history.game(1).bbbv)


def test_a_table(history: mp.History) -> None:
    history.add(finished(ms=1500), help_used={"undos": 2}, when=NOON, player='Ann "A", B')
    history.add(finished(ms=1400, won=False), when=day(1))
    first, second = csv.DictReader(history.export("csv"))
    assert (first["id"], first["won"], first["with_help"], first["help_used"]) == ("2", "0", "", "")
    assert (second["player"], second["seconds"], second["won"]) == ('Ann "A", B', "1.5", "1")
    assert json.loads(second["help_used"]) == {"undos": 2}
    assert len(list(history.export("csv", history.games(won=True)))) == 2
    with pytest.raises(ValueError, match="kind must be one of csv, jsonl, got 'xml'"):
        history.export("xml")  # type: ignore[arg-type]


@pytest.mark.parametrize("player", ['=HYPERLINK("x")', "+1", "-1", "@SUM(1)"])
def test_a_table_has_no_formula(history: mp.History, player: str) -> None:
    history.add(finished(), player=player)
    (row,) = csv.DictReader(history.export("csv"))
    assert row["player"] == f"'{player}"
    (line,) = history.export("jsonl")
    assert json.loads(line)["player"] == player


def test_saved_games_and_replays_are_imported(history: mp.History, tmp_path: Path) -> None:
    game = finished(ms=2500)
    saved, replay = tmp_path / "game.json", tmp_path / "game.rawvf"
    saved.write_text(game.save())
    replay.write_text(rawvf.write_record(finished(ms=2600).record()))
    (ours,) = history.import_file(saved, when=NOON, player="Ann")
    assert (ours.game.source, ours.game.played, ours.game.player) == ("import", NOON, "Ann")
    assert (ours.game.with_help, ours.game.seed, ours.game.seconds) == (None, 0, 2.5)
    (theirs,) = history.import_file(str(replay))
    assert (theirs.game.with_help, theirs.game.seed, theirs.game.played, theirs.game.seconds) == (
        False,
        None,
        None,
        2.6,
    )
    assert history.best_times("beginner", with_help=False, imported=True) == [theirs.game]
    assert history.import_file(saved)[0].new is False


def test_imported_games_are_kept_apart_from_own_records(history: mp.History) -> None:
    own = history.add(finished(seed=1, ms=9000), help_used={}, when=day(1)).game
    (theirs,) = history.import_data(avf(small()), file="one.avf")
    assert (theirs.game.imported, own.imported) == (True, False)
    level = theirs.game.level
    assert (history.games(imported=True), history.games(imported=False)) == ([theirs.game], [own])
    assert len(history.games()) == 2
    assert [one.level for one in history.summaries()] == ["beginner"]
    assert [one.level for one in history.summaries(imported=True)] == [level]
    assert {one.level for one in history.summaries(imported=None)} == {"beginner", level}
    assert history.summary(level).games == 0
    assert history.best_times(level) == []
    assert history.best_times(level, imported=None) == [theirs.game]


def test_a_player_may_count_files_as_their_own(history: mp.History) -> None:
    (mine,) = history.import_data(avf(small()), mine=True)
    assert (mine.game.source, mine.game.imported) == ("file", False)
    assert history.best_times(mine.game.level) == [mine.game]


def test_the_path_of_the_mouse_is_stored_and_moves_with_the_game(history: mp.History, tmp_path: Path) -> None:
    (added,) = history.import_data(avf(small()))
    path = history.mouse_path(added.game.id)
    assert path is not None
    times = [ms for ms, _, _ in path]
    assert times == sorted(times)
    assert times[0] >= 0
    assert all(0 <= x <= added.game.columns and 0 <= y <= added.game.rows for _, x, y in path)
    assert history.mouse_path(history.add(finished()).game.id) is None
    lines = "\n".join(history.export("jsonl", [added.game]))
    with mp.History.open(tmp_path) as other:
        (moved,) = other.import_data(lines.encode())
        assert other.mouse_path(moved.game.id) == path
    history.forget([added.game.id])
    assert history.mouse_path(added.game.id) is None


@pytest.mark.parametrize("path", [[[5, 0, 0], [4, 0, 0]], [[-1, 0, 0]], [[0, 0, 0]] * 50_001])
def test_a_path_that_cannot_be_is_refused(history: mp.History, path: list[list[int]]) -> None:
    added = history.add(finished())
    (line,) = history.export("jsonl", [added.game])
    broken = json.dumps(json.loads(line) | {"mouse_path": path})
    with pytest.raises(mp.BoardSyntaxError, match=r"line 1: .*mouse_path"):
        history.import_data(broken.encode())


def test_accuracy_of_older_games_is_filled_in(history: mp.History) -> None:
    game = history.add(finished("9x9x20", seed=0), help_used={}).game
    assert game.accuracy == mp.review(history.record(game.id)).accuracy < 1
    history._store.update(game.id, {"accuracy": None})
    assert history.game(game.id).as_json()["accuracy"] is None
    assert history.unfilled == history.fill() == 1
    assert history.game(game.id).accuracy == game.accuracy


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("1#/##", mp.BoardSyntaxError, "expected a saved game"),
        ("", mp.BoardSyntaxError, "expected a saved game"),
        ("{}", mp.BoardSyntaxError, "rows"),
        ('{"schema": "mineproof/kept/1"}', mp.BoardSyntaxError, "line 1: .*record"),
        ('{"schema": "mineproof/kept/1", "record": {}}', mp.BoardSyntaxError, "line 1: JSON"),
        (pair((0, 3)).save(), mp.IllegalMoveError, "still running"),
        (finished().save().replace('"won"', '"lost"'), mp.BoardSyntaxError, "status"),
    ],
)
def test_what_is_no_game_is_refused(
    history: mp.History, tmp_path: Path, text: str, error: type[Exception], words: str
) -> None:
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(error, match=words) as caught:
        history.import_file(path)
    if isinstance(caught.value, mp.BoardSyntaxError):
        assert caught.value.source == str(path)
    assert len(history) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"played": "2026-11-01T12:00:00"},
        {"played": "noon"},
        {"player": "\u001b[2J"},
        {"help_used": {"hints": -1}},
        {"help_used": {"hints": "many"}},
        {"source": ""},
        {"given": 2},
    ],
)
def test_a_line_with_something_wrong_names_it(history: mp.History, tmp_path: Path, change: dict[str, object]) -> None:
    history.add(finished(), when=NOON, help_used={})
    (line,) = history.export("jsonl")
    path = tmp_path / "games.jsonl"
    path.write_text(f"{line}\n\n" + json.dumps(json.loads(line) | change))
    with pytest.raises(mp.BoardSyntaxError, match=r"^line 3: "):
        history.import_file(path)


def test_devices_and_folders_are_not_read(history: mp.History, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="got a device"):
        history.import_file("/dev/zero")
    with pytest.raises(IsADirectoryError):
        history.import_file(tmp_path)


@pytest.mark.slow
def test_a_large_board_is_kept(history: mp.History) -> None:
    game = history.add(finished("300x200x500", 1), budget=0).game
    assert (game.level, game.won) == ("300x200x500", True)
    assert saving.to_json(history.record(1)) == finished("300x200x500", 1).save()
