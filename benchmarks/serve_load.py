"""How many questions a second the server answers, and how long the slowest wait.

    .venv/bin/python benchmarks/serve_load.py [--connections 16] [--seconds 10] [--moves]

Starts `mineproof serve` on a free port, with a folder of its own, and asks ``analyze`` about expert positions from the
middle of games over that many connections, one question after the other on each. Every answer is checked to be one.
With --moves a player makes moves meanwhile, and the time of each is told too. The load of the machine is told with the
figures: client and server share its processors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from statistics import median

import mineproof as mp

POSITIONS = 200
OPEN = 150  # cells that are open in the middle of a game


def positions(count: int) -> list[str]:
    """Positions that certainty leads to, with about `OPEN` open cells; games that get stuck before are left out."""
    found: list[str] = []
    seed = 0
    while len(found) < count:
        game = mp.Game(mp.generate("expert", seed=seed, start=(8, 15), first_click="open"), first_click="any")
        seed += 1
        game.open(8, 15)
        while game.open_cells < OPEN and (safe := mp.analyze(game.board).safe):
            game.open(*min(safe))
        if game.open_cells >= OPEN:
            found.append("/".join(str(game.board).split("\n")[1:]))
    return found


def request(path: str, document: object) -> bytes:
    body = json.dumps(document).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asked: bytes) -> tuple[int, bytes]:
    writer.write(asked)
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head)
    assert length is not None, head
    return int(head[9:12]), await reader.readexactly(int(length[1]))


async def questions(port: int, asked: list[bytes], first: int, end: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    place = first
    while time.monotonic() < end:
        began = time.perf_counter()
        status, answer = await ask(reader, writer, asked[place % len(asked)])
        times.append(time.perf_counter() - began)
        assert status == 200, answer
        assert answer.startswith(b'{"schema":"mineproof/analysis/1"'), answer[:200]
        place += 1
    writer.close()


async def player(port: int, end: float, times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    while time.monotonic() < end:
        _, answer = await ask(reader, writer, request("/api/v1/games", {"level": "expert", "fairness": "kind"}))
        path = f"/api/v1/games/{json.loads(answer)['id']}/moves"
        for place in range(40):
            began = time.perf_counter()
            move = {"kind": "flag" if place else "open", "cell": [place // 8 * 2, place % 8 * 3]}
            status, answer = await ask(reader, writer, request(path, move))
            times.append(time.perf_counter() - began)
            assert status in (200, 409), answer  # a cell that is open already cannot be flagged
            await asyncio.sleep(0.02)
    writer.close()


async def load(port: int, connections: int, seconds: float, moves: bool) -> None:
    asked = [request("/api/v1/analyze", {"board": board, "mines": 99}) for board in positions(POSITIONS)]
    times: list[float] = []
    played: list[float] = []
    warm = time.monotonic() + 1
    await asyncio.gather(*(questions(port, asked, each * 13, warm, []) for each in range(connections)))
    began = time.monotonic()
    work = [questions(port, asked, each * 13, began + seconds, times) for each in range(connections)]
    await asyncio.gather(*work, *([player(port, began + seconds, played)] if moves else []))
    spent = time.monotonic() - began
    print(f"{len(times) / spent:,.0f} questions a second over {connections} connections, {told(times)}")
    if played:
        print(f"moves beside them: {told(played)}")
    print(f"load of the machine: {', '.join(f'{each:.1f}' for each in os.getloadavg())} on {os.cpu_count()} processors")


def told(times: list[float]) -> str:
    ordered = sorted(times)
    p99 = ordered[int(len(ordered) * 0.99)]
    return f"median {1000 * median(ordered):.1f} ms, p99 {1000 * p99:.1f} ms, longest {1000 * ordered[-1]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--moves", action="store_true", help="let a player make moves meanwhile")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "mineproof", "serve", "--port", "0", "--no-open", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port = int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])
            try:
                asyncio.run(load(port, options.connections, options.seconds, options.moves))
            finally:
                server.terminate()


if __name__ == "__main__":
    try:
        import uvloop

        asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    except ImportError:
        pass
    main()
