"""Simulations as events: what is finished so far, then all of it; they stop when the client leaves."""

import json
import socket
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.web import limits, simulations
from support.served import Client, posted, serving, wait


def events(content: bytes) -> list[tuple[str, dict[str, object]]]:
    found = []
    for block in content.decode().strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_a_simulation_ends_with_what_the_library_finds(client: Client) -> None:
    answer = client.post("simulate", {"level": "beginner", "games": 500, "seed": 7})
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream")
    name, found = events(answer.content)[-1]
    expected = mp.simulate("beginner", games=500, seed=7).as_json()
    spent = ("cpu_seconds", "seconds")
    assert name == "done"
    assert {k: v for k, v in found.items() if k not in spent} == {k: v for k, v in expected.items() if k not in spent}


def test_what_is_wrong_is_told_before_or_as_an_event(client: Client) -> None:
    assert client.post("simulate", {"level": "beginner", "strategy": 7}).status == 400
    [(name, document)] = events(client.post("simulate", {"level": "beginner", "strategy": "luck"}).content)
    assert (name, document["schema"], document["code"]) == ("error", "mineproof/error/1", "usage")


def test_progress_comes_as_it_is_made_and_leaving_stops_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulations, "EVERY", 0.0)
    monkeypatch.setattr(simulations, "SIMULATIONS", 1)
    with serving(tmp_path) as (client, service):
        body = json.dumps({"level": "expert", "games": limits.MOST_GAMES_SIMULATED, "strategy": "fast"}).encode()
        with socket.create_connection(("127.0.0.1", client.port), timeout=30) as connection:
            connection.sendall(posted("simulate", body))
            said = b""
            while said.count(b"event: progress") < 2:
                said += connection.recv(65536)
            assert b"event: done" not in said
            assert service.simulations.lane.load == 1
            another = client.post("simulate", {"level": "beginner", "games": 10})
            assert (another.status, another.code) == (503, "busy")
        assert wait(lambda: service.simulations.lane.load == 0), "it goes on though nobody listens"
