"""How quick the page is, in the system's Chromium without a graphics card: first paint, a move, an edit, panning.

    .venv/bin/python benchmarks/page_speed.py [--moves 60] [--edits 30]

A move is timed from the press of the mouse button until the frame after the answer is drawn; an edit from the key until
the frame after its analysis is shown; both include the server, on the same machine. Panning drags a board of 100×100
cells of 18 CSS pixels. The load of the machine stands beside the figures.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

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


def told(name: str, values: list[float]) -> None:
    values = sorted(values)
    middle, p95, load = statistics.median(values), values[int(len(values) * 0.95)], os.getloadavg()[0]
    figures = f"n {len(values)}, median {middle:.1f} ms, p95 {p95:.1f} ms, worst {values[-1]:.1f} ms (load {load:.1f})"
    print(f"{name}: {figures}", flush=True)


def kept(page: Page, address: str, settings: str) -> None:
    page.goto(address)
    page.locator("[role=gridcell]").first.wait_for(state="attached")
    page.evaluate(f"localStorage.setItem('mineproof', JSON.stringify({settings}))")
    page.reload()
    page.locator("[role=gridcell]").nth(100).wait_for(state="attached")  # not the beginner's board
    page.wait_for_timeout(500)


def moves(page: Page, address: str, count: int) -> None:
    """Flags and openings on expert; a cell that is covered is flagged by the right button."""
    kept(page, address, "{level: 'expert'}")
    times = []
    for number in range(count):
        row, column = divmod(number * 7, 30)
        page.evaluate(WATCH, ["pointerdown", "[role=grid]", "aria-label"])
        box = page.locator("canvas").bounding_box()
        assert box is not None
        size = int(min((box["width"] - 2) / 30, (box["height"] - 2) / 16))
        x = box["x"] + (box["width"] - 30 * size) / 2 + (column + 0.5) * size
        y = box["y"] + (box["height"] - 16 * size) / 2 + (row % 16 + 0.5) * size
        page.mouse.click(x, y, button="right")
        times.append(float(page.evaluate("window.timed")))
    told("a move, expert", times)


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
    told("an edit until its analysis is shown, expert", times)


def measure(address: str, program: str, most_moves: int, most_edits: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        paints = []
        for _ in range(5):
            page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
            page.goto(address)
            page.locator("[role=gridcell]").first.wait_for(state="attached")
            paints.append(float(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")))
            page.context.close()
        told("first paint", paints)
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        moves(page, address, most_moves)
        edits(page, address, most_edits)
        kept(page, address, "{level: 'custom', rows: 100, columns: 100, mines: 1600}")
        told("a frame while panning 100x100", page.evaluate(PAN))
        browser.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--moves", type=int, default=60)
    options.add_argument("--edits", type=int, default=30)
    wanted = options.parse_args()
    finding = [sys.executable, str(ROOT / "tools/browser.py")]
    program = subprocess.run(finding, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "mineproof", "serve", "--port", "0", "--no-open", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                measure(server.stdout.readline().strip().rstrip("/"), program, wanted.moves, wanted.edits)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
