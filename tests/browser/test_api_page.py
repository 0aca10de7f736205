"""The API to read, made in the page from the OpenAPI document."""

from playwright.sync_api import Page, expect

from mineproof.web.routes import ROUTES
from support.browser import axe
from support.texts import text


def test_every_route_is_described(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name=text("page-settings")).click()
    page.get_by_role("link", name=text("page-settings-api")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("page-api-title"))
    for route in ROUTES:
        expect(page.get_by_text(f"{route.method} {route.path}", exact=True)).to_be_visible()
        expect(page.get_by_text(route.summary.replace("`", ""), exact=True).first).to_be_visible()
    expect(page.locator(".api summary code", has_text="level")).to_have_text("level")
    expect(page.locator("main")).not_to_contain_text("`")
    page.get_by_text("POST /api/v1/hint", exact=True).click()
    row = page.get_by_role("row", name="prefer")
    expect(row).to_contain_text("easiest | safe")
    expect(row).to_contain_text(text("page-api-default", value="easiest"))
    expect(page.get_by_text("200 mineproof/hint/1").first).to_be_visible()
    axe(page)


def test_it_fits_a_phone(phone: Page) -> None:
    phone.goto("/#/api")
    expect(phone.get_by_text("POST /api/v1/analyze", exact=True)).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
