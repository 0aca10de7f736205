"""Puzzles over HTTP: those of the library, judged by what is proved, counted once."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.practice import runs
from mineproof.practice.book import book
from mineproof.practice.puzzles import TECHNIQUES, technique_label
from mineproof.practice.search import puzzle_at
from mineproof.practice.variety import RECENT_SHAPES, puzzle_shape
from mineproof.web.daily_puzzles import DailyPuzzles
from mineproof.web.ready_puzzles import BOOK_LEFT, READY_PUZZLES, ReadyPuzzles
from support.served import Client, serving

ASKED = {"technique": "partition", "level": "beginner", "seed": 4}


def answered(client: Client, puzzle: dict[str, Any], cell: list[int], **more: object) -> Any:
    body = {name: puzzle[name] for name in ("board", "technique", "level", "seed")} | {"cell": cell} | more
    answer = client.post("answer", body)
    assert answer.status == 200, answer.content
    return answer.json


def test_a_puzzle_is_that_of_the_library(client: Client) -> None:
    expected = mp.puzzle("partition", level="beginner", seed=4)
    assert client.post("puzzle", ASKED).json == expected.as_json()
    assert client.post("puzzle", ASKED | {"solution": False}).json == expected.as_json(solution=False)


def test_without_a_technique_the_rating_decides(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        with mp.Training.lent(service.games.history) as training:
            wanted = [training.next_technique(seed) for seed in range(4)]
        found = [client.post("puzzle", {"level": "beginner", "seed": seed}).json["technique"] for seed in range(4)]
    assert found == wanted
    assert len(set(found)) == 2


def test_an_answer_is_judged_and_counts_once(tmp_path: Path) -> None:
    asked = mp.puzzle("partition", level="beginner", seed=4)
    with serving(tmp_path) as (client, _):
        puzzle = client.post("puzzle", ASKED | {"solution": False}).json
        tried = answered(client, puzzle, [1, 2], counted=False)
        assert (tried["verdict"], tried["change"], tried["standing"]["answers"]) == ("right", None, 0)
        first = answered(client, puzzle, [1, 2])
        assert (first["verdict"], first["standing"]["answers"], first["standing"]["streak"]) == ("right", 1, 1)
        assert first["change"] == first["standing"]["rating"] - 700.0 > 0
        expected = mp.answer(asked, (1, 2)).as_json()
        told = {name: value for name, value in first.items() if name in expected and name != "puzzle"}
        assert told == {name: value for name, value in expected.items() if name != "puzzle"}
        again = answered(client, puzzle, [1, 2])
        assert (again["change"], again["standing"]) == (None, first["standing"])
        other = client.post("puzzle", ASKED | {"seed": 5, "solution": False}).json
        mine = min(mp.analyze(mp.puzzle("partition", level="beginner", seed=5).board).mines)
        wrong = answered(client, other, list(mine))
        assert (wrong["verdict"], wrong["change"] < 0, wrong["standing"]["streak"]) == ("wrong", True, 0)
        standing = client.get("standing").json
        assert {name: value for name, value in standing.items() if name != "techniques"} == wrong["standing"]
    with mp.Training.open(tmp_path) as training:
        assert training.standing().as_json() == wrong["standing"]


def test_the_ladder_is_told_in_its_order(client: Client) -> None:
    told = client.get("standing").json["techniques"]
    assert [each["name"] for each in told] == list(TECHNIQUES)
    assert [each["label"] for each in told] == [technique_label(name) for name in TECHNIQUES]
    assert all(each["rating"] > 0 and each["deviation"] > 0 for each in told)


def test_the_daily_puzzle_is_searched_once(tmp_path: Path) -> None:
    calls = []

    def daily(day: date, **_: object) -> mp.Puzzle:
        calls.append(day)
        return replace(mp.puzzle("partition", level="beginner", seed=4), level="expert", day=day)

    with serving(tmp_path) as (client, service):
        service.ready.daily = DailyPuzzles(daily)  # of this server alone: others may run in the same process
        before = datetime.now(UTC).date()
        puzzle = client.post("puzzle", {"daily": True}).json
        today = date.fromisoformat(puzzle["date"])
        assert before <= today <= datetime.now(UTC).date()
        right = answered(client, puzzle, [1, 2], date=puzzle["date"])
        assert (right["verdict"], right["standing"]["daily_streak"]) == ("right", 1)
        assert calls == [today]
        elsewhere = client.post("puzzle", ASKED | {"seed": 5}).json
        body = {"technique": "partition", "cell": [1, 2], "date": puzzle["date"], "board": elsewhere["board"]}
        assert client.post("answer", body).code == "usage"  # a day is answered on its own board
        for days in (-1, 2, 100):
            late = body | {"board": puzzle["board"], "date": (today - timedelta(days=days)).isoformat()}
            assert client.post("answer", late).code == "usage"
    assert calls == [today]


BOARD = "9x9x10/1111#####/##2######/112F34F##/001112FFF/000001232/001221000/001FF1000/001221000/000000000"
RIGHT = {"board": BOARD, "technique": "bounds", "cell": [0, 4], "level": "beginner", "seed": 7}


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"technique": "partition"}, 400, "usage"),
        ({"technique": "exhaustive"}, 400, "usage"),
        ({"technique": "magic"}, 400, "syntax"),
        ({"seed": None}, 400, "usage"),
        ({"level": "x"}, 400, "syntax"),
        ({"cell": [0, 0]}, 409, "illegal-move"),
        ({"cell": [2, 3]}, 409, "illegal-move"),
        ({"cell": [99, 0]}, 409, "outside"),
        ({"board": "*./.."}, 400, "syntax"),
        ({"board": {"schema": "mineproof/board/1"}}, 400, "syntax"),
        ({"board": "9#/##"}, 400, "syntax"),
        ({"board": "2#/1F"}, 422, "contradiction"),
        ({"board": "1#/##"}, 400, "usage"),
        ({"board": "101x100x5/" + "/".join(["#" * 101] * 100)}, 413, "too-large"),
        ({"solution": [[0, 4]]}, 400, "syntax"),
        ({"date": "2026-13-01"}, 400, "syntax"),
        ({"date": "1999-01-01"}, 400, "usage"),
    ],
)
def test_an_answer_that_is_none_is_refused(client: Client, changed: dict[str, Any], status: int, code: str) -> None:
    assert client.post("answer", RIGHT | {"counted": False}).json["verdict"] == "right"
    answer = client.post("answer", RIGHT | changed)
    assert (answer.status, answer.code) == (status, code), answer.content


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"daily": True, "seed": 1}, 400, "usage"),
        ({"technique": "magic"}, 400, "syntax"),
        ({"level": "100x101x900"}, 503, "budget"),
        ({"level": "3x3x9"}, 400, "syntax"),
        ({"technique": "guess", "level": "2x2x1", "budget": 0.1}, 503, "budget"),
        ({"seed": 2**64}, 400, "usage"),
    ],
)
def test_a_puzzle_that_cannot_be_is_refused(client: Client, body: object, status: int, code: str) -> None:
    answer = client.post("puzzle", body)
    assert (answer.status, answer.code) == (status, code), answer.content


# variety


def board_of(shown: dict[str, Any]) -> mp.Board:
    board = shown["board"]
    return mp.Board.parse("\n".join(board["cells"]), total_mines=board["total_mines"])


def test_without_a_seed_no_shape_comes_twice(tmp_path: Path) -> None:
    body = {"technique": "total", "level": "beginner"}
    with serving(tmp_path) as (client, _):
        puzzles = [client.post("puzzle", body).json for _ in range(RECENT_SHAPES + 1)]
        shapes = []
        for shown in puzzles:
            task = puzzle_at(board_of(shown), shown["technique"])
            assert task is not None
            shapes.append(puzzle_shape(task))
            assert shown["level"] == "beginner"
            same = client.post("puzzle", body | {"seed": shown["seed"]}).json
            assert same["board"] == shown["board"]  # its name is enough to have it again
    assert len(set(shapes[:RECENT_SHAPES])) == RECENT_SHAPES


def test_an_answered_puzzle_does_not_come_from_the_book_again(tmp_path: Path) -> None:
    entries = book()["partition", "beginner"]
    with mp.Training.open(tmp_path) as training:
        for entry in entries[:-1]:
            task = replace(mp.puzzle("partition", level="beginner", seed=4), seed=entry.seed)
            training.add(mp.answer(task, (1, 2)))
    with serving(tmp_path) as (client, _):
        shown = client.post("puzzle", {"technique": "partition", "level": "beginner"}).json
    assert shown["seed"] == entries[-1].seed


def test_more_are_searched_in_the_background_and_each_is_given_once() -> None:
    ready = ReadyPuzzles()
    kind = ("partition", "5x5x4")
    ready.want(*kind, left=BOOK_LEFT)
    assert ready.missing() is None  # the book has enough
    ready.want(*kind, left=BOOK_LEFT - 1)
    assert ready.missing() == kind
    for _ in range(READY_PUZZLES):
        ready._search(kind, lambda: False)
    assert ready.missing() is None
    first = ready.take(*kind, [])
    assert first is not None
    assert ready.missing() == kind
    left = [ready.take(*kind, []) for _ in range(READY_PUZZLES)]
    assert first not in left
    assert left[-1] is None
    ready.want("guess", "2x2x1", left=0)
    ready._search(("guess", "2x2x1"), lambda: True)  # nothing found
    assert ready.missing() == kind


def test_a_ready_puzzle_is_not_one_seen_lately() -> None:
    ready, kind = ReadyPuzzles(), ("total", "beginner")
    ready.want(*kind, left=0)
    ready._search(kind, lambda: False)
    [task] = ready._puzzles[kind]
    ready.note_served("ann", task)
    assert ready.recent_shapes("ann", ["x"]) == [puzzle_shape(task), "x"]
    assert ready.recent_shapes("bob", []) == []
    assert ready.take(*kind, ready.recent_shapes("ann", [])) is None
    assert ready.take(*kind, ready.recent_shapes("bob", [])) is task


# runs


def solved(client: Client, shown: dict[str, Any], **more: object) -> Any:
    task = puzzle_at(board_of(shown), shown["technique"])
    assert task is not None
    return answered(client, shown, list(min(task.solution)), **more)


def failed(client: Client, shown: dict[str, Any], **more: object) -> Any:
    board = board_of(shown)
    analysis = mp.analyze(board)
    cell = min(analysis.safe if shown["kind"] == "flag" else analysis.mines, default=None)
    if cell is None:
        cell = next(one for one in board.cells(mp.COVERED) if one not in analysis.safe | analysis.mines)
    return answered(client, shown, list(cell), **more)


def test_a_streak(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, _):
        started = client.post("runs", {"mode": "streak", "level": "beginner"})
        assert started.status == 201
        run = started.json
        assert (run["score"], run["over"], run["seconds_left"], run["best"]) == (0, False, None, 0)
        for score in (1, 2):
            shown = client.post("puzzle", {"run": run["id"], "solution": False}).json
            assert (shown["technique"], shown["level"], shown["solution"]) == ("single-open", "beginner", None)
            result = solved(client, shown, run=run["id"], ms=1500)
            assert (result["run"]["score"], result["run"]["over"], result["change"]) == (score, False, None)
        assert not solved(client, shown, run=run["id"])["counted"]  # the same one again
        shown = client.post("puzzle", {"run": run["id"]}).json
        result = failed(client, shown, run=run["id"])
        assert (result["run"]["score"], result["run"]["over"], result["run"]["best"]) == (2, True, 2)
        assert (result["standing"]["rating"], result["standing"]["answers"]) == (700.0, 0)
        shown = client.post("puzzle", {"run": run["id"]}).json
        assert solved(client, shown, run=run["id"])["run"]["score"] == 2  # it is over
        board = client.get("dashboard").json
        assert board["best"] == {"streak": 2, "storm": 0}
        assert board["runs"][0]["score"] == 2
        assert client.post("puzzle", {"run": run["id"] + 1}).status == 404
        assert client.post("puzzle", {"run": run["id"], "seed": 1}).code == "usage"
        assert client.post("runs", {"mode": "marathon"}).code == "syntax"


def test_a_storm_is_over_by_the_clock_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as (client, _):
        run = client.post("runs", {"mode": "storm"}).json
        assert 179 < run["seconds_left"] <= 180
        shown = client.post("puzzle", {"run": run["id"]}).json
        assert solved(client, shown, run=run["id"])["run"]["score"] == 1
        shown = client.post("puzzle", {"run": run["id"]}).json
        monkeypatch.setattr(runs, "STORM_SECONDS", -10.0)
        late = solved(client, shown, run=run["id"])
        assert (late["run"]["score"], late["run"]["over"], late["counted"]) == (1, True, False)


# retry, dashboard, days


def test_a_failed_puzzle_is_retried(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, _):
        shown = client.post("puzzle", ASKED).json
        failed(client, shown, ms=2500)
        [again] = client.get("dashboard").json["failed"]
        assert {name: again[name] for name in ASKED} == ASKED
        same = client.post("puzzle", {name: again[name] for name in ASKED}).json
        assert (same["board"], same["games"]) == (shown["board"], 0)  # it was not searched again
        result = solved(client, same, retry=True)
        assert (result["verdict"], result["counted"], result["standing"]["right"]) == ("right", False, 0)
        assert client.get("dashboard").json["failed"] == []


def test_the_daily_puzzle_of_another_day(tmp_path: Path) -> None:
    today = datetime.now(UTC).date()
    with serving(tmp_path) as (client, _):
        shown = client.post("puzzle", {"date": "2026-11-16"}).json
        assert (shown["date"], shown["technique"], shown["level"]) == ("2026-11-16", "partition", "expert")
        assert client.post("puzzle", {"date": (today + timedelta(days=1)).isoformat()}).code == "usage"
        assert client.post("puzzle", {"date": "2026-11-16", "seed": 1}).code == "usage"
        solved(client, shown, ms=14_000)
        month = client.get("daily?month=2026-11").json
        assert [(day["date"], day["right"], day["on_time"]) for day in month["days"]] == [("2026-11-16", True, False)]
        assert client.get("daily").json["month"] == f"{today:%Y-%m}"
        assert client.get("daily?month=2026-13").code == "usage"
        assert client.get("daily?month=").code == "usage"


# continuing a puzzle


def test_a_game_continues_the_position_of_a_puzzle(tmp_path: Path) -> None:
    task = mp.puzzle("partition", level="beginner", seed=4)
    with serving(tmp_path) as (client, _):
        begun = client.post("games", {"position": str(task.board)})
        assert begun.status == 201
        view = begun.json
        assert view["rows"] == 9
        assert "".join(view["cells"]) == "".join(str(task.board).split("\n")[1:])
        assert "*" not in json.dumps(view)
        row, column = min(task.solution)
        moved = client.post(f"games/{view['id']}/moves", {"kind": "open", "cell": [row, column]}).json
        assert moved["status"] in ("running", "won")
        for wrong in ({"level": "beginner"}, {"no_guess": True}):
            assert client.post("games", {"position": str(task.board)} | wrong).code == "usage"
        assert client.post("games", {"position": "1#/##"}).code == "usage"  # no number of mines
        assert client.post("games", {"position": "2x2x1/#1/11"}).code == "usage"  # nothing to open
