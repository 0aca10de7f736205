"""Visits of the static site: first moves without the engine, a whole game, reloads, no network, other tabs, data."""

from __future__ import annotations

import io
import json
import re
import shutil
import threading
import time
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import BrowserContext, FilePayload, Page, Request, Route, expect

import mineproof as mp
from mineproof.board.cells import Cell
from support.boards import expect_label, label, labels
from support.browser import Faults, until
from support.screenshot import ROWS, picture
from support.static_site import SITE, serving_site
from support.texts import part, pattern, text

LAYOUT = "....*/...../...../*...*"
SAFE = [(row, column) for row, line in enumerate(LAYOUT.split("/")) for column, cell in enumerate(line) if cell == "."]
MOST_BYTES_BEFORE_FIRST_CLICK = 300_000
POSITION = "/".join(ROWS).replace("#", "H")  # as links have it
READY = "html[data-engine-state=ready]"


def expect_ready(page: Page) -> None:
    page.wait_for_selector(READY, state="attached")
    expect(page.locator(".engine-state")).to_be_hidden()


def click_cell(page: Page, row: int, column: int) -> None:
    page.locator("[role=gridcell]").nth(row * _columns(page) + column).dispatch_event("click")


def numbers(page: Page) -> dict[Cell, str]:
    """The open cells with a number."""
    return {cell: state[0] for cell, state in labels(page).items() if state[0].isdigit()}


def _columns(page: Page) -> int:
    return int(page.get_by_role("grid").get_attribute("aria-colcount") or "0")


def test_a_game_begins_before_the_engine_is_ready(context: BrowserContext, address: str) -> None:
    held: list[Route] = []
    release = threading.Event()

    def hold(route: Route) -> None:
        if release.is_set():
            route.continue_()
        else:
            held.append(route)

    context.route("**/packages.tar.gz", hold)
    page = context.new_page()
    page.goto(address)
    expect_label(page, 4, 4, "covered")
    click_cell(page, 4, 4)
    expect_label(page, 4, 4, "empty")  # the engine cannot have answered
    assert page.locator("html").get_attribute("data-engine-state") == "loading"
    expect(page.locator(".engine-state")).to_be_visible()
    for button in page.locator(".thumb button").filter(visible=True).all():
        button.click(trial=True)  # the state does not cover the buttons of a phone
    before = numbers(page)
    release.set()
    for route in held:
        route.continue_()
    expect_ready(page)
    page.keyboard.press("h")
    expect(page.get_by_text(text("page-hint-step-1"))).to_be_attached()  # a phone has it in a sheet
    assert numbers(page) == before  # of the same board
    page.reload()
    expect_ready(page)
    expect_label(page, 4, 4, "empty")
    assert page.evaluate("localStorage.getItem('mineproof-opening')") is None


def test_a_game_from_its_first_click_to_the_history(context: BrowserContext, address: str) -> None:
    """Played, reloaded in the middle, left by a closed tab, won without a network, and listed in the history."""
    page = context.new_page()
    page.goto(f"{address}#/play?layout={quote(LAYOUT)}")
    expect_ready(page)
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
    click_cell(page, 1, 1)
    expect_label(page, 0, 3, "1")
    page.goto(f"{address}#/play")
    page.reload()
    expect_ready(page)
    expect_label(page, 0, 3, "1")
    page.close()  # at once: the answer to the move said that it was stored
    page = context.new_page()
    page.goto(f"{address}#/play")
    expect_ready(page)
    expect_label(page, 0, 3, "1")
    page.evaluate("async () => void await navigator.serviceWorker.ready")
    context.set_offline(True)
    page.reload()
    expect_ready(page)
    expect_label(page, 0, 3, "1")
    page.keyboard.press("h")
    expect(page.get_by_text(text("page-hint-step-1"))).to_be_attached()  # a phone has it in a sheet
    for cell in SAFE:
        if labels(page)[cell] == "covered":
            click_cell(page, *cell)
            expect(page.get_by_role("gridcell", name=label(*cell, "covered"), exact=True)).to_have_count(0)
    expect(page.locator(".verdict", has_text=pattern("page-won-with-help"))).to_be_visible()
    page.goto(f"{address}#/history")
    expect(page.get_by_role("row").nth(1)).to_be_visible()
    context.set_offline(False)


def test_a_screenshot_is_read(context: BrowserContext, address: str) -> None:
    """As PNG, which Python decodes, and as JPEG, which the browser decodes; then without a network."""
    page = context.new_page()
    page.goto(f"{address}#/analyse")
    expect_ready(page)
    page.evaluate("async () => void await navigator.serviceWorker.ready")
    for kind in ("PNG", "JPEG"):
        file = io.BytesIO()
        picture().save(file, kind, **({"quality": 98} if kind == "JPEG" else {}))
        upload: FilePayload = {
            "name": f"screen.{kind.lower()}",
            "mimeType": f"image/{kind.lower()}",
            "buffer": file.getvalue(),
        }
        page.get_by_label(text("page-choose-screenshot")).set_input_files(upload)
        expect(page).to_have_url(re.compile(re.escape(POSITION)))
        page.goto("about:blank")
        page.goto(f"{address}#/analyse")
        context.set_offline(True)
    context.set_offline(False)


def test_the_second_start_copies_the_memory_of_the_first(context: BrowserContext, address: str) -> None:
    """Games, both kernels and screenshots work after it; without a network, too."""
    page = context.new_page()
    page.goto(address)
    expect_ready(page)
    assert start_of(page) == "imports"
    click_cell(page, 4, 4)
    expect_label(page, 4, 4, "empty")
    before = numbers(page)
    page.wait_for_function(SNAPSHOT_IS_STORED)
    page.evaluate("async () => void await navigator.serviceWorker.ready")
    context.set_offline(True)
    page.reload()
    expect_ready(page)
    assert start_of(page) == "snapshot"
    assert numbers(page) == before
    page.keyboard.press("h")
    expect(page.get_by_text(text("page-hint-step-1"))).to_be_attached()
    page.goto(f"{address}#/analyse?board=1HHH/HHHH&mines=2&topology=radius2")
    layouts = mp.analyze(mp.Board.parse("1###/####", total_mines=2, topology="radius2")).layouts
    expect(page.locator("section[role=status]")).to_contain_text(text("page-layouts", layouts))
    file = io.BytesIO()
    picture().save(file, "PNG")
    upload: FilePayload = {"name": "screen.png", "mimeType": "image/png", "buffer": file.getvalue()}
    page.goto(f"{address}#/analyse")
    page.get_by_label(text("page-choose-screenshot")).set_input_files(upload)
    expect(page).to_have_url(re.compile(re.escape(POSITION)))
    context.set_offline(False)


def test_a_damaged_snapshot_is_replaced(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(address)
    expect_ready(page)
    page.wait_for_function(SNAPSHOT_IS_STORED)
    for damage in (CUT, MOVE):
        page.evaluate(CHANGE_SNAPSHOT, damage)
        page.reload()
        expect_ready(page)
        assert start_of(page) == "imports"
        click_cell(page, 4, 4)
        expect_label(page, 4, 4, "empty")
        page.wait_for_function(SNAPSHOT_IS_STORED)
    page.reload()
    expect_ready(page)
    assert start_of(page) == "snapshot"


def start_of(page: Page) -> str:
    """Whether Python was started from a snapshot, or by its imports."""
    return page.locator("html").get_attribute("data-engine-start") or ""


SNAPSHOT_IS_STORED = """async () => {
    const name = (await caches.keys()).find((name) => name.startsWith("snapshot of "));
    return name !== undefined && (await (await caches.open(name)).keys()).length === 1;
}"""
CUT = "memory"
MOVE = "layout"
CHANGE_SNAPSHOT = """async (damage) => {
    const name = (await caches.keys()).find((name) => name.startsWith("snapshot of "));
    const cache = await caches.open(name);
    const [key] = await cache.keys();
    const kept = await cache.match(key);
    const header = kept.headers.get("x-snapshot");
    const memory = (await kept.arrayBuffer()).slice(0, damage === "memory" ? 100_000 : undefined);
    const headers = { "x-snapshot": damage === "layout" ? header.replace(/"layout":"/, "$&1") : header };
    await cache.put(key, new Response(memory, { headers }));
}"""


def test_shapes_with_many_neighbours_are_counted(context: BrowserContext, address: str) -> None:
    """By the second kernel, for cells with more than eight neighbours."""
    page = context.new_page()
    page.goto(f"{address}#/analyse?board=1HHH/HHHH&mines=2&topology=radius2")
    layouts = mp.analyze(mp.Board.parse("1###/####", total_mines=2, topology="radius2")).layouts
    expect(page.locator("section[role=status]")).to_contain_text(text("page-layouts", layouts))


def test_a_new_version_never_mixes_with_the_old_one(context: BrowserContext, tmp_path: Path) -> None:
    """An open page keeps its version after the host has another one; the next visit has only the new one."""
    assert SITE is not None
    folder = tmp_path / "site"
    shutil.copytree(SITE, folder, ignore=shutil.ignore_patterns("docs", "wheels"))
    with serving_site(folder, "/mineproof/") as port:
        address = f"http://127.0.0.1:{port}/mineproof/"
        page = context.new_page()
        page.goto(address)
        expect_ready(page)
        page.evaluate("async () => void await navigator.serviceWorker.ready")
        old = engine_of(page)
        click_cell(page, 4, 4)
        expect_label(page, 4, 4, "empty")
        before = numbers(page)
        replace_version(folder)
        page.goto(f"{address}#/generate")  # a screen that was not loaded yet, from the old version
        expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-generate"))
        page.goto(f"{address}#/play")
        page.reload()
        expect_ready(page)
        assert engine_of(page) == old
        page.evaluate(WAIT_FOR_UPDATE)
        page.close()
        page = context.new_page()
        until(page, lambda: page.goto(address) and engine_of(page) != old)
        expect_ready(page)
        expect_label(page, 4, 4, text("page-cell-hidden"))  # paused when the other screen was shown
        click_cell(page, 4, 4)
        expect_label(page, 4, 4, "empty")
        assert numbers(page) == before
        caches = [name for name in page.evaluate("caches.keys()") if name.startswith("mineproof of /mineproof/ ")]
        assert len(caches) == 1


def engine_of(page: Page) -> str:
    return page.locator("html").get_attribute("data-engine") or ""


WAIT_FOR_UPDATE = """async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    while (!registration.waiting) await new Promise((resolve) => setTimeout(resolve, 50));
}"""


def replace_version(folder: Path) -> None:
    """Rename all folders that are named after their contents, as another build does."""
    renamed = [path for parent in ("engine", "static") for path in (folder / parent).iterdir() if path.is_dir()]
    new = {path.name: path.name[::-1] for path in renamed if len(path.name) == 16}
    for path in renamed:
        path.rename(path.with_name(new.get(path.name, path.name)))
    for name in ("index.html", "sw.js"):
        content = (folder / name).read_text("utf-8")
        for old, other in new.items():
            content = content.replace(old, other)
        (folder / name).write_text(content.replace('const VERSION = "', 'const VERSION = "new-'), "utf-8")


def test_the_docs_have_boards_to_edit(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}docs/first-steps.html")
    example = page.locator(".live").first
    example.get_by_role("button", name="Show the odds").click()
    cells = example.locator("td")
    expect(cells.nth(1)).to_have_text("20 %")
    example.get_by_label("Board").fill("1#\n##")
    example.get_by_label("Mines").fill("1")
    expect(cells).to_have_text(["1", "33 %", "33 %", "33 %"])
    example.get_by_label("Board").fill("1#\n###")
    expect(example.get_by_role("status")).to_contain_text("expected")


def test_little_is_needed_for_the_first_click(context: BrowserContext, address: str) -> None:
    """All files but those of the engine, compressed as hosts do."""
    page = context.new_page()
    requests: list[Request] = []
    context.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108 (Playwright sets attributes)
    held: list[Route] = []
    for pattern_ in ("**/*.mjs", "**/packages.tar.gz"):
        context.route(pattern_, lambda route: held.append(route))  # noqa: PLW0108
    page.goto(address)
    click_cell(page, 4, 4)
    expect_label(page, 4, 4, "empty")
    sizes = {request.url: request.sizes()["responseBodySize"] for request in requests}
    assert sum(sizes.values()) <= MOST_BYTES_BEFORE_FIRST_CLICK, sizes
    assert len(sizes) > 4


def test_thinking_and_simulations_are_stopped(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}#/simulate")
    expect_ready(page)
    page.get_by_label(text("page-games"), exact=True).fill("1000000")
    page.get_by_role("button", name=text("page-start"), exact=True).click()
    expect(page.get_by_text(part("page-simulate-speed"))).to_be_visible()
    page.get_by_role("button", name=text("page-stop")).click()
    expect(page.get_by_text(pattern("page-simulate-stopped", count="1,000,000"))).to_be_visible()
    page.goto(f"{address}#/play")  # moves are answered by the other worker
    click_cell(page, 4, 4)
    expect_label(page, 4, 4, "empty")


def test_one_tab_at_a_time_has_the_games(context: BrowserContext, address: str) -> None:
    first = context.new_page()
    first.goto(address)
    expect_ready(first)
    second = context.new_page()
    second.goto(address)
    expect(second.locator(".engine-state")).to_have_text(text("page-engine-other-tab"))
    first.close()
    expect_ready(second)


def test_all_data_move_to_another_browser(context: BrowserContext, address: str, tmp_path: Path) -> None:
    page = context.new_page()
    page.goto(f"{address}#/play?layout={quote(LAYOUT)}")
    expect_ready(page)
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "4")
    click_cell(page, 1, 1)
    expect_label(page, 0, 3, "1")
    game = json.loads(page.evaluate("localStorage.getItem('mineproof')"))["game"]
    page.get_by_role("button", name=text("page-settings"), exact=True).click()
    expect(page.get_by_role("link", name=text("page-settings-api"))).to_have_count(0)  # no server has an API here
    with page.expect_download() as download:
        page.get_by_role("button", name=text("page-data-save")).click()
    file = tmp_path / "data.zip"
    download.value.save_as(file)
    assert context.browser is not None
    other = context.browser.new_context(locale="en-GB")
    other.set_default_timeout(120_000)
    page = other.new_page()
    page.add_init_script(f"localStorage.setItem('mineproof', '{json.dumps({'game': game})}')")
    page.goto(address)
    expect_ready(page)
    page.get_by_role("button", name=text("page-settings"), exact=True).click()
    page.locator("input[type=file]").set_input_files(file)
    expect_label(page, 0, 3, "1")  # after the page has loaded itself again
    other.close()


def test_an_engine_that_cannot_be_loaded_is_tried_again(context: BrowserContext, address: str, faults: Faults) -> None:
    """After longer and longer pauses."""
    faults.allow("packages.tar.gz")
    times: list[float] = []

    def fail_three_times(route: Route) -> None:
        times.append(time.monotonic())
        if len(times) > 3:
            route.continue_()
        else:
            route.abort()

    context.route("**/packages.tar.gz", fail_three_times)
    page = context.new_page()
    page.goto(address)
    expect(page.locator(".engine-state")).to_have_text(text("page-engine-failed"))
    expect_ready(page)
    _, second, third = [after - before for before, after in pairwise(times[:4])]  # then the service worker loads it
    assert second > 0.9
    assert third > 1.9


def test_nothing_leaves_the_site(context: BrowserContext, address: str) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(address)
    expect_ready(page)
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert page.evaluate("crossOriginIsolated") is False


def test_the_licences_are_there(context: BrowserContext, address: str) -> None:
    page = context.new_page()
    page.goto(f"{address}licences.html")
    for name in ("Mozilla Public License", "NumPy", "MIT"):
        expect(page.get_by_text(name).first).to_be_visible()
