"""Whether the server's memory stays flat: a million requests, and what it holds after each part of them.

    .venv/bin/python benchmarks/serve_soak.py [--requests 1000000] [--connections 14] [--players 2] [--parts 20]

Starts `mineproof serve` with a folder of its own. Questions (`analyze`, expert positions from the middle of games) are
asked over the connections without a pause, while players begin games, flag, open and end them; finished games go into
the history. Prints the resident memory, the threads and the open files of the server over time. Needs Linux, whose
/proc tells them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time

from serve_load import Asker, Player, Server, questions, run, serving, told


async def soak(server: Server, requests: int, connections: int, players: int, parts: int) -> None:
    requests = questions()
    times: list[float] = []
    played: list[float] = []
    began, done, moves = time.monotonic(), 0, 0
    print("requests   moves  seconds  memory MB  threads  files  questions", flush=True)
    while done < requests:
        end = min(requests - done, max(1, requests // parts))

        def more(end: int = end) -> bool:
            return len(times) + len(played) < end

        work = [Asker(requests, done + index * 13, times, more).run(server.port) for index in range(connections)]
        await asyncio.gather(*work, *(Player(played, more).run(server.port) for _ in range(players)))
        done, moves = done + len(times) + len(played), moves + len(played)
        print(
            f"{done:8,} {moves:7,} {time.monotonic() - began:8.0f} {server.megabytes:10.1f} {server.threads:8} "
            f"{server.files:6}  {told(times)}; moves: {told(played)}",
            flush=True,
        )
        times.clear()
        played.clear()
    print(f"{done / (time.monotonic() - began):,.0f} requests a second")
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} processors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--connections", type=int, default=14)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--parts", type=int, default=20)
    options = parser.parse_args()
    with serving() as server:
        run(soak(server, options.requests, options.connections, options.players, options.parts))


if __name__ == "__main__":
    main()
