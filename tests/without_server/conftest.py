"""The static site in a browser, as a host serves it below a path: `make site` builds it, `make site-tests` tests it.

They are no part of the other tests, because the site needs a tool chain and minutes to build.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from support.browser import ARGUMENTS, Faults, chromium, do_without
from support.static_site import SITE, serving_site

PREFIX = "/mineproof/"
TIMEOUT_MILLISECONDS = 120_000  # the engine may take long to start on a busy machine

collect_ignore_glob = [] if SITE else ["test_*.py"]

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program, missing = chromium()
    if program is None:
        do_without(missing)
    expect.set_options(timeout=TIMEOUT_MILLISECONDS)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def address() -> Iterator[str]:
    """The address of the site, below a path."""
    assert SITE is not None
    with serving_site(SITE, PREFIX) as port:
        yield f"http://127.0.0.1:{port}{PREFIX}"


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def context(request: pytest.FixtureRequest, browser: Browser, faults: Faults) -> Iterator[BrowserContext]:
    found = browser.new_context(locale="en-GB", **request.param)
    found.set_default_timeout(TIMEOUT_MILLISECONDS)
    faults.watch(found)
    yield found
    found.close()
    assert faults.unexpected == []


@pytest.fixture
def faults() -> Faults:
    """What the pages of a test complained of. At its end there must be nothing but what it allowed."""
    return Faults()
