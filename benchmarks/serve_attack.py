"""Whether a player notices that others attack the server.

    .venv/bin/python benchmarks/serve_attack.py [--seconds 30] [--attacks keys,hard] [--json]

Starts `mineproof serve` with a folder of its own. One client plays: it opens and flags cells, looks at its game, and
asks for hints and odds. Meanwhile other clients, each with an address of its own (127.0.0.2 and so on), attack from
another process: bodies of many keys, hard positions, endless searches, pictures that are hard to read, large imports,
bodies that never end, more connections than a client may have. Prints how long the player waited, the statuses that
the attackers got, the most memory of the server, and how long it took to end on SIGTERM during the attack.

Loopback only. Needs Linux, where every address that begins with 127 is this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import http.client
import json
import multiprocessing
import os
import signal
import struct
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from serve_load import Server, format_times, request, serving

import mineproof as mp

API = "/api/v1"
LONGEST_ATTEMPT = 70.0  # seconds for an answer
IMPORTED, REPEATED = 20, 9  # games, and how often each is in the file; it has about 0.8 MB
PAUSE = 0.01  # seconds between two requests of a connection that was refused, or of the player


# what the attackers send


def many_keys() -> bytes:
    """An object of 1 MB in which one key stands twice."""
    keys = ",".join(f'"{number:05x}":0' for number in range(104_000))
    body = '{"board":"*..","start":[0,2],"certificate":{' + keys + ',"1963f":0}}'
    return _post(f"{API}/check", body.encode())


def hard(rows: int, columns: int, step: int = 2, density: float = 0.2, seed: int = 1) -> dict[str, object]:
    """A position with numbers on a lattice: its frontier is as wide as the board."""
    mines = np.random.default_rng(seed).random((rows, columns)) < density
    mines[::step, ::step] = False
    padded = np.pad(mines.astype(int), 1)
    around = [padded[1 + a : 1 + a + rows, 1 + b : 1 + b + columns] for a in (-1, 0, 1) for b in (-1, 0, 1)]
    numbers = sum(around) - mines
    lines = (
        "".join(str(numbers[row, column]) if row % step == column % step == 0 else "#" for column in range(columns))
        for row in range(rows)
    )
    return {"board": "\n".join(lines), "mines": int(mines.sum())}


def endless_search() -> bytes:
    options = {"rows": 16, "columns": 30, "mines": 99, "seed": 1, "bbbv": 1, "budget": 60}
    return request(f"{API}/generate", options)


def picture(width: int, height: int, pitch: int) -> bytes:
    """A PNG with a line every so many pixels; none if the pitch is 0."""
    pixels = np.full((height, width), 192 if pitch else 0, np.uint8)
    if pitch:
        pixels[::pitch] = pixels[:, ::pitch] = 64
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels], axis=1).tobytes()

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b"")
    return _post(f"{API}/read", b"\x89PNG\r\n\x1a\n" + data, b"image/png")


def large_import() -> bytes:
    """Many games on large boards, as JSON lines."""
    with tempfile.TemporaryDirectory() as folder, mp.History.open(Path(folder) / "history.sqlite") as history:
        for seed in range(IMPORTED):
            layout = mp.generate(rows=100, columns=100, mines=1500, seed=seed, start=(50, 50))
            game = mp.Game(layout, first_click="any")
            game.open(50, 50)
            game.open(*min(layout.mines))
            history.add(game, budget=0)
        data = "\n".join([*history.export("jsonl")] * REPEATED).encode()
    return _post(f"{API}/history", json.dumps({"data": base64.b64encode(data).decode()}).encode())


def _post(path: str, body: bytes, media: bytes = b"application/json") -> bytes:
    head = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    return head % (path.encode(), media, len(body)) + body


# the attackers


class Attacker:
    """One client, which counts the statuses that it is answered with."""

    def __init__(self, port: int, address: str, statuses: Counter[str]) -> None:
        self._port, self._address, self._statuses = port, address, statuses

    async def ask(self, connections: int, sent: bytes, patience: float = LONGEST_ATTEMPT) -> None:
        """Send the same request over and over, on so many connections at a time; leave after so many seconds."""
        await asyncio.gather(*(self._ask_again(sent, patience) for _ in range(connections)))

    async def _ask_again(self, sent: bytes, patience: float) -> None:
        while True:
            status = "closed"
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                reader, writer = await self._connect()
                try:
                    writer.write(sent)
                    status = "left"
                    status = (await asyncio.wait_for(reader.readuntil(b"\r\n"), patience))[9:12].decode()
                finally:
                    writer.transport.abort()
            self._statuses[status] += 1
            await asyncio.sleep(PAUSE)

    async def hold(self, connections: int, first: bytes, piece: bytes) -> None:
        """Keep so many connections open, and send a piece a second on each."""
        await asyncio.gather(*(self._hold(first, piece) for _ in range(connections)))

    async def _hold(self, first: bytes, piece: bytes) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await self._connect()
                try:
                    writer.write(first)
                    while not reader.at_eof() and not writer.transport.is_closing():
                        writer.write(piece)
                        with suppress(TimeoutError):
                            answer = await asyncio.wait_for(reader.read(4096), 1)
                            self._statuses[answer[9:12].decode() or "closed"] += 1
                            break
                finally:
                    writer.transport.abort()
            await asyncio.sleep(0.1)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=(self._address, 0))


Attack = Callable[[Attacker], Coroutine[Any, Any, None]]


def asking(connections: int, sent: bytes, patience: float = LONGEST_ATTEMPT) -> Attack:
    return lambda attacker: attacker.ask(connections, sent, patience)


def holding(connections: int, first: bytes, piece: bytes) -> Attack:
    return lambda attacker: attacker.hold(connections, first, piece)


ATTACKS: dict[str, Callable[[], Attack]] = {
    "keys": lambda: asking(4, many_keys()),
    "hard": lambda: asking(16, request(f"{API}/analyze", hard(100, 100) | {"budget": 30})),
    "count": lambda: asking(4, request(f"{API}/analyze", hard(100, 36) | {"budget": 60})),
    "generate": lambda: asking(144, endless_search()),
    "pictures": lambda: asking(4, picture(2000, 2000, 16), 2.0),
    "large-pictures": lambda: asking(2, picture(6300, 6300, 0)),
    "imports": lambda: asking(4, large_import()),
    "simulate": lambda: asking(
        4, request(f"{API}/simulate", {"level": "expert", "games": 1_000_000, "strategy": "deep"})
    ),
    "think": lambda: asking(4, request(f"{API}/best", {"board": "1#######/########", "mines": 5, "seconds": 60})),
    "slow-bodies": lambda: holding(100, _post(f"{API}/analyze", b" " * 99)[:-99], b" "),
    "connections": lambda: holding(300, b"", b""),
}


def attack(port: int, names: list[str], tells: Connection) -> None:
    """In a separate process: attack until a message arrives, then send the statuses."""

    async def run() -> None:
        chosen = {name: ATTACKS[name]() for name in names}
        statuses = {name: Counter[str]() for name in names}
        tells.send(None)
        tasks = [
            asyncio.ensure_future(chosen[name](Attacker(port, f"127.0.0.{number}", statuses[name])))
            for number, name in enumerate(names, 2)
        ]
        while not tells.poll():
            await asyncio.sleep(0.05)
        pending = set(tasks)
        while pending:  # before Python 3.12, wait_for can lose a cancellation
            for task in pending:
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=1)
        tells.send(statuses)

    asyncio.run(run())


# the player


class PacedPlayer:
    """Plays one move after the other over one connection, and looks whether the answers are right."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.moves: list[float] = []
        self.views: list[float] = []
        self.help: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []

    def play(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._play_one(end)

    def _play_one(self, end: float) -> None:
        game = self._ask(self.moves, "POST", "/games", {"level": "expert", "seed": 7, "first_click": "open"})
        path = f"/games/{game.get('id')}"
        self._ask(self.moves, "POST", f"{path}/moves", {"kind": "open", "cell": [8, 15]})
        for place in range(40):
            if time.monotonic() > end:
                return
            row, column = cell = divmod(place, 8)
            answer = self._ask(self.moves, "POST", f"{path}/moves", {"kind": "flag", "cell": cell})
            view = self._ask(self.views, "GET", path)
            for shown in (answer, view):
                if shown.get("cells", [""] * 16)[row][column : column + 1] not in ("F", *"012345678"):
                    self.wrong.append(json.dumps(shown)[:200])
            if place % 8 == 0:
                self._ask(self.help, "GET", f"{path}/hint?level=1")
                self._ask(self.help, "GET", f"{path}/odds")
            time.sleep(PAUSE)

    def _ask(self, times: list[float], method: str, path: str, document: object = None) -> dict[str, Any]:
        began = time.perf_counter()
        body = None if document is None else json.dumps(document)
        self._connection.request(method, API + path, body, {"Content-Type": "application/json"} if body else {})
        answer = self._connection.getresponse()
        content: dict[str, Any] = json.loads(answer.read())
        times.append(time.perf_counter() - began)
        self.statuses[answer.status] += 1
        return content

    def close(self) -> None:
        self._connection.close()


# together


def measure(server: Server, names: list[str], seconds: float) -> dict[str, Any]:
    player = PacedPlayer(server.port)
    player.play(min(2.0, seconds))  # alone, so that everything is loaded
    player.close()  # it connects again
    alone = percentile(player.moves)
    for times in (player.moves, player.views, player.help):
        times.clear()
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=attack, args=(server.port, names, theirs))
    process.start()
    theirs.close()  # so that its end is noticed
    ours.recv()
    time.sleep(1)
    player.play(seconds)
    player.close()
    peak = server.peak_megabytes
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(60)
    ended = time.monotonic() - began
    ours.send(None)
    statuses = ours.recv()
    process.join()
    return {
        "alone_p99_ms": alone,
        "moves": format_times(player.moves),
        "views": format_times(player.views),
        "help": format_times(player.help),
        "p99_ms": percentile(player.moves),
        "count": len(player.moves),
        "statuses": dict(player.statuses),
        "errors": sum(count for status, count in player.statuses.items() if status >= 500),
        "wrong": player.wrong,
        "peak_megabytes": round(peak),
        "seconds_to_end": round(ended, 2),
        "exit_status": server.process.returncode,
        "attackers": {name: dict(found) for name, found in statuses.items()},
    }


def percentile(times: list[float]) -> float:
    """The time in milliseconds that 99 of 100 requests stay below."""
    return round(1000 * sorted(times)[int(len(times) * 0.99)], 1) if times else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--attacks", default=",".join(ATTACKS), help="names, with commas between them")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with serving() as server:
        measures = measure(server, options.attacks.split(","), options.seconds)
    if options.json:
        print(json.dumps(measures))
        return
    print(f"moves  {measures['moves']} ({measures['count']} of them; p99 alone {measures['alone_p99_ms']} ms)")
    print(f"views  {measures['views']}")
    print(f"hints and odds  {measures['help']}")
    print(f"statuses of the player {measures['statuses']}, wrong answers {len(measures['wrong'])}")
    print(f"most memory {measures['peak_megabytes']} MB, {measures['seconds_to_end']} s to end on SIGTERM")
    for name, statuses in measures["attackers"].items():
        print(f"  {name}: {statuses}")
    print(f"load of the machine: {', '.join(f'{item:.1f}' for item in os.getloadavg())} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
