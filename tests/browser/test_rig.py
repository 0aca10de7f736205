"""The rig itself: whatever goes wrong on a page is found out, unless the test allows it."""

import pytest
from playwright.sync_api import Page

from mineproof.web.guard import PAGE_HEADERS
from support.browser import Faults, axe, until

PAGE = """<!doctype html><html lang="en"><title>rig</title><link rel="icon" href="data:,"><meta name="viewport"
content="width=device-width"><main><h1>rig</h1><a href="#">link</a></main></html>"""

SCRIPT = "() => { const s = document.createElement('script'); s.textContent = '1'; document.body.append(s) }"


@pytest.fixture
def tried(page: Page) -> Page:
    """A page with nothing wrong, under the policy of ours."""
    return given(page)


def given(page: Page) -> Page:
    headers = {name.decode(): value.decode() for name, value in PAGE_HEADERS}
    page.route("**/rig", lambda route: route.fulfill(body=PAGE, content_type="text/html", headers=headers))
    page.goto("/rig")
    return page


def come(page: Page, faults: Faults) -> None:
    """Wait for a fault: it comes after the answer."""
    until(page, lambda: faults.found)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("() => console.error('no')", "console error: no"),
        ("() => console.warn('no')", "console warning: no"),
        ("() => { setTimeout(() => { throw new Error('no') }) }", "exception: .*no"),
        ("() => { Promise.reject(new Error('no')) }", "exception: .*no"),
        ("() => fetch('/no-such-path')", "console error: .* 404 .*/no-such-path"),
        ("() => fetch('http://127.0.0.1:1/').catch(() => 0)", "Content Security Policy|request: csp"),
        ("() => { document.body.innerHTML = '<p style=\"color: red\">' }", "console error: .*inline style"),
        (SCRIPT, "console error: .*inline script"),
    ],
)
def test_a_fault_is_found(tried: Page, faults: Faults, script: str, found: str) -> None:
    assert faults.found == []
    tried.evaluate(script)
    come(tried, faults)
    assert faults.unexpected != []
    faults.allow(found)
    assert faults.unexpected == []


def test_a_request_without_an_answer_is_found(tried: Page, faults: Faults) -> None:
    tried.route("**/x", lambda route: route.abort("connectionrefused"))
    tried.evaluate("() => fetch('/x').catch(() => 0)")
    come(tried, faults)
    assert [fault for fault in faults.unexpected if fault.startswith("request: net::ERR_CONNECTION_REFUSED")]
    faults.allow("ERR_CONNECTION_REFUSED")


def test_a_question_taken_back_is_no_fault(tried: Page, faults: Faults) -> None:
    with tried.expect_event("requestfailed"):
        tried.evaluate(
            "() => { const c = new AbortController(); fetch('/', {signal: c.signal}).catch(() => 0); c.abort() }"
        )
    assert faults.found == []


def test_what_is_not_accessible_is_found(tried: Page) -> None:
    axe(tried)
    tried.evaluate("() => document.querySelector('main').append(document.createElement('img'))")
    with pytest.raises(AssertionError, match="image-alt"):
        axe(tried)


def test_the_sizes_are_those_of_a_desktop_and_of_a_phone(tried: Page, phone: Page) -> None:
    script = "() => [innerWidth, innerHeight, devicePixelRatio, matchMedia('(pointer: coarse)').matches]"
    assert tried.evaluate(script) == [1280, 800, 1, False]
    assert given(phone).evaluate(script) == [390, 844, 2, True]
