"""All data as one file: what is saved comes back, and what is something else changes nothing."""

import asyncio
import io
import json
import zipfile
from pathlib import Path

import pytest

from mineproof.errors import BoardSyntaxError
from mineproof.web.data_file import restore_data, save_data
from mineproof.web.local import LocalServer

JSON = {"content-type": "application/json"}


def begin_game(folder: Path) -> str:
    server = LocalServer(folder)
    body = json.dumps({"level": "beginner"}).encode()
    response = asyncio.run(server.ask("POST", "/api/v1/games", body=body, headers=JSON))
    assert server.close()
    return str(json.loads(response.content)["id"])


def status_of(folder: Path, game: str) -> int:
    server = LocalServer(folder)
    response = asyncio.run(server.ask("GET", f"/api/v1/games/{game}"))
    assert server.close()
    return response.status


def zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def test_data_come_back_in_another_folder(tmp_path: Path) -> None:
    game = begin_game(tmp_path / "one")
    other = begin_game(tmp_path / "two")
    saved = save_data(tmp_path / "one")
    restore_data(tmp_path / "two", saved)
    assert status_of(tmp_path / "two", game) == 200
    assert status_of(tmp_path / "two", other) == 404
    assert save_data(tmp_path / "two") == save_data(tmp_path / "two")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"text", "expected a file with all data of mineproof, got another file"),
        (b"", "got another file"),
        (zipped("../x", b""), "got a ZIP file with '../x'"),
        (zipped("games.sqlite", b"text"), "games.sqlite: expected a database, got other bytes"),
    ],
)
def test_another_file_changes_nothing(tmp_path: Path, data: bytes, message: str) -> None:
    game = begin_game(tmp_path)
    with pytest.raises(BoardSyntaxError, match=message):
        restore_data(tmp_path, data)
    assert status_of(tmp_path, game) == 200


def test_a_server_hands_thinking_about_a_game_on(tmp_path: Path) -> None:
    async def ask() -> None:
        games, thinker = LocalServer(tmp_path / "games", thinks_elsewhere=True), LocalServer(tmp_path / "thinker")
        layout = json.dumps({"layout": "...*\n....\n...*\n", "first_click": "any"}).encode()
        game = json.loads((await games.ask("POST", "/api/v1/games", body=layout, headers=JSON)).content)["id"]
        await games.ask("POST", f"/api/v1/games/{game}/moves", body=b'{"kind": "open", "cell": [0, 2]}', headers=JSON)
        events: list[bytes] = []
        await games.ask("GET", f"/api/v1/games/{game}/best/events", "seconds=0.1", listen=events.append)
        (name, data), rest = events[0].decode().split("\n")[:2], events[1:]
        assert (name, rest) == ("event: elsewhere", [])
        request = json.loads(data.removeprefix("data: "))
        body = json.dumps(request["body"]).encode()
        response = await thinker.ask(request["method"], request["path"], body=body, headers=JSON)
        assert response.status == 200
        last = response.content.decode().strip().split("\n\n")[-1]
        assert last.startswith("event: done\n")
        view = json.loads((await games.ask("GET", f"/api/v1/games/{game}")).content)
        assert json.loads(last.partition("data: ")[2])["board"]["cells"] == view["cells"]
        assert games.close()
        assert thinker.close()

    asyncio.run(ask())
