"""Which pages may send requests: those of this server, and those of allowed sites."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from mineproof.web import limits
from mineproof.web.guard import read_origin
from support.command import mineproof
from support.patience import PATIENCE
from support.served import Client, posted, served, serving

GAME = "https://game.example"
BOARD = {"board": "1#/##", "mines": 1}


@pytest.fixture(scope="module")
def open_to_a_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server that pages of another site may ask."""
    with serving(tmp_path_factory.mktemp("origins"), origins=[GAME]) as (client, _):
        yield client


def test_a_page_of_an_allowed_site_may_ask_and_read(open_to_a_game: Client) -> None:
    answer = open_to_a_game.post("analyze", BOARD, Origin=GAME, Sec_Fetch_Site="cross-site")
    assert (answer.status, answer.json["layouts"]) == (200, "3")
    assert answer.headers["access-control-allow-origin"] == GAME
    assert answer.headers["vary"] == "origin"
    assert "access-control-allow-credentials" not in answer.headers


def test_errors_and_events_can_be_read_there_too(open_to_a_game: Client) -> None:
    wrong = open_to_a_game.post("analyze", {"board": "3#/##", "mines": 1}, Origin=GAME)
    assert (wrong.status, wrong.headers["access-control-allow-origin"]) == (422, GAME)
    events = open_to_a_game.post("simulate", {"level": "beginner", "games": 5}, Origin=GAME)
    assert (events.status, events.headers["access-control-allow-origin"]) == (200, GAME)
    assert events.headers["access-control-expose-headers"] == "retry-after"


@pytest.mark.parametrize("path", ["/api/v1/analyze", "/api/v1/games/x/moves", "/api/v1/history/1"])
def test_a_browser_is_told_before_what_the_page_may_send(open_to_a_game: Client, path: str) -> None:
    asked = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "content-type"}
    answer = open_to_a_game.ask("OPTIONS", path, Origin=GAME, Access_Control_Request_Private_Network="true", **asked)
    assert (answer.status, answer.content) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == GAME
    assert {"GET", "POST", "DELETE"} <= set(answer.headers["access-control-allow-methods"].split(", "))
    assert "content-type" in answer.headers["access-control-allow-headers"].split(", ")
    assert answer.headers["access-control-allow-private-network"] == "true"
    assert answer.headers["vary"] == "origin"


@pytest.mark.parametrize("origin", ["https://evil.example", "http://game.example", f"{GAME}.evil.example", "null"])
def test_another_site_is_refused_as_before(open_to_a_game: Client, origin: str) -> None:
    asked = open_to_a_game.post("analyze", BOARD, Origin=origin)
    before = open_to_a_game.ask("OPTIONS", "/api/v1/analyze", Origin=origin, Access_Control_Request_Method="POST")
    for answer in (asked, before):
        assert (answer.status, answer.code) == (403, "forbidden")
        assert "access-control-allow-origin" not in answer.headers


def test_what_no_page_of_another_site_asks_varies_by_origin_too(open_to_a_game: Client) -> None:
    answer = open_to_a_game.post("analyze", BOARD)
    assert (answer.status, answer.headers["vary"]) == (200, "origin")
    assert "access-control-allow-origin" not in answer.headers
    assert open_to_a_game.get("history", Sec_Fetch_Site="cross-site").status == 403


def test_the_page_itself_is_not_for_other_sites(open_to_a_game: Client) -> None:
    assert open_to_a_game.ask("GET", "/", Origin=GAME).status == 403


def test_without_the_option_nothing_is_shared(client: Client) -> None:
    answer = client.post("analyze", BOARD)
    assert not {"vary", "access-control-allow-origin"} & set(answer.headers)
    asked = client.ask("OPTIONS", "/api/v1/analyze", Origin=GAME, Access_Control_Request_Method="POST")
    assert (asked.status, asked.code) == (403, "forbidden")


def test_the_option_allows_origins(tmp_path: Path) -> None:
    options = ("--allow-origin", f"{GAME}:443", "--allow-origin", "http://localhost:8000")
    with served(tmp_path, *options) as (_, client):
        for origin in (GAME, "http://localhost:8000"):
            assert client.post("analyze", BOARD, Origin=origin).headers["access-control-allow-origin"] == origin


@pytest.mark.parametrize(
    "text",
    [
        "game.example",
        "https://",
        "*",
        "null",
        "https://a.example/game",
        "ftp://a.example",
        "https://u@a.example",
        "https://*.example",
    ],
)
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected an origin such as"):
        read_origin(text)
    done = mineproof("serve", "--allow-origin", text)
    assert done.status == 2
    assert "expected an origin such as https://game.example, got" in done.err


# headers that decide who may ask


@pytest.mark.parametrize(
    "header",
    [
        "Host: localhost",
        "Origin: http://localhost",
        "Sec-Fetch-Site: none",
        "sec-fetch-site: same-origin",
        "Mineproof-Player: none",
    ],
)
def test_a_header_that_decides_who_may_ask_comes_once(client: Client, header: str) -> None:
    first = "Host: localhost\r\n" if header.startswith("Host") else f"Host: localhost\r\n{header}\r\n"
    request = f"GET /api/v1/history HTTP/1.1\r\n{first}{header}\r\nConnection: close\r\n\r\n"
    answer = client.raw(request.encode())
    assert answer.startswith(b"HTTP/1.1 403"), answer
    assert b"header, got 2" in answer


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/api/v1/history", b"200"),
        ("http://localhost/api/v1/history", b"200"),
        ("http://localhost:1/api/v1/history", b"200"),
        ("http://127.0.0.1:80/api/v1/history", b"200"),
        ("http://[::1]:80/api/v1/history", b"200"),
        ("http://evil.example/api/v1/history", b"403"),
        ("http://localhost.evil.example/api/v1/history", b"403"),
        ("https://evil.example:443/api/v1/history", b"403"),
        ("//evil.example/api/v1/history", b"404"),
    ],
)
def test_the_host_of_the_target_counts(client: Client, target: str, status: bytes) -> None:
    request = f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert client.raw(request.encode()).startswith(b"HTTP/1.1 " + status)


def test_the_host_of_the_target_must_match_the_origin(client: Client) -> None:
    request = "GET http://localhost/api/v1/history HTTP/1.1\r\nHost: a\r\nOrigin: {}\r\nConnection: close\r\n\r\n"
    assert client.raw(request.format("http://localhost").encode()).startswith(b"HTTP/1.1 200")
    assert client.raw(request.format("http://a").encode()).startswith(b"HTTP/1.1 403")


# connections


def test_a_client_has_a_share_of_the_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_PER_CLIENT", 3)
    with serving(tmp_path) as (client, _):
        assert client.post("analyze", BOARD).status == 200
        held = [socket.create_connection(("127.0.0.1", client.port)) for _ in range(2)]
        refused = client.raw(b"")
        assert refused.startswith(b"HTTP/1.1 429")
        assert b"retry-after: 1\r\n" in refused
        assert b'"too-many"' in refused
        with socket.create_connection(
            ("127.0.0.1", client.port), timeout=PATIENCE, source_address=("127.0.0.2", 0)
        ) as other:
            other.sendall(posted("analyze", b'{"board": "1#/##"}'))
            assert other.recv(65536).startswith(b"HTTP/1.1 200"), "another client has its own share"
        for each in held:
            each.close()


def test_a_proxy_has_the_connections_of_all_its_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS_PER_CLIENT", 1)
    with serving(tmp_path, "mines.example") as (client, _):
        assert client.post("analyze", BOARD).status == 200
        with socket.create_connection(("127.0.0.1", client.port)):
            assert client.raw(posted("analyze", b"{}").replace(b"Host", b"Connection: close\r\nHost")).startswith(
                b"HTTP/1.1 400"
            )
