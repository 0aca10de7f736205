"""The routes answered without HTTP: the same as a server answers, with threads and without."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import mineproof as mp
from mineproof.base import threads
from mineproof.web import openapi
from mineproof.web.local import LocalServer, Response
from mineproof.web.routes import API, ROUTES
from support.served import Client, serving

BOARD = "1#/##"
LINE = "01#/01#/01#"
LAYOUT = "....\n....\n...*\n"
SIZE = {"rows": 4, "columns": 4, "mines": 2}
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ][0-9:.]+(Z|\+00:00)?")
TIMES = re.compile(r'"(seconds|ms|cpu_seconds|duration|began|date|created|elapsed)":\s*("[^"]*"|[-0-9.e]+|null)')
IDS = re.compile(r'"(id|game|key|seed)":\s*("[^"]*"|[0-9]+)')


class Step(NamedTuple):
    """One request. ``{game}`` in a path is the id of the game that the last step with ``keeps`` began."""

    method: str
    path: str
    body: Any = None
    status: int = 200
    keeps: bool = False
    compared: bool = True


def saved_game() -> str:
    game = mp.Game(mp.Layout.parse(LAYOUT), first_click="any")
    game.open(0, 0)
    return base64.b64encode(game.save().encode()).decode()


def puzzle_answer() -> dict[str, object]:
    puzzle = mp.puzzle("single-flag", seed=7)
    return {
        "board": puzzle.as_json()["board"], "technique": "single-flag", "cell": min(puzzle.solution), "seed": 7
    }  # fmt: skip


# At least one request for each route, in an order in which each finds what it needs.
STEPS = [
    Step("POST", "analyze", {"board": BOARD, "mines": 1}),
    Step("POST", "solve", {"board": LINE}),
    Step("POST", "hint", {"board": LINE, "level": 2}),
    Step("POST", "best", {"board": BOARD, "mines": 1}),
    Step("POST", "best/events", {"board": BOARD, "mines": 1, "seconds": 0.2}),
    Step("POST", "convert", {"board": LINE, "to": "mineproof"}),
    Step("POST", "read", b"no picture", status=400),
    Step("POST", "check", {"board": LAYOUT, "start": [0, 0]}),
    Step("POST", "generate", {**SIZE, "seed": 7, "no_guess": True, "start": [0, 0]}),
    Step("POST", "games", {**SIZE, "seed": 3, "first_click": "safe"}, status=201, keeps=True),
    Step("GET", "games/{game}"),
    Step("GET", "games/{game}/hint?level=1"),
    Step("GET", "games/{game}/odds"),
    Step("GET", "games/{game}/best"),
    Step("GET", "games/{game}/best/events?seconds=0.2"),
    Step("POST", "games/{game}/moves", {"kind": "flag", "cell": [3, 3]}, compared=False),
    Step("POST", "games/{game}/pause", {}, status=409),
    Step("POST", "games/{game}/resume", {}),
    Step("POST", "games/{game}/again", {}, status=201),
    Step("POST", "games", {"layout": LAYOUT}, status=201, keeps=True),
    Step("GET", "games/{game}/review", status=409),
    Step("POST", "games/{game}/moves", {"kind": "open", "cell": [0, 0]}),
    Step("GET", "games/{game}/review"),
    Step("GET", "games/{game}/result"),
    Step("GET", "games/{game}/timeline"),
    Step("GET", "games/{game}/lesson"),
    Step("GET", "games/{game}/lesson?to=html"),
    Step("GET", "games/{game}/record"),
    Step("POST", "games/{game}/from", {"move": 0}, status=201),
    Step("POST", "history", {"data": saved_game(), "file": "game.json"}),
    Step("GET", "history"),
    Step("GET", "history/summary"),
    Step("GET", "history/export?to=jsonl"),
    Step("GET", "history/profile"),
    Step("GET", "history/1/review"),
    Step("GET", "history/1/timeline"),
    Step("GET", "history/1/lesson"),
    Step("GET", "history/1/record"),
    Step("POST", "history/1/name", {"name": "Ada"}),
    Step("POST", "history/1/from", {"move": 0}, status=201),
    Step("DELETE", "history/1"),
    Step("POST", "puzzle", {"technique": "single-flag", "seed": 7}),
    Step("POST", "answer", puzzle_answer()),
    Step("GET", "standing"),
    Step("GET", "dashboard"),
    Step("GET", "daily?month=2026-01"),
    Step("POST", "runs", {"mode": "streak"}, status=201),
    Step("GET", "variants"),
    Step("POST", "variant-games", {"rules": "liar", **SIZE, "seed": 3}, status=201, keeps=True),
    Step("GET", "variant-games/{game}"),
    Step("POST", "variant-games/{game}/moves", {"kind": "open", "cell": [0, 0]}),
    Step("GET", "variant-games/{game}/odds"),
    Step("GET", "variant-games/{game}/hint?level=2"),
    Step("GET", "variant-games/{game}/best"),
    Step("POST", "variant-games/{game}/again", {}, status=201),
    Step("GET", "strategies"),
    Step("POST", "simulate", {**SIZE, "games": 200, "seed": 5}),
    Step("GET", "player"),
    Step("POST", "player"),
    Step("GET", "openapi.json"),
    Step("GET", "nothing", status=404),
    Step("POST", "analyze", {"board": "nine"}, status=400),
]


@pytest.fixture(params=["threads", "no threads"])
def local(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    if request.param == "no threads":
        monkeypatch.setattr(threads, "HAS_THREADS", False)
    server = LocalServer(tmp_path / "local")
    yield server
    assert server.close()


async def ask(server: LocalServer, step: Step, game: str, events: list[bytes]) -> Response:
    path, _, query = f"{API}/{step.path.format(game=game)}".partition("?")
    is_bytes = isinstance(step.body, bytes)
    body = step.body if is_bytes else b"" if step.body is None else json.dumps(step.body).encode()
    kind = {"content-type": "application/octet-stream" if is_bytes else "application/json"}
    return await server.ask(step.method, path, query, body, kind, listen=events.append)


def test_a_start_makes_no_openapi_document(local: LocalServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It would be a third of the start of the static site."""
    monkeypatch.setattr(openapi, "document", lambda _: pytest.fail("made"))
    assert LocalServer(tmp_path / "other").close()
    monkeypatch.undo()
    response = asyncio.run(local.ask("GET", "/api/v1/openapi.json"))
    assert json.loads(response.content)["openapi"] == "3.1.0"


def test_every_route_has_a_request() -> None:
    asked = {(step.method, f"{API}/{step.path.partition('?')[0]}") for step in STEPS}
    for route in ROUTES:
        pattern = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route.path)))
        assert any(method == route.method and pattern.fullmatch(path) for method, path in asked), route.name


def test_it_answers_as_the_server_does(local: LocalServer, tmp_path: Path) -> None:
    with serving(tmp_path / "served") as (client, _):
        asyncio.run(compare(local, client))


async def compare(local: LocalServer, client: Client) -> None:
    await local.start()
    here = there = ""
    for step in STEPS:
        events: list[bytes] = []
        mine = await ask(local, step, here, events)
        kind = {"Content_Type": "application/octet-stream"} if isinstance(step.body, bytes) else {}
        theirs = client.ask(step.method, f"{API}/{step.path.format(game=there)}", step.body, **kind)
        content = mine.content or b"".join(events)
        assert (mine.status, mine.headers["content-type"]) == (theirs.status, theirs.headers["content-type"]), step
        assert mine.status == step.status, (step, content)
        if step.keeps:
            here, there = json.loads(content)["id"], theirs.json["id"]
        if step.compared:
            assert last_of(content) == last_of(theirs.content), step


def last_of(content: bytes) -> str:
    """A response, or its last event, without ids and times."""
    text = content.decode()
    if text.startswith("event: "):
        text = text.strip().split("\n\n")[-1]
    return IDS.sub('"id"', TIMES.sub('"time"', MOMENT.sub("moment", text)))
