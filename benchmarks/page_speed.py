"""How quick the page is, in the system's Chromium without a graphics card: visits, paint, a move, an edit, panning.

    .venv/bin/python benchmarks/page_speed.py [--moves 60] [--edits 30] [--visits 5] [--only visits|press]

A visit is timed on slow 4G (150 ms, 1.6 Mbit/s), from the request for the page until its board can be played. A cold
visit has an empty cache, a warm visit is the second one. The same is measured with the unbundled sources (``/?debug``).

Press to paint is the time from the press of the mouse button until the canvas shows its effect, with 0, 100 and 300 ms
added to each request: a flag, and a cell that is being opened. It must not depend on the latency.

A move is timed from the press of the mouse button until the frame after it is drawn; an edit from the key until the
frame after its analysis is shown, including the server, on the same machine. Panning drags a board of 100×100 cells of
18 CSS pixels. The load of the machine stands beside the figures.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
RULER = 20  # CSS pixels of the ruler above and beside a board
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

RULER, FRAME = 20, 8  # CSS pixels around the cells, as in view.js

# Resolves with the milliseconds from an event until the frame after the text of an element has changed.
WATCH = """([event, selector, attribute]) => {
  const target = document.querySelector(selector);
  window.timed = new Promise((resolve) => {
    let begun = 0;
    addEventListener(event, () => (begun = performance.now()), { once: true, capture: true });
    const seen = new MutationObserver(() => {
      if (!begun) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
    });
    seen.observe(target, { subtree: true, childList: true, characterData: true, attributeFilter: [attribute] });
  });
}"""

# Resolves with the milliseconds from the next pointer event until a pixel of the canvas has changed.
PRESS = """([event, x, y]) => {
  const canvas = document.querySelector(".stage canvas");
  const box = canvas.getBoundingClientRect();
  const scale = canvas.width / box.width;
  const context = canvas.getContext("2d");
  const size = Math.ceil(12 * scale);
  const look = () => context.getImageData((x - box.left) * scale - size / 2, (y - box.top) * scale - size / 2, size,
    size).data.join();
  const before = look();
  window.timed = new Promise((resolve) => addEventListener(event, ({ timeStamp }) => {
    const frame = () => requestAnimationFrame(() => setTimeout(() => {
      if (look() !== before) resolve(performance.now() - timeStamp);
      else frame();
    }));
    frame();
  }, { once: true, capture: true }));
}"""

SLOW = """(milliseconds) => {
  const send = window.fetch;
  window.fetch = async (address, options) => {
    await new Promise((done) => setTimeout(done, milliseconds));
    return send(address, options);
  };
}"""

PAN = """async () => {
  const canvas = document.querySelector("canvas");
  const box = canvas.getBoundingClientRect();
  canvas.setPointerCapture = () => {};
  const send = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, { pointerId: 7, pointerType: "touch",
    clientX: box.left + x, clientY: box.top + y, buttons: 1, bubbles: true }));
  const frames = [];
  let last = performance.now();
  send("pointerdown", 400, 300);
  for (let step = 0; step < 120; step++) {
    send("pointermove", 400 - 5 * (step % 60), 300 - 3 * (step % 60));
    await new Promise(requestAnimationFrame);
    frames.push(performance.now() - last);
    last = performance.now();
  }
  send("pointerup", 0, 0);
  return frames.slice(2);
}"""


def print_times(name: str, values: list[float]) -> None:
    values = sorted(values)
    middle, p95, load = statistics.median(values), values[int(len(values) * 0.95)], os.getloadavg()[0]
    figures = f"n {len(values)}, median {middle:.1f} ms, p95 {p95:.1f} ms, worst {values[-1]:.1f} ms (load {load:.1f})"
    print(f"{name}: {figures}", flush=True)


def store_settings(page: Page, address: str, settings: str) -> None:
    page.goto(address)
    page.locator("[role=gridcell]").first.wait_for(state="attached")
    page.evaluate(f"localStorage.setItem('mineproof', JSON.stringify({settings}))")
    page.reload()
    page.locator("[role=gridcell]").nth(100).wait_for(state="attached")  # not the beginner's board
    page.wait_for_timeout(500)


def moves(page: Page, address: str, count: int) -> None:
    """Flags and openings on expert; a cell that is covered is flagged by the right button."""
    store_settings(page, address, "{level: 'expert'}")
    times = []
    for number in range(count):
        row, column = divmod(number * 7, 30)
        page.evaluate(WATCH, ["pointerdown", "[role=grid]", "aria-label"])
        box = page.locator("canvas").bounding_box()
        assert box is not None
        margin = RULER + 2 * FRAME
        size = int(min((box["width"] - margin) / 30, (box["height"] - margin) / 16))
        x = box["x"] + (box["width"] - 30 * size + RULER) / 2 + (column + 0.5) * size
        y = box["y"] + (box["height"] - 16 * size + RULER) / 2 + (row % 16 + 0.5) * size
        page.mouse.click(x, y, button="right")
        times.append(float(page.evaluate("window.timed")))
    print_times("a move, expert", times)


def presses(page: Page, address: str, count: int) -> None:
    """Press to paint at several latencies: the right button flags, the left one opens."""
    for latency in (0, 100, 300):
        for name, button in (("a flag", "right"), ("opening a cell", "left")):
            store_settings(page, address, "{level: 'expert', game: '', first_click: 'any'}")
            page.evaluate(SLOW, latency)
            times = []
            for number in range(count):
                x, y = spot(page, *divmod(number * 37 % 480, 30))
                page.mouse.move(x, y)
                page.evaluate(PRESS, ["pointerdown", x, y])
                page.mouse.click(x, y, button="right" if button == "right" else "left")
                done = page.evaluate("Promise.race([window.timed, new Promise((no) => setTimeout(no, 1000, null))])")
                if done is not None:  # nothing happens on a cell that is open
                    times.append(float(done))
                if page.locator(".result").is_visible():
                    page.keyboard.press("n")
                    page.locator(".result").wait_for(state="hidden")
            print_times(f"press to paint, {name}, {latency} ms latency", times)


def spot(page: Page, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell of an expert board, with its ruler."""
    box = page.locator(".stage canvas").bounding_box()
    assert box is not None
    size = int(min((box["width"] - RULER - 2) / 30, (box["height"] - RULER - 2) / 16))
    x = box["x"] + (box["width"] - 30 * size + RULER) / 2 + (column + 0.5) * size
    return x, box["y"] + (box["height"] - 16 * size + RULER) / 2 + (row + 0.5) * size


def edits(page: Page, address: str, count: int) -> None:
    page.goto(f"{address}/#/analyse?board=" + "/".join(["H" * 30] * 16) + "&mines=99")
    page.locator("[role=gridcell]").first.wait_for(state="attached")
    page.wait_for_timeout(1000)
    page.locator("[role=gridcell][tabindex='0']").focus()
    times = []
    for number in range(count):
        page.evaluate(WATCH, ["keydown", ".side", "class"])
        page.keyboard.press("1" if number % 2 else "2")
        times.append(float(page.evaluate("window.timed")))
        page.wait_for_timeout(150)
    print_times("an edit until its analysis is shown, expert", times)


SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
# Resolves with the milliseconds until the board can be played, and the sum of the layout shifts.
READY = """new Promise((resolve) => {
  let shift = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value)))
    .observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const ready = document.querySelector("[role=gridcell]");
    if (!ready) return requestAnimationFrame(look);
    const time = performance.now();
    requestAnimationFrame(() => setTimeout(() => resolve([time, shift]), 500));
  };
  look();
})"""


def visit(page: Page, address: str) -> tuple[float, int, int, float]:
    """Return the milliseconds until the board is ready, the requests, the bytes over the wire, and the layout shift."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW_4G)
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    ready, shift = page.evaluate(READY)
    page.wait_for_load_state("networkidle")
    session.detach()
    sent = [size for size in sizes if size > 0]  # the others came from the cache
    return ready, len(sent), int(sum(sent)), shift


def visits(browser: Browser, address: str, count: int) -> None:
    for name, path in (("bundled", "/"), ("sources", "/?debug")):
        cold, warm = [], []
        for _ in range(count):
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            cold.append(visit(page, address + path))
            page.goto("about:blank")
            warm.append(visit(page, address + path))
            page.context.close()
        for kind, measured in (("cold", cold), ("warm", warm)):
            print_times(f"{kind} visit on slow 4G, {name}", [one[0] for one in measured])
            _, requests, size, _ = measured[-1]
            shift = max(one[3] for one in measured)
            print(f"    {requests} requests, {size / 1000:.1f} kB, layout shift at most {shift:.3f}", flush=True)


def measure(address: str, program: str, most_moves: int, most_edits: int, most_visits: int, only: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        if only in ("all", "visits"):
            visits(browser, address, most_visits)
        if only in ("all", "press"):
            presses(browser.new_context(viewport={"width": 1440, "height": 900}).new_page(), address, most_moves)
        if only != "all":
            browser.close()
            return
        paints = []
        for _ in range(5):
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.goto(address)
            page.locator("[role=gridcell]").first.wait_for(state="attached")
            paints.append(float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")))
            page.context.close()
        print_times("first paint", paints)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        moves(page, address, most_moves)
        edits(page, address, most_edits)
        store_settings(page, address, "{level: 'custom', rows: 100, columns: 100, mines: 1600}")
        print_times("a frame while panning 100x100", page.evaluate(PAN))
        browser.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--moves", type=int, default=60)
    options.add_argument("--edits", type=int, default=30)
    options.add_argument("--visits", type=int, default=5)
    options.add_argument("--only", choices=["all", "visits", "press"], default="all", help="measure one part only")
    request = options.parse_args()
    finding = [sys.executable, str(ROOT / "tools/browser.py")]
    program = subprocess.run(finding, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "mineproof", "serve", "--port", "0", "--no-open", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                address = server.stdout.readline().strip().rstrip("/")
                measure(address, program, request.moves, request.edits, request.visits, request.only)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
