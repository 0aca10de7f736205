"""Simulations as events: what is finished so far, then all of it; they stop when the client leaves."""

import asyncio
import http.client
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.web import limits, requests, simulations
from support.packages import install_tiny
from support.patience import PATIENCE
from support.served import JSON, Client, posted, serving, wait


def events(content: bytes) -> list[tuple[str, dict[str, object]]]:
    found = []
    for block in content.decode().strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def events_of(client: Client, wanted: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Return the events of a simulation that waits after its first progress until the client has read it."""
    encode, is_read, encoded = simulations._encode_result, threading.Event(), list[None]()

    def encode_in_step(*results: mp.Simulation) -> bytes:
        encoded.append(None)
        assert len(encoded) == 1 or is_read.wait(PATIENCE)
        return encode(*results)

    monkeypatch.setattr(simulations, "_encode_result", encode_in_step)
    monkeypatch.setattr(simulations, "EVERY", 0.0)
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=PATIENCE)
    connection.request("POST", "/api/v1/simulate", json.dumps(wanted), JSON)
    answer = connection.getresponse()
    content = b""
    while not content.endswith(b"\n\n"):
        content += answer.readline()
    is_read.set()
    content += answer.read()
    connection.close()
    return events(content)


def test_a_simulation_ends_with_what_the_library_finds(client: Client) -> None:
    answer = client.post("simulate", {"level": "beginner", "games": 500, "seed": 7})
    assert (answer.status, answer.headers["content-type"]) == (200, "text/event-stream")
    name, found = events(answer.content)[-1]
    assert name == "done"
    assert unspent(found) == unspent(json.loads(mp.simulate("beginner", games=500, seed=7).to_json()))


SPENT = ("cpu_seconds", "seconds", "cpu_seconds_per_game")


def unspent(simulation: Any) -> dict[str, object]:
    return {name: value for name, value in simulation.items() if name not in SPENT}


def test_two_strategies_play_the_same_games(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"level": "beginner", "games": 500, "seed": 7, "strategy": "strong", "against": "go", "first_game": 30}
    found = events_of(client, wanted, monkeypatch)
    assert [name for name, _ in found] == ["progress"] * (len(found) - 1) + ["done"]
    assert len(found) > 1
    one, other = (mp.simulate("beginner", games=500, seed=7, strategy=name, first_game=30) for name in ("strong", "go"))
    told = found[-1][1]
    expected = mp.compare(one, other).as_json()
    assert {name: value for name, value in told.items() if name != "simulations"} == expected
    simulated: list[Any] = told["simulations"]
    assert list(map(unspent, simulated)) == [unspent(json.loads(each.to_json())) for each in (one, other)]
    for _, document in found:
        both: list[Any] = document["simulations"]
        assert document["schema"] == "mineproof/comparison/1"
        assert [each["games"] for each in both] == [document["games"]] * 2


def test_a_comparison_goes_on_from_where_it_was(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a page does: what was finished in the last event, and the rest from there on, add up to the whole."""
    wanted = {"level": "beginner", "games": 400, "seed": 7, "against": "go"}
    found = events_of(client, wanted, monkeypatch)
    stopped, whole = found[0][1], found[-1][1]
    games = stopped["games"]
    assert isinstance(games, int)
    assert 0 < games < 400
    rest = events(client.post("simulate", wanted | {"games": 400 - games, "first_game": games}).content)[-1][1]
    for name in ("games", "both", "only_first", "only_second", "neither"):
        assert stopped[name] + rest[name] == whole[name]
    resumed = events(client.post("simulate", wanted | {"resume": stopped["simulations"]}).content)
    assert all(document["games"] > games for _, document in resumed)  # type: ignore[operator]
    for one, other in ((resumed[-1][1], whole), *zip(resumed[-1][1]["simulations"], whole["simulations"], strict=True)):  # type: ignore[call-overload]
        assert unspent(one) | {"simulations": None} == unspent(other) | {"simulations": None}


def test_a_simulation_goes_on_from_what_an_event_told(client: Client) -> None:
    part, whole = (mp.simulate("beginner", games=games, seed=7) for games in (128, 400))
    wanted = {"level": "beginner", "games": 400, "seed": 7, "resume": [json.loads(part.to_json())]}
    name, found = events(client.post("simulate", wanted).content)[-1]
    assert (name, unspent(found)) == ("done", unspent(json.loads(whole.to_json())))


def test_only_what_belongs_to_it_is_gone_on_from(client: Client) -> None:
    part = json.loads(mp.simulate("beginner", games=128, seed=7).to_json())
    wanted = {"level": "beginner", "games": 400, "seed": 7}
    for wrong, code in (
        ([], "usage"),
        ([part, part], "usage"),
        ([part | {"seed": 8}], "usage"),
        ([part | {"games": 127}], "syntax"),
        ([part | {"won": "AAAA"}], "syntax"),
        ([part | {"tally": part["tally"] | {"survived": 2**61}}], "syntax"),
        ([part | {"tally": part["tally"] | {"moves": 10**400}}], "syntax"),
        ([part | {"tally": part["tally"] | {"guesses": -1}}], "syntax"),
        ([{}], "syntax"),
    ):
        answer = client.post("simulate", wanted | {"resume": wrong})
        assert (answer.status, answer.code) == (400, code), wrong
    assert client.post("simulate", wanted | {"resume": part}).status == 400


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"strategy": 7}, "syntax"),
        ({"strategy": "luck"}, "usage"),
        ({"against": "luck"}, "usage"),
        ({"start": [99, 99]}, "outside"),
        ({"start": "random"}, "usage"),
        ({"seed": 2**64}, "usage"),
    ],
)
def test_what_is_wrong_is_told_before_any_event(client: Client, more: dict[str, Any], code: str) -> None:
    answer = client.post("simulate", {"level": "beginner", "games": 9} | more)
    assert (answer.status, answer.code) == (409 if code == "outside" else 400, code), answer.content


def test_whoever_does_not_read_gets_the_last_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that nothing piles up for a client that reads slowly."""
    monkeypatch.setattr(simulations, "EVERY", 0.0)
    monkeypatch.setattr(simulations, "FOR_EACH", 0.0)
    told: list[bytes] = []

    def tell(found: mp.Simulation) -> bytes:
        told.append(b"%d" % found.games)
        return told[-1]

    monkeypatch.setattr(simulations, "_encode_result", tell)

    async def run() -> int:
        running = simulations.Simulations()
        stream = running.events(
            running.check(requests.SimulateRequest(level="expert", games=limits.MAX_SIMULATED_GAMES))
        )
        await anext(stream)
        while len(told) < 10:
            await asyncio.sleep(0.01)
        made = len(told)
        for _ in range(3):  # so that all of them have arrived in the event loop
            await asyncio.sleep(0)
        event = await anext(stream)
        running.lane.cancel()
        assert [name async for name in stream][-1].startswith(b"event: done")
        assert event.startswith(b"event: progress")
        return told.index(event.split(b"data: ")[1].strip()) - made

    assert asyncio.run(run()) >= -2  # the last, or one that was just being made


@pytest.mark.parametrize("more", [{}, {"against": "strong"}])
def test_progress_comes_as_it_is_made_and_leaving_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, str]
) -> None:
    monkeypatch.setattr(simulations, "EVERY", 0.0)
    monkeypatch.setattr(simulations, "SIMULATIONS", 1)
    with serving(tmp_path) as (client, service):
        wanted = {"level": "expert", "games": limits.MAX_SIMULATED_GAMES, "strategy": "fast"} | more
        body = json.dumps(wanted).encode()
        with socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) as connection:
            connection.sendall(posted("simulate", body))
            said = b""
            while said.count(b"event: progress") < 2:
                said += connection.recv(65536)
            assert b"event: done" not in said
            assert service.simulations.lane.load == 1
            another = client.post("simulate", {"level": "beginner", "games": 10})
            assert (another.status, another.code) == (429, "too-many"), "one simulation a client"
        assert wait(lambda: service.simulations.lane.load == 0), "it continues without a listening client"


def test_a_strategy_of_an_installed_package(client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_tiny(tmp_path, monkeypatch)
    listed = client.get("strategies").json
    assert listed["schema"] == "mineproof/strategies/1"
    packages = {strategy["name"]: strategy["package"] for strategy in listed["strategies"]}
    assert packages["tiny-many"] == "tiny-strategies"
    wanted = {"rows": 6, "columns": 6, "mines": 6, "games": 100, "seed": 7, "strategy": "tiny-careful"}
    name, found = events(client.post("simulate", {**wanted, "against": "tiny-many"}).content)[-1]
    assert (name, found["games"], found["only_first"], found["only_second"]) == ("done", 100, 0, 0)
    refused = client.post("simulate", {**wanted, "strategy": "tiny-missing"})
    assert refused.status == 400
    assert "'tiny-missing' of package tiny-strategies cannot be loaded" in refused.json["message"]


@pytest.mark.parametrize("key", ["strategy", "against"])
@pytest.mark.parametrize("name", ["exec", "exec@5", "exec@5/5"])
def test_no_client_can_run_a_command(client: Client, key: str, name: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    answer = client.post("simulate", {"level": "beginner", "games": 2, key: f"{name}:touch {made}"})
    assert (answer.status, answer.code) == (400, "usage")
    assert "the server starts no bots" in answer.json["message"]
    assert not made.exists()
