"""The bundled page in a browser: few files, kept for ever, never of two versions, and the same as its sources."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, Route, expect

from browser.conftest import DESKTOP, opened
from mineproof.web import pages
from support.browser import Faults
from support.texts import text

SCREENS = ["play", "analyse", "practise", "generate", "simulate", "history", "api"]
BUNDLED = re.compile(r"/static/[0-9a-f]{16}/")
MOST_BYTES = 150_000  # of a first visit, as they are sent
MOST_REQUESTS = 10


def visit(page: Page, path: str = "/") -> list[Response]:
    """Open the page and wait for its board; the answers that it got until then."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 (Playwright sets attributes on it)
    page.goto(path, wait_until="networkidle")
    expect(page.get_by_role("grid")).to_be_attached()
    return answers


def test_a_first_visit_is_light(page: Page) -> None:
    answers = visit(page)
    sizes = {answer.url: answer.request.sizes()["responseBodySize"] for answer in answers}
    assert sum(sizes.values()) <= MOST_BYTES, sizes
    assert len(answers) <= MOST_REQUESTS, sorted(sizes)
    assert [url for url in sizes if "/static/" in url and not BUNDLED.search(url)] == []


def test_no_file_waits_for_another(page: Page, address: str) -> None:
    """The first page names all that the start loads, so a slow network costs three answers one after the other."""
    named = set(re.findall(r'(?:href|src)="(static/[^"]+)"', page.request.get("/").text()))
    loaded = {answer.url.removeprefix(f"{address}/") for answer in visit(page) if "/static/" in answer.url}
    assert len(loaded) >= 4
    assert loaded <= named


def test_a_second_visit_asks_for_the_first_page_only(page: Page, address: str) -> None:
    visit(page)
    page.goto("about:blank")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sent: list[str] = []

    def note(event: dict[str, Any]) -> None:
        if not event["response"].get("fromDiskCache"):
            sent.append(event["response"]["url"])

    session.on("Network.responseReceived", note)
    page.goto("/", wait_until="networkidle")
    expect(page.get_by_role("grid")).to_be_attached()
    session.detach()
    assert f"{address}/" in sent
    assert [url for url in sent if "/static/" in url] == []


def test_nothing_moves_while_it_loads(page: Page) -> None:
    page.add_init_script("""
        window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => entry.value)))
            .observe({ type: "layout-shift", buffered: true });
    """)
    visit(page)
    assert sum(page.evaluate("window.shifts")) < 0.02


@pytest.mark.parametrize("screen", SCREENS)
def test_the_sources_show_the_same_as_the_bundle(page: Page, screen: str) -> None:
    shown = []
    for path in ("/", "/?debug"):
        page.goto("about:blank")
        page.goto(f"{path}#/{screen}", wait_until="networkidle")
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(r"\w"))
        shown.append(
            page.locator("main").evaluate("main => [main.dataset.screen, main.querySelectorAll('button').length]")
        )
    assert shown[0] == shown[1]
    assert page.evaluate(
        "performance.getEntriesByType('resource').some(({ name }) => name.includes('/static/app/dom.js'))"
    )


def test_a_page_of_an_older_version_loads_itself_again(page: Page, faults: Faults) -> None:
    """The server is replaced while the page is open: the next screen has another address."""
    faults.allow("404")
    visit(page)
    version = page.locator("html").get_attribute("data-version")
    page.route(f"**/static/{version}/app/screens/generate.js", lambda route: route.fulfill(status=404))
    newer = page.request.get("/").text().replace(f'data-version="{version}"', 'data-version="newer"')
    loads: list[str] = []

    def first_page(route: Route) -> None:
        loads.append(route.request.resource_type)
        route.fulfill(body=newer, content_type="text/html")

    page.route(lambda url: urlsplit(url).path == "/", first_page)
    page.get_by_role("link", name=text("page-screen-generate"), exact=True).click()
    # The newer page cannot load the screen either: it says so, and does not load itself for ever.
    expect(page.locator("html")).to_have_attribute("data-version", "newer")
    expect(page.get_by_role("alert")).to_contain_text(text("page-error-screen", screen=text("page-screen-generate")))
    assert loads == ["fetch", "document", "fetch"]
    page.unroute_all()
    page.get_by_role("button", name=text("page-retry")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-generate"))


def test_it_works_below_a_path(browser: Browser, faults: Faults, address: str, tmp_path: Path) -> None:
    """The written folder, on another address of the same server: scripts, styles and texts are found."""
    pages.write_page(tmp_path)
    types = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}

    def answer(route: Route) -> None:
        name = route.request.url.split("/some/where/")[1].split("#")[0] or "index.html"
        file = tmp_path / name
        route.fulfill(body=file.read_bytes(), content_type=types.get(file.suffix, "image/svg+xml"))

    with opened(browser, address, faults, DESKTOP) as page:
        page.route("**/some/where/**", answer)
        page.goto("/some/where/")
        expect(page.get_by_role("grid")).to_be_attached()
        page.get_by_role("link", name=text("page-screen-analyse"), exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(text("page-screen-analyse"))
