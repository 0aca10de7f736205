"""The server of the Model Context Protocol, asked by the client of the SDK: tools, resources, games without leaks."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import anyio
import pytest

import mineproof as mp
from mineproof.mcp import games
from mineproof.mcp.games import MAX_GAMES, GameTable
from mineproof.mcp.server import build_server
from support.command import mineproof
from support.engines import needs_kernel

sdk = pytest.importorskip("mcp")
pytestmark = needs_kernel

PATIENCE = 60.0  # seconds; only a failure takes that long
Script = Callable[[Any], Awaitable[None]]


def talk(server: object, script: Script) -> None:
    """Run a script with a client that is connected to a server: an object, the parameters of a process, or a URL."""

    async def run() -> None:
        with anyio.fail_after(2 * PATIENCE):
            async with sdk.Client(server) as client:
                await script(client)

    anyio.run(run)


async def call(client: Any, tool: str, **arguments: object) -> dict[str, Any]:
    """Call a tool and return its document."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    document: dict[str, Any] = result.structured_content
    assert json.loads(result.content[0].text) == document
    return document


async def refusal(client: Any, tool: str, **arguments: object) -> str:
    """Call a tool that fails and return the message."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    text: str = result.content[0].text
    return text


async def win_without_guesses(client: Any) -> None:
    """An agent that opens what `analyze` calls safe."""
    game = await call(client, "new_game", size="expert", no_guess=True)
    game = await call(client, "move", id=game["id"], row=8, column=15)
    while game["status"] == "running":
        assert "mines" not in game
        analysis = await call(client, "analyze", board=game["board"])
        assert analysis["safe"], "a guess is needed"
        for row, column in analysis["safe"]:
            if game["cells"][row][column] == "#" and game["status"] == "running":
                game = await call(client, "move", id=game["id"], row=row, column=column)
    assert game["status"] == "won"
    assert len(game["mines"]) == 99


def test_an_agent_wins_an_expert_board_without_guesses() -> None:
    talk(build_server(local_files=True), win_without_guesses)


def test_the_command_serves_a_client_on_standard_input() -> None:
    async def script(client: Any) -> None:
        assert client.server_info.name == "mineproof"
        assert client.server_info.version == mp.__version__
        assert (await call(client, "analyze", board="1#/##", mines=1))["layouts"] == "3"

    talk(sdk.StdioServerParameters(command=sys.executable, args=["-m", "mineproof", "mcp"]), script)


def test_tools_return_what_the_library_returns(tmp_path: Path) -> None:
    board = mp.Board.parse("#####/123##/###3#", total_mines=6)
    text = "5x3x6\n#####\n123##\n###3#"
    shown = ["1###", "12##", "01##", "0112"]
    picture = mp.draw(mp.Board.parse("/".join(shown), total_mines=3)).png(scale=2)
    path = tmp_path / "board.png"
    path.write_bytes(picture)

    async def script(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "analyze", "hint", "best_move", "check", "generate", "read_screenshot", "new_game", "move", "look",
        }  # fmt: skip
        assert all(tool.description for tool in tools.values())
        analysis = await call(client, "analyze", board=text)
        assert analysis["mine_probability"] == mp.analyze(board).as_json()["mine_probability"]
        assert (await call(client, "hint", board="1#/11"))["mines"] == [[0, 1]]
        best = await call(client, "best_move", board=text, strategy="strong")
        assert tuple(best["best"]) == mp.best_move(board, "strong").cell
        made = await call(client, "generate", size="9x9x10", count=2, no_guess=True, start=[4, 4], seed=7)
        layout = mp.generate(9, 9, 10, no_guess=True, start=(4, 4), seed=7)
        assert made["layouts"][0] == layout.as_json()
        checked = await call(client, "check", layout=json.dumps(made["layouts"][0]))
        assert checked["no_guess"] is True
        for source in ({"path": str(path)}, {"data": base64.b64encode(picture).decode()}):
            assert (await call(client, "read_screenshot", **source))["cells"] == shown

    talk(build_server(local_files=True), script)


def test_every_shape_is_analysed_and_played() -> None:
    async def script(client: Any) -> None:
        board = mp.generate(8, 8, 6, seed=1, topology="octagons").board()
        analysis = await call(client, "analyze", board=str(board), topology="octagons")
        assert analysis["layouts"] == str(mp.analyze(board).layouts)
        made = await call(client, "generate", size="8x8x6", topology="triangles", seed=2)
        assert made["layouts"][0]["topology"] == "triangles"
        game = await call(client, "new_game", size="8x8x6", topology="knight", first_click="safe")
        assert game["topology"] == "knight"
        game = await call(client, "move", id=game["id"], row=0, column=0)
        seen = await call(client, "hint", board=game["board"])
        assert seen["schema"] == "mineproof/hint/1"

    talk(build_server(local_files=False), script)


def test_errors_say_what_to_do_and_end_nothing(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    async def script(client: Any) -> None:
        assert "syntax: line 1, character 2" in await refusal(client, "analyze", board="1x/##")
        assert "contradiction: " in await refusal(client, "analyze", board="4#/##")
        assert "at most 10,000 cells" in await refusal(client, "generate", size="200x200x100")
        assert "expected a layout" in await refusal(client, "check", layout="1#/##")
        assert "expected a position" in await refusal(
            client, "analyze", board=json.dumps(mp.Layout(2, 2, frozenset([(0, 0)])).as_json())
        )
        assert "No game has the id 'x'" in await refusal(client, "look", id="x")
        assert "either `path` or `data`" in await refusal(client, "read_screenshot")
        assert "expected base64" in await refusal(client, "read_screenshot", data="?")
        assert "got a pipe" in await refusal(client, "read_screenshot", path=str(pipe))
        assert "fairness must be one of" in await refusal(client, "new_game", fairness="x")
        assert "count must be from 1 to 20" in await refusal(client, "generate", count=99)
        assert (await call(client, "analyze", board="1#/##", mines=1))["layouts"] == "3"

    talk(build_server(local_files=True), script)


def test_resources_are_documents() -> None:
    async def script(client: Any) -> None:
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        assert uris == [f"mineproof://docs/{name}" for name in ("boards", "games", "techniques", "strategies")]
        for uri in uris:
            text = (await client.read_resource(uri)).contents[0].text
            assert text.startswith("# ")
            assert len(text.splitlines()) > 4

    talk(build_server(local_files=True), script)


# games


def test_a_running_game_shows_neither_mines_nor_seed() -> None:
    """Two tables with different games look the same before the first move, and later only by what is open."""
    views = [GameTable().new("9x9x10", no_guess=False, first_click="safe", fairness="none") for _ in range(2)]
    assert {key: value for key, value in views[0].items() if key != "id"} == {
        key: value for key, value in views[1].items() if key != "id"
    }
    table = GameTable()
    game = table.new("9x9x10", no_guess=False, first_click="open", fairness="none")
    moved = table.move(game["id"], "open", 4, 4)
    assert moved["status"] == "running"
    keys = {"id", "board", "schema", "rows", "columns", "topology", "total_mines", "mines_left", "status", "seconds",
            "paused", "cells", "redraws", "exploded"}  # fmt: skip
    assert set(table.look(game["id"])) == keys
    assert set(moved) == keys | {"opened", "redrawn"}
    assert len(moved["opened"]) == sum(symbol.isdigit() for row in moved["cells"] for symbol in row)


def test_a_lost_game_stays_lost() -> None:
    table = GameTable()
    game = table.new("2x2x3", no_guess=False, first_click="safe", fairness="none")
    game = table.new("9x9x70", no_guess=False, first_click="safe", fairness="none")
    table.move(game["id"], "flag", 8, 8)
    shown = table.move(game["id"], "open", 0, 0)
    cells = [(row, column) for row in range(9) for column in range(9)]
    for row, column in cells:
        if shown["status"] == "running" and shown["cells"][row][column] == "#":
            shown = table.move(game["id"], "open", row, column)
    assert shown["status"] == "lost"
    assert shown["exploded"]
    assert len(shown["mines"]) == 70
    with pytest.raises(mp.IllegalMoveError):
        table.move(game["id"], "undo", 0, 0)  # type: ignore[arg-type]
    with pytest.raises(mp.IllegalMoveError):
        table.move(game["id"], "open", 8, 8)


def test_old_games_are_dropped() -> None:
    table = GameTable()
    first, *_ = [
        table.new("2x2x1", no_guess=False, first_click="safe", fairness="none")["id"] for _ in range(MAX_GAMES + 1)
    ]
    with pytest.raises(mp.IllegalMoveError, match="Start one with new_game"):
        table.look(first)


def test_a_long_move_holds_up_no_other_game(monkeypatch: pytest.MonkeyPatch) -> None:
    table = GameTable()
    slow, quick = (table.new("5x5x4", no_guess=one, first_click="safe", fairness="none")["id"] for one in (True, False))
    begun, finish = threading.Event(), threading.Event()

    def wait_long(*_: object) -> None:
        begun.set()
        finish.wait(PATIENCE)
        raise mp.BudgetExceeded("no board", limit="seconds", seconds=1.0, states=0, width=None)

    monkeypatch.setattr(games, "with_no_guess_board", wait_long)
    with ThreadPoolExecutor() as threads:
        move = threads.submit(table.move, slow, "open", 0, 0)
        assert begun.wait(PATIENCE)
        assert table.move(quick, "open", 0, 0)["status"] in ("running", "won")
        finish.set()
        assert isinstance(move.exception(PATIENCE), mp.BudgetExceeded)


# HTTP


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of ``mineproof mcp --http``."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "mineproof", "mcp", "--http", "--port", str(port)], stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + PATIENCE
        while not answers(port):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_the_command_serves_http_for_this_machine_only() -> None:
    async def script(client: Any) -> None:
        game = await call(client, "new_game", size="beginner")
        assert (await call(client, "move", id=game["id"], row=0, column=0))["status"] == "running"
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "path" not in tools["read_screenshot"].input_schema["properties"]

    with served() as address:
        talk(address, script)
        for header in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
            request = Request(address, b"{}", {"Content-Type": "application/json", "Accept": "*/*", **header})
            with pytest.raises(HTTPError) as refused, urlopen(request, timeout=PATIENCE):
                pass
            assert refused.value.code in (403, 421)
            refused.value.close()


def test_a_port_in_use_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = mineproof("mcp", "--http", "--port", str(port))
    assert done.status == 2
    assert f"Cannot listen on 127.0.0.1:{port}: " in done.err


def test_the_command_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = mineproof("mcp")
    assert done.status == 2
    assert "pip install 'mineproof[mcp]'" in done.err
