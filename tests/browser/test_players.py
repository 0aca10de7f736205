"""A server for many players: each browser has a history of its own, by a cookie that no script can read."""

import base64
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browser import Faults
from support.finished import finished
from support.served import serving
from support.texts import text

IMPORT = """async (data) => {
  const api = await import("/static/app/api.js");
  return api.historyImport(data, "game.json").then((answer) => answer.added, (error) => error.message);
}"""
GAMES = """async () => (await (await import("/static/app/api.js")).history({})).games.length"""
SAVED = base64.b64encode(finished().save().encode()).decode()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served"), players="many") as (client, _):
        yield f"http://127.0.0.1:{client.port}"


def test_each_browser_has_a_history(page: Page, browser: Browser, address: str) -> None:
    page.goto("/?debug#/history")  # whose modules the scripts below load, too
    assert page.evaluate("document.cookie") == ""  # HttpOnly
    assert page.evaluate(IMPORT, SAVED) == 1
    page.reload()
    page.get_by_role("button", name=text("page-origin-imported"), exact=True).click()
    expect(page.get_by_role("region", name=text("page-games")).locator("tbody tr")).to_have_count(1)
    other = browser.new_context(base_url=address)
    stranger = other.new_page()
    stranger.goto("/?debug#/history")
    assert (page.evaluate(GAMES), stranger.evaluate(GAMES)) == (1, 0)
    other.close()


def test_a_browser_without_cookies_is_told_what_to_do(page: Page, faults: Faults) -> None:
    faults.allow("401")
    page.goto("/?debug")
    page.context.clear_cookies()
    expect(page.get_by_role("grid")).to_be_attached()  # its texts are loaded
    assert page.evaluate(IMPORT, SAVED) == text("page-error-no-cookie")
