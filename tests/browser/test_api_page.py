"""The API to read, made in the page from the OpenAPI document."""

from playwright.sync_api import Page, expect

from mineproof.web.table import ROUTES
from support.browser import axe


def test_every_route_is_told(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="API").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The HTTP API")
    for route in ROUTES:
        expect(page.get_by_text(f"{route.method} {route.path}", exact=True)).to_be_visible()
        expect(page.get_by_text(route.summary, exact=True)).to_be_visible()
    page.get_by_text("POST /api/v1/hint", exact=True).click()
    row = page.get_by_role("row", name="prefer")
    expect(row).to_contain_text("easiest | safe")
    expect(row).to_contain_text("Unless given: easiest.")
    expect(page.get_by_text("Answers 200 with mineproof/hint/1").first).to_be_visible()
    axe(page)


def test_it_fits_a_phone(phone: Page) -> None:
    phone.goto("/#/api")
    expect(phone.get_by_text("POST /api/v1/analyze", exact=True)).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
