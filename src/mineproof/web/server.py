"""The server process: a socket, uvicorn, and a quick shutdown.

The address is printed once the server answers. SIGTERM and Ctrl-C end it: work is cancelled, and requests in progress
have a second. A separate thread ends the process after `END_SURELY`, whatever the event loop is doing. Every move
with a response is on disk by then.

uvicorn waits without end for the first lines of a request, however many there are, and for a client to read an answer.
It answers what is no HTTP, or one connection too many, with plain text, takes any host in the first line, and writes to
the log what a client sends. `_Protocol` closes such connections, and answers with an error document.
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
from types import FrameType
from typing import Any, Literal, NamedTuple

import httptools
import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mineproof.base import files
from mineproof.errors import ErrorJson, error_json
from mineproof.history.postgresql import Address
from mineproof.web import limits, preload
from mineproof.web.app import Service, make_app
from mineproof.web.errors import LATER
from mineproof.web.guard import HEADERS, Guard, may_be_proxy
from mineproof.web.players import Mode, default_mode
from mineproof.web.store import FILE
from mineproof.web.workers import WorkerPool

GRACE = 1  # seconds for requests in progress when the server ends
END_SURELY = 1.25  # seconds from a signal until the process exits, whatever it does; a busy machine needs some more
SWITCH = 0.0005  # seconds until a thread that works in Python lets the event loop have its turn
DIGITS = 4_300  # of an integer, Python's default; a count on `limits.MAX_CELLS` cells has 3,011 at most
GARBAGE = 20_000  # lists and the like that are made until Python looks for cycles; an answer has some hundred
BACKLOG = 256

_Part = Literal["head", "body"]  # of a request


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; OSError if the address is in use or not one of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class ServerSettings(NamedTuple):
    """Settings of a server process."""

    host: str
    place: Path | Address  # of the games and the history: a folder, or a PostgreSQL
    proxies: tuple[str, ...] = ()  # names of those in front of this server
    workers: int = 1
    started: float | None = None  # when the first worker did, in seconds since 1970
    origins: tuple[str, ...] = ()  # of other sites whose pages may ask
    players: Mode | None = None  # None: one where only this machine can connect, else many

    @property
    def mode(self) -> Mode:
        return self.players or default_mode(self.host, is_proxied=bool(self.proxies))

    def answer(self, listening: socket.socket, ready: Callable[[], None]) -> bool:
        """Serve until a signal arrives; return whether all work has ended by then."""
        service = Service(
            self.place,
            workers=self.workers,
            started=self.started,
            proxied=bool(self.proxies),
            players=self.mode,
        )
        try:
            preload.warm_up()
            guard = Guard(self.host, socket.gethostname(), proxies=self.proxies, origins=self.origins)
            Server(service, guard, ready, is_alone=self.workers == 1).run([listening])
        finally:
            ended = service.close()
        return ended

    def work(self, listening: socket.socket, ready: Callable[[], None]) -> None:
        """Serve as a worker process, and exit: the thread that watches the parent never ends."""
        self.answer(listening, ready)
        end_now(0)


def serve(setting: ServerSettings, listening: socket.socket, ready: Callable[[], None]) -> bool:
    """Serve until a signal arrives; return whether all work has ended by then.

    ``ready`` is called once requests are answered. BlockingIOError if another server has the folder.
    """
    with _claim_place(setting.place):
        if setting.workers == 1:
            return setting.answer(listening, ready)
        Service(setting.place, workers=setting.workers).close()  # errors are reported once, and tables are created once
        setting = setting._replace(started=time.time())
        WorkerPool(setting.workers, setting.work, listening).run(ready)
        return True


def _claim_place(place: Path | Address) -> AbstractContextManager[None]:
    """Reserve a folder for the workers of one server: SQLite is not safe across machines."""
    if not isinstance(place, Path):
        return nullcontext()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return files.claim(place / FILE)


class Server(uvicorn.Server):
    """uvicorn with the settings of this server."""

    def __init__(self, service: Service, guard: Guard, ready: Callable[[], None], *, is_alone: bool = True) -> None:
        config = _Config(
            make_app(service, guard),
            http=_Protocol,
            ws="none",
            log_config=None,
            log_level="error",  # what clients send wrongly is answered, and is not for the log
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=limits.IDLE_SECONDS,
            timeout_graceful_shutdown=GRACE,
            lifespan="on",
        )
        config.is_proxied = service.is_proxied
        super().__init__(config)
        self._service, self._ready = service, ready
        # Windows cannot report a connection before it is accepted.
        self._takes_one = not is_alone and os.name != "nt"
        self._taking: set[asyncio.Future[Any]] = set()

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        switch, garbage, digits = sys.getswitchinterval(), gc.get_threshold(), sys.get_int_max_str_digits()
        sys.setswitchinterval(SWITCH)
        sys.set_int_max_str_digits(DIGITS)  # the command line lifts the limit, and a request must not use that
        gc.collect()
        gc.freeze()  # what was made until now stays: looking through it again and again would hold requests up
        gc.set_threshold(GARBAGE, *garbage[1:])
        log = logging.getLogger("uvicorn.error")
        log.addFilter(_is_worth_logging)
        try:
            super().run(sockets)
        finally:
            log.removeFilter(_is_worth_logging)
            sys.setswitchinterval(switch)
            sys.set_int_max_str_digits(digits)
            gc.set_threshold(*garbage)
            gc.unfreeze()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        taken_from = sockets if sockets is not None and self._takes_one else []
        await super().startup([] if taken_from else sockets)
        if self.started:
            for listening in taken_from:
                listening.setblocking(False)
                self._listen(listening)
            self._ready()

    def _listen(self, listening: socket.socket) -> None:
        if not self.should_exit:
            asyncio.get_running_loop().add_reader(listening, self._take, listening)

    def _take(self, listening: socket.socket) -> None:
        """Accept one connection per round of the event loop, so that other workers get some of those that wait."""
        try:
            connection, _ = listening.accept()
        except (BlockingIOError, ConnectionError):  # another worker was faster, or the client has left
            return
        except OSError:  # such as too many open files: the same connection would be reported without end
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
            for connection in sockets or ():
                asyncio.get_running_loop().remove_reader(connection)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down. A thread makes sure of it, because the event loop may be blocked."""
        if not self.should_exit:
            threading.Thread(target=_end_surely, daemon=True).start()
        self.should_exit = True  # a second Ctrl-C changes nothing; uvicorn would leave tracebacks behind

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the server without raising them again."""
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


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Drop uvicorn's log line about cancelled requests: a shutdown is meant to cancel them."""
    return "graceful shutdown exceeded" not in str(record.msg)


class _Config(uvicorn.Config):
    """uvicorn's, with what `_Protocol` must know."""

    is_proxied = False


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
        if self._transport.get_write_buffer_size():  # which is sent first, if the client reads it
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
        if self._has_too_many:
            message = f"Too many connections of this client: {limits.CONNECTIONS_PER_CLIENT} are open. Close some."
            self._refuse(429, "Too Many Requests", error_json("too-many", message))
        elif len(self.connections) > limits.CONNECTIONS:
            message = f"Server busy: {limits.CONNECTIONS} connections are open. Try again in a moment."
            self._refuse(503, "Service Unavailable", error_json("busy", message))
        else:
            self._await()

    @property
    def _has_too_many(self) -> bool:
        """Return whether this client has too many connections. A proxy is exempt: it has those of all its clients."""
        peer = self.client[0] if self.client else ""
        if len(self.connections) <= limits.CONNECTIONS_PER_CLIENT:
            return False
        if isinstance(self.config, _Config) and self.config.is_proxied and may_be_proxy(peer):
            return False
        own = sum(isinstance(other, _Protocol) and (other.client or ("",))[0] == peer for other in self.connections)
        return own > limits.CONNECTIONS_PER_CLIENT

    def connection_lost(self, exc: Exception | None) -> None:
        self._set_missing_part(None)
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
        self._missing = "head"  # a timer that runs since the connection was made continues
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
        self._set_missing_part("body")
        if not self.url.startswith((b"/", b"*")):
            self._take_host_of_target()
        super().on_headers_complete()

    def _take_host_of_target(self) -> None:
        """Replace the Host by that of a target such as ``http://mines.example/``, as RFC 9112 says (3.2.2)."""
        target = httptools.parse_url(self.url)
        host = target.host or b""
        port: int | None = target.port
        self.headers[:] = [header for header in self.headers if header[0] != b"host"]
        named = b"[%s]" % host if b":" in host else host
        self.headers.append((b"host", named + (b":%d" % port if port else b"")))

    def on_message_complete(self) -> None:
        self._set_missing_part(None)
        super().on_message_complete()

    def _set_missing_part(self, missing: _Part | None) -> None:
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
                message = f"The headers did not arrive within {limits.HEAD_SECONDS:g} s."
            else:
                message = f"The body did not arrive within {limits.BODY_SECONDS:g} s. Check the Content-Length."
            self._refuse(408, "Request Timeout", error_json("timeout", message))

    @property
    def _is_too_large(self) -> bool:
        return self._lines + self._line > limits.MAX_HEAD_BYTES

    def send_400_response(self, msg: str) -> None:
        if self._is_too_large:
            self._refuse_head()
            return
        self._refuse(400, "Bad Request", error_json("usage", "Malformed HTTP request."))

    def _refuse_head(self) -> None:
        message = f"expected headers of at most {limits.MAX_HEAD_BYTES:,} bytes, got more"
        self._refuse(431, "Request Header Fields Too Large", error_json("head-too-large", message))

    def _refuse(self, status: int, phrase: str, document: ErrorJson) -> None:
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


def _end_surely() -> None:
    time.sleep(END_SURELY)
    end_now(0)


def end_now(status: int) -> None:
    """Exit although a thread is still computing: its result is not needed."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    logging.shutdown()
    os._exit(status)
