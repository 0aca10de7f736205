"""How many questions a second the server answers, and how long the slowest wait.

    .venv/bin/python benchmarks/serve_load.py [--connections 16] [--seconds 10] [--moves]

Starts `mineproof serve` on a free port, with a folder of its own, and asks ``analyze`` about expert positions from the
middle of games over that many connections, one question after the other on each. Every answer is checked to be one.
With --moves a player makes moves meanwhile; their times are printed too. The load of the machine is printed with the
figures: client and server share its processors. The client does as little as it can: about 0.05 ms for each question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import mineproof as mp

POSITIONS = 200
OPEN = 150  # cells that are open in the middle of a game
PAUSE = 0.02  # seconds between two moves of a player


def positions(count: int) -> list[str]:
    """Positions that certainty leads to, with about `OPEN` open cells; games that get stuck before are left out."""
    results: list[str] = []
    seed = 0
    while len(results) < count:
        game = mp.Game(mp.generate("expert", seed=seed, start=(8, 15), first_click="open"), first_click="any")
        seed += 1
        game.open(8, 15)
        while game.open_cells < OPEN and (safe := mp.analyze(game.board).safe):
            game.open(*min(safe))
        if game.open_cells >= OPEN:
            results.append("/".join(str(game.board).split("\n")[1:]))
    return results


def request(path: str, document: object) -> bytes:
    body = json.dumps(document).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def questions() -> list[bytes]:
    return [request("/api/v1/analyze", {"board": board, "mines": 99}) for board in positions(POSITIONS)]


class Connection(asyncio.Protocol):
    """One request after the other; ``answered`` is called with the bytes of each answer, head and content."""

    def __init__(self, answered: Callable[[bytes], None]) -> None:
        self._answered, self._found, self._missing = answered, b"", 0
        self.lost = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self._found:
            data = self._found + data
        head = data.find(b"\r\n\r\n")
        at = data.find(b"content-length: ", 0, max(head, 0))
        if at < 0 or len(data) < head + 4 + int(data[at + 16 : data.index(b"\r", at)]):
            self._found = data
            return
        self._found = b""
        self._answered(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)


class Asker:
    """Asks question after question over one connection, as long as ``more`` says so."""

    def __init__(self, requests: list[bytes], first: int, times: list[float], more: Callable[[], bool]) -> None:
        self._requests, self._place, self._times, self._more = requests, first, times, more
        self._connection = Connection(self._count_answer)

    async def run(self, port: int) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self._connection, "127.0.0.1", port)
        self._ask()
        await self._connection.lost

    def _ask(self) -> None:
        self._began = time.perf_counter()
        self._connection.transport.write(self._requests[self._place % len(self._requests)])
        self._place += 1

    def _count_answer(self, answer: bytes) -> None:
        self._times.append(time.perf_counter() - self._began)
        if not answer.startswith(b"HTTP/1.1 200") or b'\r\n\r\n{"schema":"mineproof/analysis/1"' not in answer:
            raise SystemExit(f"expected an analysis, got {answer[:500]!r}")
        if self._more():
            self._ask()
        else:
            self._connection.transport.close()


class Player:
    """Plays game after game, each to its end: flags come and go, then cells are opened until it is over."""

    FLAGS = 60

    def __init__(self, times: list[float], more: Callable[[], bool]) -> None:
        self._times, self._more = times, more

    async def run(self, port: int) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        while self._more():
            status, game = await self._ask("/api/v1/games", {"level": "beginner", "first_click": "open"})
            assert status == 201, game
            await self._play(f"/api/v1/games/{game['id']}/moves")
        self._writer.close()

    async def _play(self, path: str) -> None:
        await self._move(path, "open", 40)
        for number in range(self.FLAGS):
            if not self._more():
                return
            await self._move(path, "flag", number // 2 * 7 % 81)
        for place in range(81):
            if await self._move(path, "open", place) in ("won", "lost"):
                return

    async def _move(self, path: str, kind: str, place: int) -> str:
        began = time.perf_counter()
        status, view = await self._ask(path, {"kind": kind, "cell": divmod(place, 9)})
        self._times.append(time.perf_counter() - began)
        assert status in (200, 409), view  # an open cell cannot be flagged, nor a flagged one opened
        await asyncio.sleep(PAUSE)
        return str(view.get("status"))

    async def _ask(self, path: str, document: object) -> tuple[int, dict[str, Any]]:
        self._writer.write(request(path, document))
        head = await self._reader.readuntil(b"\r\n\r\n")
        at = head.index(b"content-length: ") + 16
        content = await self._reader.readexactly(int(head[at : head.index(b"\r", at)]))
        return int(head[9:12]), json.loads(content)


class Server:
    """A server of its own, and what it has used, where the system tells."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.port, self.process, self._folder = port, process, Path(f"/proc/{process.pid}")

    @property
    def seconds(self) -> float:
        """Of a processor."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        """Of memory."""
        pages = int((self._folder / "statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    @property
    def peak_megabytes(self) -> float:
        """The most memory that it has had."""
        lines = (self._folder / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024 / 1e6

    @property
    def threads(self) -> int:
        return len(list((self._folder / "task").iterdir()))

    @property
    def files(self) -> int:
        return len(list((self._folder / "fd").iterdir()))


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "mineproof", "serve", "--port", "0", "--no-open", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield Server(process, int(process.stdout.readline().rstrip("/\n").rpartition(":")[2]))
            finally:
                process.terminate()


def run(work: Coroutine[Any, Any, None]) -> None:
    """By uvloop where it is installed."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)


async def load(server: Server, connections: int, seconds: float, moves: bool) -> None:
    requests = questions()

    async def ask(seconds: float, *others: Coroutine[Any, Any, None]) -> list[float]:
        end, times = time.monotonic() + seconds, list[float]()
        askers = [Asker(requests, index * 13, times, lambda: time.monotonic() < end) for index in range(connections)]
        await asyncio.gather(*(asker.run(server.port) for asker in askers), *others)
        return times

    await ask(1)
    played: list[float] = []
    used, end = server.seconds, time.monotonic() + seconds
    times = await ask(seconds, *([Player(played, lambda: time.monotonic() < end).run(server.port)] if moves else []))
    used = 1000 * (server.seconds - used) / len(times)
    print(f"{len(times) / seconds:,.0f} questions a second over {connections} connections, {format_times(times)}")
    print(f"{used:.2f} ms of a processor in the server for each question{', moves included' if moves else ''}")
    if played:
        print(f"{len(played)} moves beside them: {format_times(played)}")
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} processors")


def format_times(times: list[float]) -> str:
    if not times:
        return "none"
    ordered = sorted(times)
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"median {1000 * median(ordered):.1f} ms, p99 {1000 * p99:.1f} ms, longest {1000 * ordered[-1]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--moves", action="store_true", help="let a player make moves meanwhile")
    options = parser.parse_args()
    with serving() as server:
        run(load(server, options.connections, options.seconds, options.moves))


if __name__ == "__main__":
    main()
