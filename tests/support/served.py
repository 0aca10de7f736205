"""A server on this machine, in a thread or as a process, and a client for it."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.history.postgresql import Address
from mineproof.web.app import Service
from mineproof.web.guard import Guard
from mineproof.web.players import Mode
from mineproof.web.server import Server, bind
from support import declared
from support.patience import PATIENCE

JSON = {"Content-Type": "application/json"}
IDLE_SECONDS = 10.0  # seconds without a question after which a connection is not trusted; a server closes it after 30


@dataclass(frozen=True)
class Answer:
    """What came back, and every byte of it."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def code(self) -> str:
        """The code of an error, which has its shape."""
        document = self.json
        assert document["schema"] == "mineproof/error/1", document
        assert document["message"]
        return str(document["code"])


def posted(name: str, body: bytes) -> bytes:
    """A question as the bytes of a request."""
    head = f"POST /api/v1/{name} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json"
    return f"{head}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class Client:
    """One connection to a server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._asked = time.monotonic()

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """A request with any headers; a body that is not bytes is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if time.monotonic() - self._asked > IDLE_SECONDS:
            self._connection.close()  # the server may have done so, too; the next request opens it again
        self._asked = time.monotonic()
        self._connection.request(method, path, data, (JSON if body is not None else {}) | named)
        answer = self._connection.getresponse()
        found = Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        if method != "HEAD":
            declared.require_answer(method, path, found.status, found.headers.get("content-type", ""), found.content)
        return found

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return self.ask("POST", f"/api/v1/{path}", body, **headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", f"/api/v1/{path}", **headers)

    def raw(self, data: bytes) -> bytes:
        """Bytes as they are, on a connection of their own; all that comes back until it is closed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(data)
            found = b""
            while piece := connection.recv(65536):
                found += piece
        return found

    def close(self) -> None:
        self._connection.close()


def wait(condition: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Whether something has come true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def serving(
    place: Path | Address,
    *proxies: str,
    origins: Sequence[str] = (),
    players: Mode = "one",
    change: Callable[[Service], None] = lambda _: None,
) -> Iterator[tuple[Client, Service]]:
    """A server that answers, with its games and its history in a folder, or in PostgreSQL.

    ``change`` may replace parts of it before it starts. A test that replaces a method of a class instead changes the
    servers of other tests, too, which run in the same process.
    """
    ready = threading.Event()
    service = Service(place, proxied=bool(proxies), players=players)
    change(service)
    with bind("127.0.0.1", 0) as listening:
        server = Server(service, Guard("127.0.0.1", proxies=proxies, origins=origins), ready.set)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        assert ready.wait(PATIENCE)
        client = Client(listening.getsockname()[1])
        try:
            yield client, service
        finally:
            client.close()
            server.should_exit = True
            thread.join(PATIENCE)
            assert service.close(PATIENCE), "work has not ended with the server"


@contextmanager
def served(data: Path | None, *options: str, **env: str) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """``mineproof serve`` as a process of its own, and a client of it once it has told its address."""
    from support.process import LISTEN  # a terminal's business, which is not everywhere

    arguments = ["serve", "--port", "0", "--no-open", *([] if data is None else ["--data", str(data)]), *options]
    with subprocess.Popen(
        [sys.executable, "-c", LISTEN, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | env,
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("http://127.0.0.1:"), (line, process.stderr and process.stderr.read())
            client = Client(int(line.rstrip("/\n").rpartition(":")[2]))
            yield process, client
            client.close()
        finally:
            process.kill()
