"""The process: a socket, uvicorn, and an end that does not keep anybody waiting.

The address is told once the server answers. SIGTERM and Ctrl-C end it: work is cancelled, requests under way have a
second, and what is still counting after that ends with the process; every answered move is on disk by then.

uvicorn waits without end for the first lines of a request, however many there are, and for a client to read an answer;
and it answers what is no HTTP, or one connection too many, with plain text. `_Protocol` closes such connections, and
answers with an error document.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mineproof.base import files
from mineproof.errors import error_json
from mineproof.history.postgresql import Address
from mineproof.web import limits
from mineproof.web.app import Service, make_app
from mineproof.web.failure import LATER
from mineproof.web.guard import HEADERS, Guard
from mineproof.web.store import FILE
from mineproof.web.workers import Workers

GRACE = 1  # seconds for requests under way when the server ends
SWITCH = 0.0005  # seconds until a thread that works in Python lets the event loop have its turn
GARBAGE = 20_000  # lists and the like that are made until Python looks for cycles; an answer has some hundred
BACKLOG = 256

_Part = Literal["head", "body"]  # of a request


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; OSError where the address is taken or is none of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class Setting(NamedTuple):
    """What a process is told that answers."""

    host: str
    place: Path | Address  # of the games and the history: a folder, or a PostgreSQL
    proxies: tuple[str, ...] = ()  # names of those in front of this server
    workers: int = 1
    started: float | None = None  # when the first worker did, in seconds since 1970

    def answer(self, listening: socket.socket, ready: Callable[[], None]) -> bool:
        """Answer until a signal comes; whether everything under way has ended by then."""
        service = Service(self.place, workers=self.workers, started=self.started, proxied=bool(self.proxies))
        try:
            guard = Guard(self.host, socket.gethostname(), proxies=self.proxies)
            Server(service, guard, ready, is_alone=self.workers == 1).run([listening])
        finally:
            ended = service.close()
        return ended

    def work(self, listening: socket.socket, ready: Callable[[], None]) -> None:
        """The same as a worker, which ends with it: the thread that watches its parent has no other end."""
        self.answer(listening, ready)
        end_now(0)


def serve(setting: Setting, listening: socket.socket, ready: Callable[[], None]) -> bool:
    """Answer until a signal comes; whether everything under way has ended by then.

    ``ready`` is called once requests are answered. BlockingIOError if another server has the folder.
    """
    with _claimed(setting.place):
        if setting.workers == 1:
            return setting.answer(listening, ready)
        Service(setting.place, workers=setting.workers).close()  # what is wrong is told once, and tables are made once
        setting = setting._replace(started=time.time())
        Workers(setting.workers, setting.work, listening).run(ready)
        return True


def _claimed(place: Path | Address) -> AbstractContextManager[None]:
    """Keep a folder to the workers of one server: SQLite is not to be trusted with it across machines."""
    if not isinstance(place, Path):
        return nullcontext()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return files.claim(place / FILE)


class Server(uvicorn.Server):
    """uvicorn, as this server needs it."""

    def __init__(self, service: Service, guard: Guard, ready: Callable[[], None], *, is_alone: bool = True) -> None:
        super().__init__(
            uvicorn.Config(
                make_app(service, guard),
                http=_Protocol,
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=limits.IDLE_SECONDS,
                timeout_graceful_shutdown=GRACE,
                lifespan="on",
            )
        )
        self._service, self._ready = service, ready
        # Windows has no way to be told of a connection and then take it, or not.
        self._takes_one = not is_alone and os.name != "nt"
        self._taking: set[asyncio.Future[Any]] = set()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        switch, garbage = sys.getswitchinterval(), gc.get_threshold()
        sys.setswitchinterval(SWITCH)
        gc.collect()
        gc.freeze()  # what was made until now stays: looking through it again and again would hold requests up
        gc.set_threshold(GARBAGE, *garbage[1:])
        try:
            super().run(sockets)
        finally:
            sys.setswitchinterval(switch)
            gc.set_threshold(*garbage)
            gc.unfreeze()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        taken_from = sockets if sockets is not None and self._takes_one else []
        await super().startup([] if taken_from else sockets)
        if self.started:
            for each in taken_from:
                each.setblocking(False)
                self._listen(each)
            self._ready()

    def _listen(self, listening: socket.socket) -> None:
        if not self.should_exit:
            asyncio.get_running_loop().add_reader(listening, self._take, listening)

    def _take(self, listening: socket.socket) -> None:
        """Take one connection in a round of the event loop: whoever takes all that wait leaves none to others."""
        try:
            connection, _ = listening.accept()
        except (BlockingIOError, ConnectionError):  # another worker was faster, or the client has left
            return
        except OSError:  # such as too many open files: it would be told of the same connection without end
            asyncio.get_running_loop().remove_reader(listening)
            asyncio.get_running_loop().call_later(limits.RETRY_SECONDS, self._listen, listening)
            return
        connection.setblocking(False)
        protocol = functools.partial(
            _Protocol, config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        taking = asyncio.ensure_future(asyncio.get_running_loop().connect_accepted_socket(protocol, connection))
        self._taking.add(taking)
        taking.add_done_callback(self._taking.discard)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.cancel()
        if self._takes_one:
            for each in sockets or ():
                asyncio.get_running_loop().remove_reader(each)
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals end the server and are not raised again: to end is what they asked for."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class _Joining(asyncio.Transport):
    """A transport that sends two pieces in one, if the second follows before anything else happens.

    uvicorn writes the head of an answer, then its content. Each write is a system call that may wake the client up.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport, self._loop = transport, loop
        self._first: bytes | None = None
        self.abort = transport.abort  # type: ignore[method-assign]
        self.is_closing = transport.is_closing  # type: ignore[method-assign]
        self.get_extra_info = transport.get_extra_info  # type: ignore[method-assign]
        self.pause_reading = transport.pause_reading  # type: ignore[method-assign]
        self.resume_reading = transport.resume_reading  # type: ignore[method-assign]

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._first is None:
            self._first = bytes(data)
            self._loop.call_soon(self._flush)
        else:
            data, self._first = self._first + bytes(data), None
            self._transport.write(data)

    def _flush(self) -> None:
        if self._first is not None:
            data, self._first = self._first, None
            self._transport.write(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()
        if self._transport.get_write_buffer_size():  # which is sent first, if somebody reads it
            self._loop.call_later(limits.WRITE_SECONDS, self._transport.abort)


class _Protocol(HttpToolsProtocol):
    """uvicorn's, with limits on the time and the length of what arrives, on the time to read answers, and error
    documents.

    A request that arrives in one piece needs no timer: there is one only while a part is missing.
    """

    _missing: _Part | None = "head"  # of the request that is arriving; None between two
    _overdue: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _lines = 0  # bytes of the headers that are whole
    _line = 0  # bytes of one that is not; those of the piece it begins in are not counted

    def connection_made(self, transport: Any) -> None:
        super().connection_made(_Joining(transport, self.loop))
        if len(self.connections) > limits.CONNECTIONS:
            found = f"found {len(self.connections)} connections, expected at most {limits.CONNECTIONS}; try again"
            self._refuse(503, "Service Unavailable", error_json("busy", found))
            return
        self._await()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived(None)
        self._is_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(limits.WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._is_read()
        super().resume_writing()

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def data_received(self, data: bytes) -> None:
        lines = self._lines
        super().data_received(data)
        if self._missing == "head":
            self._line = self._line + len(data) if self._lines == lines else 0
            if self._is_too_large:
                self._refuse_head()
        if self._missing is not None and self._overdue is None:
            self._await()

    def on_message_begin(self) -> None:
        self._missing = "head"  # where a timer runs since the connection was made, it goes on
        self._lines = self._line = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        self._lines += len(name) + len(value) + len(b": \r\n")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._line = len(self.url)
        if self._is_too_large:
            raise ValueError  # it is no request: `send_400_response` is called
        self._line = 0
        self._arrived("body")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._arrived(None)
        super().on_message_complete()

    def _arrived(self, missing: _Part | None) -> None:
        self._missing = missing
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None

    def _await(self) -> None:
        if not self.transport.is_closing():
            seconds = limits.HEAD_SECONDS if self._missing == "head" else limits.BODY_SECONDS
            self._overdue = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        self._overdue = None
        cycle: Any = self.cycle  # of the request whose body is missing, or of the one before; None at first
        if self.pipeline or (self._missing == "head" and cycle is not None and not cycle.response_complete):
            self._await()  # another is being answered first, and nothing is read meanwhile
        elif self._missing == "body" and cycle.response_started:
            self.transport.close()  # answered without its body, which never came
        else:
            if self._missing == "head":
                found = f"found no whole request within {limits.HEAD_SECONDS:g} s, expected its headers"
            else:
                found = (
                    f"found no whole body within {limits.BODY_SECONDS:g} s, "
                    "expected as many bytes as Content-Length says"
                )
            self._refuse(408, "Request Timeout", error_json("timeout", found))

    @property
    def _is_too_large(self) -> bool:
        return self._lines + self._line > limits.LARGEST_HEAD

    def send_400_response(self, msg: str) -> None:
        if self._is_too_large:
            self._refuse_head()
            return
        self._refuse(400, "Bad Request", error_json("usage", "found what is no HTTP request, expected one"))

    def _refuse_head(self) -> None:
        found = f"found headers of more than {limits.LARGEST_HEAD:,} bytes, expected fewer"
        self._refuse(431, "Request Header Fields Too Large", error_json("head-too-large", found))

    def _refuse(self, status: int, phrase: str, document: dict[str, object]) -> None:
        if self.transport.is_closing():
            return
        content = msgspec.json.encode(document)
        lines = [
            b"HTTP/1.1 %d %s" % (status, phrase.encode()),
            b"content-type: application/json",
            b"content-length: %d" % len(content),
            b"connection: close",
            *([b"retry-after: %d" % limits.RETRY_SECONDS] if status in LATER else []),
            *(b"%s: %s" % header for header in HEADERS),
        ]
        self.transport.write(b"\r\n".join(lines) + b"\r\n\r\n" + content)
        self.transport.close()


def end_now(status: int) -> None:
    """Leave though a thread is still counting: nothing that it does is of use to anybody."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    logging.shutdown()
    os._exit(status)
