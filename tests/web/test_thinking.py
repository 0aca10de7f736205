"""Guesses that are thought over: as one answer, and as events that narrow; they stop when the client leaves."""

import json
import random
import secrets
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.web import best_move_events, limits, server
from support.patience import PATIENCE
from support.served import Client, posted, serving, wait
from web.test_games import begin, holds_mines, move, secrets_of
from web.test_simulate import events

OPENING = "/".join(["1" + 29 * "#"] + 15 * [30 * "#"])  # of an expert game: not clear for a long time
LAYOUT = "/".join([".*" + 28 * ".", *(12 * [30 * "."]), *(3 * [30 * "*"])])  # whose corner shows the same
LONG = {"board": OPENING, "mines": 99, "seconds": limits.MAX_THINKING_SECONDS}
CLEAR = {"board": "/".join(["1" + 8 * "#"] + 6 * [9 * "#"]), "mines": 12}  # after some tenths of a second
RIVAL = {"cell", "win_probability", "standard_error", "layouts", "played_by", "dropped"}


@contextmanager
def asked(port: int, request: bytes) -> Iterator[socket.socket]:
    """A connection on which something was asked; leaving closes it."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(request)
        yield connection


def until(connection: socket.socket, words: bytes, count: int = 1) -> bytes:
    said = b""
    while said.count(words) < count:
        piece = connection.recv(65536)
        assert piece, said
        said += piece
    return said


def got(path: str) -> bytes:
    return f"GET /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


# one answer


def test_it_is_thought_over_for_so_long(client: Client) -> None:
    answer = client.post("best", {"board": OPENING, "mines": 99, "seconds": 0.3})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    found = answer.json
    assert found["schema"] == "mineproof/best/1"
    thought = found["thought"]
    assert not thought["clear"]
    assert 0.2 < thought["seconds"] < 50
    assert [set(rival) for rival in thought["rivals"]] == [RIVAL] * len(thought["rivals"])
    assert found["best"] == thought["rivals"][0]["cell"] == found["moves"][0]["cell"]
    assert found["moves"][0]["standard_error"] == thought["rivals"][0]["standard_error"]
    assert found["board"]["cells"][0].startswith("1#")


def test_it_ends_when_it_is_clear(client: Client) -> None:
    found = client.post("best", {**CLEAR, "seconds": 60, "strategy": "deep"}).json
    assert found["thought"]["clear"]
    assert found["thought"]["seconds"] < 50


def test_where_there_is_nothing_to_think_over(client: Client) -> None:
    found = client.post("best", {"board": "#####/123##/###3#", "mines": 6, "seconds": 5}).json
    assert (found["best"], found["win_fraction"], found["thought"]) == ([0, 0], "3/5", None)


def test_seconds_are_not_taken_from_the_budget(client: Client) -> None:
    found = client.post("best", {"board": OPENING, "mines": 99, "seconds": 1.2, "budget": 0.5}).json
    assert found["thought"]["seconds"] > 1


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"seconds": 0}, "`seconds` must be more than 0 and at most 60, got 0"),
        ({"seconds": -1}, "`seconds` must be more than 0 and at most 60, got -1"),
        ({"seconds": limits.MAX_THINKING_SECONDS + 1}, "`seconds` must be more than 0 and at most 60, got 61"),
        ({"seconds": "5"}, "got `str` - at `$.seconds`"),
    ],
)
def test_wrong_seconds_are_refused(client: Client, more: dict[str, Any], words: str) -> None:
    for path in ("best", "best/events"):
        answer = client.post(path, CLEAR | more)
        assert (answer.status, answer.code) == (400, "syntax")
        assert words in answer.json["message"]


@pytest.mark.parametrize("query", ["seconds=0", "seconds=61", "seconds=nan", "seconds=inf", "seconds=soon", "second=1"])
def test_wrong_seconds_of_a_game_are_refused(client: Client, query: str) -> None:
    game_id = begin(client, level="beginner")
    for path in ("best", "best/events"):
        answer = client.get(f"games/{game_id}/{path}?{query}")
        assert (answer.status, answer.code) == (400, "usage")
        assert "second" in answer.json["message"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"exact": True}, "`seconds` needs strategy best or deep, got `exact`"),
        ({"strategy": "strong"}, "`seconds` needs strategy best or deep, got strategy 'strong'"),
        ({"mines": None}, "total"),
    ],
)
def test_what_does_not_go_with_seconds_is_refused(client: Client, more: dict[str, Any], words: str) -> None:
    answer = client.post("best", CLEAR | {"seconds": 1} | more)
    assert (answer.status, answer.code) == (400, "usage")
    assert words in answer.json["message"]


# events


def test_events_narrow_and_end_with_the_best_move(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_move_events, "EVERY", 0.0)
    answer = client.post("best/events", LONG | {"seconds": 2})
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream")
    *told, (name, found) = events(answer.content)
    assert [name for name, _ in told] == ["progress"] * len(told)
    assert len(told) > 2
    thoughts: list[Any] = [thought for _, thought in told]
    for thought in thoughts:
        assert set(thought) == {"seconds", "clear", "rivals"}
        assert [set(rival) for rival in thought["rivals"]] == [RIVAL] * len(thought["rivals"])
        assert not thought["rivals"][0]["dropped"], "the first is the best so far"
    course = [thought["rivals"][0] for thought in thoughts]
    course = [
        rival for rival in course if rival["played_by"] == course[-1]["played_by"]
    ]  # errors start anew with others
    assert course[-1]["layouts"] > course[0]["layouts"]
    assert course[-1]["standard_error"] < course[0]["standard_error"]
    end: Any = found
    assert (name, end["schema"]) == ("done", "mineproof/best/1")
    assert end["best"] == end["thought"]["rivals"][0]["cell"]
    assert end["thought"]["seconds"] >= thoughts[-1]["seconds"]
    assert end["board"]["total_mines"] == 99


def test_a_few_events_a_second(client: Client) -> None:
    assert 1 <= client.post("best/events", LONG | {"seconds": 0.8}).content.count(b"event: progress") <= 6


def test_where_there_is_nothing_to_think_over_there_is_the_end_alone(client: Client) -> None:
    [(name, found)] = events(client.post("best/events", {"board": "###/121", "mines": 2, "seconds": 5}).content)
    assert (name, found["reason"], found["thought"]) == ("done", "safe", None)


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"board": "3#/##", "mines": 1}, 422, "contradiction"),
        ({"board": "1w"}, 400, "syntax"),
        ({"mines": None}, 400, "usage"),
        ({"board": "expert"}, 400, "syntax"),
        ({"exact": True}, 400, "syntax"),
        ({"seconds": None}, 400, "syntax"),
        ({"board": "/".join(["#" * 101] * 100)}, 413, "too-large"),
    ],
)
def test_what_is_wrong_is_told_before_any_event(client: Client, more: dict[str, Any], status: int, code: str) -> None:
    answer = client.post("best/events", LONG | more)
    assert (answer.status, answer.code) == (status, code), answer.content


# leaving, and too many at once


def test_leaving_stops_it(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        lane = service.thinking.lane
        with asked(client.port, posted("best/events", json.dumps(LONG).encode())) as connection:
            said = until(connection, b"event: progress", 2)
            assert b"event: done" not in said
            assert lane.load == 1
            assert client.post("analyze", {"board": "1#/##", "mines": 1}).status == 200, "others are answered meanwhile"
        assert wait(lambda: lane.load == 0), "it continues without a listening client"
        with asked(client.port, posted("best", json.dumps(LONG).encode())):
            assert wait(lambda: lane.load == 1)
        assert wait(lambda: lane.load == 0), "it continues without a waiting client"
        game_id = begin(client, layout=LAYOUT)
        assert move(client, game_id, "open", 0, 0).json["cells"][0].startswith("1#")
        with asked(client.port, got(f"games/{game_id}/best/events?seconds=60")) as connection:
            until(connection, b"event: progress")
        assert wait(lambda: lane.load == 0)


def test_so_many_and_no_more(tmp_path: Path) -> None:
    with serving(tmp_path, "mines.example") as (client, service), ExitStack() as stack:
        all_in = limits.THOUGHTS + limits.THOUGHTS_WAITING
        body = json.dumps(LONG).encode()

        def ask(number: int) -> None:
            who = posted("best", body).replace(b"\r\n", f"\r\nX-Forwarded-For: 10.0.0.{number}\r\n".encode(), 1)
            stack.enter_context(asked(client.port, who))

        for number in range(limits.THOUGHTS_PER_CLIENT):
            ask(1)
            assert wait(lambda number=number: service.thinking.lane.load == number + 1)  # type: ignore[misc]
        for path in ("best", "best/events"):
            more = client.post(path, LONG, X_Forwarded_For="10.0.0.1")
            assert (more.status, more.code, more.headers["retry-after"]) == (429, "too-many", "1")
        for number in range(limits.THOUGHTS_PER_CLIENT, all_in):
            ask(2)
            assert wait(lambda number=number: service.thinking.lane.load == number + 1)  # type: ignore[misc]
        ask(3)  # takes the place of one of the two that wait for the first client
        assert wait(lambda: set(service.thinking.lane._queues) == {"10.0.0.1", "10.0.0.3"})
        assert service.thinking.lane.load == all_in
        for path in ("best", "best/events"):
            another = client.post(path, LONG, X_Forwarded_For="10.0.0.4")
            assert (another.status, another.code, another.headers["retry-after"]) == (503, "busy", "1")
        quick = client.post("best", CLEAR)
        assert (quick.status, quick.json.get("thought")) == (200, None), quick.content
        stack.close()
        assert wait(lambda: service.thinking.lane.load == 0)
        assert client.post("best", {**CLEAR, "seconds": 0.2}).json["thought"]["rivals"]


def test_it_ends_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GRACE", PATIENCE)
    with serving(tmp_path) as (client, _):
        connection = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
        connection.sendall(posted("best/events", json.dumps(LONG).encode()))
        until(connection, b"event: progress")
    with connection:
        said = until(connection, b"event: done")
    assert json.loads(said.split(b"event: done\ndata: ")[1].split(b"\n")[0])["best"], "the best so far"


# games


def test_a_guess_of_a_game(client: Client) -> None:
    game_id = begin(client, layout=LAYOUT)
    move(client, game_id, "open", 0, 0)
    move(client, game_id, "flag", 9, 9)  # flags are not trusted
    found = client.get(f"games/{game_id}/best?seconds=0.3").json
    assert found["best"] == found["thought"]["rivals"][0]["cell"]
    assert "".join(found["board"]["cells"]) == OPENING.replace("/", "")
    *_, (before, thought), (name, end) = events(client.get(f"games/{game_id}/best/events?seconds=0.3").content)
    rivals: Any = thought["rivals"]
    assert (before, len(rivals)) == ("progress", len(found["thought"]["rivals"]))
    assert (name, end["schema"], end["board"]) == ("done", "mineproof/best/1", found["board"])


def test_it_is_counted_as_help(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        game_id = begin(client, level="beginner", seed=7)
        for path in ("best", "best?seconds=0.1", "best/events?seconds=0.1"):
            assert client.get(f"games/{game_id}/{path}").status == 200
        assert service.games._live[game_id].help.best_moves == 3
        client.post(f"games/{game_id}/moves", {"kind": "open", "cell": [4, 4]})
        client.post(f"games/{game_id}/pause", None)
        assert client.get(f"games/{game_id}/best/events?seconds=0.1").status == 409
        assert service.games._live[game_id].help.best_moves == 3


@pytest.mark.parametrize("path", ["best", "best/events"])
def test_an_id_that_is_none_is_not_found(client: Client, path: str) -> None:
    answer = client.get(f"games/nobody/{path}?seconds=1")
    assert (answer.status, answer.code) == (404, "not-found")


def test_no_event_of_a_running_game_holds_its_mines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter(range(2**63 + 12345678901, 2**64, 12345678901))
    monkeypatch.setattr(secrets, "randbits", lambda _: next(seeds))
    monkeypatch.setattr(best_move_events, "EVERY", 0.0)
    told = 0
    with serving(tmp_path) as (client, service):
        for number in range(4):
            game_id, chance = begin(client, level="intermediate"), random.Random(number)
            for _ in range(3):
                move(client, game_id, "open", chance.randrange(16), chance.randrange(16))
            live = service.games._live[game_id]
            if live.game.is_over:
                continue
            mines, saved, seed = secrets_of(live)
            for path in ("best?seconds=0.2", "best/events?seconds=0.2"):
                answer = client.get(f"games/{game_id}/{path}")
                assert answer.status == 200
                assert holds_mines(answer.content + str(answer.headers).encode(), mines, saved, seed) == []
                told += answer.content.count(b"event: ")
    assert told > 5, "hardly anything was looked at"


def test_the_answer_is_that_of_the_library(client: Client) -> None:
    """Where it is clear, more time changes nothing: the same rounds, the same choice."""
    ours = mp.best_move(mp.Board.parse(str(CLEAR["board"]), total_mines=12), seconds=60).as_json()
    name, found = events(client.post("best/events", {**CLEAR, "seconds": 60}).content)[-1]
    assert name == "done"
    for key in ("best", "moves", "text", "reason"):
        assert found[key] == json.loads(json.dumps(ours[key]))
