"""One browser for all tests of a process, a server for those of a file, a page of a desktop's size, one of a phone's.

The browser is the system's Chromium: `tools/browser.py` finds it. While Playwright runs, it says that its event loop
runs, and asyncio.run would fail in every other test of the process. So its loop counts as running only during a test
that has the browser. The server runs in a thread, which starts faster than a process.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect, sync_playwright

from mineproof.web.data_file import save_data
from support.browser import ARGUMENTS, Faults, chromium, do_without
from support.served import serving
from support.static_site import SITE, needs_server, serving_site
from support.texts import text

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}

# How long the page may take before a test fails. A busy machine can need many seconds for one answer.
TIMEOUT_MILLISECONDS = 90_000
expect.set_options(timeout=TIMEOUT_MILLISECONDS)

# Notices, and offers such as Undo, go after some seconds. A busy machine may not have looked by then, so they stay.
PATIENT = """{
  const { setTimeout } = window;
  window.setTimeout = (act, milliseconds = 0, ...more) =>
    setTimeout.call(window, act, milliseconds >= 5000 ? 600_000 : milliseconds, ...more);
}"""


@pytest.hookimpl(tryfirst=True)  # before -m chooses by the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker("browser")
            reason = SITE and needs_server(item.path.name, getattr(item, "originalname", item.name))
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def started_browser() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """The browser, and the event loop of Playwright, which does not count as running."""
    program, missing = chromium()
    if program is None:
        do_without(missing)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield found, loop
        asyncio._set_running_loop(loop)
        found.close()


@pytest.fixture
def browser(started_browser: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    found, loop = started_browser
    asyncio._set_running_loop(loop)
    try:
        yield found
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the server, empty at first; a module may have its own."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def address(data: Path) -> Iterator[str]:
    """The address of a server with this data folder, or of the static site, without a slash at the end."""
    if SITE is not None:
        with serving_site(SITE, "/") as port:
            yield f"http://127.0.0.1:{port}"
        return
    with serving(data) as (client, _):
        yield f"http://127.0.0.1:{client.port}"


@pytest.fixture(scope="module")
def stored(request: pytest.FixtureRequest, data: Path, address: str) -> dict[str, Any]:
    """What the browser has stored before a test: on the static site the games of the data folder, else nothing."""
    if SITE is None or not any(data.iterdir()):
        return {}
    browser, loop = request.getfixturevalue("started_browser")
    asyncio._set_running_loop(loop)
    try:
        with opened(browser, address, Faults(), DESKTOP) as page:
            page.goto("/")
            page.get_by_role("button", name=text("page-settings"), exact=True).click()
            file: FilePayload = {"name": "data.zip", "mimeType": "application/zip", "buffer": save_data(data)}
            with page.expect_navigation():
                page.locator("dialog input[type=file]").set_input_files(file)
            page.wait_for_selector("html[data-engine-state=ready]", state="attached")
            return {"storage_state": page.context.storage_state(indexed_db=True)}
    finally:
        asyncio._set_running_loop(None)


@pytest.fixture
def faults() -> Faults:
    """What the pages of a test complained of. At its end there must be nothing but what it allowed."""
    faults = Faults()
    if SITE is not None:  # whose first page preloads English texts, also for readers of another language
        faults.allow("was preloaded using link preload but not used")
    return faults


@contextmanager
def opened(browser: Browser, address: str, faults: Faults, options: dict[str, Any]) -> Iterator[Page]:
    settings = {"locale": "en-GB", "reduced_motion": "no-preference", **options}
    context = browser.new_context(base_url=address, **settings)
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    context.add_init_script(PATIENT)
    faults.watch(context)
    try:
        yield context.new_page()
    finally:
        context.close()
    assert faults.unexpected == []


@pytest.fixture
def page(browser: Browser, address: str, faults: Faults, stored: dict[str, Any]) -> Iterator[Page]:
    """An empty page of a desktop's size: page.goto("/") opens the app."""
    with opened(browser, address, faults, {**DESKTOP, **stored}) as found:
        yield found


@pytest.fixture
def phone(browser: Browser, address: str, faults: Faults, stored: dict[str, Any]) -> Iterator[Page]:
    """An empty page of a phone's size and with a finger: phone.goto("/") opens the app."""
    with opened(browser, address, faults, {**PHONE, **stored}) as found:
        yield found
