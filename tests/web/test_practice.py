"""Puzzles over HTTP: those of the library, judged by what is proved, counted once."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.practice.puzzles import LABELS, TECHNIQUES
from mineproof.web import practice
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
        assert first["change"] == first["standing"]["rating"] - 1500.0 > 0
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
    assert [each["label"] for each in told] == [LABELS[name] for name in TECHNIQUES]
    assert all(each["rating"] > 0 and each["deviation"] > 0 for each in told)


def test_the_daily_puzzle_is_searched_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def daily(day: date, **_: object) -> mp.Puzzle:
        calls.append(day)
        from dataclasses import replace

        return replace(mp.puzzle("partition", level="beginner", seed=4), level="expert", day=day)

    monkeypatch.setattr(practice, "daily_puzzle", daily)
    monkeypatch.setattr(practice, "_days", {})
    today = datetime.now(UTC).date()
    with serving(tmp_path) as (client, _):
        puzzle = client.post("puzzle", {"daily": True}).json
        assert puzzle["date"] == today.isoformat()
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
