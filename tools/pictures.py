"""Makes the pictures of the page that README and docs show, into docs/pictures: `make pictures`.

A server of its own, with an empty data folder, and games with a seed: the same scenes every time. The clock and the
fonts of the machine differ, so pictures are looked at and committed, not compared. With ``--site`` it takes those of
the static site, after `make site`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from drawings import careless
from playwright.sync_api import Browser, Page, sync_playwright
from static_site.places import SITE
from static_site.serve import PREFIX, make_server

import mineproof as mp

FOLDER = Path(__file__).parents[1] / "docs/pictures"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--hide-scrollbars"]
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
TALL = {"viewport": {"width": 1100, "height": 1500}}
DARK = {**DESKTOP, "color_scheme": "dark"}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
READY = "html[data-engine-state=ready]"
STEPS = 22  # of reasoning, before the picture of a game is taken
POSITION = "#####/123##/###3#"


@contextmanager
def server(data: str) -> Iterator[str]:
    command = [sys.executable, "-m", "mineproof", "serve", "--port", "0", "--no-open", "--data", data]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip().rstrip("/")
        finally:
            process.terminate()


def ask(address: str, path: str, **body: object) -> Any:
    content = json.dumps(body).encode() if body else None
    request = urllib.request.Request(f"{address}/api/v1/{path}", content, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def game(address: str) -> str:
    """The id of a game that is half played, by reasoning alone."""
    entry: str = ask(address, "games", level="expert", first_click="open", seed=12)["id"]
    ask(address, f"games/{entry}/moves", kind="open", cell=[8, 15])
    for _ in range(STEPS):
        hint = ask(address, f"games/{entry}/hint")
        if hint["kind"] != "step":
            break
        cells = ask(address, f"games/{entry}")["cells"]
        for kind, wanted in (("flag", hint["mines"]), ("open", hint["safe"])):
            for row, column in wanted:
                if cells[row][column] == "#":
                    cells = ask(address, f"games/{entry}/moves", kind=kind, cell=[row, column])["cells"]
    return entry


def play(page: Page, address: str) -> None:
    stored = json.dumps({"game": game(address), "overlay": "odds", "level": "expert"})
    page.add_init_script(f"localStorage.setItem('mineproof', '{stored}')")
    page.goto(f"{address}/#/play")
    page.get_by_role("gridcell").first.wait_for(state="attached")
    for level in range(1, 5):
        page.keyboard.press("h")
        page.get_by_text(re.compile(f"^{level} of 4:")).wait_for()
    page.wait_for_timeout(500)  # until the effects are over


def analyse(page: Page, address: str) -> None:
    page.goto(f"{address}/#/analyse?board={POSITION.replace('#', '%23')}&mines=6")
    page.get_by_role("gridcell").first.wait_for(state="attached")
    page.get_by_text("Best move", exact=True).first.click()
    page.get_by_role("region", name="Decision table").wait_for()
    page.wait_for_timeout(500)


def practise(page: Page, address: str) -> None:
    page.goto(f"{address}/#/practise?technique=partition&level=beginner&seed=7")
    page.get_by_role("gridcell").first.wait_for(state="attached")
    page.get_by_role("button", name="Show me").click()
    page.locator(".proof .words").first.wait_for()
    page.keyboard.press(".")  # the second sentence, with its arrows
    page.wait_for_timeout(500)


def lesson(page: Page, address: str) -> None:
    coached = mp.lesson(careless("intermediate", 12), name="game.avf")
    page.set_content(coached.html(practise=f"{address}/#/practise?technique="))
    page.wait_for_timeout(300)


def site(page: Page, address: str) -> None:
    """A hint in a game on a phone, without a network."""
    mines = mp.generate(9, 9, 10, seed=7, no_guess=True, start=(4, 4)).mines
    rows = ["".join("*" if (row, column) in mines else "." for column in range(9)) for row in range(9)]
    page.goto(f"{address}#/play?layout={quote('/'.join(rows))}")
    page.wait_for_selector(READY, state="attached")
    page.evaluate("async () => void await navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.get_by_role("gridcell").nth(40).dispatch_event("click")
    for level in range(1, 4):
        page.wait_for_timeout(500 * level)
        page.keyboard.press("h")
    page.wait_for_timeout(1500)


def live(page: Page, address: str) -> None:
    """A board in the docs that can be edited."""
    page.goto(f"{address}docs/first-steps.html#what-is-certain-and-the-odds")
    example = page.locator(".live").first
    example.get_by_role("button").click()
    example.locator("td").first.wait_for()
    page.evaluate("scrollBy(0, 150)")


class Scene(Protocol):
    __name__: str

    def __call__(self, page: Page, address: str) -> None: ...


def take(browser: Browser, address: str, scene: Scene, options: Any) -> None:
    context = browser.new_context(**options)
    page = context.new_page()
    scene(page, address)
    page.screenshot(path=FOLDER / f"{scene.__name__}.png")
    context.close()
    print(f"docs/pictures/{scene.__name__}.png")


def take_site(browser: Browser) -> None:
    """Pictures of build/site."""
    with make_server(SITE, 0) as static:
        threading.Thread(target=static.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{static.server_port}{PREFIX}"
        take(browser, address, site, PHONE)
        take(browser, address, live, DESKTOP)
        static.shutdown()


def main() -> None:
    finding = [sys.executable, str(Path(__file__).with_name("browser.py"))]
    program = subprocess.run(finding, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        if "--site" in sys.argv:
            take_site(browser)
        else:
            with tempfile.TemporaryDirectory() as data, server(data) as address:
                take(browser, address, play, DESKTOP)
                take(browser, address, analyse, DARK)
                take(browser, address, practise, PHONE)
                take(browser, address, lesson, TALL)
        browser.close()


if __name__ == "__main__":
    main()
