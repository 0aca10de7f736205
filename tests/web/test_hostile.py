"""Hostile input gets an error document or a closed connection; the server keeps running."""

import contextlib
import json
import socket
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.web import limits, server
from mineproof.web.routes import ROUTES
from support.effort import examples
from support.patience import PATIENCE
from support.served import Client, posted, serving, wait

HEAD = b"POST /api/v1/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


NAMES = ["mines", "flags", "density", "from", "size", "topology", "level", "to", "start", "certificate", "rows"]
KEYS = st.sampled_from(NAMES) | st.text(max_size=5)
WORDS = ["1#/##", "*..", "torus", "json", "ignore", "1/5", "2x2", "beginner", "{}", "mineproof"]
CELLS = st.tuples(st.integers(-2, 3), st.integers(-2, 3))
SIMPLE = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(WORDS) | CELLS
)


def alive(client: Client) -> bool:
    return bool(client.post("analyze", {"board": "1#/##", "mines": 1}).json["layouts"] == "3")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"1#/##"',
        b"{",
        b'{"board": 1}',
        b'{"board": null}',
        b'{"board": ["1#"]}',
        b'{"board": "1#/##", "mines": NaN}',
        b'{"board": "1#/##", "mines": Infinity}',
        b'{"board": "1#/##", "mines": 1e999}',
        b'{"board": "1#/##", "mines": ' + b"9" * 5000 + b"}",
        b'{"board": "1#/##", "mines": -1}',
        b'{"board": "1#/##", "mines": 1.5}',
        b'{"board": "1#/##", "mines": true}',
        b'{"board": "1#/##", "mines": "1"}',
        b'{"board": "1#/##", "density": NaN}',
        b'{"board": "1#/##", "density": "1e-999999999"}',
        b'{"board": "1#/##", "density": "' + b"1" * 100_000 + b'/3"}',
        b'{"board": "1#/##", "budget": 1e9}',
        b'{"board": "1#/##", "states": 18446744073709551616}',
        b'{"board": "1#/##", "nothing": 1}',
        b'{"board": "1#/##", "board": "11/##"}',
        b'{"board": "1#/##", "mines": 1, "bo\\u0061rd": "1#/##"}',
        b'{"mines": 1, "board": "a:b", "mines":1}',
        b'{"board": "\xff\xfe"}',
        b'{"board": "\\ud800"}',
        b"\xef\xbb\xbf{}",
        b'{"board": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[" * 500_000,
        b'{"a":' * 100_000,
        b'{"board": "' + b"[" * 100_000 + b'"}',
        b'{"board": "{\\"schema\\": ' + b"[" * 100_000 + b'"}',
        b'{"board": "\\u0000"}',
        b"\x00" * 1000,
    ],
)
def test_a_body_that_is_no_question_is_refused(client: Client, body: bytes) -> None:
    answer = client.ask("POST", "/api/v1/analyze", body)
    assert answer.status == 400, (body[:60], answer.content[:300])
    assert answer.code in ("syntax", "usage")
    assert b"Traceback" not in answer.content
    assert alive(client)


def test_a_deeply_nested_certificate_is_refused(client: Client) -> None:
    deep = b'{"board": "*..", "start": [0, 2], "certificate": {"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}"
    assert client.ask("POST", "/api/v1/check", deep).status == 400


def test_a_key_that_stands_twice_is_refused_wherever_it_is(client: Client) -> None:
    twice = b'{"board": "*..", "start": [0, 2], "certificate": {"rows": 1, "rows": 1}}'
    answer = client.ask("POST", "/api/v1/check", twice)
    assert (answer.status, answer.code) == (400, "syntax")
    assert "expected each key once, got 'rows' twice" in answer.json["message"]


def test_a_colon_in_a_text_is_no_key(client: Client) -> None:
    link = "https://davidnhill.github.io/JSMinesweeper/index.html?board=3x3x2&analysis=ajajaaakZS"
    assert client.post("analyze", {"board": link}).status == 200
    assert client.ask("POST", "/api/v1/analyze", b'{"board": "' + link.encode() + b'", "board": "1#"}').status == 400


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"])
def test_another_media_type_is_refused(client: Client, kind: str) -> None:
    answer = client.ask("POST", "/api/v1/analyze", b'{"board": "1#/##"}', Content_Type=kind)
    assert (answer.status, answer.code) == (415, "media-type")


def test_json_may_name_its_charset(client: Client) -> None:
    kind = "application/json; charset=utf-8"
    assert client.ask("POST", "/api/v1/analyze", b'{"board": "1#/##"}', Content_Type=kind).status == 200


def test_a_body_that_is_too_large_is_refused(client: Client) -> None:
    said = client.raw(HEAD + b"Content-Length: 99999999999\r\nConnection: close\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 413")
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    many = limits.MAX_BODY_BYTES // 0x10000 + 2
    sent = client.raw(HEAD + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunk * many + b"0\r\n\r\n")
    assert b'"too-large"' in sent
    assert alive(client)


@pytest.mark.parametrize("path", sorted({route.path for route in ROUTES} | {"/"}))
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"])
def test_another_method_is_refused(client: Client, path: str, method: str) -> None:
    known = {route.method for route in ROUTES if route.path == path} or {"GET"}
    if method in known:
        return
    answer = client.ask(method, path.replace("{id}", "x"))
    if method == "BREW":  # no HTTP that the parser knows
        assert answer.status == 400
    else:
        assert (answer.status, answer.code) == (405, "method")
        assert known <= set(answer.headers["allow"].split(", "))


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/analyze/",
        "/static/",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/api/v1/games/../games",
        "/%00",
    ],
)
def test_a_path_that_there_is_not_is_not_found(client: Client, path: str) -> None:
    answer = client.ask("GET", path)
    assert (answer.status, answer.code) == (404, "not-found")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8642", 200),
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:8642", 200),
        ("192.168.0.7", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("localhost.evil.example", 403),
        ("localhost:80:80", 403),
        ("[::1]x", 403),
        ("", 403),
    ],
)
def test_the_host_must_be_this_server(client: Client, host: str, status: int) -> None:
    answer = client.get("openapi.json", Host=host)
    assert answer.status == status
    assert status == 200 or answer.code == "forbidden"


def test_another_site_may_not_ask(client: Client) -> None:
    own = f"http://127.0.0.1:{client.port}"
    assert client.post("analyze", {"board": "1#/##"}, Origin=own).status == 200
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{client.port + 1}", f"{own}.evil.example"):
        answer = client.post("analyze", {"board": "1#/##"}, Origin=origin)
        assert (answer.status, answer.code) == (403, "forbidden"), origin


def test_an_origin_has_the_scheme_of_this_server(client: Client) -> None:
    answer = client.post("analyze", {"board": "1#/##"}, Origin=f"https://127.0.0.1:{client.port}")
    assert (answer.status, answer.code) == (403, "forbidden")


def test_a_page_of_another_site_may_link_here_and_not_ask(client: Client) -> None:
    assert client.ask("GET", "/", Sec_Fetch_Site="cross-site").status == 200
    for site, status in (("cross-site", 403), ("same-origin", 200), ("none", 200)):
        assert client.get("history", Sec_Fetch_Site=site).status == status


def test_two_hosts_are_refused(client: Client) -> None:
    two = b"GET /api/v1/history HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert client.raw(two).startswith(b"HTTP/1.1 403")
    twice = b"GET /api/v1/history HTTP/1.1\r\nHost: localhost\r\nX: 1\r\nX: 2\r\nConnection: close\r\n\r\n"
    assert client.raw(twice).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("path", ["/", "/static/style.css", "/api/v1/openapi.json", "/nothing"])
def test_every_answer_has_the_headers_of_security(client: Client, path: str) -> None:
    headers = client.ask("GET", path).headers
    policy = headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(policy)
    assert "unsafe" not in headers["content-security-policy"]
    if path in ("/", "/static/style.css"):
        own = {f"{kind}-src 'self'" for kind in ("script", "style", "connect", "manifest", "worker")}
        assert own | {"img-src 'self' data: blob:", "base-uri 'none'", "form-action 'none'"} <= set(policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "server" not in headers


def test_the_page_has_no_script_or_style_of_its_own(client: Client) -> None:
    page = client.ask("GET", "/")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    for inline in (b"<script>", b"<style", b" style=", b"onclick", b"javascript:"):
        assert inline not in page.content
    again = client.ask("GET", "/", If_None_Match=page.headers["etag"])
    assert (again.status, again.content) == (304, b"")


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
    ],
)
def test_what_is_no_http_is_told_so(client: Client, sent: bytes) -> None:
    said = client.raw(sent)
    assert said.startswith(b"HTTP/1.1 400"), said
    assert b'"mineproof/error/1"' in said
    assert alive(client)


@pytest.mark.parametrize("line", [b"X: " + b"a" * 100 + b"\r\n", b"X: " + b"a" * limits.MAX_HEAD_BYTES + b"\r\n"])
def test_headers_that_are_too_large_are_refused(client: Client, line: bytes) -> None:
    lines = line * (limits.MAX_HEAD_BYTES // len(line) + 1)
    said = client.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n")
    assert said.startswith(b"HTTP/1.1 431"), said
    assert b'"head-too-large"' in said
    assert client.raw(b"GET /" + b"a" * limits.MAX_HEAD_BYTES + b" HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 431")
    assert alive(client)


def trickle(connection: socket.socket, piece: bytes) -> None:
    for _ in range(200):
        connection.sendall(piece)
        time.sleep(0.002)


@pytest.mark.parametrize("piece", [b"a" * 8000, b"X: " + b"a" * 8000 + b"\r\n"])
def test_headers_without_an_end_are_refused(client: Client, piece: bytes) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        with pytest.raises(ConnectionError):
            trickle(connection, piece)
    assert alive(client)


def test_many_requests_in_one_piece_are_no_large_headers(client: Client) -> None:
    one = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1000 + b"\r\n\r\n"
    said = client.raw(one * 150 + one.replace(b"Host", b"Connection: close\r\nHost"))
    assert said.count(b"HTTP/1.1 404") == 151


def test_slow_requests_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.3)
    with serving(tmp_path) as (client, _):
        assert client.raw(b"").startswith(b"HTTP/1.1 408")
        assert client.raw(b"GET / HTTP/1.1\r\nHost: loc").startswith(b"HTTP/1.1 408")
        said = client.raw(HEAD + b"Content-Length: 100\r\nConnection: close\r\n\r\n{")
        assert said.startswith(b"HTTP/1.1 408")
        assert b'"timeout"' in said
        first = HEAD + b"Content-Length: 18\r\n\r\n" + b'{"board": "1#/##"}'
        said = client.raw(first + b"POST /api")  # the second request of a connection
        assert said.startswith(b"HTTP/1.1 200")
        assert b"HTTP/1.1 408" in said
        monkeypatch.undo()
        assert alive(client)


@pytest.mark.parametrize("times", [1000, 30])  # more than the buffers of a connection hold, and not much more
def test_answers_that_nobody_reads_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    monkeypatch.setattr(limits, "WRITE_SECONDS", 0.3)
    given_up, lose = set[int](), server._Protocol.connection_lost

    def note_lost(self: server._Protocol, error: Exception | None) -> None:
        lose(self, error)
        given_up.add(self.client[1] if self.client else 0)

    monkeypatch.setattr(server._Protocol, "connection_lost", note_lost)
    one = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with serving(tmp_path) as (client, _), socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(PATIENCE)
        connection.connect(("127.0.0.1", client.port))
        connection.sendall(one * times + one.replace(b"Host", b"Connection: close\r\nHost"))
        assert wait(lambda: connection.getsockname()[1] in given_up, PATIENCE)
        found = b""
        with contextlib.suppress(ConnectionError):
            while piece := connection.recv(1 << 20):
                found += piece
        assert found.count(b"HTTP/1.1 200") < times
        assert alive(client)


def test_a_request_that_is_given_up_cuts_no_answer_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(limits, "BODY_SECONDS", 0.2)
    with serving(tmp_path) as (client, _):
        for second in (b"POST /api", HEAD + b"Content-Length: 100\r\n\r\n{"):
            said = client.raw(slow(budget=1) + second)
            assert said.startswith(b"HTTP/1.1 503"), "the first of two requests is answered first"
            assert b'"budget"' in said
            assert said.count(b"HTTP/1.1") == 2
            assert b"HTTP/1.1 408" in said
        refused = HEAD.replace(b"application/json", b"text/plain") + b"Content-Length: 100\r\n\r\n{"
        said = client.raw(refused)
        assert said.startswith(b"HTTP/1.1 415")
        assert said.count(b"HTTP/1.1") == 1, "a request is answered once"


def test_so_many_connections_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONNECTIONS", 2)
    with serving(tmp_path) as (client, _):
        assert alive(client)
        with socket.create_connection(("127.0.0.1", client.port)):
            said = client.raw(b"")
            assert said.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 1\r\n" in said
            assert b'"busy"' in said
        assert wait(lambda: client.raw(b"GET\r\n\r\n").startswith(b"HTTP/1.1 400")), "a place that is free is given"


@settings(max_examples=examples(300))
@given(
    st.recursive(SIMPLE, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5))
    | st.fixed_dictionaries({"board": st.sampled_from(WORDS) | st.text()}, optional=dict.fromkeys(NAMES, SIMPLE))
    | st.fixed_dictionaries({"board": st.sampled_from(WORDS)}, optional={"mines": st.integers(0, 4), "start": CELLS})
)
def test_any_json_is_answered(client: Client, document: object) -> None:
    for name in ("analyze", "solve", "hint", "best", "convert", "check", "games"):
        answer = client.post(name, document)
        assert answer.status < 500 or answer.code in ("budget", "busy"), (name, document, answer.content)


# long work


def slow(budget: float = 60) -> bytes:
    body = {"rows": 16, "columns": 30, "mines": 99, "seed": 1, "bbbv": 1, "budget": budget}
    return posted("generate", json.dumps(body).encode())


def test_work_is_cancelled_when_the_client_leaves(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service):
        with socket.create_connection(("127.0.0.1", client.port)) as connection:
            connection.sendall(slow())
            assert wait(lambda: service.questions.long.load == 1)
            time.sleep(0.3)
        assert wait(lambda: service.questions.long.load == 0), "the work continues without a waiting client"


def test_a_slow_question_holds_up_neither_questions_nor_moves(tmp_path: Path) -> None:
    with serving(tmp_path) as (client, service), socket.create_connection(("127.0.0.1", client.port)) as connection:
        connection.sendall(slow())
        assert wait(lambda: service.questions.long.load == 1)
        assert alive(client)
        game_id = client.post("games", {"level": "beginner"}).json["id"]
        assert client.post(f"games/{game_id}/moves", {"kind": "open", "cell": [4, 4]}).status == 200
        assert service.questions.long.load == 1, "the slow one was answered already, so this shows nothing"


def test_too_much_at_once_is_told_to_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORKERS", 1)
    monkeypatch.setattr(limits, "WAITING", 0)
    monkeypatch.setattr(limits, "LIGHT_SECONDS", 10.0)
    with serving(tmp_path) as (client, service):
        connection = socket.create_connection(("127.0.0.1", client.port))
        connection.sendall(slow())
        assert wait(lambda: service.questions.long.load == 1)
        answer = client.raw(slow().replace(b"Host", b"Connection: close\r\nHost"))
        assert answer.startswith(b"HTTP/1.1 503")
        assert b'"busy"' in answer
        assert b"retry-after: 1" in answer
        game_id = client.post("games", {"level": "beginner"}).json["id"]
        assert client.get(f"games/{game_id}").status == 200, "players do not wait for questions"
        assert client.post("solve", {"board": "1#/##"}).status == 200, "light questions do not wait for long ones"
        connection.close()
        assert wait(lambda: service.questions.long.load == 0)
        assert alive(client)


def test_many_at_once_are_all_answered(client: Client) -> None:
    wrong: list[object] = []

    def ask() -> None:
        mine = Client(client.port)
        for number in range(20):
            rows = "/".join(["1#"] * (number % 5 + 1))
            answer = mine.post("analyze", {"board": f"{rows}/##", "mines": 1})
            expected = (200, number % 5 + 2) if answer.status == 200 else (422, None)
            found = (answer.status, answer.json.get("rows"))
            if found != expected:
                wrong.append(found)
        mine.close()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
