"""How many moves and questions a second servers answer that share games, side by side in one run.

    .venv/bin/python benchmarks/serve_shared.py [--connections 8] [--seconds 3] [--rounds 5] [--before PYTHON]

Requests go to each kind of server in turn, in rounds: SQLite and PostgreSQL, with one worker and with two. Players
have a game each, and flag one cell after the other as fast as they are answered; others ask ``analyze`` as
serve_load.py does. It prints the median of the rounds, and its ratio to SQLite with one worker: client, servers
and PostgreSQL share the processors of one machine, and whatever else runs on it. PostgreSQL is started in a temporary
folder (tools/postgres.py finds it), and commits to disk, as SQLite does. --before takes the Python of an environment
that has another version of the program, to be asked in between.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from serve_load import Connection, questions, request

from support import postgres

SIZE = 30  # rows and columns of a game


@contextmanager
def serving(python: str, *options: str, **env: str) -> Iterator[int]:
    """The port of a server."""
    with tempfile.TemporaryDirectory() as data:
        folder = [] if "MINEPROOF_DATABASE" in env else ["--data", data]
        command = [python, "-m", "mineproof", "serve", "--port", "0", "--no-open", *folder, *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | env) as process:
            assert process.stdout is not None
            try:
                yield int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
            finally:
                process.terminate()


class SharedAsker:
    """Sends one request after the other over one connection, until a moment has come; how many were answered."""

    def __init__(self, requests: Iterator[bytes], end: float) -> None:
        self._requests, self._end, self.answered = requests, end, 0
        self._connection = Connection(self._next)

    async def run(self, port: int) -> None:
        await asyncio.get_running_loop().create_connection(lambda: self._connection, "127.0.0.1", port)
        self._connection.transport.write(next(self._requests))
        await self._connection.lost

    def _next(self, answer: bytes) -> None:
        if not answer.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"expected an answer, got {answer[:500]!r}")
        self.answered += 1
        if time.monotonic() < self._end:
            self._connection.transport.write(next(self._requests))
        else:
            self._connection.transport.close()


async def new_game(port: int) -> str:
    results: list[bytes] = []
    loop = asyncio.get_running_loop()
    connection = Connection(lambda answer: (results.append(answer), connection.transport.close())[0])
    await loop.create_connection(lambda: connection, "127.0.0.1", port)
    connection.transport.write(request("/api/v1/games", {"rows": SIZE, "columns": SIZE, "mines": 5}))
    await connection.lost
    return results[0].partition(b'"id":"')[2].partition(b'"')[0].decode()


def flags(game_id: str) -> Iterator[bytes]:
    path = f"/api/v1/games/{game_id}/moves"
    for place in itertools.cycle(range(SIZE * SIZE)):
        yield request(path, {"kind": "flag", "cell": divmod(place, SIZE)})


async def rate(port: int, kind: str, requests: list[bytes], connections: int, seconds: float) -> float:
    """Answers a second."""
    games = [await new_game(port) for _ in range(connections)] if kind == "moves" else []
    streams = [flags(game) for game in games] or [
        itertools.cycle(requests[k * 7 :] + requests[: k * 7]) for k in range(connections)
    ]
    end = time.monotonic() + seconds
    askers = [SharedAsker(stream, end) for stream in streams]
    await asyncio.gather(*(asker.run(port) for asker in askers))
    return sum(asker.answered for asker in askers) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--before", help="the Python of another version")
    options = parser.parse_args()
    programs, missing = postgres.programs()
    if programs is None:
        raise SystemExit(missing)
    requests = questions()
    with ExitStack() as stack:
        postgres.SETTINGS = tuple(item for item in postgres.SETTINGS if not item.startswith("fsync"))
        cluster = stack.enter_context(postgres.running(programs))
        ports: dict[str, int] = {}
        if options.before:
            ports["SQLite, before"] = stack.enter_context(serving(options.before))
        for workers in (1, 2):
            more = ["--workers", str(workers)]
            ports[f"SQLite, {workers} worker{'s'[: workers - 1]}"] = stack.enter_context(serving(sys.executable, *more))
            ports[f"PostgreSQL, {workers} worker{'s'[: workers - 1]}"] = stack.enter_context(
                serving(sys.executable, *more, MINEPROOF_DATABASE=cluster.new())
            )
        values: dict[tuple[str, str], list[float]] = {}
        for _, kind, name in itertools.product(range(options.rounds), ("moves", "questions"), ports):
            output = asyncio.run(rate(ports[name], kind, requests, options.connections, options.seconds))
            values.setdefault((kind, name), []).append(output)
        for (kind, name), rates in values.items():
            base = values[kind, "SQLite, 1 worker"]
            ratio = median(one / other for one, other in zip(rates, base, strict=True))
            print(f"{name:22} {median(rates):8,.0f} {kind} a second, {ratio:.2f} times SQLite with 1 worker")
    load = ", ".join(f"{item:.1f}" for item in os.getloadavg())
    print(f"load of the machine: {load} on {os.cpu_count()} processors, {options.connections} connections")


if __name__ == "__main__":
    main()
