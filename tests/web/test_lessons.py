"""Lessons over HTTP: those of the library, as JSON and as a page; none of a game that is on."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.history.store import FILE
from mineproof.web.app import Service
from support.finished import finished
from support.html import Page
from support.recordings import evf, small
from support.served import Client, serving, wait


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Client, Service]]:
    """A history of two games: a win with guesses, and a loss of a player with an odd name."""
    with mp.History.open(tmp_path / FILE) as history:
        history.add(finished("9x9x20", seed=0), source="play")
        history.add(finished("9x9x10", seed=1, won=False), source="play", player="<b>Ann</b>")
    with serving(tmp_path) as found:
        yield found


def policy_allows(page: bytes, policy: str) -> bool:
    (script,) = re.findall(rb'<script type="module">(.*?)</script>', page, re.DOTALL)
    return f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" in policy


def test_a_game_of_the_history(served: tuple[Client, Service]) -> None:
    client, _ = served
    answer = client.get("history/1/lesson")
    expected = mp.lesson(finished("9x9x20", seed=0), name="Game 1")
    assert (answer.status, answer.json) == (200, json.loads(json.dumps(expected.as_json())))
    page = client.get("history/1/lesson?to=html")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.content.decode() == expected.html(practise="/#/practise?technique=")
    assert client.get("history/9/lesson").status == 404
    assert client.get("history/1/lesson?to=pdf").status == 400


def test_the_page_may_run_its_script_and_nothing_else(served: tuple[Client, Service]) -> None:
    client, _ = served
    answers = [client.get("history/2/lesson?to=html"), client.get("history/profile?to=html")]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert policy_allows(answer.content, policy)
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-store"
        assert "<b>Ann</b>" in "".join(Page(answer.content.decode()).words)
    assert client.get("history/2/lesson").headers["content-security-policy"].startswith("default-src 'none'; frame")


def test_a_profile_of_the_history(served: tuple[Client, Service]) -> None:
    client, _ = served
    answer = client.get("history/profile").json
    assert (answer["schema"], answer["games"], answer["won"]) == ("mineproof/profile/1", 2, 1)
    assert answer["names"] == ["Game 2", "Game 1"]
    assert client.get("history/profile?won=true").json["names"] == ["Game 1"]
    assert client.get("history/profile?level=9x9x20").json["names"] == ["Game 1"]
    assert client.get("history/profile?limit=1").json["games"] == 1
    assert client.get("history/profile?limit=51").status == 400
    assert client.get("history/profile?level=expert").status == 404
    words = Page(client.get("history/profile?to=html").content.decode()).words
    assert "Profile of 2 games" in words


def test_a_replay_that_is_imported_has_a_lesson(served: tuple[Client, Service]) -> None:
    client, _ = served
    data = base64.b64encode(evf(small())).decode()
    number = client.post("history", {"data": data, "file": "a.evf"}).json["files"][0]["games"][0]["id"]
    assert client.get(f"history/{number}/lesson").json["review"]["status"] == "won"


def test_no_lesson_while_a_game_is_on(served: tuple[Client, Service]) -> None:
    client, _ = served
    begun = client.post("games", {"rows": 2, "columns": 4, "mines": 1, "first_click": "safe", "seed": 3}).json
    for query in ("", "?to=html"):
        answer = client.get(f"games/{begun['id']}/lesson{query}")
        assert (answer.status, answer.code) == (409, "illegal-move")
    client.post(f"games/{begun['id']}/moves", {"kind": "open", "cell": [0, 3]})
    view = client.get(f"games/{begun['id']}").json
    if view["status"] == "running":
        assert client.get(f"games/{begun['id']}/lesson").status == 409
    assert client.get("games/nobody/lesson").status == 404


def test_a_game_keeps_its_lesson_after_an_undo(served: tuple[Client, Service]) -> None:
    client, _ = served
    begun = client.post("games", {"layout": "*../..*", "first_click": "any"}).json["id"]
    client.post(f"games/{begun}/moves", {"kind": "open", "cell": [0, 0]})
    lesson = client.get(f"games/{begun}/lesson").json
    assert lesson["review"]["status"] == "lost"
    assert [each["topic"] for each in lesson["sentences"]] == ["end", "guesses", "choices", "time", "clicks"]
    number = 3  # in the history
    assert wait(lambda: client.get(f"history/{number}/lesson").status == 200)
    branch = client.post(f"games/{begun}/moves", {"kind": "undo"}).json
    assert branch["status"] != "lost"
    assert client.get(f"games/{branch['id']}/lesson").status == 409
    assert client.get(f"games/{begun}/lesson").json == lesson
    assert client.get(f"history/{number}/lesson").status == 200
    assert f"Game {number}" in client.get("history/profile").json["names"]
