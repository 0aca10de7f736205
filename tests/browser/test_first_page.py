"""What a browser gets when it asks for the page: all of it, from here, without a complaint, and little."""

import pytest
from playwright.sync_api import Page, Response

from support.browser import axe, screenshot

LARGEST = 150_000  # bytes, of everything that the first page loads, as it is sent: compressed


def whole(page: Page) -> list[Response]:
    """Open the page and wait until it asks for nothing more; the answers it got."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 (Playwright sets attributes on it)
    page.goto("/", wait_until="networkidle")
    return answers


def test_it_opens(page: Page) -> None:
    answers = whole(page)
    assert [answer.url for answer in answers if answer.status >= 400] == []
    assert page.title()
    assert page.get_by_role("heading", level=1).count() == 1
    screenshot(page, "first-desktop")


def test_it_opens_on_a_phone(phone: Page) -> None:
    whole(phone)
    wide = phone.evaluate("document.documentElement.scrollWidth")
    screenshot(phone, "first-phone")
    assert wide <= 390


def test_nothing_is_asked_of_another_site(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    whole(page)
    assert asked
    assert [url for url in asked if not url.startswith((f"{address}/", "data:", "blob:"))] == []


def test_it_is_small(page: Page) -> None:
    sizes = {answer.url: int(answer.headers.get("content-length") or len(answer.body())) for answer in whole(page)}
    assert sum(sizes.values()) < LARGEST, sorted(sizes.items(), key=lambda item: -item[1])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    whole(page)
    axe(page)


def test_it_is_accessible_on_a_phone(phone: Page) -> None:
    whole(phone)
    axe(phone)
