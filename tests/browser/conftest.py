"""A browser and a server for the tests of a file; a page of a desktop's size, and one of a phone's.

The browser is the system's Chromium: `tools/browser.py` finds it. It lives as long as a file's tests, not as long as
the session: while Playwright runs, asyncio.run fails everywhere in the process, and other tests need it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from support.browser import ARGUMENTS, Faults, chromium, do_without
from support.served import served

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}

# How long the page may take before a test fails. A busy machine can need several seconds for one answer.
TIMEOUT_MILLISECONDS = 30_000
expect.set_options(timeout=TIMEOUT_MILLISECONDS)


@pytest.hookimpl(tryfirst=True)  # before -m chooses by the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker("browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program, missing = chromium()
    if program is None:
        do_without(missing)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has a data folder of its own, without a slash at the end."""
    with served(tmp_path_factory.mktemp("served")) as (_, client):
        yield f"http://127.0.0.1:{client.port}"


@pytest.fixture
def faults() -> Faults:
    """What the pages of a test complained of. At its end there must be nothing but what it allowed."""
    return Faults()


@contextmanager
def opened(browser: Browser, address: str, faults: Faults, options: dict[str, Any]) -> Iterator[Page]:
    settings = {"locale": "en-GB", "reduced_motion": "no-preference", **options}
    context = browser.new_context(base_url=address, **settings)
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    faults.watch(context)
    try:
        yield context.new_page()
    finally:
        context.close()
    assert faults.unexpected == []


@pytest.fixture
def page(browser: Browser, address: str, faults: Faults) -> Iterator[Page]:
    """An empty page of a desktop's size: page.goto("/") opens the app."""
    with opened(browser, address, faults, DESKTOP) as found:
        yield found


@pytest.fixture
def phone(browser: Browser, address: str, faults: Faults) -> Iterator[Page]:
    """An empty page of a phone's size and with a finger: phone.goto("/") opens the app."""
    with opened(browser, address, faults, PHONE) as found:
        yield found
