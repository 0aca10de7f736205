"""How large and how fast the static site is: every figure of docs/site.md. Run `make site` before.

    .venv/bin/python benchmarks/site_speed.py [--starts 3] [--rounds 5] [--only sizes|starts|answers|kernel]

Sizes are bytes as a host sends them, compressed by gzip, counted by Chromium. A start is timed from the request for the
page until the engine is ready; the first click until its cell is shown. A cold start has an empty cache, a second one
the files of the service worker, the snapshot of the first one, and no network. Both are timed at desktop and phone
size; on the phone Chromium slows the page down four times, but not the worker. The processor time of a start depends
less on what else the machine does: that of all processes of Chromium at desktop size, and that of Node.js, which has
no snapshot. Answers are timed in Python in Node.js, which has the same engine as
Chromium, and from page to page in Chromium. The kernel's work is that of `mineproof bench`, native and in WebAssembly
one after the other, with the best of all rounds. The load of the machine stands beside the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from static_site.places import SITE  # noqa: E402
from static_site.serve import PREFIX, make_server  # noqa: E402

from mineproof.bench import work  # noqa: E402

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True
}  # fmt: skip
SLOWDOWN = {"desktop": 1, "phone": 4}
READY = "html[data-engine-state=ready]"
MINUTES = 10 * 60_000
SPEED = {"median_microseconds", "positions_per_second"}

# Presses a cell of the middle as soon as there is one, and resolves when it is open.
CLICK = """async () => {
    const cell = () => document.querySelectorAll("[role=gridcell]")[40];
    while (!cell()) await new Promise(requestAnimationFrame);
    const begun = performance.now();
    const before = cell().getAttribute("aria-label");
    cell().click();
    while (cell().getAttribute("aria-label") === before) await new Promise(requestAnimationFrame);
    return [performance.now(), performance.now() - begun];
}"""
SNAPSHOT_IS_STORED = """async () => {
    const name = (await caches.keys()).find((name) => name.startsWith("snapshot of "));
    return name !== undefined && (await (await caches.open(name)).keys()).length === 1;
}"""
# From the page to a worker of its own and back, in milliseconds.
ASK = """async ([engine, path, request, rounds]) => {
    const worker = new Worker(new URL(`${engine}worker.js`, document.baseURI), { type: "module" });
    const heard = (wanted) => new Promise((resolve) => worker.addEventListener("message", function hear({ data }) {
        if (wanted(data)) resolve(worker.removeEventListener("message", hear));
    }));
    worker.postMessage({ start: true, keepsGames: false });
    await heard((data) => data.isReady);
    const headers = { "content-type": "application/json" };
    const times = [];
    for (let id = 1; id <= rounds; id++) {
        const body = new TextEncoder().encode(JSON.stringify(request));
        const begun = performance.now();
        worker.postMessage({ id, question: { method: "POST", path, query: "", headers, body } });
        await heard((data) => data.id === id && data.isOver);
        times.push(performance.now() - begun);
    }
    worker.terminate();
    return times;
}"""
ANSWERS = """
import json, statistics, time
import mineproof as mp
from mineproof.bench.work import corpus

def best(function, board, rounds):
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        function(board)
        times.append(time.perf_counter() - begun)
    return min(times) * 1000

boards = [board for board in corpus() if (board.rows, board.columns, board.total_mines) == (16, 30, 99)][:75]
print(json.dumps({
    "analyze": statistics.median(best(mp.analyze, board, 15) for board in boards),
    "hint": statistics.median(best(mp.hint, board, 3) for board in boards[:25]),
    "boards": len(boards),
}))
"""
START = """
import json
from pathlib import Path
from mineproof.web.local import LocalServer
server = LocalServer(Path("/data"))
body = json.dumps({"board": "1#/##", "mines": 1}).encode()
answer = await server.ask("POST", "/api/v1/analyze", body=body, headers={"content-type": "application/json"})
print(json.dumps({"status": answer.status}))
"""
BENCH = """
import json
from mineproof.bench import work  # noqa: E402
print(json.dumps(work.run(2.0, lambda message: None).as_json()))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["sizes", "starts", "answers", "kernel"])
    options = parser.parse_args()
    if not SITE.exists():
        raise SystemExit("There is no build/site yet. Run `make site`.")
    say(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if options.only in (None, "sizes", "starts", "answers"):
        in_chromium(options)
    if options.only in (None, "starts"):
        taken = []
        for _ in range(options.starts):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            in_node(START)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        say(f"Node.js: processor time from nothing to the first answer {times(taken)}")
    if options.only in (None, "answers"):
        for name, run in (("native", native), ("Node.js", in_node)):
            found = run(ANSWERS)
            say(f"{name}: analyze {found['analyze']:.3f} ms, median of {found['boards']} stuck expert positions")
            say(f"{name}: hint {found['hint']:.2f} ms, median of {min(25, found['boards'])}")
    if options.only in (None, "kernel"):
        compare_kernels(options.rounds)


def in_chromium(options: argparse.Namespace) -> None:
    program = subprocess.run(
        [sys.executable, ROOT / "tools/browser.py"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with make_server(SITE, 0) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}{PREFIX}"
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        if options.only in (None, "sizes"):
            measure_sizes(browser, address)
        for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
            if options.only in (None, "starts"):
                measure_starts(browser, address, name, size, options.starts)
        if options.only in (None, "answers"):
            measure_answers(browser, address)
        browser.close()
        server.shutdown()


def measure_sizes(browser: Browser, address: str) -> None:
    context = browser.new_context(**DESKTOP)
    held: list[Route] = []
    for pattern in ("**/*.mjs", "**/packages.tar.gz"):
        context.route(pattern, lambda route: held.append(route))  # noqa: PLW0108
    say(f"before the first click: {loaded(context, address, lambda page: page.evaluate(CLICK))}")
    context.close()
    context = browser.new_context(**DESKTOP, service_workers="block")
    say(f"until the engine is ready: {loaded(context, address, wait_until_ready)}")
    context.close()


def loaded(context: BrowserContext, address: str, wait: Callable[[Page], object]) -> str:
    """How much a visit has loaded when ``wait`` returns."""
    requests: list[Request] = []
    context.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108
    page = context.new_page()
    page.goto(address)
    wait(page)
    page.wait_for_timeout(500)
    sizes = [request.sizes()["responseBodySize"] for request in requests]
    return f"{sum(sizes) / 1000:,.0f} kB in {len(sizes)} files"


def wait_until_ready(page: Page) -> None:
    page.wait_for_selector(READY, state="attached", timeout=MINUTES)


def measure_starts(browser: Browser, address: str, name: str, size: dict[str, Any], starts: int) -> None:
    cold, second, clicks = [], [], []
    work: dict[str, list[float]] = {"cold": [], "second": []}
    for _ in range(starts):
        context = browser.new_context(**size)
        before = processor_seconds(browser)
        page = slowed(context, SLOWDOWN[name])
        begun = time.perf_counter()
        page.goto(address)
        since_start, _ = page.evaluate(CLICK)
        clicks.append(since_start / 1000)
        wait_until_ready(page)
        cold.append(time.perf_counter() - begun)
        work["cold"].append(spent(before, processor_seconds(browser)))
        page.evaluate("async () => void await navigator.serviceWorker.ready")
        page.wait_for_function(SNAPSHOT_IS_STORED)
        page.close()
        context.set_offline(True)
        before = processor_seconds(browser)
        page = slowed(context, SLOWDOWN[name])
        begun = time.perf_counter()
        page.goto(address)
        wait_until_ready(page)
        second.append(time.perf_counter() - begun)
        work["second"].append(spent(before, processor_seconds(browser)))
        context.close()
    say(f"{name}: first click shown {times(clicks)}, engine ready cold {times(cold)}, second, offline {times(second)}")
    if SLOWDOWN[name] == 1:  # Chromium spends processor time to slow a page down
        say(f"{name}: processor time until ready cold {times(work['cold'])}, second {times(work['second'])}")


def processor_seconds(browser: Browser) -> dict[int, float]:
    """The processor time of each process of Chromium so far."""
    answer = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return {process["id"]: process["cpuTime"] for process in answer["processInfo"]}


def spent(before: dict[int, float], after: dict[int, float]) -> float:
    return sum(seconds - before.get(process, 0) for process, seconds in after.items())


def slowed(context: BrowserContext, rate: int) -> Page:
    page = context.new_page()
    page.set_default_timeout(MINUTES)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})
    return page


def measure_answers(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.set_default_timeout(MINUTES)
    page.goto(address)
    wait_until_ready(page)
    engine = page.locator("html").get_attribute("data-engine")
    board = next(board for board in work.corpus() if (board.rows, board.columns, board.total_mines) == (16, 30, 99))
    request = {"board": str(board)}
    for name in ("analyze", "hint"):
        taken = page.evaluate(ASK, [engine, f"/api/v1/{name}", request, 30])
        say(f"Chromium, page to page: {name} {statistics.median(taken):.1f} ms, median of {len(taken)}")
    page.close()


def compare_kernels(rounds: int) -> None:
    """Print the ratio of the kernels' times, and whether their signatures are the same."""
    best = {"native": float("inf"), "Node.js": float("inf")}
    signatures: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for name, run in (("native", native), ("Node.js", in_node)):
            found = run(BENCH)
            best[name] = min(best[name], found["median_microseconds"])
            signatures[name] = {key: value for key, value in found.items() if key not in SPEED}
    ratio = best["Node.js"] / best["native"]
    say(f"counting: native {best['native']:.1f} µs, WebAssembly {best['Node.js']:.1f} µs, ratio {ratio:.2f}")
    say(f"signature: {'the same' if signatures['native'] == signatures['Node.js'] else signatures}")


def native(code: str) -> dict[str, Any]:
    return output_of([sys.executable, "-c", code])


def in_node(code: str) -> dict[str, Any]:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(code)
        file.flush()
        return output_of(["node", "--stack-size=3000", str(ROOT / "tools/static_site/node.mjs"), file.name])


def output_of(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def times(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.1f} s ({min(seconds):.1f} to {max(seconds):.1f})"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
